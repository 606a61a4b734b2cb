//! Convex proxies: an object as a few convex polyhedra, for engines that take no custom shapes.
//!
//! Approximate convex decomposition (Mamou and Ghorbel 2009; Wei et al. 2022): the part whose hull has the most volume that is not the
//! body's is cut in two by the plane that leaves the least to halves about equal, until what is left is small or the parts are as many as allowed. Pieces that
//! planes cut from a convex body are convex, and get one part that is exact.
//!
//! Candidate planes are judged by the hulls of the surface on both sides, since the volume within is the same for all of them. Only the chosen
//! one cuts the tetrahedra.

use crate::body::{InMetres, Object};
use crate::convex::quickhull::{ConvexMesh, quickhull};
use crate::error::{Error, Result};
use crate::geom::plane::Plane;
use crate::geom::{Point, Vector};
use nalgebra::Matrix3;
use std::cmp::Ordering;
use std::collections::HashMap;

/// Cuts that are tried along each axis, and refinements of the best.
const CUTS: usize = 7;
const REFINEMENTS: usize = 2;
/// Vertices of the hulls that candidates are judged by.
const ROUGHLY: usize = 64;
/// Halves of equal size are worth this share of a part's hull. A ring is not nearer to convex after one cut, but is after the next, if the
/// first has not merely taken off a slice.
const BALANCE: f64 = 0.1;
/// A cut across the longest side is worth this share: of a ring it leads somewhere, along the ring it does not.
const ACROSS: f64 = 0.05;
/// Limits of the options.
const MOST_PARTS: u32 = 64;
const MOST_POINTS: u32 = 1024;

/// How an object is approximated by convex parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexOptions {
    /// At most this many parts, 1 to 64.
    pub max_parts: u32,
    /// At most this many vertices each, 4 to 1024. The default of 64 has at most 124 triangles, within every engine's limit.
    pub max_points: u32,
    /// Parts are cut until their hulls have no more volume in excess of the object's, as a share of it; 0 to 1.
    pub excess: f64,
}

impl Default for ConvexOptions {
    fn default() -> Self {
        Self { max_parts: 8, max_points: 64, excess: 0.05 }
    }
}

impl ConvexOptions {
    fn check(&self) -> Result<()> {
        let text = match *self {
            Self { max_parts, .. } if !(1..=MOST_PARTS).contains(&max_parts) => {
                format!("max_parts is {max_parts}; it must be 1 to {MOST_PARTS}")
            }
            Self { max_points, .. } if !(4..=MOST_POINTS).contains(&max_points) => {
                format!("max_points is {max_points}; it must be 4 to {MOST_POINTS}")
            }
            Self { excess, .. } if !(0.0..=1.0).contains(&excess) => format!("excess is {excess}; it must be 0 to 1"),
            _ => return Ok(()),
        };
        Err(Error::InvalidArgument(text))
    }
}

impl Object {
    /// Its convex parts, in its own frame and units. Empty if it has no volume.
    pub fn convex_parts(&self, options: &ConvexOptions) -> Result<Vec<ConvexMesh>> {
        options.check()?;
        let (volume, most) = (self.mass().volume, options.max_points as usize);
        // Of bodies that are convex enough, nothing but the samples is asked for.
        let Some(hull) = quickhull(&self.outer_points(), most) else { return Ok(vec![]) };
        if options.max_parts == 1 || hull.volume() - volume <= options.excess * volume {
            return Ok(vec![hull]);
        }
        let Some(whole) = Part::of(self) else { return Ok(vec![hull]) };
        let (mut parts, enough) = (vec![whole], options.excess * volume);
        while parts.len() < options.max_parts as usize {
            let excess: f64 = parts.iter().map(Part::excess).sum();
            let worst = (0..parts.len()).max_by(|a, b| parts[*a].excess().total_cmp(&parts[*b].excess()));
            let Some(worst) = worst.filter(|_| excess > enough) else { break };
            match parts[worst].split() {
                Some([low, high]) => {
                    parts[worst] = low;
                    parts.push(high);
                }
                // It stays as it is.
                None => parts[worst].is_final = true,
            }
            if parts.iter().all(|part| part.is_final) {
                break;
            }
        }
        Ok(parts.iter().filter_map(|part| quickhull(&part.points, most)).collect())
    }

    /// What its hull is the hull of: of pieces that planes made, nodes on the skin, and crack points.
    fn outer_points(&self) -> Vec<Point> {
        if !self.kind().is_made_of_planes() {
            return self.surface().vertices;
        }
        let solid = self.asset().solid();
        let on_skin = self.nodes().iter().filter(|n| solid.is_on_skin(**n)).map(|n| solid.nodes()[*n as usize]);
        on_skin.chain(self.crack_points().iter().map(|point| point.at)).collect()
    }
}

