//! The mass of fragments, exactly and without visiting what was not cut.
//!
//! A fragment first gets all of every tetrahedron whose lowest node it owns, which are summed beforehand at the nodes
//! (`Asset::moments_from`); where the tetrahedron is cut, it hands over to the others what is theirs. So of all pieces of a
//! tetrahedron one follows from the rest. A crumb of few nodes would be the small difference of large numbers: it is summed
//! directly, about a point of its own.

use super::cracks::Context;
use crate::field::breaks::CutTet;
use crate::geom::knockout::{SIDE_BY_SIDE, Split};
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

    /// Adds what a cut tetrahedron gives to its fragments, and takes it from the owner of its lowest node.
    pub fn weigh(&mut self, cut: &CutTet, splits: &[Split]) {
        let solid = self.context.object.asset().solid();
        let corners = solid.corners(cut.tet);
        let volume = solid.signed_volume(cut.tet).abs();
        let [a, b, c, d] = cut.owners;
        let is_plain = |o: u32| self.origins.get(o as usize).is_some_and(|origin| !origin.direct);
        let by_difference = is_plain(a) && is_plain(b) && is_plain(c) && is_plain(d);
        match splits {
            [only] if by_difference => self.hand_over(cut, only, &corners, volume),
            [fg, fh, gh] if by_difference => self.hand_over_two(cut, [fg, fh, gh], &corners, volume),
            _ => self.replace(cut, splits, &corners, volume, by_difference),
        }
    }

    /// One crack between two fragments: the one without the lowest node gets its side.
    #[inline(never)]
    fn hand_over(&mut self, cut: &CutTet, split: &Split, corners: &[Point; 4], volume: f64) {
        let (first, second) = split.sides();
        let side = if first & 1 != 0 { second } else { first };
        let centre = self.context.object.asset().centre();
        // Nodes of that side, then those of the other.
        let order = SIDE_BY_SIDE[side as usize & 15];
        let at = |k: usize| corners[order[k] & 3] - centre;
        let gap = |k: usize| split.gaps[order[k] & 3].abs() as f64;
        let (at, gaps) = ([at(0), at(1), at(2), at(3)], [gap(0), gap(1), gap(2), gap(3)]);
        let piece = match side.count_ones() {
            1 => tip(&at, &gaps, volume),
            2 => wedge(&at, &gaps, volume),
            // All but the tip at the lowest node, which is the last one here.
            _ => {
                let tip = tip(&[at[3], at[0], at[1], at[2]], &[gaps[3], gaps[0], gaps[1], gaps[2]], volume);
                Moments::of_tet(&at, volume) - tip
            }
        };
        *self.sum_of(cut.owners[order[0]]) += piece;
        *self.sum_of(cut.owners[0]) -= piece;
    }

    /// Three fragments, by the three splits of one event: the first two have one convex region each, the third has the rest.
    #[inline(never)]
    fn hand_over_two(&mut self, cut: &CutTet, [fg, fh, gh]: [&Split; 3], corners: &[Point; 4], volume: f64) {
        let local: [Vector; 4] = corners.map(|p| p - corners[0]);
        let shift = corners[0] - self.context.object.asset().centre();
        let ((f, g), (_, h)) = (fg.sides(), fh.sides());
        let mut left = Moments::default();
        for (own, towards) in [(f, [(g, fg), (h, fh)]), (g, [(f, fg), (h, gh)])] {
            let mut gain = region(&local, own, towards, volume);
            if own & 1 != 0 {
                gain -= Moments::of_tet(&local, volume);
            }
            let gain = gain.shifted(&shift);
            left -= gain;
            *self.sum_of(cut.owners[own.trailing_zeros() as usize]) += gain;
        }
        *self.sum_of(cut.owners[h.trailing_zeros() as usize]) += left;
    }

    /// Any number of cracks: cuts the tetrahedron up.
    #[inline(never)]
    fn replace(&mut self, cut: &CutTet, splits: &[Split], corners: &[Point; 4], volume: f64, by_difference: bool) {
        let owners = cut.owners;
        // About the tetrahedron's own first node, where the numbers are small.
        let local: [Vector; 4] = corners.map(|p| p - corners[0]);
        let nodes_of = |owner: u32| (0..4).fold(0u8, |mask, k| mask | ((owners[k] == owner) as u8) << k);
        // The last label often has two regions: it gets what the others leave, if nobody else does.
        let last = if by_difference { owners.iter().copied().max().unwrap_or(NONE) } else { NONE };
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
            if !origin.direct && k == 0 {
                gain -= Moments::of_tet(&local, volume);
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

/// The tip at the first corner of a tetrahedron.
fn tip(at: &[Vector; 4], gaps: &[f64; 4], volume: f64) -> Moments {
    let t = [ratio(gaps, 0, 1), ratio(gaps, 0, 2), ratio(gaps, 0, 3)];
    let cut = |k: usize| at[0] + (at[k] - at[0]) * t[k - 1];
    Moments::of_tet(&[at[0], cut(1), cut(2), cut(3)], volume * (t[0] * t[1] * t[2]))
}

/// The wedge of the first two corners against the last two.
fn wedge(at: &[Vector; 4], gaps: &[f64; 4], volume: f64) -> Moments {
    let (t02, t03, t12, t13) = (ratio(gaps, 0, 2), ratio(gaps, 0, 3), ratio(gaps, 1, 2), ratio(gaps, 1, 3));
    let cut = |i: usize, j: usize, t: f64| at[i] + (at[j] - at[i]) * t;
    let (p02, p03, p12, p13) = (cut(0, 2, t02), cut(0, 3, t03), cut(1, 2, t12), cut(1, 3, t13));
    // Three tetrahedra between six points, which share their squares.
    let (v1, v2, v3) = (volume * (t12 * t13), volume * (t02 * (1.0 - t12) * t13), volume * (t02 * t03 * (1.0 - t13)));
    let both = at[0] + p13;
    let (s1, s2, s3) = (both + at[1] + p12, both + p02 + p12, both + p02 + p03);
    let mut wedge = Moments { volume: v1 + v2 + v3, first: (s1 * v1 + s2 * v2 + s3 * v3) * 0.25, second: [0.0; 6] };
    let (v1, v2, v3) = (v1 * (1.0 / 20.0), v2 * (1.0 / 20.0), v3 * (1.0 / 20.0));
    let all = v1 + v2 + v3;
    wedge.add_square(&at[0], all);
    wedge.add_square(&at[1], v1);
    wedge.add_square(&p02, v2 + v3);
    wedge.add_square(&p03, v3);
    wedge.add_square(&p12, v1 + v2);
    wedge.add_square(&p13, all);
    wedge.add_square(&s1, v1);
    wedge.add_square(&s2, v2);
    wedge.add_square(&s3, v3);
    wedge
}

/// What the owner of the nodes `own` has, where it is bounded by one split towards each of two others.
fn region(corners: &[Vector; 4], own: u8, towards: [(u8, &Split); 2], volume: f64) -> Moments {
    let first = |mask: u8| mask.trailing_zeros() as usize;
    let gap = |split: &Split, k: usize| split.gaps[k].abs() as f64;
    if own.count_ones() == 1 {
        // One node against one and against two: what lies before the single opponent is a tetrahedron in which two
        // corners, the node and the cut point, are set against the pair.
        let [(one, near), (two, far)] = if towards[0].0.count_ones() == 1 { towards } else { [towards[1], towards[0]] };
        let (a, b, c) = (first(own), first(one), first(two));
        let d = first(two & !(1 << c));
        let t = gap(near, a) / (gap(near, a) + gap(near, b));
        let at = [corners[a], corners[a] + (corners[b] - corners[a]) * t, corners[c], corners[d]];
        let gaps = [gap(far, a), (1.0 - t) * gap(far, a), gap(far, c), gap(far, d)];
        return wedge(&at, &gaps, volume * t);
    }
    // Two nodes a, b against c and against d: the whole without a tip at c and a tip at d, which overlap in a third.
    let [(c, at_c), (d, at_d)] = towards.map(|(mask, split)| (first(mask), split));
    let (a, b) = (first(own), first(own & (own - 1)));
    let tip = |apex: usize, split: &Split| [a, b].map(|k| gap(split, apex) / (gap(split, apex) + gap(split, k)));
    let (ct, dt) = (tip(c, at_c), tip(d, at_d));
    let from_c = |v: &Vector| v - corners[c];
    let [pa, pb] = [from_c(&corners[a]) * ct[0], from_c(&corners[b]) * ct[1]];
    let to_d = from_c(&corners[d]);
    let mut region = Moments::default();
    region.add_corner_tet(&[pa, pb, to_d], -volume * ct[0] * ct[1]);
    let [qa, qb] = [0, 1].map(|k| to_d + (from_c(&corners[[a, b][k]]) - to_d) * dt[k]);
    region.add_corner_tet(&[qa, qb, to_d], -volume * dt[0] * dt[1]);
    let reach = |k: usize, weight: f64| gap(at_d, d) / (gap(at_d, d) + gap(at_d, k) * weight);
    let (ra, rb) = (reach(a, ct[0]), reach(b, ct[1]));
    region.add_corner_tet(&[to_d + (pa - to_d) * ra, to_d + (pb - to_d) * rb, to_d], volume * ct[0] * ct[1] * ra * rb);
    region.add_corner_tet(&[from_c(&corners[a]), from_c(&corners[b]), to_d], volume);
    region.shifted(&corners[c])
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
        nodes.iter().for_each(|n| sum += *asset.moments_from(*n));
    }
    sum.mass(&origin.at, asset.density())
}
