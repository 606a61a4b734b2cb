//! How many tetrahedra a body needs: `cargo bench --bench coarse [-- body [tetrahedra ...]]`, 0 for the surface met exactly. Two minutes; one line for each body and number.
//!
//! Ten artist's surfaces of our own are filled with about so many tetrahedra, cooked, and broken into 27 Voronoi cells whose seeds
//! are the same for every number. The judge is the artist's surface, not the boundary of the tetrahedra:
//!
//! - *depth*: `Object::signed_distance` against the distance to all triangles, signed by the exact winding number, at points within
//!   5 % of the radius of the surface (on both sides) and all over the inside;
//! - *contact*: the body, and each fragment, stands on a half-space in random directions, 0.5 % of the radius deep by the artist's
//!   surface (of fragments: cut by the cells, `Object::drawing`). How far the deepest contact is off that, or all of it if there is none;
//! - *off*: the artist's surface from the boundary and the boundary from it, at points on all triangles.
//!
//! All errors are in % of the radius. Event: the least of some repetitions on one core. Cooking: filling included, on two threads.

#[path = "../tests/common/mod.rs"]
mod common;

use common::surfaces::{Skin, knot};
use common::{artists, thin};
use fracas::bvh::Bvh;
use fracas::contact::{QueryOptions, query_pair, query_shape};
use fracas::field::shape::HalfSpace;
use fracas::geom::Pose;
use fracas::geom::aabb::Aabb;
use fracas::geom::plane::Plane;
use fracas::geom::random::unit;
use fracas::solid::drawing::DrawingMesh;
use fracas::solid::fill::FillOptions;
use fracas::{Asset, CookOptions, Object, Pattern, Point, Tasks, Vector, fracture, shapes};
use std::sync::Arc;
use std::time::Instant;

/// 0: so that the surface is met exactly.
const TARGETS: [usize; 8] = [0, 500, 1000, 2000, 5000, 10_000, 20_000, 40_000];
const CELLS: usize = 27;
/// Points at which depths are compared.
const POINTS: u64 = 3000;
/// Half-spaces under the body, and under each fragment.
const DIRECTIONS: [u64; 2] = [100, 6];
/// How deep bodies stand in them, as a share of the radius.
const SUNK: f64 = 0.005;

fn bodies() -> Vec<(&'static str, Skin)> {
    let drawn = |mesh: DrawingMesh| Skin {
        points: mesh.positions().iter().map(|p| [p.x, p.y, p.z]).collect(),
        triangles: mesh.triangles().to_vec(),
    };
    vec![
        ("box", Skin::of(&shapes::cuboid([0.2, 0.3, 0.4], [1, 1, 1])).turned(13.0)),
        ("brick", Skin::of(&shapes::preset::brick()).turned(5.0)),
        ("shelf", Skin::of(&shapes::preset::shelf())),
        ("ball", Skin::of(&shapes::ball(0.1, 32))),
        ("torus", Skin::of(&shapes::torus(0.1, 0.03, 96, 16))),
        ("knot", knot([2, 3], 0.02, 240, 24)),
        ("lens", thin::lens(0.1, 0.06, 32).turned(40.0)),
        ("vase", drawn(artists::vase(64, 44))),
        ("rabbit", Skin::of(&shapes::preset::rabbit())),
        ("piggy bank", Skin::of(&shapes::preset::piggy_bank())),
    ]
}

/// The artist's surface, and what is true of it at some points.
struct Truth {
    skin: Skin,
    tree: Bvh,
    radius: f64,
    /// Points and their signed distances.
    points: Vec<(Point, f64)>,
    seeds: Vec<Point>,
}

impl Truth {
    fn new(skin: Skin) -> Self {
        let skin = without_strays(skin);
        let corners = skin.corners();
        let (tree, bounds) = (Bvh::new(&corners).unwrap(), Aabb::around(corners.iter().flatten()));
        let mut made = Self { skin, tree, radius: bounds.radius(), points: vec![], seeds: vec![] };
        let within =
            |seed: u64| bounds.min + bounds.size().component_mul(&Vector::from_fn(|k, _| unit(seed, k as u64)));
        let mut inside = (0..).map(within).filter(|p| winding(&corners, p) > 0.5);
        made.seeds = inside.by_ref().take(CELLS).collect();
        let deep: Vec<Point> = inside.take(POINTS as usize / 3).collect();
        let near = made
            .random_on_surface(POINTS * 2 / 3)
            .into_iter()
            .zip(0..)
            .map(|((on, normal), k)| on + normal * (0.1 * made.radius * (unit(5, k) - 0.5)));
        let signed = |p: Point| {
            let sign = if winding(&corners, &p) > 0.5 { -1.0 } else { 1.0 };
            (p, sign * made.distance(&p))
        };
        made.points = deep.into_iter().chain(near).map(signed).collect();
        made
    }

    fn distance(&self, p: &Point) -> f64 {
        self.tree.closest_point(p, f64::INFINITY).unwrap().distance
    }

