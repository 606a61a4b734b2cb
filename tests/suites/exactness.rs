//! Every solid, every pattern, three generations (five in full): fragments are exactly their parent, closed, weighed, connected.

use crate::common;

use common::{is_full, on_all_cores, oracle, scenes};
use fracas::{FractureOptions, Object, Outcome, fracture};

/// Breaks an object and its fragments again and again; returns the living family and what was measured.
fn generations(object: &Object, choose: usize, what: &str) -> (Vec<Object>, oracle::Figures) {
    let mut family = vec![object.clone()];
    let mut figures = oracle::Figures::default();
    for generation in 0..if is_full() { 5 } else { 3 } {
        // The largest first, then the smallest: both ends of what can happen.
        family.sort_by(|a, b| b.mass().volume.total_cmp(&a.mass().volume));
        let targets = if family.len() > 1 { vec![0, family.len() - 1] } else { vec![0] };
        for target in targets.into_iter().rev() {
            let parent = family[target].clone();
            let (name, pattern) = scenes::patterns(&parent, generation as u64).swap_remove(choose);
            let what = format!("{what}, {name}, generation {generation}");
            if let Outcome::Broken(result) = fracture(&parent, &pattern, &FractureOptions::default()).unwrap() {
                figures.worst(&oracle::check(&parent, &result, &what));
                family.remove(target);
                family.extend(result.objects);
            }
        }
    }
    (family, figures)
}

#[test]
fn fragments_are_exactly_their_parent_in_every_combination() {
    let mut total = oracle::Figures::default();
    for (shape, solid) in scenes::all_solids() {
        let object = scenes::intact(solid);
        let kinds = scenes::patterns(&object, 0).len();
        let mut figures = oracle::Figures::default();
        let mut points = (0, 0);
        for (measured, (compared, off)) in on_all_cores((0..kinds).collect(), |choose| {
            let (family, measured) = generations(&object, choose, shape);
            let is_broken = family.len() > 1;
            let owners = is_broken.then(|| oracle::compare_owners(&family, 400, choose as u64, shape));
            (measured, owners.unwrap_or_default())
        }) {
            figures.worst(&measured);
            points = (points.0 + compared, points.1 + off);
        }
        println!(
            "{shape}: {} events, {} fragments, worst relative errors: volume sum {:.1e}, surface volume {:.1e}, centre {:.1e}, inertia {:.1e}, crack area {:.1e}; owner by winding number: {} points, {} on a face",
            figures.events,
            figures.fragments,
            figures.volume_sum,
            figures.flux,
            figures.centre,
            figures.inertia,
            figures.adjacency,
            points.0,
            points.1
        );
        assert!(figures.events > kinds || shape == "tetrahedron", "{shape} hardly broke");
        total.worst(&figures);
    }
    println!(
        "all: {} events, {} fragments, worst relative errors: volume sum {:.1e}, surface volume {:.1e}, centre {:.1e}, inertia {:.1e}, crack area {:.1e}",
        total.events, total.fragments, total.volume_sum, total.flux, total.centre, total.inertia, total.adjacency
    );
}

#[test]
fn splits_name_the_fragment_that_winding_numbers_name() {
    for (shape, solid, choose) in [
        ("ball", fracas::shapes::ball(0.1, 10), 2),
        ("hollow ball", fracas::shapes::hollow_ball(0.1, 12, 2), 5),
        ("brick", fracas::shapes::brick(1), 8),
    ] {
        let (family, _) = generations(&scenes::intact(solid), choose, shape);
        let (compared, off) = oracle::compare_owners(&family, 100_000, 1, shape);
        println!("{shape}, {} fragments: {compared} points, {off} of them on a face", family.len());
    }
}
