//! What an artist's materials are made of, through `cook` and `fracture`: textures, samplers, transforms, extensions, tangents;
//! and how pieces stand in the GLB file.

mod common;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use common::{Folder, folder, gltf_data, textured_gltf};
use fracas_cli::glb::split;
use fracas_cli::material::Palette;
use serde_json::{Value, json};
use std::path::Path;

const FEW: [&str; 4] = ["--tets", "2500", "--grid-cells", "24"];

/// A small image: PNG by its first bytes, which is all that is looked at.
fn image(content: &str) -> Vec<u8> {
    [&b"\x89PNG\r\n\x1a\n"[..], content.as_bytes()].concat()
}

fn data_uri(bytes: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(bytes))
}

struct Glb {
    root: Value,
    data: Vec<u8>,
}

impl Glb {
    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        let (text, data) = split(&bytes).unwrap();
        Self { root: serde_json::from_slice(text).unwrap(), data: data.unwrap().to_vec() }
    }

    fn view(&self, number: &Value) -> &[u8] {
        let view = &self.root["bufferViews"][number.as_u64().unwrap() as usize];
        let number = |key: &str| view[key].as_u64().unwrap_or(0) as usize;
        &self.data[number("byteOffset")..][..number("byteLength")]
    }

    fn image(&self, number: usize) -> &[u8] {
        self.view(&self.root["images"][number]["bufferView"])
    }

    fn floats<const N: usize>(&self, accessor: &Value) -> Vec<[f64; N]> {
        let accessor = &self.root["accessors"][accessor.as_u64().unwrap() as usize];
        let bytes = self.view(&accessor["bufferView"]).chunks_exact(4);
        let all: Vec<f64> = bytes.map(|b| f32::from_le_bytes(b.try_into().unwrap()).into()).collect();
        all.chunks_exact(N).map(|c| c.try_into().unwrap()).collect()
    }

    fn corners(&self, accessor: &Value) -> Vec<usize> {
        let accessor = &self.root["accessors"][accessor.as_u64().unwrap() as usize];
        let bytes = self.view(&accessor["bufferView"]);
        match accessor["componentType"].as_u64().unwrap() {
            5123 => bytes.chunks_exact(2).map(|b| u16::from_le_bytes(b.try_into().unwrap()) as usize).collect(),
            _ => bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap()) as usize).collect(),
        }
    }
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|k| a[k] - b[k])
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

