//! Whether contacts can be trusted: `scripts/trust`.
//!
//! `pairs` makes bodies and poses and writes them down (`files`), `query` writes what the library answers, `pushout` moves
//! bodies along their contacts and writes where they end; `shots` sweeps fragments at plates and judges by brute force itself. What is true, `judge.py` finds out: with manifold3d, from
//! corner lists, skins and seeds rather than from our surfaces wherever it can.

mod ask;
mod common;
mod files;
mod fragments;
mod pairs;
mod pool;
mod pushout;
mod query;
mod shots;

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
fracas-trust pairs --kind few|fragments --count N --seed S --out DIR
fracas-trust query --dir DIR [--options default|full|along-normal] [--name NAME]
fracas-trust pushout --count N --seed S --out DIR
fracas-trust shots --count N --seed S [--markdown FILE]";

type Result<T> = std::result::Result<T, String>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let command = words.next().ok_or(USAGE)?;
    let mut given = Given(HashMap::new());
    while let Some(word) = words.next() {
        let name = word.strip_prefix("--").ok_or_else(|| format!("\"{word}\" is no option\n{USAGE}"))?;
        let value = words.next().ok_or_else(|| format!("--{name} needs a value\n{USAGE}"))?;
        given.0.insert(name.into(), value);
    }
    match command.as_str() {
        "pairs" => {
            let kind = pool::Kind::named(&given.take("kind", None)?)?;
            let (count, seed) = (given.number("count", "10000")?, given.number("seed", "1")?);
            let folder = given.folder("out")?;
            given.finish()?;
            pairs::run(kind, count as usize, seed, &folder)
        }
        "query" => {
            let options = given.take("options", Some("default"))?;
            let name = given.take("name", Some(&options))?;
            let folder = given.folder("dir")?;
            given.finish()?;
            query::run(&folder, &options, &name)
        }
        "pushout" => {
            let (count, seed) = (given.number("count", "2000")?, given.number("seed", "1")?);
            let folder = given.folder("out")?;
            given.finish()?;
            pushout::run(count as usize, seed, &folder)
        }
        "shots" => {
            let (count, seed) = (given.number("count", "10000")?, given.number("seed", "1")?);
            let table = given.0.remove("markdown").map(PathBuf::from);
            given.finish()?;
            shots::run(count as usize, seed, table.as_deref())
        }
        _ => Err(format!("there is no command \"{command}\"\n{USAGE}")),
    }
}

/// Options of the command line.
struct Given(HashMap<String, String>);

impl Given {
    fn take(&mut self, name: &str, default: Option<&str>) -> Result<String> {
        let given = self.0.remove(name).or(default.map(Into::into));
        given.ok_or_else(|| format!("--{name} is missing\n{USAGE}"))
    }

    fn number(&mut self, name: &str, default: &str) -> Result<u64> {
        let given = self.take(name, Some(default))?;
        given.parse().map_err(|_| format!("--{name} is \"{given}\"; it must be a number"))
    }

    fn folder(&mut self, name: &str) -> Result<PathBuf> {
        self.take(name, None).map(Into::into)
    }

    fn finish(self) -> Result<()> {
        match self.0.keys().next() {
            Some(name) => Err(format!("there is no option \"--{name}\"\n{USAGE}")),
            None => Ok(()),
        }
    }
}
