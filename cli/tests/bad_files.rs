//! Bad files of every kind and format: one sentence that names the file, the right code, little memory, no panic.

mod common;

use common::{Sample, folder, surfaces, volumes};

fn cook(input: &str) -> [&str; 6] {
    ["cook", input, "-o", "out.fracas", "--threads", "1"]
}

fn all() -> Vec<Sample> {
    surfaces().into_iter().chain(volumes()).collect()
}

fn named(end: &str, name: &str) -> Sample {
    all().into_iter().find(|s| s.end == end && s.name == name).unwrap()
}

/// A good file with one place changed.
fn changed(end: &str, name: &str, from: &str, to: &str) -> Sample {
    let mut sample = named(end, name);
    let text = String::from_utf8(sample.bytes).unwrap();
    assert!(text.contains(from), "{end} ({name}) has no {from:?}");
    sample.bytes = text.replacen(from, to, 1).into_bytes();
    sample
}

/// A good binary file with bytes changed at a place.
fn patched(end: &str, name: &str, at: usize, bytes: &[u8]) -> Sample {
    let mut sample = named(end, name);
    sample.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    sample
}

fn find(end: &str, name: &str, what: &[u8]) -> usize {
    named(end, name).bytes.windows(what.len()).position(|w| w == what).unwrap() + what.len()
}

#[test]
fn files_that_were_cut_short_are_refused() {
    let (mut tried, mut repaired) = (0, 0);
    for sample in all() {
        let folder = folder();
        let input = folder.write_sample(&sample);
        // Not the last bytes: what is left without them may be all that matters.
        for part in [0, 3, 10, 20, 35, 50, 65, 80, 90] {
            folder.write(&format!("cube.{}", sample.end), &sample.bytes[..sample.bytes.len() * part / 100]);
            tried += 1;
            // A text of triangles that lost the last one is a surface with a hole like any other: closed, and told.
            let output = folder.run(&[&cook(input.to_str().unwrap())[..], &["--json", "--tets", "300"]].concat());
            if output.status.success() {
                let told = String::from_utf8(output.stdout).unwrap();
                assert!(told.contains("holes were closed"), "cube.{} ({}): {told}", sample.end, sample.name);
                repaired += 1;
                continue;
            }
            let told = String::from_utf8(output.stderr).unwrap();
            let named = told.contains(&format!("cube.{}: ", sample.end)) && told.trim_end().lines().count() == 1;
            assert!(output.status.code() == Some(1) && named, "cube.{} ({}): {told}", sample.end, sample.name);
        }
    }
    println!("command: {tried} files cut short, {repaired} closed and all others refused");
    assert!(repaired <= 3, "{repaired}");
}

#[test]
fn garbage_is_refused_under_every_name() {
    let noise: Vec<u8> = (0..5000u64).map(|k| fracas::geom::random::mix(k) as u8).collect();
    for sample in all() {
        let folder = folder();
        let input = folder.write_sample(&sample);
        for bytes in [&noise[..], &[0; 3000], &[0xff; 3000], b"\n\n\n", b"this is a letter, not a mesh\n"] {
            folder.write(&format!("cube.{}", sample.end), bytes);
            folder.fails(&cook(input.to_str().unwrap()), 1, &[&format!("cube.{}: ", sample.end)]);
        }
    }
}

#[test]
fn files_under_the_name_of_another_format_are_refused() {
    for sample in all() {
        for other in ["obj", "ply", "stl", "glb", "msh", "vtk", "vtu", "node", "ele", "xyz"] {
            let same = other == sample.end || sample.end == "gltf" && other == "glb";
            // Where the content is unmistakable and the name says nothing, the content counts.
            let known = other == "xyz" && ["ply", "glb", "msh", "vtk", "vtu"].contains(&sample.end);
            if same || known {
                continue;
            }
            let folder = folder();
            folder.write_sample(&sample);
            folder.write("cube.ele", "6 4 0\n");
            folder.write("cube.node", "8 3 0 0\n");
            let input = folder.write(&format!("cube.{other}"), &sample.bytes);
            folder.fails(&cook(input.to_str().unwrap()), 1, &[&format!("cube.{other}: ")]);
        }
    }
}

