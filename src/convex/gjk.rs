//! Separation of two convex bodies: the algorithm of Gilbert, Johnson and Keerthi (1988), with the stopping rules of
//! van den Bergen (1999).
//!
//! The bodies are as far apart as their Minkowski difference A - B is from the origin. A simplex in it moves towards the
//! origin: its nearest point gives an upper bound of the distance, and the support function along that point's direction
//! a lower one. So a query that only asks whether the bodies are farther apart than some margin ends with the first
//! direction that proves it, which with a warm start is the first of all. "Apart" is said only with such a proof; "overlapping"
//! if the origin is in the simplex, or no direction separates the cores by more than rounding.

use crate::convex::simplex::{Difference, Simplex};
use crate::convex::support::Support;
use crate::geom::{Point, Vector};

/// Upper and lower bound of the distance agree: as a share of the distance,
const ACCURACY: f64 = 1e-6;
/// and of the size of the Minkowski difference.
const FINEST: f64 = 1e-10;
/// What is smaller than this share of the coordinates is rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Polyhedra end long before; samples of a smooth body take some ten.
const MOST_ITERATIONS: usize = 64;

/// How far two bodies are apart.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant)] // on the stack, and not kept
pub enum Separation {
    /// Their cores are apart.
    Apart(Apart),
    /// Their cores touch or overlap: for [`penetrate`](crate::convex::epa::penetrate).
    Overlapping(Simplex),
}

/// A gap between two cores. The true distance is between `at_least` and `distance`.
#[derive(Clone, Copy, Debug)]
pub struct Apart {
    /// Distance between the points. Negative if only the margins overlap: then minus the penetration depth.
    pub distance: f64,
    /// Separation along the direction: a plane across it has the bodies on its two sides, this far apart.
    pub at_least: f64,
    /// Unit, from B to A.
    pub direction: Vector,
    /// The nearest points on A and on B.
    pub points: [Point; 2],
}

/// Separates two bodies. Stops as soon as they are known to be farther apart than `beyond`; with infinity, the distance
/// is exact. `start` is where A is likely to be, seen from B: the last direction, or the difference of the centres.
pub fn separate<A: Support, B: Support>(a: &A, b: &B, start: &Vector, beyond: f64) -> Separation {
    let difference = Difference { of: (a, b) };
    let margin = a.margin() + b.margin();
    let mut direction = any_unit(start);
    let mut vertex = difference.farthest(&-direction);
    let mut simplex = Simplex::new(vertex);
    let (mut at, mut at_least) = (vertex.at, vertex.at.dot(&direction));
    let (first, mut size, mut reach) = (vertex.at, 0.0f64, vertex.reach());
    for _ in 0..MOST_ITERATIONS {
        let distance = at.norm();
        if at_least - margin > beyond || distance <= ROUNDING * reach {
            break;
        }
        direction = at / distance;
        vertex = difference.farthest(&-direction);
        at_least = vertex.at.dot(&direction);
        (size, reach) = (size.max((vertex.at - first).norm()), reach.max(vertex.reach()));
        let is_exact = distance - at_least <= ACCURACY * distance + FINEST * size;
        if at_least - margin > beyond || is_exact || simplex.has(&vertex) {
            break;
        }
        simplex.push(vertex);
        let Some(nearest) = simplex.nearest() else {
            return Separation::Overlapping(simplex);
        };
        if nearest.at.norm_squared() >= at.norm_squared() {
            simplex.pop();
            break;
        }
        simplex.keep(&nearest.weights);
        at = nearest.at;
    }
    if at_least <= ROUNDING * reach {
        return Separation::Overlapping(simplex);
    }
    let [on_a, on_b] = simplex.points();
    Separation::Apart(Apart {
        distance: at.norm() - margin,
        at_least: at_least - margin,
        direction,
        points: [on_a - direction * a.margin(), on_b + direction * b.margin()],
    })
}

/// The unit vector along another one; some unit vector if that is zero or not finite.
pub fn any_unit(direction: &Vector) -> Vector {
    let largest = direction.amax();
    let scaled = direction / largest;
    if largest > 0.0 && scaled.iter().all(|x| x.is_finite()) { scaled.normalize() } else { Vector::x() }
}
