//! The colours of pixels.

use super::ground::Ground;
use super::light::{Lights, Spot};
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
    /// Linear colours of rows of pixels, multiplied by their opacity, and the opacity.
    pub fn pixels(&self, band: &Band) -> Vec<[f64; 4]> {
        let total = (self.screen.samples * self.screen.samples) as f64;
        let mut parts: Vec<Part> = vec![];
        // What each pixel shows, and by which share; colours come later, for all at once.
        let (mut shown, mut surfaces): (Vec<_>, Vec<Surface>) = (vec![], vec![]);
        // The first surface of each block of two by two pixels, which the others may be alike.
        let mut firsts = vec![None; self.style.size[0].div_ceil(2)];
        for (pixel, at) in band.pixels().enumerate() {
            self.parts(band, at, &mut parts);
            let first = &mut firsts[at[0] / 2];
            if at.iter().all(|c| c % 2 == 0) {
                *first = None;
            }
            for part in &parts {
                let middle = part.sum.map(|s| s / part.count);
                let seen = match part.shown {
                    NOTHING => Seen::Ground(self.ground.shadow(middle)),
                    triangle => {
                        let mut surface = self.surface(triangle, middle);
                        match *first {
                            None => *first = Some(surfaces.len() as u32),
                            Some(other) => {
                                let known = &surfaces[other as usize];
                                let near = surface.mesh == known.mesh
                                    && surface.spot.is_near(&known.spot, 3.0 * surface.width);
                                surface.spot.alike = near.then_some(other);
                            }
                        }
                        surfaces.push(surface);
                        Seen::Surface { place: surfaces.len() - 1, line: part.edge / part.count }
                    }
                };
                shown.push((pixel, part.count / total, seen));
            }
        }
        let colours = self.colours(&surfaces);
        let mut pixels = vec![[0.0; 4]; band.pixels().len()];
        for (pixel, share, seen) in shown {
            let seen = match seen {
                Seen::Ground(darkness) => [0.0, 0.0, 0.0, darkness],
                Seen::Surface { place, line } => {
                    let [r, g, b] = colours[place].map(|c| c * (1.0 - 0.72 * line));
                    [r, g, b, 1.0]
                }
            };
            (0..4).for_each(|k| pixels[pixel][k] += seen[k] * share);
        }
        pixels
    }

    /// The triangles that a pixel shows.
    fn parts(&self, band: &Band, at: [usize; 2], parts: &mut Vec<Part>) {
        parts.clear();
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
    }

    /// What is needed to shade a triangle at a place of the picture.
    fn surface(&self, triangle: u32, at: [f64; 2]) -> Surface {
        let (number, triangle_of) = self.screen.sources[triangle as usize];
        let mesh = &self.meshes[number as usize];
        let corners = mesh.triangles[triangle_of as usize].map(|k| k as usize);
        let (weights, _) = self.screen.weights(triangle, at);
        let [a, b, c] = corners.map(|k| mesh.positions[k]);
        let p = Point::from(a.coords * weights[0] + b.coords * weights[1] + c.coords * weights[2]);
        let to_eye = self.camera.eye - p;
        let width = to_eye.norm() / (self.camera.focal * self.style.size[1] as f64);
        let to_eye = to_eye.normalize();
        let facing = |n: Vector| if n.dot(&to_eye) < 0.0 { -n } else { n };
        let flat = facing((b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or(to_eye));
        let smooth = corners.iter().zip(weights).fold(Vector::zeros(), |sum, (k, w)| sum + mesh.normals[*k] * w);
        let smooth = smooth.try_normalize(0.0).unwrap_or(flat);
        let mut normal = if smooth.dot(&flat) < 0.0 { -smooth } else { smooth };
        let mut tint = 1.0;
        let grain = mesh.material.grain;
        if grain > 0.0 {
            // Coarse and fine.
            let scaled = |length: f64| noise(&Point::from(p.coords / (length * self.lights.radius)));
            let rough = scaled(0.035) * 0.5 + scaled(0.012) * 0.5;
            normal = (normal + rough * (0.38 * grain)).normalize();
            tint += 0.10 * grain * rough.x;
        }
        let spot = self.lights.spot(&p, &normal, &flat);
        let colour = painted(mesh, corners, weights, width / flat.dot(&to_eye).max(0.05).sqrt()).map(|c| c * tint);
        Surface { mesh: number, width: width as f32, colour, to_eye: to_eye.cast(), normal: normal.cast(), spot }
    }

    /// The colours of surfaces in the light.
    fn colours(&self, surfaces: &[Surface]) -> Vec<[f64; 3]> {
        let material = |surface: &Surface| &self.meshes[surface.mesh as usize].material;
        let spots: Vec<Spot> = surfaces.iter().map(|surface| surface.spot).collect();
        let mut glitter = vec![0.0; surfaces.len()];
        let light = self.lights.received(&spots, |place, light, reaches| {
            if light.is_key && reaches > 0.0 {
                let Surface { to_eye, normal, .. } = &surfaces[place];
                let half = (light.direction + to_eye).normalize();
                glitter[place] += light.colour[1] * reaches * half.dot(normal).max(0.0).powi(70);
            }
        });
        let colour = |((surface, light), glitter): ((&Surface, [f64; 3]), f32)| {
            let material = material(surface);
            // More of it at a slant (Schlick).
            let fresnel = 0.35 + 0.65 * (1.0 - surface.normal.dot(&surface.to_eye).max(0.0)).powi(5);
            let glitter = material.gloss * f64::from(fresnel * glitter);
            std::array::from_fn(|k| softened(surface.colour[k] * light[k] + glitter))
        };
        surfaces.iter().zip(light).zip(glitter).map(colour).collect()
    }
}

/// The colour of a mesh in a triangle, by its texture if it has one; a pixel there is so many metres wide.
fn painted(mesh: &Mesh, corners: [usize; 3], weights: [f64; 3], width: f64) -> [f64; 3] {
    let colour = mesh.material.colour;
    let (Some(texture), true) = (&mesh.texture, mesh.uvs.len() == mesh.positions.len()) else { return colour };
    let texels = corners.map(|k| texture.texel(mesh.uvs[k].map(f64::from)));
    let [a, b, c] = corners.map(|k| mesh.positions[k]);
    let across = |k: usize| [texels[k][0] - texels[0][0], texels[k][1] - texels[0][1]];
    let ([p, q], [r, s]) = (across(1), across(2));
    // Texels to a metre: by the triangle's area in the image and in space.
    let dense = ((p * s - q * r).abs() / (b - a).cross(&(c - a)).norm()).sqrt();
    let at = [0, 1].map(|axis| (0..3).map(|k| weights[k] * texels[k][axis]).sum());
    let seen = texture.colour(at, width * dense);
    [0, 1, 2].map(|k| colour[k] * seen[k])
}

/// What a part of a pixel shows.
enum Seen {
    /// How dark it is.
    Ground(f64),
    /// A place in the list of surfaces, and how much of it is a drawn edge.
    Surface { place: usize, line: f64 },
}

/// A point of a triangle that is to be shaded.
struct Surface {
    mesh: u32,
    /// Of a pixel there, in metres.
    width: f32,
    /// Linear, without light.
    colour: [f64; 3],
    to_eye: Local,
    normal: Local,
    spot: Spot,
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
