//! What the arena itself costs, beside the least that pipes cost on this machine.
//!
//! Everything is measured with `arena run` as any user starts it: journal, live files, guards, default sandbox. Costs of a
//! ply and of a game are differences between runs of longer and shorter, more and fewer games, so that starting the bots
//! counts for neither. Each run is made several times, the executables by turns, and the fastest counts: others on the
//! machine can only slow one down.

use std::collections::BTreeMap;
use std::env;
use std::io;
use std::path::Path;
use std::time::Duration;

use diagnostic::output;
use processes::Cpus;
use rules::Setup;
use runner::{Control, HarnessCost};

use crate::bench_run::{BenchRun, FinishedBenchRun};
use crate::harness_figures::{
    ArenaFigures, CaseCosts, ChargeFigures, GameMemory, GameRate, HarnessFigures, PeakMemory, RoundTrips,
};
use crate::round_trips::{self, round_trip};

/// After how many plies the bots of a short game resign.
const SHORT: usize = 2;

/// For how long a bot thinks where it is measured what is charged beyond that.
const THINK: Duration = Duration::from_micros(200);

/// With how many round trips of a process that thinks as long these charges are compared.
const TRIPS: usize = 5000;

/// How many games are played at once where the memory of each is measured.
const AT_ONCE: usize = 8;

/// What is asked of the bots in each case: whether they have a clock and whether they want the legal plies.
const CASES: [(&str, bool, bool); 3] =
    [("clock, legal plies", true, true), ("clock", true, false), ("no clock", false, false)];

/// What is measured of the arena itself.
pub struct HarnessBench<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// Games measured by turns with it: a built-in one beside one's own, tables of other sizes.
    pub beside: &'a [Setup],
    /// How many pairs of games a run plays; at larger tables, how many blocks.
    pub pairs: u64,
    /// How many times every run is made; the fastest counts.
    pub repeat: u32,
    /// Another executable of the arena, measured by turns with this one.
    pub against: Option<&'a Path>,
    /// Whether memory is measured after 1000, 10 000 and 100 000 games, which takes minutes.
    pub is_long: bool,
    /// Is told what is being measured.
    pub tell: &'a dyn Fn(&str),
    /// Ends the measurement.
    pub control: &'a Control,
}

