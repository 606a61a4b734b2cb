//! The film of a sequence, for the report page: the bodies' positions in each frame and the triangles that collide.
//!
//! A replay as the demo writes it (cpp_examples/demo/replay.hpp: the ground, no contacts), then the deforming bodies, little-endian: "FCD1";
//! the lowest corner and the unit of positions; bodies (group, whether transparent, first and end frame, vertices, triangles); their
//! positions in 16 bits for each frame of their life; and for each frame the colliding triangles, numbered through all bodies. page/deforming.js reads it.

use crate::play::Player;
use crate::sequences::{self, Change, Mesh};
use crate::{PACE, Scenario};
use fracas::deform::{Interval, SceneOptions};
use fracas::{Result, Tasks};
use std::collections::HashMap;
use std::slice::from_ref;

pub struct Film {
    pub bytes: Vec<u8>,
    /// In the first and in the last frame.
    pub triangles: [usize; 2],
}

/// A body while it lives.
struct Actor {
    /// The first body that it comes from.
    group: u32,
    /// Whether it breaks, or is what stays whole of a body that broke.
    breaks: bool,
    first: u32,
    end: Option<u32>,
    triangles: Vec<[u32; 3]>,
    now: Vec<[f64; 3]>,
    /// All positions of all frames.
    track: Vec<[f64; 3]>,
}

/// Plays the sequence at a scale. The film's z is up.
pub fn make(scenario: &Scenario, scale: f64, tasks: &Tasks) -> Result<Film> {
    let mut sequence = sequences::named(scenario.name, scale);
    let mut player = Player::new(SceneOptions::default());
    let mut actors: Vec<Actor> = vec![];
    let mut colliding: Vec<Vec<u32>> = vec![];
    let (mut number, mut triangles) = (0_usize, [0; 2]);
    while let Some(frame) = sequence.next() {
        let next = number.div_ceil(scenario.film_every) as u32;
        for change in &frame.changes {
            let (ended, group, made): (&[usize], _, &[Mesh]) = match change {
                Change::Add { mesh } => (&[], actors.len() as u32, from_ref(mesh)),
                Change::Delete { body } => (from_ref(body), 0, &[]),
                Change::Split { body, parts, .. } => (from_ref(body), actors[*body].group, parts),
                Change::Merge { bodies, mesh } => (bodies, actors[bodies[0]].group, from_ref(mesh)),
            };
            ended.iter().for_each(|body| actors[*body].end = Some(next));
            let is_split = matches!(change, Change::Split { .. });
            ended.iter().for_each(|body| actors[*body].breaks |= is_split);
            for (k, Mesh { positions, triangles }) in made.iter().cloned().enumerate() {
                let breaks = is_split && k == 0;
                actors.push(Actor { group, breaks, first: next, end: None, triangles, now: positions, track: vec![] });
            }
        }
        for (body, positions) in &frame.moves {
            actors[*body].now.clone_from(positions);
        }
        player.apply(frame)?;
        player.scene.update(Interval::End, tasks);
        if number % scenario.film_every == 0 {
            for actor in actors.iter_mut().filter(|actor| actor.end.is_none()) {
                actor.track.extend_from_slice(&actor.now);
            }
            colliding.push(colliding_triangles(&player, &actors, tasks)?);
            triangles[(number > 0) as usize] = player.scene.triangle_count();
        }
        number += 1;
    }
    let bytes = bytes(scenario, &actors, &colliding);
    Ok(Film { bytes, triangles })
}

/// Numbered through all bodies that ever were, ascending.
fn colliding_triangles(player: &Player, actors: &[Actor], tasks: &Tasks) -> Result<Vec<u32>> {
    let mut starts = HashMap::new();
    let mut start = 0;
    for (body, actor) in player.bodies.iter().zip(actors) {
        starts.insert(*body, start);
        start += actor.triangles.len() as u32;
    }
    let mut overlaps = vec![];
    player.scene.query_discrete(tasks, &mut overlaps)?;
    let sides = overlaps.iter().flat_map(|o| [0, 1].map(|k| starts[&o.bodies[k]] + o.triangles[k]));
    let mut found: Vec<u32> = sides.collect();
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn bytes(scenario: &Scenario, actors: &[Actor], colliding: &[Vec<u32>]) -> Vec<u8> {
    let frames = colliding.len() as u32;
    let mut bytes = Bytes(b"FCR1".to_vec());
    let grounds = scenario.ground.is_some() as u32;
    bytes.u32(&[grounds]);
    if let Some(height) = scenario.ground {
        bytes.f32(&[-3.0, -3.0, height, 6.0, 6.0, 1e-9]);
        bytes.u32(&[4]);
        bytes.u16([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]].into_iter().flatten().map(|bit| u16::MAX * bit));
        bytes.u32(&[2, 2, 0, 1, 2, 0, 2, 3]);
    }
    bytes.u32(&[grounds]);
    if scenario.ground.is_some() {
        bytes.u32(&[0, 0, 0, frames]);
        bytes.f32(&[1.0]);
    }
    bytes.u32(&[frames]);
    bytes.f32(&[(scenario.film_every as f64 / PACE) as f32]);
    for _ in 0..frames {
        if scenario.ground.is_some() {
            bytes.f32(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        }
        bytes.u32(&[0]);
    }

    let turned = |p: &[f64; 3]| scenario.axes.map(|axis| p[axis]);
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in actors.iter().flat_map(|actor| &actor.track).map(turned) {
        for k in 0..3 {
            low[k] = low[k].min(p[k]);
            high[k] = high[k].max(p[k]);
        }
    }
    let unit = (0..3).map(|k| high[k] - low[k]).fold(1e-9, f64::max) / u16::MAX as f64;
    bytes.0.extend(b"FCD1");
    bytes.f32(&low.map(|c| c as f32));
    bytes.f32(&[unit as f32]);
    bytes.u32(&[actors.len() as u32]);
    for actor in actors {
        let end = actor.end.unwrap_or(frames);
        let transparent = (scenario.transparent && actor.breaks) as u32;
        bytes.u32(&[actor.group, transparent, actor.first, end, actor.now.len() as u32, actor.triangles.len() as u32]);
        actor.triangles.iter().for_each(|corners| bytes.u32(corners));
    }
    for actor in actors {
        let whole = |p: &[f64; 3]| {
            let p = turned(p);
            [0, 1, 2].map(|k| ((p[k] - low[k]) / unit).round() as u16)
        };
        bytes.u16(actor.track.iter().flat_map(whole));
    }
    for triangles in colliding {
        bytes.u32(&[triangles.len() as u32]);
        bytes.u32(triangles);
    }
    bytes.0
}

struct Bytes(Vec<u8>);

impl Bytes {
    fn u32(&mut self, numbers: &[u32]) {
        self.0.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn f32(&mut self, numbers: &[f32]) {
        self.0.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    /// Filled up to four bytes.
    fn u16(&mut self, numbers: impl Iterator<Item = u16>) {
        self.0.extend(numbers.flat_map(u16::to_le_bytes));
        self.0.resize(self.0.len().next_multiple_of(4), 0);
    }
}
