//! The part of a drawing mesh that lies within some planes: every triangle is cut straight through, and those that no plane crosses
//! stay as they are.
//!
//! A polygon is known by the lines around it, edges of its triangle or planes, and a corner by the two lines that meet there. On which
//! side of a further plane a corner lies is computed exactly (`cut::polytope`), and for a corner on an edge from the ends of the edge
//! alone. So both triangles at an edge, and the pieces on both sides of a plane, agree bit for bit.

use super::parts::{Look, Parts, Vertex};
use crate::crack::breaks::CellPlane;
use crate::cut::polytope::{Split, Spot};
use crate::drawing::binding::{Binding, Run};
use crate::fracture::place::{ByPlace, Place};
use crate::geom::aabb::Aabb;
use crate::geom::pinned::{log2, powi};
use crate::geom::plane::Plane;
use crate::geom::polygon::fan;
use crate::geom::{NONE, Point};
use std::collections::HashMap;

/// A plane as a function over the mesh.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// One of its two orientations, whichever side is looked from.
    plane: Plane,
    /// Whether what is within is on its second side, where it is positive.
    pub second: bool,
    generation: u32,
    cells: [u32; 2],
}

impl Cut {
    /// Of a plane with its normal out of what is within.
    fn new(plane: &CellPlane) -> Self {
        let leading = plane.plane.normal.iter().find(|c| **c != 0.0).copied().unwrap_or(1.0);
        let second = leading < 0.0;
        let canonical = if second { plane.plane.flipped() } else { plane.plane };
        Self { plane: canonical, second, generation: plane.generation, cells: plane.cells }
    }

    /// The function by its values at up to four points, whole numbers.
    pub fn split(&self, at: &[Point], scale: f64) -> Split {
        let mut values = [0.0; 4];
        values.iter_mut().zip(at).for_each(|(value, p)| *value = (self.plane.distance(p) * scale).round());
        Split { values, generation: self.generation, cells: self.cells }
    }

    /// How far the lowest and the highest point of a box are from the plane, outwards.
    fn range(&self, bounds: &Aabb) -> [f64; 2] {
        let middle = self.plane.distance(&bounds.centre()) * if self.second { -1.0 } else { 1.0 };
        let reach = self.plane.normal.abs().dot(&(bounds.size() * 0.5));
        [middle - reach, middle + reach]
    }
}

/// An edge along which a plane cuts the mesh, in the direction of the polygon that has it.
#[derive(Clone, Copy, Debug)]
pub struct PlaneEdge {
    pub plane: u32,
    pub ends: [u32; 2],
}

/// A point of the mesh where the rim goes from one plane on to another.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub from: u32,
    pub to: u32,
    pub point: u32,
}

/// What is within.
pub struct Clipped {
    pub parts: Parts,
    pub edges: Vec<PlaneEdge>,
    pub turns: Vec<Turn>,
    /// The planes as they were given, and as functions.
    pub planes: Vec<CellPlane>,
    pub cuts: Vec<Cut>,
    /// Whole numbers a metre.
    pub scale: f64,
    /// Whether each point is on a plane: edges between others are the artist's, with what the artist has on their other side.
    pub is_cut: Vec<bool>,
    /// Numbers of points by their bits.
    numbers: ByPlace<u32>,
}

/// Clips a mesh by planes with their normals out of what is left; `radius` is that of the asset.
pub fn clip(binding: &Binding, planes: Vec<CellPlane>, radius: f64) -> Clipped {
    let mut clipper = Clipper::new(binding, planes, radius);
    let mut crossing = vec![];
    for run in binding.runs() {
        if !clipper.crossing(&run.bounds, &mut crossing) {
            continue;
        }
        clipper.run(run, &crossing);
    }
    clipper.out
}

/// The triangles of a mesh around a box, as they are.
pub fn around(binding: &Binding, bounds: &Aabb) -> Parts {
    let mut clipper = Clipper::new(binding, vec![], 1.0);
    for run in binding.runs().iter().filter(|run| run.bounds.meets(bounds)) {
        clipper.run(run, &[]);
    }
    clipper.out.parts
}

