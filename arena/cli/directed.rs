//! Which meetings a run with `schedule: rank | best` plays next: a function of its configuration and results.
//!
//! Meetings are decided in batches of half as many as there are bots. A batch is decided from the results of all
//! batches before it but the last, so that there is always something to play, and is played to its end: which games
//! a run has does not depend on which of them end first, on how many are played at once, or on interruptions. A
//! change of the configuration begins a new stage, whose batches follow the last pair that has a result.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use record::{Contents, GameRecord, RunConfig};
use report::Ranking;
use runner::{Fixture, meeting};

use crate::diagnostic::{Diagnostic, Failure};
use crate::exit::Exit;

/// A number that no pair of a run comes near: a journal that says more is at fault.
const MOST_PAIRS: u64 = 1 << 40;

/// The part of a run that decides what is played next.
pub(crate) struct Director {
    config: RunConfig,
    ranking: Ranking,
    /// The batches that are decided and whose results are not taken yet: two at most.
    batches: VecDeque<Batch>,
    /// How many rounds two bots have met in, decided meetings included; the bot of lower index first.
    rounds: BTreeMap<(usize, usize), u32>,
    /// How many meetings may still be decided.
    budget: u64,
    /// The number of the first pair that is not decided.
    next_pair: u64,
    /// What was decided and is to be played.
    fresh: Vec<Fixture>,
}

/// Meetings that were decided together.
struct Batch {
    meetings: Vec<(usize, usize)>,
    /// The games of them without a record.
    open: BTreeSet<u64>,
    /// The games that have ended, by number.
    games: BTreeMap<u64, GameRecord>,
}

impl Director {
    /// Takes up a run where its journal stands; `None` where its meetings are not chosen by results. The journal's
    /// last configuration is the one that is played.
    ///
    /// # Errors
    /// When the games of the journal are not those that this schedule decides.
    pub(crate) fn new(contents: &Contents) -> Result<Option<Self>, Failure> {
        let Some(run) = contents.runs.last() else { return Ok(None) };
        let Some(ranking) = Ranking::new(&run.config) else { return Ok(None) };
        let bots = run.config.bots.len() as u64;
        let mut director = Self {
            config: run.config.clone(),
            ranking,
            batches: VecDeque::new(),
            rounds: BTreeMap::new(),
            budget: u64::from(run.config.rounds) * (bots * bots.saturating_sub(1) / 2),
            next_pair: run.from_pair.unwrap_or(1).clamp(1, MOST_PAIRS),
            fresh: Vec::new(),
        };
        let (earlier, now): (Vec<_>, Vec<_>) =
            contents.games.iter().cloned().partition(|game| game.pair < director.next_pair);
        director.take_earlier(&earlier);
        let mut recorded: BTreeMap<u64, GameRecord> =
            now.into_iter().map(|game| (game.number, game)).collect();
        director.go_on(&mut recorded)?;
        match recorded.into_values().next() {
            Some(game) => Err(stranger(&game, None)),
            None => Ok(Some(director)),
        }
    }

    /// Takes the games of earlier stages: what they prove, and how much of the budget they used.
    fn take_earlier(&mut self, games: &[GameRecord]) {
        let mut met = BTreeSet::new();
        for game in games {
            self.ranking.push(game);
            if let Some([one, other]) = self.ranking.bots(game) {
                let bots = (one.min(other), one.max(other));
                let round = self.rounds.entry(bots).or_default();
                *round = game.round.max(*round);
                met.insert((bots, game.round));
            }
        }
        self.budget = self.budget.saturating_sub(met.len() as u64);
    }

    /// Takes a finished game; games that were not decided here are left out.
    pub(crate) fn push(&mut self, game: &GameRecord) {
        for batch in &mut self.batches {
            if batch.open.remove(&game.number) {
                batch.games.insert(game.number, game.clone());
            }
        }
    }

    /// Returns the games that are to be played by what is known now and were not returned before; `None` when there
    /// is nothing more to play.
    pub(crate) fn more(&mut self) -> Option<Vec<Fixture>> {
        self.go_on(&mut BTreeMap::new()).expect("nothing is recorded that was not decided");
        let is_over = self.fresh.is_empty() && self.batches.is_empty();
        (!is_over).then(|| std::mem::take(&mut self.fresh))
    }

