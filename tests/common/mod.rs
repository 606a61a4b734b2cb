//! What the tests share: solids, patterns, readers of the optional data, and the independent oracles.
#![allow(dead_code)] // each test binary uses its part

pub mod artists;
pub mod axes;
pub mod brought;
pub mod clipper;
pub mod data;
pub mod dice;
pub mod drawings;
pub mod dynamic;
pub mod families;
pub mod few;
pub mod heap;
pub mod judge;
pub mod locate;
pub mod oracle;
pub mod pairs;
pub mod penalty;
pub mod quality;
pub mod saved;
pub mod scenes;
pub mod sequences;
pub mod stage;
pub mod surfaces;
pub mod swept;
pub mod thin;
#[cfg(feature = "capi")]
pub mod through_c;
pub mod touch;
pub mod trees;

use rayon::prelude::*;

/// Whether all is to be tried that takes long and rarely breaks: `scripts/test --full`.
pub fn is_full() -> bool {
    std::env::var_os("FRACAS_FULL").is_some()
}

/// The result for every item, in their order, computed on all cores. For tests that would leave the others idle.
pub fn on_all_cores<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    items.into_par_iter().with_max_len(1).map(work).collect()
}
