//! Results by machine: the games of each worker in a run on many machines, and whether its results match those of the others.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use protocol::printable;
use record::{GameResult, GameSummary, RunSummary, Termination, Uncounted, UncountedGame};
use rules::Seat;
use settings::TimeFactor;
use stats::{Stratum, holm, part_p_value};

use crate::tables::notes;
use crate::writing::number::{count_of, fixed, p_value, percent};
use crate::writing::sheet::{Cell, Kind, Sheet};
use crate::{Look, RunReport};

/// The adjusted p value below which a worker is marked: one run of honest workers in a hundred has such a worker.
const LEVEL: f64 = 0.01;

/// The note below the table.
pub const MACHINES_NOTE: &str = "`p` compares the scores of a worker with those of the same meetings on all others, adjusted for the \
    number of workers. `!` marks a p below 0.01: look at these games before you trust them. Nothing was left out.";

/// What is said of the column `times`.
pub const TIMES_NOTE: &str = "`times` is by how much clocks were longer there than the time control says, since the bots think more slowly.";

/// What is said of the columns of what counts nowhere.
const UNCOUNTED_NOTE: &str = "`late` counts pairs whose results came when the run had stopped, `duplicate` those of which another \
    attempt counts, `failed` attempts at pairs that failed. Nothing of this is in any other figure.";

/// The results of one worker.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineResult {
    /// The worker's name.
    pub worker: String,
    /// The number of games with a result.
    pub games: u64,
    /// The mean score of the first seat, 0 to 1; `None` without games.
    pub first_score: Option<f64>,
    /// The share of draws, 0 to 1; `None` without games.
    pub drawn: Option<f64>,
    /// How many of these games were lost on time.
    pub timeouts: u64,
    /// How many of these games were lost by other faults.
    pub other_faults: u64,
    /// The mean time of a game, in seconds; `None` without games.
    pub seconds: Option<f64>,
    /// What the worker has played or tried that counts nowhere.
    pub uncounted: UncountedTally,
    /// By how much times were longer there than the time control says, at the least and at the most; `None` where that was not measured.
    pub factors: Option<[TimeFactor; 2]>,
    /// The p value of [`part_p_value`], adjusted for the number of workers; `None` if no other worker played the same meetings.
    pub p: Option<f64>,
}

/// How much of what a worker has played or tried counts nowhere, in pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UncountedTally {
    /// Results that came when the run had stopped.
    pub late: u64,
    /// Results of pairs of which another attempt counts.
    pub duplicates: u64,
    /// Attempts that failed, stood still or did not hold.
    pub failed: u64,
    /// What came last of all that failed: the pair, and what happened.
    pub last_failure: Option<(u64, String)>,
    /// Why it got no further pairs, each time, with the pair at which that was so.
    pub set_aside: Vec<(u64, String)>,
}

impl UncountedTally {
    /// Returns how many pairs counted nowhere: late, as duplicates, and failed.
    const fn counts(&self) -> [u64; 3] {
        [self.late, self.duplicates, self.failed]
    }
}

impl MachineResult {
    /// Returns whether its results differ from those of the others by more than chance explains.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        self.p.is_some_and(|p| p < LEVEL)
    }

    /// Returns by how much times were longer there, as tables show it: `1.25`, or `1.20-1.25` where that has changed.
    #[must_use]
    pub fn factor_text(&self) -> String {
        match self.factors {
            None => String::new(),
            Some([least, most]) if least == most => least.to_string(),
            Some([least, most]) => format!("{least}-{most}"),
        }
    }
}

