//! Breaks: what is stored of one depends on which of its pieces are wanted.
//!
//! Nodes, crack points and sphere trees are those of the wanted pieces. Cut tetrahedra are all there: the normals of a crack
//! are means along the curve through all of them, and should come out alike to the last bit.

use super::bytes::{Plain, Reader, Writer};
use super::{cuts, trees};
use crate::asset::Asset;
use crate::error::{Result, bad_data};
use crate::field::breaks::{Break, CrackPoint, CutTet, MOST_IDS, Piece, cuts_by_piece};
use crate::geom::aabb::Aabb;
use crate::geom::moments::MassProperties;
use crate::geom::plane::Plane;
use crate::geom::{NONE, Point, Vector};
use crate::tree::SphereForest;
use nalgebra::Matrix3;
use std::ops::Range;

/// Puts the pieces of a break that are `wanted`, with their sphere trees if there are any.
pub fn put(to: &mut Writer, made: &Break, wanted: &[bool], forest: Option<&SphereForest>) {
    let wanted = |piece: u32| wanted[piece as usize];
    let kept = || (0..made.pieces.len() as u32).filter(|piece| wanted(*piece));
    to.section(b"PIEC", |to| {
        to.put(made.pieces.len() as u32);
        for (piece, number) in made.pieces.iter().zip(0..) {
            let count = |range: &Range<usize>| if wanted(number) { range.len() as u32 } else { 0 };
            to.put([piece.cell, count(&piece.nodes), count(&piece.points)]);
            put_mass(to, &piece.mass);
            to.put([piece.bounds.min, piece.bounds.max]);
        }
    });
    to.section(b"NODE", |to| kept().for_each(|piece| made.nodes_of(piece).iter().for_each(|node| to.put(*node))));
    to.section(b"CUTS", |to| cuts::put(to, made));
    to.section(b"PNTS", |to| {
        to.put(made.next_id);
        kept().flat_map(|piece| made.points_of(piece)).for_each(|point| to.put(*point));
    });
    to.section(b"HALF", |to| {
        for piece in kept() {
            let planes = made.half_spaces_of(piece);
            to.put(planes.map_or(NONE, |planes| planes.len() as u32));
            planes.unwrap_or_default().iter().for_each(|plane| to.put(*plane));
        }
    });
    if let Some(forest) = forest {
        to.section(b"TREE", |to| trees::put(to, forest, wanted));
    }
}

fn put_mass(to: &mut Writer, mass: &MassProperties) {
    let m = &mass.inertia;
    to.put(mass.volume);
    to.put(mass.centre);
    to.put([m[(0, 0)], m[(1, 1)], m[(2, 2)], m[(0, 1)], m[(0, 2)], m[(1, 2)]]);
}

/// Reads the breaks of an asset, one after the other.
pub struct Breaks<'a> {
    asset: &'a Asset,
    /// The box of the asset, a hair larger for rounding: everything is in it.
    around: Aabb,
    /// By node: the piece of the break at hand; [`NONE`] between breaks.
    piece_of: Vec<u32>,
}

impl<'a> Breaks<'a> {
    pub fn new(asset: &'a Asset) -> Self {
        let Aabb { min, max } = asset.solid().bounds();
        let hair = Vector::repeat(1e-9 * asset.radius());
        let around = Aabb { min: min - hair, max: max + hair };
        Self { asset, around, piece_of: vec![NONE; asset.solid().nodes().len()] }
    }

    /// A break and its sphere trees, if it has them. Pieces that were not wanted have no nodes.
    pub fn get(&mut self, from: &mut Reader) -> Result<(Break, Option<SphereForest>)> {
        let solid = self.asset.solid();
        let mut made = Break { pieces: from.section(b"PIEC", |from| self.pieces(from))?, ..Break::default() };
        let count = made.pieces.len();
        made.nodes = from.section(b"NODE", |from| from.exactly(made.pieces.last().map_or(0, |last| last.nodes.end)))?;
        self.check_nodes(&made)?;
        (made.tets, made.splits) = from.section(b"CUTS", |from| cuts::get(from, solid.tets().len(), count as u32))?;
        self.check_cuts(&made)?;
        (made.points, made.next_id) = from.section(b"PNTS", |from| self.points(from, &made))?;
        self.check_bounds(&made)?;
        from.section(b"HALF", |from| self.half_spaces(from, &mut made))?;
        self.gather_cuts(&mut made);
        let by_id = Self::by_id(&made.points)?;
        let forest = from.optional(b"TREE", |from| self.trees(from, &made, &by_id))?;
        made.nodes.iter().for_each(|node| self.piece_of[*node as usize] = NONE);
        Ok((made, forest))
    }

