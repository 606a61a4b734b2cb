//! Cracks that end at the drawing mesh instead of at the skin.
//!
//! Crack faces end at the collision skin, the cut drawing mesh a little beside it. Every vertex of the rim of the cracks is
//! moved to a point of the line along which the drawing mesh was cut: to one between the same pieces, whose foot on the skin is
//! nearest. An edge of the rim then becomes the way along that line, and its crack triangle a fan. So cracks and mesh meet
//! without a strip between them, and without anything of the crack that stands out where the mesh lies within the skin.
//!
//! Nothing is assumed of the two lines: they need not be alike, nor go round as often. What is left open in the end (the
//! rim of a fragment too small for the mesh to show; two loops where the other line has one) consists of closed loops,
//! whatever happened before, since the boundary of a boundary is nothing. These are filled and counted as patches.

use super::cut::Parts;
use crate::body::Object;
use crate::field::binding::Binding;
use crate::fracture::surface::{axes_across, cracks, fan, normal_of};
use crate::geom::{NONE, Point, Vector};
use crate::solid::surface::Face;
use std::collections::{BTreeMap, HashMap, HashSet};

/// How far a vertex of the rim may be from the foot of a point of the line, in mean edges of the asset.
const REACH: f64 = 1.5;
/// What another piece across counts for, in mean edges: corners go to corners.
const OTHER_PIECE: f64 = 0.5;
/// Loops of more corners are filled about their middle.
const LARGE_LOOP: usize = 6;

/// The cracks of an object, closing its part of the drawing mesh.
pub struct Seam {
    /// Positions: those of the parts, and behind them those of the cracks.
    pub points: Vec<Point>,
    /// Points, and the piece across.
    pub triangles: Vec<([u32; 3], u32)>,
    /// Axes of the texture plane towards each piece across.
    pub planes: BTreeMap<u32, [Vector; 2]>,
    /// Loops that were filled.
    pub patches: u32,
    /// Edges that are still open, without those where the drawing mesh itself ends.
    pub open_edges: u32,
}

/// The cracks that close what the object has of the drawing mesh.
pub fn close(object: &Object, binding: &Binding, parts: &Parts) -> Seam {
    let (surface, planes) = cracks(object);
    let rim = Rim::of(&surface.triangles.iter().map(|t| (t.corners, across(&t.face))).collect::<Vec<_>>());
    let line = CutLine::of(parts, binding);
    let stops = line.nearest(&rim, &surface.vertices, object.asset().mean_edge());

    let mut seam = Seam { points: parts.points.clone(), triangles: vec![], planes, patches: 0, open_edges: 0 };
    let first = seam.points.len() as u32;
    seam.points.extend(&surface.vertices);
    let place = |v: u32| stops.get(&v).map_or(first + v, |stop| line.stations[*stop].point);
    for triangle in &surface.triangles {
        let mut polygon: Vec<u32> = vec![];
        for k in 0..3 {
            let (u, v) = (triangle.corners[k], triangle.corners[(k + 1) % 3]);
            polygon.push(place(u));
            if let (true, Some(from), Some(to)) = (rim.edges.contains(&[u, v]), stops.get(&u), stops.get(&v)) {
                line.way(*from, *to, &mut polygon);
            }
        }
        seam.push(polygon, across(&triangle.face));
    }
    seam.fill_what_is_open(parts);
    seam
}

fn across(face: &Face) -> u32 {
    match face {
        Face::Crack { neighbour: Some(piece), .. } => *piece,
        _ => NONE,
    }
}

impl Seam {
    /// A polygon, without corners that fell together.
    fn push(&mut self, mut polygon: Vec<u32>, across: u32) {
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
                self.triangles.push((corners, across));
            }
        }
    }

    /// Fills loops of edges that have no triangle on the other side.
    fn fill_what_is_open(&mut self, parts: &Parts) {
        let point = |v: u32| parts.vertices[v as usize].point;
        let drawn = parts.triangles.iter().map(|(corners, _)| corners.map(point));
        let open = open_edges(drawn.chain(self.triangles.iter().map(|t| t.0)));
        let open: Vec<[u32; 2]> =
            open.into_iter().filter(|[a, b]| !parts.borders.contains(&[*a.min(b), *a.max(b)])).collect();
        let known: HashMap<[u32; 2], u32> = parts.cuts.iter().map(|cut| (cut.ends, cut.across)).collect();
        let total = open.len();
        let mut closed = 0;
        for round in loops(&open) {
            let n = round.len();
            closed += n;
            self.patches += 1;
            let edge = |k: usize| [round[k], round[(k + 1) % n]];
            let across = (0..n).find_map(|k| known.get(&edge(k))).copied();
            let across = across.or(self.planes.keys().next().copied()).unwrap_or(NONE);
            // Against the edges that are there.
            let back: Vec<u32> = round.iter().rev().copied().collect();
            if n <= LARGE_LOOP {
                self.push(back, across);
                continue;
            }
            let sum = back.iter().fold(Vector::zeros(), |sum, p| sum + self.points[*p as usize].coords);
            let middle = self.points.len() as u32;
            self.points.push(Point::from(sum / n as f64));
            for k in 0..n {
                self.push(vec![back[k], back[(k + 1) % n], middle], across);
            }
        }
        self.open_edges = (total - closed) as u32;
        for (corners, across) in &self.triangles {
            if !self.planes.contains_key(across) {
                let normal = normal_of(&corners.map(|p| self.points[p as usize]));
                self.planes.insert(*across, axes_across(&normal));
            }
        }
    }
}

/// The edges where the cracks end.
struct Rim {
    /// In the direction of the crack triangles that have them.
    edges: HashSet<[u32; 2]>,
    /// Their vertices, ascending, and the pieces across at each.
    vertices: BTreeMap<u32, Vec<u32>>,
}

