//! Random numbers that are a pure function of their key: the same on every machine, in every order, on every thread.

use std::hash::Hasher;

/// Mixes a 64-bit key (splitmix64's finaliser): every bit of the result depends on every bit of the key.
pub fn mix(key: u64) -> u64 {
    let mut z = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number in the open interval (0, 1) for a pair of keys.
pub fn unit(seed: u64, key: u64) -> f64 {
    ((mix(mix(seed) ^ key) >> 11) as f64 + 0.5) * (1.0 / (1u64 << 53) as f64)
}

/// Keys that are well mixed are their own hashes.
#[derive(Default)]
pub struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0 << 8 ^ *byte as u64);
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
