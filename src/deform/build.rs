//! Building trees: the order of the elements, the leaves and the sizes of the nodes (FASTCD 5.5). Boxes come from the refit.
//!
//! Trees are binary, in depth-first order: the left child follows its node. Leaves hold one to four elements, so a subtree over some
//! leaves always takes the same range of nodes: it is rebuilt in place if it keeps its number of leaves, which a build may be told to.
//!
//! One step of the grid construction sorts a list by a grid of 2 x 2 x 2 cells (k = 1) around its centres and makes the three levels
//! above it; lists below [`GRID_LIMIT`] (the paper's G) are halved at the median. Empty cells make no node. Where all centres are in one
//! cell or the tree has become deep, the median decides.
//!
//! Beyond the paper: the axis that parts triangles that face differently is cut first, and leaves do not reach over a cut. Both keep
//! nodes within one cone of normals: a thin wall is two flat sides, not a stack of closed boxes.

use super::node::{LEAF, Node};
use super::options::Construction;
use crate::geom::NONE;
use std::ops::Range;

/// The paper's G (100 to 1,000): shorter lists are halved at the median.
const GRID_LIMIT: usize = 100;
/// Levels after which lists are halved, so that depth stays logarithmic.
const DEEP: u32 = 48;

/// What a tree is built of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Element {
    pub centre: [f32; 3],
    /// Unit, or zero.
    pub normal: [f32; 3],
    pub number: u32,
}

/// A tree without boxes, and the memory of its construction, kept.
#[derive(Clone, Default)]
pub(crate) struct Builder {
    /// The number of leaves below each node.
    pub sizes: Vec<u32>,
    /// The first element of each leaf, in the order of the elements.
    pub starts: Vec<u32>,
    sorted: Vec<Element>,
    keyed: Vec<(u64, Element)>,
}

/// Number of leaves for some elements, at least.
pub(super) fn leaf_count(elements: usize) -> usize {
    elements.div_ceil(LEAF)
}

/// Part of a list: where it is, how many leaves it must have (if that is given), and how deep it is.
#[derive(Clone, Copy)]
struct Part {
    first: usize,
    end: usize,
    leaves: Option<usize>,
    depth: u32,
}

impl Part {
    fn count(&self) -> usize {
        self.end - self.first
    }

    fn range(&self) -> Range<usize> {
        self.first..self.end
    }

    fn is_leaf(&self) -> bool {
        match self.leaves {
            Some(leaves) => leaves == 1,
            None => self.count() <= LEAF,
        }
    }

    /// Both sides of a cut, at `border` if the leaves allow that, else near it. Neither is empty.
    fn cut(&self, border: usize) -> [Self; 2] {
        let depth = self.depth + 1;
        let sides = |border: usize, leaves: [Option<usize>; 2]| {
            [
                Self { end: border, leaves: leaves[0], depth, ..*self },
                Self { first: border, leaves: leaves[1], depth, ..*self },
            ]
        };
        let Some(leaves) = self.leaves else { return sides(border, [None; 2]) };
        let (left, right) = (border - self.first, self.end - border);
        // Every leaf has one to four elements.
        let (low, high) =
            (leaf_count(left).max(leaves.saturating_sub(right)), left.min(leaves - leaf_count(right).min(leaves)));
        if low >= 1 && low <= high && high < leaves {
            let share = (leaves * left + self.count() / 2) / self.count();
            let own = share.clamp(low, high);
            return sides(border, [Some(own), Some(leaves - own)]);
        }
        let own = ((left + LEAF / 2) / LEAF).clamp(1, leaves - 1);
        let rest = leaves - own;
        let fewest = own.max(self.count().saturating_sub(LEAF * rest));
        let most = (LEAF * own).min(self.count() - rest);
        sides(self.first + left.clamp(fewest, most), [Some(own), Some(rest)])
    }

    /// Where halves of equal numbers of full leaves meet.
    fn middle(&self) -> usize {
        let leaves = self.leaves.unwrap_or(leaf_count(self.count()));
        let half = leaves / 2;
        match self.leaves {
            None => self.first + half * LEAF,
            Some(_) => self.first + self.count() * half / leaves,
        }
    }
}

