//! The question of a run with `schedule: rank | best`: the meetings so far, and what they prove.

pub(crate) mod text;

use std::collections::{BTreeMap, HashSet};

use protocol::printable;
use record::{BotConfig, BotId, GameSummary, RunConfig, RunSummary};
use rules::Seat;
use stats::{Evidence, FitSettings, GameScore, Goal, RankingVerdict, RatedGame, Sample};

/// This many consecutive meetings of two bots without new evidence end their meetings.
const MOST_FRUITLESS: u32 = 3;

/// The question of a run whose results choose the meetings, and the answer so far.
///
/// A meeting consists of the pairs that two bots play in one round, one in each game of the run. It counts once all its games
/// have finished, so add games in the order of their numbers; the state after a given number of meetings then depends on
/// nothing else. A meeting is no evidence if one of its games does not count, or if a pair repeats the plies of an earlier one
/// of the same bots.
#[derive(Clone, Debug)]
pub struct Ranking {
    bots: Vec<BotId>,
    labels: Vec<String>,
    evidence: Evidence,
    sample: Sample,
    /// Incomplete meetings by the bots of lower and of higher index, and the round.
    waiting: BTreeMap<(usize, usize, u32), Legs>,
    /// Pairs already played: the bots, the label, the plies of both games.
    known: HashSet<(usize, usize, usize, [u64; 2])>,
    /// The number of consecutive meetings of two bots without evidence.
    fruitless: BTreeMap<(usize, usize), u32>,
    meetings: u64,
    /// The number of meetings that settled the question.
    settled: Option<u64>,
}

/// The finished games of a meeting, by label and leg.
type Legs = Vec<[Option<Leg>; 2]>;

/// The relevant facts of a game.
#[derive(Clone, Copy, Debug)]
struct Leg {
    /// The score of the bot of lower index; `None` if the game does not count.
    score: Option<GameScore>,
    /// Whether that bot has the first seat.
    is_first: bool,
    fingerprint: u64,
}

impl Ranking {
    /// Returns the question of a configuration; `None` if it has no valid one.
    #[must_use]
    pub fn new(config: &RunConfig) -> Option<Self> {
        let schedule = config.schedule.as_ref()?;
        let goal = match schedule.goal.known()? {
            settings::Goal::Rank => Goal::Rank,
            settings::Goal::Best => Goal::Best,
        };
        if !(schedule.alpha > 0.0 && schedule.alpha < 1.0) {
            return None;
        }
        Some(Self {
            bots: config.bots.iter().map(BotConfig::identity).collect(),
            labels: config.games.iter().map(|game| game.label.clone()).collect(),
            evidence: Evidence::new(goal, schedule.alpha, config.bots.len()),
            sample: Sample::default(),
            waiting: BTreeMap::new(),
            known: HashSet::new(),
            fruitless: BTreeMap::new(),
            meetings: 0,
            settled: None,
        })
    }

    /// Returns the question of a journal's last configuration with all games of the journal; `None` if it has none.
    #[must_use]
    pub fn of(contents: &RunSummary) -> Option<Self> {
        let mut ranking = Self::new(&contents.runs.last()?.config)?;
        for game in &contents.games {
            ranking.push(&game);
        }
        Some(ranking)
    }

    /// Adds a finished game. Games of other bots and versions are ignored.
    pub fn push(&mut self, game: &GameSummary<'_>) {
        let Some(label) = self.labels.iter().position(|label| *label == game.label()) else { return };
        let Some([first, second]) = self.bots(game) else { return };
        let (low, high) = (first.min(second), first.max(second));
        let is_first = first == low;
        let seat = if is_first { Seat::P1 } else { Seat::P2 };
        let score = game.result.score(seat).map(|points| match points {
            points if points > 0.75 => GameScore::Win,
            points if points < 0.25 => GameScore::Loss,
            _ => GameScore::Draw,
        });
        let key = (low, high, game.round);
        let legs = self.waiting.entry(key).or_insert_with(|| vec![[None; 2]; self.labels.len()]);
        legs[label][usize::from(game.leg != 1)] =
            Some(Leg { score, is_first, fingerprint: game.fingerprint });
        let whole: Option<Vec<[Leg; 2]>> = legs.iter().map(|[one, two]| Some([(*one)?, (*two)?])).collect();
        if let Some(legs) = whole {
            self.waiting.remove(&key);
            self.weigh((low, high), &legs);
        }
    }

