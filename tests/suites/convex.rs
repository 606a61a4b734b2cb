//! Distances and penetration depths of convex bodies, against brute force over faces and edges, and closed forms.

use fracas::convex::epa::{Penetration, penetrate};
use fracas::convex::gjk::{Apart, Separation, separate};
use fracas::convex::simplex::{Simplex, Vertex};
use fracas::convex::support::{Cuboid, Placed, Rounded, Samples, Support, overlap_along};
use fracas::geom::random::unit;
use fracas::geom::{Local, NONE, Point, Pose, Vector};
use fracas::samples::buckets::{Buckets, Filling, Sample};

const ACCURACY: f64 = 1e-3;

/// A convex polyhedron with known faces and edges.
#[derive(Clone)]
struct Solid {
    points: Vec<Point>,
    triangles: Vec<[usize; 3]>,
    edges: Vec<[usize; 2]>,
    size: f64,
}

impl Solid {
    fn new(points: Vec<Point>, triangles: &[[usize; 3]]) -> Self {
        let mut edges: Vec<[usize; 2]> =
            triangles.iter().flat_map(|[p, q, r]| [[*p, *q], [*q, *r], [*r, *p]]).filter(|[p, q]| p < q).collect();
        edges.sort();
        edges.dedup();
        let size = points.iter().flat_map(|p| points.iter().map(move |q| (p - q).norm())).fold(0.0, f64::max);
        Self { points, triangles: triangles.to_vec(), edges, size }
    }

    fn moved(&self, pose: &Pose) -> Self {
        Self { points: self.points.iter().map(|p| pose * p).collect(), ..self.clone() }
    }

    fn support(&self) -> Rounded<'_> {
        Rounded { points: &self.points, radius: 0.0 }
    }

    fn normals(&self) -> impl Iterator<Item = Vector> {
        self.triangles
            .iter()
            .map(|[p, q, r]| (self.points[*q] - self.points[*p]).cross(&(self.points[*r] - self.points[*p])))
    }

    fn edge_vectors(&self) -> impl Iterator<Item = Vector> {
        self.edges.iter().map(|[p, q]| self.points[*q] - self.points[*p])
    }
}

fn random_vector(seed: u64, key: u64) -> Vector {
    Vector::from_fn(|i, _| unit(seed, 3 * key + i as u64) * 2.0 - 1.0)
}

fn random_pose(seed: u64, shift: f64) -> Pose {
    Pose::new(random_vector(seed, 900) * shift, random_vector(seed, 901) * 3.0)
}

