//! How large the cracks between pieces are, from their rims.

use super::lines::Lines;
use super::parts::Parts;
use super::skin::CutSkin;
use crate::geom::Vector;
use std::collections::{BTreeMap, HashMap};

/// The areas of the cracks between pieces, the lower of them first.
pub fn between(skin: &CutSkin, lines: &Lines, parts: &Parts, of_node: &[u32]) -> BTreeMap<(u32, u32), f64> {
    // Of each plane on its own: twice the area is the sum over the rim, whatever the origin.
    let mut sums: HashMap<([u32; 2], [u32; 2]), Vector> = HashMap::new();
    let mut add = |pieces: [u32; 2], cells: [u32; 2], ends: &[Vector; 2]| {
        let along = ends[0].cross(&ends[1]);
        match pieces[0].cmp(&pieces[1]) {
            std::cmp::Ordering::Less => *sums.entry((pieces, cells)).or_default() += along,
            std::cmp::Ordering::Greater => {
                *sums.entry(([pieces[1], pieces[0]], [cells[1], cells[0]])).or_default() -= along;
            }
            std::cmp::Ordering::Equal => {}
        }
    };
    for rim in &skin.rims {
        add(rim.holders.map(|holder| parts.of(holder, of_node)), rim.cells, &rim.ends);
    }
    for stretch in &lines.stretches {
        let pieces = parts.along(stretch, (skin, lines), of_node);
        for k in 0..3 {
            // Around the line in its direction the cells come in their order.
            let (own, next) = (k, (k + 1) % 3);
            let ends = [stretch.at[1], stretch.at[0]];
            add([pieces[own], pieces[next]], [stretch.cells[own], stretch.cells[next]], &ends);
        }
    }
    let mut areas = BTreeMap::new();
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_unstable_by_key(|(key, _)| *key);
    for (([a, b], _), sum) in sums {
        *areas.entry((a, b)).or_insert(0.0) += 0.5 * sum.norm();
    }
    areas
}
