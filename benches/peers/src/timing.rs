//! Time of one thread on one core, libraries in turn: whatever slows the machine down slows all of them.

use crate::accuracy::{Accuracy, Judges};
use crate::common::stage::{Moment, Stage};
use crate::library::{self, Kind, Library};
use fracas::Object;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;
use std::hint::black_box;
use std::time::Instant;

/// How much of everything is done.
pub struct Plan {
    pub quick: bool,
    /// Fewest and most repetitions of an event or a frame.
    pub fewest: usize,
    pub repetitions: usize,
    /// Seconds after which a library's event or frame is not repeated any more.
    pub budget: f64,
}

impl Plan {
    pub fn new(quick: bool) -> Self {
        match quick {
            true => Self { quick, fewest: 1, repetitions: 9, budget: 0.03 },
            false => Self { quick, fewest: 2, repetitions: 30, budget: 0.15 },
        }
    }

    pub fn frames(&self, moment: Moment) -> u64 {
        if self.quick { moment.frames().div_ceil(8) } else { moment.frames() }
    }
}

/// Keeps this thread on one core, and returns its number and what undoes it.
pub fn pin() -> Result<(usize, impl FnOnce()), String> {
    let here = Pid::from_raw(0);
    let allowed =
        sched_getaffinity(here).map_err(|why| format!("the system does not tell which cores there are: {why}"))?;
    let core = (0..CpuSet::count()).rev().find(|core| allowed.is_set(*core).unwrap_or(false)).unwrap_or(0);
    let mut one = CpuSet::new();
    one.set(core)
        .and_then(|()| sched_setaffinity(here, &one))
        .map_err(|why| format!("core {core} cannot be kept: {why}"))?;
    Ok((core, move || sched_setaffinity(here, &allowed).unwrap_or_default()))
}

/// Time that this thread has worked, in milliseconds.
fn worked() -> f64 {
    let now = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("Linux has a clock for each thread");
    now.tv_sec() as f64 * 1e3 + now.tv_nsec() as f64 * 1e-6
}

/// Milliseconds that some work takes, and what it returns.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = worked();
    let made = black_box(work());
    (worked() - start, made)
}

/// Milliseconds that pass on the clock on the wall.
pub fn elapsed<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64() * 1e3
}

/// Milliseconds of the same thing, again and again.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<f64>);

impl Times {
    pub fn of(repetitions: usize, mut work: impl FnMut() -> f64) -> Self {
        Self((0..repetitions).map(|_| work()).collect())
    }
    pub fn least(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }
    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }
    fn spent(&self) -> f64 {
        self.0.iter().sum()
    }
    /// Whether it has been done often enough.
    fn enough(&self, plan: &Plan) -> bool {
        self.0.len() >= plan.fewest && (self.spent() > plan.budget * 1e3 || self.0.len() >= plan.repetitions)
    }
}

/// From the event, or from the surfaces, to the end of the first pass.
#[derive(Clone, Debug, Default)]
pub struct Ready {
    pub prepare: Times,
    pub first: Times,
    pub both: Times,
}

/// Passes over the frames of a kind: means over frames of the least and of the median time, and the slowest frame's least.
#[derive(Clone, Copy, Debug, Default)]
pub struct Passes {
    pub least: f64,
    pub median: f64,
    pub slowest: f64,
    /// A frame.
    pub contacts: f64,
}

/// What one library did on one stage.
pub struct Row {
    pub name: &'static str,
    pub kind: Kind,
    pub ready: Ready,
    pub passes: [Passes; 4],
    pub accuracy: Accuracy,
}

/// What all libraries did on one stage.
pub struct Scene {
    pub name: String,
    pub rough: bool,
    pub pieces: usize,
    pub triangles: usize,
    pub radius: f64,
    /// Of our asset, and of all our fragments' surfaces: milliseconds that are not part of being ready.
    pub cooking: f64,
    pub surfaces: f64,
    /// A frame, by kind.
    pub pairs: [f64; 4],
    pub rows: Vec<Row>,
}

