//! Plays a sequence once, to all variants and peers in turn: whatever slows the machine down slows all of them.

use super::between::Between;
use super::boxes::{self, Boxes};
use super::found::{self, Key};
use super::play::{Kind, Orders, Player, Times};
use super::variants::{self, DEFAULT, OFF, Variant};
use super::world::World;
use crate::common::sequences;
use crate::timing::{self, timed};
use fracas::Tasks;
use fracas::deform::{BodyOptions, Construction, Interval, Scene, SceneOptions};
use std::ops::Range;
use std::time::{Duration, Instant};

/// Which frames are for whom. All begin where they join, with trees that were just built.
pub struct Scope {
    /// The default options.
    pub all: Range<usize>,
    pub variants: Range<usize>,
    pub peers: Range<usize>,
}

impl Scope {
    /// Each part has an event, where there are any. Quick: some twenty frames.
    pub fn of(name: &str, quick: bool) -> Self {
        let (all, variants, peers) = match (name, quick) {
            ("walls", false) => (0..80, 0..80, 30..46),
            ("dragon", false) => (0..250, 40..130, 76..88),
            ("n-body", false) => (0..149, 0..149, 60..72),
            (_, false) => (0..465, 240..340, 300..312),
            ("walls", true) => (30..50, 30..50, 41..46),
            ("dragon", true) => (76..90, 76..90, 78..83),
            ("n-body", true) => (60..76, 60..76, 70..74),
            (_, true) => (300..312, 300..312, 306..310),
        };
        Self { all, variants, peers }
    }
}

/// What a variant did.
pub struct Line {
    pub variant: Variant,
    pub kind: Kind,
    pub frames: Range<usize>,
    /// By frame; of the first, in which all trees are built, there is nothing to say.
    pub times: Vec<Times>,
    /// Of what cones off found; and what it did not.
    pub lost: u64,
    pub invented: u64,
    player: Option<Player>,
}

impl Line {
    /// Times of the frames after the first that are also in another range.
    pub fn within(&self, range: &Range<usize>) -> impl Iterator<Item = &Times> {
        let first = self.frames.start;
        let wanted = range.start.max(first) + 1..range.end.min(self.frames.end);
        self.times.iter().enumerate().filter(move |(k, _)| wanted.contains(&(first + k))).map(|(_, times)| times)
    }

    fn step(&mut self, frame: usize, orders: &Orders, world: &World, two_threads: &Tasks) {
        if frame == self.frames.start {
            let Variant { options, threads, .. } = self.variant;
            let inline = Tasks::inline();
            // A thread's own time says nothing about two of them.
            let (tasks, clock) =
                if threads == 1 { (&inline, timing::worked as _) } else { (two_threads, timing::wall as _) };
            let mut player = Player::new(options, self.kind, tasks, clock);
            player.join(world.meshes(false));
            self.times.push(player.step(Orders::default()));
            self.player = Some(player);
        } else if let Some(player) = &mut self.player {
            self.times.push(player.step(orders.clone()));
        }
    }
}

/// Everything built anew by medians, with cones, in a frame with an event.
pub struct Anew {
    pub frame: usize,
    pub milliseconds: f64,
}

/// Memory of a scene.
#[derive(Clone, Copy, Default)]
pub struct Memory {
    pub bytes: usize,
    pub triangles: usize,
    pub nodes: usize,
}

impl Memory {
    fn of(scene: &Scene) -> Self {
        let leaves = |body| {
            let mut leaves = 0;
            scene.boxes(body, u32::MAX, |_| leaves += 1).map(|()| leaves)
        };
        let nodes = scene.bodies().map(|body| 2 * leaves(body).expect("the body is there") - 1).sum();
        Self { bytes: scene.bytes(), triangles: scene.triangle_count(), nodes }
    }
}

/// A sequence, played.
pub struct Played {
    pub name: &'static str,
    pub scope: Scope,
    pub frames: usize,
    /// Frames with changes of topology.
    pub events: Vec<usize>,
    pub lines: Vec<Line>,
    pub anew: Vec<Anew>,
    pub memory: Memory,
    pub boxes: Boxes,
    pub between: Between,
    /// The last frame of the peers.
    pub world: World,
}

