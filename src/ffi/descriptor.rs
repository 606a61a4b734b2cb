//! Structs that carry their own size, so that old programs run on new libraries and new programs on old ones.
//!
//! Fields are only ever appended, and zero in a new field means the old behaviour. So a shorter struct is completed
//! with our defaults, and a longer one is accepted if its unknown tail is all zero.

use super::status::{FC_ERROR_UNSUPPORTED, Failure};
use std::ffi::c_void;

/// Upper bound on the size of any struct of any version.
const LONGEST: usize = 4096;

/// A struct that starts with its size.
///
/// # Safety
/// It is `repr(C)`, starts with `struct_size: u32`, has no padding, and any bytes are a valid value of it.
pub(super) unsafe trait Stamped: Copy {
    /// C name, for error texts.
    const NAME: &'static str;
    /// Default values; struct_size is ignored.
    const DEFAULT: Self;
}

/// Reads and checks the struct_size of a caller's struct.
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

/// Reads a caller's struct, completed with defaults.
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

/// Reads a caller's struct, completed with defaults; NULL gives the defaults.
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

/// A caller's struct that receives results.
pub(super) struct Receiver<T: Stamped> {
    theirs: *mut T,
    size: usize,
}

/// Checks a caller's struct for results.
///
/// # Safety
/// `theirs` is null or points to as many writable bytes as it says.
pub(super) unsafe fn receiver<T: Stamped>(theirs: *mut T, argument: &str) -> Result<Receiver<T>, Failure> {
    // SAFETY: required.
    let size = unsafe { size(theirs, argument) }?;
    Ok(Receiver { theirs, size })
}

impl<T: Stamped> Receiver<T> {
    /// Writes as many bytes as the caller's struct has; its struct_size is unchanged.
    pub fn write(self, value: &T) {
        let known = self.size.min(size_of::<T>());
        // SAFETY: `receiver` requires that many bytes; ours has as many. The first four are the caller's struct_size.
        unsafe {
            self.theirs
                .cast::<u8>()
                .add(4)
                .copy_from_nonoverlapping((&raw const *value).cast::<u8>().add(4), known - 4);
        }
    }
}

/// Fills a struct of `size` bytes with the defaults, and zeros beyond the fields that we know. Does nothing if it
/// has no room for a struct_size.
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

/// Default of `void *` fields: NULL.
pub(super) const NOTHING: *mut c_void = std::ptr::null_mut();
