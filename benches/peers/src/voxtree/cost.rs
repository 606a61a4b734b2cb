//! What trees cost: to build, to keep, and per node test.

use super::bodies::options;
use super::budgets::ORDERS;
use super::collisions::{Collision, direction};
use crate::common::scenes::intact;
use crate::common::stage::Stage;
use crate::goals::{Goal, Topic};
use crate::studies::{Study, exponent};
use crate::timing::{Times, timed};
use fracas::geom::Pose;
use fracas::voxtree::{Ends, Grid, Refinement, VoxTree, VoxTreeOptions};
use fracas::{Object, Solid, Vector};
use nalgebra::UnitQuaternion;

/// Enough for the finest level of most collisions, as a budget would be set.
const BUDGET: u64 = 3000;

fn built(repetitions: usize, make: impl Fn() -> VoxTree) -> (f64, VoxTree) {
    let times = Times::of(repetitions, || timed(&make).0);
    (times.least(), make())
}

/// Nanoseconds per test of each order, and per overlapping pair of contacts.
fn per_test(pairs: &[([&VoxTree; 2], [Pose; 2])], repetitions: usize) -> [f64; 3] {
    let mut least = [f64::INFINITY; 3];
    for _ in 0..repetitions {
        for (k, (_, order)) in ORDERS.iter().enumerate() {
            let (mut took, mut tests, mut averaging, mut primitives) = (0.0, 0, 0.0, 0u64);
            for (trees, poses) in pairs {
                let mut refinement = Refinement::new(*trees, *poses);
                took += timed(|| refinement.run(&Ends::after(BUDGET), *order, || false)).0;
                tests += refinement.tests();
                let mut contacts = vec![];
                averaging += timed(|| refinement.contacts(&Default::default(), &mut contacts)).0;
                primitives += contacts.iter().map(|c| c.pairs as u64).sum::<u64>();
            }
            least[k] = least[k].min(took * 1e6 / tests as f64);
            least[2] = least[2].min(averaging * 1e6 / primitives.max(1) as f64);
        }
    }
    least
}

/// Copies of a body that touch about, in any orientation.
fn copies(tree: &VoxTree, radius: f64) -> Vec<([&VoxTree; 2], [Pose; 2])> {
    let pose = |seed: u64| {
        let turn = UnitQuaternion::new(direction(seed, 400) * 3.0);
        Pose::from_parts((direction(seed, 410) * (1.2 * radius)).into(), turn)
    };
    (0..100)
        .map(|seed| ([tree; 2], [pose(seed), Pose::from_parts(Vector::zeros().into(), UnitQuaternion::identity())]))
        .collect()
}

/// A row: its tree built from the surface, and from densities alone, without groups.
fn row(solid: &Solid, (took, tree): &(f64, VoxTree), repetitions: usize, tests: [f64; 3]) -> Vec<f64> {
    let edge = tree.edge(tree.level_count() - 1);
    let (ungrouped, _) = built(repetitions, || {
        let triangles = solid.skin().iter().map(|t| t.nodes);
        let grid = Grid::of_surface(solid.nodes(), triangles, edge).expect("our shapes are closed");
        VoxTree::from_grid(&grid, &VoxTreeOptions { group_angle: 0.0, ..options(1) }).expect("our shapes are closed")
    });
    let nodes = tree.nodes().len() as f64;
    let [by_level, by_probability, contacts] = tests;
    vec![
        solid.skin().len() as f64,
        nodes,
        *took,
        ungrouped,
        took * 1e6 / nodes,
        tree.bytes() as f64 / nodes,
        tree.bytes() as f64 / 1024.0,
        by_level,
        by_probability,
        contacts,
    ]
}

