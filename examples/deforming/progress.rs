//! How far a run is: on a terminal in one line that changes, in logs as a line now and then.

use std::fmt::Display;
use std::io::{IsTerminal, Result, Write, stdout};
use std::time::{Duration, Instant};

/// Between the lines of a log.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

pub struct Progress {
    quiet: bool,
    last: Instant,
}

impl Progress {
    pub fn new(quiet: bool) -> Self {
        Self { quiet, last: Instant::now() }
    }

    pub fn tell(&mut self, words: impl Display) -> Result<()> {
        let mut out = stdout().lock();
        if self.quiet || (!out.is_terminal() && self.last.elapsed() < BETWEEN_LINES) {
            return Ok(());
        }
        self.last = Instant::now();
        // Clears what a longer line has left.
        if out.is_terminal() { write!(out, "\r{words}\x1b[K") } else { writeln!(out, "{words}") }?;
        out.flush()
    }

    /// Before the outcome is printed: takes away the line that told how far it was.
    pub fn end(self) {
        if !self.quiet && stdout().is_terminal() {
            print!("\r\x1b[K");
        }
    }
}
