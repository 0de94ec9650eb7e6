//! What the server sends to pages: the picture of a run, and the list of runs, each as one line of JSON.

use std::borrow::Cow;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use diagnostic::output::{count, span};
use live::{GameState, LiveBot, LiveStanding, LiveState, LiveWorker, SearchState};
use page::{ListedRun, Stage, thinking_time};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use protocol::{printable, printable_capped};
use record::{Exits, GameRecord, JournalLine, PlyRecord, SeatExit};
use rules::{Catalogue, Seat};
use serde_json::{Value, json};

use super::run_index::{RunDigest, RunIndex};
use super::upcoming::others;

/// How many games that have ended are shown.
const LATEST: usize = 12;

/// The most plies of ended games that are replayed for one picture: the ends of earlier games are left out.
const PLIES: usize = 600;

/// How much of the end of a journal is looked at for them, in bytes.
const TAIL: u64 = 512 * 1024;

/// How many faults are shown.
const FAULTS: usize = 10;

/// How many characters of what a bot said are shown.
const WORDS: usize = 160;

/// A picture.
#[derive(Clone, Debug)]
pub(crate) struct PictureText {
    /// What tells it from others.
    pub mark: String,
    /// It, as JSON in one line.
    pub text: String,
}

/// A run as it stands, with all that pages show of it.
#[derive(Debug)]
pub(crate) struct RunSnapshot {
    /// Its picture.
    pub seen: PictureText,
    /// How long its journal was, in bytes.
    pub length: u64,
    /// Whether an arena holds it: a run begins a little before its first picture and ends a little after the last one.
    pub is_on: bool,
    /// What is to be known of its journal; none where that cannot be read.
    pub summary: Option<Arc<RunDigest>>,
    /// Its row in a list of runs.
    pub row: ListedRun,
}

/// The mark of a run that is gone.
const GONE: &str = "gone";

/// The picture of one run.
#[derive(Debug)]
pub(crate) struct RunWatcher {
    run_index: Arc<RunIndex>,
    name: String,
}

impl RunWatcher {
    pub(crate) const fn new(run_index: Arc<RunIndex>, name: String) -> Self {
        Self { run_index, name }
    }

    /// Looks at the run. `None` where nothing has changed since the picture with this mark.
    pub(crate) fn look(&self, before: Option<&str>) -> Option<PictureText> {
        let Some(snapshot) = self.snapshot(before) else {
            let is_gone = self.run_index.directory(&self.name).is_none();
            let seen = || PictureText { mark: GONE.to_owned(), text: gone("the run is gone").to_string() };
            return (is_gone && before != Some(GONE)).then(seen);
        };
        Some(snapshot.seen)
    }

    /// Looks at the run. `None` where it is gone, and where nothing has changed since the picture with this mark.
    pub(crate) fn snapshot(&self, before: Option<&str>) -> Option<RunSnapshot> {
        let directory = self.run_index.directory(&self.name)?;
        // A picture that cannot be read now is read half a second later.
        let state = live::read(&directory).ok().flatten();
        let length = std::fs::metadata(directory.join(record::JOURNAL)).map_or(0, |metadata| metadata.len());
        let is_on = state.is_some() || live::is_in_use(&directory).unwrap_or(false);
        let mark = mark(state.as_ref(), is_on, length);
        if before == Some(mark.as_str()) {
            return None;
        }
        let summary = self.run_index.summary(&self.name, &directory, state.is_some());
        let value = match &summary {
            Ok(summary) => {
                let latest = latest(&directory, LATEST);
                match &state {
                    Some(state) => running(state, summary, &latest),
                    None => at_rest(summary, &latest, is_on),
                }
            }
            Err(words) => gone(words),
        };
        let row = row(self.name.clone(), state.as_ref(), summary.as_deref());
        let seen = PictureText { mark, text: value.to_string() };
        Some(RunSnapshot { seen, length, is_on, summary: summary.ok(), row })
    }
}

/// Returns what tells this state from others: everything but when it was told.
fn mark(state: Option<&LiveState>, is_on: bool, length: u64) -> String {
    let state = state.map(|state| LiveState { written: 0, ..state.clone() });
    format!("{length} {is_on} {}", serde_json::to_string(&state).unwrap_or_default())
}

fn gone(words: &str) -> Value {
    nothing("unknown", words)
}

/// Returns the picture of a run about which nothing is known yet, for this reason.
pub(crate) fn waiting(words: &str) -> String {
    nothing("waiting", words).to_string()
}

