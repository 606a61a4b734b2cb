//! Peers that come as Python packages (PyPI): scripts of their own, in the environment that `scripts/bench` has made. Meshes go to them by files.

use fracas::Point;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Result as Written};
use std::path::Path;
use std::process::{Command, Stdio};

const PYTHON: &str = "out/bench/venv/bin/python";

/// A table of numbers as NumPy reads it.
fn write_npy(file: &str, kind: &str, columns: usize, bytes: Vec<u8>) -> Written<()> {
    let rows = bytes.len() / columns / if kind == "<f8" { 8 } else { 4 };
    let mut head = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    // What comes before the numbers is a multiple of 64 long.
    while (10 + head.len() + 1) % 64 != 0 {
        head.push(' ');
    }
    head.push('\n');
    let mut all = b"\x93NUMPY\x01\x00".to_vec();
    all.extend((head.len() as u16).to_le_bytes());
    all.extend(head.bytes());
    all.extend(bytes);
    fs::write(file, all)
}

/// Writes points, a row each.
pub fn write_points(file: &str, points: &[Point]) -> Written<()> {
    write_npy(file, "<f8", 3, points.iter().flat_map(|p| [p.x, p.y, p.z]).flat_map(f64::to_le_bytes).collect())
}

/// Writes the corners of triangles, a row each.
pub fn write_triangles(file: &str, triangles: &[[u32; 3]]) -> Written<()> {
    write_npy(file, "<i4", 3, triangles.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect())
}

/// Runs the script of a peer. It prints a line of JSON per answer, each with a name.
pub fn answers(peer: &str, script: &str, words: &[&str], progress: &dyn Fn(&str)) -> Result<Vec<Value>, String> {
    if !Path::new(PYTHON).exists() {
        return Err(format!("{peer} is not here"));
    }
    let mut command = Command::new(PYTHON);
    command.args(["-c", script]).args(words).stdout(Stdio::piped());
    let mut script = command.spawn().map_err(|why| format!("{peer} does not run: {why}"))?;
    let mut answers = vec![];
    if let Some(out) = script.stdout.take() {
        for line in BufReader::new(out).lines() {
            let line = line.map_err(|why| why.to_string())?;
            let answer: Value = serde_json::from_str(&line).map_err(|why| format!("{peer} said \"{line}\": {why}"))?;
            progress(&format!("{peer}, {}", answer["name"].as_str().unwrap_or_default()));
            answers.push(answer);
        }
    }
    match script.wait() {
        Ok(status) if status.success() => Ok(answers),
        _ => Err(format!("{peer} is not here, or its script fails")),
    }
}

/// A figure of an answer; NaN if it is not there.
pub fn number(answer: Option<&Value>, field: &str) -> f64 {
    answer.and_then(|answer| answer[field].as_f64()).unwrap_or(f64::NAN)
}
