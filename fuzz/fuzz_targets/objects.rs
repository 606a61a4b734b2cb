//! Any bytes as objects: `cargo +nightly fuzz run objects fuzz/corpus/objects tests/corpus/store`. Length and checksum are
//! put right first.
#![no_main]

#[path = "../../tests/common/saved.rs"]
#[allow(dead_code)] // each target uses its part
mod saved;

use fracas::Asset;
use std::sync::{Arc, LazyLock};

static ASSET: LazyLock<Arc<Asset>> = LazyLock::new(saved::family_asset);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    saved::try_objects(&saved::resealed(bytes), &ASSET);
});
