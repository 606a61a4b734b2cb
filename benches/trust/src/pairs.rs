//! Pairs of bodies in poses that are random, grazing, deep or crossed.

use crate::Result;
use crate::common::dice::Dice;
use crate::common::few::{self, Few, Way, place};
use crate::files::{Placed, write_pairs};
use crate::pool::{Body, Group, Kind, Pool};
use fracas::geom::Pose;
use fracas::geom::random::mix;
use nalgebra::{Translation3, UnitQuaternion};
use rayon::prelude::*;
use serde_json::json;
use std::path::Path;

/// Makes the bodies and the pairs, and writes them.
pub fn run(kind: Kind, count: usize, seed: u64, folder: &Path) -> Result<()> {
    let pool = Pool::new(kind, seed)?;
    println!("{} bodies", pool.bodies.len());
    let (categories, pairs) = match kind {
        Kind::Few => few_pairs(&pool, count, seed),
        Kind::Fragments => fragment_pairs(&pool, count, seed),
        Kind::PushOut => return Err("pairs to be pushed out are made by the command pushout".into()),
    };
    write_pairs(folder, (kind, seed), &pool, &categories, &pairs, json!({}))?;
    println!("{} pairs written to {}", pairs.len(), folder.display());
    Ok(())
}

fn few_pairs(pool: &Pool, count: usize, seed: u64) -> (Vec<String>, Vec<Placed>) {
    let of = |body: &Body| match &body.group {
        Group::Few(body) => Some(body.clone()),
        Group::Fragment(_) => None,
    };
    let bodies: Vec<Few> = pool.bodies.iter().filter_map(of).collect();
    let placed = |number| {
        let few::Pair { bodies, poses, category } = few::pair(&bodies, number, mix(seed));
        Placed { bodies, poses, category }
    };
    let names = few::CATEGORIES.iter().map(|category| category.name.into()).collect();
    (names, (0..count).into_par_iter().map(placed).collect())
}

/// How two fragments are related.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Fragments of one event.
    Siblings,
    /// Siblings whose boxes met where they broke.
    Neighbours,
    /// Fragments of different bodies.
    Strangers,
}

/// Where two fragments are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// As few-node bodies are.
    Way(Way),
    /// Both near where they broke: moved by up to 5 % of the radius, turned by up to 5 degrees.
    Home,
}

const FRAGMENT_CATEGORIES: [(&str, Relation, Place); 5] = [
    ("of one body, random", Relation::Siblings, Place::Way(Way::Random)),
    ("of one body, grazing", Relation::Siblings, Place::Way(Way::Grazing)),
    ("of one body, near home", Relation::Neighbours, Place::Home),
    ("of two bodies, random", Relation::Strangers, Place::Way(Way::Random)),
    ("of two bodies, grazing", Relation::Strangers, Place::Way(Way::Grazing)),
];

fn fragment_pairs(pool: &Pool, count: usize, seed: u64) -> (Vec<String>, Vec<Placed>) {
    let half = FRAGMENT_CATEGORIES.len();
    let names = [false, true].into_iter().flat_map(|is_rough| {
        FRAGMENT_CATEGORIES
            .iter()
            .map(move |(name, ..)| format!("{} {name}", if is_rough { "rough" } else { "smooth" }))
    });
    let placed = |number: usize| {
        let mut dice = Dice::new(mix(seed) ^ mix(number as u64));
        let category = number % (2 * half);
        let (_, relation, place) = FRAGMENT_CATEGORIES[category % half];
        let bodies = draw(pool, category >= half, relation, &mut dice);
        let [a, b] = bodies.map(|k| &pool.bodies[k]);
        let poses = match place {
            Place::Way(way) => self::place([&a.mesh, &b.mesh], way, &mut dice),
            Place::Home => [a, b].map(|body| near_home(body, &mut dice)),
        };
        let world = Pose::from_parts(Translation3::from(dice.vector(2.0)), dice.rotation());
        Placed { bodies, poses: poses.map(|pose| world * pose), category }
    };
    (names.collect(), (0..count).into_par_iter().map(placed).collect())
}

/// Two different fragments.
pub fn draw(pool: &Pool, is_rough: bool, relation: Relation, dice: &mut Dice) -> [usize; 2] {
    let of = |k: usize| match &pool.bodies[k].group {
        Group::Fragment(fragment) => Some(fragment),
        Group::Few(_) => None,
    };
    let met = |a: usize, b: usize| pool.bodies[a].object.bounds().meets(pool.bodies[b].object.bounds());
    loop {
        let [a, b] = [(); 2].map(|_| dice.index(pool.bodies.len()));
        if let (Some(one), Some(other)) = (of(a), of(b))
            && a != b
            && [one, other].iter().all(|fragment| fragment.is_rough == is_rough && fragment.flat.is_none())
            && match relation {
                Relation::Siblings => one.event == other.event,
                Relation::Neighbours => one.event == other.event && met(a, b),
                Relation::Strangers => one.of != other.of,
            }
        {
            return [a, b];
        }
    }
}

fn near_home(body: &Body, dice: &mut Dice) -> Pose {
    let shift = dice.in_ball() * (0.05 * body.mesh.radius());
    let turn = UnitQuaternion::from_scaled_axis(dice.direction() * dice.between(0.0, 5f64.to_radians()));
    let centre = body.mesh.centre().coords;
    Pose::from_parts(Translation3::from(centre + shift - turn * centre), turn)
}
