//! Drawing meshes: what is drawn of the fragments is the artist's mesh, cut and closed; nothing is lost and nothing invented.

use crate::common;

use common::artists::{artists_skin, linear_uv, uv_sphere, with_linear_uvs};
use common::drawings::{open_edges, places, volume};
use common::oracle::triangle_area;
use common::pairs::broken;
use common::{is_full, on_all_cores, scenes};
use fracas::bvh::Bvh;
use fracas::crack::breaks::Piece;
use fracas::fracture::drawing::{Drawing, Side};
use fracas::fracture::pattern::Impact;
use fracas::fracture::surface::Face;
use fracas::reference::nodal::Scheme;
use fracas::solid::drawing::DrawingMesh;
use fracas::solid::fill::{FillOptions, fill};
use fracas::{Asset, CookOptions, Object, Pattern, Point, Solid, Vector, fracture, load_objects, save_objects, shapes};
use std::sync::Arc;

/// An object that is drawn by a mesh.
fn drawn_by(solid: Solid, mesh: DrawingMesh) -> Object {
    let options = CookOptions { drawing: Some(Arc::new(mesh)), ..Default::default() };
    Object::intact(&Asset::cook(solid, &options).unwrap()).remove(0)
}

/// A mesh well outside of its solid.
const OUTSIDE: &str = "ball in a sphere with seams";

fn samples() -> Vec<(&'static str, Object)> {
    let mut all = vec![];
    for (name, solid) in [
        ("ball", shapes::ball(0.1, 8)),
        ("torus", shapes::torus(1.0, 0.3, 20, 4)),
        ("brick", shapes::brick(1)),
        ("plate", shapes::plate(0.13, 0.012, 12)),
        ("hollow ball", shapes::hollow_ball(0.1, 10, 2)),
    ] {
        let mesh = artists_skin(&solid, 4, 0.1);
        all.push((name, drawn_by(solid, mesh)));
    }
    let solid = shapes::ball(0.1, 8);
    let mesh = artists_skin(&solid, 1, 0.0);
    all.push(("ball, skin as it is", drawn_by(solid, mesh)));
    let solid = shapes::cuboid([1.0, 0.7, 0.5], [6, 5, 4]);
    let coarse = artists_skin(&shapes::cuboid([1.0, 0.7, 0.5], [1, 1, 1]), 1, 0.0);
    all.push(("box of twelve triangles", drawn_by(solid, coarse)));
    let shelf = shapes::Shelf { size: [1.0, 0.3, 0.9], thickness: 0.06, boards: 3, cells: [6, 2, 3], layers: 1 };
    let solid = shapes::shelf(&shelf);
    let mesh = artists_skin(&solid, 2, 0.0);
    all.push(("shelf", drawn_by(solid, mesh)));
    all.push((OUTSIDE, drawn_by(shapes::ball(0.1, 8), uv_sphere(0.102, 24))));
    all
}

fn area_of([a, b, c]: [Point; 3]) -> f64 {
    0.5 * (b - a).cross(&(c - a)).norm()
}

fn skin_area(drawing: &Drawing) -> f64 {
    let skin = drawing.triangles.iter().filter(|t| matches!(t.side, Side::Skin { .. }));
    skin.map(|t| area_of(places(drawing, t.corners))).sum()
}

/// How much of the texture the skin has.
fn uv_area(drawing: &Drawing) -> f64 {
    let area = |corners: [u32; 3]| {
        let [a, b, c] = corners.map(|v| drawing.vertices[v as usize].uv.map(f64::from));
        0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs()
    };
    let skin = drawing.triangles.iter().filter(|t| matches!(t.side, Side::Skin { .. }));
    skin.map(|t| area(t.corners)).sum()
}

#[derive(Default)]
struct Figures {
    pieces: usize,
    patches: usize,
    /// Area of the skin, and how much of it is not its owner's.
    parts: f64,
    strangers: f64,
    area: f64,
    area_again: f64,
    crack_area: [f64; 2],
    /// Breaks by planes, and how exactly volumes add up there.
    exact: usize,
    volume_exact: f64,
    volume_sum: f64,
    volume_each: f64,
    uv: f64,
    uv_area: f64,
}

/// The point of the skin closest to `p`, a little within.
fn below(skin: &Bvh, object: &Object, p: &Point) -> Point {
    let hit = skin.closest_point(p, f64::INFINITY).unwrap();
    let solid = object.asset().solid();
    let [a, b, c] = solid.skin()[hit.triangle as usize].nodes.map(|n| solid.nodes()[n as usize]);
    hit.point - (b - a).cross(&(c - a)).normalize() * 1e-3 * object.asset().mean_edge()
}

