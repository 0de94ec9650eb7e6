//! What is to be played: counted before the first game, and then made game by game.

use std::collections::BTreeSet;
use std::vec;

use diagnostic::Failure;
use record::RunSummary;
use report::SequentialTest;
use runner::{Fixture, Pending, Task, Tasks, pending};
use stats::sprt::HypothesesError;
use tournament_file::Plan;
use tournament_file::Shard;

use crate::feedback_schedule::FeedbackSchedule;

/// What a plan asks for and a run does not hold yet.
pub(super) struct PendingGames<'a> {
    /// Who says what is played next, where results do.
    pub director: Option<FeedbackSchedule>,
    /// How many games there are, at most where results decide.
    pub total: u64,
    /// The test, in a run of format `sprt`.
    pub trial: Option<SequentialTest>,
    known: KnownGames<'a>,
    demand: Demand,
}

/// The games that are known.
#[derive(Clone)]
struct KnownGames<'a> {
    play: &'a runner::GamePlan,
    shard: Option<Shard>,
    fixtures: Fixtures,
    /// The bots that cannot play.
    left_out: Vec<usize>,
}

#[derive(Clone)]
enum Fixtures {
    /// By the schedule.
    Scheduled(Pending),
    /// By results; none once a test has its verdict.
    Decided(vec::IntoIter<Fixture>),
}

/// What the games that are known need.
#[derive(Default)]
struct Demand {
    games: usize,
    bots: BTreeSet<usize>,
    contests: BTreeSet<usize>,
}

impl<'a> PendingGames<'a> {
    /// Returns what a plan asks for and a run does not hold yet.
    ///
    /// # Errors
    /// When the hypotheses of a test make none, or what was played does not follow from the run's configurations.
    pub(super) fn of(
        plan: &Plan,
        play: &'a runner::GamePlan,
        contents: &RunSummary,
    ) -> Result<Self, Failure> {
        let mut director = FeedbackSchedule::new(contents)?;
        let trial = trial(plan, contents)?;
        let fixtures = match &mut director {
            _ if trial.as_ref().is_some_and(|trial| trial.stop().is_some()) => {
                Fixtures::Decided(Vec::new().into_iter())
            }
            Some(director) => Fixtures::Decided(director.more().unwrap_or_default().into_iter()),
            None => {
                let history: Vec<_> = contents.runs.iter().map(|run| &run.config).collect();
                Fixtures::Scheduled(pending(&history, contents.games.iter().map(|game| game.number)))
            }
        };
        let known = KnownGames { play, shard: plan.shard, fixtures, left_out: Vec::new() };
        let demand = Demand::of(known.clone().tasks());
        let total = director.as_ref().map_or(demand.games as u64, FeedbackSchedule::games_left);
        Ok(Self { director, total, trial, known, demand })
    }

    /// Returns whether no game is known that could be played.
    pub(super) const fn is_empty(&self) -> bool {
        self.demand.games == 0
    }

    /// Returns whether a bot has games to play, or may have.
    pub(super) fn has_bot(&self, bot: usize) -> bool {
        // Results may bring any bot to the board.
        self.director.is_some() || self.demand.bots.contains(&bot)
    }

    /// Returns whether a game of the tournament is to be played, or may be.
    pub(super) fn has_contest(&self, contest: usize) -> bool {
        self.director.is_some() || self.demand.contests.contains(&contest)
    }

    /// Leaves out the games of bots that cannot play.
    pub(super) fn leave_out(&mut self, bots: Vec<usize>) {
        if !bots.is_empty() {
            self.known.left_out = bots;
            self.demand = Demand::of(self.known.clone().tasks());
        }
    }

    /// Returns the games that are known.
    pub(super) fn tasks(&self) -> Tasks<'a> {
        Tasks::new(self.demand.games, self.known.clone().tasks())
    }
}

impl<'a> KnownGames<'a> {
    fn tasks(self) -> impl Iterator<Item = Task> + 'a {
        let Self { play, shard, fixtures, left_out } = self;
        let is_ours = move |fixture: &Fixture| shard.is_none_or(|shard| shard.has(fixture.pair));
        let tasks = play.tasks(fixtures.filter(is_ours));
        tasks.filter(move |task| task.seats.iter().all(|bot| !left_out.contains(bot)))
    }
}

impl Iterator for Fixtures {
    type Item = Fixture;

    fn next(&mut self) -> Option<Fixture> {
        match self {
            Self::Scheduled(pending) => pending.next(),
            Self::Decided(fixtures) => fixtures.next(),
        }
    }
}

impl Demand {
    fn of(tasks: impl Iterator<Item = Task>) -> Self {
        let mut demand = Self::default();
        for task in tasks {
            demand.games += 1;
            demand.bots.extend(task.seats);
            demand.contests.insert(task.contest);
        }
        demand
    }
}

/// Returns the test of a plan with the games that it has already, if it is one.
///
/// # Errors
/// When its hypotheses make no test.
fn trial(plan: &Plan, contents: &RunSummary) -> Result<Option<SequentialTest>, Failure> {
    let failed = |error: HypothesesError| Failure::usage(format!("the hypotheses make no test: {error}"));
    let Some(trial) = SequentialTest::new(&plan.config) else { return Ok(None) };
    let mut trial = trial.map_err(failed)?;
    for game in &contents.games {
        trial.push(&game);
    }
    Ok(Some(trial))
}
