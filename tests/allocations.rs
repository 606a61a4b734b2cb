//! A warm query uses no heap: what it needs, the thread keeps.
#![allow(unsafe_code)] // a counting allocator cannot be written without

mod common;

use common::{scenes, trees};
use fracas::contact::{Mode, QueryOptions, Structure, query_pair, query_shape};
use fracas::field::shape::HalfSpace;
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::{FractureOptions, Pattern, Vector, fracture, shapes};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is handed to the system's allocator as it came; the counter allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_warm_query_does_not_allocate() {
    let ball = trees::cooked(shapes::ball(0.1, 10));
    let pattern = Pattern::random_voronoi(10, 1).rough(scenes::ROUGH);
    let pieces = fracture(&ball, &pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects;
    let floor = HalfSpace(Plane { normal: Vector::z(), offset: -0.05 });
    let here = Pose::identity();
    let modes = [Mode::Full, Mode::TargetThenDeep, Mode::Exactly, Mode::TargetThenDeeper];
    let ways = [Structure::Buckets, Structure::SphereTree].into_iter().flat_map(|s| modes.map(|m| (s, m)));
    for (structure, mode) in ways {
        let options = QueryOptions { mode, structure, ..Default::default() };
        let mut out = vec![];
        let mut pass = |shift: f64| {
            out.clear();
            for a in &pieces {
                for b in &pieces {
                    let there = Pose::translation(shift, 0.0, 0.0);
                    query_pair(a, &there, b, &here, &options, &mut out).unwrap();
                }
                query_shape(a, &here, &floor, &here, &options, &mut out).unwrap();
            }
            out.len()
        };
        // The first passes prepare what is prepared when first asked for, and let the lists grow.
        let found = pass(0.002) + pass(0.0);
        let before = COUNT.get();
        assert_eq!(pass(0.002) + pass(0.0), found);
        assert_eq!(COUNT.get() - before, 0, "{structure:?}, {mode:?}: a warm query used the heap");
        assert!(found > 100);
    }
}
