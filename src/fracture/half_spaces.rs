//! The half-spaces of fragments: what cuts a piece out of the original body, if all patterns so far are made of planes
//! (docs/design.md, 4.2b).

use super::cracks::Context;
use crate::field::breaks::Break;
use crate::geom::aabb::Aabb;
use crate::geom::plane::Plane;

/// Patterns of more cells are not described by planes: every piece is held against every cell.
const MOST_CELLS: u32 = 256;

/// Gives each piece its half-spaces: those of the object that broke and those of its cell, as far as they cut its box. Pieces
/// that share a cell, or were joined from several, have none.
pub fn add(context: &Context, made: &mut Break) {
    let Context { object, cells, fragments, .. } = *context;
    let Some(before) = object.made_by().half_spaces_of(object.piece_number()) else { return };
    if fragments.joined || cells.count() > MOST_CELLS {
        return;
    }
    let mut cells_seen: Vec<u32> = made.pieces.iter().map(|piece| piece.cell).collect();
    cells_seen.sort_unstable();
    let shared: Vec<u32> = cells_seen.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
    for piece in &mut made.pieces {
        if shared.binary_search(&piece.cell).is_ok() {
            continue;
        }
        let Some(own) = cells.half_spaces(piece.cell) else { return };
        let first = made.half_spaces.len();
        made.half_spaces.extend(before.iter().chain(&own).filter(|plane| cuts(plane, &piece.bounds)));
        piece.half_spaces = Some(first..made.half_spaces.len());
    }
}

/// Whether something of a box is beyond a plane. What is not does not matter: points of the piece are in its box.
fn cuts(plane: &Plane, bounds: &Aabb) -> bool {
    let reach = plane.normal.abs().dot(&(bounds.size() * 0.5));
    plane.distance(&bounds.centre()) + reach > 0.0
}
