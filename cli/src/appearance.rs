//! How an object looks: its part of the artist's mesh and its cracks, or without a drawing mesh its own closed surface, with
//! normals and texture coordinates.
//!
//! Positions of one place have the same bits in all parts, however often normals or texture coordinates split a vertex, so
//! whoever joins them by position has a closed mesh. Rounding to single precision may bring corners together: triangles that
//! lose their area so are dropped, and two that come to lie face to face cancel, which keeps the mesh closed.

use crate::glb::Part;
use crate::material::{Palette, plain, uncoloured};
use crate::report::counted;
use fracas::fracture::drawing::Side;
use fracas::fracture::surface::Face;
use fracas::{Asset, Object, Point, Vector};
use std::collections::HashMap;

/// How the objects of an asset look.
pub struct Looks {
    /// Those of the skin, and behind them that of the cracks.
    palette: Palette,
    skin: Skin,
}

/// What the outside is drawn by.
enum Skin {
    /// An artist's mesh; without texture coordinates in the mesh they are laid over it in metres.
    Drawn { has_uvs: bool, cosine: f64 },
    /// The skin of the tetrahedra.
    Own(SkinNormals),
}

impl Looks {
    /// Of an asset. Cracks, and the skin where no artist has drawn it, are smooth, but for edges where they turn by more than
    /// this, in degrees.
    pub fn new(asset: &Asset, sharp_angle: f64) -> Self {
        let mut palette = Palette::default();
        let skin = match asset.drawing() {
            None => {
                palette.push(uncoloured("skin"));
                Skin::Own(SkinNormals::new(asset, sharp_angle))
            }
            Some(binding) => {
                let mesh = binding.mesh();
                palette = Palette::from_notes(asset.notes());
                let count = mesh.materials().iter().max().map_or(1, |most| *most as usize + 1).min(MOST_MATERIALS);
                (palette.len()..count).for_each(|k| {
                    palette.push(uncoloured(&format!("material {k}")));
                });
                palette.truncate(MOST_MATERIALS);
                let has_uvs = mesh.uvs().iter().any(|uv| *uv != [0.0; 2]);
                Skin::Drawn { has_uvs, cosine: sharp_angle.to_radians().cos() }
            }
        };
        palette.push(plain("crack", [0.80, 0.66, 0.50], 0.95));
        Self { palette, skin }
    }

    /// The materials that parts name.
    pub fn palette(&self) -> &Palette {
        &self.palette
    }

    /// The place of the material of cracks.
    pub fn crack(&self) -> usize {
        self.palette.len() - 1
    }

    /// What is drawn of an object: positions are relative to `origin`, a point in the frame of the asset.
    pub fn of(&self, object: &Object, origin: &Point) -> Appearance {
        match &self.skin {
            Skin::Own(normals) => own_surface(object, normals, origin),
            Skin::Drawn { has_uvs, cosine } => self.drawn(object, origin, *has_uvs, *cosine),
        }
    }

    fn drawn(&self, object: &Object, origin: &Point, has_uvs: bool, cosine: f64) -> Appearance {
        let drawing = object.drawing();
        let rounded: Vec<[f32; 3]> =
            drawing.vertices.iter().map(|v| (v.position - origin).cast::<f32>().into()).collect();
        let kept = surviving(&rounded, drawing.triangles.iter().map(|t| t.corners));
        let vanished = drawing.triangles.len() - kept.len();
        // Those of cracks are last, and have no vertex with others in common: they are smooth by themselves, but for edges.
        let is_crack = |k: &&usize| matches!(drawing.triangles[**k].side, Side::Crack { .. });
        let at = |k: u32| drawing.vertices[k as usize].position.coords;
        let cracks: Vec<[u32; 3]> = kept.iter().filter(is_crack).map(|k| drawing.triangles[*k].corners).collect();
        let flat: Vec<Vector> = cracks.iter().map(|t| flat_normal(t.map(at))).collect();
        let mut crack_normals = smooth(&cracks, &flat, at, |_, _| true, cosine).into_iter();

        let mut parts: Vec<Splitter> = (0..self.palette.len())
            .map(|material| Splitter { mirrored: self.palette.needs_tangents(material), ..Splitter::new(material) })
            .collect();
        for triangle in kept.into_iter().map(|k| &drawing.triangles[k]) {
            let corners = triangle.corners.map(|c| &drawing.vertices[c as usize]);
            let flat = flat_normal(corners.map(|v| v.position.coords));
            let given = corners.map(|v| Vector::from(v.normal.map(f64::from)));
            let (material, laid, normals) = match triangle.side {
                // Numbers beyond all bounds are a material like the last one.
                Side::Skin { material } => ((material as usize).min(self.crack() - 1), !has_uvs, given),
                Side::Crack { .. } => (self.crack(), false, crack_normals.next().unwrap_or(given)),
            };
            parts[material].add([0, 1, 2].map(|c| {
                let v = corners[c];
                let [u, w] = v.uv.map(f64::from);
                let uv = if laid { projected(&v.position.coords, &flat) } else { downwards(u, w) };
                (rounded[triangle.corners[c] as usize], unit(normals[c], flat), uv)
            }));
        }
        let flaws = Flaws { vanished, patches: drawing.patches as usize, open_edges: drawing.open_edges as usize };
        Appearance { parts: finished(parts), flaws }
    }
}

