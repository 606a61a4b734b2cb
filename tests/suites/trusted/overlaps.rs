//! Convex bodies of few nodes: overlapping pairs must have contacts, even if no node of one is in the other.
//!
//! Truth shares nothing with the library: separating axes over face normals and cross products of edges tell overlap and the
//! least translation that ends it; clipping tells the common volume. `scripts/trust` does the same with more pairs, with
//! fragments, and with another library as judge.

use crate::common::axes::{Convex, least_translation};
use crate::common::clipper::{self, HalfSpace};
use crate::common::few::{self, CATEGORIES, Few};
use crate::common::on_all_cores;
use fracas::contact::{QueryOptions, query_pair};
use fracas::geom::Pose;
use fracas::{Object, Point, Vector};

const PAIRS: usize = 3150;

/// Volume of the intersection: cones over the triangles of A, from its middle, within the planes of B.
fn common_volume(hull: &Few, a: &Convex, b: &Convex) -> f64 {
    let middle = Point::from(a.points.iter().map(|p| p.coords).sum::<Vector>() / a.points.len() as f64);
    let cone = |triangle: &[u32; 3]| {
        let [p, q, r] = triangle.map(|k| a.points[k as usize]);
        clipper::volume(&[middle, p, q, r], b.planes.iter().map(|plane| HalfSpace::of(plane, false)))
    };
    hull.hull.triangles.iter().map(cone).sum()
}

/// What is true of a pair, and what was found.
struct Judged {
    category: usize,
    /// Common volume as a share of the smaller one.
    share: f64,
    /// The least translation, and the deepest contact, as shares of the smaller radius.
    depth: f64,
    found: Option<f64>,
}

fn judge(bodies: &[Few], objects: &[Object], number: usize) -> Judged {
    let pair = few::pair(bodies, number, 11);
    let of = pair.bodies.map(|k| &bodies[k]);
    let convex = [0, 1].map(|side| Convex::new(of[side], &pair.poses[side]));
    let radius = of[0].hull.radius().min(of[1].hull.radius());
    let depth = least_translation(&convex[0], &convex[1]);
    let volume = if depth > 0.0 { common_volume(of[0], &convex[0], &convex[1]) } else { 0.0 };
    let [a, b] = pair.bodies.map(|k| &objects[k]);
    let mut contacts = vec![];
    query_pair(a, &pair.poses[0], b, &pair.poses[1], &QueryOptions::default(), &mut contacts).unwrap();
    Judged {
        category: pair.category,
        share: volume / of[0].volume().min(of[1].volume()),
        depth: depth / radius,
        found: contacts.iter().map(|c| c.depth as f64 / radius).reduce(f64::max),
    }
}

#[test]
fn truth_is_right_where_it_is_known() {
    let cube = Few::cuboid(few::Kind::Cube, [1.0; 3]);
    let at = |x: f64, y: f64, angle: f64| Convex::new(&cube, &Pose::new(Vector::new(x, y, 0.0), Vector::z() * angle));
    let still = at(0.0, 0.0, 0.0);
    assert!((least_translation(&at(0.9, 0.2, 0.0), &still) - 0.1).abs() < 1e-12);
    assert!((common_volume(&cube, &at(0.9, 0.2, 0.0), &still) - 0.1 * 0.8).abs() < 1e-12);
    // A regular octagon is what two squares have in common that are turned by 45 degrees.
    let octagon = 2.0 * (2f64.sqrt() - 1.0);
    assert!((common_volume(&cube, &at(0.0, 0.0, std::f64::consts::FRAC_PI_4), &still) - octagon).abs() < 1e-12);
    assert!(least_translation(&at(1.1, 0.0, 0.0), &still) < -0.09);
}

#[test]
fn overlapping_bodies_of_few_nodes_have_contacts() {
    let bodies = few::bodies(16, 3);
    let objects: Vec<Object> = on_all_cores(bodies.iter().collect(), |body: &Few| body.object());
    let judged = on_all_cores((0..PAIRS).collect(), |number| judge(&bodies, &objects, number));
    let is_true = |pair: &&Judged| pair.share > 1e-4;
    let is_missed = |pair: &&Judged| is_true(pair) && pair.found.is_none_or(|depth| depth <= 0.0);
    let line = |name: &str, pairs: &[&Judged]| {
        let count = |test: &dyn Fn(&&Judged) -> bool| pairs.iter().filter(|pair| test(pair)).count();
        let most = pairs.iter().copied().filter(is_missed).map(|pair| pair.share).fold(0.0, f64::max);
        let deepest = pairs.iter().copied().filter(is_missed).map(|pair| pair.depth).fold(0.0, f64::max);
        let invented = |pair: &&Judged| pair.depth < -1e-5 && pair.found.is_some_and(|depth| depth > 1e-5);
        let (overlapping, missed) = (count(&is_true), count(&is_missed));
        println!(
            "{name:24} {:5} pairs, {overlapping:5} overlap, {missed:4} missed ({:.2} %), up to {:.2} % of the volume and {:.2} % of the radius deep, {} invented",
            pairs.len(),
            100.0 * missed as f64 / overlapping.max(1) as f64,
            100.0 * most,
            100.0 * deepest,
            count(&invented)
        );
        (overlapping, missed, most)
    };
    for (number, category) in CATEGORIES.iter().enumerate() {
        line(category.name, &judged.iter().filter(|pair| pair.category == number).collect::<Vec<_>>());
    }
    let (overlapping, missed, most) = line("all", &judged.iter().collect::<Vec<_>>());
    assert!(overlapping > PAIRS / 2, "too few pairs overlap: {overlapping}");
    assert!(
        (missed as f64) < 0.0005 * overlapping as f64,
        "{missed} of {overlapping} overlapping pairs have no contact"
    );
    assert!(most <= 0.01, "a pair with {:.1} % of the smaller volume in common has no contact", 100.0 * most);
}
