//! The checks at the gate: each finds one way in which a mesh is not a solid, and says where.

use super::{Face, Source};
use crate::error::{Error, Result, bad_mesh};
use crate::geom::Point;
use crate::geom::pinned::powi;

/// Relative to the cube of its longest edge, a tetrahedron below this has no volume to speak of.
pub const FLAT: f64 = 1e-12;

/// No coordinate of a mesh may be larger, in metres: queries take squares in single precision, and objects may be scaled.
pub const LARGEST_COORDINATE: f64 = 1e12;

pub fn counts(nodes: usize, tets: usize) -> Result<()> {
    if tets == 0 {
        bad_mesh!("the mesh has no tetrahedra; a solid needs at least one");
    }
    // Faces and skin triangles are numbered with 31 bits, and a tetrahedron has four faces.
    let most = (1usize << 29) - 1;
    if nodes > most || tets > most {
        return Err(Error::TooLarge(format!("{nodes} nodes and {tets} tetrahedra; at most {most} of each fit")));
    }
    Ok(())
}

pub fn coordinates(nodes: &[[f64; 3]]) -> Result<()> {
    for (i, p) in nodes.iter().enumerate() {
        if let Some(k) = p.iter().position(|c| !c.is_finite() || c.abs() > LARGEST_COORDINATE) {
            bad_mesh!(
                "nodes[{i}].{} is {:e}; coordinates must be finite and at most {LARGEST_COORDINATE:e} m",
                ["x", "y", "z"][k],
                p[k]
            );
        }
    }
    Ok(())
}

pub fn corners(nodes: &[[f64; 3]], tets: &[[u32; 4]]) -> Result<()> {
    for (t, tet) in tets.iter().enumerate() {
        if let Some(k) = tet.iter().position(|i| *i as usize >= nodes.len()) {
            bad_mesh!("tets[{t}][{k}] is {}, but there are {} nodes", tet[k], nodes.len());
        }
        for k in 1..4 {
            if tet[..k].contains(&tet[k]) {
                bad_mesh!("tets[{t}] names node {} twice; drop it or give it four different nodes", tet[k]);
            }
        }
    }
    Ok(())
}

/// For a mesh that claims to be in order: nodes ascend in every tetrahedron, tetrahedra in the list, and no node is idle.
pub fn order(nodes: usize, tets: &[[u32; 4]]) -> Result<()> {
    let mut used = vec![false; nodes];
    for (t, tet) in tets.iter().enumerate() {
        if !tet.is_sorted() || t > 0 && tets[t - 1] >= *tet {
            bad_mesh!("tets[{t}] is out of order");
        }
        tet.iter().for_each(|i| used[*i as usize] = true);
    }
    if let Some(i) = used.iter().position(|used| !used) {
        bad_mesh!("nodes[{i}] belongs to no tetrahedron");
    }
    Ok(())
}

/// The caller's numbers: one for each node and each tetrahedron, in the range that the caller had.
pub fn source(nodes: usize, tets: usize, source: &Source) -> Result<()> {
    for (what, count, numbers, below) in
        [("nodes", nodes, &source.nodes, source.node_count), ("tets", tets, &source.tets, tets)]
    {
        if numbers.len() != count {
            bad_mesh!("there are {} source numbers for {count} {what}", numbers.len());
        }
        if let Some(i) = numbers.iter().position(|number| *number as usize >= below) {
            bad_mesh!("the source number of {what}[{i}] is {}, but the caller had {below}", numbers[i]);
        }
    }
    Ok(())
}

pub fn volumes(nodes: &[Point], tets: &[[u32; 4]], volumes: &[f64], source: &[u32]) -> Result<()> {
    for ((tet, volume), source) in tets.iter().zip(volumes).zip(source) {
        let c = tet.map(|i| nodes[i as usize]);
        let longest = (0..4).flat_map(|i| (0..i).map(move |j| (c[i] - c[j]).norm())).fold(0.0, f64::max);
        if volume.abs() <= FLAT * powi(longest, 3) {
            bad_mesh!(
                "tets[{source}] is flat (volume {:e} at edge length {longest:e}); drop it or move a node",
                volume.abs()
            );
        }
    }
    Ok(())
}

pub fn duplicates(tets: &[[u32; 4]], source: &[u32]) -> Result<()> {
    if let Some(t) = tets.windows(2).position(|pair| pair[0] == pair[1]) {
        bad_mesh!("tets[{}] and tets[{}] have the same four nodes; drop one", source[t], source[t + 1]);
    }
    Ok(())
}

pub fn faces(faces: &[Face], volumes: &[f64], source: &[u32]) -> Result<()> {
    let number = |face: &Face| source[face.tet as usize];
    for shared in faces.chunk_by(|a, b| a.nodes == b.nodes) {
        match shared {
            [a, b] if a.is_outward(volumes) == b.is_outward(volumes) => bad_mesh!(
                "tets[{}] and tets[{}] overlap: both lie on the same side of their common face",
                number(a),
                number(b)
            ),
            [_] | [_, _] => {}
            _ => bad_mesh!(
                "the tetrahedra {:?} share one face; a face may belong to two at most",
                shared.iter().map(number).collect::<Vec<_>>()
            ),
        }
    }
    Ok(())
}
