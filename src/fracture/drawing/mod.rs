//! What to draw of an object: its part of the artist's mesh, cut where the cracks are, and the cracks, as one closed mesh.
//!
//! The boundary of the tetrahedra is the collision skin; the artist's mesh is bound to it (`drawing::binding`). Where planes made all pieces
//! of a break, its triangles are clipped by them (`clip`) and closed by flat faces (`caps`). Else, where the skin is the artist's mesh
//! itself, the surface of the piece is drawn (`met`). Else the parts are found by points (`cut`, `coarse`), and the cracks are made to
//! end at them (`seam`). Computed on demand, linear in the object.
//!
//! If the artist's mesh was closed, so is what is drawn of every fragment, once vertices of equal position are joined. Two
//! siblings share the cut of the mesh and (but for patches) the crack between them, so volumes add up. What could not be
//! done well is counted in the result, never hidden.

mod caps;
mod clip;
mod coarse;
mod cracks;
mod cut;
mod met;
mod parts;
mod seam;

use self::cracks::{CrackFace, Cracks};
use self::parts::{Look, Parts, Vertex};
use crate::body::Object;
use crate::crack::breaks::{CellPlane, Kind};
use crate::drawing::binding::Binding;
use crate::geom::{NONE, Point, Vector};
use crate::heap::held;
use crate::solid::drawing::DrawingMesh;
use crate::solid::surface::{Face, Surface};
use std::collections::HashMap;

/// A mesh to draw, triangles counter-clockwise seen from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Vertices. Where normals or texture coordinates jump, several have one position.
    pub vertices: Vec<DrawnVertex>,
    /// How many of them are of the artist's mesh; those behind are of cracks. None is of both.
    pub skin_vertices: u32,
    /// Triangles, those of cracks last.
    pub triangles: Vec<DrawnTriangle>,
    /// Places where cracks and mesh did not meet and a patch was put over the gap: mostly the tips of fragments that are
    /// smaller than the triangles of the mesh, and points in which four fragments meet.
    pub patches: u32,
    /// Edges that are open although the artist's mesh is not open there.
    pub open_edges: u32,
}

impl Drawing {
    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        held(&self.vertices) + held(&self.triangles)
    }
}

/// A vertex of a mesh to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnVertex {
    /// In the frame of the asset.
    pub position: Point,
    /// Unit length, outwards.
    pub normal: [f32; 3],
    /// The artist's texture coordinates; on cracks metres, one plane for the whole crack between two fragments, alike from
    /// both sides.
    pub uv: [f32; 2],
}

/// A triangle of a mesh to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnTriangle {
    /// Vertices.
    pub corners: [u32; 3],
    /// What it is a part of.
    pub side: Side,
}

/// Outside or inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The artist's mesh.
    Skin {
        /// The artist's number; 0 without a drawing mesh.
        material: u32,
    },
    /// A crack.
    Crack {
        /// The sibling on the other side, by its number in the break; `None` for cracks of earlier events, and for planes that several
        /// siblings are across.
        neighbour: Option<u32>,
    },
}

impl Object {
    /// What to draw: its part of the drawing mesh that its asset was cooked with, and its cracks. Without a drawing mesh it is
    /// its own [`surface`](Self::surface), shaded flat.
    pub fn drawing(&self) -> Drawing {
        let Some(binding) = self.asset().drawing() else { return flat(&self.surface()) };
        if !self.is_fragment() && self.made_by().pieces.len() == 1 {
            return whole(binding.mesh());
        }
        cut_off(self, binding)
    }
}

/// The artist's mesh as it is.
fn whole(mesh: &DrawingMesh) -> Drawing {
    let vertex = |k: usize| DrawnVertex {
        position: mesh.positions()[k],
        normal: unit(mesh.normals()[k].map(f64::from)),
        uv: mesh.uvs()[k],
    };
    let triangles = mesh.triangles().iter().zip(mesh.materials());
    Drawing {
        vertices: (0..mesh.positions().len()).map(vertex).collect(),
        skin_vertices: mesh.positions().len() as u32,
        triangles: triangles
            .map(|(corners, material)| DrawnTriangle { corners: *corners, side: Side::Skin { material: *material } })
            .collect(),
        ..Drawing::default()
    }
}

/// A fragment's part, and its cracks.
fn cut_off(object: &Object, binding: &Binding) -> Drawing {
    if object.made_by().is_made_of_planes() {
        let drawn = object.made_by().drawn_planes_of(object.piece_number());
        let planes = object.planes().iter().chain(drawn).copied().collect();
        let mut clipped = clip::clip(binding, planes, object.asset().radius());
        let mut cracks = caps::close(object, &mut clipped);
        if object.kind() == Kind::PartOfCell || object.asset().intact().pieces.len() > 1 {
            cut::keep_own(object, binding, &mut clipped.parts, &mut cracks);
        }
        return Drawing::of(&clipped.parts, cracks);
    }
    if let Some(over) = binding.over_skin(object.asset().solid()) {
        let (parts, cracks) = met::parts(object, binding, over);
        return Drawing::of(&parts, cracks);
    }
    let (before, faces) = drawn_before(object, binding);
    let parts = cut::parts(object, binding, before);
    let cracks = seam::close(object, binding, &parts, faces);
    Drawing::of(&parts, cracks)
}

