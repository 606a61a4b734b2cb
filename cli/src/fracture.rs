//! `fracas fracture`: breaks what is in a file, and writes the pieces.

use crate::appearance::{Flaws, Looks};
use crate::failure::{Failure, Result};
use crate::glb::{self, Node, Scene};
use crate::info::{describe_objects, object_json};
use crate::report::{self, Report};
use crate::{cook, files, option, saved};
use clap::{ArgGroup, Args};
use fracas::fracture::pattern::{EdgeCut, Impact, LabelCuts, NodeGap, NodeLabels, Roughness};
use fracas::geom::plane::Plane;
use fracas::geom::random::mix;
use fracas::{Asset, FractureOptions, Object, Outcome, Pattern, Point, Vector, fracture, save_objects};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Breaks an asset, or saved objects, and writes the pieces as glTF, or for Fracas.
#[derive(Args)]
#[command(allow_negative_numbers = true)]
#[command(group = ArgGroup::new("pattern").args(["plane", "seeds", "impact", "labels"]))]
#[command(after_help = "\
Without a pattern, the pieces are Voronoi cells of --pieces random points.

The GLB has a node for each piece, in the order of the saved objects: piece_000, piece_001 ... Its origin is the piece's
centre of mass, and its translation puts that where it is in the asset. If the asset has a drawing mesh, a piece is its
part of that, with the artist's texture coordinates, normals, materials and textures, closed by its cracks. A texture that
was not there when the asset was cooked is linked if its file is beside the GLB. Without a drawing mesh it is the skin of the
tetrahedra. Cracks have a material of their own, and texture coordinates in metres. Mass, volume and centre of mass are
in the extras of the nodes.

Examples:
  fracas fracture vase.fracas -o pieces.glb --pieces 20 --seed 7 --explode 0.3
  fracas fracture vase.fracas -o pieces.glb --impact \"0.05 0.1 0\" --direction \"-1 0 0\" --radius 0.08 --rough 0.02
  fracas fracture vase.fracas -o halves.glb --plane \"0 0.1 0  0 1 0\" --save halves.fracas
  fracas fracture halves.fracas --asset vase.fracas --generations 2 --save rubble.fracas")]
pub struct Options {
    /// An asset, or saved objects.
    input: PathBuf,
    /// The asset that saved objects are of.
    #[arg(long, value_name = "FILE.fracas")]
    asset: Option<PathBuf>,
    /// Break only this object of the file, counted from 0; the others stay.
    #[arg(long)]
    object: Option<usize>,
    /// The picture to write.
    #[arg(short, long, value_name = "OUT.glb")]
    output: Option<PathBuf>,
    /// Save the objects, for Fracas.
    #[arg(long, value_name = "OUT.fracas")]
    save: Option<PathBuf>,

    /// How many cells, of random points or of an impact. Bodies of an asset that are not connected share random cells by
    /// volume; of saved objects each gets so many, and so does each piece of a later generation.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Pattern")]
    pieces: u32,
    /// Another number, another pattern.
    #[arg(long, default_value_t = 1, help_heading = "Pattern")]
    seed: u64,
    /// Cut along a plane, by a point and a normal: "px py pz nx ny nz". May be given several times.
    #[arg(long, value_parser = option::plane, allow_hyphen_values = true, help_heading = "Pattern")]
    plane: Vec<Plane>,
    /// Cut into the Voronoi cells of the points in this file: a line "x y z" each.
    #[arg(long, value_name = "FILE", help_heading = "Pattern")]
    seeds: Option<PathBuf>,
    /// Break as under a blow at this point: "x y z".
    #[arg(long, value_parser = option::point, value_name = "POINT", allow_hyphen_values = true, help_heading = "Pattern")]
    impact: Option<Point>,
    /// Which way the blow goes: "x y z" [default: no way in particular].
    #[arg(long, value_parser = option::vector, value_name = "VECTOR", allow_hyphen_values = true, requires = "impact", help_heading = "Pattern")]
    direction: Option<Vector>,
    /// Cells with a seed farther from the blow than this stay joined, in metres [default: half the radius of what breaks].
    #[arg(long, value_parser = option::positive, requires = "impact", help_heading = "Pattern")]
    radius: Option<f64>,
    /// Break by a label for each node of the mesh that was cooked: a file of whole numbers.
    #[arg(long, value_name = "FILE", help_heading = "Pattern")]
    labels: Option<PathBuf>,
    /// With labels, how far nodes are from the cracks: lines "node label metres".
    #[arg(long, value_name = "FILE", requires = "labels", conflicts_with = "cuts", help_heading = "Pattern")]
    gaps: Option<PathBuf>,
    /// With labels, where edges are cut: lines "node node share".
    #[arg(long, value_name = "FILE", requires = "labels", help_heading = "Pattern")]
    cuts: Option<PathBuf>,
    /// Bend the cracks by up to this share of the asset's radius: 0 to 0.05.
    #[arg(long, value_parser = option::not_negative, value_name = "SHARE", help_heading = "Pattern")]
    rough: Option<f64>,
    /// Length of the bends, in mean edges of the asset: 2 or more.
    #[arg(long, value_parser = option::positive, default_value = "4", value_name = "EDGES", help_heading = "Pattern")]
    wavelength: f64,

