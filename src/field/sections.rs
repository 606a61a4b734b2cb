//! Triangles of cracks, eight at a time: lists of crack polygons of one shape that wait until there are eight.
//!
//! Most tetrahedra with cracks have a single split, which parts one node from three, or two from two: [`Sections`]. Where more
//! pieces meet there are [`Polygons`] with three or four corners. Places are kept for their triangles, so that these stay in
//! the order of the mesh's curve.

use super::crack_triangles::Sides;
use crate::geom::Local;
use crate::geom::knockout::{SIDE_BY_SIDE, Split};
use crate::geom::lanes::{LANES, Lanes, lanes};

/// Tetrahedra with a single split, all of one shape.
#[derive(Default)]
pub struct Sections {
    /// Nodes of the smaller side, then those of the other.
    nodes: [Point; 4],
    /// How much each of them weighs.
    gaps: [Lanes; 4],
    waiting: Waiting,
}

/// Convex polygons with a number of corners.
pub struct Polygons<const CORNERS: usize> {
    /// Something near, which all else is relative to: so what is small has a normal too.
    base: Point,
    corners: [Point; CORNERS],
    /// Points on the side of the second owner.
    beyond: Point,
    waiting: Waiting,
}

/// What is known of those that wait.
#[derive(Default)]
struct Waiting {
    /// One if what faces away from the first owner faces out of the lower piece, else minus one.
    way: Lanes,
    /// The pieces on either side, the lower one first.
    pieces: [[u32; 2]; LANES],
    /// Where their triangles go.
    places: [u32; LANES],
    count: usize,
}

/// Where triangles go.
pub struct Triangles<'a> {
    /// Their corners.
    pub corners: &'a mut [[Local; 3]],
    /// What is known of them; those without area get a zero for it.
    pub sides: &'a mut [Sides],
}

/// Eight points or vectors, by axis.
type Point = [Lanes; 3];

impl Sections {
    /// Adds a tetrahedron with a split between nodes `first`, a bit each, and all others, which belong to these owners. Its
    /// triangles come to `place`. True if there are eight now.
    #[inline(always)]
    pub fn add(&mut self, corners: [&[f32; 4]; 4], split: &Split, first: u8, owners: [u32; 2], place: u32) -> bool {
        let three = first.count_ones() == 3;
        let (k, full) = self.waiting.add(owners, three, place);
        let order = &SIDE_BY_SIDE[if three { !first } else { first } as usize & 15];
        for (i, node) in order.iter().enumerate() {
            put(&mut self.nodes[i], k, corners[node & 3]);
            self.gaps[i][k] = split.gaps[node & 3].abs();
        }
        full
    }

    /// Puts the triangles of tetrahedra where one node is parted from three, and waits for more.
    pub fn put_triangles(&mut self, to: &mut Triangles) {
        let (base, [b, c, d]) = self.edges();
        let (b, c, d) = (scaled(&b, &self.ratio(0, 1)), scaled(&c, &self.ratio(0, 2)), scaled(&d, &self.ratio(0, 3)));
        let normal = cross(&difference(&c, &b), &difference(&d, &b));
        let facing = self.waiting.facing(&normal, &b);
        self.waiting.put(&[[sum(base, &b), sum(base, &c), sum(base, &d)]], &facing, to);
    }

    /// The same where two nodes are parted from two: two triangles each.
    pub fn put_quadrilaterals(&mut self, to: &mut Triangles) {
        let (base, [b, c, d]) = self.edges();
        let (p02, p03) = (scaled(&c, &self.ratio(0, 2)), scaled(&d, &self.ratio(0, 3)));
        let (p12, p13) = (between(&b, &c, &self.ratio(1, 2)), between(&b, &d, &self.ratio(1, 3)));
        let normal = cross(&difference(&p13, &p02), &difference(&p12, &p03));
        let facing = self.waiting.facing(&normal, &p02);
        let (p02, p03, p12, p13) = (sum(base, &p02), sum(base, &p03), sum(base, &p12), sum(base, &p13));
        self.waiting.put(&[[p02, p03, p13], [p02, p13, p12]], &facing, to);
    }

    /// The first node, and the others relative to it.
    #[inline(always)]
    fn edges(&self) -> (&Point, [Point; 3]) {
        let [base, b, c, d] = &self.nodes;
        (base, [difference(b, base), difference(c, base), difference(d, base)])
    }

    /// How far from one node to another their edges are crossed.
    #[inline(always)]
    fn ratio(&self, from: usize, to: usize) -> Lanes {
        let (a, b) = (&self.gaps[from], &self.gaps[to]);
        lanes(|k| a[k] / (a[k] + b[k]))
    }
}

impl<const CORNERS: usize> Default for Polygons<CORNERS> {
    fn default() -> Self {
        let none = Point::default();
        Self { base: none, corners: [none; CORNERS], beyond: none, waiting: Waiting::default() }
    }
}

