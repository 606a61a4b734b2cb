//! Assets: a solid, cooked once, immutable, shared by any number of objects and threads.
//!
//! Holds everything that fracture does not change: the distance grid and point location; node depths; per-node moments
//! of the tetrahedra (a fragment's mass is a sum over its nodes plus a correction at its cuts); local edge lengths; and
//! the connected bodies.

use crate::bvh::Bvh;
use crate::crack::breaks::{Break, Kind, Piece};
use crate::drawing::binding::Binding;
use crate::drawing::facing::facing_outwards;
use crate::error::{Result, bad_argument, bad_mesh};
use crate::field::fragment::{AssetField, Prepared};
use crate::geom::aabb::Aabb;
use crate::geom::counting_sort::group;
use crate::geom::moments::Moments;
use crate::geom::random::mix;
use crate::geom::{Point, Vector};
use crate::grid::distance::{GridField, GridOptions, over_skin};
use crate::grid::location::Locator;
use crate::grid::skin::SkinCells;
use crate::heap::{held, held_slots};
use crate::reference::tree::SphereForest;
use crate::samples::buckets::Buckets;
use crate::samples::creases::Creases;
use crate::solid::Solid;
use crate::solid::drawing::DrawingMesh;
use crate::solid::fill::{Deviation, FillOptions, Filled, fill};
use crate::solid::rises;
use crate::solid::surface::Traceable;
use crate::tasks::Tasks;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

/// Options for cooking.
#[derive(Clone)]
pub struct CookOptions {
    /// Kilograms per cubic metre; 1000 by default (water).
    pub density: f64,
    /// Resolution of the distance grid.
    pub grid: GridOptions,
    /// Whether its objects have sphere trees, which queries with `Structure::SphereTree` need: built at cooking, and
    /// split at every fracture. Off by default: nothing else needs them.
    pub sphere_trees: bool,
    /// The mesh that its objects are drawn with, if not their skin: see [`Object::drawing`](crate::Object::drawing).
    /// [`Asset::from_surface`] flips it to face outwards.
    pub drawing: Option<Arc<DrawingMesh>>,
    /// The caller's own bytes, saved with the asset, such as names of materials: see [`Asset::notes`].
    pub notes: Vec<u8>,
    /// Where the work runs.
    pub tasks: Tasks,
    /// Called with the finished share, 0 to 1, from any thread.
    pub progress: Option<Arc<dyn Fn(f32) + Send + Sync>>,
}

impl Default for CookOptions {
    fn default() -> Self {
        Self {
            density: 1000.0,
            grid: GridOptions::default(),
            sphere_trees: false,
            drawing: None,
            notes: vec![],
            tasks: Tasks::inline(),
            progress: None,
        }
    }
}

/// Radii of bodies, in metres. Fourth powers of lengths are taken in single precision: 1e-20 to 1e28 for the radius
/// leaves room for small features within 1e-38 to 1e38.
const RADII: RangeInclusive<f64> = 1e-5..=1e7;

/// A filling whose extent is less than this share of the surface's has lost most of the body: an error, not a warning.
/// Trades refusing bodies with thin parts against accepting remnants; chosen, not measured.
const LEAST_FILLED: f64 = 0.5;

/// Prefix of warnings about the surface.
const OF_SURFACE: &str = "surface: ";

/// A cooked solid.
#[derive(Debug)]
pub struct Asset {
    solid: Solid,
    density: f64,
    centre: Point,
    radius: f64,
    mean_edge: f64,
    /// Mean length of the edges at each node.
    local_edge: Vec<f64>,
    /// Length of the longest edge at each node.
    edge_reach: Vec<f64>,
    /// Distance from each node to the skin.
    nodal_depths: Vec<f64>,
    /// A quarter of the volume of the tetrahedra around each node.
    nodal_volumes: Vec<f64>,
    /// Moments of the tetrahedra whose lowest node is this one, about `centre`.
    moments_from: Vec<Moments>,
    intact: Break,
    prepared: Prepared,
    samples: Vec<OnceLock<Buckets>>,
    creases: Vec<OnceLock<Creases>>,
    /// How much each edge of the skin stands out (`solid::rises`).
    rises: Vec<f32>,
    traceable: Vec<OnceLock<Option<Traceable>>>,
    /// Over all nodes of each connected body, if wanted.
    sphere_trees: Option<SphereForest>,
    /// The artist's mesh, if there is one.
    drawing: Option<Binding>,
    asset_field: AssetField,
    warnings: Vec<String>,
    deviation: Option<Deviation>,
    notes: Vec<u8>,
    identity: u64,
}

/// The parts that take long to cook.
pub(crate) struct Cooked {
    pub density: f64,
    pub grid: GridField,
    pub locator: Locator,
    pub nodal_depths: Vec<f64>,
    pub warnings: Vec<String>,
}

