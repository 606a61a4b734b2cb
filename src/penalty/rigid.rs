//! Penalties between a soft body and what is not made of tetrahedra: its features in a signed distance, and features of surfaces and shapes
//! in it (Marchal 2004, 5.3 and 6: cloth, floors).

use super::response::{Penalty, PenaltyOptions, PenaltyStats, Penetrating};
use super::scratch::PenaltyScratch;
use super::soft::{SoftBody, check};
use crate::error::{Result, bad_mesh};
use crate::field::SignedDistance;
use crate::geom::aabb::Aabb;
use crate::geom::{NONE, Point, Vector};

impl SoftBody {
    /// Appends the penalties of a surface, cloth or floor, whose vertices or edges are within the body, as its second side. Fails if a
    /// corner is out of range, or the body was changed since its last update.
    pub fn penalties_of_triangles(
        &self,
        positions: &[Point],
        triangles: &[[u32; 3]],
        options: &PenaltyOptions,
        scratch: &mut PenaltyScratch,
        out: &mut Vec<Penalty>,
    ) -> Result<PenaltyStats> {
        check(positions.iter().copied())?;
        let is_wrong = |corners: &[u32; 3]| corners.iter().any(|v| *v as usize >= positions.len());
        if let Some(k) = triangles.iter().position(is_wrong) {
            bad_mesh!("triangles[{k}] is {:?}; there are {} vertices", triangles[k], positions.len());
        }
        let at = |v: u32| positions[v as usize];
        self.penalties_of_surface(at, triangles.iter().copied(), options, scratch, out)
    }

    /// The same of triangles and positions that come one by one.
    pub(crate) fn penalties_of_surface(
        &self,
        at: impl Fn(u32) -> Point,
        triangles: impl Iterator<Item = [u32; 3]>,
        options: &PenaltyOptions,
        scratch: &mut PenaltyScratch,
        out: &mut Vec<Penalty>,
    ) -> Result<PenaltyStats> {
        self.check_ready()?;
        let is_asked = options.penetrating[1] != Penetrating::Nothing;
        let Some(bounds) = self.bounds().filter(|_| is_asked) else { return Ok(PenaltyStats::default()) };
        let is_near = |corners: &[Point]| bounds.meets(&Aabb::around(corners));
        let (mut edges, mut areas) = (std::mem::take(&mut scratch.edges), std::mem::take(&mut scratch.areas));
        edges.clear();
        areas.clear();
        let is_points = options.penetrating[1] == Penetrating::Points;
        for corners in triangles {
            let places = corners.map(&at);
            if !is_near(&places) {
                continue;
            }
            if is_points {
                let [a, b, c] = places;
                let share = (b - a).cross(&(c - a)).norm() / 6.0;
                areas.extend(corners.map(|v| (v, share)));
            } else {
                let [a, b, c] = corners;
                let sides = [[a, b], [b, c], [c, a]].map(|[p, q]| [p.min(q), p.max(q)]);
                edges.extend(sides.into_iter().filter(|[p, q]| p != q));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        areas.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let corners = areas.chunk_by(|a, b| a.0 == b.0).map(|own| (own[0].0, own.iter().map(|(_, share)| share).sum()));
        let points = corners.map(|(v, area)| (v, at(v), area));
        let segments = edges.iter().map(|edge| (*edge, edge.map(&at)));
        let stats = self.penalties_of(points, segments, options, scratch, out);
        (scratch.edges, scratch.areas) = (edges, areas);
        stats
    }

    /// The same of points, with their numbers and areas, and of segments: those that the options ask for.
    pub(crate) fn penalties_of(
        &self,
        points: impl Iterator<Item = (u32, Point, f64)>,
        segments: impl Iterator<Item = ([u32; 2], [Point; 2])>,
        options: &PenaltyOptions,
        scratch: &mut PenaltyScratch,
        out: &mut Vec<Penalty>,
    ) -> Result<PenaltyStats> {
        self.check_ready()?;
        scratch.parts.clear();
        match options.penetrating[1] {
            Penetrating::Nothing => {}
            Penetrating::Points => points.for_each(|(v, at, area)| self.add_point(v, &at, area, scratch)),
            _ => segments.for_each(|(nodes, ends)| self.add_segment(nodes, ends, scratch)),
        }
        let mut stats = PenaltyStats::default();
        stats.depths[0] = self.respond(1, options, scratch, &mut stats, out);
        Ok(stats)
    }

    /// Appends the penalties of balls, by their numbers and centres, that reach into the body: one each, at the closest point of the
    /// boundary. A ball that touches faces between their edges is so felt, too.
    pub(crate) fn penalties_of_balls(
        &self,
        balls: impl Iterator<Item = (u32, Point)>,
        radius: f64,
        scratch: &mut PenaltyScratch,
        out: &mut Vec<Penalty>,
    ) -> Result<PenaltyStats> {
        self.check_ready()?;
        let Some(bounds) = self.bounds().map(|bounds| bounds.grown(radius)) else {
            return Ok(PenaltyStats::default());
        };
        let mut stats = PenaltyStats::default();
        for (number, centre) in balls.filter(|(_, centre)| bounds.meets(&Aabb::around([centre]))) {
            let Some(found) = self.closest(&centre, scratch).filter(|found| found.signed.distance < radius) else {
                continue;
            };
            let tet = found.face / 4;
            let tet_nodes = self.mesh.tets[tet as usize];
            // In what is inverted, the corners of the face alone would do, but it takes no part.
            let Some(frame) = self.frame(tet) else { continue };
            let depth = radius - found.signed.distance;
            stats.parts += 1;
            stats.tets += 1;
            out.push(Penalty {
                side: 1,
                load: depth,
                tet,
                tet_nodes,
                tet_weights: frame.weights(&found.point),
                ..rigid(found.point, depth, found.signed.outward, [number, NONE], 0.0)
            });
        }
        Ok(stats)
    }

    /// Appends the penalties of this body's features within something that is not made of tetrahedra, given by its box and its signed
    /// distance, negative inside, with the unit vector out of it. It is rigid: records have no tetrahedron, and the reaction acts at the point.
    /// Depth is measured at both ends of eighths of each segment. Fails if the body was changed since its last update.
    pub fn penalties_in(
        &self,
        bounds: &Aabb,
        signed_distance: impl Fn(&Point) -> SignedDistance,
        what: Penetrating,
        out: &mut Vec<Penalty>,
    ) -> Result<PenaltyStats> {
        self.check_ready()?;
        let at = |v: u32| self.positions[v as usize];
        let is_near = |ends: [Point; 2]| bounds.meets(&Aabb::around(&ends));
        let mut stats = PenaltyStats::default();
        let mut segment = |nodes: [u32; 2]| {
            let ends = nodes.map(at);
            if is_near(ends) {
                stats.parts += Measured { nodes, ends, signed_distance: &signed_distance }.penalties(out);
            }
        };
        match what {
            Penetrating::Nothing => {}
            Penetrating::Points => {
                for v in self.links.boundary.iter().filter(|v| is_near([at(**v); 2])) {
                    let SignedDistance { distance, outward } = signed_distance(&at(*v));
                    if distance < 0.0 {
                        stats.parts += 1;
                        let (nodes, weight) = ([*v, NONE], self.area_around(*v));
                        out.push(Penalty { load: -distance, weight, ..rigid(at(*v), -distance, outward, nodes, 0.0) });
                    }
                }
            }
            Penetrating::Segments => self.links.edges.iter().for_each(|edge| segment(*edge)),
            Penetrating::AllSegments => self.links.all_edges().for_each(segment),
        }
        Ok(stats)
    }
}

/// A penalty against something rigid, without load.
fn rigid(point: Point, depth: f64, outward: Vector, nodes: [u32; 2], share: f64) -> Penalty {
    Penalty {
        side: 0,
        point,
        depth,
        load: 0.0,
        weight: 0.0,
        direction: outward,
        gradient: outward,
        nodes,
        weights: [1.0 - share, share],
        tet: NONE,
        tet_nodes: [NONE; 4],
        tet_weights: [0.0; 4],
    }
}

/// A segment in a signed distance.
struct Measured<'a, F> {
    nodes: [u32; 2],
    ends: [Point; 2],
    signed_distance: &'a F,
}

/// A place on a segment: its parameter, its depth, negative outside, and the way out.
type Place = (f64, f64, Vector);

impl<F: Fn(&Point) -> SignedDistance> Measured<'_, F> {
    /// Halvings of a segment.
    const HALVINGS: u32 = 3;

