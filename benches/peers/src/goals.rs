//! What must be shown, and whether it is: ratios within this run.

use crate::accuracy::{Accuracy, PUSHES};
use crate::common::stage::Moment;
use crate::frames::FrameKind;
use crate::library::Kind;
use crate::ours::SHORTEST;
use crate::timing::{Row, Scene};

/// One figure of a topic.
#[derive(Clone)]
pub struct Goal {
    pub topic: Topic,
    pub what: String,
    pub reached: f64,
    pub wanted: f64,
    pub bound: Bound,
    pub unit: &'static str,
}

/// The lines of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    Ready,
    After,
    AtRest,
    Moving,
    Rough,
    Rubble,
    Accuracy,
    Independent,
    Update,
    Sphere,
    Growth,
    Threads,
    DeformTime,
    DeformEvents,
    DeformExact,
    DeformMetric,
    DeformPeers,
    SoftPeers,
    SoftGrowth,
    SoftHaptics,
    VoxPaper,
}

impl Topic {
    pub const ALL: [Self; 21] = [
        Self::Ready,
        Self::After,
        Self::AtRest,
        Self::Moving,
        Self::Rough,
        Self::Rubble,
        Self::Accuracy,
        Self::Independent,
        Self::Update,
        Self::Sphere,
        Self::Growth,
        Self::Threads,
        Self::DeformTime,
        Self::DeformEvents,
        Self::DeformExact,
        Self::DeformMetric,
        Self::DeformPeers,
        Self::SoftPeers,
        Self::SoftGrowth,
        Self::SoftHaptics,
        Self::VoxPaper,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Ready => {
                "ready, with all that later queries need: no longer than PhysX's hulls, 1.5 times Bullet's of 42"
            }
            Self::After => {
                "after a break: worst of ten frames at most 3 times the mean of the next; joined pieces, shells, holes at most twice the price"
            }
            Self::AtRest => "just fractured: 1.2 times faster than the fastest hulls",
            Self::Moving => {
                "just apart and settling, smooth: Bullet's hulls of 42 no faster, PhysX's at most twice, FCL's meshes 8 times slower"
            }
            Self::Rough => "the same, rough: Bullet's hulls of 42 at most twice as fast, FCL's meshes 5 times slower",
            Self::Rubble => "rubble: 0.8 times as fast as Bullet's hulls of 42, never slower than FCL's meshes",
            Self::Accuracy => {
                "accuracy by the shortest way, our surfaces: no pair missed or invented; depths within 0.02 %, 99 of 100 within 0.1 %"
            }
            Self::Independent => "accuracy, independently cut fragments: the same",
            Self::Update => "update: 10 times faster than anew, at most 1.3 times the spheres",
            Self::Sphere => "the paper's sphere: update within 0.5 ms, step within 0.12 ms",
            Self::Growth => "growth: linear in nodes; queries at rest alike; 10,000 fragments",
            Self::Threads => "two threads: 85 % efficient",
            Self::DeformTime => "deforming meshes: below a fifth of the paper's times",
            Self::DeformEvents => {
                "deforming meshes, events: update 5 times, frame 1.5 times faster than anew by medians"
            }
            Self::DeformExact => "deforming meshes: no pair lost or invented by cones with contours",
            Self::DeformMetric => "traversal costs go with overlap tests: correlation 0.3 between bodies, 0.1 within",
            Self::DeformPeers => "deforming meshes: first impact 5 times faster than ipctk",
            Self::SoftPeers => {
                "soft bodies: step with depths of all nodes, query of colliding nodes, no slower than the fastest exact peer"
            }
            Self::SoftGrowth => "soft bodies: CFFM linear in tetrahedra, response in colliding ones",
            Self::SoftHaptics => "soft bodies: haptic step within 1 ms",
            Self::VoxPaper => {
                "contacts under a budget: errors fall with each level, weights beat averages (figures 7, 8); no budget exceeded; trees linear"
            }
        }
    }

    /// How many of its goals are met, of how many, and the one that is missed most. Nothing if none was measured.
    pub fn summary(self, goals: &[Goal]) -> Option<(usize, usize, Option<&Goal>)> {
        let own = || goals.iter().filter(|goal| goal.topic == self);
        let worst = own().filter(|goal| !goal.met()).max_by(|a, b| a.shortfall().total_cmp(&b.shortfall()));
        Some((own().filter(|goal| goal.met()).count(), own().count(), worst)).filter(|(_, count, _)| *count > 0)
    }
}

