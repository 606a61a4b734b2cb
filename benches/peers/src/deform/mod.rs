//! Deforming and fracturing meshes (FASTCD, Heo et al. 2010): the paper's section 6 and 5.2.1, and what one would use instead.
//!
//! Sequences are played once, to all variants and peers in turn (`run`); `tables` says what came out. `scenes` are pairs of frames with
//! known collisions, `ipctk` the same step by the IPC Toolkit, `metric` the study of traversal costs.

mod between;
mod boxes;
mod found;
mod hash;
mod ipctk;
mod metric;
mod play;
mod run;
mod scenes;
mod tables;
mod variants;
mod world;

use crate::common::sequences;
use crate::cpp::bridge;
use crate::studies::Study;
use fracas::Tasks;
use run::{Played, Scope};

/// Versions of the peers that only take part here.
pub fn versions() -> Vec<(&'static str, String)> {
    vec![("Embree", bridge::embree_version()), ("obvhs", "0.4.0".into())]
}

/// What is timed, on one core. The pool of two threads was started before this thread was put there.
pub fn studies(quick: bool, two_threads: &Tasks, progress: &dyn Fn(&str)) -> Vec<Study> {
    let play = |name| run::play(name, Scope::of(name, quick), two_threads, progress);
    let all: Vec<Played> = sequences::NAMES.into_iter().map(play).collect();
    let mut list = tables::studies(&all);
    let listed = scenes::listed();
    list.push(scenes::study(&listed, quick, progress));
    let worlds: Vec<_> = all.iter().map(|played| (played.name, &played.world)).collect();
    list.extend(ipctk::studies(&listed, &worlds, quick, progress));
    list
}

/// What is counted, on all cores.
pub fn counted(quick: bool, progress: &dyn Fn(&str)) -> Study {
    metric::study(quick, progress)
}
