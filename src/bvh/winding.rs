//! Generalised winding numbers: how often a surface goes round a point, for surfaces with holes and crossings too.
//!
//! It is the solid angle of all triangles, signed by their orientation, over 4π (Jacobson, Kavan and Sorkine-Hornung 2013):
//! 1 inside a closed surface and 0 outside, 2 where two bodies overlap, and a smooth passage from 1 to 0 across a hole. Far
//! groups of triangles count as one dipole and one quadrupole (Barill et al. 2018); near the surface the sum is exact. Dipoles
//! alone are not enough: both sides of a wall are in one group, their normals cancel, and what is left is of the next order.

use super::{Bvh, STACK};
use crate::geom::pinned::atan2;
use crate::geom::{Point, Vector};
use nalgebra::Matrix3;
use std::f64::consts::PI;

/// A group farther than this many times its radius is not looked into: the error of a sum is then about a hundredth.
const FAR: f64 = 2.6;

/// A group of triangles seen from afar.
#[derive(Clone, Copy, Debug)]
struct Cluster {
    centre: Point,
    /// The dipole: the sum of the triangles' normals, each as long as its area.
    normal: Vector,
    /// The quadrupole: with M the sum of the products of place (from the centre) and normal, tr M - 3 M, made symmetric.
    spread: Matrix3<f64>,
    /// All triangles are within `FAR` times less than this, squared.
    far_squared: f64,
}

/// What winding numbers need beside the tree.
#[derive(Clone, Debug)]
pub struct Winding {
    /// One for each node of the tree.
    groups: Vec<Cluster>,
}

/// Sums over triangles, each as heavy as its area; places are those from the middle of the tree.
#[derive(Clone, Copy, Default)]
struct Sums {
    area: f64,
    place: Vector,
    normal: Vector,
    product: Matrix3<f64>,
}

impl Sums {
    fn add(&mut self, other: &Self) {
        self.area += other.area;
        self.place += other.place;
        self.normal += other.normal;
        self.product += other.product;
    }

    fn of(&[a, b, c]: &[Point; 3], middle: &Point) -> Self {
        let normal = (b - a).cross(&(c - a)) * 0.5;
        let (area, place) = (normal.norm(), ((a - middle) + (b - middle) + (c - middle)) / 3.0);
        Self { area, place: place * area, normal, product: place * normal.transpose() }
    }
}

impl Winding {
    /// Gathers the groups of a tree.
    pub fn new(tree: &Bvh) -> Self {
        let middle = tree.bounds().centre();
        let nothing = Cluster { centre: middle, normal: Vector::zeros(), spread: Matrix3::zeros(), far_squared: 0.0 };
        let mut groups = vec![nothing; tree.nodes.len()];
        let mut sums = vec![Sums::default(); tree.nodes.len()];
        // Children come after their parents.
        for k in (0..tree.nodes.len()).rev() {
            let node = &tree.nodes[k];
            let mut sum = Sums::default();
            if node.count == 0 {
                sum.add(&sums[k + 1]);
                sum.add(&sums[node.link as usize]);
            }
            for place in node.link..node.link + node.count {
                sum.add(&Sums::of(&tree.triangles[place as usize].corners, &middle));
            }
            sums[k] = sum;
            let offset = if sum.area > 0.0 { sum.place / sum.area } else { node.bounds.centre() - middle };
            let centre = middle + offset;
            let product = sum.product - offset * sum.normal.transpose();
            let spread = Matrix3::identity() * product.trace() - (product + product.transpose()) * 1.5;
            let reach = (node.bounds.max - centre).abs().sup(&(node.bounds.min - centre).abs());
            groups[k] = Cluster { centre, normal: sum.normal, spread, far_squared: FAR * FAR * reach.norm_squared() };
        }
        Self { groups }
    }

    /// The winding number of the tree's triangles around a point; the tree is the one that this was made from.
    pub fn at(&self, tree: &Bvh, p: &Point) -> f64 {
        let mut angle = 0.0;
        let mut waiting = [0u32; STACK];
        let mut count = usize::from(!tree.nodes.is_empty());
        while count > 0 {
            count -= 1;
            let k = waiting[count];
            let (node, group) = (&tree.nodes[k as usize], &self.groups[k as usize]);
            let offset = group.centre - p;
            let squared = offset.norm_squared();
            if squared > group.far_squared {
                let spread = offset.dot(&(group.spread * offset)) / squared;
                angle += (offset.dot(&group.normal) + spread) / (squared * squared.sqrt());
                continue;
            }
            if node.count == 0 {
                waiting[count] = node.link;
                waiting[count + 1] = k + 1;
                count += 2;
            } else {
                let places = node.link as usize..(node.link + node.count) as usize;
                angle += tree.triangles[places].iter().map(|t| solid_angle(&t.corners, p)).sum::<f64>();
            }
        }
        angle / (4.0 * PI)
    }
}

/// The signed solid angle of a triangle (van Oosterom and Strackee 1983); 0 in its plane.
fn solid_angle(corners: &[Point; 3], p: &Point) -> f64 {
    let [a, b, c] = corners.map(|q| q - p);
    let (x, y, z) = (a.norm(), b.norm(), c.norm());
    let volume = a.dot(&b.cross(&c));
    let angle = 2.0 * atan2(volume, x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y);
    if volume == 0.0 { 0.0 } else { angle }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{cube, random_point, soup};
    use super::*;

    #[test]
    fn groups_answer_like_the_sum_over_all_triangles() {
        // In a soup normals cancel, and so they do in a thin wall: what is left of a group is of higher orders.
        let shell = |inner: f64| {
            let turned = cube(8, 1.0).into_iter().map(|[a, b, c]| [a, c, b].map(|p| p * inner));
            cube(8, 1.0).into_iter().chain(turned).collect::<Vec<_>>()
        };
        for triangles in [soup(400, 3, 1.0), cube(8, 0.7), shell(0.4), shell(0.67), shell(0.9), shell(0.98)] {
            let tree = Bvh::new(&triangles).unwrap();
            let winding = Winding::new(&tree);
            for k in 0..2000 {
                let p = random_point(5, k, 2.0) * if k % 2 == 0 { 1.0 } else { 0.2 };
                let all = triangles.iter().map(|t| solid_angle(t, &p)).sum::<f64>() / (4.0 * PI);
                let found = winding.at(&tree, &p);
                assert!((found - all).abs() < 0.02, "{found} is not {all}");
            }
        }
    }

    #[test]
    fn one_inside_and_nothing_outside_a_closed_surface() {
        let tree = Bvh::new(&cube(8, 0.0)).unwrap();
        let winding = Winding::new(&tree);
        for k in 0..2000 {
            let p = random_point(7, k, 2.5);
            let inside = tree.bounds().contains(&p);
            assert!((winding.at(&tree, &p) - inside as u8 as f64).abs() < 0.02);
        }
    }
}
