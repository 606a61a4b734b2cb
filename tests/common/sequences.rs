//! Motion sequences like the benchmarks of FASTCD (Heo et al. 2010, table 1): breaking walls, an exploding model, an
//! n-body scene and a cloth. The shapes are our own and computed; nothing is read from files.
//!
//! Every run gives the same sequence. `sin` and `cos` are the platform's, so last bits may differ between platforms.
//! The motion is plausible, not exact: some bodies overlap, so that there are collisions to find.

use fracas::geom::random::unit;
use fracas::geom::{NONE, Pose, Vector};
use std::collections::{HashMap, VecDeque};
use std::f64::consts::TAU;

/// A triangle mesh. Closed ones are counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    pub positions: Vec<[f64; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

/// What changes in a frame before the positions do.
#[derive(Clone, Debug)]
pub enum Change {
    /// Becomes body number `next`.
    Add {
        mesh: Mesh,
    },
    Delete {
        body: usize,
    },
    /// `body` ends. Each part becomes a new body, numbered on from `next` in order; where something of the body is left
    /// unbroken, it comes first. The parts are where the body was in the frame before. `sources[k][t]` is the triangle
    /// of the old body that triangle `t` of part `k` comes from; `u32::MAX` if it is new.
    Split {
        body: usize,
        parts: Vec<Mesh>,
        sources: Vec<Vec<u32>>,
    },
    Merge {
        bodies: Vec<usize>,
        mesh: Mesh,
    },
}

#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub changes: Vec<Change>,
    /// The bodies that moved, and all their positions, in ascending order of the bodies.
    pub moves: Vec<(usize, Vec<[f64; 3]>)>,
}

/// Bodies are numbered 0, 1, 2 ... in the order in which they come up; numbers are never used again.
pub trait Sequence {
    fn name(&self) -> &'static str;

    fn frames(&self) -> usize;

    /// The next frame. The first adds all initial bodies.
    fn next(&mut self) -> Option<Frame>;
}

pub const NAMES: [&str; 4] = ["walls", "dragon", "n-body", "cloth"];

/// A sequence by name; scale 1 is about as many triangles as in the paper.
pub fn named(name: &str, scale: f64) -> Box<dyn Sequence> {
    match name {
        "walls" => Box::new(Walls::new(scale)),
        "dragon" => Box::new(Dragon::new(scale)),
        "n-body" => Box::new(NBody::new(scale)),
        "cloth" => Box::new(Cloth::new(scale)),
        other => panic!("there is no sequence \"{other}\""),
    }
}

/// Panics unless the mesh is finite, its indices are valid, no triangle is degenerate, and each edge has at most two
/// triangles, which run along it in opposite directions.
pub fn check(mesh: &Mesh) {
    for (i, p) in mesh.positions.iter().enumerate() {
        assert!(p.iter().all(|c| c.is_finite()), "position {i} is {p:?}");
    }
    let mut edges = Vec::with_capacity(3 * mesh.triangles.len());
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        assert!(triangle.iter().all(|i| (*i as usize) < mesh.positions.len()), "triangle {t} has nodes {triangle:?}");
        let [a, b, c] = triangle.map(|i| Vector::from(mesh.positions[i as usize]));
        let longest = [b - a, c - b, a - c].iter().map(Vector::norm_squared).fold(0.0, f64::max);
        let area = (b - a).cross(&(c - a)).norm();
        assert!(area > 1e-6 * longest, "triangle {t} is degenerate: {a:?} {b:?} {c:?}");
        edges.extend((0..3).map(|k| [triangle[k], triangle[(k + 1) % 3]]));
    }
    edges.sort_unstable();
    for pair in edges.windows(2) {
        assert!(pair[0] != pair[1], "two triangles run along edge {:?} in the same direction", pair[0]);
    }
}

impl Mesh {
    /// Whether each edge has two triangles.
    pub fn is_closed(&self) -> bool {
        neighbours(&self.triangles).iter().flatten().all(|n| *n != NONE)
    }

    /// By the divergence theorem; positive for a closed mesh that is oriented outward.
    pub fn volume(&self) -> f64 {
        let origin = self.positions.first().map_or(Vector::zeros(), |p| Vector::from(*p));
        let corners = |t: &[u32; 3]| t.map(|i| Vector::from(self.positions[i as usize]) - origin);
        self.triangles.iter().map(corners).map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum()
    }
}

// ---------------------------------------------------------------------------------------------------------- helpers

/// A stream of random numbers.
struct Random {
    seed: u64,
    key: u64,
}

impl Random {
    fn new(seed: u64) -> Self {
        Self { seed, key: 0 }
    }

    fn unit(&mut self) -> f64 {
        self.key += 1;
        unit(self.seed, self.key)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn direction(&mut self) -> Vector {
        let z = self.between(-1.0, 1.0);
        let (sin, cos) = self.between(0.0, TAU).sin_cos();
        let r = (1.0 - z * z).sqrt();
        Vector::new(r * cos, r * sin, z)
    }
}

/// A number that grows with the square root of the scale, as the triangles of a surface along one side do.
fn along_side(full: usize, scale: f64, least: usize) -> usize {
    ((full as f64 * scale.sqrt()).round() as usize).max(least)
}

/// The triangle across each side; side `k` is from corner `k` to the next.
fn neighbours(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut sides: Vec<(u32, u32, u32)> = Vec::with_capacity(3 * triangles.len());
    for (t, corners) in triangles.iter().enumerate() {
        for k in 0..3 {
            let [a, b] = [corners[k], corners[(k + 1) % 3]];
            sides.push((a.min(b), a.max(b), (3 * t + k) as u32));
        }
    }
    sides.sort_unstable();
    let mut across = vec![[NONE; 3]; triangles.len()];
    for pair in sides.windows(2) {
        if (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) {
            let [i, j] = [pair[0].2 as usize, pair[1].2 as usize];
            across[i / 3][i % 3] = (j / 3) as u32;
            across[j / 3][j % 3] = (i / 3) as u32;
        }
    }
    across
}

/// Triangles that are each divided into `k * k`.
struct Refined {
    /// Corners of the old triangle and their weights.
    points: Vec<[(u32, f64); 3]>,
    triangles: Vec<[u32; 3]>,
    /// The old triangle of each.
    parents: Vec<u32>,
}

fn refine(triangles: &[[u32; 3]], k: u32) -> Refined {
    let mut refined = Refined { points: vec![], triangles: vec![], parents: vec![] };
    let mut numbers = HashMap::new();
    for (parent, corners) in triangles.iter().enumerate() {
        let mut point = |i: u32, j: u32| {
            let weights = [k - i - j, i, j];
            // Equal for both triangles at an edge, and for all at a corner.
            let mut key: [(u32, u32); 3] =
                std::array::from_fn(|c| if weights[c] == 0 { (NONE, 0) } else { (corners[c], weights[c]) });
            key.sort_unstable();
            *numbers.entry(key).or_insert_with(|| {
                refined.points.push(std::array::from_fn(|c| (corners[c], weights[c] as f64 / k as f64)));
                refined.points.len() as u32 - 1
            })
        };
        for i in 0..k {
            for j in 0..k - i {
                refined.triangles.push([point(i, j), point(i + 1, j), point(i, j + 1)]);
                if i + j + 1 < k {
                    refined.triangles.push([point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)]);
                }
            }
        }
        refined.parents.resize(refined.triangles.len(), parent as u32);
    }
    refined
}

/// A unit sphere of `20 * k * k` triangles.
fn sphere(k: usize) -> Mesh {
    const G: f64 = 1.618_033_988_749_895;
    #[rustfmt::skip]
    let corners = [
        [-1.0, G, 0.0], [1.0, G, 0.0], [-1.0, -G, 0.0], [1.0, -G, 0.0],
        [0.0, -1.0, G], [0.0, 1.0, G], [0.0, -1.0, -G], [0.0, 1.0, -G],
        [G, 0.0, -1.0], [G, 0.0, 1.0], [-G, 0.0, -1.0], [-G, 0.0, 1.0],
    ];
    #[rustfmt::skip]
    let faces = [
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6],
        [7, 1, 8], [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10],
        [8, 6, 7], [9, 8, 1],
    ];
    let refined = refine(&faces, k as u32);
    let place = |weights: &[(u32, f64); 3]| {
        let sum: Vector = weights.iter().map(|(i, w)| Vector::from(corners[*i as usize]) * *w).sum();
        sum.normalize().into()
    };
    Mesh { positions: refined.points.iter().map(place).collect(), triangles: refined.triangles }
}

