//! Structs that carry their own size, so that old programs run on new libraries and new programs on old ones.
//!
//! Fields are only ever appended, and zero in a new field means what was before it. So a shorter struct is completed by
//! our defaults, and a longer one is understood if all that we do not know is zero.

use super::status::{FC_ERROR_UNSUPPORTED, Failure};
use std::ffi::c_void;

/// No struct of any version is longer.
const LONGEST: usize = 4096;

/// A struct that starts with its size.
///
/// # Safety
/// It is `repr(C)`, starts with `struct_size: u32`, has no padding, and any bytes are a valid value of it.
pub(super) unsafe trait Stamped: Copy {
    /// Its name in C, for errors.
    const NAME: &'static str;
    /// The defaults; the size does not matter.
    const DEFAULT: Self;
}

/// The size that a struct of a caller has by its own account.
///
/// # Safety
/// `theirs` is null or points to the size.
unsafe fn size<T: Stamped>(theirs: *const T, argument: &str) -> Result<usize, Failure> {
    if theirs.is_null() {
        return Err(Failure::argument(format!("{argument} is NULL; it must point to an {}", T::NAME)));
    }
    // SAFETY: required.
    let size = unsafe { theirs.cast::<u32>().read_unaligned() } as usize;
    if !(8..=LONGEST).contains(&size) {
        return Err(Failure::argument(format!(
            "{argument}.struct_size is {size}; fill the struct with {}_default() first",
            T::NAME
        )));
    }
    Ok(size)
}

/// A struct of a caller, completed.
///
/// # Safety
/// `theirs` is null or points to as many bytes as it says.
#[inline]
pub(super) unsafe fn read<T: Stamped>(theirs: *const T, argument: &str) -> Result<T, Failure> {
    // SAFETY: required.
    let size = unsafe { size(theirs, argument) }?;
    if size == size_of::<T>() {
        // SAFETY: the struct is that long, and any bytes are a value of `T`.
        return Ok(unsafe { theirs.read_unaligned() });
    }
    let known = size.min(size_of::<T>());
    let mut ours = T::DEFAULT;
    // SAFETY: both are that long, and any bytes are a value of `T`.
    unsafe { (&raw mut ours).cast::<u8>().copy_from_nonoverlapping(theirs.cast(), known) };
    for k in known..size {
        // SAFETY: the struct is that long.
        if unsafe { theirs.cast::<u8>().add(k).read() } != 0 {
            return Err(Failure {
                status: FC_ERROR_UNSUPPORTED,
                text: format!(
                    "{argument} has {size} bytes and uses some beyond the {known} that this library knows; leave them zero or update it"
                ),
            });
        }
    }
    Ok(ours)
}

/// A struct of a caller, completed, or the defaults for NULL.
///
/// # Safety
/// As [`read`].
#[inline]
pub(super) unsafe fn read_or_default<T: Stamped>(theirs: *const T, argument: &str) -> Result<T, Failure> {
    if theirs.is_null() {
        return Ok(T::DEFAULT);
    }
    // SAFETY: required.
    unsafe { read(theirs, argument) }
}

/// Where a struct of results goes.
pub(super) struct Receiver<T: Stamped> {
    theirs: *mut T,
    size: usize,
}

/// A caller's struct for results.
///
/// # Safety
/// `theirs` is null or points to as many writable bytes as it says.
pub(super) unsafe fn receiver<T: Stamped>(theirs: *mut T, argument: &str) -> Result<Receiver<T>, Failure> {
    // SAFETY: required.
    let size = unsafe { size(theirs, argument) }?;
    Ok(Receiver { theirs, size })
}

impl<T: Stamped> Receiver<T> {
    /// Writes as much as the caller knows; its size stays what it was.
    pub fn write(self, value: &T) {
        let known = self.size.min(size_of::<T>());
        // SAFETY: `receiver` was promised that many bytes; ours are as many. The first four are the caller's size.
        unsafe {
            self.theirs
                .cast::<u8>()
                .add(4)
                .copy_from_nonoverlapping((&raw const *value).cast::<u8>().add(4), known - 4);
        }
    }
}

/// Fills a struct of `size` bytes with the defaults, and zeros beyond what we know. Without room for a size nothing happens.
///
/// # Safety
/// `theirs` is null or points to `size` writable bytes.
pub(super) unsafe fn init<T: Stamped>(theirs: *mut T, size: u32) {
    let length = size as usize;
    if theirs.is_null() || !(8..=LONGEST).contains(&length) {
        return;
    }
    let known = length.min(size_of::<T>());
    let ours = T::DEFAULT;
    // SAFETY: the caller's struct has `length` bytes, ours at least `known`.
    unsafe {
        theirs.cast::<u8>().write_bytes(0, length);
        theirs.cast::<u8>().copy_from_nonoverlapping((&raw const ours).cast(), known);
        theirs.cast::<u32>().write_unaligned(size);
    }
}

/// The field behind `void *`, for structs that hold one. NULL is a fine default.
pub(super) const NOTHING: *mut c_void = std::ptr::null_mut();
