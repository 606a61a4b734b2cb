//! Time of one thread on one core, libraries in turn: whatever slows the machine down slows all of them.

use crate::accuracy::{self, Accuracy, Judges};
use crate::common::stage::{Moment, Stage};
use crate::fragments::{Fragments, Source};
use crate::frames::FrameKind;
use crate::library::{self, Kind, Library, Mesh};
use crate::polyhedron::Polyhedron;
use fracas::Object;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;
use std::hint::black_box;
use std::sync::LazyLock;
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

impl Row {
    /// How many times the settling frame the slowest frame just apart costs, and which it is.
    pub fn slowest_apart(&self) -> (f64, FrameKind) {
        let least = |kind: FrameKind| self.passes[kind.index()].least;
        let slowest = FrameKind::just_apart().max_by(|a, b| least(*a).total_cmp(&least(*b)));
        let slowest = slowest.expect("there are frames just apart");
        (least(slowest) / least(FrameKind::Of(Moment::Settling)), slowest)
    }
}

impl Scene {
    /// What a row is judged by: fragments cut independently, where there are such; else the surface of its own fragments.
    pub fn judged<'a>(&self, row: &'a Row) -> &'a Accuracy {
        let by_ours = !self.source.is_independent() && matches!(row.kind, Kind::Ours | Kind::Variant);
        &row.accuracy[if by_ours { 0 } else { 1 }]
    }
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
pub fn worked() -> f64 {
    let now = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("Linux has a clock for each thread");
    now.tv_sec() as f64 * 1e3 + now.tv_nsec() as f64 * 1e-6
}

/// The clock on the wall, in milliseconds.
pub fn wall() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64() * 1e3
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
    pub fn push(&mut self, milliseconds: f64) {
        self.0.push(milliseconds);
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
    pub passes: [Passes; FrameKind::COUNT],
    /// By our exported surfaces, and by those that peers were prepared from.
    pub accuracy: [Accuracy; 2],
}

/// What all libraries did on one stage.
pub struct Scene {
    pub name: String,
    pub rough: bool,
    pub pieces: usize,
    /// Of our exported surfaces.
    pub triangles: usize,
    /// What peers were prepared from, and its triangles; how many fragments kept our surface for want of a counterpart, and how
    /// many others had none among ours.
    pub source: Source,
    pub peer_triangles: usize,
    pub kept: usize,
    pub left_out: usize,
    pub radius: f64,
    /// Of our asset, and of all our fragments' surfaces: milliseconds that are not part of being ready.
    pub cooking: f64,
    pub surfaces: f64,
    /// A frame, by kind.
    pub pairs: [f64; FrameKind::COUNT],
    pub rows: Vec<Row>,
}

/// Times and judges all libraries on a stage.
pub fn scene(stage: &Stage, cooking: f64, plan: &Plan, progress: &dyn Fn(&str)) -> Scene {
    let pieces = stage.broken();
    let (surfaces, exported) = timed(|| pieces.iter().map(|piece| piece.surface()).collect::<Vec<_>>());
    let triangles = exported.iter().map(|surface| surface.triangles.len()).sum();
    let fragments = Fragments::new(stage, &pieces);
    let meshes: Vec<Mesh> = fragments.meshes.iter().map(Polyhedron::mesh).collect();

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

    let spacing = Polyhedron::of_surface(&stage.bodies[0].0.surface()).mean_edge();
    let judges = [Judges::new(&pieces, stage.radius()), Judges::of_fragments(&fragments, spacing, stage.radius())];
    let rows = libraries.iter().zip(ready).map(|(library, ready)| Row {
        name: library.name(),
        kind: library.kind(),
        ready,
        passes: Default::default(),
        accuracy: Default::default(),
    });
    let mut rows: Vec<Row> = rows.collect();
    let mut counts = [0.0; FrameKind::COUNT];
    for kind in FrameKind::all() {
        let frames = kind.count(plan);
        for number in 0..frames {
            progress(&format!("{}, frame {} of {frames}", kind.name(), number + 1));
            counts[kind.index()] +=
                frame(stage, &pieces, &judges, (kind, number), plan, &mut libraries, &mut rows) / frames as f64;
        }
        for row in &mut rows {
            let Passes { least, median, contacts, .. } = &mut row.passes[kind.index()];
            [least, median, contacts].into_iter().for_each(|sum| *sum /= frames as f64);
        }
    }
    progress("pushed");
    accuracy::push(&judges, stage, &pieces, plan.quick, &mut libraries, &mut rows);
    Scene {
        name: stage.name.clone(),
        rough: stage.is_rough(),
        pieces: pieces.len(),
        triangles,
        source: fragments.source,
        peer_triangles: fragments.triangles(),
        kept: fragments.kept,
        left_out: fragments.left_out,
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
    judges: &[Judges; 2],
    (kind, number): (FrameKind, u64),
    plan: &Plan,
    libraries: &mut [Box<dyn Library>],
    rows: &mut [Row],
) -> f64 {
    let frame = kind.frame(stage, pieces, number);
    let pairs = library::pairs(&frame);
    let kind = kind.index();
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
    let truths = judges.each_ref().map(|judges| judges.relations(&frame));
    for ((library, row), times) in libraries.iter().zip(rows).zip(times) {
        let passes = &mut row.passes[kind];
        passes.least += times.least();
        passes.median += times.median();
        passes.slowest = passes.slowest.max(times.least());
        let hits = library.hits();
        for (truth, accuracy) in truths.iter().zip(&mut row.accuracy) {
            accuracy.frames[kind].add(truth, &hits, stage.radius());
        }
    }
    pairs.len() as f64
}
