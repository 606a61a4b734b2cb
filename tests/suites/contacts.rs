//! The contact query against brute force over all samples, with exact distances to the exported surfaces.

use crate::common;

use common::judge::Judge;
use common::pairs::{broken, poses, query, random_rotation};
use common::trees::with_trees;
use common::{is_full, on_all_cores, pairs, scenes};
use fracas::contact::{
    Contact, Feature, FeatureKind, Mode, Motion, PairMemory, QueryOptions, QueryPair, Step, Structure, query_pair,
    query_pair_ahead, query_pairs, query_pairs_in_step, query_shape,
};
use fracas::field::shape::{Ball, Capsule, Cuboid, HalfSpace};
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::geom::random::unit;
use fracas::{Asset, CookOptions, Object, Pattern, Point, Solid, Tasks, Vector, shapes};
use nalgebra::{Translation3, UnitQuaternion};
use std::collections::BTreeMap;

fn cooked(solid: Solid) -> Object {
    Object::intact(&Asset::cook(solid, &CookOptions::default()).unwrap()).remove(0)
}

/// All samples of an object, with their feature numbers and positions in its asset's frame.
fn samples(object: &Object, of_b: bool) -> Vec<(u32, Point)> {
    let solid = object.asset().solid();
    let first = solid.nodes().len() as u32;
    let skin: std::collections::BTreeSet<u32> = solid.skin().iter().flat_map(|s| s.nodes).collect();
    let nodes = object.nodes().iter().filter(|n| skin.contains(n)).map(|n| (*n, solid.nodes()[*n as usize]));
    let cracks = object.crack_points().iter().map(|p| (first + p.id, p.at));
    nodes.chain(cracks).map(|(id, at)| (Feature { of_b, kind: FeatureKind::Sample, id }.encoded(), at)).collect()
}

/// Signed depth (positive inside) of every sample within the margin, by feature.
fn brute(
    samples_of: &Object,
    field_of: &Object,
    judge: &Judge,
    relative: &Pose,
    margin: f64,
    of_b: bool,
) -> BTreeMap<u32, f64> {
    let mut found = BTreeMap::new();
    let bounds = field_of.bounds();
    for (feature, at) in samples(samples_of, of_b) {
        let p = relative * at;
        let near = (0..3).all(|k| p[k] >= bounds.min[k] - margin && p[k] <= bounds.max[k] + margin);
        if near {
            if judge.inside(&p) {
                found.insert(feature, judge.distance(&p));
            } else if let Some(gap) = judge.distance_within(&p, margin) {
                found.insert(feature, -gap);
            }
        }
    }
    found
}

