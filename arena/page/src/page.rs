//! The page as a whole.

mod setup;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use askama::Template;
use record::{GameSummary, LineGame, PackedGames, RunSummary, Termination};
use report::{
    MachineResult, RunReport, Standings, Tally, attempts, count_of, has_uncounted, machine_notes,
    machine_results, void_summary,
};
use rules::Catalogue;
use serde_json::json;

use crate::charts::{self, GameCharts};
use crate::decisions::{Decisions, GameDecisions};
use crate::figures::signed;
use crate::games::{CHUNK, Chunk, Packing, Tables, index};
use crate::live::{Stage, drawer_of};
use crate::naming::{Naming, game_labels, name_markup, shown};
use crate::outcome::answer::Answer;
use crate::outcome::format_section::FormatSection;
use crate::page::setup::{BotLine, GameLine};
use crate::panel::Panel;
use crate::script;

/// How many games lost by faults are listed.
const MOST_FAULTS: usize = 200;

#[derive(Template)]
#[template(path = "report.html")]
struct Page {
    policy: String,
    style: String,
    script: &'static str,
    name: String,
    summary: String,
    theme: &'static str,
    answer: Answer,
    format: Option<FormatSection>,
    panels: Vec<Panel>,
    games: Vec<GameRow>,
    /// Whether any table has more than two seats.
    has_tables: bool,
    faults: Vec<FaultRow>,
    fault_kinds: Vec<KindRow>,
    more_faults: usize,
    /// What is said of games that were played again, if any were, and the first of them.
    void_note: Option<String>,
    void: Vec<FaultRow>,
    /// The results of each worker, of a run on many machines.
    machines: Vec<[String; 12]>,
    /// Whether the times of any worker were scaled: then they are shown.
    has_factors: bool,
    /// Whether anything of a worker counts nowhere: then it is shown how much.
    has_uncounted: bool,
    machine_notes: Vec<String>,
    settings: Vec<(&'static str, String)>,
    config_games: Vec<GameLine>,
    config_bots: Vec<BotLine>,
    data: String,
    symbols: String,
    backgrounds: String,
    /// The rules of the games, in a drawer.
    rules: String,
    index: String,
    chunks: Vec<String>,
    left_out: usize,
}

/// A row of the table of games.
struct GameRow {
    label: String,
    id: String,
    games: u64,
    scored: String,
    bar: String,
    advantage: String,
    drawn: String,
    plies: String,
}

/// A game that a bot lost by a fault.
struct FaultRow {
    number: u64,
    /// As markup.
    bot: String,
    /// Its seat, and its place among how many; said of tables of more than two seats.
    seat: String,
    place: String,
    reason: String,
    detail: String,
    game: String,
}

/// How often a bot lost games by each kind of fault.
struct KindRow {
    /// As markup.
    name: String,
    kinds: String,
    games: u64,
}

/// `report.html`: everything that is to be seen of a run, as one page that asks for nothing from anywhere. It is made of a
/// run and its games: their decisions are counted as [`GameDecisions`], and their replays worked out by [`PartReader`]s, both on any
/// number of threads; replays are taken by number.
///
/// Equal journals give equal bytes. It holds no line of any bot's standard error: anybody may read it.
pub struct ReportPage<'r, 'a> {
    run: &'r RunReport<'a>,
    names: Arc<Names>,
    decisions: GameDecisions,
    packing: Packing,
}

/// What games are called on the page, and their rules.
struct Names {
    labels: Vec<String>,
    catalogue: Catalogue,
}

/// Works out the replays of games.
#[derive(Clone)]
pub struct PartReader {
    names: Arc<Names>,
    tables: Tables,
}

/// The replays of games that follow each other.
pub struct PagePart {
    chunk: Chunk,
}

/// What a page needs of all games but their plies, such as the list of them and the ratings over time: any thread may work it out.
pub struct PageOverview<'r, 'a> {
    run: &'r RunReport<'a>,
    names: Arc<Names>,
}

/// The same as the page holds it, with what bots are called.
pub struct PackedOverview {
    naming: Naming,
    index: String,
    answer: Answer,
    /// Of all games, and of those of each label, by its number, if several were played.
    charts: BTreeMap<Option<usize>, GameCharts>,
}

impl PageOverview<'_, '_> {
    /// Works it out.
    #[must_use]
    pub fn pack(&self) -> PackedOverview {
        let labels = &self.names.labels;
        let (contents, tally) = (self.run.contents(), self.run.tally());
        let played = played(&contents.games, labels);
        let several = if played.len() > 1 { played } else { Vec::new() };
        let charts_of = |label: Option<usize>| {
            (label, GameCharts::of(contents, tally, label.map(|label| labels[label].as_str())))
        };
        let naming = Naming::of(tally.standings(None));
        let (index, answer, charts) = thread::scope(|scope| {
            let index = scope.spawn(|| index(contents.by_number(), labels, &naming));
            let charts = [None].into_iter().chain(several.into_iter().map(Some)).map(charts_of).collect();
            let answer = Answer::of(self.run);
            (index.join().unwrap_or_else(|panic| resume_unwind(panic)), answer, charts)
        });
        PackedOverview { naming, index, answer, charts }
    }
}

impl PartReader {
    /// How many games a part has; the last one may have fewer.
    pub const GAMES: usize = CHUNK;

