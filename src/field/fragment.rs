//! The field of a fragment: depth and gap of a point (Glondu 2013, sections 4.3 to 4.5).
//!
//! A piece made of planes uses these (`cell`). For all others, inside or outside is decided by the regions of the
//! tetrahedra, never by a distance. The depth is the smaller of two (docs/formulations/fields.md): the grid's distance
//! to the original skin (at sharp edges the distance to the skin itself), and the distance to the cracks that bound the
//! fragment, searched exactly or taken from the nodes (`schemes`). Neither is ever negative.
//!
//! Outside, the gap is measured to this fragment's own surface only: the grid of the intact body does not know that the
//! rest is gone. Data shared by the fields of a break is prepared on first use, with the same result whichever field
//! comes first.

use super::{DepthQuery, Facing, SurfacePoint, Towards};
use crate::crack::breaks::{Break, CellPlane, CutTets, Kind, Piece};
use crate::crack::group::Group;
use crate::crack::search::{Across, CrackSearch, Hit, Reach};
use crate::crack::triangles::CrackTriangles;
use crate::crack::walk::CrackWalk;
use crate::culling::relief::Relief;
use crate::field::planes::PlaneLanes;
use crate::geom::triangle::closest;
use crate::geom::{Local, NONE, Point, Vector};
use crate::grid::distance::{GridField, Reading};
use crate::grid::location::{Located, Locator};
use crate::grid::lookup::Lookup;
use crate::grid::skin::SkinCells;
use crate::heap::held;
use crate::reference::nodal::{Nodal, Scheme};
use crate::reference::occupancy::Occupancy;
use crate::solid::{Across as Beyond, Solid};
use std::sync::OnceLock;

/// Data shared by the fields of one asset.
#[derive(Debug)]
pub struct AssetField {
    /// Distance grid of the intact body.
    pub grid: GridField,
    /// Point location: the tetrahedron that contains a point.
    pub locator: Locator,
    /// The triangles of the skin by position.
    pub skin: SkinCells,
    /// Node positions relative to the centre, padded with a zero.
    pub places: Vec<[f32; 4]>,
    /// Mean edge length of the mesh.
    pub mean_edge: f64,
    /// The longest edge.
    pub longest_edge: f64,
    /// Rounding bound of single precision. Over shorter distances a direction is taken from a normal.
    pub rounding: f64,
}

/// Cosine of 25 degrees: largest angle at which a feature faces a body. Trade-off, found by trial: smaller misses
/// tilted bodies, larger takes sides for tops.
const FACES: f32 = 0.906;
/// Cosine of 2 degrees: a feature this close to the direction is good enough, and the search for a better one is
/// skipped.
const FACES_WELL: f32 = 0.9994;

/// Data shared by the fields of one break, prepared on first use. The same whoever asks first.
#[derive(Debug, Default)]
pub struct Prepared {
    /// Positions of nodes in `Break::nodes`.
    nodes: OnceLock<Lookup>,
    /// Cracks of pieces that need more than planes (index 0), and of all pieces (index 1). The latter are used only
    /// where planes do not help.
    cracks: [Cracks; 2],
    occupancy: OnceLock<Occupancy>,
    pieces: OnceLock<Vec<PieceField>>,
}

#[derive(Debug, Default)]
struct Cracks {
    /// Positions of cut tetrahedra.
    tets: OnceLock<Lookup>,
    triangles: OnceLock<CrackTriangles>,
    walk: OnceLock<CrackWalk>,
}

impl Prepared {
    /// Bytes on the heap, of what has been prepared so far.
    pub fn bytes(&self) -> usize {
        let nodes = self.nodes.get().map_or(0, Lookup::bytes);
        let of_cracks = |cracks: &Cracks| {
            let tets = cracks.tets.get().map_or(0, Lookup::bytes);
            let walk = cracks.walk.get().map_or(0, CrackWalk::bytes);
            tets + walk + cracks.triangles.get().map_or(0, CrackTriangles::bytes)
        };
        let cracks: usize = self.cracks.iter().map(of_cracks).sum();
        let pieces = self.pieces.get().map_or(0, |all| held(all) + all.iter().map(PieceField::bytes).sum::<usize>());
        nodes + cracks + self.occupancy.get().map_or(0, Occupancy::bytes) + pieces
    }
}

