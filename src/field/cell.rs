//! The field of a piece made of planes: the original body, or a connected part of it, within some half-spaces
//! (docs/formulations/fields.md).
//!
//! A growing ball within both the body and the convex cell first touches the surface of the piece. So the depth is
//! exactly the smaller of the distances to the skin and to the planes, and costs a handful of dot products. From
//! outside, the closest point of the cell is the closest point of the piece if it is in the body; else that is on the
//! skin.

use crate::crack::breaks::{CellPlane, Kind};
use crate::field::fragment::FragmentField;
use crate::field::{DepthQuery, Facing, SurfacePoint};
use crate::geom::aabb::Aabb;
use crate::geom::plane::Plane;
use crate::geom::triangle::closest;
use crate::geom::{Local, NONE, Point, Vector};

/// Capacity for planes in `closest_in_cell`. Cells have some twenty. Further planes are not swept; the final test
/// against all planes then rejects a wrong result.
const MOST_PULLS: usize = 128;
/// `closest_in_cell` stops when planes pull by less than this share of the gap: well above double rounding, well below
/// single precision.
const CONVERGED: f64 = 1e-9;
/// Upper bound of its sweeps over all planes. Ten suffice unless planes are nearly parallel; for those it
/// bounds the cost. Found by trial.
const SWEEPS: usize = 400;

/// How far the cracks around a point within them are, and what else may be asked of them.
pub(super) struct Cracks<Normal, Towards, SkinGap> {
    /// Distance to the nearest.
    pub nearest: f64,
    /// The way to it.
    pub normal: Normal,
    /// Distance to the nearest one towards a sibling, and the way to it.
    pub towards: Towards,
    /// The gap to the skin of the piece, for what is outside of the body.
    pub skin_gap: SkinGap,
}

