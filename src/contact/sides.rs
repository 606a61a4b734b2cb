//! The other sides of a ball that touch: in a groove, in a corner, in a dish.
//!
//! The deepest point of a ball makes one contact. With it alone a ball in a groove is pushed out of one wall and into the other, step after step,
//! and never comes to rest. So a ball has a contact wherever its surface is deeper in the body than around, or nearer to it. Such places are
//! searched for from where the caller remembers contacts, and from the wall that is nearest once the ball is moved away from those that are known.
//! Each step goes to the point of the ball that faces the nearest surface (after Macklin et al. 2020, *Local Optimization for Robust Signed
//! Distance Field Collision*); on a face one step is enough.
//!
//! Where an edge or a vertex touches a ball, that is a contact of the body's own creases and samples. The balls along the axis of a capsule are
//! treated as one ball is.

use super::budget::EVALUATION;
use super::feature::{Feature, FeatureKind};
use super::into_object::MOST_SIDES;
use super::memory::PairMemory;
use super::search::Touch;
use super::shape_pair::ShapePair;
use super::{Contact, QueryStats};
use crate::field::shape::Shape;
use crate::geom::{Point, Vector};

/// Cosine of 5 degrees: sides with normals nearer to each other are one, as in the groups of a reduction.
const ONE_SIDE: f64 = 0.996;
/// Cosine of a degree: a normal that a step turns by less is found.
const FOUND: f64 = 0.9998;
/// Steps of a search. On faces one is enough; a second one says so.
const STEPS: usize = 4;
/// How far a ball is moved away from the sides that are known, as a share of its radius, beside how deep it is.
const AWAY: f64 = 0.1;
/// How far off the body a search may be on its way, as a share of the radius, beside the margin.
const ASTRAY: f64 = 0.05;
/// Cosine of 15 degrees: how far the normal of a side turns between two queries at most. Beyond, it is another one.
const STILL_THE_SAME: f64 = 0.966;

/// A ball of the shape in the frame of the object, in metres, and its sides that are known.
struct Sides {
    centre: Point,
    /// Its sample.
    number: u32,
    count: usize,
    /// The directions out of the object.
    outward: [Vector; MOST_SIDES],
    /// Where their contacts are in the list.
    contact: [usize; MOST_SIDES],
}

impl Sides {
    fn known(&self) -> &[Vector] {
        &self.outward[..self.count]
    }

    fn is_known(&self, outward: &Vector) -> bool {
        self.known().iter().any(|known| known.dot(outward) > ONE_SIDE)
    }

    fn add(&mut self, outward: Vector, contact: usize) {
        (self.outward[self.count], self.contact[self.count]) = (outward, contact);
        self.count += 1;
    }

    /// The direction out of the object that a contact at a point has.
    fn outward_at(&self, point: &Point) -> Option<Vector> {
        (self.centre - point).try_normalize(0.0)
    }
}

