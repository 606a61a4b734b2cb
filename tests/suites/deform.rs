//! Scenes of deforming and fracturing meshes: what the tree finds is what brute force finds, after every kind of update.

use crate::common;

use common::is_full;
use fracas::deform::ccd::{Ccd, CcdOptions};
use fracas::deform::{
    BodyId, BodyMesh, BodyOptions, ConeCulling, Construction, Features, Impact, Interval, Overlap, Restructuring,
    Scene, SceneOptions,
};
use fracas::geom::random::unit;
use fracas::geom::tri_tri;
use fracas::{Point, Tasks, Vector};
use std::collections::{BTreeMap, BTreeSet};

/// A body as the test knows it.
#[derive(Clone)]
struct Known {
    start: Vec<Point>,
    end: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    /// Number of the split it came from, and a name of each vertex that is shared with the other parts; until it has moved twice.
    seam: Option<(u64, Vec<u64>)>,
    moves: u32,
}

type World = BTreeMap<BodyId, Known>;

fn keys(positions: &[Point]) -> Vec<u64> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let key = |p: &Point| {
        let mut hasher = DefaultHasher::new();
        p.coords.iter().for_each(|c| (c + 0.0).to_bits().hash(&mut hasher));
        hasher.finish()
    };
    positions.iter().map(key).collect()
}

/// A sheet of `n` x `n` squares, bent and crumpled by `crumple`.
fn sheet(n: usize, seed: u64, crumple: f64) -> BodyMesh {
    let at = |i: usize, j: usize| {
        let [u, v] = [i, j].map(|k| k as f64 / n as f64 - 0.5);
        let noise = |k: u64| unit(seed, (i * 1000 + j) as u64 * 3 + k) - 0.5;
        let curl = crumple * 6.0;
        let z = (u * curl).sin() * 0.3 * crumple + (v * curl * 1.3).cos() * 0.2 * crumple;
        Point::new(u * (1.0 - 0.5 * crumple), v, z)
            + Vector::new(noise(0), noise(1), noise(2)) * 0.4 * crumple / n as f64
    };
    grid_mesh(n, n, at)
}

