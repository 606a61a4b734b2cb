//! What the `fracas` command does, one file a subcommand, and what they share: readers of meshes, a writer of glTF.

pub mod appearance;
pub mod artist;
pub mod contacts;
pub mod cook;
pub mod failure;
pub mod files;
pub mod fracture;
pub mod glb;
pub mod info;
pub mod material;
pub mod option;
pub mod progress;
pub mod raster;
pub mod read;
pub mod render;
pub mod report;
pub mod samples;
pub mod saved;
pub mod weld;
