//! Results by machine: the games of each worker in a run on many machines, and whether its results match those of the others.

use std::collections::{BTreeMap, HashMap};

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

/// Returns the results of each worker, by name; empty for a run on one machine.
#[must_use]
pub fn machine_results(contents: &RunSummary) -> Vec<MachineResult> {
    let counted = || contents.games.iter().filter_map(|game| Some((game, game.result.score(Seat::P1)?)));
    // A meeting has the same bots in the same seats of the same game.
    let meeting = |game: &GameSummary| {
        let lineup = &game.context.lineup;
        let mut meeting = [0; Seat::MOST + 1];
        meeting[0] = std::sync::Arc::as_ptr(&lineup.ruleset).addr();
        for (place, seat) in meeting[1..].iter_mut().zip(lineup.seats.iter()) {
            *place = std::sync::Arc::as_ptr(seat).addr();
        }
        meeting
    };
    let mut meetings: HashMap<[usize; Seat::MOST + 1], Stratum> = HashMap::new();
    let mut by_worker: BTreeMap<&str, Vec<(&GameSummary, f64)>> = BTreeMap::new();
    for (game, score) in counted() {
        let stratum = meetings.entry(meeting(game)).or_default();
        stratum.count += 1;
        stratum.sum += score;
        stratum.squares += score * score;
        if let Some(worker) = game.worker() {
            by_worker.entry(worker).or_default().push((game, score));
        }
    }
    let mut uncounted = uncounted(contents);
    for worker in uncounted.keys() {
        by_worker.entry(worker).or_default();
    }
    let mut results: Vec<_> = by_worker
        .into_iter()
        .map(|(worker, games)| {
            // In the order of the games, so that sums are reproducible.
            let (mut places, mut strata) = (HashMap::new(), Vec::<Stratum>::new());
            for (game, score) in &games {
                let key = meeting(game);
                let place = *places.entry(key).or_insert_with(|| {
                    strata.push(meetings[&key]);
                    strata.len() - 1
                });
                strata[place].part_count += 1;
                strata[place].part_sum += score;
            }
            let count = games.len() as f64;
            let mean = |sum: f64| (count > 0.0).then(|| sum / count);
            let faults = || games.iter().flat_map(|(game, _)| game.faults());
            let timeouts = faults().filter(|(_, fault)| *fault == Termination::Timeout).count() as u64;
            MachineResult {
                worker: worker.to_owned(),
                games: games.len() as u64,
                first_score: mean(games.iter().map(|(_, score)| score).sum()),
                drawn: mean(games.iter().filter(|(game, _)| game.result == GameResult::Draw).count() as f64),
                timeouts,
                other_faults: faults().count() as u64 - timeouts,
                seconds: mean(games.iter().map(|(game, _)| f64::from(game.seconds)).sum()),
                uncounted: uncounted.remove(worker).unwrap_or_default(),
                factors: factors(&games),
                p: part_p_value(&strata),
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

/// Returns the least and the greatest factor of times of games.
fn factors(games: &[(&GameSummary, f64)]) -> Option<[TimeFactor; 2]> {
    let factors = || games.iter().filter_map(|(game, _)| game.time_factor());
    Some([factors().min()?, factors().max()?])
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
