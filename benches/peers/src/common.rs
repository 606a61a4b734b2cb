//! What is shared with the tests.
#![allow(dead_code)] // tests use the rest

#[path = "../../../tests/common/brought.rs"]
pub mod brought;
#[path = "../../../tests/common/data.rs"]
pub mod data;
#[path = "../../../tests/common/dynamic.rs"]
pub mod dynamic;
#[path = "../../../tests/common/oracle.rs"]
pub mod oracle;
#[path = "../../../tests/common/pairs.rs"]
pub mod pairs;
#[path = "../../../tests/common/scenes.rs"]
pub mod scenes;
#[path = "../../../tests/common/sequences.rs"]
pub mod sequences;
#[path = "../../../tests/common/stage.rs"]
pub mod stage;
#[path = "../../../tests/common/surfaces.rs"]
pub mod surfaces;
#[path = "../../../tests/common/thin.rs"]
pub mod thin;
#[path = "../../../tests/common/trees.rs"]
pub mod trees;

/// Benches take all bodies.
pub fn is_full() -> bool {
    true
}
