//! Makes a mesh better: collapses edges that are too short, exchanges edges and faces, smooths.
//!
//! After Freitag and Ollivier-Gooch 1997 (which exchanges, in what order) and Shewchuk's edge removal: the ring of
//! tetrahedra around an edge is replaced by the best triangulation of the ring, found by dynamic programming (Klincsek). An
//! exchange or a move is made only if the worst tetrahedron that it makes is better than the worst one that it removes.

use super::body::{Body, Seat};
use super::mesh::{EDGES, FACES, LONGEST_RING, Mesh, quality, volume};
use super::moves::{GOOD, Sizes, collapse, contract, smooth_node};
use super::sharpen::Sharpener;
use crate::geom::{NONE, Point, Vector};
use crate::tasks::Tasks;

/// Tetrahedra better than this are left alone by exchanges.
const FINE: f64 = 0.5;

/// How long edges should be at nodes: at the surface as given, deep inside so many times that.
pub(super) fn lengths(
    body: &dyn Body,
    points: &[Point],
    seats: &[Seat],
    edge: f64,
    coarsening: f64,
    tasks: &Tasks,
) -> Vec<f64> {
    let length = |k: usize| match seats[k] {
        Seat::Inside => edge * (1.0 + body.distance(&points[k], coarsening * edge) / edge).min(coarsening),
        _ => edge,
    };
    tasks.map_chunks(points.len(), 256, |range| range.map(length).collect::<Vec<_>>()).concat()
}

/// Rounds over a mesh: nodes are put onto sharp edges, short edges collapsed, edges and faces exchanged, nodes smoothed.
pub(super) struct Rounds {
    count: usize,
    /// When each pass last began, as [`Mesh::begin`] numbers them.
    collapsed: u32,
    exchanged: u32,
    smoothed: u32,
    /// How many rounds are without exchanges: on a mesh of which most is collapsed anyway.
    hasty: usize,
}

impl Default for Rounds {
    fn default() -> Self {
        Self { count: 0, collapsed: 1, exchanged: 1, smoothed: 1, hasty: 0 }
    }
}

impl Rounds {
    /// Rounds over a mesh, `hasty` of them without exchanges.
    pub fn new(hasty: usize) -> Self {
        Self { hasty, ..Self::default() }
    }

    /// Rounds over a mesh that has been improved in blocks: only what changes from now on is smoothed.
    pub fn after_blocks(mesh: &mut Mesh) -> Self {
        Self { smoothed: mesh.begin(), ..Self::default() }
    }

    /// One round; gives how many collapses and exchanges there were. Progress is called with the share of it that is done.
    pub fn round(
        &mut self,
        mesh: &mut Mesh,
        sharpener: &mut Sharpener,
        sizes: &Sizes,
        progress: impl Fn(f32),
    ) -> usize {
        sharpener.round(mesh);
        carve(mesh, sizes.edge);
        if self.count > 0 {
            weld(mesh, 0.25 * sizes.edge);
        }
        self.count += 1;
        let mut changes = collapse_short(mesh, sizes, 0.7, &mut self.collapsed);
        progress(0.5);
        if self.count > self.hasty {
            changes += exchange(mesh, &mut self.exchanged);
        }
        progress(0.8);
        smooth(mesh, &mut self.smoothed);
        mesh.compact();
        progress(1.0);
        changes
    }

    /// Whether something about a node has changed since edges were last collapsed.
    pub fn is_open(&self, mesh: &Mesh, node: u32) -> bool {
        mesh.has_changed(node, self.collapsed)
    }
}

