//! Tetrahedra from a closed surface.

mod body;
mod improve;
mod lattice;
mod mesh;
mod repair;
mod sharp;
mod sharpen;

use self::body::{Body, Implicit};
use self::improve::Sizes;
use self::lattice::Lattice;
use self::mesh::Mesh;
use self::sharp::Outlined;
use self::sharpen::Sharpener;
use super::Solid;
use crate::error::{Result, bad_argument, bad_mesh};
use crate::geom::Point;
use crate::geom::aabb::Aabb;
use crate::tasks::Tasks;
use std::sync::Arc;

/// How to fill a surface with tetrahedra.
#[derive(Clone)]
pub struct FillOptions {
    /// Length of the edges at the surface, in metres; 0: what gives about `tets` tetrahedra.
    pub edge: f64,
    /// About how many tetrahedra, if `edge` is 0; 20,000 by default.
    pub tets: usize,
    /// How many times longer edges deep inside may be than at the surface; 1: as long. 2 by default.
    pub coarsening: f64,
    /// Edges of the surface where it turns by more than this, in degrees, stay sharp; 40 by default.
    pub sharp_angle: f64,
    /// Where the work runs.
    pub tasks: Tasks,
    /// Called with the share that is done, from any thread.
    pub progress: Option<Arc<dyn Fn(f32) + Send + Sync>>,
}

impl Default for FillOptions {
    fn default() -> Self {
        Self { edge: 0.0, tets: 20_000, coarsening: 2.0, sharp_angle: 40.0, tasks: Tasks::inline(), progress: None }
    }
}

/// A filled surface.
#[derive(Debug)]
pub struct Filled {
    /// The tetrahedra.
    pub solid: Solid,
    /// Length of the edges at the surface that was aimed at.
    pub edge: f64,
    /// What had to be repaired or could not be kept, a sentence each; empty if all is well.
    pub remarks: Vec<String>,
}

/// Fills a closed triangle surface, counter-clockwise seen from outside, with tetrahedra.
pub fn fill(points: &[[f64; 3]], triangles: &[[u32; 3]], options: &FillOptions) -> Result<Filled> {
    let outline = repair::repair(points, triangles, &options.tasks)?;
    let edge = options.edge;
    let body = Outlined::new(outline, options.sharp_angle, edge * edge)?;
    let solid = fill_body(&body, edge, options)?;
    Ok(Filled { solid, edge, remarks: body.outline().remarks.clone() })
}

/// Fills the body where a function is negative with tetrahedra. The function should be about the distance to the surface.
pub fn fill_implicit(distance: &(dyn Fn(&Point) -> f64 + Sync), bounds: &Aabb, options: &FillOptions) -> Result<Filled> {
    let body = Implicit { distance, bounds: *bounds };
    let solid = fill_body(&body, options.edge, options)?;
    Ok(Filled { solid, edge: options.edge, remarks: vec![] })
}

fn fill_body(body: &dyn Body, edge: f64, options: &FillOptions) -> Result<Solid> {
    let tasks = &options.tasks;
    let clock = std::time::Instant::now();
    let lattice = Lattice::over(body, 1.25 * edge);
    let depths = lattice.depths(body, tasks);
    eprintln!("depths {:?}", clock.elapsed());
    let stuffed = lattice::stuff(body, &lattice, depths, tasks);
    eprintln!("stuffed {:?} {} points {} tets", clock.elapsed(), stuffed.points.len(), stuffed.tets.len());
    let mut mesh = Mesh::new(body, stuffed.points, stuffed.tets);
    report(&mesh, "stuffed");
    let mut sharpener = Sharpener::new(&mut mesh, edge, tasks);
    let nodal = tasks.map_chunks(mesh.points.len(), 256, |r| {
        r.map(|k| if mesh.is_inside(k as u32) { body.depth(&mesh.points[k]) } else { 0.0 }).collect::<Vec<_>>()
    });
    let sizes = Sizes { edge, coarsening: options.coarsening.max(1.0), depths: nodal.concat() };
    for round in 0..6 {
        let left = sharpener.round(&mut mesh);
        let collapsed = improve::collapse_short(&mut mesh, &sizes, 0.7);
        let exchanged = improve::exchange(&mut mesh);
        let moved = improve::smooth(&mut mesh);
        eprintln!("round {round} {:?}: left {left} collapsed {collapsed} exchanged {exchanged} moved {moved}", clock.elapsed());
        report(&mesh, "improved");
    }
    let nodes: Vec<[f64; 3]> = mesh.points.iter().map(|p| [p.x, p.y, p.z]).collect();
    let tets: Vec<[u32; 4]> = mesh.living().map(|t| mesh.tets[t as usize]).collect();
    if tets.is_empty() {
        bad_argument!("no tetrahedra of edge length {edge} fit into the surface; ask for shorter edges");
    }
    let _ = || -> Result<()> { bad_mesh!("") };
    Solid::new(&nodes, &tets)
}

fn report(mesh: &Mesh, what: &str) {
    let q: Vec<f64> = mesh.living().map(|t| mesh.quality(t)).collect();
    let worst = q.iter().fold(1.0, |a: f64, b| a.min(*b));
    let bad = q.iter().filter(|q| **q < 0.2).count();
    let skin = mesh.skin();
    let mut used: Vec<u32> = mesh.living().flat_map(|t| mesh.tets[t as usize]).collect();
    used.sort_unstable(); used.dedup();
    let inside = used.iter().filter(|i| mesh.is_inside(**i)).count();
    eprintln!("{what}: {} tets, {} triangles, {} points ({} inside), worst {worst:.4}, {bad} bad", q.len(), skin.len(), used.len(), inside);
}
