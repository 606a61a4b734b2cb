//! Independent judges: closed surfaces, volumes by flux, recombined masses, winding numbers.

use fracas::crack::breaks::Kind;
use fracas::cut::polytope::Polytope;
use fracas::fracture::Fracture;
use fracas::fracture::surface::{Face, Surface};
use fracas::geom::random::unit;
use fracas::solid::Across;
use fracas::{Object, Point, Vector};
use nalgebra::Matrix3;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The largest relative errors met so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    pub events: usize,
    pub fragments: usize,
    pub volume_sum: f64,
    pub flux: f64,
    pub centre: f64,
    pub inertia: f64,
    pub adjacency: f64,
}

impl Figures {
    pub fn worst(&mut self, other: &Self) {
        let worse = |a: &mut f64, b: f64| *a = a.max(b);
        self.events += other.events;
        self.fragments += other.fragments;
        worse(&mut self.volume_sum, other.volume_sum);
        worse(&mut self.flux, other.flux);
        worse(&mut self.centre, other.centre);
        worse(&mut self.inertia, other.inertia);
        worse(&mut self.adjacency, other.adjacency);
    }
}

/// Every directed edge has its opposite, as often.
pub fn assert_closed(surface: &Surface, what: &str) {
    let mut balance: HashMap<(u32, u32), i32> = HashMap::new();
    for t in &surface.triangles {
        for k in 0..3 {
            let (u, v) = (t.corners[k], t.corners[(k + 1) % 3]);
            assert_ne!(u, v, "{what}: an edge without length");
            *balance.entry((u.min(v), u.max(v))).or_insert(0) += if u < v { 1 } else { -1 };
        }
    }
    let open = balance.values().filter(|b| **b != 0).count();
    assert_eq!(open, 0, "{what}: {open} open edges of {}", balance.len());
}

/// Volume by the divergence theorem, about a point of the surface itself.
pub fn flux_volume(surface: &Surface) -> f64 {
    let origin = surface.vertices[0];
    let p = |i: u32| surface.vertices[i as usize] - origin;
    surface.triangles.iter().map(|t| p(t.corners[0]).dot(&p(t.corners[1]).cross(&p(t.corners[2]))) / 6.0).sum()
}

pub fn triangle_area(surface: &Surface, corners: [u32; 3]) -> f64 {
    let [a, b, c] = corners.map(|i| surface.vertices[i as usize]);
    0.5 * (b - a).cross(&(c - a)).norm()
}

/// Everything that must hold after a fracture, whatever the pattern. Returns how well it held.
pub fn check(parent: &Object, fracture: &Fracture, what: &str) -> Figures {
    let objects = &fracture.objects;
    assert!(objects.len() > 1, "{what}: broken, but not in pieces");
    assert_eq!(objects.len(), fracture.cells.len());
    partitions_nodes_and_points(parent, objects, what);
    let mut figures = Figures { events: 1, fragments: objects.len(), ..Figures::default() };
    recombines(parent, objects, &mut figures);
    let surfaces: Vec<Surface> = objects.iter().map(|o| o.surface()).collect();
    for (object, surface) in objects.iter().zip(&surfaces) {
        let mass = object.mass();
        assert!(mass.volume > 0.0 && mass.mass > 0.0 && mass.inertia.iter().all(|m| m.is_finite()), "{what}: {mass:?}");
        let moments = mass.inertia.symmetric_eigen().eigenvalues;
        assert!(
            moments.min() > 0.0 && moments.max() <= moments.sum() - moments.max() + 1e-9 * moments.max(),
            "{what}: {moments:?}"
        );
        assert_closed(surface, what);
        // Slivers are no more exact than their corners, which are next to each other.
        let off = (flux_volume(surface) - mass.volume).abs();
        figures.flux = figures.flux.max(off / mass.volume.max(1e-6 * parent.mass().volume));
        let tolerance = 1e-9 * parent.asset().radius();
        for v in &surface.vertices {
            let out =
                (0..3).map(|k| (object.bounds().min[k] - v[k]).max(v[k] - object.bounds().max[k])).fold(0.0, f64::max);
            assert!(out <= tolerance, "{what}: the surface leaves the bounds by {out:e}");
        }
        assert_connected(object, what);
    }
    compare_adjacency(objects, &surfaces, &mut figures, what);
    assert!(figures.volume_sum < 1e-9 && figures.flux < 1e-6, "{what}: {figures:?}");
    assert!(figures.centre < 1e-9 && figures.inertia < 1e-9 && figures.adjacency < 1e-6, "{what}: {figures:?}");
    figures
}

