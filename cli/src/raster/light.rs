//! Light from a list of directions, each with a shadow map.

use super::{Camera, Mesh};
use fracas::geom::Local;
use fracas::geom::aabb::Aabb;
use fracas::{Point, Tasks, Vector};
use std::cmp::Ordering;
use std::f64::consts::TAU;
use std::ops::Range;

/// Directions over the sky, and the cells of their shadow maps along each side: many, and coarse.
const SKY: usize = 72;
const SKY_CELLS: usize = 320;
/// The same of the key light, whose shadows are sharper.
const KEY: usize = 20;
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

    /// A point of a surface, with its shading normal and that of its triangle.
    pub fn spot(&self, p: &Point, normal: &Vector, flat: &Vector) -> Spot {
        Spot { p: (p - self.centre).cast(), normal: normal.cast(), flat: flat.cast(), alike: None }
    }

    /// What dull white surfaces give back, and for each, by its place, how much of each direction gets there. One light after
    /// the other for all spots: neighbours read the same part of a shadow map while it is in the cache.
    pub fn received(&self, spots: &[Spot], mut each: impl FnMut(usize, &Light, f32)) -> Vec<[f64; 3]> {
        let mut reached = vec![f32::NAN; spots.len()];
        let up: Local = self.up.cast();
        let bounce = self.bounce.map(|c| c as f32);
        let below = |spot: &Spot| 0.5 - 0.5 * spot.normal.dot(&up);
        let mut sums: Vec<[f32; 3]> = spots.iter().map(|spot| bounce.map(|c| c * below(spot))).collect();
        for light in &self.list {
            for (number, (spot, sum)) in spots.iter().zip(&mut sums).enumerate() {
                let slant = spot.normal.dot(&light.direction);
                // A surface that turns away as a whole is dark even where its smoothed normal is not.
                if slant <= 0.0 || spot.flat.dot(&light.direction) <= 0.0 {
                    reached[number] = f32::NAN;
                    continue;
                }
                // A cell of the sky's maps is some pixels wide.
                let known = spot.alike.filter(|_| !light.is_key).map_or(f32::NAN, |other| reached[other as usize]);
                let reaches = if known.is_nan() { light.map.open(&spot.p, &spot.flat) } else { known };
                reached[number] = reaches;
                each(number, light, reaches);
                (0..3).for_each(|k| sum[k] += light.colour[k] * slant * reaches);
            }
        }
        sums.into_iter().map(|sum| sum.map(f64::from)).collect()
    }
}

/// A point of a surface that gets light; relative to the middle of the scene.
#[derive(Clone, Copy)]
pub struct Spot {
    p: Local,
    normal: Local,
    flat: Local,
    /// One before it in the list that sees the same of the sky.
    pub alike: Option<u32>,
}

impl Spot {
    /// Whether another is so near, and faces so alike, that it sees the same of the sky.
    pub fn is_near(&self, other: &Self, distance: f32) -> bool {
        (self.p - other.p).norm_squared() <= distance * distance && self.flat.dot(&other.flat) > 0.98
    }
}

