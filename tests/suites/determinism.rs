//! Same input, same output: bit for bit, for every number of threads and on every run.

use crate::common;

use common::stage::{Moment, Stage};
use common::surfaces::filled_solids;
use common::{data, scenes};
use fracas::contact::{QueryOptions, query_pair};
use fracas::fracture::pattern::Impact;
use fracas::{FractureOptions, Object, Outcome, Pattern, Point, Tasks, Vector, fracture, save_objects, shapes};

/// Everything that comes out, as text: floating-point numbers are printed so that different bits look different.
fn family(object: &Object, choose: usize, tasks: &Tasks) -> String {
    let options = FractureOptions { tasks: tasks.clone(), min_volume_share: 0.001, ..Default::default() };
    let mut text = String::new();
    let mut living = vec![object.clone()];
    for generation in 0..3 {
        let parent = living.remove(0);
        let (_, pattern) = scenes::patterns(&parent, generation).swap_remove(choose);
        match fracture(&parent, &pattern, &options).unwrap() {
            Outcome::Broken(result) => {
                text += &format!("{:?}\n{:?} {}\n", result.objects[0].made_by(), result.cells, result.vanished_cells);
                text += &format!("{:?}\n", result.objects.last().unwrap().surface());
                living.splice(0..0, result.objects);
            }
            Outcome::Whole { .. } => break,
        }
    }
    text
}

#[test]
fn every_number_of_threads_gives_the_same_bits() {
    let mut solids = vec![("ball", shapes::ball(0.1, 14)), ("brick", shapes::brick(2))];
    solids.extend(filled_solids());
    match data::mesh("bunny") {
        Some(solid) => solids.push(("bunny", solid)),
        None => data::skipped("the part on the bunny"),
    }
    let pools: Vec<Tasks> = [1, 2, 4].map(|threads| Tasks::pool(threads).unwrap()).into();
    for (shape, solid) in solids {
        let object = scenes::intact(solid);
        for choose in 0..scenes::patterns(&object, 0).len() {
            let expected = family(&object, choose, &Tasks::inline());
            assert!(expected.len() > 1000);
            for tasks in &pools {
                assert!(family(&object, choose, tasks) == expected, "{shape}: pattern {choose} depends on the threads");
            }
        }
    }
}

#[test]
fn events_may_run_on_many_threads_at_once() {
    let object = scenes::intact(shapes::ball(0.1, 10));
    let expected: Vec<String> = (0..4).map(|k| family(&object, k, &Tasks::inline())).collect();
    let shared = Tasks::pool(2).unwrap();
    std::thread::scope(|scope| {
        for k in 0..8 {
            let (object, expected, shared) = (&object, &expected, &shared);
            scope.spawn(move || assert!(family(object, k % 4, shared) == expected[k % 4]));
        }
    });
}

/// FNV-1a: the same on every machine.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ *byte as u64).wrapping_mul(0x100_0000_01b3))
}

/// Contacts of all near pairs in all moments, of sample points only and of all, and the saved bytes of asset and pieces.
fn golden(stage: &Stage) -> [u64; 3] {
    let pieces = stage.broken();
    let contacts = [true, false].map(|points_only| {
        let mut contacts = vec![];
        for (moment, adapter) in Moment::ALL.into_iter().flat_map(|moment| [(moment, false), (moment, true)]) {
            let options = QueryOptions {
                shortest_way: !adapter,
                max_per_normal: if adapter { 4 } else { u32::MAX },
                points_only,
                ..Default::default()
            };
            let frame = stage.frame(&pieces, moment, 1);
            for &(a, b) in &frame.pairs {
                query_pair(&pieces[a], &frame.poses[a], &pieces[b], &frame.poses[b], &options, &mut contacts).unwrap();
            }
        }
        hash(format!("{contacts:?}").as_bytes())
    });
    let asset = stage.bodies[0].0.asset();
    let saved = [asset.save(), save_objects(&pieces).unwrap()].concat();
    [contacts[0], contacts[1], hash(&saved)]
}

/// What a change of the code must not change unless it means to: then the new numbers are written here.
#[test]
fn contacts_and_files_are_what_they_were() {
    let brick = || scenes::intact(shapes::brick(2));
    let blow = Impact { point: Point::new(0.1, 0.0, 0.0), direction: Vector::y(), radius: 0.1, count: 12, seed: 3 };
    let stages = [
        Stage::single("brick", brick(), Pattern::random_voronoi(12, 1)),
        Stage::single("brick, rough", brick(), Pattern::random_voronoi(12, 1).rough(scenes::ROUGH)),
        Stage::single("blow", brick(), Pattern::impact(blow)),
        Stage::single("ball", scenes::intact(shapes::ball(0.1, 10)), Pattern::random_voronoi(20, 2)),
        Stage::single("shell", scenes::intact(shapes::hollow_ball(0.1, 12, 2)), Pattern::random_voronoi(20, 3)),
    ];
    let found = stages.each_ref().map(golden);
    let known = [
        [0x22a7249c8d17d27e, 0x8a4f2caea42b3bd1, 0x388bbc9b3d140695],
        [0x7c5f03c67496d974, 0xfae5ed832931ac5e, 0xbba9d596979aa0df],
        [0xd51f1ab895695260, 0x3d00dd2a2d897979, 0x3891ca7ffc98658a],
        [0x3a3d5bbe84693c99, 0x895bf585c5613bde, 0x419de050b9b05a1b],
        [0xa68e781d8dd5f786, 0xfc3e1cb767830e93, 0xbafa40c6b9af0a17],
    ];
    assert_eq!(found, known, "{found:#x?}");
}
