//! What the parts of a split take over from the old body: the order of their triangles in its tree, and neighbours. Linear in the number of
//! triangles, unless old ones are divided.

use super::mesh::Mesh;
use super::options::BodyMesh;
use crate::error::{Error, Result, bad_mesh};
use crate::geom::NONE;

/// The triangles of a part in the order of the old tree.
#[derive(Clone, Default)]
pub(super) struct Order {
    pub triangles: Vec<u32>,
    /// The old slot of each; those that come from none have [`NONE`] and are last.
    pub slots: Vec<u32>,
}

impl Order {
    fn with_capacity(triangles: usize) -> Self {
        Self { triangles: Vec::with_capacity(triangles), slots: Vec::with_capacity(triangles) }
    }

    fn push(&mut self, triangle: u32, slot: u32) {
        self.triangles.push(triangle);
        self.slots.push(slot);
    }
}

/// What became of the triangles of a body that is split.
pub(super) struct Inheritance {
    /// For each part; empty if it has no sources.
    pub orders: Vec<Order>,
    /// The part and the number there of each old triangle.
    places: Vec<[u32; 2]>,
    /// Whether no old triangle became two.
    is_distinct: bool,
}

impl Inheritance {
    /// `order` are the old triangles by slot, or [`NONE`]; `slot_of` their slots. Fails with the part whose sources are wrong.
    pub fn new(parts: &[BodyMesh], order: &[u32], slot_of: &[u32]) -> std::result::Result<Self, (usize, Error)> {
        let mut places = vec![[NONE; 2]; slot_of.len()];
        let mut is_distinct = true;
        for (p, part) in parts.iter().enumerate() {
            check(part, slot_of.len()).map_err(|error| (p, error))?;
            for (source, t) in part.sources.iter().zip(0..).filter(|(s, _)| **s != NONE) {
                let place = &mut places[*source as usize];
                is_distinct &= place[0] == NONE;
                *place = [p as u32, t];
            }
        }
        let mut orders: Vec<Order> = parts.iter().map(|part| Order::with_capacity(part.sources.len())).collect();
        if is_distinct {
            for (slot, t) in order.iter().enumerate().filter(|(_, t)| **t != NONE) {
                let [part, number] = places[*t as usize];
                if part != NONE {
                    orders[part as usize].push(number, slot as u32);
                }
            }
        } else {
            for (part, order) in parts.iter().zip(&mut orders) {
                let old = part.sources.iter().zip(0..).filter(|(s, _)| **s != NONE);
                let mut keyed: Vec<(u32, u32)> = old.map(|(s, t)| (slot_of[*s as usize], t)).collect();
                keyed.sort_unstable();
                keyed.into_iter().for_each(|(slot, t)| order.push(t, slot));
            }
        }
        for (part, order) in parts.iter().zip(&mut orders) {
            part.sources.iter().zip(0..).filter(|(s, _)| **s == NONE).for_each(|(_, t)| order.push(t, NONE));
        }
        Ok(Self { orders, places, is_distinct })
    }

    /// The mesh of a part whose neighbours are those of the old body, as far as they are in the part; the same as [`Mesh::new`] makes.
    /// `None` if that cannot be known: some triangles are new, or not those of the old body, or an old edge had more than two.
    pub fn mesh(
        &self,
        part: usize,
        triangles: &[[u32; 3]],
        sources: &[u32],
        vertices: usize,
        old: &Mesh,
    ) -> Option<Mesh> {
        if !self.is_distinct || !old.is_manifold || sources.is_empty() || sources.contains(&NONE) {
            return None;
        }
        // Each vertex comes from one: then no edge has more triangles than the one it comes from.
        let mut origin = vec![NONE; vertices];
        for (corners, source) in triangles.iter().zip(sources) {
            for (corner, from) in corners.iter().zip(old.triangles[*source as usize]) {
                let known = origin.get_mut(*corner as usize)?;
                if *known != NONE && *known != from {
                    return None;
                }
                *known = from;
            }
        }
        let neighbour = |corners: &[u32; 3], source: u32, k: usize| {
            let across = old.neighbours[source as usize][k];
            let [to, number] = if across == NONE { [NONE; 2] } else { self.places[across as usize] };
            if to != part as u32 {
                return NONE;
            }
            // The vertices of a cut may be two there.
            let other = triangles[number as usize];
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            let shares = (0..3).any(|j| other[j] == b && other[(j + 1) % 3] == a);
            if shares { number } else { NONE }
        };
        let neighbours = triangles.iter().zip(sources).map(|(corners, s)| [0, 1, 2].map(|k| neighbour(corners, *s, k)));
        Some(Mesh::with_neighbours(triangles.to_vec(), vertices, neighbours.collect()))
    }
}

