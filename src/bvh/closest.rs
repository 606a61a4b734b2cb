//! The closest point of all triangles: the nearer child first, boxes farther than the best so far left out.
//!
//! On one triangle it is the walk through the regions of Ericson, *Real-Time Collision Detection*, 5.1.5. One addition: on
//! a sliver the products that tell the face from the edges are mostly rounding (they are of the fourth power of its
//! height), so there the edges are measured one by one and the face counts only if it is nearer. Every answer is a point of
//! the triangle, so a distance is never too small, and on a sliver too large by less than its height.

use super::{Bvh, STACK, Triangle};
use crate::geom::aabb::Aabb;
use crate::geom::{NONE, Point, Vector};

/// Which part of a triangle a point lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Inside.
    Face,
    /// On the edge opposite this corner.
    Edge(u8),
    /// On this corner.
    Corner(u8),
}

/// The closest point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The number of the triangle in the list the tree was built from.
    pub triangle: u32,
    /// The point.
    pub point: Point,
    /// How far it is; never negative.
    pub distance: f64,
    /// Its barycentric coordinates in the triangle.
    pub weights: [f64; 3],
    /// The part of the triangle that it lies on.
    pub feature: Feature,
}

/// The best so far: a place (or [`NONE`]) and a squared distance.
#[derive(Clone, Copy)]
struct Nearest {
    place: u32,
    squared: f64,
}

/// A triangle as it is seen from some point. The distance from a convex set is a convex function: after a step s it is
/// `distance + gradient · s` at least, if there is a gradient.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub place: u32,
    pub distance: f64,
    /// Of the distance: a unit vector away from the triangle. Zero where rounding leaves no direction: too near, or a sliver.
    pub gradient: Vector,
}

impl Near {
    pub fn has_gradient(&self) -> bool {
        self.gradient != Vector::zeros()
    }
}

/// Nearer than this, relative to the size of the triangle, more than a billionth of a direction would be rounding.
const CLEAR: f64 = 1e-6;

impl Bvh {
    /// The point of all triangles closest to `p`, if it is no farther than `max_distance` (which may be infinite). Of
    /// several as close, any, but always the same. `None` for a point that is not finite.
    pub fn closest_point(&self, p: &Point, max_distance: f64) -> Option<Hit> {
        // Also false if one is NaN.
        if !(max_distance >= 0.0 && p.iter().all(|c| c.is_finite())) {
            return None;
        }
        let limit = Nearest { place: NONE, squared: (max_distance * max_distance).next_up() };
        let found = self.improve(p, limit);
        (found.place != NONE).then(|| {
            let triangle = &self.triangles[found.place as usize];
            let on = triangle.closest(p);
            Hit {
                triangle: self.sources[found.place as usize],
                point: p - on.offset,
                distance: on.offset.norm(),
                weights: on.weights,
                feature: on.feature,
            }
        })
    }

    /// All triangles that are no more than `slack` farther from `p` than the nearest one, as they are seen from `p`.
    pub(crate) fn near(&self, p: &Point, slack: f64, found: &mut Vec<Near>) {
        let nearest = self.improve(p, Nearest { place: NONE, squared: f64::INFINITY });
        if nearest.place == NONE {
            return;
        }
        // Rounding must not lose the nearest one itself; on the surface all is rounding, and it is added at the end.
        let limit = (nearest.squared.sqrt() + slack) * (1.0 + 1e-12);
        let first = found.len();
        let mut waiting = [0u32; STACK];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let k = waiting[count];
            let node = &self.nodes[k as usize];
            if away(&node.bounds, p) > limit * limit {
                continue;
            }
            if node.count == 0 {
                waiting[count] = node.link;
                waiting[count + 1] = k + 1;
                count += 2;
            }
            let places = node.link..node.link + node.count;
            found.extend(places.map(|place| self.seen(place, p)).filter(|near| near.distance <= limit));
        }
        if found.len() == first {
            found.push(self.seen(nearest.place, p));
        }
    }

    /// How far the triangle at a place is from `p`.
    pub(crate) fn distance(&self, place: u32, p: &Point) -> f64 {
        self.triangles[place as usize].closest(p).offset.norm()
    }

    /// The triangle at a place, as it is seen from `p`.
    pub(crate) fn seen(&self, place: u32, p: &Point) -> Near {
        let triangle = &self.triangles[place as usize];
        let offset = triangle.closest(p).offset;
        let distance = offset.norm();
        let [a, b, c] = &triangle.corners;
        let size = (b - a).amax() + (c - a).amax() + distance;
        let clear = !triangle.sliver && distance > CLEAR * size;
        Near { place, distance, gradient: if clear { offset / distance } else { Vector::zeros() } }
    }

    /// Searches the tree for something nearer than `best`.
    fn improve(&self, p: &Point, mut best: Nearest) -> Nearest {
        let Some(root) = self.nodes.first() else { return best };
        if away(&root.bounds, p) >= best.squared {
            return best;
        }
        let mut waiting = [(0u32, 0.0f64); STACK];
        let mut count = 0;
        let mut k = 0;
        loop {
            let node = &self.nodes[k];
            if node.count == 0 {
                let mut near = (k as u32 + 1, away(&self.nodes[k + 1].bounds, p));
                let mut far = (node.link, away(&self.nodes[node.link as usize].bounds, p));
                if far.1 < near.1 {
                    std::mem::swap(&mut near, &mut far);
                }
                if near.1 < best.squared {
                    if far.1 < best.squared {
                        waiting[count] = far;
                        count += 1;
                    }
                    k = near.0 as usize;
                    continue;
                }
            } else {
                for place in node.link..node.link + node.count {
                    best.offer(place, self.triangles[place as usize].closest(p).offset.norm_squared());
                }
            }
            loop {
                if count == 0 {
                    return best;
                }
                count -= 1;
                if waiting[count].1 < best.squared {
                    k = waiting[count].0 as usize;
                    break;
                }
            }
        }
    }
}