impl PieceField {
    fn bytes(&self) -> usize {
        let nodal: usize = self.nodal.iter().filter_map(OnceLock::get).map(Nodal::bytes).sum();
        let planes = self.planes.get().map_or(0, PlaneLanes::bytes);
        self.search.get().map_or(0, CrackSearch::bytes) + self.reliefs.get().map_or(0, held) + nodal + planes
    }
}

#[derive(Debug, Default)]
struct PieceField {
    search: OnceLock<CrackSearch>,
    reliefs: OnceLock<Vec<Relief>>,
    nodal: [OnceLock<Nodal>; 2],
    /// If it is made of planes.
    planes: OnceLock<PlaneLanes>,
}

/// The field of one piece of a break.
#[derive(Clone, Copy)]
pub struct FragmentField<'a> {
    pub(super) solid: &'a Solid,
    pub(super) middle: &'a Point,
    pub(super) asset_field: &'a AssetField,
    pub(super) made: &'a Break,
    pub(super) piece: u32,
    pub(super) scheme: Scheme,
    prepared: &'a Prepared,
}

impl<'a> FragmentField<'a> {
    /// The field of a piece of a break of a solid; `middle` is the origin of the locator's positions.
    pub fn new(
        solid: &'a Solid,
        middle: &'a Point,
        asset_field: &'a AssetField,
        (made, piece): (&'a Break, u32),
        prepared: &'a Prepared,
        scheme: Scheme,
    ) -> Self {
        Self { solid, middle, asset_field, made, piece, scheme, prepared }
    }

    pub(super) fn local(&self, p: &Point) -> Local {
        (p - self.middle).cast()
    }

    /// Position of a node, relative to the centre.
    pub(super) fn place(&self, node: u32) -> Local {
        let [x, y, z, _] = self.asset_field.places[node as usize];
        Local::new(x, y, z)
    }

    fn node_places(&self) -> &'a Lookup {
        self.prepared.nodes.get_or_init(|| Lookup::places(self.made.nodes.iter().copied()))
    }

    /// Whether all tetrahedra of the break have to be cut to search the cracks of the piece: it has planes instead, and shares no cell.
    fn needs_all_tets(&self) -> bool {
        match self.group() {
            Some(group) => !group.is_shared() || self.scheme != Scheme::Exact,
            None => self.made.pieces[self.piece as usize].kind == Kind::Cell,
        }
    }

