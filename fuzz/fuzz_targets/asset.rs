//! Any bytes as an asset: `cargo +nightly fuzz run asset fuzz/corpus/asset tests/corpus/store`. Length and checksum are put
//! right first.
#![no_main]

#[path = "../../tests/common/saved.rs"]
#[allow(dead_code)] // each target uses its part
mod saved;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    saved::try_asset(&saved::resealed(bytes));
});