    /// Break the pieces again, so many times in all.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=32))]
    generations: u32,
    /// Join pieces with a smaller radius to a neighbour: half the diagonal of their box, in metres.
    #[arg(long, value_parser = option::not_negative, default_value = "0", value_name = "METRES")]
    min_radius: f64,
    /// Join pieces with a smaller share of the volume to a neighbour: 0 to 1.
    #[arg(long, value_parser = option::not_negative, default_value = "0")]
    min_share: f64,
    /// Join the smallest pieces to their neighbours until no more than this are left.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    max_pieces: Option<u32>,
    /// Move the pieces of the picture apart: by this share of their distance from the middle.
    #[arg(long, value_parser = option::not_negative, default_value = "0", value_name = "SHARE")]
    explode: f64,
    /// Normals are smooth (but for those of the artist), except at edges where the surface turns by more than this, in degrees.
    #[arg(long, value_parser = option::degrees, default_value = "40", value_name = "DEGREES")]
    sharp_angle: f64,
    /// Threads to work with [default: as many as there are processors].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Does the work.
pub fn run(options: &Options) -> Result<Report> {
    let start = Instant::now();
    options.check_outputs()?;
    let saved::Saved { asset, objects, is_asset } = saved::load(&options.input, options.asset.as_slice())?;
    if let Some(chosen) = options.object.filter(|k| *k >= objects.len()) {
        return Err(Failure::usage(format!(
            "--object is {chosen}, but {} has {}",
            options.input.display(),
            report::counted(objects.len(), "object")
        )));
    }
    let pattern = options.pattern(&asset)?;
    let how = FractureOptions {
        min_radius: options.min_radius,
        min_volume_share: options.min_share,
        max_fragments: options.max_pieces.unwrap_or(u32::MAX),
        tasks: cook::tasks(options.threads)?,
        ..FractureOptions::default()
    };

    let (mut report, mut remarks) = (Report::new(), vec![]);
    let shares = match options.object {
        None if is_asset && objects.len() > 1 && options.is_random() => {
            let shares = saved::shared(options.pieces, &objects);
            remarks.push(sharing(&shares));
            Some(shares)
        }
        None if objects.len() > 1 && options.is_random() => {
            let cells = report::counted(options.pieces as usize, "cell");
            remarks.push(format!("each of the {} objects is broken into {cells}", objects.len()));
            None
        }
        _ => None,
    };
    let mut pieces = objects;
    let (mut asked, mut vanished, mut joined, mut events) = (0, 0, 0, 0);
    for generation in 0..options.generations {
        let mut next = vec![];
        for (number, object) in pieces.iter().enumerate() {
            if generation == 0 && options.object.is_some_and(|chosen| chosen != number) {
                next.push(object.clone());
                continue;
            }
            let cells = shares.as_ref().filter(|_| generation == 0).map_or(options.pieces, |shares| shares[number]);
            asked += cells as usize;
            let pattern = pattern(options.seed_of(generation, number), cells);
            match fracture(object, &pattern, &how).map_err(|e| Failure::of_library(&options.input, e))? {
                Outcome::Broken(broken) => {
                    events += 1;
                    vanished += broken.vanished_cells;
                    joined += broken.crumbs_joined;
                    next.extend(broken.objects);
                }
                Outcome::Whole { vanished_cells } => {
                    vanished += vanished_cells;
                    next.push(object.clone());
                }
            }
        }
        pieces = next;
    }

    if events == 0 {
        remarks.push("nothing was cut: no crack of the pattern runs through the body".into());
    }
    if vanished > 0 {
        let (have, made) = if vanished == 1 { ("has", "makes") } else { ("have", "make") };
        let cells = report::counted(vanished as usize, "cell");
        remarks.push(format!("{cells} of the pattern {have} no volume in the body, and {made} no piece"));
    }
    if options.is_random() && options.generations == 1 && options.object.is_none() {
        report.put("cells", asked);
        // Joined ones are meant to be fewer.
        let (cells, count) = (asked.saturating_sub(vanished as usize), pieces.len());
        if count > cells {
            remarks.push(format!(
                "{} became {}: what is not connected within a cell is a piece by itself",
                report::counted(cells, "cell"),
                report::counted(count, "piece")
            ));
        }
    }
    report.line("count", "pieces", pieces.len(), pieces.len());
    report.put("input", options.input.to_string_lossy());
    report.put("vanished_cells", vanished);
    report.put("crumbs_joined", joined);
    describe_objects(&pieces, &mut report);
    if let Some(path) = &options.output {
        let bytes = options.picture(path, &asset, &pieces, &how, &mut remarks)?;
        files::write(path, &bytes)?;
        let shown = format!("{} ({})", path.display(), report::size(bytes.len()));
        report.line("output", "written", shown, path.to_string_lossy());
    }
    if let Some(path) = &options.save {
        let bytes = save_objects(&pieces).map_err(|e| Failure::of_library(&options.input, e))?;
        files::write(path, &bytes)?;
        let shown = format!("{} ({})", path.display(), report::size(bytes.len()));
        report.line("saved", "saved", shown, path.to_string_lossy());
    }
    let seconds = start.elapsed().as_secs_f64();
    report.line("seconds", "took", format!("{seconds:.2} s"), seconds);
    report.remarks(&remarks);
    Ok(report)
}

/// How many cells each body of an asset gets.
fn sharing(shares: &[u32]) -> String {
    const TOLD: usize = 8;
    let cells = report::counted(shares.iter().map(|share| *share as usize).sum(), "cell");
    let mut each: Vec<String> = shares.iter().take(TOLD).map(u32::to_string).collect();
    each.extend((shares.len() > TOLD).then(|| "...".into()));
    format!(
        "the asset is {} bodies that are not connected; they share {cells} by volume: {}",
        shares.len(),
        each.join(", ")
    )
}

impl Options {
    fn check_outputs(&self) -> Result<()> {
        let inputs = [Some(&self.input), self.asset.as_ref(), self.seeds.as_ref(), self.labels.as_ref()];
        let inputs: Vec<&Path> =
            inputs.into_iter().chain([self.gaps.as_ref(), self.cuts.as_ref()]).flatten().map(|p| p.as_path()).collect();
        for output in [&self.output, &self.save].into_iter().flatten() {
            files::may_write(output, &inputs)?;
        }
        if self.output.is_some() && self.output == self.save {
            return Err(Failure::usage("-o and --save name the same file"));
        }
        Ok(())
    }

