//! Planes around pieces.

use super::bytes::{Reader, Writer};
use crate::crack::breaks::CellPlane;
use crate::error::{Result, bad_data};
use crate::geom::Vector;
use crate::geom::plane::Plane;

pub fn put_plane(to: &mut Writer, plane: &CellPlane) {
    let Plane { normal, offset } = plane.plane;
    to.put([normal.x, normal.y, normal.z, offset]);
    to.put(plane.has_face as u8);
    to.put([plane.neighbour, plane.generation, plane.cells[0], plane.cells[1]]);
}

pub fn get_plane(from: &mut Reader) -> Result<CellPlane> {
    let [x, y, z, offset] = from.get()?;
    let has_face = match from.get::<u8>()? {
        flag @ 0..=1 => flag == 1,
        other => bad_data!("whether a piece has a face on a plane is neither yes nor no, but {other}"),
    };
    let [neighbour, generation, a, b] = from.get()?;
    let plane = Plane { normal: Vector::new(x, y, z), offset };
    Ok(CellPlane { plane, has_face, neighbour, generation, cells: [a, b] })
}
