//! Crumbs: fragments too small, or too many, are joined to the neighbour with which they share the largest crack.
//!
//! Only the owner of their regions changes: nothing is cut anew. The crack between the two is inside the piece then, which is a
//! union of cells; but slivers thinner than any tolerance, as recutting along an old crack makes them, do not count as cells.

use super::FractureOptions;
use super::regions::Divided;
use crate::body::Object;
use crate::cut::polytope::Polytope;
use crate::geom::aabb::Aabb;
use crate::geom::counting_sort::group;
use crate::geom::moments::MassProperties;
use crate::geom::pinned::powi;
use crate::geom::{NONE, Point, Vector};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Fragments thinner than this, relative to the radius of the object, are slivers: their volume over the area of their largest crack.
const SLIVER: f64 = 1e-8;

/// Which fragment goes where.
pub struct Joined {
    /// The piece of each fragment.
    pub piece_of: Vec<u32>,
    /// For each piece the fragment that it is called by: the largest of those that were joined.
    pub kept: Vec<u32>,
    /// By fragment: whether it is too thin to count as a cell of its own.
    pub is_sliver: Vec<bool>,
}

/// What is known of fragments.
pub struct Sizes<'a> {
    pub masses: &'a [MassProperties],
    pub bounds: &'a [Aabb],
}

/// Whether nothing is too small or too thin, and all fragments may stay as they are.
pub fn may_all_stay(object: &Object, sizes: &Sizes, options: &FractureOptions, most: usize) -> bool {
    let count = sizes.masses.len();
    count <= most && !(0..count).any(|f| Limits::new(object, options).may_be_crumb(sizes, f))
}

/// What counts as too small.
struct Limits {
    radius: f64,
    min_volume: f64,
    min_radius: f64,
}

impl Limits {
    fn new(object: &Object, options: &FractureOptions) -> Self {
        Self {
            radius: object.bounds().radius(),
            min_volume: options.min_volume_share * object.mass().volume,
            min_radius: options.min_radius,
        }
    }

    fn is_thin(&self, volume: f64, area: f64) -> bool {
        // What has no volume for rounding may be NaN.
        volume.is_nan() || volume <= SLIVER * self.radius * area
    }

    fn is_small(&self, volume: f64, bounds: &Aabb) -> bool {
        volume < self.min_volume || bounds.radius() < self.min_radius
    }

    fn may_be_sliver(&self, sizes: &Sizes, f: usize) -> bool {
        self.is_thin(sizes.masses[f].volume, powi(sizes.bounds[f].radius(), 2))
    }

    fn may_be_crumb(&self, sizes: &Sizes, f: usize) -> bool {
        self.may_be_sliver(sizes, f) || self.is_small(sizes.masses[f].volume, &sizes.bounds[f])
    }
}

impl Joined {
    /// If all of so many fragments may stay as they are.
    pub fn none(count: usize) -> Self {
        Self { piece_of: (0..count as u32).collect(), kept: (0..count as u32).collect(), is_sliver: vec![false; count] }
    }
}

/// Joins what is too small, given the areas of the cracks between fragments. `most` is how many there may be.
pub fn join(
    object: &Object,
    areas: BTreeMap<(u32, u32), f64>,
    sizes: &Sizes,
    options: &FractureOptions,
    most: usize,
) -> Joined {
    let count = sizes.masses.len();
    let limits = Limits::new(object, options);
    let mut neighbours: Vec<BTreeMap<u32, f64>> = vec![BTreeMap::new(); count];
    for ((f, g), area) in areas {
        neighbours[f as usize].insert(g, area);
        neighbours[g as usize].insert(f, area);
    }
    let is_sliver: Vec<bool> = (0..count)
        .map(|f| {
            let largest = neighbours[f].values().fold(0.0, |a: f64, b| a.max(*b));
            limits.may_be_sliver(sizes, f) && limits.is_thin(sizes.masses[f].volume, largest)
        })
        .collect();
    let mut volume: Vec<f64> = sizes.masses.iter().map(|mass| mass.volume).collect();
    let mut bounds = sizes.bounds.to_vec();
    let mut kept_in: Vec<u32> = (0..count as u32).collect();
    let is_crumb = |f: u32, volume: f64, bounds: &Aabb| is_sliver[f as usize] || limits.is_small(volume, bounds);
    // The smallest first; what has grown since it was put in, or is gone, is passed over.
    let [mut crumbs, mut all_left] = [(); 2].map(|()| Smallest::default());
    for f in 0..count as u32 {
        all_left.put(f, volume[f as usize]);
        if is_crumb(f, volume[f as usize], &bounds[f as usize]) {
            crumbs.put(f, volume[f as usize]);
        }
    }
    let mut left = count;
    loop {
        // A neighbour that is lost for good leaves none: what has none never gets one.
        let may_join = |f: u32, own: f64| {
            let k = f as usize;
            kept_in[k] == f && volume[k].total_cmp(&own).is_eq() && !neighbours[k].is_empty()
        };
        // One that grew without getting heavier may be large enough by now.
        let is_still = |f: u32, own: f64| may_join(f, own) && is_crumb(f, own, &bounds[f as usize]);
        let next = crumbs.take(is_still).or_else(|| if left > most { all_left.take(may_join) } else { None });
        let Some(crumb) = next else { break };
        let by_area = |a: &(&u32, &f64), b: &(&u32, &f64)| a.1.total_cmp(b.1).then(b.0.cmp(a.0));
        let Some(host) = neighbours[crumb as usize].iter().max_by(by_area).map(|(g, _)| *g) else { break };
        let (keep, gone) = if volume[host as usize] >= volume[crumb as usize] { (host, crumb) } else { (crumb, host) };
        kept_in[gone as usize] = keep;
        left -= 1;
        volume[keep as usize] += volume[gone as usize];
        let added = bounds[gone as usize];
        bounds[keep as usize].grow(&added.min);
        bounds[keep as usize].grow(&added.max);
        for (other, area) in std::mem::take(&mut neighbours[gone as usize]) {
            neighbours[other as usize].remove(&gone);
            if other != keep {
                *neighbours[other as usize].entry(keep).or_insert(0.0) += area;
                *neighbours[keep as usize].entry(other).or_insert(0.0) += area;
            }
        }
        let (own, around) = (volume[keep as usize], &bounds[keep as usize]);
        all_left.put(keep, own);
        if is_crumb(keep, own, around) {
            crumbs.put(keep, own);
        }
    }
    let mut kept: Vec<u32> = (0..count as u32).collect();
    kept.retain(|f| kept_in[*f as usize] == *f);
    // Where chains of joins lead, each step of them once.
    let mut piece_of = vec![NONE; count];
    kept.iter().zip(0..).for_each(|(f, piece)| piece_of[*f as usize] = piece);
    let mut chain = vec![];
    for f in 0..count as u32 {
        let mut last = f;
        while piece_of[last as usize] == NONE {
            chain.push(last);
            last = kept_in[last as usize];
        }
        let piece = piece_of[last as usize];
        chain.drain(..).for_each(|f| piece_of[f as usize] = piece);
    }
    Joined { piece_of, kept, is_sliver }
}

