//! Binary glTF 2.0 from plain lists.
//!
//! A scene is nodes with one mesh each, a mesh is parts with one material each. By hand with serde_json: what we write is a
//! dozen keys, and gltf-json would have us spell out every optional field of them.

use crate::material::Palette;
use serde_json::{Map, Value, json};

/// What a file shows.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Materials; parts name them by place.
    pub palette: Palette,
    /// Bodies.
    pub nodes: Vec<Node>,
}

impl Scene {
    /// Leaves materials out that nothing is made of.
    pub fn keep_used_materials(&mut self) {
        let mut used = vec![false; self.palette.len()];
        for part in self.nodes.iter().flat_map(|n| &n.parts) {
            if let Some(used) = used.get_mut(part.material) {
                *used = true;
            }
        }
        let places = self.palette.keep(&used);
        self.nodes.iter_mut().flat_map(|n| &mut n.parts).for_each(|part| part.material = places[part.material]);
    }
}

/// A body with its mesh.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub translation: [f64; 3],
    /// How it is turned: x, y, z, w of a unit quaternion.
    pub rotation: [f64; 4],
    /// Metres a unit of its mesh.
    pub scale: f64,
    /// What is drawn.
    pub parts: Vec<Part>,
    /// Anything else about it: an object, or null.
    pub extras: Value,
}

impl Default for Node {
    fn default() -> Self {
        Self {
            name: String::new(),
            translation: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: 1.0,
            parts: vec![],
            extras: Value::Null,
        }
    }
}

/// Triangles of one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Place among the scene's materials.
    pub material: usize,
    /// Positions.
    pub positions: Vec<[f32; 3]>,
    /// A unit vector for each position, or none at all.
    pub normals: Vec<[f32; 3]>,
    /// A unit vector along the first texture coordinate for each position, and whether the texture is mirrored there: 1 or
    /// -1; or none at all.
    pub tangents: Vec<[f32; 4]>,
    /// Texture coordinates for each position, the second growing downwards, or none at all.
    pub uvs: Vec<[f32; 2]>,
    /// Triangles, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