/// A box, a tetrahedron or an octahedron, stretched and sheared at random.
fn random_solid(seed: u64) -> Solid {
    let corner = |k: usize| Point::from(Vector::from_fn(|i, _| if k >> i & 1 == 0 { -0.5 } else { 0.5 }));
    let base = match seed % 3 {
        0 => {
            let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
            let triangles: Vec<[usize; 3]> =
                sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
            Solid::new((0..8).map(corner).collect(), &triangles)
        }
        1 => {
            let points = (0..4).map(|k| Point::from(random_vector(seed, k))).collect();
            Solid::new(points, &[[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])
        }
        _ => {
            let points = (0..6).map(|k| Point::from(Vector::ith(k / 2, if k % 2 == 0 { 0.7 } else { -0.7 }))).collect();
            let triangles: Vec<[usize; 3]> = (0..8).map(|k| [k & 1, 2 + (k >> 1 & 1), 4 + (k >> 2)]).collect();
            Solid::new(points, &triangles)
        }
    };
    let stretch = Vector::from_fn(|i, _| 10f64.powf(unit(seed, 700 + i as u64) * 1.5 - 1.0));
    let turn = random_pose(seed, 0.0).rotation;
    let points = base.points.iter().map(|p| turn * Point::from(p.coords.component_mul(&stretch))).collect();
    let mut solid = Solid::new(points, &base.triangles);
    // Octahedra: by hand, all edges but the diagonals.
    if seed % 3 == 2 {
        solid.edges = (0..6).flat_map(|p| (p + 1..6).map(move |q| [p, q])).filter(|[p, q]| p / 2 != q / 2).collect();
    }
    solid
}

/// Overlap along a direction, by all points.
fn overlap(a: &Solid, b: &Solid, d: &Vector) -> f64 {
    let high = b.points.iter().map(|p| p.coords.dot(d)).fold(f64::NEG_INFINITY, f64::max);
    let low = a.points.iter().map(|p| p.coords.dot(d)).fold(f64::INFINITY, f64::min);
    high - low
}

/// The least overlap over all face normals and pairs of edges: the exact penetration depth, if positive; else apart.
fn least_overlap(a: &Solid, b: &Solid) -> f64 {
    let pairs = a.edge_vectors().flat_map(|e| b.edge_vectors().map(move |f| e.cross(&f)).collect::<Vec<_>>());
    let axes = a.normals().chain(b.normals()).chain(pairs);
    let units = axes.filter(|axis| axis.norm() > 1e-12 * a.size.max(b.size).powi(2)).map(|axis| axis.normalize());
    units.flat_map(|d| [overlap(a, b, &d), overlap(a, b, &-d)]).fold(f64::INFINITY, f64::min)
}

/// Squared-distance minimum of a point and a triangle by projected subdivision of cases: inside the face, or on an edge.
fn point_triangle(p: &Point, [a, b, c]: [&Point; 3]) -> f64 {
    let n = (b - a).cross(&(c - a));
    let inside = [(a, b), (b, c), (c, a)].iter().all(|(u, v)| (*v - *u).cross(&(p - *u)).dot(&n) >= 0.0);
    let edges = [(a, b), (b, c), (c, a)].map(|(u, v)| segment_segment([u, v], [p, p]));
    let least = edges.into_iter().fold(f64::INFINITY, f64::min);
    if inside && n.norm() > 0.0 { least.min(((p - a).dot(&n) / n.norm()).abs()) } else { least }
}

/// Distance of two segments, by trying the ends and the common perpendicular.
fn segment_segment([a, b]: [&Point; 2], [c, d]: [&Point; 2]) -> f64 {
    let on = |p: &Point, u: &Point, v: &Point| {
        let e = v - u;
        let t = if e.norm_squared() > 0.0 { ((p - u).dot(&e) / e.norm_squared()).clamp(0.0, 1.0) } else { 0.0 };
        (p - (u + e * t)).norm()
    };
    let ends = on(a, c, d).min(on(b, c, d)).min(on(c, a, b)).min(on(d, a, b));
    let (e, f, w) = (b - a, d - c, a - c);
    let (ee, ef, ff) = (e.dot(&e), e.dot(&f), f.dot(&f));
    let det = ee * ff - ef * ef;
    if det > 1e-14 * ee * ff {
        let s = (ef * w.dot(&f) - ff * w.dot(&e)) / det;
        let t = (ee * w.dot(&f) - ef * w.dot(&e)) / det;
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            return ends.min((w + e * s - f * t).norm());
        }
    }
    ends
}

/// Distance of two polyhedra that are apart: by vertices and faces, and by edges.
fn distance(a: &Solid, b: &Solid) -> f64 {
    let to_faces = |a: &Solid, b: &Solid| {
        let corners = |[p, q, r]: &[usize; 3]| [*p, *q, *r];
        let all = a
            .points
            .iter()
            .flat_map(|p| b.triangles.iter().map(move |t| point_triangle(p, corners(t).map(|k| &b.points[k]))));
        all.fold(f64::INFINITY, f64::min)
    };
    let ends = |s: &Solid, [p, q]: &[usize; 2]| [s.points[*p], s.points[*q]];
    let mut least = to_faces(a, b).min(to_faces(b, a));
    for e in &a.edges {
        for f in &b.edges {
            let ([p, q], [r, s]) = (ends(a, e), ends(b, f));
            least = least.min(segment_segment([&p, &q], [&r, &s]));
        }
    }
    least
}

