//! What is around each node of a soft body: the nodes it is linked to by edges, the tetrahedra and the faces of the boundary it is a corner of.
//! Made anew after a cut, linear in the number of tetrahedra.

use super::mesh::{REMOVED, TetMesh};
use crate::geom::counting_sort::starts_of;
use crate::heap::held;

/// Lists by node, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(nodes: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let starts: Vec<u32> = starts_of(nodes, pairs.clone().map(|(node, _)| node));
        let mut next = starts.clone();
        let mut items = vec![0; starts[nodes] as usize];
        for (node, item) in pairs {
            let place = &mut next[node as usize];
            items[*place as usize] = item;
            *place += 1;
        }
        Self { starts, items }
    }

    /// The same with every list ascending and without doubles.
    fn distinct(mut self) -> Self {
        let (mut starts, mut kept) = (vec![0], 0);
        for node in 0..self.starts.len() - 1 {
            let list = self.starts[node] as usize..self.starts[node + 1] as usize;
            self.items[list.clone()].sort_unstable();
            let first = kept;
            for k in list {
                let item = self.items[k];
                if kept == first || self.items[kept - 1] != item {
                    self.items[kept] = item;
                    kept += 1;
                }
            }
            starts.push(kept as u32);
        }
        self.items.truncate(kept);
        Self { starts, items: self.items }
    }

    #[inline]
    pub fn of(&self, node: u32) -> &[u32] {
        &self.items[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

/// What is around the nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    /// Nodes at the other ends of edges, ascending.
    pub nodes: Lists,
    pub tets: Lists,
    /// Faces of the boundary, as four times the tetrahedron plus the face.
    pub faces: Lists,
    /// The edges of the boundary, lower node first, ascending.
    pub edges: Vec<[u32; 2]>,
    /// The nodes of the boundary, ascending.
    pub boundary: Vec<u32>,
    /// By node, whether depths next to it are measured: it is a corner of a tetrahedron with four nodes on the boundary (Marchal 2004, 6.2), or
    /// on the boundary with an edge through the body to another such node. Between these, linear depths are zero.
    pub is_flat: Vec<bool>,
}

impl Links {
    pub fn new(mesh: &TetMesh, nodes: usize) -> Self {
        let there = || (0..).zip(&mesh.tets).filter(|(_, tet)| **tet != REMOVED);
        let tets = Lists::new(nodes, there().flat_map(|(t, tet)| tet.map(|v| (v, t))));
        const OTHERS: [[usize; 3]; 4] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];
        let pairs = there().flat_map(|(_, tet)| (0..12).map(|k| (tet[k / 3], tet[OTHERS[k / 3][k % 3]])));
        let links = Lists::new(nodes, pairs).distinct();
        let faces = Lists::new(nodes, mesh.boundary.iter().flat_map(|f| mesh.face(*f).map(|v| (v, *f))));
        let sides = |f: &u32| {
            let [a, b, c] = mesh.face(*f);
            [[a, b], [b, c], [c, a]].map(|[p, q]| [p.min(q), p.max(q)])
        };
        let mut edges: Vec<[u32; 2]> = mesh.boundary.iter().flat_map(sides).collect();
        edges.sort_unstable();
        edges.dedup();
        let boundary = (0..nodes as u32).filter(|v| !faces.of(*v).is_empty()).collect();
        let mut is_flat = vec![false; nodes];
        for (_, tet) in there().filter(|(_, tet)| tet.iter().all(|v| !faces.of(*v).is_empty())) {
            tet.iter().for_each(|v| is_flat[*v as usize] = true);
        }
        let is_on = |v: u32| !faces.of(v).is_empty();
        for v in (0..nodes as u32).filter(|v| is_on(*v)) {
            for w in links.of(v).iter().filter(|w| **w > v && is_on(**w)) {
                if edges.binary_search(&[v, *w]).is_err() {
                    (is_flat[v as usize], is_flat[*w as usize]) = (true, true);
                }
            }
        }
        Self { nodes: links, tets, faces, edges, boundary, is_flat }
    }

    /// All edges, lower node first, ascending.
    pub fn all_edges(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let nodes = 0..self.nodes.starts.len().saturating_sub(1) as u32;
        nodes.flat_map(|v| self.nodes.of(v).iter().filter(move |w| **w > v).map(move |w| [v, *w]))
    }

    /// Whether a node is on the boundary.
    #[inline]
    pub fn is_boundary(&self, node: u32) -> bool {
        !self.faces.of(node).is_empty()
    }

    /// Heap memory.
    pub fn bytes(&self) -> usize {
        let lists = |lists: &Lists| held(&lists.starts) + held(&lists.items);
        lists(&self.nodes)
            + lists(&self.tets)
            + lists(&self.faces)
            + held(&self.edges)
            + held(&self.boundary)
            + held(&self.is_flat)
    }
}