    fn pieces(&self, from: &mut Reader) -> Result<Vec<Piece>> {
        let count: u32 = from.get()?;
        let (mut pieces, mut nodes, mut points) = (vec![], 0, 0);
        for number in 0..count {
            let [cell, node_count, point_count] = from.get()?;
            let mass = self.mass(from)?;
            let [min, max] = from.get::<[Point; 2]>()?;
            let inertia = mass.inertia.iter();
            if !inertia.chain(&mass.centre.coords).chain([&mass.volume, &mass.mass]).all(|x| x.is_finite()) {
                bad_data!("the mass properties of piece {number} are not finite");
            }
            if !(0..3).all(|k| min[k] <= max[k]) || !self.around.contains(&min) || !self.around.contains(&max) {
                bad_data!("the box of piece {number} is no box within the asset");
            }
            let range = |end: &mut usize, count: u32| {
                *end += count as usize;
                *end - count as usize..*end
            };
            pieces.push(Piece {
                nodes: range(&mut nodes, node_count),
                cuts: 0..0,
                points: range(&mut points, point_count),
                mass,
                bounds: Aabb { min, max },
                cell,
                half_spaces: None,
            });
        }
        Ok(pieces)
    }

    fn mass(&self, from: &mut Reader) -> Result<MassProperties> {
        let (volume, centre): (f64, Point) = (from.get()?, from.get()?);
        let [xx, yy, zz, xy, xz, yz] = from.get()?;
        let inertia = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        Ok(MassProperties { volume, mass: volume * self.asset.density(), centre, inertia })
    }

    /// Nodes are ascending in each piece, and each is in one piece only, which is written down.
    fn check_nodes(&mut self, made: &Break) -> Result<()> {
        for piece in 0..made.pieces.len() as u32 {
            let nodes = made.nodes_of(piece);
            if !nodes.is_sorted() {
                bad_data!("the nodes of piece {piece} are not ascending");
            }
            for node in nodes {
                match self.piece_of.get_mut(*node as usize) {
                    Some(owner) if *owner == NONE => *owner = piece,
                    _ => bad_data!("node {node} of piece {piece} comes twice, or is none of the asset"),
                }
            }
        }
        Ok(())
    }

    /// Whoever has a node owns it in every cut tetrahedron, and where nothing is cut all of the tetrahedron.
    fn check_cuts(&self, made: &Break) -> Result<()> {
        let solid = self.asset.solid();
        let is_kept = |piece: u32| made.pieces.get(piece as usize).is_some_and(|piece| !piece.nodes.is_empty());
        for CutTet { tet, owners, .. } in &made.tets {
            for (node, owner) in solid.tets()[*tet as usize].iter().zip(owners) {
                let known = self.piece_of[*node as usize];
                if known != *owner && (known != NONE || is_kept(*owner)) {
                    bad_data!("piece {owner} owns node {node} in tetrahedron {tet}, but it is not in its list");
                }
            }
        }
        let is_cut = |tet: usize| made.tets.binary_search_by_key(&(tet as u32), |cut| cut.tet).is_ok();
        for &node in &made.nodes {
            let own = self.piece_of[node as usize];
            let is_mixed = |tet: usize| solid.tets()[tet].iter().any(|n| self.piece_of[*n as usize] != own);
            // A tetrahedron is found by its lowest node: this one, or one that is linked to it and not ours.
            let linked = solid.linked(node).iter().copied().take_while(|lower| *lower < node);
            let others = linked.filter(|lower| self.piece_of[*lower as usize] != own);
            let around = others.flat_map(|lower| solid.tets_from(lower)).filter(|t| solid.tets()[*t].contains(&node));
            if let Some(tet) = solid.tets_from(node).chain(around).find(|tet| is_mixed(*tet) && !is_cut(*tet)) {
                bad_data!("tetrahedron {tet} has nodes of several pieces, but is not cut");
            }
        }
        Ok(())
    }

    fn points(&self, from: &mut Reader, made: &Break) -> Result<(Vec<CrackPoint>, u32)> {
        let next_id: u32 = from.get()?;
        if next_id as u64 + self.asset.solid().nodes().len() as u64 > MOST_IDS {
            bad_data!("{next_id} crack points do not fit into feature numbers");
        }
        let points: Vec<CrackPoint> = from.exactly(made.pieces.last().map_or(0, |last| last.points.end))?;
        for (piece, number) in made.pieces.iter().zip(0..) {
            let own = &points[piece.points.clone()];
            for point in own {
                let is_owned = self.piece_of.get(point.node as usize) == Some(&number);
                let across = point.neighbour == NONE || (point.neighbour as usize) < made.pieces.len();
                if !is_owned
                    || !across
                    || point.neighbour == number
                    || point.id >= next_id
                    || !self.around.contains(&point.at)
                {
                    bad_data!("crack point {} of piece {number} is not on its cracks", point.id);
                }
            }
            if !own.is_sorted_by_key(|point| point.neighbour) {
                bad_data!("the crack points of piece {number} are not in the order of what is across");
            }
        }
        Ok((points, next_id))
    }

