//! Patterns answer as they promise: cells, half-spaces, counts, roughness, labels, crumbs.

use crate::common;

use common::{oracle, scenes};
use fracas::crack::breaks::Kind;
use fracas::fracture::pattern::{EdgeCut, Impact, LabelCuts, NodeGap, NodeLabels, Roughness, VoronoiCells};
use fracas::fracture::surface::{Face, Triangle};
use fracas::fracture::{Envelope, Fracture};
use fracas::geom::plane::Plane;
use fracas::geom::random::unit;
use fracas::reference::nodal::Scheme;
use fracas::{FractureOptions, Object, Outcome, Pattern, Point, Tasks, Vector, fracture, shapes};
use nalgebra::Matrix3;

fn broken(object: &Object, pattern: &Pattern) -> Fracture {
    fracture(object, pattern, &FractureOptions::default()).unwrap().broken().unwrap()
}

/// The planes of a piece hold exactly the points that are its own, for every pattern made of planes.
#[test]
fn planes_are_the_piece() {
    let object = scenes::intact(shapes::ball(1.0, 8));
    let mut told = 0;
    for (name, pattern) in scenes::patterns(&object, 3) {
        let result = broken(&object, &pattern);
        let is_flat = ["planes", "voronoi", "random voronoi", "impact"].contains(&name.as_str());
        assert_eq!(result.objects.iter().any(|o| o.kind().is_made_of_planes()), is_flat, "{name}");
        for piece in result.objects.iter().filter(|o| o.kind() == Kind::Cell) {
            for (tet, weights, at) in oracle::random_points(&object, 300, 5) {
                let beyond = piece.planes().iter().map(|p| p.plane.distance(&at)).fold(f64::NEG_INFINITY, f64::max);
                if beyond.abs() > 1e-9 {
                    assert_eq!(piece.owns(tet, &weights), beyond < 0.0, "{name}: {at}");
                    told += 1;
                }
            }
            // A plane that has a face touches the piece.
            for plane in piece.planes().iter().filter(|plane| plane.has_face) {
                let points = piece.crack_points().iter().map(|p| plane.plane.distance(&p.at).abs());
                assert!(points.fold(f64::INFINITY, f64::min) < 1e-9, "{name}");
            }
        }
    }
    assert!(told > 5000);
}