impl Clipped {
    /// The number of a point, which is new or known by its bits; `is_cut` if it is on a plane.
    pub fn number(&mut self, at: &Point, is_cut: bool) -> u32 {
        let Self { parts, is_cut: all_cut, numbers, .. } = self;
        let number = *numbers.entry(Place::of(at)).or_insert_with(|| {
            parts.points.push(*at);
            all_cut.push(false);
            parts.points.len() as u32 - 1
        });
        all_cut[number as usize] |= is_cut;
        number
    }
}

/// Lines of a polygon: edges of the triangle, from corner k to the next, and behind these the planes that cross it.
type Line = u16;

struct Clipper<'a> {
    binding: &'a Binding,
    out: Clipped,
    /// Our points and vertices by those of the mesh.
    our_point: Vec<u32>,
    our_vertex: Vec<u32>,
    /// Vertices on edges of the mesh, by the vertices of the edge and the plane.
    on_edge: HashMap<([u32; 2], u32), u32>,
    lines: Vec<Line>,
    kept: Vec<Line>,
    inside: Vec<bool>,
    /// The planes that cross the triangle at hand, and their values at its points.
    splits: Vec<(u32, Split)>,
}

/// A corner of a polygon. Planes go by their places in the list at hand.
#[derive(Clone, Copy)]
enum Corner {
    /// Of the triangle itself, by its slot.
    Own(usize),
    /// On the edge between two slots, the lower first, on a plane.
    Edge([usize; 2], usize),
    /// Where two planes meet, the lower first.
    Meeting(usize, usize),
}

/// A triangle of the mesh.
struct Triangle {
    vertices: [u32; 3],
    material: u32,
    /// The slot of each corner: its place among the points of the triangle in ascending order.
    slots: [usize; 3],
    /// By slot: the point, and the corner.
    at: [Point; 3],
    corners: [usize; 3],
}

impl<'a> Clipper<'a> {
    fn new(binding: &'a Binding, planes: Vec<CellPlane>, radius: f64) -> Self {
        // Everything is within a few radii, and values have 51 bits.
        let scale = powi(2.0, (44.0 - log2(radius)).floor() as i32);
        let out = Clipped {
            parts: Parts::default(),
            edges: vec![],
            turns: vec![],
            cuts: planes.iter().map(Cut::new).collect(),
            planes,
            scale,
            is_cut: vec![],
            numbers: ByPlace::default(),
        };
        Self {
            binding,
            out,
            our_point: vec![NONE; binding.points().len()],
            our_vertex: vec![NONE; binding.mesh().positions().len()],
            on_edge: HashMap::new(),
            lines: vec![],
            kept: vec![],
            inside: vec![],
            splits: vec![],
        }
    }

    /// Finds the planes that a box is not within; false if it is beyond one.
    fn crossing(&self, bounds: &Aabb, found: &mut Vec<u32>) -> bool {
        found.clear();
        let rounding = 4.0 / self.out.scale;
        for (k, cut) in self.out.cuts.iter().enumerate() {
            let [least, most] = cut.range(bounds);
            if least > rounding {
                return false;
            }
            if most > -rounding {
                found.push(k as u32);
            }
        }
        true
    }

    /// Clips the triangles of a run by the planes that cross its box.
    fn run(&mut self, run: &Run, crossing: &[u32]) {
        let mesh = self.binding.mesh();
        for &t in self.binding.triangles_of(run) {
            let vertices = mesh.triangles()[t as usize];
            let material = mesh.materials()[t as usize];
            if crossing.is_empty() {
                self.push_whole(vertices, material);
                continue;
            }
            let points = vertices.map(|v| self.binding.point_of(v));
            let [a, b, c] = points;
            if a == b || b == c || c == a {
                continue; // it bounds nothing
            }
            let slots = [0, 1, 2].map(|k: usize| points.iter().filter(|p| **p < points[k]).count());
            let mut corners = [0; 3];
            slots.iter().enumerate().for_each(|(k, slot)| corners[*slot] = k);
            let at = corners.map(|k| self.binding.points()[points[k] as usize]);
            self.clip(&Triangle { vertices, material, slots, at, corners }, crossing);
        }
    }

