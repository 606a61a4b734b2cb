//! The tetrahedra of a soft body, how they hang together, and their boundary, which follows cuts locally (Marchal 2004, 4.3).
//!
//! A cut is the caller's: tetrahedra get other corners, mostly nodes that were doubled, or are removed. Only faces of tetrahedra that
//! change are looked at.

use crate::error::{Result, bad_argument, bad_mesh};
use crate::geom::random::{Mixed, mix};
use crate::geom::tet_tet::FACES;
use crate::geom::{NONE, Point};
use crate::heap::held;
use crate::solid::signed_volume;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// The corners of a tetrahedron that was removed.
pub(super) const REMOVED: [u32; 4] = [NONE; 4];

/// Nodes and tetrahedra, at most: four times the number of a tetrahedron fits 32 bits.
pub(super) const MOST: usize = u32::MAX as usize / 8;

/// The nodes of a face, ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FaceNodes([u32; 3]);

impl Hash for FaceNodes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [a, b, c] = self.0.map(u64::from);
        state.write_u64(mix(a << 32 | b) ^ mix(c));
    }
}

/// The one or two faces (four times the tetrahedron, plus the face) at the same three nodes: the one whose ascending order of nodes is
/// counter-clockwise seen from outside comes first.
type Sides = [u32; 2];
type Faces = HashMap<FaceNodes, Sides, BuildHasherDefault<Mixed>>;

/// Connectivity of a soft body.
#[derive(Clone, Debug)]
pub(super) struct TetMesh {
    /// Corners, of positive volume when they were given; [`REMOVED`] if it was removed.
    pub tets: Vec<[u32; 4]>,
    /// Whether the caller lists the last two corners the other way round.
    is_turned: Vec<bool>,
    /// The face across each face, as four times the tetrahedron plus the face; [`NONE`] is the boundary.
    pub across: Vec<[u32; 4]>,
    /// The faces of the boundary.
    pub boundary: Vec<u32>,
    /// The place of each face in that list, or [`NONE`].
    places: Vec<[u32; 4]>,
    faces: Faces,
    /// Whether new tetrahedra are right-handed as they are listed, whatever their volume.
    is_oriented: bool,
}

impl TetMesh {
    /// Fails if a corner is out of range, a tetrahedron uses a node twice or, unless they are oriented, has no volume, or faces do not fit
    /// together.
    pub fn new(tets: &[[u32; 4]], positions: &[Point], is_oriented: bool) -> Result<Self> {
        if tets.len() > MOST || positions.len() > MOST {
            bad_mesh!("there are {} tets and {} nodes; at most {MOST} of each", tets.len(), positions.len());
        }
        let mut mesh = Self {
            tets: vec![],
            is_turned: vec![],
            across: vec![],
            boundary: vec![],
            places: vec![],
            faces: Faces::with_capacity_and_hasher(2 * tets.len() + 2, Default::default()),
            is_oriented,
        };
        let all: Vec<(u32, [u32; 4])> = (0..).zip(tets.iter().copied()).collect();
        mesh.change(&all, positions)?;
        if mesh.tets.iter().all(|tet| *tet == REMOVED) {
            bad_mesh!("a soft body needs at least one tet");
        }
        Ok(mesh)
    }

    /// Gives some tetrahedra other corners, or removes them; numbers that follow the last are added. Fails, and changes nothing, if a
    /// corner is out of range, a node is used twice, a new tetrahedron has no volume (unless they are oriented), or faces do not fit together.
    pub fn change(&mut self, changes: &[(u32, [u32; 4])], positions: &[Point]) -> Result<()> {
        let turned = self.check(changes, positions)?;
        let known = self.tets.len();
        for t in changes.iter().map(|(t, _)| *t as usize).filter(|t| *t < known) {
            (0..4).for_each(|k| self.unlink(t, k));
        }
        for ((t, corners), turned) in changes.iter().zip(turned) {
            if *t as usize == self.tets.len() {
                self.tets.push(REMOVED);
                self.is_turned.push(turned);
                self.across.push([NONE; 4]);
                self.places.push([NONE; 4]);
            }
            self.tets[*t as usize] = ordered(*corners, turned);
            self.is_turned[*t as usize] = turned;
        }
        for t in changes.iter().filter(|(_, corners)| *corners != REMOVED).map(|(t, _)| *t as usize) {
            (0..4).for_each(|k| self.link(t, k));
        }
        Ok(())
    }

