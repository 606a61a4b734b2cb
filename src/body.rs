//! Objects: rigid bodies, intact or fragments. Immutable, cheap to clone, thread-safe.

use crate::asset::Asset;
use crate::crack::breaks::{Break, CellPlane, CrackPoint, Kind, Piece};
use crate::error::{Result, bad_argument};
use crate::field::fragment::{FragmentField, Prepared};
use crate::geom::aabb::Aabb;
use crate::geom::moments::MassProperties;
use crate::geom::pinned::powi;
use crate::geom::random::mix;
use crate::geom::{NONE, Point, Vector};
use crate::heap::held_slots;
use crate::reference::nodal::Scheme;
use crate::reference::tree::{SphereForest, SphereTree};
use crate::samples::buckets::{Buckets, Filling, Outward, Sample};
use crate::samples::creases::Creases;
use crate::solid::surface::Traceable;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// One rigid body: an intact instance of an asset, or a fragment. It keeps the frame of its asset.
///
/// Its own properties are in that frame and in the asset's units. Its [scale](Self::scale) gives the metres per unit
/// wherever it meets other bodies.
#[derive(Clone, Debug)]
pub struct Object {
    asset: Arc<Asset>,
    /// The break that made it; `None` while it is intact.
    made_by: Option<Arc<SharedBreak>>,
    piece: u32,
    /// Hash of how it was made: the same on every run.
    identity: u64,
    scale: f64,
}

/// Allowed scales. Wide enough for any unit; with the radii of assets (1e-5 to 1e7) squared lengths stay within 1e-22
/// to 1e26, which single precision represents.
pub(crate) const SCALES: RangeInclusive<f64> = 1e-6..=1e6;

/// A break with the data that its fragments prepare on first use.
#[derive(Debug)]
pub(crate) struct SharedBreak {
    data: Break,
    /// Distinguishes it from other breaks.
    serial: u64,
    /// Serial numbers of the breaks before it, and which piece of each broke next.
    earlier: Box<[(u64, u32)]>,
    prepared: Prepared,
    samples: Vec<OnceLock<Buckets>>,
    creases: Vec<OnceLock<Creases>>,
    traceable: Vec<OnceLock<Option<Traceable>>>,
    /// Split from the tree of the object that broke, if it had one.
    sphere_trees: Option<SphereForest>,
}

impl SharedBreak {
    pub(crate) fn new(
        data: Break,
        sphere_trees: Option<SphereForest>,
        serial: u64,
        earlier: Box<[(u64, u32)]>,
    ) -> Arc<Self> {
        let samples = data.pieces.iter().map(|_| OnceLock::new()).collect();
        let creases = data.pieces.iter().map(|_| OnceLock::new()).collect();
        let traceable = data.pieces.iter().map(|_| OnceLock::new()).collect();
        let prepared = Prepared::default();
        Arc::new(Self { data, serial, earlier, prepared, samples, creases, traceable, sphere_trees })
    }

    pub(crate) fn data(&self) -> &Break {
        &self.data
    }

    /// Bytes of memory, including what has been prepared so far.
    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.data.bytes()
            + size_of_val(&self.earlier[..])
            + self.prepared.bytes()
            + held_slots(&self.samples, Buckets::bytes)
            + held_slots(&self.creases, Creases::bytes)
            + held_slots(&self.traceable, |surface| surface.as_ref().map_or(0, Traceable::bytes))
            + self.sphere_trees.as_ref().map_or(0, SphereForest::bytes)
    }
}

/// Memory of an object, in bytes, including what has been prepared for queries so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The object itself.
    pub object: usize,
    /// The break that made it, shared by all its fragments; 0 while it is intact. Freed with the last of them.
    pub made_by: usize,
    /// Its asset, shared by all its objects.
    pub asset: usize,
}

/// Distinguishes breaks. Only compared for equality.
static SERIAL: AtomicU64 = AtomicU64::new(0);

/// Reserves `count` unused serial numbers and returns the first.
pub(crate) fn fresh_serials(count: u64) -> u64 {
    SERIAL.fetch_add(count, Ordering::Relaxed)
}

/// An object in its own frame in metres: the asset's coordinates times its [scale](Object::scale). The only place that
/// scales an object's properties, except distances and rays (`contact::point`) and areas (`fracture::surface`).
#[derive(Clone, Copy, Debug)]
pub struct InMetres<'a>(pub(crate) &'a Object);

