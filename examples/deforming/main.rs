//! Deforming and fracturing meshes for the demo's report: a generated sequence after FASTCD (Heo et al. 2010), with discrete and continuous
//! queries, each without cones, with fast cones and with conservative ones. Needs no engine.
//!
//! `cargo run --release --example deforming -- walls|dragon [--scale S] [--film-scale S] [--threads N] [--out DIR] [--quiet]`
//!
//! Scale 1 is as many triangles as in the paper. Six scenes run frame by frame beside each other, so that what else the machine does
//! disturbs all of them alike. The film of the report is the same sequence with fewer triangles (`film.rs`).

mod film;
mod play;
mod progress;
mod report;
#[allow(dead_code)] // the tests and benches use the rest
#[path = "../../tests/common/sequences.rs"]
mod sequences;

use fracas::Tasks;
use fracas::deform::ccd::CcdOptions;
use fracas::deform::{ConeCulling, Features, Impact, Interval, Overlap, SceneOptions};
use play::Player;
use progress::Progress;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

/// A sequence and how the report shows it.
struct Scenario {
    name: &'static str,
    title: &'static str,
    film_scale: f64,
    /// A frame of the film for so many of the sequence.
    film_every: usize,
    /// Which coordinates of the sequence are x, y and z of the report, where z is up.
    axes: [usize; 3],
    /// The height of the ground, if there is one.
    ground: Option<f32>,
    /// Whether bodies that break, and what stays whole of them, are drawn transparent.
    transparent: bool,
}

const SCENARIOS: [Scenario; 2] = [
    Scenario {
        name: "walls",
        title: "A ball flies through eight walls",
        film_scale: 0.3,
        film_every: 1,
        axes: [2, 0, 1],
        ground: Some(-1.0),
        transparent: true,
    },
    Scenario {
        name: "dragon",
        title: "A thin shell breaks in four blows",
        film_scale: 0.1,
        film_every: 2,
        axes: [0, 1, 2],
        ground: None,
        transparent: false,
    },
];

/// The report shows so many frames of a sequence in a second.
const PACE: f64 = 30.0;

#[derive(Clone, Copy, PartialEq)]
enum Query {
    Discrete,
    Continuous,
}

const QUERIES: [(Query, &str); 2] = [(Query::Discrete, "discrete"), (Query::Continuous, "continuous")];
const CONES: [(ConeCulling, &str); 3] =
    [(ConeCulling::Off, "off"), (ConeCulling::Fast, "fast"), (ConeCulling::Conservative, "conservative")];

/// A frame of a scene.
struct Measured {
    /// Changes of topology, and positions.
    mesh_ms: f64,
    /// Of the BVH.
    update_ms: f64,
    query_ms: f64,
    found: usize,
    /// Collisions that the scene without cones finds and this one does not.
    missed: usize,
    culled_nodes: u64,
    /// The first time of impact, of continuous queries.
    first: Option<f64>,
}

impl Measured {
    fn total_ms(&self) -> f64 {
        self.mesh_ms + self.update_ms + self.query_ms
    }
}

/// A scene with the frames that it has done.
struct Lane {
    query: &'static str,
    cones: &'static str,
    player: Player,
    frames: Vec<Measured>,
}

/// What all scenes have in common.
#[derive(Default)]
struct Sizes {
    triangles: Vec<usize>,
    bodies: Vec<usize>,
    /// Frames in which the topology changes, and how many parts come up; not the first frame.
    events: Vec<(usize, usize)>,
}

/// A collision, the same however it was found: body and triangle, vertex or edge of both sides.
type Key = (bool, [(u64, [u32; 2]); 2]);

fn overlap_key(overlap: &Overlap) -> Key {
    let mut sides = [0, 1].map(|k| (overlap.bodies[k].to_bits(), [overlap.triangles[k], 0]));
    sides.sort_unstable();
    (false, sides)
}

fn impact_key(impact: &Impact) -> Key {
    let [p, q] = impact.bodies.map(|body| body.to_bits());
    match impact.features {
        Features::VertexFace { vertex, triangle } => (false, [(p, [vertex, 0]), (q, [triangle, 0])]),
        Features::EdgeEdge { mut a, mut b } => {
            a.sort_unstable();
            b.sort_unstable();
            let mut sides = [(p, a), (q, b)];
            sides.sort_unstable();
            (true, sides)
        }
    }
}

struct Options {
    scenario: &'static Scenario,
    scale: f64,
    film_scale: f64,
    threads: usize,
    out: PathBuf,
    quiet: bool,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let names = SCENARIOS.map(|scenario| scenario.name).join(", ");
    let mut args = std::env::args().skip(1);
    let name = args.next().ok_or_else(|| format!("which scenario? There are: {names}"))?;
    let scenario = SCENARIOS.iter().find(|scenario| scenario.name == name);
    let scenario = scenario.ok_or_else(|| format!("there is no scenario \"{name}\"; there are: {names}"))?;
    let (scale, film_scale) = (1.0, scenario.film_scale);
    let out = PathBuf::from("out/demo/runs");
    let mut options = Options { scenario, scale, film_scale, threads: 1, out, quiet: false };
    while let Some(option) = args.next() {
        if option == "--quiet" {
            options.quiet = true;
            continue;
        }
        let value = args.next().ok_or_else(|| format!("{option} is not an option, or needs a value"))?;
        let scale = || match value.parse() {
            Ok(scale) if (0.001..=4.0).contains(&scale) => Ok(scale),
            _ => Err(format!("{option} needs a number from 0.001 to 4, not \"{value}\"")),
        };
        match option.as_str() {
            "--scale" => options.scale = scale()?,
            "--film-scale" => options.film_scale = scale()?,
            "--threads" => match value.parse() {
                Ok(threads) if threads >= 1 => options.threads = threads,
                _ => Err(format!("--threads needs a number of at least 1, not \"{value}\""))?,
            },
            "--out" => options.out = value.into(),
            other => {
                Err(format!("{other} is not an option; there are --scale, --film-scale, --threads, --out and --quiet"))?
            }
        }
    }
    options.film_scale = options.film_scale.min(options.scale);
    Ok(options)
}

