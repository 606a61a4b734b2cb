//! The faces of a piece that planes made: flat polygons that end where the planes cut the artist's mesh.
//!
//! The rim of a face consists of edges along which its plane cuts the mesh (`clip`), and of parts of the lines where it meets other
//! planes of the piece. Such a line enters and leaves the mesh at points where the rim turns from one plane to the other, and may
//! start or end within it, at a corner of the convex cell that the planes bound. Both faces at a line have the same parts of it, in
//! opposite directions: so all is closed, whatever rounding does to the order of points.

use super::clip::Clipped;
use super::cracks::{CrackFace, Cracks, loops};
use crate::body::Object;
use crate::crack::breaks::CellPlane;
use crate::cut::polytope::{Polytope, Split, Wall};
use crate::fracture::outline::fans;
use crate::geom::plane::axes_across;
use crate::geom::polygon::{Polygon, flat_triangles};
use crate::geom::{NONE, Point, Vector};
use std::collections::{BTreeMap, HashMap};

/// The faces that close what is within the planes of an object.
pub fn close(object: &Object, clipped: &mut Clipped) -> Cracks {
    let mut rims: Vec<Vec<[u32; 2]>> = vec![vec![]; clipped.planes.len()];
    // Against the edges of the mesh.
    clipped.edges.iter().for_each(|edge| rims[edge.plane as usize].push([edge.ends[1], edge.ends[0]]));
    let cell = Cell::new(object, clipped);
    for ([a, b], ends) in cell.segments(object, clipped) {
        rims[a as usize].push(ends);
        rims[b as usize].push([ends[1], ends[0]]);
    }
    let mut made = Cracks::default();
    let mut known = HashMap::new();
    for (plane, mut rim) in clipped.planes.iter().zip(rims) {
        rim.retain(|[a, b]| a != b);
        if rim.is_empty() {
            continue;
        }
        let face = made.faces.len() as u32;
        let normal = plane.plane.normal;
        made.faces.push(CrackFace { across: plane.neighbour, axes: axes_across(&normal), normal });
        known.extend(rim.iter().map(|[a, b]| ([*b, *a], face)));
        rim.sort_unstable();
        let (triangles, is_flat) = polygon_of(plane, &rim, &clipped.parts.points);
        made.patches += !is_flat as u32;
        made.triangles.extend(triangles.into_iter().map(|corners| (corners, face)));
    }
    made.points = clipped.parts.points.clone();
    made.fill_what_is_open(&clipped.parts, &known, |edge| edge.iter().any(|p| clipped.is_cut[*p as usize]));
    made
}

/// The triangles of a face, and whether it is a flat polygon; if not, they may overlap.
fn polygon_of(plane: &CellPlane, rim: &[[u32; 2]], points: &[Point]) -> (Vec<[u32; 3]>, bool) {
    let mut numbers: Vec<u32> = vec![];
    let mut place = HashMap::new();
    let mut local = |p: u32| {
        *place.entry(p).or_insert_with(|| {
            numbers.push(p);
            numbers.len() as u32 - 1
        })
    };
    let loops: Vec<Vec<u32>> =
        loops(rim).into_iter().map(|around| around.into_iter().map(&mut local).collect()).collect();
    let loops = loops.into_iter().filter(|around| around.len() > 2).collect();
    let points = numbers.iter().map(|p| points[*p as usize]).collect();
    let polygon = Polygon { points, loops, normal: plane.plane.normal };
    let flat = flat_triangles(&polygon);
    let is_flat = flat.is_some();
    let triangles = flat.unwrap_or_else(|| fans(&polygon));
    (triangles.into_iter().map(|corners| corners.map(|k| numbers[k as usize])).collect(), is_flat)
}

/// The convex cell that the planes bound.
struct Cell {
    corners: Vec<CellCorner>,
}

struct CellCorner {
    at: Point,
    /// The planes that meet there; [`NONE`] stands for what is far away, where no plane bounds the cell.
    planes: [u32; 3],
}

/// A line where two planes meet.
#[derive(Default)]
struct Line {
    /// Where it comes into the mesh and where it goes out, by how far along it is.
    into: Vec<(f64, u32)>,
    out_of: Vec<(f64, u32)>,
    /// Corners of the cell on it, likewise: none or two.
    corners: Vec<(f64, usize)>,
}

impl Line {
    fn is_met(&self) -> bool {
        !self.into.is_empty() || !self.out_of.is_empty()
    }

    /// Whether its first and its last corner are within the mesh, as far as the points where it is met tell.
    fn ends_within(&self) -> Option<[bool; 2]> {
        let (into, out) = (self.into.len(), self.out_of.len());
        if into != out {
            return Some([out > into, into > out]);
        }
        let both = self.out_of.first()?.0 < self.into.first()?.0;
        Some([both; 2])
    }
}

