//! Loading of what Fracas saved: an asset, or objects together with the asset that they are of.

use crate::failure::{Failure, Result};
use crate::files;
use fracas::store::{Content, content};
use fracas::{Asset, Object, load_objects};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An asset, and objects made of it: the intact ones, or those of a file.
pub struct Saved {
    /// The asset.
    pub asset: Arc<Asset>,
    /// The objects.
    pub objects: Vec<Object>,
}

/// Loads a file; objects find their asset among `assets`.
pub fn load(path: &Path, assets: &[PathBuf]) -> Result<Saved> {
    let bytes = files::read(path)?;
    let bad = |e| Failure::data(path, e);
    match content(&bytes).map_err(bad)? {
        Content::Asset { .. } => {
            let asset = Asset::load(&bytes).map_err(bad)?;
            Ok(Saved { objects: Object::intact(&asset), asset })
        }
        Content::Objects { asset: identity, .. } => {
            for other in assets {
                let asset = load_asset(other)?;
                if asset.identity() == identity {
                    return Ok(Saved { objects: load_objects(&bytes, &asset).map_err(bad)?, asset });
                }
            }
            Err(Failure::usage(format!(
                "{}: these are objects of the asset {identity:016x}; name the file of that asset by --asset",
                path.display()
            )))
        }
    }
}

/// Loads a file that must be an asset.
pub fn load_asset(path: &Path) -> Result<Arc<Asset>> {
    Asset::load(&files::read(path)?).map_err(|e| Failure::data(path, e))
}
