//! `fracas render`: draws an asset, objects or fragments, a sample shape, or a slice of the distance field as a PNG.

use crate::appearance::Looks;
use crate::failure::{Failure, Result};
use crate::material::{self, Palette};
use crate::raster::camera::{Camera, direction};
use crate::raster::slice::{self, Slice};
use crate::raster::{self, Image, Material, Mesh, Style, Texture, palette};
use crate::report::{self, Report};
use crate::{cook, files, option, samples, saved};
use clap::{Args, ValueEnum};
use fracas::fracture::pattern::{Impact, Roughness};
use fracas::grid::distance::GridOptions;
use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, Point, Tasks, Vector};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Draws an asset, objects, a sample shape, or a slice of the distance field as a PNG.
#[derive(Args)]
#[command(after_help = "\
Samples: rabbit, piggy_bank, brick, plate, shelf, sphere, bowl, ball, torus, box.

Examples:
  fracas render vase.fracas -o vase.png --up y --view 30,20
  fracas render rubble.fracas --asset vase.fracas -o rubble.png --explode 0.3
  fracas render rabbit -o rabbit.png --fracture 20 --rough 0.02 --explode 0.2 --colours fragment
  fracas render rabbit -o slice.png --fracture 20 --slice y=0.01")]
pub struct Options {
    /// An asset, saved objects, or the name of a sample.
    input: PathBuf,
    /// The asset that saved objects are of.
    #[arg(long, value_name = "FILE.fracas")]
    asset: Option<PathBuf>,
    /// The picture to write.
    #[arg(short, long, value_name = "OUT.png")]
    output: PathBuf,

    /// Break it into about this many pieces first.
    #[arg(long, value_name = "PIECES", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Pattern")]
    fracture: Option<u32>,
    /// Break it by a blow at this point: "x y z".
    #[arg(long, value_parser = option::point, value_name = "POINT", allow_hyphen_values = true, requires = "fracture", help_heading = "Pattern")]
    impact: Option<Point>,
    /// Nothing farther from the blow than this breaks, in metres [default: half the radius of the asset].
    #[arg(long, value_parser = option::positive, requires = "impact", help_heading = "Pattern")]
    radius: Option<f64>,
    /// Another number, another pattern.
    #[arg(long, default_value_t = 1, help_heading = "Pattern")]
    seed: u64,
    /// Bend the cracks by up to this share of the asset's radius: 0 to 0.05.
    #[arg(long, value_parser = option::not_negative, value_name = "SHARE", requires = "fracture", help_heading = "Pattern")]
    rough: Option<f64>,
    /// Move the pieces apart: by this share of their distance from the middle.
    #[arg(long, value_parser = option::not_negative, default_value = "0", value_name = "SHARE", help_heading = "Pattern")]
    explode: f64,

    /// Width and height in pixels.
    #[arg(long, value_name = "WxH", default_value = "1200x900", value_parser = size, help_heading = "Picture")]
    size: [usize; 2],
    /// From where: azimuth,elevation in degrees, or front, back, left, right, top, bottom, corner.
    #[arg(long, default_value = "corner", value_parser = view, allow_hyphen_values = true, help_heading = "Picture")]
    view: [f64; 2],
    /// Which axis points up.
    #[arg(long, value_enum, default_value_t = Up::Z, help_heading = "Picture")]
    up: Up,
    /// So many times as large as it would fit.
    #[arg(long, default_value = "1", value_parser = option::positive, help_heading = "Picture")]
    zoom: f64,
    /// A colour for each fragment, one for all of the skin, or the artist's materials with their textures (PNG) [default:
    /// material if there is a texture, else fragment if there are several].
    #[arg(long, value_enum, help_heading = "Picture")]
    colours: Option<Colours>,
    /// Colour of the skin, in hexadecimal.
    #[arg(long, value_name = "RRGGBB", default_value = "c98a6d", value_parser = colour, help_heading = "Picture")]
    colour: [f64; 3],
    /// Colour behind everything, in hexadecimal, or none.
    #[arg(long, value_name = "RRGGBB", default_value = "ffffff", value_parser = background, help_heading = "Picture")]
    background: Background,
    /// Draw the edges of the triangles.
    #[arg(long, help_heading = "Picture")]
    wire: bool,
    /// Leave out the shadow on the ground.
    #[arg(long, help_heading = "Picture")]
    no_ground: bool,
    /// Draw a slice of the distance field across an axis, as z=0.01, in place of a view.
    #[arg(long, value_name = "AXIS=METRES", value_parser = plane, help_heading = "Picture")]
    slice: Option<Slice>,
    /// Normals are smooth, but for edges where the surface turns by more than this, in degrees.
    #[arg(long, value_parser = option::degrees, default_value = "40", value_name = "DEGREES", help_heading = "Picture")]
    sharp_angle: f64,
    /// Threads to work with [default: as many as there are processors].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
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
    Material,
}

