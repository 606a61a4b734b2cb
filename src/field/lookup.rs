//! A small map from numbers to numbers that never changes once it is made: open addressing in one flat array.
//!
//! Breaks name nodes and tetrahedra of the asset by its numbers; a table over the whole asset would make every small
//! fragment pay for the rest of its family.

use crate::geom::NONE;

/// A map from `u32` keys (not [`NONE`]) to `u32` values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lookup {
    /// Key and value; a power of two of them, half empty.
    slots: Vec<(u32, u32)>,
}

impl Lookup {
    /// Maps each key to its place in the list; keys are all different.
    pub fn places(keys: impl ExactSizeIterator<Item = u32>) -> Self {
        let size = (keys.len() * 2).next_power_of_two();
        let mut slots = vec![(NONE, NONE); size];
        for (value, key) in keys.enumerate() {
            let mut slot = spread(key) as usize & (size - 1);
            while slots[slot].0 != NONE {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = (key, value as u32);
        }
        Self { slots }
    }

    /// The value of a key.
    pub fn get(&self, key: u32) -> Option<u32> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = spread(key) as usize & mask;
        loop {
            match self.slots.get(slot)? {
                (found, value) if *found == key => return Some(*value),
                (NONE, _) => return None,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.slots[..])
    }
}

/// Spreads neighbouring numbers over the table (Fibonacci hashing).
fn spread(key: u32) -> u32 {
    let product = key.wrapping_mul(0x9e37_79b1);
    product ^ product >> 15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_is_there_and_nothing_else() {
        for count in [0u32, 1, 2, 1000, 5000] {
            let map = Lookup::places((0..count).map(|k| k * 7));
            for key in 0..count * 7 + 10 {
                let expected = (key % 7 == 0 && key / 7 < count).then_some(key / 7);
                assert_eq!(map.get(key), expected, "{key} of {count}");
            }
        }
    }
}
