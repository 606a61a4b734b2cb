//! Gives the shared library its name for the loader: with the version of the binary interface, since only a break of that
//! one keeps a program from running. What is exported needs no list: of a shared library Rust exports the C functions alone
//! (a test compares them with a list).

use std::path::Path;

fn main() {
    // From the folder of the package `capi`: a path that is not there would build it anew every time.
    println!("cargo:rerun-if-changed=../build.rs");
    let abi = 1; // FC_ABI_VERSION; tests/capi checks that they agree
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux" | "android" | "freebsd") => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libfracas.so.{abi}");
            link_beside("libfracas.so", &format!("libfracas.so.{abi}"));
        }
        Ok("macos") => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libfracas.{abi}.dylib");
            link_beside("libfracas.dylib", &format!("libfracas.{abi}.dylib"));
        }
        _ => {}
    }
}

/// Cargo names the library without the version, and the loader asks for it with the version: so a link of that name stands
/// beside the library, and a program that is linked with what cargo has left in `target/release` starts. The library need
/// not be there yet. Without the link everything builds as well.
fn link_beside(library: &str, name: &str) {
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    // target/release, of target/release/build/fracas-capi-0123456789abcdef/out.
    let Some(folder) = Path::new(&out).ancestors().nth(3) else { return };
    let link = folder.join(name);
    #[cfg(unix)]
    if link.symlink_metadata().is_err()
        && let Err(why) = std::os::unix::fs::symlink(library, &link)
    {
        println!("cargo:warning=programs that load {name} will not find it in {}: {why}", folder.display());
    }
    #[cfg(not(unix))]
    let _ = (library, link); // built elsewhere, it is copied to where it is used anyway
}
