//! The way to C++: one interface for all peers that are written in it, one file in `cpp/` each.

#[allow(unsafe_code, missing_docs)] // what the bridge is made of
#[cxx::bridge(namespace = "fracas_bench")]
pub mod bridge {
    /// The surface of a fragment: three coordinates a point, three corners a triangle.
    pub struct Mesh {
        pub points: Vec<f64>,
        pub triangles: Vec<u32>,
    }

    /// The quaternion is x, y, z, w.
    #[derive(Clone, Copy)]
    pub struct Place {
        pub position: [f64; 3],
        pub rotation: [f64; 4],
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Pair {
        pub a: u32,
        pub b: u32,
    }

    /// A contact as all libraries are asked for it: its pair, the midpoint in the world, the normal from B towards A.
    #[derive(Clone, Copy, Debug)]
    pub struct Hit {
        pub pair: u32,
        pub depth: f64,
        pub point: [f64; 3],
        pub normal: [f64; 3],
    }

    unsafe extern "C++" {
        include!("fracas-bench/src/cpp/peer.hpp");
        type Peer;
        /// Makes the shapes of all fragments; the radius is that of the body before it broke.
        fn prepare(self: Pin<&mut Peer>, meshes: &[Mesh], radius: f64);
        fn place(self: Pin<&mut Peer>, places: &[Place]);
        /// Collides the pairs. What is timed.
        fn pass(self: Pin<&mut Peer>, pairs: &[Pair]) -> usize;
        /// What the last pass has found.
        fn hits(self: &Peer) -> Vec<Hit>;

        fn bullet_hulls(reduced: bool, clipped: bool) -> UniquePtr<Peer>;
        fn bullet_meshes() -> UniquePtr<Peer>;
        fn bullet_version() -> String;
        fn fcl_meshes(contacts: u32) -> UniquePtr<Peer>;
        fn fcl_version() -> String;
        fn jolt_hulls() -> UniquePtr<Peer>;
        fn jolt_version() -> String;
        fn physx_hulls() -> UniquePtr<Peer>;
        fn physx_version() -> String;

        include!("fracas-bench/src/cpp/deform.hpp");
        /// A tree over boxes; each is six numbers, the least corner and the greatest.
        type BoxTree;
        fn build(self: Pin<&mut BoxTree>, boxes: &[f32]);
        /// The same boxes elsewhere. They must outlive the queries.
        fn refit(self: Pin<&mut BoxTree>, boxes: &[f32]);
        /// Appends all pairs of boxes that meet, each once.
        fn pairs(self: Pin<&mut BoxTree>, out: &mut Vec<Pair>);
        /// Null if Embree is not here.
        fn embree_tree(refits: bool, quality: u32) -> UniquePtr<BoxTree>;
        fn embree_version() -> String;

        /// Bodies that deform: three coordinates a point, three corners a triangle.
        type DeformingBodies;
        fn build(self: Pin<&mut DeformingBodies>, body: u32, points: &[f64], triangles: &[u32]);
        fn refit(self: Pin<&mut DeformingBodies>, body: u32, points: &[f64]);
        /// All pairs of triangles that intersect, of these pairs of bodies.
        fn collide(self: Pin<&mut DeformingBodies>, pairs: &[Pair]) -> usize;
        fn fcl_bodies() -> UniquePtr<DeformingBodies>;
    }
}
