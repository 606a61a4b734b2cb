//! Section 4.1, figure 7: errors of contacts at each level; and section 5: the same with nodes that overlap.

use super::collisions::{Collision, Found};
use super::errors::{Errors, cells};
use super::spheres::{SphereTree, SphereWalk};
use crate::curves::Curves;
use crate::goals::{Goal, Topic};
use crate::studies::Study;
use fracas::Object;
use fracas::voxtree::{ContactModel, Ends, Normals, Order, Refinement, VoxContact, VoxTree, Weighting};

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

/// Both bodies as trees of cubes, the same with an exact finest level, and the spheres around the cubes.
pub struct Trees {
    pub cubes: [VoxTree; 2],
    pub exact: [VoxTree; 2],
    pub spheres: [SphereTree; 2],
}

impl Trees {
    pub fn new(cubes: [VoxTree; 2], objects: &[Object; 2]) -> Self {
        let exact = [0, 1].map(|k| cubes[k].clone().with_exact(&objects[k]));
        Self { spheres: cubes.each_ref().map(SphereTree::around), cubes, exact }
    }

    pub fn levels(&self) -> std::ops::Range<u32> {
        1..self.cubes[0].level_count()
    }

    /// What all models find at a level.
    pub fn contacts(&self, c: &Collision, level: u32) -> [Found; 4] {
        let mut refinement = Refinement::new(c.kinds.map(|kind| &self.cubes[kind]), c.poses);
        refinement.run(&Ends::at_level(level), Order::ByLevel, || false);
        MODELS.map(|(_, model)| {
            let mut contacts = vec![];
            refinement.contacts(&model, &mut contacts);
            found(&contacts[0])
        })
    }

    /// The edge of cubes at a level.
    pub fn edge(&self, level: u32) -> String {
        match 1.0 / self.cubes[0].edge(level) {
            parts if parts < 1.5 => "1".into(),
            parts => format!("1/{parts:.0}"),
        }
    }
}

pub fn study(trees: &Trees, collisions: &[Collision]) -> Study {
    let mut rows = vec![];
    let mut lines = [0; 4].map(|_| MODELS.map(|(name, _)| (name.to_string(), vec![])));
    let mut products = vec![];
    for level in trees.levels() {
        let mut errors = <[Errors; 4]>::default();
        for c in collisions {
            let found = trees.contacts(c, level);
            errors.iter_mut().zip(&found).for_each(|(errors, found)| errors.add(found, &c.exact));
        }
        for (k, errors) in errors.iter().enumerate() {
            let [normal, point, depth] = errors.means();
            let means = [normal, point, errors.product(), depth];
            rows.push((format!("cubes of {}, {}", trees.edge(level), MODELS[k].0), cells(&means)));
            for (lines, mean) in lines.iter_mut().zip(means) {
                lines[k].1.push([level as f64, mean.0, mean.1]);
            }
        }
        products.push(errors.map(|errors| errors.product().0));
    }
    let fall = |k: usize| products.windows(2).map(|w| w[1][k] / w[0][k]).fold(f64::MIN, f64::max);
    let against = |k: usize, other: usize| products.iter().map(|p| p[k] / p[other]).fold(f64::MIN, f64::max);
    let goal = |what: &str, reached: f64| Goal::at_most(Topic::VoxPaper, what, reached, 1.0, "times");
    let titles = ["normal, degrees", "point", "product (figure 7B)", "depth"];
    let curve = |(title, lines): (&str, [(String, Vec<_>); 4])| Curves {
        title: format!("4.1: error of {title}"),
        along: "level",
        lines: lines.into(),
    };
    Study {
        title: format!("contacts under a budget, 4.1: {} collisions at each level", collisions.len()),
        columns: vec!["normal, °", "±", "point", "±", "product", "±", "depth", "±"],
        rows,
        goals: vec![
            goal("figure 7B: from level to level, by P, density, worst", fall(3)),
            goal("figure 7B: by P against averages, density, worst level", against(3, 1)),
            goal("figure 7B: by P against averages, centres, worst level", against(2, 0)),
        ],
        notes: vec![
            "a third each: ball on ball, ball on block, block on block; radius 1; depths of 0.02 to 0.1; ±: 95 % confidence".into(),
        ],
        curves: titles.into_iter().zip(lines).map(curve).collect(),
        ..Study::default()
    }
}

/// Nodes that overlap: spheres around the same cubes.
pub fn overlapping(trees: &Trees, collisions: &[Collision]) -> Study {
    let mut rows = vec![];
    let mut against = vec![];
    for level in trees.levels() {
        let (mut cubes, mut spheres) = (<[Errors; 4]>::default(), <[Errors; 4]>::default());
        let mut pairs = 0;
        for c in collisions {
            let pair = c.kinds.map(|kind| &trees.spheres[kind]);
            let walk = SphereWalk::new(pair, &c.poses, u64::MAX, level, Order::ByLevel);
            pairs += walk.pairs();
            cubes.iter_mut().zip(trees.contacts(c, level)).for_each(|(errors, found)| errors.add(&found, &c.exact));
            for (errors, (_, model)) in spheres.iter_mut().zip(&MODELS) {
                errors.add(&walk.contact(model).expect("they collide"), &c.exact);
            }
        }
        let ratios = [0, 1, 2, 3].map(|k| spheres[k].product().0 / cubes[k].product().0);
        for (k, errors) in spheres.iter().enumerate() {
            let [normal, point, depth] = errors.means();
            let mut row = cells(&[normal, point, errors.product(), depth]);
            row.extend([ratios[k], pairs as f64 / collisions.len() as f64]);
            rows.push((format!("around cubes of {}, {}", trees.edge(level), MODELS[k].0), row));
        }
        against.push(ratios);
    }
    let range = |k: usize| {
        let (low, high) = against.iter().fold((f64::MAX, f64::MIN), |(l, h), w| (l.min(w[k]), h.max(w[k])));
        format!("{} {low:.2} to {high:.2}", MODELS[k].0)
    };
    Study {
        title: format!("contacts under a budget, section 5: spheres that overlap, {} collisions", collisions.len()),
        columns: vec!["normal, °", "±", "point", "±", "product", "±", "depth", "±", "product / cubes", "pairs"],
        rows,
        notes: vec![
            "spheres around the same cubes overlap their neighbours. / cubes: against cubes by the same model".into(),
            format!("product against that of cubes, over all levels: {}", [0, 1, 2, 3].map(range).join("; ")),
        ],
        ..Study::default()
    }
}
