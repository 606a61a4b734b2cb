//! Continuous collision of primitives: no collision is missed, and no time is late.

mod common;

use common::heap::{Counting, counts};
use common::{data, dynamic};
use fracas::deform::ccd::{Ccd, CcdOptions};
use fracas::geom::random::unit;
use fracas::{Point, Vector};
use std::fs;
use std::time::Instant;

#[global_allocator]
static COUNTING: Counting = Counting;

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
        let clock = Instant::now();
        for Query { truth, time, start, end } in &queries {
            let found = tested(&mut ccd, name, start, end);
            boxes += ccd.looked_at() as u64;
            assert!(found.is_some() || !truth, "{name}: missed {start:?} {end:?}");
            invented += (found.is_some() && !truth) as usize;
            if let (Some(time), Some(found), true) = (time, found, truth) {
                (late, early) = (late.max(found - time), early.max(time - found));
            }
        }
        let each = 1.0 / queries.len() as f64;
        println!(
            "{name}: {} queries of {:.0} ns, {invented} invented, {:.1} boxes a query, at most {late:.1e} late, {early:.1e} early",
            queries.len(),
            clock.elapsed().as_nanos() as f64 * each,
            boxes as f64 * each
        );
        // Few tests need inclusion; before the roots of the cubic were isolated it was 500 boxes each.
        assert!(boxes as f64 * each < 5.0, "{name}");
        assert!(late <= 0.0 && early < 1e-6, "{name}");
        assert!(!name.starts_with("random") || invented == 0, "{name}");
    }
}

