//! Penalty response on tetrahedra (Marchal 2004): depths against brute force, forces against closed forms and invariants.

use crate::common;

use common::penalty::*;
use fracas::geom::random::unit;
use fracas::penalty::{DepthMethod, Penalty, PenaltyOptions, PenaltyScratch, Penetrating, SoftBody};
use fracas::solid::{Solid, shapes};
use fracas::{Point, Vector};

fn slow_depths(body: &SoftBody) -> Vec<f64> {
    let triangles: Vec<[Point; 3]> = body.boundary().map(|t| t.map(|v| body.positions()[v as usize])).collect();
    let depth = |p: &Point| triangles.iter().map(|t| slow_distance(p, t)).fold(f64::INFINITY, f64::min);
    body.positions().iter().map(depth).collect()
}

#[test]
fn depths_are_exact_or_never_too_small() {
    for (name, solid) in [("ball", ball(8)), ("brick", shapes::brick(3)), ("torus", shapes::torus(1.0, 0.4, 24, 6))] {
        let mut body = soft(&solid);
        for round in 0..2 {
            body.set_positions(deformed(&solid, round, 0.05 * round as f64).into_iter()).unwrap();
            body.update();
            let size = solid.bounds().size().norm();
            let exact = slow_depths(&body);
            for method in METHODS {
                let (depths, stats) = body.depths(method).unwrap();
                // Nodes of the boundary have no error.
                let within = depths.iter().zip(&exact).filter(|(_, e)| **e > 0.0);
                let mut errors: Vec<f64> = within.map(|(d, e)| (d - e) / size).collect();
                let on_boundary = depths.iter().filter(|d| **d == 0.0).count();
                assert_eq!(errors.len() + on_boundary, depths.len());
                assert!(errors.iter().all(|e| *e > -1e-12), "{name}, {method:?}: too small");
                errors.sort_by(f64::total_cmp);
                let (median, worst) = (errors[errors.len() / 2], errors[errors.len() - 1]);
                println!("{name}, {method:?}: median {median:.1e}, worst {worst:.1e}, {stats:?}");
                let bars = match method {
                    DepthMethod::Exact => (1e-12, 1e-12),
                    DepthMethod::ClosestFeature => (1e-4, 0.05),
                    DepthMethod::ClosestPoint => (0.05, 0.2),
                };
                assert!(median <= bars.0 && worst <= bars.1, "{name}, {method:?}: {median}, {worst}");
            }
        }
    }
}

#[test]
fn partial_updates_find_the_same_and_settle_little() {
    let solid = ball(16);
    let body = soft(&solid);
    let inside = solid.nodes().len() - (0..solid.nodes().len() as u32).filter(|v| solid.is_on_skin(*v)).count();
    // What rests on a floor: nodes of tetrahedra that reach below a plane.
    let touched = |t: &&[u32; 4]| t.iter().any(|v| solid.nodes()[*v as usize].z < -0.97);
    let nodes: Vec<u32> = solid.tets().iter().filter(touched).flatten().copied().collect();
    assert!(nodes.len() > 20);
    for method in METHODS {
        let (all, full) = body.depths(method).unwrap();
        let (some, stats) = body.depths_of(&nodes, method).unwrap();
        for (v, depth) in nodes.iter().zip(some) {
            assert_eq!(depth, all[*v as usize], "{method:?}");
        }
        println!("{method:?}: {} of {inside} settled, {} seeds of {}", stats.settled, stats.seeds, full.seeds);
        assert!(stats.settled * 10 <= inside && stats.seeds * 4 <= full.seeds);
    }
}

#[test]
fn a_node_within_is_reached_from_the_boundary_around_it() {
    let solid = ball(16);
    let body = soft(&solid);
    let (exact, _) = body.depths(DepthMethod::Exact).unwrap();
    let inner: Vec<u32> = (0..exact.len() as u32).filter(|v| (0.2..0.4).contains(&exact[*v as usize])).collect();
    for method in [DepthMethod::ClosestFeature, DepthMethod::ClosestPoint] {
        let (all, full) = body.depths(method).unwrap();
        for v in inner.iter().step_by(40) {
            let (some, stats) = body.depths_of(&[*v], method).unwrap();
            assert_eq!(some[0], all[*v as usize]);
            assert!(4 * stats.seeds < full.seeds && 2 * stats.settled < full.settled, "{stats:?} of {full:?}");
        }
    }
}

#[test]
fn edges_that_cross_are_pushed_apart_where_no_point_is_inside() {
    // Figure 11: the upper edge of one, the lower edge of the other, across each other.
    let lower = [[-1.0, 0.0, 0.1], [1.0, 0.0, 0.1], [0.0, 0.6, -1.0], [0.0, -0.6, -1.0]].map(Point::from);
    let upper = [[0.0, -1.0, -0.1], [0.0, 1.0, -0.1], [0.6, 0.0, 1.0], [-0.6, 0.0, 1.0]].map(Point::from);
    let (a, b) = (SoftBody::new(&lower, &[[0, 1, 2, 3]]).unwrap(), SoftBody::new(&upper, &[[0, 1, 2, 3]]).unwrap());
    assert!(respond(&a, &b, &both(Penetrating::Points)).0.is_empty());
    for what in [Penetrating::Segments, Penetrating::AllSegments] {
        let (found, stats) = respond(&a, &b, &both(what));
        assert!(!found.is_empty() && stats.tets == 2);
        // On the first body: its own features are pushed along, and it is pushed against by the other's.
        let force: Vector = found.iter().map(|p| p.direction * if p.side == 0 { p.load } else { -p.load }).sum();
        // Of two faces that are as near, one is chosen.
        assert!(force.z < -1e-3 && force.x.abs() + force.y.abs() < force.z.abs(), "{force}");
    }
}

