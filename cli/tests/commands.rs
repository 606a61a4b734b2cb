//! Every subcommand, run as a process.

mod common;

use common::{Folder, folder, surfaces, volumes};
use fracas::{Asset, CookOptions, Object, shapes};
use serde_json::Value;

/// A folder with a ball, as an asset.
fn with_ball(cells: usize) -> Folder {
    let folder = folder();
    let asset = Asset::cook(shapes::ball(0.1, cells), &CookOptions { density: 2000.0, ..Default::default() }).unwrap();
    folder.write("ball.fracas", asset.save());
    folder
}

fn close(a: &Value, b: f64, within: f64) {
    let a = a.as_f64().unwrap();
    assert!((a - b).abs() <= within, "{a} is not {b}");
}

fn sum(told: &Value, of: &str) -> f64 {
    told["objects"].as_array().unwrap().iter().map(|o| o[of].as_f64().unwrap()).sum()
}

#[test]
fn help_names_examples_and_exit_codes() {
    let folder = folder();
    for arguments in
        [&["--help"][..], &["cook", "--help"], &["info", "--help"], &["fracture", "--help"], &["contacts", "--help"]]
    {
        let output = folder.run(arguments);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success());
        assert!(text.contains(if arguments.len() > 1 { "Examples:" } else { "Exit codes:" }), "{text}");
    }
    assert!(String::from_utf8(folder.run(&["--version"]).stdout).unwrap().starts_with("fracas 0"));
}

#[test]
fn wrong_calls_end_with_code_2() {
    let folder = with_ball(4);
    let mesh = volumes().into_iter().find(|s| s.end == "msh").unwrap();
    folder.write_sample(&mesh);
    let surface = surfaces().into_iter().find(|s| s.end == "obj").unwrap();
    folder.write_sample(&surface);
    for (arguments, word) in [
        (&[][..], "Usage"),
        (&["melt"], "melt"),
        (&["cook"], "INPUT"),
        (&["cook", "cube.msh"], "--output"),
        (&["cook", "cube.msh", "-o", "cube.msh"], "would be overwritten"),
        (&["cook", "cube.msh", "-o", "./cube.msh"], "would be overwritten"),
        (&["cook", "cube.msh", "-o", "x.fracas", "--density", "-1"], "--density"),
        (&["cook", "cube.msh", "-o", "x.fracas", "--scale", "0"], "above zero"),
        (&["cook", "cube.obj", "-o", "x.fracas", "--edge", "1", "--tets", "5"], "cannot be used with"),
        (&["cook", "cube.obj", "-o", "x.fracas", "--edge", "1e-5"], "ask for longer edges"),
        (&["cook", "cube.msh", "-o", "x.fracas", "--grid-max-bytes", "lots"], "8M"),
        (&["cook", "cube.msh", "-o", "x.fracas", "--threads", "0"], "--threads"),
        (&["fracture", "ball.fracas", "--plane", "0 0 0 0 0 0"], "no direction"),
        (&["fracture", "ball.fracas", "--impact", "0 0"], "x y z are 3"),
        (&["fracture", "ball.fracas", "--impact", "0 0 nan"], "finite"),
        (&["fracture", "ball.fracas", "--direction", "0 0 1"], "--impact"),
        (&["fracture", "ball.fracas", "--rough", "0.5"], "0.05"),
        (&["fracture", "ball.fracas", "--object", "3"], "--object is 3"),
        (&["fracture", "ball.fracas", "-o", "x.glb", "--save", "x.glb"], "same file"),
        (&["fracture", "ball.fracas", "--save", "ball.fracas"], "would be overwritten"),
        (&["contacts", "ball.fracas"], "<B>"),
        (&["contacts", "ball.fracas", "ball.fracas"], "the same object at the same place"),
        (&["contacts", "ball.fracas", "ball.fracas", "--pose-b", "1 2"], "a pose is"),
        (&["contacts", "ball.fracas", "ball.fracas", "--pose-b", "0 0 0 0 0 0 0"], "quaternion is zero"),
        (&["contacts", "ball.fracas", "ball.fracas", "--mode", "some"], "full"),
        (&["contacts", "ball.fracas", "ball.fracas", "--object-b", "9"], "--object-b is 9"),
    ] {
        folder.fails(arguments, 2, &[word]);
    }
    assert!(!folder.path("x.fracas").exists() && !folder.path("x.glb").exists());
}

#[test]
fn failures_are_objects_too_with_json() {
    let folder = folder();
    let output = folder.run(&["info", "nowhere", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &told["code"]), (Some(3), &Value::from(3)));
    assert!(told["error"].as_str().unwrap().contains("nowhere"));
}

