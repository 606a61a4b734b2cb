//! The image of a material's colours: decoded, and looked up as glTF says.
//!
//! What is far away would shimmer if every pixel took one texel: the image is kept in halves too (mipmaps), and a place is
//! looked up in the two levels whose texels are about as large as a pixel.

use super::image::{decoded, encoded};
use std::sync::LazyLock;

/// Larger images are not decoded: texels.
const MOST_TEXELS: u64 = 1 << 26;

/// The linear value of each byte of a file.
static LINEAR: LazyLock<[f64; 256]> = LazyLock::new(|| std::array::from_fn(|byte| decoded(byte as f64 / 255.0)));

/// An image over the texture coordinates of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// The image, and its halves down to one texel.
    levels: Vec<Level>,
    /// What is beyond the image, along it and down.
    wrap: [Wrap; 2],
    transform: Transform,
}

/// What stands beyond the edges of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// The image again.
    #[default]
    Repeat,
    /// Its mirror image.
    Mirror,
    /// What is at the edge.
    Clamp,
}

/// From the texture coordinates of the mesh to those of the image, as `KHR_texture_transform` has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Last.
    pub offset: [f64; 2],
    /// Counter-clockwise, in radians, after the scale.
    pub rotation: f64,
    /// First.
    pub scale: [f64; 2],
}

impl Default for Transform {
    fn default() -> Self {
        Self { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2] }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Level {
    size: [usize; 2],
    /// Red, green and blue as the file has them, row by row from the top.
    texels: Vec<[u8; 3]>,
}

impl Texture {
    /// From the content of a PNG file; a sentence says what is wrong with it.
    pub fn from_png(bytes: &[u8], wrap: [Wrap; 2], transform: Transform) -> Result<Self, String> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        // All kinds become eight bits a channel, and palettes colours.
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(|e| format!("it is damaged ({e})"))?;
        let [width, height] = [reader.info().width, reader.info().height];
        if u64::from(width) * u64::from(height) > MOST_TEXELS {
            return Err(format!("it is {width} x {height}, which is too large"));
        }
        let mut data = vec![0; reader.output_buffer_size().ok_or("it is too large")?];
        let frame = reader.next_frame(&mut data).map_err(|e| format!("it is damaged ({e})"))?;
        data.truncate(frame.buffer_size());
        let channels = frame.color_type.samples();
        let texel = |t: &[u8]| if channels < 3 { [t[0]; 3] } else { [t[0], t[1], t[2]] };
        let texels = data.chunks_exact(channels).map(texel).collect();
        Ok(Self::new([width as usize, height as usize], texels, wrap, transform))
    }

    /// Of texels row by row from the top, in sRGB.
    pub fn new(size: [usize; 2], texels: Vec<[u8; 3]>, wrap: [Wrap; 2], transform: Transform) -> Self {
        let mut levels = vec![Level { size, texels }];
        while let Some(last) = levels.last().filter(|level| level.size.iter().any(|s| *s > 1)) {
            levels.push(last.half());
        }
        Self { levels, wrap, transform }
    }

    /// Where a texture coordinate of the mesh is in the image, in texels.
    pub fn texel(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        let Transform { offset, rotation, scale } = self.transform;
        let (sine, cosine) = rotation.sin_cos();
        let (u, v) = (u * scale[0], v * scale[1]);
        let at = [cosine * u + sine * v + offset[0], -sine * u + cosine * v + offset[1]];
        [0, 1].map(|k| at[k] * self.levels[0].size[k] as f64)
    }

    /// The linear colour at a place, in texels, where a pixel is so many texels wide.
    pub fn colour(&self, at: [f64; 2], width: f64) -> [f64; 3] {
        let level = width.max(1.0).log2().min((self.levels.len() - 1) as f64); // 0 for NaN
        let (fine, share) = (level as usize, level.fract());
        let [near, far] = [fine, (fine + 1).min(self.levels.len() - 1)].map(|k| self.in_level(k, at));
        [0, 1, 2].map(|k| near[k] + (far[k] - near[k]) * share)
    }

    /// Between the four texels around.
    fn in_level(&self, level: usize, at: [f64; 2]) -> [f64; 3] {
        let (first, level) = (&self.levels[0], &self.levels[level]);
        let mut places = [[0; 2]; 2];
        let mut shares = [0.0; 2];
        for k in 0..2 {
            let at = at[k] * level.size[k] as f64 / first.size[k] as f64 - 0.5;
            let at = if at.is_finite() { at.clamp(-1e12, 1e12) } else { 0.0 };
            shares[k] = at - at.floor();
            places[k] = [0, 1].map(|next| self.wrap[k].place(at.floor() as i64 + next, level.size[k]));
        }
        let [[left, right], [above, below]] = places;
        let corners = [(left, above), (right, above), (left, below), (right, below)];
        let [a, b, c, d] = corners.map(|(x, y)| level.texels[y * level.size[0] + x]);
        [0, 1, 2].map(|k| {
            let [a, b, c, d] = [a, b, c, d].map(|texel| LINEAR[usize::from(texel[k])]);
            let (above, below) = (a + (b - a) * shares[0], c + (d - c) * shares[0]);
            above + (below - above) * shares[1]
        })
    }
}

impl Wrap {
    /// The texel that stands at a place, which may be beyond the image.
    fn place(self, at: i64, size: usize) -> usize {
        let size = size as i64;
        let place = match self {
            Self::Repeat => at.rem_euclid(size),
            Self::Mirror => {
                let at = at.rem_euclid(2 * size);
                at.min(2 * size - 1 - at)
            }
            Self::Clamp => at.clamp(0, size - 1),
        };
        place as usize
    }
}

impl Level {
    /// Half as wide and high: means of what lies in each texel, in linear colours.
    fn half(&self) -> Self {
        let size = self.size.map(|s| (s / 2).max(1));
        let texel = |k: usize| {
            let [columns, rows] = [(0, k % size[0]), (1, k / size[0])].map(|(axis, at)| {
                let whole = self.size[axis];
                at * whole / size[axis]..((at + 1) * whole).div_ceil(size[axis])
            });
            let count = (columns.len() * rows.len()) as f64;
            let mut sum = [0.0; 3];
            for y in rows {
                for texel in &self.texels[y * self.size[0]..][columns.clone()] {
                    (0..3).for_each(|c| sum[c] += LINEAR[usize::from(texel[c])]);
                }
            }
            sum.map(|c| (255.0 * encoded(c / count) + 0.5) as u8)
        };
        Self { size, texels: (0..size[0] * size[1]).map(texel).collect() }
    }
}
