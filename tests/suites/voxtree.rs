//! Contacts under a budget (VoxTree, Dingliana and O'Sullivan 2004): trees against volumes, refinement against all pairs, the evaluation of 4.1
//! against exact contacts of balls and blocks.

use crate::common;

use common::families::families;
use fracas::geom::random::unit;
use fracas::geom::{Pose, triangle};
use fracas::shapes;
use fracas::solid::Solid;
use fracas::solid::surface::Face;
use fracas::voxtree::{
    ContactModel, EVALUATION, Ends, Front, Grid, NO_GROUP, Normals, Order, Refinement, VoxContact, VoxTree,
    VoxTreeOptions, Weighting,
};
use fracas::{Point, QueryOptions, Vector, query_pair};

fn options(cells: u32) -> VoxTreeOptions {
    VoxTreeOptions { cells, ..VoxTreeOptions::default() }
}

fn ball() -> Solid {
    shapes::ball(1.0, 12)
}

#[test]
fn trees_hold_their_bodies_at_every_level() {
    let mut fragments = 0;
    for (name, family) in families() {
        for (k, object) in family.iter().enumerate().step_by(4) {
            let what = format!("{name}, piece {k}");
            let branching = [vec![2], vec![3, 2], vec![4]][k % 3].clone();
            let tree = VoxTree::from_object(object, &VoxTreeOptions { cells: 20, branching, ..options(20) }).unwrap();
            let volume = object.in_metres().mass().volume;
            let mut levels = vec![0.0; tree.level_count() as usize];
            for (n, node) in tree.nodes().iter().enumerate() {
                let level = tree.level(n as u32);
                assert!(node.density > 0.0 && node.density <= 1.0);
                levels[level as usize] += node.density as f64 * tree.edge(level).powi(3);
                // Children are within their cube, and as full together.
                let (centre, half) = tree.cube(n as u32);
                let children = tree.children(n as u32);
                let mut held = 0.0;
                for child in children.clone() {
                    let (at, r) = tree.cube(child);
                    assert!((at - centre).amax() < half - r + 1e-9 * half, "{what}");
                    held += tree.nodes()[child as usize].density as f64 * (2.0 * r).powi(3);
                }
                let own = node.density as f64 * (2.0 * half).powi(3);
                assert!(children.is_empty() || (held - own).abs() < 1e-5 * own, "{what}: {held} for {own}");
            }
            for held in levels {
                assert!((held - volume).abs() < 1e-4 * volume, "{what}: {held} for {volume}");
            }
            fragments += 1;
        }
    }
    assert!(fragments > 20);
}

