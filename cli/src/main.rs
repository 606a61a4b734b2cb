//! The `fracas` command: cooks meshes, tells what is in an asset, breaks it, finds contacts, and draws.

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Collision data for things that break: cook meshes, break them, look at them.
#[derive(Parser)]
#[command(version)]
struct Command {
    #[command(subcommand)]
    job: Job,
}

#[derive(Subcommand)]
enum Job {}

fn main() -> ExitCode {
    match Command::parse().job {}
}
