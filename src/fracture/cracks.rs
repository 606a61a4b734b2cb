//! The cracks of an event: splits in every tetrahedron that is cut, and sample points on the new surfaces.
//!
//! docs/design.md, 4.2. Inside a tetrahedron the labels are set against each other in pairs, in label order, each node with
//! its gap towards the other label. A gap depends on the node and the opposing label only, so neighbouring tetrahedra agree.
//! Tetrahedra that an earlier event cut keep their splits and get new ones behind them; nodes of other objects do not count.

use super::cells::{Border, Cells};
use super::fragments::Fragments;
use crate::body::Object;
use crate::field::breaks::CutTet;
use crate::geom::knockout::Split;
use crate::geom::{NONE, Point};

/// Gaps are at least this share of the local edge length: cuts through nodes would make fragments without volume.
const SMALLEST_GAP: f64 = 0.01;

/// Everything the steps of an event look at; nothing they change.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub object: &'a Object,
    pub cells: &'a Cells<'a>,
    pub fragments: &'a Fragments,
    /// By node of the asset; [`NONE`] outside the object.
    pub cell_of: &'a [u32],
    /// By node of the asset; [`NONE`] outside the object.
    pub fragment_of: &'a [u32],
}

/// A tetrahedron to cut, and where its earlier cuts are in the object's break.
#[derive(Clone, Copy)]
pub struct Work {
    pub tet: u32,
    earlier: u32,
}

/// Gaps towards labels, with the borders met last at hand.
pub struct Gaps<'a> {
    context: Context<'a>,
    keys: Vec<(u32, u32)>,
    borders: Vec<Border>,
}

const REMEMBERED: usize = 256;

impl<'a> Gaps<'a> {
    pub fn new(context: Context<'a>) -> Self {
        Self { context, keys: vec![(NONE, NONE); REMEMBERED], borders: vec![Border::Nodes { other: NONE }; REMEMBERED] }
    }

    /// The gap of a node towards a fragment, in mean edge lengths of the asset.
    pub fn of(&mut self, node: u32, opponent: u32) -> f32 {
        let Context { object, cells, fragments, cell_of, .. } = self.context;
        let own = cell_of[node as usize];
        let other = fragments.cell[opponent as usize];
        let slot = (own.wrapping_mul(31) ^ other) as usize % REMEMBERED;
        if self.keys[slot] != (own, other) {
            self.keys[slot] = (own, other);
            // A crumb that was joined to another cell may face its own one.
            self.borders[slot] = if own == other { Border::Nodes { other } } else { cells.border(own, other) };
        }
        let asset = object.asset();
        let gap = cells.gap(&self.borders[slot], node).max(SMALLEST_GAP * asset.local_edge(node));
        (gap / asset.mean_edge()) as f32
    }
}

/// The tetrahedra that cracks run through, ascending: those cut now and those cut before.
pub fn cut_tets(context: &Context) -> Vec<Work> {
    let Context { object, fragment_of, .. } = *context;
    let solid = object.asset().solid();
    let made_by = object.made_by();
    let mut earlier = made_by.cuts[object.piece().cuts.clone()].iter().map(|k| Work { tet: made_by.tets[*k as usize].tet, earlier: *k }).peekable();
    let mut work = vec![];
    for &low in object.nodes() {
        let own = fragment_of[low as usize];
        for t in solid.tets_from(low) {
            let [_, b, c, d] = solid.tets()[t].map(|n| fragment_of[n as usize]);
            // Nodes of other objects: an earlier event cut it, and it is in the other list.
            if (b != own || c != own || d != own) && b != NONE && c != NONE && d != NONE {
                while let Some(before) = earlier.next_if(|w| w.tet < t as u32) {
                    work.push(before);
                }
                work.push(Work { tet: t as u32, earlier: NONE });
            }
        }
    }
    work.extend(earlier);
    work
}

/// What one run of tetrahedra contributes; runs are put together in order.
#[derive(Default)]
pub struct Cracks {
    pub tets: Vec<CutTet>,
    pub splits: Vec<Split>,
    /// Position and owner node.
    pub corners: Vec<(Point, u32)>,
}

/// Cuts a run of tetrahedra.
pub fn cut(context: Context, work: &[Work]) -> Cracks {
    let mut gaps = Gaps::new(context);
    let mut cracks = Cracks { tets: Vec::with_capacity(work.len()), splits: Vec::with_capacity(work.len() * 3 / 2), corners: vec![] };
    let solid = context.object.asset().solid();
    let made_by = context.object.made_by();
    for w in work {
        let nodes = solid.tets()[w.tet as usize];
        let owners = nodes.map(|n| context.fragment_of[n as usize]);
        let first = cracks.splits.len();
        if w.earlier != NONE {
            cracks.splits.extend_from_slice(made_by.splits_at(w.earlier as usize));
        }
        let old = cracks.splits.len() - first;
        let labels = split(&nodes, &owners, &mut gaps, &mut cracks.splits);
        cracks.tets.push(CutTet { tet: w.tet, owners, first_split: first as u32 });
        if labels > 2 || (labels == 2 && old > 0) {
            let (splits, corners) = (&cracks.splits[first..], &mut cracks.corners);
            sample_corners(&context, w.tet, &owners, splits, old, corners);
        }
    }
    cracks
}

