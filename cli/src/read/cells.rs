//! The cells of a volume mesh: tetrahedra, or, in a file without any, the triangles of a surface.

use super::{Mesh, Surface, Tets, polygon};

/// What a cell is, whatever a format calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Point or line: of no interest.
    Lower,
    /// Triangle, or any polygon; the given number of its nodes are corners (0: all), the others lie on its edges.
    Polygon(usize),
    /// Tetrahedron, whose first four nodes are its corners.
    Tet,
    /// Hexahedron, prism and so on: not read, and not to be passed over either, since that would leave holes.
    Other(&'static str),
}

/// Cells as they are read.
#[derive(Default)]
pub struct Cells {
    tets: Vec<[u32; 4]>,
    polygons: Vec<Vec<u32>>,
    curved: bool,
}

impl Cells {
    /// Adds a cell with its nodes.
    pub fn add(&mut self, cell: Cell, nodes: &[u32]) -> Result<(), String> {
        match cell {
            Cell::Lower => {}
            Cell::Polygon(corners) => {
                let corners = if corners == 0 { nodes.len() } else { corners };
                match nodes.get(..corners).filter(|_| corners >= 3) {
                    Some(corners) => self.polygons.push(corners.to_vec()),
                    None => return Err(format!("a polygon has {} nodes", nodes.len())),
                }
                self.curved |= nodes.len() > corners;
            }
            Cell::Tet => {
                let Some(corners) = nodes.first_chunk::<4>() else {
                    return Err(format!("a tetrahedron has {} nodes", nodes.len()));
                };
                self.tets.push(*corners);
                self.curved |= nodes.len() > 4;
            }
            Cell::Other(name) => {
                return Err(format!("a {name} is not read; cut the mesh into tetrahedra before exporting it"));
            }
        }
        Ok(())
    }

    /// The mesh: tetrahedra if there are any, else a surface.
    pub fn finish(self, points: Vec<[f64; 3]>) -> Result<Mesh, String> {
        let mut remarks = vec![];
        if self.curved {
            remarks.push("cells of higher order were straightened: only their corners count".into());
        }
        if !self.tets.is_empty() {
            return Tets { points, tets: self.tets, remarks }.checked();
        }
        let mut triangles = vec![];
        for (number, nodes) in self.polygons.iter().enumerate() {
            let corners: Option<Vec<_>> = nodes.iter().map(|n| points.get(*n as usize).copied()).collect();
            let Some(corners) = corners else {
                return Err(format!(
                    "polygon {number} (from 0) names points {nodes:?}, but there are {}",
                    points.len()
                ));
            };
            triangles.extend(polygon::triangles(&corners).into_iter().map(|t| t.map(|k| nodes[k])));
        }
        if triangles.is_empty() {
            return Err("the file has neither tetrahedra nor triangles; is it the right one?".into());
        }
        Surface { points, triangles, remarks, ..Surface::default() }.checked()
    }
}
