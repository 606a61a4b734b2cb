//! Some tetrahedra of a skeleton that are divided after all: those in which certain fragments have a part.

use super::edges::Contested;
use super::envelope::Envelope;
use super::fragments::Fragments;
use super::regions::{Detail, Divided, Divider, Known, Part, Work};
use super::scratch::Scratch;
use crate::body::Object;
use crate::geom::NONE;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicUsize;

/// Tetrahedra with all their regions.
pub struct SomeTets {
    pub divided: Divided,
    /// The fragment of each region.
    pub of_part: Vec<u32>,
}

/// Divides the tetrahedra of a skeleton in which fragments that are wanted have a part.
pub fn divide(
    object: &Object,
    envelope: &Envelope,
    skeleton: &Divided,
    fragments: &Fragments,
    scratch: &Scratch,
    is_wanted: &[bool],
) -> SomeTets {
    let tets = object.asset().solid().tets();
    let Scratch { cell_of, fragment_of, contested, .. } = scratch;
    let is_wanted = |fragment: u32| is_wanted.get(fragment as usize) == Some(&true);
    // By tetrahedron and cell: parts that own no node.
    let parts = skeleton.parts.iter().zip(&fragments.of_part);
    let listed: HashMap<(u32, u64), u32> =
        parts.map(|(part, f)| ((skeleton.work[part.work as usize].tet, part.label), *f)).collect();
    let lone: HashSet<u32> = listed.iter().filter(|(_, f)| is_wanted(**f)).map(|((tet, _), _)| *tet).collect();
    let has_node = |tet: u32| tets[tet as usize].iter().any(|n| is_wanted(fragment_of[*n as usize]));
    let work: Vec<Work> = skeleton.work.iter().filter(|w| has_node(w.tet) || lone.contains(&w.tet)).copied().collect();
    let known = Known {
        object,
        envelope,
        cell_of,
        contested: Contested { from: contested },
        crossed: &HashSet::new(),
        budget: (&AtomicUsize::new(0), usize::MAX),
        detail: Detail::Regions,
    };
    let divided = Divider::new(known, work.len()).run(&work, 0);
    let divided = Divided { work, ..divided };
    let fragment = |part: &Part| {
        let tet = divided.work[part.work as usize].tet;
        match part.nodes {
            0 => listed.get(&(tet, part.label)).copied().unwrap_or(NONE),
            own => fragment_of[tets[tet as usize][own.trailing_zeros() as usize & 3] as usize],
        }
    };
    let of_part = divided.parts.iter().map(fragment).collect();
    SomeTets { divided, of_part }
}
