//! The engine's own labels, and the gaps that its cut positions stand for.

use super::pattern::{EdgeCut, LabelCuts, NodeLabels};
use crate::body::Object;
use crate::error::{Result, bad_argument};
use crate::geom::NONE;
use crate::geom::pinned::{exp, ln};
use std::collections::{BTreeMap, HashMap};

/// Labels made dense, with a gap for each (node, opposing cell) that the caller fixed.
///
/// The function of a cell is zero at its own nodes, the gap at nodes that have one towards it, and `default` at all others. No gap
/// is more than that: so on an edge or a face a cell is lowest only if it is that of one of its nodes, or named there, and
/// tetrahedra around agree without looking at their other nodes.
#[derive(Debug)]
pub struct LabelCells {
    /// The caller's label of each cell, ascending.
    pub names: Vec<u32>,
    pub gaps: HashMap<(u32, u32), f64>,
    /// What is not given: half a mean edge, or the largest gap, if that is more.
    pub default: f64,
}

/// No node is farther from a crack, in radii of the asset.
const FARTHEST: f64 = 1e6;

/// Cut positions stay this far from the nodes: the logarithms of their ratios are to be fitted.
const MARGIN: f64 = 1e-6;
/// Sweeps of the least-squares fit after its first guess, which is already exact for positions that fit together.
const SWEEPS: usize = 24;

/// Cells of the nodes that a pattern is asked at, in their order, and what the caller says of cracks.
pub fn prepare(object: &Object, nodes: &[u32], given: &NodeLabels) -> Result<(Vec<u32>, LabelCells)> {
    let solid = object.asset().solid();
    let expected = solid.source_node_count();
    if given.labels.len() != expected {
        bad_argument!(
            "{} labels were given for {expected} nodes; every node of the asset needs one",
            given.labels.len()
        );
    }
    let label = |node: &u32| given.labels[solid.source_nodes()[*node as usize] as usize];
    let mut names: Vec<u32> = nodes.iter().map(label).collect();
    names.sort_unstable();
    names.dedup();
    let cell = |label: u32| names.binary_search(&label).map_or(NONE, |k| k as u32);
    let cells: Vec<u32> = nodes.iter().map(|n| cell(label(n))).collect();

    let mut ours = vec![NONE; expected];
    nodes.iter().for_each(|n| ours[solid.source_nodes()[*n as usize] as usize] = *n);
    let gaps = match &given.cuts {
        LabelCuts::Middle => HashMap::new(),
        LabelCuts::Gaps(list) => {
            let mut gaps = HashMap::new();
            for (k, gap) in list.iter().enumerate() {
                if gap.node as usize >= expected {
                    bad_argument!("gaps[{k}].node is {}, but the asset has {expected} nodes", gap.node);
                }
                if !(gap.gap >= 0.0 && gap.gap <= FARTHEST * object.asset().radius()) {
                    bad_argument!("gaps[{k}].gap is {}; it must be a distance, not far beyond the body", gap.gap);
                }
                gaps.insert((ours[gap.node as usize], cell(gap.opponent)), gap.gap);
            }
            gaps
        }
        LabelCuts::Edges(list) => {
            for (k, cut) in list.iter().enumerate() {
                if let Some(node) = cut.nodes.iter().find(|n| **n as usize >= expected) {
                    bad_argument!("cuts[{k}] names node {node}, but the asset has {expected} nodes");
                }
                if !(0.0..=1.0).contains(&cut.position) {
                    bad_argument!("cuts[{k}].position is {}; it must lie between 0 and 1", cut.position);
                }
            }
            fit(object, nodes, &ours, &cells, list)
        }
    };
    let half = 0.5 * object.asset().mean_edge();
    let default = gaps.values().fold(half, |most: f64, gap| most.max(*gap));
    Ok((cells, LabelCells { names, gaps, default }))
}

/// Finds gaps whose ratios along the cut edges come closest to the wanted positions.
///
/// An edge from node i to node j, cut at t, asks for gap i : gap j = t : 1 - t. In logarithms that is one difference an
/// edge: a first guess follows edges outwards from one end of each crack, then a few Gauss-Seidel sweeps even out what
/// does not fit. Each crack is scaled to half a mean edge.
fn fit(object: &Object, nodes: &[u32], ours: &[u32], cells: &[u32], cuts: &[EdgeCut]) -> HashMap<(u32, u32), f64> {
    let asset = object.asset();
    let solid = asset.solid();
    let mut cell_of = vec![NONE; solid.nodes().len()];
    nodes.iter().zip(cells).for_each(|(node, cell)| cell_of[*node as usize] = *cell);
    let wanted: HashMap<(u32, u32), f64> = cuts
        .iter()
        .map(|cut| {
            let [a, b] = cut.nodes.map(|n| ours[n as usize]);
            if a < b { ((a, b), cut.position) } else { ((b, a), 1.0 - cut.position) }
        })
        .collect();

    // Unknowns: the logarithm of the gap of a node towards an opposing cell.
    let mut unknowns: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let mut links: Vec<Vec<(usize, f64)>> = vec![];
    for &low in object.nodes() {
        for edge in &solid.edges()[solid.edges_from(low)] {
            let (i, j) = (edge[0], edge[1]);
            let (own, other) = (cell_of[i as usize], cell_of[j as usize]);
            if other == NONE || own == other {
                continue;
            }
            let t = wanted.get(&(i, j)).map_or(0.5, |t| t.clamp(MARGIN, 1.0 - MARGIN));
            let mut number = |key| {
                *unknowns.entry(key).or_insert_with(|| {
                    links.push(vec![]);
                    links.len() - 1
                })
            };
            let (a, b) = (number((i, other)), number((j, own)));
            let rise = ln((1.0 - t) / t);
            links[a].push((b, rise));
            links[b].push((a, -rise));
        }
    }
    let mut value = vec![f64::NAN; links.len()];
    for start in 0..links.len() {
        if value[start].is_nan() {
            value[start] = 0.0;
            let mut crack = vec![start];
            let mut next = 0;
            while next < crack.len() {
                let at = crack[next];
                next += 1;
                for &(to, rise) in &links[at] {
                    if value[to].is_nan() {
                        value[to] = value[at] + rise;
                        crack.push(to);
                    }
                }
            }
            for _ in 0..SWEEPS {
                for &k in &crack {
                    value[k] = links[k].iter().map(|(to, rise)| value[*to] - rise).sum::<f64>() / links[k].len() as f64;
                }
            }
            let mean = crack.iter().map(|k| value[*k]).sum::<f64>() / crack.len() as f64;
            crack.iter().for_each(|k| value[*k] -= mean);
        }
    }
    unknowns.into_iter().map(|(key, k)| (key, 0.5 * asset.mean_edge() * exp(value[k]))).collect()
}