    /// Crack points by their ids, of which no two are alike.
    fn by_id(points: &[CrackPoint]) -> Result<Vec<(u32, u32)>> {
        let mut places: Vec<(u32, u32)> = points.iter().zip(0..).map(|(point, place)| (point.id, place)).collect();
        places.sort_unstable();
        if let Some(pair) = places.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            bad_data!("two crack points have the number {}", pair[0].0);
        }
        Ok(places)
    }

    /// The box of a piece is that around its nodes and crack points.
    fn check_bounds(&self, made: &Break) -> Result<()> {
        let positions = self.asset.solid().nodes();
        for (piece, number) in made.pieces.iter().zip(0..).filter(|(piece, _)| !piece.nodes.is_empty()) {
            let nodes = made.nodes_of(number).iter().map(|n| &positions[*n as usize]);
            if piece.bounds != Aabb::around(nodes.chain(made.points_of(number).iter().map(|p| &p.at))) {
                bad_data!("the box of piece {number} is not the one around its points");
            }
        }
        Ok(())
    }

    /// The half-spaces of each piece that has nodes, if it has them.
    fn half_spaces(&self, from: &mut Reader, made: &mut Break) -> Result<()> {
        for (piece, number) in made.pieces.iter_mut().zip(0..).filter(|(piece, _)| !piece.nodes.is_empty()) {
            let count: u32 = from.get()?;
            if count == NONE {
                continue;
            }
            let planes: Vec<Plane> = from.exactly(count as usize)?;
            let is_plane = |plane: &Plane| (plane.normal.norm() - 1.0).abs() < 1e-6 && plane.offset.is_finite();
            if !planes.iter().all(is_plane) {
                bad_data!("a half-space of piece {number} has no unit normal, or no finite offset");
            }
            let first = made.half_spaces.len();
            made.half_spaces.extend(planes);
            piece.half_spaces = Some(first..made.half_spaces.len());
        }
        Ok(())
    }

    /// The cut tetrahedra of each piece that has nodes.
    fn gather_cuts(&self, made: &mut Break) {
        let (all, starts) = cuts_by_piece(made.pieces.len(), &made.tets);
        for (piece, range) in made.pieces.iter_mut().zip(starts.windows(2)) {
            let first = made.cuts.len();
            if !piece.nodes.is_empty() {
                made.cuts.extend_from_slice(&all[range[0]..range[1]]);
            }
            piece.cuts = first..made.cuts.len();
        }
    }

    /// Trees name nodes by their numbers, and crack points by their ids behind those.
    fn trees(&self, from: &mut Reader, made: &Break, by_id: &[(u32, u32)]) -> Result<SphereForest> {
        let nodes = self.asset.solid().nodes();
        let crack_point = |point: u32| {
            let id = point.checked_sub(nodes.len() as u32)?;
            let found = by_id.binary_search_by_key(&id, |(id, _)| *id).ok()?;
            made.points.get(by_id[found].1 as usize)
        };
        let node_of = |point: u32| crack_point(point).map_or(point, |crack_point| crack_point.node);
        let piece_of = |point: u32| self.piece_of.get(node_of(point) as usize).copied().unwrap_or(NONE);
        let place = |point: u32| crack_point(point).map_or_else(|| nodes[point as usize], |found| found.at);
        let points = made.pieces.iter().map(|piece| piece.nodes.len() + piece.points.len());
        trees::get(from, points, piece_of, place)
    }
}

impl Plain for Plane {
    const SIZE: usize = <[f64; 4]>::SIZE;
    fn put(self, to: &mut Vec<u8>) {
        [self.normal.x, self.normal.y, self.normal.z, self.offset].put(to);
    }
    fn get(from: &[u8]) -> Self {
        let [x, y, z, offset] = Plain::get(from);
        Self { normal: Vector::new(x, y, z), offset }
    }
}

impl Plain for CrackPoint {
    const SIZE: usize = Point::SIZE + <[u32; 3]>::SIZE;
    fn put(self, to: &mut Vec<u8>) {
        self.at.put(to);
        [self.node, self.id, self.neighbour].put(to);
    }
    fn get(from: &[u8]) -> Self {
        let [node, id, neighbour] = Plain::get(&from[Point::SIZE..]);
        Self { at: Point::get(from), node, id, neighbour }
    }
}
