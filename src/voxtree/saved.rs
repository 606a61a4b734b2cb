//! Trees as bytes: an envelope as of assets, with the cubes level by level. What loads can be queried like any other.

use super::tree::{Level, VoxNode, VoxTree};
use crate::error::{Result, bad_data};
use crate::store::bytes::{Plain, Reader};
use crate::store::envelope::{Kind, open, seal};

impl Plain for VoxNode {
    const SIZE: usize = 20;
    /// Without its first child: that follows from the order.
    fn put(self, to: &mut Vec<u8>) {
        self.cell.put(to);
        self.group.put(to);
        self.density.put(to);
        self.outward.map(|c| c as u16).put(to);
        self.children.put(to);
    }
    fn get(from: &[u8]) -> Self {
        let [x, y, z, group] = Plain::get(from);
        let density = f32::get(&from[8..]);
        let [p, q, r, children] = <[u16; 4]>::get(&from[12..]);
        Self { cell: [x, y, z], group, density, first: 0, outward: [p, q, r].map(|c| c as i16), children }
    }
}

impl VoxTree {
    /// The tree as a block of bytes, the same on every machine. An exact finest level is not in it.
    pub fn save(&self) -> Vec<u8> {
        seal(Kind::VoxTree, 1, |to| {
            to.section(b"tree", |to| {
                to.put(self.origin);
                to.list(self.levels.iter().map(|level| level.edge));
                to.list(self.nodes.iter().copied());
            });
        })
    }

    /// The tree that was [saved](Self::save), bit for bit; give it its object again for an [exact](Self::with_exact) finest level.
    pub fn load(bytes: &[u8]) -> Result<Self> {
        let (content, _) = open(Kind::VoxTree, bytes)?;
        let mut reader = Reader::new(content);
        let tree = reader.section(b"tree", |from| {
            let (origin, edges, nodes) = (from.get()?, from.list()?, from.list()?);
            Self { origin, nodes, levels: vec![], exact: None }.linked(&edges)
        })?;
        reader.end()?;
        Ok(tree)
    }

    /// Finds levels and children again, and checks all that queries rely on.
    fn linked(mut self, edges: &[f64]) -> Result<Self> {
        let is_length = |c: f64| c.is_finite() && c.abs() < 1e9;
        if edges.is_empty()
            || !edges.iter().all(|e| is_length(*e) && *e > 0.0)
            || !self.origin.iter().all(|c| is_length(*c))
        {
            bad_data!("the tree has no levels, or cubes or an origin that are no lengths");
        }
        if u32::try_from(self.nodes.len()).is_err() {
            bad_data!("the tree has {} cubes, which are too many", self.nodes.len());
        }
        let (mut first, mut count) = (0, 1);
        for (level, edge) in edges.iter().enumerate() {
            self.levels.push(Level { first: first as u32, edge: *edge });
            let end = first + count;
            if end > self.nodes.len() {
                bad_data!("level {level} has {count} cubes, and {} are left", self.nodes.len().saturating_sub(first));
            }
            // How many along an edge become one.
            let factor = edges.get(level + 1).map_or(1.0, |finer| edge / finer).round();
            if !(1.0..=16.0).contains(&factor) {
                bad_data!("cubes of level {level} are {factor} times as long as those below");
            }
            let mut next = end;
            for k in first..end {
                let VoxNode { cell, density, children, .. } = self.nodes[k];
                if !(density > 0.0 && density <= 1.0) {
                    bad_data!("cube {k} has the density {density}; it must be above 0 and at most 1");
                }
                self.nodes[k].first = next as u32;
                let below = next..next + children as usize;
                let is_within = |child: &VoxNode| (0..3).all(|a| child.cell[a] / factor as u16 == cell[a]);
                let is_last = level + 1 == edges.len();
                if (children == 0) != is_last
                    || !self.nodes.get(below.clone()).is_some_and(|all| all.iter().all(is_within))
                {
                    bad_data!("cube {k} has children that are not there, or not within it");
                }
                next = below.end;
            }
            (first, count) = (end, next - end);
        }
        if first != self.nodes.len() {
            bad_data!("{} cubes are in no level", self.nodes.len() - first);
        }
        Ok(self)
    }
}
