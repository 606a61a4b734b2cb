//! A clipper that shares nothing with the library: a tetrahedron as a list of polygons, cut by one half-space after the other, in double
//! precision.

use fracas::geom::plane::Plane;
use fracas::{Point, Vector};

/// `normal · x <= offset`.
#[derive(Clone, Copy)]
pub struct HalfSpace {
    normal: Vector,
    offset: f64,
}

impl HalfSpace {
    /// Where the first of two seeds is nearer, with something added to the squared distances.
    pub fn nearer([own, other]: [&Point; 2], weights: [f64; 2]) -> Self {
        let squares = other.coords.norm_squared() - own.coords.norm_squared();
        Self { normal: (other - own) * 2.0, offset: squares + weights[1] - weights[0] }
    }

    /// One side of a plane.
    pub fn of(plane: &Plane, above: bool) -> Self {
        let sign = if above { -1.0 } else { 1.0 };
        Self { normal: plane.normal * sign, offset: plane.offset * sign }
    }

    fn beyond(&self, p: &Point) -> f64 {
        self.normal.dot(&p.coords) - self.offset
    }
}

/// The volume of what is left of a tetrahedron within all half-spaces.
pub fn volume(corners: &[Point; 4], walls: impl Iterator<Item = HalfSpace>) -> f64 {
    let [a, b, c, d] = *corners;
    let mut faces = vec![vec![a, b, c], vec![a, d, b], vec![b, d, c], vec![c, d, a]];
    for wall in walls {
        let mut cap: Vec<Point> = vec![];
        let mut kept = vec![];
        for face in &faces {
            let mut part = vec![];
            for k in 0..face.len() {
                let (p, q) = (face[k], face[(k + 1) % face.len()]);
                let (u, v) = (wall.beyond(&p), wall.beyond(&q));
                if u <= 0.0 {
                    part.push(p);
                }
                if (u <= 0.0) != (v <= 0.0) {
                    let at = p + (q - p) * (u / (u - v));
                    part.push(at);
                    cap.push(at);
                }
            }
            if part.len() >= 3 {
                kept.push(part);
            }
        }
        if kept.is_empty() {
            return 0.0;
        }
        if cap.len() >= 3 {
            kept.push(in_order(cap, &wall.normal));
        }
        faces = kept;
    }
    // Cones from a point inside: areas may come either way round.
    let all: Vec<&Point> = faces.iter().flatten().collect();
    let middle = Point::from(all.iter().map(|p| p.coords).sum::<Vector>() / all.len() as f64);
    let cone = |face: &Vec<Point>| {
        let area: Vector = face[1..].windows(2).map(|w| (w[0] - face[0]).cross(&(w[1] - face[0]))).sum();
        (area.dot(&(face[0] - middle)) / 6.0).abs()
    };
    faces.iter().map(cone).sum()
}

/// The points of a convex polygon around their middle.
fn in_order(mut points: Vec<Point>, normal: &Vector) -> Vec<Point> {
    let middle = Point::from(points.iter().map(|p| p.coords).sum::<Vector>() / points.len() as f64);
    let n = normal.normalize();
    let u = if n.x.abs() < 0.6 { n.cross(&Vector::x()) } else { n.cross(&Vector::y()) };
    let v = n.cross(&u);
    let angle = |p: &Point| (p - middle).dot(&v).atan2((p - middle).dot(&u));
    points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    points
}