/// Everything that must hold for the drawings of the pieces of an object.
fn check(parent: &Object, pieces: &[Object], what: &str, figures: &mut Figures) {
    let before = parent.drawing();
    let drawings: Vec<Drawing> = pieces.iter().map(|piece| piece.drawing()).collect();
    let area: f64 = drawings.iter().map(skin_area).sum();
    let error = (area / skin_area(&before) - 1.0).abs();
    // Where a crack is none of planes it is drawn anew, not kept, by what is broken again: then it may come out as other chords.
    let by_planes = |pieces: &[Piece]| pieces.iter().all(|piece| piece.kind.is_made_of_planes());
    let is_exact = by_planes(&pieces[0].made_by().pieces) && by_planes(&parent.made_by().pieces);
    let is_first = !parent.is_fragment();
    // What a mesh well outside of the solid has in a cell that has nothing of the solid is nobody's.
    let nearly = if what.starts_with(OUTSIDE) { 1e-3 } else { 1e-9 };
    assert!(
        error < if is_first || is_exact { nearly } else { 2e-3 },
        "{what}: the area of the skin is off by {error:e}"
    );
    let worst = if is_first { &mut figures.area } else { &mut figures.area_again };
    *worst = worst.max(error);
    // In single precision.
    let error = (drawings.iter().map(uv_area).sum::<f64>() / uv_area(&before) - 1.0).abs();
    assert!(
        error < if is_first || is_exact { nearly.max(1e-5) } else { 2e-3 },
        "{what}: the area of the texture is off by {error:e}"
    );
    figures.uv_area = figures.uv_area.max(error);
    let sum: f64 = drawings.iter().map(volume).sum();
    let error = (sum / volume(&before) - 1.0).abs();
    let most = if is_exact {
        nearly
    } else if is_first {
        1e-3
    } else {
        4e-3
    };
    assert!(error < most, "{what}: the sum of the volumes is off by {error:e}");
    let patches: u32 = drawings.iter().map(|drawing| drawing.patches).sum();
    assert!(!is_exact || patches == 0, "{what}: {patches} patches");
    let worst = if is_exact { &mut figures.volume_exact } else { &mut figures.volume_sum };
    *worst = worst.max(error);
    figures.exact += is_exact as usize;
    let solid = parent.asset().solid();
    let corners = |n: u32| solid.nodes()[n as usize];
    let skin = Bvh::new(&solid.skin().iter().map(|s| s.nodes.map(corners)).collect::<Vec<_>>()).unwrap();
    for (piece, drawing) in pieces.iter().zip(&drawings) {
        let what = format!("{what}, piece {}", piece.piece_number());
        assert_eq!(open_edges(drawing), 0, "{what} is not closed");
        assert_eq!(drawing.open_edges, 0, "{what}");
        figures.pieces += 1;
        let surface = piece.surface();
        let of_surface = surface.triangles.iter().filter(|t| matches!(t.face, Face::Crack { .. }));
        figures.crack_area[0] += of_surface.map(|t| triangle_area(&surface, t.corners)).sum::<f64>();
        let drawn = drawing.triangles.iter().filter(|t| matches!(t.side, Side::Crack { .. }));
        figures.crack_area[1] += drawn.map(|t| area_of(places(drawing, t.corners))).sum::<f64>();
        figures.patches += drawing.patches as usize;
        let error = (volume(drawing) - piece.mass().volume).abs() / parent.mass().volume;
        figures.volume_each = figures.volume_each.max(error);
        assert!(*drawing == piece.drawing(), "{what} is drawn differently the second time");
        for vertex in &drawing.vertices {
            assert!(vertex.position.iter().all(|c| c.is_finite()) && vertex.uv.iter().all(|c| c.is_finite()));
            let length = Vector::from(vertex.normal.map(f64::from)).norm();
            assert!((length - 1.0).abs() < 1e-5, "{what}: a normal of length {length}");
        }
        let field = piece.field(Scheme::Exact);
        for triangle in &drawing.triangles {
            let Side::Skin { material } = triangle.side else { continue };
            let corners = places(drawing, triangle.corners);
            let middle = Point::from((corners[0].coords + corners[1].coords + corners[2].coords) / 3.0);
            // Outside of the tetrahedra nobody owns anything: there the skin below it counts.
            let owned = |p: &Point| pieces.iter().any(|piece| piece.field(Scheme::Exact).contains(p));
            let probe = if owned(&middle) { middle } else { below(&skin, parent, &middle) };
            if owned(&probe) {
                figures.parts += area_of(corners);
                figures.strangers += if field.contains(&probe) { 0.0 } else { area_of(corners) };
            }
            assert!(material == 5 || material == 6);
            for corner in triangle.corners {
                let vertex = &drawing.vertices[corner as usize];
                let wanted = linear_uv(&vertex.position);
                let off = (0..2).map(|k| (vertex.uv[k] - wanted[k]).abs() as f64).fold(0.0, f64::max);
                figures.uv = figures.uv.max(off);
                assert!(off < 1e-6, "{what}: {:?} at {}, not {wanted:?}", vertex.uv, vertex.position);
            }
        }
    }
}

