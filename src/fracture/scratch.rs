//! Working memory of an event: arrays over all nodes of an asset, kept between events so that fracturing a small fragment
//! of a large asset costs what the fragment costs.

use super::envelope::Envelope;
use crate::body::Object;
use crate::geom::NONE;
use std::cell::Cell;

thread_local! {
    static KEPT: Cell<Option<Scratch>> = const { Cell::new(None) };
}

/// Arrays indexed by node. Between events every entry of `cell_of` and `fragment_of` is [`NONE`].
#[derive(Default)]
pub struct Scratch {
    /// Of the object's own nodes; [`NONE`] for all others.
    pub cell_of: Vec<u32>,
    /// See above.
    pub fragment_of: Vec<u32>,
    pub parents: Vec<u32>,
    /// Bits for the upper ends of edges with several cracks that start here (`edges::Contested`). None, between.
    pub contested: Vec<u64>,
    /// Numbers of tetrahedra or edges while they are picked. Anything, between.
    pub picked: Vec<u32>,
}

impl Scratch {
    /// This thread's scratch, large enough for the object's asset. Taken, not borrowed: a thread that picks up another
    /// event while it waits gets a fresh one.
    pub fn take(object: &Object) -> Self {
        let mut scratch = KEPT.take().unwrap_or_default();
        let nodes = object.asset().solid().nodes().len();
        if scratch.cell_of.len() < nodes {
            scratch.cell_of.resize(nodes, NONE);
            scratch.fragment_of.resize(nodes, NONE);
            scratch.contested.resize(nodes, 0);
        }
        scratch.parents.resize(nodes, NONE);
        scratch
    }

    /// Takes the cells of the object's nodes from an envelope.
    pub fn set_cells(&mut self, object: &Object, envelope: &Envelope) {
        object.nodes().iter().for_each(|n| self.cell_of[*n as usize] = envelope.cell_of(*n));
    }

    /// Gives back what this thread keeps.
    pub fn release() {
        KEPT.take();
    }

    /// Clears what the event on `object` wrote, and keeps the memory for the next one.
    pub fn give_back(mut self, object: &Object) {
        for &node in object.nodes() {
            self.cell_of[node as usize] = NONE;
            self.fragment_of[node as usize] = NONE;
            self.contested[node as usize] = 0;
        }
        KEPT.set(Some(self));
    }
}
