//! The choice of the next meetings, so that the question is settled soon.
//!
//! The choice assumes a normal law around the fit with a wide prior, with the inverse of the information as its covariance. A
//! meeting of a and b adds the information w to their difference. With the difference c of a and b, this reduces the covariance
//! V by V c cᵀ V / (1/w + cᵀ V c).
//!
//! For the order: let P be the probability that i is stronger than j. Then 4 P (1 − P) measures how open the question is. As
//! results arrive, P is a martingale, so P (1 − P) falls in expectation by the variance of P's next value. To first order that
//! is φ(z)² Δσ²/σ², with the difference's standard deviation σ, its z score and the reduction Δσ² of its variance. The sum over
//! all questions without a proof is the expected reduction of the uncertainty of the order, and the meeting with the largest
//! reduction is chosen. Questions with a clear answer have no weight. Neighbours who are hard to distinguish do not attract all
//! games, because other meetings inform about them too. But ratings prove nothing, and two equals could use up all remaining
//! games. So every third meeting is one between the two neighbours in rank who need the fewest expected meetings for the proof.
//!
//! For the best: the leader meets the challenger against whom its lead is least certain until it is proved stronger than each
//! of them. The measure is z²/2 + ln n, with the number n of their meetings (a top-two method: Russo 2020, Operations Research
//! 68; the challenger by transportation cost with the penalty ln n: Jourdan, Degenne, Baudry, de Heide and Kaufmann 2022, arXiv
//! 2206.05979).
//!
//! This law only chooses meetings. [`Evidence`] decides what is proved.

use std::f64::consts::TAU;

use crate::fit::model::{UNITS_PER_ELO, sigmoid};
use crate::numeric::matrix::Matrix;
use crate::planning::evidence::{Evidence, Goal};
use crate::{Errors, FitSettings, Parameter, Prior, Sample};

/// The standard deviation of a rating before the first game, in Elo.
const PRIOR_SIGMA: f64 = 300.0;

/// Returns the next meetings of two players each, at most `count`, in the order of play.
///
/// `sample` holds the known games of `groups` groups, `pending` the meetings that are decided but have no results yet. Their
/// expected information counts, so the same choice is not repeated while results are missing. A meeting is a pair of games in
/// each group. Two players for whom `is_closed` holds (lower index first) do not meet. The result depends on nothing else. It
/// is shorter than `count`, possibly empty, if no allowed meeting can settle anything.
///
/// # Panics
/// When the sample has players or groups that do not exist.
#[must_use]
pub fn next_meetings(
    evidence: &Evidence,
    sample: &Sample,
    groups: usize,
    pending: &[(usize, usize)],
    is_closed: impl Fn(usize, usize) -> bool,
    count: usize,
) -> Vec<(usize, usize)> {
    let mut belief = Belief::new(evidence.players(), groups, sample);
    for &(one, other) in pending {
        belief.expect(one, other);
    }
    let is_open = |i: usize, j: usize| !evidence.is_decided(i, j) && !is_closed(i.min(j), i.max(j));
    // There is no leader before the first result.
    if evidence.goal() == Goal::Best && sample.games() > 0 {
        top_two(evidence, belief, pending, is_open, count)
    } else {
        most_telling(evidence, belief, pending, is_open, count)
    }
}

/// The assumed law of the ratings.
struct Belief {
    elo: Vec<f64>,
    /// The covariance in square Elo.
    covariance: Matrix,
    groups: usize,
}

impl Belief {
    fn new(players: usize, groups: usize, sample: &Sample) -> Self {
        let prior = Prior::Ridge { sigma: PRIOR_SIGMA };
        let settings = FitSettings { prior, errors: Errors::Hessian, ..FitSettings::default() };
        let table = sample.fit(players, groups, &settings);
        let elo = table.ratings.iter().map(|rating| rating.elo.unwrap_or(0.0)).collect();
        let mut covariance = Matrix::zero(players);
        for i in 0..players {
            for j in 0..players {
                let unplayed = if i == j { PRIOR_SIGMA * PRIOR_SIGMA } else { 0.0 };
                let known = table.covariance(Parameter::Rating(i), Parameter::Rating(j));
                covariance.set(i, j, known.unwrap_or(unplayed));
            }
        }
        Self { elo, covariance, groups }
    }

    /// Returns the variance of a difference.
    fn variance(&self, i: usize, j: usize) -> f64 {
        let v = &self.covariance;
        (v.get(i, i) + v.get(j, j) - v.get(i, j) - v.get(j, i)).max(f64::MIN_POSITIVE)
    }

    /// Returns by how many standard deviations `i` is above `j`.
    fn z(&self, i: usize, j: usize) -> f64 {
        (self.elo[i] - self.elo[j]) / self.variance(i, j).sqrt()
    }

    /// Returns the information of a meeting on the difference, per square Elo.
    fn information(&self, i: usize, j: usize) -> f64 {
        let expected = sigmoid((self.elo[i] - self.elo[j]) * UNITS_PER_ELO);
        let games = 2.0 * self.groups as f64;
        games * expected * (1.0 - expected) * UNITS_PER_ELO * UNITS_PER_ELO
    }

