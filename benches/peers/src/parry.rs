//! Parry, the collision library of Rapier: convex hulls, and triangle meshes. Single precision.

use crate::common::stage::{Frame, Stage};
use crate::library::{Hit, Kind, Library, Mesh, Pair};
use parry3d::math::{Pose, Vector};
use parry3d::query::{ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d::shape::{ConvexPolyhedron, Shape, TriMesh, TriMeshFlags};

/// A pair counts as touching up to this distance, as a share of the radius of the body that broke.
const MARGIN: f64 = 0.001;

/// As large as engines for games want bodies: ten times what ours are.
const SCALE: f32 = 10.0;

type Manifold = ContactManifold<(), ()>;

/// What both kinds of shapes share: poses, and the manifolds of each pair.
#[derive(Default)]
struct World {
    margin: f32,
    poses: Vec<Pose>,
    /// Of each pair; kept, so that memory is, but emptied: frames that follow each other here have nothing in common.
    manifolds: Vec<Vec<Manifold>>,
    /// Bodies of the pairs of the last pass.
    pairs: Vec<Pair>,
}

impl World {
    fn place(&mut self, frame: &Frame) {
        self.poses = frame.poses.iter().map(|p| pose(p, SCALE)).collect();
    }

    fn pass<S: Shape>(&mut self, shapes: &[S], pairs: &[Pair]) -> usize {
        self.pairs.clear();
        self.pairs.extend(pairs);
        self.manifolds.resize_with(pairs.len().max(self.manifolds.len()), Vec::new);
        let mut count = 0;
        for (pair, manifolds) in pairs.iter().zip(&mut self.manifolds) {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let between = self.poses[a].inv_mul(&self.poses[b]);
            manifolds.clear();
            let mut workspace: Option<ContactManifoldsWorkspace> = None;
            DefaultQueryDispatcher
                .contact_manifolds(&between, &shapes[a], &shapes[b], self.margin, manifolds, &mut workspace)
                .expect("parry knows these shapes");
            count += manifolds.iter().map(|m| m.points.len()).sum::<usize>();
        }
        count
    }

    fn hits(&self) -> Vec<Hit> {
        let mut hits = vec![];
        for (k, pair) in self.pairs.iter().enumerate() {
            let [pose_a, pose_b] = [pair.a, pair.b].map(|k| &self.poses[k as usize]);
            for manifold in &self.manifolds[k] {
                hits.extend(contacts(manifold, pose_a, pose_b).map(|(point, normal, depth)| Hit {
                    pair: k as u32,
                    depth: (depth / SCALE) as f64,
                    point: (point / SCALE).to_array().map(f64::from),
                    normal: normal.to_array().map(f64::from),
                }));
            }
        }
        hits
    }
}

/// A pose with its position scaled.
pub fn pose(pose: &fracas::geom::Pose, scale: f32) -> Pose {
    let (p, r) = (pose.translation.vector.cast::<f32>(), pose.rotation.coords.cast::<f32>());
    let mut made = Pose::IDENTITY;
    made.translation = Vector::new(p.x, p.y, p.z) * scale;
    made.rotation = parry3d::math::Rotation::from_xyzw(r.x, r.y, r.z, r.w).normalize();
    made
}

/// The contacts of a manifold: points midway, normals from B to A, depths.
pub fn contacts<'a>(
    manifold: &'a Manifold,
    pose_a: &'a Pose,
    pose_b: &'a Pose,
) -> impl Iterator<Item = (Vector, Vector, f32)> + 'a {
    let (local_a, local_b) = manifold.subshape_poses.as_ref().map_or((None, None), |p| (p.pos1, p.pos2));
    let normal = -(pose_a.rotation * local_a.map_or(manifold.local_n1, |p| p.rotation * manifold.local_n1));
    manifold.points.iter().map(move |point| {
        let on_a = *pose_a * local_a.map_or(point.local_p1, |p| p * point.local_p1);
        let on_b = *pose_b * local_b.map_or(point.local_p2, |p| p * point.local_p2);
        ((on_a + on_b) * 0.5, normal, -point.dist)
    })
}

fn points(mesh: &Mesh) -> Vec<Vector> {
    mesh.points.chunks_exact(3).map(|p| Vector::new(p[0] as f32, p[1] as f32, p[2] as f32) * SCALE).collect()
}

/// A convex hull a fragment.
#[derive(Default)]
pub struct Hulls {
    world: World,
    shapes: Vec<ConvexPolyhedron>,
}

impl Library for Hulls {
    fn name(&self) -> &'static str {
        "parry hulls"
    }
    fn kind(&self) -> Kind {
        Kind::Hull
    }
    fn prepare(&mut self, stage: &Stage, meshes: &[Mesh]) {
        self.world.margin = (MARGIN * stage.radius()) as f32 * SCALE;
        let hull = |mesh| ConvexPolyhedron::from_convex_hull(&points(mesh)).expect("parry makes a hull of a fragment");
        self.shapes = meshes.iter().map(hull).collect();
    }
    fn place(&mut self, frame: &Frame) {
        self.world.place(frame);
    }
    fn pass(&mut self, pairs: &[Pair]) -> usize {
        self.world.pass(&self.shapes, pairs)
    }
    fn hits(&self) -> Vec<Hit> {
        self.world.hits()
    }
}

/// The triangles themselves, with what keeps contacts off inner edges.
#[derive(Default)]
pub struct Meshes {
    world: World,
    shapes: Vec<TriMesh>,
}

impl Library for Meshes {
    fn name(&self) -> &'static str {
        "parry meshes"
    }
    fn kind(&self) -> Kind {
        Kind::Mesh
    }
    fn prepare(&mut self, stage: &Stage, meshes: &[Mesh]) {
        self.world.margin = (MARGIN * stage.radius()) as f32 * SCALE;
        let shape = |mesh: &Mesh| {
            let triangles = mesh.triangles.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
            let flags = TriMeshFlags::FIX_INTERNAL_EDGES | TriMeshFlags::ORIENTED;
            TriMesh::with_flags(points(mesh), triangles, flags).expect("parry makes a mesh of a fragment")
        };
        self.shapes = meshes.iter().map(shape).collect();
    }
    fn place(&mut self, frame: &Frame) {
        self.world.place(frame);
    }
    fn pass(&mut self, pairs: &[Pair]) -> usize {
        self.world.pass(&self.shapes, pairs)
    }
    fn hits(&self) -> Vec<Hit> {
        self.world.hits()
    }
}
