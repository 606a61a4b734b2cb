//! Marching: nodes of a mesh are settled in order of distance, each once, and hand on what they know to the nodes that they are linked to
//! (fast marching after Sethian; with features instead of distances, Marchal 2004, 4.2).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What is handed on.
pub trait Marching {
    /// A node has its final distance. False ends the march.
    fn settle(&mut self, node: usize) -> bool;

    /// Hands on what a settled node knows. `nearer` is to be called for each node that is nearer now and not settled, with its distance.
    fn hand_on(&mut self, node: usize, settled: &[bool], nearer: impl FnMut(usize, f64));
}

/// The narrow band: nodes that have a distance, and which are settled. Memory is kept.
#[derive(Clone, Debug, Default)]
pub struct Front {
    /// Distances are not negative, so their bits are in order; ties by number.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    settled: Vec<bool>,
}

impl Front {
    /// Begins a march over some nodes.
    pub fn begin(&mut self, nodes: usize) {
        self.heap.clear();
        self.settled.clear();
        self.settled.resize(nodes, false);
    }

    /// A node that has a distance, or a lesser one than before.
    pub fn push(&mut self, node: usize, distance: f64) {
        self.heap.push(Reverse((distance.max(0.0).to_bits(), node as u32)));
    }

    /// Settles all that can be reached, or until the march is ended.
    pub fn march(&mut self, space: &mut impl Marching) {
        while let Some(Reverse((_, node))) = self.heap.pop() {
            if std::mem::replace(&mut self.settled[node as usize], true) {
                continue;
            }
            if !space.settle(node as usize) {
                return;
            }
            let Self { heap, settled } = self;
            space.hand_on(node as usize, settled, |other, distance| {
                heap.push(Reverse((distance.max(0.0).to_bits(), other as u32)));
            });
        }
    }

    /// Which nodes are settled.
    pub fn settled(&self) -> &[bool] {
        &self.settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths of paths along a ring.
    struct Ring(Vec<f64>, Vec<usize>);

    impl Marching for Ring {
        fn settle(&mut self, node: usize) -> bool {
            self.1.push(node);
            self.1.len() < 7
        }
        fn hand_on(&mut self, node: usize, settled: &[bool], mut nearer: impl FnMut(usize, f64)) {
            let count = self.0.len();
            for (other, length) in [((node + 1) % count, 1.0), ((node + count - 1) % count, 2.5)] {
                if !settled[other] && self.0[node] + length < self.0[other] {
                    self.0[other] = self.0[node] + length;
                    nearer(other, self.0[other]);
                }
            }
        }
    }

    #[test]
    fn nodes_are_settled_in_order_of_distance_and_once() {
        let mut ring = Ring(vec![f64::INFINITY; 10], vec![]);
        ring.0[0] = 0.0;
        let mut front = Front::default();
        front.begin(10);
        front.push(0, 0.0);
        front.march(&mut ring);
        assert_eq!(ring.1, [0, 1, 2, 9, 3, 4, 5]);
        assert_eq!(ring.0[..6], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(front.settled().iter().filter(|s| **s).count(), 7);
    }
}