/// What is behind everything; `None`: nothing.
#[derive(Clone, Copy)]
struct Background(Option<[f64; 3]>);

/// Draws what the options say.
pub fn run(options: &Options) -> Result<Report> {
    let inputs: Vec<&Path> =
        [Some(&options.input), options.asset.as_ref()].into_iter().flatten().map(|p| &**p).collect();
    files::may_write(&options.output, &inputs)?;
    let tasks = cook::tasks(options.threads)?;
    let objects = options.objects(&tasks)?;
    let mut remarks = vec![];
    let image = match &options.slice {
        Some(at) => {
            let by_piece = options.colours.map_or(objects.len() > 1, |c| c == Colours::Fragment);
            slice::draw(&objects, at, options.size, by_piece, &tasks)
        }
        None => options.picture(&objects, &tasks, &mut remarks),
    };
    let bytes = image.png().map_err(|e| Failure::file(&options.output, e))?;
    files::write(&options.output, &bytes)?;
    let mut report = Report::new();
    report.line("count", "objects", objects.len(), objects.len());
    let shown = format!("{} ({})", options.output.display(), report::size(bytes.len()));
    report.line("output", "written", shown, options.output.to_string_lossy());
    report.remarks(&remarks);
    Ok(report)
}

impl Options {
    /// What is to be drawn.
    fn objects(&self, tasks: &Tasks) -> Result<Vec<Object>> {
        let (whole, is_asset) = match self.sample(tasks)? {
            Some(objects) => (objects, true),
            None => {
                let saved = saved::load(&self.input, self.asset.as_slice())?;
                (saved.objects, saved.is_asset)
            }
        };
        let Some(count) = self.fracture else { return Ok(whole) };
        // As `fracas fracture` has it.
        let is_shared = is_asset && self.impact.is_none();
        let counts = if is_shared { saved::shared(count, &whole) } else { vec![count; whole.len()] };
        let how = FractureOptions { tasks: tasks.clone(), ..Default::default() };
        let mut pieces = vec![];
        for (object, count) in whole.into_iter().zip(counts) {
            let pattern = self.pattern(&object, count);
            let outcome = fracas::fracture(&object, &pattern, &how).map_err(|e| Failure::of_library(&self.input, e))?;
            pieces.extend(outcome.broken().map_or(vec![object], |broken| broken.objects));
        }
        Ok(pieces)
    }

    /// The objects of a sample shape, if the input names one and is no file.
    fn sample(&self, tasks: &Tasks) -> Result<Option<Vec<Object>>> {
        if self.input.exists() || self.input.extension().is_some() || self.input.components().count() != 1 {
            return Ok(None);
        }
        let sample = samples::sample(&self.input.to_string_lossy())?;
        // Only slices look at the grid.
        let coarse = GridOptions { cells: 8, refine: false, ..Default::default() };
        let grid = if self.slice.is_some() { GridOptions::default() } else { coarse };
        let how = CookOptions { grid, tasks: tasks.clone(), ..Default::default() };
        let asset = Asset::cook(samples::for_picture(sample), &how).map_err(|e| Failure::of_library(&self.input, e))?;
        Ok(Some(Object::intact(&asset)))
    }

    fn pattern(&self, object: &Object, count: u32) -> Pattern {
        let pattern = match self.impact {
            None => Pattern::random_voronoi(count, self.seed),
            Some(point) => Pattern::impact(Impact {
                point,
                direction: Vector::zeros(),
                radius: self.radius.unwrap_or(0.5 * object.asset().radius()),
                count,
                seed: self.seed,
            }),
        };
        match self.rough {
            None => pattern,
            Some(amplitude) => pattern.rough(Roughness { amplitude, wavelength: 4.0, seed: self.seed }),
        }
    }

