//! The part of a drawing mesh that belongs to an object, cut where the cracks are, whatever they are: by who owns points of it.
//!
//! The points of the drawing mesh are labelled by their owners (`drawing::binding`: who owns a point's anchor), and edges between
//! two owners are cut. Every decision on an edge depends on its two ends alone and is made once: where it is divided, where it
//! is cut. So both triangles at an edge, both sides of a seam, and all siblings that share it agree bit for bit, whatever
//! rounding does. Clipping triangles by tetrahedra instead has to decide the same thing in several places, and meshes that lie
//! exactly on the skin are the rule, not the exception.
//!
//! On edges the cuts are exact, and where a triangle lies in one tetrahedron between two owners so is the line between them. Else
//! it is a chord of the crack: edges between two owners are divided until they are short ([`CHORD`]), and so are those whose
//! middle has an owner that their ends do not tell ([`MOST_HALVED`]). Where three owners meet in a triangle, the corner is found
//! by bisection. What was divided and turned out to be the object's is put together again (`coarse`): only cracks leave corners. A later
//! event draws the cracks of earlier ones anew, with chords that may be others.

use super::ancestors_planes;
use super::coarse::CutBoxes;
use super::cracks::Cracks;
use super::parts::{CutEdge, Look, Parts, Vertex};
use crate::asset::Asset;
use crate::body::Object;
use crate::crack::breaks::{Break, CellPlane};
use crate::drawing::binding::{Anchor, Binding, mean_edge};
use crate::geom::aabb::Aabb;
use crate::geom::polygon::area_normal;
use crate::geom::{NONE, Point, Vector, union_find};
use crate::solid::drawing::divided;
use std::collections::{HashMap, HashSet};

/// Edges of triangles near a crack are at most this long, in mean edges of the tetrahedra at their ends: else a crack might be between
/// their points.
const LONGEST: f64 = 0.5;
/// Edges between two owners are shorter than this, likewise.
const CHORD: f64 = 1.0 / 8.0;
/// A short edge is halved at most this often: to a 32nd of a mean edge.
const MOST_HALVED: u8 = 4;
/// A long edge is halved at most this often: where tetrahedra are much smaller than around them, a crack may then lie between two points.
const MOST_LONG_HALVED: u8 = 12;
/// Tetrahedra smaller than this share of the mean edge of the asset do not make edges shorter.
const LEAST_SIZE: f64 = 1.0 / 8.0;
/// Bisections of an edge until both ends are in one tetrahedron, where the crossing is computed.
const MOST_HALVES: usize = 24;
/// No cut is nearer to an end of its edge, as a share: triangles keep some area.
const OFF_CORNERS: f64 = 1e-6;
/// A point this near to a region, as a share of the largest value of the crack between, belongs to it if to no other: anchors are
/// found in single precision, and where several cracks meet their values are rounded.
const BESIDE: f64 = 1e-6;
/// Steps to a point that is in the solid and within the planes of an ancestor.
const MOST_PROJECTIONS: usize = 4;
/// What is beyond these planes is moved this far within, in radii of the asset.
const INSIDE: f64 = 1e-7;
/// Bisections of a triangle in which three owners meet: a thousandth of it.
const CORNER_HALVES: usize = 24;

/// The parts that belong to an object of what was drawn before the cracks that are looked for: of the artist's mesh, or of what planes
/// left of it.
pub fn parts(object: &Object, binding: &Binding, before: Parts) -> Parts {
    let reach = object.piece().bounds.grown(binding.overhang() + object.asset().mean_edge());
    let mut cutter = Cutter::new(object, binding, before);
    for (corners, look) in std::mem::take(&mut cutter.parts.triangles) {
        let points = corners.map(|v| cutter.parts.vertices[v as usize].point);
        let bounds = Aabb::around(&points.map(|p| cutter.parts.points[p as usize]));
        if !bounds.meets(&reach) {
            continue;
        }
        if !cutter.cut_boxes.are_in(&bounds.grown(binding.overhang())) {
            cutter.look_at(points[0]);
            let owner = cutter.of_point(points[0]).owner;
            cutter.push(owner, &corners, look);
            continue;
        }
        points.iter().for_each(|p| cutter.look_at(*p));
        let first = (cutter.parts.triangles.len(), cutter.parts.cuts.len());
        cutter.take(corners, look);
        cutter.cut_boxes.put_together(&mut cutter.parts, corners, first);
    }
    cutter.parts
}

