//! Loops over eight lanes, compiled for the widest vectors of the processor at hand.
//!
//! The library is built for any x86-64, where vectors have four lanes; most processors have eight. The same operations in the same
//! order, and none of them fused: the bits do not depend on the width.

/// Work that is compiled once for each width. Everything in it that is to be wide is inlined into [`run`](Self::run).
pub trait Lanewise {
    /// What comes of it.
    type Output;
    /// Does it. `#[inline(always)]`, or it is compiled for four lanes only.
    fn run(self) -> Self::Output;
}

/// Does work with the widest vectors there are.
#[inline]
pub fn widest<W: Lanewise>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function is compiled for, as was just asked.
        #[allow(unsafe_code)]
        return unsafe { with_avx2(work) };
    }
    with_any(work)
}

/// Does work with vectors that every processor has.
#[inline(never)]
pub(crate) fn with_any<W: Lanewise>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<W: Lanewise>(work: W) -> W::Output {
    work.run()
}

/// Asks for the first lines of the cache that hold a list, so that they are on their way when it is read; lines in a row after them come
/// by themselves. Always so many: to count them would cost more. Changes the time only.
#[inline(always)]
pub fn fetch<const LINES: usize, T>(list: &[T]) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..LINES {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, which reads nothing: any address will do.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(list.as_ptr().cast::<i8>().wrapping_add(64 * line));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = list;
}

/// In which lanes a number is greater than that of another list, a bit each.
#[inline(always)]
pub fn greater(a: [f32; 4], b: [f32; 4]) -> u32 {
    // SAFETY: every x86-64 has these, and each list has four numbers. The compiler would test bit by bit.
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    unsafe {
        use std::arch::x86_64::{_mm_cmpgt_ps, _mm_loadu_ps, _mm_movemask_ps};
        _mm_movemask_ps(_mm_cmpgt_ps(_mm_loadu_ps(a.as_ptr()), _mm_loadu_ps(b.as_ptr()))) as u32
    }
    #[cfg(not(target_arch = "x86_64"))]
    (0..4).fold(0, |bits, k| bits | ((a[k] > b[k]) as u32) << k)
}

/// In which lanes a number is no greater than that of another list, a bit each.
#[inline(always)]
pub fn at_most(a: [f32; 4], b: [f32; 4]) -> u32 {
    // SAFETY: as in `greater`.
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    unsafe {
        use std::arch::x86_64::{_mm_cmple_ps, _mm_loadu_ps, _mm_movemask_ps};
        _mm_movemask_ps(_mm_cmple_ps(_mm_loadu_ps(a.as_ptr()), _mm_loadu_ps(b.as_ptr()))) as u32
    }
    #[cfg(not(target_arch = "x86_64"))]
    (0..4).fold(0, |bits, k| bits | ((a[k] <= b[k]) as u32) << k)
}
