//! Triangle surfaces as artists bring them, made fit for use: welded, oriented, without what lies inside.
//!
//! Nothing is asked of the input but finite numbers and valid indices. Points at the same place become one (seams of
//! textures, files that list every triangle on its own); triangles without area and doubles are dropped; neighbours are turned the
//! same way round, and outer parts that are inside out are turned over. Holes stay: inside and outside are told by winding
//! numbers (`bvh::Winding`). Walls inside the body, where parts overlap, are dropped too: they bound nothing.

use crate::bvh::{Bvh, Winding};
use crate::error::{Result, bad_mesh};
use crate::geom::aabb::Aabb;
use crate::geom::random::unit;
use crate::geom::{NONE, Point, union_find};
use crate::solid::LARGEST_COORDINATE;
use crate::tasks::Tasks;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A repaired surface.
pub(super) struct Outline {
    pub points: Vec<Point>,
    /// Those that bound the body.
    pub triangles: Vec<[u32; 3]>,
    pub tree: Arc<Bvh>,
    /// Of all triangles, also those inside; for winding numbers. Mostly the same tree.
    pub all: Arc<Bvh>,
    pub winding: Winding,
    pub holes: Vec<Hole>,
    /// What was repaired, a sentence each.
    pub remarks: Vec<String>,
    /// Whether it was a closed surface to begin with, so that its volume and its genus mean something.
    pub sound: bool,
}

/// A loop of edges with a triangle on one side only.
#[derive(Clone, Debug)]
pub(super) struct Hole {
    pub middle: Point,
    pub length: f64,
    pub edges: usize,
}

/// Checks a surface and repairs what can be repaired.
pub(super) fn repair(points: &[[f64; 3]], triangles: &[[u32; 3]], tasks: &Tasks) -> Result<Outline> {
    check(points, triangles)?;
    let mut remarks = vec![];
    let (points, mut list) = welded(points, triangles);
    let dropped = triangles.len() - list.len();
    if dropped > 0 {
        remarks.push(format!("{dropped} triangles without area or listed twice were dropped"));
    }
    if list.is_empty() {
        bad_mesh!("none of the {} triangles has an area", triangles.len());
    }
    let edges = Edges::of(&list);
    let (part_of, parts, turned) = oriented(&mut list, &edges);
    if turned > 0 {
        remarks.push(format!("{turned} triangles were turned to face as their neighbours do"));
    }
    let over = turn_over(&points, &mut list, &part_of, parts)?;
    if over > 0 {
        remarks.push(format!("{over} of {parts} parts were inside out and were turned over"));
    }
    let edges = Edges::of(&list);
    let holes = edges.holes(&points);
    if !holes.is_empty() {
        remarks.push(format!("{} holes were closed: {}", holes.len(), places(&holes)));
    }
    if edges.crowded > 0 {
        remarks.push(format!("{} edges have more than two triangles", edges.crowded));
    }
    let soup = |list: &[[u32; 3]]| list.iter().map(|t| t.map(|i| points[i as usize])).collect::<Vec<_>>();
    let all = Arc::new(Bvh::new(&soup(&list))?);
    let winding = Winding::new(&all);
    let bounds_nothing = inner_walls(&points, &list, &all, &winding, tasks);
    let inner = bounds_nothing.iter().filter(|inner| **inner).count();
    if inner > 0 {
        remarks.push(format!("{inner} triangles inside the body were left out"));
    }
    let sound = holes.is_empty() && edges.crowded == 0 && inner == 0;
    let mut keep = bounds_nothing.iter().map(|inner| !inner);
    list.retain(|_| keep.next().unwrap_or(true));
    if list.is_empty() {
        bad_mesh!("the surface has no inside: {}", no_inside(&holes));
    }
    let tree = if inner == 0 { all.clone() } else { Arc::new(Bvh::new(&soup(&list))?) };
    Ok(Outline { points, triangles: list, tree, all, winding, holes, remarks, sound })
}

