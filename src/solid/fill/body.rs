//! What is to be filled: a body that knows how deep points are in it, and its surface.
//!
//! A surface is made of *patches*: smooth regions. Where two of them meet in a sharp edge is a *curve*, and where curves
//! meet is a *corner*. A node of the mesh sits on one of them, and may be moved only there.

use crate::geom::aabb::Aabb;
use crate::geom::pinned::powi;
use crate::geom::{Point, Vector};
use crate::tasks::Tasks;

/// Where a node sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// Inside the body, free.
    Inside,
    /// On this patch.
    Patch(u32),
    /// On this curve.
    Curve(u32),
    /// On this corner.
    Corner(u32),
}

impl Seat {
    /// The patches that meet there; none inside.
    pub fn patches<'a>(&'a self, body: &'a dyn Body) -> &'a [u32] {
        match self {
            Self::Inside => &[],
            Self::Patch(k) => std::slice::from_ref(k),
            Self::Curve(k) => &body.curves()[*k as usize].patches,
            Self::Corner(k) => &body.corners()[*k as usize].0.patches,
        }
    }
}

/// A curve between two patches, or a corner between several.
#[derive(Clone, Debug, Default)]
pub(super) struct Sharp {
    /// The patches that meet there, ascending.
    pub patches: Vec<u32>,
}

/// The connected parts of a surface: its triangles, joined at edges with two of them.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// The part of each patch.
    pub of_patch: Vec<u32>,
    /// What each part bounds; negative for a cavity.
    pub volumes: Vec<f64>,
    /// Whether the volumes are more than a guess.
    pub sound: bool,
}

/// A body.
pub(super) trait Body: Sync {
    /// Box around it.
    fn bounds(&self) -> Aabb;

    /// How deep a point is: positive inside, negative outside, its size about the distance to the surface.
    fn depth(&self, p: &Point) -> f64;

    /// Whether depths are true distances.
    fn is_exact(&self) -> bool {
        false
    }

    /// About how far a point is from the surface, if that is less than `most`, else `most`.
    fn distance(&self, p: &Point, most: f64) -> f64 {
        self.depth(p).abs().min(most)
    }

    /// Where the way from a point inside to one outside leaves the body, as a share of it, given the depths of both.
    fn leaves(&self, ends: [&Point; 2], depths: [f64; 2]) -> f64 {
        root(|p| self.depth(p), ends, depths)
    }

    /// The patch nearest to a point.
    fn patch_at(&self, p: &Point) -> u32;

    /// The nearest point where a node of this seat may sit.
    fn onto(&self, seat: Seat, p: &Point) -> Point;

    /// All curves.
    fn curves(&self) -> &[Sharp];

    /// Points along all curves, no farther apart than this.
    fn along_curves(&self, step: f64) -> Vec<Point>;

    /// Whether a point lies on a curve.
    fn is_sharp(&self, p: &Point) -> bool;

    /// All corners, and where they are.
    fn corners(&self) -> &[(Sharp, Point)];

    /// The parts of its surface, where they are known.
    fn parts(&self) -> Option<&Parts>;
}

/// A body given by a function.
pub(super) struct Implicit<'a> {
    /// Negative inside, positive outside.
    pub distance: &'a (dyn Fn(&Point) -> f64 + Sync),
    /// Contains it.
    pub bounds: Aabb,
}

impl Implicit<'_> {
    fn gradient(&self, p: &Point) -> Vector {
        let step = 1e-4 * self.bounds.radius();
        Vector::from_fn(|k, _| {
            let mut aside = Vector::zeros();
            aside[k] = step;
            ((self.distance)(&(p + aside)) - (self.distance)(&(p - aside))) / (2.0 * step)
        })
    }
}

impl Body for Implicit<'_> {
    fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn depth(&self, p: &Point) -> f64 {
        -(self.distance)(p)
    }

    fn patch_at(&self, _: &Point) -> u32 {
        0
    }

    fn onto(&self, seat: Seat, p: &Point) -> Point {
        if seat == Seat::Inside {
            return *p;
        }
        let mut at = *p;
        for _ in 0..6 {
            let gradient = self.gradient(&at);
            let squared = gradient.norm_squared();
            let value = (self.distance)(&at);
            if squared < 1e-6 || value.abs() < 1e-9 * self.bounds.radius() {
                break;
            }
            at -= gradient * (value / squared);
        }
        at
    }

    fn curves(&self) -> &[Sharp] {
        &[]
    }

    fn along_curves(&self, _: f64) -> Vec<Point> {
        vec![]
    }

    fn is_sharp(&self, _: &Point) -> bool {
        false
    }

    fn corners(&self) -> &[(Sharp, Point)] {
        &[]
    }

    fn parts(&self) -> Option<&Parts> {
        None
    }
}

/// Where a function changes its sign between a point where it is positive and one where it is negative, as a share of the way:
/// false position, and halving now and then (depths may jump across a hole).
pub(super) fn root(depth: impl Fn(&Point) -> f64, [a, b]: [&Point; 2], [mut inner, mut outer]: [f64; 2]) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let length = (b - a).norm();
    for round in 0..40 {
        let share = match round % 3 {
            2 => 0.5 * (low + high),
            _ => low + (high - low) * (inner / (inner - outer)).clamp(0.01, 0.99),
        };
        let depth = depth(&(a + (b - a) * share));
        if depth.abs() < 1e-6 * length {
            return share;
        }
        if depth > 0.0 {
            (low, inner) = (share, depth);
        } else {
            (high, outer) = (share, depth);
        }
        if high - low < 1e-6 {
            break;
        }
    }
    0.5 * (low + high)
}

/// A function at the points of a grid over and around a box, with so many cells along its longest side; how many points there
/// are along each axis, and the length of a cell. The outermost points are outside the box, and none is on its faces.
pub(super) fn sampled(
    bounds: &Aabb,
    cells: usize,
    tasks: &Tasks,
    f: impl Fn(&Point) -> f64 + Sync,
) -> (Vec<f64>, [usize; 3], f64) {
    let cell = bounds.size().max() / cells as f64;
    let counts = [0, 1, 2].map(|k| (bounds.size()[k] / cell).ceil() as usize + 2);
    // Not a half, nor any other share that a box may have.
    let aside = 0.5681;
    let mut values = vec![0.0; counts.iter().product()];
    tasks.fill(&mut values, 512, |first, chunk| {
        for (value, k) in chunk.iter_mut().zip(first..) {
            let at = [k % counts[0], k / counts[0] % counts[1], k / counts[0] / counts[1]];
            *value = f(&Point::from([0, 1, 2].map(|axis| bounds.min[axis] + cell * (at[axis] as f64 - aside))));
        }
    });
    (values, counts, cell)
}

/// About the volume and the area of a body. A surface meets one and a half edges of a grid on the area of a cell's side, on
/// average over its directions.
pub(super) fn measure(body: &dyn Body, tasks: &Tasks) -> (f64, f64) {
    let (depths, [nx, ny, _], cell) = sampled(&body.bounds(), 40, tasks, |p| body.depth(p));
    let inside = depths.iter().filter(|d| **d > 0.0).count();
    let crosses = |k: usize, step: usize| depths.get(k + step).is_some_and(|d| (*d > 0.0) != (depths[k] > 0.0));
    // Where a row ends and the next begins, both are outside.
    let crossings: usize = (0..depths.len()).map(|k| [1, nx, nx * ny].iter().filter(|s| crosses(k, **s)).count()).sum();
    (inside as f64 * powi(cell, 3), crossings as f64 * cell * cell / 1.5)
}
