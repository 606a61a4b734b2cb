//! Pairs of frames of the data folder, with the features that are known to collide between them.

use super::data;
use fracas::Point;
use std::fs;

/// Two frames of a scene and what collides between them.
pub struct Frames {
    pub start: Vec<Point>,
    pub end: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
    /// Vertex, triangle, whether they meet.
    pub vertex_face: Vec<([u32; 2], bool)>,
    /// Both ends of both edges, whether they meet.
    pub edge_edge: Vec<([u32; 4], bool)>,
}

pub const NAMES: [&str; 3] = ["cloth-funnel", "n-body-simulation", "cloth-ball"];

/// A scene, if the data folder is there.
pub fn frames(name: &str) -> Option<Frames> {
    let file = |part: &str| data::file(&format!("dynamic/{name}/{part}"));
    let (start, triangles) = read_ply(&fs::read(file("t0.ply")?).unwrap());
    let (end, same) = read_ply(&fs::read(file("t1.ply")?).unwrap());
    assert_eq!(triangles, same);
    let vertex_face = read_list(&fs::read_to_string(file("vf.csv")?).unwrap());
    let edge_edge = read_list(&fs::read_to_string(file("ee.csv")?).unwrap());
    Some(Frames { start, end, triangles, vertex_face, edge_edge })
}

fn read_list<const N: usize>(text: &str) -> Vec<([u32; N], bool)> {
    let line = |line: &str| {
        let mut numbers = line.split(',').map(|word| word.parse::<u32>().unwrap());
        (std::array::from_fn(|_| numbers.next().unwrap()), numbers.next().unwrap() == 1)
    };
    text.lines().skip(1).map(line).collect()
}

/// Little-endian binary PLY with vertices of three floats or doubles and triangles.
fn read_ply(bytes: &[u8]) -> (Vec<Point>, Vec<[u32; 3]>) {
    let end = b"end_header\n";
    let length = bytes.windows(end.len()).position(|w| w == end).unwrap() + end.len();
    let header = std::str::from_utf8(&bytes[..length]).unwrap();
    assert!(header.contains("binary_little_endian"));
    let count = |what: &str| {
        let line = header.lines().find_map(|line| line.strip_prefix(&format!("element {what} "))).unwrap();
        line.trim().parse::<usize>().unwrap()
    };
    let size = if header.contains("property double x") { 8 } else { 4 };
    let (mut body, vertices) = (&bytes[length..], count("vertex"));
    let mut take = |n: usize| {
        let (head, tail) = body.split_at(n);
        body = tail;
        head
    };
    let number = |bytes: &[u8]| match size {
        8 => f64::from_le_bytes(bytes.try_into().unwrap()),
        _ => f32::from_le_bytes(bytes.try_into().unwrap()) as f64,
    };
    let positions = (0..vertices).map(|_| Point::from([0; 3].map(|_| number(take(size))))).collect();
    let triangles = (0..count("face")).map(|_| {
        assert_eq!(take(1), [3]);
        [0; 3].map(|_| u32::from_le_bytes(take(4).try_into().unwrap()))
    });
    (positions, triangles.collect())
}
