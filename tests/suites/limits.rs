//! What cannot be done in bounded time and memory is refused, mostly before the work, with a sentence that names the number, what it
//! comes to, the limit and the remedy; and what can be done is done.
//!
//! Nothing here is timed. A watchdog ends what hangs, after much longer than anything here takes.

use crate::common;

use common::{oracle, scenes};
use fracas::fracture::pattern::{Impact, LabelCuts, NodeGap, NodeLabels};
use fracas::geom::plane::Plane;
use fracas::geom::random::unit;
use fracas::{
    Asset, CookOptions, Error, FractureOptions, Object, Outcome, Pattern, Point, Solid, Vector, fracture, shapes,
};
use std::process::abort;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Everything here takes seconds.
const HANGS: Duration = Duration::from_secs(600);

/// Does something, or ends the program if it hangs.
fn watched<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (done, ends) = channel::<()>();
    let what = what.to_string();
    thread::spawn(move || {
        if ends.recv_timeout(HANGS) == Err(RecvTimeoutError::Timeout) {
            eprintln!("{what}: it hangs");
            abort();
        }
    });
    let result = work();
    drop(done);
    result
}

fn intact(solid: Solid) -> Object {
    Object::intact(&Asset::cook(solid, &CookOptions::default()).unwrap()).remove(0)
}

/// A fracture that must be refused; what it says.
fn refused(object: &Object, pattern: &Pattern, options: &FractureOptions) -> String {
    match watched("a fracture", || fracture(object, pattern, options)) {
        Err(Error::TooLarge(text)) => text,
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("it was broken"),
    }
}

fn broken(object: &Object, pattern: &Pattern, options: &FractureOptions) -> Vec<Object> {
    match watched("a fracture", || fracture(object, pattern, options)).unwrap() {
        Outcome::Broken(result) => result.objects,
        Outcome::Whole { .. } => vec![object.clone()],
    }
}

fn with_budget(max_regions: u32) -> FractureOptions {
    FractureOptions { max_regions, ..Default::default() }
}

fn blow(count: u32) -> Pattern {
    let (point, direction) = (Point::new(1.0, 0.0, 0.0), -Vector::x());
    Pattern::impact(Impact { point, direction, radius: 0.6, count, seed: 3 })
}

#[test]
fn counts_that_are_hopeless_are_refused_at_once() {
    let object = intact(shapes::ball(1.0, 6));
    let told = |text: String, words: &[&str]| {
        words.iter().for_each(|word| assert!(text.contains(word), "{text}: {word}"));
    };
    for pattern in [Pattern::random_voronoi(u32::MAX, 1), blow(u32::MAX)] {
        told(
            refused(&object, &pattern, &with_budget(1 << 22)),
            &["4294967295", "max_regions is 4194304", "ask for fewer"],
        );
        // A budget without end is no memory without end.
        told(refused(&object, &pattern, &with_budget(u32::MAX)), &["4294967295", "at most", "once more"]);
    }
    told(refused(&object, &Pattern::random_voronoi(101, 1), &with_budget(100)), &["101", "max_regions is 100"]);
    // Fewer cells than regions that are allowed, but far more regions: told by what they come to.
    let fine = intact(shapes::ball(1.0, 10));
    let text = refused(&fine, &Pattern::random_voronoi(4_190_000, 1), &with_budget(1 << 22));
    told(text, &["count is 4190000", "about", "max_regions is 4194304", "ask for fewer"]);
    // A joined rest does not change what is made first.
    let few = FractureOptions { max_fragments: 2, ..with_budget(1 << 22) };
    told(refused(&object, &Pattern::random_voronoi(u32::MAX, 1), &few), &["max_regions"]);
    // Fragments too.
    let piece = broken(&object, &Pattern::random_voronoi(3, 1), &with_budget(1 << 22)).remove(0);
    told(refused(&piece, &Pattern::random_voronoi(u32::MAX, 1), &with_budget(1 << 22)), &["4294967295"]);
    told(refused(&piece, &blow(u32::MAX), &with_budget(u32::MAX)), &["4294967295"]);
}