#[test]
fn forces_and_moments_cancel() {
    let solid = ball(6);
    let mut checked = 0;
    for seed in 0..12u64 {
        let (mut a, mut b) = (soft(&solid), soft(&solid));
        a.set_positions(deformed(&solid, seed, 0.05).into_iter()).unwrap();
        let shift = Vector::new(1.4 + 0.5 * unit(1, seed), 0.4 * unit(2, seed), 0.3 * unit(3, seed));
        let moved: Vec<Point> = deformed(&solid, seed + 50, 0.05).iter().map(|p| p + shift).collect();
        b.set_positions(moved.into_iter()).unwrap();
        a.update();
        b.update();
        for what in [Penetrating::Points, Penetrating::Segments, Penetrating::AllSegments] {
            for smooth in [false, true] {
                for depths in METHODS {
                    let options = PenaltyOptions { smooth, depths, ..both(what) };
                    let (found, _) = respond(&a, &b, &options);
                    assert!(found.iter().all(|p| {
                        let numbers = [p.depth, p.load, p.weight].into_iter().chain(p.direction.iter().copied());
                        numbers.chain(p.tet_weights).all(f64::is_finite) && p.load >= 0.0
                    }));
                    let counts = [a.positions().len(), b.positions().len()];
                    let [on_a, on_b] = forces(&found, counts, |p| p.gradient);
                    let total: Vector = on_a.iter().chain(&on_b).sum();
                    let moment = |body: &SoftBody, forces: &[Vector]| -> Vector {
                        body.positions().iter().zip(forces).map(|(p, f)| p.coords.cross(f)).sum()
                    };
                    let twist = moment(&a, &on_a) + moment(&b, &on_b);
                    let scale: f64 = found.iter().map(|p| p.load).sum();
                    assert!(total.norm() < 1e-12 * scale && twist.norm() < 1e-11 * scale, "{total}, {twist}");
                    // They are pushed apart.
                    let push: Vector = on_b.iter().sum();
                    assert!(found.is_empty() || push.dot(&shift) > 0.0, "seed {seed}: {push}");
                    checked += !found.is_empty() as u32;
                }
            }
        }
    }
    assert!(checked > 150, "{checked} responses");
}

#[test]
fn both_ends_of_a_segment_get_their_share() {
    let body = soft(&ball(6));
    for seed in 0..40 {
        let at = |k: u64| Point::from([0, 1, 2].map(|a| 1.1 * unit(seed, 3 * k + a) - 0.55));
        let (p, q) = (at(0), at(1));
        let mut scratch = PenaltyScratch::default();
        let mut found = vec![];
        let line = [p, q, p + Vector::new(9.0, 0.0, 0.0)];
        body.penalties_of_triangles(&line, &[[0, 1, 2]], &both(Penetrating::Segments), &mut scratch, &mut found)
            .unwrap();
        let own = || found.iter().filter(|f| f.nodes == [0, 1]);
        let loads = [0, 1].map(|end| own().map(|f| f.load * f.weights[end]).sum::<f64>());
        // Many points along it, each on its own.
        let steps = 3000;
        let share = |k: usize| (k as f64 + 0.5) / steps as f64;
        let points: Vec<Point> = (0..steps).map(|k| p + (q - p) * share(k)).collect();
        let lone: Vec<[u32; 3]> = (0..steps as u32).map(|k| [k; 3]).collect();
        found.clear();
        body.penalties_of_triangles(&points, &lone, &both(Penetrating::Points), &mut scratch, &mut found).unwrap();
        let mut sums = [0.0; 2];
        for f in &found {
            let s = share(f.nodes[0] as usize);
            sums[0] += f.depth * (1.0 - s);
            sums[1] += f.depth * s;
        }
        let length = (q - p).norm() / steps as f64;
        for (load, sum) in loads.into_iter().zip(sums) {
            assert!((load - sum * length).abs() < 1e-3 * load, "seed {seed}: {load} for {}", sum * length);
        }
    }
}

#[test]
fn the_gradient_has_a_potential() {
    // A rigid body goes around a loop through another one: the work is zero.
    let solid = ball(4);
    let shape = deformed(&solid, 3, 0.1);
    let fixed = SoftBody::new(&shape, solid.tets()).unwrap();
    for what in [Penetrating::Points, Penetrating::Segments] {
        let (mut work, mut unit_work, mut scale) = (0.0, 0.0, 0.0f64);
        let steps = 4000;
        let at = |k: usize| {
            let t = k as f64 / steps as f64 * std::f64::consts::TAU;
            let z = 0.15 * (2.0 * t + 1.0).sin() + 0.07 * t.cos();
            Vector::new(1.5 + 0.2 * t.cos() + 0.05 * (3.0 * t).sin(), 0.25 * (t + 0.4).sin() + 0.1, z)
        };
        let mut moving = fixed.clone();
        let mut scratch = PenaltyScratch::default();
        for k in 0..steps {
            let middle = (at(k) + at(k + 1)) * 0.5;
            moving.set_positions(shape.iter().map(|p| p + middle)).unwrap();
            moving.update();
            let mut found = vec![];
            fixed.penalties(&moving, &both(what), &mut scratch, &mut found).unwrap();
            let sum = |along: fn(&Penalty) -> Vector| -> Vector {
                found.iter().map(|p| along(p) * if p.side == 1 { p.load } else { -p.load }).sum()
            };
            let force = sum(|p| p.gradient);
            work += force.dot(&(at(k + 1) - at(k)));
            unit_work += sum(|p| p.direction).dot(&(at(k + 1) - at(k)));
            scale += force.norm() * (at(k + 1) - at(k)).norm();
        }
        println!("{what:?}: work {work:.2e} of {scale:.2e}, along unit directions {unit_work:.2e}");
        assert!(scale > 1e-3 && work.abs() < 1e-4 * scale, "{what:?}: {work} of {scale}");
        assert!(unit_work.abs() > 10.0 * work.abs(), "unit directions have no potential");
    }
}

