//! A tetrahedral mesh that can be changed: nodes moved, edges split and collapsed, edges and faces exchanged.
//!
//! Every change keeps all tetrahedra positive; one that would not is refused. The *quality* of a tetrahedron is its volume
//! over the cube of its root mean square edge, 1 for the regular one and 0 for a flat one.

use super::body::{Body, Seat};
use crate::geom::{NONE, Point, Vector};

/// The mesh.
pub(super) struct Mesh<'a> {
    pub body: &'a dyn Body,
    pub points: Vec<Point>,
    pub seats: Vec<Seat>,
    /// Positive; the first node of one that is gone is [`NONE`].
    pub tets: Vec<[u32; 4]>,
    /// The tetrahedra around each node, in no order.
    pub around: Vec<Vec<u32>>,
    /// In which pass something about each node last changed: its seat, a tetrahedron around it, or a corner of one. What a
    /// pass has tried in vain need not be tried again while that is so.
    changed: Vec<u32>,
    /// The pass that is going on.
    pass: u32,
    /// How many tetrahedra are gone.
    gone: usize,
    /// Whether a node must stay as it is: there are tetrahedra around it that are not in this mesh.
    frozen: Vec<bool>,
}

/// The faces of a tetrahedron, counter-clockwise seen from outside; face k is opposite node k.
pub(super) const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// The edges of a tetrahedron, and the other two nodes in the order that makes all four a positive one again.
pub(super) const EDGES: [[usize; 4]; 6] =
    [[0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 2, 0], [2, 3, 0, 1]];

/// For two nodes of a tetrahedron, the other two in the order that makes all four a positive one again.
const OPPOSITE: [[[usize; 2]; 4]; 4] = [
    [[0, 0], [2, 3], [3, 1], [1, 2]],
    [[3, 2], [0, 0], [0, 3], [2, 0]],
    [[1, 3], [3, 0], [0, 0], [0, 1]],
    [[2, 1], [0, 2], [1, 0], [0, 0]],
];

/// Rings around edges of more nodes are left alone.
pub(super) const LONGEST_RING: usize = 9;

/// A few nodes or tetrahedra around an edge.
#[derive(Default)]
pub(super) struct Ring {
    list: [u32; LONGEST_RING],
    count: usize,
}

impl Ring {
    fn push(&mut self, number: u32) {
        self.list[self.count] = number;
        self.count += 1;
    }

    pub fn as_slice(&self) -> &[u32] {
        &self.list[..self.count]
    }
}

pub(super) fn volume(&[a, b, c, d]: &[Point; 4]) -> f64 {
    (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
}

#[inline]
pub(super) fn quality(corners: &[Point; 4]) -> f64 {
    let [a, b, c, d] = corners;
    let squares = [b - a, c - a, d - a, c - b, d - b, d - c].iter().map(|e| e.norm_squared()).sum::<f64>() / 6.0;
    let cube = squares * squares.sqrt();
    if cube > 0.0 { ROOT_OF_72 * volume(corners) / cube } else { 0.0 }
}

/// Faces around a node: with any point on their inner side they make positive tetrahedra.
pub(super) struct Shell {
    /// Those that were the worst come first.
    faces: Vec<Opposite>,
}

/// A face, with what the quality of a tetrahedron over it takes from it alone.
struct Opposite {
    corners: [Point; 3],
    normal: Vector,
    /// Squared lengths: of the sides from the first corner, added, and of the other.
    from_first: f64,
    other: f64,
}

impl Opposite {
    fn new(corners: [Point; 3]) -> Self {
        let [a, b, c] = corners;
        let from_first = (b - a).norm_squared() + (c - a).norm_squared();
        Self { corners, normal: (b - a).cross(&(c - a)), from_first, other: (c - b).norm_squared() }
    }

    /// [`quality`] of the tetrahedron with this point, bit for bit.
    fn quality(&self, p: &Point) -> f64 {
        let [x, y, z] = self.corners.map(|corner| p - corner);
        let squares = (self.from_first + x.norm_squared() + self.other + y.norm_squared() + z.norm_squared()) / 6.0;
        let cube = squares * squares.sqrt();
        if cube > 0.0 { ROOT_OF_72 * (self.normal.dot(&x) / 6.0) / cube } else { 0.0 }
    }
}

impl Shell {
    /// The worst quality of the tetrahedra that a point makes with the faces.
    pub fn worst(&mut self, p: &Point) -> f64 {
        let mut worst = (f64::INFINITY, 0);
        for (face, k) in self.faces.iter().zip(0..) {
            let quality = face.quality(p);
            if quality < worst.0 {
                worst = (quality, k);
            }
        }
        self.put_first(worst.1);
        worst.0
    }

    /// The same, if it is more than `bar`.
    pub fn worst_above(&mut self, p: &Point, bar: f64) -> Option<f64> {
        let mut worst = f64::INFINITY;
        for k in 0..self.faces.len() {
            let quality = self.faces[k].quality(p);
            if quality <= bar {
                self.put_first(k);
                return None;
            }
            worst = worst.min(quality);
        }
        Some(worst)
    }

    /// A face that is too bad for one point most likely is for the next.
    fn put_first(&mut self, k: usize) {
        if k > 0 {
            self.faces.swap(0, k);
        }
    }
}

/// The triangles of the boundary: those of one tetrahedron only. Most faces have a node inside and need not be counted.
pub(super) fn skin_of<'a>(
    tets: impl IntoIterator<Item = &'a [u32; 4]>,
    is_inside: impl Fn(u32) -> bool,
) -> Vec<[u32; 3]> {
    let mut faces: Vec<([u32; 3], [u32; 3])> = vec![];
    for tet in tets.into_iter().filter(|t| t[0] != NONE) {
        let inside = tet.map(&is_inside);
        for f in FACES {
            if f.iter().all(|k| !inside[*k]) {
                let face = f.map(|k| tet[k]);
                let mut key = face;
                key.sort_unstable();
                faces.push((key, face));
            }
        }
    }
    faces.sort_unstable();
    faces.chunk_by(|f, g| f.0 == g.0).filter(|run| run.len() == 1).map(|run| run[0].1).collect()
}