/// Estimates must not refuse what fits: the same events with the regions that they need as their budget.
#[test]
fn what_fits_is_not_refused() {
    for (solid, count) in [
        (shapes::ball(1.0, 8), 3),
        (shapes::ball(1.0, 8), 300),
        (shapes::brick(2), 2000),
        (shapes::cuboid([1.0; 3], [1; 3]), 3000),
    ] {
        let object = intact(solid);
        let pattern = Pattern::random_voronoi(count, 5);
        let pieces = broken(&object, &pattern, &with_budget(1 << 22));
        let regions = pieces[0].made_by().cut_tets().regions.len() as u32;
        let again = broken(&object, &pattern, &with_budget(regions));
        assert_eq!(again.len(), pieces.len(), "{count} cells, {regions} regions");
        refused(&object, &pattern, &with_budget(regions / 8));
    }
}

/// Planes in general position divide a convex body into one part, and one more for each plane that crosses it, for each line of two
/// planes that does, and for each point of three within.
fn parts_by_planes(corners: &[Point; 4], planes: &[Plane]) -> usize {
    let [a, b, c, d] = corners;
    let inverse = nalgebra::Matrix3::from_columns(&[b - a, c - a, d - a]).try_inverse().unwrap();
    let weights = |p: &Point| {
        let w = inverse * (p - a);
        [1.0 - w.sum(), w.x, w.y, w.z]
    };
    let mut parts = 1;
    for (i, p) in planes.iter().enumerate() {
        parts +=
            corners.iter().any(|c| p.distance(c) > 0.0) as usize * corners.iter().any(|c| p.distance(c) < 0.0) as usize;
        for (j, q) in planes[..i].iter().enumerate() {
            let along = p.normal.cross(&q.normal);
            let on = |r: &Vector, offset: f64| {
                let system = nalgebra::Matrix3::from_rows(&[p.normal.transpose(), q.normal.transpose(), r.transpose()]);
                system.try_inverse().map(|m| Point::from(m * Vector::new(p.offset, q.offset, offset)))
            };
            // The line, clipped by the four faces.
            let start = weights(&on(&along, 0.0).unwrap());
            let slope = weights(&(a + along)).iter().zip(weights(a)).map(|(w, v)| w - v).collect::<Vec<_>>();
            let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
            for (w, s) in start.iter().zip(&slope) {
                let end = -w / s;
                (from, to) = if *s > 0.0 { (from.max(end), to) } else { (from, to.min(end)) };
            }
            parts += (from < to) as usize;
            let inside = |r: &&Plane| on(&r.normal, r.offset).is_some_and(|at| weights(&at).iter().all(|w| *w > 0.0));
            parts += planes[..j].iter().filter(inside).count();
        }
    }
    parts
}

fn planes_through(object: &Object, count: u64) -> Vec<Plane> {
    let middle = Point::from(object.nodes().iter().fold(Vector::zeros(), |sum, n| {
        sum + object.asset().solid().nodes()[*n as usize].coords / object.nodes().len() as f64
    }));
    let at = |k: u64| middle + Vector::from_fn(|axis, _| 0.3 * (unit(k, axis as u64) - 0.5));
    (0..count).map(|k| Plane::through(&at(k), &scenes::direction(k)).unwrap()).collect()
}

#[test]
fn many_planes_through_one_tetrahedron_are_cut_or_refused() {
    let object = intact(shapes::tetrahedron(1.0));
    let corners: Vec<Point> = object.asset().solid().nodes().to_vec();
    let corners = [corners[0], corners[1], corners[2], corners[3]];
    for count in [10, 50, 100] {
        let planes = planes_through(&object, count);
        let pieces = broken(&object, &Pattern::planes(planes.clone()), &FractureOptions::default());
        let wanted = parts_by_planes(&corners, &planes);
        println!("{count} planes through a tetrahedron: {} pieces", pieces.len());
        // Slivers are joined: some in a hundred thousand.
        assert!(pieces.len() <= wanted && wanted - pieces.len() <= wanted / 1000, "{} of {wanted}", pieces.len());
        let volume: f64 = pieces.iter().map(|piece| piece.mass().volume).sum();
        assert!((volume / object.mass().volume - 1.0).abs() < 1e-9);
        // What is made of the pieces is bounded as well.
        let piece = &pieces[pieces.len() / 2];
        watched("a surface", || assert!(!piece.surface().triangles.is_empty() && !piece.tets().tets.is_empty()));
        watched("a second break", || broken(piece, &Pattern::random_voronoi(3, 1), &FractureOptions::default()));
    }
    // Three hundred make more than four million regions, all in one tetrahedron: it ends within that.
    let many = Pattern::planes(planes_through(&object, 300));
    for budget in [1000, 100_000] {
        let text = refused(&object, &many, &with_budget(budget));
        assert!(text.contains(&format!("more than {budget} regions")) && text.contains("fewer"), "{text}");
    }
    // However many there are: there are no numbers for more than this in one.
    let slices = |count: u32| {
        let plane = |k: u32| Plane { normal: Vector::z(), offset: 0.001 + 0.5 * k as f64 / count as f64 };
        Pattern::planes((0..count).map(plane).collect())
    };
    let text = refused(&object, &slices(100_000), &FractureOptions::default());
    assert!(text.contains("cracks"), "{text}");
    assert_eq!(broken(&object, &slices(2000), &FractureOptions::default()).len(), 2001);
    // Planes that miss the body cost nothing.
    let mut far: Vec<Plane> = (0..100_000).map(|k| Plane { normal: Vector::z(), offset: 10.0 + k as f64 }).collect();
    far.extend(planes_through(&object, 12));
    let wanted = parts_by_planes(&corners, &far[100_000..]);
    assert_eq!(broken(&object, &Pattern::planes(far), &FractureOptions::default()).len(), wanted);
}

