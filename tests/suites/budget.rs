//! Queries within a budget of work: it is kept, quality grows with it, and the same budget gives the same contacts.

use crate::common;

use common::families::families;
use common::pairs::broken;
use common::trees::cooked;
use fracas::contact::{Level, QueryPair, QueryStats, Structure, query_pair, query_pairs, query_shape};
use fracas::field::shape::{Ball, HalfSpace};
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::geom::random::unit;
use fracas::{Contact, Object, Pattern, Point, QueryOptions, Tasks, Vector, shapes};

const BUDGETS: [u32; 9] = [1, 4, 8, 16, 32, 64, 128, 512, 4096];

fn within(budget: u32) -> QueryOptions {
    QueryOptions { budget, ..QueryOptions::default() }
}

fn query(pair: &Collision, options: &QueryOptions) -> (Vec<Contact>, QueryStats) {
    let mut contacts = vec![];
    let stats = query_pair(pair.a, &pair.pose, pair.b, &Pose::identity(), options, &mut contacts).unwrap();
    (contacts, stats)
}

/// Two pieces that overlap a little.
struct Collision<'a> {
    a: &'a Object,
    b: &'a Object,
    pose: Pose,
    /// Sum of their radii.
    size: f64,
    way: Vector,
}

/// Random pieces, moved together until they overlap by 1 % of their size.
fn collisions(family: &[Object], count: u64) -> Vec<Collision<'_>> {
    let collision = |seed: u64| {
        let pick = |k: u64| &family[(unit(seed, k) * family.len() as f64) as usize];
        let (a, b) = (pick(0), pick(1));
        let middles = [a, b].map(|object| object.in_metres().mass().centre);
        let size = a.bounds().radius() * a.scale() + b.bounds().radius() * b.scale();
        let random = |k: u64| Vector::new(unit(seed, k), unit(seed, k + 1), unit(seed, k + 2));
        let turn = Pose::new(Vector::zeros(), random(3) * 6.0);
        let way = (random(6) - Vector::repeat(0.5)).normalize();
        (0..100).find_map(|step| {
            let at = middles[1] + way * (size * (1.0 - 0.01 * step as f64));
            let pose = Pose::from_parts((at - turn * middles[0]).into(), turn.rotation);
            let pair = Collision { a, b, pose, size, way };
            query(&pair, &within(0)).0.iter().any(|c| c.depth as f64 > 0.01 * size).then_some(pair)
        })
    };
    (0..count).filter_map(collision).collect()
}

fn normal(contact: &Contact) -> Vector {
    Vector::from(contact.normal.map(f64::from))
}

/// Errors of the first contact against all of the whole query: nearest normal (degrees), nearest point and depth (shares of the size).
fn errors(found: &Contact, all: &[Contact], size: f64) -> [f64; 3] {
    let apart = |c: &Contact| Vector::from([0, 1, 2].map(|k| (c.point[k] - found.point[k]) as f64)).norm() / size;
    let turned = |c: &Contact| normal(c).angle(&normal(found)).to_degrees();
    let least = |of: &dyn Fn(&Contact) -> f64| all.iter().map(of).fold(f64::INFINITY, f64::min);
    [least(&turned), least(&apart), (found.depth - all[0].depth).abs() as f64 / size]
}