/// Any union of cells is a pattern: whose a point is, is what the nearest seed in the metric says, and how far it is from the surface of its
/// piece, inside and out, what the triangles of that say, which are made from regions.
#[test]
fn groups_of_cells_are_what_points_say() {
    let (mut owned, mut measured, mut parts) = (0, 0, 0);
    for (body, solid) in
        [shapes::brick(2), shapes::ball(1.0, 10), shapes::torus(1.0, 0.3, 24, 8), shapes::hollow_ball(1.0, 10, 2)]
            .into_iter()
            .enumerate()
    {
        let object = scenes::intact(solid);
        let (bounds, radius) = (object.bounds(), object.bounds().radius());
        for round in 0..3u64 {
            let random = |k: u64| unit(10 * body as u64 + round, k);
            let metric = (round > 0)
                .then(|| Matrix3::from_fn(|i, j| (i == j) as u8 as f64 + 0.5 * random(90 + 3 * i as u64 + j as u64)));
            let seeds: Vec<Point> = (0..30u64)
                .map(|k| {
                    bounds.min + Vector::from_fn(|axis, _| random(100 + 3 * k + axis as u64) * bounds.size()[axis])
                })
                .collect();
            let groups: Vec<u32> = (0..30).map(|k| 50 + (random(200 + k) * 6.0) as u32).collect();
            let cells = VoronoiCells { seeds: seeds.clone(), groups: groups.clone(), metric };
            let result = broken(&object, &Pattern::cells(cells));
            let volume: f64 = result.objects.iter().map(|piece| piece.mass().volume).sum();
            assert!((volume / object.mass().volume - 1.0).abs() < 1e-9);
            parts += result.objects.len();
            let far = |k: usize, p: &Point| metric.map_or(seeds[k] - p, |metric| metric * (seeds[k] - p)).norm();
            let fields: Vec<_> = result.objects.iter().map(|piece| piece.field(Scheme::default())).collect();
            for (tet, weights, at) in oracle::random_points(&object, 400, 7 + round) {
                let mut by_distance: Vec<(f64, u32)> = (0..seeds.len()).map(|k| (far(k, &at), groups[k])).collect();
                by_distance.sort_by(|a, b| a.0.total_cmp(&b.0));
                let other = by_distance
                    .iter()
                    .find(|(_, group)| *group != by_distance[0].1)
                    .map_or(f64::INFINITY, |(far, _)| *far);
                if other - by_distance[0].0 < 1e-6 * radius {
                    continue;
                }
                let own: Vec<usize> = (0..fields.len()).filter(|k| fields[*k].contains(&at)).collect();
                assert_eq!(own.len(), 1, "body {body}, round {round}: {at} is in {own:?}");
                assert_eq!(result.cells[own[0]], by_distance[0].1, "body {body}, round {round}");
                assert!(result.objects[own[0]].owns(tet, &weights), "body {body}, round {round}: its regions say no");
                owned += 1;
            }
            for (piece, field) in result.objects.iter().zip(&fields).take(4) {
                let surface = piece.surface();
                for (_, _, at) in oracle::random_points(&object, 60, 70 + round) {
                    let corners = |t: &Triangle| t.corners.map(|v| surface.vertices[v as usize]);
                    let off = |t: &Triangle| oracle::triangle_distance(&at, &corners(t));
                    let crack = surface
                        .triangles
                        .iter()
                        .filter(|t| !matches!(t.face, Face::Skin { .. }))
                        .map(off)
                        .fold(f64::INFINITY, f64::min);
                    let skin = surface
                        .triangles
                        .iter()
                        .filter(|t| matches!(t.face, Face::Skin { .. }))
                        .map(off)
                        .fold(f64::INFINITY, f64::min);
                    let margin = 0.2 * radius;
                    let (found, expected) = match field.depth(&at) {
                        // Distances to the skin are those of the grid.
                        Some(on) if crack < 0.8 * skin => (Some(on.distance), crack),
                        Some(_) => continue,
                        None => (field.separation(&at, margin).map(|on| on.distance), crack.min(skin)),
                    };
                    if expected > 0.99 * margin {
                        continue;
                    }
                    let found = found.unwrap_or(f64::INFINITY);
                    assert!(
                        (found - expected).abs() < 2e-3 * radius,
                        "body {body}, round {round}: {found} for {expected} at {at}"
                    );
                    measured += 1;
                }
            }
        }
    }
    assert!(owned > 4000 && measured > 500 && parts > 60, "{owned} {measured} {parts}");
}

/// A blow beside the body has no cells: the body stays whole. (All nodes were in a cell that is none, and lists as long as that were made.)
#[test]
fn a_blow_that_misses_leaves_the_body_whole() {
    let object = scenes::intact(shapes::ball(1.0, 8));
    for rough in [false, true] {
        let blow = Impact { point: Point::new(50.0, 0.0, 0.0), direction: Vector::x(), radius: 0.1, count: 8, seed: 1 };
        let pattern = Pattern::impact(blow);
        let pattern = if rough { pattern.rough(scenes::ROUGH) } else { pattern };
        let outcome = fracture(&object, &pattern, &FractureOptions::default()).unwrap();
        assert!(matches!(outcome, Outcome::Whole { .. }));
    }
}

