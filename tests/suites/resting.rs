//! Normals of bodies that settle and rest: fragments near where they parted, boxes on boxes, plates on the ground.

use crate::common;

use common::pairs::broken;
use common::surfaces::filled_solids;
use common::{data, oracle, scenes};
use fracas::contact::{Contact, Feature, Mode, QueryOptions, query_pair};
use fracas::fracture::surface::{Face, Surface, Triangle};
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::geom::random::unit;
use fracas::{Object, Pattern, Point, Solid, Vector, shapes};
use nalgebra::{Translation3, UnitQuaternion};

fn query(a: &Object, pa: &Pose, b: &Object, pb: &Pose, mode: Mode) -> Vec<Contact> {
    let mut out = vec![];
    query_pair(a, pa, b, pb, &QueryOptions { mode, ..QueryOptions::every_sample() }, &mut out).unwrap();
    out
}

/// The triangles of the crack between a piece and its sibling, with their outward normals, as long as their area.
fn crack_between(surface: &Surface, sibling: u32) -> Vec<([Point; 3], Vector)> {
    let between = |t: &&Triangle| matches!(t.face, Face::Crack { neighbour: Some(k), .. } if k == sibling);
    let corners = |t: &Triangle| t.corners.map(|c| surface.vertices[c as usize]);
    let with_normal = |[a, b, c]: [Point; 3]| ([a, b, c], (b - a).cross(&(c - a)));
    surface.triangles.iter().filter(between).map(corners).map(with_normal).collect()
}

/// The normal of a crack: the mean by area over all of it, and over what is within `within` of the place nearest to `p`. (Not
/// that of single triangles: where three pieces meet they stand at any angle to the crack that they are part of.)
fn normals(crack: &[([Point; 3], Vector)], p: &Point, within: f64) -> [Vector; 2] {
    let distances: Vec<f64> = crack.iter().map(|(t, _)| oracle::triangle_distance(p, t)).collect();
    let nearest = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let near = crack.iter().zip(&distances).filter(|(_, d)| **d <= nearest + within);
    [crack.iter().map(|(_, n)| n).sum(), near.map(|((_, n), _)| n).sum()]
}

#[derive(Default)]
struct Normals {
    contacts: usize,
    right: usize,
    pairs: usize,
}

impl Normals {
    fn share(&self) -> f64 {
        100.0 * self.right as f64 / self.contacts as f64
    }
}

/// Of the contacts of crack samples, how many normals are within 20 degrees of that of the crack between the two, on either.
fn count_normals(pieces: &[Object], poses: &[Pose], mode: Mode, sum: &mut Normals) {
    let (nodes, edge) = (pieces[0].asset().solid().nodes().len() as u32, pieces[0].asset().mean_edge());
    let surfaces: Vec<Surface> = pieces.iter().map(|p| p.surface()).collect();
    for touching in pieces[0].adjacency() {
        let [i, j] = touching.pieces.map(|k| k as usize);
        // The normal of a contact is out of B: against what is out of A.
        let sides = [
            (crack_between(&surfaces[i], j as u32), &poses[i], -1.0),
            (crack_between(&surfaces[j], i as u32), &poses[j], 1.0),
        ];
        let contacts = query(&pieces[i], &poses[i], &pieces[j], &poses[j], mode);
        sum.pairs += !contacts.is_empty() as usize;
        for c in contacts.iter().filter(|c| Feature::decoded(c.feature).id >= nodes) {
            let n = Vector::from(c.normal.map(f64::from));
            let at = Point::from(Vector::from(c.point.map(f64::from)) + poses[i].translation.vector);
            let cos = sides.iter().flat_map(|(crack, pose, sign)| {
                let of_crack = normals(crack, &(pose.inverse() * at), edge);
                of_crack.map(|m| (pose.rotation * m.normalize()).dot(&n) * sign)
            });
            sum.contacts += 1;
            sum.right += (cos.fold(-1.0, f64::max) > 20f64.to_radians().cos()) as usize;
        }
    }
}

