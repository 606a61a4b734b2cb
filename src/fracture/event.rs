//! The fracture event: reads one object and makes the break of its fragments (Glondu 2013, sections 4.2, 6.2 and 6.3).
//!
//! The pattern is asked at the nodes; tetrahedra with several cells are divided into regions; what hangs together is a fragment; all
//! is weighed, numbered and grouped by piece. Every step is linear in the nodes and regions of the object that broke, whatever the
//! asset and the family hold besides.

use super::cell_planes;
use super::crumbs::{self, Joined, Sizes};
use super::edges::{self, EdgeCorner};
use super::envelope::Envelope;
use super::fragments::{self, Fragments};
use super::pattern::Pattern;
use super::points::{self, Owners};
use super::regions::{Contested, Divided, Divider, Known, Work};
use super::scratch::Scratch;
use super::{Fracture, FractureOptions, Outcome, trees, weigh};
use crate::body::Object;
use crate::error::{Error, Result};
use crate::field::breaks::{Break, Kind, Piece, cuts_by_piece, group};
use crate::geom::aabb::Aabb;
use crate::geom::polytope::Wall;
use crate::geom::{NONE, Point};
use std::ops::Range;
use std::sync::atomic::AtomicUsize;

/// Tetrahedra a task divides at a time. They are divided independently of each other: this does not change the result.
const GRAIN: usize = 1 << 10;

