//! Convex bodies of few nodes, and pairs of them: random, grazing, deep, nearly aligned and crossed.

use super::dice::Dice;
use super::touch::{Mesh, way_to_touch};
use fracas::geom::Pose;
use fracas::{Asset, CookOptions, Object, Point, Solid, Vector};
use nalgebra::{Translation3, UnitQuaternion};
use std::collections::HashMap;
use std::f64::consts::{FRAC_PI_2, TAU};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Tetrahedron,
    Cube,
    Beam,
    Plate,
    Needle,
    Sphere,
}

/// A convex body. Boxes are longest along x and thinnest along z.
#[derive(Clone, Debug)]
pub struct Few {
    pub kind: Kind,
    /// Corners and triangles of the hull.
    pub hull: Mesh,
    /// Half the size of a box along its axes; of other bodies, of the bounding box.
    pub half: Vector,
    tets: Vec<[u32; 4]>,
}

/// Corner `k` of a box is at the high end of axis `i` if bit `i` of `k` is set. Outwards.
const BOX_TRIANGLES: [[u32; 3]; 12] = [
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
];
/// Six tetrahedra around the diagonal (Kuhn).
const BOX_TETS: [[u32; 4]; 6] = [[0, 1, 3, 7], [0, 1, 5, 7], [0, 2, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 4, 6, 7]];

impl Few {
    fn new(kind: Kind, points: Vec<Point>, triangles: Vec<[u32; 3]>, tets: Vec<[u32; 4]>) -> Self {
        let high = points.iter().fold(Vector::zeros(), |high, p| high.sup(&p.coords.abs()));
        Self { kind, hull: Mesh { points, triangles }, half: high, tets }
    }

    /// A box around the origin.
    pub fn cuboid(kind: Kind, size: [f64; 3]) -> Self {
        let corner = |k: usize| Point::from([0, 1, 2].map(|i| size[i] * ((k >> i & 1) as f64 - 0.5)));
        Self::new(kind, (0..8).map(corner).collect(), BOX_TRIANGLES.into(), BOX_TETS.into())
    }

