//! Sample solids that need no files: for tests, benchmarks, demos, and a first try.
//!
//! Blocks and round things are lattices of cubes, bent into shape (`lattice`); figures are modelled as signed distances and
//! then filled with tetrahedra (`figure`). [`preset`] has those that the paper measures, in its sizes.

mod edged;
mod figure;
mod implicit;
mod lattice;
mod piggy_bank;
pub mod preset;
mod rabbit;
mod rounded;

pub use edged::{Shelf, brick, cuboid, shelf, tetrahedron};
pub use piggy_bank::{piggy_bank, piggy_bank_distance};
pub use rabbit::{rabbit, rabbit_distance};
pub use rounded::{ball, bowl, dense_ball, hollow_ball, plate, torus};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::aabb::Aabb;
    use crate::geom::random::unit;
    use crate::geom::{Point, Vector, union_find};
    use crate::solid::Solid;
    use std::f64::consts::PI;

    fn skin_points(solid: &Solid) -> usize {
        (0..solid.nodes().len() as u32).filter(|n| solid.is_on_skin(*n)).count()
    }

    /// Euler characteristic of the boundary: 2 a sphere, 0 a torus.
    fn euler(solid: &Solid) -> i64 {
        let triangles = solid.skin().len() as i64;
        skin_points(solid) as i64 - triangles * 3 / 2 + triangles
    }

    #[track_caller]
    fn close(a: f64, b: f64, within: f64) {
        assert!((a / b - 1.0).abs() < within, "{a} is not {b}");
    }

    #[test]
    fn edged_shapes_have_their_volume_exactly() {
        let s = cuboid([1.0, 2.0, 3.0], [2, 3, 4]);
        close(s.volume(), 6.0, 1e-12);
        assert_eq!((s.tets().len(), s.nodes().len(), euler(&s)), (2 * 3 * 4 * 6, 3 * 4 * 5, 2));
        for s in [brick(1), brick(2), preset::brick()] {
            close(s.volume(), 0.215 * 0.1025 * 0.065 * 29.0 / 35.0, 1e-12);
            assert_eq!(euler(&s), 2 - 2 * 6);
        }
        let made_of = Shelf { size: [0.5, 0.175, 0.8], thickness: 0.03, boards: 5, cells: [4, 2, 3], layers: 1 };
        for made_of in [made_of, Shelf { layers: 3, ..made_of }] {
            let s = shelf(&made_of);
            close(s.volume(), 0.175 * (2.0 * 0.03 * 0.8 + 5.0 * 0.03 * 0.44), 1e-12);
            assert_eq!(euler(&s), 2 - 2 * 4);
            assert!((s.bounds().size() - Vector::from(made_of.size)).norm() < 1e-12);
        }
        close(tetrahedron(2.0).volume(), 8.0 / 6.0, 1e-12);
    }

    #[test]
    fn rounded_shapes_come_near_their_volume_as_they_get_finer() {
        type Make = fn(usize) -> Solid;
        let bowl_volume = 2.0 / 3.0 * PI * (1.0 - 0.8f64.powi(3));
        let cases: [(&str, Make, f64, i64); 6] = [
            ("ball", |n| ball(1.0, n), 4.0 / 3.0 * PI, 2),
            ("dense ball", |n| dense_ball(1.0, n), 4.0 / 3.0 * PI, 2),
            ("hollow ball", |n| hollow_ball(1.0, n, n / 8), 4.0 / 3.0 * PI * (1.0 - 0.75f64.powi(3)), 4),
            ("torus", |n| torus(1.0, 0.3, 3 * n, n), 2.0 * PI * PI * 0.09, 0),
            ("plate", |n| plate(0.13, 0.006, n), rounded::tests::plate_volume(0.13, 0.006), 2),
            ("bowl", |n| bowl(1.0, 0.2, n, 2), bowl_volume, 2),
        ];
        for (name, make, exact, expected) in cases {
            let off = [8, 16, 32].map(|n| {
                let solid = make(n);
                assert_eq!(euler(&solid), expected, "{name}");
                (solid.volume() / exact - 1.0).abs()
            });
            assert!(off[2] < 0.012, "{name}: {off:?}");
            // Flat faces on something round: a quarter of the error with half the edge.
            assert!(off[1] < off[0] / 2.0 && off[2] < off[1] / 3.0, "{name}: {off:?}");
        }
        assert_eq!(Aabb::around(ball(2.0, 4).nodes()).max.x, 2.0);
        assert_eq!(bowl(1.0, 0.2, 8, 2).bounds().max.z, 0.0);
    }

    #[test]
    fn a_plate_has_no_node_inside_and_is_as_wide_as_it_should_be() {
        let s = plate(0.13, 0.006, 20);
        assert_eq!((skin_points(&s), s.nodes().len()), (21 * 21 * 2, 21 * 21 * 2));
        close(s.bounds().size().x, 0.26, 1e-12);
        close(s.bounds().size().z, 0.006 + 0.17 * 0.13, 1e-12);
    }

    #[test]
    fn presets_have_the_sizes_of_the_paper() {
        println!("preset       triangles (paper)    tets (paper)   points (paper), inside");
        for preset in &preset::ALL {
            let solid = (preset.make)();
            let ours = [solid.skin().len(), solid.tets().len(), solid.nodes().len()];
            let inside = ours[2] - skin_points(&solid);
            let paper = preset.paper.map(|p| [Some(p.triangles), p.tets, Some(p.points)]).unwrap_or_default();
            let told = |k: usize| paper[k].map_or("-".into(), |p| p.to_string());
            println!(
                "{:12} {:9} {:>7} {:7} {:>7} {:8} {:>7} {inside:7}",
                preset.name,
                ours[0],
                told(0),
                ours[1],
                told(1),
                ours[2],
                told(2)
            );
            assert_eq!(solid.bodies().0, 1, "{} is one body", preset.name);
            let genus = [("brick", 6), ("shelf", 3), ("torus", 1)].into_iter().find(|(name, _)| *name == preset.name);
            assert_eq!(euler(&solid), 2 - 2 * genus.map_or(0, |(_, genus)| genus), "{}", preset.name);
            for (ours, paper) in ours.iter().zip(paper).filter_map(|(o, p)| Some((*o as f64, p? as f64))) {
                assert!((ours / paper - 1.0).abs() < 0.15, "{}: {ours} is far from {paper}", preset.name);
            }
        }
        assert!(preset::named("rabbit").is_some() && preset::named("unicorn").is_none());
    }

    /// Points at the surface of a figure, and the gradient there.
    fn points_on(distance: fn(&Point) -> f64, bounds: &Aabb, count: usize) -> Vec<(Point, Vector)> {
        let h = 1e-6;
        let gradient = |p: &Point| {
            let along = |v: Vector| (distance(&(p + v * h)) - distance(&(p - v * h))) / (2.0 * h);
            Vector::new(along(Vector::x()), along(Vector::y()), along(Vector::z()))
        };
        let random = |key: u64| {
            let share = Vector::new(unit(1, 3 * key), unit(1, 3 * key + 1), unit(1, 3 * key + 2));
            bounds.min + share.component_mul(&bounds.size())
        };
        let to_surface = |mut p: Point| {
            for _ in 0..30 {
                let slope = gradient(&p);
                p -= slope * (distance(&p) / slope.norm_squared().max(0.25));
            }
            (distance(&p).abs() < 1e-9).then(|| (p, gradient(&p)))
        };
        (0..).map(random).filter(|p| distance(p).abs() < 0.01).filter_map(to_surface).take(count).collect()
    }

    #[test]
    fn distances_of_figures_are_distances_near_the_surface() {
        for (name, distance, bounds, _) in figures() {
            let points = points_on(distance, &bounds, 4000);
            let lengths: Vec<f64> = points.iter().map(|(_, slope)| slope.norm()).collect();
            let (least, most) =
                lengths.iter().fold((f64::MAX, 0.0f64), |(least, most), l| (least.min(*l), most.max(*l)));
            println!("{name}: gradients at the surface from {least:.2} to {most:.2}");
            // Where two parts meet at a sharp angle, their gradients all but cancel.
            assert!(least > 0.4 && most < 1.2, "{name}: from {least} to {most}");
            assert!(points.iter().all(|(p, _)| bounds.contains(p)));
        }
    }

    #[test]
    fn figures_are_nowhere_thin() {
        for (name, distance, bounds, thin) in figures() {
            for (p, slope) in points_on(distance, &bounds, 1000) {
                let inwards = -slope.normalize();
                let through = (1..).map(|k| 1e-4 * k as f64).find(|t| distance(&(p + inwards * *t)) > 0.0);
                let through = through.unwrap_or(0.0);
                assert!(through > thin, "{name} is {through} thin at {p}");
            }
        }
    }

    type FigureCase = (&'static str, fn(&Point) -> f64, Aabb, f64);

    /// Name, distance, box, and how thin the figure may be.
    fn figures() -> [FigureCase; 2] {
        [
            ("rabbit", rabbit_distance, rabbit::BOUNDS, 0.0125),
            ("piggy bank", piggy_bank_distance, piggy_bank::BOUNDS, 0.0115),
        ]
    }

    /// The number of bodies of a figure, and its Euler characteristic: 1 a ball, 0 a ring, 2 a ball with a closed cavity.
    /// Simplices of a lattice with all corners inside are, up to bending, what a function has below zero that is linear
    /// between the lattice's nodes.
    fn topology(distance: fn(&Point) -> f64, bounds: &Aabb, cell: f64) -> (usize, i64) {
        let counts = [0, 1, 2].map(|k| (bounds.size()[k] / cell) as usize + 3);
        let number = |x: usize, y: usize, z: usize| (z * counts[1] + y) * counts[0] + x;
        let at = |k: usize| [k % counts[0], k / counts[0] % counts[1], k / counts[0] / counts[1]];
        let place = |k: usize| bounds.min + Vector::from(at(k).map(|c| (c as f64 - 0.5) * cell));
        let inside: Vec<bool> = (0..counts.iter().product()).map(|k| distance(&place(k)) < 0.0).collect();
        // Steps to the corners of a cube, as sets of axes; a simplex is a chain of growing sets.
        let step = |set: usize| number(set & 1, set >> 1 & 1, set >> 2);
        let grows = |a: usize, b: usize| a != b && a & b == a;
        let mut parents: Vec<u32> = (0..inside.len() as u32).collect();
        let mut euler = 0;
        for k in (0..inside.len()).filter(|k| inside[*k]) {
            let is_in = |set: &usize| inside[k + step(*set)];
            euler += 1;
            for a in (1..8).filter(is_in) {
                union_find::join(&mut parents, k as u32, (k + step(a)) as u32);
                euler -= 1;
                for b in (1..8).filter(is_in).filter(|b| grows(a, *b)) {
                    euler += 1;
                    euler -= (1..8).filter(is_in).filter(|c| grows(b, *c)).count() as i64;
                }
            }
        }
        (parents.iter().zip(0..).filter(|(p, k)| **p == *k && inside[*k as usize]).count(), euler)
    }

    #[test]
    fn figures_are_one_body_without_handles_or_closed_cavities() {
        for (name, distance, bounds, _) in figures() {
            for cell in [0.0031, 0.0047] {
                assert_eq!(topology(distance, &bounds, cell), (1, 1), "{name}");
            }
        }
        let ring: fn(&Point) -> f64 = |p| (p.x.hypot(p.y) - 0.03).hypot(p.z - 0.07) - 0.015;
        assert_eq!(topology(ring, &rabbit::BOUNDS, 0.004).1, 0, "this test can tell");
    }
}