    /// Returns what is known.
    pub(crate) const fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// Returns how many games are still to be played at most.
    pub(crate) fn games_left(&self) -> u64 {
        let open: usize = self.batches.iter().map(|batch| batch.open.len()).sum();
        let is_over = self.batches.is_empty() && self.fresh.is_empty();
        let budget = if is_over { 0 } else { self.budget };
        open as u64 + budget * 2 * self.config.games.len() as u64
    }

    /// Takes the batches that are complete and decides the next ones; what `recorded` holds of them is played.
    fn go_on(&mut self, recorded: &mut BTreeMap<u64, GameRecord>) -> Result<(), Failure> {
        loop {
            let is_decided = self.batches.len() < 2 && self.decide(recorded)?;
            let is_ready = self.batches.front().is_some_and(|batch| batch.open.is_empty());
            // With a single batch and none to decide, no further results are waited for.
            if !is_decided && !is_ready {
                return Ok(());
            }
            if !is_decided && let Some(batch) = self.batches.pop_front() {
                batch.games.values().for_each(|game| self.ranking.push(game));
            }
        }
    }

    /// Decides the next batch; returns whether there is one.
    fn decide(&mut self, recorded: &mut BTreeMap<u64, GameRecord>) -> Result<bool, Failure> {
        let size = (self.config.bots.len() / 2).max(1) as u64;
        let count = size.min(self.budget) as usize;
        if count == 0 {
            return Ok(false);
        }
        let meetings = match self.played(count, recorded) {
            Some(meetings) => meetings,
            None => {
                let pending: Vec<_> =
                    self.batches.iter().flat_map(|batch| &batch.meetings).copied().collect();
                self.ranking.next(&pending, count)
            }
        };
        if meetings.is_empty() {
            return Ok(false);
        }
        let mut batch = Batch { meetings, open: BTreeSet::new(), games: BTreeMap::new() };
        for &(one, other) in &batch.meetings {
            let round = self.rounds.entry((one, other)).or_default();
            *round += 1;
            for fixture in meeting(&self.config, [one, other], *round, self.next_pair) {
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
        self.budget -= batch.meetings.len() as u64;
        self.batches.push_back(batch);
        Ok(true)
    }

    /// Returns the meetings of a batch all of whose games are recorded: they need not be decided once more.
    fn played(&self, count: usize, recorded: &BTreeMap<u64, GameRecord>) -> Option<Vec<(usize, usize)>> {
        let games = 2 * self.config.games.len() as u64;
        let first = 2 * (self.next_pair - 1) + 1;
        let is_played = (first..first + count as u64 * games).all(|number| recorded.contains_key(&number));
        let bots = |index: u64| {
            let [one, other] = self.ranking.bots(recorded.get(&(first + index * games))?)?;
            Some((one.min(other), one.max(other)))
        };
        is_played.then(|| (0..count as u64).map(bots).collect())?
    }
}

/// Returns whether a record is that of a game of the schedule.
fn is_game(fixture: &Fixture, game: &GameRecord) -> bool {
    let sits = |seat: usize| {
        game.seats[seat].bot == fixture.seats[seat].name
            && game.seats[seat].digest == fixture.seats[seat].digest
    };
    game.label == fixture.label
        && game.round == fixture.round
        && game.leg == fixture.leg
        && sits(0)
        && sits(1)
}

/// Says that a game of the journal is not one of the schedule.
fn stranger(game: &GameRecord, fixture: Option<&Fixture>) -> Failure {
    let expected = fixture.map_or_else(
        || "no such game is decided by the results before it".to_owned(),
        |fixture| {
            let [one, other] =
                fixture.seats.each_ref().map(|bot| protocol::printable(&bot.name).into_owned());
            format!("the results before it decide round {} of `{one}` against `{other}`", fixture.round)
        },
    );
    let [one, other] = game.seats.each_ref().map(|seat| protocol::printable(&seat.bot).into_owned());
    let text = format!(
        "the journal does not follow its schedule: game {} is round {} of `{one}` against `{other}`, but {expected}",
        game.number, game.round
    );
    Failure::new(Exit::Io, vec![Diagnostic::new(text)])
        .hint("nothing was changed; restore the file from a copy, or play elsewhere with `--out DIR`")
}
