//! What must be shown, and whether it is: ratios within this run.

use crate::accuracy::PUSHES;
use crate::common::stage::Moment;
use crate::library::Kind;
use crate::timing::{Row, Scene};

/// One line of the table.
#[derive(Clone)]
pub struct Goal {
    pub what: String,
    pub reached: f64,
    pub wanted: f64,
    pub bound: Bound,
    pub unit: &'static str,
}

/// Which way is better.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    AtLeast,
    AtMost,
}

impl Goal {
    pub fn at_least(what: impl Into<String>, reached: f64, wanted: f64, unit: &'static str) -> Self {
        Self { what: what.into(), reached, wanted, bound: Bound::AtLeast, unit }
    }
    pub fn at_most(what: impl Into<String>, reached: f64, wanted: f64, unit: &'static str) -> Self {
        Self { what: what.into(), reached, wanted, bound: Bound::AtMost, unit }
    }

    /// What could not be measured is not met.
    pub fn met(&self) -> bool {
        match self.bound {
            Bound::AtLeast => self.reached >= self.wanted,
            Bound::AtMost => self.reached <= self.wanted,
        }
    }

    /// `met`, or by how much it is missed.
    pub fn verdict(&self) -> String {
        let short = match self.bound {
            _ if self.met() => return "met".into(),
            Bound::AtLeast => self.wanted / self.reached,
            Bound::AtMost if self.wanted > 0.0 => self.reached / self.wanted,
            Bound::AtMost => return format!("missed by {}", self.reached),
        };
        format!("missed by a factor of {short:.2}")
    }

    pub fn sign(&self) -> &'static str {
        if self.bound == Bound::AtLeast { "≥" } else { "≤" }
    }
}

impl Scene {
    fn ours(&self) -> &Row {
        self.rows.iter().find(|row| row.kind == Kind::Ours).expect("ours takes part")
    }

    /// The fastest peer of some kinds in something.
    pub fn fastest(&self, kinds: &[Kind], time: impl Fn(&Row) -> f64) -> (&'static str, f64) {
        let peers = self.rows.iter().filter(|row| kinds.contains(&row.kind)).map(|row| (row.name, time(row)));
        peers.min_by(|a, b| a.1.total_cmp(&b.1)).expect("peers of each kind take part")
    }

    /// How many times faster than the fastest peer of a kind a pass is.
    fn against(&self, kind: Kind, moment: Moment, wanted: f64) -> Goal {
        let time = |row: &Row| row.passes[moment as usize].least;
        let (peer, least) = self.fastest(&[kind], time);
        let what = format!("{}, {}: query against {peer}", self.name, moment.name());
        Goal::at_least(what, least / time(self.ours()), wanted, "times faster")
    }
}

/// Of the scenes; those of the studies come from there.
pub fn of(scenes: &[Scene]) -> Vec<Goal> {
    use Moment::{JustFractured, Rubble, Settling};
    let mut goals = vec![];
    for scene in scenes {
        let (peer, least) = scene.fastest(&[Kind::Hull, Kind::Mesh], |row| row.ready.both.least());
        let ready = scene.ours().ready.both.least();
        goals.push(Goal::at_least(format!("{}: ready against {peer}", scene.name), least / ready, 3.0, "times faster"));
        if scene.name == "rabbit" {
            goals.push(Goal::at_most("rabbit: ready", ready, 1.5, "ms"));
        }
    }
    for scene in scenes.iter().filter(|scene| !scene.rough) {
        goals.extend([JustFractured, Settling, Rubble].map(|moment| scene.against(Kind::Mesh, moment, 15.0)));
        goals.extend([JustFractured, Settling].map(|moment| scene.against(Kind::Hull, moment, 1.0)));
    }
    for scene in scenes.iter().filter(|scene| scene.rough) {
        goals.extend([JustFractured, Settling, Rubble].map(|moment| scene.against(Kind::Mesh, moment, 5.0)));
    }
    for scene in scenes {
        let accuracy = &scene.ours().accuracy;
        let sum = |of: fn(&crate::accuracy::Judgement) -> usize| accuracy.moments.iter().map(of).sum::<usize>() as f64;
        goals.push(Goal::at_most(format!("{}: pairs missed", scene.name), sum(|m| m.missed), 0.0, "pairs"));
        goals.push(Goal::at_most(format!("{}: phantom pairs", scene.name), sum(|m| m.phantoms), 0.0, "pairs"));
        for (push, share) in accuracy.pushes.iter().zip(PUSHES) {
            let pushed = format!("{}, pushed by {} %: depth error", scene.name, share * 100.0);
            goals.push(Goal::at_most(format!("{pushed}, mean"), push.mean() * 100.0, 0.1, "% of the radius"));
            goals.push(Goal::at_most(
                format!("{pushed}, 99 of 100"),
                push.nearly_worst() * 100.0,
                0.3,
                "% of the radius",
            ));
        }
    }
    goals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_say_by_how_much() {
        assert_eq!(Goal::at_least("", 3.0, 3.0, "").verdict(), "met");
        assert_eq!(Goal::at_least("", 2.0, 3.0, "").verdict(), "missed by a factor of 1.50");
        assert_eq!(Goal::at_most("", 3.0, 1.5, "").verdict(), "missed by a factor of 2.00");
        assert_eq!(Goal::at_most("", 2.0, 0.0, "").verdict(), "missed by 2");
        assert_ne!(Goal::at_most("", f64::NAN, 1.0, "").verdict(), "met");
    }
}
