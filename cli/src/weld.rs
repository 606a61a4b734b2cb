//! Surfaces as the fill wants them: one vertex a place, closed, and not inside out.

use crate::read::Surface;
use std::collections::HashMap;

/// A surface without the artist's doubled vertices.
pub struct Welded {
    /// Positions, in the order in which triangles name them first.
    pub points: Vec<[f64; 3]>,
    /// Triangles with three different corners, in the order of the file.
    pub triangles: Vec<[u32; 3]>,
    /// What each was in the file.
    pub sources: Vec<u32>,
    /// Triangles that have no area because two of their corners are at one place.
    pub dropped: usize,
}

/// Joins vertices at the same place, bit for bit.
pub fn weld(surface: &Surface) -> Welded {
    let mut numbers: HashMap<[u64; 3], u32> = HashMap::new();
    let mut welded = Welded { points: vec![], triangles: vec![], sources: vec![], dropped: 0 };
    for (triangle, source) in surface.triangles.iter().zip(0..) {
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
        welded.sources.push(source);
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

    /// An edge that is not passed as often in one direction as in the other: a triangle of the file beside it, and its ends.
    pub fn open_edge(&self) -> Option<(u32, [[f64; 3]; 2])> {
        let mut balance: HashMap<[u32; 2], i64> = HashMap::new();
        let sides = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        for [a, b] in self.triangles.iter().flat_map(sides) {
            *balance.entry([a.min(b), a.max(b)]).or_default() += if a < b { 1 } else { -1 };
        }
        let open = |[a, b]: &[u32; 2]| balance.get(&[*a.min(b), *a.max(b)]).is_some_and(|n| *n != 0);
        self.triangles.iter().zip(&self.sources).find_map(|(triangle, source)| {
            let edge = sides(triangle).into_iter().find(open)?;
            Some((*source, edge.map(|k| self.points[k as usize])))
        })
    }
}
