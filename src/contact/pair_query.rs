//! Two bodies in their poses, and the search for their contacts.
//!
//! Both directions are searched, samples of A against the field of B and samples of B against the field of A, and
//! evaluated in turn. Which body comes first is decided by identity and pose, not by the order of the arguments:
//! swapping them gives the same contacts with flipped normals.

use super::body_field::{BodyField, reach};
use super::budget::Level;
use super::edges::{Creased, Passage, add_contacts};
use super::feature::FeatureKind;
use super::front::{Whole, unmeasured};
use super::hulls::Hulls;
use super::known::KnownFeatures;
use super::scratch::Scratch;
use super::search::{Candidate, Direction, Limits, PairRelation, Separation};
use super::select::{Pair, Selection};
use super::setup::{Placing, across, limits, tied};
use super::{Contact, Mode, QueryOptions, QueryStats};
use crate::body::Object;
use crate::culling::walls::Walls;
use crate::geom::{Local, Pose, Vector};
use crate::reference::nodal::Scheme;
use crate::samples::creases::Creases;
use std::cell::Cell;

/// Siblings that have moved by no more than this share of the smaller bounding radius still push each other across the
/// crack between them. Trade-off, found by trial: smaller, and corners that slid far enter through the wrong side;
/// larger, and fragments that really passed each other are pushed back.
const NEAR_HOME: f64 = 0.25;
/// Work of the walls of both bodies: less is left to a query that cannot test a sample.
const SEARCH: u32 = 4;