impl Nearest {
    fn offer(&mut self, place: u32, squared: f64) {
        if squared < self.squared {
            *self = Self { place, squared };
        }
    }
}

/// Squared distance of a point from a box; 0 inside.
fn away(bounds: &Aabb, p: &Point) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        let (below, above) = (bounds.min[k] - p[k], p[k] - bounds.max[k]);
        // At most one is positive.
        let d = if below > above { below } else { above };
        let d = if d > 0.0 { d } else { 0.0 };
        sum += d * d;
    }
    sum
}

/// The closest point of one triangle.
struct OnTriangle {
    /// From that point to the one asked for.
    offset: Vector,
    weights: [f64; 3],
    feature: Feature,
}

impl Triangle {
    #[inline]
    fn closest(&self, p: &Point) -> OnTriangle {
        if self.sliver { self.closest_of_sliver(p) } else { self.closest_by_region(p) }
    }

    fn at(&self, p: &Point, weights: [f64; 3], feature: Feature) -> OnTriangle {
        let [a, b, c] = &self.corners;
        let offset = (p - a) - (b - a) * weights[1] - (c - a) * weights[2];
        OnTriangle { offset, weights, feature }
    }

    fn at_corner(&self, p: &Point, k: usize) -> OnTriangle {
        let mut weights = [0.0; 3];
        weights[k] = 1.0;
        OnTriangle { offset: p - self.corners[k], weights, feature: Feature::Corner(k as u8) }
    }

    #[inline]
    fn closest_by_region(&self, p: &Point) -> OnTriangle {
        let [a, b, c] = &self.corners;
        let (ab, ac) = (b - a, c - a);
        let (ap, bp, cp) = (p - a, p - b, p - c);
        let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
        if d1 <= 0.0 && d2 <= 0.0 {
            return self.at_corner(p, 0);
        }
        let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
        if d3 >= 0.0 && d4 <= d3 {
            return self.at_corner(p, 1);
        }
        let vc = d1 * d4 - d3 * d2;
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            let t = share(d1, -d3);
            return self.at(p, [1.0 - t, t, 0.0], Feature::Edge(2));
        }
        let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
        if d6 >= 0.0 && d5 <= d6 {
            return self.at_corner(p, 2);
        }
        let vb = d5 * d2 - d1 * d6;
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            let t = share(d2, -d6);
            return self.at(p, [1.0 - t, 0.0, t], Feature::Edge(1));
        }
        let va = d3 * d6 - d5 * d4;
        if va <= 0.0 && d4 >= d3 && d5 >= d6 {
            let t = share(d4 - d3, d5 - d6);
            return self.at(p, [0.0, 1.0 - t, t], Feature::Edge(0));
        }
        let sum = va + vb + vc;
        let (v, w) = (vb / sum, vc / sum);
        self.at(p, [1.0 - v - w, v, w], Feature::Face)
    }

    #[cold]
    fn closest_of_sliver(&self, p: &Point) -> OnTriangle {
        let mut best = self.closest_of_edge(p, 0);
        for other in [self.closest_of_edge(p, 1), self.closest_of_edge(p, 2), self.closest_by_region(p)] {
            // A face made of rounding may lie anywhere, even nowhere: the comparison is false for NaN.
            let within = other.weights.iter().all(|w| (0.0..=1.0).contains(w));
            if within && other.offset.norm_squared() < best.offset.norm_squared() {
                best = other;
            }
        }
        best
    }

    fn closest_of_edge(&self, p: &Point, opposite: usize) -> OnTriangle {
        let (i, j) = ((opposite + 1) % 3, (opposite + 2) % 3);
        let along = self.corners[j] - self.corners[i];
        let (before, after) = (along.dot(&(p - self.corners[i])), along.dot(&(self.corners[j] - p)));
        if before <= 0.0 {
            return self.at_corner(p, i);
        }
        if after <= 0.0 {
            return self.at_corner(p, j);
        }
        let t = share(before, after);
        let mut weights = [0.0; 3];
        (weights[i], weights[j]) = (1.0 - t, t);
        let offset = (p - self.corners[i]) - along * t;
        OnTriangle { offset, weights, feature: Feature::Edge(opposite as u8) }
    }
}

