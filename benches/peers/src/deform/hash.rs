//! Spatial hashing (Teschner et al. 2003): a uniform grid of cells as large as the mean edge, hashed into a table of buckets. A triangle
//! is in the buckets of all cells that its box touches.

use super::boxes::{Box6, Tree};
use super::world::Merged;
use crate::cpp::bridge::Pair;

#[derive(Default)]
pub struct SpatialHash {
    /// Over the size of a cell.
    scale: f32,
    mask: u32,
    /// Where each bucket begins, and the triangles in it.
    starts: Vec<u32>,
    triangles: Vec<u32>,
}

type Cell = [i32; 3];

impl SpatialHash {
    fn cell(&self, corner: &[f32]) -> Cell {
        [0, 1, 2].map(|k| (corner[k] * self.scale).floor() as i32)
    }

    /// The paper's function.
    fn bucket(&self, cell: Cell) -> u32 {
        let [x, y, z] = cell.map(|c| c as u32);
        (x.wrapping_mul(73_856_093) ^ y.wrapping_mul(19_349_663) ^ z.wrapping_mul(83_492_791)) & self.mask
    }

    /// Calls `f` with the buckets of a box; the same one several times if cells collide in it.
    fn buckets(&self, b: &Box6, mut f: impl FnMut(u32)) {
        let (low, high) = (self.cell(&b[..3]), self.cell(&b[3..]));
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    f(self.bucket([x, y, z]));
                }
            }
        }
    }
}

impl Tree for SpatialHash {
    fn name(&self) -> &'static str {
        "spatial hashing (Teschner 2003)"
    }

    fn build(&mut self, merged: &Merged, boxes: &[Box6]) {
        let edges = merged.triangles.iter().flat_map(|t| (0..3).map(|k| [t[k], t[(k + 1) % 3]]));
        let sum: f64 = edges.map(|[a, b]| (merged.end[a as usize] - merged.end[b as usize]).norm()).sum();
        self.scale = (3.0 * merged.triangles.len() as f64 / sum) as f32;
        self.mask = (2 * merged.triangles.len()).next_power_of_two() as u32 - 1;
        // Counts, then places: a triangle may be in a bucket twice, next to itself.
        let mut starts = vec![0; self.mask as usize + 2];
        boxes.iter().for_each(|b| self.buckets(b, |bucket| starts[bucket as usize + 1] += 1));
        (1..starts.len()).for_each(|k| starts[k] += starts[k - 1]);
        let mut triangles = vec![0; starts[starts.len() - 1] as usize];
        let mut next = starts.clone();
        for (t, b) in boxes.iter().enumerate() {
            self.buckets(b, |bucket| {
                let at = &mut next[bucket as usize];
                triangles[*at as usize] = t as u32;
                *at += 1;
            });
        }
        (self.starts, self.triangles) = (starts, triangles);
    }

    fn update(&mut self, merged: &Merged, boxes: &[Box6]) {
        self.build(merged, boxes);
    }

    fn pairs(&mut self, boxes: &[Box6], out: &mut Vec<Pair>) {
        let mut here = vec![];
        for bucket in 0..=self.mask {
            let [start, end] = [0, 1].map(|k| self.starts[(bucket + k) as usize] as usize);
            here.clear();
            here.extend_from_slice(&self.triangles[start..end]);
            here.dedup();
            for (k, &i) in here.iter().enumerate() {
                let a = &boxes[i as usize];
                for &j in &here[..k] {
                    let b = &boxes[j as usize];
                    if !(0..3).all(|k| a[k] <= b[k + 3] && b[k] <= a[k + 3]) {
                        continue;
                    }
                    // Only in the bucket of the least corner that both have: each pair once.
                    let corner = [0, 1, 2].map(|k| a[k].max(b[k]));
                    if self.bucket(self.cell(&corner)) == bucket {
                        out.push(Pair { a: j, b: i });
                    }
                }
            }
        }
    }
}
