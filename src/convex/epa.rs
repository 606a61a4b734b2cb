//! Penetration depth of two convex bodies: the expanding polytope algorithm of van den Bergen (2001; 2003, 4.3.8).
//!
//! The depth is the distance from the origin to the boundary of the Minkowski difference A - B. A polytope in it, with
//! the origin inside, is expanded where its boundary is nearest: the nearest face gives a lower bound of the depth, the
//! support function along its normal an upper one. Departures:
//! - All in arrays of fixed size, and faces know no neighbours: a new vertex is tested against all faces, and the edges of
//!   the faces it sees cancel in pairs, except along the horizon. That is closed whatever rounding does.
//! - The depth is the overlap along the best direction so far, so it is valid even if the search ends early.
//! - A simplex that is flat is blown up by searching across it; if nothing is found there, the origin is on the boundary,
//!   and the way out is there. So bodies that touch, plates and segments need no care of their own.

use crate::convex::gjk::any_unit;
use crate::convex::simplex::{Difference, Nearest, Simplex, Vertex, nearest_on_triangle, weighted};
use crate::convex::support::Support;
use crate::geom::{Point, Vector};

/// Most vertices of the polytope: some hundred cannot be searched in a query's time.
const MOST_VERTICES: usize = 64;
/// A closed triangulated polytope has two faces less than twice its vertices.
const MOST_FACES: usize = 2 * MOST_VERTICES;
/// Most edges of the faces that a vertex sees, before they cancel.
const MOST_EDGES: usize = 128;
/// Beside a depth, this share of the size of the Minkowski difference counts for the accuracy.
const SMALL: f64 = 1e-3;
/// A height below this share of the size is none: normals of what is flatter are no good.
const FLAT: f64 = 1e-7;
/// A face is seen from vertices down to this far below its plane, as a share of the size: so vertices in its plane give no
/// slivers.
const COPLANAR: f64 = 1e-12;
/// Faces are one side if the cosine between their normals is above this: 2.6 degrees.
const SAME_SIDE: f64 = 0.999;

/// How deep two bodies overlap.
#[derive(Clone, Copy, Debug)]
pub struct Penetration {
    /// Overlap along the direction, an upper bound of the penetration depth: A moved by `depth * direction` is separated.
    pub depth: f64,
    /// Lower bound of the penetration depth.
    pub at_least: f64,
    /// Unit, from B to A.
    pub direction: Vector,
    /// The deepest points: of A in B, and of B in A.
    pub points: [Point; 2],
}

/// Finds the shortest way out of two bodies whose cores overlap, from the simplex that [`separate`] found. Ends when the
/// depth is known to `accuracy`, a share of it, or when the polytope is full.
///
/// [`separate`]: crate::convex::gjk::separate
pub fn penetrate<A: Support, B: Support>(a: &A, b: &B, simplex: &Simplex, accuracy: f64) -> Penetration {
    let difference = Difference { of: (a, b) };
    let found = match blown_up(&difference, simplex) {
        Ok(tetrahedron) => Polytope::new(&tetrahedron).expand(&difference, accuracy),
        Err(across) => across,
    };
    let direction = -found.outward;
    let [on_a, on_b] = found.points;
    Penetration {
        depth: found.depth + a.margin() + b.margin(),
        at_least: found.at_least + a.margin() + b.margin(),
        direction,
        points: [on_a - direction * a.margin(), on_b + direction * b.margin()],
    }
}

/// A way out of the Minkowski difference.
struct Way {
    outward: Vector,
    depth: f64,
    at_least: f64,
    points: [Point; 2],
}

