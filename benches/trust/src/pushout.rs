//! Pushing overlapping bodies apart along their contacts, as a solver does, by translation only.
//!
//! A comes from a side: it is moved along a direction from the first touch into B, by a drawn depth. From there 50 steps
//! follow; in each, contacts are asked for and A is moved. Whether the bodies are apart in the end, the judge says.

use crate::Result;
use crate::ask::{Ask, Plain, Remembering};
use crate::common::dice::Dice;
use crate::common::few::{Kind as FewKind, centred, touching};
use crate::common::touch::way_to_touch;
use crate::files::{Placed, pose_numbers, write_doubles, write_pairs};
use crate::fragments::Flat;
use crate::pairs::{Relation, draw};
use crate::pool::{Body, Group, Kind, Pool};
use fracas::Vector;
use fracas::contact::{Contact, QueryOptions};
use fracas::geom::Pose;
use fracas::geom::random::mix;
use nalgebra::{Translation3, UnitQuaternion};
use rayon::prelude::*;
use serde_json::json;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::path::Path;

/// Moves of a pair.
const STEPS: usize = 50;
/// A pair with no contact deeper than this share of the smaller radius is left alone: rounding. The judge allows more.
const ROUNDING: f64 = 1e-6;
/// Steps of the approach, for those who see it.
const APPROACH: usize = 20;
/// How far away the approach begins, as a share of the smaller radius.
const APART: f64 = 0.1;
/// Rounds over all contacts in a step.
const ROUNDS: usize = 8;

/// Share of the smaller radius, or, of crossed bodies, of the length of A along its way.
const SHALLOW: [f64; 2] = [0.005, 0.05];
const DEEP: [f64; 2] = [0.1, 0.6];
const CROSSED: [f64; 2] = [0.1, 0.6];

const CATEGORIES: [&str; 6] = [
    "few nodes, shallow",
    "few nodes, deep",
    "fragments, shallow",
    "fragments, deep",
    "shards, crossed",
    "plates, crossed",
];

/// A pair, and how it came about.
struct Start {
    placed: Placed,
    /// The way that A came, and how far since the first touch.
    direction: Vector,
    depth: f64,
    /// The smaller radius.
    radius: f64,
}

/// How A is moved in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// By the deepest contact.
    Deepest,
    /// By the shortest way that resolves all contacts, approximately.
    All,
}

/// Where a pair ended.
struct End {
    pose: Pose,
    steps: usize,
    /// Depth of the deepest contact that is left, as a share of the smaller radius.
    left: f64,
}

/// Makes the pairs, pushes them out by all rules and writes both.
pub fn run(count: usize, seed: u64, folder: &Path) -> Result<()> {
    let pool = Pool::new(Kind::PushOut, seed)?;
    println!("{} bodies", pool.bodies.len());
    let starts: Vec<Start> = (0..count).into_par_iter().map(|number| start(&pool, number, seed)).collect();
    let pairs: Vec<Placed> = starts.iter().map(|start| start.placed).collect();
    let rules = [Rule::Deepest, Rule::All];
    let (plain, remembering) = (Plain(QueryOptions::default()), Remembering(QueryOptions::default()));
    let mut runs = vec![];
    for rule in rules {
        runs.push(push_all(&pool, &starts, &plain, rule, folder)?);
        runs.push(push_all(&pool, &starts, &remembering, rule, folder)?);
    }
    let names = CATEGORIES.map(String::from);
    write_pairs(folder, (Kind::PushOut, seed), &pool, &names, &pairs, json!({ "runs": runs }))?;
    let came = starts.iter().flat_map(|s| [s.direction.x, s.direction.y, s.direction.z, s.depth]);
    write_doubles(folder, "came", came)?;
    println!("{} pairs pushed out, written to {}", pairs.len(), folder.display());
    Ok(())
}

/// Pushes all pairs out and writes where they end; returns the name of the run.
fn push_all<A: Ask>(pool: &Pool, starts: &[Start], ask: &A, rule: Rule, folder: &Path) -> Result<String> {
    let name = format!("{}-{}", ask.name(), format!("{rule:?}").to_lowercase());
    let ends: Vec<End> = starts.par_iter().map(|start| push(pool, start, ask, rule)).collect::<Result<_>>()?;
    let numbers = ends.iter().flat_map(|end| pose_numbers(&end.pose).chain([end.steps as f64, end.left]));
    write_doubles(folder, &format!("ends-{name}"), numbers)?;
    println!("{name}: pushed");
    Ok(name)
}

