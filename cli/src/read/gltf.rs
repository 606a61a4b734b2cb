//! glTF 2.0: all triangles of the scene, in the scene's frame, with texture coordinates and materials.
//!
//! By hand on serde_json: the `gltf` crate panics while it validates documents with indices out of range, and its accessors
//! do where counts and strides lie. What is needed here is nodes, meshes and accessors.

use super::{Mesh, Surface};
use crate::glb;
use crate::material::{Palette, decoded, from_data_uri, is_below, uncoloured, view_of};
use nalgebra::{Matrix3, Matrix4, Point3, Quaternion, UnitQuaternion, Vector3};
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};

type Result<T> = std::result::Result<T, String>;

/// No scene is nested deeper.
const DEEPEST: usize = 256;
/// A small file can place a mesh very often: more points or triangles than this are refused.
const MOST: usize = 1 << 25;

/// Extensions that change nothing about where triangles are.
const HARMLESS: [&str; 3] = ["KHR_materials_", "KHR_texture_", "KHR_lights_"];

/// Reads a scene; `load` brings a file that stands beside it.
pub fn read(bytes: &[u8], load: &dyn Fn(&str) -> Result<Vec<u8>>) -> Result<Mesh> {
    let (text, blob) = glb::split(bytes)?;
    let root: Value = serde_json::from_slice(text).map_err(|e| {
        let (line, column) = (e.line(), e.column());
        format!("this is no glTF file: its document is no JSON, from line {line}, column {column} on")
    })?;
    let document = Document { buffers: buffers(&root, blob, load)?, root: &root };
    let mut remarks = BTreeSet::new();
    let palette = Palette::read(&root, &document.buffers, load, &mut remarks)?;
    let surface = Surface { palette, remarks: remarks.into_iter().collect(), ..Surface::default() };
    let mut scene = Scene { surface, has_uvs: false, has_normals: true, seen: HashSet::new() };
    for node in document.roots()? {
        scene.add_node(&document, node, &Matrix4::identity(), 0)?;
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

/// What buffers hold, each as long as it says.
fn buffers(root: &Value, blob: Option<&[u8]>, load: &dyn Fn(&str) -> Result<Vec<u8>>) -> Result<Vec<Vec<u8>>> {
    let version = root["asset"]["version"].as_str().unwrap_or("of no version");
    if !version.starts_with("2.") {
        return Err(format!("this is glTF {version}; version 2 is needed"));
    }
    let harmless = |name: &&Value| name.as_str().is_some_and(|n| HARMLESS.iter().any(|start| n.starts_with(start)));
    if let Some(name) = list(root, "extensionsRequired").iter().find(|name| !harmless(name)) {
        return Err(format!("it needs the extension {name}, which is not read; export it without"));
    }
    let mut buffers = vec![];
    for (number, buffer) in list(root, "buffers").iter().enumerate() {
        let mut data = match buffer["uri"].as_str() {
            Some(uri) => from_uri(uri, load)?,
            None => blob.ok_or_else(|| format!("buffer {number} is not there: the binary chunk is missing"))?.to_vec(),
        };
        let length = whole(buffer, "byteLength").ok_or_else(|| format!("buffer {number} has no length"))?;
        if data.len() < length {
            return Err(format!(
                "buffer {number} announces {length} bytes, and {} are there; the file was cut short",
                data.len()
            ));
        }
        data.truncate(length);
        buffers.push(data);
    }
    Ok(buffers)
}

fn from_uri(uri: &str, load: &dyn Fn(&str) -> Result<Vec<u8>>) -> Result<Vec<u8>> {
    if uri.starts_with("data:") {
        return from_data_uri(uri).map_err(|e| format!("a buffer {e}"));
    }
    match decoded(uri).filter(|path| is_below(path)) {
        Some(path) => load(&path),
        None => Err(format!("the buffer {uri:?} is not a plain file beside this one; export it as .glb")),
    }
}

/// A list of the document; what is no list is empty.
fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// A number of the document that counts something.
fn whole(value: &Value, key: &str) -> Option<usize> {
    value[key].as_u64().and_then(|n| usize::try_from(n).ok())
}

struct Document<'a> {
    root: &'a Value,
    buffers: Vec<Vec<u8>>,
}

impl<'a> Document<'a> {
    /// Something that is named by its place in a list.
    fn item(&self, key: &str, place: &Value) -> Result<&'a Value> {
        let found = place.as_u64().and_then(|k| list(self.root, key).get(usize::try_from(k).ok()?));
        found.ok_or_else(|| format!("{place} is named, but {key} has {} entries", list(self.root, key).len()))
    }

    /// The nodes of the scene; without any scene, those that are no children.
    fn roots(&self) -> Result<Vec<u64>> {
        let number = |n: &Value| n.as_u64().ok_or_else(|| format!("{n} is no number of a node"));
        let scene = match &self.root["scene"] {
            Value::Null => list(self.root, "scenes").first(),
            place => Some(self.item("scenes", place)?),
        };
        match scene {
            Some(scene) => list(scene, "nodes").iter().map(number).collect(),
            None => {
                let nodes = list(self.root, "nodes");
                let children: HashSet<u64> =
                    nodes.iter().flat_map(|n| list(n, "children")).map(number).collect::<Result<_>>()?;
                Ok((0..nodes.len() as u64).filter(|n| !children.contains(n)).collect())
            }
        }
    }

    /// The numbers of an accessor, one behind the other; each element has `parts` of them.
    fn values(&self, place: &Value, parts: usize) -> Result<Vec<f64>> {
        let accessor = self.item("accessors", place)?;
        let fail = |what: &str| Err(format!("accessor {place} {what}"));
        if accessor["type"] != ["", "SCALAR", "VEC2", "VEC3"][parts] {
            return fail("has another number of components than it should");
        }
        if !accessor["sparse"].is_null() {
            return fail("is sparse, which is not read; export the file without morph targets");
        }
        let Some((each, kind)) = accessor["componentType"].as_u64().and_then(Kind::of) else {
            return fail("has an unknown type of components");
        };
        if accessor["bufferView"].is_null() {
            return fail("has no data");
        }
        let view = self.item("bufferViews", &accessor["bufferView"])?;
        let start = whole(accessor, "byteOffset").unwrap_or(0);
        let data = view_of(view, &self.buffers).and_then(|(buffer, range)| self.buffers[buffer][range].get(start..));
        let size = parts * each;
        let stride = whole(view, "byteStride").unwrap_or(size);
        let count = whole(accessor, "count").unwrap_or(0);
        let needed = count.checked_sub(1).and_then(|n| n.checked_mul(stride)).and_then(|n| n.checked_add(size));
        let Some(data) = data.filter(|data| stride >= size && needed.is_some_and(|n| n <= data.len())) else {
            return fail("has no elements, or reaches beyond its buffer; the file was cut short or is wrong");
        };
        if count > MOST {
            return fail("has too many elements");
        }
        let most = if accessor["normalized"] == true { Some(kind.most()) } else { None };
        let mut values = Vec::with_capacity(count * parts);
        for element in 0..count {
            for part in 0..parts {
                let value = kind.value(data.get(element * stride + part * each..).unwrap_or_default());
                values.push(most.map_or(value, |most| (value / most).max(-1.0)));
            }
        }
        Ok(values)
    }
}

