//! The fracture event: reads one object and makes the break of its fragments (Glondu 2013, sections 4.2, 6.2 and 6.3).
//!
//! The pattern is asked at the nodes; tetrahedra with several cells are divided into regions; what hangs together is a fragment; all
//! is weighed, numbered and grouped by piece. Every step is linear in the nodes and regions of the object that broke, whatever the
//! asset and the family hold besides.

use super::cell_planes;
use super::crumbs::{self, Joined, Sizes};
use super::edges::EdgeCorner;
use super::envelope::Envelope;
use super::fragments::{self, Fragments};
use super::pattern::Pattern;
use super::points::{self, Owners};
use super::regions::{Detail, Divided, Holder};
use super::scratch::Scratch;
use super::{Fracture, FractureOptions, Outcome, cutting, faces, later, some_tets, trees, weigh, weigh_skeleton};
use crate::body::Object;
use crate::error::Result;
use crate::field::breaks::{Break, Kind, Piece, group};
use crate::geom::aabb::Aabb;
use crate::geom::{NONE, Point};
use std::ops::Range;

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
    let mut scratch = Scratch::with_cells(object, &envelope);
    let outcome = Event { object, pattern, envelope: &envelope, options, scratch: &mut scratch, step }.run();
    scratch.give_back(object);
    outcome
}

/// An event under way.
struct Event<'a> {
    object: &'a Object,
    pattern: &'a Pattern,
    envelope: &'a Envelope,
    options: &'a FractureOptions,
    scratch: &'a mut Scratch,
    step: &'a mut dyn FnMut(&'static str),
}

impl Event<'_> {
    fn run(&mut self) -> Result<Outcome> {
        // Queries need no regions: where possible they are made on demand.
        if later::can_wait(self.object, self.envelope)
            && let Some(outcome) = self.shatter(Detail::Skeleton)?
        {
            return Ok(outcome);
        }
        // Regions are always enough: there is an outcome.
        let outcome = self.shatter(Detail::Regions)?;
        Ok(outcome.unwrap_or(Outcome::Whole { vanished_cells: 0 }))
    }

    /// `None` if a skeleton is not enough.
    fn shatter(&mut self, detail: Detail) -> Result<Option<Outcome>> {
        let (divided, edges) =
            cutting::divide(self.object, self.envelope, self.options, self.scratch, self.step, detail)?;
        if divided.needs_regions {
            return Ok(None);
        }
        let fragments = fragments::find(self.object, self.envelope, &divided, self.scratch);
        (self.step)("fragments");
        let mut there = fragments.cell.clone();
        there.dedup();
        let vanished_cells = self.envelope.vanished(&there);
        if fragments.count() == 1 {
            return Ok(Some(Outcome::Whole { vanished_cells }));
        }
        let (made, joined) = match self.make_break(divided, &edges, &fragments, detail)? {
            Weighed::Break(made, joined) => (*made, joined),
            Weighed::OnePiece => return Ok(Some(Outcome::Whole { vanished_cells })),
            Weighed::NeedsRegions => return Ok(None),
        };
        let crumbs_joined = (fragments.count() - made.pieces.len()) as u32;
        let slivers = joined.is_sliver.iter().filter(|s| **s).count() as u32;
        let cells = made.pieces.iter().map(|piece| self.envelope.name(piece.cell)).collect();
        let sphere_trees = trees::split(self.object, &made);
        (self.step)("sphere trees");
        let objects = self.object.fragments(made, sphere_trees);
        let crumbs_joined = crumbs_joined.saturating_sub(slivers);
        Ok(Some(Outcome::Broken(Fracture { objects, cells, vanished_cells, crumbs_joined })))
    }

    /// Weighs, joins crumbs, and sorts: all data of the pieces.
    fn make_break(
        &mut self,
        mut divided: Divided,
        edges: &[EdgeCorner],
        fragments: &Fragments,
        detail: Detail,
    ) -> Result<Weighed> {
        let Self { object, pattern, envelope, options, scratch, step } = self;
        let solid = object.asset().solid();
        let by_fragment = nodes_by(object, fragments.count(), |node| scratch.fragment_of[node as usize]);
        let weighed = match detail {
            Detail::Regions => {
                let (nodes, starts) = &by_fragment;
                Some(weigh::weigh(object, &divided, fragments, &scratch.fragment_of, (nodes, starts)))
            }
            Detail::Skeleton => weigh_skeleton::weigh(object, envelope, &divided, fragments, scratch),
        };
        let Some(mut masses) = weighed else { return Ok(Weighed::NeedsRegions) };
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
        for corner in &divided.shared_corners {
            let fragment = |holder: Holder| holder.of(&scratch.fragment_of, &fragments.of_part);
            corner.holders().for_each(|holder| grow(fragment(holder), &corner.at));
        }
        let most = options.max_fragments.min(envelope.most) as usize;
        let sizes = Sizes { masses: &masses, bounds: &bounds };
        if detail == Detail::Skeleton && !crumbs::may_all_stay(object, &sizes, options, most) {
            return Ok(Weighed::NeedsRegions);
        }
        let joined = crumbs::join(object, &divided, fragments, &sizes, options, most);
        let count = joined.kept.len();
        if count == 1 {
            return Ok(Weighed::OnePiece);
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
        let faces = match detail {
            Detail::Regions => faces::of_regions(&owners),
            Detail::Skeleton => faces::of_skeleton(&owners, &fragments.cell, edges, &divided),
        };
        let mut made = Break {
            nodes,
            points: found.points,
            next_id: found.next_id,
            generation: generation + 1,
            ..Break::default()
        };
        match detail {
            Detail::Regions => made.set_cut_tets(divided.cut_tets(&of_part, count, generation + 1)),
            Detail::Skeleton => {
                made.later = Some(later::again(object, pattern));
                // A piece that shares its cell is asked for more than its planes.
                let shares = |f: usize| kinds[f] == Kind::PartOfCell;
                let is_wanted: Vec<bool> = (0..count).map(shares).collect();
                if is_wanted.contains(&true) {
                    let some = some_tets::divide(object, envelope, &divided, fragments, scratch, &is_wanted);
                    made.shared_cell_tets = some.divided.cut_tets(&some.of_part, count, generation + 1);
                }
            }
        }
        let range = |starts: &[usize], f: usize| -> Range<usize> { starts[f]..starts[f + 1] };
        made.pieces = (0..count)
            .map(|f| Piece {
                nodes: range(&node_starts, f),
                points: range(&found.starts, f),
                mass: masses[f],
                bounds: piece_bounds[f],
                cell: fragments.cell[joined.kept[f] as usize],
                kind: kinds[f],
                planes: 0..0,
                drawn: 0..0,
            })
            .collect();
        step("pieces");
        cell_planes::add(object, envelope, &faces, &mut made.pieces, &mut made.planes);
        step("planes");
        Ok(Weighed::Break(Box::new(made), joined))
    }
}

