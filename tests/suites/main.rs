//! All suites but those that count what is on the heap, in one program: each program more takes ten seconds to build.
//!
//! One of them: `cargo test --test suites contacts::`.

#[path = "../common/mod.rs"]
mod common;

mod accuracy;
#[cfg(feature = "capi")]
mod brought;
mod budget;
mod coarse;
mod contacts;
mod convex;
mod convex_parts;
mod deform;
mod degenerate;
mod determinism;
mod drawing;
mod dynamic;
mod exact_cells;
mod exactness;
mod field;
mod fill;
mod grid;
mod limits;
mod occupancy;
mod patterns;
mod penalty;
mod penalty_motion;
mod reduction;
mod reference;
mod repair;
mod resting;
mod scale;
mod shapes;
mod sides;
mod soft_fragments;
mod solids;
mod store;
#[cfg(feature = "capi")]
mod thin;
mod trees;
mod trusted;
mod truth;
mod voxtree;
