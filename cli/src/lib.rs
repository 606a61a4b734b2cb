//! What the `fracas` command does, one file a subcommand, and what they share: readers of meshes, a writer of glTF.

pub mod failure;
pub mod files;
pub mod read;
