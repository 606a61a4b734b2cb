//! Whether a mesh is all of its body: where that is thinner than the lattice, stuffing leaves gaps, and crumbs beyond them.
//!
//! Every connected body of the mesh has nodes on *parts* of the surface (what its triangles make when joined at their edges):
//! the outside of a hollow ball is one part and the inside another, and one body lies between them. A part has one body, the
//! largest that touches it; others that are much smaller are crumbs. Crumbs are dropped, and count as missing.

use super::body::Parts;
use super::mesh::{Mesh, volume};
use crate::geom::{NONE, union_find};
use std::collections::BTreeMap;

/// A body smaller than this share of another one on the same part is a crumb.
const CRUMB: f64 = 0.1;
/// A body whose volume is off by more than this share is not whole.
const OFF: f64 = 0.1;
/// The same before sharp edges have been met.
const OFF_EARLY: f64 = 0.3;
/// The same where the volume of the surface is a guess: it has holes, or parts that overlap.
const OFF_UNSOUND: f64 = 0.5;
/// Parts with less than this share of the volume may be lost.
const LEAST_PART: f64 = 1e-3;

/// The connected bodies of a mesh.
struct Bodies {
    /// Of each node; [`NONE`] if it has no tetrahedra.
    of_node: Vec<u32>,
    volumes: Vec<f64>,
    /// Which body touches which part, ascending.
    touching: Vec<(u32, u32)>,
}

impl Bodies {
    fn of(mesh: &Mesh, parts: &Parts) -> Self {
        let mut parents: Vec<u32> = (0..mesh.points.len() as u32).collect();
        for t in mesh.living() {
            let [a, rest @ ..] = mesh.tets[t as usize];
            rest.iter().for_each(|i| {
                union_find::join(&mut parents, a, *i);
            });
        }
        let mut of_node = vec![NONE; mesh.points.len()];
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        for node in 0..mesh.points.len() as u32 {
            if !mesh.around[node as usize].is_empty() {
                let next = numbers.len() as u32;
                of_node[node as usize] = *numbers.entry(union_find::find(&mut parents, node)).or_insert(next);
            }
        }
        let mut volumes = vec![0.0; numbers.len()];
        for t in mesh.living() {
            volumes[of_node[mesh.tets[t as usize][0] as usize] as usize] += volume(&mesh.corners(t));
        }
        let mut touching: Vec<(u32, u32)> = (0..mesh.points.len() as u32)
            .filter(|node| of_node[*node as usize] != NONE)
            .filter_map(|node| {
                let patch = mesh.patches(node).first()?;
                Some((of_node[node as usize], *parts.of_patch.get(*patch as usize)?))
            })
            .collect();
        touching.sort_unstable();
        touching.dedup();
        Self { of_node, volumes, touching }
    }
}

/// Drops bodies that are crumbs of others.
pub(super) fn drop_crumbs(mesh: &mut Mesh) {
    let Some(parts) = mesh.body.parts() else { return };
    let bodies = Bodies::of(mesh, parts);
    if bodies.volumes.len() < 2 {
        return;
    }
    let mut largest = vec![0.0f64; parts.volumes.len()];
    for &(body, part) in &bodies.touching {
        largest[part as usize] = largest[part as usize].max(bodies.volumes[body as usize]);
    }
    let mut keep = vec![false; bodies.volumes.len()];
    for &(body, part) in &bodies.touching {
        keep[body as usize] |= bodies.volumes[body as usize] >= CRUMB * largest[part as usize];
    }
    for t in mesh.living() {
        if !keep[bodies.of_node[mesh.tets[t as usize][0] as usize] as usize] {
            mesh.remove(t);
        }
    }
}

/// Whether each part of the surface has one body, with its volume. Bodies that nobody knows the parts of are taken as whole.
pub(super) fn is_whole(mesh: &Mesh) -> bool {
    is_within(mesh, OFF)
}

/// The same for a mesh that is not on its sharp edges yet: those cut off are missing too.
pub(super) fn is_nearly_whole(mesh: &Mesh) -> bool {
    is_within(mesh, OFF_EARLY)
}

fn is_within(mesh: &Mesh, off: f64) -> bool {
    let Some(parts) = mesh.body.parts() else { return true };
    let bodies = Bodies::of(mesh, parts);
    let all: f64 = parts.volumes.iter().sum();
    if !parts.sound {
        return bodies.volumes.iter().sum::<f64>() >= (1.0 - OFF_UNSOUND) * all;
    }
    // Parts of one body belong together, as both sides of a shell do.
    let (count, own) = (parts.volumes.len() as u32, bodies.volumes.len() as u32);
    let mut parents: Vec<u32> = (0..count + own).collect();
    for &(body, part) in &bodies.touching {
        union_find::join(&mut parents, part, count + body);
    }
    let mut groups: BTreeMap<u32, (f64, f64, usize, usize)> = BTreeMap::new();
    for part in 0..count {
        let group = groups.entry(union_find::find(&mut parents, part)).or_default();
        let volume = parts.volumes[part as usize];
        group.0 += volume;
        group.2 += usize::from(volume > 0.0);
    }
    for body in 0..own {
        let group = groups.entry(union_find::find(&mut parents, count + body)).or_default();
        group.1 += bodies.volumes[body as usize];
        group.3 += 1;
    }
    groups.values().all(|&(wanted, made, parts, bodies)| {
        let small = wanted.abs().max(made) < LEAST_PART * all;
        small || (bodies <= parts && (made - wanted).abs() <= off * wanted)
    })
}