#[test]
fn fragments_are_drawn_closed_and_nothing_is_lost() {
    on_all_cores(samples(), |(name, object)| {
        let mut figures = Figures::default();
        assert_eq!(open_edges(&object.drawing()), 0, "{name}: the artist's mesh is closed");
        for (number, (pattern_name, pattern)) in scenes::patterns(&object, 3).into_iter().enumerate() {
            let Some(fracture) = fracture(&object, &pattern, &Default::default()).unwrap().broken() else { continue };
            check(&object, &fracture.objects, &format!("{name}, {pattern_name}"), &mut figures);
            let largest = fracture.objects.iter().max_by(|a, b| a.mass().volume.total_cmp(&b.mass().volume)).unwrap();
            // Unless in full: smooth patterns again smooth, rough ones again rough.
            for (which, (how, pattern)) in [
                ("again", Pattern::random_voronoi(5, 11)),
                ("again, rough", Pattern::random_voronoi(5, 11).rough(scenes::ROUGH)),
            ]
            .into_iter()
            .enumerate()
            {
                if !is_full() && number % 2 != which {
                    continue;
                }
                let again = broken(largest, &pattern);
                let is_looked_at = largest.kind().is_made_of_planes() || how != "again";
                if again.len() > 1 && is_looked_at {
                    check(largest, &again, &format!("{name}, {pattern_name}, {how}"), &mut figures);
                }
            }
        }
        let Figures { pieces, patches, parts, strangers, area, area_again, crack_area, uv, .. } = figures;
        println!(
            "{name}: {pieces} pieces, {patches} patches; area to {area:.1e} (again broken {area_again:.1e}); volumes together to {:.1e} in {} breaks by planes, else {:.1e}, each to {:.1e} of the whole; uv to {uv:.1e}, its area to {:.1e}; cracks of {:.3} times their area; {:.3} % of the skin is its owner's",
            figures.volume_exact,
            figures.exact,
            figures.volume_sum,
            figures.volume_each,
            figures.uv_area,
            crack_area[1] / crack_area[0],
            100.0 * (1.0 - strangers / parts)
        );
        // Cracks that were folded at the seam would have more.
        assert!((crack_area[1] / crack_area[0] - 1.0).abs() < 0.05);
        assert!(figures.exact > 2 && strangers < 5e-3 * parts, "{name}: {strangers} of {parts} are not their owner's");
    });
}

/// A surface is filled, and what breaks is drawn by that surface itself: the way of an artist's mesh through the C interface.
#[test]
fn filled_surfaces_are_drawn_by_themselves() {
    let torus = artists_skin(&shapes::torus(1.0, 0.3, 48, 12), 1, 0.0);
    for (name, mesh) in [("sphere with seams", uv_sphere(0.1, 24)), ("torus", torus)] {
        let positions: Vec<[f64; 3]> = mesh.positions().iter().map(|p| [p.x, p.y, p.z]).collect();
        let options = FillOptions { tets: 4000, ..Default::default() };
        let solid = fill(&positions, mesh.triangles(), &options).unwrap().solid;
        let (tets, object) = (solid.tets().len(), drawn_by(solid, mesh));
        let mut figures = Figures::default();
        for (what, pattern) in
            [("smooth", Pattern::random_voronoi(12, 4)), ("rough", Pattern::random_voronoi(12, 5).rough(scenes::ROUGH))]
        {
            check(&object, &broken(&object, &pattern), &format!("{name}, {what}"), &mut figures);
        }
        println!(
            "{name}, filled with {tets}: {} pieces, {} patches, volumes together to {:.1e}, each to {:.1e} of the whole",
            figures.pieces, figures.patches, figures.volume_sum, figures.volume_each
        );
    }
}

