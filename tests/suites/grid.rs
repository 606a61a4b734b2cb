//! The grid field: held against brute force, closed forms and the truth of the data folder.

use crate::common;

use common::data;
use fracas::geom::random::unit;
use fracas::grid::distance::{GridField, GridOptions, over_skin};
use fracas::{Asset, CookOptions, Point, Solid, Tasks, Vector, shapes};
use std::collections::HashMap;
use std::sync::Mutex;

fn cook(solid: &Solid, cells: usize) -> GridField {
    let options = GridOptions { cells, refine: false, ..GridOptions::default() };
    GridField::cook(solid, &over_skin(solid).unwrap(), &options, &Tasks::inline(), &|_| ()).unwrap()
}

fn samples() -> Vec<(&'static str, Solid)> {
    vec![
        ("ball", shapes::ball(0.1, 10)),
        ("hollow ball", shapes::hollow_ball(0.1, 12, 2)),
        ("torus", shapes::torus(1.0, 0.3, 24, 6)),
        ("brick", shapes::brick(1)),
        ("plate", shapes::plate(0.13, 0.02, 14)),
        ("box", shapes::cuboid([1.0, 0.7, 0.5], [3, 2, 2])),
        ("tetrahedron", shapes::tetrahedron(1.0)),
    ]
}

/// Distance by looking at every triangle: the foot of the perpendicular, if inside, and three segments. Sign by the solid
/// angle of the whole skin.
fn signed_distance(solid: &Solid, p: &Point) -> f64 {
    let (mut least, mut angle) = (f64::INFINITY, 0.0);
    for triangle in solid.skin() {
        let t = triangle.nodes.map(|n| solid.nodes()[n as usize]);
        for k in 0..3 {
            least = least.min(to_segment(p, &t[k], &t[(k + 1) % 3]));
        }
        let normal = (t[1] - t[0]).cross(&(t[2] - t[0])).normalize();
        let height = normal.dot(&(p - t[0]));
        let foot = p - normal * height;
        if (0..3).all(|k| (t[(k + 1) % 3] - t[k]).cross(&(foot - t[k])).dot(&normal) >= 0.0) {
            least = least.min(height.abs());
        }
        let [a, b, c] = t.map(|q| q - p);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        angle += 2.0 * a.dot(&b.cross(&c)).atan2(below);
    }
    if angle > 2.0 * std::f64::consts::PI { -least } else { least }
}

fn to_segment(p: &Point, a: &Point, b: &Point) -> f64 {
    let along = b - a;
    let t = (along.dot(&(p - a)) / along.norm_squared()).clamp(0.0, 1.0);
    (p - (a + along * t)).norm()
}

/// A point of the grid's box.
fn point_in(grid: &GridField, seed: u64, key: u64) -> Point {
    let count = grid.node_count();
    let at = Vector::from_fn(|k, _| unit(seed, 3 * key + k as u64) * (count[k] - 1) as f64);
    grid.origin() + at * grid.cell_size()
}

fn is_in(grid: &GridField, p: &Point) -> bool {
    let at = (p - grid.origin()) / grid.cell_size();
    (0..3).all(|k| at[k] >= 0.0 && at[k] <= (grid.node_count()[k] - 1) as f64)
}

/// A point within `cells` cells of the surface, about.
fn point_near(solid: &Solid, grid: &GridField, cells: f64, seed: u64, key: u64) -> Point {
    let random = |k: u64| unit(seed, 8 * key + k);
    let t = solid.skin()[(random(0) * solid.skin().len() as f64) as usize].nodes.map(|n| solid.nodes()[n as usize]);
    let (u, v) = (random(1), random(2));
    let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
    let step = Vector::from_fn(|k, _| 2.0 * random(3 + k as u64) - 1.0);
    t[0] + (t[1] - t[0]) * u + (t[2] - t[0]) * v + step * (cells * grid.cell_size())
}