impl InMetres<'_> {
    /// Volume, mass, centre of mass and inertia.
    pub fn mass(&self) -> MassProperties {
        let (own, s) = (self.0.mass(), self.0.scale);
        MassProperties {
            volume: own.volume * powi(s, 3),
            mass: own.mass * powi(s, 3),
            centre: own.centre * s,
            inertia: own.inertia * powi(s, 5),
        }
    }

    /// Bounding box.
    pub fn bounds(&self) -> Aabb {
        let own = self.0.bounds();
        Aabb { min: own.min * self.0.scale, max: own.max * self.0.scale }
    }

    /// Distance of a plane of the object from the origin.
    pub fn offset(&self, plane: &CellPlane) -> f64 {
        plane.plane.offset * self.0.scale
    }

    /// Converts a point of the asset.
    pub fn point(&self, p: &Point) -> Point {
        p * self.0.scale
    }

    /// Converts a length of the asset.
    pub fn length(&self, length: f64) -> f64 {
        length * self.0.scale
    }

    /// Converts a point of the object to the units of the asset, which patterns use.
    pub fn in_asset(&self, p: &Point) -> Point {
        p / self.0.scale
    }
}

impl Object {
    /// The intact objects of an asset: one for each connected body.
    pub fn intact(asset: &Arc<Asset>) -> Vec<Self> {
        let objects = 0..asset.intact().pieces.len() as u32;
        objects
            .map(|piece| {
                let identity = mix(asset.identity() ^ piece as u64);
                Self { asset: asset.clone(), made_by: None, piece, identity, scale: 1.0 }
            })
            .collect()
    }

    /// The fragments of a break of this object, with sphere trees if it has one.
    pub(crate) fn fragments(&self, data: Break, sphere_trees: Option<SphereForest>) -> Vec<Self> {
        let made_by = SharedBreak::new(data, sphere_trees, fresh_serials(1), self.path().collect());
        (0..made_by.data.pieces.len() as u32)
            .map(|piece| Self {
                asset: self.asset.clone(),
                made_by: Some(made_by.clone()),
                piece,
                identity: mix(
                    mix(self.identity ^ made_by.data.pieces[piece as usize].mass.volume.to_bits()) ^ piece as u64
                ),
                scale: self.scale,
            })
            .collect()
    }

    /// Restores a saved object: a piece of a break, or of the intact asset.
    pub(crate) fn restore(
        asset: &Arc<Asset>,
        made_by: Option<Arc<SharedBreak>>,
        piece: u32,
        identity: u64,
        scale: f64,
    ) -> Self {
        Self { asset: asset.clone(), made_by, piece, identity, scale }
    }

    /// Serial numbers of the breaks it comes from, and which piece of each it was or is.
    pub(crate) fn path(&self) -> impl Iterator<Item = (u64, u32)> {
        let made = self.made_by.iter();
        made.flat_map(|made| made.earlier.iter().copied().chain([(made.serial, self.piece)]))
    }

    /// The same body at another size: a unit of the asset is `scale` metres. Fragments inherit it. Patterns stay in the
    /// asset's units; contact queries use the scaled size.
    pub fn scaled(&self, scale: f64) -> Result<Self> {
        if !SCALES.contains(&scale) {
            bad_argument!("scale is {scale}; it must lie between 1e-6 and 1e6");
        }
        let identity = if scale == self.scale { self.identity } else { mix(self.identity ^ scale.to_bits()) };
        Ok(Self { scale, identity, ..self.clone() })
    }