/// Squares between the points of a grid.
fn grid_mesh(rows: usize, columns: usize, at: impl Fn(usize, usize) -> Point) -> BodyMesh {
    let mut mesh = BodyMesh::default();
    for i in 0..=rows {
        mesh.positions.extend((0..=columns).map(|j| at(i, j)));
    }
    let vertex = |i: usize, j: usize| (i * (columns + 1) + j) as u32;
    for i in 0..rows {
        for j in 0..columns {
            let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

/// A tube that is bent into itself: figure 4 of the paper.
fn pipe(n: usize, bend: f64) -> BodyMesh {
    let rings = 3 * n;
    let at = |i: usize, j: usize| {
        let along = i as f64 / rings as f64;
        let angle = along * bend;
        let round = j as f64 / n as f64 * std::f64::consts::TAU;
        let centre = Point::new(angle.sin(), 0.0, angle.cos());
        let out = Vector::new(angle.sin(), 0.0, angle.cos());
        centre + (out * round.cos() + Vector::y() * round.sin()) * 0.25
    };
    let positions = (0..=rings).flat_map(|i| (0..n).map(move |j| at(i, j))).collect();
    let vertex = |i: usize, j: usize| (i * n + j % n) as u32;
    let squares = (0..rings).flat_map(|i| (0..n).map(move |j| (i, j)));
    let triangles = squares.flat_map(|(i, j)| {
        let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    BodyMesh { positions, triangles: triangles.collect(), sources: vec![] }
}

/// A ramp of two turns that goes through itself: seen from above all of it faces up.
fn spiral(n: usize, seed: u64) -> BodyMesh {
    let steps = 12 * n;
    let phase = unit(seed, 5);
    let at = |i: usize, j: usize| {
        let angle = i as f64 / steps as f64 * 2.0 * std::f64::consts::TAU;
        let radius = 1.0 + 0.5 * j as f64 / n as f64;
        Point::new(radius * angle.cos(), radius * angle.sin(), 0.1 * (0.5 * angle + phase).cos())
    };
    grid_mesh(steps, n, at)
}

fn added(scene: &mut Scene, world: &mut World, mesh: BodyMesh) -> BodyId {
    let id = scene.add(mesh.clone(), &BodyOptions::default()).unwrap();
    world.insert(id, known(mesh, None));
    id
}

fn known(mesh: BodyMesh, seam: Option<(u64, Vec<u64>)>) -> Known {
    let BodyMesh { positions, triangles, .. } = mesh;
    Known { start: positions.clone(), end: positions, triangles, seam, moves: 0 }
}

/// Names of vertices that are equal where two bodies share a point.
fn names(world: &World, a: BodyId, b: BodyId) -> [Vec<u64>; 2] {
    let (p, q) = (&world[&a], &world[&b]);
    let own = |count: usize, base: u64| (0..count as u64).map(|k| base + k).collect::<Vec<u64>>();
    match (&p.seam, &q.seam) {
        _ if a == b => [own(p.end.len(), 0), own(q.end.len(), 0)],
        (Some((s, x)), Some((t, y))) if s == t && p.moves < 2 && q.moves < 2 => [x.clone(), y.clone()],
        _ => [own(p.end.len(), 0), own(q.end.len(), 1 << 32)],
    }
}

/// All pairs of triangles, each with each.
fn slow_discrete(world: &World) -> BTreeSet<Overlap> {
    let mut found = BTreeSet::new();
    let ids: Vec<BodyId> = world.keys().copied().collect();
    for (i, a) in ids.iter().enumerate() {
        for b in &ids[i..] {
            let [x, y] = names(world, *a, *b);
            let (p, q) = (&world[a], &world[b]);
            for (s, t) in p.triangles.iter().enumerate() {
                let first = if a == b { s + 1 } else { 0 };
                for (u, v) in q.triangles.iter().enumerate().skip(first) {
                    let corners = [t.map(|k| p.end[k as usize]), v.map(|k| q.end[k as usize])];
                    // Names as small numbers: equal where they are equal.
                    let all: Vec<u64> =
                        t.iter().map(|k| x[*k as usize]).chain(v.iter().map(|k| y[*k as usize])).collect();
                    let small = |k: usize| all.iter().position(|n| *n == all[k]).unwrap() as u32;
                    let shared = tri_tri::shared_corners([0, 1, 2].map(small), [3, 4, 5].map(small));
                    if tri_tri::intersect_beyond(corners[0].each_ref(), corners[1].each_ref(), shared) {
                        found.insert(Overlap { bodies: [*a, *b], triangles: [s as u32, u as u32] });
                    }
                }
            }
        }
    }
    found
}

fn sorted(overlaps: &[Overlap]) -> BTreeSet<Overlap> {
    let set: BTreeSet<Overlap> = overlaps
        .iter()
        .map(|o| {
            let [(a, s), (b, t)] = [(o.bodies[0], o.triangles[0]), (o.bodies[1], o.triangles[1])];
            let ([a, b], [s, t]) = if (b, t) < (a, s) { ([b, a], [t, s]) } else { ([a, b], [s, t]) };
            Overlap { bodies: [a, b], triangles: [s, t] }
        })
        .collect();
    assert_eq!(set.len(), overlaps.len(), "a pair comes once");
    set
}

type FeatureKey = (u8, BodyId, u32, u32, BodyId, u32, u32);

fn feature_key(impact: &Impact) -> FeatureKey {
    let [a, b] = impact.bodies;
    match impact.features {
        Features::VertexFace { vertex, triangle } => (0, a, vertex, 0, b, triangle, 0),
        Features::EdgeEdge { a: p, b: q } => {
            let ordered = |[x, y]: [u32; 2]| (x.min(y), x.max(y));
            let (p, q) = ((a, ordered(p)), (b, ordered(q)));
            let (p, q) = if q < p { (q, p) } else { (p, q) };
            (1, p.0, p.1.0, p.1.1, q.0, q.1.0, q.1.1)
        }
    }
}

/// All vertices against all triangles, all edges against all edges.
fn slow_continuous(world: &World, options: CcdOptions) -> BTreeMap<FeatureKey, f64> {
    let mut ccd = Ccd::new(options).unwrap();
    let mut found = BTreeMap::new();
    let ids: Vec<BodyId> = world.keys().copied().collect();
    for a in &ids {
        for b in &ids {
            let [x, y] = names(world, *a, *b);
            let (p, q) = (&world[a], &world[b]);
            let used: BTreeSet<u32> = p.triangles.iter().flatten().copied().collect();
            for v in used {
                for (t, corners) in q.triangles.iter().enumerate() {
                    if corners.iter().any(|c| y[*c as usize] == x[v as usize]) {
                        continue;
                    }
                    let [i, j, k] = corners.map(|c| c as usize);
                    let start = [p.start[v as usize], q.start[i], q.start[j], q.start[k]];
                    let end = [p.end[v as usize], q.end[i], q.end[j], q.end[k]];
                    if let Some(time) = ccd.vertex_face(&start, &end).unwrap() {
                        let features = Features::VertexFace { vertex: v, triangle: t as u32 };
                        found.insert(feature_key(&Impact { bodies: [*a, *b], features, time }), time);
                    }
                }
            }
            let edges = |known: &Known| -> BTreeSet<[u32; 2]> {
                let sides = |t: &[u32; 3]| [0, 1, 2].map(|k| [t[k].min(t[(k + 1) % 3]), t[k].max(t[(k + 1) % 3])]);
                known.triangles.iter().flat_map(sides).collect()
            };
            if b < a {
                continue;
            }
            let (first, second) = (edges(p), edges(q));
            for e in &first {
                for f in second.iter().filter(|f| a != b || e < f) {
                    if e.iter().any(|v| f.iter().any(|w| x[*v as usize] == y[*w as usize])) {
                        continue;
                    }
                    let at = |p: &[Point], q: &[Point]| {
                        [p[e[0] as usize], p[e[1] as usize], q[f[0] as usize], q[f[1] as usize]]
                    };
                    if let Some(time) = ccd.edge_edge(&at(&p.start, &q.start), &at(&p.end, &q.end)).unwrap() {
                        let features = Features::EdgeEdge { a: *e, b: *f };
                        found.insert(feature_key(&Impact { bodies: [*a, *b], features, time }), time);
                    }
                }
            }
        }
    }
    found
}

/// Moves all bodies but some.
fn moved(scene: &mut Scene, world: &mut World, seed: u64) {
    for (k, (id, known)) in world.iter_mut().enumerate() {
        let key = seed * 100 + k as u64;
        if unit(1, key) < 0.15 {
            // It rests.
            known.start = known.end.clone();
            known.moves += (known.moves > 0) as u32;
            continue;
        }
        let shift = Vector::from([0, 1, 2].map(|a| unit(2 + a, key) - 0.5)) * 0.12;
        let positions: Vec<Point> = known
            .end
            .iter()
            .enumerate()
            .map(|(v, p)| {
                let jitter = Vector::from([0, 1, 2].map(|a| unit(5 + a, key * 1000 + v as u64) - 0.5)) * 0.02;
                p + shift + jitter + Vector::new(-p.y, p.x, 0.3 * p.x) * 0.05
            })
            .collect();
        known.start = std::mem::replace(&mut known.end, positions);
        known.moves += 1;
        scene.set_positions(*id, known.end.iter().copied()).unwrap();
    }
}

const MODES: [ConeCulling; 6] = [
    ConeCulling::Off,
    ConeCulling::Fast,
    ConeCulling::Conservative,
    ConeCulling::DualContour,
    ConeCulling::NormalCone,
    ConeCulling::RealContour,
];

fn never_misses(mode: ConeCulling) -> bool {
    matches!(mode, ConeCulling::Off | ConeCulling::Conservative | ConeCulling::DualContour)
}

#[test]
fn what_is_found_is_what_brute_force_finds_after_every_kind_of_update() {
    let (mut compared, mut overlaps, mut impacts) = (0, 0, 0);
    for seed in 0..24u64 {
        let options = SceneOptions {
            culling: if seed % 2 == 0 { ConeCulling::Conservative } else { ConeCulling::DualContour },
            construction: [Construction::Grid, Construction::Median, Construction::Morton][seed as usize % 3],
            restructuring: match seed % 4 {
                0 => Restructuring::Off,
                1 => Restructuring::Always,
                // As if rebuilding cost nothing.
                2 => Restructuring::Selective { share: f32::INFINITY },
                _ => Restructuring::VolumeRatio { ratio: 1.0, share: f32::INFINITY },
            },
            ..SceneOptions::default()
        };
        let mut scene = Scene::new(options);
        let mut world = World::new();
        let crumple = 0.2 + 0.8 * unit(3, seed);
        let mut splits = 0;
        added(&mut scene, &mut world, sheet(7, seed, crumple));
        added(&mut scene, &mut world, pipe(6, 4.0 + 2.0 * unit(4, seed)));
        for step in 0..6u64 {
            let key = seed * 10 + step;
            let pick =
                |world: &World, k: u64| *world.keys().nth((unit(9 + k, key) * world.len() as f64) as usize).unwrap();
            match step {
                1 => {
                    added(&mut scene, &mut world, sheet(4, key, crumple));
                    // A body of one triangle.
                    let one = sheet(1, key, 0.1);
                    added(&mut scene, &mut world, BodyMesh { triangles: vec![[0, 2, 1]], ..one });
                }
                2 | 4 => {
                    let id = pick(&world, 0);
                    let old = world.remove(&id).unwrap();
                    let cut = old.end.iter().map(|p| p.x).sum::<f64>() / old.end.len() as f64;
                    let labels: Vec<u32> =
                        old.triangles.iter().map(|t| (old.end[t[0] as usize].x > cut) as u32).collect();
                    let both = labels.contains(&0) && labels.contains(&1);
                    let labels = if both { labels } else { vec![0; labels.len()] };
                    let parts = scene.split_by_labels(id, &labels).unwrap();
                    splits += 1;
                    for (k, part) in parts.into_iter().enumerate() {
                        let own: Vec<[u32; 3]> = old
                            .triangles
                            .iter()
                            .zip(&labels)
                            .filter(|(_, l)| **l == k as u32)
                            .map(|(t, _)| *t)
                            .collect();
                        let used: BTreeSet<u32> = own.iter().flatten().copied().collect();
                        let used: Vec<u32> = used.into_iter().collect();
                        let positions: Vec<Point> = used.iter().map(|v| old.end[*v as usize]).collect();
                        let place = |v: u32| used.binary_search(&v).unwrap() as u32;
                        let triangles = own.iter().map(|t| t.map(place)).collect();
                        let seam = Some((splits, keys(&positions)));
                        world.insert(part, known(BodyMesh { positions, triangles, sources: vec![] }, seam));
                    }
                }
                3 => {
                    // The parts of the last split, if they are still there, and one that touches nothing.
                    let parts: Vec<BodyId> =
                        world.iter().filter(|(_, k)| k.seam.is_some()).map(|(id, _)| *id).collect();
                    if let [a, b] = parts[..] {
                        let mesh = sheet(5, key, crumple);
                        let merged = scene.merge(&[a, b], mesh.clone()).unwrap();
                        world.retain(|id, _| *id != a && *id != b);
                        world.insert(merged, known(mesh, None));
                    }
                }
                5 => {
                    let id = pick(&world, 1);
                    scene.delete(id).unwrap();
                    world.remove(&id);
                }
                _ => {}
            }
            moved(&mut scene, &mut world, key);
            scene.update(Interval::Step, &Tasks::inline());
            let mut found = vec![];
            scene.query_discrete(&Tasks::inline(), &mut found).unwrap();
            let expected = slow_discrete(&world);
            let missing: Vec<_> = expected.difference(&sorted(&found)).copied().collect();
            assert!(missing.is_empty(), "seed {seed}, step {step}: missed {missing:?}");
            assert_eq!(sorted(&found), expected, "seed {seed}, step {step}");
            overlaps += found.len();
            let ccd = CcdOptions::default();
            let mut met = vec![];
            scene.query_continuous(&ccd, &Tasks::inline(), &mut met).unwrap();
            let expected = slow_continuous(&world, ccd);
            let found: BTreeMap<FeatureKey, f64> = met.iter().map(|i| (feature_key(i), i.time)).collect();
            assert_eq!(found.len(), met.len(), "no elementary test twice");
            // Inclusion may call a near miss a hit; boxes and cones then may or may not cull it.
            for (key, time) in &expected {
                // The order of the vertices changes the rounding of a time.
                if found.get(key).is_none_or(|other| (other - time).abs() > 1e-5) {
                    let fine = Ccd::new(CcdOptions { tolerance: 1e-12, max_boxes: 1_000_000 }).unwrap();
                    assert!(!really_meets(&world, key, fine), "seed {seed}, step {step}: missed {key:?} at {time}");
                }
            }
            assert!(found.keys().all(|key| expected.contains_key(key)), "seed {seed}, step {step}");
            let first = scene.first_impact(&ccd, &Tasks::inline()).unwrap();
            let expected_first = found.values().copied().reduce(f64::min);
            let near = first.zip(expected_first).map(|(i, t)| (i.time - t).abs() < 1e-9);
            assert!(near.unwrap_or(first.is_none() && expected_first.is_none()), "{first:?} for {expected_first:?}");
            (compared, impacts) = (compared + 1, impacts + met.len());
        }
    }
    assert!(compared == 144 && overlaps > 1000 && impacts > 1000, "{compared} compared, {overlaps}, {impacts} impacts");
}

fn really_meets(world: &World, key: &FeatureKey, mut ccd: Ccd) -> bool {
    let (kind, a, i, j, b, k, l) = *key;
    let (p, q) = (&world[&a], &world[&b]);
    let vertices = |at: &[Point], list: &[u32]| -> Vec<Point> { list.iter().map(|v| at[*v as usize]).collect() };
    let points = |of_p: &[Point], of_q: &[Point]| -> [Point; 4] {
        let list = match kind {
            0 => [vertices(of_p, &[i]), vertices(of_q, &q.triangles[k as usize])].concat(),
            _ => [vertices(of_p, &[i, j]), vertices(of_q, &[k, l])].concat(),
        };
        list.try_into().unwrap()
    };
    let (start, end) = (points(&p.start, &q.start), points(&p.end, &q.end));
    if kind == 0 { ccd.vertex_face(&start, &end) } else { ccd.edge_edge(&start, &end) }.unwrap().is_some()
}

/// A ball of 128 triangles whose vertices are off by up to `rough`.
fn blob(seed: u64, rough: f64) -> BodyMesh {
    let n = 4;
    let mut numbers: BTreeMap<[i32; 3], u32> = BTreeMap::new();
    let mut mesh = BodyMesh::default();
    // The faces of an octahedron, n * n triangles each.
    for sign in [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1], [-1, 1, 1], [-1, 1, -1], [-1, -1, 1], [-1, -1, -1]] {
        let mut vertex = |i: i32, j: i32| {
            let place = [sign[0] * i, sign[1] * j, sign[2] * (n - i - j)];
            *numbers.entry(place).or_insert_with(|| {
                let key = seed * 1000 + mesh.positions.len() as u64;
                let off = Vector::from([0, 1, 2].map(|a| unit(20 + a, key) - 0.5)) * rough;
                mesh.positions.push(Point::from(Vector::from(place.map(f64::from)).normalize() + off));
                mesh.positions.len() as u32 - 1
            })
        };
        let mut triangles = vec![];
        for i in 0..n {
            for j in 0..n - i {
                triangles.push([vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)]);
                if i + j + 2 <= n {
                    triangles.push([vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)]);
                }
            }
        }
        let outwards = sign[0] * sign[1] * sign[2] > 0;
        mesh.triangles.extend(triangles.into_iter().map(|[a, b, c]| if outwards { [a, b, c] } else { [a, c, b] }));
    }
    mesh
}

#[test]
fn closed_bodies_collide_with_themselves_unless_they_are_star_shaped() {
    let (mut settled, mut collide, mut impacts) = ([0, 0], 0, 0);
    for seed in 0..300u64 {
        let rough = 1.2 * unit(30, seed);
        let (start, end) = (blob(seed, rough), blob(seed + 1000 * (seed % 2), rough * unit(31, seed)));
        let both = [ConeCulling::Conservative, ConeCulling::Off].map(|culling| {
            let mut scene = Scene::new(SceneOptions { culling, ..SceneOptions::default() });
            let mut world = World::new();
            let id = added(&mut scene, &mut world, start.clone());
            let known = world.get_mut(&id).unwrap();
            known.end = end.positions.clone();
            scene.set_positions(id, end.positions.iter().copied()).unwrap();
            scene.update(Interval::End, &Tasks::inline());
            let mut overlaps = vec![];
            let discrete = scene.query_discrete(&Tasks::inline(), &mut overlaps).unwrap();
            scene.set_positions(id, start.positions.iter().copied()).unwrap();
            scene.update(Interval::Step, &Tasks::inline());
            std::mem::swap(&mut known.start, &mut known.end);
            let mut met = vec![];
            let continuous = scene.query_continuous(&CcdOptions::default(), &Tasks::inline(), &mut met).unwrap();
            let met: BTreeSet<FeatureKey> = met.iter().map(feature_key).collect();
            (sorted(&overlaps), met, [discrete, continuous].map(|stats| stats.node_tests == 0), world)
        });
        let [(overlaps, met, is_settled, _), (all_overlaps, all_met, _, world)] = both;
        assert_eq!(overlaps, all_overlaps, "seed {seed}");
        for key in met.symmetric_difference(&all_met) {
            let fine = Ccd::new(CcdOptions { tolerance: 1e-12, max_boxes: 1_000_000 }).unwrap();
            assert!(!really_meets(&world, key, fine), "seed {seed}: {key:?}");
        }
        (0..2).for_each(|k| settled[k] += is_settled[k] as u32);
        (collide, impacts) = (collide + !overlaps.is_empty() as u32, impacts + !met.is_empty() as u32);
    }
    println!("{settled:?} settled, {collide} collide, {impacts} on the way");
    assert!(settled[0] > 100 && settled[1] > 50 && collide > 50 && impacts > 50, "{settled:?}, {collide}, {impacts}");
}

#[test]
fn only_conservative_culling_misses_nothing() {
    let mut missed = [0; 6];
    let mut culled = [0u64; 6];
    for seed in 0..40u64 {
        let bend = 4.5 + 2.0 * unit(7, seed);
        let meshes = [pipe(16, bend), sheet(16, seed, unit(8, seed)), pipe(5, 6.4), spiral(6, seed)];
        for mesh in meshes {
            let mut all = vec![];
            for (mode, culling) in MODES.into_iter().enumerate() {
                let mut scene = Scene::new(SceneOptions { culling, ..SceneOptions::default() });
                scene.add(mesh.clone(), &BodyOptions::default()).unwrap();
                scene.update(Interval::End, &Tasks::inline());
                let mut found = vec![];
                let stats = scene.query_discrete(&Tasks::inline(), &mut found).unwrap();
                culled[mode] += stats.culled_nodes;
                let found = sorted(&found);
                if mode == 0 {
                    all = found.iter().copied().collect();
                }
                let lost = all.iter().filter(|o| !found.contains(o)).count();
                assert!(lost == 0 || !never_misses(culling), "seed {seed}: {culling:?} missed {lost}");
                assert!(found.len() + lost == all.len());
                missed[mode] += lost;
            }
        }
    }
    println!("missed {missed:?}, culled {culled:?} with {MODES:?}");
    assert!(missed[4] > 0, "normal cones alone miss collisions: the test would see it");
    assert!(culled.iter().skip(1).all(|c| *c > 1000));
}

/// Two sheets that cross, and a third beside them.
fn crossing(options: SceneOptions, bodies: [BodyOptions; 3]) -> (Scene, Vec<BodyId>) {
    let mut scene = Scene::new(options);
    let turned = |mesh: BodyMesh, shift: f64| BodyMesh {
        positions: mesh.positions.iter().map(|p| Point::new(p.z + shift, p.y, p.x)).collect(),
        ..mesh
    };
    let meshes = [sheet(12, 1, 0.1), turned(sheet(12, 2, 0.1), 0.0), turned(sheet(12, 3, 0.1), 0.05)];
    let ids = meshes.into_iter().zip(bodies).map(|(mesh, options)| scene.add(mesh, &options).unwrap()).collect();
    scene.update(Interval::End, &Tasks::inline());
    (scene, ids)
}

fn pairs_of(scene: &Scene) -> BTreeSet<[BodyId; 2]> {
    let mut found = vec![];
    scene.query_discrete(&Tasks::inline(), &mut found).unwrap();
    found.iter().map(|o| [o.bodies[0].min(o.bodies[1]), o.bodies[0].max(o.bodies[1])]).collect()
}

#[test]
fn masks_and_the_switch_for_self_collision_are_kept() {
    let body = BodyOptions::default();
    let (scene, ids) = crossing(SceneOptions::default(), [body; 3]);
    assert_eq!(pairs_of(&scene), [[ids[0], ids[1]], [ids[0], ids[2]]].into());
    // The third looks for another category than the first has.
    let other = BodyOptions { mask: 4, ..body };
    let (scene, ids) = crossing(SceneOptions::default(), [body, body, other]);
    assert_eq!(pairs_of(&scene), [[ids[0], ids[1]]].into());
    // A body that goes through itself.
    for self_collision in [false, true] {
        let mut scene = Scene::default();
        scene.add(spiral(4, 1), &BodyOptions { self_collision, ..body }).unwrap();
        scene.update(Interval::End, &Tasks::inline());
        assert_eq!(pairs_of(&scene).is_empty(), !self_collision);
    }
}

#[test]
fn every_number_of_threads_finds_the_same_in_the_same_order() {
    let found = |threads: usize| {
        let tasks = Tasks::pool(threads).unwrap();
        let mut scene = Scene::default();
        let mut world = World::new();
        for seed in 0..4 {
            added(&mut scene, &mut world, sheet(if is_full() { 40 } else { 30 }, seed, 0.6));
        }
        let mut all = (vec![], vec![], vec![], vec![]);
        for step in 0..4 {
            moved(&mut scene, &mut world, step);
            scene.update(Interval::Step, &tasks);
            scene.query_discrete(&tasks, &mut all.0).unwrap();
            scene.query_continuous(&CcdOptions::default(), &tasks, &mut all.1).unwrap();
            scene.query_proximity(0.003, &tasks, &mut all.2).unwrap();
            all.3.push(scene.first_impact(&CcdOptions::default(), &tasks).unwrap());
        }
        all
    };
    let one = found(1);
    assert!(one.0.len() > 1000 && one.1.len() > 1000 && one.2.len() > 1000);
    for threads in if is_full() { vec![2, 3, 7] } else { vec![3] } {
        assert_eq!(found(threads), one);
    }
}

#[test]
fn what_is_near_is_what_brute_force_finds() {
    for seed in 0..10u64 {
        let mut scene = Scene::default();
        let mut world = World::new();
        let thick = BodyOptions { thickness: 0.01, ..BodyOptions::default() };
        let mesh = sheet(6, seed, 0.5);
        let a = scene.add(mesh.clone(), &thick).unwrap();
        world.insert(a, known(mesh, None));
        added(&mut scene, &mut world, pipe(5, 2.0 + seed as f64));
        scene.update(Interval::End, &Tasks::inline());
        let mut found = vec![];
        scene.query_proximity(0.02, &Tasks::inline(), &mut found).unwrap();
        let reach = |i: BodyId, j: BodyId| 0.02 + 0.01 * ((i == a) as u32 + (j == a) as u32) as f64;
        // Points of both features, by their distance on a fine grid of places.
        let mut expected = 0;
        let ids: Vec<BodyId> = world.keys().copied().collect();
        for i in &ids {
            for j in &ids {
                let (p, q) = (&world[i], &world[j]);
                let used: BTreeSet<u32> = p.triangles.iter().flatten().copied().collect();
                for v in used {
                    for corners in &q.triangles {
                        if i == j && corners.contains(&v) {
                            continue;
                        }
                        let [x, y, z] = corners.map(|c| q.end[c as usize]);
                        let at = p.end[v as usize];
                        expected += (point_triangle(&at, &[x, y, z]) <= reach(*i, *j)) as usize;
                    }
                }
            }
        }
        let vertex_face = found.iter().filter(|n| matches!(n.features, Features::VertexFace { .. }));
        assert_eq!(vertex_face.count(), expected, "seed {seed}");
        for near in &found {
            let way = near.points[0] - near.points[1];
            assert!(
                (way.norm() - near.distance).abs() < 1e-12 && near.distance <= reach(near.bodies[0], near.bodies[1])
            );
            assert!((near.normal * near.distance - way).norm() < 1e-12);
        }
    }
}

/// The distance of a point from a triangle, another way: the nearest of the foot on the plane and the feet on the edges.
fn point_triangle(p: &Point, t: &[Point; 3]) -> f64 {
    let normal = (t[1] - t[0]).cross(&(t[2] - t[0])).normalize();
    let foot = p - normal * normal.dot(&(p - t[0]));
    let inside = (0..3).all(|k| (t[(k + 1) % 3] - t[k]).cross(&(foot - t[k])).dot(&normal) >= 0.0);
    if inside {
        return (foot - p).norm();
    }
    let edge = |a: &Point, b: &Point| {
        let along = ((p - a).dot(&(b - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
        (a + (b - a) * along - p).norm()
    };
    edge(&t[0], &t[1]).min(edge(&t[1], &t[2])).min(edge(&t[2], &t[0]))
}

#[test]
fn rays_find_the_first_triangle() {
    let (scene, ids) = crossing(SceneOptions::default(), [BodyOptions::default(); 3]);
    let mut hits = 0;
    for key in 0..500 {
        let origin = Point::from([0, 1, 2].map(|a| 4.0 * unit(1 + a, key) - 2.0));
        let direction = Point::from([0, 1, 2].map(|a| 0.6 * unit(4 + a, key) - 0.3)) - origin;
        let found = scene.ray_cast(&origin, &direction, f64::INFINITY, u32::MAX).unwrap();
        let mut expected: Option<f64> = None;
        for id in &ids {
            for t in scene.triangles(*id).unwrap() {
                let normal = (t[1] - t[0]).cross(&(t[2] - t[0]));
                let s = normal.dot(&(t[0] - origin)) / normal.dot(&direction);
                let at = origin + direction * s;
                let inside = (0..3).all(|k| (t[(k + 1) % 3] - t[k]).cross(&(at - t[k])).dot(&normal) >= 0.0);
                if inside && s >= 0.0 && expected.is_none_or(|e| s < e) {
                    expected = Some(s);
                }
            }
        }
        assert_eq!(found.is_some(), expected.is_some(), "{key}");
        if let (Some(hit), Some(t)) = (found, expected) {
            hits += 1;
            assert!((hit.t - t).abs() < 1e-9);
            let corners = scene.triangles(hit.body).unwrap().nth(hit.triangle as usize).unwrap();
            let at: Vector = (0..3).map(|k| corners[k].coords * hit.weights[k]).sum();
            assert!((at - (origin + direction * hit.t).coords).norm() < 1e-9);
        }
    }
    assert!(hits > 100);
    assert!(scene.ray_cast(&Point::origin(), &Vector::zeros(), 1.0, 1).is_err());
}

#[test]
fn triangles_in_an_object_are_found_with_their_deepest_points() {
    use fracas::contact::query_scene_object;
    use fracas::{Asset, CookOptions, Object, shapes};
    let asset = Asset::cook(shapes::ball(0.5, 12), &CookOptions::default()).unwrap();
    let ball = &Object::intact(&asset)[0];
    let pose = fracas::geom::Pose::translation(0.1, 0.2, 0.4);
    // A floor of two triangles: none of its vertices is near the ball.
    let square = [[-5.0, -5.0], [5.0, -5.0], [5.0, 5.0], [-5.0, 5.0]].map(|[x, y]| Point::new(x, y, 0.0));
    let mut scene = Scene::default();
    let floor = BodyMesh { positions: square.to_vec(), triangles: vec![[0, 1, 2], [0, 2, 3]], sources: vec![] };
    let body = scene.add(floor, &BodyOptions { thickness: 0.01, ..BodyOptions::default() }).unwrap();
    scene.update(Interval::End, &Tasks::inline());
    let mut found = vec![];
    query_scene_object(&scene, ball, &pose, 0.0, u32::MAX, &mut found).unwrap();
    let deepest = found.iter().map(|c| c.depth).fold(0.0, f64::max);
    // The ball is 0.1 below the floor, but for its facets.
    assert!((deepest - 0.11).abs() < 0.01, "{deepest}");
    for contact in &found {
        assert!(contact.body == body && contact.point.z.abs() < 1e-12 && contact.normal.z < -0.9, "{contact:?}");
    }
    let high = fracas::geom::Pose::translation(0.0, 0.0, 0.6);
    found.clear();
    query_scene_object(&scene, ball, &high, 0.0, u32::MAX, &mut found).unwrap();
    assert!(found.is_empty());
    query_scene_object(&scene, ball, &high, 0.12, u32::MAX, &mut found).unwrap();
    assert!(!found.is_empty() && found.iter().all(|c| c.depth < 0.0));
}

#[test]
fn parts_of_a_split_do_not_collide_along_the_cut_until_they_have_parted() {
    let mut scene = Scene::default();
    let mesh = sheet(8, 1, 0.0);
    let flat = scene.add(mesh.clone(), &BodyOptions::default()).unwrap();
    let labels: Vec<u32> = mesh.triangles.iter().map(|t| (mesh.positions[t[0] as usize].x >= 0.0) as u32).collect();
    let parts = scene.split_by_labels(flat, &labels).unwrap();
    let discrete = |scene: &mut Scene| {
        scene.update(Interval::Step, &Tasks::inline());
        let (mut overlaps, mut impacts) = (vec![], vec![]);
        scene.query_discrete(&Tasks::inline(), &mut overlaps).unwrap();
        scene.query_continuous(&CcdOptions::default(), &Tasks::inline(), &mut impacts).unwrap();
        (overlaps.len(), impacts.len())
    };
    assert_eq!(discrete(&mut scene), (0, 0), "just split");
    let of = |part: BodyId, shift: f64| -> Vec<Point> {
        let own = mesh.triangles.iter().zip(&labels).filter(|(_, l)| **l == (part == parts[1]) as u32);
        let used: BTreeSet<u32> = own.flat_map(|(t, _)| *t).collect();
        used.iter().map(|v| mesh.positions[*v as usize] + Vector::new(shift, 0.0, 0.0)).collect()
    };
    let away = of(parts[1], 0.1);
    scene.set_positions(parts[1], away.into_iter()).unwrap();
    assert_eq!(discrete(&mut scene), (0, 0), "while they part");
    let back = of(parts[1], -0.02);
    scene.set_positions(parts[1], back.into_iter()).unwrap();
    let (overlaps, impacts) = discrete(&mut scene);
    assert!(overlaps > 0 && impacts > 0, "back again they are two bodies");
}

#[test]
fn meshes_with_seams_are_welded_if_asked() {
    // Every triangle has vertices of its own, as in a drawing mesh with sharp edges.
    let mesh = pipe(8, 1.0);
    let positions: Vec<Point> = mesh.triangles.iter().flatten().map(|v| mesh.positions[*v as usize]).collect();
    let triangles = (0..mesh.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let soup = BodyMesh { positions, triangles, sources: vec![] };
    for weld in [false, true] {
        let mut scene = Scene::default();
        let id = scene.add(soup.clone(), &BodyOptions { weld, ..BodyOptions::default() }).unwrap();
        scene.update(Interval::End, &Tasks::inline());
        assert_eq!(pairs_of(&scene).is_empty(), weld);
        // The caller's vertices stay the caller's.
        scene.set_positions(id, soup.positions.iter().map(|p| p * 2.0)).unwrap();
        scene.update(Interval::End, &Tasks::inline());
        assert_eq!(pairs_of(&scene).is_empty(), weld);
    }
}

#[test]
fn touching_bodies_are_merged_and_others_are_not() {
    let mut scene = Scene::default();
    let mesh = sheet(8, 1, 0.0);
    let flat = scene.add(mesh.clone(), &BodyOptions::default()).unwrap();
    let far = scene.add(pipe(5, 1.0), &BodyOptions::default()).unwrap();
    let labels: Vec<u32> = mesh.triangles.iter().map(|t| (mesh.positions[t[0] as usize].x >= 0.0) as u32).collect();
    let parts = scene.split_by_labels(flat, &labels).unwrap();
    let error = scene.merge_touching(&[parts[0], far]).unwrap_err().to_string();
    assert!(error.contains("shares no vertex"), "{error}");
    let whole = scene.merge_touching(&parts).unwrap();
    assert_eq!(scene.body_triangles(whole).unwrap(), mesh.triangles.len());
    scene.set_positions(whole, (0..mesh.positions.len()).map(|k| mesh.positions[k])).unwrap();
    assert_eq!(scene.bodies().count(), 2);
}

#[test]
fn nonsense_is_answered_and_changes_nothing() {
    let mut scene = Scene::default();
    let mut found = vec![];
    let said = |e: fracas::Error| e.to_string();
    assert!(said(scene.query_discrete(&Tasks::inline(), &mut found).unwrap_err()).contains("update it before a query"));
    let body = scene.add(sheet(3, 1, 0.1), &BodyOptions::default()).unwrap();
    scene.update(Interval::End, &Tasks::inline());
    let before = scene.bytes();
    let mut bad = sheet(3, 1, 0.1);
    bad.positions[7].y = f64::NAN;
    assert!(said(scene.add(bad.clone(), &BodyOptions::default()).unwrap_err()).contains("positions[7]"));
    assert!(said(scene.set_positions(body, bad.positions.iter().copied()).unwrap_err()).contains("positions[7]"));
    assert!(said(scene.set_positions(body, [].into_iter()).unwrap_err()).contains("0 positions for 16 vertices"));
    bad = sheet(3, 1, 0.1);
    bad.triangles[4][1] = 99;
    assert!(
        said(scene.add(bad.clone(), &BodyOptions::default()).unwrap_err()).contains("triangles[4] has the vertex 99")
    );
    assert!(said(scene.split(body, vec![sheet(2, 1, 0.1), bad]).unwrap_err()).contains("parts[1]: triangles[4]"));
    assert!(scene.split(body, vec![]).is_err());
    let stale = BodyId::from_bits(77);
    assert!(said(scene.delete(stale).unwrap_err()).contains("0x4d is not in this scene"));
    assert!(scene.merge(&[body, body], sheet(2, 1, 0.1)).is_err() && scene.merge(&[], sheet(2, 1, 0.1)).is_err());
    assert!(scene.split_by_labels(body, &[0]).is_err() && scene.split_by_labels(body, &[2; 18]).is_err());
    let thin = BodyOptions { thickness: f64::NAN, ..BodyOptions::default() };
    assert!(scene.add(sheet(2, 1, 0.1), &thin).is_err());
    assert!(scene.query_proximity(-1.0, &Tasks::inline(), &mut vec![]).is_err());
    let late = scene.query_continuous(&CcdOptions::default(), &Tasks::inline(), &mut vec![]).unwrap_err();
    assert!(said(late).contains("update for the whole step"));
    // All of that left the scene as it was: still ready.
    scene.query_discrete(&Tasks::inline(), &mut found).unwrap();
    assert_eq!((scene.bodies().count(), scene.bytes()), (1, before));
    scene.delete(body).unwrap();
    assert!(scene.delete(body).is_err());
    scene.update(Interval::End, &Tasks::inline());
    scene.query_discrete(&Tasks::inline(), &mut found).unwrap();
}

#[test]
fn selective_restructuring_pays_and_only_then() {
    // One body of many loose patches that fly to other places: the tree that was built for the sheet is bad for them.
    let patches = 400;
    let run = |restructuring: Restructuring| {
        let mut scene = Scene::new(SceneOptions { restructuring, ..SceneOptions::default() });
        let patch = sheet(4, 1, 0.3);
        let size = patch.positions.len() as u32;
        let at = |share: f64| -> Vec<Point> {
            let place = |k: u64| {
                let from = Vector::new((k % 20) as f64, (k / 20) as f64, 0.0);
                let to = Vector::from([0, 1, 2].map(|a| 12.0 * unit(60 + a, k)));
                from + (to - from) * share
            };
            (0..patches).flat_map(|k| patch.positions.iter().map(move |p| p + place(k))).collect()
        };
        let triangles = (0..patches as u32).flat_map(|k| patch.triangles.iter().map(move |t| t.map(|v| v + k * size)));
        let mesh = BodyMesh { positions: at(0.0), triangles: triangles.collect(), sources: vec![] };
        let body = scene.add(mesh, &BodyOptions::default()).unwrap();
        let (mut tests, mut rebuilt) = (vec![], 0);
        for frame in 0..30 {
            scene.set_positions(body, at(frame as f64 / 20.0).into_iter()).unwrap();
            rebuilt += scene.update(Interval::End, &Tasks::inline()).rebuilt_triangles;
            if frame >= 25 && restructuring != Restructuring::Always {
                tests.push(scene.query_discrete(&Tasks::inline(), &mut vec![]).unwrap().node_tests);
            }
        }
        (tests.iter().sum::<u64>(), rebuilt)
    };
    let (kept, never) = run(Restructuring::Off);
    let (improved, often) = run(Restructuring::default());
    let (_, always) = run(Restructuring::Always);
    println!("{kept} tests with refits only, {improved} with {often} triangles rebuilt, {always} always");
    assert!(never == 0 && often > 0 && often < always / 2);
    assert!(improved < kept * 9 / 10, "{improved} for {kept}");
}