impl<S: Shape> ShapePair<'_, S> {
    /// Adds the contacts of the other sides of balls that touch; false if the budget does not suffice.
    pub fn add_sides(&self, memory: Option<&PairMemory>, stats: &mut QueryStats, contacts: &mut Vec<Contact>) -> bool {
        let found = contacts.len();
        (0..found).all(|own| {
            let feature = Feature::decoded(contacts[own].feature);
            let is_own = feature.of_b && feature.kind == FeatureKind::Sample;
            let Some(ball) = self.samples.iter().find(|ball| is_own && ball.number == feature.id) else { return true };
            let centre = self.into_object.placed * ball.at;
            let mut sides = Sides {
                centre,
                number: ball.number,
                count: 0,
                outward: [Vector::zeros(); MOST_SIDES],
                contact: [0; MOST_SIDES],
            };
            sides.add(self.outward(&contacts[own]), own);
            let is_done = self.add_sides_of(&mut sides, memory, stats, contacts);
            self.name(&sides, memory, contacts);
            is_done
        })
    }

    fn add_sides_of(
        &self,
        sides: &mut Sides,
        memory: Option<&PairMemory>,
        stats: &mut QueryStats,
        contacts: &mut Vec<Contact>,
    ) -> bool {
        for (_, at) in self.remembered(memory, sides.number) {
            if !self.search_from(sides.outward_at(&at), sides, stats, contacts) {
                return false;
            }
        }
        let deepest = contacts[sides.contact[0]].depth.max(0.0) as f64;
        while sides.count < MOST_SIDES {
            let Some(away) = sides.known().iter().sum::<Vector>().try_normalize(1e-3) else { break };
            if !self.spend(stats) {
                return false;
            }
            let before = sides.count;
            let way = AWAY * self.into_object.radius + deepest;
            let there = self.into_object.placed.inverse() * (sides.centre + away * way);
            let nearest = self.into_object.ball(&there, self.limits.margin + way);
            if !self.search_from(nearest.map(|(_, outward)| outward), sides, stats, contacts) {
                return false;
            }
            if sides.count == before {
                break;
            }
        }
        true
    }

    /// Searches for a side from a direction out of the object; false if the budget does not suffice.
    fn search_from(
        &self,
        start: Option<Vector>,
        sides: &mut Sides,
        stats: &mut QueryStats,
        contacts: &mut Vec<Contact>,
    ) -> bool {
        let Some(mut outward) = start.filter(|_| sides.count < MOST_SIDES) else { return true };
        for _ in 0..STEPS {
            if sides.is_known(&outward) {
                break;
            }
            if !self.spend(stats) {
                return false;
            }
            let at = sides.centre - outward * self.into_object.radius;
            let Some((depth, next)) = self.into_object.surface(&at, ASTRAY * self.into_object.radius) else { break };
            if next.dot(&outward) > FOUND {
                if depth < -self.limits.margin {
                    break;
                }
                let touch = Touch { at, depth, outward, kind: FeatureKind::Sample, id: sides.number };
                sides.add(outward, contacts.len());
                contacts.push(self.to_world.contact(&touch, self.poses[1], true));
                break;
            }
            outward = next;
        }
        true
    }

    fn spend(&self, stats: &mut QueryStats) -> bool {
        stats.evaluations += 1;
        stats.spend(EVALUATION, self.limits.budget)
    }

    /// Gives each side of a ball a number of its own, the one that the caller remembers if it does.
    fn name(&self, sides: &Sides, memory: Option<&PairMemory>, contacts: &mut [Contact]) {
        let mut names = [None; MOST_SIDES];
        let mut is_taken = [false; MOST_SIDES];
        for (name, at) in self.remembered(memory, sides.number) {
            let Some(then) = sides.outward_at(&at).filter(|_| !is_taken[name]) else { continue };
            let alike = |k: &usize| sides.outward[*k].dot(&then);
            let open = (0..sides.count).filter(|k| names[*k].is_none() && alike(k) > STILL_THE_SAME);
            if let Some(side) = open.reduce(|best, k| if alike(&k) > alike(&best) { k } else { best }) {
                names[side] = Some(name);
                is_taken[name] = true;
            }
        }
        for (side, name) in names.iter().enumerate().take(sides.count) {
            let free = || is_taken.iter().position(|taken| !taken).unwrap_or(0);
            let name = name.unwrap_or_else(free);
            is_taken[name] = true;
            let id = self.into_object.number_of_side(sides.number, name);
            contacts[sides.contact[side]].feature = self.to_world.feature(FeatureKind::Sample, id, true);
        }
    }

    /// The sides of a ball that the caller remembers: their indices, and where they were on the object.
    fn remembered(&self, memory: Option<&PairMemory>, number: u32) -> impl Iterator<Item = (usize, Point)> {
        let count = self.into_object.shape.sample_count().max(1);
        let all = memory.into_iter().flat_map(PairMemory::points_of_b);
        let own = all.filter(move |(id, _)| id % count == number);
        own.map(move |(id, at)| ((id / count) as usize, at)).filter(|(side, _)| *side < MOST_SIDES)
    }

    /// The direction out of the object of a contact, in its frame.
    fn outward(&self, contact: &Contact) -> Vector {
        -(self.poses[1].rotation.inverse() * Vector::from(contact.normal.map(f64::from)))
    }
}