    /// Metres per unit of the asset; 1 unless it was [scaled](Self::scaled).
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Hash of its state: two objects with the same hash behave alike, bit for bit.
    pub fn state_hash(&self) -> u64 {
        let made = self.made_by();
        let nodes = self.nodes().iter().map(|n| *n as u64);
        let cuts = made.cuts_of(self.piece).iter().flat_map(|k| {
            let splits = made.cut_tets().splits_at(*k as usize);
            let own =
                made.cut_tets().regions_at(*k as usize).filter(|r| made.cut_tets().regions[*r].piece == self.piece);
            let walls = own.flat_map(move |r| {
                let walls = made.cut_tets().walls_of(r).iter().filter_map(|wall| wall.as_crack());
                walls.flat_map(move |(split, second)| {
                    splits[split].values.map(f64::to_bits).into_iter().chain([second as u64])
                })
            });
            [made.cut_tets().tets[*k as usize].tet as u64].into_iter().chain(walls)
        });
        let points = self
            .crack_points()
            .iter()
            .flat_map(|p| [p.key ^ p.id as u64, p.at.x.to_bits(), p.at.y.to_bits(), p.at.z.to_bits()]);
        let start = mix(self.asset.identity() ^ mix(self.scale.to_bits() ^ self.asset.density().to_bits()));
        nodes.chain(cuts).chain(points).fold(mix(start ^ self.piece as u64), |hash, part| mix(hash ^ part))
    }

    /// Hash of how it was made: equal for objects made in the same way, on every run.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// Whether both are different parts of one body that broke, over any number of generations. Such parts are disjoint
    /// where they were made. Parts of two instances of one asset are not.
    pub fn is_disjoint_part(&self, other: &Self) -> bool {
        let parted = self.path().zip(other.path()).find(|(a, b)| a != b);
        // At different scales they are different bodies.
        self.scale == other.scale && parted.is_some_and(|((serial, _), (other, _))| serial == other)
    }

    /// Memory in use. Objects that share a break or an asset report the same bytes for it: count each once.
    pub fn memory(&self) -> Memory {
        let made_by = self.made_by.as_ref().map_or(0, |made| made.bytes());
        Memory { object: size_of::<Self>(), made_by, asset: self.asset.bytes() }
    }

    /// Slot for its creases.
    pub(crate) fn creases_slot(&self) -> &OnceLock<Creases> {
        match &self.made_by {
            Some(made) => &made.creases[self.piece as usize],
            None => &self.asset.intact_creases()[self.piece as usize],
        }
    }

    /// Slot for its ray-cast surface.
    pub(crate) fn traceable(&self) -> &OnceLock<Option<Traceable>> {
        match &self.made_by {
            Some(made) => &made.traceable[self.piece as usize],
            None => &self.asset.intact_traceable()[self.piece as usize],
        }
    }

    /// Its sample points, skin vertices and crack points, in buckets. Made on first use.
    pub fn samples(&self) -> &Buckets {
        let slot = match &self.made_by {
            Some(made) => &made.samples[self.piece as usize],
            None => &self.asset.intact_samples()[self.piece as usize],
        };
        slot.get_or_init(|| {
            let solid = self.asset.solid();
            let local = |p: &crate::geom::Point| (p - self.asset.centre()).cast();
            let first = solid.nodes().len() as u32;
            let points = self.crack_points();
            let edge = self.asset.field().mean_edge as f32;
            let mut filling = Filling::with_room(points.len() + self.nodes().len() / 2, edge);
            let on_skin = self.nodes().iter().filter(|n| solid.is_on_skin(**n));
            filling.add(NONE, None, on_skin.map(|n| Sample { at: local(&solid.nodes()[*n as usize]), id: *n }));
            let is_flat = self.kind().is_made_of_planes();
            let directions = match is_flat {
                true => {
                    let faces = self.planes().iter().filter(|plane| plane.has_face);
                    faces.map(|plane| (plane.neighbour, plane.plane.normal.cast())).collect()
                }
                false => match self.made_by().group_of(self.piece) {
                    Some(group) => {
                        let unit = |(piece, sum): (u32, Vector)| Some((piece, sum.try_normalize(0.0)?.cast()));
                        group.directions().into_iter().filter_map(unit).collect()
                    }
                    None => self.field(Scheme::default()).crack_directions().to_vec(),
                },
            };
            // Runs of points with the same sibling across.
            for run in points.chunk_by(|p, q| p.neighbour == q.neighbour) {
                let sibling = run[0].neighbour;
                let out = match is_flat && sibling != NONE {
                    // They lie on one of its planes.
                    true => self.plane_under(run).map(|plane| plane.cast()),
                    false => directions.iter().find(|(piece, _)| *piece == sibling).map(|(_, normal)| *normal),
                };
                let out = out.map(|normal| if is_flat { Outward::Plane(normal) } else { Outward::About(normal) });
                filling.add(sibling, out, run.iter().map(|p| Sample { at: local(&p.at), id: first + p.id }));
            }
            Buckets::new(filling, &directions)
        })
    }

