//! The gate: what is no solid is refused by name, what can be mended is, and bodies that do not touch are several objects.

use fracas::{Asset, CookOptions, Error, Object, Solid, shapes};

const NODES: [[f64; 3]; 5] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]];

#[test]
fn meshes_that_are_no_solid_are_refused_by_name() {
    let with = |index: usize, at: [f64; 3]| {
        let mut nodes = NODES.to_vec();
        nodes[index] = at;
        nodes
    };
    let plain = NODES.to_vec();
    type Case = (Vec<[f64; 3]>, Vec<[u32; 4]>, &'static str);
    let cases: Vec<Case> = vec![
        (plain.clone(), vec![], "no tetrahedra"),
        (vec![], vec![[0, 1, 2, 3]], "there are 0 nodes"),
        (with(2, [0.0, f64::NAN, 0.0]), vec![[0, 1, 2, 3]], "nodes[2].y is NaN"),
        (with(1, [f64::INFINITY, 0.0, 0.0]), vec![[0, 1, 2, 3]], "nodes[1].x is inf"),
        (
            with(1, [1e80, 0.0, 0.0]),
            vec![[0, 1, 2, 3]],
            "nodes[1].x is 1e80; coordinates must be finite and at most 1e12 m",
        ),
        (with(1, [1.01e12, 0.0, 0.0]), vec![[0, 1, 2, 3]], "nodes[1].x is 1.01e12"),
        (plain.clone(), vec![[0, 1, 2, 7]], "tets[0][3] is 7, but there are 5 nodes"),
        (plain.clone(), vec![[0, 1, 2, 3], [0, 1, 1, 3]], "tets[1] names node 1 twice"),
        (with(3, [0.3, 0.3, 0.0]), vec![[0, 1, 2, 3]], "tets[0] is flat"),
        (with(3, [0.0, 0.0, 1e-13]), vec![[0, 1, 2, 3]], "tets[0] is flat"),
        (plain.clone(), vec![[0, 1, 2, 3], [3, 2, 1, 0]], "tets[0] and tets[1] have the same four nodes"),
        (with(4, [0.1, 0.1, 2.0]), vec![[0, 1, 2, 3], [0, 1, 2, 4]], "overlap"),
        (
            vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [0.1, 0.1, -2.0]],
            vec![[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 2, 5]],
            "share one face",
        ),
    ];
    for (nodes, tets, words) in cases {
        match Solid::new(&nodes, &tets) {
            Err(Error::InvalidMesh(text)) => assert!(text.contains(words), "'{text}' does not say '{words}'"),
            other => panic!("expected '{words}', got {other:?}"),
        }
    }
}

#[test]
fn inverted_tetrahedra_are_turned_and_unused_nodes_dropped() {
    let mut nodes = NODES.to_vec();
    nodes.insert(0, [9.0; 3]);
    let solid = Solid::new(&nodes, &[[2, 1, 3, 4], [2, 3, 4, 5]]).unwrap();
    assert_eq!(solid.nodes().len(), 5);
    assert!(!solid.source_nodes().contains(&0));
    let exact = 1.0 / 6.0 + 1.0 / 3.0;
    assert!((solid.volume() - exact).abs() < 1e-12);
    // Skin triangles look outwards: the flux is the volume.
    let p = |n: u32| solid.nodes()[n as usize].coords;
    let flux: f64 = solid.skin().iter().map(|s| p(s.nodes[0]).dot(&p(s.nodes[1]).cross(&p(s.nodes[2]))) / 6.0).sum();
    assert!((flux - exact).abs() < 1e-12);
    for (ours, source) in solid.source_nodes().iter().enumerate() {
        assert_eq!(solid.nodes()[ours].coords.as_slice(), nodes[*source as usize]);
    }
}

#[test]
fn bodies_that_do_not_touch_are_several_objects() {
    let mut nodes = NODES[..4].to_vec();
    nodes.extend(NODES[..4].iter().map(|p| [p[0] + 5.0, p[1] * 2.0, p[2]]));
    let asset = Asset::cook(
        Solid::new(&nodes, &[[0, 1, 2, 3], [4, 5, 6, 7]]).unwrap(),
        &CookOptions { density: 2.0, ..Default::default() },
    )
    .unwrap();
    let objects = Object::intact(&asset);
    assert_eq!(objects.len(), 2);
    let mut masses: Vec<f64> = objects.iter().map(|o| o.mass().mass).collect();
    masses.sort_by(f64::total_cmp);
    assert!((masses[0] - 2.0 / 6.0).abs() < 1e-12 && (masses[1] - 4.0 / 6.0).abs() < 1e-12);
    for o in &objects {
        assert_eq!((o.nodes().len(), o.surface().triangles.len()), (4, 4));
        assert!(o.owns(0, &[0.25; 4]) != objects[1 - o.piece_number() as usize].owns(0, &[0.25; 4]));
    }
}

#[test]
fn densities_must_be_positive() {
    for density in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Asset::cook(shapes::tetrahedron(1.0), &CookOptions { density, ..Default::default() }).is_err());
    }
}

#[test]
fn a_ball_weighs_what_a_ball_weighs() {
    let object = Object::intact(&Asset::cook(shapes::ball(0.5, 40), &CookOptions::default()).unwrap()).remove(0);
    let exact = 4.0 / 3.0 * std::f64::consts::PI * 0.125;
    let mass = object.mass();
    assert!((mass.volume / exact - 1.0).abs() < 0.005);
    // 2/5 m r², on all axes.
    for k in 0..3 {
        assert!((mass.inertia[(k, k)] / (0.4 * exact * 1000.0 * 0.25) - 1.0).abs() < 0.01);
    }
    assert!(mass.centre.coords.norm() < 1e-12);
}
