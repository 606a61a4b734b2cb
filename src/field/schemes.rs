//! The crack nearest to a point inside a fragment, by each of the three schemes (docs/formulations/fields.md).

use crate::crack::search::{Across, Reach};
use crate::crack::triangles::CrackTriangles;
use crate::field::fragment::FragmentField;
use crate::field::{DepthQuery, Facing};
use crate::geom::triangle::closest;
use crate::geom::{Local, NONE};
use crate::grid::location::Located;
use crate::reference::nodal::Scheme;

impl FragmentField<'_> {
    /// The crack nearest to a point inside, if it is within `reach` (the nodal schemes ignore the limit).
    pub(super) fn nearest_crack(
        &self,
        p: &Local,
        found: &Located,
        cut: Option<usize>,
        reach: Reach,
        ask: &DepthQuery,
    ) -> Option<NearCrack> {
        if self.made.is_intact() {
            return None;
        }
        let cracks = self.cracks();
        // If the direction across the crack is known, the crack is searched only if its depth is wanted.
        let facing = ask.facing.filter(|facing| facing.across.is_none() || ask.along);
        if self.scheme == Scheme::Exact {
            return self.search_crack(p, reach, facing, ask);
        }
        // Own nodes of the tetrahedron with a known crack. A part of a fragment may own none.
        let nodal = self.nodal();
        let place_of = |node: u32| self.place_of(node).filter(|place| nodal.distance[*place].is_finite());
        let places = || self.solid.tets()[found.tet as usize].into_iter().filter_map(place_of);
        if places().next().is_none() {
            return self.search_crack(p, reach, facing, ask);
        }
        let mut near = NearTriangles { nearest: None, second: None, facing: None };
        let mut offer = |triangle: u32| {
            let facing = facing.filter(|f| f.piece == cracks.neighbour(triangle, self.piece));
            near.offer(p, triangle, facing.map(|f| f.within as f32), (cracks, self.piece));
        };
        // The cracks in this tetrahedron, and those stored at the nodes. In the averaged scheme only nodes next to a
        // crack store one.
        cut.into_iter().flat_map(|k| cracks.of_cut(k, self.piece)).for_each(&mut offer);
        let mut asked = [NONE; 8];
        for (k, triangle) in places().flat_map(|place| nodal.nearest[place]).enumerate() {
            if triangle != NONE && !asked[..k].contains(&triangle) {
                asked[k] = triangle;
                offer(triangle);
            }
        }
        // Follow each to nearer ones in the next tetrahedra: cracks end and bend, so the local minimum depends on the
        // start. A crack is not nearer than its plane, except where it bends.
        let mut nearest = near.nearest.map(|(_, triangle)| self.walk().descend(p, triangle, (cracks, self.piece)));
        for triangle in asked.into_iter().filter(|t| *t != NONE) {
            nearest = nearest.map(|known| match cracks.height(p, triangle).abs() < known.0 {
                true => nearer(known, self.walk().descend(p, triangle, (cracks, self.piece))),
                false => known,
            });
        }
        let facing = near.facing;
        if self.scheme == Scheme::Averaged {
            let corners = self.solid.tets()[found.tet as usize].into_iter().zip(found.weights);
            let own = corners.filter_map(|(node, share)| {
                let at = self.local(&self.solid.nodes()[node as usize]);
                Some((place_of(node)?, at, share as f32))
            });
            let exact = nearest.map(|(d, triangle)| (d, self.way_to(p, triangle, d)));
            let (distance, outward) = nodal.average(p, own, exact);
            return Some(NearCrack { distance: distance.max(0.0), way: WayTo::Known(outward), facing });
        }
        nearest.map(|(distance, triangle)| NearCrack { distance, way: WayTo::Triangle(triangle), facing })
    }

    /// The crack nearest to a point by exact search, if it is within `reach`.
    fn search_crack(&self, p: &Local, reach: Reach, facing: Option<Facing>, ask: &DepthQuery) -> Option<NearCrack> {
        let [within, up_to] = facing.map_or([0.0; 2], |f| [f.within as f32, f.up_to as f32]);
        let across = facing.map(|f| Across { piece: f.piece, within, up_to });
        // While the sibling is near where they parted, the crack between the two is probably the nearest.
        let first = ask.facing.filter(|facing| facing.up_to > 0.0).map_or(NONE, |facing| facing.piece);
        let near = self.search().nearest(p, reach, across, first, &self.cracks().blocks);
        // It may be that only the crack towards the sibling is within reach, by the tie rule.
        let any = if near.any.is_some() { near.any } else { near.across };
        let facing = near.across.is_some().then_some((near.across.distance, near.across.triangle));
        let (distance, way) = (any.distance, WayTo::Triangle(any.triangle));
        any.is_some().then_some(NearCrack { distance, way, facing })
    }

    /// Outward direction from a point inside.
    pub(super) fn way_out(&self, p: &Local, near: &NearCrack) -> Local {
        match near.way {
            WayTo::Known(outward) => outward,
            WayTo::Triangle(triangle) => self.way_to(p, triangle, near.distance),
        }
    }

    /// Direction from a point inside to a crack triangle.
    fn way_to(&self, p: &Local, triangle: u32, distance: f32) -> Local {
        let cracks = self.cracks();
        if (distance as f64) <= self.asset_field.rounding {
            return cracks.normal(triangle, self.piece);
        }
        let way = closest(p, &cracks.corners[triangle as usize]) - p;
        way.try_normalize(f32::MIN_POSITIVE).unwrap_or_else(|| cracks.normal(triangle, self.piece))
    }
}

/// The nearest triangles so far, with their distances: of all, of a second crack, and of the crack towards the querying
/// sibling.
struct NearTriangles {
    nearest: Option<(f32, u32)>,
    second: Option<(f32, u32)>,
    facing: Option<(f32, u32)>,
}

impl NearTriangles {
    /// `facing`: if this triangle is on the crack towards the querying sibling, how much farther than the nearest it
    /// may be.
    fn offer(&mut self, p: &Local, triangle: u32, facing: Option<f32>, (cracks, piece): (&CrackTriangles, u32)) {
        let reach = self.second.map_or(f32::INFINITY, |s| s.0).max(facing.unwrap_or(0.0));
        // Not nearer than its plane.
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
    way: WayTo,
    /// Distance and triangle of the crack towards the querying sibling, if found.
    pub facing: Option<(f32, u32)>,
}

/// Direction to the nearest crack. Computed on demand: most callers do not need it.
enum WayTo {
    Known(Local),
    Triangle(u32),
}

/// The nearer of two triangles.
fn nearer(a: (f32, u32), b: (f32, u32)) -> (f32, u32) {
    if b.0 < a.0 { b } else { a }
}
