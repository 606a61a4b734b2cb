//! The mass of fragments, exactly and without visiting what was not cut.
//!
//! A fragment that owns k nodes of a tetrahedron first gets k quarters of it, which are summed beforehand at the nodes
//! (`Asset::nodal_moments`); where the tetrahedron is cut, the quarters are replaced by the true pieces. What one fragment
//! gains by that, the others lose, so of all pieces of a tetrahedron one follows from the rest. A crumb of few nodes would
//! be the small difference of large numbers: it is summed directly, about a point of its own.

use super::cracks::Context;
use crate::field::breaks::CutTet;
use crate::geom::knockout::Split;
use crate::geom::moments::{MassProperties, Moments};
use crate::geom::simplex::{Corner, dissect};
use crate::geom::{NONE, Point, Vector};

/// Fragments with fewer nodes are summed directly.
const FEW_NODES: usize = 16;

/// What the moments of a fragment are about: the middle of the asset, or, if it is summed directly, its own first node.
#[derive(Clone, Copy)]
pub struct Origin {
    pub at: Point,
    pub direct: bool,
}

/// Origins of all fragments, whose nodes are grouped by fragment.
pub fn origins(context: &Context, nodes: &[u32], starts: &[usize]) -> Vec<Origin> {
    let asset = context.object.asset();
    let few = |first: usize| Origin { at: asset.solid().nodes()[nodes[first] as usize], direct: true };
    let many = Origin { at: *asset.centre(), direct: false };
    starts.windows(2).map(|w| if w[1] - w[0] < FEW_NODES { few(w[0]) } else { many }).collect()
}

/// The moments that a run of cut tetrahedra adds to fragments, about the fragments' origins.
pub struct Corrections<'a> {
    context: &'a Context<'a>,
    origins: &'a [Origin],
    slots: Vec<u32>,
    pub sums: Vec<(u32, Moments)>,
}

impl<'a> Corrections<'a> {
    pub fn new(context: &'a Context<'a>, origins: &'a [Origin]) -> Self {
        Self { context, origins, slots: vec![NONE; origins.len()], sums: vec![] }
    }

    fn sum_of(&mut self, fragment: u32) -> &mut Moments {
        let slot = &mut self.slots[fragment as usize];
        if *slot == NONE {
            *slot = self.sums.len() as u32;
            self.sums.push((fragment, Moments::default()));
        }
        &mut self.sums[*slot as usize].1
    }

    /// Adds what a cut tetrahedron gives to its fragments beyond the quarters that their nodes stand for.
    pub fn weigh(&mut self, cut: &CutTet, splits: &[Split]) {
        let solid = self.context.object.asset().solid();
        let corners = solid.corners(cut.tet);
        let volume = solid.signed_volume(cut.tet).abs();
        let by_quarters = cut.owners.iter().all(|o| *o != NONE && !self.origins[*o as usize].direct);
        match splits {
            [only] if by_quarters => self.exchange(cut, only, &corners, volume),
            [fg, fh, gh] if by_quarters => self.exchange_three(cut, [fg, fh, gh], &corners, volume),
            _ => self.replace(cut, splits, &corners, volume, by_quarters),
        }
    }

    /// One crack between two fragments: what one gains the other loses.
    fn exchange(&mut self, cut: &CutTet, split: &Split, corners: &[Point; 4], volume: f64) {
        let (first, _) = split.sides();
        // The side with one node, or the first of two; its nodes come first.
        let side = if first.count_ones() == 3 { !first & 0b1111 } else { first };
        let mut order = [0; 4];
        let (mut front, mut back) = (0, side.count_ones() as usize);
        for k in 0..4 {
            let place = if side >> k & 1 != 0 { &mut front } else { &mut back };
            order[*place] = k;
            *place += 1;
        }
        let apex = corners[order[0]];
        let edges: [Vector; 3] = std::array::from_fn(|k| corners[order[k + 1]] - apex);
        let gaps = order.map(|k| split.gaps[k].abs() as f64);
        let gain =
            if side.count_ones() == 1 { tip_gain(&edges, &gaps, volume) } else { wedge_gain(&edges, &gaps, volume) };
        let gain = gain.shifted(&(apex - self.context.object.asset().centre()));
        *self.sum_of(cut.owners[order[0]]) += gain;
        *self.sum_of(cut.owners[order[3]]) -= gain;
    }

