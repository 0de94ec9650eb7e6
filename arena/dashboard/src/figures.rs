//! How figures and names are written on the screen.

use live::{Evaluation, GameState, SearchState};
use protocol::printable_capped;
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border::{PLAIN, Set};
use ratatui::text::Span;
use ratatui::widgets::Block;

/// Borders of ASCII characters.
const ASCII: Set<'static> = Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// What the terminal can show. Colours never say what the text does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Theme {
    /// Whether colours may be used.
    pub has_color: bool,
    /// Whether only ASCII characters may be used.
    pub is_ascii: bool,
}

impl Theme {
    /// Returns a frame with a title.
    pub(crate) fn frame(self, title: String) -> Block<'static> {
        let set = if self.is_ascii { ASCII } else { PLAIN };
        Block::bordered().border_set(set).title(title)
    }

    /// What stands out.
    pub(crate) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What is chosen.
    pub(crate) fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// What is to be noticed.
    pub(crate) fn alarm(self) -> Style {
        self.colored(Color::Red)
    }

    /// What waits.
    pub(crate) fn notice(self) -> Style {
        self.colored(Color::Yellow)
    }

    /// What goes well.
    pub(crate) fn good(self) -> Style {
        self.colored(Color::Green)
    }

    fn colored(self, color: Color) -> Style {
        if self.has_color { self.strong().fg(color) } else { self.strong() }
    }

    /// Returns a text of any origin, fit to be shown and cut to at most this many columns.
    pub(crate) fn text(self, text: &str, most: usize) -> String {
        let mut shown = printable_capped(text, most);
        // A wide character takes two columns.
        if columns(&shown) > most {
            while columns(&shown) >= most && shown.pop().is_some() {}
            shown.push('\u{2026}');
        }
        if self.is_ascii && shown.ends_with('\u{2026}') {
            shown.pop();
            shown.push('~');
        }
        shown
    }

    /// Returns a text as [`Theme::text`] does, filled up with spaces to exactly this many columns.
    pub(crate) fn field(self, text: &str, width: usize) -> String {
        let mut shown = self.text(text, width);
        shown.push_str(&" ".repeat(width.saturating_sub(columns(&shown))));
        shown
    }
}

/// Returns how many columns a text takes on a terminal.
pub(crate) fn columns(text: &str) -> usize {
    Span::raw(text).width()
}

/// Writes what a clock shows: `1:02:03`, `4:05`, `9.3`.
pub(crate) fn clock(millis: u64) -> String {
    let seconds = millis / 1000;
    match seconds {
        0..60 => format!("{seconds}.{}", millis % 1000 / 100),
        60..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

/// Writes the clock of a seat (0 or 1) as it stands now; where there is none, how long it has been thinking.
pub(crate) fn time(game: &GameState, seat: usize, now: i64) -> String {
    match game.clock_at(seat, now) {
        Some(millis) => clock(millis),
        None => match game.since.filter(|_| game.seat == Some(seat as u8 + 1)) {
            Some(since) => format!("+{}", clock(u64::try_from(now - since).unwrap_or(0))),
            None => String::new(),
        },
    }
}

/// Writes a score: `+0.34`, or `win 3`, `loss 2` in this many turns.
pub(crate) fn score(cp: Option<i64>, mate: Option<i64>) -> String {
    match (cp, mate) {
        (_, Some(turns)) if turns >= 0 => format!("win {turns}"),
        (_, Some(turns)) => format!("loss {}", turns.unsigned_abs()),
        (Some(cp), None) => format!("{:+.2}", cp as f64 / 100.0),
        (None, None) => String::new(),
    }
}

/// Writes what a game is worth for `p1`.
pub(crate) fn evaluation(evaluation: Option<Evaluation>) -> String {
    evaluation.map_or_else(String::new, |evaluation| score(evaluation.cp, evaluation.mate))
}

/// Writes a count shortly: `950`, `12.3k`, `4.5M`.
pub(crate) fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{:.1}k", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1}M", count as f64 / 1e6),
        _ => format!("{:.1}G", count as f64 / 1e9),
    }
}

/// Writes the figures of a search: `+0.34 depth 7 12.3k nodes 450.0k/s`.
pub(crate) fn search(search: &SearchState) -> String {
    let mut words = Vec::new();
    let value = score(search.cp, search.mate);
    if !value.is_empty() {
        let bound = match search.bound.as_deref() {
            Some("lower") => ">=",
            Some(_) => "<=",
            None => "",
        };
        words.push(format!("{bound}{value}"));
    }
    words.extend(search.depth.map(|depth| format!("depth {depth}")));
    words.extend(search.nodes.map(|nodes| format!("{} nodes", short(nodes))));
    words.extend(search.nps.map(|nps| format!("{}/s", short(nps))));
    words.extend(search.time.map(|time| format!("{} s", clock(time))));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_character_takes_two_columns_of_a_field() {
        let theme = Theme { has_color: false, is_ascii: false };
        for (text, width, expected) in [
            ("nova", 6, "nova  "),
            ("supernova", 6, "super\u{2026}"),
            ("日本", 6, "日本  "),
            ("日本語", 6, "日本語"),
            ("日本語ボット", 6, "日本\u{2026} "),
            ("日本語ボット", 7, "日本語\u{2026}"),
            ("日", 1, "\u{2026}"),
            ("日", 0, ""),
        ] {
            assert_eq!(theme.field(text, width), expected);
        }
    }

    #[test]
    fn figures_are_short_and_exact_enough() {
        assert_eq!(
            [0, 9_349, 59_999, 60_000, 3_723_000].map(clock),
            ["0.0", "9.3", "59.9", "1:00", "1:02:03"]
        );
        assert_eq!([999, 12_345, 4_500_000, 7_000_000_000].map(short), ["999", "12.3k", "4.5M", "7.0G"]);
        assert_eq!(score(Some(-5), None), "-0.05");
        assert_eq!([score(None, Some(3)), score(None, Some(-2))], ["win 3", "loss 2"]);
        let full = SearchState {
            depth: Some(7),
            cp: Some(34),
            bound: Some("lower".to_owned()),
            nodes: Some(12_345),
            nps: Some(450_000),
            time: Some(30),
            ..SearchState::default()
        };
        assert_eq!(search(&full), ">=+0.34 depth 7 12.3k nodes 450.0k/s 0.0 s");
        assert_eq!(search(&SearchState::default()), "");
    }
}
