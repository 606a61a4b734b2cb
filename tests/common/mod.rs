//! What the tests share: solids, patterns, readers of the optional data, and the independent oracles.
#![allow(dead_code)] // each test binary uses its part

pub mod artists;
pub mod clipper;
pub mod data;
pub mod drawings;
pub mod families;
pub mod judge;
pub mod locate;
pub mod oracle;
pub mod pairs;
pub mod quality;
pub mod saved;
pub mod scenes;
pub mod stage;
pub mod surfaces;
pub mod thin;
pub mod trees;
