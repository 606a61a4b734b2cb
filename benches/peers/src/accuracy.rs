//! How right the answers are, by closed surfaces of the fragments, in double precision: those that we export, and those that
//! peers are prepared from (`fragments`), which are cut independently of the library unless cracks are rough.
//!
//! Distances and windings come from a tree of triangles, which has nothing to do with what queries use; whatever convicts a
//! library of a miss is confirmed by brute force over all triangles.

use crate::common::stage::{Frame, Stage};
use crate::common::trees::points_of;
use crate::fragments::Fragments;
use crate::frames::FrameKind;
use crate::library::{self, Hit, Library};
use crate::polyhedron::Polyhedron;
use crate::timing::Row;
use fracas::bvh::{Bvh, Winding};
use fracas::fracture::surface::Face;
use fracas::geom::Pose;
use fracas::{Object, Point, Vector};
use nalgebra::Translation3;
use std::collections::BTreeSet;

/// A point this deep makes an overlap, as a share of the radius.
const DEEP: f64 = 0.001;
/// Bodies farther apart than this do not touch, as a share of the radius.
const APART: f64 = 0.001;
/// How far fragments are pushed into their neighbours, as shares of the radius.
pub const PUSHES: [f64; 3] = [0.003, 0.005, 0.01];
/// Contacts of a pair that are judged after a push.
const JUDGED: usize = 32;

/// How two bodies are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// A sample of one is deep in the other. Of our surfaces: a vertex of the skin or a corner of a crack; of others: points all
    /// over them, a mean edge of the body apart.
    Overlap,
    /// No sample is, but an edge, or where one tetrahedron's part of a crack meets the next.
    EdgesOnly,
    /// They touch, more or less.
    Touching,
    /// They have nothing in common and are farther apart than contacts may be.
    Clear,
}

/// Of all frames of a kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Judgement {
    pub overlaps: usize,
    /// Of these: those without a contact.
    pub missed: usize,
    /// Of these: those with contacts whose depth is 0.
    pub flat: usize,
    pub edges_only: usize,
    /// Of these.
    pub edges_missed: usize,
    pub clear: usize,
    /// Of these.
    pub phantoms: usize,
    pub touching: usize,
    /// The deepest contact of each touching pair, as a share of the radius: the sum and the largest.
    pub touching_depth: f64,
    pub touching_deepest: f64,
}

/// Depths after a push against exact distances, as shares of the radius.
#[derive(Clone, Debug, Default)]
pub struct Push {
    pub errors: Vec<f64>,
    /// Neighbours that were pushed together, and those without a contact.
    pub pairs: usize,
    pub missed: usize,
}

/// What one library got right on one stage, by one set of surfaces.
#[derive(Clone, Debug, Default)]
pub struct Accuracy {
    /// By kind of frames.
    pub frames: [Judgement; FrameKind::COUNT],
    pub pushes: [Push; 3],
}

