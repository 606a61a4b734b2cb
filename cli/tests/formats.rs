//! The same cube from every format and encoding is the same solid.

mod common;

use common::{QUADS, folder, surfaces, volumes};
use fracas_cli::read::{Mesh, Surface, parse, read};
use std::collections::HashSet;

#[test]
fn every_format_gives_the_same_solid() {
    for (samples, tets) in [(surfaces(), None), (volumes(), Some(6))] {
        let mut identities = vec![];
        for sample in &samples {
            let folder = folder();
            let input = folder.write_sample(sample);
            let mut arguments = vec!["cook", input.to_str().unwrap(), "-o", "out.fracas", "--threads", "1"];
            arguments.extend(if tets.is_none() { &["--tets", "300"][..] } else { &[] });
            let told = folder.json(&arguments);
            let name = format!("{} ({})", sample.end, sample.name);
            assert!((told["volume"].as_f64().unwrap() / 0.421875 - 1.0).abs() < 0.5, "{name}: {told}");
            assert!(tets.is_none_or(|n| told["tets"] == n), "{name}: {told}");
            assert_eq!(told["remarks"], serde_json::json!([]), "{name}");
            identities.push((told["identity"].as_str().unwrap().to_string(), name));
        }
        for (identity, name) in &identities {
            assert_eq!(*identity, identities[0].0, "{name} gives another solid than {}", identities[0].1);
        }
    }
}

#[test]
fn texture_coordinates_and_materials_are_kept() {
    let of = |end: &str, name: &str| {
        let sample = surfaces().into_iter().find(|s| s.end == end && s.name == name).unwrap();
        match parse(sample.format, &sample.bytes) {
            Ok(Mesh::Surface(surface)) => surface,
            other => panic!("{other:?}"),
        }
    };
    let quads = of("obj", "quads with seams");
    // A vertex for each pair of a corner and its place in the texture.
    let pairs: HashSet<(u32, usize)> = QUADS.iter().flat_map(|q| q.iter().copied().zip(0..)).collect();
    assert_eq!((quads.points.len(), quads.uvs.len(), quads.normals.len()), (pairs.len(), pairs.len(), pairs.len()));
    let names =
        |surface: &Surface| (0..surface.palette.len()).map(|k| surface.palette.name(k).to_string()).collect::<Vec<_>>();
    assert_eq!(names(&quads), ["side0", "side1"]);
    assert_eq!(quads.materials, [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1]);
    let scene = of("glb", "binary");
    assert_eq!((scene.points.len(), scene.uvs.len()), (24, 24));
    assert_eq!((names(&scene), &scene.materials), (vec!["clay".to_string()], &vec![0; 12]));
    // The second coordinate grows upwards here, and downwards in glTF.
    assert_eq!(&scene.uvs[..4], [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
}

#[test]
fn a_buffer_beside_a_gltf_file_is_read_and_nothing_else() {
    let folder = folder();
    let sample = surfaces().into_iter().find(|s| s.name == "two files").unwrap();
    let path = folder.write_sample(&sample);
    assert!(matches!(read(&path), Ok(Mesh::Surface(_))));
    std::fs::create_dir(folder.path("sub")).unwrap();
    let elsewhere = String::from_utf8(sample.bytes).unwrap().replace("cube.bin", "../cube.bin");
    let path = folder.write("sub/cube.gltf", elsewhere);
    assert!(read(&path).unwrap_err().message.contains("not a plain file beside this one"));
}