    /// Points, even in area, with normals.
    fn random_on_surface(&self, count: u64) -> Vec<(Point, Vector)> {
        let corners = self.skin.corners();
        let cross = |[a, b, c]: &[Point; 3]| (b - a).cross(&(c - a));
        let mut sum = 0.0;
        let areas: Vec<f64> = corners
            .iter()
            .map(|t| {
                sum += cross(t).norm();
                sum
            })
            .collect();
        let point = |k: u64| {
            let wanted = sum * unit(3, k);
            let t = &corners[areas.partition_point(|a| *a < wanted).min(corners.len() - 1)];
            let (u, v) = (unit(1, k).sqrt(), unit(2, k));
            (t[0] + (t[1] - t[0]) * (u * (1.0 - v)) + (t[2] - t[0]) * (u * v), cross(t).normalize())
        };
        (0..count).map(point).collect()
    }
}

/// Without the points that no triangle has, as a solid's inner nodes.
fn without_strays(skin: Skin) -> Skin {
    let mut used: Vec<u32> = skin.triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let number = |i: u32| used.partition_point(|k| *k < i) as u32;
    Skin {
        points: used.iter().map(|i| skin.points[*i as usize]).collect(),
        triangles: skin.triangles.iter().map(|t| t.map(number)).collect(),
    }
}

