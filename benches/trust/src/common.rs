//! What is shared with the tests.
#![allow(dead_code)] // tests use the rest

#[path = "../../../tests/common/dice.rs"]
pub mod dice;
#[path = "../../../tests/common/few.rs"]
pub mod few;
#[path = "../../../tests/common/swept.rs"]
pub mod swept;
#[path = "../../../tests/common/touch.rs"]
pub mod touch;
