//! How convex and how thick a body is, as far as a few of its samples tell. Measured on first use.

use crate::body::Object;
use crate::field::DepthQuery;
use crate::geom::Point;
use crate::geom::lanes::LANES;
use crate::reference::nodal::Scheme;

/// Samples that are asked.
const SPREAD: usize = 16;
/// Largest dent that is measured, as a share of the radius. Wide gaps take long to measure.
const MOST_DENT: f64 = 0.05;
/// Least thickness that is measured, likewise; and the ratio of one guess to the last.
const LEAST: f64 = 0.02;
const LARGER: f64 = 1.5;

/// Samples all over a body, relative to its frame and in units of its asset.
fn spread(body: &Object) -> [Point; SPREAD] {
    let (samples, middle) = (body.samples(), body.asset().centre());
    std::array::from_fn(|k| {
        let slot = k * samples.points.len() * LANES / SPREAD;
        let at = samples.points.get(slot / LANES).map_or(samples.middle, |eight| eight.get(slot % LANES));
        middle + at.cast::<f64>()
    })
}

/// How far a body is from convex, in metres: the largest gap found between the middle of two samples and the body; infinite beyond a twentieth
/// of its radius. An estimate from below.
pub(super) fn dent(body: &Object) -> f64 {
    let found = body.creases().dent.get_or_init(|| {
        let (spread, field) = (spread(body), body.field(Scheme::default()));
        let most = MOST_DENT * body.samples().half.norm() as f64;
        let mut dent = 0.0f64;
        for (k, p) in spread.iter().enumerate() {
            for q in &spread[..k] {
                let at = nalgebra::center(p, q);
                if dent < most {
                    let found = field.touch(&at, &DepthQuery { margin: most, ..DepthQuery::ANY });
                    dent = dent.max(found.map_or(f64::INFINITY, |(depth, _)| -depth));
                }
            }
        }
        dent as f32
    });
    *found as f64 * body.scale()
}

/// How thick a body is, in metres: the median of how far samples can be moved inwards within it. 0: thinner than can be told.
pub(super) fn thickness(body: &Object) -> f64 {
    let found = body.creases().thickness.get_or_init(|| {
        let field = body.field(Scheme::default());
        let radius = body.samples().half.norm() as f64;
        let query = DepthQuery { margin: 1e-3 * radius, ..DepthQuery::ANY };
        // Every other one: it is only a guess.
        let spread = spread(body);
        let mut inwards: [f32; SPREAD / 2] = std::array::from_fn(|k| {
            let at = spread[2 * k];
            let Some((_, outward)) = field.touch(&at, &query) else { return 0.0 };
            let is_inside =
                |way: f64| field.touch(&(at - outward * way), &DepthQuery::ANY).is_some_and(|(depth, _)| depth > 0.0);
            let (mut way, mut next) = (0.0, LEAST * radius);
            while next <= radius && is_inside(next) {
                (way, next) = (next, next * LARGER);
            }
            way as f32
        });
        inwards.sort_unstable_by(f32::total_cmp);
        inwards[SPREAD / 4]
    });
    *found as f64 * body.scale()
}
