//! What the paper studied (Glondu 2013, 7.2, figures 15 and 17), and how costs grow: with nodes, fragments and threads.

use crate::common::brought;
use crate::common::pairs::{broken, settled};
use crate::common::scenes::{direction, intact};
use crate::common::stage::{Frame, JustApart, Moment, Stage};
use crate::common::trees::{Splitting, built, cooked};
use crate::curves::Curves;
use crate::goals::{Goal, Topic};
use crate::plot::Plot;
use crate::timing::{Plan, Times, elapsed, timed};
use fracas::bvh::Bvh;
use fracas::contact::{QueryOptions, QueryPair, Traversal, query_pair, query_pair_by_trees, query_pairs};
use fracas::fracture::pattern::{Impact, Roughness};
use fracas::fracture::surface::Surface;
use fracas::geom::Pose;
use fracas::geom::random::unit;
use fracas::reference::tree::{SphereForest, split_without_restructuring};
use fracas::{FractureOptions, Object, Pattern, Point, Solid, Tasks, Vector, fracture, shapes};
use nalgebra::{Translation3, UnitQuaternion};
use std::sync::LazyLock;

/// A table, and what it must show.
#[derive(Default)]
pub struct Study {
    pub title: String,
    pub columns: Vec<&'static str>,
    pub rows: Vec<(String, Vec<f64>)>,
    pub goals: Vec<Goal>,
    /// Below the table.
    pub notes: Vec<String>,
    pub plots: Vec<Plot>,
    pub curves: Vec<Curves>,
}

/// All on one core.
pub fn all(plan: &Plan, progress: &dyn Fn(&str)) -> Vec<Study> {
    let studies: [fn(&Plan) -> Study; 6] = [after_a_break, sphere, update, traversal, fragments, nodes];
    let names = ["after a break", "the paper's sphere", "update and recomputation", "traversal", "fragments", "nodes"];
    let run = |(study, name): (fn(&Plan) -> Study, &str)| {
        progress(name);
        study(plan)
    };
    studies.into_iter().zip(names).map(run).collect()
}

/// All near pairs of a frame.
fn pass(pieces: &[Object], frame: &Frame, options: &QueryOptions) -> usize {
    let mut contacts = vec![];
    for &(a, b) in &frame.pairs {
        query_pair(&pieces[a], &frame.poses[a], &pieces[b], &frame.poses[b], options, &mut contacts).unwrap();
    }
    contacts.len()
}

/// The least time of a pass over a frame.
fn least_pass(pieces: &[Object], frame: &Frame, repetitions: usize) -> f64 {
    let options = QueryOptions::default();
    Times::of(repetitions, || timed(|| pass(pieces, frame, &options)).0).least()
}

