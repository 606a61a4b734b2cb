//! The cracks in a cut tetrahedron as convex polygons, each visited once, with the regions on both sides.
//!
//! A polygon is the facet of a region on one of its walls. The region across is the one with a facet of the same
//! corners on the opposite wall. There is none where an earlier event separated the two.

use crate::crack::breaks::CutTets;
use crate::cut::polytope::{Corner, Polytope, Split, Wall};
use crate::geom::random::mix;

/// Scratch memory of [`each_crack_polygon`]. Reuse it.
#[derive(Clone, Debug, Default)]
pub struct CrackScratch {
    polytope: Polytope,
    rim: Vec<u16>,
    corners: Vec<Corner>,
    /// By wall of the tetrahedron's regions: whether its polygon was visited from the other side.
    is_met: Vec<bool>,
    across: Across,
}

/// Scratch memory for the region across.
#[derive(Clone, Debug, Default)]
struct Across {
    polytope: Polytope,
    rim: Vec<u16>,
    /// Of tetrahedra with many regions, all facets on cracks: by wall, by hash, and the region of each, ascending.
    facets: Vec<(u16, u64, usize)>,
}

/// In tetrahedra with no more regions each is held against all others.
const FEW_REGIONS: usize = 24;

/// Calls `visit` with each crack polygon of the cut tetrahedron at position `k`: the region inside, the region outside
/// (`None` if it is not of this break), the crack's index in the tetrahedron, and the corners along the rim: clockwise
/// seen from outside of the region inside, if the nodes in ascending order are right-handed.
///
/// Each polygon is visited once; of two regions the lower is inside. Both may belong to the same piece. `nodes` are
/// those of the tetrahedron, ascending.
pub fn each_crack_polygon(
    made: &CutTets,
    k: usize,
    nodes: &[u32; 4],
    scratch: &mut CrackScratch,
    mut visit: impl FnMut(usize, Option<usize>, usize, &[Corner]),
) {
    let splits = made.splits_at(k);
    let mut corners = std::mem::take(&mut scratch.corners);
    each_crack_facet(made, k, nodes, scratch, |inside, outside, split, polytope, rim| {
        corners.clear();
        corners.extend(rim.iter().map(|corner| polytope.corner(*corner as usize, splits, nodes)));
        visit(inside, outside, split, &corners);
    });
    scratch.corners = corners;
}

/// The same with the facet of the region inside instead of corners.
pub fn each_crack_facet(
    made: &CutTets,
    k: usize,
    nodes: &[u32; 4],
    scratch: &mut CrackScratch,
    mut visit: impl FnMut(usize, Option<usize>, usize, &Polytope, &[u16]),
) {
    let CrackScratch { polytope, rim, is_met, across, .. } = scratch;
    let (splits, regions) = (made.splits_at(k), made.regions_at(k));
    let Some(first_wall) = made.regions.get(regions.start).map(|region| region.first_wall) else { return };
    // Index of a wall of a region among all walls of the tetrahedron.
    let place = |region: usize, wall: Wall| {
        let slot = made.walls_of(region).iter().position(|own| *own == wall)?;
        Some((made.regions[region].first_wall - first_wall) as usize + slot)
    };
    let has_table = regions.len() > FEW_REGIONS;
    if has_table {
        across.list(made, k, nodes);
    }
    is_met.clear();
    is_met.resize(regions.clone().map(|region| made.walls_of(region).len()).sum(), false);
    for region in regions.clone() {
        let walls = made.walls_of(region);
        if walls.iter().all(|wall| place(region, *wall).is_some_and(|place| is_met[place])) {
            continue;
        }
        polytope.set_region(splits, walls.iter().copied());
        polytope.each_facet(rim, |wall, rim| {
            let Some((split, _)) = wall.as_crack() else { return };
            if place(region, wall).is_none_or(|place| is_met[place]) {
                return;
            }
            if has_table {
                let key = sum_of_keys(polytope, rim, splits, nodes);
                let is_open = |other: usize| place(other, wall.opposite()).filter(|place| !is_met[*place]);
                let outside = across.having(wall.opposite(), key).find(|o| *o > region && is_open(*o).is_some());
                if let Some(place) = outside.and_then(is_open) {
                    is_met[place] = true;
                }
                visit(region, outside, split, polytope, rim);
                return;
            }
            // After a single event all regions are listed: if each side of a crack has one region, the two meet.
            let having = |wall: Wall| regions.clone().filter(|r| made.walls_of(*r).contains(&wall)).count();
            let is_certain = made.generation == 1 && having(wall) == 1 && having(wall.opposite()) == 1;
            let key = || sum_of_keys(polytope, rim, splits, nodes);
            let outside = (region + 1..regions.end).find(|other| {
                let Some(place) = place(*other, wall.opposite()).filter(|place| !is_met[*place]) else { return false };
                let walls = made.walls_of(*other);
                is_met[place] = is_certain || across.has_facet(key(), splits, walls, wall.opposite(), nodes);
                is_met[place]
            });
            visit(region, outside, split, polytope, rim);
        });
    }
}

