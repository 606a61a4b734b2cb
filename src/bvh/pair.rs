//! Pairs of triangles of two trees, by branch and bound: a pair of boxes whose bound is not below the best so far is left out.
//!
//! Boxes are compared along the three axes of either frame. The caller turns these gaps into a bound: of the distance, or of
//! the time until the triangles in them can touch.

use super::{Bvh, Node, STACK};
use crate::geom::aabb::Aabb;
use crate::geom::pinned::powi;
use crate::geom::{NONE, Point, Pose, Vector};
use nalgebra::Matrix3;

/// A tree and another one, or a box, placed in its frame. Lengths are in metres.
pub struct TreePair<'a> {
    first: &'a Bvh,
    /// Metres per unit of the tree.
    scale: f64,
    second: Second<'a>,
    /// From the second frame to the first.
    turn: Matrix3<f64>,
    turn_sizes: Matrix3<f64>,
    shift: Vector,
}

/// What a tree is compared with.
#[derive(Clone, Copy)]
pub enum Second<'a> {
    /// A tree, and metres per unit of it.
    Tree(&'a Bvh, f64),
    /// A single box, in metres: of a body that is looked at as a whole.
    One(Aabb),
}

/// Two boxes along the axes of the first frame and along those of the second.
pub struct Gaps {
    /// From the middle of the second box to that of the first.
    pub offsets: [f64; 6],
    /// Gap between the boxes; negative: overlap.
    pub gaps: [f64; 6],
}

/// Numbers of two triangles; [`NONE`] instead of that of a body that is looked at as a whole.
pub type Places = [u32; 2];

/// Middle and half extents of a box.
type Block = (Vector, Vector);

fn block(bounds: &Aabb, scale: f64) -> Block {
    (bounds.centre().coords * scale, bounds.size() * (0.5 * scale))
}

impl<'a> TreePair<'a> {
    /// `placed` leads from the second frame to the first.
    pub fn new((first, scale): (&'a Bvh, f64), second: Second<'a>, placed: &Pose) -> Self {
        let turn = *placed.rotation.to_rotation_matrix().matrix();
        Self { first, scale, second, turn, turn_sizes: turn.abs(), shift: placed.translation.vector }
    }

    /// Visits pairs of triangles whose bound is below the best so far; `visit` gets the best so far and returns the best then.
    pub fn search(
        &self,
        mut best: f64,
        bound: impl Fn(&Gaps) -> f64,
        mut visit: impl FnMut(&Self, Places, f64) -> f64,
    ) -> f64 {
        if self.first.is_empty() || matches!(self.second, Second::Tree(tree, _) if tree.is_empty()) {
            return best;
        }
        let bound_of = |pair: [u32; 2]| bound(&self.gaps(&self.first_box(pair[0]), &self.second_box(pair[1])));
        let mut waiting = [([0u32; 2], 0.0f64); 2 * STACK];
        let mut count = 1;
        waiting[0] = ([0, 0], bound_of([0, 0]));
        while count > 0 {
            count -= 1;
            let (mut pair, least) = waiting[count];
            if least >= best {
                continue;
            }
            while let Some(children) = self.split(pair) {
                let [mut near, mut far] = children.map(|child| (child, bound_of(child)));
                if far.1 < near.1 {
                    std::mem::swap(&mut near, &mut far);
                }
                if far.1 < best {
                    waiting[count] = far;
                    count += 1;
                }
                if near.1 >= best {
                    pair = [NONE; 2];
                    break;
                }
                pair = near.0;
            }
            if pair != [NONE; 2] {
                best = self.visit_leaves(pair, best, &bound, &mut visit);
            }
        }
        best
    }

    fn visit_leaves(
        &self,
        pair: [u32; 2],
        mut best: f64,
        bound: &impl Fn(&Gaps) -> f64,
        visit: &mut impl FnMut(&Self, Places, f64) -> f64,
    ) -> f64 {
        let places = |node: &Node| node.link..node.link + node.count;
        for a in places(&self.first.nodes[pair[0] as usize]) {
            let own = block(&Aabb::around(&self.first.triangles[a as usize].corners), self.scale);
            match self.second {
                Second::One(bounds) => {
                    if bound(&self.gaps(&own, &block(&bounds, 1.0))) < best {
                        best = visit(self, [a, NONE], best);
                    }
                }
                Second::Tree(tree, scale) => {
                    for b in places(&tree.nodes[pair[1] as usize]) {
                        let other = block(&Aabb::around(&tree.triangles[b as usize].corners), scale);
                        if bound(&self.gaps(&own, &other)) < best {
                            best = visit(self, [a, b], best);
                        }
                    }
                }
            }
        }
        best
    }

    /// The corners of two triangles in the first frame; of the second none if it is looked at as a whole.
    pub fn corners(&self, [a, b]: Places) -> ([Point; 3], Option<[Point; 3]>) {
        let first = self.first.triangles[a as usize].corners.map(|p| p * self.scale);
        let second = match self.second {
            Second::Tree(tree, scale) => {
                let corners = &tree.triangles[b as usize].corners;
                Some(corners.map(|p| Point::from(self.turn * (p.coords * scale) + self.shift)))
            }
            Second::One(_) => None,
        };
        (first, second)
    }

    fn first_box(&self, node: u32) -> Block {
        block(&self.first.nodes[node as usize].bounds, self.scale)
    }

    fn second_box(&self, node: u32) -> Block {
        match self.second {
            Second::Tree(tree, scale) => block(&tree.nodes[node as usize].bounds, scale),
            Second::One(bounds) => block(&bounds, 1.0),
        }
    }

    /// The pairs that the larger of two boxes splits into; `None` for two leaves.
    fn split(&self, [a, b]: [u32; 2]) -> Option<[[u32; 2]; 2]> {
        let first = &self.first.nodes[a as usize];
        let second = match self.second {
            Second::Tree(tree, scale) => {
                let node = &tree.nodes[b as usize];
                (node.count == 0).then(|| (node.bounds.size().amax() * scale, node.link))
            }
            Second::One(_) => None,
        };
        match second {
            Some((size, link)) if first.count > 0 || size > first.bounds.size().amax() * self.scale => {
                Some([[a, b + 1], [a, link]])
            }
            _ if first.count == 0 => Some([[a + 1, b], [first.link, b]]),
            _ => None,
        }
    }

    #[inline]
    fn gaps(&self, (middle, half): &Block, (other_middle, other_half): &Block) -> Gaps {
        let offset = middle - (self.turn * other_middle + self.shift);
        let own = offset.abs() - half - self.turn_sizes * other_half;
        let turned = self.turn.tr_mul(&offset);
        let other = turned.abs() - other_half - self.turn_sizes.tr_mul(half);
        Gaps {
            offsets: [offset.x, offset.y, offset.z, turned.x, turned.y, turned.z],
            gaps: [own.x, own.y, own.z, other.x, other.y, other.z],
        }
    }
}

impl Gaps {
    /// Lower bound of the distance of the boxes.
    pub fn distance(&self) -> f64 {
        let squared = |gaps: &[f64]| gaps.iter().map(|gap| powi(gap.max(0.0), 2)).sum::<f64>();
        squared(&self.gaps[..3]).max(squared(&self.gaps[3..])).sqrt()
    }
}
