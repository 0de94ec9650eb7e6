//! A separate strength for every two players that met: the alternative against which ratings are tested.
//!
//! The expected score is σ(±d + H) with one d for each match-up and common advantages H of the groups.

use std::collections::BTreeMap;

use crate::GameScore;
use crate::fit::model::Model;
use crate::tally::Tally;

/// Two players that met.
#[derive(Debug, Clone)]
pub(crate) struct MatchUp {
    /// The player of lower index. Strengths are from its view.
    pub(crate) low: usize,
    /// The other player.
    pub(crate) high: usize,
    /// The cells of the tally, each with 1 if `low` has the first seat, otherwise −1.
    cells: Vec<(usize, f64)>,
    /// Whether one of the two scored nothing. Then no finite strength fits best.
    pub(crate) is_perfect: bool,
}

/// The best-fitting strengths.
#[derive(Debug, Clone)]
pub(crate) struct Strengths {
    /// By match-up, in natural units.
    pub(crate) values: Vec<f64>,
    /// By group, in natural units.
    pub(crate) advantages: Vec<f64>,
    pub(crate) log_likelihood: f64,
}

/// The kind of strengths to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Maximum likelihood, with the advantages. No match-up may be perfect.
    Free,
    /// With one additional game in each match-up, between equals, half won and half lost, and with fixed advantages. These
    /// strengths are always finite.
    Shrunk,
}

/// How results vary around the strengths.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spread {
    /// The model's information on the strength, Σ p (1 − p).
    pub(crate) information: f64,
    /// The squared sums of the residuals of each cluster (a pair, or a game without a partner).
    pub(crate) squares: f64,
    pub(crate) clusters: f64,
}

/// Returns the match-ups of a tally, by players.
pub(crate) fn match_ups(tally: &Tally) -> Vec<MatchUp> {
    let mut cells: BTreeMap<(usize, usize), Vec<(usize, f64)>> = BTreeMap::new();
    for (index, cell) in tally.cells.iter().enumerate() {
        let (low, high) = (cell.first.min(cell.second), cell.first.max(cell.second));
        let sign = if cell.first == low { 1.0 } else { -1.0 };
        cells.entry((low, high)).or_default().push((index, sign));
    }
    let scored_all = |cells: &[(usize, f64)], side: f64| {
        cells.iter().all(|&(cell, sign)| {
            let [losses, draws, wins] = tally.cells[cell].counts;
            draws == 0 && if sign == side { losses == 0 } else { wins == 0 }
        })
    };
    cells
        .into_iter()
        .map(|((low, high), cells)| {
            let is_perfect = scored_all(&cells, 1.0) || scored_all(&cells, -1.0);
            MatchUp { low, high, cells, is_perfect }
        })
        .collect()
}

/// A point of the likelihood, with Newton's step from there.
struct Expansion {
    log_likelihood: f64,
    step: (Vec<f64>, Vec<f64>),
    determined: usize,
}

/// Returns how many advantages the games determine if the match-ups are free, evaluated at a point.
pub(crate) fn determined(tally: &Tally, match_ups: &[&MatchUp], at: &(Vec<f64>, Vec<f64>)) -> usize {
    expand(tally, match_ups, &at.0, &at.1, Fit::Free).determined
}

/// Finds the strengths and advantages from `start`; `None` if there is no maximum.
pub(crate) fn strengths(
    tally: &Tally,
    match_ups: &[&MatchUp],
    start: (Vec<f64>, Vec<f64>),
    fit: Fit,
) -> Option<Strengths> {
    let (mut values, mut advantages) = start;
    let mut here = expand(tally, match_ups, &values, &advantages, fit);
    for _ in 0..100 {
        let longest = here.step.0.iter().chain(&here.step.1).fold(0.0f64, |most, part| most.max(part.abs()));
        if longest <= 1e-9 {
            let log_likelihood = here.log_likelihood;
            return Some(Strengths { values, advantages, log_likelihood });
        }
        let mut factor = 1.0;
        let least = here.log_likelihood - 1e-13 * (1.0 + here.log_likelihood.abs());
        (values, advantages, here) = loop {
            let moved = |from: &[f64], step: &[f64]| -> Vec<f64> {
                from.iter().zip(step).map(|(value, part)| value + factor * part).collect()
            };
            let (values, advantages) = (moved(&values, &here.step.0), moved(&advantages, &here.step.1));
            let there = expand(tally, match_ups, &values, &advantages, fit);
            if there.log_likelihood >= least {
                break (values, advantages, there);
            }
            factor /= 2.0;
            if factor < 1e-15 {
                return None;
            }
        };
    }
    None
}