fn vectors(positions: &[[f64; 3]]) -> Vec<Vector> {
    positions.iter().map(|p| Vector::from(*p)).collect()
}

/// Points in body axes, placed.
fn placed(local: &[Vector], pose: &Pose) -> Vec<[f64; 3]> {
    let turn = *pose.rotation.to_rotation_matrix().matrix();
    let shift = pose.translation.vector;
    local.iter().map(|p| (turn * p + shift).into()).collect()
}

/// Some triangles of a mesh, with vertices of their own.
#[derive(Default)]
struct Patch {
    /// Of the mesh.
    sources: Vec<u32>,
    /// The vertex of the mesh of each vertex.
    vertices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
}

/// Cuts a mesh between triangles of different labels. Labels count from 0; `NONE` is left out. A vertex at which the
/// triangles of a label do not form one fan is doubled: patches touch themselves nowhere.
fn patches(triangles: &[[u32; 3]], across: &[[u32; 3]], labels: &[u32]) -> Vec<Patch> {
    let count = labels.iter().filter(|l| **l != NONE).max().map_or(0, |l| *l as usize + 1);
    let mut patches: Vec<Patch> = (0..count).map(|_| Patch::default()).collect();
    let mut numbers = vec![[NONE; 3]; triangles.len()];
    let mut open = vec![];
    for (t, corners) in triangles.iter().enumerate() {
        let Some(patch) = patches.get_mut(labels[t] as usize) else { continue };
        for k in 0..3 {
            if numbers[t][k] != NONE {
                continue;
            }
            let (vertex, number) = (corners[k], patch.vertices.len() as u32);
            patch.vertices.push(vertex);
            numbers[t][k] = number;
            open.push((t, k));
            while let Some((t, k)) = open.pop() {
                for side in [k, (k + 2) % 3] {
                    let other = across[t][side];
                    if other == NONE || labels[other as usize] != labels[t] {
                        continue;
                    }
                    let other = other as usize;
                    let corner = triangles[other].iter().position(|v| *v == vertex).unwrap();
                    if numbers[other][corner] == NONE {
                        numbers[other][corner] = number;
                        open.push((other, corner));
                    }
                }
            }
        }
        patch.sources.push(t as u32);
        patch.triangles.push(numbers[t]);
    }
    patches
}

/// Numbers the connected sets of triangles of equal labels, from 0; `NONE` stays. Returns their sizes too.
fn components(across: &[[u32; 3]], labels: &[u32]) -> (Vec<u32>, Vec<usize>) {
    let mut numbers = vec![NONE; labels.len()];
    let mut sizes = vec![];
    let mut open = vec![];
    for start in 0..labels.len() {
        if labels[start] == NONE || numbers[start] != NONE {
            continue;
        }
        let number = sizes.len() as u32;
        sizes.push(0);
        numbers[start] = number;
        open.push(start);
        while let Some(t) = open.pop() {
            sizes[number as usize] += 1;
            for &other in &across[t] {
                if other != NONE && labels[other as usize] == labels[t] && numbers[other as usize] == NONE {
                    numbers[other as usize] = number;
                    open.push(other as usize);
                }
            }
        }
    }
    (numbers, sizes)
}

/// A loose part in flight. Lengths in metres, times in frames.
struct Piece {
    body: usize,
    local: Vec<Vector>,
    /// How far each vertex moves along `normal` when bent by 1.
    bends: Vec<f64>,
    normal: Vector,
    radius: f64,
    centre: Vector,
    velocity: Vector,
    axis: Vector,
    spin: f64,
    angle: f64,
    bend: f64,
    age: f64,
    /// From the centre to the lowest vertex.
    depth: f64,
    asleep: bool,
}

impl Piece {
    /// At rest. `bend` is the largest bend, as a part of the radius.
    fn new(body: usize, mesh: &Mesh, bend: f64) -> Self {
        let points = vectors(&mesh.positions);
        let centre = points.iter().sum::<Vector>() / points.len() as f64;
        let local: Vec<Vector> = points.iter().map(|p| p - centre).collect();
        let farthest = *local.iter().max_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared())).unwrap();
        let radius = farthest.norm();
        let corners = |t: &[u32; 3]| t.map(|i| local[i as usize]);
        let normal: Vector =
            mesh.triangles.iter().map(corners).map(|[a, b, c]| (b - a).cross(&(c - a)) / (radius * radius)).sum();
        let along = farthest / radius;
        Self {
            body,
            bends: if bend == 0.0 { vec![] } else { local.iter().map(|p| p.dot(&along).powi(2) / radius).collect() },
            // Closed pieces have no mean normal, and are not bent.
            normal: normal.try_normalize(1e-3).unwrap_or_default(),
            depth: local.iter().map(|p| -p.y).fold(0.0, f64::max),
            local,
            radius,
            centre,
            velocity: Vector::zeros(),
            axis: Vector::z(),
            spin: 0.0,
            angle: 0.0,
            bend,
            age: 0.0,
            asleep: false,
        }
    }

    fn step(&mut self, damping: f64) {
        self.centre += self.velocity;
        self.angle += self.spin;
        self.velocity *= damping;
        self.spin *= damping;
        self.age += 1.0;
    }

    fn positions(&mut self) -> Vec<[f64; 3]> {
        let pose = Pose::new(self.centre, self.axis * self.angle);
        let positions = if self.bend == 0.0 {
            placed(&self.local, &pose)
        } else {
            let by = self.normal * (self.bend * (0.15 * self.age).sin());
            let bent: Vec<Vector> = self.local.iter().zip(&self.bends).map(|(p, w)| p + by * *w).collect();
            placed(&bent, &pose)
        };
        self.depth = self.centre.y - positions.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
        positions
    }
}

// ------------------------------------------------------------------------------------------------------------ walls

/// Half the width, half the height and the thickness of a wall, in metres. The ball flies along z; y is up.
const WALL: [f64; 3] = [1.5, 1.0, 0.06];
const WALLS: usize = 8;
const BALL: f64 = 0.3;
const BALL_SPEED: f64 = 0.06;
/// The ball touches the first wall in this frame, and then one wall every so many frames.
const FIRST_TOUCH: usize = 3;
const TOUCH_EVERY: usize = 9;
/// Frames from the touch to the break.
const DENTING: usize = 4;
/// Frames in which the unbroken remainder swings back.
const SWINGING: usize = 24;
const GRAVITY: f64 = 0.0025;

/// A ball flies through eight pinned walls. Each dents and then breaks into closed pieces with a finer mesh: from 42K
/// to 140K triangles in 80 frames, 8 of them with breaks.
pub struct Walls {
    frame: usize,
    next_body: usize,
    sheet: Sheet,
    ball: Vec<Vector>,
    /// Empty after the first frame.
    ball_triangles: Vec<[u32; 3]>,
    walls: Vec<Wall>,
    pieces: Vec<Piece>,
}

/// A flat mesh in the plane of a wall.
#[derive(Default)]
struct Sheet {
    points: Vec<[f64; 2]>,
    triangles: Vec<[u32; 3]>,
    across: Vec<[u32; 3]>,
}

struct Wall {
    /// Of the middle plane.
    z: f64,
    body: usize,
    /// Where the wall is hit.
    impact: [f64; 2],
    hole: f64,
    touch: usize,
    seed: u64,
    /// Those of the body: of the whole wall, then of the remainder.
    points: Vec<[f64; 2]>,
    /// Taken when it breaks.
    parts: Vec<Slab>,
    broken: bool,
}

/// A closed body over a flat mesh, and the triangle of the whole wall that each of its triangles comes from.
struct Slab {
    points: Vec<[f64; 2]>,
    triangles: Vec<[u32; 3]>,
    sources: Vec<u32>,
}

impl Walls {
    pub fn new(scale: f64) -> Self {
        let sheet = Sheet::grid(along_side(42, scale, 6), along_side(28, scale, 4));
        let ball = sphere(along_side(10, scale, 3));
        let amount = (sheet.triangles.len() as f64 / 2352.0).sqrt().min(1.0);
        let wall = |k: usize| {
            let touch = FIRST_TOUCH + TOUCH_EVERY * k;
            let centre = ball_centre(touch as f64);
            let (impact, hole, seed) = ([centre.x, centre.y], 0.58 + 0.12 * unit(71, k as u64), 500 + k as u64);
            let count = ((24.0 + 32.0 * unit(72, k as u64)) * amount) as usize;
            let flat = shatter(&sheet, impact, hole, count.max(6), seed);
            Wall {
                z: centre.z + BALL + 0.5 * WALL[2],
                body: k,
                impact,
                hole,
                touch,
                seed,
                points: sheet.points.clone(),
                parts: flat.into_iter().map(|part| slab(part, &sheet)).collect(),
                broken: false,
            }
        };
        Self {
            frame: 0,
            next_body: WALLS + 1,
            walls: (0..WALLS).map(wall).collect(),
            sheet,
            ball: vectors(&ball.positions).iter().map(|p| p * BALL).collect(),
            ball_triangles: ball.triangles,
            pieces: vec![],
        }
    }