impl Judgement {
    /// Of several kinds together.
    pub fn sum<'a>(judgements: impl IntoIterator<Item = &'a Self>) -> Self {
        judgements.into_iter().fold(Self::default(), |sum, own| Self {
            overlaps: sum.overlaps + own.overlaps,
            missed: sum.missed + own.missed,
            flat: sum.flat + own.flat,
            edges_only: sum.edges_only + own.edges_only,
            edges_missed: sum.edges_missed + own.edges_missed,
            clear: sum.clear + own.clear,
            phantoms: sum.phantoms + own.phantoms,
            touching: sum.touching + own.touching,
            touching_depth: sum.touching_depth + own.touching_depth,
            touching_deepest: sum.touching_deepest.max(own.touching_deepest),
        })
    }

    /// Adds what a library has found in a frame.
    pub fn add(&mut self, truth: &[Relation], hits: &[Hit], radius: f64) {
        // Gaps are no answer.
        let mut deepest: Vec<Option<f64>> = vec![None; truth.len()];
        for hit in hits.iter().filter(|hit| hit.depth >= 0.0) {
            let deepest = &mut deepest[hit.pair as usize];
            *deepest = Some(deepest.unwrap_or(0.0).max(hit.depth));
        }
        for (relation, found) in truth.iter().zip(deepest) {
            let depth = found.unwrap_or(0.0);
            match relation {
                Relation::Overlap => {
                    self.overlaps += 1;
                    self.missed += found.is_none() as usize;
                    self.flat += (found == Some(0.0)) as usize;
                }
                Relation::EdgesOnly => {
                    self.edges_only += 1;
                    self.edges_missed += found.is_none() as usize;
                }
                Relation::Clear => {
                    self.clear += 1;
                    self.phantoms += (depth > 0.0) as usize;
                }
                Relation::Touching => {
                    self.touching += 1;
                    self.touching_depth += depth / radius;
                    self.touching_deepest = self.touching_deepest.max(depth / radius);
                }
            }
        }
    }
}

impl Push {
    pub fn mean(&self) -> f64 {
        self.errors.iter().sum::<f64>() / self.errors.len().max(1) as f64
    }
    /// The error that 99 % of the contacts stay below.
    pub fn nearly_worst(&self) -> f64 {
        let mut sorted = self.errors.clone();
        sorted.sort_by(f64::total_cmp);
        let place = (sorted.len() as f64 * 0.99) as usize;
        sorted.get(place.min(sorted.len().saturating_sub(1))).copied().unwrap_or(0.0)
    }
}

impl Accuracy {
    /// The frames of the stage, without those just apart.
    pub fn moments(&self) -> Judgement {
        Judgement::sum(&self.frames[..FrameKind::MOMENTS])
    }
    pub fn just_apart(&self) -> Judgement {
        Judgement::sum(&self.frames[FrameKind::MOMENTS..])
    }
}

/// The surface of one body.
pub struct Judge {
    surface: Polyhedron,
    samples: Vec<Point>,
    edges: Vec<[Point; 2]>,
    tree: Bvh,
    winding: Winding,
}

impl Judge {
    /// By our own surface.
    pub fn new(object: &Object) -> Self {
        let samples = points_of(object, false).into_iter().map(|(_, at)| at).collect();
        Self::of_surface(Polyhedron::of_surface(&object.surface()), samples)
    }

    fn of_surface(surface: Polyhedron, samples: Vec<Point>) -> Self {
        let tree = Bvh::new(&surface.corners().collect::<Vec<_>>()).unwrap();
        let sides = surface.triangles.iter().flat_map(|t| [0, 1, 2].map(|k| [t[k], t[(k + 1) % 3]]));
        let edges: BTreeSet<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        let edges = edges.into_iter().map(|ends| ends.map(|i| surface.points[i as usize])).collect();
        Self { edges, samples, winding: Winding::new(&tree), tree, surface }
    }

    /// How deep a point is; negative outside.
    pub fn depth(&self, p: &Point) -> f64 {
        let distance = self.tree.closest_point(p, f64::INFINITY).unwrap().distance;
        if self.winding.at(&self.tree, p) > 0.5 { distance } else { -distance }
    }

    /// Whether a point is inside by more than some depth.
    fn is_deep(&self, p: &Point, depth: f64) -> bool {
        self.tree.bounds().contains(p)
            && self.tree.closest_point(p, depth).is_none()
            && self.winding.at(&self.tree, p) > 0.5
            && self.surface.winding_number(p) > 0.5
            && self.surface.distance(p) > depth
    }

    /// Whether a segment comes as near as this. Distances change no faster than one moves: halves that cannot reach are left.
    fn is_near_segment(&self, [a, b]: &[Point; 2], distance: f64) -> bool {
        let (middle, half) = (nalgebra::center(a, b), (b - a).norm() * 0.5);
        match self.tree.closest_point(&middle, distance + half) {
            None => false,
            Some(hit) if hit.distance <= distance => true,
            _ => self.is_near_segment(&[*a, middle], distance) || self.is_near_segment(&[middle, *b], distance),
        }
    }