#[test]
fn contacts_degrade_smoothly_and_no_budget_is_exceeded() {
    let (mut sums, mut count) = ([[0.0; 3]; BUDGETS.len()], 0);
    let mut levels = [[0; 5]; BUDGETS.len()];
    for (name, family) in families() {
        for pair in collisions(&family, 12) {
            let (all, whole) = query(&pair, &within(0));
            assert!(!whole.is_interrupted());
            count += 1;
            for (k, budget) in BUDGETS.into_iter().enumerate() {
                let (some, stats) = query(&pair, &within(budget));
                assert!(stats.work <= budget, "{name}: {} units of {budget}", stats.work);
                assert!(!some.is_empty() && some.iter().all(|c| (normal(c).norm() - 1.0).abs() < 1e-5), "{name}");
                levels[k][stats.level as usize] += 1;
                // Enough is enough: the same contacts as without a budget, bit for bit.
                assert!(stats.is_interrupted() || some == all, "{name}");
                assert!(stats.is_interrupted() || budget >= whole.work, "{name}: {budget} of {}", whole.work);
                assert!(budget > 1 || stats.level == Level::Bodies && stats.work == 1, "{name}");
                let sum = errors(&some[0], &all, pair.size);
                sums[k].iter_mut().zip(sum).for_each(|(s, e)| *s += e);
                // Which body is A does not matter.
                let mut swapped = vec![];
                let options = QueryOptions { origin: Some([0.0; 3]), ..within(budget) };
                query_pair(pair.b, &Pose::identity(), pair.a, &pair.pose, &options, &mut swapped).unwrap();
                let (own, _) = query(&pair, &options);
                assert_eq!(own.len(), swapped.len());
                for (a, b) in own.iter().zip(&swapped) {
                    assert_eq!((a.point, a.depth, a.normal), (b.point, b.depth, b.normal.map(|c| -c)));
                }
            }
        }
    }
    assert!(count > 200);
    for (k, budget) in BUDGETS.into_iter().enumerate() {
        let [turn, point, depth] = sums[k].map(|s| s / count as f64);
        println!("{budget}: {turn:.1} degrees, point {point:.4}, depth {depth:.4} of the size; levels {:?}", levels[k]);
        if k > 0 {
            assert!((0..3).all(|e| sums[k][e] <= 1.02 * sums[k - 1][e]), "{budget} is worse than less");
        }
    }
    // The bodies as wholes: normals within 20 degrees, depths within 5 % on average; with 128 units nearly all is known.
    let mean = |k: usize, e: usize| sums[k][e] / count as f64;
    assert!(mean(0, 0) < 20.0 && mean(0, 2) < 0.05);
    assert!(mean(6, 0) < 2.0 && mean(6, 1) < 0.01 && mean(6, 2) < 0.01);
    assert!(levels[8][4] * 10 > 9 * count);
}

/// Bodies that are apart: with enough work no contact; with little, one that does not push by much.
#[test]
fn phantoms_vanish_with_work() {
    let (mut phantoms, mut pushes, mut count) = ([0; BUDGETS.len()], vec![], 0);
    for (_, family) in families() {
        for mut pair in collisions(&family, 12) {
            let away = pair.way * (0.05 * pair.size);
            pair.pose.translation.vector += away;
            if !query(&pair, &within(0)).0.is_empty() {
                continue;
            }
            count += 1;
            for (k, budget) in BUDGETS.into_iter().enumerate() {
                let (some, stats) = query(&pair, &within(budget));
                assert!(some.is_empty() || stats.is_interrupted());
                phantoms[k] += !some.is_empty() as usize;
                pushes.extend(some.iter().filter(|_| k == 0).map(|c| c.depth.max(0.0) as f64 / pair.size));
            }
        }
    }
    println!("phantoms of {count}: {phantoms:?}");
    assert!(count > 150 && phantoms.is_sorted_by(|a, b| a >= b) && phantoms[8] == 0);
    let mean = pushes.iter().sum::<f64>() / pushes.len() as f64;
    assert!(mean < 0.03, "phantoms push by {mean}");
}

/// Sphere trees and plain shapes keep their budgets, too.
#[test]
fn trees_and_shapes_keep_budgets() {
    let (_, family) = &families()[1];
    let ball = Ball { centre: Point::origin(), radius: 0.3 };
    let ground = HalfSpace(Plane { normal: Vector::z(), offset: 0.0 });
    let mut met = 0;
    for object in family.iter().step_by(3) {
        let bounds = object.bounds();
        let (centre, radius) = (bounds.centre() * object.scale(), bounds.radius() * object.scale());
        let low = bounds.min.z * object.scale();
        let on_ground = Pose::translation(0.0, 0.0, -low - 0.02 * radius);
        let at_ball = Pose::translation(-centre.x, -centre.y, -low + 0.3 - 0.05 * radius);
        for budget in BUDGETS {
            let [mut on, mut at] = [vec![], vec![]];
            let stats = [
                query_shape(object, &on_ground, &ground, &Pose::identity(), &within(budget), &mut on).unwrap(),
                query_shape(object, &at_ball, &ball, &Pose::identity(), &within(budget), &mut at).unwrap(),
            ];
            assert!(stats.iter().all(|s| s.work <= budget), "{stats:?} of {budget}");
            assert!(!on.is_empty() && normal(&on[0]).z > 0.99, "{budget}");
            // As a whole it is nearly as deep as it is: 2 % of its radius.
            let depth = on[0].depth as f64 / radius;
            assert!(depth > 0.01 && depth < 0.06, "{budget}: {depth}");
            assert!(budget > 1 || stats[0].level == Level::Bodies);
            met += (!at.is_empty()) as usize;
            assert_eq!(stats[0].is_interrupted(), !on.is_empty() && stats[0].level != Level::All);
        }
    }
    assert!(met > 10);
    // Sphere trees: the paper's query.
    let ball = cooked(shapes::ball(1.0, 10));
    let pieces = broken(&ball, &Pattern::random_voronoi(6, 3));
    for pair in collisions(&pieces, 20) {
        let trees = |budget| QueryOptions { structure: Structure::SphereTree, ..within(budget) };
        let (all, whole) = query(&pair, &trees(0));
        for budget in BUDGETS {
            let (some, stats) = query(&pair, &trees(budget));
            assert!(stats.work <= budget && !some.is_empty(), "{} of {budget}", stats.work);
            assert!(stats.is_interrupted() || some == all);
            assert_eq!(stats.is_interrupted(), whole.work > budget, "{} of {budget}", whole.work);
        }
    }
}

