//! Plain shapes: half-space, ball, box, capsule, convex hull, and a caller's distance function, with samples of their
//! own.

use crate::bvh::Bvh;
use crate::error::{Result, bad_argument};
use crate::field::{Field, SurfacePoint};
use crate::geom::aabb::Aabb;
use crate::geom::plane::Plane;
use crate::geom::{Local, Point, Vector};

/// A plain shape with samples of its own: points that may poke into a body between the body's samples. Their indices
/// are stable.
pub trait Shape: Field {
    /// Number of samples.
    fn sample_count(&self) -> u32 {
        0
    }

    /// Position of a sample.
    fn sample(&self, _number: u32) -> Point {
        Point::origin()
    }

    /// Radius around each sample that is solid: 0 for points of the surface.
    fn sample_radius(&self) -> f64 {
        0.0
    }

    /// Whether consecutive samples are the ends of segments, so that the shape may also touch between them.
    fn is_line(&self) -> bool {
        false
    }

    /// Number of straight edges between samples.
    fn edge_count(&self) -> u32 {
        0
    }

    /// The two samples that an edge joins.
    fn edge(&self, _number: u32) -> [u32; 2] {
        [0; 2]
    }

    /// Bounding box; `None` if the shape is unbounded or needs none.
    fn bounds(&self) -> Option<Aabb> {
        None
    }

    /// What the shape is as a convex body; sweeps need it.
    fn convex(&self) -> Convex {
        Convex::Unknown
    }
}

/// A shape as a convex body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Convex {
    /// It need not be one.
    Unknown,
    /// Everything below a plane.
    Below(Plane),
    /// All points within the [radius](Shape::sample_radius) of the convex hull of its samples.
    AroundSamples,
}

/// Bound of the rounding error of a single-precision offset, as a share of its length: 16 times 2^-24.
const ROUNDING: f64 = 1e-6;

/// Everything below a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace(pub Plane);

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Centre.
    pub centre: Point,
    /// Radius.
    pub radius: f64,
}

/// A box along the axes of its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    /// Centre.
    pub centre: Point,
    /// Half the edge lengths.
    pub half: Vector,
}

/// All points within a distance of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// Ends of the segment.
    pub ends: [Point; 2],
    /// That distance.
    pub radius: f64,
}

/// A convex body, given by its planes.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    planes: Vec<Plane>,
    vertices: Vec<Point>,
    /// The two vertices of each edge, ascending.
    edges: Vec<[u32; 2]>,
    /// Its faces, triangulated.
    faces: Bvh,
}

/// A solid given by a caller's functions.
pub struct Custom<F: Fn(&Point) -> (f64, Vector), P: Fn(u32) -> Point> {
    /// Signed distance (negative inside) and outward direction.
    pub signed: F,
    /// Number of surface points that the caller provides: those that stick out, such as the vertices of a terrain.
    pub point_count: u32,
    /// Position of such a point.
    pub point: P,
}

/// Depth from an exact signed distance.
fn exact_depth(distance: f64, outward: Vector) -> Option<SurfacePoint> {
    (distance <= 0.0).then_some(SurfacePoint { distance: -distance, outward })
}

fn exact_gap(distance: f64, outward: Vector, margin: f64) -> Option<SurfacePoint> {
    (distance > 0.0 && distance <= margin).then_some(SurfacePoint { distance, outward })
}

/// The normalized vector, or an arbitrary direction if it is zero.
fn unit(v: &Vector) -> Vector {
    v.try_normalize(0.0).unwrap_or(Vector::z())
}

/// Implements [`Field`] by a method `signed(&self, p) -> (distance, outward)`.
macro_rules! by_signed_distance {
    ($($shape:ty),*) => {$(
        impl Field for $shape {
            fn depth(&self, p: &Point) -> Option<SurfacePoint> {
                let (distance, outward) = self.signed(p);
                exact_depth(distance, outward)
            }
            fn separation(&self, p: &Point, margin: f64) -> Option<SurfacePoint> {
                let (distance, outward) = self.signed(p);
                exact_gap(distance, outward, margin)
            }
            fn bound(&self, base: &Point, offset: &Local) -> f64 {
                let offset = offset.cast::<f64>();
                self.signed(&(base + offset)).0 - ROUNDING * offset.norm()
            }
        }
    )*};
}

by_signed_distance!(HalfSpace, Ball, Cuboid, Capsule);

