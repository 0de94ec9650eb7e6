//! The rating table: what a fit says, and how sure it is.
//!
//! Figures only: how they are printed is the report's matter. Whatever the data do not hold is `None`, and
//! what was pulled to a finite value by the prior is marked.

use crate::Points;
use crate::fit::errors::certainty::{Certainty, Uncertainty};
use crate::fit::errors::parameter::{LEVEL95, Parameter};
use crate::numeric::normal::holm;

/// The ratings of all players and the advantages of the seats in all groups.
#[derive(Debug, Clone)]
pub struct RatingTable {
    /// One rating a player, in the caller's order.
    pub ratings: Vec<Rating>,
    /// One advantage a group, in the caller's order.
    pub advantages: Vec<Advantage>,
    /// How many sets of players the results tie together: 1 when every player has scored against every other,
    /// if only through third players; 0 without games.
    pub components: usize,
    /// The component that bounds refer to: the one of most players, then of most games.
    pub main: Option<usize>,
    /// How the ratings were found.
    pub method: Method,
    /// Where the errors come from.
    pub errors: ErrorKind,
    /// The logarithm of the (quasi-)likelihood at the ratings, less the ridge's penalty; 0 without ratings.
    pub log_likelihood: f64,
    pub(crate) certainty: Certainty,
}

/// The rating of one player.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// The rating in Elo, from the pool's mean or the anchor; `None` when there is nothing to tell.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of `elo`; `None` when the rating is fixed by definition (the
    /// anchor) or the results do not vary, so that no error can be estimated.
    pub error95: Option<f64>,
    /// Whether the prior holds the rating in place (the `~` mark): no finite figure follows from the data.
    pub is_regularized: bool,
    /// What the data themselves say of a player outside the main component.
    pub bound: Option<RatingBound>,
    /// The set of players this one is tied to by results; `None` without games.
    pub component: Option<usize>,
    /// Games played; at a table where it sat in several seats, each of them.
    pub games: u64,
    /// Points scored: of each game the share of the opponents that were beaten, ties a half.
    pub points: Points,
    /// Opponents beaten: games won, at tables of two.
    pub wins: u64,
    /// Opponents level: games drawn, at tables of two.
    pub draws: u64,
    /// Opponents lost to: games lost, at tables of two.
    pub losses: u64,
    /// How often it was first, second and so on; ties share the better place.
    pub places: Vec<u64>,
}

/// A one-sided 95 % bound of a rating, on the scale of the table.
///
/// A component that won (or lost) every game against the [main component](RatingTable::main) has no finite rating
/// relative to it, but the games bound it: with the opponents at the ratings this table gives them, a
/// component at the bound would do so with probability 5 % at most. Precisely, all the players of the
/// component are shifted together until the product, over its games with the main component, of the expected
/// scores is 0.05; since the chance of a win is at most the expected score, this is conservative whatever the
/// share of draws. It is the Clopper-Pearson bound of a perfect score with unequal opponents. A first-seat
/// advantage that the data do not determine takes the value least favourable to the bound. Without a game
/// against the main component there is no bound.
///
/// The bound uses nothing of the prior but the opponents' places, and may lie beyond the regularised figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RatingBound {
    /// The rating is above this, in Elo.
    Above(f64),
    /// The rating is below this, in Elo.
    Below(f64),
}

/// The advantages of the seats of one group, and what else the seats tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Advantage {
    /// The advantage of the first seat in Elo: over the second at tables of two, over the mean of all with more seats; `None`
    /// when it was not estimated.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of `elo`.
    pub error95: Option<f64>,
    /// Whether the fit was regularised (the `~` mark).
    pub is_regularized: bool,
    /// Games of the group.
    pub games: u64,
    /// The mean score of the first seat, 0 to 1.
    pub first_score: Option<f64>,
    /// The share of draws among the results of every two seats, 0 to 1: of drawn games at tables of two.
    pub draw_rate: Option<f64>,
    /// Blocks of the group in which every player sat in every seat: colour-swapped pairs at tables of two.
    pub pairs: u64,
    /// The variance of a pair's score over that of two independent games: the share of games that pairing
    /// needs for the same precision. Below 1 pairing saves games. `None` with more than two seats.
    pub pair_variance_ratio: Option<f64>,
    /// Every seat; none in a group without games.
    pub seats: Vec<SeatAdvantage>,
}

/// What one seat of a group is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeatAdvantage {
    /// Its advantage over the mean of all seats in Elo; those of all seats add up to zero. `None` when it was not estimated.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of `elo`.
    pub error95: Option<f64>,
    /// The mean score of the seat, 0 to 1; `None` where nobody sat there.
    pub score: Option<f64>,
}

