//! Motion of two bodies over a step, and how long they certainly do not touch.
//!
//! A body's centre of mass moves on a straight line, and the body turns about it at constant angular velocity. Time goes from
//! 0 to 1 over the step; velocities are per step.
//!
//! Conservative advancement (Mirtich 1996; Zhang et al. 2006) divides a gap along a direction by an upper bound of the closing
//! speed. Here the bound is of second order. For a unit direction n and a point x of a body with velocity v, angular
//! velocity w and centre c,
//!
//! ```text
//! n·x(h) >= x·(n + h n×w) + h (n·v - c·(n×w)) - h²/2 |n×w| |w| r
//! ```
//!
//! with r the largest distance of the body from the axis through c. The least value over all points is one evaluation of the
//! support function, along n + h n×w. So the gap along n after the time h is at least a concave function of h, whose root tangents
//! and chords find: close to contact, a step leaves a gap of second order.

use crate::convex::support::Support;
use crate::geom::pinned::{rotation, scaled_axis};
use crate::geom::{Point, Pose, Vector};
use nalgebra::UnitQuaternion;

/// Rounds of tangent and chord per root. Mostly one or two suffice.
const ROUNDS: usize = 6;
/// Steps below this share of the time are near contact.
const SMALL_STEP: f64 = 0.02;

/// Linear and angular velocity of a body, per second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Of the centre of mass, in metres per second.
    pub linear: [f64; 3],
    /// In radians per second, in world axes.
    pub angular: [f64; 3],
}

impl Motion {
    pub(super) fn is_finite(&self) -> bool {
        self.linear.iter().chain(&self.angular).all(|c| c.is_finite())
    }
}

/// The way of one body over a step. World positions are relative to an origin of the pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    start: UnitQuaternion<f64>,
    /// What it turns about: in its own frame, and in the world at the start.
    pivot: Point,
    from: Vector,
    /// Per step.
    pub linear: Vector,
    pub angular: Vector,
}

/// Upper bound of how far points of two bodies near each other in a step, where the first may touch the other: within `reach` of the pivot of
/// the first. Bodies that move as one do not near each other at all.
pub(super) fn closing_way(paths: [&Path; 2], reach: f64) -> f64 {
    let at = paths[0].from;
    let [own, other] = paths.map(|path| path.way_of(&at));
    (own - other).norm() + reach * (paths[0].angular - paths[1].angular).norm()
}

impl Path {
    fn from(pivot: &Point, pose: &Pose, origin: &Vector) -> Self {
        let start = unit(&pose.rotation);
        let from = pose.translation.vector - origin + start * pivot.coords;
        Self { start, pivot: *pivot, from, linear: Vector::zeros(), angular: Vector::zeros() }
    }

    /// From a pose to another one, by the smaller angle.
    pub fn between(pivot: &Point, [start, end]: [&Pose; 2], origin: &Vector) -> Self {
        let (path, last) = (Self::from(pivot, start, origin), Self::from(pivot, end, origin));
        let angular = scaled_axis(&(last.start * path.start.inverse()));
        Self { linear: last.from - path.from, angular, ..path }
    }

    /// From a pose with constant velocities.
    pub fn moving(pivot: &Point, pose: &Pose, motion: &Motion, seconds: f64, origin: &Vector) -> Self {
        let [linear, angular] = [motion.linear, motion.angular].map(|velocity| Vector::from(velocity) * seconds);
        Self { linear, angular, ..Self::from(pivot, pose, origin) }
    }

    /// From the same pose with other velocities, linear and angular.
    pub fn with(&self, [linear, angular]: [Vector; 2]) -> Self {
        Self { linear, angular, ..*self }
    }

    /// The pose at a time, relative to the origin.
    pub fn at(&self, t: f64) -> Pose {
        let turn = rotation(&(self.angular * t)) * self.start;
        let centre = self.from + self.linear * t;
        Pose::from_parts((centre - turn * self.pivot.coords).into(), turn)
    }

    /// How far a point of the body goes, at first in a straight line.
    pub fn way_of(&self, point: &Vector) -> Vector {
        self.linear + self.angular.cross(&(point - self.from))
    }

    /// The pivot in the world at a time.
    pub fn centre(&self, t: f64) -> Vector {
        self.from + self.linear * t
    }
}

fn unit(rotation: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(rotation.into_inner())
}

/// Size of a body about its pivot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    /// Largest distance from the pivot,
    pub radius: f64,
    /// and from the axis that it turns about.
    pub across: f64,
}