    /// Whether a segment may be near: its box, widened, meets ours.
    fn may_meet(&self, [a, b]: &[Point; 2], margin: f64) -> bool {
        let bounds = self.tree.bounds();
        (0..3).all(|k| a[k].min(b[k]) <= bounds.max[k] + margin && a[k].max(b[k]) >= bounds.min[k] - margin)
    }

    /// How another body is to this one, `there` being the way from its frame into ours; seen from one side only.
    fn relation(&self, other: &Self, there: &Pose, radius: f64) -> Relation {
        if other.samples.iter().any(|p| self.is_deep(&(there * p), DEEP * radius)) {
            return Relation::Overlap;
        }
        let edges = other.edges.iter().map(|ends| ends.map(|p| there * p));
        let edges: Vec<[Point; 2]> = edges.filter(|edge| self.may_meet(edge, APART * radius)).collect();
        let crossing = edges.iter().filter(|[a, b]| self.tree.ray(a, &(b - a), 1.0).is_some());
        let along = |[a, b]: &[Point; 2], k: u32| a + (b - a) * (k as f64 / 8.0);
        let mut crosses = false;
        for edge in crossing {
            crosses = true;
            if (0..=8).any(|k| self.is_deep(&along(edge, k), DEEP * radius)) {
                return Relation::EdgesOnly;
            }
        }
        let near = || edges.iter().any(|edge| self.is_near_segment(edge, APART * radius));
        if crosses || near() { Relation::Touching } else { Relation::Clear }
    }
}

/// All bodies of a stage.
pub struct Judges {
    bodies: Vec<Judge>,
    radius: f64,
}

impl Judges {
    /// By our own surfaces.
    pub fn new(pieces: &[Object], radius: f64) -> Self {
        Self { bodies: pieces.iter().map(Judge::new).collect(), radius }
    }

    /// By the surfaces that peers are prepared from.
    pub fn of_fragments(fragments: &Fragments, spacing: f64, radius: f64) -> Self {
        let judge = |mesh: &Polyhedron| Judge::of_surface(mesh.clone(), mesh.samples(spacing));
        Self { bodies: fragments.meshes.iter().map(judge).collect(), radius }
    }

    /// How the bodies of each pair of a frame are to each other.
    pub fn relations(&self, frame: &Frame) -> Vec<Relation> {
        let relation = |&(a, b): &(usize, usize)| {
            let seen = |from: usize, to: usize| {
                let there = frame.poses[from].inv_mul(&frame.poses[to]);
                self.bodies[from].relation(&self.bodies[to], &there, self.radius)
            };
            let sides = [seen(a, b), seen(b, a)];
            let by_weight = [Relation::Overlap, Relation::EdgesOnly, Relation::Touching];
            by_weight.into_iter().find(|relation| sides.contains(relation)).unwrap_or(Relation::Clear)
        };
        frame.pairs.iter().map(relation).collect()
    }

    /// How far a depth is from the exact one at the point that it is told for: the sample, on the surface of one body, in
    /// the other. Of libraries that do not say which body's it is the better of both counts.
    fn error(&self, frame: &Frame, hit: &Hit, of_b: Option<bool>) -> f64 {
        let (a, b) = frame.pairs[hit.pair as usize];
        let (middle, half) = (Point::from(hit.point), Vector::from(hit.normal) * (hit.depth * 0.5));
        let off = |in_b: bool| {
            let (other, at) = if in_b { (b, middle - half) } else { (a, middle + half) };
            let local = frame.poses[other].inverse_transform_point(&at);
            (hit.depth - self.bodies[other].depth(&local)).abs()
        };
        of_b.map_or_else(|| off(true).min(off(false)), |of_b| off(!of_b))
    }
}

