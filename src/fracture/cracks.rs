//! The cracks of an event: splits in every tetrahedron that is cut, and sample points on the new surfaces.
//!
//! docs/design.md, 4.2. Inside a tetrahedron the labels are set against each other in pairs, in label order, each node with
//! its gap towards the other label. A gap depends on the node and the opposing label only, so neighbouring tetrahedra agree.
//! Tetrahedra that an earlier event cut keep their splits and get new ones behind them; nodes of other objects do not count.

use super::cells::{Border, Cells};
use super::fragments::Fragments;
use super::weigh::{Corrections, Origin};
use crate::body::Object;
use crate::field::breaks::CutTet;
use crate::geom::knockout::Split;
use crate::geom::moments::Moments;
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
struct Gaps<'a> {
    context: Context<'a>,
    /// Gaps are kept in mean edge lengths of the asset: of one size for every body, and single precision is plenty.
    scale: f64,
    keys: Vec<(u32, u32)>,
    borders: Vec<Border>,
}

const REMEMBERED: usize = 256;

impl<'a> Gaps<'a> {
    fn new(context: Context<'a>) -> Self {
        Self {
            context,
            scale: 1.0 / context.object.asset().mean_edge(),
            keys: vec![(NONE, NONE); REMEMBERED],
            borders: vec![Border::Nodes { other: NONE }; REMEMBERED],
        }
    }

    /// Gaps of some nodes whose owners are `first` or `second`, positive and negative in turn; zero for all others.
    fn of<const N: usize>(&mut self, nodes: &[u32; N], owners: &[u32; N], first: u32, second: u32) -> [f32; N] {
        let Context { cells, fragments, cell_of, .. } = self.context;
        let [f, g] = [first, second].map(|fragment| fragments.cell[fragment as usize]);
        if fragments.joined {
            // Crumbs bring nodes of other cells: each has its own border, none if it faces its own cell.
            return std::array::from_fn(|k| {
                let own = cell_of[nodes[k] as usize];
                let towards = |other| if own == other { Border::Nodes { other } } else { cells.border(own, other) };
                match owners[k] {
                    owner if owner == first => self.kept_away(nodes[k], cells.gap(&towards(g), nodes[k])),
                    owner if owner == second => -self.kept_away(nodes[k], cells.gap(&towards(f), nodes[k])),
                    _ => 0.0,
                }
            });
        }
        match self.border(f, g) {
            Border::Plane(plane) => std::array::from_fn(|k| {
                // The plane's normal points to the second side.
                let distance = plane.distance(&cells.sites[nodes[k] as usize]);
                match owners[k] {
                    owner if owner == first => self.kept_away(nodes[k], -distance),
                    owner if owner == second => -self.kept_away(nodes[k], distance),
                    _ => 0.0,
                }
            }),
            border => std::array::from_fn(|k| match owners[k] {
                owner if owner == first => self.kept_away(nodes[k], cells.gap(&border, nodes[k])),
                owner if owner == second => -self.kept_away(nodes[k], cells.gap(&border.seen_from(f), nodes[k])),
                _ => 0.0,
            }),
        }
    }

    fn border(&mut self, own: u32, other: u32) -> Border {
        let slot = (own.wrapping_mul(31) ^ other) as usize % REMEMBERED;
        if self.keys[slot] != (own, other) {
            self.keys[slot] = (own, other);
            self.borders[slot] = self.context.cells.border(own, other);
        }
        self.borders[slot]
    }

    fn kept_away(&self, node: u32, gap: f64) -> f32 {
        let least = SMALLEST_GAP * self.context.object.asset().local_edge(node);
        (if gap > least { gap * self.scale } else { least * self.scale }) as f32
    }
}