    /// The parts of a wall as it breaks. They start where the wall is.
    fn split(&mut self, k: usize) -> Change {
        let depth = self.walls[k].depth(self.frame - 1);
        let wall = &mut self.walls[k];
        let body = wall.body;
        let (mut parts, mut sources) = (vec![], vec![]);
        for part in std::mem::take(&mut wall.parts) {
            parts.push(Mesh { positions: wall.positions(&part.points, depth), triangles: part.triangles });
            sources.push(part.sources);
            if parts.len() == 1 {
                wall.points = part.points;
            }
        }
        let mut random = Random::new(wall.seed + 100);
        for (part, mesh) in parts.iter().enumerate().skip(1) {
            let mut piece = Piece::new(self.next_body + part, mesh, 0.0);
            let away = Vector::new(piece.centre.x - wall.impact[0], piece.centre.y - wall.impact[1], 0.0);
            let distance = away.norm();
            let pushed = (-(distance / 0.4).powi(2)).exp();
            piece.velocity = away * (random.between(0.006, 0.02) / (distance + 0.1))
                + Vector::z() * (BALL_SPEED * (1.25 * pushed + random.between(0.05, 0.35)))
                + random.direction() * 0.004;
            let turn = Vector::z().cross(&away) * random.between(0.02, 0.12) + random.direction() * 0.04;
            piece.spin = turn.norm();
            piece.axis = turn / piece.spin;
            self.pieces.push(piece);
        }
        wall.body = self.next_body;
        wall.broken = true;
        self.next_body += parts.len();
        Change::Split { body, parts, sources }
    }

    /// Ballistic flight. Spheres keep the pieces from gathering in one place, and walls and floor turn them back.
    fn fly(&mut self) {
        let ball = ball_centre(self.frame as f64);
        let kicks: Vec<Vector> = self
            .pieces
            .iter()
            .map(|a| {
                let mut kick = Vector::new(0.0, -GRAVITY, 0.0);
                for b in &self.pieces {
                    // Grows with the age: pieces of one wall begin side by side.
                    let part = 0.4 + 0.02 * a.age.min(b.age).min(15.0);
                    let (gap, reach) = (a.centre - b.centre, part * (a.radius + b.radius));
                    let distance = gap.norm();
                    if distance < reach && distance > 0.0 {
                        kick += gap * (0.04 * (reach - distance) / distance);
                    }
                }
                let (gap, reach) = (a.centre - ball, BALL + 0.3 * a.radius);
                let distance = gap.norm();
                if distance < reach {
                    kick += gap * (0.3 * (reach - distance) / distance);
                }
                kick
            })
            .collect();
        for (piece, kick) in self.pieces.iter_mut().zip(kicks) {
            if piece.asleep {
                continue;
            }
            piece.velocity += kick;
            let speed = piece.velocity.norm();
            piece.velocity *= (1.7 * BALL_SPEED / speed).min(1.0);
            let half = 0.5 * WALL[2] + 0.3 * piece.radius;
            for wall in &self.walls {
                let from = [piece.centre.x - wall.impact[0], piece.centre.y - wall.impact[1]];
                let through = wall.broken && from[0].hypot(from[1]) < 1.1 * wall.hole;
                let gap = wall.z - piece.centre.z;
                let outside = piece.centre.x.abs() > WALL[0] || piece.centre.y.abs() > WALL[1];
                if !through && !outside && gap.abs() < half {
                    if gap * piece.velocity.z > 0.0 {
                        piece.velocity.z *= -0.3;
                    }
                    piece.velocity.z -= 0.05 * (half - gap.abs()) * gap.signum();
                }
            }
            piece.step(0.99);
            let low = -WALL[1] - (piece.centre.y - piece.depth);
            if low > 0.0 && piece.velocity.y < 0.0 {
                piece.centre.y += 0.5 * low;
                piece.velocity.y *= -0.35;
                piece.velocity.x *= 0.8;
                piece.velocity.z *= 0.8;
                piece.spin *= 0.6;
                piece.asleep = piece.spin < 1e-3 && piece.velocity.norm() < 2.0 * GRAVITY;
            }
        }
    }
}

impl Default for Walls {
    fn default() -> Self {
        Self::new(1.0)
    }
}

fn ball_centre(frame: f64) -> Vector {
    Vector::new(0.25 * (0.05 * frame).sin(), 0.12 * (0.07 * frame).cos(), BALL_SPEED * frame)
}

impl Wall {
    /// How far the wall is pushed in at the impact.
    fn depth(&self, frame: usize) -> f64 {
        let pushed = |frame: usize| BALL_SPEED * (frame - self.touch) as f64;
        let last = self.touch + DENTING - 1;
        if frame <= self.touch {
            0.0
        } else if frame <= last {
            pushed(frame)
        } else if frame <= last + SWINGING {
            let age = (frame - last) as f64;
            pushed(last) * (-0.22 * age).exp() * (0.8 * age).cos() * (1.0 - age / SWINGING as f64)
        } else {
            0.0
        }
    }

    /// Of the front and then of the back. Both are pushed in alike, along z, so that the volume stays.
    fn positions(&self, points: &[[f64; 2]], depth: f64) -> Vec<[f64; 3]> {
        // Zero at the pinned border.
        let window = |p: [f64; 2]| (1.0 - (p[0] / WALL[0]).powi(2)) * (1.0 - (p[1] / WALL[1]).powi(2));
        let full = window(self.impact);
        let dent = |p: &[f64; 2]| {
            let squared = (p[0] - self.impact[0]).powi(2) + (p[1] - self.impact[1]).powi(2);
            depth * (-squared / (2.0 * 0.35 * 0.35)).exp() * window(*p) / full
        };
        let heights: Vec<f64> = points.iter().map(|p| self.z + if depth == 0.0 { 0.0 } else { dent(p) }).collect();
        let face = |by: f64| points.iter().zip(&heights).map(move |(p, z)| [p[0], p[1], z + by]);
        face(-0.5 * WALL[2]).chain(face(0.5 * WALL[2])).collect()
    }
}

impl Sheet {
    fn new(points: Vec<[f64; 2]>, triangles: Vec<[u32; 3]>) -> Self {
        Self { across: neighbours(&triangles), points, triangles }
    }

    /// A whole wall.
    fn grid(nx: usize, ny: usize) -> Self {
        let place = |i: usize, n: usize, half: f64| half * (2.0 * i as f64 / n as f64 - 1.0);
        let points =
            (0..=ny).flat_map(|j| (0..=nx).map(move |i| [place(i, nx, WALL[0]), place(j, ny, WALL[1])])).collect();
        Self::new(points, grid_triangles(nx, ny, |i, j| (j * (nx + 1) + i) as u32))
    }

    fn doubled_area(&self, triangle: usize) -> f64 {
        let [a, b, c] = self.triangles[triangle].map(|i| self.points[i as usize]);
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    }