    /// Normal of the plane with a face that some points lie on: the one with the smallest distance to about four of
    /// them.
    fn plane_under(&self, points: &[CrackPoint]) -> Option<Vector> {
        let off = |plane: &CellPlane| {
            let some = points.iter().step_by(points.len().div_ceil(4));
            some.map(|p| plane.plane.distance(&p.at).abs()).fold(0.0, f64::max)
        };
        let faces = self.planes().iter().filter(|plane| plane.has_face);
        faces.min_by(|a, b| off(a).total_cmp(&off(b))).map(|plane| plane.plane.normal)
    }

    /// The sphere tree of all its points, indexed as features are: nodes, interior ones included, then, after all nodes
    /// of the asset, crack points. `None` if the asset was cooked without sphere trees.
    pub fn sphere_tree(&self) -> Option<SphereTree<'_>> {
        self.sphere_forest().map(|forest| forest.tree(self.piece))
    }

    /// The sphere trees of all pieces of its break.
    pub(crate) fn sphere_forest(&self) -> Option<&SphereForest> {
        match &self.made_by {
            Some(made) => made.sphere_trees.as_ref(),
            None => self.asset.sphere_trees(),
        }
    }

    /// Its asset.
    pub fn asset(&self) -> &Arc<Asset> {
        &self.asset
    }

    /// The break that it is a piece of; for an intact object the break without cuts.
    pub fn made_by(&self) -> &Break {
        self.made_by.as_ref().map_or(self.asset.intact(), |made| &made.data)
    }

    /// Its index among the fragments of its break.
    pub fn piece_number(&self) -> u32 {
        self.piece
    }

    /// Its piece of the break.
    pub fn piece(&self) -> &Piece {
        &self.made_by().pieces[self.piece as usize]
    }

    /// Whether it comes from a fracture.
    pub fn is_fragment(&self) -> bool {
        self.made_by.is_some()
    }

    /// Whether both are pieces of the same break, at the same scale. Intact bodies never are: there is no crack between
    /// them, and two of one asset are unrelated.
    pub fn is_sibling(&self, other: &Self) -> bool {
        self.is_fragment() && self.scale == other.scale && std::ptr::eq(self.made_by(), other.made_by())
    }

    /// Its nodes, ascending. A node keeps its index for ever and belongs to exactly one living object of a family.
    pub fn nodes(&self) -> &[u32] {
        self.made_by().nodes_of(self.piece)
    }

    /// Its sample points on cracks. A point keeps its id through all later fractures.
    pub fn crack_points(&self) -> &[CrackPoint] {
        self.made_by().points_of(self.piece)
    }

    /// The object in metres, whatever its scale: for engines.
    pub fn in_metres(&self) -> InMetres<'_> {
        InMetres(self)
    }

    /// Volume, mass, centre of mass and inertia, in the frame and the units of the asset.
    pub fn mass(&self) -> &MassProperties {
        &self.piece().mass
    }

    /// Bounding box, in the frame and the units of the asset.
    pub fn bounds(&self) -> &Aabb {
        &self.piece().bounds
    }

    /// Its distance field: inside or outside, depth, gap.
    pub fn field(&self, scheme: Scheme) -> FragmentField<'_> {
        let prepared = self.made_by.as_ref().map_or(self.asset.intact_prepared(), |made| &made.prepared);
        let asset = &self.asset;
        FragmentField::new(asset.solid(), asset.centre(), asset.field(), (self.made_by(), self.piece), prepared, scheme)
    }

    /// How it is bounded. Intact bodies are cells without planes.
    pub fn kind(&self) -> Kind {
        self.piece().kind
    }

    /// The planes that cut it out of the original body, normals outwards: it is all of the body within them, or, if
    /// several pieces share its cell, a connected part of that. Empty if it is intact, or not made of planes.
    pub fn planes(&self) -> &[CellPlane] {
        self.made_by().planes_of(self.piece)
    }

    /// Whether it owns a point, given by barycentric coordinates in a tetrahedron of the asset. Exactly one living
    /// object of a family does.
    pub fn owns(&self, tet: u32, weights: &[f64; 4]) -> bool {
        self.made_by().owns(self.piece, tet, &self.asset.solid().tets()[tet as usize], weights)
    }
}