    /// Whether each changed tetrahedron is turned.
    fn check(&self, changes: &[(u32, [u32; 4])], positions: &[Point]) -> Result<Vec<bool>> {
        let mut next = self.tets.len();
        let mut seen = vec![];
        let mut turned = vec![];
        for (k, (t, corners)) in changes.iter().enumerate() {
            if *t as usize > next {
                bad_argument!("changes[{k}] is of tet {t}; there are {next}, and new ones follow them");
            }
            let is_new = *t as usize == next;
            next += is_new as usize;
            seen.push(*t);
            if *corners == REMOVED {
                turned.push(false);
                continue;
            }
            if let Some(corner) = corners.iter().find(|c| **c as usize >= positions.len()) {
                bad_mesh!("tets[{t}] has the node {corner}; there are {}", positions.len());
            }
            let [a, b, c, d] = *corners;
            if a == b || a == c || a == d || b == c || b == d || c == d {
                bad_mesh!("tets[{t}] is {corners:?}: it uses a node twice");
            }
            // One that was there is as it was: deformed, it may be inverted now.
            let is_known = !is_new && (*t as usize) < self.tets.len() && self.tets[*t as usize] != REMOVED;
            turned.push(if is_known {
                self.is_turned[*t as usize]
            } else if self.is_oriented {
                false
            } else {
                let volume = signed_volume(&corners.map(|v| positions[v as usize]));
                if volume == 0.0 || volume.is_nan() {
                    bad_mesh!("tets[{t}] is {corners:?}: it has no volume");
                }
                volume < 0.0
            });
        }
        seen.sort_unstable();
        if let Some(twice) = seen.windows(2).find(|pair| pair[0] == pair[1]) {
            bad_argument!("tet {} is changed twice in one call", twice[0]);
        }
        self.check_faces(changes, &turned)?;
        Ok(turned)
    }

    /// Fails if more than two faces, or two of the same side, would have the same nodes.
    fn check_faces(&self, changes: &[(u32, [u32; 4])], turned: &[bool]) -> Result<()> {
        let mut after = Faces::with_capacity_and_hasher(8 * changes.len(), Default::default());
        let now = |nodes: &FaceNodes| self.faces.get(nodes).copied().unwrap_or([NONE; 2]);
        for (t, _) in changes.iter().filter(|(t, _)| (*t as usize) < self.tets.len()) {
            for k in 0..4 {
                if self.tets[*t as usize] != REMOVED {
                    let (nodes, side) = face(&self.tets[*t as usize], k);
                    after.entry(nodes).or_insert_with(|| now(&nodes))[side] = NONE;
                }
            }
        }
        for ((t, corners), turned) in changes.iter().zip(turned).filter(|((_, corners), _)| *corners != REMOVED) {
            for k in 0..4 {
                let (nodes, side) = face(&ordered(*corners, *turned), k);
                let place = &mut after.entry(nodes).or_insert_with(|| now(&nodes))[side];
                if *place != NONE {
                    bad_mesh!("tets {} and {t} are on the same side of the face {:?}", *place / 4, nodes.0);
                }
                *place = 4 * t + k as u32;
            }
        }
        Ok(())
    }

    fn unlink(&mut self, t: usize, k: usize) {
        if self.tets[t] == REMOVED {
            return;
        }
        let (nodes, side) = face(&self.tets[t], k);
        if let Some(sides) = self.faces.get_mut(&nodes) {
            sides[side] = NONE;
            match sides[1 - side] {
                NONE => drop(self.faces.remove(&nodes)),
                other => {
                    self.across[other as usize / 4][other as usize % 4] = NONE;
                    self.add_to_boundary(other);
                }
            }
        }
        self.across[t][k] = NONE;
        self.remove_from_boundary(4 * t as u32 + k as u32);
    }