    fn middle(&self, triangle: usize) -> [f64; 2] {
        let [a, b, c] = self.triangles[triangle].map(|i| self.points[i as usize]);
        [(a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0]
    }

    /// Moves the vertices between labels towards `target` of vertex and labels, and evens out those beside them.
    /// Vertices at the border stay. No triangle gets smaller than a third of the mean.
    fn snap(&mut self, labels: &[u32], target: impl Fn([f64; 2], &[u32]) -> Option<[f64; 2]>) {
        let n = self.points.len();
        let mut fans: Vec<Vec<u32>> = vec![vec![]; n];
        let mut fixed = vec![false; n];
        for (t, corners) in self.triangles.iter().enumerate() {
            for k in 0..3 {
                fans[corners[k] as usize].push(t as u32);
                if self.across[t][k] == NONE {
                    fixed[corners[k] as usize] = true;
                    fixed[corners[(k + 1) % 3] as usize] = true;
                }
            }
        }
        let around = |fan: &Vec<u32>| {
            let mut around: Vec<u32> = fan.iter().map(|t| labels[*t as usize]).collect();
            around.sort_unstable();
            around.dedup();
            around
        };
        let around: Vec<Vec<u32>> = fans.iter().map(around).collect();
        let ring = |v: usize| fans[v].iter().flat_map(|t| self.triangles[*t as usize]).filter(move |w| *w != v as u32);
        let rings: Vec<Vec<u32>> = (0..n).map(|v| ring(v).collect()).collect();
        let near = |v: usize| around[v].len() > 1 || rings[v].iter().any(|w| around[*w as usize].len() > 1);
        let moving: Vec<usize> = (0..n).filter(|v| !fixed[*v] && near(*v)).collect();
        let mean = (0..self.triangles.len()).map(|t| self.doubled_area(t)).sum::<f64>() / self.triangles.len() as f64;
        for _ in 0..4 {
            for &v in &moving {
                let old = self.points[v];
                let goal = if around[v].len() > 1 {
                    target(old, &around[v])
                } else {
                    let sum = |k: usize| rings[v].iter().map(|w| self.points[*w as usize][k]).sum::<f64>();
                    Some([0, 1].map(|k| sum(k) / rings[v].len() as f64))
                };
                let Some(goal) = goal else { continue };
                let found = [1.0, 0.5, 0.25].iter().any(|step| {
                    self.points[v] = [0, 1].map(|k| old[k] + step * (goal[k] - old[k]));
                    fans[v].iter().all(|t| self.doubled_area(*t as usize) > mean / 3.0)
                });
                if !found {
                    self.points[v] = old;
                }
            }
        }
    }
}

/// Two triangles for each cell of a grid, the diagonals alternating.
fn grid_triangles(nx: usize, ny: usize, vertex: impl Fn(usize, usize) -> u32) -> Vec<[u32; 3]> {
    let mut triangles = Vec::with_capacity(2 * nx * ny);
    for j in 0..ny {
        for i in 0..nx {
            let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            triangles.extend(if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        }
    }
    triangles
}

/// A part of a broken wall, flat.
struct Part {
    points: Vec<[f64; 2]>,
    triangles: Vec<[u32; 3]>,
    /// The triangle of the whole wall's sheet.
    sources: Vec<u32>,
}

fn nearest(seeds: &[[f64; 2]], p: [f64; 2]) -> usize {
    let squared = |s: &[f64; 2]| (s[0] - p[0]).powi(2) + (s[1] - p[1]).powi(2);
    (0..seeds.len()).min_by(|a, b| squared(&seeds[*a]).total_cmp(&squared(&seeds[*b]))).unwrap()
}

/// The nearest point that is as far from `a` as from `b`.
fn onto_bisector(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    let along = [b[0] - a[0], b[1] - a[1]];
    let middle = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
    let squared = along[0] * along[0] + along[1] * along[1];
    let over = ((p[0] - middle[0]) * along[0] + (p[1] - middle[1]) * along[1]) / squared;
    [p[0] - over * along[0], p[1] - over * along[1]]
}

fn circumcentre(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Option<[f64; 2]> {
    let [u, v] = [[b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]];
    let doubled = 2.0 * (u[0] * v[1] - u[1] * v[0]);
    let [uu, vv] = [u, v].map(|w| w[0] * w[0] + w[1] * w[1]);
    let centre = [a[0] + (v[1] * uu - u[1] * vv) / doubled, a[1] + (u[0] * vv - v[0] * uu) / doubled];
    centre.iter().all(|c| c.is_finite()).then_some(centre)
}

/// Breaks a wall by the Voronoi cells of `count` seeds around the impact. First comes the remainder, with the mesh of
/// the wall; then the pieces, whose mesh is three times finer.
fn shatter(whole: &Sheet, impact: [f64; 2], hole: f64, count: usize, seed: u64) -> Vec<Part> {
    let mut random = Random::new(seed);
    let place = |r: f64, angle: f64| [impact[0] + r * angle.cos(), impact[1] + r * angle.sin()];
    // Denser towards the impact; of several candidates the one farthest from the others.
    let mut seeds: Vec<[f64; 2]> = vec![place(0.05 * hole, random.between(0.0, TAU))];
    while seeds.len() < count {
        let candidates: Vec<[f64; 2]> =
            (0..4).map(|_| place(hole * random.unit().powf(0.7), random.between(0.0, TAU))).collect();
        let clearance = |p: [f64; 2]| {
            let s = seeds[nearest(&seeds, p)];
            (s[0] - p[0]).hypot(s[1] - p[1]) / (0.3 * hole + (p[0] - impact[0]).hypot(p[1] - impact[1]))
        };
        let best = candidates.into_iter().max_by(|a, b| clearance(*a).total_cmp(&clearance(*b))).unwrap();
        seeds.push(best);
    }
    // Cells of these seeds are the remainder.
    let ring: Vec<[f64; 2]> = (0..20)
        .map(|k| place(hole * random.between(1.05, 1.35), TAU * (k as f64 + random.between(-0.3, 0.3)) / 20.0))
        .collect();

    let mut coarse = Sheet::new(whole.points.clone(), whole.triangles.clone());
    let gap = |seeds: &[[f64; 2]], p: [f64; 2]| {
        let s = seeds[nearest(seeds, p)];
        (s[0] - p[0]).hypot(s[1] - p[1])
    };
    let inner = |t: usize| (gap(&seeds, coarse.middle(t)) < gap(&ring, coarse.middle(t))) as u32;
    let mut labels: Vec<u32> = (0..coarse.triangles.len()).map(inner).collect();
    connect(&coarse.across, &mut labels);
    coarse.snap(&labels, |p, _| Some(onto_bisector(p, seeds[nearest(&seeds, p)], ring[nearest(&ring, p)])));

    let kept: Vec<u32> = labels.iter().map(|l| if *l == 0 { 0 } else { NONE }).collect();
    let mut parts = vec![];
    for patch in patches(&coarse.triangles, &coarse.across, &kept) {
        let points = patch.vertices.iter().map(|v| coarse.points[*v as usize]).collect();
        parts.push(Part { points, triangles: patch.triangles, sources: patch.sources });
    }

    let broken: Vec<u32> = (0..labels.len() as u32).filter(|t| labels[*t as usize] == 1).collect();
    let refined = refine(&broken.iter().map(|t| coarse.triangles[*t as usize]).collect::<Vec<_>>(), 3);
    let point = |weights: &[(u32, f64); 3]| {
        [0, 1].map(|k| weights.iter().map(|(i, w)| coarse.points[*i as usize][k] * w).sum::<f64>())
    };
    let mut fine = Sheet::new(refined.points.iter().map(point).collect(), refined.triangles);
    let mut labels: Vec<u32> = (0..fine.triangles.len()).map(|t| nearest(&seeds, fine.middle(t)) as u32).collect();
    connect(&fine.across, &mut labels);
    fine.snap(&labels, |p, around| match around.iter().map(|l| seeds[*l as usize]).collect::<Vec<_>>()[..] {
        [a, b] => Some(onto_bisector(p, a, b)),
        [a, b, c, ..] => circumcentre(a, b, c),
        _ => None,
    });
    for patch in patches(&fine.triangles, &fine.across, &labels) {
        if patch.triangles.is_empty() {
            continue;
        }
        let points = patch.vertices.iter().map(|v| fine.points[*v as usize]).collect();
        let sources = patch.sources.iter().map(|t| broken[refined.parents[*t as usize] as usize]).collect();
        parts.push(Part { points, triangles: patch.triangles, sources });
    }
    parts
}

/// Gives all but the largest connected set of each label to a label beside it.
fn connect(across: &[[u32; 3]], labels: &mut [u32]) {
    loop {
        let (numbers, sizes) = components(across, labels);
        let mut largest = HashMap::new();
        for (t, label) in labels.iter().enumerate() {
            let best = largest.entry(*label).or_insert(numbers[t]);
            if sizes[numbers[t] as usize] > sizes[*best as usize] {
                *best = numbers[t];
            }
        }
        let stays = |t: usize| largest[&labels[t]] == numbers[t];
        let mut taken = vec![];
        for t in (0..labels.len()).filter(|t| !stays(*t)) {
            if let Some(other) = across[t].iter().find(|o| **o != NONE && stays(**o as usize)) {
                taken.push((t, labels[*other as usize]));
            }
        }
        if taken.is_empty() {
            return;
        }
        taken.into_iter().for_each(|(t, label)| labels[t] = label);
    }
}

/// The closed slab over a flat part. Vertices are those of the front (towards lower z) and then those of the back;
/// triangles likewise, then the sides.
fn slab(part: Part, whole: &Sheet) -> Slab {
    let n = part.points.len() as u32;
    let all = whole.triangles.len() as u32;
    let mut triangles: Vec<[u32; 3]> = part.triangles.iter().map(|t| [t[0], t[2], t[1]]).collect();
    triangles.extend(part.triangles.iter().map(|t| t.map(|i| n + i)));
    let mut sources: Vec<u32> = part.sources.iter().copied().chain(part.sources.iter().map(|t| all + t)).collect();
    // Sides of the wall, in the order in which they get their triangles below.
    let border: HashMap<[u32; 2], u32> = (0..whole.triangles.len())
        .flat_map(|t| (0..3).map(move |k| (t, k)))
        .filter(|(t, k)| whole.across[*t][*k] == NONE)
        .enumerate()
        .map(|(number, (t, k))| ([t as u32, k as u32], number as u32))
        .collect();
    let across = neighbours(&part.triangles);
    for (t, corners) in part.triangles.iter().enumerate() {
        for k in 0..3 {
            if across[t][k] != NONE {
                continue;
            }
            let [a, b] = [corners[k], corners[(k + 1) % 3]];
            triangles.extend([[a, b, n + b], [a, n + b, n + a]]);
            // The border is straight: a side of it has both ends on one line.
            let [p, q] = [a, b].map(|i| part.points[i as usize]);
            let at_border = [0, 1].iter().any(|c| p[*c] == q[*c] && p[*c].abs() > WALL[*c] - 1e-9);
            let source = part.sources[t];
            let side = (0..3).find(|k| {
                let ends = [*k, (k + 1) % 3].map(|c| whole.points[whole.triangles[source as usize][c] as usize]);
                let on_line = |c: usize| ends[0][c] == ends[1][c] && (p[c] - ends[0][c]).abs() < 1e-9;
                whole.across[source as usize][*k] == NONE && (on_line(0) && p[0] == q[0] || on_line(1) && p[1] == q[1])
            });
            match side.filter(|_| at_border) {
                Some(side) => {
                    let first = 2 * all + 2 * border[&[source, side as u32]];
                    sources.extend([first, first + 1]);
                }
                None => sources.extend([NONE, NONE]),
            }
        }
    }
    Slab { points: part.points, triangles, sources }
}

impl Sequence for Walls {
    fn name(&self) -> &'static str {
        "walls"
    }

    fn frames(&self) -> usize {
        80
    }

    fn next(&mut self) -> Option<Frame> {
        let t = self.frame;
        let mut frame = Frame::default();
        if t == self.frames() {
            return None;
        }
        let ball_pose = Pose::new(ball_centre(t as f64), Vector::new(0.06 * t as f64, 0.0, 0.0));
        if t == 0 {
            let sources = (0..self.sheet.triangles.len() as u32).collect();
            let points = self.sheet.points.clone();
            let part = Part { points, triangles: self.sheet.triangles.clone(), sources };
            let whole = slab(part, &self.sheet);
            for wall in &self.walls {
                let triangles = whole.triangles.clone();
                frame
                    .changes
                    .push(Change::Add { mesh: Mesh { positions: wall.positions(&wall.points, 0.0), triangles } });
            }
            let triangles = std::mem::take(&mut self.ball_triangles);
            frame.changes.push(Change::Add { mesh: Mesh { positions: placed(&self.ball, &ball_pose), triangles } });
        } else {
            for k in 0..WALLS {
                if t == self.walls[k].touch + DENTING {
                    frame.changes.push(self.split(k));
                }
            }
            self.fly();
            frame.moves.push((WALLS, placed(&self.ball, &ball_pose)));
            for wall in &self.walls {
                if t > wall.touch && t <= wall.touch + DENTING + SWINGING {
                    frame.moves.push((wall.body, wall.positions(&wall.points, wall.depth(t))));
                }
            }
            for piece in self.pieces.iter_mut().filter(|p| !p.asleep) {
                frame.moves.push((piece.body, piece.positions()));
            }
            frame.moves.sort_by_key(|(body, _)| *body);
        }
        self.frame += 1;
        Some(frame)
    }
}

// ----------------------------------------------------------------------------------------------------------- dragon

/// Of the torus on which the knot lies.
const KNOT: [f64; 2] = [1.05, 0.3];
const WAVES: f64 = 24.0;
/// Frames in which parts of the shell break, and the part of it that is broken then.
const EVENTS: [(usize, f64); 4] = [(48, 0.15), (80, 0.4), (116, 0.7), (156, 1.0)];
const BLOB: f64 = 0.28;
const BLOB_SPEED: f64 = 0.03;

/// A blob flies into a thin shell, which breaks in four of 250 frames. 252K triangles throughout: the pieces are
/// patches of the shell, cut along its edges. In an event more than one body may split.
pub struct Dragon {
    frame: usize,
    next_body: usize,
    rest: Vec<Vector>,
    /// Empty after the first frame.
    triangles: Vec<[u32; 3]>,
    /// Two ripples along the normal, and the weight of the dent.
    waves: Vec<([Vector; 2], f64)>,
    /// Of each event; taken when it happens.
    splits: Vec<Vec<ShellSplit>>,
    shells: Vec<Shell>,
    pieces: Vec<Piece>,
    blob: Vec<Vector>,
    /// Empty after the first frame.
    blob_triangles: Vec<[u32; 3]>,
    impact: Vector,
}

/// A part of the model that has not broken yet.
struct Shell {
    body: usize,
    /// Of the whole model.
    vertices: Vec<u32>,
}

struct ShellSplit {
    body: usize,
    parts: Vec<ShellPart>,
}

struct ShellPart {
    is_shell: bool,
    /// Of the whole model.
    vertices: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Triangles of the shell before.
    sources: Vec<u32>,
}

/// What breaks in each event. `regions` is the piece that each triangle will be part of, `events` the event in which
/// each region comes off, `next_body` the number of the first part.
fn plan_splits(
    triangles: &[[u32; 3]],
    across: &[[u32; 3]],
    regions: &[u32],
    events: &[u8],
    mut next_body: usize,
) -> Vec<Vec<ShellSplit>> {
    let small = 2 * triangles.len() / events.len();
    let mut shells: Vec<(usize, Vec<u32>)> = vec![(0, (0..triangles.len() as u32).collect())];
    let mut splits = vec![];
    for event in 0..EVENTS.len() as u8 {
        let breaks = |t: u32| events[regions[t as usize] as usize] <= event;
        let mut now = vec![];
        for (body, shell) in std::mem::take(&mut shells) {
            if !shell.iter().any(|t| breaks(*t)) {
                shells.push((body, shell));
                continue;
            }
            let mut labels = vec![NONE; triangles.len()];
            let whole = events.len() as u32;
            for &t in &shell {
                labels[t as usize] = if breaks(t) { regions[t as usize] } else { whole };
            }
            let (numbers, sizes) = components(across, &labels);
            let mut old = vec![NONE; triangles.len()];
            shell.iter().enumerate().for_each(|(k, t)| old[*t as usize] = k as u32);
            let mut parts = vec![];
            for patch in patches(triangles, across, &numbers) {
                // Connected parts that do not break stay whole, unless they are as small as pieces.
                let t = patch.sources[0] as usize;
                let is_shell = labels[t] == whole && sizes[numbers[t] as usize] >= small;
                parts.push((is_shell, patch));
            }
            parts.sort_by_key(
                |(is_shell, patch)| if *is_shell { (0, usize::MAX - patch.sources.len()) } else { (1, 0) },
            );
            let mut planned = vec![];
            for (is_shell, patch) in parts {
                let sources = patch.sources.iter().map(|t| old[*t as usize]).collect();
                planned.push(ShellPart { is_shell, vertices: patch.vertices, triangles: patch.triangles, sources });
                if is_shell {
                    shells.push((next_body, patch.sources));
                }
                next_body += 1;
            }
            now.push(ShellSplit { body, parts: planned });
        }
        splits.push(now);
    }
    splits
}

/// A point of the knot's tube: along and around, each in turns.
fn tube(u: f64, v: f64) -> (Vector, Vector) {
    let [major, minor] = KNOT;
    let (around, along) = (2.0 * TAU * u, 3.0 * TAU * u);
    let ((sa, ca), (sl, cl)) = (around.sin_cos(), along.sin_cos());
    let radius = major + minor * cl;
    let centre = Vector::new(radius * ca, radius * sa, minor * sl);
    // The torus's normal: normal to the curve too, and the same after one round.
    let normal = Vector::new(cl * ca, cl * sa, sl);
    let tangent = Vector::new(
        -2.0 * radius * sa - 3.0 * minor * sl * ca,
        2.0 * radius * ca - 3.0 * minor * sl * sa,
        3.0 * minor * cl,
    )
    .normalize();
    let binormal = tangent.cross(&normal);
    let angle = TAU * v;
    let (sin, cos) = angle.sin_cos();
    let out = normal * cos + binormal * sin;
    // Spikes along the back, fins at both sides, rings and scales everywhere.
    let saw = |count: f64| 0.5 + 0.5 * (TAU * count * u).cos();
    let spike = 0.12 * (0.5 + 0.5 * cos).powi(14) * saw(44.0).powi(3);
    let fin = 0.07 * sin.powi(12) * (0.6 + 0.4 * saw(15.0));
    let belly = 0.25 + 0.035 * (TAU * 5.0 * u).cos() + 0.02 * (TAU * 2.0 * u).sin();
    let rings = 0.012 * (TAU * 66.0 * u).cos() * (0.5 - 0.5 * cos);
    let scales = 0.007 * (TAU * 132.0 * u).sin() * (16.0 * angle).sin();
    let height = belly + rings + scales + spike + fin;
    // Spikes lean backwards.
    (centre + out * height - tangent * (0.9 * spike), out)
}

impl Dragon {
    pub fn new(scale: f64) -> Self {
        let (nu, nv) = (along_side(1038, scale, 60), along_side(120, scale, 12));
        let vertex = |j: usize, i: usize| ((i % nu) * nv + j % nv) as u32;
        let triangles = grid_triangles(nv, nu, vertex);
        let across = neighbours(&triangles);
        let place = |k: usize| tube((k / nv) as f64 / nu as f64, (k % nv) as f64 / nv as f64);
        let (rest, out): (Vec<Vector>, Vec<Vector>) = (0..nu * nv).map(place).unzip();
        let impact = Vector::new(KNOT[0] + KNOT[1] + 0.2, 0.0, 0.0);
        let wave = |k: usize| {
            let (sin, cos) = (TAU * WAVES * (k / nv) as f64 / nu as f64).sin_cos();
            let dent = (-(rest[k] - impact).norm_squared() / (2.0 * 0.22 * 0.22)).exp();
            ([out[k] * cos, out[k] * sin], dent)
        };
        let waves = (0..rest.len()).map(wave).collect();

        // Breadth first from random triangles: every region is connected.
        let count = ((1200.0 * scale) as usize).max(16);
        let mut random = Random::new(900);
        let mut regions = vec![NONE; triangles.len()];
        let mut queue = VecDeque::new();
        while queue.len() < count {
            let t = (random.unit() * triangles.len() as f64) as usize;
            if regions[t] == NONE {
                regions[t] = queue.len() as u32;
                queue.push_back(t);
            }
        }
        let seeds: Vec<usize> = queue.iter().copied().collect();
        while let Some(t) = queue.pop_front() {
            for other in across[t] {
                if regions[other as usize] == NONE {
                    regions[other as usize] = regions[t];
                    queue.push_back(other as usize);
                }
            }
        }
        // Breaks spread from the impact.
        let mut order: Vec<usize> = (0..count).collect();
        let distance = |r: usize| (rest[triangles[seeds[r]][0] as usize] - impact).norm();
        order.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)));
        let mut events = vec![0; count];
        for (rank, region) in order.into_iter().enumerate() {
            let part = (rank as f64 + 0.5) / count as f64;
            events[region] = EVENTS.iter().position(|(_, until)| part < *until).unwrap() as u8;
        }

