//! Contacts as solvers use them: bodies pushed along their contacts come apart, with depths that are the least translation or near it and
//! that change no faster than the bodies move; and what a memory of the pair adds.
//!
//! Truth are separating axes (`common/axes.rs`), for convex bodies of few nodes. `scripts/trust` does the same with fragments.

use crate::common::axes::{Convex, least_translation};
use crate::common::dice::Dice;
use crate::common::few::{self, CATEGORIES, Few, Pair};
use crate::common::on_all_cores;
use fracas::contact::{
    Contact, Motion, PairMemory, QueryOptions, QueryStats, query_pair, query_pair_ahead, query_pair_remembered,
    query_shape_remembered,
};
use fracas::field::shape::Cuboid;
use fracas::geom::Pose;
use fracas::{Object, Point, Vector, shapes};
use nalgebra::{Translation3, UnitQuaternion};
use std::sync::LazyLock;

const STEPS: usize = 50;

static BODIES: LazyLock<(Vec<Few>, Vec<Object>)> = LazyLock::new(|| {
    let bodies = few::bodies(16, 3);
    // Not on all cores: those may be waiting for this.
    let objects = bodies.iter().map(Few::object).collect();
    (bodies, objects)
});

fn normal(contact: &Contact) -> Vector {
    Vector::from(contact.normal.map(f64::from))
}

fn ask(pair: &Pair, memory: Option<&mut PairMemory>) -> (Vec<Contact>, QueryStats) {
    let [a, b] = pair.bodies.map(|k| &BODIES.1[k]);
    let ([pa, pb], options, mut out) = (&pair.poses, QueryOptions::default(), vec![]);
    let stats = match memory {
        Some(memory) => query_pair_remembered(a, pa, b, pb, &options, memory, &mut out),
        None => query_pair(a, pa, b, pb, &options, &mut out),
    };
    (out, stats.unwrap())
}

/// Length of the least translation that separates a pair, and the smaller radius.
fn truth(pair: &Pair) -> (f64, f64) {
    let of = pair.bodies.map(|k| &BODIES.0[k]);
    let [a, b] = [0, 1].map(|side| Convex::new(of[side], &pair.poses[side]));
    (least_translation(&a, &b), of[0].hull.radius().min(of[1].hull.radius()))
}

fn moved(pair: &Pair, by: &Vector) -> Pair {
    Pair { poses: [Translation3::from(*by) * pair.poses[0], pair.poses[1]], ..*pair }
}

/// Pushes A along its deepest contact until nothing is deeper than a thousandth of the radius; whether they are apart then.
fn comes_apart(mut pair: Pair, mut memory: Option<&mut PairMemory>) -> bool {
    let radius = truth(&pair).1;
    for _ in 0..STEPS {
        let (contacts, _) = ask(&pair, memory.as_deref_mut());
        let deepest = contacts.iter().max_by(|a, b| a.depth.total_cmp(&b.depth));
        let Some(deepest) = deepest.filter(|c| c.depth as f64 > 1e-6 * radius) else { break };
        pair = moved(&pair, &(normal(deepest) * deepest.depth as f64));
    }
    truth(&pair).0 <= 2e-3 * radius
}

fn share(of: &[bool]) -> f64 {
    of.iter().filter(|holds| **holds).count() as f64 / of.len() as f64
}

#[test]
fn contacts_push_bodies_apart() {
    let overlapping = |number: usize| {
        let pair = few::pair(&BODIES.0, number, 5);
        let (depth, radius) = truth(&pair);
        (depth > 2e-3 * radius).then(|| comes_apart(pair, None))
    };
    let apart: Vec<bool> = on_all_cores((0..3150).collect(), overlapping).into_iter().flatten().collect();
    println!("{} overlapping pairs, {:.2} % come apart", apart.len(), 100.0 * share(&apart));
    assert!(apart.len() > 1500 && share(&apart) >= 0.99);
}

