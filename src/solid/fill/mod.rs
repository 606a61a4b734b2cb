//! Tetrahedra from a closed surface.
//!
//! Isosurface stuffing (`lattice`, `stuff`) makes good tetrahedra of any body that can tell inside from outside, sound or not
//! (`repair`). Its two weaknesses are mended afterwards, on the mesh: sharp edges are cut off by it (`sharpen` puts nodes onto
//! them), and it leaves short edges everywhere (`improve` collapses them, the more the deeper, and keeps all tetrahedra well
//! shaped). Nodes of the boundary are on the surface that was given; on round parts a little off it, so that the volume is kept.
//!
//! The lattice is finer than the edges that are asked for, so that thinner walls are met. Lattices meet sharp edges more or
//! less luckily; where some are left blunt, another lattice is tried and the best result taken. A mesh with gaps, where the
//! body is thin, is never returned (`whole`): the surface is met exactly (`stars`), edges are shortened, or the error says how many
//! tetrahedra would do.
//!
//! Every loop is bounded: `SHORTENINGS` of edges, `TRIES` of lattices and `MOST_TRIED` tetrahedra in them, `ROUNDS` of
//! passes over the mesh, each over a list that was made before it.
//!
//! Depths, cuts and repairs are found in parallel. A small mesh is improved by one thread, a large one in blocks (`blocks`).
//! The same input gives the same mesh for every number of threads.

mod blocks;
mod body;
mod deviation;
mod improve;
mod lattice;
mod mesh;
mod moves;
mod repair;
mod sharp;
mod sharpen;
mod stars;
mod stuff;
mod whole;

pub use self::deviation::Deviation;

use self::blocks::Blocks;
use self::body::{Body, Implicit};
use self::improve::Rounds;
use self::lattice::{Clear, Lattice};
use self::mesh::Mesh;
use self::moves::Sizes;
use self::repair::Outline;
use self::sharp::Outlined;
use self::sharpen::{Sharpener, find_patches};
use self::whole::View;
use super::Solid;
use crate::bvh::Bvh;
use crate::error::{Error, Result, bad_argument};
use crate::geom::aabb::Aabb;
use crate::geom::pinned::{cbrt, log10, powf, powi};
use crate::geom::{Point, union_find};
use crate::tasks::Tasks;
use std::collections::HashMap;
use std::sync::Arc;

/// How to fill a surface with tetrahedra.
#[derive(Clone)]
pub struct FillOptions {
    /// Length of the edges at the surface, in metres; 0: what gives about `tets` tetrahedra.
    pub edge: f64,
    /// About how many tetrahedra, if `edge` is 0; 5,000 by default. A body that is too thin for them gets up to four times as many, or
    /// its surface is met as with `exact`; if neither can be, it is refused, and the error says how many would do.
    pub tets: usize,
    /// How many times longer edges deep inside may be than at the surface; 1: as long. 2 by default.
    pub coarsening: f64,
    /// Edges of the surface where it turns by more than this, in degrees, stay sharp; 40 by default.
    pub sharp_angle: f64,
    /// Tetrahedra that meet the surface exactly: its own triangles, or parts of them, are their boundary. What is said above does not
    /// matter then. For surfaces of some thousand triangles at most: each becomes one tetrahedron or a few, of any shape, and
    /// the surface must be closed and must not touch itself.
    pub exact: bool,
    /// Where the work runs.
    pub tasks: Tasks,
    /// Called with the share that is done, from any thread.
    pub progress: Option<Arc<dyn Fn(f32) + Send + Sync>>,
}

type Progress = Arc<dyn Fn(f32) + Send + Sync>;

impl Default for FillOptions {
    fn default() -> Self {
        Self {
            edge: 0.0,
            tets: 5000,
            coarsening: 2.0,
            sharp_angle: 40.0,
            exact: false,
            tasks: Tasks::inline(),
            progress: None,
        }
    }
}

