//! Parts of a triangle of the drawing mesh put together again: of the many that it was divided into, so as to find the cracks, only
//! the lines along the cracks are left, with as few corners as they need.

use super::cracks::{loops, open_edges};
use super::parts::{CutEdge, Look, Parts};
use crate::body::Object;
use crate::fracture::outline::fans;
use crate::geom::Point;
use crate::geom::aabb::Aabb;
use crate::geom::polygon::area_normal;
use crate::geom::polygon::{Polygon, flat_triangles};
use std::collections::{HashMap, HashSet};

/// Cracks may be drawn this far off, in mean edges of the asset: much less than what a crack turns by from one tetrahedron to the next.
const STRAIGHT: f64 = 2e-3;
/// Lines along cracks have a corner at least this often, in mean edges of the asset: cracks end there with corners of their own (`seam`).
const SEGMENT: f64 = 0.5;
/// Boxes that are looked at together.
const GROUP: usize = 32;

/// Boxes around the tetrahedra in which an object was cut.
pub struct CutBoxes {
    boxes: Vec<Aabb>,
    /// Around some of them at a time.
    groups: Vec<Aabb>,
    /// What is off by less is straight, and how long that may be.
    straight: f64,
    segment: f64,
}

impl CutBoxes {
    pub fn new(object: &Object) -> Self {
        let (solid, made) = (object.asset().solid(), object.made_by());
        let cuts = made.cuts_of(object.piece_number()).iter().map(|k| made.cut_tets().tets[*k as usize].tet);
        let boxes: Vec<Aabb> = cuts.map(|tet| Aabb::around(&solid.corners(tet))).collect();
        let around = |boxes: &[Aabb]| Aabb::around(boxes.iter().flat_map(|b| [&b.min, &b.max]));
        let groups = boxes.chunks(GROUP).map(around).collect();
        let edge = object.asset().mean_edge();
        Self { boxes, groups, straight: STRAIGHT * edge, segment: SEGMENT * edge }
    }

    /// Whether some of them meet a box.
    pub fn are_in(&self, bounds: &Aabb) -> bool {
        let groups = self.boxes.chunks(GROUP).zip(&self.groups).filter(|(_, group)| group.meets(bounds));
        groups.flat_map(|(boxes, _)| boxes).any(|b| b.meets(bounds))
    }

    /// Puts together the parts of a triangle: those from some place on, as are the edges along which they were cut.
    pub fn put_together(&self, parts: &mut Parts, corners: [u32; 3], (first, first_cut): (usize, usize)) {
        match &parts.triangles[first..] {
            [] => return,
            [(own, _)] if *own == corners => return,
            _ => {}
        }
        let point = |v: u32| parts.vertices[v as usize].point;
        let look = parts.triangles[first].1;
        let mut vertex_of: HashMap<u32, u32> = HashMap::new();
        for v in parts.triangles[first..].iter().flat_map(|(corners, _)| *corners) {
            vertex_of.insert(point(v), v);
        }
        let rim = Rim {
            points: &parts.points,
            corners: corners.map(point),
            across: parts.cuts[first_cut..].iter().map(|cut| (cut.ends, cut.across)).collect(),
            straight: self.straight,
            segment: self.segment,
        };
        let edges = open_edges(parts.triangles[first..].iter().map(|(corners, _)| corners.map(point)), |_| true);
        let on_skin = matches!(look, Look::Skin(_));
        let mut around = vec![];
        let (mut cuts, mut borders): (Vec<CutEdge>, HashSet<[u32; 2]>) = (vec![], HashSet::new());
        for round in loops(&edges) {
            let kept = rim.simplified(&round);
            let count = kept.len();
            for (i, &k) in kept.iter().enumerate() {
                let ends = [round[k], round[kept[(i + 1) % count]]];
                let first_part = [round[k], round[(k + 1) % round.len()]];
                match rim.across.get(&first_part) {
                    Some(across) => cuts.push(CutEdge { ends, across: *across, on_skin }),
                    None if parts
                        .borders
                        .contains(&[first_part[0].min(first_part[1]), first_part[0].max(first_part[1])]) =>
                    {
                        borders.insert([ends[0].min(ends[1]), ends[0].max(ends[1])]);
                    }
                    None => {}
                }
            }
            around.push(kept.into_iter().map(|k| round[k]).collect::<Vec<u32>>());
        }
        let triangles = triangles_of(&parts.points, rim.corners, around);
        parts.triangles.truncate(first);
        parts.triangles.extend(triangles.into_iter().map(|t| (t.map(|p| vertex_of[&p]), look)));
        parts.cuts.truncate(first_cut);
        parts.cuts.extend(cuts);
        parts.borders.extend(borders);
    }
}

/// The triangles between loops in the plane of a triangle.
fn triangles_of(points: &[Point], corners: [u32; 3], around: Vec<Vec<u32>>) -> Vec<[u32; 3]> {
    if let [round] = &around[..]
        && let [a, b, c] = round[..]
    {
        return vec![[a, b, c]];
    }
    let numbers: Vec<u32> = around.concat();
    let mut next = 0..;
    let loops = around.iter().map(|round| next.by_ref().take(round.len()).collect()).collect();
    let places = numbers.iter().map(|p| points[*p as usize]).collect();
    let polygon = Polygon { points: places, loops, normal: area_normal(&corners.map(|p| points[p as usize])) };
    let triangles = flat_triangles(&polygon).unwrap_or_else(|| fans(&polygon));
    triangles.into_iter().map(|t| t.map(|k| numbers[k as usize])).collect()
}

