//! Stanford PLY, text and both binaries, through `ply-rs-bw`, which takes care not to allocate by what a header says.
//!
//! We hold the counts of the header against the length of the file first: elements without properties would cost no bytes.

use super::{Mesh, Surface, polygon};
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{
    ElementDef, Encoding, Header, Property, PropertyAccess, PropertyAccessResult, PropertyType, ScalarType,
};

/// A vertex as it is read; what is not given stays `None`.
#[derive(Default)]
struct Vertex {
    point: [Option<f64>; 3],
    normal: [Option<f64>; 3],
    uv: [Option<f64>; 2],
}

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, value: Property) -> PropertyAccessResult {
        let slot = match name {
            "x" => &mut self.point[0],
            "y" => &mut self.point[1],
            "z" => &mut self.point[2],
            "nx" => &mut self.normal[0],
            "ny" => &mut self.normal[1],
            "nz" => &mut self.normal[2],
            "u" | "s" | "texture_u" => &mut self.uv[0],
            "v" | "t" | "texture_v" => &mut self.uv[1],
            _ => return PropertyAccessResult::Ignored,
        };
        *slot = number(&value);
        if slot.is_some() { PropertyAccessResult::Set } else { PropertyAccessResult::UnsupportedType }
    }
}

/// The corners of a face.
#[derive(Default)]
struct Corners(Vec<i64>);

impl PropertyAccess for Corners {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, value: Property) -> PropertyAccessResult {
        if name != "vertex_indices" && name != "vertex_index" {
            return PropertyAccessResult::Ignored;
        }
        fn wide<T: Into<i64>>(list: Vec<T>) -> Vec<i64> {
            list.into_iter().map(Into::into).collect()
        }
        self.0 = match value {
            Property::ListChar(list) => wide(list),
            Property::ListUChar(list) => wide(list),
            Property::ListShort(list) => wide(list),
            Property::ListUShort(list) => wide(list),
            Property::ListInt(list) => wide(list),
            Property::ListUInt(list) => wide(list),
            _ => return PropertyAccessResult::UnsupportedType,
        };
        PropertyAccessResult::Set
    }
}

/// What is passed over.
struct Nothing;

impl PropertyAccess for Nothing {
    fn new() -> Self {
        Self
    }

    fn set_property(&mut self, _: &str, _: Property) -> PropertyAccessResult {
        PropertyAccessResult::Ignored
    }
}

/// Reads a surface.
pub fn read(bytes: &[u8]) -> Result<Mesh, String> {
    let mut reader = Reader::new(bytes);
    let header = Parser::<Nothing>::new().read_header(&mut reader).map_err(told)?;
    if header.version.major != 1 {
        return Err(format!("this is PLY {}.{}; version 1 is needed", header.version.major, header.version.minor));
    }
    check_counts(&header, bytes.len())?;
    let mut vertices: Vec<Vertex> = vec![];
    let mut faces: Vec<Corners> = vec![];
    for (name, element) in &header.elements {
        match name.as_str() {
            "vertex" => vertices = elements(&mut reader, element, &header)?,
            "face" => faces = elements(&mut reader, element, &header)?,
            "tristrips" => return Err("triangle strips are not read; export the mesh with plain faces".into()),
            _ => drop(elements::<Nothing>(&mut reader, element, &header)?),
        }
    }

    let mut surface = Surface::default();
    for (number, vertex) in vertices.iter().enumerate() {
        let [Some(x), Some(y), Some(z)] = vertex.point else {
            return Err(format!("vertex {number} (from 0) has no x, y and z"));
        };
        surface.points.push([x, y, z]);
        surface.uvs.extend(vertex.uv[0].zip(vertex.uv[1]).map(|(u, v)| [u, v]));
        if let [Some(x), Some(y), Some(z)] = vertex.normal {
            surface.normals.push([x, y, z]);
        }
    }
    for (number, Corners(face)) in faces.iter().enumerate() {
        if face.len() < 3 {
            return Err(format!("face {number} (from 0) has {} corners; it needs at least three", face.len()));
        }
        let mut places = vec![];
        for corner in face {
            let place = usize::try_from(*corner).ok().and_then(|k| surface.points.get(k));
            places.push(*place.ok_or_else(|| {
                format!("face {number} (from 0) names vertex {corner}, but there are {}", surface.points.len())
            })?);
        }
        surface.triangles.extend(polygon::triangles(&places).into_iter().map(|t| t.map(|k| face[k] as u32)));
    }
    surface.checked()
}

fn elements<E: PropertyAccess>(
    reader: &mut Reader<&[u8]>,
    element: &ElementDef,
    header: &Header,
) -> Result<Vec<E>, String> {
    Parser::<E>::new().read_payload_for_element(reader, element, header).map_err(told)
}

/// Every element takes at least a byte of text, or its properties in binary.
fn check_counts(header: &Header, length: usize) -> Result<(), String> {
    let mut least = 0usize;
    for (name, element) in &header.elements {
        let each: usize = match header.encoding {
            Encoding::Ascii => 1,
            _ => element.properties.iter().map(|(_, property)| bytes_of(&property.data_type)).sum(),
        };
        if each == 0 && element.count > 0 {
            return Err(format!("the header has {} elements {name:?} without properties", element.count));
        }
        least = least.saturating_add(each.saturating_mul(element.count));
        if least > length {
            return Err(format!(
                "the header announces {} elements {name:?}, but the file has {length} bytes; it was cut short or its header is wrong",
                element.count
            ));
        }
    }
    Ok(())
}

/// The fewest bytes that a property takes: a list may be empty.
fn bytes_of(property: &PropertyType) -> usize {
    let (PropertyType::Scalar(scalar) | PropertyType::List(scalar, _)) = property;
    match scalar {
        ScalarType::Char | ScalarType::UChar => 1,
        ScalarType::Short | ScalarType::UShort => 2,
        ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
        ScalarType::Double => 8,
    }
}

fn number(value: &Property) -> Option<f64> {
    Some(match value {
        Property::Char(v) => (*v).into(),
        Property::UChar(v) => (*v).into(),
        Property::Short(v) => (*v).into(),
        Property::UShort(v) => (*v).into(),
        Property::Int(v) => (*v).into(),
        Property::UInt(v) => (*v).into(),
        Property::Float(v) => (*v).into(),
        Property::Double(v) => *v,
        _ => return None,
    })
}

/// The crate's message on one line, without what its grammar would have liked better.
fn told(error: ParseError) -> String {
    let text = error.to_string();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut text = text.split(" Error: error at").next().unwrap_or_default().to_string();
    if let Some((end, _)) = text.char_indices().nth(240) {
        text.truncate(end);
        text.push('…');
    }
    text
}
