//! Pictures as others see them: trimesh (closed, volumes, materials, texture coordinates) and the Khronos validator.
//!
//! `scripts/test` installs both below `out/`; without them the checks are skipped, and say so.

mod common;

use common::{Folder, folder, sphere_obj, surfaces};
use fracas::{Asset, CookOptions, Solid, shapes};
use fracas_cli::read::{Mesh, read};
use fracas_cli::weld::weld;
use std::path::{Path, PathBuf};
use std::process::Command;

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A Python that has trimesh and meshio: that of `out/venv`, or any.
fn python() -> Option<PathBuf> {
    let has = |python: &PathBuf| {
        Command::new(python).args(["-c", "import trimesh, meshio, scipy"]).output().is_ok_and(|o| o.status.success())
    };
    [here("../out/venv/bin/python"), "python3".into()].into_iter().find(has)
}

/// A folder in which node finds the validator.
fn validator() -> Option<PathBuf> {
    let node = Command::new("node").arg("--version").output().is_ok_and(|o| o.status.success());
    let folder = here("../out/npm");
    (node && folder.join("node_modules/gltf-validator").exists()).then_some(folder)
}

fn checked(command: &mut Command, file: &str) -> String {
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{file}: {out}{err}");
    out.trim().to_string()
}

fn write(folder: &Folder, name: &str, solid: Solid) -> f64 {
    let volume = solid.volume();
    folder.write(&format!("{name}.fracas"), Asset::cook(solid, &CookOptions::default()).unwrap().save());
    volume
}

