//! Gmsh: versions 2.2 and 4.1, text and binary.
//!
//! By hand, since the reader that there is (mshio) knows 4.1 only, and nobody has touched it for years.

use super::Mesh;
use super::bytes::{Order, Scanner, quoted};
use super::cells::{Cell, Cells};
use std::collections::HashMap;

type Result<T> = std::result::Result<T, String>;

/// How the numbers of a file are written.
#[derive(Clone, Copy)]
struct Form {
    newer: bool,
    /// `None`: as text.
    binary: Option<Order>,
    /// Whether a `size_t` of a binary file has eight bytes.
    wide: bool,
}

impl Form {
    /// The fewest bytes that a number takes, for counts that cannot be true.
    fn least(&self, binary: usize) -> usize {
        if self.binary.is_some() { binary } else { 2 }
    }

    fn int(&self, from: &mut Scanner, what: &str) -> Result<i64> {
        match self.binary {
            Some(order) => Ok(from.get::<i32>(order)?.into()),
            None => from.number(what),
        }
    }

    fn size(&self, from: &mut Scanner, what: &str) -> Result<u64> {
        match self.binary {
            Some(order) if self.wide => from.get(order),
            Some(order) => Ok(from.get::<u32>(order)?.into()),
            None => from.number(what),
        }
    }

    fn size_bytes(&self) -> usize {
        self.least(if self.wide { 8 } else { 4 })
    }

    /// Tags of nodes and elements: `int` in 2.2, `size_t` in 4.1.
    fn tag(&self, from: &mut Scanner, what: &str) -> Result<u64> {
        match self.newer {
            true => self.size(from, what),
            false => match u64::try_from(self.int(from, what)?) {
                Ok(tag) => Ok(tag),
                Err(_) => from.fail(format!("{what} is negative")),
            },
        }
    }

    fn float(&self, from: &mut Scanner) -> Result<f64> {
        let value = match self.binary {
            Some(order) => from.get(order)?,
            None => from.number("a coordinate")?,
        };
        if !f64::is_finite(value) {
            return from.fail(format!("a coordinate is {value}; repair or drop that node"));
        }
        Ok(value)
    }
}

#[derive(Default)]
struct Nodes {
    points: Vec<[f64; 3]>,
    numbers: HashMap<u64, u32>,
}

/// Reads tetrahedra, or a surface if there are none.
pub fn read(bytes: &[u8]) -> Result<Mesh> {
    let mut from = Scanner::new(bytes);
    from.expect("$MeshFormat")?;
    let form = read_format(&mut from)?;
    let (mut nodes, mut cells) = (None, None);
    while let Some(word) = from.word() {
        let word = word.to_vec();
        match word.as_slice() {
            b"$Nodes" => {
                from.line();
                let nodes =
                    nodes.insert(if form.newer { nodes_4(&mut from, &form) } else { nodes_2(&mut from, &form) }?);
                if nodes.points.is_empty() {
                    return from.fail("there are no nodes");
                }
                from.expect("$EndNodes")?;
            }
            b"$Elements" => {
                from.line();
                let Some(nodes) = &nodes else {
                    return from.fail("the elements come before the nodes");
                };
                cells = Some(if form.newer {
                    elements_4(&mut from, &form, nodes)
                } else {
                    elements_2(&mut from, &form, nodes)
                }?);
                from.expect("$EndElements")?;
            }
            // Entities, names, data: nothing for us.
            _ if word.starts_with(b"$") && !word.starts_with(b"$End") => {
                let end = [b"$End", &word[1..]].concat();
                if !from.skip_past(&end) {
                    return from.fail(format!("the section {} does not end; the file was cut short", quoted(&word)));
                }
            }
            _ => return from.fail(format!("a section is due, and {} comes", quoted(&word))),
        }
    }
    match (nodes, cells) {
        (Some(nodes), Some(cells)) => cells.finish(nodes.points),
        (None, _) => from.fail("the file has no section $Nodes; it was cut short"),
        (_, None) => from.fail("the file has no section $Elements; it was cut short"),
    }
}

