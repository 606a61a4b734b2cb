//! A scene of deforming and fracturing triangle meshes: bodies that are added, deleted, split, merged and moved (FASTCD 5.1), and one tree
//! over all of them.
//!
//! A scene is written by one thread at a time and read by any number between updates. Every change is checked before it is made: a call
//! that fails leaves the scene as it was.

use super::body::{Body, Seam};
use super::build::Builder;
use super::contour::{Boundary, Contour};
use super::inherit::Inheritance;
use super::mesh::{ByPosition, Mesh, Position, check, welded};
use super::node::Summary;
use super::options::{BodyId, BodyMesh, BodyOptions, ConeCulling, SceneOptions};
use super::pair::Pair;
use super::refit::Interval;
use super::results::{Impact, Near, Overlap};
use super::top::Top;
use super::worker::{Pool, TraversalStats};
use crate::error::{Error, Result, bad_argument, bad_mesh};
use crate::geom::{NONE, Point};

/// What an update did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UpdateStats {
    /// Triangles of bodies that were refitted.
    pub refitted_triangles: u64,
    /// Triangles below nodes that were rebuilt.
    pub rebuilt_triangles: u64,
    /// Nodes that were rebuilt.
    pub rebuilt_nodes: u64,
}

/// A scene.
pub struct Scene {
    pub(super) options: SceneOptions,
    pub(super) bodies: Vec<Slot>,
    free: Vec<u32>,
    pub(super) top: Top,
    pub(super) builder: Builder,
    splits: u64,
    /// Which positions the tree holds; `None` if something changed since.
    pub(super) interval: Option<Interval>,
    /// Work of the last query, in overlap tests: what restructuring may cost is a share of it.
    pub(super) last_work: std::sync::atomic::AtomicU64,
    pub(super) overlaps: Pool<Overlap>,
    pub(super) impacts: Pool<Impact>,
    pub(super) near: Pool<Near>,
}

pub(super) struct Slot {
    generation: u32,
    pub body: Option<Box<Body>>,
}

impl Default for Scene {
    fn default() -> Self {
        Self::new(SceneOptions::default())
    }
}

impl Scene {
    /// An empty scene.
    pub fn new(options: SceneOptions) -> Self {
        Self {
            options,
            bodies: vec![],
            free: vec![],
            top: Top::new(),
            builder: Builder::default(),
            splits: 0,
            interval: None,
            last_work: Default::default(),
            overlaps: Pool::default(),
            impacts: Pool::default(),
            near: Pool::default(),
        }
    }

    /// How it works.
    pub fn options(&self) -> &SceneOptions {
        &self.options
    }

    /// Adds a body.
    pub fn add(&mut self, mesh: BodyMesh, options: &BodyOptions) -> Result<BodyId> {
        let body = self.prepared(mesh, options, None)?;
        let index = self.put(body);
        self.top.insert(index, &self.outline(index), NONE);
        self.interval = None;
        Ok(self.id(index))
    }

    /// Deletes a body.
    pub fn delete(&mut self, body: BodyId) -> Result<()> {
        let index = self.index(body)?;
        self.top.remove(index);
        self.drop_body(index);
        self.interval = None;
        Ok(())
    }

    /// Replaces a body by parts, which may have new triangles. Parts keep how the body collides. Vertices of parts at the same position
    /// count as one until the end of the first step in which they move, so that parts do not collide along the cut at once.
    pub fn split(&mut self, body: BodyId, parts: Vec<BodyMesh>) -> Result<Vec<BodyId>> {
        let index = self.index(body)?;
        if parts.is_empty() {
            bad_argument!("a split needs at least one part; to remove a body, delete it");
        }
        let old = self.body(index);
        let options = old.options();
        let heirs = Inheritance::new(&parts, &old.order, &old.slot_of).map_err(|(k, e)| within(e, "parts", k))?;
        let is_patch = |part: &BodyMesh| !part.sources.is_empty() && !part.sources.contains(&NONE);
        let patches: Vec<bool> = parts.iter().map(is_patch).collect();
        let mut bodies = vec![];
        for (k, part) in parts.into_iter().enumerate() {
            let made = self.prepared(part, &options, Some((index, &heirs, k))).map_err(|e| within(e, "parts", k))?;
            bodies.push(made);
        }
        self.splits += 1;
        note_seams(&mut bodies, &patches, self.splits);
        let numbers: Vec<u32> = bodies.into_iter().map(|part| self.put(part)).collect();
        let summaries: Vec<(u32, Summary)> = numbers.iter().map(|k| (*k, self.outline(*k))).collect();
        self.top.replace(index, &summaries, &mut self.builder);
        self.drop_body(index);
        self.interval = None;
        Ok(numbers.into_iter().map(|k| self.id(k)).collect())
    }

