//! A small software rasteriser: fragments pulled apart from their common centre, skin light, cracks in colour.

use fracas::fracture::surface::Face;
use fracas::{Object, Point, Vector};
use std::path::Path;

const WIDTH: usize = 1200;
const HEIGHT: usize = 900;
/// Rendered this much larger and averaged.
const SMOOTH: usize = 2;

struct Canvas {
    depth: Vec<f64>,
    colour: Vec<[f64; 3]>,
}

/// Draws the fragments to a PNG file.
pub fn draw_apart(pieces: &[Object], path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let (w, h) = (WIDTH * SMOOTH, HEIGHT * SMOOTH);
    let mut canvas = Canvas { depth: vec![f64::NEG_INFINITY; w * h], colour: vec![[1.0; 3]; w * h] };
    let centre = *pieces[0].asset().centre();
    let radius = pieces[0].asset().radius();
    // Looking from the front, right and above.
    let view = Vector::new(0.75, -1.0, 0.55).normalize();
    let right = Vector::z().cross(&view).normalize();
    let axes = [right, view.cross(&right), view];
    for piece in pieces {
        let apart = (piece.mass().centre - centre) * 0.55;
        let surface = piece.surface();
        let tint = hue(piece.piece_number() as f64 * 0.618_034);
        for t in &surface.triangles {
            let p = t.corners.map(|c| {
                let v = surface.vertices[c as usize] + apart - centre;
                let at = axes.map(|axis| axis.dot(&v) / (0.98 * radius));
                Point::new(w as f64 * 0.5 + at[0] * h as f64 * 0.5, h as f64 * (0.5 - at[1] * 0.5), at[2])
            });
            let corners = t.corners.map(|c| surface.vertices[c as usize]);
            let normal =
                (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).try_normalize(0.0).unwrap_or_default();
            let light = 0.35 + 0.65 * normal.dot(&Vector::new(0.35, -0.6, 0.75).normalize()).max(0.0);
            let base = match t.face {
                Face::Skin { .. } => [0.86, 0.85, 0.82],
                Face::Crack { .. } => tint,
            };
            canvas.triangle(&p, base.map(|c| c * light));
        }
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut bytes = Vec::with_capacity(WIDTH * HEIGHT * 3);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            for k in 0..3 {
                let sum: f64 = (0..SMOOTH * SMOOTH)
                    .map(|s| canvas.colour[(y * SMOOTH + s / SMOOTH) * w + x * SMOOTH + s % SMOOTH][k])
                    .sum();
                bytes.push((255.0 * (sum / (SMOOTH * SMOOTH) as f64).powf(1.0 / 1.4)) as u8);
            }
        }
    }
    let mut encoder =
        png::Encoder::new(std::io::BufWriter::new(std::fs::File::create(path)?), WIDTH as u32, HEIGHT as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&bytes)?;
    Ok(())
}

/// A mild colour for a number; only its fraction counts.
fn hue(t: f64) -> [f64; 3] {
    [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|shift| 0.58 + 0.34 * (2.0 * std::f64::consts::PI * (t + shift)).cos())
}

impl Canvas {
    fn triangle(&mut self, p: &[Point; 3], colour: [f64; 3]) {
        let (w, h) = (WIDTH * SMOOTH, HEIGHT * SMOOTH);
        let area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
        if area >= 0.0 {
            return; // seen from behind: y points down
        }
        let span = |k: usize, most: usize| {
            let (low, high) =
                (p.iter().map(|p| p[k]).fold(f64::MAX, f64::min), p.iter().map(|p| p[k]).fold(f64::MIN, f64::max));
            low.max(0.0) as usize..(high.max(0.0) as usize + 1).min(most)
        };
        for y in span(1, h) {
            for x in span(0, w) {
                let (px, py) = (x as f64 + 0.5, y as f64 + 0.5);
                let weight = |a: &Point, b: &Point| ((b.x - a.x) * (py - a.y) - (px - a.x) * (b.y - a.y)) / area;
                let weights = [weight(&p[1], &p[2]), weight(&p[2], &p[0]), weight(&p[0], &p[1])];
                let depth = weights.iter().zip(p).map(|(w, p)| w * p.z).sum::<f64>();
                let slot = &mut self.depth[y * w + x];
                if weights.iter().all(|w| *w >= 0.0) && depth > *slot {
                    *slot = depth;
                    self.colour[y * w + x] = colour;
                }
            }
        }
    }
}