/// Times and judges all libraries on a stage.
pub fn scene(stage: &Stage, cooking: f64, plan: &Plan, progress: &dyn Fn(&str)) -> Scene {
    let pieces = stage.broken();
    let (surfaces, meshes) = timed(|| library::meshes(&pieces));
    let triangles = meshes.iter().map(|mesh| mesh.triangles.len() / 3).sum();

    progress("ready");
    let just = stage.frame(&pieces, Moment::JustFractured, 0);
    let pairs = library::pairs(&just);
    let mut libraries = library::all();
    let mut ready = vec![Ready::default(); libraries.len()];
    for _ in 0..plan.repetitions {
        let fresh = library::all().into_iter().zip(&mut libraries).zip(&mut ready);
        for ((mut library, kept), ready) in fresh.filter(|(_, ready)| !ready.both.enough(plan)) {
            let (prepare, ()) = timed(|| library.prepare(stage, &meshes));
            library.place(&just);
            let (first, _) = timed(|| library.pass(&pairs));
            ready.prepare.0.push(prepare);
            ready.first.0.push(first);
            ready.both.0.push(prepare + first);
            *kept = library;
        }
    }

    let judges = Judges::new(&pieces, stage.radius());
    let rows = libraries.iter().zip(ready).map(|(library, ready)| Row {
        name: library.name(),
        kind: library.kind(),
        ready,
        passes: Default::default(),
        accuracy: Accuracy::default(),
    });
    let mut rows: Vec<Row> = rows.collect();
    let mut counts = [0.0; 4];
    for (kind, moment) in Moment::ALL.into_iter().enumerate() {
        let frames = plan.frames(moment);
        for number in 0..frames {
            progress(&format!("{}, frame {} of {frames}", moment.name(), number + 1));
            counts[kind] +=
                frame(stage, &pieces, &judges, (moment, number), plan, &mut libraries, &mut rows) / frames as f64;
        }
        for row in &mut rows {
            let Passes { least, median, contacts, .. } = &mut row.passes[kind];
            [least, median, contacts].into_iter().for_each(|sum| *sum /= frames as f64);
        }
    }
    progress("pushed");
    judges.push(stage, &pieces, plan.quick, &mut libraries, &mut rows);
    Scene {
        name: stage.name.clone(),
        rough: stage.is_rough(),
        pieces: pieces.len(),
        triangles,
        radius: stage.radius(),
        cooking,
        surfaces,
        pairs: counts,
        rows,
    }
}

/// One frame, all libraries in turn, each time another one first. Returns the number of pairs.
fn frame(
    stage: &Stage,
    pieces: &[Object],
    judges: &Judges,
    (moment, number): (Moment, u64),
    plan: &Plan,
    libraries: &mut [Box<dyn Library>],
    rows: &mut [Row],
) -> f64 {
    let frame = stage.frame(pieces, moment, number);
    let pairs = library::pairs(&frame);
    let kind = moment as usize;
    let mut times = vec![Times::default(); libraries.len()];
    libraries.iter_mut().for_each(|library| library.place(&frame));
    for round in 0..plan.repetitions {
        for turn in 0..libraries.len() {
            let k = (turn + round) % libraries.len();
            if !times[k].enough(plan) {
                let (took, contacts) = timed(|| libraries[k].pass(&pairs));
                times[k].0.push(took);
                rows[k].passes[kind].contacts += if round == 0 { contacts as f64 } else { 0.0 };
            }
        }
    }
    let truth = judges.relations(&frame);
    for ((library, row), times) in libraries.iter().zip(rows).zip(times) {
        let passes = &mut row.passes[kind];
        passes.least += times.least();
        passes.median += times.median();
        passes.slowest = passes.slowest.max(times.least());
        row.accuracy.moments[kind].add(&truth, &library.hits(), stage.radius());
    }
    pairs.len() as f64
}
