//! VTK as XML: unstructured grids with data as text, base64 or appended, plain or compressed by zlib.
//!
//! The XML is roxmltree's business, base64 and zlib have their crates; what VTK does with them is short. See `vtk` for why
//! this is not vtkio.

use super::Mesh;
use super::bytes::{Order, Plain};
use super::cells::Cells;
use super::vtk::add_cells;
use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use flate2::read::ZlibDecoder;
use roxmltree::{Document, Node, ParsingOptions};
use std::io::Read;

type Result<T> = std::result::Result<T, String>;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// zlib makes at most this many bytes of one.
const MOST_EXPANSION: usize = 1032;

/// What the file says about its data.
struct Form<'a> {
    order: Order,
    wide_headers: bool,
    compressed: bool,
    /// What stands behind the underscore of the appended data, and whether it is base64.
    appended: Option<(&'a [u8], bool)>,
}

/// Reads a grid.
pub fn read(bytes: &[u8]) -> Result<Mesh> {
    // Appended raw data is no XML: it is cut out before parsing.
    let (xml, appended) = split(bytes)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: 1 << 20, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&xml, options).map_err(|e| format!("this is no XML: {e}"))?;
    let root = document.root_element();
    if !root.has_tag_name("VTKFile") || root.attribute("type") != Some("UnstructuredGrid") {
        return Err(format!(
            "the file is a {} of type {}; a VTKFile of type UnstructuredGrid is needed",
            root.tag_name().name(),
            root.attribute("type").unwrap_or("none")
        ));
    }
    let base64 = root
        .children()
        .find(|n| n.has_tag_name("AppendedData"))
        .is_some_and(|n| n.attribute("encoding").is_none_or(|e| e != "raw"));
    let form = Form {
        order: if root.attribute("byte_order") == Some("BigEndian") { Order::Big } else { Order::Little },
        wide_headers: root.attribute("header_type") == Some("UInt64"),
        compressed: match root.attribute("compressor") {
            None => false,
            Some("vtkZLibDataCompressor") => true,
            Some(other) => return Err(format!("data compressed by {other} is not read; save it with zlib, or plain")),
        },
        appended: appended.map(|data| (data, base64)),
    };

    let mut points: Vec<[f64; 3]> = vec![];
    let mut cells = Cells::default();
    for piece in root.descendants().filter(|n| n.has_tag_name("Piece")) {
        let shift = points.len() as u32;
        let values = array(piece, "Points", None, &form)?.floats;
        let announced = piece.attribute("NumberOfPoints").and_then(|n| n.trim().parse::<usize>().ok());
        if values.len() % 3 != 0 || announced.is_none_or(|n| n.checked_mul(3) != Some(values.len())) {
            return Err(format!(
                "a piece announces {:?} points, and {} coordinates are there",
                piece.attribute("NumberOfPoints").unwrap_or("no"),
                values.len()
            ));
        }
        points.extend(values.chunks_exact(3).map(|p| [p[0], p[1], p[2]]));
        let [connectivity, ends, kinds] =
            ["connectivity", "offsets", "types"].map(|name| array(piece, "Cells", Some(name), &form));
        add_cells(&mut cells, &connectivity?.whole()?, &ends?.whole()?, &kinds?.whole()?, shift)?;
    }
    cells.finish(points)
}

/// The XML, without what is appended, and that.
fn split(bytes: &[u8]) -> Result<(String, Option<&[u8]>)> {
    let find = |from: usize, what: &[u8]| {
        bytes[from..].windows(what.len()).position(|window| window == what).map(|k| from + k)
    };
    let not_text = |_| "the file is no text; is it a VTU file?".to_string();
    let Some(start) = find(0, b"<AppendedData") else {
        return Ok((std::str::from_utf8(bytes).map_err(not_text)?.into(), None));
    };
    let Some(data) = find(start, b">").and_then(|k| find(k, b"_")).map(|k| k + 1) else {
        return Err("the appended data does not start; the file was cut short".into());
    };
    let head = std::str::from_utf8(&bytes[..data]).map_err(not_text)?;
    Ok((format!("{head}</AppendedData></VTKFile>"), Some(&bytes[data..])))
}

/// Numbers as they are; indices up to 2^53 are exact.
struct Values {
    name: String,
    floats: Vec<f64>,
}

impl Values {
    fn whole(self) -> Result<Vec<i64>> {
        match self.floats.iter().position(|v| v.fract() != 0.0 || v.abs() > 9e15) {
            None => Ok(self.floats.into_iter().map(|v| v as i64).collect()),
            Some(k) => Err(format!("{} {k} (from 0) is {}, which is no index", self.name, self.floats[k])),
        }
    }
}