/// Two bodies in their poses, ordered by rank.
pub(super) struct PairQuery<'a> {
    pub bodies: [&'a Object; 2],
    /// Poses of the fields: of the second body, of the first.
    pub poses: [&'a Pose; 2],
    /// The smaller radius, in metres.
    pub radius: f64,
    pub limits: Limits,
    pub are_siblings: bool,
    pub has_edges: bool,
    pub a_to_b: Pose,
    pub b_to_a: Pose,
    pub into_b: Direction<'a, BodyField<'a>>,
    pub into_a: Direction<'a, BodyField<'a>>,
    pub to_world: Placing,
    /// The direction from which the bodies came, from the second to the first, in the frame of the second.
    pub came: Option<Vector>,
    /// Whether that is known from their motion.
    pub is_seen: bool,
    /// What the caller remembers of their contacts.
    pub known: KnownFeatures,
    /// A direction along which their hulls are apart, likewise.
    pub apart: Cell<Option<Vector>>,
}

impl<'a> PairQuery<'a> {
    #[inline(always)] // avoids a large copy
    pub fn new([(a, pose_a), (b, pose_b)]: [(&'a Object, &'a Pose); 2], options: &QueryOptions) -> Self {
        let origin = options.origin.map_or(pose_a.translation.vector, Into::into);
        let swapped = rank(b, pose_b) < rank(a, pose_a);
        let ((a, pose_a), (b, pose_b)) = if swapped { ((b, pose_b), (a, pose_a)) } else { ((a, pose_a), (b, pose_b)) };
        [a, b].iter().for_each(|object| object.field(Scheme::default()).prepare());
        let radius = reach(a).min(reach(b));
        let limits = limits(options, radius);
        let parted = a.is_disjoint_part(b);
        // In double precision: at rest the difference of the poses is tiny (docs/formulations/samples-and-queries.md).
        let (a_to_b, b_to_a) = (pose_b.inv_mul(pose_a), pose_a.inv_mul(pose_b));
        let sibling = |own: &Object, other: &Object| PairRelation::Sibling {
            piece: other.piece_number(),
            within: tied(own, &limits) / own.scale(),
            near: NEAR_HOME * radius / own.scale(),
        };
        let are_siblings = a.is_sibling(b);
        let relation = if are_siblings { [sibling(b, a), sibling(a, b)] } else { [PairRelation::Anyone; 2] };
        Self {
            bodies: [a, b],
            poses: [pose_b, pose_a],
            radius,
            limits,
            are_siblings,
            has_edges: !options.points_only && options.mode != Mode::Full,
            into_b: direction(a, b, &a_to_b, parted, relation[0]),
            into_a: direction(b, a, &b_to_a, parted, relation[1]),
            a_to_b,
            b_to_a,
            to_world: Placing { origin, flip: swapped },
            came: None,
            is_seen: false,
            known: KnownFeatures::default(),
            apart: Cell::new(None),
        }
    }

    pub fn to_second(&self, direction: &Vector) -> Vector {
        self.to_world.to_second(direction, self.poses[0])
    }

    pub fn to_axes(&self, direction: &Vector) -> Vector {
        self.to_world.to_axes(direction, self.poses[0])
    }

    pub fn are_near_home(&self) -> bool {
        self.are_siblings && self.farthest_moved() <= NEAR_HOME * self.radius
    }

    /// Upper bound of how far any sample has moved since the two parted, in metres.
    fn farthest_moved(&self) -> f64 {
        self.into_b.farthest_moved().max(self.into_a.farthest_moved())
    }

    fn pair<'q>(&'q self, walls: [&'q Walls<'q>; 2]) -> BodyPair<'q, 'a> {
        let directions = [&self.into_b, &self.into_a];
        BodyPair {
            directions,
            walls,
            poses: self.poses,
            limits: &self.limits,
            known: &self.known,
            to_world: &self.to_world,
        }
    }

    /// Siblings that have moved by less than the tolerance: they touch along their crack, and nothing can be much
    /// deeper, so a few samples of the crack suffice. Returns false if the pair is not at rest or these are not enough.
    pub fn at_rest(&self, scratch: &mut Scratch, stats: &mut QueryStats) -> bool {
        let Scratch { candidates, working, contacts, .. } = scratch;
        if !self.are_siblings || self.limits.mode == Mode::Full {
            return false;
        }
        let moved = self.farthest_moved();
        if moved > self.limits.tolerance {
            return false;
        }
        let [a, b] = self.bodies;
        self.into_b.gather_at_rest(b.piece_number(), stats, &mut candidates[0]);
        self.into_a.gather_at_rest(a.piece_number(), stats, &mut candidates[1]);
        let pair = self.pair([&Walls::NONE; 2]);
        if candidates.iter().any(|list| !list.is_empty())
            && Selection::new(&pair, candidates, &self.limits, stats, contacts, working).run_on_some(moved)
        {
            return true;
        }
        contacts.clear();
        candidates.iter_mut().for_each(Vec::clear);
        false
    }

    /// Gathers all samples that may touch, selects contacts, and adds those of creases. Returns false if there are none.
    pub fn by_buckets(&mut self, scratch: &mut Scratch, stats: &mut QueryStats) -> bool {
        let Scratch { separations, walls, candidates, passages, working, contacts, .. } = scratch;
        // Whatever ended the search at rest.
        stats.level = Level::All;
        self.separate(separations);
        if self.are_parted(separations) || self.are_parted_by_samples(separations) {
            return false;
        }
        if !stats.spend(SEARCH, self.limits.budget) {
            return self.add_whole(stats, contacts);
        }
        self.into_b.fetch();
        self.into_a.fetch();
        self.relate(separations);
        if self.limits.budget < u32::MAX {
            return self.within_budget(scratch, stats);
        }
        let [of_b, of_a] = &*separations;
        let [a, b] = self.bodies;
        let [room_b, room_a] = walls;
        let walls_b = self.into_b.walls(of_b, || b.field(Scheme::default()).reliefs(), room_b);
        self.into_b.gather(&walls_b, &self.limits, stats, &mut candidates[0]);
        let walls_a = self.into_a.walls(of_a, || a.field(Scheme::default()).reliefs(), room_a);
        self.into_a.gather(&walls_a, &self.limits, stats, &mut candidates[1]);
        if candidates.iter().any(|list| !list.is_empty()) {
            if self.has_edges {
                self.bodies.iter().filter_map(|body| body.creases_slot().get()).for_each(Creases::fetch);
            }
            let pair = self.pair([&walls_b, &walls_a]);
            Selection::new(&pair, candidates, &self.limits, stats, contacts, working).run();
        }
        if self.has_edges {
            self.add_edges([&walls_b, &walls_a], separations, passages, stats, contacts);
        }
        !contacts.is_empty()
    }

    /// Adds contacts of creases; false if the budget did not suffice.
    fn add_edges(
        &self,
        walls: [&Walls; 2],
        separations: &[Separation; 2],
        passages: &mut [Vec<Passage>; 2],
        stats: &mut QueryStats,
        contacts: &mut Vec<Contact>,
    ) -> bool {
        // Siblings are no deeper in each other than they have moved. Near where they parted, the samples of their crack suffice if
        // there are contacts, or if the crack is rough: then it has samples everywhere.
        let moved = if self.are_siblings { self.farthest_moved() } else { f64::INFINITY };
        let is_rough = self.bodies.iter().any(|body| !body.kind().is_made_of_planes());
        let is_near = moved <= NEAR_HOME * self.radius;
        if moved <= self.limits.tolerance || is_near && (is_rough || !contacts.is_empty()) {
            return true;
        }
        // No point is deeper than the overlap along any plane.
        let deepest = contacts.iter().map(|c| c.depth as f64).fold(f64::NEG_INFINITY, f64::max);
        let overlap = -separations[0].apart.max(separations[1].apart);
        if !self.known.has_creases()
            && self.limits.needed(contacts.len(), deepest).is_none_or(|needed| needed >= overlap)
        {
            return true;
        }
        let directions = [&self.into_b, &self.into_a];
        let sides = [0, 1].map(|side| Creased {
            creases: self.bodies[side].creases(),
            direction: directions[side],
            walls: walls[side],
            pose: self.poses[side],
        });
        let are_apart = || {
            let start = self.came.unwrap_or_else(|| best_of(separations, &self.a_to_b).1.cast());
            let apart = Hulls::new(self.bodies, &self.a_to_b).apart(&start, self.limits.margin);
            self.apart.set(apart.map(|apart| apart.direction));
            apart.is_some()
        };
        add_contacts(
            &sides,
            &self.limits,
            self.radius,
            &self.to_world,
            &self.known,
            are_apart,
            passages,
            stats,
            contacts,
        )
    }

    /// The same, as far as the budget goes. Half of it is for gathering; what has not been gathered or measured then makes one
    /// contact, unless samples were found to touch.
    fn within_budget(&self, scratch: &mut Scratch, stats: &mut QueryStats) -> bool {
        let Scratch { separations, walls, candidates, passages, open, closed, working, contacts, .. } = scratch;
        let ([of_b, of_a], [a, b]) = (&*separations, self.bodies);
        let [room_b, room_a] = walls;
        let walls_b = self.into_b.walls(of_b, || b.field(Scheme::default()).reliefs(), room_b);
        let walls_a = self.into_a.walls(of_a, || a.field(Scheme::default()).reliefs(), room_a);
        let (limits, left) = (&self.limits, self.limits.budget - stats.work);
        let ends = [stats.work + left / 4, stats.work + left / 2];
        let is_gathered =
            self.into_b.gather_within(&walls_b, limits, ends[0], open, stats, &mut candidates[0], &mut closed[0])
                && self.into_a.gather_within(
                    &walls_a,
                    limits,
                    ends[1],
                    open,
                    stats,
                    &mut candidates[1],
                    &mut closed[1],
                );
        if !is_gathered {
            return self.add_whole(stats, contacts);
        }
        let pair = self.pair([&walls_b, &walls_a]);
        Selection::new(&pair, candidates, limits, stats, contacts, working).run();
        if closed.iter().any(|list| !list.is_empty()) {
            stats.level = stats.level.min(Level::reached(contacts.len(), limits.target));
        }
        let is_done = !self.has_edges || self.add_edges([&walls_b, &walls_a], separations, passages, stats, contacts);
        if contacts.is_empty() && stats.is_interrupted() {
            let left = [0, 1]
                .into_iter()
                .flat_map(|side| candidates[side].iter().chain(&closed[side]).map(move |candidate| (side, candidate)));
            let (whole, are_parted) = self.whole();
            let [margin, most] = [limits.margin, whole.whole.depth].map(|length| length as f32);
            match unmeasured(left, margin, most, |side, candidate| pair.place(side, candidate)) {
                Some(left) if !are_parted => contacts.push(whole.contact(self, Some(left))),
                None if !is_done && !are_parted => contacts.push(whole.contact(self, None)),
                _ => stats.level = Level::All,
            }
        }
        !contacts.is_empty()
    }

    pub fn are_parted(&self, [of_b, of_a]: &[Separation; 2]) -> bool {
        self.into_b.is_parted(of_b.apart, &self.limits) || self.into_a.is_parted(of_a.apart, &self.limits)
    }

    /// Whether the samples of either are beyond the plane of the other that separates their box best. Of neighbours that do not touch, two of
    /// three are parted by this. It is not the direction that they are farthest apart along: what comes from there later need not go back that
    /// way, so memories are not told.
    fn are_parted_by_samples(&self, [of_b, of_a]: &[Separation; 2]) -> bool {
        let is_parted = |into: &Direction<_>, of: &Separation| into.is_parted(into.apart_by_samples(of), &self.limits);
        is_parted(&self.into_b, of_b) || is_parted(&self.into_a, of_a)
    }

    /// Adds the contact of the bodies as wholes, unless that shows that they are apart; then returns false.
    pub fn add_whole(&self, stats: &mut QueryStats, contacts: &mut Vec<Contact>) -> bool {
        let (whole, are_parted) = self.whole();
        if !are_parted {
            contacts.push(whole.contact(self, None));
        }
        stats.level = if are_parted { Level::All } else { Level::Bodies };
        !are_parted
    }

    /// The bodies as wholes, by the plane of either that they overlap least, and whether it separates them.
    fn whole(&self) -> (BodiesAsWholes, bool) {
        let [a, b] = self.bodies;
        let none = (f64::INFINITY, Local::z(), 0.0);
        let [of_b, of_a] = [self.into_b.least_overlap(), self.into_a.least_overlap()].map(|of| of.unwrap_or(none));
        let (side, (depth, normal, height), own, other, placed) = match of_b.0 <= of_a.0 {
            true => (0, of_b, b, a, &self.a_to_b),
            false => (1, of_a, a, b, &self.b_to_a),
        };
        let into = [&self.into_b, &self.into_a][side];
        let along = into.overlap_along(&normal, height).unwrap_or(depth);
        let depth = depth.min(along);
        let middle = |body: &Object| body.bounds().centre() * body.scale();
        let (from, to, normal) = (middle(own), placed * middle(other), normal.cast::<f64>());
        let plane = own.asset().centre() * own.scale();
        let whole = Whole {
            normal,
            height: height + normal.dot(&plane.coords),
            depth: depth.max(-self.limits.margin),
            middle: from + (to - from) * (reach(own) / (reach(own) + reach(other))),
        };
        (BodiesAsWholes { side, whole }, into.is_parted(-along, &self.limits))
    }

    /// Finds the best separating plane of each body.
    pub fn separate(&self, [of_b, of_a]: &mut [Separation; 2]) {
        self.into_b.separate(of_b);
        self.into_a.separate(of_a);
    }

    /// Tells the fields where the other body is. Only for bodies that are not siblings.
    pub fn relate(&mut self, separations: &[Separation; 2]) {
        if !self.are_siblings {
            let [a, b] = self.bodies;
            let relation = others(a, b, separations, &self.a_to_b, &self.b_to_a, self.radius, &self.limits);
            self.into_b.set_relation(relation[0]);
            self.into_a.set_relation(relation[1]);
        }
    }
}