/// Reduces a simplex until it is not flat: to the nearest of its faces, which has the origin in it too.
fn without_flatness(mut simplex: Simplex) -> Simplex {
    loop {
        let size = extent(&simplex, &simplex.vertices()[0].at);
        let off = |vertex: &Vertex| vertex.at - simplex.vertices()[0].at;
        let height = match simplex.vertices() {
            [_, q, r] => off(q).cross(&off(r)).norm() / size,
            [_, q, r, s] => {
                let (q, r, s) = (off(q), off(r), off(s));
                let sides = [q.cross(&r), r.cross(&s), s.cross(&q), (r - q).cross(&(s - q))];
                q.cross(&r).dot(&s).abs() / sides.iter().map(|side| side.norm()).fold(0.0, f64::max)
            }
            _ => size,
        };
        // The height is NaN if all is zero.
        let is_solid = height > FLAT * size && height > COPLANAR * simplex.vertices()[0].reach();
        if is_solid || simplex.vertices().len() == 1 {
            return simplex;
        }
        simplex = simplex.nearest_face();
    }
}

/// Distance of the farthest vertex from a point.
fn extent(simplex: &Simplex, from: &Vector) -> f64 {
    simplex.vertices().iter().map(|vertex| (vertex.at - from).norm()).fold(0.0, f64::max)
}

/// Blows up a simplex with the origin in it to a tetrahedron, by the vertices that are farthest across it; `Err` if there
/// are none: then the origin is on the boundary, and the way out is there.
fn blown_up<A: Support, B: Support>(difference: &Difference<A, B>, simplex: &Simplex) -> Result<[Vertex; 4], Way> {
    let mut simplex = without_flatness(*simplex);
    loop {
        let base = simplex.vertices()[0].at;
        let outward = match simplex.vertices() {
            [p, q, r, s] => return Ok([*p, *q, *r, *s]),
            [_, q, r] => any_unit(&(q.at - base).cross(&(r.at - base))),
            [_, q] => any_unit(&(q.at - base).cross(&Vector::ith((q.at - base).iamin(), 1.0))),
            _ => Vector::x(),
        };
        let farthest = difference.farthest(&outward);
        let height = (farthest.at - base).dot(&outward);
        if height <= FLAT * extent(&simplex, &farthest.at) + COPLANAR * farthest.reach() {
            let depth = farthest.at.dot(&outward);
            return Err(Way { outward, depth, at_least: depth.min(0.0), points: simplex.points() });
        }
        simplex.push(farthest);
    }
}

/// A face of the polytope.
#[derive(Clone, Copy)]
struct Face {
    /// Vertices, counter-clockwise from outside.
    corners: [u8; 3],
    /// Outward, unit; zero if the face has no area.
    normal: Vector,
    /// Distance of its plane from the origin; infinite if the face has no area: it is neither expanded nor seen.
    distance: f64,
}

/// A closed polytope in the Minkowski difference.
struct Polytope {
    vertices: [Vertex; MOST_VERTICES],
    vertex_count: usize,
    faces: [Face; MOST_FACES],
    face_count: usize,
    /// Distance of its farthest vertex from the first.
    size: f64,
}

impl Polytope {
    /// A tetrahedron.
    fn new(tetrahedron: &[Vertex; 4]) -> Self {
        let nothing = Face { corners: [0; 3], normal: Vector::zeros(), distance: f64::INFINITY };
        let mut polytope = Self {
            vertices: [Vertex::default(); MOST_VERTICES],
            vertex_count: 0,
            faces: [nothing; MOST_FACES],
            face_count: 0,
            size: 0.0,
        };
        tetrahedron.iter().for_each(|vertex| polytope.push_vertex(vertex));
        let at = |k: usize| tetrahedron[k].at - tetrahedron[0].at;
        let (second, third) = if at(1).cross(&at(2)).dot(&at(3)) > 0.0 { (2, 1) } else { (1, 2) };
        for corners in [[0, second, third], [second, 0, 3], [third, second, 3], [0, third, 3]] {
            polytope.push_face(corners);
        }
        polytope
    }

    fn push_vertex(&mut self, vertex: &Vertex) {
        self.vertices[self.vertex_count] = *vertex;
        self.vertex_count += 1;
        self.size = self.size.max((vertex.at - self.vertices[0].at).norm());
    }