#[test]
fn tetrahedra_that_overlap_are_those_of_all_pairs() {
    let solid = ball(4);
    let (a, mut b) = (soft(&solid), soft(&solid));
    for seed in 0..3 {
        let shift = Vector::new(1.0 + 0.4 * unit(1, seed), 0.5 * unit(2, seed), 0.3);
        let moved: Vec<Point> = deformed(&solid, seed, 0.1).iter().map(|p| p + shift).collect();
        b.set_positions(moved.into_iter()).unwrap();
        b.update();
        let mut found = vec![];
        a.overlapping_tets(&b, &mut found).unwrap();
        let corners = |body: &SoftBody, t: &[u32; 4]| t.map(|v| body.positions()[v as usize]);
        let mut expected = vec![];
        for (s, p) in solid.tets().iter().enumerate() {
            let others = solid.tets().iter().enumerate();
            let met = others.filter(|(_, q)| fracas::geom::tet_tet::overlap(&corners(&a, p), &corners(&b, q)));
            expected.extend(met.map(|(t, _)| [s as u32, t as u32]));
        }
        assert_eq!(found, expected);
        assert!(found.len() > 20);
    }
}

#[test]
fn loads_do_not_jump_while_a_body_slides() {
    let solid = ball(5);
    let (fixed, mut moving) = (soft(&solid), soft(&solid));
    let mut scratch = PenaltyScratch::default();
    let mut last: Option<f64> = None;
    for k in 0..600 {
        let shift = Vector::new(1.7, 0.001 * k as f64 - 0.3, 0.0007 * k as f64 - 0.2);
        moving.set_positions(solid.nodes().iter().map(|p| p + shift)).unwrap();
        moving.update();
        let mut found = vec![];
        fixed.penalties(&moving, &both(Penetrating::Segments), &mut scratch, &mut found).unwrap();
        let load: f64 = found.iter().map(|p| p.load).sum();
        if let Some(last) = last {
            assert!((load - last).abs() < 0.03 * load.max(last) + 1e-5, "step {k}: {last} to {load}");
        }
        last = Some(load);
    }
    assert!(last.unwrap() > 0.0);
}

#[test]
fn tetrahedra_with_all_nodes_on_the_boundary_push_too() {
    // A plate of one layer: no node is within.
    let plate = shapes::cuboid([1.0, 1.0, 0.1], [6, 6, 1]);
    let body = soft(&plate);
    let bounds = plate.bounds();
    let inside = |k: u64, seed: u64| -> Point {
        let share = [0, 1, 2].map(|a| 0.02 + 0.96 * unit(seed, 3 * k + a));
        Point::from([0, 1, 2].map(|a| bounds.min[a] + share[a] * (bounds.max[a] - bounds.min[a])))
    };
    let exact =
        |p: &Point| (0..3).map(|a| (p[a] - bounds.min[a]).min(bounds.max[a] - p[a])).fold(f64::INFINITY, f64::min);
    // Needles: their tips are points, their edges are segments.
    let mut segments = 0;
    for seed in 0..200 {
        let (p, q) = (inside(0, seed), inside(1, seed));
        let needle = [p, q, q + Vector::new(1e-5, 0.0, 0.0)];
        for what in [Penetrating::Points, Penetrating::Segments] {
            let mut out = vec![];
            let mut scratch = PenaltyScratch::default();
            body.penalties_of_triangles(&needle, &[[0, 1, 2]], &both(what), &mut scratch, &mut out).unwrap();
            for found in &out {
                let depth = exact(&found.point);
                assert!((found.depth - depth).abs() < 0.05 * depth + 1e-9, "{} for {depth}", found.depth);
                assert!((found.direction.norm() - 1.0).abs() < 1e-12);
            }
            match what {
                Penetrating::Points => assert_eq!(out.len(), 3),
                _ => {
                    segments += 1;
                    let length = (q - p).norm();
                    let load: f64 = out.iter().filter(|f| f.nodes == [0, 1]).map(|f| f.load).sum();
                    let steps = 2000;
                    let sum =
                        (0..steps).map(|k| exact(&(p + (q - p) * ((k as f64 + 0.5) / steps as f64)))).sum::<f64>();
                    let integral = sum * length / steps as f64;
                    assert!((load - integral).abs() < 0.05 * integral, "seed {seed}: {load} for {integral}");
                }
            }
        }
    }
    assert_eq!(segments, 200);
}

