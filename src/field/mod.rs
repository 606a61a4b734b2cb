//! Distance fields: of a fragment, and of plain shapes.

pub mod cell;
pub mod fragment;
mod reliefs;
mod schemes;
pub mod shape;