/// Hash of a facet, independent of the order of its corners.
fn sum_of_keys(polytope: &Polytope, rim: &[u16], splits: &[Split], nodes: &[u32; 4]) -> u64 {
    let corners = rim.iter().map(|k| polytope.corner(*k as usize, splits, nodes));
    corners.fold(0, |sum: u64, corner| sum.wrapping_add(mix(corner.key)))
}

impl Across {
    /// Lists the facets of all regions of the cut tetrahedron at position `k`.
    #[cold]
    fn list(&mut self, made: &CutTets, k: usize, nodes: &[u32; 4]) {
        let Self { polytope, rim, facets } = self;
        let splits = made.splits_at(k);
        facets.clear();
        for region in made.regions_at(k) {
            polytope.set_region(splits, made.walls_of(region).iter().copied());
            polytope.each_facet(rim, |wall, rim| {
                if wall.as_crack().is_some() {
                    facets.push((wall.number(), sum_of_keys(polytope, rim, splits, nodes), region));
                }
            });
        }
        facets.sort_unstable();
    }

    /// The listed regions that have a facet with this hash on a wall, ascending.
    fn having(&self, on: Wall, key: u64) -> impl Iterator<Item = usize> {
        let on = on.number();
        let first = self.facets.partition_point(|(wall, own, _)| (*wall, *own) < (on, key));
        self.facets[first..].iter().take_while(move |(wall, own, _)| (*wall, *own) == (on, key)).map(|facet| facet.2)
    }

    /// Whether the region behind some walls has the facet with this hash on wall `on`.
    #[cold]
    fn has_facet(&mut self, expected: u64, splits: &[Split], walls: &[Wall], on: Wall, nodes: &[u32; 4]) -> bool {
        let Self { polytope, rim, .. } = self;
        polytope.set_region(splits, walls.iter().copied());
        let mut is_found = false;
        polytope.each_facet(rim, |wall, rim| {
            is_found |= wall == on && sum_of_keys(polytope, rim, splits, nodes) == expected;
        });
        is_found
    }
}

