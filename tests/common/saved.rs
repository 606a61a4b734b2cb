//! Saved data of small bodies, as the tests of loading and the fuzzer take it to pieces: and everything that can be done
//! with what loads.

use fracas::contact::{Contact, QueryOptions, Structure, query_pair, query_shape};
use fracas::field::shape::HalfSpace;
use fracas::fracture::convex_parts::ConvexOptions;
use fracas::geom::Pose;
use fracas::geom::plane::Plane;
use fracas::geom::random::unit;
use fracas::grid::distance::GridOptions;
use fracas::reference::nodal::Scheme;
use fracas::solid::drawing::DrawingMesh;
use fracas::solid::fill::FillOptions;
use fracas::{
    Asset, CookOptions, FractureOptions, Object, Outcome, Pattern, Point, Solid, Vector, fracture, load_objects,
    save_objects, shapes,
};
use std::sync::Arc;

/// The same bytes, with the length and the checksum that they should have: what is tested is then not the envelope.
pub fn resealed(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if bytes.len() >= 32 {
        let length = bytes.len() as u64;
        bytes[16..24].copy_from_slice(&length.to_le_bytes());
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&bytes[..24]);
        hasher.update(&bytes[32..]);
        bytes[24..28].copy_from_slice(&hasher.finalize().to_le_bytes());
    }
    bytes
}

/// An asset that takes few bytes.
pub fn small_asset(solid: Solid, sphere_trees: bool) -> Arc<Asset> {
    Asset::cook(solid, &CookOptions { sphere_trees, ..small_options() }).unwrap()
}

fn small_options() -> CookOptions {
    let grid = GridOptions { cells: 4, refine: false, ..Default::default() };
    CookOptions { grid, ..Default::default() }
}

/// A box of few tetrahedra, drawn by one that is larger and has fewer triangles.
pub fn small_drawn_asset() -> Arc<Asset> {
    let (positions, triangles) = skin_of(&shapes::cuboid([1.02, 0.71, 0.52], [1, 1, 1]));
    let mesh = DrawingMesh::new(&positions, &triangles).unwrap();
    let options = CookOptions { drawing: Some(Arc::new(mesh)), ..small_options() };
    Asset::cook(shapes::cuboid([1.0, 0.7, 0.5], [2, 1, 1]), &options).unwrap()
}

/// A tetrahedron that was filled from a surface.
pub fn small_filled_asset() -> Arc<Asset> {
    let (positions, triangles) = skin_of(&shapes::tetrahedron(1.0));
    let filling = FillOptions { exact: true, ..FillOptions::default() };
    Asset::from_surface(&positions, &triangles, &filling, &small_options()).unwrap()
}

/// The boundary of a solid that has no node within.
fn skin_of(solid: &Solid) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let positions = solid.nodes().iter().map(|p| [p.x, p.y, p.z]).collect();
    (positions, solid.skin().iter().map(|triangle| triangle.nodes).collect())
}

/// A tetrahedron with notes.
pub fn small_noted_asset() -> Arc<Asset> {
    let options = CookOptions { notes: b"clay".to_vec(), ..small_options() };
    Asset::cook(shapes::tetrahedron(1.0), &options).unwrap()
}

/// Small assets of several kinds: one tetrahedron, a box, two boxes apart; with sphere trees and without; with a drawing
/// mesh; with notes; filled from a surface.
pub fn small_assets() -> Vec<Arc<Asset>> {
    vec![
        small_asset(shapes::tetrahedron(1.0), false),
        small_asset(shapes::cuboid([1.0, 0.7, 0.5], [2, 1, 1]), true),
        small_asset(two_boxes(), true),
        small_drawn_asset(),
        small_noted_asset(),
        small_filled_asset(),
    ]
}

fn two_boxes() -> Solid {
    let solid = shapes::cuboid([1.0, 0.7, 0.5], [1, 1, 1]);
    let count = solid.nodes().len() as u32;
    let nodes: Vec<[f64; 3]> =
        [0.0, 2.0].iter().flat_map(|x| solid.nodes().iter().map(move |p| [p.x + x, p.y, p.z])).collect();
    let tets: Vec<[u32; 4]> =
        [0, count].iter().flat_map(|n| solid.tets().iter().map(move |t| t.map(|i| i + n))).collect();
    Solid::new(&nodes, &tets).unwrap()
}

/// The asset that small families are of, with sphere trees.
pub fn family_asset() -> Arc<Asset> {
    small_asset(shapes::cuboid([1.0, 0.7, 0.5], [3, 2, 2]), true)
}

/// Small families of an asset: intact, once broken, over three generations, some pieces only, in another size.
pub fn small_families(asset: &Arc<Asset>) -> Vec<Vec<Object>> {
    let whole = Object::intact(asset);
    let once = broken(&whole[0], &Pattern::random_voronoi(4, 1));
    let mut thrice = whole.clone();
    for generation in 0..3 {
        let parent = thrice.remove(0);
        thrice.extend(broken(&parent, &Pattern::random_voronoi(3, 10 + generation)));
        thrice.sort_by(|a, b| b.mass().volume.total_cmp(&a.mass().volume));
    }
    let one = vec![once[1].scaled(0.5).unwrap(), once[1].clone()];
    vec![whole, once, thrice, one]
}

