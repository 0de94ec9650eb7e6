//! Whether ratings explain the results: the test of transitivity, and where results are cyclic.
//!
//! Ratings model the strength of one player over another as a difference of two numbers. The alternative gives every match-up a
//! strength of its own. Twice the difference of the two log-likelihoods, if ratings hold, follows a scaled χ² law with as many
//! degrees of freedom as there are independent cycles of match-ups. The scale is 1 for independent games without draws, less
//! with draws, and different for colour-swapped pairs (a quasi-likelihood ratio; McCullagh and Nelder 1989). It is estimated
//! from the spread of clusters within match-ups, weighted by the share of each match-up that ratings do not explain (the
//! first-order correction of Rao and Scott 1984).
//!
//! HodgeRank (Jiang, Lim, Yao and Ye 2011) splits the free strengths, weighted by their information, into differences of
//! ratings and a cyclic rest. The rest's share of the energy measures its importance, and the sums around triangles locate it.

mod match_ups;

use std::collections::BTreeMap;

use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::fit::model::UNITS_PER_ELO;
use crate::fit::table;
use crate::numeric::inverse::LARGE;
use crate::numeric::matrix::Matrix;
use crate::numeric::normal::probability_below;
use crate::tally::Tally;
use crate::transitivity::match_ups::{Fit, MatchUp, Spread, determined, match_ups, spreads, strengths};
use crate::{Errors, FitSettings, Method, Prior, RatedGame, Sample};

/// The result of the test of transitivity.
#[derive(Debug, Clone, PartialEq)]
pub struct Transitivity {
    /// The likelihood-ratio statistic, divided by `scale`.
    pub chi_squared: f64,
    /// Its degrees of freedom: the match-ups minus the parameters that explain them.
    pub freedom: usize,
    /// The probability of a statistic at least as large if ratings hold.
    pub p_value: f64,
    /// The variance of results relative to that of independent games without draws.
    pub scale: f64,
    /// The share of the energy of the free strengths that no ratings explain, 0 to 1; `None` if all players are equal to the
    /// last digit.
    pub cyclic_share: Option<f64>,
    /// Approximately what chance alone contributes to `cyclic_share` if ratings hold, 0 to 1. It is slightly too large if
    /// match-ups are short.
    pub chance_share: Option<f64>,
    /// The number of triangles of players who have all met each other.
    pub triangles: usize,
    /// The triangles that are most clearly cyclic, by |z|: [`STRONGEST_CURLS`] at most.
    pub curls: Vec<Curl>,
}

/// The sum of strengths around a triangle in which each player beats the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curl {
    /// The players, starting with the lowest index, in the direction in which the sum is positive.
    pub players: [usize; 3],
    /// The sum in Elo; 0 if ratings hold.
    pub elo: f64,
    /// The sum divided by its standard error.
    pub z: f64,
    /// The two-sided p value, times the number of triangles examined (Bonferroni), at most 1.
    pub p_value: f64,
}

/// The most curls that are reported.
pub const STRONGEST_CURLS: usize = 10;

/// The weight of the pool's spread when a match-up's own spread is estimated, in clusters.
const POOLED_CLUSTERS: f64 = 10.0;

/// Tests whether ratings explain the results of the match-ups.
///
/// The shares and curls add to every match-up one game between equals, half won, so that they are finite, and use the
/// first-seat advantages of the ratings. The test does not. Its p value needs some points on both sides of most match-ups.
///
/// Returns `None` if the results determine no ratings (see [`Method`]) or no strengths of match-ups, or if the match-ups form
/// no cycle, so that ratings can explain any results. It also returns `None` for tables of more than two seats: the results of
/// one such table are never cyclic, so the statistic follows another law.
///
/// # Panics
/// When a game names a player or a group that does not exist.
#[must_use]
pub fn transitivity(players: usize, groups: usize, games: &[RatedGame]) -> Option<Transitivity> {
    of_tally(players, groups, &Tally::new(players, groups, games))
}

impl Sample {
    /// Tests whether ratings explain the results. The result is that of [`transitivity`] for the same games.
    ///
    /// # Panics
    /// As [`transitivity`].
    #[must_use]
    pub fn transitivity(&self, players: usize, groups: usize) -> Option<Transitivity> {
        of_tally(players, groups, &Tally::of(players, groups, self))
    }

    /// Returns the share of match-ups, 0 to 1, in which both sides scored at least `points` points over all groups; `None`
    /// without games.
    ///
    /// A common rule trusts a χ² test if four of five cells expect five events (Cochran 1954, *Some methods for strengthening
    /// the common χ² tests*).
    #[must_use]
    pub fn contested(&self, points: u64) -> Option<f64> {
        let mut halves: BTreeMap<(usize, usize), [u64; 2]> = BTreeMap::new();
        self.each_unit(|kind, count| {
            for game in kind.games() {
                for (one, two, score) in game.duels() {
                    let (first, second) = (game.player(one), game.player(two));
                    let sums = halves.entry((first.min(second), first.max(second))).or_default();
                    sums[usize::from(first > second)] += u64::from(score.halves()) * count;
                    sums[usize::from(first < second)] += u64::from(score.opposite().halves()) * count;
                }
            }
        });
        let enough = halves.values().filter(|sides| sides.iter().all(|side| *side >= 2 * points)).count();
        (!halves.is_empty()).then(|| enough as f64 / halves.len() as f64)
    }
}

