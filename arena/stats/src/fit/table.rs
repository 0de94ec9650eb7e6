//! The rating table: the figures of a fit and their uncertainty.
//!
//! It only holds figures; the report decides how to print them. A figure that the data do not determine is `None`, and one that
//! the prior made finite is marked.

use crate::Points;
use crate::fit::errors::certainty::{Certainty, Uncertainty};
use crate::fit::errors::parameter::{LEVEL95, Parameter};
use crate::numeric::normal::holm;

/// The ratings of all players and the advantages of the seats in all groups.
#[derive(Debug, Clone)]
pub struct RatingTable {
    /// One rating per player, in the caller's order.
    pub ratings: Vec<Rating>,
    /// One advantage per group, in the caller's order.
    pub advantages: Vec<Advantage>,
    /// The number of sets of players that the results connect: 1 if every player has scored against every other, possibly
    /// through third players; 0 without games.
    pub components: usize,
    /// The component that bounds refer to: the one with the most players, then the most games.
    pub main: Option<usize>,
    /// How the ratings were found.
    pub method: Method,
    /// How the errors were estimated.
    pub errors: ErrorKind,
    /// The logarithm of the (quasi-)likelihood at the ratings, minus the ridge's penalty; 0 without ratings.
    pub log_likelihood: f64,
    pub(crate) certainty: Certainty,
}

/// The rating of one player.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// The rating in Elo, relative to the pool's mean or the anchor; `None` if it is undetermined.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of `elo`; `None` if the rating is fixed by definition (the anchor) or if the results
    /// do not vary, so that no error can be estimated.
    pub error95: Option<f64>,
    /// Whether the prior determines the rating (the `~` mark), because the data alone give no finite figure.
    pub is_regularized: bool,
    /// The bound that the data alone give for a player outside the main component.
    pub bound: Option<RatingBound>,
    /// The set of players that the results connect with this one; `None` without games.
    pub component: Option<usize>,
    /// Games played. A table at which the player sat in several seats counts once per seat.
    pub games: u64,
    /// Points scored: the sum over games of the share of opponents beaten, where a tie counts a half.
    pub points: Points,
    /// Opponents beaten. At tables of two seats: games won.
    pub wins: u64,
    /// Ties with opponents. At tables of two seats: games drawn.
    pub draws: u64,
    /// Opponents lost to. At tables of two seats: games lost.
    pub losses: u64,
    /// How often the player was first, second and so on. Ties share the better place.
    pub places: Vec<u64>,
}

/// A one-sided 95 % bound of a rating, on the scale of the table.
///
/// A component that won (or lost) every game against the [main component](RatingTable::main) has no finite rating relative to
/// it, but the games bound it. If the opponents have the ratings of this table, a component at the bound would get such results
/// with a probability of at most 5 %. Precisely, all players of the component are shifted together until the product of the
/// expected scores, over its games with the main component, is 0.05. The chance of a win is at most the expected score, so the
/// bound is conservative for any share of draws. It is the Clopper-Pearson bound of a perfect score with unequal opponents. A
/// first-seat advantage that the data do not determine takes the value least favourable to the bound. Without a game against
/// the main component there is no bound.
///
/// The bound uses nothing of the prior except the opponents' ratings, and may lie beyond the regularized figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RatingBound {
    /// The rating is above this, in Elo.
    Above(f64),
    /// The rating is below this, in Elo.
    Below(f64),
}