    fn link(&mut self, t: usize, k: usize) {
        let (nodes, side) = face(&self.tets[t], k);
        let own = 4 * t as u32 + k as u32;
        let sides = self.faces.entry(nodes).or_insert([NONE; 2]);
        sides[side] = own;
        match sides[1 - side] {
            NONE => self.add_to_boundary(own),
            other => {
                self.across[t][k] = other;
                self.across[other as usize / 4][other as usize % 4] = own;
                self.remove_from_boundary(other);
            }
        }
    }

    fn add_to_boundary(&mut self, face: u32) {
        let place = &mut self.places[face as usize / 4][face as usize % 4];
        if *place == NONE {
            *place = self.boundary.len() as u32;
            self.boundary.push(face);
        }
    }

    fn remove_from_boundary(&mut self, face: u32) {
        let place = std::mem::replace(&mut self.places[face as usize / 4][face as usize % 4], NONE);
        if place != NONE {
            self.boundary.swap_remove(place as usize);
            if let Some(moved) = self.boundary.get(place as usize) {
                self.places[*moved as usize / 4][*moved as usize % 4] = place;
            }
        }
    }

    /// The nodes of a face, counter-clockwise seen from outside its tetrahedron.
    #[inline]
    pub fn face(&self, face: u32) -> [u32; 3] {
        let tet = &self.tets[face as usize / 4];
        FACES[face as usize % 4].map(|k| tet[k])
    }

    /// Heap memory, about: the table of faces is not counted to the byte.
    pub fn bytes(&self) -> usize {
        let lists = held(&self.tets) + held(&self.is_turned) + held(&self.across) + held(&self.boundary);
        lists + held(&self.places) + self.faces.capacity() * (size_of::<FaceNodes>() + size_of::<Sides>() + 1)
    }
}

fn ordered([a, b, c, d]: [u32; 4], turned: bool) -> [u32; 4] {
    if turned { [a, b, d, c] } else { [a, b, c, d] }
}

