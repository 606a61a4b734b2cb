//! Random numbers, one after the other from a seed: the same on every machine.

use fracas::Vector;
use fracas::geom::random::unit;
use nalgebra::{Quaternion, UnitQuaternion};

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Dice {
    seed: u64,
    drawn: u64,
}

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    /// Uniform in (0, 1).
    pub fn unit(&mut self) -> f64 {
        self.drawn += 1;
        unit(self.seed, self.drawn)
    }

    /// Uniform between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Between two positive numbers, uniform in the logarithm.
    pub fn scale(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    /// An index below `count`.
    pub fn index(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }

    /// True with this probability.
    pub fn happens(&mut self, chance: f64) -> bool {
        self.unit() < chance
    }

    /// Three numbers between `-size` and `size`.
    pub fn vector(&mut self, size: f64) -> Vector {
        Vector::from_fn(|_, _| self.between(-size, size))
    }

    /// A point of the unit ball.
    pub fn in_ball(&mut self) -> Vector {
        loop {
            let v = self.vector(1.0);
            if v.norm_squared() <= 1.0 {
                return v;
            }
        }
    }

    /// A unit vector, uniform on the sphere.
    pub fn direction(&mut self) -> Vector {
        loop {
            let v = self.in_ball();
            if v.norm_squared() > 0.01 {
                return v.normalize();
            }
        }
    }

    /// A rotation, uniform over all (Shoemake 1992).
    pub fn rotation(&mut self) -> UnitQuaternion<f64> {
        let (share, [one, two]) = (self.unit(), [(); 2].map(|_| self.between(0.0, std::f64::consts::TAU)));
        let (low, high) = ((1.0 - share).sqrt(), share.sqrt());
        UnitQuaternion::from_quaternion(Quaternion::new(
            high * two.cos(),
            low * one.sin(),
            low * one.cos(),
            high * two.sin(),
        ))
    }
}