pub fn study(solids: &[Solid; 2], collisions: &[Collision], quick: bool) -> Study {
    let repetitions = if quick { 2 } else { 5 };
    let some = &collisions[..collisions.len().min(300)];
    let mut rows = vec![];
    for cells in [16, 32, 64] {
        let trees = solids.each_ref().map(|solid| {
            built(repetitions, || VoxTree::from_solid(solid, &options(cells)).expect("our shapes are closed"))
        });
        for (k, name) in ["ball", "block"].into_iter().enumerate() {
            let own = some.iter().filter(|c| c.kinds == [k; 2]);
            let pairs: Vec<_> = own.map(|c| ([&trees[k].1; 2], c.poses)).collect();
            let tests = per_test(&pairs, repetitions);
            rows.push((format!("{name}, {cells} cells"), row(&solids[k], &trees[k], repetitions, tests)));
        }
    }
    let rabbit = Stage::solid("rabbit");
    for cells in [16, 32, 64] {
        let make = || VoxTree::from_solid(&rabbit, &options(cells)).expect("the rabbit is closed");
        let tree = built(repetitions, make);
        let tests = per_test(&copies(&tree.1, rabbit.bounds().radius()), repetitions);
        rows.push((format!("rabbit, {cells} cells"), row(&rabbit, &tree, repetitions, tests)));
    }
    Study {
        title: "contacts under a budget: cost of trees and tests".into(),
        columns: vec![
            "triangles",
            "nodes",
            "build, ms",
            "no groups, ms",
            "ns/node",
            "bytes/node",
            "kB",
            "ns/test, level",
            "ns/test, P",
            "ns/overlap",
        ],
        rows,
        notes: vec![format!(
            "tests of up to {BUDGET} per pair, without contacts; overlap: an overlapping pair in contacts by groups. Rabbits: 100 pairs 1.2 radii apart"
        )],
        ..Study::default()
    }
}

/// Trees of fragments: of the cubes that the whole has, or of as many cells each.
pub fn fragments(quick: bool) -> Study {
    let repetitions = if quick { 2 } else { 5 };
    let object = intact(Stage::solid("rabbit"));
    let pieces = Stage::named("rabbit", &object, false).broken();
    let longest = |object: &Object| object.bounds().size().max();
    let (mut rows, mut goals) = (vec![], vec![]);
    for (name, cells) in
        [("cubes of 1/32 of the whole", None), ("cubes of 1/64 of the whole", Some(64)), ("16 cells each", Some(16))]
    {
        let of = |piece: &Object| match cells {
            Some(16) => 16,
            whole => (whole.unwrap_or(32) as f64 * longest(piece) / longest(&object)).ceil().max(1.0) as u32,
        };
        let mut points = vec![];
        let (mut nodes, mut triangles, mut surfaces) = (0, 0, 0.0);
        for piece in &pieces {
            let make = || VoxTree::from_object(piece, &options(of(piece))).expect("fragments are closed");
            let (took, tree) = built(repetitions, make);
            let (surface, found) = timed(|| piece.surface());
            surfaces += surface;
            nodes += tree.nodes().len();
            triangles += found.triangles.len();
            points.push((tree.nodes().len() as f64, took));
        }
        let mut times: Vec<f64> = points.iter().map(|(_, took)| *took).collect();
        times.sort_by(f64::total_cmp);
        let total: f64 = times.iter().sum();
        let slope = exponent(&points);
        let (whole, _) =
            built(repetitions, || VoxTree::from_object(&object, &options(of(&object))).expect("the rabbit is closed"));
        rows.push((
            name.to_string(),
            vec![
                pieces.len() as f64,
                triangles as f64,
                nodes as f64,
                total,
                times[0],
                times[times.len() / 2],
                times[times.len() - 1],
                surfaces,
                whole,
                slope,
            ],
        ));
        if cells != Some(16) {
            let what = format!("trees of fragments, {name}: build time by own nodes: exponent");
            goals.push(Goal::at_most(Topic::VoxPaper, what, slope, 1.1, ""));
        }
    }
    Study {
        title: "contacts under a budget: trees of the fragments of the rabbit, ms".into(),
        columns: vec![
            "fragments",
            "triangles",
            "nodes",
            "all",
            "least",
            "median",
            "most",
            "surfaces alone",
            "whole",
            "exponent",
        ],
        rows,
        goals,
        notes: vec![
            "with the surfaces of fragments; surfaces alone: of all fragments, once. Exponent: time by own nodes"
                .into(),
        ],
        ..Study::default()
    }
}