fn of_tally(players: usize, groups: usize, tally: &Tally) -> Option<Transitivity> {
    // The flow needs a matrix of all players, and all triangles.
    if players + groups > LARGE || tally.seats.iter().any(|seats| *seats > 2) {
        return None;
    }
    let table = table(
        players,
        groups,
        tally,
        &FitSettings { prior: Prior::None, errors: Errors::Hessian, ..FitSettings::default() },
    );
    if table.method != Method::Plain {
        return None;
    }
    let match_ups = match_ups(tally);
    let rating = |player: usize| table.ratings[player].elo.map(|elo| elo * UNITS_PER_ELO);
    let start: Vec<f64> = match_ups
        .iter()
        .map(|match_up| Some(rating(match_up.low)? - rating(match_up.high)?))
        .collect::<Option<_>>()?;
    let advantages: Vec<f64> =
        table.advantages.iter().map(|advantage| advantage.elo.unwrap_or(0.0) * UNITS_PER_ELO).collect();

    // An infinite strength explains a perfect match-up with certainty: it adds nothing.
    let (finite, from): (Vec<&MatchUp>, Vec<f64>) =
        match_ups.iter().zip(&start).filter(|(match_up, _)| !match_up.is_perfect).unzip();
    let free = strengths(tally, &finite, (from, advantages.clone()), Fit::Free)?;
    let statistic = 2.0 * (free.log_likelihood - table.log_likelihood);

    let rated = table.ratings.iter().filter(|rating| rating.elo.is_some()).count();
    let explained = rated.checked_sub(1)? + tally.played(groups).iter().filter(|played| **played).count();
    let all: Vec<&MatchUp> = match_ups.iter().collect();
    let start = (start, advantages);
    let free_parameters = match_ups.len() + determined(tally, &all, &start);
    let freedom = free_parameters.checked_sub(explained).filter(|freedom| *freedom > 0)?;

    let shrunk = strengths(tally, &all, start, Fit::Shrunk)?;
    let spreads = spreads(tally, &match_ups, &shrunk);
    let flow = Flow { match_ups: &match_ups, strengths: &shrunk.values, spreads: &spreads };
    let scales = scales(&match_ups, &spreads)?;
    let parts = flow.divide(players, &scales)?;
    let scale = parts.chance / parts.cycles;
    let chi_squared = (statistic / scale).max(0.0);
    let share = |part: f64| (parts.energy > 0.0).then(|| (part / parts.energy).min(1.0));
    let (triangles, curls) = flow.curls(players, &scales);
    Some(Transitivity {
        chi_squared,
        freedom,
        p_value: ChiSquared::new(freedom as f64).ok()?.sf(chi_squared),
        scale,
        cyclic_share: share(parts.cyclic),
        chance_share: share(scale * freedom as f64),
        triangles,
        curls,
    })
}

/// Returns the variance of each match-up's results relative to that of the model, shrunk to that of all match-ups.
///
/// Returns `None` if results do not vary at all.
fn scales(match_ups: &[MatchUp], spreads: &[Spread]) -> Option<Vec<f64>> {
    let sum = |part: fn(&Spread) -> f64| spreads.iter().map(part).sum::<f64>();
    let clusters = sum(|spread| spread.clusters);
    let free = clusters - spreads.len() as f64;
    if free <= 0.0 {
        return Some(vec![1.0; spreads.len()]);
    }
    // Each match-up's own strength uses up one residual.
    let pooled = sum(|spread| spread.squares) / sum(|spread| spread.information) * clusters / free;
    let own = |(match_up, spread): (&MatchUp, &Spread)| {
        if match_up.is_perfect || spread.clusters < 2.0 {
            return pooled;
        }
        let own = spread.squares / spread.information * spread.clusters / (spread.clusters - 1.0);
        (spread.clusters * own + POOLED_CLUSTERS * pooled) / (spread.clusters + POOLED_CLUSTERS)
    };
    (pooled > 0.0).then(|| match_ups.iter().zip(spreads).map(own).collect())
}

/// The free strengths as a flow along the match-ups.
struct Flow<'a> {
    match_ups: &'a [MatchUp],
    strengths: &'a [f64],
    spreads: &'a [Spread],
}

/// The parts of a flow, in weighted squares.
struct Parts {
    energy: f64,
    /// The part that no ratings explain.
    cyclic: f64,
    /// The expected contribution of chance to it, given the advantages.
    chance: f64,
    /// The number of independent cycles.
    cycles: f64,
}