impl<'a> FragmentField<'a> {
    /// The planes that made the piece; `None` if the piece is not made of planes.
    #[inline]
    pub(super) fn cell_planes(&self) -> Option<&'a [CellPlane]> {
        let piece = &self.made.pieces[self.piece as usize];
        let made_of_planes = piece.kind.is_made_of_planes() && !self.made.is_intact();
        made_of_planes.then(|| self.made.planes_of(self.piece))
    }

    /// Whether the piece is all of the body within its planes.
    #[inline]
    fn is_alone(&self) -> bool {
        self.made.pieces[self.piece as usize].kind == Kind::Cell
    }

    /// Positive depth or negative gap of a point, and the outward direction, by the planes of the piece.
    pub(super) fn touch_cell(&self, planes: &[CellPlane], p: &Point, ask: &DepthQuery) -> Option<(f64, Vector)> {
        let (beyond, crack) = self.plane_lanes(planes).measure(p);
        // Planes that do not cut the box of the piece are not kept, so the box has to be tested too.
        let out_of_box = self.box_distance(p);
        if beyond > 0.0 || out_of_box > 0.0 {
            if beyond > ask.margin || out_of_box > ask.margin || ask.needed >= 0.0 {
                return None;
            }
            let farthest = planes.iter().position(|plane| beyond > 0.0 && plane.plane.distance(p) == beyond);
            return self.gap_of_cell(planes, farthest, p, ask);
        }
        if crack <= ask.needed {
            return None;
        }
        self.touch_within(planes, crack, p, ask)
    }

    /// The same for a point within all planes, at distance `crack` from the nearest plane with a face.
    fn touch_within(&self, planes: &[CellPlane], crack: f64, p: &Point, ask: &DepthQuery) -> Option<(f64, Vector)> {
        let is_nearest = |plane: &&CellPlane| plane.has_face && -plane.plane.distance(p) == crack;
        let cracks = Cracks {
            nearest: crack,
            normal: || planes.iter().find(is_nearest).map(|plane| plane.plane.normal),
            towards: |facing: &Facing| {
                let plane = self.plane_towards(planes, facing)?;
                Some((-plane.distance(p), plane.normal))
            },
            skin_gap: || self.skin_gap_of_cell(planes, p, ask.margin),
        };
        self.touch_inside(p, cracks, ask)
    }

    /// The same for a point within whatever cracks bound the piece, given how far away these are.
    pub(super) fn touch_inside(
        &self,
        p: &Point,
        cracks: Cracks<
            impl Fn() -> Option<Vector>,
            impl Fn(&Facing) -> Option<(f64, Vector)>,
            impl Fn() -> Option<SurfacePoint>,
        >,
        ask: &DepthQuery,
    ) -> Option<(f64, Vector)> {
        let crack = cracks.nearest;
        let reading = self.asset_field.grid.reading(p);
        let q = self.local(p);
        // Deep below the skin the point is certainly inside: no look-up needed.
        let is_alone = self.is_alone_at(p);
        let is_inside = reading.depth > self.asset_field.grid.certain_slack() && is_alone;
        let found = if is_inside && reading.off == 0.0 { None } else { self.asset_field.locator.find(&q) };
        let is_inside = is_inside || found.as_ref().is_some_and(|found| is_alone || self.side(found).0);
        if !is_inside {
            if ask.needed >= 0.0 {
                return None;
            }
            let way = (cracks.skin_gap)()?;
            return Some((-way.distance, way.outward));
        }
        let most = reading.most().min(ask.most + 2.0 * self.asset_field.rounding);
        if most.min(crack) <= ask.needed {
            return None;
        }
        let (skin, way) = match (crack.min(most), &found) {
            // Where the grid may be off, search the skin itself, if it can matter.
            (limit, Some(found)) if reading.off > 0.0 && reading.least() < limit => {
                self.skin_below(&q, found, limit, &reading)
            }
            _ => (reading.depth.max(0.0), None),
        };
        let mut distance = skin.min(crack.max(0.0));
        let facing = ask.facing.and_then(|facing| Some((facing, (cracks.towards)(&facing)?)));
        if let Some((facing, (towards, normal))) = facing
            && towards <= (distance + facing.within).max(facing.up_to)
        {
            if ask.along {
                distance = towards.max(0.0);
            }
            return Some((distance, normal));
        }
        let skin_way = || way.unwrap_or_else(|| self.skin_way(p));
        let outward = if crack < skin { (cracks.normal)() } else { None }.unwrap_or_else(skin_way);
        let mut way = SurfacePoint { distance, outward };
        if let Some(towards) = &ask.towards {
            self.turn_towards(p, &mut way, towards, ask.along);
        }
        Some((way.distance, way.outward))
    }

    /// Whether the piece has all of its cell at a point, which is in it.
    fn is_alone_at(&self, p: &Point) -> bool {
        match self.group() {
            Some(group) => !group.is_shared() || !group.is_shared_at(p),
            None => self.is_alone(),
        }
    }

    /// Direction to the skin of the intact body, by the gradient of the grid.
    pub(super) fn skin_way(&self, p: &Point) -> Vector {
        self.asset_field.grid.value_and_gradient(p).1.try_normalize(0.0).unwrap_or(Vector::z())
    }

    /// The plane between the piece and a sibling.
    fn plane_towards<'p>(&self, planes: &'p [CellPlane], facing: &Facing) -> Option<&'p Plane> {
        let direct = planes.iter().find(|plane| plane.neighbour == facing.piece && plane.has_face);
        // A plane with several pieces across has no neighbour, but the sibling has the same plane.
        let shared = || {
            let across = self.made.planes_of(facing.piece);
            let is_shared = |plane: &&CellPlane| {
                let same = |other: &CellPlane| {
                    other.has_face && other.generation == plane.generation && other.cells == plane.cells
                };
                plane.has_face && plane.neighbour == NONE && across.iter().any(same)
            };
            planes.iter().find(is_shared)
        };
        direct.or_else(shared).map(|plane| &plane.plane)
    }

    /// Gap of a point beyond the box of the piece or some of its planes; `farthest` is the plane that it is farthest
    /// beyond.
    fn gap_of_cell(
        &self,
        planes: &[CellPlane],
        farthest: Option<usize>,
        p: &Point,
        ask: &DepthQuery,
    ) -> Option<(f64, Vector)> {
        let (mut way, is_on_plane) = self.way_to_cell(planes, farthest, p, ask.margin, self.is_alone())?;
        if is_on_plane
            && let Some(facing) = &ask.facing
            && let Some(plane) = self.plane_towards(planes, facing)
            && plane.distance(p).abs() <= way.distance + facing.within
        {
            way.outward = plane.normal;
        }
        if let Some(towards) = &ask.towards {
            self.turn_towards(p, &mut way, towards, false);
        }
        Some((-way.distance, way.outward))
    }

    /// The way to what the piece has of a convex cell from a point outside, if it is no longer than the margin, and whether it leads to a
    /// plane. If the piece does not have all of the body in the cell, its surface is searched where that matters.
    pub(super) fn way_to_cell(
        &self,
        planes: &[CellPlane],
        farthest: Option<usize>,
        p: &Point,
        margin: f64,
        is_alone: bool,
    ) -> Option<(SurfacePoint, bool)> {
        if self.asset_field.grid.value(p) - self.asset_field.grid.certain_slack() > margin {
            return None;
        }
        let bounds = &self.made.pieces[self.piece as usize].bounds;
        let by_search = || Some((self.gap_by_search(p, margin)?, false));
        let on = match closest_near(planes, bounds, p, margin) {
            Near::At(on) => on,
            Near::Beyond => return None,
            Near::Unknown => match closest_in_cell(planes, bounds, farthest, p) {
                Some(on) => on,
                None => return by_search(),
            },
        };
        let gap = (p - on).norm();
        if gap > margin {
            return None;
        }
        if !is_alone && !self.owns_behind(&on, p) {
            return by_search();
        }
        if !self.is_in_body(&on) {
            return Some((self.skin_gap_of_cell(planes, p, margin)?, false));
        }
        // Straight above a plane, or next to an edge. 1e-9: rounding of the gap.
        let plane = farthest.map(|k| &planes[k].plane);
        let is_above = |plane: &&Plane| gap <= plane.distance(p) * (1.0 + 1e-9) + self.asset_field.rounding;
        let outward = plane.filter(is_above).map_or_else(|| (p - on) / gap, |plane| plane.normal);
        Some((SurfacePoint { distance: gap, outward }, true))
    }

    /// Whether the piece owns what is just behind a point of its surface, seen from `p`. Steps inwards by eight times
    /// the rounding bound, so that the point is surely inside.
    pub(super) fn owns_behind(&self, on: &Point, p: &Point) -> bool {
        let inwards = (on - p).try_normalize(0.0).unwrap_or_default() * (8.0 * self.asset_field.rounding);
        self.asset_field.locator.find(&self.local(&(on + inwards))).is_some_and(|found| self.side(&found).0)
    }

    /// Whether a point is in the body, within rounding.
    fn is_in_body(&self, on: &Point) -> bool {
        let q = self.local(on);
        if self.asset_field.grid.reading(on).depth > self.asset_field.grid.certain_slack()
            || self.asset_field.locator.find(&q).is_some()
        {
            return true;
        }
        let near = 2.0 * self.asset_field.rounding as f32;
        let mut touches = false;
        self.asset_field.skin.search(&q, near, |triangle, near| {
            touches |= (closest(&q, self.asset_field.skin.corners(triangle)) - q).norm() <= near;
            near
        });
        touches
    }

    /// Gap of a point to the piece's part of the skin, if it is no larger than the margin.
    pub(super) fn skin_gap_of_cell(&self, planes: &[CellPlane], p: &Point, margin: f64) -> Option<SurfacePoint> {
        if self.asset_field.grid.value(p) - self.asset_field.grid.certain_slack() > margin {
            return None;
        }
        if self.group().is_none() && !self.is_alone() {
            return self.gap_by_search(p, margin);
        }
        let q = self.local(p);
        let mut best = ((margin * margin) as f32, None);
        let mut polygon = ([Local::zeros(); MOST_CORNERS], 0);
        let sides = self.box_planes();
        // Only planes within the margin can cut the skin there.
        let near = || planes.iter().chain(&sides).filter(|plane| plane.plane.distance(p) >= -margin);
        self.asset_field.skin.search(&q, margin as f32, |triangle, reach| {
            let corners = self.asset_field.skin.corners(triangle);
            let whole = closest(&q, corners);
            if (whole - q).norm_squared() > best.0 {
                return reach;
            }
            self.clip(corners, near(), &mut polygon);
            let (corners, count) = &polygon;
            for k in 2..*count {
                let triangle = [corners[0], corners[k - 1], corners[k]];
                let on = closest(&q, &triangle);
                let squared = (on - q).norm_squared();
                // For a triangle without area the closest point is NaN: rejected by this comparison.
                if squared <= best.0 {
                    best = (squared, Some((on, triangle)));
                }
            }
            best.0.sqrt()
        });
        let (on, [a, b, c]) = best.1?;
        let distance = (q - on).norm() as f64;
        let outward = match distance <= self.asset_field.rounding {
            true => (b - a).cross(&(c - a)).try_normalize(f32::MIN_POSITIVE).unwrap_or(Local::z()),
            false => (q - on) / distance as f32,
        };
        Some(SurfacePoint { distance, outward: outward.cast() })
    }

    /// Clips a triangle by planes (Sutherland-Hodgman).
    fn clip<'p>(
        &self,
        corners: &[Local; 3],
        planes: impl Iterator<Item = &'p CellPlane>,
        (out, count): &mut ([Local; MOST_CORNERS], usize),
    ) {
        out[..3].copy_from_slice(corners);
        *count = 3;
        for CellPlane { plane, .. } in planes {
            let normal: Local = plane.normal.cast();
            let offset = -plane.distance(self.middle) as f32;
            let before = (*out, *count);
            *count = 0;
            for k in 0..before.1 {
                let (a, b) = (before.0[k], before.0[(k + 1) % before.1]);
                let (above, next) = (normal.dot(&a) - offset, normal.dot(&b) - offset);
                let mut push = |at: Local| {
                    if *count < MOST_CORNERS {
                        out[*count] = at;
                        *count += 1;
                    }
                };
                if above <= 0.0 {
                    push(a);
                }
                if (above <= 0.0) != (next <= 0.0) {
                    push(a + (b - a) * (above / (above - next)));
                }
            }
            if *count == 0 {
                return;
            }
        }
    }

    /// The box of the piece as planes, for clipping skin.
    fn box_planes(&self) -> [CellPlane; 6] {
        let bounds = &self.made.pieces[self.piece as usize].bounds;
        std::array::from_fn(|side| {
            let (normal, offset) = match side < 3 {
                true => (Vector::ith(side, 1.0), bounds.max[side]),
                false => (Vector::ith(side - 3, -1.0), -bounds.min[side - 3]),
            };
            // Enlarged by the rounding bound of single precision.
            let plane = Plane { normal, offset: offset + self.asset_field.rounding };
            CellPlane { plane, has_face: false, neighbour: NONE, generation: 0, cells: [NONE; 2] }
        })
    }
}