/// The ten frames after a break, each with all that it is the first to need: pieces in place, then up to 0.9 % of the radius apart; the one
/// after them in which they first settle, with their creases; and a hundred settling ones. Not only of convex pieces: joined ones, shells that share cells, a wall with a hole, and bodies
/// as users bring them, hit and rough.
fn after_a_break(plan: &Plan) -> Study {
    const FIRST: usize = 10;
    let later = if plan.quick { 20 } else { 100 };
    let rabbit = intact(Stage::solid("rabbit"));
    let (shell, slab) = (intact(Stage::solid("shell")), intact(shapes::cuboid([1.0, 0.1, 0.6], [40, 4, 24])));
    let blow = Impact { point: Point::new(0.1, 0.0, 0.0), direction: Vector::y(), radius: 0.2, count: 26, seed: 3 };
    let joined = FractureOptions { max_fragments: 9, ..FractureOptions::default() };
    let cells = || Pattern::random_voronoi(27, 1);
    let scenes = [
        ("rabbit in 27 cells", rabbit.clone(), cells(), FractureOptions::default()),
        ("the same, joined to 9", rabbit, cells(), joined),
        ("shell in 27 cells", shell, cells(), FractureOptions::default()),
        ("slab with a hole", slab, Pattern::impact(blow), FractureOptions::default()),
    ];
    let rough = Roughness { amplitude: 0.02, wavelength: 4.0, seed: 7 };
    let brought = |name: &'static str| {
        let object = brought::filled(name);
        let bounds = object.bounds();
        let point = bounds.min + bounds.size().component_mul(&Vector::new(0.7, 0.9, 0.6));
        let blow = Impact { point, direction: Vector::zeros(), radius: 0.8 * bounds.radius(), count: 20, seed: 3 };
        (name, object, Pattern::impact(blow).rough(rough), FractureOptions::default())
    };
    let brought = ["mug", "crate of twelve triangles", "statue of balls", "window pane"].map(brought);
    let scenes = scenes.into_iter().chain(brought).collect::<Vec<_>>();
    let options = QueryOptions::default();
    let measure = |(name, object, pattern, by): &(&str, Object, Pattern, FractureOptions)| {
        let stage = Stage::single(name, object.clone(), pattern.clone());
        let pieces = stage.broken_by(by);
        let apart = |k: usize| match k {
            0 => stage.frame(&pieces, Moment::JustFractured, 0),
            _ => JustApart::Expanded(0.001 * k as f64).frame(&stage, &pieces, 0),
        };
        let settling = (0..later).map(|k| stage.frame(&pieces, Moment::Settling, k));
        let frames: Vec<Frame> = (0..FIRST).map(apart).chain(settling).collect();
        let (mut event, mut least) = (f64::INFINITY, vec![f64::INFINITY; frames.len()]);
        for _ in 0..plan.repetitions {
            let (took, pieces) = timed(|| stage.broken_by(by));
            event = event.min(took);
            let times = frames.iter().map(|frame| timed(|| pass(&pieces, frame, &options)).0);
            least.iter_mut().zip(times).for_each(|(least, time)| *least = least.min(time));
        }
        let (first, next) = least.split_at(FIRST);
        let (settling, next) = (next[0], &next[1..]);
        let worst = first.iter().copied().fold(0.0, f64::max);
        let mean = next.iter().sum::<f64>() / next.len() as f64;
        let pairs: usize = frames[FIRST + 1..].iter().map(|frame| frame.pairs.len()).sum();
        let a_pair = next.iter().sum::<f64>() * 1e3 / pairs as f64;
        let ten = first.iter().sum::<f64>();
        let row = vec![pieces.len() as f64, event, ten, event + ten, worst, settling, mean, worst / mean, a_pair];
        (name.to_string(), row)
    };
    let rows: Vec<(String, Vec<f64>)> = scenes.iter().map(measure).collect();
    let mut goals: Vec<Goal> = vec![];
    for (name, row) in &rows {
        let what = format!("{name}: worst of ten frames against the mean of the next");
        goals.push(Goal::at_most(Topic::After, what, row[7], 3.0, "times"));
    }
    for (name, row) in &rows[1..] {
        let what = format!("{name}: a settling pair against one of convex pieces");
        goals.push(Goal::at_most(Topic::After, what, row[8] / rows[0].1[8], 2.0, "times"));
    }
    let columns = vec![
        "pieces",
        "event, ms",
        "ten frames, ms",
        "both, ms",
        "worst of them",
        "first that settles",
        "mean of the next",
        "worst / mean",
        "us a settling pair",
    ];
    Study { title: "the ten frames after a break".into(), columns, rows, goals, ..Study::default() }
}

/// Section 7.2: a ball in eight, and the steps in which the pieces part: outwards by half their way from the middle, turned by
/// up to 20 degrees. The paper's own figures, on its machine: 1.54 ms, and 1.16 ms (3.27 at most).
fn sphere(plan: &Plan) -> Study {
    const STEPS: u64 = 60;
    let solids = [
        ("2.4K triangles, 4K points inside", shapes::preset::sphere()),
        ("2.4K triangles, 2.2K points inside", shapes::ball(0.1, 14)),
        ("10K triangles, 22K points inside", shapes::ball(0.1, 29)),
    ];
    let measure = |(name, solid): (&str, Solid)| {
        let stage = Stage::single(name, intact(solid), Pattern::random_voronoi(8, 1));
        let event = Times::of(plan.repetitions, || timed(|| stage.broken()).0);
        let pieces = stage.broken();
        let middle = stage.bodies[0].0.mass().centre;
        let step = |number: u64| {
            let share = number as f64 / STEPS as f64;
            let pose = |(k, piece): (usize, &Object)| {
                let centre = piece.mass().centre;
                let turn = UnitQuaternion::from_scaled_axis(direction(k as u64) * (20f64.to_radians() * share));
                let to = centre.coords + (centre - middle) * (0.5 * share);
                Pose::from_parts(Translation3::from(to), turn) * Pose::from(Translation3::from(-centre.coords))
            };
            let frame = Frame::new(&pieces, pieces.iter().enumerate().map(pose).collect(), 0.002 * stage.radius());
            least_pass(&pieces, &frame, 5)
        };
        let steps: Vec<f64> = (0..STEPS).map(step).collect();
        let settling = (0..plan.frames(Moment::Settling)).map(|k| stage.frame(&pieces, Moment::Settling, k));
        let settling: Vec<f64> = settling.map(|frame| least_pass(&pieces, &frame, 5)).collect();
        let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
        let most = steps.iter().copied().fold(0.0, f64::max);
        (name.to_string(), vec![event.least(), mean(&steps), most, mean(&settling)])
    };
    let rows: Vec<_> = solids.into_iter().map(measure).collect();
    let goals = vec![
        Goal::at_most(Topic::Sphere, "the paper's sphere: update", rows[0].1[0], 0.5, "ms"),
        Goal::at_most(Topic::Sphere, "the paper's sphere: query step, mean", rows[0].1[1], 0.12, "ms"),
    ];
    let columns = vec!["update, ms", "step, mean ms", "slowest ms", "settling, ms"];
    Study {
        title: "the paper's sphere in 8 (there: update 1.54 ms, step 1.16 ms)".into(),
        columns,
        rows,
        goals,
        ..Study::default()
    }
}