/// What a blow left is no cell, even where a part of it is in one: all points of pieces that planes made are within their planes.
#[test]
fn pieces_of_blows_are_within_their_planes() {
    let object = scenes::intact(shapes::ball(1.0, 8));
    let mut looked_at = 0;
    for part in broken(&object, &Pattern::random_voronoi(8, 3)).objects {
        for seed in 0..6 {
            let radius = 0.6 * part.bounds().radius();
            let blow = Impact { point: part.bounds().centre(), direction: Vector::z(), radius, count: 8, seed };
            let pieces = broken(&part, &Pattern::impact(blow)).objects;
            for piece in pieces.iter().filter(|piece| piece.kind().is_made_of_planes()) {
                let nodes = piece.nodes().iter().map(|node| object.asset().solid().nodes()[*node as usize]);
                for at in nodes.chain(piece.crack_points().iter().map(|point| point.at)) {
                    let beyond = piece.planes().iter().map(|p| p.plane.distance(&at)).fold(f64::NEG_INFINITY, f64::max);
                    assert!(beyond < 1e-9, "seed {seed}: {at} is {beyond} beyond");
                    looked_at += 1;
                }
            }
        }
    }
    assert!(looked_at > 5000, "{looked_at}");
}

/// Nodes are labelled by the same cells that points are, bent or not.
#[test]
fn nodes_are_in_the_cell_of_their_place() {
    let object = scenes::intact(shapes::torus(1.0, 0.3, 24, 6));
    for (name, pattern) in scenes::patterns(&object, 3) {
        let envelope = Envelope::new(&pattern, &object, &Tasks::inline()).unwrap();
        for node in object.nodes() {
            let p = &object.asset().solid().nodes()[*node as usize];
            let cell = envelope.group_of(envelope.cell_of(*node));
            assert_eq!(envelope.cell_at(p).unwrap_or(cell), cell, "{name}, node {node}");
        }
    }
}

/// Cells need no node: whatever has volume is a piece, and only what has none vanishes.
#[test]
fn no_cell_vanishes_that_has_volume() {
    let object = scenes::intact(shapes::cuboid([1.0, 1.0, 1.0], [5, 5, 5]));
    let plane = |x: f64| Plane::through(&Point::new(x, 0.0, 0.0), &Vector::x()).unwrap();
    // A slab between two planes, much thinner than an edge.
    let result = broken(&object, &Pattern::planes(vec![plane(0.01), plane(0.02)]));
    assert_eq!((result.objects.len(), result.vanished_cells), (3, 0));
    let slab = result.objects.iter().map(|o| o.mass().volume).fold(f64::INFINITY, f64::min);
    assert!((slab - 0.01).abs() < 1e-9);
    let mut seeds: Vec<Point> = (0..5).map(|k| scenes::point_in(&object, k)).collect();
    seeds.push(seeds[2]);
    seeds.push(Point::new(50.0, 0.0, 0.0));
    assert_eq!(broken(&object, &Pattern::voronoi(seeds)).vanished_cells, 2);
    let result = broken(&object, &Pattern::random_voronoi(1000, 1));
    assert_eq!((result.objects.len(), result.vanished_cells), (1000, 0));
    match fracture(&object, &Pattern::planes(vec![plane(9.0)]), &FractureOptions::default()).unwrap() {
        Outcome::Whole { vanished_cells } => assert_eq!(vanished_cells, 0),
        Outcome::Broken(_) => panic!("a plane outside cuts nothing"),
    }
}