/// The tetrahedra that cracks run through, ascending: those cut now and those cut before. `picked` is memory; its contents do
/// not matter.
pub fn cut_tets(context: &Context, picked: &mut Vec<u32>) -> Vec<Work> {
    let Context { object, fragment_of, .. } = *context;
    let solid = object.asset().solid();
    let made_by = object.made_by();
    let tets = solid.tets();
    picked.resize(picked.len().max(tets.len() + 1), 0);
    let mut cut = 0;
    for run in object.nodes().chunk_by(|a, b| a + 1 == *b) {
        let from = solid.tets_from_all(run[0]..run[run.len() - 1] + 1);
        cut += pick_cut(&tets[from.clone()], from.start as u32, fragment_of, &mut picked[cut..]);
    }
    // Where nodes are of other objects, an earlier event cut it, and it is in the other list.
    let ours = |tet: &&u32| tets[**tet as usize].iter().all(|n| fragment_of[*n as usize] != NONE);
    let cut_now = picked[..cut].iter().filter(ours).map(|tet| Work { tet: *tet, earlier: NONE });
    let cut_before = made_by.cuts[object.piece().cuts.clone()].iter();
    let mut cut_before = cut_before.map(|k| Work { tet: made_by.tets[*k as usize].tet, earlier: *k }).peekable();
    if cut_before.peek().is_none() && object.nodes().len() == solid.nodes().len() {
        return picked[..cut].iter().map(|tet| Work { tet: *tet, earlier: NONE }).collect();
    }
    let mut work = Vec::with_capacity(cut + cut_before.len());
    for now in cut_now {
        while let Some(before) = cut_before.next_if(|before| before.tet < now.tet) {
            work.push(before);
        }
        work.push(now);
    }
    work.extend(cut_before);
    work
}

/// Picks the tetrahedra, numbered from `first`, whose nodes have different owners; returns how many.
#[inline(never)] // a tight loop needs all registers
fn pick_cut(tets: &[[u32; 4]], first: u32, fragment_of: &[u32], picked: &mut [u32]) -> usize {
    let mut cut = 0;
    for (&[a, b, c, d], t) in tets.iter().zip(first..) {
        // No branches: nobody could tell which way they go.
        let own = fragment_of[a as usize];
        let [b, c, d] = [fragment_of[b as usize], fragment_of[c as usize], fragment_of[d as usize]];
        picked[cut] = t;
        cut += ((b ^ own) | (c ^ own) | (d ^ own) != 0) as usize;
    }
    cut
}

/// What one run of tetrahedra contributes; runs are put together in order.
pub struct Cracks {
    pub tets: Vec<CutTet>,
    pub splits: Vec<Split>,
    /// Position and owner node.
    pub corners: Vec<(Point, u32)>,
    /// By fragment: its moments beyond those of the tetrahedra from its nodes.
    pub moments: Vec<(u32, Moments)>,
}

/// Cuts and weighs a run of tetrahedra.
pub fn cut(context: Context, work: &[Work], origins: &[Origin]) -> Cracks {
    let mut gaps = Gaps::new(context);
    let mut cracks = Cracks {
        tets: Vec::with_capacity(work.len()),
        splits: Vec::with_capacity(work.len() * 3 / 2),
        corners: vec![],
        moments: vec![],
    };
    let mut corrections = Corrections::new(&context, origins);
    let solid = context.object.asset().solid();
    let made_by = context.object.made_by();
    for w in work {
        let nodes = solid.tets()[w.tet as usize];
        let [a, b, c, d] = nodes;
        let owner = |node: u32| context.fragment_of[node as usize];
        let owners = [owner(a), owner(b), owner(c), owner(d)];
        let first = cracks.splits.len();
        if w.earlier != NONE {
            cracks.splits.extend_from_slice(made_by.splits_at(w.earlier as usize));
        }
        let old = cracks.splits.len() - first;
        let labels = set_against(&nodes, &owners, &mut gaps, &mut cracks.splits);
        let cut = CutTet { tet: w.tet, owners, first_split: first as u32 };
        cracks.tets.push(cut);
        corrections.weigh(&cut, &cracks.splits[first..]);
        if labels > 2 || (labels == 2 && old > 0) {
            let (splits, corners) = (&cracks.splits[first..], &mut cracks.corners);
            sample_corners(&context, w.tet, &owners, splits, old, corners);
        }
    }
    cracks.moments = corrections.sums;
    cracks
}

/// Sets the labels of a tetrahedron against each other, in label order; returns how many there are.
fn set_against(nodes: &[u32; 4], owners: &[u32; 4], gaps: &mut Gaps, splits: &mut Vec<Split>) -> usize {
    let [a, b, c, d] = *owners;
    let (least, most) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
    let is_one = |owner: u32| (owner == least) | (owner == most);
    if (least < most) & (most != NONE) & is_one(a) & is_one(b) & is_one(c) & is_one(d) {
        splits.push(Split { gaps: gaps.of(nodes, owners, least, most) });
        return 2; // the common case
    }
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
            splits.push(Split { gaps: gaps.of(nodes, owners, first, second) });
        }
    }
    count
}

