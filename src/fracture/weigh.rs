//! The mass of fragments, exactly and without visiting what was not cut.
//!
//! A fragment first gets all of every tetrahedron whose lowest node it owns, which are summed beforehand at the nodes
//! (`Asset::moments_from`); of those that are cut, what others have is taken from it and given to these. A crumb of few nodes would
//! be the small difference of large numbers: it is summed directly, about a point of its own.

use super::fragments::Fragments;
use super::regions::{Divided, Work};
use crate::body::Object;
use crate::geom::moments::{MassProperties, Moments};
use crate::geom::{NONE, Point};

/// Fragments with fewer nodes are summed directly.
const FEW_NODES: usize = 16;

/// So are those of whose tetrahedra a smaller share is whole.
const MOSTLY_CUT: f64 = 0.1;

/// The masses of all fragments; `nodes` are those of the object by fragment, `starts` where those of each start.
pub fn weigh(
    object: &Object,
    divided: &Divided,
    fragments: &Fragments,
    fragment_of: &[u32],
    (nodes, starts): (&[u32], &[usize]),
) -> Vec<MassProperties> {
    let asset = object.asset();
    let solid = asset.solid();
    let count = fragments.count();
    let mut first_part = vec![NONE; count];
    for (part, fragment) in (0..divided.parts.len() as u32).zip(&fragments.of_part).rev() {
        first_part[*fragment as usize] = part;
    }
    let corner = |part: u32| {
        let tet = divided.work[divided.parts[part as usize].work as usize].tet;
        solid.nodes()[solid.tets()[tet as usize][0] as usize]
    };
    let own = |f: usize| &nodes[starts[f]..starts[f + 1]];
    let mut whole: Vec<f64> = (0..count).map(|f| own(f).iter().map(|n| asset.moments_from(*n).volume).sum()).collect();
    let gross = whole.clone();
    let lowest = |work: &Work| fragment_of[solid.tets()[work.tet as usize][0] as usize];
    for (work, parts) in divided.by_tet().filter(|(work, _)| lowest(work) != NONE) {
        let others = parts.filter(|part| fragments.of_part[*part] != lowest(work));
        whole[lowest(work) as usize] -= others.map(|part| divided.moments[part].volume).sum::<f64>();
    }
    let is_direct = |f: usize| own(f).len() < FEW_NODES || whole[f] < MOSTLY_CUT * gross[f];
    let origin = |f: usize| -> Point {
        match (is_direct(f), first_part[f]) {
            (false, _) => *asset.centre(),
            (true, NONE) => solid.nodes()[nodes[starts[f]] as usize],
            (true, part) => corner(part),
        }
    };
    let origins: Vec<Point> = (0..count).map(origin).collect();
    let mut sums = vec![Moments::default(); count];
    for f in 0..count {
        if !is_direct(f) {
            own(f).iter().for_each(|n| sums[f] += *asset.moments_from(*n));
            continue;
        }
        for t in own(f).iter().flat_map(|n| solid.tets_from(*n)) {
            if divided.work.binary_search_by_key(&(t as u32), |w| w.tet).is_err() {
                let corners = solid.corners(t as u32).map(|p| p - origins[f]);
                sums[f] += Moments::of_tet(&corners, solid.signed_volume(t as u32).abs());
            }
        }
    }
    let is_direct: Vec<bool> = (0..count).map(is_direct).collect();
    for (work, parts) in divided.by_tet() {
        let (owner, at) = (lowest(work), corner(parts.start as u32));
        // Whose nodes' sums have all of the tetrahedron.
        let holder = if owner == NONE || is_direct[owner as usize] { NONE } else { owner };
        let is_whole = work.earlier == NONE && holder != NONE;
        if !is_whole && holder != NONE {
            let corners = solid.corners(work.tet).map(|p| p - asset.centre());
            sums[holder as usize] -= Moments::of_tet(&corners, solid.signed_volume(work.tet).abs());
        }
        for part in parts {
            let f = fragments.of_part[part];
            if is_whole && f == holder {
                continue; // it has it
            }
            let moments = divided.moments[part].shifted(&(at - origins[f as usize]));
            sums[f as usize] += moments;
            if is_whole {
                let same_origin = !is_direct[f as usize];
                let moments = if same_origin { moments } else { divided.moments[part].shifted(&(at - asset.centre())) };
                sums[holder as usize] -= moments;
            }
        }
    }
    sums.iter().zip(&origins).map(|(sum, origin)| sum.mass(origin, asset.density())).collect()
}