    /// Returns the inverse of the information of a meeting plus the variance of the difference, in square Elo: the divisor of
    /// the square of a column.
    fn scale(&self, i: usize, j: usize) -> f64 {
        self.information(i, j).max(f64::MIN_POSITIVE).recip() + self.variance(i, j)
    }

    /// Returns the column of a difference, V c.
    fn column(&self, i: usize, j: usize) -> Vec<f64> {
        (0..self.elo.len()).map(|k| self.covariance.get(k, i) - self.covariance.get(k, j)).collect()
    }

    /// Accounts for a meeting whose result is unknown: the ratings stay, their variances fall.
    fn expect(&mut self, i: usize, j: usize) {
        let (column, scale) = (self.column(i, j), self.scale(i, j));
        add_product(&mut self.covariance, -1.0 / scale, &column, &column);
    }
}

/// Chooses for the order: in turn the meeting that reduces its uncertainty most, and the one nearest to a proof.
fn most_telling(
    evidence: &Evidence,
    mut belief: Belief,
    pending: &[(usize, usize)],
    is_open: impl Fn(usize, usize) -> bool,
    count: usize,
) -> Vec<(usize, usize)> {
    let n = evidence.players();
    // The weight of each question as the Laplacian L of a graph: Σ weight · Δσ² of a meeting is then
    // cᵀ V L V c / (1/w + cᵀ V c).
    let mut weights = Matrix::zero(n);
    for (i, j) in match_ups(n).filter(|&(i, j)| !evidence.is_decided(i, j)) {
        let density = (-belief.z(i, j).powi(2) / 2.0).exp() / TAU.sqrt();
        let weight = density * density / belief.variance(i, j);
        for (a, b, sign) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
            weights.add(a, b, sign * weight);
        }
    }
    let mut gain = belief.covariance.product(&weights).product(&belief.covariance);
    let met: u64 = match_ups(n).map(|(i, j)| evidence.meetings(i, j)).sum();
    let decided = met as usize + pending.len();
    let mut chosen = Vec::with_capacity(count);
    while chosen.len() < count {
        let reduction = |i: usize, j: usize| {
            let whole = gain.get(i, i) + gain.get(j, j) - gain.get(i, j) - gain.get(j, i);
            whole / belief.scale(i, j)
        };
        let candidates = match_ups(n).filter(|&(i, j)| is_open(i, j)).map(|(i, j)| (reduction(i, j), (i, j)));
        // The first of equals wins, so the order of iteration does not matter.
        let best = candidates.fold(None, |best: Option<(f64, (usize, usize))>, next| match best {
            Some(best) if next.0.total_cmp(&best.0).is_le() => Some(best),
            Some(_) | None => Some(next),
        });
        let near = ((decided + chosen.len()) % 3 == 2)
            .then(|| nearest_proof(evidence, &belief, pending, &chosen, &is_open));
        let Some((i, j)) = near.flatten().or(best.map(|(_, pair)| pair)) else { break };
        chosen.push((i, j));
        // V becomes V − u uᵀ/s with u = V c; this updates V L V.
        let (column, scale) = (belief.column(i, j), belief.scale(i, j));
        let below = weights.times(&column);
        let across = belief.covariance.times(&below);
        let square = dot(&column, &below) / (scale * scale);
        add_product(&mut gain, -1.0 / scale, &column, &across);
        add_product(&mut gain, -1.0 / scale, &across, &column);
        add_product(&mut gain, square, &column, &column);
        belief.expect(i, j);
    }
    chosen
}

/// Returns the neighbours in rank who need the fewest meetings to prove who is stronger, if the ratings are correct. It skips
/// those for whom the pending meetings are expected to suffice.
///
/// Capital grows at most as fast as e^(t w d²/2) in t meetings of information w at the difference d.
fn nearest_proof(
    evidence: &Evidence,
    belief: &Belief,
    pending: &[(usize, usize)],
    chosen: &[(usize, usize)],
    is_open: impl Fn(usize, usize) -> bool,
) -> Option<(usize, usize)> {
    let mut order: Vec<usize> = (0..evidence.players()).collect();
    order.sort_by(|&i, &j| belief.elo[j].total_cmp(&belief.elo[i]));
    let left = |upper: usize, lower: usize| {
        let pair = (upper.min(lower), upper.max(lower));
        let decided = pending.iter().chain(chosen).filter(|&&next| next == pair).count() as f64;
        let growth = belief.information(upper, lower) * (belief.elo[upper] - belief.elo[lower]).powi(2) / 2.0;
        ((evidence.enough() / evidence.capital(upper, lower)).ln() / growth - decided, pair)
    };
    let neighbours = order.windows(2).filter(|pair| is_open(pair[0], pair[1]));
    let open =
        neighbours.map(|pair| left(pair[0], pair[1])).filter(|(left, _)| left.is_finite() && *left > 0.0);
    open.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, pair)| pair)
}

