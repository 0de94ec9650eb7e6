//! Results by machine: the games of each worker in a run on many machines, and whether its results match those of the others.

use std::collections::{BTreeMap, HashMap};

use record::{GameResult, GameSummary, RunSummary, Termination};
use rules::Seat;
use settings::TimeFactor;
use stats::{Stratum, holm, part_p_value};

use crate::tables::notes;
use crate::writing::number::{fixed, p_value, percent};
use crate::writing::sheet::{Cell, Kind, Sheet};
use crate::{Look, RunReport};

/// The adjusted p value below which a worker is marked: one run of honest workers in a hundred has such a worker.
const LEVEL: f64 = 0.01;

/// The note below the table.
pub const MACHINES_NOTE: &str = "`p` compares the scores of a worker with those of the same meetings on all others, adjusted for the \
    number of workers. `!` marks a p below 0.01: look at these games before you trust them. Nothing was left out.";

/// What is said of the column `times`.
pub const TIMES_NOTE: &str = "`times` is by how much clocks were longer there than the time control says, since the bots think more slowly.";

/// The results of one worker.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineResult {
    /// The worker's name.
    pub worker: String,
    /// The number of games with a result.
    pub games: u64,
    /// The mean score of the first seat, 0 to 1.
    pub first_score: f64,
    /// The share of draws, 0 to 1.
    pub drawn: f64,
    /// How many of these games were lost on time.
    pub timeouts: u64,
    /// How many of these games were lost by other faults.
    pub other_faults: u64,
    /// The mean time of a game, in seconds.
    pub seconds: f64,
    /// By how much times were longer there than the time control says, at the least and at the most; `None` where that was not measured.
    pub factors: Option<[TimeFactor; 2]>,
    /// The p value of [`part_p_value`], adjusted for the number of workers; `None` if no other worker played the same meetings.
    pub p: Option<f64>,
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
            let mean = |sum: f64| sum / count;
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
    let columns = [
        ("games", 0),
        ("p1 score", 1),
        ("drawn", 2),
        ("on time", 3),
        ("other faults", 4),
        ("seconds", 5),
        ("times", 0),
        ("p", 0),
    ];
    for (title, spare) in columns.into_iter().filter(|(title, _)| has_factors || *title != "times") {
        sheet.column(title, Kind::Figure, spare);
    }
    for result in results {
        let p = result.p.map_or_else(String::new, p_value);
        let mut row: Vec<Cell> = vec![
            result.worker.clone().into(),
            result.games.to_string().into(),
            percent(Some(result.first_score)).into(),
            percent(Some(result.drawn)).into(),
            result.timeouts.to_string().into(),
            result.other_faults.to_string().into(),
            fixed(result.seconds, 1).into(),
        ];
        if has_factors {
            row.push(result.factor_text().into());
        }
        row.push(if result.is_marked() { Cell::warning(format!("{p} !")) } else { p.into() });
        sheet.row(row);
    }
    let times = if has_factors { format!(" {TIMES_NOTE}") } else { String::new() };
    let note = format!("`on time` counts the games that a bot lost on time.{times} {MACHINES_NOTE}");
    Some(format!("{}{}", sheet.text(look), notes::wrapped(&[note], look)))
}
