//! Pieces of several cells: the group of cells that each is (`crack::group`).

use super::cells::Cells;
use crate::asset::Asset;
use crate::crack::breaks::{CellPlane, Kind};
use crate::crack::group::{Face as GroupFace, Function, Group, Member};
use crate::fracture::envelope::Envelope;
use crate::fracture::faces::Face;
use crate::fracture::neighbours::clipped_box;
use crate::fracture::part::Part;
use crate::geom::aabb::Aabb;
use crate::geom::convex::Convex;
use crate::geom::{NONE, Point, Vector};

/// The groups of pieces that are several cells. `faces` are ascending.
pub fn groups(
    asset: &Asset,
    (cells, envelope): (&Cells, &Envelope),
    (kinds, bounds): (&[Kind], &[Aabb]),
    parts: &[Part],
    faces: &[Face],
) -> Vec<Option<Group>> {
    if !kinds.contains(&Kind::Union) {
        return vec![];
    }
    let mut own: Vec<Vec<u32>> = vec![vec![]; kinds.len()];
    parts.iter().filter(|part| !part.is_sliver).for_each(|part| own[part.piece as usize].push(part.cell));
    let mut maker = Maker { asset, cells, envelope, polytope: Convex::default() };
    let made = own.into_iter().zip(0..).map(|(mut own, piece)| {
        if kinds[piece as usize] != Kind::Union {
            return None;
        }
        own.sort_unstable();
        own.dedup();
        let of = |face: &Face| face.piece.cmp(&piece);
        let start = faces.partition_point(|face| of(face).is_lt());
        let own_faces = &faces[start..faces.partition_point(|face| of(face).is_le())];
        Some(maker.group(piece, &own, &bounds[piece as usize], parts, own_faces))
    });
    made.collect()
}

struct Maker<'a> {
    asset: &'a Asset,
    cells: &'a Cells<'a>,
    envelope: &'a Envelope,
    polytope: Convex<u32, Vector>,
}

impl Maker<'_> {
    fn group(&mut self, piece: u32, own: &[u32], bounds: &Aabb, parts: &[Part], faces: &[Face]) -> Group {
        let room = 1e-6 * self.asset.radius();
        let centre = self.asset.centre();
        let local = |p: &Point| Point::from(p - centre);
        let around = clipped_box(&Aabb { min: local(&bounds.min), max: local(&bounds.max) }.grown(room));
        let mut group = Group::default();
        let mut next_to: Vec<u32> = vec![];
        for &cell in own {
            self.polytope.corners.clone_from(&around.corners);
            let cells = self.cells;
            cells.each_neighbour(cell, |other| {
                let height = |p: &Vector| cells.height(other, cell, p);
                self.polytope.clip(
                    other,
                    |corner| height(&corner.at) < 0.0,
                    |_, [stays, goes]| {
                        let (from, to) = (height(stays), height(goes));
                        stays + (goes - stays) * (from / (from - to))
                    },
                );
            });
            let mut walls: Vec<u32> = self.polytope.corners.iter().flat_map(|corner| corner.walls).collect();
            walls.sort_unstable();
            walls.dedup();
            walls.retain(|wall| *wall < cells.count());
            let first = group.planes.len();
            for other in walls {
                self.add_plane(cell, other, own, faces, &mut group);
                next_to.push(other);
            }
            let is_shared = parts.iter().any(|part| {
                part.cell == cell && part.piece != piece && !part.is_sliver && part.bounds.meets(&bounds.grown(room))
            });
            let planes = first..group.planes.len();
            group.cells.push(Member { function: self.function(cell), planes, is_shared });
        }
        next_to.sort_unstable();
        next_to.dedup();
        next_to.retain(|cell| own.binary_search(cell).is_err());
        group.around = next_to.into_iter().map(|cell| self.function(cell)).collect();
        group.prepared()
    }

    /// The function of a cell, in the frame of the asset.
    fn function(&self, cell: u32) -> Function {
        let (normal, offset) = self.cells.function(cell);
        Function { normal, offset: offset - normal.dot(&self.asset.centre().coords) }
    }

    /// Adds the plane between a cell of the group, which is at hand, and another, with the face on it if there is one.
    fn add_plane(&self, cell: u32, other: u32, own: &[u32], faces: &[Face], group: &mut Group) {
        let cells = [cell.min(other), cell.max(other)];
        let Some(plane) = self.envelope.plane(cells) else { return };
        let plane = if cell > other { plane.flipped() } else { plane };
        let generation = self.envelope.generation;
        let start = faces.partition_point(|face| (face.generation, face.cells) < (generation, cells));
        let mut met = faces[start..].iter().take_while(|face| (face.generation, face.cells) == (generation, cells));
        let across = met.next().map(|face| face.across);
        let neighbour = if met.any(|face| Some(face.across) != across) { NONE } else { across.unwrap_or(NONE) };
        let first = group.corners.len();
        if across.is_some() && own.binary_search(&other).is_err() {
            self.add_corners(other, &plane.normal, &mut group.corners);
        }
        let corners = &group.corners[first..];
        let has_face = corners.len() > 2;
        if has_face {
            let range = first..group.corners.len();
            group.faces.push(GroupFace::new(group.planes.len() as u32, corners, range));
        } else {
            group.corners.truncate(first);
        }
        group.planes.push(CellPlane { plane, has_face, neighbour, generation, cells });
    }

    /// The corners of the polytope on one of its walls, counter-clockwise seen from outside.
    fn add_corners(&self, wall: u32, outwards: &Vector, out: &mut Vec<Point>) {
        let corners = &self.polytope.corners;
        let first = out.len();
        let Some(start) = corners.iter().position(|corner| corner.walls.contains(&wall)) else { return };
        let mut at = start;
        // There are no more of them: a bound for what rounding might have tied up.
        for _ in 0..corners.len() {
            let corner = &corners[at];
            out.push(self.asset.centre() + corner.at);
            let Some(k) = corner.walls.iter().position(|w| *w == wall) else { break };
            at = corner.next[(k + 1) % 3] as usize;
            if at == start {
                break;
            }
        }
        let own = &out[first..];
        let pairs = own.iter().zip(own.iter().cycle().skip(1));
        let area: Vector = pairs.map(|(a, b)| (a - own[0]).cross(&(b - own[0]))).sum();
        if area.dot(outwards) < 0.0 {
            out[first..].reverse();
        }
    }
}