#[test]
fn full_mode_misses_nothing_and_invents_nothing() {
    let bodies = pairs::bodies(&with_trees());
    let judges: Vec<Judge> = bodies.iter().map(Judge::new).collect();
    let count = if is_full() { 2100 } else { 600 };
    let results = on_all_cores((0..count as u64).collect(), |seed| {
        let (mut excepted, mut errors) = (0, vec![]);
        let (i, j) = ((unit(seed, 50) * bodies.len() as f64) as usize, (unit(seed, 51) * bodies.len() as f64) as usize);
        let (a, b) = (&bodies[i], &bodies[j]);
        let (pa, pb) = poses(a, b, seed * 7);
        let h = a.asset().mean_edge().min(b.asset().mean_edge());
        let margin = h * [0.0, 0.5, 4.0][seed as usize % 3];
        let options = QueryOptions { margin: Some(margin), ..QueryOptions::every_sample() };
        let (contacts, stats) = query(a, &pa, b, &pb, &options);
        assert_eq!(stats.found as usize, contacts.len());
        // Bit for bit, and in the same order: that depends on the contacts only.
        let (by_trees, _) = query(a, &pa, b, &pb, &QueryOptions { structure: Structure::SphereTree, ..options });
        assert_eq!(by_trees, contacts, "pair {seed}, bodies {i} and {j}: sphere trees find others than buckets");
        let mut exact = brute(a, b, &judges[j], &pb.inv_mul(&pa), margin, false);
        exact.extend(brute(b, a, &judges[i], &pa.inv_mul(&pb), margin, true));
        let rounding = 1e-5 * a.asset().radius().max(b.asset().radius());
        let found: BTreeMap<u32, f64> = contacts.iter().map(|c| (c.feature, c.depth as f64)).collect();
        assert_eq!(found.len(), contacts.len(), "a feature came twice");
        for (feature, depth) in &exact {
            // At the limit of what counts: the surface itself without a margin, or exactly a margin away.
            let limit = (depth + margin).abs() <= rounding || (margin == 0.0 && depth.abs() <= rounding);
            match found.get(feature) {
                Some(other) => {
                    errors.push((other - depth).abs() / h);
                    assert!(depth.signum() == other.signum() || depth.abs() <= rounding, "{depth} became {other}");
                }
                None if limit => excepted += 1,
                None => panic!(
                    "pair {seed}, bodies {i} and {j}: a sample at depth {depth:e} (margin {margin:e}) was missed"
                ),
            }
        }
        for (feature, depth) in &found {
            if !exact.contains_key(feature) {
                let edge = depth.abs() <= rounding || (depth + margin).abs() <= rounding;
                assert!(edge, "pair {seed}, bodies {i} and {j}: a contact at depth {depth:e} was invented");
                excepted += 1;
            }
        }
        (!exact.is_empty(), excepted, errors)
    });
    let touching = results.iter().filter(|(is_touching, ..)| *is_touching).count();
    let excepted: usize = results.iter().map(|(_, excepted, _)| excepted).sum();
    let mut errors: Vec<f64> = results.into_iter().flat_map(|(.., errors)| errors).collect();
    let compared = errors.len();
    errors.sort_by(f64::total_cmp);
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    println!(
        "{count} pairs, {touching} touching: {compared} samples found as brute force finds them, by buckets and by sphere trees, {excepted} at the limit; depth error mean {mean:.4} h, 95 % {:.4} h, max {:.4} h",
        errors[errors.len() * 95 / 100],
        errors[errors.len() - 1]
    );
    assert!(touching > count / 3 && compared > 10 * count && excepted < compared / 1000 + 20);
}

/// However deep the bodies overlap: no common direction is put in its place.
#[test]
fn the_shortest_way_out_is_that_of_each_point() {
    let bodies = pairs::bodies(&CookOptions::default());
    let (mut compared, mut deep) = (0, 0);
    for seed in 0..300u64 {
        let (i, j) = ((unit(seed, 50) * bodies.len() as f64) as usize, (unit(seed, 51) * bodies.len() as f64) as usize);
        let (a, b) = (&bodies[i], &bodies[j]);
        let (pa, pb) = poses(a, b, seed * 13 + 3);
        let radius = a.bounds().radius().min(b.bounds().radius()) as f32;
        let (every, _) = query(a, &pa, b, &pb, &QueryOptions::every_sample());
        let (some, _) = query(a, &pa, b, &pb, &QueryOptions { shortest_way: true, ..QueryOptions::default() });
        for contact in &some {
            let Some(own) = every.iter().find(|own| own.feature == contact.feature) else { continue };
            assert!(
                (own.depth - contact.depth).abs() < 1e-5 * radius,
                "pair {seed}: {} for {}",
                contact.depth,
                own.depth
            );
            compared += 1;
            deep += (own.depth > 0.05 * radius) as usize;
        }
    }
    println!("{compared} contacts have the depths of their points, {deep} of them deep");
    assert!(compared > 500 && deep > 100);
}

