//! Convex hulls as meshes and convex proxies of objects, against what defines them: all points behind all faces, closed, vertices
//! of the given points; and bodies that lie within their parts.

use crate::common;

use common::dice::Dice;
use fracas::convex::quickhull::{ConvexMesh, quickhull};
use fracas::fracture::convex_parts::ConvexOptions;
use fracas::fracture::pattern::Roughness;
use fracas::geom::{Point, Vector};
use fracas::solid::shapes::Shelf;
use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, Solid, fracture, shapes};
use std::collections::HashMap;

/// How far the highest point is in front of a face.
fn farthest_in_front(mesh: &ConvexMesh, points: &[Point]) -> f64 {
    let height = |[a, b, c]: [Point; 3], p: &Point| (b - a).cross(&(c - a)).normalize().dot(&(p - a));
    let faces = mesh.triangles.iter().map(|t| t.map(|n| mesh.points[n as usize]));
    faces.flat_map(|face| points.iter().map(move |p| height(face, p))).fold(f64::NEG_INFINITY, f64::max)
}

/// Every edge has one face on either side, and every vertex is used.
fn assert_closed(mesh: &ConvexMesh) {
    let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
    for t in &mesh.triangles {
        for k in 0..3 {
            *edges.entry((t[k], t[(k + 1) % 3])).or_default() += 1;
        }
    }
    assert!(edges.iter().all(|((a, b), count)| *count == 1 && edges.get(&(*b, *a)) == Some(&1)));
    assert_eq!(mesh.points.len() + mesh.triangles.len(), edges.len() / 2 + 2, "Euler");
    assert!((0..mesh.points.len() as u32).all(|n| mesh.triangles.iter().any(|t| t.contains(&n))));
}

fn clouds() -> Vec<(&'static str, Vec<Point>)> {
    let mut dice = Dice::new(7);
    let mut many =
        |count: usize, at: &dyn Fn(&mut Dice) -> Point| (0..count).map(|_| at(&mut dice)).collect::<Vec<_>>();
    let inside = |dice: &mut Dice| Vector::from_fn(|_, _| dice.between(-1.0, 1.0));
    let grid = |n: i32, step: f64| -> Vec<Point> {
        let cells = (0..n).flat_map(move |x| (0..n).flat_map(move |y| (0..n).map(move |z| [x, y, z])));
        cells.map(|c| Point::from(c.map(|k| k as f64 * step))).collect()
    };
    let turned = |points: Vec<Point>| -> Vec<Point> {
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, 0.5, 0.7);
        points.iter().map(|p| turn * p).collect()
    };
    let round: Vec<Point> = (0..64)
        .flat_map(|k| {
            let (sin, cos) = (k as f64 * std::f64::consts::TAU / 64.0).sin_cos();
            (0..5).map(move |z| Point::new(cos, sin, 0.1 * z as f64))
        })
        .collect();
    vec![
        ("in a cube", many(500, &|dice| inside(dice).into())),
        ("on a ball", many(300, &|dice| inside(dice).normalize().into())),
        ("on a small ball far away", many(200, &|dice| Point::new(1e3, 2e3, -5e2) + inside(dice).normalize() * 1e-3)),
        ("flat", many(200, &|dice| Point::from(inside(dice).component_mul(&Vector::new(1.0, 1.0, 1e-6))))),
        ("a needle", many(200, &|dice| Point::from(inside(dice).component_mul(&Vector::new(1.0, 1e-5, 1e-5))))),
        ("a grid", grid(6, 0.1)),
        ("a turned grid", turned(grid(6, 0.1))),
        ("a grid twice", [grid(4, 1.0), grid(4, 1.0)].concat()),
        ("a cylinder", round.clone()),
        ("a turned cylinder", turned(round)),
        ("a tetrahedron", [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from).into()),
    ]
}

#[test]
fn hulls_are_closed_and_no_point_is_outside() {
    for (name, points) in clouds() {
        let hull = quickhull(&points, usize::MAX).unwrap();
        assert_closed(&hull);
        assert!(hull.points.iter().all(|p| points.contains(p)), "{name}");
        let size = points.iter().map(|p| (p - points[0]).norm()).fold(0.0, f64::max);
        let (outside, volume) = (farthest_in_front(&hull, &points), hull.volume());
        assert!(outside <= 1e-9 * size && outside <= hull.error + 1e-11 * size, "{name}: {outside:e} {:e}", hull.error);
        let expected = match name {
            "a grid" | "a turned grid" => 0.125,
            "a grid twice" => 27.0,
            "a tetrahedron" => 1.0 / 6.0,
            "a cylinder" | "a turned cylinder" => 0.4 * 32.0 * (std::f64::consts::TAU / 64.0).sin(),
            _ => volume,
        };
        assert!((volume - expected).abs() < 1e-12 * expected.max(1.0) && volume > 0.0, "{name}: {volume} {expected}");
    }
}

#[test]
fn what_has_no_volume_has_no_hull() {
    let line: Vec<Point> = (0..9).map(|k| Point::new(k as f64, 2.0 * k as f64, 0.0)).collect();
    let plane: Vec<Point> = (0..9).map(|k| Point::new((k % 3) as f64, (k / 3) as f64, (k % 3) as f64)).collect();
    for points in [&line[..], &plane, &line[..3], &[], &[line[1]; 8]] {
        assert_eq!(quickhull(points, 100), None);
    }
}

