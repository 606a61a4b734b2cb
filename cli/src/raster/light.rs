//! Light from a list of directions, each with a shadow map.

use super::visible::{doubled_area, flat_weights, span};
use super::{Camera, Mesh};
use fracas::geom::Local;
use fracas::geom::aabb::Aabb;
use fracas::{Point, Tasks, Vector};
use std::f64::consts::TAU;

/// Directions over the sky, and the cells of their shadow maps along each side: many, and coarse.
const SKY: usize = 112;
const SKY_CELLS: usize = 320;
/// The same of the key light, whose shadows are sharper.
const KEY: usize = 32;
const KEY_CELLS: usize = 640;
/// Half the angle of the key light, in radians: how soft its shadows are.
const KEY_SPREAD: f64 = 0.11;
/// Below this height over the horizon, the sine of an angle, the sky fades: what is so low draws long streaks of shadow.
const HAZE: f64 = 0.3;

/// One direction that light comes from.
pub struct Light {
    /// Towards it.
    pub direction: Local,
    /// How much, in red, green and blue.
    pub colour: [f32; 3],
    /// Whether things glitter in it.
    pub is_key: bool,
    map: ShadowMap,
}

/// All light there is.
pub struct Lights {
    /// Directions, each for itself.
    pub list: Vec<Light>,
    /// What comes from below, thrown back by the ground.
    pub bounce: [f64; 3],
    /// Which way is up.
    pub up: Vector,
    /// Where the ground is, along `up`.
    pub ground: f64,
    /// Middle and radius of the scene.
    pub centre: Point,
    pub radius: f64,
}

impl Lights {
    /// A key light from the upper left of the camera, and the sky.
    pub fn new(meshes: &[Mesh], camera: &Camera, tasks: &Tasks) -> Self {
        let mut bounds = Aabb::around(meshes.iter().flat_map(|m| &m.positions));
        if bounds.is_empty() {
            bounds.grow(&Point::origin());
        }
        let (up, right) = (camera.up, camera.axes[0]);
        // The viewer's side, along the ground.
        let aside = right.cross(&up).try_normalize(1e-9).unwrap_or(camera.axes[2]);
        let key = (up * 1.15 - right * 0.75 + aside * 0.55).normalize();
        let mut wanted: Vec<(Vector, [f64; 3], bool)> = vec![];
        for k in 0..SKY {
            // Fibonacci's spiral over the half-sphere: equal areas.
            let height = (k as f64 + 0.5) / SKY as f64;
            let angle = TAU * 0.618_034 * k as f64;
            let level = (1.0 - height * height).sqrt();
            let direction = up * height + (right * angle.cos() + aside * angle.sin()) * level;
            // Bluish high up, warmer at the horizon.
            let strength = 1.16 * (height / HAZE).min(1.0) / SKY as f64;
            let colour = [0.93 - 0.06 * height, 0.96, 1.0 + 0.06 * height].map(|c| strength * c);
            wanted.push((direction, colour, false));
        }
        let (u, v) = (key.cross(&up).normalize(), key.cross(&key.cross(&up)).normalize());
        for k in 0..KEY {
            let (out, angle) = (KEY_SPREAD * ((k as f64 + 0.5) / KEY as f64).sqrt(), TAU * 0.618_034 * k as f64);
            let direction = (key + (u * angle.cos() + v * angle.sin()) * out).normalize();
            wanted.push((direction, [1.0, 0.965, 0.9].map(|c| 0.62 * c / KEY as f64), true));
        }
        let maps = tasks.map_chunks(wanted.len(), 1, |k| {
            let (direction, _, is_key) = &wanted[k.start];
            ShadowMap::new(meshes, &bounds, direction, if *is_key { KEY_CELLS } else { SKY_CELLS })
        });
        let list = wanted.into_iter().zip(maps).map(|((direction, colour, is_key), map)| Light {
            direction: direction.cast(),
            colour: colour.map(|c| c as f32),
            is_key,
            map,
        });
        let list = list.collect();
        let lowest = meshes.iter().flat_map(|m| &m.positions).map(|p| p.coords.dot(&up)).fold(f64::INFINITY, f64::min);
        Self { list, bounce: [0.30, 0.28, 0.26], up, ground: lowest, centre: bounds.centre(), radius: bounds.radius() }
    }