impl Asset {
    /// Fills a closed surface with tetrahedra and cooks them. Repairs are listed in [`Asset::surface_remarks`]; the
    /// distance between the tetrahedra and the surface is in [`Asset::deviation`].
    pub fn from_surface(
        points: &[[f64; 3]],
        triangles: &[[u32; 3]],
        filling: &FillOptions,
        cooking: &CookOptions,
    ) -> Result<Arc<Self>> {
        let Filled { solid, remarks, deviation, .. } = fill(points, triangles, filling)?;
        let corners: Vec<Point> = triangles.iter().flatten().map(|k| Point::from(points[*k as usize])).collect();
        let (reached, wanted) = (solid.bounds().radius(), Aabb::around(&corners).radius());
        if reached < LEAST_FILLED * wanted {
            bad_mesh!(
                "only a part of the surface could be filled ({:.0} % of its extent): close its holes, or ask for shorter edges where it is thin{}",
                100.0 * reached / wanted,
                remarks.iter().map(|remark| format!("; {remark}")).collect::<String>()
            );
        }
        let mut cooking = cooking.clone();
        if let Some(mesh) = cooking.drawing.take() {
            cooking.drawing = Some(Arc::new(facing_outwards(&solid, Arc::unwrap_or_clone(mesh), &cooking.tasks)?.0));
        }
        let mut asset = Self::cooked(solid, &cooking, &remarks)?;
        asset.deviation = deviation;
        Ok(Arc::new(asset))
    }

    /// Cooks a solid.
    pub fn cook(solid: Solid, options: &CookOptions) -> Result<Arc<Self>> {
        Self::cooked(solid, options, &[]).map(Arc::new)
    }

    /// Cooks a solid. `remarks` are warnings about the surface that it was filled from.
    fn cooked(solid: Solid, options: &CookOptions, remarks: &[String]) -> Result<Self> {
        if !(options.density > 0.0 && options.density.is_finite()) {
            bad_argument!("density is {}; it must be a positive number of kilograms a cubic metre", options.density);
        }
        let radius = solid.bounds().radius();
        if !RADII.contains(&radius) {
            let (least, most) = RADII.into_inner();
            bad_argument!(
                "the body has a radius of {radius:.3e} m; single precision tells distances for {least:e} to {most:e} m: choose other units"
            );
        }
        let progress = |done: f32| options.progress.iter().for_each(|tell| tell(done));
        let skin = over_skin(&solid)?;
        // The grid takes most of the time, then a drawing mesh.
        let share = if options.drawing.is_some() { 0.7 } else { 0.9 };
        let grid = GridField::cook(&solid, &skin, &options.grid, &options.tasks, &|done| progress(share * done))?;
        let mut warnings: Vec<String> = remarks.iter().map(|remark| format!("{OF_SURFACE}{remark}")).collect();
        warnings.extend(grid.warnings(&solid, &options.grid));
        let locator = Locator::new(&solid, &solid.bounds().centre());
        let nodal_depths = nodal_depths(&solid, &skin, &options.tasks);
        progress(share + 0.05);
        let mut asset =
            Self::assemble(solid, Cooked { density: options.density, grid, locator, nodal_depths, warnings });
        if options.sphere_trees {
            let bodies = (0..asset.intact.pieces.len() as u32).map(|body| asset.intact.nodes_of(body));
            asset.sphere_trees = Some(SphereForest::build(asset.solid.nodes(), bodies));
        }
        if let Some(mesh) = &options.drawing {
            asset.drawing = Some(Binding::new(&asset.solid, &asset.asset_field.locator, mesh.clone(), &options.tasks)?);
        }
        asset.notes = options.notes.clone();
        progress(1.0);
        Ok(asset)
    }

    /// Assembles an asset from the parts that take long to cook, and derives the rest.
    pub(crate) fn assemble(solid: Solid, cooked: Cooked) -> Self {
        let Cooked { density, grid, locator, nodal_depths, warnings } = cooked;
        let bounds = solid.bounds();
        let centre = bounds.centre();
        let mean_edge = solid.mean_edge();
        let places = places(&solid, &centre);
        let mut asset = Self {
            density,
            centre,
            radius: bounds.radius(),
            mean_edge,
            local_edge: local_edges(&solid),
            edge_reach: edge_reaches(&solid),
            nodal_depths,
            nodal_volumes: nodal_volumes(&solid),
            moments_from: moments_from(&solid, &centre),
            intact: Break::default(),
            prepared: Prepared::default(),
            samples: (0..solid.bodies().0).map(|_| OnceLock::new()).collect(),
            creases: (0..solid.bodies().0).map(|_| OnceLock::new()).collect(),
            rises: rises::of_skin(&solid),
            traceable: (0..solid.bodies().0).map(|_| OnceLock::new()).collect(),
            sphere_trees: None,
            drawing: None,
            asset_field: AssetField {
                grid,
                locator,
                skin: SkinCells::new(&solid, &places),
                places,
                mean_edge,
                longest_edge: solid.longest_edge(),
                // Some 16 single-precision roundings (2^-24 each) at the size of the body.
                rounding: 1e-6 * bounds.radius(),
            },
            warnings,
            deviation: None,
            notes: vec![],
            identity: content_key(&solid),
            solid,
        };
        asset.intact = asset.connected_bodies();
        asset
    }

