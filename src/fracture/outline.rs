//! Flat polygons from facets on one plane: their common outline, triangulated without regard to the mesh.
//!
//! Facets share their edges but for the outline's. Corners in the middle of a straight line between two cracks are left out, on
//! both polygons along that line alike; corners on the skin stay, so that the polygon closes with it (`geom::polygon`).

use super::place::{ByPlace, Place};
use crate::geom::polygon::{Polygon, fan};
use crate::geom::{Point, Vector};
use std::collections::HashMap;

/// Facets on one plane under way.
#[derive(Default)]
pub struct Outline {
    points: Vec<Point>,
    is_between: Vec<bool>,
    numbers: ByPlace<u32>,
    /// Edges of facets, as they come, and how often; those of two facets cancel.
    edges: HashMap<(u32, u32), i32>,
    /// Twice the area, along the normal.
    normal: Vector,
}

impl Outline {
    /// Adds a facet, counter-clockwise, with what is known of its corners.
    pub fn add(&mut self, points: &[Point], is_between: &[bool]) {
        let numbers: Vec<u32> = points.iter().zip(is_between).map(|(p, between)| self.number(p, *between)).collect();
        for k in 0..numbers.len() {
            let (a, b) = (numbers[k], numbers[(k + 1) % numbers.len()]);
            let (edge, by) = if a < b { ((a, b), 1) } else { ((b, a), -1) };
            if a != b {
                *self.edges.entry(edge).or_insert(0) += by;
            }
        }
        let base = points[0];
        self.normal += points[1..].windows(2).map(|w| (w[0] - base).cross(&(w[1] - base))).sum::<Vector>();
    }

    fn number(&mut self, p: &Point, is_between: bool) -> u32 {
        *self.numbers.entry(Place::of(p)).or_insert_with(|| {
            self.points.push(*p);
            self.is_between.push(is_between);
            self.points.len() as u32 - 1
        })
    }

    /// The corners of the outline, loop by loop; `None` if it does not close.
    fn loops(&self) -> Option<Vec<Vec<u32>>> {
        let mut directed: Vec<(u32, u32)> = vec![];
        for (&(a, b), &count) in &self.edges {
            match count {
                0 => {}
                1 => directed.push((a, b)),
                -1 => directed.push((b, a)),
                _ => return None,
            }
        }
        directed.sort_unstable();
        let mut is_used = vec![false; directed.len()];
        let mut loops = vec![];
        for first in 0..directed.len() {
            if is_used[first] {
                continue;
            }
            let (start, mut at) = directed[first];
            is_used[first] = true;
            let mut around = vec![start];
            while at != start {
                around.push(at);
                // Where an outline touches itself, any way on will do: edges are what counts.
                let from = directed.partition_point(|(a, _)| *a < at);
                let next = (from..directed.len()).take_while(|k| directed[*k].0 == at).find(|k| !is_used[*k])?;
                is_used[next] = true;
                at = directed[next].1;
            }
            loops.push(around);
        }
        Some(loops)
    }
}

/// Leaves out corners in the middle of straight lines: those that are marked, and that two outlines pass on the same way, or one of
/// them if `by_one`. `None` if an outline does not close.
pub fn straightened(outlines: Vec<Outline>, by_one: bool) -> Option<Vec<Polygon>> {
    let mut passed: ByPlace<Vec<[Place; 2]>> = ByPlace::default();
    let mut is_marked: ByPlace<bool> = ByPlace::default();
    let mut all = vec![];
    for outline in &outlines {
        let loops = outline.loops()?;
        for around in &loops {
            let key = |k: usize| Place::of(&outline.points[around[k % around.len()] as usize]);
            for k in 0..around.len() {
                passed.entry(key(k)).or_default().push([key(k + around.len() - 1), key(k + 1)]);
            }
        }
        for (p, between) in outline.points.iter().zip(&outline.is_between) {
            *is_marked.entry(Place::of(p)).or_insert(true) &= between;
        }
        all.push(loops);
    }
    let is_straight = |p: &Point| {
        is_marked[&Place::of(p)]
            && match passed.get(&Place::of(p)).map_or(&[][..], |ways| ways) {
                [one, other] => one[0] == other[1] && one[1] == other[0],
                [_] => by_one,
                _ => false,
            }
    };
    let polygon = |(outline, mut loops): (Outline, Vec<Vec<u32>>)| {
        for around in &mut loops {
            around.retain(|k| !is_straight(&outline.points[*k as usize]));
        }
        // What has fewer than three corners is nothing.
        loops.retain(|around| around.len() > 2);
        Polygon { points: outline.points, loops, normal: outline.normal }
    };
    Some(outlines.into_iter().zip(all).map(polygon).collect())
}

/// Fans over the loops of a polygon: right in area and closed, whatever its shape, but not without overlap.
pub fn fans(polygon: &Polygon) -> Vec<[u32; 3]> {
    let mut triangles = vec![];
    for around in &polygon.loops {
        let points: Vec<Point> = around.iter().map(|k| polygon.points[*k as usize]).collect();
        triangles.extend(fan(&points).map(|t| t.map(|k| around[k])));
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::polygon::flat_triangles;

    fn square(x: f64, y: f64) -> Vec<Point> {
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(a, b)| Point::new(x + a, y + b, 0.0)).to_vec()
    }

    fn area(polygon: &Polygon, triangles: &[[u32; 3]]) -> f64 {
        let places = triangles.iter().map(|t| t.map(|k| polygon.points[k as usize]));
        places.map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).z).sum()
    }

    #[test]
    fn facets_become_one_polygon_with_its_holes() {
        // Three by three squares without the middle one.
        let mut outline = Outline::default();
        for k in (0..9).filter(|k| *k != 4) {
            outline.add(&square((k % 3) as f64, (k / 3) as f64), &[false; 4]);
        }
        let polygon = &straightened(vec![outline], true).unwrap()[0];
        let triangles = flat_triangles(polygon).unwrap();
        assert!((area(polygon, &triangles) - 8.0).abs() < 1e-12);
        // All twelve corners of the rim and four of the hole.
        assert_eq!(triangles.len(), 12 + 4);
    }

    #[test]
    fn corners_between_two_cracks_are_left_out() {
        let mut outline = Outline::default();
        outline.add(&square(0.0, 0.0), &[false, true, true, false]);
        outline.add(&square(1.0, 0.0), &[true, false, false, true]);
        let polygon = &straightened(vec![outline], true).unwrap()[0];
        let triangles = flat_triangles(polygon).unwrap();
        assert_eq!((triangles.len(), area(polygon, &triangles)), (2, 2.0));
    }
}
