//! The sample shapes of the library, by name.

use crate::failure::{Failure, Result};
use crate::read::{Format, Mesh, parse};
use fracas::Solid;
use fracas::shapes::preset::{self, Preset};

/// Samples that take seconds to fill, with their tetrahedra in a file; `examples/ready_samples.rs` writes them.
pub const READY: [(&str, &[u8]); 2] =
    [("rabbit", include_bytes!("../samples/rabbit.vtu")), ("piggy_bank", include_bytes!("../samples/piggy_bank.vtu"))];

/// The shape of this name.
pub fn sample(name: &str) -> Result<&'static Preset> {
    let known = || preset::ALL.iter().map(|p| p.name).collect::<Vec<_>>().join(", ");
    preset::named(name).ok_or_else(|| Failure::usage(format!("{name} is no sample; samples are {}", known())))
}

/// A sample for a picture: from its file if it has one, which is the same but for the last digits of single precision.
pub fn for_picture(sample: &Preset) -> Solid {
    let ready = READY.iter().find(|(name, _)| *name == sample.name);
    let read = ready.and_then(|(_, bytes)| match parse(Format::Vtu, bytes) {
        Ok(Mesh::Tets(mesh)) => Solid::new(&mesh.points, &mesh.tets).ok(),
        _ => None,
    });
    read.unwrap_or_else(|| (sample.make)())
}
