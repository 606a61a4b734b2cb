//! The page `out/bench.html`: complete in itself, bars on a logarithmic scale.

use crate::common::stage::Moment;
use crate::curves::Curves;
use crate::frames::{FrameKind, SHARES};
use crate::goals::{Goal, Topic};
use crate::library::Kind;
use crate::report::{at_rest, cell, machine, peers_had};
use crate::studies::Study;
use crate::timing::{Row, Scene};
use std::fmt::Write;

const STYLE: &str = "
:root { --ours: #c2410c; --variant: #f0a37c; --hull: #3b76af; --mesh: #5b8c5a; --line: #d8d8d8; color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 74rem; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
td, th { padding: .15rem .6rem; text-align: right; border-bottom: 1px solid var(--line); font-weight: 400; white-space: nowrap; }
td:first-child, th:first-child { text-align: left; }
.missed { color: #b91c1c; } .met { color: #15803d; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; } figcaption { font-weight: 600; }
svg text { font: 11px system-ui, sans-serif; fill: currentColor; }
.ours { fill: var(--ours); } .variant { fill: var(--variant); } .hull { fill: var(--hull); } .mesh { fill: var(--mesh); }
.bad { fill: #b91c1c !important; font-weight: 600; }";

pub fn page(scenes: &[Scene], studies: &[Study], goals: &[Goal], quick: bool) -> String {
    let mut out = String::new();
    let scope = if quick { "A quick run: few repetitions and frames." } else { "" };
    let _ = write!(
        out,
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Fracas beside its peers</title><style>{STYLE}</style><h1>Fracas beside its peers</h1>\
         <p>One thread on one core, all libraries in turn, the least time of the repetitions, in milliseconds, on logarithmic \
         scales. {scope}</p><p>{}</p>\
         <p>Colours: <b style=\"color:var(--ours)\">ours</b>, <b style=\"color:var(--variant)\">ours with other options</b>, \
         <b style=\"color:var(--hull)\">convex hulls</b>, <b style=\"color:var(--mesh)\">triangle meshes</b>. \
         Beside the bars of frames: overlapping pairs that are missed, and phantom pairs, judged by fragments that were cut \
         independently of the library; where cracks are rough, by the surfaces of the fragments that each library had.</p>\
         <p>Peers are not prepared from the surfaces that we export, which are finer than usual: each scene says on whose \
         fragments they were measured.</p>",
        escaped(&machine())
    );
    must_show(&mut out, goals);
    scenes.iter().for_each(|scene| plots(&mut out, scene));
    studies.iter().for_each(|study| table(&mut out, study));
    out
}

fn must_show(out: &mut String, goals: &[Goal]) {
    let class = |met: bool| if met { "met" } else { "missed" };
    out.push_str("<h2>Must show</h2><table><tr><th>what<th>met<th>worst");
    for topic in Topic::ALL {
        let Some((met, count, worst)) = topic.summary(goals) else { continue };
        let told = worst.map_or(String::new(), |goal| format!("{}: {}", escaped(&goal.what), goal.verdict()));
        let class = class(met == count);
        let _ = write!(out, "<tr><td>{}<td class=\"{class}\">{met} of {count}<td>{told}", topic.name());
    }
    out.push_str("</table><details><summary>All of them</summary><table><tr><th>what<th>reached<th>wanted<th><th>");
    for goal in goals {
        let Goal { what, reached, wanted, unit, .. } = goal;
        let (what, reached, sign) = (escaped(what), cell(*reached), goal.sign());
        let (class, verdict) = (class(goal.met()), goal.verdict());
        let _ = write!(out, "<tr><td>{what}<td>{reached}<td>{sign} {wanted}<td>{unit}<td class=\"{class}\">{verdict}");
    }
    out.push_str("</table></details>");
}

fn plots(out: &mut String, scene: &Scene) {
    let _ = write!(
        out,
        "<h2>{}</h2><p>{} fragments; near pairs per frame: {}. Not counted: our surfaces {:.1} ms, cooking {:.0} ms.</p>\
         <p>Fragments of {}.</p><div class=\"plots\">",
        escaped(&scene.name),
        scene.pieces,
        Moment::ALL.map(|m| format!("{} {:.0}", m.name(), scene.pairs[m as usize])).join(", "),
        scene.surfaces,
        scene.cooking,
        escaped(&peers_had(scene))
    );
    bars(out, "ready after the event", scene, |row| (row.ready.both.least(), String::new(), false));
    for moment in Moment::ALL {
        bars(out, moment.name(), scene, |row| {
            let m = &scene.judged(row).frames[moment as usize];
            let remarks = [(m.missed, "missed"), (m.phantoms, "phantom")];
            let told: Vec<String> =
                remarks.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
            (row.passes[moment as usize].least, told.join(", "), !told.is_empty())
        });
    }
    out.push_str("</div>");
    just_apart(out, scene);
    accuracy(out, scene);
}

/// Times of the frames just apart.
fn just_apart(out: &mut String, scene: &Scene) {
    let shares = SHARES.map(|share| format!("<th>{} %", share * 100.0)).concat();
    let _ = write!(
        out,
        "<h3>Just apart</h3><table><tr><th><th colspan=\"6\">expanded from the centre<th colspan=\"6\">moved randomly<th colspan=\"3\">\
         <tr><th>milliseconds{shares}{shares}<th>slowest / settling<th>missed / overlapping<th>phantom / clear"
    );
    for row in &scene.rows {
        let times: String =
            FrameKind::just_apart().map(|kind| format!("<td>{:.3}", row.passes[kind.index()].least)).collect();
        let (found, slowest) = (scene.judged(row).just_apart(), row.slowest_apart().0);
        let class = if slowest > 2.0 { "missed" } else { "" };
        let _ = write!(
            out,
            "<tr><td>{}{times}<td class=\"{class}\">{slowest:.2}<td>{} / {}<td>{} / {}",
            escaped(row.name),
            found.missed,
            found.overlaps,
            found.phantoms,
            found.clear
        );
    }
    out.push_str(
        "</table><p>All fragments moved, none turned; in percent of the radius of the body that broke. Expanded: a fragment one \
         radius away from the centre has moved that far.</p>",
    );
}

/// Accuracy by both sets of surfaces.
fn accuracy(out: &mut String, scene: &Scene) {
    let heads = "<th>missed / overlapping<th>phantom / clear<th>missed / edges only<th>depth at rest, %\
                 <th>error, pushed 0.3 %<th>0.5 %<th>1 %";
    let titles = ["our exported surfaces".into(), format!("the surfaces that peers had ({})", scene.source.short())];
    for (k, title) in titles.iter().enumerate() {
        let _ = write!(out, "<h3>Accuracy by {title}</h3><table><tr><th>{heads}");
        for row in &scene.rows {
            let accuracy = &row.accuracy[k];
            let (found, [mean, most]) = (accuracy.moments(), at_rest(accuracy));
            let pushes = accuracy.pushes.iter();
            let pushes: Vec<String> =
                pushes.map(|push| format!("{:.3} / {:.3}", push.mean() * 100.0, push.nearly_worst() * 100.0)).collect();
            let _ = write!(
                out,
                "<tr><td>{}<td>{} / {}<td>{} / {}<td>{} / {}<td>{mean:.2} / {most:.2}<td>{}",
                escaped(row.name),
                found.missed,
                found.overlaps,
                found.phantoms,
                found.clear,
                found.edges_missed,
                found.edges_only,
                pushes.join("<td>")
            );
        }
        out.push_str("</table>");
    }
    out.push_str(
        "<p>Depth at rest: the deepest contact of touching pairs just after the fracture, mean / most. Error: of depths \
         against exact distances after each fragment was pushed into its neighbours, mean / 99 of 100. Both in percent of the \
         radius of the body that broke.</p>",
    );
}

/// One bar a library: its time, a remark, and whether that is bad.
fn bars(out: &mut String, title: &str, scene: &Scene, of: impl Fn(&Row) -> (f64, String, bool)) {
    const LEFT: f64 = 165.0;
    const WIDE: f64 = 230.0;
    let rows: Vec<(&Row, (f64, String, bool))> = scene.rows.iter().map(|row| (row, of(row))).collect();
    let times = || rows.iter().map(|(_, (time, ..))| *time);
    // Whole powers of ten around all of them.
    let low = times().fold(f64::INFINITY, f64::min).max(1e-4).log10().floor();
    let high = times().fold(0.0, f64::max).max(1e-3).log10().ceil().max(low + 1.0);
    let x = |time: f64| LEFT + (time.max(1e-4).log10() - low) / (high - low) * WIDE;
    let height = rows.len() as f64 * 17.0 + 22.0;
    let _ = write!(
        out,
        "<figure><figcaption>{title}</figcaption><svg width=\"560\" height=\"{height}\" role=\"img\" aria-label=\"{title}\">"
    );
    for power in low as i32..=high as i32 {
        let at = x(10f64.powi(power));
        let _ = write!(
            out,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"0\" y2=\"{:.0}\" stroke=\"var(--line)\"/>\
             <text x=\"{at:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>",
            height - 18.0,
            height - 5.0,
            10f64.powi(power)
        );
    }
    for (k, (row, (time, remark, bad))) in rows.iter().enumerate() {
        let y = k as f64 * 17.0;
        let class = match row.kind {
            Kind::Ours => "ours",
            Kind::Variant => "variant",
            Kind::Hull => "hull",
            Kind::Mesh => "mesh",
        };
        let remark_class = if *bad { "bad" } else { "" };
        let _ = write!(
            out,
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>\
             <rect class=\"{class}\" x=\"{LEFT}\" y=\"{:.0}\" width=\"{:.1}\" height=\"13\"/>\
             <text x=\"{:.1}\" y=\"{:.0}\">{time:.3} <tspan class=\"{remark_class}\">{remark}</tspan></text>",
            LEFT - 6.0,
            y + 12.0,
            escaped(row.name),
            y + 1.0,
            (x(*time) - LEFT).max(1.0),
            x(*time) + 5.0,
            y + 12.0
        );
    }
    out.push_str("</svg></figure>");
}

fn table(out: &mut String, study: &Study) {
    let _ = write!(out, "<h2>{}</h2><table><tr><th><th>{}", escaped(&study.title), study.columns.join("<th>"));
    for (name, row) in &study.rows {
        let cells: Vec<String> = row.iter().map(|value| cell(*value)).collect();
        let _ = write!(out, "<tr><td>{}<td>{}", escaped(name), cells.join("<td>"));
    }
    out.push_str("</table>");
    study.notes.iter().for_each(|note| {
        let _ = write!(out, "<p>{}</p>", escaped(note));
    });
    study.plots.iter().for_each(|plot| out.push_str(&plot.svg()));
    if !study.curves.is_empty() {
        let curves = study.curves.iter().map(Curves::svg).collect::<String>();
        let _ = write!(out, "<div class=\"plots\">{curves}</div>");
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
