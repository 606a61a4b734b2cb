//! Section 4.1, figure 7: errors of contacts at each level; and section 5: the same with nodes that overlap.

use super::collisions::{Collision, Found};
use super::errors::{Errors, Mean, cells};
use super::spheres::{SphereTree, SphereWalk};
use crate::curves::Curves;
use crate::goals::{Goal, Topic};
use crate::studies::Study;
use fracas::voxtree::{ContactModel, Normals, Order, Refinement, VoxContact, VoxTree, Weighting};

/// Weights and normals, one contact of all pairs.
pub const MODELS: [(&str, ContactModel); 4] = [
    ("averages, centres", model(Weighting::Average, Normals::Centres)),
    ("averages, density", model(Weighting::Average, Normals::Density)),
    ("by P, centres", model(Weighting::Probability, Normals::Centres)),
    ("by P, density", model(Weighting::Probability, Normals::Density)),
];

const fn model(weighting: Weighting, normals: Normals) -> ContactModel {
    ContactModel { normals, weighting, grouped: false }
}

pub fn found(contact: &VoxContact) -> Found {
    Found { point: contact.point, normal: contact.normal, depth: contact.depth }
}

/// What is found at a level by all models, for each collision, and the number of pairs.
pub fn at_level(trees: &[VoxTree; 2], c: &Collision, level: u32) -> ([Found; 4], u32) {
    let mut refinement = Refinement::new(c.kinds.map(|kind| &trees[kind]), c.poses);
    refinement.run(u64::MAX, level, Order::ByLevel, || false);
    let mut pairs = 0;
    let contacts = MODELS.each_ref().map(|(_, model)| {
        let mut contacts = vec![];
        refinement.contacts(model, &mut contacts);
        pairs = contacts[0].pairs;
        found(&contacts[0])
    });
    (contacts, pairs)
}

/// Edges of cubes at a level.
pub fn edge(trees: &[VoxTree; 2], level: u32) -> String {
    format!("1/{:.0}", 1.0 / trees[0].edge(level)).replace("1/1 ", "1")
}

pub fn study(trees: &[VoxTree; 2], collisions: &[Collision]) -> Study {
    let levels = 1..trees[0].level_count();
    let mut rows = vec![];
    let mut lines = [0; 3].map(|_| MODELS.map(|(name, _)| (name.to_string(), vec![])));
    let mut products = vec![];
    for level in levels {
        let mut errors = <[Errors; 4]>::default();
        for c in collisions {
            let (found, _) = at_level(trees, c, level);
            errors.iter_mut().zip(&found).for_each(|(errors, found)| errors.add(found, &c.exact));
        }
        for (k, errors) in errors.iter().enumerate() {
            let [normal, point, depth] = errors.means();
            let product = errors.product();
            rows.push((
                format!("cubes of {}, {}", edge(trees, level), MODELS[k].0),
                cells(&[normal, point, product, depth]),
            ));
            for (lines, mean) in lines.iter_mut().zip([normal, point, product]) {
                lines[k].1.push([level as f64, mean.0, mean.1]);
            }
        }
        products.push(errors.map(|errors| errors.product().0));
    }
    let worst = |k: usize, from: usize| {
        products.windows(2).skip(from).map(|w| w[1][k] / w[0][k]).fold(f64::MIN, f64::max)
    };
    let against = |k: usize, other: usize, from: usize| {
        products.iter().skip(from).map(|p| p[k] / p[other]).fold(f64::MIN, f64::max)
    };
    let goal = |what: &str, reached: f64| Goal::at_most(Topic::VoxPaper, what, reached, 1.0, "times");
    let titles = ["normal, degrees", "point", "product (figure 7B)"];
    Study {
        title: format!("contacts under a budget, 4.1: {} collisions at each level", collisions.len()),
        columns: vec!["normal, °", "±", "point", "±", "product", "±", "depth", "±"],
        rows,
        goals: vec![
            goal("figure 7B: product by P, density, from level to level, worst", worst(3, 0)),
            goal("figure 7B: by P against averages, density normals, worst level", against(3, 1, 0)),
            goal("figure 7B: the same from the second level on", against(3, 1, 1)),
            goal("figure 7B: by P against averages, normals along centres, worst level", against(2, 0, 0)),
        ],
        notes: vec![
            "a third each: ball on ball, ball on block, block on block; radius 1; depths of 0.02 to 0.1; ±: 95 % confidence".into(),
        ],
        curves: titles
            .into_iter()
            .zip(lines)
            .map(|(title, lines)| Curves {
                title: format!("4.1: error of {title}"),
                along: "level",
                lines: lines.into(),
            })
            .collect(),
        ..Study::default()
    }
}

/// Nodes that overlap: spheres around the same cubes.
pub fn overlapping(trees: &[VoxTree; 2], collisions: &[Collision]) -> Study {
    let spheres = trees.each_ref().map(SphereTree::around);
    let mut rows = vec![];
    for level in 1..trees[0].level_count() {
        for (k, (name, model)) in MODELS.iter().enumerate() {
            let mut errors = [Errors::default(), Errors::default()];
            let mut pairs = [0, 0];
            for c in collisions {
                let (found, count) = at_level(trees, c, level);
                errors[0].add(&found[k], &c.exact);
                pairs[0] += count as usize;
                let pair = c.kinds.map(|kind| &spheres[kind]);
                let walk = SphereWalk::new(pair, &c.poses, u64::MAX, level, Order::ByLevel);
                errors[1].add(&walk.contact(model).expect("they collide"), &c.exact);
                pairs[1] += walk.pairs();
            }
            let [cubes, spheres] = errors.each_ref().map(Errors::means);
            let ratio = |k: usize| spheres[k].0 / cubes[k].0;
            let (cube, sphere): (Mean, Mean) = (errors[0].product(), errors[1].product());
            let row = vec![
                pairs[0] as f64 / collisions.len() as f64,
                pairs[1] as f64 / collisions.len() as f64,
                spheres[0].0,
                spheres[0].1,
                ratio(0),
                spheres[1].0,
                spheres[1].1,
                ratio(1),
                spheres[2].0,
                ratio(2),
                sphere.0 / cube.0,
            ];
            rows.push((format!("around cubes of {}, {name}", edge(trees, level)), row));
        }
    }
    Study {
        title: format!("contacts under a budget, section 5: spheres that overlap, {} collisions", collisions.len()),
        columns: vec![
            "pairs of cubes",
            "of spheres",
            "normal, °",
            "±",
            "/ cubes",
            "point",
            "±",
            "/ cubes",
            "depth",
            "/ cubes",
            "product / cubes",
        ],
        rows,
        notes: vec![
            "spheres around the same cubes, overlapping their neighbours; / cubes: errors against those of cubes".into(),
        ],
        ..Study::default()
    }
}
