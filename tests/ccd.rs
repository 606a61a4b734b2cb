//! Continuous collision of primitives: no collision is missed, and no time is late.

mod common;

use common::data;
use fracas::deform::ccd::{Ccd, CcdOptions};
use fracas::geom::random::unit;
use fracas::{Point, Vector};
use std::fs;

/// A query of the data folder: whether the primitives meet, when (if that is known), and the points.
struct Query {
    truth: bool,
    time: Option<f64>,
    start: [Point; 4],
    end: [Point; 4],
}

fn queries(name: &str) -> Option<Vec<Query>> {
    let text = fs::read_to_string(data::file(&format!("ccd/{name}.csv"))?).unwrap();
    let mut lines = text.lines();
    let timed = lines.next().unwrap().contains("toi");
    let query = |line: &str| {
        let numbers: Vec<f64> = line.split(',').map(|word| word.parse().unwrap()).collect();
        let points = &numbers[1 + timed as usize..];
        assert_eq!(points.len(), 24);
        let at = |k: usize| Point::new(points[3 * k], points[3 * k + 1], points[3 * k + 2]);
        Query {
            truth: numbers[0] == 1.0,
            time: timed.then(|| numbers[1]),
            start: std::array::from_fn(at),
            end: std::array::from_fn(|k| at(k + 4)),
        }
    };
    Some(lines.map(query).collect())
}

const FILES: [&str; 17] = [
    "unit-tests_vf",
    "unit-tests_ee",
    "erleben-cube-internal-edges_vf",
    "erleben-cube-internal-edges_ee",
    "erleben-sliding-spike_vf",
    "erleben-sliding-spike_ee",
    "erleben-spike-crack_vf",
    "erleben-spike-crack_ee",
    "erleben-spike-wedge_vf",
    "erleben-spike-wedge_ee",
    "erleben-wedges_vf",
    "erleben-wedges_ee",
    "cloth-funnel_vf",
    "cloth-funnel_ee",
    "n-body-simulation_vf",
    "random_vf",
    "random_ee",
];

fn tested(ccd: &mut Ccd, name: &str, start: &[Point; 4], end: &[Point; 4]) -> Option<f64> {
    let found = if name.ends_with("vf") { ccd.vertex_face(start, end) } else { ccd.edge_edge(start, end) };
    found.unwrap()
}

#[test]
fn no_collision_of_the_data_folder_is_missed() {
    let mut ccd = Ccd::new(CcdOptions { tolerance: 1e-9, max_boxes: 1_000_000 }).unwrap();
    for name in FILES {
        let Some(queries) = queries(name) else { return data::skipped("continuous collision against exact answers") };
        let (mut invented, mut late, mut early, mut boxes) = (0, 0.0f64, 0.0f64, 0u64);
        for Query { truth, time, start, end } in &queries {
            let found = tested(&mut ccd, name, start, end);
            boxes += ccd.looked_at() as u64;
            assert!(found.is_some() || !truth, "{name}: missed {start:?} {end:?}");
            invented += (found.is_some() && !truth) as usize;
            if let (Some(time), Some(found), true) = (time, found, truth) {
                (late, early) = (late.max(found - time), early.max(time - found));
            }
        }
        println!(
            "{name}: {} queries, {invented} invented, {} boxes a query, at most {late:.1e} late, {early:.1e} early",
            queries.len(),
            boxes / queries.len() as u64
        );
        assert!(late <= 0.0 && early < 1e-6, "{name}");
        assert!(!name.starts_with("random") || invented == 0, "{name}");
    }
}

/// Random motions against brute force: the distance of the primitives at many times.
#[test]
fn times_are_never_late() {
    let mut ccd = Ccd::default();
    let (mut met, mut apart) = (0, 0);
    for seed in 0..400u64 {
        let scale = 10f64.powi(seed as i32 % 13 - 6);
        let far = Vector::new(1.0, -2.0, 0.5) * if seed % 3 == 0 { 1e6 * scale } else { 0.0 };
        let at = |k: u64| Point::from(far + Vector::from_fn(|axis, _| scale * (unit(seed, 3 * k + axis as u64) - 0.5)));
        let (start, end): ([Point; 4], [Point; 4]) =
            (std::array::from_fn(|k| at(k as u64)), std::array::from_fn(|k| at(k as u64 + 4)));
        for name in ["vf", "ee"] {
            let found = tested(&mut ccd, name, &start, &end);
            // The primitives cross between two steps if the volume that the points span changes its sign while they overlap.
            let moved = |t: f64| -> [Point; 4] { std::array::from_fn(|k| start[k] + (end[k] - start[k]) * t) };
            let first = (0..2000).find(|k| crosses(name, &moved(*k as f64 / 2000.0), &moved((k + 1) as f64 / 2000.0)));
            match (found, first) {
                (Some(found), Some(k)) => {
                    assert!(
                        found <= (k + 1) as f64 / 2000.0,
                        "{seed} {name}: {found}, but at most {}",
                        (k + 1) as f64 / 2000.0
                    );
                    met += 1;
                }
                (None, Some(k)) => panic!("{seed} {name}: missed at step {k}"),
                (None, None) => apart += 1,
                (Some(_), None) => {} // between two steps, or along an edge
            }
        }
    }
    println!("{met} met, {apart} did not");
    assert!(met > 100 && apart > 100);
}