    /// Returns which of the configuration's bots play a game, the first seat first; `None` if others do.
    #[must_use]
    pub fn bots(&self, game: &GameSummary<'_>) -> Option<[usize; 2]> {
        let bot = |seat: usize| {
            let seat = &game.seats()[seat];
            self.bots.iter().position(|bot| bot.name == seat.bot && bot.digest == seat.digest)
        };
        Some([bot(0)?, bot(1)?]).filter(|[first, second]| first != second)
    }

    /// Adds a meeting: for each game the two legs of its pair.
    fn weigh(&mut self, (low, high): (usize, usize), legs: &[[Leg; 2]]) {
        self.meetings += 1;
        let mut is_new = true;
        for (label, [one, two]) in legs.iter().enumerate() {
            is_new &= self.known.insert((low, high, label, [one.fingerprint, two.fingerprint]));
        }
        let scores: Option<Vec<[GameScore; 2]>> =
            legs.iter().map(|[one, two]| Some([one.score?, two.score?])).collect();
        let Some(scores) = scores.filter(|_| is_new) else {
            *self.fruitless.entry((low, high)).or_default() += 1;
            return;
        };
        self.fruitless.remove(&(low, high));
        self.evidence.observe(low, high, &scores);
        for (group, (legs, scores)) in legs.iter().zip(&scores).enumerate() {
            let [one, two] = [0, 1].map(|leg| {
                let score = scores[leg];
                let (first, second, score) =
                    if legs[leg].is_first { (low, high, score) } else { (high, low, score.opposite()) };
                RatedGame { group, ..RatedGame::new(first, second, score) }
            });
            self.sample.add_block(&[one, two]);
        }
        if self.settled.is_none() && self.evidence.verdict() != RankingVerdict::Open {
            self.settled = Some(self.meetings);
        }
    }

    /// Returns the next meetings, at most `count`, from the meetings so far and the `pending` ones. Returns none if the
    /// question is settled or no meeting can contribute.
    #[must_use]
    pub fn next(&self, pending: &[(usize, usize)], count: usize) -> Vec<(usize, usize)> {
        if self.verdict() != RankingVerdict::Open {
            return Vec::new();
        }
        let is_closed = |low: usize, high: usize| self.is_closed(low, high);
        stats::next_meetings(&self.evidence, &self.sample, self.labels.len(), pending, is_closed, count)
    }

    /// Returns the verdict so far.
    #[must_use]
    pub fn verdict(&self) -> RankingVerdict {
        self.evidence.verdict()
    }

    /// Returns after how many pairs of games the question was settled; `None` while it is open.
    #[must_use]
    pub fn settled(&self) -> Option<u64> {
        self.settled.map(|meetings| meetings * self.labels.len() as u64)
    }

    /// Returns the number of pairs so far.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.meetings * self.labels.len() as u64
    }

    /// Returns the evidence.
    pub(crate) const fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// Returns a bot's name, escaped.
    pub(crate) fn name(&self, bot: usize) -> String {
        printable(&self.bots[bot].name).into_owned()
    }

    /// Returns the bots from the highest rating to the lowest.
    pub(crate) fn by_rating(&self) -> Vec<usize> {
        self.sample.fit(self.bots.len(), self.labels.len(), &FitSettings::default()).ranking()
    }

    /// Returns whether two bots no longer meet because their games only repeat earlier ones or do not count.
    pub(crate) fn is_closed(&self, low: usize, high: usize) -> bool {
        self.fruitless.get(&(low, high)).is_some_and(|count| *count >= MOST_FRUITLESS)
    }
}