    fn clip(&mut self, triangle: &Triangle, crossing: &[u32]) {
        self.splits.clear();
        for &plane in crossing {
            let cut = &self.out.cuts[plane as usize];
            let split = cut.split(&triangle.at, self.out.scale);
            // At a tie the second side has the point.
            let within = split.values[..3].iter().filter(|value| (**value >= 0.0) == cut.second).count();
            match within {
                0 => return,
                3 => {}
                _ => self.splits.push((plane, split)),
            }
        }
        if self.splits.is_empty() {
            return self.push_whole(triangle.vertices, triangle.material);
        }
        self.lines.clear();
        self.lines.extend([0, 1, 2]);
        for by in 0..self.splits.len() {
            if !self.clip_by(triangle, by) {
                return;
            }
        }
        self.push_polygon(triangle);
    }

    /// Cuts off what is beyond a plane, by its place in the list at hand; false if nothing is left.
    fn clip_by(&mut self, triangle: &Triangle, by: usize) -> bool {
        let count = self.lines.len();
        self.inside.clear();
        for k in 0..count {
            let corner = triangle.corner(self.lines[k], self.lines[(k + 1) % count]);
            let is_inside = self.is_inside(corner, by);
            self.inside.push(is_inside);
        }
        let Some(leave) = (0..count).find(|k| self.inside[*k] && !self.inside[(k + 1) % count]) else {
            return self.inside[0];
        };
        let enter = (leave + 1..leave + count).find(|k| self.inside[(k + 1) % count]).unwrap_or(leave);
        // From the line on which it comes back in, round to the one on which it goes out.
        self.kept.clear();
        self.kept.extend((enter + 1..=leave + count + 1).map(|k| self.lines[k % count]));
        self.kept.push(3 + by as Line);
        std::mem::swap(&mut self.lines, &mut self.kept);
        true
    }

    fn is_inside(&self, corner: Corner, by: usize) -> bool {
        let (plane, split) = &self.splits[by];
        let is_first = match corner {
            Corner::Own(slot) => split.values[slot] < 0.0,
            Corner::Edge(slots, plane) => {
                let own = &self.splits[plane].1;
                Spot::new(std::slice::from_ref(own), bit(slots[0]) | bit(slots[1])).is_on_first_side(split)
            }
            Corner::Meeting(a, b) => Spot::new(&[self.splits[a].1, self.splits[b].1], 0b0111).is_on_first_side(split),
        };
        is_first != self.out.cuts[*plane as usize].second
    }

    fn push_whole(&mut self, vertices: [u32; 3], material: u32) {
        let corners = vertices.map(|v| self.vertex(v));
        self.out.parts.triangles.push((corners, Look::Skin(material)));
        if !self.binding.is_closed() {
            let points = corners.map(|v| self.out.parts.vertices[v as usize].point);
            for k in 0..3 {
                self.note_border([vertices[k], vertices[(k + 1) % 3]], [points[k], points[(k + 1) % 3]]);
            }
        }
    }

    /// Our vertex for one of the mesh.
    fn vertex(&mut self, theirs: u32) -> u32 {
        if self.our_vertex[theirs as usize] == NONE {
            let mesh = self.binding.mesh();
            let their_point = self.binding.point_of(theirs) as usize;
            if self.our_point[their_point] == NONE {
                self.our_point[their_point] = self.out.number(&self.binding.points()[their_point], false);
            }
            self.our_vertex[theirs as usize] = self.out.parts.vertices.len() as u32;
            self.out.parts.vertices.push(Vertex {
                point: self.our_point[their_point],
                normal: mesh.normals()[theirs as usize].map(f64::from),
                uv: mesh.uvs()[theirs as usize].map(f64::from),
            });
        }
        self.our_vertex[theirs as usize]
    }

    /// Adds the polygon at hand.
    fn push_polygon(&mut self, triangle: &Triangle) {
        let count = self.lines.len();
        let lines = std::mem::take(&mut self.lines);
        let mut corners: Vec<u32> = Vec::with_capacity(count);
        for k in 0..count {
            let (line, next) = (lines[k], lines[(k + 1) % count]);
            let vertex = self.vertex_at(triangle, triangle.corner(line, next));
            corners.push(vertex);
            if line >= 3 && next >= 3 {
                let [from, to] = [line, next].map(|line| self.splits[line as usize - 3].0);
                self.out.turns.push(Turn { from, to, point: self.out.parts.vertices[vertex as usize].point });
            }
        }
        let points: Vec<u32> = corners.iter().map(|v| self.out.parts.vertices[*v as usize].point).collect();
        for k in 0..count {
            let (line, ends) = (lines[(k + 1) % count] as usize, [points[k], points[(k + 1) % count]]);
            if line >= 3 && ends[0] != ends[1] {
                self.out.edges.push(PlaneEdge { plane: self.splits[line - 3].0, ends });
            } else if line < 3 && !self.binding.is_closed() {
                self.note_border([triangle.vertices[line], triangle.vertices[(line + 1) % 3]], ends);
            }
        }
        self.lines = lines;
        // Corners that fell together are one.
        let mut kept: Vec<usize> = (0..count).filter(|k| points[*k] != points[(k + 1) % count]).collect();
        if kept.len() < 3 {
            kept.clear();
        }
        let places: Vec<Point> = kept.iter().map(|k| self.out.parts.points[points[*k] as usize]).collect();
        for corners in fan(&places).map(|t| t.map(|k| corners[kept[k]])) {
            self.out.parts.triangles.push((corners, Look::Skin(triangle.material)));
        }
    }