fn partitions_nodes_and_points(parent: &Object, objects: &[Object], what: &str) {
    let mut nodes: Vec<u32> = objects.iter().flat_map(|o| o.nodes().to_vec()).collect();
    nodes.sort_unstable();
    assert_eq!(nodes, parent.nodes(), "{what}: the nodes are not the parent's");
    let old: BTreeMap<u32, Point> = parent.crack_points().iter().map(|p| (p.id, p.at)).collect();
    let mut ids = HashSet::new();
    let mut survivors = 0;
    for object in objects {
        for p in object.crack_points() {
            assert!(ids.insert(p.id), "{what}: crack point {} is there twice", p.id);
            if let Some(at) = old.get(&p.id) {
                assert_eq!(*at, p.at, "{what}: crack point {} moved", p.id);
                survivors += 1;
            }
        }
    }
    assert_eq!(survivors, old.len(), "{what}: crack points were lost");
}

/// Sums of volume, centre and inertia against the parent's.
fn recombines(parent: &Object, objects: &[Object], figures: &mut Figures) {
    let whole = parent.mass();
    let radius = parent.bounds().radius();
    let volume: f64 = objects.iter().map(|o| o.mass().volume).sum();
    let first: Vector = objects.iter().map(|o| (o.mass().centre - whole.centre) * o.mass().mass).sum();
    let mut inertia = Matrix3::zeros();
    for o in objects {
        let d = o.mass().centre - whole.centre;
        inertia += o.mass().inertia + (Matrix3::identity() * d.norm_squared() - d * d.transpose()) * o.mass().mass;
    }
    figures.volume_sum = (volume / whole.volume - 1.0).abs();
    figures.centre = first.norm() / (whole.mass * radius);
    // Corners are as exact as the tetrahedra are large that they lie in: slivers much smaller than these are less exact themselves.
    let edge = parent.asset().mean_edge();
    figures.inertia = (inertia - whole.inertia).norm() / (whole.inertia.norm() + 1e-3 * whole.mass * edge * edge);
}

/// Goes from the parts of a fragment to their neighbours over facets that both have, by the numbers of their corners, and must meet all
/// of them.
fn assert_connected(object: &Object, what: &str) {
    let (solid, made, piece) = (object.asset().solid(), object.made_by(), object.piece_number());
    let place = |tet: u32| made.cut_tets().tets.binary_search_by_key(&tet, |cut| cut.tet).ok();
    // A tetrahedron, and its region if it is cut.
    let mut all: Vec<(u32, usize)> = vec![];
    for &k in made.cuts_of(piece) {
        let own = made.cut_tets().regions_at(k as usize).filter(|r| made.cut_tets().regions[*r].piece == piece);
        all.extend(own.map(|r| (made.cut_tets().tets[k as usize].tet, r)));
    }
    let own: HashSet<u32> = object.nodes().iter().copied().collect();
    for (t, tet) in solid.tets().iter().enumerate() {
        if place(t as u32).is_none() && tet.iter().all(|n| own.contains(n)) {
            all.push((t as u32, usize::MAX));
        }
    }
    let (mut polytope, mut rim) = (Polytope::default(), vec![]);
    let mut sharing: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut beyond: Vec<(u64, usize, u32)> = vec![];
    for (number, &(tet, region)) in all.iter().enumerate() {
        polytope.set_whole();
        let splits = place(tet).map_or(&[][..], |k| made.cut_tets().splits_at(k));
        if region != usize::MAX {
            polytope.set_region(splits, made.cut_tets().walls_of(region).iter().copied());
        }
        polytope.each_facet(&mut rim, |wall, rim| {
            let corner = |c: &u16| polytope.corner(*c as usize, splits, &solid.tets()[tet as usize]).key;
            let key = rim.iter().fold(0u64, |sum, c| sum.wrapping_add(fracas::geom::random::mix(corner(c))));
            sharing.entry(key).or_default().push(number);
            // What is across may be divided otherwise, where joined cells fill a tetrahedron.
            if let Some(Across::Tet(other)) = wall.as_face().map(|face| solid.across(tet, face))
                && object.kind() == Kind::Union
            {
                beyond.push((key, number, other));
            }
        });
    }
    let mut links: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut parts_of: HashMap<u32, Vec<usize>> = HashMap::new();
    all.iter().enumerate().for_each(|(k, part)| parts_of.entry(part.0).or_default().push(k));
    for (key, part, tet) in beyond {
        for &other in parts_of.get(&tet).into_iter().flatten().filter(|_| sharing[&key].len() == 1) {
            links.entry(part).or_default().push(other);
            links.entry(other).or_default().push(part);
        }
    }
    for pair in sharing.values().filter(|list| list.len() == 2) {
        links.entry(pair[0]).or_default().push(pair[1]);
        links.entry(pair[1]).or_default().push(pair[0]);
    }
    let (mut seen, mut next) = (HashSet::from([0]), vec![0]);
    while let Some(part) = next.pop() {
        for other in links.get(&part).into_iter().flatten() {
            if seen.insert(*other) {
                next.push(*other);
            }
        }
    }
    assert_eq!(seen.len(), all.len(), "{what}: a fragment is in several parts");
}

