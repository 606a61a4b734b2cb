//! Tetrahedra that meet a closed surface exactly, as few as it allows.
//!
//! The body is cut by planes into parts that are star-shaped: from some point in it, all of the surface of a part is seen. That
//! point and each triangle of the surface make a tetrahedron. Cracks do not follow tetrahedra
//! (docs/formulations/exact-cells.md), so these need no good shapes; but a part has only so many triangles, or too many
//! tetrahedra would meet where they are looked up.
//!
//! Parts share the triangles between them. A plane that cuts a part divides its edges, and with them all triangles around, of this part
//! and of others: so neighbours always fit. Planes pass between the corners of a part, so every corner is on one side of them.

use super::repair::Outline;
use crate::error::{Error, Result, bad_argument};
use crate::geom::aabb::Aabb;
use crate::geom::pinned::{exp, ln, powi};
use crate::geom::polygon::{Polygon, flat_triangles};
use crate::geom::{NONE, Point, Vector};
use crate::solid::Solid;
use crate::solid::check::FLAT;
use nalgebra::Matrix3;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A part with more triangles is cut.
const MOST_TRIANGLES: usize = 1000;
/// How far the point of a part is from the planes of its triangles, at least, as a share of its radius.
const LEAST_SEEN: f64 = 2e-3;
/// Tetrahedra have at least so many times the volume of those that count as flat.
const LEAST_VOLUME: f64 = 10.0;
/// Parts for each triangle of the surface, and besides, at most.
const MOST_PARTS: (usize, usize) = (2, 256);
/// Planes are no nearer to corners, as a share of the part's size.
const LEAST_GAP: f64 = 1e-9;
/// Where planes pass, as shares of the part.
const MIDDLE: [f64; 2] = [0.3, 0.7];

/// A triangle between two parts, or of the surface.
#[derive(Clone, Copy)]
struct Face {
    /// Counter-clockwise seen from outside of the first part.
    corners: [u32; 3],
    /// [`NONE`] for what is outside of the body.
    parts: [u32; 2],
}

impl Face {
    /// The corners, counter-clockwise seen from outside of a part.
    fn seen_from_outside(&self, part: u32) -> [u32; 3] {
        let [a, b, c] = self.corners;
        if self.parts[0] == part { [a, b, c] } else { [a, c, b] }
    }
}

/// Parts of a body and the triangles around them.
struct Parts {
    points: Vec<Point>,
    faces: Vec<Face>,
    /// The faces of each part.
    of_part: Vec<Vec<u32>>,
    /// The faces around each edge, the lower corner first.
    around: HashMap<[u32; 2], Vec<u32>>,
}

/// Fills a closed surface with tetrahedra whose boundary it is; `progress` is called with the share that is done.
pub(super) fn fill_exactly(outline: &Outline, progress: impl Fn(f32)) -> Result<Solid> {
    if !outline.sound {
        bad_argument!(
            "only a closed surface that does not touch itself can be met exactly, and this one had to be repaired: {}",
            outline.remarks.first().map_or("it is open", |remark| remark)
        );
    }
    if let Some(place) = crossing(outline) {
        bad_argument!(
            "the surface passes through itself near ({:.4}, {:.4}, {:.4}), and cannot be met exactly",
            place.x,
            place.y,
            place.z
        );
    }
    let mut parts = Parts::of(outline);
    let volume = parts.volume(&(0..outline.triangles.len() as u32).collect::<Vec<_>>(), 0);
    let all = std::mem::take(&mut parts.of_part[0]);
    // With the number of triangles of what each was cut from.
    let mut waiting: Vec<(u32, usize)> =
        parts.add_components(all, 0).into_iter().map(|part| (part, usize::MAX)).collect();
    let mut seen_from: BTreeMap<u32, Point> = BTreeMap::new();
    let most = MOST_PARTS.0 * outline.triangles.len() + MOST_PARTS.1;
    let mut done = 0.0;
    while let Some((part, before)) = waiting.pop() {
        let count = parts.of_part[part as usize].len();
        // Where many triangles meet in a corner, cuts do not help.
        let is_small = count <= MOST_TRIANGLES || count > before / 4 * 3;
        if let Some(point) = is_small.then(|| parts.seen_from(part)).flatten() {
            done += parts.volume(&parts.of_part[part as usize], part);
            progress((done / volume) as f32);
            seen_from.insert(part, point);
            continue;
        }
        let Some(cut) = parts.cut(part).filter(|_| parts.of_part.len() < most) else {
            let middle = parts.bounds(part).centre();
            return Err(Error::TooLarge(format!(
                "the surface is too intricate near ({:.4}, {:.4}, {:.4}) to be met exactly; fill it without that",
                middle.x, middle.y, middle.z
            )));
        };
        waiting.extend(cut.into_iter().map(|part| (part, count)));
    }
    parts.into_solid(&seen_from)
}