#[test]
fn what_is_in_an_object_is_pushed_out_of_it() {
    use fracas::contact::query_soft_object;
    use fracas::geom::Pose;
    use fracas::{Asset, CookOptions, Object};
    // A ball on a slab: depth in closed form.
    let slab = shapes::cuboid([2.0, 2.0, 1.0], [4, 4, 2]);
    let top = slab.bounds().max.z;
    let asset = Asset::cook(slab, &CookOptions::default()).unwrap();
    let object = &Object::intact(&asset)[0];
    let solid = ball(8);
    let mut body = soft(&solid);
    let pose = Pose::translation(3.0, -1.0, 2.0);
    let sink = 0.06;
    let shift = Vector::new(3.0, -1.0, 2.0 + top + 1.0 - sink);
    body.set_positions(solid.nodes().iter().map(|p| p + shift)).unwrap();
    body.update();
    for what in [Penetrating::Points, Penetrating::Segments] {
        let mut out = vec![];
        let options = PenaltyOptions { penetrating: [what, Penetrating::Nothing], ..PenaltyOptions::default() };
        let mut scratch = PenaltyScratch::default();
        let stats = query_soft_object(&body, object, &pose, &options, &mut scratch, &mut out).unwrap();
        assert!(stats.parts > 0 && !out.is_empty());
        for p in &out {
            let depth = 2.0 + top - p.point.z;
            assert!((p.depth - depth.max(0.0)).abs() < 1e-3, "{} for {depth}", p.depth);
            assert!(p.direction.z > 0.999, "{}", p.direction);
            let at: Vector = p
                .nodes
                .iter()
                .zip(p.weights)
                .filter(|(v, _)| **v != u32::MAX)
                .map(|(v, w)| body.positions()[*v as usize].coords * w)
                .sum();
            assert!((at - p.point.coords).norm() < 1e-12);
        }
        // The integral over all edges, by many samples.
        let load: f64 = out.iter().map(|p| p.load).sum();
        let depth = |p: &Point| (2.0 + top - p.z).max(0.0);
        let mut edges: Vec<[u32; 2]> =
            body.boundary().flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]].map(|[p, q]| [p.min(q), p.max(q)])).collect();
        edges.sort_unstable();
        edges.dedup();
        let expected: f64 = match what {
            Penetrating::Points => {
                let on_boundary: std::collections::BTreeSet<u32> = edges.iter().flatten().copied().collect();
                on_boundary.iter().map(|v| depth(&body.positions()[*v as usize])).sum()
            }
            _ => edges
                .iter()
                .map(|e| {
                    let [p, q] = e.map(|v| body.positions()[v as usize]);
                    let sum: f64 = (0..400).map(|k| depth(&(p + (q - p) * ((k as f64 + 0.5) / 400.0)))).sum();
                    sum / 400.0 * (q - p).norm()
                })
                .sum(),
        };
        assert!((load - expected).abs() < 0.01 * expected, "{what:?}: {load} for {expected}");
    }
}

#[test]
fn a_cut_body_has_a_new_boundary() {
    let solid = shapes::cuboid([2.0, 1.0, 1.0], [8, 4, 4]);
    let mut body = soft(&solid);
    let middle = solid.bounds().centre().x;
    let (before, _) = body.depths(DepthMethod::ClosestFeature).unwrap();
    let deepest = before.iter().copied().fold(0.0, f64::max);
    assert!((deepest - 0.5).abs() < 1e-9);
    // Nodes of the middle plane are doubled for what is right of it.
    let on_plane: Vec<u32> =
        (0..solid.nodes().len() as u32).filter(|v| (solid.nodes()[*v as usize].x - middle).abs() < 1e-9).collect();
    let doubles: Vec<Point> = on_plane.iter().map(|v| solid.nodes()[*v as usize]).collect();
    let twin = |v: u32| match on_plane.binary_search(&v) {
        Ok(k) => (solid.nodes().len() + k) as u32,
        Err(_) => v,
    };
    let right = |t: &[u32; 4]| t.iter().map(|v| solid.nodes()[*v as usize].x).sum::<f64>() > 4.0 * middle;
    let changes: Vec<(u32, [u32; 4])> =
        (0..).zip(solid.tets()).filter(|(_, t)| right(t)).map(|(k, t)| (k, t.map(twin))).collect();
    let faces = body.boundary().len();
    body.cut(&doubles, &changes).unwrap();
    assert!(body.depths(DepthMethod::Exact).is_err(), "not updated");
    body.update();
    assert_eq!(body.boundary().len(), faces + 2 * 2 * 16, "both sides of the cut");
    for method in METHODS {
        let (depths, _) = body.depths(method).unwrap();
        assert!(on_plane.iter().all(|v| depths[*v as usize] == 0.0 && depths[twin(*v) as usize] == 0.0));
        let deepest = depths.iter().copied().fold(0.0, f64::max);
        assert!((deepest - 0.5).abs() < if method == DepthMethod::ClosestPoint { 0.1 } else { 1e-9 }, "{deepest}");
    }
    // A failed cut changes nothing.
    let faces = body.boundary().len();
    assert!(body.cut(&[], &[(0, [0, 1, 2, 9999])]).is_err());
    body.update();
    assert_eq!(body.boundary().len(), faces);
}

#[test]
fn inverted_tetrahedra_are_counted_and_harmless() {
    let solid = ball(4);
    let (mut body, other) = (soft(&solid), soft(&solid));
    let mirrored: Vec<Point> = solid.nodes().iter().map(|p| Point::new(-p.x, p.y, p.z)).collect();
    body.set_positions(mirrored.into_iter()).unwrap();
    let stats = body.update();
    assert_eq!((stats.inverted, stats.tets), (solid.tets().len(), solid.tets().len()));
    let (found, _) = respond(&body, &other, &both(Penetrating::Segments));
    assert!(found.iter().all(|p| p.side == 0), "only the other body has an inside");
    let flat: Vec<Point> = solid.nodes().iter().map(|p| Point::new(p.x, p.y, 0.0)).collect();
    body.set_positions(flat.into_iter()).unwrap();
    assert_eq!(body.update().inverted, solid.tets().len());
    for p in respond(&body, &other, &both(Penetrating::Segments)).0 {
        assert!(p.load.is_finite() && p.direction.iter().all(|c| c.is_finite()));
    }
}