const FLOAT: u32 = 5126;
const U16: u32 = 5123;
const U32: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// The file. Nodes and parts without triangles are left out; a scene without any is refused, as is one beyond 4 GB.
pub fn write(scene: &Scene) -> Result<Vec<u8>, String> {
    let mut lists = Lists::default();
    let (mut nodes, mut meshes) = (vec![], vec![]);
    for node in &scene.nodes {
        let primitives = node.parts.iter().filter(|part| !part.triangles.is_empty()).map(|part| lists.primitive(part));
        let primitives: Vec<Value> = primitives.collect::<Result<_, _>>()?;
        if primitives.is_empty() {
            continue;
        }
        if node.translation.iter().any(|c| !(*c as f32).is_finite()) {
            return Err(format!("{} is too far away for single precision", node.name));
        }
        let mut entry = Map::new();
        entry.insert("name".into(), json!(node.name));
        entry.insert("mesh".into(), json!(meshes.len()));
        if node.translation != [0.0; 3] {
            entry.insert("translation".into(), json!(node.translation));
        }
        if node.rotation != [0.0, 0.0, 0.0, 1.0] {
            entry.insert("rotation".into(), json!(node.rotation));
        }
        if node.scale != 1.0 {
            entry.insert("scale".into(), json!(vec![node.scale; 3]));
        }
        if !node.extras.is_null() {
            entry.insert("extras".into(), node.extras.clone());
        }
        nodes.push(Value::Object(entry));
        meshes.push(json!({ "name": node.name, "primitives": primitives }));
    }
    if nodes.is_empty() {
        return Err("there is nothing to draw: no body has a triangle".into());
    }
    let mut document = json!({
        "asset": { "version": "2.0", "generator": concat!("fracas ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "nodes": (0..nodes.len()).collect::<Vec<_>>() }],
        "nodes": nodes,
        "meshes": meshes,
    });
    scene.palette.write(&mut document, &mut lists);
    packed(document, lists)
}

/// The document and the binary chunk of a GLB file; what is none is a document alone.
pub fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    let Some(rest) = bytes.strip_prefix(b"glTF") else {
        return Ok((bytes, None));
    };
    let number = |at: usize| Some(u32::from_le_bytes(rest.get(at..at + 4)?.try_into().ok()?) as usize);
    match (number(0), number(4)) {
        (Some(2), Some(length)) if length == bytes.len() => {}
        (Some(2), Some(length)) => {
            return Err(format!(
                "{length} bytes are announced and {} are there; the file was cut or added to",
                bytes.len()
            ));
        }
        (Some(version), _) => return Err(format!("this is glTF {version}; version 2 is needed")),
        _ => return Err("the header is not whole; the file was cut short".into()),
    }
    let chunk = |start: usize, kind: &[u8]| {
        let length = number(start)?;
        let found = rest.get(start + 4..start + 8)? == kind;
        let end = (start + 8).checked_add(length)?;
        rest.get(start + 8..end).filter(|_| found)
    };
    let text = chunk(8, b"JSON").ok_or("the JSON chunk is not whole; the file was cut short or is wrong")?;
    Ok((text, chunk(16 + text.len(), b"BIN\0")))
}

/// The file: header and two chunks, each padded to four bytes.
pub fn packed(mut document: Value, lists: Lists) -> Result<Vec<u8>, String> {
    let mut data = lists.bytes;
    for (key, entries) in [("accessors", lists.accessors), ("bufferViews", lists.views)] {
        if !entries.is_empty() {
            document[key] = entries.into();
        }
    }
    if !data.is_empty() {
        document["buffers"] = json!([{ "byteLength": data.len() }]);
    }
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    data.resize(data.len().next_multiple_of(4), 0);
    let length = |n: usize| u32::try_from(n).map_err(|_| "the scene is larger than the 4 GB that a GLB file may have");
    let mut file = b"glTF".to_vec();
    file.extend(2u32.to_le_bytes());
    file.extend(length(28 + text.len() + data.len())?.to_le_bytes());
    file.extend(length(text.len())?.to_le_bytes());
    file.extend(b"JSON");
    file.extend(text);
    file.extend(length(data.len())?.to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(data);
    Ok(file)
}

/// The binary data, and what describes it.
#[derive(Default)]
pub struct Lists {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Lists {
    fn primitive(&mut self, part: &Part) -> Result<Value, String> {
        let count = part.positions.len();
        let fits = |n: usize| n == 0 || n == count;
        if !fits(part.normals.len()) || !fits(part.uvs.len()) || !fits(part.tangents.len()) {
            return Err("a part has not as many normals or texture coordinates as positions".into());
        }
        if part.triangles.iter().flatten().any(|k| *k as usize >= count) {
            return Err("a triangle names a vertex that is not there".into());
        }
        let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for p in &part.positions {
            for k in 0..3 {
                if !p[k].is_finite() {
                    return Err("a position is too large for single precision".into());
                }
                bounds[0][k] = bounds[0][k].min(p[k]);
                bounds[1][k] = bounds[1][k].max(p[k]);
            }
        }
        let mut attributes = Map::new();
        let positions = self.floats(&part.positions, "VEC3", Some(bounds));
        attributes.insert("POSITION".into(), json!(positions));
        if !part.normals.is_empty() {
            attributes.insert("NORMAL".into(), json!(self.floats(&part.normals, "VEC3", None)));
        }
        if !part.tangents.is_empty() {
            attributes.insert("TANGENT".into(), json!(self.floats(&part.tangents, "VEC4", None)));
        }
        if !part.uvs.is_empty() {
            attributes.insert("TEXCOORD_0".into(), json!(self.floats(&part.uvs, "VEC2", None)));
        }
        let corners = part.triangles.as_flattened();
        // The highest number of each width means something else.
        let indices = match count < u16::MAX as usize {
            true => {
                let bytes = corners.iter().flat_map(|k| (*k as u16).to_le_bytes());
                self.list(bytes, json!({ "componentType": U16, "type": "SCALAR", "count": corners.len() }), INDICES)
            }
            false => {
                let bytes = corners.iter().flat_map(|k| k.to_le_bytes());
                self.list(bytes, json!({ "componentType": U32, "type": "SCALAR", "count": corners.len() }), INDICES)
            }
        };
        Ok(json!({ "attributes": attributes, "indices": indices, "material": part.material }))
    }

    fn floats<const N: usize>(&mut self, list: &[[f32; N]], kind: &str, bounds: Option<[[f32; 3]; 2]>) -> usize {
        let mut accessor = json!({ "componentType": FLOAT, "type": kind, "count": list.len() });
        if let Some([min, max]) = bounds {
            accessor["min"] = json!(min);
            accessor["max"] = json!(max);
        }
        self.list(list.as_flattened().iter().flat_map(|c| c.to_le_bytes()), accessor, VERTICES)
    }

    /// Appends bytes with a view and an accessor of their own.
    fn list(&mut self, bytes: impl Iterator<Item = u8>, mut accessor: Value, target: u32) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let view = self.end_view(start);
        self.views[view]["target"] = json!(target);
        accessor["bufferView"] = json!(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Appends bytes with a view of their own.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        self.end_view(start)
    }

    fn end_view(&mut self, start: usize) -> usize {
        let length = self.bytes.len() - start;
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": length }));
        self.views.len() - 1
    }
}
