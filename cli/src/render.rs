//! `fracas render`: draws an asset, objects or fragments, a sample shape, or a slice of the distance field as a PNG.

use crate::failure::{Failure, Result};
use crate::files;
use crate::raster::camera::{Camera, direction};
use crate::raster::slice::{self, Slice};
use crate::raster::{self, Image, Material, Mesh, Style, palette};
use clap::{Args, ValueEnum};
use fracas::field::grid::GridOptions;
use fracas::fracture::pattern::{Impact, Roughness};
use fracas::fracture::surface::Face;
use fracas::shapes::preset;
use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, Point, Solid, Tasks, Vector};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Draw an asset, its fragments, a sample shape, or a slice of the distance field as a PNG.
#[derive(Args, Debug)]
pub struct Render {
    /// An asset (.fracas), or the name of a sample: rabbit, piggy_bank, brick, plate, shelf, sphere, bowl, ball, torus, box.
    input: PathBuf,
    /// The picture to write.
    #[arg(short, long, value_name = "PNG")]
    output: PathBuf,
    /// Saved objects of the asset, to draw in its place.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fracture", "impact"])]
    objects: Option<PathBuf>,
    /// Breaks it into about this many pieces first.
    #[arg(long, value_name = "PIECES", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    fracture: Option<u32>,
    /// Breaks it by a blow here, that reaches so far, in metres; in place of evenly.
    #[arg(long, value_name = "X,Y,Z,RADIUS", value_parser = numbers::<4>, requires = "fracture", allow_hyphen_values = true)]
    impact: Option<[f64; 4]>,
    /// Another number, another pattern.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How rough the cracks are: up to 0.05 of the radius.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    rough: f64,
    /// How far pieces are pulled apart: by this share of their distance from the middle.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    explode: f64,
    /// Width and height in pixels.
    #[arg(long, value_name = "WxH", default_value = "1200x900", value_parser = size)]
    size: [usize; 2],
    /// From where: azimuth,elevation in degrees, or front, back, left, right, top, bottom, corner.
    #[arg(long, default_value = "corner", value_parser = view, allow_hyphen_values = true)]
    view: [f64; 2],
    /// Which axis points up.
    #[arg(long, value_enum, default_value_t = Up::Z)]
    up: Up,
    /// Larger than it would fit, or smaller.
    #[arg(long, default_value_t = 1.0, value_parser = factor)]
    zoom: f64,
    /// Colours by fragment, or one for all of the skin.
    #[arg(long, value_enum)]
    colours: Option<Colours>,
    /// Colour of the skin, in hexadecimal; implies `--colours skin`.
    #[arg(long, value_name = "RRGGBB", value_parser = colour)]
    colour: Option<[f64; 3]>,
    /// Colour behind everything, in hexadecimal, or none.
    #[arg(long, value_name = "RRGGBB", default_value = "ffffff", value_parser = background)]
    background: Background,
    /// Draws the edges of the triangles.
    #[arg(long)]
    wire: bool,
    /// Leaves out the shadow on the ground.
    #[arg(long)]
    no_ground: bool,
    /// Draws a slice of the distance field across an axis, as z=0.01, in place of a view.
    #[arg(long, value_name = "AXIS=METRES", value_parser = plane)]
    slice: Option<Slice>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Up {
    Y,
    Z,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Colours {
    Fragment,
    Skin,
}

/// Of the pictures' backs; a name for what may be none, so that the options can hold it.
#[derive(Clone, Copy, Debug)]
struct Background(Option<[f64; 3]>);

/// A soft red clay, where no colour is asked for.
const CLAY: [f64; 3] = [0.60, 0.27, 0.16];
/// Edges where the skin turns by more than this, in degrees, are drawn sharp.
const SHARP: f64 = 40.0;

/// Draws what the options say.
pub fn run(options: &Render) -> Result<()> {
    let inputs: Vec<&Path> = [Some(&options.input), options.objects.as_ref()].into_iter().flatten().map(|p| &**p).collect();
    files::may_write(&options.output, &inputs)?;
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let tasks = Tasks::pool(threads).unwrap_or_default();
    let objects = objects(options, &tasks)?;
    let image = match &options.slice {
        Some(at) => {
            let by_piece = options.colours != Some(Colours::Skin) && objects.len() > 1;
            slice::draw(&objects, at, options.size, by_piece, &tasks)
        }
        None => picture(&objects, options, &tasks),
    };
    let bytes = image.png().map_err(|e| Failure::file(&options.output, e))?;
    files::write(&options.output, &bytes)
}

/// What is to be drawn.
fn objects(options: &Render, tasks: &Tasks) -> Result<Vec<Object>> {
    let input = &options.input;
    let asset = asset(options, tasks)?;
    if let Some(path) = &options.objects {
        return fracas::load_objects(&files::read(path)?, &asset).map_err(|e| Failure::of_library(path, e));
    }
    let intact = Object::intact(&asset);
    let Some(count) = options.fracture else { return Ok(intact) };
    let mut pieces = vec![];
    for object in intact {
        let mut pattern = match options.impact {
            None => Pattern::random_voronoi(count, options.seed),
            Some([x, y, z, radius]) => {
                let point = Point::new(x, y, z);
                let direction = object.mass().centre - point;
                Pattern::impact(Impact { point, direction, radius, count, seed: options.seed })
            }
        };
        if options.rough > 0.0 {
            pattern = pattern.rough(Roughness { amplitude: options.rough, wavelength: 4.0, seed: options.seed });
        }
        let how = FractureOptions { min_volume_share: 1e-4, tasks: tasks.clone(), ..Default::default() };
        let outcome = fracas::fracture(&object, &pattern, &how).map_err(|e| Failure::of_library(input, e))?;
        pieces.extend(outcome.broken().map_or(vec![object], |broken| broken.objects));
    }
    Ok(pieces)
}

/// The asset of a file, or of a sample shape.
fn asset(options: &Render, tasks: &Tasks) -> Result<Arc<Asset>> {
    let input = &options.input;
    let sample = input.to_str().and_then(preset::named).filter(|_| !input.exists());
    if let Some(sample) = sample {
        // Only slices look at the grid.
        let coarse = GridOptions { cells: 8, refine: false, ..Default::default() };
        let grid = if options.slice.is_some() { GridOptions::default() } else { coarse };
        let how = CookOptions { grid, tasks: tasks.clone(), ..Default::default() };
        return Asset::cook((sample.make)(), &how).map_err(|e| Failure::of_library(input, e));
    }
    if !input.exists() && input.extension().is_none() {
        let names: Vec<&str> = preset::ALL.iter().map(|p| p.name).collect();
        let what = format!("'{}' is neither a file nor a sample; samples are {}", input.display(), names.join(", "));
        return Err(Failure::usage(what));
    }
    Asset::load(&files::read(input)?).map_err(|e| Failure::of_library(input, e))
}

/// Draws objects as they would stand on a table.
fn picture(objects: &[Object], options: &Render, tasks: &Tasks) -> Image {
    let by_fragment = match options.colours {
        Some(colours) => colours == Colours::Fragment,
        None => options.colour.is_none() && objects.len() > 1,
    };
    let skin = |number: u32| match by_fragment {
        true => palette::fragment(number),
        false => palette::skin(options.colour.unwrap_or(CLAY)),
    };
    let meshes = meshes(objects, options.explode, skin);
    let up = if options.up == Up::Y { Vector::y() } else { Vector::z() };
    let towards = direction(options.view[0], options.view[1], &up);
    let points: Vec<Point> = meshes.iter().flat_map(|m| &m.positions).copied().collect();
    let aspect = options.size[0] as f64 / options.size[1] as f64;
    let camera = Camera::around(&points, &towards, &up, aspect, options.zoom);
    let style = Style {
        size: options.size,
        background: options.background.0,
        ground: !options.no_ground,
        wire: options.wire,
        tasks: tasks.clone(),
        ..Style::default()
    };
    raster::draw(&meshes, &camera, &style)
}

/// Two meshes for each object: its skin, smooth as the intact one is, and its cracks, flat.
pub fn meshes(objects: &[Object], explode: f64, skin: impl Fn(u32) -> Material) -> Vec<Mesh> {
    let mut meshes = vec![];
    let mut normals: Option<(u64, Vec<[Vector; 3]>)> = None;
    for (object, number) in objects.iter().zip(0..) {
        let asset = object.asset();
        if normals.as_ref().is_none_or(|(of, _)| *of != asset.identity()) {
            normals = Some((asset.identity(), skin_normals(asset.solid())));
        }
        let smooth = normals.as_ref().map_or(&[][..], |(_, normals)| normals);
        let apart = (object.mass().centre - asset.centre()) * explode;
        let surface = object.surface();
        let material = skin(number);
        let mut outside = Mesh { material, ..Mesh::default() };
        let mut cracks = Mesh { material: palette::crack(&material), ..Mesh::default() };
        for triangle in &surface.triangles {
            let corners = triangle.corners.map(|c| (surface.vertices[c as usize] + apart) * object.scale());
            match &triangle.face {
                Face::Skin { source, weights } => {
                    let around = &smooth[*source as usize];
                    outside.push(corners, weights.map(|w| around[0] * w[0] + around[1] * w[1] + around[2] * w[2]));
                }
                Face::Crack { .. } => {
                    let [a, b, c] = corners;
                    cracks.push(corners, [(b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or(Vector::z()); 3]);
                }
            }
        }
        meshes.extend([outside, cracks].into_iter().filter(|m| !m.triangles.is_empty()));
    }
    meshes
}

/// Normals at the corners of every skin triangle: the mean of the triangles around that are not across a sharp edge.
fn skin_normals(solid: &Solid) -> Vec<[Vector; 3]> {
    let corners = |k: usize| solid.skin()[k].nodes.map(|n| solid.nodes()[n as usize]);
    let own: Vec<Vector> = (0..solid.skin().len())
        .map(|k| {
            let [a, b, c] = corners(k);
            (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or(Vector::z())
        })
        .collect();
    let angle_at = |k: usize, corner: usize| {
        let c = corners(k);
        let (a, b) = (c[(corner + 1) % 3] - c[corner], c[(corner + 2) % 3] - c[corner]);
        a.angle(&b)
    };
    let mut around: Vec<Vec<(usize, f64)>> = vec![vec![]; solid.nodes().len()];
    for (k, triangle) in solid.skin().iter().enumerate() {
        (0..3).for_each(|c| around[triangle.nodes[c] as usize].push((k, angle_at(k, c))));
    }
    let least = SHARP.to_radians().cos();
    let mean = |k: usize, node: u32| {
        let near = around[node as usize].iter().filter(|(other, _)| own[*other].dot(&own[k]) > least);
        let sum = near.fold(Vector::zeros(), |sum, (other, angle)| sum + own[*other] * *angle);
        sum.try_normalize(0.0).unwrap_or(own[k])
    };
    solid.skin().iter().enumerate().map(|(k, triangle)| triangle.nodes.map(|n| mean(k, n))).collect()
}

fn numbers<const N: usize>(text: &str) -> std::result::Result<[f64; N], String> {
    let parsed: Vec<f64> = text.split(',').filter_map(|w| w.trim().parse().ok()).filter(|c: &f64| c.is_finite()).collect();
    match text.split(',').count() == parsed.len() {
        true => parsed.try_into().map_err(|_| format!("{N} numbers are needed, with commas between them")),
        false => Err(format!("{N} numbers are needed, with commas between them")),
    }
}

fn size(text: &str) -> std::result::Result<[usize; 2], String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    match sides {
        Some(sides) if sides.iter().all(|s| (1..=16_384).contains(s)) => Ok(sides),
        _ => Err("a size is width x height, as 1200x900, each from 1 to 16384".into()),
    }
}

fn view(text: &str) -> std::result::Result<[f64; 2], String> {
    Ok(match text {
        "front" => [0.0, 0.0],
        "left" => [90.0, 0.0],
        "back" => [180.0, 0.0],
        "right" => [-90.0, 0.0],
        "top" => [0.0, 90.0],
        "bottom" => [0.0, -90.0],
        "corner" => [-40.0, 22.0],
        angles => numbers(angles)
            .map_err(|_| "a view is azimuth,elevation in degrees, or front, back, left, right, top, bottom, corner")?,
    })
}

fn share(text: &str) -> std::result::Result<f64, String> {
    let value = text.parse().ok().filter(|v: &f64| v.is_finite() && *v >= 0.0);
    value.ok_or_else(|| "a number that is not negative is needed".into())
}

fn factor(text: &str) -> std::result::Result<f64, String> {
    let value = text.parse().ok().filter(|v: &f64| (0.01..=100.0).contains(v));
    value.ok_or_else(|| "a number from 0.01 to 100 is needed".into())
}

fn colour(text: &str) -> std::result::Result<[f64; 3], String> {
    palette::hex(text).ok_or_else(|| "a colour is six hexadecimal digits, as e8a0a0".into())
}

fn background(text: &str) -> std::result::Result<Background, String> {
    if text == "none" { Ok(Background(None)) } else { colour(text).map(|c| Background(Some(c))) }
}

fn plane(text: &str) -> std::result::Result<Slice, String> {
    let parts = text.split_once('=').and_then(|(axis, at)| {
        let axis = ["x", "y", "z"].iter().position(|a| *a == axis)?;
        Some(Slice { axis, at: at.parse().ok().filter(|v: &f64| v.is_finite())? })
    });
    parts.ok_or_else(|| "a slice is an axis and a place, as z=0.01".into())
}