/// More materials than this are one.
const MOST_MATERIALS: usize = 4096;
/// Where the materials of an object without a drawing mesh stand.
const SKIN: usize = 0;
const CRACK: usize = 1;

/// Corner normals of an asset's skin. All fragments take theirs from here, so that they match across cracks.
struct SkinNormals {
    corners: Vec<[Vector; 3]>,
    flat: Vec<Vector>,
    cosine: f64,
}

impl SkinNormals {
    /// Smooth, but for edges where the skin turns by more than this, in degrees.
    fn new(asset: &Asset, sharp_angle: f64) -> Self {
        let solid = asset.solid();
        let triangles: Vec<[u32; 3]> = solid.skin().iter().map(|t| t.nodes).collect();
        let at = |k: u32| solid.nodes()[k as usize].coords;
        let flat: Vec<Vector> = triangles.iter().map(|t| flat_normal(t.map(at))).collect();
        let cosine = sharp_angle.to_radians().cos();
        Self { corners: smooth(&triangles, &flat, at, |_, _| true, cosine), flat, cosine }
    }
}

/// What is drawn of an object.
pub struct Appearance {
    /// One for each material that is seen.
    pub parts: Vec<Part>,
    /// What is not as it should be.
    pub flaws: Flaws,
}

/// What is not as it should be about pictures.
#[derive(Clone, Copy, Default)]
pub struct Flaws {
    /// Triangles that single precision took away.
    pub vanished: usize,
    /// Places where cracks and mesh did not meet and a patch was put over the gap.
    pub patches: usize,
    /// Edges that are open although the artist's mesh is not open there.
    pub open_edges: usize,
}

impl std::iter::Sum for Flaws {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |a, b| Self {
            vanished: a.vanished + b.vanished,
            patches: a.patches + b.patches,
            open_edges: a.open_edges + b.open_edges,
        })
    }
}

impl Flaws {
    /// A sentence each.
    pub fn remarks(&self) -> Vec<String> {
        let Self { vanished, patches, open_edges } = self;
        let all = [
            (vanished, "tiny triangle", "vanished in the single precision of glTF"),
            (patches, "small gap", "between cracks and drawing mesh: patched"),
            (open_edges, "edge", "between cracks and drawing mesh stayed open"),
        ];
        let seen = all.into_iter().filter(|(count, ..)| **count > 0);
        seen.map(|(count, one, rest)| format!("{} {rest}", counted(*count, one))).collect()
    }
}