/// The exact distance of every node of a fragment from its new surface.
fn field_anew(piece: &Object, surface: &Surface) -> f64 {
    let corners = surface.triangles.iter().map(|t| t.corners.map(|i| surface.vertices[i as usize]));
    let tree = Bvh::new(&corners.collect::<Vec<_>>()).unwrap();
    let nodes = piece.asset().solid().nodes();
    piece.nodes().iter().map(|n| tree.closest_point(&nodes[*n as usize], f64::INFINITY).unwrap().distance).sum()
}

/// Figure 15: the event with everything that queries need, against exact nodal fields and sphere trees of the new surfaces
/// from scratch (the surfaces themselves not counted); and what queries by either kind of trees visit.
fn update(plan: &Plan) -> Study {
    let pattern = Pattern::random_voronoi(27, 1);
    let stage = Stage::single("piggy bank", intact(shapes::preset::piggy_bank()), pattern.clone());
    let options = QueryOptions::default();
    let just = stage.frame(&stage.broken(), Moment::JustFractured, 0);
    let updated = Times::of(plan.repetitions, || timed(|| pass(&stage.broken(), &just, &options)).0).least();

    let with_tree = cooked(shapes::preset::piggy_bank());
    let event_with_trees = Times::of(plan.repetitions, || timed(|| broken(&with_tree, &pattern)).0).least();
    let pieces = broken(&with_tree, &pattern);
    let surfaces: Vec<Surface> = pieces.iter().map(|piece| piece.surface()).collect();
    let fields = || pieces.iter().zip(&surfaces).map(|(piece, surface)| field_anew(piece, surface)).sum::<f64>();
    let trees = || pieces.iter().map(|piece| built(piece, false)).collect::<Vec<_>>();
    let fields = Times::of(3, || timed(fields).0).least();
    let trees_anew = Times::of(3, || timed(trees).0).least();

    let anew = trees();
    let parts = settled(pieces);
    let visits = |split: bool| {
        let tree = |k: usize| if split { parts[k].0.sphere_tree().unwrap() } else { anew[k].tree(0) };
        visited(&parts, &tree, Traversal::default()).0 as f64
    };
    let (split_visits, anew_visits) = (visits(true), visits(false));
    let goals = vec![
        Goal::at_least(
            Topic::Update,
            "update against field and trees anew",
            (fields + trees_anew) / updated,
            10.0,
            "times faster",
        ),
        Goal::at_most(Topic::Update, "spheres visited against trees anew", split_visits / anew_visits, 1.3, "times"),
    ];
    let row = |name: &str, time: f64, visits: f64| (name.to_string(), vec![time, visits]);
    let rows = vec![
        row("update: the event and the first pass", updated, f64::NAN),
        row("the event alone, with the paper's sphere trees", event_with_trees, split_visits),
        row("field anew", fields, f64::NAN),
        row("trees anew", trees_anew, anew_visits),
        row("field and trees anew", fields + trees_anew, anew_visits),
    ];
    let columns = vec!["ms", "spheres visited, settling"];
    Study { title: "figure 15: piggy bank in 27".into(), columns, rows, goals, ..Study::default() }
}

/// Spheres visited by a pass over all pairs, and its time.
fn visited<'a>(
    parts: &'a [(Object, Pose)],
    tree: &dyn Fn(usize) -> fracas::reference::tree::SphereTree<'a>,
    traversal: Traversal,
) -> (u64, f64) {
    let options = QueryOptions::default();
    let run = || {
        let mut spheres = 0;
        for i in 0..parts.len() {
            for j in 0..i {
                let [a, b] = [i, j].map(|k| (&parts[k].0, &parts[k].1, tree(k)));
                spheres += query_pair_by_trees(a, b, traversal, &options, &mut vec![]).unwrap().spheres_visited as u64;
            }
        }
        spheres
    };
    let time = Times::of(3, || timed(run).0).least();
    (run(), time)
}

