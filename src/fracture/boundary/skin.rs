//! What the cells of a Voronoi pattern make of the skin: where they meet on its edges and triangles, and what each has of a triangle.
//!
//! Edges come first, each once. What is on the three edges of a triangle mostly tells all: two cells on them have one straight line between
//! them (each is convex, and has all between its ends of the line); three meet in one point, unless a fourth is lower there. All other
//! triangles are clipped cell by cell.
//!
//! Who has a part is said by its *holder*: a node of its cell on the triangle, or a number of its own.

use super::cells::Cells;
use crate::body::Object;
use crate::fracture::edges;
use crate::fracture::scratch::Scratch;
use crate::geom::{NONE, Vector};

/// Where two cells meet on an edge of the skin.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// The edge of the skin, and its nodes, the lower first.
    pub edge: u32,
    pub nodes: [u32; 2],
    /// The cells, and their holders: that on the side of the lower node first.
    pub cells: [u32; 2],
    pub holders: [u32; 2],
    pub at: Vector,
}

/// Where three cells meet on the skin.
#[derive(Clone, Copy, Debug)]
pub struct Triple {
    /// Ascending, and their holders.
    pub cells: [u32; 3],
    pub holders: [u32; 3],
    pub at: Vector,
    /// The skin triangle.
    pub triangle: u32,
}

/// A stretch of the rim of a crack on the skin.
#[derive(Clone, Copy, Debug)]
pub struct Rim {
    pub cells: [u32; 2],
    pub holders: [u32; 2],
    /// The face of the second cell has them in this order, counter-clockwise seen from the first; that of the first in the other.
    pub ends: [Vector; 2],
}

/// What a cell has of a skin triangle, or a part of that.
#[derive(Clone, Copy, Debug)]
pub struct SkinPart {
    pub holder: u32,
    pub corners: [Vector; 3],
}

/// The skin of an object, cut.
pub struct CutSkin {
    pub crossings: Vec<Crossing>,
    pub triples: Vec<Triple>,
    pub rims: Vec<Rim>,
    /// Of triangles that have several cells.
    pub parts: Vec<SkinPart>,
    /// The cells of holders that are not nodes: they are numbered behind those.
    pub cells: Vec<u32>,
    /// Holders of the same.
    pub joins: Vec<[u32; 2]>,
}

/// Cuts the skin of an object; `None` where it is not certain what is there.
pub fn cut(object: &Object, cells: &Cells, scratch: &mut Scratch) -> Option<CutSkin> {
    let solid = object.asset().solid();
    let Scratch { cell_of, picked, .. } = scratch;
    let room = solid.skin().len().max(solid.skin_edges().len()) + 1;
    picked.resize(picked.len().max(room), 0);
    let cut_edges = edges::pick_cut(solid.skin_edges(), 0, cell_of, picked);
    let mut cutter = Cutter {
        object,
        cells,
        cell_of,
        first_free: solid.nodes().len() as u32,
        crossings_of: vec![NONE; solid.skin_edges().len()],
        ring: vec![],
        polygon: vec![],
        heights: vec![],
        out: CutSkin {
            crossings: Vec::with_capacity(cut_edges + cut_edges / 4),
            triples: vec![],
            rims: Vec::with_capacity(cut_edges + cut_edges / 4),
            parts: Vec::with_capacity(3 * cut_edges),
            cells: vec![],
            joins: vec![],
        },
    };
    for &edge in &picked[..cut_edges] {
        cutter.cut_edge(edge)?;
    }
    let mut cut_triangles = 0;
    for (triangle, number) in solid.skin().iter().zip(0..) {
        // Branchless: unpredictable.
        let [a, b, c] = triangle.nodes.map(|n| cell_of[n as usize]);
        picked[cut_triangles] = number;
        cut_triangles += ((a ^ b) | (a ^ c) != 0) as usize;
    }
    for &triangle in &picked[..cut_triangles] {
        cutter.cut_triangle(triangle)?;
    }
    Some(cutter.out)
}

/// A crossing as it is met on the way around a triangle.
#[derive(Clone, Copy)]
struct Turn {
    /// On the side after this corner of the triangle.
    side: usize,
    /// The cells before and after it, and their holders.
    cells: [u32; 2],
    holders: [u32; 2],
    at: Vector,
}

/// What bounds a polygon in a triangle.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    /// The side after this corner.
    Of(usize),
    /// Another cell.
    With(u32),
}