    fn tetrahedron(kind: Kind, mut corners: [Point; 4]) -> Self {
        if volume(&corners) < 0.0 {
            corners.swap(0, 1);
        }
        let middle = corners.iter().map(|p| p.coords).sum::<Vector>() / 4.0;
        let points = corners.iter().map(|p| p - middle).collect();
        Self::new(kind, points, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]], vec![[0, 1, 2, 3]])
    }

    /// An icosahedron, its triangles divided in four if it is `fine`; a node in the middle makes the tetrahedra.
    fn sphere(radii: Vector, fine: bool) -> Self {
        let golden = 0.5 * (1.0 + 5f64.sqrt());
        let mut points: Vec<Vector> = vec![];
        for k in 0..3 {
            for (one, other) in [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)] {
                let mut at = Vector::zeros();
                (at[(k + 1) % 3], at[(k + 2) % 3]) = (one, other);
                points.push(at.normalize());
            }
        }
        let near = |a: &Vector, b: &Vector| (a - b).norm() < 1.1;
        let mut triangles = vec![];
        for i in 0..12u32 {
            for j in i + 1..12 {
                for k in j + 1..12 {
                    let [p, q, r] = [i, j, k].map(|n| points[n as usize]);
                    if near(&p, &q) && near(&q, &r) && near(&r, &p) {
                        let outwards = (q - p).cross(&(r - p)).dot(&p) > 0.0;
                        triangles.push(if outwards { [i, j, k] } else { [i, k, j] });
                    }
                }
            }
        }
        if fine {
            let mut middles = HashMap::new();
            let mut middle = |a: u32, b: u32| {
                *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    points.push((points[a as usize] + points[b as usize]).normalize());
                    points.len() as u32 - 1
                })
            };
            let four = |[a, b, c]: [u32; 3]| {
                let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            };
            triangles = triangles.into_iter().flat_map(four).collect();
        }
        let middle = points.len() as u32;
        let tets = triangles.iter().map(|[a, b, c]| [*a, *b, *c, middle]).collect();
        let points = points.iter().map(|p| Point::from(p.component_mul(&radii))).collect();
        Self::new(Kind::Sphere, points, triangles, tets)
    }

    /// A random body of a kind, about a metre in size.
    pub fn random(kind: Kind, dice: &mut Dice) -> Self {
        let size = dice.scale(0.4, 1.6);
        match kind {
            Kind::Tetrahedron => loop {
                let corners = [(); 4].map(|_| Point::from(dice.in_ball() * size));
                let longest = (0..16).map(|k| (corners[k / 4] - corners[k % 4]).norm()).fold(0.0, f64::max);
                if volume(&corners).abs() > 0.01 * longest.powi(3) {
                    return Self::tetrahedron(kind, corners);
                }
            },
            Kind::Cube if dice.happens(0.5) => Self::cuboid(kind, [size; 3]),
            Kind::Cube => Self::cuboid(kind, [size, dice.between(0.5, 1.0) * size, dice.between(0.5, 1.0) * size]),
            Kind::Beam => {
                let width = size * dice.scale(0.05, 0.2);
                Self::cuboid(kind, [size, width, width * dice.between(0.6, 1.0)])
            }
            Kind::Plate => {
                let width = size * dice.between(0.5, 1.0);
                Self::cuboid(kind, [size, width, width * dice.scale(0.01, 0.08)])
            }
            Kind::Needle => {
                let width = size * dice.scale(0.01, 0.04);
                if dice.happens(0.5) {
                    return Self::cuboid(kind, [size, width, width]);
                }
                // Two short edges, crosswise, at the ends of a long way.
                let (x, w) = (0.5 * size, 0.7 * width);
                let corners = [[-x, -w, 0.0], [-x, w, 0.0], [x, 0.0, -w], [x, 0.0, w]];
                Self::tetrahedron(kind, corners.map(Point::from))
            }
            Kind::Sphere => {
                let radii = Vector::from_fn(|_, _| 0.5 * size * dice.between(0.8, 1.2));
                let fine = dice.happens(0.5);
                Self::sphere(radii, fine)
            }
        }
    }

    /// The body as an object: its corners, and a node in the middle of a sphere.
    pub fn object(&self) -> Object {
        let mut nodes: Vec<[f64; 3]> = self.hull.points.iter().map(|p| p.coords.into()).collect();
        if self.kind == Kind::Sphere {
            nodes.push([0.0; 3]);
        }
        let solid = Solid::new(&nodes, &self.tets).expect("a body of few nodes");
        let asset = Asset::cook(solid, &CookOptions::default()).expect("a body of few nodes");
        Object::intact(&asset).remove(0)
    }

    pub fn volume(&self) -> f64 {
        let points = &self.hull.points;
        let corner = |t: &[u32; 3]| t.map(|k| points[k as usize].coords);
        self.hull.triangles.iter().map(corner).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum()
    }
}

fn volume([a, b, c, d]: &[Point; 4]) -> f64 {
    (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
}

/// How the bodies of a pair are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Any rotations, any distance of the centres at which they may touch.
    Random,
    /// The same, with the centres close together.
    Deep,
    /// Moved along a direction from the first touch by a small share of the smaller radius, sometimes backwards.
    Grazing,
    /// The same body twice, turned by five degrees and overlapped by more than nine tenths.
    Aligned,
    /// Long or flat bodies through each other.
    Crossed,
}

/// Pairs that are counted together.
pub struct Category {
    pub name: &'static str,
    /// Kinds of the two bodies; all kinds if there are none.
    kinds: Option<[Kind; 2]>,
    pub way: Way,
}

const fn of(name: &'static str, a: Kind, b: Kind, way: Way) -> Category {
    Category { name, kinds: Some([a, b]), way }
}

const fn mix(name: &'static str, way: Way) -> Category {
    Category { name, kinds: None, way }
}

