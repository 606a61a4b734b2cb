//! The bodies that pairs are drawn from, and what the judge is told of them.

use crate::Result;
use crate::common::few::{self, Few};
use crate::common::touch::Mesh;
use crate::fragments::{self, Fragment};
use fracas::geom::random::mix;
use fracas::{Object, Point};
use rayon::prelude::*;
use serde_json::{Value, json};

/// Which bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Convex bodies of few nodes.
    Few,
    /// Fragments of eight bodies.
    Fragments,
    /// Both, and plates and shards.
    PushOut,
}

impl Kind {
    pub fn named(name: &str) -> Result<Self> {
        let all = [Self::Few, Self::Fragments, Self::PushOut];
        all.into_iter().find(|kind| kind.name() == name).ok_or_else(|| format!("there is no kind \"{name}\""))
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Few => "few",
            Self::Fragments => "fragments",
            Self::PushOut => "pushout",
        }
    }
}

/// How the judge makes a body.
pub enum Truth {
    /// The convex hull of its mesh's points.
    Hull,
    /// The part of a skin within the Voronoi cell of a seed.
    Cell {
        /// Number of the break.
        of: usize,
        /// Number of the seed.
        cell: u32,
    },
    /// Our own surface: nothing else is known.
    Surface,
}

/// A body.
pub struct Body {
    pub object: Object,
    /// Its surface. The judge uses it only where `truth` says so.
    pub mesh: Mesh,
    pub truth: Truth,
    pub group: Group,
}

/// What pairs are drawn by.
pub enum Group {
    Few(Few),
    Fragment(Fragment),
}

/// A skin broken by seeds.
pub struct Broken {
    pub skin: Mesh,
    pub seeds: Vec<Point>,
}

/// All bodies of a run.
#[derive(Default)]
pub struct Pool {
    pub bodies: Vec<Body>,
    pub breaks: Vec<Broken>,
}

/// Bodies of few nodes, of each kind.
const EACH: usize = 32;

impl Pool {
    /// The same bodies for the same kind and seed.
    pub fn new(kind: Kind, seed: u64) -> Result<Self> {
        let mut pool = Self::default();
        if kind != Kind::Fragments {
            let made = |body: Few| Body {
                object: body.object(),
                mesh: body.hull.clone(),
                truth: Truth::Hull,
                group: Group::Few(body),
            };
            pool.bodies = few::bodies(EACH, mix(seed)).into_par_iter().map(made).collect();
        }
        if kind != Kind::Few {
            fragments::add(&mut pool, seed, kind == Kind::PushOut)?;
        }
        pool.bodies.par_iter().for_each(|body| body.object.prepare());
        Ok(pool)
    }

    /// Hash of all geometry that truth depends on: answers belong to pairs only if it is the same.
    pub fn hash(&self) -> u64 {
        let points = self.bodies.iter().flat_map(|body| &body.mesh.points);
        let all = points.chain(self.breaks.iter().flat_map(|broken| &broken.seeds));
        all.flat_map(|p| p.coords.iter().map(|c| c.to_bits()).collect::<Vec<_>>())
            .fold(0, |hash, bits| mix(hash ^ bits))
    }

    /// The bodies for the index, and all meshes: of bodies that are judged by them, then of the skins of breaks.
    pub fn told(&self) -> (Value, Vec<&Mesh>) {
        let mut meshes = vec![];
        let mut add = |mesh| {
            meshes.push(mesh);
            meshes.len() - 1
        };
        let bodies: Vec<Value> = self
            .bodies
            .iter()
            .map(|body| {
                let mass = body.object.in_metres().mass();
                // Volume and centre tell which part of a cell it is, if there are several.
                let known = json!({
                    "volume": mass.volume, "centre": mass.centre.coords.as_slice(), "radius": body.mesh.radius(),
                });
                let truth = match &body.truth {
                    Truth::Hull => json!({ "truth": "hull", "mesh": add(&body.mesh) }),
                    Truth::Cell { of, cell } => json!({ "truth": "cell", "break": of, "cell": cell }),
                    Truth::Surface => json!({ "truth": "surface", "mesh": add(&body.mesh) }),
                };
                joined(known, truth)
            })
            .collect();
        let breaks: Vec<Value> = self
            .breaks
            .iter()
            .map(|broken| {
                let seeds: Vec<&[f64]> = broken.seeds.iter().map(|p| p.coords.as_slice()).collect();
                json!({ "mesh": add(&broken.skin), "seeds": seeds })
            })
            .collect();
        (json!({ "bodies": bodies, "breaks": breaks }), meshes)
    }
}

/// Two objects as one.
pub fn joined(mut one: Value, other: Value) -> Value {
    if let (Some(one), Value::Object(other)) = (one.as_object_mut(), other) {
        one.extend(other);
    }
    one
}
