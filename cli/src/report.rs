//! What a subcommand has to say at the end: as text, or as one JSON object.

use crate::failure::{Failure, Result};
use serde_json::{Value, json};
use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

/// For `--help`.
pub const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  what is in a file is bad: damaged, not closed, of another kind; stderr says where
  2  the command was called in a way that makes no sense
  3  a file cannot be read or written";

/// The outcome of a subcommand.
#[derive(Debug, Default)]
pub struct Report {
    /// For people, whole lines.
    pub text: String,
    /// For programs.
    pub json: Value,
}

impl Report {
    /// An empty one.
    pub fn new() -> Self {
        Self { text: String::new(), json: json!({}) }
    }

    /// Adds a line with a name and a value, and the value to the JSON.
    pub fn line(&mut self, key: &str, name: &str, shown: impl Display, value: impl Into<Value>) {
        self.text.push_str(&format!("{name:<16}{shown}\n"));
        self.put(key, value);
    }

    /// Adds a value that only programs see.
    pub fn put(&mut self, key: &str, value: impl Into<Value>) {
        if let Value::Object(map) = &mut self.json {
            map.insert(key.into(), value.into());
        }
    }

    /// Adds text that only people see.
    pub fn say(&mut self, text: impl Display) {
        self.text.push_str(&format!("{text}\n"));
    }

    /// Adds sentences that people should read.
    pub fn remarks(&mut self, remarks: &[String]) {
        remarks.iter().for_each(|remark| self.say(format!("remark: {remark}")));
        self.put("remarks", remarks.to_vec());
    }
}

/// Prints the outcome, and says with which code to end.
pub fn finish(outcome: Result<Report>, json: bool) -> ExitCode {
    let (out, code) = match &outcome {
        Ok(report) if json => (format!("{}\n", report.json), ExitCode::SUCCESS),
        Ok(report) => (report.text.clone(), ExitCode::SUCCESS),
        Err(Failure { kind, message }) => {
            // Nothing can be done if stderr is closed.
            let _ = writeln!(std::io::stderr(), "fracas: {message}");
            let object = json!({ "error": message, "code": *kind as u8 });
            (if json { format!("{object}\n") } else { String::new() }, ExitCode::from(*kind as u8))
        }
    };
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(out.as_bytes()).and_then(|_| stdout.flush()) {
        // Whoever reads may have seen enough: `fracas info x | head -1`.
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "fracas: the outcome cannot be printed: {e}");
            ExitCode::from(crate::failure::Kind::File as u8)
        }
        _ => code,
    }
}

/// How many there are of something: "1 cell", "2 cells".
pub fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// Bytes for people.
pub fn size(bytes: usize) -> String {
    match bytes as f64 {
        b if b >= 1e9 => format!("{:.2} GB", b / 1e9),
        b if b >= 1e6 => format!("{:.1} MB", b / 1e6),
        b if b >= 1e3 => format!("{:.1} kB", b / 1e3),
        b => format!("{b} B"),
    }
}

/// A length, an area, a mass: four digits that matter, whatever the size.
pub fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        a if (1e-3..1e5).contains(&a) => {
            let digits = (3 - a.log10().floor() as i32).max(0) as usize;
            let text = format!("{value:.digits$}");
            if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
        }
        _ => format!("{value:.3e}"),
    }
}

/// The most memory that this process has had; on Linux.
pub fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}