/// Moved by 1-3 % of the radius and turned by 2-5 degrees, each about its own centre.
fn settling(pieces: &[Object], seed: u64) -> Vec<Pose> {
    let radius = pieces[0].asset().radius();
    (0..pieces.len() as u64)
        .map(|k| {
            let key = seed * 1000 + k;
            let centre = Translation3::from(pieces[k as usize].mass().centre.coords);
            let shift = scenes::direction(key + 500) * radius * (0.01 + 0.02 * unit(key, 1));
            let angle = (2.0 + 3.0 * unit(key, 2)).to_radians();
            let motion = Pose::from_parts(
                Translation3::from(shift),
                UnitQuaternion::from_scaled_axis(scenes::direction(key) * angle),
            );
            Pose::from(centre) * motion * Pose::from(centre.inverse())
        })
        .collect()
}

#[test]
fn fragments_push_across_their_cracks() {
    let mut solids: Vec<(&str, Solid)> = vec![("ball", shapes::ball(0.1, 16)), ("brick", shapes::brick(2))];
    solids.extend(filled_solids());
    match data::mesh("bunny") {
        Some(solid) => solids.push(("bunny", solid)),
        None => data::skipped("the part on the bunny"),
    }
    for (name, solid) in solids {
        let object = scenes::intact(solid);
        let pattern = Pattern::random_voronoi(27, 1);
        for (kind, pattern) in [("smooth", pattern.clone()), ("rough", pattern.rough(scenes::ROUGH))] {
            let pieces = broken(&object, &pattern);
            for mode in [Mode::Full, Mode::TargetThenDeeper] {
                let (mut rest, mut moved) = (Normals::default(), Normals::default());
                count_normals(&pieces, &vec![Pose::identity(); pieces.len()], mode, &mut rest);
                for frame in 0..if mode == Mode::Full { 1 } else { 4 } {
                    count_normals(&pieces, &settling(&pieces, frame), mode, &mut moved);
                }
                println!(
                    "{name}, {kind}, {mode:?}: at rest {:.2} % of {} crack contacts, settling {:.2} % of {} ({} pairs)",
                    rest.share(),
                    rest.contacts,
                    moved.share(),
                    moved.contacts,
                    moved.pairs
                );
                assert!(rest.contacts > 500 && moved.contacts > 500);
                assert!(rest.share() >= 99.0 && moved.share() >= 90.0);
            }
        }
    }
}

/// Boxes, bricks and plates that stand on each other, with their corners on each other's rims.
#[test]
fn what_stands_on_something_is_pushed_up() {
    let block = || shapes::cuboid([0.4, 0.2, 0.1], [4, 2, 1]);
    let solids = [
        ("cube on cube", shapes::cuboid([1.0; 3], [5; 3]), shapes::cuboid([1.0; 3], [5; 3])),
        ("block on block", block(), block()),
        ("small on large", shapes::cuboid([0.2, 0.2, 0.1], [2, 2, 1]), block()),
        ("large on small", block(), shapes::cuboid([0.2, 0.2, 0.1], [2, 2, 1])),
        ("brick on brick", shapes::brick(1), shapes::brick(1)),
        ("plate on ground", shapes::cuboid([0.3, 0.3, 0.01], [6, 6, 1]), shapes::cuboid([2.0, 2.0, 0.2], [8, 8, 1])),
    ];
    let pairs = solids.map(|(name, top, bottom)| (name, scenes::intact(top), scenes::intact(bottom)));
    // Mostly, what lies on each other is made of one asset.
    let brick = scenes::intact(shapes::brick(1));
    let again = Object::intact(brick.asset()).remove(0);
    for (name, top, bottom) in pairs.into_iter().chain([("brick on brick of one asset", brick, again)]) {
        let height = 0.5 * (top.bounds().size().z + bottom.bounds().size().z);
        let [reach_x, reach_y] = [0, 1].map(|k| 0.5 * (bottom.bounds().size()[k] - top.bounds().size()[k]).abs());
        let [size_x, size_y] = [0, 1].map(|k| 0.5 * top.bounds().size()[k].min(bottom.bounds().size()[k]));
        let radius = top.bounds().radius().min(bottom.bounds().radius());
        let (mut contacts, mut upright, mut worst) = (0, 0, 1.0f32);
        // Rim on rim, shifted by half, turned by a quarter; apart within the margin, touching, and a little into each other.
        for (x, y) in [
            (0.0, 0.0),
            (reach_x, 0.0),
            (reach_x, reach_y),
            (size_x, 0.0),
            (size_x, size_y),
            (0.3 * size_x, 0.1 * size_y),
        ] {
            for quarter in 0..2 {
                for gap in [0.0005, 0.0, -1e-6, -0.0005, -0.002, -0.01] {
                    let turn = UnitQuaternion::from_axis_angle(
                        &Vector::z_axis(),
                        std::f64::consts::FRAC_PI_2 * quarter as f64,
                    );
                    let upper = Pose::from_parts(Translation3::new(x, y, height + gap * radius), turn);
                    // Both ways, and the whole turned to any side: world axes mean nothing.
                    for (seed, swap) in [(0, false), (0, true), (3, false)] {
                        let world = UnitQuaternion::from_scaled_axis(scenes::direction(seed) * seed as f64);
                        let world = Pose::from_parts(Translation3::new(1.0, 2.0, 3.0), world);
                        let (pa, pb) = (world * upper, world);
                        let (found, sign) = match swap {
                            false => (query(&top, &pa, &bottom, &pb, Mode::TargetThenDeeper), 1.0),
                            true => (query(&bottom, &pb, &top, &pa, Mode::TargetThenDeeper), -1.0),
                        };
                        assert!(!found.is_empty(), "{name} at {x} {y}, gap {gap}");
                        for c in &found {
                            let n = world.rotation.inverse() * Vector::from(c.normal.map(f64::from));
                            contacts += 1;
                            upright += (sign * n.z > 0.99) as usize;
                            worst = worst.min((sign * n.z) as f32);
                        }
                    }
                }
            }
        }
        println!("{name}: {upright} of {contacts} normals upright, the worst has z = {worst:.3}");
        assert!(upright == contacts, "{name}");
    }
}

