//! Puts nodes of the boundary onto sharp edges and corners.
//!
//! Stuffing cuts sharp edges off: an edge of the boundary leads from a node on one patch to one on the next, past the curve
//! between them. Such an edge *crosses* the curve. As stuffing does it with the surface, one dimension lower: a node near the
//! curve is moved onto it, other crossing edges are split there. Corners come first, and triangles that cut one off last.
//! What would flatten a tetrahedron is left for later rounds, when nodes have been smoothed out of the way.

use super::body::{Body, Seat};
use super::mesh::Mesh;
use super::moves::{collapse, smooth_node};
use crate::bvh::Bvh;
use crate::geom::aabb::Aabb;
use crate::geom::{NONE, Point};
use crate::tasks::Tasks;
use std::collections::{BTreeMap, HashMap};

/// Tetrahedra may not become worse than this by a node that is moved onto a curve or a corner.
const LEAST: f64 = 0.03;
/// A node nearer to the crossing than this share of the edge is moved, else the edge is split.
const NEAR: f64 = 0.35;

/// What crosses what: found once, kept over the rounds.
pub(super) struct Sharpener {
    /// Curves by the patches that they part.
    curves: HashMap<[u32; 2], u32>,
    /// Corners by patch.
    corners: BTreeMap<u32, Vec<u32>>,
    /// The node on each corner.
    taken: Vec<u32>,
    /// Corners that are left to another pass.
    barred: Vec<bool>,
    /// Nodes that are on the way to their seats.
    coming: Vec<u32>,
    edge: f64,
}

impl Sharpener {
    /// Over a mesh whose nodes have their patches; some of them are on the way to their seats.
    pub fn over(mesh: &Mesh, edge: f64, coming: Vec<u32>) -> Self {
        let body = mesh.body;
        let curves = body.curves().iter().zip(0..).map(|(c, k)| ([c.patches[0], c.patches[1]], k)).collect();
        let mut corners: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for ((corner, _), k) in body.corners().iter().zip(0..) {
            corner.patches.iter().for_each(|patch| corners.entry(*patch).or_default().push(k));
        }
        let mut taken = vec![NONE; body.corners().len()];
        for (seat, node) in mesh.seats.iter().zip(0..) {
            if let Seat::Corner(k) = *seat
                && !mesh.around[node as usize].is_empty()
            {
                taken[k as usize] = node;
            }
        }
        let mut sharpener = Self { curves, corners, taken, barred: vec![], coming, edge };
        sharpener.bar(mesh);
        sharpener
    }

    /// Leaves corners alone that another block may see too: beyond this one, or near what is frozen.
    fn bar(&mut self, mesh: &Mesh) {
        let frozen: Vec<[Point; 3]> =
            (0..mesh.points.len() as u32).filter(|i| mesh.is_frozen(*i)).map(|i| [mesh.at(i); 3]).collect();
        self.barred = vec![false; self.taken.len()];
        if frozen.is_empty() || self.barred.is_empty() {
            return;
        }
        let tree = Bvh::new(&frozen);
        let bounds = Aabb::around(&mesh.points).grown(self.edge);
        for (barred, (_, at)) in self.barred.iter_mut().zip(mesh.body.corners()) {
            let is_near = tree.as_ref().is_ok_and(|tree| tree.closest_point(at, 2.0 * self.edge).is_some());
            *barred = is_near || !bounds.contains(at);
        }
    }

