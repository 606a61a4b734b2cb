//! Artists' surfaces through `cook` and `fracture`: texture coordinates, seams and materials stay, what is broken is repaired
//! or refused with the place, and pieces add up to what the artist made.

mod common;

use common::{Folder, folder, sphere_obj};
use fracas_cli::material::Image;
use fracas_cli::read::{Mesh, Surface, read};
use fracas_cli::weld::weld;
use std::collections::{HashMap, HashSet};

fn surface(folder: &Folder, name: &str) -> Surface {
    match read(&folder.path(name)).unwrap() {
        Mesh::Surface(surface) => surface,
        Mesh::Tets(_) => panic!("{name} has tetrahedra"),
    }
}

fn names(surface: &Surface) -> Vec<&str> {
    (0..surface.palette.len()).map(|k| surface.palette.name(k)).collect()
}

/// Edges that are passed in one direction more often than in the other.
fn open_edges(triangles: &[[u32; 3]]) -> usize {
    let mut balance: HashMap<[u32; 2], i64> = HashMap::new();
    for [a, b] in triangles.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]) {
        *balance.entry([a.min(b), a.max(b)]).or_default() += if a < b { 1 } else { -1 };
    }
    balance.values().filter(|n| **n != 0).count()
}

fn remarks(told: &serde_json::Value) -> String {
    told["remarks"].as_array().unwrap().iter().map(|r| r.as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

const FEW: [&str; 4] = ["--tets", "2500", "--grid-cells", "24"];

fn cook(folder: &Folder, name: &str, more: &[&str]) -> serde_json::Value {
    folder.json(&[&["cook", name, "-o", "out.fracas"][..], &FEW, more].concat())
}

/// Area of the texture under each material.
fn texture_areas(surface: &Surface) -> HashMap<String, f64> {
    let mut areas = HashMap::new();
    for (t, material) in surface.triangles.iter().zip(&surface.materials) {
        let [a, b, c] = t.map(|v| surface.uvs[v as usize]);
        let twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        *areas.entry(surface.palette.name(*material as usize).to_string()).or_default() += 0.5 * twice.abs();
    }
    areas
}

#[test]
fn pieces_are_drawn_by_what_the_artist_made() {
    let folder = folder();
    let (obj, mtl) = sphere_obj();
    folder.write("sphere.obj", obj);
    folder.write("sphere.mtl", mtl);
    let told = cook(&folder, "sphere.obj", &[]);
    assert_eq!(told["drawing"]["materials"], serde_json::json!(["red_glaze", "blue glaze"]));
    assert_eq!((&told["drawing"]["closed"], &told["drawing"]["triangles"]), (&true.into(), &960.into()));
    assert_eq!(folder.json(&["info", "out.fracas"])["drawing"], told["drawing"]);

    let artist = surface(&folder, "sphere.obj");
    // Positions are in single precision, from each piece's own centre.
    let rounded = |p: &[f64; 3]| p.map(|c| (c / 1e-6).round() as i64);
    let mut at: HashMap<[i64; 3], Vec<[f64; 2]>> = HashMap::new();
    artist.points.iter().zip(&artist.uvs).for_each(|(p, uv)| at.entry(rounded(p)).or_default().push(*uv));
    assert!(at.values().any(|uvs| uvs.len() > 1), "the seam has places with two texture coordinates");
    let volume = weld(&artist).volume();

    for pattern in [&["--pieces", "7"][..], &["--plane", "0 0.013 0 0.2 1 0.1"], &["--pieces", "5", "--rough", "0.03"]]
    {
        let told = folder.json(&[&["fracture", "out.fracas", "-o", "pieces.glb"], pattern].concat());
        assert!(told["count"].as_u64().unwrap() > 1 && !remarks(&told).contains("stayed open"), "{told}");
        let pieces = surface(&folder, "pieces.glb");
        let names = names(&pieces);
        assert_eq!(names, ["red_glaze", "blue glaze", "crack"]);
        assert!((pieces.palette.colour(0)[0] - 0.603_827).abs() < 1e-5, "0.8 of sRGB");

        // All pieces at their places: each is closed, and so is the sum; volumes add up to the artist's.
        let welded = weld(&pieces);
        assert_eq!(open_edges(&welded.triangles), 0, "{pattern:?}");
        assert!((welded.volume() / volume - 1.0).abs() < 1e-3, "{} is not {volume}", welded.volume());

        // Where a vertex is the artist's, so are its texture coordinates; what the artist had, is all still there.
        let crack = names.len() as u32 - 1;
        let mut survived = HashSet::new();
        for (t, _) in pieces.triangles.iter().zip(&pieces.materials).filter(|(_, m)| **m != crack) {
            for v in t.map(|v| v as usize) {
                // A little to all sides, since a step of the rounding may be between the two.
                let corner = |k: usize| [0, 1, 2].map(|axis| pieces.points[v][axis] + [-2e-8, 2e-8][k >> axis & 1]);
                let place = (0..8).map(|k| rounded(&corner(k))).find(|place| at.contains_key(place));
                let Some((place, uvs)) = place.map(|place| (place, &at[&place])) else { continue };
                let off = |uv: &[f64; 2]| (0..2).map(|k| (uv[k] - pieces.uvs[v][k]).abs()).fold(0.0, f64::max);
                assert!(uvs.iter().any(|uv| off(uv) < 2e-7), "{:?} is none of {uvs:?}", pieces.uvs[v]);
                survived.insert(place);
            }
        }
        assert_eq!(survived.len(), at.len(), "{pattern:?}");
        let (before, after) = (texture_areas(&artist), texture_areas(&pieces));
        for (name, area) in before {
            assert!((after[&name] / area - 1.0).abs() < 1e-4, "{name}: {} of {area}", after[&name]);
        }
    }

    // Textures are linked where they are, and asked for where they are not.
    let told = folder.json(&["fracture", "out.fracas", "-o", "pieces.glb", "--pieces", "3"]);
    assert!(remarks(&told).contains("the texture red.png is not beside pieces.glb"), "{told}");
    folder.write("red.png", common::IMAGE);
    let told = folder.json(&["fracture", "out.fracas", "-o", "pieces.glb", "--pieces", "3"]);
    assert!(!remarks(&told).contains("texture"));
    assert_eq!(
        surface(&folder, "pieces.glb").palette.image(0),
        Image::kept("red.png", common::IMAGE.to_vec()).as_ref()
    );

    // Without it the pieces are those of the tetrahedra.
    let told = cook(&folder, "sphere.obj", &["--no-drawing"]);
    assert!(told["drawing"].is_null());
    folder.json(&["fracture", "out.fracas", "-o", "pieces.glb", "--pieces", "3"]);
    assert_eq!(names(&surface(&folder, "pieces.glb")), ["skin", "crack"]);
}

/// The faces of an OBJ file, changed.
fn with_faces(obj: &str, change: impl Fn(Vec<String>) -> Vec<String>) -> String {
    let (faces, rest): (Vec<&str>, Vec<&str>) = obj.lines().partition(|line| line.starts_with("f "));
    let faces = change(faces.into_iter().map(String::from).collect());
    // Materials would stand before the wrong faces.
    let rest = rest.into_iter().filter(|line| !line.starts_with("usemtl"));
    rest.map(String::from).chain(faces).map(|line| line + "\n").collect()
}

fn reversed(face: &str) -> String {
    let corners: Vec<&str> = face[2..].split(' ').rev().collect();
    format!("f {}", corners.join(" "))
}

#[test]
fn what_can_be_repaired_is_and_the_summary_says_what() {
    let folder = folder();
    let (obj, _) = sphere_obj();
    folder.write("good.obj", with_faces(&obj, |faces| faces));
    let good = cook(&folder, "good.obj", &[]);
    assert_eq!(remarks(&good), "");
    let volume = good["volume"].as_f64().unwrap();
    let all_but_one = |mut faces: Vec<String>| {
        faces.remove(100);
        faces
    };
    let a_wall = |mut faces: Vec<String>| {
        // Across the inside, at edges that have two faces already.
        faces.push("f 270 275 280".into());
        faces.push("f 270/270/270 271/271/271 280/280/280".into());
        faces
    };
    type Change<'a> = &'a dyn Fn(Vec<String>) -> Vec<String>;
    for (name, change, words) in [
        ("open.obj", &all_but_one as Change, "surface: 1 holes were closed: 4 edges"),
        ("inside-out.obj", &|faces| faces.iter().map(|f| reversed(f)).collect(), "inside out and were turned over"),
        (
            "turned.obj",
            &|faces| faces.iter().enumerate().map(|(k, f)| if k % 5 == 0 { reversed(f) } else { f.clone() }).collect(),
            "triangles were turned to face as their neighbours do",
        ),
        ("twice.obj", &|faces| faces.iter().chain(&faces[..9]).cloned().collect(), "listed twice were dropped"),
        ("wall.obj", &a_wall, "edges have more than two triangles"),
    ] {
        folder.write(name, with_faces(&obj, change));
        let told = cook(&folder, name, &[]);
        assert!(remarks(&told).contains(words), "{name}: {told}");
        assert!((told["volume"].as_f64().unwrap() / volume - 1.0).abs() < 0.01, "{name}: {told}");
        let text = String::from_utf8(folder.run(&["info", "out.fracas"]).stdout).unwrap();
        assert!(text.contains(words), "{name}: {text}");
        // What is drawn faces outwards too.
        if name != "wall.obj" && name != "twice.obj" {
            folder.json(&["fracture", "out.fracas", "-o", "pieces.glb", "--pieces", "4"]);
            let drawn = weld(&surface(&folder, "pieces.glb")).volume();
            assert!((drawn / volume - 1.0).abs() < 0.03, "{name}: {drawn} is not {volume}");
        }
    }
}

#[test]
fn what_has_no_inside_is_refused_with_its_holes() {
    let folder = folder();
    folder.write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    // A box of five sides.
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n";
    folder.write("tray.obj", format!("{corners}f 1 3 4 2\nf 1 2 6 5\nf 2 4 8 6\nf 4 3 7 8\nf 3 1 5 7\n"));
    for name in ["sheet.obj", "tray.obj"] {
        let words = [&format!("{name}: ")[..], "holes", "4 edges, 4.0000 m round at (0.5000, 0.5000", "close them"];
        folder.fails(&["cook", name, "-o", "out.fracas", "--tets", "500"], 1, &words);
    }
    assert!(!folder.path("out.fracas").exists());
}

#[test]
fn samples_are_cooked_by_name() {
    let folder = folder();
    let told = folder.json(&["cook", "--shape", "torus", "-o", "torus.fracas", "--scale", "10", "--grid-cells", "24"]);
    assert_eq!(told["tets"], fracas::shapes::preset::torus().tets().len());
    assert!((told["extent"][0].as_f64().unwrap() - 2.1).abs() < 0.02, "{told}");
    assert!(told["drawing"].is_null());
    folder.fails(&["cook", "--shape", "unicorn", "-o", "x.fracas"], 2, &["possible values", "piggy_bank"]);
    folder.fails(&["cook", "x.obj", "--shape", "torus", "-o", "x.fracas"], 2, &["cannot be used with"]);
}