impl Outline {
    /// Volume, area, and points less edges plus triangles. They mean something if it is sound.
    pub fn measure(&self) -> (f64, f64, i64) {
        let origin = self.points[self.triangles[0][0] as usize];
        let (mut volume, mut area) = (0.0, 0.0);
        let mut used = vec![false; self.points.len()];
        for t in &self.triangles {
            let [a, b, c] = t.map(|i| self.points[i as usize] - origin);
            volume += a.dot(&b.cross(&c)) / 6.0;
            area += 0.5 * (b - a).cross(&(c - a)).norm();
            t.iter().for_each(|i| used[*i as usize] = true);
        }
        let points = used.iter().filter(|used| **used).count() as i64;
        (volume, area, points - self.triangles.len() as i64 / 2)
    }

    /// How thick the body is, straight inwards from its surface: at least this, but for the given share of its volume.
    /// Measured from places all over the surface; nothing if none has a surface opposite.
    pub fn thickness(&self, share: f64) -> Option<f64> {
        const PLACES: u64 = 1000;
        let corners = |t: &[u32; 3]| t.map(|i| self.points[i as usize]);
        let across = |[a, b, c]: [Point; 3]| (b - a).cross(&(c - a));
        let area: f64 = self.triangles.iter().map(|t| across(corners(t)).norm()).sum();
        // Off the triangle that the ray starts from.
        let aside = 1e-7 * self.tree.bounds().radius();
        let (mut found, mut covered, mut k) = (vec![], 0.0, 0);
        for t in &self.triangles {
            let [a, b, c] = corners(t);
            let normal = across([a, b, c]);
            covered += normal.norm() / area * PLACES as f64;
            let Some(inwards) = (-normal).try_normalize(0.0) else { continue };
            while k as f64 + 0.5 < covered && k < PLACES {
                let (u, v) = (unit(1, 2 * k), unit(1, 2 * k + 1));
                let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
                let start = a + (b - a) * u + (c - a) * v + inwards * aside;
                found.extend(self.tree.ray(&start, &inwards, f64::INFINITY).map(|hit| hit.t + aside));
                k += 1;
            }
        }
        // Each stands for a column of the body: as much volume as it is long.
        found.sort_by(f64::total_cmp);
        let all: f64 = found.iter().sum();
        let mut thinner = 0.0;
        found.into_iter().find(|t| {
            thinner += t;
            thinner > share * all
        })
    }
}

/// Why a surface bounds no body, and what to do.
pub(super) fn no_inside(holes: &[Hole]) -> String {
    match holes {
        [] => "its parts cancel each other; give a closed surface, counter-clockwise seen from outside".into(),
        _ => format!(
            "it has {} holes too large to tell inside from outside ({}); close them",
            holes.len(),
            places(holes)
        ),
    }
}

/// Where the largest holes are.
fn places(holes: &[Hole]) -> String {
    let named = holes.iter().take(4).map(|h| {
        let m = h.middle;
        format!("{} edges, {:.4} m round at ({:.4}, {:.4}, {:.4})", h.edges, h.length, m.x, m.y, m.z)
    });
    let more = if holes.len() > 4 { ", ..." } else { "" };
    named.collect::<Vec<_>>().join("; ") + more
}

