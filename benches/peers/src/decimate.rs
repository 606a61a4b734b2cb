//! Cracks at the density of the skin: edge collapse on all fragments of a body at once, so that both sides of a crack stay the
//! same and neighbours still fit. The skin and its rim with the cracks stay as they are.

use crate::polyhedron::Polyhedron;
use fracas::Point;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Triangles of one crack, by the fragments on its sides; of the skin, by the fragment alone.
type Sheet = [usize; 2];

struct Triangle {
    corners: [u32; 3],
    fragment: usize,
    sheet: Sheet,
}

struct Complex {
    points: Vec<Point>,
    triangles: Vec<Option<Triangle>>,
    /// Of each vertex.
    around: Vec<Vec<u32>>,
}

/// Collapses edges of the cracks that are shorter than this.
pub fn decimated(fragments: &[Polyhedron], length: f64) -> Vec<Polyhedron> {
    let mut complex = Complex::new(fragments);
    loop {
        let mut short: Vec<(f64, [u32; 2])> = complex.edges().map(|edge| (complex.length(edge), edge)).collect();
        short.retain(|(own, _)| *own < length);
        short.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let collapsed = short.iter().filter(|(_, [a, b])| complex.collapse(*a, *b) || complex.collapse(*b, *a)).count();
        if collapsed == 0 {
            return complex.fragments(fragments.len());
        }
    }
}

impl Complex {
    fn new(fragments: &[Polyhedron]) -> Self {
        let mut numbers: HashMap<[u64; 3], u32> = HashMap::new();
        let mut points = vec![];
        let mut list: Vec<([u32; 3], usize)> = vec![];
        for (fragment, mesh) in fragments.iter().enumerate() {
            let mut number = |p: &Point| {
                *numbers.entry([p.x, p.y, p.z].map(|c| (c + 0.0).to_bits())).or_insert_with(|| {
                    points.push(*p);
                    points.len() as u32 - 1
                })
            };
            let own: Vec<u32> = mesh.points.iter().map(&mut number).collect();
            list.extend(mesh.triangles.iter().map(|t| (t.map(|i| own[i as usize]), fragment)));
        }
        // A triangle that another fragment has too, the other way round, is of the crack between them.
        let sorted = |mut corners: [u32; 3]| {
            corners.sort_unstable();
            corners
        };
        let mut owners: HashMap<[u32; 3], Vec<usize>> = HashMap::new();
        list.iter().for_each(|(corners, fragment)| owners.entry(sorted(*corners)).or_default().push(*fragment));
        let sheet = |corners: [u32; 3], fragment: usize| match owners[&sorted(corners)][..] {
            [a, b] if a != b => [a.min(b), a.max(b)],
            _ => [fragment, fragment],
        };
        let mut around = vec![vec![]; points.len()];
        for ((corners, _), k) in list.iter().zip(0..) {
            corners.iter().for_each(|i| around[*i as usize].push(k));
        }
        let triangle = |(corners, fragment)| Some(Triangle { corners, fragment, sheet: sheet(corners, fragment) });
        let triangles = list.into_iter().map(triangle).collect();
        Self { points, triangles, around }
    }

    fn edges(&self) -> impl Iterator<Item = [u32; 2]> {
        let sides = |t: &Triangle| [0, 1, 2].map(|k| [t.corners[k], t.corners[(k + 1) % 3]]);
        let sides = self.triangles.iter().flatten().flat_map(sides).map(|[a, b]| [a.min(b), a.max(b)]);
        sides.collect::<BTreeSet<_>>().into_iter()
    }

    fn length(&self, [a, b]: [u32; 2]) -> f64 {
        (self.points[a as usize] - self.points[b as usize]).norm()
    }

    fn of(&self, vertex: u32) -> impl Iterator<Item = &Triangle> {
        self.around[vertex as usize].iter().filter_map(|k| self.triangles[*k as usize].as_ref())
    }

