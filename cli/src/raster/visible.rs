//! Which triangle each sample of a picture shows: a depth buffer.

use super::{Camera, Mesh, Style};
use fracas::Point;
use std::ops::Range;

/// What a sample shows where there is no triangle.
pub const NOTHING: u32 = u32::MAX;

/// All triangles in a list, as they are seen.
pub struct Screen {
    /// Mesh and triangle of each.
    pub sources: Vec<(u32, u32)>,
    /// Corners: to the right and down in samples, and one over the depth, which is linear across the picture.
    seen: Vec<[[f64; 3]; 3]>,
    /// Samples a pixel along each axis.
    pub samples: usize,
    size: [usize; 2],
}

impl Screen {
    /// Projects all triangles.
    pub fn new(meshes: &[Mesh], camera: &Camera, style: &Style) -> Self {
        let samples = style.samples.max(1);
        let [width, height] = style.size.map(|s| (s * samples) as f64);
        let place = |p: &Point| {
            let [x, y, near] = camera.project(p);
            [0.5 * width + x * height, 0.5 * height - y * height, near]
        };
        let mut screen = Self { sources: vec![], seen: vec![], samples, size: style.size };
        for (mesh, m) in meshes.iter().zip(0..) {
            let placed: Vec<[f64; 3]> = mesh.positions.iter().map(place).collect();
            for (triangle, t) in mesh.triangles.iter().zip(0..) {
                let seen = triangle.map(|k| placed[k as usize]);
                // Rows go down: what is counter-clockwise from here has a negative area.
                if mesh.is_closed && doubled_area(&seen) >= 0.0 {
                    continue;
                }
                screen.sources.push((m, t));
                screen.seen.push(seen);
            }
        }
        screen
    }

    /// Weights of a triangle's corners at a place in the picture, in samples, perspective included; and one over the depth.
    pub fn weights(&self, triangle: u32, at: [f64; 2]) -> ([f64; 3], f64) {
        let corners = &self.seen[triangle as usize];
        let flat = flat_weights(corners, 1.0 / doubled_area(corners), at);
        let scaled: [f64; 3] = std::array::from_fn(|k| flat[k] * corners[k][2]);
        let near: f64 = scaled.iter().sum();
        (scaled.map(|w| w / near), near)
    }

    /// How far a place is from the nearest edge of a triangle, in samples.
    pub fn to_edge(&self, triangle: u32, at: [f64; 2]) -> f64 {
        let c = &self.seen[triangle as usize];
        let distance = |a: &[f64; 3], b: &[f64; 3]| {
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            ((at[0] - a[0]) * dy - (at[1] - a[1]) * dx).abs() / dx.hypot(dy).max(f64::MIN_POSITIVE)
        };
        distance(&c[0], &c[1]).min(distance(&c[1], &c[2])).min(distance(&c[2], &c[0]))
    }
}

/// Twice the area of a triangle in the picture, with a sign.
fn doubled_area([a, b, c]: &[[f64; 3]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}

/// Weights of the corners at a place in the picture; `per` is one over the doubled area.
fn flat_weights(corners: &[[f64; 3]; 3], per: f64, at: [f64; 2]) -> [f64; 3] {
    let weight = |a: &[f64; 3], b: &[f64; 3]| ((b[0] - a[0]) * (at[1] - a[1]) - (at[0] - a[0]) * (b[1] - a[1])) * per;
    [weight(&corners[1], &corners[2]), weight(&corners[2], &corners[0]), weight(&corners[0], &corners[1])]
}

/// The samples of some rows of pixels.
pub struct Band {
    /// Rows of pixels.
    rows: Range<usize>,
    /// Triangle of each sample, row by row.
    shown: Vec<u32>,
    width: usize,
    samples: usize,
}

impl Band {
    /// Finds the nearest triangle for every sample; of several equally near, the first.
    pub fn new(screen: &Screen, rows: Range<usize>) -> Self {
        let (width, samples) = (screen.size[0] * screen.samples, screen.samples);
        let lines = rows.start * samples..rows.end * samples;
        let mut nearest = vec![0.0; width * lines.len()];
        let mut shown = vec![NOTHING; width * lines.len()];
        let (top, bottom) = (lines.start as f64, lines.end as f64);
        for (corners, triangle) in screen.seen.iter().zip(0..) {
            if corners.iter().all(|c| c[1] < top) || corners.iter().all(|c| c[1] > bottom) {
                continue;
            }
            let across = span(corners, 0, &(0..width));
            let down = span(corners, 1, &lines);
            let area = doubled_area(corners);
            if across.is_empty() || down.is_empty() || area == 0.0 {
                continue;
            }
            let per = 1.0 / area;
            for y in down {
                let row = (y - lines.start) * width;
                for x in columns(corners, per, y, &across) {
                    let weights = flat_weights(corners, per, [x as f64 + 0.5, y as f64 + 0.5]);
                    if weights.iter().any(|w| *w < 0.0) {
                        continue;
                    }
                    let near: f64 = (0..3).map(|k| weights[k] * corners[k][2]).sum();
                    if near > nearest[row + x] {
                        nearest[row + x] = near;
                        shown[row + x] = triangle;
                    }
                }
            }
        }
        Self { rows, shown, width, samples }
    }

    /// Its pixels, row by row.
    pub fn pixels(&self) -> impl ExactSizeIterator<Item = [usize; 2]> {
        let (columns, first) = (self.width / self.samples, self.rows.start);
        (0..columns * self.rows.len()).map(move |k| [k % columns, first + k / columns])
    }

    /// The samples of a pixel: what each shows, and where it is in the picture, in samples.
    pub fn samples_of(&self, [x, y]: [usize; 2]) -> impl Iterator<Item = (u32, [f64; 2])> {
        let n = self.samples;
        (0..n * n).map(move |k| {
            let (column, line) = (x * n + k % n, y * n + k / n);
            let row = line - self.rows.start * n;
            (self.shown[row * self.width + column], [column as f64 + 0.5, line as f64 + 0.5])
        })
    }
}

/// The columns of a row that may be in a triangle: some more, since each is tested.
fn columns(corners: &[[f64; 3]; 3], per: f64, y: usize, within: &Range<usize>) -> Range<usize> {
    let [here, next] = [0.5, 1.5].map(|x| flat_weights(corners, per, [x + within.start as f64, y as f64 + 0.5]));
    let (mut low, mut high) = (0.0f64, within.len() as f64);
    for k in 0..3 {
        let step = next[k] - here[k];
        if step > 0.0 {
            low = low.max(-here[k] / step - 1.0);
        } else if step < 0.0 {
            high = high.min(-here[k] / step + 2.0);
        }
    }
    // Casting saturates.
    within.start + low as usize..(within.start + high.max(0.0) as usize).min(within.end)
}

/// The samples along an axis whose middle may be in a triangle.
fn span(corners: &[[f64; 3]; 3], axis: usize, within: &Range<usize>) -> Range<usize> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for c in corners {
        low = low.min(c[axis]);
        high = high.max(c[axis]);
    }
    // Casting saturates.
    let (first, last) = ((low - 0.5).ceil().max(0.0) as usize, (high + 0.5).floor().max(0.0) as usize);
    first.max(within.start)..last.min(within.end)
}
