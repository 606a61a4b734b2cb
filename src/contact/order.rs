//! The order of contacts: any prefix is a good manifold.
//!
//! The deepest contact comes first, then repeatedly the one that adds most: far from those taken, in position and in
//! normal, and deep. Ties go by feature and position, so the order depends only on the contacts, and not on which body
//! is A.

use super::{Contact, Feature};
use std::cmp::Ordering;

/// Number of the deepest contacts that are put in greedy order; the rest stays sorted by depth. Bounds the quadratic
/// cost; engines keep some tens of contacts per pair at most.
const GREEDY: usize = 64;

/// Sorts the deeper contact first. Swapping A and B only changes the highest bit of features, which is compared last.
pub fn deeper(a: &Contact, b: &Contact) -> Ordering {
    let id = |c: &Contact| Feature::decoded(c.feature).id;
    let place = || a.point.iter().zip(&b.point).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
    let same_id = || place().unwrap_or_else(|| a.feature.cmp(&b.feature));
    b.depth.total_cmp(&a.depth).then(id(a).cmp(&id(b))).then_with(same_id)
}

/// The deepest of those that count.
pub fn deepest_of(contacts: &[Contact], counts: impl Fn(&Contact) -> bool) -> Option<usize> {
    let counted = (0..contacts.len()).filter(|k| counts(&contacts[*k]));
    counted.reduce(|best, k| if deeper(&contacts[k], &contacts[best]).is_lt() { k } else { best })
}

/// Sorts contacts into greedy order. `radius` is the scale of the bodies, `margin` the largest gap that counts.
pub fn greedy(contacts: &mut [Contact], radius: f64, margin: f64) {
    if contacts.len() > GREEDY {
        contacts.sort_unstable_by(deeper);
    } else if let Some(first) = deepest_of(contacts, |_| true) {
        contacts.swap(0, first); // the others are put in order below, wherever they are
    }
    let Some(deepest) = contacts.first().map(|c| c.depth) else { return };
    let full = deepest + margin as f32;
    // From 0.25 at the margin to 1 for the deepest: depth breaks ties in spread but does not outweigh it (found by
    // trial). Squared, like the distances.
    let weight = |c: &Contact| {
        let share = if full > 0.0 { 0.25 + 0.75 * ((c.depth + margin as f32) / full).clamp(0.0, 1.0) } else { 1.0 };
        share * share
    };
    let scale = 1.0 / (radius * radius).max(f64::MIN_POSITIVE) as f32;
    let apart = |a: &Contact, b: &Contact| {
        let squared = |u: &[f32; 3], v: &[f32; 3]| {
            let [x, y, z] = [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
            x * x + y * y + z * z
        };
        // Normals 60 degrees apart count as half a radius. Found by trial.
        squared(&a.point, &b.point) * scale + 0.25 * squared(&a.normal, &b.normal)
    };
    // Squared distance of each contact to the nearest taken one, and its weight.
    let mut known = [(f32::INFINITY, 1.0); GREEDY];
    let count = contacts.len().min(GREEDY);
    known.iter_mut().zip(contacts.iter()).for_each(|(known, contact)| known.1 = weight(contact));
    for taken in 1..count {
        let last = contacts[taken - 1];
        let mut best = (taken, f32::NEG_INFINITY);
        for k in taken..count {
            let (nearest, weight) = &mut known[k];
            let to_last = apart(&contacts[k], &last);
            *nearest = if to_last < *nearest { to_last } else { *nearest };
            let gain = *nearest * *weight;
            // Swaps destroy the sorted order, so ties are compared.
            if gain > best.1 || (gain == best.1 && deeper(&contacts[k], &contacts[best.0]).is_lt()) {
                best = (k, gain);
            }
        }
        contacts.swap(taken, best.0);
        known.swap(taken, best.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_corners_come_before_the_middle() {
        let at = |x: f32, y: f32, depth: f32, feature| Contact {
            point: [x, y, 0.0],
            depth,
            normal: [0.0, 0.0, 1.0],
            feature,
        };
        let mut list: Vec<Contact> = (0..9).map(|k| at((k % 3) as f32, (k / 3) as f32, 0.01, k)).collect();
        list[4].depth = 0.011;
        greedy(&mut list, 1.0, 0.0);
        let first: Vec<u32> = list.iter().map(|c| c.feature).collect();
        assert_eq!(first[0], 4, "the deepest is first");
        let mut corners = first[1..5].to_vec();
        corners.sort_unstable();
        assert_eq!(corners, [0, 2, 6, 8]);
    }
}