impl HarnessBench<'_> {
    /// Measures.
    ///
    /// # Errors
    /// When an executable cannot be started or fails, the system does not tell what is asked of it, or `control` ends the
    /// measurement.
    pub fn measure(&self) -> io::Result<HarnessFigures> {
        let own = env::current_exe()?;
        let mut arenas = vec![own.clone()];
        if let Some(other) = self.against {
            arenas.push(other.canonicalize()?);
        }
        let lines: Vec<_> =
            std::iter::once(self.setup).chain(self.beside).map(|it| (it, rules::longest_line(it))).collect();
        let subjects: Vec<_> = lines
            .iter()
            .flat_map(|(setup, line)| arenas.iter().map(move |arena| Subject { arena, setup, line }))
            .collect();
        let allowed =
            Cpus::allowed().ok_or_else(|| io::Error::other("this system does not tell its processors"))?;
        // The lowest is where most systems do their own work.
        let here: Cpus = allowed.iter().last().into_iter().collect();
        let there: Option<Cpus> =
            allowed.first().map(|cpu| [cpu].into_iter().collect()).filter(|cpus| *cpus != here);
        // As many as make a part of the runs beside them.
        let trips = u32::try_from(self.pairs.saturating_mul(200)).unwrap_or(u32::MAX).min(1_000_000);
        let mut raw = RoundTrips { same: Duration::MAX, different: None };
        let mut cases: Vec<Vec<Option<CaseRuns>>> = vec![vec![None; CASES.len()]; subjects.len()];
        for turn in 1..=self.repeat {
            (self.tell)(&format!(
                "costs of a ply and of a game, kept to one core, {turn} of {}",
                self.repeat
            ));
            raw.same = raw.same.min(round_trip(trips, &here, &here)?);
            if let Some(there) = &there {
                let trip = round_trip(trips / 5, &here, there)?;
                raw.different = Some(raw.different.map_or(trip, |before| before.min(trip)));
            }
            here.take()?;
            for (subject, cases) in subjects.iter().zip(&mut cases) {
                for ((_, is_timed, wants_legal), runs) in CASES.iter().zip(cases) {
                    let trial =
                        BenchRun { is_timed: *is_timed, wants_legal: *wants_legal, ..self.trial(subject) };
                    let again = CaseRuns::make(&trial)?;
                    *runs = Some(match runs.take() {
                        Some(before) => before.fastest(again),
                        None => again,
                    });
                }
            }
        }
        allowed.take()?;
        let mut measured = Vec::new();
        for (subject, cases) in subjects.iter().zip(cases) {
            let Subject { arena, setup, line } = *subject;
            let cases = CASES
                .iter()
                .zip(cases)
                .filter_map(|((name, ..), runs)| runs.map(|runs| runs.case(name, line.len())));
            measured.push(ArenaFigures {
                path: if *arena == *own { "this one".to_owned() } else { arena.display().to_string() },
                game: setup.label(),
                seats: setup.seats(),
                plies: line.len(),
                cases: cases.collect(),
                rates: self.rates(subject, &here, &allowed)?,
                charges: [(true, &here), (false, &allowed)]
                    .into_iter()
                    .map(|(is_one_core, cpus)| self.charge(subject, is_one_core, cpus))
                    .collect::<io::Result<_>>()?,
                memory: self.memory(subject, allowed.len())?,
                game_at_once: self.game_at_once(subject)?,
            });
        }
        Ok(HarnessFigures {
            game: self.setup.label(),
            plies: lines[0].1.len(),
            pairs: self.pairs,
            raw,
            arenas: measured,
        })
    }

    /// Returns what is played if nothing else is said.
    fn trial<'a>(&'a self, subject: &Subject<'a>) -> BenchRun<'a> {
        BenchRun {
            arena: subject.arena,
            setup: subject.setup,
            line: subject.line,
            pairs: self.pairs,
            concurrency: 1,
            is_timed: true,
            wants_legal: false,
            think: [Duration::ZERO; 2],
            pin: Some("off"),
            workers: None,
            control: self.control,
        }
    }

    /// Measures by turns how many games a second are played, all on one core, and with the usual settings on every core.
    fn rates(&self, subject: &Subject<'_>, here: &Cpus, allowed: &Cpus) -> io::Result<Vec<GameRate>> {
        (self.tell)("games a second");
        let usual = BenchRun { pin: None, ..self.trial(subject) };
        let mut places = vec![(here, self.trial(subject)), (allowed, usual.clone())];
        if allowed.len() > 1 {
            places.push((allowed, BenchRun { concurrency: allowed.len(), ..usual }));
        }
        let mut rates: Vec<Option<GameRate>> = vec![None; places.len()];
        for _ in 0..self.repeat {
            for ((cpus, trial), best) in places.iter().zip(&mut rates) {
                cpus.take()?;
                let rate = GameRate::of(trial.concurrency, &trial.play()?.effort);
                if best.as_ref().is_none_or(|best| rate.games_per_second > best.games_per_second) {
                    *best = Some(rate);
                }
            }
        }
        allowed.take()?;
        let mut rates: Vec<_> = rates.into_iter().flatten().collect();
        if let Some((one_core, usual)) = rates.split_first_mut() {
            one_core.is_one_core = true;
            for rate in usual {
                rate.cores_share =
                    Some(rate.games_per_second / (rate.concurrency as f64 * one_core.games_per_second));
            }
        }
        Ok(rates)
    }

    /// Measures what is charged beyond the time for which a bot thinks, where arena and bots may use these cores.
    fn charge(&self, subject: &Subject<'_>, is_one_core: bool, cpus: &Cpus) -> io::Result<ChargeFigures> {
        (self.tell)(if is_one_core { "charges on one core" } else { "charges on all cores" });
        cpus.take()?;
        let played = BenchRun { think: [THINK; 2], ..self.trial(subject) }.play()?;
        let mut beyond = Beyond::default();
        played.each_game(|_, game| game.seats.iter().flatten().for_each(|us| beyond.push(*us)))?;
        let [median, p99, most] = [0.5, 0.99, 1.0].map(|share| beyond.at(share));
        let pipes = round_trips::beyond(THINK, TRIPS, cpus, cpus)?;
        Ok(ChargeFigures { is_one_core, median, p99, most, count: beyond.count, pipes })
    }

    /// Measures the memory of runs of more and more games. Long ones are played on all cores: they take their time.
    fn memory(&self, subject: &Subject<'_>, cores: usize) -> io::Result<Vec<PeakMemory>> {
        let concurrency = if self.is_long { cores } else { 1 };
        let seats = subject.setup.seats() as u64;
        let counts = if self.is_long { vec![1000, 10_000, 100_000] } else { vec![seats * self.pairs] };
        let measure = |games: u64| {
            (self.tell)(&format!("memory after {}", output::count(games, "game")));
            let played = BenchRun { pairs: games / seats, concurrency, ..self.trial(subject) }.play()?;
            Ok(PeakMemory { games, peak_kib: played.effort.counters.peak_kib })
        };
        counts.into_iter().map(measure).collect()
    }

    /// Measures the memory of a game that is played beside others: the same games, one and [`AT_ONCE`] at once.
    fn game_at_once(&self, subject: &Subject<'_>) -> io::Result<GameMemory> {
        (self.tell)("memory of a game beside others");
        let peak = |concurrency| -> io::Result<u64> {
            let played = BenchRun { concurrency, ..self.trial(subject) }.play()?;
            Ok(played.effort.counters.peak_kib)
        };
        let (one, peak_kib) = (peak(1)?, peak(AT_ONCE)?);
        let more_kib = (peak_kib as f64 - one as f64) / (AT_ONCE - 1) as f64;
        Ok(GameMemory { concurrency: AT_ONCE, peak_kib, more_kib })
    }
}

