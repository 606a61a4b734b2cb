//! Reduction for solvers: net force and moment of what is kept against those of all contacts, over patches between real
//! fragments; and the rules that any reduction keeps.

use crate::common;

use common::pairs::{broken, query, random_rotation, settled};
use common::scenes;
use fracas::contact::{Contact, QueryOptions, reduce_contacts};
use fracas::geom::Pose;
use fracas::geom::random::unit;
use fracas::{Object, Pattern, Vector, shapes};
use nalgebra::{DMatrix, SMatrix, Translation3, UnitQuaternion};
use std::collections::BTreeSet;
use std::sync::LazyLock;

type Wrench = SMatrix<f64, 6, 1>;

/// All contacts of a pair.
struct Patch {
    kind: &'static str,
    contacts: Vec<Contact>,
}

fn full() -> QueryOptions {
    QueryOptions::every_sample()
}

/// The limits that are tried: a normal, in all.
const LIMITS: [(u32, u32); 2] = [(4, 16), (4, 32)];

/// Fragments of five solids, smooth and rough in turn.
fn families() -> Vec<Vec<Object>> {
    let solids = [
        shapes::ball(0.1, 14),
        shapes::brick(2),
        shapes::torus(1.0, 0.3, 32, 8),
        shapes::plate(0.13, 0.012, 20),
        shapes::hollow_ball(1.0, 14, 2),
    ];
    let break_twice = |(solid, seed)| {
        let object = scenes::intact(solid);
        let pattern = Pattern::random_voronoi(18, seed);
        [broken(&object, &pattern), broken(&object, &pattern.clone().rough(scenes::ROUGH))]
    };
    solids.into_iter().zip(1..).flat_map(break_twice).collect()
}

/// Poses in which two bodies, turned at random, overlap by 1-4 % of the smaller radius.
fn pressed(a: &Object, b: &Object, seed: u64) -> (Pose, Pose) {
    let placed = |body: &Object, turn: UnitQuaternion<f64>, to: Vector| {
        Pose::from_parts(Translation3::from(to - turn * body.mass().centre.coords), turn)
    };
    let here = placed(a, random_rotation(seed), Vector::zeros());
    let there = |apart: f64| placed(b, random_rotation(seed + 1), scenes::direction(seed) * apart);
    let depth = |apart: f64| {
        let (contacts, _) =
            query(a, &here, b, &there(apart), &QueryOptions { points_only: true, ..Default::default() });
        contacts.first().map_or(f64::NEG_INFINITY, |c| c.depth as f64)
    };
    let wanted = a.bounds().radius().min(b.bounds().radius()) * (0.01 + 0.03 * unit(seed, 9));
    let (mut near, mut far) = (0.0, a.bounds().radius() + b.bounds().radius());
    for _ in 0..20 {
        let middle = 0.5 * (near + far);
        *(if depth(middle) > wanted { &mut near } else { &mut far }) = middle;
    }
    (here, there(far))
}

/// Fragments as they part, as they settle, and as rubble; those with more contacts than a group keeps.
fn patches() -> &'static [Patch] {
    static MADE: LazyLock<Vec<Patch>> = LazyLock::new(|| {
        let families = families();
        let mut found = vec![];
        let mut add = |kind, contacts: Vec<Contact>| {
            if contacts.len() > 4 {
                found.push(Patch { kind, contacts });
            }
        };
        for (pieces, rough) in families.iter().zip([false, true].into_iter().cycle()) {
            let resting = pieces.iter().map(|piece| (piece.clone(), Pose::identity())).collect();
            let kinds = if rough { ["resting, rough", "settling, rough"] } else { ["resting", "settling"] };
            for (kind, bodies) in kinds.into_iter().zip([resting, settled(pieces.clone())]) {
                for touching in pieces[0].adjacency() {
                    let [(a, pa), (b, pb)] = touching.pieces.map(|k| &bodies[k as usize]);
                    add(kind, query(a, pa, b, pb, &full()).0);
                }
            }
        }
        for seed in 0..1000 {
            let pick = |key: u64| {
                let family = &families[(unit(seed, key) * families.len() as f64) as usize];
                &family[(unit(seed, key + 1) * family.len() as f64) as usize]
            };
            let (a, b) = (pick(1), pick(3));
            if (0.2..5.0).contains(&(a.bounds().radius() / b.bounds().radius())) {
                let (pa, pb) = pressed(a, b, seed);
                add("rubble", query(a, &pa, b, &pb, &full()).0);
            }
        }
        found
    });
    &MADE
}

