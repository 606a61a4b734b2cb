//! Features: which sample a contact belongs to, as a number that is stable between frames and through fractures.

use crate::body::Object;
use crate::geom::Point;
use crate::solid::Solid;
use crate::solid::surface::Face;

/// What a feature is. Trees of cubes have kind 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum FeatureKind {
    /// A sample point.
    #[default]
    Sample = 0,
    /// A crease: a convex edge of the surface.
    Crease = 2,
}

/// A decoded feature number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Whether the sample or crease belongs to B.
    pub of_b: bool,
    /// What it is.
    pub kind: FeatureKind,
    /// Index of the node. Crack points follow after all nodes of the asset. For a plain shape, the index of its sample, and for further
    /// sides of a ball or capsule (`sides`) a multiple of their number more.
    /// [`Feature::MANY`] if an interrupted query measured none. For a crease, its index among those of the object.
    pub id: u32,
}

impl Feature {
    /// Index of no sample: the contact stands for many (an interrupted query).
    pub const MANY: u32 = 0x0fff_ffff;

    /// Bit 31: whose it is; bits 28 to 30: kind; bits 0 to 27: index.
    pub fn encoded(&self) -> u32 {
        (self.of_b as u32) << 31 | (self.kind as u32) << 28 | self.id & 0x0fff_ffff
    }

    /// Decodes the feature number of a contact of two objects, or of an object and a shape.
    pub fn decoded(number: u32) -> Self {
        let kind =
            if number >> 28 & 7 == FeatureKind::Crease as u32 { FeatureKind::Crease } else { FeatureKind::Sample };
        Self { of_b: number >> 31 != 0, kind, id: number & 0x0fff_ffff }
    }
}

/// The point that a feature refers to, in the frame of the asset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FeaturePoint {
    /// A node of the skin.
    Node {
        /// Position.
        at: Point,
        /// Node index in the solid.
        node: u32,
        /// A skin triangle of the solid that contains the node.
        triangle: u32,
    },
    /// A point on a crack.
    Crack {
        /// Position.
        at: Point,
    },
    /// A crease.
    Crease {
        /// Its middle.
        at: Point,
        /// What the surface is there: one of the two faces that meet in it.
        face: Option<Face>,
    },
}

impl Object {
    /// The point that a feature refers to; `None` if it does not belong to this object. Those of creases build the surface that rays
    /// need, on first use.
    pub fn feature(&self, feature: Feature) -> Option<FeaturePoint> {
        if feature.kind == FeatureKind::Crease {
            return self.crease(feature.id);
        }
        let (solid, id) = (self.asset().solid(), feature.id);
        match id.checked_sub(solid.nodes().len() as u32) {
            None => {
                self.nodes().binary_search(&id).ok()?;
                let triangle = skin_triangle(solid, id)?;
                Some(FeaturePoint::Node { at: solid.nodes()[id as usize], node: id, triangle })
            }
            Some(crack) => {
                let point = self.crack_points().iter().find(|p| p.id == crack)?;
                Some(FeaturePoint::Crack { at: point.at })
            }
        }
    }

    fn crease(&self, id: u32) -> Option<FeaturePoint> {
        let creases = self.creases();
        let number = Some(id as usize).filter(|number| *number < creases.len())?;
        let [start, end] = creases.segment(number).map(|end| self.asset().centre() + end.cast::<f64>());
        let at = nalgebra::center(&Point::from(start), &Point::from(end));
        Some(FeaturePoint::Crease { at, face: self.traced().and_then(|surface| surface.closest_face(&at)) })
    }
}

/// A skin triangle that contains a node. Triangles are stored by their lowest node, so only lower neighbours and the
/// node itself have to be searched.
fn skin_triangle(solid: &Solid, node: u32) -> Option<u32> {
    let lower = solid.linked(node).iter().copied().take_while(|n| *n < node);
    let mut near = lower.chain([node]).flat_map(|n| solid.skin_from(n));
    near.find(|k| solid.skin()[*k].nodes.contains(&node)).map(|k| k as u32)
}