    /// Objects as they would stand on a table.
    fn picture(&self, objects: &[Object], tasks: &Tasks, remarks: &mut Vec<String>) -> Image {
        let wanted = self.colours.is_none_or(|colours| colours == Colours::Material);
        let textures = match objects.first() {
            Some(first) if wanted => textures(Looks::new(first.asset(), self.sharp_angle).palette(), remarks),
            _ => vec![],
        };
        let usual = match objects.len() {
            _ if textures.iter().any(Option::is_some) => Colours::Material,
            0 | 1 => Colours::Skin,
            _ => Colours::Fragment,
        };
        let skin = |number: u32, artist: [f64; 3]| match self.colours.unwrap_or(usual) {
            Colours::Fragment => palette::fragment(number),
            Colours::Skin => palette::skin(self.colour),
            Colours::Material => palette::skin(artist),
        };
        let meshes = meshes(objects, self.explode, self.sharp_angle, &textures, skin);
        let up = if self.up == Up::Y { Vector::y() } else { Vector::z() };
        let towards = direction(self.view[0], self.view[1], &up);
        let points: Vec<Point> = meshes.iter().flat_map(|m| &m.positions).copied().collect();
        let camera = Camera::around(&points, &towards, &up, self.size[0] as f64 / self.size[1] as f64, self.zoom);
        let style = Style {
            size: self.size,
            background: self.background.0,
            ground: !self.no_ground,
            wire: self.wire,
            tasks: tasks.clone(),
            ..Style::default()
        };
        raster::draw(&meshes, &camera, &style)
    }
}

/// The textures of colours of materials, by place. Remarks say which cannot be drawn.
pub fn textures(palette: &Palette, remarks: &mut Vec<String>) -> Vec<Option<Arc<Texture>>> {
    let mut told = BTreeSet::new();
    let mut texture = |place: usize| {
        let (wrap, transform) = palette.mapping(place);
        let (name, decoded) = match palette.image(place)? {
            material::Image::Linked(name) => (name, Err("it is not in the asset".into())),
            material::Image::Kept { name, mime: "image/png", bytes } => {
                (name, Texture::from_png(bytes, wrap, transform))
            }
            material::Image::Kept { name, mime, .. } => (name, Err(format!("it is {mime}, and only PNG is decoded"))),
        };
        let texture = decoded.map_err(|why| told.insert(format!("the texture {name:?} is not drawn: {why}")));
        texture.ok().map(Arc::new)
    };
    let textures = (0..palette.len()).map(&mut texture).collect();
    remarks.extend(told);
    textures
}

/// Meshes for each object, its skin and its cracks, pulled away from the middle of the asset by a share; skins with the
/// textures of their materials, by place.
pub fn meshes(
    objects: &[Object],
    explode: f64,
    sharp_angle: f64,
    textures: &[Option<Arc<Texture>>],
    skin: impl Fn(u32, [f64; 3]) -> Material,
) -> Vec<Mesh> {
    let Some(first) = objects.first() else { return vec![] };
    let asset = first.asset();
    let looks = Looks::new(asset, sharp_angle);
    let is_closed = asset.drawing().is_none_or(|binding| binding.is_closed());
    let mut meshes = vec![];
    for (object, number) in objects.iter().zip(0..) {
        let apart = (object.mass().centre - asset.centre()) * explode;
        for part in looks.of(object, &Point::origin()).parts {
            // A crack has a breath of the skin above it.
            let is_crack = part.material == looks.crack();
            let [r, g, b, _] = looks.palette().colour(if is_crack { 0 } else { part.material });
            let material = skin(number, [r, g, b].map(f64::from));
            meshes.push(Mesh {
                positions: part
                    .positions
                    .iter()
                    .map(|p| (Point::from(p.map(f64::from)) + apart) * object.scale())
                    .collect(),
                normals: part.normals.iter().map(|n| Vector::from(n.map(f64::from))).collect(),
                triangles: part.triangles,
                is_closed,
                material: if is_crack { palette::crack(&material) } else { material },
                texture: textures.get(part.material).cloned().flatten().filter(|_| !is_crack),
                uvs: part.uvs,
            });
        }
    }
    meshes
}

fn size(text: &str) -> std::result::Result<[usize; 2], String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    match sides {
        Some(sides) if sides.iter().all(|s| (1..=8192).contains(s)) => Ok(sides),
        _ => Err("a size is width x height, as 1200x900, each from 1 to 8192".into()),
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
        angles => option::pair(angles)
            .map_err(|_| "a view is azimuth,elevation in degrees, or front, back, left, right, top, bottom, corner")?,
    })
}

fn colour(text: &str) -> std::result::Result<[f64; 3], String> {
    palette::hex(text).ok_or_else(|| "a colour is six hexadecimal digits, as e8a0a0".into())
}

fn background(text: &str) -> std::result::Result<Background, String> {
    if text == "none" { Ok(Background(None)) } else { colour(text).map(|c| Background(Some(c))) }
}

fn plane(text: &str) -> std::result::Result<Slice, String> {
    let parts = text.split_once('=').and_then(|(axis, at)| {
        let axis = ["x", "y", "z"].iter().position(|a| *a == axis.trim())?;
        Some(Slice { axis, at: at.trim().parse().ok().filter(|v: &f64| v.is_finite())? })
    });
    parts.ok_or_else(|| "a slice is an axis and a place, as z=0.01".into())
}
