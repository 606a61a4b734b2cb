//! Meshes from files: surfaces and tetrahedra, whatever the format.
//!
//! What a file says is never believed: counts are held against the bytes that are there before anything is allocated, and
//! every index and coordinate is checked. A reader answers with the sentence that follows the name of the file.

mod bytes;
mod cells;
mod gltf;
mod msh;
mod obj;
mod ply;
mod polygon;
mod stl;
mod tetgen;
mod vtk;
mod vtu;

use crate::failure::{Failure, Result};
use crate::files;
use crate::material::Palette;
use std::path::{Path, PathBuf};

/// What was in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Mesh {
    /// A triangle surface.
    Surface(Surface),
    /// A tetrahedral mesh.
    Tets(Tets),
}

/// A triangle surface as an artist made it: vertices are doubled where texture coordinates or normals jump.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Positions.
    pub points: Vec<[f64; 3]>,
    /// A normal for each point, or none at all.
    pub normals: Vec<[f64; 3]>,
    /// Texture coordinates for each point, or none at all. The second one grows upwards, as in OBJ.
    pub uvs: Vec<[f64; 2]>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The material of each triangle, or none at all: a place in `palette`.
    pub materials: Vec<u32>,
    /// The materials.
    pub palette: Palette,
    /// What was passed over, a sentence each.
    pub remarks: Vec<String>,
}

/// Tetrahedra.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tets {
    /// Positions.
    pub points: Vec<[f64; 3]>,
    /// Places in `points`.
    pub tets: Vec<[u32; 4]>,
    /// What was passed over, a sentence each.
    pub remarks: Vec<String>,
}

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// Stanford PLY.
    Ply,
    /// STL.
    Stl,
    /// glTF 2.0, in one file or as text.
    Gltf,
    /// Gmsh.
    Msh,
    /// TetGen's `.node`, with an `.ele` beside it.
    TetgenNode,
    /// TetGen's `.ele`, with a `.node` beside it.
    TetgenEle,
    /// VTK, the older format.
    Vtk,
    /// VTK, as XML.
    Vtu,
}

/// What a message calls a file that Fracas saved.
const SAVED: &[u8] = b"FRACAS\r\n";

impl Format {
    /// All, with the ends of their names and what they are called.
    const ALL: [(Self, &'static [&'static str], &'static str); 9] = [
        (Self::Obj, &["obj"], "an OBJ file"),
        (Self::Ply, &["ply"], "a PLY file"),
        (Self::Stl, &["stl"], "an STL file"),
        (Self::Gltf, &["glb", "gltf"], "a glTF file"),
        (Self::Msh, &["msh"], "a Gmsh file"),
        (Self::TetgenNode, &["node"], "a TetGen node file"),
        (Self::TetgenEle, &["ele"], "a TetGen element file"),
        (Self::Vtk, &["vtk"], "a VTK file"),
        (Self::Vtu, &["vtu"], "a VTU file"),
    ];

    /// By the end of a file's name.
    pub fn of_name(path: &Path) -> Option<Self> {
        let end = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.iter().find(|(_, ends, _)| ends.contains(&end.as_str())).map(|(format, ..)| *format)
    }

    /// By how the content starts, where that is unmistakable.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        let starts = |with: &[u8]| bytes.starts_with(with);
        match bytes {
            _ if starts(b"ply\n") || starts(b"ply\r") => Some(Self::Ply),
            _ if starts(b"glTF") => Some(Self::Gltf),
            _ if starts(b"$MeshFormat") => Some(Self::Msh),
            _ if starts(b"# vtk DataFile") => Some(Self::Vtk),
            _ if starts(b"<VTKFile") || starts(b"<?xml") => Some(Self::Vtu),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(format, ..)| *format == self).map_or("a mesh", |(_, _, name)| name)
    }
}

