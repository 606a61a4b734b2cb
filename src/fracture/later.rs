//! Cut tetrahedra that are made when somebody asks for them: a later break, a surface, a file.
//!
//! Queries of pieces that planes made ask planes, skin and samples. So an event on an intact body, which is the common one and the largest,
//! leaves regions out (`boundary`), and keeps what made it instead. Not so later ones: every fragment would keep the breaks before it alive.

use super::envelope::Envelope;
use super::part::Part;
use super::pattern::{Pattern, Shape};
use super::scratch::Scratch;
use super::{FractureOptions, cutting, fragments};
use crate::body::Object;
use crate::crack::breaks::{Break, CutLater, CutTets, Kind, Piece};
use crate::error::Result;
use crate::geom::aabb::Aabb;
use crate::geom::pinned::cbrt;
use crate::geom::{NONE, Point};
use crate::heap::held;

/// Borders between closer seeds are as uneven as their rounded functions, but masses would be those of planes; in radii of the asset over
/// the cube root of their number.
const CLOSE: f64 = 1e-4;
/// Seeds farther from the middle of the asset, in its radii, lose too many digits.
const FAR: f64 = 4.0;
/// More cells are made at once: regions of a tetrahedron may be too many to be numbered, which nobody would be told later.
const MOST_CELLS: usize = 1 << 12;

/// Whether the cut tetrahedra of an object can wait.
pub fn can_wait(object: &Object, envelope: &Envelope) -> bool {
    let asset = object.asset();
    let is_near = |seed: &Point| seed.coords.norm() <= FAR * asset.radius();
    let can_wait = |seeds: &[Point]| seeds.iter().all(is_near) && !has_close_ones(seeds, CLOSE * asset.radius());
    // All of the asset: its skin is looked at.
    let is_all = !object.is_fragment() && object.kind() == Kind::Cell;
    is_all
        && envelope
            .flat_seeds()
            .is_some_and(|(seeds, _)| (1..=MOST_CELLS).contains(&seeds.at.len()) && can_wait(seeds.at))
}

/// Whether two of some points are closer than this, times the distance that so many have.
fn has_close_ones(points: &[Point], close: f64) -> bool {
    let close = close / cbrt(points.len().max(1) as f64);
    let mut sorted = points.to_vec();
    sorted.sort_unstable_by(|a, b| a.x.total_cmp(&b.x));
    let is_close = |(k, p): (usize, &Point)| {
        let mut next = sorted[k + 1..].iter().take_while(|q| q.x - p.x < close);
        next.any(|q| (q - p).norm_squared() < close * close)
    };
    sorted.iter().enumerate().any(is_close)
}

/// What cuts the object by a pattern once more, into pieces that consist of these parts of cells.
pub fn again(object: &Object, pattern: &Pattern, envelope: &Envelope, mut parts: Vec<Part>) -> Box<dyn CutLater> {
    parts.iter_mut().for_each(|part| part.cell = envelope.group_of(part.cell));
    Box::new(Again { object: object.clone(), pattern: pattern.clone(), parts })
}

#[derive(Debug)]
struct Again {
    /// Intact.
    object: Object,
    pattern: Pattern,
    /// By the first cells of their groups.
    parts: Vec<Part>,
}

impl Again {
    fn again(&self, pieces: &[Piece], nodes: &[u32]) -> Result<CutTets> {
        let object = &self.object;
        let options = FractureOptions { max_regions: u32::MAX, ..FractureOptions::default() };
        let envelope = Envelope::new(&self.pattern, object, &options.tasks)?;
        let mut scratch = Scratch::take(object);
        scratch.set_cells(object, &envelope);
        let divided = cutting::divide(object, &envelope, &options, &mut scratch, &mut |_| {});
        let cut = divided.map(|(divided, _)| {
            let fragments = fragments::find(object, &envelope, &divided, &mut scratch);
            // Which pieces they are: by their nodes, or by their boxes.
            let mut piece_of = vec![NONE; fragments.count()];
            for (piece, number) in pieces.iter().zip(0..) {
                for node in &nodes[piece.nodes.clone()] {
                    piece_of[scratch.fragment_of[*node as usize] as usize] = number;
                }
            }
            let boxes = divided.boxes(&fragments.of_part, fragments.count());
            for (k, piece) in piece_of.iter_mut().enumerate().filter(|(_, piece)| **piece == NONE) {
                *piece = like(&self.parts, fragments.cell[k], &boxes[k]).unwrap_or(0);
            }
            let of_part: Vec<u32> = fragments.of_part.iter().map(|f| piece_of[*f as usize]).collect();
            divided.cut_tets(&of_part, pieces.len(), envelope.generation + 1)
        });
        scratch.give_back(object);
        cut
    }
}

/// The piece with the part of a cell that has the box most like this one.
pub fn like(parts: &[Part], cell: u32, bounds: &Aabb) -> Option<u32> {
    let off = |part: &Part| (part.bounds.min - bounds.min).norm() + (part.bounds.max - bounds.max).norm();
    let own = parts.iter().filter(|part| part.cell == cell);
    own.min_by(|a, b| off(a).total_cmp(&off(b))).map(|part| part.piece)
}

impl CutLater for Again {
    fn cut(&self, made: &Break) -> CutTets {
        // Nothing can fail: the steps have no limit, the regions are few, and so are the cracks (`boundary::find`).
        self.again(&made.pieces, &made.nodes).unwrap_or_default()
    }

    fn bytes(&self) -> usize {
        let seeds = match &self.pattern.shape {
            Shape::Seeds(cells) => held(&cells.seeds) + held(&cells.groups),
            _ => 0,
        };
        seeds + held(&self.parts)
    }
}
