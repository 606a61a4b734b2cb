//! Other libraries: parry's voxels and hulls, and the hulls of engines, if they were built.

use super::bodies;
use super::collisions::Found;
use super::ways::{Placed, Way};
use crate::cpp::bridge::{self, Peer};
use crate::library::{Mesh, Pair, Place};
use crate::parry;
use cxx::UniquePtr;
use fracas::geom::Pose;
use fracas::voxtree::Grid;
use fracas::{Point, Solid, Vector};
use parry3d::math::{IVector, Vector as Vector32};
use parry3d::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d::shape::{ConvexPolyhedron, Voxels as Shape};

fn point32(p: &Vector) -> Vector32 {
    Vector32::new(p.x as f32, p.y as f32, p.z as f32)
}

fn point64(p: Vector32) -> Vector {
    Vector::from(p.to_array().map(f64::from))
}

/// Parry's voxels: all that are half full at least. Its contact query does not know them, so manifolds it is.
pub struct Voxels {
    cells: u32,
    shapes: [Shape; 2],
    /// The lowest corners of the grids.
    origins: [Vector; 2],
    placed: [parry3d::math::Pose; 2],
    kinds: [usize; 2],
    manifolds: Vec<ContactManifold<(), ()>>,
}

impl Voxels {
    pub fn new(solids: &[Solid; 2], cells: u32) -> Self {
        let grids = solids.each_ref().map(|solid| {
            let longest = solid.bounds().size().max();
            let triangles = solid.skin().iter().map(|t| t.nodes);
            Grid::of_surface(solid.nodes(), triangles, longest / cells as f64).expect("our shapes are closed")
        });
        let shapes = grids.each_ref().map(|grid| {
            let [nx, ny, _] = grid.size;
            let filled = (0..grid.density.len()).filter(|k| grid.density[*k] >= 0.5);
            let cell = |k: usize| IVector::new((k % nx) as i32, (k / nx % ny) as i32, (k / nx / ny) as i32);
            Shape::new(Vector32::splat(grid.edge as f32), &filled.map(cell).collect::<Vec<_>>())
        });
        let origins = grids.map(|grid| grid.origin.coords);
        Self { cells, shapes, origins, placed: [parry3d::math::Pose::IDENTITY; 2], kinds: [0; 2], manifolds: vec![] }
    }
}

impl Way for Voxels {
    fn name(&self) -> String {
        format!("parry voxels, {} cells", self.cells)
    }

    fn place(&mut self, kinds: [usize; 2], poses: &[Pose; 2]) {
        self.kinds = kinds;
        let place = |k: usize| {
            let pose = poses[k] * nalgebra::Translation3::from(self.origins[kinds[k]]);
            parry::pose(&pose, 1.0)
        };
        self.placed = [place(0), place(1)];
    }

    fn find(&mut self, times: usize) {
        let between = self.placed[0].inv_mul(&self.placed[1]);
        let [a, b] = self.kinds.map(|kind| &self.shapes[kind]);
        for _ in 0..times {
            // Anew: kept manifolds would be those of the same poses.
            self.manifolds.clear();
            DefaultQueryDispatcher
                .contact_manifolds(&between, a, b, 0.0, &mut self.manifolds, &mut None)
                .expect("parry knows voxels");
        }
    }

    fn contacts(&mut self) -> Vec<Found> {
        let contacts = self.manifolds.iter().flat_map(|m| parry::contacts(m, &self.placed[0], &self.placed[1]));
        contacts
            .map(|(point, normal, depth)| Found {
                point: Point::from(point64(point)),
                normal: point64(normal),
                depth: depth as f64,
            })
            .collect()
    }
}

/// Parry's convex hulls, by its contact query.
pub struct Hulls {
    shapes: [ConvexPolyhedron; 2],
    placed: [parry3d::math::Pose; 2],
    kinds: [usize; 2],
    found: Option<parry3d::query::Contact>,
}

impl Hulls {
    pub fn new(solids: &[Solid; 2]) -> Self {
        let shapes = solids.each_ref().map(|solid| {
            let points: Vec<Vector32> = bodies::surface(solid).0.iter().map(|p| point32(&p.coords)).collect();
            ConvexPolyhedron::from_convex_hull(&points).expect("our shapes have hulls")
        });
        Self { shapes, placed: [parry3d::math::Pose::IDENTITY; 2], kinds: [0; 2], found: None }
    }
}

impl Way for Hulls {
    fn name(&self) -> String {
        "parry hulls".into()
    }

    fn place(&mut self, kinds: [usize; 2], poses: &[Pose; 2]) {
        self.kinds = kinds;
        self.placed = poses.each_ref().map(|pose| parry::pose(pose, 1.0));
    }

    fn find(&mut self, times: usize) {
        let [a, b] = self.kinds.map(|kind| &self.shapes[kind]);
        for _ in 0..times {
            let found = parry3d::query::contact(&self.placed[0], a, &self.placed[1], b, 0.0);
            self.found = found.expect("parry knows hulls");
        }
    }

    fn contacts(&mut self) -> Vec<Found> {
        let found = |c: parry3d::query::Contact| Found {
            point: Point::from(point64((c.point1 + c.point2) * 0.5)),
            normal: -point64(c.normal1),
            depth: -c.dist as f64,
        };
        self.found.into_iter().map(found).collect()
    }
}

/// Bodies of engines are a tenth as large; their side makes them ten times as large, as for fragments.
const SCALE: f64 = 0.1;

/// The hulls of an engine.
pub struct Engine {
    name: &'static str,
    peer: UniquePtr<Peer>,
    placed: Placed,
}

impl Engine {
    /// Those that are here.
    pub fn all(solids: &[Solid; 2]) -> Vec<Self> {
        let peers = [
            ("Bullet hulls of 42", bridge::bullet_hulls(true, false)),
            ("Bullet hulls", bridge::bullet_hulls(false, false)),
            ("Jolt hulls", bridge::jolt_hulls()),
            ("PhysX hulls", bridge::physx_hulls()),
        ];
        let meshes: Vec<Mesh> = [0, 1, 0, 1].map(|kind| bodies::mesh(&solids[kind], SCALE)).into();
        let present = peers.into_iter().filter(|(_, peer)| !peer.is_null());
        present
            .map(|(name, mut peer)| {
                peer.pin_mut().prepare(&meshes, SCALE);
                Self { name, peer, placed: Placed::default() }
            })
            .collect()
    }

    fn pair(&self) -> Pair {
        Pair { a: self.placed.kinds[0] as u32, b: 2 + self.placed.kinds[1] as u32 }
    }
}

impl Way for Engine {
    fn name(&self) -> String {
        self.name.into()
    }

    fn place(&mut self, kinds: [usize; 2], poses: &[Pose; 2]) {
        self.placed = Placed { kinds, poses: *poses };
        let place = |pose: &Pose| Place {
            position: (pose.translation.vector * SCALE).into(),
            rotation: pose.rotation.coords.into(),
        };
        let [a, b] = poses.each_ref().map(place);
        self.peer.pin_mut().place(&[a, a, b, b]);
    }

    fn find(&mut self, times: usize) {
        let pairs = vec![self.pair(); times];
        self.peer.pin_mut().pass(&pairs);
    }

    fn contacts(&mut self) -> Vec<Found> {
        let hits = self.peer.hits().into_iter().filter(|hit| hit.pair == 0);
        hits.map(|hit| Found {
            point: Point::from(hit.point.map(|c| c / SCALE)),
            normal: Vector::from(hit.normal),
            depth: hit.depth / SCALE,
        })
        .collect()
    }
}