#[test]
fn no_pair_of_real_scenes_is_missed() {
    let mut ccd = Ccd::default();
    for name in dynamic::NAMES {
        let Some(frames) = dynamic::frames(name) else { return data::skipped("continuous collision in real scenes") };
        let faces = frames.vertex_face.iter().map(|([vertex, triangle], truth)| {
            let [a, b, c] = frames.triangles[*triangle as usize];
            ("vf", [*vertex, a, b, c], *truth)
        });
        let edges = frames.edge_edge.iter().map(|(edges, truth)| ("ee", *edges, *truth));
        let (mut count, mut invented, mut boxes) = (0, 0, 0);
        for (kind, vertices, truth) in faces.chain(edges) {
            let [start, end] = [&frames.start, &frames.end].map(|p| vertices.map(|v| p[v as usize]));
            let found = tested(&mut ccd, kind, &start, &end).is_some();
            assert!(found || !truth, "{name}: missed {kind} {vertices:?}");
            count += 1;
            invented += (found && !truth) as u32;
            boxes += ccd.looked_at();
        }
        println!("{name}: {count} pairs, {invented} invented, {boxes} boxes");
        assert!(invented < 10 && boxes < count, "{name}");
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

/// Motions that are easy to get wrong, and some that are not.
#[derive(Clone, Copy, Debug)]
enum Family {
    /// Anything within a cube.
    Random,
    /// Edges that stay parallel and come to lie in one line.
    Parallel,
    /// The same, but they pass.
    ParallelMiss,
    /// The same, but for a tiny angle.
    NearlyParallel,
    /// Within a plane.
    Coplanar,
    /// In a plane that moves.
    Resting,
    /// Onto an edge or a corner.
    Boundary,
    /// Needles.
    Thin,
    /// Small integers: everything degenerate at times.
    Grid,
    /// Hardly moving.
    Slow,
}

const FAMILIES: [Family; 10] = [
    Family::Random,
    Family::Parallel,
    Family::ParallelMiss,
    Family::NearlyParallel,
    Family::Coplanar,
    Family::Resting,
    Family::Boundary,
    Family::Thin,
    Family::Grid,
    Family::Slow,
];

/// Numbers in the order of the calls.
struct Numbers(u64, u64);

impl Numbers {
    fn share(&mut self) -> f64 {
        self.1 += 1;
        unit(self.0, self.1)
    }

    fn below(&mut self, n: u64) -> u64 {
        (self.share() * n as f64) as u64
    }

    fn vector(&mut self) -> Vector {
        Vector::from_fn(|_, _| 2.0 * self.share() - 1.0)
    }
}

/// Which primitives, and where they are at the start and at the end.
fn example(family: Family, seed: u64) -> (&'static str, [Point; 4], [Point; 4]) {
    let mut r = Numbers(seed, 1000 * family as u64);
    let mut kind = ["vf", "ee"][seed as usize % 2];
    let [mut start, mut end] = [[0; 4]; 2].map(|points| points.map(|_| r.vector()));
    match family {
        Family::Random => {}
        Family::Parallel | Family::ParallelMiss | Family::NearlyParallel => {
            kind = "ee";
            let (along, apart, off) = (r.vector(), r.vector(), r.vector());
            let [near, far] = [start[0], start[0] + apart + along * (r.share() - 0.5)];
            start = [near, near + along, far, far + along * (2.0 * r.share() - 1.0)];
            let small = 10f64.powf(-12.0 * r.share());
            let miss = if matches!(family, Family::ParallelMiss) { off * small.sqrt() } else { off * 0.0 };
            start[3] += if matches!(family, Family::NearlyParallel) { off * small } else { off * 0.0 };
            end = [start[0], start[1], start[2] - apart * 2.0 + miss, start[3] - apart * 2.0 + miss];
        }
        Family::Coplanar | Family::Resting => {
            let (x, y, centre, way) = (r.vector(), r.vector(), r.vector(), r.vector());
            [start, end] = [start, end].map(|points| points.map(|p| centre + x * p.x + y * p.y));
            if matches!(family, Family::Resting) {
                end = start.map(|p| p + way);
            }
        }
        Family::Boundary => {
            let (t, share) = (0.1 + 0.9 * r.share(), [0.0, 1.0, r.share()][r.below(3) as usize]);
            let [a, b] = if kind == "vf" { [[1, 2], [2, 3], [1, 3]][r.below(3) as usize] } else { [2, 3] };
            let at = |k: usize| start[k] * (1.0 - t) + end[k] * t;
            end[0] = (at(a) * (1.0 - share) + at(b) * share - start[0] * (1.0 - t)) / t;
        }
        Family::Thin => {
            let (along, width, way) = (r.vector(), 10f64.powf(-16.0 * r.share()), r.vector());
            for k in if kind == "vf" { 1..4 } else { 0..2 } {
                start[k] = along * start[k].x + start[k] * width;
                end[k] = along * end[k].x + end[k] * width + way;
            }
        }
        Family::Grid => [start, end] = [start, end].map(|points| points.map(|p| p.map(|c| (1.5 * c).round()))),
        Family::Slow => end = std::array::from_fn(|k| start[k] + end[k] * 0.1),
    }
    (kind, start.map(Point::from), end.map(Point::from))
}

/// The largest component of the vectors between the points.
fn extent(start: &[Point; 4], end: &[Point; 4]) -> f64 {
    let from = |p: &[Point; 4]| p.iter().map(|q| (q - p[0]).amax().max((q - p[2]).amax())).fold(0.0, f64::max);
    from(start).max(from(end))
}

/// How far two primitives are apart at a time.
fn distance(kind: &str, start: &[Point; 4], end: &[Point; 4], t: f64) -> f64 {
    // From the first point: the origin may be far away.
    let at = |k: usize| (start[k] - start[0]) * (1.0 - t) + (end[k] - end[0]) * t;
    let [a, b, c, d] = [0, 1, 2, 3].map(at);
    let to_edge = |p: &Vector, q: &Vector, r: &Vector| {
        let way = r - q;
        let share = ((p - q).dot(&way) / way.norm_squared()).clamp(0.0, 1.0);
        (p - q - way * if share.is_nan() { 0.0 } else { share }).norm()
    };
    match kind {
        "vf" => {
            let normal = (c - b).cross(&(d - b));
            let inside = [(b, c), (c, d), (d, b)].iter().all(|(p, q)| (q - p).cross(&(a - p)).dot(&normal) > 0.0);
            let rim = to_edge(&a, &b, &c).min(to_edge(&a, &c, &d)).min(to_edge(&a, &d, &b));
            if inside { rim.min((a - b).dot(&normal.normalize()).abs()) } else { rim }
        }
        _ => {
            let ends = to_edge(&a, &c, &d).min(to_edge(&b, &c, &d)).min(to_edge(&c, &a, &b)).min(to_edge(&d, &a, &b));
            let normal = (b - a).cross(&(d - c));
            // Parameters of the nearest points of the lines, times the square of the normal.
            let [u, v] = [d - c, b - a].map(|edge| (c - a).cross(&edge).dot(&normal));
            let square = normal.norm_squared();
            let inside = u > 0.0 && u < square && v > 0.0 && v < square;
            if inside { ends.min((c - a).dot(&normal.normalize()).abs()) } else { ends }
        }
    }
}

/// As the family has them, small, large, far away, and small and far away.
const PLACES: [(f64, f64); 5] = [(1.0, 0.0), (1e-6, 0.0), (1e6, 0.0), (1.0, 1e4), (1e-3, 1e4)];

fn moved(points: &[Point; 4], (scale, far): (f64, f64)) -> [Point; 4] {
    points.map(|p| Point::from(p.coords * scale + Vector::new(1.0, -2.0, 0.5) * far))
}

const CLOSE: CcdOptions = CcdOptions { tolerance: 1e-8, max_boxes: 20_000 };
/// A time is right if the primitives are within this many tolerances at it. Over an interval as short as the tolerance each of three
/// vectors moves by twice its size along each axis.
const NEAR: f64 = 12.0;

#[test]
fn roots_agree_with_inclusion() {
    let mut ccd = Ccd::new(CLOSE).unwrap();
    let mut inclusion = Ccd::new(CLOSE).unwrap().inclusion_only();
    for family in FAMILIES {
        let [mut met, mut apart, mut differ, mut boxes, mut others] = [0; 5];
        for seed in 0..400 {
            let (kind, start, end) = example(family, seed);
            for place in PLACES {
                let (start, end) = (moved(&start, place), moved(&end, place));
                let near = NEAR * CLOSE.tolerance * extent(&start, &end);
                let found = tested(&mut ccd, kind, &start, &end);
                let other = tested(&mut inclusion, kind, &start, &end);
                boxes += ccd.looked_at();
                others += inclusion.looked_at();
                for (time, ccd) in [(found, &ccd), (other, &inclusion)] {
                    let off = time.map_or(0.0, |t| distance(kind, &start, &end, t));
                    // What has run out of boxes is early.
                    let done = ccd.looked_at() < CLOSE.max_boxes;
                    assert!(!done || off <= near, "{family:?} {seed} {place:?}: {off:e} apart at {time:?}");
                }
                match (found, other) {
                    (Some(t), Some(other)) => {
                        met += 1;
                        // Where they approach slowly, or slide, both may be right: see the distances.
                        differ += ((t - other).abs() > CLOSE.tolerance) as u32;
                        assert!(!matches!(family, Family::Random) || (t - other).abs() < 1e-6, "{seed} {place:?}");
                    }
                    (None, None) => apart += 1,
                    // One of them is within its tolerance, by the distances.
                    _ => differ += 1,
                }
            }
        }
        println!("{family:?}: {met} met, {apart} did not, {differ} differ; {boxes} boxes, else {others}");
        assert!(!matches!(family, Family::Random) || boxes == 0 && met > 200);
        assert!(differ < 600 && boxes < 2000 * 200 && boxes < others, "{family:?}");
    }
}

/// Primitives that meet at a time that is known, in numbers of few bits: all that the tests compute from is exact.
///
/// Their difference w - u a - v b is zero at that time.
fn exact(seed: u64) -> (&'static str, [Vector; 4], [Vector; 4], f64) {
    let mut r = Numbers(seed, 77);
    let kind = ["vf", "ee"][seed as usize % 2];
    let coarse = r.below(2) == 0;
    let point =
        |r: &mut Numbers| r.vector().map(|c| if coarse { (1.6 * c).round() } else { (512.0 * c).round() / 256.0 });
    let [base, a, b] = [0; 3].map(|_| [point(&mut r), point(&mut r)]);
    let b = match r.below(6) {
        0 => a,
        1 => a.map(|v| v * -0.5),
        2 => [b[0]; 2],
        _ => b,
    };
    // The first is at the start: w is zero for good, or right then.
    let time = [0.0, 1.0, 0.5, 0.25, 0.125, 0.0625][r.below(6) as usize];
    let u = r.below(5) as f64 / 4.0;
    let v = if kind == "vf" { r.below(5 - (4.0 * u) as u64) as f64 } else { r.below(5) as f64 } / 4.0;
    let at = |ends: &[Vector; 2]| ends[0] * (1.0 - time) + ends[1] * time;
    let hit = at(&a) * u + at(&b) * v;
    let old = if time == 0.0 { hit } else { point(&mut r) };
    let new = if time == 0.0 { point(&mut r) } else { old + (hit - old) / time };
    let w = [old, new];
    let ends = [0, 1].map(|i| match kind {
        "vf" => [base[i] + w[i], base[i], base[i] + a[i], base[i] + b[i]],
        _ => [base[i], base[i] + a[i], base[i] + w[i], base[i] + w[i] - b[i]],
    });
    (kind, ends[0], ends[1], time)
}

#[test]
fn exact_collisions_are_found_in_time() {
    let mut ccd = Ccd::new(CLOSE).unwrap();
    let mut inclusion = Ccd::new(CLOSE).unwrap().inclusion_only();
    // Powers of two near 1e-6 and 1e6, and two whose cubes under- or overflow.
    let places = [(1.0, 0.0), (2f64.powi(-20), 0.0), (2f64.powi(20), 0.0), (1.0, 1e4), (2f64.powi(-10), 1e4)];
    let extremes = [(2f64.powi(-400), 0.0), (2f64.powi(320), 0.0)];
    let ([mut by_roots, mut in_time, mut exhausted], mut boxes) = ([0; 3], 0);
    for seed in 0..6000 {
        let (kind, start, end, time) = exact(seed);
        let [start, end] = [start, end].map(|points| points.map(Point::from));
        let extreme = if seed % 10 == 0 { &extremes[..] } else { &[] };
        for place in places.iter().chain(extreme) {
            let (start, end) = (moved(&start, *place), moved(&end, *place));
            let found = tested(&mut ccd, kind, &start, &end);
            let t = found.unwrap_or_else(|| panic!("{seed} {kind} {place:?}: missed at {time}"));
            assert!(t <= time, "{seed} {kind} {place:?}: {t} is later than {time}");
            in_time += (t > time - 1e-6) as u32;
            by_roots += (ccd.looked_at() == 0) as u32;
            let near = NEAR * CLOSE.tolerance * extent(&start, &end);
            // Squares of extreme sizes are no numbers.
            let off = if extreme.contains(place) { 0.0 } else { distance(kind, &start, &end, t) };
            // What has run out of boxes is early.
            let is_exhausted = ccd.looked_at() >= CLOSE.max_boxes;
            exhausted += is_exhausted as u32;
            assert!(is_exhausted || off <= near, "{seed} {kind} {place:?}: {off:e} apart at {t}");
            boxes += ccd.looked_at() as u64;
            // Nothing before that time is cut off by a limit.
            let until = tested_until(&mut ccd, kind, &start, &end, time);
            assert!(until.is_some_and(|until| until <= time), "{seed} {kind} {place:?}: {until:?} until {time}");
        }
        if seed < 500 {
            let [start, end] = [&start, &end].map(|points| moved(points, places[0]));
            let other = tested(&mut inclusion, kind, &start, &end);
            assert!(other.is_some_and(|t| t <= time), "{seed} {kind}: {other:?} by inclusion, at {time}");
        }
    }
    println!("{by_roots} by roots alone, {in_time} at the known time, {exhausted} exhausted, {boxes} boxes");
    // Others meet earlier already, or on a rim.
    assert!(by_roots > 3000 && in_time > 20_000 && exhausted < 60);
}

fn tested_until(ccd: &mut Ccd, kind: &str, start: &[Point; 4], end: &[Point; 4], until: f64) -> Option<f64> {
    let found = match kind {
        "vf" => ccd.vertex_face_until(start, end, until),
        _ => ccd.edge_edge_until(start, end, until),
    };
    found.unwrap()
}

#[test]
fn nothing_is_reported_after_the_limit() {
    let mut ccd = Ccd::new(CLOSE).unwrap();
    let [mut kept, mut dropped] = [0; 2];
    for family in FAMILIES {
        for seed in 0..300 {
            let (kind, start, end) = example(family, seed);
            let whole = tested(&mut ccd, kind, &start, &end);
            for until in [0.0, 0.3, 0.7, 1.0].into_iter().chain(whole.map(|t| (t - 1e-3).max(0.0))) {
                let found = tested_until(&mut ccd, kind, &start, &end, until);
                assert!(found.is_none_or(|t| t <= until), "{family:?} {seed}: {found:?} is after {until}");
                let off = found.map_or(0.0, |t| distance(kind, &start, &end, t));
                assert!(off <= NEAR * CLOSE.tolerance * extent(&start, &end), "{family:?} {seed}: {off:e} apart");
                match whole {
                    // What is well before the limit is found all the same.
                    Some(t) if t < until - 1e-3 => {
                        kept += 1;
                        let found = found.unwrap_or_else(|| panic!("{family:?} {seed}: missed at {t} until {until}"));
                        assert!(found < t + 1e-3, "{family:?} {seed}: {found} until {until}, not {t}");
                        assert!(!matches!(family, Family::Random) || (found - t).abs() < 1e-9, "{seed}");
                    }
                    Some(t) if t > until => {
                        dropped += 1;
                        assert!(
                            !matches!(family, Family::Random) || found.is_none(),
                            "{seed}: {found:?} until {until}"
                        );
                    }
                    _ => {}
                }
            }
        }
    }
    println!("{kept} before the limit, {dropped} after it");
    assert!(kept > 1000 && dropped > 1000);
    let still = [Point::origin(); 4];
    assert_eq!(ccd.vertex_face_until(&still, &still, 0.0).unwrap(), Some(0.0));
    for until in [f64::NAN, -0.1, 1.1] {
        assert!(ccd.edge_edge_until(&still, &still, until).is_err());
    }
}

#[test]
fn warm_tests_do_not_allocate() {
    let mut ccd = Ccd::default();
    let mut pass = || {
        for family in FAMILIES {
            for seed in 0..50 {
                let (kind, start, end) = example(family, seed);
                tested(&mut ccd, kind, &start, &end);
            }
        }
    };
    pass();
    let before = counts().blocks;
    pass();
    assert!(before > 0 && counts().blocks == before);
}