    fn place(&self, share: f64) -> Place {
        let SignedDistance { distance, outward } = (self.signed_distance)(&self.point(share));
        (share, -distance, outward)
    }

    fn point(&self, share: f64) -> Point {
        self.ends[0] + (self.ends[1] - self.ends[0]) * share
    }

    /// Returns how many parts are inside.
    fn penalties(&self, out: &mut Vec<Penalty>) -> usize {
        self.halve(self.place(0.0), self.place(1.0), Self::HALVINGS, out)
    }

    fn halve(&self, first: Place, last: Place, halvings: u32, out: &mut Vec<Penalty>) -> usize {
        let middle = self.place(0.5 * (first.0 + last.0));
        // A distance changes by at most the way one goes: no point of it is inside.
        if -middle.1 > 0.5 * (last.0 - first.0) * (self.ends[1] - self.ends[0]).norm() {
            return 0;
        }
        match halvings {
            1 => self.part(first, middle, out) + self.part(middle, last, out),
            _ => self.halve(first, middle, halvings - 1, out) + self.halve(middle, last, halvings - 1, out),
        }
    }

    /// The part of a piece that is inside, with a linear depth.
    fn part(&self, first: Place, last: Place, out: &mut Vec<Penalty>) -> usize {
        if first.1 <= 0.0 && last.1 <= 0.0 {
            return 0;
        }
        let border = |inside: Place, outside: Place| {
            let share = inside.1 / (inside.1 - outside.1);
            (inside.0 + (outside.0 - inside.0) * share, 0.0, inside.2)
        };
        let (first, last) = match (first.1 < 0.0, last.1 < 0.0) {
            (true, _) => (border(last, first), last),
            (_, true) => (first, border(first, last)),
            _ => (first, last),
        };
        let length = (last.0 - first.0) * (self.ends[1] - self.ends[0]).norm();
        let loads = [length * (2.0 * first.1 + last.1) / 6.0, length * (first.1 + 2.0 * last.1) / 6.0];
        for ((share, depth, outward), load) in [first, last].into_iter().zip(loads) {
            let point = self.point(share);
            out.push(Penalty { load, weight: 0.5 * length, ..rigid(point, depth, outward, self.nodes, share) });
        }
        1
    }
}
