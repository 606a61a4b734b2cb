//! The cracks of an object, closing its part of the drawing mesh.
//!
//! What is left open in the end, where cracks and mesh did not meet, consists of closed loops, whatever happened before, since the
//! boundary of a boundary is nothing. These are filled, and counted as patches.

use super::parts::Parts;
use crate::geom::plane::axes_across;
use crate::geom::polygon::{area_normal, fan};
use crate::geom::{NONE, Point, Vector};
use std::collections::HashMap;

/// Loops of more corners are filled about their middle.
const LARGE_LOOP: usize = 6;

/// A crack that has a texture plane of its own.
#[derive(Clone, Copy, Debug)]
pub struct CrackFace {
    /// The piece across; [`NONE`] if it is of an earlier event, or several are.
    pub across: u32,
    /// Axes of its texture plane.
    pub axes: [Vector; 2],
    /// Across that, outwards: about what it is across.
    pub normal: Vector,
}

/// The cracks of an object.
#[derive(Default)]
pub struct Cracks {
    /// Positions: those of the parts of the mesh, and behind them those of the cracks.
    pub points: Vec<Point>,
    /// Points, and the face, counter-clockwise seen from outside.
    pub triangles: Vec<([u32; 3], u32)>,
    pub faces: Vec<CrackFace>,
    /// Loops that were filled.
    pub patches: u32,
    /// Edges that are still open, without those where the drawing mesh itself ends.
    pub open_edges: u32,
}

impl Cracks {
    /// Adds a polygon, without corners that fell together.
    pub fn push(&mut self, mut polygon: Vec<u32>, face: u32) {
        polygon.dedup();
        while polygon.len() > 1 && polygon.first() == polygon.last() {
            polygon.pop();
        }
        let places: Vec<Point> = polygon.iter().map(|p| self.points[*p as usize]).collect();
        if places.len() < 3 {
            return;
        }
        for corners in fan(&places).map(|corners| corners.map(|k| polygon[k])) {
            let [a, b, c] = corners;
            // Others bound nothing, and their edges cancel.
            if a != b && b != c && c != a {
                self.triangles.push((corners, face));
            }
        }
    }

    /// Fills loops of edges that have no triangle on the other side, of those that may be open; `known` are the faces of some edges.
    pub fn fill_what_is_open(
        &mut self,
        parts: &Parts,
        known: &HashMap<[u32; 2], u32>,
        may_be_open: impl Fn(&[u32; 2]) -> bool,
    ) {
        let point = |v: u32| parts.vertices[v as usize].point;
        let drawn = parts.triangles.iter().map(|(corners, _)| corners.map(point));
        let open = open_edges(drawn.chain(self.triangles.iter().map(|t| t.0)), may_be_open);
        let open: Vec<[u32; 2]> =
            open.into_iter().filter(|[a, b]| !parts.borders.contains(&[*a.min(b), *a.max(b)])).collect();
        let total = open.len();
        let mut closed = 0;
        for round in loops(&open) {
            let n = round.len();
            closed += n;
            self.patches += 1;
            let edge = |k: usize| [round[k], round[(k + 1) % n]];
            let face = (0..n).find_map(|k| known.get(&edge(k))).copied().unwrap_or(0);
            if self.faces.is_empty() {
                let around: Vec<Point> = round.iter().map(|p| self.points[*p as usize]).collect();
                let normal = -area_normal(&around);
                self.faces.push(CrackFace { across: NONE, axes: axes_across(&normal), normal });
            }
            // Against the edges that are there.
            let back: Vec<u32> = round.iter().rev().copied().collect();
            if n <= LARGE_LOOP {
                self.push(back, face);
                continue;
            }
            let sum = back.iter().fold(Vector::zeros(), |sum, p| sum + self.points[*p as usize].coords);
            let middle = self.points.len() as u32;
            self.points.push(Point::from(sum / n as f64));
            for k in 0..n {
                self.push(vec![back[k], back[(k + 1) % n], middle], face);
            }
        }
        self.open_edges = (total - closed) as u32;
    }
}

/// Directed edges that no opposite edge cancels, sorted, of those that are looked at.
pub fn open_edges(
    triangles: impl Iterator<Item = [u32; 3]>,
    is_looked_at: impl Fn(&[u32; 2]) -> bool,
) -> Vec<[u32; 2]> {
    let mut edges: Vec<([u32; 2], i32)> = vec![];
    for corners in triangles {
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            if is_looked_at(&[a, b]) {
                edges.push(([a.min(b), a.max(b)], if a < b { 1 } else { -1 }));
            }
        }
    }
    edges.sort_unstable();
    let mut open = vec![];
    for run in edges.chunk_by(|e, f| e.0 == f.0) {
        let balance: i32 = run.iter().map(|e| e.1).sum();
        let [a, b] = run[0].0;
        let edge = if balance > 0 { [a, b] } else { [b, a] };
        open.extend(std::iter::repeat_n(edge, balance.unsigned_abs() as usize));
    }
    open.sort_unstable();
    open
}

/// Closed loops of directed edges, no point twice in one. Edges that are in none are left out.
pub fn loops(edges: &[[u32; 2]]) -> Vec<Vec<u32>> {
    let mut from: HashMap<u32, Vec<u32>> = HashMap::new();
    edges.iter().rev().for_each(|[a, b]| from.entry(*a).or_default().push(*b));
    let mut found = vec![];
    for [first, _] in edges {
        let mut path = vec![*first];
        let mut position = HashMap::from([(*first, 0)]);
        while let Some(last) = path.last() {
            let Some(next) = from.get_mut(last).and_then(Vec::pop) else { break };
            match position.get(&next).copied() {
                Some(k) => {
                    let round: Vec<u32> = path.drain(k..).collect();
                    round.iter().for_each(|p| _ = position.remove(p));
                    // It goes on from where the loop closed.
                    path.push(next);
                    position.insert(next, k);
                    found.push(round);
                }
                None => {
                    position.insert(next, path.len());
                    path.push(next);
                }
            }
        }
    }
    found
}
