//! Contacts under a budget (VoxTree, Dingliana and O'Sullivan 2004): its evaluation on 1,000 collisions (4.1, figures 7 and 8), errors by node
//! tests, costs, and all ways to find contacts at equal time, of these and of rabbits.
//!
//! `bodies` and `collisions` are what collides, with exact contacts; `levels`, `response`, `budgets`, `cost`, `times` and `rabbits` are a table or
//! two each.
//! `spheres` is the sphere tree that cubes are compared with; `ways` and `peers` are what is timed.

mod bodies;
mod budgets;
mod collisions;
mod cost;
mod errors;
mod levels;
mod peers;
mod rabbits;
mod response;
mod spheres;
mod times;
mod ways;

use crate::studies::Study;
use collisions::Collision;
use levels::Trees;

/// What is timed, on one core.
pub fn studies(quick: bool, progress: &dyn Fn(&str)) -> Vec<Study> {
    let say = |what: &str| progress(&format!("contacts under a budget: {what}"));
    let solids = bodies::solids();
    let objects = bodies::objects(&solids);
    let trees = Trees::new(bodies::trees(&solids, 32), &objects[0]);
    let collisions = Collision::many(if quick { 200 } else { 1000 });
    say("levels");
    let mut list = vec![levels::study(&trees, &collisions)];
    say("nodes that overlap");
    list.push(levels::overlapping(&trees, &collisions));
    say("response");
    list.push(response::study(&trees, &collisions));
    say("node tests");
    list.push(budgets::study(&trees.cubes, &collisions));
    say("cost");
    list.push(cost::study(&solids, &collisions, quick));
    list.push(cost::fragments(quick));
    list.push(times::study(&solids, &trees, &objects, &collisions, quick, progress));
    say("rabbits");
    list.push(rabbits::study(quick));
    list
}
