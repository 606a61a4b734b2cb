//! The `fracas` command: cooks meshes, tells what is in an asset, breaks it, finds contacts, and draws.

use clap::{Parser, Subcommand};
use fracas_cli::failure::Result;
use fracas_cli::report::{self, Report};
use fracas_cli::{contacts, cook, fracture, info, render};
use std::process::ExitCode;

/// Collision data for things that break: cook meshes, break them, look at them.
#[derive(Parser)]
#[command(name = "fracas", version, after_help = report::EXIT_CODES)]
struct Command {
    #[command(subcommand)]
    job: Job,
    /// Print one JSON object on stdout instead of text.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Job {
    Cook(cook::Options),
    Info(info::Options),
    Fracture(fracture::Options),
    Contacts(contacts::Options),
    Render(Box<render::Options>),
}

impl Job {
    fn run(&self) -> Result<Report> {
        match self {
            Self::Cook(options) => cook::run(options),
            Self::Info(options) => info::run(options),
            Self::Fracture(options) => fracture::run(options),
            Self::Contacts(options) => contacts::run(options),
            Self::Render(options) => render::run(options),
        }
    }
}

fn main() -> ExitCode {
    let command = Command::parse();
    report::finish(command.job.run(), command.json)
}
