//! Generalised winding numbers: how often a surface goes round a point, for surfaces with holes and crossings too.
//!
//! It is the solid angle of all triangles, signed by their orientation, over 4π (Jacobson, Kavan and Sorkine-Hornung 2013):
//! 1 inside a closed surface and 0 outside, 2 where two bodies overlap, and a smooth passage from 1 to 0 across a hole. Far
//! groups of triangles count as one dipole (Barill et al. 2018); near the surface the sum is exact.

use super::{Bvh, STACK};
use crate::geom::{Point, Vector};
use std::f64::consts::PI;

/// A group farther than this many times its radius counts as a dipole: the error of a sum is then some thousandths.
const FAR: f64 = 2.5;

/// A group of triangles seen from afar.
#[derive(Clone, Copy, Debug)]
struct Dipole {
    centre: Point,
    /// The sum of the triangles' normals, each as long as its area.
    normal: Vector,
    /// All triangles are within `FAR` times less than this, squared.
    far_squared: f64,
}

/// What winding numbers need beside the tree.
#[derive(Clone, Debug)]
pub struct Winding {
    /// One for each node of the tree.
    dipoles: Vec<Dipole>,
}

impl Winding {
    /// Gathers the groups of a tree.
    pub fn new(tree: &Bvh) -> Self {
        let mut dipoles =
            vec![Dipole { centre: Point::origin(), normal: Vector::zeros(), far_squared: 0.0 }; tree.nodes.len()];
        // Sums of area, of area times position, and of normals: children come after their parents.
        let mut sums = vec![(0.0, Vector::zeros(), Vector::zeros()); tree.nodes.len()];
        for k in (0..tree.nodes.len()).rev() {
            let node = &tree.nodes[k];
            let (mut area, mut moment, mut normal) = match node.count {
                0 => {
                    let (a, b) = (sums[k + 1], sums[node.link as usize]);
                    (a.0 + b.0, a.1 + b.1, a.2 + b.2)
                }
                _ => (0.0, Vector::zeros(), Vector::zeros()),
            };
            for place in node.link..node.link + node.count {
                let [a, b, c] = tree.triangles[place as usize].corners;
                let across = (b - a).cross(&(c - a)) * 0.5;
                let size = across.norm();
                area += size;
                moment += (a.coords + b.coords + c.coords) * (size / 3.0);
                normal += across;
            }
            sums[k] = (area, moment, normal);
            let centre = if area > 0.0 { Point::from(moment / area) } else { node.bounds.centre() };
            let reach = (node.bounds.max - centre).abs().sup(&(node.bounds.min - centre).abs());
            dipoles[k] = Dipole { centre, normal, far_squared: FAR * FAR * reach.norm_squared() };
        }
        Self { dipoles }
    }

    /// The winding number of the tree's triangles around a point; the tree is the one that this was made from.
    pub fn at(&self, tree: &Bvh, p: &Point) -> f64 {
        let mut angle = 0.0;
        let mut waiting = [0u32; STACK];
        let mut count = usize::from(!tree.nodes.is_empty());
        while count > 0 {
            count -= 1;
            let k = waiting[count];
            let (node, dipole) = (&tree.nodes[k as usize], &self.dipoles[k as usize]);
            let offset = dipole.centre - p;
            let squared = offset.norm_squared();
            if squared > dipole.far_squared {
                angle += offset.dot(&dipole.normal) / (squared * squared.sqrt());
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
    let angle = 2.0 * volume.atan2(x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y);
    if volume == 0.0 { 0.0 } else { angle }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{cube, random_point, soup};
    use super::*;

    #[test]
    fn dipoles_answer_like_the_sum_over_all_triangles() {
        // In a soup normals cancel, and what is left of a group is mostly what a dipole leaves out.
        for (triangles, within) in [(soup(400, 3, 1.0), 0.1), (cube(8, 0.7), 0.01)] {
            let tree = Bvh::new(&triangles).unwrap();
            let winding = Winding::new(&tree);
            for k in 0..2000 {
                let p = random_point(5, k, 2.0);
                let all = triangles.iter().map(|t| solid_angle(t, &p)).sum::<f64>() / (4.0 * PI);
                let found = winding.at(&tree, &p);
                assert!((found - all).abs() < within, "{found} is not {all}");
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
