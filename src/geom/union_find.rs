//! Disjoint sets over numbers: which nodes hang together. The name of a set is its lowest member, so the answer does not
//! depend on the order of the calls.

/// The lowest member known to be in the set of `i`.
pub fn find(parents: &mut [u32], mut i: u32) -> u32 {
    while parents[i as usize] != i {
        let grandparent = parents[parents[i as usize] as usize];
        parents[i as usize] = grandparent;
        i = grandparent;
    }
    i
}

/// Unites the sets of `a` and `b`; returns the lowest member of the union.
pub fn join(parents: &mut [u32], a: u32, b: u32) -> u32 {
    let (a, b) = (find(parents, a), find(parents, b));
    let lowest = a.min(b);
    parents[a.max(b) as usize] = lowest;
    lowest
}
