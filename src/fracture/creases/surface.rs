//! The creases of a piece whose cracks are not planes: edges of its closed surface.

use super::Segment;
use crate::solid::rises::{rise, unit_normal};
use crate::solid::surface::Surface;

/// The edges of a closed surface that rise by so much at least.
pub fn of_surface(surface: &Surface, least: f64) -> Vec<Segment> {
    let at = |k: u32| surface.vertices[k as usize];
    let mut sides: Vec<(u32, u32, u32)> = vec![];
    for (triangle, number) in surface.triangles.iter().zip(0..) {
        let [a, b, c] = triangle.corners;
        sides.extend([(a, b), (b, c), (c, a)].map(|(a, b)| (a.min(b), a.max(b), number)));
    }
    sides.sort_unstable();
    let mut segments = vec![];
    for run in sides.chunk_by(|p, q| (p.0, p.1) == (q.0, q.1)) {
        let ends = [at(run[0].0), at(run[0].1)];
        let rise = match run {
            [first, second] => {
                let corners = [first.2, second.2].map(|t| surface.triangles[t as usize].corners);
                let third = corners[1].into_iter().find(|c| ![run[0].0, run[0].1].contains(c)).unwrap_or(run[0].0);
                let normals = corners.map(|corners| unit_normal(&corners.map(at)));
                rise((ends[1] - ends[0]).norm(), &normals, &(at(third) - ends[0]))
            }
            // Several sheets meet: whatever the angle.
            _ => (ends[1] - ends[0]).norm(),
        };
        if rise >= least {
            segments.push(ends);
        }
    }
    segments
}
