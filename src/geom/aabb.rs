//! Axis-aligned boxes.

use crate::geom::{Point, Pose, Vector};

/// An axis-aligned box. The empty box has `min > max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Lowest corner.
    pub min: Point,
    /// Highest corner.
    pub max: Point,
}

impl Aabb {
    /// The box that holds nothing; growing it by a point gives that point.
    pub const EMPTY: Self = Self {
        min: Point::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        max: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// The box that holds everything.
    pub const ALL: Self = Self { min: Self::EMPTY.max, max: Self::EMPTY.min };

    /// The smallest box around some points.
    pub fn around<'a>(points: impl IntoIterator<Item = &'a Point>) -> Self {
        let mut result = Self::EMPTY;
        points.into_iter().for_each(|p| result.grow(p));
        result
    }

    /// Extends the box to hold `p`.
    pub fn grow(&mut self, p: &Point) {
        // Plain selections are one instruction each; the library's minimum takes care of NaN and costs several.
        for k in 0..3 {
            self.min[k] = if p[k] < self.min[k] { p[k] } else { self.min[k] };
            self.max[k] = if p[k] > self.max[k] { p[k] } else { self.max[k] };
        }
    }

    /// The box with all its sides moved outwards.
    pub fn grown(&self, by: f64) -> Self {
        Self { min: self.min.map(|c| c - by), max: self.max.map(|c| c + by) }
    }

    /// Whether two boxes have something in common.
    pub fn meets(&self, other: &Self) -> bool {
        (0..3).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }

    /// Whether nothing was ever put into it.
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// Edge lengths.
    pub fn size(&self) -> Vector {
        self.max - self.min
    }

    /// The corners: bit k of the number is the side along axis k.
    pub fn corners(&self) -> [Point; 8] {
        let side = |corner: usize, k: usize| if corner >> k & 1 == 0 { self.min[k] } else { self.max[k] };
        std::array::from_fn(|corner| Point::new(side(corner, 0), side(corner, 1), side(corner, 2)))
    }

    /// The box around it in a pose.
    pub fn placed(&self, pose: &Pose) -> Self {
        Self::around(&self.corners().map(|corner| pose * corner))
    }

    /// The middle.
    pub fn centre(&self) -> Point {
        nalgebra::center(&self.min, &self.max)
    }

    /// Half the diagonal: the radius to which relative lengths refer throughout.
    pub fn radius(&self) -> f64 {
        0.5 * self.size().norm()
    }

    /// Whether `p` lies in the closed box.
    pub fn contains(&self, p: &Point) -> bool {
        (0..3).all(|k| self.min[k] <= p[k] && p[k] <= self.max[k])
    }
}
