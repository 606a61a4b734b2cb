//! What is kept of a pair is what its first query returns.

use crate::common::dice::Dice;
use crate::common::few::{Few, bodies};
use fracas::contact::{PairMemory, QueryOptions, query_pair_remembered, query_shape_remembered};
use fracas::field::shape::HalfSpace;
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::{Object, Vector};

/// Bodies that have not moved have the contacts of their first query in the second one and in all others, bit for bit, wherever in the world they are.
#[test]
fn the_first_query_returns_what_is_kept() {
    let bodies: Vec<Few> = bodies(3, 4);
    let objects: Vec<Object> = bodies.iter().map(Few::object).collect();
    let floor = HalfSpace(Plane { normal: Vector::z(), offset: 0.0 });
    let (mut touching, mut changed) = ([0; 2], [0; 2]);
    for number in 0..600 {
        let mut dice = Dice::new(number);
        let [a, b] = [0, 1].map(|_| dice.index(objects.len()));
        let far = dice.in_ball() * 100.0;
        let apart = 0.5 * (bodies[a].hull.radius() + bodies[b].hull.radius());
        let there = Pose::from_parts((far + dice.direction() * apart).into(), dice.rotation());
        let here = Pose::from_parts(far.into(), dice.rotation());
        let options = QueryOptions::default();
        let low = Pose::from_parts((dice.in_ball() * 0.5 * bodies[a].hull.radius()).into(), dice.rotation());
        let mut memories = [PairMemory::default(); 2];
        let mut found: [Vec<_>; 2] = Default::default();
        for query in 0..3 {
            let mut contacts = [vec![], vec![]];
            let [of_pair, of_floor] = &mut contacts;
            query_pair_remembered(&objects[a], &there, &objects[b], &here, &options, &mut memories[0], of_pair)
                .unwrap();
            let still = Pose::identity();
            query_shape_remembered(&objects[a], &low, &floor, &still, &options, &mut memories[1], of_floor).unwrap();
            for k in 0..2 {
                if query == 0 {
                    touching[k] += !contacts[k].is_empty() as usize;
                } else {
                    changed[k] += (contacts[k] != found[k]) as usize;
                }
            }
            found = contacts;
        }
    }
    println!("{touching:?} touch, {changed:?} queries gave other bits than the one before");
    assert!(touching.iter().all(|count| *count > 100) && changed == [0, 0], "{changed:?} of {touching:?}");
}
