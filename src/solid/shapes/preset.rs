//! Sample solids in the sizes of the paper (Glondu 2013, table 1), and some more, by name.
//!
//! Each has about as many triangles, tetrahedra and points as the paper's object of that name, and the measures of a real
//! one, in metres.

use super::Shelf;
use crate::solid::Solid;

/// How many of each a solid has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Triangles of the skin.
    pub triangles: usize,
    /// Tetrahedra; none where the paper does not say.
    pub tets: Option<usize>,
    /// Nodes, on the skin and inside.
    pub points: usize,
}

/// A sample solid with a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// What it is called, in lower case.
    pub name: &'static str,
    /// What the paper's object of that name has, if there is one.
    pub paper: Option<Counts>,
    /// Makes it.
    pub make: fn() -> Solid,
}

/// All of them.
pub const ALL: [Preset; 10] = [
    Preset { name: "piggy_bank", paper: paper(9722, 20807, 5870), make: piggy_bank },
    Preset { name: "rabbit", paper: paper(7940, 18767, 5089), make: rabbit },
    Preset { name: "brick", paper: paper(468, 594, 224), make: brick },
    Preset { name: "plate", paper: paper(5392, 8617, 2711), make: plate },
    Preset { name: "shelf", paper: paper(4652, 10200, 2989), make: shelf },
    // The paper says: 2.5K triangles and 4K points inside. As many triangles have 1,252 points.
    Preset { name: "sphere", paper: Some(Counts { triangles: 2500, tets: None, points: 1252 + 4000 }), make: sphere },
    Preset { name: "bowl", paper: None, make: bowl },
    Preset { name: "ball", paper: None, make: ball },
    Preset { name: "torus", paper: None, make: torus },
    Preset { name: "box", paper: None, make: cuboid },
];

const fn paper(triangles: usize, tets: usize, points: usize) -> Option<Counts> {
    Some(Counts { triangles, tets: Some(tets), points })
}

/// The preset of this name.
pub fn named(name: &str) -> Option<&'static Preset> {
    ALL.iter().find(|preset| preset.name == name)
}

/// A piggy bank, 28 cm long.
pub fn piggy_bank() -> Solid {
    super::piggy_bank(0.0066, 2.5)
}

/// A rabbit, 15 cm tall; in the place of the paper's bunny.
pub fn rabbit() -> Solid {
    super::rabbit(0.0036, 3.0)
}

/// A brick of 215 × 102.5 × 65 mm with six holes.
pub fn brick() -> Solid {
    super::edged::coarse_brick()
}

/// A dinner plate, 26 cm wide and 6 mm thick.
pub fn plate() -> Solid {
    super::plate(0.13, 0.006, 36)
}

/// A shelf of four boards, 0.5 × 0.175 × 0.8 m.
pub fn shelf() -> Solid {
    super::shelf(&Shelf { size: [0.5, 0.175, 0.8], thickness: 0.025, boards: 4, cells: [16, 7, 8], layers: 2 })
}

/// A ball of radius 0.1 m, finer inside than at its surface.
pub fn sphere() -> Solid {
    super::dense_ball(0.1, 14)
}

/// A bowl, 17 cm wide, with a wall of 9 mm.
pub fn bowl() -> Solid {
    super::bowl(0.085, 0.009, 28, 2)
}

/// A ball of radius 0.04 m.
pub fn ball() -> Solid {
    super::ball(0.04, 10)
}

/// A ring of radius 0.08 m, 5 cm thick.
pub fn torus() -> Solid {
    super::torus(0.08, 0.025, 40, 8)
}

/// A cube of 0.1 m.
pub fn cuboid() -> Solid {
    super::cuboid([0.1; 3], [8; 3])
}
