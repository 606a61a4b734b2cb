//! Sample points of pieces from what bounds them, known as the corners of regions that they are (`cut::polytope::Corner`).
//!
//! Rims and corners of cracks are all there. In the middle of a crack and of a line some places are picked, and there the crack's own
//! corner on an edge of the mesh, or the line's on a face, is taken.

use super::cells::Cells;
use super::lines::{Lines, Stretch};
use super::parts::Parts;
use super::skin::CutSkin;
use crate::body::Object;
use crate::cut::polytope::key_where_cells_meet;
use crate::error::Result;
use crate::fracture::edges;
use crate::fracture::points::between;
use crate::fracture::samples::{Points, Samples};
use crate::fracture::scratch::Scratch;
use crate::geom::{NONE, Point, Vector};
use crate::solid::Across;
use nalgebra::Matrix3;

/// Points whose barycentric coordinates are smaller are on a face of a tetrahedron.
const ON_FACE: f64 = 1e-9;

/// All samples of so many pieces of an event of this generation; `None` if it is not certain which corners they are.
pub fn collect(
    object: &Object,
    cells: &Cells,
    (skin, lines): (&CutSkin, &Lines),
    parts: &Parts,
    (scratch, count): (&mut Scratch, usize),
    generation: u32,
) -> Result<Option<Points>> {
    let asset = object.asset();
    let Scratch { cell_of, fragment_of, picked, .. } = scratch;
    let mut samples = Samples::new(object, 4 * skin.crossings.len());
    let in_asset = |at: &Vector| asset.centre() + at;
    for crossing in &skin.crossings {
        let [a, b] = crossing.cells;
        let key = key_where_cells_meet(&crossing.nodes, &[a.min(b), a.max(b)], generation);
        samples.push_for_all(&crossing.holders.map(|h| parts.of(h, fragment_of)), &in_asset(&crossing.at), key);
    }
    for triple in &skin.triples {
        let mut nodes = asset.solid().skin()[triple.triangle as usize].nodes;
        nodes.sort_unstable();
        let key = key_where_cells_meet(&nodes, &triple.cells, generation);
        samples.push_for_all(&triple.holders.map(|h| parts.of(h, fragment_of)), &in_asset(&triple.at), key);
    }
    for (vertex, number) in lines.vertices.iter().zip(0..) {
        let pieces: [u32; 4] = std::array::from_fn(|k| parts.of_vertex(number, k));
        if pieces.iter().all(|piece| *piece == pieces[0]) {
            continue;
        }
        let Some(Around { tet, .. }) = around(object, &vertex.at) else { return Ok(None) };
        let nodes = asset.solid().tets()[tet as usize];
        let key = key_where_cells_meet(&nodes, &vertex.cells, generation);
        push_where_it_stands_out(&mut samples, &pieces, &in_asset(&vertex.at), key);
    }
    for stretch in &lines.stretches {
        let pieces = parts.along(stretch, (skin, lines), fragment_of);
        if pieces[0] == pieces[1] && pieces[0] == pieces[2] {
            continue;
        }
        let times = (stretch.at[1] - stretch.at[0]).norm() / samples.apart;
        // Where two of the cells are one piece the line is a bend of a crack: short ones have their ends.
        let is_bend = pieces[0] == pieces[1] || pieces[0] == pieces[2] || pieces[1] == pieces[2];
        let count = if is_bend { times.floor() } else { times.ceil() } as usize;
        let mut last = [NONE; 3];
        for k in 1..=count {
            match on_face(object, stretch, k as f64 / (count + 1) as f64) {
                Some((nodes, at)) if nodes != last => {
                    let key = key_where_cells_meet(&nodes, &stretch.cells, generation);
                    push_where_it_stands_out(&mut samples, &pieces, &in_asset(&at), key);
                    last = nodes;
                }
                _ => {}
            }
        }
    }
    let solid = asset.solid();
    picked.resize(picked.len().max(solid.edges().len() + 1), 0);
    let cut = edges::pick_cut(solid.edges(), 0, cell_of, picked);
    for &edge in picked[..cut].iter().filter(|edge| !solid.is_skin_edge(**edge as usize)) {
        let nodes = solid.edges()[edge as usize];
        let [p, q] = nodes.map(|n| solid.nodes()[n as usize]);
        let [a, b] = nodes.map(|n| cell_of[n as usize]);
        let [here, there] = [p, q].map(|p| cells.height(b, a, &(p - asset.centre())));
        let at: Point = p + (q - p) * (here / (here - there));
        let [f, g] = nodes.map(|n| fragment_of[n as usize]);
        if f == g {
            continue;
        }
        let place = samples.place(&at, between(f, g));
        if !samples.take(place) {
            continue;
        }
        if cells.is_lowest(a, &(at - asset.centre()), [b; 2]) {
            samples.push_for_all(&[f, g], &at, key_where_cells_meet(&nodes, &[a.min(b), a.max(b)], generation));
        } else {
            samples.give_back(place);
        }
    }
    samples.grouped(object, count).map(Some)
}