/// Leaves what is drawn of an object, of all that is drawn within its planes: what hangs together is the object's if a point of it is.
pub fn keep_own(object: &Object, binding: &Binding, parts: &mut Parts, cracks: &mut Cracks) {
    let cutter = Cutter::new(object, binding, Parts::default());
    let mut parents: Vec<u32> = (0..cracks.points.len() as u32).collect();
    let drawn = |parts: &Parts, corners: &[u32; 3]| corners.map(|v| parts.vertices[v as usize].point);
    let all = || parts.triangles.iter().map(|t| drawn(parts, &t.0)).chain(cracks.triangles.iter().map(|t| t.0));
    for [a, b, c] in all() {
        union_find::join(&mut parents, a, b);
        union_find::join(&mut parents, a, c);
    }
    // The largest triangle of each, just below which it is told; the artist's first, as cracks may lie on the cracks of another part.
    let mut largest: HashMap<u32, (bool, f64, [u32; 3])> = HashMap::new();
    for (k, corners) in all().enumerate() {
        let normal = area_normal(&corners.map(|p| cracks.points[p as usize]));
        let found = (k < parts.triangles.len(), normal.norm(), corners);
        let best = largest.entry(union_find::find(&mut parents, corners[0])).or_insert(found);
        if (found.0, found.1) > (best.0, best.1) {
            *best = found;
        }
    }
    let below = 1e-6 * object.asset().radius();
    let is_own = |(_, _, corners): &(bool, f64, [u32; 3])| {
        let places = corners.map(|p| cracks.points[p as usize]);
        let middle = Point::from((places[0].coords + places[1].coords + places[2].coords) / 3.0);
        let inwards = -area_normal(&places).try_normalize(0.0).unwrap_or_default();
        cutter.spot_at(&(middle + inwards * below)).owner == object.piece_number()
    };
    let own: HashSet<u32> = largest.iter().filter(|(_, found)| is_own(found)).map(|(root, _)| *root).collect();
    let mut is_kept = |p: u32| own.contains(&union_find::find(&mut parents, p));
    let mut triangles = std::mem::take(&mut parts.triangles);
    triangles.retain(|(corners, _)| is_kept(drawn(parts, corners)[0]));
    parts.triangles = triangles;
    cracks.triangles.retain(|(corners, _)| is_kept(corners[0]));
}

/// What is known of a point.
#[derive(Clone, Copy)]
struct Spot {
    anchor: Anchor,
    owner: u32,
    /// Whether its tetrahedron is cut: only there owners change.
    in_cut: bool,
    /// If it belongs to another object: the crack behind which it does, if known.
    behind: Option<Crack>,
}

/// A crack of an earlier event: its generation and its cells.
type Crack = (u32, [u32; 2]);

impl Spot {
    /// Whether two points belong to the same piece, or lie behind the same crack: between other objects there may be a tip of ours.
    fn is_like(&self, other: &Self) -> bool {
        self.owner == other.owner && self.behind == other.behind
    }
}

struct Cutter<'a> {
    asset: &'a Asset,
    binding: &'a Binding,
    made: &'a Break,
    piece: u32,
    /// The planes of the last ancestor that was made of planes: all that is cut is within them.
    ancestor: &'a [CellPlane],
    /// The piece of each node, as far as the break tells; else [`NONE`].
    piece_of: Vec<u32>,
    parts: Parts,
    /// Of each point, if it was looked at; cuts have none.
    spots: Vec<Option<Spot>>,
    /// How often edges were halved, if they were.
    halved: HashMap<[u32; 2], Halved>,
    /// Triangles that are still to be taken, the next one last.
    waiting: Vec<[u32; 3]>,
    /// By edge, lower point or vertex first.
    middles: HashMap<[u32; 2], Option<u32>>,
    middle_vertices: HashMap<[u32; 2], u32>,
    crossings: HashMap<[u32; 2], Crossing>,
    crossing_vertices: HashMap<[u32; 2], u32>,
    cut_boxes: CutBoxes,
}

/// How often an edge was halved. Both counts have a bound, and edges within a divided triangle count as its halves do: so dividing ends.
#[derive(Clone, Copy, Default)]
struct Halved {
    short: u8,
    long: u8,
}

/// Where an edge between two owners is cut.
#[derive(Clone, Copy)]
struct Crossing {
    point: u32,
    /// The end that is counted from.
    from: u32,
    share: f64,
}