/// Bodies that came from a side are pushed back there, however far they have crossed, and never the other way.
#[test]
fn a_memory_pushes_back_to_where_bodies_came_from() {
    let crossed = |number: usize| {
        let pair = few::pair(&BODIES.0, number, 7);
        let (depth, radius) = truth(&pair);
        if !CATEGORIES[pair.category].name.starts_with("plates") || depth <= 2e-3 * radius {
            return None;
        }
        // The way in: along any direction, from where they are apart.
        let way = Dice::new(number as u64).direction();
        let (mut memory, mut is_kept, mut last) = (PairMemory::default(), true, None);
        let reach = 2.0 * (BODIES.0[pair.bodies[0]].hull.radius() + BODIES.0[pair.bodies[1]].hull.radius());
        let far = (0..).map(|k| k as f64 * 0.02 * reach).find(|far| truth(&moved(&pair, &(way * *far))).0 < 0.0)?;
        // Farther than that, they have passed through each other.
        if far > radius {
            return None;
        }
        for step in (0..=40).rev() {
            let here = moved(&pair, &(way * (far * step as f64 / 40.0)));
            let (contacts, _) = ask(&here, Some(&mut memory));
            // The normal does not flip.
            let deep = contacts.iter().filter(|c| c.depth as f64 > 2e-3 * radius);
            let deepest = deep.max_by(|a, b| a.depth.total_cmp(&b.depth)).map(normal);
            is_kept &= last.zip(deepest).is_none_or(|(before, now): (Vector, Vector)| before.dot(&now) > -0.2);
            last = deepest;
        }
        Some([comes_apart(pair, Some(&mut memory)), is_kept])
    };
    let all: Vec<[bool; 2]> = on_all_cores((0..6300).collect(), crossed).into_iter().flatten().collect();
    let [apart, kept] = [0, 1].map(|k| share(&all.iter().map(|one| one[k]).collect::<Vec<_>>()));
    println!("{} pairs: {:.2} % come apart, {:.2} % never flip", all.len(), 100.0 * apart, 100.0 * kept);
    assert!(all.len() > 200 && apart >= 0.99 && kept >= 0.98);
}

/// Depths of convex bodies: about the least translation, never far above it, and all contacts push to one side.
#[test]
fn depths_are_about_the_least_translation() {
    let judge = |number: usize| {
        let pair = few::pair(&BODIES.0, number, 9);
        let (depth, radius) = truth(&pair);
        let contacts = ask(&pair, None).0;
        let found = contacts.iter().map(|c| c.depth as f64).fold(0.0, f64::max);
        let sum: Vector = contacts.iter().map(|c| normal(c) * c.depth.max(0.0) as f64).sum();
        let deep = |c: &&Contact| c.depth as f64 > 0.25 * found;
        let together = sum
            .try_normalize(0.0)
            .map_or(0.0, |common| contacts.iter().filter(deep).map(|c| normal(c).dot(&common)).fold(1.0, f64::min));
        (depth > 5e-3 * radius).then(|| [(found - depth) / radius, found / depth, together])
    };
    let all: Vec<[f64; 3]> = on_all_cores((0..3150).collect(), judge).into_iter().flatten().collect();
    let sorted = |k: usize| {
        let mut list: Vec<f64> = all.iter().map(|one| one[k]).collect();
        list.sort_by(f64::total_cmp);
        list
    };
    let [off, ratio, together] = [0, 1, 2].map(sorted);
    let at = |list: &[f64], share: f64| list[((list.len() - 1) as f64 * share) as usize];
    let ends = [0.01, 0.5, 0.99].map(|share| at(&ratio, share));
    println!("{} pairs: depth over least translation {ends:.3?} (1 %, median, 99 %)", all.len());
    println!("too deep by {:.4} of the radius (99 %), agreement {:.3} (1 %)", at(&off, 0.99), at(&together, 0.01));
    assert!(all.len() > 1500 && ends[0] > 0.9 && ends[2] < 1.05);
    assert!(at(&off, 0.99) < 0.02 && at(&together, 0.01) > 0.5);
}

/// Depths change no faster than the bodies move.
#[test]
fn depths_are_continuous() {
    let walk = |number: usize| {
        let pair = few::pair(&BODIES.0, number, 13);
        let (depth, radius) = truth(&pair);
        if depth <= 5e-3 * radius {
            return vec![];
        }
        let (way, step) = (Dice::new(number as u64).direction(), 1e-3 * radius);
        let deepest = |k: usize| {
            let contacts = ask(&moved(&pair, &(way * (k as f64 * step))), None).0;
            contacts.iter().map(|c| c.depth as f64).fold(0.0, f64::max)
        };
        let depths: Vec<f64> = (0..40).map(deepest).collect();
        depths.windows(2).map(|pair| (pair[1] - pair[0]).abs() / step).collect()
    };
    let mut changes: Vec<f64> = on_all_cores((0..630).collect(), walk).into_iter().flatten().collect();
    changes.sort_by(f64::total_cmp);
    let [half, most, all] = [0.5, 0.98, 1.0].map(|share| changes[((changes.len() - 1) as f64 * share) as usize]);
    println!("{} steps: change over motion {half:.2} (median), {most:.2} (98 %), {all:.1} (most)", changes.len());
    assert!(changes.len() > 5000 && most < 2.0);
}