/// A cube has six groups; coarse cubes that span several have none; a reduced mesh groups a fine one.
#[test]
fn sides_of_a_box_are_groups() {
    let fine = shapes::cuboid([1.0, 0.8, 0.6], [6, 5, 4]);
    let tree = VoxTree::from_solid(&fine, &options(16)).unwrap();
    let last = tree.nodes().iter().enumerate().filter(|(k, _)| tree.level(*k as u32) == tree.level_count() - 1);
    let mut groups: Vec<u16> = last.clone().map(|(_, node)| node.group).collect();
    groups.sort_unstable();
    groups.dedup();
    assert_eq!(groups, [0, 1, 2, 3, 4, 5]);
    // In the middle of a side, the group's own normal is the side's.
    for (k, node) in last {
        let (at, _) = tree.cube(k as u32);
        let depth = |axis: usize| {
            let bounds = fine.bounds();
            (at[axis] - bounds.min[axis]).min(bounds.max[axis] - at[axis])
        };
        let (near, far) = (depth(2), depth(0).min(depth(1)));
        if near < 0.03 && far > 0.2 {
            let outward = tree.outward(k as u32);
            assert!(outward.z.abs() > 0.99, "{outward}");
            assert_ne!(node.group, NO_GROUP);
        }
    }
    assert_eq!(tree.nodes()[0].group, NO_GROUP, "the cube around all has all sides");
    // The same densities as volume data: about as many groups, found by gradients.
    let vertices: Vec<Point> = fine.nodes().to_vec();
    let grid = Grid::of_surface(&vertices, fine.skin().iter().map(|t| t.nodes), 1.0 / 16.0).unwrap();
    let by_data = VoxTree::from_grid(&grid, &options(16)).unwrap();
    let sides: std::collections::BTreeSet<u16> = by_data.nodes().iter().map(|node| node.group).collect();
    assert!((6..80).contains(&sides.len()), "{} groups", sides.len());
    // A ball of hundreds of triangles by the eight sides of an octahedron around it.
    let rough = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
    let rough: Vec<Point> = rough.iter().map(|c| Point::from(c.map(|x: i32| 1.5 * x as f64))).collect();
    let faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let solid = ball();
    let triangles: Vec<[u32; 3]> = solid.skin().iter().map(|t| t.nodes).collect();
    let reduced = VoxTree::from_surface(solid.nodes(), &triangles, Some((&rough, &faces)), &options(16)).unwrap();
    for (k, node) in reduced.nodes().iter().enumerate().filter(|(_, node)| node.group != NO_GROUP) {
        let (at, half) = reduced.cube(k as u32);
        let other = reduced.nodes().iter().enumerate().find(|(_, o)| o.group == node.group).unwrap().0 as u32;
        let is_like = |axis: usize| at[axis] * reduced.cube(other).0[axis] > 0.0 || at[axis].abs() < 2.0 * half;
        assert!((0..3).all(is_like) || reduced.level(k as u32) < 2, "{at}");
    }
}

