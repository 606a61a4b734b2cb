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
    /// Whether the file is the asset, and the objects its bodies.
    pub is_asset: bool,
}

/// Loads a file; objects find their asset among `assets`.
pub fn load(path: &Path, assets: &[PathBuf]) -> Result<Saved> {
    let bytes = files::read(path)?;
    let bad = |e| Failure::data(path, e);
    match content(&bytes).map_err(bad)? {
        Content::Asset { .. } => {
            let asset = Asset::load(&bytes).map_err(bad)?;
            Ok(Saved { objects: Object::intact(&asset), asset, is_asset: true })
        }
        Content::Objects { asset: identity, .. } => {
            for other in assets {
                let asset = load_asset(other)?;
                if asset.identity() == identity {
                    let objects = load_objects(&bytes, &asset).map_err(bad)?;
                    return Ok(Saved { objects, asset, is_asset: false });
                }
            }
            Err(Failure::usage(format!(
                "{}: these are objects of the asset {identity:016x}; name the file of that asset by --asset",
                path.display()
            )))
        }
    }
}

/// So many cells for the bodies of an asset, which are not connected: shared by volume, at least one each. What is left over
/// goes to those that came off worst.
pub fn shared(cells: u32, bodies: &[Object]) -> Vec<u32> {
    let volumes: Vec<f64> = bodies.iter().map(|body| body.mass().volume).collect();
    let total: f64 = volumes.iter().sum();
    let fair: Vec<f64> = volumes.iter().map(|volume| f64::from(cells) * volume / total).collect();
    let mut shares: Vec<u32> = fair.iter().map(|share| (*share as u32).max(1)).collect(); // casting saturates
    for _ in shares.iter().map(|share| u64::from(*share)).sum::<u64>()..u64::from(cells) {
        let lacks = |k: &usize| fair[*k] - f64::from(shares[*k]);
        let Some(worst) = (0..shares.len()).max_by(|a, b| lacks(a).total_cmp(&lacks(b)).then(b.cmp(a))) else { break };
        shares[worst] += 1;
    }
    shares
}

/// Loads a file that must be an asset.
pub fn load_asset(path: &Path) -> Result<Arc<Asset>> {
    Asset::load(&files::read(path)?).map_err(|e| Failure::data(path, e))
}
