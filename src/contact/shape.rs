//! Contacts of an object and a plain shape.
//!
//! Samples of the object are tested against the shape's field, and samples of the shape (corners, vertices, the centre
//! of a ball, points of a capsule's axis, the caller's points) against the object's field: what pokes into the middle
//! of a coarse face meets none of the object's samples.

use super::body_field::reach;
use super::budget::Level;
use super::edges::{Creased, add_contacts};
use super::front::Whole;
use super::into_object::IntoObject;
use super::known::KEPT;
use super::memory::{PairMemory, Placed, key_of};
use super::scratch::{Scratch, with_scratch};
use super::search::{Direction, Limits, PairRelation, Touch};
use super::select::Selection;
use super::setup::{Placing, check_pose, finish, limits, tree_of};
use super::shape_pair::{ByReference, ShapePair};
use super::traverse::{Traversal, Walk, traverse};
use super::{Contact, Mode, QueryOptions, QueryStats, Structure};
use crate::body::Object;
use crate::culling::walls::Walls;
use crate::error::Result;
use crate::field::shape::Shape;
use crate::geom::Pose;

/// Finds the contacts between an object and a plain shape; the shape is B. Appends to `out` in greedy order, deepest
/// first.
pub fn query_shape<S: Shape>(
    a: &Object,
    pose_a: &Pose,
    shape: &S,
    pose_shape: &Pose,
    options: &QueryOptions,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    query(a, pose_a, shape, pose_shape, options, None, out)
}

fn query<S: Shape>(
    a: &Object,
    pose_a: &Pose,
    shape: &S,
    pose_shape: &Pose,
    options: &QueryOptions,
    memory: Option<&PairMemory>,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    let known = &memory.map(PairMemory::features).unwrap_or_default();
    options.check()?;
    check_pose(pose_a, "pose_a")?;
    check_pose(pose_shape, "pose_shape")?;
    let tree = match options.structure {
        Structure::Buckets => None,
        Structure::SphereTree => Some(tree_of(a)?),
    };
    let radius = reach(a);
    let limits = limits(options, radius);
    let into_shape =
        Direction::new(a, &pose_shape.inv_mul(pose_a), ByReference(shape), 1.0, false, PairRelation::Anyone);
    let into_object = IntoObject::new(shape, pose_a.inv_mul(pose_shape), a, &limits);
    let origin = options.origin.map_or(pose_a.translation.vector, Into::into);
    let to_world = Placing { origin, flip: false };
    Ok(with_scratch(|Scratch { candidates, passages, open, closed, working, queues, contacts, samples, .. }, stats| {
        stats.work = 1;
        let mut is_done = into_object.gather(limits.budget, stats, samples, &mut candidates[1]);
        let poses = [pose_shape, pose_a];
        let pair = ShapePair { into_shape, into_object, samples, poses, limits: &limits, known, to_world };
        if let Some(tree) = tree {
            let walks = [Walk::new(tree, a, &pair.into_shape)];
            is_done &= traverse(&walks, Traversal::default(), &limits, queues, stats, contacts, |_, touch| {
                pair.to_world.contact(touch, pose_shape, false)
            });
            is_done &= pair.add_own(&candidates[1], stats, contacts);
        } else {
            if limits.budget < u32::MAX {
                let end = stats.work + (limits.budget - stats.work) / 2;
                let [found, closed] = [&mut candidates[0], &mut closed[0]];
                is_done &= pair.into_shape.gather_within(&Walls::NONE, &limits, end, open, stats, found, closed);
                is_done &= closed.is_empty();
            } else {
                pair.into_shape.gather(&Walls::NONE, &limits, stats, &mut candidates[0]);
            }
            Selection::new(&pair, candidates, &limits, stats, contacts, working).run();
            // Samples find all that touches a half-space; nothing is known of a caller's function.
            let has_creases = shape.bounds().is_some() || shape.sample_radius() > 0.0;
            if has_creases && !options.points_only && options.mode != Mode::Full {
                let (creases, direction) = (a.creases(), &pair.into_shape);
                let sides = [Creased { creases, direction, walls: &Walls::NONE, pose: pose_shape }];
                let are_apart = || false;
                is_done &=
                    add_contacts(&sides, &limits, radius, &pair.to_world, known, are_apart, passages, stats, contacts);
            }
        }
        if shape.sample_radius() > 0.0 && !options.points_only {
            is_done &= pair.add_sides(memory, stats, contacts);
        }
        if !is_done || stats.is_interrupted() {
            stats.level = Level::reached(contacts.len(), limits.target);
            if contacts.is_empty() {
                stats.level = Level::Bodies;
                match as_whole(a, shape, &pose_shape.inv_mul(pose_a), &limits) {
                    Some(touch) => contacts.push(pair.to_world.contact(&touch, pose_shape, false)),
                    None => stats.level = Level::All,
                }
            }
        }
        finish(contacts, radius, &limits, options, known, stats, out);
    }))
}

/// The contact of a shape and an object as a whole, in the frame of the shape; `None` if the ball around the object is apart.
fn as_whole(object: &Object, shape: &impl Shape, placed: &Pose, limits: &Limits) -> Option<Touch> {
    let (samples, radius) = (object.samples(), reach(object));
    let centre = object.asset().centre() + samples.middle.cast::<f64>();
    let middle = placed * (centre * object.scale());
    let inside = shape.depth(&middle).map(|way| (-way.distance, way.outward));
    let outside = || shape.separation(&middle, radius + limits.margin).map(|way| (way.distance, way.outward));
    let (distance, normal) = inside.or_else(outside)?;
    // How far the object reaches towards the shape, by its planes.
    let own = -(placed.rotation.inverse() * normal).cast();
    let reach = samples.supports.reach_along(&own, &samples.middle, &samples.half) - own.dot(&samples.middle);
    let depth = (reach as f64 * object.scale() - distance).max(-limits.margin);
    Some(Whole { normal, height: normal.dot(&middle.coords) - distance, depth, middle }.touch())
}

/// The same with what the caller keeps of the pair between queries: contacts stay the same while the two do not move. A memory is of one
/// shape: start with an empty one if the shape changes.
pub fn query_shape_remembered<S: Shape>(
    a: &Object,
    pose_a: &Pose,
    shape: &S,
    pose_shape: &Pose,
    options: &QueryOptions,
    memory: &mut PairMemory,
    out: &mut Vec<Contact>,
) -> Result<QueryStats> {
    check_pose(pose_a, "pose_a")?;
    check_pose(pose_shape, "pose_shape")?;
    let origin = options.origin.map_or(pose_a.translation.vector, Into::into);
    let poses = Placed { a: pose_a, b: pose_shape, origin };
    let margin = limits(options, reach(a)).margin;
    memory.claim(key_of(a, shape.sample_count() as u64));
    // The smaller radius. Round shapes roll, and kept contacts of a body that rolls lie behind its middle and speed it up.
    let sizes = [shape.bounds().map(|b| b.radius()), Some(shape.sample_radius()).filter(|r| *r > 0.0)];
    let radius = sizes.into_iter().flatten().fold(reach(a), f64::min);
    if let Some(stats) = memory.recall(a, &poses, margin, radius, out) {
        return Ok(stats);
    }
    let before = out.len();
    let options = QueryOptions { max_contacts: options.max_contacts.min(KEPT as u32), ..*options };
    let stats = query(a, pose_a, shape, pose_shape, &options, Some(memory), out)?;
    if !stats.is_interrupted() {
        memory.keep(&out[before..], &poses, margin);
        memory.give_back(a, &poses, margin, radius, before, out);
    }
    Ok(stats)
}
