//! On whose fragments peers are measured: surfaces of usual density, cut independently of the library where that is possible.

use crate::common::data;
use crate::common::stage::Stage;
use crate::decimate::decimated;
use crate::polyhedron::Polyhedron;
use fracas::{Object, Point};
use std::fs;

/// Where the surfaces come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The skin of the intact body, clipped by Voronoi half-spaces here.
    Cut,
    /// The exact cut of the data folder.
    Data,
    /// Our own, with cracks decimated to the density of the skin.
    Decimated,
}

impl Source {
    pub fn is_independent(self) -> bool {
        self != Self::Decimated
    }

    pub fn describe(self) -> &'static str {
        match self {
            Self::Cut => "fragments cut independently: the intact skin clipped by the Voronoi half-spaces, flat caps",
            Self::Data => "fragments cut independently: the exact Voronoi cut of the data folder",
            Self::Decimated => "our surfaces, their rough cracks decimated to the density of the skin",
        }
    }

    pub fn short(self) -> &'static str {
        if self.is_independent() { "cut independently" } else { "decimated" }
    }
}

/// One surface for each of our fragments, in the same order and frame.
pub struct Fragments {
    pub source: Source,
    pub meshes: Vec<Polyhedron>,
    /// Fragments of ours without a counterpart: they keep our surface.
    pub kept: usize,
    /// Fragments without a counterpart among ours: left out.
    pub left_out: usize,
}

impl Fragments {
    pub fn new(stage: &Stage, pieces: &[Object]) -> Self {
        let data = data_fragments(stage);
        let source = match &data {
            Some(_) => Source::Data,
            None if stage.is_rough() || stage.seeds.is_empty() => Source::Decimated,
            None => Source::Cut,
        };
        let mut made = Self { source, meshes: vec![], kept: 0, left_out: 0 };
        let families = pieces.chunk_by(|a, b| a.is_sibling(b));
        for (body, family) in families.enumerate() {
            let intact = || Polyhedron::of_surface(&stage.bodies[body].0.surface());
            let own: Vec<Polyhedron> = family.iter().map(|piece| Polyhedron::of_surface(&piece.surface())).collect();
            match (source, &data) {
                (Source::Data, Some(parts)) => made.matched(own, parts.clone()),
                (Source::Cut, _) => made.matched(own, intact().cut(&stage.seeds[body])),
                _ => made.meshes.extend(decimated(&own, intact().mean_edge())),
            }
        }
        let open: usize = made.meshes.iter().map(Polyhedron::open_edges).sum();
        assert_eq!(open, 0, "{}: surfaces for peers have open edges", stage.name);
        made
    }

    pub fn triangles(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.triangles.len()).sum()
    }

    /// Puts parts in the order of our fragments: most alike in volume and centroid first.
    fn matched(&mut self, own: Vec<Polyhedron>, parts: Vec<Polyhedron>) {
        let features = |list: &[Polyhedron]| list.iter().map(Polyhedron::volume_and_centroid).collect::<Vec<_>>();
        let (ours, theirs) = (features(&own), features(&parts));
        let unlike = |(va, ca): &(f64, Point), (vb, cb): &(f64, Point)| {
            (ca - cb).norm() / va.max(*vb).cbrt() + (va / vb).ln().abs()
        };
        let pairs = (0..own.len()).flat_map(|i| (0..parts.len()).map(move |j| (i, j)));
        let mut pairs: Vec<(f64, usize, usize)> = pairs.map(|(i, j)| (unlike(&ours[i], &theirs[j]), i, j)).collect();
        // Not the same fragment if it is half as large again, or as far away.
        pairs.retain(|(unlike, ..)| *unlike < 0.5);
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut part_of, mut taken) = (vec![None; own.len()], vec![false; parts.len()]);
        for (_, i, j) in pairs {
            if part_of[i].is_none() && !taken[j] {
                part_of[i] = Some(j);
                taken[j] = true;
            }
        }
        self.kept += part_of.iter().filter(|part| part.is_none()).count();
        self.left_out += taken.iter().filter(|taken| !**taken).count();
        let choice = part_of.into_iter().zip(own).map(|(part, own)| part.map_or(own, |j| parts[j].clone()));
        self.meshes.extend(choice);
    }
}

/// The stage of the data folder: its bunny in 27 cells. None if the folder is not here.
pub fn bunny() -> Option<(fracas::Solid, Vec<Point>)> {
    data::file("truth/bunny_27_fragments.obj")?;
    Some((data::mesh("bunny")?, data::seeds(27)?))
}

fn data_fragments(stage: &Stage) -> Option<Vec<Polyhedron>> {
    let file = (stage.name == "bunny").then(|| data::file("truth/bunny_27_fragments.obj"))??;
    let text = fs::read_to_string(file).ok()?;
    let mut all = Polyhedron::default();
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let c: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
                all.points.push(Point::new(c[0], c[1], c[2]));
            }
            Some("f") => {
                let first = |word: &str| word.split('/').next()?.parse::<u32>().ok();
                let corners: Vec<u32> = words.filter_map(first).collect();
                all.triangles.push([0, 1, 2].map(|k| corners[k] - 1));
            }
            _ => {}
        }
    }
    // Parts have no vertices in common.
    Some(all.components())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::scenes::intact;

    #[test]
    fn every_fragment_has_a_counterpart_of_its_volume() {
        for rough in [false, true] {
            let stage = Stage::named("ball", &intact(fracas::shapes::ball(0.1, 12)), rough);
            let pieces = stage.broken();
            let fragments = Fragments::new(&stage, &pieces);
            assert_eq!((fragments.meshes.len(), fragments.kept), (pieces.len(), 0));
            for (piece, mesh) in pieces.iter().zip(&fragments.meshes) {
                let off = (mesh.volume_and_centroid().1 - piece.mass().centre).norm();
                assert!(off < 0.05 * stage.radius(), "{off}");
                assert_eq!(mesh.open_edges(), 0);
            }
        }
    }

    #[test]
    fn the_data_folder_has_the_bunny() {
        let Some((solid, seeds)) = bunny() else { return data::skipped("the bunny in 27 cells") };
        let stage = Stage::voronoi("bunny", &intact(solid), seeds);
        let fragments = Fragments::new(&stage, &stage.broken());
        assert_eq!((fragments.source, fragments.kept, fragments.left_out), (Source::Data, 0, 0));
    }
}
