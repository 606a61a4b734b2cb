//! The field of fragments against exact distances to their exported, closed surfaces.

use crate::common;

use common::families::{families, point_near};
use common::judge::Judge;
use common::pairs::broken;
use common::{is_full, on_all_cores, scenes};
use fracas::fracture::surface::Surface;
use fracas::geom::random::unit;
use fracas::reference::nodal::Scheme;
use fracas::{FractureOptions, Pattern, Vector, fracture, shapes};

struct Errors(Vec<f64>);

impl Errors {
    fn summary(&mut self) -> (f64, f64, f64) {
        self.0.sort_by(f64::total_cmp);
        let n = self.0.len().max(1);
        (
            self.0.iter().sum::<f64>() / n as f64,
            self.0.get(n * 95 / 100).copied().unwrap_or(0.0),
            self.0.last().copied().unwrap_or(0.0),
        )
    }
}

#[test]
fn depth_and_gap_are_those_of_the_exported_surface() {
    let mut total = [Errors(vec![]), Errors(vec![]), Errors(vec![])];
    for mut errors in on_all_cores(families(), |(name, family)| {
        let h = family[0].asset().mean_edge();
        let cell = family[0].asset().field().grid.cell_size();
        let mut errors = [Errors(vec![]), Errors(vec![]), Errors(vec![])];
        let (mut gaps, mut wrong_side) = (0, 0);
        let mut gap_error: f64 = 0.0;
        for (k, object) in family.iter().enumerate() {
            let judge = Judge::new(object);
            for scheme in [Scheme::Exact, Scheme::ClosestFeature, Scheme::Averaged] {
                let field = object.field(scheme);
                for s in 0..if is_full() { 3000 } else { 600 } / family.len() as u64 {
                    let p = point_near(object, &judge, s * 977 + k as u64);
                    let exact = judge.distance(&p);
                    match field.depth(&p) {
                        Some(way) => {
                            assert!(way.distance >= 0.0 && (way.outward.norm() - 1.0).abs() < 1e-3, "{name}: {way:?}");
                            if judge.inside(&p) {
                                errors[scheme as usize].0.push((way.distance - exact).abs() / h);
                            } else {
                                wrong_side += 1;
                                assert!(exact < 1e-5 * object.asset().radius(), "{name}: {p} is outside by {exact:e}");
                            }
                        }
                        None => {
                            if judge.inside(&p) {
                                wrong_side += 1;
                                assert!(exact < 1e-5 * object.asset().radius(), "{name}: {p} is inside by {exact:e}");
                                continue;
                            }
                            assert!(
                                field.clearance(&p) <= exact + 1e-9 * object.asset().radius(),
                                "{name}: clearance {} of {exact}",
                                field.clearance(&p)
                            );
                            let margin = h * [0.5, 4.0][s as usize % 2];
                            match field.separation(&p, margin) {
                                Some(way) => {
                                    gaps += 1;
                                    gap_error = gap_error.max((way.distance - exact).abs() / h);
                                }
                                None => assert!(
                                    exact > margin * (1.0 - 1e-4),
                                    "{name}: a gap of {exact:e} within {margin:e} was missed"
                                ),
                            }
                        }
                    }
                }
            }
        }
        let [(m0, p0, w0), (m1, p1, w1), (m2, p2, w2)] = [0, 1, 2].map(|k| errors[k].summary());
        println!(
            "{name}: depth error in h, mean / 95 % / max: exact {m0:.4} / {p0:.4} / {w0:.4}, closest feature {m1:.4} / {p1:.4} / {w1:.4}, averaged {m2:.4} / {p2:.4} / {w2:.4} (a grid cell is {:.2} h); {gaps} gaps, worst error {gap_error:.1e} h; {wrong_side} points on the surface",
            cell / h
        );
        assert!(gap_error < 1e-3, "{name}: gaps are off by {gap_error} h");
        errors
    }) {
        for k in 0..3 {
            total[k].0.append(&mut errors[k].0);
        }
    }
    for (scheme, errors) in ["exact", "closest feature", "averaged"].iter().zip(&mut total) {
        let (mean, p95, max) = errors.summary();
        println!(
            "all, {scheme}: depth error mean {mean:.4} h, 95 % {p95:.4} h, max {max:.4} h over {} points",
            errors.0.len()
        );
    }
    let mut mean = |k: usize| total[k].summary().0;
    assert!(mean(0) <= 0.05 && mean(1) <= 0.05 && mean(2) <= 0.1);
}

