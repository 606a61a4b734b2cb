//! Which way a drawing mesh faces: a surface that had to be turned to be filled has to be turned to be drawn.
//!
//! The solid knows where out is. Triangles that hang together agree among themselves first; then each part is compared with
//! the skin below it, and turned if most of it faces the other way. A vote of the whole part, since in thin walls the closest
//! skin may be that of the other side.

use crate::error::Result;
use crate::geom::{Point, Vector};
use crate::grid::distance::over_skin;
use crate::solid::Solid;
use crate::solid::drawing::DrawingMesh;
use crate::tasks::Tasks;

/// The mesh with all its triangles counter-clockwise seen from outside of the solid, and how many had to be turned. Normals
/// of vertices that look into the body with all of their triangles turned are turned too.
pub fn facing_outwards(solid: &Solid, mesh: DrawingMesh, tasks: &Tasks) -> Result<(DrawingMesh, usize)> {
    let (points, point_of) = mesh.welded();
    let corners = |t: &[u32; 3]| t.map(|v| point_of[v as usize]);
    let list: Vec<[u32; 3]> = mesh.triangles().iter().map(corners).collect();
    let (part_of, mut turn) = agreed(&list);

    let skin = over_skin(solid)?;
    let at = |node: u32| solid.nodes()[node as usize];
    let across = |[a, b, c]: [Point; 3]| (b - a).cross(&(c - a));
    // How far a triangle faces as the skin does, by area.
    let vote = |t: &[u32; 3]| {
        let places = t.map(|p| points[p as usize]);
        let middle = places[0] + ((places[1] - places[0]) + (places[2] - places[0])) / 3.0;
        skin.closest_point(&middle, f64::INFINITY).map_or(0.0, |hit| {
            let below = across(solid.skin()[hit.triangle as usize].nodes.map(at));
            across(places).dot(&below.try_normalize(0.0).unwrap_or_default())
        })
    };
    let votes = tasks.map_chunks(list.len(), 256, |range| range.map(|t| vote(&list[t])).collect::<Vec<f64>>()).concat();
    let mut sums = vec![0.0; list.len()];
    for (t, vote) in votes.iter().enumerate() {
        sums[part_of[t] as usize] += if turn[t] { -vote } else { *vote };
    }
    turn.iter_mut().zip(&part_of).for_each(|(turn, part)| *turn ^= sums[*part as usize] < 0.0);
    let turned = turn.iter().filter(|turn| **turn).count();
    if turned == 0 {
        return Ok((mesh, 0));
    }

    let triangles: Vec<[u32; 3]> = mesh
        .triangles()
        .iter()
        .zip(&turn)
        .map(|(&[a, b, c], turn)| if *turn { [a, c, b] } else { [a, b, c] })
        .collect();
    let mut stays = vec![false; mesh.positions().len()];
    let mut outwards = vec![Vector::zeros(); mesh.positions().len()];
    for (t, turn) in triangles.iter().zip(&turn) {
        let normal = across(t.map(|v| mesh.positions()[v as usize]));
        for v in t {
            stays[*v as usize] |= !turn;
            outwards[*v as usize] += normal;
        }
    }
    let normals = mesh.normals().iter().zip(&stays).zip(&outwards);
    let normals = normals.map(|((normal, stays), outwards)| {
        let inwards = Vector::from(normal.map(f64::from)).dot(outwards) < 0.0;
        if inwards && !stays { normal.map(|c| -c) } else { *normal }
    });
    let (normals, materials) = (normals.collect(), mesh.materials().to_vec());
    let mut mesh = mesh.with_normals(normals)?;
    mesh.replace_triangles(triangles, materials);
    Ok((mesh, turned))
}

