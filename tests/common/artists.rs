//! Meshes as artists make them, of our own shapes.

use fracas::solid::drawing::DrawingMesh;
use fracas::{Point, Solid, Vector, shapes};
use std::collections::HashMap;

/// A box of twelve triangles.
pub fn cuboid(size: [f64; 3]) -> DrawingMesh {
    artists_skin(&shapes::cuboid(size, [1, 1, 1]), 1, 0.0)
}

/// A vase: a wall turned about an axis, closed.
pub fn vase(around: usize, along: usize) -> DrawingMesh {
    let (mut positions, mut triangles) = (vec![], vec![]);
    let half = along / 2;
    // Up the outside and down the inside; the bottom is thicker than the wall.
    let profile = |k: usize| {
        let (t, is_inner) = if k < half { (k as f64, false) } else { ((along - 1 - k) as f64, true) };
        let t = t / (half - 1) as f64;
        let radius = 0.06 + 0.03 * (3.0 * t).sin();
        if is_inner { (radius - 0.012, 0.015 + 0.285 * t) } else { (radius, 0.3 * t) }
    };
    for k in 0..along {
        for j in 0..around {
            let ((radius, z), turn) = (profile(k), std::f64::consts::TAU * j as f64 / around as f64);
            positions.push([radius * turn.cos(), radius * turn.sin(), z]);
        }
    }
    let at = |k: usize, j: usize| (k * around + j % around) as u32;
    for j in 0..around {
        for k in 0..along - 1 {
            triangles.extend([[at(k, j), at(k, j + 1), at(k + 1, j)], [at(k, j + 1), at(k + 1, j + 1), at(k + 1, j)]]);
        }
        let [bottom, floor] = [positions.len() as u32, positions.len() as u32 + 1];
        triangles.push([bottom, at(0, j + 1), at(0, j)]);
        triangles.push([floor, at(along - 1, j), at(along - 1, j + 1)]);
    }
    positions.extend([[0.0, 0.0, 0.0], [0.0, 0.0, 0.015]]);
    with_linear_uvs(&positions, &triangles)
}

/// The skin of a solid, every triangle divided into `parts`², its points moved by up to `push` of an edge.
pub fn artists_skin(solid: &Solid, parts: usize, push: f64) -> DrawingMesh {
    let size = solid.mean_edge();
    let bounds = solid.bounds();
    let mut numbers: HashMap<[u64; 3], u32> = HashMap::new();
    let (mut positions, mut triangles) = (vec![], vec![]);
    for skin in solid.skin() {
        let mut nodes = skin.nodes;
        // Points of an edge come out alike from both sides if they are computed from its nodes in one order.
        let turn = (0..3).min_by_key(|k| nodes[*k]).unwrap();
        nodes.rotate_left(turn);
        let corner = nodes.map(|n| solid.nodes()[n as usize]);
        let mut vertex = |i: usize, j: usize| {
            let weights = [parts - i - j, i, j].map(|w| w as f64 / parts as f64);
            let mut order = [0, 1, 2];
            order.sort_by_key(|k| nodes[*k]);
            let sum = order.iter().fold(Vector::zeros(), |sum, k| sum + corner[*k].coords * weights[*k]);
            let key = [sum.x, sum.y, sum.z].map(|c| (c / size * 1e6).round() as i64 as u64);
            *numbers.entry(key).or_insert_with(|| {
                let q = Point::from(sum);
                let wave = |k: usize| (q[k] / size * 1.3 + k as f64).sin();
                let away = (q - bounds.centre()).normalize();
                let moved = q + away * push * size * (wave(0) + wave(1) * wave(2)) * 0.5;
                positions.push([moved.x, moved.y, moved.z]);
                positions.len() as u32 - 1
            })
        };
        for i in 0..parts {
            for j in 0..parts - i {
                triangles.push([vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)]);
                if i + j + 2 <= parts {
                    triangles.push([vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)]);
                }
            }
        }
    }
    with_linear_uvs(&positions, &triangles)
}

/// A sphere of latitudes and longitudes, with a seam and with poles: vertices of equal position, different coordinates.
pub fn uv_sphere(radius: f64, rings: usize) -> DrawingMesh {
    let (mut positions, mut triangles) = (vec![], vec![]);
    let around = 2 * rings;
    for i in 0..=rings {
        for j in 0..=around {
            let (polar, turn) = (
                std::f64::consts::PI * i as f64 / rings as f64,
                std::f64::consts::TAU * (j % around) as f64 / around as f64,
            );
            let ring = if i == 0 || i == rings { 0.0 } else { radius * polar.sin() };
            positions.push([ring * turn.cos(), ring * turn.sin(), radius * polar.cos()]);
        }
    }
    let at = |i: usize, j: usize| (i * (around + 1) + j) as u32;
    for i in 0..rings {
        for j in 0..around {
            if i > 0 {
                triangles.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
            }
            if i + 1 < rings {
                triangles.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
    with_linear_uvs(&positions, &triangles)
}

/// Texture coordinates that are a linear function of position, and materials by octant.
pub fn with_linear_uvs(positions: &[[f64; 3]], triangles: &[[u32; 3]]) -> DrawingMesh {
    let uvs = positions.iter().map(|p| linear_uv(&Point::from(*p))).collect();
    let materials = triangles.iter().map(|t| (positions[t[0] as usize][0] > 0.0) as u32 + 5).collect();
    let mesh = DrawingMesh::new(positions, triangles).unwrap();
    mesh.with_uvs(uvs).unwrap().with_materials(materials).unwrap()
}

pub fn linear_uv(p: &Point) -> [f32; 2] {
    [(0.3 * p.x + 0.7 * p.y - 0.2 * p.z + 0.1) as f32, (0.5 * p.z - 0.4 * p.x + 0.9) as f32]
}
