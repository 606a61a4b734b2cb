//! How the pieces of a break are bounded that are several cells, and the edges of its cracks.

use super::bytes::{Reader, Writer};
use super::planes::{get_plane, put_plane};
use crate::asset::Asset;
use crate::crack::breaks::{Break, CellPlane, PieceEdges};
use crate::crack::group::{Face, Function, Group, Member};
use crate::error::{Result, bad_data};
use crate::geom::aabb::Aabb;
use crate::geom::{Local, Point, Vector};

/// The corners of a face are no more.
const MOST_CORNERS: u32 = 1 << 16;

/// Puts what there is of the pieces that are wanted.
pub fn put(to: &mut Writer, made: &Break, wanted: impl Fn(u32) -> bool) {
    let count = made.pieces.len() as u32;
    if !made.groups.is_empty() {
        to.section(b"GRPS", |to| {
            for piece in (0..count).filter(|piece| wanted(*piece)) {
                let group = made.group_of(piece);
                to.put(group.is_some() as u8);
                if let Some(group) = group {
                    put_group(to, group);
                }
            }
        });
    }
    if !made.edges.starts.is_empty() {
        to.section(b"EDGS", |to| {
            for piece in 0..count {
                let own = made.edges.of(piece).filter(|_| wanted(piece)).unwrap_or_default();
                to.list(own.iter().map(|[a, b]| [a.x, a.y, a.z, b.x, b.y, b.z]));
            }
            to.list(made.edges.interrupted.iter().copied());
        });
    }
}

fn put_group(to: &mut Writer, group: &Group) {
    let put_function = |to: &mut Writer, function: &Function| {
        let Function { normal, offset } = function;
        to.put([normal.x, normal.y, normal.z, *offset]);
    };
    to.put([group.cells.len() as u32, group.around.len() as u32, group.faces.len() as u32]);
    for cell in &group.cells {
        put_function(to, &cell.function);
        to.put([cell.planes.len() as u32, cell.is_shared as u32]);
        group.planes_of(cell).iter().for_each(|plane| put_plane(to, plane));
    }
    group.around.iter().for_each(|function| put_function(to, function));
    for face in &group.faces {
        to.put(face.plane);
        to.list(group.corners[face.corners.clone()].iter().copied());
    }
}

/// Gets what there is of the pieces that are kept; `check` says what is wrong with a plane of a piece.
pub fn get(
    from: &mut Reader,
    made: &mut Break,
    is_kept: &[bool],
    (asset, around): (&Asset, &Aabb),
    check: impl Fn(u32, &CellPlane) -> Result<()>,
) -> Result<()> {
    let groups = from.optional(b"GRPS", |from| {
        let mut groups = vec![];
        for (piece, is_kept) in (0..).zip(is_kept) {
            let is_group = *is_kept && from.get::<u8>()? == 1;
            if is_group && made.pieces[piece as usize].kind.is_made_of_planes() {
                bad_data!("piece {piece} is one cell, but bounded as several");
            }
            groups.push(if is_group {
                Some(get_group(from, &around.grown(asset.radius()), |plane| check(piece, plane))?)
            } else {
                None
            });
        }
        Ok(groups)
    })?;
    let edges = from.optional(b"EDGS", |from| get_edges(from, is_kept.len(), asset))?;
    (made.groups, made.edges) = (groups.unwrap_or_default(), edges.unwrap_or_default());
    Ok(())
}

fn get_group(from: &mut Reader, around: &Aabb, check: impl Fn(&CellPlane) -> Result<()>) -> Result<Group> {
    let get_function = |from: &mut Reader| {
        let [x, y, z, offset] = from.get::<[f64; 4]>()?;
        if ![x, y, z, offset].iter().all(|part| part.is_finite()) {
            bad_data!("the function of a cell is not finite");
        }
        Ok(Function { normal: Vector::new(x, y, z), offset })
    };
    let [cells, next_to, faces] = from.get::<[u32; 3]>()?;
    let mut group = Group::default();
    for _ in 0..cells {
        let function = get_function(from)?;
        let [planes, is_shared] = from.get::<[u32; 2]>()?;
        let first = group.planes.len();
        for _ in 0..planes {
            let plane = get_plane(from)?;
            check(&plane)?;
            group.planes.push(plane);
        }
        group.cells.push(Member { function, planes: first..group.planes.len(), is_shared: is_shared == 1 });
    }
    for _ in 0..next_to {
        let function = get_function(from)?;
        group.around.push(function);
    }
    for _ in 0..faces {
        let plane: u32 = from.get()?;
        let corners: Vec<Point> = from.list()?;
        let is_polygon = (3..=MOST_CORNERS as usize).contains(&corners.len());
        let is_here = corners.iter().all(|p| around.contains(p));
        if plane as usize >= group.planes.len() || !is_polygon || !is_here {
            bad_data!("a face of several cells is no polygon on one of their planes");
        }
        let first = group.corners.len();
        group.faces.push(Face::new(plane, &corners, first..first + corners.len()));
        group.corners.extend(corners);
    }
    Ok(group.prepared())
}

fn get_edges(from: &mut Reader, count: usize, asset: &Asset) -> Result<PieceEdges> {
    let mut edges = PieceEdges { starts: vec![0], ..PieceEdges::default() };
    for _ in 0..count {
        for ends in from.list::<[f32; 6]>()? {
            let reach = 2.0 * asset.radius() as f32;
            if !ends.iter().all(|part| part.abs() <= reach) {
                bad_data!("an edge of a crack is far away from the body");
            }
            let [a, b, c, d, e, f] = ends;
            edges.segments.push([Local::new(a, b, c), Local::new(d, e, f)]);
        }
        edges.starts.push(edges.segments.len() as u32);
    }
    edges.interrupted = from.list()?;
    let is_known = edges.interrupted.iter().all(|edge| (*edge as usize) < asset.solid().skin_edges().len());
    if !is_known || !edges.interrupted.is_sorted() {
        bad_data!("the interrupted edges of the skin are not ascending, or none of it");
    }
    Ok(edges)
}