    /// Three fragments, by the three splits of one event: the first two have one convex region each, the third loses
    /// what they gain.
    fn exchange_three(&mut self, cut: &CutTet, [fg, fh, gh]: [&Split; 3], corners: &[Point; 4], volume: f64) {
        let local: [Vector; 4] = corners.map(|p| p - corners[0]);
        let shift = corners[0] - self.context.object.asset().centre();
        let ((f, g), (_, h)) = (fg.sides(), fh.sides());
        let mut left = Moments::default();
        for (own, towards) in [(f, [(g, fg), (h, fh)]), (g, [(f, fg), (h, gh)])] {
            let gain = region_gain(&local, own, towards, volume).shifted(&shift);
            left -= gain;
            *self.sum_of(cut.owners[own.trailing_zeros() as usize]) += gain;
        }
        *self.sum_of(cut.owners[h.trailing_zeros() as usize]) += left;
    }

    /// Any number of cracks: cuts the tetrahedron up.
    fn replace(&mut self, cut: &CutTet, splits: &[Split], corners: &[Point; 4], volume: f64, by_quarters: bool) {
        let owners = cut.owners;
        // About the tetrahedron's own first node, where the numbers are small.
        let local: [Vector; 4] = corners.map(|p| p - corners[0]);
        let whole = Moments::of_tet(&local, volume);
        let nodes_of = |owner: u32| (0..4).fold(0u8, |mask, k| mask | ((owners[k] == owner) as u8) << k);
        // The last label often has two regions: it gets what the others leave, if nobody else does.
        let last = if by_quarters { owners.iter().copied().max().unwrap_or(NONE) } else { NONE };
        let wanted = 0b1111 & !nodes_of(last);
        let mut pieces = [Moments::default(); 4];
        dissect(&Corner::of_tet(&local), volume, splits, 0b1111, wanted, &mut |alive, part, volume| {
            pieces[alive.trailing_zeros() as usize] += Moments::of_tet(&part.map(|c| c.at), volume);
        });
        let mut left = Moments::default();
        for k in 0..4 {
            let owner = owners[k];
            // Once for each fragment: at its first node, which is where the pieces were put.
            if owner == NONE || owner == last || owners[..k].contains(&owner) {
                continue;
            }
            let origin = self.origins[owner as usize];
            let mut gain = pieces[k];
            if !origin.direct {
                gain -= whole.scaled(0.25 * nodes_of(owner).count_ones() as f64);
            }
            let gain = gain.shifted(&(corners[0] - origin.at));
            left -= gain;
            *self.sum_of(owner) += gain;
        }
        if last != NONE {
            *self.sum_of(last) += left;
        }
    }
}

/// What the owner of one corner gains over its quarter: the tip of the tetrahedron, about that corner.
fn tip_gain(edges: &[Vector; 3], gaps: &[f64; 4], volume: f64) -> Moments {
    let cuts: [Vector; 3] = std::array::from_fn(|k| edges[k] * ratio(gaps, 0, k + 1));
    let tip = volume * (0..3).map(|k| ratio(gaps, 0, k + 1)).product::<f64>();
    let mut gain = Moments::default();
    gain.add_corner_tet(&cuts, tip);
    gain.add_corner_tet(edges, -0.25 * volume);
    gain
}

/// What the owner of two corners gains over its half, about the first of them.
fn wedge_gain(edges: &[Vector; 3], gaps: &[f64; 4], volume: f64) -> Moments {
    let mut gain = wedge(edges, gaps, volume);
    gain.add_corner_tet(edges, -0.5 * volume);
    gain
}

/// The wedge of the first two corners against the last two, about the first.
fn wedge(edges: &[Vector; 3], gaps: &[f64; 4], volume: f64) -> Moments {
    let [b, c, d] = edges;
    let (t02, t03, t12, t13) = (ratio(gaps, 0, 2), ratio(gaps, 0, 3), ratio(gaps, 1, 2), ratio(gaps, 1, 3));
    let (p02, p03) = (c * t02, d * t03);
    let (p12, p13) = (b + (c - b) * t12, b + (d - b) * t13);
    let mut wedge = Moments::default();
    wedge.add_corner_tet(&[*b, p12, p13], volume * t12 * t13);
    wedge.add_corner_tet(&[p02, p12, p13], volume * t02 * (1.0 - t12) * t13);
    wedge.add_corner_tet(&[p02, p03, p13], volume * t02 * t03 * (1.0 - t13));
    wedge
}