    /// Moves a vertex onto another one, if all fragments stay closed manifolds and no triangle turns over.
    fn collapse(&mut self, from: u32, to: u32) -> bool {
        // Every sheet of the vertex must have the edge: lines where cracks meet are only shortened along themselves.
        let sheets: BTreeSet<Sheet> = self.of(from).map(|t| t.sheet).collect();
        let along: BTreeSet<Sheet> = self.of(from).filter(|t| t.corners.contains(&to)).map(|t| t.sheet).collect();
        if sheets.is_empty() || sheets != along || sheets.iter().any(|[a, b]| a == b) {
            return false;
        }
        let fragments: BTreeSet<usize> = self.of(from).map(|t| t.fragment).collect();
        let linked = |vertex: u32, fragment: usize| -> HashSet<u32> {
            self.of(vertex)
                .filter(|t| t.fragment == fragment)
                .flat_map(|t| t.corners)
                .filter(|i| *i != vertex)
                .collect()
        };
        let closed = |fragment: &usize| linked(from, *fragment).intersection(&linked(to, *fragment)).count() == 2;
        if !fragments.iter().all(closed) {
            return false;
        }
        let normal = |corners: [u32; 3]| {
            let [a, b, c] = corners.map(|i| self.points[i as usize]);
            (b - a).cross(&(c - a))
        };
        let moved = |corners: [u32; 3]| corners.map(|i| if i == from { to } else { i });
        let keeps = |t: &Triangle| {
            let (old, new) = (normal(t.corners), normal(moved(t.corners)));
            old.dot(&new) > 0.5 * old.norm() * new.norm() && new.norm() > 0.0
        };
        if !self.of(from).filter(|t| !t.corners.contains(&to)).all(keeps) {
            return false;
        }
        for k in std::mem::take(&mut self.around[from as usize]) {
            let slot = &mut self.triangles[k as usize];
            match slot {
                Some(t) if t.corners.contains(&to) => *slot = None,
                Some(t) => {
                    t.corners = moved(t.corners);
                    self.around[to as usize].push(k);
                }
                None => {}
            }
        }
        true
    }

    fn fragments(&self, count: usize) -> Vec<Polyhedron> {
        let mut made: Vec<(Polyhedron, BTreeMap<u32, u32>)> = (0..count).map(|_| Default::default()).collect();
        for t in self.triangles.iter().flatten() {
            let (mesh, numbers) = &mut made[t.fragment];
            let corners = t.corners.map(|i| {
                *numbers.entry(i).or_insert_with(|| {
                    mesh.points.push(self.points[i as usize]);
                    mesh.points.len() as u32 - 1
                })
            });
            mesh.triangles.push(corners);
        }
        made.into_iter().map(|(mesh, _)| mesh).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::scenes::intact;
    use crate::common::stage::Stage;
    use fracas::shapes;

    #[test]
    fn decimated_fragments_are_closed_and_fill_the_body() {
        let object = intact(shapes::ball(0.1, 10));
        let body = Polyhedron::of_surface(&object.surface());
        for rough in [false, true] {
            let pieces = Stage::named("ball", &object, rough).broken();
            let fine: Vec<Polyhedron> = pieces.iter().map(|p| Polyhedron::of_surface(&p.surface())).collect();
            let coarse = decimated(&fine, body.mean_edge());
            let triangles = |list: &[Polyhedron]| list.iter().map(|mesh| mesh.triangles.len()).sum::<usize>();
            println!("{} triangles of {}", triangles(&coarse), triangles(&fine));
            assert!(coarse.iter().all(|mesh| mesh.open_edges() == 0));
            assert!(triangles(&coarse) * 3 < triangles(&fine) * 2, "{} of {}", triangles(&coarse), triangles(&fine));
            let volume = |list: &[Polyhedron]| list.iter().map(|mesh| mesh.volume_and_centroid().0).sum::<f64>();
            assert!((volume(&coarse) / volume(std::slice::from_ref(&body)) - 1.0).abs() < 1e-9);
        }
    }
}
