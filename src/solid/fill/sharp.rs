//! A repaired surface as a body: its patches, and the sharp curves and corners between them.
//!
//! An edge is sharp where the surface turns by more than a given angle. What sharp edges part are patches; those too small
//! for the mesh go to a neighbour. The edges between two patches are a curve, and where three patches meet, or a curve turns
//! sharply, is a corner. Creases that end within a patch part nothing, and are not kept.

use super::body::{Body, Parts, Seat, Sharp, root, sampled};
use super::repair::{Outline, no_inside};
use crate::bvh::{Bvh, Feature, Hit};
use crate::error::{Result, bad_mesh};
use crate::geom::aabb::Aabb;
use crate::geom::pinned::cos;
use crate::geom::{Point, Vector, union_find};
use crate::tasks::Tasks;
use std::collections::BTreeMap;

/// A surface with its patches, curves and corners.
pub(super) struct Outlined<'a> {
    outline: &'a Outline,
    patch_of: Vec<u32>,
    patches: Vec<Bvh>,
    curves: Vec<Sharp>,
    /// The segments of all curves.
    segments: Vec<[Point; 2]>,
    sharp_tree: Bvh,
    /// Those of each curve, as triangles without area.
    curve_trees: Vec<Bvh>,
    corners: Vec<(Sharp, Point)>,
    parts: Parts,
}

impl<'a> Outlined<'a> {
    /// Finds what is sharp: turns of more than `angle` degrees, between patches of more than `smallest` area.
    pub fn new(outline: &'a Outline, angle: f64, smallest: f64) -> Result<Self> {
        let (points, list) = (&outline.points, &outline.triangles);
        let corners_of = |t: &[u32; 3]| t.map(|i| points[i as usize]);
        let across = |t: &[u32; 3]| {
            let [a, b, c] = corners_of(t);
            (b - a).cross(&(c - a))
        };
        // Triangles on both sides of each edge.
        let mut sides: Vec<(u32, u32, u32)> = list
            .iter()
            .zip(0..)
            .flat_map(|(&[a, b, c], t)| [(a, b), (b, c), (c, a)].map(|(p, q)| (p.min(q), p.max(q), t)))
            .collect();
        sides.sort_unstable();
        let pairs: Vec<(u32, u32, u32, u32)> = sides
            .chunk_by(|e, f| (e.0, e.1) == (f.0, f.1))
            .filter(|run| run.len() == 2)
            .map(|run| (run[0].0, run[0].1, run[0].2, run[1].2))
            .collect();
        let mut parents: Vec<u32> = (0..list.len() as u32).collect();
        let mut joined = parents.clone();
        pairs.iter().for_each(|&(_, _, t, u)| {
            union_find::join(&mut joined, t, u);
        });
        let sharp = cos(angle.to_radians());
        for &(_, _, t, u) in &pairs {
            let [n, m] = [t, u].map(|t| across(&list[t as usize]));
            if n.dot(&m) >= sharp * n.norm() * m.norm() {
                union_find::join(&mut parents, t, u);
            }
        }
        absorb_small(&mut parents, &pairs, list, points, smallest);

        let mut numbers = BTreeMap::new();
        let roots: Vec<u32> = (0..list.len() as u32).map(|t| union_find::find(&mut parents, t)).collect();
        let patch_of: Vec<u32> = roots
            .iter()
            .map(|root| {
                let next = numbers.len() as u32;
                *numbers.entry(*root).or_insert(next)
            })
            .collect();
        let mut members = vec![vec![]; numbers.len()];
        list.iter().zip(&patch_of).for_each(|(t, patch)| members[*patch as usize].push(corners_of(t)));
        let patches = members.iter().map(|soup| Bvh::new(soup)).collect::<Result<_>>()?;

        let mut segments: BTreeMap<[u32; 2], Vec<[u32; 2]>> = BTreeMap::new();
        for &(a, b, t, u) in &pairs {
            let [p, q] = [t, u].map(|t| patch_of[t as usize]);
            if p != q {
                segments.entry([p.min(q), p.max(q)]).or_default().push([a, b]);
            }
        }
        let corners = corners(&segments, points, sharp);
        let tree_of = |list: &Vec<[u32; 2]>| {
            let soup: Vec<[Point; 3]> = list.iter().map(|&[a, b]| [a, b, b].map(|i| points[i as usize])).collect();
            Bvh::new(&soup)
        };
        let curve_trees = segments.values().map(tree_of).collect::<Result<_>>()?;
        let all: Vec<[Point; 2]> = segments.values().flatten().map(|s| s.map(|i| points[i as usize])).collect();
        let sharp_tree = Bvh::new(&all.iter().map(|&[a, b]| [a, b, b]).collect::<Vec<_>>())?;
        let curves = segments.into_keys().map(|pair| Sharp { patches: pair.to_vec() }).collect();
        let parts = parts(outline, &patch_of, &mut joined);
        Ok(Self { patch_of, patches, curves, segments: all, sharp_tree, curve_trees, corners, parts, outline })
    }

