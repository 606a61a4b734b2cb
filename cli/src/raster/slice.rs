//! A slice through the distance field of some objects: how deep, how far away, where the skin and the cracks are.

use super::image::Image;
use super::palette::oklch;
use fracas::bvh::Bvh;
use fracas::field::nodal::Scheme;
use fracas::fracture::surface::Triangle;
use fracas::geom::aabb::Aabb;
use fracas::{Object, Point, Tasks};

/// A plane across an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// 0 for x, 1 for y, 2 for z.
    pub axis: usize,
    /// Where it is, in metres.
    pub at: f64,
}

/// What a point of the slice is.
struct Sample {
    /// Metres to the surface of the piece that it is in, or of the nearest if it is in none.
    distance: f64,
    /// The piece that it is in.
    piece: Option<u32>,
    /// Whether the nearest surface is a crack.
    at_crack: bool,
}

/// Samples a pixel, along each axis.
const SAMPLES: usize = 3;
/// Part of the picture's width and height that is left free around the objects, on each side.
const MARGIN: f64 = 0.06;

/// Draws a slice through objects of one asset. Colours of pieces, darker with depth, or one colour for all; lines of equal
/// distance, thick ones at the skin (black) and the cracks (red).
pub fn draw(objects: &[Object], slice: &Slice, size: [usize; 2], by_piece: bool, tasks: &Tasks) -> Image {
    let [across, upwards] = [[1, 2], [0, 2], [0, 1]][slice.axis];
    let bounds = objects.iter().fold(Aabb::EMPTY, |mut all, o| {
        all.grow(&o.bounds().min);
        all.grow(&o.bounds().max);
        all
    });
    let (extent, centre) = (bounds.size(), bounds.centre());
    let free = 1.0 - 2.0 * MARGIN;
    let pixel = (extent[across] / (free * size[0] as f64)).max(extent[upwards] / (free * size[1] as f64));
    let place = |x: f64, y: f64| {
        let mut p = Point::origin();
        p[across] = centre[across] + (x - 0.5 * size[0] as f64) * pixel;
        p[upwards] = centre[upwards] + (0.5 * size[1] as f64 - y) * pixel;
        p[slice.axis] = slice.at;
        p
    };
    let field = Field::new(objects);
    let width = size[0] * SAMPLES;
    let share = |k: usize| (k as f64 + 0.5) / SAMPLES as f64;
    let rows = tasks.map_chunks(size[1] * SAMPLES, SAMPLES, |lines| {
        let each = |y: usize| (0..width).map(move |x| (x, y));
        lines.flat_map(each).map(|(x, y)| field.sample(&place(share(x), share(y)))).collect::<Vec<_>>()
    });
    let deepest = |inside: bool| {
        let here = rows.iter().flatten().filter(|s| s.piece.is_some() == inside);
        here.map(|s| s.distance).fold(0.0, f64::max)
    };
    let scales = Scales { inside: deepest(true), outside: deepest(false), pixel, by_piece };
    let pixels = rows.iter().flat_map(|row| {
        (0..size[0]).map(|x| {
            let mut sum = [0.0; 3];
            for k in 0..SAMPLES * SAMPLES {
                let colour = scales.colour(&row[k / SAMPLES * width + x * SAMPLES + k % SAMPLES]);
                (0..3).for_each(|c| sum[c] += colour[c] / (SAMPLES * SAMPLES) as f64);
            }
            [sum[0], sum[1], sum[2], 1.0]
        })
    });
    Image::new(size, pixels)
}

/// The objects together.
struct Field<'a> {
    objects: &'a [Object],
    /// Their surfaces, if they are not all of their asset: its grid knows the distance from outside only if they are.
    surfaces: Option<Bvh>,
}

impl<'a> Field<'a> {
    fn new(objects: &'a [Object]) -> Self {
        let volume: f64 = objects.iter().map(|o| o.mass().volume).sum();
        let whole = objects.first().map_or(0.0, |o| o.asset().solid().volume());
        if (volume - whole).abs() < 1e-6 * whole {
            return Self { objects, surfaces: None };
        }
        let surfaces = objects.iter().map(Object::surface);
        let corners = surfaces.flat_map(|s| {
            let corners = |t: &Triangle| t.corners.map(|c| s.vertices[c as usize]);
            s.triangles.iter().map(corners).collect::<Vec<_>>()
        });
        Self { objects, surfaces: Bvh::new(&corners.collect::<Vec<_>>()).ok() }
    }

    fn sample(&self, p: &Point) -> Sample {
        for object in self.objects.iter().filter(|o| o.bounds().contains(p)) {
            let field = object.field(Scheme::default());
            if let Some(way) = field.depth(p) {
                let at_crack = way.distance < (1.0 - 1e-6) * field.skin_depth(p);
                return Sample { distance: way.distance, piece: Some(object.piece_number()), at_crack };
            }
        }
        let distance = match (&self.surfaces, self.objects.first()) {
            (Some(surfaces), _) => surfaces.closest_point(p, f64::INFINITY).map_or(0.0, |hit| hit.distance),
            (None, Some(first)) => first.asset().ground().grid.value(p).max(0.0),
            (None, None) => 0.0,
        };
        Sample { distance, piece: None, at_crack: false }
    }
}

struct Scales {
    /// The largest distances.
    inside: f64,
    outside: f64,
    /// Metres a pixel.
    pixel: f64,
    by_piece: bool,
}

impl Scales {
    fn colour(&self, sample: &Sample) -> [f64; 3] {
        let near = sample.distance / self.pixel;
        if near < 0.9 && (sample.piece.is_some() || self.outside > 0.0) {
            return if sample.at_crack { oklch(0.5, 0.19, 0.07) } else { [0.01; 3] };
        }
        let most = if sample.piece.is_some() { self.inside } else { self.outside };
        let share = if most > 0.0 { (sample.distance / most).clamp(0.0, 1.0) } else { 0.0 };
        let base = match sample.piece {
            None => oklch(0.97 - 0.25 * share, 0.012 + 0.03 * share, 0.7),
            Some(piece) => {
                let hue = if self.by_piece { 0.08 + piece as f64 * 0.618_034 } else { 0.14 };
                oklch(0.93 - 0.45 * share, 0.06 + 0.07 * share, hue)
            }
        };
        let step = round_step(self.inside / 6.0);
        let to_line = (sample.distance / step - (sample.distance / step).round()).abs() * step / self.pixel;
        if to_line < 0.4 { base.map(|c| 0.62 * c) } else { base }
    }
}

/// The largest of 1, 2, 5, 10 ... that is not larger.
fn round_step(length: f64) -> f64 {
    if length <= 0.0 || !length.is_finite() {
        return 1.0;
    }
    let power = 10f64.powf(length.log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|m| m * power).find(|s| *s <= length).unwrap_or(power)
}
