//! `fracas contacts`: where two bodies touch.

use crate::appearance::Looks;
use crate::failure::{Failure, Result};
use crate::glb::{self, Node, Part, Scene};
use crate::material::{Palette, plain};
use crate::report::{Report, counted, short};
use crate::saved::{self, Saved};
use crate::{files, option};
use clap::{Args, ValueEnum};
use fracas::contact::{Contact, Feature, Mode, QueryOptions, query_pair};
use fracas::geom::Pose;
use fracas::{Object, Point, Vector};
use nalgebra::UnitQuaternion;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Finds the contacts between two bodies: points, normals from B towards A, and depths.
#[derive(Args)]
#[command(allow_negative_numbers = true)]
#[command(after_help = "\
Poses are body to world, in metres, from the frame of the asset. --move and --rotate come on top of --pose: first turned
about the body's own origin, then moved. A file with several objects is asked for all of them, unless --object-a or
--object-b choose one; a file given twice is asked for all pairs in it.

Examples:
  fracas contacts a.fracas b.fracas --pose-b \"0 0.05 0  0 0 0 1\"
  fracas contacts a.fracas b.fracas --move-b \"0.1 0 0\" --rotate-b \"0 0 1 30\" -o touch.glb
  fracas contacts pieces.fracas pieces.fracas --asset vase.fracas --json")]
pub struct Options {
    /// The first body: an asset, or saved objects.
    a: PathBuf,
    /// The second body.
    b: PathBuf,
    /// An asset that saved objects are of; may be given twice.
    #[arg(long, value_name = "FILE.fracas")]
    asset: Vec<PathBuf>,
    /// Only this object of A, counted from 0.
    #[arg(long, value_name = "NUMBER")]
    object_a: Option<usize>,
    /// Only this object of B.
    #[arg(long, value_name = "NUMBER")]
    object_b: Option<usize>,

    /// Where A is: "x y z qx qy qz qw", or "x y z".
    #[arg(long, value_parser = option::pose, value_name = "POSE", allow_hyphen_values = true, help_heading = "Poses")]
    pose_a: Option<Pose>,
    /// Where B is.
    #[arg(long, value_parser = option::pose, value_name = "POSE", allow_hyphen_values = true, help_heading = "Poses")]
    pose_b: Option<Pose>,
    /// Moves A: "x y z".
    #[arg(long, value_parser = option::vector, value_name = "VECTOR", allow_hyphen_values = true, help_heading = "Poses")]
    move_a: Option<Vector>,
    /// Moves B.
    #[arg(long, value_parser = option::vector, value_name = "VECTOR", allow_hyphen_values = true, help_heading = "Poses")]
    move_b: Option<Vector>,
    /// Turns A about an axis: "x y z degrees".
    #[arg(long, value_parser = option::rotation, value_name = "TURN", allow_hyphen_values = true, help_heading = "Poses")]
    rotate_a: Option<UnitQuaternion<f64>>,
    /// Turns B.
    #[arg(long, value_parser = option::rotation, value_name = "TURN", allow_hyphen_values = true, help_heading = "Poses")]
    rotate_b: Option<UnitQuaternion<f64>>,

    /// How far apart bodies may be and still touch, in metres [default: 0.1 % of the smaller radius].
    #[arg(long, value_parser = option::not_negative)]
    margin: Option<f64>,
    /// How much deeper a further contact must be, in metres [default: 0.2 % of the smaller radius].
    #[arg(long, value_parser = option::not_negative)]
    tolerance: Option<f64>,
    /// Which of the points that touch.
    #[arg(long, default_value = "deeper")]
    mode: Choice,
    /// Contacts a pair that are enough, in modes other than full.
    #[arg(long, default_value_t = 8)]
    target: u32,
    /// No more contacts a pair than this.
    #[arg(long)]
    max: Option<u32>,
    /// Writes a picture: the bodies, and an arrow at each contact, red where they overlap, blue where there is a gap.
    #[arg(short, long, value_name = "OUT.glb")]
    output: Option<PathBuf>,
}

/// Modes by their names here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Choice {
    /// All points that touch.
    Full,
    /// The target, then every point deeper than the tolerance.
    Deep,
    /// The target and no more.
    Exactly,
    /// The target, well spread, then only what is deeper than the deepest so far.
    Deeper,
}

/// A contact in the world, and the objects that it is between.
struct Found {
    objects: [usize; 2],
    point: Point,
    contact: Contact,
}