    /// Returns the replays of some games.
    pub fn read(&mut self, games: &[LineGame<'_>]) -> PagePart {
        let labels = &self.names.labels;
        let label = |game: &LineGame<'_>| labels.iter().position(|label| *label == game.label);
        let games: Vec<_> = games.iter().filter_map(|game| Some((game, label(game)?))).collect();
        PagePart { chunk: Chunk::of(&games, &mut self.tables, &self.names.catalogue) }
    }
}

impl<'r, 'a> ReportPage<'r, 'a> {
    /// Begins the page of a run.
    #[must_use]
    pub fn new(run: &'r RunReport<'a>) -> Self {
        let names = Arc::new(Names {
            labels: game_labels(run.contents()),
            catalogue: run.contents().catalogue.clone(),
        });
        Self { run, names, decisions: GameDecisions::default(), packing: Packing::default() }
    }

    /// Returns a reader of games for this page.
    #[must_use]
    pub fn reader(&self) -> PartReader {
        PartReader { names: Arc::clone(&self.names), tables: Tables::default() }
    }

    /// Returns what works out the rest, for [`Self::finish`].
    #[must_use]
    pub fn overview(&self) -> PageOverview<'r, 'a> {
        PageOverview { run: self.run, names: Arc::clone(&self.names) }
    }

    /// Takes the next replays, by the numbers of their games. Returns whether more of them fit; what comes then is left out.
    pub fn push(&mut self, part: PagePart) -> bool {
        self.packing.push(part.chunk);
        !self.packing.is_full()
    }

    /// Takes what was counted of games.
    pub fn absorb(&mut self, decisions: GameDecisions) {
        self.decisions.absorb(decisions);
    }

