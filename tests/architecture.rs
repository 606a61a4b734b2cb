//! The house keeps its floors: no module uses one above it, and no files use each other in a circle (docs/architecture.md).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up; modules on one line share a floor.
const FLOORS: [&[&str]; 16] = [
    &["error", "heap", "tasks"],
    &["geom"],
    &["bvh", "culling", "cut"],
    &["solid"],
    &["grid"],
    &["crack", "samples"],
    &["convex"],
    &["drawing", "reference"],
    &["field"],
    &["deform"],
    &["asset"],
    &["body"],
    &["fracture", "penalty", "store"],
    &["contact"],
    &["voxtree"],
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

/// The module of a file: `a::b` for src/a/b.rs and src/a/b/mod.rs.
fn module_of(relative: &Path) -> Vec<String> {
    let mut words: Vec<String> =
        relative.with_extension("").iter().map(|word| word.to_str().unwrap().to_string()).collect();
    words.pop_if(|last| last == "mod");
    words
}

/// The paths that a text names after `crate` or `super`, those of use lists with braces written out.
fn paths(text: &str) -> Vec<Vec<String>> {
    let words: String = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .take_while(|line| !line.contains("#[cfg(test)]"))
        .collect::<Vec<_>>()
        .join(" ");
    let mut found = vec![];
    for (start, _) in words.match_indices("crate::").chain(words.match_indices("super::")) {
        if words[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        spell_out(&words[start..], vec![], &mut found);
    }
    found
}

/// Writes out a path and what its braces hold; returns how much of the text was read.
fn spell_out(text: &str, mut prefix: Vec<String>, found: &mut Vec<Vec<String>>) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        at += word.len();
        if !word.is_empty() {
            prefix.push(word);
        }
        if !text[at..].starts_with("::") {
            found.push(prefix);
            return at;
        }
        at += 2;
        if text[at..].starts_with('{') {
            at += 1;
            loop {
                at += text[at..].len() - text[at..].trim_start_matches([' ', ',']).len();
                if text[at..].is_empty() || text[at..].starts_with('}') {
                    return at + 1;
                }
                // `*`, `as name` and the like end with the word before.
                let read = spell_out(&text[at..], prefix.clone(), found);
                at += read.max(1);
            }
        }
    }
}

/// A folder's own file may use what is in the folder, and that it: what they share is in the folder's own file.
#[test]
fn no_files_use_each_other_in_a_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files: BTreeMap<Vec<String>, PathBuf> =
        sources(&root).into_iter().map(|file| (module_of(file.strip_prefix(&root).unwrap()), file)).collect();
    let mut uses: BTreeMap<&[String], BTreeSet<&[String]>> = BTreeMap::new();
    for (module, file) in &files {
        for path in paths(&fs::read_to_string(file).unwrap()) {
            let above = path.iter().take_while(|word| *word == "super").count();
            let names = path.iter().skip(above.max(1)).cloned();
            let base = if above > 0 { &module[..module.len().saturating_sub(above)] } else { &[] };
            let full: Vec<String> = base.iter().cloned().chain(names).collect();
            let used = (1..=full.len()).rev().find_map(|k| files.get_key_value(&full[..k]));
            if let Some((used, _)) = used.filter(|(used, _)| !used.starts_with(module)) {
                uses.entry(module).or_default().insert(used);
            }
        }
    }
    let count: usize = uses.values().map(BTreeSet::len).sum();
    assert!(count > 500, "only {count} uses were found; does this test still read the sources?");
    // What uses nothing that is left goes; a circle stays.
    let mut left: BTreeSet<&[String]> = files.keys().map(Vec::as_slice).collect();
    loop {
        let is_free = |module: &&[String]| uses.get(module).is_none_or(|used| used.is_disjoint(&left));
        let free: Vec<&[String]> = left.iter().copied().filter(is_free).collect();
        if free.is_empty() {
            break;
        }
        left.retain(|module| !free.contains(module));
    }
    let names: Vec<String> = left.iter().map(|module| module.join("::")).collect();
    assert!(left.is_empty(), "these use each other in circles, or use what does: {names:?}");
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
