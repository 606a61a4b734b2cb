//! Materials as glTF has them: read from a mesh, kept in the notes of its asset, written with the pieces.
//!
//! A material stays the JSON object that the artist's program wrote, with its factors, textures and extensions. Followed is
//! only what it names by number: textures, and through them images and samplers. So extensions of materials
//! (`KHR_materials_*`) and of texture coordinates (`KHR_texture_transform`) stay without being known here; others, which may
//! name anything by number, do not.

use crate::glb::{self, Lists};
use crate::raster::texture::{Transform, Wrap};
use base64::Engine;
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

type Result<T> = std::result::Result<T, String>;

/// Materials, and the textures, samplers and images that they name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Palette {
    materials: Vec<Value>,
    textures: Vec<Value>,
    samplers: Vec<Value>,
    images: Vec<Image>,
    /// Extensions that a viewer must know to show them.
    required: BTreeSet<String>,
}

/// An image of a texture.
#[derive(Clone, Debug, PartialEq)]
pub enum Image {
    /// The content of its file, which is never decoded.
    Kept {
        /// What it is called, if it has a name.
        name: String,
        /// Its media type.
        mime: &'static str,
        /// PNG, JPEG, WebP, AVIF or KTX2.
        bytes: Arc<Vec<u8>>,
    },
    /// A file that was not there: a name without a folder, linked if the file is beside what is written.
    Linked(String),
}

