//! Where two bodies end a step if a solver respects their contacts, to first order in their rotation and without friction: the least impulses with
//! which no contact closes by more than its gap (projected Gauss-Seidel, as in solvers). Contacts to come are completed by it: what bodies
//! would meet that respect those found so far belongs to them (cutting planes).
//!
//! The masses that a solver gives bodies are not known. So two are tried: both as heavy as they are large, and one that does not move fixed.

use super::motion::Path;
use crate::geom::moments::MassProperties;
use crate::geom::{Pose, Vector};
use nalgebra::Matrix3;

/// Masses that are tried, at most.
pub(super) const MODELS: usize = 2;
/// Most rounds over all contacts.
const ROUNDS: usize = 200;
/// Impulses have converged if velocities change by no more than this share of the largest gap closed.
const CONVERGED: f64 = 1e-5;

/// Inverse mass, and inverse inertia in axes of the world. Zero: fixed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weight {
    mass: f64,
    inertia: Matrix3<f64>,
}

impl Weight {
    pub const FIXED: Self = Self { mass: 0.0, inertia: Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0) };

    /// Of a body as heavy as it is large, beside one of the volume `unit`. A body that cannot be turned, by rounding, is not turned.
    pub fn new(of: &MassProperties, pose: &Pose, unit: f64) -> Self {
        let turn = pose.rotation.to_rotation_matrix().into_inner();
        let inertia = of.inertia.try_inverse().map_or(Matrix3::zeros(), |inverse| turn * inverse * turn.transpose());
        Self { mass: unit / of.volume, inertia: inertia * (unit * of.mass / of.volume) }
    }

    /// Whether nothing moves it.
    pub fn is_fixed(&self) -> bool {
        self.mass == 0.0
    }
}

/// A contact that a solver is given: the bodies may close in by `gap` along the normal within the step, where it is now.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Constraint {
    /// Where it is now, relative to the origin of the paths.
    pub at: Vector,
    /// From B to A.
    pub normal: Vector,
    /// Not negative.
    pub gap: f64,
    /// What is returned: minus the gap, or the overlap of now.
    pub depth: f64,
    pub feature: u32,
    /// Whether the last round added it.
    pub is_new: bool,
    /// Whether it is of now.
    pub is_of_now: bool,
    /// What holds it, by model; what was found by the last solution.
    pub impulses: [f64; MODELS],
}

impl Constraint {
    /// How far the bodies close in by along the normal within the step, where the contact is now.
    pub fn closing(&self, paths: &[Path; 2]) -> f64 {
        let arms = self.arms(paths);
        -parting(&self.normal, &arms, &paths.each_ref().map(|path| [path.linear, path.angular]))
    }

    fn arms(&self, paths: &[Path; 2]) -> [Vector; 2] {
        paths.each_ref().map(|path| (self.at - path.centre(0.0)).cross(&self.normal))
    }

    /// Whether any model needs it.
    pub fn is_needed(&self) -> bool {
        self.impulses.iter().any(|impulse| *impulse > 0.0)
    }
}

/// Symmetric in the bodies, to the last bit.
fn parting(normal: &Vector, arms: &[Vector; 2], velocities: &[[Vector; 2]; 2]) -> f64 {
    let linear = normal.dot(&(velocities[0][0] - velocities[1][0]));
    linear + (arms[0].dot(&velocities[0][1]) - arms[1].dot(&velocities[1][1]))
}

/// The paths of bodies that respect the constraints.
pub(super) fn respecting(
    paths: &[Path; 2],
    weights: &[Weight; 2],
    model: usize,
    constraints: &mut [Constraint],
) -> [Path; 2] {
    let mut velocities = paths.each_ref().map(|path| [path.linear, path.angular]);
    let turned = |k: usize, arm: &Vector| weights[k].inertia * arm;
    let push = |constraint: &Constraint, arms: &[Vector; 2], by: f64, velocities: &mut [[Vector; 2]; 2]| {
        for (k, sign) in [(0, 1.0), (1, -1.0)] {
            velocities[k][0] += constraint.normal * (sign * by * weights[k].mass);
            velocities[k][1] += turned(k, &arms[k]) * (sign * by);
        }
    };
    for constraint in constraints.iter() {
        let arms = constraint.arms(paths);
        push(constraint, &arms, constraint.impulses[model], &mut velocities);
    }
    for _ in 0..ROUNDS {
        let (mut change, mut largest) = (0.0f64, 0.0f64);
        for constraint in constraints.iter_mut() {
            let arms = constraint.arms(paths);
            let own = |k: usize| weights[k].mass + arms[k].dot(&turned(k, &arms[k]));
            let lightness = own(0) + own(1);
            if lightness <= 0.0 {
                continue;
            }
            let impulse = constraint.impulses[model];
            let wanted =
                (impulse - (parting(&constraint.normal, &arms, &velocities) + constraint.gap) / lightness).max(0.0);
            push(constraint, &arms, wanted - impulse, &mut velocities);
            constraint.impulses[model] = wanted;
            change = change.max((wanted - impulse).abs() * lightness);
            largest = largest.max(wanted * lightness);
        }
        if change <= CONVERGED * largest {
            break;
        }
    }
    [0, 1].map(|k| paths[k].with(velocities[k]))
}