impl InMetres<'_> {
    /// As [`Object::convex_parts`], in metres.
    pub fn convex_parts(&self, options: &ConvexOptions) -> Result<Vec<ConvexMesh>> {
        let mut parts = self.0.convex_parts(options)?;
        for part in &mut parts {
            part.points.iter_mut().for_each(|point| *point = self.point(point));
            part.error *= self.0.scale();
        }
        Ok(parts)
    }
}

/// A part of an object.
struct Part {
    tets: Vec<[Point; 4]>,
    /// Triangles of its surface, those of cuts too: where cuts meet, its corners are on no other.
    surface: Vec<[Point; 3]>,
    /// Their corners, each once.
    points: Vec<Point>,
    volume: f64,
    /// Of its hull.
    hull: f64,
    is_final: bool,
}

impl Part {
    fn of(object: &Object) -> Option<Self> {
        let tets = object.tets();
        // Faces of one tetrahedron only, of those that are not inverted by rounding.
        let mut faces: HashMap<[u32; 3], (u32, [u32; 3])> = HashMap::new();
        for [a, b, c, d] in &tets.tets {
            for face in [[*a, *b, *c], [*a, *b, *d], [*a, *c, *d], [*b, *c, *d]] {
                let mut key = face;
                key.sort_unstable();
                faces.entry(key).or_insert((0, face)).0 += 1;
            }
        }
        let at = |n: u32| tets.nodes[n as usize].position;
        let mut outer: Vec<[u32; 3]> = faces.into_values().filter(|(count, _)| *count == 1).map(|(_, f)| f).collect();
        outer.sort_unstable();
        let surface = outer.iter().map(|face| face.map(at)).collect();
        Self::new(tets.tets.iter().map(|tet| tet.map(at)).collect(), surface)
    }

    fn new(tets: Vec<[Point; 4]>, surface: Vec<[Point; 3]>) -> Option<Self> {
        let volume = tets.iter().map(volume_of).sum();
        let points = distinct(surface.as_flattened().to_vec());
        let hull = quickhull(&points, ROUGHLY)?.volume();
        Some(Self { tets, surface, points, volume, hull, is_final: false })
    }

    /// Volume of its hull that is not the object's.
    fn excess(&self) -> f64 {
        if self.is_final { 0.0 } else { (self.hull - self.volume).max(0.0) }
    }

    /// The axes to cut along: those of the object, and the principal axes of the part's surface.
    fn axes(&self) -> [Vector; 6] {
        let mean = self.points.iter().map(|p| p.coords).sum::<Vector>() / self.points.len() as f64;
        let spread: Matrix3<f64> = self.points.iter().map(|p| (p.coords - mean) * (p.coords - mean).transpose()).sum();
        let own = spread.symmetric_eigen().eigenvectors;
        let own = [0, 1, 2].map(|k| own.column(k).into_owned());
        [Vector::x(), Vector::y(), Vector::z(), own[0], own[1], own[2]]
    }

    /// Cuts it in two by the best plane; `None` if there is none with volume on both sides.
    fn split(&self) -> Option<[Self; 2]> {
        let mut best: Option<(f64, Plane)> = None;
        let axes = self.axes();
        let ends = axes.map(|axis| {
            let heights = self.points.iter().map(|p| p.coords.dot(&axis));
            heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
        });
        let longest = ends.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
        for (axis, [low, high]) in axes.into_iter().zip(ends) {
            let along = ACROSS * self.hull * (1.0 - (high - low) / longest);
            let mut step = (high - low) / (CUTS + 1) as f64;
            let judged = |offset: f64| {
                let plane = Plane { normal: axis, offset };
                self.hulls_beside(&plane).map(|[a, b]| (a + b + BALANCE * (a - b).abs() + along, plane))
            };
            let better = |a: (f64, Plane), b: (f64, Plane)| if b.0 < a.0 { b } else { a };
            let Some(mut found) = (1..=CUTS).filter_map(|k| judged(low + step * k as f64)).reduce(better) else {
                continue;
            };
            for _ in 0..REFINEMENTS {
                step *= 0.5;
                let offset = found.1.offset;
                found = [offset - step, offset + step].into_iter().filter_map(judged).fold(found, better);
            }
            best = Some(best.map_or(found, |best| better(best, found)));
        }
        self.cut(&best?.1)
    }

    /// The volumes of the hulls on both sides of a plane.
    fn hulls_beside(&self, plane: &Plane) -> Option<[f64; 2]> {
        let mut sides = [vec![], vec![]];
        self.points.iter().for_each(|p| sides[(plane.distance(p) > 0.0) as usize].push(*p));
        for corners in &self.surface {
            let heights = corners.map(|p| plane.distance(&p));
            for (a, b) in
                [(0, 1), (1, 2), (2, 0)].into_iter().filter(|(a, b)| (heights[*a] > 0.0) != (heights[*b] > 0.0))
            {
                let p = crossing(&corners[a], &corners[b], [heights[a], heights[b]]);
                sides.iter_mut().for_each(|side| side.push(p));
            }
        }
        let [low, high] = sides.map(|points| quickhull(&points, ROUGHLY));
        Some([low?.volume(), high?.volume()])
    }