/// What weighing and joining came to.
enum Weighed {
    Break(Box<Break>, Joined),
    /// Everything was joined: only one piece is left.
    OnePiece,
    /// A skeleton is not enough.
    NeedsRegions,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::{Asset, CookOptions};
    use crate::field::breaks::CrackPoint;
    use crate::geom::Vector;
    use crate::geom::random::unit;
    use crate::solid::shapes;

    /// A skeleton and all regions tell the same of pieces, but for the numbers of crack points and for rounding.
    #[test]
    fn skeletons_tell_what_regions_tell() {
        let bodies = [
            shapes::brick(1),
            shapes::brick(2),
            shapes::ball(1.0, 10),
            shapes::hollow_ball(1.0, 10, 2),
            shapes::torus(1.0, 0.3, 24, 8),
        ];
        let mut fewer = 0;
        for (body, solid) in bodies.into_iter().enumerate() {
            let asset = Asset::cook(solid, &CookOptions::default()).unwrap();
            let object = &Object::intact(&asset)[0];
            for count in [2u64, 3, 5, 9, 27, 120] {
                let bounds = object.bounds();
                let random = |k: u64, axis: usize| unit(body as u64, 1000 * count + 3 * k + axis as u64);
                let seed = |k: u64| bounds.min + Vector::from_fn(|axis, _| random(k, axis) * bounds.size()[axis]);
                let pattern = Pattern::voronoi((0..count).map(seed).collect());
                let [quick, whole] = [Detail::Skeleton, Detail::Regions].map(|detail| {
                    let options = FractureOptions::default();
                    let envelope = Envelope::new(&pattern, object, &options.tasks).unwrap();
                    let mut scratch = Scratch::with_cells(object, &envelope);
                    let (step, scratch) = (&mut |_| {}, &mut scratch);
                    let mut event =
                        Event { object, pattern: &pattern, envelope: &envelope, options: &options, scratch, step };
                    let outcome = event.shatter(detail).unwrap();
                    std::mem::take(scratch).give_back(object);
                    outcome
                });
                let Some(quick) = quick else {
                    fewer += 1; // slivers, or very many cells in a tetrahedron
                    continue;
                };
                let [Some(quick), Some(whole)] = [quick, whole.unwrap()].map(Outcome::broken) else { continue };
                assert_eq!(quick.cells, whole.cells, "{body} {count}");
                let [a, b] = [&quick, &whole].map(|f| f.objects[0].made_by());
                assert_eq!((&a.nodes, &a.planes, a.next_id), (&b.nodes, &b.planes, b.next_id), "{body} {count}");
                assert_eq!(a.cut_tets(), b.cut_tets(), "{body} {count}");
                for (p, q) in quick.objects.iter().zip(&whole.objects) {
                    let what = |p: &CrackPoint| (p.key, p.neighbour, p.at.x.to_bits(), p.at.y.to_bits());
                    let [mut own, mut other] = [p, q].map(|o| o.crack_points().iter().map(what).collect::<Vec<_>>());
                    own.sort_unstable();
                    other.sort_unstable();
                    assert_eq!(own, other, "{body} {count}");
                    assert_eq!((p.bounds(), p.kind()), (q.bounds(), q.kind()), "{body} {count}");
                    let (m, n) = (p.mass(), q.mass());
                    let size = n.volume.cbrt();
                    assert!((m.volume - n.volume).abs() < 1e-9 * n.volume, "{body} {count}: {m:?} {n:?}");
                    assert!((m.centre - n.centre).norm() < 1e-9 * size, "{body} {count}: {m:?} {n:?}");
                    assert!((m.inertia - n.inertia).norm() < 1e-9 * n.inertia.norm(), "{body} {count}: {m:?} {n:?}");
                }
            }
        }
        assert!(fewer < 5, "{fewer} of 30 were not enough");
    }
}