/// Within 20 % of the wanted count on every solid; cells grow away from the point; nothing outside the radius breaks.
#[test]
fn impacts_make_as_many_pieces_as_asked_and_smaller_ones_near_the_point() {
    for (shape, solid) in scenes::all_solids() {
        let object = scenes::intact(solid);
        let radius = object.bounds().radius();
        for (count, seed) in [(6, 1), (15, 2), (40, 3)] {
            let point = object.asset().solid().nodes()
                [object.nodes()[(unit(seed, 7) * object.nodes().len() as f64) as usize] as usize];
            let reach = 0.8 * radius;
            let impact = Impact { point, direction: scenes::direction(seed), radius: reach, count, seed };
            let distance = |n: &u32| (object.asset().solid().nodes()[*n as usize] - point).norm();
            let reached = object.nodes().iter().filter(|n| distance(n) < reach).count();
            if reached < 2 * count as usize {
                continue;
            }
            let pieces = broken(&object, &Pattern::impact(impact)).objects;
            let off = (pieces.len() as f64 / count as f64 - 1.0).abs();
            assert!(off <= 0.2, "{shape}: {} pieces instead of {count}", pieces.len());
            // Nothing breaks far outside: an edge beyond all seeds is in one piece.
            let mut piece_of = vec![0; object.asset().solid().nodes().len()];
            pieces.iter().zip(0..).for_each(|(p, k)| p.nodes().iter().for_each(|n| piece_of[*n as usize] = k));
            for [a, b] in object.asset().solid().edges() {
                let beyond = distance(a) >= 2.0 * reach && distance(b) >= 2.0 * reach;
                assert!(!beyond || piece_of[*a as usize] == piece_of[*b as usize], "{shape}: cut beyond the radius");
            }
            let mut sizes: Vec<(f64, f64)> = pieces
                .iter()
                .filter(|p| p.nodes().iter().all(|n| distance(n) < reach))
                .map(|p| ((p.mass().centre - point).norm(), p.mass().volume))
                .collect();
            sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
            let third = sizes.len() / 3;
            // With few nodes a piece the mesh decides the sizes, not the pattern.
            if third >= 3 && reached > 12 * count as usize {
                let mean = |s: &[(f64, f64)]| s.iter().map(|s| s.1).sum::<f64>() / s.len() as f64;
                // Where a mesh is coarser inside, single nodes that a cell cuts off at the rim say nothing of its size.
                let median = |s: &[(f64, f64)]| {
                    let mut volumes: Vec<f64> = s.iter().map(|s| s.1).collect();
                    volumes.sort_by(f64::total_cmp);
                    volumes[volumes.len() / 2]
                };
                let size = |s: &[(f64, f64)]| if shape.starts_with("filled") { median(s) } else { mean(s) };
                let (near, far) = (size(&sizes[..third]), size(&sizes[sizes.len() - third..]));
                println!(
                    "{shape}, {count} pieces: the nearest third is {:.2} times as large as the farthest",
                    near / far
                );
                assert!(near < far, "{shape}: pieces near the point have {near:e}, far ones {far:e}");
            }
        }
    }
}

/// A rough crack leaves the plane by no more than its amplitude, and does leave it.
#[test]
fn rough_cracks_stay_within_their_amplitude() {
    let object = scenes::intact(shapes::cuboid([1.0, 1.0, 1.0], [12, 12, 12]));
    let plane = Plane::through(&Point::new(0.03, 0.0, 0.0), &Vector::x()).unwrap();
    for amplitude in [0.01, 0.05] {
        let rough = Roughness { amplitude, wavelength: 4.0, seed: 3 };
        let result = broken(&object, &Pattern::planes(vec![plane]).rough(rough));
        let allowed = amplitude * object.asset().radius();
        let mut farthest: f64 = 0.0;
        for o in &result.objects {
            for p in o.crack_points() {
                farthest = farthest.max(plane.distance(&p.at).abs());
            }
        }
        println!("amplitude {allowed:.4}: cracks reach {farthest:.4} from the plane");
        // Cut points are found by linear interpolation of the bent distance.
        assert!(farthest <= allowed + 0.02 * object.asset().mean_edge() && farthest > 0.2 * allowed);
    }
}

