//! Deforming and fracturing triangle meshes (FASTCD: Heo et al. 2010): cloth, thin shells, walls that dent and break.
//!
//! A [`Scene`] holds bodies whose vertices move every frame and whose topology changes at fracture events. It returns collisions between
//! them and within them: [discrete](Scene::query_discrete), [continuous](Scene::query_continuous), or [near
//! ones](Scene::query_proximity).
//!
//! ```
//! use fracas::Tasks;
//! use fracas::deform::{BodyMesh, BodyOptions, Interval, Scene};
//! use fracas::Point;
//!
//! let square = |z: f64| BodyMesh {
//!     positions: [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| Point::new(x, y, z)).to_vec(),
//!     triangles: vec![[0, 1, 2], [0, 2, 3]],
//!     ..BodyMesh::default()
//! };
//! let mut scene = Scene::default();
//! let lower = scene.add(square(0.0), &BodyOptions::default())?;
//! let upper = scene.add(square(1.0), &BodyOptions::default())?;
//!
//! // The upper square falls through the lower one within a step.
//! scene.set_positions(upper, square(-1.0).positions.into_iter())?;
//! scene.update(Interval::Step, &Tasks::inline());
//! let mut impacts = vec![];
//! scene.query_continuous(&Default::default(), &Tasks::inline(), &mut impacts)?;
//! assert!(!impacts.is_empty() && impacts.iter().all(|impact| (impact.time - 0.5).abs() < 1e-5));
//! # let _ = lower;
//! # Ok::<(), fracas::Error>(())
//! ```

mod body;
mod build;
pub mod ccd;
mod cone;
mod continuous;
mod contour;
mod discrete;
mod inherit;
mod mesh;
mod node;
mod options;
mod pair;
mod proximity;
mod ray;
mod refit;
mod region;
mod restructure;
mod results;
mod scene;
mod star_shaped;
mod top;
mod traverse;
mod update;
mod view;
mod worker;

/// What trees of boxes over other things that deform are made of.
pub(crate) mod tree {
    pub(crate) use super::build::{Builder, Element};
    pub(crate) use super::node::{LEAF, Node, union};
    pub(crate) use super::options::Construction;
    pub(crate) use super::refit::{above, below};
}

pub use crate::geom::tri_tri::TriangleContact;
pub use options::{BodyId, BodyMesh, BodyOptions, ConeCulling, Construction, Restructuring, SceneOptions};
pub use ray::SceneHit;
pub use refit::Interval;
pub use region::SceneTriangle;
pub use results::{Features, Impact, Near, Overlap};
pub use scene::{Scene, UpdateStats};
pub use worker::TraversalStats;
