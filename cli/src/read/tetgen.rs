//! TetGen: points in a `.node` file, tetrahedra in an `.ele` file. There is no crate for them.

use super::Mesh;
use super::bytes::{Scanner, parsed, quoted};
use super::cells::{Cell, Cells};

/// The lines of a file that say something, as words, with their numbers.
struct Rows<'a> {
    scanner: Scanner<'a>,
    line: usize,
    file: &'static str,
}

impl<'a> Rows<'a> {
    fn new(bytes: &'a [u8], file: &'static str) -> Self {
        Self { scanner: Scanner::new(bytes), line: 0, file }
    }

    fn next(&mut self, what: &str) -> Result<Vec<&'a [u8]>, String> {
        while let Some(line) = self.scanner.line() {
            self.line += 1;
            let content = line.split(|b| *b == b'#').next().unwrap_or_default();
            let words: Vec<_> = content.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty()).collect();
            if !words.is_empty() {
                return Ok(words);
            }
        }
        Err(format!("the {} file ends at line {} where {what} is due; it was cut short", self.file, self.line))
    }

    fn fail<T>(&self, what: impl std::fmt::Display) -> Result<T, String> {
        Err(format!("line {} of the {} file: {what}", self.line, self.file))
    }

    fn number<T: std::str::FromStr>(&self, words: &[&[u8]], place: usize, what: &str) -> Result<T, String> {
        match words.get(place) {
            Some(word) => match parsed(word) {
                Some(number) => Ok(number),
                None => self.fail(format!("{what} is due, and {} comes", quoted(word))),
            },
            None => self.fail(format!("{what} is missing")),
        }
    }

    /// A count that can be true: every element takes a line of some bytes.
    fn count(&self, words: &[&[u8]], what: &str) -> Result<usize, String> {
        let count: u64 = self.number(words, 0, &format!("the number of {what}"))?;
        self.scanner.can_hold(what, count, 4).map_err(|e| format!("{} file, {e}", self.file))
    }
}

/// Reads the pair.
pub fn read(nodes: &[u8], tets: &[u8]) -> Result<Mesh, String> {
    let mut rows = Rows::new(nodes, ".node");
    let head = rows.next("the number of points")?;
    let count = rows.count(&head, "points")?;
    let dimension: u32 = rows.number(&head, 1, "the dimension")?;
    if dimension != 3 {
        return rows.fail(format!("the points have {dimension} dimensions; three are needed"));
    }
    let mut points = Vec::with_capacity(count);
    let mut first = 0;
    for k in 0..count as u64 {
        let row = rows.next("a point")?;
        let number: u64 = rows.number(&row, 0, "the number of a point")?;
        if k == 0 {
            first = number;
        }
        if first > 1 || number != first + k {
            return rows.fail(format!(
                "point {number} comes where {} is due; they are numbered from 0 or 1",
                first.min(1) + k
            ));
        }
        let mut point = [0.0f64; 3];
        for (k, c) in point.iter_mut().enumerate() {
            *c = rows.number(&row, k + 1, "a coordinate")?;
            if !c.is_finite() {
                return rows.fail(format!("a coordinate of point {number} is {c}; repair or drop it"));
            }
        }
        points.push(point);
    }

    let mut rows = Rows::new(tets, ".ele");
    let head = rows.next("the number of tetrahedra")?;
    let count = rows.count(&head, "tetrahedra")?;
    let per_tet: usize = rows.number(&head, 1, "the number of nodes a tetrahedron")?;
    if per_tet != 4 && per_tet != 10 {
        return rows.fail(format!("the elements have {per_tet} nodes; tetrahedra have 4 or 10"));
    }
    let mut cells = Cells::default();
    for _ in 0..count {
        let row = rows.next("a tetrahedron")?;
        let mut corners = Vec::with_capacity(per_tet);
        for k in 0..per_tet {
            let node: u64 = rows.number(&row, k + 1, "the number of a node")?;
            match node.checked_sub(first).filter(|n| *n < points.len() as u64) {
                Some(place) => corners.push(place as u32),
                None => return rows.fail(format!("node {node} is named, but there are {}", points.len())),
            }
        }
        cells.add(Cell::Tet, &corners)?;
    }
    cells.finish(points)
}
