//! Pairs of frames: the data folder's, with what is known to collide in them, and one of each sequence.

use super::found::{self, Key};
use super::play::{Kind, Orders, Player};
use super::world::{Merged, World};
use crate::common::dynamic;
use crate::studies::Study;
use crate::timing::{timed, worked};
use fracas::Tasks;
use fracas::deform::ccd::CcdOptions;
use fracas::deform::{ConeCulling, SceneOptions};

/// A scene of the data folder, and its pairs that collide.
pub struct Listed {
    pub name: &'static str,
    pub world: World,
    pairs: Vec<Key>,
}

/// Those that are here.
pub fn listed() -> Vec<Listed> {
    let scene = |name| {
        let frames: dynamic::Frames = dynamic::frames(name)?;
        let vertex_face = frames.vertex_face.iter().filter(|(_, meet)| *meet);
        let edge_edge = frames.edge_edge.iter().filter(|(_, meet)| *meet);
        let mut pairs: Vec<Key> = vertex_face.map(|([v, f], _)| [1, 0, *v, 0, *f, 0, 0]).collect();
        pairs.extend(edge_edge.map(|([a, b, c, d], _)| {
            let (p, q) = ([*a.min(b), *a.max(b)], [*c.min(d), *c.max(d)]);
            let ([a, b], [c, d]) = if p < q { (p, q) } else { (q, p) };
            [2, 0, a, b, 0, c, d]
        }));
        pairs.sort_unstable();
        pairs.dedup();
        let dynamic::Frames { start, end, triangles, .. } = frames;
        Some(Listed { name, world: Merged { start, end, triangles }.into_world(), pairs })
    };
    dynamic::NAMES.into_iter().filter_map(scene).collect()
}

/// The best of some repetitions of one step, in milliseconds.
pub struct Step {
    pub build: f64,
    pub update: f64,
    pub query: f64,
    /// The first impact only; not for discrete ones.
    pub first: f64,
    pub found: Vec<Key>,
}

/// From the start of a world's frame to its end.
pub fn step(world: &World, culling: ConeCulling, kind: Kind, repetitions: usize) -> Step {
    let options = SceneOptions { culling, ..SceneOptions::default() };
    let far = f64::INFINITY;
    let mut best = Step { build: far, update: far, query: far, first: far, found: vec![] };
    for _ in 0..repetitions {
        let mut player = Player::new(options, kind, &Tasks::inline(), worked);
        let meshes: Vec<_> = world.meshes(true).collect();
        let (build, ()) = timed(|| player.join(meshes.into_iter()));
        let bodies = world.bodies.iter().enumerate();
        let moves = bodies.filter_map(|(k, body)| Some((k, body.as_ref()?.end.clone()))).collect();
        let times = player.step(Orders { changes: vec![], moves });
        best.build = best.build.min(build);
        best.update = best.update.min(times.mesh + times.update);
        best.query = best.query.min(times.query);
        if kind == Kind::Continuous {
            let first = || player.scene.first_impact(&CcdOptions::default(), &Tasks::inline()).expect("it was updated");
            best.first = best.first.min(timed(first).0);
        }
        best.found = found::keys(&player);
    }
    best
}

/// The data folder's scenes. Panics if a pair of the lists is not found, unless cones are fast, which may miss some.
pub fn study(listed: &[Listed], quick: bool, progress: &dyn Fn(&str)) -> Study {
    let mut rows = vec![];
    let mut notes = vec![];
    if listed.is_empty() {
        notes.push("skipped: the data folder is not here (FRACAS_DATA)".into());
    }
    for Listed { name, world, pairs } in listed {
        for (label, culling) in
            [("default", ConeCulling::Conservative), ("cones off", ConeCulling::Off), ("cones fast", ConeCulling::Fast)]
        {
            progress(&format!("{name}, {label}"));
            let [discrete, continuous] = Kind::ALL.map(|kind| step(world, culling, kind, if quick { 1 } else { 3 }));
            let missed = found::missing(pairs, &continuous.found);
            assert!(missed == 0 || culling == ConeCulling::Fast, "{name}, {label}: {missed} listed pairs are missed");
            let triangles = world.bodies.iter().flatten().map(|body| body.triangles.len()).sum::<usize>();
            let row = vec![
                triangles as f64,
                discrete.update,
                discrete.query,
                discrete.found.len() as f64,
                continuous.update,
                continuous.query,
                continuous.found.len() as f64,
                pairs.len() as f64,
                missed as f64,
            ];
            rows.push((format!("{name}, {label}"), row));
        }
    }
    Study {
        title: "scenes of the data folder: one step, all collisions, one thread".into(),
        columns: vec![
            "triangles",
            "discrete: update",
            "query, ms",
            "found",
            "continuous: update",
            "query, ms",
            "found",
            "listed pairs",
            "missed",
        ],
        rows,
        notes,
        ..Study::default()
    }
}