/// Returns the likelihood and the step. It eliminates each match-up's strength from the equations of the advantages, which
/// leaves one equation per group.
fn expand(tally: &Tally, match_ups: &[&MatchUp], values: &[f64], advantages: &[f64], fit: Fit) -> Expansion {
    let even = if fit == Fit::Shrunk { 1.0 } else { 0.0 };
    let groups = advantages.len();
    let mut log_likelihood = 0.0;
    // The gradient and information of the advantages; `left` is what the match-ups leave of the information.
    let (mut slope, mut whole) = (vec![0.0; groups], vec![0.0; groups]);
    let mut left = vec![vec![0.0; groups]; groups];
    let mut own = Vec::with_capacity(match_ups.len());
    for (match_up, &value) in match_ups.iter().zip(values) {
        let equals = Model::Logistic.moments(value, 0.0);
        log_likelihood += even * equals.log[1];
        let mut gradient = even * equals.gradient[1][0];
        let mut information = even * equals.information[0][0];
        let mut mixed: BTreeMap<usize, f64> = BTreeMap::new();
        for &(index, sign) in &match_up.cells {
            let cell = &tally.cells[index];
            let moments = Model::Logistic.moments(sign * value + advantages[cell.group], 0.0);
            for (score, &count) in cell.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                log_likelihood += count as f64 * moments.log[score];
                gradient += sign * count as f64 * moments.gradient[score][0];
                slope[cell.group] += count as f64 * moments.gradient[score][0];
            }
            let bend = cell.total() as f64 * moments.information[0][0];
            information += bend;
            whole[cell.group] += bend;
            left[cell.group][cell.group] += bend;
            *mixed.entry(cell.group).or_default() += sign * bend;
        }
        for (&i, a) in &mixed {
            slope[i] -= a * gradient / information;
            for (&j, b) in &mixed {
                left[i][j] -= a * b / information;
            }
        }
        own.push((gradient, information, mixed));
    }
    let (by_advantages, determined) = match fit {
        Fit::Free => eliminate(left, slope, &whole),
        Fit::Shrunk => (vec![0.0; groups], 0),
    };
    let by_values = own
        .iter()
        .map(|(gradient, information, mixed)| {
            let taken: f64 = mixed.iter().map(|(&group, bend)| bend * by_advantages[group]).sum();
            (gradient - taken) / information
        })
        .collect();
    Expansion { log_likelihood, step: (by_values, by_advantages), determined }
}

/// Solves a positive semidefinite system, leaving out what is not determined, and returns the rank too.
fn eliminate(mut matrix: Vec<Vec<f64>>, mut side: Vec<f64>, whole: &[f64]) -> (Vec<f64>, usize) {
    let n = side.len();
    let is_determined = |matrix: &[Vec<f64>], i: usize| matrix[i][i] > 1e-9 * whole[i];
    for i in (0..n).filter(|&i| whole[i] > 0.0) {
        if !is_determined(&matrix, i) {
            continue;
        }
        let pivot = matrix[i].clone();
        for row in i + 1..n {
            let factor = matrix[row][i] / pivot[i];
            for (cell, above) in matrix[row].iter_mut().zip(&pivot) {
                *cell -= factor * above;
            }
            side[row] -= factor * side[i];
        }
    }
    let mut solution = vec![0.0; n];
    let mut determined = 0;
    for i in (0..n).rev() {
        if is_determined(&matrix, i) {
            let known: f64 = (i + 1..n).map(|j| matrix[i][j] * solution[j]).sum();
            solution[i] = (side[i] - known) / matrix[i][i];
            determined += 1;
        }
    }
    (solution, determined)
}

/// Returns how the results of each match-up vary around its strength.
pub(crate) fn spreads(tally: &Tally, match_ups: &[MatchUp], strengths: &Strengths) -> Vec<Spread> {
    let mut place = vec![(0, 0.0); tally.cells.len()];
    for (index, match_up) in match_ups.iter().enumerate() {
        for &(cell, sign) in &match_up.cells {
            place[cell] = (index, sign);
        }
    }
    let moments: Vec<_> = tally
        .cells
        .iter()
        .zip(&place)
        .map(|(cell, &(index, sign))| {
            let d = sign * strengths.values[index] + strengths.advantages[cell.group];
            Model::Logistic.moments(d, 0.0)
        })
        .collect();
    let residual = |cell: usize, score: GameScore| {
        place[cell].1 * moments[cell].gradient[usize::from(score.halves())][0]
    };
    let mut spreads = vec![Spread::default(); match_ups.len()];
    for (index, cell) in tally.cells.iter().enumerate() {
        let spread = &mut spreads[place[index].0];
        spread.information += cell.total() as f64 * moments[index].information[0][0];
    }
    for unit in &tally.units {
        let Some((cell, _)) = unit.results().next() else { continue };
        let spread = &mut spreads[place[cell].0];
        let sum: f64 = unit.results().map(|(cell, score)| residual(cell, score)).sum();
        spread.squares += unit.count as f64 * sum.powi(2);
        spread.clusters += unit.count as f64;
    }
    spreads
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RatedGame;
    use crate::fit::model::sigmoid;

    /// Near the poles, where all points except one went to one side, the strength still solves its equation.
    #[test]
    fn strengths_far_out_solve_their_equations() {
        for n in [2, 10, 1000, 100_000] {
            for last in [GameScore::Draw, GameScore::Loss] {
                let game = |first, score| RatedGame::new(first, 1 - first, score);
                let games: Vec<RatedGame> = (0..n)
                    .map(|index| if index == 0 { last } else { GameScore::Win })
                    .flat_map(|score| [game(0, score), game(1, score.opposite())])
                    .collect();
                let tally = Tally::new(2, 1, &games);
                let match_ups = match_ups(&tally);
                let all: Vec<&MatchUp> = match_ups.iter().collect();
                let found = strengths(&tally, &all, (vec![0.0], vec![0.0]), Fit::Free).expect("a maximum");
                let points = (n - 1) as f64 + f64::from(last.halves()) / 2.0;
                let expected = n as f64 * sigmoid(found.values[0]);
                assert!((expected - points).abs() < 1e-6, "{n} {last:?}: {expected}, not {points}");
            }
        }
    }
}