/// No point of the exported surface, crack or skin, is higher than a relief says.
#[test]
fn no_fragment_is_higher_than_its_reliefs() {
    let (mut asked, mut raised) = (0, 0);
    for (name, family) in families() {
        for object in &family {
            let (surface, reliefs) = (object.surface(), object.field(Scheme::Exact).reliefs());
            let (middle, edge) = (object.asset().centre(), object.asset().mean_edge() as f32);
            for (n, triangle) in surface.triangles.iter().enumerate() {
                let [a, b, c] = triangle.corners.map(|k| (surface.vertices[k as usize] - middle).cast::<f32>());
                for j in 0..3 {
                    // A corner, and points within.
                    let [s, t] = [0, 1].map(|k| if j == 0 { 0.0 } else { unit(n as u64, 2 * j + k) as f32 });
                    let p = a + (b - a) * (s * (1.0 - t)) + (c - a) * (s * t);
                    for relief in reliefs {
                        let [up, u, v] = relief.axes();
                        let top = relief.top([u.dot(&p), v.dot(&p)], 0.0);
                        let height = up.dot(&p) - relief.base();
                        assert!(height <= top + 1e-3 * edge, "{name}: {height} above {top}, edges are {edge}");
                        asked += (top < f32::INFINITY) as usize;
                        raised += (height > 0.0 && top < f32::INFINITY) as usize;
                    }
                }
            }
        }
    }
    assert!(asked > 100_000 && raised * 100 > asked, "{raised} of {asked}");
}

#[test]
fn a_lone_fragment_has_no_phantom_skin() {
    let object = scenes::intact(shapes::ball(0.1, 12));
    let pieces = fracture(&object, &Pattern::random_voronoi(8, 3), &FractureOptions::default())
        .unwrap()
        .broken()
        .unwrap()
        .objects;
    let margin = object.asset().radius();
    for piece in &pieces {
        let judge = Judge::new(piece);
        let field = piece.field(Scheme::Exact);
        for other in pieces.iter().filter(|o| o.piece_number() != piece.piece_number()) {
            let p = other.mass().centre;
            assert!(!field.contains(&p));
            let exact = judge.distance(&p);
            let found = field.separation(&p, margin).unwrap().distance;
            assert!((found - exact).abs() < 1e-5 * margin, "{found} instead of {exact}");
        }
    }
}

/// Next to edges and corners of the skin interpolation loses the depth: there it is measured.
#[test]
fn depths_at_sharp_edges_are_those_of_the_skin() {
    for (name, solid) in [
        ("brick", shapes::preset::brick()),
        ("box", shapes::cuboid([1.0, 0.7, 0.5], [8, 6, 5])),
        ("tetrahedron", shapes::tetrahedron(1.0)),
    ] {
        let object = scenes::intact(solid);
        let radius = object.asset().radius();
        let mut family = broken(&object, &Pattern::random_voronoi(4, 1));
        family.push(object);
        let (mut errors, mut lost, mut lost_by_grid) = (Errors(vec![]), 0, 0);
        for piece in &family {
            let (judge, field) = (Judge::new(piece), piece.field(Scheme::Exact));
            let Surface { vertices, triangles, .. } = &judge.surface;
            for seed in 0..2000 {
                let triangle = &triangles[(unit(seed, 0) * triangles.len() as f64) as usize];
                let [a, b] = [0, 1].map(|k| vertices[triangle.corners[k] as usize]);
                let step = Vector::from_fn(|k, _| 2.0 * unit(seed, 2 + k as u64) - 1.0) * (0.015 * radius);
                let p = a + (b - a) * unit(seed, 1) + step;
                let Some(way) = field.depth(&p).filter(|_| judge.inside(&p)) else { continue };
                let exact = judge.distance(&p);
                assert!(way.distance <= field.skin_depth(&p), "{name}: {} is deeper than its bound", way.distance);
                let by_grid = -piece.asset().field().grid.value(&p);
                lost += (way.distance == 0.0 && exact > 0.001 * radius) as usize;
                lost_by_grid += (by_grid <= 0.0 && exact > 0.001 * radius) as usize;
                errors.0.push((way.distance - exact).abs() / radius);
            }
        }
        assert!(errors.0.len() > 1000, "{name}: too few points to tell");
        let (mean, _, most) = errors.summary();
        let nearly_most = errors.0[errors.0.len() * 99 / 100];
        println!(
            "{name}: {} points, mean {mean:.6}, 99 % {nearly_most:.6}, max {most:.6} of the radius",
            errors.0.len()
        );
        println!("{name}: the grid alone loses {lost_by_grid}");
        assert!(lost == 0, "{name}: {lost} points inside have no depth");
        // The control: if the grid alone has them all, these points prove nothing.
        assert!(lost_by_grid > 10, "{name}: the grid loses only {lost_by_grid}");
        assert!(mean <= 1e-4 && nearly_most <= 1e-3, "{name}: mean {mean}, 99 % {nearly_most}");
    }
}