    /// What a dull white surface gives back at a point, and how much of each direction gets there.
    pub fn received(&self, p: &Point, normal: &Vector, flat: &Vector, mut each: impl FnMut(&Light, f32)) -> [f64; 3] {
        let below = 0.5 - 0.5 * normal.dot(&self.up);
        let mut sum = self.bounce.map(|c| (c * below) as f32);
        let (p, normal, flat): (Local, Local, Local) = ((p - self.centre).cast(), normal.cast(), flat.cast());
        for light in &self.list {
            let slant = normal.dot(&light.direction);
            // A surface that turns away as a whole is dark even where its smoothed normal is not.
            if slant <= 0.0 || flat.dot(&light.direction) <= 0.0 {
                continue;
            }
            let reaches = light.map.open(&p, &flat);
            each(light, reaches);
            (0..3).for_each(|k| sum[k] += light.colour[k] * slant * reaches);
        }
        sum.map(f64::from)
    }
}

/// How far light from one direction gets: a depth buffer, seen from there. All relative to the middle of the scene.
struct ShadowMap {
    axes: [Local; 3],
    /// Length of a cell.
    cell: f32,
    /// Along each side.
    cells: usize,
    /// Towards the light; row by row.
    heights: Vec<f32>,
}

impl ShadowMap {
    fn new(meshes: &[Mesh], bounds: &Aabb, direction: &Vector, cells: usize) -> Self {
        let aside = if direction.x.abs() < 0.6 { Vector::x() } else { Vector::y() };
        let u = aside.cross(direction).normalize();
        let axes = [u, direction.cross(&u), *direction].map(|axis| axis.cast());
        let cell = 2.02 * bounds.radius().max(1e-30) as f32 / cells as f32;
        let mut map = Self { axes, cell, cells, heights: vec![f32::NEG_INFINITY; cells * cells] };
        let centre = bounds.centre();
        for mesh in meshes {
            let place = |p: &Point| map.place(&(p - centre).cast()).map(f64::from);
            let placed: Vec<[f64; 3]> = mesh.positions.iter().map(place).collect();
            for triangle in &mesh.triangles {
                map.add(&triangle.map(|k| placed[k as usize]));
            }
        }
        map
    }

    /// Column and row, in cells, and height.
    fn place(&self, p: &Local) -> [f32; 3] {
        let half = 0.5 * self.cells as f32;
        [half + p.dot(&self.axes[0]) / self.cell, half + p.dot(&self.axes[1]) / self.cell, p.dot(&self.axes[2])]
    }

    fn add(&mut self, c: &[[f64; 3]; 3]) {
        if doubled_area(c) == 0.0 {
            return;
        }
        for y in span(c, 1, &(0..self.cells)) {
            for x in span(c, 0, &(0..self.cells)) {
                let weights = flat_weights(c, [x as f64 + 0.5, y as f64 + 0.5]);
                if weights.iter().all(|w| *w >= 0.0) {
                    let height = (0..3).map(|k| weights[k] * c[k][2]).sum::<f64>() as f32;
                    let slot = &mut self.heights[y * self.cells + x];
                    *slot = slot.max(height);
                }
            }
        }
    }

    /// How much of the light gets to a point of a surface with this normal: between the four cells around, smoothly.
    fn open(&self, p: &Local, flat: &Local) -> f32 {
        // Off the surface by what a cell cannot tell, so that it does not darken itself.
        let [x, y, height] = self.place(&(p + flat * (1.5 * self.cell)));
        let height = height + 1.2 * self.cell;
        let (x, y) = (x - 0.5, y - 0.5);
        let most = (self.cells - 1) as f32;
        // Also where it is no number.
        if !(x >= 0.0 && y >= 0.0 && x < most && y < most) {
            return 1.0;
        }
        let (column, row) = (x as usize, y as usize);
        let first = row * self.cells + column;
        let is_open = |k: usize| if self.heights[k] <= height { 1.0 } else { 0.0 };
        let (s, t) = (x - column as f32, y - row as f32);
        let below = first + self.cells;
        (1.0 - t) * ((1.0 - s) * is_open(first) + s * is_open(first + 1))
            + t * ((1.0 - s) * is_open(below) + s * is_open(below + 1))
    }
}
