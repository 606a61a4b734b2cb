//! Materials as an artist named them: read from a mesh, kept in the notes of its asset, written to glTF.

use serde_json::{Value, json};
use std::path::Path;

/// A plain material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// What it is called.
    pub name: String,
    /// Red, green, blue and opacity, linear, from 0 to 1.
    pub colour: [f32; 4],
    /// From 0 to 1.
    pub metallic: f32,
    /// From 0 to 1.
    pub roughness: f32,
    /// The file of its colours, a name without a folder.
    pub texture: Option<String>,
}

impl Material {
    /// A dull one.
    pub fn new(name: impl Into<String>, [r, g, b]: [f32; 3], roughness: f32) -> Self {
        Self { name: name.into(), colour: [r, g, b, 1.0], metallic: 0.0, roughness, texture: None }
    }

    /// What nobody has coloured.
    pub fn named(name: impl Into<String>) -> Self {
        Self::new(name, [0.42, 0.40, 0.38], 0.7)
    }
}

/// Materials as the notes of an asset.
pub fn to_notes(materials: &[Material]) -> Vec<u8> {
    let entry = |m: &Material| {
        let Material { name, colour, metallic, roughness, texture } = m;
        json!({ "name": name, "colour": colour, "metallic": metallic, "roughness": roughness, "texture": texture })
    };
    json!({ "materials": materials.iter().map(entry).collect::<Vec<_>>() }).to_string().into_bytes()
}

/// The materials of an asset's notes; what is missing or of another kind is as for a material that nobody has coloured.
pub fn from_notes(notes: &[u8]) -> Vec<Material> {
    let document: Value = serde_json::from_slice(notes).unwrap_or_default();
    let entry = |value: &Value| {
        let mut material = Material::named(value["name"].as_str().unwrap_or_default());
        if let Some(colour) = shares(&value["colour"]) {
            material.colour = colour;
        }
        material.metallic = share(&value["metallic"]).unwrap_or(material.metallic);
        material.roughness = share(&value["roughness"]).unwrap_or(material.roughness);
        material.texture = value["texture"].as_str().filter(|name| is_plain_name(name)).map(str::to_string);
        material
    };
    document["materials"].as_array().map_or(vec![], |list| list.iter().map(entry).collect())
}

/// A number from 0 to 1.
pub fn share(value: &Value) -> Option<f32> {
    value.as_f64().map(|v| v.clamp(0.0, 1.0) as f32)
}

/// Four numbers from 0 to 1.
pub fn shares(value: &Value) -> Option<[f32; 4]> {
    let list: Option<Vec<f32>> = value.as_array()?.iter().map(share).collect();
    list?.try_into().ok()
}

/// A name and nothing else: a mesh must not make us, or who opens what we write, read files from all over the place.
pub fn is_plain_name(name: &str) -> bool {
    !(name.is_empty() || name.contains(['/', '\\', ':', '%', '\0']) || name.starts_with('.'))
}

/// Drops textures whose file is not beside the picture, which some viewers would refuse then, and says so.
pub fn link_textures(materials: &mut [Material], picture: &Path) -> Vec<String> {
    let mut missing: Vec<String> = vec![];
    for material in materials {
        if let Some(name) = material.texture.take_if(|name| !picture.with_file_name(name).is_file()) {
            missing.push(name);
        }
    }
    missing.sort();
    missing.dedup();
    let told =
        |name| format!("the texture {name} is not beside {}; copy it there to have it linked", picture.display());
    missing.into_iter().map(told).collect()
}
