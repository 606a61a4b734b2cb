//! Sphere trees through fractures: every fragment's tree is sound, complete, and about as good as one built anew.

use crate::common;

use common::pairs::broken;
use common::scenes::direction;
use common::surfaces::filled_solids;
use common::trees::{Splitting, built, cooked, points_of};
use fracas::geom::random::{mix, unit};
use fracas::reference::tree::{SphereTree, split, split_without_restructuring};
use fracas::{Object, Pattern, Point, Solid, shapes};
use std::cmp::Reverse;

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
    let mut solids = vec![
        ("ball", shapes::ball(0.1, 16)),
        ("torus", shapes::torus(1.0, 0.3, 48, 10)),
        ("plate", shapes::plate(0.13, 0.006, 40)),
        ("hollow ball", shapes::hollow_ball(0.1, 20, 2)),
    ];
    solids.extend(filled_solids());
    solids
}

#[test]
fn trees_of_five_generations_are_sound_and_as_good_as_new() {
    for (name, solid) in solids() {
        for cells in [2, 6, 27] {
            let mut living = vec![cooked(solid.clone())];
            for generation in 1..=5 {
                let mut next = vec![];
                let (mut nodes, mut new_nodes, mut split_visits, mut new_visits) = (0, 0, 0, 0);
                let mut worst: f64 = 0.0;
                for (k, object) in living.iter().enumerate().take(12) {
                    let seed = mix(generation * 1000 + k as u64);
                    let fragments = broken(object, &Pattern::random_voronoi(cells, seed));
                    for fragment in fragments.into_iter().filter(|f| f.identity() != object.identity()) {
                        let tree = fragment.sphere_tree().unwrap();
                        let wrong = flaw(tree, &points_of(&fragment, true));
                        assert_eq!(wrong, None, "{name}, {cells} cells, generation {generation}");
                        let anew = built(&fragment, true);
                        let (ours, theirs) = (visits(tree, &fragment, seed), visits(anew.tree(0), &fragment, seed));
                        split_visits += ours;
                        new_visits += theirs;
                        worst = worst.max(ours as f64 / theirs as f64);
                        nodes += tree.nodes.len();
                        new_nodes += anew.nodes().len();
                        next.push(fragment);
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
                next.sort_by_key(|object| Reverse(object.nodes().len()));
                living = next;
            }
        }
    }
}

/// What the event does is the split of the object's tree, and neither that nor its naive form loses a point.
#[test]
fn trees_are_split_at_the_event() {
    for (name, solid) in solids() {
        let mut object = cooked(solid);
        for generation in 0..3 {
            let fragments = broken(&object, &Pattern::random_voronoi(9, generation));
            let Splitting { tree, fragment_of, fragments: count, added } = Splitting::new(&object, &fragments);
            let expected = split(tree, |p| fragment_of[p as usize], count, &added);
            let naive = split_without_restructuring(tree, |p| fragment_of[p as usize], count, &added);
            for (fragment, number) in fragments.iter().zip(0..) {
                let (tree, expected) = (fragment.sphere_tree().unwrap(), expected.tree(number));
                assert!(tree.nodes == expected.nodes && tree.centres == expected.centres, "{name}, {generation}");
                assert_eq!(flaw(naive.tree(number), &points_of(fragment, true)), None, "{name}, {generation}");
            }
            assert!(naive != split(tree, |p| fragment_of[p as usize], count, &added), "{name}: nothing to restructure");
            object = fragments.into_iter().max_by_key(|fragment| fragment.nodes().len()).unwrap();
        }
    }
}