/// The finest cubes that overlap are those of all pairs, whichever order; no budget is exceeded; stopping and going on changes nothing.
#[test]
fn refinement_finds_all_pairs_and_keeps_its_budget() {
    let trees = [
        VoxTree::from_solid(&ball(), &VoxTreeOptions { branching: vec![2, 3], ..options(12) }).unwrap(),
        VoxTree::from_solid(&shapes::torus(1.0, 0.35, 16, 6), &options(10)).unwrap(),
    ];
    for seed in 0..6 {
        let turn = Vector::new(unit(seed, 0), unit(seed, 1), unit(seed, 2)) * 3.0;
        let poses = [Pose::identity(), Pose::new(Vector::new(0.9, 0.3, 0.8 * unit(seed, 3)), turn)];
        let new = || Refinement::new([&trees[0], &trees[1]], poses);
        let mut whole = new();
        assert!(whole.run(&Ends::NONE, Order::ByLevel, || false));
        let pairs = |front: &Front| {
            let mut pairs: Vec<[u32; 2]> = front.done.iter().map(|pair| pair.nodes).collect();
            pairs.sort_unstable();
            pairs
        };
        let (finest, tests) = (pairs(whole.front()), whole.tests());
        assert!(whole.front().open.is_empty() && !finest.is_empty());
        // All pairs of finest cubes, by projections of their corners: none is missed, none invented.
        let last = |tree: &VoxTree| {
            let all = 0..tree.nodes().len() as u32;
            all.filter(|n| tree.children(*n).is_empty()).collect::<Vec<u32>>()
        };
        let corners = |k: usize, node: u32| {
            let (at, half) = trees[k].cube(node);
            [0, 1, 2, 3, 4, 5, 6, 7].map(|c: usize| {
                poses[k] * (at + Vector::from([0, 1, 2].map(|a| if c >> a & 1 == 0 { -half } else { half })))
            })
        };
        let axes = [0, 1].map(|k| [0, 1, 2].map(|a| poses[k].rotation * Vector::ith(a, 1.0)));
        let across = axes[0].iter().flat_map(|a| axes[1].iter().map(|b| a.cross(b))).filter(|c| c.norm() > 1e-9);
        let axes: Vec<Vector> = axes.iter().flatten().copied().chain(across).collect();
        for a in last(&trees[0]).into_iter().step_by(7) {
            let first = corners(0, a);
            for b in last(&trees[1]) {
                let second = corners(1, b);
                let range = |points: &[Point; 8], axis: &Vector| {
                    let along = points.map(|p| axis.dot(&p.coords));
                    (
                        along.into_iter().fold(f64::INFINITY, f64::min),
                        along.into_iter().fold(f64::NEG_INFINITY, f64::max),
                    )
                };
                let gap = |axis: &Vector| {
                    let ((l0, h0), (l1, h1)) = (range(&first, axis), range(&second, axis));
                    (l0 - h1).max(l1 - h0)
                };
                let apart = axes.iter().map(gap).fold(f64::NEG_INFINITY, f64::max);
                let found = finest.binary_search(&[a, b]).is_ok();
                assert!(found == (apart <= 0.0) || apart.abs() < 1e-9, "{apart}");
            }
        }
        let mut other = new();
        assert!(other.run(&Ends::NONE, Order::ByProbability, || false));
        assert_eq!(pairs(other.front()), finest);
        for order in [Order::ByLevel, Order::ByProbability] {
            for budget in [1, 2, 7, 50, 333, tests / 2] {
                let mut some = new();
                let is_done = some.run(&Ends::after(budget), order, || false);
                assert!(some.tests() <= budget && !is_done, "{} tests of {budget}", some.tests());
                assert!(!some.is_apart());
                // Stopped by a clock, and gone on with from plain numbers.
                let mut left = 3;
                let mut stopped = new();
                stopped.run(&Ends::NONE, order, || {
                    left -= 1;
                    left < 0
                });
                let mut again = Refinement::resumed([&trees[0], &trees[1]], poses, stopped.front().clone());
                assert!(again.run(&Ends::NONE, order, || false));
                assert_eq!((pairs(again.front()), again.tests()), (finest.clone(), tests));
                // In the other order, too, and with little memory.
                let changed = if order == Order::ByLevel { Order::ByProbability } else { Order::ByLevel };
                let mut again = Refinement::resumed([&trees[0], &trees[1]], poses, stopped.front().clone());
                let few = Ends { pairs: stopped.front().open.len() + 9, ..Ends::NONE };
                assert!(!again.run(&few, changed, || false) && again.front().open.len() <= few.pairs);
                assert!(again.run(&Ends::NONE, changed, || false));
                assert_eq!((pairs(again.front()), again.tests()), (finest.clone(), tests));
            }
        }
        let mut none = new();
        assert!(!none.run(&Ends::after(0), Order::ByLevel, || false) && none.tests() == 0);
    }
    // Apart: known, and no contact.
    let mut apart = Refinement::new([&trees[0], &trees[1]], [Pose::identity(), Pose::translation(9.0, 0.0, 0.0)]);
    assert!(apart.run(&Ends::after(10), Order::ByLevel, || false) && apart.is_apart());
    let mut contacts = vec![];
    apart.contacts(&ContactModel::default(), &mut contacts);
    assert!(contacts.is_empty());
}

/// A random collision of two bodies, balls or blocks, and its exact contact: point, normal from the second to the first, depth.
struct Collision {
    kinds: [usize; 2],
    poses: [Pose; 2],
    point: Point,
    normal: Vector,
    depth: f64,
}

const HALF: [f64; 3] = [1.0, 0.8, 0.6];

/// The closest point of a block to a point, and its normal there.
fn on_block(p: &Point) -> (Point, Vector) {
    let held = Point::from([0, 1, 2].map(|k| p[k].clamp(-HALF[k], HALF[k])));
    (held, (p - held).try_normalize(1e-9).unwrap_or_else(Vector::z))
}

