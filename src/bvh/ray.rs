//! The first triangle along a ray, watertight: no ray slips through between triangles that share an edge or a corner.
//!
//! After Woop, Benthin and Wald, *Watertight Ray/Triangle Intersection* (JCGT 2013): corners are sheared so that the ray is
//! an axis, and the side of an edge is one product of two corners, which is the same number, but for its sign, from both
//! triangles. Both sides of a triangle count, and so do its edges. Boxes are widened by the rounding of that shear.
//! A triangle that the ray sees edge-on has no area to hit: only its neighbours do.

use super::{Bvh, STACK};
use crate::geom::aabb::Aabb;
use crate::geom::{Point, Vector};

/// Where a ray first meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The number of the triangle in the list the tree was built from.
    pub triangle: u32,
    /// The point is `origin + t * direction`.
    pub t: f64,
    /// Its barycentric coordinates in the triangle.
    pub weights: [f64; 3],
}

impl Bvh {
    /// The first triangle that the ray `origin + t * direction` meets with `0 <= t <= max_t` (which may be infinite). The
    /// direction may have any length but 0. Of several at the same `t`, any, but always the same. `None` also if a number
    /// is not finite.
    pub fn ray(&self, origin: &Point, direction: &Vector, max_t: f64) -> Option<RayHit> {
        let root = self.nodes.first()?;
        let ray = Ray::new(origin, direction, &root.bounds)?;
        // Also false for NaN.
        if !(max_t >= 0.0 && ray.enters(&root.bounds, max_t).is_some()) {
            return None;
        }
        let mut first: Option<RayHit> = None;
        let mut end = max_t;
        let mut waiting = [(0u32, 0.0f64); STACK];
        let mut count = 0;
        let mut k = 0;
        loop {
            let node = &self.nodes[k];
            let mut next = None;
            if node.count > 0 {
                for place in node.link..node.link + node.count {
                    if let Some((t, weights)) = ray.meets(&self.triangles[place as usize].corners, end)
                        && first.is_none_or(|f| t < f.t)
                    {
                        end = t;
                        first = Some(RayHit { triangle: self.sources[place as usize], t, weights });
                    }
                }
            } else {
                let children = [k + 1, node.link as usize];
                let children = children.map(|c| Some((c as u32, ray.enters(&self.nodes[c].bounds, end)?)));
                next = match children {
                    [Some(left), Some(right)] => {
                        let (near, far) = if right.1 < left.1 { (right, left) } else { (left, right) };
                        waiting[count] = far;
                        count += 1;
                        Some(near.0)
                    }
                    [left, right] => left.or(right).map(|child| child.0),
                };
            }
            while next.is_none() {
                if count == 0 {
                    return first;
                }
                count -= 1;
                if waiting[count].1 <= end {
                    next = Some(waiting[count].0);
                }
            }
            k = next? as usize;
        }
    }
}

/// A ray against boxes and triangles within some bounds.
pub(crate) struct Ray {
    origin: Point,
    /// The axis along which it goes most, and the two others, so that they keep their hand.
    axes: [usize; 3],
    /// Per step along the main axis: the steps along the two others, and of `t`.
    shear: [f64; 3],
    inverse: Vector,
    /// The origin as the lower and the upper sides of boxes see it: moved by the rounding of the shear.
    seen: [Point; 2],
}

impl Ray {
    /// `None` if a number is not finite or the direction is zero. All boxes and triangles it is asked about are within `bounds`.
    pub fn new(origin: &Point, direction: &Vector, bounds: &Aabb) -> Option<Self> {
        let finite = origin.iter().chain(direction.iter()).all(|c| c.is_finite());
        if !finite || *direction == Vector::zeros() {
            return None;
        }
        let main = direction.iamax();
        let axes = [(main + 1) % 3, (main + 2) % 3, main];
        let shear = [direction[axes[0]] / direction[main], direction[axes[1]] / direction[main], 1.0 / direction[main]];
        // The largest finite number instead of infinity: times 0 it is 0 and not NaN.
        let inverse = direction.map(|d| if d == 0.0 { f64::MAX } else { (1.0 / d).clamp(f64::MIN, f64::MAX) });
        let reach = (bounds.min - origin).amax().max((bounds.max - origin).amax());
        let rounding = 8.0 * f64::EPSILON * reach;
        let seen = [origin.map(|c| c + rounding), origin.map(|c| c - rounding)];
        Some(Self { origin: *origin, axes, shear, inverse, seen })
    }

