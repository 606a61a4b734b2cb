//! The creases of a piece whose cracks are not planes: edges of the facets of its regions.
//!
//! Corners come out bit for bit alike from all tetrahedra around (`cut::polytope`), so facets are joined by equality alone. Nothing else of
//! the surface is made.

use super::Segment;
use crate::body::Object;
use crate::crack::polygons::crossed_edges;
use crate::cut::polytope::{Polytope, Split, Wall};
use crate::fracture::place::{ByPlace, Place};
use crate::geom::polygon::area_normal;
use crate::geom::{NONE, Point, Vector};
use crate::solid::rises::rise;
use crate::solid::{Across, Solid};

/// The edges of the surface of a piece that rise by so much at least.
pub fn of_regions(object: &Object, least: f64) -> Vec<Segment> {
    let (solid, cut, piece) = (object.asset().solid(), object.made_by().cut_tets(), object.piece_number());
    let mut edges = Edges::default();
    for source in object.nodes().iter().flat_map(|n| solid.skin_from(*n)) {
        let triangle = &solid.skin()[source];
        if cut.find(triangle.tet).is_none() {
            edges.add(&triangle.nodes.map(|n| solid.nodes()[n as usize]));
        }
    }
    let (sections, mut facets) = (Sections::new(), Facets::default());
    for &k in object.made_by().cuts_of(piece) {
        let (k, tet) = (k as usize, cut.tets[k as usize].tet);
        let splits = cut.splits_at(k);
        let own = || cut.regions_at(k).filter(|region| cut.regions[*region].piece == piece);
        match splits {
            [only] if !solid.has_skin(tet) => {
                // With both sides it has no crack here.
                if let (Some(region), None) = (own().next(), own().nth(1)) {
                    edges.add(sections.of(only, cut.regions[region].nodes, solid, tet).as_slice());
                }
            }
            _ => {
                facets.clear();
                own().for_each(|region| facets.add(solid, tet, splits, cut.walls_of(region)));
                facets.each_outer(|rim| edges.add(rim));
            }
        }
    }
    edges.rising(least)
}

/// The edges of some facets.
#[derive(Default)]
struct Edges {
    numbers: ByPlace<u32>,
    corners: Vec<Point>,
    /// Unit normal of each facet, and its middle.
    facets: Vec<(Vector, Point)>,
    /// The corners of an edge, the lower number in the upper half, and a facet.
    sides: Vec<(u64, u32)>,
}

impl Edges {
    /// Adds a facet: its corners, counter-clockwise seen from outside.
    fn add(&mut self, rim: &[Point]) {
        let number = |p: &Point, corners: &mut Vec<Point>| {
            corners.push(*p);
            corners.len() as u32 - 1
        };
        let facet = self.facets.len() as u32;
        let mut of = |p: &Point| *self.numbers.entry(Place::of(p)).or_insert_with(|| number(p, &mut self.corners));
        let Some(last) = rim.last() else { return };
        let mut before = of(last);
        for p in rim {
            let next = of(p);
            if next != before {
                self.sides.push(((before.min(next) as u64) << 32 | before.max(next) as u64, facet));
            }
            before = next;
        }
        let middle = rim.iter().map(|p| p.coords).sum::<Vector>() / rim.len() as f64;
        self.facets.push((area_normal(rim).try_normalize(0.0).unwrap_or_default(), middle.into()));
    }

    /// Those that rise by so much at least.
    fn rising(mut self, least: f64) -> Vec<Segment> {
        self.sides.sort_unstable();
        let mut segments = vec![];
        for run in self.sides.chunk_by(|a, b| a.0 == b.0) {
            let ends = [run[0].0 >> 32, run[0].0 & 0xffff_ffff].map(|k| self.corners[k as usize]);
            let length = (ends[1] - ends[0]).norm();
            let rise = match run {
                [first, second] => {
                    let [(own, _), (other, middle)] = [first, second].map(|side| self.facets[side.1 as usize]);
                    rise(length, &[own, other], &(middle - ends[0]))
                }
                // Several sheets meet: whatever the angle.
                _ => length,
            };
            if rise >= least {
                segments.push(ends);
            }
        }
        segments
    }
}