/// Crack areas counted on the exported triangles of either side, and as the break reports them.
fn compare_adjacency(objects: &[Object], surfaces: &[Surface], figures: &mut Figures, what: &str) {
    let mut seen: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    for (object, surface) in objects.iter().zip(surfaces) {
        for t in &surface.triangles {
            if let Face::Crack { neighbour: Some(other), .. } = t.face {
                *seen.entry((object.piece_number(), other)).or_insert(0.0) += triangle_area(surface, t.corners);
            }
        }
    }
    let mut reported = objects[0].adjacency();
    let scale = reported.iter().map(|a| a.area).fold(0.0, f64::max);
    // Where many cells meet in a line, some are neighbours across next to nothing, which is not exported.
    reported.retain(|entry| entry.area > 1e-8 * scale);
    seen.retain(|_, area| *area > 1e-8 * scale);
    assert_eq!(seen.len(), 2 * reported.len(), "{what}: neighbours are not mutual");
    for entry in &reported {
        let [a, b] = entry.pieces;
        for key in [(a, b), (b, a)] {
            figures.adjacency = figures.adjacency.max((seen[&key] - entry.area).abs() / scale);
        }
    }
}

/// How often a closed surface winds around a point: 1 inside, 0 outside.
pub fn winding_number(surface: &Surface, p: &Point) -> f64 {
    let mut sum = 0.0;
    for t in &surface.triangles {
        let [a, b, c] = t.corners.map(|i| surface.vertices[i as usize] - p);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let det = a.dot(&b.cross(&c));
        sum += det.atan2(la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb);
    }
    sum / (2.0 * std::f64::consts::PI)
}

/// Distance from a point to the nearest triangle of a surface.
pub fn surface_distance(surface: &Surface, p: &Point) -> f64 {
    let at = |i: u32| surface.vertices[i as usize];
    surface.triangles.iter().map(|t| triangle_distance(p, &t.corners.map(at))).fold(f64::INFINITY, f64::min)
}

