//! The mass of pieces from what bounds them: signed tetrahedra between a point of each and its surface.
//!
//! What a piece has of a plane need not be known for that: it is the sum of triangles between the foot of the point on the plane and the rim,
//! which is skin, or lines where three cells meet.

use super::cells::Cells;
use super::lines::Lines;
use super::parts::Parts;
use super::skin::CutSkin;
use crate::body::Object;
use crate::geom::Vector;
use crate::geom::aabb::Aabb;
use crate::geom::moments::{CornerTets, MassProperties, Moments};

/// How far the volumes may be off the volume of the object, as a share of it: far more than rounding, far less than anything that is missed.
const ADDS_UP: f64 = 1e-10;

/// The masses of all pieces, given those of nodes, their cells, and the boxes; `None` if they do not add up to that of the object.
pub fn weigh(
    object: &Object,
    cells: &Cells,
    (skin, lines): (&CutSkin, &Lines),
    parts: &Parts,
    (of_node, cell_of): (&[u32], &[u32]),
    bounds: &[Aabb],
) -> Option<Vec<MassProperties>> {
    let asset = object.asset();
    let solid = asset.solid();
    let origins: Vec<Vector> = bounds.iter().map(|bounds| bounds.centre() - asset.centre()).collect();
    let mut sums = CornerTets::new(origins.len());
    let mut add =
        |piece: u32, corners: [Vector; 3]| sums.add(piece, corners.map(|corner| corner - origins[piece as usize]));
    for triangle in solid.skin() {
        // A cell is convex: with three corners it has all of a triangle.
        let [a, b, c] = triangle.nodes.map(|n| cell_of[n as usize]);
        if a == b && b == c {
            add(
                of_node[triangle.nodes[0] as usize],
                triangle.nodes.map(|n| solid.nodes()[n as usize] - asset.centre()),
            );
        }
    }
    for part in &skin.parts {
        add(parts.of(part.holder, of_node), part.corners);
    }
    // What is between a face and a stretch of its rim: counter-clockwise seen from across.
    let mut add_rim = |piece: u32, [own, across]: [u32; 2], [from, to]: [Vector; 2]| {
        let origin = origins[piece as usize];
        add(piece, [origin + cells.way_out(own, across, &origin), from, to]);
    };
    for rim in &skin.rims {
        let ([a, b], [p, q]) = (rim.cells, rim.ends);
        let [own, other] = rim.holders.map(|holder| parts.of(holder, of_node));
        // What is within a piece bounds nothing.
        if own != other {
            add_rim(other, [b, a], [p, q]);
            add_rim(own, [a, b], [q, p]);
        }
    }
    for stretch in &lines.stretches {
        let [p, q] = stretch.at;
        let pieces = parts.along(stretch, (skin, lines), of_node);
        for (own, &piece) in pieces.iter().enumerate() {
            // Around the line in its direction the cells come in their order.
            let [cell, next, last] = [0, 1, 2].map(|k| stretch.cells[(own + k) % 3]);
            if piece != pieces[(own + 1) % 3] {
                add_rim(piece, [cell, next], [p, q]);
            }
            if piece != pieces[(own + 2) % 3] {
                add_rim(piece, [cell, last], [q, p]);
            }
        }
    }
    let sums = sums.finished();
    let volume: f64 = sums.iter().map(|sum| sum.volume).sum();
    let whole = object.mass().volume;
    let is_right = (volume - whole).abs() <= ADDS_UP * whole; // false for NaN
    let mass = |(sum, origin): (&Moments, &Vector)| sum.mass(&(asset.centre() + origin), asset.density());
    is_right.then(|| sums.iter().zip(&origins).map(mass).collect())
}
