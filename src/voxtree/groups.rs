//! Groups: almost planar parts of a surface, so that contacts of different sides of a body are not averaged (VoxTree 3.9).

use super::density::Grid;
use crate::bvh::Bvh;
use crate::error::Result;
use crate::geom::pinned::cos;
use crate::geom::{Point, Vector};
use std::collections::{HashMap, VecDeque};

/// The group of a cube whose children are of several.
pub const NO_GROUP: u16 = u16::MAX;

/// The group of each triangle: all of a crack, by the number of the crack, however rough; of the others, neighbours across edges whose normals are
/// within an angle, in degrees, of that of the largest. Angle 0: all are one.
pub fn of_triangles(
    vertices: &[Point],
    triangles: &[[u32; 3]],
    angle: f64,
    crack: impl Fn(usize) -> Option<u32>,
) -> Vec<u16> {
    if angle <= 0.0 {
        return vec![0; triangles.len()];
    }
    let mut cracks: Vec<u32> = (0..triangles.len()).filter_map(&crack).collect();
    cracks.sort_unstable();
    cracks.dedup();
    // Of too many, the last are one.
    let number = |k: usize| cracks.binary_search(&crack(k)?).ok().map(|n| n.min(NO_GROUP as usize - 1) as u16);
    let mut groups: Vec<u16> = (0..triangles.len()).map(|k| number(k).unwrap_or(NO_GROUP)).collect();
    let area = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| vertices[v as usize]);
        (b - a).cross(&(c - a))
    };
    let areas: Vec<Vector> = triangles.iter().map(area).collect();
    let mut sides: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
    for (k, [a, b, c]) in (0..).zip(triangles) {
        for [p, q] in [[a, b], [b, c], [c, a]] {
            sides.entry([*p.min(q), *p.max(q)]).or_default().push(k);
        }
    }
    let near = |k: u32| {
        let [a, b, c] = triangles[k as usize];
        let pairs = [[a, b], [b, c], [c, a]].map(|[p, q]| [p.min(q), p.max(q)]);
        pairs.into_iter().flat_map(|pair| sides.get(&pair).into_iter().flatten().copied()).collect::<Vec<u32>>()
    };
    // The largest first, so that its normal is that of the part.
    let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
    order.sort_by(|a, b| areas[*b as usize].norm().total_cmp(&areas[*a as usize].norm()).then(a.cmp(b)));
    let next = cracks.len().min(NO_GROUP as usize - 1) as u16;
    grow(&mut groups, next, order.into_iter(), |k| areas[k as usize], near, angle);
    groups
}

/// The group of each cube: surface cubes by their normals, those within by the nearest of these.
pub fn of_cubes(grid: &Grid, angle: f64) -> Vec<u16> {
    let count = grid.density.len();
    if angle <= 0.0 {
        return vec![0; count];
    }
    let normal = |k: u32| Vector::from(grid.outward(cell(grid, k)).map(f64::from));
    let seeds = (0..count as u32).filter(|k| is_surface(grid, *k));
    let near = |k: u32| beside(grid, k).filter(|n| is_surface(grid, *n)).collect::<Vec<u32>>();
    let mut groups = vec![NO_GROUP; count];
    grow(&mut groups, 0, seeds, normal, near, angle);
    inwards(grid, &mut groups);
    groups
}

/// The group of each cube: of surface cubes that of the nearest triangle, those within by the nearest of these.
pub fn by_nearest(grid: &Grid, vertices: &[Point], triangles: &[[u32; 3]], group_of: &[u16]) -> Result<Vec<u16>> {
    let corners: Vec<[Point; 3]> = triangles.iter().map(|t| t.map(|v| vertices[v as usize])).collect();
    let surface = Bvh::new(&corners)?;
    let nearest = |k: u32| {
        let at = grid.origin + Vector::from(cell(grid, k).map(|c| c as f64 + 0.5)) * grid.edge;
        // Mostly the surface goes through the cube; another one may be farther.
        let hit = surface.closest_point(&at, grid.edge).or_else(|| surface.closest_point(&at, f64::INFINITY));
        hit.map_or(NO_GROUP, |hit| group_of[hit.triangle as usize])
    };
    let all = 0..grid.density.len() as u32;
    let mut groups: Vec<u16> = all.map(|k| if is_surface(grid, k) { nearest(k) } else { NO_GROUP }).collect();
    inwards(grid, &mut groups);
    Ok(groups)
}

fn cell(grid: &Grid, k: u32) -> [usize; 3] {
    let k = k as usize;
    [k % grid.size[0], k / grid.size[0] % grid.size[1], k / grid.size[0] / grid.size[1]]
}

/// The filled cubes beside a cube.
fn beside(grid: &Grid, k: u32) -> impl Iterator<Item = u32> + '_ {
    let at = cell(grid, k);
    let steps = (0..3).flat_map(|axis| [(axis, 1i64), (axis, -1)]);
    steps.filter_map(move |(axis, step)| {
        let mut next = at;
        next[axis] = usize::try_from(at[axis] as i64 + step).ok().filter(|c| *c < grid.size[axis])?;
        let number = grid.index(next);
        (grid.density[number] > 0.0).then_some(number as u32)
    })
}

/// Whether a cube is filled, but not all of it and of what is beside it.
fn is_surface(grid: &Grid, k: u32) -> bool {
    let density = grid.density[k as usize];
    density > 0.0 && (density < 1.0 || beside(grid, k).count() < 6)
}

/// Hands groups on inwards from the surface.
fn inwards(grid: &Grid, groups: &mut [u16]) {
    let mut queue: VecDeque<u32> = (0..groups.len() as u32).filter(|k| groups[*k as usize] != NO_GROUP).collect();
    while let Some(k) = queue.pop_front() {
        for next in beside(grid, k) {
            if groups[next as usize] == NO_GROUP {
                groups[next as usize] = groups[k as usize];
                queue.push_back(next);
            }
        }
    }
}

/// Grows parts from seeds, in their order, over what is near, of no group yet, and has nearly the normal of the seed.
fn grow(
    groups: &mut [u16],
    mut next_group: u16,
    seeds: impl Iterator<Item = u32>,
    normal: impl Fn(u32) -> Vector,
    near: impl Fn(u32) -> Vec<u32>,
    angle: f64,
) {
    let least = cos(angle.to_radians());
    for seed in seeds {
        if groups[seed as usize] != NO_GROUP {
            continue;
        }
        let own = normal(seed).try_normalize(0.0);
        groups[seed as usize] = next_group;
        let mut stack = vec![seed];
        while let Some(k) = stack.pop() {
            for other in near(k) {
                let other_normal = normal(other).try_normalize(0.0);
                // What has no normal belongs to whoever comes first.
                let is_like = own.zip(other_normal).is_none_or(|(a, b)| a.dot(&b) >= least);
                if groups[other as usize] == NO_GROUP && is_like {
                    groups[other as usize] = next_group;
                    stack.push(other);
                }
            }
        }
        // Of too many parts, the last are one.
        next_group = (next_group + 1).min(NO_GROUP - 1);
    }
}
