//! Stable counting sort: elements by a small key.

use std::ops::AddAssign;

/// Where the run of each key starts once the keys, all below `count`, are sorted; one more entry marks the end.
pub fn starts_of<T: Copy + Default + AddAssign + From<u8>>(count: usize, keys: impl Iterator<Item = u32>) -> Vec<T> {
    let mut starts = vec![T::default(); count + 1];
    keys.for_each(|key| starts[key as usize + 1] += T::from(1));
    (0..count).for_each(|k| {
        let before = starts[k];
        starts[k + 1] += before;
    });
    starts
}

/// The elements sorted by key, and where each key starts. Keys are below `count`.
pub fn group<T: Copy + Default>(count: usize, keys: &[u32], element: impl Fn(usize) -> T) -> (Vec<T>, Vec<usize>) {
    let starts: Vec<usize> = starts_of(count, keys.iter().copied());
    let mut sorted = vec![T::default(); keys.len()];
    gather(keys, &mut starts.clone(), &mut sorted, element);
    (sorted, starts)
}

/// Puts each element into the next slot of its key.
#[inline(never)]
pub fn gather<T>(keys: &[u32], next: &mut [usize], sorted: &mut [T], element: impl Fn(usize) -> T) {
    for (k, key) in keys.iter().enumerate() {
        let slot = &mut next[*key as usize];
        sorted[*slot] = element(k);
        *slot += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_keep_their_order_within_a_key() {
        let keys = [2, 0, 2, 3, 0];
        let (sorted, starts) = group(5, &keys, |k| k);
        assert_eq!(sorted, [1, 4, 0, 2, 3]);
        assert_eq!(starts, [0, 2, 2, 4, 5, 5]);
        assert_eq!(starts_of::<u32>(5, keys.into_iter()), [0, 2, 2, 4, 5, 5]);
    }
}