pub const CATEGORIES: [Category; 21] = [
    of("tetrahedra, random", Kind::Tetrahedron, Kind::Tetrahedron, Way::Random),
    of("tetrahedra, grazing", Kind::Tetrahedron, Kind::Tetrahedron, Way::Grazing),
    of("tetrahedra, deep", Kind::Tetrahedron, Kind::Tetrahedron, Way::Deep),
    of("cubes, random", Kind::Cube, Kind::Cube, Way::Random),
    of("cubes, grazing", Kind::Cube, Kind::Cube, Way::Grazing),
    of("cubes, deep", Kind::Cube, Kind::Cube, Way::Deep),
    of("cubes, nearly aligned", Kind::Cube, Kind::Cube, Way::Aligned),
    of("beams, random", Kind::Beam, Kind::Beam, Way::Random),
    of("beams, grazing", Kind::Beam, Kind::Beam, Way::Grazing),
    of("beams, crossed", Kind::Beam, Kind::Beam, Way::Crossed),
    of("plates, random", Kind::Plate, Kind::Plate, Way::Random),
    of("plates, grazing", Kind::Plate, Kind::Plate, Way::Grazing),
    of("plates, crossed", Kind::Plate, Kind::Plate, Way::Crossed),
    of("needles, grazing", Kind::Needle, Kind::Needle, Way::Grazing),
    of("needles through plates", Kind::Needle, Kind::Plate, Way::Crossed),
    of("spheres, random", Kind::Sphere, Kind::Sphere, Way::Random),
    of("spheres, grazing", Kind::Sphere, Kind::Sphere, Way::Grazing),
    of("spheres, deep", Kind::Sphere, Kind::Sphere, Way::Deep),
    mix("mixed, random", Way::Random),
    mix("mixed, grazing", Way::Grazing),
    mix("mixed, deep", Way::Deep),
];

/// Bodies of all kinds, `each` of each.
pub fn bodies(each: usize, seed: u64) -> Vec<Few> {
    let kinds = [Kind::Tetrahedron, Kind::Cube, Kind::Beam, Kind::Plate, Kind::Needle, Kind::Sphere];
    let mut dice = Dice::new(seed);
    kinds
        .iter()
        .flat_map(|kind| (0..each).map(|_| *kind).collect::<Vec<_>>())
        .map(|k| Few::random(k, &mut dice))
        .collect()
}

/// Two bodies in their poses.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub bodies: [usize; 2],
    pub poses: [Pose; 2],
    /// Number of its category.
    pub category: usize,
}

/// Pair number `number`, of the category whose turn it is.
pub fn pair(bodies: &[Few], number: usize, seed: u64) -> Pair {
    let mut dice = Dice::new(seed ^ fracas::geom::random::mix(number as u64));
    let category = number % CATEGORIES.len();
    let Category { kinds, way, .. } = CATEGORIES[category];
    let mut draw = |side: usize| loop {
        let k = dice.index(bodies.len());
        if kinds.is_none_or(|kinds| bodies[k].kind == kinds[side]) {
            return k;
        }
    };
    let (a, mut b) = (draw(0), draw(1));
    if way == Way::Aligned {
        b = a;
    }
    let (one, other) = (&bodies[a], &bodies[b]);
    let poses = match way {
        Way::Aligned => aligned(one, &mut dice),
        Way::Crossed if one.kind == Kind::Needle => through(one, other, &mut dice),
        Way::Crossed if one.kind == Kind::Plate => crossed_plates([one, other], &mut dice),
        Way::Crossed => crossed_beams([one, other], &mut dice),
        _ => place([&one.hull, &other.hull], way, &mut dice),
    };
    let world = anywhere(&mut dice);
    Pair { bodies: [a, b], poses: poses.map(|pose| world * pose), category }
}

/// A pose of the whole pair.
fn anywhere(dice: &mut Dice) -> Pose {
    Pose::from_parts(Translation3::from(dice.vector(2.0)), dice.rotation())
}

/// A pose that turns a mesh and has its centre at a place.
pub fn centred(mesh: &Mesh, turn: UnitQuaternion<f64>, at: Vector) -> Pose {
    Pose::from_parts(Translation3::from(at - turn * mesh.centre().coords), turn)
}

/// Places two meshes at random, grazing or deep; the second is at the origin.
pub fn place(meshes: [&Mesh; 2], way: Way, dice: &mut Dice) -> [Pose; 2] {
    let [a, b] = meshes;
    let second = centred(b, dice.rotation(), Vector::zeros());
    let radii = a.radius() + b.radius();
    if way != Way::Grazing {
        let share = if way == Way::Deep { dice.between(0.0, 0.3) } else { dice.between(0.1, 0.8) };
        return [centred(a, dice.rotation(), dice.direction() * share * radii), second];
    }
    let size = a.radius().min(b.radius());
    let sign = if dice.happens(0.1) { -1.0 } else { 1.0 };
    let depth = sign * size * dice.scale(1e-3, 0.2);
    let (first, direction, way) = touching([a, b], &second, dice);
    [Translation3::from(direction * (way + depth)) * first, second]
}

