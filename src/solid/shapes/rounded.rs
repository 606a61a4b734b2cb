//! Shapes with curved sides, bent from blocks.

use super::lattice::{Axis, Cut, lattice, round};
use crate::geom::pinned::{cos, hypot, sin};
use crate::solid::Solid;
use std::f64::consts::{FRAC_PI_2, PI};

/// A ball around the origin, `cells` cubes across.
pub fn ball(radius: f64, cells: usize) -> Solid {
    let n = cells.next_multiple_of(2);
    lattice([n; 3], [Axis::Mirrored; 3], |_| Cut::Six, |u| round(u).map(|c| radius * c))
}

/// A ball that is finer inside than at its surface: below the outer layer every cube has a node in its middle.
pub fn dense_ball(radius: f64, cells: usize) -> Solid {
    let n = cells.next_multiple_of(2);
    let cut = |c: [usize; 3]| if c.iter().any(|c| *c == 0 || *c == n - 1) { Cut::Six } else { Cut::Twelve };
    lattice([n; 3], [Axis::Mirrored; 3], cut, |u| round(u).map(|c| radius * c))
}

/// A ball with a closed cavity; the wall is `wall` cubes thick, a whole ball would be `cells` across.
pub fn hollow_ball(radius: f64, cells: usize, wall: usize) -> Solid {
    let n = cells.next_multiple_of(2);
    let is_wall = |c: usize| c < wall || c >= n - wall.min(n);
    let cut = |c: [usize; 3]| if c.iter().any(|c| is_wall(*c)) { Cut::Six } else { Cut::Out };
    lattice([n; 3], [Axis::Mirrored; 3], cut, |u| round(u).map(|c| radius * c))
}

/// A ring around the z axis: `around` cubes along it, `across` through it.
pub fn torus(radius: f64, tube: f64, around: usize, across: usize) -> Solid {
    let n = across.next_multiple_of(2);
    lattice(
        [around.max(3), n, n],
        [Axis::Ring, Axis::Mirrored, Axis::Mirrored],
        |_| Cut::Six,
        |u| {
            let [s, t, _] = round([u[1], u[2], 0.0]);
            let angle = (u[0] + 1.0) * PI;
            let distance = radius + tube * s;
            [distance * cos(angle), distance * sin(angle), tube * t]
        },
    )
}

/// A dinner plate, z up: a flat middle, a wall that rises from half the radius on, and a rim. Equally thick everywhere.
/// One layer of cubes, `cells` across, so that it has no node inside.
pub fn plate(radius: f64, thickness: f64, cells: usize) -> Solid {
    let n = cells.next_multiple_of(2);
    lattice(
        [n, n, 1],
        [Axis::Mirrored, Axis::Mirrored, Axis::Plain],
        |_| Cut::Six,
        |u| {
            let [x, y, _] = round([u[0], u[1], 0.0]);
            let share = hypot(x, y);
            let (height, slope) = plate_profile(share);
            let steep = hypot(slope, 1.0);
            let (out, up) = (-slope / steep * 0.5 * thickness * u[2], 0.5 * thickness * u[2] / steep);
            // The slope is zero in the middle, so there is no way out to be found there.
            let stretch = if share > 0.0 { radius + out / share } else { radius };
            [x * stretch, y * stretch, radius * height + up]
        },
    )
}

/// Height and slope of a plate's middle surface at a share of its radius, in radii. The rim ends level, so the plate is no
/// wider than its radius says.
fn plate_profile(share: f64) -> (f64, f64) {
    let rise = |from: f64, to: f64| {
        let t = ((share - from) / (to - from)).clamp(0.0, 1.0);
        (t * t * (3.0 - 2.0 * t), 6.0 * t * (1.0 - t) / (to - from))
    };
    let (wall, rim) = (rise(0.5, 0.8), rise(0.75, 1.0));
    (0.13 * wall.0 + 0.04 * rim.0, 0.13 * wall.1 + 0.04 * rim.1)
}

/// The lower half of a hollow ball, z up, with a flat rim at z = 0: `cells` cubes across, `layers` through the wall.
pub fn bowl(radius: f64, wall: f64, cells: usize, layers: usize) -> Solid {
    let n = cells.next_multiple_of(2);
    lattice(
        [n, n, layers],
        [Axis::Mirrored, Axis::Mirrored, Axis::Plain],
        |_| Cut::Six,
        |u| {
            let [x, y, _] = round([u[0], u[1], 0.0]);
            let share = hypot(x, y);
            let (sine, cosine) = (sin(FRAC_PI_2 * share), cos(FRAC_PI_2 * share));
            let distance = radius - 0.5 * wall * (1.0 + u[2]);
            let stretch = if share > 0.0 { distance * sine / share } else { 0.0 };
            // At the rim itself the cosine is rounding only.
            [x * stretch, y * stretch, if share < 1.0 - 1e-12 { -distance * cosine } else { 0.0 }]
        },
    )
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Volume of a plate: thickness times the area of its middle surface. The rest of Steiner's formula is the total
    /// curvature of that surface, which is zero, since middle and rim are level.
    pub fn plate_volume(radius: f64, thickness: f64) -> f64 {
        let steps = 10_000;
        let ring = |k: usize| {
            let share = (k as f64 + 0.5) / steps as f64;
            2.0 * PI * share * plate_profile(share).1.hypot(1.0) / steps as f64
        };
        thickness * radius * radius * (0..steps).map(ring).sum::<f64>()
    }
}