/// A filled surface.
#[derive(Debug)]
pub struct Filled {
    /// The tetrahedra.
    pub solid: Solid,
    /// Length of the edges at the surface that was aimed at.
    pub edge: f64,
    /// How far the boundary of the tetrahedra is off the surface; `None` if the body was given by a function.
    pub deviation: Option<Deviation>,
    /// What had to be repaired or could not be kept, a sentence each; empty if all is well.
    pub remarks: Vec<String>,
}

/// The lattice's cubes, in edges that are asked for.
const CUBE: f64 = 0.8;
/// Meshes of about more tetrahedra are improved in blocks.
const LARGE: f64 = 60_000.0;
/// Rounds of sharpening and improving.
const ROUNDS: usize = 6;
/// Lattices that are tried where sharp edges stay blunt.
const TRIES: usize = 5;
/// A sharp edge is blunt where the mesh is farther from it, in edges.
const BLUNT: f64 = 0.02;
/// A tetrahedron of lower quality is almost flat: dihedral angles of about five degrees.
const FLAT: f64 = 0.1;
/// No further lattice is tried once those before have made this many tetrahedra: some ten seconds of work.
const MOST_TRIED: usize = 100_000;
/// A thin body may get this many times the tetrahedra that are asked for.
const MORE: f64 = 4.0;
/// How often the edges are shortened for it: each time by a quarter at least, which makes 1.7 times as many tetrahedra.
const SHORTENINGS: usize = 3;
/// The share of the volume by whose thickness a body is called thin, and edges in thicknesses: those that suit it, and those
/// that may do.
const THIN: (f64, f64, f64) = (0.25, 0.8, 1.1);
/// The share by which the volume may be off.
const VOLUME_OFF: f64 = 0.02;
/// Edges are shortened to this share of what they were, at least.
const SHORTER: f64 = 0.75;
/// The share of the volume whose thickness tells how many tetrahedra would show all of a body.
const THINNEST: f64 = 0.02;
/// A mesh of a thin body that is farther off its surface than this share of the radius is worth shorter edges.
const OFF: f64 = 0.01;
/// Lattices that are tried once edges have been shortened: on a thin body flaws are the rule.
const THIN_TRIES: usize = 2;
/// A body too thin to be filled otherwise is met exactly if it has no more tetrahedra then.
const MOST_MET: usize = 50_000;
/// What is said then.
const MET_EXACTLY: &str =
    "the body is thin: its surface is met exactly instead of being filled with well-shaped tetrahedra";
/// Numbers of tetrahedra larger than this are no advice.
const MOST_NAMED: f64 = 5e7;
/// More points of the lattice than this are refused.
const MOST_POINTS: f64 = 3e8;