/// Two random polyhedra of some size, more or less far apart.
fn random_pair(seed: u64) -> (Solid, Solid, f64) {
    let (a, b) = (random_solid(2 * seed), random_solid(2 * seed + 1 + seed % 2));
    let shift = 0.3 * (a.size + b.size) * unit(seed, 50);
    let b = b.moved(&random_pose(seed, shift * 2.0));
    let scale = 10f64.powf(unit(seed, 51) * 11.0 - 5.0);
    let scaled =
        |s: &Solid| Solid { points: s.points.iter().map(|p| p * scale).collect(), size: s.size * scale, ..s.clone() };
    let (a, b) = (scaled(&a), scaled(&b));
    let size = a.size.max(b.size);
    (a, b, size)
}

fn exactly(a: &impl Support, b: &impl Support) -> Separation {
    separate(a, b, &(a.centre() - b.centre()), f64::INFINITY)
}

fn apart(a: &impl Support, b: &impl Support) -> Apart {
    match exactly(a, b) {
        Separation::Apart(apart) => apart,
        Separation::Overlapping(_) => panic!("overlapping"),
    }
}

fn depth(a: &impl Support, b: &impl Support) -> Option<Penetration> {
    match exactly(a, b) {
        Separation::Apart(_) => None,
        Separation::Overlapping(simplex) => Some(penetrate(a, b, &simplex, ACCURACY)),
    }
}

#[test]
fn distance_and_depth_are_those_of_brute_force() {
    let (mut gaps, mut overlaps) = (0, 0);
    for seed in 0..6000 {
        let (a, b, size) = random_pair(seed);
        let (sa, sb) = (a.support(), b.support());
        let least = least_overlap(&a, &b);
        match exactly(&sa, &sb) {
            Separation::Apart(found) => {
                assert!(least < 1e-12 * size, "{seed}: overlap {least} of {size}");
                let wanted = distance(&a, &b);
                gaps += 1;
                assert!(
                    (found.distance - wanted).abs() <= 2e-6 * wanted + 1e-9 * size,
                    "{seed}: {found:?} for {wanted}"
                );
                assert!(
                    found.at_least <= wanted + 1e-12 * size && found.at_least >= wanted * (1.0 - 2e-6) - 1e-9 * size
                );
                assert!((found.direction.norm() - 1.0).abs() < 1e-12);
                assert!((-overlap(&a, &b, &found.direction) - found.at_least).abs() <= 1e-12 * size);
                let between = found.points[0] - found.points[1];
                assert!((between - found.direction * found.distance).norm() <= 1e-10 * size, "{seed}");
            }
            Separation::Overlapping(simplex) => {
                assert!(least > -1e-12 * size, "{seed}: gap {} of {size}", -least);
                overlaps += 1;
                let found = penetrate(&sa, &sb, &simplex, ACCURACY);
                check_way(&a, &b, &found, size);
                let near = ACCURACY * (least + 2e-3 * size);
                assert!(found.depth <= least + near, "{seed}: {found:?} for {least}, size {size}");
                assert!(found.at_least <= least + 1e-12 * size && found.at_least >= least - near);
                let between = found.points[1] - found.points[0];
                assert!(
                    (between - found.direction * found.depth).norm() <= 0.1 * found.depth + 2.0 * near,
                    "{seed}: {found:?}"
                );
            }
        }
    }
    assert!(gaps > 1500 && overlaps > 1500, "{gaps} gaps, {overlaps} overlaps");
}

/// A way out is a unit vector, and the depth is the overlap along it.
fn check_way(a: &Solid, b: &Solid, found: &Penetration, size: f64) {
    assert!((found.direction.norm() - 1.0).abs() < 1e-12, "{found:?}");
    assert!((overlap(a, b, &found.direction) - found.depth).abs() <= 1e-12 * size, "{found:?}");
    assert!(found.at_least <= found.depth && found.points.iter().all(|p| p.coords.iter().all(|x| x.is_finite())));
}

