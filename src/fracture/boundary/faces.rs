//! The faces of a cell by their rims, and what hangs together over them.

use super::cells::Cells;
use super::lines::{End, Lines};
use super::skin::CutSkin;
use crate::geom::{Vector, union_find};
use std::collections::{BTreeMap, HashMap};

/// A stretch of the rim of a face.
pub struct Side {
    /// The cell across the face.
    across: u32,
    /// Who has the face there.
    pub holder: u32,
    ends: [Vector; 2],
}

/// The rims of all faces of a cell, by what is across. `holder` is that of a cell at the end of a line, on which it has this place.
pub fn sides_of(
    cell: u32,
    skin: &CutSkin,
    lines: &Lines,
    holder: impl Fn(End, usize, u32) -> Option<u32>,
) -> Vec<Side> {
    let mut sides = vec![];
    for rim in &skin.rims {
        if let Some(own) = rim.cells.iter().position(|c| *c == cell) {
            sides.push(Side { across: rim.cells[1 - own], holder: rim.holders[own], ends: rim.ends });
        }
    }
    for stretch in &lines.stretches {
        let own = stretch.cells.iter().position(|c| *c == cell);
        if let Some((own, holder)) = own.and_then(|own| Some((own, holder(stretch.ends[0], own, cell)?))) {
            let others = (0..3).filter(|k| *k != own).map(|k| stretch.cells[k]);
            sides.extend(others.map(|across| Side { across, holder, ends: stretch.at }));
        }
    }
    sides.sort_by_key(|side| side.across);
    sides
}

/// Joins the holders of a cell that have a rim of one connected face each: of one with a hole.
pub fn join_over_faces(cells: &Cells, cell: u32, sides: &[Side], parents: &mut [u32]) {
    for face in sides.chunk_by(|a, b| a.across == b.across) {
        let normal = cells.pull(face[0].across) - cells.pull(cell);
        let axis = Vector::ith(normal.iamin(), 1.0).cross(&normal).normalize();
        let other = normal.cross(&axis).normalize();
        join_loops(face, &[axis, other], parents);
    }
}

/// From the outermost corner of each loop along an axis the way on is within the face or not: as often as it crosses a rim. If it is, what it
/// crosses first is a rim of the same face, which reaches farther out.
fn join_loops(face: &[Side], axes: &[Vector; 2], parents: &mut [u32]) {
    let mut numbers: HashMap<[u64; 3], u32> = HashMap::new();
    let mut at: Vec<[f64; 2]> = vec![];
    let mut number = |end: &Vector| {
        *numbers.entry([end.x, end.y, end.z].map(f64::to_bits)).or_insert_with(|| {
            at.push([axes[0].dot(end), axes[1].dot(end)]);
            at.len() as u32 - 1
        })
    };
    let ends: Vec<[u32; 2]> = face.iter().map(|side| [number(&side.ends[0]), number(&side.ends[1])]).collect();
    let mut loops: Vec<u32> = (0..at.len() as u32).collect();
    ends.iter().for_each(|[a, b]| {
        union_find::join(&mut loops, *a, *b);
    });
    let mut outermost: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    for (side, ends) in face.iter().zip(&ends) {
        for &end in ends {
            let place = outermost.entry(union_find::find(&mut loops, end)).or_insert((end, side.holder));
            if at[end as usize][0] > at[place.0 as usize][0] {
                *place = (end, side.holder);
            }
        }
    }
    for (corner, holder) in outermost.into_values() {
        let [from, level] = at[corner as usize];
        let mut crossed: Vec<(f64, u32)> = vec![];
        for (side, ends) in face.iter().zip(&ends).filter(|(_, ends)| !ends.contains(&corner)) {
            let [[ax, ay], [bx, by]] = ends.map(|end| at[end as usize]);
            if (ay > level) != (by > level) {
                let x = ax + (bx - ax) * ((level - ay) / (by - ay));
                if x > from {
                    crossed.push((x, side.holder));
                }
            }
        }
        crossed.sort_by(|a, b| a.0.total_cmp(&b.0));
        if crossed.len() % 2 == 1 {
            union_find::join(parents, holder, crossed[0].1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rims_of_a_face_with_holes_belong_together() {
        // The rim of a square, in stretches that come in no order.
        let square = |holder: u32, middle: [f64; 2], half: f64| {
            let corner = |k: usize| {
                let [x, y] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]][k % 4];
                Vector::new(middle[0] + half * x, middle[1] + half * y, 0.0)
            };
            [0, 2, 1, 3].map(|k| Side { across: 1, holder, ends: [corner(k), corner(k + 1)] })
        };
        let rims = [
            square(0, [0.0, 0.0], 10.0),
            square(1, [-5.0, 0.3], 3.0), // a hole
            square(2, [3.0, 0.1], 2.0),  // one more, in the way of the first
            square(3, [-5.0, 0.2], 1.0), // an island in the first
            square(4, [30.0, 0.0], 5.0), // another face
        ];
        let face: Vec<Side> = rims.into_iter().flatten().collect();
        for axes in [[Vector::x(), Vector::y()], [Vector::y(), -Vector::x()], [-Vector::x(), Vector::y()]] {
            let mut parents: Vec<u32> = (0..5).collect();
            join_loops(&face, &axes, &mut parents);
            let sets: Vec<u32> = (0..5).map(|k| union_find::find(&mut parents, k)).collect();
            assert_eq!(sets, [0, 0, 0, 3, 4]);
        }
    }
}
