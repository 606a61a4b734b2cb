//! Convex hulls of points as meshes: quickhull (Barber, Dobkin, Huhdanpaa 1996), which ends at a limit of vertices.
//!
//! The farthest point is added first. So a hull that is ended early is inside the whole one, and short of it by what is left of that
//! distance. Which faces a point sees is decided exactly (`robust`): the mesh is closed for any input.

use crate::geom::{NONE, Point, Vector};
use crate::heap::held;
use robust::{Coord3D, orient3d};

/// Points nearer than this to a face, as a share of the size of the cloud, are on it.
const ON_FACE: f64 = 1e-11;
/// Distances that differ by less, likewise, are equal.
const EQUAL: f64 = 1e-9;

/// A convex polyhedron.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConvexMesh {
    /// Its vertices.
    pub points: Vec<Point>,
    /// Its faces, triangles, counter-clockwise seen from outside. Neighbours may be coplanar.
    pub triangles: Vec<[u32; 3]>,
    /// No given point is farther in front of a face than this; 0 if none was left out.
    pub error: f64,
}

impl ConvexMesh {
    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.points) + held(&self.triangles)
    }

    /// Its volume.
    pub fn volume(&self) -> f64 {
        let Some(origin) = self.points.first() else { return 0.0 };
        let corner = |n: &u32| self.points[*n as usize] - origin;
        let six = |[a, b, c]: &[u32; 3]| corner(a).dot(&corner(b).cross(&corner(c)));
        self.triangles.iter().map(six).sum::<f64>() / 6.0
    }
}

/// The convex hull of some points with at most `most` vertices (at least four); `None` if they have no volume.
pub fn quickhull(points: &[Point], most: usize) -> Option<ConvexMesh> {
    let corners = first_tet(points)?;
    let mut hull = Quickhull::new(points, corners);
    let mut vertices = 4;
    while vertices < most {
        let Some(face) = hull.farthest_face() else { break };
        vertices += hull.add_farthest_of(face) as usize;
    }
    Some(hull.finished())
}

/// Four vertices of the hull that span a volume: the ends of the longest side of the box, and the farthest from their line and their plane.
fn first_tet(points: &[Point]) -> Option<[u32; 4]> {
    let first = points.first()?;
    let (low, high) = points.iter().fold((*first, *first), |(low, high), p| (low.inf(p), high.sup(p)));
    let (size, axis, middle) = ((high - low).amax(), (high - low).imax(), nalgebra::center(&low, &high));
    // Of points that are equally far along a convex function, the one farthest from the middle is a vertex.
    let vertex = |measure: &dyn Fn(&Point) -> f64| {
        let most = points.iter().map(measure).fold(f64::NEG_INFINITY, f64::max) - EQUAL * size;
        let equal = (0..points.len() as u32).filter(|n| measure(&points[*n as usize]) >= most);
        let out = |n: &u32| (points[*n as usize] - middle).norm_squared();
        equal.max_by(|a, b| out(a).total_cmp(&out(b)))
    };
    let at = |n: u32| points[n as usize];
    let (a, b) = (vertex(&|p| -p[axis])?, vertex(&|p| p[axis])?);
    let line = (at(b) - at(a)).try_normalize(0.0)?;
    let c = vertex(&|p| line.cross(&(p - at(a))).norm())?;
    let normal = line.cross(&(at(c) - at(a))).try_normalize(EQUAL * size)?;
    let d = vertex(&|p| normal.dot(&(p - at(a))).abs())?;
    let height = normal.dot(&(at(d) - at(a)));
    (height.abs() > EQUAL * size).then_some(if height < 0.0 { [a, b, c, d] } else { [a, c, b, d] })
}

struct Face {
    corners: [u32; 3],
    /// Faces beyond the edges; edge k leads from corner k to the next.
    beyond: [u32; 3],
    normal: Vector,
    offset: f64,
    /// Points in front of it that no earlier face has.
    outside: Vec<u32>,
    /// The farthest of them, and how far it is.
    farthest: u32,
    distance: f64,
    is_gone: bool,
}

struct Quickhull<'a> {
    points: &'a [Point],
    faces: Vec<Face>,
    /// A point inside.
    middle: Point,
    size: f64,
}

impl<'a> Quickhull<'a> {
    fn new(points: &'a [Point], [a, b, c, d]: [u32; 4]) -> Self {
        let corners = [a, b, c, d].map(|n| points[n as usize]);
        let middle = Point::from(corners.iter().map(|p| p.coords).sum::<Vector>() / 4.0);
        let size = points.iter().map(|p| (p - middle).amax()).fold(0.0, f64::max);
        let mut hull = Self { points, faces: vec![], middle, size };
        for (corners, beyond) in
            [([a, b, c], [1, 2, 3]), ([b, a, d], [0, 3, 2]), ([c, b, d], [0, 1, 3]), ([a, c, d], [0, 2, 1])]
        {
            hull.add_face(corners, beyond);
        }
        hull.hand_out(0, &(0..points.len() as u32).collect::<Vec<_>>());
        hull
    }

    fn at(&self, n: u32) -> &Point {
        &self.points[n as usize]
    }

    fn add_face(&mut self, corners: [u32; 3], beyond: [u32; 3]) {
        let [a, b, c] = corners.map(|n| self.at(n));
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
        let offset = normal.dot(&a.coords);
        let (outside, farthest, distance) = (vec![], NONE, 0.0);
        self.faces.push(Face { corners, beyond, normal, offset, outside, farthest, distance, is_gone: false });
    }