#[test]
fn a_query_with_a_bound_stops_with_a_proof() {
    let mut early = 0;
    for seed in 0..2000 {
        let (a, b, size) = random_pair(seed);
        let wanted = distance(&a, &b);
        if least_overlap(&a, &b) > 0.0 {
            continue;
        }
        for (k, beyond) in [0.0, 0.5 * wanted, 0.99 * wanted, 1.01 * wanted, 1e-3 * size].into_iter().enumerate() {
            let start = random_vector(seed, 40 + k as u64);
            let Separation::Apart(found) = separate(&a.support(), &b.support(), &start, beyond) else {
                assert!(wanted < 1e-12 * size);
                continue;
            };
            assert!((-overlap(&a, &b, &found.direction) - found.at_least).abs() <= 1e-12 * size);
            assert!(found.at_least <= wanted + 1e-12 * size && found.distance >= wanted - 1e-12 * size);
            match wanted > beyond * 1.001 {
                true => assert!(found.at_least > beyond, "{seed} {beyond}: {found:?}"),
                false => {
                    assert!((found.distance - wanted).abs() <= 2e-6 * wanted + 1e-9 * size || found.at_least > beyond)
                }
            }
            early += (found.distance > wanted * 1.001) as usize;
        }
    }
    assert!(early > 500, "only {early} ended early");
}

#[test]
fn balls_and_capsules_are_exact() {
    for seed in 0..3000 {
        let at = |k: u64| Point::from(random_vector(seed, k));
        let (ends_a, ends_b) = ([at(0), at(1)], [at(2), at(3)]);
        let (count_a, count_b) = (1 + seed as usize % 2, 1 + seed as usize / 2 % 2);
        let a = Rounded { points: &ends_a[..count_a], radius: unit(seed, 70) };
        let b = Rounded { points: &ends_b[..count_b], radius: unit(seed, 71) };
        let axes = segment_segment([&ends_a[0], &ends_a[count_a - 1]], [&ends_b[0], &ends_b[count_b - 1]]);
        let found = apart(&a, &b);
        assert!((found.distance - (axes - a.radius - b.radius)).abs() < 1e-6, "{seed}");
        assert!((found.points[0] - found.points[1] - found.direction * found.distance).norm() < 1e-9);
        assert!((overlap_along(&a, &b, &found.direction) + found.at_least).abs() < 1e-12);
    }
    // Axes that meet: the shortest way out is across both.
    let (along_x, along_y) = (
        [Point::new(-1.0, 0.0, 0.0), Point::new(1.0, 0.0, 0.0)],
        [Point::new(0.0, -1.0, 0.0), Point::new(0.0, 1.0, 0.0)],
    );
    let (a, b) = (Rounded { points: &along_x, radius: 0.3 }, Rounded { points: &along_y, radius: 0.2 });
    let found = depth(&a, &b).unwrap();
    assert!((found.depth - 0.5).abs() < 1e-9 && found.direction.z.abs() > 1.0 - 1e-9, "{found:?}");
    let (same, other) =
        (Rounded { points: &along_x[..1], radius: 0.3 }, Rounded { points: &along_x[..1], radius: 0.1 });
    let found = depth(&same, &other).unwrap();
    assert!((found.depth - 0.4).abs() < 1e-12 && (found.points[1] - found.points[0]).norm() - 0.4 < 1e-12);
    // A ball within a box leaves by the nearest side.
    let cuboid = Cuboid { centre: Point::origin(), half: Vector::new(1.0, 2.0, 3.0) };
    let within = [Point::new(0.7, 0.1, 0.2)];
    let found = depth(&Rounded { points: &within, radius: 0.25 }, &cuboid).unwrap();
    assert!((found.depth - 0.55).abs() < 1e-9 && (found.direction - Vector::x()).norm() < 1e-9, "{found:?}");
}

