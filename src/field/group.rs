//! The field of a piece of several cells of planes (`crack::group`): the body within them, or some connected parts of that.
//!
//! Within, the depth is the smaller of the distances to the skin and to the nearest face between one of its cells and another. From outside,
//! the nearest of its cells is what is nearest, each as a piece of its own (`cell`): what is closest to a union is closest to one of its parts.

use super::cell::Cracks;
use super::fragment::FragmentField;
use super::{DepthQuery, SurfacePoint};
use crate::crack::group::{Group, Member, OnFace};
use crate::geom::{Point, Vector};

impl<'a> FragmentField<'a> {
    /// How the piece is bounded, if it is several cells of planes.
    #[inline]
    pub(super) fn group(&self) -> Option<&'a Group> {
        self.made.group_of(self.piece)
    }

    /// Positive depth or negative gap of a point, and the outward direction.
    pub(super) fn touch_group(&self, group: &Group, p: &Point, ask: &DepthQuery) -> Option<(f64, Vector)> {
        let out_of_box = self.box_distance(p);
        if out_of_box > 0.0 || !group.contains(p) {
            if out_of_box > ask.margin || ask.needed >= 0.0 {
                return None;
            }
            return self.gap_of_group(group, p, ask);
        }
        let most = self.asset_field.grid.reading(p).most().min(ask.most + 2.0 * self.asset_field.rounding);
        let nearest = group.nearest(p, most, None);
        let crack = nearest.map_or(f64::INFINITY, |on| on.distance);
        if crack.min(most) <= ask.needed {
            return None;
        }
        let way_to = |on: &OnFace| {
            (on.at - p).try_normalize(self.asset_field.rounding).unwrap_or(group.plane_of(on.face).plane.normal)
        };
        let cracks = Cracks {
            nearest: crack,
            normal: || nearest.as_ref().map(way_to),
            towards: |facing: &super::Facing| {
                // No farther than it matters.
                let limit = (crack.min(most) + facing.within).max(facing.up_to) * (1.0 + 1e-9) + f64::MIN_POSITIVE;
                let on = group.nearest(p, limit, Some(facing.piece))?;
                Some((on.distance, group.plane_of(on.face).plane.normal))
            },
            skin_gap: || self.gap_to_parts(group, p, ask.margin).map(|(way, _)| way),
        };
        self.touch_inside(p, cracks, ask)
    }

    /// Gap of a point outside of its cells, or of its box.
    fn gap_of_group(&self, group: &Group, p: &Point, ask: &DepthQuery) -> Option<(f64, Vector)> {
        let (mut way, is_on_plane) = self.gap_to_parts(group, p, ask.margin)?;
        if is_on_plane
            && let Some(facing) = &ask.facing
            && let Some(on) = group.nearest(p, way.distance + facing.within, Some(facing.piece))
        {
            way.outward = group.plane_of(on.face).plane.normal;
        }
        if let Some(towards) = &ask.towards {
            self.turn_towards(p, &mut way, towards, false);
        }
        Some((-way.distance, way.outward))
    }

    /// The way to the nearest of its cells from a point outside, and whether it leads to a plane.
    fn gap_to_parts(&self, group: &Group, p: &Point, margin: f64) -> Option<(SurfacePoint, bool)> {
        let mut best: Option<(SurfacePoint, bool)> = None;
        for cell in group.near(p, margin) {
            let most = best.as_ref().map_or(margin, |(way, _)| way.distance);
            if let Some(way) = self.way_to_member(group, cell, p, most)
                && best.as_ref().is_none_or(|(known, _)| way.0.distance < known.distance)
            {
                best = Some(way);
            }
        }
        best
    }

    /// The way to one of its cells, if it is no longer than the margin.
    fn way_to_member(&self, group: &Group, cell: &Member, p: &Point, margin: f64) -> Option<(SurfacePoint, bool)> {
        let planes = group.planes_of(cell);
        let (mut beyond, mut farthest) = (0.0, None);
        for (number, plane) in planes.iter().enumerate() {
            let height = plane.plane.distance(p);
            if height > margin {
                return None;
            }
            if height > beyond {
                (beyond, farthest) = (height, Some(number));
            }
        }
        if beyond == 0.0 && self.box_distance(p) == 0.0 {
            // In the cell, but out of the body, or in a part of another piece.
            return match cell.is_shared {
                false => Some((self.skin_gap_of_cell(planes, p, margin)?, false)),
                true => Some((self.gap_by_search(p, margin)?, false)),
            };
        }
        self.way_to_cell(planes, farthest, p, margin, !cell.is_shared)
    }

    /// The gap of a point to what the piece has of cells that it shares with others: to points of its faces and of its skin that are its own.
    pub(super) fn gap_by_owners(&self, group: &Group, p: &Point, margin: f64) -> Option<SurfacePoint> {
        let way = |at: &Point, distance: f64, normal: Vector| SurfacePoint {
            distance,
            outward: if distance <= self.asset_field.rounding { normal } else { (p - at) / distance },
        };
        let mut best: Option<SurfacePoint> = None;
        if let Some(on) = group.nearest(p, margin, None)
            && self.owns_behind(&on.at, p)
        {
            best = Some(way(&on.at, on.distance, group.plane_of(on.face).plane.normal));
        }
        let q = self.local(p);
        let reach = best.as_ref().map_or(margin, |on| on.distance) as f32;
        self.asset_field.skin.search(&q, reach, |triangle, reach| match self.own_skin(&q, reach * reach, triangle) {
            Some((on, corners)) => {
                let distance = (on - q).norm();
                let [a, b, c] = corners;
                let normal = (b - a).cross(&(c - a)).normalize();
                best = Some(way(&(self.middle + on.cast::<f64>()), distance as f64, normal.cast()));
                distance
            }
            None => reach,
        });
        best
    }
}