    /// Splits a body along edges: `parts[t]` is the part of triangle t, parts are numbered from 0. Vertices on a cut are in several parts;
    /// each part has its vertices in the order of the body's.
    pub fn split_by_labels(&mut self, body: BodyId, labels: &[u32]) -> Result<Vec<BodyId>> {
        let own = self.body(self.index(body)?);
        if labels.len() != own.mesh.triangles.len() {
            bad_argument!("there are {} labels for {} triangles", labels.len(), own.mesh.triangles.len());
        }
        let count = labels.iter().max().map_or(0, |most| *most as usize + 1);
        if count > labels.len() {
            bad_argument!("a label is {}, but there are only {} triangles", count - 1, labels.len());
        }
        let mut parts = vec![BodyMesh::default(); count];
        let mut corners: Vec<Vec<u32>> = vec![vec![]; count];
        for (t, label) in labels.iter().enumerate() {
            parts[*label as usize].sources.push(t as u32);
            corners[*label as usize].extend(own.mesh.triangles[t]);
        }
        if let Some(k) = parts.iter().position(|part| part.sources.is_empty()) {
            bad_argument!("no triangle has the label {k}; labels are numbered without gaps");
        }
        for (part, mut used) in parts.iter_mut().zip(corners) {
            used.sort_unstable();
            used.dedup();
            let place = |v: u32| used.binary_search(&v).unwrap_or(0) as u32;
            part.triangles = part.sources.iter().map(|t| own.mesh.triangles[*t as usize].map(place)).collect();
            part.positions = used.iter().map(|v| own.end[*v as usize]).collect();
        }
        self.split(body, parts)
    }

    /// Replaces bodies by one with a mesh of its own, which collides like the first of them.
    pub fn merge(&mut self, bodies: &[BodyId], mesh: BodyMesh) -> Result<BodyId> {
        let numbers = self.distinct(bodies)?;
        let options = self.body(numbers[0]).options();
        let merged = self.prepared(mesh, &options, None)?;
        let index = self.put(merged);
        self.top.merge(&numbers, index, &self.outline(index));
        numbers.iter().for_each(|k| self.drop_body(*k));
        self.interval = None;
        Ok(self.id(index))
    }

    /// Replaces bodies by one that has all their triangles; vertices at the same position become one. Fails if the bodies do not hang
    /// together by such vertices.
    pub fn merge_touching(&mut self, bodies: &[BodyId]) -> Result<BodyId> {
        let numbers = self.distinct(bodies)?;
        let mut mesh = BodyMesh::default();
        let mut owner = vec![];
        for (k, number) in numbers.iter().enumerate() {
            let body = self.body(*number);
            let base = mesh.positions.len() as u32;
            mesh.positions.extend(&body.end);
            mesh.triangles.extend(body.mesh.triangles.iter().map(|t| t.map(|v| v + base)));
            owner.resize(mesh.positions.len(), k as u32);
        }
        let first = welded(&mesh.positions);
        let mut parents: Vec<u32> = (0..numbers.len() as u32).collect();
        for (v, first) in first.iter().enumerate() {
            crate::geom::union_find::join(&mut parents, owner[v], owner[*first as usize]);
        }
        if let Some(k) = (0..parents.len()).find(|k| crate::geom::union_find::find(&mut parents, *k as u32) != 0) {
            bad_argument!("bodies[{k}] shares no vertex with the others; bodies that are merged must touch");
        }
        let mut place = vec![NONE; first.len()];
        let mut positions = vec![];
        for (v, first) in first.iter().enumerate() {
            if place[*first as usize] == NONE {
                place[*first as usize] = positions.len() as u32;
                positions.push(mesh.positions[v]);
            }
        }
        mesh.triangles.iter_mut().for_each(|t| *t = t.map(|v| place[first[v as usize] as usize]));
        mesh.positions = positions;
        self.merge(bodies, mesh)
    }

    /// Moves a body: new positions for all its vertices. The old ones are the start of the step.
    pub fn set_positions(
        &mut self,
        body: BodyId,
        positions: impl ExactSizeIterator<Item = Point> + Clone,
    ) -> Result<()> {
        let index = self.index(body)?;
        let own = self.body(index);
        let expected = own.welded.as_ref().map_or(own.end.len(), |welded| welded.len());
        if positions.len() != expected {
            bad_argument!("there are {} positions for {expected} vertices", positions.len());
        }
        let origin = self.options.origin.coords;
        check(positions.clone().map(|p| p - origin))?;
        let Some(own) = &mut self.bodies[index as usize].body else { return Ok(()) };
        match own.welded.clone() {
            None => own.set_positions(positions),
            Some(welded) => {
                own.set_positions(positions.zip(welded.iter().zip(0..)).filter(|(_, (w, k))| **w == *k).map(|(p, _)| p))
            }
        }
        self.interval = None;
        Ok(())
    }