#[test]
fn adaptive_modes_keep_what_they_promise() {
    let bodies = pairs::bodies(&CookOptions::default());
    let (mut pairs, mut all, mut kept, mut evaluations, mut shallower) = (0, 0, 0, 0, 0.0);
    for seed in 0..700u64 {
        let (i, j) = ((unit(seed, 50) * bodies.len() as f64) as usize, (unit(seed, 51) * bodies.len() as f64) as usize);
        let (a, b) = (&bodies[i], &bodies[j]);
        let (pa, pb) = poses(a, b, seed * 13 + 3);
        let radius = a.bounds().radius().min(b.bounds().radius());
        let tolerance = 0.002 * radius;
        let with = |mode| QueryOptions { mode, points_only: true, ..QueryOptions::every_sample() };
        let (full, _) = query(a, &pa, b, &pb, &with(Mode::Full));
        if full.is_empty() {
            for mode in [Mode::TargetThenDeep, Mode::Exactly, Mode::TargetThenDeeper] {
                assert!(query(a, &pa, b, &pb, &with(mode)).0.is_empty());
            }
            continue;
        }
        pairs += 1;
        let (deep, _) = query(a, &pa, b, &pb, &with(Mode::TargetThenDeep));
        for c in full.iter().filter(|c| c.depth as f64 > tolerance * 1.001) {
            assert!(deep.iter().any(|d| d.feature == c.feature), "a contact {} deep is missing", c.depth);
        }
        let (exactly, _) = query(a, &pa, b, &pb, &with(Mode::Exactly));
        assert_eq!(exactly.len(), full.len().min(8));
        let (few, stats) = query(a, &pa, b, &pb, &with(Mode::TargetThenDeeper));
        // A tolerance that is given is kept; the default is as large as a quarter of what was found.
        let strict = QueryOptions { tolerance: Some(tolerance), ..with(Mode::TargetThenDeeper) };
        let (closer, _) = query(a, &pa, b, &pb, &strict);
        for (found, tolerance) in [(&closer, tolerance), (&few, tolerance.max(0.25 * few[0].depth as f64))] {
            assert!(found.len() >= full.len().min(8));
            let missing = (full[0].depth - found[0].depth) as f64;
            assert!(missing <= tolerance * 1.001, "{} instead of {}", found[0].depth, full[0].depth);
        }
        if full[0].depth as f64 > tolerance {
            shallower += 1.0 - few[0].depth as f64 / full[0].depth as f64;
        }
        all += full.len();
        kept += few.len();
        evaluations += stats.evaluations;
        // Limits are told, not silent.
        let mut out = vec![];
        let limited = QueryOptions { max_contacts: 3, ..with(Mode::Full) };
        let stats = query_pair(a, &pa, b, &pb, &limited, &mut out).unwrap();
        assert_eq!(
            (out.len(), stats.found as usize, stats.left_out as usize),
            (full.len().min(3), full.len(), full.len() - full.len().min(3))
        );
        assert_eq!(out[0], full[0], "the deepest is kept");
        assert!(out.iter().all(|c| full.contains(c)), "a limit makes no contacts");
    }
    println!(
        "{pairs} touching pairs: {all} contacts in full, {kept} by default, {:.1} evaluations a pair; the deepest is {:.1} % less deep",
        evaluations as f64 / pairs as f64,
        100.0 * shallower / pairs as f64
    );
}

#[test]
fn swapping_moving_and_scaling_change_nothing() {
    let bodies = pairs::bodies(&CookOptions::default());
    for seed in 0..300u64 {
        let (i, j) = ((unit(seed, 50) * bodies.len() as f64) as usize, (unit(seed, 51) * bodies.len() as f64) as usize);
        let (a, b) = (&bodies[i], &bodies[j]);
        let (pa, pb) = poses(a, b, seed * 11 + 1);
        for mode in [Mode::Full, Mode::TargetThenDeeper] {
            let options = QueryOptions { mode, origin: Some([0.0; 3]), ..Default::default() };
            let (one, _) = query(a, &pa, b, &pb, &options);
            let (other, _) = query(b, &pb, a, &pa, &options);
            assert_eq!(one.len(), other.len());
            for (c, d) in one.iter().zip(&other) {
                assert_eq!(c.point, d.point);
                assert_eq!(c.depth, d.depth);
                assert_eq!(c.normal.map(|n| -n), d.normal);
                assert_eq!(c.feature ^ 1 << 31, d.feature);
            }
            assert_eq!(query(a, &pa, b, &pb, &options).0, one, "another run, other contacts");
        }
        let options = QueryOptions::every_sample();
        let features = |contacts: &[Contact]| {
            contacts
                .iter()
                .filter(|c| c.depth.abs() > 1e-4)
                .map(|c| c.feature)
                .collect::<std::collections::BTreeSet<_>>()
        };
        let motion = Pose::from_parts(Translation3::new(3.0, -2.0, 7.0), random_rotation(seed + 99));
        let (here, _) = query(a, &pa, b, &pb, &options);
        let (there, _) = query(a, &(motion * pa), b, &(motion * pb), &options);
        assert_eq!(features(&here), features(&there));
    }
}