#[test]
fn pictures_are_valid_and_closed() {
    let folder = folder();
    let mut pictures = vec![];
    // The last one is a hundred times its size away from the origin, where single precision is felt.
    let far = |solid: Solid| {
        let nodes: Vec<[f64; 3]> = solid.nodes().iter().map(|p| [p.x + 10.0, p.y, p.z - 5.0]).collect();
        Solid::new(&nodes, solid.tets()).unwrap()
    };
    for (name, solid) in [
        ("ball", shapes::ball(0.1, 12)),
        ("brick", shapes::brick(2)),
        ("plate", shapes::plate(0.13, 0.006, 20)),
        ("torus", shapes::torus(0.1, 0.03, 32, 6)),
        ("far", far(shapes::ball(0.1, 12))),
    ] {
        let volume = write(&folder, name, solid);
        for (pattern, arguments) in [
            ("whole", &["--plane", "0 0 99 0 0 1"][..]),
            ("voronoi", &["--pieces", "12", "--explode", "0.4"]),
            ("rough", &["--pieces", "7", "--rough", "0.04", "--generations", "2"]),
            ("planes", &["--plane", "0.001 0 0 1 0 0", "--plane", "0 0.002 0 0 1 0.2"]),
        ] {
            let file = format!("{name}-{pattern}.glb");
            let told = folder.json(&[&["fracture", &format!("{name}.fracas"), "-o", &file], arguments].concat());
            pictures.push((file, volume, told["count"].as_u64().unwrap(), None));
        }
    }
    // What artists made: a sphere with a seam, and a cube of six sides with vertices of their own.
    let (obj, mtl) = sphere_obj();
    folder.write("sphere.obj", obj.replace("blue glaze", "blue_glaze"));
    folder.write("sphere.mtl", mtl.replace("blue glaze", "blue_glaze"));
    folder.write_sample(&surfaces().into_iter().find(|s| s.end == "glb").unwrap());
    std::fs::copy(here("../samples/vase.glb"), folder.path("vase.glb")).unwrap();
    for (artist, pieces, tets) in [("sphere.obj", "9", "3000"), ("cube.glb", "6", "3000"), ("vase.glb", "12", "12000")]
    {
        let Mesh::Surface(surface) = read(&folder.path(artist)).unwrap() else { panic!("{artist} is a surface") };
        let volume = weld(&surface).volume();
        folder.json(&["cook", artist, "-o", "drawn.fracas", "--tets", tets, "--grid-cells", "24"]);
        for (pattern, arguments) in [("whole", &["--plane", "0 0 99 0 0 1"][..]), ("voronoi", &["--pieces", pieces])] {
            let file = format!("{artist}-{pattern}.glb");
            let told = folder.json(&[&["fracture", "drawn.fracas", "-o", &file], arguments].concat());
            pictures.push((file, volume, told["count"].as_u64().unwrap(), Some(artist)));
        }
    }
    let contacts = [
        "contacts",
        "ball.fracas",
        "brick.fracas",
        "--move-b",
        "0.12 0 0",
        "--rotate-b",
        "1 1 0 30",
        "--margin",
        "0.01",
    ];
    folder.json(&[&contacts[..], &["-o", "contacts.glb"]].concat());
    folder.json(&["contacts", "ball.fracas", "brick.fracas", "--move-b", "2 0 0", "-o", "apart.glb"]);

    match python() {
        Some(python) => {
            let check = |(file, volume, count, artist): &(String, f64, u64, Option<&str>)| {
                let arguments = [file.clone(), volume.to_string(), count.to_string()];
                let mut command = Command::new(&python);
                command.arg(here("tests/glb/check.py")).args(arguments).args(artist).current_dir(folder.folder.path());
                checked(&mut command, file);
            };
            let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
            std::thread::scope(|scope| {
                for first in 0..workers {
                    let (check, pictures) = (&check, &pictures);
                    scope.spawn(move || pictures.iter().skip(first).step_by(workers).for_each(check));
                }
            });
            let pieces: u64 = pictures.iter().map(|(_, _, count, _)| count).sum();
            println!("pictures: {pieces} pieces in {} files closed and weighed by trimesh", pictures.len());
        }
        None => println!("skipped: pictures for trimesh, since python3 with trimesh and meshio is not here"),
    }
    match validator() {
        Some(npm) => {
            let files = pictures.iter().map(|(file, ..)| file.as_str()).chain(["contacts.glb", "apart.glb"]);
            let mut command = Command::new("node");
            command.arg(here("tests/glb/validate.mjs")).arg(npm.canonicalize().unwrap()).args(files);
            let told = checked(command.current_dir(folder.folder.path()), "pictures");
            assert!(
                told.lines().count() == pictures.len() + 2
                    && told.lines().all(|l| l.starts_with("0 errors, 0 warnings"))
            );
            println!("pictures: {} files without errors and warnings for the Khronos validator", pictures.len() + 2);
        }
        None => println!("skipped: the Khronos validator, since node with gltf-validator is not here"),
    }
}

/// Files that others wrote: trimesh and meshio.
#[test]
fn files_of_other_programs_give_the_same_solid() {
    let Some(python) = python() else {
        return println!("skipped: files of other programs, since python3 with trimesh and meshio is not here");
    };
    let folder = folder();
    let mut command = Command::new(python);
    let told = checked(command.arg(here("tests/formats/write.py")).current_dir(folder.folder.path()), "write.py");
    let files: Vec<&str> = told.lines().collect();
    assert!(files.len() > 15, "{told}");
    // Points in the order of their first use, and the corners of triangles or tetrahedra.
    let content = |file: &str| match read(&folder.path(file)).unwrap() {
        Mesh::Surface(surface) => {
            let welded = weld(&surface);
            (welded.points, welded.triangles.into_flattened())
        }
        Mesh::Tets(mesh) => (mesh.points, mesh.tets.into_flattened()),
    };
    for kind in ["surface", "tets"] {
        let mut alike = files.iter().filter(|f| f.starts_with(kind));
        let first = content(alike.next().unwrap());
        for file in alike {
            let (points, corners) = content(file);
            assert_eq!(corners, first.1, "{file}");
            // Some write fewer digits than others.
            let far = points.as_flattened().iter().zip(first.0.as_flattened()).map(|(a, b)| (a - b).abs());
            assert!(points.len() == first.0.len() && far.fold(0.0, f64::max) < 1e-7, "{file}");
        }
    }
    println!("formats: {} files of trimesh and meshio read alike", files.len());
}
