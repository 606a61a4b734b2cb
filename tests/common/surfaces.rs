//! Triangle surfaces to be filled, sound and unsound, and what can be said about them without filling them.

use super::data;
use fracas::geom::random::unit;
use fracas::solid::fill::{FillOptions, Filled, fill};
use fracas::{Point, Solid, Tasks, Vector, shapes};
use nalgebra::{Rotation3, Unit};
use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::sync::LazyLock;

/// A list of triangles, counter-clockwise seen from outside if all is well.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    pub points: Vec<[f64; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

impl Skin {
    /// The boundary of a solid.
    pub fn of(solid: &Solid) -> Self {
        Self {
            points: solid.nodes().iter().map(|p| [p.x, p.y, p.z]).collect(),
            triangles: solid.skin().iter().map(|s| s.nodes).collect(),
        }
    }

    /// A surface of the data folder.
    pub fn obj(name: &str) -> Option<Self> {
        let text = std::fs::read_to_string(data::file(&format!("meshes/{name}.obj"))?).unwrap();
        let mut skin = Self::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.first() {
                Some(&"v") => skin.points.push([1, 2, 3].map(|k| words[k].parse().unwrap())),
                Some(&"f") => skin.triangles.push([1, 2, 3].map(|k| {
                    let number: u32 = words[k].split('/').next().unwrap().parse().unwrap();
                    number - 1
                })),
                _ => {}
            }
        }
        Some(skin)
    }

    /// A prism over a polygon that can be seen whole from its first corner, counter-clockwise.
    pub fn prism(polygon: &[[f64; 2]], height: f64) -> Self {
        let n = polygon.len() as u32;
        let level = |z: f64| polygon.iter().map(move |p| [p[0], p[1], z]);
        let points = level(0.0).chain(level(height)).collect();
        let mut triangles = vec![];
        for k in 0..n {
            let next = (k + 1) % n;
            triangles.extend([[k, next, n + next], [k, n + next, n + k]]);
            if k > 0 && next > 0 {
                triangles.extend([[0, next, k], [n, n + k, n + next]]);
            }
        }
        Self { points, triangles }
    }

    /// Every place moved.
    pub fn placed(mut self, place: impl Fn(&Point) -> Point) -> Self {
        self.points.iter_mut().for_each(|p| *p = place(&Point::from(*p)).into());
        self
    }

    /// Turned about an axis along no edge of anything.
    pub fn turned(self, degrees: f64) -> Self {
        let axis = Unit::new_normalize(Vector::new(1.0, 2.0, 3.0));
        let turn = Rotation3::from_axis_angle(&axis, degrees.to_radians());
        self.placed(|p| turn * p)
    }

    pub fn moved(self, by: [f64; 3]) -> Self {
        self.placed(|p| p + Vector::from(by))
    }

    /// Inside out.
    pub fn turned_over(mut self) -> Self {
        self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        self
    }

    /// With another surface.
    pub fn and(mut self, other: &Self) -> Self {
        let first = self.points.len() as u32;
        self.points.extend(&other.points);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|i| i + first)));
        self
    }

    /// Without the triangles whose middle satisfies a condition.
    pub fn without(mut self, cut: impl Fn(&Point) -> bool) -> Self {
        let gone: Vec<bool> = self.corners().iter().map(|[a, b, c]| cut(&middle(a, b, c))).collect();
        let mut gone = gone.into_iter();
        self.triangles.retain(|_| !gone.next().unwrap());
        self
    }

    /// Every triangle with points of its own, as in an STL file, rounded to single precision as there.
    pub fn torn(&self) -> Self {
        let points: Vec<[f64; 3]> =
            self.corners().iter().flatten().map(|p| [p.x, p.y, p.z].map(|c| f64::from(c as f32))).collect();
        Self { triangles: (0..self.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(), points }
    }

    /// The places of the triangles' corners.
    pub fn corners(&self) -> Vec<[Point; 3]> {
        self.triangles.iter().map(|t| t.map(|i| Point::from(self.points[i as usize]))).collect()
    }

    /// By the divergence theorem, about a point of its own.
    pub fn volume(&self) -> f64 {
        let origin = self.corners()[0][0];
        self.corners().iter().map(|t| t.map(|p| p - origin)).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum()
    }

    /// Points less edges plus triangles, of a closed surface.
    pub fn euler(&self) -> i64 {
        let mut used: Vec<u32> = self.triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        used.len() as i64 - self.triangles.len() as i64 / 2
    }

    /// Edges where it turns by more than an angle.
    pub fn sharp_edges(&self, degrees: f64) -> Vec<[Point; 2]> {
        let corners = self.corners();
        let mut normals: BTreeMap<[u32; 2], Vec<Vector>> = BTreeMap::new();
        for (t, [a, b, c]) in self.triangles.iter().zip(&corners) {
            let normal = (b - a).cross(&(c - a)).normalize();
            for (p, q) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                normals.entry([p.min(q), p.max(q)]).or_default().push(normal);
            }
        }
        let turns = |list: &[Vector]| matches!(list, [n, m] if n.angle(m) > degrees.to_radians());
        let ends = |edge: &[u32; 2]| edge.map(|i| Point::from(self.points[i as usize]));
        normals.iter().filter(|(_, list)| turns(list)).map(|(edge, _)| ends(edge)).collect()
    }

    pub fn fill(&self, options: &FillOptions) -> fracas::Result<Filled> {
        fill(&self.points, &self.triangles, options)
    }
}

