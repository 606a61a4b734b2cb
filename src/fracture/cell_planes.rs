//! The planes that cut pieces out of the original body (docs/formulations/exact-cells.md): those on which a piece has a
//! face, and those that cut its box and say what is not part of it. The count does not grow with generations: what no longer
//! cuts the box is dropped.

use super::envelope::Envelope;
use super::faces::Face;
use crate::body::Object;
use crate::crack::breaks::{CellPlane, Kind, Piece, box_planes};
use crate::geom::NONE;
use crate::geom::aabb::Aabb;
use crate::geom::plane::Plane;

/// Adds the planes of all pieces that planes made; `faces` are ascending.
pub fn add(object: &Object, envelope: &Envelope, faces: &[Face], pieces: &mut [Piece], planes: &mut Vec<CellPlane>) {
    let before = drawn_before(object);
    let by_planes = pieces.iter().all(|piece| piece.kind.is_made_of_planes());
    let overhang = object.asset().drawing().map(|binding| drawn_beyond(object, binding.overhang()));
    let (mut near, mut cutting) = (vec![], None);
    for (number, piece) in pieces.iter_mut().enumerate() {
        if !piece.kind.is_made_of_planes() {
            let first = planes.len();
            planes.extend_from_slice(&before);
            (piece.planes, piece.drawn) = (first..first, first..planes.len());
            continue;
        }
        let start = faces.partition_point(|face| face.piece < number as u32);
        let end = faces.partition_point(|face| face.piece <= number as u32);
        let own = &faces[start..end];
        let across = |generation: u32, cells: [u32; 2]| {
            let start = own.partition_point(|face| (face.generation, face.cells) < (generation, cells));
            let mut found = own[start..].iter().take_while(|face| (face.generation, face.cells) == (generation, cells));
            let first = found.next().map(|face| face.across);
            let others = found.any(|face| Some(face.across) != first);
            (first.is_some(), if others { NONE } else { first.unwrap_or(NONE) })
        };
        let first = planes.len();
        let bounds = piece.bounds.grown(overhang.unwrap_or(0.0));
        let mut drawn = vec![];
        let mut offer = |plane: Plane, generation: u32, cells: [u32; 2]| {
            let (has_face, neighbour) = across(generation, cells);
            let made = CellPlane { plane, has_face, neighbour, generation, cells };
            if has_face || cuts(&plane, &piece.bounds) {
                planes.push(made);
            } else if overhang.is_some() && cuts(&plane, &bounds) {
                drawn.push(made);
            }
        };
        for old in object.planes().iter().chain(cutting_drawn(object)) {
            offer(old.plane, old.generation, old.cells);
        }
        let generation = envelope.generation;
        let cutting = cutting.get_or_insert_with(|| envelope.cutting(&object.bounds().grown(overhang.unwrap_or(0.0))));
        envelope.cells_cutting(cutting, piece.cell, &bounds, &mut near);
        for &other in &near {
            if envelope.has_levels() {
                if let Some(plane) = envelope.plane([other, NONE]) {
                    // Where its centre is, its cell is: that is convex.
                    let above = plane.distance(&piece.mass.centre) > 0.0;
                    offer(if above { plane.flipped() } else { plane }, generation, [other, NONE]);
                }
            } else if other != piece.cell {
                let cells = [piece.cell.min(other), piece.cell.max(other)];
                if let Some(plane) = envelope.plane(cells) {
                    offer(if piece.cell > other { plane.flipped() } else { plane }, generation, cells);
                }
            }
        }
        piece.planes = first..planes.len();
        match overhang.is_some() && by_planes {
            true => planes.extend(drawn.into_iter().chain(box_planes(&bounds))),
            false => planes.extend_from_slice(&before),
        }
        piece.drawn = piece.planes.end..planes.len();
    }
}

/// How far what is drawn of a piece may reach out of its box: the mesh is a little outside of the solid, and a plane that just grazes the
/// body cuts off more of it.
fn drawn_beyond(object: &Object, overhang: f64) -> f64 {
    let radius = object.asset().radius();
    overhang + (2.0 * radius * overhang).sqrt() + 1e-6 * radius
}

/// The planes that cut only what is drawn of an object. If it was not drawn by planes, it has those of an ancestor there, which are among
/// its own.
fn cutting_drawn(object: &Object) -> impl Iterator<Item = &CellPlane> {
    let drawn = match object.made_by().is_made_of_planes() {
        true => object.made_by().drawn_planes_of(object.piece_number()),
        false => &[],
    };
    drawn.iter().filter(|plane| plane.generation != NONE)
}

/// The planes that fragments of an object are drawn within if planes did not make all of them: those of the last ancestor that was drawn
/// by planes.
fn drawn_before(object: &Object) -> Vec<CellPlane> {
    if object.asset().drawing().is_none() {
        return vec![];
    }
    let drawn = object.made_by().drawn_planes_of(object.piece_number());
    if !object.made_by().is_made_of_planes() {
        return drawn.to_vec();
    }
    let no_longer_across = |plane: &CellPlane| CellPlane { neighbour: NONE, ..*plane };
    object.planes().iter().chain(drawn).map(no_longer_across).collect()
}

/// Whether something of a box is beyond a plane. What is not does not matter: points of the piece are in its box.
fn cuts(plane: &Plane, bounds: &Aabb) -> bool {
    let reach = plane.normal.abs().dot(&(bounds.size() * 0.5));
    plane.distance(&bounds.centre()) + reach > 0.0
}

/// Which of some parts of cells, given with their cells and boxes, are all of the body within their cell and their box: those whose box no
/// other part of the cell reaches into, nor what is drawn of it.
pub fn are_alone(object: &Object, parts: &[(u32, Aabb)]) -> Vec<bool> {
    let binding = object.asset().drawing();
    let room = binding.map_or(1e-6 * object.asset().radius(), |binding| drawn_beyond(object, binding.overhang()));
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|k| parts[*k].0);
    let mut alone = vec![true; parts.len()];
    for own in order.chunk_by(|a, b| parts[*a].0 == parts[*b].0).filter(|own| own.len() > 1) {
        for &k in own {
            let around = parts[k].1.grown(2.0 * room);
            alone[k] = own.iter().all(|other| *other == k || !around.meets(&parts[*other].1));
        }
    }
    alone
}

/// What a piece is made of, given what the object was, and whether it was joined or shares its cell and its box.
pub fn kind(object: &Object, envelope: &Envelope, is_union: bool, is_alone: bool) -> Kind {
    let own = match (envelope.is_flat, is_union, is_alone) {
        (false, ..) => Kind::Rough,
        (true, true, _) => Kind::Union,
        (true, false, false) => Kind::PartOfCell,
        (true, false, true) => Kind::Cell,
    };
    own.max(object.piece().kind)
}
