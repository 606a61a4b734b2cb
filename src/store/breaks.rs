//! Breaks: what is stored of one depends on which of its pieces are wanted.
//!
//! Nodes, crack points, planes and sphere trees are those of the wanted pieces. Cut tetrahedra are all there, with the regions of
//! all pieces: a fragment tells what is across its cracks, and which pieces of its break touch, as it did before.

use super::bytes::{Reader, Writer};
use super::planes::{get_plane, put_plane};
use super::{cuts, pieces, trees};
use crate::asset::Asset;
use crate::crack::breaks::{Break, CellPlane, CrackPoint, CutTets, Kind, MOST_IDS, Piece};
use crate::error::{Result, bad_data};
use crate::geom::aabb::Aabb;
use crate::geom::moments::MassProperties;
use crate::geom::plane::Plane;
use crate::geom::{NONE, Point, Vector};
use crate::reference::tree::SphereForest;
use nalgebra::Matrix3;
use std::ops::Range;

/// By the numbers that stand for them.
const KINDS: [Kind; 4] = [Kind::Cell, Kind::PartOfCell, Kind::Union, Kind::Rough];

/// Events that a line of objects may have been through.
const MOST_GENERATIONS: u32 = 1 << 30;

/// Whether a piece of a loaded break was wanted: if so it has nodes, or regions, or both.
pub fn is_stored(made: &Break, piece: u32) -> bool {
    let own = made.pieces.get(piece as usize);
    own.is_some_and(|own| !own.nodes.is_empty() || !made.cuts_of(piece).is_empty())
}