/// Which way is better.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    AtLeast,
    AtMost,
}

impl Goal {
    pub fn at_least(topic: Topic, what: impl Into<String>, reached: f64, wanted: f64, unit: &'static str) -> Self {
        Self { topic, what: what.into(), reached, wanted, bound: Bound::AtLeast, unit }
    }
    pub fn at_most(topic: Topic, what: impl Into<String>, reached: f64, wanted: f64, unit: &'static str) -> Self {
        Self { topic, what: what.into(), reached, wanted, bound: Bound::AtMost, unit }
    }

    /// What could not be measured is not met.
    pub fn met(&self) -> bool {
        match self.bound {
            Bound::AtLeast => self.reached >= self.wanted,
            Bound::AtMost => self.reached <= self.wanted,
        }
    }

    /// The factor by which it is missed; infinite if there should be nothing.
    fn shortfall(&self) -> f64 {
        match self.bound {
            Bound::AtLeast => self.wanted / self.reached,
            Bound::AtMost => self.reached / self.wanted,
        }
    }

    /// `met`, or by how much it is missed.
    pub fn verdict(&self) -> String {
        match self.shortfall() {
            _ if self.met() => "met".into(),
            factor if factor.is_finite() => format!("missed by a factor of {factor:.2}"),
            _ => format!("missed by {}", self.reached),
        }
    }

    pub fn sign(&self) -> &'static str {
        if self.bound == Bound::AtLeast { "≥" } else { "≤" }
    }
}

impl Scene {
    fn ours(&self) -> &Row {
        self.rows.iter().find(|row| row.kind == Kind::Ours).expect("ours takes part")
    }

    fn row(&self, name: &str) -> &Row {
        self.rows.iter().find(|row| row.name == name).expect("every library takes part")
    }

    /// The fastest peer of some kinds in something.
    pub fn fastest(&self, kinds: &[Kind], time: impl Fn(&Row) -> f64) -> (&'static str, f64) {
        let peers = self.rows.iter().filter(|row| kinds.contains(&row.kind)).map(|row| (row.name, time(row)));
        peers.min_by(|a, b| a.1.total_cmp(&b.1)).expect("peers of each kind take part")
    }

    /// How many times faster than a peer the pass is of some kinds of frames that gains least.
    fn against(&self, topic: Topic, peer: &str, kinds: impl Iterator<Item = FrameKind>, wanted: f64) -> Goal {
        let peers = self.row(peer);
        let gain = |kind: FrameKind| peers.passes[kind.index()].least / self.ours().passes[kind.index()].least;
        let (least, kind) = kinds
            .map(|kind| (gain(kind), kind))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .expect("there are frames of these kinds");
        let what = format!("{}, {}: query against {peer}", self.name, kind.name());
        Goal::at_least(topic, what, least, wanted, "times faster")
    }
}

/// Peers that queries are measured by.
const BULLET: &str = "Bullet hulls of 42";
const PHYSX: &str = "PhysX hulls";
const FCL: &str = "FCL, 8 contacts";

