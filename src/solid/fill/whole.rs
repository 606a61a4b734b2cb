//! Whether a mesh is all of its body: where that is thinner than the lattice, stuffing leaves gaps, and crumbs beyond them.
//!
//! Every connected body of the mesh has nodes on *parts* of the surface (what its triangles make when joined at their edges):
//! the outside of a hollow ball is one part and the inside another, and one body lies between them. A part has one body, the
//! largest that touches it; others that are much smaller are crumbs. Crumbs are dropped, and count as missing.

use super::body::{Body, Parts, Seat};
use super::mesh::{Mesh, volume};
use crate::geom::{NONE, Point, union_find};
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
pub(super) struct Bodies<'a> {
    parts: &'a Parts,
    /// Of each node; [`NONE`] if it has no tetrahedra.
    of_node: Vec<u32>,
    volumes: Vec<f64>,
    /// Which body touches which part, ascending.
    touching: Vec<(u32, u32)>,
}

/// What is looked at of a mesh.
pub(super) struct View<'a> {
    pub body: &'a dyn Body,
    pub points: &'a [Point],
    pub seats: &'a [Seat],
    /// In lists; the first node of one that is gone is [`NONE`].
    pub tets: &'a [Vec<[u32; 4]>],
}

impl<'a> Bodies<'a> {
    pub fn of(mesh: &View, parts: &'a Parts) -> Self {
        let living = || mesh.tets.iter().flatten().filter(|tet| tet[0] != NONE);
        let mut parents: Vec<u32> = (0..mesh.points.len() as u32).collect();
        let mut used = vec![false; mesh.points.len()];
        for [a, rest @ ..] in living() {
            used[*a as usize] = true;
            rest.iter().for_each(|i| {
                used[*i as usize] = true;
                union_find::join(&mut parents, *a, *i);
            });
        }
        let mut of_node = vec![NONE; mesh.points.len()];
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        for node in 0..mesh.points.len() as u32 {
            if used[node as usize] {
                let next = numbers.len() as u32;
                of_node[node as usize] = *numbers.entry(union_find::find(&mut parents, node)).or_insert(next);
            }
        }
        let mut volumes = vec![0.0; numbers.len()];
        for tet in living() {
            volumes[of_node[tet[0] as usize] as usize] += volume(&tet.map(|i| mesh.points[i as usize]));
        }
        let mut touching: Vec<(u32, u32)> = (0..mesh.points.len())
            .filter(|node| of_node[*node] != NONE)
            .filter_map(|node| {
                let patch = mesh.seats[node].patches(mesh.body).first()?;
                Some((of_node[node], *parts.of_patch.get(*patch as usize)?))
            })
            .collect();
        touching.sort_unstable();
        touching.dedup();
        Self { parts, of_node, volumes, touching }
    }
}

/// Drops bodies that are crumbs of others.
pub(super) fn drop_crumbs(mesh: &mut Mesh) {
    let Some(crumbs) = View::of(mesh).bodies().and_then(|bodies| bodies.crumbs()) else { return };
    for t in mesh.living() {
        if crumbs[mesh.tets[t as usize][0] as usize] {
            mesh.remove(t);
        }
    }
}

impl<'a> View<'a> {
    pub fn of(mesh: &'a Mesh) -> Self {
        Self { body: mesh.body, points: &mesh.points, seats: &mesh.seats, tets: std::slice::from_ref(&mesh.tets) }
    }

    /// The connected bodies of the mesh; nothing if nobody knows the parts of the surface.
    fn bodies(&self) -> Option<Bodies<'a>> {
        Some(Bodies::of(self, self.body.parts()?))
    }

    /// Whether each part of the surface has one body, with its volume. Where nobody knows the parts, all is taken as whole.
    pub fn is_whole(&self) -> bool {
        self.bodies().is_none_or(|bodies| bodies.are_within(OFF))
    }

    /// The same for a mesh that is not on its sharp edges yet: those cut off are missing too.
    pub fn is_nearly_whole(&self) -> bool {
        self.bodies().is_none_or(|bodies| bodies.are_nearly_whole())
    }
}

impl Bodies<'_> {
    /// Whether each node is one of a crumb; nothing if there is none.
    pub fn crumbs(&self) -> Option<Vec<bool>> {
        if self.volumes.len() < 2 {
            return None;
        }
        let mut largest = vec![0.0f64; self.parts.volumes.len()];
        for &(body, part) in &self.touching {
            largest[part as usize] = largest[part as usize].max(self.volumes[body as usize]);
        }
        let mut keep = vec![false; self.volumes.len()];
        for &(body, part) in &self.touching {
            keep[body as usize] |= self.volumes[body as usize] >= CRUMB * largest[part as usize];
        }
        Some(self.of_node.iter().map(|body| *body != NONE && !keep[*body as usize]).collect())
    }

    /// See [`View::is_nearly_whole`].
    pub fn are_nearly_whole(&self) -> bool {
        self.are_within(OFF_EARLY)
    }

    fn are_within(&self, off: f64) -> bool {
        let (bodies, parts) = (self, self.parts);
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
}
