//! Tournaments drawn by lot between players of known strength.

use std::f64::consts::SQRT_2;

use rand::{RngExt as _, rngs::ChaCha8Rng};
use stats::{GameScore, RatedGame};

/// A kind of tournament.
#[derive(Clone, Debug)]
pub(super) struct Design {
    /// What it is called.
    pub(super) name: String,
    pub(super) bots: usize,
    /// How many pairs of games every two bots play.
    pub(super) rounds: u32,
    /// How many single games more, in which the weaker one has the first seat.
    pub(super) unswapped: u32,
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
    /// Those whose numbers are the same in a book of this size, which every two bots play in another order.
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
            unswapped: 0,
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

    /// The score that a bot in the first seat may expect against another, 0 to 1: the mean over openings.
    pub(super) fn expected_score(&self, first: usize, second: usize) -> f64 {
        let truth = self.truth();
        let swing = self.seat_swing.hypot(self.skill_swing * SQRT_2);
        expected(truth[first] - truth[second] + ADVANTAGE, swing)
    }

    /// The mean score that a bot may expect, 0 to 1: over openings, seats and all others.
    pub(super) fn mean_score(&self, bot: usize) -> f64 {
        let others = (0..self.bots).filter(|other| *other != bot);
        let scores = others.map(|other| {
            f64::midpoint(self.expected_score(bot, other), 1.0 - self.expected_score(other, bot))
        });
        scores.sum::<f64>() / (self.bots - 1) as f64
    }

    /// Plays a tournament.
    pub(super) fn play(&self, random: &mut ChaCha8Rng) -> Vec<RatedGame> {
        let mut games = Vec::new();
        self.each_pair(random, |_, pair| games.extend_from_slice(pair));
        games
    }

    /// Plays a tournament and hands over its pairs of games one after the other, with their rounds from 1; single games
    /// come alone.
    pub(super) fn each_pair(&self, random: &mut ChaCha8Rng, mut take: impl FnMut(u32, &[RatedGame])) {
        let truth = self.truth();
        let mut opened: Vec<Option<Opening>> = Vec::new();
        let mut pair = 0;
        for round in 0..self.rounds + self.unswapped {
            let is_swapped = round < self.rounds;
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
                        let pair = is_swapped.then_some(u64::from(pair));
                        let opening = Some(u64::from(number));
                        RatedGame { pair, opening, ..RatedGame::new(first, second, score) }
                    });
                    take(round + 1, if is_swapped { &games } else { &games[..1] });
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

/// The expected score of a player who is `elo` stronger.
fn logistic(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The same for a player who is stronger by a normal law with this mean and deviation: the trapezoidal rule over eight
/// deviations either way, which for such functions is exact to the last digits.
fn expected(mean: f64, deviation: f64) -> f64 {
    let points = (-160..=160).map(|point| f64::from(point) / 20.0);
    let (mut sum, mut weights) = (0.0, 0.0);
    for point in points {
        let weight = (-point * point / 2.0_f64).exp();
        sum += weight * logistic(mean + deviation * point);
        weights += weight;
    }
    sum / weights
}

/// Draws from the standard normal law (Box and Muller 1958).
pub(super) fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (one, two): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - one).ln()).sqrt() * (std::f64::consts::TAU * two).cos()
}

/// Draws the score of a player who is `elo` stronger; `draws` is the share of the possible draws, 0 to 1.
fn score(random: &mut ChaCha8Rng, elo: f64, draws: f64) -> GameScore {
    let expected = logistic(elo);
    let draw = draws * 2.0 * expected.min(1.0 - expected);
    let lot: f64 = random.random();
    if lot < draw {
        GameScore::Draw
    } else if lot < expected + draw / 2.0 {
        GameScore::Win
    } else {
        GameScore::Loss
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;

    #[test]
    fn expected_scores_are_those_that_are_played() {
        let design = Design { skill_swing: 200.0, seat_swing: 150.0, ..Design::new(3, 20_000, 0.4) };
        let mut sums = [0.0; 3];
        for game in design.play(&mut ChaCha8Rng::seed_from_u64(1)) {
            let score = game.result.score(0, 1).points();
            sums[game.result.player(0)] += score;
            sums[game.result.player(1)] += 1.0 - score;
        }
        for (bot, sum) in sums.into_iter().enumerate() {
            let (found, expected) = (sum / 80_000.0, design.mean_score(bot));
            assert!((found - expected).abs() < 0.01, "{bot}: {found}, not {expected}");
        }
    }

    #[test]
    fn a_swing_of_nothing_changes_no_score() {
        assert!((expected(120.0, 0.0) - logistic(120.0)).abs() < 1e-12);
        assert!(expected(120.0, 300.0) < logistic(120.0));
    }
}