/// Pushes each fragment into each neighbour, along the mean normal of the crack between them, and judges depths. A quick run
/// pushes only one of two.
pub fn push(
    judges: &[Judges; 2],
    stage: &Stage,
    pieces: &[Object],
    quick: bool,
    libraries: &mut [Box<dyn Library>],
    rows: &mut [Row],
) {
    let (places, radius) = (stage.places(pieces), stage.radius());
    let mut neighbours = neighbours(pieces);
    neighbours.retain(|(a, b, _)| !quick || a < b);
    for (push, share) in PUSHES.into_iter().enumerate() {
        for &(a, b, normal) in &neighbours {
            let shift = Translation3::from(places[a].rotation * normal * (share * radius));
            let mut poses = places.clone();
            poses[a] = Pose::from(shift) * places[a];
            let frame = Frame { poses, pairs: vec![(a, b)] };
            let pairs = library::pairs(&frame);
            for (library, row) in libraries.iter_mut().zip(&mut *rows) {
                library.place(&frame);
                library.pass(&pairs);
                let hits = library.hits();
                for (judges, accuracy) in judges.iter().zip(&mut row.accuracy) {
                    let deep = hits.iter().enumerate().filter(|(_, hit)| hit.depth > 0.0).take(JUDGED);
                    let error = |(k, hit)| judges.error(&frame, hit, library.sample_is_of_b(k)) / radius;
                    let errors: Vec<f64> = deep.map(error).collect();
                    let into = &mut accuracy.pushes[push];
                    into.pairs += 1;
                    into.missed += errors.is_empty() as usize;
                    into.errors.extend(errors);
                }
            }
        }
    }
}