#[test]
fn nonsense_is_answered_and_changes_nothing() {
    let solid = ball(3);
    let mut body = soft(&solid);
    let error = |result: fracas::Result<()>| result.unwrap_err().to_string();
    assert!(error(body.set_positions([Point::origin()].into_iter())).contains("1 positions for"));
    let bad = solid.nodes().iter().map(|p| p * f64::NAN);
    assert!(error(body.set_positions(bad)).contains("finite"));
    assert!(body.signed_distance(&Point::origin()).unwrap().distance < 0.0);
    assert!(SoftBody::new(&[], &[]).err().unwrap().to_string().contains("at least one"));
    assert!(body.depths_of(&[9999], DepthMethod::Exact).err().unwrap().to_string().contains("9999"));
    body.set_positions(solid.nodes().iter().copied()).unwrap();
    assert!(body.signed_distance(&Point::origin()).err().unwrap().to_string().contains("update"));
}

/// Points within a body, at random: in a tetrahedron of it.
fn inside(solid: &Solid, seed: u64) -> Point {
    let tet = solid.tets()[(unit(seed, 0) * solid.tets().len() as f64) as usize];
    let shares = [1, 2, 3, 4].map(|k| 0.02 - unit(seed, k).max(1e-9).ln());
    let sum: f64 = shares.iter().sum();
    let at: Vector = tet.iter().zip(shares).map(|(v, share)| solid.nodes()[*v as usize].coords * (share / sum)).sum();
    Point::from(at)
}

#[test]
fn depths_of_records_are_those_of_their_points() {
    // Walls of one layer, or two: most tetrahedra have four nodes on the boundary (6.2).
    let solids = [
        ("plate", shapes::plate(0.13, 0.006, 12)),
        ("brick", shapes::brick(1)),
        ("bowl of one layer", shapes::bowl(0.085, 0.009, 12, 1)),
        ("bowl of two layers", shapes::bowl(0.085, 0.009, 12, 2)),
        ("piggy bank", shapes::piggy_bank(0.014, 2.0)),
    ];
    for (name, solid) in solids {
        let body = soft(&solid);
        let flat = solid.tets().iter().filter(|t| t.iter().all(|v| solid.is_on_skin(*v))).count();
        let share = flat as f64 / solid.tets().len() as f64;
        let triangles: Vec<[Point; 3]> = body.boundary().map(|t| t.map(|v| body.positions()[v as usize])).collect();
        let exact = |p: &Point| triangles.iter().map(|t| slow_distance(p, t)).fold(f64::INFINITY, f64::min);
        let ways = METHODS.map(|depths| (depths, false)).into_iter().chain([(DepthMethod::Exact, true)]);
        for (depths, measured) in ways {
            for what in [Penetrating::Points, Penetrating::Segments] {
                let mut errors = vec![];
                for seed in 0..60 {
                    let p = inside(&solid, seed);
                    let needle = [p, p + (inside(&solid, seed + 1000) - p) * 0.1];
                    let triangle = if what == Penetrating::Points { [0; 3] } else { [0, 1, 1] };
                    let mut found = vec![];
                    let options = PenaltyOptions { depths, measured, ..both(what) };
                    let mut scratch = PenaltyScratch::default();
                    body.penalties_of_triangles(&needle, &[triangle], &options, &mut scratch, &mut found).unwrap();
                    let load: f64 = found.iter().map(|f| f.load).sum();
                    assert!(load > 0.0, "{name}, {what:?}, {depths:?}: nothing pushes at {p}");
                    for f in &found {
                        assert!((f.direction.norm() - 1.0).abs() < 1e-9, "{name}: {}", f.direction);
                        let depth = exact(&f.point);
                        errors.push((f.depth - depth).abs() / depth.max(1e-6));
                    }
                }
                errors.sort_by(f64::total_cmp);
                let [median, most, worst] = [0.5, 0.95, 1.0].map(|q| errors[((errors.len() - 1) as f64 * q) as usize]);
                println!(
                    "{name} ({:.0} % flat), {what:?}, {depths:?}, measured {measured}: median {:.2} %, 95 % below {:.2} %, worst {:.2} %",
                    100.0 * share,
                    100.0 * median,
                    100.0 * most,
                    100.0 * worst
                );
                // Linear between nodes, which is coarse for a wall of two layers, and its rim.
                assert!(median < 0.05, "{name}, {what:?}, {depths:?}: {median}");
                assert!(share < 1.0 && !measured || worst < 0.05, "{name}, {what:?}, {depths:?}: {worst}");
            }
        }
    }
}

#[test]
fn responses_of_partial_updates_are_those_of_full_ones() {
    // A ball that rests on a slab (4.4).
    let solid = ball(16);
    let body = soft(&solid);
    let slab = shapes::cuboid([1.0, 1.0, 0.2], [8, 8, 2]);
    let mut floor = soft(&slab);
    floor.set_positions(slab.nodes().iter().map(|p| p + Vector::new(0.02, 0.03, -1.08))).unwrap();
    floor.update();
    let within = (0..solid.nodes().len() as u32).filter(|v| !solid.is_on_skin(*v)).count();
    for what in [Penetrating::Points, Penetrating::Segments] {
        for depths in METHODS {
            let options = PenaltyOptions { depths, ..both(what) };
            let (found, stats) = respond(&body, &floor, &options);
            let of_ball = stats.depths[0];
            println!("{what:?}, {depths:?}: {of_ball:?} of {within}, {} records", found.len());
            assert!(of_ball.settled * 10 <= within && of_ball.settled > 0);
            let (all, full) = body.depths(depths).unwrap();
            assert!(of_ball.seeds * 4 <= full.seeds && (depths == DepthMethod::Exact) == (of_ball.seeds == 0));
            // The same, from the depths of all nodes. Beside tetrahedra with four nodes on the boundary depth is measured (6.2).
            let is_flat = |t: &[u32; 4]| t.iter().all(|v| solid.is_on_skin(*v));
            let corners: std::collections::BTreeSet<u32> =
                solid.tets().iter().filter(|t| is_flat(t)).flatten().copied().collect();
            let linear = |p: &&Penalty| p.side == 1 && p.tet_nodes.iter().all(|v| !corners.contains(v));
            let mut checked = 0;
            for p in found.iter().filter(linear) {
                let depth: f64 = p.tet_nodes.iter().zip(p.tet_weights).map(|(v, w)| all[*v as usize] * w).sum();
                assert!((p.depth - depth.max(0.0)).abs() < 1e-14, "{what:?}, {depths:?}: {} for {depth}", p.depth);
                checked += 1;
            }
            assert!(checked > 4, "{what:?}, {depths:?}: {checked} records");
        }
    }
}