/// The closed surface of an object that no artist has drawn.
fn own_surface(object: &Object, skin: &SkinNormals, origin: &Point) -> Appearance {
    let surface = object.surface();
    let rounded: Vec<[f32; 3]> = surface.vertices.iter().map(|p| (p - origin).cast::<f32>().into()).collect();
    let kept = surviving(&rounded, surface.triangles.iter().map(|t| t.corners));
    let vanished = surface.triangles.len() - kept.len();

    // Cracks are smooth within themselves (rough ones are bent), and sharp where two of them meet.
    let cracks: Vec<usize> =
        kept.iter().copied().filter(|k| matches!(surface.triangles[*k].face, Face::Crack { .. })).collect();
    let corners: Vec<[u32; 3]> = cracks.iter().map(|k| surface.triangles[*k].corners).collect();
    let at = |k: u32| surface.vertices[k as usize].coords;
    let flat: Vec<Vector> = corners.iter().map(|t| flat_normal(t.map(at))).collect();
    let neighbour = |k: usize| match surface.triangles[cracks[k]].face {
        Face::Crack { neighbour, .. } => neighbour,
        Face::Skin { .. } => None,
    };
    let crack_normals = smooth(&corners, &flat, at, |a, b| neighbour(a) == neighbour(b), skin.cosine);

    let mut parts = [Splitter::new(SKIN), Splitter::new(CRACK)];
    let mut next_crack = 0;
    for k in kept {
        let triangle = &surface.triangles[k];
        let corner = |c: usize| triangle.corners[c] as usize;
        match &triangle.face {
            Face::Skin { source, weights } => {
                let ends = &skin.corners[*source as usize];
                let flat = skin.flat[*source as usize];
                parts[SKIN].add([0, 1, 2].map(|c| {
                    let [a, b, d] = weights[c];
                    let normal = ends[0] * a + ends[1] * b + ends[2] * d;
                    (rounded[corner(c)], unit(normal, flat), projected(&at(corner(c) as u32), &flat))
                }));
            }
            Face::Crack { uv, .. } => {
                let normals = &crack_normals[next_crack];
                let flat = flat[next_crack];
                next_crack += 1;
                parts[CRACK].add(
                    [0, 1, 2].map(|c| (rounded[corner(c)], unit(normals[c], flat), downwards(uv[c][0], uv[c][1]))),
                );
            }
        }
    }
    Appearance { parts: finished(parts), flaws: Flaws { vanished, ..Flaws::default() } }
}

fn finished(parts: impl IntoIterator<Item = Splitter>) -> Vec<Part> {
    let part = |splitter: Splitter| match splitter.mirrored {
        true => Part { tangents: tangents(&splitter.part), ..splitter.part },
        false => splitter.part,
    };
    parts.into_iter().filter(|splitter| !splitter.part.triangles.is_empty()).map(part).collect()
}

/// Which way a triangle's first texture coordinate grows on the surface, and 1, or -1 if the texture is mirrored there.
fn tangent([a, b, c]: [&[f32; 3]; 3], [r, s, t]: [&[f32; 2]; 3]) -> (Vector, f32) {
    let at = |p: &[f32; 3]| Vector::from(p.map(f64::from));
    let (along, across) = (at(b) - at(a), at(c) - at(a));
    // In glTF the second coordinate grows downwards, and maps of normals are meant upwards.
    let [[u1, v1], [u2, v2]] = [s, t].map(|q| [f64::from(q[0]) - f64::from(r[0]), f64::from(r[1]) - f64::from(q[1])]);
    let side = if u1 * v2 - u2 * v1 < 0.0 { -1.0 } else { 1.0 };
    (((along * v2 - across * v1) * f64::from(side)).try_normalize(0.0).unwrap_or_default(), side)
}

/// Tangents as MikkTSpace has them, which is what viewers would make: the mean of the triangles around, by angle.
fn tangents(part: &Part) -> Vec<[f32; 4]> {
    let mut sums = vec![(Vector::zeros(), 1.0); part.positions.len()];
    for corners in &part.triangles {
        let places = corners.map(|k| &part.positions[k as usize]);
        let (direction, side) = tangent(places, corners.map(|k| &part.uvs[k as usize]));
        for k in 0..3 {
            let [p, q, r] = [0, 1, 2].map(|i| Vector::from(places[(k + i) % 3].map(f64::from)));
            let normal = Vector::from(part.normals[corners[k] as usize].map(f64::from));
            let flat = (direction - normal * normal.dot(&direction)).try_normalize(1e-12).unwrap_or_default();
            let sum = &mut sums[corners[k] as usize];
            *sum = (sum.0 + flat * (q - p).angle(&(r - p)), side);
        }
    }
    let whole = |((sum, side), normal): ((Vector, f32), &[f32; 3])| {
        let normal = Vector::from(normal.map(f64::from));
        let flat = sum - normal * normal.dot(&sum);
        // Any, where the texture has no direction.
        let other = if normal.x.abs() < 0.7 { Vector::x() } else { Vector::y() };
        let [x, y, z] = unit(flat, other - normal * normal.dot(&other));
        [x, y, z, side]
    };
    sums.into_iter().zip(&part.normals).map(whole).collect()
}

