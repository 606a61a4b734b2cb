//! What benchmarks put on stage: bodies that break, and the frames that follow. Tests may use the same.

use super::oracle::winding_number;
use super::scenes::direction;
use fracas::fracture::pattern::Roughness;
use fracas::fracture::surface::Surface;
use fracas::geom::Pose;
use fracas::geom::aabb::Aabb;
use fracas::geom::random::unit;
use fracas::{FractureOptions, Object, Pattern, Point, Solid, Vector, fracture, shapes};
use nalgebra::{Translation3, UnitQuaternion};

/// Cracks that leave their plane by 2 % of the radius.
pub const ROUGH: Roughness = Roughness { amplitude: 0.02, wavelength: 3.0, seed: 7 };

/// How many frames of each kind there are to settling and rubble.
pub const SETTLING: u64 = 20;
pub const RUBBLE: u64 = 5;

/// Bodies that stand where they stand, and how each of them breaks.
pub struct Stage {
    pub name: String,
    pub bodies: Vec<(Object, Pose, Pattern)>,
    /// The Voronoi seeds of each body's pattern, in the frame of its asset; none if only the pattern is known.
    pub seeds: Vec<Vec<Point>>,
}

/// Fragments in their poses, and the pairs whose boxes meet.
pub struct Frame {
    pub poses: Vec<Pose>,
    pub pairs: Vec<(usize, usize)>,
}

/// The kinds of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// In place.
    JustFractured,
    /// Each fragment moved by 1 to 3 % of the radius and turned by 2 to 5 degrees.
    Settling,
    /// Any orientation, a third farther apart.
    Rubble,
    /// In orientation, half as far apart again.
    Separated,
}

impl Moment {
    pub const ALL: [Self; 4] = [Self::JustFractured, Self::Settling, Self::Rubble, Self::Separated];

    pub fn name(self) -> &'static str {
        match self {
            Self::JustFractured => "just fractured",
            Self::Settling => "settling",
            Self::Rubble => "rubble",
            Self::Separated => "separated",
        }
    }

    /// How many different frames it has.
    pub fn frames(self) -> u64 {
        match self {
            Self::JustFractured | Self::Separated => 1,
            Self::Settling => SETTLING,
            Self::Rubble => RUBBLE,
        }
    }
}

impl Stage {
    /// One body about the origin.
    pub fn single(name: &str, object: Object, pattern: Pattern) -> Self {
        Self { name: name.into(), bodies: vec![(object, Pose::identity(), pattern)], seeds: vec![] }
    }

    /// One body about the origin, in the Voronoi cells of these seeds.
    pub fn voronoi(name: &str, object: &Object, seeds: Vec<Point>) -> Self {
        Self { seeds: vec![seeds.clone()], ..Self::single(name, object.clone(), Pattern::voronoi(seeds)) }
    }

    /// The scenes of `scripts/bench`, each smooth or rough: rabbit in 27 cells, wall of 32 bricks in 4, ball in 8, hollow
    /// shell in 27.
    pub const NAMES: [&str; 4] = ["rabbit", "bricks", "ball", "shell"];

    /// What is on a stage of this name.
    pub fn solid(name: &str) -> Solid {
        match name {
            "rabbit" => shapes::preset::rabbit(),
            "bricks" => shapes::preset::brick(),
            "ball" => shapes::preset::sphere(),
            "shell" => shapes::hollow_ball(0.1, 20, 2), // its wall is a fifth of its radius
            _ => panic!("there is no stage \"{name}\""),
        }
    }

    /// Puts it there, once it is cooked.
    pub fn named(name: &str, object: &Object, rough: bool) -> Self {
        let surface = object.surface();
        let places = if name == "bricks" { wall(object) } else { vec![Pose::identity()] };
        let cells = match name {
            "bricks" => 4,
            "ball" => 8,
            _ => 27,
        };
        let seeds: Vec<Vec<Point>> =
            (1..=places.len() as u64).map(|seed| random_seeds(&surface, cells, seed)).collect();
        let pattern = |seeds: &Vec<Point>| match rough {
            true => Pattern::voronoi(seeds.clone()).rough(ROUGH),
            false => Pattern::voronoi(seeds.clone()),
        };
        let bodies = places.into_iter().zip(&seeds).map(|(place, seeds)| (object.clone(), place, pattern(seeds)));
        let title = if rough { format!("{name}, rough") } else { name.into() };
        Self { name: title, bodies: bodies.collect(), seeds }
    }

    /// The bounding radius of one body: what lengths are shares of.
    pub fn radius(&self) -> f64 {
        self.bodies[0].0.asset().radius()
    }

    pub fn is_rough(&self) -> bool {
        self.name.ends_with("rough")
    }

    /// The event: everything breaks.
    pub fn broken(&self) -> Vec<Object> {
        self.broken_by(&FractureOptions::default())
    }

    pub fn broken_by(&self, options: &FractureOptions) -> Vec<Object> {
        let pieces = |(object, _, pattern): &(Object, Pose, Pattern)| {
            fracture(object, pattern, options).unwrap().broken().map_or_else(|| vec![object.clone()], |f| f.objects)
        };
        self.bodies.iter().flat_map(pieces).collect()
    }