#[test]
fn every_record_cancels_on_its_own() {
    let solid = ball(5);
    let (a, mut b) = (soft(&solid), soft(&solid));
    let moved: Vec<Point> = deformed(&solid, 5, 0.05).iter().map(|p| p + Vector::new(1.5, 0.3, 0.2)).collect();
    b.set_positions(moved.into_iter()).unwrap();
    b.update();
    let cloth: Vec<Point> = (0..64).map(|k| Point::new(0.1 * (k % 8) as f64, 0.1 * (k / 8) as f64, 0.3)).collect();
    let cells = (0..49u32).map(|k| k / 7 * 8 + k % 7);
    let triangles: Vec<[u32; 3]> = cells.flat_map(|v| [[v, v + 1, v + 9], [v, v + 9, v + 8]]).collect();
    // One-sided layers: depths are measured.
    let plate = shapes::cuboid([1.0, 1.0, 0.7], [4, 4, 1]);
    let thin = soft(&plate);
    let mean = |at: &[Point], nodes: &[u32], weights: &[f64]| -> (f64, Vector) {
        let used = || nodes.iter().zip(weights).filter(|(v, _)| **v != u32::MAX);
        (used().map(|(_, w)| w).sum(), used().map(|(v, w)| at[*v as usize].coords * *w).sum())
    };
    // A force and its reaction at one point have neither sum nor moment; shares of nodes add up to the force at that point.
    let check = |p: &Penalty, own: &[Point], other: &[Point]| {
        for (sum, at) in [mean(own, &p.nodes, &p.weights), mean(other, &p.tet_nodes, &p.tet_weights)] {
            assert!((sum - 1.0).abs() < 1e-13 && (at - p.point.coords).norm() < 1e-12, "{p:?}: {sum}, {at}");
        }
        assert!(p.weights.iter().chain(&p.tet_weights).all(|w| *w > -1e-9));
    };
    for what in [Penetrating::Points, Penetrating::Segments, Penetrating::AllSegments] {
        for smooth in [false, true] {
            for depths in METHODS {
                let options = PenaltyOptions { smooth, depths, ..both(what) };
                let (found, _) = respond(&a, &b, &options);
                assert!([0, 1].iter().all(|side| found.iter().any(|p| p.side == *side)));
                for p in &found {
                    let at = [&a, &b].map(|body| body.positions());
                    check(p, at[p.side as usize], at[1 - p.side as usize]);
                }
                for body in [&a, &thin] {
                    let mut found = vec![];
                    let mut scratch = PenaltyScratch::default();
                    body.penalties_of_triangles(&cloth, &triangles, &options, &mut scratch, &mut found).unwrap();
                    assert!(found.len() > 10);
                    found.iter().for_each(|p| check(p, &cloth, body.positions()));
                }
            }
        }
    }
}