impl SeatAdvantage {
    /// An advantage whose error and score are not known yet.
    pub(crate) const fn of(elo: f64) -> Self {
        Self { elo: Some(elo), error95: None, score: None }
    }
}

/// How the ratings of a table were found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// Maximum likelihood, all players at once.
    Plain,
    /// Maximum likelihood within each component. The distance of the others from the main component, which the results
    /// do not determine, is drawn to zero by a prior, and their figures are marked.
    Linked {
        /// The standard deviation of the normal prior of a component's mean, in Elo.
        sigma: f64,
    },
    /// Maximum likelihood with every rating drawn to the mean: every figure is marked.
    Ridge {
        /// The standard deviation of the normal prior of a rating, in Elo.
        sigma: f64,
        /// Why.
        cause: RidgeCause,
    },
    /// Maximum likelihood within each component, each from its own mean; nothing ties them together.
    Separate,
}

/// Why a fit was regularised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RidgeCause {
    /// It was asked for.
    Asked,
    /// The results do not tie all players together: some scored 0 or 100 %, or groups never met.
    Disconnected,
    /// The results tie the players together but do not tell strength from the advantage of a seat.
    Advantage,
}

/// Where the errors of a table come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Reduced-bias sandwich estimate (CR2) with Student's t: clusters are the games that share an opening, or
    /// colour-swapped pairs, or games without a partner.
    Clusters,
    /// Plain sandwich estimate (HC0), clusters are colour-swapped pairs (games without a partner stand alone).
    PairSandwich,
    /// Plain sandwich estimate (HC0), every game on its own.
    GameSandwich,
    /// Inverse of the (penalised) information.
    InverseHessian,
    /// The spread of fits to clusters with random weights.
    Bootstrap,
}

/// A rating difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The difference in Elo.
    pub elo: f64,
    /// Half the width of its 95 % interval; `None` when the results do not vary.
    pub error95: Option<f64>,
}

/// Two players next to each other in the ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbours {
    /// The player rated higher.
    pub upper: usize,
    /// The player rated next.
    pub lower: usize,
    /// The likelihood that `upper` is the stronger; `None` when there is no error to judge by.
    pub los: Option<f64>,
    /// Whether a prior has a part in it (the `~` mark).
    pub is_regularized: bool,
    /// The same after Holm's adjustment for all adjacent comparisons of the table: 1 minus the adjusted
    /// one-sided p value.
    pub los_holm: Option<f64>,
}

impl Rating {
    /// The mean score, 0 to 1; `None` without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        self.points.mean(self.games)
    }
}

impl RatingBound {
    /// The bound's value, whichever side it is on.
    #[must_use]
    pub fn elo(self) -> f64 {
        match self {
            Self::Above(elo) | Self::Below(elo) => elo,
        }
    }
}

impl RatingTable {
    /// Whether every figure is marked: the prior decides what the data leave open.
    #[must_use]
    pub fn is_regularized(&self) -> bool {
        matches!(self.method, Method::Ridge { .. })
    }

    /// The players from strongest to weakest; those without a rating last, equals in the caller's order. Where components
    /// are rated separately they follow each other, the main one first.
    #[must_use]
    pub fn ranking(&self) -> Vec<usize> {
        let component = |i: usize| {
            let component = self.ratings[i].component;
            let is_separate = self.method == Method::Separate;
            is_separate.then_some((component.is_none(), component != self.main, component))
        };
        let elo = |i: usize| self.ratings[i].elo.unwrap_or(f64::NEG_INFINITY);
        let mut order: Vec<usize> = (0..self.ratings.len()).collect();
        order.sort_by(|&i, &j| component(i).cmp(&component(j)).then(elo(j).total_cmp(&elo(i))));
        order
    }

    /// The covariance of two parameters in square Elo, ratings taken from the pool's mean or the anchor.
    ///
    /// `None` when one of them was not estimated.
    #[must_use]
    pub fn covariance(&self, a: Parameter, b: Parameter) -> Option<f64> {
        self.certainty.covariance(a, b)
    }

    /// The standard error of a parameter in Elo; `None` when it was not estimated or does not vary.
    #[must_use]
    pub fn standard_error(&self, parameter: Parameter) -> Option<f64> {
        Some(self.certainty.of(parameter)?.error)
    }

    /// Half the width of the interval of a parameter that misses the truth with probability `level`, in Elo.
    ///
    /// `None` when it was not estimated or does not vary.
    #[must_use]
    pub fn half_width(&self, parameter: Parameter, level: f64) -> Option<f64> {
        Some(self.certainty.of(parameter)?.half_width(level))
    }

