//! Compiles the C++ peers: Bullet, FCL and Embree from the system's packages, Jolt and PhysX from where `scripts/bench` has built them. With
//! `FRACAS_CHECK_ONLY` set nothing of that: for `cargo check` and lints, which look at the Rust side and do not link. With
//! `FRACAS_NO_ENGINES` set only Embree, if it is here: soft bodies need no engine.

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-env-changed=FRACAS_CHECK_ONLY");
    if env::var_os("FRACAS_CHECK_ONLY").is_some() {
        return;
    }
    println!("cargo::rerun-if-env-changed=FRACAS_NO_ENGINES");
    let has_engines = env::var_os("FRACAS_NO_ENGINES").is_none();
    let (packages, files): (&[&str], &[&str]) = match has_engines {
        true => (&["bullet", "fcl"], &["bullet", "fcl", "embree", "fcl_bodies"]),
        false => (&[], &["embree", "none"]),
    };
    let mut peers = cxx_build::bridge("src/cpp.rs");
    for package in packages {
        let found = pkg_config::probe_library(package)
            .unwrap_or_else(|why| panic!("{package} is not installed; scripts/bench installs what is missing ({why})"));
        // As a system's: warnings in there are not ours. (What the compiler looks at anyway must stay where it is.)
        found.include_paths.iter().filter(|path| *path != Path::new("/usr/include")).for_each(|path| {
            peers.flag(format!("-isystem{}", path.display()));
        });
    }
    for name in files {
        peers.file(format!("src/cpp/{name}.cpp"));
    }
    peers.std("c++17").compile("fracas_bench_peers");
    // Optional: without its headers embree.cpp has nothing to link.
    if let Some(version) = ["4", "3"].iter().find(|v| Path::new(&format!("/usr/include/embree{v}/rtcore.h")).exists()) {
        println!("cargo::rustc-link-lib=embree{version}");
    }
    for file in ["src/cpp.rs", "src/cpp", "build.rs"] {
        println!("cargo::rerun-if-changed={file}");
    }
    if has_engines {
        link_engines();
    }
}

fn link_engines() {
    // Jolt and PhysX have flags of their own, which their headers must be read with.
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let engines = root.join("../../out/bench/engines");
    let generated = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("cxxbridge");
    for (name, library, folder) in [("jolt", "Jolt", "jolt"), ("physx", "physx", "")] {
        let list = engines.join(format!("{name}.txt"));
        let flags = std::fs::read_to_string(&list).unwrap_or_else(|why| {
            panic!("{library} is not built; scripts/bench does that ({}: {why})", list.display())
        });
        let mut build = cc::Build::new();
        flags.lines().filter(|flag| !flag.is_empty()).for_each(|flag| {
            build.flag(flag);
        });
        build
            .cpp(true)
            .std("c++17")
            .include(generated.join("include"))
            .include(generated.join("crate"))
            .file(format!("src/cpp/{name}.cpp"))
            .compile(&format!("fracas_bench_{name}"));
        let folder = engines.join(folder);
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=static={library}");
        println!("cargo::rerun-if-changed={}", list.display());
        println!("cargo::rerun-if-changed={}", folder.join(format!("lib{library}.a")).display());
    }
}
