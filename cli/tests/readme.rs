//! The command lines of README.md, as they stand there, in a folder like a fresh clone.

use std::path::Path;
use std::process::Command;

/// Lines of shell blocks that call the command.
fn command_lines(text: &str) -> Vec<String> {
    let mut lines = vec![];
    let mut is_shell = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(language) => is_shell = !is_shell && language == "sh",
            None if is_shell && line.starts_with("fracas ") => lines.push(line.to_string()),
            None => {}
        }
    }
    lines
}

/// The files that a command says it writes.
fn outputs(line: &str) -> Vec<&str> {
    let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    words.windows(2).filter(|pair| ["-o", "--save"].contains(&pair[0])).map(|pair| pair[1]).collect()
}

#[test]
fn every_command_line_of_the_readme_runs_as_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let lines = command_lines(&std::fs::read_to_string(root.join("README.md")).unwrap());
    assert!(lines.len() >= 7, "{lines:?}");
    let folder = tempfile::tempdir().unwrap();
    // What they may need of a clone.
    std::fs::create_dir(folder.path().join("samples")).unwrap();
    for file in std::fs::read_dir(root.join("samples")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), folder.path().join("samples").join(file.file_name())).unwrap();
    }
    let command = Path::new(env!("CARGO_BIN_EXE_fracas")).parent().unwrap();
    let path = std::env::join_paths(
        [command.to_path_buf()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let path = path.unwrap();
    for line in &lines {
        let output =
            Command::new("sh").args(["-c", line]).current_dir(folder.path()).env("PATH", &path).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        for name in outputs(line) {
            assert!(std::fs::metadata(folder.path().join(name)).unwrap().len() > 0, "{line} does not write {name}");
        }
    }
    println!("readme: {} command lines run as written", lines.len());
}