impl<const CORNERS: usize> Polygons<CORNERS> {
    /// Adds a polygon between the first owner and the second, on whose side `beyond` is; all relative to `base`. Its triangles
    /// come to `place`. True if there are eight now.
    #[inline(always)]
    pub fn add(
        &mut self,
        base: &[f32; 4],
        polygon: &[[f32; 4]; CORNERS],
        beyond: &[f32; 4],
        owners: [u32; 2],
        place: u32,
    ) -> bool {
        let (k, full) = self.waiting.add(owners, false, place);
        put(&mut self.base, k, base);
        put(&mut self.beyond, k, beyond);
        self.corners.iter_mut().zip(polygon).for_each(|(to, corner)| put(to, k, corner));
        full
    }
}

impl Polygons<3> {
    /// Puts all triangles, and waits for more.
    pub fn put(&mut self, to: &mut Triangles) {
        let [a, b, c] = &self.corners;
        let normal = cross(&difference(b, a), &difference(c, a));
        let facing = self.waiting.facing(&normal, &difference(&self.beyond, a));
        let [a, b, c] = [sum(&self.base, a), sum(&self.base, b), sum(&self.base, c)];
        self.waiting.put(&[[a, b, c]], &facing, to);
    }
}

impl Polygons<4> {
    /// Puts all quadrilaterals, two triangles each, and waits for more.
    pub fn put(&mut self, to: &mut Triangles) {
        let [a, b, c, d] = &self.corners;
        let (ab, ac, ad) = (difference(b, a), difference(c, a), difference(d, a));
        let normal = sum(&cross(&ab, &ac), &cross(&ac, &ad));
        let facing = self.waiting.facing(&normal, &difference(&self.beyond, a));
        let [a, b, c, d] = [sum(&self.base, a), sum(&self.base, b), sum(&self.base, c), sum(&self.base, d)];
        self.waiting.put(&[[a, b, c], [a, c, d]], &facing, to);
    }
}

/// Normals of what waits.
struct Facing {
    /// Of length one, out of the lower piece.
    unit: Point,
    /// How long they were.
    length: Lanes,
    /// Minus one for those that have been turned round.
    way: Lanes,
}

impl Waiting {
    /// Adds one; `turned` if its normal is to face the first owner. Its number, and whether there are eight now.
    #[inline(always)]
    fn add(&mut self, owners: [u32; 2], turned: bool, place: u32) -> (usize, bool) {
        let k = self.count % LANES;
        let swapped = owners[0] > owners[1];
        // Looked up: nobody could predict a branch.
        self.way[k] = [-1.0, 1.0][(turned == swapped) as usize];
        self.pieces[k] = if swapped { [owners[1], owners[0]] } else { owners };
        self.places[k] = place;
        self.count = k + 1;
        (k, self.count == LANES)
    }

    /// Normals of length one along others, the way they are to face; `away` leads from the first owner to the second.
    #[inline(always)]
    fn facing(&self, normal: &Point, away: &Point) -> Facing {
        let (along, squared) = (dot(normal, away), dot(normal, normal));
        let way = lanes(|k| if along[k] < 0.0 { -self.way[k] } else { self.way[k] });
        let length = lanes(|k| squared[k].sqrt());
        let scale = lanes(|k| way[k] / length[k]);
        Facing { unit: scaled(normal, &scale), length, way }
    }

    /// Puts so many triangles of each to its place. Some are so small that rounding leaves no area: their closest points would
    /// be no numbers.
    #[inline(always)]
    fn put<const COUNT: usize>(&mut self, triangles: &[[Point; 3]; COUNT], facing: &Facing, to: &mut Triangles) {
        for (skip, [a, b, c]) in triangles.iter().enumerate() {
            let across = cross(&difference(b, a), &difference(c, a));
            let squared = dot(&across, &across);
            let area = lanes(|k| {
                let has_area = (squared[k] > 0.0) & (facing.length[k] > f32::MIN_POSITIVE);
                if has_area { squared[k].sqrt() } else { 0.0 }
            });
            let select = |b: &Lanes, c: &Lanes| lanes(|k| if facing.way[k] < 0.0 { c[k] } else { b[k] });
            let second = [select(&b[0], &c[0]), select(&b[1], &c[1]), select(&b[2], &c[2])];
            let third = [select(&c[0], &b[0]), select(&c[1], &b[1]), select(&c[2], &b[2])];
            for k in 0..self.count.min(LANES) {
                let place = self.places[k] as usize + skip;
                let at = |p: &Point| Local::new(p[0][k], p[1][k], p[2][k]);
                to.corners[place] = [at(a), at(&second), at(&third)];
                to.sides[place] = Sides { normal: at(&facing.unit), area: area[k], pieces: self.pieces[k] };
            }
        }
        self.count = 0;
    }
}

