//! glTF 2.0: all triangles of the scene, in the scene's frame, with texture coordinates and materials.
//!
//! The `gltf` crate parses and validates the document. Its accessors are read here, since its own reader panics where a
//! file lies about counts and strides.

use super::{Mesh, Surface};
use base64::Engine;
use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;
use gltf::{Accessor, Gltf, Node, Semantic};
use nalgebra::{Matrix3, Matrix4, Point3, Vector3};
use std::collections::HashSet;

type Result<T> = std::result::Result<T, String>;

/// No scene is nested deeper.
const DEEPEST: usize = 256;
/// A small file can place a mesh very often: more points or triangles than this are refused.
const MOST: usize = 1 << 25;

/// Extensions that change nothing about where triangles are.
const HARMLESS: [&str; 3] = ["KHR_materials_", "KHR_texture_", "KHR_lights_"];

/// Reads a scene; `load` brings a file that stands beside it.
pub fn read(bytes: &[u8], load: &dyn Fn(&str) -> std::result::Result<Vec<u8>, String>) -> Result<Mesh> {
    check_binary(bytes)?;
    let Gltf { document, blob } = Gltf::from_slice(bytes).map_err(|e| format!("this is no glTF 2.0 file: {e}"))?;
    if let Some(name) = document.extensions_required().find(|e| !HARMLESS.iter().any(|start| e.starts_with(start))) {
        return Err(format!("it needs the extension {name}, which is not read; export it without"));
    }
    let mut buffers = vec![];
    for buffer in document.buffers() {
        let data = match buffer.source() {
            gltf::buffer::Source::Bin => blob.clone().ok_or("the binary chunk is missing")?,
            gltf::buffer::Source::Uri(uri) => from_uri(uri, load)?,
        };
        if data.len() < buffer.length() {
            return Err(format!(
                "buffer {} announces {} bytes, and {} are there; the file was cut short",
                buffer.index(),
                buffer.length(),
                data.len()
            ));
        }
        buffers.push(data);
    }

    let mut scene =
        Scene { buffers, surface: Surface::default(), has_uvs: true, has_normals: true, seen: HashSet::new() };
    scene.surface.material_names = document.materials().map(|m| m.name().unwrap_or("unnamed").into()).collect();
    let default = document.default_scene().or_else(|| document.scenes().next());
    let roots: Vec<Node> = match default {
        Some(scene) => scene.nodes().collect(),
        None => {
            let children: Vec<usize> = document.nodes().flat_map(|n| n.children()).map(|n| n.index()).collect();
            document.nodes().filter(|n| !children.contains(&n.index())).collect()
        }
    };
    for root in roots {
        scene.add_node(&root, &Matrix4::identity(), 0)?;
    }
    let Scene { mut surface, has_uvs, has_normals, .. } = scene;
    if !has_uvs {
        surface.uvs.clear();
    }
    if !has_normals {
        surface.normals.clear();
    }
    surface.checked()
}

/// What the crate does not check about the header of a binary file.
fn check_binary(bytes: &[u8]) -> Result<()> {
    let Some(header) = bytes.strip_prefix(b"glTF") else {
        return Ok(());
    };
    let number = |at: usize| header.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    match (number(0), number(4)) {
        (Some(2), Some(length)) if length as usize == bytes.len() => Ok(()),
        (Some(2), Some(length)) => {
            Err(format!("{length} bytes are announced and {} are there; the file was cut or added to", bytes.len()))
        }
        (Some(version), _) => Err(format!("this is glTF {version}; version 2 is needed")),
        _ => Err("the header is not whole; the file was cut short".into()),
    }
}

