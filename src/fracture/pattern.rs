//! Fracture patterns: what a caller asks for. Plain data; `cells` turns it into answers for one object.

use crate::error::{Result, bad_argument};
use crate::geom::plane::Plane;
use crate::geom::{Point, Vector};
use nalgebra::Matrix3;

/// Where cracks run, in the frame of the asset.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub(super) shape: Shape,
    pub(super) roughness: Option<Roughness>,
}

#[derive(Clone, Debug)]
pub(super) enum Shape {
    Planes(Vec<Plane>),
    Seeds(VoronoiCells),
    RandomSeeds { count: u32, seed: u64 },
    Impact(Impact),
    Labels(NodeLabels),
}

/// The Voronoi cells of some points, as they are or joined to groups: any union of convex cells is a pattern.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VoronoiCells {
    /// The points.
    pub seeds: Vec<Point>,
    /// A number for each point: between cells that have the same there is no crack. Empty: each cell is by itself.
    pub groups: Vec<u32>,
    /// A linear map: a point of space belongs to the seed that is nearest after both are mapped. It must have an inverse; its scale does
    /// not matter. With 1/2 along an axis cells are twice as long there. `None`: space as it is.
    pub metric: Option<Matrix3<f64>>,
}

/// A metric whose determinant is smaller, relative to the cube of its norm, has no inverse that is worth the name.
const FLAT: f64 = 1e-6;

impl VoronoiCells {
    fn check(&self) -> Result<()> {
        let Self { seeds, groups, metric } = self;
        if seeds.is_empty() {
            bad_argument!("a Voronoi pattern needs at least one seed");
        }
        if let Some(k) = seeds.iter().position(|seed| !seed.iter().all(|c| c.is_finite())) {
            bad_argument!("seeds[{k}] is {:?}; it must be finite", seeds[k].coords.as_slice());
        }
        if !groups.is_empty() && groups.len() != seeds.len() {
            bad_argument!(
                "there are {} groups and {} seeds; each seed has one, or none has",
                groups.len(),
                seeds.len()
            );
        }
        if let Some(map) = metric {
            let unit = map / map.norm();
            let determinant = unit.determinant().abs();
            if determinant.is_nan() || determinant <= FLAT {
                bad_argument!("the metric {:?} has no inverse, or hardly any", map.as_slice());
            }
        }
        Ok(())
    }
}

/// A blow: many small cells at the point, larger ones away from it, and beyond the radius the rest stays in one piece
/// (in several, if what breaks away is all that held them together).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Where it hits.
    pub point: Point,
    /// Which way it goes; cells are twice as long that way as across. The zero vector: alike in all directions.
    pub direction: Vector,
    /// What is farther stays in one piece, but for the ragged border of the cells next to it. 0: half the radius of the object,
    /// which is half the diagonal of its box.
    pub radius: f64,
    /// How many fragments, the rest included. Kept to within 20 %.
    pub count: u32,
    /// Another number, another pattern.
    pub seed: u64,
}

/// The engine's own fracture: a label for every node, in the caller's node numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeLabels {
    /// A label for every node that the asset was made from. Those of other objects count where they share a cut tetrahedron with
    /// this one, and nowhere else.
    pub labels: Vec<u32>,
    /// Where the cracks cut the edges.
    pub cuts: LabelCuts,
}

/// Where the cracks between labels run.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum LabelCuts {
    /// Through the middle of every edge.
    #[default]
    Middle,
    /// At given distances from the nodes; what is not given is half a mean edge, or the largest gap that is given, if that is more.
    Gaps(Vec<NodeGap>),
    /// At given places on the edges; what is not given is cut in the middle. A tetrahedron has more edges than its crack
    /// has freedom: places that no planes fit are met in the least-squares sense (those of a planar crack are met exactly).
    Edges(Vec<EdgeCut>),
}

/// How far a node is from the crack towards a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeGap {
    /// Node, in the caller's numbers.
    pub node: u32,
    /// The opposing label.
    pub opponent: u32,
    /// Metres.
    pub gap: f64,
}

/// Where an edge is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeCut {
    /// End nodes, in the caller's numbers.
    pub nodes: [u32; 2],
    /// From 0 at the first node to 1 at the second.
    pub position: f64,
}

/// The nearest `float` to 0.05 is a little larger, and is what C passes.
const MAX_AMPLITUDE: f64 = 0.05f32 as f64;

