//! Bodies that are not convex: whether two rabbits overlap, by all ways. Their first touch along a direction is that of their triangles.

use super::bodies;
use super::collisions::{Collision, Found, direction, rotation};
use super::levels::Trees;
use super::peers::{Engine, Hulls, Voxels};
use super::times::measure;
use super::ways::{Budgeted, Core, Refined, Way};
use crate::common::stage::Stage;
use crate::parry;
use crate::studies::Study;
use fracas::geom::Pose;
use fracas::geom::random::unit;
use fracas::voxtree::{Normals, Order};
use fracas::{Point, Solid, Vector};
use parry3d::math::Vector as Vector32;
use parry3d::shape::TriMesh;

/// The rabbit about the middle of its box, with radius 1.
fn rabbit() -> Solid {
    let rabbit = Stage::solid("rabbit");
    let (middle, radius) = (rabbit.bounds().centre(), rabbit.bounds().radius());
    let nodes: Vec<[f64; 3]> = rabbit.nodes().iter().map(|p| ((p - middle) / radius).into()).collect();
    Solid::new(&nodes, rabbit.tets()).expect("a moved solid is a solid")
}

/// Overlapping by 0.02 to 0.1 along a random direction since the first touch.
fn overlapping(mesh: &TriMesh, seed: u64) -> Option<Collision> {
    let (normal, turns) = (direction(seed, 500), [rotation(seed, 510), rotation(seed, 520)]);
    let poses =
        |t: f64| [Pose::from_parts((normal * t).into(), turns[0]), Pose::from_parts(Vector::zeros().into(), turns[1])];
    let touches = |t: f64| {
        let [a, b] = poses(t).map(|pose| parry::pose(&pose, 1.0));
        parry3d::query::intersection_test(&a, mesh, &b, mesh).expect("parry knows meshes").intersecting
    };
    let mut near = (1..100).map(|k| 2.0 - 0.02 * k as f64).find(|t| touches(*t))?;
    let mut far = near + 0.02;
    for _ in 0..12 {
        let middle = 0.5 * (near + far);
        *(if touches(middle) { &mut near } else { &mut far }) = middle;
    }
    let depth = 0.02 + 0.08 * unit(seed, 530);
    // Neither the point nor the shortest way out is known.
    let exact = Found { point: Point::origin(), normal, depth };
    Some(Collision { seed, kinds: [0, 0], poses: poses(near - depth), exact })
}

pub fn study(quick: bool) -> Study {
    let solids = [rabbit(), rabbit()];
    let (points, triangles) = bodies::surface(&solids[0]);
    let points = points.iter().map(|p| Vector32::new(p.x as f32, p.y as f32, p.z as f32)).collect();
    let mesh = TriMesh::new(points, triangles).expect("parry makes a mesh of the rabbit");
    let collisions: Vec<Collision> =
        (0..if quick { 60 } else { 300 }).filter_map(|seed| overlapping(&mesh, seed)).collect();
    let objects = bodies::objects(&solids);
    let trees = Trees::new(bodies::trees(&solids, 32), &objects[0]);
    let mut ways: Vec<Box<dyn Way + '_>> = vec![];
    for budget in [30, 100, 300, 1000, 3000] {
        ways.push(Box::new(Budgeted::new(&trees, Refined::Cubes(Normals::Density), Order::ByProbability, budget)));
    }
    for budget in [100, 300, 1000, 3000] {
        ways.push(Box::new(Budgeted::new(&trees, Refined::Exact, Order::ByProbability, budget)));
    }
    for budget in [100, 1000] {
        ways.push(Box::new(Budgeted::new(&trees, Refined::Spheres(Normals::Density), Order::ByProbability, budget)));
    }
    for budget in [1, 30, 100, 300, 0] {
        ways.push(Box::new(Core::new(&objects, budget)));
    }
    ways.push(Box::new(Hulls::new(&solids)));
    for cells in [16, 32] {
        ways.push(Box::new(Voxels::new(&solids, cells)));
    }
    ways.extend(Engine::all(&solids).into_iter().map(|engine| Box::new(engine) as _));
    let rows = ways.iter_mut().map(|way| {
        let lines = measure("", &mut **way, &collisions, if quick { 2 } else { 4 });
        (
            way.name(),
            vec![lines[0].microseconds, lines[0].missed, lines[0].unknown, lines[0].phantoms, lines[0].contacts],
        )
    });
    Study {
        title: format!("contacts under a budget: {} pairs of rabbits, whether they overlap", collisions.len()),
        columns: vec!["us/pair", "missed, %", "not known, %", "phantoms, %", "contacts"],
        rows: rows.collect(),
        notes: vec![
            "overlapping by 0.02 to 0.1 radii along a direction since the first touch of their triangles, and apart by up to half a radius; \
             columns as at equal time"
                .into(),
        ],
        ..Study::default()
    }
}
