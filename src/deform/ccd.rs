//! Continuous collision of primitives: the first time at which a vertex meets a triangle, or two edges meet, while their points move
//! along straight lines, t from 0 to 1.
//!
//! Conservative: a collision is never missed, and the time is never later than the true one, whatever rounding does. First a filter:
//! where the four points are never coplanar, nothing meets (Tang et al. 2010: the Bernstein coefficients of their determinant, a cubic in
//! t, have one sign). Then inclusion (Wang et al. 2021, "A Large-scale Benchmark and an Inclusion-based Algorithm for Continuous Collision
//! Detection"): the difference of the two primitives is linear in t and in each of their two parameters, so over a box of these its
//! coordinates are within those at the eight corners. Boxes that do not hold zero are dropped, the earliest of the others is halved until
//! it is small. Boxes are dyadic, so their corners are exact.

use crate::error::{Result, bad_argument};
use crate::geom::{Point, Vector};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Rounding of the difference at a corner, in units of the largest coordinate: at most 3 roundings of a position in time, 5 of a
/// combination of three and one of the difference, each of numbers up to four times that coordinate.
const ROUNDING: f64 = 40.0 * f64::EPSILON;
/// Rounding of a Bernstein coefficient, in units of the products that it is made of: 5 operations in each of 6 products, 3 determinants.
const DETERMINANT_ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Halvings of a parameter: the corners of dyadic boxes stay exact.
const SHORTEST: f64 = 1.0 / (1u64 << 50) as f64;

/// How exact, and how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CcdOptions {
    /// Primitives that come as near as this share of their own extent may count as meeting; 1e-6 by default.
    pub tolerance: f64,
    /// Boxes that are looked at before the earliest time that cannot be excluded is returned; 10,000 by default.
    pub max_boxes: u32,
}

impl Default for CcdOptions {
    fn default() -> Self {
        Self { tolerance: 1e-6, max_boxes: 10_000 }
    }
}

/// The tests, with the memory that they share.
#[derive(Default)]
pub struct Ccd {
    options: CcdOptions,
    boxes: BinaryHeap<Domain>,
    /// What the last test looked at.
    looked_at: u32,
}

/// Which primitives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Vertex, and the three corners of a triangle.
    VertexFace,
    /// The ends of one edge, and those of another.
    EdgeEdge,
}

/// A box of time and the two parameters.
#[derive(Clone, Copy)]
struct Domain {
    low: [f64; 3],
    width: [f64; 3],
}

impl Domain {
    /// The earliest first; of those the smallest, so that the search goes deep.
    fn rank(&self) -> (f64, f64) {
        (-self.low[0], -(self.width[0] * self.width[1] * self.width[2]))
    }
}

impl PartialEq for Domain {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Domain {}

impl PartialOrd for Domain {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Domain {
    fn cmp(&self, other: &Self) -> Ordering {
        let (own, others) = (self.rank(), other.rank());
        own.0.total_cmp(&others.0).then(own.1.total_cmp(&others.1))
    }
}

/// Four points in motion.
struct Moving<'a> {
    kind: Kind,
    start: &'a [Point; 4],
    end: &'a [Point; 4],
    /// What rounding may amount to, per axis.
    rounding: Vector,
}

/// What a box may hold of the difference.
struct Included {
    holds_zero: bool,
    /// The largest extent along an axis.
    extent: f64,
    /// How much the difference changes along each parameter, at most.
    change: [f64; 3],
}

impl Moving<'_> {
    fn at(&self, k: usize, t: f64) -> Vector {
        self.start[k].coords * (1.0 - t) + self.end[k].coords * t
    }