/// Adds a corner within the body for those of the pieces around it that stand out there: who has all of its cells but one has a hollow there, and nothing touches it first.
fn push_where_it_stands_out(samples: &mut Samples, pieces: &[u32], at: &Point, key: u64) {
    let has = |piece: u32| pieces.iter().filter(|other| **other == piece).count();
    let is_first = |k: &usize| !pieces[..*k].contains(&pieces[*k]);
    for k in (0..pieces.len()).filter(is_first).filter(|k| has(pieces[*k]) + 1 < pieces.len()) {
        let others = |other: &&u32| **other != pieces[k];
        let across = pieces.iter().find(others).copied().unwrap_or(NONE);
        let is_only = pieces.iter().filter(others).all(|other| *other == across);
        samples.push(pieces[k], at, key, if is_only { across } else { NONE });
    }
}

/// Where a line crosses a face of the mesh near a place along a stretch of it, and the nodes of the face; `None` if it does not there, or
/// if which face it is, is not certain.
fn on_face(object: &Object, stretch: &Stretch, share: f64) -> Option<([u32; 3], Vector)> {
    let solid = object.asset().solid();
    let way = stretch.at[1] - stretch.at[0];
    let from = stretch.at[0] + way * share;
    let Around { tet, to_weights, weights } = around(object, &from)?;
    let along = to_weights * way;
    let along = [-along.sum(), along.x, along.y, along.z];
    // Where it leaves the tetrahedron.
    let ends = (0..4).filter(|k| along[*k] < 0.0).map(|k| (-weights[k] / along[k], k));
    let (end, opposite) = ends.reduce(|first, next| if next.0 < first.0 { next } else { first })?;
    let is_inside = |k: usize| k == opposite || weights[k] + end * along[k] > ON_FACE;
    let is_between = end + share > 0.0 && end + share < 1.0 && matches!(solid.across(tet, opposite), Across::Tet(_));
    if !is_between || !(0..4).all(is_inside) {
        return None;
    }
    let nodes = solid.tets()[tet as usize];
    let mut own = (0..4).filter(|k| *k != opposite).map(|k| nodes[k]);
    Some((std::array::from_fn(|_| own.next().unwrap_or(NONE)), from + way * end))
}

/// The tetrahedron around a point.
struct Around {
    tet: u32,
    /// From the first corner.
    to_weights: Matrix3<f64>,
    /// The point's barycentric coordinates.
    weights: [f64; 4],
}

/// The tetrahedron around a point of an intact body, in double precision; `None` if the point is on a face.
fn around(object: &Object, at: &Vector) -> Option<Around> {
    let asset = object.asset();
    let mut tet = asset.field().locator.find(&at.cast())?.tet;
    // The locator rounds: its tetrahedron may be one beside.
    for _ in 0..4 {
        let [a, b, c, d] = asset.solid().corners(tet).map(|p| p - asset.centre());
        let to_weights = Matrix3::from_columns(&[b - a, c - a, d - a]).try_inverse()?;
        let w = to_weights * (at - a);
        let weights = [1.0 - w.sum(), w.x, w.y, w.z];
        let lowest = (1..4).fold(0, |lowest, k| if weights[k] < weights[lowest] { k } else { lowest });
        if weights[lowest] > ON_FACE {
            return Some(Around { tet, to_weights, weights });
        }
        match asset.solid().across(tet, lowest) {
            Across::Tet(next) if weights[lowest] < -ON_FACE => tet = next,
            _ => return None,
        }
    }
    None
}