/// Reads a mesh.
pub fn read(path: &Path) -> Result<Mesh> {
    let bytes = files::read(path)?;
    if bytes.starts_with(SAVED) {
        return Err(Failure::data(path, "this is a file that Fracas saved, not a mesh; give it to `fracas info`"));
    }
    let (by_name, by_content) = (Format::of_name(path), Format::of_content(&bytes));
    let Some(format) = by_name.or(by_content) else {
        let ends: Vec<&str> = Format::ALL.iter().flat_map(|(_, ends, _)| ends.iter().copied()).collect();
        return Err(Failure::data(
            path,
            format!("neither the end of the name nor the content is that of a mesh; known are .{}", ends.join(", .")),
        ));
    };
    if let Some(found) = by_content.filter(|found| *found != format) {
        return Err(Failure::data(
            path,
            format!("this is {} by its content and {} by its name; rename it", found.name(), format.name()),
        ));
    }
    let beside = |end: &str| {
        let other = beside(path, end);
        files::read(&other)
    };
    let load = |name: &str| {
        let other = path.with_file_name(name);
        files::read(&other).map_err(|failure| failure.message)
    };
    let mesh = match format {
        Format::TetgenNode => tetgen::read(&bytes, &beside("ele")?),
        Format::TetgenEle => tetgen::read(&beside("node")?, &bytes),
        Format::Obj => obj::read(&bytes, &load),
        Format::Gltf => gltf::read(&bytes, &load),
        format => parse(format, &bytes),
    };
    mesh.map_err(|what| Failure::data(path, printable(what)))
}

/// A message may quote a file: what would not stay on its line, or speak to a terminal, becomes a space.
fn printable(what: String) -> String {
    what.replace(char::is_control, " ")
}

/// A mesh from the content of a single file; TetGen's come in pairs, see [`parse_tetgen`].
pub fn parse(format: Format, bytes: &[u8]) -> std::result::Result<Mesh, String> {
    let mesh = match format {
        Format::Obj => obj::read(bytes, &|name| Err(format!("the materials {name:?} are in another file"))),
        Format::Ply => ply::read(bytes),
        Format::Stl => stl::read(bytes),
        Format::Gltf => gltf::read(bytes, &|name| Err(format!("the buffer {name:?} is in another file"))),
        Format::Msh => msh::read(bytes),
        Format::Vtk => vtk::read(bytes),
        Format::Vtu => vtu::read(bytes),
        Format::TetgenNode | Format::TetgenEle => Err("a TetGen mesh is two files, .node and .ele".into()),
    };
    mesh.map_err(printable)
}

/// Tetrahedra from the contents of a `.node` and an `.ele` file.
pub fn parse_tetgen(nodes: &[u8], tets: &[u8]) -> std::result::Result<Mesh, String> {
    tetgen::read(nodes, tets).map_err(printable)
}

/// The file of the same name with another end.
fn beside(path: &Path, end: &str) -> PathBuf {
    path.with_extension(end)
}

impl Surface {
    /// The last step of every reader: are all numbers finite, all indices in range?
    fn checked(self) -> std::result::Result<Mesh, String> {
        check_points(&self.points)?;
        if self.triangles.is_empty() {
            return Err("the file has no triangles; is it the right one?".into());
        }
        check_corners("triangle", &self.triangles, self.points.len())?;
        let whole = |count: usize, wanted: usize| count == 0 || count == wanted;
        if !(whole(self.normals.len(), self.points.len()) && whole(self.uvs.len(), self.points.len())) {
            return Err("there are not as many normals or texture coordinates as points".into());
        }
        Ok(Mesh::Surface(self))
    }
}

impl Tets {
    /// The last step of every reader.
    fn checked(self) -> std::result::Result<Mesh, String> {
        check_points(&self.points)?;
        if self.tets.is_empty() {
            return Err("the file has no tetrahedra; is it the right one?".into());
        }
        check_corners("tetrahedron", &self.tets, self.points.len())?;
        Ok(Mesh::Tets(self))
    }
}

fn check_points(points: &[[f64; 3]]) -> std::result::Result<(), String> {
    if points.len() >= u32::MAX as usize {
        return Err(format!("there are {} points; at most {} can be numbered", points.len(), u32::MAX - 1));
    }
    for (number, point) in points.iter().enumerate() {
        if let Some(k) = point.iter().position(|c| !c.is_finite()) {
            let axis = ["x", "y", "z"][k];
            return Err(format!("{axis} of point {number} (from 0) is {}; repair or drop that point", point[k]));
        }
    }
    Ok(())
}

fn check_corners<const N: usize>(what: &str, all: &[[u32; N]], points: usize) -> std::result::Result<(), String> {
    for (number, corners) in all.iter().enumerate() {
        if let Some(k) = corners.iter().find(|k| **k as usize >= points) {
            return Err(format!("{what} {number} (from 0) names point {k}, but there are {points}"));
        }
    }
    Ok(())
}