/// Bodies that are points, segments and plates, that touch, are the same, or lie in one plane; in all sizes and places.
#[test]
fn degenerate_bodies_have_answers() {
    let p = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    let cube = |x: f64, y: f64, z: f64| -> Vec<Point> {
        (0..8).map(|k| p(x + (k & 1) as f64, y + (k >> 1 & 1) as f64, z + (k >> 2) as f64)).collect()
    };
    let plate = |x: f64, y: f64, z: f64| vec![p(x, y, z), p(x + 1.0, y, z), p(x, y + 1.0, z), p(x + 1.0, y + 1.0, z)];
    let edge = |x: f64, y: f64| vec![p(x, y, 0.0), p(x + 1.0, y, 0.0)];
    // The points of two bodies, and the exact penetration depth (negative: minus the distance).
    let cases: Vec<(Vec<Point>, Vec<Point>, f64)> = vec![
        (cube(0.0, 0.0, 0.0), cube(0.0, 0.0, 0.0), 1.0),
        (cube(0.0, 0.0, 0.0), cube(1.0, 0.0, 0.0), 0.0),
        (cube(0.0, 0.0, 0.0), cube(1.0, 1.0, 0.0), 0.0),
        (cube(0.0, 0.0, 0.0), cube(1.0, 1.0, 1.0), 0.0),
        (cube(0.0, 0.0, 0.0), cube(0.0, 0.0, 0.75), 0.25),
        (cube(0.0, 0.0, 0.0), cube(0.25, 0.5, 0.999), 0.001),
        (cube(0.0, 0.0, 0.0), cube(0.3, 0.4, 1.001), -0.001),
        (cube(0.0, 0.0, 0.0), vec![p(0.5, 0.5, 0.5)], 0.5),
        (cube(0.0, 0.0, 0.0), vec![p(0.5, 0.5, 1.0)], 0.0),
        (cube(0.0, 0.0, 0.0), vec![p(1.0, 1.0, 1.0)], 0.0),
        (cube(0.0, 0.0, 0.0), vec![p(0.25, 0.5, 0.5); 3], 0.25),
        (cube(0.0, 0.0, 0.0), plate(0.0, 0.0, 0.5), 0.5),
        (cube(0.0, 0.0, 0.0), plate(0.0, 0.0, 1.0), 0.0),
        (plate(0.0, 0.0, 0.0), plate(0.0, 0.0, 0.0), 0.0),
        (plate(0.0, 0.0, 0.0), plate(0.5, 0.5, 0.0), 0.0),
        (plate(0.0, 0.0, 0.0), plate(1.0, 0.0, 0.0), 0.0),
        (plate(0.0, 0.0, 0.0), plate(2.0, 0.0, 0.0), -1.0),
        (plate(0.0, 0.0, 0.0), edge(0.5, 0.5), 0.0),
        (edge(0.0, 0.0), edge(0.0, 0.0), 0.0),
        (edge(0.0, 0.0), edge(0.5, 0.0), 0.0),
        (edge(0.0, 0.0), edge(3.0, 0.0), -2.0),
        (edge(0.0, 0.0), vec![p(0.5, 0.0, 0.0)], 0.0),
        (edge(0.0, 0.0), vec![p(0.0, 0.5, 0.0), p(1.0, -0.5, 0.0)], 0.0),
        (vec![p(0.0, 0.0, 0.0)], vec![p(0.0, 0.0, 0.0)], 0.0),
        (vec![p(0.0, 0.0, 0.0); 5], vec![p(0.0, 3.0, 4.0)], -5.0),
        (vec![p(0.0, 0.0, 0.0), p(1.0, 0.0, 0.0), p(0.5, 1e-9, 0.0)], edge(-0.5, 0.0), 0.0),
    ];
    for (number, (a, b, wanted)) in cases.iter().enumerate() {
        for seed in 0..60 {
            let scale = [1.0, 1e-5, 1e7][seed as usize % 3];
            let away = [0.0, 1.0, 1e3][seed as usize / 3 % 3];
            let pose = if seed < 9 { Pose::identity() } else { random_pose(seed, away) };
            let placed = |points: &[Point]| -> Vec<Point> { points.iter().map(|p| (pose * p) * scale).collect() };
            let (a, b) = (placed(a), placed(b));
            let (sa, sb) = (Rounded { points: &a, radius: 0.0 }, Rounded { points: &b, radius: 0.0 });
            let rounding = 1e-8 * scale;
            for (first, second) in [(&sa, &sb), (&sb, &sa)] {
                let start = match seed % 4 {
                    0 => first.centre() - second.centre(),
                    1 => Vector::zeros(),
                    2 => Vector::repeat(f64::NAN),
                    _ => random_vector(seed, 5) * 1e-200,
                };
                let (direction, depth, least) = match separate(first, second, &start, f64::INFINITY) {
                    Separation::Apart(apart) => (apart.direction, -apart.at_least, -apart.distance),
                    Separation::Overlapping(simplex) => {
                        let found = penetrate(first, second, &simplex, ACCURACY);
                        assert!(found.points.iter().all(|p| p.coords.iter().all(|x| x.is_finite())));
                        (found.direction, found.depth, found.at_least)
                    }
                };
                let name =
                    format!("case {number}, seed {seed}: {depth} ({least}) along {direction:?} for {wanted} * {scale}");
                assert!((direction.norm() - 1.0).abs() < 1e-12, "{name}");
                assert!((overlap_along(first, second, &direction) - depth).abs() <= rounding, "{name}");
                assert!((depth - wanted * scale).abs() <= ACCURACY * wanted.abs() * scale + 2e-6 * scale, "{name}");
                assert!(least <= wanted * scale + rounding, "{name}");
            }
        }
    }
}

