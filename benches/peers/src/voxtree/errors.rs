//! Errors of contacts against exact ones, and what is said of bodies that are apart.

use super::collisions::Found;
use fracas::Vector;

/// A mean and the half width of its confidence interval (95 %).
#[derive(Clone, Copy, Debug)]
pub struct Mean(pub f64, pub f64);

impl Mean {
    pub fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Self(mean, 1.96 * (variance / n).sqrt())
    }

    /// The product of the means of two values of the same things, to the first order.
    pub fn product(a: &[f64], b: &[f64]) -> Self {
        let (ma, mb) = (Self::of(a).0, Self::of(b).0);
        let parts: Vec<f64> = a.iter().zip(b).map(|(a, b)| mb * (a - ma) + ma * (b - mb)).collect();
        Self(ma * mb, Self::of(&parts).1)
    }
}

/// In degrees.
pub fn angle(a: &Vector, b: &Vector) -> f64 {
    a.cross(b).norm().atan2(a.dot(b)).to_degrees()
}

/// Errors of many contacts.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    pub normals: Vec<f64>,
    pub points: Vec<f64>,
    pub depths: Vec<f64>,
}

impl Errors {
    pub fn add(&mut self, found: &Found, exact: &Found) {
        self.normals.push(angle(&found.normal, &exact.normal));
        self.points.push((found.point - exact.point).norm());
        self.depths.push((found.depth - exact.depth).abs());
    }

    /// Normal, point and depth.
    pub fn means(&self) -> [Mean; 3] {
        [&self.normals, &self.points, &self.depths].map(|values| Mean::of(values))
    }

    /// Figure 7B.
    pub fn product(&self) -> Mean {
        Mean::product(&self.normals, &self.points)
    }
}

/// Means with intervals as cells of a table.
pub fn cells(means: &[Mean]) -> Vec<f64> {
    means.iter().flat_map(|mean| [mean.0, mean.1]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_have_intervals() {
        let mean = Mean::of(&[1.0, 2.0, 3.0]);
        assert!(mean.0 == 2.0 && (mean.1 - 1.96 / 3f64.sqrt()).abs() < 1e-12);
        let product = Mean::product(&[1.0, 2.0, 3.0], &[2.0, 2.0, 2.0]);
        assert!(product.0 == 4.0 && (product.1 - 2.0 * mean.1).abs() < 1e-12);
        assert!((angle(&Vector::x(), &Vector::y()) - 90.0).abs() < 1e-12);
    }
}
