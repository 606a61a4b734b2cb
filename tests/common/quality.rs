//! How good a mesh is for the surface that it was made from: measured from outside, by brute force where that will do.

use super::surfaces::Skin;
use fracas::bvh::Bvh;
use fracas::{Point, Solid};
use std::collections::{BTreeMap, HashMap};

/// The figures of a mesh; lengths in edges.
#[derive(Debug)]
pub struct Quality {
    pub tets: usize,
    /// Against the surface's, relative.
    pub volume: f64,
    /// The farthest point of the surface from the mesh's boundary.
    pub missed: f64,
    /// The farthest point of the mesh's boundary from the surface.
    pub beyond: f64,
    /// The farthest point of the surface's sharp edges from the mesh's boundary.
    pub blunt: f64,
    /// Dihedral angles in degrees.
    pub angles: [f64; 2],
    pub euler: i64,
    pub bodies: usize,
    /// Points where the boundary is no surface.
    pub pinches: usize,
}

impl Quality {
    pub const HEAD: &str = "                               edge m    tets  volume %   surface>mesh  mesh>surface  sharp edges   angles       Euler  bodies  pinches";

    /// Measures a mesh, after having checked that it is one.
    pub fn of(solid: &Solid, skin: &Skin, edge: f64, what: &str) -> Self {
        assert_sound(solid, what);
        let outer = Skin::of(solid);
        let (ours, theirs) = (outer.corners(), skin.corners());
        let (boundary, surface) = (Bvh::new(&ours).unwrap(), Bvh::new(&theirs).unwrap());
        let farthest = |points: Vec<Point>, tree: &Bvh| {
            points.iter().map(|p| tree.closest_point(p, f64::INFINITY).unwrap().distance).fold(0.0, f64::max) / edge
        };
        let all = |list: &[[Point; 3]]| list.iter().flat_map(|t| over(t, edge / 6.0)).collect::<Vec<_>>();
        let sharp = skin.sharp_edges(40.0).iter().flat_map(|s| along(s, edge / 25.0)).collect();
        let mut angles = [180.0f64, 0.0];
        for t in 0..solid.tets().len() as u32 {
            for angle in dihedral_angles(&solid.corners(t)) {
                angles = [angles[0].min(angle), angles[1].max(angle)];
            }
        }
        Self {
            tets: solid.tets().len(),
            volume: solid.volume() / skin.volume() - 1.0,
            missed: farthest(all(&theirs), &boundary),
            beyond: farthest(all(&ours), &surface),
            blunt: farthest(sharp, &boundary),
            angles,
            euler: outer.euler(),
            bodies: solid.bodies().0,
            pinches: pinches(solid).len(),
        }
    }

    pub fn print(&self, what: &str, edge: f64) {
        println!(
            "{what:30} {edge:7.4} {:7}  {:+8.3}   {:12.3}  {:12.3}  {:11.4}  {:5.1} {:5.1}  {:5}  {:6}  {:7}",
            self.tets,
            100.0 * self.volume,
            self.missed,
            self.beyond,
            self.blunt,
            self.angles[0],
            self.angles[1],
            self.euler,
            self.bodies,
            self.pinches
        );
    }
}

/// Points of a triangle, no farther apart than this, its corners among them.
fn over([a, b, c]: &[Point; 3], step: f64) -> Vec<Point> {
    let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
    let n = ((longest / step).ceil() as usize).max(4);
    let at = |i: usize, j: usize| a + ((b - a) * i as f64 + (c - a) * j as f64) / n as f64;
    (0..=n).flat_map(|i| (0..=n - i).map(move |j| (i, j))).map(|(i, j)| at(i, j)).collect()
}

/// Points of a segment, no farther apart than this, its ends among them.
fn along([a, b]: &[Point; 2], step: f64) -> Vec<Point> {
    let n = ((b - a).norm() / step).ceil().max(1.0) as usize;
    (0..=n).map(|k| a + (b - a) * (k as f64 / n as f64)).collect()
}

/// The six angles between the faces of a tetrahedron, in degrees.
fn dihedral_angles(c: &[Point; 4]) -> [f64; 6] {
    [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]].map(|[i, j, k, l]| {
        let along = (c[j] - c[i]).normalize();
        let [u, v] = [k, l].map(|m| (c[m] - c[i]) - along * (c[m] - c[i]).dot(&along));
        u.angle(&v).to_degrees()
    })
}

/// Tetrahedra with volume, none on the same side of a face as another, and a closed boundary around exactly their volume.
pub fn assert_sound(solid: &Solid, what: &str) {
    let mut faces: HashMap<[u32; 3], i32> = HashMap::new();
    let mut sum = 0.0;
    for tet in solid.tets() {
        let p = tet.map(|i| solid.nodes()[i as usize]);
        let volume = (p[1] - p[0]).cross(&(p[2] - p[0])).dot(&(p[3] - p[0])) / 6.0;
        let longest = (0..4).flat_map(|i| (0..i).map(move |j| (p[i] - p[j]).norm())).fold(0.0, f64::max);
        assert!(volume.abs() > 1e-5 * longest.powi(3), "{what}: a tetrahedron of volume {volume:e} at {}", p[0]);
        sum += volume.abs();
        // Each face as seen from outside of a tetrahedron of positive volume, with its sense of rotation.
        let [a, b, c, d] = *tet;
        let sense = if volume > 0.0 { 1 } else { -1 };
        for (face, sign) in [([b, c, d], sense), ([a, c, d], -sense), ([a, b, d], sense), ([a, b, c], -sense)] {
            *faces.entry(face).or_default() += 100 + sign;
        }
    }
    assert!(faces.values().all(|n| [99, 101, 200].contains(n)), "{what}: tetrahedra overlap");
    assert_eq!(faces.values().filter(|n| **n < 200).count(), solid.skin().len(), "{what}: that is not all of the skin");

    let mut balance: HashMap<(u32, u32), i32> = HashMap::new();
    for [a, b, c] in solid.skin().iter().map(|t| t.nodes) {
        for (p, q) in [(a, b), (b, c), (c, a)] {
            *balance.entry((p.min(q), p.max(q))).or_default() += if p < q { 1 } else { -1 };
        }
    }
    assert!(balance.values().all(|b| *b == 0), "{what}: the boundary is open");
    let flux = Skin::of(solid).volume();
    assert!((flux / sum - 1.0).abs() < 1e-9, "{what}: tetrahedra of {sum:e} in a boundary around {flux:e}");
}

/// Where the boundary is no surface: edges of more than two triangles, and other points where sheets touch.
pub fn pinches(solid: &Solid) -> Vec<Point> {
    let mut next: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
    for [a, b, c] in solid.skin().iter().map(|t| t.nodes) {
        for (p, q, r) in [(a, b, c), (b, c, a), (c, a, b)] {
            next.entry(p).or_default().push((q, r));
        }
    }
    let is_surface = |fan: &[(u32, u32)]| {
        let next: BTreeMap<u32, u32> = fan.iter().copied().collect();
        let (first, mut at) = fan[0];
        let mut round = 1;
        while at != first && round <= fan.len() {
            at = next[&at];
            round += 1;
        }
        round == fan.len() && next.len() == fan.len()
    };
    next.iter().filter(|(_, fan)| !is_surface(fan)).map(|(node, _)| solid.nodes()[*node as usize]).collect()
}
