//! The creases of an object, made on first use: convex edges of its skin, and edges of its cracks.
//!
//! Those of a piece made of planes follow from the planes and the skin (`cell`), those of a rough piece from the facets of its regions
//! (`rough`), those of joined cells from the closed surface (`surface`).
//!
//! Left out are edges that hardly stand out (`solid::rises`).

mod cell;
mod rough;
mod surface;

use super::place::{ByPlace, Place};
use crate::body::Object;
use crate::crack::breaks::Kind;
use crate::geom::number_set::NumberSet;
use crate::geom::{Local, Point, morton};
use crate::samples::creases::Creases;
use cell::of_cell;
use rough::of_regions;
use surface::of_surface;

/// Edges that rise by less than this share of the bounding radius of their piece are left out: twice the default margin.
pub const RISE: f64 = 0.002;
/// Creases that follow each other are one if its ends are in line with all others within this share of the radius. A tenth of
/// the default margin, so nothing is seen of it.
const STRAIGHT: f64 = 1e-4;

/// A segment between two points, in the frame of the asset.
type Segment = [Point; 2];

impl Object {
    /// Its creases. Made on first use.
    pub fn creases(&self) -> &Creases {
        self.creases_slot().get_or_init(|| {
            let radius = self.samples().half.norm() as f64;
            let least = RISE * radius;
            let known = self.made_by().edges.of(self.piece_number());
            let mut segments = match (known, self.kind()) {
                _ if !self.is_fragment() => of_skin(self, least),
                (Some(cracks), _) => of_edges(self, cracks, least),
                (_, Kind::Cell | Kind::PartOfCell) => of_cell(self, least),
                // Facets in one plane are one face here; those of regions would divide its edges by the mesh.
                (_, Kind::Union) => of_surface(&self.surface(), least),
                (_, Kind::Rough) => of_regions(self, least),
            };
            join(&mut segments, STRAIGHT * radius);
            let middles: Vec<Point> = segments.iter().map(|[a, b]| nalgebra::center(a, b)).collect();
            let local = |p: &Point| -> Local { (p - self.asset().centre()).cast() };
            let in_order = morton::order(&middles).into_iter().map(|k| segments[k as usize].each_ref().map(local));
            Creases::new(&in_order.collect::<Vec<_>>())
        })
    }
}

/// The creases of an intact body.
fn of_skin(object: &Object, least: f64) -> Vec<Segment> {
    let solid = object.asset().solid();
    let body = |node: u32| solid.bodies().1[node as usize];
    let edges = solid.skin_edges().iter().zip(object.asset().rises());
    let own = edges.filter(|(edge, rise)| **rise as f64 >= least && body(edge[0]) == object.piece_number());
    own.map(|(edge, _)| edge.map(|n| solid.nodes()[n as usize])).collect()
}

/// Those of a piece of which the event left the edges of cracks: the others are all of edges of the skin between its own nodes.
fn of_edges(object: &Object, cracks: &[[Local; 2]], least: f64) -> Vec<Segment> {
    let (solid, rises) = (object.asset().solid(), object.asset().rises());
    let in_asset = |at: &Local| object.asset().centre() + at.cast::<f64>();
    // Rounded alike, so that what meets is known to meet.
    let rounded = |p: &Point| in_asset(&(p - object.asset().centre()).cast());
    let mut segments: Vec<Segment> = cracks.iter().map(|ends| ends.each_ref().map(in_asset)).collect();
    let (own, interrupted) = (NumberSet::of_ascending(object.nodes()), &object.made_by().edges.interrupted);
    let edges = solid.skin_edges();
    for run in object.nodes().chunk_by(|a, b| a + 1 == *b) {
        let first = edges.partition_point(|edge| edge[0] < run[0]);
        for (edge, number) in edges[first..].iter().zip(first..).take_while(|(edge, _)| edge[0] <= run[run.len() - 1]) {
            let is_whole = || own.contains(edge[1]) && interrupted.binary_search(&(number as u32)).is_err();
            if rises[number] as f64 >= least && is_whole() {
                segments.push(edge.map(|node| rounded(&solid.nodes()[node as usize])));
            }
        }
    }
    segments.retain(|[a, b]| a != b);
    segments
}

/// Joins segments that follow each other in a straight line, within `off`.
fn join(segments: &mut Vec<Segment>, off: f64) {
    // Where exactly two segments meet, they may be joined: the end there of the other one.
    const NONE: usize = usize::MAX;
    let mut other = vec![NONE; 2 * segments.len()];
    let mut first_there = ByPlace::with_capacity_and_hasher(2 * segments.len(), Default::default());
    for (end, p) in segments.iter().flatten().enumerate() {
        let first = first_there.entry(Place::of(p)).or_insert(end);
        match *first {
            // Three and more, or the first.
            known if known == NONE || known == end => {}
            known if other[known] == NONE => (other[known], other[end]) = (end, known),
            known => {
                let second = other[known];
                (other[known], other[second]) = (NONE, NONE);
                *first = NONE;
            }
        }
    }
    let at = |end: usize, all: &[Segment]| all[end / 2][end % 2];
    let mut is_used = vec![false; segments.len()];
    let mut joined: Vec<Segment> = Vec::with_capacity(segments.len());
    let mut passed: Vec<Point> = vec![];
    for first in 0..segments.len() {
        if is_used[first] {
            continue;
        }
        is_used[first] = true;
        let mut tips = [2 * first, 2 * first + 1];
        passed.clear();
        for side in 0..2 {
            loop {
                let next = other[tips[side]];
                if next == NONE || is_used[next / 2] {
                    break;
                }
                let (far, from) = (next ^ 1, at(tips[1 - side], segments));
                let to = at(far, segments);
                passed.push(at(tips[side], segments));
                if !is_straight(&from, &passed, &to, off) {
                    passed.pop();
                    break;
                }
                is_used[next / 2] = true;
                tips[side] = far;
            }
        }
        joined.push(tips.map(|tip| at(tip, segments)));
    }
    *segments = joined;
}

