//! A warm query uses no heap: what it needs, the thread keeps. Counted by an allocator of this program's own.

mod common;

use common::heap::{Counting, counts};
use common::{scenes, trees};
use fracas::contact::{
    Mode, QueryOptions, Structure, SweepOptions, distance, query_pair, query_shape, query_soft_object,
    query_soft_shape, sweep_pair, sweep_shape,
};
use fracas::field::shape::{Ball, Capsule, Cuboid, HalfSpace};
use fracas::fracture::pattern::Impact;
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::penalty::{DepthMethod, PenaltyOptions, PenaltyScratch, Penetrating, SoftBody};
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
    soft_bodies(&pieces);
}

/// Apart, touching, and with hulls that overlap.
#[test]
fn warm_sweeps_and_distances_do_not_allocate() {
    let ball = trees::cooked(shapes::ball(0.1, 10));
    let pattern = Pattern::random_voronoi(8, 1).rough(scenes::ROUGH);
    let pieces = &fracture(&ball, &pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects;
    let options = SweepOptions::default();
    let (start, end) = (Pose::translation(0.0, 0.0, 0.3), Pose::translation(0.01, 0.0, -0.3));
    let (here, beside) = (Pose::identity(), Pose::translation(0.003, 0.0, 0.0));
    let cuboid = Cuboid { centre: Point::origin(), half: Vector::repeat(0.03) };
    let floor = HalfSpace(Plane { normal: Vector::z(), offset: 0.0 });
    let pass = || {
        let mut found = 0;
        for a in pieces {
            for b in pieces {
                found += sweep_pair(a, [&start, &end], b, [&here; 2], &options).unwrap().is_some() as usize;
                found += sweep_pair(a, [&beside, &end], b, [&here; 2], &options).unwrap().is_some() as usize;
                found += distance(a, &beside, b, &here, 0.1).unwrap().is_some() as usize;
            }
            found += sweep_shape(a, [&start, &end], &cuboid, [&here; 2], &options).unwrap().is_some() as usize;
            found += sweep_shape(a, [&start, &end], &floor, [&here; 2], &options).unwrap().is_some() as usize;
        }
        found
    };
    let found = pass();
    let before = counts().blocks;
    assert_eq!(pass(), found);
    assert_eq!(counts().blocks - before, 0, "a warm sweep used the heap");
    assert!(found > pieces.len() * pieces.len(), "{found}");
}

/// Steps of soft bodies: positions, update, all queries.
fn soft_bodies(pieces: &[Object]) {
    let solid = shapes::ball(0.1, 8);
    let mut bodies = [0, 1].map(|_| SoftBody::new(solid.nodes(), solid.tets()).unwrap());
    let floor = HalfSpace(Plane { normal: Vector::z(), offset: -0.08 });
    let (probe, square) = (
        Ball { centre: Point::new(0.1, 0.0, 0.0), radius: 0.01 },
        Cuboid { centre: Point::new(0.1, 0.0, 0.0), half: Vector::repeat(0.02) },
    );
    let cloth: Vec<Point> = [[-0.1, -0.1, 0.02], [0.1, -0.1, 0.02], [0.0, 0.1, 0.02]].map(Point::from).into();
    let here = Pose::identity();
    let mut scratch = PenaltyScratch::default();
    let mut out = vec![];
    let methods = [DepthMethod::Exact, DepthMethod::ClosestFeature, DepthMethod::ClosestPoint];
    let whats = [Penetrating::Points, Penetrating::Segments, Penetrating::AllSegments];
    let mut pass = || {
        out.clear();
        for step in 0..3 {
            for (k, body) in bodies.iter_mut().enumerate() {
                let shift = Vector::new(0.17 * k as f64, 0.001 * step as f64, 0.0);
                body.set_positions(solid.nodes().iter().map(|p| p + shift)).unwrap();
                body.update();
            }
            let [a, b] = &bodies;
            for (depths, what) in methods.into_iter().flat_map(|m| whats.map(|w| (m, w))) {
                for (smooth, measured) in [(false, false), (true, false), (false, true)] {
                    let options = PenaltyOptions { depths, penetrating: [what; 2], smooth, measured };
                    a.penalties(b, &options, &mut scratch, &mut out).unwrap();
                    a.penalties_of_triangles(&cloth, &[[0, 1, 2]], &options, &mut scratch, &mut out).unwrap();
                    query_soft_shape(a, &floor, &here, &options, &mut scratch, &mut out).unwrap();
                    query_soft_shape(a, &probe, &here, &options, &mut scratch, &mut out).unwrap();
                    query_soft_shape(a, &square, &here, &options, &mut scratch, &mut out).unwrap();
                    query_soft_object(a, &pieces[0], &here, &options, &mut scratch, &mut out).unwrap();
                }
            }
            for method in methods {
                a.find_depths(Some(&[3, 40, 100]), method, &mut scratch).unwrap();
                b.find_depths(None, method, &mut scratch).unwrap();
            }
            a.find_distance(&Point::new(0.01, 0.02, 0.03), &mut scratch).unwrap();
        }
        out.len()
    };
    let found = pass();
    let before = counts().blocks;
    assert_eq!(pass(), found);
    assert_eq!(counts().blocks - before, 0, "a warm step of soft bodies used the heap");
    assert!(found > 1000);
}
