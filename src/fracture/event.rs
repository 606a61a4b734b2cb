//! The fracture event: reads one object and makes the break of its fragments (Glondu 2013, sections 4.2, 6.2 and 6.3).
//!
//! Labels, fragments, cut tetrahedra with their splits and corners, cut edges, masses, and all of it grouped by fragment.
//! Every step is linear in the nodes of the object that broke, whatever the asset and the family hold besides.

use super::cells::Cells;
use super::cracks::{self, Context, Cracks};
use super::fragments::{self, Fragments};
use super::pattern::Pattern;
use super::scratch::Scratch;
use super::weigh;
use super::{Fracture, FractureOptions, Outcome, crumbs, half_spaces, trees};
use crate::body::Object;
use crate::error::{Error, Result};
use crate::field::breaks::{Break, CrackPoint, CutTet, MOST_IDS, Piece, cuts_by_piece, group};
use crate::geom::NONE;
use crate::geom::aabb::Aabb;
use crate::geom::moments::Moments;
use crate::tasks::Tasks;
use std::ops::Range;

/// Cut tetrahedra a task works on at a time. Part of the result: masses are summed run by run.
const GRAIN: usize = 1 << 10;

/// Runs the event; `step` is called after each step with its name, so that benchmarks can tell them apart.
pub fn run(
    object: &Object,
    pattern: &Pattern,
    options: &FractureOptions,
    step: &mut dyn FnMut(&'static str),
) -> Result<Outcome> {
    options.check()?;
    let mut scratch = Scratch::take(object);
    let mut sites = std::mem::take(&mut scratch.sites);
    let outcome = Cells::new(pattern, object, &options.tasks, &mut sites).and_then(|cells| {
        object.nodes().iter().zip(&cells.cell_of).for_each(|(n, cell)| scratch.cell_of[*n as usize] = *cell);
        step("labels");
        shatter(object, &cells, options, &mut scratch, step)
    });
    scratch.sites = sites;
    scratch.give_back(object);
    outcome
}

fn shatter(
    object: &Object,
    cells: &Cells,
    options: &FractureOptions,
    scratch: &mut Scratch,
    step: &mut dyn FnMut(&'static str),
) -> Result<Outcome> {
    let mut fragments = fragments::find(object, scratch);
    step("fragments, cut edges");
    let edges = object.asset().solid().edges();
    let vanished_cells = cells.vanished(fragments.cut_edges.iter().map(|e| edges[*e as usize]));
    let most = options.max_fragments.min(cells.most) as usize;
    let found = fragments.count();
    loop {
        if fragments.count() == 1 {
            return Ok(Outcome::Whole { vanished_cells });
        }
        let Scratch { cell_of, fragment_of, picked, .. } = &mut *scratch;
        let context = Context { object, cells, fragments: &fragments, cell_of, fragment_of };
        let made = make_break(&context, options, picked, step)?;
        let Some(joined) = crumbs::join(&context, &made, options, most) else {
            let crumbs_joined = (found - fragments.count()) as u32;
            let cells_of = made.pieces.iter().map(|piece| cells.name(piece.cell)).collect();
            let sphere_trees = trees::split(&context, &made);
            step("sphere trees");
            let objects = object.fragments(made, sphere_trees);
            return Ok(Outcome::Broken(Fracture { objects, cells: cells_of, vanished_cells, crumbs_joined }));
        };
        fragments = relabel(object, fragments, &joined, scratch);
        step("crumbs");
    }
}

/// Gives every node the fragment that its own was joined to.
fn relabel(object: &Object, old: Fragments, joined: &crumbs::Joined, scratch: &mut Scratch) -> Fragments {
    let fragment_of = &mut scratch.fragment_of;
    for &node in object.nodes() {
        let fragment = &mut fragment_of[node as usize];
        *fragment = joined.new_number[*fragment as usize];
    }
    let edges = object.asset().solid().edges();
    let mut cut_edges = old.cut_edges;
    cut_edges.retain(|e| {
        let [i, j] = edges[*e as usize];
        fragment_of[i as usize] != fragment_of[j as usize]
    });
    Fragments { cell: joined.kept.iter().map(|f| old.cell[*f as usize]).collect(), cut_edges, joined: true }
}

/// Cuts, weighs and sorts: all data of the fragments.
fn make_break(
    context: &Context,
    options: &FractureOptions,
    picked: &mut Vec<u32>,
    step: &mut dyn FnMut(&'static str),
) -> Result<Break> {
    let Context { object, fragments, fragment_of, .. } = *context;
    let count = fragments.count();
    let tasks = &options.tasks;
    let keys: Vec<u32> = object.nodes().iter().map(|n| fragment_of[*n as usize]).collect();
    let (nodes, node_starts) = group(count, &keys, |k| object.nodes()[k]);
    step("nodes by fragment");
    let work = cracks::cut_tets(context, picked);
    step("cut tetrahedra");
    let origins = weigh::origins(context, &nodes, &node_starts);
    let runs = tasks.map_chunks(work.len(), GRAIN, |range| cracks::cut(*context, &work[range], &origins));
    step("splits, corners, pieces weighed");

    let mut correction = vec![Moments::default(); count];
    runs.iter().flat_map(|run| &run.moments).for_each(|(fragment, moments)| correction[*fragment as usize] += *moments);
    let own_nodes = |f: usize| &nodes[node_starts[f]..node_starts[f + 1]];
    let masses: Vec<_> = (0..count).map(|f| weigh::mass(context, &origins[f], own_nodes(f), &correction[f])).collect();
    step("mass");

    let (points, point_starts, next_id) = crack_points(context, &runs, tasks)?;
    step("crack points");
    let (tets, splits) = concatenate(runs);
    let (cuts, cut_starts) = cuts_by_piece(count, &tets);
    let positions = object.asset().solid().nodes();
    let pieces = (0..count)
        .map(|f| {
            let range = |starts: &[usize]| -> Range<usize> { starts[f]..starts[f + 1] };
            let mut bounds = Aabb::around(own_nodes(f).iter().map(|n| &positions[*n as usize]));
            points[range(&point_starts)].iter().for_each(|p| bounds.grow(&p.at));
            Piece {
                nodes: range(&node_starts),
                cuts: range(&cut_starts),
                points: range(&point_starts),
                mass: masses[f],
                bounds,
                cell: fragments.cell[f],
                half_spaces: None,
            }
        })
        .collect();
    step("cuts by fragment, bounds");
    let mut made = Break { pieces, nodes, tets, splits, cuts, points, half_spaces: vec![], next_id };
    half_spaces::add(context, &mut made);
    step("half-spaces");
    Ok(made)
}

/// All crack points by fragment: the new ones on edges, two each, by what is across; those that the object had, with their
/// ids; and the new corners.
fn crack_points(context: &Context, runs: &[Cracks], tasks: &Tasks) -> Result<(Vec<CrackPoint>, Vec<usize>, u32)> {
    let Context { object, fragments, fragment_of, .. } = *context;
    let corners = runs.iter().map(|run| run.corners.len()).sum::<usize>();
    let first_id = object.made_by().next_id;
    let next_id = first_id as u64 + fragments.cut_edges.len() as u64 * 2 + corners as u64;
    if next_id > MOST_IDS - object.asset().solid().nodes().len() as u64 {
        return Err(Error::TooLarge(format!(
            "this family would have {next_id} crack points; feature numbers have 28 bits"
        )));
    }
    let count = fragments.count();
    let edges = object.asset().solid().edges();
    let ends_of = |place: u32| edges[fragments.cut_edges[place as usize] as usize];
    let owners_of = |place: u32| {
        let [i, j] = ends_of(place);
        [fragment_of[i as usize], fragment_of[j as usize]]
    };
    // Edges by the higher of their fragments, then, keeping that order, by the lower one: so their points come to each
    // fragment by what is across.
    let owners: Vec<[u32; 2]> = (0..fragments.cut_edges.len() as u32).map(owners_of).collect();
    let keys: Vec<u32> = owners.iter().map(|[f, g]| *f.max(g)).collect();
    let (by_higher, _) = group(count, &keys, |k| k as u32);
    let lower = |k: &u32| {
        let [f, g] = owners[*k as usize];
        f.min(g)
    };
    let keys: Vec<u32> = by_higher.iter().map(lower).collect();
    let (order, _) = group(count, &keys, |k| by_higher[k]);
    let cuts = tasks.map_chunks(order.len(), GRAIN, |range| cracks::edge_cuts(*context, &order[range]));

    let corners = || runs.iter().flat_map(|run| &run.corners);
    let mut starts = vec![0; count + 1];
    owners.iter().flatten().for_each(|f| starts[*f as usize + 1] += 1);
    let others = object.crack_points().iter().map(|p| p.node).chain(corners().map(|(_, node)| *node));
    others.for_each(|n| starts[fragment_of[n as usize] as usize + 1] += 1);
    (0..count).for_each(|k| starts[k + 1] += starts[k]);
    let mut next = starts.clone();
    let mut points = vec![CrackPoint::default(); starts[count]];
    let mut put = |point: CrackPoint, fragment: u32| {
        let place = &mut next[fragment as usize];
        points[*place] = point;
        *place += 1;
    };
    for (&k, at) in order.iter().zip(cuts.into_iter().flatten()) {
        let ([i, j], [f, g]) = (ends_of(k), owners[k as usize]);
        put(CrackPoint { at, node: i, id: first_id + 2 * k, neighbour: g }, f);
        put(CrackPoint { at, node: j, id: first_id + 2 * k + 1, neighbour: f }, g);
    }
    for point in object.crack_points() {
        put(CrackPoint { neighbour: NONE, ..*point }, fragment_of[point.node as usize]);
    }
    for (&(at, node), id) in corners().zip(first_id + 2 * order.len() as u32..) {
        put(CrackPoint { at, node, id, neighbour: NONE }, fragment_of[node as usize]);
    }
    Ok((points, starts, next_id as u32))
}

fn concatenate(runs: Vec<Cracks>) -> (Vec<CutTet>, Vec<crate::geom::knockout::Split>) {
    let mut tets = Vec::with_capacity(runs.iter().map(|r| r.tets.len()).sum());
    let mut splits = Vec::with_capacity(runs.iter().map(|r| r.splits.len()).sum());
    for run in runs {
        let offset = splits.len() as u32;
        tets.extend(run.tets.into_iter().map(|cut| CutTet { first_split: cut.first_split + offset, ..cut }));
        splits.extend(run.splits);
    }
    (tets, splits)
}
