//! Assets: the mesh, and what takes long to cook. All else is derived from it as at cooking.

use super::bytes::{Reader, Writer};
use super::envelope::{Kind, open, seal};
use super::trees;
use crate::asset::{Asset, Cooked};
use crate::drawing::binding::Binding;
use crate::error::{Error, Result, bad_data};
use crate::geom::NONE;
use crate::grid::distance::{Accuracy, GridField};
use crate::grid::location::Locator;
use crate::solid::drawing::DrawingMesh;
use crate::solid::fill::Deviation;
use crate::solid::{Solid, Source};
use crate::tasks::Tasks;
use std::sync::Arc;

impl Asset {
    /// The asset as bytes, for [`load`](Self::load).
    pub fn save(&self) -> Vec<u8> {
        let version = match (self.deviation(), self.drawing(), self.notes()) {
            (Some(_), _, _) => 5,
            (None, Some(_), _) => 4,
            (None, None, [_, ..]) => 3,
            (None, None, []) => 1,
        };
        seal(Kind::Asset, version, |to| {
            to.section(b"MESH", |to| put_solid(to, self.solid()));
            to.section(b"COOK", |to| {
                to.put(self.density());
                to.list(self.nodal_depths().iter().copied());
                to.put(self.warnings().len() as u32);
                self.warnings().iter().for_each(|text| to.list(text.bytes()));
            });
            to.section(b"GRID", |to| put_grid(to, &self.field().grid, self.solid()));
            to.section(b"CELL", |to| {
                let (start, tets) = self.field().locator.lists();
                to.list(start.into_iter());
                to.list(tets.into_iter());
            });
            if let Some(forest) = self.sphere_trees() {
                to.section(b"TREE", |to| trees::put(to, forest, |_| true));
            }
            if let Some(binding) = self.drawing() {
                to.section(b"DRAW", |to| put_drawing(to, binding));
            }
            if version >= 3 {
                to.section(b"NOTE", |to| to.list(self.notes().iter().copied()));
            }
            if let Some(Deviation { surface_to_tets, tets_to_surface, tolerance }) = self.deviation() {
                to.section(b"DEVI", |to| to.put([*surface_to_tets, *tets_to_surface, *tolerance]));
            }
        })
    }

    /// An asset from the bytes of [`save`](Self::save). It answers as the saved one does, bit for bit.
    ///
    /// Any bytes may be given, those of an untrusted file too: see [`store`](crate::store). Takes less than a twentieth of
    /// the time that cooking takes, and memory in proportion to the bytes.
    pub fn load(bytes: &[u8]) -> Result<Arc<Self>> {
        let (content, version) = open(Kind::Asset, bytes)?;
        let mut from = Reader::new(content);
        let solid = from.section(b"MESH", get_solid)?;
        let (density, nodal_depths, warnings) = from.section(b"COOK", |from| {
            let warnings = |from: &mut Reader| (0..from.get::<u32>()?).map(|_| from.text()).collect::<Result<Vec<_>>>();
            Ok((from.get::<f64>()?, from.list::<f64>()?, warnings(from)?))
        })?;
        if !(density > 0.0 && density.is_finite()) {
            bad_data!("the density is {density}; it must be a positive number");
        }
        let farthest = 2.0 * solid.bounds().radius();
        if nodal_depths.len() != solid.nodes().len() || !nodal_depths.iter().all(|d| (0.0..=farthest).contains(d)) {
            bad_data!("the depths of the nodes are not one distance within the body for each");
        }
        let grid = from.section(b"GRID", |from| get_grid(from, &solid))?;
        let (start, tets): (Vec<_>, Vec<_>) = from.section(b"CELL", |from| Ok((from.list()?, from.list()?)))?;
        let locator = Locator::restore(&solid, &solid.bounds().centre(), &start, &tets)?;
        let mut asset = Self::assemble(solid, Cooked { density, grid, locator, nodal_depths, warnings });
        let forest = from.optional(b"TREE", |from| {
            let body_of = asset.solid().bodies().1;
            let nodes = asset.intact().pieces.iter().map(|piece| piece.nodes.len());
            let owner = |point: u32| body_of.get(point as usize).copied().unwrap_or(NONE);
            trees::get(from, nodes, owner, |point| asset.solid().nodes()[point as usize])
        })?;
        let drawing = match version {
            1 => None,
            3 => from.optional(b"DRAW", |from| get_drawing(from, &asset, true))?,
            5.. => from.optional(b"DRAW", |from| get_drawing(from, &asset, false))?,
            _ => Some(from.section(b"DRAW", |from| get_drawing(from, &asset, version == 2))?),
        };
        let notes = if version < 3 { vec![] } else { from.section(b"NOTE", |from| from.list::<u8>())? };
        let deviation = if version < 5 { None } else { Some(from.section(b"DEVI", get_deviation)?) };
        from.end()?;
        if let Some(deviation) = deviation {
            asset = asset.with_deviation(deviation);
        }
        if let Some(drawing) = drawing {
            asset = asset.with_drawing(drawing);
        }
        if let Some(forest) = forest {
            asset = asset.with_sphere_trees(forest);
        }
        Ok(Arc::new(asset.with_notes(notes)))
    }
}