impl Flow<'_> {
    /// Finds the ratings nearest to the flow; `None` if it is not connected.
    fn divide(&self, players: usize, scales: &[f64]) -> Option<Parts> {
        let edges = || self.match_ups.iter().zip(self.strengths).zip(self.spreads);
        let mut places = vec![None; players];
        let mut size = 0;
        for player in self.match_ups.iter().flat_map(|match_up| [match_up.low, match_up.high]) {
            places[player].get_or_insert_with(|| {
                size += 1;
                size - 1
            });
        }
        let ends = |match_up: &MatchUp| Some((places[match_up.low]?, places[match_up.high]?));
        let mut laplacian = Matrix::zero(size);
        let mut divergence = vec![0.0; size];
        for ((match_up, strength), spread) in edges() {
            let (low, high) = ends(match_up)?;
            let weight = spread.information;
            for (i, j, sign) in [(low, low, 1.0), (high, high, 1.0), (low, high, -1.0), (high, low, -1.0)] {
                laplacian.add(i, j, sign * weight);
            }
            divergence[low] += weight * strength;
            divergence[high] -= weight * strength;
        }
        // The common shift, which does not affect the flow.
        let shift = (0..size).map(|i| laplacian.get(i, i)).sum::<f64>() / (size * size) as f64;
        for i in 0..size {
            for j in 0..size {
                laplacian.add(i, j, shift);
            }
        }
        let factor = laplacian.cholesky(1e-12)?;
        let (ratings, inverse) = (factor.solve(&divergence), factor.inverse());
        let mut parts = Parts { energy: 0.0, cyclic: 0.0, chance: 0.0, cycles: 0.0 };
        for (((match_up, strength), spread), scale) in edges().zip(scales) {
            let (low, high) = ends(match_up)?;
            let weight = spread.information;
            let resistance = inverse.get(low, low) + inverse.get(high, high) - 2.0 * inverse.get(low, high);
            let free = 1.0 - weight * resistance;
            parts.energy += weight * strength * strength;
            parts.cyclic += weight * (strength - (ratings[low] - ratings[high])).powi(2);
            parts.chance += scale * free;
            parts.cycles += free;
        }
        Some(parts)
    }

    /// Returns the number of triangles and the strongest of them.
    fn curls(&self, players: usize, scales: &[f64]) -> (usize, Vec<Curl>) {
        let mut met: Vec<Vec<Option<usize>>> = vec![vec![None; players]; players];
        for (index, match_up) in self.match_ups.iter().enumerate() {
            met[match_up.low][match_up.high] = Some(index);
        }
        let mut triangles = 0;
        let mut curls: Vec<Curl> = Vec::new();
        for (one, two) in self.match_ups.iter().map(|match_up| (match_up.low, match_up.high)) {
            for three in two + 1..players {
                let sides = [met[one][two], met[two][three], met[one][three]];
                let [Some(a), Some(b), Some(c)] = sides else { continue };
                triangles += 1;
                let sum = self.strengths[a] + self.strengths[b] - self.strengths[c];
                let variance: f64 =
                    [a, b, c].iter().map(|&side| scales[side] / self.spreads[side].information).sum();
                let players = if sum >= 0.0 { [one, two, three] } else { [one, three, two] };
                let z = sum.abs() / variance.sqrt();
                curls.push(Curl { players, elo: sum.abs() / UNITS_PER_ELO, z, p_value: 1.0 });
            }
            // Few are kept: a large pool has millions of triangles.
            if curls.len() > 1000 {
                strongest(&mut curls);
            }
        }
        strongest(&mut curls);
        for curl in &mut curls {
            curl.p_value = (2.0 * probability_below(-curl.z) * triangles as f64).min(1.0);
        }
        (triangles, curls)
    }
}

fn strongest(curls: &mut Vec<Curl>) {
    curls.sort_by(|a, b| b.z.total_cmp(&a.z).then(a.players.cmp(&b.players)));
    curls.truncate(STRONGEST_CURLS);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameScore;

    fn game(first: usize, second: usize, score: GameScore) -> RatedGame {
        RatedGame::new(first, second, score)
    }

    #[test]
    fn a_match_up_is_contested_where_both_sides_have_points() {
        let mut sample = Sample::default();
        assert_eq!(sample.contested(1), None);
        sample.add_block(&[game(0, 1, GameScore::Win), game(1, 0, GameScore::Win)]);
        sample.add(&game(2, 1, GameScore::Draw));
        assert_eq!(sample.contested(1), Some(0.5));
        sample.add(&game(1, 2, GameScore::Draw));
        assert_eq!((sample.contested(1), sample.contested(2)), (Some(1.0), Some(0.0)));
        sample.add_block(&[game(0, 2, GameScore::Win), game(2, 0, GameScore::Loss)]);
        assert_eq!(sample.contested(1), Some(2.0 / 3.0));
    }

    #[test]
    fn a_sample_says_what_its_games_say() {
        let games: Vec<RatedGame> = (0..60)
            .map(|i| {
                let (one, two) = if i % 2 == 0 { (i % 3, (i + 1) % 3) } else { ((i + 1) % 3, i % 3) };
                game(one, two, if i % 5 < 3 { GameScore::Win } else { GameScore::Loss })
            })
            .collect();
        let told = transitivity(3, 1, &games).expect("a cycle");
        assert_eq!(Sample::from_games(&games).transitivity(3, 1), Some(told));
    }
}