#[test]
fn cook_makes_what_the_library_makes() {
    let folder = folder();
    let mesh = volumes().into_iter().find(|s| s.name == "4.1 little").unwrap();
    folder.write_sample(&mesh);
    let told = folder.json(&["cook", "cube.msh", "-o", "cube.fracas", "--density", "2500", "--grid-cells", "16"]);
    close(&told["volume"], 0.75f64.powi(3), 1e-12);
    close(&told["mass"], 2500.0 * 0.75f64.powi(3), 1e-9);
    assert_eq!(told["bodies"], 1);
    assert!(told["thinnest_wall"].as_f64().unwrap() > 0.0 && told["seconds"].as_f64().unwrap() >= 0.0);
    let bytes = std::fs::read(folder.path("cube.fracas")).unwrap();
    assert_eq!(told["bytes"], bytes.len());
    let asset = Asset::load(&bytes).unwrap();
    assert_eq!(told["identity"], format!("{:016x}", asset.identity()));
    assert_eq!((asset.density(), asset.solid().tets().len()), (2500.0, 6));

    // The output is as open to others as any new file, nothing lies beside it, and text says the same.
    let names: Vec<_> = std::fs::read_dir(folder.folder.path()).unwrap().map(|f| f.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name: &str| std::fs::metadata(folder.path(name)).unwrap().permissions().mode();
        assert_eq!(mode("cube.fracas"), mode("cube.msh"));
    }
    let text = folder.run(&["info", "cube.fracas"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("6 tetrahedra, 8 nodes, 12 triangles of skin, 1 connected body"), "{text}");
    assert_eq!(folder.json(&["info", "cube.fracas"])["identity"], told["identity"]);
}

#[test]
fn cook_converts_units_and_axes() {
    let folder = folder();
    let (nodes, tets) = ("4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 2 0\n3 0 0 3\n", "1 4 0\n0 0 1 2 3\n");
    folder.write("t.node", nodes);
    folder.write("t.ele", tets);
    let extent = |arguments: &[&str]| {
        let told = folder.json(&[&["cook", "t.node", "-o", "t.fracas"], arguments].concat());
        told["extent"].as_array().unwrap().iter().map(|c| c.as_f64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(extent(&[]), [1.0, 2.0, 3.0]);
    assert_eq!(extent(&["--up", "y"]), [1.0, 2.0, 3.0]);
    assert_eq!(extent(&["--up", "z", "--scale", "0.5"]), [0.5, 1.5, 1.0]);
    let told = folder.json(&["cook", "t.node", "-o", "t.fracas", "--edge", "0.1"]);
    assert_eq!(told["remarks"][0], "the input has tetrahedra already, so --edge did nothing");
}

#[test]
fn cook_fills_a_surface_with_as_many_tetrahedra_as_asked() {
    let folder = folder();
    let cube = surfaces().into_iter().find(|s| s.end == "ply").unwrap();
    folder.write_sample(&cube);
    let count = |arguments: &[&str]| {
        let told = folder.json(&[&["cook", "cube.ply", "-o", "cube.fracas"], arguments].concat());
        told["tets"].as_f64().unwrap()
    };
    let (few, many) = (count(&["--tets", "500"]), count(&["--tets", "8000"]));
    assert!((100.0..2500.0).contains(&few) && (2000.0..40000.0).contains(&many), "{few} and {many}");
    assert!(count(&["--edge", "0.05"]) > count(&["--edge", "0.2"]));
    assert_eq!(count(&["--exact"]), 12.0, "one for each triangle of the cube");
    let again = count(&["--tets", "500", "--threads", "3"]);
    assert_eq!(few, again);
}

#[test]
fn outputs_go_through_links_and_to_devices() {
    let folder = with_ball(4);
    #[cfg(unix)]
    {
        folder.write("old.glb", "old");
        std::os::unix::fs::symlink("old.glb", folder.path("link.glb")).unwrap();
        folder.json(&["fracture", "ball.fracas", "-o", "link.glb"]);
        assert!(folder.path("link.glb").is_symlink());
        assert!(std::fs::read(folder.path("old.glb")).unwrap().starts_with(b"glTF"));
        // An input by another name is an input.
        std::os::unix::fs::symlink("ball.fracas", folder.path("again.fracas")).unwrap();
        folder.fails(&["fracture", "ball.fracas", "--save", "again.fracas"], 2, &["would be overwritten"]);
        folder.json(&["fracture", "ball.fracas", "-o", "/dev/null"]);
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    }
}

#[test]
fn all_patterns_break_the_ball_into_parts_that_add_up() {
    let folder = with_ball(10);
    let ball = folder.json(&["info", "ball.fracas"]);
    let (mass, nodes) = (ball["mass"].as_f64().unwrap(), ball["nodes"].as_u64().unwrap());
    folder.write("seeds.csv", "# three points\n0.05 0 0\n-0.05, 0.01, 0\n\n0;0.05;0.02\n");
    folder.write("labels.txt", (0..nodes).map(|k| format!("{}\n", k % 2)).collect::<String>());
    folder.write("far.csv", "0.05 0 0\n-0.05 0 0\n9 0 0\n");
    folder.write("few.txt", "0\n1\n");
    folder.write("gaps.txt", "0 1 0.002\n");
    folder.write("cuts.txt", "0 1 0.4\n");
    for (arguments, least, most) in [
        (&["--pieces", "6"][..], 6, 8),
        (&["--pieces", "6", "--rough", "0.03", "--wavelength", "3"], 5, 10),
        (&["--plane", "0 0 0 0 0 1"], 2, 2),
        (&["--plane", "0 0 0 0 0 1", "--plane", "-0.01 0 0 -1 0 0"], 4, 4),
        (&["--seeds", "seeds.csv"], 3, 3),
        (&["--impact", "0 0 0.1", "--pieces", "10"], 6, 14),
        (&["--impact", "0 0 0.1", "--direction", "0 0 -1", "--radius", "0.15", "--pieces", "12"], 8, 16),
        (&["--labels", "labels.txt"], 2, 3000),
        (&["--labels", "labels.txt", "--gaps", "gaps.txt"], 2, 3000),
        (&["--pieces", "3", "--generations", "3"], 10, 60),
        (&["--pieces", "30", "--max-pieces", "5"], 5, 5),
        (&["--pieces", "30", "--min-radius", "0.09"], 2, 12),
        (&["--pieces", "30", "--min-share", "0.04"], 2, 25),
        (&["--plane", "0 0 9 0 0 1"], 1, 1),
    ] {
        let told = folder.json(&[&["fracture", "ball.fracas"], arguments].concat());
        let count = told["count"].as_u64().unwrap();
        assert!((least..=most).contains(&count), "{arguments:?} makes {count} pieces");
        assert!((sum(&told, "mass") / mass - 1.0).abs() < 1e-9, "{arguments:?}");
    }
    let twice = || folder.json(&["fracture", "ball.fracas", "--seed", "5"])["objects"].clone();
    assert_eq!(twice(), twice());
    assert_ne!(twice(), folder.json(&["fracture", "ball.fracas", "--seed", "6"])["objects"]);
    let whole = folder.json(&["fracture", "ball.fracas", "--plane", "0 0 9 0 0 1"]);
    assert!(whole["remarks"][0].as_str().unwrap().contains("nothing was cut"));
    let told = folder.json(&["fracture", "ball.fracas", "--seeds", "far.csv"]);
    assert_eq!((&told["count"], &told["vanished_cells"]), (&Value::from(2), &Value::from(1)));
    assert_eq!(told["remarks"][0], "1 cell of the pattern has no volume in the body, and makes no piece");
    folder.fails(&["fracture", "ball.fracas", "--min-radius", "-1"], 2, &["--min-radius", "zero or more"]);
    folder.fails(
        &["fracture", "ball.fracas", "-o", "x.glb", "--explode", "1e41"],
        1,
        &["too far away for single precision"],
    );
    folder.fails(&["fracture", "ball.fracas", "--labels", "few.txt"], 1, &["few.txt: 2 labels are there"]);
    folder.fails(&["fracture", "ball.fracas", "--seeds", "labels.txt"], 1, &["labels.txt: line 1 is \"0\""]);
    folder.fails(&["fracture", "ball.fracas", "--labels", "seeds.csv"], 1, &["seeds.csv: line 2"]);
}

/// A body of a car and its four wheels are one asset: --pieces is how many the whole of it becomes.
#[test]
fn bodies_of_an_asset_share_the_pieces() {
    let folder = folder();
    // Three boxes, 1, 2 and 6 m long, of five tetrahedra each.
    let (mut nodes, mut tets) = ("24 3 0 0\n".to_string(), "15 4 0\n".to_string());
    for (body, length) in [1, 2, 6].into_iter().enumerate() {
        for k in 0..8 {
            nodes += &format!("{} {} {} {}\n", 8 * body + k, (k & 1) * length, (k >> 1 & 1) + 3 * body, k >> 2);
        }
        for (k, tet) in [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]].into_iter().enumerate() {
            tets += &format!("{} {}\n", 5 * body + k, tet.map(|n| (8 * body + n).to_string()).join(" "));
        }
    }
    folder.write("three.node", nodes);
    folder.write("three.ele", tets);
    folder.json(&["cook", "three.node", "-o", "three.fracas"]);
    let told = folder.json(&["fracture", "three.fracas", "--pieces", "18", "--save", "pieces.fracas"]);
    assert_eq!((&told["count"], &told["cells"]), (&Value::from(18), &Value::from(18)), "{told}");
    let remark = "the asset is 3 bodies that are not connected; they share 18 cells by volume: 2, 4, 12";
    assert_eq!(told["remarks"][0], remark);
    // Fewer cells than bodies: each stays at least whole. One of them alone gets all cells.
    assert_eq!(folder.json(&["fracture", "three.fracas", "--pieces", "2"])["count"], 3);
    let alone = folder.json(&["fracture", "three.fracas", "--pieces", "7", "--object", "1"]);
    assert_eq!((&alone["count"], alone["remarks"].as_array().unwrap().len()), (&Value::from(9), 0));
    // Saved objects break into so many each, and pictures into as many as are asked for.
    let again = folder.json(&["fracture", "pieces.fracas", "--asset", "three.fracas", "--pieces", "2"]);
    assert_eq!(again["count"], 36);
    assert_eq!(again["remarks"][0], "each of the 18 objects is broken into 2 cells");
    let drawn = ["render", "three.fracas", "-o", "three.png", "--fracture", "18", "--size", "20x20"];
    assert_eq!(folder.json(&drawn)["count"], 18);
}

/// More pieces than cells are not made without a word: a cell may hold the tips of both prongs of a fork, and nothing between.
#[test]
fn a_cell_in_parts_is_said_to_be_several_pieces() {
    let folder = folder();
    // Unit cubes in the shape of a U, each of six tetrahedra along its diagonal.
    let cubes: Vec<[usize; 2]> = (0..4).flat_map(|y| [[0, y], [2, y]]).chain([[1, 0]]).collect();
    let (mut nodes, mut tets) = ("40 3 0 0\n".to_string(), format!("{} 4 0\n", 6 * cubes.len()));
    let node = |x: usize, y: usize, z: usize| x + 4 * y + 20 * z;
    for k in 0..40 {
        nodes += &format!("{k} {} {} {}\n", k % 4, k / 4 % 5, k / 20);
    }
    for (cube, [x, y]) in cubes.into_iter().enumerate() {
        for (k, order) in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]].into_iter().enumerate() {
            let mut at = [x, y, 0];
            let mut corners = vec![node(at[0], at[1], at[2])];
            for axis in order {
                at[axis] += 1;
                corners.push(node(at[0], at[1], at[2]));
            }
            if k >= 3 {
                corners.swap(2, 3); // odd orders turn the other way
            }
            let corners: Vec<String> = corners.iter().map(usize::to_string).collect();
            tets += &format!("{} {}\n", 6 * cube + k, corners.join(" "));
        }
    }
    folder.write("fork.node", nodes);
    folder.write("fork.ele", tets);
    folder.json(&["cook", "fork.node", "-o", "fork.fracas"]);
    let told = (1..30)
        .map(|seed| folder.json(&["fracture", "fork.fracas", "--pieces", "2", "--seed", &seed.to_string()]))
        .find(|told| told["count"] == 3)
        .expect("two tips in a cell");
    let said: Vec<&str> = told["remarks"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(said, ["2 cells became 3 pieces: what is not connected within a cell is a piece by itself"]);
}

#[test]
fn saved_objects_are_told_and_broken_again() {
    let folder = with_ball(8);
    let first = folder.json(&["fracture", "ball.fracas", "--plane", "0 0 0 1 0 0", "--save", "halves.fracas"]);
    let told = folder.json(&["info", "halves.fracas"]);
    assert_eq!((&told["kind"], &told["count"]), (&Value::from("objects"), &Value::from(2)));
    assert_eq!(told["asset"], folder.json(&["info", "ball.fracas"])["identity"]);
    let listed = folder.json(&["info", "halves.fracas", "--asset", "ball.fracas"]);
    assert_eq!(listed["objects"], first["objects"]);

    folder.fails(&["fracture", "halves.fracas"], 2, &["halves.fracas: these are objects of the asset", "--asset"]);
    let arguments = [
        "fracture",
        "halves.fracas",
        "--asset",
        "ball.fracas",
        "--object",
        "1",
        "--pieces",
        "4",
        "--save",
        "more.fracas",
    ];
    let again = folder.json(&arguments);
    assert!(again["count"].as_u64().unwrap() >= 5);
    assert_eq!(again["objects"][0]["mass"], first["objects"][0]["mass"]);
    assert!((sum(&again, "mass") / sum(&first, "mass") - 1.0).abs() < 1e-9);

    // Objects of another asset are no objects of this one.
    let other = with_ball(6);
    let other = other.path("ball.fracas");
    let other = other.to_str().unwrap();
    folder.fails(&["info", "halves.fracas", "--asset", other], 1, &["halves.fracas: these objects are of asset"]);
    folder.fails(&["fracture", "halves.fracas", "--asset", other], 2, &["name the file of that asset by --asset"]);
    folder.fails(&["info", "halves.fracas", "--asset", "halves.fracas"], 1, &["a Fracas asset is wanted"]);
}

#[test]
fn contacts_are_where_two_balls_overlap() {
    let folder = with_ball(12);
    let ask = |arguments: &[&str]| folder.json(&[&["contacts", "ball.fracas", "ball.fracas"], arguments].concat());
    // Two balls of radius 0.1, their centres 0.19 apart: they overlap by 0.01 half way.
    for arguments in [
        &["--pose-b", "0 0 0.19"][..],
        &["--pose-b", "0 0 0.19 0 0 0 1"],
        &["--move-b", "0,0,0.19"],
        &["--pose-a", "0 0 -0.19"],
        &["--pose-a", "100 0 -0.1", "--pose-b", "100 0 0.09"],
        &["--pose-b", "0 0 0.1", "--move-b", "0 0 0.09", "--rotate-b", "0 0 2 90"],
    ] {
        let told = ask(arguments);
        close(&told["deepest"], 0.01, 1e-3);
        let deepest = &told["contacts"][0];
        close(&deepest["normal"][2], -1.0, 0.05);
        let middle = if arguments.contains(&"--pose-a") { [-0.095, -0.005] } else { [0.095, 0.095] };
        let z = deepest["point"][2].as_f64().unwrap();
        assert!(middle.iter().any(|m| (m - z).abs() < 3e-3), "{arguments:?}: {z}");
    }
    close(&ask(&["--pose-a", "100 0 -0.1", "--pose-b", "100 0 0.09"])["contacts"][0]["point"][0], 100.0, 0.02);
    let apart = ask(&["--move-b", "0 0 0.3"]);
    assert_eq!((&apart["count"], &apart["deepest"]), (&Value::from(0), &Value::Null));
    assert!(ask(&["--move-b", "0 0 0.21", "--margin", "0.02"])["contacts"][0]["depth"].as_f64().unwrap() < 0.0);
    let full = ask(&["--move-b", "0 0 0.19", "--mode", "full"])["count"].as_u64().unwrap();
    let some = ask(&["--move-b", "0 0 0.19", "--mode", "exactly", "--target", "4"])["count"].as_u64().unwrap();
    assert!(full > some && some == 4, "{full} and {some}");
    let capped = ask(&["--move-b", "0 0 0.19", "--mode", "full", "--max", "3"]);
    assert_eq!((capped["count"].as_u64(), capped["left_out"].as_u64()), (Some(3), Some(full - 3)));
    let text = folder.run(&["contacts", "ball.fracas", "ball.fracas", "--move-b", "0 0 0.19"]);
    assert!(String::from_utf8(text.stdout).unwrap().contains("in 1 pair, the deepest"));
}

#[test]
fn fragments_of_one_file_rest_on_each_other() {
    let folder = with_ball(8);
    let pieces = folder.json(&["fracture", "ball.fracas", "--pieces", "5", "--save", "pieces.fracas"]);
    let count = pieces["count"].as_u64().unwrap();
    let told = folder.json(&["contacts", "pieces.fracas", "pieces.fracas", "--asset", "ball.fracas"]);
    assert_eq!(told["pairs"], count * (count - 1) / 2);
    close(&told["deepest"], 0.0, 1e-6);
    // An asset beside its objects is found by itself.
    let told = folder.json(&["contacts", "ball.fracas", "pieces.fracas", "--move-b", "0.15 0 0", "--object-b", "0"]);
    assert_eq!(told["pairs"], 1);
    let ball = Asset::load(&std::fs::read(folder.path("ball.fracas")).unwrap()).unwrap();
    assert_eq!(Object::intact(&ball).len(), 1);
}
