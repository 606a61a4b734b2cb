//! VTK, the older format: unstructured grids as text or binary, with cells as up to version 4 or as from version 5.
//!
//! By hand: vtkio, the crate that there is, has been a release candidate for long, reserves memory by what a file says, and
//! brings a parser for everything that VTK can hold, of which we need three lists.

use super::Mesh;
use super::bytes::{Order, Plain, Scanner, quoted};
use super::cells::{Cell, Cells};

type Result<T> = std::result::Result<T, String>;

/// What VTK calls its cells, by number.
pub fn cell_of(kind: i64) -> Result<Cell> {
    Ok(match kind {
        0..=4 | 21 | 35 | 68 => Cell::Lower,
        5 | 22 | 34 | 69 => Cell::Polygon(3),
        7 => Cell::Polygon(0),
        9 | 23 | 28 | 70 => Cell::Polygon(4),
        10 | 24 | 71 => Cell::Tet,
        11 => Cell::Other("voxel"),
        12 | 25 | 29 | 33 | 72 => Cell::Other("hexahedron"),
        13 | 26 | 31 | 32 | 73 => Cell::Other("wedge"),
        14 | 27 | 37 | 74 => Cell::Other("pyramid"),
        6 | 8 | 42 => Cell::Other("strip, pixel or polyhedron"),
        _ => return Err(format!("cells of type {kind} are not known; cut the mesh into tetrahedra")),
    })
}

/// How many nodes the commonest cells have.
fn nodes_of(kind: i64) -> Option<usize> {
    match kind {
        1 => Some(1),
        3 => Some(2),
        5 => Some(3),
        9 | 10 => Some(4),
        22 => Some(6),
        23 => Some(8),
        24 => Some(10),
        _ => None,
    }
}

/// Cells from VTK's three lists: ends of the cells in the connectivity, and their types.
pub fn add_cells(cells: &mut Cells, connectivity: &[i64], ends: &[i64], kinds: &[i64], shift: u32) -> Result<()> {
    if ends.len() != kinds.len() {
        return Err(format!("there are {} cells and {} types of cells", ends.len(), kinds.len()));
    }
    let mut start = 0;
    let mut nodes = vec![];
    for (number, (end, kind)) in ends.iter().zip(kinds).enumerate() {
        let Some(list) = usize::try_from(*end).ok().and_then(|end| connectivity.get(start..end)) else {
            return Err(format!(
                "cell {number} (from 0) ends at {end}, but the list of nodes has {}",
                connectivity.len()
            ));
        };
        start = *end as usize;
        nodes.clear();
        for node in list {
            match u32::try_from(*node).ok().and_then(|n| n.checked_add(shift)) {
                Some(node) => nodes.push(node),
                None => return Err(format!("cell {number} (from 0) names point {node}")),
            }
        }
        // A type that was cut off within its digits would be another one.
        if nodes_of(*kind).is_some_and(|count| count != nodes.len()) {
            return Err(format!("cell {number} (from 0) is of type {kind}, but has {} nodes", nodes.len()));
        }
        cell_of(*kind).and_then(|cell| cells.add(cell, &nodes)).map_err(|e| format!("cell {number} (from 0): {e}"))?;
    }
    Ok(())
}

/// Reads a grid.
pub fn read(bytes: &[u8]) -> Result<Mesh> {
    let mut from = Scanner::new(bytes);
    if !bytes.starts_with(b"# vtk DataFile Version") {
        return Err("the file does not start with \"# vtk DataFile Version\"; is it a VTK file?".into());
    }
    from.line();
    from.line(); // a title
    let binary = match from.word().map(|w| w.to_ascii_uppercase()).as_deref() {
        Some(b"ASCII") => false,
        Some(b"BINARY") => true,
        word => return from.fail(format!("ASCII or BINARY is due, and {} comes", quoted(word.unwrap_or(b"the end")))),
    };
    from.expect("DATASET")?;
    let dataset = from.word().unwrap_or_default();
    if !dataset.eq_ignore_ascii_case(b"UNSTRUCTURED_GRID") {
        return from.fail(format!("the data set is {}; an UNSTRUCTURED_GRID is needed", quoted(dataset)));
    }
    let mut lists = Lists { from, binary };
    let (mut points, mut connectivity, mut ends, mut kinds) = (vec![], vec![], vec![], vec![]);
    while let Some(word) = lists.from.word() {
        match word.to_ascii_uppercase().as_slice() {
            b"POINTS" => {
                let count: u64 = lists.from.number("the number of points")?;
                let values: Vec<f64> = lists.typed(count.saturating_mul(3), "coordinates")?;
                points = values.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
            }
            b"CELLS" => (connectivity, ends) = lists.cells()?,
            b"CELL_TYPES" => {
                let count: u64 = lists.from.number("the number of cell types")?;
                lists.from.line();
                kinds = lists.plain(count, "cell types", "int")?;
            }
            b"FIELD" => lists.skip_field()?,
            b"METADATA" => {
                // Up to an empty line.
                lists.from.line();
                while lists.from.line().is_some_and(|line| !line.is_empty()) {}
            }
            // What is known about points and cells comes last, and is nothing for us.
            b"POINT_DATA" | b"CELL_DATA" => break,
            _ => return lists.from.fail(format!("{} is not known in an unstructured grid", quoted(word))),
        }
    }
    if points.is_empty() || kinds.is_empty() {
        return lists.from.fail("points, cells or their types are missing; the file was cut short");
    }
    let mut cells = Cells::default();
    add_cells(&mut cells, &connectivity, &ends, &kinds, 0)?;
    cells.finish(points)
}