/// A place where an edge of a surface passes through one of its triangles. Those at its ends are only touched.
fn crossing(outline: &Outline) -> Option<Point> {
    let least = 1e-9 * outline.tree.bounds().radius();
    let at = |corner: u32| outline.points[corner as usize];
    let edges: BTreeSet<[u32; 2]> = outline.triangles.iter().flat_map(edges_of).collect();
    edges.into_iter().find_map(|[a, b]| {
        let (from, to) = (at(a), at(b));
        let (start, way) = (from + (to - from) * 1e-6, (to - from) * (1.0 - 2e-6));
        let hit = outline.tree.ray(&start, &way, 1.0)?;
        let corners = outline.triangles[hit.triangle as usize];
        let [p, q, r] = corners.map(at);
        let normal = (q - p).cross(&(r - p)).try_normalize(0.0)?;
        let heights = [from, to].map(|end| normal.dot(&(end - p)));
        let is_through = heights[0].min(heights[1]) < -least && heights[0].max(heights[1]) > least;
        (is_through && !corners.contains(&a) && !corners.contains(&b)).then(|| start + way * hit.t)
    })
}

impl Parts {
    /// All of a surface as one part.
    fn of(outline: &Outline) -> Self {
        let faces: Vec<Face> =
            outline.triangles.iter().map(|corners| Face { corners: *corners, parts: [0, NONE] }).collect();
        let mut parts = Self {
            points: outline.points.clone(),
            of_part: vec![(0..faces.len() as u32).collect()],
            faces: vec![],
            around: HashMap::new(),
        };
        for face in faces {
            parts.add_face(face);
        }
        parts
    }

    fn add_face(&mut self, face: Face) -> u32 {
        let number = self.faces.len() as u32;
        self.faces.push(face);
        edges_of(&face.corners).into_iter().for_each(|edge| self.around.entry(edge).or_default().push(number));
        number
    }

    fn places(&self, corners: [u32; 3]) -> [Point; 3] {
        corners.map(|corner| self.points[corner as usize])
    }

    fn bounds(&self, part: u32) -> Aabb {
        let mut bounds = Aabb::EMPTY;
        let corners = self.of_part[part as usize].iter().flat_map(|face| self.faces[*face as usize].corners);
        corners.for_each(|corner| bounds.grow(&self.points[corner as usize]));
        bounds
    }

    /// The volume that some faces of a part enclose.
    fn volume(&self, faces: &[u32], part: u32) -> f64 {
        let Some(first) = faces.first() else { return 0.0 };
        let base = self.points[self.faces[*first as usize].corners[0] as usize];
        let cone = |face: &u32| {
            let [a, b, c] = self.places(self.faces[*face as usize].seen_from_outside(part)).map(|p| p - base);
            a.cross(&b).dot(&c) / 6.0
        };
        faces.iter().map(cone).sum()
    }