/// Fills a closed triangle surface, counter-clockwise seen from outside, with tetrahedra.
///
/// Seams are welded, parts that are inside out are turned over, holes are closed and walls inside the body ignored; the
/// remarks say so. Where the surface is too open to tell inside from outside, the error says how many holes there are and
/// where.
pub fn fill(points: &[[f64; 3]], triangles: &[[u32; 3]], options: &FillOptions) -> Result<Filled> {
    check(options)?;
    let outline = repair::repair(points, triangles, &options.tasks)?;
    let sound = outline.sound;
    let (volume, area, euler) = outline.measure();
    // Finding inside and outside takes a share of its own, and so does comparing at the end.
    let (repaired, compared) = (0.05, 0.05);
    let tell = |done: f32| options.progress.iter().for_each(|tell| tell(done));
    tell(repaired);
    let middle = |tell: &Progress| -> Progress {
        let tell = tell.clone();
        Arc::new(move |done| tell(repaired + (1.0 - repaired - compared) * done))
    };
    let options = &FillOptions { progress: options.progress.as_ref().map(middle), ..options.clone() };
    let met_exactly = |remark: Option<String>| {
        let solid = stars::fill_exactly(&outline, |done| options.progress.iter().for_each(|tell| tell(done)))?;
        let edge = solid.mean_edge();
        let deviation = Some(deviation::deviation(&outline, &solid, edge, &options.tasks)?);
        Ok(Filled { solid, edge, deviation, remarks: remark.into_iter().chain(outline.remarks.clone()).collect() })
    };
    if options.exact {
        let filled = met_exactly(None)?;
        tell(1.0);
        return Ok(filled);
    }
    // Instead of well-shaped tetrahedra, for thin bodies whose surface has few triangles.
    let met_by = |most: usize| -> Option<Filled> {
        let may_be = options.edge == 0.0 && outline.triangles.len() <= most;
        let filled = may_be.then(|| met_exactly(Some(MET_EXACTLY.into())).ok()).flatten();
        filled.filter(|filled| filled.solid.tets().len() <= most)
    };
    let counts = Counts { area, volume: volume.max(0.0), coarsening: options.coarsening };
    let wanted = sound.then_some(Wanted { volume, euler });
    let asked = counts.edge_for(options);
    let most = MORE * options.tets as f64;
    let mut edge = asked;
    let mut best: Option<Filled> = None;
    for shortened in 0..=SHORTENINGS {
        // Patches of a few triangles of the mesh are too small to have edges of their own.
        let body = Outlined::new(&outline, options.sharp_angle, 4.0 * edge * edge)?;
        if shortened == 0 {
            body.refuse_if_open(&options.tasks)?;
        }
        let filled = fill_body(&body, edge, options, shortened, counts.is_large(edge))?;
        let is_whole = filled.is_some();
        let was_right = best.as_ref().is_some_and(|best| best.is_right(&wanted));
        if let Some(mut filled) = filled {
            let off = deviation::deviation(&outline, &filled.solid, edge, &options.tasks)?;
            filled.deviation = Some(off);
            let rank =
                |filled: &Filled| (!filled.is_right(&wanted), filled.deviation.map_or(f64::INFINITY, |d| d.most()));
            if best.as_ref().is_none_or(|best| rank(&filled) < rank(best)) {
                best = Some(filled);
            }
        }
        if was_right || is_whole && options.edge > 0.0 {
            break;
        }
        // The right body, but walls are where the surface is not: edges that suit them are worth one more try.
        let is_right = best.as_ref().is_some_and(|best| best.is_right(&wanted));
        let thickness = outline.thickness(THIN.0).unwrap_or(edge);
        let suitable = THIN.1 * thickness;
        let is_off = |filled: &Filled| filled.deviation.is_some_and(|off| off.most() > OFF * body.bounds().radius());
        let is_worth = best.as_ref().is_some_and(is_off) && suitable < 0.9 * edge && counts.tets(suitable) <= most;
        if is_right && !is_worth {
            break;
        }
        if (shortened == 0 || is_right)
            && let Some(filled) = met_by(options.tets)
        {
            tell(1.0);
            return Ok(filled);
        }
        let before = edge;
        edge = suitable.min(SHORTER * edge);
        if options.edge > 0.0 {
            break;
        }
        if counts.tets(edge) > most {
            // As many as there may be are worth a try, if they are nearly enough.
            let least = counts.edge_of(most);
            if least > THIN.2 * thickness || least > SHORTER * before {
                break;
            }
            edge = least;
        }
    }
    // Better many tetrahedra of any shape than none, or another body.
    if options.edge == 0.0 && !best.as_ref().is_some_and(|best| best.is_right(&wanted)) {
        if let Some(filled) = met_by(MOST_MET) {
            tell(1.0);
            return Ok(filled);
        }
        if let (Some(best), Some(wanted)) = (&best, &wanted) {
            bad_argument!("{}", not_the_body(best, wanted, &outline, &counts));
        }
    }
    tell(1.0);
    let Some(mut filled) = best else { bad_argument!("{}", too_thin(&outline, asked, edge, counts.tets(edge))) };
    if filled.edge < asked {
        filled.remarks.push(format!(
            "the body is thin: edges are {:.2e} m instead of {asked:.2e} m, which makes {} tetrahedra",
            filled.edge,
            filled.solid.tets().len()
        ));
    }
    filled.remarks.extend(outline.remarks.iter().cloned());
    let differences = wanted.map_or(vec![], |wanted| wanted.differences(&filled));
    filled.remarks.extend(differences);
    Ok(filled)
}

/// What a mesh made of a sound surface has to have.
struct Wanted {
    volume: f64,
    /// Points less edges plus triangles: its parts, less its handles.
    euler: i64,
}

