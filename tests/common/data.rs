//! The optional data folder beside the project (or where `FRACAS_DATA` says): meshes of the paper's sizes and exact cuts.
//! Tests that need it say so and pass when it is absent.

use fracas::{Point, Solid};
use std::fs;
use std::path::PathBuf;

/// A file of the data folder, if it is there.
pub fn file(name: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let path = std::env::var_os("FRACAS_DATA").map_or_else(beside, PathBuf::from).join(name);
    path.exists().then_some(path)
}

/// Says that a test has nothing to work on.
pub fn skipped(test: &str) {
    println!("skipped: {test} needs the data folder, which is not here");
}

pub const MESHES: [&str; 10] =
    ["piggybank", "bunny", "brick", "plate", "shelf", "sphere", "sphere_10k", "sphere_coarse", "bowl", "ball"];

/// A mesh of the data folder.
pub fn mesh(name: &str) -> Option<Solid> {
    let text = fs::read_to_string(file(&format!("meshes/{name}.msh"))?).unwrap();
    let (nodes, tets) = read_msh(&text);
    Some(Solid::new(&nodes, &tets).unwrap())
}

/// Reads Gmsh 4.1 ASCII: nodes and four-node tetrahedra, any number of blocks, tags in any order.
pub fn read_msh(text: &str) -> (Vec<[f64; 3]>, Vec<[u32; 4]>) {
    let section = |name: &str| {
        let start = text.find(&format!("${name}")).expect("section is missing");
        let end = text.find(&format!("$End{name}")).expect("section does not end");
        text[start..end]
            .lines()
            .skip(1)
            .map(|line| line.split_whitespace().map(|w| w.parse::<f64>().unwrap()).collect::<Vec<_>>())
    };
    assert_eq!(section("MeshFormat").next().unwrap()[0], 4.1);
    let mut number = std::collections::HashMap::new();
    let mut nodes = vec![];
    let mut lines = section("Nodes");
    let blocks = lines.next().unwrap()[0] as usize;
    for _ in 0..blocks {
        let count = lines.next().unwrap()[3] as usize;
        let tags: Vec<u64> = lines.by_ref().take(count).map(|l| l[0] as u64).collect();
        for tag in tags {
            let p = lines.next().unwrap();
            number.insert(tag, nodes.len() as u32);
            nodes.push([p[0], p[1], p[2]]);
        }
    }
    let mut tets = vec![];
    let mut lines = section("Elements");
    let blocks = lines.next().unwrap()[0] as usize;
    for _ in 0..blocks {
        let head = lines.next().unwrap();
        for element in lines.by_ref().take(head[3] as usize) {
            if head[2] == 4.0 {
                tets.push(std::array::from_fn(|k| number[&(element[k + 1] as u64)]));
            }
        }
    }
    (nodes, tets)
}

/// Rows of a comma-separated file with a header.
pub fn csv(name: &str) -> Option<Vec<Vec<f64>>> {
    let text = fs::read_to_string(file(name)?).unwrap();
    Some(text.lines().skip(1).map(|line| line.split(',').map(|w| w.parse().unwrap()).collect()).collect())
}

/// Seeds of the exact cuts of the bunny.
pub fn seeds(count: usize) -> Option<Vec<Point>> {
    Some(csv(&format!("truth/bunny_{count}_seeds.csv"))?.iter().map(|r| Point::new(r[0], r[1], r[2])).collect())
}
