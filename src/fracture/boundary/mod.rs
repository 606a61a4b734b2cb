//! The first break of a body by the cells of seeds, from what bounds its pieces: skin, planes, and the lines where planes meet.
//!
//! Queries of pieces that planes made ask planes, skin and samples, never what is within. So nothing is divided but the skin
//! (docs/formulations/exact-cells.md): its edges and triangles among cells (`skin`); from where three cells meet on it, the lines within
//! the body (`lines`); from these, what hangs together (`parts`) and how heavy it is (`weigh`). Where something is not certain in double
//! precision there is no answer, and regions decide.

mod areas;
mod cells;
mod edges;
mod faces;
mod lines;
mod parts;
mod samples;
mod skin;
mod unions;
mod weigh;

use self::cells::Cells;
use self::lines::Lines;
use self::parts::Parts;
use self::skin::CutSkin;
use super::crumbs::{self, Sizes};
use super::envelope::Envelope;
use super::faces::{Face, Faces};
use super::part::Part;
use super::scratch::Scratch;
use super::{FractureOptions, Pattern, cell_planes, cutting, fragments, later, limits, some_tets};
use crate::body::Object;
use crate::crack::breaks::{Break, Kind, Piece};
use crate::error::Result;
use crate::geom::aabb::Aabb;
use crate::geom::moments::MassProperties;
use crate::geom::{NONE, Point, Vector};

/// What an event came to.
pub enum Outcome {
    Break {
        made: Box<Break>,
        /// Cells that have no volume in the object.
        vanished_cells: u32,
        /// Pieces that were too small or too many.
        crumbs_joined: u32,
    },
    /// All of the body is one piece.
    OnePiece { vanished_cells: u32 },
    /// Something is not certain.
    NotCertain,
}

/// What bounds the pieces.
struct Boundary<'a> {
    cells: Cells<'a>,
    skin: CutSkin,
    lines: Lines,
    parts: Parts,
}

