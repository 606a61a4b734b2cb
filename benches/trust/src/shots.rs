//! Fragments shot at plates 5 mm thick: whether sweeps stop them all, and when. Truth is brute force: many small steps, with
//! separating axes at each (`tests/common/swept.rs`).

use crate::Result;
use crate::common::dice::Dice;
use crate::common::swept::{Convex, Flight, first_touch, separation_at};
use crate::common::touch::Mesh;
use crate::pool::{Body, Kind, Pool};
use fracas::contact::{QueryOptions, SweepOptions, query_pair, sweep_pair};
use fracas::geom::Pose;
use fracas::geom::random::mix;
use fracas::{Asset, CookOptions, Object, Point, Vector, shapes};
use rayon::prelude::*;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// Steps per second.
const RATE: f64 = 60.0;
const THICKNESS: f64 = 0.005;
/// Length of the steps of truth, in metres.
const FINE: f64 = 0.001;
/// Each sweep is timed so many times; the least counts, since other programs may run.
const RUNS: u32 = 5;

/// One shot.
struct Shot {
    speed: f64,
    /// True and found time of impact, in steps from the start.
    truth: Option<f64>,
    found: Option<f64>,
    /// True separation where a sweep found an impact, in metres.
    gap: f64,
    is_exact: bool,
    /// Whether queries at the end of each step would have missed it.
    would_tunnel: bool,
    /// Nanoseconds per sweep that ended with an impact, and of those that did not.
    hit: Vec<f64>,
    miss: Vec<f64>,
}

fn shoot(body: &Body, parts: &[Convex], (plate, hull, half): (&Object, &Convex, f64), seed: u64) -> Result<Shot> {
    let mut dice = Dice::new(seed);
    let speed = dice.scale(5.0, 500.0);
    let mass = body.object.in_metres().mass();
    let radius = body.mesh.points.iter().map(|p| (p - mass.centre).norm()).fold(0.0, f64::max);
    let direction = Vector::new(dice.between(-0.7, 0.7), dice.between(-0.7, 0.7), -1.0).normalize();
    let through = Point::new(dice.between(-half, half) * 1.1, dice.between(-half, half) * 1.1, 0.0);
    // In front of the plate, anywhere within a step; and so far that it has passed it in the end.
    let before = (radius + THICKNESS) / -direction.z + dice.unit() * speed / RATE;
    let steps = ((before + (radius + THICKNESS) / -direction.z) * RATE / speed).ceil();
    let flight = Flight {
        centre: mass.centre,
        from: through - direction * before,
        way: direction * (speed / RATE * steps),
        start: dice.rotation(),
        axis: dice.direction(),
        angle: dice.scale(0.1, 100.0) / RATE * steps,
    };
    let still = Pose::identity();
    let of_plate = Flight::still(&still);
    let separation = |t: f64, far: f64| separation_at((parts, &flight), (hull, &of_plate), t, far);
    // It can touch only while its sphere does.
    let near = (radius + THICKNESS) / -flight.way.z;
    let (low, high) =
        ((flight.from.z / -flight.way.z - near).max(0.0), (flight.from.z / -flight.way.z + near).min(1.0));
    let fine = ((high - low) * flight.way.norm() / FINE).ceil().max(50.0) as usize;
    let (truth, _) = first_touch(fine, |t| separation(low + (high - low) * t, 0.002));
    let mut shot = Shot {
        speed,
        truth: truth.map(|t| (low + (high - low) * t) * steps),
        found: None,
        gap: 0.0,
        is_exact: true,
        would_tunnel: true,
        hit: vec![],
        miss: vec![],
    };
    let options = SweepOptions::default();
    let mut contacts = vec![];
    for step in 0..steps as usize {
        let ends = [step, step + 1].map(|k| flight.pose(k as f64 / steps));
        let sweep =
            || sweep_pair(&body.object, ends.each_ref(), plate, [&still; 2], &options).map_err(|e| e.to_string());
        let found = sweep()?;
        query_pair(&body.object, &ends[1], plate, &still, &QueryOptions::default(), &mut contacts)
            .map_err(|e| e.to_string())?;
        let mut nanoseconds = f64::INFINITY;
        for _ in 0..RUNS {
            let start = Instant::now();
            std::hint::black_box(sweep()?);
            nanoseconds = nanoseconds.min(start.elapsed().as_nanos() as f64);
        }
        match found {
            Some(impact) if shot.found.is_none() => {
                shot.hit.push(nanoseconds);
                shot.found = Some(step as f64 + impact.time);
                shot.gap = separation((step as f64 + impact.time) / steps, f64::INFINITY);
                shot.is_exact = impact.is_exact;
            }
            Some(_) => {}
            None => shot.miss.push(nanoseconds),
        }
    }
    shot.would_tunnel = contacts.is_empty();
    Ok(shot)
}