/// Capacity of a clipped triangle: every plane adds one corner at most, and few planes are near. Further corners are
/// dropped.
const MOST_CORNERS: usize = 32;

/// Result of [`closest_near`].
enum Near {
    At(Point),
    /// Farther away than the margin.
    Beyond,
    Unknown,
}

/// Planes near the point up to which all faces, edges and corners are tried. Mostly there are one to four. The number
/// of corners grows with the cube, so for more the sweeps of `closest_in_cell` are used.
const MOST_NEAR: usize = 8;

/// Closest point of a convex cell to a point outside, if it is no farther than the margin: on a face, an edge or a
/// corner. Only planes no farther below the point than the margin can hold it, or the way to them would be longer. For
/// the same reason the closest point within these planes is within all others too.
fn closest_near(planes: &[CellPlane], bounds: &Aabb, p: &Point, margin: f64) -> Near {
    let mut near = [(Vector::zeros(), 0.0); MOST_NEAR];
    let mut count = 0;
    let mut add = |normal: Vector, height: f64| {
        if height >= -margin {
            if count < MOST_NEAR {
                near[count] = (normal, height);
            }
            count += 1;
        }
    };
    planes.iter().for_each(|plane| add(plane.plane.normal, plane.plane.distance(p)));
    for axis in 0..3 {
        add(Vector::ith(axis, 1.0), p[axis] - bounds.max[axis]);
        add(Vector::ith(axis, -1.0), bounds.min[axis] - p[axis]);
    }
    if count > MOST_NEAR {
        return Near::Unknown;
    }
    let near = &near[..count];
    let tolerance = CONVERGED * near.iter().fold(0.0, |most: f64, (_, height)| most.max(height.abs()));
    // The way to where some planes meet, if all of them pull (non-negative multipliers): then it is the shortest way to
    // all of them.
    let offer = |way: Vector, pulls: &[f64]| {
        if !pulls.iter().all(|pull| *pull >= 0.0) {
            return None;
        }
        if way.norm_squared() > margin * margin {
            return Some(Near::Beyond);
        }
        let is_within = near.iter().all(|(normal, height)| height - normal.dot(&way) <= tolerance);
        is_within.then(|| Near::At(p - way))
    };
    for (i, (a, ha)) in near.iter().enumerate() {
        if let Some(found) = offer(a * *ha, &[*ha]) {
            return found;
        }
        for (j, (b, hb)) in near[..i].iter().enumerate() {
            let ab = a.dot(b);
            let det = 1.0 - ab * ab;
            if det <= PARALLEL {
                continue;
            }
            let (u, v) = ((ha - ab * hb) / det, (hb - ab * ha) / det);
            if let Some(found) = offer(a * u + b * v, &[u, v]) {
                return found;
            }
            for (c, hc) in &near[..j] {
                let across = [b.cross(c), c.cross(a), a.cross(b)];
                let det = a.dot(&across[0]);
                if det * det <= PARALLEL {
                    continue;
                }
                let way = (across[0] * *ha + across[1] * *hb + across[2] * *hc) / det;
                // Lagrange multipliers: components of the way in the frame of the three normals.
                let pulls = [b.cross(c), c.cross(a), a.cross(b)].map(|n| n.dot(&way) / det);
                if let Some(found) = offer(way, &pulls) {
                    return found;
                }
            }
        }
    }
    Near::Unknown
}

