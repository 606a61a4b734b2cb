//! The frames that are timed: those of the stage, and fragments just apart.

use crate::common::stage::{Frame, JustApart, Moment, Stage};
use crate::timing::Plan;
use fracas::Object;

/// How far fragments are just apart, as shares of the radius.
pub const SHARES: [f64; 6] = [0.0001, 0.001, 0.003, 0.005, 0.01, 0.02];

/// A kind of frames. Numbers are indices into [`SHARES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameKind {
    Of(Moment),
    /// See [`JustApart`].
    Expanded(usize),
    Moved(usize),
}

impl FrameKind {
    pub const COUNT: usize = Moment::ALL.len() + 2 * SHARES.len();
    pub const MOMENTS: usize = Moment::ALL.len();

    /// The moments first.
    pub fn all() -> impl Iterator<Item = Self> {
        Moment::ALL.into_iter().map(Self::Of).chain(Self::just_apart())
    }

    pub fn just_apart() -> impl Iterator<Item = Self> {
        (0..SHARES.len()).map(Self::Expanded).chain((0..SHARES.len()).map(Self::Moved))
    }

    pub fn index(self) -> usize {
        match self {
            Self::Of(moment) => moment as usize,
            Self::Expanded(share) => Self::MOMENTS + share,
            Self::Moved(share) => Self::MOMENTS + SHARES.len() + share,
        }
    }

    pub fn name(self) -> String {
        match self {
            Self::Of(moment) => moment.name().into(),
            Self::Expanded(share) => JustApart::Expanded(SHARES[share]).name(),
            Self::Moved(share) => JustApart::Moved(SHARES[share]).name(),
        }
    }

    /// How many different frames are taken.
    pub fn count(self, plan: &Plan) -> u64 {
        let all = match self {
            Self::Of(moment) => moment.frames(),
            Self::Expanded(_) | Self::Moved(_) => 1,
        };
        if plan.quick { all.div_ceil(8) } else { all }
    }

    pub fn frame(self, stage: &Stage, pieces: &[Object], number: u64) -> Frame {
        match self {
            Self::Of(moment) => stage.frame(pieces, moment, number),
            Self::Expanded(share) => JustApart::Expanded(SHARES[share]).frame(stage, pieces, number),
            Self::Moved(share) => JustApart::Moved(SHARES[share]).frame(stage, pieces, number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::scenes::intact;
    use fracas::shapes;

    #[test]
    fn kinds_are_numbered_in_order() {
        assert_eq!(FrameKind::all().count(), FrameKind::COUNT);
        assert!(FrameKind::all().enumerate().all(|(k, kind)| kind.index() == k));
        assert_eq!(FrameKind::Moved(2).name(), "moved by 0.3 %");
    }

    #[test]
    fn fragments_move_by_their_share() {
        let stage = Stage::named("ball", &intact(shapes::ball(0.1, 8)), false);
        let pieces = stage.broken();
        let shifts = |kind: FrameKind| {
            let frame = kind.frame(&stage, &pieces, 0);
            frame.poses.iter().map(|pose| pose.translation.vector.norm() / stage.radius()).collect::<Vec<f64>>()
        };
        assert!(shifts(FrameKind::Moved(5)).iter().all(|shift| (shift - 0.02).abs() < 1e-12));
        assert!(shifts(FrameKind::Expanded(5)).iter().all(|shift| *shift > 0.001 && *shift < 0.02));
    }
}
