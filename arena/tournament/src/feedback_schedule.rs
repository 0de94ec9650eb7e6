//! Which meetings a run plays next where results decide: a function of its configuration and results.
//!
//! Meetings are decided in batches, and a batch is played to its end: which games a run has does not depend on which of
//! them end first, on how many are played at once, or on interruptions. A format ([`formats::FeedbackFormat`]) decides a batch,
//! such as a round of a Swiss tournament, from the results of all batches before it. With `schedule: rank | best` a
//! batch is half as many meetings as there are bots, decided from the results of all batches before it but the last, so
//! that there is always something to play. There, and in a ladder, a change of the configuration begins a new stage, whose
//! batches follow the last pair that has a result.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use diagnostic::{Diagnostic, Exit, Failure};
use formats::{FeedbackFormat, Meeting, MeetingCount};
use record::{GameSummary, PackedGames, RunConfig, RunSummary};
use report::Ranking;
use runner::Fixture;

/// A number that no pair of a run comes near: a journal that says more is wrong.
const MOST_PAIRS: u64 = 1 << 40;

/// The part of a run that decides what is played next.
pub struct FeedbackSchedule {
    config: RunConfig,
    rule: MeetingRule,
    /// The batches that are decided and whose results are not taken yet: two at most.
    batches: VecDeque<MeetingBatch>,
    /// How many rounds two bots have met in, decided meetings included; the bot of lower index first.
    rounds: BTreeMap<(usize, usize), u32>,
    /// How many meetings may still be decided at most.
    budget: u64,
    /// The number of the first pair that is not decided.
    next_pair: u64,
    /// What was decided and is to be played.
    fresh: Vec<Fixture>,
}

/// What decides.
enum MeetingRule {
    /// The question of a `schedule`.
    Ranking(Box<Ranking>),
    /// A format with feedback.
    Format(Box<dyn FeedbackFormat>),
}

impl MeetingRule {
    /// Returns what decides in a run of this configuration; `None` where results do not.
    fn new(config: &RunConfig) -> Option<Self> {
        let format = formats::format(config).map(Self::Format);
        format.or_else(|| Ranking::new(config).map(Box::new).map(Self::Ranking))
    }

    /// Returns how many batches may be open when the next one is decided, that one included.
    const fn most_open(&self) -> usize {
        match self {
            Self::Ranking(_) => 2,
            Self::Format(_) => 1,
        }
    }

    /// Takes the results of a batch.
    fn take(&mut self, config: &RunConfig, batch: &MeetingBatch) {
        match self {
            Self::Ranking(ranking) => batch.games.values().for_each(|game| ranking.push(game)),
            Self::Format(format) => {
                let games = batch.games.values().cloned().collect();
                let results = formats::results(config, &batch.meetings, &games);
                let results = results.expect("every game of the batch has ended");
                format.take(&results);
            }
        }
    }
}

/// Meetings that were decided together.
struct MeetingBatch {
    meetings: Vec<Meeting>,
    /// The games of them without a record.
    open: BTreeSet<u64>,
    /// The games that have ended, by number.
    games: BTreeMap<u64, GameSummary<'static>>,
}

impl FeedbackSchedule {
    /// Takes up a run where its journal stands; `None` where results do not decide its meetings. The journal's
    /// last configuration is the one that is played.
    ///
    /// # Errors
    /// When the games of the journal are not those that this schedule decides.
    pub fn new(contents: &RunSummary) -> Result<Option<Self>, Failure> {
        let Some(run) = contents.runs.last() else { return Ok(None) };
        let Some(rule) = MeetingRule::new(&run.config) else { return Ok(None) };
        let mut schedule = Self {
            config: run.config.clone(),
            rule,
            batches: VecDeque::new(),
            rounds: BTreeMap::new(),
            budget: MeetingCount::of(&run.config).meetings,
            next_pair: run.from_pair.unwrap_or(1).clamp(1, MOST_PAIRS),
            fresh: Vec::new(),
        };
        let first = schedule.next_pair;
        schedule.take_earlier(&contents.games.iter().filter(|game| game.pair < first).collect());
        let now = contents.games.iter().filter(|game| game.pair >= first);
        let mut recorded = now.map(|game| (game.number, game.into_owned())).collect();
        schedule.go_on(&mut recorded)?;
        // A run that now asks for fewer rounds keeps the games of the others.
        if run.config.format.known().is_some_and(|format| format.ends_by_rounds()) {
            recorded.retain(|_, game| game.round <= run.config.rounds);
        }
        match recorded.into_values().next() {
            Some(game) => Err(stranger(&game, None)),
            None => Ok(Some(schedule)),
        }
    }

