//! The occupancy masks: never a wrong "no", memory and cost for any number of fragments, and what they add to planes.

use crate::common;

use common::families::{families, point_near};
use common::judge::Judge;
use common::pairs::broken;
use common::scenes;
use fracas::fracture::pattern::Impact;
use fracas::geom::random::unit;
use fracas::reference::nodal::Scheme;
use fracas::{Object, Pattern, Point, Vector, shapes};
use std::time::Instant;

/// A ball of any size, mostly small, around a point near an object.
fn ball_near(object: &Object, judge: &Judge, seed: u64) -> (Point, f64) {
    let reach = object.asset().radius() * [0.0, 0.002, 0.02, 0.1, 0.5, 2.0][(unit(seed, 20) * 5.5) as usize];
    let away = Vector::from_fn(|k, _| unit(seed, 21 + k as u64) * 2.0 - 1.0) * reach;
    (point_near(object, judge, seed) + away, reach * unit(seed, 30))
}

#[test]
fn what_touches_is_never_denied() {
    let (mut touching, mut apart, mut culled) = (0, 0, 0);
    for (name, family) in families() {
        for (k, object) in family.iter().enumerate() {
            let judge = Judge::new(object);
            let field = object.field(Scheme::ClosestFeature);
            // Its whole surface, and points inside.
            for t in &judge.surface.triangles {
                let [a, b, c] = t.corners.map(|c| judge.surface.vertices[c as usize]);
                for p in [a, a + (b - a) * 0.5, a + ((b - a) + (c - a)) / 3.0] {
                    assert!(field.may_touch(&p, 0.0), "{name}: {p} is on the surface");
                }
            }
            for s in 0..2000 / family.len() as u64 {
                let (centre, reach) = ball_near(object, &judge, s * 977 + k as u64);
                assert!(field.occupancy().window(&centre, reach).is_none_or(|w| w.cells() <= 8));
                let answer = field.may_touch(&centre, reach);
                if judge.distance_within(&centre, reach).is_some() || judge.inside(&centre) {
                    touching += 1;
                    assert!(answer, "{name}: a ball of {reach:e} at {centre} touches and was denied");
                } else {
                    apart += 1;
                    culled += !answer as usize;
                }
            }
        }
    }
    println!("{touching} balls touch, all found; of {apart} that do not, {culled} are told apart");
    assert!(touching > 10_000 && apart > 10_000);
}

#[test]
fn ten_thousand_fragments_cost_a_test_no_more_than_eight() {
    let object = scenes::intact(shapes::cuboid([1.0, 1.0, 1.0], [26, 26, 26]));
    let mut looked_at = vec![];
    for cells in [8, 10_000] {
        let pieces = broken(&object, &Pattern::random_voronoi(cells, 5));
        assert!(pieces.len() >= cells as usize, "{} pieces", pieces.len());
        pieces[0].field(Scheme::ClosestFeature).cracks();
        let start = Instant::now();
        let occupancy = pieces[0].field(Scheme::ClosestFeature).occupancy();
        let made = start.elapsed();
        let bytes = occupancy.bytes() as f64 / occupancy.pairs() as f64;
        assert!(bytes <= 64.0, "{bytes} bytes a pair");
        let balls: Vec<(u32, Point, f64)> = (0..200_000u64)
            .map(|k| {
                let at = Point::from(Vector::from_fn(|i, _| unit(k, i as u64) * 1.2 - 0.6));
                ((unit(k, 9) * pieces.len() as f64) as u32, at, 0.2 * unit(k, 10).powi(4))
            })
            .collect();
        let windows = balls.iter().filter_map(|(_, at, reach)| occupancy.window(at, *reach));
        let counts: Vec<usize> = windows.map(|w| w.cells()).collect();
        let start = Instant::now();
        let near = balls.iter().filter(|(piece, at, reach)| occupancy.may_touch(*piece, at, *reach)).count();
        println!(
            "{} pieces: {} levels, {} pairs, {:.1} bytes a pair, {:.2} MB, made in {:.1} ms; {:.2} cells a test (most {}), {:.0} ns, {near} near",
            pieces.len(),
            occupancy.cell_sizes().len(),
            occupancy.pairs(),
            bytes,
            occupancy.bytes() as f64 / 1e6,
            made.as_secs_f64() * 1e3,
            counts.iter().sum::<usize>() as f64 / counts.len() as f64,
            counts.iter().max().unwrap(),
            start.elapsed().as_nanos() as f64 / balls.len() as f64,
        );
        assert!(counts.iter().all(|cells| *cells <= 8));
        looked_at.push(counts);
    }
    assert_eq!(looked_at[0], looked_at[1], "the number of fragments changes what is looked at");
}