/// Two bodies as wholes; `side` as in selections.
struct BodiesAsWholes {
    side: usize,
    whole: Whole,
}

impl BodiesAsWholes {
    /// The contact: of the bodies, or at a position and of a depth that are known from samples, relative to the centre of the
    /// first body's asset, in metres.
    fn contact(&self, query: &PairQuery, at: Option<(Local, f32)>) -> Contact {
        let touch = match at {
            None => self.whole.touch(),
            Some((at, depth)) => {
                let first = query.bodies[0];
                let at = first.asset().centre() * first.scale() + at.cast::<f64>();
                let at = if self.side == 0 { query.a_to_b * at } else { at };
                self.whole.touch_at(&at, depth as f64)
            }
        };
        query.to_world.contact(&touch, query.poses[self.side], self.side == 1)
    }
}

/// Sort key that decides which body is first: identity, then pose. Equal ranks mean equal bodies in equal poses.
pub(super) fn rank(object: &Object, pose: &Pose) -> (u64, [u64; 7]) {
    let bits = |c: f64| (c + 0.0).to_bits();
    let (t, r) = (&pose.translation.vector, &pose.rotation.coords);
    (object.identity(), [t.x, t.y, t.z, r.x, r.y, r.z, r.w].map(bits))
}

/// The better separating plane of two: the separation along it, and its direction out of the second body.
pub(super) fn best_of([of_b, of_a]: &[Separation; 2], a_to_b: &Pose) -> (f64, Local) {
    match of_b.apart >= of_a.apart {
        true => (of_b.apart, of_b.normal),
        false => (of_a.apart, -(a_to_b.rotation.cast::<f32>() * of_a.normal)),
    }
}

