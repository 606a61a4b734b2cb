//! Contacts a solver can trust: no overlap without a contact, bodies that come apart, sweeps, distances.

mod ahead;
mod distances;
mod memories;
mod overlaps;
mod pushout;
mod sweeps;
