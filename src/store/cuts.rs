//! Cut tetrahedra: their cracks, and the regions between these.
//!
//! Cracks are stored as the whole numbers that they are, and regions as the cracks that bound them; what shape a region has
//! follows from the numbers (docs/formulations/exact-cells.md). Only what no region could have is refused.

use super::bytes::{Plain, Reader, Writer};
use crate::crack::breaks::{CutTet, CutTets, Region};
use crate::cut::polytope::{Polytope, Split, Wall};
use crate::error::{Result, bad_data};
use crate::geom::NONE;

/// The values of cracks are smaller than this: 56 bits hold one with its sign.
const VALUE_LIMIT: i64 = 1 << 53;

/// Regions with more cracks than this are rare, and count: their cost grows with up to the third power of that number.
const FEW_WALLS: usize = 32;
/// What all of these together may cost, in steps: some ten seconds at worst. Otherwise a small file could take hours to load.
const MOST_STEPS: u64 = 1 << 34;

/// Puts the cut tetrahedra of a break: one list after the other, elements of one size together.
pub fn put(to: &mut Writer, made: &CutTets) {
    to.list(made.tets.iter().map(|cut| cut.tet));
    (0..made.tets.len()).for_each(|k| to.put(made.splits_at(k).len() as u16));
    (0..made.tets.len()).for_each(|k| to.put(made.regions_at(k).len() as u32));
    made.splits.iter().for_each(|split| to.put(*split));
    made.regions.iter().for_each(|region| to.put(region.piece));
    made.regions.iter().for_each(|region| to.put(region.nodes));
    (0..made.regions.len()).for_each(|region| to.put(made.walls_of(region).len() as u16));
    made.walls.iter().for_each(|wall| to.put(wall.number()));
}

/// Reads the cut tetrahedra of a break of so many pieces and of this generation, of a solid with so many `tets`. Which piece has a
/// region where is not set.
pub fn get(from: &mut Reader, (pieces, generation): (usize, u32), tets: usize) -> Result<CutTets> {
    let mut made = CutTets { generation, ..CutTets::default() };
    let numbers: Vec<u32> = from.list()?;
    if !numbers.is_sorted_by(|a, b| a < b) || numbers.last().is_some_and(|last| *last as usize >= tets) {
        bad_data!("the cut tetrahedra are not ascending, or not all of the asset");
    }
    let (first_splits, split_count) = starts(&from.exactly::<u16>(numbers.len())?)?;
    let (first_regions, region_count) = starts(&from.exactly::<u32>(numbers.len())?)?;
    made.splits = from.exactly(split_count)?;
    let owners: Vec<u32> = from.exactly(region_count)?;
    let nodes: Vec<u8> = from.exactly(region_count)?;
    let (first_walls, wall_count) = starts(&from.exactly::<u16>(region_count)?)?;
    made.walls = from.exactly::<u16>(wall_count)?.into_iter().map(Wall::from_number).collect();
    let firsts = first_splits.into_iter().zip(first_regions);
    let tet = |(tet, (first_split, first_region))| CutTet { tet, first_split, first_region };
    made.tets = numbers.into_iter().zip(firsts).map(tet).collect();
    let region = |((piece, nodes), first_wall)| Region { piece, first_wall, nodes };
    made.regions = owners.into_iter().zip(nodes).zip(first_walls).map(region).collect();
    check_cost(&made)?;
    let (mut cracks, mut polytope) = (vec![], Polytope::default());
    for k in 0..made.tets.len() {
        check_splits(&made, k, generation, &mut cracks)?;
        check_regions(&made, k, pieces, &mut polytope)?;
    }
    Ok(made)
}

/// Where lists of such lengths start that stand one behind the other, and the length of all.
fn starts<T: Copy + Into<u32>>(counts: &[T]) -> Result<(Vec<u32>, usize)> {
    let mut total = 0u32;
    let mut firsts = Vec::with_capacity(counts.len());
    for count in counts {
        firsts.push(total);
        let Some(sum) = total.checked_add((*count).into()) else {
            bad_data!("there are more cracks, or regions between them, than can be numbered");
        };
        total = sum;
    }
    Ok((firsts, total as usize))
}

/// What regions have is in proportion to the file, but not what they cost.
fn check_cost(made: &CutTets) -> Result<()> {
    let walls = (0..made.regions.len()).map(|region| made.walls_of(region).len()).filter(|count| *count > FEW_WALLS);
    if walls.fold(0u64, |sum, count| sum.saturating_add((count as u64).pow(3))) > MOST_STEPS {
        bad_data!("there are too many regions between very many cracks");
    }
    Ok(())
}

