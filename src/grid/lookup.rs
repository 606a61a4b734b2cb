//! A small map from numbers to numbers that never changes once it is made: a plain table over the range of its keys, or, if
//! they are few in a wide range, open addressing in one flat array.
//!
//! Breaks name nodes and tetrahedra of the asset by its numbers; a table over the whole asset would make every small
//! fragment pay for the rest of its family.

use crate::geom::NONE;
use crate::heap::held;

/// A map from `u32` keys (not [`NONE`]) to `u32` values.
#[derive(Clone, Debug, PartialEq)]
pub struct Lookup {
    table: Table,
}

#[derive(Clone, Debug, PartialEq)]
enum Table {
    /// The value of each key from the first one; [`NONE`] for those that are not there.
    Plain { first: u32, values: Vec<u32> },
    /// Key and value; a power of two of them, half empty.
    Spread { slots: Vec<(u32, u32)> },
}

impl Lookup {
    /// Maps each key to its place in the list; keys are all different.
    pub fn places(keys: impl ExactSizeIterator<Item = u32> + Clone) -> Self {
        let (low, high) = keys.clone().fold((NONE, 0), |(low, high), key| (low.min(key), high.max(key)));
        let (width, size) = (high.wrapping_sub(low) as usize + 1, (keys.len() * 2).next_power_of_two());
        if low > high {
            return Self { table: Table::Plain { first: 0, values: vec![] } };
        }
        // Whatever takes fewer bytes.
        if width <= 2 * size {
            let mut values = vec![NONE; width];
            keys.zip(0..).for_each(|(key, value)| values[(key - low) as usize] = value);
            return Self { table: Table::Plain { first: low, values } };
        }
        let mut slots = vec![(NONE, NONE); size];
        for (value, key) in keys.enumerate() {
            let mut slot = spread(key) as usize & (size - 1);
            while slots[slot].0 != NONE {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = (key, value as u32);
        }
        Self { table: Table::Spread { slots } }
    }

    /// The value of a key.
    #[inline]
    pub fn get(&self, key: u32) -> Option<u32> {
        match &self.table {
            Table::Plain { first, values } => {
                values.get(key.wrapping_sub(*first) as usize).copied().filter(|value| *value != NONE)
            }
            Table::Spread { slots } => get_spread(slots, key),
        }
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        match &self.table {
            Table::Plain { values, .. } => held(values),
            Table::Spread { slots } => held(slots),
        }
    }
}

fn get_spread(slots: &[(u32, u32)], key: u32) -> Option<u32> {
    let mask = slots.len().wrapping_sub(1);
    let mut slot = spread(key) as usize & mask;
    loop {
        match slots.get(slot)? {
            (found, value) if *found == key => return Some(*value),
            (NONE, _) => return None,
            _ => slot = (slot + 1) & mask,
        }
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
        // Dense keys and wide ones: both kinds of table.
        for step in [1, 2, 7, 40] {
            for count in [0u32, 1, 2, 1000, 5000] {
                let map = Lookup::places((0..count).map(|k| 5 + k * step));
                for key in 0..count * step + 10 {
                    let expected = key >= 5 && (key - 5) % step == 0 && (key - 5) / step < count;
                    assert_eq!(map.get(key), expected.then(|| (key - 5) / step), "{key} of {count} by {step}");
                }
            }
        }
    }
}