    /// The same with sphere trees, one per connected body, over all its nodes.
    pub(crate) fn with_sphere_trees(self, sphere_trees: SphereForest) -> Self {
        Self { sphere_trees: Some(sphere_trees), ..self }
    }

    /// The same with a drawing mesh.
    pub(crate) fn with_drawing(self, drawing: Binding) -> Self {
        Self { drawing: Some(drawing), ..self }
    }

    /// The same with its deviation from a surface.
    pub(crate) fn with_deviation(self, deviation: Deviation) -> Self {
        Self { deviation: Some(deviation), ..self }
    }

    /// The same with notes.
    pub(crate) fn with_notes(self, notes: Vec<u8>) -> Self {
        Self { notes, ..self }
    }

    /// The solid.
    pub fn solid(&self) -> &Solid {
        &self.solid
    }

    /// Kilograms per cubic metre.
    pub fn density(&self) -> f64 {
        self.density
    }

    /// Centre of the bounding box.
    pub fn centre(&self) -> &Point {
        &self.centre
    }

    /// Half the diagonal of the bounding box. Relative lengths refer to it.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Mean edge length.
    pub fn mean_edge(&self) -> f64 {
        self.mean_edge
    }

    /// Mean length of the edges at a node.
    pub fn local_edge(&self, node: u32) -> f64 {
        self.local_edge[node as usize]
    }

    /// Length of the longest edge at a node: tetrahedra around it reach no farther.
    pub fn edge_reach(&self, node: u32) -> f64 {
        self.edge_reach[node as usize]
    }

    /// Depth of each node in the intact body: its exact distance to the skin (Glondu 2013, section 4.1). An upper bound
    /// of its depth in any fragment; a ball of this radius around the node meets no skin.
    pub fn nodal_depths(&self) -> &[f64] {
        &self.nodal_depths
    }

    /// Warnings of cooking, one sentence each; empty if there are none.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Warnings about the surface that it was filled from, one sentence each.
    pub fn surface_remarks(&self) -> impl Iterator<Item = &str> {
        self.warnings.iter().filter_map(|warning| warning.strip_prefix(OF_SURFACE))
    }

    /// Distance between the boundary of the tetrahedra and the surface that they were filled from, as it was given for
    /// cooking.
    pub fn deviation(&self) -> Option<&Deviation> {
        self.deviation.as_ref()
    }

    /// The caller's own bytes, as given for cooking. Fracas never reads them.
    pub fn notes(&self) -> &[u8] {
        &self.notes
    }

    /// A quarter of the volume of the tetrahedra around a node.
    pub fn nodal_volume(&self, node: u32) -> f64 {
        self.nodal_volumes[node as usize]
    }

    /// Moments of the tetrahedra whose lowest node is this one, about the centre.
    pub fn moments_from(&self, node: u32) -> &Moments {
        &self.moments_from[node as usize]
    }

    /// The connected bodies as a break without cuts.
    pub fn intact(&self) -> &Break {
        &self.intact
    }

    /// Data prepared by the fields of the intact bodies.
    pub(crate) fn intact_prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// The sample points of the intact bodies.
    pub(crate) fn intact_samples(&self) -> &[OnceLock<Buckets>] {
        &self.samples
    }

    /// Slots for the creases of the intact bodies.
    pub(crate) fn intact_creases(&self) -> &[OnceLock<Creases>] {
        &self.creases
    }

    /// How much each edge of the skin stands out.
    pub(crate) fn rises(&self) -> &[f32] {
        &self.rises
    }

    /// Slots for the ray-cast surfaces of the intact bodies.
    pub(crate) fn intact_traceable(&self) -> &[OnceLock<Option<Traceable>>] {
        &self.traceable
    }

    /// Sphere trees of the intact bodies, interior nodes included (Glondu 2013, 6.1), if it was cooked with them.
    pub fn sphere_trees(&self) -> Option<&SphereForest> {
        self.sphere_trees.as_ref()
    }

    /// The drawing mesh and its binding to the solid, if it was cooked with one.
    pub fn drawing(&self) -> Option<&Binding> {
        self.drawing.as_ref()
    }