/// Whatever simplex with the origin in it comes, flat or not, the polytope grows from it.
#[test]
fn any_simplex_will_do() {
    let (a, b) = (
        Cuboid { centre: Point::new(0.5, 0.0, 0.0), half: Vector::new(1.0, 1.0, 1.0) },
        Cuboid { centre: Point::origin(), half: Vector::new(1.0, 2.0, 3.0) },
    );
    let p = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    let flat: Vec<Vec<Point>> = vec![
        vec![p(0.0, 0.0, 0.0)],
        vec![p(0.0, 0.0, 0.0); 4],
        vec![p(1.0, 1.0, 0.0), p(-1.0, -1.0, 0.0)],
        vec![p(1.0, 1.0, 0.0), p(0.5, 0.5, 0.0), p(-1.0, -1.0, 0.0)],
        vec![p(1.0, 1.0, 0.0), p(0.5, 0.5, 0.0), p(-0.5, -0.5, 1e-13), p(-1.0, -1.0, 0.0)],
        vec![p(1.0, 0.0, 0.0), p(0.0, 1.0, 0.0), p(-1.0, -1.0, 0.0)],
        vec![p(1.0, 1.0, 0.0), p(1.0, -1.0, 0.0), p(-1.0, -1.0, 0.0), p(-1.0, 1.0, 0.0)],
        vec![p(1.0, 1.0, 1e-11), p(1.0, -1.0, 0.0), p(-1.0, -1.0, -1e-11), p(-1.0, 1.0, 0.0)],
        vec![p(1.0, 0.0, 0.0), p(0.0, 1.0, 0.0), p(-1.0, -1.0, 0.0), p(-1.0, -1.0, 1e-15)],
    ];
    for (number, points) in flat.iter().enumerate() {
        let vertices = (0..).zip(points).map(|(k, p)| Vertex {
            at: p.coords,
            on: [a.centre + p.coords * 0.5, a.centre - p.coords * 0.5],
            ids: [100 + k; 2],
        });
        let mut vertices = vertices.into_iter();
        let mut simplex = Simplex::new(vertices.next().unwrap());
        vertices.for_each(|vertex| simplex.push(vertex));
        let found = penetrate(&a, &b, &simplex, ACCURACY);
        assert!((found.depth - 1.5).abs() < 2e-3 && found.at_least > 1.49, "{number}: {found:?}");
        assert!((found.direction - Vector::x()).norm() < 1e-2, "{number}: {found:?}");
    }
}