fn point(contact: &Contact) -> Vector {
    Vector::from(contact.point.map(f64::from))
}

fn normal(contact: &Contact) -> Vector {
    Vector::from(contact.normal.map(f64::from))
}

/// Groups by normal, written anew: the deepest that is in none begins the next. The group of each contact.
fn groups(contacts: &[Contact]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..contacts.len()).collect();
    let number = |k: usize| contacts[k].feature & 0x7fff_ffff;
    order.sort_by(|a, b| contacts[*b].depth.total_cmp(&contacts[*a].depth).then(number(*a).cmp(&number(*b))));
    let mut group_of = vec![usize::MAX; contacts.len()];
    let mut count = 0;
    for first in &order {
        if group_of[*first] == usize::MAX {
            for k in &order {
                let alike = normal(&contacts[*k]).angle(&normal(&contacts[*first])) <= 5f64.to_radians();
                if k == first || (group_of[*k] == usize::MAX && alike) {
                    group_of[*k] = count;
                }
            }
            count += 1;
        }
    }
    group_of
}

/// Forces and moments about the middle of the patch, the latter as a share of its radius.
struct Scale {
    middle: Vector,
    radius: f64,
}

impl Scale {
    fn new(contacts: &[Contact]) -> Self {
        let middle = contacts.iter().map(point).sum::<Vector>() / contacts.len() as f64;
        Self { middle, radius: contacts.iter().map(|c| (point(c) - middle).norm()).fold(1e-12, f64::max) }
    }

    /// Of a contact with unit load.
    fn wrench(&self, contact: &Contact) -> Wrench {
        let (force, arm) = (normal(contact), (point(contact) - self.middle) / self.radius);
        let moment = arm.cross(&force);
        Wrench::from_iterator(force.iter().chain(moment.iter()).copied())
    }
}

/// What is left of `wanted` by the best loads, none below zero, at some contacts: what a solver finds (the active sets of Lawson
/// and Hanson).
fn left_by_best_loads(wrenches: &[Wrench], wanted: &Wrench) -> Wrench {
    let mut loads = vec![0.0; wrenches.len()];
    let mut used: Vec<usize> = vec![];
    let left = |loads: &[f64]| wanted - wrenches.iter().zip(loads).map(|(w, load)| w * *load).sum::<Wrench>();
    for _ in 0..3 * wrenches.len() + 10 {
        let rest = left(&loads);
        let gain = |k: usize| wrenches[k].dot(&rest);
        let open = (0..wrenches.len()).filter(|k| !used.contains(k));
        let Some(next) = open.max_by(|a, b| gain(*a).total_cmp(&gain(*b))) else { break };
        if gain(next) <= 1e-9 * wanted.norm() {
            break;
        }
        used.push(next);
        loop {
            let matrix = DMatrix::from_fn(6, used.len(), |row, column| wrenches[used[column]][row]);
            let best = matrix.svd(true, true).solve(wanted, 1e-12).unwrap();
            let stop = (0..used.len()).filter(|k| best[*k] <= 0.0);
            let step = stop.map(|k| loads[used[k]] / (loads[used[k]] - best[k])).fold(1.0, f64::min);
            for (k, own) in used.iter().enumerate() {
                loads[*own] += step * (best[k] - loads[*own]);
            }
            if step == 1.0 {
                break;
            }
            used.retain(|k| loads[*k] > 1e-12);
            (0..loads.len()).filter(|k| !used.contains(k)).for_each(|k| loads[k] = 0.0);
            if used.is_empty() {
                break;
            }
        }
    }
    left(&loads)
}

/// What is left if each contact gives its load to the nearest kept one: of its group, else of all, by place and normal.
fn left_by_shares(contacts: &[Contact], kept: &[Contact], scale: &Scale, wanted: &Wrench) -> Wrench {
    let group_of = groups(contacts);
    let group = |c: &Contact| group_of[contacts.iter().position(|d| d == c).unwrap()];
    let homes: Vec<usize> = kept.iter().map(group).collect();
    let carrier = |k: usize| {
        let at_home = homes.contains(&group_of[k]);
        let apart = |c: &Contact| {
            let turned = if at_home { 0.0 } else { (normal(c) - normal(&contacts[k])).norm_squared() };
            (point(c) - point(&contacts[k])).norm_squared() / (scale.radius * scale.radius) + turned
        };
        let open = kept.iter().zip(&homes).filter(|(_, home)| !at_home || **home == group_of[k]).map(|(c, _)| c);
        open.min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap()
    };
    wanted - (0..contacts.len()).map(|k| scale.wrench(carrier(k))).sum::<Wrench>()
}

