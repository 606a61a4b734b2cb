//! The order of contacts: any prefix is a good manifold.
//!
//! The deepest comes first, then each time the one that adds most: far from those taken, in place and in normal, and deep.
//! Ties go by feature and place, so the order depends on nothing but the contacts, and not on which body is A.

use super::{Contact, Feature};
use std::cmp::Ordering;

/// This many, the deepest, are put in the greedy order; what follows is sorted by depth, since nobody reduces to so many.
const GREEDY: usize = 64;

/// The deeper contact first. The same whichever body is A: that changes the highest bit of features.
pub fn deeper(a: &Contact, b: &Contact) -> Ordering {
    let id = |c: &Contact| Feature::decoded(c.feature).id;
    let place = || a.point.iter().zip(&b.point).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
    let same_id = || place().unwrap_or_else(|| a.feature.cmp(&b.feature));
    b.depth.total_cmp(&a.depth).then(id(a).cmp(&id(b))).then_with(same_id)
}

/// Puts contacts in order. `radius` is the scale of the bodies, `margin` the gap that still counts.
pub fn greedy(contacts: &mut [Contact], radius: f64, margin: f64) {
    contacts.sort_unstable_by(deeper);
    let Some(deepest) = contacts.first().map(|c| c.depth) else { return };
    let full = deepest + margin as f32;
    // Squared, as distances are.
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
        squared(&a.point, &b.point) * scale + 0.25 * squared(&a.normal, &b.normal)
    };
    // How far each is from the nearest of those taken, and what it weighs.
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
            // What was swapped is no longer in order.
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