/// The edges of a tetrahedron, lower node first, that a single crack crosses, in order along the rim of its polygon;
/// `side` is the bit mask of the nodes on one side.
pub fn crossed_edges(side: u8) -> &'static [[usize; 2]] {
    const EDGES: [&[[usize; 2]]; 8] = [
        &[],
        &[[0, 1], [0, 2], [0, 3]],
        &[[0, 1], [1, 2], [1, 3]],
        &[[0, 2], [0, 3], [1, 3], [1, 2]],
        &[[0, 2], [1, 2], [2, 3]],
        &[[0, 1], [0, 3], [2, 3], [1, 2]],
        &[[0, 1], [1, 3], [2, 3], [0, 2]],
        &[[0, 3], [1, 3], [2, 3]],
    ];
    let side = side as usize & 15;
    EDGES[if side < 8 { side } else { 15 - side }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crack::breaks::{CutTet, Region};
    use crate::geom::random::unit;

    /// A tetrahedron divided by some planes. All its parts are listed except those that `keep` rejects.
    fn divided(planes: &[[f64; 4]], keep: impl Fn(usize) -> bool) -> CutTets {
        let split =
            |(k, values): (usize, &[f64; 4])| Split { values: *values, generation: 0, cells: [k as u32, u32::MAX] };
        let mut made = CutTets { splits: planes.iter().enumerate().map(split).collect(), ..CutTets::default() };
        made.tets.push(CutTet::default());
        let mut polytope = Polytope::default();
        for signs in (0..1usize << planes.len()).filter(|signs| keep(*signs)) {
            let walls = (0..planes.len()).map(|k| Wall::crack(k, signs >> k & 1 != 0));
            polytope.set_region(&made.splits, walls.clone());
            if !polytope.is_empty() {
                let first_wall = made.walls.len() as u32;
                made.regions.push(Region { piece: signs as u32, first_wall, nodes: polytope.nodes() });
                made.walls.extend(walls);
            }
        }
        made
    }

    fn plane(seed: u64, k: u64) -> [f64; 4] {
        std::array::from_fn(|i| ((unit(seed, 4 * k + i as u64) - 0.5) * 2f64.powi(40)).round())
    }

    #[test]
    fn every_polygon_comes_once_and_parts_regions_on_both_sides_of_its_crack() {
        let mut scratch = CrackScratch::default();
        let mut alone = 0;
        for seed in 0..500 {
            let planes: Vec<[f64; 4]> = (0..1 + seed % 4).map(|k| plane(seed, k)).collect();
            // Some parts belong to other objects: of the planes around them only one side is listed.
            let made = divided(&planes, |signs| seed % 3 > 0 || !mix(seed ^ signs as u64).is_multiple_of(3));
            let mut met = vec![];
            each_crack_polygon(&made, 0, &[2, 3, 5, 7], &mut scratch, |inside, outside, split, corners| {
                assert!(corners.len() >= 3);
                let signs = made.regions[inside].piece;
                match outside {
                    Some(outside) => {
                        assert!(inside < outside);
                        assert_eq!(signs ^ made.regions[outside].piece, 1 << split, "one crack is between them");
                    }
                    None => {
                        assert!(made.regions.iter().all(|region| region.piece != signs ^ 1 << split));
                        alone += 1;
                    }
                }
                for corner in corners {
                    let size = made.splits[split].values.iter().fold(0.0, |sum, v| sum + v.abs());
                    assert!(made.splits[split].at(&corner.weights).abs() < 1e-9 * size);
                }
                met.push((inside, outside, split));
            });
            met.sort_unstable();
            met.dedup();
            let mut facets = 0;
            for region in 0..made.regions.len() {
                scratch.polytope.set_region(&made.splits, made.walls_of(region).iter().copied());
                scratch.polytope.each_facet(&mut scratch.rim, |wall, _| facets += wall.as_crack().is_some() as usize);
            }
            let sides: usize = met.iter().map(|(_, outside, _)| 1 + outside.is_some() as usize).sum();
            assert_eq!(sides, facets, "seed {seed}");
        }
        assert!(alone > 100);
    }

    #[test]
    fn single_cracks_are_known_by_the_edges_that_they_cross() {
        let mut scratch = CrackScratch::default();
        for seed in 0..500 {
            let made = divided(&[plane(seed, 0)], |_| true);
            let edges = crossed_edges(made.regions[0].nodes);
            let mut count = 0;
            each_crack_polygon(&made, 0, &[2, 3, 5, 7], &mut scratch, |_, _, _, corners| {
                count = corners.len();
                for (k, &[i, j]) in edges.iter().enumerate() {
                    let corner = corners.iter().position(|corner| corner.nodes == 1 << i | 1 << j).unwrap();
                    let [a, b] = made.splits[0].on_edge(i, j);
                    assert_eq!([corners[corner].weights[i], corners[corner].weights[j]], [a, b]);
                    let next = edges[(k + 1) % edges.len()];
                    let next = corners.iter().position(|corner| corner.nodes == 1 << next[0] | 1 << next[1]).unwrap();
                    let apart = (corner + count - next) % count;
                    assert!(apart == 1 || apart == count - 1, "they are neighbours on the rim");
                }
            });
            assert_eq!(count, edges.len());
        }
    }
}
