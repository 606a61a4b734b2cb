//! Closed triangle meshes, and a cutter that shares nothing with the library: a mesh clipped by the half-spaces of Voronoi cells.
//!
//! A plane divides a triangle by the signs of its corners alone, and a cut edge gets one vertex for both its triangles, so what
//! is left is closed once the loops on the plane are capped. Later planes leave needless vertices on caps, so these are
//! triangulated again at the end: they have the corners of the cell and the rim on the skin, the density of usual fracture tools.
//! Exact up to rounding.

use crate::common::oracle::triangle_distance;
use crate::library::Mesh;
use fracas::fracture::surface::Surface;
use fracas::{Point, Vector};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Triangles are counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub struct Polyhedron {
    pub points: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
}

/// Coordinates in the plane of a cap.
type Flat = [f64; 2];

/// A body clipped by planes, and the plane of each triangle; none on the skin.
#[derive(Clone, Default)]
struct Clipped {
    mesh: Polyhedron,
    planes: Vec<Option<usize>>,
}

impl Polyhedron {
    pub fn of_surface(surface: &Surface) -> Self {
        Self {
            points: surface.vertices.clone(),
            triangles: surface.triangles.iter().map(|triangle| triangle.corners).collect(),
        }
    }

    /// As peers get it.
    pub fn mesh(&self) -> Mesh {
        Mesh { points: self.points.iter().flat_map(|p| [p.x, p.y, p.z]).collect(), triangles: self.triangles.concat() }
    }