    /// Returns the page, with its list of all games, as what writes it: as one text it would be in memory twice.
    #[must_use]
    pub fn finish(self, overview: PackedOverview) -> impl Display {
        let PackedOverview { naming, index, answer, mut charts } = overview;
        let Self { run: report, names, mut decisions, packing } = self;
        let (contents, tally) = (report.contents(), report.tally());
        let all = tally.standings(None);
        let labels = &names.labels;
        let played: Vec<(usize, &str)> = played(&contents.games, labels)
            .into_iter()
            .map(|number| (number, labels[number].as_str()))
            .collect();
        // The games of each label are shown and then counted with all others, which stand above them.
        let mut together = Decisions::default();
        let mut panel = |label: Option<usize>, decisions: &Decisions| {
            let games = charts.remove(&label)?;
            let label = label.map(|label| (label, labels[label].as_str()));
            Some(Panel::of(contents, tally, &naming, label, decisions, games))
        };
        let mut of_labels = Vec::new();
        for (number, label) in labels.iter().enumerate() {
            let decisions = decisions.take(label);
            of_labels.extend(panel(Some(number), &decisions));
            together.absorb(decisions);
        }
        let panels = panel(None, &together).into_iter().chain(of_labels).collect();
        let replays = packing.finish();
        let data = json!({
            "bots": naming.labels(),
            "labels": labels.iter().map(|label| shown(label)).collect::<Vec<_>>(),
            "boards": replays.boards,
            "chunk": crate::games::CHUNK,
            "games": contents.games.len(),
        });
        let (faults, more_faults) = faults(report);
        let (script, style) = (script::script(), script::style(""));
        let run = contents.runs.last();
        let workers = machine_results(contents);
        Page {
            policy: script::policy(script, &style),
            name: run.map_or_else(|| "Games".to_owned(), |run| shown(&run.config.name)),
            summary: summary(contents, all, played.len()),
            theme: script::THEME,
            answer,
            format: FormatSection::of(report, &naming),
            games: played.iter().map(|(number, label)| game_row(*number, label, tally)).collect(),
            fault_kinds: fault_kinds(all),
            faults,
            more_faults,
            void_note: void_summary(contents),
            void: void(contents),
            machines: machines(&workers),
            machine_notes: machine_notes(&workers).iter().map(|note| shown(note)).collect(),
            has_uncounted: has_uncounted(&workers),
            has_factors: contents
                .games
                .lineups()
                .any(|lineup| lineup.worker.as_ref().is_some_and(|worker| worker.factor.is_some())),
            settings: run.map(setup::settings).unwrap_or_default(),
            config_games: run.map(setup::games).unwrap_or_default(),
            config_bots: run.map(|run| setup::bots(contents, run)).unwrap_or_default(),
            // Within a script element nothing but this letter could end it.
            data: data.to_string().replace('<', "\\u003c"),
            symbols: format!("{}{}", board::Drawing::symbols(), board::mark_symbols()),
            backgrounds: replays.backgrounds,
            rules: drawer_of(
                &played.iter().map(|(_, label)| Stage::named(label, &contents.catalogue)).collect::<Vec<_>>(),
            ),
            index,
            left_out: contents.games.len() - replays.replayed,
            chunks: replays.chunks,
            has_tables: tally.standings(None).seats > 2,
            panels,
            style,
            script,
        }
    }
}

/// Returns the numbers of the labels with games.
fn played(games: &PackedGames, labels: &[String]) -> Vec<usize> {
    let is_played = |number: &usize| games.lineups().any(|lineup| lineup.ruleset.label == labels[*number]);
    (0..labels.len()).filter(is_played).collect()
}

fn summary(contents: &RunSummary, all: &Standings, labels: usize) -> String {
    let format = contents
        .runs
        .last()
        .map_or_else(String::new, |run| format!("{} \u{b7} ", shown(&run.config.format.to_string())));
    let state = if all.is_live { ", more to come" } else { "" };
    format!(
        "{format}{} \u{b7} {} \u{b7} {} played{state}",
        count_of(all.rows.len() as u64, "bot"),
        count_of(labels as u64, "ruleset"),
        count_of(contents.games.len() as u64, "game")
    )
}

fn game_row(number: usize, label: &str, tally: &Tally<'_>) -> GameRow {
    let standings = tally.standings(Some(label));
    let advantage = standings.advantage.as_ref();
    let share =
        |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |share| format!("{:.1}%", share * 100.0));
    let (first, drawn) = (advantage.and_then(|all| all.first_score), advantage.and_then(|all| all.draw_rate));
    let written = |elo: Option<f64>, error: Option<f64>, is_regularized: bool| {
        let Some(elo) = elo else { return "–".to_owned() };
        let mark = if is_regularized { "~" } else { "" };
        let error = error.filter(|_| !standings.is_live);
        format!("{mark}{}{}", signed(elo), error.map_or_else(String::new, |error| format!(" ± {error:.0}")))
    };
    // At larger tables the figures of every seat.
    let seats = advantage.filter(|_| standings.seats > 2).map_or(&[][..], |all| &all.seats);
    let of_seats = |figure: &dyn Fn(usize) -> String| {
        let figures = (0..seats.len()).map(|seat| format!("p{} {}", seat + 1, figure(seat)));
        figures.collect::<Vec<_>>().join(", ")
    };
    GameRow {
        label: shown(label),
        id: format!("game-{number}"),
        games: standings.games,
        scored: match seats {
            [] => share(first),
            _ => of_seats(&|seat| share(seats[seat].score)),
        },
        bar: match seats {
            [] => first.zip(drawn).map_or_else(String::new, |(first, drawn)| charts::seat_bar(first, drawn)),
            _ => charts::table_bar(&seats.iter().map(|seat| seat.score).collect::<Vec<_>>()),
        },
        advantage: match (seats, advantage) {
            (_, None) => "–".to_owned(),
            ([], Some(all)) => written(all.elo, all.error95, all.is_regularized),
            (_, Some(all)) => {
                of_seats(&|seat| written(seats[seat].elo, seats[seat].error95, all.is_regularized))
            }
        },
        drawn: share(drawn),
        plies: format!("{:.1}", standings.mean_plies()),
    }
}

/// Returns the games lost by faults, and how many more there are.
fn faults(run: &RunReport<'_>) -> (Vec<FaultRow>, usize) {
    let row = |game: &GameSummary<'_>, seat: rules::Seat, fault: Termination| FaultRow {
        number: game.number,
        bot: name_markup(&shown(&game.seats()[seat].bot)),
        seat: seat.to_string(),
        place: game
            .result
            .place(seat)
            .map_or_else(String::new, |place| format!("{place} of {}", game.seats().len())),
        reason: fault.to_string(),
        detail: shown(game.fault_words(seat).unwrap_or_default()),
        game: shown(game.label()),
    };
    let (mut rows, mut more) = (Vec::new(), 0);
    for game in run.incidents() {
        for (seat, fault) in game.faults() {
            match rows.len() < MOST_FAULTS {
                true => rows.push(row(&game, seat, fault)),
                false => more += 1,
            }
        }
    }
    (rows, more)
}

