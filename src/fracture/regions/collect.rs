//! What the polytopes of a tetrahedron come to: regions with their cracks, corners, and what is across.

use super::{Divided, Divider, Part, PartCorner, PartFacet, on_face};
use crate::cut::polytope::{Split, Wall};
use crate::geom::NONE;
use crate::geom::random::mix;
use crate::solid::Across;

impl Divider<'_> {
    /// Adds the region at hand.
    pub(super) fn add(&mut self, tet: u32, work: u32, nodes: &[u32; 4], label: u64) {
        let corners = self.solid.corners(tet);
        let local = corners.map(|p| p - corners[0]);
        let part = self.out.parts.len() as u32;
        let inside = self.region.nodes();
        let first_wall = self.out.walls.len() as u32;
        self.out.parts.push(Part { work, label, nodes: inside, first_wall });
        self.out.moments.push(self.region.moments(&local, &mut self.rim, &mut self.at));
        if self.is_keyed {
            self.add_keyed_facets(tet, nodes, label, inside, part);
        } else {
            self.add_walls(tet, nodes, label, inside, part);
        }
        for k in 0..self.region.corner_count() {
            let walls = self.region.walls_at(k);
            // For now the cracks.
            let facets = walls.map(|wall| wall.as_crack().map_or(NONE, |(split, _)| split as u32));
            let on = walls.iter().fold(0b1111, |on: u8, wall| on & !wall.as_face().map_or(0, |face| 1 << face));
            if facets == [NONE; 3] || self.is_on_plain_edge(on, &facets, nodes) {
                continue;
            }
            let lowest = self.lowest_on_plain_face(tet, on, &facets, nodes);
            if lowest.is_some_and(|lowest| lowest as u64 != label) {
                continue; // once is enough
            }
            let corner = self.region.corner(k, &self.splits, nodes);
            let at = corner.position(&corners);
            if lowest.is_some() {
                self.add_face_corner(tet, nodes, on, corner.key, at);
                continue;
            }
            let is_skin = |face: usize| matches!(self.solid.across(tet, face), Across::Skin(_));
            let on_skin = walls.iter().any(|wall| wall.as_face().is_some_and(is_skin));
            self.out.corners.push(PartCorner { key: corner.key, at, part, facets, on_skin });
        }
    }

    /// Adds the cracks around the region at hand, and where it hangs on the tetrahedra around.
    fn add_walls(&mut self, tet: u32, nodes: &[u32; 4], label: u64, inside: u8, part: u32) {
        let first = self.out.walls.len();
        let mut faces = 0u8;
        for wall in (0..self.region.corner_count()).flat_map(|k| self.region.walls_at(k)) {
            match wall.as_face() {
                Some(face) => faces |= 1 << face,
                None if self.out.walls[first..].contains(&wall) => {}
                None => self.out.walls.push(wall),
            }
        }
        for face in (0..4).filter(|face| faces >> face & 1 != 0 && inside & !(1 << face) == 0) {
            if let Across::Tet(_) = self.solid.across(tet, face) {
                self.out.joins.push((on_face(nodes, face, label), part));
            }
        }
    }

    /// The same where there may be several facets between two cells, or several regions of a cell on a face.
    fn add_keyed_facets(&mut self, tet: u32, nodes: &[u32; 4], label: u64, inside: u8, part: u32) {
        let Self { region, splits, corners: found, facets, out, solid, known, rim, .. } = self;
        found.clear();
        found.extend((0..region.corner_count()).map(|k| region.corner(k, splits, nodes)));
        region.each_facet(rim, |wall, rim| {
            let key = || rim.iter().fold(0u64, |sum, k| sum.wrapping_add(mix(found[*k as usize].key)));
            match (wall.as_face(), wall.as_crack()) {
                (_, Some((split, second))) => {
                    out.walls.push(wall);
                    facets.push((split, second, key(), part));
                }
                (Some(face), _) if inside & !(1 << face) == 0 => {
                    if let Across::Tet(other) = solid.across(tet, face) {
                        // What earlier events left whole has one region of a cell on a face.
                        let is_whole = !known.was_cut(tet) || !known.was_cut(other);
                        out.joins.push((if is_whole { on_face(nodes, face, label) } else { key() }, part));
                    }
                }
                _ => {}
            }
        });
    }

    /// Whether a corner is on an edge that one new crack crosses, and nothing else.
    fn is_on_plain_edge(&self, on: u8, cracks: &[u32; 3], nodes: &[u32; 4]) -> bool {
        let crack = cracks.iter().find(|k| **k != NONE).map(|k| &self.splits[*k as usize]);
        let new = crack.filter(|split| on.count_ones() == 2 && split.generation == self.envelope.generation);
        new.is_some_and(|split| self.is_plain_on_edge(on, split.cells, nodes))
    }

    /// If a corner is where the cells of the nodes of a face meet, and no earlier event cut what is on its two sides, the lowest of
    /// these cells.
    fn lowest_on_plain_face(&self, tet: u32, on: u8, cracks: &[u32; 3], nodes: &[u32; 4]) -> Option<u32> {
        if on.count_ones() != 3 || self.is_keyed {
            return None;
        }
        let face = (0b1111 & !on).trailing_zeros() as usize;
        let cells = || cracks.iter().filter(|k| **k != NONE).flat_map(|k| self.splits[*k as usize].cells);
        cells().min().filter(|_| self.is_plain_on_face(tet, face, nodes, cells()))
    }

    /// Finds what is across the cracks of a tetrahedron in which every cell has one region: between two cells there is one facet.
    pub(super) fn finish_cells(&mut self) {
        let Divided { tets, splits, parts, walls, corners, facets, .. } = &mut self.out;
        let Some(&(_, first_split, first_part)) = tets.last() else { return };
        let own = &parts[first_part as usize..];
        // The cells of the regions, ascending, and which region each is.
        self.places.clear();
        self.places.extend(own.iter().zip(first_part..).map(|(part, number)| (part.label, number)));
        self.places.sort_unstable();
        let places = &self.places;
        let first_wall = own.first().map_or(walls.len(), |part| part.first_wall as usize);
        let first_facet = facets.len() as u32;
        self.moved.clear();
        self.moved.resize(self.splits.len(), usize::MAX);
        for wall in &mut walls[first_wall..] {
            let Some((split, second)) = wall.as_crack() else { continue };
            if self.moved[split] == usize::MAX {
                self.moved[split] = splits.len() - first_split as usize;
                let Split { generation, cells, .. } = self.splits[split];
                let part = |cell: u32| {
                    let place = places.binary_search_by_key(&(cell as u64), |(label, _)| *label);
                    place.map_or(NONE, |k| places[k].1)
                };
                splits.push(self.splits[split]);
                facets.push(PartFacet { parts: cells.map(part), generation, cells });
            }
            *wall = Wall::crack(self.moved[split], second);
        }
        sort_walls(own, walls);
        let start = corners.partition_point(|corner| corner.part < first_part);
        for corner in &mut corners[start..] {
            let facet = |split: u32| first_facet + self.moved[split as usize] as u32;
            corner.facets = corner.facets.map(|split| if split == NONE { NONE } else { facet(split) });
        }
    }

    /// Finds what is across the cracks of a tetrahedron, and keeps those that bound something.
    pub(super) fn finish_tet(&mut self) {
        let Divided { tets, splits, parts, walls, corners, facets, .. } = &mut self.out;
        let Some(&(_, first_split, first_part)) = tets.last() else { return };
        let first_wall = parts.get(first_part as usize).map_or(walls.len(), |part| part.first_wall as usize);
        // The facets of a crack next to each other, those that are the same from both sides together.
        self.facets.sort_unstable_by_key(|(split, second, key, _)| (*split, *key, *second));
        let moved = &mut self.moved;
        moved.clear();
        moved.resize(self.splits.len(), usize::MAX);
        let first_facet = facets.len();
        for run in self.facets.chunk_by(|a, b| (a.0, a.2) == (b.0, b.2)) {
            let (split, second, _, part) = run[0];
            if moved[split] == usize::MAX {
                moved[split] = splits.len() - first_split as usize;
                splits.push(self.splits[split]);
            }
            let mut both = [NONE; 2];
            both[second as usize] = part;
            if let Some((_, second, _, part)) = run.get(1) {
                both[*second as usize] = *part;
            }
            let Split { generation, cells, .. } = self.splits[split];
            facets.push(PartFacet { parts: both, generation, cells });
        }
        for wall in &mut walls[first_wall..] {
            if let Some((split, second)) = wall.as_crack() {
                *wall = Wall::crack(moved[split], second);
            }
        }
        sort_walls(&parts[first_part as usize..], walls);
        // The facets of each region on each crack, ascending: of several the first counts.
        self.sides.clear();
        for (facet, number) in facets[first_facet..].iter().zip(first_facet as u32..) {
            let sides = facet.parts.into_iter().filter(|part| *part != NONE);
            self.sides.extend(sides.map(|part| (part, facet.generation, facet.cells, number)));
        }
        self.sides.sort_unstable();
        let sides = &self.sides;
        let facet_of = |part: u32, split: u32| {
            let Split { generation, cells, .. } = self.splits[split as usize];
            let first = sides.partition_point(|side| (side.0, side.1, side.2) < (part, generation, cells));
            let found = sides.get(first).filter(|side| (side.0, side.1, side.2) == (part, generation, cells));
            found.map_or(NONE, |side| side.3)
        };
        let start = corners.partition_point(|corner| corner.part < first_part);
        for corner in &mut corners[start..] {
            let part = corner.part;
            corner.facets = corner.facets.map(|split| if split == NONE { NONE } else { facet_of(part, split) });
        }
    }
}

/// Sorts the walls of some regions, each by itself: the last ones of all.
fn sort_walls(parts: &[Part], walls: &mut [Wall]) {
    for (k, part) in parts.iter().enumerate() {
        let end = parts.get(k + 1).map_or(walls.len(), |next| next.first_wall as usize);
        walls[part.first_wall as usize..end].sort_unstable_by_key(|wall| wall.number());
    }
}
