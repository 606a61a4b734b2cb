//! Status codes, and the error text of each thread's last failure.

use crate::error::Error;
use std::cell::UnsafeCell;
use std::ffi::c_char;

/// Result of a call: 0 success, > 0 success with a remark, < 0 failure (nothing was changed and no output written,
/// unless the call says otherwise).
pub type fc_status = i32;

/// Success.
pub const FC_OK: fc_status = 0;
/// Success; there are more results than fit the buffer, and those written are valid.
pub const FC_INCOMPLETE: fc_status = 1;
/// Success; the pattern cut nothing and no fragments were created: keep the object.
pub const FC_UNCHANGED: fc_status = 2;
/// Success; nothing is hit: no surface along the ray, no impact in the step.
pub const FC_NO_HIT: fc_status = 3;
/// Success except for some pairs: each has its own status.
pub const FC_SOME_FAILED: fc_status = 4;
/// Success; the scene is changed as it should be, but the allocator hook returned NULL meanwhile: the blocks that it
/// did not give are from the system heap.
pub const FC_LOW_MEMORY: fc_status = 5;
/// Success; the budget or the deadline ended the query before it knew all. Contacts mean *maybe*: bodies may touch at
/// other points too, or, if none was measured, not at all. fc_query_get_stats returns how far it went.
pub const FC_INTERRUPTED: fc_status = 6;
/// NULL where a pointer is required, a number that is not finite or out of range, a pose that is not a rotation.
pub const FC_ERROR_INVALID_ARGUMENT: fc_status = -1;
/// A handle that was destroyed, or that never was a handle of this kind.
pub const FC_ERROR_INVALID_HANDLE: fc_status = -2;
/// The mesh is not a valid solid, or not a valid body of a scene; the text names the offending element.
pub const FC_ERROR_INVALID_MESH: fc_status = -3;
/// More elements than the library can index, or more than a limit of the call allows.
pub const FC_ERROR_TOO_LARGE: fc_status = -4;
/// The buffer is too small, and a partial result would be useless.
pub const FC_ERROR_CAPACITY: fc_status = -5;
/// The allocator hook returned NULL.
pub const FC_ERROR_OUT_OF_MEMORY: fc_status = -6;
/// A descriptor uses fields that this version of the library does not know.
pub const FC_ERROR_UNSUPPORTED: fc_status = -7;
/// The call is not allowed at this time: see fc_set_allocator, and fc_scene_create for scenes.
pub const FC_ERROR_WRONG_TIME: fc_status = -8;
/// The task hook did not run the work that it was given, or not all of it.
pub const FC_ERROR_TASKS: fc_status = -9;
/// A bug in the library; please report the text. Nothing was changed, unless the call was to change a scene: see
/// fc_scene_create.
pub const FC_ERROR_INTERNAL: fc_status = -10;
/// Bytes that are not a saved block, damaged, or of another version; the text says which.
pub const FC_ERROR_INVALID_DATA: fc_status = -11;

/// Returns the name of a status ("FC_OK"), for logs. Valid as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn fc_status_name(status: fc_status) -> *const c_char {
    let name = match status {
        FC_OK => c"FC_OK",
        FC_INCOMPLETE => c"FC_INCOMPLETE",
        FC_UNCHANGED => c"FC_UNCHANGED",
        FC_NO_HIT => c"FC_NO_HIT",
        FC_SOME_FAILED => c"FC_SOME_FAILED",
        FC_LOW_MEMORY => c"FC_LOW_MEMORY",
        FC_INTERRUPTED => c"FC_INTERRUPTED",
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

/// Returns one sentence on the last failed call of this thread: what is wrong, where, and what to do. Never NULL;
/// valid until this thread's next fc_ call.
#[unsafe(no_mangle)]
pub extern "C" fn fc_last_error() -> *const c_char {
    TEXT.with(|text| text.get().cast_const().cast())
}

/// Sets this thread's text, for wrappers that check what they are given themselves and fail as a call would: so
/// fc_last_error() describes that failure, and not the one before. Copied; up to 511 bytes of UTF-8. NULL is no text.
///
/// # Safety
/// `text` is NULL or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fc_set_last_error(text: *const c_char) {
    // SAFETY: required; no byte behind the first zero is read.
    let byte = |k: usize| unsafe { text.cast::<u8>().add(k).read() };
    let (mut bytes, mut length) = ([0; LONGEST - 1], 0);
    while !text.is_null() && length < bytes.len() && byte(length) != 0 {
        bytes[length] = byte(length);
        length += 1;
    }
    // What is no text, or was cut within a character, ends before that.
    let sentence = match std::str::from_utf8(&bytes[..length]) {
        Ok(sentence) => sentence,
        Err(why) => std::str::from_utf8(&bytes[..why.valid_up_to()]).unwrap_or_default(),
    };
    set_last_error(sentence);
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

/// Maximum size of an error text, including the terminator. A fixed buffer: reporting out of memory must not
/// allocate.
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

/// Sets this thread's text, truncated to fit.
pub(super) fn set_last_error(sentence: &str) {
    let mut length = sentence.len().min(LONGEST - 1);
    while !sentence.is_char_boundary(length) {
        length -= 1;
    }
    TEXT.with(|text| {
        // SAFETY: only this thread accesses its text, no reference to it outlives this closure, and the header says
        // that the next call may overwrite it.
        let text = unsafe { &mut *text.get() };
        for (to, from) in text.iter_mut().zip(&sentence.as_bytes()[..length]) {
            // An embedded NUL would hide the rest.
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
        // SAFETY: the text is this thread's and NUL-terminated.
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

    #[test]
    fn texts_of_callers_are_taken_as_far_as_they_are_texts() {
        // SAFETY: they end with a zero byte, or are NULL.
        let set = |text: &CStr| unsafe { fc_set_last_error(text.as_ptr()) };
        set(c"offsets is short");
        assert_eq!(last(), "offsets is short");
        set(c"good\xff bad");
        assert_eq!(last(), "good");
        let long = std::ffi::CString::new("ä".repeat(400)).unwrap();
        set(&long);
        assert_eq!(last(), "ä".repeat(255));
        // SAFETY: as above.
        unsafe { fc_set_last_error(std::ptr::null()) };
        assert_eq!(last(), "");
    }
}
