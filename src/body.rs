//! Objects: rigid bodies, intact or fragments. Immutable, cheap to clone, safe to use from any thread.

use crate::asset::Asset;
use crate::field::breaks::{Break, CrackPoint, Piece};
use crate::geom::aabb::Aabb;
use crate::geom::moments::MassProperties;
use std::sync::Arc;

/// One rigid body: an intact instance of an asset, or a fragment. It keeps the frame of its asset.
#[derive(Clone, Debug)]
pub struct Object {
    asset: Arc<Asset>,
    /// The break that made it; none while it is intact.
    made_by: Option<Arc<Break>>,
    piece: u32,
}

impl Object {
    /// The intact objects of an asset: one for each connected body.
    pub fn intact(asset: &Arc<Asset>) -> Vec<Self> {
        (0..asset.intact().pieces.len() as u32)
            .map(|piece| Self { asset: asset.clone(), made_by: None, piece })
            .collect()
    }

    /// The fragments of a break.
    pub(crate) fn fragments(asset: &Arc<Asset>, made_by: Arc<Break>) -> Vec<Self> {
        (0..made_by.pieces.len() as u32)
            .map(|piece| Self { asset: asset.clone(), made_by: Some(made_by.clone()), piece })
            .collect()
    }

    /// What it was made from.
    pub fn asset(&self) -> &Arc<Asset> {
        &self.asset
    }

    /// The break that it is a piece of; for an intact object the one that cut nothing.
    pub fn made_by(&self) -> &Break {
        self.made_by.as_deref().unwrap_or(self.asset.intact())
    }

    /// Its number among the fragments of its break.
    pub fn piece_number(&self) -> u32 {
        self.piece
    }

    /// Its part of the break.
    pub fn piece(&self) -> &Piece {
        &self.made_by().pieces[self.piece as usize]
    }

    /// Whether it comes from a fracture.
    pub fn is_fragment(&self) -> bool {
        self.made_by.is_some()
    }

    /// Whether both are pieces of the same break (or connected bodies of the same intact asset).
    pub fn is_sibling(&self, other: &Self) -> bool {
        std::ptr::eq(self.made_by(), other.made_by())
    }

    /// Its nodes, ascending. A node keeps its number for ever and belongs to exactly one living object of a family.
    pub fn nodes(&self) -> &[u32] {
        self.made_by().nodes_of(self.piece)
    }

    /// Its sample points on cracks. A point keeps its id through all later fractures.
    pub fn crack_points(&self) -> &[CrackPoint] {
        self.made_by().points_of(self.piece)
    }

    /// Volume, mass, centre of mass and inertia, in the frame of the asset.
    pub fn mass(&self) -> &MassProperties {
        &self.piece().mass
    }

    /// Box around it, in the frame of the asset.
    pub fn bounds(&self) -> &Aabb {
        &self.piece().bounds
    }

    /// Whether it owns a point, given as barycentric coordinates in a tetrahedron of the asset. Of all living objects of
    /// a family exactly one does.
    pub fn owns(&self, tet: u32, weights: &[f64; 4]) -> bool {
        self.made_by().owns(self.piece, tet, &self.asset.solid().tets()[tet as usize], weights)
    }
}
