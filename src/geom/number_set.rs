//! A set of numbers from a range: a bit for each.

use std::ops::Range;

/// Numbers from a range.
#[derive(Clone, Debug)]
pub struct NumberSet {
    first: u32,
    words: Vec<u64>,
}

impl NumberSet {
    /// An empty set for numbers of a range.
    pub fn within(range: Range<u32>) -> Self {
        Self { first: range.start, words: vec![0; range.len().div_ceil(64)] }
    }

    /// The set of some numbers, in ascending order.
    pub fn of_ascending(numbers: &[u32]) -> Self {
        let mut set = Self::within(match numbers {
            [first, .., last] => *first..*last + 1,
            [only] => *only..*only + 1,
            [] => 0..0,
        });
        numbers.iter().for_each(|number| set.insert(*number));
        set
    }

    /// Adds a number of the range.
    #[inline]
    pub fn insert(&mut self, number: u32) {
        let place = number - self.first;
        self.words[place as usize / 64] |= 1 << (place % 64);
    }

    /// Whether it has a number; any may be asked for.
    #[inline]
    pub fn contains(&self, number: u32) -> bool {
        let place = number.wrapping_sub(self.first);
        self.words.get(place as usize / 64).is_some_and(|word| word >> (place % 64) & 1 != 0)
    }

    /// Its numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (self.first..).step_by(64).zip(&self.words).flat_map(|(first, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let place = left.trailing_zeros();
                left &= left.wrapping_sub(1);
                (place < 64).then_some(first + place)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_what_was_put_into_it() {
        let numbers = [3, 4, 66, 67, 130, 1000];
        let set = NumberSet::of_ascending(&numbers);
        assert_eq!(set.iter().collect::<Vec<u32>>(), numbers);
        assert!((0..2000).chain([u32::MAX]).all(|n| set.contains(n) == numbers.contains(&n)));
        assert_eq!(NumberSet::of_ascending(&[]).iter().count(), 0);
        assert!(!NumberSet::of_ascending(&[]).contains(0));
        assert_eq!(NumberSet::of_ascending(&[64]).iter().collect::<Vec<u32>>(), [64]);
    }
}
