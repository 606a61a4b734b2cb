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
    for k in 0..4 {
        // Nodes that were never parted have one owner; those that were have two, unless both went to other objects.
        let fits = |i: usize| (group_of(i) == group_of(k)) == (owners[i] == owners[k]) || owners[i] == NONE;
        if owners[k] != NONE && (owners[k] >= pieces || !(0..4).all(fits)) {
            bad_data!("the owners of tetrahedron {tet} do not fit its splits");
        }
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
