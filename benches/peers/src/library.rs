//! What all libraries are asked to do, ours and the peers.

use crate::common::stage::{Frame, Stage};
use crate::cpp::bridge::{self, Peer};
pub use crate::cpp::bridge::{Hit, Mesh, Pair, Place};
use crate::ours::Ours;
use crate::parry::{Hulls, Meshes};
use cxx::UniquePtr;

/// What a library makes of a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Ours,
    /// Ours with other options: for information.
    Variant,
    Hull,
    Mesh,
}

/// A way to find contacts.
pub trait Library {
    fn name(&self) -> &'static str;
    fn kind(&self) -> Kind;
    /// From the event on (ours), or from the surfaces of the fragments on (peers), to what a query needs.
    fn prepare(&mut self, stage: &Stage, meshes: &[Mesh]);
    fn place(&mut self, frame: &Frame);
    /// Collides the pairs and returns how many contacts there are. What is timed.
    fn pass(&mut self, pairs: &[Pair]) -> usize;
    /// What the last pass has found.
    fn hits(&self) -> Vec<Hit>;
    /// Whether the hit's point is a sample of A's surface, or of B's; none if the library does not say.
    fn sample_is_of_b(&self, _hit: usize) -> Option<bool> {
        None
    }
}

/// All of them, ours first.
pub fn all() -> Vec<Box<dyn Library>> {
    use Kind::{Hull, Mesh};
    let cpp = |name, kind, peer| -> Box<dyn Library> { Box::new(Cpp { name, kind, peer }) };
    let mut list: Vec<Box<dyn Library>> = Ours::all().into_iter().map(|ours| Box::new(ours) as _).collect();
    list.push(Box::new(Hulls::default()));
    list.push(cpp("PhysX hulls", Hull, bridge::physx_hulls()));
    list.push(cpp("Jolt hulls", Hull, bridge::jolt_hulls()));
    list.push(cpp("Bullet hulls of 42", Hull, bridge::bullet_hulls(true, false)));
    list.push(cpp("Bullet hulls", Hull, bridge::bullet_hulls(false, false)));
    list.push(cpp("Bullet hulls of 42, clipped", Hull, bridge::bullet_hulls(true, true)));
    list.push(cpp("FCL, 8 contacts", Mesh, bridge::fcl_meshes(8)));
    list.push(cpp("FCL, 64 contacts", Mesh, bridge::fcl_meshes(64)));
    list.push(cpp("Bullet GImpact", Mesh, bridge::bullet_meshes()));
    list.push(Box::new(Meshes::default()));
    list
}

/// Names and versions of what is compared.
pub fn versions() -> Vec<(&'static str, String)> {
    let mut list = vec![
        ("Fracas", env!("CARGO_PKG_VERSION").into()),
        ("parry3d", "0.31.1".into()),
        ("PhysX", bridge::physx_version()),
        ("Jolt", bridge::jolt_version()),
        ("Bullet", bridge::bullet_version()),
        ("FCL", bridge::fcl_version()),
    ];
    list.extend(crate::deform::versions());
    list
}

/// Whether the peers in C++ were built (build.rs).
pub fn has_engines() -> bool {
    !bridge::fcl_meshes(1).is_null()
}

/// The pairs of a frame, as all get them.
pub fn pairs(frame: &Frame) -> Vec<Pair> {
    frame.pairs.iter().map(|(a, b)| Pair { a: *a as u32, b: *b as u32 }).collect()
}

/// A peer in C++.
struct Cpp {
    name: &'static str,
    kind: Kind,
    peer: UniquePtr<Peer>,
}

impl Library for Cpp {
    fn name(&self) -> &'static str {
        self.name
    }
    fn kind(&self) -> Kind {
        self.kind
    }
    fn prepare(&mut self, stage: &Stage, meshes: &[Mesh]) {
        self.peer.pin_mut().prepare(meshes, stage.radius());
    }
    fn place(&mut self, frame: &Frame) {
        let place = |pose: &fracas::geom::Pose| Place {
            position: pose.translation.vector.into(),
            rotation: pose.rotation.coords.into(),
        };
        self.peer.pin_mut().place(&frame.poses.iter().map(place).collect::<Vec<_>>());
    }
    fn pass(&mut self, pairs: &[Pair]) -> usize {
        self.peer.pin_mut().pass(pairs)
    }
    fn hits(&self) -> Vec<Hit> {
        self.peer.hits()
    }
}