    /// Fails if the tree does not hold the positions of an interval.
    pub(super) fn check_ready(&self, interval: Interval) -> Result<()> {
        match (self.interval, interval) {
            (None, _) => bad_argument!("the scene was changed since the last update; update it before a query"),
            (Some(Interval::End), Interval::Step) => {
                bad_argument!(
                    "the last update was for discrete queries; update for the whole step before a continuous one"
                )
            }
            _ => Ok(()),
        }
    }

    /// Fails if the scene was changed since its last update.
    pub(crate) fn check_ready_for_discrete(&self) -> Result<()> {
        self.check_ready(Interval::End)
    }

    /// The largest thickness of a body.
    pub(crate) fn thickest(&self) -> f64 {
        self.all_bodies().map(|body| body.thickness).fold(0.0, f64::max)
    }

    /// Which positions the scene is ready for; `None` if it has to be updated.
    pub fn ready_for(&self) -> Option<Interval> {
        self.interval
    }

    /// All bodies, by index.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        (0..self.bodies.len() as u32).filter(|k| self.bodies[*k as usize].body.is_some()).map(|k| self.id(k))
    }

    /// Number of triangles of all bodies.
    pub fn triangle_count(&self) -> usize {
        self.all_bodies().map(|body| body.mesh.triangles.len()).sum()
    }

    /// Number of triangles of a body.
    pub fn body_triangles(&self, body: BodyId) -> Result<usize> {
        Ok(self.body(self.index(body)?).mesh.triangles.len())
    }

    /// Heap memory, in bytes.
    pub fn bytes(&self) -> usize {
        self.all_bodies().map(|body| size_of::<Body>() + body.bytes()).sum::<usize>() + self.top.bytes()
    }

    /// A new body. As the part of a split, it may take things over from the old body.
    fn prepared(
        &mut self,
        mesh: BodyMesh,
        options: &BodyOptions,
        from: Option<(u32, &Inheritance, usize)>,
    ) -> Result<Body> {
        let BodyMesh { positions, mut triangles, sources } = mesh;
        let origin = self.options.origin.coords;
        check(positions.iter().map(|p| p - origin))?;
        if !(options.thickness >= 0.0 && options.thickness <= super::mesh::FARTHEST) {
            bad_argument!("thickness is {}; it must be a length of 0 or more", options.thickness);
        }
        let (mut kept, mut welding) = (positions, None);
        if options.weld {
            let first = welded(&kept);
            if let Some((k, corners)) =
                triangles.iter().enumerate().find(|(_, t)| t.iter().any(|v| *v as usize >= first.len()))
            {
                bad_mesh!("triangles[{k}] is {corners:?}; there are {} vertices", first.len());
            }
            let mut place = vec![0; first.len()];
            let mut count = 0;
            for (k, f) in first.iter().enumerate() {
                if *f as usize == k {
                    place[k] = count;
                    count += 1;
                }
            }
            triangles.iter_mut().for_each(|t| *t = t.map(|v| place[first[v as usize] as usize]));
            kept = kept.iter().enumerate().filter(|(k, _)| first[*k] as usize == *k).map(|(_, p)| *p).collect();
            welding = Some(first.into());
        }
        let old = from.and_then(|(index, heirs, k)| Some((self.bodies[index as usize].body.as_deref()?, heirs, k)));
        let mut body = match old {
            Some((old, heirs, k)) if !sources.is_empty() => {
                Mesh::check(&triangles, kept.len())?;
                let mesh = match heirs.mesh(k, &triangles, &sources, kept.len(), &old.mesh) {
                    Some(mesh) => mesh,
                    None => Mesh::new(triangles, kept.len())?,
                };
                Body::induced(mesh, kept, old, &heirs.orders[k], &mut self.builder)
            }
            _ => Body::new(Mesh::new(triangles, kept.len())?, kept, self.options.construction, &mut self.builder),
        };
        if self.options.culling.needs_connection() {
            body.connect(0);
        }
        body.welded = welding;
        body.set_options(options);
        Ok(body)
    }

    fn distinct(&self, bodies: &[BodyId]) -> Result<Vec<u32>> {
        let numbers = bodies.iter().map(|body| self.index(*body)).collect::<Result<Vec<u32>>>()?;
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            bad_argument!("body {} is in the list twice", self.id(twice[0]));
        }
        if numbers.is_empty() {
            bad_argument!("a merge needs at least one body");
        }
        Ok(numbers)
    }

    fn put(&mut self, body: Body) -> u32 {
        let body = Some(Box::new(body));
        if let Some(index) = self.free.pop() {
            self.bodies[index as usize].body = body;
            return index;
        }
        self.bodies.push(Slot { generation: 1, body });
        self.bodies.len() as u32 - 1
    }

    fn drop_body(&mut self, index: u32) {
        let slot = &mut self.bodies[index as usize];
        slot.body = None;
        slot.generation = slot.generation.wrapping_add(1).max(1);
        self.free.push(index);
    }

    /// What the place of a new body depends on; the rest comes with the update.
    fn outline(&self, index: u32) -> Summary {
        self.body(index).outline(&self.options.origin)
    }

    pub(super) fn id(&self, index: u32) -> BodyId {
        BodyId((self.bodies[index as usize].generation as u64) << 32 | index as u64)
    }

    pub(super) fn index(&self, body: BodyId) -> Result<u32> {
        let index = body.0 as u32;
        match self.bodies.get(index as usize) {
            Some(slot) if slot.body.is_some() && slot.generation == (body.0 >> 32) as u32 => Ok(index),
            _ => bad_argument!("body {body} is not in this scene: it was deleted, split or merged, or never was"),
        }
    }

    /// A body that is there.
    #[inline]
    pub(super) fn body(&self, index: u32) -> &Body {
        match &self.bodies[index as usize].body {
            Some(body) => body,
            None => unreachable!("the tree holds bodies that are there"),
        }
    }

    /// The body at an index, if there is one, and what trees are built with.
    pub(super) fn body_mut(&mut self, index: u32) -> Option<(&mut Body, &mut Builder)> {
        Some((self.bodies[index as usize].body.as_mut()?, &mut self.builder))
    }

    pub(super) fn all_bodies(&self) -> impl Iterator<Item = &Body> {
        self.bodies.iter().filter_map(|slot| slot.body.as_deref())
    }

    /// Number of indices.
    pub(super) fn slots(&self) -> u32 {
        self.bodies.len() as u32
    }

    /// Whether the cones, and where it matters the contour, cull the inside of a node.
    #[inline]
    pub(super) fn culls(
        &self,
        body: &Body,
        node: usize,
        is_swept: bool,
        contour: &mut Contour,
        stats: &mut TraversalStats,
    ) -> bool {
        if !body.tree.costs[node].is_culled {
            return body.is_star_shaped;
        }
        let boundary = match self.options.culling {
            ConeCulling::Conservative | ConeCulling::DualContour => Boundary::Full,
            ConeCulling::RealContour => Boundary::Real,
            _ => return true,
        };
        stats.contour_tests += 1;
        let slots = body.tree.nodes[node].slots();
        contour.is_simple(body, slots, body.tree.cones[node].normals.axis, boundary, is_swept)
    }

    #[inline]
    pub(super) fn pair(&self, numbers: [u32; 2]) -> Pair<'_> {
        Pair { bodies: numbers.map(|k| self.body(k)), numbers }
    }
}

