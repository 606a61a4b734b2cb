//! Cut tetrahedra and their splits. The splits of a tetrahedron are a history, and are read as one: whatever cuts
//! tetrahedra into cells relies on their number and on who was set against whom (docs/design.md, 4.2).

use super::bytes::{Reader, Writer};
use crate::error::{Result, bad_data};
use crate::field::breaks::{Break, CutTet};
use crate::geom::NONE;
use crate::geom::knockout::Split;

/// Puts the cut tetrahedra of a break.
pub fn put(to: &mut Writer, made: &Break) {
    to.list(made.tets.iter().map(|cut| cut.tet));
    made.tets.iter().for_each(|cut| to.put(cut.owners));
    (0..made.tets.len()).for_each(|k| to.put(made.splits_at(k).len() as u8));
    made.splits.iter().for_each(|split| to.put(split.gaps));
}

/// Cut tetrahedra of a solid with so many `tets`, and their splits, for a break with so many `pieces`.
pub fn get(from: &mut Reader, tets: usize, pieces: u32) -> Result<(Vec<CutTet>, Vec<Split>)> {
    let numbers: Vec<u32> = from.list()?;
    if !numbers.is_sorted_by(|a, b| a < b) || numbers.last().is_some_and(|last| *last as usize >= tets) {
        bad_data!("the cut tetrahedra are not ascending, or not all of the asset");
    }
    let owners: Vec<[u32; 4]> = from.exactly(numbers.len())?;
    let counts: Vec<u8> = from.exactly(numbers.len())?;
    let total = counts.iter().map(|count| *count as usize).sum();
    let splits: Vec<Split> = from.exactly(total)?.into_iter().map(|gaps| Split { gaps }).collect();
    let mut cuts = Vec::with_capacity(numbers.len());
    let mut first = 0;
    for ((tet, owners), count) in numbers.into_iter().zip(owners).zip(counts) {
        check(&splits[first..first + count as usize], &owners, pieces, tet)?;
        cuts.push(CutTet { tet, owners, first_split: first as u32 });
        first += count as usize;
    }
    Ok((cuts, splits))
}

fn check(splits: &[Split], owners: &[u32; 4], pieces: u32, tet: u32) -> Result<()> {
    let is_gap = |gap: &f32| gap.is_finite() && gap.to_bits() != (-0.0f32).to_bits();
    if !splits.iter().flat_map(|split| &split.gaps).all(is_gap) {
        bad_data!("a gap in tetrahedron {tet} is no finite number, or negative zero");
    }
    let Some(groups) = parted(splits).filter(|_| !splits.is_empty()) else {
        bad_data!("the splits of tetrahedron {tet} are none that events make");
    };
    let group_of = |k: usize| groups.iter().position(|group| group >> k & 1 != 0);
    // Nodes that were never parted have one owner; those that were have two, unless both went to other objects.
    let alike = |i: usize, k: usize| (group_of(i) == group_of(k)) == (owners[i] == owners[k]);
    let fits = |i: usize, k: usize| alike(i, k) || owners[i] == NONE && owners[k] == NONE;
    let exists = |owner: &u32| *owner == NONE || *owner < pieces;
    if !owners.iter().all(exists) || !(0..4).all(|k| (0..k).all(|i| fits(i, k))) {
        bad_data!("the owners of tetrahedron {tet} do not fit its splits");
    }
    if *owners == [NONE; 4] {
        bad_data!("tetrahedron {tet} has no owner");
    }
    Ok(())
}

/// The groups into which splits part the four nodes, a bit each; `None` if they are no sequence of events. An event parts
/// one group into all labels in it, and sets each label against all those before it.
fn parted(splits: &[Split]) -> Option<Vec<u8>> {
    let mut groups = vec![0b1111u8];
    let mut sides = splits.iter().map(Split::sides);
    while let Some((first, second)) = sides.next() {
        let mut labels = vec![first, second];
        let mut covered = first | second;
        let place = groups.iter().position(|group| group & covered == covered)?;
        let group = groups.swap_remove(place);
        while covered != group {
            let (_, next) = sides.clone().next()?;
            if !labels.iter().all(|label| sides.next() == Some((*label, next))) || next & (covered | !group) != 0 {
                return None;
            }
            labels.push(next);
            covered |= next;
        }
        groups.extend(labels);
    }
    groups.iter().all(|group| *group != 0).then_some(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A split from a letter a node: first side, second side, neither.
    fn split(sides: &str) -> Split {
        let gap = |letter: u8| match letter {
            b'+' => 0.5,
            b'-' => -0.25,
            _ => 0.0,
        };
        Split { gaps: std::array::from_fn(|k| gap(sides.as_bytes()[k])) }
    }

    fn groups(splits: &[&str]) -> Option<Vec<u8>> {
        let mut groups = parted(&splits.iter().map(|sides| split(sides)).collect::<Vec<_>>())?;
        groups.sort_unstable();
        Some(groups)
    }

    #[test]
    fn histories_of_events_are_told_from_other_lists() {
        assert_eq!(groups(&["+-+-"]), Some(vec![0b0101, 0b1010]));
        assert_eq!(groups(&["++--", "+-..", "..-+"]), Some(vec![1, 2, 4, 8]));
        // Three labels in one event, then one of them breaks.
        assert_eq!(groups(&["+-..", "+.--", ".+--", "..+-"]), Some(vec![1, 2, 4, 8]));
        assert_eq!(groups(&["+-..", "+.-.", ".+-.", "+..-", ".+.-", "..+-"]), Some(vec![1, 2, 4, 8]));
        for (splits, why) in [
            (&["++.."][..], "nobody to set against"),
            (&["...."], "nobody at all"),
            (&["+-..", "+.--"], "not all labels against the third"),
            (&["+-..", ".+--", "+.--"], "labels out of order"),
            (&["+-.."], "nodes without a label"),
            (&["++--", "+.-."], "parted already"),
            (&["+-+-", "+-+-"], "twice"),
        ] {
            assert_eq!(groups(splits), None, "{why}");
        }
    }

    #[test]
    fn owners_fit_the_groups() {
        let splits = [split("++--"), split("+-..")];
        let fits = |owners: [u32; 4]| check(&splits, &owners, 3, 0).is_ok();
        assert!(fits([0, 1, NONE, NONE]) && fits([0, 1, 2, 2]));
        for wrong in [[0, 0, 1, 1], [0, 1, 2, NONE], [0, 1, 1, 1], [0, 3, NONE, NONE], [NONE; 4]] {
            assert!(!fits(wrong), "{wrong:?}");
        }
        for gap in [-0.0, f32::NAN, f32::INFINITY] {
            assert!(check(&[Split { gaps: [1.0, -1.0, gap, -1.0] }], &[0, 1, 1, 1], 2, 0).is_err(), "{gap}");
        }
    }
}