/// What components are.
#[derive(Clone, Copy)]
enum Kind {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Kind {
    /// By glTF's number, with its bytes.
    fn of(number: u64) -> Option<(usize, Self)> {
        Some(match number {
            5120 => (1, Self::I8),
            5121 => (1, Self::U8),
            5122 => (2, Self::I16),
            5123 => (2, Self::U16),
            5125 => (4, Self::U32),
            5126 => (4, Self::F32),
            _ => return None,
        })
    }

    fn most(self) -> f64 {
        match self {
            Self::I8 => i8::MAX.into(),
            Self::U8 => u8::MAX.into(),
            Self::I16 => i16::MAX.into(),
            Self::U16 => u16::MAX.into(),
            Self::U32 => u32::MAX.into(),
            Self::F32 => 1.0,
        }
    }

    fn value(self, bytes: &[u8]) -> f64 {
        use super::bytes::{Order::Little, Plain};
        match self {
            Self::I8 => i8::get(bytes, Little).into(),
            Self::U8 => u8::get(bytes, Little).into(),
            Self::I16 => i16::get(bytes, Little).into(),
            Self::U16 => u16::get(bytes, Little).into(),
            Self::U32 => u32::get(bytes, Little).into(),
            Self::F32 => f32::get(bytes, Little).into(),
        }
    }
}

/// The place of a node in the one above it.
fn transform(node: &Value) -> Result<Matrix4<f64>> {
    let numbers = |key: &str, wanted: usize| match &node[key] {
        Value::Null => Ok(None),
        Value::Array(list) if list.len() == wanted => match list.iter().map(Value::as_f64).collect() {
            Some(numbers) => Ok(Some::<Vec<f64>>(numbers)),
            None => Err(format!("the {key} of a node is not made of numbers")),
        },
        _ => Err(format!("the {key} of a node has not {wanted} numbers")),
    };
    if let Some(matrix) = numbers("matrix", 16)? {
        return Ok(Matrix4::from_column_slice(&matrix));
    }
    let mut place = Matrix4::identity();
    if let Some(t) = numbers("translation", 3)? {
        place *= Matrix4::new_translation(&Vector3::new(t[0], t[1], t[2]));
    }
    if let Some(q) = numbers("rotation", 4)? {
        let turn = UnitQuaternion::try_new(Quaternion::new(q[3], q[0], q[1], q[2]), 1e-12)
            .ok_or("the rotation of a node is zero")?;
        place *= turn.to_homogeneous();
    }
    if let Some(s) = numbers("scale", 3)? {
        place *= Matrix4::new_nonuniform_scaling(&Vector3::new(s[0], s[1], s[2]));
    }
    Ok(place)
}

/// What has been gathered so far.
struct Scene {
    surface: Surface,
    has_uvs: bool,
    has_normals: bool,
    /// Nodes that were met: a tree meets each once.
    seen: HashSet<u64>,
}

impl Scene {
    fn add_node(&mut self, document: &Document, number: u64, above: &Matrix4<f64>, depth: usize) -> Result<()> {
        if depth > DEEPEST || !self.seen.insert(number) {
            return Err(format!(
                "node {number} is the child of two nodes, or of itself, or lies more than {DEEPEST} levels deep"
            ));
        }
        let node = document.item("nodes", &number.into())?;
        let place = above * transform(node)?;
        if !node["mesh"].is_null() {
            let mesh = document.item("meshes", &node["mesh"])?;
            let name = &node["mesh"];
            if !node["skin"].is_null() || !mesh["weights"].is_null() {
                self.remark(format!("mesh {name} is taken as it was modelled, without skin and morph targets"));
            }
            for (k, primitive) in list(mesh, "primitives").iter().enumerate() {
                let added = self.add_primitive(document, primitive, &place);
                added.map_err(|e| format!("mesh {name}, primitive {k}: {e}"))?;
            }
        }
        for child in list(node, "children") {
            let child = child.as_u64().ok_or_else(|| format!("node {number} has a child that is no number"))?;
            self.add_node(document, child, &place, depth + 1)?;
        }
        Ok(())
    }

