//! What a caller keeps of a pair between queries: contacts, and the direction from which the bodies came.
//!
//! At rest all contacts are about as deep, and rounding decides which is the deepest. If contacts change from step to step, solvers push
//! at other points each time, and stacks creep and never sleep. So contacts stay the same points of the bodies until
//! these have moved, with depths that follow the motion. And bodies that were apart along a direction are pushed back along it, even
//! if one has passed the middle of the other.

use super::feature::{Feature, FeatureKind};
use super::known::{KEPT, KnownFeatures};
use super::{Contact, QueryStats};
use crate::body::Object;
use crate::geom::random::mix;
use crate::geom::{Local, Point, Pose, Vector};

/// Movement of any point of A relative to B up to which contacts are kept, as a share of the smaller radius: half the default margin.
const STILL: f64 = 0.0005;
/// Farther points and deeper contacts, in metres, are none of ours.
const FARTHEST: f32 = 1e18;

/// What a query remembers of a pair. Plain data: zero at first, may be copied, saved, and restored for a rollback. The same memory and
/// poses give the same contacts, bit for bit. Same layout as in the C interface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct PairMemory {
    /// Identifies the bodies; 0: nothing is known.
    key: u64,
    /// The margin of the kept contacts, in metres.
    margin: f32,
    /// Number of kept contacts plus one; 0: none are kept.
    count: u32,
    /// Pose of A in the frame of B when they were found: position, then rotation (x, y, z, w).
    a_in_b: [f32; 7],
    /// Unit vector from B to A along which they were apart, in the frame of the larger: small ones spin. Zero: not known.
    direction: [f32; 3],
    contacts: [KeptContact; KEPT],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
struct KeptContact {
    /// The point, in the frame of A.
    on_a: [f32; 3],
    depth: f32,
    /// In the frame of B.
    normal: [f32; 3],
    feature: u32,
}

impl Default for PairMemory {
    fn default() -> Self {
        Self {
            key: 0,
            margin: 0.0,
            count: 0,
            a_in_b: [0.0; 7],
            direction: [0.0; 3],
            contacts: [KeptContact::default(); KEPT],
        }
    }
}

/// Two poses and the origin of contact points.
pub(super) struct Placed<'a> {
    pub a: &'a Pose,
    pub b: &'a Pose,
    pub origin: Vector,
}

/// Identifies a pair. Never 0.
pub(super) fn key_of(a: &Object, b: u64) -> u64 {
    mix(mix(a.identity()) ^ b).max(1)
}

impl PairMemory {
    /// Forgets everything if it is of other bodies.
    pub(super) fn claim(&mut self, key: u64) {
        if self.key != key {
            *self = Self { key, ..Self::default() };
        }
    }

    /// Appends the contacts of a pair that has not moved, with the depths of now; `None` if they must be found anew. `radius` is the smaller
    /// of the two.
    pub(super) fn recall(
        &self,
        a: &Object,
        poses: &Placed,
        margin: f64,
        radius: f64,
        out: &mut Vec<Contact>,
    ) -> Option<QueryStats> {
        let count = self.count.checked_sub(1).filter(|count| *count <= KEPT as u32)?;
        let contacts = &self.contacts[..count as usize];
        if margin > self.margin as f64 * (1.0 + 1e-6) {
            return None;
        }
        let now = poses.b.inv_mul(poses.a);
        let [x, y, z, i, j, k, w] = self.a_in_b.map(|c| c as f64);
        let rotation = nalgebra::Quaternion::new(w, i, j, k);
        let then = |p: &Point| rotated(&rotation, &p.coords) + Vector::new(x, y, z);
        let middle = Point::from(a.asset().centre() + a.samples().middle.cast::<f64>()) * a.scale();
        let reach = a.samples().half.norm() as f64 * a.scale();
        let turned = (now.rotation.into_inner() * rotation.conjugate()).imag().norm();
        let moved = ((now * middle).coords - then(&middle)).norm() + 2.0 * reach * turned;
        // False for NaN, if the memory is not ours.
        if moved <= STILL * radius && contacts.iter().all(KeptContact::is_sound) {
            out.extend(contacts.iter().map(|kept| {
                let on_a = Point::from(Vector::from(kept.on_a.map(|c| c as f64)));
                let normal = Vector::from(kept.normal.map(|c| c as f64));
                let (here, there) = ((now * on_a).coords, then(&on_a));
                let at = poses.b * Point::from(0.5 * (here + there)) - poses.origin;
                Contact {
                    point: [at.x as f32, at.y as f32, at.z as f32],
                    depth: kept.depth - normal.dot(&(here - there)) as f32,
                    normal: (poses.b.rotation * normal).cast::<f32>().into(),
                    feature: kept.feature,
                }
            }));
            return Some(QueryStats { work: 1, found: count, is_recalled: true, ..QueryStats::default() });
        }
        None
    }

