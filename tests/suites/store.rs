//! Saving and loading: what comes back is what was saved, bit for bit, and nothing that is loaded can do harm.

use crate::common;

use common::is_full;
use common::pairs::broken;
use common::saved::{family_asset, resealed, small_asset, small_files, touch, try_asset, try_load, try_objects};
use common::surfaces::{Skin, edges};
use common::trees::with_trees;
use common::{pairs, scenes};
use fracas::contact::{QueryOptions, query_pair};
use fracas::crack::breaks::Kind;
use fracas::geom::Pose;
use fracas::geom::random::{mix, unit};
use fracas::reference::nodal::Scheme;
use fracas::solid::drawing::DrawingMesh;
use fracas::{Asset, CookOptions, Error, FractureOptions, Object, Pattern, Point, Solid, Tasks, Vector};
use fracas::{fracture, load_objects, save_objects, shapes};
use nalgebra::Rotation3;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

fn reloaded(objects: &[Object]) -> Vec<Object> {
    load_objects(&save_objects(objects).unwrap(), objects[0].asset()).unwrap()
}

/// Everything that an object says of itself, as text: floating-point numbers are printed so that different bits differ.
fn portrait(object: &Object) -> String {
    let mut text = format!("{:x} {:x} {}\n", object.identity(), object.state_hash(), object.scale());
    text += &format!("{:?} {:?} {}\n", object.mass(), object.bounds(), object.piece().cell);
    text += &format!("{:?}\n{:?}\n{:?}\n", object.surface(), object.adjacency(), object.sphere_tree());
    for k in 0..12 {
        let size = object.bounds().size();
        let p = object.bounds().min + size.component_mul(&Vector::from_fn(|a, _| 1.2 * unit(k, a as u64) - 0.1));
        for scheme in [Scheme::Exact, Scheme::ClosestFeature, Scheme::Averaged] {
            let field = object.field(scheme);
            text += &format!("{:?} {:?} ", field.depth(&p), field.separation(&p, size.norm()));
        }
        text += &format!("{:?}\n", object.ray(&p, &Vector::new(0.3, 0.5, -0.7), 10.0));
    }
    text
}

/// The contacts of all pairs of a family, at rest and settled, and the same pairs with others in random places.
fn contacts(objects: &[Object]) -> String {
    let mut text = String::new();
    for (k, a) in objects.iter().enumerate().take(3) {
        for b in &objects[k + 1..objects.len().min(4)] {
            text += &format!("{} {} {:?}\n", a.is_sibling(b), a.is_disjoint_part(b), touch(a, b));
            let (pa, pb) = pairs::poses(a, b, k as u64);
            text += &format!("{:?}\n", pairs::query(a, &pa, b, &pb, &QueryOptions::default()));
        }
    }
    text
}

fn assert_alike(what: &str, saved: &[Object], loaded: &[Object]) {
    assert_eq!(saved.len(), loaded.len());
    for (k, (a, b)) in saved.iter().zip(loaded).enumerate().take(4) {
        assert!(portrait(a) == portrait(b), "{what}: object {k} is not what was saved");
        let is_old = a.is_disjoint_part(b) || a.is_fragment() && a.is_sibling(b);
        assert!(!is_old, "{what}: what was loaded is a new body");
    }
    assert!(contacts(saved) == contacts(loaded), "{what}: other contacts");
}

#[test]
fn a_loaded_asset_is_what_was_saved() {
    for (number, (name, solid)) in scenes::all_solids().into_iter().enumerate() {
        let both = [CookOptions::default(), CookOptions { density: 2.5, notes: b"clay".to_vec(), ..with_trees() }];
        for (which, options) in both.into_iter().enumerate() {
            if !is_full() && number % 2 != which {
                continue;
            }
            let asset = Asset::cook(solid.clone(), &options).unwrap();
            let bytes = asset.save();
            let loaded = Asset::load(&bytes).unwrap();
            assert_eq!(loaded.save(), bytes, "{name}");
            assert_eq!(loaded.identity(), asset.identity());
            assert_eq!(loaded.field().grid, asset.field().grid);
            assert_eq!(loaded.sphere_trees(), asset.sphere_trees());
            assert_eq!((loaded.warnings(), loaded.notes()), (asset.warnings(), asset.notes()));
            assert_eq!(loaded.nodal_depths(), asset.nodal_depths());
            assert_eq!(loaded.intact(), asset.intact());
            // Locators, moments, edges, everything else that is printed.
            assert!(format!("{:?}", loaded.field()) == format!("{:?}", asset.field()), "{name}");
            assert!(format!("{:?}", loaded.solid()) == format!("{:?}", asset.solid()), "{name}");
            let (saved, loaded) = (Object::intact(&asset), Object::intact(&loaded));
            assert_alike(name, &saved, &loaded);
            let pattern = Pattern::random_voronoi(7, 3);
            let pieces = [broken(&saved[0], &pattern), broken(&loaded[0], &pattern)];
            assert_eq!(pieces[0][0].made_by(), pieces[1][0].made_by(), "{name}");
            assert!(contacts(&pieces[0]) == contacts(&pieces[1]), "{name}");
        }
    }
}