/// Returns the games that were played again.
fn void(contents: &RunSummary) -> Vec<FaultRow> {
    let row = |(attempt, game): (u32, &GameSummary<'_>)| FaultRow {
        number: game.number,
        bot: game
            .faults()
            .next()
            .map_or_else(String::new, |(seat, _)| name_markup(&shown(&game.seats()[seat].bot))),
        seat: String::new(),
        place: String::new(),
        reason: format!("attempt {attempt}"),
        detail: shown(game.detail().unwrap_or_default()),
        game: shown(game.label()),
    };
    attempts(contents).take(MOST_FAULTS).map(row).collect()
}

/// Returns the cells of the table of workers.
fn machines(results: &[MachineResult]) -> Vec<[String; 12]> {
    let none = || "\u{2013}".to_owned();
    let percent = |share: Option<f64>| share.map_or_else(none, |share| format!("{:.1}%", share * 100.0));
    let row = |result: &MachineResult| {
        let p = match result.p {
            Some(p) if p < 0.0001 => "< 0.0001".to_owned(),
            Some(p) => format!("{p:.4}"),
            None => none(),
        };
        [
            shown(&result.worker),
            result.games.to_string(),
            percent(result.first_score),
            percent(result.drawn),
            result.timeouts.to_string(),
            result.other_faults.to_string(),
            result.seconds.map_or_else(none, |seconds| format!("{seconds:.1}")),
            result.factor_text(),
            result.uncounted.late.to_string(),
            result.uncounted.duplicates.to_string(),
            result.uncounted.failed.to_string(),
            if result.is_marked() { format!("{p} !") } else { p },
        ]
    };
    results.iter().map(row).collect()
}

fn fault_kinds(standings: &Standings) -> Vec<KindRow> {
    let rows = standings.rows.iter().filter(|row| row.fault_count() > 0);
    rows.map(|row| {
        let kinds = Termination::FAULTS.iter().zip(row.faults).filter(|(_, count)| *count > 0);
        let kinds: Vec<_> = kinds.map(|(kind, count)| format!("{count} {kind}")).collect();
        KindRow { name: name_markup(&row.label), kinds: kinds.join(", "), games: row.games() }
    })
    .collect()
}
