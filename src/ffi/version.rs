//! Versions, at compile time and at run time.

use std::ffi::c_char;

/// Major version of this header.
pub const FC_VERSION_MAJOR: u32 = 0;
/// Minor version of this header.
pub const FC_VERSION_MINOR: u32 = 1;
/// Patch version of this header.
pub const FC_VERSION_PATCH: u32 = 0;

/// ABI version. Only a breaking change raises it; new functions and new fields at the end of descriptors do not.
pub const FC_ABI_VERSION: u32 = 1;

// The header's numbers are literals so that cbindgen can print them; the asserts below compare them with Cargo.toml.
const fn is(text: &str, number: u32) -> bool {
    let (mut k, mut value) = (0, 0);
    while k < text.len() {
        value = value * 10 + (text.as_bytes()[k] - b'0') as u32;
        k += 1;
    }
    value == number
}
const _: () = assert!(is(env!("CARGO_PKG_VERSION_MAJOR"), FC_VERSION_MAJOR));
const _: () = assert!(is(env!("CARGO_PKG_VERSION_MINOR"), FC_VERSION_MINOR));
const _: () = assert!(is(env!("CARGO_PKG_VERSION_PATCH"), FC_VERSION_PATCH));

/// Returns the version of the loaded library: major * 1000000 + minor * 1000 + patch.
#[unsafe(no_mangle)]
pub extern "C" fn fc_version() -> u32 {
    FC_VERSION_MAJOR * 1_000_000 + FC_VERSION_MINOR * 1000 + FC_VERSION_PATCH
}

/// Returns the same as text, "0.1.0". Valid as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn fc_version_text() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the FC_ABI_VERSION of the loaded library.
#[unsafe(no_mangle)]
pub extern "C" fn fc_abi_version() -> u32 {
    FC_ABI_VERSION
}

/// Returns 1 if a program compiled against `abi_version` can use this library, else 0. Call it before anything else:
/// `assert(fc_abi_compatible(FC_ABI_VERSION))`.
#[unsafe(no_mangle)]
pub extern "C" fn fc_abi_compatible(abi_version: u32) -> u32 {
    (abi_version == FC_ABI_VERSION) as u32
}
