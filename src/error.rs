//! What can go wrong, each with one helpful sentence: what is the matter, where, and what to do about it.

use std::fmt;

/// Why a call could not do its work. Nothing was changed by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The mesh is not a solid: names the culprit by index and value.
    InvalidMesh(String),
    /// An argument is out of its range or does not fit the object.
    InvalidArgument(String),
    /// Saved data cannot be loaded: damaged, of another version, of another kind, or of another asset.
    InvalidData(String),
    /// More elements than 32-bit numbers can name, or than the memory holds.
    TooLarge(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::InvalidMesh(text) | Self::InvalidArgument(text) | Self::InvalidData(text) | Self::TooLarge(text)) =
            self;
        f.write_str(text)
    }
}

impl std::error::Error for Error {}

/// Shorthand for the fallible calls of the crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Ends the calling function with an [`Error::InvalidMesh`].
macro_rules! bad_mesh {
    ($($text:tt)*) => { return Err($crate::error::Error::InvalidMesh(format!($($text)*))) };
}

/// Ends the calling function with an [`Error::InvalidArgument`].
macro_rules! bad_argument {
    ($($text:tt)*) => { return Err($crate::error::Error::InvalidArgument(format!($($text)*))) };
}

/// Ends the calling function with an [`Error::InvalidData`].
macro_rules! bad_data {
    ($($text:tt)*) => { return Err($crate::error::Error::InvalidData(format!($($text)*))) };
}

pub(crate) use {bad_argument, bad_data, bad_mesh};
