//! The tetrahedra in which pieces have a part that share their cell with others: they are divided when all others can wait.

use super::edges::Contested;
use super::envelope::Envelope;
use super::part::Part;
use super::regions::{Divided, Divider, Known, Part as Region};
use super::scratch::Scratch;
use super::{cutting, later};
use crate::body::Object;
use crate::geom::aabb::Aabb;
use crate::geom::{NONE, union_find};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicUsize;

/// Tetrahedra with all their regions.
pub struct SomeTets {
    pub divided: Divided,
    /// The piece of each region.
    pub of_part: Vec<u32>,
}

/// Divides the tetrahedra in these boxes, in which pieces share cells; `parts` are all parts of cells. `None` if it is not known whose a
/// region is.
pub fn divide(
    object: &Object,
    envelope: &Envelope,
    around: &[Aabb],
    parts: &[Part],
    scratch: &mut Scratch,
) -> Option<SomeTets> {
    let solid = object.asset().solid();
    let mut work = cutting::cut_tets(object, scratch);
    work.retain(|w| {
        let bounds = Aabb::around(&solid.corners(w.tet));
        around.iter().any(|other| other.meets(&bounds))
    });
    let Scratch { cell_of, fragment_of, .. } = scratch;
    // Any edge may have several cracks: nobody has looked.
    let contested = vec![u64::MAX; solid.nodes().len()];
    let known = Known {
        object,
        envelope,
        cell_of,
        contested: Contested { from: &contested },
        crossed: &HashSet::new(),
        budget: (&AtomicUsize::new(0), usize::MAX),
    };
    let divided = Divider::new(known, work.len()).run(&work, 0);
    if divided.too_many {
        return None;
    }
    let divided = Divided { work, ..divided };
    // Regions without nodes hang on others over faces.
    let mut parents: Vec<u32> = (0..divided.parts.len() as u32).collect();
    let mut on_faces: HashMap<u64, u32> = HashMap::new();
    for &(key, part) in &divided.joins {
        match on_faces.remove(&key) {
            Some(other) => {
                union_find::join(&mut parents, part, other);
            }
            None => {
                on_faces.insert(key, part);
            }
        }
    }
    let of_nodes = |part: &Region| {
        let tet = solid.tets()[divided.work[part.work as usize].tet as usize];
        (part.nodes != 0).then(|| fragment_of[tet[part.nodes.trailing_zeros() as usize & 3] as usize])
    };
    let set_of: Vec<u32> = (0..divided.parts.len() as u32).map(|part| union_find::find(&mut parents, part)).collect();
    let mut of_set = vec![NONE; divided.parts.len()];
    for (part, set) in divided.parts.iter().zip(&set_of) {
        if let Some(piece) = of_nodes(part) {
            of_set[*set as usize] = piece;
        }
    }
    let boxes = divided.boxes(&set_of, set_of.len());
    let piece = |(part, set): (&Region, &u32)| match of_set[*set as usize] {
        NONE => later::like(parts, part.label as u32, &boxes[*set as usize]),
        piece => Some(of_nodes(part).unwrap_or(piece)),
    };
    let of_part: Option<Vec<u32>> = divided.parts.iter().zip(&set_of).map(piece).collect();
    of_part.map(|of_part| SomeTets { divided, of_part })
}