/// Whether points lie on the segment between two others, within `off`.
fn is_straight(from: &Point, points: &[Point], to: &Point, off: f64) -> bool {
    let along = to - from;
    let squared = along.norm_squared();
    let most = off * off * squared;
    points.iter().all(|p| {
        let way = p - from;
        (0.0..=squared).contains(&way.dot(&along)) && way.cross(&along).norm_squared() <= most
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::{Asset, CookOptions};
    use crate::fracture::pattern::Roughness;
    use crate::fracture::{FractureOptions, Pattern, fracture};
    use crate::solid::{Solid, shapes};
    use std::collections::BTreeSet;

    fn broken(object: &Object, pattern: &Pattern) -> Vec<Object> {
        fracture(object, pattern, &FractureOptions::default()).unwrap().broken().unwrap().objects
    }

    fn pieces(solid: Solid, pattern: &Pattern) -> Vec<Object> {
        let asset = Asset::cook(solid, &CookOptions::default()).unwrap();
        broken(&Object::intact(&asset).remove(0), pattern)
    }

    /// Solids and in how many cells they break.
    fn solids(ball_cells: usize) -> [(Solid, u32); 4] {
        [
            (shapes::cuboid([1.0, 0.6, 0.3], [6, 4, 2]), 12),
            (shapes::ball(1.0, ball_cells), 20),
            (shapes::cuboid([1.0, 1.0, 1.0], [1, 1, 1]), 7),
            (shapes::torus(1.0, 0.3, 20, 8), 9),
        ]
    }

    fn length(segments: &[Segment]) -> f64 {
        segments.iter().map(|[a, b]| (b - a).norm()).sum()
    }

    /// Distance of a point from the nearest of some segments.
    fn off(segments: &[Segment], p: &Point) -> f64 {
        let one = |[a, b]: &Segment| {
            let along = b - a;
            let t = ((p - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
            (p - (a + along * t)).norm()
        };
        segments.iter().map(one).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn creases_from_planes_are_the_edges_of_the_surface() {
        for (solid, count) in solids(6) {
            for piece in pieces(solid, &Pattern::random_voronoi(count, 5)) {
                assert!(piece.kind().is_made_of_planes());
                let radius = piece.samples().half.norm() as f64;
                let (mut by_planes, mut by_surface) =
                    (of_cell(&piece, RISE * radius), of_surface(&piece.surface(), RISE * radius));
                // Creases of the skin that a crack shortened are too short for the surface's.
                let (a, b) = (length(&by_planes), length(&by_surface));
                assert!(a > 0.999 * b && a < 1.15 * b, "{a} for {b}");
                for [p, q] in &by_surface {
                    assert!(off(&by_planes, &nalgebra::center(p, q)) < 1e-5 * radius);
                }
                for list in [&mut by_planes, &mut by_surface] {
                    let before = (list.len(), length(list));
                    join(list, STRAIGHT * radius);
                    assert!(list.len() <= before.0 && (length(list) - before.1).abs() < 1e-4 * before.1);
                }
            }
        }
    }

    #[test]
    fn creases_of_rough_pieces_are_the_edges_of_their_surface() {
        let mut count = 0;
        for (solid, cells) in solids(8) {
            let rough =
                Pattern::random_voronoi(cells, 5).rough(Roughness { amplitude: 0.05, wavelength: 2.0, seed: 3 });
            let pieces = pieces(solid, &rough);
            // Broken once more, some of their cracks are older than the others; joined, they have several regions in a tetrahedron.
            let again = broken(&pieces[0], &rough);
            let whole = Object::intact(pieces[0].asset()).remove(0);
            let few = FractureOptions { max_fragments: cells / 3, ..FractureOptions::default() };
            let joined = fracture(&whole, &rough, &few).unwrap().broken().unwrap().objects;
            for piece in pieces.into_iter().chain(again).chain(joined) {
                assert_eq!(piece.kind(), Kind::Rough);
                let least = RISE * piece.samples().half.norm() as f64;
                let in_order = |segments: Vec<Segment>| {
                    let ends = |segment: Segment| {
                        let [a, b] = segment.each_ref().map(Place::of);
                        (a.min(b), a.max(b))
                    };
                    segments.into_iter().map(ends).collect::<BTreeSet<_>>()
                };
                let (found, expected) = (of_regions(&piece, least), of_surface(&piece.surface(), least));
                count += found.len();
                assert_eq!(found.len(), expected.len());
                assert!(in_order(found) == in_order(expected));
            }
        }
        assert!(count > 5000, "{count}");
    }

    #[test]
    fn a_box_has_twelve_creases_however_fine_its_mesh() {
        for cells in [1, 4] {
            let asset = Asset::cook(shapes::cuboid([1.0, 2.0, 3.0], [cells; 3]), &CookOptions::default()).unwrap();
            let creases = Object::intact(&asset).remove(0).creases().len();
            assert_eq!(creases, 12);
        }
    }
}
