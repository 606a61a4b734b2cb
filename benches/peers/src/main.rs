//! Fracas beside what one would use instead.

mod common;
mod cpp;
mod library;
mod ours;
mod parry;

use common::stage::{Moment, Stage};
fn main() {
    for stage in Stage::all() {
        let pieces = stage.broken();
        let meshes = library::meshes(&pieces);
        let tris: usize = meshes.iter().map(|m| m.triangles.len() / 3).sum();
        println!("{}: {} pieces {} triangles R {:.4}", stage.name, pieces.len(), tris, stage.radius());
        for mut lib in library::all() {
            let t = std::time::Instant::now();
            lib.prepare(&stage, &meshes);
            print!("  {:28} prep {:8.2} ms", lib.name(), t.elapsed().as_secs_f64() * 1e3);
            for moment in Moment::ALL {
                let frame = stage.frame(&pieces, moment, 0);
                let pairs = library::pairs(&frame);
                lib.place(&frame);
                lib.pass(&pairs);
                let t = std::time::Instant::now();
                let n = lib.pass(&pairs);
                let ms = t.elapsed().as_secs_f64() * 1e3;
                let hits = lib.hits();
                assert_eq!(hits.len(), n);
                let deepest = hits.iter().map(|h| h.depth).fold(0.0, f64::max) / stage.radius() * 100.0;
                print!(" | {} {ms:.3} ms {n} hits {deepest:.2}%", pairs.len());
            }
            println!();
        }
    }
}
