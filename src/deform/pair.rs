//! Two bodies of a scene, and which points their triangles share.

use super::body::Body;
/// Two bodies and their places in the scene's list.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub bodies: [&'a Body; 2],
    pub numbers: [u32; 2],
}

impl Pair<'_> {
    /// Corners by numbers that are equal where two triangles share a point; `None` if they cannot.
    #[inline]
    pub fn corner_ids(&self, slots: [usize; 2]) -> Option<[[u32; 3]; 2]> {
        let corners = [0, 1].map(|k| self.bodies[k].corners[slots[k]]);
        if self.numbers[0] == self.numbers[1] {
            return Some(corners);
        }
        // Parts of one split share the points along the cut until they have moved.
        let [a, b] = self.bodies.map(|body| body.seam.as_ref());
        let (a, b) = (a?, b?);
        (a.split == b.split)
            .then(|| [corners[0].map(|v| a.points[v as usize]), corners[1].map(|v| b.points[v as usize])])
    }
}

impl Pair<'_> {
    /// Whether the edges of two triangles from given corners on share a vertex.
    pub fn share_end(&self, slots: [usize; 2], [i, j]: [usize; 2]) -> bool {
        self.corner_ids(slots).is_some_and(|[p, q]| {
            let ends = [q[j], q[(j + 1) % 3]];
            ends.contains(&p[i]) || ends.contains(&p[(i + 1) % 3])
        })
    }
}