/// Planes with a smaller squared sine between them count as parallel: their intersection is too ill-conditioned to
/// compute (1e-6 rad).
const PARALLEL: f64 = 1e-12;

/// Closest point of a convex cell to a point beyond one of its planes. Mostly it lies on that plane. Near an edge or a
/// corner, planes are projected onto in turn until none pulls any more (Hildreth 1957). `None` if that does not
/// converge.
fn closest_in_cell(planes: &[CellPlane], bounds: &Aabb, first: Option<usize>, p: &Point) -> Option<Point> {
    let mut near = CONVERGED * bounds.radius();
    if let Some(Plane { normal, .. }) = first.map(|k| &planes[k].plane) {
        let beyond = first.map_or(0.0, |k| planes[k].plane.distance(p));
        let on = p - normal * beyond;
        near = CONVERGED * beyond;
        if planes.iter().all(|other| other.plane.distance(&on) <= near) && bounds.contains(&on) {
            return Some(on);
        }
    }
    let mut on = *p;
    let (mut pulls, mut sides) = ([0.0; MOST_PULLS], [0f64; 6]);
    for _ in 0..SWEEPS {
        let mut most = 0f64;
        for (pull, CellPlane { plane, .. }) in pulls.iter_mut().zip(planes) {
            let next = (*pull + plane.distance(&on)).max(0.0);
            let change = next - *pull;
            on -= plane.normal * change;
            *pull = next;
            most = most.max(change.abs());
        }
        for (side, pull) in sides.iter_mut().enumerate() {
            let axis = side % 3;
            let beyond = if side < 3 { on[axis] - bounds.max[axis] } else { bounds.min[axis] - on[axis] };
            let next = (*pull + beyond).max(0.0);
            let change = next - *pull;
            on[axis] -= if side < 3 { change } else { -change };
            *pull = next;
            most = most.max(change.abs());
        }
        if most <= near {
            break;
        }
        if let Some(exact) = corner_of(planes, &pulls, p).filter(|on| is_in(planes, bounds, on, near)) {
            return Some(exact);
        }
    }
    let gap = (p - on).norm();
    is_in(planes, bounds, &on, 1e-7 * gap).then_some(on)
}

