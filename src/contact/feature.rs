//! Features: which sample a contact is of, as a number that is stable between frames and through fractures.

use crate::body::Object;
use crate::geom::Point;
use crate::solid::Solid;

/// What a contact's feature number says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Whether the sample is B's.
    pub of_b: bool,
    /// Number of the node, or, behind all nodes of the asset, of the crack point; of a plain shape, of its sample.
    pub id: u32,
}

impl Feature {
    /// One bit whose sample, three bits of kind (a point: 0), 28 bits of number.
    pub fn encoded(&self) -> u32 {
        (self.of_b as u32) << 31 | self.id & 0x0fff_ffff
    }

    /// From the number of a contact.
    pub fn decoded(number: u32) -> Self {
        Self { of_b: number >> 31 != 0, id: number & 0x0fff_ffff }
    }
}

/// The point of an object that a feature names. In the frame of the asset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FeaturePoint {
    /// A node of the skin.
    Node {
        /// Where it is.
        at: Point,
        /// Its number in the solid.
        node: u32,
        /// A triangle of the solid's skin that has it.
        triangle: u32,
    },
    /// A point on a crack.
    Crack {
        /// Where it is.
        at: Point,
    },
}

impl Object {
    /// The point that a feature names; `None` if it is none of this object.
    pub fn feature(&self, feature: Feature) -> Option<FeaturePoint> {
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
}

/// A triangle of the skin that has a node: triangles are listed by their lowest node.
fn skin_triangle(solid: &Solid, node: u32) -> Option<u32> {
    let lower = solid.linked(node).iter().copied().take_while(|n| *n < node);
    let mut near = lower.chain([node]).flat_map(|n| solid.skin_from(n));
    near.find(|k| solid.skin()[*k].nodes.contains(&node)).map(|k| k as u32)
}