    /// Gives faces that were a part's to as many parts as they are around: that one, and new ones. Parts with cavities stay together, since
    /// a cavity does not tell whose it is.
    fn add_components(&mut self, faces: Vec<u32>, part: u32) -> Vec<u32> {
        let mut components: Vec<Vec<u32>> = vec![];
        let mut left: BTreeSet<u32> = faces.iter().copied().collect();
        while let Some(first) = left.pop_first() {
            let (mut component, mut next) = (vec![first], 0);
            while let Some(face) = component.get(next) {
                for edge in edges_of(&self.faces[*face as usize].corners) {
                    let others = self.around[&edge].iter().copied().filter(|other| left.remove(other));
                    component.extend(others.collect::<Vec<_>>());
                }
                next += 1;
            }
            components.push(component);
        }
        if components.iter().any(|component| self.volume(component, part) < 0.0) {
            components = vec![faces];
        }
        let mut numbers = vec![];
        for (k, component) in components.into_iter().enumerate() {
            let number = if k == 0 { part } else { self.of_part.len() as u32 };
            if k > 0 {
                self.of_part.push(vec![]);
                component.iter().for_each(|face| self.give(*face, part, number));
            }
            self.of_part[number as usize] = component;
            numbers.push(number);
        }
        numbers
    }

    /// A face belongs to another part now.
    fn give(&mut self, face: u32, from: u32, to: u32) {
        let parts = &mut self.faces[face as usize].parts;
        let side = (parts[0] != from) as usize;
        parts[side] = to;
    }

    /// A point from which all of the surface of a part is seen; `None` if there is none.
    fn seen_from(&self, part: u32) -> Option<Point> {
        let faces = &self.of_part[part as usize];
        let bounds = self.bounds(part);
        let (middle, radius) = (bounds.centre(), bounds.radius());
        // In a frame in which the part has size one.
        let plane = |face: &u32| {
            let [a, b, c] = self.places(self.faces[*face as usize].seen_from_outside(part));
            let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
            Some((normal, normal.dot(&(a - middle)) / radius))
        };
        let planes: Vec<(Vector, f64)> = faces.iter().map(plane).collect::<Option<_>>()?;
        let (point, depth) = deepest(&planes);
        let point = middle + point * radius;
        // Triangles much smaller than the part make tetrahedra without volume.
        let has_volume = |face: &u32| {
            let [a, b, c] = self.places(self.faces[*face as usize].corners).map(|corner| corner - point);
            let longest = [a, b, c, b - a, c - b, a - c].into_iter().map(|edge| edge.norm()).fold(0.0, f64::max);
            a.cross(&b).dot(&c).abs() / 6.0 > LEAST_VOLUME * FLAT * powi(longest, 3)
        };
        (depth > LEAST_SEEN && faces.iter().all(has_volume)).then_some(point)
    }

    /// Cuts a part in two or more by a plane across its longest side that can be cut; the parts that it becomes.
    fn cut(&mut self, part: u32) -> Option<Vec<u32>> {
        let bounds = self.bounds(part);
        let size = bounds.size();
        let mut axes = [0, 1, 2];
        axes.sort_by(|a, b| size[*b].total_cmp(&size[*a]));
        let (axis, level) = axes.into_iter().find_map(|axis| Some((axis, self.level(part, axis, &bounds)?)))?;
        let edges: BTreeSet<[u32; 2]> =
            self.of_part[part as usize].iter().flat_map(|face| edges_of(&self.faces[*face as usize].corners)).collect();
        for [a, b] in edges {
            let [from, to] = [a, b].map(|corner| self.points[corner as usize]);
            if (from[axis] < level) != (to[axis] < level) {
                let mut at = from + (to - from) * ((level - from[axis]) / (to[axis] - from[axis]));
                at[axis] = level;
                self.divide([a, b], at);
            }
        }
        let is_above =
            |face: &u32| self.faces[*face as usize].corners.iter().any(|c| self.points[*c as usize][axis] > level);
        let (above, below): (Vec<u32>, Vec<u32>) = self.of_part[part as usize].iter().copied().partition(is_above);
        let cap = self.cap(part, &below, axis, level)?;
        let upper = self.of_part.len() as u32;
        self.of_part.push(vec![]);
        above.iter().for_each(|face| self.give(*face, part, upper));
        let between: Vec<u32> =
            cap.into_iter().map(|corners| self.add_face(Face { corners, parts: [part, upper] })).collect();
        let mut parts = self.add_components([below, between.clone()].concat(), part);
        parts.extend(self.add_components([above, between].concat(), upper));
        Some(parts)
    }