fn check(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<()> {
    if triangles.is_empty() {
        bad_mesh!("the surface has no triangles; give at least four");
    }
    for (t, corners) in triangles.iter().enumerate() {
        for k in corners {
            match points.get(*k as usize) {
                None => bad_mesh!("triangles[{t}] names point {k}, but there are only {}", points.len()),
                Some(p) if p.iter().any(|c| !c.is_finite() || c.abs() > LARGEST_COORDINATE) => {
                    bad_mesh!("points[{k}] is {p:?}; coordinates must be finite and below {LARGEST_COORDINATE:e} m")
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Points at one place become one; triangles with fewer than three corners left, and doubles, are dropped.
fn welded(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> (Vec<Point>, Vec<[u32; 3]>) {
    let used: Vec<Point> = triangles.iter().flatten().map(|k| Point::from(points[*k as usize])).collect();
    // Files in single precision repeat a point to some 1e-7 of its size.
    let near = 3e-7 * Aabb::around(&used).radius();
    let cell = |p: &Point, k: usize| if near > 0.0 { (p[k] / (4.0 * near)).floor() as i64 } else { 0 };
    let mut kept: Vec<Point> = vec![];
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut numbers = vec![NONE; points.len()];
    for k in triangles.iter().flatten() {
        let number = &mut numbers[*k as usize];
        if *number != NONE {
            continue;
        }
        let p = Point::from(points[*k as usize]);
        // A point within reach is in this cell or in the next one on the nearer side.
        let own: [i64; 3] = std::array::from_fn(|k| cell(&p, k));
        let aside: [i64; 3] = std::array::from_fn(|k| {
            let shifted = |by: f64| cell(&Point::from([p.x + by, p.y + by, p.z + by]), k);
            if shifted(near) != own[k] { shifted(near) } else { shifted(-near) }
        });
        let reach = (0..8).map(|b| std::array::from_fn(|k| if b >> k & 1 == 0 { own[k] } else { aside[k] }));
        let found = reach
            .filter_map(|c: [i64; 3]| cells.get(&c))
            .flatten()
            .copied()
            .filter(|q| (kept[*q as usize] - p).norm() <= near)
            .min();
        *number = found.unwrap_or_else(|| {
            kept.push(p);
            cells.entry(own).or_default().push(kept.len() as u32 - 1);
            kept.len() as u32 - 1
        });
    }
    let mut seen = HashSet::new();
    let list = triangles
        .iter()
        .map(|t| t.map(|k| numbers[k as usize]))
        .filter(|t| t[0] != t[1] && t[1] != t[2] && t[2] != t[0])
        .filter(|t| {
            let mut key = *t;
            key.sort_unstable();
            seen.insert(key)
        })
        .collect();
    (kept, list)
}

/// All edges and the triangles at them.
struct Edges {
    /// Lower end, higher end, triangle, and whether that runs from the lower to the higher; sorted.
    sides: Vec<(u32, u32, u32, bool)>,
    /// Edges with more than two triangles.
    crowded: usize,
}

impl Edges {
    fn of(list: &[[u32; 3]]) -> Self {
        let mut sides: Vec<_> = list
            .iter()
            .zip(0..)
            .flat_map(|(&[a, b, c], t)| [(a, b), (b, c), (c, a)].map(|(p, q)| (p.min(q), p.max(q), t, p < q)))
            .collect();
        sides.sort_unstable();
        let crowded = sides.chunk_by(|e, f| (e.0, e.1) == (f.0, f.1)).filter(|run| run.len() > 2).count();
        Self { sides, crowded }
    }

    /// Pairs of triangles at an edge of their own, and whether they run along it in opposite directions, as they should.
    fn pairs(&self) -> impl Iterator<Item = (u32, u32, bool)> {
        let runs = self.sides.chunk_by(|e, f| (e.0, e.1) == (f.0, f.1));
        runs.filter_map(|run| match run {
            [e, f] => Some((e.2, f.2, e.3 != f.3)),
            _ => None,
        })
    }

    fn holes(&self, points: &[Point]) -> Vec<Hole> {
        let open: Vec<(u32, u32)> = self
            .sides
            .chunk_by(|e, f| (e.0, e.1) == (f.0, f.1))
            .filter(|run| run.len() == 1)
            .map(|run| (run[0].0, run[0].1))
            .collect();
        let mut parents: Vec<u32> = (0..points.len() as u32).collect();
        open.iter().for_each(|(a, b)| {
            union_find::join(&mut parents, *a, *b);
        });
        let mut loops: HashMap<u32, (usize, f64, nalgebra::Vector3<f64>)> = HashMap::new();
        for (a, b) in open {
            let [p, q] = [a, b].map(|i| points[i as usize]);
            let entry = loops.entry(union_find::find(&mut parents, a)).or_default();
            entry.0 += 1;
            entry.1 += (q - p).norm();
            entry.2 += (p.coords + q.coords) * 0.5;
        }
        let mut holes: Vec<Hole> = loops
            .into_values()
            .map(|(edges, length, sum)| Hole { middle: Point::from(sum / edges as f64), length, edges })
            .collect();
        holes.sort_by(|g, h| {
            h.length.total_cmp(&g.length).then(
                g.middle.coords.as_slice().partial_cmp(h.middle.coords.as_slice()).unwrap_or(std::cmp::Ordering::Equal),
            )
        });
        holes
    }
}

/// Turns neighbours the same way round. Gives the part of each triangle, the number of parts, and how many were turned.
fn oriented(list: &mut [[u32; 3]], edges: &Edges) -> (Vec<u32>, usize, usize) {
    let mut neighbours: Vec<Vec<(u32, bool)>> = vec![vec![]; list.len()];
    for (t, u, agree) in edges.pairs() {
        neighbours[t as usize].push((u, agree));
        neighbours[u as usize].push((t, agree));
    }
    let mut part_of = vec![NONE; list.len()];
    let mut turn = vec![false; list.len()];
    let mut parts = 0;
    for first in 0..list.len() {
        if part_of[first] != NONE {
            continue;
        }
        part_of[first] = parts;
        let mut members = vec![first as u32];
        let mut k = 0;
        while k < members.len() {
            let t = members[k];
            for &(u, agree) in &neighbours[t as usize] {
                if part_of[u as usize] == NONE {
                    part_of[u as usize] = parts;
                    turn[u as usize] = turn[t as usize] == agree;
                    members.push(u);
                }
            }
            k += 1;
        }
        // The majority is right about which way is out.
        if 2 * members.iter().filter(|t| turn[**t as usize]).count() > members.len() {
            members.iter().for_each(|t| turn[*t as usize] = !turn[*t as usize]);
        }
        parts += 1;
    }
    list.iter_mut().zip(&turn).filter(|(_, turn)| **turn).for_each(|(t, _)| t.swap(1, 2));
    (part_of, parts as usize, turn.iter().filter(|t| **t).count())
}

/// Turns parts over that are inside out; gives how many. A part that runs inwards within another one is a cavity, and stays.
fn turn_over(points: &[Point], list: &mut [[u32; 3]], part_of: &[u32], parts: usize) -> Result<usize> {
    let mut volumes = vec![0.0; parts];
    let origin = points[list[0][0] as usize];
    for (t, part) in list.iter().zip(part_of) {
        let [a, b, c] = t.map(|i| points[i as usize] - origin);
        volumes[*part as usize] += a.dot(&b.cross(&c)) / 6.0;
    }
    // If all in all there is less than nothing, everything is the wrong way round.
    let mut over = vec![volumes.iter().sum::<f64>() < 0.0; parts];
    let faces_out = |part: u32| (volumes[part as usize] > 0.0) != over[part as usize];
    let all_face_out = (0..parts as u32).all(faces_out);
    let outer = list.iter().zip(part_of).filter(|(_, part)| !all_face_out && faces_out(**part));
    let tree = Bvh::new(&outer.map(|(t, _)| t.map(|i| points[i as usize])).collect::<Vec<_>>())?;
    let winding = Winding::new(&tree);
    let sense = if over[0] { -1.0 } else { 1.0 };
    let mut seen = vec![false; parts];
    for (t, part) in list.iter().zip(part_of) {
        let k = *part as usize;
        if !seen[k] && (volumes[k] > 0.0) == over[k] {
            let cavity = sense * winding.at(&tree, &points[t[0] as usize]) > 0.5;
            over[k] ^= !cavity;
        }
        seen[k] = true;
    }
    list.iter_mut().zip(part_of).filter(|(_, part)| over[**part as usize]).for_each(|(t, _)| t.swap(1, 2));
    Ok(over.iter().filter(|over| **over).count())
}

/// Which triangles have the body on both sides, or on neither.
fn inner_walls(points: &[Point], list: &[[u32; 3]], tree: &Bvh, winding: &Winding, tasks: &Tasks) -> Vec<bool> {
    let mut inner = vec![false; list.len()];
    tasks.fill(&mut inner, 256, |first, chunk| {
        let mut near = vec![];
        for (inner, t) in chunk.iter_mut().zip(&list[first..]) {
            let [a, b, c] = t.map(|i| points[i as usize]);
            let across = (b - a).cross(&(c - a));
            let middle = a + ((b - a) + (c - a)) / 3.0;
            let Some(normal) = across.try_normalize(0.0) else { continue };
            // Close to the triangle, whose own share is then a half.
            let aside = normal * (1e-3 * across.norm().sqrt());
            let outside = winding.at(tree, &(middle + aside));
            near.clear();
            tree.near(&middle, 10.0 * aside.norm(), &mut near);
            // Across a triangle that has no other one nearby the number goes up by one.
            let is_told = near.len() == 1 && (outside.abs() - 0.5).abs() > 0.25;
            let inside = if is_told { outside + 1.0 } else { winding.at(tree, &(middle - aside)) };
            *inner = (outside > 0.5) == (inside > 0.5);
        }
    });
    inner
}
