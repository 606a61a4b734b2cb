//! Bodies in all states: intact, broken once, rough, three generations deep.

use super::judge::Judge;
use super::pairs::broken;
use super::surfaces::filled_solids;
use super::{data, scenes};
use fracas::geom::random::unit;
use fracas::{Object, Pattern, Point, Vector, shapes};
use std::sync::LazyLock;

/// Families to try, on six shapes, on some made from surfaces and, if the data folder is there, the bunny. Made once per suite.
pub fn families() -> Vec<(String, Vec<Object>)> {
    static FAMILIES: LazyLock<Vec<(String, Vec<Object>)>> = LazyLock::new(made_families);
    FAMILIES.clone()
}

fn made_families() -> Vec<(String, Vec<Object>)> {
    let mut solids = vec![
        ("box", shapes::cuboid([1.0, 0.7, 0.5], [8, 6, 5])),
        ("ball", shapes::ball(0.1, 14)),
        ("hollow ball", shapes::hollow_ball(1.0, 14, 2)),
        ("torus", shapes::torus(1.0, 0.3, 32, 8)),
        ("plate", shapes::plate(0.13, 0.012, 20)),
        ("brick", shapes::brick(2)),
    ];
    solids.extend(filled_solids());
    match data::mesh("bunny") {
        Some(solid) => solids.push(("bunny", solid)),
        None => data::skipped("the part on the bunny"),
    }
    let mut families = vec![];
    for (shape, solid) in solids {
        let object = scenes::intact(solid);
        let once = broken(&object, &Pattern::random_voronoi(8, 1));
        let rough = broken(&object, &Pattern::random_voronoi(8, 2).rough(scenes::ROUGH));
        let mut thrice = vec![object.clone()];
        for generation in 0..3 {
            let parent = thrice.remove(0);
            thrice.extend(broken(&parent, &Pattern::random_voronoi(4, 10 + generation)));
            thrice.sort_by(|a, b| b.mass().volume.total_cmp(&a.mass().volume));
        }
        families.push((format!("{shape}, intact"), vec![object]));
        families.push((format!("{shape}, broken"), once));
        families.push((format!("{shape}, rough"), rough));
        families.push((format!("{shape}, three generations"), thrice));
    }
    families
}

/// A point around an object: mostly near its surface.
pub fn point_near(object: &Object, judge: &Judge, seed: u64) -> Point {
    let spread = object.bounds().radius() * [0.002, 0.03, 0.2][seed as usize % 3];
    let vertex = judge.surface.vertices[(unit(seed, 1) * judge.surface.vertices.len() as f64) as usize];
    vertex + Vector::from_fn(|k, _| unit(seed, 2 + k as u64) * 2.0 - 1.0) * spread
}
