//! The ball and the block: as surfaces, trees, objects, and as bodies with mass.

use crate::common::scenes::intact;
use crate::library::Mesh;
use fracas::voxtree::{VoxTree, VoxTreeOptions};
use fracas::{Object, Point, Solid, Vector, shapes};
use nalgebra::Matrix3;

/// Half edges of the block.
pub const HALF: [f64; 3] = [1.0, 0.8, 0.6];

/// Which of the two a body is; a number into arrays of both.
pub const BALL: usize = 0;
pub const BLOCK: usize = 1;

/// A ball of radius 1 of 4,800 triangles, and the block.
pub fn solids() -> [Solid; 2] {
    [shapes::ball(1.0, 20), shapes::cuboid(HALF.map(|h| 2.0 * h), [4; 3])]
}

pub fn options(cells: u32) -> VoxTreeOptions {
    VoxTreeOptions { cells, ..VoxTreeOptions::default() }
}

pub fn trees(solids: &[Solid; 2], cells: u32) -> [VoxTree; 2] {
    solids.each_ref().map(|solid| VoxTree::from_solid(solid, &options(cells)).expect("our shapes are closed"))
}

/// For the core query: two of each, since a body does not collide with itself.
pub fn objects(solids: &[Solid; 2]) -> [[Object; 2]; 2] {
    let cooked = solids.clone().map(intact);
    [0, 1].map(|_| cooked.each_ref().map(|object| Object::intact(object.asset()).remove(0)))
}

/// Corners and triangles of the surface alone.
pub fn surface(solid: &Solid) -> (Vec<Point>, Vec<[u32; 3]>) {
    let mut number = vec![u32::MAX; solid.nodes().len()];
    let (mut points, mut triangles) = (vec![], vec![]);
    for t in solid.skin() {
        triangles.push(t.nodes.map(|node| {
            let slot = &mut number[node as usize];
            if *slot == u32::MAX {
                *slot = points.len() as u32;
                points.push(solid.nodes()[node as usize]);
            }
            *slot
        }));
    }
    (points, triangles)
}

/// The surface, scaled, as engines get it.
pub fn mesh(solid: &Solid, scale: f64) -> Mesh {
    let (points, triangles) = surface(solid);
    Mesh {
        points: points.iter().flat_map(|p| <[f64; 3]>::from(p.coords * scale)).collect(),
        triangles: triangles.concat(),
    }
}

/// Mass and principal moments of inertia at density 1.
pub fn mass(kind: usize) -> (f64, Vector) {
    if kind == BALL {
        let mass = 4.0 / 3.0 * std::f64::consts::PI;
        return (mass, Vector::repeat(0.4 * mass));
    }
    let mass = 8.0 * HALF.iter().product::<f64>();
    let square = |k: usize| HALF[k % 3].powi(2);
    (mass, Vector::from_fn(|k, _| mass / 3.0 * (square(k + 1) + square(k + 2))))
}

/// The inverse of the inertia tensor in the world.
pub fn inverse_inertia(kind: usize, turn: &Matrix3<f64>) -> Matrix3<f64> {
    turn * Matrix3::from_diagonal(&mass(kind).1.map(|moment| 1.0 / moment)) * turn.transpose()
}