fn collision(seed: u64) -> Collision {
    let random = |k: u64| unit(seed, k);
    let turn = |k: u64| Vector::new(random(k), random(k + 1), random(k + 2)) * 6.0 - Vector::repeat(3.0);
    let depth = 0.02 + 0.08 * random(0);
    let way = Vector::new(random(1) - 0.5, random(2) - 0.5, random(3) - 0.5).normalize();
    if seed.is_multiple_of(2) {
        // Ball on ball.
        let poses = [Pose::new(way * (2.0 - depth), turn(4)), Pose::new(Vector::zeros(), turn(7))];
        return Collision { kinds: [0, 0], poses, point: Point::from(way * (1.0 - 0.5 * depth)), normal: way, depth };
    }
    // A ball on a block: against a side, an edge or a corner.
    let block = Pose::new(Vector::zeros(), turn(7));
    let (on, normal) = on_block(&Point::from(way * 4.0));
    let centre = on + normal * (1.0 - depth);
    let (point, normal) = (block * (on - normal * (0.5 * depth)), block.rotation * normal);
    Collision { kinds: [0, 1], poses: [Pose::new((block * centre).coords, turn(4)), block], point, normal, depth }
}

fn angle(a: &Vector, b: &Vector) -> f64 {
    a.dot(b).clamp(-1.0, 1.0).acos().to_degrees()
}

/// Mean and the half width of its confidence interval (95 %).
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

fn bodies() -> [VoxTree; 2] {
    let block = shapes::cuboid(HALF.map(|h| 2.0 * h), [4; 3]);
    let shift = block.bounds().centre().coords;
    let triangles: Vec<[u32; 3]> = block.skin().iter().map(|t| t.nodes).collect();
    let vertices: Vec<Point> = block.nodes().iter().map(|p| p - shift).collect();
    [
        VoxTree::from_solid(&shapes::ball(1.0, 20), &options(32)).unwrap(),
        VoxTree::from_surface(&vertices, &triangles, None, &options(32)).unwrap(),
    ]
}

/// Section 4.1, figure 7: errors fall from level to level, and weights help.
#[test]
fn errors_fall_with_each_level_and_weights_help() {
    let trees = bodies();
    let models = [
        ("average, centres", Weighting::Average, Normals::Centres),
        ("average, density", Weighting::Average, Normals::Density),
        ("probability, centres", Weighting::Probability, Normals::Centres),
        ("probability, density", Weighting::Probability, Normals::Density),
    ];
    let count = 1000;
    let collisions: Vec<Collision> = (0..count).map(collision).collect();
    let levels = 1..trees[0].level_count();
    let mut table = vec![];
    for level in levels.clone() {
        for (name, weighting, normals) in models {
            let model = ContactModel { normals, weighting, grouped: false };
            let (mut turns, mut shifts, mut depths) = (vec![], vec![], vec![]);
            for c in &collisions {
                let pair = c.kinds.map(|kind| &trees[kind]);
                let mut refinement = Refinement::new(pair, c.poses);
                refinement.run(&Ends::at_level(level), Order::ByLevel, || false);
                let mut contacts = vec![];
                refinement.contacts(&model, &mut contacts);
                let [found]: [VoxContact; 1] = contacts.try_into().expect("they collide");
                turns.push(angle(&found.normal, &c.normal));
                shifts.push((found.point - c.point).norm());
                assert!(
                    found.depth >= 0.0 || level + 1 == trees[0].level_count(),
                    "cubes that may be divided tell no gap"
                );
                depths.push((found.depth - c.depth).abs());
            }
            let (turn, shift, depth) = (mean(&turns), mean(&shifts), mean(&depths));
            println!(
                "level {level}, {name}: normal {:.1} ± {:.1} degrees, point {:.3} ± {:.3}, product {:.3}, depth {:.3} ± {:.3}",
                turn.0,
                turn.1,
                shift.0,
                shift.1,
                turn.0 * shift.0,
                depth.0,
                depth.1
            );
            table.push((turn, shift, depth));
        }
    }
    let at = |level: usize, model: usize| &table[4 * level + model];
    let is_less = |a: (f64, f64), b: (f64, f64)| a.0 <= b.0 + a.1 + b.1;
    for level in 1..levels.len() {
        for model in 0..4 {
            let (before, now) = (at(level - 1, model), at(level, model));
            assert!(is_less(now.0, before.0) && is_less(now.1, before.1), "level {level}, model {model}");
            assert!(is_less(now.2, before.2), "level {level}, model {model}");
        }
    }
    // Weights are better at every level, for both kinds of normals: figure 7B.
    for level in 0..levels.len() {
        let product = |model: usize| at(level, model).0.0 * at(level, model).1.0;
        assert!(product(2) < product(0) && product(3) < product(1), "level {level}");
        assert!(is_less(at(level, 2).1, at(level, 0).1) && is_less(at(level, 3).1, at(level, 1).1), "level {level}");
    }
    // With voxel leaves, depth is within half a voxel.
    let finest = at(levels.len() - 1, 3);
    assert!(finest.2.0 < 0.5 * 2.0 / 32.0, "depths are off by {:?}", finest.2);
}