impl Wanted {
    fn volume_off(&self, filled: &Filled) -> f64 {
        filled.solid.volume() / self.volume - 1.0
    }

    /// What a mesh has that is different.
    fn differences(&self, filled: &Filled) -> Vec<String> {
        let mut remarks = vec![];
        let found = euler_of(&filled.solid);
        if found != self.euler {
            remarks.push(format!(
                "holes or parts were lost or joined (Euler characteristic {found}, of the surface {}): walls or gaps are \
                 thinner than edges of {:.4} m can show; ask for shorter ones",
                self.euler, filled.edge
            ));
        }
        let off = self.volume_off(filled);
        if off.abs() > VOLUME_OFF {
            remarks.push(format!("the volume is {:+.1} % off; ask for shorter edges", 100.0 * off));
        }
        remarks
    }
}

impl Filled {
    /// Whether it is the body that was wanted. Where nobody knows genus and volume, its surface must not meet itself: that comes of walls
    /// with holes.
    fn is_right(&self, wanted: &Option<Wanted>) -> bool {
        match wanted {
            Some(wanted) => euler_of(&self.solid) == wanted.euler && wanted.volume_off(self).abs() <= VOLUME_OFF,
            None => pinched(&self.solid) == 0,
        }
    }
}

/// Why no mesh is the body of a sound surface, and what would do.
fn not_the_body(best: &Filled, wanted: &Wanted, outline: &Outline, counts: &Counts) -> String {
    let what = wanted.differences(best).join("; ");
    let enough = outline.thickness(THINNEST).map_or(0.5 * best.edge, |thin| (THIN.1 * thin).min(SHORTER * best.edge));
    format!(
        "the body has parts, walls or gaps that {} tetrahedra do not show: {what}. About {} tetrahedra should do \
         (edges of {enough:.3e} m); a surface of up to {MOST_MET} triangles that does not touch itself can be met exactly; \
         and edges that you give (fill_edge, --edge) are taken as they are, with what they lose",
        best.solid.tets().len(),
        rounded_up(counts.tets(enough)),
    )
}

/// Why a body cannot be filled with edges of a length, and which would do.
fn too_thin(outline: &Outline, asked: f64, enough: f64, tets: f64) -> String {
    let thin = outline.thickness(THIN.0).unwrap_or(0.0);
    let what = format!(
        "the body is too thin for edges of {asked:.3e} m: a quarter of it is thinner than {thin:.3e} m, and there would be gaps"
    );
    if tets > MOST_NAMED {
        return format!("{what}; shorter edges would make more tetrahedra than fit into memory, so make it thicker");
    }
    format!(
        "{what}; ask for shorter edges: about {} tetrahedra would do, with edges of {enough:.3e} m",
        rounded_up(tets)
    )
}

/// To two digits.
fn rounded_up(count: f64) -> f64 {
    let unit = powf(10.0, log10(count).floor() - 1.0).max(1.0);
    (count / unit).ceil() * unit
}

/// Fills the body where a function is negative with tetrahedra. The function should be about the distance to the surface, and
/// the box should hold all of the body.
pub fn fill_implicit(
    distance: &(dyn Fn(&Point) -> f64 + Sync),
    bounds: &Aabb,
    options: &FillOptions,
) -> Result<Filled> {
    check(options)?;
    if bounds.is_empty() {
        bad_argument!("the box around the body is empty");
    }
    let body = Implicit { distance, bounds: *bounds };
    let (volume, area) = body::measure(&body, &options.tasks);
    let counts = Counts { area, volume, coarsening: options.coarsening };
    let edge = counts.edge_for(options);
    match fill_body(&body, edge, options, 0, counts.is_large(edge))? {
        Some(filled) => Ok(filled),
        None => bad_argument!("no tetrahedra of edge length {edge} fit into the body; ask for shorter edges"),
    }
}