#[test]
fn nodes_are_exact_and_have_the_right_sign() {
    for (name, solid) in samples() {
        for cells in [11, 32] {
            let grid = cook(&solid, cells);
            let mut inside = 0;
            for key in 0..400 {
                let count = grid.node_count();
                let at = Vector::from_fn(|k, _| (unit(1, 3 * key + k as u64) * count[k] as f64).floor());
                let p = grid.origin() + at * grid.cell_size();
                let (found, exact) = (grid.value(&p), signed_distance(&solid, &p));
                // Single precision, of distances of up to some dozens of cells.
                assert!((found - exact).abs() <= 1e-5 * grid.cell_size(), "{name}, {cells}: {found} is not {exact}");
                inside += (exact < 0.0) as usize;
            }
            assert!(inside > 0, "{name}");
        }
    }
}

#[test]
fn between_nodes_the_error_is_within_the_slack() {
    for (name, solid) in samples() {
        for cells in [16, 40] {
            let grid = cook(&solid, cells);
            let cell = grid.cell_size();
            let (mut over, mut worst, mut sum) = (0.0f64, 0.0f64, 0.0);
            for key in 0..4000 {
                let p = match key % 3 {
                    0 => point_in(&grid, 2, key),
                    1 => point_near(&solid, &grid, 1.0, 3, key),
                    _ => point_near(&solid, &grid, 4.0, 4, key),
                };
                let error = grid.value(&p) - signed_distance(&solid, &p);
                over = over.max(error);
                // Beyond the box values are bounds, and may be far below.
                if is_in(&grid, &p) {
                    worst = worst.max(error.abs());
                    sum += error.abs();
                }
            }
            let accuracy = grid.accuracy();
            println!(
                "{name}, {cells}: over {:.3} (cooked {:.3}, slack {:.3}), worst {:.3} (cooked {:.3}), mean {:.3} (cooked {:.3}) cells",
                over / cell,
                accuracy.over / cell,
                grid.slack() / cell,
                worst / cell,
                accuracy.worst() / cell,
                sum / 4000.0 / cell,
                accuracy.mean / cell
            );
            assert!(over <= grid.slack() && worst <= grid.certain_slack());
            assert!(grid.slack() <= grid.certain_slack() && accuracy.mean <= accuracy.worst());
        }
    }
}

#[test]
fn a_fine_ball_has_the_distances_of_a_sphere() {
    let grid = cook(&shapes::ball(1.0, 64), 64);
    for key in 0..5000 {
        let p = point_in(&grid, 5, key);
        let exact = p.coords.norm() - 1.0;
        // Away from the middle, where all directions meet, what is left is mostly the flatness of the ball's faces.
        if exact > -0.9 {
            let (value, gradient) = grid.value_and_gradient(&p);
            assert!((value - exact).abs() < 0.1 * grid.cell_size(), "{p}: {value} is not {exact}");
            assert!(exact < -0.7 || (gradient - p.coords.normalize()).norm() < 0.1, "{p}: {gradient}");
        }
    }
    assert!(!grid.is_coarse() && grid.thinnest_wall() > 1.9);
}

#[test]
fn beyond_the_box_values_are_lower_bounds_that_lose_little() {
    for (name, solid) in samples() {
        let grid = cook(&solid, 24);
        for key in 0..500 {
            let far = 10f64.powf(unit(6, key) * 6.0 - 2.0);
            let p = Point::from(point_in(&grid, 7, key).coords * (1.0 + far));
            let exact = signed_distance(&solid, &p);
            let value = grid.value(&p);
            assert!(value <= exact + grid.slack(), "{name}: {p}");
            // By the corner of a right angle at most, and then only the shorter side.
            assert!(value >= exact / 2f64.sqrt() - grid.slack() || exact < 0.0, "{name}: {p}: {value} {exact}");
        }
        // No jump at the border of the box.
        for key in 0..500 {
            let mut p = point_in(&grid, 8, key);
            p[key as usize % 3] = grid.origin()[key as usize % 3];
            let mut beyond = p;
            beyond[key as usize % 3] -= 1e-9 * grid.cell_size();
            assert!((grid.value(&p) - grid.value(&beyond)).abs() < 1e-6 * grid.cell_size());
        }
    }
}