/// A budget of many pairs: by weights, nobody starves, what some leave goes to others, and the same for any number of threads.
#[test]
fn pairs_share_a_budget() {
    let all = families();
    let pairs: Vec<Collision> = all.iter().flat_map(|(_, family)| collisions(family, 3)).collect();
    let still = Pose::identity();
    let run = |threads: usize, heavy: f32, budget: u32, pairs: &[Collision]| {
        let asked: Vec<QueryPair> = (0..)
            .zip(pairs)
            .map(|(k, p)| QueryPair {
                a: (p.a, &p.pose),
                b: (p.b, &still),
                weight: if k % 2 == 0 { 1.0 } else { heavy },
            })
            .collect();
        let (contacts, starts, stats) = query_pairs(&asked, &within(budget), &Tasks::pool(threads).unwrap());
        (contacts, starts, stats.into_iter().map(Result::unwrap).collect::<Vec<QueryStats>>())
    };
    let budget = 160 * pairs.len() as u32;
    let (contacts, starts, stats) = run(1, 9.0, budget, &pairs);
    let work = |stats: &[QueryStats]| stats.iter().map(|s| s.work).sum::<u32>();
    assert!(work(&stats) <= budget && work(&stats) > budget / 2, "{} of {budget}", work(&stats));
    assert!(starts.windows(2).all(|s| s[1] > s[0]), "every pair has a contact");
    let mean = |odd: usize| stats.iter().skip(odd).step_by(2).map(|s| s.level as u32).sum::<u32>();
    assert!(mean(1) > mean(0) + 20, "what weighs more is looked at more closely: {} {}", mean(1), mean(0));
    // The work of a pair that was queried twice is that of both.
    let raised = pairs.iter().zip(&stats).filter(|(pair, s)| {
        let needed = query(pair, &within(0)).1.work;
        !s.is_interrupted() && s.work > needed + 5
    });
    assert!(raised.count() > 3);
    assert!(run(2, 9.0, budget, &pairs) == (contacts, starts, stats));
    let alike = run(2, 1.0, budget, &pairs).2;
    assert!(alike.iter().filter(|s| s.is_interrupted()).count() > 10);
    // Half of them apart, which costs a unit each: the others get what these leave.
    let mut mixed = pairs;
    for pair in mixed.iter_mut().step_by(2) {
        pair.pose.translation.vector += pair.way * (3.0 * pair.size);
    }
    let (_, starts, stats) = run(2, 1.0, budget, &mixed);
    assert!(work(&stats) <= budget);
    let of_odd = |stats: &[QueryStats]| stats.iter().skip(1).step_by(2).map(|s| s.level as u32).sum::<u32>();
    assert!(of_odd(&stats) > of_odd(&alike), "{} after {}", of_odd(&stats), of_odd(&alike));
    assert!((0..mixed.len()).step_by(2).all(|k| starts[k] == starts[k + 1] && stats[k].work == 1));
    // Less than a unit for each: one each.
    let (_, starts, stats) = run(1, 1.0, 5, &mixed);
    assert!(stats.iter().all(|s| s.work == 1) && starts.last().unwrap() * 2 >= mixed.len() as u32 - 1);
}