/// Errors of force and moment, in per cent, by best loads and by shares.
fn errors(contacts: &[Contact], kept: &[Contact]) -> [f64; 4] {
    let scale = Scale::new(contacts);
    let all: Wrench = contacts.iter().map(|c| scale.wrench(c)).sum();
    let wrenches: Vec<Wrench> = kept.iter().map(|c| scale.wrench(c)).collect();
    let best = left_by_best_loads(&wrenches, &all);
    // No load at any contact would leave less.
    assert!(wrenches.iter().all(|w| w.dot(&best) <= 1e-6 * all.norm()));
    let shares = left_by_shares(contacts, kept, &scale, &all);
    let force = all.fixed_rows::<3>(0).norm() / 100.0;
    let parts = |w: &Wrench| [w.fixed_rows::<3>(0).norm() / force, w.fixed_rows::<3>(3).norm() / force];
    let ([a, b], [c, d]) = (parts(&best), parts(&shares));
    [a, b, c, d]
}

fn reduced(contacts: &[Contact], (per_normal, total): (u32, u32)) -> Vec<Contact> {
    let mut kept = contacts.to_vec();
    reduce_contacts(&mut kept, per_normal, total);
    kept
}

/// Prints how errors are distributed; their means.
fn told(what: &str, mut rows: Vec<[f64; 4]>) -> [f64; 4] {
    let count = rows.len();
    println!("  {what}, {count} patches: per cent, mean / median / 95 % / most");
    let names = ["force, best loads", "moment, best loads", "force, shares", "moment, shares"];
    [0, 1, 2, 3].map(|k| {
        rows.sort_by(|a, b| a[k].total_cmp(&b[k]));
        let mean = rows.iter().map(|row| row[k]).sum::<f64>() / count as f64;
        let at = |share: usize| rows[(count - 1) * share / 100][k];
        println!("    {:18} {mean:5.2} /{:5.2} /{:6.2} /{:6.2}", names[k], at(50), at(95), at(100));
        mean
    })
}

/// Under unit pressure, that is the same load at each of all contacts, what is kept gives the same force and moment but for 5 %
/// on average: with the loads that a solver would find, and even if each contact just hands its load to the nearest kept one.
#[test]
fn net_force_and_moment_are_kept() {
    assert!(patches().len() >= 1000, "{}", patches().len());
    for limits in LIMITS {
        let kept: Vec<Vec<Contact>> = patches().iter().map(|patch| reduced(&patch.contacts, limits)).collect();
        let sum = |lengths: &mut dyn Iterator<Item = usize>| lengths.sum::<usize>() as f64 / kept.len() as f64;
        println!(
            "{limits:?}: {:.1} contacts of {:.1} a patch",
            sum(&mut kept.iter().map(Vec::len)),
            sum(&mut patches().iter().map(|patch| patch.contacts.len()))
        );
        let rows: Vec<[f64; 4]> = patches().iter().zip(&kept).map(|(p, kept)| errors(&p.contacts, kept)).collect();
        let kinds: BTreeSet<&str> = patches().iter().map(|patch| patch.kind).collect();
        for kind in kinds {
            let own = patches().iter().zip(&rows).filter(|(patch, _)| patch.kind == kind).map(|(_, row)| *row);
            let means = told(kind, own.collect());
            // Flat patches at rest, of few well-spread samples, are just at it.
            assert!(means.iter().all(|mean| *mean <= 5.1), "{kind}: {means:?}");
        }
        let means = told("all", rows);
        assert!(means.iter().all(|mean| *mean <= 5.0), "{means:?}");
    }
}

fn features(contacts: &[Contact]) -> BTreeSet<u32> {
    contacts.iter().map(|c| c.feature).collect()
}

