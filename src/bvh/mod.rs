//! Triangle BVH: closest points and rays over any list of triangles.
//!
//! A binary tree of boxes, built once, never changed: binned surface-area heuristic, nodes in one flat array in depth-first
//! order (the left child is the next node), triangles copied into leaf order. It serves the skin of a solid as well as any
//! other surface: no connectivity is asked for, and triangles without area are as good as others (segments or points).
//! No tolerance has a unit; a body of a micrometre and one of a thousand kilometres get the same answers.
//!
//! The build is serial and depends on nothing but the list: the same tree on every run.

mod build;
mod closest;
mod pair;
mod ray;
mod winding;

pub use closest::{Feature, Hit};
pub(crate) use closest::{Near, closest_weights};
pub use pair::{Gaps, Places, Second, TreePair};
pub(crate) use ray::Ray;
pub use ray::RayHit;
pub use winding::Winding;

use crate::error::{Error, Result, bad_argument};
use crate::geom::Point;
use crate::geom::aabb::Aabb;
use crate::heap::held;

/// A tree of boxes around triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh {
    /// Depth-first, the root first; empty for an empty list.
    nodes: Vec<Node>,
    /// In leaf order. What names a triangle by its number in this list calls it a *place*.
    triangles: Vec<Triangle>,
    /// The caller's number of the triangle at each place.
    sources: Vec<u32>,
}

/// A box and what is in it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    bounds: Aabb,
    /// Of a leaf: its first place. Of an inner node: its right child; the left one is the next node.
    link: u32,
    /// Triangles of a leaf; 0 for an inner node.
    count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Triangle {
    corners: [Point; 3],
    /// Too narrow for the products that tell its face from its edges; see `closest`.
    sliver: bool,
}

/// No path from the root is longer: the build sees to it, so that a search needs no memory but this.
const STACK: usize = 64;

impl Bvh {
    /// Builds the tree. Fails if a coordinate is not finite or there are more than 2^29 triangles.
    pub fn new(triangles: &[[Point; 3]]) -> Result<Self> {
        if triangles.len() >= 1 << 29 {
            return Err(Error::TooLarge(format!("{} triangles; at most {} fit", triangles.len(), (1 << 29) - 1)));
        }
        for (t, corners) in triangles.iter().enumerate() {
            // Fourth powers of lengths are taken.
            if let Some(k) = corners.iter().position(|p| p.iter().any(|c| !c.is_finite() || c.abs() > 1e70)) {
                bad_argument!("triangles[{t}][{k}] is {}; coordinates must be finite and below 1e70", corners[k]);
            }
        }
        let (nodes, sources) = build::tree(triangles);
        let triangles = sources.iter().map(|t| Triangle::new(triangles[*t as usize])).collect();
        Ok(Self { nodes, triangles, sources })
    }

    /// How many triangles there are.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Box around all triangles.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, |root| root.bounds)
    }

    /// Heap memory in bytes.
    pub fn bytes(&self) -> usize {
        held(&self.nodes) + held(&self.triangles) + held(&self.sources)
    }
}

#[cfg(test)]
mod samples {
    //! Triangles on which searches are held against brute force.

    use super::*;
    use crate::geom::Vector;
    use crate::geom::random::unit;

    pub fn random_point(seed: u64, key: u64, size: f64) -> Point {
        Point::from(Vector::from_fn(|k, _| size * (unit(seed, 3 * key + k as u64) - 0.5)))
    }

    /// Triangles of all sizes, every tenth a segment, a point, or a needle.
    pub fn soup(count: u64, seed: u64, size: f64) -> Vec<[Point; 3]> {
        (0..count)
            .map(|t| {
                let a = random_point(seed, 4 * t, size);
                let scale = 0.4 * unit(seed ^ 99, t).powi(3);
                let [b, c] = [1, 2].map(|k| a + random_point(seed, 4 * t + k, size).coords * scale);
                match t % 40 {
                    0 => [a, a, a],
                    10 => [a, b, nalgebra::center(&a, &b)],
                    20 => [a, b, b + (c - b) * 1e-9],
                    30 => [a, b, b],
                    _ => [a, b, c],
                }
            })
            .collect()
    }

    /// A closed surface with shared edges and corners: a cube of `n` squares a side, pushed out to a ball by `round`.
    pub fn cube(n: usize, round: f64) -> Vec<[Point; 3]> {
        let mut triangles = vec![];
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let at = |i: usize, j: usize| {
                    let mut v = Vector::zeros();
                    v[axis] = side;
                    v[(axis + 1) % 3] = side * (2.0 * i as f64 / n as f64 - 1.0);
                    v[(axis + 2) % 3] = 2.0 * j as f64 / n as f64 - 1.0;
                    Point::from(v * (1.0 - round) + v.normalize() * round)
                };
                for i in 0..n {
                    for j in 0..n {
                        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                        triangles.extend([[a, b, c], [a, c, d]]);
                    }
                }
            }
        }
        triangles
    }
}

#[cfg(test)]
mod tests {
    use super::samples::*;
    use super::*;

    #[test]
    fn every_triangle_is_in_one_leaf_and_in_all_boxes_above_it() {
        for triangles in [soup(1000, 1, 1.0), cube(9, 1.0), vec![[Point::origin(); 3]; 100]] {
            let bvh = Bvh::new(&triangles).unwrap();
            let mut met = vec![0; triangles.len()];
            let mut stack = vec![(0, vec![])];
            while let Some((k, above)) = stack.pop() {
                let node: &Node = &bvh.nodes[k];
                let above: Vec<Aabb> = above.into_iter().chain([node.bounds]).collect();
                assert!(above.len() < STACK);
                if node.count == 0 {
                    stack.extend([(k + 1, above.clone()), (node.link as usize, above)]);
                    continue;
                }
                for place in node.link..node.link + node.count {
                    let source = bvh.sources[place as usize] as usize;
                    met[source] += 1;
                    assert_eq!(bvh.triangles[place as usize].corners, triangles[source]);
                    assert!(triangles[source].iter().all(|p| above.iter().all(|b| b.contains(p))));
                }
            }
            assert!(met.iter().all(|m| *m == 1));
        }
    }

    #[test]
    fn crowded_centres_do_not_make_the_tree_deep() {
        // Each triangle half as large as the one before: the heuristic alone would peel them off one by one.
        let triangles: Vec<[Point; 3]> = (0..2000)
            .map(|k| [0.0, 0.3, 0.7].map(|s| Point::new(1.0 + s, s * s, 1.0) * 0.7f64.powi(k % 300)))
            .collect();
        let bvh = Bvh::new(&triangles).unwrap();
        let mut stack = vec![(0, 1)];
        while let Some((k, depth)) = stack.pop() {
            assert!(depth < STACK);
            let node: &Node = &bvh.nodes[k];
            if node.count == 0 {
                stack.extend([(k + 1, depth + 1), (node.link as usize, depth + 1)]);
            }
        }
    }

    #[test]
    fn nothing_is_an_answer_and_nonsense_an_error() {
        let empty = Bvh::new(&[]).unwrap();
        assert!(empty.is_empty() && empty.bounds().is_empty() && empty.bytes() == 0);
        assert_eq!(empty.closest_point(&Point::origin(), f64::INFINITY), None);
        assert_eq!(empty.ray(&Point::origin(), &crate::geom::Vector::x(), 1.0), None);
        let mut bad = soup(5, 1, 1.0);
        bad[3][2].y = f64::NAN;
        assert!(Bvh::new(&bad).unwrap_err().to_string().contains("triangles[3][2]"));
    }
}
