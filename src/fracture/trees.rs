//! The sphere trees of the fragments: the tree of the object that broke, split (Glondu 2013, sections 6.2 and 6.3).
//!
//! Done at the event, as in the paper, and only if the object has a tree. Done later, every fragment would have to keep the
//! breaks before it alive until somebody asks: a wall that is chipped a thousand times would be kept a thousand times.

use crate::body::Object;
use crate::crack::breaks::Break;
use crate::geom::NONE;
use crate::grid::lookup::Lookup;
use crate::reference::tree::{self, NewPoint, SphereForest};

/// Splits the tree of the object that broke, if it has one, and adds the points of the new cracks.
///
/// Nodes and old crack points go to the pieces that list them. Those that no piece lists are left out.
pub fn split(object: &Object, made: &Break) -> Option<SphereForest> {
    let tree = object.sphere_tree()?;
    let first_crack = object.asset().solid().nodes().len() as u32;
    let first_new = object.made_by().next_id;
    let (mut numbers, mut piece_of, mut added) = (vec![], vec![], vec![]);
    for (piece, number) in made.pieces.iter().zip(0..) {
        numbers.extend_from_slice(&made.nodes[piece.nodes.clone()]);
        for p in &made.points[piece.points.clone()] {
            let point = first_crack + p.id;
            match p.id < first_new {
                true => numbers.push(point),
                false => added.push(NewPoint { at: p.at, point, fragment: number }),
            }
        }
        piece_of.resize(numbers.len(), number);
    }
    let places = Lookup::places(numbers.iter().copied());
    let fragment_of = |point: u32| places.get(point).map_or(NONE, |place| piece_of[place as usize]);
    Some(tree::split(tree, fragment_of, made.pieces.len() as u32, &added))
}
