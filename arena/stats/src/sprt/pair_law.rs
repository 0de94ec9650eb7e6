//! How pairs come out between players of known strength.

use thiserror::Error;

use crate::GameScore;
use crate::numeric::law::Law;
use crate::sprt::{Model, PairScore, scale};

/// The largest figure in Elo that players are described by.
const LARGEST: f64 = 3000.0;

/// How often games are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Draws {
    /// Draw Elo of the model, at least 0: each side wins as if it were weaker by this.
    Elo(f64),
    /// The share of games between equals that are drawn, at least 0 and less than 1.
    Rate(f64),
}

/// Two players: how often they draw, and what the first seat is worth.
///
/// A game follows the model of *BayesElo* (R. Coulom): with a difference d, advantage included, the first seat wins
/// with probability 1 / (1 + 10^((draw − d)/400)) and loses with 1 / (1 + 10^((draw + d)/400)).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Players {
    /// How often games are drawn.
    pub draws: Draws,
    /// What the first seat is worth, in Elo of the model.
    pub first_seat: f64,
}

/// The probabilities of the five scores of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairLaw {
    law: Law<5>,
    /// The chances of a loss, draw and win in its two games, with the first seat and with the second.
    games: [[f64; 3]; 2],
}

/// Why there is no such law.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PairLawError {
    /// A figure is not a number, or too large.
    #[error("{what} must be a number from -{LARGEST} to {LARGEST} Elo, not {value}")]
    Elo {
        /// Which figure.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// Draw Elo below zero.
    #[error("draw Elo must be at least 0, not {value}")]
    DrawElo {
        /// What was given.
        value: f64,
    },
    /// The share of draws is none, or more than the largest draw Elo makes.
    #[error("the draw rate must be at least 0 and less than 1, not {value}")]
    DrawRate {
        /// What was given.
        value: f64,
    },
    /// Players who draw this often cannot be this far apart on the scale.
    #[error("no such players are {elo} Elo apart")]
    Unreachable {
        /// The difference asked for.
        elo: f64,
    },
}

impl PairLaw {
    /// The law of players whose true difference is `elo` on the scale of `model`.
    ///
    /// # Errors
    /// When a figure is out of range, or no difference in strength makes `elo`.
    pub fn new(players: &Players, model: Model, elo: f64) -> Result<Self, PairLawError> {
        let first_seat = in_range("the first seat's advantage", players.first_seat)?;
        in_range("the true difference", elo)?;
        let draw = draw_elo(players.draws, first_seat)?;
        let difference = |law: &Self| match model {
            Model::Logistic => scale::elo(law.mean()),
            Model::Normalized => scale::nelo((law.mean() - 0.5) / law.deviation(), 2),
        };
        let (mut low, mut high) = (-4.0 * LARGEST, 4.0 * LARGEST);
        // Strong draws make a law of hardly any variance: whatever is not reached is refused.
        let at = |strength| Self::between(draw, first_seat, strength);
        if !(difference(&at(low)) < elo && difference(&at(high)) > elo) {
            return Err(PairLawError::Unreachable { elo });
        }
        while high - low > 1e-10 {
            let middle = 0.5 * (low + high);
            if difference(&at(middle)) < elo {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(at(0.5 * (low + high)))
    }

    /// The law of players whose true difference is `elo` in Elo of the model of a game, BayesElo.
    ///
    /// # Errors
    /// When a figure is out of range.
    pub fn of_strength(players: &Players, elo: f64) -> Result<Self, PairLawError> {
        let first_seat = in_range("the first seat's advantage", players.first_seat)?;
        in_range("the true difference", elo)?;
        Ok(Self::between(draw_elo(players.draws, first_seat)?, first_seat, elo))
    }

    /// The law at a difference in strength, all in Elo of the model of a game.
    fn between(draw: f64, first_seat: f64, strength: f64) -> Self {
        let games = [first_seat, -first_seat].map(|advantage| game(draw, strength + advantage));
        let [[l1, d1, w1], [l2, d2, w2]] = games;
        Self {
            games,
            law: Law::of([
                l1 * l2,
                l1 * d2 + d1 * l2,
                l1 * w2 + d1 * d2 + w1 * l2,
                d1 * w2 + w1 * d2,
                w1 * w2,
            ]),
        }
    }

    /// The probabilities, from the worst score to the best.
    #[must_use]
    pub const fn probabilities(&self) -> [f64; 5] {
        self.law.probabilities
    }

    /// The expected score, 0 to 1.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.law.mean()
    }

    /// The standard deviation of a pair's score.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.law.variance().sqrt()
    }

    /// The score of one of the two games, 0 with the first seat and 1 with the second, at a number from 0 up to 1.
    pub(crate) fn game_at(&self, leg: usize, uniform: f64) -> GameScore {
        let [lost, drawn, _] = self.games[leg];
        match uniform {
            u if u < lost => GameScore::Loss,
            u if u < lost + drawn => GameScore::Draw,
            _ => GameScore::Win,
        }
    }

    /// The score at a number from 0 up to 1: uniform numbers give scores of this law.
    #[must_use]
    pub fn score_at(&self, uniform: f64) -> PairScore {
        let mut below = 0.0;
        let [all_but_best @ .., best] = PairScore::ALL;
        for (score, probability) in all_but_best.into_iter().zip(self.law.probabilities) {
            below += probability;
            if uniform < below {
                return score;
            }
        }
        best
    }
}

/// The probabilities that a game is lost, drawn and won at a difference, all in Elo.
pub(super) fn game(draw: f64, difference: f64) -> [f64; 3] {
    let (won, lost) = (scale::score(difference - draw), scale::score(-difference - draw));
    [lost, (1.0 - won - lost).max(0.0), won]
}

/// The draw Elo of players; a rate is that between equals, the first seat's advantage included.
fn draw_elo(draws: Draws, first_seat: f64) -> Result<f64, PairLawError> {
    let rate = match draws {
        Draws::Elo(elo) if elo < 0.0 => return Err(PairLawError::DrawElo { value: elo }),
        Draws::Elo(elo) => return in_range("draw Elo", elo),
        Draws::Rate(rate) => rate,
    };
    let drawn = |draw| game(draw, first_seat)[1];
    let (mut low, mut high) = (0.0, LARGEST);
    if !(rate >= 0.0 && rate < drawn(high)) {
        return Err(PairLawError::DrawRate { value: rate });
    }
    while rate > 0.0 && high - low > 1e-10 {
        let middle = 0.5 * (low + high);
        if drawn(middle) < rate {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

fn in_range(what: &'static str, value: f64) -> Result<f64, PairLawError> {
    if (-LARGEST..=LARGEST).contains(&value) { Ok(value) } else { Err(PairLawError::Elo { what, value }) }
}