    /// Takes the games of earlier stages: what they prove, and how much of the budget they used.
    fn take_earlier(&mut self, games: &PackedGames) {
        let ranking = match &mut self.rule {
            MeetingRule::Ranking(ranking) => ranking,
            MeetingRule::Format(format) => {
                format.resume(&self.config, games);
                self.budget = format.most_left();
                return;
            }
        };
        let mut met = BTreeSet::new();
        for game in games {
            ranking.push(&game);
            if let Some([one, other]) = ranking.bots(&game) {
                let bots = (one.min(other), one.max(other));
                let round = self.rounds.entry(bots).or_default();
                *round = game.round.max(*round);
                met.insert((bots, game.round));
            }
        }
        self.budget = self.budget.saturating_sub(met.len() as u64);
    }

    /// Takes a finished game; games that were not decided here are left out.
    pub(crate) fn push(&mut self, game: &GameSummary<'_>) {
        for batch in &mut self.batches {
            if batch.open.remove(&game.number) {
                batch.games.insert(game.number, game.clone().into_owned());
            }
        }
    }

    /// Returns the games that are to be played by what is known now and were not returned before; `None` when there
    /// is nothing more to play.
    pub fn more(&mut self) -> Option<Vec<Fixture>> {
        self.go_on(&mut BTreeMap::new()).expect("nothing is recorded that was not decided");
        let is_over = self.fresh.is_empty() && self.batches.is_empty();
        (!is_over).then(|| std::mem::take(&mut self.fresh))
    }

    /// Says in a line how far the run is.
    pub(crate) fn line(&self) -> String {
        match &self.rule {
            MeetingRule::Ranking(ranking) => report::ranking_line(ranking),
            MeetingRule::Format(format) => format.stage(),
        }
    }

    /// Returns how many games are still to be played at most.
    pub fn games_left(&self) -> u64 {
        let open: usize = self.batches.iter().map(|batch| batch.open.len()).sum();
        let is_over = self.batches.is_empty() && self.fresh.is_empty();
        let budget = if is_over { 0 } else { self.budget };
        open as u64 + budget * self.games_in_meeting()
    }

    /// Returns how many games a meeting has.
    fn games_in_meeting(&self) -> u64 {
        self.config.games.iter().map(|game| u64::from(game.seats)).sum()
    }

    /// Takes the batches that are complete and decides the next ones; what `recorded` holds of them is played.
    fn go_on(&mut self, recorded: &mut BTreeMap<u64, GameSummary<'static>>) -> Result<(), Failure> {
        loop {
            let is_decided = self.batches.len() < self.rule.most_open() && self.decide(recorded)?;
            let is_ready = self.batches.front().is_some_and(|batch| batch.open.is_empty());
            // With a single batch and none to decide, no further results are waited for.
            if !is_decided && !is_ready {
                return Ok(());
            }
            if !is_decided && let Some(batch) = self.batches.pop_front() {
                self.rule.take(&self.config, &batch);
            }
        }
    }