impl Image {
    /// The content of a file, by how it starts.
    pub fn kept(name: impl Into<String>, bytes: Vec<u8>) -> Option<Self> {
        let mime = match &bytes[..] {
            [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => "image/png",
            [0xff, 0xd8, 0xff, ..] => "image/jpeg",
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
            [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f', ..] => "image/avif",
            [0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, ..] => "image/ktx2",
            _ => return None,
        };
        Some(Self::Kept { name: name.into(), mime, bytes: Arc::new(bytes) })
    }
}

/// A plain material: a linear colour, and a roughness from 0 to 1.
pub fn plain(name: &str, [r, g, b]: [f64; 3], roughness: f64) -> Value {
    let surface = json!({ "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": roughness });
    json!({ "name": name, "pbrMetallicRoughness": surface })
}

/// What nobody has coloured.
pub fn uncoloured(name: &str) -> Value {
    plain(name, [0.42, 0.40, 0.38], 0.7)
}

/// Extensions of materials that are kept, wherever they stand in one.
fn is_known_extension(name: &str) -> bool {
    name.starts_with("KHR_materials_") || name == "KHR_texture_transform"
}

/// Extensions of textures that name an image of another format.
const IMAGE_EXTENSIONS: [&str; 3] = ["KHR_texture_basisu", "EXT_texture_webp", "EXT_texture_avif"];

impl Palette {
    /// Adds a material, and gives its place.
    pub fn push(&mut self, material: Value) -> usize {
        self.materials.push(material);
        self.materials.len() - 1
    }

    /// Adds a material with the image of its colours.
    pub fn push_textured(&mut self, mut material: Value, image: Image) -> usize {
        let known = self.images.iter().position(|known| *known == image);
        let source = known.unwrap_or(self.images.len());
        if known.is_none() {
            self.images.push(image);
            self.textures.push(json!({ "source": source }));
        }
        let texture = self.textures.iter().position(|t| t["source"] == source).unwrap_or_default();
        material["pbrMetallicRoughness"]["baseColorTexture"] = json!({ "index": texture });
        self.push(material)
    }

    /// How many materials there are.
    pub fn len(&self) -> usize {
        self.materials.len()
    }

    /// Whether there is no material.
    pub fn is_empty(&self) -> bool {
        self.materials.is_empty()
    }

    /// No more materials than this.
    pub fn truncate(&mut self, count: usize) {
        self.materials.truncate(count);
    }

    /// The materials, as glTF has them.
    pub fn materials(&self) -> &[Value] {
        &self.materials
    }

    /// The images.
    pub fn images(&self) -> &[Image] {
        &self.images
    }

    /// What a material is called.
    pub fn name(&self, place: usize) -> &str {
        self.materials.get(place).and_then(|m| m["name"].as_str()).unwrap_or_default()
    }

    /// Its colour where it has no texture: red, green, blue and opacity, linear.
    pub fn colour(&self, place: usize) -> [f32; 4] {
        let factor = self.materials.get(place).map(|m| &m["pbrMetallicRoughness"]["baseColorFactor"]);
        let numbers = factor.and_then(Value::as_array).map(|list| list.iter().filter_map(Value::as_f64));
        let numbers: Vec<f32> = numbers.map_or(vec![], |n| n.map(|c| c.clamp(0.0, 1.0) as f32).collect());
        numbers.try_into().unwrap_or([1.0; 4])
    }

    /// The image of its colours.
    pub fn image(&self, place: usize) -> Option<&Image> {
        let texture = self.materials.get(place)?["pbrMetallicRoughness"]["baseColorTexture"]["index"].as_u64()?;
        sources(self.textures.get(texture as usize)?).next().and_then(|k| self.images.get(k))
    }

    /// How its texture of colours is looked up: what is beyond the image along it and down, and where in it the texture
    /// coordinates are.
    pub fn mapping(&self, place: usize) -> ([Wrap; 2], Transform) {
        let info = self.materials.get(place).map_or(&Value::Null, |m| &m["pbrMetallicRoughness"]["baseColorTexture"]);
        let sampler = index(info, "index").and_then(|k| index(self.textures.get(k)?, "sampler"));
        let sampler = sampler.and_then(|k| self.samplers.get(k)).unwrap_or(&Value::Null);
        let wrap = |key: &str| match sampler[key].as_u64() {
            Some(33071) => Wrap::Clamp,
            Some(33648) => Wrap::Mirror,
            _ => Wrap::Repeat,
        };
        let moved = &info["extensions"]["KHR_texture_transform"];
        let pair = |key: &str, usual: f64| [0, 1].map(|k| moved[key][k].as_f64().unwrap_or(usual));
        let rotation = moved["rotation"].as_f64().unwrap_or(0.0);
        let transform = Transform { offset: pair("offset", 0.0), rotation, scale: pair("scale", 1.0) };
        (["wrapS", "wrapT"].map(wrap), transform)
    }

    /// Whether it has a map of normals, or anything else that needs tangents.
    pub fn needs_tangents(&self, place: usize) -> bool {
        fn any(value: &Value) -> bool {
            let needs =
                |key: &str| key == "normalTexture" || key.ends_with("NormalTexture") || key.ends_with("_anisotropy");
            let entries = value.as_object().into_iter().flatten();
            entries.filter(|(key, _)| *key != "extras").any(|(key, entry)| needs(key) || any(entry))
        }
        self.materials.get(place).is_some_and(any)
    }

    /// The materials of a glTF document; `load` brings a file that stands beside it. Remarks say what was left out.
    pub fn read(
        root: &Value,
        buffers: &[Vec<u8>],
        load: &dyn Fn(&str) -> Result<Vec<u8>>,
        remarks: &mut BTreeSet<String>,
    ) -> Result<Self> {
        let mut read = Self { materials: list(root, "materials").to_vec(), ..Self::default() };
        let mut dropped = BTreeSet::new();
        for material in &mut read.materials {
            if !material.is_object() {
                return Err(format!("a material is {material}, which is no object"));
            }
            clean(material);
            keep_extensions(material, &is_known_extension, &mut dropped);
        }
        let is_image = |name: &str| IMAGE_EXTENSIONS.contains(&name);
        read.textures = list(root, "textures").to_vec();
        read.textures.iter_mut().for_each(|texture| keep_extensions(texture, &is_image, &mut dropped));
        read.samplers = list(root, "samplers").iter().map(sampler).collect();
        for name in dropped {
            remarks.insert(format!("the extension {name} of a material or texture is not kept"));
        }

        // Only what is named is loaded.
        let images = list(root, "images");
        let mut missing = false;
        let mut second = false;
        let textures: Vec<bool> = read.textures.iter().map(|t| sources(t).any(|k| k < images.len())).collect();
        read.keep_textures(|info| {
            let first = info["texCoord"].as_u64().unwrap_or(0) == 0;
            let first = first && info["extensions"]["KHR_texture_transform"]["texCoord"].as_u64().unwrap_or(0) == 0;
            let found = index(info, "index").is_some_and(|k| textures.get(k) == Some(&true));
            missing |= !found;
            second |= found && !first;
            found && first
        });
        if second {
            remarks.insert("textures by a second set of texture coordinates are not kept".into());
        }
        let used = read.compact(images.len());
        let found = Loader { root, buffers, load, taken: vec![0; buffers.len()], known: HashMap::new() }
            .images(images, &used, remarks)?;
        let good: Vec<bool> = found.iter().map(Option::is_some).collect();
        read.images = found.into_iter().map(|image| image.unwrap_or(Image::Linked(String::new()))).collect();
        missing |= read.drop_images(&good);
        if missing {
            remarks.insert("textures without an image that could be read are not kept".into());
        }
        let used = read.extensions();
        let required = list(root, "extensionsRequired").iter().filter_map(Value::as_str).map(String::from);
        read.required = required.filter(|name| used.contains(name)).collect();
        Ok(read)
    }

    /// Leaves materials out that are not used, with what only they name; where those that stay are then.
    pub fn keep(&mut self, used: &[bool]) -> Vec<usize> {
        let places = places(used);
        let mut each = used.iter();
        self.materials.retain(|_| *each.next().unwrap_or(&false));
        self.tidy();
        places
    }

    /// Adds the materials of another palette, and gives the place of the first.
    pub fn append(&mut self, mut other: Self) -> usize {
        let first = self.materials.len();
        let [textures, samplers, images] = [self.textures.len(), self.samplers.len(), self.images.len()];
        for material in &mut other.materials {
            each_texture(material, &mut |info| shift(info, "index", textures));
        }
        for texture in &mut other.textures {
            shift(texture, "sampler", samplers);
            each_source(texture, &mut |holder| shift(holder, "source", images));
        }
        self.materials.extend(other.materials);
        self.textures.extend(other.textures);
        self.samplers.extend(other.samplers);
        self.images.extend(other.images);
        self.required.extend(other.required);
        first
    }

    /// Drops images whose file is not beside the picture, which some viewers would refuse then, and says so.
    pub fn link(&mut self, picture: &Path) -> Vec<String> {
        let mut missing = BTreeSet::new();
        let there = |image: &Image| match image {
            Image::Kept { .. } => true,
            Image::Linked(name) => {
                let there = is_plain_name(name) && picture.with_file_name(name).is_file();
                if !there {
                    missing.insert(name.clone());
                }
                there
            }
        };
        let good: Vec<bool> = self.images.iter().map(there).collect();
        self.drop_images(&good);
        let told =
            |name| format!("the texture {name} is not beside {}; copy it there to have it linked", picture.display());
        missing.into_iter().map(told).collect()
    }

    /// Writes all of it into a document, and the images to its binary data.
    pub fn write(&self, document: &mut Value, lists: &mut Lists) {
        let image = |image: &Image| match image {
            Image::Linked(name) => json!({ "uri": encoded(name) }),
            Image::Kept { name, mime, bytes } => {
                let mut entry = json!({ "bufferView": lists.view(bytes), "mimeType": mime });
                if !name.is_empty() {
                    entry["name"] = json!(name);
                }
                entry
            }
        };
        let images: Vec<Value> = self.images.iter().map(image).collect();
        let used: Vec<String> = self.extensions().into_iter().collect();
        let required: Vec<String> = self.required.iter().filter(|name| used.contains(name)).cloned().collect();
        for (key, entries) in [
            ("materials", self.materials.clone()),
            ("textures", self.textures.clone()),
            ("samplers", self.samplers.clone()),
            ("images", images),
            ("extensionsUsed", used.into_iter().map(Value::from).collect()),
            ("extensionsRequired", required.into_iter().map(Value::from).collect()),
        ] {
            if !entries.is_empty() {
                document[key] = entries.into();
            }
        }
    }

    /// As the notes of an asset: a GLB file without a scene.
    pub fn to_notes(&self) -> Result<Vec<u8>> {
        let mut document = json!({ "asset": { "version": "2.0" } });
        let mut lists = Lists::default();
        self.write(&mut document, &mut lists);
        glb::packed(document, lists)
    }

    /// From the notes of an asset; what cannot be read leaves materials that nobody has coloured.
    pub fn from_notes(notes: &[u8]) -> Self {
        let read = || {
            let (text, blob) = glb::split(notes)?;
            let mut root: Value = serde_json::from_slice(text).map_err(|e| e.to_string())?;
            if blob.is_none() {
                older(&mut root);
            }
            let buffers: Vec<Vec<u8>> = blob.map(<[u8]>::to_vec).into_iter().collect();
            Self::read(&root, &buffers, &|name| Err(format!("{name} is another file")), &mut BTreeSet::new())
        };
        read().unwrap_or_default()
    }

    /// The extensions that are used.
    fn extensions(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        self.materials.iter().chain(&self.textures).for_each(|value| extension_names(value, &mut names));
        names
    }

    /// Takes textures out of the materials that are not wanted.
    fn keep_textures(&mut self, mut wanted: impl FnMut(&Value) -> bool) {
        for material in &mut self.materials {
            each_texture(material, &mut |info| {
                if !wanted(info) {
                    *info = Value::Null;
                }
            });
            without_nulls(material);
        }
    }

    /// Drops images, and the textures that have no other; whether there were any.
    fn drop_images(&mut self, good: &[bool]) -> bool {
        let is_good = |texture: &Value| sources(texture).all(|k| good.get(k) == Some(&true));
        let textures: Vec<bool> = self.textures.iter().map(is_good).collect();
        self.keep_textures(|info| index(info, "index").is_some_and(|k| textures.get(k) == Some(&true)));
        self.tidy();
        textures.contains(&false)
    }

    /// Drops textures, samplers and images that nothing names.
    fn tidy(&mut self) {
        let used = self.compact(self.images.len());
        let mut each = used.iter();
        self.images.retain(|_| *each.next().unwrap_or(&false));
    }

    /// Drops textures and samplers that nothing names, and numbers all anew; which of the images are still named.
    fn compact(&mut self, images: usize) -> Vec<bool> {
        let mut used = vec![false; self.textures.len()];
        for material in &mut self.materials {
            each_texture(material, &mut |info| mark(info, "index", &mut used));
        }
        let textures = places(&used);
        let mut each = used.iter();
        self.textures.retain(|_| *each.next().unwrap_or(&false));
        let (mut samplers_used, mut images_used) = (vec![false; self.samplers.len()], vec![false; images]);
        for texture in &mut self.textures {
            mark(texture, "sampler", &mut samplers_used);
            each_source(texture, &mut |holder| mark(holder, "source", &mut images_used));
        }
        let (samplers, sources) = (places(&samplers_used), places(&images_used));
        let mut each = samplers_used.iter();
        self.samplers.retain(|_| *each.next().unwrap_or(&false));
        for material in &mut self.materials {
            each_texture(material, &mut |info| renumber(info, "index", &textures));
        }
        for texture in &mut self.textures {
            renumber(texture, "sampler", &samplers);
            each_source(texture, &mut |holder| renumber(holder, "source", &sources));
        }
        images_used
    }
}

/// Notes were once a list of names and colours.
fn older(root: &mut Value) {
    for material in root["materials"].as_array_mut().into_iter().flatten().filter(|m| m["colour"].is_array()) {
        let mut same = uncoloured(material["name"].as_str().unwrap_or_default());
        same["pbrMetallicRoughness"]["baseColorFactor"] = material["colour"].take();
        *material = same;
    }
}

/// Brings images.
struct Loader<'a> {
    root: &'a Value,
    buffers: &'a [Vec<u8>],
    load: &'a dyn Fn(&str) -> Result<Vec<u8>>,
    /// How much of each buffer has become images.
    taken: Vec<usize>,
    /// Images that were found already, by where they are.
    known: HashMap<Source, Option<Image>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Source {
    View { buffer: usize, start: usize, length: usize },
    File(String),
}

impl Loader<'_> {
    /// Those that are used; `None` for what no viewer would show.
    fn images(mut self, images: &[Value], used: &[bool], remarks: &mut BTreeSet<String>) -> Result<Vec<Option<Image>>> {
        let mut found = vec![];
        for (number, image) in images.iter().enumerate().filter(|(number, _)| used[*number]) {
            let image = self.image(image, remarks).map_err(|e| format!("image {number} (from 0) {e}"))?;
            if image.is_none() {
                remarks.insert(format!("image {number} (from 0) is of no format that glTF has, and not kept"));
            }
            found.push(image);
        }
        Ok(found)
    }

    fn image(&mut self, image: &Value, remarks: &mut BTreeSet<String>) -> Result<Option<Image>> {
        let name = image["name"].as_str().unwrap_or_default();
        let (source, data) = match (image["uri"].as_str(), index(image, "bufferView")) {
            (Some(uri), _) if uri.starts_with("data:") => return Ok(Image::kept(name, from_data_uri(uri)?)),
            (Some(uri), _) => (Source::File(uri.into()), None),
            (None, Some(view)) => {
                let view = list(self.root, "bufferViews").get(view).ok_or("names a view that is not there")?;
                let (buffer, range) = view_of(view, self.buffers)
                    .ok_or("reaches beyond its buffer; the file was cut short or is wrong")?;
                let source = Source::View { buffer, start: range.start, length: range.len() };
                (source, Some((buffer, &self.buffers[buffer][range])))
            }
            (None, None) => return Ok(None),
        };
        // Named twice, it is loaded once.
        if let Some(known) = self.known.get(&source) {
            return Ok(known.clone());
        }
        let image = match (&source, data) {
            (Source::File(uri), _) => self.file(name, uri, remarks)?,
            (_, Some((buffer, bytes))) => {
                // Views that overlap could make gigabytes of a small file.
                self.taken[buffer] += bytes.len();
                if self.taken[buffer] > self.buffers[buffer].len() {
                    return Err("overlaps another image in its buffer".into());
                }
                Image::kept(name, bytes.to_vec())
            }
            _ => None,
        };
        self.known.insert(source, image.clone());
        Ok(image)
    }

    fn file(&self, name: &str, uri: &str, remarks: &mut BTreeSet<String>) -> Result<Option<Image>> {
        let path = decoded(uri).filter(|path| is_below(path));
        let path = path.ok_or_else(|| format!("is {uri:?}, which is no file beside this one; export it as .glb"))?;
        let last = path.rsplit('/').next().unwrap_or_default();
        Ok(match (self.load)(&path) {
            Ok(bytes) => Image::kept(if name.is_empty() { last } else { name }, bytes),
            Err(_) => {
                remarks.insert(format!("the texture {path} is not there; it will be looked for beside the pieces"));
                Some(Image::Linked(last.into()))
            }
        })
    }
}

/// A buffer, and the part of it that a view names.
pub fn view_of(view: &Value, buffers: &[Vec<u8>]) -> Option<(usize, std::ops::Range<usize>)> {
    let buffer = index(view, "buffer")?;
    let start = index(view, "byteOffset").unwrap_or(0);
    let end = start.checked_add(index(view, "byteLength")?)?;
    (end <= buffers.get(buffer)?.len()).then_some((buffer, start..end))
}

/// What a data URI holds.
pub fn from_data_uri(uri: &str) -> Result<Vec<u8>> {
    let Some((_, encoded)) = uri.split_once(";base64,") else {
        return Err("is embedded, but not as base64".into());
    };
    let engine = base64::engine::general_purpose::STANDARD;
    engine.decode(encoded).map_err(|e| format!("is embedded, and damaged ({e})"))
}

/// A list of a document; what is no list is empty.
fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// A number that names or counts something.
fn index(value: &Value, key: &str) -> Option<usize> {
    value[key].as_u64().and_then(|n| usize::try_from(n).ok())
}

fn mark(value: &mut Value, key: &str, used: &mut [bool]) {
    if let Some(slot) = index(value, key).and_then(|k| used.get_mut(k)) {
        *slot = true;
    }
}

/// Where each stays that is used.
fn places(used: &[bool]) -> Vec<usize> {
    let before = |count: &mut usize, used: &bool| {
        *count += *used as usize;
        Some(*count - *used as usize)
    };
    used.iter().scan(0, before).collect()
}

/// A number that names nothing is dropped.
fn renumber(value: &mut Value, key: &str, places: &[usize]) {
    match (value.as_object_mut(), places) {
        (Some(map), places) if map.contains_key(key) => {
            let place = map[key].as_u64().and_then(|k| places.get(usize::try_from(k).ok()?));
            match place {
                Some(place) => map.insert(key.into(), json!(place)),
                None => map.remove(key),
            };
        }
        _ => {}
    }
}

fn shift(value: &mut Value, key: &str, by: usize) {
    if let Some(number) = index(value, key) {
        value[key] = json!(number + by);
    }
}

/// The images that a texture names: its own, or of another format.
fn sources(texture: &Value) -> impl Iterator<Item = usize> {
    let others = IMAGE_EXTENSIONS.iter().map(|name| &texture["extensions"][*name]);
    std::iter::once(texture).chain(others).filter_map(|holder| index(holder, "source"))
}

/// Calls with each object of a texture that has a `source`.
fn each_source(texture: &mut Value, act: &mut dyn FnMut(&mut Value)) {
    act(texture);
    if let Some(extensions) = texture.get_mut("extensions").and_then(Value::as_object_mut) {
        extensions.values_mut().for_each(act);
    }
}

/// Calls with each reference to a texture in a material, also in its extensions: their names all end so.
fn each_texture(value: &mut Value, act: &mut dyn FnMut(&mut Value)) {
    let Some(map) = value.as_object_mut() else { return };
    for (key, entry) in map.iter_mut().filter(|(key, entry)| *key != "extras" && entry.is_object()) {
        if key.ends_with("Texture") {
            act(entry);
        } else {
            each_texture(entry, act);
        }
    }
}

/// Takes references out that were dropped.
fn without_nulls(value: &mut Value) {
    let Some(map) = value.as_object_mut() else { return };
    map.retain(|key, entry| !(key.ends_with("Texture") && entry.is_null()));
    map.iter_mut().filter(|(key, _)| *key != "extras").for_each(|(_, entry)| without_nulls(entry));
}

/// Leaves only some extensions, here and below; the names of the others are gathered.
fn keep_extensions(value: &mut Value, known: &dyn Fn(&str) -> bool, dropped: &mut BTreeSet<String>) {
    let Some(map) = value.as_object_mut() else { return };
    if let Some(extensions) = map.get_mut("extensions") {
        if let Some(extensions) = extensions.as_object_mut() {
            extensions.retain(|name, entry| {
                let keep = known(name) && entry.is_object();
                if !keep {
                    dropped.insert(name.clone());
                }
                keep
            });
        }
        if extensions.as_object().is_none_or(Map::is_empty) {
            map.remove("extensions");
        }
    }
    map.iter_mut().filter(|(key, _)| *key != "extras").for_each(|(_, entry)| keep_extensions(entry, known, dropped));
}

fn extension_names(value: &Value, names: &mut BTreeSet<String>) {
    let Some(map) = value.as_object() else { return };
    if let Some(extensions) = map.get("extensions").and_then(Value::as_object) {
        names.extend(extensions.keys().cloned());
    }
    map.iter().filter(|(key, _)| *key != "extras").for_each(|(_, entry)| extension_names(entry, names));
}

/// Takes out of a material what glTF does not allow there, so that damage does not travel on.
fn clean(value: &mut Value) {
    let Some(map) = value.as_object_mut() else { return };
    map.retain(|key, entry| is_allowed(key, entry));
    map.iter_mut().filter(|(key, _)| *key != "extras" && *key != "extensions").for_each(|(_, entry)| clean(entry));
}

fn is_allowed(key: &str, value: &Value) -> bool {
    let share = |v: &Value| v.as_f64().is_some_and(|v| (0.0..=1.0).contains(&v));
    let shares = |count: usize| value.as_array().is_some_and(|v| v.len() == count && v.iter().all(share));
    match key {
        "name" => value.is_string(),
        "doubleSided" => value.is_boolean(),
        "alphaMode" => ["OPAQUE", "MASK", "BLEND"].iter().any(|mode| value == mode),
        "baseColorFactor" => shares(4),
        "emissiveFactor" => shares(3),
        "metallicFactor" | "roughnessFactor" | "strength" => share(value),
        "alphaCutoff" => value.as_f64().is_some_and(|v| v >= 0.0),
        "scale" => value.is_number(),
        "index" | "texCoord" => value.is_u64(),
        "pbrMetallicRoughness" | "extensions" => value.is_object(),
        _ if key.ends_with("Texture") => value.is_object(),
        _ => true,
    }
}

/// A sampler with what glTF allows.
fn sampler(value: &Value) -> Value {
    const FILTERS: [u64; 6] = [9728, 9729, 9984, 9985, 9986, 9987];
    const WRAPS: [u64; 3] = [33071, 33648, 10497];
    let allowed = [("magFilter", &FILTERS[..2]), ("minFilter", &FILTERS), ("wrapS", &WRAPS), ("wrapT", &WRAPS)];
    let number = |(key, allowed): (&str, &[u64])| {
        value[key].as_u64().filter(|n| allowed.contains(n)).map(|n| (key.to_string(), json!(n)))
    };
    let name = value["name"].as_str().map(|name| ("name".to_string(), json!(name)));
    Value::Object(allowed.into_iter().filter_map(number).chain(name).collect())
}

/// A name and nothing else: a mesh must not make us, or who opens what we write, read files from all over the place.
pub fn is_plain_name(name: &str) -> bool {
    !(name.is_empty() || name.contains(['/', '\\', ':', '%', '\0']) || name.starts_with('.'))
}

/// A file beside another, or in a folder there.
pub fn is_below(path: &str) -> bool {
    path.split('/').all(is_plain_name)
}

/// A path from a URI.
pub fn decoded(uri: &str) -> Option<String> {
    let mut bytes = vec![];
    let mut rest = uri.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        let code = code.filter(|_| *first == b'%').and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).ok()
}

/// A name as a URI.
fn encoded(name: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~()".contains(&b);
    name.bytes().map(|b| if plain(b) { (b as char).to_string() } else { format!("%{b:02X}") }).collect()
}
