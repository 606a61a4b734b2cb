//! What a saved block holds, without loading it.

use super::bytes::Reader;
use super::envelope::{Kind, open};
use crate::error::Result;

/// What a saved block holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content {
    /// An asset, for [`Asset::load`](crate::Asset::load).
    Asset {
        /// Version of the format.
        version: u32,
    },
    /// Objects, for [`load_objects`](super::load_objects).
    Objects {
        /// Version of the format.
        version: u32,
        /// How many.
        count: u32,
        /// The [identity](crate::Asset::identity) of the asset that they are of.
        asset: u64,
        /// Its density.
        density: f64,
    },
}

/// Tells what a saved block holds. Its checksum is verified, and no more: loading may still refuse it.
pub fn content(bytes: &[u8]) -> Result<Content> {
    if bytes.get(8..12) != Some(&(Kind::Objects as u32).to_le_bytes()) {
        let (_, version) = open(Kind::Asset, bytes)?;
        return Ok(Content::Asset { version });
    }
    let (content, version) = open(Kind::Objects, bytes)?;
    let mut from = Reader::new(content);
    let (asset, density) = from.section(b"OF  ", |from| Ok((from.get()?, from.get()?)))?;
    from.section(b"BRKS", |from| from.pass_over())?;
    let count = from.section(b"OBJS", |from| {
        let count = from.get()?;
        from.pass_over()?;
        Ok(count)
    })?;
    Ok(Content::Objects { version, count, asset, density })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Asset, CookOptions, FractureOptions, Object, Pattern, fracture, save_objects, shapes};

    #[test]
    fn blocks_say_what_they_hold() {
        let asset = Asset::cook(shapes::ball(0.1, 6), &CookOptions { density: 7.5, ..Default::default() }).unwrap();
        assert_eq!(content(&asset.save()), Ok(Content::Asset { version: 1 }));
        let ball = &Object::intact(&asset)[0];
        let how = (Pattern::random_voronoi(5, 1), FractureOptions::default());
        let pieces = fracture(ball, &how.0, &how.1).unwrap().broken().unwrap().objects;
        let mut bytes = save_objects(&pieces).unwrap();
        let expected =
            Content::Objects { version: 4, count: pieces.len() as u32, asset: asset.identity(), density: 7.5 };
        assert_eq!(content(&bytes), Ok(expected));
        bytes[100] ^= 1;
        assert!(content(&bytes).unwrap_err().to_string().contains("checksum"));
        assert!(content(&bytes[..20]).is_err() && content(&[]).is_err());
    }
}
