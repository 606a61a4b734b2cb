//! Tables of depths: all ways in turn on the same bodies, and how ours grow with the body.

use super::bodies::{self, Body};
use super::fcpw;
use super::ours::{OnGrid, Ours};
use super::peers::{Built, Refitted};
use crate::goals::{Goal, Topic};
use crate::studies::{Study, exponent};
use crate::timing::timed;
use fracas::penalty::DepthMethod;

pub const EXACT: &str = "ours, exact";
pub const CFFM: &str = "ours, CFFM";

/// Which nodes are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    All,
    /// Of the tetrahedra that touch a floor.
    Colliding,
}

/// A way to find depths.
pub trait Way {
    fn name(&self) -> String;
    /// What a step needs before nodes are asked for: positions at rest, or deformed.
    fn update(&mut self, is_rest: bool);
    /// What is timed.
    fn find(&mut self, wanted: Wanted) -> Vec<f64>;
    /// Of what was found, the depths of inner nodes. Peers are asked for nothing else.
    fn inner(&self, _: Wanted, found: Vec<f64>) -> Vec<f64> {
        found
    }
}

/// What a way took, and found for inner nodes: all, and colliding ones.
pub struct Line {
    pub name: String,
    pub update: f64,
    pub times: [f64; 2],
    pub found: [Vec<f64>; 2],
}

impl Line {
    /// A step: update and all nodes, or update and colliding nodes.
    fn step(&self, wanted: Wanted) -> f64 {
        self.update + self.times[wanted as usize]
    }

    fn is_peer(&self) -> bool {
        ["parry", "fcpw"].iter().any(|peer| self.name.starts_with(peer))
    }
}

