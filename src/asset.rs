//! Assets: a solid, cooked once, immutable, shared by any number of objects and threads.
//!
//! Everything that fracture does not change lives here. Cooking so far: nodal moments (the share of every node in the mass
//! of the tetrahedra around it, so that a fragment's mass is a sum over its nodes plus a correction at its cuts), local
//! edge lengths, and the connected bodies.

use crate::error::{Result, bad_argument};
use crate::field::breaks::{Break, Piece, group};
use crate::geom::aabb::Aabb;
use crate::geom::moments::Moments;
use crate::geom::{Point, Vector};
use crate::solid::Solid;
use std::sync::Arc;

/// How to cook.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CookOptions {
    /// Kilograms a cubic metre; 1000 by default.
    pub density: f64,
}

impl Default for CookOptions {
    fn default() -> Self {
        Self { density: 1000.0 }
    }
}

/// A cooked solid.
#[derive(Debug)]
pub struct Asset {
    solid: Solid,
    density: f64,
    centre: Point,
    radius: f64,
    mean_edge: f64,
    /// Mean length of the edges at each node.
    local_edge: Vec<f64>,
    /// A quarter of the moments of the tetrahedra around each node, about `centre`.
    nodal_moments: Vec<Moments>,
    intact: Break,
}

impl Asset {
    /// Cooks a solid.
    pub fn cook(solid: Solid, options: &CookOptions) -> Result<Arc<Self>> {
        if !(options.density > 0.0 && options.density.is_finite()) {
            bad_argument!("density is {}; it must be a positive number of kilograms a cubic metre", options.density);
        }
        let bounds = solid.bounds();
        let centre = bounds.centre();
        let nodal_moments = nodal_moments(&solid, &centre);
        let mut asset = Self {
            density: options.density,
            centre,
            radius: bounds.radius(),
            mean_edge: solid.mean_edge(),
            local_edge: local_edges(&solid),
            nodal_moments,
            intact: Break::default(),
            solid,
        };
        asset.intact = asset.connected_bodies();
        Ok(Arc::new(asset))
    }

    /// The solid.
    pub fn solid(&self) -> &Solid {
        &self.solid
    }

    /// Kilograms a cubic metre.
    pub fn density(&self) -> f64 {
        self.density
    }

    /// Middle of the bounding box.
    pub fn centre(&self) -> &Point {
        &self.centre
    }

    /// Half the diagonal of the bounding box: what relative lengths refer to.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Mean edge length.
    pub fn mean_edge(&self) -> f64 {
        self.mean_edge
    }

    /// Mean length of the edges at a node.
    pub fn local_edge(&self, node: u32) -> f64 {
        self.local_edge[node as usize]
    }

    /// A node's quarter of the moments of the tetrahedra around it, about the centre.
    pub fn nodal_moments(&self, node: u32) -> &Moments {
        &self.nodal_moments[node as usize]
    }

    /// The connected bodies as the break that cut nothing.
    pub fn intact(&self) -> &Break {
        &self.intact
    }

    fn connected_bodies(&self) -> Break {
        let (count, body_of) = self.solid.bodies();
        let (nodes, starts) = group(count, body_of, |node| node as u32);
        let pieces = (0..count)
            .map(|body| {
                let range = starts[body]..starts[body + 1];
                let mut sum = Moments::default();
                nodes[range.clone()].iter().for_each(|i| sum += self.nodal_moments[*i as usize]);
                Piece {
                    mass: sum.mass(&self.centre, self.density),
                    bounds: Aabb::around(nodes[range.clone()].iter().map(|i| &self.solid.nodes()[*i as usize])),
                    nodes: range,
                    cuts: 0..0,
                    points: 0..0,
                    cell: 0,
                }
            })
            .collect();
        Break { pieces, nodes, ..Break::default() }
    }
}

fn nodal_moments(solid: &Solid, centre: &Point) -> Vec<Moments> {
    let mut nodal = vec![Moments::default(); solid.nodes().len()];
    for (tet, number) in solid.tets().iter().zip(0..) {
        let corners: [Vector; 4] = solid.corners(number).map(|p| p - centre);
        let quarter = Moments::of_tet(&corners, solid.signed_volume(number).abs()).scaled(0.25);
        tet.iter().for_each(|i| nodal[*i as usize] += quarter);
    }
    nodal
}

fn local_edges(solid: &Solid) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); solid.nodes().len()];
    for edge in solid.edges() {
        let length = solid.edge_length(edge);
        for end in edge {
            let (sum, count) = &mut sums[*end as usize];
            *sum += length;
            *count += 1.0;
        }
    }
    sums.into_iter().map(|(sum, count)| sum / count).collect()
}