impl Cell {
    fn new(object: &Object, clipped: &Clipped) -> Self {
        // A tetrahedron around everything that is drawn.
        let (centre, size) = (object.asset().centre(), 16.0 * object.asset().radius());
        let far = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        let nodes = far.map(|c| centre + Vector::from(c) * size);
        let splits: Vec<Split> = clipped.cuts.iter().map(|cut| cut.split(&nodes, clipped.scale)).collect();
        let mut polytope = Polytope::default();
        polytope.set_region(&splits, clipped.cuts.iter().enumerate().map(|(k, cut)| Wall::crack(k, cut.second)));
        let corner = |k: usize| {
            let weights = polytope.weights_at(k);
            let at = (0..4).fold(Vector::zeros(), |at, node| at + nodes[node].coords * weights[node]);
            let planes = polytope.walls_at(k).map(|wall| wall.as_crack().map_or(NONE, |(plane, _)| plane as u32));
            CellCorner { at: at.into(), planes }
        };
        Self { corners: (0..polytope.corner_count()).map(corner).collect() }
    }

    /// The parts of lines that are within the mesh: two planes, the lower first, and the ends in the direction of the face of the first.
    fn segments(&self, object: &Object, clipped: &mut Clipped) -> Vec<([u32; 2], [u32; 2])> {
        let mut lines = self.lines(clipped);
        let is_within = self.corners_within(object, clipped, &lines);
        let mut segments = vec![];
        for (planes, line) in &mut lines {
            for (end, (along, corner)) in line.corners.iter().enumerate() {
                if is_within[*corner] {
                    let point = clipped.number(&self.corners[*corner].at, true);
                    [&mut line.into, &mut line.out_of][end].push((*along, point));
                }
            }
            let by_place = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            line.into.sort_by(by_place);
            line.out_of.sort_by(by_place);
            segments.extend(line.into.iter().zip(&line.out_of).map(|(from, to)| (*planes, [from.1, to.1])));
        }
        segments
    }

    fn lines(&self, clipped: &Clipped) -> BTreeMap<[u32; 2], Line> {
        let mut lines: BTreeMap<[u32; 2], Line> = BTreeMap::new();
        let along = |[a, b]: [u32; 2], p: &Point| {
            let [a, b] = [a, b].map(|k| clipped.planes[k as usize].plane.normal);
            a.cross(&b).dot(&p.coords)
        };
        for turn in &clipped.turns {
            let pair = [turn.from.min(turn.to), turn.from.max(turn.to)];
            let line = lines.entry(pair).or_default();
            // The face of the first plane is to the left of the line.
            let list = if turn.from < turn.to { &mut line.out_of } else { &mut line.into };
            list.push((along(pair, &clipped.parts.points[turn.point as usize]), turn.point));
        }
        for (k, corner) in self.corners.iter().enumerate() {
            for [a, b] in [[0, 1], [0, 2], [1, 2]].map(|pair| pair.map(|k: usize| corner.planes[k])) {
                if a != NONE && b != NONE {
                    let pair = [a.min(b), a.max(b)];
                    lines.entry(pair).or_default().corners.push((along(pair, &corner.at), k));
                }
            }
        }
        for line in lines.values_mut() {
            line.into.sort_by(|a, b| a.0.total_cmp(&b.0));
            line.out_of.sort_by(|a, b| a.0.total_cmp(&b.0));
            line.corners.sort_by(|a, b| a.0.total_cmp(&b.0));
            line.corners.truncate(2);
        }
        lines
    }

    /// Which corners are within the mesh. Lines that the mesh meets tell; along others nothing changes; and where none does, the solid is
    /// asked.
    fn corners_within(&self, object: &Object, clipped: &Clipped, lines: &BTreeMap<[u32; 2], Line>) -> Vec<bool> {
        // The box around what is drawn, which is of no event, has all of it within: its own planes are outside.
        let is_beyond = |plane: &u32| clipped.planes.get(*plane as usize).is_none_or(|p| p.generation == NONE);
        let mut known: Vec<Option<bool>> =
            self.corners.iter().map(|c| c.planes.iter().any(is_beyond).then_some(false)).collect();
        let mut waiting: Vec<usize> = vec![];
        for line in lines.values().filter(|line| line.is_met() && line.corners.len() == 2) {
            let Some(ends) = line.ends_within() else { continue };
            for ((_, corner), within) in line.corners.iter().zip(ends) {
                if known[*corner].is_none() {
                    known[*corner] = Some(within);
                    waiting.push(*corner);
                }
            }
        }
        let free = |line: &&Line| !line.is_met() && line.corners.len() == 2;
        let mut next_to: Vec<Vec<usize>> = vec![vec![]; self.corners.len()];
        for line in lines.values().filter(free) {
            let [a, b] = [line.corners[0].1, line.corners[1].1];
            next_to[a].push(b);
            next_to[b].push(a);
        }
        for first in 0..self.corners.len() {
            while let Some(at) = waiting.pop() {
                for &other in &next_to[at] {
                    if known[other].is_none() {
                        known[other] = known[at];
                        waiting.push(other);
                    }
                }
            }
            if known[first].is_none() {
                let (asset, at) = (object.asset(), &self.corners[first].at);
                known[first] = Some(asset.field().locator.find(&(at - asset.centre()).cast()).is_some());
                waiting.push(first);
            }
        }
        known.into_iter().map(|within| within == Some(true)).collect()
    }
}
