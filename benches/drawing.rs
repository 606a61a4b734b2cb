//! What is drawn: triangles before and after, and how long it takes: `cargo bench --bench drawing [-- name]`. One core.
//!
//! Bodies: a box of twelve triangles, a vase, the rabbit, and the rabbit with 100,000 triangles, each filled with tetrahedra and drawn by
//! its own surface; 20 pieces of a smooth pattern, a rough one and a blow, and the largest piece of the smooth one again.

#[path = "../tests/common/mod.rs"]
mod common;

use common::artists;
use fracas::fracture::drawing::{Drawing, Side};
use fracas::fracture::pattern::Impact;
use fracas::solid::drawing::DrawingMesh;
use fracas::solid::fill::{FillOptions, fill};
use fracas::{Asset, CookOptions, Object, Pattern, Vector, fracture};
use std::sync::Arc;
use std::time::Instant;

fn cooked(mesh: DrawingMesh, tets: usize) -> Object {
    let positions: Vec<[f64; 3]> = mesh.positions().iter().map(|p| [p.x, p.y, p.z]).collect();
    let options = FillOptions { tets, ..Default::default() };
    let solid = fill(&positions, mesh.triangles(), &options).unwrap().solid;
    let options = CookOptions { drawing: Some(Arc::new(mesh)), ..Default::default() };
    Object::intact(&Asset::cook(solid, &options).unwrap()).remove(0)
}

/// Draws pieces; prints how many triangles they have.
fn draw(what: &str, before: usize, pieces: &[Object]) {
    let start = Instant::now();
    let drawings: Vec<Drawing> = pieces.iter().map(|piece| piece.drawing()).collect();
    let took = start.elapsed().as_secs_f64() * 1e3;
    let all: usize = drawings.iter().map(|drawing| drawing.triangles.len()).sum();
    let is_skin = |side: Side| matches!(side, Side::Skin { .. });
    let skin = drawings.iter().flat_map(|drawing| &drawing.triangles).filter(|t| is_skin(t.side)).count();
    let patches: u32 = drawings.iter().map(|drawing| drawing.patches).sum();
    let open: u32 = drawings.iter().map(|drawing| drawing.open_edges).sum();
    println!(
        "  {what:30} {:3} pieces: {before:6} -> {skin:6} triangles + {:6} of cracks, {patches:2} patches, {open} open edges, {took:7.1} ms",
        pieces.len(),
        all - skin
    );
}

/// Whether a body was asked for.
fn is_asked(name: &str) -> bool {
    let mut arguments = std::env::args().skip(1).filter(|a| !a.starts_with("--"));
    arguments.next().is_none_or(|wanted| name == wanted)
}

fn main() {
    for (name, mesh, tets) in [
        ("box", artists::cuboid([1.0, 0.7, 0.5]), 20_000),
        ("vase", artists::vase(32, 22), 20_000),
        ("rabbit", artists::artists_skin(&fracas::shapes::preset::rabbit(), 1, 0.0), 20_000),
        ("fine rabbit", artists::artists_skin(&fracas::shapes::preset::rabbit(), 4, 0.0), 20_000),
    ] {
        if !is_asked(name) {
            continue;
        }
        let before = mesh.triangles().len();
        let object = cooked(mesh, tets);
        let solid = object.asset().solid();
        println!("{name}: {before} triangles, {} tets", solid.tets().len());
        let centre = object.bounds().centre();
        let top = object.bounds().max.z;
        let blow = Impact {
            point: fracas::Point::new(centre.x, centre.y, top),
            direction: Vector::new(0.2, 0.1, -1.0),
            radius: 0.5 * object.asset().radius(),
            count: 20,
            seed: 5,
        };
        let patterns = [
            ("smooth", Pattern::random_voronoi(20, 3)),
            ("27 smooth", Pattern::random_voronoi(27, 3)),
            ("rough", Pattern::random_voronoi(20, 3).rough(common::scenes::ROUGH)),
            ("blow", Pattern::impact(blow)),
        ];
        for (what, pattern) in patterns {
            let Some(broken) = fracture(&object, &pattern, &Default::default()).unwrap().broken() else { continue };
            draw(what, before, &broken.objects);
            let largest = broken.objects.iter().max_by(|a, b| a.mass().volume.total_cmp(&b.mass().volume)).unwrap();
            let before = largest.drawing().triangles.len();
            for (how, pattern) in [
                ("smooth", Pattern::random_voronoi(20, 3)),
                ("rough", Pattern::random_voronoi(20, 3).rough(common::scenes::ROUGH)),
            ] {
                if let Some(again) = fracture(largest, &pattern, &Default::default()).unwrap().broken() {
                    draw(&format!("{what}, largest again, {how}"), before, &again.objects);
                }
            }
        }
    }
}