/// Edge cuts that a plane makes come out where they were asked for.
#[test]
fn edge_cuts_of_a_plane_are_met_exactly() {
    let object = scenes::intact(shapes::ball(1.0, 8));
    let solid = object.asset().solid();
    let plane = Plane::through(&Point::new(0.07, 0.02, 0.0), &Vector::new(1.0, 0.4, -0.3)).unwrap();
    let at = |n: u32| plane.distance(&solid.nodes()[n as usize]);
    let source = |n: u32| solid.source_nodes()[n as usize];
    let mut labels = vec![0; solid.source_node_count()];
    (0..solid.nodes().len() as u32).for_each(|n| labels[source(n) as usize] = 5 + (at(n) > 0.0) as u32);
    let cuts = solid.edges().iter().filter(|[a, b]| at(*a) * at(*b) < 0.0);
    let cuts =
        cuts.map(|[a, b]| EdgeCut { nodes: [source(*a), source(*b)], position: at(*a) / (at(*a) - at(*b)) }).collect();
    let given = NodeLabels { labels: labels.clone(), cuts: LabelCuts::Edges(cuts) };
    let result = broken(&object, &Pattern::labels(given));
    let mut cells = result.cells.clone();
    cells.sort_unstable();
    assert_eq!(cells, [5, 6]);
    let edge = object.asset().mean_edge();
    let off: Vec<f64> = result.objects[0].crack_points().iter().map(|p| at_plane(&plane, &p.at) / edge).collect();
    let mean = off.iter().sum::<f64>() / off.len() as f64;
    println!("edge cuts off the plane: mean {mean:.1e}, worst {:.1e} edges", off.iter().copied().fold(0.0, f64::max));
    assert!(mean < 1e-6);

    // The same through gaps.
    let gaps = (0..solid.nodes().len() as u32).map(|n| NodeGap {
        node: source(n),
        opponent: 11 - labels[source(n) as usize],
        gap: at(n).abs(),
    });
    let result =
        broken(&object, &Pattern::labels(NodeLabels { labels: labels.clone(), cuts: LabelCuts::Gaps(gaps.collect()) }));
    let worst = result.objects[0].crack_points().iter().map(|p| at_plane(&plane, &p.at)).fold(0.0, f64::max);
    assert!(worst < 1e-9 * edge);
}

fn at_plane(plane: &Plane, p: &Point) -> f64 {
    plane.distance(p).abs()
}

#[test]
fn crumbs_join_their_largest_neighbour() {
    for (shape, solid) in scenes::sample_solids().into_iter().filter(|(name, _)| *name != "tetrahedron") {
        let object = scenes::intact(solid);
        for rough in [false, true] {
            let mut pattern = Pattern::random_voronoi(30, 5);
            if rough {
                pattern = pattern.rough(scenes::ROUGH);
            }
            let all = broken(&object, &pattern);
            let share = 0.02;
            let options = FractureOptions { min_volume_share: share, ..Default::default() };
            let result = fracture(&object, &pattern, &options).unwrap().broken().unwrap();
            oracle::check(&object, &result, &format!("{shape} without crumbs"));
            assert!(
                result.crumbs_joined > 0 && result.objects.len() + result.crumbs_joined as usize == all.objects.len()
            );
            let smallest = result.objects.iter().map(|o| o.mass().volume).fold(f64::INFINITY, f64::min);
            assert!(smallest >= share * object.mass().volume, "{shape}: {smallest:e}");

            let options =
                FractureOptions { min_radius: 0.2 * object.bounds().radius(), max_fragments: 7, ..Default::default() };
            let result = fracture(&object, &pattern, &options).unwrap().broken().unwrap();
            oracle::check(&object, &result, &format!("{shape} in seven"));
            let is_large = |o: &Object| o.bounds().radius() >= 0.2 * object.bounds().radius();
            assert!(result.objects.len() <= 7 && result.objects.iter().all(is_large));
        }
    }
    let object = scenes::intact(shapes::ball(1.0, 6));
    let options = FractureOptions { max_fragments: 1, ..Default::default() };
    assert!(matches!(fracture(&object, &Pattern::random_voronoi(9, 1), &options).unwrap(), Outcome::Whole { .. }));
}