impl<'a> Cutter<'a> {
    fn new(object: &'a Object, binding: &'a Binding, before: Parts) -> Self {
        let (asset, made) = (object.asset(), object.made_by());
        let mut piece_of = vec![NONE; asset.solid().nodes().len()];
        for piece in 0..made.pieces.len() as u32 {
            made.nodes_of(piece).iter().for_each(|n| piece_of[*n as usize] = piece);
        }
        // Of pieces that were not loaded with the object, at least the nodes near it.
        for (k, cut) in made.cut_tets().tets.iter().enumerate() {
            let nodes = asset.solid().tets()[cut.tet as usize];
            for region in &made.cut_tets().regions[made.cut_tets().regions_at(k)] {
                let own = nodes.iter().enumerate().filter(|(slot, _)| region.nodes >> slot & 1 != 0);
                own.for_each(|(_, node)| piece_of[*node as usize] = region.piece);
            }
        }
        Self {
            asset,
            binding,
            made,
            piece: object.piece_number(),
            ancestor: ancestors_planes(object),
            piece_of,
            spots: vec![None; before.points.len()],
            parts: before,
            halved: HashMap::new(),
            waiting: vec![],
            middles: HashMap::new(),
            middle_vertices: HashMap::new(),
            crossings: HashMap::new(),
            crossing_vertices: HashMap::new(),
            cut_boxes: CutBoxes::new(object),
        }
    }

    /// Finds out who owns a point.
    fn look_at(&mut self, point: u32) {
        if self.spots[point as usize].is_none() {
            self.spots[point as usize] = Some(self.spot_at(&self.parts.points[point as usize]));
        }
    }

    fn push_point(&mut self, at: Point, spot: Option<Spot>) -> u32 {
        self.parts.points.push(at);
        self.spots.push(spot);
        self.parts.points.len() as u32 - 1
    }

    /// Who owns a point of a tetrahedron.
    fn spot(&self, anchor: Anchor) -> Spot {
        let Ok(k) = self.made.cut_tets().tets.binary_search_by_key(&anchor.tet, |cut| cut.tet) else {
            let nodes = self.asset.solid().tets()[anchor.tet as usize].map(|n| self.piece_of[n as usize]);
            // Not cut: whoever owns one node owns all of it.
            let owner = nodes.into_iter().find(|piece| *piece != NONE).unwrap_or(NONE);
            return Spot { anchor, owner, in_cut: false, behind: None };
        };
        let (owner, behind) = match self.made.cut_tets().owner_at(k, &anchor.weights) {
            NONE => self.beside(k, &anchor.weights),
            owner => (owner, None),
        };
        Spot { anchor, owner, in_cut: true, behind }
    }

    /// Who owns a point of the cut tetrahedron at position `cut`.
    fn owner_in(&self, cut: usize, weights: &[f64; 4]) -> u32 {
        match self.made.cut_tets().owner_at(cut, weights) {
            NONE => self.beside(cut, weights).0,
            owner => owner,
        }
    }

