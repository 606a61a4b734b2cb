//! The asset's distance field: signed distances to the skin on a regular grid.
//!
//! In: a solid and the BVH of its skin. Out: a distance at every grid node, **negative inside**, trilinear in between.
//! Glondu 2013, section 4.4 ("a distance field on a dense regular grid"). The paper says nothing of how it is made; ours:
//!
//! - distances are exact at every node, inside and out, not only near the surface: neighbours share their searches (see
//!   `exact`), so that there is little to gain from a propagation that is not;
//! - signs come from the tetrahedra (see `inside`), so hollow and nested bodies are right;
//! - distances are kept in cells, in single precision: no body is too large or too small for it;
//! - how far the interpolation is off is measured at cooking ([`Accuracy`]), since culling must know.
//!
//! The field is 1-Lipschitz, so between exact nodes it is off by √3/2 of a cell at most (an isolated spike in the middle of
//! a cell), and by far less where the surface is smooth. Blocks of nodes are filled in parallel, each by itself: the same bits
//! for every number of threads.

use crate::bvh::Bvh;
use crate::error::{Result, bad_argument, bad_data};
use crate::geom::aabb::Aabb;
use crate::geom::random::mix;
use crate::geom::{Local, Point, Vector};
use crate::grid::exact::distances;
use crate::grid::inside::{Lattice, MOST_CELLS, inside};
use crate::grid::thickness::thinnest_wall;
use crate::heap::held;
use crate::solid::Solid;
use crate::tasks::Tasks;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How fine the grid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridOptions {
    /// Cells along the longest side of the body; 64 by default, from 4 to 1024.
    pub cells: usize,
    /// Whether there are more cells, as many as `max_bytes` allows, until the thinnest wall has four; so by default.
    pub refine: bool,
    /// Memory that the values may take; where the wanted number of cells needs more, it is lowered. 8 MiB by default.
    pub max_bytes: usize,
}

impl Default for GridOptions {
    fn default() -> Self {
        Self { cells: 64, refine: true, max_bytes: 8 << 20 }
    }
}

/// Cells along the longest side, at most.
const FINEST: usize = 1024;

/// How far interpolated values were off at cooking. In metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// The most by which a value exceeded the signed distance: at convex edges and tips, mainly. This side loses contacts.
    pub over: f64,
    /// The most by which a value fell short of it: midway between surfaces, mainly. This side is safe.
    pub under: f64,
    /// Mean of both over the whole grid, from samples.
    pub mean: f64,
}

impl Accuracy {
    /// The larger of the two sides.
    pub fn worst(&self) -> f64 {
        self.over.max(self.under)
    }
}

/// Signed distances to the skin of a solid on a regular grid; negative inside.
#[derive(Clone, Debug, PartialEq)]
pub struct GridField {
    /// Position of the first node.
    origin: Point,
    /// Edge length of a cell.
    cell: f64,
    /// The inverse of it.
    per_cell: f32,
    /// Nodes along each axis.
    count: [usize; 3],
    /// Distances in cells, x fastest. At the nodes exact but for rounding.
    values: Vec<f32>,
    accuracy: Accuracy,
    thinnest_wall: f64,
}

/// How deep a point is below the skin, by the grid, and how well the grid knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The interpolated depth; negative outside.
    pub depth: f64,
    /// How far that is off, about; 0 where the field is straight, and deep inside.
    pub off: f64,
}

impl Reading {
    /// What the depth does not exceed.
    pub fn most(&self) -> f64 {
        (self.depth + self.off).max(0.0)
    }

    /// What it does not fall below.
    pub fn least(&self) -> f64 {
        (self.depth - self.off).max(0.0)
    }
}

