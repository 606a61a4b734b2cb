//! What the tetrahedra of an event are divided into, put together from runs of them.

use super::{FaceCorner, Part, PartCorner, PartFacet, Work};
use crate::crack::breaks::{CutTet, CutTets, Region};
use crate::cut::polytope::{Split, Wall};
use crate::geom::NONE;
use crate::geom::aabb::Aabb;
use crate::geom::moments::Moments;
use std::ops::Range;

/// What tetrahedra come to. Numbers count from the first region, facet, crack or wall here.
#[derive(Default)]
pub struct Divided {
    /// What was to be divided.
    pub work: Vec<Work>,
    /// For each tetrahedron where its cracks and its regions start.
    pub tets: Vec<(u32, u32, u32)>,
    pub splits: Vec<Split>,
    pub parts: Vec<Part>,
    /// The moments of each part about the first node of its tetrahedron.
    pub moments: Vec<Moments>,
    pub walls: Vec<Wall>,
    pub corners: Vec<PartCorner>,
    pub face_corners: Vec<FaceCorner>,
    pub facets: Vec<PartFacet>,
    /// Facets on faces of the mesh where a region owns no node: a number for the facet, and the region. What has the same number on both
    /// sides of a face hangs together.
    pub joins: Vec<(u64, u32)>,
    /// Tetrahedra, by their places in `tets`, that turned out to be whole, ascending: they are listed, but need not be.
    pub whole: Vec<u32>,
    /// The region budget was exceeded, or a tetrahedron has more cracks than can be numbered: this is incomplete.
    pub too_many: bool,
    /// The latter.
    pub too_many_cracks: bool,
}

impl Divided {
    /// With room for what so many tetrahedra mostly come to.
    pub fn with_room(tets: usize) -> Self {
        Self {
            tets: Vec::with_capacity(tets),
            splits: Vec::with_capacity(tets * 2),
            parts: Vec::with_capacity(tets * 3),
            moments: Vec::with_capacity(tets * 3),
            walls: Vec::with_capacity(tets * 4),
            corners: Vec::with_capacity(tets),
            face_corners: Vec::with_capacity(tets / 2),
            facets: Vec::with_capacity(tets * 2),
            ..Self::default()
        }
    }

    /// All runs, one after the other.
    pub fn joined(work: Vec<Work>, runs: Vec<Self>) -> Self {
        let mut runs = runs.into_iter();
        let mut all = Self { work, ..runs.next().unwrap_or_default() };
        runs.for_each(|run| all.append(run));
        all
    }

    fn append(&mut self, mut run: Self) {
        let [part, facet] = [self.parts.len() as u32, self.facets.len() as u32];
        let [split, wall, tet] = [self.splits.len() as u32, self.walls.len() as u32, self.tets.len() as u32];
        let after = |number: u32, first: u32| if number == NONE { NONE } else { number + first };
        self.tets.extend(run.tets.iter().map(|(tet, own_split, own_part)| (*tet, own_split + split, own_part + part)));
        self.splits.append(&mut run.splits);
        self.parts.extend(run.parts.iter().map(|own| Part { first_wall: own.first_wall + wall, ..*own }));
        self.moments.append(&mut run.moments);
        self.walls.append(&mut run.walls);
        self.corners.extend(run.corners.iter().map(|own| PartCorner {
            part: own.part + part,
            facets: own.facets.map(|f| after(f, facet)),
            ..*own
        }));
        self.face_corners.append(&mut run.face_corners);
        self.facets.extend(run.facets.iter().map(|f| PartFacet { parts: f.parts.map(|p| after(p, part)), ..*f }));
        self.joins.extend(run.joins.iter().map(|(key, own)| (*key, own + part)));
        self.whole.extend(run.whole.iter().map(|own| own + tet));
        self.too_many |= run.too_many;
        self.too_many_cracks |= run.too_many_cracks;
    }

    /// The tetrahedra, and the regions of each.
    pub fn by_tet(&self) -> impl Iterator<Item = (&Work, Range<usize>)> {
        let mut first = 0;
        self.parts.chunk_by(|a, b| a.work == b.work).map(move |parts| {
            first += parts.len();
            (&self.work[parts[0].work as usize], first - parts.len()..first)
        })
    }

    /// The boxes of fragments that own no node, given that of each region; of others, of some of their corners.
    pub fn boxes(&self, of_part: &[u32], count: usize) -> Vec<Aabb> {
        let mut boxes = vec![Aabb::EMPTY; count];
        for corner in &self.corners {
            if let Some(bounds) = boxes.get_mut(of_part[corner.part as usize] as usize) {
                bounds.grow(&corner.at);
            }
        }
        boxes
    }

    /// The walls of a region.
    pub fn walls_of(&self, part: usize) -> &[Wall] {
        let end = self.parts.get(part + 1).map_or(self.walls.len(), |next| next.first_wall as usize);
        &self.walls[self.parts[part].first_wall as usize..end]
    }

    /// The cut tetrahedra of a break of `count` pieces and of this generation, given the piece of each region. Tetrahedra that turned out to be whole are left out.
    pub fn cut_tets(self, of_part: &[u32], count: usize, generation: u32) -> CutTets {
        let (tets, regions) = (Vec::with_capacity(self.tets.len()), Vec::with_capacity(self.parts.len()));
        let mut made = CutTets { tets, regions, generation, ..CutTets::default() };
        if self.whole.is_empty() {
            self.put_tets(&mut made, 0..self.tets.len(), of_part);
            (made.splits, made.walls) = (self.splits, self.walls);
            made.splits.shrink_to_fit();
            made.walls.shrink_to_fit();
        } else {
            let mut from = 0;
            for whole in self.whole.iter().map(|t| *t as usize).chain([self.tets.len()]) {
                let (splits, walls) = self.put_tets(&mut made, from..whole, of_part);
                made.splits.extend_from_slice(&self.splits[splits]);
                made.walls.extend_from_slice(&self.walls[walls]);
                from = whole + 1;
            }
        }
        made.sort_by_piece(count);
        made
    }

    /// Puts some tetrahedra, one after the other, and their regions; returns which cracks and walls they have.
    fn put_tets(&self, made: &mut CutTets, tets: Range<usize>, of_part: &[u32]) -> (Range<usize>, Range<usize>) {
        let ends = (self.splits.len() as u32, self.parts.len() as u32);
        let start = |t: usize| self.tets.get(t).map_or(ends, |&(_, split, part)| (split, part));
        let wall = |part: u32| self.parts.get(part as usize).map_or(self.walls.len(), |p| p.first_wall as usize);
        let ((split, part), (split_end, part_end)) = (start(tets.start), start(tets.end));
        let (walls, first_wall) = (wall(part)..wall(part_end), made.walls.len());
        let after = |number: u32, first: u32, made: usize| number - first + made as u32;
        let (splits, regions) = (made.splits.len(), made.regions.len());
        made.tets.extend(self.tets[tets].iter().map(|&(tet, own_split, own_part)| CutTet {
            tet,
            first_split: after(own_split, split, splits),
            first_region: after(own_part, part, regions),
        }));
        let own = part as usize..part_end as usize;
        made.regions.extend(self.parts[own.clone()].iter().zip(&of_part[own]).map(|(part, piece)| Region {
            piece: *piece,
            first_wall: after(part.first_wall, walls.start as u32, first_wall),
            nodes: part.nodes,
        }));
        (split as usize..split_end as usize, walls)
    }
}