impl Size {
    /// No end: of a half-space.
    pub const ENDLESS: Self = Self { radius: f64::INFINITY, across: f64::INFINITY };

    /// Of a box with a middle and half extents in the body's frame; `axis` is in the same frame.
    pub fn of_box(middle: &Point, half: &Vector, pivot: &Point, axis: &Vector) -> Self {
        let unit = axis.try_normalize(0.0).unwrap_or_default();
        let corner = |k: usize| {
            let side = Vector::from_fn(|i, _| if k >> i & 1 == 0 { -half[i] } else { half[i] });
            middle - pivot + side
        };
        let most = |length: &dyn Fn(Vector) -> f64| (0..8).map(|k| length(corner(k))).fold(0.0, f64::max);
        let radius = most(&|at| at.norm());
        Self { radius, across: if unit == Vector::zeros() { radius } else { most(&|at| at.cross(&unit).norm()) } }
    }
}

/// How two bodies A and B close in on each other from some time on. All vectors are in the frame of A at that time.
pub(super) struct Closing {
    /// Velocity of A's pivot less that of B's.
    linear: Vector,
    /// Angular velocities.
    turns: [Vector; 2],
    /// Pivots.
    pivots: [Vector; 2],
    sizes: [Size; 2],
    /// Time that is left.
    left: f64,
    /// Whether the two turn about alike, as fragments of a body that broke: then B's frame tells more than the world's.
    turn_alike: bool,
}

/// Lower bound of the gap along a direction as a function of time: see the top of the file.
struct Gap<'q, A, B> {
    of: (&'q A, &'q B),
    normal: Vector,
    /// Change of the direction in which either body is looked at.
    swing: [Vector; 2],
    rate: f64,
    curve: f64,
    less: f64,
}

/// A time, the gap then, and its slope.
type Look = (f64, f64, f64);

impl<A: Support, B: Support> Gap<'_, A, B> {
    fn at(&self, h: f64) -> Look {
        let [to_a, to_b] = self.swing.map(|swing| self.normal + swing * h);
        let (p, q) = (self.of.0.farthest(&-to_a.normalize()).0, self.of.1.farthest(&to_b.normalize()).0);
        let gap = p.coords.dot(&to_a) - q.coords.dot(&to_b) + h * (self.rate - 0.5 * self.curve * h) - self.less;
        let [of_a, of_b] = [p.coords.dot(&self.swing[0]), q.coords.dot(&self.swing[1])];
        (h, gap, of_a - of_b + self.rate - self.curve * h)
    }

    /// A time up to which the gap is not negative, about the largest; no more than `most`.
    fn root(&self, most: f64, enough: f64) -> f64 {
        if self.curve == f64::INFINITY {
            return 0.0;
        }
        // Leeway for rounding: less than what is kept as a gap by far.
        let zero = -0.01 * enough;
        let end = self.at(most);
        if end.1 >= zero {
            return most;
        }
        let (mut low, mut high) = (self.at(0.0), end);
        if low.1 <= 0.0 {
            return 0.0;
        }
        for _ in 0..ROUNDS {
            // The function is concave: tangents are above it, chords below.
            if low.2 < 0.0 {
                let tangent = low.0 - low.1 / low.2;
                if tangent > low.0 && tangent < high.0 {
                    let look = self.at(tangent);
                    *(if look.1 >= zero { &mut low } else { &mut high }) = look;
                }
            }
            if low.1 <= enough || high.1 >= low.1 {
                break;
            }
            let chord = low.0 + (high.0 - low.0) * (low.1 / (low.1 - high.1));
            let look = self.at(chord);
            if look.1 < zero || look.0 <= low.0 {
                break;
            }
            low = look;
            if low.1 <= enough {
                break;
            }
        }
        low.0
    }
}

impl Closing {
    /// At a time `t`, for A in `pose`.
    pub fn new([a, b]: [&Path; 2], pose: &Pose, sizes: [Size; 2], t: f64) -> Self {
        let into = |v: Vector| pose.rotation.inverse_transform_vector(&v);
        let turns = [a.angular, b.angular].map(into);
        let pivots = [a, b].map(|path| into(path.centre(t) - pose.translation.vector));
        let alike = (turns[0] - turns[1]).norm() < 0.5 * (turns[0].norm() + turns[1].norm());
        let turn_alike = turns[1] != Vector::zeros() && (alike || sizes[1].across == f64::INFINITY);
        Self { linear: into(a.linear - b.linear), turns, pivots, sizes, left: 1.0 - t, turn_alike }
    }

