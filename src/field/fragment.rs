//! The field of a fragment: what collision detection asks about a point (Glondu 2013, sections 4.3 to 4.5).
//!
//! Inside or outside comes from the tetrahedra and their splits, never from a distance. The depth is the smallest of three
//! (docs/design.md, 4.3): the grid's distance to the original skin; the cracks in the point's own tetrahedron; and what the
//! tetrahedron's nodes know of cracks farther away. Each is a distance to something that bounds the fragment, so the
//! smallest is too deep at worst where nobody remembered the nearest crack, and never negative.
//!
//! Outside, the gap is measured to this fragment's own surface only, found through the tetrahedra of the cells around the
//! point: the grid of the intact body does not know that the rest has flown away (4.4). Nothing has to be prepared for it.

use super::breaks::{Break, CutTet};
use super::crack_triangles::CrackTriangles;
use super::grid::GridField;
use super::location::{Located, Locator};
use super::lookup::Lookup;
use super::nodal::{Nodal, Scheme};
use super::occupancy::Occupancy;
use crate::geom::knockout::survivors;
use crate::geom::triangle::closest;
use crate::geom::{Local, NONE, Point, Pose, Vector};
use crate::solid::{Across, Solid};
use std::sync::OnceLock;

/// Distance and way to a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// How far the surface is; not negative.
    pub distance: f64,
    /// Unit vector: out of the body, whether the point is inside or outside of it.
    pub outward: Vector,
}

/// What the fields of one asset share.
#[derive(Debug)]
pub struct Ground {
    /// The grid of the intact body.
    pub grid: GridField,
    /// Which tetrahedron holds a point.
    pub locator: Locator,
    /// Mean edge length of the mesh.
    pub mean_edge: f64,
    /// A length that is rounding only: over shorter ways a direction is taken from a normal.
    pub rounding: f64,
}

/// The sibling that asks (docs/design.md, 4.4). Where the crack between the two is as near as the nearest feature within
/// `within`, the way out is across it. While the sibling is near where they parted, it is in any case: that is where its
/// points came from, and a corner of it that is nearer to another side of this body has not come through there.
#[derive(Clone, Copy, Debug)]
pub struct Facing {
    /// Number of the sibling.
    pub piece: u32,
    /// How much farther its crack may be.
    pub within: f64,
    /// From a point of the sibling to where it was when they parted.
    pub home: Pose,
    /// How far it may have moved since and still be near.
    pub near: f64,
}

/// The body that asks, if it is no sibling: where it is, and how far features may be apart that are still tied
/// (docs/design.md, 4.4). Boxes that stand on each other have their corners on the rims, where every side is as near as
/// the top.
#[derive(Clone, Copy, Debug)]
pub struct Towards {
    /// Unit, from this body to the other: along the plane that parts them best.
    pub direction: Local,
    /// How much farther than the nearest a feature may be.
    pub within: f64,
}

/// Cosine of the angle, 25 degrees, within which a feature faces a body.
const FACES: f32 = 0.906;
/// Cosine of the angle, 2 degrees, within which it could not face it better.
const FACES_WELL: f32 = 0.9994;

impl Facing {
    /// How far a point of the sibling has moved since they parted.
    fn moved(&self, p: &Point) -> f64 {
        (self.home * p - p).norm()
    }
}

/// What the fields of one break share, made when the first of them is asked. The same whoever asks first.
#[derive(Debug, Default)]
pub struct Prepared {
    places: OnceLock<Places>,
    cracks: OnceLock<CrackTriangles>,
    occupancy: OnceLock<Occupancy>,
    pieces: OnceLock<Vec<PieceField>>,
}

#[derive(Debug)]
struct Places {
    /// Place in `Break::nodes` of a node.
    nodes: Lookup,
    /// Place in `Break::tets` of a cut tetrahedron.
    tets: Lookup,
}

#[derive(Debug, Default)]
struct PieceField {
    directions: OnceLock<Vec<(u32, Local)>>,
    nodal: [OnceLock<Nodal>; 2],
}

/// The field of one piece of a break.
#[derive(Clone, Copy)]
pub struct FragmentField<'a> {
    solid: &'a Solid,
    middle: &'a Point,
    ground: &'a Ground,
    made: &'a Break,
    piece: u32,
    scheme: Scheme,
    prepared: &'a Prepared,
}

