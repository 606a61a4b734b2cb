//! What drawings are measured by.

use fracas::Point;
use fracas::fracture::drawing::Drawing;
use std::collections::HashMap;

/// The corners of a triangle of a drawing.
pub fn places(drawing: &Drawing, corners: [u32; 3]) -> [Point; 3] {
    corners.map(|c| drawing.vertices[c as usize].position)
}

/// The volume that a drawing encloses.
pub fn volume(drawing: &Drawing) -> f64 {
    let origin = drawing.vertices[0].position;
    let flux = |[a, b, c]: [Point; 3]| (a - origin).dot(&(b - origin).cross(&(c - origin))) / 6.0;
    drawing.triangles.iter().map(|t| flux(places(drawing, t.corners))).sum()
}

/// Directed edges without an opposite one, vertices of equal position being one.
pub fn open_edges(drawing: &Drawing) -> usize {
    let mut numbers = HashMap::new();
    let mut number = |p: Point| {
        let next = numbers.len() as u32;
        *numbers.entry([p.x, p.y, p.z].map(|c| (c + 0.0).to_bits())).or_insert(next)
    };
    let mut balance: HashMap<(u32, u32), i32> = HashMap::new();
    for t in &drawing.triangles {
        let corners = places(drawing, t.corners).map(&mut number);
        for k in 0..3 {
            let (u, v) = (corners[k], corners[(k + 1) % 3]);
            if u != v {
                *balance.entry((u.min(v), u.max(v))).or_insert(0) += if u < v { 1 } else { -1 };
            }
        }
    }
    balance.values().filter(|b| **b != 0).count()
}