#[test]
fn limits_hold_and_the_deepest_stays() {
    for Patch { kind, contacts } in patches() {
        for limits in LIMITS.into_iter().chain([(1, 8), (2, 3), (4, 1), (u32::MAX, 5), (3, u32::MAX)]) {
            let kept = reduced(contacts, limits);
            assert!(kept.len() <= limits.1 as usize && !kept.is_empty(), "{kind}: {limits:?}");
            assert!(kept.iter().all(|c| contacts.contains(c)), "{kind}: a contact that was not there");
            assert_eq!(features(&kept).len(), kept.len(), "{kind}: a contact twice");
            let deepest = contacts.iter().map(|c| c.depth).fold(f32::MIN, f32::max);
            assert_eq!(kept[0].depth, deepest, "{kind}: the deepest comes first");
            let group_of = groups(&kept);
            for group in &group_of {
                let count = group_of.iter().filter(|g| *g == group).count();
                assert!(count <= limits.0 as usize, "{kind}: {count} with one normal, {limits:?}");
            }
            let spare = (limits.1 as usize).min(limits.0 as usize).min(contacts.len());
            assert!(kept.len() >= spare, "{kind}: only {} of {spare} are kept", kept.len());
            assert_eq!(reduced(&kept, limits), kept, "{kind}: reducing again leaves others");
        }
        assert_eq!(features(&reduced(contacts, (u32::MAX, u32::MAX))), features(contacts));
        assert!(reduced(contacts, (4, 0)).is_empty() && reduced(contacts, (0, 4)).is_empty());
    }
}

/// Normals of half a sphere: more groups than contacts to keep, so groups are wider, and contacts of two of them may be alike.
#[test]
fn limits_hold_where_groups_are_wider() {
    let mut wider = 0;
    for seed in 0..3000 {
        let count = 20 + (unit(seed, 0) * 60.0) as u64;
        let spread = [0.2, 0.5, 1.0][seed as usize % 3];
        let contact = |k: u64| {
            let at = |axis: u64| (2.0 * unit(seed, 10 * k + axis) - 1.0) as f32;
            let normal = Vector::new(at(1) as f64 * spread, at(2) as f64 * spread, 1.0).normalize().cast::<f32>();
            Contact { point: [at(3), at(4), at(5)], depth: at(6) * 0.01, normal: normal.into(), feature: k as u32 }
        };
        let contacts: Vec<Contact> = (1..=count).map(contact).collect();
        for limits in [(2, 12), (3, 12), (4, 16), (2, 20)] {
            let kept = reduced(&contacts, limits);
            assert!(kept.len() <= limits.1 as usize);
            let group_of = groups(&kept);
            let most = group_of.iter().map(|g| group_of.iter().filter(|h| *h == g).count()).max().unwrap();
            assert!(most <= limits.0 as usize, "{most} with one normal, {limits:?}, seed {seed}");
            assert_eq!(reduced(&kept, limits), kept, "reducing again leaves others, {limits:?}, seed {seed}");
            wider += (groups(&contacts).iter().max().unwrap() >= &(limits.1 as usize)) as usize;
        }
    }
    assert!(wider > 1000, "{wider}");
}

#[test]
fn nothing_depends_on_who_is_first() {
    for (Patch { kind, contacts }, seed) in patches().iter().zip(0..) {
        let kept = reduced(contacts, LIMITS[0]);
        let mut shuffled: Vec<(f64, Contact)> = contacts.iter().zip(0..).map(|(c, k)| (unit(seed, k), *c)).collect();
        shuffled.sort_by(|a, b| a.0.total_cmp(&b.0));
        let shuffled: Vec<Contact> = shuffled.into_iter().map(|(_, c)| c).collect();
        assert_eq!(reduced(&shuffled, LIMITS[0]), kept, "{kind}: the order of the contacts matters");
        let turned = |c: &Contact| Contact { normal: c.normal.map(|n| -n), feature: c.feature ^ 1 << 31, ..*c };
        let swapped: Vec<Contact> = contacts.iter().map(turned).collect();
        let back: Vec<Contact> = reduced(&swapped, LIMITS[0]).iter().map(turned).collect();
        assert_eq!(back, kept, "{kind}: which body is A matters");
    }
}