    /// The cut tetrahedra: at least those in which this piece has a region.
    pub(super) fn cut_tets(&self) -> &'a CutTets {
        if self.needs_all_tets() { self.made.cut_tets() } else { self.made.searched_tets() }
    }

    /// Their positions by tetrahedron index.
    fn tets(&self) -> &'a Lookup {
        let make = || Lookup::places(self.cut_tets().tets.iter().map(|cut| cut.tet));
        self.prepared_cracks().tets.get_or_init(make)
    }

    fn piece_field(&self) -> &'a PieceField {
        let all = self.prepared.pieces.get_or_init(|| self.made.pieces.iter().map(|_| PieceField::default()).collect());
        &all[self.piece as usize]
    }

    /// The planes of the piece, four at a time.
    #[inline]
    pub(super) fn plane_lanes(&self, planes: &[CellPlane]) -> &'a PlaneLanes {
        self.piece_field().planes.get_or_init(|| PlaneLanes::new(planes))
    }

    fn prepared_cracks(&self) -> &'a Cracks {
        &self.prepared.cracks[self.needs_all_tets() as usize]
    }

    /// The crack triangles of the break: at least those around this piece.
    pub fn cracks(&self) -> &'a CrackTriangles {
        let all = self.needs_all_tets();
        let is_wanted = |piece: &Piece| all || piece.kind != Kind::Cell;
        let all = (&self.made.pieces[..], self.cut_tets());
        let make =
            || CrackTriangles::new(self.solid, &self.asset_field.places, self.asset_field.mean_edge, all, is_wanted);
        self.prepared_cracks().triangles.get_or_init(make)
    }

    pub(super) fn walk(&self) -> &'a CrackWalk {
        let make = || CrackWalk::new(self.solid, self.cut_tets(), self.tets(), self.cracks());
        self.prepared_cracks().walk.get_or_init(make)
    }

    pub(super) fn search(&self) -> &'a CrackSearch {
        let make = || CrackSearch::new(self.piece, &self.cracks().blocks);
        self.piece_field().search.get_or_init(make)
    }

    /// The grid cells in which the pieces of the break have material.
    pub fn occupancy(&self) -> &'a Occupancy {
        let make = || {
            let cut = self.made.cut_tets();
            Occupancy::new(self.solid, self.made, &Lookup::places(cut.tets.iter().map(|cut| cut.tet)))
        };
        self.prepared.occupancy.get_or_init(make)
    }

    /// Whether a ball of radius `reach` around `centre` may touch the fragment. "No" is certain. Takes holes and
    /// cavities into account.
    pub fn may_touch(&self, centre: &Point, reach: f64) -> bool {
        self.occupancy().may_touch(self.piece, centre, reach)
    }

    /// The siblings across its cracks, each with the mean outward normal of the crack.
    pub fn crack_directions(&self) -> &'a [(u32, Local)] {
        if self.made.is_intact() {
            return &[];
        }
        self.cracks().blocks.directions_of(self.piece)
    }

    /// Whether planes bound the piece exactly, and the scheme uses them.
    #[inline]
    fn is_flat(&self) -> bool {
        self.own_planes().is_some() || self.own_group().is_some()
    }

    /// Heights of the piece above each of its cracks, in the order of [`crack_directions`](Self::crack_directions).
    pub fn reliefs(&self) -> &'a [Relief] {
        if self.is_flat() {
            return &[]; // planes bound the piece exactly
        }
        self.piece_field().reliefs.get_or_init(|| self.made_reliefs())
    }

    /// Prepares what every query of the piece needs.
    #[inline]
    pub fn prepare(&self) {
        if !self.made.is_intact() && !self.is_flat() {
            self.search();
            self.reliefs();
        }
    }

    /// The same, and what only gaps of a part of a cell need.
    pub fn prepare_all(&self) {
        self.prepare();
        if let Some(planes) = self.own_planes() {
            self.plane_lanes(planes);
        }
        // What is all of its cells needs only planes and skin.
        if !self.made.is_intact() && !self.needs_all_tets() {
            if self.group().is_none() {
                self.search();
            }
            self.tets();
            self.node_places();
        }
    }

    /// Outward direction across the crack towards a sibling, near one of its triangles: the mean normal of the crack
    /// around it.
    fn across(&self, triangle: u32) -> Local {
        let sibling = self.cracks().neighbour(triangle, self.piece);
        let whole = self.crack_directions().iter().find(|(k, _)| *k == sibling).map_or(Local::zeros(), |(_, n)| *n);
        // Weight of the whole crack: four faces of an average tetrahedron. Normals are summed with twice their area;
        // 0.87 is twice the area of an equilateral triangle of unit edge.
        let weight = (4.0 * 0.87 * self.asset_field.mean_edge * self.asset_field.mean_edge) as f32;
        self.cracks().mean_normal(triangle, self.piece, &(whole * weight))
    }

    /// Crack distances at the fragment's nodes.
    pub fn nodal(&self) -> &'a Nodal {
        self.piece_field().nodal[(self.scheme == Scheme::Averaged) as usize].get_or_init(|| {
            let lookup = self.node_places();
            let how = (self.walk(), self.scheme);
            Nodal::new(self.solid, self.middle, (self.made, self.cut_tets()), self.piece, self.cracks(), lookup, how)
        })
    }

    /// Whether a point located in a tetrahedron is in this piece, and the position of the tetrahedron if it is cut.
    pub(super) fn side(&self, found: &Located) -> (bool, Option<usize>) {
        match self.tets().get(found.tet) {
            Some(k) => (self.cut_tets().owner_at(k as usize, &found.weights) == self.piece, Some(k as usize)),
            None => (self.place_of(self.solid.tets()[found.tet as usize][0]).is_some(), None),
        }
    }

    /// Position of a node in this piece; `None` for nodes of other pieces.
    pub(super) fn place_of(&self, node: u32) -> Option<usize> {
        let own = &self.made.pieces[self.piece as usize].nodes;
        let place = self.node_places().get(node)? as usize;
        own.contains(&place).then(|| place - own.start)
    }

    /// Whether a point is inside.
    pub fn contains(&self, p: &Point) -> bool {
        self.asset_field.locator.find(&self.local(p)).is_some_and(|found| self.has(p, &found))
    }

    /// Whether a point that is located in a tetrahedron is in this piece.
    fn has(&self, p: &Point, found: &Located) -> bool {
        if let Some(planes) = self.own_planes() {
            let is_within = planes.iter().all(|plane| plane.plane.distance(p) <= 0.0) && self.box_distance(p) == 0.0;
            return is_within && (!self.needs_side_of(p) || self.side(found).0);
        }
        if let Some(group) = self.own_group() {
            return self.box_distance(p) == 0.0 && group.contains(p) && (!self.needs_side_of(p) || self.side(found).0);
        }
        self.side(found).0
    }

    /// Whether other pieces have parts of the cell of a point, which is in one of the cells of this piece.
    fn needs_side_of(&self, p: &Point) -> bool {
        match self.group() {
            Some(group) => group.is_shared() && group.is_shared_at(p),
            None => self.made.pieces[self.piece as usize].kind != Kind::Cell,
        }
    }

    /// Depth of a point and outward direction; `None` outside.
    pub fn depth(&self, p: &Point) -> Option<SurfacePoint> {
        if self.is_flat() {
            let touch = self.touch(p, &DepthQuery { needed: -f64::MIN_POSITIVE, ..DepthQuery::ANY });
            return touch
                .filter(|(depth, _)| *depth >= 0.0)
                .map(|(distance, outward)| SurfacePoint { distance, outward });
        }
        let found = self.asset_field.locator.find(&self.local(p))?;
        let (inside, cut) = self.side(&found);
        if inside { self.depth_at(p, &found, cut, &DepthQuery::ANY) } else { None }
    }

    /// For a point outside: distance and direction to this fragment's own surface, if it is no farther than `margin`.
    /// The direction points out of the body, towards the point.
    pub fn separation(&self, p: &Point, margin: f64) -> Option<SurfacePoint> {
        let ask = DepthQuery { margin, ..DepthQuery::ANY };
        let touch = match (self.cell_planes(), self.group()) {
            (Some(planes), _) => self.touch_cell(planes, p, &ask)?,
            (_, Some(group)) => self.touch_group(group, p, &ask)?,
            _ => return self.gap_by_search(p, margin),
        };
        (touch.0 < 0.0).then_some(SurfacePoint { distance: -touch.0, outward: touch.1 })
    }

    /// The same by searching cracks and skin, whatever the piece is made of.
    pub(super) fn gap_by_search(&self, p: &Point, margin: f64) -> Option<SurfacePoint> {
        if let Some(group) = self.own_group() {
            return self.gap_by_owners(group, p, margin);
        }
        let home = self.asset_field.locator.find(&self.local(p));
        let cut = home.as_ref().and_then(|found| self.side(found).1);
        self.gap_at(p, home.as_ref(), cut, &DepthQuery { margin, ..DepthQuery::ANY })
    }

    /// The planes that made the piece, if the scheme uses them: the paper's schemes work on nodes.
    #[inline]
    fn own_planes(&self) -> Option<&'a [CellPlane]> {
        if self.scheme == Scheme::Exact { self.cell_planes() } else { None }
    }

    /// Likewise, if it is several cells of planes.
    #[inline]
    fn own_group(&self) -> Option<&'a Group> {
        if self.scheme == Scheme::Exact { self.group() } else { None }
    }

    /// Positive depth or negative gap, and the outward direction.
    pub fn touch(&self, p: &Point, ask: &DepthQuery) -> Option<(f64, Vector)> {
        if let Some(planes) = self.own_planes() {
            return self.touch_cell(planes, p, ask);
        }
        if let Some(group) = self.own_group() {
            return self.touch_group(group, p, ask);
        }
        let home = self.asset_field.locator.find(&self.local(p));
        let (inside, cut) = home.as_ref().map_or((false, None), |found| self.side(found));
        let (mut way, sign) = match &home {
            Some(found) if inside => (self.depth_at(p, found, cut, ask)?, 1.0),
            _ if ask.needed >= 0.0 => return None,
            _ => (self.gap_at(p, home.as_ref(), cut, ask)?, -1.0),
        };
        if let Some(towards) = &ask.towards {
            self.turn_towards(p, &mut way, towards, ask.along && inside);
        }
        Some((way.distance * sign, way.outward))
    }

    /// Depth of a point inside.
    fn depth_at(&self, p: &Point, found: &Located, cut: Option<usize>, ask: &DepthQuery) -> Option<SurfacePoint> {
        let q = self.local(p);
        let reading = self.asset_field.grid.reading(p);
        // Enlarged for rounding.
        let most = reading.most().min(ask.most + 2.0 * self.asset_field.rounding);
        if most <= ask.needed {
            return None;
        }
        let reach = Reach { most: most as f32, enough: ask.needed as f32, zero: self.asset_field.rounding as f32 };
        let across = ask.facing.and_then(|facing| facing.across);
        let near = self.nearest_crack(&q, found, cut, reach, ask);
        let crack = near.as_ref().map_or(f64::INFINITY, |near| near.distance as f64);
        let (skin, way) = match crack.min(most) {
            // Where the grid may be off, search the skin itself, if it can matter.
            limit if reading.off > 0.0 && reading.least() < limit && limit > ask.needed => {
                self.skin_below(&q, found, limit, &reading)
            }
            _ => (reading.depth.max(0.0), None),
        };
        let mut distance = skin.min(crack);
        if let Some(outward) = across.filter(|_| !ask.along) {
            return Some(SurfacePoint { distance, outward: outward.cast() });
        }
        let facing = near.as_ref().and_then(|near| near.facing);
        let towards = facing.map_or(f64::INFINITY, |(towards, _)| towards as f64);
        let reaches = ask.facing.map_or(f64::NEG_INFINITY, |facing| (distance + facing.within).max(facing.up_to));
        if towards <= reaches
            && let Some((_, triangle)) = facing
        {
            if ask.along {
                distance = towards;
            }
            let outward = across.unwrap_or_else(|| self.across(triangle));
            return Some(SurfacePoint { distance, outward: outward.cast() });
        }
        let outward = match near {
            Some(near) if crack < skin => self.way_out(&q, &near).cast(),
            _ => way.unwrap_or_else(|| self.skin_way(p)),
        };
        Some(SurfacePoint { distance, outward })
    }

    /// Upper bound of [`depth`](Self::depth): the distance to the skin of the intact body, by the grid.
    pub fn skin_depth(&self, p: &Point) -> f64 {
        self.asset_field.grid.reading(p).most()
    }

    /// Distance and direction from a point inside to the skin of the intact body, if it is nearer than `limit`. Whose
    /// skin it is does not matter: before the skin of another piece there is a crack. The result is clamped to the
    /// bounds of the reading, which queries have already culled by.
    pub(super) fn skin_below(
        &self,
        q: &Local,
        found: &Located,
        limit: f64,
        reading: &Reading,
    ) -> (f64, Option<Vector>) {
        let mut nearest: (f32, Option<(Local, &[Local; 3])>) = ((limit * limit) as f32, None);
        let mut offer = |triangle: u32| {
            let corners = self.asset_field.skin.corners(triangle);
            let on = closest(q, corners);
            let squared = (on - q).norm_squared();
            if squared < nearest.0 {
                nearest = (squared, Some((on, corners)));
            }
            nearest.0.sqrt()
        };
        // Mostly the skin of the tetrahedron itself is nearest, and little is left to search.
        let reach = self.skin_faces(found.tet).map(&mut offer).last().unwrap_or(limit as f32);
        self.asset_field.skin.search(q, reach, |triangle, _| offer(triangle));
        let Some((on, corners)) = nearest.1 else { return (reading.depth.max(limit), None) };
        let distance = (on - q).norm();
        let is_on = distance as f64 <= self.asset_field.rounding;
        let way = if is_on { normal_of(corners) } else { (on - q) / distance };
        ((distance as f64).clamp(reading.least(), reading.most()), Some(way.cast()))
    }

    /// Lower bound of the distance of a point outside.
    pub fn clearance(&self, p: &Point) -> f64 {
        self.box_distance(p).max(self.intact_bound(p)).max(0.0)
    }

    /// Distance of a point from the bounding box.
    pub(super) fn box_distance(&self, p: &Point) -> f64 {
        let bounds = &self.made.pieces[self.piece as usize].bounds;
        let outside = (0..3).map(|k| (bounds.min[k] - p[k]).max(p[k] - bounds.max[k]).max(0.0));
        outside.map(|d| d * d).sum::<f64>().sqrt()
    }

    /// Lower bound of the signed distance to the intact body, and so to any part of it. Uses `certain_slack`: the
    /// measured slack rests on samples, and culling must not lose contacts.
    pub fn intact_bound(&self, p: &Point) -> f64 {
        self.asset_field.grid.value(p) - self.asset_field.grid.certain_slack()
    }

    /// Gap of a point outside; `home` is the tetrahedron that contains it, `cut` that one's position if it is cut.
    fn gap_at(&self, p: &Point, home: Option<&Located>, cut: Option<usize>, ask: &DepthQuery) -> Option<SurfacePoint> {
        let DepthQuery { margin, facing, .. } = *ask;
        // Early out for most points that touch nothing: the faces of the tetrahedron and all cracks in it are beyond
        // the margin.
        let beyond = (margin + self.asset_field.rounding) as f32;
        if home.is_some_and(|found| {
            self.asset_field.locator.inwards(found) > beyond && cut.is_none_or(|k| self.is_off_splits(found, k, beyond))
        }) {
            return None;
        }
        if self.box_distance(p) > margin {
            return None;
        }
        let (q, skin) = (self.local(p), self.asset_field.grid.value(p));
        if skin - self.asset_field.grid.certain_slack() > margin {
            return None;
        }
        let mut nearest = Nearest { squared: (margin * margin) as f32, on: None, across: None };
        self.nearest_crack_outside(&q, cut, facing, &mut nearest);
        let settled =
            nearest.on.is_some() && nearest.squared as f64 <= self.asset_field.rounding * self.asset_field.rounding;
        // The skin, unless it is too far even with the largest error of the grid.
        if !settled && skin.abs() - self.asset_field.grid.certain_slack() <= margin {
            self.asset_field.skin.search(&q, nearest.squared.sqrt(), |triangle, _| {
                // No farther than the nearest found so far.
                if let Some((on, corners)) = self.own_skin(&q, nearest.squared, triangle) {
                    nearest.take(&q, on, || normal_of(corners));
                }
                nearest.squared.sqrt()
            });
        }
        let (on, normal) = nearest.on?;
        let distance = (q - on).norm();
        let outward = match nearest.across {
            Some(hit) => facing.and_then(|f| f.across).unwrap_or_else(|| self.across(hit.triangle)),
            None if (distance as f64) <= self.asset_field.rounding => normal,
            None => (q - on) / distance,
        };
        Some(SurfacePoint { distance: distance as f64, outward: outward.cast() })
    }

    /// Whether a point of a cut tetrahedron is farther than `distance` from the planes of all its splits.
    fn is_off_splits(&self, found: &Located, cut: usize, distance: f32) -> bool {
        let slopes = self.asset_field.locator.slopes(found.tet);
        self.cut_tets().splits_at(cut).iter().all(|split| {
            let slope: Local = (0..4).map(|k| slopes[k] * split.values[k] as f32).sum();
            let at = split.at(&found.weights) as f32;
            at * at > distance * distance * slope.norm_squared()
        })
    }

    /// At an edge or a corner, replaces the outward direction by the normal of the feature that faces the querying
    /// body, if one of the tied features does. The distance stays that of the nearest feature, or with `along` becomes
    /// that of the chosen one.
    pub(super) fn turn_towards(&self, p: &Point, way: &mut SurfacePoint, towards: &Towards, along: bool) {
        let outward: Local = way.outward.cast();
        if way.distance > towards.within || outward.dot(&towards.direction) >= FACES_WELL {
            return;
        }
        let q = self.local(p);
        let reach = (way.distance + towards.within) as f32;
        let mut best = (outward.dot(&towards.direction).max(FACES), None);
        let planes = self.own_planes();
        let mut offer = |on: Local, normal: Local| {
            let (faces, distance) = (normal.dot(&towards.direction), (on - q).norm());
            if faces > best.0 && distance <= reach {
                best = (faces, Some((normal, distance)));
            }
        };
        for CellPlane { plane, .. } in planes.into_iter().flatten().filter(|plane| plane.has_face) {
            let foot = p - plane.normal * plane.distance(p);
            let is_own = |other: &CellPlane| other.plane.distance(&foot) <= towards.within;
            if planes.into_iter().flatten().all(is_own) && self.asset_field.grid.value(&foot) <= towards.within {
                offer(self.local(&foot), plane.normal.cast());
            }
        }
        if let Some(group) = self.own_group() {
            group.each_within(p, reach as f64, |on| {
                let behind = self.asset_field.grid.value(&on.at) <= towards.within;
                if behind {
                    offer(self.local(&on.at), group.plane_of(on.face).plane.normal.cast());
                }
            });
        } else if planes.is_none() {
            self.asset_field.locator.visit_around(&q, reach, |tet| {
                let (cracks, cut) = (self.cracks(), self.tets().get(tet));
                for triangle in cut.into_iter().flat_map(|k| cracks.of_cut(k as usize, self.piece)) {
                    offer(closest(&q, &cracks.corners[triangle as usize]), cracks.normal(triangle, self.piece));
                }
            });
        }
        self.asset_field.skin.search(&q, reach, |triangle, reach| {
            if let Some((on, corners)) = self.own_skin(&q, reach * reach * (1.0 + 1e-6), triangle) {
                offer(on, normal_of(corners));
            }
            reach
        });
        if let Some((normal, distance)) = best.1 {
            way.outward = normal.cast();
            if along {
                way.distance = distance as f64;
            }
        }
    }

    /// The triangles of a tetrahedron that are on the skin.
    fn skin_faces(&self, tet: u32) -> impl Iterator<Item = u32> {
        (0..4).filter_map(move |k| match self.solid.across(tet, k) {
            Beyond::Skin(triangle) => Some(triangle),
            Beyond::Tet(_) => None,
        })
    }

    /// Finds the nearest crack of this piece within the margin of a point outside.
    fn nearest_crack_outside(&self, p: &Local, cut: Option<usize>, facing: Option<Facing>, nearest: &mut Nearest) {
        if self.made.is_intact() {
            return;
        }
        let cracks = self.cracks();
        let margin = nearest.squared.sqrt();
        // Test the triangles of this tetrahedron one by one: the eight-lane test measures slivers to their edges only.
        for triangle in cut.into_iter().flat_map(|k| cracks.of_cut(k, self.piece)) {
            let on = closest(p, &cracks.corners[triangle as usize]);
            nearest.take(p, on, || cracks.normal(triangle, self.piece));
        }
        // For a sibling, its crack counts up to the margin, however near another feature is.
        let across = facing.map(|f| Across { piece: f.piece, within: margin, up_to: margin });
        let most = nearest.squared.sqrt() * (1.0 + 1e-6);
        let reach = Reach { most, enough: f32::NEG_INFINITY, zero: self.asset_field.rounding as f32 };
        let found = self.search().nearest(p, reach, across, NONE, &cracks.blocks);
        if found.any.is_some() {
            let triangle = found.any.triangle;
            let on = closest(p, &cracks.corners[triangle as usize]);
            nearest.take(p, on, || cracks.normal(triangle, self.piece));
        }
        if found.across.is_some() && facing.is_some_and(|facing| found.across.distance as f64 <= facing.within) {
            nearest.across = Some(found.across);
        }
    }

    /// The point of a skin triangle closest to `p`, with the corners, if it belongs to this piece and is within a squared distance. If it does
    /// not belong to the piece, the piece's part of the triangle ends at a crack before it.
    pub(super) fn own_skin(&self, p: &Local, squared: f32, triangle: u32) -> Option<(Local, &'a [Local; 3])> {
        let corners = self.asset_field.skin.corners(triangle);
        let on = closest(p, corners);
        ((on - p).norm_squared() <= squared && self.owns_on_skin(triangle, &on)).then_some((on, corners))
    }

    /// Whether a point of a skin triangle belongs to this piece.
    fn owns_on_skin(&self, triangle: u32, on: &Local) -> bool {
        let tet = self.solid.skin()[triangle as usize].tet;
        if self.is_flat() {
            let p = self.middle + on.cast::<f64>();
            // A rounding beyond a plane counts as well: its own rim is on it.
            let near = self.asset_field.rounding;
            let is_within = match (self.own_planes(), self.own_group()) {
                (Some(planes), _) => planes.iter().all(|plane| plane.plane.distance(&p) <= near),
                (_, Some(group)) => group.contains(&p),
                _ => true,
            };
            if !is_within || self.box_distance(&p) > near {
                return false;
            }
            if !self.needs_side_of(&p) {
                return true;
            }
        }
        match self.tets().get(tet) {
            Some(k) => {
                let mut weights = self.asset_field.locator.weights(tet, on);
                let opposite = (0..4).find(|k| self.solid.across(tet, *k) == Beyond::Skin(triangle)).unwrap_or(0);
                weights[opposite] = 0.0;
                self.cut_tets().owner_at(k as usize, &weights) == self.piece
            }
            None => self.place_of(self.solid.tets()[tet as usize][0]).is_some(),
        }
    }
}

/// The nearest point so far, with the normal of its triangle.
struct Nearest {
    squared: f32,
    on: Option<(Local, Local)>,
    /// Nearest hit on the crack towards the querying sibling.
    across: Option<Hit>,
}

impl Nearest {
    /// Takes a point if it is nearer than the best so far.
    fn take(&mut self, p: &Local, on: Local, normal: impl FnOnce() -> Local) {
        let squared = (on - p).norm_squared();
        if squared <= self.squared && (squared < self.squared || self.on.is_none()) {
            self.squared = squared;
            self.on = Some((on, normal()));
        }
    }
}

fn normal_of([a, b, c]: &[Local; 3]) -> Local {
    (b - a).cross(&(c - a)).normalize()
}
