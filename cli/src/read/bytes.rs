//! Words, lines and plain numbers from the front of a file. Formats that mix text and binary are read with one of these.

use std::str::FromStr;

/// What is left of a file.
#[derive(Clone)]
pub struct Scanner<'a> {
    all: &'a [u8],
    at: usize,
}

/// Which end of a number comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The low end.
    Little,
    /// The high end.
    Big,
}

type Result<T> = std::result::Result<T, String>;

impl<'a> Scanner<'a> {
    /// From the start.
    pub fn new(all: &'a [u8]) -> Self {
        Self { all, at: 0 }
    }

    /// What is not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.all.get(self.at..).unwrap_or_default()
    }

    /// Where it is, for messages. Counted only when asked for: files are large and mistakes are few.
    pub fn place(&self) -> String {
        let before = self.all.get(..self.at).unwrap_or(self.all);
        format!("line {}", 1 + before.iter().filter(|b| **b == b'\n').count())
    }

    /// Ends with a message that starts with the place.
    pub fn fail<T>(&self, what: impl std::fmt::Display) -> Result<T> {
        Err(format!("{}: {what}", self.place()))
    }

    /// The next line without its end; `None` at the end of the file.
    pub fn line(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let length = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        self.at += (length + 1).min(rest.len());
        Some(rest[..length].trim_ascii_end())
    }

    /// The next word; `None` at the end of the file.
    pub fn word(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        let skipped = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let word = &rest[skipped..];
        let length = word.iter().take_while(|b| !b.is_ascii_whitespace()).count();
        // Kept at the word's end, so that a message names its line.
        self.at += skipped + length;
        (length > 0).then(|| &word[..length])
    }

    /// The next word as a number.
    pub fn number<T: FromStr>(&mut self, what: &str) -> Result<T> {
        match self.word() {
            Some(word) => match parsed(word) {
                Some(number) => Ok(number),
                None => self.fail(format!("{what} is due, and {} comes", quoted(word))),
            },
            None => self.fail(format!("{what} is due, and the file ends; it was cut short")),
        }
    }

    /// The next word, which must be this one.
    pub fn expect(&mut self, wanted: &str) -> Result<()> {
        match self.word() {
            Some(word) if word.eq_ignore_ascii_case(wanted.as_bytes()) => Ok(()),
            Some(word) => self.fail(format!("{wanted:?} is due, and {} comes", quoted(word))),
            None => self.fail(format!("{wanted:?} is due, and the file ends; it was cut short")),
        }
    }

    /// The next bytes as they are.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        match self.rest().get(..count) {
            Some(taken) => {
                self.at += count;
                Ok(taken)
            }
            None => Err(format!(
                "byte {}: {count} bytes are due and {} are there; the file was cut short",
                self.at,
                self.rest().len()
            )),
        }
    }

    /// A binary number.
    pub fn get<T: Plain>(&mut self, order: Order) -> Result<T> {
        Ok(T::get(self.take(T::SIZE)?, order))
    }

    /// Whether so many elements, each of at least so many bytes, can follow at all.
    pub fn can_hold(&self, what: &str, count: u64, bytes_each: usize) -> Result<usize> {
        match usize::try_from(count).ok().filter(|n| n.checked_mul(bytes_each).is_some_and(|b| b <= self.rest().len()))
        {
            Some(count) => Ok(count),
            None => self.fail(format!(
                "{count} {what} are announced, but only {} bytes follow; the file was cut short or its header is wrong",
                self.rest().len()
            )),
        }
    }

    /// Skips to behind the next occurrence of some bytes; whether there is one.
    pub fn skip_past(&mut self, wanted: &[u8]) -> bool {
        let found = self.rest().windows(wanted.len()).position(|window| window == wanted);
        self.at = found.map_or(self.all.len(), |k| self.at + k + wanted.len());
        found.is_some()
    }

    /// Skips white space, but for what `take` would have to read.
    pub fn skip_space(&mut self) {
        self.at += self.rest().iter().take_while(|b| b.is_ascii_whitespace()).count();
    }
}

/// A word as a number.
pub fn parsed<T: FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// A piece of a file for a message: short and printable.
pub fn quoted(word: &[u8]) -> String {
    let shown: String = word.iter().take(24).flat_map(|b| b.escape_ascii()).map(char::from).collect();
    format!("\"{shown}{}\"", if word.len() > 24 { "…" } else { "" })
}

/// A binary number.
pub trait Plain: Sized {
    /// How many bytes it takes.
    const SIZE: usize;
    /// From exactly as many bytes.
    fn get(bytes: &[u8], order: Order) -> Self;
}

macro_rules! plain {
    ($($number:ty)*) => { $(
        impl Plain for $number {
            const SIZE: usize = size_of::<Self>();
            fn get(bytes: &[u8], order: Order) -> Self {
                let bytes = std::array::from_fn(|k| bytes.get(k).copied().unwrap_or_default());
                match order {
                    Order::Little => Self::from_le_bytes(bytes),
                    Order::Big => Self::from_be_bytes(bytes),
                }
            }
        }
    )* };
}

plain!(i8 u8 i16 u16 i32 u32 i64 u64 f32 f64);
