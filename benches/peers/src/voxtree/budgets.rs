//! Errors and phantoms by the number of node tests, by level and by probability.

use super::collisions::Collision;
use super::errors::{Errors, cells};
use super::levels::{MODELS, found};
use crate::curves::Curves;
use crate::goals::{Goal, Topic};
use crate::studies::Study;
use fracas::voxtree::{Ends, Order, Refinement, VoxTree};

const BUDGETS: [u64; 9] = [1, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000];

pub const ORDERS: [(&str, Order); 2] = [("by level", Order::ByLevel), ("by probability", Order::ByProbability)];

pub fn study(trees: &[VoxTree; 2], collisions: &[Collision]) -> Study {
    let mut rows = vec![];
    let mut lines = [const { vec![] }; 4];
    let mut exceeded = 0;
    let (_, model) = &MODELS[3];
    for (name, order) in ORDERS {
        lines.iter_mut().for_each(|lines: &mut Vec<(String, Vec<_>)>| lines.push((name.into(), vec![])));
        for budget in BUDGETS {
            let (mut errors, mut phantoms, mut claimed, mut finished) = (Errors::default(), 0, 0, 0);
            for c in collisions {
                let run = |poses| {
                    let mut refinement = Refinement::new(c.kinds.map(|kind| &trees[kind]), poses);
                    let is_done = refinement.run(&Ends::after(budget), order, || false);
                    let mut contacts = vec![];
                    refinement.contacts(model, &mut contacts);
                    (is_done, contacts, refinement.tests() > budget)
                };
                let (is_done, contacts, is_exceeded) = run(c.poses);
                finished += is_done as usize;
                exceeded += is_exceeded as usize;
                errors.add(&found(&contacts[0]), &c.exact);
                let (_, contacts, is_exceeded) = run(c.apart());
                exceeded += is_exceeded as usize;
                phantoms += !contacts.is_empty() as usize;
                claimed += contacts.iter().any(|contact| contact.depth > 0.0) as usize;
            }
            let means = errors.means();
            let percent = |count: usize| 100.0 * count as f64 / collisions.len() as f64;
            let mut row = cells(&means);
            row.extend([phantoms, claimed, finished].map(percent));
            rows.push((format!("{budget} tests, {name}"), row));
            let points = means.map(|mean| [budget as f64, mean.0, mean.1]);
            let last = [[budget as f64, percent(phantoms), 0.0]];
            for (lines, point) in lines.iter_mut().zip(points.into_iter().chain(last)) {
                lines.last_mut().expect("a line was begun").1.push(point);
            }
        }
    }
    let titles = ["error of normal, degrees", "error of point", "error of depth", "phantoms, %"];
    Study {
        title: format!("contacts under a budget: errors by node tests, {} collisions", collisions.len()),
        columns: vec!["normal, °", "±", "point", "±", "depth", "±", "phantoms, %", "with depth, %", "finished, %"],
        rows,
        goals: vec![Goal::at_most(Topic::VoxPaper, "budgets that were exceeded", exceeded as f64, 0.0, "")],
        notes: vec![
            "by P, density normals, one contact. Phantoms: the same bodies apart by up to half a radius, not yet known to be; with depth: \
             those whose estimated depth is above 0. Finished: nothing is left to divide"
                .into(),
        ],
        curves: titles
            .into_iter()
            .zip(lines)
            .map(|(title, lines)| Curves { title: format!("budgets: {title}"), along: "node tests", lines })
            .collect(),
        ..Study::default()
    }
}
