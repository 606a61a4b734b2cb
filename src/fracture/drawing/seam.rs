//! Cracks that end at the drawing mesh instead of at the skin.
//!
//! Crack faces end at the collision skin, the cut drawing mesh a little beside it. Every vertex of the rim of the cracks is
//! moved to a point of the line along which the drawing mesh was cut: to one between the same pieces, whose foot on the skin is
//! nearest. An edge of the rim then becomes the way along that line, and its crack triangle a fan. So cracks and mesh meet
//! without a strip between them, and without anything of the crack that stands out where the mesh lies within the skin.
//!
//! Crack triangles may be as large as the cracks are. Those at the rim are divided first, so that what is moved bends a narrow
//! border and not the whole crack. A vertex moves with each crack on its own: only to where the mesh was cut off from the piece
//! across, which is the same line from both sides. Four pieces that meet in a point of the skin meet in two points of the mesh,
//! three in each; the gap between these is a patch.
//!
//! Nothing is assumed of the two lines: they need not be alike, nor go round as often. What is left open in the end (the
//! rim of a fragment too small for the mesh to show; two loops where the other line has one) consists of closed loops,
//! whatever happened before, since the boundary of a boundary is nothing. These are filled and counted as patches.

use super::ancestors_planes;
use super::cracks::{CrackFace, Cracks, open_edges};
use super::parts::Parts;
use crate::body::Object;
use crate::drawing::binding::Binding;
use crate::fracture::surface::cracks;
use crate::geom::{NONE, Point, Vector};
use crate::solid::drawing::divided;
use crate::solid::surface::Face;
use std::collections::{BTreeMap, HashMap, HashSet};

/// How far a vertex of the rim may be from the foot of a point of the line, in mean edges of the asset.
const REACH: f64 = 1.5;
/// What another piece across counts for, in mean edges: corners go to corners.
const OTHER_PIECE: f64 = 0.5;
/// What a corner between other pieces counts for, in mean edges.
const OTHER_CORNER: f64 = 0.25;
/// The line is not followed for longer than this, in lengths of the edge of the rim, and a mean edge's part: else a vertex of the
/// rim went to another part of the line, or the mesh does not show a piece that is between.
const DETOUR: [f64; 2] = [2.0, 0.5];
/// Edges of cracks that end at the rim are halved at most this often.
const MOST_HALVED: usize = 8;

/// The cracks that close what the object has of what was drawn before; `faces` are those that it has of that.
pub fn close(object: &Object, binding: &Binding, parts: &Parts, mut faces: Vec<CrackFace>) -> Cracks {
    let (surface, planes) = cracks(object, ancestors_planes(object));
    let mean_edge = object.asset().mean_edge();
    let (mut vertices, mut triangles) = (surface.vertices, vec![]);
    triangles.extend(surface.triangles.iter().map(|t| (t.corners, across(&t.face))));
    let rim = Rim::of(&triangles);
    let line = CutLine::of(parts, binding);
    let stops = line.nearest(&rim, &vertices, mean_edge);
    rim.divide_around(&mut triangles, &mut vertices, mean_edge);

    let face_of: HashMap<u32, u32> = planes.keys().copied().zip(faces.len() as u32..).collect();
    let face = |(across, axes): (&u32, &[Vector; 2])| CrackFace {
        across: *across,
        axes: *axes,
        normal: axes[0].cross(&axes[1]),
    };
    faces.extend(planes.iter().map(face));
    let mut made = Cracks { points: parts.points.clone(), faces, ..Cracks::default() };
    let first = made.points.len() as u32;
    made.points.extend(&vertices);
    for (corners, across) in triangles {
        let stop_of = |v: u32| {
            let stops = stops.get(&v)?;
            stops.iter().find(|stop| stop.across == across).or(stops.first()).map(|stop| stop.station)
        };
        let mut polygon: Vec<u32> = vec![];
        for k in 0..3 {
            let (u, v) = (corners[k], corners[(k + 1) % 3]);
            let stop = stop_of(u);
            polygon.push(stop.map_or(first + u, |station| line.stations[station].point));
            if let (true, Some(from), Some(to)) = (rim.edges.contains(&[u, v]), stop, stop_of(v)) {
                let length = (vertices[u as usize] - vertices[v as usize]).norm();
                line.way(from, to, length, mean_edge, &mut polygon);
            }
        }
        made.push(polygon, face_of[&across]);
    }
    let known = parts.cuts.iter().filter_map(|cut| Some((cut.ends, *face_of.get(&cut.across)?))).collect();
    made.fill_what_is_open(parts, &known, |_| true);
    made
}

