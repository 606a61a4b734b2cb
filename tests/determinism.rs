//! Same input, same output: bit for bit, for every number of threads and on every run.

mod common;

use common::surfaces::filled_solids;
use common::{data, scenes};
use fracas::{FractureOptions, Object, Outcome, Tasks, fracture, shapes};

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