fn check(part: &BodyMesh, triangles: usize) -> Result<()> {
    if !part.sources.is_empty() && part.sources.len() != part.triangles.len() {
        bad_mesh!("there are {} sources for {} triangles", part.sources.len(), part.triangles.len());
    }
    if let Some((k, source)) = part.sources.iter().enumerate().find(|(_, s)| **s != NONE && **s as usize >= triangles) {
        bad_mesh!("sources[{k}] is {source}; the body has {triangles} triangles");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Point;
    use crate::geom::random::unit;

    #[test]
    fn meshes_of_parts_are_those_that_matching_makes() {
        let n = 12u32;
        let vertex = |i: u32, j: u32| i * n + j % n;
        // A tube: closed around, open at its ends.
        let squares = (0..n - 1).flat_map(|i| (0..n).map(move |j| (i, j)));
        let triangles: Vec<[u32; 3]> = squares
            .flat_map(|(i, j)| {
                let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
                [[a, b, c], [a, c, d]]
            })
            .collect();
        let old = Mesh::new(triangles.clone(), (n * n) as usize).unwrap();
        let slot_of: Vec<u32> = (0..triangles.len() as u32).rev().collect();
        // Slots without a triangle at the end.
        let by_slot: Vec<u32> = slot_of.iter().copied().chain([NONE; 3]).collect();
        for seed in 0..50 {
            let label = |t: usize| (3.0 * unit(seed, t as u64 / 7)) as usize;
            let mut parts = vec![BodyMesh::default(); 3];
            for (t, corners) in triangles.iter().enumerate() {
                let part = &mut parts[label(t)];
                part.sources.push(t as u32);
                // In every other split, triangles of a part that only touch at a vertex do not share it.
                let doubled = seed % 2 == 1 && t % 3 == 0;
                part.triangles.push(corners.map(|v| v + if doubled { n * n } else { 0 }));
                part.positions.resize((2 * n * n) as usize, Point::origin());
            }
            let kept = Inheritance::new(&parts, &by_slot, &slot_of).map_err(|(_, e)| e).unwrap();
            for (p, part) in parts.iter().enumerate() {
                let expected = Mesh::new(part.triangles.clone(), part.positions.len()).unwrap();
                let found = kept.mesh(p, &part.triangles, &part.sources, part.positions.len(), &old).unwrap();
                assert_eq!(found, expected, "seed {seed}");
                let order = &kept.orders[p];
                assert!(order.slots.is_sorted() && order.triangles.len() == part.triangles.len());
                let from = |t: &u32| slot_of[part.sources[*t as usize] as usize];
                assert!(order.triangles.iter().map(from).eq(order.slots.iter().copied()));
            }
        }
        // Two vertices of the old body that are one in the part; a triangle turned; one that is new.
        let whole = |change: &dyn Fn(&mut BodyMesh)| {
            let mut part = BodyMesh { triangles: triangles.clone(), ..BodyMesh::default() };
            part.sources = (0..triangles.len() as u32).collect();
            change(&mut part);
            let kept = Inheritance::new(std::slice::from_ref(&part), &by_slot, &slot_of).map_err(|(_, e)| e).unwrap();
            kept.mesh(0, &part.triangles, &part.sources, (n * n) as usize, &old)
        };
        assert!(whole(&|_| {}).is_some());
        assert!(
            whole(&|part| part.triangles.iter_mut().flatten().for_each(|v| *v -= (*v == n * n - 1) as u32)).is_none()
        );
        assert!(whole(&|part| part.triangles[5].rotate_left(1)).is_none());
        assert!(whole(&|part| part.sources[5] = NONE).is_none());
        assert!(whole(&|part| part.sources[5] = 6).is_none());
        // Old triangles that are divided, and new ones: in the order of the slots as well.
        let mut part = BodyMesh { triangles: triangles[..6].to_vec(), ..BodyMesh::default() };
        part.sources = vec![7, NONE, 3, 7, NONE, 100];
        let kept = Inheritance::new(std::slice::from_ref(&part), &by_slot, &slot_of).map_err(|(_, e)| e).unwrap();
        assert_eq!(kept.orders[0].triangles, [5, 0, 3, 2, 1, 4]);
        let slots = [100, 7, 7, 3].map(|t: usize| slot_of[t]);
        assert_eq!(kept.orders[0].slots, [&slots[..], &[NONE; 2]].concat());
    }

    #[test]
    fn wrong_sources_are_named() {
        let part =
            |sources: &[u32]| BodyMesh { triangles: vec![[0, 1, 2]], sources: sources.to_vec(), ..BodyMesh::default() };
        let error = |sources: &[u32]| Inheritance::new(&[part(&[]), part(sources)], &[0, 1], &[0, 1]).err().unwrap();
        assert!(error(&[2]).0 == 1 && error(&[2]).1.to_string().contains("the body has 2 triangles"));
        assert!(error(&[0, 1]).1.to_string().contains("2 sources for 1 triangles"));
        assert!(Inheritance::new(&[part(&[NONE])], &[0, 1], &[0, 1]).is_ok());
    }
}
