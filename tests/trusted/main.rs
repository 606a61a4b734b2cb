//! Contacts a solver can trust: no overlap without a contact, bodies that come apart, sweeps, distances. One program: each one more takes
//! seconds to link.

#[path = "../common/mod.rs"]
mod common;

mod ahead;
mod distances;
mod memories;
mod overlaps;
mod pushout;
mod sweeps;
