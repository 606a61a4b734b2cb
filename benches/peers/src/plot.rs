//! Lines over frames, as inline SVG.

use serde_json::{Value, json};
use std::fmt::Write;

/// Values per frame.
#[derive(Clone, Default)]
pub struct Plot {
    pub title: String,
    /// Names, the first frame and the values of each line.
    pub lines: Vec<(String, usize, Vec<f64>)>,
    /// Frames with something special; upright lines.
    pub marks: Vec<usize>,
    /// A level to stay below.
    pub level: Option<(String, f64)>,
}

const COLOURS: [&str; 5] = ["var(--ours)", "var(--variant)", "var(--hull)", "var(--mesh)", "#8a63a8"];

impl Plot {
    /// Milliseconds from 0 up; what is above five times the first line's greatest is cut off.
    pub fn svg(&self) -> String {
        const LEFT: f64 = 48.0;
        const TOP: f64 = 8.0;
        const WIDE: f64 = 620.0;
        const HIGH: f64 = 190.0;
        let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
        let own = self.lines.first().map_or(1.0, |(.., values)| most(values));
        let all = self.lines.iter().map(|(.., values)| most(values)).fold(0.0, f64::max);
        let top = tidy(all.min(5.0 * own).max(self.level.as_ref().map_or(0.0, |(_, at)| at.min(5.0 * own))));
        let first = self.lines.iter().map(|(_, first, _)| *first).min().unwrap_or(0);
        let last = self.lines.iter().map(|(_, first, values)| first + values.len()).max().unwrap_or(1);
        let x = |frame: usize| LEFT + WIDE * (frame - first) as f64 / (last - first).max(2) as f64;
        let y = |value: f64| TOP + HIGH * (1.0 - (value / top).min(1.0));
        let mut out = format!(
            "<figure><figcaption>{}</figcaption><svg width=\"{}\" height=\"{}\" role=\"img\" aria-label=\"{}\">",
            self.title,
            LEFT + WIDE + 10.0,
            TOP + HIGH + 24.0 + 15.0 * self.lines.len() as f64,
            self.title
        );
        for k in 0..=4 {
            let value = top * k as f64 / 4.0;
            let at = y(value);
            let _ = write!(
                out,
                "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"var(--line)\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
                LEFT + WIDE,
                LEFT - 5.0,
                at + 4.0
            );
        }
        for frame in self.marks.iter().filter(|frame| (first..last).contains(frame)) {
            let at = x(*frame);
            let _ = write!(
                out,
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{}\" stroke=\"currentColor\" stroke-dasharray=\"2 3\"/>",
                TOP + HIGH
            );
        }
        if let Some((name, at)) = &self.level {
            let _ = write!(
                out,
                "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#b91c1c\"/><text x=\"{}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{name}</text>",
                LEFT + WIDE,
                y(*at),
                y(*at),
                LEFT + WIDE,
                y(*at) - 3.0
            );
        }
        for (k, (name, from, values)) in self.lines.iter().enumerate() {
            let points: Vec<String> =
                values.iter().enumerate().map(|(k, value)| format!("{:.1},{:.1}", x(from + k), y(*value))).collect();
            let colour = COLOURS[k % COLOURS.len()];
            let below = TOP + HIGH + 32.0 + 15.0 * k as f64;
            let _ = write!(
                out,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\
                 <line x1=\"{LEFT}\" x2=\"{}\" y1=\"{}\" y2=\"{}\" stroke=\"{colour}\" stroke-width=\"3\"/>\
                 <text x=\"{}\" y=\"{below}\">{name}</text>",
                points.join(" "),
                LEFT + 20.0,
                below - 4.0,
                below - 4.0,
                LEFT + 26.0
            );
        }
        let _ = write!(
            out,
            "<text x=\"{LEFT}\" y=\"{0}\">{first}</text><text x=\"{1}\" y=\"{0}\" text-anchor=\"end\">frame {2}</text></svg></figure>",
            TOP + HIGH + 15.0,
            LEFT + WIDE,
            last - 1
        );
        out
    }

    pub fn json(&self) -> Value {
        let line = |(name, first, values): &(String, usize, Vec<f64>)| json!({ "name": name, "first_frame": first, "ms": values });
        json!({
            "title": self.title, "topology_changes": self.marks,
            "level": self.level.as_ref().map(|(_, at)| at), "lines": self.lines.iter().map(line).collect::<Vec<_>>(),
        })
    }
}

/// The next of 1, 2, 4, 6, 8 times a power of ten: its quarters are short numbers.
fn tidy(value: f64) -> f64 {
    let power = 10f64.powf(value.max(1e-3).log10().floor());
    let step = [1.0, 2.0, 4.0, 6.0, 8.0, 10.0].into_iter().find(|step| step * power >= value);
    step.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_tidy() {
        assert_eq!([0.9, 1.0, 37.0, 61.0, 999.0].map(tidy), [1.0, 1.0, 40.0, 80.0, 1000.0]);
    }

    #[test]
    fn a_plot_has_its_lines_and_marks() {
        let plot = Plot {
            title: "t".into(),
            lines: vec![("a".into(), 5, vec![1.0, 2.0]), ("b".into(), 6, vec![3.0])],
            marks: vec![6, 90],
            level: Some(("goal".into(), 2.5)),
        };
        let svg = plot.svg();
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert_eq!(svg.matches("stroke-dasharray").count(), 1);
    }
}