/// Which triangles are left once their corners are rounded.
fn surviving(rounded: &[[f32; 3]], triangles: impl Iterator<Item = [u32; 3]>) -> Vec<usize> {
    let mut places: HashMap<[u32; 3], u32> = HashMap::new();
    let place: Vec<u32> = rounded
        .iter()
        .map(|p| {
            let next = places.len() as u32;
            *places.entry(p.map(|c| (c + 0.0).to_bits())).or_insert(next)
        })
        .collect();
    // Of each three places, which triangles turn one way and which the other.
    let mut facing: HashMap<[u32; 3], [Vec<usize>; 2]> = HashMap::new();
    for (number, corners) in triangles.enumerate() {
        let [a, b, c] = corners.map(|k| place[k as usize]);
        if a == b || b == c || c == a {
            continue;
        }
        let mut sorted = [a, b, c];
        sorted.sort_unstable();
        let even = [[a, b, c], [b, c, a], [c, a, b]].contains(&sorted);
        facing.entry(sorted).or_default()[even as usize].push(number);
    }
    let mut kept = vec![];
    for [odd, even] in facing.values() {
        let pairs = odd.len().min(even.len());
        kept.extend(odd.iter().skip(pairs).chain(even.iter().skip(pairs)));
    }
    kept.sort_unstable();
    kept
}

/// Normals of the corners of triangles: the mean, by angle, over those triangles around that belong together and do not
/// turn away too far.
pub(crate) fn smooth(
    triangles: &[[u32; 3]],
    flat: &[Vector],
    at: impl Fn(u32) -> Vector,
    together: impl Fn(usize, usize) -> bool,
    cosine: f64,
) -> Vec<[Vector; 3]> {
    let mut around: HashMap<u32, Vec<(usize, f64)>> = HashMap::new();
    for (number, t) in triangles.iter().enumerate() {
        for k in 0..3 {
            let [p, q, r] = [t[k], t[(k + 1) % 3], t[(k + 2) % 3]].map(&at);
            around.entry(t[k]).or_default().push((number, (q - p).angle(&(r - p))));
        }
    }
    let corner = |number: usize, vertex: u32| {
        let others = around.get(&vertex).map_or(&[][..], Vec::as_slice);
        let near = others.iter().filter(|(other, _)| {
            *other == number || together(*other, number) && flat[*other].dot(&flat[number]) >= cosine
        });
        near.fold(Vector::zeros(), |sum, (other, angle)| sum + flat[*other] * *angle)
    };
    triangles.iter().enumerate().map(|(number, t)| t.map(|vertex| corner(number, vertex))).collect()
}

pub(crate) fn flat_normal([a, b, c]: [Vector; 3]) -> Vector {
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default()
}

/// A unit vector in single precision: the first that has a direction.
fn unit(wanted: Vector, otherwise: Vector) -> [f32; 3] {
    let direction = wanted.try_normalize(1e-12).or(otherwise.try_normalize(1e-12)).unwrap_or(Vector::z());
    [direction.x as f32 + 0.0, direction.y as f32 + 0.0, direction.z as f32 + 0.0]
}

/// Texture coordinates in metres, from the side of a box that the triangle looks to.
fn projected(p: &Vector, normal: &Vector) -> [f32; 2] {
    let axis = normal.iamax();
    let side = normal[axis].signum();
    downwards(side * p[(axis + 1) % 3], p[(axis + 2) % 3])
}

/// As glTF has them.
fn downwards(u: f64, v: f64) -> [f32; 2] {
    [u as f32, (1.0 - v) as f32]
}

type Vertex = ([f32; 3], [f32; 3], [f32; 2]);

/// Collects triangles into a part, one vertex for each combination of position, normal and texture coordinates.
struct Splitter {
    part: Part,
    /// Whether vertices are split where the texture is mirrored too.
    mirrored: bool,
    numbers: HashMap<[u32; 9], u32>,
}

impl Splitter {
    fn new(material: usize) -> Self {
        Self { part: Part { material, ..Part::default() }, mirrored: false, numbers: HashMap::new() }
    }

    fn add(&mut self, corners: [Vertex; 3]) {
        let Self { part, numbers, mirrored } = self;
        let [a, b, c] = &corners;
        let side = if *mirrored { tangent([&a.0, &b.0, &c.0], [&a.2, &b.2, &c.2]).1 } else { 0.0 };
        let triangle = corners.map(|(position, normal, uv)| {
            let all = [position[0], position[1], position[2], normal[0], normal[1], normal[2], uv[0], uv[1], side];
            *numbers.entry(all.map(|c| (c + 0.0).to_bits())).or_insert_with(|| {
                part.positions.push(position.map(|c| c + 0.0));
                part.normals.push(normal);
                part.uvs.push(uv);
                part.positions.len() as u32 - 1
            })
        });
        part.triangles.push(triangle);
    }
}