/// The advantages of the seats of one group, with other statistics of the seats.
#[derive(Debug, Clone, PartialEq)]
pub struct Advantage {
    /// The advantage of the first seat in Elo: over the second at tables of two seats, otherwise over the mean of all seats;
    /// `None` if it was not estimated.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of `elo`.
    pub error95: Option<f64>,
    /// Whether the fit was regularized (the `~` mark).
    pub is_regularized: bool,
    /// Games of the group.
    pub games: u64,
    /// The mean score of the first seat, 0 to 1.
    pub first_score: Option<f64>,
    /// The share of draws among the results of every two seats, 0 to 1. At tables of two seats: the share of drawn games.
    pub draw_rate: Option<f64>,
    /// Blocks of the group in which every player sat in every seat. At tables of two seats: colour-swapped pairs.
    pub pairs: u64,
    /// The variance of a pair's score relative to that of two independent games: the share of games that pairing needs for the
    /// same precision. Below 1 pairing saves games. `None` with more than two seats.
    pub pair_variance_ratio: Option<f64>,
    /// Every seat; empty for a group without games.
    pub seats: Vec<SeatAdvantage>,
}

/// The advantage of one seat of a group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeatAdvantage {
    /// Its advantage over the mean of all seats in Elo. Those of all seats add up to zero. `None` if it was not estimated.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval of `elo`.
    pub error95: Option<f64>,
    /// The mean score of the seat, 0 to 1; `None` if nobody sat there.
    pub score: Option<f64>,
}

impl SeatAdvantage {
    /// Returns an advantage whose error and score are not known yet.
    pub(crate) const fn of(elo: f64) -> Self {
        Self { elo: Some(elo), error95: None, score: None }
    }
}

/// How the ratings of a table were found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// Maximum likelihood, all players at once.
    Plain,
    /// Maximum likelihood within each component. A prior shrinks the distance of the other components from the main one, which
    /// the results do not determine, to zero, and their figures are marked.
    Linked {
        /// The standard deviation of the normal prior of a component's mean, in Elo.
        sigma: f64,
    },
    /// Maximum likelihood with every rating shrunk to the mean. Every figure is marked.
    Ridge {
        /// The standard deviation of the normal prior of a rating, in Elo.
        sigma: f64,
        /// The reason for the ridge.
        cause: RidgeCause,
    },
    /// Maximum likelihood within each component, each from its own mean. Nothing connects them.
    Separate,
}

/// Why a fit was regularized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RidgeCause {
    /// The caller requested it.
    Asked,
    /// The results do not connect all players: some scored 0 or 100 %, or groups never met.
    Disconnected,
    /// The results connect the players but do not separate strength from the advantage of a seat.
    Advantage,
}

/// How the errors of a table were estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Reduced-bias sandwich estimate (CR2) with Student's t. Clusters are the games that share an opening, or colour-swapped
    /// pairs, or games without a partner.
    Clusters,
    /// Plain sandwich estimate (HC0). Clusters are colour-swapped pairs, and games without a partner are clusters of their own.
    PairSandwich,
    /// Plain sandwich estimate (HC0) with every game as a cluster.
    GameSandwich,
    /// Inverse of the (penalized) information.
    InverseHessian,
    /// Spread of fits in which the clusters have random weights.
    Bootstrap,
}

/// A rating difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The difference in Elo.
    pub elo: f64,
    /// Half the width of its 95 % interval; `None` if the results do not vary.
    pub error95: Option<f64>,
}

/// Two adjacent players of the ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbours {
    /// The player ranked higher.
    pub upper: usize,
    /// The player ranked next.
    pub lower: usize,
    /// The likelihood that `upper` is stronger; `None` if there is no error.
    pub los: Option<f64>,
    /// Whether it depends on a prior (the `~` mark).
    pub is_regularized: bool,
    /// The likelihood after Holm's adjustment for all adjacent comparisons of the table: 1 minus the adjusted one-sided p
    /// value.
    pub los_holm: Option<f64>,
}

impl Rating {
    /// Returns the mean score, 0 to 1; `None` without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        self.points.mean(self.games)
    }
}

impl RatingBound {
    /// Returns the value of the bound, for either side.
    #[must_use]
    pub fn elo(self) -> f64 {
        match self {
            Self::Above(elo) | Self::Below(elo) => elo,
        }
    }
}