/// How far light from one direction gets: a depth buffer, seen from there. All relative to the middle of the scene.
struct ShadowMap {
    /// Along columns and rows, in cells a metre; and towards the light.
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
        let cell = 2.02 * bounds.radius().max(1e-30) / cells as f64;
        let axes = [u / cell, direction.cross(&u) / cell, *direction].map(|axis| axis.cast());
        let mut map = Self { axes, cell: cell as f32, cells, heights: vec![f32::NEG_INFINITY; cells * cells] };
        let centre = bounds.centre();
        let mut placed: Vec<[f32; 3]> = vec![];
        for mesh in meshes {
            placed.clear();
            placed.extend(mesh.positions.iter().map(|p| map.place(&(p - centre).cast())));
            for triangle in &mesh.triangles {
                map.add(&triangle.map(|k| placed[k as usize]), mesh.is_closed);
            }
        }
        map
    }

    /// Column and row, in cells, and height.
    fn place(&self, p: &Local) -> [f32; 3] {
        let half = 0.5 * self.cells as f32;
        [half + p.dot(&self.axes[0]), half + p.dot(&self.axes[1]), p.dot(&self.axes[2])]
    }

    /// Raises all cells whose middle is below a triangle; of a closed surface only if it faces the light, since what does not is
    /// lower.
    fn add(&mut self, corners: &[[f32; 3]; 3], is_closed: bool) {
        let [a, b, c] = corners.map(|corner| corner.map(f64::from));
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        if is_closed && area <= 0.0 {
            return;
        }
        // Most triangles of a fine mesh lie between the middles of cells.
        let rows = self.span([a[1], b[1], c[1]]);
        if rows.is_empty() {
            return;
        }
        let columns = self.span([a[0], b[0], c[0]]);
        if columns.is_empty() || area == 0.0 {
            return;
        }
        // The weight of the corner across from each edge, which is linear: by column, by row, and at the origin.
        let per = 1.0 / area;
        let weight = |p: &[f64; 3], q: &[f64; 3]| {
            let (x, y) = ((p[1] - q[1]) * per, (q[0] - p[0]) * per);
            [x, y, -(x * p[0] + y * p[1])]
        };
        let weights = [weight(&b, &c), weight(&c, &a), weight(&a, &b)];
        let height: [f64; 3] =
            std::array::from_fn(|k| weights[0][k] * a[2] + weights[1][k] * b[2] + weights[2][k] * c[2]);
        // Where each weight is zero: a column, by row; a little more, so that no cell falls between two triangles. Level edges
        // bound rows only.
        let (low_end, high_end) = (columns.start as f64, columns.end as f64 - 1.0);
        let zeros = weights.map(|[by_x, by_y, at_origin]| {
            let per = 1.0 / by_x;
            match by_x.total_cmp(&0.0) {
                _ if !per.is_finite() => (0.0, low_end, true),
                Ordering::Less => (-by_y * per, -at_origin * per - 0.5 + 1e-6, false),
                _ => (-by_y * per, -at_origin * per - 0.5 - 1e-6, true),
            }
        });
        for row in rows {
            let y = row as f64 + 0.5;
            let (mut low, mut high) = (low_end, high_end);
            for (slope, at_origin, is_low) in &zeros {
                let zero = slope * y + at_origin;
                if *is_low {
                    low = low.max(zero);
                } else {
                    high = high.min(zero);
                }
            }
            let (low, high) = (rounded_up(low), rounded_down(high));
            if low > high {
                continue;
            }
            let first = (height[0] * 0.5 + height[1] * y + height[2]) as f32;
            let step = height[0] as f32;
            let line = &mut self.heights[row * self.cells..][low as usize..=high as usize];
            for (slot, column) in line.iter_mut().zip(low as usize..) {
                *slot = slot.max(first + step * column as f32);
            }
        }
    }

    /// The cells along an axis whose middle may be in a triangle with these corners.
    fn span(&self, c: [f64; 3]) -> Range<usize> {
        let low = c.iter().copied().fold(f64::INFINITY, f64::min);
        let high = c.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (rounded_up(low - 0.5) as usize)..(high.max(0.0) + 0.5).min(self.cells as f64) as usize
    }

    /// How much of the light gets to a point of a surface with this normal: between the four cells around, smoothly.
    #[inline(always)]
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
        let (column, row) = (x as u32 as usize, y as u32 as usize);
        let first = row * self.cells + column;
        let [upper, lower] = [&self.heights[first..][..2], &self.heights[first + self.cells..][..2]];
        let is_open = |highest: f32| if highest <= height { 1.0 } else { 0.0 };
        let (s, t) = (x - column as f32, y - row as f32);
        (1.0 - t) * ((1.0 - s) * is_open(upper[0]) + s * is_open(upper[1]))
            + t * ((1.0 - s) * is_open(lower[0]) + s * is_open(lower[1]))
    }
}

/// The next whole number, from 0 on: `ceil` is a call on processors of twenty years ago, which we compile for.
fn rounded_up(value: f64) -> f64 {
    let whole = value.clamp(0.0, 1e9) as i32;
    f64::from(whole + i32::from(f64::from(whole) < value))
}

/// The whole number before, or -1.
fn rounded_down(value: f64) -> f64 {
    if value < 0.0 { -1.0 } else { f64::from(value.min(1e9) as i32) }
}