#[test]
fn midpoints_and_normals_are_as_promised() {
    let bodies = pairs::bodies(&CookOptions::default());
    for seed in 0..200u64 {
        let (i, j) = ((unit(seed, 50) * bodies.len() as f64) as usize, (unit(seed, 51) * bodies.len() as f64) as usize);
        let (a, b) = (&bodies[i], &bodies[j]);
        let (pa, pb) = poses(a, b, seed * 17 + 5);
        let (contacts, _) = query(a, &pa, b, &pb, &QueryOptions::every_sample());
        for c in contacts {
            let n = Vector::from(c.normal.map(f64::from));
            assert!((n.norm() - 1.0).abs() < 1e-3);
            let p = Vector::from(c.point.map(f64::from)) + pa.translation.vector;
            let feature = Feature::decoded(c.feature);
            let (object, pose, sign) = if feature.of_b { (b, &pb, 0.5) } else { (a, &pa, -0.5) };
            let own = p + n * (sign * c.depth as f64);
            let (_, at) = samples(object, feature.of_b).into_iter().find(|(f, _)| *f == c.feature).unwrap();
            assert!(((pose * at).coords - own).norm() < 1e-4, "the sample is not where the contact says");
        }
    }
}

/// Just fractured: fragments touch at zero depth. (Their normals: tests/suites/resting.rs.)
#[test]
fn fragments_at_rest_touch_without_penetrating() {
    for (name, rough) in [("smooth", false), ("rough", true)] {
        let object = cooked(shapes::ball(0.1, 16));
        let mut pattern = Pattern::random_voronoi(27, 1);
        if rough {
            pattern = pattern.rough(scenes::ROUGH);
        }
        let pieces = broken(&object, &pattern);
        let radius = object.asset().radius();
        let pose = Pose::from_parts(Translation3::new(1.0, 2.0, 3.0), random_rotation(4));
        let (mut pairs, mut evaluations, mut spheres, mut contacts, mut deepest) = (0, 0, 0, 0, 0.0f64);
        for touching in pieces[0].adjacency() {
            let [i, j] = touching.pieces.map(|k| k as usize);
            let (found, stats) = query(&pieces[i], &pose, &pieces[j], &pose, &QueryOptions::default());
            let small = pieces[i].bounds().radius().min(pieces[j].bounds().radius());
            // Cracks smaller than what the margin resolves may have no sample.
            if touching.area > 0.001 * small * small {
                assert!(!found.is_empty(), "{name}: {i} and {j} share {:.2e} and have no contact", touching.area);
            }
            pairs += 1;
            evaluations += stats.evaluations;
            spheres += stats.spheres_visited;
            contacts += found.len();
            deepest = found.iter().map(|c| c.depth as f64).fold(deepest, f64::max);
        }
        println!(
            "{name}: {pairs} touching pairs, {:.1} contacts, {:.1} evaluations, {:.0} spheres a pair; deepest {:.2e} of the radius",
            contacts as f64 / pairs as f64,
            evaluations as f64 / pairs as f64,
            spheres as f64 / pairs as f64,
            deepest / radius
        );
        assert!(deepest <= 0.002 * radius);
    }
}

