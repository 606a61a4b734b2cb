//! The masses of pieces of a Voronoi pattern without dividing anything: signed tetrahedra between the seed of a cell and what bounds its pieces.
//!
//! A piece of a Voronoi pattern is bounded by skin and by planes. The tetrahedra between its seed and the triangles of that surface,
//! negative where the seed is on the outer side, add up to the piece. What it has of a plane need not be known for that: it is the sum of
//! triangles between the foot of the seed on the plane and the rim, negative where the foot is beyond that. The rim is skin, or lines
//! where three cells meet; and what the body has of a line is the difference of its ends, which are on the skin or where four cells meet,
//! each measured from the foot of the seed on the line. So only the skin along cracks and the ends of lines count. Feet are the same from
//! all cells that meet there.

use crate::geom::moments::Moments;
use crate::geom::{Point, Vector};

/// Cells of seeds with weights.
#[derive(Clone, Copy)]
pub struct PowerCells<'a> {
    pub at: &'a [Point],
    /// The squares of their distances from the origin, with their weights.
    pub squares: &'a [f64],
}

/// The plane between two cells.
struct Border {
    /// From the first to the second.
    normal: Vector,
    /// The point of the plane on the line through the seeds.
    foot: Vector,
    /// How far the plane is from the seeds, along the normals out of their cells.
    far: [f64; 2],
}

impl PowerCells<'_> {
    pub fn seed(&self, cell: u32) -> Vector {
        self.at[cell as usize].coords
    }

    /// How far the border of a cell with another is along the way to its seed, times the length of that way.
    fn half(&self, cell: u32, way: &Vector, other: u32) -> f64 {
        0.5 * (self.squares[other as usize] - self.squares[cell as usize]) - way.dot(&self.seed(cell))
    }

    fn border(&self, a: u32, b: u32) -> Border {
        let way = self.seed(b) - self.seed(a);
        let squared = way.norm_squared();
        let (length, share) = (squared.sqrt(), self.half(a, &way, b) / squared);
        Border { normal: way / length, foot: self.seed(a) + way * share, far: [length * share, length * (1.0 - share)] }
    }

    /// The point of the line where three cells meet that is in the plane of their seeds.
    fn foot(&self, [a, b, c]: [u32; 3]) -> Vector {
        let (p, q) = (self.seed(b) - self.seed(a), self.seed(c) - self.seed(a));
        let (e, f) = (self.half(a, &p, b), self.half(a, &q, c));
        let (pp, pq, qq) = (p.norm_squared(), p.dot(&q), q.norm_squared());
        let area = pp * qq - pq * pq;
        self.seed(a) + p * ((e * qq - f * pq) / area) + q * ((f * pp - e * pq) / area)
    }

    /// Adds a triangle of the skin, whose normal is given, to a cell.
    pub fn add_skin(&self, sum: &mut Moments, cell: u32, triangle: [Vector; 3], normal: &Vector) {
        let local = triangle.map(|p| p - self.seed(cell));
        let volume = local[0].cross(&local[1]).dot(&local[2]).abs() * (1.0 / 6.0);
        sum.add_corner_tet(&local, if normal.dot(&local[0]) < 0.0 { -volume } else { volume });
    }

    /// Adds to two cells what is between their border and a stretch of its rim on the skin, whose normal is given.
    pub fn add_rim(&self, sums: [&mut Moments; 2], cells: [u32; 2], [p, q]: [Vector; 2], skin: &Vector) {
        let border = self.border(cells[0], cells[1]);
        let out = skin - border.normal * border.normal.dot(skin);
        let area = (p - border.foot).cross(&(q - p)).norm();
        let area = if out.dot(&(p - border.foot)) < 0.0 { -area } else { area };
        for ((sum, cell), far) in sums.into_iter().zip(cells).zip(border.far) {
            let seed = self.seed(cell);
            sum.add_corner_tet(&[border.foot - seed, p - seed, q - seed], far * area * (1.0 / 6.0));
        }
    }

    /// Adds to three cells an end of the line where they meet; the body is on the side of `end` that `is_inner` says of a direction.
    pub fn add_end(&self, sums: &mut [Moments; 3], cells: [u32; 3], end: &Vector, is_inner: impl Fn(&Vector) -> bool) {
        let foot = self.foot(cells);
        let [a, b, c] = cells.map(|cell| self.seed(cell));
        let along = (b - a).cross(&(c - a)).normalize();
        let along = if is_inner(&along) { along } else { -along };
        let length = -along.dot(&(end - foot));
        for [i, j, k] in [[0, 1, 2], [0, 2, 1], [1, 2, 0]] {
            let border = self.border(cells[i], cells[j]);
            let way = self.seed(cells[k]) - self.seed(cells[i]);
            let out = (way - border.normal * border.normal.dot(&way)).normalize();
            let area = out.dot(&(foot - border.foot)) * length;
            for (cell, far) in [i, j].into_iter().zip(border.far) {
                let seed = self.seed(cells[cell]);
                let corners = [border.foot - seed, foot - seed, end - seed];
                sums[cell].add_corner_tet(&corners, far * area * (1.0 / 6.0));
            }
        }
    }
}