/// Empty cells on every side of the body, so that near the surface there is always something to interpolate.
const PADDING: usize = 2;
/// No error is larger than half the diagonal of a cell, in cells; a little more for rounding.
const LARGEST_ERROR: f64 = 0.8661;
/// A wall of fewer cells loses its middle in the interpolation.
const THIN: f64 = 4.0;
/// A field that loses no more than this of its squared slope in a cell is straight there.
const STRAIGHT: f32 = 0.02;
/// Down to so many cells below the skin a reading says how far it is off; within one more that fades.
const SHALLOW: f32 = 2.0;
/// Blocks of 512 cells in which the accuracy is measured, about, on each lattice.
const BLOCKS: usize = 32;
/// A field whose squared slope in the middle of a cell is below this has a crease there.
const CREASE: f64 = 0.8;
/// Creases at which the accuracy is measured, at most: the sharpest.
const CREASES: usize = 2048;

/// The BVH of a solid's skin; its triangles have the numbers of the skin.
pub fn over_skin(solid: &Solid) -> Result<Bvh> {
    let corners = |n: u32| solid.nodes()[n as usize];
    Bvh::new(&solid.skin().iter().map(|s| s.nodes.map(corners)).collect::<Vec<_>>())
}

impl GridField {
    /// Makes the field of a solid; `skin` is the tree of [`over_skin`].
    ///
    /// `progress` is called with the share that is done, from any thread, now and then; calls of different threads may
    /// overtake each other. The last one, with 1, comes from the calling thread.
    pub fn cook(
        solid: &Solid,
        skin: &Bvh,
        options: &GridOptions,
        tasks: &Tasks,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Result<Self> {
        if skin.len() != solid.skin().len() {
            bad_argument!("skin has {} triangles, the solid's {}", skin.len(), solid.skin().len());
        }
        let thinnest_wall = thinnest_wall(solid, skin, tasks);
        let lattice = fitting_lattice(solid, options, thinnest_wall)?;
        let mut field = Self {
            origin: lattice.origin,
            cell: lattice.cell,
            per_cell: (1.0 / lattice.cell) as f32,
            count: lattice.count,
            values: signed_distances(solid, skin, &lattice, tasks, progress),
            accuracy: Accuracy::default(),
            thinnest_wall,
        };
        field.accuracy = field.measured(solid, skin, tasks);
        progress(1.0);
        Ok(field)
    }

    /// The field of a solid from what cooking found: how many cells there are along the longest side, and the values.
    pub(crate) fn restore(
        solid: &Solid,
        (cells, values): (usize, Vec<f32>),
        accuracy: Accuracy,
        thinnest_wall: f64,
    ) -> Result<Self> {
        if !(4..=FINEST).contains(&cells) {
            bad_data!("the distance grid has {cells} cells along the longest side; from 4 to {FINEST} are possible");
        }
        let Lattice { origin, cell, count } = lattice_of(&solid.bounds(), cells);
        if values.len() != count.iter().product::<usize>() {
            bad_data!("the distance grid has {} values for {count:?} nodes", values.len());
        }
        // No node is farther from the skin than the corners of the grid are from each other.
        let most = count.iter().sum::<usize>() as f32;
        if !values.iter().fold(true, |all, value| all & (value.abs() <= most)) {
            bad_data!("the distance grid has a value that is no distance within it");
        }
        Ok(Self { origin, cell, per_cell: (1.0 / cell) as f32, count, values, accuracy, thinnest_wall })
    }

    /// Cells along the longest side of the solid that it was made of.
    pub(crate) fn cells_along(&self, solid: &Solid) -> usize {
        (solid.bounds().size().max() / self.cell).round() as usize
    }

    /// The values at the nodes, in cells, x fastest.
    pub(crate) fn values(&self) -> &[f32] {
        &self.values
    }

    /// Signed distance to the skin, negative inside.
    ///
    /// Within the grid it is interpolated. Beyond, with q the nearest point of the grid's box, it is the hypotenuse of the
    /// way to q and the value there: the body lies in the box, which is convex, so no point of it can be nearer (it may be
    /// farther, by a cell or so). So everywhere `value(p) - slack()` is a lower bound of the signed distance. The point must
    /// be finite.
    pub fn value(&self, p: &Point) -> f64 {
        self.value_at(&self.spot(p))
    }

    #[inline]
    fn value_at(&self, spot: &Spot) -> f64 {
        let inner = interpolated(&self.corners(spot), spot) as f64;
        let outer = spot.beyond.norm_squared();
        self.cell * if outer > 0.0 { (outer + inner * inner).sqrt() } else { inner }
    }

    /// [`value`](Self::value) of the point at `base` + `offset`, computed in single precision and without divisions. Use it only to choose
    /// what is evaluated first: it is off by rounding.
    #[inline]
    pub fn estimate(&self, base: &Point, offset: &Local) -> f32 {
        let u = ((base - self.origin).cast::<f32>() + offset) * self.per_cell;
        self.value_at(&self.spot_in_cells(&u.cast())) as f32
    }

    /// [`value`](Self::value) and its gradient, which points away from the nearest surface inside, and away from the body
    /// outside: everywhere the way out. Its length is 1 but for interpolation; near 0 midway between surfaces.
    pub fn value_and_gradient(&self, p: &Point) -> (f64, Vector) {
        let spot = self.spot(p);
        let (inner, mut gradient) = self.interpolated_with_gradient(&spot);
        let outer = spot.beyond.norm_squared();
        if outer == 0.0 {
            return (self.cell * inner, gradient);
        }
        let sum = (outer + inner * inner).sqrt();
        for k in 0..3 {
            // Along an axis in which p is beyond the box, q stays where it is.
            let beyond = spot.beyond[k];
            gradient[k] = if beyond == 0.0 { inner * gradient[k] } else { beyond } / sum;
        }
        (self.cell * sum, gradient)
    }

    /// The depth at a point of the box, and how far it may be off.
    ///
    /// Distances have slope 1. Where features of the skin meet, at an edge or midway between surfaces, a cell has part of each:
    /// the slopes along its sides cancel, and by what is missing, in cells, the interpolation is off, about. (Two planes with
    /// share s of the cell beyond the crease: the squared slope lacks up to 2 s (1 - s), and so does the depth.) Deep below the
    /// skin nobody asks for so much, and to search it would cost more.
    pub fn reading(&self, p: &Point) -> Reading {
        let spot = self.spot(p);
        let corners = self.corners(&spot);
        let depth = -interpolated(&corners, &spot);
        let [a, b, c, d] = corners.map(|[low, high]| low + high);
        let along_x: f32 = corners.iter().map(|[low, high]| high - low).sum();
        let slope = Local::new(along_x, (b - a) + (d - c), (c - a) + (d - b)) * 0.25;
        let lost = 1.0 - slope.norm_squared();
        let off = if lost <= STRAIGHT { 0.0 } else { (1.5 * lost).min(LARGEST_ERROR as f32) };
        let off = off * (SHALLOW + 1.0 - depth).clamp(0.0, 1.0);
        Reading { depth: depth as f64 * self.cell, off: off as f64 * self.cell }
    }

    /// Edge length of a cell.
    pub fn cell_size(&self) -> f64 {
        self.cell
    }

    /// Nodes along each axis.
    pub fn node_count(&self) -> [usize; 3] {
        self.count
    }

    /// Position of the first node, the lowest corner of the grid's box.
    pub fn origin(&self) -> &Point {
        &self.origin
    }

    /// Memory of the values.
    pub fn bytes(&self) -> usize {
        held(&self.values)
    }

    /// How far interpolated values were off at cooking.
    pub fn accuracy(&self) -> &Accuracy {
        &self.accuracy
    }

    /// A safe margin for culling: `value(p) - slack()` is not above the signed distance. Half as much again as the worst that
    /// was met at cooking on that side, and never more than what is certain.
    pub fn slack(&self) -> f64 {
        (1.5 * self.accuracy.over).min(self.certain_slack())
    }

    /// The margin that needs no measuring: half the diagonal of a cell, since distances are 1-Lipschitz. Holds on both sides.
    pub fn certain_slack(&self) -> f64 {
        LARGEST_ERROR * self.cell
    }

    /// How thick the thinnest wall of the body is, about (rays cast inwards from the skin).
    pub fn thinnest_wall(&self) -> f64 {
        self.thinnest_wall
    }

    /// Whether some wall is thinner than four cells, so that depths in it come out too small: reason for a warning.
    pub fn is_coarse(&self) -> bool {
        self.thinnest_wall < THIN * self.cell
    }

    /// What the caller should know about a grid that was made of a solid with these options, a sentence each.
    pub fn warnings(&self, solid: &Solid, options: &GridOptions) -> Vec<String> {
        let bounds = solid.bounds();
        let bytes = |cells: usize| bytes_of(&lattice_of(&bounds, cells));
        let cells = self.cells_along(solid);
        let mut warnings = vec![];
        if cells < options.cells {
            warnings.push(format!(
                "the distance grid has {cells} cells along the longest side, not {}, which take {} bytes; max_bytes is {}",
                options.cells,
                bytes(options.cells),
                options.max_bytes
            ));
        }
        if self.is_coarse() {
            let better = cells_for(&bounds, self.thinnest_wall);
            warnings.push(format!(
                "the thinnest wall ({:.2e} m) has {:.1} cells of the distance grid, and depths in it come out too small; \
                 {better} cells along the longest side ({} bytes) give it {:.1}",
                self.thinnest_wall,
                self.thinnest_wall / self.cell,
                bytes(better),
                self.thinnest_wall * better as f64 / bounds.size().max(),
            ));
        }
        warnings
    }

    /// The cell around a point, or around the nearest point of the box.
    #[inline]
    fn spot(&self, p: &Point) -> Spot {
        self.spot_in_cells(&((p - self.origin) / self.cell))
    }

    /// The same for a position in cells from the first node.
    #[inline]
    fn spot_in_cells(&self, u: &Vector) -> Spot {
        let mut spot = Spot { first: 0, within: [0.0; 3], beyond: Vector::zeros() };
        for k in (0..3).rev() {
            // Counts are small: conversions of 32 bits are one instruction, those of 64 are not.
            let last = self.count[k] as i32 - 1;
            let inner = if u[k] > 0.0 { u[k] } else { 0.0 };
            let inner = if inner < last as f64 { inner } else { last as f64 };
            let cell = (inner as i32).min(last - 1);
            spot.first = spot.first * self.count[k] + cell as usize;
            spot.within[k] = (inner - cell as f64) as f32;
            spot.beyond[k] = u[k] - inner;
        }
        spot
    }

    /// The values at the corners of a cell: pairs along x; y, then z.
    #[inline]
    fn corners(&self, spot: &Spot) -> [[f32; 2]; 4] {
        let row = self.count[0];
        let layer = row * self.count[1];
        [0, row, layer, layer + row].map(|step| [self.values[spot.first + step], self.values[spot.first + step + 1]])
    }

    fn interpolated_with_gradient(&self, spot: &Spot) -> (f64, Vector) {
        let [x, y, z] = spot.within;
        let corners = self.corners(spot);
        let [a, b, c, d] = corners.map(|pair| between(pair, x));
        let [ga, gb, gc, gd] = corners.map(|pair| pair[1] - pair[0]);
        let along_x = between([between([ga, gb], y), between([gc, gd], y)], z);
        let along_y = between([b - a, d - c], z);
        let ends = [between([a, b], y), between([c, d], y)];
        (between(ends, z) as f64, Vector::new(along_x as f64, along_y as f64, (ends[1] - ends[0]) as f64))
    }

    /// Compares interpolated values with exact ones: along the skin, at the creases of the field, and here and there.
    fn measured(&self, solid: &Solid, skin: &Bvh, tasks: &Tasks) -> Accuracy {
        let mut sum = self.errors_along_skin(solid, tasks);
        for (shift, creases) in [(Vector::repeat(0.5), true), (Vector::new(0.27, 0.61, 0.83), false)] {
            let lattice = Lattice {
                origin: self.origin + shift * self.cell,
                cell: self.cell,
                count: self.count.map(|nodes| nodes - 1),
            };
            let held = inside(solid, &lattice);
            let signed = |at: [usize; 3], distance: f64| if held[lattice.number(at)] { -distance } else { distance };
            sum += self.errors_in_blocks(skin, &lattice, &signed, tasks);
            if creases {
                sum += self.errors_at_creases(skin, &lattice, &signed, tasks);
            }
        }
        Accuracy { over: sum.over, under: sum.under, mean: sum.total / sum.count.max(1.0) }
    }

    /// Along all edges of the skin, where the distance is 0: tips and convex edges show there what they can do.
    fn errors_along_skin(&self, solid: &Solid, tasks: &Tasks) -> Errors {
        let triangles = solid.skin();
        Errors::sum(tasks.map_chunks(triangles.len(), 1024, |range| {
            let mut errors = Errors::default();
            for triangle in &triangles[range] {
                let [a, b, c] = triangle.nodes.map(|n| solid.nodes()[n as usize]);
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    let steps = ((to - from).norm() / self.cell * 2.0).ceil().max(1.0);
                    for k in 0..steps as usize {
                        errors.range(self.value(&(from + (to - from) * (k as f64 / steps))));
                    }
                }
            }
            errors
        }))
    }

