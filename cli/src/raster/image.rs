//! Pictures as pixels, and as PNG files.

/// A picture: red, green, blue and opacity of every pixel, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Width and height.
    pub size: [usize; 2],
    /// Four bytes a pixel, as PNG has them: sRGB, not multiplied by the opacity.
    pub bytes: Vec<u8>,
}

impl Image {
    /// From linear colours that are multiplied by their opacity, row by row.
    pub fn new(size: [usize; 2], pixels: impl Iterator<Item = [f64; 4]>) -> Self {
        let mut bytes = Vec::with_capacity(4 * size[0] * size[1]);
        for [r, g, b, opacity] in pixels {
            bytes.extend([r, g, b].map(|c| quantised(encoded(if opacity > 0.0 { c / opacity } else { 0.0 }))));
            bytes.push(quantised(opacity));
        }
        Self { size, bytes }
    }

    /// Red, green, blue and opacity of a pixel.
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 4] {
        let at = 4 * (y * self.size[0] + x);
        std::array::from_fn(|k| self.bytes[at + k])
    }

    /// The picture as a PNG file; without opacity, if all of it is opaque.
    pub fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let opaque = self.bytes.chunks_exact(4).all(|p| p[3] == 255);
        let mut file = vec![];
        let mut encoder = png::Encoder::new(&mut file, self.size[0] as u32, self.size[1] as u32);
        encoder.set_compression(png::Compression::Balanced);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
        let mut writer = encoder.write_header()?;
        if opaque {
            writer
                .write_image_data(&self.bytes.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect::<Vec<_>>())?;
        } else {
            writer.write_image_data(&self.bytes)?;
        }
        writer.finish()?;
        Ok(file)
    }
}

fn quantised(share: f64) -> u8 {
    (255.0 * share + 0.5) as u8 // saturates
}

/// A linear value as sRGB.
pub fn encoded(c: f64) -> f64 {
    if c <= 0.0031308 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

/// An sRGB value as linear.
pub fn decoded(c: f64) -> f64 {
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}