    /// Where a plane across an axis is farthest from all corners of a part, about in its middle.
    fn level(&self, part: u32, axis: usize, bounds: &Aabb) -> Option<f64> {
        let (low, size) = (bounds.min[axis], bounds.size()[axis]);
        let corners = self.of_part[part as usize].iter().flat_map(|face| self.faces[*face as usize].corners);
        let mut places: Vec<f64> = corners.map(|corner| self.points[corner as usize][axis]).collect();
        places.sort_by(f64::total_cmp);
        let widest = |[from, to]: [f64; 2]| {
            let mut best = (LEAST_GAP * size, None);
            for pair in places.windows(2) {
                let gap = pair[0].max(from)..pair[1].min(to);
                let middle = 0.5 * (gap.start + gap.end);
                let apart = (middle - pair[0]).min(pair[1] - middle);
                if gap.start < gap.end && apart > best.0 {
                    best = (apart, Some(middle));
                }
            }
            best.1
        };
        // Half of the triangles on each side, or half of the length.
        widest(MIDDLE.map(|share| places[(share * places.len() as f64) as usize]))
            .or_else(|| widest(MIDDLE.map(|share| low + share * size)))
    }

    /// Divides an edge, and all faces around it, at a new point.
    fn divide(&mut self, edge: [u32; 2], at: Point) {
        let Some(around) = self.around.remove(&edge) else { return };
        let middle = self.points.len() as u32;
        self.points.push(at);
        for face in around {
            let Face { corners, parts } = self.faces[face as usize];
            // The corner that is not on the edge, and the two that are, in the order of the face.
            let k = (0..3).find(|k| !edge.contains(&corners[*k])).unwrap_or(0);
            let [apex, from, to] = [0, 1, 2].map(|i| corners[(k + i) % 3]);
            self.faces[face as usize].corners = [apex, from, middle];
            let other = Face { corners: [apex, middle, to], parts };
            let number = self.faces.len() as u32;
            self.faces.push(other);
            parts.into_iter().filter(|part| *part != NONE).for_each(|part| self.of_part[part as usize].push(number));
            let mut list = |a: u32, b: u32, face: u32| self.around.entry(sorted(a, b)).or_default().push(face);
            list(from, middle, face);
            list(apex, middle, face);
            list(apex, middle, number);
            list(middle, to, number);
            if let Some(faces) = self.around.get_mut(&sorted(to, apex)) {
                faces.iter_mut().filter(|f| **f == face).for_each(|f| *f = number);
            }
        }
    }

    /// The triangles that close what is below a plane, counter-clockwise seen from above; `None` if they are not flat to double precision.
    fn cap(&self, part: u32, below: &[u32], axis: usize, level: f64) -> Option<Vec<[u32; 3]>> {
        let is_on = |corner: u32| self.points[corner as usize][axis] == level;
        let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for face in below {
            let corners = self.faces[*face as usize].seen_from_outside(part);
            for k in 0..3 {
                let [from, to] = [corners[k], corners[(k + 1) % 3]];
                if is_on(from) && is_on(to) {
                    // Against the edge of the face.
                    next.entry(to).or_default().push(from);
                }
            }
        }
        let (mut numbers, mut points, mut loops) = (vec![], vec![], vec![]);
        while let Some((&start, _)) = next.first_key_value() {
            let (mut around, mut at) = (vec![], start);
            loop {
                around.push(points.len() as u32);
                points.push(self.points[at as usize]);
                numbers.push(at);
                let ways = next.get_mut(&at)?;
                let to = ways.pop()?;
                if ways.is_empty() {
                    next.remove(&at);
                }
                at = to;
                if at == start {
                    break;
                }
            }
            loops.push(around);
        }
        // Twice the area of each loop, along its normal: that is how long a polygon wants its normal.
        let doubled = |around: &Vec<u32>| -> Vector {
            let at = |k: usize| points[around[k % around.len()] as usize] - points[around[0] as usize];
            (1..around.len()).map(|k| at(k).cross(&at(k + 1))).sum()
        };
        let area: f64 = loops.iter().map(|around| doubled(around)[axis]).sum();
        if area.is_nan() || area <= 0.0 {
            return None;
        }
        let normal = Vector::ith(axis, area);
        let triangles = flat_triangles(&Polygon { points, loops, normal })?;
        Some(triangles.into_iter().map(|corners| corners.map(|k| numbers[k as usize])).collect())
    }