/// The nodes of a face, and on which side of them its tetrahedron is.
fn face(tet: &[u32; 4], k: usize) -> (FaceNodes, usize) {
    let [a, b, c] = FACES[k].map(|k| tet[k]);
    let mut nodes = [a, b, c];
    nodes.sort_unstable();
    // An even permutation keeps the sense.
    let is_even = nodes == [a, b, c] || nodes == [b, c, a] || nodes == [c, a, b];
    (FaceNodes(nodes), !is_even as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    /// A block of cells, six tetrahedra each.
    pub fn block(n: usize) -> (Vec<Point>, Vec<[u32; 4]>) {
        let at = |i: usize, j: usize, k: usize| ((i * (n + 1) + j) * (n + 1) + k) as u32;
        let mut nodes = vec![];
        for i in 0..=n {
            for j in 0..=n {
                nodes.extend((0..=n).map(|k| Point::new(i as f64, j as f64, k as f64)));
            }
        }
        let mut tets = vec![];
        for (i, j, k) in (0..n * n * n).map(|c| (c / n / n, c / n % n, c % n)) {
            for [p, q] in [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]] {
                let mut corner = [i, j, k];
                let first = at(i, j, k);
                corner[p] += 1;
                let second = at(corner[0], corner[1], corner[2]);
                corner[q] += 1;
                let third = at(corner[0], corner[1], corner[2]);
                tets.push([first, second, third, at(i + 1, j + 1, k + 1)]);
            }
        }
        (nodes, tets)
    }

    fn same(mesh: &TetMesh, fresh: &TetMesh) {
        let sorted = |mesh: &TetMesh| {
            let mut list = mesh.boundary.clone();
            list.sort_unstable();
            list
        };
        assert_eq!(sorted(mesh), sorted(fresh));
        assert_eq!(mesh.tets, fresh.tets);
        assert_eq!(mesh.across, fresh.across);
        assert_eq!(mesh.faces, fresh.faces);
        for (place, face) in mesh.boundary.iter().enumerate() {
            assert_eq!(mesh.places[*face as usize / 4][*face as usize % 4], place as u32);
        }
    }

    #[test]
    fn the_boundary_is_closed_and_faces_outwards() {
        let (nodes, tets) = block(4);
        let mesh = TetMesh::new(&tets, &nodes, false).unwrap();
        assert_eq!(mesh.boundary.len(), 6 * 16 * 2);
        let flux: f64 = mesh
            .boundary
            .iter()
            .map(|f| {
                let [a, b, c] = mesh.face(*f).map(|v| nodes[v as usize].coords);
                a.dot(&b.cross(&c)) / 6.0
            })
            .sum();
        assert!((flux - 64.0).abs() < 1e-9, "the volume is {flux}");
    }

    #[test]
    fn cuts_leave_what_a_new_mesh_would_have() {
        let (nodes, tets) = block(3);
        for seed in 0..40u64 {
            let (mut nodes, mut tets) = (nodes.clone(), tets.clone());
            let mut mesh = TetMesh::new(&tets, &nodes, false).unwrap();
            let mut torn: Vec<[u32; 4]> = vec![];
            for round in 0..6 {
                let key = |k: u64| seed * 1000 + round * 100 + k;
                let mut changes = vec![];
                if round % 3 == 2 {
                    // Some are torn out, one is put back.
                    for k in 0..4 {
                        let t = (unit(1, key(k)) * tets.len() as f64) as u32;
                        if !changes.iter().any(|(other, _)| *other == t) {
                            changes.push((t, REMOVED));
                        }
                    }
                    if let Some(old) = torn.pop() {
                        changes.push((tets.len() as u32, old));
                    }
                    torn.extend(changes.iter().map(|(t, _)| tets.get(*t as usize).copied().unwrap_or(REMOVED)));
                    torn.retain(|tet| *tet != REMOVED);
                } else {
                    // A node is doubled on one side of a plane.
                    let v = (unit(2, key(9)) * nodes.len() as f64) as u32;
                    let axis = (unit(3, key(9)) * 3.0) as usize;
                    let twin = nodes.len() as u32;
                    nodes.push(nodes[v as usize]);
                    for (t, tet) in tets.iter().enumerate().filter(|(_, tet)| tet.contains(&v)) {
                        let middle: f64 = tet.iter().map(|n| nodes[*n as usize][axis]).sum::<f64>() / 4.0;
                        if middle > nodes[v as usize][axis] {
                            changes.push((t as u32, tet.map(|n| if n == v { twin } else { n })));
                        }
                    }
                }
                for (t, corners) in &changes {
                    tets.resize(tets.len().max(*t as usize + 1), REMOVED);
                    tets[*t as usize] = *corners;
                }
                mesh.change(&changes, &nodes).unwrap();
                same(&mesh, &TetMesh::new(&tets, &nodes, false).unwrap());
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_named_and_changes_nothing() {
        let (nodes, tets) = block(2);
        let mut mesh = TetMesh::new(&tets, &nodes, false).unwrap();
        let before = mesh.clone();
        let mut fails = |changes: &[(u32, [u32; 4])], text: &str| {
            let error = mesh.change(changes, &nodes).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
            same(&mesh, &before);
        };
        fails(&[(0, [0, 1, 2, 99])], "the node 99");
        fails(&[(0, [0, 1, 1, 2])], "twice");
        fails(&[(0, REMOVED), (0, REMOVED)], "changed twice");
        fails(&[(900, tets[0])], "of tet 900");
        fails(&[(tets.len() as u32, tets[0])], "same side");
        fails(&[(tets.len() as u32, [0, 1, 2, 0])], "twice");
        // Three nodes in a row and one beside them.
        fails(&[(tets.len() as u32, [0, 1, 2, 3])], "no volume");
        assert!(TetMesh::new(&[], &nodes, false).unwrap_err().to_string().contains("at least one"));
        assert!(TetMesh::new(&[REMOVED], &nodes, false).is_err());
    }
}
