//! What assets, objects and breaks say they take of memory is what the heap gives them, and it is little. Counted by
//! an allocator of this program's own.

mod common;

use common::heap::{Counting, counts, forget_largest};
use common::saved::{resealed, small_files, try_load};
use common::stage::Stage;
use common::{is_full, on_all_cores};
use fracas::contact::{QueryOptions, Structure, query_pair};
use fracas::geom::Pose;
use fracas::reference::nodal::Scheme;
use fracas::{Asset, CookOptions, FractureOptions, Object, Pattern, Vector, fracture};
use std::sync::Arc;

#[global_allocator]
static COUNTING: Counting = Counting;

/// What this thread has of the heap once something has been done, beyond what it had; and what came of it.
fn held_by<T>(make: impl FnOnce() -> T) -> (f64, T) {
    let before = counts().held;
    let made = make();
    ((counts().held - before) as f64, made)
}

fn assert_near(said: usize, held: f64, what: &str) {
    assert!((said as f64 / held - 1.0).abs() < 0.1, "{what}: {said} bytes are said, {held} are held");
}

fn cooked(name: &str, options: &CookOptions) -> Arc<Asset> {
    Asset::cook(Stage::solid(name), options).unwrap()
}

/// Breaks the first body of a stage.
fn broken(asset: &Arc<Asset>, name: &str, rough: bool) -> Vec<Object> {
    let mut stage = Stage::named(name, &Object::intact(asset)[0], rough);
    stage.bodies.truncate(1);
    stage.broken()
}

/// Queries everything against everything, a percent of the radius out of place.
fn query_all(pieces: &[Object], options: &QueryOptions) {
    let mut out = vec![];
    let there = Pose::from(Vector::new(1.0, 0.3, -0.5) * (0.01 * pieces[0].asset().radius()));
    for a in pieces {
        for b in pieces {
            query_pair(a, &there, b, &Pose::identity(), options, &mut out).unwrap();
        }
    }
    assert!(out.len() > pieces.len());
}

#[test]
fn a_break_takes_three_times_its_mesh_at_most() {
    for name in Stage::NAMES {
        let (held, asset) = held_by(|| cooked(name, &CookOptions::default()));
        assert_near(asset.bytes(), held, name);
        // The mesh of what broke: nodes, tetrahedra, skin and their connectivity, as all of the body broke.
        let mesh = asset.solid().bytes();
        for rough in [false, true] {
            // Threads keep their working memory: the second time nothing is added to it.
            query_all(&broken(&asset, name, rough), &QueryOptions::default());
            let what = format!("{name}{}", if rough { ", rough" } else { "" });
            let (fresh, pieces) = held_by(|| broken(&asset, name, rough));
            assert_near(pieces[0].memory().made_by, fresh, &what);
            let (prepared, ()) = held_by(|| query_all(&pieces, &QueryOptions::default()));
            let memory = pieces[0].memory();
            assert_near(memory.made_by, fresh + prepared, &what);
            let times = |bytes: f64| bytes / mesh as f64;
            println!(
                "{what}: {} fragments, mesh {:.0} KB, asset {:.0} KB; break {:.2} times the mesh when made, {:.2} times once queried",
                pieces.len(),
                mesh as f64 / 1e3,
                memory.asset as f64 / 1e3,
                times(fresh),
                times(fresh + prepared)
            );
            assert!(times(fresh + prepared) <= 3.0, "{what}: {:.2} times its mesh", times(fresh + prepared));
        }
    }
}

