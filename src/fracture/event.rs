//! The fracture event: reads one object and makes the break of its fragments (Glondu 2013, sections 4.2, 6.2 and 6.3).
//!
//! The pattern is asked at the nodes; tetrahedra with several cells are divided into regions; what hangs together is a fragment; all
//! is weighed, numbered and grouped by piece. Every step is linear in the nodes and regions of the object that broke, whatever the
//! asset and the family hold besides.

use super::cell_planes;
use super::crumbs::{self, Joined, Sizes};
use super::edges::EdgeCorner;
use super::envelope::Envelope;
use super::fragments::{self, Fragments, nodes_by};
use super::limits::{self, Meter};
use super::pattern::Pattern;
use super::points::{self, Owners};
use super::regions::Divided;
use super::scratch::Scratch;
use super::{Fracture, FractureOptions, Outcome, boundary, cutting, faces, later, trees, weigh};
use crate::body::Object;
use crate::crack::breaks::{Break, Kind, Piece};
use crate::error::Result;
use crate::geom::Point;
use crate::geom::aabb::Aabb;
use std::ops::Range;

/// Runs the event; `step` is called after each step with its name, so that benchmarks can tell them apart.
pub fn run(
    object: &Object,
    pattern: &Pattern,
    options: &FractureOptions,
    step: &mut dyn FnMut(&'static str),
) -> Result<Outcome> {
    options.check()?;
    pattern.check()?;
    limits::check(object, pattern, options)?;
    let mut envelope = Envelope::unasked(pattern, object)?;
    envelope.meter = Meter::new(options);
    let mut scratch = Scratch::take(object);
    let outcome = shatter(object, pattern, &mut envelope, options, &mut scratch, step);
    scratch.give_back(object);
    outcome
}

fn shatter(
    object: &Object,
    pattern: &Pattern,
    envelope: &mut Envelope,
    options: &FractureOptions,
    scratch: &mut Scratch,
    step: &mut dyn FnMut(&'static str),
) -> Result<Outcome> {
    // Queries need no regions: where possible they are made on demand.
    if later::can_wait(object, envelope) {
        match boundary::shatter(object, pattern, envelope, options, scratch, step)? {
            boundary::Outcome::Break { made, vanished_cells, crumbs_joined } => {
                let outcome = finished(object, envelope, *made, vanished_cells, crumbs_joined);
                step("objects");
                return Ok(outcome);
            }
            boundary::Outcome::OnePiece { vanished_cells } => return Ok(Outcome::Whole { vanished_cells }),
            boundary::Outcome::NotCertain => {}
        }
    }
    envelope.ask_near(object, &options.tasks)?;
    scratch.set_cells(object, envelope);
    step("cells of nodes");
    Event { object, envelope, options, scratch, step }.run()
}

/// The objects of a break, and what became of the cells of the pattern.
fn finished(object: &Object, envelope: &Envelope, made: Break, vanished_cells: u32, crumbs_joined: u32) -> Outcome {
    let cells = made.pieces.iter().map(|piece| envelope.name(piece.cell)).collect();
    let sphere_trees = trees::split(object, &made);
    Outcome::Broken(Fracture { objects: object.fragments(made, sphere_trees), cells, vanished_cells, crumbs_joined })
}

/// An event under way.
struct Event<'a> {
    object: &'a Object,
    envelope: &'a Envelope,
    options: &'a FractureOptions,
    scratch: &'a mut Scratch,
    step: &'a mut dyn FnMut(&'static str),
}