/// Collapses edges shorter than `share` of what they should be, the shortest first; only where something has changed since
/// the `last` time. Returns how many went.
fn collapse_short(mesh: &mut Mesh, sizes: &Sizes, share: f64, last: &mut u32) -> usize {
    let since = std::mem::replace(last, mesh.begin());
    let mut edges: Vec<(f64, [u32; 2])> = vec![];
    // The node from which each was last met: every edge is looked at once, from its lower end.
    let mut met = vec![NONE; mesh.points.len()];
    for a in 0..mesh.points.len() as u32 {
        for b in mesh.around[a as usize].iter().flat_map(|t| mesh.tets[*t as usize]) {
            if b > a && met[b as usize] != a && (mesh.has_changed(a, since) || mesh.has_changed(b, since)) {
                met[b as usize] = a;
                let ratio = (mesh.at(a) - mesh.at(b)).norm() / sizes.between(a, b);
                if ratio < share {
                    edges.push((ratio, [a, b]));
                }
            }
        }
    }
    drop(met);
    edges.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
    let mut count = 0;
    for (_, [a, b]) in edges {
        if mesh.around[a as usize].is_empty() || mesh.around[b as usize].is_empty() {
            continue;
        }
        if !mesh.around[a as usize].iter().any(|t| mesh.tets[*t as usize].contains(&b)) {
            continue;
        }
        if collapse(mesh, Some(sizes), a, b) || collapse(mesh, Some(sizes), b, a) {
            count += 1;
            mesh.compact();
        }
    }
    count
}

/// Collapses tiny edges of bad tetrahedra, whatever their ends sit on: what is lost is smaller than `tiny`.
fn weld(mesh: &mut Mesh, tiny: f64) {
    let rank = |seat: Seat| match seat {
        Seat::Inside => 0,
        Seat::Patch(_) => 1,
        Seat::Curve(_) => 2,
        Seat::Corner(_) => 3,
    };
    for t in mesh.living() {
        let tet = mesh.tets[t as usize];
        if tet[0] == NONE || mesh.quality(t) > 0.1 {
            continue;
        }
        let mut edges: Vec<(f64, u32, u32)> = EDGES
            .iter()
            .map(|&[i, j, _, _]| ((mesh.at(tet[i]) - mesh.at(tet[j])).norm(), tet[i], tet[j]))
            .filter(|e| e.0 < tiny)
            .collect();
        edges.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let _ = edges.iter().any(|&(_, a, b)| {
            let (gone, kept) = if rank(mesh.seat(a)) < rank(mesh.seat(b)) { (a, b) } else { (b, a) };
            rank(mesh.seat(gone)) < 3 && contract(mesh, None, gone, kept)
        });
    }
}

/// Exchanges edges and faces of bad tetrahedra for better ones, the worst first; only where something has changed since the
/// `last` time. Returns how many times.
fn exchange(mesh: &mut Mesh, last: &mut u32) -> usize {
    let since = std::mem::replace(last, mesh.begin());
    let has_changed = |t: &u32| mesh.tets[*t as usize].iter().any(|i| mesh.has_changed(*i, since));
    let living = mesh.living().filter(has_changed);
    let mut bad: Vec<(f64, u32)> = living.map(|t| (mesh.quality(t), t)).filter(|b| b.0 < FINE).collect();
    bad.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut count = 0;
    for (_, t) in bad {
        let tet = mesh.tets[t as usize];
        if tet[0] == NONE {
            continue;
        }
        let done = EDGES.iter().any(|e| remove_edge(mesh, [tet[e[0]], tet[e[1]]]))
            || FACES.iter().any(|f| remove_face(mesh, f.map(|k| tet[k])))
            || peel(mesh, t);
        count += usize::from(done);
    }
    count
}

