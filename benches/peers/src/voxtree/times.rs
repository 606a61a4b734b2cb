//! All ways at equal microseconds per pair.

use super::collisions::{Collision, Found};
use super::errors::{Errors, Mean, cells};
use super::levels::Trees;
use super::peers::{Engine, Hulls, Voxels};
use super::ways::{Budgeted, Core, Refined, Way};
use crate::curves::Curves;
use crate::studies::Study;
use crate::timing::timed;
use fracas::voxtree::{Normals, Order};
use fracas::{Object, Solid, Vector};

/// Microseconds per pair that budgets are chosen for.
const TARGETS: [f64; 8] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
/// Collisions that are timed, and how often each is asked for in a row: warm.
const TIMED: usize = 120;

const DEEPEST: &str = ", deepest";

/// How several contacts of a pair become one.
#[derive(Clone, Copy)]
enum Reduced {
    Deepest,
    /// Point and normal weighted by depth.
    Mean,
}

impl Reduced {
    fn of(self, contacts: &[Found]) -> Option<Found> {
        let deepest = *contacts.iter().max_by(|a, b| a.depth.total_cmp(&b.depth))?;
        let total: f64 = contacts.iter().map(|c| c.depth.max(0.0)).sum();
        if matches!(self, Self::Deepest) || total <= 0.0 {
            return Some(deepest);
        }
        let mean =
            |of: fn(&Found) -> Vector| contacts.iter().map(|c| of(c) * (c.depth.max(0.0) / total)).sum::<Vector>();
        let normal = mean(|c| c.normal).try_normalize(1e-9).unwrap_or(deepest.normal);
        Some(Found { point: mean(|c| c.point.coords).into(), normal, depth: deepest.depth })
    }
}

/// Microseconds per pair of colliding bodies: the mean over collisions of the least of some rounds.
fn microseconds(way: &mut dyn Way, collisions: &[Collision], rounds: usize) -> f64 {
    let mut sum = 0.0;
    for c in collisions {
        way.place(c.kinds, &c.poses);
        let (once, ()) = timed(|| way.find(1));
        // Some 50 us in a row, much longer than the clock takes.
        let times = (0.05 / once.max(1e-6)).clamp(1.0, 100.0) as usize;
        let least = (0..rounds).map(|_| timed(|| way.find(times)).0 / times as f64).fold(f64::MAX, f64::min);
        sum += least * 1e3;
    }
    sum / collisions.len() as f64
}