/// What the owner of the nodes `own` gains over its quarters, where it is bounded by one split towards each of two others.
fn region_gain(corners: &[Vector; 4], own: u8, towards: [(u8, &Split); 2], volume: f64) -> Moments {
    let first = |mask: u8| mask.trailing_zeros() as usize;
    let gap = |split: &Split, k: usize| split.gaps[k].abs() as f64;
    if own.count_ones() == 1 {
        // One node against one and against two: what lies before the single opponent is a tetrahedron in which two
        // corners, the node and the cut point, are set against the pair.
        let [(one, near), (two, far)] = if towards[0].0.count_ones() == 1 { towards } else { [towards[1], towards[0]] };
        let (a, b, c) = (first(own), first(one), first(two));
        let d = first(two & !(1 << c));
        let t = gap(near, a) / (gap(near, a) + gap(near, b));
        let edges = [(corners[b] - corners[a]) * t, corners[c] - corners[a], corners[d] - corners[a]];
        let gaps = [gap(far, a), (1.0 - t) * gap(far, a), gap(far, c), gap(far, d)];
        let mut gain = wedge(&edges, &gaps, volume * t);
        gain.add_corner_tet(&[1, 2, 3].map(|k| corners[(a + k) % 4] - corners[a]), -0.25 * volume);
        return gain.shifted(&corners[a]);
    }
    // Two nodes a, b against c and against d: the whole without a tip at c and a tip at d, which overlap in a third.
    let [(c, at_c), (d, at_d)] = towards.map(|(mask, split)| (first(mask), split));
    let (a, b) = (first(own), first(own & (own - 1)));
    let tip = |apex: usize, split: &Split| [a, b].map(|k| gap(split, apex) / (gap(split, apex) + gap(split, k)));
    let (ct, dt) = (tip(c, at_c), tip(d, at_d));
    let from_c = |v: &Vector| v - corners[c];
    let [pa, pb] = [from_c(&corners[a]) * ct[0], from_c(&corners[b]) * ct[1]];
    let to_d = from_c(&corners[d]);
    let mut gain = Moments::default();
    gain.add_corner_tet(&[pa, pb, to_d], -volume * ct[0] * ct[1]);
    let [qa, qb] = [0, 1].map(|k| to_d + (from_c(&corners[[a, b][k]]) - to_d) * dt[k]);
    gain.add_corner_tet(&[qa, qb, to_d], -volume * dt[0] * dt[1]);
    let reach = |k: usize, weight: f64| gap(at_d, d) / (gap(at_d, d) + gap(at_d, k) * weight);
    let (ra, rb) = (reach(a, ct[0]), reach(b, ct[1]));
    gain.add_corner_tet(&[to_d + (pa - to_d) * ra, to_d + (pb - to_d) * rb, to_d], volume * ct[0] * ct[1] * ra * rb);
    gain.add_corner_tet(&[from_c(&corners[a]), from_c(&corners[b]), to_d], 0.5 * volume);
    gain.shifted(&corners[c])
}

/// Where the crack crosses the edge from corner i to corner j.
fn ratio(gaps: &[f64; 4], i: usize, j: usize) -> f64 {
    gaps[i] / (gaps[i] + gaps[j])
}

/// Mass properties of one fragment from its nodes and the corrections at its cuts.
pub fn mass(context: &Context, origin: &Origin, nodes: &[u32], corrections: &Moments) -> MassProperties {
    let asset = context.object.asset();
    let mut sum = *corrections;
    if origin.direct {
        let solid = asset.solid();
        let own = context.fragment_of[nodes[0] as usize];
        for t in nodes.iter().flat_map(|n| solid.tets_from(*n)) {
            if solid.tets()[t].iter().all(|n| context.fragment_of[*n as usize] == own) {
                let corners = solid.corners(t as u32).map(|p| p - origin.at);
                sum += Moments::of_tet(&corners, solid.signed_volume(t as u32).abs());
            }
        }
    } else {
        nodes.iter().for_each(|n| sum += *asset.nodal_moments(*n));
    }
    sum.mass(&origin.at, asset.density())
}
