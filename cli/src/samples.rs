//! The sample shapes of the library, by name.

use crate::failure::{Failure, Result};
use fracas::shapes::preset::{self, Preset};

/// The shape of this name.
pub fn sample(name: &str) -> Result<&'static Preset> {
    let known = || preset::ALL.iter().map(|p| p.name).collect::<Vec<_>>().join(", ");
    preset::named(name).ok_or_else(|| Failure::usage(format!("{name} is no sample; samples are {}", known())))
}