/// Does the work.
pub fn run(options: &Options) -> Result<Report> {
    let inputs: Vec<&Path> = [&options.a, &options.b].into_iter().chain(&options.asset).map(|p| p.as_path()).collect();
    if let Some(output) = &options.output {
        files::may_write(output, &inputs)?;
    }
    // Objects of one file are parts of one body; loaded twice they would be strangers.
    let same = options.a == options.b;
    let assets: Vec<PathBuf> =
        options.asset.iter().chain([&options.a, &options.b]).filter(|p| is_asset(p)).cloned().collect();
    let first = saved::load(&options.a, &assets)?;
    let second = if same { None } else { Some(saved::load(&options.b, &assets)?) };
    let second = second.as_ref().unwrap_or(&first);
    let chosen = |saved: &Saved, choice: Option<usize>, name: &str| match choice {
        Some(k) if k >= saved.objects.len() => {
            Err(Failure::usage(format!("{name} is {k}, but the file has {}", counted(saved.objects.len(), "object"))))
        }
        Some(k) => Ok(vec![k]),
        None => Ok((0..saved.objects.len()).collect::<Vec<_>>()),
    };
    let of_a = chosen(&first, options.object_a, "--object-a")?;
    let of_b = chosen(second, options.object_b, "--object-b")?;
    let poses = [
        placed(options.pose_a, options.move_a, options.rotate_a),
        placed(options.pose_b, options.move_b, options.rotate_b),
    ];

    // A file against itself, where it is: every pair once. Elsewhere: it is another instance.
    let once = same && poses[0] == poses[1];
    let mut found = vec![];
    let (mut pairs, mut left_out) = (0, 0);
    for &i in &of_a {
        for &j in &of_b {
            if once && (i == j || j < i && of_a.contains(&j) && of_b.contains(&i)) {
                continue;
            }
            pairs += 1;
            left_out += options.ask([(i, &first.objects[i]), (j, &second.objects[j])], &poses, &mut found)?;
        }
    }
    if pairs == 0 {
        return Err(Failure::usage("A and B are the same object at the same place; name another, or move one"));
    }

    let mut report = Report::new();
    describe(&found, pairs, left_out, &mut report);
    if let Some(path) = &options.output {
        let bodies = [(&first, &of_a, &poses[0], "A"), (second, &of_b, &poses[1], "B")];
        let bodies = if once { &bodies[..1] } else { &bodies[..] };
        let bytes = glb::write(&picture(bodies, &found, path)).map_err(|e| Failure::data(path, e))?;
        files::write(path, &bytes)?;
        report.line("output", "written", path.display(), path.to_string_lossy());
    }
    Ok(report)
}

/// A file that holds an asset may be what objects of the other file are of. What cannot be read is complained about later.
fn is_asset(path: &Path) -> bool {
    let content = files::read(path).ok().map(|bytes| fracas::store::content(&bytes));
    !matches!(content, Some(Ok(fracas::store::Content::Objects { .. })))
}

fn placed(pose: Option<Pose>, shift: Option<Vector>, turn: Option<UnitQuaternion<f64>>) -> Pose {
    let mut pose = pose.unwrap_or_else(Pose::identity);
    pose.rotation *= turn.unwrap_or_else(UnitQuaternion::identity);
    pose.translation.vector += shift.unwrap_or_default();
    pose
}

impl Options {
    /// Adds the contacts of a pair; how many were left out.
    fn ask(&self, pair: [(usize, &Object); 2], poses: &[Pose; 2], found: &mut Vec<Found>) -> Result<u32> {
        let query = QueryOptions {
            mode: match self.mode {
                Choice::Full => Mode::Full,
                Choice::Deep => Mode::TargetThenDeep,
                Choice::Exactly => Mode::Exactly,
                Choice::Deeper => Mode::TargetThenDeeper,
            },
            target: self.target,
            margin: self.margin,
            tolerance: self.tolerance,
            max_contacts: self.max.unwrap_or(u32::MAX),
            ..QueryOptions::default()
        };
        let mut contacts = vec![];
        let stats = query_pair(pair[0].1, &poses[0], pair[1].1, &poses[1], &query, &mut contacts)
            .map_err(|e| Failure::of_library(&self.a, e))?;
        found.extend(contacts.into_iter().map(|contact| Found {
            objects: pair.map(|(number, _)| number),
            point: Point::from(poses[0].translation.vector + Vector::from(contact.point.map(f64::from))),
            contact,
        }));
        Ok(stats.left_out)
    }
}

fn describe(found: &[Found], pairs: usize, left_out: u32, report: &mut Report) {
    let deepest = found.iter().map(|f| f.contact.depth as f64).fold(f64::NEG_INFINITY, f64::max);
    let shown = match found.len() {
        0 => "none: the bodies do not touch".into(),
        n => format!("{n} in {}, the deepest {} m", counted(pairs, "pair"), short(deepest)),
    };
    report.line("count", "contacts", shown, found.len());
    report.put("pairs", pairs);
    report.put("deepest", if found.is_empty() { Value::Null } else { json!(deepest) });
    report.put("left_out", left_out);
    if !found.is_empty() {
        report.say(
            "    a     b        depth/m   point/m                              normal, from B towards A     sample of",
        );
    }
    for Found { objects: [a, b], point, contact } in found {
        report.say(format!(
            "{a:5} {b:5} {:>14}   {:<36} {:<28} {}",
            short(contact.depth as f64),
            [point.x, point.y, point.z].map(short).join(" "),
            contact.normal.map(|c| format!("{c:.4}")).join(" "),
            if Feature::decoded(contact.feature).of_b { "B" } else { "A" }
        ));
    }
    if left_out > 0 {
        report.say(format!("remark: {left_out} more were found, and left out by --max"));
    }
    let contacts: Vec<Value> = found
        .iter()
        .map(|Found { objects: [a, b], point, contact }| {
            json!({
                "a": a,
                "b": b,
                "point": [point.x, point.y, point.z],
                "normal": contact.normal,
                "depth": contact.depth,
                "feature": contact.feature,
            })
        })
        .collect();
    report.put("contacts", contacts);
}

