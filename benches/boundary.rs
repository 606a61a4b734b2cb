//! What the C interface costs: `cargo bench --bench boundary --features capi`. The same call from Rust and through C, in turn, on one core;
//! the difference is that of the quiet timings (a tenth is below), since others may use the machine. Far apart a query does next to nothing, so that the boundary is what is measured.
#![allow(unsafe_code)] // it calls what C calls

#[path = "../tests/common/mod.rs"]
mod common;

use fracas::contact::{QueryOptions, query_pair, query_shape};
use fracas::ffi::*;
use fracas::field::shape::HalfSpace;
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::{Asset, CookOptions, Object, Solid, Vector, shapes};
use std::hint::black_box;
use std::ptr::null;
use std::time::Instant;

/// Calls a timing, and timings.
const CALLS: u32 = 2000;
const TIMINGS: usize = 301;

fn main() {
    let solid = shapes::ball(0.1, 8);
    let ours = Object::intact(&Asset::cook(copy(&solid), &CookOptions::default()).unwrap()).remove(0);
    let theirs = through_c(&solid);
    println!(
        "{TIMINGS} timings of {CALLS} calls each; nanoseconds a call, median (and a tenth of the timings below, above)"
    );
    for (name, z) in [("far apart", 10.0), ("touching", 0.199)] {
        let (up, here) = (Pose::translation(0.0, 0.0, z), Pose::identity());
        let (c_up, c_here) = (pose(z), pose(0.0));
        let (mut out, mut contacts, mut count) = (vec![], [fc_contact::default(); 64], 0);
        let options = QueryOptions::default();
        let rust = || {
            out.clear();
            query_pair(black_box(&ours), &up, &ours, &here, &options, &mut out).unwrap();
        };
        let c = || {
            // SAFETY: all pointers are good.
            let status = unsafe {
                fc_query_pair(black_box(theirs), &c_up, theirs, &c_here, null(), contacts.as_mut_ptr(), 64, &mut count)
            };
            assert_eq!(status, FC_OK);
        };
        compare(&format!("fc_query_pair, {name}"), rust, c);
        assert_eq!(out.len() as u32, count);

        let floor = HalfSpace(Plane { normal: Vector::z(), offset: 0.1 });
        let mut c_floor = std::mem::MaybeUninit::uninit();
        // SAFETY: it is filled, and then the kind is set.
        let c_floor = unsafe {
            fc_shape_init(c_floor.as_mut_ptr(), size_of::<fc_shape>() as u32);
            fc_shape { kind: FC_SHAPE_HALF_SPACE, offset: 0.1, ..c_floor.assume_init() }
        };
        let rust = || {
            out.clear();
            query_shape(black_box(&ours), &up, &floor, &here, &options, &mut out).unwrap();
        };
        let c = || {
            // SAFETY: all pointers are good.
            let status = unsafe {
                fc_query_shape(
                    black_box(theirs),
                    &c_up,
                    &c_floor,
                    &c_here,
                    null(),
                    contacts.as_mut_ptr(),
                    64,
                    &mut count,
                )
            };
            assert_eq!(status, FC_OK);
        };
        compare(&format!("fc_query_shape, {name}"), rust, c);
        assert_eq!(out.len() as u32, count);
    }
    let mut mass = std::mem::MaybeUninit::uninit();
    let rust = || {
        black_box(*black_box(&ours).mass());
    };
    let c = || {
        // SAFETY: the pointer is good.
        assert_eq!(unsafe { fc_object_mass(black_box(theirs), mass.as_mut_ptr()) }, FC_OK);
    };
    compare("fc_object_mass", rust, c);
}

fn pose(z: f64) -> fc_pose {
    fc_pose { position: [0.0, 0.0, z], rotation: [0.0, 0.0, 0.0, 1.0] }
}

/// Single precision, as it comes through C.
fn copy(solid: &Solid) -> Solid {
    let nodes: Vec<[f64; 3]> = solid.nodes().iter().map(|p| [p.x, p.y, p.z].map(|c| c as f32 as f64)).collect();
    Solid::new(&nodes, solid.tets()).unwrap()
}

fn through_c(solid: &Solid) -> fc_object {
    let positions: Vec<f32> = solid.nodes().iter().flat_map(|p| [p.x as f32, p.y as f32, p.z as f32]).collect();
    let mut desc = std::mem::MaybeUninit::<fc_asset_desc>::uninit();
    let (mut asset, mut object) = (fc_asset::default(), fc_object::default());
    // SAFETY: all pointers are good.
    unsafe {
        fc_asset_desc_init(desc.as_mut_ptr(), size_of::<fc_asset_desc>() as u32);
        let desc = fc_asset_desc {
            positions: positions.as_ptr(),
            node_count: solid.nodes().len() as u32,
            tets: solid.tets().as_ptr().cast(),
            tet_count: solid.tets().len() as u32,
            ..desc.assume_init()
        };
        assert_eq!(fc_asset_create(&desc, &mut asset), FC_OK);
        assert_eq!(fc_object_create(asset, null(), &mut object), FC_OK);
    }
    object
}

fn compare(name: &str, mut rust: impl FnMut(), mut c: impl FnMut()) {
    let mut times = [vec![], vec![]];
    for _ in 0..TIMINGS {
        times[0].push(timed(&mut rust));
        times[1].push(timed(&mut c));
    }
    let [rust, c] = times.map(|mut list| {
        list.sort_unstable_by(f64::total_cmp);
        [0.5, 0.1, 0.9].map(|share| list[(share * (list.len() - 1) as f64) as usize])
    });
    println!(
        "{name:28} Rust {:8.1} ({:.1}, {:.1})   C {:8.1} ({:.1}, {:.1})   boundary {:6.1}",
        rust[0],
        rust[1],
        rust[2],
        c[0],
        c[1],
        c[2],
        c[1] - rust[1]
    );
}

fn timed(call: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..CALLS).for_each(|_| call());
    start.elapsed().as_secs_f64() * 1e9 / CALLS as f64
}