impl Builder {
    /// Orders the elements, and makes the tree over them. With `leaves`, it has as many.
    pub fn build(&mut self, how: Construction, elements: &mut [Element], leaves: Option<usize>) {
        self.sizes.clear();
        self.starts.clear();
        let whole = Part { first: 0, end: elements.len(), leaves, depth: 0 };
        match how {
            Construction::Grid => self.part(elements, whole, GRID_LIMIT),
            Construction::Median => self.part(elements, whole, usize::MAX),
            Construction::Morton => {
                self.sort_along_curve(elements);
                self.halve(whole);
            }
        }
    }

    /// A node over both sides of a cut.
    fn node(&mut self, sides: [Part; 2], mut then: impl FnMut(&mut Self, usize, Part)) {
        let (node, first) = (self.sizes.len(), self.starts.len());
        self.sizes.push(0);
        sides.into_iter().enumerate().for_each(|(k, side)| then(self, k, side));
        self.sizes[node] = (self.starts.len() - first) as u32;
    }

    fn leaf(&mut self, part: Part) {
        self.sizes.push(1);
        self.starts.push(part.first as u32);
    }

    /// Halves the leaves at every level, in the order of the elements.
    fn halve(&mut self, part: Part) {
        match part.is_leaf() {
            true => self.leaf(part),
            false => self.node(part.cut(part.middle()), |builder, _, side| builder.halve(side)),
        }
    }

    fn part(&mut self, elements: &mut [Element], part: Part, limit: usize) {
        if part.is_leaf() {
            return self.leaf(part);
        }
        let list = &mut elements[part.range()];
        let (low, high) = bounds(list);
        let size = [0, 1, 2].map(|k| high[k] - low[k]);
        if list.len() > limit && part.depth < DEEP {
            let middle = [0, 1, 2].map(|k| low[k] + 0.5 * size[k]);
            let starts = self.sort_into_cells(list, middle, size).map(|start| part.first + start);
            if !starts.windows(2).any(|s| s[1] - s[0] == part.count()) {
                return self.cells(elements, part, limit, &starts);
            }
        }
        let axis = longest(size);
        let sides = part.cut(part.middle());
        // Numbers break ties: the outcome does not depend on the order of equals.
        let before = |a: &Element, b: &Element| a.centre[axis].total_cmp(&b.centre[axis]).then(a.number.cmp(&b.number));
        list.select_nth_unstable_by(sides[0].count(), before);
        self.node(sides, |builder, _, side| builder.part(elements, side, limit));
    }

    /// The nodes over the cells that begin at `starts`; the last entry is the end.
    fn cells(&mut self, elements: &mut [Element], part: Part, limit: usize, starts: &[usize]) {
        let cells = starts.len() - 1;
        if cells == 1 || part.is_leaf() {
            return self.part(elements, part, limit);
        }
        let halves = [&starts[..=cells / 2], &starts[cells / 2..]];
        let border = halves[1][0].clamp(part.first, part.end);
        // A half without an element makes no node.
        if border == part.first {
            return self.cells(elements, part, limit, halves[1]);
        }
        if border == part.end {
            return self.cells(elements, part, limit, halves[0]);
        }
        self.node(part.cut(border), |builder, k, side| builder.cells(elements, side, limit, halves[k]));
    }

    /// Sorts into eight cells around a point, stable. Returns where each starts, and the end.
    fn sort_into_cells(&mut self, elements: &mut [Element], middle: [f32; 3], size: [f32; 3]) -> [usize; 9] {
        let cell = |e: &Element| {
            let beyond = [0, 1, 2].map(|k| (e.centre[k] > middle[k]) as usize);
            beyond[0] | beyond[1] << 1 | beyond[2] << 2
        };
        let (mut counts, mut facing) = ([0; 8], [[0.0f32; 3]; 8]);
        for element in elements.iter() {
            let k = cell(element);
            counts[k] += 1;
            (0..3).for_each(|axis| facing[k][axis] += element.normal[axis]);
        }
        let axes = order_of_axes(&facing, elements.len(), size);
        // The bit of the first axis is the highest.
        let place = |cell: usize| (0..3).fold(0, |place, k| place << 1 | cell >> axes[k] & 1);
        let mut starts = [0; 9];
        (0..8).for_each(|k| starts[place(k) + 1] = counts[k]);
        (0..8).for_each(|k| starts[k + 1] += starts[k]);
        let mut next: [usize; 8] = std::array::from_fn(|k| starts[place(k)]);
        self.sorted.clear();
        self.sorted.extend_from_slice(elements);
        for element in &self.sorted {
            let slot = &mut next[cell(element)];
            elements[*slot] = *element;
            *slot += 1;
        }
        starts
    }

