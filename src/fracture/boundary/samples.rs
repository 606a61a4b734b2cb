//! Sample points of pieces from what bounds them, known as the corners of regions that they are (`geom::polytope::Corner`).
//!
//! Rims and corners of cracks are all there. In the middle of a crack and of a line some places are picked, and there the crack's own
//! corner on an edge of the mesh, or the line's on a face, is taken.

use super::cells::Cells;
use super::lines::{Lines, Stretch};
use super::parts::Parts;
use super::skin::CutSkin;
use crate::body::Object;
use crate::error::Result;
use crate::fracture::edges;
use crate::fracture::points::between;
use crate::fracture::samples::{Points, Samples};
use crate::fracture::scratch::Scratch;
use crate::geom::polytope::key_where_cells_meet;
use crate::geom::{NONE, Point, Vector};
use crate::solid::Across;
use nalgebra::Matrix3;

/// All samples of the pieces of an event of this generation.
pub fn collect(
    object: &Object,
    cells: &Cells,
    (skin, lines): (&CutSkin, &Lines),
    parts: &Parts,
    scratch: &mut Scratch,
    generation: u32,
) -> Result<Points> {
    let asset = object.asset();
    let Scratch { cell_of, fragment_of, picked, .. } = scratch;
    let mut samples = Samples::new(object, 4 * skin.crossings.len());
    let place = |at: &Vector| asset.centre() + at;
    for crossing in &skin.crossings {
        let [a, b] = crossing.cells;
        let key = key_where_cells_meet(&crossing.nodes, &[a.min(b), a.max(b)], generation);
        samples.push_for_all(&crossing.holders.map(|h| parts.of(h, fragment_of)), &place(&crossing.at), key);
    }
    for triple in &skin.triples {
        let mut nodes = asset.solid().skin()[triple.triangle as usize].nodes;
        nodes.sort_unstable();
        let key = key_where_cells_meet(&nodes, &triple.cells, generation);
        samples.push_for_all(&triple.holders.map(|h| parts.of(h, fragment_of)), &place(&triple.at), key);
    }
    for (vertex, number) in lines.vertices.iter().zip(0..) {
        let found = asset.ground().locator.find(&vertex.at.cast());
        let nodes = found.map_or([NONE; 4], |found| asset.solid().tets()[found.tet as usize]);
        let key = key_where_cells_meet(&nodes, &vertex.cells, generation);
        let pieces: [u32; 4] = std::array::from_fn(|k| parts.of_vertex(number, k));
        samples.push_for_all(&pieces, &place(&vertex.at), key);
    }
    for stretch in &lines.stretches {
        let pieces = parts.along(stretch, (skin, lines), fragment_of);
        let count = ((stretch.at[1] - stretch.at[0]).norm() / samples.apart).ceil() as usize;
        for k in 1..=count {
            if let Some((nodes, at)) = on_face(object, stretch, k as f64 / (count + 1) as f64) {
                samples.push_for_all(&pieces, &place(&at), key_where_cells_meet(&nodes, &stretch.cells, generation));
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
    samples.grouped(object, parts.cells.len())
}

/// Where a line crosses a face of the mesh near a place along a stretch of it, and the nodes of the face; `None` if it does not there.
fn on_face(object: &Object, stretch: &Stretch, share: f64) -> Option<([u32; 3], Vector)> {
    let asset = object.asset();
    let way = stretch.at[1] - stretch.at[0];
    let from = stretch.at[0] + way * share;
    let tet = asset.ground().locator.find(&from.cast())?.tet;
    let [a, b, c, d] = asset.solid().corners(tet).map(|p| p - asset.centre());
    let to_weights = Matrix3::from_columns(&[b - a, c - a, d - a]).try_inverse()?;
    let (at, along) = (to_weights * (from - a), to_weights * way);
    let (at, along) = ([1.0 - at.sum(), at.x, at.y, at.z], [-along.sum(), along.x, along.y, along.z]);
    // Where it leaves the tetrahedron.
    let ends = (0..4).filter(|k| along[*k] < 0.0).map(|k| (-at[k] / along[k], k));
    let (end, opposite) = ends.reduce(|first, next| if next.0 < first.0 { next } else { first })?;
    let is_between =
        end + share > 0.0 && end + share < 1.0 && matches!(asset.solid().across(tet, opposite), Across::Tet(_));
    let nodes = asset.solid().tets()[tet as usize];
    let mut own = (0..4).filter(|k| *k != opposite).map(|k| nodes[k]);
    is_between.then(|| (std::array::from_fn(|_| own.next().unwrap_or(NONE)), from + way * end))
}