/// Whether primitives surely pass through each other from one step to the next.
fn crosses(name: &str, before: &[Point; 4], after: &[Point; 4]) -> bool {
    let volume = |p: &[Point; 4]| (p[1] - p[0]).cross(&(p[2] - p[0])).dot(&(p[3] - p[0]));
    let (old, new) = (volume(before), volume(after));
    if old * new >= 0.0 {
        return false;
    }
    let at: [Point; 4] = std::array::from_fn(|k| before[k] + (after[k] - before[k]) * (old / (old - new)));
    let inside = |share: f64| share > 1e-2 && share < 1.0 - 1e-2;
    match name {
        "vf" => {
            let normal = (at[2] - at[1]).cross(&(at[3] - at[1]));
            let weight = |a: Point, b: Point| (b - a).cross(&(at[0] - a)).dot(&normal) / normal.norm_squared();
            inside(weight(at[1], at[2])) && inside(weight(at[2], at[3])) && inside(weight(at[3], at[1]))
        }
        _ => {
            let (d, e, r) = (at[1] - at[0], at[3] - at[2], at[0] - at[2]);
            let (a, b, c, f) = (d.norm_squared(), d.dot(&e), d.dot(&r), e.norm_squared());
            let s = (b * e.dot(&r) - c * f) / (a * f - b * b);
            inside(s) && inside((b * s + e.dot(&r)) / f)
        }
    }
}

#[test]
fn what_is_no_motion_is_refused() {
    let still = [Point::origin(); 4];
    let mut ccd = Ccd::default();
    // All in one place: they meet at once.
    assert_eq!(ccd.vertex_face(&still, &still).unwrap(), Some(0.0));
    let mut bad = still;
    bad[2].y = f64::NAN;
    assert!(ccd.edge_edge(&bad, &still).is_err() && ccd.edge_edge(&still, &bad).is_err());
    assert!(Ccd::new(CcdOptions { tolerance: 0.0, ..Default::default() }).is_err());
    assert!(Ccd::new(CcdOptions { max_boxes: 0, ..Default::default() }).is_err());
}

/// A vertex in the plane of a triangle, exactly, and edges in one plane that cross: rounding must not lift them off.
#[test]
fn touching_is_meeting() {
    let mut ccd = Ccd::default();
    for seed in 0..300 {
        let [height, speed] = [unit(seed, 20) * 1e3, unit(seed, 21) - 0.5];
        // A triangle around the origin, in two dimensions; a vertex near the origin; an edge through both.
        let corner = |k: u64| {
            let (sin, cos) = (2.1 * k as f64 + 0.3 * unit(seed, k)).sin_cos();
            Point::new(3.0 * cos, 3.0 * sin, height)
        };
        let inside = Point::new(unit(seed, 8) - 0.5, unit(seed, 9) - 0.5, height);
        let (a, b, c) = (corner(0), corner(1), corner(2));
        let moved = |p: &Point| Point::new(p.x, p.y, p.z + speed);
        for still in [true, false] {
            let end = |start: &[Point; 4]| if still { *start } else { start.each_ref().map(moved) };
            let face = [inside, a, b, c];
            assert_eq!(ccd.vertex_face(&face, &end(&face)).unwrap(), Some(0.0), "{seed}");
            let edges = [inside, a + (a - inside) * 2.0, b, c];
            let far = [Point::new(-a.x * 4.0, -a.y * 4.0, height), Point::new(a.x, a.y, height), b, c];
            let crossing = ccd.edge_edge(&far, &end(&far)).unwrap();
            assert_eq!(crossing, Some(0.0), "{seed}");
            // The same edge beyond the corner meets nothing.
            assert_eq!(ccd.edge_edge(&[edges[1], a, b, c], &end(&[edges[1], a, b, c])).unwrap(), None, "{seed}");
        }
    }
}
