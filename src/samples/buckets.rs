//! Sample points in buckets: the default acceleration structure, instead of the paper's sphere tree.
//!
//! Points are in curve order, skin vertices first, then crack points. Eight points make a bucket, eight buckets a
//! group, each with a bounding sphere. Two flat levels: built in one pass, nothing to split at a fracture, and a deeper
//! tree would not pay off below some thousand points. Everything is stored in vectors of eight, as it is tested.

use crate::culling::supports::Supports;
use crate::geom::lanes::{LANES, PointLanes, SphereLanes, around_lanes, middle_and_half_of_lanes};
use crate::geom::plane::along;
use crate::geom::{Local, NONE};
use crate::heap::held;
use crate::samples::spread::{Spread, spread};
use std::ops::Range;

/// A sample point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Position, relative to the centre of the asset.
    pub at: Local,
    /// Index: of the node, or, after all nodes of the asset, of the crack point.
    pub id: u32,
}

/// The sample points of one object.
#[derive(Clone, Debug)]
pub struct Buckets {
    /// Eight points per bucket, padded with the last.
    pub points: Vec<PointLanes>,
    /// Their indices; [`NONE`] for padding.
    pub ids: Vec<[u32; LANES]>,
    /// Bounding sphere of every bucket, those of a group together.
    pub buckets: Vec<SphereLanes>,
    /// Bounding sphere of every group.
    pub groups: Vec<SphereLanes>,
    /// For every bucket on the crack towards a sibling, the outward direction across the crack there; zero for others.
    pub across: Vec<Local>,
    /// Supporting planes of the points.
    pub supports: Supports,
    /// Centre of their bounding box.
    pub middle: Local,
    /// Half extents of their bounding box.
    pub half: Local,
    /// The cracks towards siblings, ascending by sibling.
    interfaces: Vec<Interface>,
}

/// The crack towards a sibling.
#[derive(Clone, Debug)]
struct Interface {
    sibling: u32,
    buckets: Range<usize>,
    /// Well-spread samples, by their slots in these buckets.
    spread: Spread,
}

/// Outward direction across a crack.
#[derive(Clone, Copy, Debug)]
pub enum Outward {
    /// Exact everywhere: the crack is a plane.
    Plane(Local),
    /// The mean normal: the crack is rough.
    About(Local),
}

/// Buckets under construction, filled run by run.
#[derive(Default)]
pub struct Filling {
    points: Vec<PointLanes>,
    ids: Vec<[u32; LANES]>,
    across: Vec<Local>,
    spheres: Vec<(Local, f32)>,
    interfaces: Vec<(u32, Range<usize>)>,
    /// About how far apart points are.
    edge: f32,
}

impl Filling {
    /// Reserves memory for `points` points, which are about `edge` apart.
    pub fn with_room(points: usize, edge: f32) -> Self {
        let buckets = points / LANES + points / 64 + 8;
        Self {
            edge,
            across: Vec::with_capacity(buckets),
            points: Vec::with_capacity(buckets),
            ids: Vec::with_capacity(buckets),
            spheres: Vec::with_capacity(buckets),
            interfaces: vec![],
        }
    }

    /// Puts a run of points into buckets of their own, in the given order. `sibling` is the piece across their crack,
    /// ascending from run to run, or [`NONE`]; `out` is the outward direction across that crack.
    pub fn add(&mut self, sibling: u32, out: Option<Outward>, run: impl Iterator<Item = Sample>) {
        let out = out.map(|out| match out {
            Outward::Plane(normal) => Slope::Known(normal),
            Outward::About(normal) => Slope::Fitted(Base::new(&normal)),
        });
        let first = self.ids.len();
        let (mut points, mut ids, mut count) = (PointLanes { at: [[0.0; LANES]; 3] }, [NONE; LANES], 0);
        for sample in run {
            (0..3).for_each(|axis| points.at[axis][count] = sample.at[axis]);
            ids[count] = sample.id;
            count += 1;
            if count == LANES {
                self.push(points, ids, LANES, out.as_ref());
                count = 0;
            }
        }
        if count > 0 {
            for at in &mut points.at {
                let last = at[count - 1];
                at[count..].fill(last);
            }
            ids[count..].fill(NONE);
            self.push(points, ids, count, out.as_ref());
        }
        if sibling != NONE {
            self.interfaces.push((sibling, first..self.ids.len()));
        }
    }

    fn push(&mut self, points: PointLanes, ids: [u32; LANES], count: usize, out: Option<&Slope>) {
        self.across.push(match out {
            None => Local::zeros(),
            Some(Slope::Known(normal)) => *normal,
            Some(Slope::Fitted(base)) => base.fitted(&points, count, self.edge),
        });
        self.spheres.push(around_lanes(&[points.at]));
        self.points.push(points);
        self.ids.push(ids);
    }
}