    /// The features of the kept contacts.
    pub(super) fn features(&self) -> KnownFeatures {
        let count = self.count.saturating_sub(1).min(KEPT as u32) as usize;
        let mut features = KnownFeatures::new(self.margin);
        self.contacts[..count].iter().for_each(|kept| features.add(kept.feature));
        features
    }

    /// The kept contacts of samples of B: the index of the sample, and the point in the frame of A.
    pub(super) fn points_of_b(&self) -> impl Iterator<Item = (u32, Point)> {
        let count = self.count.saturating_sub(1).min(KEPT as u32) as usize;
        self.contacts[..count].iter().filter(|kept| kept.is_sound()).filter_map(|kept| {
            let feature = Feature::decoded(kept.feature);
            let is_own = feature.of_b && feature.kind == FeatureKind::Sample;
            is_own.then(|| (feature.id, Point::from(Vector::from(kept.on_a.map(f64::from)))))
        })
    }

    /// Keeps contacts, if there is room for them; none are kept too: who is apart and does not move stays so.
    pub(super) fn keep(&mut self, contacts: &[Contact], poses: &Placed, margin: f64) {
        self.count = 0;
        if contacts.len() > KEPT {
            return;
        }
        let a_in_b = poses.b.inv_mul(poses.a);
        let (t, r) = (a_in_b.translation.vector, a_in_b.rotation.coords);
        self.a_in_b = [t.x, t.y, t.z, r.x, r.y, r.z, r.w].map(|c| c as f32);
        self.margin = margin as f32;
        for (kept, contact) in self.contacts.iter_mut().zip(contacts) {
            let at = Point::from(Vector::from(contact.point.map(|c| c as f64)) + poses.origin);
            let on_a: Local = poses.a.inverse_transform_point(&at).coords.cast();
            let normal = poses.b.rotation.inverse() * Vector::from(contact.normal.map(|c| c as f64));
            let normal: Local = normal.cast();
            *kept = KeptContact {
                on_a: on_a.into(),
                depth: contact.depth,
                normal: normal.into(),
                feature: contact.feature,
            };
        }
        self.count = contacts.len() as u32 + 1;
    }

    /// Replaces the contacts that were kept last, in `out` from number `first` on, by what is kept of them: so a query gives the same bits as the
    /// next one of bodies that have not moved.
    pub(super) fn give_back(
        &self,
        a: &Object,
        poses: &Placed,
        margin: f64,
        radius: f64,
        first: usize,
        out: &mut Vec<Contact>,
    ) {
        let given = out.len();
        if self.recall(a, poses, margin, radius, out).is_some() {
            out.drain(first..given);
        }
    }

    /// The direction from B to A along which the bodies were apart, in world axes; from the pose of the larger.
    pub(super) fn direction(&self, larger: &Pose) -> Option<Vector> {
        let direction = Vector::from(self.direction.map(|c| c as f64));
        ((direction.norm() - 1.0).abs() < 1e-3).then(|| larger.rotation * direction)
    }

    /// Sets that direction.
    pub(super) fn set_direction(&mut self, direction: &Vector, larger: &Pose) {
        let own: Local = (larger.rotation.inverse() * direction).cast();
        self.direction = own.into();
    }
}

impl KeptContact {
    /// Whether it may be a contact: its bytes may be anybody's.
    fn is_sound(&self) -> bool {
        let squared: f32 = self.normal.iter().map(|c| c * c).sum();
        let is_near = self.on_a.iter().chain([&self.depth]).all(|c| c.abs() <= FARTHEST);
        is_near && (squared - 1.0).abs() < 1e-3
    }
}

/// A vector, turned by a quaternion of unit length.
fn rotated(rotation: &nalgebra::Quaternion<f64>, v: &Vector) -> Vector {
    let (axis, w) = (rotation.imag(), rotation.w);
    let across = 2.0 * axis.cross(v);
    v + across * w + axis.cross(&across)
}