/// The part of each triangle, and which ones to turn so that neighbours across an edge of two agree.
fn agreed(list: &[[u32; 3]]) -> (Vec<u32>, Vec<bool>) {
    let mut sides: Vec<(u32, u32, u32, bool)> = list
        .iter()
        .zip(0..)
        .flat_map(|(&[a, b, c], t)| [(a, b), (b, c), (c, a)].map(|(p, q)| (p.min(q), p.max(q), t, p < q)))
        .collect();
    sides.sort_unstable();
    let mut neighbours: Vec<Vec<(u32, bool)>> = vec![vec![]; list.len()];
    for run in sides.chunk_by(|e, f| (e.0, e.1) == (f.0, f.1)) {
        if let [e, f] = run {
            neighbours[e.2 as usize].push((f.2, e.3 != f.3));
            neighbours[f.2 as usize].push((e.2, e.3 != f.3));
        }
    }
    let (mut part_of, mut turn) = (vec![u32::MAX; list.len()], vec![false; list.len()]);
    for first in 0..list.len() {
        if part_of[first] != u32::MAX {
            continue;
        }
        part_of[first] = first as u32;
        let mut waiting = vec![first];
        while let Some(t) = waiting.pop() {
            for &(other, agree) in &neighbours[t] {
                if part_of[other as usize] == u32::MAX {
                    part_of[other as usize] = first as u32;
                    turn[other as usize] = turn[t] == agree;
                    waiting.push(other as usize);
                }
            }
        }
    }
    (part_of, turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;

    /// The skin of a hollow ball, its cavity a part of its own.
    fn hollow() -> (Solid, DrawingMesh) {
        let solid = shapes::hollow_ball(1.0, 12, 3);
        let points: Vec<[f64; 3]> = solid.nodes().iter().map(|p| [p.x, p.y, p.z]).collect();
        let triangles: Vec<[u32; 3]> = solid.skin().iter().map(|t| t.nodes).collect();
        let mesh = DrawingMesh::new(&points, &triangles).unwrap();
        (solid, mesh)
    }

    fn turned(mesh: &DrawingMesh, which: impl Fn(usize) -> bool, normals: f32) -> DrawingMesh {
        let list = mesh.triangles().iter().enumerate();
        let list = list.map(|(k, &[a, b, c])| if which(k) { [a, c, b] } else { [a, b, c] }).collect();
        let normals = mesh.normals().iter().map(|n| n.map(|c| normals * c)).collect();
        let mut mesh = mesh.clone().with_normals(normals).unwrap();
        mesh.replace_triangles(list, mesh.materials().to_vec());
        mesh
    }

    #[test]
    fn what_faces_outwards_stays_and_all_else_is_turned() {
        let (solid, mesh) = hollow();
        let outwards = |mesh| facing_outwards(&solid, mesh, &Tasks::inline()).unwrap();
        assert_eq!(outwards(mesh.clone()), (mesh.clone(), 0), "a cavity faces inwards, and that is right");
        let count = mesh.triangles().len();
        let same = |(found, number): (DrawingMesh, usize), expected| {
            assert_eq!(number, expected);
            let rotated = |&[a, b, c]: &[u32; 3]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().min();
            assert!(found.triangles().iter().map(rotated).eq(mesh.triangles().iter().map(rotated)));
            let corners = mesh.triangles().iter().flatten().map(|v| *v as usize);
            assert!(corners.into_iter().all(|v| found.normals()[v] == mesh.normals()[v]), "inner nodes have none");
        };
        // All of it, with normals that look inwards or that were right; only the cavity; here and there.
        same(outwards(turned(&mesh, |_| true, -1.0)), count);
        same(outwards(turned(&mesh, |_| true, 1.0)), count);
        let inner = |k: usize| mesh.positions()[mesh.triangles()[k][0] as usize].coords.norm() < 0.9;
        let cavity = (0..count).filter(|k| inner(*k)).count();
        assert!(cavity > 0 && cavity < count);
        same(outwards(turned(&mesh, inner, 1.0)), cavity);
        let some = |k: usize| k.is_multiple_of(3);
        same(outwards(turned(&mesh, some, 1.0)), (0..count).filter(|k| some(*k)).count());
    }
}