fn middle(a: &Point, b: &Point, c: &Point) -> Point {
    Point::from((a.coords + b.coords + c.coords) / 3.0)
}

/// With edges of this length.
pub fn edges(edge: f64) -> FillOptions {
    FillOptions { edge, ..FillOptions::default() }
}

/// About the outline of the letter L.
pub fn l_prism() -> Skin {
    Skin::prism(&[[0.0, 0.0], [0.2, 0.0], [0.2, 0.1], [0.1, 0.1], [0.1, 0.2], [0.0, 0.2]], 0.15)
}

/// A prism with an edge of this angle.
pub fn wedge(degrees: f64) -> Skin {
    let (sin, cos) = degrees.to_radians().sin_cos();
    Skin::prism(&[[0.0, 0.0], [0.2, 0.0], [0.2 * cos, 0.2 * sin]], 0.15)
}

/// A tube along a torus knot that goes `turns[0]` times round the axis and `turns[1]` times round the tube of the torus. The
/// torus has a radius of 0.1 and a tube of 0.04; `across` corners go round the knot's own tube, of this thickness.
pub fn knot(turns: [u32; 2], tube: f64, along: u32, across: u32) -> Skin {
    let place = |s: f64| {
        let [u, v] = turns.map(|n| n as f64 * s);
        let r = 0.1 + 0.04 * v.cos();
        Vector::new(r * u.cos(), r * u.sin(), 0.04 * v.sin())
    };
    let mut points = vec![];
    for i in 0..along {
        let s = 2.0 * PI * i as f64 / along as f64;
        let (at, tangent) = (place(s), (place(s + 1e-4) - place(s - 1e-4)).normalize());
        let u = turns[0] as f64 * s;
        // The torus is round this axis: its outward normal turns with the knot and closes with it.
        let outwards = at - Vector::new(u.cos(), u.sin(), 0.0) * 0.1;
        let first = (outwards - tangent * outwards.dot(&tangent)).normalize();
        let second = tangent.cross(&first);
        for j in 0..across {
            let (sin, cos) = (2.0 * PI * j as f64 / across as f64).sin_cos();
            let p = at + (first * cos + second * sin) * tube;
            points.push([p.x, p.y, p.z]);
        }
    }
    let number = |i: u32, j: u32| i % along * across + j % across;
    let mut triangles = vec![];
    for i in 0..along {
        for j in 0..across {
            let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
            triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    Skin { points, triangles }
}

/// A ball with bumps and dents, like a scanned thing but ours.
pub fn bumpy_ball(cells: usize) -> Skin {
    Skin::of(&shapes::ball(0.1, cells)).placed(|p| {
        let d = p.coords.normalize();
        let bump = |k: u64| {
            let way = Vector::from_fn(|i, _| unit(k, i as u64) - 0.5).normalize();
            0.12 * (unit(k, 9) - 0.4) * (-(d - way).norm_squared() / 0.1).exp()
        };
        Point::from(p.coords * (1.0 + (0..40).map(bump).sum::<f64>()))
    })
}

/// Solids made from surfaces: small, of every kind that the mesher makes, round, sharp and with a hole.
pub fn filled_solids() -> Vec<(&'static str, Solid)> {
    static MADE: LazyLock<Vec<(&str, Solid)>> = LazyLock::new(|| {
        let made = |skin: Skin, tets: usize| {
            let options = FillOptions { tets, tasks: Tasks::pool(2).unwrap(), ..FillOptions::default() };
            skin.fill(&options).unwrap().solid
        };
        vec![
            ("filled ball", made(Skin::of(&shapes::ball(0.1, 12)), 3500)),
            ("filled turned brick", made(Skin::of(&shapes::brick(1)).turned(25.0), 4000)),
            ("filled torus", made(Skin::of(&shapes::torus(1.0, 0.3, 32, 8)), 3500)),
        ]
    });
    MADE.clone()
}