/// The planes of the last ancestor of an object whose siblings all were made of planes; none if those of the object are.
fn ancestors_planes(object: &Object) -> &[CellPlane] {
    match object.made_by().is_made_of_planes() {
        true => &[],
        false => object.made_by().drawn_planes_of(object.piece_number()),
    }
}

/// What an object that is not made of planes was cut from: what the planes of its ancestors left, and the faces of that; or the artist's
/// mesh.
fn drawn_before(object: &Object, binding: &Binding) -> (Parts, Vec<CrackFace>) {
    let planes = ancestors_planes(object);
    if planes.is_empty() {
        let reach = object.piece().bounds.grown(binding.overhang() + object.asset().mean_edge());
        return (clip::around(binding, &reach), vec![]);
    }
    let mut clipped = clip::clip(binding, planes.to_vec(), object.asset().radius());
    let cracks = caps::close(object, &mut clipped);
    let mut parts = clipped.parts;
    parts.points = cracks.points;
    let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
    for (corners, face) in cracks.triangles {
        let CrackFace { axes, normal, .. } = cracks.faces[face as usize];
        let corners = corners.map(|point| {
            *numbers.entry((point, face)).or_insert_with(|| {
                let uv = axes.map(|axis| axis.dot(&parts.points[point as usize].coords));
                parts.vertices.push(Vertex { point, normal: normal.into(), uv });
                parts.vertices.len() as u32 - 1
            })
        });
        parts.triangles.push((corners, Look::Face(face)));
    }
    (parts, cracks.faces.into_iter().map(|face| CrackFace { across: NONE, ..face }).collect())
}

impl Drawing {
    fn of(parts: &Parts, mut cracks: Cracks) -> Self {
        let mut drawing = Self { patches: cracks.patches, open_edges: cracks.open_edges, ..Self::default() };
        let mut numbers = vec![NONE; parts.vertices.len()];
        for (corners, look) in &parts.triangles {
            let material = match look {
                Look::Skin(material) => *material,
                Look::Face(face) => {
                    let points = corners.map(|v| parts.vertices[v as usize].point);
                    cracks.triangles.push((points, *face));
                    continue;
                }
            };
            let corners = corners.map(|v| {
                if numbers[v as usize] == NONE {
                    numbers[v as usize] = drawing.vertices.len() as u32;
                    let vertex = &parts.vertices[v as usize];
                    drawing.vertices.push(DrawnVertex {
                        position: parts.points[vertex.point as usize],
                        normal: unit(vertex.normal),
                        uv: vertex.uv.map(|c| c as f32),
                    });
                }
                numbers[v as usize]
            });
            drawing.triangles.push(DrawnTriangle { corners, side: Side::Skin { material } });
        }
        drawing.skin_vertices = drawing.vertices.len() as u32;
        drawing.add_cracks(&cracks);
        drawing
    }

    /// Adds cracks: smooth on each face, with an edge between two.
    fn add_cracks(&mut self, cracks: &Cracks) {
        let mut normals: HashMap<(u32, u32), Vector> = HashMap::new();
        for (corners, face) in &cracks.triangles {
            let [a, b, c] = corners.map(|p| cracks.points[p as usize]);
            let normal = (b - a).cross(&(c - a));
            corners.iter().for_each(|p| *normals.entry((*p, *face)).or_default() += normal);
        }
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
        for (corners, face) in &cracks.triangles {
            let CrackFace { across, axes, .. } = cracks.faces[*face as usize];
            let corners = corners.map(|p| {
                *numbers.entry((p, *face)).or_insert_with(|| {
                    let position = cracks.points[p as usize];
                    let normal = normals[&(p, *face)].into();
                    let uv = axes.map(|axis| axis.dot(&position.coords) as f32);
                    self.vertices.push(DrawnVertex { position, normal: unit(normal), uv });
                    self.vertices.len() as u32 - 1
                })
            });
            let side = Side::Crack { neighbour: Some(across).filter(|piece| *piece != NONE) };
            self.triangles.push(DrawnTriangle { corners, side });
        }
    }
}

/// A surface as it is, every triangle with its own normal.
fn flat(surface: &Surface) -> Drawing {
    let mut drawing = Drawing::default();
    for triangle in &surface.triangles {
        let places = triangle.corners.map(|c| surface.vertices[c as usize]);
        let normal = unit((places[1] - places[0]).cross(&(places[2] - places[0])).into());
        let (side, uv) = match triangle.face {
            Face::Skin { .. } => (Side::Skin { material: 0 }, [[0.0; 2]; 3]),
            Face::Crack { neighbour, uv } => (Side::Crack { neighbour }, uv.map(|c| c.map(|c| c as f32))),
        };
        let first = drawing.vertices.len() as u32;
        if let Side::Skin { .. } = side {
            drawing.skin_vertices = first + 3;
        }
        drawing.vertices.extend((0..3).map(|k| DrawnVertex { position: places[k], normal, uv: uv[k] }));
        drawing.triangles.push(DrawnTriangle { corners: [first, first + 1, first + 2], side });
    }
    drawing
}

fn unit(normal: [f64; 3]) -> [f32; 3] {
    Vector::from(normal).try_normalize(0.0).unwrap_or(Vector::z()).cast::<f32>().into()
}