/// How deep the contacts of two bodies are, the least and the most, by the shortest way out and along the normal.
fn depths(a: &Object, pa: &Pose, b: &Object, pb: &Pose) -> [[f64; 2]; 2] {
    [true, false].map(|shortest_way| {
        let options = QueryOptions { shortest_way, ..QueryOptions::every_sample() };
        let mut found = vec![];
        query_pair(a, pa, b, pb, &options, &mut found).unwrap();
        assert!(found.len() > 8, "{} contacts", found.len());
        let depths = found.iter().map(|c| c.depth as f64);
        [depths.clone().fold(f64::INFINITY, f64::min), depths.fold(0.0, f64::max)]
    })
}

/// On a rim the shortest way out is sideways, however far a body has sunk; what a solver wants is how far it has sunk.
#[test]
fn depths_along_the_normal_are_how_far_bodies_have_sunk() {
    let cube = scenes::intact(shapes::cuboid([1.0; 3], [5; 3]));
    let again = Object::intact(cube.asset()).remove(0);
    for share in [0.001, 0.005, 0.01] {
        let sunk = share * cube.bounds().radius();
        let upper = Pose::translation(0.0, 0.0, 1.0 - sunk);
        let [shortest, along] = depths(&cube, &upper, &again, &Pose::identity());
        assert!(shortest[0] < 1e-3 * sunk, "cubes rim on rim: the shortest way out is {shortest:?}");
        assert!(
            (along[0] - sunk).abs() < 0.02 * sunk && (along[1] - sunk).abs() < 0.02 * sunk,
            "{along:?}, sunk {sunk}"
        );
    }
    // Two halves that have slid into each other across the crack between them.
    let plane = Pattern::planes(vec![Plane { normal: Vector::z(), offset: 0.03 }]);
    let halves = broken(&cube, &plane);
    assert_eq!(halves.len(), 2);
    let (above, below) = if halves[0].mass().centre.z > halves[1].mass().centre.z { (0, 1) } else { (1, 0) };
    for share in [0.0005, 0.002, 0.01] {
        let sunk = share * halves[above].bounds().radius();
        let moved = Pose::translation(0.0, 0.0, -sunk);
        let [shortest, along] = depths(&halves[above], &moved, &halves[below], &Pose::identity());
        assert!(shortest[0] < 1e-3 * sunk, "halves: the shortest way out is {shortest:?}");
        assert!(
            (along[0] - sunk).abs() < 0.02 * sunk && (along[1] - sunk).abs() < 0.02 * sunk,
            "{along:?}, sunk {sunk}"
        );
    }
}