#[test]
fn gradients_are_the_slopes_of_the_values() {
    for (name, solid) in samples() {
        let grid = cook(&solid, 20);
        let (h, count) = (1e-4 * grid.cell_size(), 1000);
        let mut agree = 0;
        for key in 0..count {
            let p = Point::from(point_in(&grid, 9, key).coords * if key % 2 == 0 { 1.0 } else { 1.7 });
            let (value, gradient) = grid.value_and_gradient(&p);
            assert!((value - grid.value(&p)).abs() <= 1e-6 * grid.cell_size());
            // Single precision of positions a few dozen cells from the base.
            let base = point_in(&grid, 10, key);
            let estimate = grid.estimate(&base, &(p - base).cast());
            assert!((value - estimate as f64).abs() <= 2e-5 * grid.cell_size(), "{name}: {estimate}, not {value}");
            let slopes = Vector::from_fn(|k, _| {
                let mut step = Vector::zeros();
                step[k] = h;
                (grid.value(&(p + step)) - grid.value(&(p - step))) / (2.0 * h)
            });
            // Single precision of values a few dozen cells large, over a ten-thousandth of a cell.
            agree += ((slopes - gradient).norm() < 0.05) as u64;
            assert!(gradient.norm() < 1.8, "{name}: {gradient}");
        }
        // But for the few that have a cell's border within the step.
        assert!(agree * 100 >= count * 98, "{name}: {agree} of {count}");
    }
}

#[test]
fn every_number_of_threads_gives_the_same_bits() {
    let mut solids = samples();
    match data::mesh("bunny") {
        Some(solid) => solids.push(("bunny", solid)),
        None => data::skipped("the part on the bunny"),
    }
    for (name, solid) in solids {
        let skin = over_skin(&solid).unwrap();
        let make = |threads: usize| {
            let options = GridOptions { cells: 40, ..GridOptions::default() };
            let tasks = Tasks::pool(threads).unwrap();
            // Printed so that different bits look different.
            format!("{:?}", GridField::cook(&solid, &skin, &options, &tasks, &|_| ()).unwrap())
        };
        let expected = make(1);
        assert!([2, 4].iter().all(|threads| make(*threads) == expected), "{name} depends on the threads");
    }
}

#[test]
fn size_and_place_do_not_matter() {
    let moved = |solid: &Solid, scale: f64, shift: f64| {
        let nodes: Vec<[f64; 3]> =
            solid.nodes().iter().map(|p| (p.coords * scale).add_scalar(shift * scale).into()).collect();
        Solid::new(&nodes, solid.tets()).unwrap()
    };
    for (name, solid) in samples() {
        let grid = cook(&solid, 24);
        // A power of two changes no digit.
        for (scale, shift, most) in [(2f64.powi(-20), 0.0, 0.0), (1e-6, 0.0, 1e-5), (1e6, 0.0, 1e-5), (1.0, 1e6, 1e-3)]
        {
            let other = cook(&moved(&solid, scale, shift), 24);
            assert_eq!(other.node_count(), grid.node_count(), "{name}");
            assert!((other.slack() / scale - grid.slack()).abs() <= (most + 1e-12) * 100.0 * grid.cell_size());
            assert!((other.thinnest_wall() / scale / grid.thinnest_wall() - 1.0).abs() < 1e-3 + most * 100.0);
            for key in 0..1000 {
                let p = point_in(&grid, 10, key);
                let there = Point::from((p.coords * scale).add_scalar(shift * scale));
                let difference = (other.value(&there) / scale - grid.value(&p)).abs() / grid.cell_size();
                assert!(difference <= most, "{name}, times {scale}: off by {difference} cells");
            }
        }
    }
}