#[test]
fn swapping_and_moving_both_changes_nothing() {
    for seed in 0..1500 {
        let (a, b, size) = random_pair(seed);
        let pose = random_pose(seed + 77, size);
        let (ma, mb) = (a.moved(&pose), b.moved(&pose));
        let near = |x: f64, y: f64| (x - y).abs() <= ACCURACY * (x.abs() + y.abs() + 2e-3 * size);
        let both = [(a.support(), b.support()), (b.support(), a.support()), (ma.support(), mb.support())];
        let [first, swapped, moved] = both.map(|(a, b)| match exactly(&a, &b) {
            Separation::Apart(apart) => (-apart.distance, apart.direction),
            Separation::Overlapping(simplex) => {
                let found = penetrate(&a, &b, &simplex, ACCURACY);
                (found.depth, found.direction)
            }
        });
        assert!(near(first.0, swapped.0) && near(first.0, moved.0), "{seed}: {first:?} {swapped:?} {moved:?}");
        if first.0 < -1e-3 * size {
            assert!((first.1 + swapped.1).norm() < 3e-3 && (pose * first.1 - moved.1).norm() < 3e-3, "{seed}");
        }
        // The other body in the frame of the first is the same as both in the world.
        let back = pose.inverse();
        let (own, placed) = (a.support(), Rounded { points: &mb.points, radius: 0.0 });
        let placed = Placed::new(&placed, &back);
        match (exactly(&own, &placed), first.0 < 0.0) {
            (Separation::Apart(apart), _) => assert!(near(-apart.distance, first.0)),
            (Separation::Overlapping(simplex), _) => {
                assert!(near(penetrate(&own, &placed, &simplex, ACCURACY).depth, first.0))
            }
        }
    }
}

#[test]
fn samples_are_the_hull_of_their_points() {
    for seed in 0..300 {
        let count = [1, 9, 60, 300, 1000][seed as usize % 5];
        let cloud = |key: u64| -> Vec<Local> {
            (0..count).map(|k| random_vector(seed, 1000 * key + k).normalize().cast::<f32>() * 0.4).collect()
        };
        let filled = |points: &[Local]| {
            let mut filling = Filling::default();
            filling.add(NONE, None, (0..).zip(points).map(|(id, at)| Sample { at: *at, id }));
            Buckets::new(filling, &[])
        };
        let (centre, scale, pose) =
            (Point::new(3.0, -2.0, 1.0), 10f64.powf(unit(seed, 3) * 4.0 - 2.0), random_pose(seed, 0.6));
        let pose = Pose::from_parts((pose.translation.vector * scale).into(), pose.rotation);
        let (first, second) = (cloud(1), cloud(2));
        let in_metres =
            |points: &[Local]| -> Vec<Point> { points.iter().map(|p| (centre + p.cast::<f64>()) * scale).collect() };
        let (points_a, points_b) = (in_metres(&first), in_metres(&second));
        let (ra, rb) = (Rounded { points: &points_a, radius: 0.0 }, Rounded { points: &points_b, radius: 0.0 });
        let (buckets_a, buckets_b) = (filled(&first), filled(&second));
        let (sa, sb) = (Samples::new(&buckets_a, &centre, scale), Samples::new(&buckets_b, &centre, scale));
        let (rb, sb) = (Placed::new(&rb, &pose), Placed::new(&sb, &pose));
        let wanted = depth(&ra, &rb).map_or_else(|| -apart(&ra, &rb).distance, |found| found.depth);
        let found = depth(&sa, &sb).map_or_else(|| -apart(&sa, &sb).distance, |found| found.depth);
        // A full polytope ends with an upper bound.
        assert!((found - wanted).abs() <= 4e-3 * wanted.abs() + 4e-6 * scale, "{seed} {count}: {found} for {wanted}");
        assert!((sa.centre() - ra.centre()).norm() < 0.5 * scale && (sb.centre() - rb.centre()).norm() < 0.5 * scale);
    }
    let none = Buckets::new(Filling::default(), &[]);
    let (nothing, origin) = (Samples::new(&none, &Point::new(1.0, 2.0, 2.0), 2.0), [Point::origin()]);
    assert!((apart(&nothing, &Rounded { points: &origin, radius: 0.0 }).distance - 6.0).abs() < 1e-12);
}