    /// The difference of the primitives.
    fn difference(&self, t: f64, u: f64, v: f64) -> Vector {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| self.at(k, t));
        match self.kind {
            Kind::VertexFace => a - (b * (1.0 - u - v) + c * u + d * v),
            Kind::EdgeEdge => (a * (1.0 - u) + b * u) - (c * (1.0 - v) + d * v),
        }
    }

    fn include(&self, domain: &Domain) -> Included {
        let Domain { low, width } = domain;
        let corner = |bits: usize| [0, 1, 2].map(|k| low[k] + if bits >> k & 1 != 0 { width[k] } else { 0.0 });
        let values: [Vector; 8] = std::array::from_fn(|bits| {
            let [t, u, v] = corner(bits);
            self.difference(t, u, v)
        });
        let (mut least, mut most) = (values[0], values[0]);
        for value in &values[1..] {
            (least, most) = (least.inf(value), most.sup(value));
        }
        let holds_zero = (0..3).all(|k| least[k] <= self.rounding[k] && most[k] >= -self.rounding[k]);
        let change = [0, 1, 2].map(|k| {
            let pairs = (0..8).filter(|bits| bits >> k & 1 == 0).map(|bits| (bits, bits | 1 << k));
            pairs.map(|(a, b)| (values[a] - values[b]).amax()).fold(0.0, f64::max)
        });
        Included { holds_zero, extent: (most - least).max(), change }
    }

    /// Whether the four points are never coplanar, for certain.
    fn is_never_coplanar(&self) -> bool {
        let ways = |points: &[Point; 4]| [1, 2, 3].map(|k| points[k] - points[0]);
        let (p, q) = (ways(self.start), ways(self.end));
        let determinant = |at: [usize; 3]| {
            let [x, y, z] = [0, 1, 2].map(|k| if at[k] == 0 { p[k] } else { q[k] });
            x.cross(&y).dot(&z)
        };
        let mean =
            |a: [usize; 3], b: [usize; 3], c: [usize; 3]| (determinant(a) + determinant(b) + determinant(c)) / 3.0;
        let coefficients = [
            determinant([0, 0, 0]),
            mean([1, 0, 0], [0, 1, 0], [0, 0, 1]),
            mean([1, 1, 0], [1, 0, 1], [0, 1, 1]),
            determinant([1, 1, 1]),
        ];
        // The ways are as exact as the coordinates: each is off by a rounding of the largest.
        let coordinate = self.start.iter().chain(self.end).map(|p| p.coords.amax()).fold(0.0, f64::max);
        let [x, y, z] = [0, 1, 2].map(|k| p[k].amax().max(q[k].amax()));
        let products = x * y * z + coordinate * (x * y + y * z + z * x);
        let slack = DETERMINANT_ROUNDING * products;
        coefficients.iter().all(|c| *c > slack) || coefficients.iter().all(|c| *c < -slack)
    }
}

impl Ccd {
    /// Tests that are as exact as this.
    pub fn new(options: CcdOptions) -> Result<Self> {
        if !(options.tolerance > 0.0 && options.tolerance < 1.0) {
            bad_argument!("tolerance is {}; it must be a share between 0 and 1", options.tolerance);
        }
        if options.max_boxes == 0 {
            bad_argument!("max_boxes is 0; at least one has to be looked at");
        }
        Ok(Self { options, ..Self::default() })
    }

    /// When a vertex, first of the points, meets the triangle of the others; `None` if it does not.
    pub fn vertex_face(&mut self, start: &[Point; 4], end: &[Point; 4]) -> Result<Option<f64>> {
        self.first_time(Kind::VertexFace, start, end)
    }

    /// When the edge between the first two points meets that between the others; `None` if it does not.
    pub fn edge_edge(&mut self, start: &[Point; 4], end: &[Point; 4]) -> Result<Option<f64>> {
        self.first_time(Kind::EdgeEdge, start, end)
    }

    /// How many boxes the last test looked at; 0 if the filter was enough.
    pub fn looked_at(&self) -> u32 {
        self.looked_at
    }

    fn first_time(&mut self, kind: Kind, start: &[Point; 4], end: &[Point; 4]) -> Result<Option<f64>> {
        let mut largest = Vector::zeros();
        let (mut low, mut high) = (Vector::repeat(f64::INFINITY), Vector::repeat(f64::NEG_INFINITY));
        for p in start.iter().chain(end) {
            largest = largest.sup(&p.coords.abs());
            (low, high) = (low.inf(&p.coords), high.sup(&p.coords));
        }
        // Products of three must be numbers; NaN compares as false.
        if !start.iter().chain(end).all(|p| p.iter().all(|c| c.abs() <= 1e100)) {
            bad_argument!("a coordinate is not a number, or above 1e100 m");
        }
        self.looked_at = 0;
        let moving = Moving { kind, start, end, rounding: largest * ROUNDING };
        if moving.is_never_coplanar() {
            return Ok(None);
        }
        let small = (self.options.tolerance * (high - low).max()).max(2.0 * moving.rounding.max());
        self.boxes.clear();
        self.boxes.push(Domain { low: [0.0; 3], width: [1.0; 3] });
        while let Some(domain) = self.boxes.pop() {
            self.looked_at += 1;
            let included = moving.include(&domain);
            if !included.holds_zero {
                continue;
            }
            // The longest that can still be halved.
            let halved = (0..3).filter(|k| domain.width[*k] > SHORTEST);
            let halved = halved.max_by(|a, b| included.change[*a].total_cmp(&included.change[*b]));
            let Some(k) = halved.filter(|_| included.extent > small && self.looked_at < self.options.max_boxes) else {
                return Ok(Some(domain.low[0]));
            };
            let mut half = domain;
            half.width[k] *= 0.5;
            self.boxes.push(half);
            half.low[k] += half.width[k];
            // A triangle has no parameters that add up to more than one.
            if kind == Kind::EdgeEdge || half.low[1] + half.low[2] <= 1.0 {
                self.boxes.push(half);
            }
        }
        Ok(None)
    }
}
