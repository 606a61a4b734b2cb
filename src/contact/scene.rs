//! Contacts between a scene of deforming meshes and an object: for every triangle near the object, its deepest point in the object's
//! distance field.
//!
//! The deepest point is found by branch and bound: a signed distance changes by at most the way that one goes, so a part of a triangle is
//! at most as deep as its middle plus its radius. The part that may be deepest is quartered, until none can be deeper than what was found
//! by more than a hundredth of the object's radius. From there the point climbs to the bottom of its dent.

use crate::body::Object;
use crate::bvh::closest_weights;
use crate::deform::{BodyId, Scene, SceneTriangle};
use crate::error::{Result, bad_argument};
use crate::geom::{Point, Pose, Vector};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A contact between a triangle of a scene and an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneContact {
    /// The body.
    pub body: BodyId,
    /// Its triangle.
    pub triangle: u32,
    /// Barycentric coordinates of the point in the triangle.
    pub weights: [f64; 3],
    /// The point of the triangle.
    pub point: Point,
    /// How deep it is in the object, with the body's thickness; negative for a separation within the margin. Metres.
    pub depth: f64,
    /// Unit, from the object towards the triangle: moving the triangle by `depth * normal` resolves the contact.
    pub normal: Vector,
}

/// How much deeper than the best so far another dent must be to be looked for, as a share of the object's radius.
const TOLERANCE: f64 = 0.01;
/// Parts of a triangle that are looked at, at most.
const MOST_PARTS: usize = 1024;
/// Halvings of the step with which the deepest point is refined.
const REFINEMENTS: usize = 16;

/// Appends a contact for each triangle of the scene, of bodies with a bit of `mask` in their category, that is in the object or within
/// `margin` of it. Of triangles whose deepest point is a common vertex, one. Fails if the scene was changed since its last update.
pub fn query_scene_object(
    scene: &Scene,
    object: &Object,
    pose: &Pose,
    margin: f64,
    mask: u32,
    out: &mut Vec<SceneContact>,
) -> Result<()> {
    scene.check_ready_for_discrete()?;
    // Also false for NaN.
    if !(0.0..=1e9).contains(&margin) {
        bad_argument!("margin is {margin}; it must be a length of 0 or more");
    }
    let metres = object.in_metres();
    let bounds = metres.bounds();
    let region = bounds.placed(pose).grown(margin + scene.thickest());
    let search = Search { object, pose, margin, tolerance: TOLERANCE * bounds.radius() };
    scene.triangles_in(&region, mask, |triangle| out.extend(search.deepest(triangle)));
    Ok(())
}

struct Search<'a> {
    object: &'a Object,
    pose: &'a Pose,
    margin: f64,
    tolerance: f64,
}

/// A part of a triangle: barycentric coordinates of its corners, and how deep it may be.
struct Part {
    corners: [[f64; 3]; 3],
    most: f64,
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Part {}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        self.most.total_cmp(&other.most)
    }
}

/// A place on a triangle, and how deep it is.
#[derive(Clone, Copy)]
struct Place {
    weights: [f64; 3],
    depth: f64,
    outward: Vector,
}

impl Search<'_> {
    fn look(&self, local: &[Point; 3], weights: [f64; 3]) -> Place {
        let found = self.object.in_metres().signed_distance(&at(local, &weights));
        Place { weights, depth: -found.distance, outward: found.outward }
    }

    fn deepest(&self, triangle: &SceneTriangle) -> Option<SceneContact> {
        let local = triangle.corners.map(|c| self.pose.inverse_transform_point(&c));
        let least = -(self.margin + triangle.thickness);
        let whole = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut best =
            whole.map(|corner| self.look(&local, corner)).into_iter().max_by(|a, b| a.depth.total_cmp(&b.depth))?;
        let mut parts = BinaryHeap::from([Part { corners: whole, most: f64::INFINITY }]);
        for _ in 0..MOST_PARTS {
            let Some(part) = parts.pop().filter(|part| part.most > (best.depth + self.tolerance).max(least)) else {
                break;
            };
            let [a, b, c] = part.corners;
            let middle = self.look(&local, [0, 1, 2].map(|k| (a[k] + b[k] + c[k]) / 3.0));
            if middle.depth > best.depth {
                best = middle;
            }
            let centre = at(&local, &middle.weights);
            let radius = part.corners.iter().map(|w| (at(&local, w) - centre).norm()).fold(0.0, f64::max);
            let most = part.most.min(middle.depth + radius);
            let half = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|k| 0.5 * (p[k] + q[k]));
            let [ab, bc, ca] = [half(a, b), half(b, c), half(c, a)];
            parts.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]].map(|corners| Part { corners, most }));
        }
        let Place { weights, depth, outward } = self.refined(&local, best);
        if depth < least {
            return None;
        }
        // Its representative reports a vertex; it is at least as deep elsewhere.
        let vertex = weights.iter().position(|w| *w == 1.0);
        if vertex.is_some_and(|k| triangle.represents >> k & 1 == 0) {
            return None;
        }
        Some(SceneContact {
            body: triangle.body,
            triangle: triangle.triangle,
            weights,
            point: self.pose * at(&local, &weights),
            depth: depth + triangle.thickness,
            normal: self.pose * outward,
        })
    }

    /// Goes deeper, against the way out, in smaller and smaller steps.
    fn refined(&self, local: &[Point; 3], mut best: Place) -> Place {
        let mut step = self.tolerance;
        for _ in 0..REFINEMENTS {
            let target = at(local, &best.weights) - best.outward * step;
            let next = self.look(local, closest_weights(&target, local));
            match next.depth > best.depth {
                true => best = next,
                false => step *= 0.5,
            }
        }
        best
    }
}

fn at(corners: &[Point; 3], weights: &[f64; 3]) -> Point {
    Point::from(corners[0].coords * weights[0] + corners[1].coords * weights[1] + corners[2].coords * weights[2])
}
