//! `fracas cook`: a mesh becomes an asset.

use crate::failure::{Failure, Result};
use crate::info::describe_asset;
use crate::progress::Progress;
use crate::read::{self, Mesh, Surface};
use crate::report::{self, Report};
use crate::weld::weld;
use crate::{files, option};
use clap::{Args, ValueEnum};
use fracas::field::grid::GridOptions;
use fracas::solid::fill::{FillOptions, fill};
use fracas::{Asset, CookOptions, Solid, Tasks};
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

/// More tetrahedra than this are taken for a slip of the keyboard.
const MOST_TETS: f64 = 5e7;

/// Turns a mesh into an asset: a closed surface is filled with tetrahedra first.
#[derive(Args)]
#[command(allow_negative_numbers = true)]
#[command(after_help = concat!("\
Reads surfaces (.obj, .ply, .stl, .glb, .gltf) and tetrahedra (.msh of Gmsh 2.2 and 4.1, .node with .ele of TetGen,
.vtk and .vtu). Surfaces must be closed, counter-clockwise seen from outside.

Examples:
  fracas cook vase.glb -o vase.fracas --density 2400
  fracas cook part.stl -o part.fracas --scale 0.001 --up z --tets 50000
  fracas cook bunny.msh -o bunny.fracas --grid-cells 128"))]
pub struct Options {
    /// The mesh.
    input: PathBuf,
    /// The asset to write.
    #[arg(short, long, value_name = "OUT.fracas")]
    output: PathBuf,

    /// Length of the edges at the surface, in metres (after --scale); instead of --tets.
    #[arg(long, value_parser = option::positive, conflicts_with = "tets", help_heading = "Filling a surface")]
    edge: Option<f64>,
    /// About how many tetrahedra [default: 20000].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST_TETS as u64), help_heading = "Filling a surface")]
    tets: Option<u64>,
    /// How many times longer edges deep inside may be than at the surface [default: 2].
    #[arg(long, value_parser = option::positive, help_heading = "Filling a surface")]
    coarsening: Option<f64>,
    /// Edges where the surface turns by more than this, in degrees, stay sharp [default: 40].
    #[arg(long, value_parser = option::degrees, value_name = "DEGREES", help_heading = "Filling a surface")]
    sharp_angle: Option<f64>,
    /// Turn all triangles round, for a surface that is inside out.
    #[arg(long, help_heading = "Filling a surface")]
    flip: bool,
    /// Take a surface that is not closed as it is, and see what comes of it.
    #[arg(long, help_heading = "Filling a surface")]
    allow_holes: bool,

    /// Metres a unit of the file: 0.01 for centimetres, 0.001 for millimetres.
    #[arg(long, value_parser = option::positive, default_value = "1")]
    scale: f64,
    /// Which axis of the file points up; what has z up is turned to have y up, as in glTF. Left as it is by default.
    #[arg(long)]
    up: Option<Up>,
    /// Kilograms a cubic metre.
    #[arg(long, value_parser = option::positive, default_value = "1000")]
    density: f64,
    /// Cells of the distance grid along the longest side [default: 64, and more where walls are thin].
    #[arg(long, value_parser = clap::value_parser!(u64).range(4..=1024))]
    grid_cells: Option<u64>,
    /// Memory that the distance grid may take: 8000000, 8M, 1G [default: 8M].
    #[arg(long, value_parser = option::bytes, value_name = "BYTES")]
    grid_max_bytes: Option<usize>,
    /// Make sphere trees too, for queries by them.
    #[arg(long)]
    sphere_trees: bool,
    /// Threads to work with [default: as many as there are processors].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Which axis points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Up {
    Y,
    Z,
}

/// A pool of so many threads.
pub fn tasks(threads: Option<u16>) -> Result<Tasks> {
    let most = || std::thread::available_parallelism().map_or(1, |n| n.get());
    Tasks::pool(threads.map_or_else(most, usize::from)).map_err(Failure::usage)
}

