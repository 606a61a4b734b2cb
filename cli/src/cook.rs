//! `fracas cook`: a mesh becomes an asset.

use crate::failure::{Failure, Result};
use crate::info::describe_asset;
use crate::progress::Progress;
use crate::read::{self, Mesh, Surface};
use crate::report::{self, Report};
use crate::weld::{Welded, weld};
use crate::{artist, files, option, samples};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use fracas::grid::distance::GridOptions;
use fracas::shapes::preset;
use fracas::solid::LARGEST_COORDINATE;
use fracas::solid::drawing::DrawingMesh;
use fracas::solid::fill::FillOptions;
use fracas::{Asset, CookOptions, Solid, Tasks};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// More tetrahedra than this are taken for a slip of the keyboard.
const MOST_TETS: f64 = 5e7;

/// Turns a mesh into an asset: a surface is filled with tetrahedra first, and kept to draw by.
#[derive(Args)]
#[command(allow_negative_numbers = true)]
#[command(after_help = concat!("\
Reads surfaces (.obj, .ply, .stl, .glb, .gltf) and tetrahedra (.msh of Gmsh 2.2 and 4.1, .node with .ele of TetGen,
.vtk and .vtu). A surface should be closed, counter-clockwise seen from outside: seams are welded, small holes closed,
what is inside out is turned, and the remarks say so; where it is too open to have an inside, the holes are named.

The surface itself stays in the asset as its drawing mesh, with texture coordinates (the second one upwards, as in OBJ),
normals and materials: those of glTF as they are, with textures, normal maps, texture transforms and extensions
(KHR_materials_*); from OBJ the colours and textures of its MTL. Images are kept in the asset, or linked by name if their
file is not there. Not kept are tangents (a viewer makes them from normals and texture coordinates), a second set of
texture coordinates, and colours of vertices. `fracas fracture` and engines cut the mesh along the cracks.

Examples:
  fracas cook vase.glb -o vase.fracas --density 2400
  fracas cook part.stl -o part.fracas --scale 0.001 --up z --tets 50000
  fracas cook bunny.msh -o bunny.fracas --grid-cells 128
  fracas cook --shape piggy_bank -o piggy.fracas"))]
pub struct Options {
    /// The mesh.
    #[arg(required_unless_present = "shape")]
    input: Option<PathBuf>,
    /// A sample shape in place of a mesh.
    #[arg(long, value_name = "NAME", conflicts_with = "input", value_parser = PossibleValuesParser::new(preset::ALL.iter().map(|p| p.name)))]
    shape: Option<String>,
    /// The asset to write.
    #[arg(short, long, value_name = "OUT.fracas")]
    output: PathBuf,

    /// Length of the edges at the surface, in metres (after --scale); instead of --tets.
    #[arg(long, value_parser = option::positive, conflicts_with = "tets", help_heading = "Filling a surface")]
    edge: Option<f64>,
    /// About how many tetrahedra; where the body is thin up to four times as many, or as with --exact [default: 5000].
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST_TETS as u64), help_heading = "Filling a surface")]
    tets: Option<u64>,
    /// How many times longer edges deep inside may be than at the surface [default: 2].
    #[arg(long, value_parser = option::positive, help_heading = "Filling a surface")]
    coarsening: Option<f64>,
    /// Edges where the surface turns by more than this, in degrees, stay sharp [default: 40].
    #[arg(long, value_parser = option::degrees, value_name = "DEGREES", help_heading = "Filling a surface")]
    sharp_angle: Option<f64>,
    /// Tetrahedra whose boundary is the surface itself, one or a few for each of its triangles; for some thousand triangles at most.
    #[arg(long, conflicts_with_all = ["edge", "tets", "coarsening"], help_heading = "Filling a surface")]
    exact: bool,
    /// Leave the surface out of the asset: objects are drawn by the skin of their tetrahedra.
    #[arg(long, help_heading = "Filling a surface")]
    no_drawing: bool,

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

/// What is cooked.
struct Source {
    mesh: Cooked,
    drawing: Option<Arc<DrawingMesh>>,
    /// The drawing mesh's materials.
    notes: Vec<u8>,
}

enum Cooked {
    Tets(Box<Solid>),
    Surface(Welded, FillOptions),
}

