//! Fracas beside what one would use instead: `scripts/bench`. One run, one thread, one core, all libraries in turn.
//!
//! A stage (`tests/common/stage.rs`) breaks; each library prepares its shapes, peers from surfaces of usual density that are cut
//! independently of ours (`fragments`), and collides the same pairs in the same frames (`frames`, `timing`). Its answers are judged
//! by exact distances (`accuracy`). What the paper studied follows (`studies`), and
//! where our instructions go (`profile`). Deforming meshes, soft bodies and contacts under a budget are parts of their own (`deform`, `march`,
//! `voxtree`). The figures go to `out/bench.json`, a table and a page (`report`, `page`).

mod accuracy;
mod common;
mod cpp;
mod curves;
mod decimate;
mod deform;
mod fragments;
mod frames;
mod goals;
mod library;
mod march;
mod ours;
mod page;
mod parry;
mod plot;
mod polyhedron;
mod profile;
mod python;
mod report;
mod studies;
mod timing;
mod voxtree;

use common::scenes;
use common::stage::Stage;
use fracas::Tasks;
use goals::Goal;
use std::path::Path;
use std::process::ExitCode;
use timing::Plan;

const USAGE: &str = "scripts/bench [--quick] [--only rabbit|bricks|ball|shell|bunny|studies|deform|march|voxtree]";
const PARTS: [&str; 9] = ["rabbit", "bricks", "ball", "shell", "bunny", "studies", "deform", "march", "voxtree"];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--trace", name, asset] if Stage::NAMES.contains(&name) => profile::trace(name, Path::new(asset)),
        _ => arguments(words).and_then(|(plan, only)| run(&plan, only.as_deref())),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn arguments(words: Vec<String>) -> Result<(Plan, Option<String>), String> {
    let (mut quick, mut only) = (false, None);
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--quick" => quick = true,
            "--only" => match words.next() {
                Some(name) if PARTS.contains(&&*name) => only = Some(name),
                _ => return Err(format!("--only needs one of: {}\n{USAGE}", PARTS.join(", "))),
            },
            _ => return Err(format!("there is no option \"{word}\"\n{USAGE}")),
        }
    }
    Ok((Plan::new(quick), only))
}

fn run(plan: &Plan, only: Option<&str>) -> Result<(), String> {
    if !matches!(only, Some("march" | "voxtree")) && !library::has_engines() {
        return Err("this was built without engines, for --only march or voxtree; scripts/bench builds them".into());
    }
    let two_threads = Tasks::pool(2).map_err(|why| why.to_string())?; // before this thread is kept on one core, which they would inherit
    let (core, unpin) = timing::pin()?;
    println!("one thread on core {core}; {}", report::machine());
    let is_wanted = |name: &str| only.is_none_or(|only| name == only);
    let (mut measured, mut studies) = (vec![], vec![]);
    for name in Stage::NAMES.into_iter().filter(|name| is_wanted(name)) {
        println!("{name}: cooking");
        let solid = Stage::solid(name);
        let (cooking, object) = timing::timed(|| scenes::intact(solid));
        for rough in [false, true] {
            let stage = Stage::named(name, &object, rough);
            let scene = timing::scene(&stage, cooking, plan, &|what| println!("{}: {what}", stage.name));
            report::print(&scene);
            measured.push(scene);
        }
        println!("{name}: where instructions go");
        match profile::of(name, &object, plan) {
            Ok(profiles) => studies.extend(profiles),
            Err(why) => println!("skipped: {why}"),
        }
    }
    if is_wanted("bunny") {
        match fragments::bunny() {
            Some((solid, seeds)) => {
                let (cooking, object) = timing::timed(|| scenes::intact(solid));
                let stage = Stage::voronoi("bunny", &object, seeds);
                let scene = timing::scene(&stage, cooking, plan, &|what| println!("{}: {what}", stage.name));
                report::print(&scene);
                measured.push(scene);
            }
            None => {
                println!("skipped: the bunny and its exact cut are in the data folder, which is not here (FRACAS_DATA)")
            }
        }
    }
    if is_wanted("studies") {
        studies.extend(studies::all(plan, &|what| println!("study: {what}")));
    }
    if is_wanted("deform") {
        studies.extend(deform::studies(plan.quick, &two_threads, &|what| println!("{what}")));
    }
    if is_wanted("march") {
        studies.extend(march::studies(plan.quick, &|what| println!("{what}")));
    }
    if is_wanted("voxtree") {
        studies.extend(voxtree::studies(plan.quick, &|what| println!("{what}")));
    }
    unpin();
    if is_wanted("studies") {
        println!("study: threads");
        studies.push(studies::threads());
    }
    if is_wanted("deform") {
        studies.push(deform::counted(plan.quick, &|what| println!("{what}")));
    }
    studies.iter().for_each(report::print_study);
    let goals: Vec<Goal> =
        goals::of(&measured).into_iter().chain(studies.iter().flat_map(|s| s.goals.clone())).collect();
    report::print_goals(&goals);
    report::write(&measured, &studies, &goals, plan.quick)
}
