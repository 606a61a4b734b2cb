//! The meshes: at rest, where trees are built, and deformed, where depths are asked for.

use fracas::penalty::SoftBody;
use fracas::solid::{Solid, shapes};
use fracas::{Point, Vector};

/// A soft body, and which of its nodes are asked for.
pub struct Body {
    pub name: &'static str,
    pub solid: Solid,
    /// At rest.
    pub soft: SoftBody,
    pub deformed: Vec<Point>,
    /// The diagonal of its box.
    pub size: f64,
    /// Nodes that are not on the boundary, ascending. Peers are asked for these alone: the others have depth 0.
    pub inner: Vec<u32>,
    /// Nodes of the tetrahedra that touch a floor, ascending, and those of them that are inner.
    pub colliding: Vec<u32>,
    pub colliding_inner: Vec<u32>,
    pub surface: Surface,
}

/// The boundary alone, as peers get it.
pub struct Surface {
    pub rest: Vec<Point>,
    pub deformed: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
}

/// The torus of the haptic probe.
pub fn torus() -> Solid {
    shapes::torus(1.0, 0.4, 36, 6)
}

/// The ball whose copies collide.
pub fn ball() -> Solid {
    shapes::ball(1.0, 20)
}

/// A name, and what makes it.
type Named = (&'static str, fn() -> Solid);

/// From the smallest to the largest.
pub const ALL: [Named; 5] = [
    ("box", || shapes::cuboid([1.0, 1.0, 0.8], [5, 5, 4])),
    ("torus", torus),
    ("rabbit", shapes::preset::rabbit),
    ("ball", ball),
    ("fine ball", || shapes::ball(1.0, 36)),
];

/// Waves of 6 % of the radius, at some time.
pub fn deformed(solid: &Solid, time: f64) -> Vec<Point> {
    let size = solid.bounds().radius();
    let wave = |p: &Point, k: usize| 0.06 * size * (4.0 * p[(k + 1) % 3] / size + k as f64 + time).sin();
    solid.nodes().iter().map(|p| p + Vector::new(wave(p, 0), wave(p, 1), wave(p, 2))).collect()
}

impl Body {
    pub fn new((name, make): Named) -> Self {
        let solid = make();
        let soft = SoftBody::new(solid.nodes(), solid.tets()).expect("our shapes are valid");
        let deformed = deformed(&solid, 0.0);
        let size = solid.bounds().size().norm();
        let mut places = vec![u32::MAX; solid.nodes().len()];
        let mut corners = vec![];
        let mut place = |v: u32| {
            let place = &mut places[v as usize];
            if *place == u32::MAX {
                *place = corners.len() as u32;
                corners.push(v as usize);
            }
            *place
        };
        let triangles = soft.boundary().map(|t| t.map(&mut place)).collect();
        let at = |points: &[Point]| corners.iter().map(|v| points[*v]).collect();
        let surface = Surface { rest: at(solid.nodes()), deformed: at(&deformed), triangles };
        let is_inner = |v: &u32| places[*v as usize] == u32::MAX;
        let inner = (0..solid.nodes().len() as u32).filter(is_inner).collect();
        let colliding = resting(&solid, &deformed, size);
        let colliding_inner = colliding.iter().copied().filter(is_inner).collect();
        Self { name, soft, deformed, size, inner, colliding, colliding_inner, surface, solid }
    }

    /// Deformed positions of nodes.
    pub fn points(&self, nodes: &[u32]) -> Vec<Point> {
        nodes.iter().map(|v| self.deformed[*v as usize]).collect()
    }
}

/// Rests on a floor: nodes of the tetrahedra around the lowest point that reach below a plane.
fn resting(solid: &Solid, positions: &[Point], size: f64) -> Vec<u32> {
    let lowest = positions.iter().min_by(|a, b| a.z.total_cmp(&b.z)).expect("there are nodes");
    let high = positions.iter().map(|p| p.z).fold(f64::MIN, f64::max);
    let (floor, reach) = (lowest.z + 0.02 * (high - lowest.z), 0.15 * size);
    let is_touched = |v: &u32| {
        let p = &positions[*v as usize];
        p.z < floor && (p - lowest).norm() < reach
    };
    let touched = solid.tets().iter().filter(|t| t.iter().any(is_touched));
    let mut nodes: Vec<u32> = touched.flatten().copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}
