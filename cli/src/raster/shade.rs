//! The colour of a pixel.

use super::ground::Ground;
use super::light::Lights;
use super::noise::noise;
use super::visible::{Band, NOTHING, Screen};
use super::{Camera, Mesh, Style};
use fracas::geom::Local;
use fracas::{Point, Vector};

/// All that a pixel needs.
pub struct Shader<'a> {
    pub meshes: &'a [Mesh],
    pub camera: &'a Camera,
    pub screen: &'a Screen,
    pub lights: &'a Lights,
    pub ground: &'a Ground,
    pub style: &'a Style,
}

/// Half the width of a drawn edge, in pixels.
const EDGE: f64 = 0.55;

impl Shader<'_> {
    /// Linear colour, multiplied by the opacity, and the opacity.
    pub fn pixel(&self, band: &Band, at: [usize; 2]) -> [f64; 4] {
        let mut parts: Vec<Part> = vec![];
        for (shown, place) in band.samples_of(at) {
            let known = parts.iter().position(|p| p.shown == shown);
            let place_of = known.unwrap_or_else(|| {
                parts.push(Part { shown, ..Part::default() });
                parts.len() - 1
            });
            let part = &mut parts[place_of];
            part.count += 1.0;
            (0..2).for_each(|k| part.sum[k] += place[k]);
            if self.style.wire && shown != NOTHING {
                let far = self.screen.to_edge(shown, place) > EDGE * self.screen.samples as f64;
                part.edge += if far { 0.0 } else { 1.0 };
            }
        }
        let total = (self.screen.samples * self.screen.samples) as f64;
        let mut pixel = [0.0; 4];
        for part in &parts {
            let middle = part.sum.map(|s| s / part.count);
            let seen = match part.shown {
                NOTHING => [0.0, 0.0, 0.0, self.ground.shadow(middle)],
                triangle => {
                    let line = part.edge / part.count;
                    let [r, g, b] = self.triangle(triangle, middle).map(|c| c * (1.0 - 0.72 * line));
                    [r, g, b, 1.0]
                }
            };
            (0..4).for_each(|k| pixel[k] += seen[k] * part.count / total);
        }
        pixel
    }

    fn triangle(&self, triangle: u32, at: [f64; 2]) -> [f64; 3] {
        let (mesh, number) = self.screen.sources[triangle as usize];
        let mesh = &self.meshes[mesh as usize];
        let corners = mesh.triangles[number as usize].map(|k| k as usize);
        let (weights, _) = self.screen.weights(triangle, at);
        let [a, b, c] = corners.map(|k| mesh.positions[k]);
        let p = Point::from(a.coords * weights[0] + b.coords * weights[1] + c.coords * weights[2]);
        let to_eye = (self.camera.eye - p).normalize();
        let facing = |n: Vector| if n.dot(&to_eye) < 0.0 { -n } else { n };
        let flat = facing((b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or(to_eye));
        let smooth = corners.iter().zip(weights).fold(Vector::zeros(), |sum, (k, w)| sum + mesh.normals[*k] * w);
        let smooth = smooth.try_normalize(0.0).unwrap_or(flat);
        let mut normal = if smooth.dot(&flat) < 0.0 { -smooth } else { smooth };
        let mut tint = 1.0;
        let material = &mesh.material;
        if material.grain > 0.0 {
            // Coarse and fine.
            let scaled = |length: f64| noise(&Point::from(p.coords / (length * self.lights.radius)));
            let rough = scaled(0.035) * 0.5 + scaled(0.012) * 0.5;
            normal = (normal + rough * (0.38 * material.grain)).normalize();
            tint += 0.10 * material.grain * rough.x;
        }
        let (to_eye, key_normal): (Local, Local) = (to_eye.cast(), normal.cast());
        let mut glitter = 0.0;
        let light = self.lights.received(&p, &normal, &flat, |light, reaches| {
            if light.is_key && material.gloss > 0.0 {
                let half = (light.direction + to_eye).normalize();
                glitter += light.colour[1] * reaches * half.dot(&key_normal).max(0.0).powi(70);
            }
        });
        // More of it at a slant (Schlick).
        let fresnel = 0.35 + 0.65 * (1.0 - key_normal.dot(&to_eye).max(0.0)).powi(5);
        let glitter = material.gloss * f64::from(fresnel * glitter);
        std::array::from_fn(|k| softened(material.colour[k] * tint * light[k] + glitter))
    }
}

#[derive(Default)]
struct Part {
    /// A triangle, or nothing.
    shown: u32,
    /// How many samples show it, and where they are in sum.
    count: f64,
    sum: [f64; 2],
    /// How many of them lie on an edge.
    edge: f64,
}

/// Bright values bend towards 1 in place of being cut there.
fn softened(c: f64) -> f64 {
    const FROM: f64 = 0.8;
    if c < FROM { c } else { 1.0 - (1.0 - FROM) * (-(c - FROM) / (1.0 - FROM)).exp() }
}
