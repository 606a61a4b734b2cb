//! The sphere trees of the fragments: the tree of the object that broke, split (Glondu 2013, sections 6.2 and 6.3).
//!
//! Done at the event, as in the paper, and only if the object has a tree. Done later, every fragment would have to keep the
//! breaks before it alive until somebody asks: a wall that is chipped a thousand times would be kept a thousand times.

use super::cracks::Context;
use crate::field::breaks::Break;
use crate::field::lookup::Lookup;
use crate::tree::{self, NewPoint, SphereForest};

/// Splits the tree of the object that broke, if it has one, and adds the points of the new cracks below their nodes.
pub fn split(context: &Context, made: &Break) -> Option<SphereForest> {
    let Context { object, fragment_of, .. } = *context;
    let tree = object.sphere_tree()?;
    let first_crack = object.asset().solid().nodes().len() as u32;
    // Whoever owns the node of an old crack point owns the point.
    let old = object.crack_points();
    let places = Lookup::places(old.iter().map(|p| p.id));
    let node_of = |point: u32| match point.checked_sub(first_crack) {
        Some(id) => old[places.get(id).expect("the tree has the points of its object") as usize].node,
        None => point,
    };
    let new = made.points.iter().filter(|p| p.id >= object.made_by().next_id);
    let added: Vec<NewPoint> = new.map(|p| NewPoint { at: p.at, point: first_crack + p.id, parent: p.node }).collect();
    Some(tree::split(tree, |point| fragment_of[node_of(point) as usize], made.pieces.len() as u32, &added))
}