fn broken(object: &Object, pattern: &Pattern) -> Vec<Object> {
    match fracture(object, pattern, &FractureOptions::default()).unwrap() {
        Outcome::Broken(result) => result.objects,
        Outcome::Whole { .. } => vec![object.clone()],
    }
}

/// Loads an asset, if it can be, and does everything with it.
pub fn try_asset(bytes: &[u8]) -> bool {
    let Ok(asset) = Asset::load(bytes) else { return false };
    let again = asset.save();
    // An earlier version is converted.
    let version = |bytes: &[u8]| bytes[12..16].to_vec();
    assert!(version(&again) != version(bytes) || again == bytes, "what loads is what would be saved");
    exercise(&Object::intact(&asset));
    true
}

/// Loads objects, if they can be, and does everything with them.
pub fn try_objects(bytes: &[u8], asset: &Arc<Asset>) -> bool {
    let Ok(objects) = load_objects(bytes, asset) else { return false };
    if !objects.is_empty() {
        let again = load_objects(&save_objects(&objects).unwrap(), asset).unwrap();
        assert!(objects.iter().zip(&again).all(|(a, b)| a.state_hash() == b.state_hash()));
    }
    exercise(&objects);
    true
}

/// Every call there is on some objects. Answers may be anything, but there must be one.
pub fn exercise(objects: &[Object]) {
    for object in objects.iter().take(2) {
        let reach = object.bounds().radius();
        for k in 0..3 {
            let p = object.bounds().min
                + object.bounds().size().component_mul(&Vector::from_fn(|a, _| 1.4 * unit(k, a as u64) - 0.2));
            for scheme in [Scheme::Exact, Scheme::ClosestFeature, Scheme::Averaged] {
                let field = object.field(scheme);
                _ = (
                    field.contains(&p),
                    field.depth(&p),
                    field.separation(&p, reach),
                    field.may_touch(&p, 0.1 * reach),
                );
            }
            _ = object.signed_distance(&p);
            _ = object.ray(&(p - Vector::z() * reach), &(Vector::z() + Vector::x() * 0.1), 9.0);
        }
        _ = (
            object.surface(),
            object.drawing(),
            object.adjacency(),
            object.state_hash(),
            object.asset().field().grid.slack(),
        );
        _ = (object.tets(), object.planes(), object.in_metres().mass(), object.memory());
        _ = object.convex_parts(&ConvexOptions { max_parts: 3, ..ConvexOptions::default() }).unwrap();
        let floor = HalfSpace(Plane { normal: Vector::z(), offset: object.bounds().centre().z });
        let mut contacts = vec![];
        query_shape(object, &Pose::identity(), &floor, &Pose::identity(), &QueryOptions::default(), &mut contacts)
            .unwrap();
        let seeds = (0..3).map(|k| point_in(object, k)).collect();
        for pattern in [Pattern::random_voronoi(3, 1), Pattern::voronoi(seeds)] {
            let pieces = broken(object, &pattern);
            _ = (
                pieces[0].surface(),
                pieces[0].drawing(),
                pieces[0].tets(),
                pieces[0].adjacency(),
                pieces[0].signed_distance(&Point::origin()),
            );
            _ = save_objects(&pieces).unwrap();
            touch(&pieces[0], &pieces[pieces.len() - 1]);
        }
    }
    for (a, b) in objects.iter().zip(objects.iter().skip(1)).take(2) {
        _ = (a.is_sibling(b), a.is_disjoint_part(b));
        touch(a, b);
    }
}

fn point_in(object: &Object, seed: u64) -> Point {
    object.bounds().min + object.bounds().size().component_mul(&Vector::from_fn(|a, _| unit(seed, 50 + a as u64)))
}

/// The contacts of two objects at rest and moved, by every structure.
pub fn touch(a: &Object, b: &Object) -> Vec<Contact> {
    let mut contacts = vec![];
    for structure in [Structure::Buckets, Structure::SphereTree] {
        for moved in [0.0, 0.02, 0.3] {
            let options = QueryOptions { structure, ..Default::default() };
            let away = a.bounds().centre() - b.bounds().centre();
            let pose = Pose::new(-away * moved, Vector::new(0.1, 0.2, 0.3) * moved);
            // Without sphere trees it says so.
            _ = query_pair(a, &pose, b, &Pose::identity(), &options, &mut contacts);
        }
    }
    contacts
}

/// Small files of every kind: for objects with the asset that they are of.
pub fn small_files() -> Vec<(Vec<u8>, Option<Arc<Asset>>)> {
    let family = family_asset();
    let assets = small_assets().into_iter().map(|asset| (asset.save(), None));
    let families = small_families(&family).into_iter().map(|f| (save_objects(&f).unwrap(), Some(family.clone())));
    assets.chain(families).collect()
}

/// Whether a file loads; if so, everything is done with it that can be done.
pub fn try_load(bytes: &[u8], asset: &Option<Arc<Asset>>) -> bool {
    match asset {
        Some(asset) => try_objects(bytes, asset),
        None => try_asset(bytes),
    }
}