impl Buckets {
    /// Finishes the buckets. `directions` are the mean outward normals of cracks: there the body is about flat, so they
    /// get supporting planes.
    pub fn new(filling: Filling, directions: &[(u32, Local)]) -> Self {
        let Filling { points, ids, spheres, interfaces, across, .. } = filling;
        let (middle, half) = middle_and_half_of_lanes(&points);
        let flat: Vec<Local> = directions.iter().map(|(_, normal)| *normal).collect();
        let mut apart = vec![];
        let interface = |(sibling, buckets): (u32, Range<usize>)| {
            let spread = spread(&points[buckets.clone()], &ids[buckets.clone()], &mut apart);
            Interface { sibling, buckets, spread }
        };
        let interfaces = interfaces.into_iter().map(interface).collect();
        Self {
            supports: Supports::new(&points, &flat),
            points,
            ids,
            across,
            buckets: SphereLanes::list(&spheres),
            groups: SphereLanes::around(&spheres),
            middle,
            // Enlarged for rounding (1e-6 is several f32 roundings).
            half: half * (1.0 + 1e-6),
            interfaces,
        }
    }

    /// The buckets of the crack towards a sibling.
    pub fn interface(&self, sibling: u32) -> Range<usize> {
        self.towards(sibling).map_or(0..0, |interface| interface.buckets.clone())
    }

    /// Well-spread samples of the crack towards a sibling, with their buckets.
    pub fn spread(&self, sibling: u32) -> impl Iterator<Item = (usize, Sample)> {
        self.towards(sibling).into_iter().flat_map(move |Interface { buckets, spread, .. }| {
            spread.iter().take_while(|place| **place != NONE).map(move |place| {
                let (bucket, k) = (buckets.start + *place as usize / LANES, *place as usize % LANES);
                (bucket, Sample { at: self.points[bucket].get(k), id: self.ids[bucket][k] })
            })
        })
    }

    fn towards(&self, sibling: u32) -> Option<&Interface> {
        let found = self.interfaces.binary_search_by_key(&sibling, |interface| interface.sibling);
        found.ok().map(|k| &self.interfaces[k])
    }

    /// Number of bounding spheres: of buckets, and of groups.
    pub fn spheres(&self) -> [usize; 2] {
        [self.points.len(), self.points.len().div_ceil(LANES)]
    }

    /// The sample nearest to a position, and its distance.
    pub fn nearest(&self, p: &Local) -> Option<(Local, f32)> {
        let mut best: Option<(Local, f32)> = None;
        let may_be_nearer = |apart: f32, best: &Option<(Local, f32)>| best.is_none_or(|(_, least)| apart < least);
        for (block, groups) in self.groups.iter().enumerate() {
            for (k, apart) in groups.apart(p).into_iter().enumerate() {
                // Padding is infinitely far away.
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
        let points = held(&self.points) + held(&self.ids) + held(&self.across);
        points + held(&self.buckets) + held(&self.groups) + held(&self.interfaces) + self.supports.bytes()
    }
}

/// Outward direction across the crack at a bucket.
enum Slope {
    Known(Local),
    Fitted(Base),
}

/// The mean normal of a crack, and two directions along it.
struct Base {
    whole: Local,
    u: Local,
    v: Local,
}

impl Base {
    fn new(whole: &Local) -> Self {
        let [u, v] = along(whole);
        Self { whole: *whole, u, v }
    }

    /// Normal of the plane fitted to the first `count` points of a bucket, regularized towards the mean normal with a
    /// weight of one squared edge: few or collinear points do not determine a plane.
    fn fitted(&self, points: &PointLanes, count: usize, edge: f32) -> Local {
        let Self { whole, u, v } = self;
        let [x, y, z] = &points.at;
        let mean = |at: &[f32; LANES]| at[..count].iter().sum::<f32>() / count as f32;
        let (middle_x, middle_y, middle_z) = (mean(x), mean(y), mean(z));
        let mut sums = [[0.0; LANES]; 5];
        let [uu, uv, vv, uh, vh] = &mut sums;
        for k in 0..LANES {
            // Padding counts zero.
            let there = (k < count) as u8 as f32;
            let (x, y, z) = ((x[k] - middle_x) * there, (y[k] - middle_y) * there, (z[k] - middle_z) * there);
            let (along_u, along_v) = (u.x * x + u.y * y + u.z * z, v.x * x + v.y * y + v.z * z);
            let height = whole.x * x + whole.y * y + whole.z * z;
            uu[k] = along_u * along_u;
            uv[k] = along_u * along_v;
            vv[k] = along_v * along_v;
            uh[k] = along_u * height;
            vh[k] = along_v * height;
        }
        let [uu, uv, vv, uh, vh] = sums.map(|sum| sum.iter().sum::<f32>());
        let besides = edge * edge;
        let (uu, vv) = (uu + besides, vv + besides);
        let determinant = uu * vv - uv * uv;
        let slope_u = (uh * vv - vh * uv) / determinant;
        let slope_v = (vh * uu - uh * uv) / determinant;
        (whole - u * slope_u - v * slope_v).try_normalize(f32::MIN_POSITIVE).unwrap_or(*whole)
    }
}