impl<F: Fn(&Point) -> (f64, Vector), P: Fn(u32) -> Point> Field for Custom<F, P> {
    fn depth(&self, p: &Point) -> Option<SurfacePoint> {
        let (distance, outward) = (self.signed)(p);
        exact_depth(distance, unit(&outward))
    }
    fn separation(&self, p: &Point, margin: f64) -> Option<SurfacePoint> {
        let (distance, outward) = (self.signed)(p);
        exact_gap(distance, unit(&outward), margin)
    }
    fn bound(&self, base: &Point, offset: &Local) -> f64 {
        let offset = offset.cast::<f64>();
        (self.signed)(&(base + offset)).0 - ROUNDING * offset.norm()
    }
}

/// No samples: nothing of a plane pokes out.
impl Shape for HalfSpace {
    fn convex(&self) -> Convex {
        Convex::Below(self.0)
    }
}

/// The centre: its closest point is the closest point of the ball.
impl Shape for Ball {
    fn convex(&self) -> Convex {
        Convex::AroundSamples
    }
    fn sample_count(&self) -> u32 {
        1
    }
    fn sample(&self, _number: u32) -> Point {
        self.centre
    }
    fn sample_radius(&self) -> f64 {
        self.radius
    }
}

/// The corners: bit k of the index is the side along axis k.
impl Shape for Cuboid {
    fn convex(&self) -> Convex {
        Convex::AroundSamples
    }
    fn sample_count(&self) -> u32 {
        8
    }
    fn sample(&self, number: u32) -> Point {
        self.centre + Vector::from_fn(|k, _| if number >> k & 1 == 0 { -self.half[k] } else { self.half[k] })
    }
    fn edge_count(&self) -> u32 {
        12
    }
    /// Four along each axis.
    fn edge(&self, number: u32) -> [u32; 2] {
        let (axis, across) = (number / 4, number % 4);
        let first = match axis {
            0 => across << 1,
            1 => (across & 1) | (across & 2) << 1,
            _ => across,
        };
        [first, first | 1 << axis]
    }
    fn bounds(&self) -> Option<Aabb> {
        Some(Aabb { min: self.centre - self.half, max: self.centre + self.half })
    }
}

/// Points along the axis, from end to end, about half a radius apart: without the search along the line, a straight
/// edge between two of them would be found 3 % of the radius too late.
impl Shape for Capsule {
    fn convex(&self) -> Convex {
        Convex::AroundSamples
    }
    fn sample_count(&self) -> u32 {
        self.pieces() + 1
    }
    fn sample(&self, number: u32) -> Point {
        let [a, b] = &self.ends;
        a + (b - a) * (number as f64 / self.pieces().max(1) as f64)
    }
    fn sample_radius(&self) -> f64 {
        self.radius
    }
    fn is_line(&self) -> bool {
        true
    }
}

/// The vertices.
impl Shape for Hull {
    fn convex(&self) -> Convex {
        Convex::AroundSamples
    }
    fn sample_count(&self) -> u32 {
        self.vertices.len() as u32
    }
    fn sample(&self, number: u32) -> Point {
        self.vertices[number as usize]
    }
    fn edge_count(&self) -> u32 {
        self.edges.len() as u32
    }
    fn edge(&self, number: u32) -> [u32; 2] {
        self.edges[number as usize]
    }
    fn bounds(&self) -> Option<Aabb> {
        Some(self.faces.bounds())
    }
}

/// The caller's points.
impl<F: Fn(&Point) -> (f64, Vector), P: Fn(u32) -> Point> Shape for Custom<F, P> {
    fn sample_count(&self) -> u32 {
        self.point_count
    }
    fn sample(&self, number: u32) -> Point {
        (self.point)(number)
    }
}

impl HalfSpace {
    fn signed(&self, p: &Point) -> (f64, Vector) {
        (self.0.distance(p), self.0.normal)
    }
}

impl Ball {
    fn signed(&self, p: &Point) -> (f64, Vector) {
        let out = p - self.centre;
        (out.norm() - self.radius, unit(&out))
    }
}

impl Cuboid {
    fn signed(&self, p: &Point) -> (f64, Vector) {
        let at = p - self.centre;
        let beyond = at.abs() - self.half;
        let sign = |k: usize| if at[k] < 0.0 { -1.0 } else { 1.0 };
        let axis = beyond.imax();
        if beyond[axis] <= 0.0 {
            return (beyond[axis], Vector::ith(axis, sign(axis)));
        }
        let out = Vector::from_fn(|k, _| beyond[k].max(0.0) * sign(k));
        (out.norm(), unit(&out))
    }
}

/// Upper bound of the segments of a capsule's axis. Bounds the cost of long capsules, whose samples are then farther
/// apart. Found by trial.
const MOST_PIECES: f64 = 32.0;