    /// How much higher `i` is rated than `j`, with the error of the difference.
    ///
    /// `None` when one has no rating, or when they are rated separately.
    #[must_use]
    pub fn difference(&self, i: usize, j: usize) -> Option<Difference> {
        let elo = self.distance(i, j)?;
        let uncertainty = self.uncertainty(i, j);
        Some(Difference { elo, error95: uncertainty.map(|uncertainty| uncertainty.half_width(LEVEL95)) })
    }

    /// The standard error of the difference between two ratings, in Elo.
    ///
    /// It is not made of the two single errors: their covariance counts.
    #[must_use]
    pub fn difference_error(&self, i: usize, j: usize) -> Option<f64> {
        Some(self.uncertainty(i, j)?.error)
    }

    /// Widens the errors of all ratings so that their intervals hold together with 95 %: each misses the truth with
    /// probability 1 − 0.95^(1/n), which is enough whatever their correlations (Šidák 1967, *Journal of the American Statistical
    /// Association* 62).
    pub fn widen_for_all(&mut self) {
        let rated = self.ratings.iter().filter(|rating| rating.error95.is_some()).count();
        let level = 1.0 - (1.0 - LEVEL95).powf(1.0 / rated.max(1) as f64);
        for i in 0..self.ratings.len() {
            self.ratings[i].error95 = self.half_width(Parameter::Rating(i), level);
        }
    }

    /// The likelihood of superiority of `i` over `j`: the probability below difference / standard error, by Student's law
    /// with the error's degrees of freedom.
    ///
    /// `None` for a player and itself, and where the difference or its error is missing.
    #[must_use]
    pub fn los(&self, i: usize, j: usize) -> Option<f64> {
        Some(self.uncertainty(i, j)?.likelihood_above_zero(self.distance(i, j)?))
    }

    /// Whether a prior has a part in the comparison of two players (the `~` mark).
    #[must_use]
    pub fn is_held_by_prior(&self, i: usize, j: usize) -> bool {
        match self.method {
            Method::Plain | Method::Separate => false,
            Method::Linked { .. } => self.ratings[i].component != self.ratings[j].component,
            Method::Ridge { .. } => true,
        }
    }

    fn uncertainty(&self, i: usize, j: usize) -> Option<Uncertainty> {
        self.distance(i, j)?;
        self.certainty.of_sum(&[(Parameter::Rating(i), 1.0), (Parameter::Rating(j), -1.0)])
    }

    /// The expected score, 0 to 1, of `first` in the first seat against `second` in the second one.
    ///
    /// `None` when one of the ratings or the advantage is missing, or the two are rated separately.
    #[must_use]
    pub fn expected_score(&self, first: usize, second: usize, group: usize) -> Option<f64> {
        let advantage = self.advantages.get(group)?;
        let seats = match advantage.seats[..] {
            [one, two, _, ..] => one.elo? - two.elo?,
            _ => advantage.elo?,
        };
        let elo = self.distance(first, second)? + seats;
        Some(1.0 / (1.0 + 10f64.powf(-elo / 400.0)))
    }

    /// The adjacent comparisons of the ranking, with Holm's adjustment for making all of them.
    #[must_use]
    pub fn neighbours(&self) -> Vec<Neighbours> {
        let ranking = self.ranking();
        let mut all: Vec<Neighbours> = ranking
            .windows(2)
            .filter(|pair| self.distance(pair[0], pair[1]).is_some())
            .map(|pair| Neighbours {
                upper: pair[0],
                lower: pair[1],
                los: self.los(pair[0], pair[1]),
                is_regularized: self.is_held_by_prior(pair[0], pair[1]),
                los_holm: None,
            })
            .collect();
        let tests: Vec<f64> = all.iter().filter_map(|pair| pair.los.map(|los| 1.0 - los)).collect();
        let adjusted = holm(&tests);
        for (pair, p) in all.iter_mut().filter(|pair| pair.los.is_some()).zip(adjusted) {
            pair.los_holm = Some(1.0 - p);
        }
        all
    }

    /// The rating difference, if both stand on one scale.
    fn distance(&self, i: usize, j: usize) -> Option<f64> {
        let (a, b) = (self.ratings.get(i)?, self.ratings.get(j)?);
        let comparable = match self.method {
            Method::Separate => a.component == b.component,
            Method::Plain | Method::Linked { .. } | Method::Ridge { .. } => true,
        };
        if comparable { Some(a.elo? - b.elo?) } else { None }
    }
}