/// Chooses for the best: the leader against the player most likely to be better.
fn top_two(
    evidence: &Evidence,
    mut belief: Belief,
    pending: &[(usize, usize)],
    is_open: impl Fn(usize, usize) -> bool,
    count: usize,
) -> Vec<(usize, usize)> {
    let n = evidence.players();
    let leader = (0..n)
        .filter(|&i| !evidence.is_beaten(i))
        .reduce(|best, next| if belief.elo[next] > belief.elo[best] { next } else { best });
    let Some(leader) = leader else { return Vec::new() };
    let mut chosen: Vec<(usize, usize)> = Vec::with_capacity(count);
    while chosen.len() < count {
        let cost = |other: usize| {
            let pair = (leader.min(other), leader.max(other));
            let waiting = pending.iter().chain(&chosen).filter(|&&next| next == pair).count();
            let meetings = evidence.meetings(leader, other) as f64 + waiting as f64;
            let lead = belief.z(leader, other).max(0.0);
            lead * lead / 2.0 + meetings.max(1.0).ln()
        };
        let challengers = (0..n).filter(|&other| other != leader && is_open(leader, other));
        let Some(other) = challengers.reduce(|best, next| if cost(next) < cost(best) { next } else { best })
        else {
            break;
        };
        chosen.push((leader.min(other), leader.max(other)));
        belief.expect(leader, other);
    }
    chosen
}

/// Returns every two of `n` players, the one of lower index first.
fn match_ups(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds `factor · a bᵀ`.
fn add_product(matrix: &mut Matrix, factor: f64, a: &[f64], b: &[f64]) {
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            matrix.add(i, j, factor * a * b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameScore, RatedGame};

    /// Returns players whose numbers are their ranks. The weaker one wins every fifth game of neighbours.
    fn played(goal: Goal, players: usize, meetings: u32) -> (Evidence, Sample) {
        let mut evidence = Evidence::new(goal, 0.05, players);
        let mut sample = Sample::default();
        for meeting in 0..meetings {
            for (i, j) in match_ups(players) {
                let second = if meeting.is_multiple_of(3) { GameScore::Loss } else { GameScore::Win };
                let scores = [GameScore::Win, if j == i + 1 { second } else { GameScore::Win }];
                evidence.observe(i, j, &[scores]);
                sample.add_block(&[
                    RatedGame::new(i, j, scores[0]),
                    RatedGame::new(j, i, scores[1].opposite()),
                ]);
            }
        }
        (evidence, sample)
    }

    #[test]
    fn everybody_plays_before_anybody_plays_twice() {
        for goal in [Goal::Rank, Goal::Best] {
            let nothing = Evidence::new(goal, 0.05, 7);
            let meetings = next_meetings(&nothing, &Sample::default(), 1, &[], |_, _| false, 3);
            let mut players: Vec<usize> = meetings.iter().flat_map(|&(i, j)| [i, j]).collect();
            players.sort_unstable();
            assert_eq!(players, [0, 1, 2, 3, 4, 5]);
            let more = next_meetings(&nothing, &Sample::default(), 1, &meetings, |_, _| false, 1);
            assert!(more.iter().any(|&(_, j)| j == 6), "{more:?}");
        }
    }

    #[test]
    fn neighbours_meet_when_all_have_their_places() {
        let (evidence, sample) = played(Goal::Rank, 6, 10);
        let meetings = next_meetings(&evidence, &sample, 1, &[], |_, _| false, 10);
        assert_eq!(meetings.len(), 10);
        assert!(meetings.iter().all(|&(i, j)| j == i + 1), "{meetings:?}");
    }

    #[test]
    fn the_leader_meets_its_challengers() {
        let (evidence, sample) = played(Goal::Best, 6, 6);
        let meetings = next_meetings(&evidence, &sample, 1, &[], |_, _| false, 4);
        assert_eq!(meetings[0], (0, 1));
        assert!(meetings.iter().all(|&(i, _)| i == 0), "{meetings:?}");
    }

    #[test]
    fn what_is_proved_or_closed_is_not_played() {
        for goal in [Goal::Rank, Goal::Best] {
            let (evidence, sample) = played(goal, 4, 12);
            let all = next_meetings(&evidence, &sample, 1, &[], |_, _| false, 8);
            assert!(!all.is_empty() && all.iter().all(|&(i, j)| !evidence.implies(i, j)), "{goal:?} {all:?}");
            assert_eq!(next_meetings(&evidence, &sample, 1, &[], |_, _| true, 8), []);
            let open = |i: usize, j: usize| (i, j) != all[0];
            assert!(!next_meetings(&evidence, &sample, 1, &[], |i, j| !open(i, j), 8).contains(&all[0]));
            let (settled, sample) = played(goal, 4, 400);
            assert_ne!(settled.verdict(), crate::RankingVerdict::Open);
            assert_eq!(next_meetings(&settled, &sample, 1, &[], |_, _| false, 8), []);
        }
    }
}
