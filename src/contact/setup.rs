//! What queries of pairs and of plain shapes have in common: limits, how a field is asked, and how touches become contacts.

use super::order::greedy;
use super::reduce::reduce;
use super::search::{Limits, PairRelation, Touch};
use super::{Contact, Feature, QueryOptions, QueryStats};
use crate::body::Object;
use crate::error::{Result, bad_argument};
use crate::field::Towards;
use crate::geom::aabb::Aabb;
use crate::geom::{Local, Pose, Vector};
use crate::reference::tree::SphereTree;

/// Share of the smaller bounding radius within which bodies touch by default.
const MARGIN: f64 = 0.001;
/// Share of the smaller bounding radius by which a further contact must be deeper, by default.
const TOLERANCE: f64 = 0.002;
/// Share of the deepest depth by which a further contact must be deeper, by default, if that is more.
const SHARE: f64 = 0.25;
/// Share of the smaller bounding radius by which bodies may overlap along a plane and count as parted by it.
const NEARLY_PARTED: f64 = 0.02;

/// Refuses what is not a pose.
pub(super) fn check_pose(pose: &Pose, name: &str) -> Result<()> {
    let finite =
        pose.translation.vector.iter().all(|c| c.is_finite()) && pose.rotation.coords.iter().all(|c| c.is_finite());
    if !finite || (pose.rotation.coords.norm() - 1.0).abs() > 1e-3 {
        bad_argument!("{name} is not a rotation and a finite position");
    }
    Ok(())
}

/// The sphere tree of an object, or what to do about it.
pub(super) fn tree_of(object: &Object) -> Result<SphereTree<'_>> {
    let Some(tree) = object.sphere_tree() else {
        bad_argument!(
            "the asset has no sphere trees; cook it with them (`sphere_trees`, FC_ASSET_SPHERE_TREES), or query without"
        );
    };
    Ok(tree)
}

/// The lengths of a query of bodies, the smaller of which has this radius.
pub(super) fn limits(options: &QueryOptions, radius: f64) -> Limits {
    Limits {
        mode: options.mode,
        target: options.target as usize,
        margin: options.margin.unwrap_or(MARGIN * radius),
        tolerance: options.tolerance.unwrap_or(TOLERANCE * radius),
        share: if options.tolerance.is_none() { SHARE } else { 0.0 },
        along_normal: options.along_normal,
    }
}

/// How far features may be apart that are still tied, in metres.
pub(super) fn tied(own: &Object, limits: &Limits) -> f64 {
    limits.margin.max(own.asset().field().rounding * own.scale())
}

/// How the field of `own` is asked by a body that lies along `direction`, `apart` from it. Bodies that a plane nearly parts touch
/// across it, as deep as they overlap there. A large margin ties nothing.
pub(super) fn across(direction: Local, apart: f64, tied: f64, radius: f64, own: &Object) -> PairRelation {
    let overlap = if -apart <= NEARLY_PARTED * radius { (-apart).max(0.0) } else { 0.0 };
    PairRelation::Other(Towards { direction, within: (tied.min(MARGIN * radius) + overlap) / own.scale() })
}

/// The plane of a body that parts it best from a box, in metres, that is placed in its frame: how far apart they are along it,
/// in metres, and its normal, out of the body.
pub(super) fn best_plane(body: &Object, other: &Aabb, placed: &Pose) -> (f64, Local) {
    let units = 1.0 / body.scale();
    let middle = ((placed * other.centre()) * units - body.asset().centre()).cast();
    let half = other.size() * (0.5 * units);
    let halves = [0, 1, 2].map(|k| (placed.rotation * Vector::ith(k, half[k])).cast());
    let (apart, normal) = body.samples().supports.best_parting(&middle, &halves);
    (apart as f64 * body.scale(), normal)
}

/// Turns touches into contacts of the world.
pub(super) struct Placing {
    pub origin: nalgebra::Vector3<f64>,
    /// Whether A and B were exchanged.
    pub flip: bool,
}

impl Placing {
    /// `pose` is that of the field; `of_second` says that the sample is the second body's.
    pub fn contact(&self, touch: &Touch, pose: &Pose, of_second: bool) -> Contact {
        let outward = pose.rotation * touch.outward;
        let at = (pose * touch.at).coords + outward * (0.5 * touch.depth) - self.origin;
        // Out of the second body is the normal; out of the first its opposite.
        let of_b = of_second != self.flip;
        let normal = if of_b { -outward } else { outward };
        Contact {
            point: [at.x as f32, at.y as f32, at.z as f32],
            depth: touch.depth as f32,
            normal: [normal.x as f32, normal.y as f32, normal.z as f32],
            feature: Feature { of_b, id: touch.id }.encoded(),
        }
    }
}

/// Puts contacts in order, reduces them, and hands them out.
pub(super) fn finish(
    contacts: &mut [Contact],
    radius: f64,
    limits: &Limits,
    options: &QueryOptions,
    stats: &mut QueryStats,
    out: &mut Vec<Contact>,
) {
    let returned = reduce(contacts, options.max_per_normal, options.max_contacts);
    greedy(&mut contacts[..returned], radius, limits.margin);
    stats.found = contacts.len() as u32;
    stats.left_out = (contacts.len() - returned) as u32;
    out.extend_from_slice(&contacts[..returned]);
}