    fn cut(&self, plane: &Plane) -> Option<[Self; 2]> {
        let (mut tets, mut surfaces) = ([vec![], vec![]], [vec![], vec![]]);
        for triangle in &self.surface {
            cut_triangle(triangle, plane, |side, corners| surfaces[side].push(corners));
        }
        for tet in &self.tets {
            let section = cut_tet(tet, plane, |side, tet| tets[side].push(tet));
            surfaces.iter_mut().for_each(|surface| surface.extend(section.iter().flatten()));
        }
        let ([tets_low, tets_high], [low, high]) = (tets, surfaces);
        Some([Self::new(tets_low, low)?, Self::new(tets_high, high)?])
    }
}

/// Every point once.
fn distinct(mut points: Vec<Point>) -> Vec<Point> {
    let by_place =
        |a: &Point, b: &Point| a.coords.as_slice().partial_cmp(b.coords.as_slice()).unwrap_or(Ordering::Equal);
    points.sort_unstable_by(by_place);
    points.dedup();
    points
}

/// Without sign: pieces of tetrahedra are not oriented.
fn volume_of([a, b, c, d]: &[Point; 4]) -> f64 {
    (b - a).cross(&(c - a)).dot(&(d - a)).abs() / 6.0
}

/// Where the line from a point below a plane to one above crosses it, the same from both ends.
fn crossing(a: &Point, b: &Point, [low, high]: [f64; 2]) -> Point {
    a + (b - a) * (low / (low - high))
}

/// Calls `piece` with the parts of a triangle below (0) and above (1) a plane, as triangles.
fn cut_triangle(corners: &[Point; 3], plane: &Plane, mut piece: impl FnMut(usize, [Point; 3])) {
    let heights = corners.map(|p| plane.distance(&p));
    let side = |k: usize| (heights[k] > 0.0) as usize;
    let Some(alone) = (0..3).find(|k| side(*k) != side((k + 1) % 3) && side(*k) != side((k + 2) % 3)) else {
        return piece(side(0), *corners);
    };
    let [a, b, c] = [alone, (alone + 1) % 3, (alone + 2) % 3];
    let [ab, ac] = [b, c].map(|k| crossing(&corners[a], &corners[k], [heights[a], heights[k]]));
    piece(side(a), [corners[a], ab, ac]);
    piece(side(b), [ab, corners[b], corners[c]]);
    piece(side(b), [ab, corners[c], ac]);
}

/// The same for a tetrahedron, as tetrahedra of any orientation. Returns the triangles on the plane.
fn cut_tet(corners: &[Point; 4], plane: &Plane, mut piece: impl FnMut(usize, [Point; 4])) -> [Option<[Point; 3]>; 2] {
    let heights = corners.map(|p| plane.distance(&p));
    let mut order = [0, 1, 2, 3];
    order.sort_unstable_by_key(|k| (heights[*k] > 0.0) as usize);
    let [a, b, c, d] = order.map(|k| corners[k]);
    let [ha, hb, hc, hd] = order.map(|k| heights[k]);
    let mut prism = |side: usize, [a, b, c]: [Point; 3], [d, e, f]: [Point; 3]| {
        [[a, d, e, f], [a, b, e, f], [a, b, c, f]].into_iter().for_each(|tet| piece(side, tet));
    };
    match heights.iter().filter(|height| **height > 0.0).count() {
        0 => {
            piece(0, *corners);
            [None, None]
        }
        4 => {
            piece(1, *corners);
            [None, None]
        }
        1 => {
            let cut = [(a, ha), (b, hb), (c, hc)].map(|(p, h)| crossing(&p, &d, [h, hd]));
            prism(0, cut, [a, b, c]);
            piece(1, [cut[0], cut[1], cut[2], d]);
            [Some(cut), None]
        }
        3 => {
            let cut = [(b, hb), (c, hc), (d, hd)].map(|(p, h)| crossing(&a, &p, [ha, h]));
            prism(1, cut, [b, c, d]);
            piece(0, [a, cut[0], cut[1], cut[2]]);
            [Some(cut), None]
        }
        _ => {
            let [ac, ad] = [(c, hc), (d, hd)].map(|(p, h)| crossing(&a, &p, [ha, h]));
            let [bc, bd] = [(c, hc), (d, hd)].map(|(p, h)| crossing(&b, &p, [hb, h]));
            prism(0, [a, ac, ad], [b, bc, bd]);
            prism(1, [c, ac, bc], [d, ad, bd]);
            [Some([ac, ad, bd]), Some([ac, bd, bc])]
        }
    }
}