    /// Where the fragments of [`Self::broken`] are when they are made.
    pub fn places(&self, pieces: &[Object]) -> Vec<Pose> {
        let mut body = 0;
        let mut places: Vec<Pose> = vec![];
        for (k, piece) in pieces.iter().enumerate() {
            body += (k > 0 && !piece.is_sibling(&pieces[k - 1])) as usize;
            places.push(self.bodies[body].1);
        }
        places
    }

    /// A frame of a kind.
    pub fn frame(&self, pieces: &[Object], moment: Moment, number: u64) -> Frame {
        let places = self.places(pieces);
        let middles: Vec<Point> = pieces.iter().zip(&places).map(|(piece, pose)| pose * piece.mass().centre).collect();
        let middle = middles.iter().map(|m| m.coords).sum::<Vector>() / middles.len() as f64;
        // Turned about its middle, and moved.
        let moved = |k: usize, shift: Vector, turn: Vector| {
            let (back, there) = (Translation3::from(-middles[k].coords), Translation3::from(middles[k].coords + shift));
            Pose::from_parts(there, UnitQuaternion::from_scaled_axis(turn)) * Pose::from(back) * places[k]
        };
        let outwards = |k: usize, share: f64| (middles[k].coords - middle) * share;
        let pose = |k: usize| {
            let (seed, key) = (number * 1000 + k as u64, number * 77 + k as u64);
            let (axis, way) = (direction(seed), direction(seed + 500));
            match moment {
                Moment::JustFractured => places[k],
                Moment::Settling => moved(
                    k,
                    way * (self.radius() * (0.01 + 0.02 * unit(key, 1))),
                    axis * (2.0 + 3.0 * unit(key, 2)).to_radians(),
                ),
                Moment::Rubble => moved(k, outwards(k, 0.3), direction(seed + 50_000) * 3.0),
                Moment::Separated => moved(k, outwards(k, 0.5), Vector::zeros()),
            }
        };
        let poses = (0..pieces.len()).map(pose).collect();
        Frame::new(pieces, poses, 0.002 * self.radius())
    }
}

/// How pieces that are just apart have moved, by shares of the radius. None of them turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JustApart {
    /// From the centre: a piece one radius away from it by the share of the radius.
    Expanded(f64),
    /// Each in a random direction.
    Moved(f64),
}

impl JustApart {
    pub fn name(self) -> String {
        match self {
            Self::Expanded(share) => format!("expanded by {} %", share * 100.0),
            Self::Moved(share) => format!("moved by {} %", share * 100.0),
        }
    }

    pub fn frame(self, stage: &Stage, pieces: &[Object], number: u64) -> Frame {
        let radius = stage.radius();
        let places = stage.places(pieces);
        let centres = pieces.iter().zip(&places).map(|(piece, place)| place * piece.mass().centre);
        let centres: Vec<Point> = centres.collect();
        let middle = centres.iter().map(|centre| centre.coords).sum::<Vector>() / centres.len() as f64;
        let shift = |k: usize| match self {
            Self::Expanded(share) => (centres[k].coords - middle) * share,
            Self::Moved(share) => direction(900_000 + number * 1000 + k as u64) * (share * radius),
        };
        let poses = places.iter().enumerate().map(|(k, place)| Pose::from(Translation3::from(shift(k))) * place);
        Frame::new(pieces, poses.collect(), 0.002 * radius)
    }
}

impl Frame {
    /// With the pairs whose boxes are no farther apart than a margin.
    pub fn new(pieces: &[Object], poses: Vec<Pose>, margin: f64) -> Self {
        let boxes: Vec<(Point, Vector)> = pieces
            .iter()
            .zip(&poses)
            .map(|(piece, pose)| {
                let half = piece.bounds().size() * 0.5;
                (pose * piece.bounds().centre(), pose.rotation.to_rotation_matrix().matrix().abs() * half)
            })
            .collect();
        let mut pairs = vec![];
        for (i, (centre, half)) in boxes.iter().enumerate() {
            for (j, (other, half_other)) in boxes[..i].iter().enumerate() {
                if ((centre - other).abs() - half - half_other).max() <= margin {
                    pairs.push((i, j));
                }
            }
        }
        Self { poses, pairs }
    }
}

/// Points inside a closed surface. They do not depend on the mesh inside, so other ways to cut can use the same cells.
fn random_seeds(surface: &Surface, count: usize, seed: u64) -> Vec<Point> {
    let bounds = Aabb::around(&surface.vertices);
    let at = |k: u64| bounds.min + Vector::from_fn(|axis, _| bounds.size()[axis] * unit(seed, 3 * k + axis as u64));
    (0..).map(at).filter(|p| winding_number(surface, p) > 0.5).take(count).collect()
}

/// Four bricks wide and eight high, each row half a brick beside the one below; dry, so that they touch.
fn wall(brick: &Object) -> Vec<Pose> {
    let size = brick.bounds().size();
    let place = |k: u64| {
        let (column, row) = (k % 4, k / 4);
        let along = column as f64 + 0.5 * (row % 2) as f64;
        Pose::from(Translation3::new(size.x * along, 0.0, size.z * row as f64))
    };
    (0..32).map(place).collect()
}