    /// Where it enters a box, if it does before `end`.
    pub fn enters(&self, bounds: &Aabb, end: f64) -> Option<f64> {
        let (mut enter, mut leave) = (0.0f64, end);
        for k in 0..3 {
            let low = (bounds.min[k] - self.seen[0][k]) * self.inverse[k];
            let high = (bounds.max[k] - self.seen[1][k]) * self.inverse[k];
            enter = enter.max(low.min(high));
            leave = leave.min(low.max(high));
        }
        // Three roundings on either side.
        (enter * (1.0 - 4.0 * f64::EPSILON) <= leave * (1.0 + 4.0 * f64::EPSILON)).then_some(enter)
    }

    /// Where it meets a triangle, if it does up to `end`.
    pub fn meets(&self, corners: &[Point; 3], end: f64) -> Option<(f64, [f64; 3])> {
        let [x, y, main] = self.axes;
        let sheared = corners.map(|corner| {
            let c = corner - self.origin;
            [c[x] - self.shear[0] * c[main], c[y] - self.shear[1] * c[main], self.shear[2] * c[main]]
        });
        let side = |a: usize, b: usize| sheared[a][0] * sheared[b][1] - sheared[a][1] * sheared[b][0];
        let sides = [side(1, 2), side(2, 0), side(0, 1)];
        if sides.iter().any(|s| *s < 0.0) && sides.iter().any(|s| *s > 0.0) {
            return None;
        }
        let sum: f64 = sides.iter().sum();
        if sum == 0.0 {
            return None;
        }
        let weights = sides.map(|s| s / sum);
        let t: f64 = (0..3).map(|k| weights[k] * sheared[k][2]).sum();
        (t >= 0.0 && t <= end).then_some((t, weights))
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::*;
    use super::*;

    /// Another way: the crossing of the plane, inside or not by three volumes.
    fn slow_ray(origin: &Point, direction: &Vector, t: &[Point; 3]) -> Option<f64> {
        let normal = (t[1] - t[0]).cross(&(t[2] - t[0]));
        let slope = normal.dot(direction);
        let s = normal.dot(&(t[0] - origin)) / slope;
        let at = origin + direction * s;
        let inside = (0..3).all(|k| (t[(k + 1) % 3] - t[k]).cross(&(at - t[k])).dot(&normal) >= 0.0);
        (slope != 0.0 && s >= 0.0 && inside).then_some(s)
    }

    #[test]
    fn finds_what_brute_force_finds() {
        for size in [1.0, 1e-6, 1e6] {
            for triangles in [soup(700, 2, size), cube(8, 1.0).iter().map(|t| t.map(|p| p * size)).collect()] {
                let bvh = Bvh::new(&triangles).unwrap();
                let (mut hits, mut differ) = (0, 0);
                for key in 0..1000 {
                    let origin = random_point(10, key, 3.0 * size);
                    // Towards some triangle, or just past it.
                    let aim = triangles[key as usize % triangles.len()][0] + random_point(11, key, 0.1 * size).coords;
                    let direction = (aim - origin) / size;
                    let expected = triangles.iter().filter_map(|t| slow_ray(&origin, &direction, t)).reduce(f64::min);
                    let found = bvh.ray(&origin, &direction, f64::INFINITY);
                    match (expected, found) {
                        (Some(t), Some(hit)) if (hit.t - t).abs() <= 1e-9 * size => {
                            hits += 1;
                            let corners = triangles[hit.triangle as usize];
                            let placed: Vector = (0..3).map(|k| corners[k].coords * hit.weights[k]).sum();
                            assert!((origin.coords + direction * hit.t - placed).norm() < 1e-9 * size);
                            assert!(bvh.ray(&origin, &direction, hit.t * 0.999).is_none());
                            assert!(bvh.ray(&origin, &direction, hit.t * 1.001).is_some());
                        }
                        (None, None) => {}
                        // Needles: brute force and we may see the rim of one differently.
                        _ => differ += 1,
                    }
                }
                assert!(hits > 100 && differ <= 1, "{hits} hits, {differ} differ");
            }
        }
    }

    #[test]
    fn nothing_slips_through_edges_and_corners() {
        for (round, offset) in [(1.0, 0.0), (0.0, 0.0), (0.6, 1e3), (1.0, 1e6)] {
            let shift = Vector::new(offset, -0.7 * offset, 0.3 * offset);
            let triangles: Vec<_> = cube(7, round).iter().map(|t| t.map(|p| p + shift)).collect();
            let bvh = Bvh::new(&triangles).unwrap();
            for (t, key) in triangles.iter().zip(0..) {
                let inside = Point::from(random_point(20, key, 0.8).coords + shift);
                let along = unit_share(key);
                for target in [t[0], t[1], t[2], t[0] + (t[1] - t[0]) * along, t[1] + (t[2] - t[1]) * along] {
                    // From within the closed surface there is always a hit, whatever the ray grazes.
                    assert!(bvh.ray(&inside, &(target - inside), f64::INFINITY).is_some(), "from {inside} to {target}");
                    let far = inside + (target - inside) * 50.0;
                    let hit = bvh.ray(&far, &(target - far), f64::INFINITY).unwrap();
                    assert!((hit.t - 1.0).abs() < 1e-6);
                }
            }
            for axis in 0..3 {
                for sign in [-1.0, 1.0] {
                    let mut d = Vector::zeros();
                    d[axis] = sign;
                    assert!(bvh.ray(&Point::from(shift), &d, f64::INFINITY).is_some(), "along an axis");
                }
            }
        }
    }

    fn unit_share(key: u64) -> f64 {
        crate::geom::random::unit(21, key)
    }

    #[test]
    fn odd_rays_are_answered() {
        let bvh = Bvh::new(&cube(4, 0.0)).unwrap();
        let outside = Point::new(-3.0, 0.0, 0.0);
        assert_eq!(bvh.ray(&outside, &Vector::zeros(), 1.0), None);
        assert_eq!(bvh.ray(&outside, &Vector::new(f64::NAN, 0.0, 0.0), 1.0), None);
        assert_eq!(bvh.ray(&outside, &Vector::x(), f64::NAN), None);
        assert_eq!(bvh.ray(&outside, &Vector::x(), 1.9), None);
        assert_eq!(bvh.ray(&outside, &Vector::x(), 2.0).unwrap().t, 2.0);
        assert_eq!(bvh.ray(&outside, &-Vector::x(), f64::INFINITY), None);
        assert!((bvh.ray(&outside, &(Vector::x() * 1e-30), f64::INFINITY).unwrap().t / 2e30 - 1.0).abs() < 1e-12);
        // In the plane of a side: its own triangles are seen edge-on, those across the way are met.
        assert_eq!(bvh.ray(&Point::new(-3.0, 0.1, 1.0), &Vector::x(), f64::INFINITY).unwrap().t, 2.0);
        // Only points and segments: nothing to meet.
        let thin = Bvh::new(&[[Point::origin(); 3], [Point::origin(), Point::new(0.0, 1.0, 0.0), Point::origin()]]);
        assert_eq!(thin.unwrap().ray(&outside, &Vector::x(), f64::INFINITY), None);
    }
}