/// A small asset with a thin wall has something to say, and says it again.
#[test]
fn warnings_are_kept() {
    let asset = small_asset(shapes::plate(0.13, 0.006, 16), false);
    assert!(!asset.warnings().is_empty());
    assert_eq!(Asset::load(&asset.save()).unwrap().warnings(), asset.warnings());
    assert_eq!(asset.surface_remarks().count(), 0);
    let open = Skin::of(&shapes::ball(0.1, 6)).without(|p| p.z > 0.09);
    let cooked = Asset::from_surface(&open.points, &open.triangles, &edges(0.04), &CookOptions::default()).unwrap();
    let asset = Asset::load(&cooked.save()).unwrap();
    let remarks: Vec<&str> = asset.surface_remarks().collect();
    assert!(!remarks.is_empty() && remarks[0].contains("1 hole"), "{remarks:?}");
    assert_eq!(asset.warnings()[0], format!("surface: {}", remarks[0]));
}

/// How far a mesh is off its surface is kept, with a drawing mesh and notes or without.
#[test]
fn deviations_are_kept() {
    let skin = Skin::of(&shapes::ball(0.1, 6));
    let cooked =
        |options: &CookOptions| Asset::from_surface(&skin.points, &skin.triangles, &edges(0.06), options).unwrap();
    let mesh = Arc::new(DrawingMesh::new(&skin.points, &skin.triangles).unwrap());
    for (drawing, notes) in [(None, vec![]), (None, vec![7]), (Some(mesh.clone()), vec![]), (Some(mesh), vec![7])] {
        let options = CookOptions { drawing, notes, ..Default::default() };
        let asset = cooked(&options);
        assert!(asset.deviation().unwrap().most() > 1e-3 * 0.1);
        let loaded = Asset::load(&asset.save()).unwrap();
        assert_eq!(loaded.deviation(), asset.deviation());
        assert_eq!(loaded.save(), asset.save());
        assert_eq!((loaded.drawing().is_some(), loaded.notes()), (options.drawing.is_some(), &options.notes[..]));
    }
    let asset = cooked(&CookOptions::default());
    let (mut bytes, off) = (asset.save(), asset.deviation().unwrap().tets_to_surface.to_le_bytes());
    let at = bytes.windows(8).rposition(|window| window == off).unwrap();
    bytes[at..at + 8].copy_from_slice(&f64::NAN.to_le_bytes());
    let bytes = resealed(&bytes);
    assert!(message(Asset::load(&bytes)).contains("must be lengths"));
}

