//! Figure 8: velocities after an impulse at the contacts of each level, against those by exact contacts.

use super::bodies;
use super::collisions::{Collision, Found, direction};
use super::errors::{Mean, angle, cells};
use super::levels::{MODELS, Trees};
use crate::curves::Curves;
use crate::goals::{Goal, Topic};
use crate::studies::Study;
use fracas::Vector;
use fracas::geom::random::unit;

const RESTITUTION: f64 = 0.5;

#[derive(Clone, Copy)]
struct Motion {
    linear: Vector,
    angular: Vector,
}

/// Speeds up to 1, spins up to 2, such that the bodies approach at the exact contact.
fn before(c: &Collision) -> [Motion; 2] {
    let any = |key: u64| direction(c.seed, key) * unit(c.seed, key + 2).cbrt();
    let motions = [300, 310].map(|key| Motion { linear: any(key), angular: 2.0 * any(key + 3) });
    let is_apart = approach(c, &motions, &c.exact) > 0.0;
    motions.map(|m| if is_apart { Motion { linear: -m.linear, angular: -m.angular } } else { m })
}

/// Speed of the first away from the second, along the normal, at the contact.
fn approach(c: &Collision, motions: &[Motion; 2], at: &Found) -> f64 {
    let speed = |k: usize| {
        let arm = at.point.coords - c.poses[k].translation.vector;
        at.normal.dot(&(motions[k].linear + motions[k].angular.cross(&arm)))
    };
    speed(0) - speed(1)
}

/// After a frictionless impulse; as before if they do not approach at this contact.
fn after(c: &Collision, motions: &[Motion; 2], at: &Found) -> [Motion; 2] {
    let speed = approach(c, motions, at);
    if speed >= 0.0 {
        return *motions;
    }
    // What a unit impulse along the normal does to each.
    let unit = [0, 1].map(|k| {
        let (mass, _) = bodies::mass(c.kinds[k]);
        let arm = at.point.coords - c.poses[k].translation.vector;
        let turn = bodies::inverse_inertia(c.kinds[k], c.poses[k].rotation.to_rotation_matrix().matrix());
        let motion = Motion { linear: at.normal / mass, angular: turn * arm.cross(&at.normal) };
        (motion, at.normal.dot(&(motion.linear + motion.angular.cross(&arm))))
    });
    let impulse = -(1.0 + RESTITUTION) * speed / (unit[0].1 + unit[1].1);
    std::array::from_fn(|k| {
        let by = impulse * if k == 0 { 1.0 } else { -1.0 };
        Motion {
            linear: motions[k].linear + unit[k].0.linear * by,
            angular: motions[k].angular + unit[k].0.angular * by,
        }
    })
}

/// Errors of angular speed, linear speed and direction in degrees, the mean of both bodies.
fn errors(found: &[Motion; 2], exact: &[Motion; 2]) -> [f64; 3] {
    let both =
        |error: &dyn Fn(&Motion, &Motion) -> f64| 0.5 * (error(&found[0], &exact[0]) + error(&found[1], &exact[1]));
    [
        both(&|f, e| (f.angular.norm() - e.angular.norm()).abs()),
        both(&|f, e| (f.linear.norm() - e.linear.norm()).abs()),
        both(&|f, e| angle(&f.linear, &e.linear)),
    ]
}

pub fn study(trees: &Trees, collisions: &[Collision]) -> Study {
    let mut rows = vec![];
    let mut means: Vec<[[Mean; 3]; 4]> = vec![];
    for level in trees.levels() {
        let mut all = [const { vec![] }; 12];
        let mut missed = [0; 4];
        for c in collisions {
            let motions = before(c);
            let exact = after(c, &motions, &c.exact);
            for (k, found) in trees.contacts(c, level).iter().enumerate() {
                missed[k] += (approach(c, &motions, found) >= 0.0) as usize;
                let errors = errors(&after(c, &motions, found), &exact);
                errors.iter().enumerate().for_each(|(what, error)| all[3 * k + what].push(*error));
            }
        }
        let of = |k: usize| [0, 1, 2].map(|what| Mean::of(&all[3 * k + what]));
        for (k, (name, _)) in MODELS.iter().enumerate() {
            let mut row = cells(&of(k));
            row.push(100.0 * missed[k] as f64 / collisions.len() as f64);
            rows.push((format!("cubes of {}, {name}", trees.edge(level)), row));
        }
        means.push(std::array::from_fn(of));
    }
    let names = ["angular speed", "linear speed", "direction of velocity, degrees"];
    let curve = |(what, title): (usize, &str)| Curves {
        title: format!("figure 8: error of {title}"),
        along: "level",
        lines: MODELS
            .iter()
            .enumerate()
            .map(|(k, (name, _))| {
                let at = |(level, means): (u32, &[[Mean; 3]; 4])| [level as f64, means[k][what].0, means[k][what].1];
                (name.to_string(), trees.levels().zip(&means).map(at).collect())
            })
            .collect(),
    };
    let worst = |k: usize, other: usize| {
        let ratios = means.iter().flat_map(|m| (0..3).map(move |what| m[k][what].0 / m[other][what].0));
        ratios.fold(f64::MIN, f64::max)
    };
    let goal = |what: &str, reached: f64| Goal::at_most(Topic::VoxPaper, what, reached, 1.0, "times");
    Study {
        title: format!("contacts under a budget, figure 8: velocities after {} collisions", collisions.len()),
        columns: vec!["angular speed", "±", "linear speed", "±", "direction, °", "±", "no impulse, %"],
        rows,
        goals: vec![
            goal("figure 8: by P against averages, density, worst of all", worst(3, 1)),
            goal("figure 8: by P against averages, centres, worst of all", worst(2, 0)),
        ],
        notes: vec![
            format!(
                "speeds up to 1, spins up to 2 rad/s, approaching; restitution {RESTITUTION}, no friction, density 1; the mean of both bodies"
            ),
            "no impulse: at the contact found the bodies do not approach, though at the exact one they do".into(),
        ],
        curves: names.into_iter().enumerate().map(curve).collect(),
        ..Study::default()
    }
}
