//! Tournaments drawn by lot between players of known strength.

use rand::{RngExt as _, rngs::ChaCha8Rng};
use stats::{Game, Score};

/// A kind of tournament.
#[derive(Clone, Debug)]
pub(super) struct Design {
    /// What it is called.
    pub(super) name: String,
    pub(super) bots: usize,
    /// How many pairs of games every two bots play.
    pub(super) rounds: u32,
    /// The share of the possible draws, 0 to 1.
    pub(super) draws: f64,
    /// How far the best is above the worst, in Elo.
    pub(super) range: f64,
    /// How much an opening favours a seat: the standard deviation in Elo.
    pub(super) seat_swing: f64,
    /// How much an opening favours one bot over another: the standard deviation of a bot's skill in Elo.
    pub(super) skill_swing: f64,
    /// Who shares an opening.
    pub(super) openings: Openings,
    /// How uneven the schedule is: of the pairs of two bots this share is left out, more where their numbers are far apart.
    pub(super) missing: f64,
}

/// Which pairs of games begin alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Openings {
    /// None.
    PerPair,
    /// Those of a round.
    PerRound,
    /// Those whose numbers are the same in a book of so many, which every two bots play in another order.
    Book(u32),
}

/// The advantage of the first seat in all designs, in Elo.
pub(super) const ADVANTAGE: f64 = 60.0;

impl Design {
    pub(super) fn new(bots: usize, rounds: u32, draws: f64) -> Self {
        Self {
            name: format!("{bots} bots, {rounds} rounds, draws {:.0} %", 100.0 * draws),
            bots,
            rounds,
            draws,
            range: 300.0,
            seat_swing: 0.0,
            skill_swing: 0.0,
            openings: Openings::PerPair,
            missing: 0.0,
        }
    }

    /// The strength of every bot, in Elo from their mean.
    pub(super) fn truth(&self) -> Vec<f64> {
        let last = (self.bots - 1) as f64;
        (0..self.bots).map(|bot| self.range * (0.5 - bot as f64 / last)).collect()
    }

    /// Plays a tournament.
    pub(super) fn play(&self, random: &mut ChaCha8Rng) -> Vec<Game> {
        let mut games = Vec::new();
        self.each_pair(random, |pair| games.extend_from_slice(pair));
        games
    }

    /// Plays a tournament and hands over its pairs of games one after the other.
    pub(super) fn each_pair(&self, random: &mut ChaCha8Rng, mut take: impl FnMut(&[Game; 2])) {
        let truth = self.truth();
        let mut opened: Vec<Option<Opening>> = Vec::new();
        let mut pair = 0;
        for round in 0..self.rounds {
            for i in 0..self.bots {
                for j in 0..i {
                    pair += 1;
                    let distance = (i - j) as f64 / self.bots as f64;
                    if self.missing > 0.0 && random.random::<f64>() < self.missing * (0.5 + distance) {
                        continue;
                    }
                    let number = match self.openings {
                        Openings::PerPair => pair,
                        Openings::PerRound => round,
                        Openings::Book(size) => (round + (i * 7 + j * 3) as u32) % size,
                    };
                    if opened.len() <= number as usize {
                        opened.resize(number as usize + 1, None);
                    }
                    let opening =
                        opened[number as usize].get_or_insert_with(|| Opening::draw(self, random)).clone();
                    let games = [(i, j), (j, i)].map(|(first, second)| {
                        let strength = |bot: usize| truth[bot] + opening.skills[bot];
                        let elo = strength(first) - strength(second) + ADVANTAGE + opening.seat;
                        let score = score(random, elo, self.draws);
                        let (pair, opening) = (Some(u64::from(pair)), Some(u64::from(number)));
                        Game { first, second, score, group: 0, pair, opening }
                    });
                    take(&games);
                }
            }
        }
    }
}

/// What an opening does to its games.
#[derive(Clone, Debug)]
struct Opening {
    seat: f64,
    skills: Vec<f64>,
}

impl Opening {
    fn draw(design: &Design, random: &mut ChaCha8Rng) -> Self {
        Self {
            seat: design.seat_swing * normal(random),
            skills: (0..design.bots).map(|_| design.skill_swing * normal(random)).collect(),
        }
    }
}

/// Draws from the standard normal law (Box and Muller 1958).
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (one, two): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - one).ln()).sqrt() * (std::f64::consts::TAU * two).cos()
}

/// Draws the score of a player who is `elo` stronger; `draws` is the share of the possible draws, 0 to 1.
fn score(random: &mut ChaCha8Rng, elo: f64, draws: f64) -> Score {
    let expected = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    let draw = draws * 2.0 * expected.min(1.0 - expected);
    let lot: f64 = random.random();
    if lot < draw {
        Score::Draw
    } else if lot < expected + draw / 2.0 {
        Score::Win
    } else {
        Score::Loss
    }
}
