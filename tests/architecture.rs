//! The house keeps its floors: no module uses one above it (docs/architecture.md).

use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up; modules on one line share a floor.
const FLOORS: [&[&str]; 11] = [
    &["error", "heap", "tasks"],
    &["geom"],
    &["bvh"],
    &["solid"],
    &["tree", "field"],
    &["deform", "voxtree"],
    &["asset"],
    &["body"],
    &["fracture", "penalty", "store"],
    &["contact"],
    &["ffi"],
];

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|modules| modules.contains(&module))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = vec![];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn no_module_uses_one_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut checked = 0;
    for file in sources(&root) {
        let relative = file.strip_prefix(&root).unwrap();
        let module = relative.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_string();
        if module == "lib" {
            continue;
        }
        let own = floor(&module)
            .unwrap_or_else(|| panic!("src/{module} has no floor; give it one here and in docs/architecture.md"));
        for (number, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            for used in line.split("crate::").skip(1) {
                let name: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if let Some(other) = floor(&name) {
                    assert!(
                        other <= own,
                        "{}:{}: {module} uses {name}, which is above it",
                        relative.display(),
                        number + 1
                    );
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 20, "only {checked} uses were found; does this test still read the sources?");
}

#[test]
fn unsafe_code_is_at_the_boundary_and_where_vectors_are_chosen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in sources(&root) {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(&root).unwrap();
        let allowed = name.starts_with("ffi") || name == Path::new("geom/simd.rs");
        assert!(
            allowed || !text.lines().any(|l| l.contains("unsafe ") && !l.trim_start().starts_with("//")),
            "{}",
            file.display()
        );
    }
}