    /// In a fixed selection of blocks of a lattice: these make the mean.
    fn errors_in_blocks(
        &self,
        skin: &Bvh,
        lattice: &Lattice,
        signed: &(impl Fn([usize; 3], f64) -> f64 + Sync),
        tasks: &Tasks,
    ) -> Errors {
        let blocks: usize = lattice.blocks().iter().product();
        let every = (blocks / BLOCKS).max(1) as u64;
        let chosen: Vec<usize> = (0..blocks).filter(|b| mix(*b as u64).is_multiple_of(every)).collect();
        Errors::sum(tasks.map_chunks(chosen.len(), 1, |numbers| {
            let mut errors = Errors::default();
            let block = lattice.block(chosen[numbers.start]);
            for (at, distance) in block.points().zip(distances(skin, lattice, block)) {
                errors.add(self.value(&lattice.point(at)) - signed(at, distance));
            }
            errors
        }))
    }

    /// In the middle of the cells where the interpolated field is flattest. Distances have slope 1 but for creases, midway
    /// between surfaces and at tips, and there the interpolation is worst.
    fn errors_at_creases(
        &self,
        skin: &Bvh,
        middles: &Lattice,
        signed: &(impl Fn([usize; 3], f64) -> f64 + Sync),
        tasks: &Tasks,
    ) -> Errors {
        let flat = tasks.map_chunks(middles.count[2], 1, |layer| {
            let z = layer.start;
            let rows = (0..middles.count[1]).flat_map(|y| (0..middles.count[0]).map(move |x| [x, y, z]));
            rows.filter_map(|at| {
                let (_, gradient) = self.interpolated_with_gradient(&Spot {
                    first: (at[2] * self.count[1] + at[1]) * self.count[0] + at[0],
                    within: [0.5; 3],
                    beyond: Vector::zeros(),
                });
                let slope = gradient.norm_squared();
                (slope < CREASE).then_some((slope, at))
            })
            .collect::<Vec<_>>()
        });
        let mut flat = flat.concat();
        flat.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        flat.truncate(CREASES);
        Errors::sum(tasks.map_chunks(flat.len(), 64, |range| {
            let mut errors = Errors::default();
            for (_, at) in &flat[range] {
                let p = middles.point(*at);
                if let Some(hit) = skin.closest_point(&p, f64::INFINITY) {
                    errors.range(self.value(&p) - signed(*at, hit.distance));
                }
            }
            errors
        }))
    }
}