/// A piece that planes made, beside others that they did not: what it breaks into is cut by each plane once.
#[test]
fn pieces_next_to_a_union_are_drawn_by_planes_when_they_break() {
    let solid = shapes::ball(0.1, 8);
    let mesh = artists_skin(&solid, 2, 0.0);
    let object = drawn_by(solid, mesh);
    let largest = |pieces: Vec<Object>| {
        let by_planes = pieces.into_iter().filter(|piece| piece.kind().is_made_of_planes());
        by_planes.max_by(|a, b| a.mass().volume.total_cmp(&b.mass().volume)).unwrap()
    };
    let part = largest(broken(&object, &Pattern::random_voronoi(4, 3)));
    let blow = Impact {
        point: part.bounds().centre(),
        direction: Vector::z(),
        radius: 0.6 * part.bounds().radius(),
        count: 8,
        seed: 2,
    };
    let pieces = broken(&part, &Pattern::impact(blow));
    assert!(!pieces[0].made_by().is_made_of_planes());
    check(&part, &pieces, "a blow", &mut Figures::default());
    for piece in pieces.iter().filter(|piece| piece.kind().is_made_of_planes()) {
        let again = broken(piece, &Pattern::random_voronoi(4, 5));
        assert!(again[0].made_by().is_made_of_planes());
        check(piece, &again, "a piece of a blow", &mut Figures::default());
    }
}

/// Saved and loaded, together or alone, everything is drawn by the same bits.
#[test]
fn what_is_loaded_is_drawn_alike() {
    let solid = shapes::torus(1.0, 0.3, 20, 4);
    let coarse = artists_skin(&shapes::torus(1.0, 0.31, 10, 2), 1, 0.0);
    let object = drawn_by(solid, coarse);
    let bytes = object.asset().save();
    let asset = Asset::load(&bytes).unwrap();
    assert_eq!(asset.save(), bytes);
    assert_eq!(Object::intact(&asset)[0].drawing(), object.drawing());
    let pieces = broken(&object, &Pattern::random_voronoi(9, 2));
    let same = broken(&Object::intact(&asset)[0], &Pattern::random_voronoi(9, 2));
    let again = broken(&pieces[0], &Pattern::random_voronoi(3, 4));
    for (family, what) in [(&pieces, "pieces"), (&again, "pieces of a piece")] {
        let together = load_objects(&save_objects(family).unwrap(), &asset).unwrap();
        for (k, piece) in family.iter().enumerate() {
            let alone = load_objects(&save_objects(&family[k..=k]).unwrap(), &asset).unwrap().remove(0);
            assert!(together[k].drawing() == piece.drawing(), "{what}: {k}");
            assert!(alone.drawing() == piece.drawing(), "{what}: {k} alone");
        }
    }
    assert!(pieces.iter().zip(&same).all(|(a, b)| a.drawing() == b.drawing()));
}

/// A mesh with a hole keeps it: cut, but not closed.
#[test]
fn what_the_artist_left_open_stays_open() {
    let solid = shapes::ball(0.1, 8);
    let closed = artists_skin(&solid, 3, 0.05);
    let positions: Vec<[f64; 3]> = closed.positions().iter().map(|p| [p.x, p.y, p.z]).collect();
    let is_low = |t: &[u32; 3]| t.iter().all(|v| positions[*v as usize][2] < 0.06);
    let triangles: Vec<[u32; 3]> = closed.triangles().iter().filter(|t| is_low(t)).copied().collect();
    let object = drawn_by(solid, with_linear_uvs(&positions, &triangles));
    let hole = open_edges(&object.drawing());
    assert!(hole > 20);
    let pieces = broken(&object, &Pattern::random_voronoi(9, 2));
    let drawings: Vec<Drawing> = pieces.iter().map(|piece| piece.drawing()).collect();
    let area: f64 = drawings.iter().map(skin_area).sum();
    assert!((area / skin_area(&object.drawing()) - 1.0).abs() < 1e-9);
    let open: usize = drawings.iter().map(open_edges).sum();
    let told: u32 = drawings.iter().map(|drawing| drawing.open_edges).sum();
    println!("a hole of {hole} edges: {open} edges of the pieces are open, {told} of them are told as seams");
    assert!(open >= hole && told > 0);
    let away = pieces.iter().zip(&drawings).filter(|(piece, _)| piece.bounds().max.z < 0.03);
    assert!(away.clone().count() > 0);
    away.for_each(|(_, drawing)| assert_eq!((open_edges(drawing), drawing.open_edges), (0, 0)));
}