    fn sort_along_curve(&mut self, elements: &mut [Element]) {
        let (low, high) = bounds(elements);
        let size = (0..3).map(|k| high[k] - low[k]).fold(f32::MIN_POSITIVE, f32::max);
        let scale = 1023.0 / size;
        let key = |e: &Element| {
            let [x, y, z] = [0, 1, 2].map(|k| spread(((e.centre[k] - low[k]) * scale) as u32) as u64);
            (x << 2 | y << 1 | z) << 32 | e.number as u64
        };
        self.keyed.clear();
        self.keyed.extend(elements.iter().map(|e| (key(e), *e)));
        self.keyed.sort_unstable_by_key(|(key, _)| *key);
        elements.iter_mut().zip(&self.keyed).for_each(|(to, (_, from))| *to = *from);
    }

    /// The tree over elements that come from slots of another tree, in ascending order, with the structure of that tree. Elements from
    /// no slot ([`NONE`]) are last, and are halved.
    pub fn induce(&mut self, slots: &[u32], nodes: &[Node]) {
        self.sizes.clear();
        self.starts.clear();
        let old = slots.partition_point(|slot| *slot != NONE);
        let whole = Part { first: 0, end: slots.len(), leaves: None, depth: 0 };
        match old {
            0 => self.halve(whole),
            _ if old == slots.len() => self.induce_below(slots, nodes, 0, whole),
            _ => self.node(whole.cut(old), |builder, k, side| match k {
                0 => builder.induce_below(slots, nodes, 0, side),
                _ => builder.halve(side),
            }),
        }
    }

    fn induce_below(&mut self, slots: &[u32], nodes: &[Node], mut node: usize, part: Part) {
        // Down to the first node that has some on both sides of its cut. Small lists fill their leaves.
        while nodes[node].leaves > 1 && part.count() > INDUCED {
            let (left, right) = (node + 1, node + 2 * nodes[node + 1].leaves as usize);
            let border = nodes[right].first as usize * LEAF;
            match part.first + slots[part.range()].partition_point(|slot| (*slot as usize) < border) {
                border if border == part.first => node = right,
                border if border == part.end => node = left,
                border => {
                    let children = [left, right];
                    let then =
                        |builder: &mut Self, k: usize, side| builder.induce_below(slots, nodes, children[k], side);
                    return self.node(part.cut(border), then);
                }
            }
        }
        self.halve(part);
    }
}

/// Elements of lists that take their structure from another tree, at least.
const INDUCED: usize = 32;

/// Weight of the length of an axis against how well it parts what faces differently.
const LENGTH_WEIGHT: f32 = 0.2;

/// The order in which axes are cut: first the one whose halves each face one way, of those that are alike the longest. `facing` are the
/// sums of normals in the cells.
fn order_of_axes(facing: &[[f32; 3]; 8], count: usize, size: [f32; 3]) -> [usize; 3] {
    let longest = size[longest(size)].max(f32::MIN_POSITIVE);
    let score = [0, 1, 2].map(|axis| {
        let side = |bit: usize| {
            let cells = (0..8).filter(|k| k >> axis & 1 == bit);
            let sum = cells.fold([0.0f32; 3], |sum, k| [0, 1, 2].map(|c| sum[c] + facing[k][c]));
            (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]).sqrt()
        };
        (side(0) + side(1)) / count as f32 + LENGTH_WEIGHT * size[axis] / longest
    });
    let mut axes = [0, 1, 2];
    axes.sort_by(|a, b| score[*b].total_cmp(&score[*a]));
    axes
}

/// Puts two zero bits between the bits of a ten-bit number.
fn spread(x: u32) -> u32 {
    let mut x = x & 0x3ff;
    x = (x | x << 16) & 0x0300_00ff;
    x = (x | x << 8) & 0x0300_f00f;
    x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}

fn bounds(elements: &[Element]) -> ([f32; 3], [f32; 3]) {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for element in elements {
        for k in 0..3 {
            let c = element.centre[k];
            low[k] = if c < low[k] { c } else { low[k] };
            high[k] = if c > high[k] { c } else { high[k] };
        }
    }
    (low, high)
}

fn longest(size: [f32; 3]) -> usize {
    (0..3).fold(0, |best, k| if size[k] > size[best] { k } else { best })
}

#[cfg(test)]
mod tests {
    use super::super::node::node_count;
    use super::*;
    use crate::geom::random::unit;