    /// Acceleration of a body's points in the frame of the other, `of`, at most:
    /// |u x (w' x r) - w x (u x r) + w x (w x c) - 2 w x v|, with w and w' the angular velocities, u = w' - w, and c and v from the
    /// pivot of the other to its own.
    fn curve_in(&self, of: usize) -> f64 {
        let (own, other) = (&self.turns[1 - of], &self.turns[of]);
        let sign = if of == 1 { 1.0 } else { -1.0 };
        let between = (self.pivots[0] - self.pivots[1]) * sign;
        let turning = Self::times((own - other).norm() * (own.norm() + other.norm()), self.sizes[1 - of].radius);
        let carried = other.cross(&other.cross(&between)) - other.cross(&self.linear) * (2.0 * sign);
        turning + carried.norm() + other.norm_squared() * self.linear.norm() * self.left
    }

    /// Velocity of A's pivot less that of B's, in the frame of a body.
    fn linear_in(&self, of: usize) -> Vector {
        self.linear - self.turns[of].cross(&(self.pivots[0] - self.pivots[1]))
    }

    /// Product of a rate and a size that may be infinite.
    fn times(rate: f64, size: f64) -> f64 {
        if rate == 0.0 { 0.0 } else { rate * size }
    }

    /// Upper bound of the speed at which the bodies close in along a unit direction, from B to A, in the time that is left.
    pub fn speed(&self, normal: &Vector) -> f64 {
        let turning = |k: usize| Self::times(normal.cross(&self.turns[k]).norm(), self.sizes[k].across);
        let in_world = turning(0) + turning(1) - normal.dot(&self.linear);
        if !self.turn_alike {
            return in_world;
        }
        let turning = (self.turns[0] - self.turns[1]).norm() * self.sizes[0].radius;
        in_world.min(turning - normal.dot(&self.linear_in(1)) + self.curve_in(1) * self.left)
    }

    /// Upper bound of the way that the bodies close in by, in the time that is left.
    pub fn way(&self) -> f64 {
        let turning = |k: usize| Self::times(self.turns[k].norm(), self.sizes[k].across);
        (turning(0) + turning(1) + self.linear.norm()) * self.left
    }

    /// Speed at which two touching points part along the normal; negative if they close in.
    pub fn parting(&self, normal: &Vector, [p, q]: &[Point; 2]) -> f64 {
        let [of_a, of_b] = [(0, p), (1, q)].map(|(k, at)| self.turns[k].cross(&(at.coords - self.pivots[k])));
        normal.dot(&(self.linear + of_a - of_b))
    }

    /// A time from now, at most `most`, until which parts of A and of B stay farther apart than `least` along a direction. They are in the
    /// frame of A, as they are now. The gap that is left is about `enough` or less.
    pub fn safe_time<A: Support, B: Support>(
        &self,
        (a, b): (&A, &B),
        normal: &Vector,
        [least, enough]: [f64; 2],
        most: f64,
    ) -> f64 {
        let less = a.margin() + b.margin() + least;
        let swing = self.turns.map(|turn| normal.cross(&turn));
        let curve = |k: usize| Self::times(swing[k].norm() * self.turns[k].norm(), self.sizes[k].across);
        let rate = normal.dot(&self.linear) - self.pivots[0].dot(&swing[0]) + self.pivots[1].dot(&swing[1]);
        let in_world = Gap { of: (a, b), normal: *normal, swing, rate, curve: curve(0) + curve(1), less };
        let mut safe = in_world.root(most, enough);
        // A direction that turns with a body says more where a face of that body is across it, and if both turn alike.
        for of in [0, 1] {
            let curve = self.curve_in(of);
            if safe >= most || self.turns[of] == Vector::zeros() || !self.is_worth_it(safe, in_world.curve, curve) {
                continue;
            }
            let mut swing = [Vector::zeros(); 2];
            swing[1 - of] = normal.cross(&(self.turns[1 - of] - self.turns[of]));
            let rate = normal.dot(&self.linear_in(of)) - self.pivots[0].dot(&swing[0]) + self.pivots[1].dot(&swing[1]);
            let turning = Gap { of: (a, b), normal: *normal, swing, rate, curve, less };
            safe = safe.max(turning.root(most, enough));
        }
        safe
    }

    /// Whether a frame may allow for a later time than the world's, by the curvatures alone.
    fn is_worth_it(&self, safe: f64, in_world: f64, curve: f64) -> bool {
        curve < f64::INFINITY && (self.turn_alike || safe < SMALL_STEP || curve < in_world)
    }
}
