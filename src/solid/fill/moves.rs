//! Changes of a mesh around one node, made only where they make it better: an edge is collapsed, a node smoothed.

use super::body::Seat;
use super::mesh::{Mesh, quality};
use crate::geom::{Point, Vector};

/// Collapses make no tetrahedron worse than this, unless one was worse before.
pub(super) const GOOD: f64 = 0.3;

/// How long edges should be.
pub(super) struct Sizes {
    /// At the surface.
    pub edge: f64,
    /// At each node, from how deep it was when it was made; nodes that have come since are at the surface.
    pub lengths: Vec<f64>,
}

impl Sizes {
    pub fn at(&self, node: u32) -> f64 {
        self.lengths.get(node as usize).copied().unwrap_or(self.edge)
    }

    pub fn between(&self, a: u32, b: u32) -> f64 {
        0.5 * (self.at(a) + self.at(b))
    }
}

/// Moves `gone` onto `kept`, and removes what lies between, if shape, quality and sizes allow it.
pub(super) fn collapse(mesh: &mut Mesh, sizes: Option<&Sizes>, gone: u32, kept: u32) -> bool {
    let keeps_patches = mesh.patches(gone).iter().all(|p| mesh.patches(kept).contains(p));
    if matches!(mesh.seat(gone), Seat::Corner(_)) || !keeps_patches || (!mesh.is_inside(gone) && mesh.is_inside(kept)) {
        return false;
    }
    contract(mesh, sizes, gone, kept)
}

/// The collapse itself: seats have been looked at.
pub(super) fn contract(mesh: &mut Mesh, sizes: Option<&Sizes>, gone: u32, kept: u32) -> bool {
    // What is frozen stays, and whether the surface allows it is known only where all of it is in the mesh.
    if mesh.is_frozen(gone) || (!mesh.is_inside(gone) && mesh.is_frozen(kept)) {
        return false;
    }
    let to = mesh.at(kept);
    let around = &mesh.around[gone as usize];
    let is_changed = |tet: &[u32; 4]| !tet.contains(&kept);
    let changed = || around.iter().map(|t| &mesh.tets[*t as usize]).filter(|tet| is_changed(tet));
    if let Some(sizes) = sizes {
        let too_long = |i: &u32| *i != gone && (mesh.at(*i) - to).norm() > 1.5 * sizes.between(*i, kept);
        if changed().flatten().any(too_long) {
            return false;
        }
    }
    // What was there before is looked at only where it could excuse what comes after.
    let enough = if sizes.is_some() { GOOD } else { 0.05 };
    let mut allowed = enough;
    for tet in changed() {
        let after = quality(&tet.map(|i| if i == gone { to } else { mesh.at(i) }));
        if after <= 0.0 {
            return false;
        }
        if after < allowed && allowed == enough {
            allowed = around.iter().map(|t| mesh.quality(*t)).fold(enough, f64::min);
        }
        if after < allowed {
            return false;
        }
    }
    if !mesh.is_inside(gone) && !skin_allows(mesh, gone, kept, sizes.is_some()) {
        return false;
    }
    mesh.merge(gone, kept);
    true
}

/// Whether the boundary stays a surface, and near where it was, when a node of it is moved onto another.
fn skin_allows(mesh: &Mesh, gone: u32, kept: u32, in_shape: bool) -> bool {
    let faces = mesh.skin_at(gone);
    let shared = faces.iter().filter(|f| f.contains(&kept)).count();
    if shared != 2 {
        return false;
    }
    // The nodes next to both are those of the tetrahedra at the edge; on the surface they are just two.
    let (ours, theirs) = (mesh.linked(gone), mesh.linked(kept));
    let common: Vec<u32> = ours.into_iter().filter(|i| theirs.binary_search(i).is_ok()).collect();
    let star = mesh.star(&[gone, kept]);
    if !common.iter().all(|i| star.iter().any(|t| mesh.tets[*t as usize].contains(i))) {
        return false;
    }
    let of_kept = mesh.skin_at(kept);
    let beside = |faces: &[[u32; 3]], i: &u32| faces.iter().any(|f| f.contains(i));
    let on_both = common.iter().filter(|i| beside(&faces, i) && beside(&of_kept, i)).count();
    if on_both != 2 {
        return false;
    }
    // Along a curve, the node goes to a neighbour on it.
    faces.iter().filter(|f| !f.contains(&kept)).all(|face| {
        let moved = face.map(|i| if i == gone { kept } else { i });
        let (old, new) = (mesh.normal(face), mesh.normal(&moved));
        let size = new.norm();
        // Patches keep their sides: all three corners still have one in common.
        let Some(patch) = mesh.common_patch(&moved).filter(|_| in_shape) else { return !in_shape };
        let middle = mesh.middle(&moved);
        let near = || (mesh.body.onto(Seat::Patch(patch), &middle) - middle).norm() < 0.08 * size.sqrt();
        new.dot(&old) > 0.9 * size * old.norm() && near()
    })
}

/// Moves one node, within its seat, to where the worst tetrahedron around it is better.
pub(super) fn smooth_node(mesh: &mut Mesh, node: u32) -> bool {
    let seat = mesh.seat(node);
    if mesh.around[node as usize].is_empty() || matches!(seat, Seat::Corner(_)) || mesh.is_frozen(node) {
        return false;
    }
    let from = mesh.at(node);
    let mut shell = mesh.shell(node);
    let mut best = (shell.worst(&from), from);
    let start = best.0;
    // What the node should be in the middle of: its neighbours, those on its own patch or curve only if it sits on one.
    let allowed = |i: &u32| mesh.patches(node).iter().all(|p| mesh.patches(*i).contains(p));
    let neighbours: Vec<u32> = mesh.linked(node).into_iter().filter(allowed).collect();
    if neighbours.is_empty() {
        return false;
    }
    let sum = neighbours.iter().fold(Vector::zeros(), |sum, i| sum + (mesh.at(*i) - from));
    let middle = sum / neighbours.len() as f64;
    let reach = neighbours.iter().map(|i| (mesh.at(*i) - from).norm()).sum::<f64>() / neighbours.len() as f64;
    let mut better = |step: Vector, best: (f64, Point)| {
        let p = mesh.body.onto(seat, &(from + step));
        let is_near = (p - from).norm() < reach;
        let worst = if is_near { shell.worst_above(&p, best.0) } else { None };
        worst.map_or(best, |worst| (worst, p))
    };
    for share in [1.0, 0.5, 0.2] {
        best = better(middle * share, best);
        if best.0 > start {
            break;
        }
    }
    if best.0 < 0.45 {
        for scale in [0.2, 0.1, 0.05] {
            let base = best.1 - from;
            for k in 0..6 {
                let mut step = base;
                step[k / 2] += scale * reach * if k % 2 == 0 { 1.0 } else { -1.0 };
                best = better(step, best);
            }
        }
    }
    // Differences that are mostly rounding are no reason to move.
    if best.0 > start + 1e-6 {
        mesh.place(node, best.1);
        return true;
    }
    false
}
