//! Any break, and what it costs until nothing is left to prepare: `cargo bench --bench breaks [-- body [repetitions]]`. One core.
//!
//! Bodies as users bring them (filled by default, drawn by their surface) and the rabbit of 20,000 tetrahedra; patterns as games have them:
//! smooth and rough cells, blows, cells joined to fewer pieces, planes. For each, in milliseconds, the least of some repetitions: the
//! event, the first pass over all near pairs where they are, `Object::prepare` of all pieces, the slowest of the ten frames after it
//! (pieces up to 1 % of the radius apart, with memories) and the same with motions, a settling frame, and what is drawn, all pieces.

#[path = "../tests/common/mod.rs"]
mod common;

use common::brought;
use common::stage::{Frame, JustApart, Moment, Stage};
use fracas::contact::{BatchContacts, Motion, PairMemory, QueryOptions, QueryPair, Step, query_pairs_in_step};
use fracas::fracture::pattern::{Impact, Roughness};
use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, Tasks, Vector, shapes};
use std::time::Instant;

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let made = work();
    (start.elapsed().as_secs_f64() * 1e3, made)
}

/// The pieces of each pattern are about as many, but for those that are joined.
fn patterns(object: &Object) -> Vec<(&'static str, Pattern, FractureOptions)> {
    let (bounds, radius) = (object.bounds(), object.bounds().radius());
    let point = bounds.min + bounds.size().component_mul(&Vector::new(0.7, 0.9, 0.6));
    let blow = || Pattern::impact(Impact { point, direction: Vector::y(), radius: 0.8 * radius, count: 27, seed: 3 });
    let rough = Roughness { amplitude: 0.02, wavelength: 4.0, seed: 7 };
    let cells = || Pattern::random_voronoi(27, 1);
    let middle = bounds.centre();
    let plane = |normal: Vector| fracas::geom::plane::Plane {
        normal: normal.normalize(),
        offset: normal.normalize().dot(&middle.coords),
    };
    let planes = [Vector::x(), Vector::y(), Vector::new(1.0, 1.0, 1.0), Vector::new(1.0, -1.0, 2.0)].map(plane);
    let joined = FractureOptions { max_fragments: 9, ..FractureOptions::default() };
    vec![
        ("smooth cells", cells(), FractureOptions::default()),
        ("rough cells", cells().rough(rough), FractureOptions::default()),
        ("blow", blow(), FractureOptions::default()),
        ("rough blow", blow().rough(rough), FractureOptions::default()),
        ("cells joined to 9", cells(), joined),
        ("four planes", Pattern::planes(planes.to_vec()), FractureOptions::default()),
    ]
}

/// All near pairs of a frame, as an engine asks: with memories, and with motions for speculative contacts if `seconds` is not 0.
fn pass(pieces: &[Object], frame: &Frame, memories: &mut [PairMemory], seconds: f64) -> BatchContacts {
    let at = |k: usize| (&pieces[k], &frame.poses[k]);
    let pairs: Vec<QueryPair> =
        frame.pairs.iter().map(|(a, b)| QueryPair { a: at(*a), b: at(*b), weight: 1.0 }).collect();
    let middle = pieces.iter().map(|p| p.mass().centre.coords).sum::<Vector>() / pieces.len() as f64;
    let motion = |k: usize| Motion {
        linear: ((pieces[k].mass().centre.coords - middle) * 2.0).into(),
        angular: [0.3, 0.1 * k as f64 % 1.0, 0.2],
    };
    let motions: Vec<[Motion; 2]> = match seconds > 0.0 {
        true => frame.pairs.iter().map(|(a, b)| [motion(*a), motion(*b)]).collect(),
        false => vec![],
    };
    let step = Step { memories, motions: &motions, seconds };
    query_pairs_in_step(&pairs, step, &QueryOptions::default(), &Tasks::inline()).unwrap()
}

/// The slowest of ten frames after a break.
fn slowest_after(stage: &Stage, pieces: &[Object], seconds: f64) -> f64 {
    let frames = (1..=10).map(|k| JustApart::Expanded(0.001 * f64::from(k)).frame(stage, pieces, 0));
    frames
        .map(|frame| timed(|| pass(pieces, &frame, &mut vec![PairMemory::default(); frame.pairs.len()], seconds)).0)
        .fold(0.0, f64::max)
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| !a.starts_with("--"));
    let wanted = arguments.next();
    let repetitions = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(5);
    const NAMES: [&str; 6] =
        ["mug", "vase", "crate of twelve triangles", "statue of balls", "window pane", "window with bars"];
    let is_asked = |name: &str| wanted.as_ref().is_none_or(|wanted| name.starts_with(wanted.as_str()));
    if is_asked("rabbit") {
        let asset = Asset::cook(shapes::preset::rabbit(), &CookOptions::default()).unwrap();
        report("rabbit", &Object::intact(&asset)[0], repetitions);
    }
    for name in NAMES.into_iter().filter(|name| is_asked(name)) {
        report(name, &brought::filled(name), repetitions);
    }
}

fn report(name: &str, object: &Object, repetitions: usize) {
    println!("\n{name}: {} tetrahedra", object.asset().solid().tets().len());
    println!(
        "  {:18} {:>6} {:>8} {:>10} {:>8} {:>8} {:>12} {:>12} {:>9} {:>9}",
        "pattern",
        "pieces",
        "event",
        "first pass",
        "prepare",
        "ready",
        "just apart",
        "with motions",
        "settling",
        "drawings"
    );
    for (kind, pattern, options) in patterns(object) {
        let stage = Stage::single(kind, object.clone(), pattern);
        let mut least = [f64::INFINITY; 8];
        let mut count = 0;
        for _ in 0..repetitions {
            let (event, pieces) = timed(|| stage.broken_by(&options));
            count = pieces.len();
            let frame = stage.frame(&pieces, Moment::JustFractured, 0);
            let mut memories = vec![PairMemory::default(); frame.pairs.len()];
            let first = timed(|| pass(&pieces, &frame, &mut memories, 0.0)).0;
            let prepare = timed(|| pieces.iter().for_each(Object::prepare)).0;
            let apart = slowest_after(&stage, &pieces, 0.0);
            let ahead = slowest_after(&stage, &pieces, 1.0 / 60.0);
            let frame = stage.frame(&pieces, Moment::Settling, 0);
            let settling = timed(|| pass(&pieces, &frame, &mut vec![PairMemory::default(); frame.pairs.len()], 0.0)).0;
            let drawn = timed(|| pieces.iter().map(Object::drawing).collect::<Vec<_>>()).0;
            let all = [event, first, prepare, event + first + prepare, apart, ahead, settling, drawn];
            least.iter_mut().zip(all).for_each(|(least, time)| *least = least.min(time));
        }
        let [event, first, prepare, ready, apart, ahead, settling, drawn] = least;
        println!(
            "  {kind:18} {count:6} {event:8.1} {first:10.1} {prepare:8.1} {ready:8.1} {apart:12.1} {ahead:12.1} {settling:9.1} {drawn:9.1}"
        );
    }
}