#[test]
fn a_pair_that_has_not_moved_keeps_its_contacts() {
    for number in 0..400 {
        let pair = few::pair(&BODIES.0, number, 17);
        let radius = truth(&pair).1;
        let mut memory = PairMemory::default();
        let (first, stats) = ask(&pair, Some(&mut memory));
        assert!(!stats.is_recalled);
        let plain = ask(&pair, None).0;
        // With a memory, what is kept is given: the same but for the last bits.
        assert!(
            first.len() <= 8 && (plain.len() > 8 || are_alike(&first, &plain, radius)),
            "an empty memory changes nothing else"
        );
        let saved = memory;
        let mut dice = Dice::new(number as u64);
        for step in 0..20 {
            let by = dice.direction() * (2e-4 * radius);
            let turn = UnitQuaternion::from_scaled_axis(dice.direction() * 1e-5);
            let mut now = moved(&pair, &by);
            now.poses[0].rotation = turn * now.poses[0].rotation;
            let (contacts, stats) = ask(&now, Some(&mut memory));
            assert!(stats.is_recalled);
            let features = |list: &[Contact]| list.iter().map(|c| c.feature).collect::<Vec<_>>();
            assert_eq!(features(&contacts), features(&first));
            for (c, f) in contacts.iter().zip(&first) {
                let expected = f.depth as f64 - normal(f).dot(&by);
                assert!((c.depth as f64 - expected).abs() < 1e-4 * radius, "step {step}: {} {expected}", c.depth);
            }
            // Same memory and poses in, same bits out.
            let mut again = saved;
            assert_eq!(ask(&now, Some(&mut again)).0, contacts);
        }
        // Far enough, and it is looked at anew.
        let away = moved(&pair, &(dice.direction() * (0.01 * radius)));
        assert!(!ask(&away, Some(&mut memory)).1.is_recalled);
        assert_ne!(memory, saved);
    }
}

/// A box that rocks on another, by more than what still counts as at rest, keeps the features of its contacts.
#[test]
fn a_body_that_rocks_keeps_its_features() {
    let cube = crate::common::scenes::intact(shapes::cuboid([0.2; 3], [6; 3]));
    let below = Pose::identity();
    let features = |count: usize, mut memory: Option<&mut PairMemory>| {
        let mut sets = vec![];
        for step in 0..count {
            let around = [Vector::x(), Vector::y(), -Vector::x(), -Vector::y()][step % 4];
            let turn = UnitQuaternion::from_scaled_axis(around * 4e-4);
            let pose = Pose::from_parts(Translation3::new(0.01, 0.02, 0.2 - 1e-5), turn);
            let (options, mut out) = (QueryOptions::default(), vec![]);
            let stats = match memory.as_deref_mut() {
                Some(memory) => query_pair_remembered(&cube, &pose, &cube, &below, &options, memory, &mut out),
                None => query_pair(&cube, &pose, &cube, &below, &options, &mut out),
            };
            assert!(!stats.unwrap().is_recalled && !out.is_empty());
            let mut set: Vec<u32> = out.iter().map(|c| c.feature).collect();
            set.sort_unstable();
            sets.push(set);
        }
        sets.windows(2).filter(|pair| pair[0] != pair[1]).count()
    };
    let changes = [features(100, Some(&mut PairMemory::default())), features(100, None)];
    println!("{changes:?} changes in 100 steps, with and without a memory");
    assert!(changes[0] <= 8 && changes[1] > 50);
}