/// Barycentric coordinates of the point of one triangle closest to `p`: what [`Bvh::closest_point`] says of it.
pub(crate) fn closest_weights(p: &Point, corners: &[Point; 3]) -> [f64; 3] {
    Triangle::new(*corners).closest(p).weights
}

/// What part of the sum of two numbers that are not negative the first one is; nothing if both are 0.
fn share(a: f64, b: f64) -> f64 {
    if a > 0.0 { a / (a + b) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::samples::*;
    use super::*;

    /// Another way to the same distance: the foot of the perpendicular if it lies inside, and three segments.
    fn slow_distance(p: &Point, t: &[Point; 3]) -> f64 {
        let segment = |a: &Point, b: &Point| {
            let along = b - a;
            let s = (along.dot(&(p - a)) / along.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            (p - (a + along * s)).norm()
        };
        let mut least = segment(&t[0], &t[1]).min(segment(&t[1], &t[2])).min(segment(&t[2], &t[0]));
        let normal = (t[1] - t[0]).cross(&(t[2] - t[0]));
        if normal.norm() > 1e-7 * (t[1] - t[0]).norm() * (t[2] - t[0]).norm() {
            let unit = normal.normalize();
            let height = unit.dot(&(p - t[0]));
            let foot = p - unit * height;
            let inside = (0..3).all(|k| (t[(k + 1) % 3] - t[k]).cross(&(foot - t[k])).dot(&unit) >= 0.0);
            if inside {
                least = least.min(height.abs());
            }
        }
        least
    }

    fn check(triangles: &[[Point; 3]], bvh: &Bvh, p: &Point, size: f64) -> Hit {
        let hit = bvh.closest_point(p, f64::INFINITY).unwrap();
        let expected = triangles.iter().map(|t| slow_distance(p, t)).fold(f64::INFINITY, f64::min);
        let rounding = 1e-12 * (size + expected);
        assert!((hit.distance - expected).abs() <= rounding, "{p}: {} is not {expected}", hit.distance);
        assert!(((p - hit.point).norm() - hit.distance).abs() <= rounding);
        // The point is where its weights say, on the feature that it names.
        let corners = triangles[hit.triangle as usize];
        let placed: Vector = (0..3).map(|k| corners[k].coords * hit.weights[k]).sum();
        assert!((placed - hit.point.coords).norm() <= rounding, "{p}: {hit:?}");
        assert!(hit.weights.iter().all(|w| (-1e-12..=1.0 + 1e-12).contains(w)));
        match hit.feature {
            Feature::Face => {}
            Feature::Edge(k) => assert_eq!(hit.weights[k as usize], 0.0),
            Feature::Corner(k) => assert_eq!(hit.weights[k as usize], 1.0),
        }
        hit
    }

    #[test]
    fn finds_what_brute_force_finds() {
        for (number, size) in [1.0, 1e-6, 1e6].into_iter().enumerate() {
            let ball = cube(8, 1.0).iter().map(|t| t.map(|p| p * size)).collect::<Vec<_>>();
            let cube = cube(5, 0.0).iter().map(|t| t.map(|p| p * size)).collect::<Vec<_>>();
            for triangles in [soup(700, number as u64, size), ball, cube, soup(1, 7, size), soup(11, 8, size)] {
                let bvh = Bvh::new(&triangles).unwrap();
                for key in 0..300 {
                    check(&triangles, &bvh, &random_point(50, key, 2.5 * size), size);
                    check(&triangles, &bvh, &random_point(51, key, 1e4 * size), size);
                }
            }
        }
    }

    #[test]
    fn points_of_the_surface_are_at_no_distance() {
        // Among needles by no more than their width, a billionth of their length.
        for (triangles, most) in [(soup(500, 3, 1.0), 1e-10), (cube(6, 1.0), 1e-14), (cube(6, 0.0), 1e-14)] {
            let bvh = Bvh::new(&triangles).unwrap();
            for (t, key) in triangles.iter().zip(0..) {
                let w = random_point(60, key, 1.0).coords.add_scalar(0.5);
                let inside = Point::from((t[0].coords * w.x + t[1].coords * w.y + t[2].coords * w.z) / w.sum());
                for p in [t[0], t[1], t[2], nalgebra::center(&t[0], &t[1]), inside] {
                    let distance = check(&triangles, &bvh, &p, 1.0).distance;
                    assert!(distance < most, "{distance:e} at {p} of {t:?}");
                }
            }
        }
    }

    #[test]
    fn far_away_the_distance_is_still_right() {
        let triangles = cube(6, 0.0);
        let bvh = Bvh::new(&triangles).unwrap();
        for far in [1e3, 1e6, 1e9, 1e12] {
            // Above a face, beside an edge, beyond a corner.
            for (p, expected) in [
                (Point::new(far, 0.3, 0.2), far - 1.0),
                (Point::new(far, far, 0.2), (far - 1.0) * 2f64.sqrt()),
                (Point::new(-far, far, far), (far - 1.0) * 3f64.sqrt()),
            ] {
                let hit = bvh.closest_point(&p, f64::INFINITY).unwrap();
                assert!((hit.distance / expected - 1.0).abs() < 1e-14, "{p}: {} is not {expected}", hit.distance);
            }
        }
    }

    #[test]
    fn near_ones_are_all_there_and_bounded_from_below() {
        let triangles = soup(600, 5, 1.0);
        let bvh = Bvh::new(&triangles).unwrap();
        for key in 0..100 {
            let p = random_point(70, key, 2.0);
            let step = random_point(71, key, 0.3).coords;
            let mut near = vec![];
            bvh.near(&p, 0.2, &mut near);
            let limit = bvh.closest_point(&p, f64::INFINITY).unwrap().distance + 0.2;
            let expected = triangles.iter().filter(|t| slow_distance(&p, t) <= limit).count();
            assert_eq!(near.len(), expected);
            for near in near {
                let corners = &bvh.triangles[near.place as usize].corners;
                assert!((near.distance - slow_distance(&p, corners)).abs() < 1e-10);
                let bound = near.distance + near.gradient.dot(&step);
                assert!(!near.has_gradient() || bound < slow_distance(&(p + step), corners) + 1e-10);
            }
        }
    }

    #[test]
    fn the_limit_is_kept() {
        let bvh = Bvh::new(&cube(4, 0.0)).unwrap();
        let p = Point::new(3.0, 0.1, 0.2);
        assert_eq!(bvh.closest_point(&p, 2.0).unwrap().distance, 2.0);
        assert_eq!(bvh.closest_point(&p, 1.999), None);
        assert_eq!(bvh.closest_point(&p, -1.0), None);
        assert_eq!(bvh.closest_point(&p, f64::NAN), None);
        assert_eq!(bvh.closest_point(&Point::new(f64::NAN, 0.0, 0.0), 1.0), None);
        assert!(bvh.closest_point(&Point::new(1.0, 0.5, -0.5), 0.0).is_some(), "a corner");
    }

    #[test]
    fn slivers_are_measured_along_their_whole_length() {
        for thin in [0.0, 1e-18, 1e-13, 1e-9, 1e-6, 1e-4] {
            for third in [0.0, 0.3, 1.0] {
                let t = [Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(third, thin, 0.0)];
                for turn in 0..3 {
                    let t = [t[turn], t[(turn + 1) % 3], t[(turn + 2) % 3]];
                    let bvh = Bvh::new(&[t]).unwrap();
                    for key in 0..200 {
                        let p = random_point(80, key, 2.0);
                        let expected = slow_distance(&p, &t);
                        let found = bvh.closest_point(&p, f64::INFINITY).unwrap().distance;
                        assert!((found - expected).abs() < 1e-9, "{t:?} {p}: {found} is not {expected}");
                    }
                }
            }
        }
    }
}