        let blob = sphere(along_side(12, scale, 3));
        let bump = |p: &Vector| {
            let ears = (p.dot(&Vector::new(0.48, 0.36, 0.8))).max(0.0).powi(8);
            p * (BLOB * (0.85 + 0.12 * (3.0 * p.x + 1.0).sin() * (4.0 * p.y).cos() + 0.4 * ears))
        };
        let vertices = (0..rest.len() as u32).collect();
        Self {
            frame: 0,
            next_body: 2,
            splits: plan_splits(&triangles, &across, &regions, &events, 2),
            shells: vec![Shell { body: 0, vertices }],
            rest,
            triangles,
            waves,
            pieces: vec![],
            blob: vectors(&blob.positions).iter().map(bump).collect(),
            blob_triangles: blob.triangles,
            impact,
        }
    }

    fn blob_pose(&self, frame: usize) -> Pose {
        // Slower after the impact.
        let t = frame as f64;
        let hit = EVENTS[0].0 as f64;
        let way = BLOB_SPEED * (t.min(hit) - hit) + 0.6 * BLOB_SPEED * (t - hit).max(0.0);
        let direction = Vector::new(-1.0, -0.12, -0.08).normalize();
        let centre = self.impact + direction * (way + 0.1 - BLOB);
        Pose::new(centre, Vector::new(0.01, 0.02, 0.015) * t)
    }

    /// The unbroken shell at a frame: it swings in a few modes, and stronger after the impact.
    fn shell_points(&self, vertices: &[u32], frame: usize) -> Vec<[f64; 3]> {
        let t = frame as f64;
        let hit = EVENTS[0].0 as f64 - 1.0;
        let swing = 0.35 + 0.65 / (1.0 + (-(t - hit) / 6.0).exp());
        let stretch = 0.05 * swing * (0.11 * t).sin();
        let twist = 0.08 * swing * (0.07 * t).sin();
        let saddle = 0.035 * swing * (0.09 * t).sin();
        let ripple = 0.03 * swing * (t / 20.0).min(1.0);
        let (sin, cos) = (0.25 * t).sin_cos();
        let dent = if t <= hit {
            (t - (hit - 4.0)).max(0.0) * 0.022
        } else {
            0.088 * (-(t - hit) / 15.0).exp() * (0.5 * (t - hit)).cos()
        };
        let place = |v: &u32| {
            let p = self.rest[*v as usize];
            let ([a, b], weight) = &self.waves[*v as usize];
            let mode =
                Vector::new(-p.y * p.z * twist, p.x * p.z * twist, p.z * stretch + (p.x * p.x - p.y * p.y) * saddle);
            let squeeze = Vector::new(-0.5 * stretch * p.x - dent * weight, -0.5 * stretch * p.y, 0.0);
            (p + mode + squeeze + (a * cos + b * sin) * ripple).into()
        };
        vertices.iter().map(place).collect()
    }

    /// Carries out the breaks of an event.
    fn break_shells(&mut self, event: usize, changes: &mut Vec<Change>) {
        for split in std::mem::take(&mut self.splits[event]) {
            self.shells.retain(|shell| shell.body != split.body);
            let (mut parts, mut sources) = (vec![], vec![]);
            for part in split.parts {
                let positions = self.shell_points(&part.vertices, self.frame - 1);
                let mesh = Mesh { positions, triangles: part.triangles };
                if part.is_shell {
                    self.shells.push(Shell { body: self.next_body, vertices: part.vertices });
                } else {
                    self.pieces.push(self.piece(self.next_body, &mesh));
                }
                self.next_body += 1;
                parts.push(mesh);
                sources.push(part.sources);
            }
            changes.push(Change::Split { body: split.body, parts, sources });
        }
    }

    fn piece(&self, body: usize, mesh: &Mesh) -> Piece {
        let mut random = Random::new(10_000 + body as u64);
        let bend = random.between(-0.3, 0.3);
        let mut piece = Piece::new(body, mesh, bend);
        let blast = (piece.centre - self.impact * 0.3).normalize();
        let force = random.between(0.3, 1.0).powi(2);
        piece.velocity = blast * (0.028 * force) + piece.normal * (0.016 * force) + random.direction() * 0.008;
        piece.axis = random.direction();
        piece.spin = random.between(0.01, 0.08);
        piece
    }
}