/// Replaces the tetrahedra around an edge by those over the best triangulation of the ring around it.
fn remove_edge(mesh: &mut Mesh, edge: [u32; 2]) -> bool {
    let Some((ring, star)) = mesh.ring(edge) else { return false };
    let (ring, star) = (ring.as_slice(), star.as_slice());
    let n = ring.len();
    if n < 3 {
        return false;
    }
    let before = star.iter().map(|t| mesh.quality(*t)).fold(f64::INFINITY, f64::min);
    let [a, b] = edge.map(|i| mesh.at(i));
    let mut at = [a; LONGEST_RING];
    ring.iter().zip(&mut at).for_each(|(i, at)| *at = mesh.at(*i));
    // The worse of the two tetrahedra over a triangle of the ring.
    let over = |i: usize, k: usize, j: usize| {
        let [p, q, r] = [at[i], at[k], at[j]];
        let upper = quality(&[p, q, r, b]);
        // What is no better than before does not matter.
        if upper <= before { upper } else { upper.min(quality(&[p, r, q, a])) }
    };
    // Best worst quality of the ring between i and j, and the node that makes a triangle with them.
    let mut best = [[(f64::INFINITY, 0usize); LONGEST_RING]; LONGEST_RING];
    for width in 2..n {
        for i in 0..n - width {
            let j = i + width;
            best[i][j] = (i + 1..j)
                .map(|k| (over(i, k, j).min(best[i][k].0).min(best[k][j].0), k))
                .fold((f64::NEG_INFINITY, 0), |x, y| if y.0 > x.0 { y } else { x });
        }
    }
    if best[0][n - 1].0 <= before {
        return false;
    }
    let mut triangles = vec![];
    let mut open = vec![(0, n - 1)];
    while let Some((i, j)) = open.pop() {
        if j - i > 1 {
            let k = best[i][j].1;
            triangles.push([ring[i], ring[k], ring[j]]);
            open.extend([(i, k), (k, j)]);
        }
    }
    // Where a thin body runs through itself, what is to be made may be there already.
    let is_there = |[p, q, r]: &[u32; 3]| {
        let may_be = |nodes: &[u32]| mesh.is_border(nodes) || mesh.has(nodes);
        let within = |a: &u32, b: &u32| may_be(&[*a, *b]) && !beside(ring, *a, *b);
        may_be(&[*p, *q, *r]) || within(p, q) || within(q, r) || within(p, r)
    };
    if triangles.iter().any(is_there) {
        return false;
    }
    star.iter().for_each(|t| mesh.remove(*t));
    for [p, q, r] in triangles {
        mesh.add([p, q, r, edge[1]]);
        mesh.add([p, r, q, edge[0]]);
    }
    true
}

/// Whether two nodes follow each other in a ring.
fn beside(ring: &[u32], a: u32, b: u32) -> bool {
    (0..ring.len()).any(|k| {
        let pair = (ring[k], ring[(k + 1) % ring.len()]);
        pair == (a, b) || pair == (b, a)
    })
}

/// Replaces the two tetrahedra at a face by three around the line through it.
fn remove_face(mesh: &mut Mesh, face: [u32; 3]) -> bool {
    let &[t, u] = mesh.star(&face).as_slice() else { return false };
    let apex = |t: u32| mesh.tets[t as usize].into_iter().find(|i| !face.contains(i));
    let (Some(p), Some(q)) = (apex(t), apex(u)) else { return false };
    let before = mesh.quality(t).min(mesh.quality(u));
    let [a, b, c] = face;
    let mut new = [[a, b, p, q], [b, c, p, q], [c, a, p, q]];
    for tet in &mut new {
        if volume(&tet.map(|i| mesh.at(i))) < 0.0 {
            tet.swap(2, 3);
        }
    }
    // All three must lie on the same side, or the line misses the face.
    let same = new.iter().all(|tet| tet[2] == new[0][2]);
    let after = new.iter().map(|tet| quality(&tet.map(|i| mesh.at(i)))).fold(f64::INFINITY, f64::min);
    if !same || after <= before || mesh.is_border(&[p, q]) || mesh.has(&[p, q]) {
        return false;
    }
    [t, u].into_iter().for_each(|t| mesh.remove(t));
    new.into_iter().for_each(|tet| mesh.add(tet));
    true
}

/// Takes a flat tetrahedron with two faces on the same patch off the boundary: they are exchanged for the other two.
fn peel(mesh: &mut Mesh, t: u32) -> bool {
    if mesh.quality(t) > 0.1 {
        return false;
    }
    let tet = mesh.tets[t as usize];
    let common = mesh.common_patch(&tet).is_some();
    let outer = outer_faces(mesh, t);
    let &[i, j] = outer.as_slice() else { return false };
    let normals = [i, j].map(|k| mesh.normal(&FACES[k].map(|f| tet[f])));
    let flat = normals[0].dot(&normals[1]) > 0.9 * normals[0].norm() * normals[1].norm();
    // The edge that goes must not be sharp.
    let gone: Vec<u32> = (0..4).filter(|k| ![i, j].contains(k)).map(|k| tet[k]).collect();
    let sharp = mesh.patches(gone[0]).iter().filter(|p| mesh.patches(gone[1]).contains(p)).count() > 1;
    common && flat && !sharp && take_off(mesh, t)
}