#[test]
fn the_same_whoever_makes_it() {
    let object = scenes::intact(shapes::ball(0.1, 10));
    let made = |_| {
        let pieces = broken(&object, &Pattern::random_voronoi(20, 3));
        pieces[pieces.len() / 2].field(Scheme::Averaged).occupancy().clone()
    };
    let [first, second] = [0, 1].map(made);
    assert!(first == second);
}

/// Spheres around samples of one fragment that do not touch another, shaken loose and in rubble: who notices?
#[test]
fn masks_know_what_boxes_and_planes_do_not() {
    let ball = || shapes::ball(0.1, 14);
    let impact = Impact { point: Point::new(0.1, 0.0, 0.0), direction: -Vector::x(), radius: 0.1, count: 12, seed: 1 };
    for (name, solid, pattern) in [
        ("ball in 27, smooth", ball(), Pattern::random_voronoi(27, 1)),
        ("ball in 27, rough", ball(), Pattern::random_voronoi(27, 1).rough(scenes::ROUGH)),
        ("ball with a crater", ball(), Pattern::impact(impact)),
        ("hollow ball in 6", shapes::hollow_ball(0.1, 20, 2), Pattern::random_voronoi(6, 1)),
        ("torus in 3", shapes::torus(0.1, 0.03, 40, 8), Pattern::random_voronoi(3, 1)),
        ("brick in 8", shapes::brick(2), Pattern::random_voronoi(8, 1)),
    ] {
        let pieces = broken(&scenes::intact(solid), &pattern);
        let judges: Vec<Judge> = pieces.iter().map(Judge::new).collect();
        let margin = 0.001 * pieces[0].bounds().radius();
        let (mut apart, mut planes_only, mut with_grid, mut masks_only, mut all) = (0, 0, 0, 0, 0);
        for seed in 0..300u64 {
            let pick = |k| (unit(seed, k) * pieces.len() as f64) as usize;
            let (i, j) = (pick(1), pick(2));
            let (a, b) = (&pieces[i], &pieces[j]);
            if i == j {
                continue;
            }
            let (loose, middle) = (seed % 2 == 0, b.asset().centre());
            let turn = scenes::direction(seed) * if loose { 0.3 } else { 3.0 } * unit(seed, 3);
            let turn = nalgebra::Rotation3::new(turn);
            let shift = scenes::direction(seed + 77) * unit(seed, 4);
            let to = match loose {
                true => a.bounds().centre() + shift * 0.5 * a.bounds().radius(),
                false => b.bounds().centre() + shift * 0.8 * (a.bounds().radius() + b.bounds().radius()),
            };
            let field = b.field(Scheme::ClosestFeature);
            for (centre, radius) in a.samples().buckets.iter().chain(&a.samples().groups).flat_map(|lanes| lanes.iter())
            {
                let own = middle + centre.cast::<f64>();
                let at = to + turn * (own - a.bounds().centre());
                let reach = radius as f64 + margin;
                if judges[j].distance_within(&at, reach).is_some() || judges[j].inside(&at) {
                    continue;
                }
                let planes = b.samples().supports.beyond(&(at - middle).cast()) as f64 > reach;
                let grid = field.clearance(&at) > reach;
                let masks = !field.may_touch(&at, reach);
                apart += 1;
                planes_only += planes as usize;
                with_grid += (planes || grid) as usize;
                masks_only += masks as usize;
                all += (planes || grid || masks) as usize;
            }
        }
        let share = |n: usize| 100.0 * n as f64 / apart as f64;
        println!(
            "{name}: {apart} spheres apart; planes notice {:.1} %, with box and grid {:.1} %, with masks {:.1} %; masks alone {:.1} %",
            share(planes_only),
            share(with_grid),
            share(all),
            share(masks_only)
        );
        assert!(apart > 1000 && all >= with_grid && masks_only > 0);
    }
}