impl Default for Dragon {
    fn default() -> Self {
        Self::new(1.0)
    }
}

impl Sequence for Dragon {
    fn name(&self) -> &'static str {
        "dragon"
    }

    fn frames(&self) -> usize {
        250
    }

    fn next(&mut self) -> Option<Frame> {
        let t = self.frame;
        let mut frame = Frame::default();
        if t == self.frames() {
            return None;
        }
        let blob = placed(&self.blob, &self.blob_pose(t));
        if t == 0 {
            let positions = self.shell_points(&self.shells[0].vertices, 0);
            frame
                .changes
                .push(Change::Add { mesh: Mesh { positions, triangles: std::mem::take(&mut self.triangles) } });
            let triangles = std::mem::take(&mut self.blob_triangles);
            frame.changes.push(Change::Add { mesh: Mesh { positions: blob, triangles } });
        } else {
            if let Some(event) = EVENTS.iter().position(|(at, _)| *at == t) {
                self.break_shells(event, &mut frame.changes);
            }
            for shell in &self.shells {
                frame.moves.push((shell.body, self.shell_points(&shell.vertices, t)));
            }
            frame.moves.push((1, blob));
            for piece in &mut self.pieces {
                piece.velocity.z -= 2e-5;
                piece.step(0.985);
                frame.moves.push((piece.body, piece.positions()));
            }
            frame.moves.sort_by_key(|(body, _)| *body);
        }
        self.frame += 1;
        Some(frame)
    }
}