/// The sections of tetrahedra with a single crack.
struct Sections {
    /// By the nodes on one side, a bit each: whether the corners that [`crossed_edges`] gives are counter-clockwise seen from the other, in a
    /// right-handed tetrahedron.
    is_outwards: [bool; 16],
}

/// Corners of a section.
struct Section([Point; 4], usize);

impl Section {
    fn as_slice(&self) -> &[Point] {
        &self.0[..self.1]
    }
}

impl Sections {
    fn new() -> Self {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from);
        let is_outwards = std::array::from_fn(|side| {
            let edges = crossed_edges(side as u8);
            let middles: Vec<Point> = edges.iter().map(|[i, j]| nalgebra::center(&corners[*i], &corners[*j])).collect();
            let Some(first) = middles.first() else { return true };
            let own = (0..4).filter(|k| side >> k & 1 != 0).map(|k| corners[k] - first).sum::<Vector>();
            area_normal(&middles).dot(&own) < 0.0
        });
        Self { is_outwards }
    }

    /// The crack of a tetrahedron, counter-clockwise seen from the side opposite of some of its nodes.
    fn of(&self, split: &Split, side: u8, solid: &Solid, tet: u32) -> Section {
        let (corners, edges) = (solid.corners(tet), crossed_edges(side));
        let mut section = Section([Point::origin(); 4], edges.len());
        for (at, &[i, j]) in section.0.iter_mut().zip(edges) {
            // As `Corner::position`, bit for bit.
            let [a, b] = split.on_edge(i, j);
            *at = (Vector::zeros() + corners[i].coords * a + corners[j].coords * b).into();
        }
        if self.is_outwards[side as usize & 15] != (solid.signed_volume(tet) > 0.0) {
            section.0[..edges.len()].reverse();
        }
        section
    }
}

/// The facets of the regions of a piece in one tetrahedron.
#[derive(Default)]
struct Facets {
    polytope: Polytope,
    rim: Vec<u16>,
    /// Where the corners of the polytope are, as far as they are known.
    places: Vec<Option<Point>>,
    corners: Vec<Point>,
    /// For each facet, where its corners start, the crack it is on ([`NONE`]: the skin), and a sum over its corners.
    list: Vec<(usize, u32, u64)>,
}

impl Facets {
    fn clear(&mut self) {
        self.corners.clear();
        self.list.clear();
    }

    /// Adds the facets of a region on the skin and on cracks.
    fn add(&mut self, solid: &Solid, tet: u32, splits: &[Split], walls: &[Wall]) {
        let (nodes, tet_corners) = (&solid.tets()[tet as usize], solid.corners(tet));
        let is_positive = solid.signed_volume(tet) > 0.0;
        let Self { polytope, rim, places, corners, list } = self;
        polytope.set_region(splits, walls.iter().copied());
        places.clear();
        polytope.each_facet(rim, |wall, rim| {
            let crack = match (wall.as_crack(), wall.as_face()) {
                (Some((split, _)), _) => split as u32,
                (_, Some(face)) if matches!(solid.across(tet, face), Across::Skin(_)) => NONE,
                _ => return,
            };
            let start = corners.len();
            let mut sum = 0u64;
            for &k in rim {
                let k = k as usize;
                places.resize(places.len().max(k + 1), None);
                let at = *places[k].get_or_insert_with(|| polytope.corner(k, splits, nodes).position(&tet_corners));
                sum = sum.wrapping_add(Place::of(&at).mixed());
                corners.push(at);
            }
            // Clockwise seen from outside in a right-handed tetrahedron.
            if is_positive {
                corners[start..].reverse();
            }
            list.push((start, crack, sum));
        });
    }

    /// Calls `visit` with the corners of those that no other region of the piece has too, counter-clockwise seen from outside.
    fn each_outer(&self, mut visit: impl FnMut(&[Point])) {
        for (k, &(start, crack, sum)) in self.list.iter().enumerate() {
            let end = self.list.get(k + 1).map_or(self.corners.len(), |next| next.0);
            let is_same = |other: &(usize, u32, u64)| other.1 == crack && other.2 == sum;
            if crack == NONE || self.list.iter().filter(|other| is_same(other)).count() == 1 {
                visit(&self.corners[start..end]);
            }
        }
    }
}
