//! How the command fails: one sentence for stderr, and an exit code.

use std::fmt;
use std::path::Path;

/// Why the command could not do its work.
#[derive(Debug)]
pub struct Failure {
    /// What kind, and so the exit code.
    pub kind: Kind,
    /// What, where, and what to do about it.
    pub message: String,
}

/// Kinds of failures by their exit codes; 0 is success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The data in a file is bad.
    Data = 1,
    /// The command was called in a way that makes no sense.
    Usage = 2,
    /// A file cannot be read or written.
    File = 3,
}

/// Shorthand for everything here that can fail.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// What is in a file is bad.
    pub fn data(path: &Path, what: impl fmt::Display) -> Self {
        Self { kind: Kind::Data, message: format!("{}: {what}", path.display()) }
    }

    /// The options make no sense.
    pub fn usage(what: impl fmt::Display) -> Self {
        Self { kind: Kind::Usage, message: what.to_string() }
    }

    /// A file cannot be read or written.
    pub fn file(path: &Path, what: impl fmt::Display) -> Self {
        Self { kind: Kind::File, message: format!("{}: {what}", path.display()) }
    }

    /// What the library says about something that came from a file: bad options are the caller's, the rest is the file's.
    pub fn of_library(path: &Path, error: fracas::Error) -> Self {
        match error {
            fracas::Error::InvalidArgument(text) => Self::usage(format!("{}: {text}", path.display())),
            error => Self::data(path, error),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
