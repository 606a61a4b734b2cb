//! The lines where three cells meet, as far as they are within the body.
//!
//! Along a line its points on the skin take turns: into the body, out of it. Beyond the first and the last the line ends outside, or where a
//! fourth cell meets it; so what is on the skin says which of these points are within the body. The lines of a Voronoi diagram hang together
//! and reach to infinity: whatever is within the body is found from its skin, from line to line.

use super::cells::{Cells, Extent};
use super::skin::Triple;
use crate::geom::random::{Mixed, mix};
use crate::geom::{NONE, Vector};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

/// Where four cells meet within the body.
#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    /// Ascending.
    pub cells: [u32; 4],
    pub at: Vector,
    /// Lines that end there so far, a bit each, by the cell that is not on them.
    lines: u8,
}

/// An end of a stretch of a line: on the skin, or where four cells meet, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Triple(u32),
    Vertex(u32),
}

/// A stretch of a line within the body.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// Ascending.
    pub cells: [u32; 3],
    /// In the direction of the product of how much faster the functions of the second and the third cell fall than that of the first.
    pub ends: [End; 2],
    pub at: [Vector; 2],
}

/// All lines within the body.
#[derive(Default)]
pub struct Lines {
    pub vertices: Vec<Vertex>,
    pub stretches: Vec<Stretch>,
}

/// Directions that are closer to the plane of a triangle than this do not tell on which side they lead.
const ALONG: f64 = 1e-9;

/// Finds the lines, from where they meet the skin. `normal` is that of a skin triangle, out of the body. `None` where it is not certain what
/// is there.
pub fn find(cells: &Cells, triples: &[Triple], normal: impl Fn(u32) -> Vector) -> Option<Lines> {
    let mut finder = Finder { cells, places: HashMap::default(), known: HashSet::default(), out: Lines::default() };
    let mut order: Vec<u32> = (0..triples.len() as u32).collect();
    order.sort_unstable_by_key(|k| (triples[*k as usize].cells, *k));
    let mut met: Vec<Met> = vec![];
    for run in order.chunk_by(|a, b| triples[*a as usize].cells == triples[*b as usize].cells) {
        let line = triples[run[0] as usize].cells;
        let along = finder.along(line);
        met.clear();
        for &k in run {
            let Triple { at, triangle, .. } = triples[k as usize];
            let normal = normal(triangle);
            let up = normal.dot(&along);
            if up.is_nan() || up.abs() < ALONG * normal.norm() {
                return None;
            }
            met.push(Met { place: along.dot(&at), triple: k, at, is_out: up > 0.0 });
        }
        met.sort_unstable_by(|a, b| a.place.total_cmp(&b.place));
        finder.add_line(line, &along, &met)?;
    }
    // Lines that do not meet the skin, from where they end.
    let mut next = 0;
    while let Some(vertex) = finder.out.vertices.get(next).copied() {
        for k in 0..4 {
            let mut line = vertex.cells.iter().copied().enumerate().filter(|(j, _)| *j != k).map(|(_, cell)| cell);
            let line = std::array::from_fn(|_| line.next().unwrap_or(NONE));
            if !finder.known.contains(&number(&line)) {
                finder.add_inner_line(line, &vertex)?;
            }
        }
        next += 1;
    }
    // Each vertex ends four lines.
    finder.out.vertices.iter().all(|vertex| vertex.lines == 0b1111).then_some(finder.out)
}

/// A point of a line on the skin.
struct Met {
    /// Along the line.
    place: f64,
    triple: u32,
    at: Vector,
    is_out: bool,
}

struct Finder<'a> {
    cells: &'a Cells<'a>,
    /// Vertices by the numbers of their cells.
    places: HashMap<u64, u32, BuildHasherDefault<Mixed>>,
    /// Lines that have been looked at, likewise.
    known: HashSet<u64, BuildHasherDefault<Mixed>>,
    out: Lines,
}

/// A hash of cells that meet. If two had the same, a vertex would lack a line, and the answer is refused.
fn number(cells: &[u32]) -> u64 {
    cells.iter().fold(0, |key, cell| mix(key ^ *cell as u64))
}

impl Finder<'_> {
    fn along(&self, [a, b, c]: [u32; 3]) -> Vector {
        let [a, b, c] = [a, b, c].map(|cell| self.cells.pull(cell));
        (b - a).cross(&(c - a)).normalize()
    }

    /// Adds what is within the body of a line that meets the skin.
    fn add_line(&mut self, line: [u32; 3], along: &Vector, met: &[Met]) -> Option<()> {
        self.known.insert(number(&line));
        let (first, last) = (&met[0], &met[met.len() - 1]);
        let takes_turns = met.windows(2).all(|pair| pair[0].is_out != pair[1].is_out);
        let is_apart = met.windows(2).all(|pair| pair[1].place - pair[0].place > self.cells.short);
        let extent = self.cells.extent(line[0], &first.at, along, &line[1..])?;
        let behind = extent.ends[1] - (last.place - first.place);
        if !takes_turns || !is_apart || -extent.ends[0] < self.cells.short || behind < self.cells.short {
            return None;
        }
        let mut from = if first.is_out { Some(self.end(line, &extent, 0, &first.at, along)?) } else { None };
        for met in met {
            let here = (End::Triple(met.triple), met.at);
            match from.take() {
                Some((end, at)) => {
                    self.out.stretches.push(Stretch { cells: line, ends: [end, here.0], at: [at, here.1] })
                }
                None => from = Some(here),
            }
        }
        if let Some((end, at)) = from {
            let (last, last_at) = self.end(line, &extent, 1, &first.at, along)?;
            self.out.stretches.push(Stretch { cells: line, ends: [end, last], at: [at, last_at] });
        }
        Some(())
    }

    /// Adds a line that does not meet the skin, from a vertex that it ends at.
    fn add_inner_line(&mut self, line: [u32; 3], vertex: &Vertex) -> Option<()> {
        self.known.insert(number(&line));
        let along = self.along(line);
        let extent = self.cells.extent(line[0], &vertex.at, &along, &line[1..])?;
        let [from, to] = [0, 1].map(|k| self.end(line, &extent, k, &vertex.at, &along));
        let ((from, start), (to, end)) = (from?, to?);
        self.out.stretches.push(Stretch { cells: line, ends: [from, to], at: [start, end] });
        Some(())
    }

    /// The vertex at the end of a line; `from` is where its extent counts from.
    fn end(
        &mut self,
        line: [u32; 3],
        extent: &Extent,
        end: usize,
        from: &Vector,
        along: &Vector,
    ) -> Option<(End, Vector)> {
        let fourth = extent.cells[end];
        if fourth == NONE {
            return None; // out of the box, but not of the body
        }
        let mut cells = [line[0], line[1], line[2], fourth];
        cells.sort_unstable();
        let vertices = &mut self.out.vertices;
        let place = *self.places.entry(number(&cells)).or_insert_with(|| {
            vertices.push(Vertex { cells, at: from + along * extent.ends[end], lines: 0 });
            vertices.len() as u32 - 1
        });
        let vertex = &mut self.out.vertices[place as usize];
        let without = 1 << vertex.cells.iter().position(|cell| *cell == fourth)?;
        if vertex.cells != cells || vertex.lines & without != 0 {
            return None;
        }
        vertex.lines |= without;
        Some((End::Vertex(place), vertex.at))
    }
}
