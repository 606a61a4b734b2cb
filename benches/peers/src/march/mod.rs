//! Soft bodies (Marchal 2004): depths of nodes, figures 6, 7, 9 and 10; the response, figure 16; a haptic probe. Beside them, exact closest
//! points by parry and fcpw, and fast marching on grids.
//!
//! `bodies` are the meshes, `depths` the tables of depths with `ours`, `peers` and `fcpw` in turn, `response` the time of penalties.

mod bodies;
mod depths;
mod fcpw;
mod grid;
mod ours;
mod peers;
mod response;

use crate::studies::Study;

/// What is timed, on one core.
pub fn studies(quick: bool, progress: &dyn Fn(&str)) -> Vec<Study> {
    let mut list = depths::studies(quick, progress);
    progress("soft bodies: response");
    list.push(response::growth(quick));
    progress("soft bodies: haptic probe");
    list.push(response::probes(quick));
    list
}