/// Returns what of each worker counts nowhere, by name.
fn uncounted(contents: &RunSummary) -> BTreeMap<&str, UncountedTally> {
    let mut tallies: BTreeMap<&str, UncountedTally> = BTreeMap::new();
    // An attempt at a pair has one line for a game: two lines for one game are two attempts.
    let mut attempts: BTreeMap<(&str, Option<Uncounted>, u64), BTreeMap<u64, u64>> = BTreeMap::new();
    let mut in_order: Vec<_> = contents.uncounted.iter().collect();
    in_order.sort_by_key(|uncounted| uncounted.game.place);
    for UncountedGame { game, cause, detail, set_aside } in in_order {
        let worker = game.worker().unwrap_or_default();
        *attempts.entry((worker, *cause, game.pair)).or_default().entry(game.number).or_default() += 1;
        let tally = tallies.entry(worker).or_default();
        if *cause == Some(Uncounted::Failed) {
            tally.last_failure = Some((game.pair, detail.clone()));
        }
        tally.set_aside.extend(set_aside.clone().map(|why| (game.pair, why)));
    }
    for ((worker, cause, _), games) in attempts {
        let count = games.into_values().max().unwrap_or(0);
        let tally = tallies.entry(worker).or_default();
        match cause {
            Some(Uncounted::Late) => tally.late += count,
            Some(Uncounted::Duplicate) => tally.duplicates += count,
            Some(Uncounted::Failed) => tally.failed += count,
            None => {}
        }
    }
    tallies
}

/// Returns what there is to say about workers that failed or were set aside, and about the columns of what counts nowhere.
#[must_use]
pub fn machine_notes(results: &[MachineResult]) -> Vec<String> {
    let mut told = Vec::new();
    if has_uncounted(results) {
        told.push(UNCOUNTED_NOTE.to_owned());
    }
    for result in results {
        let worker = printable(&result.worker);
        let UncountedTally { failed, last_failure, set_aside, .. } = &result.uncounted;
        if let Some((pair, what)) = last_failure {
            let attempts = count_of(*failed, "failed attempt");
            told.push(format!(
                "Worker `{worker}`: {attempts}, the last one at pair {pair}: {}.",
                printable(what)
            ));
        }
        for (pair, why) in set_aside {
            told.push(format!("Worker `{worker}`: set aside at pair {pair}: {}.", printable(why)));
        }
    }
    told
}

/// Returns whether there is something that counts nowhere: only then tables have columns for it.
#[must_use]
pub fn has_uncounted(results: &[MachineResult]) -> bool {
    results.iter().any(|result| result.uncounted.counts() != [0; 3])
}

/// A meeting: the addresses of what games with the same bots in the same seats of the same game share.
type Meeting = [usize; Seat::MOST + 1];

fn meeting(game: &GameSummary<'_>) -> Meeting {
    let lineup = &game.context.lineup;
    let mut meeting = [0; Seat::MOST + 1];
    meeting[0] = Arc::as_ptr(&lineup.ruleset).addr();
    for (place, seat) in meeting[1..].iter_mut().zip(&lineup.seats) {
        *place = Arc::as_ptr(seat).addr();
    }
    meeting
}

/// The games of one worker with a result.
#[derive(Clone, Debug, Default)]
struct WorkerTally {
    games: u64,
    /// The points of the first seat.
    score: f64,
    drawn: u64,
    timeouts: u64,
    other_faults: u64,
    seconds: f64,
    /// By how much times were longer, at the least and at the most.
    factors: Option<[TimeFactor; 2]>,
    /// The games and points of each meeting, in the order of their first games, so that sums are reproducible.
    meetings: Vec<(Meeting, u64, f64)>,
    places: HashMap<Meeting, usize>,
}

impl WorkerTally {
    fn take(&mut self, game: &GameSummary<'_>, score: f64) {
        self.games += 1;
        self.score += score;
        self.drawn += u64::from(game.result == GameResult::Draw);
        for (_, fault) in game.faults() {
            match fault {
                Termination::Timeout => self.timeouts += 1,
                _ => self.other_faults += 1,
            }
        }
        self.seconds += f64::from(game.seconds);
        if let Some(factor) = game.time_factor() {
            let [least, most] = self.factors.unwrap_or([factor; 2]);
            self.factors = Some([least.min(factor), most.max(factor)]);
        }
        let meeting = meeting(game);
        let place = *self.places.entry(meeting).or_insert_with(|| {
            self.meetings.push((meeting, 0, 0.0));
            self.meetings.len() - 1
        });
        let (_, games, points) = &mut self.meetings[place];
        *games += 1;
        *points += score;
    }
}