/// Lists of numbers in a file.
struct Lists<'a> {
    from: Scanner<'a>,
    binary: bool,
}

impl Lists<'_> {
    /// Numbers whose type stands before them.
    fn typed<T: FromNumber>(&mut self, count: u64, what: &str) -> Result<Vec<T>> {
        let kind = String::from_utf8_lossy(self.from.word().unwrap_or_default()).to_ascii_lowercase();
        self.from.line();
        self.plain(count, what, &kind)
    }

    fn plain<T: FromNumber>(&mut self, count: u64, what: &str, kind: &str) -> Result<Vec<T>> {
        if !self.binary {
            let count = self.from.can_hold(what, count, 1)?;
            return (0..count).map(|_| Ok(T::of_float(self.from.number(what)?))).collect();
        }
        match kind {
            "float" => self.numbers::<f32, T>(count, what, |v| T::of_float(v.into())),
            "double" => self.numbers::<f64, T>(count, what, T::of_float),
            "int" | "vtkidtype" | "unsigned_int" => self.numbers::<i32, T>(count, what, |v| T::of_int(v.into())),
            "long" | "vtktypeint64" | "unsigned_long" => self.numbers::<i64, T>(count, what, T::of_int),
            "unsigned_char" | "char" => self.numbers::<u8, T>(count, what, |v| T::of_int(v.into())),
            "short" | "unsigned_short" => self.numbers::<i16, T>(count, what, |v| T::of_int(v.into())),
            _ => self.from.fail(format!("numbers of type {kind:?} are not known")),
        }
    }

    fn numbers<N: Plain, T>(&mut self, count: u64, what: &str, to: impl Fn(N) -> T) -> Result<Vec<T>> {
        let count = self.from.can_hold(what, count, N::SIZE)?;
        let bytes = self.from.take(count * N::SIZE)?;
        Ok(bytes.chunks_exact(N::SIZE).map(|b| to(N::get(b, Order::Big))).collect())
    }

    /// The nodes of all cells, one behind the other, and where each cell ends in them.
    fn cells(&mut self) -> Result<(Vec<i64>, Vec<i64>)> {
        let count: u64 = self.from.number("the number of cells")?;
        let size: u64 = self.from.number("the length of the list of cells")?;
        self.from.line();
        let newer = self.from.rest().trim_ascii_start().starts_with(b"OFFSETS");
        if newer {
            self.from.expect("OFFSETS")?;
            let offsets: Vec<i64> = self.typed(count, "offsets")?;
            self.from.expect("CONNECTIVITY")?;
            let connectivity = self.typed(size, "nodes of cells")?;
            return Ok((connectivity, offsets.get(1..).unwrap_or_default().to_vec()));
        }
        let list: Vec<i64> = self.plain(size, "numbers of cells", "int")?;
        let (mut connectivity, mut ends) = (vec![], vec![]);
        let mut left = list.as_slice();
        for number in 0..count {
            let nodes = left.split_first().and_then(|(n, rest)| Some((rest.get(..usize::try_from(*n).ok()?)?, rest)));
            let Some((nodes, rest)) = nodes else {
                return Err(format!("the list of cells ends within cell {number} (from 0)"));
            };
            left = &rest[nodes.len()..];
            connectivity.extend(nodes);
            ends.push(connectivity.len() as i64);
        }
        Ok((connectivity, ends))
    }

    /// Named arrays that may stand before the points.
    fn skip_field(&mut self) -> Result<()> {
        self.from.word();
        let arrays: u64 = self.from.number("the number of arrays")?;
        for _ in 0..arrays {
            if self.from.word().is_none() {
                return self.from.fail("an array is due, and the file ends; it was cut short");
            }
            let components: u64 = self.from.number("a number of components")?;
            let tuples: u64 = self.from.number("a number of tuples")?;
            self.typed::<f64>(components.saturating_mul(tuples), "values of an array")?;
        }
        Ok(())
    }
}

/// What lists hold.
trait FromNumber {
    fn of_float(value: f64) -> Self;
    fn of_int(value: i64) -> Self;
}

impl FromNumber for f64 {
    fn of_float(value: f64) -> Self {
        value
    }
    fn of_int(value: i64) -> Self {
        value as f64
    }
}

impl FromNumber for i64 {
    fn of_float(value: f64) -> Self {
        // Fractions and what is too large become an index that does not exist.
        if value.fract() == 0.0 && value.abs() < 9e15 { value as i64 } else { -1 }
    }
    fn of_int(value: i64) -> Self {
        value
    }
}
