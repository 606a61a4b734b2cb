//! Surfaces without the artist's seams: one vertex a place, whatever the format doubled.

use crate::read::Surface;
use std::collections::HashMap;

/// A surface without the artist's doubled vertices.
pub struct Welded {
    /// Positions, in the order in which triangles name them first.
    pub points: Vec<[f64; 3]>,
    /// Triangles with three different corners, in the order of the file.
    pub triangles: Vec<[u32; 3]>,
    /// Triangles that have no area because two of their corners are at one place.
    pub dropped: usize,
}

/// Joins vertices at the same place, bit for bit.
pub fn weld(surface: &Surface) -> Welded {
    let mut numbers: HashMap<[u64; 3], u32> = HashMap::new();
    let mut welded = Welded { points: vec![], triangles: vec![], dropped: 0 };
    for triangle in &surface.triangles {
        let places = triangle.map(|corner| surface.points.get(corner as usize).copied().unwrap_or_default());
        let keys = places.map(|p| p.map(|c| (c + 0.0).to_bits())); // adding zero makes one zero of the two
        if keys[0] == keys[1] || keys[1] == keys[2] || keys[2] == keys[0] {
            welded.dropped += 1;
            continue;
        }
        let corners = [0, 1, 2].map(|k| {
            *numbers.entry(keys[k]).or_insert_with(|| {
                welded.points.push(places[k]);
                welded.points.len() as u32 - 1
            })
        });
        welded.triangles.push(corners);
    }
    welded
}

impl Welded {
    /// The volume that it encloses; negative if it is inside out.
    pub fn volume(&self) -> f64 {
        let at = |k: u32| nalgebra::Vector3::from(self.points[k as usize]);
        let Some(first) = self.points.first() else {
            return 0.0;
        };
        let origin = nalgebra::Vector3::from(*first);
        let parts = self.triangles.iter().map(|t| {
            let [a, b, c] = t.map(|k| at(k) - origin);
            a.cross(&b).dot(&c) / 6.0
        });
        parts.sum()
    }
}