    pub fn corners(&self) -> impl Iterator<Item = [Point; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|i| self.points[i as usize]))
    }

    /// Volume and centroid, by the divergence theorem about a point of the mesh.
    pub fn volume_and_centroid(&self) -> (f64, Point) {
        let Some(origin) = self.points.first() else { return (0.0, Point::origin()) };
        let (mut volume, mut moment) = (0.0, Vector::zeros());
        for corners in self.corners() {
            let [a, b, c] = corners.map(|p| p - origin);
            let part = a.dot(&b.cross(&c)) / 6.0;
            volume += part;
            moment += (a + b + c) * (part / 4.0);
        }
        (volume, origin + moment / volume)
    }

    /// How often the mesh winds around a point, over all triangles.
    pub fn winding_number(&self, p: &Point) -> f64 {
        let angle = |corners: [Point; 3]| {
            let [a, b, c] = corners.map(|corner| corner - p);
            let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
            a.dot(&b.cross(&c)).atan2(la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb)
        };
        self.corners().map(angle).sum::<f64>() / (2.0 * std::f64::consts::PI)
    }

    /// Distance from a point, over all triangles.
    pub fn distance(&self, p: &Point) -> f64 {
        self.corners().map(|corners| triangle_distance(p, &corners)).fold(f64::INFINITY, f64::min)
    }

    pub fn mean_edge(&self) -> f64 {
        let lengths = self.corners().flat_map(|[a, b, c]| [(b - a).norm(), (c - b).norm(), (a - c).norm()]);
        lengths.sum::<f64>() / (3 * self.triangles.len()).max(1) as f64
    }

    /// Edges that have no opposite.
    pub fn open_edges(&self) -> usize {
        let mut balance: HashMap<[u32; 2], i32> = HashMap::new();
        for triangle in &self.triangles {
            for k in 0..3 {
                let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                *balance.entry([a.min(b), a.max(b)]).or_default() += if a < b { 1 } else { -1 };
            }
        }
        balance.values().filter(|sum| **sum != 0).count()
    }

    /// The connected parts of each Voronoi cell: everything that is nearer to one seed than to all others.
    pub fn cut(&self, seeds: &[Point]) -> Vec<Self> {
        let others = |k: usize| [&seeds[..k], &seeds[k + 1..]].concat();
        (0..seeds.len()).flat_map(|k| cell(self, &seeds[k], &others(k)).components()).collect()
    }

    fn add(&mut self, p: Point) -> u32 {
        self.points.push(p);
        self.points.len() as u32 - 1
    }

    /// Closes loops in a plane; those that run clockwise are holes.
    fn cap(&mut self, loops: Vec<Vec<u32>>, normal: &Vector) {
        let u = normal.cross(&Vector::ith(normal.iamin(), 1.0)).normalize();
        let v = normal.cross(&u);
        let points = &self.points;
        let at = |i: u32| -> Flat { [u.dot(&points[i as usize].coords), v.dot(&points[i as usize].coords)] };
        let (mut outer, mut holes): (Vec<_>, Vec<_>) = loops.into_iter().partition(|around| area(around, &at) >= 0.0);
        // The smallest loop around a hole takes it in, the rightmost hole first, so that bridges do not cross later holes.
        let right = |hole: &Vec<u32>| hole.iter().map(|i| at(*i)[0]).fold(f64::NEG_INFINITY, f64::max);
        holes.sort_by(|a, b| right(b).total_cmp(&right(a)));
        outer.sort_by(|a, b| area(a, &at).total_cmp(&area(b, &at)));
        for k in 0..holes.len() {
            let hole = &holes[k];
            if let Some(around) = outer.iter_mut().find(|around| surrounds(around, at(hole[0]), &at)) {
                *around = bridged(around, hole, &holes[k + 1..], &at);
            }
        }
        let caps: Vec<[u32; 3]> = outer.into_iter().flat_map(|polygon| triangulated(polygon, &at)).collect();
        self.triangles.extend(caps);
    }

    /// Parts that share no vertex. A hollow goes with the part around it.
    pub fn components(&self) -> Vec<Self> {
        let mut parent: Vec<u32> = (0..self.points.len() as u32).collect();
        fn root(parent: &mut [u32], mut i: u32) -> u32 {
            while parent[i as usize] != i {
                parent[i as usize] = parent[parent[i as usize] as usize];
                i = parent[i as usize];
            }
            i
        }
        for triangle in &self.triangles {
            for k in 1..3 {
                let (a, b) = (root(&mut parent, triangle[0]), root(&mut parent, triangle[k]));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        let mut parts: BTreeMap<u32, (Self, HashMap<u32, u32>)> = BTreeMap::new();
        for triangle in &self.triangles {
            let (part, numbers) = parts.entry(root(&mut parent, triangle[0])).or_default();
            let corners = triangle.map(|i| *numbers.entry(i).or_insert_with(|| part.add(self.points[i as usize])));
            part.triangles.push(corners);
        }
        let (mut solids, hollows): (Vec<Self>, Vec<Self>) =
            parts.into_values().map(|(part, _)| part).partition(|part| part.volume_and_centroid().0 > 0.0);
        for hollow in hollows {
            if let Some(around) = solids.iter_mut().find(|solid| solid.winding_number(&hollow.points[0]) > 0.5) {
                let first = around.points.len() as u32;
                around.points.extend(&hollow.points);
                around.triangles.extend(hollow.triangles.iter().map(|triangle| triangle.map(|i| first + i)));
            }
        }
        solids
    }

    /// Points on all triangles, no farther apart than this, vertices first.
    pub fn samples(&self, spacing: f64) -> Vec<Point> {
        let mut samples = self.points.clone();
        for [a, b, c] in self.corners() {
            let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
            let steps = (longest / spacing).ceil() as u32;
            for i in 0..=steps {
                let inner = (0..=steps - i).filter(|j| ![i, *j, steps - i - j].contains(&steps));
                samples.extend(inner.map(|j| a + ((b - a) * i as f64 + (c - a) * j as f64) / steps as f64));
            }
        }
        samples
    }
}

/// The cell of a seed among others.
fn cell(body: &Polyhedron, seed: &Point, others: &[Point]) -> Polyhedron {
    let normals: Vec<Vector> = others.iter().map(|other| (other - seed).normalize()).collect();
    let mut order: Vec<usize> = (0..others.len()).collect();
    order.sort_by(|a, b| (others[*a] - seed).norm_squared().total_cmp(&(others[*b] - seed).norm_squared()));
    let mut cell = Clipped { mesh: body.clone(), planes: vec![None; body.triangles.len()] };
    for plane in order {
        let offset = normals[plane].dot(&nalgebra::center(seed, &others[plane]).coords);
        cell = cell.clipped(plane, &normals[plane], offset);
    }
    cell.with_new_caps(&normals)
}

impl Clipped {
    /// What lies below a plane, capped.
    fn clipped(self, plane: usize, normal: &Vector, offset: f64) -> Self {
        let Polyhedron { points, triangles } = &self.mesh;
        let heights: Vec<f64> = points.iter().map(|p| normal.dot(&p.coords) - offset).collect();
        let is_below = |i: u32| heights[i as usize] < 0.0;
        if heights.iter().all(|height| *height < 0.0) {
            return self;
        }
        let mut out = Self::default();
        let mut kept: HashMap<[u32; 2], u32> = HashMap::new(); // by edge; a vertex is an edge to itself
        let mut rim = vec![];
        for (triangle, plane) in triangles.iter().zip(&self.planes) {
            let (mut polygon, mut entry, mut exit) = (vec![], None, None);
            for k in 0..3 {
                let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                if is_below(a) {
                    polygon.push(*kept.entry([a, a]).or_insert_with(|| out.mesh.add(points[a as usize])));
                }
                if is_below(a) != is_below(b) {
                    let ends = [a.min(b), a.max(b)];
                    let vertex = *kept.entry(ends).or_insert_with(|| {
                        let [low, high] = ends.map(|i| (points[i as usize], heights[i as usize]));
                        out.mesh.add(low.0 + (high.0 - low.0) * (low.1 / (low.1 - high.1)))
                    });
                    polygon.push(vertex);
                    *(if is_below(a) { &mut exit } else { &mut entry }) = Some(vertex);
                }
            }
            out.mesh.triangles.extend((2..polygon.len()).map(|k| [polygon[0], polygon[k - 1], polygon[k]]));
            out.planes.resize(out.mesh.triangles.len(), *plane);
            rim.extend(entry.zip(exit).map(|(entry, exit)| [entry, exit]));
        }
        out.mesh.cap(loops(rim), normal);
        out.planes.resize(out.mesh.triangles.len(), Some(plane));
        out
    }

    /// Caps without the vertices that the order of the planes has left: those on a line between two caps, and none but these.
    fn with_new_caps(self, normals: &[Vector]) -> Polyhedron {
        let Polyhedron { points, triangles } = &self.mesh;
        let mut around: Vec<BTreeSet<Option<usize>>> = vec![BTreeSet::new(); points.len()];
        for (triangle, plane) in triangles.iter().zip(&self.planes) {
            for i in triangle {
                around[*i as usize].insert(*plane);
            }
        }
        let is_needed = |i: u32| around[i as usize].len() > 2 || around[i as usize].contains(&None);
        let of = |wanted: Option<usize>| {
            triangles
                .iter()
                .zip(&self.planes)
                .filter(move |(_, plane)| **plane == wanted)
                .map(|(triangle, _)| *triangle)
        };
        let mut out = Polyhedron { points: points.clone(), triangles: of(None).collect() };
        for (plane, normal) in normals.iter().enumerate() {
            // Edges of the cap that are not between two of its triangles.
            let mut open: BTreeSet<[u32; 2]> = BTreeSet::new();
            for triangle in of(Some(plane)) {
                for k in 0..3 {
                    let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                    if !open.remove(&[b, a]) {
                        open.insert([a, b]);
                    }
                }
            }
            let mut loops = loops(open.into_iter().collect());
            loops.iter_mut().for_each(|around| around.retain(|i| is_needed(*i)));
            loops.retain(|around| around.len() > 2);
            out.cap(loops, normal);
        }
        out
    }
}

/// Directed edges, each vertex with as many in as out, as loops.
fn loops(edges: Vec<[u32; 2]>) -> Vec<Vec<u32>> {
    let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    edges.iter().for_each(|[a, b]| next.entry(*a).or_default().push(*b));
    let mut loops = vec![];
    while let Some(start) = next.iter().find(|(_, ends)| !ends.is_empty()).map(|(start, _)| *start) {
        let (mut around, mut at) = (vec![], start);
        while let Some(end) = next.get_mut(&at).and_then(Vec::pop) {
            around.push(at);
            at = end;
        }
        loops.push(around);
    }
    loops
}

/// Twice the area of a triangle; positive counter-clockwise.
fn turn(a: Flat, b: Flat, c: Flat) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn length_squared(a: Flat, b: Flat) -> f64 {
    (b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2)
}

fn edges(polygon: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    (0..polygon.len()).map(|k| [polygon[k], polygon[(k + 1) % polygon.len()]])
}

fn area(polygon: &[u32], at: &dyn Fn(u32) -> Flat) -> f64 {
    let origin = at(polygon[0]);
    edges(polygon).map(|[a, b]| turn(origin, at(a), at(b))).sum::<f64>() * 0.5
}

/// Whether a point is inside, by the edges to its right.
fn surrounds(polygon: &[u32], p: Flat, at: &dyn Fn(u32) -> Flat) -> bool {
    let crosses = |[a, b]: [u32; 2]| {
        let (a, b) = (at(a), at(b));
        (a[1] > p[1]) != (b[1] > p[1]) && (turn(a, b, p) > 0.0) == (b[1] > a[1])
    };
    edges(polygon).filter(|edge| crosses(*edge)).count() % 2 == 1
}

/// A polygon and a hole in it as one, by the shortest bridge that meets neither them nor other holes.
fn bridged(polygon: &[u32], hole: &[u32], others: &[Vec<u32>], at: &dyn Fn(u32) -> Flat) -> Vec<u32> {
    let pairs = (0..polygon.len()).flat_map(|i| (0..hole.len()).map(move |j| (i, j)));
    let mut bridges: Vec<(f64, usize, usize)> =
        pairs.map(|(i, j)| (length_squared(at(polygon[i]), at(hole[j])), i, j)).collect();
    bridges.sort_by(|a, b| a.0.total_cmp(&b.0));
    let is_free = |(_, i, j): &(f64, usize, usize)| {
        let ends = [polygon[*i], hole[*j]];
        let [p, q] = ends.map(at);
        let meets = |[a, b]: [u32; 2]| {
            let (a, b) = (at(a), at(b));
            turn(p, q, a) * turn(p, q, b) <= 0.0 && turn(a, b, p) * turn(a, b, q) <= 0.0
        };
        let all = edges(polygon).chain(edges(hole)).chain(others.iter().flat_map(|other| edges(other)));
        !all.into_iter().any(|edge| !edge.iter().any(|end| ends.contains(end)) && meets(edge))
    };
    let (_, i, j) = *bridges.iter().find(|bridge| is_free(bridge)).unwrap_or(&bridges[0]);
    let around_hole = (0..=hole.len()).map(|k| hole[(j + k) % hole.len()]);
    polygon[..=i].iter().copied().chain(around_hole).chain(polygon[i..].iter().copied()).collect()
}

/// Ear clipping, the best-shaped ear first. Every edge of the polygon is used, so that the mesh stays closed whatever rounding
/// does; if there is no ear, the flattest corner goes.
fn triangulated(mut polygon: Vec<u32>, at: &dyn Fn(u32) -> Flat) -> Vec<[u32; 3]> {
    let mut triangles = vec![];
    while polygon.len() > 3 {
        let count = polygon.len();
        let corner = |k: usize| [polygon[(k + count - 1) % count], polygon[k], polygon[(k + 1) % count]];
        let shape = |k: usize| {
            let [a, b, c] = corner(k).map(at);
            let longest = length_squared(a, b).max(length_squared(b, c)).max(length_squared(c, a));
            turn(a, b, c) / longest.max(f64::MIN_POSITIVE)
        };
        let mut ears: Vec<(f64, usize)> = (0..count).map(|k| (shape(k), k)).collect();
        ears.sort_by(|a, b| b.0.total_cmp(&a.0));
        let is_ear = |(shape, k): &(f64, usize)| {
            let [a, b, c] = corner(*k).map(at);
            let room = 1e-9 * length_squared(a, c);
            let is_in = |p: Flat| turn(a, b, p) > -room && turn(b, c, p) > -room && turn(c, a, p) > -room;
            *shape > 1e-9 && !polygon.iter().map(|i| at(*i)).any(|p| p != a && p != b && p != c && is_in(p))
        };
        let flattest = || ears.iter().min_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
        let (_, k) = *ears.iter().find(|ear| is_ear(ear)).or_else(flattest).expect("a polygon has corners");
        triangles.push(corner(k));
        polygon.remove(k);
    }
    triangles.extend(<[u32; 3]>::try_from(polygon));
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::data;
    use crate::common::scenes::intact;
    use crate::common::stage::Stage;
    use fracas::shapes;

    #[test]
    fn cut_parts_are_closed_and_add_up() {
        for name in Stage::NAMES {
            let object = intact(Stage::solid(name));
            let body = Polyhedron::of_surface(&object.surface());
            for (k, seeds) in Stage::named(name, &object, false).seeds.iter().enumerate() {
                let parts = body.cut(seeds);
                assert!(parts.len() >= seeds.len(), "{name} {k}: {} parts", parts.len());
                assert!(parts.iter().all(|part| part.open_edges() == 0), "{name} {k} is open");
                let volumes: Vec<f64> = parts.iter().map(|part| part.volume_and_centroid().0).collect();
                let sum: f64 = volumes.iter().sum();
                let whole = body.volume_and_centroid().0;
                assert!((sum / whole - 1.0).abs() < 1e-10, "{name} {k}: {sum} of {whole}");
            }
        }
    }

    #[test]
    fn every_point_is_in_the_part_of_its_seed() {
        use fracas::geom::random::unit;
        let object = intact(shapes::hollow_ball(0.1, 12, 2));
        let body = Polyhedron::of_surface(&object.surface());
        let stage = Stage::named("shell", &object, false);
        let seeds = &stage.seeds[0];
        let others = |k: usize| [&seeds[..k], &seeds[k + 1..]].concat();
        let cells: Vec<Polyhedron> = (0..seeds.len()).map(|k| cell(&body, &seeds[k], &others(k))).collect();
        for seed in 0..300 {
            let p = Point::from(Vector::from_fn(|k, _| 0.2 * unit(seed, k as u64) - 0.1));
            let inside = body.winding_number(&p) > 0.5;
            let nearest = (0..seeds.len()).min_by(|a, b| (seeds[*a] - p).norm().total_cmp(&(seeds[*b] - p).norm()));
            for (k, cell) in cells.iter().enumerate() {
                assert_eq!(cell.winding_number(&p) > 0.5, inside && nearest == Some(k), "{p} in {k}");
            }
        }
    }

    #[test]
    fn cuts_are_those_of_the_data_folder() {
        let (Some(solid), Some(seeds), Some(rows)) =
            (data::mesh("bunny"), data::seeds(27), data::csv("truth/bunny_27_fragments.csv"))
        else {
            return data::skipped("the exact cut of the bunny");
        };
        let parts = Polyhedron::of_surface(&intact(solid).surface()).cut(&seeds);
        assert_eq!(parts.len(), rows.len());
        for row in rows {
            let there = Point::new(row[4], row[5], row[6]);
            let off = parts.iter().map(|part| {
                let (volume, centroid) = part.volume_and_centroid();
                (volume / row[2] - 1.0).abs().max((centroid - there).norm())
            });
            let least = off.fold(f64::INFINITY, f64::min);
            assert!(least < 1e-9, "cell {} component {}: off by {least}", row[0], row[1]);
        }
    }

    #[test]
    fn holes_are_bridged() {
        // A square with two square holes.
        let square = |x: f64, y: f64, r: f64| [[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]];
        let points: Vec<Flat> = [square(0.0, 0.0, 4.0), square(-2.0, 0.5, 1.0), square(2.0, 0.0, 1.0)].concat();
        let mut body =
            Polyhedron { points: points.iter().map(|p| Point::new(p[0], p[1], 0.0)).collect(), triangles: vec![] };
        // As seen from +z.
        body.cap(vec![vec![0, 1, 2, 3], vec![7, 6, 5, 4], vec![11, 10, 9, 8]], &Vector::z());
        let area: f64 = body.corners().map(|[a, b, c]| (b - a).cross(&(c - a)).z * 0.5).sum();
        let absolute: f64 = body.corners().map(|[a, b, c]| (b - a).cross(&(c - a)).norm() * 0.5).sum();
        assert!((area - 56.0).abs() < 1e-12 && (absolute - 56.0).abs() < 1e-12, "{area} {absolute}");
    }
}