fn nothing(stage: &str, words: &str) -> Value {
    json!({
        "summary": printable_capped(words, WORDS), "stage": stage, "progress": "", "share": null, "note": null, "games": [],
        "ended": [], "upcoming": { "next": [], "words": "" }, "standings": [], "record": LiveStanding::record_title(&[]), "latest": [], "faults": [],
        "workers": [], "isOn": false, "concurrency": null,
    })
}

fn running(state: &LiveState, summary: &RunDigest, latest: &[GameRecord]) -> Value {
    let counts = state.counts;
    let recorded = counts.before + counts.done;
    let total = counts.before + counts.total;
    let mut progress =
        format!("{recorded} of {} recorded, {} in progress", count(total, "game"), counts.running);
    if let Some(speed) = state.pace.games_per_second {
        progress += &format!(", {speed:.1} games/s");
    }
    if let Some(left) = state.pace.seconds_left {
        let at_most = if state.pace.is_upper_bound { "at most" } else { "about" };
        progress += &format!(", {at_most} {} left", span(left));
    }
    let notes: Vec<_> = [state.test.as_ref().map(|test| test.line.as_str()), state.note.as_deref()]
        .into_iter()
        .flatten()
        .map(printable)
        .collect();
    let faults = state.faults.iter().rev().take(FAULTS).map(|fault| {
        json!([
            fault.game,
            printable(&fault.bot),
            printable(&fault.reason),
            printable_capped(&fault.detail, 300)
        ])
    });
    json!({
        "summary": format!("{} · {} · {}", printable(&state.format), count(state.standings.len() as u64, "bot"), count(recorded, "game")),
        "stage": state.stage,
        "progress": progress,
        "share": if total > 0 { recorded as f64 / total as f64 } else { 0.0 },
        "note": (!notes.is_empty()).then(|| notes.join(" · ")),
        "upcoming": summary.upcoming.value(&state.games.iter().map(|game| game.number).collect::<Vec<_>>(), latest),
        "games": state.games.iter().map(|game| in_progress(game, summary)).collect::<Vec<_>>(),
        "ended": ends(latest, &summary.catalogue),
        "standings": state.standings.iter().map(standing).collect::<Vec<_>>(),
        "record": LiveStanding::record_title(&state.standings),
        "workers": state.workers.iter().map(worker).collect::<Vec<_>>(),
        "latest": latest.iter().map(ended).collect::<Vec<_>>(),
        "faults": faults.collect::<Vec<_>>(),
        "isOn": true,
        "concurrency": state.concurrency,
    })
}

/// Returns the picture of a run that nobody plays. An arena holds it nevertheless (`is_held`) while it begins and while it writes its
/// tables.
fn at_rest(summary: &RunDigest, latest: &[GameRecord], is_held: bool) -> Value {
    let rows: Vec<_> = summary.rows.iter().map(LiveStanding::of).collect();
    json!({
        "summary": format!("{} · {} · {}", printable(&summary.format), count(rows.len() as u64, "bot"), count(summary.games as u64, "game")),
        "stage": rest(summary),
        "progress": if summary.is_short { "more games were asked for: the same command continues" } else { "everything is played" },
        "share": null,
        "note": null,
        "games": [],
        "upcoming": summary.upcoming.value(&[], latest),
        "ended": ends(latest, &summary.catalogue),
        "standings": rows.iter().map(standing).collect::<Vec<_>>(),
        "record": LiveStanding::record_title(&rows),
        "workers": [],
        "latest": latest.iter().map(ended).collect::<Vec<_>>(),
        "faults": [],
        "isOn": false,
        "isHeld": is_held,
        "concurrency": null,
    })
}

/// Says how a run stands that is not being played.
fn rest(summary: &RunDigest) -> &'static str {
    if summary.is_short { "stopped" } else { "finished" }
}

/// Returns a game that is being played.
fn in_progress(game: &GameState, summary: &RunDigest) -> Value {
    let plies: Vec<_> = game.plies.iter().map(|ply| ply.ply.as_str()).collect();
    let board = summary.labels.iter().position(|label| *label == game.label);
    let stage = board.and_then(|_| Stage::named(&game.label, &summary.catalogue));
    let bot = |bot: &LiveBot| json!({ "name": printable(&bot.name), "tc": printable(&bot.tc) });
    json!({
        "number": game.number,
        "slot": game.slot,
        "label": printable(&game.label),
        "board": stage.as_ref().and(board),
        "view": stage.as_ref().and_then(|stage| stage.view(game.start.as_deref(), &plies, &game.exits())),
        "bots": game.bots.iter().map(bot).collect::<Vec<_>>(),
        "plies": plies.len(),
        "last": plies.last().map(|ply| printable(ply)),
        "seat": game.seat,
        "since": game.since,
        "clocks": game.clocks,
        "search": searches(game),
        "scores": game.plies.iter().map(scored).collect::<Vec<_>>(),
    })
}

