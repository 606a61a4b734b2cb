//! Creases of a body: the convex edges of its surface that contacts between sample points can come from.
//!
//! Two polyhedra overlap only if a vertex or a convex edge of one is inside the other: the common part has a vertex that is extreme
//! along some direction, and three faces meet there. So samples and creases together miss nothing. An edge that hardly rises
//! above the line between its neighbours is left out (`solid::rises`).

use crate::geom::Local;
use crate::geom::lanes::{LANES, PointLanes, SphereLanes, around_lanes};
use crate::geom::simd::fetch;
use crate::heap::held;
use std::sync::OnceLock;

/// The creases of one object, eight at a time. Positions are relative to the centre of the asset.
#[derive(Clone, Debug, Default)]
pub struct Creases {
    /// Starts and ends, padded with the last.
    pub ends: Vec<[PointLanes; 2]>,
    /// A bounding sphere for every eight of them, eight spheres together.
    pub spheres: Vec<SphereLanes>,
    count: usize,
    /// How far the body is from convex, in the units of the asset; found on first use.
    pub dent: OnceLock<f32>,
    /// How thick the body is, likewise.
    pub thickness: OnceLock<f32>,
}

impl Creases {
    /// From segments, neighbours next to each other.
    pub fn new(segments: &[[Local; 2]]) -> Self {
        let eight =
            |run: &[[Local; 2]]| [0, 1].map(|end| PointLanes::of(&run.iter().map(|s| s[end]).collect::<Vec<_>>()));
        let ends: Vec<[PointLanes; 2]> = segments.chunks(LANES).map(eight).collect();
        let spheres: Vec<(Local, f32)> = ends.iter().map(|[a, b]| around_lanes(&[a.at, b.at])).collect();
        Self {
            ends,
            spheres: SphereLanes::list(&spheres),
            count: segments.len(),
            dent: OnceLock::new(),
            thickness: OnceLock::new(),
        }
    }

    /// Asks for their memory.
    #[inline]
    pub fn fetch(&self) {
        fetch::<4, _>(&self.spheres);
        fetch::<16, _>(&self.ends);
    }

    /// Number of creases.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The ends of a crease.
    pub fn segment(&self, number: usize) -> [Local; 2] {
        let [start, end] = &self.ends[number / LANES];
        [start.get(number % LANES), end.get(number % LANES)]
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.ends) + held(&self.spheres)
    }
}