/// A strip of a box between a broad crack and a narrow one goes to what is across the broad one, though that is the smaller body.
#[test]
fn crumbs_go_across_their_largest_crack() {
    let object = scenes::intact(shapes::cuboid([3.0, 2.0, 1.0], [6, 4, 2]));
    let (min, at) = (object.bounds().min, |x, y| Point::new(x, y, 0.0));
    let planes = vec![
        Plane::through(&at(min.x + 1.0, 0.0), &Vector::x()).unwrap(),
        Plane::through(&at(0.0, min.y + 1.9), &Vector::y()).unwrap(),
    ];
    let options = FractureOptions { min_volume_share: 0.025, ..Default::default() };
    let result = fracture(&object, &Pattern::planes(planes), &options).unwrap().broken().unwrap();
    let mut volumes: Vec<f64> = result.objects.iter().map(|o| o.mass().volume).collect();
    volumes.sort_unstable_by(f64::total_cmp);
    for (volume, expected) in volumes.iter().zip([0.2, 2.0, 3.8]) {
        assert!((volume - expected).abs() < 1e-6, "{volumes:?}");
    }
    assert_eq!((volumes.len(), result.crumbs_joined), (3, 1));
}

/// Another seed bends cracks in another way, the same one in the same.
#[test]
fn the_seed_of_the_roughness_counts() {
    let object = scenes::intact(shapes::ball(1.0, 8));
    let points = |seed: u64| -> Vec<Point> {
        let rough = Roughness { seed, ..scenes::ROUGH };
        let result = broken(&object, &Pattern::random_voronoi(5, 1).rough(rough));
        result.objects.iter().flat_map(|o| o.crack_points()).map(|p| p.at).collect()
    };
    assert_eq!(points(1), points(1));
    assert_ne!(points(1), points(2));
}

/// The documented limit holds in single precision too, which is what C passes.
#[test]
fn a_roughness_of_0_05_is_the_largest() {
    let object = scenes::intact(shapes::ball(1.0, 6));
    let breaks = |amplitude: f64| {
        let rough = Roughness { amplitude, ..scenes::ROUGH };
        fracture(&object, &Pattern::random_voronoi(3, 1).rough(rough), &FractureOptions::default())
    };
    assert!(breaks(0.05).is_ok() && breaks(f64::from(0.05f32)).is_ok());
    for amplitude in [0.0501, f64::from(0.05f32.next_up()), -1e-9, f64::NAN] {
        assert!(breaks(amplitude).unwrap_err().to_string().contains("between 0 and 0.05"), "{amplitude}");
    }
}

/// UVs of a crack are metres, and the same from both sides.
#[test]
fn crack_uvs_match_across_the_crack() {
    let object = scenes::intact(shapes::ball(1.0, 8));
    let result = broken(&object, &Pattern::random_voronoi(6, 2));
    let mut seen = std::collections::HashMap::new();
    let mut met = 0;
    for o in &result.objects {
        let surface = o.surface();
        for t in &surface.triangles {
            let Face::Crack { neighbour: Some(other), uv } = t.face else { continue };
            let p = t.corners.map(|c| surface.vertices[c as usize]);
            let in_plane = (uv[0][0] - uv[1][0]).hypot(uv[0][1] - uv[1][1]);
            assert!(in_plane <= (p[0] - p[1]).norm() * (1.0 + 1e-9));
            let pair = (o.piece_number().min(other), o.piece_number().max(other));
            for (p, uv) in p.iter().zip(uv) {
                let key = (pair, [p.x.to_bits(), p.y.to_bits(), p.z.to_bits()]);
                if let Some((from, before)) = seen.insert(key, (o.piece_number(), uv)) {
                    let before: [f64; 2] = before;
                    met += (from != o.piece_number()) as usize;
                    assert!((before[0] - uv[0]).hypot(before[1] - uv[1]) < 1e-9);
                }
            }
        }
    }
    assert!(met > 100);
}

/// Barycentric coordinates of skin triangles give their corners back.
#[test]
fn skin_triangles_know_where_they_come_from() {
    let object = scenes::intact(shapes::torus(1.0, 0.3, 24, 6));
    let solid = object.asset().solid();
    let result = broken(&object, &Pattern::random_voronoi(9, 4));
    let mut area = 0.0;
    for o in &result.objects {
        let surface = o.surface();
        for t in &surface.triangles {
            let Face::Skin { source, weights } = t.face else { continue };
            area += oracle::triangle_area(&surface, t.corners);
            let corners = solid.skin()[source as usize].nodes.map(|n| solid.nodes()[n as usize].coords);
            for (corner, w) in t.corners.iter().zip(weights) {
                let p = corners[0] * w[0] + corners[1] * w[1] + corners[2] * w[2];
                assert!((surface.vertices[*corner as usize].coords - p).norm() < 1e-12);
            }
        }
    }
    let whole: f64 =
        object.surface().triangles.iter().map(|t| oracle::triangle_area(&object.surface(), t.corners)).sum();
    assert!((area / whole - 1.0).abs() < 1e-9, "the skin has {area}, its parts {whole}");
}

