//! Where a corner is, bit for bit: corners of facets come out alike from everywhere (`cut::polytope`), and are joined by equality alone.

use crate::geom::Point;
use crate::geom::random::{Mixed, mix};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// The bits of a place. Adding zero makes one zero of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place([u64; 3]);

/// Numbers of corners by place.
pub type ByPlace<T> = HashMap<Place, T, BuildHasherDefault<Mixed>>;

impl Place {
    /// Where a point is.
    pub fn of(p: &Point) -> Self {
        Self([p.x, p.y, p.z].map(|c| (c + 0.0).to_bits()))
    }

    /// The bits of all coordinates, mixed.
    pub fn mixed(&self) -> u64 {
        let [x, y, z] = self.0;
        // Odd numbers without a pattern; the three products do not wait for each other.
        let xy = x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ y.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31);
        mix(xy ^ z.wrapping_mul(0x1656_67b1_9e37_79f9).rotate_left(17))
    }
}

impl Hash for Place {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.mixed());
    }
}
