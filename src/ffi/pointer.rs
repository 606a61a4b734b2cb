//! Checks on a caller's pointers. Non-NULL pointers have to be trusted.

use super::status::{FC_INCOMPLETE, FC_OK, Failure, fc_status};
use super::types::fc_pose;
use crate::geom::Pose;
use nalgebra::{Quaternion, Translation3, UnitQuaternion};

/// Largest coordinate or length accepted from a caller, in metres: results are single precision, where squares
/// overflow at 1e38.
pub(super) const FARTHEST: f64 = 1e18;

/// Tolerance on the length of a quaternion: engines keep them in single precision and do not always normalise.
const NOT_QUITE_UNIT: f64 = 1e-3;

/// An output pointer.
pub(super) struct Out<T>(*mut T);

impl<T> Out<T> {
    pub fn write(&self, value: T) {
        // SAFETY: `out` requires the pointer to be writable until the call ends.
        unsafe { self.0.write(value) };
    }
}

/// # Safety
/// `place` is null or writable until the call ends.
pub(super) unsafe fn out<T>(place: *mut T, argument: &str) -> Result<Out<T>, Failure> {
    if place.is_null() {
        return Err(Failure::argument(format!("{argument} is NULL; it must point to where the result goes")));
    }
    Ok(Out(place))
}

/// An output array.
pub(super) struct Buffer<T: Copy> {
    first: *mut T,
    capacity: usize,
}

impl<T: Copy> Buffer<T> {
    /// Writes as many values as fit, and returns their number.
    pub fn fill(&self, values: impl ExactSizeIterator<Item = T>) -> usize {
        self.fill_from(0, values)
    }

    /// Writes as many values as fit from index `start` on, and returns their number.
    pub fn fill_from(&self, start: usize, values: impl ExactSizeIterator<Item = T>) -> usize {
        let room = self.capacity.saturating_sub(start).min(values.len());
        for (k, value) in values.take(room).enumerate() {
            // SAFETY: `buffer` requires `capacity` writable elements.
            unsafe { self.first.add(start + k).write(value) };
        }
        room
    }

    /// The first `count` elements, which must have been written.
    pub fn written(&self, count: usize) -> impl Iterator<Item = T> {
        // SAFETY: they are within the capacity, and were written.
        (0..count.min(self.capacity)).map(|k| unsafe { self.first.add(k).read() })
    }

    pub fn capacity(&self) -> usize {
        self.capacity
    }
}

/// NULL with capacity 0 is an empty buffer.
///
/// # Safety
/// `first` is null or points to `capacity` writable elements until the call ends.
pub(super) unsafe fn buffer<T: Copy>(first: *mut T, capacity: u32, argument: &str) -> Result<Buffer<T>, Failure> {
    if first.is_null() && capacity > 0 {
        return Err(Failure::argument(format!("{argument} is NULL, but its capacity is {capacity}")));
    }
    Ok(Buffer { first, capacity: capacity as usize })
}

/// The same with a 64-bit capacity.
///
/// # Safety
/// As [`buffer`].
pub(super) unsafe fn long_buffer<T: Copy>(first: *mut T, capacity: u64, argument: &str) -> Result<Buffer<T>, Failure> {
    if first.is_null() && capacity > 0 {
        return Err(Failure::argument(format!("{argument} is NULL, but its capacity is {capacity}")));
    }
    Ok(Buffer { first, capacity: usize::try_from(capacity).unwrap_or(usize::MAX) })
}

/// An output array and the number of results.
pub(super) struct Results<T: Copy> {
    places: Buffer<T>,
    count: Out<u32>,
}

impl<T: Copy> Results<T> {
    /// # Safety
    /// As [`buffer`] and [`out`].
    pub unsafe fn new(first: *mut T, capacity: u32, count: *mut u32, argument: &str) -> Result<Self, Failure> {
        // SAFETY: required.
        unsafe { Ok(Self { places: buffer(first, capacity, argument)?, count: out(count, "count")? }) }
    }

    /// Writes what fits, and the number of all.
    pub fn take(&self, found: impl ExactSizeIterator<Item = T>) -> fc_status {
        let total = found.len();
        let written = self.places.fill(found);
        self.count.write(total as u32);
        if written < total { FC_INCOMPLETE } else { FC_OK }
    }
}

/// A caller's bytes.
///
/// # Safety
/// `first` is null or points to `size` readable bytes until the call ends.
pub(super) unsafe fn long_slice<'a>(first: *const u8, size: u64, argument: &str) -> Result<&'a [u8], Failure> {
    // Rust slices must not be larger.
    let Some(size) = usize::try_from(size).ok().filter(|size| *size <= isize::MAX as usize) else {
        return Err(Failure::argument(format!("size is {size}; no block of bytes is that long")));
    };
    if first.is_null() {
        return Err(Failure::argument(format!("{argument} is NULL; it must point to what was saved")));
    }
    // SAFETY: required.
    Ok(unsafe { std::slice::from_raw_parts(first, size) })
}

