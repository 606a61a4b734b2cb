//! Pictures without a GPU or a window: coloured meshes on a ground that catches their shadows.
//!
//! A picture is drawn in bands of rows, each by itself: triangles go into a depth buffer of several samples a pixel
//! (`visible`), and every triangle that a pixel shows is shaded once, in the middle of its samples (`shade`). All light is a
//! list of directions, each with a shadow map (`light`): many around the key light and over the sky, so that one mechanism
//! gives soft shadows, darkness in corners and the contact with the ground. The same picture for every number of threads.

pub mod camera;
mod ground;
pub mod image;
mod light;
mod noise;
pub mod palette;
mod shade;
pub mod slice;
pub mod texture;
mod visible;

pub use camera::Camera;
pub use image::Image;
pub use texture::Texture;

use fracas::{Point, Tasks, Vector};
use ground::Ground;
use light::Lights;
use shade::Shader;
use std::sync::Arc;
use visible::{Band, Screen};

/// A triangle mesh of one material.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Vertices.
    pub positions: Vec<Point>,
    /// One a vertex, unit length.
    pub normals: Vec<Vector>,
    /// Vertices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Whether it is part of a closed surface: what faces away is hidden then, and left out. Else both sides are drawn.
    pub is_closed: bool,
    /// What it is made of.
    pub material: Material,
    /// What its colour is multiplied by, where there are texture coordinates.
    pub texture: Option<Arc<Texture>>,
    /// Texture coordinates, one a vertex, the second growing downwards; or none at all.
    pub uvs: Vec<[f32; 2]>,
}

impl Mesh {
    /// Adds a triangle with vertices of its own.
    pub fn push(&mut self, corners: [Point; 3], normals: [Vector; 3]) {
        let first = self.positions.len() as u32;
        self.positions.extend(corners);
        self.normals.extend(normals);
        self.triangles.push([first, first + 1, first + 2]);
    }
}

/// What a mesh looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Linear red, green and blue, from 0 to 1.
    pub colour: [f64; 3],
    /// From 0, dull, to 1, glazed.
    pub gloss: f64,
    /// From 0, even, to 1, as rough as broken stoneware.
    pub grain: f64,
}

impl Default for Material {
    fn default() -> Self {
        Self { colour: [0.7; 3], gloss: 0.0, grain: 0.0 }
    }
}

/// How a picture is drawn.
#[derive(Clone)]
pub struct Style {
    /// Width and height in pixels.
    pub size: [usize; 2],
    /// Samples a pixel, along each axis; 3 by default.
    pub samples: usize,
    /// Linear colour behind everything; none: transparent.
    pub background: Option<[f64; 3]>,
    /// Whether there is a ground below the meshes that catches their shadows.
    pub ground: bool,
    /// Whether the edges of the triangles are drawn.
    pub wire: bool,
    /// Where the work runs.
    pub tasks: Tasks,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            size: [1200, 900],
            samples: 3,
            background: Some([1.0; 3]),
            ground: true,
            wire: false,
            tasks: Tasks::inline(),
        }
    }
}

/// Rows that are drawn at a time.
const BAND: usize = 16;

/// Draws meshes as a camera sees them.
pub fn draw(meshes: &[Mesh], camera: &Camera, style: &Style) -> Image {
    let screen = Screen::new(meshes, camera, style);
    let lights = Lights::new(meshes, camera, &style.tasks);
    let ground = Ground::new(camera, &lights, style);
    let shader = Shader { meshes, camera, screen: &screen, lights: &lights, ground: &ground, style };
    let bands = style.tasks.map_chunks(style.size[1], BAND, |rows| shader.pixels(&Band::new(&screen, rows)));
    let over = |pixel: [f64; 4]| match style.background {
        None => pixel,
        Some(behind) => {
            let rest = 1.0 - pixel[3];
            [pixel[0] + rest * behind[0], pixel[1] + rest * behind[1], pixel[2] + rest * behind[2], 1.0]
        }
    };
    Image::new(style.size, bands.into_iter().flatten().map(over))
}