/// Two bodies of one asset: each is drawn by its own part of the mesh.
#[test]
fn bodies_are_drawn_by_their_own_part() {
    let one = shapes::ball(0.1, 6);
    let skin = artists_skin(&one, 2, 0.05);
    let apart = |points: &mut dyn Iterator<Item = &Point>| -> Vec<[f64; 3]> {
        let points: Vec<&Point> = points.collect();
        [0.0, 0.5].iter().flat_map(|x| points.iter().map(move |p| [p.x + x, p.y, p.z])).collect()
    };
    let tets: Vec<[u32; 4]> =
        [0, one.nodes().len() as u32].iter().flat_map(|n| one.tets().iter().map(move |t| t.map(|i| i + n))).collect();
    let count = skin.positions().len() as u32;
    let triangles: Vec<[u32; 3]> =
        [0, count].iter().flat_map(|n| skin.triangles().iter().map(move |t| t.map(|i| i + n))).collect();
    let solid = Solid::new(&apart(&mut one.nodes().iter()), &tets).unwrap();
    let mesh = with_linear_uvs(&apart(&mut skin.positions().iter()), &triangles);
    let places = |t: &[u32; 3]| t.map(|v| mesh.positions()[v as usize]);
    let mesh_area: f64 = mesh.triangles().iter().map(|t| area_of(places(t))).sum();
    let options = CookOptions { drawing: Some(Arc::new(mesh)), ..Default::default() };
    let bodies = Object::intact(&Asset::cook(solid, &options).unwrap());
    assert_eq!(bodies.len(), 2);
    for body in &bodies {
        let drawing = body.drawing();
        assert_eq!((drawing.open_edges, drawing.patches, open_edges(&drawing)), (0, 0, 0));
        let area = skin_area(&bodies[0].drawing()) + skin_area(&bodies[1].drawing());
        assert!((area / mesh_area - 1.0).abs() < 1e-9);
        assert!((volume(&drawing) / body.mass().volume - 1.0).abs() < 0.1);
        check(body, &broken(body, &Pattern::random_voronoi(6, 1)), "one of two", &mut Figures::default());
    }
}

#[test]
fn without_a_drawing_mesh_the_surface_is_drawn() {
    let object = scenes::intact(shapes::ball(0.1, 6));
    for piece in broken(&object, &Pattern::random_voronoi(5, 1)).iter().chain([&object]) {
        let (drawing, surface) = (piece.drawing(), piece.surface());
        assert_eq!((drawing.triangles.len(), open_edges(&drawing)), (surface.triangles.len(), 0));
        assert!((volume(&drawing) / piece.mass().volume - 1.0).abs() < 1e-9);
    }
}

#[test]
fn bad_meshes_are_told() {
    let corner = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let told = |result: fracas::Result<DrawingMesh>, words: &str| {
        let text = result.unwrap_err().to_string();
        assert!(text.contains(words), "{text}");
    };
    told(DrawingMesh::new(&corner, &[]), "no triangles");
    told(DrawingMesh::new(&corner, &[[0, 1, 3]]), "triangles[0] of the drawing mesh names vertex 3, but there are 3");
    let broken = [[0.0; 3], [f64::NAN, 0.0, 0.0], [0.0, 1.0, 0.0]];
    told(DrawingMesh::new(&broken, &[[0, 1, 2]]), "positions[1]");
    let mesh = DrawingMesh::new(&corner, &[[0, 1, 2]]).unwrap();
    told(mesh.clone().with_uvs(vec![[0.0; 2]; 2]), "there are 2 uvs for 3 vertices");
    told(mesh.clone().with_uvs(vec![[0.0, f32::INFINITY]; 3]), "uvs[0]");
    told(mesh.clone().with_normals(vec![[0.0; 3]; 4]), "there are 4 normals for 3 vertices");
    told(mesh.clone().with_materials(vec![1, 2]), "there are 2 materials for 1 triangles");
    let options = CookOptions { drawing: Some(Arc::new(mesh)), ..Default::default() };
    let text = Asset::cook(shapes::ball(0.1, 4), &options).unwrap_err().to_string();
    assert!(text.contains("are both in the same units and frame?"), "{text}");
}