#[test]
fn fragments_of_every_pattern_come_back_and_break_alike() {
    let mut compared = 0;
    for (name, solid) in scenes::sample_solids() {
        let object = Object::intact(&Asset::cook(solid, &with_trees()).unwrap()).remove(0);
        for (number, (pattern_name, pattern)) in scenes::patterns(&object, 1).into_iter().enumerate() {
            let saved = broken(&object, &pattern);
            let loaded = reloaded(&saved);
            let what = format!("{name}, {pattern_name}");
            if saved[0].is_fragment() {
                assert_eq!(saved[0].made_by(), loaded[0].made_by(), "{what}");
                compared += 1;
            }
            assert_alike(&what, &saved, &loaded);
            // Labels need nodes, and not all fragments have some.
            let most = (0..saved.len()).max_by_key(|k| saved[*k].nodes().len()).unwrap();
            for (which, choose) in [2, 9].into_iter().enumerate() {
                if !is_full() && number % 2 != which {
                    continue;
                }
                let (_, again) = scenes::patterns(&saved[most], 2).swap_remove(choose);
                let pieces = [broken(&saved[most], &again), broken(&loaded[most], &again)];
                assert_eq!(pieces[0][0].made_by(), pieces[1][0].made_by(), "{what}: broken again");
                assert_eq!(pieces[0][0].identity(), pieces[1][0].identity());
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

/// A family of three generations, some of it in another size, saved as a whole, in parts, and after loading once more.
#[test]
fn generations_stay_parts_of_one_body() {
    for (name, solid) in [("ball", shapes::ball(0.1, 10)), ("torus", shapes::torus(1.0, 0.3, 24, 6))] {
        let mut family = Object::intact(&Asset::cook(solid, &with_trees()).unwrap());
        for generation in 0..3 {
            let parent = family.remove(0);
            family.extend(broken(&parent, &Pattern::random_voronoi(4, 10 + generation).rough(scenes::ROUGH)));
            family.sort_by(|a, b| b.mass().volume.total_cmp(&a.mass().volume));
        }
        let generations = |o: &Object| family.iter().filter(|other| o.is_sibling(other)).count();
        assert!(family.iter().any(|o| generations(o) != generations(&family[0])), "several breaks");
        let mut with_others = family.clone();
        with_others.extend([family[0].scaled(0.5).unwrap(), family[1].scaled(0.5).unwrap()]);
        with_others.extend(Object::intact(family[0].asset()));
        for part in [&family[..], &family[..2], &family[1..4], &family[2..3], &with_others[..]] {
            let loaded = reloaded(part);
            assert_alike(name, part, &loaded);
            for (k, a) in part.iter().enumerate() {
                for (j, b) in part.iter().enumerate() {
                    assert_eq!(a.is_sibling(b), loaded[k].is_sibling(&loaded[j]), "{name}: {k} and {j}");
                    assert_eq!(a.is_disjoint_part(b), loaded[k].is_disjoint_part(&loaded[j]), "{name}: {k} and {j}");
                }
            }
            assert_alike(name, &loaded, &reloaded(&loaded));
            let pattern = Pattern::random_voronoi(5, 77);
            let pieces = [broken(&part[0], &pattern), broken(&loaded[0], &pattern)];
            assert!(contacts(&pieces[0]) == contacts(&pieces[1]), "{name}");
            // What breaks after loading knows the rest of the family.
            let is_part = |piece: &Object, others: &[Object]| others[1..].iter().all(|o| piece.is_disjoint_part(o));
            assert_eq!(is_part(&pieces[0][0], part), is_part(&pieces[1][0], &loaded), "{name}");
        }
        // Two loadings are two bodies.
        let bytes = save_objects(&family).unwrap();
        let [one, other] = [(); 2].map(|_| load_objects(&bytes, family[0].asset()).unwrap());
        assert!(one.iter().all(|a| other.iter().all(|b| !a.is_disjoint_part(b) && !a.is_sibling(b))));
        assert!(save_objects(&family[..1]).unwrap().len() < bytes.len() / 2, "only what is needed is stored");
    }
}

/// Of a coarse body in fine pieces some have no node, and none of some tetrahedra.
#[test]
fn fragments_without_nodes_come_back() {
    let solid = shapes::cuboid([1.0, 0.7, 0.5], [3, 2, 2]);
    let object = Object::intact(&Asset::cook(solid, &with_trees()).unwrap()).remove(0);
    let pieces = broken(&object, &Pattern::random_voronoi(60, 5));
    let small: Vec<Object> = pieces.iter().filter(|piece| piece.nodes().is_empty()).cloned().collect();
    assert!(small.len() > 5, "{}", small.len());
    assert_eq!(pieces[0].made_by(), reloaded(&pieces)[0].made_by());
    assert_alike("without nodes", &small, &reloaded(&small));
    assert_alike("one of them", &small[3..4], &reloaded(&small[3..4]));
    let again = Pattern::random_voronoi(4, 6);
    let [a, b] = [small[2].clone(), reloaded(&small[2..3]).remove(0)].map(|piece| broken(&piece, &again));
    assert!(a.len() > 1);
    assert_eq!(a[0].made_by(), b[0].made_by());
    assert_alike("broken again", &a, &reloaded(&a));
}

fn message<T>(result: fracas::Result<T>) -> String {
    match result {
        Err(Error::InvalidData(text)) => text,
        Err(other) => panic!("{other:?} is no complaint about data"),
        Ok(_) => panic!("it was loaded"),
    }
}

#[test]
fn complaints_say_what_is_the_matter() {
    let asset = family_asset();
    let objects = Object::intact(&asset);
    let (saved, bytes) = (asset.save(), save_objects(&objects).unwrap());
    let told = |part: &str, text: String| assert!(text.contains(part), "{text}");
    let with = |place: usize, value: u32, bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    let later = "asset of version 6, saved by a later Fracas; this library reads versions up to 5";
    told(later, message(Asset::load(&with(12, 6, &saved))));
    let later = "objects of version 5, saved by a later Fracas; this library reads versions up to 4";
    told(later, message(load_objects(&with(12, 5, &bytes), &asset)));
    let earlier =
        "of version 2, which was saved by an earlier version of Fracas; fracture the body again and save it anew";
    told(earlier, message(load_objects(&with(12, 2, &bytes), &asset)));
    told("this is a set of Fracas objects; a Fracas asset is wanted", message(Asset::load(&bytes)));
    told("kind 77", message(Asset::load(&with(8, 77, &saved))));
    told("nothing that Fracas saved", message(Asset::load(b"")));
    told("nothing that Fracas saved", message(Asset::load(&[0x41; 1000])));
    told("the file was cut", message(Asset::load(&saved[..saved.len() - 1])));
    told("the file is damaged", message(Asset::load(&with(saved.len() - 4, 0x1234, &saved))));
    let other = small_asset(shapes::cuboid([1.0, 0.7, 0.51], [3, 2, 2]), true);
    told("was its mesh changed", message(load_objects(&bytes, &other)));
    let heavier = CookOptions { density: 7.0, ..Default::default() };
    let heavier = Asset::cook(shapes::cuboid([1.0, 0.7, 0.5], [3, 2, 2]), &heavier).unwrap();
    told("kg/m³", message(load_objects(&bytes, &heavier)));

    assert!(matches!(save_objects(&[]), Err(Error::InvalidArgument(_))));
    let mixed = [objects[0].clone(), Object::intact(&other).remove(0)];
    assert!(save_objects(&mixed).unwrap_err().to_string().starts_with("objects[1] is of another asset"));
}

/// One byte after the other is changed, with a checksum that does not tell: the structure must.
#[test]
fn no_changed_byte_does_harm() {
    let (mut loaded, mut refused) = (0, 0);
    let tasks = Tasks::pool(2).unwrap(); // it takes longer than all other tests here
    for (number, (file, asset)) in small_files().iter().enumerate() {
        assert!(try_load(&resealed(file), asset));
        // In full: all bytes of one asset and of one fragment, both with sphere trees, and of the drawing mesh. Else, and of the others, some.
        let step = if is_full() && [1, 3, 8].contains(&number) { 1 } else { 47 };
        let try_changed = |place: usize| {
            let change = [1u8, 0x80, 0xff, 1 << (mix(place as u64) % 8)][(mix(place as u64) >> 8) as usize % 4];
            let mut bytes = file.clone();
            bytes[place] ^= change;
            assert!(!try_load(&bytes, asset), "file {number}, byte {place}: the checksum does not notice");
            try_load(&resealed(&bytes), asset)
        };
        let count = file.len().div_ceil(step);
        let runs = tasks.map_chunks(count, 64, |range| range.filter(|k| try_changed(k * step)).count());
        let fine: usize = runs.into_iter().sum();
        (loaded, refused) = (loaded + fine, refused + count - fine);
    }
    println!("one byte changed: {loaded} files loaded, and could be queried and broken; {refused} were refused");
    assert!(loaded > 300 && refused > 300);
}

#[test]
fn no_cut_file_loads() {
    for (file, asset) in small_files() {
        let loads = |bytes: &[u8]| match &asset {
            Some(asset) => load_objects(bytes, asset).is_ok(),
            None => Asset::load(bytes).is_ok(),
        };
        assert!((0..file.len()).all(|length| !loads(&file[..length])));
        // With length and checksum put right, one may be an asset without sphere trees: those come last.
        assert!((0..file.len()).filter(|length| loads(&resealed(&file[..*length]))).count() <= 1);
        let longer = [&file[..], &[0]].concat();
        assert!(!loads(&longer) && !loads(&resealed(&longer)));
    }
}

#[test]
fn garbage_is_refused() {
    let asset = family_asset();
    for seed in 0..2000u64 {
        let length = (mix(seed) % 600) as usize;
        let mut bytes: Vec<u8> = (0..length).map(|k| mix(seed << 32 | k as u64) as u8).collect();
        assert!(!try_asset(&bytes) && !try_objects(&bytes, &asset));
        // Behind a header that is right.
        let header = if seed % 2 == 0 { asset.save() } else { save_objects(&Object::intact(&asset)).unwrap() };
        bytes.splice(0..bytes.len().min(16), header[..32.min(16 + seed as usize % 17)].iter().copied());
        let bytes = resealed(&bytes);
        assert!(!try_asset(&bytes) && !try_objects(&bytes, &asset));
    }
}

/// Inputs that once did harm, or that the fuzzer found interesting. Each is tried as an asset and as objects.
#[test]
fn the_corpus_does_no_harm() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/store");
    let asset = family_asset();
    let (mut files, mut loaded) = (0, 0);
    for entry in fs::read_dir(folder).unwrap() {
        let bytes = resealed(&fs::read(entry.unwrap().path()).unwrap());
        loaded += (try_asset(&bytes) || try_objects(&bytes, &asset)) as usize;
        files += 1;
    }
    println!("{files} files of the corpus, of which {loaded} load");
    assert!(files > 5 && loaded > 2);
}

/// Puts the small files into the corpus, for the fuzzer to start from: needed when the format changes.
#[test]
#[ignore = "writes to the corpus"]
fn write_small_files_to_the_corpus() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/store");
    for (number, (file, _)) in small_files().iter().enumerate() {
        fs::write(folder.join(format!("small-{number}")), file).unwrap();
    }
}

/// Contacts of pieces, also of those that share a cell, make no regions, and are the same once there are some.
#[test]
fn queries_do_not_wait_for_regions() {
    let (mut shared, mut found) = (0, 0);
    // Slices of a ring: all but the outer ones have two parts, in boxes of their own.
    let slices = |count: i32| (0..count).map(|k| Point::new(1.6 * k as f64 / count as f64 - 0.7, 0.01, 0.0)).collect();
    // Of a brick with holes, turned: some reach into each other's boxes.
    let brick = shapes::brick(2);
    let turn = Rotation3::from_euler_angles(0.5, 0.6, 0.7);
    let nodes: Vec<[f64; 3]> = brick.nodes().iter().map(|p| (turn * p).into()).collect();
    let turned = Solid::new(&nodes, brick.tets()).unwrap();
    for (solid, pattern) in [
        (shapes::hollow_ball(1.0, 10, 2), Pattern::random_voronoi(7, 3)),
        (shapes::torus(1.0, 0.3, 24, 8), Pattern::voronoi(slices(5))),
        (turned.clone(), Pattern::random_voronoi(9, 1)),
        (turned.clone(), Pattern::random_voronoi(9, 2)),
        (turned, Pattern::random_voronoi(9, 3)),
    ] {
        let asset = Asset::cook(solid, &CookOptions::default()).unwrap();
        let broken = fracture(&Object::intact(&asset)[0], &pattern, &FractureOptions::default()).unwrap().broken();
        let pieces = broken.unwrap().objects;
        shared += pieces.iter().filter(|piece| piece.kind() == Kind::PartOfCell).count();
        let mut contacts = |pieces: &[Object]| {
            let moves = [[0.0; 3], [0.01, 0.0, 0.0], [-0.02, 0.01, 0.03], [0.1, -0.2, 0.05]];
            let options = QueryOptions { margin: Some(0.02), ..Default::default() };
            let (mut all, mut out) = (vec![], vec![]);
            for (i, [x, y, z]) in (0..pieces.len()).flat_map(|i| moves.map(|by| (i, by))) {
                for j in (0..pieces.len()).filter(|j| *j != i) {
                    let pose = Pose::translation(x, y, z);
                    query_pair(&pieces[i], &pose, &pieces[j], &Pose::identity(), &options, &mut out).unwrap();
                    all.push(format!("{out:?}"));
                    found += out.len();
                }
            }
            all
        };
        let before = contacts(&pieces);
        assert!(pieces[0].made_by().cut.get().is_none());
        assert_eq!(before, contacts(&reloaded(&pieces)));
        assert_eq!(before, contacts(&pieces));
    }
    assert!(shared > 1 && found > 100, "{shared} pieces shared a cell, {found} contacts");
}