/// Rims of parts of a triangle.
struct Rim<'a> {
    points: &'a [Point],
    /// Of the triangle.
    corners: [u32; 3],
    /// The pieces across edges along which it was cut.
    across: HashMap<[u32; 2], u32>,
    straight: f64,
    segment: f64,
}

impl Rim<'_> {
    fn label(&self, round: &[u32], k: usize) -> Option<u32> {
        self.across.get(&[round[k % round.len()], round[(k + 1) % round.len()]]).copied()
    }

    /// The corners of a loop that it needs, by their places, ascending.
    fn simplified(&self, round: &[u32]) -> Vec<usize> {
        let count = round.len();
        let is_fixed =
            |k: usize| self.corners.contains(&round[k]) || self.label(round, k + count - 1) != self.label(round, k);
        let mut fixed: Vec<usize> = (0..count).filter(|k| is_fixed(*k)).collect();
        if fixed.len() < 2 {
            // An island: the same two points from both sides.
            let at = |k: usize| self.points[round[k] as usize];
            let key = |k: &usize| [at(*k).x, at(*k).y, at(*k).z];
            let by_place = |a: &usize, b: &usize| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal);
            let lowest = fixed.first().copied().or((0..count).min_by(by_place)).unwrap_or(0);
            let far = |k: &usize| (at(*k) - at(lowest)).norm_squared();
            let farthest = (0..count).max_by(|a, b| far(a).total_cmp(&far(b)).then(by_place(a, b))).unwrap_or(0);
            fixed = vec![lowest.min(farthest), lowest.max(farthest)];
            fixed.dedup();
        }
        let mut kept = vec![];
        for (i, &from) in fixed.iter().enumerate() {
            let next = fixed[(i + 1) % fixed.len()];
            let to = if next > from { next } else { next + count };
            kept.push(from);
            // Straight along an edge of the triangle.
            if self.label(round, from).is_some() {
                let chain: Vec<usize> = (from..=to).map(|k| k % count).collect();
                let needs_one = self.is_over_an_edge(round[from], round[to % count]);
                self.bends(round, &chain, needs_one, &mut kept);
            }
        }
        kept.sort_unstable();
        kept
    }

    /// Whether two points lie on one edge of the triangle: straight between them there would be nothing.
    fn is_over_an_edge(&self, p: u32, q: u32) -> bool {
        let at = |k: u32| self.points[k as usize];
        (0..3).any(|k| {
            let [a, b] = [at(self.corners[k]), at(self.corners[(k + 1) % 3])];
            let off = |p: u32| (b - a).cross(&(at(p) - a)).norm() / (b - a).norm();
            off(p).max(off(q)) < 1e-6 * self.straight
        })
    }

    /// Adds the corners between the ends of a chain without which it would be off by more than it may, or too long; at least one, if
    /// that is needed.
    fn bends(&self, round: &[u32], chain: &[usize], needs_one: bool, kept: &mut Vec<usize>) {
        let (mut waiting, mut needs_one) = (vec![chain], needs_one);
        while let Some(chain) = waiting.pop() {
            if let Some(bend) = self.bend(round, chain, needs_one) {
                kept.push(chain[bend]);
                waiting.extend([&chain[bend..], &chain[..=bend]]);
            }
            needs_one = false;
        }
    }

    /// The place in a chain of the corner that it needs most, if it needs one.
    fn bend(&self, round: &[u32], chain: &[usize], needs_one: bool) -> Option<usize> {
        let (&from, &to) = (chain.first()?, chain.last()?);
        let at = |k: usize| self.points[round[k] as usize];
        // From the end that comes first in space: so it is the same from both sides.
        let place = |k: usize| [at(k).x, at(k).y, at(k).z];
        let is_turned = place(to) < place(from);
        let [p, q] = if is_turned { [at(to), at(from)] } else { [at(from), at(to)] };
        let way = q - p;
        let off = |k: usize| {
            let along = if way.norm_squared() > 0.0 { (at(k) - p).dot(&way) / way.norm_squared() } else { 0.0 };
            (at(k) - (p + way * along.clamp(0.0, 1.0))).norm()
        };
        let inner: Vec<usize> = (1..chain.len().saturating_sub(1)).collect();
        let inner = || inner.iter().map(|i| if is_turned { chain.len() - 1 - i } else { *i });
        let most_by = |value: &dyn Fn(usize) -> f64| {
            inner().map(|i| (value(chain[i]), i)).reduce(|best, next| if next.0 > best.0 { next } else { best })
        };
        let farthest = most_by(&off).filter(|(most, _)| *most > self.straight || needs_one && *most > 0.0);
        let middle = nalgebra::center(&p, &q);
        let halfway = || most_by(&|k| -(at(k) - middle).norm()).filter(|_| way.norm() > self.segment);
        farthest.or_else(halfway).map(|(_, bend)| bend)
    }
}