/// Relations for the fields of B and of A, for bodies that are not siblings. Uses the better separating plane of the
/// two.
fn others(
    a: &Object,
    b: &Object,
    separations: &[Separation; 2],
    a_to_b: &Pose,
    b_to_a: &Pose,
    radius: f64,
    limits: &Limits,
) -> [PairRelation; 2] {
    let (apart, from_b) = best_of(separations, a_to_b);
    let tied = tied(a, limits).max(tied(b, limits));
    let from_a = -(b_to_a.rotation.cast::<f32>() * from_b);
    [(from_b, b), (from_a, a)].map(|(direction, own)| across(direction, apart, tied, radius, own))
}

#[inline(always)] // avoids a large copy
fn direction<'a>(
    samples: &'a Object,
    body: &'a Object,
    relative: &Pose,
    parted: bool,
    relation: PairRelation,
) -> Direction<'a, BodyField<'a>> {
    let field = BodyField::new(body, reach(samples));
    let mut direction = Direction::new(samples, relative, field, body.scale(), parted, relation);
    if let PairRelation::Sibling { .. } = relation {
        direction.set_sibling(body.piece_number());
    }
    direction
}

/// Two bodies for the selection: samples of the first against the field of the second, and vice versa.
struct BodyPair<'q, 'a> {
    directions: [&'q Direction<'a, BodyField<'a>>; 2],
    walls: [&'q Walls<'q>; 2],
    /// Poses of the fields.
    poses: [&'a Pose; 2],
    limits: &'q Limits,
    known: &'q KnownFeatures,
    to_world: &'q Placing,
}

impl Pair for BodyPair<'_, '_> {
    fn evaluate(&self, side: usize, candidate: &Candidate, needed: f64) -> Option<Contact> {
        let (direction, mut candidate) = (self.directions[side], *candidate);
        // In mode `Full` the result must not depend on the acceleration structure: all planes bound the depth.
        if self.limits.mode == Mode::Full {
            candidate.most = (-direction.bound(&candidate.at)).min(direction.moved(&candidate.at)) as f32;
        }
        let touch = direction.evaluate(&candidate, needed, self.limits)?;
        Some(self.to_world.contact(&touch, self.poses[side], side == 1))
    }
    fn most(&self, side: usize, candidate: &Candidate, needed: f32) -> f32 {
        self.directions[side].most(self.walls[side], candidate, needed)
    }
    fn is_outside(&self, side: usize, candidate: &Candidate) -> bool {
        self.directions[side].is_outside(self.walls[side], candidate, self.limits)
    }
    fn beyond_skin(&self, side: usize, candidate: &Candidate) -> f32 {
        self.directions[side].beyond_skin(candidate)
    }
    fn knows_any(&self) -> bool {
        !self.known.is_empty()
    }
    fn is_known(&self, side: usize, candidate: &Candidate) -> bool {
        self.known.contains(self.to_world.feature(FeatureKind::Sample, candidate.id, side == 1))
    }
    fn place(&self, side: usize, candidate: &Candidate) -> Local {
        let [into_second, into_first] = self.directions;
        match side {
            0 => candidate.at * into_second.sample_scale() as f32,
            _ => into_first.near(&candidate.at, into_second.middle()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::{Asset, CookOptions};
    use crate::fracture::{FractureOptions, Pattern, fracture};
    use crate::geom::Point;
    use crate::geom::lanes::LANES;
    use crate::geom::random::unit;
    use crate::solid::shapes;

    #[test]
    fn bodies_that_samples_part_are_apart() {
        let asset = Asset::cook(shapes::torus(1.0, 0.4, 12, 5), &CookOptions::default()).unwrap();
        let (whole, options) = (Object::intact(&asset).remove(0), FractureOptions::default());
        let pieces = fracture(&whole, &Pattern::random_voronoi(9, 3), &options).unwrap().broken().unwrap().objects;
        let points = |object: &Object| -> Vec<Local> {
            let samples = object.samples();
            samples.points.iter().flat_map(|eight| (0..LANES).map(|k| eight.get(k))).collect()
        };
        let (mut by_box, mut by_samples, mut neither) = (0, 0, 0);
        for k in 0..3000u64 {
            let [a, b] = [0, 1].map(|i| &pieces[(unit(k, i) * pieces.len() as f64) as usize]);
            let way = Vector::from_fn(|i, _| unit(k, 2 + i as u64) - 0.5);
            let turn = Vector::from_fn(|i, _| unit(k, 5 + i as u64) - 0.5);
            let (pose_a, pose_b) = (Pose::new(way * 0.6, turn * 3.0), Pose::identity());
            let query = PairQuery::new([(a, &pose_a), (b, &pose_b)], &QueryOptions::default());
            let mut separations = Default::default();
            query.separate(&mut separations);
            for (side, separation) in separations.iter().enumerate() {
                let (into, own) = ([&query.into_b, &query.into_a][side], query.bodies[1 - side]);
                let normal: Vector = separation.normal.cast();
                let height = |p: Point| normal.dot(&(p - own.asset().centre()));
                let highest = points(own).iter().map(|p| separation.normal.dot(p) as f64).fold(f64::MIN, f64::max);
                let lowest =
                    points(query.bodies[side]).iter().map(|p| height(into.place(p))).fold(f64::INFINITY, f64::min);
                let apart = into.apart_by_samples(separation);
                assert!((apart - (lowest - highest)).abs() < 1e-5, "{apart} for {}", lowest - highest);
                assert!(apart > separation.apart - 1e-5);
            }
            let is_parted = query.are_parted_by_samples(&separations);
            if is_parted {
                let start = best_of(&separations, &query.a_to_b).1.cast();
                assert!(Hulls::new(query.bodies, &query.a_to_b).apart(&start, 0.9 * query.limits.margin).is_some());
            }
            match query.are_parted(&separations) {
                true => by_box += 1,
                false if is_parted => by_samples += 1,
                false => neither += 1,
            }
        }
        assert!(by_box > 500 && by_samples > 200 && neither > 500, "{by_box} {by_samples} {neither}");
    }
}