/// A tetrahedron has cracks, each of them once. `cracks` is memory.
fn check_splits(made: &CutTets, k: usize, generation: u32, cracks: &mut Vec<(u32, [u32; 2])>) -> Result<()> {
    let (tet, splits) = (made.tets[k].tet, made.splits_at(k));
    if splits.is_empty() || splits.len() > Wall::MOST_SPLITS {
        bad_data!("tetrahedron {tet} is cut by {} cracks", splits.len());
    }
    if !splits.iter().flat_map(|split| split.values).all(|value| value.abs() < VALUE_LIMIT as f64) {
        bad_data!("a crack in tetrahedron {tet} has a value that is too large");
    }
    if !splits.iter().all(|split| is_crack(split.generation, &split.cells, generation)) {
        bad_data!("a crack in tetrahedron {tet} is not between two cells, or of an event that has not been");
    }
    cracks.clear();
    cracks.extend(splits.iter().map(|split| (split.generation, split.cells)));
    cracks.sort_unstable();
    if !cracks.is_sorted_by(|a, b| a < b) {
        bad_data!("a crack comes twice in tetrahedron {tet}");
    }
    Ok(())
}

/// Whether there can be such a crack in a break of this generation: between two cells, the lower first, or a plane.
pub fn is_crack(generation: u32, cells: &[u32; 2], of: u32) -> bool {
    generation < of && cells[0] != NONE && (cells[0] < cells[1] || cells[1] == NONE)
}

/// Regions are of known pieces, are bounded by cracks of their tetrahedron, are not empty, and hold the nodes that these leave
/// them, which no other region has.
fn check_regions(made: &CutTets, k: usize, pieces: usize, polytope: &mut Polytope) -> Result<()> {
    let (tet, splits) = (made.tets[k].tet, made.splits_at(k));
    if made.regions_at(k).is_empty() {
        bad_data!("tetrahedron {tet} is cut, but nobody has a part of it");
    }
    let mut taken = 0;
    for number in made.regions_at(k) {
        let (Region { piece, nodes, .. }, walls) = (made.regions[number], made.walls_of(number));
        if piece as usize >= pieces {
            bad_data!("a region of tetrahedron {tet} belongs to piece {piece} of {pieces}");
        }
        let is_split = |wall: &Wall| wall.as_crack().is_some_and(|(split, _)| split < splits.len());
        if !walls.is_sorted_by(|a, b| a.number() < b.number()) || !walls.iter().all(is_split) {
            bad_data!("the cracks around a region of tetrahedron {tet} are not ascending, or not in it");
        }
        if !are_of_one_cell(splits, walls) {
            bad_data!("the cracks around a region of tetrahedron {tet} are of several cells");
        }
        polytope.set_region(splits, walls.iter().copied());
        if polytope.is_empty() {
            bad_data!("a region of tetrahedron {tet} is empty");
        }
        if nodes != polytope.nodes() || nodes & taken != 0 {
            bad_data!("a region of tetrahedron {tet} has other nodes than its cracks leave it");
        }
        taken |= nodes;
    }
    Ok(())
}

/// Whether the walls that one event made are all of one cell, or all of planes.
fn are_of_one_cell(splits: &[Split], walls: &[Wall]) -> bool {
    let sides = || walls.iter().filter_map(|wall| wall.as_crack()).map(|(split, second)| (&splits[split], second));
    let own =
        |(split, second): (&Split, bool)| if split.cells[1] == NONE { NONE } else { split.cells[second as usize] };
    sides().all(|side| {
        sides().find(|(split, _)| split.generation == side.0.generation).is_none_or(|first| own(first) == own(side))
    })
}

