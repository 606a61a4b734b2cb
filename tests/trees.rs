//! Sphere trees through fractures: every fragment's tree is sound, complete, and about as good as one built anew.

mod common;

use common::scenes::{direction, intact};
use fracas::geom::random::{mix, unit};
use fracas::tree::{NewPoint, SphereForest, SphereTree, split};
use fracas::{FractureOptions, Object, Pattern, Point, Solid, fracture, shapes};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::rc::Rc;

/// The points of an object: nodes by their number, then crack points by their id. Ascending.
fn points_of(object: &Object) -> Vec<(u32, Point)> {
    let positions = object.asset().solid().nodes();
    let nodes = object.nodes().iter().map(|n| (*n, positions[*n as usize]));
    let cracks = object.crack_points().iter().map(|p| (positions.len() as u32 + p.id, p.at));
    let mut points: Vec<(u32, Point)> = nodes.chain(cracks).collect();
    points.sort_unstable_by_key(|(number, _)| *number);
    points
}

/// Breaks an object, if it breaks, and its tree with it.
fn shatter(object: &Object, tree: SphereTree, cells: u32, seed: u64) -> (Vec<Object>, SphereForest) {
    let pattern = Pattern::random_voronoi(cells, seed);
    let Some(broken) = fracture(object, &pattern, &FractureOptions::default()).unwrap().broken() else {
        return Default::default();
    };
    let first_crack = object.asset().solid().nodes().len() as u32;
    let mut fragment_of = HashMap::new();
    let mut added = vec![];
    for (fragment, number) in broken.objects.iter().zip(0u32..) {
        fragment_of.extend(points_of(fragment).into_iter().map(|(p, _)| (p, number)));
        let new = fragment.crack_points().iter().filter(|p| p.id >= object.made_by().next_id);
        added.extend(new.map(|p| NewPoint { at: p.at, point: first_crack + p.id, parent: p.node }));
    }
    let forest = split(tree, |p| fragment_of[&p], broken.objects.len() as u32, &added);
    (broken.objects, forest)
}

fn built(points: &[(u32, Point)]) -> SphereForest {
    let at: Vec<Point> = points.iter().map(|(_, at)| *at).collect();
    let places: Vec<u32> = (0..at.len() as u32).collect();
    SphereForest::build(&at, [&places[..]])
}

/// Says what is wrong with the tree of an object.
fn flaw(tree: SphereTree, points: &[(u32, Point)]) -> Option<String> {
    let mut met: Vec<(u32, Point)> = tree.points().map(|(point, node)| (point, tree.centres[node])).collect();
    met.sort_unstable_by_key(|(number, _)| *number);
    let wrong = || format!("it has {} points of {}, or others", met.len(), points.len());
    tree.flaw().or_else(|| (met != points).then(wrong))
}

const QUERIES: u64 = 40;

/// Spheres visited by half-spaces and balls at random in and around an object.
fn visits(tree: SphereTree, object: &Object, seed: u64) -> usize {
    let bounds = object.bounds();
    (0..QUERIES)
        .map(|k| {
            let key = mix(seed) ^ k;
            let at = bounds.centre() + direction(key) * (bounds.radius() * 1.2 * unit(key, 1));
            let normal = direction(key ^ 0x5555);
            let ball = bounds.radius() * 0.5 * unit(key, 2);
            tree.visits(|centre, radius| normal.dot(&(centre - at)) < radius)
                + tree.visits(|centre, radius| (centre - at).norm() < radius + ball)
        })
        .sum()
}

fn solids() -> Vec<(&'static str, Solid)> {
    vec![
        ("ball", shapes::ball(0.1, 16)),
        ("torus", shapes::torus(1.0, 0.3, 48, 10)),
        ("plate", shapes::plate(0.13, 0.006, 40)),
        ("hollow ball", shapes::hollow_ball(0.1, 20, 2)),
    ]
}

#[test]
fn trees_of_five_generations_are_sound_and_as_good_as_new() {
    for (name, solid) in solids() {
        for cells in [2, 6, 27] {
            let object = intact(solid.clone());
            let tree = SphereForest::build(object.asset().solid().nodes(), [object.nodes()]);
            let mut living = vec![(object, Rc::new(tree), 0)];
            for generation in 1..=5 {
                let mut next = vec![];
                let (mut nodes, mut new_nodes, mut split_visits, mut new_visits) = (0, 0, 0, 0);
                let mut worst: f64 = 0.0;
                for (k, (object, forest, number)) in living.iter().enumerate().take(12) {
                    let seed = mix(generation * 1000 + k as u64);
                    let (fragments, trees) = shatter(object, forest.tree(*number), cells, seed);
                    let trees = Rc::new(trees);
                    for (fragment, number) in fragments.into_iter().zip(0..) {
                        let tree = trees.tree(number);
                        let points = points_of(&fragment);
                        assert_eq!(flaw(tree, &points), None, "{name}, {cells} cells, generation {generation}");
                        let anew = built(&points);
                        let (ours, theirs) = (visits(tree, &fragment, seed), visits(anew.tree(0), &fragment, seed));
                        split_visits += ours;
                        new_visits += theirs;
                        worst = worst.max(ours as f64 / theirs as f64);
                        nodes += tree.nodes.len();
                        new_nodes += anew.nodes().len();
                        next.push((fragment, trees.clone(), number));
                    }
                }
                if next.is_empty() {
                    break; // single nodes do not break
                }
                let ratio = split_visits as f64 / new_visits as f64;
                println!(
                    "{name}, {cells} cells, generation {generation}: {} fragments, {:.0} visits a query, {ratio:.3} times \
                     those of trees built anew (worst fragment {worst:.2}), {:.2} times the nodes",
                    next.len(),
                    split_visits as f64 / (2 * QUERIES as usize * next.len()) as f64,
                    nodes as f64 / new_nodes as f64
                );
                assert!(ratio <= 1.3, "{name}, {cells} cells, generation {generation}");
                next.sort_by_key(|(object, ..)| Reverse(object.nodes().len()));
                living = next;
            }
        }
    }
}