/// Sets the labels of a tetrahedron against each other, in label order; returns how many there are.
fn split(nodes: &[u32; 4], owners: &[u32; 4], gaps: &mut Gaps, splits: &mut Vec<Split>) -> usize {
    let mut labels = [NONE; 4];
    let mut count = 0;
    for &owner in owners {
        if owner != NONE && !labels[..count].contains(&owner) {
            labels[count] = owner;
            count += 1;
        }
    }
    labels[..count].sort_unstable();
    for late in 1..count {
        for early in 0..late {
            let (first, second) = (labels[early], labels[late]);
            splits.push(Split {
                gaps: std::array::from_fn(|k| match owners[k] {
                    owner if owner == first => gaps.of(nodes[k], second),
                    owner if owner == second => -gaps.of(nodes[k], first),
                    _ => 0.0,
                }),
            });
        }
    }
    count
}

/// The two sample points of each cut edge: where the crack crosses it, for the fragment on either side.
pub fn edge_points(context: Context, points: &mut Vec<(Point, u32)>) {
    let mut gaps = Gaps::new(context);
    let solid = context.object.asset().solid();
    for &e in &context.fragments.cut_edges {
        let [i, j] = solid.edges()[e as usize];
        let [f, g] = [i, j].map(|n| context.fragment_of[n as usize]);
        let (a, b) = (gaps.of(i, g) as f64, gaps.of(j, f) as f64);
        let (p, q) = (&solid.nodes()[i as usize], &solid.nodes()[j as usize]);
        let at = Point::from((p.coords * b + q.coords * a) / (a + b));
        points.extend([(at, i), (at, j)]);
    }
}

/// Sample points where three labels meet on a face or four in a tetrahedron: without them, what is known of a fragment by
/// its points misses the corners that stick out.
///
/// A region of a fragment is bounded by the splits that were decided on the way to it. Where as many of them meet as a
/// face or a tetrahedron has dimensions, it has a corner. Only corners on splits of this event are new.
fn sample_corners(context: &Context, tet: u32, owners: &[u32; 4], splits: &[Split], old: usize, points: &mut Vec<(Point, u32)>) {
    let solid = context.object.asset().solid();
    let nodes = &solid.tets()[tet as usize];
    let corners = solid.corners(tet);
    let mut emit = |weights: [f64; 4], node: usize| {
        let sum: f64 = weights.iter().sum();
        let at = (0..4).fold(nalgebra::Vector3::zeros(), |at, k| at + corners[k].coords * (weights[k] / sum));
        points.push((Point::from(at), nodes[node]));
    };
    let divided = |mask: u8| {
        let mut labels = (0..4usize).filter(|k| mask >> k & 1 != 0 && owners[*k] != NONE).map(|k| owners[k]);
        labels.next().is_some_and(|first| labels.any(|other| other != first))
    };
    for opposite in 0..4usize {
        let face = 0b1111 & !(1 << opposite);
        // A face between two tetrahedra is sampled by the lower one.
        let mine = match solid.across(tet, opposite) {
            crate::solid::Across::Tet(other) => tet < other,
            crate::solid::Across::Skin(_) => true,
        };
        if mine && divided(face) {
            regions(splits, 0, face, &mut vec![], &mut |path, node| {
                if let [p, q] = *path
                    && q >= old
                {
                    emit(meet_on_face(&splits[p], &splits[q], opposite), node);
                }
            });
        }
    }
    regions(splits, 0, 0b1111, &mut vec![], &mut |path, node| {
        if let [p, q, r] = *path
            && r >= old
        {
            emit(meet_in_tet([&splits[p], &splits[q], &splits[r]]), node);
        }
    });
}

/// Visits every region that is left with a single node among `alive`, with the splits decided on the way.
fn regions(splits: &[Split], from: usize, alive: u8, path: &mut Vec<usize>, visit: &mut impl FnMut(&[usize], usize)) {
    if alive.count_ones() == 1 {
        return visit(path, alive.trailing_zeros() as usize);
    }
    let Some(slot) = (from..splits.len()).find(|s| splits[*s].applies(alive)) else { return };
    path.push(slot);
    for wins in [true, false] {
        regions(splits, slot + 1, splits[slot].after(alive, wins), path, visit);
    }
    path.pop();
}

/// Weights of the point of a face that lies on two splits.
fn meet_on_face(p: &Split, q: &Split, opposite: usize) -> [f64; 4] {
    let face: [usize; 3] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]][opposite];
    let [a, b] = [p, q].map(|s| nalgebra::Vector3::from(face.map(|k| s.gaps[k] as f64)));
    let meet = a.cross(&b);
    let mut weights = [0.0; 4];
    (0..3).for_each(|k| weights[face[k]] = meet[k]);
    weights
}

/// Weights of the point of a tetrahedron that lies on three splits: the minors of their coefficients.
fn meet_in_tet(splits: [&Split; 3]) -> [f64; 4] {
    let g = splits.map(|s| s.gaps.map(f64::from));
    std::array::from_fn(|k| {
        let [a, b, c]: [usize; 3] = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]][k];
        let minor = g[0][a] * (g[1][b] * g[2][c] - g[1][c] * g[2][b]) - g[0][b] * (g[1][a] * g[2][c] - g[1][c] * g[2][a])
            + g[0][c] * (g[1][a] * g[2][b] - g[1][b] * g[2][a]);
        if k.is_multiple_of(2) { minor } else { -minor }
    })
}