// ----------------------------------------------------------------------------------------------------------- n-body

/// About 300 balls and bent ellipsoids, 34K triangles, are drawn to the centre and bounce off each other.
pub struct NBody {
    frame: usize,
    bodies: Vec<Ball>,
}

type Matrix = [Vector; 3];

struct Ball {
    mesh: Mesh,
    local: Vec<Vector>,
    radius: f64,
    centre: Vector,
    velocity: Vector,
    axis: Vector,
    spin: f64,
    angle: f64,
    /// Strain in world axes by its rows, and its change per frame: an oscillator that contacts excite.
    strain: Matrix,
    rate: Matrix,
    /// Own oscillation.
    pulse: Matrix,
    pace: f64,
}

/// How a push along `n` deforms: shorter along it, wider across, the same volume in first order.
fn squash(n: &Vector, by: f64) -> Matrix {
    std::array::from_fn(|k| {
        let mut row = -n * (n[k] * by);
        row[k] += by / 3.0;
        row
    })
}

impl NBody {
    pub fn new(scale: f64) -> Self {
        let count = ((300.0 * scale).round() as usize).max(4);
        let mut random = Random::new(300);
        // With two of 80 triangles for each of 180, 300 bodies have 34,000.
        let spheres = [2, 3].map(sphere);
        let room = 1.6 * scale.cbrt();
        let mut bodies: Vec<Ball> = vec![];
        while bodies.len() < count {
            let k = bodies.len();
            let large = k % 3 == 2;
            let radius = if large { random.between(0.075, 0.1) } else { random.between(0.05, 0.08) };
            let centre = random.direction() * (room * random.between(0.02, 1.0).cbrt());
            if bodies.iter().any(|b| (b.centre - centre).norm() < 1.15 * (b.radius + radius)) {
                continue;
            }
            let mesh = spheres[large as usize].clone();
            let (long, bent) = if k % 4 == 1 { (1.35, random.between(-0.5, 0.5)) } else { (1.0, 0.0) };
            let shape = |p: &Vector| {
                let wide = 1.0 / f64::sqrt(long);
                Vector::new(long * p.x, wide * p.y + bent * p.x * p.x, wide * p.z) * radius
            };
            let upward = Vector::new(-centre.y, centre.x, 0.3 * (random.unit() - 0.5));
            bodies.push(Ball {
                local: vectors(&mesh.positions).iter().map(shape).collect(),
                mesh,
                radius,
                centre,
                velocity: upward * 0.01 + random.direction() * 0.004,
                axis: random.direction(),
                spin: random.between(-0.04, 0.04),
                angle: 0.0,
                strain: [Vector::zeros(); 3],
                rate: [Vector::zeros(); 3],
                pulse: squash(&random.direction(), random.between(0.02, 0.06)),
                pace: random.between(0.08, 0.2),
            });
        }
        Self { frame: 0, bodies }
    }

    fn step(&mut self) {
        const STEPS: usize = 4;
        let dt = 1.0 / STEPS as f64;
        for _ in 0..STEPS {
            for body in &mut self.bodies {
                body.velocity -= body.centre * (6e-4 * dt);
                body.centre += body.velocity * dt;
            }
            for i in 1..self.bodies.len() {
                let (before, after) = self.bodies.split_at_mut(i);
                let a = &mut after[0];
                for b in before {
                    let gap = a.centre - b.centre;
                    // The flat faces of coarse spheres are inside: nearer than the radii, to have contacts.
                    let reach = 0.92 * (a.radius + b.radius);
                    let squared = gap.norm_squared();
                    if squared >= reach * reach {
                        continue;
                    }
                    let distance = squared.sqrt();
                    let n = gap / distance;
                    let [ma, mb] = [a, &*b].map(|c| c.radius.powi(3));
                    let share = mb / (ma + mb);
                    let apart = 0.2 * (reach - distance);
                    a.centre += n * (apart * share);
                    b.centre -= n * (apart * (1.0 - share));
                    let closing = -(a.velocity - b.velocity).dot(&n);
                    if closing > 0.0 {
                        let change = 1.75 * closing;
                        a.velocity += n * (change * share);
                        b.velocity -= n * (change * (1.0 - share));
                        a.excite(&n, change * share);
                        b.excite(&n, change * (1.0 - share));
                    }
                }
            }
        }
        for body in &mut self.bodies {
            body.angle += body.spin;
            for k in 0..3 {
                body.rate[k] = body.rate[k] * 0.9 - body.strain[k] * 0.15;
                body.strain[k] += body.rate[k];
            }
        }
    }
}

impl Default for NBody {
    fn default() -> Self {
        Self::new(1.0)
    }
}

impl Ball {
    fn excite(&mut self, n: &Vector, change: f64) {
        let push = squash(n, (0.5 * change / self.radius).min(0.05));
        self.rate.iter_mut().zip(push).for_each(|(row, by)| *row += by);
        // A pile pushes from all sides: bounded.
        let size = self.rate.iter().map(Vector::norm_squared).sum::<f64>().sqrt();
        if size > 0.07 {
            self.rate.iter_mut().for_each(|row| *row *= 0.07 / size);
        }
    }

    fn positions(&self, frame: usize) -> Vec<[f64; 3]> {
        let turn = *Pose::new(Vector::zeros(), self.axis * self.angle).rotation.to_rotation_matrix().matrix();
        let beat = (self.pace * frame as f64).sin();
        let strain: Matrix = std::array::from_fn(|k| self.strain[k] + self.pulse[k] * beat);
        let place = |p: &Vector| {
            let q = turn * p;
            (self.centre + q + Vector::new(strain[0].dot(&q), strain[1].dot(&q), strain[2].dot(&q))).into()
        };
        self.local.iter().map(place).collect()
    }
}

impl Sequence for NBody {
    fn name(&self) -> &'static str {
        "n-body"
    }

    fn frames(&self) -> usize {
        149
    }

    fn next(&mut self) -> Option<Frame> {
        let t = self.frame;
        let mut frame = Frame::default();
        if t == self.frames() {
            return None;
        }
        if t == 0 {
            for body in &mut self.bodies {
                let mut mesh = std::mem::take(&mut body.mesh);
                mesh.positions = body.positions(0);
                frame.changes.push(Change::Add { mesh });
            }
        } else {
            self.step();
            frame.moves = self.bodies.iter().enumerate().map(|(k, b)| (k, b.positions(t))).collect();
        }
        self.frame += 1;
        Some(frame)
    }
}

// ------------------------------------------------------------------------------------------------------------ cloth

/// Half the side of the cloth, the radius of the ball beneath, in metres.
const CLOTH: f64 = 1.5;
const CORE: f64 = 0.5;
/// Below the ball. Not a body.
const FLOOR: f64 = -0.6;
const STEP: f64 = 1.0 / 60.0;
const SUBSTEPS: usize = 12;
const FRICTION: f64 = 0.5;

/// A square cloth falls over a ball that turns to and fro; 92K triangles. A coarse net is simulated with position-based
/// dynamics, and the cloth is the B-spline surface over it: cheap, smooth, and with folds that touch.
pub struct Cloth {
    frame: usize,
    /// Along a side: cells of the cloth and of the net.
    cells: usize,
    net: usize,
    nodes: Vec<Vector>,
    /// Before the substep.
    before: Vec<Vector>,
    links: Vec<Link>,
    ball: Vec<Vector>,
    /// Empty after the first frame.
    ball_triangles: Vec<[u32; 3]>,
    angle: f64,
}

struct Link {
    ends: [u32; 2],
    length: f64,
    stiffness: f64,
}