/// What makes the quality of the regular one 1.
const ROOT_OF_72: f64 = 8.48528137423857;

impl<'a> Mesh<'a> {
    /// A mesh of these tetrahedra. Nodes of its boundary are among those `on_surface`.
    pub fn new(body: &'a dyn Body, points: Vec<Point>, tets: Vec<[u32; 4]>, on_surface: &[bool]) -> Self {
        let skin = skin_of(&tets, |i| !on_surface[i as usize]);
        let mut seats = vec![Seat::Inside; points.len()];
        for [a, b, c] in &skin {
            [a, b, c].iter().for_each(|i| seats[**i as usize] = Seat::Patch(NONE));
        }
        let (frozen, touched) = (vec![false; points.len()], vec![true; points.len()]);
        let mut mesh = Self::of_block(body, points, seats, tets, frozen, &touched);
        mesh.part(&skin);
        mesh
    }

    /// A part of a mesh. Of its nodes those that are frozen stay as they are, and only those that are `touched` count as
    /// changed.
    pub fn of_block(
        body: &'a dyn Body,
        points: Vec<Point>,
        seats: Vec<Seat>,
        tets: Vec<[u32; 4]>,
        frozen: Vec<bool>,
        touched: &[bool],
    ) -> Self {
        let mut counts = vec![0u32; points.len()];
        tets.iter().flatten().for_each(|i| counts[*i as usize] += 1);
        let mut around: Vec<Vec<u32>> = counts.iter().map(|n| Vec::with_capacity(*n as usize)).collect();
        for (tet, k) in tets.iter().zip(0..) {
            tet.iter().for_each(|i| around[*i as usize].push(k));
        }
        let changed = touched.iter().map(|touched| u32::from(*touched)).collect();
        Self { body, points, seats, tets, around, changed, pass: 1, gone: 0, frozen }
    }

