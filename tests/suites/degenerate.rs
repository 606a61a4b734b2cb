//! The hard inputs: cuts through nodes, slivers, crumbs of one node, tiny, huge and far bodies.

use crate::common;

use common::{oracle, scenes};
use fracas::fracture::pattern::{Impact, NodeLabels};
use fracas::geom::plane::Plane;
use fracas::{Asset, CookOptions, FractureOptions, Object, Outcome, Pattern, Point, Solid, Vector, fracture, shapes};

fn check(object: &Object, pattern: &Pattern, what: &str) -> usize {
    match fracture(object, pattern, &FractureOptions::default()).unwrap() {
        Outcome::Broken(result) => {
            oracle::check(object, &result, what);
            result.objects.len()
        }
        Outcome::Whole { .. } => 1,
    }
}

fn across(at: [f64; 3], normal: [f64; 3]) -> Plane {
    Plane::through(&Point::from(at), &Vector::from(normal)).unwrap()
}

#[test]
fn cuts_exactly_through_layers_of_nodes() {
    let object = scenes::intact(shapes::cuboid([1.0, 1.0, 1.0], [4, 4, 4]));
    // Nodes at -0.5, -0.25, 0, 0.25, 0.5; diagonals of the lattice; edges and corners of the box.
    assert_eq!(check(&object, &Pattern::planes(vec![across([0.0; 3], [1.0, 0.0, 0.0])]), "a layer"), 2);
    let layers = |step: f64| {
        (0..3)
            .flat_map(|k| (-2..=2).map(move |n| (k, n as f64 * step)))
            .map(|(k, x)| {
                let mut normal = [0.0; 3];
                normal[k] = 1.0;
                across([x; 3], normal)
            })
            .collect::<Vec<_>>()
    };
    assert!(check(&object, &Pattern::planes(layers(0.25)), "all layers") >= 64);
    assert!(check(&object, &Pattern::planes(layers(0.125)), "all layers and all middles") >= 64);
    for normal in [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [1.0, -1.0, 0.0]] {
        assert_eq!(check(&object, &Pattern::planes(vec![across([0.0; 3], normal)]), "a diagonal"), 2);
    }
    check(&object, &Pattern::planes(vec![across([0.5; 3], [1.0, 0.0, 0.0])]), "a face of the box");
    check(&object, &Pattern::planes(vec![across([0.5; 3], [1.0, 1.0, 1.0])]), "a corner of the box");
    check(&object, &Pattern::planes(vec![across([0.0; 3], [1.0, 0.0, 0.0]); 3]), "the same plane three times");
}

#[test]
fn seeds_of_every_awkward_kind() {
    let object = scenes::intact(shapes::ball(1.0, 6));
    let nodes = object.asset().solid().nodes();
    // A blow that hits nothing has no seeds.
    let (point, direction) = (Point::new(90.0, 0.0, 0.0), Vector::x());
    let missed = Pattern::impact(Impact { point, direction, radius: 0.1, count: 8, seed: 1 });
    assert_eq!(check(&object, &missed, "no seed"), 1);
    assert_eq!(check(&object, &Pattern::voronoi(vec![Point::origin()]), "one seed"), 1);
    let halves =
        fracture(&object, &Pattern::random_voronoi(2, 1), &FractureOptions::default()).unwrap().broken().unwrap();
    assert_eq!(check(&halves.objects[0], &missed, "no seed in a half"), 1);
    assert_eq!(check(&object, &Pattern::voronoi(vec![Point::origin(); 5]), "one seed five times"), 1);
    assert!(
        check(
            &object,
            &Pattern::voronoi(vec![Point::new(30.0, 0.0, 0.0), Point::new(-30.0, 1.0, 0.0)]),
            "seeds outside"
        ) == 2
    );
    assert_eq!(check(&object, &Pattern::voronoi(nodes.to_vec()), "a seed on every node"), nodes.len());
    let doubled = nodes.iter().flat_map(|p| [*p, *p + Vector::repeat(1e-6)]).collect();
    assert_eq!(check(&object, &Pattern::voronoi(doubled), "more seeds than nodes"), 2 * nodes.len());
    let huge: Vec<Point> = (0..8).map(|k| Point::from(scenes::direction(k) * 1e12)).collect();
    check(&object, &Pattern::voronoi(huge), "seeds at the end of the world");
    let close: Vec<Point> = (0..8).map(|k| Point::from(scenes::direction(k) * 1e-14)).collect();
    check(&object, &Pattern::voronoi(close), "seeds a rounding error apart");
}