/// Fragments by their volumes; each may be there several times.
#[derive(Default)]
struct Smallest(BinaryHeap<Reverse<(u64, u32)>>);

impl Smallest {
    fn put(&mut self, f: u32, volume: f64) {
        self.0.push(Reverse((in_order(volume), f)));
    }

    /// The smallest that `is_it`, given what its volume was; those before it are dropped.
    fn take(&mut self, is_it: impl Fn(u32, f64) -> bool) -> Option<u32> {
        while let Some(Reverse((key, f))) = self.0.pop() {
            if is_it(f, of_order(key)) {
                return Some(f);
            }
        }
        None
    }
}

/// A whole number that is larger for larger ones, in the total order of floating-point numbers.
fn in_order(volume: f64) -> u64 {
    let bits = volume.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// The number that it was.
fn of_order(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 0 { !key } else { key & !(1 << 63) })
}

/// Areas of the cracks between fragments, from the facets of their regions.
pub fn crack_areas(object: &Object, divided: &Divided, of_part: &[u32]) -> BTreeMap<(u32, u32), f64> {
    let solid = object.asset().solid();
    // The facets of each region.
    let sides = divided.facets.iter().flat_map(|f| f.parts).filter(|p| *p != NONE);
    let keys: Vec<u32> = sides.collect();
    let numbers: Vec<u32> = (0..divided.facets.len() as u32)
        .flat_map(|k| divided.facets[k as usize].parts.map(|p| (p, k)))
        .filter(|(p, _)| *p != NONE)
        .map(|(_, k)| k)
        .collect();
    let (by_part, starts) = group(divided.parts.len(), &keys, |k| numbers[k]);
    let mut areas = BTreeMap::new();
    let (mut polytope, mut rim) = (Polytope::default(), vec![]);
    for (t, &(tet, first_split, first_part)) in divided.tets.iter().enumerate() {
        let end = divided.tets.get(t + 1).map_or(divided.parts.len(), |next| next.2 as usize);
        let corners = solid.corners(tet);
        for part in first_part as usize..end {
            let splits = &divided.splits[first_split as usize..];
            polytope.set_region(splits, divided.walls_of(part).iter().copied());
            polytope.each_facet(&mut rim, |wall, rim| {
                // Every facet once: from its first side.
                let Some((split, false)) = wall.as_crack() else { return };
                let own = by_part[starts[part]..starts[part + 1]].iter().map(|f| &divided.facets[*f as usize]);
                let mut own = own.filter(|f| splits[split].is(f.generation, f.cells));
                let Some([a, b]) = own.next().map(|f| f.parts).filter(|parts| !parts.contains(&NONE)) else {
                    return;
                };
                let [f, g] = [of_part[a as usize], of_part[b as usize]];
                if f != g {
                    let at = |k: u16| -> Point {
                        let w = polytope.weights_at(k as usize);
                        Point::from((0..4).fold(Vector::zeros(), |at, i| at + corners[i].coords * w[i]))
                    };
                    let base = at(rim[0]);
                    let pairs = rim[1..].windows(2);
                    let area: Vector = pairs.map(|p| (at(p[0]) - base).cross(&(at(p[1]) - base)) * 0.5).sum();
                    *areas.entry((f.min(g), f.max(g))).or_insert(0.0) += area.norm();
                }
            });
        }
    }
    areas
}
