//! A slice through the distance field of some objects: how deep, how far away, where the skin and the cracks are.

use super::image::Image;
use super::palette::oklch;
use fracas::bvh::Bvh;
use fracas::fracture::surface::Surface;
use fracas::geom::aabb::Aabb;
use fracas::grid::distance::over_skin;
use fracas::reference::nodal::Scheme;
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
#[derive(Clone, Copy)]
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
/// Farther than this from all surfaces, in pixels, distances are interpolated from pixel to pixel; lines are not as wide.
const CLEAR: f64 = 2.5;
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
    // The middle of each pixel first. No distance changes faster than the place: the one before bounds the next.
    let middles = tasks.map_chunks(size[0] * size[1], size[0], |places| {
        let mut limit = f64::INFINITY;
        let middle = |k: usize| {
            let sample = field.sample(&place((k % size[0]) as f64 + 0.5, (k / size[0]) as f64 + 0.5), limit);
            limit = if sample.piece.is_none() { sample.distance + 1.01 * pixel } else { f64::INFINITY };
            sample
        };
        places.map(middle).collect::<Vec<_>>()
    });
    let middles = middles.concat();
    // Far from all surfaces, what is in between is known.
    let is_clear = |x: usize, y: usize| {
        let inner = x > 0 && y > 0 && x + 1 < size[0] && y + 1 < size[1];
        inner && middles[y * size[0] + x].distance > CLEAR * pixel
    };
    let rows = tasks.map_chunks(width * height, width, |places| {
        let sample = |k: usize| {
            let [x, y] = [share(k % width), share(k / width)];
            if is_clear(x as usize, y as usize) {
                return between(&middles, size[0], x, y);
            }
            let middle = &middles[y as usize * size[0] + x as usize];
            let limit = if middle.piece.is_none() { middle.distance + pixel } else { f64::INFINITY };
            field.sample(&place(x, y), limit)
        };
        places.map(sample).collect::<Vec<_>>()
    });
    let samples: Vec<Sample> = rows.concat();
    let deepest = |inside: bool| {
        let here = samples.iter().filter(|s| s.piece.is_some() == inside);
        here.map(|s| s.distance).fold(0.0, f64::max)
    };
    let scales = Scales { inside: deepest(true), outside: deepest(false), pixel, by_piece };
    let colour = |x: usize, y: usize| {
        let own = &samples[y * width + x];
        if is_clear(x / SAMPLES, y / SAMPLES) {
            return scales.colour(own);
        }
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
    let pixel_colour = |k: usize| {
        let mut sum = [0.0; 3];
        for s in 0..SAMPLES * SAMPLES {
            let at = [k % size[0] * SAMPLES + s % SAMPLES, k / size[0] * SAMPLES + s / SAMPLES];
            let colour = colour(at[0], at[1]);
            (0..3).for_each(|c| sum[c] += colour[c] / (SAMPLES * SAMPLES) as f64);
        }
        [sum[0], sum[1], sum[2], 1.0]
    };
    let rows =
        tasks.map_chunks(size[0] * size[1], size[0], |places| places.map(pixel_colour).collect::<Vec<[f64; 4]>>());
    Image::new(size, rows.into_iter().flatten())
}

/// A sample between the middles of four pixels, all of them in the same piece: `x` and `y` are in pixels.
fn between(middles: &[Sample], columns: usize, x: f64, y: f64) -> Sample {
    let (x, y) = (x - 0.5, y - 0.5);
    let first = y as usize * columns + x as usize;
    let (s, t) = (x.fract(), y.fract());
    let at = |k: usize| middles[k].distance;
    let [upper, lower] = [first, first + columns].map(|k| (1.0 - s) * at(k) + s * at(k + 1));
    Sample { distance: (1.0 - t) * upper + t * lower, piece: middles[first].piece }
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

    /// What is at a point; what is outside is no farther from the surface than `limit`, but for rounding.
    fn sample(&self, p: &Point, limit: f64) -> Sample {
        for object in self.objects.iter().filter(|o| o.bounds().contains(p)) {
            if let Some(way) = object.field(Scheme::default()).depth(p) {
                return Sample { distance: way.distance, piece: Some(object.piece_number()) };
            }
        }
        let nearest = self
            .outline
            .as_ref()
            .and_then(|outline| outline.closest_point(p, limit).or_else(|| outline.closest_point(p, f64::INFINITY)));
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