fn array(piece: Node, group: &str, name: Option<&str>, form: &Form) -> Result<Values> {
    let label = name.unwrap_or("Points").to_string();
    let found = piece
        .children()
        .filter(|n| n.has_tag_name(group))
        .flat_map(|n| n.children())
        .find(|n| n.has_tag_name("DataArray") && (name.is_none() || n.attribute("Name") == name));
    let Some(node) = found else {
        return Err(format!("the data array {label} is missing; the file was cut short, or is no unstructured grid"));
    };
    let kind = node.attribute("type").unwrap_or_default();
    let text = node.text().unwrap_or_default();
    let floats = match node.attribute("format").unwrap_or("ascii") {
        "ascii" => text
            .split_ascii_whitespace()
            .map(|word| word.parse().map_err(|_| format!("{word:?} in {label} is not a number")))
            .collect::<Result<Vec<f64>>>()?,
        "binary" => {
            let encoded: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
            numbers(&form.decoded(&encoded, true).map_err(|e| format!("{label}: {e}"))?, kind, form.order)?
        }
        "appended" => {
            let offset = node.attribute("offset").and_then(|o| o.trim().parse::<usize>().ok());
            let start = form.appended.zip(offset).and_then(|((data, base64), at)| Some((data.get(at..)?, base64)));
            let Some((data, base64)) = start else {
                return Err(format!("the appended data of {label} is not there; the file was cut short"));
            };
            numbers(&form.decoded(data, base64).map_err(|e| format!("{label}: {e}"))?, kind, form.order)?
        }
        other => return Err(format!("data in the format {other:?} is not known")),
    };
    Ok(Values { name: label, floats })
}

impl Form<'_> {
    fn header_bytes(&self) -> usize {
        if self.wide_headers { 8 } else { 4 }
    }

    fn header(&self, bytes: &[u8]) -> Result<usize> {
        let value = match self.wide_headers {
            true => u64::get(bytes, self.order),
            false => u32::get(bytes, self.order).into(),
        };
        usize::try_from(value).map_err(|_| "a block is longer than memory".into())
    }

    /// The data behind its header, which says how long it is.
    fn decoded(&self, data: &[u8], base64: bool) -> Result<Vec<u8>> {
        let size = self.header_bytes();
        if !self.compressed {
            let length = self.header(&front(data, base64, size)?)?;
            let mut all = front(data, base64, size.saturating_add(length))?;
            all.drain(..size);
            return Ok(all);
        }
        let blocks = self.header(&front(data, base64, size)?)?;
        let head = blocks.checked_add(3).and_then(|n| n.checked_mul(size)).ok_or("a header is longer than memory")?;
        let headers: Vec<usize> =
            front(data, base64, head)?.chunks_exact(size).map(|b| self.header(b)).collect::<Result<_>>()?;
        let [_, full, last, lengths @ ..] = headers.as_slice() else {
            return Err("a compressed block has no header".into());
        };
        // The header is encoded by itself, and so takes a whole number of groups.
        let start = if base64 { head.div_ceil(3) * 4 } else { head };
        let total = lengths.iter().fold(0usize, |sum, n| sum.saturating_add(*n));
        let packed = front(data.get(start..).unwrap_or_default(), base64, total)?;
        let mut left = packed.as_slice();
        let mut all = vec![];
        for (k, length) in lengths.iter().enumerate() {
            let wanted = if k + 1 == blocks && *last > 0 { *last } else { *full };
            let (block, rest) = left.split_at_checked(*length).ok_or("a compressed block ends early")?;
            left = rest;
            if wanted > length.saturating_mul(MOST_EXPANSION) {
                return Err(format!("a compressed block of {length} bytes cannot hold {wanted}"));
            }
            let before = all.len();
            ZlibDecoder::new(block)
                .take(wanted as u64)
                .read_to_end(&mut all)
                .map_err(|e| format!("a compressed block is damaged ({e})"))?;
            if all.len() - before != wanted {
                return Err("a compressed block is shorter than announced".into());
            }
        }
        Ok(all)
    }
}

/// The first bytes of data.
fn front(data: &[u8], base64: bool, count: usize) -> Result<Vec<u8>> {
    let short = || format!("{count} bytes are announced and fewer are there; the file was cut short");
    if !base64 {
        return data.get(..count).map(<[u8]>::to_vec).ok_or_else(short);
    }
    let characters = count.div_ceil(3).checked_mul(4).ok_or_else(short)?;
    let groups = data.get(..characters).ok_or_else(short)?;
    let mut bytes = vec![];
    // Headers may end within the data, so each group is taken for itself.
    for group in groups.chunks(4) {
        bytes.extend(BASE64.decode(group).map_err(|e| format!("the base64 is damaged ({e})"))?);
    }
    bytes.truncate(count);
    if bytes.len() < count { Err(short()) } else { Ok(bytes) }
}

fn numbers(bytes: &[u8], kind: &str, order: Order) -> Result<Vec<f64>> {
    fn all<T: Plain>(bytes: &[u8], order: Order, to: impl Fn(T) -> f64) -> Vec<f64> {
        bytes.chunks_exact(T::SIZE).map(|b| to(T::get(b, order))).collect()
    }
    Ok(match kind {
        "Float32" => all(bytes, order, |v: f32| v.into()),
        "Float64" => all(bytes, order, |v: f64| v),
        "Int8" => all(bytes, order, |v: i8| v.into()),
        "UInt8" => all(bytes, order, |v: u8| v.into()),
        "Int16" => all(bytes, order, |v: i16| v.into()),
        "UInt16" => all(bytes, order, |v: u16| v.into()),
        "Int32" => all(bytes, order, |v: i32| v.into()),
        "UInt32" => all(bytes, order, |v: u32| v.into()),
        "Int64" => all(bytes, order, |v: i64| v as f64),
        "UInt64" => all(bytes, order, |v: u64| v as f64),
        _ => return Err(format!("numbers of type {kind:?} are not known")),
    })
}