#[test]
fn closed_forms() {
    let ball = cooked(shapes::ball(0.5, 16));
    let options = QueryOptions::default();
    let floor = HalfSpace(Plane { normal: Vector::z(), offset: 0.0 });
    let mut out = vec![];
    let shape_query = |object: &Object, pose: &Pose, out: &mut Vec<Contact>| {
        out.clear();
        query_shape(object, pose, &floor, &Pose::identity(), &options, out).unwrap()
    };
    shape_query(&ball, &Pose::translation(0.0, 0.0, 0.45), &mut out);
    assert!((out[0].depth - 0.05).abs() < 1e-3 && out[0].normal == [0.0, 0.0, 1.0], "{:?}", out[0]);
    shape_query(&ball, &Pose::translation(0.0, 0.0, 0.6), &mut out);
    assert!(out.is_empty());

    let cube = cooked(shapes::cuboid([1.0, 1.0, 1.0], [6, 6, 6]));
    let (on_top, _) = query(&cube, &Pose::translation(0.0, 0.0, 0.99), &cube, &Pose::identity(), &options);
    assert!((on_top[0].depth - 0.01).abs() < 1e-4 && on_top[0].normal[2] > 0.999, "{:?}", on_top[0]);
    let deep: Vec<&Contact> = on_top.iter().filter(|c| c.depth > 0.009).collect();
    for k in 0..2 {
        let (low, high) = deep.iter().fold((f32::MAX, f32::MIN), |(l, h), c| (l.min(c.point[k]), h.max(c.point[k])));
        assert!(high - low > 0.3, "the contacts are spread: {on_top:?}");
    }

    // A ball in a bowl: the inside of a hollow ball.
    let bowl = cooked(shapes::hollow_ball(1.0, 20, 3));
    let small = cooked(shapes::ball(0.2, 12));
    let cavity = 0.7;
    let (inside, _) =
        query(&small, &Pose::translation(0.0, 0.0, -(cavity - 0.2 + 0.02)), &bowl, &Pose::identity(), &options);
    assert!((inside[0].depth - 0.02).abs() < 0.01 && inside[0].normal[2] > 0.97, "{:?}", inside[0]);

    let plate = cooked(shapes::cuboid([1.0, 1.0, 0.05], [16, 16, 1]));
    let capsule = Capsule { ends: [Point::new(-0.3, 0.0, 0.0), Point::new(0.3, 0.0, 0.0)], radius: 0.1 };
    out.clear();
    query_shape(
        &plate,
        &Pose::identity(),
        &capsule,
        &Pose::translation(0.0, 0.0, 0.025 + 0.1 - 0.01),
        &options,
        &mut out,
    )
    .unwrap();
    assert!(!out.is_empty() && (out[0].depth - 0.01).abs() < 1e-3 && out[0].normal[2] < -0.99, "{:?}", out.first());
    out.clear();
    let (centre, half) = (Point::origin(), Vector::repeat(0.3));
    query_shape(
        &ball,
        &Pose::translation(0.0, 0.0, 0.79),
        &Cuboid { centre, half },
        &Pose::identity(),
        &options,
        &mut out,
    )
    .unwrap();
    assert!((out[0].depth - 0.01).abs() < 1e-3 && out[0].normal[2] > 0.99);
    out.clear();
    query_shape(
        &ball,
        &Pose::translation(0.0, 0.0, 0.79),
        &Ball { centre, radius: 0.3 },
        &Pose::identity(),
        &options,
        &mut out,
    )
    .unwrap();
    assert!((out[0].depth - 0.01).abs() < 1e-3 && out[0].normal[2] > 0.99);
}

#[test]
fn batches_are_the_same_for_every_number_of_threads() {
    let pieces = broken(&cooked(shapes::ball(0.1, 12)), &Pattern::random_voronoi(16, 3));
    let poses: Vec<Pose> = (0..pieces.len() as u64)
        .map(|k| {
            Pose::from_parts(
                Translation3::from(scenes::direction(k) * 0.003),
                UnitQuaternion::from_scaled_axis(scenes::direction(k + 50) * 0.05),
            )
        })
        .collect();
    let mut pairs = vec![];
    for i in 0..pieces.len() {
        for j in 0..i {
            pairs.push(QueryPair { a: (&pieces[i], &poses[i]), b: (&pieces[j], &poses[j]), weight: 1.0 });
        }
    }
    let nowhere = Pose::translation(f64::NAN, 0.0, 0.0);
    pairs.push(QueryPair { a: (&pieces[0], &nowhere), b: (&pieces[1], &poses[1]), weight: 1.0 });
    let expected = query_pairs(&pairs, &QueryOptions::default(), &Tasks::inline());
    assert!(expected.0.len() > 100 && expected.1.len() == pairs.len() + 1);
    assert!(expected.2.last().unwrap().is_err(), "a bad pose is that pair's own error");
    for threads in [1, 2, 4] {
        assert!(query_pairs(&pairs, &QueryOptions::default(), &Tasks::pool(threads).unwrap()) == expected);
    }
    for (k, pair) in pairs.iter().enumerate().take(pairs.len() - 1) {
        let (alone, _) = query(pair.a.0, pair.a.1, pair.b.0, pair.b.1, &QueryOptions::default());
        assert_eq!(alone, expected.0[expected.1[k] as usize..expected.1[k + 1] as usize]);
    }
}