/// Where the crack crosses each of some cut edges, which are given by their places in the list of those.
pub fn edge_cuts(context: Context, places: &[u32]) -> Vec<Point> {
    let mut gaps = Gaps::new(context);
    let solid = context.object.asset().solid();
    let cut = |place: &u32| {
        let ends = solid.edges()[context.fragments.cut_edges[*place as usize] as usize];
        let owners = ends.map(|n| context.fragment_of[n as usize]);
        // In label order, as in the tetrahedra around the edge, so that the point is theirs to the last bit.
        let [f, g] = if owners[0] < owners[1] { owners } else { [owners[1], owners[0]] };
        let [a, b] = gaps.of(&ends, &owners, f, g).map(|gap| gap.abs() as f64);
        let [p, q] = ends.map(|n| &solid.nodes()[n as usize].coords);
        Point::from((p * b + q * a) / (a + b))
    };
    places.iter().map(cut).collect()
}

/// Sample points where three labels meet on a face or four in a tetrahedron: without them, what is known of a fragment by
/// its points misses the corners that stick out.
///
/// A region of a fragment is bounded by the splits that were decided on the way to it. Where as many of them meet as a
/// face or a tetrahedron has dimensions, it has a corner. Only corners on splits of this event are new.
#[inline(never)] // rare, and the common case needs the registers
fn sample_corners(
    context: &Context,
    tet: u32,
    owners: &[u32; 4],
    splits: &[Split],
    old: usize,
    points: &mut Vec<(Point, u32)>,
) {
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
        if !mine || !divided(face) {
            continue;
        }
        if let ([fg, fh, gh], 0) = (splits, old) {
            // Three labels of one event, the common case: the first two have a corner each, the third has both.
            let owner = |mask: u8| (mask & face).trailing_zeros() as usize;
            let ((f, g), (_, h)) = (fg.sides(), fh.sides());
            if [f, g, h].iter().all(|side| side & face != 0) {
                let corners = [meet_on_face(fg, fh, opposite), meet_on_face(fg, gh, opposite)];
                emit(corners[0], owner(f));
                emit(corners[0], owner(h));
                emit(corners[1], owner(g));
                emit(corners[1], owner(h));
            }
        } else {
            regions(splits, 0, face, &mut Path::default(), &mut |path, node| {
                if let [p, q] = *path
                    && q >= old
                {
                    emit(meet_on_face(&splits[p], &splits[q], opposite), node);
                }
            });
        }
    }
    if splits.len() <= 3 && old == 0 {
        return; // three labels meet in lines, and those end on faces
    }
    regions(splits, 0, 0b1111, &mut Path::default(), &mut |path, node| {
        if let [p, q, r] = *path
            && r >= old
        {
            emit(meet_in_tet([&splits[p], &splits[q], &splits[r]]), node);
        }
    });
}

/// The splits decided on the way to a region: three at most, since each leaves a node behind.
#[derive(Default)]
struct Path {
    slots: [usize; 3],
    length: usize,
}

/// Visits every region that is left with a single node among `alive`, with the splits decided on the way.
fn regions(splits: &[Split], from: usize, alive: u8, path: &mut Path, visit: &mut impl FnMut(&[usize], usize)) {
    if alive.count_ones() == 1 {
        return visit(&path.slots[..path.length], alive.trailing_zeros() as usize);
    }
    let Some(slot) = (from..splits.len()).find(|s| splits[*s].applies(alive)) else { return };
    path.slots[path.length] = slot;
    path.length += 1;
    for wins in [true, false] {
        regions(splits, slot + 1, splits[slot].after(alive, wins), path, visit);
    }
    path.length -= 1;
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
        let minor = g[0][a] * (g[1][b] * g[2][c] - g[1][c] * g[2][b])
            - g[0][b] * (g[1][a] * g[2][c] - g[1][c] * g[2][a])
            + g[0][c] * (g[1][a] * g[2][b] - g[1][b] * g[2][a]);
        if k.is_multiple_of(2) { minor } else { -minor }
    })
}