/// Returns the results of each worker, by name; empty for a run on one machine.
#[must_use]
pub fn machine_results(contents: &RunSummary) -> Vec<MachineResult> {
    let mut meetings: HashMap<Meeting, Stratum> = HashMap::new();
    let mut uncounted = uncounted(contents);
    let mut by_worker: BTreeMap<String, WorkerTally> =
        uncounted.keys().map(|worker| ((*worker).to_owned(), WorkerTally::default())).collect();
    if by_worker.is_empty() && contents.games.lineups().all(|lineup| lineup.worker.is_none()) {
        return Vec::new();
    }
    for game in &contents.games {
        let Some(score) = game.result.score(Seat::P1) else { continue };
        let stratum = meetings.entry(meeting(&game)).or_default();
        stratum.count += 1;
        stratum.sum += score;
        stratum.squares += score * score;
        if let Some(worker) = game.worker() {
            match by_worker.get_mut(worker) {
                Some(tally) => tally.take(&game, score),
                None => by_worker.entry(worker.to_owned()).or_default().take(&game, score),
            }
        }
    }
    let mut results: Vec<_> = by_worker
        .into_iter()
        .map(|(worker, tally)| {
            let strata: Vec<Stratum> = tally
                .meetings
                .iter()
                .map(|(meeting, games, points)| Stratum {
                    part_count: *games,
                    part_sum: *points,
                    ..meetings[meeting]
                })
                .collect();
            let mean = |sum: f64| (tally.games > 0).then(|| sum / tally.games as f64);
            MachineResult {
                games: tally.games,
                first_score: mean(tally.score),
                drawn: mean(tally.drawn as f64),
                timeouts: tally.timeouts,
                other_faults: tally.other_faults,
                seconds: mean(tally.seconds),
                uncounted: uncounted.remove(worker.as_str()).unwrap_or_default(),
                factors: tally.factors,
                p: part_p_value(&strata),
                worker,
            }
        })
        .collect();
    let known: Vec<f64> = results.iter().filter_map(|result| result.p).collect();
    let mut adjusted = holm(&known).into_iter();
    for result in &mut results {
        result.p = result.p.and_then(|_| adjusted.next());
    }
    results
}

/// Returns the table of results by machine; `None` for a run on one machine.
#[must_use]
pub(crate) fn machines_text(run: &RunReport<'_>, look: &Look) -> Option<String> {
    let results = machine_results(run.contents());
    if results.is_empty() {
        return None;
    }
    let mut sheet = Sheet::default();
    sheet.column("worker", Kind::Name, 0);
    let has_factors = results.iter().any(|result| result.factors.is_some());
    let has_uncounted = has_uncounted(&results);
    let columns = [
        ("games", 0, true),
        ("p1 score", 1, true),
        ("drawn", 2, true),
        ("on time", 3, true),
        ("other faults", 4, true),
        ("seconds", 5, true),
        ("times", 0, has_factors),
        ("late", 0, has_uncounted),
        ("duplicate", 0, has_uncounted),
        ("failed", 0, has_uncounted),
        ("p", 0, true),
    ];
    for (title, spare, _) in columns.into_iter().filter(|(.., is_shown)| *is_shown) {
        sheet.column(title, Kind::Figure, spare);
    }
    for result in &results {
        let p = result.p.map_or_else(String::new, p_value);
        let mut row: Vec<Cell> = vec![
            result.worker.clone().into(),
            result.games.to_string().into(),
            percent(result.first_score).into(),
            percent(result.drawn).into(),
            result.timeouts.to_string().into(),
            result.other_faults.to_string().into(),
            result.seconds.map_or_else(String::new, |seconds| fixed(seconds, 1)).into(),
        ];
        if has_factors {
            row.push(result.factor_text().into());
        }
        if has_uncounted {
            row.extend(result.uncounted.counts().map(|count| Cell::from(count.to_string())));
        }
        row.push(if result.is_marked() { Cell::warning(format!("{p} !")) } else { p.into() });
        sheet.row(row);
    }
    let times = if has_factors { format!(" {TIMES_NOTE}") } else { String::new() };
    let note = format!("`on time` counts the games that a bot lost on time.{times} {MACHINES_NOTE}");
    let notes: Vec<_> = std::iter::once(note).chain(machine_notes(&results)).collect();
    Some(format!("{}{}", sheet.text(look), notes::wrapped(&notes, look)))
}