#[test]
fn bad_patterns_and_options_are_refused_with_a_reason() {
    let object = scenes::intact(shapes::ball(1.0, 4));
    let nan = f64::NAN;
    let impact = Impact { point: Point::origin(), direction: Vector::x(), radius: 0.5, count: 5, seed: 0 };
    let rough =
        |amplitude, wavelength| Pattern::random_voronoi(5, 1).rough(Roughness { amplitude, wavelength, seed: 0 });
    let nodes = object.asset().solid().source_node_count();
    let labels = |cuts| Pattern::labels(NodeLabels { labels: vec![0; nodes], cuts });
    let cases = [
        (Pattern::planes(vec![Plane { normal: Vector::new(nan, 0.0, 0.0), offset: 0.0 }]), "planes[0]"),
        (Pattern::planes(vec![Plane { normal: Vector::x() * 2.0, offset: 0.0 }]), "length 2"),
        (Pattern::voronoi(vec![]), "at least one seed"),
        (Pattern::voronoi(vec![Point::origin(), Point::new(0.0, f64::INFINITY, 0.0)]), "seeds[1]"),
        (Pattern::random_voronoi(0, 1), "at least one seed"),
        (Pattern::impact(Impact { radius: nan, ..impact }), "radius"),
        (Pattern::impact(Impact { radius: -1.0, ..impact }), "radius"),
        (Pattern::impact(Impact { count: 0, ..impact }), "count"),
        (Pattern::impact(Impact { direction: Vector::new(nan, 0.0, 0.0), ..impact }), "direction"),
        (rough(0.06, 4.0), "0.05"),
        (rough(nan, 4.0), "amplitude"),
        (rough(0.01, 1.0), "wavelength"),
        (Pattern::labels(NodeLabels::default()), "0 labels"),
        (labels(LabelCuts::Gaps(vec![NodeGap { node: 9999, opponent: 0, gap: 0.1 }])), "9999"),
        (labels(LabelCuts::Gaps(vec![NodeGap { node: 0, opponent: 0, gap: nan }])), "gaps[0]"),
        (labels(LabelCuts::Gaps(vec![NodeGap { node: 0, opponent: 0, gap: 1e300 }])), "far beyond"),
        (labels(LabelCuts::Edges(vec![EdgeCut { nodes: [0, 9999], position: 0.5 }])), "9999"),
        (labels(LabelCuts::Edges(vec![EdgeCut { nodes: [0, 1], position: 1.5 }])), "1.5"),
    ];
    for (pattern, word) in cases {
        let error = fracture(&object, &pattern, &FractureOptions::default()).unwrap_err().to_string();
        assert!(error.contains(word), "'{error}' does not say '{word}'");
    }
    for (options, word) in [
        (FractureOptions { min_volume_share: nan, ..Default::default() }, "min_volume_share"),
        (FractureOptions { max_fragments: 0, ..Default::default() }, "max_fragments"),
        (FractureOptions { min_radius: -1.0, ..Default::default() }, "min_radius"),
        (FractureOptions { max_regions: 10, ..Default::default() }, "max_regions"),
    ] {
        let error = fracture(&object, &Pattern::random_voronoi(3, 1), &options).unwrap_err().to_string();
        assert!(error.contains(word), "'{error}' does not say '{word}'");
    }
    // Nothing was lost: the same object still breaks.
    assert!(broken(&object, &Pattern::random_voronoi(5, 1)).objects.len() > 1);
}