    /// The tetrahedra of all parts, each seen from a point.
    fn into_solid(self, seen_from: &BTreeMap<u32, Point>) -> Result<Solid> {
        let mut nodes: Vec<[f64; 3]> = self.points.iter().map(|p| [p.x, p.y, p.z]).collect();
        let mut tets = vec![];
        for (&part, point) in seen_from {
            let faces = &self.of_part[part as usize];
            // A tetrahedron is one as it is.
            if let [first, second, _, _] = &faces[..] {
                let [a, b, c] = self.faces[*first as usize].seen_from_outside(part);
                let fourth =
                    self.faces[*second as usize].corners.into_iter().find(|corner| ![a, b, c].contains(corner));
                tets.extend(fourth.map(|d| [a, c, b, d]));
                continue;
            }
            let apex = nodes.len() as u32;
            nodes.push([point.x, point.y, point.z]);
            tets.extend(faces.iter().map(|face| {
                let [a, b, c] = self.faces[*face as usize].seen_from_outside(part);
                [a, c, b, apex]
            }));
        }
        // Triangles that were divided after their part was seen may be too small for it.
        Solid::own(nodes, tets).map_err(|why| {
            Error::TooLarge(format!(
                "some triangles are too small for the surface to be met exactly ({why}); fill it without that"
            ))
        })
    }
}

fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn edges_of(&[a, b, c]: &[u32; 3]) -> [[u32; 2]; 3] {
    [sorted(a, b), sorted(b, c), sorted(c, a)]
}

/// The point that is deepest within some planes (normals outwards) about the origin, and how deep it is; negative if there is none
/// within all. The least of the distances is replaced by a smooth function that comes close to it, step by step, and is concave:
/// Newton's method finds where it is largest.
fn deepest(planes: &[(Vector, f64)]) -> (Vector, f64) {
    let mut at = Vector::zeros();
    let depth = |at: &Vector| planes.iter().map(|(n, d)| d - n.dot(at)).fold(f64::INFINITY, f64::min);
    let mut best = (at, depth(&at));
    let mut sharpness = 4.0;
    while sharpness < 4000.0 {
        for _ in 0..12 {
            let least = depth(&at);
            let smooth = |p: &Vector| {
                let sum: f64 = planes.iter().map(|(n, d)| exp(sharpness * (least - d + n.dot(p)))).sum();
                least - ln(sum) / sharpness
            };
            let (mut total, mut mean, mut square) = (0.0, Vector::zeros(), Matrix3::zeros());
            for (n, d) in planes {
                let weight = exp(sharpness * (least - d + n.dot(&at)));
                total += weight;
                mean += n * weight;
                square += n * n.transpose() * weight;
            }
            mean /= total;
            let curvature = (square / total - mean * mean.transpose()) * sharpness + Matrix3::identity() * 1e-6;
            let Some(step) = curvature.try_inverse().map(|inverse| inverse * -mean) else { break };
            let before = smooth(&at);
            // Never farther than the part is large.
            let mut share = (1.0 / step.norm().max(1e-300)).min(1.0);
            while share > 1e-6 && smooth(&(at + step * share)) <= before {
                share *= 0.5;
            }
            if share <= 1e-6 {
                break;
            }
            at += step * share;
            if depth(&at) > best.1 {
                best = (at, depth(&at));
            }
        }
        sharpness *= 4.0;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_point_of_a_box_is_its_middle() {
        let planes: Vec<(Vector, f64)> = (0..6)
            .map(|k| {
                let (axis, sign) = (k / 2, if k % 2 == 0 { 1.0 } else { -1.0 });
                (Vector::ith(axis, sign), sign * [0.3, -0.2, 0.1][axis] + [0.2, 0.3, 0.4][axis])
            })
            .collect();
        let (at, depth) = deepest(&planes);
        assert!((depth - 0.2).abs() < 1e-3, "{depth}");
        assert!((at.x - 0.3).abs() < 1e-3, "{at}");
        // Two planes that face each other have nothing within.
        assert!(deepest(&[(Vector::x(), -0.1), (-Vector::x(), -0.1)]).1 < 0.0);
    }
}
