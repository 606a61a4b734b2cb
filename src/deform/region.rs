//! The triangles of a scene in a box, at the end of the step.

use super::node::{LEAF, Node};
use super::options::BodyId;
use super::refit::{above, below};
use super::scene::Scene;
use crate::geom::aabb::Aabb;
use crate::geom::{NONE, Point};

/// A triangle of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneTriangle {
    /// The body.
    pub body: BodyId,
    /// Its triangle.
    pub triangle: u32,
    /// Its corners, at the end of the step.
    pub corners: [Point; 3],
    /// Half the distance at which the body touches others.
    pub thickness: f64,
    /// Which corners it represents, a bit each: every vertex is represented by one triangle.
    pub represents: u8,
}

impl Scene {
    /// Calls `f` for the triangles whose boxes meet a box, of bodies with a bit of `mask` in their category. The scene is up to date.
    pub(crate) fn triangles_in(&self, region: &Aabb, mask: u32, mut f: impl FnMut(&SceneTriangle)) {
        let origin = &self.options.origin;
        let lower = [0, 1, 2].map(|k| below(region.min[k] - origin[k]));
        let upper = [0, 1, 2].map(|k| above(region.max[k] - origin[k]));
        let region = Node { min: lower, max: upper, leaves: 0, first: 0 };
        let mut bodies = vec![];
        let mut stack: Vec<u32> = Some(self.top.root).filter(|root| *root != NONE).into_iter().collect();
        while let Some(node) = stack.pop() {
            let node = &self.top.nodes[node as usize];
            if node.bounds.meets(&region, 0.0) {
                match node.is_leaf() {
                    true => bodies.push(node.bounds.first),
                    false => stack.extend(node.children),
                }
            }
        }
        // In the order of the bodies, whatever the tree is.
        bodies.sort_unstable();
        for index in bodies {
            let body = self.body(index);
            if body.category & mask == 0 {
                continue;
            }
            let mut stack = vec![0];
            while let Some(node) = stack.pop() {
                let own = &body.tree.nodes[node];
                if !own.meets(&region, 0.0) {
                    continue;
                }
                if own.leaves > 1 {
                    stack.extend(body.tree.children(node));
                    continue;
                }
                let boxes = &body.tree.leaves[own.first as usize];
                for lane in 0..LEAF {
                    let meets =
                        (0..3).all(|k| boxes.min[k][lane] <= region.max[k] && boxes.max[k][lane] >= region.min[k]);
                    if meets {
                        let slot = own.first as usize * LEAF + lane;
                        f(&SceneTriangle {
                            body: self.id(index),
                            triangle: body.triangle(slot),
                            corners: body.points(slot).map(|p| *p),
                            thickness: body.thickness,
                            represents: body.duties[slot] & 7,
                        });
                    }
                }
            }
        }
    }
}
