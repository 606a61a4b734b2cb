//! Writes the tetrahedra of the sample shapes that take seconds to fill to `samples/*.vtu`: `fracas render` starts from
//! these. `cargo run --release -p fracas-cli --example ready_samples`, after changes to the shapes or to the filling.

use flate2::{Compression, write::ZlibEncoder};
use fracas::{Solid, shapes::preset};
use fracas_cli::samples::READY;
use std::io::{self, Write};
use std::path::Path;

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    for (name, _) in READY {
        let sample = preset::named(name).ok_or_else(|| io::Error::other(format!("{name} is no sample")))?;
        let bytes = vtu(&(sample.make)())?;
        std::fs::write(folder.join(format!("{name}.vtu")), &bytes)?;
        println!("{name}.vtu: {} bytes", bytes.len());
    }
    Ok(())
}

/// Compressed, points in single precision: nobody sees a nanometre.
fn vtu(solid: &Solid) -> io::Result<Vec<u8>> {
    let (nodes, tets) = (solid.nodes(), solid.tets());
    let number = |k: &u32| u16::try_from(*k).map_err(io::Error::other);
    let corners: Vec<u16> = tets.as_flattened().iter().map(number).collect::<io::Result<_>>()?;
    let arrays: [(&str, &str, &str, Vec<u8>); 4] = [
        (
            "Points",
            "Float32",
            "",
            nodes.iter().flat_map(|p| [p.x, p.y, p.z]).flat_map(|c| (c as f32).to_le_bytes()).collect(),
        ),
        ("Cells", "UInt16", "connectivity", corners.iter().flat_map(|k| k.to_le_bytes()).collect()),
        ("Cells", "Int32", "offsets", (1..=tets.len() as i32).flat_map(|k| (4 * k).to_le_bytes()).collect()),
        ("Cells", "UInt8", "types", vec![10; tets.len()]),
    ];
    let (mut data, mut elements) = (vec![], vec![]);
    for (_, kind, name, bytes) in &arrays {
        let components = if name.is_empty() { " NumberOfComponents=\"3\"" } else { "" };
        let at = data.len();
        elements.push(format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\"{components} format=\"appended\" offset=\"{at}\"/>"
        ));
        let mut packed = ZlibEncoder::new(vec![], Compression::best());
        packed.write_all(bytes)?;
        let packed = packed.finish()?;
        // One block, and no part of another.
        data.extend([1, bytes.len() as u32, 0, packed.len() as u32].into_iter().flat_map(u32::to_le_bytes));
        data.extend(packed);
    }
    let head = format!(
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt32\" \
         compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid><Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n\
         <Points>{}</Points>\n<Cells>{}</Cells>\n</Piece></UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_",
        nodes.len(),
        tets.len(),
        elements[0],
        elements[1..].concat()
    );
    Ok([head.as_bytes(), &data, b"\n</AppendedData>\n</VTKFile>\n"].concat())
}
