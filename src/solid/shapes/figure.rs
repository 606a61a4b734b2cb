//! Figures: bodies that are given by a signed distance, filled with tetrahedra.

use super::lattice::made;
use crate::geom::aabb::Aabb;
use crate::geom::{Point, Vector};
use crate::solid::Solid;
use std::collections::HashMap;

/// What is to be filled, and how finely.
pub struct Figure<'a> {
    /// Signed distance to the surface, negative inside.
    pub distance: &'a (dyn Fn(&Point) -> f64 + Sync),
    /// Box that holds it.
    pub bounds: Aabb,
    /// Length of the edges at the surface.
    pub edge: f64,
    /// How many times longer edges deep inside may be.
    #[allow(dead_code)] // the placeholder has one length of edges
    pub coarsening: f64,
}

/// PLACEHOLDER until there is a mesher for distances: cubes whose middle is inside, their outer nodes pulled to the surface
/// as far as no tetrahedron loses more than four fifths of its volume. `coarsening` has no effect.
pub fn filled(figure: &Figure) -> Solid {
    let Figure { distance, bounds, edge, .. } = figure;
    // About as many triangles as an even mesh of this edge length has.
    let cell = 0.93 * edge;
    let counts = [0, 1, 2].map(|k| (bounds.size()[k] / cell).ceil() as usize + 1);
    let at = |c: [usize; 3], shift: f64| Point::from([0, 1, 2].map(|k| bounds.min[k] + cell * (c[k] as f64 + shift)));
    let mut nodes: Vec<Point> = vec![];
    let mut tets: Vec<[u32; 4]> = vec![];
    let mut numbers = HashMap::new();
    for z in 0..counts[2] {
        for y in 0..counts[1] {
            for x in 0..counts[0] {
                if distance(&at([x, y, z], 0.5)) > 0.0 {
                    continue;
                }
                for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                    let mut corner = [x, y, z];
                    let mut number = |c: [usize; 3]| {
                        *numbers.entry(c).or_insert_with(|| {
                            nodes.push(at(c, 0.0));
                            nodes.len() as u32 - 1
                        })
                    };
                    let mut tet = [number(corner); 4];
                    for (step, axis) in order.into_iter().enumerate() {
                        corner[axis] += 1;
                        tet[step + 1] = number(corner);
                    }
                    tets.push(tet);
                }
            }
        }
    }
    let cubes = made(&nodes.iter().map(|p| (*p).into()).collect::<Vec<_>>(), &tets);
    let mut nodes: Vec<Point> = cubes.nodes().to_vec();
    let mut around: Vec<Vec<u32>> = vec![vec![]; nodes.len()];
    for (tet, number) in cubes.tets().iter().zip(0..) {
        tet.iter().for_each(|n| around[*n as usize].push(number));
    }
    let least = cell.powi(3) / 30.0;
    for _ in 0..6 {
        for node in (0..nodes.len()).filter(|n| cubes.is_on_skin(*n as u32)) {
            let here = nodes[node];
            let value = distance(&here);
            let step = 1e-3 * cell;
            let slope = |k: usize| {
                let mut aside = here;
                aside[k] += step;
                (distance(&aside) - value) / step
            };
            let gradient = Vector::new(slope(0), slope(1), slope(2));
            let way = gradient * (-value / gradient.norm_squared().max(0.1));
            for share in [1.0, 0.5, 0.25] {
                nodes[node] = here + way * share;
                let fine = |tet: &u32| {
                    let [a, b, c, d] = cubes.tets()[*tet as usize].map(|n| nodes[n as usize]);
                    (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0 * cubes.signed_volume(*tet).signum() > least
                };
                if around[node].iter().all(fine) {
                    break;
                }
                nodes[node] = here;
            }
        }
    }
    made(&nodes.iter().map(|p| (*p).into()).collect::<Vec<_>>(), cubes.tets())
}
