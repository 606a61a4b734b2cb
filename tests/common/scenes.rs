//! The solids and patterns on which everything is tried.

use super::data;
use super::surfaces::filled_solids;
use fracas::fracture::pattern::{EdgeCut, Impact, LabelCuts, NodeGap, NodeLabels, Roughness};
use fracas::geom::plane::Plane;
use fracas::geom::random::unit;
use fracas::{Asset, CookOptions, Object, Pattern, Point, Solid, Vector, shapes};

/// Sample solids of every kind, and some made from surfaces, small enough to try everything on them.
pub fn sample_solids() -> Vec<(&'static str, Solid)> {
    let mut solids = vec![
        ("box", shapes::cuboid([1.0, 0.7, 0.5], [6, 5, 4])),
        ("brick", shapes::brick(1)),
        ("plate", shapes::plate(0.13, 0.006, 16)),
        ("ball", shapes::ball(0.1, 10)),
        ("hollow ball", shapes::hollow_ball(0.1, 12, 2)),
        ("torus", shapes::torus(1.0, 0.3, 24, 6)),
        ("tetrahedron", shapes::tetrahedron(1.0)),
    ];
    solids.extend(filled_solids());
    solids
}

/// The sample solids and, if the data folder is there, its meshes; every third of them unless in full.
pub fn all_solids() -> Vec<(&'static str, Solid)> {
    let mut solids = sample_solids();
    let step = if super::is_full() { 1 } else { 3 };
    let meshes: Vec<_> =
        data::MESHES.iter().step_by(step).filter_map(|name| Some((*name, data::mesh(name)?))).collect();
    if meshes.is_empty() {
        data::skipped("the part on the paper's meshes");
    }
    solids.extend(meshes);
    solids
}

pub fn intact(solid: Solid) -> Object {
    let asset = Asset::cook(solid, &CookOptions::default()).unwrap();
    Object::intact(&asset).remove(0)
}

pub const ROUGH: Roughness = Roughness { amplitude: 0.03, wavelength: 3.0, seed: 7 };

/// A point in the box around an object.
pub fn point_in(object: &Object, seed: u64) -> Point {
    let (min, size) = (object.bounds().min, object.bounds().size());
    Point::from(std::array::from_fn::<f64, 3, _>(|k| min[k] + size[k] * unit(seed, 100 + k as u64)))
}

pub fn direction(seed: u64) -> Vector {
    Vector::from_fn(|k, _| unit(seed, 200 + k as u64) - 0.5).normalize()
}

/// Every kind of pattern, smooth and rough, fitted to an object.
pub fn patterns(object: &Object, seed: u64) -> Vec<(String, Pattern)> {
    let plane = |k: u64| Plane::through(&point_in(object, seed * 64 + k), &direction(seed * 64 + k)).unwrap();
    let nodes = object.nodes();
    let middle =
        nodes.get(nodes.len() / 2).map_or(object.mass().centre, |n| object.asset().solid().nodes()[*n as usize]);
    let impact =
        Impact { point: middle, direction: direction(seed), radius: object.bounds().radius() * 0.7, count: 12, seed };
    let smooth = vec![
        ("planes", Pattern::planes((0..3).map(plane).collect())),
        ("voronoi", Pattern::voronoi((0..9).map(|k| point_in(object, seed * 64 + k)).collect())),
        ("random voronoi", Pattern::random_voronoi(11, seed)),
        ("impact", Pattern::impact(impact)),
    ];
    let mut all: Vec<(String, Pattern)> = vec![];
    for (name, pattern) in smooth {
        all.push((name.into(), pattern.clone()));
        all.push((format!("rough {name}"), pattern.rough(ROUGH)));
    }
    for (name, cuts) in label_cuts(object, seed) {
        all.push((name.into(), Pattern::labels(NodeLabels { labels: stripes(object), cuts })));
    }
    all
}

/// Labels by slices of space, in the caller's node numbers.
fn stripes(object: &Object) -> Vec<u32> {
    let solid = object.asset().solid();
    let (min, size) = (object.bounds().min, object.bounds().size());
    let mut labels = vec![0; solid.source_node_count()];
    for &n in object.nodes() {
        let p = (solid.nodes()[n as usize] - min).component_div(&size);
        labels[solid.source_nodes()[n as usize] as usize] = 10 * (2.5 * p.x) as u32 + (2.5 * p.y + p.z * 0.9) as u32;
    }
    labels
}

fn label_cuts(object: &Object, seed: u64) -> Vec<(&'static str, LabelCuts)> {
    let solid = object.asset().solid();
    let labels = stripes(object);
    let source = |n: u32| solid.source_nodes()[n as usize];
    let mut gaps = vec![];
    let mut edges = vec![];
    for (k, [i, j]) in solid.edges().iter().enumerate() {
        let [a, b] = [source(*i), source(*j)];
        let t = 0.05 + 0.9 * unit(seed, k as u64);
        gaps.push(NodeGap { node: a, opponent: labels[b as usize], gap: t * object.asset().mean_edge() });
        if k % 3 != 0 {
            edges.push(EdgeCut { nodes: [a, b], position: t });
        }
    }
    vec![
        ("labels", LabelCuts::Middle),
        ("labels with gaps", LabelCuts::Gaps(gaps)),
        ("labels with cuts", LabelCuts::Edges(edges)),
    ]
}