/// Arrows are at least this share of the smallest radius long, so that one sees which way they point.
const SHORTEST_ARROW: f64 = 0.1;

fn picture(bodies: &[(&Saved, &Vec<usize>, &Pose, &str)], found: &[Found], path: &Path) -> Scene {
    let (overlap, gap) = (0, 1);
    let mut scene = Scene { palette: Palette::default(), nodes: vec![] };
    scene.palette.push(plain("overlap", [0.9, 0.05, 0.03], 0.5));
    scene.palette.push(plain("gap", [0.05, 0.2, 0.9], 0.5));
    let mut radius = f64::INFINITY;
    for (saved, chosen, pose, name) in bodies {
        let looks = Looks::new(&saved.asset, 40.0);
        let first = scene.palette.append(looks.palette().clone());
        for &number in *chosen {
            let object = &saved.objects[number];
            radius = radius.min(object.bounds().radius() * object.scale());
            let centre = object.mass().centre;
            let mut parts = looks.of(object, &centre).parts;
            parts.iter_mut().for_each(|part| part.material += first);
            scene.nodes.push(Node {
                name: format!("{name}_{number:03}"),
                translation: (*pose * (centre * object.scale())).coords.into(),
                rotation: pose.rotation.coords.into(),
                scale: object.scale(),
                parts,
                extras: crate::info::object_json(object),
            });
        }
    }
    // Far from the origin the arrows, too, keep their precision.
    let origin = bodies.first().map_or(Vector::zeros(), |(_, _, pose, _)| pose.translation.vector);
    let mut arrows = [overlap, gap].map(|material| Part { material, ..Part::default() });
    for Found { point, contact, .. } in found {
        let length = (contact.depth.abs() as f64).max(SHORTEST_ARROW * radius);
        let normal = Vector::from(contact.normal.map(f64::from));
        add_arrow(&mut arrows[(contact.depth < 0.0) as usize], point - Point::from(origin), normal, length);
    }
    if !found.is_empty() {
        scene.nodes.push(Node {
            name: "contacts".into(),
            translation: origin.into(),
            parts: arrows.into_iter().filter(|part| !part.triangles.is_empty()).collect(),
            ..Node::default()
        });
    }
    scene.keep_used_materials();
    scene.palette.link(path);
    scene
}

/// Corners around a shaft.
const SIDES: usize = 12;

/// A closed arrow from `tail` along `direction`.
fn add_arrow(part: &mut Part, tail: Vector, direction: Vector, length: f64) {
    let along = direction.try_normalize(0.0).unwrap_or(Vector::z());
    let aside = if along.x.abs() < 0.6 { Vector::x() } else { Vector::y() };
    let u = along.cross(&aside).normalize();
    let v = along.cross(&u);
    // Rings as (how far along, how wide), with the slope of the surface behind each: (along, outwards).
    let bands = [
        ([(0.0, 0.0), (0.0, 0.03)], (-1.0, 0.0)),
        ([(0.0, 0.03), (0.7, 0.03)], (0.0, 1.0)),
        ([(0.7, 0.03), (0.7, 0.09)], (-1.0, 0.0)),
        ([(0.7, 0.09), (1.0, 0.0)], (0.09, 0.3)),
    ];
    for ([from, to], (back, out)) in bands {
        let first = part.positions.len() as u32;
        for k in 0..=SIDES {
            let angle = k as f64 / SIDES as f64 * std::f64::consts::TAU;
            // The last column stands where the first does, bit for bit.
            let angle = if k == SIDES { 0.0 } else { angle };
            let outwards = u * angle.cos() + v * angle.sin();
            let normal = (along * back + outwards * out).normalize();
            for (share, (height, width)) in [(0.0, from), (1.0, to)] {
                let at = tail + (along * height + outwards * width) * length;
                part.positions.push([at.x as f32 + 0.0, at.y as f32 + 0.0, at.z as f32 + 0.0]);
                part.normals.push([normal.x as f32, normal.y as f32, normal.z as f32]);
                part.uvs.push([k as f32 / SIDES as f32, share]);
            }
        }
        for k in 0..SIDES as u32 {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| first + 2 * k + i);
            // At the tip and in the middle of the foot one of the two would have no area.
            if from.1 > 0.0 {
                part.triangles.push([a, c, b]);
            }
            if to.1 > 0.0 {
                part.triangles.push([b, c, d]);
            }
        }
    }
}
