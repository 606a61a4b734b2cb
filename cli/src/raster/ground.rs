//! Shadows on the ground below the meshes.

use super::light::{Lights, Spot};
use super::{Camera, Style};
use fracas::Point;

/// How dark the ground is, at places a few pixels apart; shadows are soft, so it is smooth in between.
pub struct Ground {
    /// Row by row, from 0 to 1; empty if there is no ground.
    darkness: Vec<f64>,
    columns: usize,
    /// Samples from one place to the next.
    step: f64,
}

/// Pixels from one place to the next.
const STEP: usize = 3;

impl Ground {
    /// Looks at the ground through every third pixel.
    pub fn new(camera: &Camera, lights: &Lights, style: &Style) -> Self {
        let step = (STEP * style.samples.max(1)) as f64;
        let [columns, rows] = style.size.map(|s| s.div_ceil(STEP) + 1);
        if !style.ground {
            return Self { darkness: vec![], columns, step };
        }
        let [width, height] = style.size.map(|s| (s * style.samples.max(1)) as f64);
        // Several rows at a time, so that the light falls on many places at once.
        let darkness = style.tasks.map_chunks(columns * rows, 8 * columns, |places| {
            let at = |k: usize| [(k % columns) as f64 * step, (k / columns) as f64 * step];
            let seen = |[x, y]: [f64; 2]| [(x - 0.5 * width) / height, (0.5 * height - y) / height];
            darkness(camera, lights, &places.map(|k| seen(at(k))).collect::<Vec<_>>())
        });
        Self { darkness: darkness.concat(), columns, step }
    }

    /// How dark the ground is at a place of the picture, in samples.
    pub fn shadow(&self, at: [f64; 2]) -> f64 {
        if self.darkness.is_empty() {
            return 0.0;
        }
        let [x, y] = at.map(|c| c / self.step);
        let (s, t) = (x.fract(), y.fract());
        let first = y as usize * self.columns + x as usize;
        let dark = |k: usize| self.darkness.get(k).copied().unwrap_or(0.0);
        let below = first + self.columns;
        (1.0 - t) * ((1.0 - s) * dark(first) + s * dark(first + 1))
            + t * ((1.0 - s) * dark(below) + s * dark(below + 1))
    }
}

/// The share of light that is missing where places of the picture show the ground.
fn darkness(camera: &Camera, lights: &Lights, seen: &[[f64; 2]]) -> Vec<f64> {
    let up = &lights.up;
    let above = camera.eye.coords.dot(up) - lights.ground;
    let on_ground = |at: &[f64; 2]| {
        let ray = camera.ray(*at);
        let fall = -ray.dot(up);
        (fall >= 1e-6 && above > 0.0).then(|| camera.eye + ray * (above / fall))
    };
    let places: Vec<Option<Point>> = seen.iter().map(on_ground).collect();
    let spots: Vec<Spot> = places.iter().flatten().map(|p| lights.spot(p, up, up)).collect();
    let mut open = vec![0.0; spots.len()];
    let lit = lights.received(&spots, |spot, light, _| {
        open[spot] += light.colour.iter().sum::<f32>() * light.direction.dot(&up.cast());
    });
    let mut lit = lit.into_iter().zip(open);
    let dark = |(lit, open): ([f64; 3], f32)| (1.0 - lit.iter().sum::<f64>() / f64::from(open)).clamp(0.0, 1.0);
    places.iter().map(|place| place.and_then(|_| lit.next()).map_or(0.0, dark)).collect()
}
