//! `include/fracas.h` is what cbindgen makes of `src/ffi/`: this fails when it is stale.
//!
//! The header is checked in, so that a studio builds without cbindgen and without a network. `scripts/header` writes it anew.

use std::fs;
use std::path::{Path, PathBuf};

/// The chapters of the header and the sources that they come from. In each: constants, types, functions, so that a descriptor
/// stands right above the call that takes it.
const CHAPTERS: [(&str, &[&str]); 15] = [
    ("Version", &["version"]),
    ("Results", &["status"]),
    ("Plain types and handles", &["types"]),
    ("The library: hooks and shutdown", &["alloc", "hooks", "library"]),
    ("Assets: cook once", &["asset"]),
    ("Objects: rigid bodies, intact or fragments", &["object", "planes", "surface", "drawing", "tets", "convex"]),
    ("Fracture", &["fracture"]),
    ("Saving and loading", &["saved"]),
    ("Shapes to query against", &["shape", "hull"]),
    ("Queries: contacts", &["query", "batch"]),
    ("Sweeps and distances", &["sweep", "distance"]),
    ("Scenes: triangle meshes that deform and break", &["scene", "bodies", "ccd", "collision"]),
    ("Soft bodies: tetrahedra that deform and are cut, penalty forces", &["soft", "penalty"]),
    ("Trees of cubes: contacts as far as a budget or a deadline allows", &["voxtree", "voxquery"]),
    ("Debug draw", &["draw"]),
];