/// Returns a row of the table of workers.
fn worker(worker: &LiveWorker) -> Value {
    let stage = match &worker.why {
        Some(why) => format!("{}: {}", worker.stage.word(), printable_capped(why, 100)),
        None => worker.stage.word().to_owned(),
    };
    json!([
        printable(&worker.name),
        stage,
        worker.playing,
        worker.waiting,
        worker.pairs,
        worker.pair_seconds.map(|seconds| format!("{seconds:.1} s")),
        worker.late,
        worker.duplicates,
        worker.faults,
    ])
}

/// Returns a ply with the score that its bot told: `[seat, centipawns, mate]`.
fn scored(ply: &PlyRecord) -> Value {
    let info = ply.info.as_ref();
    json!([ply.seat, info.and_then(|info| info.cp), info.and_then(|info| info.mate)])
}

/// Returns the ends of games, the last one first, as far as they can be worked out at no great cost.
fn ends(latest: &[GameRecord], catalogue: &Catalogue) -> Vec<Value> {
    let mut plies = 0;
    let is_cheap = |game: &&GameRecord| {
        let before = plies;
        plies += game.plies.len();
        before < PLIES
    };
    latest.iter().take_while(is_cheap).map(|game| end(game, catalogue)).collect()
}

/// Returns the end of a game, for the place where it was shown until then.
fn end(game: &GameRecord, catalogue: &Catalogue) -> Value {
    let plies: Vec<_> = game.plies.iter().map(|ply| ply.ply.as_str()).collect();
    json!({
        "number": game.number,
        "view": Stage::named(&game.label, catalogue)
            .and_then(|stage| stage.view(game.start.as_deref(), &plies, &Exits::of(game))),
        "plies": plies.len(),
        "words": end_words(game),
        "winner": game.result.winner().map(Seat::index),
    })
}

/// Says how a game ended, without who won.
pub(super) fn end_words(game: &GameRecord) -> String {
    let words = match game.result {
        record::GameResult::P1Win | record::GameResult::P2Win => "won".to_owned(),
        record::GameResult::Draw => "drawn".to_owned(),
        record::GameResult::None => "no result".to_owned(),
        record::GameResult::Places(places) => format!("places {places}"),
    };
    format!("{words}: {}", game.reason)
}

/// Returns a result as tables write it.
pub(super) fn result_mark(game: &GameRecord) -> Cow<'static, str> {
    match game.result {
        record::GameResult::P1Win => "1–0".into(),
        record::GameResult::P2Win => "0–1".into(),
        record::GameResult::Draw => "½–½".into(),
        record::GameResult::None => "*".into(),
        record::GameResult::Places(places) => places.to_string().into(),
    }
}

/// Returns what a bot said last of its search, in a line.
fn said(search: &SearchState) -> String {
    let mut parts = Vec::new();
    parts.push(score(search.mate, search.cp));
    parts.retain(|part| !part.is_empty());
    parts.extend(search.depth.map(|depth| format!("depth {depth}")));
    parts.extend(search.nodes.map(|nodes| count(nodes, "node")));
    if !search.pv.is_empty() {
        parts.push(search.pv.join(" "));
    }
    parts.extend(search.text.clone());
    printable_capped(&parts.join(" · "), WORDS)
}

/// Says of each seat how it went out, or what its bot said last about its search.
pub(super) fn searches(game: &GameState) -> Vec<Option<String>> {
    let seat = |(seat, search): (usize, &Option<SearchState>)| {
        game.out(seat).map(out_words).or_else(|| search.as_ref().map(said))
    };
    game.search.iter().enumerate().map(seat).collect()
}

/// Says how a seat went out before the others.
pub(super) fn out_words(exit: &SeatExit) -> String {
    let detail = exit.detail.as_deref().map(|detail| format!(" · {detail}")).unwrap_or_default();
    printable_capped(&format!("out: {}{detail}", exit.reason), WORDS)
}

/// Returns a score as people write it: `+0.35`, or `#3` for a win in three turns.
pub(super) fn score(mate: Option<i64>, cp: Option<i64>) -> String {
    let text = match (mate, cp) {
        (Some(mate), _) => format!("#{mate}"),
        (None, Some(cp)) => format!("{:+.2}", cp as f64 / 100.0),
        (None, None) => String::new(),
    };
    text.replace('-', "−")
}