    fn push_face(&mut self, corners: [u8; 3]) {
        let [p, q, r] = corners.map(|k| self.vertices[k as usize].at);
        let (pq, pr) = (q - p, r - p);
        let normal = pq.cross(&pr);
        let size = normal.norm();
        let has_area = size > COPLANAR * pq.norm() * pr.norm();
        let normal = if has_area { normal / size } else { Vector::zeros() };
        let distance = if has_area { normal.dot(&p) } else { f64::INFINITY };
        self.faces[self.face_count] = Face { corners, normal, distance };
        self.face_count += 1;
    }

    /// Expands the polytope until its nearest face is on the boundary of the Minkowski difference.
    fn expand<A: Support, B: Support>(mut self, difference: &Difference<A, B>, accuracy: f64) -> Way {
        let (mut best, mut depth, mut at_least) = (self.faces[0], f64::INFINITY, 0.0f64);
        loop {
            let faces = &self.faces[..self.face_count];
            let mut face = faces[0];
            for other in &faces[1..] {
                face = if other.distance < face.distance { *other } else { face };
            }
            if face.distance == f64::INFINITY {
                break;
            }
            at_least = at_least.max(face.distance);
            let vertex = difference.farthest(&face.normal);
            let along = vertex.at.dot(&face.normal);
            if along < depth {
                (best, depth) = (face, along);
            }
            let is_exact = depth - at_least <= accuracy * (depth + SMALL * self.size);
            let is_known = self.vertices[..self.vertex_count].iter().any(|own| own.ids == vertex.ids);
            if is_exact || is_known || !self.add(&vertex) {
                break;
            }
        }
        Way { outward: best.normal, depth, at_least: at_least.min(depth), points: self.points_on(&best, depth) }
    }

    /// The points of A and B at this depth below a face, or below those that it is a flat side with.
    fn points_on(&self, face: &Face, depth: f64) -> [Point; 2] {
        let beside = self.faces[..self.face_count].iter().filter(|other| other.normal.dot(&face.normal) > SAME_SIDE);
        let (mut least, mut points) = (f64::INFINITY, [Point::origin(); 2]);
        let wanted = face.normal * depth;
        for face in beside.chain([face]) {
            let corners = face.corners.map(|k| self.vertices[k as usize]);
            let Nearest { at, weights } = nearest_on_triangle([&corners[0].at, &corners[1].at, &corners[2].at]);
            let off = (at - wanted).norm_squared();
            if off < least {
                (least, points) = (off, weighted(&corners, &weights));
            }
        }
        points
    }

    /// Adds a vertex: joins it to the horizon of the faces that it sees. Returns whether there was room for it.
    fn add(&mut self, vertex: &Vertex) -> bool {
        if self.vertex_count == MOST_VERTICES {
            return false;
        }
        let number = self.vertex_count as u8;
        self.push_vertex(vertex);
        let (mut edges, mut edge_count) = ([[0; 2]; MOST_EDGES], 0);
        let (below, mut k) = (COPLANAR * self.size, 0);
        while k < self.face_count {
            let Face { corners: [p, q, r], normal, distance } = self.faces[k];
            if normal.dot(&vertex.at) <= distance - below {
                k += 1;
                continue;
            }
            self.face_count -= 1;
            self.faces[k] = self.faces[self.face_count];
            for edge in [[p, q], [q, r], [r, p]] {
                match edges[..edge_count].iter().position(|[from, to]| [*to, *from] == edge) {
                    Some(twin) => {
                        edge_count -= 1;
                        edges[twin] = edges[edge_count];
                    }
                    None if edge_count == MOST_EDGES => return false,
                    None => {
                        edges[edge_count] = edge;
                        edge_count += 1;
                    }
                }
            }
        }
        if edge_count == 0 || self.face_count + edge_count > MOST_FACES {
            return false;
        }
        edges[..edge_count].iter().for_each(|[from, to]| self.push_face([*from, *to, number]));
        true
    }
}