/// Does the work.
pub fn run(options: &Options) -> Result<Report> {
    let start = Instant::now();
    files::may_write(&options.output, &[&options.input])?;
    let mesh = read::read(&options.input)?;
    let tasks = tasks(options.threads)?;
    let progress = Progress::new();

    let mut remarks = vec![];
    let solid = match mesh {
        Mesh::Surface(surface) => options.filled(surface, &tasks, &progress, &mut remarks)?,
        Mesh::Tets(mut mesh) => {
            let idle = [
                ("--edge", options.edge.is_some()),
                ("--tets", options.tets.is_some()),
                ("--coarsening", options.coarsening.is_some()),
                ("--sharp-angle", options.sharp_angle.is_some()),
                ("--flip", options.flip),
                ("--allow-holes", options.allow_holes),
            ];
            let idle: Vec<&str> = idle.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect();
            if !idle.is_empty() {
                remarks.push(format!("the file has tetrahedra already, so {} did nothing", idle.join(", ")));
            }
            remarks.append(&mut mesh.remarks);
            mesh.points.iter_mut().for_each(|p| *p = options.placed(*p));
            Solid::new(&mesh.points, &mesh.tets).map_err(|e| Failure::data(&options.input, e))?
        }
    };

    let grid = GridOptions::default();
    let grid = GridOptions {
        cells: options.grid_cells.map_or(grid.cells, |n| n as usize),
        max_bytes: options.grid_max_bytes.unwrap_or(grid.max_bytes),
        refine: options.grid_cells.is_none(),
    };
    let cooking = CookOptions {
        density: options.density,
        grid,
        sphere_trees: options.sphere_trees,
        tasks,
        progress: Some(progress.stage("cooking")),
        ..CookOptions::default()
    };
    let asset = Asset::cook(solid, &cooking).map_err(|e| Failure::of_library(&options.input, e))?;
    drop(progress);
    let bytes = asset.save();
    files::write(&options.output, &bytes)?;

    remarks.extend(asset.warnings().iter().cloned());
    let mut report = Report::new();
    report.line("input", "input", options.input.display(), options.input.to_string_lossy());
    describe_asset(&asset, &mut report);
    report.line(
        "output",
        "written",
        format!("{} ({})", options.output.display(), report::size(bytes.len())),
        options.output.to_string_lossy(),
    );
    report.put("bytes", bytes.len());
    let seconds = start.elapsed().as_secs_f64();
    let memory = report::peak_memory();
    let shown = memory.map_or(String::new(), |m| format!(", at most {} of memory", report::size(m)));
    report.line("seconds", "took", format!("{seconds:.2} s{shown}"), seconds);
    report.put("peak_memory", json!(memory));
    report.remarks(&remarks);
    Ok(report)
}

impl Options {
    /// A point of the file in metres and in the frame of the asset.
    fn placed(&self, p: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = p.map(|c| c * self.scale);
        if self.up == Some(Up::Z) { [x, z, -y] } else { [x, y, z] }
    }

    fn filled(
        &self,
        mut surface: Surface,
        tasks: &Tasks,
        progress: &Progress,
        remarks: &mut Vec<String>,
    ) -> Result<Solid> {
        let bad = |what: String| Failure::data(&self.input, what);
        remarks.append(&mut surface.remarks);
        surface.points.iter_mut().for_each(|p| *p = self.placed(*p));
        if self.flip {
            surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let welded = weld(&surface);
        if welded.dropped > 0 {
            remarks.push(format!("{} triangles with two corners at one place were dropped", welded.dropped));
        }
        if let Some((triangle, [a, b])) = welded.open_edge() {
            let what = format!(
                "the surface is not closed: the edge from {a:?} to {b:?} of triangle {triangle} (from 0) is not shared by \
                 a neighbour that turns the same way"
            );
            if !self.allow_holes {
                return Err(bad(format!(
                    "{what}; close the hole and make the normals consistent, or try --allow-holes"
                )));
            }
            remarks.push(what);
        } else if welded.volume() < 0.0 {
            return Err(bad(format!(
                "the surface is inside out (its volume is {}); turn it round, or give --flip",
                report::short(welded.volume())
            )));
        }
        if let Some(edge) = self.edge {
            let count = welded.volume().abs() * 8.5 / edge.powi(3);
            if count > MOST_TETS {
                return Err(Failure::usage(format!(
                    "--edge {edge} would make about {count:.0e} tetrahedra of {}; ask for longer edges (is the unit right? see --scale)",
                    self.input.display()
                )));
            }
        }
        let usual = FillOptions::default();
        let filling = FillOptions {
            edge: self.edge.unwrap_or(0.0),
            tets: self.tets.map_or(usual.tets, |n| n as usize),
            coarsening: self.coarsening.unwrap_or(usual.coarsening),
            sharp_angle: self.sharp_angle.unwrap_or(usual.sharp_angle),
            tasks: tasks.clone(),
            progress: Some(progress.stage("filling")),
        };
        let mut filled =
            fill(&welded.points, &welded.triangles, &filling).map_err(|e| Failure::of_library(&self.input, e))?;
        remarks.append(&mut filled.remarks);
        Ok(filled.solid)
    }
}