impl RatingTable {
    /// Returns whether every figure is marked because a prior determines what the data do not.
    #[must_use]
    pub fn is_regularized(&self) -> bool {
        matches!(self.method, Method::Ridge { .. })
    }

    /// Returns the players from strongest to weakest. Players without a rating come last, and equals keep the caller's order.
    /// Components that are rated separately follow each other, the main one first.
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

    /// Returns the covariance of two parameters in square Elo, with ratings relative to the pool's mean or the anchor.
    ///
    /// Returns `None` if one of them was not estimated.
    #[must_use]
    pub fn covariance(&self, a: Parameter, b: Parameter) -> Option<f64> {
        self.certainty.covariance(a, b)
    }

    /// Returns the standard error of a parameter in Elo; `None` if it was not estimated or does not vary.
    #[must_use]
    pub fn standard_error(&self, parameter: Parameter) -> Option<f64> {
        Some(self.certainty.of(parameter)?.error)
    }

    /// Returns half the width, in Elo, of the interval of a parameter that misses the truth with probability `level`.
    ///
    /// Returns `None` if the parameter was not estimated or does not vary.
    #[must_use]
    pub fn half_width(&self, parameter: Parameter, level: f64) -> Option<f64> {
        Some(self.certainty.of(parameter)?.half_width(level))
    }

    /// Returns how much higher `i` is rated than `j`, with the error of the difference.
    ///
    /// Returns `None` if one has no rating, or if they are rated separately.
    #[must_use]
    pub fn difference(&self, i: usize, j: usize) -> Option<Difference> {
        let elo = self.distance(i, j)?;
        let uncertainty = self.uncertainty(i, j);
        Some(Difference { elo, error95: uncertainty.map(|uncertainty| uncertainty.half_width(LEVEL95)) })
    }

    /// Returns the standard error of the difference between two ratings, in Elo.
    ///
    /// It accounts for their covariance, so the two single errors do not determine it.
    #[must_use]
    pub fn difference_error(&self, i: usize, j: usize) -> Option<f64> {
        Some(self.uncertainty(i, j)?.error)
    }

    /// Widens the errors of all ratings so that all intervals together hold with 95 % confidence. Each then misses the truth
    /// with probability 1 − 0.95^(1/n), which is sufficient for any correlations (Šidák 1967, *Journal of the American
    /// Statistical Association* 62).
    pub fn widen_for_all(&mut self) {
        let rated = self.ratings.iter().filter(|rating| rating.error95.is_some()).count();
        let level = 1.0 - (1.0 - LEVEL95).powf(1.0 / rated.max(1) as f64);
        for i in 0..self.ratings.len() {
            self.ratings[i].error95 = self.half_width(Parameter::Rating(i), level);
        }
    }

    /// Returns the likelihood of superiority of `i` over `j`: the probability below difference / standard error by Student's
    /// law with the error's degrees of freedom.
    ///
    /// Returns `None` if `i` equals `j`, or if the difference or its error is missing.
    #[must_use]
    pub fn los(&self, i: usize, j: usize) -> Option<f64> {
        Some(self.uncertainty(i, j)?.likelihood_above_zero(self.distance(i, j)?))
    }

    /// Returns whether the comparison of two players depends on a prior (the `~` mark).
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

    /// Returns the expected score, 0 to 1, of `first` in the first seat against `second` in the second one.
    ///
    /// Returns `None` if one of the ratings or the advantage is missing, or if the two are rated separately.
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

    /// Returns the adjacent comparisons of the ranking, with Holm's adjustment for all of them.
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

    /// Returns the rating difference, if both have the same scale.
    fn distance(&self, i: usize, j: usize) -> Option<f64> {
        let (a, b) = (self.ratings.get(i)?, self.ratings.get(j)?);
        let comparable = match self.method {
            Method::Separate => a.component == b.component,
            Method::Plain | Method::Linked { .. } | Method::Ridge { .. } => true,
        };
        if comparable { Some(a.elo? - b.elo?) } else { None }
    }
}