/// Puts the pieces of a break that are `wanted`, with their sphere trees if there are any.
pub fn put(to: &mut Writer, made: &Break, wanted: &[bool], forest: Option<&SphereForest>) {
    let wanted = |piece: u32| wanted[piece as usize];
    let kept = || (0..made.pieces.len() as u32).filter(|piece| wanted(*piece));
    to.section(b"PIEC", |to| {
        to.put([made.pieces.len() as u32, made.next_id, made.generation]);
        for (piece, number) in made.pieces.iter().zip(0..) {
            let count = |range: &Range<usize>| if wanted(number) { range.len() as u32 } else { 0 };
            to.put([wanted(number) as u8, piece.kind as u8]);
            to.put([piece.cell, count(&piece.nodes), count(&piece.points), count(&piece.planes), count(&piece.drawn)]);
            put_mass(to, &piece.mass);
            to.put([piece.bounds.min, piece.bounds.max]);
        }
    });
    to.section(b"NODE", |to| kept().for_each(|piece| made.nodes_of(piece).iter().for_each(|node| to.put(*node))));
    to.section(b"CUTS", |to| cuts::put(to, made.cut_tets()));
    to.section(b"PNTS", |to| kept().flat_map(|piece| made.points_of(piece)).for_each(|point| put_point(to, point)));
    let planes = |piece: u32| made.planes_of(piece).iter().chain(made.drawn_planes_of(piece));
    to.section(b"PLAN", |to| kept().flat_map(planes).for_each(|plane| put_plane(to, plane)));
    pieces::put(to, made, wanted);
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

/// Sets where pieces have regions, for those that are kept.
fn sort_by_piece(cut_tets: &mut CutTets, is_kept: &[bool]) {
    cut_tets.sort_by_piece(is_kept.len());
    let (all, starts) = (std::mem::take(&mut cut_tets.by_piece), cut_tets.starts.clone());
    for (number, _) in is_kept.iter().enumerate() {
        cut_tets.starts[number] = cut_tets.by_piece.len();
        if is_kept[number] {
            cut_tets.by_piece.extend_from_slice(&all[starts[number]..starts[number + 1]]);
        }
    }
    cut_tets.starts[is_kept.len()] = cut_tets.by_piece.len();
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

    /// A break and its sphere trees, if it has them. Of pieces that were not wanted there are regions only.
    pub fn get(&mut self, from: &mut Reader) -> Result<(Break, Option<SphereForest>)> {
        let tets = self.asset.solid().tets().len();
        let (mut made, is_kept) = from.section(b"PIEC", |from| self.pieces(from))?;
        made.nodes = from.section(b"NODE", |from| from.exactly(made.pieces.last().map_or(0, |last| last.nodes.end)))?;
        self.check_nodes(&made)?;
        let shape = (made.pieces.len(), made.generation);
        let mut cut_tets = from.section(b"CUTS", |from| cuts::get(from, shape, tets))?;
        self.check_cuts(&made.nodes, &cut_tets, &is_kept)?;
        sort_by_piece(&mut cut_tets, &is_kept);
        made.set_cut_tets(cut_tets);
        if let Some(number) = (0..is_kept.len()).find(|k| is_kept[*k] && !is_stored(&made, *k as u32)) {
            bad_data!("piece {number} has neither nodes nor regions");
        }
        made.points = from.section(b"PNTS", |from| self.points(from, &made))?;
        self.check_bounds(&made)?;
        made.planes = from.section(b"PLAN", |from| self.planes(from, &made))?;
        let (count, generation) = (made.pieces.len(), made.generation);
        pieces::get(from, &mut made, &is_kept, (self.asset, &self.around), |number, plane| {
            Self::check_plane(number, plane, false, (count, generation))
        })?;
        let by_id = Self::by_id(&made.points)?;
        let forest = from.optional(b"TREE", |from| self.trees(from, &made, &by_id))?;
        made.nodes.iter().for_each(|node| self.piece_of[*node as usize] = NONE);
        Ok((made, forest))
    }

    /// A break that has nothing but its pieces, and which of these were wanted.
    fn pieces(&self, from: &mut Reader) -> Result<(Break, Vec<bool>)> {
        let [count, next_id, generation] = from.get::<[u32; 3]>()?;
        if next_id as u64 + self.asset.solid().nodes().len() as u64 > MOST_IDS {
            bad_data!("{next_id} crack points do not fit into feature numbers");
        }
        if generation > MOST_GENERATIONS {
            bad_data!("a break is of generation {generation}");
        }
        let (mut pieces, mut kept, mut ends) = (vec![], vec![], [0; 3]);
        for number in 0..count {
            let [is_kept, kind] = from.get::<[u8; 2]>()?;
            let [cell, nodes, points, planes, drawn] = from.get::<[u32; 5]>()?;
            let counts = [nodes, points, planes.saturating_add(drawn)];
            let mass = self.mass(from)?;
            let [min, max] = from.get::<[Point; 2]>()?;
            let Some(kind) = KINDS.get(kind as usize) else {
                bad_data!("piece {number} is of no known kind");
            };
            if is_kept > 1 || is_kept == 0 && counts != [0; 3] || !kind.is_made_of_planes() && planes != 0 {
                bad_data!("piece {number} has nodes, crack points or planes that it should not have");
            }
            let inertia = mass.inertia.iter();
            if !inertia.chain(&mass.centre.coords).chain([&mass.volume, &mass.mass]).all(|x| x.is_finite()) {
                bad_data!("the mass properties of piece {number} are not finite");
            }
            if !(0..3).all(|k| min[k] <= max[k]) || !self.around.contains(&min) || !self.around.contains(&max) {
                bad_data!("the box of piece {number} is no box within the asset");
            }
            let starts = ends;
            (0..3).for_each(|k| ends[k] += counts[k] as usize);
            let [nodes, points, all] = std::array::from_fn(|k| starts[k]..ends[k]);
            let (planes, drawn) = (all.start..all.start + planes as usize, all.start + planes as usize..all.end);
            let bounds = Aabb { min, max };
            pieces.push(Piece { nodes, points, mass, bounds, cell, kind: *kind, planes, drawn });
            kept.push(is_kept == 1);
        }
        Ok((Break { pieces, next_id, generation, ..Break::default() }, kept))
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

    /// Whoever has a node has the region around it in every cut tetrahedron, and where nothing is cut all of the tetrahedron.
    fn check_cuts(&self, nodes: &[u32], made: &CutTets, is_kept: &[bool]) -> Result<()> {
        let solid = self.asset.solid();
        for (k, cut) in made.tets.iter().enumerate() {
            let regions = &made.regions[made.regions_at(k)];
            for (slot, node) in solid.tets()[cut.tet as usize].iter().enumerate() {
                let region = regions.iter().find(|region| region.nodes >> slot & 1 != 0);
                let owner = region.map_or(NONE, |region| region.piece);
                let known = self.piece_of[*node as usize];
                if known != owner && (known != NONE || is_kept[owner as usize]) {
                    bad_data!("node {node} is in a region of tetrahedron {} that is of another piece", cut.tet);
                }
            }
        }
        let is_cut = |tet: usize| made.find(tet as u32).is_some();
        for &node in nodes {
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

    fn points(&self, from: &mut Reader, made: &Break) -> Result<Vec<CrackPoint>> {
        let mut points = vec![];
        for (piece, number) in made.pieces.iter().zip(0..) {
            for _ in piece.points.clone() {
                let point = get_point(from)?;
                let is_here = piece.bounds.contains(&point.at) && point.id < made.next_id;
                if !is_here || !is_across(point.neighbour, number, made.pieces.len()) {
                    bad_data!("crack point {} of piece {number} is not on its cracks", point.id);
                }
                points.push(point);
            }
            if !points[piece.points.clone()].is_sorted_by_key(|point| point.neighbour) {
                bad_data!("the crack points of piece {number} are not in the order of what is across");
            }
        }
        Ok(points)
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

    /// The box of a piece holds its nodes. Crack points were held against it when they were read.
    fn check_bounds(&self, made: &Break) -> Result<()> {
        let positions = self.asset.solid().nodes();
        for (piece, number) in made.pieces.iter().zip(0..) {
            if !made.nodes_of(number).iter().all(|node| piece.bounds.contains(&positions[*node as usize])) {
                bad_data!("the box of piece {number} does not hold its nodes");
            }
        }
        Ok(())
    }

    fn planes(&self, from: &mut Reader, made: &Break) -> Result<Vec<CellPlane>> {
        let mut planes = vec![];
        for (piece, number) in made.pieces.iter().zip(0..) {
            for k in piece.planes.start..piece.drawn.end {
                let plane = get_plane(from)?;
                let is_of_box = k >= piece.drawn.start && plane.generation == NONE;
                Self::check_plane(number, &plane, is_of_box, (made.pieces.len(), made.generation))?;
                planes.push(plane);
            }
        }
        Ok(planes)
    }

    /// Whether a plane of piece `number` is one, and on a crack of a break of so many pieces and this generation.
    fn check_plane(number: u32, plane: &CellPlane, is_of_box: bool, (count, generation): (usize, u32)) -> Result<()> {
        let Plane { normal, offset } = plane.plane;
        if !((normal.norm() - 1.0).abs() < 1e-6 && offset.is_finite()) {
            bad_data!("a plane of piece {number} has no unit normal, or no finite offset");
        }
        let is_known = match is_of_box {
            true => plane.cells[0] < 6 && plane.cells[1] == NONE,
            false => cuts::is_crack(plane.generation, &plane.cells, generation),
        };
        if !is_known || !is_across(plane.neighbour, number, count) {
            bad_data!("a plane of piece {number} is on no crack");
        }
        Ok(())
    }

    /// Trees name nodes by their numbers, and crack points by their ids behind those.
    fn trees(&self, from: &mut Reader, made: &Break, by_id: &[(u32, u32)]) -> Result<SphereForest> {
        let nodes = self.asset.solid().nodes();
        let crack_point = |point: u32| {
            let id = point.checked_sub(nodes.len() as u32)?;
            let found = by_id.binary_search_by_key(&id, |(id, _)| *id).ok()?;
            Some(by_id[found].1 as usize)
        };
        let piece_of = |point: u32| match crack_point(point) {
            Some(place) => made.pieces.partition_point(|piece| piece.points.end <= place) as u32,
            None => self.piece_of.get(point as usize).copied().unwrap_or(NONE),
        };
        let place =
            |point: u32| crack_point(point).map_or_else(|| nodes[point as usize], |place| made.points[place].at);
        let points = made.pieces.iter().map(|piece| piece.nodes.len() + piece.points.len());
        trees::get(from, points, piece_of, place)
    }
}

/// Whether a piece, or several or none of this break, which has so many, can be across a crack from piece `number`.
fn is_across(neighbour: u32, number: u32, count: usize) -> bool {
    neighbour == NONE || neighbour != number && (neighbour as usize) < count
}

fn put_point(to: &mut Writer, point: &CrackPoint) {
    to.put(point.at);
    to.put(point.key);
    to.put([point.id, point.neighbour]);
}

fn get_point(from: &mut Reader) -> Result<CrackPoint> {
    let (at, key, [id, neighbour]) = (from.get()?, from.get()?, from.get()?);
    Ok(CrackPoint { at, key, id, neighbour })
}
