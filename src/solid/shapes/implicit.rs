//! Signed distances to simple bodies, negative inside, and their smooth unions: what figures are modelled from.
//!
//! Near the surface they are the distance, but where parts melt into each other; elsewhere they are close to it.

use crate::geom::pinned::hypot;
use crate::geom::{Point, Vector};

/// A ball.
pub fn ball(p: &Point, centre: [f64; 3], radius: f64) -> f64 {
    (p - Point::from(centre)).norm() - radius
}

/// An ellipsoid along the axes; exact at its surface, to first order. Nowhere deeper than its smallest radius.
pub fn ellipsoid(p: &Point, centre: [f64; 3], radii: [f64; 3]) -> f64 {
    let (offset, radii) = (p - Point::from(centre), Vector::from(radii));
    let scaled = offset.component_div(&radii);
    let slope = scaled.component_div(&radii).norm();
    let size = scaled.norm();
    if slope > 0.0 { (size * (size - 1.0) / slope).max(-radii.min()) } else { -radii.min() }
}

/// Two balls and the cone around both.
pub fn cone(p: &Point, ends: [[f64; 3]; 2], radii: [f64; 2]) -> f64 {
    let [a, b] = ends.map(Point::from);
    let axis = b - a;
    let length = axis.norm();
    let narrowing = (radii[0] - radii[1]) / length;
    let offset = p - a;
    let along = offset.dot(&axis) / length;
    let aside = (offset.norm_squared() - along * along).max(0.0).sqrt();
    // The cone touches the balls where its straight side is upright on their radii.
    let upright = (1.0 - narrowing * narrowing).max(0.0).sqrt();
    let foot = along * upright - aside * narrowing;
    if foot < 0.0 {
        offset.norm() - radii[0]
    } else if foot > length * upright {
        (p - b).norm() - radii[1]
    } else {
        aside * upright + along * narrowing - radii[0]
    }
}

/// A bar along an axis of the frame: a round disc of some half-length, its rim rounded off.
pub fn disc(p: &Point, centre: [f64; 3], axis: usize, radius: f64, half: f64, rounding: f64) -> f64 {
    let offset = p - Point::from(centre);
    let along = offset[axis].abs();
    let aside = (offset.norm_squared() - along * along).max(0.0).sqrt();
    let out = [aside - (radius - rounding), along - (half - rounding)];
    hypot(out[0].max(0.0), out[1].max(0.0)) + out[0].max(out[1]).min(0.0) - rounding
}

/// A box with rounded edges.
pub fn block(p: &Point, centre: [f64; 3], half: [f64; 3], rounding: f64) -> f64 {
    let offset = (p - Point::from(centre)).abs();
    let out = offset - Vector::from(half).add_scalar(-rounding);
    out.map(|c| c.max(0.0)).norm() + out.max().min(0.0) - rounding
}

/// Both bodies, melted together where they are nearer to each other than `blend`.
pub fn union(a: f64, b: f64, blend: f64) -> f64 {
    let near = (blend - (a - b).abs()).max(0.0);
    a.min(b) - near * near / (4.0 * blend)
}

/// The first body without the second, the edge between them rounded over `blend`.
pub fn without(a: f64, b: f64, blend: f64) -> f64 {
    -union(-a, b, blend)
}
