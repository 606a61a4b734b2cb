//! Wavefront OBJ: positions, texture coordinates, normals, polygons, and materials, with the colours of the MTL file beside it.
//!
//! By hand, since the reader that there is (tobj) names no line when something is wrong, and cuts concave polygons
//! into overlapping triangles.

use super::bytes::{Scanner, parsed, quoted};
use super::{Mesh, Surface, polygon};
use crate::material::{Image, Palette, is_below, is_plain_name, plain, uncoloured};
use std::collections::HashMap;

/// Places of position, texture coordinates and normal of a corner.
type Corner = (u32, Option<u32>, Option<u32>);

/// A material of an MTL file.
struct Material {
    name: String,
    /// Linear, with the opacity; `None`: the file says nothing.
    colour: Option<[f64; 3]>,
    opacity: f64,
    /// The path of its texture.
    texture: Option<String>,
}

impl Material {
    fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), colour: None, opacity: 1.0, texture: None }
    }
}

#[derive(Default)]
struct Lists {
    points: Vec<[f64; 3]>,
    uvs: Vec<[f64; 2]>,
    normals: Vec<[f64; 3]>,
}

/// Reads a surface; `load` brings a file that stands beside it.
pub fn read(bytes: &[u8], load: &dyn Fn(&str) -> Result<Vec<u8>, String>) -> Result<Mesh, String> {
    let mut scanner = Scanner::new(bytes);
    let mut lists = Lists::default();
    let mut faces: Vec<[Corner; 3]> = vec![];
    let (mut materials, mut palette) = (vec![], vec![]);
    let mut libraries = vec![];
    let mut material = 0;
    let mut number = 0;
    while let Some(first) = scanner.line() {
        number += 1;
        let mut line = std::borrow::Cow::Borrowed(first);
        while let Some(continued) = line.strip_suffix(b"\\") {
            let next = scanner.line().unwrap_or_default();
            number += 1;
            line = [continued, b" ", next].concat().into();
        }
        let at = |what: String| format!("line {number}: {what}");
        let content = line.split(|b| *b == b'#').next().unwrap_or_default();
        let mut words = content.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty());
        match words.next() {
            Some(b"v") => lists.points.push(numbers(words).map_err(at)?),
            Some(b"vn") => lists.normals.push(numbers(words).map_err(at)?),
            Some(b"vt") => {
                // One coordinate is allowed; the second is zero then.
                let [u, v] = numbers(words.chain([&b"0"[..]])).map_err(at)?;
                lists.uvs.push([u, v]);
            }
            Some(b"f") => {
                let corners: Vec<Corner> = words.map(|w| corner(w, &lists)).collect::<Result<_, _>>().map_err(at)?;
                if corners.len() < 3 {
                    return Err(at(format!("a face has {} corners; it needs at least three", corners.len())));
                }
                let places: Vec<_> = corners.iter().map(|c| lists.points[c.0 as usize]).collect();
                let cut = polygon::triangles(&places);
                materials.extend(cut.iter().map(|_| material));
                faces.extend(cut.into_iter().map(|t| t.map(|k| corners[k])));
            }
            Some(b"usemtl") => {
                let name = name_of(words);
                material = match palette.iter().position(|known: &Material| known.name == name) {
                    Some(known) => known as u32,
                    None => {
                        // Faces before the first `usemtl` have a material of their own.
                        if palette.is_empty() && !faces.is_empty() {
                            palette.push(Material::named(""));
                        }
                        palette.push(Material::named(name));
                        palette.len() as u32 - 1
                    }
                };
            }
            Some(b"mtllib") => libraries.push(name_of(words)),
            // Groups, smoothing, lines, curves: nothing for us.
            _ => {}
        }
    }
    if palette.is_empty() {
        materials.clear();
    }
    // Colours are no reason to refuse a mesh: a library that is not there leaves the names.
    for library in libraries.iter().filter(|name| is_plain_name(name)) {
        colour(&mut palette, &load(library).unwrap_or_default());
    }
    joined(lists, &faces, materials, as_gltf(palette, load))
}

/// Materials with their textures, which are kept if their file is there, and linked by their names if not.
fn as_gltf(materials: Vec<Material>, load: &dyn Fn(&str) -> Result<Vec<u8>, String>) -> Palette {
    let mut palette = Palette::default();
    for material in materials {
        let mut entry = match material.colour {
            Some(colour) => plain(&material.name, colour, 0.7),
            None => uncoloured(&material.name),
        };
        if material.opacity < 1.0 {
            entry["alphaMode"] = "BLEND".into();
            entry["pbrMetallicRoughness"]["baseColorFactor"][3] = material.opacity.into();
        }
        let Some(path) = material.texture else {
            palette.push(entry);
            continue;
        };
        let name = path.rsplit('/').next().unwrap_or_default();
        let found = Some(&path).filter(|path| is_below(path)).and_then(|path| load(path).ok());
        let kept = found.and_then(|bytes| Image::kept(name, bytes));
        palette.push_textured(entry, kept.unwrap_or_else(|| Image::Linked(name.into())));
    }
    palette
}