/// Cells of a coarse mesh: hundreds and thousands in each tetrahedron.
#[test]
fn many_cells_are_cut() {
    let full = common::is_full();
    let cube = || intact(shapes::cuboid([1.0; 3], [1; 3]));
    let counts: &[u32] = if full { &[1000, 5000, 30_000] } else { &[1000, 5000] };
    for &count in counts {
        for (name, object) in [("a cube of six", cube()), ("a ball", intact(shapes::ball(1.0, 10)))] {
            let what = format!("{count} cells in {name}");
            let points = |from: u64| {
                let all = (from..).map(|k| scenes::point_in(&object, k));
                all.filter(|p| object.signed_distance(p).distance < 0.0)
            };
            let seeds: Vec<Point> = points(0).take(count as usize).collect();
            let result =
                watched(&what, || fracture(&object, &Pattern::voronoi(seeds.clone()), &FractureOptions::default()));
            let Outcome::Broken(result) = result.unwrap() else { panic!("{what}: whole") };
            assert!(result.objects.len() >= count as usize, "{what}: {}", result.objects.len());
            let volume: f64 = result.objects.iter().map(|piece| piece.mass().volume).sum();
            assert!((volume / object.mass().volume - 1.0).abs() < 1e-9, "{what}");
            // Some points belong to the cell of their nearest seed.
            for p in points(1_000_000).take(20) {
                let far = |s: usize| (seeds[s] - p).norm_squared();
                let nearest = (0..seeds.len()).min_by(|a, b| far(*a).total_cmp(&far(*b))).unwrap() as u32;
                let own = result.objects.iter().zip(&result.cells).filter(|(_, cell)| **cell == nearest);
                assert!(own.map(|(piece, _)| piece).any(|piece| piece.signed_distance(&p).distance < 1e-9), "{what}");
            }
            watched("surfaces", || {
                let some = result.objects.iter().step_by(count as usize / 4);
                some.for_each(|piece| assert!(!piece.surface().triangles.is_empty()));
            });
        }
    }
    // As many as a good mesh has nodes, on a good mesh.
    let fine = intact(shapes::ball(1.0, 16));
    let pieces = broken(&fine, &Pattern::random_voronoi(5000, 1), &FractureOptions::default());
    assert!(fine.asset().solid().tets().len() > 20_000 && pieces.len() >= 5000, "{}", pieces.len());
}

/// What is joined afterwards is joined as by looking for the smallest each time; and thousands are no matter.
#[test]
fn many_fragments_are_joined() {
    let object = intact(shapes::ball(1.0, 6));
    for (count, most) in [(40, 7), (3000, 10)] {
        let options = FractureOptions { max_fragments: most, ..Default::default() };
        let result = watched("joining", || fracture(&object, &Pattern::random_voronoi(count, 1), &options)).unwrap();
        let Outcome::Broken(result) = result else { panic!("whole") };
        assert_eq!(result.objects.len(), most as usize);
        assert_eq!(result.crumbs_joined, count - most);
        oracle::check(&object, &result, "joined");
    }
}

/// Seeds of a blow are spread, however many there are.
#[test]
fn blows_have_as_many_fragments_as_asked_for() {
    let object = intact(shapes::ball(1.0, 10));
    for count in [30, 3000] {
        let pieces = broken(&object, &blow(count), &FractureOptions::default());
        let share = pieces.len() as f64 / count as f64;
        assert!((0.8..=1.2).contains(&share), "{} of {count}", pieces.len());
    }
}