#[test]
fn a_limit_of_vertices_is_kept_and_its_error_told() {
    for (name, points) in clouds() {
        for most in [4, 8, 20, 64] {
            let hull = quickhull(&points, most).unwrap();
            assert_closed(&hull);
            assert!(hull.points.len() <= most, "{name}");
            let size = points.iter().map(|p| (p - points[0]).norm()).fold(0.0, f64::max);
            let outside = farthest_in_front(&hull, &points);
            assert!((outside.max(0.0) - hull.error).abs() <= 1e-9 * size, "{name}: {outside:e} {:e}", hull.error);
        }
    }
}

fn object(solid: Solid, scale: f64) -> Object {
    Object::intact(&Asset::cook(solid, &CookOptions::default()).unwrap())[0].scaled(scale).unwrap()
}

fn pieces(object: &Object, pattern: &Pattern) -> Vec<Object> {
    fracture(object, pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects
}

fn total(parts: &[ConvexMesh]) -> f64 {
    parts.iter().map(ConvexMesh::volume).sum()
}

#[test]
fn fragments_of_convex_bodies_are_one_exact_part() {
    let all = ConvexOptions { max_points: 1024, ..Default::default() };
    for (solid, scale) in
        [(shapes::cuboid([0.2, 0.1, 0.06], [4, 2, 1]), 1.0), (shapes::cuboid([0.2, 0.2, 0.01], [3, 3, 1]), 2.5)]
    {
        let body = object(solid, scale);
        let pieces = pieces(&body, &Pattern::random_voronoi(20, 3));
        for piece in pieces.iter().chain([&body]) {
            let (parts, volume) = (piece.in_metres().convex_parts(&all).unwrap(), piece.in_metres().mass().volume);
            assert_eq!(parts.len(), 1);
            assert!((parts[0].volume() / volume - 1.0).abs() < 1e-9, "{} {volume}", parts[0].volume());
            assert_eq!(parts[0].error, 0.0);
        }
    }
}

/// Random points within an object, in its own frame and units.
fn points_inside(object: &Object, count: usize) -> Vec<Point> {
    let (tets, mut dice) = (object.tets(), Dice::new(5));
    let inside = |_| {
        let tet = tets.tets[dice.index(tets.tets.len())].map(|n| tets.nodes[n as usize].position.coords);
        let shares = [0; 4].map(|_| -dice.unit().ln());
        Point::from((0..4).map(|k| tet[k] * shares[k]).sum::<Vector>() / shares.iter().sum::<f64>())
    };
    (0..count).map(inside).collect()
}

/// How far a point is outside the part that it is nearest to.
fn out_of_all(parts: &[ConvexMesh], p: &Point) -> f64 {
    parts.iter().map(|part| farthest_in_front(part, std::slice::from_ref(p))).fold(f64::INFINITY, f64::min)
}

#[test]
fn bodies_that_are_not_convex_lie_within_their_parts_which_fit_ever_better() {
    let shelf = Shelf { size: [0.3, 0.1, 0.3], thickness: 0.02, boards: 3, cells: [4, 2, 3], layers: 1 };
    let bodies = [
        shapes::torus(0.1, 0.03, 24, 6),
        shapes::bowl(0.1, 0.01, 6, 1),
        shapes::rabbit(0.04, 2.0),
        shapes::shelf(&shelf),
    ];
    let named = ["torus", "bowl", "rabbit", "shelf"].into_iter().zip(bodies);
    for (name, solid) in named {
        let body = object(solid, 1.0);
        let roughness = Roughness { amplitude: 0.02, wavelength: 4.0, seed: 3 };
        let broken = pieces(&body, &Pattern::random_voronoi(4, 1));
        let rough = pieces(&body, &Pattern::random_voronoi(3, 1).rough(roughness));
        for object in [&body].into_iter().chain(&broken).chain(&rough[..1]) {
            let (volume, size) = (object.mass().volume, object.bounds().radius());
            let inside = points_inside(object, 200);
            let mut before = f64::INFINITY;
            for max_parts in [1, 4, 16] {
                let options = ConvexOptions { max_parts, max_points: 1024, excess: 0.02 };
                let parts = object.convex_parts(&options).unwrap();
                assert!(!parts.is_empty() && parts.len() <= max_parts as usize);
                parts.iter().for_each(assert_closed);
                let lost = inside.iter().map(|p| out_of_all(&parts, p)).fold(0.0, f64::max);
                assert!(lost <= 1e-9 * size, "{name}, {:?}: {lost:e} of {size}", object.kind());
                let excess = total(&parts) / volume - 1.0;
                assert!(excess > -1e-9 && excess <= before + 1e-9, "{excess} {before}");
                println!("{name}: {max_parts} parts have {:.1} % of the volume too much", 100.0 * excess);
                before = excess;
            }
            assert!(before < 0.7, "{before}");
        }
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let brick = object(shapes::brick(1), 1.0);
    for (options, words) in [
        (ConvexOptions { max_parts: 0, ..Default::default() }, "max_parts is 0"),
        (ConvexOptions { max_parts: 65, ..Default::default() }, "max_parts is 65"),
        (ConvexOptions { max_points: 3, ..Default::default() }, "max_points is 3"),
        (ConvexOptions { excess: f64::NAN, ..Default::default() }, "excess is NaN"),
    ] {
        assert!(brick.convex_parts(&options).unwrap_err().to_string().contains(words));
    }
}