fn surface(object: &Object) -> Mesh {
    let surface = object.surface();
    Mesh { points: surface.vertices, triangles: surface.triangles.iter().map(|t| t.corners).collect() }
}

/// Shoots, prints a table, and appends it to a Markdown file if there is one.
pub fn run(count: usize, seed: u64, table: Option<&Path>) -> Result<()> {
    let pool = Pool::new(Kind::Fragments, seed)?;
    let cook = |half: f64, cells: usize| {
        let solid = shapes::cuboid([2.0 * half, 2.0 * half, THICKNESS], [cells, cells, 1]);
        let asset = Asset::cook(solid, &CookOptions::default()).map_err(|e| e.to_string())?;
        Ok::<_, String>(Object::intact(&asset).remove(0))
    };
    let mut plates = vec![];
    for half in [0.1, 0.25, 0.5] {
        plates.push((cook(half, 8)?, Convex::new(&surface(&cook(half, 1)?)), half));
    }
    let parts: Vec<Vec<Convex>> = pool.bodies.par_iter().map(|body| Convex::triangles(&body.mesh)).collect();
    let shots: Vec<Shot> = (0..count)
        .into_par_iter()
        .map(|number| {
            let mut dice = Dice::new(mix(seed ^ number as u64));
            let (body, plate) = (dice.index(pool.bodies.len()), dice.index(plates.len()));
            let (object, hull, half) = &plates[plate];
            shoot(&pool.bodies[body], &parts[body], (object, hull, *half), mix(mix(seed) ^ number as u64))
        })
        .collect::<Result<_>>()?;
    let text = told(&shots);
    print!("{text}");
    if let Some(table) = table {
        let known = std::fs::read_to_string(table).unwrap_or_default();
        std::fs::write(table, known + &text).map_err(|e| e.to_string())?;
    }
    Ok(())
}

fn told(shots: &[Shot]) -> String {
    let mut text = String::from("\n## Shots\n\nFragments at plates of 5 mm, 60 steps per second. Errors in steps.\n\n");
    text += "| m/s | shots | hits | missed by queries after each step | pass | late, at most | early, mean | early, most | gap then, most | not exact | ";
    text += "impact, us | no impact, us |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    let mut line = |name: &str, shots: &[&Shot]| {
        let hits: Vec<&&Shot> = shots.iter().filter(|shot| shot.truth.is_some()).collect();
        let pass = hits.iter().filter(|shot| shot.found.is_none()).count();
        let errors: Vec<f64> = hits.iter().filter_map(|shot| Some(shot.truth? - shot.found?)).collect();
        let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let times = |of: fn(&Shot) -> &[f64]| -> String {
            let mut all: Vec<f64> = shots.iter().flat_map(|shot| of(shot)).copied().collect();
            all.sort_unstable_by(f64::total_cmp);
            let at = |share: f64| all.get((share * all.len() as f64) as usize).copied().unwrap_or(f64::NAN) / 1000.0;
            format!("{:.1} (median {:.1}, 99 % {:.1})", mean(&all) / 1000.0, at(0.5), at(0.99))
        };
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {pass} | {:.1e} | {:.1e} | {:.1e} | {:.1e} m | {} | {} | {} |",
            shots.len(),
            hits.len(),
            hits.iter().filter(|shot| shot.would_tunnel).count(),
            most(&mut errors.iter().map(|error| -error)),
            mean(&errors),
            most(&mut errors.iter().copied()),
            most(&mut shots.iter().filter(|shot| shot.found.is_some()).map(|shot| shot.gap)),
            shots.iter().filter(|shot| !shot.is_exact).count(),
            times(|shot| &shot.hit),
            times(|shot| &shot.miss),
        );
    };
    for (name, range) in
        [("5 to 15", 5.0..15.0), ("15 to 50", 15.0..50.0), ("50 to 150", 50.0..150.0), ("150 to 500", 150.0..501.0)]
    {
        line(name, &shots.iter().filter(|shot| range.contains(&shot.speed)).collect::<Vec<_>>());
    }
    line("all", &shots.iter().collect::<Vec<_>>());
    text
}
