//! Where a picture is taken from.

use fracas::{Point, Vector};

/// A pinhole camera. Everything that is drawn must be in front of it.
#[derive(Clone, Debug)]
pub struct Camera {
    /// Where it is.
    pub eye: Point,
    /// To the right, up, and back towards the viewer: unit length, at right angles.
    pub axes: [Vector; 3],
    /// Which way is up in the world; the ground lies across it.
    pub up: Vector,
    /// Distance to the plane of the picture, in heights of the picture.
    pub focal: f64,
    /// What is straight ahead is seen so far to the right and up from the middle, in heights of the picture.
    pub shift: [f64; 2],
}

/// Angle of view across the largest extent of a scene, in radians: a mild perspective.
const ANGLE: f64 = 0.42;
/// Share of the picture that a scene fills.
const FILL: f64 = 0.86;

impl Camera {
    /// A camera that looks at `target` from `distance` away in a `direction`.
    pub fn looking_at(target: &Point, direction: &Vector, distance: f64, up: &Vector, focal: f64) -> Self {
        let back = direction.try_normalize(0.0).unwrap_or(Vector::x());
        let aside = |v: &Vector| v.cross(&back).try_normalize(1e-6);
        // Straight from above or below, the picture's top is where x points, or y.
        let right = aside(up).or_else(|| aside(&Vector::x())).or_else(|| aside(&Vector::y())).unwrap_or(Vector::y());
        Self { eye: target + back * distance, axes: [right, back.cross(&right), back], up: *up, focal, shift: [0.0; 2] }
    }

    /// A camera that shows all of some points from a `direction`, `zoom` times as large as they would fit.
    pub fn around(points: &[Point], direction: &Vector, up: &Vector, aspect: f64, zoom: f64) -> Self {
        let mut bounds = fracas::geom::aabb::Aabb::around(points);
        if bounds.is_empty() {
            bounds.grow(&Point::origin());
        }
        let distance = bounds.radius().max(f64::MIN_POSITIVE.sqrt()) / (0.5 * ANGLE).sin();
        let mut camera = Self::looking_at(&bounds.centre(), direction, distance, up, 1.0);
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for seen in points.iter().map(|p| camera.project(p)) {
            for k in 0..2 {
                low[k] = low[k].min(seen[k]);
                high[k] = high[k].max(seen[k]);
            }
        }
        let extent = ((high[0] - low[0]) / aspect).max(high[1] - low[1]);
        if extent > 0.0 && extent.is_finite() {
            camera.focal = zoom * FILL / extent;
            camera.shift = [0, 1].map(|k| -0.5 * (low[k] + high[k]) * camera.focal);
        }
        camera
    }

    /// Where a point is seen, right and up from the middle in heights of the picture, and one over its depth.
    pub fn project(&self, p: &Point) -> [f64; 3] {
        let offset = p - self.eye;
        let near = -1.0 / offset.dot(&self.axes[2]);
        let along = |k: usize| self.focal * offset.dot(&self.axes[k]) * near + self.shift[k];
        [along(0), along(1), near]
    }

    /// Which way a place of the picture is seen, unit length.
    pub fn ray(&self, at: [f64; 2]) -> Vector {
        let [x, y] = [0, 1].map(|k| (at[k] - self.shift[k]) / self.focal);
        (self.axes[0] * x + self.axes[1] * y - self.axes[2]).normalize()
    }
}

/// A direction from angles in degrees: around `up` from the front, counter-clockwise seen from above, and above the ground.
/// The front is x if z is up, and z if y is.
pub fn direction(azimuth: f64, elevation: f64, up: &Vector) -> Vector {
    let front = if up.y > 0.5 { Vector::z() } else { Vector::x() };
    let ([s, c], (rise, level)) =
        ([azimuth.to_radians().sin(), azimuth.to_radians().cos()], elevation.to_radians().sin_cos());
    (front * c + up.cross(&front) * s) * level + up * rise
}
