//! How much convex edges of a surface stand out.
//!
//! If two such edges cross, each of length h with an angle θ between the normals beside it, bodies overlap by no more than h/2 tan(θ/2)
//! before an end of one is inside the other: the *rise* of an edge.

use super::Solid;
use crate::geom::{Point, Vector};

/// The rise of an edge between two triangles, given by unit normals: 0 if it is concave. `beside` is a vector from a point of the edge to
/// the third corner of the second triangle.
pub fn rise(length: f64, normals: &[Vector; 2], beside: &Vector) -> f64 {
    if normals[0].dot(beside) >= 0.0 {
        return 0.0;
    }
    let cos = normals[0].dot(&normals[1]).clamp(-1.0, 1.0);
    // Of half the angle. A knife's edge counts as one of 170 degrees.
    0.5 * length * ((1.0 - cos) / (1.0 + cos).max(0.0076)).sqrt()
}

/// The normal of a triangle; zero if it has no area.
pub fn unit_normal([a, b, c]: &[Point; 3]) -> Vector {
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default()
}

/// The rise of each edge of the skin of a solid.
pub fn of_skin(solid: &Solid) -> Vec<f32> {
    let corners = |t: usize| solid.skin()[t].nodes.map(|n| solid.nodes()[n as usize]);
    let mut beside = vec![[usize::MAX; 2]; solid.skin_edges().len()];
    let mut rises = vec![0.0f32; beside.len()];
    for (t, sides) in solid.skin_sides().iter().enumerate() {
        for side in sides.map(|side| side as usize) {
            match &mut beside[side] {
                [first, _] if *first == usize::MAX => *first = t,
                [_, second] if *second == usize::MAX => *second = t,
                // Several sheets meet: whatever the angle.
                _ => rises[side] = solid.edge_length(&solid.skin_edges()[side]) as f32,
            }
        }
    }
    for (side, [first, second]) in beside.into_iter().enumerate().filter(|(_, [_, second])| *second != usize::MAX) {
        let edge = &solid.skin_edges()[side];
        let triangles = [first, second].map(corners);
        let third = solid.skin()[second].nodes.iter().find(|n| !edge.contains(n)).map_or(edge[0], |n| *n);
        let across = solid.nodes()[third as usize] - solid.nodes()[edge[0] as usize];
        let rise = rise(solid.edge_length(edge), &triangles.each_ref().map(unit_normal), &across) as f32;
        rises[side] = rises[side].max(rise);
    }
    rises
}