/// Where a point lies in the grid.
struct Spot {
    /// The lowest corner of its cell.
    first: usize,
    /// From there, in cells: 0 to 1.
    within: [f32; 3],
    /// From the box to the point, in cells.
    beyond: Vector,
}

/// The value at a spot between the corners of its cell.
#[inline]
fn interpolated(corners: &[[f32; 2]; 4], spot: &Spot) -> f32 {
    let [x, y, z] = spot.within;
    let [a, b, c, d] = corners.map(|pair| between(pair, x));
    between([between([a, b], y), between([c, d], y)], z)
}

#[inline]
fn between([a, b]: [f32; 2], t: f32) -> f32 {
    a + (b - a) * t
}

#[derive(Default)]
struct Errors {
    over: f64,
    under: f64,
    total: f64,
    count: f64,
}

impl Errors {
    fn range(&mut self, error: f64) {
        self.over = self.over.max(error);
        self.under = self.under.max(-error);
    }

    fn add(&mut self, error: f64) {
        self.range(error);
        self.total += error.abs();
        self.count += 1.0;
    }

    fn sum(parts: Vec<Self>) -> Self {
        let mut sum = Self::default();
        parts.into_iter().for_each(|part| sum += part);
        sum
    }
}

impl AddAssign for Errors {
    fn add_assign(&mut self, other: Self) {
        self.over = self.over.max(other.over);
        self.under = self.under.max(other.under);
        self.total += other.total;
        self.count += other.count;
    }
}