/// Noise that bends a pattern in space, so that cracks are rough and still match from both sides.
/// Both lengths refer to the asset, so fragments of fragments show the same material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roughness {
    /// Farthest that a crack moves, as a share of the asset's radius; up to 0.05.
    pub amplitude: f64,
    /// Length of the waves, in mean edge lengths of the asset; 2 or more.
    pub wavelength: f64,
    /// Another number, another noise.
    pub seed: u64,
}

impl Impact {
    /// The share of an object's radius that counts as the blow's if none is given.
    const SHARE: f64 = 0.5;

    /// The same with a radius, given that of the object.
    pub(super) fn with_radius(self, of_object: f64) -> Self {
        Self { radius: if self.radius > 0.0 { self.radius } else { Self::SHARE * of_object }, ..self }
    }
}

impl Pattern {
    /// Cuts along planes.
    pub fn planes(planes: Vec<Plane>) -> Self {
        Self { shape: Shape::Planes(planes), roughness: None }
    }

    /// Cuts into the Voronoi cells of some points.
    pub fn voronoi(seeds: Vec<Point>) -> Self {
        Self::cells(VoronoiCells { seeds, ..VoronoiCells::default() })
    }

    /// Cuts into the Voronoi cells of some points, joined to groups, in a space that may be stretched.
    pub fn cells(cells: VoronoiCells) -> Self {
        Self { shape: Shape::Seeds(cells), roughness: None }
    }

    /// Cuts into the Voronoi cells of `count` points, drawn at random within the object.
    pub fn random_voronoi(count: u32, seed: u64) -> Self {
        Self { shape: Shape::RandomSeeds { count, seed }, roughness: None }
    }

    /// Breaks as under a blow.
    pub fn impact(impact: Impact) -> Self {
        Self { shape: Shape::Impact(impact), roughness: None }
    }

    /// Breaks as the engine says.
    pub fn labels(labels: NodeLabels) -> Self {
        Self { shape: Shape::Labels(labels), roughness: None }
    }

    /// The same pattern with rough cracks. Plain labels stay what they are: they know nodes, not space.
    pub fn rough(mut self, roughness: Roughness) -> Self {
        self.roughness = Some(roughness);
        self
    }

    /// Whether all numbers are in range.
    pub(super) fn check(&self) -> Result<()> {
        let finite = |v: &Vector| v.iter().all(|c| c.is_finite());
        match &self.shape {
            Shape::Planes(planes) => {
                for (k, plane) in planes.iter().enumerate() {
                    if !(finite(&plane.normal) && plane.offset.is_finite()) {
                        bad_argument!(
                            "planes[{k}] is not finite: normal {:?}, offset {}",
                            plane.normal.as_slice(),
                            plane.offset
                        );
                    }
                    if (plane.normal.norm() - 1.0).abs() > 1e-6 {
                        bad_argument!("planes[{k}].normal has length {}; it must be 1", plane.normal.norm());
                    }
                }
            }
            Shape::Seeds(cells) => cells.check()?,
            Shape::RandomSeeds { count, .. } => {
                if *count == 0 {
                    bad_argument!("a Voronoi pattern needs at least one seed");
                }
            }
            Shape::Impact(impact) => {
                if !finite(&impact.point.coords) || !finite(&impact.direction) {
                    bad_argument!("the impact's point and direction must be finite");
                }
                if !(impact.radius >= 0.0 && impact.radius.is_finite()) {
                    bad_argument!(
                        "the impact's radius is {}; it must be a length, or 0 for half the object's",
                        impact.radius
                    );
                }
                if impact.count == 0 {
                    bad_argument!("the impact's count is 0; ask for at least one fragment");
                }
            }
            Shape::Labels(_) => {} // checked against the object, which knows the nodes
        }
        if let Some(rough) = &self.roughness {
            if !(0.0..=MAX_AMPLITUDE).contains(&rough.amplitude) {
                bad_argument!(
                    "the roughness amplitude is {}; it must lie between 0 and 0.05 of the radius",
                    rough.amplitude
                );
            }
            if !(rough.wavelength >= 2.0 && rough.wavelength.is_finite()) {
                bad_argument!(
                    "the roughness wavelength is {}; it must be 2 mean edge lengths or more",
                    rough.wavelength
                );
            }
        }
        Ok(())
    }
}