#[inline(always)]
fn put(points: &mut Point, k: usize, at: &[f32; 4]) {
    (points[0][k], points[1][k], points[2][k]) = (at[0], at[1], at[2]);
}

#[inline(always)]
fn axes(number: impl Fn(usize, usize) -> f32) -> Point {
    [lanes(|k| number(0, k)), lanes(|k| number(1, k)), lanes(|k| number(2, k))]
}

#[inline(always)]
fn sum(a: &Point, b: &Point) -> Point {
    axes(|axis, k| a[axis][k] + b[axis][k])
}

#[inline(always)]
fn difference(a: &Point, b: &Point) -> Point {
    axes(|axis, k| a[axis][k] - b[axis][k])
}

#[inline(always)]
fn scaled(a: &Point, t: &Lanes) -> Point {
    axes(|axis, k| a[axis][k] * t[k])
}

#[inline(always)]
fn between(a: &Point, b: &Point, t: &Lanes) -> Point {
    axes(|axis, k| a[axis][k] + (b[axis][k] - a[axis][k]) * t[k])
}

#[inline(always)]
fn cross(a: &Point, b: &Point) -> Point {
    axes(|axis, k| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        a[next][k] * b[last][k] - a[last][k] * b[next][k]
    })
}

#[inline(always)]
fn dot(a: &Point, b: &Point) -> Lanes {
    lanes(|k| a[0][k] * b[0][k] + a[1][k] * b[1][k] + a[2][k] * b[2][k])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::interfaces::Interfaces;
    use crate::geom::random::unit;

    /// Triangles of one, by what puts them.
    fn put_by(count: usize, put: impl FnOnce(&mut Triangles)) -> (Vec<[Local; 3]>, Vec<Sides>) {
        let mut corners = vec![[Local::zeros(); 3]; count];
        let mut sides = vec![Sides { normal: Local::zeros(), area: 0.0, pieces: [0; 2] }; count];
        put(&mut Triangles { corners: &mut corners, sides: &mut sides });
        (corners, sides)
    }

    #[test]
    fn sections_are_the_polygons_of_single_splits() {
        let mut interfaces = Interfaces::default();
        for seed in 0..2000u64 {
            let random = |k: u64| unit(seed, k) as f32;
            let nodes: [[f32; 4]; 4] = std::array::from_fn(|k| {
                [random(3 * k as u64), random(3 * k as u64 + 1), random(3 * k as u64 + 2), 0.0]
            });
            let first = 1 + (seed % 14) as u8;
            let sign = |k: usize| if first >> k & 1 != 0 { 1.0 } else { -1.0 };
            let split = Split { gaps: std::array::from_fn(|k| sign(k) * (0.05 + random(20 + k as u64))) };
            let owners = if seed % 3 == 0 { [7, 4] } else { [4, 7] };
            let count = if first.count_ones() == 2 { 2 } else { 1 };
            let (corners, sides) = put_by(count, |to| {
                let mut sections = Sections::default();
                sections.add([&nodes[0], &nodes[1], &nodes[2], &nodes[3]], &split, first, owners, 0);
                if count == 1 { sections.put_triangles(to) } else { sections.put_quadrilaterals(to) }
            });
            let mut expected = vec![];
            interfaces.visit(&[split], &nodes, &mut |polygon, second, _| {
                let beyond = &nodes[second.trailing_zeros() as usize];
                (_, expected) = put_by(count, |to| {
                    let (mut three, mut four) = (Polygons::<3>::default(), Polygons::<4>::default());
                    if count == 1 {
                        three.add(&[0.0; 4], polygon.try_into().unwrap(), beyond, owners, 0);
                        three.put(to);
                    } else {
                        four.add(&[0.0; 4], polygon.try_into().unwrap(), beyond, owners, 0);
                        four.put(to);
                    }
                });
            });
            let area = |sides: &[Sides]| sides.iter().map(|side| side.area).sum::<f32>();
            assert!((area(&sides) - area(&expected)).abs() < 1e-4 * (1.0 + area(&expected)), "seed {seed}");
            for ([a, b, c], side) in corners.iter().zip(&sides) {
                let across = (b - a).cross(&(c - a));
                assert!((across - side.normal * side.area).norm() < 1e-4, "seed {seed}");
                assert!((side.normal - expected[0].normal).norm() < 1e-2 || area(&sides) < 1e-2, "seed {seed}");
                assert_eq!(side.pieces, [4, 7]);
                // Out of the lower piece.
                for (k, node) in nodes.iter().enumerate() {
                    let height = side.normal.dot(&(Local::new(node[0], node[1], node[2]) - a));
                    let owner = owners[(first >> k & 1 == 0) as usize];
                    assert!((height > 0.0) == (owner == 7) || height.abs() < 1e-4, "seed {seed}: {height}");
                }
            }
        }
    }
}
