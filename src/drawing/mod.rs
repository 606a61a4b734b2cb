//! Drawing meshes, bound to the solid that they are the surface of.

pub mod binding;
pub mod facing;