/// The lattice that is wanted, or the finest that fits into the memory, around the middle of the body.
fn fitting_lattice(solid: &Solid, options: &GridOptions, thinnest_wall: f64) -> Result<Lattice> {
    if !(4..=FINEST).contains(&options.cells) {
        bad_argument!("cells is {}; from 4 to {FINEST} make sense along the longest side", options.cells);
    }
    const { assert!(FINEST + 2 * PADDING < MOST_CELLS) };
    let bounds = solid.bounds();
    let refined = if options.refine { cells_for(&bounds, thinnest_wall) } else { 0 };
    for cells in (4..=options.cells.max(refined)).rev() {
        let lattice = lattice_of(&bounds, cells);
        if bytes_of(&lattice) <= options.max_bytes {
            return Ok(lattice);
        }
    }
    bad_argument!("max_bytes is {}; not even a grid of 4 cells fits into that", options.max_bytes)
}

/// Cells along the longest side with which a wall is not thin, as far as there may be so many.
fn cells_for(bounds: &Aabb, wall: f64) -> usize {
    // A hair more than needed: the wall itself is known to single precision only.
    (bounds.size().max() / wall * THIN * (1.0 + 1e-6)).ceil().min(FINEST as f64) as usize
}

/// The lattice with so many cells along the longest side.
fn lattice_of(bounds: &Aabb, cells: usize) -> Lattice {
    let cell = bounds.size().max() / cells as f64;
    // The longest side is a whole number of cells, which rounding must not make one more.
    let sides: [usize; 3] =
        std::array::from_fn(|k| (bounds.size()[k] / cell - 1e-9).ceil().max(1.0) as usize + 2 * PADDING);
    let half = Vector::from(sides.map(|n| n as f64)) * (0.5 * cell);
    Lattice { origin: bounds.centre() - half, cell, count: sides.map(|n| n + 1) }
}

/// Memory of the values on a lattice.
fn bytes_of(lattice: &Lattice) -> usize {
    lattice.count.iter().product::<usize>().saturating_mul(size_of::<f32>())
}

/// The signed distance at every node, in cells.
fn signed_distances(
    solid: &Solid,
    skin: &Bvh,
    lattice: &Lattice,
    tasks: &Tasks,
    progress: &(dyn Fn(f32) + Sync),
) -> Vec<f32> {
    let mut values: Vec<f32> = inside(solid, lattice).iter().map(|held| if *held { -1.0 } else { 1.0 }).collect();
    let blocks = lattice.blocks().iter().product();
    let done = AtomicUsize::new(0);
    let filled = tasks.map_chunks(blocks, 1, |numbers| {
        let block = lattice.block(numbers.start);
        let found: Vec<f32> = distances(skin, lattice, block).iter().map(|d| (d / lattice.cell) as f32).collect();
        // The rest, measuring, takes about a tenth of the time.
        progress(0.9 * (done.fetch_add(1, Ordering::Relaxed) + 1) as f32 / blocks as f32);
        (block, found)
    });
    for (block, found) in filled {
        block.points().zip(found).for_each(|(at, distance)| values[lattice.number(at)] *= distance);
    }
    values
}