    /// Gives points to the faces from `first` on that they are in front of.
    fn hand_out(&mut self, first: usize, points: &[u32]) {
        for n in points {
            let p = self.points[*n as usize];
            let mut best = (ON_FACE * self.size, None);
            for (k, face) in self.faces.iter().enumerate().skip(first) {
                let distance = face.normal.dot(&p.coords) - face.offset;
                if distance > best.0 {
                    best = (distance, Some(k));
                }
            }
            if let (distance, Some(k)) = best {
                self.faces[k].outside.push(*n);
                self.note(k, *n, distance);
            }
        }
    }

    /// Of points that are equally far, the one farthest from the middle is a vertex of the hull for certain.
    fn note(&mut self, k: usize, n: u32, distance: f64) {
        let (face, equal) = (&self.faces[k], EQUAL * self.size);
        let out = |n: u32| (self.points[n as usize] - self.middle).norm_squared();
        let is_farther = face.farthest == NONE
            || distance > face.distance + equal
            || distance > face.distance - equal && out(n) > out(face.farthest);
        if is_farther {
            (self.faces[k].farthest, self.faces[k].distance) = (n, distance.max(face.distance));
        }
    }

    fn farthest_face(&self) -> Option<usize> {
        let open = |k: &usize| !self.faces[*k].is_gone && self.faces[*k].farthest != NONE;
        (0..self.faces.len()).filter(open).max_by(|a, b| self.faces[*a].distance.total_cmp(&self.faces[*b].distance))
    }

    /// Height of a point in front of a face, of which only the sign counts: that is exact.
    fn height(&self, p: u32, face: u32) -> f64 {
        let coord = |n: u32| {
            let p = self.at(n);
            Coord3D { x: p.x, y: p.y, z: p.z }
        };
        let [a, b, c] = self.faces[face as usize].corners.map(coord);
        -orient3d(a, b, c, coord(p))
    }

    /// Adds the farthest point of a face to the hull; false if it is inside.
    fn add_farthest_of(&mut self, face: usize) -> bool {
        let p = self.faces[face].farthest;
        // The normal of a thin face is inexact. Whether the point is outside is decided by all faces then.
        let sees = |k: &u32| !self.faces[*k as usize].is_gone && self.height(p, *k) > 0.0;
        let Some(start) = [face as u32].into_iter().chain(0..self.faces.len() as u32).find(sees) else {
            self.drop_farthest_of(face);
            return false;
        };
        // Faces that are coplanar with the point are replaced too: so no new face is without area.
        let mut visible = vec![start];
        // Edges between faces that the point sees and others: start, end, the other face.
        let mut horizon = vec![];
        let mut next = 0;
        while next < visible.len() {
            let Face { corners, beyond, .. } = &self.faces[visible[next] as usize];
            for k in 0..3 {
                if visible.contains(&beyond[k]) {
                    continue;
                }
                match self.height(p, beyond[k]) >= 0.0 {
                    true => visible.push(beyond[k]),
                    false => horizon.push([corners[k], corners[(k + 1) % 3], beyond[k]]),
                }
            }
            next += 1;
        }
        let first = self.faces.len();
        for [a, b, other] in &horizon {
            let new = self.faces.len() as u32;
            // The new faces before and after it around the point.
            let find = |end: usize, n: u32| horizon.iter().position(|edge| edge[end] == n).map(|k| (first + k) as u32);
            let (Some(after), Some(before)) = (find(0, *b), find(1, *a)) else { continue };
            self.add_face([*a, *b, p], [*other, after, before]);
            let other = &mut self.faces[*other as usize];
            let edge = (0..3).find(|k| other.corners[*k] == *b && other.corners[(*k + 1) % 3] == *a);
            other.beyond[edge.unwrap_or_default()] = new;
        }
        let mut orphans = vec![];
        for face in visible {
            let face = &mut self.faces[face as usize];
            face.is_gone = true;
            orphans.append(&mut face.outside);
        }
        orphans.retain(|n| *n != p);
        self.hand_out(first, &orphans);
        true
    }

    fn drop_farthest_of(&mut self, k: usize) {
        let face = &mut self.faces[k];
        let dropped = face.farthest;
        let left: Vec<u32> = std::mem::take(&mut face.outside).into_iter().filter(|n| *n != dropped).collect();
        (face.farthest, face.distance) = (NONE, 0.0);
        let (normal, offset) = (face.normal, face.offset);
        for n in &left {
            self.note(k, *n, normal.dot(&self.at(*n).coords) - offset);
        }
        self.faces[k].outside = left;
    }

    fn finished(self) -> ConvexMesh {
        let mut numbers = vec![NONE; self.points.len()];
        let mut mesh = ConvexMesh::default();
        let left = || self.faces.iter().filter(|face| !face.is_gone);
        for face in left() {
            let triangle = face.corners.map(|n| {
                if numbers[n as usize] == NONE {
                    numbers[n as usize] = mesh.points.len() as u32;
                    mesh.points.push(self.points[n as usize]);
                }
                numbers[n as usize]
            });
            mesh.triangles.push(triangle);
        }
        let outside = left().flat_map(|face| &face.outside).map(|n| self.at(*n));
        let in_front = |p: &Point| left().map(|face| face.normal.dot(&p.coords) - face.offset).fold(0.0, f64::max);
        mesh.error = outside.map(in_front).fold(0.0, f64::max);
        mesh
    }
}
