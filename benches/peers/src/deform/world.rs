//! The bodies of a sequence as plain arrays: for those who join late, for peers, and to build everything anew.

use super::play::{Order, Orders};
use fracas::Point;
use fracas::deform::BodyMesh;

/// A body over the current frame.
#[derive(Clone)]
pub struct Body {
    pub start: Vec<Point>,
    pub end: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
}

/// All bodies, by their numbers in the sequence.
#[derive(Clone, Default)]
pub struct World {
    pub bodies: Vec<Option<Body>>,
}

/// All bodies as one mesh. Vertices of different bodies are different.
#[derive(Clone, Default)]
pub struct Merged {
    pub start: Vec<Point>,
    pub end: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
}

fn body(mesh: &BodyMesh) -> Option<Body> {
    let BodyMesh { positions, triangles, .. } = mesh;
    Some(Body { start: positions.clone(), end: positions.clone(), triangles: triangles.clone() })
}

impl World {
    pub fn apply(&mut self, orders: &Orders) {
        self.bodies.iter_mut().flatten().for_each(|body| body.start.clone_from(&body.end));
        for change in &orders.changes {
            match change {
                Order::Add(mesh) => self.bodies.push(body(mesh)),
                Order::Delete(k) => self.bodies[*k] = None,
                Order::Split(k, parts) => {
                    self.bodies[*k] = None;
                    self.bodies.extend(parts.iter().map(body));
                }
                Order::Merge(old, mesh) => {
                    old.iter().for_each(|k| self.bodies[*k] = None);
                    self.bodies.push(body(mesh));
                }
            }
        }
        for (k, positions) in &orders.moves {
            if let Some(body) = &mut self.bodies[*k] {
                body.end.clone_from(positions);
            }
        }
    }

    /// All bodies at the end of the frame, or at its start.
    pub fn meshes(&self, at_start: bool) -> impl Iterator<Item = Option<BodyMesh>> + '_ {
        let mesh = move |body: &Body| BodyMesh {
            positions: if at_start { &body.start } else { &body.end }.clone(),
            triangles: body.triangles.clone(),
            sources: vec![],
        };
        self.bodies.iter().map(move |body| body.as_ref().map(mesh))
    }

    pub fn merged(&self) -> Merged {
        let mut all = Merged::default();
        for body in self.bodies.iter().flatten() {
            let first = all.end.len() as u32;
            all.start.extend(&body.start);
            all.end.extend(&body.end);
            all.triangles.extend(body.triangles.iter().map(|t| t.map(|v| v + first)));
        }
        all
    }
}

impl Merged {
    /// As a world of one body.
    pub fn into_world(self) -> World {
        let Self { start, end, triangles } = self;
        World { bodies: vec![Some(Body { start, end, triangles })] }
    }

    /// Corners of a triangle at the end.
    pub fn corners(&self, triangle: usize) -> [Point; 3] {
        self.triangles[triangle].map(|v| self.end[v as usize])
    }

    /// Boxes of the triangles at the end, rounded outwards: least corner, then greatest.
    pub fn boxes(&self, out: &mut Vec<[f32; 6]>) {
        let below = |x: f64| if x as f32 as f64 > x { (x as f32).next_down() } else { x as f32 };
        let above = |x: f64| if (x as f32 as f64) < x { (x as f32).next_up() } else { x as f32 };
        out.clear();
        out.extend(self.triangles.iter().map(|t| {
            let [a, b, c] = t.map(|v| self.end[v as usize].coords);
            let (low, high) = (a.inf(&b).inf(&c), a.sup(&b).sup(&c));
            [below(low.x), below(low.y), below(low.z), above(high.x), above(high.y), above(high.z)]
        }));
    }
}
