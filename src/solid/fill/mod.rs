//! Tetrahedra from a closed surface.

use super::Solid;
use crate::bvh::Bvh;
use crate::error::{Result, bad_argument, bad_mesh};
use crate::geom::Point;
use crate::tasks::Tasks;
use std::sync::Arc;

/// How to fill a surface with tetrahedra.
#[derive(Clone)]
pub struct FillOptions {
    /// Length of the edges at the surface, in metres; 0: what gives about `tets` tetrahedra.
    pub edge: f64,
    /// About how many tetrahedra, if `edge` is 0; 20,000 by default.
    pub tets: usize,
    /// How many times longer edges deep inside may be than at the surface; 1: as long. 2 by default.
    pub coarsening: f64,
    /// Edges of the surface where it turns by more than this, in degrees, stay sharp; 40 by default.
    pub sharp_angle: f64,
    /// Where the work runs.
    pub tasks: Tasks,
    /// Called with the share that is done, from any thread.
    pub progress: Option<Arc<dyn Fn(f32) + Send + Sync>>,
}

impl Default for FillOptions {
    fn default() -> Self {
        Self { edge: 0.0, tets: 20_000, coarsening: 2.0, sharp_angle: 40.0, tasks: Tasks::inline(), progress: None }
    }
}

/// A filled surface.
#[derive(Debug)]
pub struct Filled {
    /// The tetrahedra.
    pub solid: Solid,
    /// Length of the edges at the surface that was aimed at.
    pub edge: f64,
    /// What had to be repaired or could not be kept, a sentence each; empty if all is well.
    pub remarks: Vec<String>,
}

/// Fills a closed triangle surface, counter-clockwise seen from outside, with tetrahedra.
pub fn fill(points: &[[f64; 3]], triangles: &[[u32; 3]], options: &FillOptions) -> Result<Filled> {
    if triangles.is_empty() {
        bad_mesh!("the surface has no triangles");
    }
    for (t, corners) in triangles.iter().enumerate() {
        if let Some(k) = corners.iter().find(|k| **k as usize >= points.len()) {
            bad_mesh!("triangles[{t}] names point {k}, but there are {}", points.len());
        }
    }
    let soup: Vec<[Point; 3]> = triangles.iter().map(|t| t.map(|k| Point::from(points[k as usize]))).collect();
    let tree = Bvh::new(&soup)?;
    let bounds = tree.bounds();
    let size = bounds.size();
    let edge = match options.edge > 0.0 {
        true => options.edge,
        false => (size.x * size.y * size.z * 6.0 / options.tets.max(1) as f64).cbrt(),
    };
    let counts = [0, 1, 2].map(|k| (size[k] / edge).ceil() as usize + 1);
    let winding = |p: &Point| -> f64 {
        soup.iter()
            .map(|t| {
                let [a, b, c] = t.map(|q| q - p);
                let (x, y, z) = (a.norm(), b.norm(), c.norm());
                let triple = a.dot(&b.cross(&c));
                2.0 * triple.atan2(x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y)
            })
            .sum::<f64>()
            / (4.0 * std::f64::consts::PI)
    };
    let mut nodes = vec![];
    let mut tets = vec![];
    let mut numbers = std::collections::HashMap::new();
    for z in 0..counts[2] {
        for y in 0..counts[1] {
            for x in 0..counts[0] {
                let at = |c: [usize; 3], shift: f64| {
                    Point::from([0, 1, 2].map(|k| bounds.min[k] + edge * (c[k] as f64 + shift)))
                };
                if winding(&at([x, y, z], 0.5)) < 0.5 {
                    continue;
                }
                for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                    let mut cell = [x, y, z];
                    let mut number = |c: [usize; 3]| {
                        *numbers.entry(c).or_insert_with(|| {
                            nodes.push(at(c, 0.0).into());
                            nodes.len() as u32 - 1
                        })
                    };
                    let mut tet = [number(cell); 4];
                    for (step, axis) in order.into_iter().enumerate() {
                        cell[axis] += 1;
                        tet[step + 1] = number(cell);
                    }
                    tets.push(tet);
                }
            }
        }
    }
    if tets.is_empty() {
        bad_argument!("no tetrahedra of edge length {edge} fit into the surface; ask for shorter edges");
    }
    Ok(Filled { solid: Solid::new(&nodes, &tets)?, edge, remarks: vec![] })
}