fn start(pool: &Pool, number: usize, seed: u64) -> Start {
    let mut dice = Dice::new(mix(seed ^ 0x9a5) ^ mix(number as u64));
    let category = number % CATEGORIES.len();
    let bodies = match category {
        0 | 1 => drawn(pool, &mut dice, |body| matches!(body.group, Group::Few(_))),
        2 | 3 => {
            let (is_rough, is_one) = (dice.happens(0.5), dice.happens(0.5));
            draw(pool, is_rough, if is_one { Relation::Siblings } else { Relation::Strangers }, &mut dice)
        }
        4 => drawn(pool, &mut dice, |body| is_flat(body, Flat::Shard)),
        _ if dice.happens(0.5) => drawn(pool, &mut dice, |body| is_flat(body, Flat::Plate)),
        _ => drawn(pool, &mut dice, |body| matches!(&body.group, Group::Few(few) if few.kind == FewKind::Plate)),
    };
    let [a, b] = bodies.map(|k| &pool.bodies[k]);
    let radius = a.mesh.radius().min(b.mesh.radius());
    let (poses, direction, depth) = if category < 4 {
        let second = centred(&b.mesh, dice.rotation(), Vector::zeros());
        let (first, direction, way) = touching([&a.mesh, &b.mesh], &second, &mut dice);
        let [low, high] = if category.is_multiple_of(2) { SHALLOW } else { DEEP };
        let depth = radius * dice.between(low, high);
        ([Translation3::from(direction * (way + depth)) * first, second], direction, depth)
    } else {
        crossed([a, b], &mut dice)
    };
    let world = Pose::from_parts(Translation3::from(dice.vector(2.0)), dice.rotation());
    Start {
        placed: Placed { bodies, poses: poses.map(|pose| world * pose), category },
        direction: world * direction,
        depth,
        radius,
    }
}

fn is_flat(body: &Body, flat: Flat) -> bool {
    matches!(&body.group, Group::Fragment(fragment) if fragment.flat == Some(flat))
}

/// Two bodies of a sort; a whole body may meet another instance of itself.
fn drawn(pool: &Pool, dice: &mut Dice, fits: impl Fn(&Body) -> bool) -> [usize; 2] {
    let fitting: Vec<usize> = (0..pool.bodies.len()).filter(|k| fits(&pool.bodies[*k])).collect();
    loop {
        let [a, b] = [(); 2].map(|_| fitting[dice.index(fitting.len())]);
        if a != b || !pool.bodies[a].object.is_fragment() {
            return [a, b];
        }
    }
}

/// Flat bodies, thin along z: B lies, A comes down edge first, and is through B by a share of its length.
fn crossed([a, b]: [&Body; 2], dice: &mut Dice) -> ([Pose; 2], Vector, f64) {
    loop {
        let spin = |dice: &mut Dice| UnitQuaternion::from_scaled_axis(Vector::z() * dice.between(0.0, TAU));
        let second = centred(&b.mesh, spin(dice), Vector::zeros());
        let tilt = UnitQuaternion::from_scaled_axis(Vector::x() * dice.between(FRAC_PI_2 - 0.5, FRAC_PI_2));
        let direction = -(tilt * Vector::y());
        let turn = tilt * spin(dice);
        let aside = Vector::new(1.0, 1.0, 0.0).component_mul(&dice.vector(0.4 * b.mesh.radius()));
        let far = direction * (-3.0 * (a.mesh.radius() + b.mesh.radius()));
        let first = centred(&a.mesh, turn, aside + far);
        if let Some(way) = way_to_touch((&a.mesh, &first), (&b.mesh, &second), &direction) {
            let along = a.mesh.points.iter().map(|p| direction.dot(&(turn * p.coords)));
            let [low, high] = along.fold([f64::MAX, f64::MIN], |[low, high], x| [low.min(x), high.max(x)]);
            let depth = (high - low) * dice.between(CROSSED[0], CROSSED[1]);
            return ([Translation3::from(direction * (way + depth)) * first, second], direction, depth);
        }
    }
}

/// Pushes a pair out.
fn push<A: Ask>(pool: &Pool, start: &Start, ask: &A, rule: Rule) -> Result<End> {
    let objects = start.placed.bodies.map(|k| &pool.bodies[k].object);
    let mut memory = A::Memory::default();
    let mut poses = start.placed.poses;
    if ask.sees_approach() {
        let whole = start.depth + APART * start.radius;
        for step in 0..APPROACH {
            let back = start.direction * (-whole * (1.0 - step as f64 / APPROACH as f64));
            let [a, b] = start.placed.poses;
            ask.contacts(objects, &[Translation3::from(back) * a, b], &mut memory)?;
        }
    }
    let mut steps = 0;
    loop {
        let contacts = ask.contacts(objects, &poses, &mut memory)?;
        let deepest = contacts.iter().max_by(|c, d| c.depth.total_cmp(&d.depth));
        let left = deepest.map_or(0.0, |c| (c.depth as f64 / start.radius).max(0.0));
        if left <= ROUNDING || steps == STEPS {
            return Ok(End { pose: poses[0], steps, left });
        }
        let by = match (rule, deepest) {
            (Rule::Deepest, Some(contact)) => normal(contact) * contact.depth as f64,
            _ => way_out(&contacts),
        };
        poses[0] = Translation3::from(by) * poses[0];
        steps += 1;
    }
}

fn normal(contact: &Contact) -> Vector {
    Vector::from(contact.normal.map(f64::from))
}

/// A short translation that resolves all contacts: projected Gauss-Seidel.
fn way_out(contacts: &[Contact]) -> Vector {
    let mut pushes = vec![0.0; contacts.len()];
    let mut way = Vector::zeros();
    for _ in 0..ROUNDS {
        for (contact, push) in contacts.iter().zip(&mut pushes) {
            let normal = normal(contact);
            let more = f64::max(*push + contact.depth as f64 - normal.dot(&way), 0.0) - *push;
            *push += more;
            way += normal * more;
        }
    }
    way
}