    fn elements(count: usize, kind: u64) -> Vec<Element> {
        let centre = |k: u64| match kind {
            0 => [0, 1, 2].map(|a| unit(5, 3 * k + a) as f32),
            1 => [1.0; 3],
            2 => [0.5f32.powi((k % 120) as i32), 0.0, 0.0],
            _ => [if k.is_multiple_of(100) { 1000.0 } else { unit(6, k) as f32 }, 0.0, unit(7, k) as f32],
        };
        let normal = |k: u64| [0.0, 0.0, if k.is_multiple_of(2) { 1.0 } else { -1.0 }];
        let element = |k: u32| Element { centre: centre(k as u64), normal: normal(k as u64), number: k };
        (0..count as u32).map(element).collect()
    }

    /// Checks the sizes and returns the depth.
    fn depth(sizes: &[u32]) -> usize {
        let leaves = sizes[0] as usize;
        assert_eq!(sizes.len(), node_count(leaves));
        if leaves == 1 {
            return 1;
        }
        let left = node_count(sizes[1] as usize);
        assert_eq!(sizes[1] + sizes[1 + left], leaves as u32);
        1 + depth(&sizes[1..1 + left]).max(depth(&sizes[1 + left..]))
    }

    /// Numbers of elements in the leaves.
    fn leaves(builder: &Builder, count: usize) -> Vec<usize> {
        let ends = builder.starts[1..].iter().copied().chain([count as u32]);
        builder.starts.iter().zip(ends).map(|(start, end)| (end - start) as usize).collect()
    }

    #[test]
    fn every_element_is_in_one_leaf_and_trees_are_not_deep() {
        let mut builder = Builder::default();
        for how in [Construction::Grid, Construction::Median, Construction::Morton] {
            for kind in 0..4 {
                for count in [1, 2, 3, 4, 5, 7, 8, 9, 100, 257, 1000, 5003] {
                    let fewest = leaf_count(count);
                    for wanted in [None, Some(fewest), Some(fewest + fewest / 3), Some(count)] {
                        let mut list = elements(count, kind);
                        builder.build(how, &mut list, wanted);
                        let mut numbers: Vec<u32> = list.iter().map(|e| e.number).collect();
                        numbers.sort_unstable();
                        assert_eq!(numbers, (0..count as u32).collect::<Vec<_>>());
                        let leaves = leaves(&builder, count);
                        assert!(leaves.iter().all(|n| (1..=LEAF).contains(n)), "{how:?}, {kind}, {count}: {leaves:?}");
                        assert!(wanted.is_none_or(|wanted| wanted == leaves.len()));
                        assert!(
                            leaves.len() <= fewest * 3 / 2 + 2 || wanted.is_some(),
                            "{} leaves for {count}",
                            leaves.len()
                        );
                        let most =
                            count.ilog2() as usize + if how == Construction::Grid { DEEP as usize + 3 } else { 3 };
                        assert!(depth(&builder.sizes) <= most, "{how:?}, {kind}: depth {}", depth(&builder.sizes));
                    }
                }
            }
        }
    }

    #[test]
    fn near_elements_are_near_in_the_order() {
        for (how, bar) in [(Construction::Grid, 0.2), (Construction::Median, 0.2), (Construction::Morton, 0.3)] {
            let (mut list, mut builder) = (elements(4000, 0), Builder::default());
            builder.build(how, &mut list, Some(1000));
            let mean = list.chunks(LEAF).map(|leaf| {
                let (low, high) = bounds(leaf);
                (0..3).map(|k| high[k] - low[k]).fold(0.0, f32::max)
            });
            let mean = mean.sum::<f32>() / 1000.0;
            assert!(mean < bar, "{how:?}: leaves of {mean}");
        }
    }

    #[test]
    fn what_faces_differently_is_parted_first() {
        // A slab: the upper side faces up, the lower one down.
        let side = |k: u64| k % 2;
        let at = |k: u64| [4.0 * unit(1, k) as f32, 3.0 * unit(2, k) as f32, 0.1 * side(k) as f32];
        let up = |k: u64| [0.0, 0.0, 2.0 * side(k) as f32 - 1.0];
        let mut list: Vec<Element> =
            (0..999).map(|k| Element { centre: at(k), normal: up(k), number: k as u32 }).collect();
        let mut builder = Builder::default();
        builder.build(Construction::Grid, &mut list, None);
        let left = builder.sizes[1] as usize;
        let border = builder.starts[left] as usize;
        assert!(list[..border].iter().all(|e| e.normal == list[0].normal) && border == 500);
    }
}