/// The more tests, the better; of bodies that are apart, the fewer are taken for colliding. By level and by probability.
#[test]
fn quality_grows_with_the_budget() {
    let trees = bodies();
    let count = 1000;
    let budgets = [1, 10, 30, 100, 300, 1000, 3000, 10_000];
    let mut normals = [vec![], vec![]];
    for (order, normals) in [Order::ByLevel, Order::ByProbability].into_iter().zip(&mut normals) {
        let mut before: Option<[(f64, f64); 2]> = None;
        let mut phantoms_before = usize::MAX;
        for budget in budgets {
            let (mut turns, mut shifts, mut phantoms) = (vec![], vec![], 0);
            for seed in 0..count {
                let c = collision(seed);
                let pair = c.kinds.map(|kind| &trees[kind]);
                let mut refinement = Refinement::new(pair, c.poses);
                refinement.run(&Ends::after(budget), order, || false);
                assert!(refinement.tests() <= budget);
                let mut contacts = vec![];
                let model = ContactModel { grouped: false, ..ContactModel::default() };
                refinement.contacts(&model, &mut contacts);
                turns.push(angle(&contacts[0].normal, &c.normal));
                shifts.push((contacts[0].point - c.point).norm());
                // The same bodies, apart by up to half a radius: whoever stops early says maybe.
                let away = c.normal * (c.depth + 0.5 * unit(seed, 99));
                let apart =
                    [Pose::from_parts((c.poses[0].translation.vector + away).into(), c.poses[0].rotation), c.poses[1]];
                let mut refinement = Refinement::new(pair, apart);
                refinement.run(&Ends::after(budget), order, || false);
                phantoms += !refinement.is_apart() as usize;
            }
            let now = [mean(&turns), mean(&shifts)];
            println!(
                "{order:?}, {budget} tests: normal {:.1} ± {:.1} degrees, point {:.3} ± {:.3}; {} % phantoms",
                now[0].0,
                now[0].1,
                now[1].0,
                now[1].1,
                100 * phantoms / count as usize
            );
            // The line between the middles of two balls is exact: the first levels are worse than none.
            if let Some(before) = before.filter(|_| budget > 10) {
                // Not from one budget to the next, but within what chance and a level that is half done explain.
                for (now, before) in now.iter().zip(before) {
                    assert!(
                        now.0 <= 1.35 * before.0 + now.1 + before.1,
                        "{order:?}, {budget}: {now:?} after {before:?}"
                    );
                }
            }
            assert!(phantoms <= phantoms_before && (budget < 10_000 || phantoms * 3 < count as usize));
            (before, phantoms_before) = (Some(now), phantoms);
            normals.push(now[0].0);
        }
    }
    // Where the budget is not enough for either, the likeliest first has better normals.
    let [by_level, by_probability] = normals;
    assert!((2..6).all(|k| by_probability[k] < by_level[k]), "{by_probability:?} against {by_level:?}");
}