/// Budgets that take about as long as the targets, each once.
fn budgets<'a>(collisions: &[Collision], make: impl Fn(u64) -> Box<dyn Way + 'a>) -> Vec<u64> {
    // Times of some budgets, half as large again each; a pair is divided as a whole, so that few are like none.
    let some = &collisions[..collisions.len().min(60)];
    let mut measured: Vec<(f64, f64)> = vec![];
    while measured.last().is_none_or(|(budget, time)| *time < TARGETS[TARGETS.len() - 1] && *budget < 1e4) {
        let budget = measured.last().map_or(1, |(budget, _)| (budget * 1.5).ceil() as u64);
        measured.push((budget as f64, microseconds(&mut *make(budget), some, 3)));
    }
    let nearest = |target: f64| {
        let off = |(_, time): &(f64, f64)| (time / target).ln().abs();
        measured.iter().min_by(|a, b| off(a).total_cmp(&off(b))).map_or(1, |(budget, _)| *budget as u64)
    };
    let mut chosen = TARGETS.map(nearest).to_vec();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// A line of the table, and the group of lines that one curve goes through.
pub struct Line {
    group: String,
    name: String,
    pub microseconds: f64,
    errors: Errors,
    /// Per cent: not known to be apart, taken for overlapping, and collisions that were not found.
    pub unknown: f64,
    pub phantoms: f64,
    pub missed: f64,
    pub contacts: f64,
    /// Errors of normals by kinds of bodies.
    by_kinds: [f64; 3],
}

/// One line for each way to make one contact of several; one if there are never several.
pub fn measure(group: &str, way: &mut dyn Way, collisions: &[Collision], rounds: usize) -> Vec<Line> {
    let time = microseconds(way, &collisions[..TIMED.min(collisions.len())], rounds);
    let mut errors = [Errors::default(), Errors::default()];
    let mut kinds = vec![];
    let (mut unknown, mut phantoms, mut missed, mut count) = (0, 0, 0, 0);
    let mut is_several = false;
    for c in collisions {
        way.place(c.kinds, &c.poses);
        way.find(1);
        let contacts = way.contacts();
        is_several |= contacts.len() > 1;
        count += contacts.len();
        if !contacts.is_empty() {
            kinds.push(c.kinds[0] + c.kinds[1]);
        }
        missed += contacts.iter().all(|contact| contact.depth <= 0.0) as usize;
        for (errors, reduced) in errors.iter_mut().zip([Reduced::Deepest, Reduced::Mean]) {
            if let Some(found) = reduced.of(&contacts) {
                errors.add(&found, &c.exact);
            }
        }
        way.place(c.kinds, &c.apart());
        way.find(1);
        unknown += !way.is_apart() as usize;
        phantoms += way.contacts().iter().any(|contact| contact.depth > 0.0) as usize;
    }
    let percent = |count: usize| 100.0 * count as f64 / collisions.len() as f64;
    let by_kinds = |errors: &Errors| {
        [0, 1, 2].map(|kind| {
            let own = kinds.iter().zip(&errors.normals).filter(|(of, _)| **of == kind);
            Mean::of(&own.map(|(_, error)| *error).collect::<Vec<_>>()).0
        })
    };
    let line = |(errors, suffix): (Errors, &str)| Line {
        by_kinds: by_kinds(&errors),
        // The curve of the deepest goes on where a smaller budget gives one contact.
        group: format!("{group}{}", suffix.trim_start_matches(DEEPEST)),
        name: format!("{}{suffix}", way.name()),
        microseconds: time,
        errors,
        unknown: percent(unknown),
        phantoms: percent(phantoms),
        missed: percent(missed),
        contacts: count as f64 / collisions.len() as f64,
    };
    let suffixes = if is_several { [DEEPEST, ", mean by depth"] } else { ["", ""] };
    errors.into_iter().zip(suffixes).take(1 + is_several as usize).map(line).collect()
}

pub fn study(
    solids: &[Solid; 2],
    trees: &Trees,
    objects: &[[Object; 2]; 2],
    collisions: &[Collision],
    quick: bool,
    progress: &dyn Fn(&str),
) -> Study {
    let rounds = if quick { 2 } else { 5 };
    let mut lines: Vec<Line> = vec![];
    let ways = [
        (Refined::Cubes(Normals::Density), Order::ByLevel),
        (Refined::Cubes(Normals::Density), Order::ByProbability),
        (Refined::Exact, Order::ByProbability),
        (Refined::Cubes(Normals::Centres), Order::ByLevel),
        (Refined::Spheres(Normals::Centres), Order::ByLevel),
        (Refined::Spheres(Normals::Density), Order::ByProbability),
    ];
    for (refined, order) in ways {
        let group = refined.name().to_string() + [" by level", " by probability"][order as usize];
        progress(&format!("contacts under a budget: equal time, {group}"));
        let make = |budget: u64| Box::new(Budgeted::new(trees, refined, order, budget)) as Box<dyn Way>;
        for budget in budgets(collisions, make) {
            let mut way = Budgeted::new(trees, refined, order, budget);
            lines.extend(measure(&group, &mut way, collisions, rounds));
        }
    }
    progress("contacts under a budget: equal time, others");
    let within = |budget: u64| Box::new(Core::new(objects, budget as u32)) as Box<dyn Way>;
    for budget in budgets(collisions, within).into_iter().chain([0]) {
        lines.extend(measure("Fracas", &mut *within(budget), collisions, rounds));
    }
    let mut others: Vec<(&str, Box<dyn Way + '_>)> = vec![("parry hulls", Box::new(Hulls::new(solids)))];
    for cells in [8, 12, 16, 24, 32] {
        others.push(("parry voxels", Box::new(Voxels::new(solids, cells))));
    }
    let engines = Engine::all(solids);
    let missing = engines.is_empty();
    others.extend(engines.into_iter().map(|engine| ("", Box::new(engine) as _)));
    for (group, mut way) in others {
        let group = if group.is_empty() { way.name() } else { group.into() };
        lines.extend(measure(&group, &mut *way, collisions, rounds));
    }
    table(&lines, collisions.len(), missing)
}

fn table(lines: &[Line], count: usize, no_engines: bool) -> Study {
    let row = |line: &Line| {
        let mut row = vec![line.microseconds];
        row.extend(cells(&line.errors.means()));
        row.extend([line.missed, line.unknown, line.phantoms, line.contacts]);
        row.extend(line.by_kinds);
        (line.name.clone(), row)
    };
    let titles = ["normal, degrees", "point", "depth", "not known to be apart, %"];
    let curve = |(k, title): (usize, &str)| {
        let mut curves: Vec<(String, Vec<_>)> = vec![];
        for line in lines {
            let at = match line.errors.means().get(k) {
                Some(mean) => [line.microseconds, mean.0, mean.1],
                None => [line.microseconds, line.unknown, 0.0],
            };
            match curves.iter_mut().find(|(group, _)| *group == line.group) {
                Some((_, points)) => points.push(at),
                None => curves.push((line.group.clone(), vec![at])),
            }
        }
        curves.iter_mut().for_each(|(_, points)| points.sort_by(|a, b| a[0].total_cmp(&b[0])));
        Curves { title: format!("equal time: {title}"), along: "us per pair", lines: curves }
    };
    let mut notes = vec![
        "warm: each colliding pair is asked for again and again, from the beginning each time; the mean over pairs of the least time. \
         Trees of 32 cells; cubes by P and density normals unless it says otherwise; time includes contacts"
            .into(),
        "several contacts become one: the deepest, or the mean by depth. Missed: collisions without a contact of positive depth. Not known: \
         pairs up to half a radius apart that are not known to be; phantoms: of these, those with positive depth. Last columns: errors of normals by kinds of bodies"
            .into(),
        "all bodies are convex, so hulls are exact but for their corners: no other shape flatters them more".into(),
    ];
    if no_engines {
        notes.push("Bullet, Jolt, PhysX: not built (FRACAS_NO_ENGINES)".into());
    }
    Study {
        title: format!("contacts under a budget: errors at equal time, {count} collisions"),
        columns: vec![
            "us/pair",
            "normal, °",
            "±",
            "point",
            "±",
            "depth",
            "±",
            "missed, %",
            "not known, %",
            "phantoms, %",
            "contacts",
            "balls, °",
            "ball, block, °",
            "blocks, °",
        ],
        rows: lines.iter().map(row).collect(),
        notes,
        curves: titles.into_iter().enumerate().map(curve).collect(),
        ..Study::default()
    }
}
