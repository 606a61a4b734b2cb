//! The edges of pieces that can touch something first: rims and lines of cracks, and what cracks leave of the edges of the skin.

use super::lines::Lines;
use super::parts::Parts;
use super::skin::CutSkin;
use crate::asset::Asset;
use crate::crack::breaks::PieceEdges;
use crate::fracture::creases::RISE;
use crate::geom::aabb::Aabb;
use crate::geom::counting_sort::group;
use crate::geom::{Local, Vector};

/// The edges of so many pieces, given their boxes.
pub fn collect(
    asset: &Asset,
    (skin, lines): (&CutSkin, &Lines),
    parts: &Parts,
    of_node: &[u32],
    bounds: &[Aabb],
) -> PieceEdges {
    let room = 2 * (skin.rims.len() + skin.crossings.len());
    let mut found: Vec<[Local; 2]> = Vec::with_capacity(room);
    let mut pieces: Vec<u32> = Vec::with_capacity(room);
    let mut add = |piece: u32, ends: [&Vector; 2]| {
        found.push(ends.map(|end| end.cast()));
        pieces.push(piece);
    };
    for rim in &skin.rims {
        let [own, other] = rim.holders.map(|holder| parts.of(holder, of_node));
        if own != other {
            add(own, [&rim.ends[0], &rim.ends[1]]);
            add(other, [&rim.ends[0], &rim.ends[1]]);
        }
    }
    for stretch in &lines.stretches {
        let around = parts.along(stretch, (skin, lines), of_node);
        // Who has two of the three cells has a groove there.
        for k in (0..3).filter(|k| around.iter().filter(|piece| **piece == around[*k]).count() == 1) {
            add(around[k], [&stretch.at[0], &stretch.at[1]]);
        }
    }
    let (solid, rises) = (asset.solid(), asset.rises());
    let least: Vec<f64> = bounds.iter().map(|bounds| RISE * bounds.radius()).collect();
    let mut interrupted = vec![];
    for run in skin.crossings.chunk_by(|a, b| a.edge == b.edge) {
        let owners = |k: usize| run[k].holders.map(|holder| parts.of(holder, of_node));
        let (first, last) = (owners(0)[0], owners(run.len() - 1)[1]);
        let is_all_of = |piece: u32| (0..run.len()).all(|k| owners(k) == [piece; 2]);
        if first == last && is_all_of(first) {
            continue;
        }
        if first == last {
            interrupted.push(run[0].edge);
        }
        let rise = rises[run[0].edge as usize] as f64;
        let ends = run[0].nodes.map(|n| solid.nodes()[n as usize] - asset.centre());
        let mut from = ends[0];
        for (k, crossing) in run.iter().enumerate() {
            let [own, next] = owners(k);
            if own != next {
                if rise >= least[own as usize] {
                    add(own, [&from, &crossing.at]);
                }
                from = crossing.at;
            }
        }
        if rise >= least[last as usize] {
            add(last, [&from, &ends[1]]);
        }
    }
    interrupted.sort_unstable();
    let (segments, starts) = group(bounds.len(), &pieces, |k| found[k]);
    PieceEdges { segments, starts: starts.into_iter().map(|start| start as u32).collect(), interrupted }
}