/// Frames of falling pieces: with memories and motions a batch gives what each pair gives alone, and leaves the same memories.
#[test]
fn batches_keep_memories_and_look_ahead() {
    let pieces = broken(&cooked(shapes::ball(0.1, 12)), &Pattern::random_voronoi(16, 3));
    let motion = |k: usize| Motion {
        linear: (scenes::direction(k as u64) * 2.0 - pieces[k].mass().centre.coords * 40.0).into(),
        angular: (scenes::direction(k as u64 + 50) * 5.0).into(),
    };
    let of_both: Vec<[usize; 2]> = (0..pieces.len()).flat_map(|i| (0..i).map(move |j| [i, j])).collect();
    let motions: Vec<[Motion; 2]> = of_both.iter().map(|pair| pair.map(motion)).collect();
    let (options, seconds) = (QueryOptions::default(), 1.0 / 60.0);
    let mut kept = [1, 2, 4].map(|_| vec![PairMemory::default(); of_both.len()]);
    let mut alone = vec![PairMemory::default(); of_both.len()];
    let (mut ahead, mut recalled) = (0, 0);
    for frame in 0..4 {
        // Apart, then nearer, then still.
        let spread = [1.5, 1.3, 1.01, 1.01][frame];
        let poses: Vec<Pose> =
            pieces.iter().map(|piece| Translation3::from(piece.mass().centre.coords * (spread - 1.0)).into()).collect();
        let pair =
            |[i, j]: [usize; 2]| QueryPair { a: (&pieces[i], &poses[i]), b: (&pieces[j], &poses[j]), weight: 1.0 };
        let pairs: Vec<QueryPair> = of_both.iter().copied().map(pair).collect();
        let mut contacts = vec![];
        let mut starts = vec![0];
        for ((QueryPair { a, b, .. }, [of_a, of_b]), memory) in pairs.iter().zip(&motions).zip(&mut alone) {
            let memory = Some(memory);
            let stats =
                query_pair_ahead(a.0, a.1, of_a, b.0, b.1, of_b, seconds, &options, memory, &mut contacts).unwrap();
            recalled += stats.is_recalled as usize;
            starts.push(contacts.len() as u32);
        }
        ahead += contacts.iter().filter(|c| c.depth < -0.002).count();
        for (memories, threads) in kept.iter_mut().zip([1, 2, 4]) {
            let step = Step { memories, motions: &motions, seconds };
            let tasks = Tasks::pool(threads).unwrap();
            let (found, offsets, _) = query_pairs_in_step(&pairs, step, &options, &tasks).unwrap();
            assert!(found == contacts && offsets == starts, "frame {frame}, {threads} threads");
            assert_eq!(*memories, alone, "frame {frame}, {threads} threads");
        }
        let wrong = Step { memories: &mut alone[..3], ..Step::default() };
        assert!(query_pairs_in_step(&pairs, wrong, &options, &Tasks::inline()).is_err());
    }
    println!("{ahead} contacts of the step, {recalled} pairs recalled");
    assert!(ahead > 100 && recalled >= 10, "{ahead}, {recalled}");
}

