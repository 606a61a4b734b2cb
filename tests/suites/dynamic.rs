//! Frames of deforming scenes of the data folder: every pair of features that is known to collide is found.

use crate::common;

use common::{data, dynamic};
use fracas::Tasks;
use fracas::deform::ccd::CcdOptions;
use fracas::deform::{BodyMesh, BodyOptions, ConeCulling, Features, Interval, Scene, SceneOptions};
use std::collections::{HashMap, HashSet};

fn edge(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

#[test]
fn every_known_collision_is_found() {
    for name in dynamic::NAMES {
        let Some(frames) = dynamic::frames(name) else {
            return data::skipped("deforming scenes against exact collisions");
        };
        // The largest is left to the benchmark unless all is wanted.
        if name == "cloth-ball" && !common::is_full() {
            continue;
        }
        let mut discrete = HashMap::new();
        for culling in [ConeCulling::Off, ConeCulling::Conservative, ConeCulling::Fast] {
            let mut scene = Scene::new(SceneOptions { culling, ..SceneOptions::default() });
            let mesh =
                BodyMesh { positions: frames.start.clone(), triangles: frames.triangles.clone(), sources: vec![] };
            let body = scene.add(mesh, &BodyOptions::default()).unwrap();
            scene.set_positions(body, frames.end.iter().copied()).unwrap();
            let tasks = Tasks::pool(2).unwrap();
            scene.update(Interval::Step, &tasks);
            let mut impacts = vec![];
            scene.query_continuous(&CcdOptions::default(), &tasks, &mut impacts).unwrap();
            let (mut vertex_face, mut edge_edge) = (HashSet::new(), HashSet::new());
            for impact in &impacts {
                match impact.features {
                    Features::VertexFace { vertex, triangle } => vertex_face.insert([vertex, triangle]),
                    Features::EdgeEdge { a, b } => {
                        let (a, b) = (edge(a[0], a[1]), edge(b[0], b[1]));
                        edge_edge.insert(if b < a { [b, a] } else { [a, b] })
                    }
                };
            }
            assert_eq!(vertex_face.len() + edge_edge.len(), impacts.len(), "no pair comes twice");
            let missed =
                frames.vertex_face.iter().filter(|(pair, truth)| *truth && !vertex_face.contains(pair)).count();
            assert_eq!(missed, 0, "{name}, {culling:?}: vertex-face pairs");
            let missed = frames.edge_edge.iter().filter(|([a, b, c, d], truth)| {
                let (a, b) = (edge(*a, *b), edge(*c, *d));
                *truth && !edge_edge.contains(&if b < a { [b, a] } else { [a, b] })
            });
            assert_eq!(missed.count(), 0, "{name}, {culling:?}: edge-edge pairs");
            let known =
                frames.vertex_face.iter().filter(|p| p.1).count() + frames.edge_edge.iter().filter(|p| p.1).count();
            println!("{name}, {culling:?}: {known} known collisions found among {}", impacts.len());
            // At the end of the step, too: cones cull nothing that collides.
            let mut overlaps = vec![];
            scene.query_discrete(&tasks, &mut overlaps).unwrap();
            let key = |o: &fracas::deform::Overlap| edge(o.triangles[0], o.triangles[1]);
            discrete.insert(format!("{culling:?}"), overlaps.iter().map(key).collect::<HashSet<_>>());
        }
        assert_eq!(discrete["Off"], discrete["Conservative"], "{name}");
        assert_eq!(discrete["Off"].len(), discrete["Fast"].len(), "{name}: the paper's test misses none here");
    }
}