/// Whether a point is within planes and a box, with tolerance `near`.
fn is_in(planes: &[CellPlane], bounds: &Aabb, p: &Point, near: f64) -> bool {
    let in_box = (0..3).all(|k| p[k] <= bounds.max[k] + near && p[k] >= bounds.min[k] - near);
    in_box && planes.iter().all(|plane| plane.plane.distance(p) <= near)
}

/// The point closest to `p` where the two or three pulling planes meet, if all of them pull it there.
fn corner_of(planes: &[CellPlane], pulls: &[f64; MOST_PULLS], p: &Point) -> Option<Point> {
    let mut pulling = pulls.iter().zip(planes).filter(|(pull, _)| **pull > 0.0).map(|(_, plane)| &plane.plane);
    let (a, b) = (pulling.next()?, pulling.next()?);
    let third = pulling.next();
    if pulling.next().is_some() {
        return None;
    }
    let normals = [a.normal, b.normal, third.map_or(a.normal.cross(&b.normal), |c| c.normal)];
    let heights = Vector::new(a.distance(p), b.distance(p), third.map_or(0.0, |c| c.distance(p)));
    let rows = nalgebra::Matrix3::from_rows(&normals.map(|n| n.transpose()));
    let by = (rows * rows.transpose()).try_inverse()? * heights;
    by.iter().all(|pull| *pull >= 0.0).then(|| p - rows.transpose() * by)
}