impl<'a> FragmentField<'a> {
    /// The field of a piece of a break of a solid; `middle` is what the locator's positions are relative to.
    pub fn new(
        solid: &'a Solid,
        middle: &'a Point,
        ground: &'a Ground,
        (made, piece): (&'a Break, u32),
        prepared: &'a Prepared,
        scheme: Scheme,
    ) -> Self {
        Self { solid, middle, ground, made, piece, scheme, prepared }
    }

    fn local(&self, p: &Point) -> Local {
        (p - self.middle).cast()
    }

    fn places(&self) -> &'a Places {
        self.prepared.places.get_or_init(|| Places {
            nodes: Lookup::places(self.made.nodes.iter().copied()),
            tets: Lookup::places(self.made.tets.iter().map(|cut| cut.tet)),
        })
    }

    fn piece_field(&self) -> &'a PieceField {
        let all = self.prepared.pieces.get_or_init(|| self.made.pieces.iter().map(|_| PieceField::default()).collect());
        &all[self.piece as usize]
    }

    /// The crack triangles of the break.
    pub fn cracks(&self) -> &'a CrackTriangles {
        let make = || CrackTriangles::new(self.solid, self.middle, self.made, &self.places().tets);
        self.prepared.cracks.get_or_init(make)
    }

    /// In which cells the pieces of the break have material.
    pub fn occupancy(&self) -> &'a Occupancy {
        let make = || Occupancy::new(self.solid, self.middle, self.made, self.cracks(), &self.places().tets);
        self.prepared.occupancy.get_or_init(make)
    }

    /// Whether a ball, `reach` around `centre`, may touch the fragment. "No" is certain, and knows holes and hollows.
    pub fn may_touch(&self, centre: &Point, reach: f64) -> bool {
        self.occupancy().may_touch(self.piece, centre, reach)
    }

    /// The siblings across its cracks, and the mean outward normal of the crack towards each.
    pub fn crack_directions(&self) -> &'a [(u32, Local)] {
        self.piece_field().directions.get_or_init(|| {
            let cuts = &self.made.cuts[self.made.pieces[self.piece as usize].cuts.clone()];
            if cuts.is_empty() {
                return vec![];
            }
            let cracks = self.cracks();
            let mut sums: Vec<(u32, Local)> = vec![];
            for triangle in cuts.iter().flat_map(|k| cracks.of_cut(*k as usize, self.piece)) {
                let neighbour = cracks.neighbour(triangle, self.piece);
                let [a, b, c] = &cracks.corners[triangle as usize];
                let area = (b - a).cross(&(c - a)).norm();
                let outward = cracks.normal(triangle, self.piece) * area;
                match sums.iter_mut().find(|(known, _)| *known == neighbour) {
                    Some((_, sum)) => *sum += outward,
                    None => sums.push((neighbour, outward)),
                }
            }
            let siblings = sums.into_iter().filter(|(neighbour, _)| *neighbour != NONE);
            siblings.filter_map(|(k, sum)| Some((k, sum.try_normalize(f32::MIN_POSITIVE)?))).collect()
        })
    }

    /// The way out across the crack towards a sibling, at a triangle of it: that of the crack around.
    fn across(&self, triangle: u32, facing: &Facing) -> Local {
        let sibling = facing.piece;
        let whole = self.crack_directions().iter().find(|(k, _)| *k == sibling).map_or(Local::zeros(), |(_, n)| *n);
        // As much as four faces of an average tetrahedron, twice their area being what normals are summed with.
        let weight = (4.0 * 0.87 * self.ground.mean_edge * self.ground.mean_edge) as f32;
        self.cracks().mean_normal(triangle, self.piece, &(whole * weight))
    }

    /// What the fragment's nodes know of its cracks.
    pub fn nodal(&self) -> &'a Nodal {
        self.piece_field().nodal[(self.scheme == Scheme::Averaged) as usize].get_or_init(|| {
            let lookup = &self.places().nodes;
            Nodal::new(self.solid, self.middle, self.made, self.piece, self.cracks(), lookup, self.scheme)
        })
    }

    /// Inside or outside, and where; `None` outside.
    fn locate(&self, p: &Local) -> Option<(Located, Option<usize>)> {
        let found = self.ground.locator.find(p)?;
        match self.places().tets.get(found.tet) {
            Some(k) => (self.owner_at(k as usize, &found.weights) == self.piece).then_some((found, Some(k as usize))),
            None => self.place_of(self.solid.tets()[found.tet as usize][0]).map(|_| (found, None)),
        }
    }

    /// The piece that owns a point of a cut tetrahedron.
    fn owner_at(&self, cut: usize, weights: &[f64; 4]) -> u32 {
        let alive = survivors(self.made.splits_at(cut), weights);
        self.made.tets[cut].owners[alive.trailing_zeros() as usize]
    }

    /// The place of a node in this piece; `None` for nodes of others.
    fn place_of(&self, node: u32) -> Option<usize> {
        let own = &self.made.pieces[self.piece as usize].nodes;
        let place = self.places().nodes.get(node)? as usize;
        own.contains(&place).then(|| place - own.start)
    }

    /// Whether a point is inside.
    pub fn contains(&self, p: &Point) -> bool {
        self.locate(&self.local(p)).is_some()
    }

    /// How deep a point is and the way out; `None` outside.
    pub fn depth(&self, p: &Point) -> Option<Way> {
        self.depth_facing(p, None)
    }

    /// The same for a point of a sibling: among tied features the way is that of the crack between the two.
    pub fn depth_facing(&self, p: &Point, facing: Option<Facing>) -> Option<Way> {
        let q = self.local(p);
        let (found, cut) = self.locate(&q)?;
        let (skin, gradient) = self.ground.grid.value_and_gradient(p);
        let mut way = Way { distance: (-skin).max(0.0), outward: gradient.try_normalize(0.0).unwrap_or(Vector::z()) };
        let Some(near) = self.nearest_crack(&q, &found, cut, facing) else { return Some(way) };
        if (near.distance as f64) < way.distance {
            way = Way { distance: near.distance as f64, outward: near.outward.cast() };
        }
        if let Some(facing) = facing {
            let at_home = self.crack_at_home(p, &q, &facing, near.facing);
            if let Some(triangle) = at_home {
                way.outward = self.across(triangle, &facing).cast();
            } else if let Some((distance, triangle)) = near.facing
                && distance as f64 <= way.distance + facing.within
            {
                way.outward = self.way_to(&q, triangle, distance).cast();
            }
        }
        Some(way)
    }

    /// The crack towards a sibling that is near where they parted, if it is no farther than the point has moved. Found from
    /// what was met of it, or else from where the point was.
    fn crack_at_home(&self, p: &Point, q: &Local, facing: &Facing, met: Option<(f32, u32)>) -> Option<u32> {
        let moved = facing.moved(p);
        if moved > facing.near {
            return None;
        }
        let cracks = self.cracks();
        let mut first = met.map(|(_, triangle)| triangle);
        if first.is_none() {
            self.ground.locator.visit_around(&self.local(&(facing.home * p)), 0.0, |tet| {
                if first.is_none()
                    && let Some(cut) = self.places().tets.get(tet)
                {
                    let mut own = cracks.of_cut(cut as usize, self.piece);
                    first = own.find(|t| cracks.neighbour(*t, self.piece) == facing.piece);
                }
            });
        }
        let (_, triangle) = cracks.descend_towards(q, first?, self.piece, facing.piece);
        ((cracks.height(q, triangle).abs() as f64) <= moved + facing.within).then_some(triangle)
    }

    /// The cracks nearest to a point inside.
    fn nearest_crack(
        &self,
        p: &Local,
        found: &Located,
        cut: Option<usize>,
        facing: Option<Facing>,
    ) -> Option<NearCrack> {
        if self.made.pieces[self.piece as usize].cuts.is_empty() {
            return None;
        }
        let cracks = self.cracks();
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
        let mut nearest = near.nearest.map(|(_, triangle)| cracks.descend(p, triangle, self.piece));
        for triangle in asked.into_iter().filter(|t| *t != NONE) {
            nearest = nearest.map(|known| match cracks.height(p, triangle).abs() < known.0 {
                true => nearer(known, cracks.descend(p, triangle, self.piece)),
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
    fn way_to(&self, p: &Local, triangle: u32, distance: f32) -> Local {
        let cracks = self.cracks();
        if (distance as f64) <= self.ground.rounding {
            return cracks.normal(triangle, self.piece);
        }
        (closest(p, &cracks.corners[triangle as usize]) - p) / distance
    }

    /// A lower bound of the distance from a point outside.
    pub fn clearance(&self, p: &Point) -> f64 {
        let bounds = &self.made.pieces[self.piece as usize].bounds;
        let outside = (0..3).map(|k| (bounds.min[k] - p[k]).max(p[k] - bounds.max[k]).max(0.0));
        let to_box = outside.map(|d| d * d).sum::<f64>().sqrt();
        to_box.max(self.intact_bound(p)).max(0.0)
    }

    /// A lower bound of the signed distance to the intact body, and so to any part of it. With the slack that is certain:
    /// the measured one rests on samples, and culling must not lose contacts.
    pub fn intact_bound(&self, p: &Point) -> f64 {
        self.ground.grid.value(p) - self.ground.grid.certain_slack()
    }

    /// For a point outside: distance and direction to this fragment's own surface, if it is no farther than `margin`.
    /// The direction points out of the body, towards the point.
    pub fn gap(&self, p: &Point, margin: f64) -> Option<Way> {
        self.gap_facing(p, margin, None)
    }

    /// The same for a point of a sibling: if the crack between the two is within the margin, the way is across it.
    pub fn gap_facing(&self, p: &Point, margin: f64, facing: Option<Facing>) -> Option<Way> {
        if self.clearance(p) > margin {
            return None;
        }
        let q = self.local(p);
        let mut nearest = Nearest { squared: (margin * margin) as f32, on: None, across: None };
        // Where parts of one body have just parted, the answer is in the point's own tetrahedron.
        let home = self.ground.locator.find(&q).map(|found| found.tet);
        home.iter().for_each(|tet| self.nearest_in_tet(&q, *tet, facing, &mut nearest));
        let settled = nearest.on.is_some() && (facing.is_none() || nearest.across.is_some());
        if !(settled && nearest.squared as f64 <= self.ground.rounding * self.ground.rounding) {
            // With a sibling asking, its crack counts as far as the margin, however near something else is.
            let reach = if facing.is_some() { margin as f32 } else { nearest.squared.sqrt() };
            self.ground.locator.visit_around(&q, reach, |tet| {
                if Some(tet) != home {
                    self.nearest_in_tet(&q, tet, facing, &mut nearest);
                }
            });
        }
        let (on, normal) = nearest.on?;
        let distance = (q - on).norm();
        let outward = match (nearest.across, &facing) {
            (Some((_, triangle)), Some(facing)) => self.across(triangle, facing),
            _ if (distance as f64) <= self.ground.rounding => normal,
            _ => (q - on) / distance,
        };
        Some(Way { distance: distance as f64, outward: outward.cast() })
    }

    /// Turns the way at a point on an edge or a corner to the feature that faces the body that asks, if one of those that are
    /// as near does. The distance stays that of the nearest.
    pub fn turn_towards(&self, p: &Point, way: &mut Way, towards: &Towards) {
        let outward: Local = way.outward.cast();
        if way.distance > towards.within || outward.dot(&towards.direction) >= FACES_WELL {
            return;
        }
        let q = self.local(p);
        let reach = (way.distance + towards.within) as f32;
        let mut best = (outward.dot(&towards.direction).max(FACES), None);
        self.ground.locator.visit_around(&q, reach, |tet| {
            let mut offer = |corners: &[Local; 3], normal: Local| {
                let faces = normal.dot(&towards.direction);
                if faces > best.0 && (closest(&q, corners) - q).norm() <= reach {
                    best = (faces, Some(normal));
                }
            };
            match self.places().tets.get(tet) {
                Some(k) => {
                    let cracks = self.cracks();
                    for triangle in cracks.of_cut(k as usize, self.piece) {
                        offer(&cracks.corners[triangle as usize], cracks.normal(triangle, self.piece));
                    }
                    for (opposite, corners) in self.skin_faces(tet) {
                        let weights = self.weights_on_face(tet, opposite, &closest(&q, &corners));
                        if self.owner_at(k as usize, &weights) == self.piece {
                            offer(&corners, normal_of(&corners));
                        }
                    }
                }
                None if self.place_of(self.solid.tets()[tet as usize][0]).is_some() => {
                    self.skin_faces(tet).for_each(|(_, corners)| offer(&corners, normal_of(&corners)));
                }
                None => {}
            }
        });
        if let Some(normal) = best.1 {
            way.outward = normal.cast();
        }
    }

    /// The skin triangles of a tetrahedron, outwards, with the node opposite.
    fn skin_faces(&self, tet: u32) -> impl Iterator<Item = (usize, [Local; 3])> {
        (0..4).filter_map(move |k| match self.solid.across(tet, k) {
            Across::Skin(s) => {
                let corners = self.solid.skin()[s as usize].nodes.map(|n| self.local(&self.solid.nodes()[n as usize]));
                Some((k, corners))
            }
            Across::Tet(_) => None,
        })
    }

    /// The nearest point of this piece's surface in a tetrahedron.
    fn nearest_in_tet(&self, p: &Local, tet: u32, facing: Option<Facing>, nearest: &mut Nearest) {
        match self.places().tets.get(tet) {
            Some(k) => {
                let cut = &self.made.tets[k as usize];
                if cut.owners.contains(&self.piece) {
                    self.nearest_in_cut(p, k as usize, cut, facing, nearest);
                }
            }
            None => {
                if self.place_of(self.solid.tets()[tet as usize][0]).is_some() {
                    self.skin_faces(tet).for_each(|(_, corners)| {
                        nearest.offer(p, &corners, normal_of(&corners));
                    });
                }
            }
        }
    }

    /// The nearest point of this piece's surface in a cut tetrahedron.
    fn nearest_in_cut(&self, p: &Local, k: usize, cut: &CutTet, facing: Option<Facing>, nearest: &mut Nearest) {
        let cracks = self.cracks();
        for triangle in cracks.of_cut(k, self.piece) {
            let normal = cracks.normal(triangle, self.piece);
            let squared = nearest.offer(p, &cracks.corners[triangle as usize], normal);
            let between = facing.filter(|f| f.piece == cracks.neighbour(triangle, self.piece));
            if between.is_some_and(|f| squared as f64 <= f.within * f.within)
                && nearest.across.is_none_or(|(known, _)| squared < known)
            {
                nearest.across = Some((squared, triangle));
            }
        }
        for (opposite, corners) in self.skin_faces(cut.tet) {
            // Only where the triangle's closest point is ours: if it is not, our part of the triangle ends at a crack
            // before it, and that crack has been asked.
            let on = closest(p, &corners);
            if self.owner_at(k, &self.weights_on_face(cut.tet, opposite, &on)) == self.piece {
                nearest.offer(p, &corners, normal_of(&corners));
            }
        }
    }

    /// Barycentric coordinates of a point on the face opposite a node.
    fn weights_on_face(&self, tet: u32, opposite: usize, on: &Local) -> [f64; 4] {
        let corners = self.solid.corners(tet).map(|c| self.local(&c).cast::<f64>());
        let on = on.cast::<f64>();
        let face: [usize; 3] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]][opposite];
        let [a, b, c] = face.map(|k| corners[k]);
        let normal = (b - a).cross(&(c - a));
        let area = normal.norm_squared();
        let part = |u: &Vector, v: &Vector| (u - on).cross(&(v - on)).dot(&normal) / area;
        let mut weights = [0.0; 4];
        weights[face[0]] = part(&b, &c).max(0.0);
        weights[face[1]] = part(&c, &a).max(0.0);
        weights[face[2]] = part(&a, &b).max(0.0);
        weights
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
struct NearCrack {
    distance: f32,
    outward: Local,
    /// Distance and triangle of the crack towards the sibling that asks, if one was met.
    facing: Option<(f32, u32)>,
}

/// The nearest point so far, with the normal of its triangle.
struct Nearest {
    squared: f32,
    on: Option<(Local, Local)>,
    /// Squared distance and triangle of the crack towards the sibling that asks.
    across: Option<(f32, u32)>,
}

impl Nearest {
    /// Takes the triangle's closest point if it is nearer; returns its squared distance.
    fn offer(&mut self, p: &Local, triangle: &[Local; 3], normal: Local) -> f32 {
        let on = closest(p, triangle);
        let squared = (on - p).norm_squared();
        if squared <= self.squared && (squared < self.squared || self.on.is_none()) {
            self.squared = squared;
            self.on = Some((on, normal));
        }
        squared
    }
}

/// The nearer of two triangles.
fn nearer(a: (f32, u32), b: (f32, u32)) -> (f32, u32) {
    if b.0 < a.0 { b } else { a }
}

fn normal_of([a, b, c]: &[Local; 3]) -> Local {
    (b - a).cross(&(c - a)).normalize()
}
