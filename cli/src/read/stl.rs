//! STL, text and binary.
//!
//! By hand, since the reader that there is (stl_io) ends at the first `endsolid` and silently loses what follows, takes
//! binary files whose header begins with "solid" for text (many programs write them), and names no line.

use super::bytes::{Order, Scanner, quoted};
use super::{Mesh, Surface};

/// Behind 80 bytes of anything and the number of triangles, each takes this many bytes.
const TRIANGLE: usize = 50;

/// Reads a surface.
pub fn read(bytes: &[u8]) -> Result<Mesh, String> {
    // Text begins with "solid", but so do some binary files. Those are as long as their count says.
    let text = bytes.trim_ascii_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"solid"));
    let announced = bytes.get(80..84).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    let fits = announced.is_some_and(|n| n.checked_mul(TRIANGLE).and_then(|b| b.checked_add(84)) == Some(bytes.len()));
    let mut surface = Surface::default();
    let mut add = |corners: [[f64; 3]; 3]| {
        let first = surface.points.len() as u32;
        surface.points.extend(corners);
        surface.triangles.push([first, first + 1, first + 2]);
    };
    if text && !fits {
        read_text(bytes, &mut add)?
    } else {
        read_binary(bytes, &mut add)?
    }
    surface.checked()
}

fn read_binary(bytes: &[u8], add: &mut impl FnMut([[f64; 3]; 3])) -> Result<(), String> {
    let mut scanner = Scanner::new(bytes);
    if bytes.len() < 84 {
        return Err(format!("{} bytes are too few for an STL file, which has a header of 84", bytes.len()));
    }
    scanner.take(80)?;
    let count: u32 = scanner.get(Order::Little)?;
    let follow = scanner.rest().len();
    if (count as usize).checked_mul(TRIANGLE).is_none_or(|needed| needed > follow) {
        return Err(format!(
            "{count} triangles of {TRIANGLE} bytes are announced, but {follow} bytes follow; the file was cut short, or is no STL file"
        ));
    }
    for number in 0..count {
        scanner.take(12)?; // the normal: it follows from the corners
        let mut corners = [[0.0; 3]; 3];
        for coordinate in corners.as_flattened_mut() {
            let value: f32 = scanner.get(Order::Little)?;
            if !value.is_finite() {
                return Err(format!("triangle {number} (from 0) has the coordinate {value}; repair or drop it"));
            }
            *coordinate = value as f64;
        }
        scanner.take(2)?;
        add(corners);
    }
    Ok(())
}

fn read_text(bytes: &[u8], add: &mut impl FnMut([[f64; 3]; 3])) -> Result<(), String> {
    let mut scanner = Scanner::new(bytes);
    scanner.skip_space();
    scanner.line(); // solid, and its name
    while let Some(word) = scanner.word() {
        match word.to_ascii_lowercase().as_slice() {
            b"facet" => {
                scanner.expect("normal")?;
                for _ in 0..3 {
                    // Not used, and sometimes written as "nan".
                    scanner.number::<f64>("a normal of three numbers")?;
                }
                scanner.expect("outer")?;
                scanner.expect("loop")?;
                let mut corners = [[0.0; 3]; 3];
                for corner in &mut corners {
                    scanner.expect("vertex")?;
                    for coordinate in corner {
                        *coordinate = scanner.number::<f32>("a coordinate")? as f64;
                        if !coordinate.is_finite() {
                            return scanner.fail(format!("a coordinate is {coordinate}; repair or drop that triangle"));
                        }
                    }
                }
                scanner.expect("endloop")?;
                scanner.expect("endfacet")?;
                add(corners);
            }
            // There may be several solids, one behind the other.
            b"endsolid" => {
                scanner.line();
            }
            b"solid" => {
                scanner.line();
            }
            _ => return scanner.fail(format!("\"facet\" or \"endsolid\" is due, and {} comes", quoted(word))),
        }
    }
    if !bytes.to_ascii_lowercase().windows(8).any(|w| w == b"endsolid") {
        return scanner.fail("the file ends without \"endsolid\"; it was cut short");
    }
    Ok(())
}