impl Capsule {
    /// Segments of the axis between samples; 0 if it has no length.
    fn pieces(&self) -> u32 {
        let length = (self.ends[1] - self.ends[0]).norm();
        (2.0 * length / self.radius).ceil().min(MOST_PIECES) as u32
    }

    fn signed(&self, p: &Point) -> (f64, Vector) {
        let [a, b] = &self.ends;
        let along = b - a;
        let t = ((p - a).dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        let out = p - (a + along * t);
        let aside = if along.x.abs() <= along.y.abs() { Vector::x() } else { Vector::y() };
        let way = out.try_normalize(0.0).unwrap_or_else(|| unit(&along.cross(&aside)));
        (out.norm() - self.radius, way)
    }
}

impl Hull {
    /// The convex body within all `planes` (normals outwards). They must enclose a bounded volume.
    pub fn new(planes: Vec<Plane>) -> Result<Self> {
        if let Some(k) = planes.iter().position(|p| !((p.normal.norm() - 1.0).abs() < 1e-6 && p.offset.is_finite())) {
            bad_argument!("planes[{k}] has no unit normal or no finite offset");
        }
        // Initial face size: larger than any reasonable bounded body. A face that still reaches it is unbounded.
        let reach = planes.iter().map(|p| p.offset.abs()).fold(0.0, f64::max) * 1e4 + 1.0;
        let (mut triangles, mut vertices, mut polygons) = (vec![], vec![], vec![]);
        for (k, plane) in planes.iter().enumerate() {
            let u = unit(&plane.normal.cross(&if plane.normal.x.abs() < 0.6 { Vector::x() } else { Vector::y() }));
            let v = plane.normal.cross(&u);
            let middle = Point::from(plane.normal * plane.offset);
            let mut face: Vec<Point> = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .iter()
                .map(|(a, b)| middle + (u * *a + v * *b) * reach)
                .collect();
            for other in planes.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, p)| p) {
                face = clipped(&face, other);
            }
            if face.iter().any(|p| (p - middle).norm() > 0.99 * reach) {
                bad_argument!("planes[{k}] has no end: the planes do not enclose a body of finite size");
            }
            triangles.extend((2..face.len()).map(|i| [face[0], face[i - 1], face[i]]));
            vertices.extend_from_slice(&face);
            polygons.push(face);
        }
        if triangles.len() < 4 {
            bad_argument!("the planes enclose nothing; are their normals outwards?");
        }
        let faces = Bvh::new(&triangles)?;
        let near = 1e-7 * faces.bounds().radius();
        let vertices = distinct(&vertices, near);
        let edges = edges(&polygons, &vertices, near);
        Ok(Self { planes, vertices, edges, faces })
    }

    /// Distance beyond the farthest plane.
    fn beyond(&self, p: &Point) -> f64 {
        self.planes.iter().map(|plane| plane.distance(p)).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Removes duplicates within a distance, keeping the first: every face of a vertex contributes it.
fn distinct(points: &[Point], near: f64) -> Vec<Point> {
    let mut kept: Vec<Point> = vec![];
    for p in points {
        if kept.iter().all(|q| (p - q).norm() > near) {
            kept.push(*p);
        }
    }
    kept
}

/// The edges of polygons, by the numbers of their vertices.
fn edges(polygons: &[Vec<Point>], vertices: &[Point], near: f64) -> Vec<[u32; 2]> {
    let number = |p: &Point| vertices.iter().position(|q| (p - q).norm() <= near).map(|k| k as u32);
    let mut edges = vec![];
    for polygon in polygons {
        let numbers: Vec<u32> = polygon.iter().filter_map(number).collect();
        let next = numbers.iter().cycle().skip(1);
        edges.extend(numbers.iter().zip(next).map(|(a, b)| [*a.min(b), *a.max(b)]).filter(|[a, b]| a != b));
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The part of a polygon below a plane.
fn clipped(polygon: &[Point], plane: &Plane) -> Vec<Point> {
    let mut kept = vec![];
    for (k, p) in polygon.iter().enumerate() {
        let q = &polygon[(k + 1) % polygon.len()];
        let (a, b) = (plane.distance(p), plane.distance(q));
        if a <= 0.0 {
            kept.push(*p);
        }
        if a * b < 0.0 {
            kept.push(p + (q - p) * (a / (a - b)));
        }
    }
    kept
}

impl Field for Hull {
    fn depth(&self, p: &Point) -> Option<SurfacePoint> {
        let nearest = self.planes.iter().max_by(|a, b| a.distance(p).total_cmp(&b.distance(p)))?;
        exact_depth(nearest.distance(p), nearest.normal)
    }

    fn separation(&self, p: &Point, margin: f64) -> Option<SurfacePoint> {
        let beyond = self.beyond(p);
        if beyond <= 0.0 || beyond > margin {
            return None;
        }
        let hit = self.faces.closest_point(p, margin)?;
        exact_gap(hit.distance, unit(&(p - hit.point)), margin)
    }

    fn bound(&self, base: &Point, offset: &Local) -> f64 {
        let offset = offset.cast::<f64>();
        self.beyond(&(base + offset)) - ROUNDING * offset.norm()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random;

    fn cube(half: f64) -> Hull {
        let planes =
            (0..6).map(|k| Plane { normal: Vector::ith(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 }), offset: half });
        Hull::new(planes.collect()).unwrap()
    }

    /// All primitives against independent references: a box and a hull of six planes agree, a capsule of no length is a
    /// ball, and signed distances are 1-Lipschitz.
    #[test]
    fn primitives_agree_with_each_other_and_are_1_lipschitz() {
        let hull = cube(0.7);
        let cuboid = Cuboid { centre: Point::origin(), half: Vector::repeat(0.7) };
        let ball = Ball { centre: Point::new(0.1, 0.0, 0.0), radius: 0.8 };
        let short = Capsule { ends: [ball.centre; 2], radius: 0.8 };
        let long = Capsule { ends: [Point::new(-0.5, 0.0, 0.0), Point::new(0.5, 0.2, 0.0)], radius: 0.3 };
        let floor = HalfSpace(Plane { normal: Vector::z(), offset: 0.2 });
        fn signed(field: &impl Field, p: &Point) -> f64 {
            match (field.depth(p), field.separation(p, 1e9)) {
                (Some(way), _) => -way.distance,
                (None, Some(way)) => way.distance,
                (None, None) => panic!("neither inside nor outside"),
            }
        }
        for k in 0..4000 {
            let p = Point::from(Vector::from_fn(|i, _| random::unit(k, i as u64) * 4.0 - 2.0));
            let q = p + Vector::from_fn(|i, _| random::unit(k, 9 + i as u64) - 0.5) * 0.2;
            assert!((signed(&hull, &p) - signed(&cuboid, &p)).abs() < 1e-9, "{p}");
            assert!((signed(&ball, &p) - signed(&short, &p)).abs() < 1e-12);
            let moved = (p - q).norm() + 1e-12;
            for (a, b) in [
                (signed(&hull, &p), signed(&hull, &q)),
                (signed(&long, &p), signed(&long, &q)),
                (signed(&floor, &p), signed(&floor, &q)),
            ] {
                assert!((a - b).abs() <= moved);
            }
            assert!(
                hull.beyond(&p) <= signed(&hull, &p) + 1e-12 && (hull.beyond(&p) > 0.0) == (signed(&hull, &p) > 0.0)
            );
            assert!(hull.bound(&q, &(p - q).cast()) <= signed(&hull, &p));
        }
        assert!((hull.faces.bounds().radius() - 0.7 * 3f64.sqrt()).abs() < 1e-9);
        assert_eq!(hull.sample_count(), 8);
        for corner in (0..8).map(|k| cuboid.sample(k)) {
            assert_eq!((0..8).filter(|k| (hull.sample(*k) - corner).norm() < 1e-9).count(), 1);
        }
        // Each edge once, and as long as the box.
        fn ends(shape: &impl Shape) -> Vec<[[i32; 3]; 2]> {
            let at = |k: u32| [0, 1, 2].map(|a| (10.0 * shape.sample(k)[a]).round() as i32);
            let mut ends: Vec<[[i32; 3]; 2]> = (0..shape.edge_count()).map(|k| shape.edge(k).map(at)).collect();
            ends.iter_mut().for_each(|pair| pair.sort());
            ends.sort();
            ends
        }
        assert_eq!(ends(&hull), ends(&cuboid));
        let is_edge = |[a, b]: &[[i32; 3]; 2]| (0..3).filter(|k| a[*k] != b[*k]).count() == 1;
        assert!(ends(&cuboid).len() == 12 && ends(&cuboid).iter().all(is_edge));
        assert!(ends(&cuboid).windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn hulls_without_end_or_content_are_refused() {
        assert!(Hull::new(vec![Plane { normal: Vector::x(), offset: 1.0 }]).is_err());
        let inside_out =
            (0..6).map(|k| Plane { normal: -Vector::ith(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 }), offset: -1.0 });
        assert!(Hull::new(inside_out.collect()).is_err());
        assert!(Hull::new(vec![]).is_err());
    }
}