/// A pose of the first mesh, a direction, and how far it has to move along it until it touches the second.
pub fn touching([a, b]: [&Mesh; 2], second: &Pose, dice: &mut Dice) -> (Pose, Vector, f64) {
    let radii = a.radius() + b.radius();
    loop {
        let direction = dice.direction();
        let aside = dice.in_ball() * (0.4 * radii);
        let first = centred(a, dice.rotation(), aside - direction * (2.0 * radii));
        if let Some(way) = way_to_touch((a, &first), (b, second), &direction) {
            return (first, direction, way);
        }
    }
}

/// Turned by five degrees, half of them about an axis of the box, so that no corner is in the other body; and moved a little.
fn aligned(body: &Few, dice: &mut Dice) -> [Pose; 2] {
    let angle = 5f64.to_radians();
    let axis = if dice.happens(0.5) { Vector::ith(dice.index(3), 1.0) } else { dice.direction() };
    let turn = UnitQuaternion::from_scaled_axis(axis * angle);
    let shift = dice.direction() * (body.half.min() * dice.between(0.0, 0.05));
    [Pose::from_parts(Translation3::from(shift), turn), Pose::identity()]
}

/// How far a box that is turned reaches along z.
fn reach(body: &Few, turn: &UnitQuaternion<f64>) -> f64 {
    body.hull.points.iter().map(|p| (turn * p).z).fold(0.0, f64::max)
}

/// A turn about an axis by any angle.
fn spin(axis: Vector, dice: &mut Dice) -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(axis * dice.between(0.0, TAU))
}

/// Two beams that cross, each rolled about its axis, one on top of the other and pressed into it.
fn crossed_beams([a, b]: [&Few; 2], dice: &mut Dice) -> [Pose; 2] {
    let first = spin(Vector::x(), dice);
    let cross = UnitQuaternion::from_scaled_axis(Vector::z() * dice.between(0.5, 2.6));
    let second = cross * spin(Vector::x(), dice);
    let height = (reach(a, &first) + reach(b, &second)) * (1.0 - dice.scale(0.01, 1.0));
    // Each moved along its axis: they cross anywhere along them.
    let at = first * Vector::x() * (a.half.x * dice.between(-0.7, 0.7)) + Vector::z() * height;
    let to = second * Vector::x() * (b.half.x * dice.between(-0.7, 0.7));
    [Pose::from_parts(Translation3::from(at), first), Pose::from_parts(Translation3::from(to), second)]
}

/// Two plates through each other: the second lies, and the first stands or leans in it.
fn crossed_plates([a, b]: [&Few; 2], dice: &mut Dice) -> [Pose; 2] {
    let tilt = UnitQuaternion::from_scaled_axis(Vector::x() * dice.between(0.5, FRAC_PI_2));
    let (first, second) = (tilt * spin(Vector::z(), dice), spin(Vector::z(), dice));
    // Up in the plane of the first, and anywhere on the second.
    let up = tilt * Vector::y() * (a.half.y * dice.between(-0.95, 0.95));
    let aside = second * Vector::new(b.half.x, b.half.y, 0.0).component_mul(&dice.vector(0.8));
    [Pose::from_parts(Translation3::from(up + aside), first), Pose::from_parts(Translation3::identity(), second)]
}

/// A needle through a plate.
fn through(needle: &Few, plate: &Few, dice: &mut Dice) -> [Pose; 2] {
    let (lean, about) = (dice.between(0.0, 1.0), dice.between(0.0, TAU));
    let way = Vector::new(lean.sin() * about.cos(), lean.sin() * about.sin(), lean.cos());
    let turn = UnitQuaternion::rotation_between(&Vector::x(), &way).expect("not opposite") * spin(Vector::x(), dice);
    let hole = Vector::new(plate.half.x, plate.half.y, 0.0).component_mul(&dice.vector(0.9));
    let at = hole + way * (needle.half.x * dice.between(-0.95, 0.95));
    [Pose::from_parts(Translation3::from(at), turn), Pose::identity()]
}
