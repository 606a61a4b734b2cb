//! Our ways to depths.

use super::bodies::Body;
use super::depths::{Wanted, Way};
use super::grid::Grid;
use fracas::Point;
use fracas::penalty::{DepthMethod, PenaltyScratch, SoftBody};

/// A soft body and a method.
pub struct Ours<'a> {
    name: &'static str,
    method: DepthMethod,
    body: &'a Body,
    soft: SoftBody,
    /// For all nodes, and for colliding ones: a caller asks for one of them, step after step.
    scratch: [PenaltyScratch; 2],
}

impl<'a> Ours<'a> {
    pub fn all(body: &'a Body) -> Vec<Self> {
        let of = |(name, method)| Self { name, method, body, soft: body.soft.clone(), scratch: Default::default() };
        [
            (super::depths::EXACT, DepthMethod::Exact),
            (super::depths::CFFM, DepthMethod::ClosestFeature),
            ("ours, CPFM", DepthMethod::ClosestPoint),
        ]
        .map(of)
        .into()
    }
}

impl Way for Ours<'_> {
    fn name(&self) -> String {
        self.name.into()
    }

    fn update(&mut self, is_rest: bool) {
        let positions: &[Point] = if is_rest { self.body.solid.nodes() } else { &self.body.deformed };
        self.soft.set_positions(positions.iter().copied()).expect("positions are finite");
        self.soft.update();
    }

    fn find(&mut self, wanted: Wanted) -> Vec<f64> {
        let (nodes, scratch) = (&self.body.colliding, &mut self.scratch[wanted as usize]);
        let asked = if wanted == Wanted::All { None } else { Some(&nodes[..]) };
        let (found, _) = self.soft.find_depths(asked, self.method, scratch).expect("the body is up to date");
        match wanted {
            Wanted::All => found.to_vec(),
            Wanted::Colliding => nodes.iter().map(|v| found[*v as usize]).collect(),
        }
    }

    fn inner(&self, wanted: Wanted, found: Vec<f64>) -> Vec<f64> {
        match wanted {
            Wanted::All => self.body.inner.iter().map(|v| found[*v as usize]).collect(),
            Wanted::Colliding => {
                let at = |v: &u32| self.body.colliding.binary_search(v).expect("they are colliding");
                self.body.colliding_inner.iter().map(|v| found[at(v)]).collect()
            }
        }
    }
}

/// Marching on a grid. Nothing is kept from step to step.
pub struct OnGrid<'a> {
    name: String,
    points: usize,
    body: &'a Body,
    soft: SoftBody,
}

impl<'a> OnGrid<'a> {
    pub fn all(body: &'a Body) -> Vec<Self> {
        let equal = (body.deformed.len() as f64).cbrt().ceil() as usize + 3;
        let mut soft = body.soft.clone();
        soft.set_positions(body.deformed.iter().copied()).expect("positions are finite");
        soft.update();
        let of = |(name, points)| Self { name: format!("{name} ({points}³)"), points, body, soft: soft.clone() };
        [("grid, coarse", 20), ("grid, points as nodes", equal), ("grid, fine", 100)].map(of).into()
    }
}

impl Way for OnGrid<'_> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn update(&mut self, _: bool) {}

    fn find(&mut self, wanted: Wanted) -> Vec<f64> {
        match wanted {
            Wanted::All => Grid::depths(&self.soft, self.points),
            Wanted::Colliding => vec![],
        }
    }

    fn inner(&self, _: Wanted, found: Vec<f64>) -> Vec<f64> {
        self.body.inner.iter().filter_map(|v| found.get(*v as usize)).copied().collect()
    }
}