/// Of an upright shard in the middle of a board, the motion tells from where it came.
#[test]
fn motion_tells_from_where_bodies_came() {
    let board = crate::common::scenes::intact(shapes::cuboid([1.0, 1.0, 0.05], [8, 8, 1]));
    let shard = crate::common::scenes::intact(shapes::cuboid([0.06, 0.004, 0.04], [3, 1, 2]));
    let still = Motion::default();
    for (number, (speed, side)) in [(-5.0, 1.0), (5.0, -1.0)].into_iter().enumerate() {
        for place in 0..20 {
            let mut dice = Dice::new(place);
            let turn = UnitQuaternion::from_scaled_axis(dice.in_ball() * 0.2);
            let at = Translation3::new(dice.between(-0.3, 0.3), dice.between(-0.3, 0.3), dice.between(-0.004, 0.004));
            let (pose, options, mut out) = (Pose::from_parts(at, turn), QueryOptions::default(), vec![]);
            let (mut memory, motion) = (PairMemory::default(), Motion { linear: [1.0, 0.5, speed], angular: [0.0; 3] });
            let here = Pose::identity();
            let known = Some(&mut memory);
            query_pair_ahead(&shard, &pose, &motion, &board, &here, &still, 0.01, &options, known, &mut out).unwrap();
            assert!(out.iter().all(|c| c.normal[2] as f64 * side > 0.9), "{number}, {place}: {out:?}");
            assert!(out.iter().any(|c| c.depth > 0.03), "{number}, {place}: {out:?}");
            // Once it has been stopped, it is still pushed there.
            out.clear();
            let moved = Pose::from_parts((at.vector + Vector::z() * (0.002 * side)).into(), turn);
            query_pair_remembered(&shard, &moved, &board, &here, &options, &mut memory, &mut out).unwrap();
            assert!(out.iter().all(|c| c.normal[2] as f64 * side > 0.9), "{number}, {place}, then: {out:?}");
        }
    }
}

/// A pin in a ring is held by contacts that push against each other: it is not pushed out along its axis, neither where it is pressed and half
/// within, nor where it is far too thick and all the way through.
#[test]
fn a_pin_stays_in_its_ring() {
    let ring = crate::common::scenes::intact(shapes::torus(0.1, 0.03, 24, 3));
    for (thick, low) in [(0.1, -0.005), (0.13, -0.1)] {
        let pin = crate::common::scenes::intact(shapes::cuboid([thick, thick, 0.2], [4, 4, 8]));
        for place in 0..20 {
            let mut dice = Dice::new(place);
            let turn = UnitQuaternion::from_scaled_axis(Vector::z() * dice.between(0.0, 3.0));
            let at = Translation3::from(dice.in_ball() * 1e-3 + Vector::z() * (low + 0.1));
            let (mut out, options) = (vec![], QueryOptions::default());
            query_pair(&pin, &Pose::from_parts(at, turn), &ring, &Pose::identity(), &options, &mut out).unwrap();
            assert!(out.iter().any(|c| c.depth > 1e-5), "{thick}, {place}: {out:?}");
            assert!(out.iter().all(|c| c.normal[2].abs() < 0.5), "{thick}, {place}: {out:?}");
        }
    }
}

/// The same features, and the same numbers but for the rounding of what a memory keeps.
fn are_alike(first: &[Contact], second: &[Contact], radius: f64) -> bool {
    let near = |a: &[f32; 3], b: &[f32; 3], by: f64| a.iter().zip(b).all(|(a, b)| f64::from(a - b).abs() <= by);
    let alike = |(a, b): (&Contact, &Contact)| {
        let depths = f64::from(a.depth - b.depth).abs() <= 1e-6 * radius;
        a.feature == b.feature && depths && near(&a.point, &b.point, 1e-6 * radius) && near(&a.normal, &b.normal, 1e-6)
    };
    first.len() == second.len() && first.iter().zip(second).all(alike)
}

#[test]
fn any_memory_is_harmless() {
    let pair = few::pair(&BODIES.0, 3, 17);
    let other = few::pair(&BODIES.0, 11, 17);
    let mut of_other = PairMemory::default();
    ask(&other, Some(&mut of_other));
    // A memory of other bodies is noticed.
    let mut memory = of_other;
    assert_eq!(ask(&pair, Some(&mut memory)).0, ask(&pair, Some(&mut PairMemory::default())).0);
    // A box on the ground, by a plain shape.
    let cube = crate::common::scenes::intact(shapes::cuboid([1.0; 3], [2; 3]));
    let ground = Cuboid { centre: Point::new(0.0, 0.0, -1.0), half: Vector::new(5.0, 5.0, 1.0) };
    let (mut memory, mut first, mut second) = (PairMemory::default(), vec![], vec![]);
    let at = |z: f64| Pose::translation(0.0, 0.0, 0.5 + z);
    let still = Pose::identity();
    let options = QueryOptions::default();
    query_shape_remembered(&cube, &at(-0.001), &ground, &still, &options, &mut memory, &mut first).unwrap();
    let stats = query_shape_remembered(&cube, &at(-0.0011), &ground, &still, &options, &mut memory, &mut second);
    assert!(stats.unwrap().is_recalled && first.len() == 4 && second.len() == 4);
    assert!(first.iter().zip(&second).all(|(a, b)| (b.depth - a.depth - 0.0001).abs() < 1e-5));
}