impl Played {
    pub fn line(&self, kind: Kind, name: &str) -> &Line {
        let found = self.lines.iter().find(|line| line.kind == kind && line.variant.name == name);
        found.expect("every variant plays every sequence")
    }
}

/// The time of a scene made of all bodies at the end of a frame. Its trees have no sweep, which would take longer.
fn anew(world: &World) -> f64 {
    let meshes: Vec<_> = world.meshes(false).flatten().collect();
    let options = SceneOptions { construction: Construction::Median, ..SceneOptions::default() };
    let (milliseconds, _) = timed(|| {
        let mut scene = Scene::new(options);
        for mesh in meshes {
            scene.add(mesh, &BodyOptions::default()).expect("the sequence has valid meshes");
        }
        scene.update(Interval::End, &Tasks::inline());
        scene
    });
    milliseconds
}

/// Plays a sequence.
pub fn play(name: &'static str, scope: Scope, two_threads: &Tasks, progress: &dyn Fn(&str)) -> Played {
    let mut sequence = sequences::named(name, 1.0);
    let frames = sequence.frames();
    let line = |variant: Variant, kind: Kind| {
        let wide = [DEFAULT, variants::TWO_THREADS].contains(&variant.name);
        Line {
            variant,
            kind,
            frames: if wide { &scope.all } else { &scope.variants }.clone(),
            times: vec![],
            lost: 0,
            invented: 0,
            player: None,
        }
    };
    let mut lines: Vec<Line> =
        variants::all().into_iter().flat_map(|variant| Kind::ALL.map(|kind| line(variant, kind))).collect();
    let (mut boxes, mut between) = (Boxes::new(boxes::trees()), Between::new());
    let (mut events, mut all_anew, mut memory) = (vec![], vec![], Memory::default());
    let (mut world, mut last) = (World::default(), World::default());
    let mut said: Option<Instant> = None;
    for frame in 0..scope.all.end.min(frames) {
        let orders = Orders::from(sequence.next().expect("the sequence has as many frames as it says"));
        world.apply(&orders);
        if !scope.all.contains(&frame) {
            continue;
        }
        if said.is_none_or(|said| said.elapsed() > Duration::from_secs(5)) {
            said = Some(Instant::now());
            progress(&format!("{name}, {frame} of {} frames", scope.all.end));
        }
        let is_event = !orders.changes.is_empty() && frame > scope.all.start;
        // Each time another one first.
        for turn in 0..lines.len() {
            let k = (turn + frame) % lines.len();
            if lines[k].frames.contains(&frame) {
                lines[k].step(frame, &orders, &world, two_threads);
            }
        }
        Kind::ALL.into_iter().for_each(|kind| compare(&mut lines, kind, frame));
        // Memory for the others; that of the default is measured at the end.
        let is_done = |line: &&mut Line| frame + 1 == line.frames.end && line.variant.name != DEFAULT;
        lines.iter_mut().filter(is_done).for_each(|line| line.player = None);
        if is_event {
            events.push(frame);
            all_anew.push(Anew { frame, milliseconds: anew(&world) });
        }
        if scope.peers.contains(&frame) {
            let first = frame == scope.peers.start;
            boxes.step(&world, first || is_event, !first && is_event);
            between.step(&orders, &world, first, !first && is_event);
        }
        if frame + 1 == scope.peers.end {
            last = world.clone();
        }
    }
    if let Some(Line { player: Some(player), .. }) = lines.iter().find(|line| line.variant.name == DEFAULT) {
        memory = Memory::of(&player.scene);
    }
    lines.iter_mut().for_each(|line| line.player = None);
    Played { name, scope, frames, events, lines, anew: all_anew, memory, boxes, between, world: last }
}

/// Counts what a frame of each variant lost of what cones off found.
fn compare(lines: &mut [Line], kind: Kind, frame: usize) {
    let keys = |line: &Line| line.player.as_ref().map(found::keys);
    let is_here = |line: &Line| line.kind == kind && line.frames.contains(&frame);
    let Some(wanted) = lines.iter().find(|line| is_here(line) && line.variant.name == OFF).and_then(keys) else {
        return;
    };
    for line in lines.iter_mut().filter(|line| is_here(line) && line.variant.name != OFF) {
        let Some(found): Option<Vec<Key>> = keys(line) else { continue };
        line.lost += found::missing(&wanted, &found);
        line.invented += found::missing(&found, &wanted);
    }
}
