//! Plain types and handles.

use crate::contact::Contact;

/// "No such element", where a number is expected.
pub const FC_NONE: u32 = 0xffff_ffff;

/// A cooked solid, shared by all objects made from it. Begins with fc_asset_create, ends with fc_asset_release.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fc_asset {
    /// 0 is no asset.
    pub id: u64,
}

/// A rigid body, whole or a fragment. Begins with fc_object_create or fc_fracture, ends with fc_object_destroy.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fc_object {
    /// 0 is no object.
    pub id: u64,
}

/// A convex hull to query against. Begins with fc_hull_create, ends with fc_hull_destroy.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fc_hull {
    /// 0 is no hull.
    pub id: u64,
}

/// Where a body is: from its frame to the world.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_pose {
    /// Metres.
    pub position: [f64; 3],
    /// Unit quaternion x, y, z, w. A length within 0.001 of 1 is accepted and normalised.
    pub rotation: [f32; 4],
}

/// An axis-aligned box, in metres.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_aabb {
    /// Lowest corner.
    pub min: [f64; 3],
    /// Highest corner.
    pub max: [f64; 3],
}

/// What a solver needs to know of a body, in the object's frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_mass {
    /// Cubic metres.
    pub volume: f64,
    /// Kilograms.
    pub mass: f64,
    /// Centre of mass.
    pub centre: [f64; 3],
    /// Inertia about the centre of mass, in kg m²: xx, yy, zz, xy, yz, zx of the symmetric tensor (products of inertia
    /// with the sign that they have in the tensor).
    pub inertia: [f64; 6],
}

/// One contact. 32 bytes, no padding; this layout is frozen for the life of ABI 1.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct fc_contact {
    /// Metres, world axes, from the query's origin (default: A's position); the midpoint of both surfaces.
    pub point: [f32; 3],
    /// Metres; > 0 penetrating, < 0 a gap within the query's margin.
    pub depth: f32,
    /// Unit, from B towards A: moving A by depth * normal resolves this contact.
    pub normal: [f32; 3],
    /// Stable between frames and through fractures; key for warm starting. Bit 31: the sample is B's. See fc_object_feature.
    pub feature: u32,
}

impl From<Contact> for fc_contact {
    fn from(contact: Contact) -> Self {
        let Contact { point, depth, normal, feature } = contact;
        Self { point, depth, normal, feature }
    }
}

impl From<fc_contact> for Contact {
    fn from(contact: fc_contact) -> Self {
        let fc_contact { point, depth, normal, feature } = contact;
        Self { point, depth, normal, feature }
    }
}