/// Pieces that overlap a little: with an exact finest level, depth and normal are those of the core query.
#[test]
fn an_exact_finest_level_agrees_with_the_core_query() {
    let (mut good, mut count, mut met) = (0, 0, 0);
    for (name, family) in families().iter().filter(|(_, family)| family.len() > 1) {
        let trees: Vec<VoxTree> = family
            .iter()
            .map(|object| VoxTree::from_object(object, &options(16)).unwrap().with_exact(object))
            .collect();
        for seed in 0..40 {
            let pick = |k: u64| (unit(seed, k) * family.len() as f64) as usize;
            let (a, b) = (pick(0), pick(1));
            let random = |k: u64| Vector::new(unit(seed, k), unit(seed, k + 1), unit(seed, k + 2));
            let middles = [a, b].map(|k| family[k].in_metres().mass().centre);
            let size = [a, b].map(|k| family[k].bounds().radius() * family[k].scale()).iter().sum::<f64>();
            let turn = Pose::new(Vector::zeros(), random(3) * 6.0);
            let way = (random(6) - Vector::repeat(0.5)).normalize();
            let options = QueryOptions::every_sample();
            let mut core = vec![];
            // Together until they overlap by 1 %.
            let pose = (0..100).find_map(|step| {
                let at = middles[1] + way * (size * (1.0 - 0.01 * step as f64));
                let pose = Pose::from_parts((at - turn * middles[0]).into(), turn.rotation);
                core.clear();
                query_pair(&family[a], &pose, &family[b], &Pose::identity(), &options, &mut core).unwrap();
                core.first().is_some_and(|c| c.depth as f64 > 0.01 * size).then_some(pose)
            });
            let Some(pose) = pose else { continue };
            let mut refinement = Refinement::new([&trees[a], &trees[b]], [pose, Pose::identity()]);
            assert!(refinement.run(&Ends::NONE, Order::ByProbability, || false));
            let mut contacts = vec![];
            refinement.contacts(&ContactModel::default(), &mut contacts);
            count += 1;
            let Some(deepest) = contacts.iter().max_by(|a, b| a.depth.total_cmp(&b.depth)) else { continue };
            met += 1;
            assert!(contacts.iter().all(|c| c.is_measured), "{name}");
            let normal = |c: &fracas::Contact| Vector::from(c.normal.map(f64::from));
            // Of equally deep samples either may come first.
            let like = |c: &fracas::Contact| {
                (c.depth as f64 - deepest.depth).abs() < 0.1 * deepest.depth
                    && angle(&normal(c), &deepest.normal) < 10.0
            };
            good += (like(&core[0]) || core.iter().filter(|c| c.depth > 0.999 * core[0].depth).any(like)) as usize;
            // Each measured sample counts as eight tests.
            let plain = [a, b].map(|k| VoxTree::load(&trees[k].save()).unwrap());
            let mut cubes = Refinement::new([&plain[0], &plain[1]], [pose, Pose::identity()]);
            assert!(cubes.run(&Ends::NONE, Order::ByProbability, || false));
            let measured = refinement.tests() - cubes.tests();
            assert!(measured > 0 && measured.is_multiple_of(EVALUATION), "{name}: {measured}");
            // Interrupted while measuring: never above the budget, and resumable.
            for budget in [10, 300, 2000] {
                let mut some = Refinement::new([&trees[a], &trees[b]], [pose, Pose::identity()]);
                some.run(&Ends::after(budget), Order::ByProbability, || false);
                assert!(some.tests() <= budget);
                let mut again =
                    Refinement::resumed([&trees[a], &trees[b]], [pose, Pose::identity()], some.front().clone());
                assert!(again.run(&Ends::NONE, Order::ByProbability, || false));
                let mut same = vec![];
                again.contacts(&ContactModel::default(), &mut same);
                assert_eq!(same, contacts, "{name}");
            }
        }
    }
    println!("{good} of {count} agree; {met} were found to touch");
    assert!(count >= 1000 && met == count && good * 100 >= 95 * count, "{good} of {count}, {met} met");
}

