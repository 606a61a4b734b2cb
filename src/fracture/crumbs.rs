//! Crumbs: fragments too small, or too many, are joined to the neighbour with which they share the largest crack.
//!
//! The crack between them vanishes everywhere, because their nodes get one label and the event cuts anew.

use super::FractureOptions;
use super::cracks::Context;
use super::surface::crack_areas;
use crate::field::breaks::Break;
use std::collections::BTreeMap;

/// Which fragment goes where.
pub struct Joined {
    /// The new number of each old fragment.
    pub new_number: Vec<u32>,
    /// For each new number the old fragment whose borders it keeps: the largest of those that were joined.
    pub kept: Vec<u32>,
}

/// Joins what is too small; `None` if everything may stay.
pub fn join(context: &Context, made: &Break, options: &FractureOptions, most: usize) -> Option<Joined> {
    let count = made.pieces.len();
    let whole = context.object.mass().volume;
    let too_small =
        |nodes: usize, volume: f64| nodes < options.min_nodes as usize || volume < options.min_volume_share * whole;
    let is_crumb = |f: usize| too_small(made.pieces[f].nodes.len(), made.pieces[f].mass.volume);
    if count <= most && !(0..count).any(is_crumb) {
        return None;
    }
    // A group is named by the old fragment whose borders it keeps.
    let mut neighbours: Vec<BTreeMap<u32, f64>> = vec![BTreeMap::new(); count];
    for ((f, g), area) in crack_areas(context.object.asset(), made) {
        neighbours[f as usize].insert(g, area);
        neighbours[g as usize].insert(f, area);
    }
    let mut nodes: Vec<usize> = made.pieces.iter().map(|p| p.nodes.len()).collect();
    let mut volume: Vec<f64> = made.pieces.iter().map(|p| p.mass.volume).collect();
    let mut kept_in: Vec<u32> = (0..count as u32).collect();
    let mut alive: Vec<u32> = kept_in.clone();
    loop {
        alive.retain(|f| kept_in[*f as usize] == *f);
        let smallest = |list: &mut dyn Iterator<Item = u32>| {
            list.min_by(|a, b| volume[*a as usize].total_cmp(&volume[*b as usize]).then(a.cmp(b)))
        };
        let mut crumbs = alive.iter().copied().filter(|f| too_small(nodes[*f as usize], volume[*f as usize]));
        let next =
            smallest(&mut crumbs).or_else(|| (alive.len() > most).then(|| smallest(&mut alive.iter().copied()))?);
        let Some(crumb) = next else { break };
        let by_area = |a: &(&u32, &f64), b: &(&u32, &f64)| a.1.total_cmp(b.1).then(b.0.cmp(a.0));
        let Some(host) = neighbours[crumb as usize].iter().max_by(by_area).map(|(g, _)| *g) else { break };
        let (keep, gone) = if volume[host as usize] >= volume[crumb as usize] { (host, crumb) } else { (crumb, host) };
        kept_in[gone as usize] = keep;
        nodes[keep as usize] += nodes[gone as usize];
        volume[keep as usize] += volume[gone as usize];
        for (other, area) in std::mem::take(&mut neighbours[gone as usize]) {
            neighbours[other as usize].remove(&gone);
            if other != keep {
                *neighbours[other as usize].entry(keep).or_insert(0.0) += area;
                *neighbours[keep as usize].entry(other).or_insert(0.0) += area;
            }
        }
    }
    if alive.len() == count {
        return None; // nothing left to join with
    }
    let group_of = |mut f: u32| {
        while kept_in[f as usize] != f {
            f = kept_in[f as usize];
        }
        alive.binary_search(&f).unwrap_or(0) as u32
    };
    let new_number = (0..count as u32).map(group_of).collect();
    Some(Joined { new_number, kept: alive })
}