#[test]
fn fragments_push_as_the_object_did() {
    use fracas::contact::query_soft_object;
    use fracas::geom::Pose;
    use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, fracture};
    let slab = shapes::cuboid([2.0, 2.0, 1.0], [8, 8, 4]);
    let asset = Asset::cook(slab, &CookOptions::default()).unwrap();
    let whole = Object::intact(&asset).remove(0);
    // Cracks are planes between these points.
    let seeds = vec![Point::new(-0.5, -0.45, 0.1), Point::new(0.55, -0.4, -0.1), Point::new(0.05, 0.6, 0.0)];
    let pieces =
        fracture(&whole, &Pattern::voronoi(seeds.clone()), &FractureOptions::default()).unwrap().broken().unwrap();
    assert_eq!(pieces.objects.len(), 3);
    let pose = Pose::new(Vector::new(3.0, -1.0, 2.0), Vector::new(0.3, -0.2, 0.5));
    // How far a point is from the nearest crack, and on whose side.
    let cell = |p: &Point| {
        let p = pose.inverse_transform_point(p);
        let by_way = |k: &usize| (seeds[*k] - p).norm_squared();
        let own = (0..3).min_by(|a, b| by_way(a).total_cmp(&by_way(b))).unwrap();
        let to = |k: usize| (by_way(&k) - by_way(&own)) / (2.0 * (seeds[k] - seeds[own]).norm());
        (own, (0..3).filter(|k| *k != own).map(to).fold(f64::INFINITY, f64::min))
    };
    let solid = shapes::ball(0.2, 6);
    let mut body = soft(&solid);
    let ask = |body: &SoftBody, object: &Object, what| {
        let mut out = vec![];
        let options = PenaltyOptions { penetrating: [what, Penetrating::Nothing], ..PenaltyOptions::default() };
        query_soft_object(body, object, &pose, &options, &mut PenaltyScratch::default(), &mut out).unwrap();
        out
    };
    let (mut same, mut across, mut alone) = (0, 0, 0);
    for seed in 0..40 {
        // On the upper side, more or less sunk in.
        let at = Point::new(1.4 * unit(1, seed) - 0.7, 1.4 * unit(2, seed) - 0.7, 0.5 + 0.2 - 0.15 * unit(3, seed));
        let (shift, up) = ((pose * at).coords, pose.rotation * Vector::z());
        body.set_positions(solid.nodes().iter().map(|p| p + shift)).unwrap();
        body.update();
        for what in [Penetrating::Points, Penetrating::Segments] {
            let intact = ask(&body, &whole, what);
            let broken: Vec<Vec<Penalty>> = pieces.objects.iter().map(|object| ask(&body, object, what)).collect();
            let load = |list: &[Penalty]| list.iter().map(|p| p.load).sum::<f64>();
            for (k, (object, found)) in pieces.objects.iter().zip(&broken).enumerate() {
                let own = pieces.cells[k] as usize;
                // Only what is in the cell; ends of segments that are cut off are on the crack.
                let nearest = body.positions().iter().map(|p| if cell(p).0 == own { 0.0 } else { cell(p).1 });
                let is_touched = nearest.fold(f64::INFINITY, f64::min) == 0.0;
                assert!(is_touched || found.is_empty(), "seed {seed}: {} from afar", found.len());
                alone += !is_touched as u32;
                for p in found.iter().filter(|p| p.depth > 1e-3) {
                    assert!(cell(&p.point).0 == own || cell(&p.point).1 < 1e-3, "seed {seed}: of another cell");
                    let out_of = p.point + p.direction * (1.1 * p.depth);
                    let left = object.in_metres().signed_distance(&pose.inverse_transform_point(&out_of)).distance;
                    assert!(left > -0.2 * p.depth, "seed {seed}, {what:?}: {left} after {}", p.depth);
                }
            }
            let sums: f64 = broken.iter().map(|list| load(list)).sum();
            let far = intact.iter().all(|p| cell(&p.point).1 > 1.5 * p.depth + 0.08);
            if far && !intact.is_empty() {
                assert!(
                    (sums - load(&intact)).abs() < 0.02 * load(&intact),
                    "seed {seed}: {sums} for {}",
                    load(&intact)
                );
                let push: Vector = broken.iter().flatten().map(|p| p.direction * p.load).sum();
                assert!(push.dot(&up) > 0.98 * sums, "seed {seed}: {push}");
                same += 1;
            } else if !intact.is_empty() {
                // Cracks are boundary too: what is beside them is less deep.
                assert!(sums > 0.0 && sums < 1.05 * load(&intact), "seed {seed}: {sums} for {}", load(&intact));
                across += 1;
            }
        }
    }
    println!("{same} far from cracks, {across} across, {alone} fragments not touched");
    assert!(same > 10 && across > 10 && alone > 40);
}

/// Memory that is kept from body to body and from step to step changes nothing.
#[test]
fn what_earlier_queries_left_in_memory_does_not_matter() {
    let solids = [ball(6), shapes::brick(1), shapes::torus(1.0, 0.4, 24, 6)];
    let mut bodies: Vec<SoftBody> = solids.iter().map(soft).collect();
    let mut kept = PenaltyScratch::default();
    let (mut found, mut records) = (0, 0);
    for round in 0..12 {
        let (k, other) = (round % 3, (round + 1) % 3);
        let size = solids[k].bounds().radius();
        let shift = Vector::new(0.3, 0.2, 0.1 + 0.02 * round as f64) * size;
        let moved = deformed(&solids[k], round as u64, 0.05 * size);
        bodies[k].set_positions(moved.into_iter().map(|p| p + shift)).unwrap();
        bodies[k].update();
        for (method, what) in
            METHODS.into_iter().zip([Penetrating::Segments, Penetrating::Points, Penetrating::AllSegments])
        {
            for (smooth, measured) in [(false, false), (true, false), (false, true)] {
                let options = PenaltyOptions { depths: method, penetrating: [what; 2], smooth, measured };
                let mut again = vec![];
                bodies[k].penalties(&bodies[other], &options, &mut kept, &mut again).unwrap();
                let (fresh, _) = respond(&bodies[k], &bodies[other], &options);
                assert_eq!(again, fresh, "round {round}, {options:?}");
                records += fresh.len();
            }
            let some: Vec<u32> = (0..bodies[k].positions().len() as u32).step_by(1 + 7 * round).collect();
            let (depths, _) = bodies[k].find_depths(Some(&some), method, &mut kept).unwrap();
            let depths: Vec<f64> = some.iter().map(|v| depths[*v as usize]).collect();
            assert_eq!(depths, bodies[k].depths_of(&some, method).unwrap().0, "round {round}, {method:?}");
            found += depths.len();
        }
        // The same body, moved: as many nodes, other depths.
        for step in 0..3 {
            let moved = deformed(&solids[k], (100 + round) as u64 + step, 0.05 * size);
            bodies[k].set_positions(moved.into_iter().map(|p| p + shift)).unwrap();
            bodies[k].update();
            let (depths, _) = bodies[k].find_depths(None, DepthMethod::Exact, &mut kept).unwrap();
            assert_eq!(depths, bodies[k].depths(DepthMethod::Exact).unwrap().0, "round {round}, step {step}");
        }
        let p = bodies[k].positions()[round];
        assert_eq!(bodies[k].find_distance(&p, &mut kept).unwrap(), bodies[k].signed_distance(&p).unwrap());
    }
    assert!(found > 1000 && records > 1000, "{found} depths, {records} records");
}

