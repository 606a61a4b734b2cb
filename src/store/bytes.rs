//! Plain values as bytes, little-endian, and back. Nothing is allocated for elements that the bytes cannot hold.

use crate::error::{Result, bad_data};
use crate::geom::Point;

/// A value whose bytes are the same on every machine.
pub trait Plain: Copy {
    /// How many bytes it takes.
    const SIZE: usize;
    /// Appends them.
    fn put(self, to: &mut Vec<u8>);
    /// From at least as many bytes.
    fn get(from: &[u8]) -> Self;
}

macro_rules! plain_number {
    ($($number:ty)*) => { $(
        impl Plain for $number {
            const SIZE: usize = size_of::<Self>();
            fn put(self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }
            fn get(from: &[u8]) -> Self {
                Self::from_le_bytes(std::array::from_fn(|k| from[k]))
            }
        }
    )* };
}

plain_number!(u8 u16 u32 u64 f32 f64);

impl<T: Plain, const N: usize> Plain for [T; N] {
    const SIZE: usize = N * T::SIZE;
    fn put(self, to: &mut Vec<u8>) {
        self.into_iter().for_each(|part| part.put(to));
    }
    fn get(from: &[u8]) -> Self {
        std::array::from_fn(|k| T::get(&from[k * T::SIZE..]))
    }
}

impl Plain for Point {
    const SIZE: usize = <[f64; 3]>::SIZE;
    fn put(self, to: &mut Vec<u8>) {
        [self.x, self.y, self.z].put(to);
    }
    fn get(from: &[u8]) -> Self {
        Point::from(<[f64; 3]>::get(from))
    }
}

/// Tells sections apart, in four letters.
pub type Tag = [u8; 4];

/// Puts values one behind the other.
#[derive(Default)]
pub struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    /// Appends a value.
    pub fn put(&mut self, value: impl Plain) {
        value.put(&mut self.bytes);
    }

    /// Appends a list: its length, and its elements.
    pub fn list<T: Plain>(&mut self, list: impl ExactSizeIterator<Item = T>) {
        self.bytes.reserve(4 + list.len() * T::SIZE);
        self.put(list.len() as u32);
        list.for_each(|element| self.put(element));
    }

    /// Appends a section: tag, length, and what `fill` puts into it.
    pub fn section(&mut self, tag: &Tag, fill: impl FnOnce(&mut Self)) {
        self.put(*tag);
        let length_at = self.bytes.len();
        self.put(0u64);
        let start = self.bytes.len();
        fill(self);
        let length = (self.bytes.len() - start) as u64;
        self.bytes[length_at..start].copy_from_slice(&length.to_le_bytes());
    }
}

/// Takes values from the front of some bytes.
pub struct Reader<'a> {
    left: &'a [u8],
    /// The section it is in, for messages.
    tag: Tag,
}

impl<'a> Reader<'a> {
    /// Of sections.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes, tag: *b"file" }
    }

    fn name(&self) -> String {
        self.tag.escape_ascii().to_string()
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let Some((taken, left)) = self.left.split_at_checked(count) else {
            bad_data!("section {} ends early: {count} bytes are due and {} are there", self.name(), self.left.len());
        };
        self.left = left;
        Ok(taken)
    }

    /// A value.
    pub fn get<T: Plain>(&mut self) -> Result<T> {
        self.take(T::SIZE).map(T::get)
    }

    /// A list.
    pub fn list<T: Plain>(&mut self) -> Result<Vec<T>> {
        let count: u32 = self.get()?;
        self.exactly(count as usize)
    }

    /// So many elements that stand without their number.
    pub fn exactly<T: Plain>(&mut self, count: usize) -> Result<Vec<T>> {
        let bytes = self.take(count.saturating_mul(T::SIZE))?;
        Ok(bytes.chunks_exact(T::SIZE).map(T::get).collect())
    }

    /// A text.
    pub fn text(&mut self) -> Result<String> {
        match String::from_utf8(self.list()?) {
            Ok(text) => Ok(text),
            Err(_) => bad_data!("a text in section {} is not UTF-8", self.name()),
        }
    }

    /// The section with this tag, which must be next: all of it is to be read by `read`.
    pub fn section<T>(&mut self, tag: &Tag, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        match self.optional(tag, read)? {
            Some(found) => Ok(found),
            None => bad_data!(
                "section {} is due, but {} comes",
                tag.escape_ascii(),
                self.left.get(..4).map_or("the end".into(), |next| next.escape_ascii().to_string())
            ),
        }
    }

    /// The same for a section that need not be there.
    pub fn optional<T>(&mut self, tag: &Tag, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<Option<T>> {
        if !self.left.starts_with(tag) {
            return Ok(None);
        }
        self.take(tag.len())?;
        let length: u64 = self.get()?;
        let left = self.take(usize::try_from(length).unwrap_or(usize::MAX))?;
        let mut inner = Self { left, tag: *tag };
        let found = read(&mut inner)?;
        inner.end()?;
        Ok(Some(found))
    }

    /// Skips what is left.
    pub fn pass_over(&mut self) -> Result<()> {
        self.left = &[];
        Ok(())
    }

    /// Nothing may be left.
    pub fn end(&self) -> Result<()> {
        match self.left.len() {
            0 => Ok(()),
            left => bad_data!("section {} has {left} bytes too many", self.name()),
        }
    }
}
