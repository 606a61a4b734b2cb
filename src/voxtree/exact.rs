//! The exact finest level of a tree: the samples of its body by finest cubes, and its field. The paper has polygons there (3.1).

use crate::body::Object;
use crate::field::SignedDistance;
use crate::geom::{NONE, Point};
use crate::heap::held;
use std::ops::Range;

/// A body whose field and samples stand behind the finest cubes.
#[derive(Clone)]
pub(super) struct Exact {
    object: Object,
    /// In the frame of the object, in metres; those of a finest cube follow each other.
    samples: Vec<Point>,
    /// First sample of each finest cube, and the end.
    starts: Vec<u32>,
}

impl std::fmt::Debug for Exact {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} samples", self.samples.len())
    }
}

impl Exact {
    /// The samples of an object by the finest cubes, `cubes` in all, that they are in.
    pub fn new(object: &Object, cubes: u32, cube_of: impl Fn(&Point) -> Option<u32>) -> Self {
        let (buckets, centre) = (object.samples(), object.asset().centre());
        let metres = object.in_metres();
        let all = buckets.points.iter().zip(&buckets.ids).flat_map(|(points, ids)| {
            (0..ids.len()).filter(|k| ids[*k] != NONE).map(|k| centre + points.get(k).cast::<f64>())
        });
        let mut placed: Vec<(u32, Point)> =
            all.map(|p| metres.point(&p)).filter_map(|p| Some((cube_of(&p)?, p))).collect();
        placed.sort_by_key(|(cube, _)| *cube);
        let starts = (0..=cubes).map(|cube| placed.partition_point(|(of, _)| *of < cube) as u32).collect();
        Self { object: object.clone(), samples: placed.into_iter().map(|(_, p)| p).collect(), starts }
    }

    /// The samples of a finest cube.
    pub fn samples_of(&self, cube: u32) -> Range<u32> {
        self.starts[cube as usize]..self.starts[cube as usize + 1]
    }

    /// Where a sample is.
    pub fn sample(&self, number: u32) -> Option<&Point> {
        self.samples.get(number as usize)
    }

    /// The signed distance of a point in the frame of the object, in metres.
    pub fn signed_distance(&self, p: &Point) -> SignedDistance {
        self.object.in_metres().signed_distance(p)
    }

    pub fn bytes(&self) -> usize {
        held(&self.samples) + held(&self.starts)
    }
}
