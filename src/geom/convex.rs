//! Convex polyhedra of which every corner has three edges, and how a plane clips them.

/// A corner, where three planes `W` meet.
#[derive(Clone, Copy, Debug)]
pub struct Corner<W, P> {
    /// The planes, around it in the same sense at all corners.
    pub walls: [W; 3],
    /// The corners at the other ends of its edges: that which leaves the first plane, and so on.
    pub next: [u16; 3],
    /// Where it is.
    pub at: P,
}

/// What a plane cuts off a polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clip {
    /// Nothing: all of it is on the right side.
    Nothing,
    /// A part.
    Part,
    /// All of it.
    All,
}

/// A convex polyhedron. Its memory is used again.
#[derive(Clone, Debug)]
pub struct Convex<W, P> {
    /// Its corners; none if nothing is left of it.
    pub corners: Vec<Corner<W, P>>,
    beyond: Vec<bool>,
    moved: Vec<u16>,
}

impl<W, P> Default for Convex<W, P> {
    fn default() -> Self {
        Self { corners: vec![], beyond: vec![], moved: vec![] }
    }
}

impl<W: Copy + PartialEq, P: Copy> Convex<W, P> {
    /// Becomes a tetrahedron with these corners; a wall is known by the corner opposite.
    pub fn set_tet(&mut self, at: [P; 4], walls: [W; 4]) {
        // All with the same sense of rotation.
        let others = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
        let corner = |(at, others): (P, [usize; 3])| Corner {
            walls: others.map(|k| walls[k]),
            next: others.map(|k| k as u16),
            at,
        };
        self.corners.clear();
        self.corners.extend(at.into_iter().zip(others).map(corner));
    }

    /// Clips it by a plane. `is_beyond` says which corners go; `meet` where an edge, between a corner that stays and one that goes, meets
    /// the plane.
    #[inline]
    pub fn clip(
        &mut self,
        wall: W,
        mut is_beyond: impl FnMut(&Corner<W, P>) -> bool,
        meet: impl Fn([W; 3], [&P; 2]) -> P,
    ) -> Clip {
        self.beyond.clear();
        let mut left = 0;
        for corner in &self.corners {
            let beyond = is_beyond(corner);
            left += !beyond as usize;
            self.beyond.push(beyond);
        }
        if left == self.beyond.len() {
            return Clip::Nothing;
        }
        if left == 0 {
            self.corners.clear();
            return Clip::All;
        }
        let old = self.corners.len();
        for u in 0..old {
            if self.beyond[u] {
                continue;
            }
            for k in 0..3 {
                let Corner { walls, next, at } = self.corners[u];
                let other = next[k] as usize;
                if other < old && self.beyond[other] {
                    let fresh = self.corners.len() as u16;
                    // At the other end of an edge its two planes come in the other order.
                    let walls = [walls[(k + 2) % 3], walls[(k + 1) % 3], wall];
                    let at = meet(walls, [&at, &self.corners[other].at]);
                    self.corners[u].next[k] = fresh;
                    self.corners.push(Corner { walls, next: [0, 0, u as u16], at });
                }
            }
        }
        // New corners on one old plane are the two ends of the edge that the clipping plane makes on it.
        for i in old..self.corners.len() {
            for k in 0..2 {
                let along = self.corners[i].walls[k];
                let mut others = old..self.corners.len();
                let other = others.find(|j| *j != i && self.corners[*j].walls[..2].contains(&along));
                self.corners[i].next[1 - k] = other.map_or(i as u16, |j| j as u16);
            }
        }
        self.compact(old);
        Clip::Part
    }

    /// Takes out what lies beyond, among the first `old` corners.
    fn compact(&mut self, old: usize) {
        self.moved.clear();
        let mut kept = 0;
        for k in 0..self.corners.len() {
            self.moved.push(kept as u16);
            if k >= old || !self.beyond[k] {
                if kept < k {
                    self.corners[kept] = self.corners[k];
                }
                kept += 1;
            }
        }
        self.corners.truncate(kept);
        for corner in &mut self.corners {
            corner.next = corner.next.map(|to| self.moved[to as usize]);
        }
    }
}
