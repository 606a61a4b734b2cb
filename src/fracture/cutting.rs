//! Which tetrahedra a pattern cuts, and what it cuts them into.

use super::FractureOptions;
use super::edges::{self, Contested, EdgeCorner};
use super::envelope::Envelope;
use super::regions::{Divided, Divider, Known, Work};
use super::scratch::Scratch;
use crate::body::Object;
use crate::cut::polytope::Wall;
use crate::error::{Error, Result};
use crate::geom::NONE;
use std::sync::atomic::AtomicUsize;

/// Tetrahedra a task divides at a time. They are divided independently of each other: this does not change the result.
const GRAIN: usize = 1 << 10;

/// Divides the tetrahedra that are cut, and finds the plain corners on edges.
pub fn divide(
    object: &Object,
    envelope: &Envelope,
    options: &FractureOptions,
    scratch: &mut Scratch,
    step: &mut dyn FnMut(&'static str),
) -> Result<(Divided, Vec<EdgeCorner>)> {
    let work = cut_tets(object, scratch);
    step("cut tetrahedra");
    let (made, budget) = (AtomicUsize::new(0), options.max_regions as usize);
    let tets = object.asset().solid().tets();
    // Every plane through a tetrahedron that no event has cut makes one more: what is hopeless is known at once.
    let whole = work.iter().filter(|w| w.earlier == NONE);
    let (mut fewest, mut most_of_one) = (0, 0);
    for w in whole {
        let own = envelope.fewest_regions(&tets[w.tet as usize]);
        (fewest, most_of_one) = (fewest + own, most_of_one.max(own));
    }
    if fewest > budget {
        return Err(too_many_regions(budget));
    }
    if most_of_one > Wall::MOST_SPLITS {
        return Err(too_many_cracks());
    }
    let crossed = edges::crossed_before(object, &work, &scratch.cell_of);
    let edges = edges::find(object, envelope, &crossed, scratch, &options.tasks);
    step("edges");
    let Scratch { cell_of, contested, .. } = &*scratch;
    let contested = Contested { from: contested };
    let budget_left = (&made, budget);
    let known = Known { object, envelope, cell_of, contested, crossed: &crossed, budget: budget_left };
    // On one thread all at once: then there is nothing to put together.
    let grain = if options.tasks.is_inline() { work.len().max(1) } else { GRAIN };
    let runs = options.tasks.map_chunks(work.len(), grain, |range| {
        Divider::new(known, range.len()).run(&work[range.clone()], range.start as u32)
    });
    let divided = Divided::joined(work, runs);
    envelope.meter.check()?;
    if divided.too_many_cracks {
        return Err(too_many_cracks());
    }
    if divided.too_many {
        return Err(too_many_regions(budget));
    }
    step("regions");
    Ok((divided, edges))
}

fn too_many_cracks() -> Error {
    Error::TooLarge(format!(
        "this pattern would cut a tetrahedron by more than {} cracks; break with fewer cells or planes at a time, or refine the mesh",
        Wall::MOST_SPLITS
    ))
}

pub fn too_many_regions(budget: usize) -> Error {
    Error::TooLarge(format!(
        "this pattern would cut the object into more than {budget} regions (convex parts of tetrahedra); \
         break it with fewer cells or planes at a time, or raise max_regions"
    ))
}

/// The tetrahedra that may have several cells, ascending: those with nodes of several, and those that were cut before.
pub fn cut_tets(object: &Object, scratch: &mut Scratch) -> Vec<Work> {
    let solid = object.asset().solid();
    let made_by = object.made_by();
    let tets = solid.tets();
    let Scratch { cell_of, picked, .. } = scratch;
    picked.resize(picked.len().max(tets.len() + 1), 0);
    let mut cut = 0;
    for run in object.nodes().chunk_by(|a, b| a + 1 == *b) {
        let from = solid.tets_from_all(run[0]..run[run.len() - 1] + 1);
        cut += pick_cut(&tets[from.clone()], from.start as u32, cell_of, &mut picked[cut..]);
    }
    let mut before = made_by.cuts_of(object.piece_number()).iter().copied().peekable();
    let mut work = Vec::with_capacity(cut + before.len());
    for &tet in &picked[..cut] {
        while let Some(k) = before.next_if(|k| made_by.cut_tets().tets[*k as usize].tet < tet) {
            work.push(Work { tet: made_by.cut_tets().tets[k as usize].tet, earlier: k });
        }
        // Where an earlier event cut it, it is in the other list.
        if before.peek().is_none_or(|k| made_by.cut_tets().tets[*k as usize].tet != tet) {
            work.push(Work { tet, earlier: NONE });
        }
    }
    work.extend(before.map(|k| Work { tet: made_by.cut_tets().tets[k as usize].tet, earlier: k }));
    work
}

/// A number that the regions of a whole body are not fewer than, given the cells of its nodes and how many pieces own none; and hardly ever
/// eight times as many.
pub fn fewest_regions(tets: &[[u32; 4]], cell_of: &[u32], without_nodes: usize) -> usize {
    let differ = |nodes: &[u32; 4]| {
        let [a, b, c, d] = nodes.map(|n| cell_of[n as usize]);
        let others = (b != a) as usize + ((c != a) & (c != b)) as usize + ((d != a) & (d != b) & (d != c)) as usize;
        if others == 0 { 0 } else { 1 + others }
    };
    without_nodes + tets.iter().map(differ).sum::<usize>()
}

/// Picks the tetrahedra, numbered from `first`, whose nodes have different cells; returns how many.
#[inline(never)] // a tight loop needs all registers
fn pick_cut(tets: &[[u32; 4]], first: u32, cell_of: &[u32], picked: &mut [u32]) -> usize {
    let mut cut = 0;
    for (&[a, b, c, d], t) in tets.iter().zip(first..) {
        // Branchless: unpredictable.
        let own = cell_of[a as usize];
        let [b, c, d] = [cell_of[b as usize], cell_of[c as usize], cell_of[d as usize]];
        picked[cut] = t;
        cut += ((b ^ own) | (c ^ own) | (d ^ own) != 0) as usize;
    }
    cut
}