/// Structs that a caller fills, and the functions that do it; then those that the library fills.
const GIVEN: [(&str, &str); 16] = [
    ("fc_asset_desc", "desc"),
    ("fc_object_desc", "desc"),
    ("fc_convex_desc", "desc"),
    ("fc_fracture_desc", "desc"),
    ("fc_shape", "shape"),
    ("fc_query_desc", "desc"),
    ("fc_sweep_desc", "desc"),
    ("fc_scene_desc", "desc"),
    ("fc_body_mesh", "mesh"),
    ("fc_body_desc", "desc"),
    ("fc_ccd_desc", "desc"),
    ("fc_soft_desc", "desc"),
    ("fc_penalty_desc", "desc"),
    ("fc_voxtree_desc", "desc"),
    ("fc_voxtree_query_desc", "desc"),
    ("fc_debug_draw", "draw"),
];
const TAKEN: [(&str, &str); 12] = [
    ("fc_asset_info", "info"),
    ("fc_object_info", "info"),
    ("fc_object_memory", "memory"),
    ("fc_drawing_info", "info"),
    ("fc_fracture_info", "info"),
    ("fc_query_stats", "stats"),
    ("fc_scene_info", "info"),
    ("fc_scene_stats", "stats"),
    ("fc_soft_info", "info"),
    ("fc_penalty_stats", "stats"),
    ("fc_voxtree_info", "info"),
    ("fc_refinement", "refinement"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn source(name: &str) -> PathBuf {
    root().join("src/ffi").join(name).with_extension("rs")
}

fn generated() -> String {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).unwrap();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for name in CHAPTERS.iter().flat_map(|(_, sources)| *sources) {
        builder = builder.with_src(source(name));
    }
    let mut bytes = vec![];
    builder.generate().unwrap().write(&mut bytes);
    let opening = fs::read_to_string(root().join("tests/header/opening.h")).unwrap();
    let body = chapters(&String::from_utf8(bytes).unwrap());
    format!(
        "{opening}\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n{body}\n#ifdef __cplusplus\n}}\n#endif\n{}\n#endif /* FRACAS_H */\n",
        defaults()
    )
}

/// cbindgen groups by kind; here what belongs together comes together.
fn chapters(text: &str) -> String {
    let items: Vec<String> = text.split("\n\n").map(tidy).filter(|item| !item.is_empty()).collect();
    let mut placed = 0;
    let mut body = String::new();
    for (title, sources) in CHAPTERS {
        let sources: Vec<String> = sources.iter().map(|name| fs::read_to_string(source(name)).unwrap()).collect();
        let ours = |item: &&String| {
            let name = name_of(item);
            let defines = |text: &String| {
                ["fn", "struct", "type", "const"].iter().any(|kind| {
                    [":", "(", " "].iter().any(|end| {
                        text.contains(&format!("pub {kind} {name}{end}"))
                            || text.contains(&format!("extern \"C\" {kind} {name}{end}"))
                    })
                })
            };
            sources.iter().any(defines)
        };
        body += &format!("\n/* {title} {} */\n", "-".repeat(112 - title.len()));
        let chapter: Vec<&String> = items.iter().filter(ours).collect();
        for kind in [0, 1, 2] {
            let mut constant_before = false;
            for item in chapter.iter().filter(|item| kind_of(item) == kind) {
                // Constants of one line each stand together.
                let short = kind == 0 && item.lines().count() <= 2;
                body += if constant_before && short { "" } else { "\n" };
                body += &format!("{item}\n");
                constant_before = short;
                placed += 1;
            }
        }
    }
    assert_eq!(placed, items.len(), "some items of cbindgen are in no chapter");
    body
}

/// The status type comes before its values, so it counts as a constant.
fn kind_of(item: &str) -> usize {
    match () {
        () if item.contains("\n#define ") || item.contains("typedef int32_t fc_status") => 0,
        () if item.contains("\nFC_API ") => 2,
        () => 1,
    }
}

fn name_of(item: &str) -> &str {
    let line = item.lines().find(|l| ["#define", "typedef", "FC_API"].iter().any(|k| l.starts_with(k))).unwrap();
    let end = |text: &'static str| move |c: char| text.contains(c);
    match line.split_once("(*") {
        Some((start, rest)) if start.starts_with("typedef") => rest.split(')').next().unwrap(),
        _ if line.starts_with("FC_API") => line.split('(').next().unwrap().rsplit(end(" *")).next().unwrap(),
        _ if line.starts_with("typedef struct") => line.split(' ').nth(2).unwrap(),
        _ if line.starts_with("typedef") => line.trim_end_matches(';').rsplit(' ').next().unwrap(),
        _ => line.split(' ').nth(1).unwrap(),
    }
}

/// One item as we want it: no notes for Rust (the conventions say what they say), short comments on one line, no `struct`
/// where the name alone will do.
fn tidy(item: &str) -> String {
    let mut kept: Vec<String> = vec![];
    let mut skipping = false;
    for line in item.lines() {
        skipping |= line.trim() == "* # Safety";
        let ends = line.trim() == "*/";
        if ends {
            skipping = false;
            while kept.last().is_some_and(|l| l.trim() == "*") {
                kept.pop();
            }
        }
        if skipping {
            continue;
        }
        let opened = kept.len() >= 2 && kept[kept.len() - 2].trim() == "/**";
        if ends && opened {
            let text = kept.pop().unwrap().trim().trim_start_matches("* ").to_string();
            let indent = kept.pop().unwrap().replace("/**", "");
            kept.push(format!("{indent}/** {text} */"));
        } else if kept.last().is_some_and(|l| l == "FC_API") {
            kept.pop();
            kept.push(format!("FC_API {line}"));
        } else {
            kept.push(line.replace("4294967295", "0xffffffffu"));
        }
    }
    let text = kept.join("\n").trim().to_string();
    if text.contains("typedef struct") {
        let (first, rest) = text.split_at(text.find("typedef struct").unwrap() + 14);
        return format!("{first}{}", rest.replace(" struct ", " "));
    }
    let text = text.replace("(struct ", "(").replace(" struct ", " ");
    match text.find("FC_API ") {
        Some(start) => format!("{}{}", &text[..start], wrapped(&text[start..])),
        None => text.split_once(" -").map_or(text.clone(), |_| bracketed(&text)),
    }
}

/// Negative numbers in brackets, lest they join what is before them.
fn bracketed(define: &str) -> String {
    match define.rsplit_once(' ') {
        Some((name, number)) if define.contains("#define") && number.starts_with('-') => format!("{name} ({number})"),
        _ => define.to_string(),
    }
}

/// A declaration in lines of up to 120 characters, its arguments below each other.
fn wrapped(declaration: &str) -> String {
    let words: Vec<&str> = declaration.split_whitespace().collect();
    let line = words.join(" ");
    let indent = line.find('(').unwrap() + 1;
    let mut lines = vec![String::new()];
    for argument in line.split_inclusive(", ") {
        if lines.last().unwrap().len() + argument.trim_end().len() > 120 {
            lines.push(" ".repeat(indent));
        }
        lines.last_mut().unwrap().push_str(argument);
    }
    lines.iter().map(|l| l.trim_end()).collect::<Vec<_>>().join("\n")
}

/// The functions that must be inline.
fn defaults() -> String {
    let mut text = String::from(
        "\n/* Defaults. Inline, because the size is that of the struct your program was compiled with. */\n",
    );
    for (name, argument) in GIVEN {
        text += &format!(
            "\n/** Fills it with the defaults. */\nFC_INLINE void {name}_default({name} *{argument}) {{\n    {name}_init({argument}, (uint32_t)sizeof *{argument});\n}}\n"
        );
    }
    for (name, argument) in TAKEN {
        text += &format!(
            "\n/** Prepares it as an output: sets its size and clears the rest. */\nFC_INLINE void {name}_default({name} *{argument}) {{\n    memset({argument}, 0, sizeof *{argument});\n    {argument}->struct_size = (uint32_t)sizeof *{argument};\n}}\n"
        );
    }
    text
}

#[test]
fn the_header_is_what_the_sources_say() {
    let path = root().join("include/fracas.h");
    let wanted = generated();
    if std::env::var_os("FRACAS_WRITE_HEADER").is_some() {
        fs::write(&path, &wanted).unwrap();
        return;
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let differs = found.lines().zip(wanted.lines()).position(|(a, b)| a != b);
    assert!(found == wanted, "include/fracas.h is stale from line {:?} on; run scripts/header", differs.map(|k| k + 1));
}

/// Every exported function is documented, is in the C++ wrapper or in the list of those that need none, and is used by a C
/// or C++ test.
#[test]
fn every_function_is_tested_from_c() {
    let header = fs::read_to_string(root().join("include/fracas.h")).unwrap();
    let mut sources = String::new();
    for folder in ["tests/capi", "include"] {
        for file in fs::read_dir(root().join(folder)).unwrap() {
            let path = file.unwrap().path();
            if ["c", "cpp", "hpp", "h"].iter().any(|e| path.extension().is_some_and(|x| x == *e)) && !is_header(&path) {
                sources += &fs::read_to_string(&path).unwrap();
            }
        }
    }
    let names = functions(&header);
    assert!(names.len() > 40, "{names:?}");
    for name in names {
        assert!(sources.contains(&format!("{name}(")), "no C test calls {name}");
    }
}

/// The example of the README is the one that CTest runs.
#[test]
fn the_example_of_the_readme_is_run() {
    let program = fs::read_to_string(root().join("cpp_examples/01_hello_contact/main.cpp")).unwrap();
    let (_, rest) = program.split_once("// [readme]\n").unwrap();
    let (example, _) = rest.split_once("// [/readme]").unwrap();
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.contains(&format!("```cpp\n{example}```\n")), "README.md and 01_hello_contact differ");
    let lines = example.lines().filter(|l| !l.trim().is_empty() && !l.trim().starts_with("//")).count();
    assert!(lines <= 22, "{lines} lines");
}

/// Every struct of the header is in the list of sizes that the C side compares.
#[test]
fn every_struct_has_its_size_on_the_list() {
    let header = fs::read_to_string(root().join("include/fracas.h")).unwrap();
    let list = fs::read_to_string(root().join("tests/capi/layout.txt")).unwrap();
    let structs: Vec<&str> = header.split("typedef struct ").skip(1).filter_map(|s| s.split(' ').next()).collect();
    assert!(structs.len() > 20);
    for name in &structs {
        assert!(list.contains(&format!("{name} ")), "{name} is not in tests/capi/layout.txt");
    }
    assert_eq!(list.lines().count(), structs.len());
}

fn is_header(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "fracas.h")
}

fn functions(header: &str) -> Vec<String> {
    let declared =
        header.split("\nFC_API ").skip(1).filter_map(|rest| rest.split('(').next()?.split([' ', '*']).next_back());
    declared.map(str::to_string).collect()
}