/// Siblings with a crack between them: the one that is pushed, the other, and the crack's mean normal from it to the other.
fn neighbours(pieces: &[Object]) -> Vec<(usize, usize, Vector)> {
    let mut found = vec![];
    for (a, piece) in pieces.iter().enumerate() {
        let surface = piece.surface();
        let siblings = pieces.iter().enumerate().filter(|(b, other)| *b != a && piece.is_sibling(other));
        for (b, other) in siblings {
            let between =
                |face: &Face| matches!(face, Face::Crack { neighbour: Some(n), .. } if *n == other.piece_number());
            let normal = |t: &fracas::fracture::surface::Triangle| {
                let [a, b, c] = t.corners.map(|i| surface.vertices[i as usize]);
                (b - a).cross(&(c - a))
            };
            let sum: Vector = surface.triangles.iter().filter(|t| between(&t.face)).map(normal).sum();
            found.extend(sum.try_normalize(0.0).map(|normal| (a, b, normal)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::scenes::intact;
    use fracas::geom::random::unit;
    use fracas::shapes;

    fn cube() -> Judge {
        Judge::new(&intact(shapes::cuboid([1.0; 3], [3; 3])))
    }

    /// The relation of two unit cubes, either way, as in [`Judges::relations`].
    fn of_cubes(pose: Pose) -> Relation {
        let judges = Judges { bodies: vec![cube(), cube()], radius: 1.0 };
        judges.relations(&Frame { poses: vec![Pose::identity(), pose], pairs: vec![(0, 1)] })[0]
    }

    fn moved(x: f64, y: f64, z: f64) -> Pose {
        Pose::from(Translation3::new(x, y, z))
    }

    #[test]
    fn cubes_are_as_they_are() {
        let about =
            |axis: Vector, degrees: f64| nalgebra::UnitQuaternion::from_scaled_axis(axis * f64::to_radians(degrees));
        assert_eq!(of_cubes(moved(1.0, 0.0, 0.0)), Relation::Touching);
        assert_eq!(of_cubes(moved(1.0009, 0.1, 0.0)), Relation::Touching);
        assert_eq!(of_cubes(moved(1.0011, 0.1, 0.0)), Relation::Clear);
        assert_eq!(of_cubes(moved(0.9995, 0.1, 0.05)), Relation::Touching);
        assert_eq!(of_cubes(moved(0.9, 0.1, 0.05)), Relation::Overlap);
        assert_eq!(of_cubes(moved(0.98, 0.97, 0.96)), Relation::Overlap);
        // Edge across edge: one stands on its edge, the other is turned about the line between them.
        let centre = intact(shapes::cuboid([1.0; 3], [1; 3])).bounds().centre();
        let centred = |pose: Pose| pose * Pose::from(Translation3::from(-centre.coords));
        let edge_up = |axis: Vector| Pose::from_parts(Translation3::identity(), about(axis, 45.0));
        let judges = Judges { bodies: vec![cube(), cube()], radius: 1.0 };
        let crossed = |apart: f64| {
            let poses = vec![centred(edge_up(Vector::x())), centred(moved(0.03, 0.02, apart) * edge_up(Vector::y()))];
            judges.relations(&Frame { poses, pairs: vec![(0, 1)] })[0]
        };
        assert_eq!(crossed(2f64.sqrt() - 0.05), Relation::EdgesOnly);
        assert_eq!(crossed(2f64.sqrt() + 0.0005), Relation::Touching);
        assert_eq!(crossed(2f64.sqrt() + 0.002), Relation::Clear);
    }

    #[test]
    fn depths_are_those_of_brute_force() {
        let shell = Judge::new(&intact(shapes::hollow_ball(1.0, 8, 1)));
        let mut inside = 0;
        for seed in 0..500 {
            let p = Point::from(Vector::from_fn(|k, _| 2.4 * unit(seed, k as u64) - 1.2));
            let sign = if shell.surface.winding_number(&p) > 0.5 { 1.0 } else { -1.0 };
            let exact = sign * shell.surface.distance(&p);
            assert!((shell.depth(&p) - exact).abs() < 1e-12, "{p}: {} is not {exact}", shell.depth(&p));
            inside += (sign > 0.0) as usize;
        }
        assert!((50..400).contains(&inside), "{inside}");
    }

    #[test]
    fn an_error_is_counted_from_the_sample() {
        let judges = Judges { bodies: vec![cube(), cube()], radius: 1.0 };
        let bounds = judges.bodies[0].tree.bounds();
        let frame = Frame { poses: vec![Pose::identity(), moved(0.9, 0.3, 0.3)], pairs: vec![(0, 1)] };
        // A's face is 0.1 deep in B; the way out of B's corner is -x for A.
        let corner = bounds.min + Vector::new(0.9, 0.3, 0.3);
        let hit = |depth: f64| Hit {
            pair: 0,
            depth,
            point: (corner + Vector::new(depth * 0.5, 0.0, 0.0)).into(),
            normal: [-1.0, 0.0, 0.0],
        };
        assert!(judges.error(&frame, &hit(0.1), Some(true)) < 1e-9);
        assert!((judges.error(&frame, &hit(0.15), Some(true)) - 0.05).abs() < 1e-9);
    }

    #[test]
    fn judgements_count_pairs() {
        use Relation::{Clear, Overlap, Touching};
        let truth = [Overlap, Overlap, Clear, Clear, Touching, Overlap];
        let hit = |pair, depth| Hit { pair, depth, point: [0.0; 3], normal: [1.0, 0.0, 0.0] };
        let mut judgement = Judgement::default();
        judgement.add(&truth, &[hit(0, 0.2), hit(1, -0.1), hit(3, 0.1), hit(4, 0.3), hit(5, 0.0)], 2.0);
        assert_eq!((judgement.overlaps, judgement.missed, judgement.flat), (3, 1, 1));
        assert_eq!((judgement.clear, judgement.phantoms), (2, 1));
        assert_eq!((judgement.touching, judgement.touching_deepest), (1, 0.15));
    }
}