    /// Decides the next batch; returns whether there is one.
    fn decide(&mut self, recorded: &mut BTreeMap<u64, GameSummary<'static>>) -> Result<bool, Failure> {
        let meetings: Vec<Meeting> = match &self.rule {
            MeetingRule::Ranking(ranking) => {
                let chosen = self.choose(ranking, recorded);
                let number = |bots: (usize, usize)| {
                    let round = self.rounds.entry(bots).or_default();
                    *round += 1;
                    Meeting::of_two(bots.into(), *round)
                };
                chosen.into_iter().map(number).collect()
            }
            MeetingRule::Format(format) => format.next(),
        };
        if meetings.is_empty() {
            return Ok(false);
        }
        let mut batch = MeetingBatch { meetings, open: BTreeSet::new(), games: BTreeMap::new() };
        for meeting in &batch.meetings {
            for fixture in runner::meeting(&self.config, &meeting.bots, meeting.round, self.next_pair) {
                match recorded.remove(&fixture.number) {
                    Some(game) if is_game(&fixture, &game) => {
                        batch.games.insert(game.number, game);
                    }
                    Some(game) => return Err(stranger(&game, Some(&fixture))),
                    None => {
                        batch.open.insert(fixture.number);
                        self.fresh.push(fixture);
                    }
                }
            }
            self.next_pair += self.config.games.len() as u64;
        }
        self.budget = self.budget.saturating_sub(batch.meetings.len() as u64);
        self.batches.push_back(batch);
        Ok(true)
    }

    /// Returns who meets next by a question.
    fn choose(
        &self,
        ranking: &Ranking,
        recorded: &BTreeMap<u64, GameSummary<'static>>,
    ) -> Vec<(usize, usize)> {
        let size = (self.config.bots.len() / 2).max(1) as u64;
        let count = size.min(self.budget) as usize;
        if count == 0 {
            return Vec::new();
        }
        self.played(ranking, count, recorded).unwrap_or_else(|| {
            let pending = self.batches.iter().flat_map(|batch| &batch.meetings);
            let pending: Vec<_> = pending.map(|meeting| meeting.sorted().into()).collect();
            ranking.next(&pending, count)
        })
    }

    /// Returns the meetings of a batch all of whose games are recorded: they need not be decided again.
    fn played(
        &self,
        ranking: &Ranking,
        count: usize,
        recorded: &BTreeMap<u64, GameSummary<'static>>,
    ) -> Option<Vec<(usize, usize)>> {
        let games = 2 * self.config.games.len() as u64;
        let first = 2 * (self.next_pair - 1) + 1;
        let is_played = (first..first + count as u64 * games).all(|number| recorded.contains_key(&number));
        let bots = |index: u64| {
            let [one, other] = ranking.bots(recorded.get(&(first + index * games))?)?;
            Some((one.min(other), one.max(other)))
        };
        is_played.then(|| (0..count as u64).map(bots).collect())?
    }
}

/// Returns whether a record is that of a game of the schedule.
fn is_game(fixture: &Fixture, game: &GameSummary<'_>) -> bool {
    let seats = game.seats().iter().zip(&fixture.seats);
    let mut sit = seats.map(|(seat, bot)| seat.bot == bot.name && seat.digest == bot.digest);
    *game.label() == *fixture.label
        && game.round == fixture.round
        && game.leg == fixture.leg
        && game.seats().len() == fixture.seats.len()
        && sit.all(|sits| sits)
}

/// Returns who meets, in words.
fn against<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{}`", protocol::printable(name))).collect::<Vec<_>>().join(" against ")
}

/// Says that a game of the journal is not one of the schedule.
fn stranger(game: &GameSummary<'_>, fixture: Option<&Fixture>) -> Failure {
    let expected = fixture.map_or_else(
        || "no such game is decided by the results before it".to_owned(),
        |fixture| {
            let names = against(fixture.seats.iter().map(|bot| &*bot.name));
            format!("the results before it decide round {} of {names}", fixture.round)
        },
    );
    let names = against(game.seats().iter().map(|seat| &*seat.bot));
    let text = format!(
        "the journal does not follow its schedule: game {} is round {} of {names}, but {expected}",
        game.number, game.round
    );
    Failure::new(Exit::Io, vec![Diagnostic::new(text)])
        .hint("nothing was changed; restore the file from a copy, or play elsewhere with `--out DIR`")
}