/// A caller's array. NULL with count 0 is an empty array.
///
/// # Safety
/// `first` is null or points to `count` readable, aligned elements until the call ends.
pub(super) unsafe fn slice<'a, T: Copy>(first: *const T, count: u32, argument: &str) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    if first.is_null() {
        return Err(Failure::argument(format!("{argument} is NULL, but its count is {count}")));
    }
    if !first.is_aligned() {
        return Err(Failure::argument(format!("{argument} is not aligned to {} bytes", align_of::<T>())));
    }
    // SAFETY: required.
    Ok(unsafe { std::slice::from_raw_parts(first, count as usize) })
}

/// A caller's array of groups of `N` numbers with a byte stride, aligned or not.
pub(super) struct Strided<T, const N: usize> {
    first: *const T,
    count: u32,
    stride: usize,
}

impl<T: Copy, const N: usize> Strided<T, N> {
    /// Number of groups.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Group by index.
    pub fn get(&self, k: u32) -> [T; N] {
        assert!(k < self.count);
        // SAFETY: `strided_view` requires that many readable groups, of any alignment.
        unsafe { self.first.cast::<u8>().add(k as usize * self.stride).cast::<[T; N]>().read_unaligned() }
    }
}

/// `count` groups, `stride` bytes apart (0: tightly packed).
///
/// # Safety
/// `first` is null or points to that many readable groups until the call ends.
pub(super) unsafe fn strided_view<T: Copy, const N: usize>(
    first: *const T,
    count: u32,
    stride: u32,
    argument: &str,
) -> Result<Strided<T, N>, Failure> {
    let least = N * size_of::<T>();
    let stride = if stride == 0 { least } else { stride as usize };
    if stride < least {
        return Err(Failure::argument(format!("{argument} has a stride of {stride} bytes; an element has {least}")));
    }
    if first.is_null() && count > 0 {
        return Err(Failure::argument(format!("{argument} is NULL, but its count is {count}")));
    }
    Ok(Strided { first, count, stride })
}

/// A copy of the groups.
///
/// # Safety
/// As [`strided_view`].
pub(super) unsafe fn strided<T: Copy, const N: usize>(
    first: *const T,
    count: u32,
    stride: u32,
    argument: &str,
) -> Result<Vec<[T; N]>, Failure> {
    // SAFETY: required.
    let groups = unsafe { strided_view(first, count, stride, argument)? };
    Ok((0..count).map(|k| groups.get(k)).collect())
}

/// # Safety
/// `pose` is null or readable.
#[inline]
pub(super) unsafe fn pose(pose: *const fc_pose, argument: &str) -> Result<Pose, Failure> {
    if pose.is_null() {
        return Err(Failure::argument(format!("{argument} is NULL; it must point to a pose")));
    }
    // SAFETY: required.
    checked_pose(&unsafe { pose.read_unaligned() }, argument)
}

/// A validated pose: finite, with a normalised rotation.
#[inline]
pub(super) fn checked_pose(pose: &fc_pose, argument: &str) -> Result<Pose, Failure> {
    let [x, y, z, w] = pose.rotation.map(f64::from);
    let off = x * x + y * y + z * z + w * w - 1.0;
    if !pose.position.iter().all(|c| c.abs() <= FARTHEST) {
        let text = format!("{argument}.position is {:?}; it must be finite and below {FARTHEST:e} m", pose.position);
        return Err(Failure::argument(text));
    }
    // False for NaN and infinity too.
    if off.abs() <= 2.0 * NOT_QUITE_UNIT {
        // 1 / length as a series: the error is below rounding, and it avoids a square root and a division.
        let f = 1.0 + off * (-0.5 + off * (0.375 + off * (-0.3125 + off * (0.2734375 + off * -0.24609375))));
        let unit = UnitQuaternion::new_unchecked(Quaternion::new(w * f, x * f, y * f, z * f));
        return Ok(Pose::from_parts(Translation3::from(pose.position), unit));
    }
    let text = format!("{argument}.rotation is {:?}; it must be a unit quaternion x, y, z, w", pose.rotation);
    Err(Failure::argument(text))
}

/// Reads three numbers, unchecked.
///
/// # Safety
/// `numbers` is null or points to three readable numbers.
pub(super) unsafe fn triple<T: Copy + Into<f64>>(numbers: *const T, argument: &str) -> Result<[f64; 3], Failure> {
    if numbers.is_null() {
        return Err(Failure::argument(format!("{argument} is NULL; it must point to three numbers")));
    }
    // SAFETY: required.
    Ok(unsafe { numbers.cast::<[T; 3]>().read_unaligned() }.map(Into::into))
}

/// Checks the coordinates of a point.
pub(super) fn place(point: [f64; 3], argument: &str) -> Result<[f64; 3], Failure> {
    match point.iter().all(|c| c.abs() <= FARTHEST) {
        true => Ok(point),
        false => {
            let text = format!("{argument} is {point:?}; it must be finite and below {FARTHEST:e} m");
            Err(Failure::argument(text))
        }
    }
}

/// Checks a positive length.
pub(super) fn length(value: f32, argument: &str) -> Result<f64, Failure> {
    match value > 0.0 && value as f64 <= FARTHEST {
        true => Ok(value as f64),
        false => {
            let text = format!("{argument} is {value}; it must be a positive length below {FARTHEST:e} m");
            Err(Failure::argument(text))
        }
    }
}