/// Figure 17: sphere trees split with and without restructuring, searched in maximum-distance order and level by level.
fn traversal(_: &Plan) -> Study {
    let object = cooked(shapes::preset::rabbit());
    let pieces = broken(&object, &Pattern::random_voronoi(27, 1));
    let Splitting { tree, fragment_of, fragments, added } = Splitting::new(&object, &pieces);
    let naive: SphereForest = split_without_restructuring(tree, |p| fragment_of[p as usize], fragments, &added);
    let parts = settled(pieces);
    let mut rows = vec![];
    for (restructured, name) in [(true, "restructured"), (false, "as they were split")] {
        for (order, how) in
            [(Traversal::MaximumDistance, "maximum distance"), (Traversal::BreadthFirst, "level by level")]
        {
            let tree = |k: usize| if restructured { parts[k].0.sphere_tree().unwrap() } else { naive.tree(k as u32) };
            let (spheres, time) = visited(&parts, &tree, order);
            rows.push((format!("{name}, {how}"), vec![time, spheres as f64]));
        }
    }
    let options = QueryOptions::default();
    let frame = Frame::new(
        &parts.iter().map(|(piece, _)| piece.clone()).collect::<Vec<_>>(),
        parts.iter().map(|(_, pose)| *pose).collect(),
        f64::INFINITY,
    );
    let pieces: Vec<Object> = parts.into_iter().map(|(piece, _)| piece).collect();
    let buckets = Times::of(3, || timed(|| pass(&pieces, &frame, &options)).0).least();
    rows.push(("buckets, the default".into(), vec![buckets, f64::NAN]));
    let columns = vec!["ms", "spheres visited"];
    Study { title: "figure 17: rabbit in 27, settling, all pairs".into(), columns, rows, ..Study::default() }
}

/// The slope in a doubly logarithmic plot, by least squares.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |(x, y), p| (x + p.0 / count, y + p.1 / count));
    let (above, below) = logs.iter().fold((0.0, 0.0), |(a, b), p| (a + (p.0 - x) * (p.1 - y), b + (p.0 - x).powi(2)));
    above / below
}

/// A ball of 100K nodes.
fn large_ball() -> Object {
    static COOKED: LazyLock<Object> = LazyLock::new(|| intact(shapes::ball(0.1, 46)));
    COOKED.clone()
}

/// Growth with fragments: one ball, more and more cells.
fn fragments(plan: &Plan) -> Study {
    let ball = large_ball();
    let counts: &[u32] = if plan.quick { &[27, 200, 1000] } else { &[27, 200, 1000, 10_000] };
    let measure = |count: &u32| {
        let stage = Stage::single("", ball.clone(), Pattern::random_voronoi(*count, 1));
        let repetitions = if *count > 1000 { 1 } else { 3 };
        let event = Times::of(repetitions, || timed(|| stage.broken()).0).least();
        let pieces = stage.broken();
        let just = stage.frame(&pieces, Moment::JustFractured, 0);
        let first = timed(|| pass(&pieces, &just, &QueryOptions::default())).0;
        let query = least_pass(&pieces, &just, 2);
        let (made, pairs) = (pieces.len() as f64, just.pairs.len() as f64);
        (count.to_string(), vec![made, event, pairs, first, query, query * 1e3 / pairs])
    };
    let rows: Vec<(String, Vec<f64>)> = counts.iter().map(measure).collect();
    let most = rows.last().map_or(0.0, |(_, row)| row[0]);
    let a_pair = |row: usize| (rows[row].1[1] + rows[row].1[3]) / rows[row].1[2];
    let mut goals = vec![Goal::at_most(
        Topic::Growth,
        "event and first pass a pair, 1,000 cells against 27",
        a_pair(2) / a_pair(0),
        1.5,
        "times",
    )];
    if !plan.quick {
        goals.push(Goal::at_least(Topic::Growth, "fragments of one body", most, 10_000.0, "fragments"));
    }
    let columns = vec!["fragments", "event, ms", "near pairs", "first pass, ms", "at rest, ms", "us a pair at rest"];
    Study {
        title: format!("growth with fragments: ball of {} nodes", ball.nodes().len()),
        columns,
        rows,
        goals,
        ..Study::default()
    }
}