impl Event<'_> {
    fn run(&mut self) -> Result<Outcome> {
        let (divided, edges) = cutting::divide(self.object, self.envelope, self.options, self.scratch, self.step)?;
        let fragments = fragments::find(self.object, self.envelope, &divided, self.scratch);
        (self.step)("fragments");
        // Before any are joined.
        let vanished_cells = self.envelope.vanished_but(fragments.cell.iter().copied());
        if fragments.count() == 1 {
            return Ok(Outcome::Whole { vanished_cells });
        }
        let Some((made, joined)) = self.make_break(divided, &edges, &fragments)? else {
            return Ok(Outcome::Whole { vanished_cells });
        };
        let crumbs_joined = (fragments.count() - made.pieces.len()) as u32;
        let slivers = joined.is_sliver.iter().filter(|s| **s).count() as u32;
        let crumbs_joined = crumbs_joined.saturating_sub(slivers);
        let outcome = finished(self.object, self.envelope, made, vanished_cells, crumbs_joined);
        (self.step)("objects");
        Ok(outcome)
    }

    /// Weighs, joins crumbs, and sorts: all data of the pieces; `None` if everything was joined.
    fn make_break(
        &mut self,
        mut divided: Divided,
        edges: &[EdgeCorner],
        fragments: &Fragments,
    ) -> Result<Option<(Break, Joined)>> {
        let Self { object, envelope, options, scratch, step } = self;
        let solid = object.asset().solid();
        let by_fragment = nodes_by(object, fragments.count(), |node| scratch.fragment_of[node as usize]);
        let (nodes, starts) = &by_fragment;
        let mut masses = weigh::weigh(object, &divided, fragments, &scratch.fragment_of, (nodes, starts));
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
        let joined = match crumbs::may_all_stay(object, &sizes, options, most) {
            true => Joined::none(fragments.count()),
            false => {
                let areas = crumbs::crack_areas(object, &divided, &fragments.of_part);
                crumbs::join(object, areas, &sizes, options, most)
            }
        };
        let count = joined.kept.len();
        if count == 1 {
            return Ok(None);
        }
        let mut piece_bounds = vec![Aabb::EMPTY; count];
        for (bounds, piece) in bounds.iter().zip(&joined.piece_of) {
            piece_bounds[*piece as usize].grow(&bounds.min);
            piece_bounds[*piece as usize].grow(&bounds.max);
        }
        let boxes = (&bounds[..], &piece_bounds[..]);
        let kinds = kinds(object, envelope, &divided, fragments, &joined, &scratch.fragment_of, boxes);
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
        // Old ones stay where they were, which boxes of new corners may miss by a rounding.
        for (bounds, range) in piece_bounds.iter_mut().zip(found.starts.windows(2)) {
            found.points[range[0]..range[1]].iter().for_each(|point| bounds.grow(&point.at));
        }
        step("crack points");
        let faces = faces::of_regions(&owners);
        let mut made = Break {
            nodes,
            points: found.points,
            next_id: found.next_id,
            generation: generation + 1,
            ..Break::default()
        };
        made.set_cut_tets(divided.cut_tets(&of_part, count, generation + 1));
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
        Ok(Some((made, joined)))
    }
}

