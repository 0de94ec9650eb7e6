//! A comparison as text and as Markdown: the same tables.

use protocol::printable;
use record::Termination;

use crate::compare::{BotChange, Comparison, FaultCount, SIGNIFICANT};
use crate::tables::notes;
use crate::writing::columns::aligned_elo;
use crate::writing::markdown;
use crate::writing::number::{p_value, percent, range, short_milliseconds, signed};
use crate::writing::sheet::{Cell, Kind, Sheet};
use crate::{Look, sentences};

impl Comparison {
    /// Returns the text for a terminal: the verdict, then the tables.
    #[must_use]
    pub fn to_text(&self, look: &Look) -> String {
        let mut out = notes::wrapped(&self.verdict(), look);
        for (title, sheet) in self.tables(look) {
            out.push_str(&format!("\n{title}\n\n{}", sheet.text(look)));
        }
        format!("{out}\n{}", notes::wrapped(&self.notes(), look))
    }

    /// Returns the same as Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut verdict = self.verdict();
        let mut out = format!("**{}**\n", markdown::safe(&verdict.remove(0)));
        out.push_str(&markdown::list(&verdict));
        for (title, sheet) in self.tables(&Look::plain(usize::MAX)) {
            out.push_str(&format!("\n**{title}**\n\n{}", sheet.markdown()));
        }
        out + &markdown::paragraphs(&self.notes())
    }

    /// Returns paragraphs that explain the columns and the model.
    #[must_use]
    pub fn explanation(&self) -> Vec<String> {
        sentences::paragraphs(sentences::COMPARE)
    }

    /// Returns [`Self::explanation`] as paragraphs of Markdown, each after an empty line.
    #[must_use]
    pub fn explanation_markdown(&self) -> String {
        markdown::paragraphs(&self.explanation())
    }

    /// Returns the answer, then the significant changes.
    fn verdict(&self) -> Vec<String> {
        let findings = self.findings();
        let answer = match (findings.is_empty(), self.is_comparable()) {
            (false, _) => "Significant changes:",
            (true, true) => "Nothing significant changed.",
            (true, false) => "Nothing can be compared: no two bots met in the same game in both runs.",
        };
        [answer.to_owned()].into_iter().chain(findings).collect()
    }

    fn tables(&self, look: &Look) -> Vec<(&'static str, Sheet)> {
        let mut tables = Vec::new();
        if !self.setup.is_empty() {
            tables.push(("Settings that differ", self.setup_sheet()));
        }
        let has_strength = |bot: &BotChange| bot.games.iter().any(|game| game.elo.is_some());
        if self.bots.iter().any(has_strength) {
            tables.push(("Strength over all games", self.overall_sheet()));
            tables.push(("Strength in each game", self.games_sheet(look)));
        }
        if !self.bots.is_empty() {
            tables.push(("Faults and time", self.conduct_sheet()));
        }
        tables
    }

    fn setup_sheet(&self) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.column("what", Kind::Name, 0);
        sheet.column("before", Kind::Name, 0);
        sheet.column("after", Kind::Name, 0);
        for change in &self.setup {
            let value = |text: &String| if text.is_empty() { "-".to_owned() } else { text.clone() };
            sheet.row(vec![
                change.what.clone().into(),
                value(&change.before).into(),
                value(&change.after).into(),
            ]);
        }
        sheet
    }

    fn overall_sheet(&self) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.column("bot", Kind::Name, 0);
        sheet.column("games", Kind::Figure, 3);
        sheet.column("Elo change", Kind::Figure, 0);
        sheet.column("95% interval", Kind::Figure, 1);
        sheet.column("p adjusted", Kind::Figure, 0);
        sheet.column("I2", Kind::Figure, 4);
        sheet.column("next game", Kind::Figure, 5);
        for bot in &self.bots {
            let overall = bot.overall.as_ref();
            let told = |text: Option<String>| text.unwrap_or_default();
            sheet.row(vec![
                bot.name.clone().into(),
                bot.games.len().to_string().into(),
                told(overall.map(|overall| signed(overall.elo, 0))).into(),
                told(overall.map(|overall| range(&overall.interval, 0))).into(),
                overall.map_or_else(|| "".into(), |overall| p_cell(overall.p_holm)),
                percent(overall.filter(|overall| overall.games > 1).map(|overall| overall.i_squared)).into(),
                told(overall.and_then(|overall| Some(range(&overall.prediction?, 0)))).into(),
            ]);
        }
        sheet
    }

    fn games_sheet(&self, look: &Look) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.column("game", Kind::Name, 0);
        sheet.column("bot", Kind::Name, 0);
        sheet.column("games", Kind::Figure, 4);
        sheet.column("score before", Kind::Figure, 3);
        sheet.column("score after", Kind::Figure, 3);
        sheet.column("Elo change", Kind::Figure, 0);
        sheet.column("p", Kind::Figure, 2);
        sheet.column("p adjusted", Kind::Figure, 0);
        let mut rows: Vec<_> =
            self.bots.iter().flat_map(|bot| bot.games.iter().map(move |game| (bot, game))).collect();
        rows.sort_by(|(_, one), (_, two)| one.label.cmp(&two.label));
        let figures: Vec<_> =
            rows.iter().map(|(_, game)| (game.elo, game.error95, game.is_regularized)).collect();
        for ((bot, game), elo) in rows.into_iter().zip(aligned_elo(&figures, look)) {
            sheet.row(vec![
                game.label.clone().into(),
                bot.name.clone().into(),
                format!("{} / {}", game.games[0], game.games[1]).into(),
                percent(game.scores[0]).into(),
                percent(game.scores[1]).into(),
                elo.into(),
                game.p_value.map_or_else(String::new, p_value).into(),
                game.p_holm.map_or_else(|| "".into(), p_cell),
            ]);
        }
        sheet
    }

    fn conduct_sheet(&self) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.column("bot", Kind::Name, 0);
        sheet.column("faults before", Kind::Figure, 0);
        sheet.column("after", Kind::Figure, 0);
        sheet.column("p adjusted", Kind::Figure, 2);
        sheet.column("ms/ply before", Kind::Figure, 1);
        sheet.column("after", Kind::Figure, 1);
        sheet.column("change", Kind::Figure, 3);
        sheet.column("of clock before", Kind::Figure, 4);
        sheet.column("after", Kind::Figure, 4);
        for bot in &self.bots {
            let [before, after] = bot.time.map(|time| time.mean_ms());
            let growth = before.zip(after).filter(|(before, _)| *before > 0.0);
            let growth =
                growth.map_or_else(String::new, |(one, two)| signed(100.0 * (two / one - 1.0), 0) + "%");
            let has_faults = bot.faults.iter().any(|faults| faults.total() > 0);
            let mut cells: Vec<Cell> = vec![bot.name.clone().into()];
            cells.extend(bot.faults.map(|faults| Cell::from(format!("{}/{}", faults.total(), faults.games))));
            cells.push(if has_faults { p_cell(bot.faults_p_holm) } else { "".into() });
            cells.extend(
                [before, after].map(|ms| Cell::from(ms.map_or_else(String::new, short_milliseconds))),
            );
            cells.push(growth.into());
            cells.extend(bot.time.map(|time| Cell::from(percent(time.clock_share()))));
            sheet.row(cells);
        }
        sheet
    }

    /// Returns the notes on the reliability of the tables.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let [before, after] = [0, 1].map(|run: usize| {
            let name = match self.names[run].as_str() {
                "" => "unnamed".to_owned(),
                name => format!("`{}`", printable(name)),
            };
            format!("{name} with {} games", self.games[run])
        });
        notes.push(format!("Before: {before}; after: {after}."));
        let named = |bots: &[String]| {
            bots.iter().map(|bot| format!("`{}`", printable(bot))).collect::<Vec<_>>().join(", ")
        };
        for (bots, run) in self.only.iter().zip(["before", "after"]) {
            if !bots.is_empty() {
                notes.push(format!("Only in the run {run}: {}.", named(bots)));
            }
        }
        if self.bots.iter().any(|bot| !bot.games.is_empty()) {
            let of = if self.is_reference_unchanged {
                format!("the bots that are the same in both runs, {}", named(&self.reference))
            } else {
                "all bots of both runs, because none is the same".to_owned()
            };
            notes.push(format!(
                "Elo changes count from the mean of {of}; p is adjusted for all tests of this page, and significant up \
                 to {SIGNIFICANT}."
            ));
        }
        if self.bots.iter().any(|bot| bot.games.iter().any(|game| game.is_regularized)) {
            notes.push("~ marks figures held by a prior: the games hold no finite ones.".to_owned());
        }
        for (run, when) in ["before", "after"].into_iter().enumerate() {
            if self.repeated[run] > 0 {
                notes.push(format!(
                    "{} pairs of the run {when} repeat an earlier one ply for ply and are left out.",
                    self.repeated[run]
                ));
            }
            if self.uncounted[run] > 0 {
                notes.push(format!("{} games of the run {when} have no result.", self.uncounted[run]));
            }
        }
        for bot in &self.bots {
            let [before, after] = bot.faults.map(kinds);
            if before != after {
                notes.push(format!("Faults of `{}`: {before} before, {after} after.", printable(&bot.name)));
            }
        }
        if self.nodes.games > 0 {
            let deviated: u64 = self.nodes.deviations.values().map(|deviation| deviation.games).sum();
            notes.push(format!(
                "{} decisions of {} games, limited by nodes or depth alone and with the same plies before them, ought to be \
                 repeated: {}.",
                self.nodes.decisions,
                self.nodes.games,
                if deviated == 0 { "all were".to_owned() } else { format!("in {deviated} games one was not") }
            ));
        }
        if self.nodes.unmatched > 0 {
            notes.push(format!(
                "The node counts of {} games were not compared: too many games of one run wait for the other.",
                self.nodes.unmatched
            ));
        }
        notes
    }
}

/// Writes an adjusted p value, marked if it is significant.
fn p_cell(p: f64) -> Cell {
    if p <= SIGNIFICANT { Cell::warning(p_value(p) + " *") } else { p_value(p).into() }
}

/// Writes `2 timeout, 1 crash`.
fn kinds(faults: FaultCount) -> String {
    let kinds = Termination::FAULTS.iter().zip(faults.kinds).filter(|(_, count)| *count > 0);
    let kinds: Vec<_> = kinds.map(|(kind, count)| format!("{count} {kind}")).collect();
    if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") }
}