    /// Parts what touches only in a node or along an edge, so that the boundary is a surface: such nodes are doubled.
    pub fn part(&mut self, skin: &[[u32; 3]]) {
        let mut edges: Vec<[u32; 2]> =
            skin.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]].map(|[p, q]| [p.min(q), p.max(q)])).collect();
        edges.sort_unstable();
        let crowded: Vec<[u32; 2]> =
            edges.chunk_by(|e, f| e == f).filter(|run| run.len() > 2).map(|run| run[0]).collect();
        for edge in crowded {
            let middle = nalgebra::center(&self.at(edge[0]), &self.at(edge[1]));
            let seat = Seat::Patch(self.body.patch_at(&middle));
            self.split(edge, middle, seat, 0.0);
        }
        for node in 0..self.points.len() as u32 {
            if self.is_inside(node) || self.is_frozen(node) {
                continue;
            }
            let mut left = self.around[node as usize].clone();
            // What hangs together through faces at the node; all but the first such group get a node of their own.
            let mut first = true;
            while let Some(start) = left.pop() {
                let mut group = vec![start];
                let mut k = 0;
                while k < group.len() {
                    let tet = self.tets[group[k] as usize];
                    let joined = |t: &u32| self.tets[*t as usize].iter().filter(|i| tet.contains(i)).count() == 3;
                    let (more, rest) = left.iter().partition::<Vec<u32>, _>(|t| joined(t));
                    group.extend(more);
                    left = rest;
                    k += 1;
                }
                if !std::mem::take(&mut first) {
                    let twin = self.points.len() as u32;
                    self.push(self.at(node), self.seat(node));
                    for t in group {
                        let tet = self.tets[t as usize].map(|i| if i == node { twin } else { i });
                        self.remove(t);
                        self.add(tet);
                    }
                }
            }
        }
    }

    /// Begins a pass, and gives its number.
    pub fn begin(&mut self) -> u32 {
        self.pass += 1;
        self.pass
    }

    /// Whether something about a node has changed since a pass began.
    pub fn has_changed(&self, node: u32, since: u32) -> bool {
        self.changed[node as usize] >= since
    }

    /// Moves a node.
    pub fn place(&mut self, node: u32, to: Point) {
        self.points[node as usize] = to;
        self.note(node);
    }

    /// Gives a node a seat.
    pub fn take(&mut self, node: u32, seat: Seat) {
        self.seats[node as usize] = seat;
        self.note(node);
    }

    /// Notes that a node has changed, for those that share a tetrahedron with it too.
    fn note(&mut self, node: u32) {
        self.changed[node as usize] = self.pass;
        for t in &self.around[node as usize] {
            self.tets[*t as usize].iter().for_each(|i| self.changed[*i as usize] = self.pass);
        }
    }

    /// A new node without tetrahedra.
    fn push(&mut self, at: Point, seat: Seat) {
        self.points.push(at);
        self.seats.push(seat);
        self.around.push(vec![]);
        self.changed.push(self.pass);
        self.frozen.push(false);
    }

    pub fn at(&self, node: u32) -> Point {
        self.points[node as usize]
    }

    pub fn seat(&self, node: u32) -> Seat {
        self.seats[node as usize]
    }

    pub fn is_inside(&self, node: u32) -> bool {
        self.seat(node) == Seat::Inside
    }

    pub fn is_frozen(&self, node: u32) -> bool {
        self.frozen[node as usize]
    }

    /// Whether an edge or a face may have tetrahedra that are not in this mesh: all of its nodes are frozen.
    pub fn is_border(&self, nodes: &[u32]) -> bool {
        nodes.iter().all(|i| self.is_frozen(*i))
    }

    pub fn corners(&self, tet: u32) -> [Point; 4] {
        self.tets[tet as usize].map(|i| self.at(i))
    }

    /// Numbers of all tetrahedra that are there.
    pub fn living(&self) -> impl Iterator<Item = u32> + use<> {
        let living: Vec<u32> = self.tets.iter().zip(0..).filter(|(t, _)| t[0] != NONE).map(|(_, k)| k).collect();
        living.into_iter()
    }

    /// The patches that meet where a node sits; empty inside.
    pub fn patches(&self, node: u32) -> &[u32] {
        self.seats[node as usize].patches(self.body)
    }

    /// A patch that all of these nodes sit on, if there is one.
    pub fn common_patch(&self, nodes: &[u32]) -> Option<u32> {
        let (first, rest) = nodes.split_first()?;
        let shared = |p: &&u32| rest.iter().all(|i| self.patches(*i).contains(p));
        self.patches(*first).iter().find(shared).copied()
    }

    /// The middle of a triangle.
    pub fn middle(&self, face: &[u32; 3]) -> Point {
        let [a, b, c] = face.map(|i| self.at(i));
        a + ((b - a) + (c - a)) / 3.0
    }

    /// The triangles of the boundary, but for those of frozen nodes only.
    pub fn skin(&self) -> Vec<[u32; 3]> {
        let mut skin = skin_of(&self.tets, |i| self.is_inside(i));
        skin.retain(|face| !self.is_border(face));
        skin
    }

    /// Tetrahedra with all of these nodes.
    pub fn star(&self, nodes: &[u32]) -> Vec<u32> {
        let (first, rest) = (nodes[0], &nodes[1..]);
        let has = |t: &&u32| rest.iter().all(|i| self.tets[**t as usize].contains(i));
        self.around[first as usize].iter().filter(has).copied().collect()
    }

    /// Whether there is a tetrahedron with all of these nodes.
    pub fn has(&self, nodes: &[u32]) -> bool {
        let (first, rest) = (nodes[0], &nodes[1..]);
        self.around[first as usize].iter().any(|t| rest.iter().all(|i| self.tets[*t as usize].contains(i)))
    }

    /// Whether a face of a tetrahedron is on the boundary.
    pub fn is_outer(&self, face: &[u32; 3]) -> bool {
        let [a, b, c] = face;
        let has = |t: &&u32| {
            let tet = &self.tets[**t as usize];
            tet.contains(b) && tet.contains(c)
        };
        face.iter().all(|i| !self.is_inside(*i))
            && !self.is_border(face)
            && self.around[*a as usize].iter().filter(has).nth(1).is_none()
    }

    /// Boundary triangles at a node, counter-clockwise seen from outside, starting with the node.
    pub fn skin_at(&self, node: u32) -> Vec<[u32; 3]> {
        let mut found = vec![];
        for t in &self.around[node as usize] {
            let tet = self.tets[*t as usize];
            for f in FACES {
                let face = f.map(|k| tet[k]);
                let Some(k) = face.iter().position(|i| *i == node) else { continue };
                if self.is_outer(&face) {
                    found.push([face[k], face[(k + 1) % 3], face[(k + 2) % 3]]);
                }
            }
        }
        found
    }

    /// Nodes joined to a node by an edge, ascending.
    pub fn linked(&self, node: u32) -> Vec<u32> {
        let mut nodes: Vec<u32> = Vec::with_capacity(32);
        // Each is met some five times; the last one with the same low bits tells most of that.
        let mut met = [node; 128];
        for i in self.around[node as usize].iter().flat_map(|t| self.tets[*t as usize]) {
            let last = &mut met[i as usize % 128];
            if *last != i && i != node {
                *last = i;
                nodes.push(i);
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The faces opposite a node in the tetrahedra around it.
    pub fn shell(&self, node: u32) -> Shell {
        let face = |t: &u32| {
            let tet = self.tets[*t as usize];
            let k = tet.iter().position(|i| *i == node).unwrap_or(0);
            let [a, b, c] = FACES[k].map(|f| self.at(tet[f]));
            Opposite::new([a, c, b])
        };
        Shell { faces: self.around[node as usize].iter().map(face).collect() }
    }

    pub fn quality(&self, tet: u32) -> f64 {
        quality(&self.corners(tet))
    }

    pub fn remove(&mut self, tet: u32) {
        for i in self.tets[tet as usize] {
            self.changed[i as usize] = self.pass;
            let around = &mut self.around[i as usize];
            if let Some(k) = around.iter().position(|t| *t == tet) {
                around.remove(k);
            }
        }
        self.tets[tet as usize] = [NONE; 4];
        self.gone += 1;
    }

    /// Moves all tetrahedra around a node to another one; those of both are gone.
    pub fn merge(&mut self, gone: u32, kept: u32) {
        let around = std::mem::take(&mut self.around[gone as usize]);
        let mut moved = vec![];
        for t in around {
            let tet = self.tets[t as usize];
            if !tet.contains(&kept) {
                moved.push(tet.map(|i| if i == gone { kept } else { i }));
            }
            self.remove(t);
        }
        self.changed[gone as usize] = self.pass;
        moved.into_iter().for_each(|tet| self.add(tet));
    }

    /// Gives back what tetrahedra that are gone have left, if it is much. The others keep their order.
    pub fn compact(&mut self) {
        if 3 * self.gone < self.tets.len() {
            return;
        }
        self.gone = 0;
        let mut numbers = vec![NONE; self.tets.len()];
        let mut kept = 0;
        for (number, tet) in numbers.iter_mut().zip(&self.tets) {
            if tet[0] != NONE {
                *number = kept;
                kept += 1;
            }
        }
        self.tets.retain(|tet| tet[0] != NONE);
        for around in &mut self.around {
            around.iter_mut().for_each(|t| *t = numbers[*t as usize]);
        }
    }

    pub fn add(&mut self, tet: [u32; 4]) {
        let number = self.tets.len() as u32;
        for i in tet {
            self.around[i as usize].push(number);
            self.changed[i as usize] = self.pass;
        }
        self.tets.push(tet);
    }

    /// Splits an edge at a point, which gets a seat. Refused if one of the new tetrahedra would be worse than `least`.
    pub fn split(&mut self, [a, b]: [u32; 2], at: Point, seat: Seat, least: f64) -> Option<u32> {
        let old = self.star(&[a, b]);
        let node = self.points.len() as u32;
        let halves = |mesh: &Self, t: u32| {
            let tet = mesh.tets[t as usize];
            [a, b].map(|end| tet.map(|i| if i == end { node } else { i }))
        };
        let place = |mesh: &Self, i: u32| if i == node { at } else { mesh.at(i) };
        let fine = old.iter().flat_map(|t| halves(self, *t)).all(|tet| quality(&tet.map(|i| place(self, i))) > least);
        if old.is_empty() || !fine || self.is_border(&[a, b]) {
            return None;
        }
        self.push(at, seat);
        for t in old {
            let new = halves(self, t);
            self.remove(t);
            new.into_iter().for_each(|tet| self.add(tet));
        }
        Some(node)
    }

    /// Splits a boundary triangle at a point, which gets a seat. Refused as in [`split`](Self::split).
    pub fn split_face(&mut self, face: [u32; 3], at: Point, seat: Seat, least: f64) -> Option<u32> {
        let &[t] = self.star(&face).as_slice() else { return None };
        let tet = self.tets[t as usize];
        let node = self.points.len() as u32;
        let parts = face.map(|gone| tet.map(|i| if i == gone { node } else { i }));
        let place = |i: u32| if i == node { at } else { self.at(i) };
        if self.is_border(&face) || parts.iter().any(|tet| quality(&tet.map(place)) <= least) {
            return None;
        }
        self.push(at, seat);
        self.remove(t);
        parts.into_iter().for_each(|tet| self.add(tet));
        Some(node)
    }

    /// Moves a node as far towards a place as the tetrahedra around it stay better than `least`. Says whether it got there.
    pub fn pull(&mut self, node: u32, to: &Point, least: f64) -> bool {
        let mut shell = self.shell(node);
        let from = self.at(node);
        let allowed = least.min(shell.worst(&from));
        if self.is_frozen(node) {
            return false;
        }
        for share in [1.0, 0.75, 0.5, 0.25, 0.1] {
            let p = from + (to - from) * share;
            if shell.worst(&p) >= allowed {
                self.place(node, p);
                return share == 1.0;
            }
        }
        false
    }

    /// The ring of nodes around an edge inside the mesh, such that (a, b, ring[k], ring[k + 1]) are positive, and the
    /// tetrahedra around it. Nothing if there are too many.
    pub fn ring(&self, [a, b]: [u32; 2]) -> Option<(Ring, Ring)> {
        let (mut star, mut steps) = (Ring::default(), [[0; 2]; LONGEST_RING]);
        for t in &self.around[a as usize] {
            let tet = self.tets[*t as usize];
            let Some(j) = tet.iter().position(|i| *i == b) else { continue };
            let i = tet.iter().position(|i| *i == a)?;
            let [k, l] = OPPOSITE[i][j];
            *steps.get_mut(star.count)? = [tet[k], tet[l]];
            star.push(*t);
        }
        let mut left = star.count;
        let mut ring = Ring::default();
        let [first, mut next] = *steps[..left].first()?;
        ring.push(first);
        left -= 1;
        steps.swap(0, left);
        while left > 0 {
            let k = steps[..left].iter().position(|s| s[0] == next)?;
            ring.push(next);
            next = steps[k][1];
            left -= 1;
            steps.swap(k, left);
        }
        (next == first).then_some((ring, star))
    }

    /// The outward normal of a triangle, as long as twice its area.
    pub fn normal(&self, face: &[u32; 3]) -> Vector {
        let [a, b, c] = face.map(|i| self.at(i));
        (b - a).cross(&(c - a))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_and_edges_of_a_tetrahedron_are_told_in_positive_order() {
        let regular = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]].map(Point::from);
        let tet = if volume(&regular) > 0.0 { regular } else { [regular[1], regular[0], regular[2], regular[3]] };
        assert!((quality(&tet) - 1.0).abs() < 1e-12);
        for order in EDGES {
            assert!(volume(&order.map(|k| tet[k])) > 0.0, "{order:?}");
            assert_eq!(OPPOSITE[order[0]][order[1]], [order[2], order[3]]);
            assert_eq!(OPPOSITE[order[1]][order[0]], [order[3], order[2]]);
        }
        for (k, face) in FACES.iter().enumerate() {
            let [a, b, c] = face.map(|f| tet[f]);
            assert!((b - a).cross(&(c - a)).dot(&(tet[k] - a)) < 0.0, "{face:?} looks inwards");
        }
    }
}
