//! A cube as a surface and as tetrahedra, in every format and encoding, and the command as a process.
#![allow(dead_code)] // each test file uses a part of it

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fracas_cli::read::Format;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Corners of the cube: halves and quarters, which every format holds exactly. Bit 0 of a corner's number is x, and so on.
pub fn corners() -> Vec<[f64; 3]> {
    (0..8u32).map(|k| [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { -0.25 } else { 0.5 })).collect()
}

/// Its six sides, counter-clockwise seen from outside.
pub const QUADS: [[u32; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// Each side as two triangles.
pub fn triangles() -> Vec<[u32; 3]> {
    QUADS.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect()
}

/// The cube around its diagonal.
pub fn tets() -> Vec<[u32; 4]> {
    [[1, 3], [3, 2], [2, 6], [6, 4], [4, 5], [5, 1]].map(|[a, b]| [0, a, b, 7]).to_vec()
}

/// A file of the cube.
pub struct Sample {
    /// What is special about it.
    pub name: &'static str,
    /// The end of its name.
    pub end: &'static str,
    pub format: Format,
    pub bytes: Vec<u8>,
    /// What stands beside it: the end of the name, and the content.
    pub beside: Option<(&'static str, Vec<u8>)>,
}

fn sample(name: &'static str, end: &'static str, bytes: impl Into<Vec<u8>>) -> Sample {
    let format = Format::of_name(Path::new(&format!("x.{end}"))).unwrap();
    Sample { name, end, format, bytes: bytes.into(), beside: None }
}

fn lines<T, const N: usize>(rows: &[[T; N]], to: impl Fn(usize, &[T; N]) -> String) -> String {
    rows.iter().enumerate().map(|(k, row)| to(k, row) + "\n").collect()
}

fn joined<T: ToString>(row: &[T]) -> String {
    row.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

/// Numbers as bytes, in either order.
#[derive(Clone, Copy, PartialEq)]
pub enum Ends {
    Little,
    Big,
}

macro_rules! bytes_of {
    ($name:ident $type:ty) => {
        fn $name(self, values: impl IntoIterator<Item = $type>) -> Vec<u8> {
            let to = |v: $type| if self == Self::Little { v.to_le_bytes() } else { v.to_be_bytes() };
            values.into_iter().flat_map(to).collect()
        }
    };
}

impl Ends {
    bytes_of!(f32 f32);
    bytes_of!(f64 f64);
    bytes_of!(i32 i32);
    bytes_of!(u32 u32);
    bytes_of!(u64 u64);
    bytes_of!(i64 i64);
}

/// The cube's surface.
pub fn surfaces() -> Vec<Sample> {
    let glb_beside = gltf_text("\"uri\":\"cube.bin\",");
    vec![
        sample("triangles", "obj", obj_triangles()),
        sample("quads with seams", "obj", obj_quads()),
        sample("counted backwards", "obj", obj_backwards()),
        sample("text", "ply", ply(None)),
        sample("little", "ply", ply(Some(Ends::Little))),
        sample("big", "ply", ply(Some(Ends::Big))),
        sample("text", "stl", stl_text()),
        sample("binary", "stl", stl_binary(b"made by hand")),
        sample("binary, solid", "stl", stl_binary(b"solid that is no text")),
        sample("binary", "glb", glb()),
        sample("textured", "glb", textured_glb()),
        sample("textured", "gltf", textured_gltf()),
        sample(
            "embedded",
            "gltf",
            gltf_text(&format!("\"uri\":\"data:application/octet-stream;base64,{}\",", STANDARD.encode(gltf_data()))),
        ),
        Sample { beside: Some(("bin", gltf_data())), ..sample("two files", "gltf", glb_beside) },
        sample("triangles 4.1", "msh", msh4(None, false)),
        sample("triangles", "vtu", vtu_text(&triangles(), 5)),
    ]
}

/// The cube as tetrahedra.
pub fn volumes() -> Vec<Sample> {
    let mut all = vec![
        sample("2.2 text", "msh", msh2(None)),
        sample("2.2 little", "msh", msh2(Some(Ends::Little))),
        sample("2.2 big", "msh", msh2(Some(Ends::Big))),
        sample("4.1 text", "msh", msh4(None, true)),
        sample("4.1 little", "msh", msh4(Some(Ends::Little), true)),
        sample("4.1 big", "msh", msh4(Some(Ends::Big), true)),
        sample("3.0 text", "vtk", vtk(false, false)),
        sample("3.0 binary", "vtk", vtk(true, false)),
        sample("5.1 text", "vtk", vtk(false, true)),
        sample("5.1 binary", "vtk", vtk(true, true)),
        sample("text", "vtu", vtu_text(&tets(), 10)),
    ];
    for (end, partner) in [("node", "ele"), ("ele", "node")] {
        for (name, first) in [("from 0", 0), ("from 1", 1)] {
            let (nodes, tets) = tetgen(first);
            let (own, other) = if end == "node" { (nodes, tets) } else { (tets, nodes) };
            all.push(Sample { beside: Some((partner, other.into())), ..sample(name, end, own) });
        }
    }
    for (name, ends, wide, zlib, place) in [
        ("base64", Ends::Little, false, false, Place::Inline),
        ("base64, wide", Ends::Little, true, false, Place::Inline),
        ("base64, big, zlib", Ends::Big, false, true, Place::Inline),
        ("appended", Ends::Little, true, false, Place::AppendedBase64),
        ("appended, zlib", Ends::Little, false, true, Place::AppendedBase64),
        ("raw", Ends::Big, false, false, Place::AppendedRaw),
        ("raw, zlib", Ends::Little, true, true, Place::AppendedRaw),
    ] {
        all.push(sample(name, "vtu", vtu_binary(ends, wide, zlib, place)));
    }
    all
}

fn obj_triangles() -> String {
    let faces = lines(&triangles(), |_, t| format!("f {}", joined(&t.map(|k| k + 1))));
    format!("# a cube\n{}\n{faces}", lines(&corners(), |_, p| format!("v {}", joined(p))))
}

fn obj_quads() -> String {
    let mut text = format!("mtllib none.mtl\no cube\n{}", lines(&corners(), |_, p| format!("v {}", joined(p))));
    text += "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\ns off\n";
    for (side, quad) in QUADS.iter().enumerate() {
        let words: Vec<String> = quad.iter().zip(1..).map(|(k, uv)| format!("{}/{uv}/1", k + 1)).collect();
        text += &format!("usemtl side{}\nf {} \\\n  {}\n", side % 2, words[..2].join(" "), words[2..].join(" "));
    }
    text
}

fn obj_backwards() -> String {
    let faces = lines(&triangles(), |_, t| format!("f {}", joined(&t.map(|k| k as i32 - 8))));
    format!("{}{faces}", lines(&corners(), |_, p| format!("v {} 1.0", joined(p)))).replace('\n', "\r\n")
}

fn ply(ends: Option<Ends>) -> Vec<u8> {
    let encoding = match ends {
        None => "ascii",
        Some(Ends::Little) => "binary_little_endian",
        Some(Ends::Big) => "binary_big_endian",
    };
    let real = if ends == Some(Ends::Big) { "double" } else { "float" };
    let mut file = format!(
        "ply\nformat {encoding} 1.0\ncomment a cube\nelement vertex 8\nproperty {real} x\nproperty {real} y\n\
         property {real} z\nproperty uchar red\nelement face 6\nproperty list uchar int vertex_indices\nend_header\n"
    )
    .into_bytes();
    for p in corners() {
        match ends {
            None => file.extend(format!("{} 200\n", joined(&p)).bytes()),
            Some(ends) => {
                match real {
                    "double" => file.extend(ends.f64(p)),
                    _ => file.extend(ends.f32(p.map(|c| c as f32))),
                }
                file.push(200);
            }
        }
    }
    for quad in QUADS {
        match ends {
            None => file.extend(format!("4 {}\n", joined(&quad)).bytes()),
            Some(ends) => {
                file.push(4);
                file.extend(ends.u32(quad));
            }
        }
    }
    file
}

fn stl_text() -> String {
    // Two solids, as some programs write them.
    let points = corners();
    let all: Vec<String> = triangles()
        .iter()
        .map(|t| {
            let vertices: String = t.iter().map(|k| format!("vertex {}\n", joined(&points[*k as usize]))).collect();
            format!("facet normal 0 0 0\nouter loop\n{vertices}endloop\nendfacet\n")
        })
        .collect();
    format!("solid half of it\n{}endsolid half of it\nsolid\n{}endsolid\n", all[..6].concat(), all[6..].concat())
}

fn stl_binary(title: &[u8]) -> Vec<u8> {
    let mut file = title.to_vec();
    file.resize(80, b' ');
    file.extend(12u32.to_le_bytes());
    for t in triangles() {
        file.extend([0; 12]);
        file.extend(t.iter().flat_map(|k| Ends::Little.f32(corners()[*k as usize].map(|c| c as f32))));
        file.extend([0; 2]);
    }
    file
}

/// Half the cube's size, since the node doubles it, mirrored, since the node mirrors it; 24 vertices with seams.
pub fn gltf_data() -> Vec<u8> {
    let at = |k: u32| corners()[k as usize].map(|c| (c / 2.0) as f32);
    let mut positions = vec![];
    let mut indices = vec![];
    for quad in QUADS {
        let first = positions.len() as u16 / 3;
        positions.extend(quad.iter().flat_map(|k| [-at(*k)[0], at(*k)[1], at(*k)[2] - 1.0]));
        indices.extend([0, 2, 1, 0, 3, 2].map(|k| first + k));
    }
    let uvs = (0..6).flat_map(|_| [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0]);
    let mut data = Ends::Little.f32(positions);
    data.extend(Ends::Little.f32(uvs));
    data.extend(indices.iter().flat_map(|k: &u16| k.to_le_bytes()));
    data
}

fn gltf_text(uri: &str) -> String {
    let length = gltf_data().len();
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"translation":[0,0,2],"children":[1]}},{{"scale":[-2,2,2],"mesh":0}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":1}},"indices":2,"material":0}}]}}],
"materials":[{{"name":"clay"}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":24,"type":"VEC3","min":[-0.25,-0.125,-1.125],"max":[0.125,0.25,-0.75]}},
{{"bufferView":1,"componentType":5126,"count":24,"type":"VEC2"}},{{"bufferView":2,"componentType":5123,"count":36,"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":288}},{{"buffer":0,"byteOffset":288,"byteLength":192}},{{"buffer":0,"byteOffset":480,"byteLength":72}}],
"buffers":[{{{uri}"byteLength":{length}}}]}}"#
    )
}

/// The same with a texture: all in one text.
pub fn textured_gltf() -> String {
    let uri = format!("\"uri\":\"data:application/octet-stream;base64,{}\",", STANDARD.encode(gltf_data()));
    textured(&gltf_text(&uri), &format!("\"uri\":\"data:image/png;base64,{}\"", STANDARD.encode(IMAGE)))
}

/// PNG by its first bytes.
pub const IMAGE: &[u8] = b"\x89PNG\r\n\x1a\nnot a picture";

fn textured(text: &str, image: &str) -> String {
    let material = r#""pbrMetallicRoughness":{"baseColorTexture":{"index":0}},"normalTexture":{"index":1,"scale":0.5}"#;
    let lists = format!(
        r#""textures":[{{"source":0}},{{"sampler":0,"source":0}}],"samplers":[{{"wrapS":33648}}],"images":[{{{image}}}],"#
    );
    text.replace(r#"{"name":"clay"}"#, &format!("{{\"name\":\"clay\",{material}}}"))
        .replace("\"accessors\":", &format!("{lists}\"accessors\":"))
}

fn glb() -> Vec<u8> {
    packed(gltf_text(""), gltf_data())
}

/// With the image in the binary chunk.
fn textured_glb() -> Vec<u8> {
    let mut data = gltf_data();
    let start = data.len();
    data.extend(IMAGE);
    let view = format!(",{{\"buffer\":0,\"byteOffset\":{start},\"byteLength\":{}}}],\n\"buffers\"", IMAGE.len());
    let text = textured(&gltf_text(""), "\"bufferView\":3,\"mimeType\":\"image/png\"")
        .replace("],\n\"buffers\"", &view)
        .replace(&format!("\"byteLength\":{start}}}]"), &format!("\"byteLength\":{}}}]", data.len()));
    packed(text, data)
}

fn packed(text: String, mut data: Vec<u8>) -> Vec<u8> {
    let mut text = text.into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    data.resize(data.len().next_multiple_of(4), 0);
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((28 + text.len() as u32 + data.len() as u32).to_le_bytes());
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(text);
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(data);
    file
}

fn msh2(ends: Option<Ends>) -> Vec<u8> {
    let mut file = format!("$MeshFormat\n2.2 {} 8\n", ends.is_some() as u8).into_bytes();
    if let Some(ends) = ends {
        file.extend(ends.i32([1]));
        file.push(b'\n');
    }
    file.extend(b"$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"cube\"\n$EndPhysicalNames\n$Nodes\n8\n");
    for (k, p) in corners().iter().enumerate() {
        match ends {
            None => file.extend(format!("{} {}\n", k + 1, joined(p)).bytes()),
            Some(ends) => file.extend([ends.i32([k as i32 + 1]), ends.f64(*p)].concat()),
        }
    }
    file.extend(b"\n$EndNodes\n$Elements\n");
    let (cells, sides) = (tets(), triangles());
    file.extend(format!("{}\n", cells.len() + 1).bytes());
    // A triangle too, which is passed over.
    let side = sides[0].map(|k| k as i32 + 1);
    match ends {
        None => {
            file.extend(format!("1 2 2 0 1 {}\n", joined(&side)).bytes());
            file.extend(lines(&cells, |k, t| format!("{} 4 2 1 1 {}", k + 2, joined(&t.map(|n| n + 1)))).bytes());
        }
        Some(ends) => {
            file.extend(ends.i32([2, 1, 2, 1, 0, 1].into_iter().chain(side)));
            file.extend(ends.i32([4, cells.len() as i32, 2]));
            for (k, t) in cells.iter().enumerate() {
                file.extend(ends.i32([k as i32 + 2, 1, 1].into_iter().chain(t.map(|n| n as i32 + 1))));
            }
        }
    }
    file.extend(b"\n$EndElements\n");
    file
}

fn msh4(ends: Option<Ends>, solid: bool) -> Vec<u8> {
    let mut file = format!("$MeshFormat\n4.1 {} 8\n", ends.is_some() as u8).into_bytes();
    if let Some(ends) = ends {
        file.extend(ends.i32([1]));
        file.push(b'\n');
    }
    file.extend(b"$EndMeshFormat\n$Nodes\n");
    let tags = || (0..8u64).map(|k| 10 * k + 7); // with gaps
    let cells: Vec<Vec<u64>> = match solid {
        true => tets().iter().map(|t| t.map(|k| 10 * k as u64 + 7).to_vec()).collect(),
        false => triangles().iter().map(|t| t.map(|k| 10 * k as u64 + 7).to_vec()).collect(),
    };
    let (kind, dimension) = if solid { (4, 3) } else { (2, 2) };
    let count = cells.len() as u64;
    match ends {
        None => {
            // Two blocks of nodes, the first on a curve with its parameter.
            file.extend(b"2 8 7 77\n1 1 1 3\n7\n17\n27\n");
            file.extend(lines(&corners()[..3], |_, p| format!("{} 0.5", joined(p))).bytes());
            file.extend(
                format!("3 1 0 5\n{}\n", tags().skip(3).map(|t| t.to_string()).collect::<Vec<_>>().join("\n")).bytes(),
            );
            file.extend(lines(&corners()[3..], |_, p| joined(p)).bytes());
            file.extend(format!("$EndNodes\n$Elements\n1 {count} 1 {count}\n{dimension} 1 {kind} {count}\n").bytes());
            for (k, cell) in cells.iter().enumerate() {
                file.extend(format!("{} {}\n", k + 1, joined(cell)).bytes());
            }
        }
        Some(ends) => {
            file.extend(ends.u64([2, 8, 7, 77]));
            for (range, head) in [(0..3, [1, 1, 1]), (3..8, [3, 1, 0])] {
                file.extend(ends.i32(head));
                file.extend(ends.u64([range.len() as u64]));
                file.extend(ends.u64(tags().skip(range.start).take(range.len())));
                for p in &corners()[range] {
                    file.extend(ends.f64(*p));
                    file.extend(ends.f64((head[2] == 1).then_some(0.5)));
                }
            }
            file.extend(b"\n$EndNodes\n$Elements\n");
            file.extend(ends.u64([1, count, 1, count]));
            file.extend(ends.i32([dimension, 1, kind]));
            file.extend(ends.u64([count]));
            for (k, cell) in cells.iter().enumerate() {
                file.extend(ends.u64([k as u64 + 1].into_iter().chain(cell.iter().copied())));
            }
            file.push(b'\n');
        }
    }
    file.extend(b"$EndElements\n");
    file
}

fn tetgen(first: u32) -> (String, String) {
    let first = first as usize;
    let nodes = lines(&corners(), |k, p| format!("{} {} 1", k + first, joined(p)));
    let cells = lines(&tets(), |k, t| format!("{} {}", k + first, joined(&t.map(|n| n as usize + first))));
    (format!("# nodes\n8 3 0 1\n\n{nodes}"), format!("6 4 0\n{cells}# end\n"))
}

fn vtk(binary: bool, newer: bool) -> Vec<u8> {
    let version = if newer { "5.1" } else { "3.0" };
    let form = if binary { "BINARY" } else { "ASCII" };
    let mut file =
        format!("# vtk DataFile Version {version}\na cube\n{form}\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\n")
            .into_bytes();
    let mut list = |head: &str, text: String, bytes: Vec<u8>| {
        file.extend(head.bytes());
        file.push(b'\n');
        file.extend(if binary { bytes } else { text.into_bytes() });
        file.push(b'\n');
    };
    let cells = tets();
    let big = Ends::Big;
    list("TIME 1 1 double", "0.25".into(), big.f64([0.25]));
    list("POINTS 8 float", lines(&corners(), |_, p| joined(p)), big.f32(corners().iter().flatten().map(|c| *c as f32)));
    if newer {
        let offsets: Vec<i64> = (0..=6).map(|k| 4 * k).collect();
        list("CELLS 7 24\nOFFSETS vtktypeint64", joined(&offsets), big.i64(offsets.clone()));
        let nodes = || cells.iter().flatten().map(|n| *n as i64);
        list("CONNECTIVITY vtktypeint64", joined(&nodes().collect::<Vec<_>>()), big.i64(nodes()));
    } else {
        let rows = |t: &[u32; 4]| [4, t[0], t[1], t[2], t[3]].map(|n| n as i32);
        list("CELLS 6 30", lines(&cells, |_, t| joined(&rows(t))), big.i32(cells.iter().flat_map(rows)));
    }
    list("CELL_TYPES 6", joined(&[10; 6]), big.i32([10; 6]));
    file.extend(b"CELL_DATA 6\nSCALARS nothing int\n");
    file
}

fn vtu_text<const N: usize>(cells: &[[u32; N]], kind: u32) -> String {
    let ends: Vec<usize> = (1..=cells.len()).map(|k| N * k).collect();
    format!(
        r#"<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian"><UnstructuredGrid>
<Piece NumberOfPoints="8" NumberOfCells="{}"><PointData/>
<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">{}</DataArray></Points>
<Cells><DataArray type="Int32" Name="connectivity" format="ascii">{}</DataArray>
<DataArray type="Int32" Name="offsets" format="ascii">{}</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">{}</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>"#,
        cells.len(),
        joined(corners().as_flattened()),
        joined(cells.as_flattened()),
        joined(&ends),
        joined(&vec![kind; cells.len()])
    )
}

#[derive(Clone, Copy, PartialEq)]
enum Place {
    Inline,
    AppendedBase64,
    AppendedRaw,
}

fn vtu_binary(ends: Ends, wide: bool, zlib: bool, place: Place) -> Vec<u8> {
    let header = |values: &[usize]| match wide {
        true => ends.u64(values.iter().map(|v| *v as u64)),
        false => ends.u32(values.iter().map(|v| *v as u32)),
    };
    let coded =
        |bytes: &[u8]| if place == Place::AppendedRaw { bytes.to_vec() } else { STANDARD.encode(bytes).into_bytes() };
    let packed = |bytes: &[u8]| -> Vec<u8> {
        if !zlib {
            return coded(&[header(&[bytes.len()]), bytes.to_vec()].concat());
        }
        // Blocks of 64 bytes, the last one shorter.
        use std::io::Write;
        let blocks: Vec<Vec<u8>> = bytes
            .chunks(64)
            .map(|block| {
                let mut to = flate2::write::ZlibEncoder::new(vec![], flate2::Compression::default());
                to.write_all(block).unwrap();
                to.finish().unwrap()
            })
            .collect();
        let mut head = vec![blocks.len(), 64, bytes.len() % 64];
        head.extend(blocks.iter().map(Vec::len));
        [coded(&header(&head)), coded(&blocks.concat())].concat()
    };
    let lists = [
        ("", "Float64", packed(&ends.f64(corners().into_iter().flatten()))),
        ("connectivity", "Int64", packed(&ends.i64(tets().iter().flatten().map(|n| *n as i64)))),
        ("offsets", "Int32", packed(&ends.i32((1..=6).map(|k| 4 * k)))),
        ("types", "UInt8", packed(&[10; 6])),
    ];
    let mut appended = vec![];
    let arrays = lists.map(|(name, kind, data)| match place {
        Place::Inline => {
            let text = String::from_utf8(data).unwrap();
            format!("<DataArray type=\"{kind}\" Name=\"{name}\" format=\"binary\">\n  {text}\n</DataArray>")
        }
        _ => {
            let at = appended.len();
            appended.extend(data);
            format!("<DataArray type=\"{kind}\" Name=\"{name}\" format=\"appended\" offset=\"{at}\"/>")
        }
    });
    let mut file = format!(
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{}\"{}{}>\n<UnstructuredGrid>\
         <Piece NumberOfPoints=\"8\" NumberOfCells=\"6\"><Points>{}</Points><Cells>{}{}{}</Cells></Piece></UnstructuredGrid>\n",
        if ends == Ends::Little { "LittleEndian" } else { "BigEndian" },
        if wide { " header_type=\"UInt64\"" } else { "" },
        if zlib { " compressor=\"vtkZLibDataCompressor\"" } else { "" },
        arrays[0],
        arrays[1],
        arrays[2],
        arrays[3]
    )
    .into_bytes();
    if place != Place::Inline {
        let encoding = if place == Place::AppendedRaw { "raw" } else { "base64" };
        file.extend(format!("<AppendedData encoding=\"{encoding}\">\n_").bytes());
        file.extend(appended);
        file.extend(b"\n</AppendedData>\n");
    }
    file.extend(b"</VTKFile>\n");
    file
}

/// A folder for one test, and the command.
pub struct Folder {
    pub folder: tempfile::TempDir,
}

/// A fresh folder.
pub fn folder() -> Folder {
    Folder { folder: tempfile::tempdir().unwrap() }
}

impl Folder {
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    /// Writes a sample, and what stands beside it.
    pub fn write_sample(&self, sample: &Sample) -> PathBuf {
        if let Some((end, bytes)) = &sample.beside {
            self.write(&format!("cube.{end}"), bytes);
        }
        self.write(&format!("cube.{}", sample.end), &sample.bytes)
    }

    /// Runs the command in the folder, with little memory and not for ever: what is allocated by what a header says fails.
    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut command = if cfg!(target_os = "linux") {
            let mut shell = Command::new("sh");
            shell.args(["-c", "ulimit -v 524288; ulimit -t 60; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_fracas")]);
            shell
        } else {
            Command::new(env!("CARGO_BIN_EXE_fracas"))
        };
        command.args(arguments).current_dir(self.folder.path()).output().unwrap()
    }

    /// Runs it with --json; it must succeed.
    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Runs it; it must fail with this code, and say all of these words in one line on stderr.
    pub fn fails(&self, arguments: &[&str], code: i32, words: &[&str]) {
        let output = self.run(arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert!(code == 2 || text.trim_end().lines().count() == 1, "{arguments:?} says more than a sentence: {text}");
        for word in words {
            assert!(text.contains(word), "{arguments:?} does not say {word:?}: {text}");
        }
        assert!(output.stdout.is_empty(), "{arguments:?} prints something");
        let leftover = std::fs::read_dir(self.folder.path())
            .unwrap()
            .any(|f| f.unwrap().file_name().to_string_lossy().starts_with(".fracas-"));
        assert!(!leftover, "{arguments:?} leaves a temporary file behind");
    }
}

/// A UV sphere of radius 0.1 with a seam and poles, two materials and a texture: an OBJ file, and its MTL.
pub fn sphere_obj() -> (String, &'static str) {
    let (around, down) = (32, 16);
    let mut points = String::new();
    for (j, i) in (0..=down).flat_map(|j| (0..=around).map(move |i| (j, i))) {
        let (polar, turn) = (std::f64::consts::PI * j as f64 / down as f64, (i % around) as f64 / around as f64);
        let s = if j == 0 || j == down { 0.0 } else { polar.sin() };
        let n = [s * (std::f64::consts::TAU * turn).cos(), polar.cos(), -s * (std::f64::consts::TAU * turn).sin()];
        let uv = [i as f64 / around as f64, 1.0 - j as f64 / down as f64];
        points += &format!("v {}\nvt {}\nvn {}\n", joined(&n.map(|c| 0.1 * c)), joined(&uv), joined(&n));
    }
    let number = |i: usize, j: usize| j * (around + 1) + i + 1;
    let mut text = format!("mtllib sphere.mtl\n{points}");
    for j in 0..down {
        if j == 0 || j == down / 2 {
            text += if j == 0 { "usemtl red_glaze\n" } else { "usemtl blue glaze\n" };
        }
        for i in 0..around {
            let quad = [number(i, j), number(i, j + 1), number(i + 1, j + 1), number(i + 1, j)];
            let face = match j {
                0 => quad[..3].to_vec(),
                _ if j == down - 1 => vec![quad[0], quad[1], quad[3]],
                _ => quad.to_vec(),
            };
            text += &format!("f {}\n", face.iter().map(|k| format!("{k}/{k}/{k}")).collect::<Vec<_>>().join(" "));
        }
    }
    (text, "newmtl red_glaze\nKd 0.8 0.1 0.1\nmap_Kd textures/red.png\n\nnewmtl blue glaze\nKd 0.1 0.2 0.8\n")
}