fn remarks(told: &Value) -> String {
    told["remarks"].as_array().unwrap().iter().map(|r| r.as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

fn cooked(folder: &Folder, name: &str) -> Value {
    folder.json(&[&["cook", name, "-o", "out.fracas"][..], &FEW].concat())
}

#[test]
fn the_sample_vase_keeps_its_looks_and_pieces_turn_about_their_centres() {
    let folder = folder();
    let vase = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/vase.glb");
    assert!(std::fs::metadata(&vase).unwrap().len() < 100_000);
    folder.json(&["cook", vase.to_str().unwrap(), "-o", "vase.fracas", "--tets", "12000", "--grid-cells", "24"]);
    let pieces = |explode: &str| {
        folder.json(&["fracture", "vase.fracas", "-o", "pieces.glb", "--pieces", "7", "--explode", explode]);
        Glb::read(&folder.path("pieces.glb"))
    };
    let (artist, made, apart) = (Glb::read(&vase), pieces("0"), pieces("0.5"));
    let again = pieces("0.5");
    assert!(apart.root == again.root && apart.data == again.data, "the same file in every run");

    for key in ["textures", "samplers", "extensionsUsed"] {
        assert_eq!(artist.root[key], made.root[key], "{key}");
    }
    for k in 0..2 {
        assert_eq!(artist.root["materials"][k], made.root["materials"][k]);
        assert_eq!(artist.root["images"][k]["name"], made.root["images"][k]["name"]);
        assert_eq!(artist.image(k), made.image(k));
    }
    assert_eq!((&made.root["materials"][2]["name"], &made.root["materials"][3]), (&json!("crack"), &Value::Null));

    let centre = folder.json(&["info", "vase.fracas"])["centre"].clone();
    for (k, (node, far)) in
        made.root["nodes"].as_array().unwrap().iter().zip(apart.root["nodes"].as_array().unwrap()).enumerate()
    {
        assert_eq!((&node["name"], &far["name"]), (&json!(format!("piece_{k:03}")), &node["name"]));
        assert_eq!(node["translation"], node["extras"]["centre"]);
        for axis in 0..3 {
            let at = |v: &Value| v[axis].as_f64().unwrap();
            let (own, middle) = (at(&node["translation"]), at(&centre));
            assert!((at(&far["translation"]) - (own + 0.5 * (own - middle))).abs() < 1e-12);
        }
        // The origin of its mesh is the centre of what it encloses.
        let (mut volume, mut moment) = (0.0, [0.0; 3]);
        for primitive in made.root["meshes"][k]["primitives"].as_array().unwrap() {
            let points = made.floats::<3>(&primitive["attributes"]["POSITION"]);
            for t in made.corners(&primitive["indices"]).chunks_exact(3) {
                let [a, b, c] = [points[t[0]], points[t[1]], points[t[2]]];
                let part = dot(cross(a, b), c) / 6.0;
                volume += part;
                (0..3).for_each(|i| moment[i] += part * (a[i] + b[i] + c[i]) / 4.0);
            }
        }
        // Of the drawing mesh, which is not quite that of the tetrahedra.
        let off = moment.map(|m| (m / volume).abs()).into_iter().fold(0.0, f64::max);
        assert!(volume > 0.0 && off < 1e-3, "piece {k} has its centre {off} m away");
        tangents_follow_the_texture(&made, k);
    }
}

/// Tangents are there where a map of normals is, and only there: unit length, across the normal, along the texture.
fn tangents_follow_the_texture(glb: &Glb, mesh: usize) -> [usize; 2] {
    let mut sides = [0; 2];
    for primitive in glb.root["meshes"][mesh]["primitives"].as_array().unwrap() {
        let material = &glb.root["materials"][primitive["material"].as_u64().unwrap() as usize];
        let attributes = &primitive["attributes"];
        assert_eq!(attributes["TANGENT"].is_null(), material["normalTexture"].is_null());
        if attributes["TANGENT"].is_null() {
            continue;
        }
        let tangents = glb.floats::<4>(&attributes["TANGENT"]);
        let normals = glb.floats::<3>(&attributes["NORMAL"]);
        let (points, uvs) = (glb.floats::<3>(&attributes["POSITION"]), glb.floats::<2>(&attributes["TEXCOORD_0"]));
        for (t, n) in tangents.iter().zip(&normals) {
            let along = [t[0], t[1], t[2]];
            assert!((dot(along, along) - 1.0).abs() < 1e-5 && dot(along, *n).abs() < 1e-5 && t[3].abs() == 1.0);
            sides[(t[3] > 0.0) as usize] += 1;
        }
        let (mut area, mut wrong) = (0.0, 0.0);
        for c in glb.corners(&primitive["indices"]).chunks_exact(3) {
            let [e, f] = [1, 2].map(|k| minus(points[c[k]], points[c[0]]));
            // Upwards in the image is against glTF's second coordinate.
            let [p, q] = [1, 2].map(|k| [uvs[c[k]][0] - uvs[c[0]][0], uvs[c[0]][1] - uvs[c[k]][1]]);
            let size = dot(cross(e, f), cross(e, f)).sqrt();
            let turn = p[0] * q[1] - q[0] * p[1];
            area += size;
            if turn.abs() < 1e-9 {
                continue;
            }
            // Where one goes when only the first, or only the second coordinate grows.
            let right = [0, 1, 2].map(|k| (e[k] * q[1] - f[k] * p[1]) / turn);
            let up = [0, 1, 2].map(|k| (f[k] * p[0] - e[k] * q[0]) / turn);
            for k in c {
                let t = tangents[*k];
                let along = [t[0], t[1], t[2]];
                let across = cross(normals[*k], along).map(|c| c * t[3]);
                let share = |a: [f64; 3], b: [f64; 3]| dot(a, b) / dot(b, b).sqrt();
                wrong += if share(along, right) < 0.8 || share(across, up) < 0.8 { size } else { 0.0 };
            }
        }
        assert!(wrong < 0.02 * area, "{wrong} of {area}");
    }
    sides
}

#[test]
fn every_slot_of_a_material_survives() {
    let folder = folder();
    std::fs::create_dir(folder.path("maps")).unwrap();
    folder.write("maps/rough metal.png", image("metallic and rough"));
    let [base, normal, glow] = ["base", "normal", "glow"].map(image);
    let material = json!({
        "name": "all of it",
        "pbrMetallicRoughness": {
            "baseColorFactor": [0.5, 0.25, 1.0, 0.75],
            "metallicFactor": 0.25,
            "roughnessFactor": 0.5,
            "baseColorTexture": { "index": 3, "texCoord": 0 },
            "metallicRoughnessTexture": { "index": 1 },
        },
        "normalTexture": { "index": 2, "scale": 0.5, "extensions": {
            "KHR_texture_transform": { "offset": [0.25, 0.5], "rotation": 0.5, "scale": [2, 3] },
        } },
        "occlusionTexture": { "index": 1, "strength": 0.75 },
        "emissiveTexture": { "index": 4 },
        "emissiveFactor": [1.0, 0.5, 0.25],
        "alphaMode": "MASK",
        "alphaCutoff": 0.25,
        "doubleSided": true,
        "extensions": {
            "KHR_materials_emissive_strength": { "emissiveStrength": 5.0 },
            "KHR_materials_clearcoat": { "clearcoatFactor": 1.0, "clearcoatTexture": { "index": 3 } },
            "ACME_dust": { "texture": 7 },
        },
        "extras": { "anyTexture": { "index": 99 }, "note": "as it is" },
    });
    let mut root: Value = serde_json::from_str(&textured_gltf()).unwrap();
    root["materials"] = json!([material, { "name": "other", "emissiveTexture": { "index": 0 } }]);
    root["textures"] = json!([
        { "source": 4 },
        { "source": 1, "sampler": 1 },
        { "source": 2 },
        { "source": 0, "sampler": 0, "name": "base" },
        { "source": 3 },
    ]);
    root["samplers"] = json!([{ "wrapS": 33648 }, { "magFilter": 9728, "minFilter": 9986 }, { "wrapT": 33071 }]);
    root["images"] = json!([
        { "uri": data_uri(&base), "name": "base" },
        { "uri": "maps/rough%20metal.png" },
        { "uri": data_uri(&normal) },
        { "uri": data_uri(&glow) },
        { "uri": data_uri(&image("of what is not seen")) },
    ]);
    root["extensionsRequired"] = json!(["KHR_texture_transform"]);
    folder.write("cube.gltf", root.to_string());
    let told = cooked(&folder, "cube.gltf");
    assert!(remarks(&told).contains("the extension ACME_dust of a material or texture is not kept"), "{told}");
    assert_eq!(told["drawing"]["images"], 5);
    folder.json(&["fracture", "out.fracas", "-o", "pieces.glb", "--pieces", "4"]);
    let made = Glb::read(&folder.path("pieces.glb"));

    // The other material is not seen, so what only it names is gone, and the rest has new numbers.
    let mut expected = material;
    expected["extensions"].as_object_mut().unwrap().remove("ACME_dust");
    expected["pbrMetallicRoughness"]["baseColorTexture"]["index"] = json!(2);
    expected["pbrMetallicRoughness"]["metallicRoughnessTexture"]["index"] = json!(0);
    expected["normalTexture"]["index"] = json!(1);
    expected["occlusionTexture"]["index"] = json!(0);
    expected["emissiveTexture"]["index"] = json!(3);
    expected["extensions"]["KHR_materials_clearcoat"]["clearcoatTexture"]["index"] = json!(2);
    assert_eq!(made.root["materials"][0], expected);
    assert_eq!(made.root["materials"].as_array().unwrap().len(), 2);
    assert_eq!(
        made.root["textures"],
        json!([{ "source": 1, "sampler": 1 }, { "source": 2 }, { "source": 0, "sampler": 0, "name": "base" }, { "source": 3 }])
    );
    assert_eq!(made.root["samplers"], json!([{ "wrapS": 33648 }, { "magFilter": 9728, "minFilter": 9986 }]));
    let images: Vec<&[u8]> = (0..4).map(|k| made.image(k)).collect();
    assert_eq!(images, [&base[..], &image("metallic and rough"), &normal, &glow]);
    assert_eq!(made.root["images"][1]["name"], "rough metal.png");
    let used = ["KHR_materials_clearcoat", "KHR_materials_emissive_strength", "KHR_texture_transform"];
    assert_eq!((&made.root["extensionsUsed"], &made.root["extensionsRequired"]), (&json!(used), &json!([used[2]])));
    tangents_follow_the_texture(&made, 0);

    // A file that was written is as good as the artist's: it goes round again.
    cooked(&folder, "pieces.glb");
    folder.json(&["fracture", "out.fracas", "-o", "again.glb", "--plane", "0 0 9 0 0 1"]);
    let again = Glb::read(&folder.path("again.glb"));
    assert_eq!(again.root["materials"][0], expected);
    assert_eq!((0..4).map(|k| again.image(k)).collect::<Vec<_>>(), images);
    // Two bodies in one picture.
    folder.json(&["contacts", "out.fracas", "out.fracas", "--move-b", "0.7 0 0", "-o", "both.glb"]);
    let both = Glb::read(&folder.path("both.glb"));
    let first = both.root["materials"].as_array().unwrap().iter().rposition(|m| m["name"] == "all of it").unwrap();
    let texture = both.root["materials"][first]["emissiveTexture"]["index"].as_u64().unwrap() as usize;
    let source = both.root["textures"][texture]["source"].as_u64().unwrap() as usize;
    assert_eq!((both.image(source), both.root["images"].as_array().unwrap().len()), (&glow[..], 8));
}

#[test]
fn mirrored_textures_have_mirrored_tangents() {
    let folder = folder();
    let mut root: Value = serde_json::from_str(&textured_gltf()).unwrap();
    root["materials"] = json!([{ "normalTexture": { "index": 0 } }]);
    // Half of the sides have their texture turned over.
    let mut data = gltf_data();
    for vertex in (0..24).filter(|k| k / 4 % 2 == 0) {
        let at = 288 + 8 * vertex;
        let u = f32::from_le_bytes(data[at..at + 4].try_into().unwrap());
        data[at..at + 4].copy_from_slice(&(1.0 - u).to_le_bytes());
    }
    root["buffers"][0]["uri"] = json!(format!("data:;base64,{}", STANDARD.encode(data)));
    folder.write("cube.gltf", root.to_string());
    cooked(&folder, "cube.gltf");
    folder.json(&["fracture", "out.fracas", "-o", "pieces.glb", "--pieces", "3"]);
    let made = Glb::read(&folder.path("pieces.glb"));
    let pieces = made.root["meshes"].as_array().unwrap().len();
    let sides = (0..pieces).map(|k| tangents_follow_the_texture(&made, k));
    let sides = sides.fold([0; 2], |a, b| [a[0] + b[0], a[1] + b[1]]);
    assert!(sides[0] > 0 && sides[1] > 0, "{sides:?}");
}

#[test]
fn what_of_a_texture_cannot_be_kept_is_told() {
    let folder = folder();
    let told = |change: &dyn Fn(&mut Value)| {
        let mut root: Value = serde_json::from_str(&textured_gltf()).unwrap();
        change(&mut root);
        folder.write("cube.gltf", root.to_string());
        let told = cooked(&folder, "cube.gltf");
        folder.json(&["fracture", "out.fracas", "-o", "pieces.glb", "--plane", "0 0 9 0 0 1"]);
        (remarks(&told), Glb::read(&folder.path("pieces.glb")).root)
    };
    let (text, root) = told(&|_| {});
    assert!(text.is_empty() && root["images"].is_array(), "{text}");
    let base = |root: &Value| root["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"].clone();
    assert_eq!(base(&root), json!({ "index": 0 }));

    let (text, root) = told(&|root| root["images"][0] = json!({ "uri": data_uri(b"GIF89a") }));
    assert!(text.contains("image 0 (from 0) is of no format that glTF has"), "{text}");
    assert!(base(&root).is_null() && root["images"].is_null() && root["textures"].is_null());
    let (text, root) = told(&|root| {
        root["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = json!({ "index": 0, "texCoord": 1 });
    });
    assert!(text.contains("second set of texture coordinates") && base(&root).is_null(), "{text}");
    let (text, root) = told(&|root| root["textures"][0] = json!({ "sampler": 0 }));
    assert!(text.contains("textures without an image") && base(&root).is_null(), "{text}");
    let (text, _) = told(&|root| root["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = json!(0));
    assert!(text.contains("colours of vertices are not kept"), "{text}");
    // A file that is not there is looked for beside what is written.
    let (text, root) = told(&|root| root["images"][0] = json!({ "uri": "maps/a%20b.png" }));
    assert!(text.contains("the texture maps/a b.png is not there") && base(&root).is_null(), "{text}");
    folder.write("a b.png", image("late"));
    folder.json(&["fracture", "out.fracas", "-o", "pieces.glb"]);
    assert_eq!(Glb::read(&folder.path("pieces.glb")).root["images"], json!([{ "uri": "a%20b.png" }]));

    // What glTF does not allow in a material does not travel on.
    let (_, root) = told(&|root| {
        root["materials"][0] =
            json!({ "name": 7, "alphaMode": "glass", "doubleSided": 1, "emissiveFactor": [9, 0, 0] });
    });
    assert_eq!(root["materials"][0], json!({}));
}

/// A small file must not become gigabytes.
#[test]
fn images_may_not_overlap() {
    let folder = folder();
    let mut root: Value = serde_json::from_str(&textured_gltf()).unwrap();
    let with = |root: &mut Value, views: &[[usize; 2]]| {
        for (k, [start, length]) in views.iter().enumerate() {
            root["bufferViews"][3 + k] = json!({ "buffer": 0, "byteOffset": start, "byteLength": length });
        }
        root["images"] = views.iter().enumerate().map(|(k, _)| json!({ "bufferView": 3 + k })).collect();
        root["textures"] = (0..views.len()).map(|k| json!({ "source": k })).collect();
        root["materials"][0]["normalTexture"]["index"] = json!(views.len() - 1);
    };
    root["bufferViews"].as_array_mut().unwrap().extend([Value::Null, Value::Null]);
    with(&mut root, &[[0, 500], [100, 400]]);
    folder.write("cube.gltf", root.to_string());
    folder.fails(&["cook", "cube.gltf", "-o", "x.fracas"], 1, &["cube.gltf: image 1 (from 0) overlaps another image"]);
    // The same twice is once.
    with(&mut root, &[[0, 500], [0, 500]]);
    folder.write("cube.gltf", root.to_string());
    cooked(&folder, "cube.gltf");
}

#[test]
fn an_mtl_file_brings_its_texture() {
    let folder = folder();
    let (obj, mtl) = common::sphere_obj();
    folder.write("sphere.obj", obj);
    folder.write("sphere.mtl", mtl);
    std::fs::create_dir(folder.path("textures")).unwrap();
    folder.write("textures/red.png", image("red"));
    cooked(&folder, "sphere.obj");
    let told = folder.json(&["fracture", "out.fracas", "-o", "pieces.glb", "--pieces", "3"]);
    assert!(!remarks(&told).contains("texture"), "{told}");
    assert_eq!(Glb::read(&folder.path("pieces.glb")).image(0), image("red"));
}

#[test]
fn notes_of_any_kind_are_read_without_a_panic() {
    let palette = Palette::from_notes(br#"{"materials":[{"name":"old","colour":[0.5,0,0,1],"texture":null}]}"#);
    assert_eq!((palette.name(0), palette.colour(0)), ("old", [0.5, 0.0, 0.0, 1.0]));
    for notes in [&b""[..], b"glTF", b"nothing", b"{\"materials\":[7]}", b"{\"materials\":{}}", &[0xff; 40]] {
        assert!(Palette::from_notes(notes).is_empty());
    }
}
