//! What the library answers to each pair.

use crate::Result;
use crate::ask::{Ask, Plain};
use crate::files::{read_pairs, write_doubles, write_words};
use fracas::contact::{Mode, QueryOptions};
use rayon::prelude::*;
use std::path::Path;

/// Writes, for each pair, the number of contacts, the number of those with a depth above zero, and the deepest depth
/// (minus infinity without contacts).
pub fn run(folder: &Path, options: &str, name: &str) -> Result<()> {
    let options = match options {
        "default" => QueryOptions::default(),
        "full" => QueryOptions { mode: Mode::Full, ..Default::default() },
        "shortest" => QueryOptions { shortest_way: true, ..Default::default() },
        _ => return Err(format!("there are no options \"{options}\"; there are: default, full, along-normal")),
    };
    let (pool, pairs) = read_pairs(folder)?;
    let ask = Plain(options);
    let answers: Vec<(u32, u32, f64)> = pairs
        .par_iter()
        .map(|pair| {
            let contacts = ask.contacts(pair.bodies.map(|k| &pool.bodies[k].object), &pair.poses, &mut ())?;
            let deepest = contacts.iter().map(|c| c.depth as f64).fold(f64::NEG_INFINITY, f64::max);
            Ok((contacts.len() as u32, contacts.iter().filter(|c| c.depth > 0.0).count() as u32, deepest))
        })
        .collect::<Result<_>>()?;
    write_words(folder, &format!("answers-{name}"), answers.iter().flat_map(|(all, deep, _)| [*all, *deep]))?;
    write_doubles(folder, &format!("answers-{name}"), answers.iter().map(|(.., deepest)| *deepest))?;
    println!("{} pairs asked", pairs.len());
    Ok(())
}
