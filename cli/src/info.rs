//! `fracas info`: what is in a file.

use crate::appearance::Looks;
use crate::failure::{Failure, Result};
use crate::report::{Report, counted, short, size};
use crate::{files, saved};
use clap::Args;
use fracas::store::{Content, content};
use fracas::{Asset, Object, load_objects};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Tells what is in a file that Fracas saved.
#[derive(Args)]
#[command(after_help = "\
Examples:
  fracas info vase.fracas
  fracas info pieces.fracas --asset vase.fracas
  fracas info vase.fracas --json")]
pub struct Options {
    /// An asset, or saved objects.
    input: PathBuf,
    /// The asset that saved objects are of: with it, they are listed.
    #[arg(long, value_name = "FILE.fracas")]
    asset: Option<PathBuf>,
}

/// Does the work.
pub fn run(options: &Options) -> Result<Report> {
    let bytes = files::read(&options.input)?;
    let bad = |e| Failure::data(&options.input, e);
    let mut report = Report::new();
    report.line("input", "file", options.input.display(), options.input.to_string_lossy());
    report.line("bytes", "size", size(bytes.len()), bytes.len());
    match content(&bytes).map_err(bad)? {
        Content::Asset { version } => {
            report.line("kind", "content", format!("an asset (format {version})"), "asset");
            report.put("version", version);
            let asset = Asset::load(&bytes).map_err(bad)?;
            describe_asset(&asset, &mut report);
            report.remarks(asset.warnings());
        }
        Content::Objects { version, count, asset: identity, density } => {
            report.line(
                "kind",
                "content",
                format!("{} (format {version})", counted(count as usize, "object")),
                "objects",
            );
            report.put("version", version);
            report.put("count", count);
            report.line("asset", "of the asset", format!("{identity:016x}"), format!("{identity:016x}"));
            report.line("density", "density", format!("{} kg/m³", short(density)), density);
            match &options.asset {
                Some(path) => {
                    let objects = load_objects(&bytes, &saved::load_asset(path)?).map_err(bad)?;
                    describe_objects(&objects, &mut report);
                }
                None => report.say("Name the asset by --asset to see them one by one."),
            }
        }
    }
    Ok(report)
}

/// Adds what there is to say about an asset.
pub fn describe_asset(asset: &Asset, report: &mut Report) {
    let solid = asset.solid();
    let (bodies, extent) = (solid.bodies().0, solid.bounds().size());
    report.line(
        "tets",
        "mesh",
        format!(
            "{} tetrahedra, {} nodes, {} triangles of skin, {bodies} connected {}",
            solid.tets().len(),
            solid.nodes().len(),
            solid.skin().len(),
            if bodies == 1 { "body" } else { "bodies" }
        ),
        solid.tets().len(),
    );
    report.put("nodes", solid.nodes().len());
    report.put("skin_triangles", solid.skin().len());
    report.put("bodies", bodies);
    let extent = [extent.x, extent.y, extent.z];
    report.line("extent", "extent", format!("{} m", extent.map(short).join(" × ")), extent.to_vec());
    let centre = asset.centre();
    report.put("centre", json!([centre.x, centre.y, centre.z]));
    let (volume, mass) = (solid.volume(), solid.volume() * asset.density());
    let shown = format!("{} m³, {} kg at {} kg/m³", short(volume), short(mass), short(asset.density()));
    report.line("volume", "volume", shown, volume);
    report.put("mass", mass);
    report.put("density", asset.density());
    report.line("mean_edge", "mean edge", format!("{} m", short(asset.mean_edge())), asset.mean_edge());
    if let Some(off) = asset.deviation() {
        let shown = format!(
            "at most {} m off the surface ({} % of the radius): {} from it to the tetrahedra, {} back",
            short(off.most()),
            short(100.0 * off.most() / asset.radius()),
            short(off.surface_to_tets),
            short(off.tets_to_surface)
        );
        let value = json!({ "surface_to_tets": off.surface_to_tets, "tets_to_surface": off.tets_to_surface, "tolerance": off.tolerance });
        report.line("deviation", "boundary", shown, value);
    } else {
        report.put("deviation", Value::Null);
    }
    let grid = &asset.field().grid;
    report.line("thinnest_wall", "thinnest wall", format!("{} m", short(grid.thinnest_wall())), grid.thinnest_wall());
    let nodes = grid.node_count();
    report.line(
        "grid",
        "distance grid",
        format!(
            "{} nodes, cells of {} m, {}",
            nodes.map(|n| n.to_string()).join(" × "),
            short(grid.cell_size()),
            size(grid.bytes())
        ),
        json!({ "nodes": nodes, "cell": grid.cell_size(), "bytes": grid.bytes() }),
    );
    if let Some(binding) = asset.drawing() {
        let (mesh, looks) = (binding.mesh(), Looks::new(asset, 0.0));
        let names: Vec<&str> = (0..looks.crack()).map(|k| looks.palette().name(k)).collect();
        let images = looks.palette().images().len();
        let shown = format!(
            "{} triangles, {} vertices, materials: {}{}{}",
            mesh.triangles().len(),
            mesh.positions().len(),
            names.join(", "),
            if images == 0 { String::new() } else { format!("; {}", counted(images, "image")) },
            if binding.is_closed() { "" } else { "; not closed" }
        );
        let value = json!({
            "triangles": mesh.triangles().len(),
            "vertices": mesh.positions().len(),
            "closed": binding.is_closed(),
            "materials": names,
            "images": images,
        });
        report.line("drawing", "drawing mesh", shown, value);
    } else {
        report.put("drawing", Value::Null);
    }
    report.put("sphere_trees", asset.sphere_trees().is_some());
    let identity = format!("{:016x}", asset.identity());
    report.line("identity", "identity", &identity, identity.clone());
}

/// As many as a screen has lines.
const SHOWN: usize = 20;

/// Adds a table of objects, the heaviest first; programs get all of them, in their order.
pub fn describe_objects(objects: &[Object], report: &mut Report) {
    let total: f64 = objects.iter().map(|o| o.mass().volume).sum();
    let mut order: Vec<usize> = (0..objects.len()).collect();
    order.sort_by(|a, b| objects[*b].mass().volume.total_cmp(&objects[*a].mass().volume));
    report.say("  object    nodes        mass/kg  share/%   centre/m");
    for &k in order.iter().take(SHOWN) {
        let (object, mass) = (&objects[k], objects[k].mass());
        report.say(format!(
            "{k:8} {:8} {:>14} {:8.2}   {}",
            object.nodes().len(),
            short(mass.mass),
            100.0 * mass.volume / total,
            [mass.centre.x, mass.centre.y, mass.centre.z].map(short).join(" ")
        ));
    }
    if objects.len() > SHOWN {
        report.say(format!("     ... and {} more, lighter ones", objects.len() - SHOWN));
    }
    report.put("objects", objects.iter().map(object_json).collect::<Vec<_>>());
}

/// What programs want to know about an object.
pub fn object_json(object: &Object) -> Value {
    let mass = object.mass();
    json!({
        "piece": object.piece_number(),
        "nodes": object.nodes().len(),
        "mass": mass.mass,
        "volume": mass.volume,
        "centre": [mass.centre.x, mass.centre.y, mass.centre.z],
        "scale": object.scale(),
    })
}
