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
    #[inline(always)]
    pub fn corner_ids(&self, slots: [usize; 2]) -> Option<[[u32; 3]; 2]> {
        match self.numbers[0] == self.numbers[1] {
            true => Some([self.bodies[0].corners[slots[0]], self.bodies[1].corners[slots[1]]]),
            false => self.seam_ids(slots),
        }
    }

    /// Parts of one split share the points along the cut until they have moved.
    fn seam_ids(&self, slots: [usize; 2]) -> Option<[[u32; 3]; 2]> {
        let (a, b) = (self.bodies[0].seam.as_ref()?, self.bodies[1].seam.as_ref()?);
        let ids = |k: usize, points: &[u32]| self.bodies[k].corners[slots[k]].map(|v| points[v as usize]);
        (a.split == b.split).then(|| [ids(0, &a.points), ids(1, &b.points)])
    }

    /// Whether the edges of two triangles from given corners on share a vertex.
    pub fn share_end(&self, slots: [usize; 2], [i, j]: [usize; 2]) -> bool {
        self.corner_ids(slots).is_some_and(|[p, q]| {
            let ends = [q[j], q[(j + 1) % 3]];
            ends.contains(&p[i]) || ends.contains(&p[(i + 1) % 3])
        })
    }
}