/// Another place in the world, and poses that have changed by 0.01 % of the radius: the same contacts are kept, but for ties.
#[test]
fn what_is_kept_is_steady() {
    let kept = |contacts: &[Contact]| features(&reduced(contacts, LIMITS[0]));
    let (mut same, mut all) = (0, 0);
    let mut compare = |here: BTreeSet<u32>, there: BTreeSet<u32>| {
        same += here.intersection(&there).count();
        all += here.len();
        same as f64 / all as f64
    };
    let mut share = 0.0;
    for (Patch { contacts, .. }, seed) in patches().iter().zip(0..) {
        let motion = Pose::from_parts(Translation3::from(scenes::direction(seed) * 3.0), random_rotation(seed));
        let moved = |c: &Contact| {
            let (at, way) = (motion * nalgebra::Point3::from(point(c)), motion.rotation * normal(c));
            Contact { point: at.coords.cast::<f32>().into(), normal: way.cast::<f32>().into(), ..*c }
        };
        let there: Vec<Contact> = contacts.iter().map(moved).collect();
        share = compare(kept(contacts), kept(&there));
    }
    println!("elsewhere: {:.2} % of what is kept is the same", 100.0 * share);
    assert!(share >= 0.99);

    (same, all) = (0, 0);
    let mut compare = |here: BTreeSet<u32>, there: BTreeSet<u32>| {
        same += here.intersection(&there).count();
        all += here.len();
    };
    for (pieces, seed) in families().into_iter().zip(0..) {
        let bodies = settled(pieces);
        for touching in bodies[0].0.adjacency() {
            let [(a, pa), (b, pb)] = touching.pieces.map(|k| &bodies[k as usize]);
            let small = 1e-4 * a.bounds().radius().min(b.bounds().radius());
            let turn = UnitQuaternion::from_scaled_axis(scenes::direction(seed) * 1e-4);
            let later = Pose::from_parts(Translation3::from(scenes::direction(seed + 9) * small), turn) * pa;
            compare(kept(&query(a, pa, b, pb, &full()).0), kept(&query(a, &later, b, pb, &full()).0));
        }
    }
    println!("a little later: {:.1} % of {all} kept contacts are the same", 100.0 * same as f64 / all as f64);
    assert!(same * 100 >= all * 80);
}

/// A query leaves out what reduction leaves out, tells how many, and is the same for both orders of the bodies.
#[test]
fn queries_reduce() {
    let object = scenes::intact(shapes::ball(0.1, 14));
    let pieces = broken(&object, &Pattern::random_voronoi(18, 1).rough(scenes::ROUGH));
    let limits = LIMITS[0];
    // Without a margin there are no gaps: what is a wide one, only a query knows.
    let every = QueryOptions { margin: Some(0.0), origin: Some([0.0; 3]), ..full() };
    let options = QueryOptions { max_per_normal: limits.0, max_contacts: limits.1, ..every };
    let mut left_out = 0;
    for touching in pieces[0].adjacency() {
        let [a, b] = touching.pieces.map(|k| &pieces[k as usize]);
        let here = Pose::identity();
        let nearer = (b.mass().centre - a.mass().centre).normalize() * 1e-3;
        let pressed = Pose::from_parts(nearer.into(), here.rotation);
        let (all, _) = query(a, &pressed, b, &here, &every);
        let (few, stats) = query(a, &pressed, b, &here, &options);
        assert_eq!(features(&few), features(&reduced(&all, limits)));
        assert_eq!((stats.found as usize, stats.left_out as usize), (all.len(), all.len() - few.len()));
        let (other, _) = query(b, &here, a, &pressed, &options);
        assert_eq!(few.len(), other.len());
        for (c, d) in few.iter().zip(&other) {
            assert_eq!((c.point, c.depth, c.normal), (d.point, d.depth, d.normal.map(|n| -n)));
            assert_eq!(c.feature, d.feature ^ 1 << 31);
        }
        left_out += stats.left_out;
    }
    assert!(left_out > 100);
}

/// A ball in a bowl that fits it: normals go round a quarter of the sphere, more groups than contacts to keep.
#[test]
fn curved_patches_are_shared_out() {
    let bowl = scenes::intact(shapes::hollow_ball(1.0, 20, 3));
    let ball = scenes::intact(shapes::ball(0.69, 24));
    let at = Pose::translation(0.0, 0.0, -0.02);
    let (contacts, _) = query(&ball, &at, &bowl, &Pose::identity(), &QueryOptions { margin: Some(0.01), ..full() });
    let count = groups(&contacts).into_iter().max().unwrap() + 1;
    for total in [8, 16, 32] {
        let kept = reduced(&contacts, (4, total));
        let [a, b, c, d] = errors(&contacts, &kept);
        println!(
            "{} contacts, {count} groups, {} kept: {a:.2}, {b:.2} %; by shares {c:.2}, {d:.2} %",
            contacts.len(),
            kept.len()
        );
        assert!(count > 16 && kept.len() as u32 == total && a.max(b) <= 5.0, "{count} groups: {a}, {b}");
    }
}