    /// For a point that is in no region: who owns it if it lies between regions by rounding ([`BESIDE`]), else the crack behind
    /// which it belongs to another object.
    fn beside(&self, cut: usize, weights: &[f64; 4]) -> (u32, Option<Crack>) {
        let (made, splits) = (self.made, self.made.cut_tets().splits_at(cut));
        let outside = |(split, second): (usize, bool)| {
            let size = splits[split].values.iter().fold(f64::MIN_POSITIVE, |size, v| size.max(v.abs()));
            (splits[split].at(weights) / if second { -size } else { size }, split)
        };
        let farthest = |region: usize| {
            let walls = made.cut_tets().walls_of(region).iter().filter_map(|wall| wall.as_crack()).map(outside);
            walls.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(distance, split)| (distance, split, region))
        };
        let nearest = made.cut_tets().regions_at(cut).filter_map(farthest).min_by(|a, b| a.0.total_cmp(&b.0));
        match nearest {
            // All that an ancestor's planes left is somebody's.
            Some((distance, _, region)) if distance < BESIDE || !self.ancestor.is_empty() => {
                (made.cut_tets().regions[region].piece, None)
            }
            Some((_, split, _)) => (NONE, Some((splits[split].generation, splits[split].cells))),
            None => (NONE, None),
        }
    }

    fn spot_at(&self, p: &Point) -> Spot {
        let solid = self.asset.solid();
        let anchor_of = |p: &Point| self.binding.anchor_of(solid, &self.asset.field().locator, self.asset.centre(), p);
        let mut anchor = anchor_of(p);
        // What is drawn is all within the planes of the ancestor, anchors may not be: from one to the other until both are true.
        for _ in 0..MOST_PROJECTIONS {
            let corners = solid.corners(anchor.tet);
            let at = (0..4).fold(Vector::zeros(), |at, k| at + corners[k].coords * anchor.weights[k]).into();
            let within = self.within_ancestor(at);
            if within == at {
                break;
            }
            anchor = anchor_of(&within);
        }
        self.spot(anchor)
    }

    /// A point, moved to where it is within the planes of the ancestor.
    fn within_ancestor(&self, mut p: Point) -> Point {
        let inside = INSIDE * self.asset.radius();
        for plane in self.ancestor.iter().filter(|plane| plane.has_face) {
            let beyond = plane.plane.distance(&p);
            if beyond > 0.0 {
                p -= plane.plane.normal * (beyond + inside);
            }
        }
        p
    }

    /// What is known of a corner. Corners are points of the mesh or middles of edges, and those have it.
    fn of_point(&self, point: u32) -> Spot {
        self.spots[point as usize].unwrap_or(Spot {
            anchor: Anchor { tet: 0, weights: [0.0; 4] },
            owner: NONE,
            in_cut: false,
            behind: None,
        })
    }

    fn of_vertex(&self, vertex: u32) -> Spot {
        self.of_point(self.parts.vertices[vertex as usize].point)
    }

    /// The points of an edge, the lower first.
    fn edge(&self, v: u32, w: u32) -> [u32; 2] {
        sorted([v, w].map(|v| self.parts.vertices[v as usize].point))
    }

    /// Takes the object's part of a triangle.
    fn take(&mut self, corners: [u32; 3], look: Look) {
        self.waiting.push(corners);
        while let Some(corners) = self.waiting.pop() {
            let middles = std::array::from_fn(|k| self.middle(corners[k], corners[(k + 1) % 3]));
            if middles == [None; 3] {
                self.take_short(corners, look);
            } else {
                self.divide(corners, middles);
            }
        }
    }

    /// Takes the object's part of a triangle whose edges need no division.
    fn take_short(&mut self, corners: [u32; 3], look: Look) {
        let [a, b, c] = corners;
        let owners = corners.map(|v| self.of_vertex(v).owner);
        match owners {
            _ if owners == [owners[0]; 3] => self.push(owners[0], &corners, look),
            [x, y, z] if y == z => self.take_parted([a, b, c], [x, y], look),
            [x, y, z] if z == x => self.take_parted([b, c, a], [y, z], look),
            [x, y, z] if x == y => self.take_parted([c, a, b], [z, x], look),
            _ => self.take_meeting(corners, owners, look),
        }
    }

    /// Leaves the parts of a divided triangle to be taken. The new edges within it count as halved as often as the halves of the others.
    fn divide(&mut self, corners: [u32; 3], middles: [Option<u32>; 3]) {
        let outer = [0, 1, 2].map(|k| self.edge(corners[k], corners[(k + 1) % 3]));
        let halves = middles.iter().zip(corners).filter_map(|(middle, v)| Some(self.edge(v, (*middle)?)));
        let halved = halves.map(|half| self.times_halved(&half)).fold(Halved::default(), |most, half| Halved {
            short: most.short.max(half.short),
            long: most.long.max(half.long),
        });
        let first = self.waiting.len();
        for part in divided(corners, middles) {
            for edge in [0, 1, 2].map(|k| self.edge(part[k], part[(k + 1) % 3])) {
                // Edges of the triangle that are not divided are known, or as they were made.
                if !outer.contains(&edge) {
                    self.halved.entry(edge).or_insert(halved);
                }
            }
            self.waiting.push(part);
        }
        // The first part is taken first.
        self.waiting[first..].reverse();
    }

    fn times_halved(&self, edge: &[u32; 2]) -> Halved {
        self.halved.get(edge).copied().unwrap_or_default()
    }

    /// A triangle whose first corner has another owner than the rest.
    fn take_parted(&mut self, [a, b, c]: [u32; 3], [alone, rest]: [u32; 2], look: Look) {
        let (p, q) = (self.crossing(a, b), self.crossing(a, c));
        if alone == self.piece {
            self.push(alone, &[a, p, q], look);
            self.cut_along([p, q], rest, look);
        } else if rest == self.piece {
            self.push(rest, &[b, c, q, p], look);
            self.cut_along([q, p], alone, look);
        }
    }

    /// A triangle of three owners. Every part is seen whole from its corner, so none is turned over.
    fn take_meeting(&mut self, corners: [u32; 3], owners: [u32; 3], look: Look) {
        let Some(k) = owners.iter().position(|owner| *owner == self.piece) else { return };
        let (a, b, c) = (corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]);
        let middle = self.meeting(corners, owners);
        let (p, q) = (self.crossing(a, b), self.crossing(a, c));
        self.push(owners[k], &[a, p, middle, q], look);
        self.cut_along([p, middle], owners[(k + 1) % 3], look);
        self.cut_along([middle, q], owners[(k + 2) % 3], look);
    }

    /// A convex polygon, if it is the object's: as a fan from its first corner.
    fn push(&mut self, owner: u32, polygon: &[u32], look: Look) {
        if owner == self.piece {
            let fan = polygon[1..].windows(2).map(|pair| ([polygon[0], pair[0], pair[1]], look));
            self.parts.triangles.extend(fan);
        }
    }

    fn cut_along(&mut self, vertices: [u32; 2], across: u32, look: Look) {
        let ends = vertices.map(|v| self.parts.vertices[v as usize].point);
        self.parts.cuts.push(CutEdge { ends, across, on_skin: matches!(look, Look::Skin(_)) });
    }

    /// The vertex in the middle of an edge, if it must be divided there: if its ends do not tell who owns the middle.
    fn middle(&mut self, v: u32, w: u32) -> Option<u32> {
        let edge = self.edge(v, w);
        let point = match self.middles.get(&edge) {
            Some(known) => *known,
            None => {
                let found = self.find_middle(edge);
                self.middles.insert(edge, found);
                found
            }
        }?;
        let ends = [v, w].map(|v| self.parts.vertices[v as usize]);
        let parts = &mut self.parts;
        Some(*self.middle_vertices.entry(sorted([v, w])).or_insert_with(|| {
            parts.vertices.push(between(&ends[0], &ends[1], 0.5, point));
            parts.vertices.len() as u32 - 1
        }))
    }

    fn find_middle(&mut self, edge: [u32; 2]) -> Option<u32> {
        let spots = edge.map(|point| self.of_point(point));
        let is_whole = spots[0].is_like(&spots[1]);
        let halved = self.times_halved(&edge);
        if halved.short == MOST_HALVED {
            return None;
        }
        let [p, q] = edge.map(|point| self.parts.points[point as usize]);
        let sizes = spots.map(|s| mean_edge(self.asset.solid(), s.anchor.tet));
        let length = (p - q).norm() / sizes[0].min(sizes[1]).max(LEAST_SIZE * self.asset.mean_edge());
        let is_long = length > LONGEST && halved.long < MOST_LONG_HALVED;
        if is_whole && !is_long && !spots.iter().any(|s| s.in_cut) {
            return None;
        }
        let at = nalgebra::center(&p, &q);
        let spot = self.spot_at(&at);
        let is_told = spots.iter().any(|s| s.is_like(&spot));
        if is_told && !is_long && (is_whole || length < CHORD) {
            return None;
        }
        let middle = self.push_point(at, Some(spot));
        let halved = Halved { short: halved.short + !is_long as u8, long: halved.long + is_long as u8 };
        self.halved.extend(edge.map(|end| (sorted([end, middle]), halved)));
        self.divide_border(edge, middle);
        Some(middle)
    }

    fn divide_border(&mut self, [a, b]: [u32; 2], at: u32) {
        if self.parts.borders.contains(&[a, b]) {
            self.parts.borders.extend([sorted([a, at]), sorted([at, b])]);
        }
    }

    /// The vertex where an edge between two owners is cut.
    fn crossing(&mut self, v: u32, w: u32) -> u32 {
        let edge = self.edge(v, w);
        let crossing = match self.crossings.get(&edge) {
            Some(known) => *known,
            None => {
                let found = self.find_crossing(edge);
                self.crossings.insert(edge, found);
                found
            }
        };
        let mut ends = [v, w].map(|v| self.parts.vertices[v as usize]);
        let parts = &mut self.parts;
        if ends[0].point != crossing.from {
            ends.swap(0, 1);
        }
        *self.crossing_vertices.entry(sorted([v, w])).or_insert_with(|| {
            parts.vertices.push(between(&ends[0], &ends[1], crossing.share, crossing.point));
            parts.vertices.len() as u32 - 1
        })
    }

    fn find_crossing(&mut self, edge: [u32; 2]) -> Crossing {
        // From the end that comes first in space: our numbers are other ones for each object.
        let place = |point: u32| {
            let p = self.parts.points[point as usize];
            [p.x, p.y, p.z]
        };
        let [from, to] = if place(edge[0]) <= place(edge[1]) { edge } else { [edge[1], edge[0]] };
        let (p, q) = (self.parts.points[from as usize], self.parts.points[to as usize]);
        let share = self.crossing_share(&p, &q, self.of_point(from), self.of_point(to));
        let share = share.clamp(OFF_CORNERS, 1.0 - OFF_CORNERS);
        let point = self.push_point(p + (q - p) * share, None);
        self.divide_border(edge, point);
        Crossing { point, from, share }
    }

    /// How far along an edge the owner of its start ends.
    fn crossing_share(&self, p: &Point, q: &Point, start: Spot, end: Spot) -> f64 {
        let (mut low, mut high) = ((0.0, start), (1.0, end));
        for _ in 0..MOST_HALVES {
            if low.1.anchor.tet == high.1.anchor.tet {
                return low.0 + (high.0 - low.0) * self.crossing_in_tet(&low.1, &high.1);
            }
            let middle = 0.5 * (low.0 + high.0);
            let spot = self.spot_at(&(p + (q - p) * middle));
            if spot.owner == start.owner {
                low = (middle, spot);
            } else {
                high = (middle, spot);
            }
        }
        0.5 * (low.0 + high.0)
    }

    /// The same within one tetrahedron: cracks are linear functions there.
    fn crossing_in_tet(&self, start: &Spot, end: &Spot) -> f64 {
        let Ok(cut) = self.made.cut_tets().tets.binary_search_by_key(&start.anchor.tet, |cut| cut.tet) else {
            return 0.5;
        };
        let at = |t: f64| -> [f64; 4] {
            std::array::from_fn(|k| start.anchor.weights[k] + t * (end.anchor.weights[k] - start.anchor.weights[k]))
        };
        let mut roots: Vec<f64> = vec![0.0];
        for split in self.made.cut_tets().splits_at(cut) {
            let (a, b) = (split.at(&start.anchor.weights), split.at(&end.anchor.weights));
            if (a > 0.0) != (b > 0.0) {
                roots.push(a / (a - b));
            }
        }
        roots.push(1.0);
        roots.sort_by(f64::total_cmp);
        let changed = roots.windows(2).find(|gap| self.owner_in(cut, &at(0.5 * (gap[0] + gap[1]))) != start.owner);
        changed.map_or(1.0, |gap| gap[0])
    }

    /// The vertex at which three owners meet. The longest edge is halved again and again: one of the halves has all three.
    fn meeting(&mut self, corners: [u32; 3], owners: [u32; 3]) -> u32 {
        let places = corners.map(|v| self.parts.points[self.parts.vertices[v as usize].point as usize]);
        let at = |w: &[f64; 3]| places[0] + (places[1] - places[0]) * w[1] + (places[2] - places[0]) * w[2];
        let mut weights = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for _ in 0..CORNER_HALVES {
            let length = |k: usize| (at(&weights[k]) - at(&weights[(k + 1) % 3])).norm_squared();
            let longest = (0..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
            let (i, j) = (longest, (longest + 1) % 3);
            let middle = std::array::from_fn(|c| 0.5 * (weights[i][c] + weights[j][c]));
            let owner = self.spot_at(&at(&middle)).owner;
            match owner {
                _ if owner == owners[i] => weights[i] = middle,
                _ if owner == owners[j] => weights[j] = middle,
                // The edge is not between two owners only; this is near enough.
                _ => break,
            }
        }
        let share: [f64; 3] = std::array::from_fn(|c| (weights[0][c] + weights[1][c] + weights[2][c]) / 3.0);
        let point = self.push_point(at(&share), None);
        let ends = corners.map(|v| self.parts.vertices[v as usize]);
        let mix = |of: &dyn Fn(&Vertex) -> f64| (0..3).map(|c| share[c] * of(&ends[c])).sum();
        let normal = std::array::from_fn(|k| mix(&|v| v.normal[k]));
        let uv = std::array::from_fn(|k| mix(&|v| v.uv[k]));
        self.parts.vertices.push(Vertex { point, normal, uv });
        self.parts.vertices.len() as u32 - 1
    }
}

fn between(a: &Vertex, b: &Vertex, share: f64, point: u32) -> Vertex {
    Vertex {
        point,
        normal: std::array::from_fn(|k| a.normal[k] + (b.normal[k] - a.normal[k]) * share),
        uv: std::array::from_fn(|k| a.uv[k] + (b.uv[k] - a.uv[k]) * share),
    }
}

fn sorted([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