/// Without a radius a blow has half that of what it hits.
#[test]
fn a_blow_without_a_radius_has_half_the_object_s() {
    let object = intact(shapes::ball(1.0, 6));
    let with = |object: &Object, radius: f64| {
        let impact = Impact { point: object.bounds().max, direction: Vector::x(), radius, count: 12, seed: 5 };
        broken(object, &Pattern::impact(impact), &FractureOptions::default())
    };
    let piece = broken(&object, &Pattern::random_voronoi(2, 1), &FractureOptions::default()).remove(0);
    for body in [&object, &piece] {
        let half = 0.25 * body.bounds().size().norm();
        let hashes = |pieces: Vec<Object>| pieces.iter().map(Object::state_hash).collect::<Vec<_>>();
        assert_eq!(hashes(with(body, 0.0)), hashes(with(body, half)));
        assert_ne!(hashes(with(body, 0.0)), hashes(with(body, 0.9 * half)));
    }
    for radius in [-1.0, f64::NAN, f64::INFINITY] {
        let impact = Impact { point: Point::origin(), direction: Vector::x(), radius, count: 3, seed: 1 };
        let error = fracture(&object, &Pattern::impact(impact), &FractureOptions::default()).unwrap_err();
        assert!(error.to_string().contains("radius"), "{error}");
    }
}

/// Seeds where no pattern has them: in a heap, on a sphere around one, on two lines, far away.
#[test]
fn seeds_in_bad_places_end_too() {
    let object = intact(shapes::cuboid([1.0; 3], [2; 3]));
    let heap = |k: u64| Point::from(scenes::direction(k) * (0.01 * unit(k, 9)));
    let sphere = |k: u64| if k == 0 { Point::origin() } else { Point::from(scenes::direction(k) * 0.4) };
    let lines = |k: u64| {
        let along = 0.9 * unit(k, 3) - 0.45;
        if k.is_multiple_of(2) { Point::new(along, 0.2, 0.1) } else { Point::new(0.1, along, -0.2) }
    };
    let far = |k: u64| if k == 0 { Point::new(1e9, 0.0, 0.0) } else { heap(k) };
    type Place<'a> = &'a dyn Fn(u64) -> Point;
    for (what, place) in [("heap", &heap as Place), ("sphere", &sphere), ("lines", &lines), ("far", &far)] {
        for count in [800, 5000] {
            let seeds = (0..count).map(place).collect();
            // Refused or done: but ended, and what is done can be used.
            match watched(what, || fracture(&object, &Pattern::voronoi(seeds), &FractureOptions::default())) {
                Ok(Outcome::Broken(result)) => {
                    println!("{what}: {count} seeds, {} pieces", result.objects.len());
                    let volume: f64 = result.objects.iter().map(|piece| piece.mass().volume).sum();
                    assert!((volume / object.mass().volume - 1.0).abs() < 1e-9, "{what}: {volume}");
                    watched("surfaces", || {
                        result
                            .objects
                            .iter()
                            .step_by(200)
                            .for_each(|piece| assert!(!piece.surface().triangles.is_empty()))
                    });
                }
                Ok(Outcome::Whole { .. }) => panic!("{what}: whole"),
                Err(Error::TooLarge(text)) => println!("{what}: {count} seeds: {text}"),
                Err(other) => panic!("{what}: {other}"),
            }
        }
    }
}

/// All nodes with labels of their own, and gaps from one node towards all of them.
#[test]
fn labels_of_every_kind_end_too() {
    let object = intact(shapes::cuboid([1.0; 3], [12; 3]));
    let count = object.asset().solid().source_node_count() as u32;
    let labels: Vec<u32> = (0..count).collect();
    let gaps = (1..count).map(|opponent| NodeGap { node: 0, opponent, gap: 1e-3 * (1.0 + unit(1, opponent as u64)) });
    let pattern = Pattern::labels(NodeLabels { labels, cuts: LabelCuts::Gaps(gaps.collect()) });
    match watched("labels", || fracture(&object, &pattern, &FractureOptions::default())) {
        Ok(outcome) => assert!(outcome.broken().unwrap().objects.len() >= count as usize),
        Err(Error::TooLarge(text)) => println!("{text}"),
        Err(other) => panic!("{other}"),
    }
}