fn standing(row: &LiveStanding) -> Value {
    let share = row.mean_score().map_or_else(|| "–".to_owned(), |score| format!("{:.1}%", score * 100.0));
    json!([
        row.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
        printable(&row.bot),
        row.elo.map_or_else(|| "–".to_owned(), |elo| format!("{elo:+.0}").replace('-', "−")),
        share,
        row.games,
        row.record(),
        row.faults,
        row.mean_ms.map_or_else(String::new, |ms| thinking_time((ms * 1000.0) as u64)),
    ])
}

fn ended(game: &GameRecord) -> Value {
    json!([
        game.number,
        printable(&game.seats[0].bot),
        others(game.seats.iter().map(|seat| &*seat.bot)),
        result_mark(game),
        game.reason.to_string(),
        printable(&game.label),
        game.plies.len(),
    ])
}

/// Returns at most this many games from the end of a journal, the last one first.
pub(super) fn latest(directory: &Path, most: usize) -> Vec<GameRecord> {
    let read = || -> std::io::Result<(Vec<u8>, bool)> {
        let mut file = record::open_regular(&directory.join(record::JOURNAL))?;
        let length = file.metadata()?.len();
        let start = length.saturating_sub(TAIL);
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.take(TAIL).read_to_end(&mut bytes)?;
        Ok((bytes, start == 0))
    };
    let Ok((bytes, is_whole)) = read() else { return Vec::new() };
    // The first line may have lost its begin, and the last one is still being written where no line end follows.
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').skip(usize::from(!is_whole));
    let lines: Vec<_> = lines.filter(|line| line.ends_with(b"\n")).collect();
    let games = lines.iter().rev().filter_map(|line| match JournalLine::parse(line) {
        Ok(JournalLine::Game(game)) => Some(*game),
        Ok(JournalLine::Run(_) | JournalLine::Void(_)) | Err(_) => None,
    });
    games.take(most).collect()
}

/// Returns the list of runs.
pub(crate) fn runs(run_index: &RunIndex) -> Vec<ListedRun> {
    let names = run_index.names().unwrap_or_default();
    names.into_iter().map(|name| listed(run_index, name)).collect()
}

/// Looks at all runs. `None` where nothing has changed since the list with this mark.
pub(crate) fn list(run_index: &RunIndex, before: Option<&str>) -> Option<PictureText> {
    let runs: Vec<_> = runs(run_index).iter().map(ListedRun::value).collect();
    let text = Value::Array(runs).to_string();
    (before != Some(text.as_str())).then(|| PictureText { mark: text.clone(), text })
}

fn listed(run_index: &RunIndex, name: String) -> ListedRun {
    let Some(directory) = run_index.directory(&name) else {
        let (state, games) = ("gone".to_owned(), "–".to_owned());
        return ListedRun { link: link(&name), name, state, games, about: String::new() };
    };
    match live::read(&directory).ok().flatten() {
        Some(state) => row(name, Some(&state), Err(&String::new())),
        None => {
            let summary = run_index.summary(&name, &directory, false);
            row(name, None, summary.as_deref())
        }
    }
}

fn link(name: &str) -> String {
    format!("/runs/{}/", utf8_percent_encode(name, NON_ALPHANUMERIC))
}

/// Returns the row of a run: of its state while it is in progress, otherwise of its journal.
fn row(name: String, state: Option<&LiveState>, summary: Result<&RunDigest, &String>) -> ListedRun {
    let (state, games, about) = match (state, summary) {
        (Some(state), _) => {
            let counts = state.counts;
            let stage = serde_json::to_value(state.stage).ok();
            let stage = stage.as_ref().and_then(Value::as_str).unwrap_or("running").to_owned();
            let games = format!("{} of {}", counts.before + counts.done, counts.before + counts.total);
            (stage, games, format!("{}, {}", state.format, count(state.standings.len() as u64, "bot")))
        }
        (None, Ok(summary)) => {
            let bots = count(summary.rows.len() as u64, "bot");
            let about = format!("{}, {bots}, {}", summary.format, summary.labels.join(", "));
            (rest(summary).to_owned(), summary.games.to_string(), about)
        }
        (None, Err(words)) => ("unreadable".to_owned(), "–".to_owned(), words.clone()),
    };
    ListedRun { link: link(&name), name, state, games, about }
}
