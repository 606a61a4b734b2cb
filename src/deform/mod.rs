//! Deforming meshes (FASTCD: Heo et al. 2010). By now: the elementary tests of continuous collision.

pub mod ccd;
