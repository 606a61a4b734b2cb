//! Fragments as cells of the original body, cut by half-spaces: against closed forms that know seeds, not planes.

mod common;

use common::judge::Judge;
use common::pairs::{broken, query, settled};
use common::surfaces::filled_solids;
use common::{data, scenes};
use fracas::contact::{Depths, Feature, Mode, QueryOptions};
use fracas::field::nodal::Scheme;
use fracas::field::shape::Field;
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::geom::random::unit;
use fracas::{FractureOptions, Object, Pattern, Point, Vector, fracture, shapes};

/// A fragment by its seeds: nearer to its own than to any other, event by event.
#[derive(Clone, Default)]
struct Seeds(Vec<(Point, Vec<Point>)>);

impl Seeds {
    /// Signed distance to the nearest of all bisectors, positive beyond one.
    fn beyond(&self, p: &Point) -> f64 {
        let of = |(own, all): &(Point, Vec<Point>)| {
            let others = all.iter().filter(|s| *s != own);
            let bisector = |s: &Point| ((p - own).norm_squared() - (p - s).norm_squared()) / (2.0 * (s - own).norm());
            others.map(bisector).fold(f64::NEG_INFINITY, f64::max)
        };
        self.0.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// A body, and its fragments, one or two generations deep, with what makes them.
type Family = (String, Object, Vec<(Object, Seeds)>);

fn families() -> Vec<Family> {
    let mut families = vec![];
    let mut solids = vec![
        ("box", shapes::cuboid([1.0, 0.7, 0.5], [8, 6, 5])),
        ("ball", shapes::ball(0.1, 14)),
        ("hollow ball", shapes::hollow_ball(1.0, 14, 2)),
        ("torus", shapes::torus(1.0, 0.3, 32, 8)),
    ];
    solids.extend(filled_solids());
    for (name, solid) in solids {
        let intact = scenes::intact(solid);
        let seeds = |object: &Object, count: u64, seed: u64| -> Vec<Point> {
            let bounds = object.bounds();
            let at = |k: u64| Vector::from_fn(|i, _| unit(seed, k * 3 + i as u64)).component_mul(&bounds.size());
            (0..count).map(|k| bounds.min + at(k)).collect()
        };
        let mut family = vec![];
        let shatter = |(object, made): &(Object, Seeds), count: u64, seed: u64| {
            let seeds = seeds(object, count, seed);
            let result = fracture(object, &Pattern::voronoi(seeds.clone()), &FractureOptions::default());
            let Some(result) = result.unwrap().broken() else { return vec![] };
            let with = |(piece, cell): (Object, u32)| {
                let mut made = made.clone();
                made.0.push((seeds[cell as usize], seeds.clone()));
                (piece, made)
            };
            result.objects.into_iter().zip(result.cells).map(with).collect::<Vec<_>>()
        };
        let once = shatter(&(intact.clone(), Seeds::default()), 8, 1);
        for (k, parent) in once.iter().enumerate().take(3) {
            family.extend(shatter(parent, 4, 7 + k as u64));
        }
        family.extend(once);
        families.push((name.to_string(), intact, family));
    }
    families
}

#[test]
fn depth_is_that_of_seeds_and_skin() {
    for (name, intact, family) in families() {
        let judge = Judge::new(&intact);
        let grid = &intact.asset().ground().grid;
        let (mut cells, mut inside, mut outside, mut differ, mut error, mut apart) = (0, 0, 0, 0, 0.0, 0.0);
        for (k, (piece, made)) in family.iter().enumerate() {
            let Some(cell) = piece.cell() else { continue };
            cells += 1;
            let bounds = piece.bounds();
            for s in 0..400u64 {
                let key = s * 1000 + k as u64;
                let p = bounds.min + bounds.size().component_mul(&Vector::from_fn(|i, _| unit(key, i as u64)));
                let skin = if judge.inside(&p) { -judge.distance(&p) } else { judge.distance(&p) };
                let exact = skin.max(made.beyond(&p));
                let (signed, outward) = cell.signed(&p);
                // The grid's own error, and nothing else.
                assert!(
                    (signed - exact).abs() <= grid.certain_slack(),
                    "{name}, piece {k}: {signed} instead of {exact}"
                );
                if made.beyond(&p) > skin + grid.certain_slack() {
                    assert!(
                        (signed - exact).abs() < 1e-9 * intact.asset().radius() && (outward.norm() - 1.0).abs() < 1e-9
                    );
                }
                error += (signed - exact).abs();
                assert_eq!(cell.depth(&p).is_some(), signed <= 0.0);
                assert!(cell.bound(&p, &Default::default()) <= exact + 1e-9);
                match piece.field(Scheme::Exact).depth(&p) {
                    Some(way) if exact < 0.0 => {
                        inside += 1;
                        apart += (way.distance + signed).abs();
                    }
                    None if exact > 0.0 => outside += 1,
                    _ => differ += 1,
                }
            }
        }
        let (h, all) = (intact.asset().mean_edge(), inside + outside + differ);
        println!(
            "{name}: {cells} of {} pieces are cells; mean error {:.4} h; {differ} of {all} points are elsewhere by the tetrahedra, the depths of the others differ by {:.4} h on average",
            family.len(),
            error / all as f64 / h,
            apart / inside as f64 / h
        );
        // In the brick with its holes many cells are in several parts.
        let share = if name.contains("brick") { 3 } else { 2 };
        assert!(cells * share > family.len() && inside > 300 && outside > 300);
        assert!((differ as f64) < 0.06 * all as f64 && apart / (inside as f64) < 0.1 * h);
    }
}

#[test]
fn what_is_no_cell_says_so() {
    let ball = scenes::intact(shapes::ball(0.1, 12));
    let planes = vec![Plane { normal: Vector::z(), offset: 0.01 }, Plane { normal: Vector::x(), offset: 0.0 }];
    assert!(ball.cell().is_none());
    assert!(broken(&ball, &Pattern::planes(planes)).iter().all(|piece| piece.cell().is_some()));
    let smooth = Pattern::random_voronoi(6, 1);
    assert!(broken(&ball, &smooth.clone().rough(scenes::ROUGH)).iter().all(|piece| piece.cell().is_none()));
    // Nor is a fragment of a rough one, or one that shares its cell: a plane cuts a ring twice.
    let rough = broken(&ball, &smooth.clone().rough(scenes::ROUGH)).remove(0);
    assert!(broken(&rough, &smooth).iter().all(|piece| piece.cell().is_none()));
    let ring = scenes::intact(shapes::torus(1.0, 0.3, 32, 8));
    let slab = ["-", "+"].map(|s| Plane { normal: Vector::x() * if s == "+" { 1.0 } else { -1.0 }, offset: 0.3 });
    let parts = broken(&ring, &Pattern::planes(slab.to_vec()));
    assert_eq!(parts.len(), 4);
    assert_eq!(parts.iter().filter(|piece| piece.cell().is_some()).count(), 2);
    // Joined crumbs are of several cells.
    let options = FractureOptions { max_fragments: 4, ..FractureOptions::default() };
    let joined = fracture(&ball, &Pattern::random_voronoi(12, 2), &options).unwrap().broken().unwrap();
    assert!(joined.crumbs_joined > 0 && joined.objects.iter().all(|piece| piece.cell().is_none()));
}

/// In mode full a query by cells finds every sample that is in its own cell and, by seeds and skin, inside or within the
/// margin of the other, and no other.
#[test]
fn queries_by_cells_miss_nothing() {
    let options = QueryOptions { mode: Mode::Full, depths: Depths::Cells, ..QueryOptions::default() };
    let (mut found, mut at_limit, mut pairs) = (0, 0, 0);
    for (name, intact, family) in families() {
        let judge = Judge::new(&intact);
        let (radius, slack) = (intact.asset().radius(), intact.asset().ground().grid.certain_slack());
        let first = intact.asset().solid().nodes().len() as u32;
        let once: Vec<_> = family.into_iter().filter(|(p, made)| made.0.len() == 1 && p.cell().is_some()).collect();
        let placed = settled(once.iter().map(|(p, _)| p.clone()).collect());
        for i in 0..once.len() {
            for j in 0..i {
                let ((a, pa), (b, pb)) = (&placed[i], &placed[j]);
                let margin = 0.001 * a.bounds().radius().min(b.bounds().radius());
                let (contacts, _) = query(a, pa, b, pb, &options);
                let tolerance = Some(2.0 * margin);
                let few = QueryOptions { depths: Depths::Cells, tolerance, ..QueryOptions::default() };
                let (default, _) = query(a, pa, b, pb, &few);
                pairs += !contacts.is_empty() as usize;
                let deepest =
                    |list: &[fracas::contact::Contact]| list.iter().map(|c| c.depth as f64).fold(-1.0, f64::max);
                assert!(
                    deepest(&default) >= deepest(&contacts) - 0.0021 * a.bounds().radius().min(b.bounds().radius())
                );
                for (side, from, to, own) in [(false, i, j, a), (true, j, i, b)] {
                    let to_other = placed[to].1.inverse() * placed[from].1;
                    let skin = own.nodes().iter().filter(|n| own.asset().solid().is_on_skin(**n));
                    let skin = skin.map(|n| (*n, own.asset().solid().nodes()[*n as usize]));
                    let samples = skin.chain(own.crack_points().iter().map(|p| (first + p.id, p.at)));
                    for (id, at) in samples {
                        let p = to_other * at;
                        let beyond = once[from].1.beyond(&at);
                        let plane = once[to].1.beyond(&p);
                        let listed =
                            contacts.iter().find(|c| Feature::decoded(c.feature) == Feature { of_b: side, id });
                        // What depends on where the grid puts the skin, or is at a limit, is only counted.
                        let edge = 0.01 * intact.asset().mean_edge();
                        if (beyond - edge).abs() < 1e-4 * radius || (plane - margin).abs() < 1e-5 * radius {
                            at_limit += 1;
                            continue;
                        }
                        let distance = judge.distance(&p);
                        if distance < slack + margin {
                            at_limit += 1;
                            continue;
                        }
                        let touches = beyond < edge && plane < margin && judge.inside(&p);
                        assert_eq!(listed.is_some(), touches, "{name}: sample {id} of {} against {}", from, to);
                        if let Some(contact) = listed {
                            found += 1;
                            let depth = contact.depth as f64;
                            assert!(depth <= -plane + 1e-5 * radius, "{name}: {depth} instead of {}", -plane);
                            // A sample may be a hundredth of an edge beyond its cell, and so much deeper than it moved.
                            let least = (-plane).min(distance - slack) - edge - 1e-5 * radius;
                            assert!(depth >= least, "{name}: {depth} instead of {least}");
                        }
                    }
                }
            }
        }
        // Just fractured, nothing is in anything.
        for (i, j) in (0..once.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let (contacts, _) = query(&once[i].0, &Pose::identity(), &once[j].0, &Pose::identity(), &options);
            assert!(contacts.iter().all(|c| c.depth as f64 <= 0.002 * radius), "{name}: {i} in {j}");
        }
    }
    println!("{pairs} touching pairs, {found} samples found as seeds and skin say, {at_limit} at the limit");
    assert!(pairs > 30 && found > 1000);
}

#[test]
fn cells_of_the_truth() {
    for count in [8, 27, 64] {
        let (Some(solid), Some(seeds)) = (data::mesh("bunny"), data::seeds(count)) else {
            return data::skipped("cells_of_the_truth");
        };
        let bunny = scenes::intact(solid);
        let result = fracture(&bunny, &Pattern::voronoi(seeds), &FractureOptions::default()).unwrap().broken().unwrap();
        let mut errors = vec![];
        for row in data::csv(&format!("truth/bunny_{count}_points.csv")).unwrap().iter().filter(|r| r[3] == 1.0) {
            let (p, name) = (Point::new(row[0], row[1], row[2]), row[4] as u32);
            let piece = result.cells.iter().position(|c| *c == name).map(|k| &result.objects[k]);
            let Some(cell) = piece.and_then(|piece| piece.cell()) else { continue };
            errors.push((cell.signed(&p).0 - row[7]).abs() / bunny.asset().radius());
        }
        errors.sort_by(f64::total_cmp);
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        println!(
            "{count} seeds: {} points, mean error {:.4} % of the radius, 95 % {:.3} %, max {:.3} %",
            errors.len(),
            100.0 * mean,
            100.0 * errors[errors.len() * 95 / 100],
            100.0 * errors[errors.len() - 1]
        );
        assert!(errors.len() > 500 && mean < 5e-4);
    }
}
