//! Status codes, and the sentence that goes with the last failure of each thread.

use crate::error::Error;
use std::cell::UnsafeCell;
use std::ffi::c_char;

/// What became of a call: 0 done, > 0 done with a remark, < 0 failed (then nothing was changed and no output written,
/// unless the call says otherwise).
pub type fc_status = i32;

/// Done.
pub const FC_OK: fc_status = 0;
/// Done; there is more than fits the buffer, and what was written is valid.
pub const FC_INCOMPLETE: fc_status = 1;
/// Done; the pattern cut nothing, so the object as it was is the answer and no fragments were made.
pub const FC_UNCHANGED: fc_status = 2;
/// Done; the ray hits nothing.
pub const FC_NO_HIT: fc_status = 3;
/// Done, but for some pairs: each has its own status.
pub const FC_SOME_FAILED: fc_status = 4;
/// NULL where there must be something, a number that is not finite or out of range, a pose that is not a rotation.
pub const FC_ERROR_INVALID_ARGUMENT: fc_status = -1;
/// A handle that was destroyed, or never was one of this kind.
pub const FC_ERROR_INVALID_HANDLE: fc_status = -2;
/// The mesh is not a solid; the text names the culprit.
pub const FC_ERROR_INVALID_MESH: fc_status = -3;
/// More elements than the library can number.
pub const FC_ERROR_TOO_LARGE: fc_status = -4;
/// The buffer holds less than the result, and a part of it would be of no use.
pub const FC_ERROR_CAPACITY: fc_status = -5;
/// The allocator hook had no more memory.
pub const FC_ERROR_OUT_OF_MEMORY: fc_status = -6;
/// A descriptor uses fields that this version of the library does not know.
pub const FC_ERROR_UNSUPPORTED: fc_status = -7;
/// The call comes at the wrong time.
pub const FC_ERROR_WRONG_TIME: fc_status = -8;
/// The task hook did not run the work that it was given, or not all of it.
pub const FC_ERROR_TASKS: fc_status = -9;
/// A mistake in the library; please report the text. Nothing was changed.
pub const FC_ERROR_INTERNAL: fc_status = -10;
/// Bytes that are not what was saved, damaged, or of another version; the text says which.
pub const FC_ERROR_INVALID_DATA: fc_status = -11;

/// Name of a status ("FC_OK"), for logs. Lives as long as the library.
#[unsafe(no_mangle)]
pub extern "C" fn fc_status_name(status: fc_status) -> *const c_char {
    let name = match status {
        FC_OK => c"FC_OK",
        FC_INCOMPLETE => c"FC_INCOMPLETE",
        FC_UNCHANGED => c"FC_UNCHANGED",
        FC_NO_HIT => c"FC_NO_HIT",
        FC_SOME_FAILED => c"FC_SOME_FAILED",
        FC_ERROR_INVALID_ARGUMENT => c"FC_ERROR_INVALID_ARGUMENT",
        FC_ERROR_INVALID_HANDLE => c"FC_ERROR_INVALID_HANDLE",
        FC_ERROR_INVALID_MESH => c"FC_ERROR_INVALID_MESH",
        FC_ERROR_TOO_LARGE => c"FC_ERROR_TOO_LARGE",
        FC_ERROR_CAPACITY => c"FC_ERROR_CAPACITY",
        FC_ERROR_OUT_OF_MEMORY => c"FC_ERROR_OUT_OF_MEMORY",
        FC_ERROR_UNSUPPORTED => c"FC_ERROR_UNSUPPORTED",
        FC_ERROR_WRONG_TIME => c"FC_ERROR_WRONG_TIME",
        FC_ERROR_TASKS => c"FC_ERROR_TASKS",
        FC_ERROR_INTERNAL => c"FC_ERROR_INTERNAL",
        FC_ERROR_INVALID_DATA => c"FC_ERROR_INVALID_DATA",
        _ => c"unknown status",
    };
    name.as_ptr()
}

/// One sentence on the last call of this thread that failed: what is wrong, where, and what to do. Never NULL; valid until
/// the next fc_ call of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn fc_last_error() -> *const c_char {
    TEXT.with(|text| text.get().cast_const().cast())
}

/// Why a call failed.
#[derive(Debug)]
pub(super) struct Failure {
    pub status: fc_status,
    pub text: String,
}

impl Failure {
    pub fn argument(text: impl Into<String>) -> Self {
        Self { status: FC_ERROR_INVALID_ARGUMENT, text: text.into() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match error {
            Error::InvalidMesh(_) => FC_ERROR_INVALID_MESH,
            Error::InvalidArgument(_) => FC_ERROR_INVALID_ARGUMENT,
            Error::TooLarge(_) => FC_ERROR_TOO_LARGE,
            Error::InvalidData(_) => FC_ERROR_INVALID_DATA,
        };
        Self { status, text: error.to_string() }
    }
}

/// Longest text of an error, its end included. A fixed place: telling of exhausted memory must not need any.
const LONGEST: usize = 512;

const NOTHING: [u8; LONGEST] = {
    let mut text = [0; LONGEST];
    let words = b"no call of this thread has failed";
    let mut k = 0;
    while k < words.len() {
        text[k] = words[k];
        k += 1;
    }
    text
};

thread_local! {
    static TEXT: UnsafeCell<[u8; LONGEST]> = const { UnsafeCell::new(NOTHING) };
}

/// Sets this thread's text, cut to what fits.
pub(super) fn set_last_error(sentence: &str) {
    let mut length = sentence.len().min(LONGEST - 1);
    while !sentence.is_char_boundary(length) {
        length -= 1;
    }
    TEXT.with(|text| {
        // SAFETY: only this thread reaches its text, no reference to it outlives this closure, and callers were told that
        // the next call may overwrite it.
        let text = unsafe { &mut *text.get() };
        for (to, from) in text.iter_mut().zip(&sentence.as_bytes()[..length]) {
            // An inner end would hide the rest.
            *to = if *from == 0 { b' ' } else { *from };
        }
        text[length] = 0;
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn last() -> String {
        // SAFETY: the text is this thread's and ends with a zero.
        unsafe { CStr::from_ptr(fc_last_error()) }.to_str().unwrap().to_string()
    }

    #[test]
    fn texts_are_cut_at_characters_and_have_one_end() {
        assert_eq!(last(), "no call of this thread has failed");
        set_last_error(&"ä".repeat(400));
        assert_eq!(last(), "ä".repeat(255));
        set_last_error("a\0b");
        assert_eq!(last(), "a b");
        set_last_error("");
        assert_eq!(last(), "");
    }
}