    /// Our vertex for a corner of the polygon at hand.
    fn vertex_at(&mut self, triangle: &Triangle, corner: Corner) -> u32 {
        let (slots, weights) = match corner {
            Corner::Own(slot) => return self.vertex(triangle.vertices[triangle.corners[slot]]),
            Corner::Edge(slots @ [i, j], plane) => {
                let key = [i, j].map(|slot| triangle.vertices[triangle.corners[slot]]);
                let key = ([key[0].min(key[1]), key[0].max(key[1])], self.splits[plane].0);
                if let Some(known) = self.on_edge.get(&key) {
                    return *known;
                }
                let [a, b] = self.splits[plane].1.on_edge(i, j);
                let made = self.interpolated(triangle, &slots, &[a, b]);
                self.on_edge.insert(key, made);
                return made;
            }
            Corner::Meeting(a, b) => {
                let [u, v, w, _] = Spot::new(&[self.splits[a].1, self.splits[b].1], 0b0111).weights();
                ([0, 1, 2], [u, v, w])
            }
        };
        self.interpolated(triangle, &slots, &weights)
    }

    /// A vertex between corners of a triangle, by their slots: summed in this order, so on an edge the same from both sides.
    fn interpolated(&mut self, triangle: &Triangle, slots: &[usize], weights: &[f64]) -> u32 {
        let mesh = self.binding.mesh();
        let (mut at, mut normal, mut uv) = ([0.0; 3], [0.0; 3], [0.0; 2]);
        for (slot, weight) in slots.iter().zip(weights) {
            let theirs = triangle.vertices[triangle.corners[*slot]] as usize;
            (0..3).for_each(|k| at[k] += triangle.at[*slot][k] * weight);
            (0..3).for_each(|k| normal[k] += mesh.normals()[theirs][k] as f64 * weight);
            (0..2).for_each(|k| uv[k] += mesh.uvs()[theirs][k] as f64 * weight);
        }
        let point = self.out.number(&Point::from(at), true);
        self.out.parts.vertices.push(Vertex { point, normal, uv });
        self.out.parts.vertices.len() as u32 - 1
    }

    /// Notes a part of an edge, given by its vertices, if the mesh ends there.
    fn note_border(&mut self, edge: [u32; 2], ends: [u32; 2]) {
        let [a, b] = edge.map(|v| self.binding.point_of(v));
        if self.binding.borders().binary_search(&[a.min(b), a.max(b)]).is_ok() {
            self.out.parts.borders.insert([ends[0].min(ends[1]), ends[0].max(ends[1])]);
        }
    }
}

impl Triangle {
    /// Where two lines meet.
    fn corner(&self, a: Line, b: Line) -> Corner {
        let edge = |line: Line| {
            let ends = [self.slots[line as usize], self.slots[(line as usize + 1) % 3]];
            [ends[0].min(ends[1]), ends[0].max(ends[1])]
        };
        match (a < 3, b < 3) {
            // The end of the one that comes first.
            (true, true) => Corner::Own(self.slots[if (a + 1) % 3 == b { b } else { a } as usize]),
            (true, false) => Corner::Edge(edge(a), b as usize - 3),
            (false, true) => Corner::Edge(edge(b), a as usize - 3),
            (false, false) => Corner::Meeting(a.min(b) as usize - 3, a.max(b) as usize - 3),
        }
    }
}

fn bit(slot: usize) -> u8 {
    1 << slot
}
