//! A slice through the distance field of some objects: how deep, how far away, where the skin and the cracks are.

use super::image::Image;
use super::palette::oklch;
use fracas::bvh::Bvh;
use fracas::field::grid::over_skin;
use fracas::field::nodal::Scheme;
use fracas::fracture::surface::Surface;
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
}

/// Samples a pixel, along each axis.
const SAMPLES: usize = 3;
/// Half the width of a thick line, in samples.
const LINE: usize = 3;
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
    let [width, height] = size.map(|s| s * SAMPLES);
    let share = |k: usize| (k as f64 + 0.5) / SAMPLES as f64;
    let rows = tasks.map_chunks(width * height, width, |places| {
        places.map(|k| field.sample(&place(share(k % width), share(k / width)))).collect::<Vec<_>>()
    });
    let samples: Vec<Sample> = rows.into_iter().flatten().collect();
    let deepest = |inside: bool| {
        let here = samples.iter().filter(|s| s.piece.is_some() == inside);
        here.map(|s| s.distance).fold(0.0, f64::max)
    };
    let scales = Scales { inside: deepest(true), outside: deepest(false), pixel, by_piece };
    let colour = |x: usize, y: usize| {
        let own = &samples[y * width + x];
        // What else is near: a line runs where pieces meet, or the inside and the outside.
        let near = |a: usize, most: usize| a.saturating_sub(LINE)..(a + LINE + 1).min(most);
        let others = near(y, height).flat_map(|y| near(x, width).map(move |x| y * width + x));
        let other = others.map(|k| samples[k].piece).filter(|piece| *piece != own.piece).max();
        match (own.piece, other) {
            (_, None) => scales.colour(own),
            (Some(_), Some(Some(_))) => oklch(0.5, 0.19, 0.07),
            _ => [0.01; 3],
        }
    };
    let pixels = (0..size[0] * size[1]).map(|k| {
        let mut sum = [0.0; 3];
        for s in 0..SAMPLES * SAMPLES {
            let at = [k % size[0] * SAMPLES + s % SAMPLES, k / size[0] * SAMPLES + s / SAMPLES];
            let colour = colour(at[0], at[1]);
            (0..3).for_each(|c| sum[c] += colour[c] / (SAMPLES * SAMPLES) as f64);
        }
        [sum[0], sum[1], sum[2], 1.0]
    });
    Image::new(size, pixels)
}

/// The objects together.
struct Field<'a> {
    objects: &'a [Object],
    /// What is between them and the outside: the skin, or their surfaces if they are not all of their asset.
    outline: Option<Bvh>,
}

impl<'a> Field<'a> {
    fn new(objects: &'a [Object]) -> Self {
        let volume: f64 = objects.iter().map(|o| o.mass().volume).sum();
        let solid = objects.first().map(|o| o.asset().solid());
        let outline = match solid {
            Some(solid) if (volume / solid.volume() - 1.0).abs() < 1e-6 => over_skin(solid).ok(),
            _ => {
                let corners = |s: Surface| {
                    let corners = s.triangles.iter().map(|t| t.corners.map(|c| s.vertices[c as usize]));
                    corners.collect::<Vec<_>>()
                };
                Bvh::new(&objects.iter().map(Object::surface).flat_map(corners).collect::<Vec<_>>()).ok()
            }
        };
        Self { objects, outline }
    }

    fn sample(&self, p: &Point) -> Sample {
        for object in self.objects.iter().filter(|o| o.bounds().contains(p)) {
            if let Some(way) = object.field(Scheme::default()).depth(p) {
                return Sample { distance: way.distance, piece: Some(object.piece_number()) };
            }
        }
        let nearest = self.outline.as_ref().and_then(|outline| outline.closest_point(p, f64::INFINITY));
        Sample { distance: nearest.map_or(0.0, |hit| hit.distance), piece: None }
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
