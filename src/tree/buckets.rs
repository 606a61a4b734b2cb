//! Sample points in buckets: what the query visits by default, instead of the paper's sphere tree.
//!
//! Points come in curve order, skin vertices first, then crack points; eight of them make a bucket, eight buckets a group,
//! each with a sphere around it. Two flat levels: prepared in one pass, nothing to split at a fracture, and small enough
//! that a deeper tree would not pay below some thousand points. Everything is stored eight by eight, as it is tested.

use crate::geom::lanes::{LANES, PointLanes, SphereLanes, around, middle_and_half};
use crate::geom::supports::Supports;
use crate::geom::{Local, NONE};
use std::ops::Range;

/// A sample point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Relative to the middle of the asset.
    pub at: Local,
    /// Its number: of the node, or behind the nodes of the crack point.
    pub id: u32,
}

/// The sample points of one object.
#[derive(Clone, Debug)]
pub struct Buckets {
    /// Eight points a bucket; where there are fewer, the last comes again.
    pub points: Vec<PointLanes>,
    /// Their numbers; [`NONE`] for those that come again.
    pub ids: Vec<[u32; LANES]>,
    /// A sphere around every bucket, those of a group together.
    pub buckets: Vec<SphereLanes>,
    /// A sphere around every group.
    pub groups: Vec<SphereLanes>,
    /// For every bucket on the crack towards a sibling, the way out across the crack there; zero for others.
    pub across: Vec<Local>,
    /// How far the points reach.
    pub supports: Supports,
    /// Middle and half the size of the box around them.
    pub middle: Local,
    /// See above.
    pub half: Local,
    /// The buckets of the crack towards each sibling, ascending.
    interfaces: Vec<(u32, Range<usize>)>,
}

impl Buckets {
    /// Puts points into buckets, in the order in which they come: runs of points, each with the sibling that it is a crack
    /// towards, ascending, or [`NONE`]; every run starts a bucket. `directions` are the ways out across those cracks, on the
    /// whole: there the body has sides that are about flat. `edge` is how far apart points about are.
    pub fn new<'a>(runs: impl Iterator<Item = (u32, &'a [Sample])>, directions: &[(u32, Local)], edge: f32) -> Self {
        let (mut places, mut ids, mut interfaces, mut across) = (vec![], vec![], vec![], vec![]);
        for (sibling, run) in runs {
            let first = ids.len();
            let whole = directions.iter().find(|(k, _)| *k == sibling).map(|(_, normal)| *normal);
            for chunk in run.chunks(LANES) {
                ids.push(std::array::from_fn(|k| chunk.get(k).map_or(NONE, |s| s.id)));
                places.extend((0..LANES).map(|k| chunk[k.min(chunk.len() - 1)].at));
                across.push(whole.map_or(Local::zeros(), |whole| fitted(chunk, &whole, edge)));
            }
            if sibling != NONE {
                interfaces.push((sibling, first..ids.len()));
            }
        }
        let points = PointLanes::list(&places);
        let spheres: Vec<(Local, f32)> = places.chunks(LANES).map(|chunk| around(chunk.iter())).collect();
        let (middle, half) = middle_and_half(places.iter());
        let flat: Vec<Local> = directions.iter().map(|(_, normal)| *normal).collect();
        Self {
            supports: Supports::new(&points, &flat),
            points,
            ids,
            across,
            buckets: SphereLanes::list(&spheres),
            groups: SphereLanes::around(&spheres),
            middle,
            // A hair more, for rounding.
            half: half * (1.0 + 1e-6),
            interfaces,
        }
    }

    /// The buckets of the crack towards a sibling.
    pub fn interface(&self, sibling: u32) -> Range<usize> {
        let found = self.interfaces.binary_search_by_key(&sibling, |(piece, _)| *piece);
        found.map_or(0..0, |k| self.interfaces[k].1.clone())
    }

    /// How many spheres there are: around buckets, and around groups.
    pub fn spheres(&self) -> [usize; 2] {
        [self.points.len(), self.points.len().div_ceil(LANES)]
    }

    /// The point nearest to a place, and how far it is.
    pub fn nearest(&self, p: &Local) -> Option<(Local, f32)> {
        let mut best: Option<(Local, f32)> = None;
        let may_be_nearer = |apart: f32, best: &Option<(Local, f32)>| best.is_none_or(|(_, least)| apart < least);
        for (block, groups) in self.groups.iter().enumerate() {
            for (k, apart) in groups.apart(p).into_iter().enumerate() {
                // Those that are missing are without end away.
                if apart == f32::INFINITY || !may_be_nearer(apart, &best) {
                    continue;
                }
                let group = block * LANES + k;
                for (k, apart) in self.buckets[group].apart(p).into_iter().enumerate() {
                    if apart == f32::INFINITY || !may_be_nearer(apart, &best) {
                        continue;
                    }
                    for at in (0..LANES).map(|lane| self.points[group * LANES + k].get(lane)) {
                        let far = (at - p).norm();
                        if may_be_nearer(far, &best) {
                            best = Some((at, far));
                        }
                    }
                }
            }
        }
        best
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        let spheres = size_of_val(&self.buckets[..]) + size_of_val(&self.groups[..]);
        let points = size_of_val(&self.points[..]) + size_of_val(&self.ids[..]) + size_of_val(&self.across[..]);
        points + spheres + self.supports.bytes()
    }
}

/// The normal of the plane that fits some points of a crack best, given its normal on the whole. As if there were as much of
/// that besides as half an edge square: few points, or points in a row, do not say much.
fn fitted(points: &[Sample], whole: &Local, edge: f32) -> Local {
    let middle = points.iter().map(|p| p.at).sum::<Local>() / points.len() as f32;
    // Two directions along the crack.
    let axis = if whole.x.abs() < 0.6 { Local::x() } else { Local::y() };
    let u = whole.cross(&axis).normalize();
    let v = whole.cross(&u);
    let besides = 0.5 * edge * edge;
    let (mut uu, mut uv, mut vv, mut uh, mut vh) = (besides, 0.0, besides, 0.0, 0.0);
    for p in points {
        let d = p.at - middle;
        let (along_u, along_v, height) = (u.dot(&d), v.dot(&d), whole.dot(&d));
        uu += along_u * along_u;
        uv += along_u * along_v;
        vv += along_v * along_v;
        uh += along_u * height;
        vh += along_v * height;
    }
    let determinant = uu * vv - uv * uv;
    let slope_u = (uh * vv - vh * uv) / determinant;
    let slope_v = (vh * uu - uh * uv) / determinant;
    (whole - u * slope_u - v * slope_v).try_normalize(f32::MIN_POSITIVE).unwrap_or(*whole)
}
