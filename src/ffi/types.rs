//! Plain types and handles.

use crate::contact::Contact;

/// Invalid index: no such element.
pub const FC_NONE: u32 = 0xffff_ffff;

/// A cooked solid, shared by all objects created from it. Created by fc_asset_create or fc_asset_load, released by
/// fc_asset_release.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fc_asset {
    /// 0 is the null handle.
    pub id: u64,
}

/// A rigid body, intact or a fragment. Created by fc_object_create, fc_fracture or fc_object_load, destroyed by
/// fc_object_destroy.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fc_object {
    /// 0 is the null handle.
    pub id: u64,
}

/// A convex hull to query against. Created by fc_hull_create, destroyed by fc_hull_destroy.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fc_hull {
    /// 0 is the null handle.
    pub id: u64,
}

/// A scene of deforming triangle meshes. Created by fc_scene_create, destroyed by fc_scene_destroy.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fc_scene {
    /// 0 is the null handle.
    pub id: u64,
}

/// A body of a scene, valid in that scene only. Created by fc_scene_add, fc_scene_split or fc_scene_merge; ended by
/// fc_scene_delete, a split or a merge, and with its scene.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fc_body {
    /// 0 is no body.
    pub id: u64,
}

/// A body of tetrahedra that deforms. Created by fc_soft_create, destroyed by fc_soft_destroy.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fc_soft {
    /// 0 is the null handle.
    pub id: u64,
}

/// A tree of cubes with densities. Created by fc_voxtree_create, fc_voxtree_from_object or fc_voxtree_load, destroyed by
/// fc_voxtree_destroy.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct fc_voxtree {
    /// 0 is the null handle.
    pub id: u64,
}

/// A rigid transform from a body's frame to the world.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_pose {
    /// Metres.
    pub position: [f64; 3],
    /// Unit quaternion x, y, z, w. A length within 0.001 of 1 is accepted and normalised.
    pub rotation: [f32; 4],
}

/// An axis-aligned bounding box, in metres.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_aabb {
    /// Minimum corner.
    pub min: [f64; 3],
    /// Maximum corner.
    pub max: [f64; 3],
}

/// Mass properties of a body, in the object's frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fc_mass {
    /// Cubic metres.
    pub volume: f64,
    /// Kilograms.
    pub mass: f64,
    /// Centre of mass, metres.
    pub centre: [f64; 3],
    /// Inertia about the centre of mass, in kg m²: xx, yy, zz, xy, yz, zx of the symmetric tensor (products of
    /// inertia have the sign that they have in the tensor). fc_mass_inertia_matrix makes the matrix of it.
    pub inertia: [f64; 6],
}

/// One contact. 32 bytes, no padding; this layout is frozen for the life of ABI 1.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct fc_contact {
    /// Metres, world axes, relative to the query's origin (default: A's position); midway between both surfaces.
    pub point: [f32; 3],
    /// Penetration depth in metres; > 0 penetrating, < 0 a separation within the query's margin.
    pub depth: f32,
    /// Unit normal from B towards A: moving A by depth * normal resolves this contact.
    pub normal: [f32; 3],
    /// Stable between frames, and of samples through fractures; key for warm starting. Bit 31: it is B's. Bits 28 to 30: kind; 0: a
    /// sample point, 1: a cube of a tree, 2: a crease (a convex edge). Bits 0 to 27: index among these; 0x0fffffff: none, the contact
    /// stands for many. See fc_object_feature.
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