/// Of the scenes; those of the studies come from there.
pub fn of(scenes: &[Scene]) -> Vec<Goal> {
    let mut goals = vec![];
    for scene in scenes {
        for (peer, most) in [(PHYSX, 1.0), (BULLET, 1.5)] {
            let times = scene.ours().ready.both.least() / scene.row(peer).ready.both.least();
            let what = format!("{}: event, all that is prepared, and first pass, of {peer}", scene.name);
            goals.push(Goal::at_most(Topic::Ready, what, times, most, "times"));
        }
    }
    let of = |moment: Moment| std::iter::once(FrameKind::Of(moment));
    let moving = || of(Moment::Settling).chain(FrameKind::just_apart());
    for scene in scenes {
        let just = |row: &Row| row.passes[FrameKind::Of(Moment::JustFractured).index()].least;
        let peer = scene.fastest(&[Kind::Hull], just).0;
        goals.push(scene.against(Topic::AtRest, peer, of(Moment::JustFractured), 1.2));
        match scene.rough {
            false => goals.extend([
                scene.against(Topic::Moving, BULLET, moving(), 1.0),
                scene.against(Topic::Moving, PHYSX, moving(), 0.5),
                scene.against(Topic::Moving, FCL, moving(), 8.0),
            ]),
            true => goals.extend([
                scene.against(Topic::Rough, BULLET, moving(), 0.5),
                scene.against(Topic::Rough, FCL, moving(), 5.0),
            ]),
        }
        goals.push(scene.against(Topic::Rubble, BULLET, of(Moment::Rubble), 0.8));
        goals.push(scene.against(Topic::Rubble, FCL, of(Moment::Rubble), 1.0));
    }
    for scene in scenes {
        goals.extend(accurate(scene, Topic::Accuracy, &scene.row(SHORTEST).accuracy[0]));
        if scene.source.is_independent() {
            goals.extend(accurate(scene, Topic::Independent, &scene.row(SHORTEST).accuracy[1]));
        }
    }
    goals
}

/// What depths and pairs must be, by one set of surfaces.
fn accurate(scene: &Scene, topic: Topic, accuracy: &Accuracy) -> Vec<Goal> {
    let by = if topic == Topic::Independent { ", cut independently" } else { "" };
    let name = format!("{}{by}", scene.name);
    let mut goals = vec![];
    for (frames, found) in [("", accuracy.moments()), (" just apart", accuracy.just_apart())] {
        let counts = [("pairs missed", found.missed), ("phantom pairs", found.phantoms)];
        goals.extend(
            counts.map(|(what, n)| Goal::at_most(topic, format!("{name}: {what}{frames}"), n as f64, 0.0, "pairs")),
        );
    }
    for (push, share) in accuracy.pushes.iter().zip(PUSHES) {
        let pushed = format!("{name}, pushed by {} %: depth error", share * 100.0);
        let bounds = [("mean", push.mean(), 0.02), ("99 of 100", push.nearly_worst(), 0.1)];
        goals.extend(bounds.map(|(what, reached, wanted)| {
            Goal::at_most(topic, format!("{pushed}, {what}"), reached * 100.0, wanted, "% of the radius")
        }));
    }
    goals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_say_by_how_much() {
        let goal = Goal::at_least;
        assert_eq!(goal(Topic::Ready, "", 3.0, 3.0, "").verdict(), "met");
        assert_eq!(goal(Topic::Ready, "", 2.0, 3.0, "").verdict(), "missed by a factor of 1.50");
        let goal = Goal::at_most;
        assert_eq!(goal(Topic::Ready, "", 3.0, 1.5, "").verdict(), "missed by a factor of 2.00");
        assert_eq!(goal(Topic::Ready, "", 2.0, 0.0, "").verdict(), "missed by 2");
        assert_ne!(goal(Topic::Ready, "", f64::NAN, 1.0, "").verdict(), "met");
        let goals = [2.0, 0.5, 4.0].map(|reached| goal(Topic::Sphere, "", reached, 1.0, ""));
        let (met, count, worst) = Topic::Sphere.summary(&goals).unwrap();
        assert_eq!((met, count, worst.map(|goal| goal.reached)), (1, 3, Some(4.0)));
        assert!(Topic::Growth.summary(&goals).is_none());
    }
}
