//! Gives the shared library its name for the loader: with the version of the binary interface, since only a break of that
//! one keeps a program from running. What is exported needs no list: of a shared library Rust exports the C functions alone
//! (a test compares them with a list).

fn main() {
    // From the folder of the package `capi`: a path that is not there would build it anew every time.
    println!("cargo:rerun-if-changed=../build.rs");
    let abi = 1; // FC_ABI_VERSION; tests/capi checks that they agree
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux" | "android" | "freebsd") => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libfracas.so.{abi}");
        }
        Ok("macos") => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libfracas.{abi}.dylib");
        }
        _ => {}
    }
}