fn check(options: &FillOptions) -> Result<()> {
    if !(options.edge >= 0.0 && options.edge.is_finite()) {
        bad_argument!("the edge length is {}; give metres, or 0 to have it chosen", options.edge);
    }
    if options.edge == 0.0 && options.tets == 0 && !options.exact {
        bad_argument!("neither an edge length nor a number of tetrahedra is given");
    }
    if !(1.0..=10.0).contains(&options.coarsening) {
        bad_argument!("coarsening is {}; it must be from 1 (as fine inside) to 10", options.coarsening);
    }
    if !(1.0..=180.0).contains(&options.sharp_angle) {
        bad_argument!("the sharp angle is {} degrees; it must be from 1 to 180", options.sharp_angle);
    }
    Ok(())
}

/// What tells how many tetrahedra a body gets.
struct Counts {
    area: f64,
    volume: f64,
    coarsening: f64,
}

impl Counts {
    /// About how many tetrahedra edges of this length make: some for each edge square of the surface, and some for each edge
    /// cube of the volume. The numbers are measured (`tests/suites/fill.rs` prints the misses).
    fn tets(&self, edge: f64) -> f64 {
        let inside = 7.0 / powf(self.coarsening, 1.7);
        3.4 * self.area / (edge * edge) + inside * self.volume / (edge * edge * edge)
    }

    /// Whether edges of this length make a mesh for blocks.
    fn is_large(&self, edge: f64) -> bool {
        self.tets(edge) > LARGE
    }

    /// The edge length that is asked for, or the one that gives about the right number of tetrahedra.
    fn edge_for(&self, options: &FillOptions) -> f64 {
        if options.edge > 0.0 {
            return options.edge;
        }
        self.edge_of(options.tets as f64)
    }

    /// The edge length that gives about so many tetrahedra.
    fn edge_of(&self, tets: f64) -> f64 {
        let (mut low, mut high) = (0.0, (self.area + powi(cbrt(self.volume), 2)).sqrt());
        for _ in 0..60 {
            let edge = 0.5 * (low + high);
            if self.tets(edge) > tets {
                low = edge;
            } else {
                high = edge;
            }
        }
        high
    }
}

/// Points less edges plus triangles of the boundary.
fn euler_of(solid: &Solid) -> i64 {
    let nodes = (0..solid.nodes().len() as u32).filter(|i| solid.is_on_skin(*i)).count();
    nodes as i64 - solid.skin().len() as i64 / 2
}

/// A mesh of the body; nothing if it is too thin for such edges, which have been `shortened` so often before.
fn fill_body(
    body: &dyn Body,
    edge: f64,
    options: &FillOptions,
    shortened: usize,
    is_large: bool,
) -> Result<Option<Filled>> {
    let size = body.bounds().size();
    if !(edge > 0.0 && edge.is_finite()) {
        bad_argument!("the surface has no extent");
    }
    if size.iter().map(|s| s / (CUBE * edge) + 3.0).product::<f64>() * 2.0 > MOST_POINTS {
        return Err(Error::TooLarge(format!(
            "edges of {edge} m are too short for a body of {:.4} x {:.4} x {:.4} m; ask for longer ones",
            size.x, size.y, size.z
        )));
    }
    let mut best: Option<(Flaws, Solid)> = None;
    let mut made = 0;
    let tries = if shortened > 0 { THIN_TRIES } else { TRIES };
    for attempt in 0..tries {
        let solid = match try_lattice(body, edge, options, [attempt, shortened], is_large)? {
            Tried::Whole(solid) => *solid,
            Tried::Nothing => continue,
            // Another lattice may be luckier; but shorter edges are surer, where they may be shortened.
            Tried::Gaps if options.edge > 0.0 || best.is_some() => continue,
            Tried::Gaps => return Ok(None),
        };
        made += solid.tets().len();
        let flaws = Flaws::of(body, &solid, edge)?;
        let mend = flaws.worth_another_try();
        if best.as_ref().is_none_or(|(least, _)| flaws.count() < least.count()) {
            best = Some((flaws, solid));
        }
        if !mend || made + made / (attempt + 1) > MOST_TRIED {
            break;
        }
    }
    options.progress.iter().for_each(|tell| tell(1.0));
    Ok(best.map(|(flaws, solid)| Filled { solid, edge, deviation: None, remarks: flaws.remarks() }))
}

