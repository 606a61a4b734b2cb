//! Fracas beside what one would use instead: `scripts/bench`. One run, one thread, one core, all libraries in turn.
//!
//! A stage (`tests/common/stage.rs`) breaks; each library prepares its shapes and collides the same pairs in the same frames
//! (`timing`), and its answers are judged by exact distances (`accuracy`). What the paper studied follows (`studies`). The
//! figures go to `out/bench.json`, a table and a page (`report`, `page`).

mod accuracy;
mod common;
mod cpp;
mod goals;
mod library;
mod ours;
mod page;
mod parry;
mod report;
mod timing;

use common::stage::Stage;
use std::process::ExitCode;
use timing::Plan;

const USAGE: &str = "scripts/bench [--quick] [--scene NAME]    scenes: rabbit, bricks, ball, shell";

fn main() -> ExitCode {
    match arguments().and_then(|(plan, scene)| run(&plan, scene.as_deref())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<(Plan, Option<String>), String> {
    let (mut quick, mut scene) = (false, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--quick" => quick = true,
            "--scene" => scene = Some(words.next().ok_or("--scene needs a name: rabbit, bricks, ball or shell")?),
            _ => return Err(format!("\"{word}\" is no option.\n{USAGE}")),
        }
    }
    Ok((Plan::new(quick), scene))
}

fn run(plan: &Plan, only: Option<&str>) -> Result<(), String> {
    let (core, _unpin) = timing::pin()?;
    println!("one thread on core {core}; {}", report::machine());
    println!("cooking");
    let stages = Stage::all();
    let chosen: Vec<&Stage> = stages.iter().filter(|s| only.is_none_or(|name| s.name.starts_with(name))).collect();
    if chosen.is_empty() {
        return Err(format!(
            "there is no scene \"{}\"; there are: rabbit, bricks, ball, shell",
            only.unwrap_or_default()
        ));
    }
    let mut scenes = vec![];
    for stage in chosen {
        let scene = timing::scene(stage, plan, &|what| println!("{}: {what}", stage.name));
        report::print(&scene);
        scenes.push(scene);
    }
    let goals = goals::of(&scenes);
    report::print_goals(&goals);
    report::write(&scenes, &goals, plan.quick)
}