fn read_format(from: &mut Scanner) -> Result<Form> {
    let version: String = from.number("a version")?;
    let newer = match version.as_str() {
        "2.2" | "2.1" | "2" | "2.0" => false,
        "4.1" => true,
        _ => return from.fail(format!("version {version} is not read; export the mesh as version 4.1 or 2.2")),
    };
    let kind: u32 = from.number("0 for text or 1 for binary")?;
    let size: u32 = from.number("a data size")?;
    let wide = match size {
        8 => true,
        4 => false,
        _ => return from.fail(format!("the data size is {size}; it must be 4 or 8")),
    };
    from.line();
    let binary = match kind {
        0 => None,
        1 => match from.take(4)? {
            [1, 0, 0, 0] => Some(Order::Little),
            [0, 0, 0, 1] => Some(Order::Big),
            _ => return from.fail("the number one, which tells the order of bytes, is not there"),
        },
        _ => return from.fail(format!("the file type is {kind}; it must be 0 for text or 1 for binary")),
    };
    from.expect("$EndMeshFormat")?;
    Ok(Form { newer, binary, wide })
}

impl Nodes {
    fn add(&mut self, from: &Scanner, tag: u64, point: [f64; 3]) -> Result<()> {
        if self.numbers.insert(tag, self.points.len() as u32).is_some() {
            return from.fail(format!("node {tag} comes twice"));
        }
        self.points.push(point);
        Ok(())
    }

    fn number(&self, from: &Scanner, tag: u64) -> Result<u32> {
        match self.numbers.get(&tag) {
            Some(number) => Ok(*number),
            None => from.fail(format!("an element names node {tag}, which is not there")),
        }
    }
}

fn nodes_2(from: &mut Scanner, form: &Form) -> Result<Nodes> {
    let count = from.number("the number of nodes")?;
    from.line();
    let count = from.can_hold("nodes", count, form.least(28))?;
    let mut nodes = Nodes::default();
    for _ in 0..count {
        let tag = form.tag(from, "the number of a node")?;
        let point = [form.float(from)?, form.float(from)?, form.float(from)?];
        nodes.add(from, tag, point)?;
    }
    Ok(nodes)
}

fn nodes_4(from: &mut Scanner, form: &Form) -> Result<Nodes> {
    let blocks = form.size(from, "the number of blocks")?;
    for what in ["the number of nodes", "the lowest tag", "the highest tag"] {
        form.size(from, what)?;
    }
    let blocks = from.can_hold("blocks of nodes", blocks, form.least(16))?;
    let mut nodes = Nodes::default();
    for _ in 0..blocks {
        let dimension = form.int(from, "the dimension of an entity")?;
        form.int(from, "the tag of an entity")?;
        let parametric = form.int(from, "whether nodes are parametric")?;
        let count = form.size(from, "the number of nodes in a block")?;
        let count = from.can_hold("nodes", count, form.size_bytes() + form.least(24))?;
        let tags = (0..count).map(|_| form.tag(from, "the tag of a node")).collect::<Result<Vec<_>>>()?;
        for tag in tags {
            let point = [form.float(from)?, form.float(from)?, form.float(from)?];
            if parametric != 0 {
                for _ in 0..dimension.clamp(0, 3) {
                    form.float(from)?;
                }
            }
            nodes.add(from, tag, point)?;
        }
    }
    Ok(nodes)
}