    /// Moves a node nearby onto each corner that has none: the nearest one that can go there.
    fn take_corners(&mut self, mesh: &mut Mesh) {
        // A node that was taken off the boundary has left its corner.
        for node in &mut self.taken {
            if *node != NONE && mesh.around[*node as usize].is_empty() {
                *node = NONE;
            }
        }
        let free: Vec<u32> = (0..self.taken.len() as u32).filter(|k| self.is_free(*k)).collect();
        let Ok(tree) = Bvh::new(&free.iter().map(|k| [mesh.body.corners()[*k as usize].1; 3]).collect::<Vec<_>>())
        else {
            return;
        };
        let mut near: Vec<(f64, u32, u32)> = vec![];
        for node in 0..mesh.points.len() as u32 {
            if matches!(mesh.seat(node), Seat::Patch(_) | Seat::Curve(_)) && !mesh.around[node as usize].is_empty() {
                let hit = tree.closest_point(&mesh.at(node), 0.7 * self.edge);
                near.extend(hit.map(|hit| (hit.distance, node, free[hit.triangle as usize])));
            }
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for (_, node, corner) in near {
            let seat = Seat::Corner(corner);
            if self.taken[corner as usize] == NONE && fits(mesh, node, seat) {
                let to = mesh.body.corners()[corner as usize].1;
                if put(mesh, node, &to, seat) {
                    self.taken[corner as usize] = node;
                }
            }
        }
    }

    /// Whether a corner may have a node and has none.
    fn is_free(&self, corner: u32) -> bool {
        self.taken[corner as usize] == NONE && !self.barred[corner as usize]
    }

    /// Nodes that are on the way to their seats.
    pub fn coming(&self) -> &[u32] {
        &self.coming
    }

    /// Whether no node is on its way.
    pub fn is_done(&self) -> bool {
        self.coming.is_empty()
    }

    /// One round: moves nodes, splits edges.
    pub fn round(&mut self, mesh: &mut Mesh) {
        if self.curves.is_empty() {
            return;
        }
        self.take_corners(mesh);
        self.move_nodes(mesh);
        for edge in crossing_edges(mesh) {
            // Splits before this one may have settled it.
            if mesh.star(&edge).is_empty() || !crosses(mesh, edge) {
                continue;
            }
            // Without a curve nearby they are patches of parts that only touch.
            let Some(Crossing { at, seat, share, .. }) = self.crossing(mesh, edge) else { continue };
            let [p, q] = edge.map(|i| mesh.at(i));
            let within = p + (q - p) * share.clamp(0.2, 0.8);
            if let Some(corner) = self.at_corner(mesh, seat, &at) {
                // The edge passes a corner that has its node: it is led there.
                let Some(node) = mesh.split(edge, within, seat, 0.0) else { continue };
                let led = collapse(mesh, None, node, corner);
                if !led && !edge.iter().any(|end| collapse(mesh, None, node, *end)) {
                    self.coming.push(node);
                }
                continue;
            }
            let there = mesh.split(edge, at, seat, LEAST);
            let node = there.or_else(|| mesh.split(edge, within, seat, 0.0));
            if let Some(node) = node {
                self.note(seat, node);
                self.coming.extend(there.is_none().then_some(node));
            }
        }
        self.split_faces(mesh);
        self.bring(mesh);
    }

    /// The node on the corner where a curve ends, if that is where a point is.
    fn at_corner(&self, mesh: &Mesh, seat: Seat, at: &Point) -> Option<u32> {
        let Seat::Curve(k) = seat else { return None };
        let patches = &mesh.body.curves()[k as usize].patches;
        let is_end = |k: &&u32| {
            let (corner, place) = &mesh.body.corners()[**k as usize];
            patches.iter().all(|p| corner.patches.contains(p)) && (place - at).norm() < 0.12 * self.edge
        };
        let corner = self.corners.get(&patches[0])?.iter().find(is_end)?;
        Some(self.taken[*corner as usize]).filter(|node| *node != NONE)
    }

    /// Pulls nodes to their seats, and their neighbours out of the way.
    fn bring(&mut self, mesh: &mut Mesh) {
        for _ in 0..6 {
            let mut coming = std::mem::take(&mut self.coming);
            coming.retain(|&node| {
                if mesh.around[node as usize].is_empty() {
                    return false;
                }
                let to = mesh.body.onto(mesh.seat(node), &mesh.at(node));
                let corner = self.at_corner(mesh, mesh.seat(node), &to);
                if corner.is_some_and(|corner| collapse(mesh, None, node, corner)) {
                    return false;
                }
                if corner.is_none() && mesh.pull(node, &to, LEAST) {
                    return false;
                }
                let near = mesh.linked(node);
                if near.iter().any(|other| collapse(mesh, None, node, *other)) {
                    return false;
                }
                for near in near {
                    if !matches!(mesh.seat(near), Seat::Corner(_)) {
                        smooth_node(mesh, near);
                    }
                }
                true
            });
            self.coming = coming;
        }
    }

    /// Splits triangles that cut a corner off.
    fn split_faces(&mut self, mesh: &mut Mesh) {
        for face in mesh.skin() {
            if mesh.common_patch(&face).is_some() || mesh.star(&face).len() != 1 {
                continue;
            }
            let middle = mesh.middle(&face);
            let free = self.free_corners(mesh, &face).into_iter().map(|k| (k, mesh.body.corners()[k as usize].1));
            let nearest = free.min_by(|x, y| (x.1 - middle).norm().total_cmp(&(y.1 - middle).norm()));
            let Some((k, at)) = nearest.filter(|(_, at)| (at - middle).norm() < self.edge) else { continue };
            if let Some(node) = mesh.split_face(face, at, Seat::Corner(k), LEAST) {
                self.note(Seat::Corner(k), node);
            }
        }
    }

    fn note(&mut self, seat: Seat, node: u32) {
        if let Seat::Corner(k) = seat {
            self.taken[k as usize] = node;
        }
    }

    /// Moves nodes that are near to where their edges cross, the nearest first.
    fn move_nodes(&mut self, mesh: &mut Mesh) {
        let mut moves: Vec<(f64, u32, [u32; 2], Seat)> = vec![];
        for edge in crossing_edges(mesh) {
            let Some(crossing) = self.crossing(mesh, edge) else { continue };
            for (end, share) in [(edge[0], crossing.share), (edge[1], 1.0 - crossing.share)] {
                let free = match (mesh.seat(end), crossing.seat) {
                    (Seat::Patch(_), _) => true,
                    // Along its curve to the end of it.
                    (Seat::Curve(_), Seat::Corner(_)) => true,
                    _ => false,
                };
                if share < NEAR && free && !mesh.is_frozen(end) {
                    let to = mesh.body.onto(crossing.seat, &mesh.at(end));
                    moves.push(((to - mesh.at(end)).norm(), end, edge, crossing.seat));
                }
            }
        }
        moves.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for (_, node, edge, seat) in moves {
            let corner_taken = matches!(seat, Seat::Corner(k) if !self.is_free(k));
            if corner_taken || !crosses(mesh, edge) || !fits(mesh, node, seat) {
                continue;
            }
            let to = mesh.body.onto(seat, &mesh.at(node));
            if self.at_corner(mesh, seat, &to).is_some() {
                continue;
            }
            if !put(mesh, node, &to, seat) {
                mesh.take(node, seat);
                self.coming.push(node);
            }
            self.note(seat, node);
        }
    }

    /// Where an edge should be cut: a corner that no node has yet, or the nearest curve that leads from one side to the other.
    fn crossing(&self, mesh: &Mesh, edge: [u32; 2]) -> Option<Crossing> {
        let [p, q] = edge.map(|i| mesh.at(i));
        let reach = self.edge.min((q - p).norm());
        let beside = |at: Point| {
            let share = ((at - p).dot(&(q - p)) / (q - p).norm_squared()).clamp(0.0, 1.0);
            (share, (at - (p + (q - p) * share)).norm())
        };
        let corners = self.free_corners(mesh, &edge).into_iter().map(|k| (Seat::Corner(k), 0.5 * reach));
        let curves = mesh.patches(edge[0]).iter().flat_map(|a| mesh.patches(edge[1]).iter().map(move |b| (a, b)));
        let curves =
            curves.filter_map(|(a, b)| self.curves.get(&[*a.min(b), *a.max(b)])).map(|k| (Seat::Curve(*k), reach));
        let nearest = |(seat, reach): (Seat, f64)| {
            let mut share = 0.5;
            let mut at = p;
            for _ in 0..4 {
                at = mesh.body.onto(seat, &(p + (q - p) * share));
                share = beside(at).0;
            }
            let (share, far) = beside(at);
            (far < reach).then_some(Crossing { at, seat, share, far })
        };
        let best = |list: Vec<Crossing>| list.into_iter().min_by(|a, b| a.far.total_cmp(&b.far));
        best(corners.filter_map(nearest).collect()).or_else(|| best(curves.filter_map(nearest).collect()))
    }

    /// Corners without a node that share a patch with each of these nodes.
    fn free_corners(&self, mesh: &Mesh, nodes: &[u32]) -> Vec<u32> {
        let shares = |k: u32, node: u32| {
            let patches = &mesh.body.corners()[k as usize].0.patches;
            mesh.patches(node).iter().any(|p| patches.contains(p))
        };
        let mut found: Vec<u32> = mesh
            .patches(nodes[0])
            .iter()
            .filter_map(|patch| self.corners.get(patch))
            .flatten()
            .copied()
            .filter(|k| self.is_free(*k) && nodes.iter().all(|i| shares(*k, *i)))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

struct Crossing {
    at: Point,
    seat: Seat,
    /// Where along the edge.
    share: f64,
    /// How far from the edge.
    far: f64,
}

/// Gives every node of the boundary its patch.
pub(super) fn find_patches(body: &dyn Body, points: &[Point], seats: &mut [Seat], tasks: &Tasks) {
    tasks.fill(seats, 256, |first, chunk| {
        for (seat, at) in chunk.iter_mut().zip(&points[first..]).filter(|(seat, _)| **seat != Seat::Inside) {
            *seat = Seat::Patch(body.patch_at(at));
        }
    });
}

/// Moves a node to a place and gives it a seat there, if that flattens nothing.
fn put(mesh: &mut Mesh, node: u32, to: &Point, seat: Seat) -> bool {
    let mut shell = mesh.shell(node);
    let before = shell.worst(&mesh.at(node));
    if mesh.is_frozen(node) || shell.worst(to) < LEAST.min(before) {
        return false;
    }
    mesh.place(node, *to);
    mesh.take(node, seat);
    true
}

/// Whether a node may take a seat: it keeps the patches that it has.
fn fits(mesh: &Mesh, node: u32, seat: Seat) -> bool {
    let patches = match seat {
        Seat::Curve(k) => &mesh.body.curves()[k as usize].patches,
        Seat::Corner(k) => &mesh.body.corners()[k as usize].0.patches,
        _ => return false,
    };
    mesh.patches(node).iter().all(|p| patches.contains(p))
}

fn crosses(mesh: &Mesh, [a, b]: [u32; 2]) -> bool {
    mesh.common_patch(&[a, b]).is_none()
}

/// Edges of the boundary between nodes without a common patch.
fn crossing_edges(mesh: &Mesh) -> Vec<[u32; 2]> {
    let mut edges: Vec<[u32; 2]> = mesh
        .skin()
        .into_iter()
        .flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]].map(|[p, q]| [p.min(q), p.max(q)]))
        .filter(|edge| crosses(mesh, *edge))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}
