//! The first triangle of a scene along a ray, at the end of the step.

use super::body::Body;
use super::options::BodyId;
use super::refit::Interval;
use super::scene::Scene;
use crate::bvh::Ray;
use crate::error::{Result, bad_argument};
use crate::geom::{NONE, Point, Vector};

/// Where a ray first meets a triangle of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneHit {
    /// The body.
    pub body: BodyId,
    /// Its triangle.
    pub triangle: u32,
    /// The point is `origin + t * direction`.
    pub t: f64,
    /// Its barycentric coordinates in the triangle.
    pub weights: [f64; 3],
}

impl Scene {
    /// The first triangle that the ray `origin + t * direction`, `0 <= t <= max_t`, meets, of bodies with a bit of `mask` in their
    /// category. Both sides of triangles count. Of several at the same `t`, any, but always the same.
    pub fn ray_cast(&self, origin: &Point, direction: &Vector, max_t: f64, mask: u32) -> Result<Option<SceneHit>> {
        self.check_ready(Interval::End)?;
        if self.top.root == NONE {
            return Ok(None);
        }
        let all = self.top.nodes[self.top.root as usize].bounds.aabb(&self.options.origin);
        let Some(ray) = Ray::new(origin, direction, &all) else {
            bad_argument!("the ray from {origin} along {direction:?} is not finite, or has no direction");
        };
        if max_t.is_nan() || max_t < 0.0 {
            bad_argument!("max_t is {max_t}; it must be 0 or more");
        }
        let mut hit: Option<SceneHit> = None;
        let mut end = max_t;
        let mut stack = vec![self.top.root];
        while let Some(node) = stack.pop() {
            let node = &self.top.nodes[node as usize];
            if ray.enters(&node.bounds.aabb(&self.options.origin), end).is_none() {
                continue;
            }
            if !node.is_leaf() {
                stack.extend(node.children);
                continue;
            }
            let index = node.bounds.first;
            let body = self.body(index);
            if body.category & mask != 0
                && let Some((t, weights, triangle)) = first_of(body, &ray, end, &self.options.origin)
                && hit.is_none_or(|hit| t < hit.t)
            {
                end = t;
                hit = Some(SceneHit { body: self.id(index), triangle, t, weights });
            }
        }
        Ok(hit)
    }
}

fn first_of(body: &Body, ray: &Ray, mut end: f64, origin: &Point) -> Option<(f64, [f64; 3], u32)> {
    let mut first: Option<(f64, [f64; 3], u32)> = None;
    let mut stack = vec![(0usize, 0.0)];
    while let Some((node, enter)) = stack.pop() {
        if enter > end {
            continue;
        }
        let own = &body.tree.nodes[node];
        if own.leaves > 1 {
            let children = body.tree.children(node);
            let entered = children.map(|c| ray.enters(&body.tree.nodes[c].aabb(origin), end));
            let [left, right] = [0, 1].map(|k| entered[k].map(|t| (children[k], t)));
            // The nearer one is looked at first.
            match (left, right) {
                (Some(left), Some(right)) if left.1 < right.1 => stack.extend([right, left]),
                (left, right) => stack.extend(left.into_iter().chain(right)),
            }
            continue;
        }
        for slot in own.slots().filter(|slot| body.order[*slot] != NONE) {
            if let Some((t, weights)) = ray.meets(&body.points(slot).map(|p| *p), end)
                && first.is_none_or(|(f, ..)| t < f)
            {
                end = t;
                first = Some((t, weights, body.triangle(slot)));
            }
        }
    }
    first
}