impl Cloth {
    pub fn new(scale: f64) -> Self {
        let cells = along_side(212, scale, 16);
        let net = (cells / 4).max(8);
        let spacing = 2.0 * CLOTH / net as f64;
        let node = |i: usize, j: usize| {
            let key = (j * (net + 1) + i) as u64;
            // Off the middle and uneven, or the folds would be symmetric.
            let at = |k: usize| k as f64 * spacing - CLOTH;
            Vector::new(at(i) + 0.05, CORE + 0.03 + 0.004 * unit(41, key), at(j) - 0.03)
        };
        let nodes: Vec<Vector> = (0..=net).flat_map(|j| (0..=net).map(move |i| node(i, j))).collect();
        let mut links = vec![];
        let kinds = [([1, 0], 1.0), ([0, 1], 1.0), ([1, 1], 0.5), ([1, -1], 0.5), ([2, 0], 0.08), ([0, 2], 0.08)];
        for j in 0..=net as i64 {
            for i in 0..=net as i64 {
                for ([di, dj], stiffness) in kinds {
                    let (k, l) = (i + di, j + dj);
                    if (0..=net as i64).contains(&k) && (0..=net as i64).contains(&l) {
                        let number = |i: i64, j: i64| (j * (net as i64 + 1) + i) as u32;
                        let length = spacing * ((di * di + dj * dj) as f64).sqrt();
                        links.push(Link { ends: [number(i, j), number(k, l)], length, stiffness });
                    }
                }
            }
        }
        let ball = sphere(along_side(10, scale, 3));
        Self {
            frame: 0,
            cells,
            net,
            before: nodes.clone(),
            nodes,
            links,
            ball: vectors(&ball.positions).iter().map(|p| p * CORE).collect(),
            ball_triangles: ball.triangles,
            angle: 0.0,
        }
    }

    /// About the y axis.
    fn ball_pose(&self) -> Pose {
        Pose::new(Vector::zeros(), Vector::y() * self.angle)
    }

    fn step(&mut self) {
        let dt = STEP / SUBSTEPS as f64;
        // Waits for the cloth, then to and fro.
        let time = STEP * self.frame as f64;
        let pace = 3.5 * ((time - 1.0) * 0.9).max(0.0).sin();
        for substep in 0..SUBSTEPS {
            for (p, before) in self.nodes.iter_mut().zip(&mut self.before) {
                let next = *p + (*p - *before) * 0.998 - Vector::y() * (9.8 * dt * dt);
                *before = *p;
                *p = next;
            }
            // In turns from both ends, or errors would gather at one.
            if substep % 2 == 0 {
                self.links.iter().for_each(|link| link.solve(&mut self.nodes));
            } else {
                self.links.iter().rev().for_each(|link| link.solve(&mut self.nodes));
            }
            if substep % 4 == 3 {
                self.keep_apart();
            }
            let turn = Vector::y() * (pace * dt);
            self.angle += pace * dt;
            for (p, before) in self.nodes.iter_mut().zip(&self.before) {
                let distance = p.norm();
                let depth = CORE + 0.012 - distance;
                if depth > 0.0 && distance > 0.0 {
                    push(p, before, *p / distance, depth, turn.cross(before));
                }
                let depth = FLOOR - p.y;
                if depth > 0.0 {
                    push(p, before, Vector::y(), depth, Vector::zeros());
                }
            }
        }
    }

    /// Pushes nodes of different parts of the net apart.
    fn keep_apart(&mut self) {
        let reach = 0.75 * 2.0 * CLOTH / self.net as f64;
        let size = (2 * self.nodes.len()).next_power_of_two();
        let cell = |p: &Vector| [p.x, p.y, p.z].map(|c| (c / reach).floor() as i64);
        let bucket = |c: [i64; 3]| {
            let key = c[0].wrapping_mul(73_856_093) ^ c[1].wrapping_mul(19_349_663) ^ c[2].wrapping_mul(83_492_791);
            key as usize & (size - 1)
        };
        let mut first = vec![NONE; size];
        let mut next = vec![NONE; self.nodes.len()];
        for i in 0..self.nodes.len() {
            let at = cell(&self.nodes[i]);
            let place = |i: usize| ((i % (self.net + 1)) as i64, (i / (self.net + 1)) as i64);
            let (x, y) = place(i);
            for dx in -1..=1 {
                for dy in -1..=1 {
                    for dz in -1..=1 {
                        let mut other = first[bucket([at[0] + dx, at[1] + dy, at[2] + dz])];
                        while other != NONE {
                            let j = other as usize;
                            other = next[j];
                            let (u, v) = place(j);
                            if (x - u).abs().max((y - v).abs()) <= 2 {
                                continue;
                            }
                            let gap = self.nodes[i] - self.nodes[j];
                            let squared = gap.norm_squared();
                            if squared < reach * reach && squared > 0.0 {
                                let distance = squared.sqrt();
                                let by = gap * (0.5 * (reach - distance) / distance);
                                self.nodes[i] += by;
                                self.nodes[j] -= by;
                                // Without a kick: the velocity stays.
                                self.before[i] += by;
                                self.before[j] -= by;
                            }
                        }
                    }
                }
            }
            let own = bucket(at);
            next[i] = first[own];
            first[own] = i as u32;
        }
    }

    /// The cubic B-spline surface over the net.
    fn positions(&self) -> Vec<[f64; 3]> {
        let (n, m) = (self.cells, self.net);
        // With a row more beyond every border, so that the surface ends where the net does.
        let wide = m + 3;
        let mut control = vec![Vector::zeros(); wide * wide];
        for j in 0..=m {
            let row = &self.nodes[j * (m + 1)..(j + 1) * (m + 1)];
            let padded = &mut control[(j + 1) * wide..(j + 2) * wide];
            padded[1..m + 2].copy_from_slice(row);
            padded[0] = row[0] * 2.0 - row[1];
            padded[m + 2] = row[m] * 2.0 - row[m - 1];
        }
        for i in 0..wide {
            control[i] = control[wide + i] * 2.0 - control[2 * wide + i];
            control[(m + 2) * wide + i] = control[(m + 1) * wide + i] * 2.0 - control[m * wide + i];
        }
        let weights: Vec<(usize, [f64; 4])> = (0..=n)
            .map(|i| {
                let s = (i * m) as f64 / n as f64;
                let cell = (s as usize).min(m - 1);
                let f = s - cell as f64;
                let g = 1.0 - f;
                let b = |f: f64| (3.0 * f * f * f - 6.0 * f * f + 4.0) / 6.0;
                (cell, [g * g * g / 6.0, b(f), b(g), f * f * f / 6.0])
            })
            .collect();
        let blend = |w: &[f64; 4], p: [Vector; 4]| p[0] * w[0] + p[1] * w[1] + p[2] * w[2] + p[3] * w[3];
        let mut rows = Vec::with_capacity(wide * (n + 1));
        for j in 0..wide {
            let row = &control[j * wide..(j + 1) * wide];
            rows.extend(weights.iter().map(|(c, w)| blend(w, [row[*c], row[c + 1], row[c + 2], row[c + 3]])));
        }
        let mut positions = Vec::with_capacity((n + 1) * (n + 1));
        for (c, w) in &weights {
            let row = |k: usize, i: usize| rows[(c + k) * (n + 1) + i];
            positions.extend((0..=n).map(|i| {
                let p = blend(w, [row(0, i), row(1, i), row(2, i), row(3, i)]);
                [p.x, p.y, p.z]
            }));
        }
        positions
    }
}

impl Default for Cloth {
    fn default() -> Self {
        Self::new(1.0)
    }
}

/// Pushes a node out along `n`, with friction against a surface that moves by `drift`.
fn push(p: &mut Vector, before: &Vector, n: Vector, depth: f64, drift: Vector) {
    *p += n * depth;
    let slip = *p - before - drift;
    let slip = slip - n * n.dot(&slip);
    let size = slip.norm();
    if size > 0.0 {
        *p -= slip * (FRICTION * depth / size).min(1.0);
    }
}

impl Link {
    fn solve(&self, nodes: &mut [Vector]) {
        let [i, j] = self.ends.map(|e| e as usize);
        let gap = nodes[j] - nodes[i];
        let distance = gap.norm();
        let by = gap * (0.5 * self.stiffness * (distance - self.length) / distance.max(1e-9));
        nodes[i] += by;
        nodes[j] -= by;
    }
}

impl Sequence for Cloth {
    fn name(&self) -> &'static str {
        "cloth"
    }

    fn frames(&self) -> usize {
        465
    }

    fn next(&mut self) -> Option<Frame> {
        let mut frame = Frame::default();
        if self.frame == self.frames() {
            return None;
        }
        if self.frame == 0 {
            let n = self.cells;
            // Rows go along z: the other way round, to face upward.
            let triangles = grid_triangles(n, n, |i, j| (i * (n + 1) + j) as u32);
            frame.changes.push(Change::Add { mesh: Mesh { positions: self.positions(), triangles } });
            let triangles = std::mem::take(&mut self.ball_triangles);
            let positions = placed(&self.ball, &self.ball_pose());
            frame.changes.push(Change::Add { mesh: Mesh { positions, triangles } });
        } else {
            self.step();
            frame.moves = vec![(0, self.positions()), (1, placed(&self.ball, &self.ball_pose()))];
        }
        self.frame += 1;
        Some(frame)
    }
}