/// What came of one lattice.
enum Tried {
    Whole(Box<Solid>),
    /// Parts of the body are missing.
    Gaps,
    /// No point of the lattice is inside, or what is inside is no solid.
    Nothing,
}

/// One mesh, over one lattice.
fn try_lattice(
    body: &dyn Body,
    edge: f64,
    options: &FillOptions,
    [attempt, shortened]: [usize; 2],
    is_large: bool,
) -> Result<Tried> {
    let tasks = &options.tasks;
    // One attempt is most likely enough, but nobody knows: each takes two thirds of what is left. Of a large mesh there is no
    // other one.
    let share = if is_large { 0.95f32 } else { 2.0 / 3.0 };
    let left = powi(1.0 - share, (attempt + shortened) as i32);
    let progress = |done: f32| options.progress.iter().for_each(|tell| tell(1.0 - left + left * share * done));
    // When the lattice, its cuts and blocks are done.
    let [latticed, stuffed_at, in_blocks] = if is_large { [0.12, 0.16, 0.86] } else { [0.2, 0.4, 0.4] };
    let clear = if is_large && body.is_exact() { Clear::Narrow } else { Clear::Wide };
    let lattice = Lattice::over(body, CUBE * edge, options.coarsening, attempt, clear, tasks);
    progress(latticed);
    let stuffed = stuff::stuff(body, lattice, tasks);
    progress(stuffed_at);
    let (mut mesh, lengths, coming) = if is_large {
        let Some(mut blocks) = Blocks::new(body, stuffed, edge, options.coarsening, tasks) else {
            return Ok(Tried::Gaps);
        };
        blocks.improve(edge, tasks, &|share| progress(stuffed_at + (in_blocks - stuffed_at) * share));
        blocks.into_mesh()
    } else {
        let mut mesh = Mesh::new(body, stuffed.points, stuffed.tets.concat(), &stuffed.on_surface);
        find_patches(body, &mesh.points, &mut mesh.seats, tasks);
        whole::drop_crumbs(&mut mesh);
        if !View::of(&mesh).is_nearly_whole() {
            return Ok(Tried::Gaps);
        }
        let lengths = improve::lengths(body, &mesh.points, &mesh.seats, edge, options.coarsening, tasks);
        (mesh, lengths, vec![])
    };
    let sizes = Sizes { edge, lengths };
    let mut sharpener = Sharpener::over(&mesh, edge, coming);
    let mut rounds = if is_large { Rounds::after_blocks(&mut mesh) } else { Rounds::default() };
    let mut at = in_blocks;
    for round in 0..ROUNDS {
        // Each round has about half of the work that is left.
        let half = 0.5 * (1.0 - at);
        let changes = rounds.round(&mut mesh, &mut sharpener, &sizes, |share| progress(at + half * share));
        at += half;
        let least = if is_large { 0 } else { 2 };
        if round >= least && sharpener.is_done() && 100 * changes < mesh.living().count() {
            break;
        }
    }
    improve::even_out(&mut mesh, tasks);
    mesh.part(&mesh.skin());
    whole::drop_crumbs(&mut mesh);
    if !View::of(&mesh).is_whole() {
        return Ok(Tried::Gaps);
    }
    let nodes: Vec<[f64; 3]> = mesh.points.iter().map(|p| [p.x, p.y, p.z]).collect();
    let tets: Vec<[u32; 4]> = mesh.living().map(|t| mesh.tets[t as usize]).collect();
    // Large: gone before the solid is made.
    drop((mesh, sizes, sharpener));
    if tets.is_empty() {
        return Ok(Tried::Nothing);
    }
    // Nobody has numbered these nodes, and those that are gone do not count.
    match Solid::own(nodes, tets) {
        Ok(solid) => Ok(Tried::Whole(Box::new(solid))),
        // On a body that is thinner than the mesh another lattice may do better.
        Err(_) => Ok(Tried::Nothing),
    }
}