    /// Whether the pattern is that of random points.
    fn is_random(&self) -> bool {
        self.plane.is_empty() && self.seeds.is_none() && self.labels.is_none() && self.impact.is_none()
    }

    /// The seed that was given for the first event, and others that follow from it for all later ones.
    fn seed_of(&self, generation: u32, number: usize) -> u64 {
        match (generation, number) {
            (0, 0) => self.seed,
            _ => mix(mix(self.seed ^ (generation as u64) << 32) ^ number as u64),
        }
    }

    /// The pattern that was asked for, but for its seed and the number of its cells.
    fn pattern(&self, asset: &Asset) -> Result<impl Fn(u64, u32) -> Pattern> {
        let fixed = if !self.plane.is_empty() {
            Some(Pattern::planes(self.plane.clone()))
        } else if let Some(path) = &self.seeds {
            let seeds = rows(path, "x y z")?.into_iter().map(Point::from).collect();
            Some(Pattern::voronoi(seeds))
        } else if let Some(path) = &self.labels {
            Some(Pattern::labels(self.node_labels(path, asset)?))
        } else {
            None
        };
        let blow = self.impact.map(|point| Impact {
            point,
            direction: self.direction.unwrap_or_default(),
            radius: self.radius.unwrap_or(0.0), // half that of what breaks
            count: self.pieces,
            seed: 0,
        });
        let (rough, wavelength) = (self.rough, self.wavelength);
        Ok(move |seed, cells| {
            let pattern = match (&fixed, blow) {
                (Some(pattern), _) => pattern.clone(),
                (None, Some(blow)) => Pattern::impact(Impact { seed, count: cells, ..blow }),
                (None, None) => Pattern::random_voronoi(cells, seed),
            };
            match rough {
                Some(amplitude) => pattern.rough(Roughness { amplitude, wavelength, seed }),
                None => pattern,
            }
        })
    }

