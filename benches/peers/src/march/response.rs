//! The time of a response: by the number of tetrahedra that collide (figure 16), and of a haptic probe.

use super::bodies;
use crate::goals::{Goal, Topic};
use crate::studies::{Study, exponent};
use crate::timing::{Times, timed};
use fracas::penalty::{PenaltyOptions, PenaltyScratch, Penetrating, SoftBody};
use fracas::{Point, Vector};

/// Features, and whether depths are measured at every point.
const FEATURES: [(&str, Penetrating, bool); 4] = [
    ("points", Penetrating::Points, false),
    ("segments", Penetrating::Segments, false),
    ("all segments", Penetrating::AllSegments, false),
    ("segments, measured", Penetrating::Segments, true),
];

/// Depths of penetration, in shares of the height.
const DEPTHS: [f64; 6] = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5];

/// Two balls, deeper and deeper in each other.
pub fn growth(quick: bool) -> Study {
    let solid = bodies::ball();
    let positions = bodies::deformed(&solid, 0.0);
    let mut body = SoftBody::new(solid.nodes(), solid.tets()).expect("our shapes are valid");
    let mut place = |shift: Vector| {
        body.set_positions(positions.iter().map(|p| p + shift)).expect("positions are finite");
        body.update();
        body.clone()
    };
    let lower = place(Vector::zeros());
    let (low, high) = positions.iter().fold((f64::MAX, f64::MIN), |(l, h), p| (l.min(p.z), h.max(p.z)));
    let mut scratch = PenaltyScratch::default();
    let mut rows = vec![];
    let mut points = [const { vec![] }; FEATURES.len()];
    for depth in DEPTHS {
        // A little aside: else edges of the copy lie within faces.
        let upper = place(Vector::new(0.013, 0.007, 1.0 - depth).scale(high - low));
        let mut pairs = vec![];
        lower.overlapping_tets(&upper, &mut pairs).expect("both are up to date");
        let colliding: usize = [0, 1]
            .map(|side| {
                let mut tets: Vec<u32> = pairs.iter().map(|pair| pair[side]).collect();
                tets.sort_unstable();
                tets.dedup();
                tets.len()
            })
            .iter()
            .sum();
        let mut least = [f64::INFINITY; FEATURES.len()];
        let mut stats = [Default::default(); FEATURES.len()];
        // In turn, so that all meet the same machine.
        for _ in 0..if quick { 5 } else { 20 } {
            for (k, (_, what, measured)) in FEATURES.into_iter().enumerate() {
                let options = PenaltyOptions { penetrating: [what; 2], measured, ..PenaltyOptions::default() };
                let mut out = vec![];
                let (time, found) = timed(|| lower.penalties(&upper, &options, &mut scratch, &mut out));
                stats[k] = found.expect("both are up to date");
                least[k] = least[k].min(time);
            }
        }
        for (k, (name, ..)) in FEATURES.into_iter().enumerate() {
            points[k].push((colliding as f64, least[k]));
            let row = vec![
                colliding as f64,
                stats[k].tets as f64,
                stats[k].parts as f64,
                least[k],
                1e3 * least[k] / colliding as f64,
                1e3 * least[k] / stats[k].tets as f64,
                least[k] / least[0],
            ];
            rows.push((format!("{:.0} % of the height, {name}", 100.0 * depth), row));
        }
    }
    let slopes = points.map(|points| exponent(&points));
    let goal = |(k, (name, ..)): (usize, (&str, Penetrating, bool))| {
        let what = format!("response, {name}: grows with colliding tetrahedra: exponent");
        Goal::at_most(Topic::SoftGrowth, what, slopes[k], 1.1, "")
    };
    Study {
        title: format!("soft bodies, figure 16: two balls of {} tets, both ways, exact depths", solid.tets().len()),
        columns: vec!["colliding", "penetrated", "parts", "ms", "us/colliding", "us/penetrated", "/ points"],
        rows,
        goals: FEATURES.into_iter().enumerate().map(goal).collect(),
        notes: vec![
            format!(
                "exponents by colliding tetrahedra: points {:.2}, segments {:.2}, all segments {:.2}, measured {:.2}",
                slopes[0], slopes[1], slopes[2], slopes[3]
            ),
            "colliding: tetrahedra of both that overlap one of the other; penetrated: those that hold a feature".into(),
            "the paper: 28 s by points, 36 s by segments, 1.29 times as long".into(),
        ],
        ..Study::default()
    }
}

/// A small probe in the torus, which deforms in every step.
pub fn probes(quick: bool) -> Study {
    let solid = bodies::torus();
    let steps = if quick { 50 } else { 500 };
    let mut torus = SoftBody::new(solid.nodes(), solid.tets()).expect("our shapes are valid");
    // Its corner is well within the tube.
    let corners = [[0.0, 0.0, -0.2], [0.1, 0.0, 0.1], [-0.1, 0.1, 0.1], [-0.1, -0.1, 0.1]];
    let at = |phase: f64| Vector::new(phase.cos(), phase.sin(), 0.25);
    let place = |phase: f64| corners.map(|c| Point::from(c) + at(phase));
    let mut probe = SoftBody::new(&place(0.0), &[[0, 1, 2, 3]]).expect("a tetrahedron is valid");
    let mut scratch = PenaltyScratch::default();
    let (mut rows, mut goals) = (vec![], vec![]);
    let ways = [
        ("a point: signed distance", None),
        ("a tetrahedron, points", Some(Penetrating::Points)),
        ("a tetrahedron, segments", Some(Penetrating::Segments)),
    ];
    for (name, what) in ways {
        let (mut updates, mut totals) = (Times::default(), Times::default());
        let (mut worst, mut parts, mut inside) = (0.0f64, 0, 0);
        for step in 0..steps {
            let phase = step as f64 * 0.02;
            let positions = bodies::deformed(&solid, phase);
            let (update, ()) = timed(|| {
                torus.set_positions(positions.iter().copied()).expect("positions are finite");
                torus.update();
            });
            let corners = place(phase);
            let (response, found) = timed(|| match what {
                None => (torus.signed_distance(&corners[0]).expect("the torus is up to date").distance < 0.0) as usize,
                Some(what) => {
                    probe.set_positions(corners.into_iter()).expect("positions are finite");
                    probe.update();
                    let options = PenaltyOptions { penetrating: [what; 2], ..PenaltyOptions::default() };
                    let mut out = vec![];
                    torus.penalties(&probe, &options, &mut scratch, &mut out).expect("both are up to date").parts
                }
            });
            updates.push(update);
            totals.push(update + response);
            worst = worst.max(update + response);
            parts += found;
            inside += (found > 0) as usize;
        }
        let (update, total) = (updates.median(), totals.median());
        let row = vec![
            update,
            total - update,
            total,
            worst,
            parts as f64 / steps as f64,
            100.0 * inside as f64 / steps as f64,
        ];
        rows.push((name.to_string(), row));
        goals.push(Goal::at_most(Topic::SoftHaptics, format!("haptic step, {name}: median"), total, 1.0, "ms"));
        goals.push(Goal::at_most(Topic::SoftHaptics, format!("haptic step, {name}: worst"), worst, 1.0, "ms"));
    }
    Study {
        title: format!("soft bodies: a haptic probe in the torus of {} tets, ms per step", solid.tets().len()),
        columns: vec!["update", "response", "step", "worst step", "parts", "inside %"],
        rows,
        goals,
        notes: vec![format!("{steps} steps, all nodes of the torus move in each; medians")],
        ..Study::default()
    }
}