#[test]
fn crumbs_of_single_nodes_and_nothing_left_to_cut() {
    let object = scenes::intact(shapes::cuboid([1.0, 1.0, 1.0], [3, 3, 3]));
    let every_node = NodeLabels { labels: (0..64).collect(), ..Default::default() };
    let result =
        fracture(&object, &Pattern::labels(every_node.clone()), &FractureOptions::default()).unwrap().broken().unwrap();
    oracle::check(&object, &result, "every node for itself");
    assert_eq!(result.objects.len(), 64);
    for crumb in &result.objects {
        // Nodes of other pieces have their say in tetrahedra that are shared; where they do not reach, nothing is cut.
        check(crumb, &Pattern::labels(every_node.clone()), "a single node");
        assert!(check(crumb, &Pattern::random_voronoi(5, 1), "a single node in five") >= 5);
    }
    for seed in 0..40 {
        let tet = scenes::intact(shapes::tetrahedron(1.0));
        let planes = vec![Plane::through(&scenes::point_in(&tet, seed), &scenes::direction(seed)).unwrap()];
        check(&tet, &Pattern::planes(planes), "a single tetrahedron");
        assert_eq!(check(&tet, &Pattern::random_voronoi(4, seed), "a single tetrahedron in four"), 4);
        assert_eq!(check(&tet, &Pattern::random_voronoi(3, seed), "a single tetrahedron in three"), 3);
    }
}

/// The same body a hundred thousand times smaller, a million times larger, and far from the origin breaks alike.
#[test]
fn size_and_place_do_not_matter() {
    let solid = shapes::ball(1.0, 6);
    let moved = |scale: f64, by: f64| {
        let nodes: Vec<[f64; 3]> =
            solid.nodes().iter().map(|p| [p.x * scale + by, p.y * scale + by, p.z * scale + by]).collect();
        let asset = Asset::cook(Solid::new(&nodes, solid.tets()).unwrap(), &CookOptions::default()).unwrap();
        Object::intact(&asset).remove(0)
    };
    let seeds = |scale: f64, by: f64| {
        let seed = |k| Point::from(scenes::direction(k) * ((0.5 + 0.03 * k as f64) * scale)) + Vector::repeat(by);
        Pattern::voronoi((0..10).map(seed).collect())
    };
    let reference =
        fracture(&moved(1.0, 0.0), &seeds(1.0, 0.0), &FractureOptions::default()).unwrap().broken().unwrap();
    for (scale, by) in [(1e-5, 0.0), (1e6, 0.0), (5e6, 0.0), (1.0, 1e6), (1e-3, 100.0)] {
        let object = moved(scale, by);
        let result = fracture(&object, &seeds(scale, by), &FractureOptions::default()).unwrap().broken().unwrap();
        oracle::check(&object, &result, &format!("scale {scale:e}, moved by {by:e}"));
        assert_eq!(result.objects.len(), reference.objects.len());
        let mut worst: f64 = 0.0;
        for (a, b) in result.objects.iter().zip(&reference.objects) {
            worst = worst.max((a.mass().volume / scale.powi(3) / b.mass().volume - 1.0).abs());
        }
        println!("scale {scale:e}, moved by {by:e}: volumes differ by {worst:.1e}");
        assert!(worst < 1e-6);
        // Rough too, and again.
        let rough = Pattern::random_voronoi(10, 3).rough(scenes::ROUGH);
        let result = fracture(&object, &rough, &FractureOptions::default()).unwrap().broken().unwrap();
        oracle::check(&object, &result, "rough");
        check(&result.objects[0], &Pattern::random_voronoi(5, 4), "again");
    }
}

/// A slab thinner than an edge, again and again through the same place, in every generation.
#[test]
fn slabs_thinner_than_an_edge() {
    let object = scenes::intact(shapes::cuboid([1.0, 1.0, 1.0], [5, 5, 5]));
    let mut family = vec![object];
    for generation in 0..5 {
        let x = 0.01 + 0.002 * generation as f64;
        let pattern = Pattern::planes(vec![across([x; 3], [1.0, 0.1, 0.0]), across([x + 0.01; 3], [1.0, 0.1, 0.0])]);
        family = family
            .iter()
            .flat_map(|o| match fracture(o, &pattern, &FractureOptions::default()).unwrap() {
                Outcome::Broken(result) => {
                    oracle::check(o, &result, &format!("slab, generation {generation}"));
                    result.objects
                }
                Outcome::Whole { .. } => vec![o.clone()],
            })
            .collect();
    }
    let pattern = Pattern::planes((0..9).map(|k| across([0.1 * k as f64 - 0.4; 3], [0.3, 1.0, 0.2])).collect());
    for o in family {
        check(&o, &pattern, "slices of slabs");
    }
}
