//! A piggy bank: hollow, with a slot for coins from the back into the cavity, so that its surface is one piece without
//! handles. z up, looking along x, on the ground z = 0.

use super::figure::{self, Figure};
use super::implicit::{ball, block, cone, disc, ellipsoid, union, without};
use crate::geom::aabb::Aabb;
use crate::geom::pinned::{cos, sin};
use crate::geom::{Point, Vector};
use crate::solid::Solid;

/// A piggy bank, 28 cm long, with edges of about `edge` metres at its surface and up to `coarsening` times as long inside.
/// Its wall is `WALL` thick, and so wide is the slot.
pub fn piggy_bank(edge: f64, coarsening: f64) -> Solid {
    figure::filled(&Figure { distance: &piggy_bank_distance, bounds: BOUNDS, edge, coarsening })
}

/// A box that holds it, with some room.
pub(super) const BOUNDS: Aabb = Aabb { min: Point::new(-0.14, -0.085, -0.005), max: Point::new(0.155, 0.085, 0.19) };

/// Thickness of the wall in centimetres.
const WALL: f64 = 1.3;

/// Signed distance to the piggy bank, negative inside.
pub fn piggy_bank_distance(p: &Point) -> f64 {
    // Modelled in centimetres, one side only but for the tail.
    let whole = Point::new(100.0 * p.x, 100.0 * p.y, 100.0 * p.z);
    let p = Point::new(whole.x, whole.y.abs(), whole.z);
    let hull = hull(&p);
    let mut pig = union(hull, legs(&p), 1.2);
    pig = union(pig, snout(&p), 0.8);
    pig = union(pig, ear(&p), 0.6);
    pig = union(pig, tail(&whole), 0.5);
    // Only the hull is hollow: what stands out from it is solid.
    let hollow = without(pig, hull + WALL, 0.3);
    let slot = block(&p, [-1.0, 0.0, 16.0], [2.6, 0.55, 4.0], 0.45);
    0.01 * without(hollow, slot, 0.4)
}

/// Body and head.
fn hull(p: &Point) -> f64 {
    let body = ellipsoid(p, [-1.5, 0.0, 8.8], [10.2, 6.9, 6.6]);
    let head = ball(p, [7.3, 0.0, 9.8], 4.7);
    union(body, head, 2.5)
}

fn legs(p: &Point) -> f64 {
    let front = cone(p, [[4.0, 3.6, 5.0], [4.9, 4.0, 1.6]], [2.4, 1.9]);
    let hind = cone(p, [[-6.6, 3.6, 5.0], [-7.4, 4.0, 1.6]], [2.6, 1.9]);
    // Level soles.
    -union(-front.min(hind), p.z - 0.6, 0.5)
}

fn snout(p: &Point) -> f64 {
    let nostril = ball(p, [14.1, 1.3, 9.3], 0.75);
    without(disc(p, [12.0, 0.0, 9.2], 0, 2.9, 2.0, 0.7), nostril, 0.4)
}

fn ear(p: &Point) -> f64 {
    // A leaf that stands up and leans forwards and outwards: an ellipsoid in a frame of its own.
    let root = Point::new(7.4, 2.6, 13.4);
    let up = Vector::new(0.45, 0.6, 1.0).normalize();
    let front = Vector::new(1.0, 0.35, 0.0);
    let front = (front - up * up.dot(&front)).normalize();
    let side = up.cross(&front);
    let offset = p - root;
    let local = Point::new(offset.dot(&front), offset.dot(&side), offset.dot(&up));
    ellipsoid(&local, [0.0, 0.0, 0.6], [0.95, 2.0, 2.9])
}

/// A curl that does not close.
fn tail(p: &Point) -> f64 {
    let turn = |t: f64| {
        let angle = 5.2 * t;
        [-11.2 - 1.9 * t, 1.3 * sin(angle), 10.6 + 1.3 * (1.0 - cos(angle))]
    };
    let steps = 16;
    let piece = |k: usize| [turn(k as f64 / steps as f64), turn((k + 1) as f64 / steps as f64)];
    (0..steps).map(|k| cone(p, piece(k), [0.75; 2])).fold(f64::INFINITY, f64::min)
}