    /// Fails if the holes are so large that inside and outside are a matter of opinion: somewhere the surface goes about half
    /// round.
    pub fn refuse_if_open(&self, tasks: &Tasks) -> Result<()> {
        if self.outline.holes.is_empty() {
            return Ok(());
        }
        let (windings, _, _) = sampled(&self.bounds(), 24, tasks, |p| self.winding(p));
        let inside = windings.iter().filter(|w| **w > 0.5).count();
        let unsure = windings.iter().filter(|w| (0.3..0.7).contains(*w)).count();
        if 10 * unsure > inside {
            bad_mesh!("the surface is open: {}", no_inside(&self.outline.holes));
        }
        Ok(())
    }

    /// Whether a point is inside, from the side of the closest triangle that it is on: much cheaper than a winding number.
    /// Nothing where that does not tell: on edges and corners, very near, or if triangles overlap.
    fn side(&self, p: &Point, hit: &Hit) -> Option<bool> {
        let outline = self.outline;
        if !outline.sound || hit.feature != Feature::Face {
            return None;
        }
        let [a, b, c] = outline.triangles[hit.triangle as usize].map(|i| outline.points[i as usize]);
        let (normal, away) = ((b - a).cross(&(c - a)), p - hit.point);
        let (height, most) = (away.dot(&normal), hit.distance * normal.norm());
        (height.abs() > 0.9 * most && hit.distance > 1e-9 * outline.tree.bounds().radius()).then_some(height < 0.0)
    }

    /// The winding number at a point.
    pub fn winding(&self, p: &Point) -> f64 {
        self.outline.winding.at(&self.outline.all, p)
    }
}

/// The parts of a surface, from what its triangles are joined to.
fn parts(outline: &Outline, patch_of: &[u32], joined: &mut [u32]) -> Parts {
    let mut parts = Parts { sound: outline.sound, ..Parts::default() };
    let mut numbers = BTreeMap::new();
    let origin = outline.points[outline.triangles[0][0] as usize];
    for (triangle, (t, patch)) in outline.triangles.iter().zip((0..).zip(patch_of)) {
        let root = union_find::find(joined, t);
        let part = *numbers.entry(root).or_insert(parts.volumes.len());
        if part == parts.volumes.len() {
            parts.volumes.push(0.0);
        }
        let [a, b, c] = triangle.map(|i| outline.points[i as usize] - origin);
        parts.volumes[part] += a.dot(&b.cross(&c)) / 6.0;
        // Patches are numbered as they are met.
        if *patch as usize == parts.of_patch.len() {
            parts.of_patch.push(part as u32);
        }
    }
    parts
}

/// Gives patches that are too small to the neighbour with the longest common border, the smallest first.
fn absorb_small(
    parents: &mut [u32],
    pairs: &[(u32, u32, u32, u32)],
    list: &[[u32; 3]],
    points: &[Point],
    smallest: f64,
) {
    let at = |i: u32| points[i as usize];
    loop {
        let mut areas: BTreeMap<u32, f64> = BTreeMap::new();
        for (t, k) in list.iter().zip(0..) {
            let [a, b, c] = t.map(at);
            *areas.entry(union_find::find(parents, k)).or_default() += 0.5 * (b - a).cross(&(c - a)).norm();
        }
        let mut borders: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for &(a, b, t, u) in pairs {
            let (p, q) = (union_find::find(parents, t), union_find::find(parents, u));
            if p != q {
                let length = (at(a) - at(b)).norm();
                *borders.entry((p, q)).or_default() += length;
                *borders.entry((q, p)).or_default() += length;
            }
        }
        let mut small: Vec<(u32, f64)> = areas.iter().map(|(p, a)| (*p, *a)).filter(|(_, a)| *a < smallest).collect();
        small.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        // Each patch changes at most once a round: the borders of those that changed are no longer right.
        let mut changed = std::collections::BTreeSet::new();
        for (patch, _) in small {
            let border = borders.range((patch, 0)..=(patch, u32::MAX));
            let best = border.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0))).map(|(key, _)| key.1);
            if let Some(other) = best.filter(|other| !changed.contains(&patch) && !changed.contains(other)) {
                union_find::join(parents, patch, other);
                changed.extend([patch, other]);
            }
        }
        if changed.is_empty() {
            return;
        }
    }
}