/// Each crack of a fragment is a group, however rough.
#[test]
fn cracks_are_groups() {
    for (name, family) in families().iter().filter(|(name, _)| name.contains("rough") || name.contains("broken")) {
        let object = &family[0];
        let tree = VoxTree::from_object(object, &options(24)).unwrap();
        let surface = object.surface();
        let mut neighbours: Vec<u32> = surface
            .triangles
            .iter()
            .filter_map(|t| match t.face {
                Face::Crack { neighbour, .. } => neighbour,
                _ => None,
            })
            .collect();
        neighbours.sort_unstable();
        neighbours.dedup();
        // Cubes by their nearest triangle, found among all.
        let metres = object.in_metres();
        let corners: Vec<[Point; 3]> =
            surface.triangles.iter().map(|t| t.corners.map(|c| metres.point(&surface.vertices[c as usize]))).collect();
        let (mut cracks, step) = (0, tree.finest().len() / 150 + 1);
        for node in tree.finest().step_by(step).filter(|n| tree.nodes()[*n as usize].density < 1.0) {
            let (at, half) = tree.cube(node);
            let away = |k: usize| {
                let on = triangle::closest(&at.coords, &corners[k].map(|c| c.coords));
                (at.coords - on).norm()
            };
            let distances: Vec<f64> = (0..corners.len()).map(away).collect();
            let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
            let kind = |k: usize| match surface.triangles[k].face {
                Face::Crack { neighbour, .. } => neighbour,
                _ => None,
            };
            let nearest: Vec<Option<u32>> =
                (0..corners.len()).filter(|k| distances[*k] <= least + 1e-6 * half).map(kind).collect();
            let [Some(neighbour), rest @ ..] = &nearest[..] else { continue };
            if rest.iter().all(|other| *other == Some(*neighbour)) {
                let expected = neighbours.binary_search(neighbour).unwrap() as u16;
                assert_eq!(tree.nodes()[node as usize].group, expected, "{name}");
                cracks += 1;
            }
        }
        assert!(cracks > 3, "{name}: {cracks}");
    }
}

#[test]
fn trees_are_saved_and_loaded() {
    let ball = VoxTree::from_solid(&ball(), &VoxTreeOptions { branching: vec![2, 3], ..options(12) }).unwrap();
    let bytes = ball.save();
    let same = VoxTree::load(&bytes).unwrap();
    assert_eq!((same.nodes(), same.origin(), same.save()), (ball.nodes(), ball.origin(), bytes.clone()));
    let poses = [Pose::translation(0.0, 0.3, 1.8), Pose::identity()];
    let front = |tree: &VoxTree| {
        let mut refinement = Refinement::new([tree, tree], poses);
        refinement.run(&Ends::after(777), Order::ByProbability, || false);
        refinement.into_front()
    };
    assert_eq!(front(&same), front(&ball));
    // Whatever bytes are changed, with a checksum that fits: an error, or a tree that can be queried.
    let (mut loaded, mut refused) = (0, 0);
    for seed in 0..3000u64 {
        let mut wrong = bytes.clone();
        let at = 32 + (unit(seed, 0) * (bytes.len() - 32) as f64) as usize;
        wrong[at] = (unit(seed, 1) * 256.0) as u8;
        let wrong = common::saved::resealed(&wrong);
        match VoxTree::load(&wrong) {
            Ok(tree) => {
                front(&tree);
                loaded += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(loaded > 100 && refused > 100, "{loaded} loaded, {refused} refused");
    // A cube of a coarse level without children, which no query would divide.
    let two =
        VoxTree::from_grid(&Grid::new(Point::origin(), 1.0, [2, 1, 1], vec![1.0; 2]).unwrap(), &options(2)).unwrap();
    let mut cut = two.save();
    let nodes = cut.len() - 3 * 20;
    cut.truncate(nodes + 20);
    cut[nodes + 18..].fill(0);
    cut[nodes - 4] = 1;
    let section = 32 + 4;
    let length = (cut.len() - section - 8) as u64;
    cut[section..section + 8].copy_from_slice(&length.to_le_bytes());
    let why = VoxTree::load(&common::saved::resealed(&cut)).unwrap_err().to_string();
    assert!(why.contains("children"), "{why}");
    assert!(VoxTree::load(&bytes[..bytes.len() - 1]).is_err() && VoxTree::load(&[]).is_err());
}
