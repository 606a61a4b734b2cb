//! The first break of a body by the cells of seeds, from what bounds its pieces: skin, planes, and the lines where planes meet.
//!
//! Queries of pieces that planes made ask planes, skin and samples, never what is within. So nothing is divided but the skin
//! (docs/formulations/exact-cells.md): its edges and triangles among cells (`skin`); from where three cells meet on it, the lines within
//! the body (`lines`); from these, what hangs together (`parts`) and how heavy it is (`weigh`). Where something is not certain in double
//! precision there is no answer, and regions decide.

mod cells;
mod faces;
mod lines;
mod neighbours;
mod parts;
mod samples;
mod skin;
mod weigh;

use self::cells::Cells;
use self::lines::Lines;
use self::parts::Parts;
use self::skin::CutSkin;
use super::crumbs::{self, Sizes};
use super::envelope::Envelope;
use super::faces::{Face, Faces};
use super::scratch::Scratch;
use super::{FractureOptions, Pattern, cell_planes, cutting, fragments, later, limits, some_tets};
use crate::body::Object;
use crate::crack::breaks::{Break, Kind, Piece};
use crate::error::Result;
use crate::geom::aabb::Aabb;
use crate::geom::{Point, Vector};

/// What an event came to.
pub enum Outcome {
    Break(Box<Break>),
    /// All of the body is in one cell.
    OnePiece(u32),
    /// Something is not certain.
    NotCertain,
}

/// What bounds the pieces.
struct Boundary<'a> {
    cells: Cells<'a>,
    skin: CutSkin,
    lines: Lines,
    parts: Parts,
}

/// Breaks an intact body by an envelope of seeds that need not have been asked.
pub fn shatter(
    object: &Object,
    pattern: &Pattern,
    envelope: &mut Envelope,
    options: &FractureOptions,
    scratch: &mut Scratch,
    step: &mut dyn FnMut(&'static str),
) -> Result<Outcome> {
    let Some(boundary) = find(object, envelope, scratch, step) else { return Ok(Outcome::NotCertain) };
    let count = boundary.parts.cells.len();
    if count == 1 {
        return Ok(Outcome::OnePiece(boundary.parts.cells[0]));
    }
    let (nodes, node_starts) = fragments::nodes_by(object, count, |node| scratch.fragment_of[node as usize]);
    let (tets, budget) = (object.asset().solid().tets(), options.max_regions as usize);
    // Each cell may have one in each tetrahedron.
    if tets.len().saturating_mul(envelope.count() as usize) > budget {
        let without_nodes = node_starts.windows(2).filter(|pair| pair[0] == pair[1]).count();
        let fewest = cutting::fewest_regions(tets, &scratch.cell_of, without_nodes);
        if fewest > budget {
            return Err(cutting::too_many_regions(budget));
        }
        if fewest > budget / 8 {
            return Ok(Outcome::NotCertain);
        }
    }
    let bounds = boundary.boxes(object, &nodes, &node_starts, &scratch.fragment_of);
    let Boundary { cells, skin, lines, parts } = &boundary;
    let Some(masses) = weigh::weigh(object, cells, (skin, lines), parts, &scratch.fragment_of, &bounds) else {
        return Ok(Outcome::NotCertain);
    };
    step("mass");
    let most = options.max_fragments.min(envelope.most) as usize;
    if !crumbs::may_all_stay(object, &Sizes { masses: &masses, bounds: &bounds }, options, most) {
        return Ok(Outcome::NotCertain);
    }
    let generation = envelope.generation;
    let Some(found) = samples::collect(object, cells, (skin, lines), parts, scratch, generation)? else {
        return Ok(Outcome::NotCertain);
    };
    step("samples");
    let faces = boundary.faces(&scratch.fragment_of, generation);
    let kinds = kinds(object, envelope, &parts.cells, &bounds);
    let cell_of_piece = boundary.parts.cells;
    let mut made = Break {
        nodes,
        points: found.points,
        next_id: found.next_id,
        generation: generation + 1,
        later: Some(later::again(object, pattern)),
        ..Break::default()
    };
    made.pieces = (0..count)
        .map(|f| Piece {
            nodes: node_starts[f]..node_starts[f + 1],
            points: found.starts[f]..found.starts[f + 1],
            mass: masses[f],
            bounds: bounds[f],
            cell: cell_of_piece[f],
            kind: kinds[f],
            planes: 0..0,
            drawn: 0..0,
        })
        .collect();
    cell_planes::add(object, envelope, &faces, &mut made.pieces, &mut made.planes);
    step("planes");
    // A piece that shares its cell and its box is asked for more than its planes.
    if kinds.contains(&Kind::PartOfCell) {
        envelope.ask_near(object, &options.tasks)?;
        let Some(some) = some_tets::divide(object, envelope, &made.pieces, scratch) else {
            return Ok(Outcome::NotCertain);
        };
        made.shared_cell_tets = some.divided.cut_tets(&some.of_part, count, generation + 1);
        step("shared cells");
    }
    Ok(Outcome::Break(Box::new(made)))
}

/// Finds what bounds the pieces, and writes that of each node to `scratch.fragment_of`.
fn find<'a>(
    object: &Object,
    envelope: &'a Envelope,
    scratch: &mut Scratch,
    step: &mut dyn FnMut(&'static str),
) -> Option<Boundary<'a>> {
    let asset = object.asset();
    let seeds = envelope.plain_seeds()?;
    let around = object.bounds();
    let local = |p: &Point| Point::from(p - asset.centre());
    let bounds = Aabb::around(&[local(&around.min), local(&around.max)]);
    let cells = Cells::new(seeds.at, seeds.squares, &bounds, asset.radius());
    // All cracks may be in one tetrahedron, and must have numbers there.
    if !limits::may_number(cells.face_count()) {
        return None;
    }
    step("cells");
    let solid = asset.solid();
    let sites: Vec<Point> = object.nodes().iter().map(|n| local(&solid.nodes()[*n as usize])).collect();
    let own = seeds.cells(&sites, cells.close)?;
    object.nodes().iter().zip(own).for_each(|(node, cell)| scratch.cell_of[*node as usize] = cell);
    step("cells of nodes");
    let skin = skin::cut(object, &cells, scratch)?;
    step("skin");
    let normal = |triangle: u32| {
        let [a, b, c] = solid.skin()[triangle as usize].nodes.map(|n| solid.nodes()[n as usize]);
        (b - a).cross(&(c - a))
    };
    let lines = lines::find(&cells, &skin.triples, normal)?;
    step("lines");
    let parts = parts::find(object, &cells, &skin, &lines, scratch)?;
    step("parts");
    Some(Boundary { cells, skin, lines, parts })
}