/// One vertex for each combination of position, texture coordinates and normal.
fn joined(lists: Lists, faces: &[[Corner; 3]], materials: Vec<u32>, palette: Palette) -> Result<Mesh, String> {
    // Where only some corners have them, they are of no use.
    let has_uvs = faces.iter().flatten().all(|c| c.1.is_some());
    let has_normals = faces.iter().flatten().all(|c| c.2.is_some());
    let mut surface = Surface { materials, palette, ..Surface::default() };
    let mut numbers: HashMap<Corner, u32> = HashMap::new();
    for face in faces {
        let triangle = face.map(|(point, uv, normal)| {
            let key = (point, uv.filter(|_| has_uvs), normal.filter(|_| has_normals));
            *numbers.entry(key).or_insert_with(|| {
                surface.points.push(lists.points[point as usize]);
                surface.uvs.extend(key.1.map(|k| lists.uvs[k as usize]));
                surface.normals.extend(key.2.map(|k| lists.normals[k as usize]));
                surface.points.len() as u32 - 1
            })
        });
        surface.triangles.push(triangle);
    }
    surface.checked()
}

/// What is left of a line: names may have spaces.
fn name_of<'a>(words: impl Iterator<Item = &'a [u8]>) -> String {
    words.map(String::from_utf8_lossy).collect::<Vec<_>>().join(" ")
}

/// Gives materials the colours, the opacity and the texture that an MTL file has for them; what it says wrongly is passed over.
fn colour(palette: &mut [Material], library: &[u8]) {
    let mut scanner = Scanner::new(library);
    let mut current = None;
    while let Some(line) = scanner.line() {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty());
        let key = words.next();
        if key == Some(b"newmtl") {
            let name = name_of(words);
            current = palette.iter().position(|m| m.name == name);
            continue;
        }
        let Some(material) = current.and_then(|k| palette.get_mut(k)) else { continue };
        match key {
            Some(b"Kd") => {
                if let Ok(diffuse) = numbers::<3>(words) {
                    // Programs write them as they show them, in sRGB.
                    material.colour = Some(diffuse.map(|c| crate::raster::image::decoded(c.clamp(0.0, 1.0))));
                }
            }
            Some(b"d") => {
                if let Ok([opacity]) = numbers(words) {
                    material.opacity = opacity.clamp(0.0, 1.0);
                }
            }
            Some(b"map_Kd") => {
                let path = name_of(words).replace('\\', "/");
                let name = path.rsplit('/').next().unwrap_or_default();
                material.texture = (is_plain_name(name) && !name.starts_with('-')).then_some(path);
            }
            _ => {}
        }
    }
}

fn numbers<'a, const N: usize>(mut words: impl Iterator<Item = &'a [u8]>) -> Result<[f64; N], String> {
    let mut found = [0.0; N];
    for number in &mut found {
        let word = words.next().ok_or_else(|| format!("{N} numbers are due, and fewer are there"))?;
        *number = parsed(word).ok_or_else(|| format!("{} is not a number", quoted(word)))?;
        if !f64::is_finite(*number) {
            return Err(format!("{} is not finite; repair or drop that vertex", quoted(word)));
        }
    }
    Ok(found)
}

/// `7`, `7/3`, `7//2` or `7/3/2`: from 1, or backwards from the end if negative.
fn corner(word: &[u8], lists: &Lists) -> Result<Corner, String> {
    let mut parts = word.split(|b| *b == b'/');
    let point = place(parts.next().unwrap_or_default(), lists.points.len(), "vertices")?
        .ok_or_else(|| format!("{} names no vertex", quoted(word)))?;
    let uv = place(parts.next().unwrap_or_default(), lists.uvs.len(), "texture coordinates")?;
    let normal = place(parts.next().unwrap_or_default(), lists.normals.len(), "normals")?;
    Ok((point, uv, normal))
}

fn place(word: &[u8], count: usize, what: &str) -> Result<Option<u32>, String> {
    if word.is_empty() {
        return Ok(None);
    }
    let number: i64 = parsed(word).ok_or_else(|| format!("{} is not an index", quoted(word)))?;
    let place = if number < 0 { count as i64 + number } else { number - 1 };
    match u32::try_from(place).ok().filter(|k| (*k as usize) < count) {
        Some(place) => Ok(Some(place)),
        None => Err(format!("index {number} is out of range: {count} {what} are given up to here")),
    }
}