fn from_uri(uri: &str, load: &dyn Fn(&str) -> Result<Vec<u8>>) -> Result<Vec<u8>> {
    if let Some(data) = uri.strip_prefix("data:") {
        let Some((_, encoded)) = data.split_once(";base64,") else {
            return Err("an embedded buffer is not base64".into());
        };
        let engine = base64::engine::general_purpose::STANDARD;
        return engine.decode(encoded).map_err(|e| format!("an embedded buffer is damaged ({e})"));
    }
    // A name and nothing else: a mesh must not make us read files from all over the place.
    if uri.is_empty() || uri.contains(['/', '\\', ':', '%']) || uri.starts_with('.') {
        return Err(format!("the buffer {uri:?} is not a plain file beside this one; export it as .glb"));
    }
    load(uri)
}

struct Scene {
    buffers: Vec<Vec<u8>>,
    surface: Surface,
    has_uvs: bool,
    has_normals: bool,
    /// Nodes that were met: a tree meets each once.
    seen: HashSet<usize>,
}

impl Scene {
    fn add_node(&mut self, node: &Node, above: &Matrix4<f64>, depth: usize) -> Result<()> {
        if depth > DEEPEST || !self.seen.insert(node.index()) {
            return Err(format!(
                "node {} is the child of two nodes, or of itself, or lies more than {DEEPEST} levels deep",
                node.index()
            ));
        }
        let own = Matrix4::from(node.transform().matrix()).cast::<f64>();
        let place = above * own;
        if let Some(mesh) = node.mesh() {
            if node.skin().is_some() || mesh.weights().is_some() {
                self.remark(format!(
                    "mesh {} is taken as it was modelled, without skin and morph targets",
                    mesh.index()
                ));
            }
            for primitive in mesh.primitives() {
                self.add_primitive(&primitive, &place)
                    .map_err(|e| format!("mesh {}, primitive {}: {e}", mesh.index(), primitive.index()))?;
            }
        }
        node.children().try_for_each(|child| self.add_node(&child, &place, depth + 1))
    }

    fn remark(&mut self, what: String) {
        if !self.surface.remarks.contains(&what) {
            self.surface.remarks.push(what);
        }
    }

    fn add_primitive(&mut self, primitive: &gltf::Primitive, place: &Matrix4<f64>) -> Result<()> {
        if !matches!(primitive.mode(), Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
            self.remark("points and lines were passed over".into());
            return Ok(());
        }
        let positions = primitive.get(&Semantic::Positions).ok_or("there are no positions")?;
        let points = self.values(&positions, Dimensions::Vec3)?;
        let count = points.len() / 3;
        let first = self.surface.points.len();
        let indexed = primitive.indices().map_or(count, |indices| indices.count());
        if first.saturating_add(count).max((self.surface.triangles.len()).saturating_add(indexed)) > MOST {
            return Err(format!("with it the scene has more than {MOST} points or triangles, which is too many"));
        }
        let turn: Matrix3<f64> = place.fixed_view::<3, 3>(0, 0).into();
        let as_normals = turn.try_inverse().unwrap_or_default().transpose();
        for p in points.chunks_exact(3) {
            let at = place.transform_point(&Point3::new(p[0], p[1], p[2]));
            self.surface.points.push([at.x, at.y, at.z]);
        }
        let uvs = primitive.get(&Semantic::TexCoords(0)).map(|a| self.values(&a, Dimensions::Vec2)).transpose()?;
        self.has_uvs &= uvs.as_ref().is_some_and(|uvs| uvs.len() == 2 * count);
        // glTF's second coordinate grows downwards.
        self.surface.uvs.extend(uvs.iter().flat_map(|uvs| uvs.chunks_exact(2)).map(|uv| [uv[0], 1.0 - uv[1]]));
        let normals = primitive.get(&Semantic::Normals).map(|a| self.values(&a, Dimensions::Vec3)).transpose()?;
        self.has_normals &= normals.as_ref().is_some_and(|normals| normals.len() == 3 * count);
        self.surface.normals.extend(normals.iter().flat_map(|n| n.chunks_exact(3)).map(|n| {
            let normal = (as_normals * Vector3::new(n[0], n[1], n[2])).try_normalize(0.0).unwrap_or_default();
            [normal.x, normal.y, normal.z]
        }));

        let corners: Vec<u32> = match primitive.indices() {
            Some(indices) => self.values(&indices, Dimensions::Scalar)?.into_iter().map(|k| k as u32).collect(),
            None => (0..count as u32).collect(),
        };
        if let Some(k) = corners.iter().find(|k| **k as usize >= count) {
            return Err(format!("index {k} is out of range: there are {count} vertices"));
        }
        if primitive.mode() == Mode::Triangles && corners.len() % 3 != 0 {
            return Err(format!("{} indices are not a whole number of triangles", corners.len()));
        }
        // A mirrored node turns its triangles inside out.
        let mirrored = turn.determinant() < 0.0;
        let material = primitive.material().index();
        for [a, b, c] in triangles(primitive.mode(), &corners) {
            let triangle = if mirrored { [a, c, b] } else { [a, b, c] };
            self.surface.triangles.push(triangle.map(|k| first as u32 + k));
            self.surface.materials.push(material.unwrap_or(self.surface.material_names.len()) as u32);
        }
        if material.is_none() && !self.surface.material_names.iter().any(String::is_empty) {
            self.surface.material_names.push(String::new()); // the default material, behind all others
        }
        Ok(())
    }