/// What each piece is made of.
fn kinds(
    object: &Object,
    envelope: &Envelope,
    divided: &Divided,
    fragments: &Fragments,
    joined: &Joined,
    fragment_of: &[u32],
    (bounds, piece_bounds): (&[Aabb], &[Aabb]),
) -> Vec<Kind> {
    let count = joined.kept.len();
    // Whatever became of the other parts of its cell: a piece is alone if none reaches into its box.
    let place = |f: u32| {
        let piece = joined.piece_of[f as usize] as usize;
        if joined.kept[piece] == f { piece_bounds[piece] } else { bounds[f as usize] }
    };
    let of_cells = (0..fragments.count() as u32).filter(|f| !joined.is_sliver[*f as usize]);
    let parts: Vec<(u32, Aabb)> = of_cells.clone().map(|f| (fragments.cell[f as usize], place(f))).collect();
    let mut alone = vec![true; count];
    for (f, is_alone) in of_cells.zip(cell_planes::are_alone(object, &parts)) {
        let piece = joined.piece_of[f as usize] as usize;
        alone[piece] &= is_alone || joined.kept[piece] != f;
    }
    let is_alone = |piece: usize| alone[piece];
    if count == fragments.count() && !envelope.has_groups() {
        return (0..count).map(|piece| cell_planes::kind(object, envelope, false, is_alone(piece))).collect();
    }
    // The cell of each piece, and whether it has several.
    let mut cells: Vec<(Option<u64>, bool)> = vec![(None, false); count];
    let mut meet = |piece: u32, label: u64| {
        let (own, several) = &mut cells[piece as usize];
        // A group counts as several cells even if a part of it has one: it goes by the number of the first of them.
        *several |= own.is_some_and(|own| own != label) || envelope.is_joined(label);
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
    use crate::fracture::fracture;
    use crate::fracture::pattern::Impact;
    use crate::geom::random::unit;
    use crate::geom::{NONE, Vector};
    use crate::solid::{Solid, shapes};
    use std::collections::{HashMap, HashSet};

    /// What a body has in common of all its corners: who has them, and where they are.
    type Corners = HashMap<(u64, u32), Point>;

    fn corners(made: &Break, numbers: impl IntoIterator<Item = u32>) -> Corners {
        let own = |(piece, number): (&Piece, u32)| {
            made.points[piece.points.clone()].iter().map(move |p| ((p.key, number), p.at)).collect::<Vec<_>>()
        };
        made.pieces.iter().zip(numbers).flat_map(own).collect()
    }

    /// An event by regions; `is_flat` says whether only some of the corners in the middle of cracks become samples.
    fn by_regions(
        object: &Object,
        pattern: &Pattern,
        options: &FractureOptions,
        is_flat: bool,
    ) -> (Option<Fracture>, HashSet<u64>) {
        let mut envelope = Envelope::new(pattern, object, &options.tasks).unwrap();
        envelope.is_flat = is_flat;
        let mut scratch = Scratch::take(object);
        scratch.set_cells(object, &envelope);
        let (divided, edges) = cutting::divide(object, &envelope, options, &mut scratch, &mut |_| {}).unwrap();
        let on_edges = edges.iter().filter(|corner| corner.on_skin).map(|corner| corner.key(0));
        let on_faces = divided.face_corners.iter().filter(|corner| corner.on_skin).map(|corner| corner.key);
        let others = divided.corners.iter().filter(|corner| corner.on_skin).map(|corner| corner.key);
        let on_skin = on_edges.chain(on_faces).chain(others).collect();
        let (scratch, step) = (&mut scratch, &mut |_| {});
        let outcome = Event { object, envelope: &envelope, options, scratch, step }.run().unwrap();
        std::mem::take(scratch).give_back(object);
        (outcome.broken(), on_skin)
    }

    /// What bounds the pieces, and all their regions, tell the same of them.
    #[test]
    fn boundaries_tell_what_regions_tell() {
        // Turned, parts of one cell reach into each other's boxes.
        let turned = |solid: &Solid| {
            let turn = nalgebra::Rotation3::from_euler_angles(0.5, 0.6, 0.7);
            let nodes: Vec<[f64; 3]> = solid.nodes().iter().map(|p| (turn * p).into()).collect();
            Solid::new(&nodes, solid.tets()).unwrap()
        };
        let torus = shapes::torus(1.0, 0.3, 24, 8);
        let bodies = [
            shapes::brick(1),
            turned(&shapes::brick(1)),
            turned(&shapes::brick(2)),
            shapes::ball(1.0, 10),
            shapes::hollow_ball(1.0, 10, 2),
            turned(&torus),
            torus,
        ];
        let like = |pieces: &[Piece], piece: &Piece| {
            let off = |other: &Piece| {
                (other.bounds.min - piece.bounds.min).norm() + (other.bounds.max - piece.bounds.max).norm()
            };
            let own = pieces.iter().zip(0..).filter(|(other, _)| other.cell == piece.cell && other.nodes.is_empty());
            own.min_by(|a, b| off(a.0).total_cmp(&off(b.0))).unwrap().1
        };
        let (mut not_certain, mut several, mut in_one_box) = (vec![], 0, 0);
        for (body, solid) in bodies.into_iter().enumerate() {
            let asset = Asset::cook(solid, &CookOptions::default()).unwrap();
            let object = &Object::intact(&asset)[0];
            for count in [2u64, 3, 5, 9, 27, 120] {
                let bounds = object.bounds();
                let random = |k: u64, axis: usize| unit(body as u64, 1000 * count + 3 * k + axis as u64);
                let seed = |k: u64| bounds.min + Vector::from_fn(|axis, _| random(k, axis) * bounds.size()[axis]);
                let voronoi = Pattern::voronoi((0..count).map(seed).collect());
                let impact = Pattern::impact(Impact {
                    point: seed(count),
                    direction: seed(count + 1) - bounds.centre(),
                    radius: 0.0,
                    count: count as u32,
                    seed: count,
                });
                let few = FractureOptions { max_fragments: 2 + count as u32 / 3, ..FractureOptions::default() };
                let large = FractureOptions { min_volume_share: 0.5 / count as f64, ..FractureOptions::default() };
                let all = FractureOptions::default();
                for (way, (pattern, options)) in
                    [(&voronoi, &all), (&voronoi, &few), (&voronoi, &large), (&impact, &all), (&impact, &large)]
                        .into_iter()
                        .enumerate()
                {
                    let mut last = "";
                    let what = format!("body {body}, {count}, way {way}");
                    let mut envelope = Envelope::unasked(pattern, object).unwrap();
                    let mut scratch = Scratch::take(object);
                    let quick = boundary::shatter(object, pattern, &mut envelope, options, &mut scratch, &mut |step| {
                        last = step
                    })
                    .unwrap();

                    scratch.give_back(object);
                    let (whole, on_skin) = by_regions(object, pattern, options, true);
                    let a = match quick {
                        boundary::Outcome::Break { made, .. } => *made,
                        boundary::Outcome::OnePiece { .. } => {
                            assert!(whole.is_none(), "{what}");
                            continue;
                        }
                        boundary::Outcome::NotCertain => {
                            not_certain.push((body, count, way, last));
                            continue;
                        }
                    };
                    let whole = whole.unwrap();
                    let b = whole.objects[0].made_by();
                    assert!(a.nodes == b.nodes, "{what}");
                    assert_eq!(a.pieces.len(), b.pieces.len(), "{what}");
                    // Several parts of a cell without nodes may come in another order.
                    let number = |q: u32| match &b.pieces[q as usize] {
                        piece if piece.nodes.is_empty() => like(&a.pieces, piece),
                        _ => q,
                    };
                    let mut numbers: Vec<u32> = (0..b.pieces.len() as u32).map(number).collect();
                    numbers.push(NONE);
                    let planes = |made: &Break, piece: usize, number: &dyn Fn(u32) -> u32| -> Vec<_> {
                        let own = &made.planes[made.pieces[piece].planes.clone()];
                        own.iter()
                            .map(|p| (p.cells, p.has_face, number(p.neighbour), p.plane.offset.to_bits()))
                            .collect()
                    };
                    let is_like = |k: u32| numbers[(k as usize).min(b.pieces.len())];
                    for (other, q) in b.pieces.iter().enumerate() {
                        let piece = numbers[other] as usize;
                        let p = &a.pieces[piece];
                        assert_eq!((p.cell, p.kind, &p.nodes), (q.cell, q.kind, &q.nodes), "{what}");
                        assert_eq!(planes(&a, piece, &|k| k), planes(b, other, &is_like), "{what}");
                        let (m, n) = (&p.mass, &q.mass);
                        let size = n.volume.cbrt();
                        assert!((p.bounds.min - q.bounds.min).norm() < 1e-11, "{what}: {:?} {:?}", p.bounds, q.bounds);
                        assert!((p.bounds.max - q.bounds.max).norm() < 1e-11, "{what}: {:?} {:?}", p.bounds, q.bounds);
                        assert!((m.volume - n.volume).abs() < 1e-9 * n.volume, "{what}: {m:?} {n:?}");
                        assert!((m.centre - n.centre).norm() < 1e-9 * size, "{what}: {m:?} {n:?}");
                        assert!((m.inertia - n.inertia).norm() < 1e-9 * n.inertia.norm(), "{what}: {m:?} {n:?}");
                        in_one_box += (p.kind == Kind::PartOfCell) as usize;
                    }
                    several += a.pieces.windows(2).filter(|pair| pair[0].cell == pair[1].cell).count();
                    assert!(a.cut_tets() == b.cut_tets() || !numbers.is_sorted(), "{what}");
                    // All on the skin, and where four cells meet; of the others some.
                    let all = by_regions(object, pattern, options, false).0.unwrap();
                    let (own, all) = (corners(&a, 0..), corners(all.objects[0].made_by(), numbers.iter().copied()));
                    for (corner, at) in &own {
                        let known = all.get(corner).unwrap_or_else(|| panic!("{what}: {corner:?} {at}"));
                        assert!((known - at).norm() < 1e-10, "{what}: {known} {at}");
                    }
                    let missed = all.keys().find(|corner| on_skin.contains(&corner.0) && !own.contains_key(corner));
                    assert!(missed.is_none(), "{what}: {missed:?}");
                    let spread = corners(b, 0..);
                    let times = own.len() as f64 / spread.len() as f64;
                    assert!((0.5..1.4).contains(&times), "{what}: {} {}", own.len(), spread.len());
                }
            }
        }
        assert!(several > 20 && in_one_box > 5, "{several} {in_one_box}");
        // Regions decide instead.
        assert!(not_certain.len() < 5 && not_certain.iter().all(|(_, _, way, _)| *way > 2), "{not_certain:?}");
    }

    /// Two places along a line may lead to the same face.
    #[test]
    fn no_corner_is_a_sample_twice() {
        let asset = Asset::cook(shapes::ball(1.0, 8), &CookOptions::default()).unwrap();
        let object = &Object::intact(&asset)[0];
        for seed in 0..300 {
            let pattern = Pattern::random_voronoi(4 + seed as u32 % 8, seed);
            let broken = fracture(object, &pattern, &FractureOptions::default()).unwrap().broken().unwrap();
            let made = broken.objects[0].made_by();
            assert_eq!(corners(made, 0..).len(), made.points.len(), "{seed}");
        }
    }
}
