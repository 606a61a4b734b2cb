//! A tree of boxes over the elements of a deforming body: built once, and after a cut; refitted when nodes move (Marchal 2004, 3, leaves
//! the choice open). For pairs of overlapping boxes and for the closest element.

use crate::deform::tree::{Builder, Construction, Element, LEAF, Node, above, below, union};
use crate::geom::aabb::Aabb;
use crate::geom::{NONE, Point};
use crate::heap::held;

/// The tree. Boxes are in single precision, rounded outwards.
#[derive(Clone, Default)]
pub(super) struct BoxTree {
    nodes: Vec<Node>,
    /// The elements of the leaves, four places each; [`NONE`] if there are fewer.
    order: Vec<u32>,
}

impl BoxTree {
    /// The structure over elements with these centres. Boxes come with the refit.
    pub fn build(&mut self, builder: &mut Builder, centres: impl Iterator<Item = (u32, Point)>) {
        let mut elements: Vec<Element> = centres
            .map(|(number, c)| Element { centre: [c.x as f32, c.y as f32, c.z as f32], normal: [0.0; 3], number })
            .collect();
        self.nodes.clear();
        self.order.clear();
        if elements.is_empty() {
            return;
        }
        builder.build(Construction::Grid, &mut elements, None);
        let ends = builder.starts.iter().skip(1).copied().chain([elements.len() as u32]);
        for (start, end) in builder.starts.iter().zip(ends) {
            let held = &elements[*start as usize..end as usize];
            self.order.extend((0..LEAF).map(|k| held.get(k).map_or(NONE, |e| e.number)));
        }
        let mut first = 0;
        for leaves in builder.sizes.iter().copied() {
            self.nodes.push(Node { leaves, first, ..Node::NEW });
            first += (leaves == 1) as u32;
        }
    }

    /// New boxes, from the boxes of the elements around some points.
    pub fn refit<'a, const N: usize>(&mut self, mut corners: impl FnMut(u32) -> [&'a Point; N]) {
        for k in (0..self.nodes.len()).rev() {
            let (low, high) = match self.nodes[k].leaves {
                1 => self.leaf_box(k, &mut corners),
                _ => union(&self.nodes[k + 1], &self.nodes[k + 2 * self.nodes[k + 1].leaves as usize]),
            };
            (self.nodes[k].min, self.nodes[k].max) = (low, high);
        }
    }

    fn leaf_box<'a, const N: usize>(
        &self,
        k: usize,
        corners: &mut impl FnMut(u32) -> [&'a Point; N],
    ) -> ([f32; 3], [f32; 3]) {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for element in self.elements(&self.nodes[k]) {
            for p in corners(element) {
                for axis in 0..3 {
                    let c = p[axis];
                    low[axis] = if c < low[axis] { c } else { low[axis] };
                    high[axis] = if c > high[axis] { c } else { high[axis] };
                }
            }
        }
        (low.map(below), high.map(above))
    }

    fn elements(&self, leaf: &Node) -> impl Iterator<Item = u32> + use<'_> {
        self.order[leaf.first as usize * LEAF..][..LEAF].iter().copied().filter(|e| *e != NONE)
    }

    fn children(&self, k: usize) -> [usize; 2] {
        [k + 1, k + 2 * self.nodes[k + 1].leaves as usize]
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The box around all.
    pub fn bounds(&self) -> Option<Aabb> {
        self.nodes.first().map(|root| root.aabb(&Point::origin()))
    }

    /// Calls `visit` with the boxes that are `level` steps below the root, and with leaves above that.
    pub fn boxes(&self, level: u32, mut visit: impl FnMut(&Aabb)) {
        let mut stack: Vec<(usize, u32)> = self.nodes.first().map(|_| (0, level)).into_iter().collect();
        while let Some((k, below)) = stack.pop() {
            match below == 0 || self.nodes[k].leaves == 1 {
                true => visit(&self.nodes[k].aabb(&Point::origin())),
                false => stack.extend(self.children(k).map(|child| (child, below - 1))),
            }
        }
    }

    /// Calls `visit` for elements of both trees whose leaves meet.
    pub fn pairs(&self, other: &Self, stack: &mut Vec<[u32; 2]>, mut visit: impl FnMut(u32, u32)) {
        if self.is_empty() || other.is_empty() {
            return;
        }
        stack.clear();
        stack.push([0; 2]);
        while let Some([a, b]) = stack.pop() {
            let (p, q) = (&self.nodes[a as usize], &other.nodes[b as usize]);
            if !p.meets(q, 0.0) {
                continue;
            }
            if p.leaves == 1 && q.leaves == 1 {
                for x in self.elements(p) {
                    other.elements(q).for_each(|y| visit(x, y));
                }
            } else if q.leaves == 1 || p.leaves > q.leaves {
                stack.extend(self.children(a as usize).map(|c| [c as u32, b]));
            } else {
                stack.extend(other.children(b as usize).map(|c| [a, c as u32]));
            }
        }
    }

    /// Calls `visit` for the elements of leaves that meet a box.
    pub fn within(&self, low: &Point, high: &Point, stack: &mut Vec<[u32; 2]>, mut visit: impl FnMut(u32)) {
        if self.is_empty() {
            return;
        }
        let wanted =
            Node { min: [0, 1, 2].map(|k| below(low[k])), max: [0, 1, 2].map(|k| above(high[k])), ..Node::NEW };
        stack.clear();
        stack.push([0; 2]);
        while let Some([k, _]) = stack.pop() {
            let node = &self.nodes[k as usize];
            if node.meets(&wanted, 0.0) {
                match node.leaves {
                    1 => self.elements(node).for_each(&mut visit),
                    _ => stack.extend(self.children(k as usize).map(|c| [c as u32, 0])),
                }
            }
        }
    }

    /// The element nearest to a point, by squared distances below `most`: the nearer child first. Of several the one that is met first.
    pub fn closest(
        &self,
        p: &Point,
        most: f64,
        stack: &mut Vec<(f32, u32)>,
        distance: impl Fn(u32) -> f64,
    ) -> Option<(u32, f64)> {
        if self.is_empty() {
            return None;
        }
        let place = Place { low: [p.x, p.y, p.z].map(below), high: [p.x, p.y, p.z].map(above) };
        let (mut best, mut found) = (most, None);
        stack.clear();
        let mut next = Some((place.squared_distance(&self.nodes[0]), 0));
        while let Some((bound, mut k)) = next.take().or_else(|| stack.pop()) {
            if bound as f64 >= best {
                continue;
            }
            // Down to a leaf, always into the nearer child.
            while self.nodes[k as usize].leaves > 1 {
                let [mut near, mut far] =
                    self.children(k as usize).map(|child| (place.squared_distance(&self.nodes[child]), child as u32));
                if far.0 < near.0 {
                    (near, far) = (far, near);
                }
                if (far.0 as f64) < best {
                    stack.push(far);
                }
                k = near.1;
                if near.0 as f64 >= best {
                    break;
                }
            }
            let node = &self.nodes[k as usize];
            if node.leaves == 1 {
                for element in self.elements(node) {
                    let squared = distance(element);
                    if squared < best {
                        (best, found) = (squared, Some((element, squared)));
                    }
                }
            }
        }
        found
    }

    /// Heap memory.
    pub fn bytes(&self) -> usize {
        held(&self.nodes) + held(&self.order)
    }
}

