//! What a query found, in a form that does not depend on trees: to compare scenes with different options.

use super::play::Player;
use fracas::deform::{BodyId, Features};
use std::collections::HashMap;

/// A pair of triangles, a vertex and a triangle, or two edges, with the numbers of their bodies.
pub type Key = [u32; 7];

/// What the last query of a player found, ascending.
pub fn keys(player: &Player) -> Vec<Key> {
    let bodies = player.bodies.iter().enumerate();
    let number: HashMap<BodyId, u32> = bodies.filter_map(|(k, body)| Some(((*body)?, k as u32))).collect();
    let overlaps = player.overlaps.iter().map(|overlap| {
        let [a, b] = [0, 1].map(|k| [number[&overlap.bodies[k]], overlap.triangles[k]]);
        let ([a, s], [b, t]) = if a < b { (a, b) } else { (b, a) };
        [0, a, s, b, t, 0, 0]
    });
    let impacts = player.impacts.iter().map(|impact| {
        let [a, b] = impact.bodies.map(|body| number[&body]);
        match impact.features {
            Features::VertexFace { vertex, triangle } => [1, a, vertex, b, triangle, 0, 0],
            Features::EdgeEdge { a: p, b: q } => {
                let edge = |body: u32, ends: [u32; 2]| [body, ends[0].min(ends[1]), ends[0].max(ends[1])];
                let (p, q) = (edge(a, p), edge(b, q));
                let ([a, i, j], [b, k, l]) = if p < q { (p, q) } else { (q, p) };
                [2, a, i, j, b, k, l]
            }
        }
    });
    let mut all: Vec<Key> = overlaps.chain(impacts).collect();
    all.sort_unstable();
    all
}

/// How many of some keys are not among others. Both ascending.
pub fn missing(wanted: &[Key], found: &[Key]) -> u64 {
    let mut found = found.iter().peekable();
    let mut count = 0;
    for key in wanted {
        while found.next_if(|other| *other < key).is_some() {}
        count += (found.peek() != Some(&key)) as u64;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_keys_are_counted() {
        let key = |k: u32| [k; 7];
        assert_eq!(missing(&[key(1), key(2), key(4)], &[key(0), key(2), key(3)]), 2);
        assert_eq!(missing(&[key(1)], &[]), 1);
        assert_eq!(missing(&[], &[key(1)]), 0);
    }
}