    /// Hash of its content: equal for assets cooked from the same mesh, on every run.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// Bytes of memory: the results of cooking, and what queries of intact bodies have prepared so far. A drawing mesh
    /// counts, though the caller may hold it too.
    pub fn bytes(&self) -> usize {
        let nodal =
            held(&self.local_edge) + held(&self.edge_reach) + held(&self.nodal_depths) + held(&self.nodal_volumes);
        let AssetField { grid, locator, skin, places, .. } = &self.asset_field;
        let field = grid.bytes() + locator.bytes() + skin.bytes() + held(places);
        let texts = held(&self.warnings) + self.warnings.iter().map(String::capacity).sum::<usize>();
        size_of::<Self>()
            + self.solid.bytes()
            + nodal
            + held(&self.moments_from)
            + self.intact.bytes()
            + field
            + self.prepared.bytes()
            + held_slots(&self.samples, Buckets::bytes)
            + held_slots(&self.creases, Creases::bytes)
            + held(&self.rises)
            + held_slots(&self.traceable, |surface| surface.as_ref().map_or(0, Traceable::bytes))
            + self.sphere_trees.as_ref().map_or(0, SphereForest::bytes)
            + self.drawing.as_ref().map_or(0, Binding::bytes)
            + texts
            + held(&self.notes)
    }

    /// The distance grid and the point location.
    pub fn field(&self) -> &AssetField {
        &self.asset_field
    }

    fn connected_bodies(&self) -> Break {
        let (count, body_of) = self.solid.bodies();
        let (nodes, starts) = group(count, body_of, |node| node as u32);
        let pieces = (0..count)
            .map(|body| {
                let range = starts[body]..starts[body + 1];
                let mut sum = Moments::default();
                nodes[range.clone()].iter().for_each(|i| sum += self.moments_from[*i as usize]);
                Piece {
                    mass: sum.mass(&self.centre, self.density),
                    bounds: Aabb::around(nodes[range.clone()].iter().map(|i| &self.solid.nodes()[*i as usize])),
                    nodes: range,
                    points: 0..0,
                    cell: 0,
                    kind: if count == 1 { Kind::Cell } else { Kind::PartOfCell },
                    planes: 0..0,
                    drawn: 0..0,
                }
            })
            .collect();
        Break { pieces, nodes, ..Break::default() }
    }
}

fn content_key(solid: &Solid) -> u64 {
    let coordinates = solid.nodes().iter().flat_map(|p| [p.x, p.y, p.z]).map(f64::to_bits);
    let corners =
        solid.tets().iter().map(|t| mix((t[0] as u64) << 32 | t[1] as u64) ^ ((t[2] as u64) << 32 | t[3] as u64));
    coordinates.chain(corners).fold(0, |key, part| mix(key ^ part))
}

fn places(solid: &Solid, centre: &Point) -> Vec<[f32; 4]> {
    let place = |p: &Point| [p.x - centre.x, p.y - centre.y, p.z - centre.z, 0.0].map(|c| c as f32);
    solid.nodes().iter().map(place).collect()
}

fn nodal_volumes(solid: &Solid) -> Vec<f64> {
    let mut nodal = vec![0.0; solid.nodes().len()];
    for (tet, number) in solid.tets().iter().zip(0..) {
        let quarter = 0.25 * solid.signed_volume(number).abs();
        tet.iter().for_each(|i| nodal[*i as usize] += quarter);
    }
    nodal
}

fn moments_from(solid: &Solid, centre: &Point) -> Vec<Moments> {
    let mut from = vec![Moments::default(); solid.nodes().len()];
    for (tet, number) in solid.tets().iter().zip(0..) {
        let corners: [Vector; 4] = solid.corners(number).map(|p| p - centre);
        from[tet[0] as usize] += Moments::of_tet(&corners, solid.signed_volume(number).abs());
    }
    from
}

fn nodal_depths(solid: &Solid, skin: &Bvh, tasks: &Tasks) -> Vec<f64> {
    let depth = |node: usize| match solid.is_on_skin(node as u32) {
        true => 0.0,
        false => skin.closest_point(&solid.nodes()[node], f64::INFINITY).map_or(0.0, |hit| hit.distance),
    };
    tasks.map_chunks(solid.nodes().len(), 256, |range| range.map(depth).collect::<Vec<_>>()).concat()
}

fn edge_reaches(solid: &Solid) -> Vec<f64> {
    let mut reach = vec![0f64; solid.nodes().len()];
    for edge in solid.edges() {
        let length = solid.edge_length(edge);
        edge.iter().for_each(|end| reach[*end as usize] = reach[*end as usize].max(length));
    }
    reach
}

fn local_edges(solid: &Solid) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); solid.nodes().len()];
    for edge in solid.edges() {
        let length = solid.edge_length(edge);
        for end in edge {
            let (sum, count) = &mut sums[*end as usize];
            *sum += length;
            *count += 1.0;
        }
    }
    sums.into_iter().map(|(sum, count)| sum / count).collect()
}