/// What is measured together: an executable, a game, and the plies of every game that it plays.
#[derive(Clone, Copy)]
struct Subject<'a> {
    arena: &'a Path,
    setup: &'a Setup,
    line: &'a [String],
}

/// What decisions were charged beyond the time for which the bot thought: how many of them this many microseconds.
#[derive(Debug, Default)]
struct Beyond {
    counts: BTreeMap<u64, usize>,
    count: usize,
}

impl Beyond {
    /// Takes a charge, in whole microseconds.
    fn push(&mut self, us: f64) {
        *self.counts.entry((us as u64).saturating_sub(THINK.as_micros() as u64)).or_default() += 1;
        self.count += 1;
    }

    /// Returns the time that the given share of the decisions does not exceed, by the nearest rank; zero without any.
    fn at(&self, share: f64) -> Duration {
        let rank = ((share * self.count as f64).ceil() as usize).max(1);
        let mut below = 0;
        let reached = self.counts.iter().find(|(_, count)| {
            below += **count;
            below >= rank
        });
        Duration::from_micros(reached.map_or(0, |(us, _)| *us))
    }
}

/// The runs from whose differences the costs follow, fastest so far.
#[derive(Clone, Copy, Debug)]
struct CaseRuns {
    /// Whole games.
    whole: RunTime,
    /// As many short ones.
    short: RunTime,
    /// A fifth of these.
    few: RunTime,
    /// How many decisions a short game has.
    decisions: f64,
    /// How many games whole and short runs have, and how many a run of few.
    games: [u64; 2],
    /// What the arena counted of whole games.
    effort: HarnessCost,
}

