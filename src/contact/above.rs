//! The reliefs of a body (`geom::relief`) in the frame of the samples that a query asks about.
//!
//! A sample is bounded by the relief that it is farthest over: looking at all of them would spare a seventh of the evaluations,
//! and cost as much.

use crate::geom::Local;
use crate::geom::lanes::{LANES, Lanes, PointLanes};
use crate::geom::relief::Relief;
use crate::geom::supports::Around;

/// Reliefs that a query looks at.
const MOST: usize = 8;

/// The reliefs of a body that samples may be over.
pub struct Above<'a> {
    reliefs: [Turned<'a>; MOST],
    count: usize,
}

/// A relief in the frame of the samples.
#[derive(Clone, Copy)]
struct Turned<'a> {
    relief: Option<&'a Relief>,
    /// Height and place along the plane of a sample: products with these, plus the offsets.
    axes: [Local; 3],
    offsets: [f32; 3],
    base: f32,
}

impl<'a> Above<'a> {
    /// No reliefs: nothing is known.
    pub const NONE: Self = Self { reliefs: [Turned::NONE; MOST], count: 0 };

    /// The reliefs of a body for samples at `turn * p + shift` in its frame, but for those that all of `around` is below.
    pub fn new(reliefs: &'a [Relief], turn: &nalgebra::Matrix3<f32>, shift: &Local, around: &Around) -> Self {
        let mut above = Self::NONE;
        for relief in reliefs {
            let up = turn.tr_mul(&relief.axes()[0]);
            let offset = relief.axes()[0].dot(shift) - relief.base();
            let highest = up.dot(around.middle) + up.abs().dot(around.half) + offset;
            if highest > 0.0 && above.count < MOST {
                above.reliefs[above.count] = Turned {
                    relief: Some(relief),
                    axes: relief.axes().map(|axis| turn.tr_mul(&axis)),
                    offsets: relief.axes().map(|axis| axis.dot(shift)),
                    base: relief.base(),
                };
                above.count += 1;
            }
        }
        above
    }

    /// How far samples are over the crack that each is farthest over, as that is without what sticks out of it.
    #[inline]
    pub fn over(&self, points: &PointLanes) -> Lanes {
        let [x, y, z] = &points.at;
        let mut over = [f32::NEG_INFINITY; LANES];
        for above in &self.reliefs[..self.count] {
            let (axis, offset) = (&above.axes[0], above.offsets[0] - above.base);
            for k in 0..LANES {
                let height = axis.x * x[k] + axis.y * y[k] + axis.z * z[k] + offset;
                over[k] = if height > over[k] { height } else { over[k] };
            }
        }
        over
    }

    /// How far a sample is beyond the body, by the relief that it is farthest over; minus infinity where nothing is known.
    /// `reach` is how far around it that holds.
    pub fn beyond(&self, at: &Local, reach: f32) -> f32 {
        let mut farthest = (f32::NEG_INFINITY, None);
        for above in &self.reliefs[..self.count] {
            let height = above.axes[0].dot(at) + above.offsets[0] - above.base;
            if height > farthest.0 {
                farthest = (height, Some(above));
            }
        }
        farthest.1.map_or(f32::NEG_INFINITY, |above| above.beyond(at, reach))
    }
}

impl Turned<'_> {
    const NONE: Self =
        Self { relief: None, axes: [Local::new(0.0, 0.0, 0.0); 3], offsets: [0.0; 3], base: f32::INFINITY };

    #[inline]
    fn beyond(&self, at: &Local, reach: f32) -> f32 {
        let [height, u, v] = [0, 1, 2].map(|k| self.axes[k].dot(at) + self.offsets[k]);
        let above = self.relief.and_then(|relief| relief.above(height, [u, v], reach));
        above.map_or(f32::NEG_INFINITY, |above| -above)
    }
}