    /// The numbers of an accessor, one behind the other.
    fn values(&self, accessor: &Accessor, wanted: Dimensions) -> Result<Vec<f64>> {
        let number = accessor.index();
        let fail = |what: &str| Err(format!("accessor {number} {what}"));
        if accessor.dimensions() != wanted {
            return fail("has another number of components than it should");
        }
        if accessor.sparse().is_some() {
            return fail("is sparse, which is not read; export the file without morph targets");
        }
        let Some(view) = accessor.view() else {
            return fail("has no data");
        };
        let size = accessor.size();
        let stride = view.stride().unwrap_or(size);
        let data = self.buffers.get(view.buffer().index()).and_then(|b| b.get(view.offset()..)).unwrap_or_default();
        let data = data.get(..view.length()).and_then(|v| v.get(accessor.offset()..)).unwrap_or_default();
        let needed =
            accessor.count().checked_sub(1).and_then(|n| n.checked_mul(stride)).and_then(|n| n.checked_add(size));
        if stride < size || needed.is_none_or(|n| n > data.len()) {
            return fail("reaches beyond its buffer; the file was cut short or is wrong");
        }
        let (parts, each) = (wanted.multiplicity(), accessor.data_type().size());
        let mut values = Vec::with_capacity(accessor.count() * parts);
        for element in 0..accessor.count() {
            for part in 0..parts {
                let at = element * stride + part * each;
                values.push(value(data.get(at..at + each).unwrap_or_default(), accessor));
            }
        }
        Ok(values)
    }
}

fn value(bytes: &[u8], accessor: &Accessor) -> f64 {
    let byte = |k: usize| bytes.get(k).copied().unwrap_or_default();
    let (value, most) = match accessor.data_type() {
        DataType::I8 => (byte(0) as i8 as f64, i8::MAX as f64),
        DataType::U8 => (byte(0) as f64, u8::MAX as f64),
        DataType::I16 => (i16::from_le_bytes([byte(0), byte(1)]) as f64, i16::MAX as f64),
        DataType::U16 => (u16::from_le_bytes([byte(0), byte(1)]) as f64, u16::MAX as f64),
        DataType::U32 => (u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]) as f64, u32::MAX as f64),
        DataType::F32 => (f32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]) as f64, 1.0),
    };
    if accessor.normalized() { (value / most).max(-1.0) } else { value }
}

fn triangles(mode: Mode, corners: &[u32]) -> Vec<[u32; 3]> {
    let turned = |(k, w): (usize, &[u32])| if k % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] };
    match mode {
        Mode::TriangleStrip => corners.windows(3).enumerate().map(turned).collect(),
        Mode::TriangleFan => corners.windows(2).skip(1).map(|w| [corners[0], w[0], w[1]]).collect(),
        _ => corners.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect(),
    }
}