/// Breaks an intact body by an envelope of seeds that need not have been asked.
pub fn shatter(
    object: &Object,
    pattern: &Pattern,
    envelope: &mut Envelope,
    options: &FractureOptions,
    scratch: &mut Scratch,
    step: &mut dyn FnMut(&'static str),
) -> Result<Outcome> {
    let Some(mut boundary) = find(object, envelope, scratch, step) else { return Ok(Outcome::NotCertain) };
    let (tets, budget) = (object.asset().solid().tets(), options.max_regions as usize);
    // Each cell may have one in each tetrahedron.
    if tets.len().saturating_mul(envelope.count() as usize) > budget {
        let fewest = cutting::fewest_regions(tets, &scratch.cell_of, boundary.without_nodes(object, scratch));
        if fewest > budget {
            return Err(cutting::too_many_regions(budget));
        }
        if fewest > budget / 8 {
            return Ok(Outcome::NotCertain);
        }
    }
    let Some(joined) = boundary.join(object, envelope, options, scratch, step) else { return Ok(Outcome::NotCertain) };
    let Pieces { cells: cell_of_piece, parts: of_cells, masses, bounds, vanished_cells, crumbs_joined } = joined;
    let count = cell_of_piece.len();
    if count == 1 {
        return Ok(Outcome::OnePiece { vanished_cells });
    }
    let (nodes, node_starts) = fragments::nodes_by(object, count, |node| scratch.fragment_of[node as usize]);
    let Boundary { cells, skin, lines, parts } = &boundary;
    let generation = envelope.generation;
    let Some(found) = samples::collect(object, cells, (skin, lines), parts, (scratch, count), generation)? else {
        return Ok(Outcome::NotCertain);
    };
    let edges = edges::collect(object.asset(), (skin, lines), parts, &scratch.fragment_of, &bounds);
    step("samples");
    let faces = boundary.faces(&scratch.fragment_of, generation);
    let kinds = kinds(object, envelope, &of_cells, &bounds);
    let groups = unions::groups(object.asset(), (&boundary.cells, envelope), (&kinds, &bounds), &of_cells, &faces);
    let mut made = Break {
        nodes,
        points: found.points,
        next_id: found.next_id,
        generation: generation + 1,
        groups,
        edges,
        ..Break::default()
    };
    made.pieces = (0..count)
        .map(|f| Piece {
            nodes: node_starts[f]..node_starts[f + 1],
            points: found.starts[f]..found.starts[f + 1],
            mass: masses[f],
            bounds: bounds[f],
            cell: cell_of_piece[f],
            kind: kinds[f],
            planes: 0..0,
            drawn: 0..0,
        })
        .collect();
    cell_planes::add(object, envelope, &faces, &mut made.pieces, &mut made.planes);
    step("planes");
    // A piece that shares its cell and its box is asked for more than its planes.
    let shared = shared(&made, &of_cells);
    if !shared.is_empty() {
        envelope.ask_near(object, &options.tasks)?;
        let Some(some) = some_tets::divide(object, envelope, &shared, &of_cells, scratch) else {
            return Ok(Outcome::NotCertain);
        };
        made.shared_cell_tets = some.divided.cut_tets(&some.of_part, count, generation + 1);
        step("shared cells");
    }
    made.later = Some(later::again(object, pattern, envelope, of_cells));
    Ok(Outcome::Break { made: Box::new(made), vanished_cells, crumbs_joined })
}

/// The pieces of an event, and what is known of them.
struct Pieces {
    /// The cell that each is called by.
    cells: Vec<u32>,
    /// The connected parts of cells that they consist of.
    parts: Vec<Part>,
    masses: Vec<MassProperties>,
    bounds: Vec<Aabb>,
    vanished_cells: u32,
    crumbs_joined: u32,
}

/// The boxes of parts of cells that pieces share with other pieces.
fn shared(made: &Break, parts: &[Part]) -> Vec<Aabb> {
    let is_shared = |part: &&Part| match made.group_of(part.piece) {
        Some(group) => group.is_shared(),
        None => made.pieces[part.piece as usize].kind == Kind::PartOfCell,
    };
    let mut cells: Vec<u32> = parts.iter().filter(is_shared).map(|part| part.cell).collect();
    cells.sort_unstable();
    let has_several = |cell: u32| {
        let own = || parts.iter().filter(move |part| part.cell == cell);
        own().any(|part| own().any(|other| other.piece != part.piece))
    };
    cells.dedup();
    cells.retain(|cell| has_several(*cell));
    let of_them = parts.iter().filter(|part| cells.binary_search(&part.cell).is_ok());
    of_them.map(|part| part.bounds).collect()
}

/// Finds what bounds the pieces, and writes that of each node to `scratch.fragment_of`.
fn find<'a>(
    object: &Object,
    envelope: &'a Envelope,
    scratch: &mut Scratch,
    step: &mut dyn FnMut(&'static str),
) -> Option<Boundary<'a>> {
    let asset = object.asset();
    let (seeds, metric) = envelope.flat_seeds()?;
    let around = object.bounds();
    let local = |p: &Point| Point::from(p - asset.centre());
    let bounds = Aabb::around(&[local(&around.min), local(&around.max)]);
    let cells = Cells::new(seeds.at, seeds.squares, metric.as_ref(), &bounds, asset.radius());
    // All cracks may be in one tetrahedron, and must have numbers there.
    if !limits::may_number(cells.face_count()) {
        return None;
    }
    step("cells");
    let solid = asset.solid();
    let sites: Vec<Point> = object.nodes().iter().map(|n| envelope.site_of(object, *n)).collect();
    let own = seeds.cells(&sites, cells.close)?;
    object.nodes().iter().zip(own).for_each(|(node, cell)| scratch.cell_of[*node as usize] = cell);
    step("cells of nodes");
    let skin = skin::cut(object, &cells, scratch)?;
    step("skin");
    let normal = |triangle: u32| {
        let [a, b, c] = solid.skin()[triangle as usize].nodes.map(|n| solid.nodes()[n as usize]);
        (b - a).cross(&(c - a))
    };
    let lines = lines::find(&cells, &skin.triples, normal)?;
    step("lines");
    let parts = parts::find(object, &cells, &skin, &lines, scratch)?;
    step("parts");
    Some(Boundary { cells, skin, lines, parts })
}