/// What is wrong with a mesh.
struct Flaws {
    /// Points along the sharp edges of the body.
    looked_at: usize,
    /// Those that the mesh does not reach, and edges of the mesh that reach beyond a corner.
    blunt: usize,
    /// Tetrahedra that are almost flat.
    flat: usize,
    /// Nodes where the boundary meets itself.
    pinched: usize,
}

impl Flaws {
    fn of(body: &dyn Body, solid: &Solid, edge: f64) -> Result<Self> {
        let flat = (0..solid.tets().len() as u32).filter(|t| mesh::quality(&solid.corners(*t)).abs() < FLAT).count();
        let pinched = pinched(solid);
        let along = body.along_curves(0.25 * edge);
        if along.is_empty() {
            return Ok(Self { looked_at: 0, blunt: 0, flat, pinched });
        }
        let at = |i: u32| solid.nodes()[i as usize];
        let skin = Bvh::new(&solid.skin().iter().map(|t| t.nodes.map(at)).collect::<Vec<_>>())?;
        let missed = along.iter().filter(|p| skin.closest_point(p, BLUNT * edge).is_none()).count();
        // Beyond: a triangle between sharp edges, or a side of one, over a corner that the surface goes into.
        let is_sharp: Vec<bool> =
            (0..solid.nodes().len() as u32).map(|i| solid.is_on_skin(i) && body.is_sharp(&at(i))).collect();
        let beyond = |p: Point| body.depth(&p) < -BLUNT * edge;
        let reaches = solid.skin().iter().filter(|t| {
            let [a, b, c] = t.nodes;
            let whole = [a, b, c].iter().all(|i| is_sharp[*i as usize]);
            let middle = Point::from((at(a).coords + at(b).coords + at(c).coords) / 3.0);
            let side = |&[a, b]: &[u32; 2]| is_sharp[a as usize] && is_sharp[b as usize];
            (whole && beyond(middle))
                || [[a, b], [b, c], [c, a]]
                    .iter()
                    .filter(|s| side(s))
                    .any(|s| beyond(nalgebra::center(&at(s[0]), &at(s[1]))))
        });
        Ok(Self { looked_at: along.len(), blunt: missed + reaches.count(), flat, pinched })
    }

    fn count(&self) -> usize {
        self.blunt + self.flat + self.pinched
    }

    /// A few flaws are bad luck; many mean that the body's sharp edges are finer than the mesh.
    fn worth_another_try(&self) -> bool {
        self.flat + self.pinched > 0 || (self.blunt > 0 && 20 * self.blunt < self.looked_at)
    }

    fn remarks(&self) -> Vec<String> {
        let blunt =
            || format!("sharp edges are blunt at {} of {} places; ask for shorter edges", self.blunt, self.looked_at);
        let flat = || format!("{} tetrahedra are almost flat", self.flat);
        let pinched = || format!("the surface meets itself at {} points; ask for shorter edges", self.pinched);
        let told = [(self.blunt > 0).then(blunt), (self.flat > 0).then(flat), (self.pinched > 0).then(pinched)];
        told.into_iter().flatten().collect()
    }
}

/// Nodes whose triangles on the boundary are more than one fan.
fn pinched(solid: &Solid) -> usize {
    // The corner of each triangle by its node and the next one: a fan goes on where a corner's third node is another's next.
    let corners: Vec<[u32; 3]> = solid
        .skin()
        .iter()
        .flat_map(|t| [0, 1, 2].map(|k| [t.nodes[k], t.nodes[(k + 1) % 3], t.nodes[(k + 2) % 3]]))
        .collect();
    let by_side: HashMap<[u32; 2], u32> = corners.iter().zip(0..).map(|(c, k)| ([c[0], c[1]], k)).collect();
    let mut fans: Vec<u32> = (0..corners.len() as u32).collect();
    for (corner, k) in corners.iter().zip(0..) {
        if let Some(next) = by_side.get(&[corner[0], corner[2]]) {
            union_find::join(&mut fans, k, *next);
        }
    }
    let count = (0..fans.len() as u32).filter(|k| union_find::find(&mut fans, *k) == *k).count();
    count.saturating_sub((0..solid.nodes().len() as u32).filter(|i| solid.is_on_skin(*i)).count())
}