/// What a run took: real time, and the arena's processor time, in seconds.
#[derive(Clone, Copy, Debug)]
struct RunTime {
    real: f64,
    own: f64,
}

impl CaseRuns {
    fn make(trial: &BenchRun<'_>) -> io::Result<Self> {
        let line = &trial.line[..SHORT.min(trial.line.len())];
        let short = BenchRun { line, ..trial.clone() };
        let few = BenchRun { pairs: trial.pairs / 5, ..short.clone() };
        let played = trial.play()?;
        Ok(Self {
            whole: RunTime::of(&played),
            short: RunTime::of(&short.play()?),
            few: RunTime::of(&few.play()?),
            decisions: short.decisions(trial.line.len()),
            games: [trial.games(), few.games()],
            effort: played.effort,
        })
    }

    fn fastest(self, other: Self) -> Self {
        let (whole, short, few) =
            (self.whole.least(other.whole), self.short.least(other.short), self.few.least(other.few));
        Self { whole, short, few, ..self }
    }

    fn case(&self, name: &'static str, plies: usize) -> CaseCosts {
        let [games, few] = self.games.map(|games| games as f64);
        let more = games - few;
        let cost = |of: fn(&RunTime) -> f64| {
            let ply = (of(&self.whole) - of(&self.short)) / games / (plies as f64 - self.decisions).max(1.0);
            let game = (of(&self.short) - of(&self.few)) / more - ply * self.decisions;
            [ply, game].map(|seconds| seconds * 1e6)
        };
        let ([ply_us, game_us], [own_ply_us, own_game_us]) = (cost(|cost| cost.real), cost(|cost| cost.own));
        let decided = self.effort.plies.max(1) as f64;
        let counters = &self.effort.counters;
        CaseCosts {
            name,
            ply_us,
            own_ply_us,
            game_us,
            own_game_us,
            reads_and_writes: (counters.reads + counters.writes) as f64 / decided,
            wake_ups: counters.wake_ups as f64 / decided,
        }
    }
}

impl RunTime {
    fn of(played: &FinishedBenchRun) -> Self {
        Self { real: played.effort.took.as_secs_f64(), own: played.effort.counters.cpu.as_secs_f64() }
    }

    fn least(self, other: Self) -> Self {
        Self { real: self.real.min(other.real), own: self.own.min(other.own) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_follow_from_the_differences_of_runs() {
        // A start of 1 s, 100 us a game and 10 us a decision; a tenth of it the arena's own.
        let cost = |games: f64, decisions: f64| {
            let real = 1.0 + games * (100e-6 + decisions * 10e-6);
            RunTime { real, own: real / 10.0 }
        };
        let (whole, short, few) = (cost(1000.0, 40.0), cost(1000.0, 3.0), cost(200.0, 3.0));
        let (games, effort) = ([1000, 200], HarnessCost::default());
        let runs = CaseRuns { whole, short, few, decisions: 3.0, games, effort };
        let case = runs.case("x", 40);
        for (value, expected) in
            [(case.ply_us, 10.0), (case.game_us, 100.0), (case.own_ply_us, 1.0), (case.own_game_us, 10.0)]
        {
            assert!((value - expected).abs() < 1e-6, "{value} {expected}");
        }
    }

    #[test]
    fn charges_beyond_use_are_told_by_their_ranks() {
        let mut beyond = Beyond::default();
        assert_eq!(beyond.at(0.5), Duration::ZERO);
        // 1 to 100 in any order, and one that is charged less than the bot thought.
        (0..100).for_each(|i| beyond.push(f64::from(200 + 1 + i * 37 % 100)));
        assert_eq!([0.5, 0.99, 1.0].map(|share| beyond.at(share).as_micros()), [50, 99, 100]);
        beyond.push(150.0);
        assert_eq!((beyond.at(0.0), beyond.count), (Duration::ZERO, 101));
    }
}