impl Plain for Split {
    const SIZE: usize = 4 * 7 + <[u32; 3]>::SIZE;
    /// Seven bytes for each value: neither fractions nor negative zeros can be read.
    fn put(self, to: &mut Vec<u8>) {
        self.values.iter().for_each(|value| to.extend_from_slice(&(*value as i64).to_le_bytes()[..7]));
        [self.generation, self.cells[0], self.cells[1]].put(to);
    }
    fn get(from: &[u8]) -> Self {
        let values = std::array::from_fn(|k| {
            // The upper seven bytes of eight: shifted down, the sign goes with them.
            let bytes = std::array::from_fn(|i| if i < 1 { 0 } else { from[7 * k + i - 1] });
            (i64::from_le_bytes(bytes) >> 8) as f64
        });
        let [generation, a, b] = Plain::get(&from[28..]);
        Self { values, generation, cells: [a, b] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(values: [f64; 4], generation: u32, cells: [u32; 2]) -> Split {
        Split { values, generation, cells }
    }

    /// Three cells in one tetrahedron, the third of which has two nodes and broke once more, along a plane.
    fn example() -> CutTets {
        let splits = vec![
            split([-5.0, 4.0, 2.0, 1.0], 0, [0, 1]),
            split([-4.0, 0.0, 7.0, 6.0], 0, [0, 2]),
            split([1.0, -4.0, 5.0, 5.0], 0, [1, 2]),
            split([3.0, 1.0, -9_007_199_254_740_991.0, 9.0], 1, [0, NONE]),
        ];
        #[allow(clippy::type_complexity)] // a table
        let lists: [(u32, u8, &[(usize, bool)]); 4] = [
            (0, 0b0001, &[(0, false), (1, false)]),
            (1, 0b0010, &[(0, true), (2, false)]),
            (2, 0b0100, &[(1, true), (2, true), (3, false)]),
            (3, 0b1000, &[(1, true), (2, true), (3, true)]),
        ];
        let mut made = CutTets { splits, generation: 2, ..CutTets::default() };
        made.tets = vec![CutTet { tet: 7, first_split: 0, first_region: 0 }];
        for (piece, nodes, walls) in lists {
            made.regions.push(Region { piece, nodes, first_wall: made.walls.len() as u32 });
            made.walls.extend(walls.iter().map(|(split, second)| Wall::crack(*split, *second)));
        }
        made
    }

    fn again(made: &CutTets) -> Result<CutTets> {
        let mut to = Writer::default();
        put(&mut to, made);
        let mut from = Reader::new(&to.bytes);
        let read = get(&mut from, (4, 2), 8)?;
        from.end()?;
        Ok(read)
    }

    #[test]
    fn cuts_come_back_bit_for_bit() {
        let made = example();
        assert_eq!(again(&made).as_ref(), Ok(&made));
        let empty = CutTets { generation: 2, ..CutTets::default() };
        assert_eq!(again(&empty).as_ref(), Ok(&empty));
    }

    /// The higher cell has it, and what is above a plane.
    #[test]
    fn a_node_on_a_crack_is_on_its_second_side() {
        let mut made = example();
        made.splits[0].values[1] = 0.0;
        made.splits[3].values[3] = 0.0;
        assert!(again(&made).is_ok());
        (made.regions[0].nodes, made.regions[1].nodes) = (0b0011, 0);
        assert!(again(&made).is_err());
    }

    #[test]
    fn what_no_region_has_is_refused() {
        type Change = (&'static str, fn(&mut CutTets));
        let changes: [Change; 23] = [
            ("ascending", |b| b.tets[0].tet = 8),
            ("ascending", |b| b.tets.insert(0, b.tets[0])),
            ("cut by 0 cracks", |b| b.tets.insert(0, CutTet { tet: 3, first_split: 0, first_region: 0 })),
            ("nobody", |b| {
                b.splits.extend_from_within(..);
                b.tets.insert(0, CutTet { tet: 3, first_split: 0, first_region: 0 });
                b.tets[1].first_split = 4;
            }),
            ("too large", |b| b.splits[1].values[2] = -9_007_199_254_740_992.0),
            ("two cells", |b| b.splits[1].cells = [2, 0]),
            ("two cells", |b| b.splits[1].cells = [2, 2]),
            ("two cells", |b| b.splits[3].cells = [NONE, NONE]),
            ("two cells", |b| b.splits[3].generation = 2),
            ("twice", |b| b.splits[1].cells = [0, 1]),
            ("piece 4 of 4", |b| b.regions[3].piece = 4),
            ("piece 4294967295 of 4", |b| b.regions[3].piece = NONE),
            ("ascending", |b| b.walls[1] = Wall::crack(4, false)),
            ("ascending", |b| b.walls[0] = Wall::face(2)),
            ("ascending", |b| b.walls.swap(0, 1)),
            ("ascending", |b| b.walls[1] = b.walls[0]),
            ("other nodes", |b| b.regions[0].nodes = 0b0011),
            ("other nodes", |b| b.regions[0].nodes = 0),
            ("other nodes", |b| b.regions[0].nodes = 0b0001_0001),
            ("other nodes", |b| b.splits[3].values[3] = -9.0),
            ("empty", |b| b.splits[0].values = [5.0, 4.0, 2.0, 1.0]),
            ("several cells", |b| b.walls[0] = b.walls[0].opposite()),
            ("several cells", |b| b.splits[3].generation = 0),
        ];
        for (number, (why, change)) in changes.iter().enumerate() {
            let mut made = example();
            change(&mut made);
            let said = again(&made).unwrap_err().to_string();
            assert!(said.contains(why), "change {number}: {said}, not {why}");
        }
        // Each node is in one region: here two are the same.
        let mut made = example();
        made.regions[0] = Region { first_wall: 0, ..made.regions[1] };
        made.walls.splice(..2, made.walls[2..4].to_vec());
        assert!(again(&made).unwrap_err().to_string().contains("other nodes"));
        // Nobody waits for regions that take hours.
        let mut made = example();
        made.splits = (0..3000).map(|k| split([-1.0, 1.0, 2.0, k as f64], 0, [0, k + 1])).collect();
        made.regions.truncate(1);
        made.walls = (0..3000).map(|k| Wall::crack(k, false)).collect();
        assert!(again(&made).unwrap_err().to_string().contains("too many"));
    }
}