impl Boundary<'_> {
    /// The boxes of pieces, given their nodes.
    fn boxes(&self, object: &Object, nodes: &[u32], starts: &[usize], of_node: &[u32]) -> Vec<Aabb> {
        let positions = object.asset().solid().nodes();
        let own = |f: usize| nodes[starts[f]..starts[f + 1]].iter().map(|n| &positions[*n as usize]);
        let mut bounds: Vec<Aabb> = (0..self.parts.cells.len()).map(|f| Aabb::around(own(f))).collect();
        let mut grow = |piece: u32, at: &Vector| bounds[piece as usize].grow(&(object.asset().centre() + at));
        for crossing in &self.skin.crossings {
            crossing.holders.iter().for_each(|holder| grow(self.parts.of(*holder, of_node), &crossing.at));
        }
        for triple in &self.skin.triples {
            triple.holders.iter().for_each(|holder| grow(self.parts.of(*holder, of_node), &triple.at));
        }
        for (vertex, number) in self.lines.vertices.iter().zip(0..) {
            (0..4).for_each(|k| grow(self.parts.of_vertex(number, k), &vertex.at));
        }
        bounds
    }

    /// Which pieces have a face in common: those on both sides of a rim, and around a line.
    fn faces(&self, of_node: &[u32], generation: u32) -> Vec<Face> {
        let mut faces = Faces::new();
        let mut add =
            |[a, b]: [u32; 2], pieces: [u32; 2]| faces.add(pieces[0], pieces[1], generation, [a.min(b), a.max(b)]);
        for rim in &self.skin.rims {
            add(rim.cells, rim.holders.map(|holder| self.parts.of(holder, of_node)));
        }
        for stretch in &self.lines.stretches {
            let pieces = self.parts.along(stretch, (&self.skin, &self.lines), of_node);
            for [i, j] in [[0, 1], [0, 2], [1, 2]] {
                add([stretch.cells[i], stretch.cells[j]], [pieces[i], pieces[j]]);
            }
        }
        faces.sorted()
    }
}

/// What each piece is made of.
fn kinds(object: &Object, envelope: &Envelope, cells: &[u32], bounds: &[Aabb]) -> Vec<Kind> {
    let parts: Vec<(u32, Aabb)> = cells.iter().copied().zip(bounds.iter().copied()).collect();
    let alone = cell_planes::are_alone(object, &parts);
    alone.into_iter().map(|is_alone| cell_planes::kind(object, envelope, false, is_alone)).collect()
}
