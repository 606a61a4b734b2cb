//! FCPW, fastest closest points in the west (`fcpw` from PyPI): exact closest points, in single precision. Runs as a script of its own, on
//! the same core; meshes go to it by files below `out/bench/march`.

use super::bodies::Body;
use super::depths::Line;
use crate::python::{self, number};
use std::fs;

const FOLDER: &str = "out/bench/march";
const SCRIPT: &str = include_str!("fcpw_bench.py");

fn export(body: &Body) -> std::io::Result<()> {
    let file = |part: &str| format!("{FOLDER}/{}_{part}.npy", body.name);
    fs::create_dir_all(FOLDER)?;
    python::write_points(&file("rest"), &body.surface.rest)?;
    python::write_points(&file("deformed"), &body.surface.deformed)?;
    python::write_points(&file("inner"), &body.points(&body.inner))?;
    python::write_points(&file("colliding"), &body.points(&body.colliding_inner))?;
    python::write_triangles(&file("triangles"), &body.surface.triangles)
}

/// Refitted and built anew, on one body.
pub fn lines(body: &Body, repetitions: usize, progress: &dyn Fn(&str)) -> Result<Vec<Line>, String> {
    export(body).map_err(|why| format!("{FOLDER} cannot be written: {why}"))?;
    let answers = python::answers("fcpw", SCRIPT, &[FOLDER, &repetitions.to_string(), body.name], progress)?;
    let answer = answers.first();
    let version = answer.and_then(|answer| answer["version"].as_str()).unwrap_or_default();
    let line = |(name, update): (&str, &str)| {
        let of = |part: &str| {
            let list = answer.and_then(|answer| answer[format!("{name}_{part}")].as_array());
            list.map_or(vec![], |list| list.iter().map(|d| d.as_f64().unwrap_or(f64::NAN)).collect())
        };
        Line {
            name: format!("fcpw {version}, {name}"),
            update: number(answer, update),
            times: ["inner", "colliding"].map(|part| number(answer, &format!("{name}_{part}_ms"))),
            found: ["inner", "colliding"].map(of),
        }
    };
    Ok([("refitted", "refit_ms"), ("built", "build_ms")].map(line).into())
}
