//! The mass of fragments from a skeleton (`power_cells`): what their tetrahedra along cracks add, and all other triangles of the skin.
//!
//! A crumb is the small difference of large numbers then: it is summed directly, and only the tetrahedra that have a part of it are
//! divided for that.

use super::envelope::Envelope;
use super::fragments::Fragments;
use super::regions::Divided;
use super::scratch::Scratch;
use super::some_tets::{self, SomeTets};
use crate::body::Object;
use crate::geom::moments::{MassProperties, Moments};
use crate::geom::{NONE, Point};

/// How far the volumes may be off the volume of the object, as a share of it: far more than rounding, far less than a line that was taken
/// the wrong way.
const ADDS_UP: f64 = 1e-10;

/// Smaller fragments are crumbs, as shares of the cube of the distance of their centre from the seed: of sixteen digits their inertia would
/// lose more than five.
const CRUMB: f64 = 1e-3;

/// The masses of all fragments; `None` if they do not add up to that of the object.
pub fn weigh(
    object: &Object,
    envelope: &Envelope,
    divided: &Divided,
    fragments: &Fragments,
    scratch: &Scratch,
) -> Option<Vec<MassProperties>> {
    let cells = envelope.power_cells()?;
    let asset = object.asset();
    let solid = asset.solid();
    let fragment_of = &scratch.fragment_of;
    let mut origins: Vec<Point> = fragments.cell.iter().map(|cell| asset.centre() + cells.seed(*cell)).collect();
    let mut sums = vec![Moments::default(); fragments.count()];
    for (moments, fragment) in divided.moments.iter().zip(&fragments.of_part) {
        sums[*fragment as usize] += *moments;
    }
    for (node, moments) in &divided.at_nodes {
        sums[fragment_of[*node as usize] as usize] += *moments;
    }
    for triangle in solid.skin() {
        // A cell is convex: with three corners it has all of a triangle.
        let [fragment, b, c] = triangle.nodes.map(|n| fragment_of[n as usize]);
        if fragment != NONE && fragment == b && b == c {
            let [a, b, c] = triangle.nodes.map(|n| solid.nodes()[n as usize] - origins[fragment as usize]);
            sums[fragment as usize].add_corner_tet(&[a, b, c], a.cross(&b).dot(&c) * (1.0 / 6.0));
        }
    }
    let volume: f64 = sums.iter().map(|sum| sum.volume).sum();
    let whole = object.mass().volume;
    let is_right = (volume - whole).abs() <= ADDS_UP * whole; // false for NaN
    if !is_right {
        return None;
    }
    let far = |f: usize| (sums[f].first / sums[f].volume).norm();
    let is_crumb: Vec<bool> = (0..sums.len()).map(|f| sums[f].volume < CRUMB * far(f).powi(3)).collect();
    if is_crumb.contains(&true) {
        sum_directly(object, envelope, divided, fragments, scratch, &is_crumb, &mut sums, &mut origins);
    }
    Some(sums.iter().zip(&origins).map(|(sum, origin)| sum.mass(origin, asset.density())).collect())
}

/// Sums crumbs part by part, each about a point of its own.
#[allow(clippy::too_many_arguments)] // what is known of fragments, and what becomes of it
fn sum_directly(
    object: &Object,
    envelope: &Envelope,
    divided: &Divided,
    fragments: &Fragments,
    scratch: &Scratch,
    is_crumb: &[bool],
    sums: &mut [Moments],
    origins: &mut [Point],
) {
    let solid = object.asset().solid();
    let SomeTets { divided, of_part } = some_tets::divide(object, envelope, divided, fragments, scratch, is_crumb);
    let fragment_of = &scratch.fragment_of;
    let is_in_crumb = |node: &u32| is_crumb.get(fragment_of[*node as usize] as usize) == Some(&true);
    let mut is_met = vec![false; sums.len()];
    let mut add = |f: u32, at: Point, moments: Moments| {
        let f = f as usize;
        if !std::mem::replace(&mut is_met[f], true) {
            (sums[f], origins[f]) = (Moments::default(), at);
        }
        sums[f] += moments.shifted(&(at - origins[f]));
    };
    for ((part, moments), f) in divided.parts.iter().zip(&divided.moments).zip(of_part) {
        if is_crumb.get(f as usize) == Some(&true) {
            let tet = divided.work[part.work as usize].tet;
            add(f, solid.nodes()[solid.tets()[tet as usize][0] as usize], *moments);
        }
    }
    for tet in object.nodes().iter().filter(|n| is_in_crumb(n)).flat_map(|n| solid.tets_from(*n)) {
        let fragment = solid.tets()[tet].map(|n| fragment_of[n as usize]);
        if fragment.iter().all(|f| *f == fragment[0]) {
            let corners = solid.corners(tet as u32);
            let local = corners.map(|p| p - corners[0]);
            let volume = solid.signed_volume(tet as u32).abs();
            add(fragment[0], corners[0], Moments::of_tet(&local, volume));
        }
    }
}