impl Boundary<'_> {
    /// How many parts of cells have no node.
    fn without_nodes(&self, object: &Object, scratch: &Scratch) -> usize {
        let mut has_node = vec![false; self.parts.cells.len()];
        object.nodes().iter().for_each(|node| has_node[scratch.fragment_of[*node as usize] as usize] = true);
        has_node.into_iter().filter(|has| !has).count()
    }

    /// Joins the parts of cells that are one piece: of one group, or too small or too many to be pieces of their own. `None` if masses do not
    /// add up.
    fn join(
        &mut self,
        object: &Object,
        envelope: &Envelope,
        options: &FractureOptions,
        scratch: &mut Scratch,
        step: &mut dyn FnMut(&'static str),
    ) -> Option<Pieces> {
        let cells = self.parts.cells.clone();
        let part_bounds = self.boxes(object, &scratch.fragment_of, cells.len());
        let group_of = |part: &usize| envelope.group_of(cells[*part]);
        let mut piece_of: Vec<u32> = (0..cells.len() as u32).collect();
        let mut named: Vec<u32> = cells.clone();
        if envelope.has_groups() {
            let lowest =
                self.parts.in_groups((&self.skin, &self.lines), &scratch.fragment_of, |cell| envelope.group_of(cell));
            // In the order of their groups, and of their lowest nodes.
            let mut lowest_node = vec![NONE; cells.len()];
            for node in object.nodes() {
                let lowest_node = &mut lowest_node[lowest[scratch.fragment_of[*node as usize] as usize] as usize];
                *lowest_node = (*lowest_node).min(*node);
            }
            let mut first: Vec<usize> = (0..cells.len()).filter(|part| lowest[*part] == *part as u32).collect();
            first.sort_by_key(|part| (group_of(part), lowest_node[*part], *part));
            let mut number = vec![NONE; cells.len()];
            first.iter().zip(0..).for_each(|(part, piece)| number[*part] = piece);
            piece_of = lowest.iter().map(|part| number[*part as usize]).collect();
            named = first.iter().map(group_of).collect();
            self.parts.set_pieces(&piece_of, object.nodes(), &mut scratch.fragment_of);
        }
        let vanished_cells = envelope.vanished_but(named.iter().copied());
        let mut bounds = merged(&part_bounds, &piece_of, named.len());
        let mut masses = self.weigh(object, scratch, &bounds)?;
        step("mass");
        let most = options.max_fragments.min(envelope.most) as usize;
        let sizes = Sizes { masses: &masses, bounds: &bounds };
        let mut is_sliver = vec![false; named.len()];
        let before = piece_of.clone();
        let mut crumbs_joined = 0;
        if named.len() > 1 && !crumbs::may_all_stay(object, &sizes, options, most) {
            let areas = areas::between(&self.skin, &self.lines, &self.parts, &scratch.fragment_of);
            let joined = crumbs::join(object, areas, &sizes, options, most);
            let slivers = joined.is_sliver.iter().filter(|is_sliver| **is_sliver).count();
            crumbs_joined = (named.len() - joined.kept.len()).saturating_sub(slivers) as u32;
            self.parts.set_pieces(&joined.piece_of, object.nodes(), &mut scratch.fragment_of);
            piece_of.iter_mut().for_each(|piece| *piece = joined.piece_of[*piece as usize]);
            named = joined.kept.iter().map(|piece| named[*piece as usize]).collect();
            is_sliver = joined.is_sliver;
            bounds = merged(&part_bounds, &piece_of, named.len());
            masses = self.weigh(object, scratch, &bounds)?;
            step("crumbs");
        }
        let parts = (0..cells.len()).map(|part| Part {
            cell: cells[part],
            piece: piece_of[part],
            bounds: part_bounds[part],
            is_sliver: is_sliver[before[part] as usize],
        });
        Some(Pieces { cells: named, parts: parts.collect(), masses, bounds, vanished_cells, crumbs_joined })
    }

    fn weigh(&self, object: &Object, scratch: &Scratch, bounds: &[Aabb]) -> Option<Vec<MassProperties>> {
        let of_nodes = (&scratch.fragment_of[..], &scratch.cell_of[..]);
        weigh::weigh(object, &self.cells, (&self.skin, &self.lines), &self.parts, of_nodes, bounds)
    }

    /// The boxes of parts of cells.
    fn boxes(&self, object: &Object, of_node: &[u32], count: usize) -> Vec<Aabb> {
        let positions = object.asset().solid().nodes();
        let mut bounds = vec![Aabb::EMPTY; count];
        object.nodes().iter().for_each(|n| bounds[of_node[*n as usize] as usize].grow(&positions[*n as usize]));
        let mut grow = |piece: u32, at: &Vector| bounds[piece as usize].grow(&(object.asset().centre() + at));
        for crossing in &self.skin.crossings {
            crossing.holders.iter().for_each(|holder| grow(self.parts.of(*holder, of_node), &crossing.at));
        }
        for triple in &self.skin.triples {
            triple.holders.iter().for_each(|holder| grow(self.parts.of(*holder, of_node), &triple.at));
        }
        for (vertex, number) in self.lines.vertices.iter().zip(0..) {
            (0..4).for_each(|k| grow(self.parts.of_vertex(number, k), &vertex.at));
        }
        bounds
    }

    /// Which pieces have a face in common: those on both sides of a rim, and around a line.
    fn faces(&self, of_node: &[u32], generation: u32) -> Vec<Face> {
        let mut faces = Faces::new();
        let mut add =
            |[a, b]: [u32; 2], pieces: [u32; 2]| faces.add(pieces[0], pieces[1], generation, [a.min(b), a.max(b)]);
        for rim in &self.skin.rims {
            add(rim.cells, rim.holders.map(|holder| self.parts.of(holder, of_node)));
        }
        for stretch in &self.lines.stretches {
            let pieces = self.parts.along(stretch, (&self.skin, &self.lines), of_node);
            for [i, j] in [[0, 1], [0, 2], [1, 2]] {
                add([stretch.cells[i], stretch.cells[j]], [pieces[i], pieces[j]]);
            }
        }
        faces.sorted()
    }
}

