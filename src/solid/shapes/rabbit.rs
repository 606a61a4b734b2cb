//! A rabbit that sits: one body of smooth parts, z up, looking along x, on the ground z = 0.

use super::figure::{self, Figure};
use super::implicit::{ball, cone, ellipsoid, union};
use crate::geom::aabb::Aabb;
use crate::geom::pinned::powi;
use crate::geom::{Point, Vector};
use crate::solid::Solid;

/// A rabbit that sits, 15 cm tall, with edges of about `edge` metres at its surface and up to `coarsening` times as long
/// inside. Ears are 14 mm thick and more, so edges should not be longer than 5 mm.
pub fn rabbit(edge: f64, coarsening: f64) -> Solid {
    figure::filled(&Figure { distance: &rabbit_distance, bounds: BOUNDS, edge, coarsening })
}

/// A box that holds it, with some room.
pub(super) const BOUNDS: Aabb = Aabb { min: Point::new(-0.075, -0.05, -0.005), max: Point::new(0.085, 0.05, 0.16) };

/// Signed distance to the rabbit, negative inside.
pub fn rabbit_distance(p: &Point) -> f64 {
    // Modelled in centimetres, one side only.
    let p = Point::new(100.0 * p.x, 100.0 * p.y.abs(), 100.0 * p.z);
    let body = union(torso(&p), hind_leg(&p), 0.9);
    let body = union(body, front_leg(&p), 0.9);
    let body = union(body, ball(&p, [-6.0, 0.0, 2.6], 1.35), 0.5);
    let body = union(body, head(&p), 1.0);
    0.01 * union(body, ear(&p), 0.7)
}

fn torso(p: &Point) -> f64 {
    let rump = ellipsoid(p, [-2.4, 0.0, 4.0], [3.8, 3.3, 3.9]);
    let chest = cone(p, [[0.2, 0.0, 5.3], [2.6, 0.0, 5.6]], [3.0, 2.0]);
    let neck = cone(p, [[1.9, 0.0, 6.2], [3.4, 0.0, 8.3]], [1.9, 1.6]);
    union(union(rump, chest, 2.0), neck, 1.2)
}

fn hind_leg(p: &Point) -> f64 {
    let thigh = ellipsoid(p, [-1.7, 2.5, 2.9], [2.6, 1.4, 2.4]);
    let foot = cone(p, [[-1.8, 3.0, 0.95], [1.1, 3.3, 0.85]], [0.95, 0.85]);
    union(thigh, foot, 0.6)
}

fn front_leg(p: &Point) -> f64 {
    let leg = cone(p, [[2.8, 1.25, 4.6], [3.7, 1.3, 1.2]], [1.35, 0.85]);
    let paw = cone(p, [[3.8, 1.3, 0.85], [4.6, 1.35, 0.85]], [0.85, 0.85]);
    union(leg, paw, 0.4)
}

fn head(p: &Point) -> f64 {
    let skull = ellipsoid(p, [4.0, 0.0, 8.9], [2.4, 2.0, 2.1]);
    let muzzle = ellipsoid(p, [5.8, 0.0, 8.1], [1.35, 1.15, 1.0]);
    let cheek = ball(p, [4.7, 1.0, 8.0], 1.15);
    union(union(skull, muzzle, 0.9), cheek, 0.8)
}

/// A leaf that leans back and outwards: a rod, pulled wide, less so towards the tip. Nowhere thinner than the rod.
fn ear(p: &Point) -> f64 {
    let root = Point::new(3.1, 1.0, 10.0);
    let up = Vector::new(-0.42, 0.2, 1.0).normalize();
    let front = Vector::new(0.9, -0.45, 0.0);
    let front = (front - up * up.dot(&front)).normalize();
    let side = up.cross(&front);
    let offset = p - root;
    let (across, along) = (offset.dot(&side), offset.dot(&up));
    let half_width = 0.55 * (1.0 - powi((along - 2.4) / 3.4, 2)).max(0.0);
    let local = Point::new(offset.dot(&front), (across.abs() - half_width).max(0.0), along);
    cone(&local, [[0.0; 3], [0.0, 0.0, 4.9]], [0.78, 0.72])
}