fn across(face: &Face) -> u32 {
    match face {
        Face::Crack { neighbour: Some(piece), .. } => *piece,
        _ => NONE,
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
        let edges: HashSet<[u32; 2]> = open_edges(cracks.iter().map(|t| t.0), |_| true).into_iter().collect();
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

    /// Divides crack triangles until their edges at vertices of the rim, other than those of the rim itself, are as short as these
    /// or as the mean edge.
    fn divide_around(&self, triangles: &mut Vec<([u32; 3], u32)>, vertices: &mut Vec<Point>, mean_edge: f64) {
        let mut sizes: HashMap<u32, f64> = HashMap::new();
        for edge in &self.edges {
            let length = (vertices[edge[0] as usize] - vertices[edge[1] as usize]).norm();
            for end in edge {
                let size = sizes.entry(*end).or_insert(mean_edge);
                *size = size.max(length);
            }
        }
        for _ in 0..MOST_HALVED {
            let count = vertices.len();
            let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
            let mut middle = |u: u32, v: u32| {
                let ends = [u.min(v), u.max(v)];
                let limit = ends.iter().filter_map(|end| sizes.get(end)).copied().reduce(f64::max)?;
                let [p, q] = ends.map(|end| vertices[end as usize]);
                if (p - q).norm() <= limit || self.edges.contains(&[u, v]) {
                    return None;
                }
                Some(*middles.entry(ends).or_insert_with(|| {
                    vertices.push(nalgebra::center(&p, &q));
                    vertices.len() as u32 - 1
                }))
            };
            let mut parts = Vec::with_capacity(triangles.len());
            for (corners, across) in triangles.iter() {
                let between = std::array::from_fn(|k| middle(corners[k], corners[(k + 1) % 3]));
                parts.extend(divided(*corners, between).map(|part| (part, *across)));
            }
            *triangles = parts;
            if vertices.len() == count {
                return;
            }
        }
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
    /// Its loop: where it starts, how many stations it has, and whether it closes.
    start: usize,
    count: usize,
    closes: bool,
    /// How far it is along the loop.
    along: f64,
}

/// Where a vertex of the rim moves to with one of its cracks.
struct Stop {
    /// The piece across that crack.
    across: u32,
    station: usize,
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
            let mut along = 0.0;
            let mut add = |point: u32, across: [u32; 2], on_skin: bool| {
                let at = parts.points[point as usize];
                along += stations[start..].last().map_or(0.0, |before| (at - before.at).norm());
                let foot = if on_skin { binding.foot(&at) } else { at };
                stations.push(Station { point, at, foot, across, start, count, closes, along });
            };
            for edge in edges {
                let cut = &parts.cuts[edge];
                add(cut.ends[0], [before, cut.across], cut.on_skin);
                before = cut.across;
            }
            if !closes {
                add(tail.ends[1], [before; 2], tail.on_skin);
            }
        }
        Self { stations }
    }

    /// For the vertices of a rim the stations that they move to, if any is near.
    fn nearest(&self, rim: &Rim, vertices: &[Point], mean_edge: f64) -> HashMap<u32, Vec<Stop>> {
        let cell = REACH * mean_edge;
        let cell_of = |p: &Point| [p.x, p.y, p.z].map(|c| (c / cell).floor() as i64);
        let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
        for (k, station) in self.stations.iter().enumerate() {
            cells.entry(cell_of(&station.foot)).or_default().push(k);
        }
        let mut found = HashMap::new();
        let mut near: Vec<(f64, usize)> = vec![];
        for (vertex, pieces) in &rim.vertices {
            let p = &vertices[*vertex as usize];
            let [x, y, z] = cell_of(p);
            near.clear();
            for cell in (0..27).map(|k| [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1]) {
                near.extend(cells.get(&cell).into_iter().flatten().map(|k| ((self.stations[*k].foot - p).norm(), *k)));
            }
            near.retain(|(distance, _)| *distance <= cell);
            let stops = pieces.iter().filter_map(|across| {
                let station = self.best(&near, *across, pieces, mean_edge)?;
                Some(Stop { across: *across, station })
            });
            found.insert(*vertex, stops.collect());
        }
        found
    }

    /// Of stations, with their distances, the one for a vertex of the crack towards a piece; there all of `pieces` are across.
    fn best(&self, near: &[(f64, usize)], across: u32, pieces: &[u32], mean_edge: f64) -> Option<usize> {
        let rank = |(distance, k): &(f64, usize)| {
            let station = &self.stations[*k];
            let missing = pieces.iter().filter(|piece| !station.across.contains(piece)).count();
            let is_corner = station.across[0] != station.across[1];
            let other = if is_corner { OTHER_CORNER } else { OTHER_PIECE };
            // Of two as near the first in space: the same from both sides of the crack.
            let cost = distance + other * mean_edge * missing as f64;
            (!station.across.contains(&across), cost, [station.at.x, station.at.y, station.at.z], *k)
        };
        let ranks = near.iter().map(rank);
        ranks.reduce(|best, next| if next < best { next } else { best }).map(|(.., k)| k)
    }

    /// The points between two stations of one loop, for an edge of the rim of this length: of the two ways round the one that is
    /// nearest to it in length, and none if that is too long.
    fn way(&self, from: usize, to: usize, length: f64, mean_edge: f64, points: &mut Vec<u32>) {
        let Station { start, count, closes, .. } = self.stations[from];
        if from == to || self.stations[to].start != start {
            return;
        }
        let last = &self.stations[start + count - 1];
        let round = if closes { last.along + (last.at - self.stations[start].at).norm() } else { f64::INFINITY };
        let ahead = self.stations[to].along - self.stations[from].along;
        // A line that does not close goes on or back; else there are two ways round.
        let ways = match (closes, ahead < 0.0) {
            (true, true) => [ahead + round, -ahead],
            (true, false) => [ahead, round - ahead],
            (false, true) => [f64::INFINITY, -ahead],
            (false, false) => [ahead, f64::INFINITY],
        };
        let goes_on = (ways[0] - length).abs() < (ways[1] - length).abs();
        if ways[!goes_on as usize] > DETOUR[0] * length + DETOUR[1] * mean_edge {
            return;
        }
        let forward = (to + count - from) % count;
        let steps = if goes_on { forward } else { count - forward };
        let step = |k: usize| start + (from - start + if goes_on { k } else { count - k }) % count;
        points.extend((1..steps).map(|k| self.stations[step(k)].point));
    }
}
