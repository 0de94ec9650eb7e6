//! Charts as SVG: axes and what stands between them.

use std::fmt::Write as _;

use crate::figures::escape;
use crate::naming::middle_cut;

/// The space that a chart takes, in pixels of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) left: f64,
    pub(crate) right: f64,
}

impl Frame {
    const TOP: f64 = 10.0;
    const BOTTOM: f64 = 38.0;

    /// With room for names at the right.
    pub(crate) const WIDE: Self = Self { width: 400.0, height: 250.0, left: 44.0, right: 116.0 };
    pub(crate) const HALF: Self = Self { width: 400.0, height: 250.0, left: 44.0, right: 20.0 };
}

/// A chart in the making: a linear scale on both axes.
#[derive(Debug)]
pub(crate) struct Chart {
    frame: Frame,
    x: (f64, f64),
    y: (f64, f64),
    body: String,
}

impl Chart {
    /// Begins a chart of these ranges; empty ranges are widened.
    pub(crate) fn new(frame: Frame, x: (f64, f64), y: (f64, f64)) -> Self {
        let widen = |(low, high): (f64, f64)| if high > low { (low, high) } else { (low - 1.0, high + 1.0) };
        Self { frame, x: widen(x), y: widen(y), body: String::new() }
    }

    pub(crate) fn to_x(&self, value: f64) -> f64 {
        let Frame { width, left, right, .. } = self.frame;
        left + (value - self.x.0) / (self.x.1 - self.x.0) * (width - left - right)
    }

    pub(crate) fn to_y(&self, value: f64) -> f64 {
        let bottom = self.frame.height - Frame::BOTTOM;
        bottom - (value - self.y.0) / (self.y.1 - self.y.0) * (bottom - Frame::TOP)
    }

    /// Draws lines across at round values with what they are.
    pub(crate) fn grid_y(&mut self, write: impl Fn(f64) -> String) {
        let (from, to) = (self.frame.left, self.frame.width - self.frame.right);
        for tick in ticks(self.y, 5) {
            let y = self.to_y(tick);
            let class = if tick == 0.0 { "g0" } else { "g" };
            let _ = write!(
                self.body,
                "<path d=\"M{from:.1} {y:.1}H{to:.1}\" class=\"{class}\"/><text x=\"{:.1}\" y=\"{:.1}\" class=\"ay\">{}</text>",
                from - 7.0,
                y + 4.0,
                write(tick)
            );
        }
    }

    /// Writes round values below, and what they count.
    pub(crate) fn axis_x(&mut self, title: &str, write: impl Fn(f64) -> String) {
        let bottom = self.frame.height - Frame::BOTTOM;
        for tick in ticks(self.x, 4) {
            let x = self.to_x(tick);
            let _ = write!(
                self.body,
                "<path d=\"M{x:.1} {bottom:.1}v4\" class=\"g0\"/><text x=\"{x:.1}\" y=\"{:.1}\" class=\"ax\">{}</text>",
                bottom + 16.0,
                write(tick)
            );
        }
        let middle = (self.frame.left + self.frame.width - self.frame.right) / 2.0;
        self.text(middle, self.frame.height - 3.0, "ax at", title);
    }

    /// Draws a line through points.
    pub(crate) fn line(&mut self, points: &[(f64, f64)], class: &str, more: &str) {
        let way: Vec<_> =
            points.iter().map(|(x, y)| format!("{:.1} {:.1}", self.to_x(*x), self.to_y(*y))).collect();
        if !way.is_empty() {
            let _ = write!(self.body, "<path d=\"M{}\" class=\"{class}\"{more}/>", way.join("L"));
        }
    }

    /// Draws a bar between two values on each axis, with what it says to those who point at it.
    pub(crate) fn bar(&mut self, x: (f64, f64), y: (f64, f64), class: &str, title: &str) {
        let (left, right) = (self.to_x(x.0), self.to_x(x.1));
        let (top, bottom) = (self.to_y(y.1), self.to_y(y.0));
        let _ = write!(
            self.body,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" class=\"{class}\"><title>{}</title></rect>",
            (right - left).max(0.5),
            (bottom - top).max(0.5),
            escape(title)
        );
    }

    /// Draws a point.
    pub(crate) fn dot(&mut self, x: f64, y: f64, radius: f64, class: &str, title: &str) {
        let (x, y) = (self.to_x(x), self.to_y(y));
        let _ = write!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" class=\"{class}\"><title>{}</title></circle>",
            escape(title)
        );
    }

    /// Writes at a point of the picture, not of the scales.
    pub(crate) fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        let _ =
            write!(self.body, "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>", escape(text));
    }

    /// Writes a name, without its middle if it is longer than `most` letters; its tooltip has all of it.
    pub(crate) fn name(&mut self, x: f64, y: f64, class: &str, name: &str, most: usize) {
        let (short, whole) = (escape(&middle_cut(name, most)), escape(name));
        let _ = write!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{short}<title>{whole}</title></text>"
        );
    }

    /// Names lines at the right, each as near to its end as the others let it.
    pub(crate) fn name_lines(&mut self, names: &[(f64, String, String)]) {
        const GAP: f64 = 15.0;
        let mut places: Vec<(f64, &str, &str)> =
            names.iter().map(|(y, class, name)| (self.to_y(*y), class.as_str(), name.as_str())).collect();
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        for index in 1..places.len() {
            places[index].0 = places[index].0.max(places[index - 1].0 + GAP);
        }
        let lowest = self.frame.height - Frame::BOTTOM + 4.0;
        let mut limit = lowest;
        for place in places.iter_mut().rev() {
            place.0 = place.0.min(limit);
            limit = place.0 - GAP;
        }
        let x = self.frame.width - self.frame.right + 8.0;
        let all: Vec<_> =
            places.iter().map(|(y, class, name)| (*y, (*class).to_owned(), (*name).to_owned())).collect();
        for (y, class, name) in all {
            let _ = write!(self.body, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" class=\"{class} f\"/>");
            self.name(x + 9.0, y + 4.0, "an", &name, 14);
        }
    }

    /// Returns the picture, described for those who do not see it.
    pub(crate) fn finish(self, description: &str) -> String {
        format!(
            "<svg viewBox=\"0 0 {:.0} {:.0}\" class=\"chart\" role=\"img\" aria-label=\"{}\">{}</svg>",
            self.frame.width,
            self.frame.height,
            escape(description),
            self.body
        )
    }
}

/// Returns about `count` round values within a range.
fn ticks((low, high): (f64, f64), count: usize) -> Vec<f64> {
    let rough = (high - low) / count as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|step| *step >= rough * 0.999);
    let step = step.unwrap_or(power);
    let first = (low / step).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|number| number as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks((0.0, 84.0), 6), [0.0, 20.0, 40.0, 60.0, 80.0]);
        assert_eq!(ticks((-236.0, 277.0), 5), [-200.0, 0.0, 200.0]);
        assert!(ticks((0.0, 1.0), 5).len() >= 5);
    }

    #[test]
    fn hostile_text_stays_text() {
        let mut chart = Chart::new(Frame::HALF, (0.0, 1.0), (0.0, 1.0));
        chart.text(0.0, 0.0, "x", "<img src=x onerror=alert(1)>");
        chart.dot(0.0, 0.0, 1.0, "x", "\"><script>");
        let svg = chart.finish("\" onload=\"x");
        assert!(!svg.contains("<img") && !svg.contains("<script") && !svg.contains("\" onload"), "{svg}");
    }
}