/// The finer the fragments, the more of what broke is crack. Below some sixty nodes a fragment nothing is promised.
#[test]
fn finer_breaks_and_later_ones_keep_to_it_too() {
    let asset = cooked("rabbit", &CookOptions::default());
    let nodes = asset.solid().nodes().len();
    let mut promised = 0;
    let mut tell = |object: &Object, cells: u32| {
        let pattern = Pattern::random_voronoi(cells, 2);
        let pieces = fracture(object, &pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects;
        query_all(&pieces, &QueryOptions::default());
        // Its share of the mesh.
        let mesh = asset.solid().bytes() as f64 * object.nodes().len() as f64 / nodes as f64;
        let times = pieces[0].memory().made_by as f64 / mesh;
        println!("{} nodes in {} fragments: {times:.2} times their mesh", object.nodes().len(), pieces.len());
        if object.nodes().len() >= 60 * pieces.len() {
            assert!(times <= 3.0, "{times:.2} times its mesh");
            promised += 1;
        }
        pieces
    };
    for cells in [4, 27, 64, 200] {
        let pieces = tell(&Object::intact(&asset)[0], cells);
        let largest = pieces.iter().max_by_key(|piece| piece.nodes().len()).unwrap();
        for cells in [2, 4, 8, 27] {
            tell(largest, cells);
        }
    }
    assert!(promised >= 10, "{promised}");
}

#[test]
fn an_intact_object_takes_a_kilobyte_at_most() {
    let asset = cooked("ball", &CookOptions::default());
    let (held, objects) = held_by(|| (0..40).flat_map(|_| Object::intact(&asset)).collect::<Vec<_>>());
    assert!(held / objects.len() as f64 <= 1024.0, "{held} bytes for {} objects", objects.len());
    query_all(&objects[..2], &QueryOptions::default());
    let prepared = asset.bytes();
    let (held, ()) = held_by(|| query_all(&objects, &QueryOptions::default()));
    assert!(held <= 0.0 && asset.bytes() == prepared, "what one has prepared is there for all");
    let memory = objects[7].memory();
    assert!(memory.object <= 1024 && memory.made_by == 0 && memory.asset == prepared);
}

#[test]
fn whatever_is_prepared_is_counted() {
    let options = CookOptions { sphere_trees: true, notes: vec![7; 10_000], ..CookOptions::default() };
    let (held, asset) = held_by(|| cooked("shell", &options));
    assert_near(asset.bytes(), held, "asset with trees");
    let trees = QueryOptions { structure: Structure::SphereTree, ..Default::default() };
    query_all(&broken(&asset, "shell", false), &trees);
    let (mut held, pieces) = held_by(|| broken(&asset, "shell", false));
    assert_near(pieces[0].memory().made_by, held, "with trees");
    let mut said = pieces[0].memory().made_by;
    let mut more = |what: &str, work: &dyn Fn()| {
        held += held_by(work).0;
        let now = pieces[0].memory().made_by;
        assert_near(now, held, what);
        assert!(now > said, "{what} prepared nothing");
        said = now;
    };
    more("queries", &|| query_all(&pieces, &QueryOptions::default()));
    more("trees", &|| query_all(&pieces, &trees));
    let trace = |bodies: &[Object]| {
        let hits = bodies.iter().filter(|body| body.ray(&body.mass().centre, &Vector::x(), 1.0).is_some()).count();
        assert!(hits > 0);
    };
    more("rays", &|| trace(&pieces));
    for scheme in [Scheme::ClosestFeature, Scheme::Averaged] {
        more("nodal fields", &|| {
            pieces.iter().for_each(|piece| assert!(!piece.field(scheme).nodal().distance.is_empty()))
        });
    }
    // What a thread keeps grows with the samples of a body: not what is asked here.
    let other = Object::intact(&cooked("shell", &CookOptions::default()));
    query_all(&[other[0].clone(), other[0].clone()], &QueryOptions::default());
    let (of_asset, intact) = (asset.bytes(), Object::intact(&asset));
    let (held, ()) = held_by(|| {
        trace(&intact);
        query_all(&[intact[0].clone(), intact[0].clone()], &QueryOptions::default());
    });
    assert_near(asset.bytes() - of_asset, held, "an intact body");
}

/// Counts and lengths of files that promise more than there is are refused before anything is allocated for them.
#[test]
fn huge_counts_are_refused_at_once() {
    let files = small_files();
    let most = files.iter().map(|(file, _)| file.len()).max().unwrap();
    let results = on_all_cores(files, |(file, asset)| {
        let mut tried = 0;
        forget_largest();
        held_by(|| {
            for place in (8..file.len().min(4000) - 8).step_by(if is_full() { 4 } else { 12 }) {
                for huge in [10_000_000_000u64, u64::MAX, u32::MAX as u64, 1 << 31] {
                    let mut bytes = file.clone();
                    bytes[place..place + 8].copy_from_slice(&huge.to_le_bytes());
                    try_load(&bytes, &asset);
                    try_load(&resealed(&bytes), &asset);
                    tried += 1;
                }
            }
        });
        (tried, counts().largest)
    });
    let tried: usize = results.iter().map(|(tried, _)| tried).sum();
    let largest = results.iter().map(|(_, largest)| *largest).max().unwrap();
    println!("{tried} huge numbers in files of up to {most} bytes: the largest block that was asked for had {largest}");
    assert!((most..=64 * most).contains(&largest), "{largest} bytes were asked for at once");
}
