//! The triangle BVH and the grid field: `cargo bench --bench grid`. Minimum and median over repetitions, one core.
//!
//! Scenes: a ball 16 cells across (our own shape), and the meshes of the data folder, if there. Then `Object::signed_distance` of whole
//! bodies and fragments, by where the point is: each call timed by itself, median and what 999 of 1000 stay below.

#[path = "../tests/common/mod.rs"]
mod common;

use common::data;
use fracas::bvh::Bvh;
use fracas::geom::random::unit;
use fracas::grid::distance::{GridField, GridOptions, over_skin};
use fracas::{Asset, CookOptions, Object, Pattern, Point, Solid, Tasks, Vector, fracture, shapes};
use std::hint::black_box;
use std::time::Instant;

/// Minimum and median of the seconds that `work` takes.
fn seconds(repetitions: usize, mut work: impl FnMut()) -> (f64, f64) {
    let mut list: Vec<f64> = (0..repetitions)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    list.sort_unstable_by(f64::total_cmp);
    (list[0], list[list.len() / 2])
}

fn line(what: &str, unit: &str, scale: f64, (min, median): (f64, f64)) {
    println!("  {what:36} {:10.2} {:10.2} {unit}", min * scale, median * scale);
}

fn report(name: &str, solid: &Solid) {
    println!("\n{name}: {} skin triangles, {} tets            min     median", solid.skin().len(), solid.tets().len());
    line("BVH, build", "ms", 1e3, seconds(20, || drop(black_box(over_skin(solid)))));
    let skin = over_skin(solid).unwrap();

    let bounds = solid.bounds();
    let count = 20_000;
    let points: Vec<Point> = (0..count)
        .map(|k| bounds.min + Vector::from_fn(|a, _| unit(1, 3 * k + a as u64)).component_mul(&bounds.size()))
        .collect();
    let each = 1e9 / count as f64;
    let closest = |limit: f64| seconds(9, || points.iter().for_each(|p| _ = black_box(skin.closest_point(p, limit))));
    line("closest point", "ns", each, closest(f64::INFINITY));
    line("closest point within 2 % of the radius", "ns", each, closest(0.02 * bounds.radius()));
    let directions: Vec<Vector> = (0..count).map(|k| Vector::from_fn(|a, _| unit(2, 3 * k + a as u64) - 0.5)).collect();
    let cast = |skin: &Bvh| {
        for (p, d) in points.iter().zip(&directions) {
            black_box(skin.ray(p, d, f64::INFINITY));
        }
    };
    line("ray", "ns", each, seconds(9, || cast(&skin)));

    let cook = |tasks: &Tasks| GridField::cook(solid, &skin, &GridOptions::default(), tasks, &|_| ()).unwrap();
    line("grid of 64 cells, one thread", "ms", 1e3, seconds(5, || drop(black_box(cook(&Tasks::inline())))));
    let two = Tasks::pool(2).unwrap();
    line("grid of 64 cells, two threads", "ms", 1e3, seconds(5, || drop(black_box(cook(&two)))));
    let grid = cook(&two);
    line("grid, value", "ns", each, seconds(9, || points.iter().for_each(|p| _ = black_box(grid.value(p)))));
    let both = seconds(9, || points.iter().for_each(|p| _ = black_box(grid.value_and_gradient(p))));
    line("grid, value and gradient", "ns", each, both);
    let cell = grid.cell_size();
    let accuracy = grid.accuracy();
    println!(
        "  {:?} nodes, {:.2} MB, BVH {:.2} MB; off by {:.3} over, {:.3} under, {:.4} mean; slack {:.3}; thinnest wall {:.1} (cells)",
        grid.node_count(),
        grid.bytes() as f64 / 1e6,
        skin.bytes() as f64 / 1e6,
        accuracy.over / cell,
        accuracy.under / cell,
        accuracy.mean / cell,
        grid.slack() / cell,
        grid.thinnest_wall() / cell
    );
}

/// Nanoseconds of a signed distance at points so many radii from the middle, or as `place` says.
fn distances(name: &str, objects: &[Object]) {
    let solid = objects[0].asset().solid();
    println!("\n{name}: {} skin triangles, signed distance, ns      median  999 of 1000", solid.skin().len());
    let radius = objects[0].asset().radius();
    let direction = |k: u64| Vector::from_fn(|a, _| unit(3, 3 * k + a as u64) - 0.5).normalize();
    let inside = |object: &Object, k: u64| {
        let (bounds, share) = (object.bounds(), Vector::from_fn(|a, _| unit(4, 3 * k + a as u64)));
        bounds.min + bounds.size().component_mul(&share)
    };
    type Place<'a> = (&'a str, Box<dyn Fn(&Object, u64) -> Point + 'a>);
    let at = |radii: f64| move |o: &Object, k: u64| o.bounds().centre() + direction(k) * (radii * radius);
    let places: [Place; 7] = [
        ("in its box", Box::new(inside)),
        ("within 1 % of the radius of the middle", Box::new(at(0.01))),
        ("1.1 radii away", Box::new(at(1.1))),
        ("3 radii", Box::new(at(3.0))),
        ("100 radii", Box::new(at(100.0))),
        ("a million radii", Box::new(at(1e6))),
        ("along an axis, 3 radii", Box::new(|o, k| o.bounds().centre() + Vector::ith(k as usize % 3, 3.0 * radius))),
    ];
    // Prepares what is asked for.
    objects.iter().for_each(|object| _ = black_box(object.signed_distance(&at(9.0)(object, 0))));
    for (what, place) in places {
        let mut times: Vec<f64> = (0..20_000u64)
            .map(|k| {
                let object = &objects[k as usize % objects.len()];
                let p = place(object, k);
                let start = Instant::now();
                black_box(object.signed_distance(black_box(&p)));
                start.elapsed().as_secs_f64()
            })
            .collect();
        times.sort_unstable_by(f64::total_cmp);
        println!("  {what:46} {:12.0} {:12.0}", 1e9 * times[times.len() / 2], 1e9 * times[times.len() * 999 / 1000]);
    }
}

fn main() {
    let intact = |solid: Solid| Object::intact(&Asset::cook(solid, &CookOptions::default()).unwrap());
    let broken = |body: &[Object], pattern: Pattern| {
        fracture(&body[0], &pattern, &Default::default()).unwrap().broken().unwrap().objects
    };
    let rabbit = intact(shapes::preset::rabbit());
    let cells = Pattern::random_voronoi(27, 1);
    distances("rabbit", &rabbit);
    distances("rabbit, 27 cells", &broken(&rabbit, cells.clone()));
    distances("rabbit, 27 rough cells", &broken(&rabbit, cells.rough(common::scenes::ROUGH)));
    distances("fine ball", &intact(shapes::ball(0.1, 48)));
    distances("hollow ball", &intact(shapes::hollow_ball(0.1, 40, 4)));
    report("ball, 16 cells across", &shapes::ball(0.1, 16));
    let mut found = false;
    for name in ["bunny", "piggybank", "brick", "plate", "shelf"] {
        if let Some(solid) = data::mesh(name) {
            report(name, &solid);
            found = true;
        }
    }
    if !found {
        data::skipped("the meshes");
    }
}