/// Corners and edges of what is rigid, in the middle of faces of a soft body; balls, wherever they reach.
#[test]
fn shapes_and_objects_are_felt_between_the_edges_of_a_body() {
    use fracas::contact::{query_soft_object, query_soft_shape};
    use fracas::field::shape::{Ball, Capsule, Cuboid};
    use fracas::geom::Pose;
    use fracas::{Asset, CookOptions, Object};
    let body = soft(&shapes::cuboid([1.0; 3], [2; 3]));
    let top = 0.5;
    let ask = |shape: &dyn Fn(&PenaltyOptions, &mut Vec<Penalty>), what: Penetrating| {
        let mut out = vec![];
        let penetrating = [Penetrating::Nothing, what];
        shape(&PenaltyOptions { penetrating, measured: true, ..PenaltyOptions::default() }, &mut out);
        out
    };
    let scratch = || PenaltyScratch::default();
    for seed in 0..50 {
        let aside = |k: u64| 0.7 * (unit(seed, k) - 0.5);
        let (x, y, deep) = (aside(0), aside(1), 0.005 + 0.04 * unit(seed, 2));
        // A ball, and a capsule that stands on its end: one record, at the closest point.
        let ball = Ball { centre: Point::new(x, y, top + 0.06 - deep), radius: 0.06 };
        let standing = Capsule { ends: [ball.centre, ball.centre + Vector::z()], radius: 0.06 };
        let round = ask(
            &|o, f| _ = query_soft_shape(&body, &ball, &Pose::identity(), o, &mut scratch(), f).unwrap(),
            Penetrating::Points,
        );
        let stood = ask(
            &|o, f| _ = query_soft_shape(&body, &standing, &Pose::identity(), o, &mut scratch(), f).unwrap(),
            Penetrating::Points,
        );
        let deepest = |found: &[Penalty]| found.iter().map(|p| p.depth).fold(0.0, f64::max);
        assert!(round.len() == 1 && (round[0].depth - deep).abs() < 1e-12 && (deepest(&stood) - deep).abs() < 1e-12);
        assert!((round[0].direction - Vector::z()).norm() < 1e-9 && (round[0].point.z - top).abs() < 1e-12);
        // The corner of a box, as a shape and as an object: the tip as a point, the edges above it as segments.
        let corner = nalgebra::UnitQuaternion::rotation_between(&Vector::new(-1.0, -1.0, -1.0), &-Vector::z()).unwrap();
        let turn = nalgebra::UnitQuaternion::from_axis_angle(&Vector::z_axis(), 6.0 * unit(seed, 3)) * corner;
        let half = 0.1;
        let pose = Pose::from_parts(Vector::new(x, y, top - deep + half * 3f64.sqrt()).into(), turn);
        let square = Cuboid { centre: Point::origin(), half: Vector::repeat(half) };
        let asset = Asset::cook(shapes::cuboid([2.0 * half; 3], [1; 3]), &CookOptions::default()).unwrap();
        let (object, middle) = (&Object::intact(&asset)[0], asset.solid().bounds().centre().coords);
        let placed = pose * Pose::translation(-middle.x, -middle.y, -middle.z);
        for what in [Penetrating::Points, Penetrating::Segments] {
            let shape = ask(&|o, f| _ = query_soft_shape(&body, &square, &pose, o, &mut scratch(), f).unwrap(), what);
            let solid = ask(&|o, f| _ = query_soft_object(&body, object, &placed, o, &mut scratch(), f).unwrap(), what);
            for found in [&shape, &solid] {
                assert!(found.iter().all(|p| p.side == 1 && p.direction.z > 0.99), "{what:?}");
                assert!(deepest(found) < deep + 1e-6, "{what:?}: {} for {deep}", deepest(found));
                // Three edges go up from the tip: each has √3 deep in the body, with a mean depth of half of it. (Diagonals of the object's
                // faces are edges, too.)
                let load: f64 = found.iter().map(|p| p.load).sum();
                let edges = 3.0 * 3f64.sqrt() * deep * 0.5 * deep;
                match what {
                    Penetrating::Points => assert!((load - deep).abs() < 1e-6),
                    _ => assert!(load > 0.999 * edges && load < 2.0 * edges, "{load} for {edges}"),
                }
            }
        }
        // Above the body, nothing.
        let apart = Ball { centre: Point::new(x, y, top + 0.0601), radius: 0.06 };
        assert!(
            ask(
                &|o, f| _ = query_soft_shape(&body, &apart, &Pose::identity(), o, &mut scratch(), f).unwrap(),
                Penetrating::Points
            )
            .is_empty()
        );
    }
}

/// Linear depths are zero along an edge through the body between two nodes of its boundary (6.2): there they are measured, too.
#[test]
fn nothing_is_without_depth_between_two_nodes_of_the_boundary() {
    let mut edges = 0;
    for solid in [shapes::bowl(0.085, 0.009, 12, 2), shapes::piggy_bank(0.014, 2.0), shapes::cuboid([1.0; 3], [3; 3])] {
        let body = soft(&solid);
        let triangles: Vec<[Point; 3]> = body.boundary().map(|t| t.map(|v| body.positions()[v as usize])).collect();
        let exact = |p: &Point| triangles.iter().map(|t| slow_distance(p, t)).fold(f64::INFINITY, f64::min);
        let pairs =
            solid.tets().iter().flat_map(|t| [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].map(|e| e.map(|k| t[k])));
        let through = pairs.filter(|e| e.iter().all(|v| solid.is_on_skin(*v)));
        for [a, b] in through.step_by(7) {
            let middle = nalgebra::center(&solid.nodes()[a as usize], &solid.nodes()[b as usize]);
            let depth = exact(&middle);
            if depth < 1e-6 {
                continue;
            }
            let mut found = vec![];
            let options = both(Penetrating::Points);
            body.penalties_of_triangles(&[middle], &[[0; 3]], &options, &mut PenaltyScratch::default(), &mut found)
                .unwrap();
            assert!(found.len() == 1 && (found[0].depth - depth).abs() < 1e-9, "{found:?} for {depth}");
            edges += 1;
        }
    }
    assert!(edges > 100, "{edges} edges through a body");
}