/// The boxes of pieces from those of their parts.
fn merged(parts: &[Aabb], piece_of: &[u32], count: usize) -> Vec<Aabb> {
    let mut bounds = vec![Aabb::EMPTY; count];
    for (part, piece) in parts.iter().zip(piece_of) {
        bounds[*piece as usize].grow(&part.min);
        bounds[*piece as usize].grow(&part.max);
    }
    bounds
}

/// What each piece is made of.
fn kinds(object: &Object, envelope: &Envelope, parts: &[Part], bounds: &[Aabb]) -> Vec<Kind> {
    let mut cell_of = vec![NONE; bounds.len()];
    let mut is_union = vec![false; bounds.len()];
    let counted: Vec<&Part> = parts.iter().filter(|part| !part.is_sliver).collect();
    for part in &counted {
        let cell = &mut cell_of[part.piece as usize];
        // A group counts as several cells even if a part of it has one: it goes by the number of the first of them.
        is_union[part.piece as usize] |= *cell != NONE && *cell != part.cell || envelope.is_joined(part.cell as u64);
        *cell = part.cell;
    }
    // Whatever became of the other parts of its cell: a piece is alone if none reaches into its box.
    let around = |part: &Part| if is_union[part.piece as usize] { part.bounds } else { bounds[part.piece as usize] };
    let boxes: Vec<(u32, Aabb)> = counted.iter().map(|part| (part.cell, around(part))).collect();
    let mut alone = vec![true; bounds.len()];
    for (part, is_alone) in counted.iter().zip(cell_planes::are_alone(object, &boxes)) {
        alone[part.piece as usize] &= is_alone;
    }
    (0..bounds.len()).map(|piece| cell_planes::kind(object, envelope, is_union[piece], alone[piece])).collect()
}
