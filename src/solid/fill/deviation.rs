//! How far a mesh is off the surface that it was made from, to a known tolerance.
//!
//! Distances are searched by branch and bound: the distance from a surface changes no faster than the point moves, and the distance
//! from a single triangle is convex, so that over a part of another triangle it is largest at a corner of it. A part that can add
//! no more than the tolerance to the largest distance found is left out. Others are cut along the sides of the triangle nearest to
//! them, so that what lies over it is done with at once; those that do not reach across one are divided in four.

use super::repair::Outline;
use crate::bvh::{Bvh, closest_weights};
use crate::error::Result;
use crate::geom::{Point, Vector};
use crate::solid::Solid;
use crate::tasks::Tasks;

/// The largest distances between a surface and the boundary of the tetrahedra that were made from it (the two one-sided Hausdorff
/// distances), in metres. Neither is larger than told by more than `tolerance`, nor smaller than told.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deviation {
    /// From any point of the surface to the nearest of the boundary: what the tetrahedra do not reach.
    pub surface_to_tets: f64,
    /// From any point of the boundary to the nearest of the surface: how far tetrahedra reach beyond it, or stay below.
    pub tets_to_surface: f64,
    /// How much larger they may be.
    pub tolerance: f64,
}

impl Deviation {
    /// The larger of the two.
    pub fn most(&self) -> f64 {
        self.surface_to_tets.max(self.tets_to_surface)
    }
}

/// The tolerance, in edges at the surface.
const TOLERANCE: f64 = 0.02;
/// Triangles that are searched together, each such list by itself: the same for every number of threads.
const TOGETHER: usize = 256;
/// Parts that reach less across the side of a triangle are not cut along it, in distances of their corners from their middle.
const LEAST_CUT: f64 = 0.01;

/// Compares a mesh with the surface that it was made from, without what was left out of it; `edge` is the length of its edges.
pub(super) fn deviation(outline: &Outline, solid: &Solid, edge: f64, tasks: &Tasks) -> Result<Deviation> {
    let node = |i: u32| solid.nodes()[i as usize];
    let boundary: Vec<[Point; 3]> = solid.skin().iter().map(|t| t.nodes.map(node)).collect();
    let surface: Vec<[Point; 3]> = outline.triangles.iter().map(|t| t.map(|i| outline.points[i as usize])).collect();
    let tolerance = TOLERANCE * edge;
    Ok(Deviation {
        surface_to_tets: farthest(&surface, (&Bvh::new(&boundary)?, &boundary), tolerance, tasks),
        tets_to_surface: farthest(&boundary, (&outline.tree, &surface), tolerance, tasks),
        tolerance,
    })
}

/// The largest distance from a point of some triangles to others, short of it by the tolerance at most.
fn farthest(from: &[[Point; 3]], (tree, to): (&Bvh, &[[Point; 3]]), tolerance: f64, tasks: &Tasks) -> f64 {
    // Mostly the farthest is a corner or nearly one, so that little is left to be divided. One of each triangle is enough.
    let at_corners = tasks.map_chunks(from.len(), TOGETHER, |range| {
        let hits = from[range].iter().map(|[first, ..]| tree.closest_point(first, f64::INFINITY));
        hits.map(|hit| hit.map_or((0.0, 0), |hit| (hit.distance, hit.triangle))).collect::<Vec<(f64, u32)>>()
    });
    let at_corners = at_corners.concat();
    let known = at_corners.iter().map(|hit| hit.0).fold(0.0, f64::max);
    let found = tasks.map_chunks(from.len(), TOGETHER, |range| {
        let mut most = known;
        // With each part a triangle that may be nearest: that of a corner, or of the part around it.
        let mut left: Vec<([Point; 3], u32)> = vec![];
        for (part, (_, guess)) in from[range.clone()].iter().zip(&at_corners[range]) {
            left.push((*part, *guess));
            while let Some((part @ [a, b, c], guess)) = left.pop() {
                let middle = Point::from((a.coords + b.coords + c.coords) / 3.0);
                let reach = part.iter().map(|p| (p - middle).norm()).fold(0.0, f64::max);
                let at_most = distance_to(&middle, &to[guess as usize]);
                let is_near = |enough: f64, triangle: u32, distance: f64| {
                    let to_corners = || part.iter().all(|p| distance_to(p, &to[triangle as usize]) <= enough);
                    distance + reach <= enough || to_corners()
                };
                if is_near(most + tolerance, guess, at_most) {
                    continue;
                }
                let nearest = tree.closest_point(&middle, at_most).filter(|hit| hit.distance < at_most);
                let (distance, triangle) = nearest.map_or((at_most, guess), |hit| (hit.distance, hit.triangle));
                most = most.max(distance);
                if is_near(most + tolerance, triangle, distance) {
                    continue;
                }
                if let Some(parts) = cut(&part, &to[triangle as usize], LEAST_CUT * reach) {
                    left.extend(parts.map(|part| (part, triangle)));
                    continue;
                }
                let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[p, q]| nalgebra::center(&p, &q));
                left.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]].map(|part| (part, triangle)));
            }
        }
        most
    });
    found.into_iter().fold(known, f64::max)
}

/// Cuts a part along a side of a triangle, by the plane through it at right angles: the side that it reaches across the farthest, in
/// both directions. Nothing if it reaches less than `least` across each.
fn cut(part: &[Point; 3], side_of: &[Point; 3], least: f64) -> Option<[[Point; 3]; 3]> {
    let [p, q, r] = side_of;
    let normal = (q - p).cross(&(r - p));
    let mut best = (least, [0.0; 3]);
    for (from, to) in [(p, q), (q, r), (r, p)] {
        let Some(outwards) = (to - from).cross(&normal).try_normalize(0.0) else { continue };
        let heights = part.map(|corner| outwards.dot(&(corner - from)));
        let (low, high) = heights.iter().fold((0.0f64, 0.0f64), |(low, high), h| (low.min(*h), high.max(*h)));
        let reach = high.min(-low);
        if reach > best.0 {
            best = (reach, heights);
        }
    }
    let (reach, heights) = best;
    if reach <= least {
        return None;
    }
    // One corner is on one side, two are on the other.
    let outside = heights.map(|h| h > 0.0);
    let alone = (0..3).find(|k| outside[*k] != outside[(k + 1) % 3] && outside[*k] != outside[(k + 2) % 3])?;
    let [i, j, k] = [alone, (alone + 1) % 3, (alone + 2) % 3];
    let [a, b, c] = [part[i], part[j], part[k]];
    let [ab, ac] = [(b, j), (c, k)].map(|(end, n)| a + (end - a) * (heights[i] / (heights[i] - heights[n])));
    Some([[a, ab, ac], [ab, b, c], [ab, c, ac]])
}

/// How far a point is from a triangle.
fn distance_to(p: &Point, triangle: &[Point; 3]) -> f64 {
    let weights = closest_weights(p, triangle);
    (0..3).map(|k| (triangle[k] - p) * weights[k]).sum::<Vector>().norm()
}