#[test]
fn options_are_checked_and_the_budget_is_kept() {
    let solid = shapes::torus(1.0, 0.3, 24, 6);
    let skin = over_skin(&solid).unwrap();
    let make = |cells: usize, max_bytes: usize| {
        GridField::cook(&solid, &skin, &GridOptions { cells, refine: false, max_bytes }, &Tasks::inline(), &|_| ())
    };
    let full = make(64, usize::MAX).unwrap();
    assert!((full.cell_size() - 2.6 / 64.0).abs() < 1e-12);
    assert_eq!(full.bytes(), full.node_count().iter().product::<usize>() * 4);
    // Two cells of air on every side.
    let free = solid.bounds().min - full.origin();
    assert!(free.iter().all(|f| *f > 1.999 * full.cell_size() && *f < 2.6 * full.cell_size()), "{free}");
    let small = make(64, 20_000).unwrap();
    assert!(small.bytes() <= 20_000 && small.bytes() > 15_000);
    assert_eq!(make(64, full.bytes()).unwrap(), full);
    for (cells, max_bytes, word) in [(3, usize::MAX, "cells"), (2000, usize::MAX, "cells"), (64, 100, "max_bytes")] {
        assert!(make(cells, max_bytes).unwrap_err().to_string().contains(word));
    }
    let other = over_skin(&shapes::ball(1.0, 4)).unwrap();
    let wrong = GridField::cook(&solid, &other, &GridOptions::default(), &Tasks::inline(), &|_| ());
    assert!(wrong.unwrap_err().to_string().contains("skin"));
}

#[test]
fn progress_goes_from_nothing_to_all() {
    let solid = shapes::ball(1.0, 8);
    let told = Mutex::new(vec![]);
    let note = |share: f32| told.lock().unwrap().push(share);
    let skin = over_skin(&solid).unwrap();
    GridField::cook(&solid, &skin, &GridOptions::default(), &Tasks::inline(), &note).unwrap();
    let told = told.into_inner().unwrap();
    assert!(told.len() > 10 && told[0] < 0.1 && *told.last().unwrap() == 1.0);
    assert!(told.windows(2).all(|w| w[0] <= w[1]));
}

#[test]
fn thin_walls_are_noticed() {
    assert!(cook(&shapes::plate(0.13, 0.006, 20), 64).is_coarse());
    assert!(cook(&shapes::hollow_ball(0.1, 24, 1), 64).is_coarse());
    assert!(!cook(&shapes::hollow_ball(0.1, 24, 4), 64).is_coarse());
    assert!(!cook(&shapes::tetrahedron(1.0), 64).is_coarse());
}

/// Cooking refines the grid until the thinnest wall has four cells, as far as the memory allows, and says where it does not.
#[test]
fn thin_walls_are_refined_or_told() {
    let cooked = |solid: Solid, grid: GridOptions| {
        let start = std::time::Instant::now();
        let asset = Asset::cook(solid, &CookOptions { grid, ..CookOptions::default() }).unwrap();
        let field = &asset.field().grid;
        println!(
            "{:?} nodes, {} bytes, {:.1} cells a wall, {:.0} ms: {:?}",
            field.node_count(),
            field.bytes(),
            field.thinnest_wall() / field.cell_size(),
            start.elapsed().as_secs_f64() * 1e3,
            asset.warnings()
        );
        assert!(field.bytes() <= grid.max_bytes);
        assert_eq!(field.is_coarse(), asset.warnings().iter().any(|w| w.contains("wall")));
        asset
    };
    let plenty = GridOptions { max_bytes: 64 << 20, ..GridOptions::default() };
    let few = GridOptions { max_bytes: 1 << 20, ..GridOptions::default() };
    let fixed = GridOptions { refine: false, ..GridOptions::default() };
    let thin =
        [shapes::cuboid([1.0, 0.8, 0.02], [10, 8, 1]), shapes::hollow_ball(0.1, 24, 1), shapes::plate(0.13, 0.006, 20)];
    for solid in thin {
        let asset = cooked(solid.clone(), plenty);
        let grid = &asset.field().grid;
        // Refined, and no finer than needed.
        assert!(!grid.is_coarse() && asset.warnings().is_empty());
        let cells = |grid: &GridField| (solid.bounds().size().max() / grid.cell_size()).round();
        assert!(grid.thinnest_wall() / grid.cell_size() < 4.0 * (1.0 + 1.0 / (cells(grid) - 1.0)) + 1e-3);
        for options in [few, fixed] {
            let asset = cooked(solid.clone(), options);
            assert!(asset.field().grid.is_coarse(), "{options:?} is enough");
            let warning = &asset.warnings()[asset.warnings().len() - 1];
            // The remedy it names is one.
            let number = |before: &str, after: &str| -> usize {
                let end = warning.find(after).unwrap();
                warning[..end].rsplit(before).next().unwrap().parse().unwrap()
            };
            let remedy =
                GridOptions { cells: number(" ", " cells along"), refine: false, max_bytes: number("(", " bytes") };
            assert!(cooked(solid.clone(), remedy).warnings().is_empty(), "{warning}");
        }
    }
    // Thick walls keep what was asked for; what does not fit is told too.
    let ball = cooked(shapes::ball(0.1, 12), GridOptions::default());
    assert!(ball.warnings().is_empty() && ball.field().grid.node_count() == [69; 3]);
    let small = cooked(shapes::ball(0.1, 12), GridOptions { max_bytes: 100_000, ..GridOptions::default() });
    assert!(small.warnings().len() == 1 && small.warnings()[0].contains("not 64"), "{:?}", small.warnings());
}