    fn node_labels(&self, path: &Path, asset: &Asset) -> Result<NodeLabels> {
        let wanted = asset.solid().source_node_count();
        let labels: Vec<u32> =
            rows::<1>(path, "label")?.into_iter().map(|[label]| index(label, path)).collect::<Result<_>>()?;
        if labels.len() != wanted {
            return Err(Failure::data(
                path,
                format!("{} labels are there, and the mesh that was cooked has {wanted} nodes", labels.len()),
            ));
        }
        let cuts = match (&self.gaps, &self.cuts) {
            (Some(path), _) => LabelCuts::Gaps(
                rows(path, "node label metres")?
                    .into_iter()
                    .map(|[node, label, gap]| {
                        Ok(NodeGap { node: index(node, path)?, opponent: index(label, path)?, gap })
                    })
                    .collect::<Result<_>>()?,
            ),
            (None, Some(path)) => LabelCuts::Edges(
                rows(path, "node node share")?
                    .into_iter()
                    .map(|[a, b, position]| Ok(EdgeCut { nodes: [index(a, path)?, index(b, path)?], position }))
                    .collect::<Result<_>>()?,
            ),
            (None, None) => LabelCuts::Middle,
        };
        Ok(NodeLabels { labels, cuts })
    }

    fn picture(
        &self,
        path: &Path,
        asset: &Asset,
        pieces: &[Object],
        how: &FractureOptions,
        remarks: &mut Vec<String>,
    ) -> Result<Vec<u8>> {
        let looks = Looks::new(asset, self.sharp_angle);
        let drawn = how.tasks.map_chunks(pieces.len(), 1, |range| {
            let piece = &pieces[range.start];
            looks.of(piece, &piece.mass().centre)
        });
        remarks.extend(drawn.iter().map(|look| look.flaws).sum::<Flaws>().remarks());
        let nodes = drawn
            .into_iter()
            .zip(pieces)
            .enumerate()
            .map(|(number, (look, object))| Node {
                name: format!("piece_{number:03}"),
                // Engines and tools turn a node about its origin.
                translation: {
                    let centre = object.mass().centre;
                    (centre.coords + (centre - asset.centre()) * self.explode).into()
                },
                parts: look.parts,
                extras: object_json(object),
                ..Node::default()
            })
            .collect();
        let mut scene = Scene { palette: looks.palette().clone(), nodes };
        scene.keep_used_materials();
        remarks.extend(scene.palette.link(path));
        glb::write(&scene).map_err(|e| Failure::data(&self.input, e))
    }
}

/// Lines of so many numbers each, with spaces or commas between them; what follows a # is a comment.
fn rows<const N: usize>(path: &Path, form: &str) -> Result<Vec<[f64; N]>> {
    let bytes = files::read(path)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| Failure::data(path, "this is no text"))?;
    let mut rows = vec![];
    for (number, line) in text.lines().enumerate() {
        let content = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = content.split([' ', ',', ';', '\t', '\r']).filter(|w| !w.is_empty()).collect();
        if words.is_empty() {
            continue;
        }
        let bad = || Failure::data(path, format!("line {} is {line:?}; it should be {form:?}", number + 1));
        let values = words.iter().map(|w| w.parse::<f64>().ok().filter(|v| v.is_finite())).collect::<Option<Vec<_>>>();
        rows.push(values.and_then(|v| <[f64; N]>::try_from(v).ok()).ok_or_else(bad)?);
    }
    Ok(rows)
}

fn index(value: f64, path: &Path) -> Result<u32> {
    if value.fract() == 0.0 && (0.0..u32::MAX as f64).contains(&value) {
        return Ok(value as u32);
    }
    Err(Failure::data(path, format!("{value} is no whole number from 0")))
}