/// The end of a side of a polygon, and the next side.
#[derive(Clone, Copy)]
struct PolygonCorner {
    at: Vector,
    sides: [Side; 2],
}

/// Where three cells meet within a triangle, and from how many of them it was seen.
struct Meeting {
    cells: [u32; 3],
    at: Vector,
    seen: u8,
}

struct Cutter<'a> {
    object: &'a Object,
    cells: &'a Cells<'a>,
    cell_of: &'a [u32],
    first_free: u32,
    /// By edge of the skin: where its crossings start.
    crossings_of: Vec<u32>,
    /// Memory of a triangle.
    ring: Vec<Turn>,
    polygon: Vec<PolygonCorner>,
    heights: Vec<f64>,
    out: CutSkin,
}

impl Cutter<'_> {
    fn at(&self, node: u32) -> Vector {
        self.object.asset().solid().nodes()[node as usize] - self.object.asset().centre()
    }

    fn new_holder(&mut self, cell: u32) -> u32 {
        self.out.cells.push(cell);
        self.first_free + self.out.cells.len() as u32 - 1
    }

    /// Finds where cells meet on an edge of the skin.
    fn cut_edge(&mut self, place: u32) -> Option<()> {
        let solid = self.object.asset().solid();
        let nodes = solid.skin_edges()[place as usize];
        let ends = nodes.map(|n| self.at(n));
        let cells = nodes.map(|n| self.cell_of[n as usize]);
        self.crossings_of[place as usize] = self.out.crossings.len() as u32;
        let at = self.between(&ends, cells);
        if self.cells.is_lowest(cells[0], &at, [cells[1]; 2]) {
            self.out.crossings.push(Crossing { edge: place, nodes, cells, holders: nodes, at });
            return Some(());
        }
        // From cell to cell, as the way goes on.
        let way = ends[1] - ends[0];
        let (mut own, mut holder) = (cells[0], nodes[0]);
        let mut last = 0.0;
        while own != cells[1] {
            let here = ends[0] + way * last;
            let extent = self.cells.extent(own, &here, &way, &[])?;
            let next = extent.cells[1];
            last += extent.ends[1];
            if next == NONE || extent.ends[1] <= 0.0 || last >= 1.0 {
                return None;
            }
            let at = self.between(&ends, [own, next]);
            let beyond = if next == cells[1] { nodes[1] } else { self.new_holder(next) };
            self.out.crossings.push(Crossing { edge: place, nodes, cells: [own, next], holders: [holder, beyond], at });
            (own, holder) = (next, beyond);
        }
        Some(())
    }

    /// Where two cells are equal between two points.
    #[inline]
    fn between(&self, ends: &[Vector; 2], [from, to]: [u32; 2]) -> Vector {
        let [here, there] = [0, 1].map(|k| self.cells.height(to, from, &ends[k]));
        ends[0] + (ends[1] - ends[0]) * (here / (here - there))
    }

    fn cut_triangle(&mut self, number: u32) -> Option<()> {
        let solid = self.object.asset().solid();
        let nodes = solid.skin()[number as usize].nodes;
        let sides = solid.skin_sides()[number as usize];
        self.ring.clear();
        for (side, place) in sides.into_iter().enumerate() {
            let first = self.crossings_of[place as usize];
            if first == NONE {
                continue;
            }
            let on_edge = &self.out.crossings[first as usize..];
            let count = on_edge.iter().take_while(|crossing| crossing.edge == on_edge[0].edge).count();
            let on_edge = on_edge[..count].iter();
            if nodes[side] < nodes[(side + 1) % 3] {
                let turn = |c: &Crossing| Turn { side, cells: c.cells, holders: c.holders, at: c.at };
                self.ring.extend(on_edge.map(turn));
            } else {
                let turn = |c: &Crossing| {
                    let ([a, b], [f, g]) = (c.cells, c.holders);
                    Turn { side, cells: [b, a], holders: [g, f], at: c.at }
                };
                self.ring.extend(on_edge.rev().map(turn));
            }
        }
        let corners = nodes.map(|n| self.at(n));
        match self.ring[..] {
            [p, q] if p.cells == [q.cells[1], q.cells[0]] => {
                self.out.rims.push(Rim { cells: p.cells, holders: p.holders, ends: [p.at, q.at] });
                self.add_run(&corners, 0, 1, None);
                self.add_run(&corners, 1, 0, None);
            }
            [p, q, r] if p.cells[1] == q.cells[0] && q.cells[1] == r.cells[0] && r.cells[1] == p.cells[0] => {
                let cells = [p.cells[0], q.cells[0], r.cells[0]];
                let at = self.meeting(&corners, cells)?;
                if !self.cells.is_lowest(cells[0], &at, [cells[1], cells[2]]) {
                    return self.clip_triangle(number, &nodes, &corners);
                }
                self.add_triple(cells, [p.holders[0], q.holders[0], r.holders[0]], at, number);
                for (k, turn) in [p, q, r].into_iter().enumerate() {
                    self.out.rims.push(Rim { cells: turn.cells, holders: turn.holders, ends: [turn.at, at] });
                    self.add_run(&corners, k, (k + 1) % 3, Some(at));
                }
            }
            _ => return self.clip_triangle(number, &nodes, &corners),
        }
        Some(())
    }

    fn add_triple(&mut self, cells: [u32; 3], holders: [u32; 3], at: Vector, triangle: u32) {
        let mut both = [(cells[0], holders[0]), (cells[1], holders[1]), (cells[2], holders[2])];
        both.sort_unstable();
        let (cells, holders) = (both.map(|(cell, _)| cell), both.map(|(_, holder)| holder));
        self.out.triples.push(Triple { cells, holders, at, triangle });
    }

    /// Adds what the cell between two turns of the ring, by their places, has of a triangle; `centre` is one more corner.
    fn add_run(&mut self, corners: &[Vector; 3], from: usize, to: usize, centre: Option<Vector>) {
        let (start, end) = (self.ring[from], self.ring[to]);
        let (holder, other) = (start.holders[1], end.holders[0]);
        if holder != other && (holder >= self.first_free || other >= self.first_free) {
            self.out.joins.push([holder, other]);
        }
        let between = match (end.side + 3 - start.side) % 3 {
            0 if to < from => 3,
            between => between,
        };
        let mut rest = (1..=between).map(|k| corners[(start.side + k) % 3]).chain([end.at]);
        let (fan, mut before) = match centre {
            Some(centre) => (centre, start.at),
            None => (start.at, rest.next().unwrap_or(start.at)),
        };
        for at in rest {
            self.out.parts.push(SkinPart { holder, corners: [fan, before, at] });
            before = at;
        }
    }

    /// Where three cells are equal in a triangle; `None` if that is not within.
    fn meeting(&self, corners: &[Vector; 3], [a, b, c]: [u32; 3]) -> Option<Vector> {
        let [p, q] = [b, c].map(|cell| Vector::from(corners.map(|corner| self.cells.height(cell, a, &corner))));
        let weights = p.cross(&q);
        let weights = weights / weights.sum();
        let is_within = weights.iter().all(|w| *w > 0.0);
        is_within.then(|| corners[0] * weights.x + corners[1] * weights.y + corners[2] * weights.z)
    }

    /// Any triangle: what is left of it of each cell.
    fn clip_triangle(&mut self, number: u32, nodes: &[u32; 3], corners: &[Vector; 3]) -> Option<()> {
        let near = self.near(nodes, corners);
        let mut polygons: Vec<(u32, Vec<PolygonCorner>)> = Vec::with_capacity(near.len());
        for &cell in &near {
            polygons.push((cell, self.clip_to(cell, &near, corners)?));
        }
        polygons.retain(|(_, polygon)| !polygon.is_empty());
        let holders: Vec<u32> = polygons.iter().map(|(cell, polygon)| self.holder(*cell, polygon, nodes)).collect();
        let holder_of = |cell: u32| polygons.iter().position(|(c, _)| *c == cell).map(|k| holders[k]);
        let mut met: Vec<Meeting> = vec![];
        for ((cell, polygon), &holder) in polygons.iter().zip(&holders) {
            let at: Option<Vec<Vector>> =
                polygon.iter().map(|corner| self.corner(*cell, corner, corners, &mut met)).collect();
            let at = at?;
            for (k, corner) in polygon.iter().enumerate() {
                if let Side::With(other) = corner.sides[1]
                    && other < *cell
                {
                    let (ends, holders) = ([at[(k + 1) % at.len()], at[k]], [holder_of(other)?, holder]);
                    self.out.rims.push(Rim { cells: [other, *cell], holders, ends });
                }
            }
            for pair in at[1..].windows(2) {
                self.out.parts.push(SkinPart { holder, corners: [at[0], pair[0], pair[1]] });
            }
        }
        for Meeting { cells, at, seen } in met {
            // Once from each of them.
            if seen != 3 {
                return None;
            }
            let [a, b, c] = cells.map(holder_of);
            self.add_triple(cells, [a?, b?, c?], at, number);
        }
        Some(())
    }

    /// A corner of the polygon of a cell, as all polygons around have it.
    fn corner(
        &self,
        cell: u32,
        corner: &PolygonCorner,
        corners: &[Vector; 3],
        met: &mut Vec<Meeting>,
    ) -> Option<Vector> {
        match corner.sides {
            [Side::Of(_), Side::Of(_)] => Some(corner.at),
            [Side::Of(side), Side::With(other)] | [Side::With(other), Side::Of(side)] => {
                let is_it =
                    |turn: &&Turn| turn.side == side && turn.cells.contains(&cell) && turn.cells.contains(&other);
                self.ring.iter().find(is_it).map(|turn| turn.at)
            }
            [Side::With(b), Side::With(c)] => {
                let mut cells = [cell, b, c];
                cells.sort_unstable();
                if let Some(known) = met.iter_mut().find(|known| known.cells == cells) {
                    known.seen += 1;
                    return Some(known.at);
                }
                let at = self.meeting(corners, cells)?;
                met.push(Meeting { cells, at, seen: 1 });
                Some(at)
            }
        }
    }

    /// The cells that may be in a triangle: those of its nodes, and all that are lower than each of these somewhere.
    fn near(&self, nodes: &[u32; 3], corners: &[Vector; 3]) -> Vec<u32> {
        let own = nodes.map(|n| self.cell_of[n as usize]);
        let mut near: Vec<u32> = own.to_vec();
        near.sort_unstable();
        near.dedup();
        // From each to those next to it, unless that is all.
        let mut next = 0;
        while let Some(&cell) = near.get(next).filter(|_| next == 0 || !self.cells.are_few()) {
            next += 1;
            self.cells.each_neighbour(cell, |other| {
                let height = |cell: u32, p: &Vector| self.cells.height(other, cell, p);
                let is_lower = |cell: &u32| corners.iter().any(|p| height(*cell, p) < self.cells.close);
                if !near.contains(&other) && own.iter().all(is_lower) {
                    near.push(other);
                }
            });
        }
        near
    }

    /// What a cell has of a triangle, of those that may be in it: nothing, or its corners in order.
    fn clip_to(&mut self, cell: u32, near: &[u32], corners: &[Vector; 3]) -> Option<Vec<PolygonCorner>> {
        let corner = |k: usize| PolygonCorner { at: corners[k], sides: [Side::Of((k + 2) % 3), Side::Of(k)] };
        let mut polygon: Vec<PolygonCorner> = (0..3).map(corner).collect();
        let (cells, kept, heights) = (self.cells, &mut self.polygon, &mut self.heights);
        for &other in near.iter().filter(|other| **other != cell) {
            heights.clear();
            heights.extend(polygon.iter().map(|corner| cells.height(other, cell, &corner.at)));
            if !heights.iter().all(|height| height.abs() > cells.close) {
                return None;
            }
            kept.clear();
            for k in 0..polygon.len() {
                let next = (k + 1) % polygon.len();
                let (corner, height, beyond) = (polygon[k], heights[k], heights[next]);
                if height > 0.0 {
                    kept.push(corner);
                }
                if (height > 0.0) != (beyond > 0.0) {
                    let at = corner.at + (polygon[next].at - corner.at) * (height / (height - beyond));
                    let along = corner.sides[1];
                    let sides = if height > 0.0 { [along, Side::With(other)] } else { [Side::With(other), along] };
                    kept.push(PolygonCorner { at, sides });
                }
            }
            std::mem::swap(&mut polygon, kept);
        }
        Some(polygon)
    }

    /// Who has a polygon of a cell.
    fn holder(&mut self, cell: u32, polygon: &[PolygonCorner], nodes: &[u32; 3]) -> u32 {
        let node = nodes.iter().find(|n| self.cell_of[**n as usize] == cell).copied();
        let on_side = |side: usize| polygon.iter().any(|corner| corner.sides.contains(&Side::Of(side)));
        let own = |turn: &Turn| turn.cells.iter().position(|c| *c == cell).map(|k| turn.holders[k]);
        let mut holders: Vec<u32> = self.ring.iter().filter(|turn| on_side(turn.side)).filter_map(own).collect();
        holders.extend(node);
        let Some(&lowest) = holders.iter().min() else { return self.new_holder(cell) };
        let others = holders.iter().filter(|other| **other >= self.first_free && **other != lowest);
        self.out.joins.extend(others.map(|other| [lowest, *other]));
        lowest
    }
}