/// Takes tetrahedra off that lie outside the body: they fill corners that the surface goes into.
fn carve(mesh: &mut Mesh, edge: f64) {
    for t in mesh.living() {
        let tet = mesh.tets[t as usize];
        // Most tetrahedra have a node inside.
        if tet.iter().any(|i| mesh.is_inside(*i)) {
            continue;
        }
        let middle = Point::from(mesh.corners(t).iter().fold(Vector::zeros(), |sum, p| sum + p.coords) / 4.0);
        if mesh.body.depth(&middle) < -0.02 * edge {
            take_off(mesh, t);
        }
    }
}

/// The faces of a tetrahedron that are on the boundary.
fn outer_faces(mesh: &Mesh, t: u32) -> Vec<usize> {
    let tet = mesh.tets[t as usize];
    (0..4).filter(|k| mesh.is_outer(&FACES[*k].map(|f| tet[f]))).collect()
}

/// Removes a tetrahedron at the boundary, if that stays a surface.
fn take_off(mesh: &mut Mesh, t: u32) -> bool {
    let tet = mesh.tets[t as usize];
    let fine = match outer_faces(mesh, t)[..] {
        // The edge between the two inner faces comes to the surface; it must not be there yet.
        [i, j] => {
            let surfaced = mesh.skin_at(tet[i]).iter().any(|f| f.contains(&tet[j]));
            !surfaced && tet.iter().all(|n| mesh.around[*n as usize].len() > 1)
        }
        // The corner between the three goes.
        [_, _, _] => true,
        _ => false,
    };
    let fine = fine && !tet.iter().any(|i| mesh.is_frozen(*i));
    if fine {
        mesh.remove(t);
    }
    fine
}

/// Moves the nodes of round parts outwards (of hollows inwards), by as much as their triangles cut off, so that the mesh has
/// the volume of the body and the surface runs through the triangles, not only through their corners.
pub(super) fn even_out(mesh: &mut Mesh, tasks: &Tasks) {
    let skin = mesh.skin();
    let gap = |face: &[u32; 3]| {
        let (patch, middle) = (mesh.common_patch(face)?, mesh.middle(face));
        Some((mesh.body.onto(Seat::Patch(patch), &middle) - middle).dot(&mesh.normal(face)))
    };
    let gaps = tasks.map_chunks(skin.len(), 256, |range| skin[range].iter().map(gap).collect::<Vec<_>>()).concat();
    let mut sums = vec![(0.0, 0.0, Vector::zeros()); mesh.points.len()];
    for (face, gap) in skin.into_iter().zip(gaps) {
        let Some(gap) = gap else { continue };
        let normal = mesh.normal(&face);
        let area = normal.norm();
        for i in face {
            let sum = &mut sums[i as usize];
            *sum = (sum.0 + gap, sum.1 + area, sum.2 + normal);
        }
    }
    for (node, (gaps, area, normal)) in sums.into_iter().enumerate() {
        if let (Seat::Patch(_), Some(normal)) = (mesh.seats[node], normal.try_normalize(0.0)) {
            // Over a triangle on a ball the mean gap is three quarters of that in its middle.
            let to = mesh.points[node] + normal * (0.75 * gaps / area);
            mesh.pull(node as u32, &to, GOOD);
        }
    }
}

/// Moves nodes to where the worst tetrahedron around them is better; those about which something has changed since the `last`
/// time.
fn smooth(mesh: &mut Mesh, last: &mut u32) {
    let since = std::mem::replace(last, mesh.begin());
    for node in 0..mesh.points.len() as u32 {
        if mesh.has_changed(node, since) {
            smooth_node(mesh, node);
        }
    }
}
