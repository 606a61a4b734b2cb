//! What the judge reads: `index.json` and raw little-endian arrays beside it, each named after its content and its type.

use crate::Result;
use crate::pool::{Kind, Pool, joined};
use fracas::geom::Pose;
use nalgebra::{Quaternion, Translation3, UnitQuaternion};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Two bodies of a pool in their poses, of a category.
#[derive(Clone, Copy)]
pub struct Placed {
    pub bodies: [usize; 2],
    pub poses: [Pose; 2],
    pub category: usize,
}

/// Writes a list of numbers.
pub fn write_doubles(folder: &Path, name: &str, numbers: impl IntoIterator<Item = f64>) -> Result<()> {
    let bytes: Vec<u8> = numbers.into_iter().flat_map(f64::to_le_bytes).collect();
    write(folder, &format!("{name}.f64"), &bytes)
}

/// Writes a list of whole numbers.
pub fn write_words(folder: &Path, name: &str, numbers: impl IntoIterator<Item = u32>) -> Result<()> {
    let bytes: Vec<u8> = numbers.into_iter().flat_map(u32::to_le_bytes).collect();
    write(folder, &format!("{name}.u32"), &bytes)
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let path = folder.join(name);
    fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}

fn read(folder: &Path, name: &str) -> Result<Vec<u8>> {
    let path = folder.join(name);
    fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Seven numbers: position, then rotation as x, y, z, w.
pub fn pose_numbers(pose: &Pose) -> impl Iterator<Item = f64> {
    let (at, turn) = (pose.translation.vector, pose.rotation.coords);
    [at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w].into_iter()
}

fn pose_of(numbers: &[f64]) -> Pose {
    let turn = Quaternion::new(numbers[6], numbers[3], numbers[4], numbers[5]);
    // Not normalised again: the judge shall see the same bits.
    Pose::from_parts(Translation3::new(numbers[0], numbers[1], numbers[2]), UnitQuaternion::new_unchecked(turn))
}

/// Writes the bodies and the pairs of a run; `more` goes into the index.
pub fn write_pairs(
    folder: &Path,
    (kind, seed): (Kind, u64),
    pool: &Pool,
    categories: &[String],
    pairs: &[Placed],
    more: Value,
) -> Result<()> {
    let (told, meshes) = pool.told();
    let index = json!({
        "kind": kind.name(),
        "seed": seed,
        "hash": format!("{:016x}", pool.hash()),
        "categories": categories,
        "meshes": meshes.iter().map(|mesh| [mesh.points.len(), mesh.triangles.len()]).collect::<Vec<_>>(),
    });
    let index = joined(joined(index, told), more);
    write(folder, "index.json", index.to_string().as_bytes())?;
    let points = meshes.iter().flat_map(|mesh| mesh.points.iter().flat_map(|p| [p.x, p.y, p.z]));
    write_doubles(folder, "points", points)?;
    write_words(folder, "triangles", meshes.iter().flat_map(|mesh| mesh.triangles.iter().copied().flatten()))?;
    let numbers = |pair: &Placed| [pair.bodies[0] as u32, pair.bodies[1] as u32, pair.category as u32];
    write_words(folder, "pairs", pairs.iter().flat_map(numbers))?;
    write_doubles(folder, "poses", pairs.iter().flat_map(|pair| pair.poses.iter().flat_map(pose_numbers)))
}

/// Reads the pairs of a run and makes its bodies again.
pub fn read_pairs(folder: &Path) -> Result<(Pool, Vec<Placed>)> {
    let index: Value = serde_json::from_slice(&read(folder, "index.json")?).map_err(|e| e.to_string())?;
    let kind = Kind::named(index["kind"].as_str().unwrap_or_default())?;
    let seed = index["seed"].as_u64().ok_or("index.json has no seed")?;
    let pool = Pool::new(kind, seed)?;
    if index["hash"].as_str() != Some(&format!("{:016x}", pool.hash())) {
        return Err(format!(
            "{}: its bodies are not those that the library makes now; make the pairs again",
            folder.display()
        ));
    }
    let words: Vec<u32> =
        read(folder, "pairs.u32")?.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    let numbers: Vec<f64> =
        read(folder, "poses.f64")?.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    let placed = |(words, numbers): (&[u32; 3], &[f64; 14])| Placed {
        bodies: [words[0] as usize, words[1] as usize],
        poses: [pose_of(&numbers[..7]), pose_of(&numbers[7..])],
        category: words[2] as usize,
    };
    let pairs: Vec<Placed> = words.as_chunks().0.iter().zip(numbers.as_chunks().0).map(placed).collect();
    match pairs.iter().flat_map(|pair| pair.bodies).all(|k| k < pool.bodies.len()) {
        true => Ok((pool, pairs)),
        false => Err(format!("{}: a pair has a body that is not there", folder.display())),
    }
}