    fn remark(&mut self, what: String) {
        if !self.surface.remarks.contains(&what) {
            self.surface.remarks.push(what);
        }
    }

    fn add_primitive(&mut self, document: &Document, primitive: &Value, place: &Matrix4<f64>) -> Result<()> {
        let mode = primitive["mode"].as_u64().unwrap_or(4);
        if !(4..=6).contains(&mode) {
            self.remark("points and lines were passed over".into());
            return Ok(());
        }
        let attribute = |name: &str, parts: usize| match &primitive["attributes"][name] {
            Value::Null => Ok(None),
            place => document.values(place, parts).map(Some),
        };
        let points = attribute("POSITION", 3)?.ok_or("there are no positions")?;
        let count = points.len() / 3;
        let corners: Vec<u32> = match &primitive["indices"] {
            Value::Null => (0..count as u32).collect(),
            place => document.values(place, 1)?.into_iter().map(|k| k as u32).collect(),
        };
        if let Some(k) = corners.iter().find(|k| **k as usize >= count) {
            return Err(format!("index {k} is out of range: there are {count} vertices"));
        }
        if mode == 4 && !corners.len().is_multiple_of(3) {
            return Err(format!("{} indices are not a whole number of triangles", corners.len()));
        }
        let first = self.surface.points.len();
        if first + count > MOST || self.surface.triangles.len() + corners.len() > MOST {
            return Err(format!("with it the scene has more than {MOST} points or triangles, which is too many"));
        }

        let turn: Matrix3<f64> = place.fixed_view::<3, 3>(0, 0).into();
        let as_normals = turn.try_inverse().unwrap_or_default().transpose();
        for p in points.chunks_exact(3) {
            let at = place.transform_point(&Point3::new(p[0], p[1], p[2]));
            self.surface.points.push([at.x, at.y, at.z]);
        }
        let uvs = attribute("TEXCOORD_0", 2)?.filter(|uvs| uvs.len() == 2 * count);
        self.has_uvs |= uvs.is_some();
        // glTF's second coordinate grows downwards. What has none beside others that have some shows one place of its texture.
        self.surface.uvs.extend(uvs.iter().flat_map(|uvs| uvs.chunks_exact(2)).map(|uv| [uv[0], 1.0 - uv[1]]));
        self.surface.uvs.resize(first + count, [0.0; 2]);
        if !primitive["attributes"]["COLOR_0"].is_null() {
            self.remark("colours of vertices are not kept".into());
        }
        let normals = attribute("NORMAL", 3)?;
        self.has_normals &= normals.as_ref().is_some_and(|normals| normals.len() == 3 * count);
        self.surface.normals.extend(normals.iter().flat_map(|n| n.chunks_exact(3)).map(|n| {
            let normal = (as_normals * Vector3::new(n[0], n[1], n[2])).try_normalize(0.0).unwrap_or_default();
            [normal.x, normal.y, normal.z]
        }));

        let material = match &primitive["material"] {
            Value::Null => self.default_material(document),
            place => {
                document.item("materials", place)?;
                place.as_u64().unwrap_or(0) as u32
            }
        };
        // A mirrored node turns its triangles inside out.
        let mirrored = turn.determinant() < 0.0;
        for [a, b, c] in triangles(mode, &corners) {
            let triangle = if mirrored { [a, c, b] } else { [a, b, c] };
            self.surface.triangles.push(triangle.map(|k| first as u32 + k));
            self.surface.materials.push(material);
        }
        Ok(())
    }

    /// The place of the material of those that have none: behind all others.
    fn default_material(&mut self, document: &Document) -> u32 {
        let given = list(document.root, "materials").len();
        if self.surface.palette.len() == given {
            self.surface.palette.push(uncoloured(""));
        }
        given as u32
    }
}

/// Triangles of a list, a strip or a fan.
fn triangles(mode: u64, corners: &[u32]) -> Vec<[u32; 3]> {
    let turned = |(k, w): (usize, &[u32])| if k.is_multiple_of(2) { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] };
    match mode {
        5 => corners.windows(3).enumerate().map(turned).collect(),
        6 => corners.windows(2).skip(1).map(|w| [corners[0], w[0], w[1]]).collect(),
        _ => corners.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect(),
    }
}