/// All ways, each round each of them: whatever slows the machine down slows all. (fcpw, another process, follows.)
fn run(ways: &mut [Box<dyn Way + '_>], rounds: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = vec![];
    for way in ways.iter() {
        let (update, times) = (f64::INFINITY, [f64::INFINITY; 2]);
        lines.push(Line { name: way.name(), update, times, found: [vec![], vec![]] });
    }
    for _ in 0..rounds {
        for (way, line) in ways.iter_mut().zip(&mut lines) {
            way.update(true);
            line.update = line.update.min(timed(|| way.update(false)).0);
            for wanted in [Wanted::All, Wanted::Colliding] {
                let (time, found) = timed(|| way.find(wanted));
                let k = wanted as usize;
                line.times[k] = line.times[k].min(time);
                line.found[k] = way.inner(wanted, found);
            }
        }
    }
    lines
}

/// Mean, median and largest error, in shares of the size.
fn errors(found: &[f64], exact: &[f64], size: f64) -> [f64; 3] {
    let mut errors: Vec<f64> = found.iter().zip(exact).map(|(d, e)| (d - e).abs() / size).collect();
    if errors.len() != exact.len() || errors.is_empty() {
        return [f64::NAN; 3];
    }
    errors.sort_by(f64::total_cmp);
    [errors.iter().sum::<f64>() / errors.len() as f64, errors[errors.len() / 2], errors[errors.len() - 1]]
}

/// A table for each body, and one of their growth.
pub fn studies(quick: bool, progress: &dyn Fn(&str)) -> Vec<Study> {
    let (mut list, mut growth) = (vec![], vec![]);
    for named in bodies::ALL {
        progress(&format!("soft bodies: {}", named.0));
        let body = Body::new(named);
        let rounds = if quick { 3 } else { 15 };
        let mut ways: Vec<Box<dyn Way>> = vec![];
        ways.extend(Ours::all(&body).into_iter().map(|way| Box::new(way) as _));
        ways.push(Box::new(Refitted::new(&body)));
        ways.push(Box::new(Built::new(&body)));
        let mut lines = run(&mut ways, rounds);
        let theirs = fcpw::lines(&body, rounds, progress);
        let mut ways: Vec<Box<dyn Way>> = OnGrid::all(&body).into_iter().map(|way| Box::new(way) as _).collect();
        let mut grids = run(&mut ways, if quick { 1 } else { 3 });
        // They have no update, and are not asked for some nodes only.
        grids.iter_mut().for_each(|line| (line.update, line.times[1]) = (f64::NAN, f64::NAN));
        let missing = match theirs {
            Ok(theirs) => {
                lines.extend(theirs);
                None
            }
            Err(why) => Some(why),
        };
        growth.push((body.name.to_string(), body.solid.tets().len(), [0, 1, 2].map(|k| lines[k].times[0])));
        lines.extend(grids);
        list.push(table(&body, &lines, missing));
    }
    list.push(linear(&growth));
    list
}

fn table(body: &Body, lines: &[Line], missing: Option<String>) -> Study {
    let exact = &lines[0];
    let row = |line: &Line| {
        let [mean, median, most] = errors(&line.found[0], &exact.found[0], body.size);
        let [_, _, colliding] = errors(&line.found[1], &exact.found[1], body.size);
        let query = |k: usize| line.times[k] / exact.times[k];
        let step = |wanted| line.step(wanted) / exact.step(wanted);
        vec![
            line.update,
            line.times[0],
            line.times[1],
            query(0),
            query(1),
            step(Wanted::All),
            step(Wanted::Colliding),
            mean,
            median,
            most,
            colliding,
        ]
    };
    // All nodes: a whole step. Colliding ones: the query, since only our update also makes ready for finding them.
    let mut goals = vec![];
    for (wanted, what) in [(Wanted::All, "all nodes"), (Wanted::Colliding, "colliding nodes")] {
        let time = |line: &Line| if wanted == Wanted::All { line.step(wanted) } else { line.times[wanted as usize] };
        let fastest = lines.iter().filter(|line| line.is_peer()).min_by(|a, b| time(a).total_cmp(&time(b)));
        let Some(peer) = fastest else { continue };
        for ours in lines.iter().filter(|line| line.name == EXACT || (line.name == CFFM && wanted == Wanted::All)) {
            let what = format!("{}, {what}: {} against {}", body.name, ours.name, peer.name);
            goals.push(Goal::at_least(Topic::SoftPeers, what, time(peer) / time(ours), 1.0, "times faster"));
        }
    }
    let settled = |method| {
        let mut soft = body.soft.clone();
        soft.set_positions(body.deformed.iter().copied()).expect("positions are finite");
        soft.update();
        let (_, stats) = soft.depths_of(&body.colliding, method).expect("the body is up to date");
        100.0 * stats.settled as f64 / body.inner.len() as f64
    };
    let mut notes: Vec<String> = missing.into_iter().collect();
    notes.extend([
        format!(
            "all: {} inner nodes; colliding: {} nodes, {} of them inner; the others have depth 0, and no peer is asked for them",
            body.inner.len(),
            body.colliding.len(),
            body.colliding_inner.len()
        ),
        "update: ours refits the tree of the boundary and that of the tetrahedra, which finds what collides, and looks for inverted ones; peers \
         only have the first"
            .into(),
        format!("step: update and query. Errors: against {EXACT}, in shares of the size; peers compute in single precision"),
        format!("colliding nodes, CFFM: {:.1} % of the inner nodes settled", settled(DepthMethod::ClosestFeature)),
    ]);
    Study {
        title: format!(
            "soft bodies, {}: depths of nodes, {} tets, {} nodes, {} boundary triangles, ms",
            body.name,
            body.solid.tets().len(),
            body.deformed.len(),
            body.surface.triangles.len()
        ),
        columns: vec![
            "update",
            "all",
            "colliding",
            "all / exact",
            "colliding / exact",
            "step, all / exact",
            "step, colliding / exact",
            "error, mean",
            "median",
            "most",
            "most, colliding",
        ],
        rows: lines.iter().map(|line| (line.name.clone(), row(line))).collect(),
        goals,
        notes,
        ..Study::default()
    }
}

/// Time by tetrahedra (the paper: linear).
fn linear(growth: &[(String, usize, [f64; 3])]) -> Study {
    let row = |(name, tets, times): &(String, usize, [f64; 3])| {
        (name.clone(), [*tets as f64].into_iter().chain(times.map(|time| time * 1e6 / *tets as f64)).collect())
    };
    let slopes = [0, 1, 2]
        .map(|k| exponent(&growth.iter().map(|(_, tets, times)| (*tets as f64, times[k])).collect::<Vec<_>>()));
    Study {
        title: "soft bodies: depths of all nodes, ns per tetrahedron".into(),
        columns: vec!["tets", "exact", "CFFM", "CPFM"],
        rows: growth.iter().map(row).collect(),
        goals: vec![Goal::at_most(Topic::SoftGrowth, "CFFM grows with tetrahedra: exponent", slopes[1], 1.1, "")],
        notes: vec![
            format!("exponents: exact {:.2}, CFFM {:.2}, CPFM {:.2}", slopes[0], slopes[1], slopes[2]),
            "the paper: CPFM of 300,000 tetrahedra in 0.1 s".into(),
        ],
        ..Study::default()
    }
}