fn elements_2(from: &mut Scanner, form: &Form, nodes: &Nodes) -> Result<Cells> {
    let count = from.number("the number of elements")?;
    from.line();
    let count = from.can_hold("elements", count, form.least(4))?;
    let mut cells = Cells::default();
    let mut read = 0;
    while read < count {
        // In binary, elements of one type and number of tags come in blocks.
        let (kind, block, tags) = match form.binary {
            Some(_) => {
                let kind = form.int(from, "a type")?;
                let block = form.int(from, "a number of elements")?;
                (kind, block, form.int(from, "a number of tags")?)
            }
            None => {
                form.int(from, "the number of an element")?;
                let kind = form.int(from, "the type of an element")?;
                (kind, 1, form.int(from, "a number of tags")?)
            }
        };
        let (cell, corners) = cell_of(from, kind)?;
        let block = usize::try_from(block).ok().filter(|n| (1..=count - read).contains(n));
        let (Some(block), Ok(tags)) = (block, u32::try_from(tags)) else {
            return from.fail("a block of elements has an impossible length or number of tags");
        };
        for _ in 0..block {
            if form.binary.is_some() {
                form.int(from, "the number of an element")?;
            }
            for _ in 0..tags {
                form.int(from, "a tag")?;
            }
            add_cell(from, form, nodes, &mut cells, cell, corners)?;
        }
        read += block;
    }
    Ok(cells)
}

fn elements_4(from: &mut Scanner, form: &Form, nodes: &Nodes) -> Result<Cells> {
    let blocks = form.size(from, "the number of blocks")?;
    for what in ["the number of elements", "the lowest tag", "the highest tag"] {
        form.size(from, what)?;
    }
    let blocks = from.can_hold("blocks of elements", blocks, form.least(16))?;
    let mut cells = Cells::default();
    for _ in 0..blocks {
        form.int(from, "the dimension of an entity")?;
        form.int(from, "the tag of an entity")?;
        let kind = form.int(from, "the type of elements")?;
        let count = form.size(from, "the number of elements in a block")?;
        let (cell, corners) = cell_of(from, kind)?;
        let count = from.can_hold("elements", count, form.size_bytes() * (1 + corners))?;
        for _ in 0..count {
            form.tag(from, "the tag of an element")?;
            add_cell(from, form, nodes, &mut cells, cell, corners)?;
        }
    }
    Ok(cells)
}

fn add_cell(
    from: &mut Scanner,
    form: &Form,
    nodes: &Nodes,
    cells: &mut Cells,
    cell: Cell,
    corners: usize,
) -> Result<()> {
    let mut numbers = [0; 56];
    for number in &mut numbers[..corners] {
        let tag = form.tag(from, "a node of an element")?;
        *number = nodes.number(from, tag)?;
    }
    cells.add(cell, &numbers[..corners]).or_else(|what| from.fail(what))
}

/// What an element type is, and how many nodes it has (at most 56 of those known here).
fn cell_of(from: &Scanner, kind: i64) -> Result<(Cell, usize)> {
    Ok(match kind {
        15 => (Cell::Lower, 1),
        1 => (Cell::Lower, 2),
        8 => (Cell::Lower, 3),
        26 => (Cell::Lower, 4),
        27 => (Cell::Lower, 5),
        28 => (Cell::Lower, 6),
        2 => (Cell::Polygon(3), 3),
        9 => (Cell::Polygon(3), 6),
        21 => (Cell::Polygon(3), 10),
        23 => (Cell::Polygon(3), 15),
        25 => (Cell::Polygon(3), 21),
        3 => (Cell::Polygon(4), 4),
        10 => (Cell::Polygon(4), 9),
        16 => (Cell::Polygon(4), 8),
        4 => (Cell::Tet, 4),
        11 => (Cell::Tet, 10),
        29 => (Cell::Tet, 20),
        30 => (Cell::Tet, 35),
        31 => (Cell::Tet, 56),
        5 => (Cell::Other("hexahedron"), 8),
        17 => (Cell::Other("hexahedron"), 20),
        12 => (Cell::Other("hexahedron"), 27),
        6 => (Cell::Other("prism"), 6),
        18 => (Cell::Other("prism"), 15),
        13 => (Cell::Other("prism"), 18),
        7 => (Cell::Other("pyramid"), 5),
        19 => (Cell::Other("pyramid"), 13),
        14 => (Cell::Other("pyramid"), 14),
        _ => return from.fail(format!("elements of type {kind} are not known; cut the mesh into tetrahedra")),
    })
}