/// A point between single-precision numbers.
struct Place {
    low: [f32; 3],
    high: [f32; 3],
}

/// Rounding of a squared distance in single precision makes it larger by less than this share.
const ROUNDED: f32 = 1.0 - 1e-6;

impl Place {
    /// From it to the box of a node: not more than to what is in it.
    #[inline]
    fn squared_distance(&self, node: &Node) -> f32 {
        let mut sum = 0.0;
        for axis in 0..3 {
            let (under, over) = (node.min[axis] - self.high[axis], self.low[axis] - node.max[axis]);
            let beyond = if under > over { under } else { over };
            let beyond = if beyond > 0.0 { beyond } else { 0.0 };
            sum += beyond * beyond;
        }
        sum * ROUNDED
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::random::unit;

    fn segments(count: u64, seed: u64) -> Vec<[Point; 2]> {
        let at = |k: u64| Point::from([0, 1, 2].map(|a| 4.0 * unit(seed, 3 * k + a)));
        (0..count).map(|k| [at(k), at(k) + (at(k + 7777) - Point::origin()) * 0.05]).collect()
    }

    fn tree(list: &[[Point; 2]]) -> BoxTree {
        let mut tree = BoxTree::default();
        tree.build(&mut Builder::default(), (0..).zip(list.iter().map(|s| s[0])));
        tree.refit(|k| list[k as usize].each_ref());
        tree
    }

    #[test]
    fn pairs_and_closest_elements_are_those_of_all() {
        for seed in 0..20 {
            let (mut a, b) = (segments(150, seed), segments(90, seed + 100));
            let (mut p, q) = (tree(&a), tree(&b));
            for round in 0..3 {
                let meets = |s: &[Point; 2], t: &[Point; 2]| {
                    (0..3).all(|k| {
                        s[0][k].min(s[1][k]) <= t[0][k].max(t[1][k]) && t[0][k].min(t[1][k]) <= s[0][k].max(s[1][k])
                    })
                };
                let mut found = vec![];
                p.pairs(&q, &mut vec![], |x, y| found.push((x, y)));
                let all = (0..a.len()).flat_map(|x| (0..b.len()).map(move |y| (x, y)));
                for (x, y) in all.filter(|(x, y)| meets(&a[*x], &b[*y])) {
                    assert!(found.contains(&(x as u32, y as u32)));
                }
                assert!(found.len() < a.len() * b.len() / 4, "{} pairs", found.len());
                let mut near = vec![];
                q.within(&a[0][0], &a[0][1].sup(&a[0][0]), &mut vec![], |y| near.push(y));
                assert!(
                    (0..b.len())
                        .all(|y| !meets(&[a[0][0], a[0][1].sup(&a[0][0])], &b[y]) || near.contains(&(y as u32)))
                );
                for s in &a {
                    let distance = |y: u32| (b[y as usize][0] - s[0]).norm_squared();
                    // Of what is in the box of an element: its first point.
                    let expected = (0..b.len() as u32).map(distance).fold(f64::INFINITY, f64::min);
                    let found = q.closest(&s[0], f64::INFINITY, &mut vec![], distance).unwrap();
                    assert_eq!(found.1, expected);
                }
                // It deforms, and the structure stays.
                a.iter_mut().enumerate().for_each(|(k, s)| s[0].x += unit(seed, 100 * k as u64 + round));
                p.refit(|k| a[k as usize].each_ref());
            }
        }
    }
}
