//! Shared by queries of pairs and of plain shapes: limits, relations, and the conversion of touches into contacts.

use super::known::KnownFeatures;
use super::order::greedy;
use super::reduce::{Worth, reduce};
use super::search::{Limits, PairRelation, Touch};
use super::{Contact, Feature, FeatureKind, QueryOptions, QueryStats};
use crate::body::Object;
use crate::error::{Result, bad_argument};
use crate::field::Towards;
use crate::geom::aabb::Aabb;
use crate::geom::{Local, Pose, Vector};
use crate::reference::tree::SphereTree;

/// Default margin, as a share of the smaller bounding radius. Relative, so that results do not depend on units. Just
/// after a fracture a positive margin is needed (Glondu 2013, 5.2); larger ones report contacts of bodies that do not
/// touch.
const MARGIN: f64 = 0.001;
/// Default tolerance, as a share of the smaller bounding radius: twice the margin. Smaller spends evaluations on depths
/// that hardly differ. Found by trial.
const TOLERANCE: f64 = 0.002;
/// Default tolerance as a share of the deepest depth, if that is more. Solvers correct less than that in a step, and
/// half of the evaluations in deep overlap were for less.
const SHARE: f64 = 0.25;
/// Overlap along a plane, as a share of the smaller bounding radius, up to which the plane still counts as separating.
/// Twice the 1 % up to which stacked boxes must get upright normals (tests/suites/resting.rs); deeper, the nearest feature
/// gives the normal.
pub(super) const NEARLY_PARTED: f64 = 0.02;

/// Rejects poses that are not finite or whose rotation is not of unit length (to 1e-3: accumulated rounding of engines
/// in single precision passes).
pub(super) fn check_pose(pose: &Pose, name: &str) -> Result<()> {
    let finite =
        pose.translation.vector.iter().all(|c| c.is_finite()) && pose.rotation.coords.iter().all(|c| c.is_finite());
    if !finite || (pose.rotation.coords.norm() - 1.0).abs() > 1e-3 {
        bad_argument!("{name} is not a rotation and a finite position");
    }
    Ok(())
}

/// Rejects lengths and origins of options that are not finite, or negative lengths.
pub(super) fn check_lengths(margin: Option<f64>, tolerance: Option<f64>, origin: Option<[f64; 3]>) -> Result<()> {
    for (name, length) in [("margin", margin), ("tolerance", tolerance)] {
        if length.is_some_and(|l| !(l >= 0.0 && l.is_finite())) {
            bad_argument!("{name} is {}; it must be zero or a positive length", length.unwrap_or(f64::NAN));
        }
    }
    if origin.is_some_and(|o| o.iter().any(|c| !c.is_finite())) {
        bad_argument!("origin is not finite");
    }
    Ok(())
}

/// The sphere tree of an object, or an error that says how to get one.
pub(super) fn tree_of(object: &Object) -> Result<SphereTree<'_>> {
    let Some(tree) = object.sphere_tree() else {
        bad_argument!(
            "the asset has no sphere trees; cook it with them (`sphere_trees`, FC_ASSET_SPHERE_TREES), or query without"
        );
    };
    Ok(tree)
}

/// The limits of a query. `radius` is that of the smaller body.
pub(super) fn limits(options: &QueryOptions, radius: f64) -> Limits {
    Limits {
        mode: options.mode,
        target: options.target as usize,
        margin: options.margin.unwrap_or(MARGIN * radius),
        tolerance: options.tolerance.unwrap_or(TOLERANCE * radius),
        share: if options.tolerance.is_none() { SHARE } else { 0.0 },
        shortest_way: options.shortest_way,
        budget: if options.budget == 0 { u32::MAX } else { options.budget },
    }
}

/// Distance within which features count as equally near (tied), in metres.
pub(super) fn tied(own: &Object, limits: &Limits) -> f64 {
    limits.margin.max(own.asset().field().rounding * own.scale())
}

/// Relation for the field of `own` to a body along `direction`, at separation `apart`. Bodies that a plane nearly
/// separates touch across it, as deep as they overlap there. The tie distance is capped at the default margin: a large
/// margin ties nothing.
pub(super) fn across(direction: Local, apart: f64, tied: f64, radius: f64, own: &Object) -> PairRelation {
    let overlap = if -apart <= NEARLY_PARTED * radius { (-apart).max(0.0) } else { 0.0 };
    PairRelation::Other(Towards { direction, within: (tied.min(MARGIN * radius) + overlap) / own.scale() })
}

/// The supporting plane of a body that separates it best from a box (in metres, `placed` in the body's frame): the
/// separation along it, in metres, and its normal, out of the body.
pub(super) fn best_plane(body: &Object, other: &Aabb, placed: &Pose) -> (f64, Local) {
    let units = 1.0 / body.scale();
    let middle = ((placed * other.centre()) * units - body.asset().centre()).cast();
    let half = other.size() * (0.5 * units);
    let halves = [0, 1, 2].map(|k| (placed.rotation * Vector::ith(k, half[k])).cast());
    let (apart, normal) = body.samples().supports.best_parting(&middle, &halves);
    (apart as f64 * body.scale(), normal)
}

/// Converts touches into world contacts.
pub(super) struct Placing {
    pub origin: nalgebra::Vector3<f64>,
    /// Whether A and B were swapped.
    pub flip: bool,
}

impl Placing {
    /// A direction of the world from B to A, given from the second body to the first in the frame of the second, which has this pose.
    pub fn to_axes(&self, direction: &Vector, second: &Pose) -> Vector {
        second.rotation * direction * if self.flip { -1.0 } else { 1.0 }
    }

    /// The same back.
    pub fn to_second(&self, direction: &Vector, second: &Pose) -> Vector {
        second.rotation.inverse() * direction * if self.flip { -1.0 } else { 1.0 }
    }

    /// The number of a feature.
    pub fn feature(&self, kind: FeatureKind, id: u32, of_second: bool) -> u32 {
        Feature { of_b: of_second != self.flip, kind, id }.encoded()
    }

    /// `pose` is that of the field; `of_second` says that the sample belongs to the second body.
    pub fn contact(&self, touch: &Touch, pose: &Pose, of_second: bool) -> Contact {
        let outward = pose.rotation * touch.outward;
        let at = (pose * touch.at).coords + outward * (0.5 * touch.depth) - self.origin;
        // The normal points out of the second body, so the outward direction of the first is flipped.
        let normal = if of_second != self.flip { -outward } else { outward };
        Contact {
            point: [at.x as f32, at.y as f32, at.z as f32],
            depth: touch.depth as f32,
            normal: [normal.x as f32, normal.y as f32, normal.z as f32],
            feature: self.feature(touch.kind, touch.id, of_second),
        }
    }
}

/// Reduces contacts, sorts them and appends them to `out`.
pub(super) fn finish(
    contacts: &mut [Contact],
    radius: f64,
    limits: &Limits,
    options: &QueryOptions,
    known: &KnownFeatures,
    stats: &mut QueryStats,
    out: &mut Vec<Contact>,
) {
    let worth = Worth { widest: limits.margin as f32, known };
    let returned = reduce(contacts, options.max_per_normal, options.max_contacts, &worth);
    greedy(&mut contacts[..returned], radius, limits.margin);
    stats.found = contacts.len() as u32;
    stats.left_out = (contacts.len() - returned) as u32;
    out.extend_from_slice(&contacts[..returned]);
}