fn put_solid(to: &mut Writer, solid: &Solid) {
    to.put(solid.source_node_count() as u32);
    to.list(solid.nodes().iter().copied());
    to.list(solid.tets().iter().copied());
    to.list(solid.source_nodes().iter().copied());
    to.list(solid.source_tets().iter().copied());
}

fn get_solid(from: &mut Reader) -> Result<Solid> {
    let node_count = from.get::<u32>()? as usize;
    let (nodes, tets) = (from.list::<[f64; 3]>()?, from.list()?);
    let source = Source { nodes: from.list()?, tets: from.list()?, node_count };
    Solid::restore(&nodes, tets, source).map_err(|e| Error::InvalidData(format!("the saved mesh is no solid: {e}")))
}

fn put_grid(to: &mut Writer, grid: &GridField, solid: &Solid) {
    let Accuracy { over, under, mean } = *grid.accuracy();
    to.put([over, under, mean, grid.thinnest_wall()]);
    to.put(grid.cells_along(solid) as u32);
    to.list(grid.values().iter().copied());
}

fn get_grid(from: &mut Reader, solid: &Solid) -> Result<GridField> {
    let [over, under, mean, thinnest_wall] = from.get()?;
    if ![over, under, mean, thinnest_wall].iter().all(|length| (0.0..f64::INFINITY).contains(length)) {
        bad_data!("the accuracy of the distance grid and the thinnest wall must be lengths");
    }
    let cells = from.get::<u32>()? as usize;
    GridField::restore(solid, (cells, from.list()?), Accuracy { over, under, mean }, thinnest_wall)
}

fn get_deviation(from: &mut Reader) -> Result<Deviation> {
    let lengths: [f64; 3] = from.get()?;
    if !lengths.iter().all(|length| (0.0..f64::INFINITY).contains(length)) {
        bad_data!("the distances from the surface must be lengths");
    }
    let [surface_to_tets, tets_to_surface, tolerance] = lengths;
    Ok(Deviation { surface_to_tets, tets_to_surface, tolerance })
}

/// The artist's mesh.
fn put_drawing(to: &mut Writer, binding: &Binding) {
    let mesh = binding.mesh();
    to.list(mesh.positions().iter().copied());
    to.list(mesh.normals().iter().copied());
    to.list(mesh.uvs().iter().copied());
    to.list(mesh.triangles().iter().copied());
    to.list(mesh.materials().iter().copied());
    to.put(binding.overhang());
}

/// Up to version 3 it came with anchors of a refined mesh, which nothing needs any more, and without its overhang.
fn get_drawing(from: &mut Reader, asset: &Asset, has_anchors: bool) -> Result<Binding> {
    let (positions, normals, uvs) = (from.list::<[f64; 3]>()?, from.list()?, from.list()?);
    let (triangles, materials) = (from.list::<[u32; 3]>()?, from.list()?);
    let overhang = match has_anchors {
        true => from.list::<u32>().map(|_| None)?,
        false => Some(from.get::<f64>()?).filter(|length| (0.0..f64::INFINITY).contains(length)),
    };
    if overhang.is_none() && !has_anchors {
        bad_data!("the overhang of the drawing mesh must be a length");
    }
    DrawingMesh::new(&positions, &triangles)
        .and_then(|mesh| mesh.with_normals(normals)?.with_uvs(uvs)?.with_materials(materials))
        .and_then(|mesh| match overhang {
            Some(length) => Binding::restore(asset.solid(), Arc::new(mesh), length),
            None => Binding::new(asset.solid(), &asset.field().locator, Arc::new(mesh), &Tasks::inline()),
        })
        .map_err(|e| Error::InvalidData(format!("the saved drawing mesh is none: {e}")))
}