#[test]
fn signed_distance_and_rays_are_those_of_the_surface() {
    for object in pairs::bodies(&CookOptions::default()) {
        let judge = Judge::new(&object);
        let bounds = object.bounds();
        let h = object.asset().mean_edge();
        for k in 0..60u64 {
            let p =
                bounds.centre() + Vector::from_fn(|i, _| unit(k, i as u64) - 0.5).component_mul(&bounds.size()) * 2.5;
            let found = object.signed_distance(&p);
            let exact = judge.distance(&p) * if judge.inside(&p) { -1.0 } else { 1.0 };
            let allowed = if exact > 0.0 { 1e-4 * h } else { 0.3 * h };
            assert!((found.distance - exact).abs() < allowed, "{found:?} instead of {exact}");
            assert!((found.outward.norm() - 1.0).abs() < 1e-3);

            let way = (bounds.centre() - p).normalize();
            let reach = 10.0 * bounds.radius();
            match object.ray(&p, &way, reach) {
                Some(hit) => {
                    let at = p + way * hit.t;
                    assert!(judge.distance(&at) < 1e-6 * reach);
                    // Nothing of the surface comes before: half-way there, and just before, the side is that of the start.
                    for share in [0.5, 0.999] {
                        assert_eq!(judge.inside(&(p + way * (hit.t * share))), judge.inside(&p));
                    }
                    assert!((hit.normal.dot(&way) < 0.0) != judge.inside(&p), "{hit:?}");
                }
                None => assert!(!judge.inside(&p) && !judge.inside(&bounds.centre())),
            }
        }
        assert!(object.ray(&Point::origin(), &Vector::zeros(), 1.0).is_none());
        assert!(object.ray(&Point::new(f64::NAN, 0.0, 0.0), &Vector::x(), 1.0).is_none());
    }
}

/// A world far smaller or larger has the same contacts, scaled; beyond what is promised it is refused.
#[test]
fn the_size_of_the_world_does_not_matter() {
    let plain = shapes::torus(0.5, 0.2, 24, 6);
    let solid = |scale: f64| {
        let nodes: Vec<[f64; 3]> = plain.nodes().iter().map(|p| [p.x * scale, p.y * scale, p.z * scale]).collect();
        Solid::new(&nodes, plain.tets()).unwrap()
    };
    let family = |scale: f64, is_rough: bool| {
        // Seeds off the lattice: on it, nodes are as far from several, and rounding decides.
        let seeds = (0..8).map(|k| Point::from(scenes::direction(k) * ((0.4 + 0.03 * k as f64) * scale))).collect();
        let pattern = Pattern::voronoi(seeds);
        broken(&cooked(solid(scale)), &if is_rough { pattern.rough(scenes::ROUGH) } else { pattern })
    };
    for scale in [1e-6, 1e8] {
        let refused = Asset::cook(solid(scale), &CookOptions::default()).unwrap_err().to_string();
        assert!(refused.contains("choose other units"), "{refused}");
    }
    for (scale, is_rough) in [1.5e-5, 1e-3, 1e3, 5e6].into_iter().flat_map(|s| [(s, false), (s, true)]) {
        let reference = family(1.0, is_rough);
        let h = reference[0].asset().mean_edge();
        let scaled = family(scale, is_rough);
        assert_eq!(scaled.len(), reference.len());
        let (mut compared, mut touching) = (0, 0);
        for seed in 0..120u64 {
            let (i, j) =
                ((unit(seed, 1) * 8.0) as usize % reference.len(), (unit(seed, 2) * 8.0) as usize % reference.len());
            let (pa, pb) = poses(&reference[i], &reference[j], seed);
            let larger = |p: &Pose| Pose::from_parts(Translation3::from(p.translation.vector * scale), p.rotation);
            let options = QueryOptions::every_sample();
            let (here, _) = query(&reference[i], &pa, &reference[j], &pb, &options);
            let (there, _) = query(&scaled[i], &larger(&pa), &scaled[j], &larger(&pb), &options);
            let depths = |list: &[Contact], scale: f64| {
                list.iter().map(|c| (c.feature, c.depth as f64 / scale)).collect::<BTreeMap<_, _>>()
            };
            let (one, other) = (depths(&here, 1.0), depths(&there, scale));
            touching += !one.is_empty() as usize;
            for (feature, depth) in &one {
                match other.get(feature) {
                    // Which of two remembered cracks is followed first may depend on rounding.
                    Some(d) => assert!((d - depth).abs() < 0.1 * h, "{d} instead of {depth}"),
                    None => assert!(depth.abs() < 1e-4, "a contact {depth} deep is missing at scale {scale}"),
                }
                compared += 1;
            }
            assert!(other.iter().all(|(f, d)| one.contains_key(f) || d.abs() < 1e-4));
        }
        println!("scale {scale:e}: {compared} contacts of {touching} touching pairs alike");
        assert!(touching > 20);
    }
}