impl Rim {
    fn of(cracks: &[([u32; 3], u32)]) -> Self {
        let edges: HashSet<[u32; 2]> = open_edges(cracks.iter().map(|t| t.0)).into_iter().collect();
        let mut vertices: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (corners, across) in cracks {
            for k in 0..3 {
                let edge = [corners[k], corners[(k + 1) % 3]];
                if edges.contains(&edge) {
                    for end in edge {
                        let pieces = vertices.entry(end).or_default();
                        if !pieces.contains(across) {
                            pieces.push(*across);
                        }
                    }
                }
            }
        }
        Self { edges, vertices }
    }
}

/// A point of the line along which the drawing mesh was cut.
struct Station {
    point: u32,
    at: Point,
    /// The closest point of the skin.
    foot: Point,
    /// Across the edges before and after it.
    across: [u32; 2],
    /// Its loop: where it starts, how long it is, and whether it closes.
    start: usize,
    count: usize,
    closes: bool,
}

struct CutLine {
    /// One loop after the other.
    stations: Vec<Station>,
}

impl CutLine {
    fn of(parts: &Parts, binding: &Binding) -> Self {
        let mut from: HashMap<u32, Vec<usize>> = HashMap::new();
        let mut into: HashSet<u32> = HashSet::new();
        for (k, cut) in parts.cuts.iter().enumerate().rev() {
            from.entry(cut.ends[0]).or_default().push(k);
            into.insert(cut.ends[1]);
        }
        let mut used = vec![false; parts.cuts.len()];
        let mut stations: Vec<Station> = vec![];
        // Lines that start at the end of the mesh first; what is left are loops.
        let starts = (0..parts.cuts.len()).filter(|k| !into.contains(&parts.cuts[*k].ends[0])).collect::<Vec<_>>();
        for first in starts.into_iter().chain(0..parts.cuts.len()) {
            if used[first] {
                continue;
            }
            let mut edges = vec![];
            let mut next = Some(first);
            while let Some(edge) = next {
                used[edge] = true;
                edges.push(edge);
                let end = parts.cuts[edge].ends[1];
                let ways = from.get_mut(&end);
                next = ways.and_then(|ways| {
                    ways.retain(|k| !used[*k]);
                    ways.pop()
                });
            }
            let (head, tail) = (&parts.cuts[first], &parts.cuts[edges[edges.len() - 1]]);
            let closes = tail.ends[1] == head.ends[0];
            let (start, count) = (stations.len(), edges.len() + !closes as usize);
            let mut before = if closes { tail.across } else { head.across };
            let mut add = |point: u32, across: [u32; 2]| {
                let at = parts.points[point as usize];
                stations.push(Station { point, at, foot: binding.foot(&at), across, start, count, closes });
            };
            for edge in edges {
                let cut = &parts.cuts[edge];
                add(cut.ends[0], [before, cut.across]);
                before = cut.across;
            }
            if !closes {
                add(tail.ends[1], [before; 2]);
            }
        }
        Self { stations }
    }

    /// For the vertices of a rim the stations that they move to, if any is near.
    fn nearest(&self, rim: &Rim, vertices: &[Point], mean_edge: f64) -> HashMap<u32, usize> {
        let cell = REACH * mean_edge;
        let cell_of = |p: &Point| [p.x, p.y, p.z].map(|c| (c / cell).floor() as i64);
        let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
        for (k, station) in self.stations.iter().enumerate() {
            cells.entry(cell_of(&station.foot)).or_default().push(k);
        }
        let mut found = HashMap::new();
        for (vertex, pieces) in &rim.vertices {
            let p = &vertices[*vertex as usize];
            let [x, y, z] = cell_of(p);
            let mut best: Option<(f64, [f64; 3], usize)> = None;
            for near in (0..27).map(|k| [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1]) {
                for &k in cells.get(&near).into_iter().flatten() {
                    let station = &self.stations[k];
                    let distance = (station.foot - p).norm();
                    if distance > cell {
                        continue;
                    }
                    let missing = pieces.iter().filter(|piece| !station.across.contains(piece)).count();
                    let cost = distance + OTHER_PIECE * mean_edge * missing as f64;
                    // Of two as near the first in space: the same from both sides of the crack.
                    let rank = (cost, [station.at.x, station.at.y, station.at.z], k);
                    if best.is_none_or(|best| rank < best) {
                        best = Some(rank);
                    }
                }
            }
            if let Some((_, _, k)) = best {
                found.insert(*vertex, k);
            }
        }
        found
    }

    /// The points between two stations of one loop, the short way round.
    fn way(&self, from: usize, to: usize, points: &mut Vec<u32>) {
        let Station { start, count, closes, .. } = self.stations[from];
        if self.stations[to].start != start {
            return;
        }
        let forward = (to + count - from) % count;
        let goes_on = if closes { 2 * forward <= count } else { to > from };
        let steps = if goes_on { forward } else { count - forward };
        let step = |k: usize| start + (from - start + if goes_on { k } else { count - k }) % count;
        points.extend((1..steps).map(|k| self.stations[step(k)].point));
    }
}

/// Directed edges that no opposite edge cancels, sorted.
fn open_edges(triangles: impl Iterator<Item = [u32; 3]>) -> Vec<[u32; 2]> {
    let mut edges: Vec<([u32; 2], i32)> = vec![];
    for corners in triangles {
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            edges.push(([a.min(b), a.max(b)], if a < b { 1 } else { -1 }));
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
fn loops(edges: &[[u32; 2]]) -> Vec<Vec<u32>> {
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
