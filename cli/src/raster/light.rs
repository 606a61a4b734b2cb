//! Light from a list of directions, each with a shadow map.

use super::visible::span;
use super::{Camera, Mesh};
use fracas::geom::aabb::Aabb;
use fracas::{Point, Tasks, Vector};
use std::f64::consts::TAU;

/// Directions over the sky.
const SKY: usize = 96;
/// Directions of the key light.
const KEY: usize = 32;
/// Half the angle of the key light, in radians: how soft its shadows are.
const KEY_SPREAD: f64 = 0.11;
/// Cells of a shadow map along each side.
const CELLS: usize = 640;

/// One direction that light comes from.
pub struct Light {
    /// Towards it.
    pub direction: Vector,
    /// How much, in red, green and blue.
    pub colour: [f64; 3],
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
    /// Radius of the scene.
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
            let colour = [0.93 - 0.06 * height, 0.96, 1.0 + 0.06 * height].map(|c| 1.1 * c / SKY as f64);
            wanted.push((direction, colour, false));
        }
        let (u, v) = (key.cross(&up).normalize(), key.cross(&key.cross(&up)).normalize());
        for k in 0..KEY {
            let (out, angle) = (KEY_SPREAD * ((k as f64 + 0.5) / KEY as f64).sqrt(), TAU * 0.618_034 * k as f64);
            let direction = (key + (u * angle.cos() + v * angle.sin()) * out).normalize();
            wanted.push((direction, [1.0, 0.965, 0.9].map(|c| 0.62 * c / KEY as f64), true));
        }
        let maps = tasks.map_chunks(wanted.len(), 1, |k| ShadowMap::new(meshes, &bounds, &wanted[k.start].0));
        let list = wanted.into_iter().zip(maps);
        let list = list.map(|((direction, colour, is_key), map)| Light { direction, colour, is_key, map }).collect();
        let lowest = meshes.iter().flat_map(|m| &m.positions).map(|p| p.coords.dot(&up)).fold(f64::INFINITY, f64::min);
        Self { list, bounce: [0.30, 0.28, 0.26], up, ground: lowest, radius: bounds.radius() }
    }

    /// What a dull white surface gives back at a point, and how much of each direction gets there.
    pub fn received(&self, p: &Point, normal: &Vector, flat: &Vector, mut each: impl FnMut(&Light, f64)) -> [f64; 3] {
        let below = 0.5 - 0.5 * normal.dot(&self.up);
        let mut sum = self.bounce.map(|c| c * below);
        for light in &self.list {
            let slant = normal.dot(&light.direction);
            // A surface that turns away as a whole is dark even where its smoothed normal is not.
            if slant <= 0.0 || flat.dot(&light.direction) <= 0.0 {
                continue;
            }
            let reaches = light.map.open(p, flat);
            each(light, reaches);
            (0..3).for_each(|k| sum[k] += light.colour[k] * slant * reaches);
        }
        sum
    }
}

/// How far light from one direction gets: a depth buffer, seen from there.
struct ShadowMap {
    centre: Point,
    axes: [Vector; 3],
    /// Length of a cell.
    cell: f64,
    /// Towards the light, relative to the centre; row by row.
    heights: Vec<f32>,
}

impl ShadowMap {
    fn new(meshes: &[Mesh], bounds: &Aabb, direction: &Vector) -> Self {
        let aside = if direction.x.abs() < 0.6 { Vector::x() } else { Vector::y() };
        let u = aside.cross(direction).normalize();
        let axes = [u, direction.cross(&u), *direction];
        let cell = 2.02 * bounds.radius().max(f64::MIN_POSITIVE.sqrt()) / CELLS as f64;
        let mut map = Self { centre: bounds.centre(), axes, cell, heights: vec![f32::NEG_INFINITY; CELLS * CELLS] };
        for mesh in meshes {
            let placed: Vec<[f64; 3]> = mesh.positions.iter().map(|p| map.place(p)).collect();
            for triangle in &mesh.triangles {
                map.add(&triangle.map(|k| placed[k as usize]));
            }
        }
        map
    }

    /// Column and row, in cells, and height.
    fn place(&self, p: &Point) -> [f64; 3] {
        let offset = p - self.centre;
        let along = |k: usize| offset.dot(&self.axes[k]);
        let half = 0.5 * CELLS as f64;
        [half + along(0) / self.cell, half + along(1) / self.cell, along(2)]
    }

    fn add(&mut self, c: &[[f64; 3]; 3]) {
        let area = (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (c[2][0] - c[0][0]) * (c[1][1] - c[0][1]);
        if area == 0.0 {
            return;
        }
        for y in span(c, 1, &(0..CELLS)) {
            for x in span(c, 0, &(0..CELLS)) {
                let at = [x as f64 + 0.5, y as f64 + 0.5];
                let weight = |a: &[f64; 3], b: &[f64; 3]| {
                    ((b[0] - a[0]) * (at[1] - a[1]) - (at[0] - a[0]) * (b[1] - a[1])) / area
                };
                let weights = [weight(&c[1], &c[2]), weight(&c[2], &c[0]), weight(&c[0], &c[1])];
                if weights.iter().all(|w| *w >= 0.0) {
                    let height = (0..3).map(|k| weights[k] * c[k][2]).sum::<f64>() as f32;
                    let slot = &mut self.heights[y * CELLS + x];
                    *slot = slot.max(height);
                }
            }
        }
    }

    /// How much of the light gets to a point of a surface with this normal: between the four cells around, smoothly.
    fn open(&self, p: &Point, flat: &Vector) -> f64 {
        // Off the surface by what a cell cannot tell, so that it does not darken itself.
        let [x, y, height] = self.place(&(p + flat * (1.5 * self.cell)));
        let height = (height + 1.2 * self.cell) as f32;
        let (x, y) = (x - 0.5, y - 0.5);
        let (column, row) = (x.floor(), y.floor());
        let is_open = |x: f64, y: f64| {
            let inside = x >= 0.0 && y >= 0.0 && x < CELLS as f64 && y < CELLS as f64;
            (!inside || self.heights[y as usize * CELLS + x as usize] <= height) as u8 as f64
        };
        let (s, t) = (x - column, y - row);
        (1.0 - t) * ((1.0 - s) * is_open(column, row) + s * is_open(column + 1.0, row))
            + t * ((1.0 - s) * is_open(column, row + 1.0) + s * is_open(column + 1.0, row + 1.0))
    }
}