/// Runs the sequence in all scenes.
fn run(options: &Options, tasks: &Tasks, progress: &mut Progress) -> Result<(Vec<Lane>, Sizes), Box<dyn Error>> {
    let mut sequence = sequences::named(options.scenario.name, options.scale);
    let all = sequence.frames();
    let mut lanes = vec![];
    for (_, query) in QUERIES {
        for (culling, cones) in CONES {
            let player = Player::new(SceneOptions { culling, ..Default::default() });
            lanes.push(Lane { query, cones, player, frames: vec![] });
        }
    }
    let mut sizes = Sizes::default();
    for number in 0..all {
        let Some(frame) = sequence.next() else { break };
        if number > 0 && !frame.changes.is_empty() {
            sizes.events.push((number, play::parts(&frame.changes)));
        }
        for (group, (query, _)) in lanes.chunks_mut(CONES.len()).zip(QUERIES) {
            let mut without_cones = vec![];
            for lane in group {
                let (measured, mut found) = step(&mut lane.player, frame.clone(), query, tasks)?;
                found.sort_unstable();
                if lane.cones == "off" {
                    without_cones = found.clone();
                }
                // All scenes make the same calls, so their bodies have the same ids.
                let missed = without_cones.iter().filter(|key| found.binary_search(key).is_err()).count();
                lane.frames.push(Measured { missed, ..measured });
            }
        }
        let scene = &lanes[0].player.scene;
        sizes.triangles.push(scene.triangle_count());
        sizes.bodies.push(scene.bodies().count());
        if number % 5 == 0 || number + 1 == all {
            let [bodies, overlaps] = [sizes.bodies[number], lanes[0].frames[number].found];
            let name = options.scenario.name;
            let frame = number + 1;
            progress.tell(format!("{name:11} frame {frame:3} of {all}, {bodies:4} bodies, {overlaps:6} overlaps"))?;
        }
    }
    Ok((lanes, sizes))
}

/// One frame of a scene, with what was found.
fn step(
    player: &mut Player,
    frame: sequences::Frame,
    query: Query,
    tasks: &Tasks,
) -> Result<(Measured, Vec<Key>), Box<dyn Error>> {
    let ms = |start: Instant| start.elapsed().as_secs_f64() * 1e3;
    let start = Instant::now();
    player.apply(frame)?;
    let mesh_ms = ms(start);
    let start = Instant::now();
    player.scene.update(if query == Query::Discrete { Interval::End } else { Interval::Step }, tasks);
    let update_ms = ms(start);
    let (mut overlaps, mut impacts) = (vec![], vec![]);
    let start = Instant::now();
    let stats = match query {
        Query::Discrete => player.scene.query_discrete(tasks, &mut overlaps)?,
        Query::Continuous => player.scene.query_continuous(&CcdOptions::default(), tasks, &mut impacts)?,
    };
    let query_ms = ms(start);
    let found: Vec<Key> = overlaps.iter().map(overlap_key).chain(impacts.iter().map(impact_key)).collect();
    let measured = Measured {
        mesh_ms,
        update_ms,
        query_ms,
        found: found.len(),
        missed: 0,
        culled_nodes: stats.culled_nodes,
        first: impacts.iter().map(|impact| impact.time).min_by(f64::total_cmp),
    };
    Ok((measured, found))
}

fn tell() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let start = Instant::now();
    let tasks = if options.threads == 1 { Tasks::inline() } else { Tasks::pool(options.threads)? };
    let mut progress = Progress::new(options.quiet);
    let (lanes, sizes) = run(&options, &tasks, &mut progress)?;
    progress.tell(format!("{:11} the film", options.scenario.name))?;
    let film = film::make(options.scenario, options.film_scale, &tasks)?;
    std::fs::create_dir_all(&options.out).map_err(|e| format!("{} could not be made: {e}", options.out.display()))?;
    let write = |ending: &str, bytes: &[u8]| {
        let path = options.out.join(format!("{}.{ending}", options.scenario.name));
        std::fs::write(&path, bytes).map_err(|e| format!("{} could not be written: {e}", path.display()))
    };
    write("replay", &film.bytes)?;
    write("json", report::json(&options, &lanes, &sizes, &film).to_string().as_bytes())?;
    progress.end();
    report::print(&options, &lanes, &sizes, start.elapsed());
    Ok(())
}

fn main() {
    if let Err(error) = tell() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