#[test]
fn nodes_are_as_deep_as_brute_force_says() {
    for (name, solid) in samples() {
        let asset = Asset::cook(solid, &CookOptions::default()).unwrap();
        let solid = asset.solid();
        assert_eq!(asset.nodal_depths().len(), solid.nodes().len());
        for (node, depth) in asset.nodal_depths().iter().enumerate() {
            let exact = -signed_distance(solid, &solid.nodes()[node]);
            assert!((depth - exact.abs()).abs() < 1e-12 * asset.radius(), "{name}: {depth} instead of {exact}");
            assert_eq!(*depth == 0.0, solid.is_on_skin(node as u32));
        }
    }
}

/// Edges of the skin between faces at more than `degrees`.
fn sharp_edges(solid: &Solid, degrees: f64) -> Vec<[Point; 2]> {
    let at = |n: u32| solid.nodes()[n as usize];
    let mut normals: HashMap<[u32; 2], Vec<Vector>> = HashMap::new();
    for triangle in solid.skin() {
        let [a, b, c] = triangle.nodes;
        let normal = (at(b) - at(a)).cross(&(at(c) - at(a))).normalize();
        for [u, v] in [[a, b], [b, c], [c, a]] {
            normals.entry([u.min(v), u.max(v)]).or_default().push(normal);
        }
    }
    let sharp = |n: &[Vector]| n.len() != 2 || n[0].dot(&n[1]) < degrees.to_radians().cos();
    normals.iter().filter(|(_, n)| sharp(n)).map(|(e, _)| e.map(at)).collect()
}

#[test]
fn the_bunny_is_as_deep_as_the_exact_distances_say() {
    let Some(solid) = data::mesh("bunny") else {
        return data::skipped("the_bunny_is_as_deep_as_the_exact_distances_say");
    };
    let start = std::time::Instant::now();
    let grid = cook(&solid, 64);
    println!("cooked in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    let cell = grid.cell_size();
    let edges = sharp_edges(&solid, 30.0);
    for set in [2, 8, 27, 64, 166] {
        let Some(rows) = data::csv(&format!("truth/bunny_{set}_points.csv")) else { return data::skipped("the truth") };
        let (mut worst, mut bound, mut away, mut close, mut turned) = (0.0f64, 0.0f64, 0, 0, 0);
        for row in &rows {
            let p = Point::new(row[0], row[1], row[2]);
            let (value, exact) = (grid.value(&p), row[6]);
            let error = (value - exact).abs() / cell;
            assert!(value - exact <= grid.slack(), "above the slack at {p}");
            if !is_in(&grid, &p) {
                bound = bound.max(error);
                continue;
            }
            assert!(error <= 0.9, "off by {error} cells at {p}");
            worst = worst.max(error);
            turned += (value * exact < 0.0) as usize;
            if edges.iter().all(|[a, b]| to_segment(&p, a, b) > 2.0 * cell) {
                away += 1;
                close += (error <= 0.1) as usize;
            }
        }
        println!(
            "{} points: worst {worst:.3} cells in the box, {bound:.3} beyond, {turned} signs turned by interpolation, {close} of {away} away from sharp edges within a tenth",
            rows.len()
        );
        assert!(away > 100 && close * 100 >= away * 95, "{close} of {away}");
    }
}