/// How often the surface goes round a point, from the solid angles of all triangles (van Oosterom and Strackee 1983).
fn winding(corners: &[[Point; 3]], p: &Point) -> f64 {
    let angle = |t: &[Point; 3]| {
        let [a, b, c] = t.map(|q| q - p);
        let [x, y, z] = [a.norm(), b.norm(), c.norm()];
        let below = x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y;
        2.0 * a.dot(&b.cross(&c)).atan2(below)
    };
    corners.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// Mean, what 99 of 100 stay below, the largest.
#[derive(Clone, Copy)]
struct Spread([f64; 3]);

impl Spread {
    fn of(mut list: Vec<f64>) -> Self {
        list.sort_by(f64::total_cmp);
        let mean = list.iter().sum::<f64>() / list.len() as f64;
        Self([mean, list[(list.len() * 99 / 100).min(list.len() - 1)], list[list.len() - 1]])
    }
}

/// What is measured of a body.
struct Row {
    tets: usize,
    cook: f64,
    event: f64,
    asset: usize,
    made: usize,
    depth: Spread,
    contact: Spread,
    of_fragments: Spread,
    off: [Spread; 2],
}

fn measure(truth: &Truth, target: usize) -> Result<Row, String> {
    let tasks = Tasks::pool(2).map_err(|e| e.to_string())?;
    let start = Instant::now();
    let options = FillOptions { tets: target, exact: target == 0, tasks: tasks.clone(), ..Default::default() };
    let solid = truth.skin.fill(&options).map_err(|e| e.to_string())?.solid;
    let drawing = Arc::new(DrawingMesh::new(&truth.skin.points, &truth.skin.triangles).unwrap());
    let cooking = CookOptions { drawing: Some(drawing.clone()), tasks, ..Default::default() };
    let asset = Asset::cook(solid, &cooking).map_err(|e| e.to_string())?;
    let cook = start.elapsed().as_secs_f64();
    let object = Object::intact(&asset).remove(0);

    let pattern = Pattern::voronoi(truth.seeds.clone());
    let (mut event, mut pieces) = (f64::INFINITY, vec![]);
    let measuring = Instant::now();
    for repetition in 0..200 {
        let start = Instant::now();
        let outcome = fracture(&object, &pattern, &Default::default()).unwrap();
        event = event.min(start.elapsed().as_secs_f64());
        pieces = outcome.broken().map_or(vec![], |broken| broken.objects);
        if repetition > 3 && measuring.elapsed().as_secs_f64() > 0.25 {
            break;
        }
    }
    // All that queries prepare.
    let (mut out, here) = (vec![], Pose::identity());
    for i in 0..pieces.len() {
        for j in 0..i {
            query_pair(&pieces[i], &here, &pieces[j], &here, &QueryOptions::default(), &mut out).unwrap();
        }
    }
    let memory = pieces[0].memory();

    let error = |(p, exact): &(Point, f64)| (object.signed_distance(p).distance - exact).abs() / truth.radius;
    let own = Skin::of(asset.solid());
    let boundary = Bvh::new(&own.corners()).unwrap();
    let missed = truth.random_on_surface(POINTS);
    let missed = missed.iter().map(|(p, _)| p).chain(drawing.positions());
    let missed = missed.map(|p| boundary.closest_point(p, f64::INFINITY).unwrap().distance / truth.radius);
    let beyond = own.corners().into_iter().flat_map(|[a, b, c]| {
        let middle = |p: &Point, q: &Point| nalgebra::center(p, q);
        [a, b, c, middle(&a, &b), middle(&b, &c), middle(&c, &a), Point::from((a.coords + b.coords + c.coords) / 3.0)]
    });
    let stands = |of: &[Object], directions: u64| {
        Spread::of(of.iter().zip(0..).flat_map(|(object, k)| standing(object, truth.radius, directions, k)).collect())
    };
    Ok(Row {
        tets: asset.solid().tets().len(),
        cook,
        event,
        asset: memory.asset - asset.drawing().map_or(0, |binding| binding.bytes()),
        made: memory.made_by,
        depth: Spread::of(truth.points.iter().map(error).collect()),
        contact: stands(std::slice::from_ref(&object), DIRECTIONS[0]),
        of_fragments: stands(&pieces, DIRECTIONS[1]),
        off: [Spread::of(missed.collect()), Spread::of(beyond.map(|p| truth.distance(&p) / truth.radius).collect())],
    })
}

/// How far the deepest contacts of an object with half-spaces are off what the artist's surface says.
fn standing(object: &Object, radius: f64, directions: u64, seed: u64) -> Vec<f64> {
    let drawing = object.drawing();
    // A crumb of the tetrahedra may have nothing of the artist's surface.
    if drawing.vertices.is_empty() {
        return vec![];
    }
    let mut out = vec![];
    let error = |k: u64| {
        let up = Vector::from_fn(|i, _| unit(1000 + seed, 3 * k + i as u64) - 0.5).normalize();
        let lowest = drawing.vertices.iter().map(|v| v.position.coords.dot(&up)).fold(f64::INFINITY, f64::min);
        let floor = HalfSpace(Plane { normal: up, offset: lowest + SUNK * radius });
        out.clear();
        let here = Pose::identity();
        query_shape(object, &here, &floor, &here, &QueryOptions::default(), &mut out).unwrap();
        let deepest = out.iter().map(|contact| contact.depth as f64).fold(0.0, f64::max);
        (deepest / radius - SUNK).abs()
    };
    (0..directions).map(error).collect()
}

const HEAD: &str = "                tets    cook/s  event/ms  asset/KB break/KB   depth error     on half-spaces  fragments on them  surface>tets    tets>surface";

const SUMMARY: &str = "asked for   bodies   event/ms  asset/KB break/KB  cook/s   depth 99 of 100   half-space 99 of 100   off the surface, most";

fn print(name: &str, row: &Row) {
    let percent = |Spread([mean, high, _]): Spread| format!("{:6.3} {:6.2}", 100.0 * mean, 100.0 * high);
    let most = |Spread([mean, _, most]): Spread| format!("{:6.3} {:6.2}", 100.0 * mean, 100.0 * most);
    println!(
        "{name:12} {:8} {:8.2} {:9.3} {:9} {:8} {}   {}   {}    {}   {}",
        row.tets,
        row.cook,
        1e3 * row.event,
        row.asset / 1000,
        row.made / 1000,
        percent(row.depth),
        percent(row.contact),
        percent(row.of_fragments),
        most(row.off[0]),
        most(row.off[1]),
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let numbers: Vec<usize> = arguments.iter().filter_map(|a| a.parse().ok()).collect();
    let names: Vec<&String> = arguments.iter().filter(|a| a.parse::<usize>().is_err()).collect();
    let targets = if numbers.is_empty() { TARGETS.to_vec() } else { numbers };
    println!("errors in % of the radius, mean and 99 of 100; of the last two columns mean and most\n{HEAD}");
    let mut all: Vec<Vec<Row>> = targets.iter().map(|_| vec![]).collect();
    for (name, skin) in bodies() {
        if !names.is_empty() && !names.contains(&&name.to_string()) {
            continue;
        }
        println!("{name}: {} triangles", skin.triangles.len());
        let truth = Truth::new(skin);
        for (target, rows) in targets.iter().zip(&mut all) {
            match measure(&truth, *target) {
                Ok(row) => {
                    print(&target.to_string(), &row);
                    rows.push(row);
                }
                Err(why) => println!("{target:<12} {why}"),
            }
        }
    }
    println!("\nmedian over the bodies; of the errors also the worst\n{SUMMARY}");
    for (target, rows) in targets.iter().zip(&all).filter(|(_, rows)| !rows.is_empty()) {
        let sorted = |value: &dyn Fn(&Row) -> f64| {
            let mut list: Vec<f64> = rows.iter().map(value).collect();
            list.sort_by(f64::total_cmp);
            (list[list.len() / 2], list[list.len() - 1])
        };
        let middle = |value: &dyn Fn(&Row) -> f64| sorted(value).0;
        let both = |value: &dyn Fn(&Row) -> f64| {
            let (median, most) = sorted(value);
            format!("{:6.2} {:6.2}", 100.0 * median, 100.0 * most)
        };
        println!(
            "{target:<12} {:6} {:9.3} {:9.0} {:8.0} {:8.2}    {}      {}          {}",
            rows.len(),
            1e3 * middle(&|row| row.event),
            middle(&|row| row.asset as f64) / 1e3,
            middle(&|row| row.made as f64) / 1e3,
            middle(&|row| row.cook),
            both(&|row| row.depth.0[1]),
            both(&|row| row.contact.0[1].max(row.of_fragments.0[1])),
            both(&|row| row.off[0].0[2].max(row.off[1].0[2])),
        );
    }
}