/// Does the work.
pub fn run(options: &Options) -> Result<Report> {
    let start = Instant::now();
    let inputs: Vec<&Path> = options.input.iter().map(|p| p.as_path()).collect();
    files::may_write(&options.output, &inputs)?;
    let tasks = tasks(options.threads)?;
    let progress = Progress::new();
    let mut remarks = vec![];
    let source = options.source(&tasks, &progress, &mut remarks)?;

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
        drawing: source.drawing,
        notes: source.notes,
        tasks,
        progress: Some(progress.stage("cooking")),
    };
    let asset = match source.mesh {
        Cooked::Tets(solid) => Asset::cook(*solid, &cooking),
        Cooked::Surface(Welded { points, triangles, .. }, filling) => {
            Asset::from_surface(&points, &triangles, &filling, &cooking)
        }
    };
    let asset = asset.map_err(|e| Failure::of_library(options.name(), e))?;
    drop(progress);
    let bytes = asset.save();
    files::write(&options.output, &bytes)?;

    remarks.extend(asset.warnings().iter().cloned());
    let mut report = Report::new();
    report.line("input", "input", options.name().display(), options.name().to_string_lossy());
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
    /// What is cooked, for messages: the file, or the name of the sample.
    fn name(&self) -> &Path {
        self.input.as_deref().unwrap_or_else(|| Path::new(self.shape.as_deref().unwrap_or_default()))
    }

    fn source(&self, tasks: &Tasks, progress: &Progress, remarks: &mut Vec<String>) -> Result<Source> {
        let mesh = match (&self.input, &self.shape) {
            (Some(path), _) => read::read(path)?,
            (None, name) => {
                let solid = (samples::sample(name.as_deref().unwrap_or_default())?.make)();
                // As for tetrahedra of a file: also what was asked about units and axes.
                let points = solid.nodes().iter().map(|p| [p.x, p.y, p.z]).collect();
                Mesh::Tets(read::Tets { points, tets: solid.tets().to_vec(), remarks: vec![] })
            }
        };
        match mesh {
            Mesh::Surface(surface) => self.surface(surface, tasks, progress, remarks),
            Mesh::Tets(mut mesh) => {
                let idle = [
                    ("--edge", self.edge.is_some()),
                    ("--tets", self.tets.is_some()),
                    ("--coarsening", self.coarsening.is_some()),
                    ("--sharp-angle", self.sharp_angle.is_some()),
                    ("--exact", self.exact),
                    ("--no-drawing", self.no_drawing),
                ];
                let idle: Vec<&str> = idle.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect();
                if !idle.is_empty() {
                    remarks.push(format!("the input has tetrahedra already, so {} did nothing", idle.join(", ")));
                }
                remarks.append(&mut mesh.remarks);
                mesh.points.iter_mut().for_each(|p| *p = self.placed(*p));
                self.check_size(&mesh.points)?;
                let solid = Solid::new(&mesh.points, &mesh.tets).map_err(|e| Failure::data(self.name(), e))?;
                Ok(Source { mesh: Cooked::Tets(Box::new(solid)), drawing: None, notes: vec![] })
            }
        }
    }

    /// A point of the file in metres and in the frame of the asset.
    fn placed(&self, p: [f64; 3]) -> [f64; 3] {
        self.turned(p.map(|c| c * self.scale))
    }

    fn check_size(&self, points: &[[f64; 3]]) -> Result<()> {
        let is_far = |p: &[f64; 3]| !p.iter().all(|c| c.abs() <= LARGEST_COORDINATE);
        match points.iter().position(is_far) {
            None => Ok(()),
            Some(k) => Err(Failure::data(
                self.name(),
                format!(
                    "point {k} (from 0) is at {} m; coordinates must be at most {LARGEST_COORDINATE:e} m (is the unit \
                     right? see --scale)",
                    points[k].map(report::short).join(" ")
                ),
            )),
        }
    }

    /// A direction of the file in the frame of the asset.
    fn turned(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        if self.up == Some(Up::Z) { [x, z, -y] } else { [x, y, z] }
    }

    fn surface(
        &self,
        mut surface: Surface,
        tasks: &Tasks,
        progress: &Progress,
        remarks: &mut Vec<String>,
    ) -> Result<Source> {
        remarks.append(&mut surface.remarks);
        surface.points.iter_mut().for_each(|p| *p = self.placed(*p));
        self.check_size(&surface.points)?;
        surface.normals.iter_mut().for_each(|n| *n = self.turned(*n));
        let welded = weld(&surface);
        if welded.dropped > 0 {
            remarks.push(format!(
                "{} with two corners at one place: dropped",
                report::counted(welded.dropped, "triangle")
            ));
        }
        if let Some(edge) = self.edge {
            let count = welded.volume().abs() * 8.5 / edge.powi(3);
            if count > MOST_TETS {
                return Err(Failure::usage(format!(
                    "--edge {edge} would make about {count:.0e} tetrahedra of {}; ask for longer edges (is the unit right? see --scale)",
                    self.name().display()
                )));
            }
        }
        let usual = FillOptions::default();
        let filling = FillOptions {
            edge: self.edge.unwrap_or(0.0),
            tets: self.tets.map_or(usual.tets, |n| n as usize),
            coarsening: self.coarsening.unwrap_or(usual.coarsening),
            sharp_angle: self.sharp_angle.unwrap_or(usual.sharp_angle),
            exact: self.exact,
            tasks: tasks.clone(),
            progress: Some(progress.stage("filling")),
        };
        let (mut drawing, mut notes) = (None, vec![]);
        if !self.no_drawing {
            let mesh = artist::drawing_mesh(&surface, filling.sharp_angle);
            drawing = Some(Arc::new(mesh.map_err(|e| Failure::of_library(self.name(), e))?));
            if !surface.palette.is_empty() {
                notes = surface.palette.to_notes().map_err(|e| Failure::data(self.name(), e))?;
            }
        }
        Ok(Source { mesh: Cooked::Surface(welded, filling), drawing, notes })
    }
}
