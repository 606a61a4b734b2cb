//! Flat polygons with any number of outlines and holes, as triangles.
//!
//! Triangles are those of a constrained Delaunay triangulation: it keeps every corner of the outline, those on straight edges too, which
//! ear clipping may drop.

use crate::geom::plane::axes_across;
use crate::geom::{Point, Vector};
use spade::handles::FixedFaceHandle;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};
use std::collections::HashMap;

/// Flat polygons: any loops on a plane.
pub struct Polygon {
    /// Corners, and maybe others.
    pub points: Vec<Point>,
    /// Numbers of points.
    pub loops: Vec<Vec<u32>>,
    /// Of any length.
    pub normal: Vector,
}

/// The triangles of a polygon, counter-clockwise, by points; `None` if it is not a flat polygon to double precision.
pub fn flat_triangles(outline: &Polygon) -> Option<Vec<[u32; 3]>> {
    let loops = &outline.loops;
    if loops.is_empty() {
        return Some(vec![]);
    }
    if outline.normal.norm_squared() == 0.0 {
        return None;
    }
    let [u, v] = axes_across(&outline.normal);
    // Axes are the same for both sides: seen from one of them they are left-handed.
    let is_mirrored = u.cross(&v).dot(&outline.normal) < 0.0;
    let base = *outline.points.first()?;
    let size = outline.normal.norm().sqrt();
    let flat = |k: u32| {
        let from = outline.points[k as usize] - base;
        let x = from.dot(&u) / size;
        Point2::new(if is_mirrored { -x } else { x }, from.dot(&v) / size)
    };
    let mut triangulation = ConstrainedDelaunayTriangulation::<Point2<f64>>::new();
    let mut number_of = HashMap::new();
    let mut edges = vec![];
    for around in loops {
        let mut handles = vec![];
        for &k in around {
            let at = flat(k);
            // The triangulation refuses numbers next to zero.
            let cleared = |c: f64| if c.abs() < 1e-60 { 0.0 } else { c };
            let handle = triangulation.insert(Point2::new(cleared(at.x), cleared(at.y))).ok()?;
            if *number_of.entry(handle).or_insert(k) != k {
                return None;
            }
            handles.push(handle);
        }
        edges.extend((0..handles.len()).map(|k| (handles[k], handles[(k + 1) % handles.len()])));
    }
    for (a, b) in edges {
        // It must be an edge of its own: not crossed by others, and not on top of another corner.
        if a == b || !triangulation.can_add_constraint(a, b) || triangulation.try_add_constraint(a, b).len() != 1 {
            return None;
        }
    }
    let inside = faces_inside(&triangulation);
    let mut numbers = vec![];
    for face in triangulation.inner_faces().filter(|face| inside[face.fix().index()]) {
        let corners = face.vertices().map(|vertex| number_of.get(&vertex.fix()).copied());
        let [Some(a), Some(b), Some(c)] = corners else { return None };
        numbers.push([a, b, c]);
    }
    ends_at(&numbers, loops).then_some(numbers)
}

/// Whether triangles end at the edges of an outline, and nowhere else.
fn ends_at(triangles: &[[u32; 3]], loops: &[Vec<u32>]) -> bool {
    let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
    let mut count =
        |a: u32, b: u32, by: i32| *edges.entry((a.min(b), a.max(b))).or_insert(0) += if a < b { by } else { -by };
    for &[a, b, c] in triangles {
        [(a, b), (b, c), (c, a)].into_iter().for_each(|(a, b)| count(a, b, 1));
    }
    for around in loops {
        (0..around.len()).for_each(|k| count(around[k], around[(k + 1) % around.len()], -1));
    }
    edges.values().all(|sum| *sum == 0)
}

/// Which faces are within the outline: those that an odd number of its edges is before, seen from outside.
fn faces_inside(triangulation: &ConstrainedDelaunayTriangulation<Point2<f64>>) -> Vec<bool> {
    let mut depth = vec![None; triangulation.num_all_faces()];
    let outer: FixedFaceHandle<_> = triangulation.outer_face().fix();
    depth[outer.index()] = Some(false);
    let mut waiting = vec![];
    for edge in triangulation.convex_hull() {
        // Edges of the hull have the outer face on one side.
        for edge in [edge, edge.rev()] {
            if edge.face().is_outer() {
                waiting.push((edge.rev().face().fix().index(), edge.is_constraint_edge()));
            }
        }
    }
    let mut by_index: Vec<Option<[usize; 3]>> = vec![None; triangulation.num_all_faces()];
    let mut is_crossed: Vec<[bool; 3]> = vec![[false; 3]; triangulation.num_all_faces()];
    for face in triangulation.inner_faces() {
        let edges = face.adjacent_edges();
        by_index[face.fix().index()] = Some(edges.map(|edge| edge.rev().face().fix().index()));
        is_crossed[face.fix().index()] = edges.map(|edge| edge.is_constraint_edge());
    }
    while let Some((face, inside)) = waiting.pop() {
        if depth[face].is_some() {
            continue;
        }
        depth[face] = Some(inside);
        if let Some(next) = by_index[face] {
            (0..3).for_each(|k| waiting.push((next[k], inside ^ is_crossed[face][k])));
        }
    }
    depth.into_iter().map(|inside| inside.unwrap_or(false)).collect()
}

/// The normal of a polygon, as long as its area.
pub fn area_normal(points: &[Point]) -> Vector {
    (2..points.len())
        .fold(Vector::zeros(), |sum, k| sum + (points[k - 1] - points[0]).cross(&(points[k] - points[0])) * 0.5)
}

/// Triangles of a convex polygon, from the corner that gives the largest smallest one (some corners lie on straight edges).
pub fn fan(points: &[Point]) -> impl Iterator<Item = [usize; 3]> {
    let n = points.len();
    let triangle = move |apex: usize, k: usize| [apex, (apex + k) % n, (apex + k + 1) % n];
    let smallest = |apex: usize| {
        (1..n - 1)
            .map(|k| area_normal(&triangle(apex, k).map(|i| points[i])).norm_squared())
            .fold(f64::INFINITY, f64::min)
    };
    let apex =
        if n < 4 { 0 } else { (0..n).max_by(|a, b| smallest(*a).total_cmp(&smallest(*b)).then(b.cmp(a))).unwrap_or(0) };
    (1..n.saturating_sub(1)).map(move |k| triangle(apex, k))
}
