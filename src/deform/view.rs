//! What a scene holds, for debug drawing and for callers of other languages.

use super::options::BodyId;
use super::scene::Scene;
use crate::error::Result;
use crate::geom::aabb::Aabb;
use crate::geom::{Point, Vector};

impl Scene {
    /// The corners of a body's triangles at the end of the step, as the caller numbered them.
    pub fn triangles(&self, body: BodyId) -> Result<impl ExactSizeIterator<Item = [Point; 3]> + '_> {
        let body = self.body(self.index(body)?);
        Ok(body.mesh.triangles.iter().map(|corners| corners.map(|v| body.end[v as usize])))
    }

    /// Calls `f` with the boxes of a body's tree that are `level` steps below its root, and with leaves above that; as of the last update.
    /// A body that was not there then has none.
    pub fn boxes(&self, body: BodyId, level: u32, mut f: impl FnMut(&Aabb)) -> Result<()> {
        let tree = &self.body(self.index(body)?).tree;
        // As they are built, boxes are empty.
        if tree.nodes[0].min[0] > tree.nodes[0].max[0] {
            return Ok(());
        }
        let at = |c: [f32; 3]| self.options.origin + Vector::from(c.map(f64::from));
        let mut stack = vec![(0, level)];
        while let Some((node, below)) = stack.pop() {
            let own = &tree.nodes[node];
            if below == 0 || own.leaves == 1 {
                f(&Aabb { min: at(own.min), max: at(own.max) });
            } else {
                stack.extend(tree.children(node).map(|child| (child, below - 1)));
            }
        }
        Ok(())
    }
}