#[test]
fn what_is_wrong_in_a_file_is_named() {
    let huge = 200_000_000u32;
    let huge4 = huge.to_le_bytes();
    let nan = f32::NAN.to_le_bytes();
    let ply_data = find("ply", "little", b"end_header\n");
    let vtk_points = find("vtk", "3.0 binary", b"POINTS 8 float\n");
    let raw = find("vtu", "raw, zlib", b"\n_");
    let cases = [
        // Indices out of range.
        (changed("obj", "triangles", "f 1 5 7", "f 1 5 9"), "line 11: index 9 is out of range"),
        (changed("obj", "triangles", "f 1 5 7", "f 0 5 7"), "line 11: index 0 is out of range"),
        (changed("obj", "triangles", "f 1 5 7", "f 1 5"), "line 11: a face has 2 corners"),
        (changed("obj", "triangles", "f 1 5 7", "f 1 x 7"), "line 11: \"x\" is not an index"),
        (changed("ply", "text", "4 0 4 6 2", "4 0 4 6 8"), "face 0 (from 0) names vertex 8, but there are 8"),
        (changed("ply", "text", "4 0 4 6 2", "4 0 4 6 -1"), "face 0 (from 0) names vertex -1"),
        (changed("ply", "text", "4 0 4 6 2", "2 0 4"), "face 0 (from 0) has 2 corners"),
        (changed("gltf", "embedded", "\"count\":24", "\"count\":23"), "index 23 is out of range"),
        (changed("gltf", "embedded", "\"mesh\":0", "\"mesh\":7"), "7 is named, but meshes has 1 entries"),
        (changed("gltf", "embedded", "\"POSITION\":0", "\"POSITION\":99"), "99 is named, but accessors has 3 entries"),
        (changed("gltf", "embedded", "\"nodes\":[0]", "\"nodes\":[5]"), "5 is named, but nodes has 2 entries"),
        (
            changed("gltf", "embedded", "\"scale\":[-2,2,2],", "\"children\":[0],"),
            "the child of two nodes, or of itself",
        ),
        (changed("msh", "2.2 text", "4 2 1 1 1 2 4 8", "4 2 1 1 1 2 4 9"), "line 23: an element names node 9"),
        (changed("msh", "4.1 text", "1 7 17 37 77", "1 7 17 37 78"), "an element names node 78"),
        (changed("msh", "4.1 text", "7\n17\n27\n", "7\n17\n17\n"), "node 17 comes twice"),
        (changed("vtk", "3.0 text", "4 0 1 3 7", "4 0 1 3 8"), "names point 8, but there are 8"),
        (changed("vtk", "3.0 text", "4 0 1 3 7", "4 0 1 3 -7"), "names point -7"),
        (changed("vtu", "text", "0 1 3 7 ", "0 1 3 1.5 "), "connectivity 3 (from 0) is 1.5, which is no index"),
        (
            changed("ele", "from 1", "1 1 2 4 8", "1 1 2 4 9"),
            "line 2 of the .ele file: node 9 is named, but there are 8",
        ),
        (changed("ele", "from 1", "1 1 2 4 8", "1 0 2 4 8"), "node 0 is named"),
        (changed("node", "from 1", "3 -0.25 0.5 -0.25", "4 -0.25 0.5 -0.25"), "point 4 comes where 3 is due"),
        // Not finite.
        (changed("obj", "triangles", "v -0.25", "v nan"), "line 2: \"nan\" is not finite"),
        (changed("obj", "triangles", "v -0.25", "v 1e999"), "line 2: \"1e999\" is not finite"),
        (changed("ply", "text", "\n-0.25", "\ninf"), "Line 12: "),
        (patched("ply", "little", ply_data, &nan), "x of point 0 (from 0) is NaN"),
        (changed("stl", "text", "vertex -0.25", "vertex nan"), "line 4: a coordinate is NaN"),
        (patched("stl", "binary", 84 + 12, &nan), "triangle 0 (from 0) has the coordinate NaN"),
        (changed("msh", "2.2 text", "1 -0.25", "1 inf"), "line 10: a coordinate is inf"),
        (changed("msh", "4.1 text", "-0.25 -0.25 -0.25", "nan 0 0"), "a coordinate is NaN"),
        (patched("vtk", "3.0 binary", vtk_points, &f32::INFINITY.to_be_bytes()), "x of point 0 (from 0) is inf"),
        (changed("vtu", "text", "ascii\">-0.25", "ascii\">NaN"), "x of point 0 (from 0) is NaN"),
        (changed("node", "from 0", "0 -0.25", "0 nan"), "a coordinate of point 0 is NaN"),
        // Headers that claim gigabytes.
        (changed("ply", "text", "vertex 8", "vertex 9999999999"), "announces 9999999999 elements"),
        (changed("ply", "text", "face 6", "face 9999999999"), "announces 9999999999 elements"),
        (changed("ply", "text", "element face 6", "element empty 9999999999\nelement face 6"), "9999999999 elements"),
        (patched("stl", "binary", 80, &huge4), "200000000 triangles of 50 bytes are announced"),
        (patched("ply", "little", ply_data + 8 * 13, &[255]), "ply"),
        (changed("gltf", "embedded", "\"count\":24", "\"count\":9999999999"), "reaches beyond its buffer"),
        (changed("gltf", "embedded", "\"byteLength\":288", "\"byteLength\":9999999999"), "reaches beyond its buffer"),
        (changed("gltf", "embedded", "\"byteLength\":552", "\"byteLength\":9999999999"), "announces 9999999999 bytes"),
        (patched("glb", "binary", 12, &huge4), "the JSON chunk is not whole"),
        (patched("glb", "binary", 8, &huge4), "200000000 bytes are announced"),
        (changed("msh", "2.2 text", "$Nodes\n8", "$Nodes\n9999999999"), "9999999999 nodes are announced"),
        (changed("msh", "2.2 text", "$Elements\n7", "$Elements\n9999999999"), "9999999999 elements are announced"),
        (changed("msh", "4.1 text", "1 1 1 3\n", "1 1 1 9999999999\n"), "9999999999 nodes are announced"),
        (changed("msh", "4.1 text", "3 1 4 6\n", "3 1 4 9999999999\n"), "9999999999 elements are announced"),
        (
            patched("msh", "4.1 little", find("msh", "4.1 little", b"$Nodes\n"), &[0xff; 8]),
            "blocks of nodes are announced",
        ),
        (changed("vtk", "3.0 text", "POINTS 8", "POINTS 9999999999"), "29999999997 coordinates are announced"),
        (changed("vtk", "3.0 text", "CELLS 6 30", "CELLS 6 9999999999"), "9999999999 numbers of cells are announced"),
        (changed("vtk", "3.0 text", "CELLS 6 30", "CELLS 9999999999 30"), "ends within cell 6"),
        (changed("vtk", "5.1 text", "CELLS 7 24", "CELLS 9999999999 24"), "9999999999 offsets are announced"),
        (
            changed("vtu", "text", "NumberOfPoints=\"8\"", "NumberOfPoints=\"9999999999\""),
            "announces \"9999999999\" points",
        ),
        (patched("vtu", "raw, zlib", raw, &[0xff; 8]), "Points: "),
        (patched("vtu", "raw, zlib", raw + 8, &[0x00, 0xe4, 0x0b, 0x54, 2, 0, 0, 0]), "cannot hold 10000000000"),
        (changed("node", "from 0", "8 3 0 1", "9999999999 3 0 1"), "9999999999 points are announced"),
        (changed("ele", "from 0", "6 4 0", "9999999999 4 0"), "9999999999 tetrahedra are announced"),
        // Images, and coordinates beyond all measures.
        (
            changed("gltf", "textured", "image/png;base64,", "image/png;base64,*"),
            "image 0 (from 0) is embedded, and damaged",
        ),
        (
            changed("gltf", "textured", "image/png;base64,", "image/png,"),
            "image 0 (from 0) is embedded, but not as base64",
        ),
        (changed("gltf", "textured", "data:image/png;base64,", "../../secret/"), "image 0 (from 0) is \"../../secret/"),
        (changed("gltf", "textured", "\"materials\":[", "\"materials\":[7,"), "a material is 7, which is no object"),
        (
            patched("glb", "textured", find("glb", "textured", b"\"images\":[{\"bufferView\":"), b"9"),
            "image 0 (from 0) names a view that is not there",
        ),
        (
            patched("glb", "textured", find("glb", "textured", b"\"byteOffset\":552,\"byteLength\":"), b"99"),
            "image 0 (from 0) reaches beyond its buffer",
        ),
        (patched("glb", "binary", 20, b"this is no JSON"), "its document is no JSON, from line 1, column 2 on"),
        (changed("obj", "triangles", "v -0.25", "v 1e30"), "point 0 (from 0) is at 1.000e30"),
        (changed("ply", "text", "\n-0.25", "\n1e30"), "coordinates must be at most 1e12 m"),
        (changed("msh", "2.2 text", "1 -0.25", "1 -1e30"), "coordinates must be at most 1e12 m"),
        // Versions and kinds that are not read.
        (changed("ply", "text", "ascii 1.0", "ascii 2.0"), "this is PLY 2.0"),
        (patched("glb", "binary", 4, &[1]), "this is glTF 1"),
        (changed("gltf", "embedded", "\"version\":\"2.0\"", "\"version\":\"1.0\""), "this is glTF 1.0"),
        (
            changed(
                "gltf",
                "embedded",
                "\"scene\":0",
                "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"scene\":0",
            ),
            "KHR_draco_mesh_compression",
        ),
        (
            changed("msh", "4.1 text", "4.1 0 8", "4.0 0 8"),
            "version 4.0 is not read; export the mesh as version 4.1 or 2.2",
        ),
        (changed("msh", "2.2 text", "2.2 0 8", "1 0 8"), "version 1 is not read"),
        (changed("msh", "2.2 text", "3 4 2 1 1", "3 5 2 1 1"), "hexahedron"),
        (changed("vtk", "3.0 text", "UNSTRUCTURED_GRID", "POLYDATA"), "an UNSTRUCTURED_GRID is needed"),
        (changed("vtk", "3.0 text", "10 10", "12 10"), "hexahedron"),
        (changed("vtu", "text", "\"UnstructuredGrid\"", "\"PolyData\""), "type UnstructuredGrid is needed"),
        (
            changed("vtu", "base64", " byte_order", " compressor=\"vtkLZ4DataCompressor\" byte_order"),
            "vtkLZ4DataCompressor",
        ),
        (changed("vtu", "text", "<?xml version=\"1.0\"?>", "<!DOCTYPE a [<!ENTITY b \"c\">]>"), "XML"),
        (changed("node", "from 0", "8 3 0 1", "8 2 0 1"), "2 dimensions"),
        // Solids that are none; for surfaces see drawn.rs.
        (changed("msh", "2.2 text", "4 2 1 1 1 2 4 8", "4 2 1 1 1 1 4 8"), "names node 0 twice"),
        (changed("msh", "2.2 text", "4 2 1 1 1 2 4 8", "4 2 1 1 1 2 5 8"), "share one face"),
        (changed("msh", "2.2 text", "4 2 1 1 1 2 4 8", "4 2 1 1 1 2 4 3"), "is flat"),
    ];
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(sample, expected)| {
            let folder = folder();
            let input = folder.write_sample(sample);
            let output = folder.run(&cook(input.to_str().unwrap()));
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            let named = text.contains(&format!("cube.{}: ", sample.end)) && text.contains(expected);
            let right = output.status.code() == Some(1) && named && text.trim_end().lines().count() == 1;
            (!right).then(|| format!("{:?}, {expected:?} is not said: {text}", output.status.code()))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("command: {} kinds of mistakes, each named", cases.len());
}

#[test]
fn paths_that_lead_nowhere_have_their_own_code() {
    let folder = folder();
    folder.write("cube.obj", &named("obj", "triangles").bytes);
    folder.write("alone.node", &named("node", "from 0").bytes);
    std::fs::create_dir(folder.path("sub.obj")).unwrap();
    folder.fails(&cook("nowhere.obj"), 3, &["nowhere.obj: there is no such file"]);
    folder.fails(&cook("sub.obj"), 3, &["sub.obj: this is a folder"]);
    folder.fails(&cook("alone.node"), 3, &["alone.ele: there is no such file"]);
    folder.fails(&["cook", "cube.obj", "-o", "no/such/out.fracas"], 3, &["the folder no/such does not exist"]);
    folder.fails(&["cook", "cube.obj", "-o", "sub.obj"], 3, &["sub.obj: this is a folder"]);
    folder.fails(&["info", "nowhere.fracas"], 3, &["nowhere.fracas: "]);
    folder.fails(&["info", "."], 3, &[".: this is a folder"]);
    folder.fails(&["info", "/dev/zero"], 3, &["/dev/zero: this is no plain file"]);
    folder.fails(&["fracture", "nowhere.fracas", "-o", "x.glb"], 3, &["nowhere.fracas: "]);
    folder.fails(&["contacts", "nowhere.fracas", "nowhere.fracas"], 3, &["nowhere.fracas: "]);
    // Nothing is written when something is wrong.
    assert!(!folder.path("out.fracas").exists() && !folder.path("x.glb").exists());
}

#[test]
fn saved_files_that_are_damaged_are_refused() {
    let folder = folder();
    folder.write("cube.msh", &named("msh", "4.1 text").bytes);
    folder.json(&["cook", "cube.msh", "-o", "cube.fracas"]);
    let bytes = std::fs::read(folder.path("cube.fracas")).unwrap();
    for part in [0, 5, 30, 200, bytes.len() / 2, bytes.len() - 1] {
        folder.write("bad.fracas", &bytes[..part]);
        folder.fails(&["info", "bad.fracas"], 1, &["bad.fracas: "]);
        folder.fails(&["fracture", "bad.fracas"], 1, &["bad.fracas: "]);
        folder.fails(&["contacts", "bad.fracas", "cube.fracas"], 1, &["bad.fracas: "]);
    }
    folder.fails(&cook("cube.fracas"), 1, &["cube.fracas: this is a file that Fracas saved"]);
    folder.fails(&["info", "cube.msh"], 1, &["cube.msh: ", "nothing that Fracas saved"]);
}