/// Runs the event; `step` is called after each step with its name, so that benchmarks can tell them apart.
pub fn run(
    object: &Object,
    pattern: &Pattern,
    options: &FractureOptions,
    step: &mut dyn FnMut(&'static str),
) -> Result<Outcome> {
    options.check()?;
    let envelope = Envelope::new(pattern, object, &options.tasks)?;
    step("cells of nodes");
    let mut scratch = Scratch::take(object);
    object.nodes().iter().for_each(|n| scratch.cell_of[*n as usize] = envelope.cell_of(*n));
    let outcome = shatter(object, &envelope, options, &mut scratch, step);
    scratch.give_back(object);
    outcome
}

fn shatter(
    object: &Object,
    envelope: &Envelope,
    options: &FractureOptions,
    scratch: &mut Scratch,
    step: &mut dyn FnMut(&'static str),
) -> Result<Outcome> {
    let work = cut_tets(object, scratch);
    step("cut tetrahedra");
    let (made, budget) = (AtomicUsize::new(0), options.max_regions as usize);
    let tets = object.asset().solid().tets();
    // Every plane through a tetrahedron that no event has cut makes one more: what is hopeless is known at once.
    let whole = work.iter().filter(|w| w.earlier == NONE);
    let fewest: usize = whole.map(|w| envelope.fewest_regions(&tets[w.tet as usize])).sum();
    if fewest > budget {
        return Err(too_many_regions(budget));
    }
    let crossed = edges::crossed_before(object, &work, &scratch.cell_of);
    let (edges, contested_edges) = edges::find(object, envelope, &crossed, scratch, &options.tasks);
    step("edges");
    let Scratch { cell_of, contested, .. } = &*scratch;
    let contested = Contested { nodes: contested, edges: &contested_edges };
    let known = Known { object, envelope, cell_of, contested, crossed: &crossed, budget: (&made, budget) };
    // On one thread all at once: then there is nothing to put together.
    let grain = if options.tasks.is_inline() { work.len().max(1) } else { GRAIN };
    let runs = options.tasks.map_chunks(work.len(), grain, |range| {
        Divider::new(known, range.len()).run(&work[range.clone()], range.start as u32)
    });
    let divided = Divided::joined(work, runs);
    if divided.too_many_cracks {
        return Err(Error::TooLarge(format!(
            "this pattern would cut a tetrahedron by more than {} cracks; break with fewer cells or planes at a time, or refine the mesh",
            Wall::MOST_SPLITS
        )));
    }
    if divided.too_many {
        return Err(too_many_regions(budget));
    }
    step("regions");
    let fragments = fragments::find(object, envelope, &divided, scratch);
    step("fragments");
    let mut there = fragments.cell.clone();
    there.dedup();
    let vanished_cells = envelope.vanished(&there);
    if fragments.count() == 1 {
        return Ok(Outcome::Whole { vanished_cells });
    }
    let made = make_break(object, envelope, divided, &edges, &fragments, options, scratch, step)?;
    let Some((made, joined)) = made else { return Ok(Outcome::Whole { vanished_cells }) };
    let crumbs_joined = (fragments.count() - made.pieces.len()) as u32;
    let slivers = joined.is_sliver.iter().filter(|s| **s).count() as u32;
    let cells = made.pieces.iter().map(|piece| envelope.name(piece.cell)).collect();
    let sphere_trees = trees::split(object, &made);
    step("sphere trees");
    let objects = object.fragments(made, sphere_trees);
    let crumbs_joined = crumbs_joined.saturating_sub(slivers);
    Ok(Outcome::Broken(Fracture { objects, cells, vanished_cells, crumbs_joined }))
}

fn too_many_regions(budget: usize) -> Error {
    Error::TooLarge(format!(
        "this pattern would cut the object into more than {budget} regions (convex parts of tetrahedra); \
         break it with fewer cells or planes at a time, or raise max_regions"
    ))
}

/// The tetrahedra that may have several cells, ascending: those with nodes of several, and those that were cut before.
fn cut_tets(object: &Object, scratch: &mut Scratch) -> Vec<Work> {
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
        while let Some(k) = before.next_if(|k| made_by.tets[*k as usize].tet < tet) {
            work.push(Work { tet: made_by.tets[k as usize].tet, earlier: k });
        }
        // Where an earlier event cut it, it is in the other list.
        if before.peek().is_none_or(|k| made_by.tets[*k as usize].tet != tet) {
            work.push(Work { tet, earlier: NONE });
        }
    }
    work.extend(before.map(|k| Work { tet: made_by.tets[k as usize].tet, earlier: k }));
    work
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

/// Weighs, joins crumbs, and sorts: all data of the pieces. `None` if only one piece is left.
#[allow(clippy::too_many_arguments)] // the steps of an event, each with what the others made
fn make_break(
    object: &Object,
    envelope: &Envelope,
    mut divided: Divided,
    edges: &[EdgeCorner],
    fragments: &Fragments,
    options: &FractureOptions,
    scratch: &mut Scratch,
    step: &mut dyn FnMut(&'static str),
) -> Result<Option<(Break, Joined)>> {
    let solid = object.asset().solid();
    let by_fragment = nodes_by(object, fragments.count(), |node| scratch.fragment_of[node as usize]);
    let mut masses = {
        let (nodes, starts) = &by_fragment;
        weigh::weigh(object, &divided, fragments, &scratch.fragment_of, (nodes, starts))
    };
    step("mass");
    let mut bounds = vec![Aabb::EMPTY; fragments.count()];
    for (f, bounds) in bounds.iter_mut().enumerate() {
        let own = &by_fragment.0[by_fragment.1[f]..by_fragment.1[f + 1]];
        own.iter().for_each(|n| bounds.grow(&solid.nodes()[*n as usize]));
    }
    let mut grow = |fragment: u32, at: &Point| bounds[fragment as usize].grow(at);
    for corner in edges {
        corner.nodes.iter().for_each(|n| grow(scratch.fragment_of[*n as usize], &corner.at));
    }
    divided.corners.iter().for_each(|corner| grow(fragments.of_part[corner.part as usize], &corner.at));
    for corner in &divided.face_corners {
        corner.nodes.iter().for_each(|n| grow(scratch.fragment_of[*n as usize], &corner.at));
    }
    let most = options.max_fragments.min(envelope.most) as usize;
    let sizes = Sizes { masses: &masses, bounds: &bounds };
    let joined = crumbs::join(object, &divided, fragments, &sizes, options, most);
    let count = joined.kept.len();
    if count == 1 {
        return Ok(None);
    }
    let kinds = kinds(object, envelope, &divided, fragments, &joined, &scratch.fragment_of);
    step("bounds, crumbs");
    let of_part: Vec<u32> = fragments.of_part.iter().map(|f| joined.piece_of[*f as usize]).collect();
    let (nodes, node_starts) = if count == fragments.count() {
        by_fragment
    } else {
        for &node in object.nodes() {
            let fragment = &mut scratch.fragment_of[node as usize];
            *fragment = joined.piece_of[*fragment as usize];
        }
        let pieces = Fragments { cell: vec![0; count], of_part: of_part.clone() };
        let grouped = nodes_by(object, count, |node| scratch.fragment_of[node as usize]);
        masses = weigh::weigh(object, &divided, &pieces, &scratch.fragment_of, (&grouped.0, &grouped.1));
        grouped
    };
    let mut piece_bounds = vec![Aabb::EMPTY; count];
    for (bounds, piece) in bounds.iter().zip(&joined.piece_of) {
        piece_bounds[*piece as usize].grow(&bounds.min);
        piece_bounds[*piece as usize].grow(&bounds.max);
    }
    let generation = envelope.generation;
    let facets = std::mem::take(&mut divided.facets);
    let owners = Owners {
        count,
        of_part: &of_part,
        of_node: &scratch.fragment_of,
        facets: &facets,
        generation,
        is_flat: envelope.is_flat,
    };
    let found = points::collect(object, &owners, edges, &divided)?;
    step("crack points");
    let mut made =
        Break { nodes, points: found.points, next_id: found.next_id, generation: generation + 1, ..Break::default() };
    divided.put_into(&mut made, &of_part);
    let (cuts, cut_starts) = cuts_by_piece(count, &made.tets, &made.regions);
    made.cuts = cuts;
    let range = |starts: &[usize], f: usize| -> Range<usize> { starts[f]..starts[f + 1] };
    made.pieces = (0..count)
        .map(|f| Piece {
            nodes: range(&node_starts, f),
            cuts: range(&cut_starts, f),
            points: range(&found.starts, f),
            mass: masses[f],
            bounds: piece_bounds[f],
            cell: fragments.cell[joined.kept[f] as usize],
            kind: kinds[f],
            planes: 0..0,
            drawn: 0..0,
        })
        .collect();
    step("regions by piece");
    cell_planes::add(object, envelope, &owners, &mut made.pieces, &mut made.planes);
    step("planes");
    Ok(Some((made, joined)))
}

/// The nodes of the object by a number that each has, and where those of each number start.
fn nodes_by(object: &Object, count: usize, number: impl Fn(u32) -> u32) -> (Vec<u32>, Vec<usize>) {
    let keys: Vec<u32> = object.nodes().iter().map(|n| number(*n)).collect();
    group(count, &keys, |k| object.nodes()[k])
}

/// What each piece is made of.
fn kinds(
    object: &Object,
    envelope: &Envelope,
    divided: &Divided,
    fragments: &Fragments,
    joined: &Joined,
    fragment_of: &[u32],
) -> Vec<Kind> {
    let count = joined.kept.len();
    // Whatever became of the other parts of its cell: a piece is alone if there are none.
    let mut parts = vec![0; fragments.cell.iter().max().map_or(0, |most| *most as usize + 1)];
    let whole = fragments.cell.iter().zip(&joined.is_sliver).filter(|(_, is_sliver)| !**is_sliver);
    whole.for_each(|(cell, _)| parts[*cell as usize] += 1);
    let is_alone = |piece: usize| parts[fragments.cell[joined.kept[piece] as usize] as usize] <= 1;
    if count == fragments.count() && envelope.first_joined == NONE {
        return (0..count).map(|piece| cell_planes::kind(object, envelope, false, is_alone(piece))).collect();
    }
    // The cell of each piece, and whether it has several.
    let mut cells: Vec<(Option<u64>, bool)> = vec![(None, false); count];
    let mut meet = |piece: u32, label: u64| {
        let (own, several) = &mut cells[piece as usize];
        // The rest of a blow counts as several even if a part of it has one: it goes by the number of the first of them.
        *several |= own.is_some_and(|own| own != label) || envelope.is_rest(label);
        *own = Some(label);
    };
    let parts = divided.parts.iter().zip(&fragments.of_part).map(|(part, fragment)| (*fragment, part.label));
    let nodes = object.nodes().iter().map(|n| (fragment_of[*n as usize], envelope.label_of(*n)));
    for (fragment, label) in parts.chain(nodes) {
        if !joined.is_sliver[fragment as usize] {
            meet(joined.piece_of[fragment as usize], label);
        }
    }
    let kind = |(piece, (_, several)): (usize, &(Option<u64>, bool))| {
        cell_planes::kind(object, envelope, *several, is_alone(piece))
    };
    cells.iter().enumerate().map(kind).collect()
}