/// Numbers the points of the parts of a split: the same number at the same position. The cuts of patches of the old surface are their
/// borders; vertices within them are points of their own.
fn note_seams(parts: &mut [Body], patches: &[bool], split: u64) {
    let mut numbers = ByPosition::default();
    let mut next = 0;
    for (part, is_patch) in parts.iter_mut().zip(patches) {
        let mut is_on_cut = vec![!is_patch; part.end.len()];
        for (corners, across) in part.mesh.triangles.iter().zip(&part.mesh.neighbours) {
            for k in (0..3).filter(|k| across[*k] == NONE) {
                is_on_cut[corners[k] as usize] = true;
                is_on_cut[corners[(k + 1) % 3] as usize] = true;
            }
        }
        let number = |(p, is_on_cut): (&Point, &bool)| {
            next += 1;
            if *is_on_cut { *numbers.entry(Position::new(p)).or_insert(next) } else { next }
        };
        let points = part.end.iter().zip(&is_on_cut).map(number).collect();
        part.seam = Some(Seam { split, points, has_moved: false });
    }
}

/// An error of one of several arguments, with its place.
fn within(error: Error, list: &str, k: usize) -> Error {
    let named = |text: String| format!("{list}[{k}]: {text}");
    match error {
        Error::InvalidMesh(text) => Error::InvalidMesh(named(text)),
        Error::InvalidArgument(text) => Error::InvalidArgument(named(text)),
        other => other,
    }
}