pub fn triangle_distance(p: &Point, [a, b, c]: &[Point; 3]) -> f64 {
    let n = (b - a).cross(&(c - a));
    let inside = |u: &Point, v: &Point| n.cross(&(v - u)).dot(&(p - u)) >= 0.0;
    if n.norm_squared() > 0.0 && inside(a, b) && inside(b, c) && inside(c, a) {
        return ((p - a).dot(&n) / n.norm()).abs();
    }
    let segment = |u: &Point, v: &Point| {
        let d = v - u;
        let t = ((p - u).dot(&d) / d.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        (p - (u + d * t)).norm()
    };
    segment(a, b).min(segment(b, c)).min(segment(c, a))
}

/// Random points of a solid, even in volume: tetrahedron, barycentric coordinates, position.
pub fn random_points(object: &Object, count: usize, seed: u64) -> Vec<(u32, [f64; 4], Point)> {
    let solid = object.asset().solid();
    let mut sums = vec![0.0];
    for t in 0..solid.tets().len() {
        sums.push(sums[t] + solid.signed_volume(t as u32).abs());
    }
    (0..count as u64)
        .map(|k| {
            let tet = (sums.partition_point(|s| *s <= unit(seed, 5 * k) * sums[sums.len() - 1]) - 1)
                .min(solid.tets().len() - 1);
            let mut cuts: [f64; 3] = std::array::from_fn(|i| unit(seed, 5 * k + 1 + i as u64));
            cuts.sort_unstable_by(f64::total_cmp);
            let weights = [cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 1.0 - cuts[2]];
            let corners = solid.corners(tet as u32);
            let at = (0..4).fold(Point::origin(), |at, i| at + corners[i].coords * weights[i]);
            (tet as u32, weights, at)
        })
        .collect()
}

/// Whether the object that the splits name is the one whose surface winds around the point. Returns how many points were
/// compared and how many of them disagreed (each of those lies on a face, or this fails).
pub fn compare_owners(family: &[Object], count: usize, seed: u64, what: &str) -> (usize, usize) {
    let surfaces: Vec<Surface> = family.iter().map(|o| o.surface()).collect();
    let radius = family[0].asset().radius();
    let mut disagreements = 0;
    let points = random_points(&family[0], count, seed);
    for (tet, weights, at) in &points {
        let named: Vec<usize> = (0..family.len()).filter(|k| family[*k].owns(*tet, weights)).collect();
        assert_eq!(named.len(), 1, "{what}: {named:?} own the point {at}");
        let around: Vec<usize> = (0..family.len())
            .filter(|k| family[*k].bounds().contains(at) && winding_number(&surfaces[*k], at) > 0.5)
            .collect();
        if around != named {
            disagreements += 1;
            let distance = surface_distance(&surfaces[named[0]], at);
            assert!(
                distance <= 1e-6 * radius,
                "{what}: {at} is in {named:?} by its splits, in {around:?} by winding; {distance:e} away"
            );
        }
    }
    (points.len(), disagreements)
}

/// Every face between two tetrahedra is divided alike from both sides, by all pieces of the break of an object. Returns how many were
/// compared.
pub fn assert_faces_divided_alike(object: &Object, what: &str) -> usize {
    let (solid, made) = (object.asset().solid(), object.made_by());
    let mut owner = HashMap::new();
    for piece in 0..made.pieces.len() as u32 {
        owner.extend(made.nodes_of(piece).iter().map(|n| (*n, piece)));
    }
    let (mut polytope, mut rim) = (Polytope::default(), vec![]);
    // By face: the facets of each piece, as sums of the numbers of their corners, from either side.
    let mut faces: HashMap<[u32; 3], Vec<Vec<(u32, u64)>>> = HashMap::new();
    for (k, cut) in made.cut_tets().tets.iter().enumerate() {
        let nodes = &solid.tets()[cut.tet as usize];
        let mut sides: [Vec<(u32, u64)>; 4] = Default::default();
        for region in made.cut_tets().regions_at(k) {
            polytope.set_region(made.cut_tets().splits_at(k), made.cut_tets().walls_of(region).iter().copied());
            polytope.each_facet(&mut rim, |wall, rim| {
                if let Some(face) = wall.as_face() {
                    let corner = |c: &u16| polytope.corner(*c as usize, made.cut_tets().splits_at(k), nodes).key;
                    let sum = rim.iter().fold(0u64, |sum, c| sum.wrapping_add(fracas::geom::random::mix(corner(c))));
                    sides[face].push((made.cut_tets().regions[region].piece, sum));
                }
            });
        }
        for (face, mut side) in sides.into_iter().enumerate() {
            let Across::Tet(other) = solid.across(cut.tet, face) else { continue };
            side.sort_unstable();
            let on: Vec<u32> = (0..4).filter(|n| *n != face).map(|n| nodes[n]).collect();
            let list = faces.entry([on[0], on[1], on[2]]).or_default();
            list.push(side);
            if made.cut_tets().find(other).is_none() {
                // A whole tetrahedron: of one piece, or of none of this break.
                polytope.set_whole();
                let whole = solid.tets()[other as usize];
                let opposite = whole.iter().position(|n| !on.contains(n)).unwrap();
                let mut sum = 0u64;
                for k in (0..4).filter(|k| *k != opposite) {
                    let corner = (0..4).find(|c| polytope.node_at(*c) == Some(k)).unwrap();
                    sum = sum.wrapping_add(fracas::geom::random::mix(polytope.corner(corner, &[], &whole).key));
                }
                list.push(owner.get(&whole[opposite]).map(|piece| (*piece, sum)).into_iter().collect());
            }
        }
    }
    for (face, sides) in &faces {
        assert!(sides.len() == 2 && sides[0] == sides[1], "{what}: face {face:?} is divided as {sides:?}");
    }
    faces.len()
}
