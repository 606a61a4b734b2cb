//! The crack nearest to a point inside a fragment, by each of the three schemes (docs/design.md, 4.3).

use super::crack_search::{Across, Reach};
use super::crack_triangles::CrackTriangles;
use super::fragment::{Facing, FragmentField};
use super::location::Located;
use super::nodal::Scheme;
use crate::geom::triangle::closest;
use crate::geom::{Local, NONE};

impl FragmentField<'_> {
    /// The crack nearest to a point inside, if it is within `reach` or its scheme knows no limit.
    pub(super) fn nearest_crack(
        &self,
        p: &Local,
        found: &Located,
        cut: Option<usize>,
        reach: Reach,
        facing: Option<Facing>,
    ) -> Option<NearCrack> {
        if self.made.pieces[self.piece as usize].cuts.is_empty() {
            return None;
        }
        let cracks = self.cracks();
        if self.scheme == Scheme::Exact {
            let across = facing.map(|f| Across { piece: f.piece, within: f.within as f32, up_to: f.up_to as f32 });
            // Those right here first: the nearer the first that are met, the fewer are left.
            let here = cut.into_iter().flat_map(|k| cracks.of_cut(k, self.piece));
            let near = self.search().nearest(p, reach, across, here, (cracks, self.piece));
            let way = |(distance, triangle)| (distance, self.way_to(p, triangle, distance));
            // Only the crack towards the sibling may be within reach of the rule for ties.
            let (distance, outward) = near.any.or(near.across).map(way)?;
            return Some(NearCrack { distance, outward, facing: near.across });
        }
        let places = || self.solid.tets()[found.tet as usize].into_iter().filter_map(|n| self.place_of(n));
        let mut near = NearTriangles { nearest: None, second: None, facing: None };
        let mut offer = |triangle: u32| {
            let facing = facing.filter(|f| f.piece == cracks.neighbour(triangle, self.piece));
            near.offer(p, triangle, facing.map(|f| f.within as f32), (cracks, self.piece));
        };
        // The cracks right here, and those that the nodes remember: of the averaged scheme, only nodes next to a crack do.
        cut.into_iter().flat_map(|k| cracks.of_cut(k, self.piece)).for_each(&mut offer);
        let nodal = self.nodal();
        let mut asked = [NONE; 8];
        for (k, triangle) in places().flat_map(|place| nodal.nearest[place]).enumerate() {
            if triangle != NONE && !asked[..k].contains(&triangle) {
                asked[k] = triangle;
                offer(triangle);
            }
        }
        // Each may go on nearer in the next tetrahedron: cracks end and bend, so what is reached depends on where one
        // starts. A crack is not nearer than its plane, but where it bends.
        let mut nearest = near.nearest.map(|(_, triangle)| self.walk().descend(p, triangle, (cracks, self.piece)));
        for triangle in asked.into_iter().filter(|t| *t != NONE) {
            nearest = nearest.map(|known| match cracks.height(p, triangle).abs() < known.0 {
                true => nearer(known, self.walk().descend(p, triangle, (cracks, self.piece))),
                false => known,
            });
        }
        let exact = nearest.map(|(distance, triangle)| (distance, self.way_to(p, triangle, distance)));
        if self.scheme == Scheme::Averaged {
            let corners = self.solid.tets()[found.tet as usize].into_iter().zip(found.weights);
            let own = corners.filter_map(|(node, share)| {
                let at = self.local(&self.solid.nodes()[node as usize]);
                Some((self.place_of(node)?, at, share as f32))
            });
            let (distance, outward) = nodal.average(p, own, exact);
            return Some(NearCrack { distance: distance.max(0.0), outward, facing: near.facing });
        }
        let (distance, outward) = exact?;
        Some(NearCrack { distance, outward, facing: near.facing })
    }

    /// The way from a point inside to a crack triangle.
    pub(super) fn way_to(&self, p: &Local, triangle: u32, distance: f32) -> Local {
        let cracks = self.cracks();
        if (distance as f64) <= self.ground.rounding {
            return cracks.normal(triangle, self.piece);
        }
        let way = closest(p, &cracks.corners[triangle as usize]) - p;
        way.try_normalize(f32::MIN_POSITIVE).unwrap_or_else(|| cracks.normal(triangle, self.piece))
    }
}

/// The nearest triangles met, with their distances: of all, of another crack than that, and of the crack towards the
/// sibling that asks.
struct NearTriangles {
    nearest: Option<(f32, u32)>,
    second: Option<(f32, u32)>,
    facing: Option<(f32, u32)>,
}

impl NearTriangles {
    /// `facing` is how much farther than the nearest the crack towards the asking sibling may be, if this is it.
    fn offer(&mut self, p: &Local, triangle: u32, facing: Option<f32>, (cracks, piece): (&CrackTriangles, u32)) {
        let reach = self.second.map_or(f32::INFINITY, |s| s.0).max(facing.unwrap_or(0.0));
        // Not nearer than its plane is.
        if cracks.height(p, triangle).abs() >= reach {
            return;
        }
        let distance = cracks.distance(p, triangle);
        let found = Some((distance, triangle));
        let nearer = |best: &Option<(f32, u32)>| best.is_none_or(|(known, _)| distance < known);
        if facing.is_some() && nearer(&self.facing) {
            self.facing = found;
        }
        let same = self.nearest.is_some_and(|(_, known)| cracks.same_crack(known, triangle, piece));
        if nearer(&self.nearest) {
            if !same {
                self.second = self.nearest;
            }
            self.nearest = found;
        } else if !same && nearer(&self.second) {
            self.second = found;
        }
    }
}

/// The crack nearest to a point inside.
pub(super) struct NearCrack {
    pub distance: f32,
    pub outward: Local,
    /// Distance and triangle of the crack towards the sibling that asks, if one was met.
    pub facing: Option<(f32, u32)>,
}

/// The nearer of two triangles.
fn nearer(a: (f32, u32), b: (f32, u32)) -> (f32, u32) {
    if b.0 < a.0 { b } else { a }
}