/// Growth with nodes: balls of the same size in the same 27 cells.
fn nodes(plan: &Plan) -> Study {
    let inside = |key: u64| Point::from(direction(key).scale(0.1 * unit(key, 9).cbrt()));
    let pattern = Pattern::voronoi((0..27).map(inside).collect());
    let cells: &[usize] = if plan.quick { &[10, 21, 46] } else { &[10, 21, 46, 99] };
    let measure = |cells: &usize| {
        let ball = if *cells == 46 { large_ball() } else { intact(shapes::ball(0.1, *cells)) };
        let stage = Stage::single("", ball, pattern.clone());
        let repetitions = (100_000 / (cells * cells * cells)).clamp(3, plan.repetitions);
        let event = Times::of(repetitions, || timed(|| stage.broken()).0).least();
        let pieces = stage.broken();
        let just = stage.frame(&pieces, Moment::JustFractured, 0);
        let first = timed(|| pass(&pieces, &just, &QueryOptions::default())).0;
        let query = least_pass(&pieces, &just, plan.repetitions);
        let count = stage.bodies[0].0.nodes().len() as f64;
        (
            format!("{count}"),
            vec![count, event, event * 1e6 / count, first, query, query * 1e3 / just.pairs.len() as f64],
        )
    };
    let rows: Vec<(String, Vec<f64>)> = cells.iter().map(measure).collect();
    let events: Vec<(f64, f64)> = rows.iter().map(|(_, row)| (row[0], row[1])).collect();
    let (small, large) = (&rows[1].1, &rows[rows.len() - 1].1);
    let range = format!("{:.0}K to {:.0}K nodes", small[0] / 1e3, large[0] / 1e3);
    let goals = vec![
        Goal::at_most(Topic::Growth, "event time grows with nodes: exponent", exponent(&events), 1.1, ""),
        Goal::at_most(Topic::Growth, format!("query at rest from {range}"), large[5] / small[5], 1.5, "times slower"),
    ];
    let columns = vec!["nodes", "event, ms", "ns a node", "first pass, ms", "at rest, ms", "us a pair"];
    Study { title: "growth with nodes: balls in the same 27 cells".into(), columns, rows, goals, ..Study::default() }
}

/// One and two threads, by the clock on the wall. Not on one core.
pub fn threads() -> Study {
    let wall = Stage::named("bricks", &intact(Stage::solid("bricks")), false);
    let pieces = wall.broken();
    let frame = wall.frame(&pieces, Moment::Settling, 0);
    let pairs: Vec<QueryPair> = frame
        .pairs
        .iter()
        .map(|&(a, b)| QueryPair { a: (&pieces[a], &frame.poses[a]), b: (&pieces[b], &frame.poses[b]), weight: 1.0 })
        .collect();
    let ball = large_ball();
    let pattern = Pattern::random_voronoi(27, 1);
    let options = QueryOptions::default();
    let pools = [1, 2].map(|threads| Tasks::pool(threads).expect("threads can be started"));
    let batch = |tasks: &Tasks| elapsed(|| query_pairs(&pairs, &options, tasks));
    let event = |tasks: &Tasks| {
        let by = FractureOptions { tasks: tasks.clone(), ..Default::default() };
        elapsed(|| fracture(&ball, &pattern, &by).unwrap())
    };
    let (mut rows, mut goals) = (vec![], vec![]);
    let mut compare = |name: &str, work: &dyn Fn(&Tasks) -> f64| {
        // In turn, so that both meet the same machine.
        let mut least = [f64::INFINITY; 2];
        for _ in 0..40 {
            (0..2).for_each(|k| least[k] = least[k].min(work(&pools[k])));
        }
        let efficiency = least[0] / least[1] / 2.0 * 100.0;
        rows.push((name.to_string(), vec![least[0], least[1], efficiency]));
        goals.push(Goal::at_least(Topic::Threads, format!("{name}: efficiency of two threads"), efficiency, 85.0, "%"));
    };
    compare("batch of queries, 32 bricks settling", &batch);
    compare("fracture, ball of 100K nodes", &event);
    let columns = vec!["one thread, ms", "two, ms", "efficiency, %"];
    Study { title: "threads".into(), columns, rows, goals, ..Study::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_slopes() {
        let powers: Vec<(f64, f64)> = [1.0, 10.0, 50.0].map(|x: f64| (x, 3.0 * x.powf(1.25))).into();
        assert!((exponent(&powers) - 1.25).abs() < 1e-12);
    }

    #[test]
    fn a_field_anew_is_the_distance_of_the_nodes() {
        let cube = intact(shapes::cuboid([1.0; 3], [2; 3]));
        // Of its nodes only the one in the middle is inside.
        assert!((field_anew(&cube, &cube.surface()) - 0.5).abs() < 1e-12);
    }
}