/// Points where at least three patches meet, or a curve turns sharply.
fn corners(segments: &BTreeMap<[u32; 2], Vec<[u32; 2]>>, points: &[Point], sharp: f64) -> Vec<(Sharp, Point)> {
    let mut at: BTreeMap<u32, (Vec<u32>, Vec<Vector>)> = BTreeMap::new();
    for (patches, list) in segments {
        for &[a, b] in list {
            let along = points[b as usize] - points[a as usize];
            for (end, away) in [(a, along), (b, -along)] {
                let entry = at.entry(end).or_default();
                entry.0.extend(patches);
                entry.1.push(away);
            }
        }
    }
    at.into_iter()
        .filter_map(|(point, (mut patches, away))| {
            patches.sort_unstable();
            patches.dedup();
            let straight = match away[..] {
                [u, v] => -u.dot(&v) >= sharp * u.norm() * v.norm(),
                _ => false,
            };
            (patches.len() > 2 || !straight).then(|| (Sharp { patches }, points[point as usize]))
        })
        .collect()
}

impl Body for Outlined<'_> {
    fn bounds(&self) -> Aabb {
        self.outline.tree.bounds()
    }

    fn depth(&self, p: &Point) -> f64 {
        let Some(hit) = self.outline.tree.closest_point(p, f64::INFINITY) else { return 0.0 };
        let inside = self.side(p, &hit).unwrap_or_else(|| self.winding(p) > 0.5);
        if inside { hit.distance } else { -hit.distance }
    }

    fn is_exact(&self) -> bool {
        // Across a hole the sign changes far from all triangles.
        self.outline.sound
    }

    fn distance(&self, p: &Point, most: f64) -> f64 {
        self.outline.tree.closest_point(p, most).map_or(most, |hit| hit.distance)
    }

    fn leaves(&self, [a, b]: [&Point; 2], depths: [f64; 2]) -> f64 {
        // Where every triangle bounds the body, the first one on the way is where it ends.
        let hit = self.outline.sound.then(|| self.outline.tree.ray(a, &(b - a), 1.0)).flatten();
        hit.map_or_else(|| root(|p| self.depth(p), [a, b], depths), |hit| hit.t)
    }

    fn patch_at(&self, p: &Point) -> u32 {
        self.outline.tree.closest_point(p, f64::INFINITY).map_or(0, |hit| self.patch_of[hit.triangle as usize])
    }

    fn onto(&self, seat: Seat, p: &Point) -> Point {
        let nearest = |tree: &Bvh| tree.closest_point(p, f64::INFINITY).map_or(*p, |hit| hit.point);
        match seat {
            Seat::Inside => *p,
            Seat::Patch(k) => nearest(&self.patches[k as usize]),
            Seat::Curve(k) => nearest(&self.curve_trees[k as usize]),
            Seat::Corner(k) => self.corners[k as usize].1,
        }
    }

    fn curves(&self) -> &[Sharp] {
        &self.curves
    }

    fn along_curves(&self, step: f64) -> Vec<Point> {
        let mut points = vec![];
        for [a, b] in &self.segments {
            let parts = ((b - a).norm() / step).ceil().clamp(1.0, 1e4) as usize;
            points.extend((0..=parts).map(|k| a + (b - a) * (k as f64 / parts as f64)));
        }
        points
    }

    fn is_sharp(&self, p: &Point) -> bool {
        self.sharp_tree.closest_point(p, 1e-9 * self.bounds().radius()).is_some()
    }

    fn corners(&self) -> &[(Sharp, Point)] {
        &self.corners
    }

    fn parts(&self) -> Option<&Parts> {
        Some(&self.parts)
    }
}
