//! A warm query uses no heap: what it needs, the thread keeps. Counted by an allocator of this program's own.

mod common;

use common::heap::{Counting, counts};
use common::{scenes, trees};
use fracas::contact::{Mode, QueryOptions, Structure, query_pair, query_shape};
use fracas::field::shape::{Ball, Capsule, Cuboid, HalfSpace};
use fracas::fracture::pattern::Impact;
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::{FractureOptions, Object, Pattern, Point, Vector, fracture, shapes};

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_warm_query_does_not_allocate() {
    let ball = trees::cooked(shapes::ball(0.1, 10));
    assert!(counts().blocks > 100, "is the allocator in use?");
    let pattern = Pattern::random_voronoi(10, 1).rough(scenes::ROUGH);
    let pieces = fracture(&ball, &pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects;
    let floor = HalfSpace(Plane { normal: Vector::z(), offset: -0.05 });
    let (centre, ends) = (Point::new(0.0, 0.0, 0.09), [-0.1, 0.1].map(|x| Point::new(x, 0.0, 0.09)));
    let round = Ball { centre, radius: 0.02 };
    let cuboid = Cuboid { centre, half: Vector::repeat(0.03) };
    let capsule = Capsule { ends, radius: 0.02 };
    let here = Pose::identity();
    let modes = [Mode::Full, Mode::TargetThenDeep, Mode::Exactly, Mode::TargetThenDeeper];
    let ways = [Structure::Buckets, Structure::SphereTree].into_iter().flat_map(|s| modes.map(|m| (s, m)));
    for (structure, mode) in ways {
        let options = QueryOptions { mode, structure, max_per_normal: 4, max_contacts: 6, ..Default::default() };
        let mut out = vec![];
        let mut pass = |shift: f64| {
            out.clear();
            for a in &pieces {
                for b in &pieces {
                    let there = Pose::translation(shift, 0.0, 0.0);
                    query_pair(a, &there, b, &here, &options, &mut out).unwrap();
                }
                query_shape(a, &here, &floor, &here, &options, &mut out).unwrap();
                query_shape(a, &here, &round, &here, &options, &mut out).unwrap();
                query_shape(a, &here, &cuboid, &here, &options, &mut out).unwrap();
                query_shape(a, &here, &capsule, &here, &options, &mut out).unwrap();
            }
            out.len()
        };
        // The first passes prepare what is prepared when first asked for, and let the lists grow.
        let found = pass(0.002) + pass(0.0);
        let before = counts().blocks;
        assert_eq!(pass(0.002) + pass(0.0), found);
        assert_eq!(counts().blocks - before, 0, "{structure:?}, {mode:?}: a warm query used the heap");
        assert!(found > 100);
    }
    // Nor does the first query of pieces that were prepared, whatever they are made of.
    let blow = Impact { point: Point::new(0.1, 0.0, 0.0), direction: -Vector::x(), radius: 0.06, count: 12, seed: 5 };
    let blow = Pattern::impact(blow);
    for pattern in [Pattern::random_voronoi(10, 2), Pattern::random_voronoi(10, 2).rough(scenes::ROUGH), blow] {
        let pieces = fracture(&ball, &pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects;
        pieces.iter().for_each(Object::prepare);
        let mut out = Vec::with_capacity(1 << 16);
        let before = counts().blocks;
        for (a, b) in pieces.iter().flat_map(|a| pieces.iter().map(move |b| (a, b))) {
            let there = Pose::translation(0.002, 0.0, 0.0);
            query_pair(a, &there, b, &here, &QueryOptions::default(), &mut out).unwrap();
        }
        assert_eq!(counts().blocks - before, 0, "a query of prepared pieces used the heap");
        assert!(out.len() > 100);
    }
}
