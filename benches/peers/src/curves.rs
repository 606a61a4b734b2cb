//! Curves on logarithmic axes with confidence intervals, as inline SVG.

use serde_json::{Value, json};
use std::fmt::Write;

/// A point of a curve: x, y, and the half width of the interval of y.
pub type At = [f64; 3];

/// Several curves over the same axes. Values of zero and less are left out.
#[derive(Clone, Default)]
pub struct Curves {
    pub title: String,
    /// What is along x.
    pub along: &'static str,
    pub lines: Vec<(String, Vec<At>)>,
}

const COLOURS: [&str; 8] =
    ["var(--ours)", "var(--variant)", "var(--hull)", "var(--mesh)", "#8a63a8", "#b08d20", "#2a9d8f", "#9b2226"];
const LEFT: f64 = 60.0;
const TOP: f64 = 8.0;
const WIDE: f64 = 460.0;
const HIGH: f64 = 240.0;

/// A logarithmic axis between whole powers of ten, or, if those are few, between thirds of them.
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    fn around(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values.map(f64::log10).fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
        if low > high {
            return Self { low: 0.0, high: 1.0 };
        }
        let part = if high - low < 1.5 { 3.0 } else { 1.0 };
        let low = (low * part - 1e-9).floor() / part;
        Self { low, high: ((high * part + 1e-9).ceil() / part).max(low + 1.0 / part) }
    }

    fn share(&self, value: f64) -> f64 {
        ((value.log10() - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// 1, 2 and 5 times powers of ten; only the powers where there are many.
    fn ticks(&self) -> Vec<f64> {
        let steps: &[f64] = if self.high - self.low > 2.5 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let powers = self.low.floor() as i32..=self.high.ceil() as i32;
        let all = powers.flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
        all.filter(|v| (self.low - 1e-9..=self.high + 1e-9).contains(&v.log10())).collect()
    }
}

impl Curves {
    pub fn svg(&self) -> String {
        let shown = || self.lines.iter().flat_map(|(_, points)| points).filter(|[x, y, _]| *x > 0.0 && *y > 0.0);
        let (across, up) = (Axis::around(shown().map(|p| p[0])), Axis::around(shown().map(|p| p[1])));
        let x = |value: f64| LEFT + WIDE * across.share(value);
        let y = |value: f64| TOP + HIGH * (1.0 - up.share(value));
        let mut out = format!(
            "<figure><figcaption>{0}</figcaption><svg width=\"{1}\" height=\"{2}\" role=\"img\" aria-label=\"{0}\">",
            self.title,
            LEFT + WIDE + 20.0,
            TOP + HIGH + 24.0 + 15.0 * self.lines.len() as f64
        );
        for value in up.ticks() {
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
        for value in across.ticks() {
            let at = x(value);
            let _ = write!(
                out,
                "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{0}\" stroke=\"var(--line)\"/>\
                 <text x=\"{at:.1}\" y=\"{1}\" text-anchor=\"middle\">{value}</text>",
                TOP + HIGH,
                TOP + HIGH + 14.0
            );
        }
        for (k, (name, points)) in self.lines.iter().enumerate() {
            let colour = COLOURS[k % COLOURS.len()];
            let dash = if k < COLOURS.len() { "" } else { " stroke-dasharray=\"5 3\"" };
            let seen = || points.iter().filter(|[x, y, _]| *x > 0.0 && *y > 0.0);
            let corners: Vec<String> = seen().map(|p| format!("{:.1},{:.1}", x(p[0]), y(p[1]))).collect();
            let below = TOP + HIGH + 32.0 + 15.0 * k as f64;
            let _ = write!(
                out,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"{dash}/>\
                 <line x1=\"{LEFT}\" x2=\"{}\" y1=\"{2}\" y2=\"{2}\" stroke=\"{colour}\" stroke-width=\"3\"{dash}/>\
                 <text x=\"{3}\" y=\"{below}\">{name}</text>",
                corners.join(" "),
                LEFT + 20.0,
                below - 4.0,
                LEFT + 26.0
            );
            for [at, value, half] in seen() {
                let (low, high) = (y((value - half).max(1e-12)), y(value + half));
                let _ = write!(
                    out,
                    "<circle cx=\"{0:.1}\" cy=\"{1:.1}\" r=\"2.5\" fill=\"{colour}\"/>\
                     <line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{low:.1}\" y2=\"{high:.1}\" stroke=\"{colour}\"/>",
                    x(*at),
                    y(*value)
                );
            }
        }
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text></svg></figure>",
            LEFT + WIDE,
            TOP + HIGH + 28.0,
            self.along
        );
        out
    }

    pub fn json(&self) -> Value {
        let line = |(name, points): &(String, Vec<At>)| json!({ "name": name, "points": points });
        json!({ "title": self.title, "along": self.along, "lines": self.lines.iter().map(line).collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_powers_and_have_ticks() {
        let axis = Axis::around([0.3, 700.0].into_iter());
        assert_eq!((axis.low, axis.high), (-1.0, 3.0));
        assert_eq!(axis.ticks(), [0.1, 1.0, 10.0, 100.0, 1000.0]);
        assert!((axis.share(10.0) - 0.5).abs() < 1e-12);
        assert!(!Axis::around([2.0, 3.0].into_iter()).ticks().is_empty());
    }

    #[test]
    fn zeros_are_left_out() {
        let lines = vec![("a".into(), vec![[1.0, 2.0, 0.1], [2.0, 0.0, 0.0], [4.0, 1.0, 0.1]])];
        let svg = Curves { title: "t".into(), along: "x", lines }.svg();
        assert_eq!(svg.matches("<circle").count(), 2);
    }
}
