//! Components that the results do not tie together, on one scale all the same.
//!
//! Within each component ratings are fitted plainly, and so are the first-seat advantages. The results between
//! components (every game of two of them was won by the same side) do not determine how far they lie apart; a normal
//! prior on the distance of each component's mean from the main one does, and nothing else: what is known without it is as if
//! the other components were not there.

use crate::certainty::Source;
use crate::components::Components;
use crate::fit::RIDGE_SIGMA;
use crate::fitting::{Estimate, Fitting, assemble, error_kind};
use crate::matrix::{Cholesky, Matrix};
use crate::model::{Model, Moments, UNITS_PER_ELO};
use crate::solver::{Layout, Solution};
use crate::tally::{Cell, Tally};
use crate::{Method, Settings, Table};

/// Newton's steps end where the last was below the last digit.
const LAST_STEP: f64 = 1e-12;

/// The prior makes the likelihood strictly concave: a handful of steps does.
const MOST_STEPS: usize = 200;

/// What only the prior determines: the means of the components but the main one, and the advantages of groups without a
/// game within a component.
struct Links<'a> {
    tally: &'a Tally,
    /// By player, the rating within its component in natural units.
    ratings: Vec<f64>,
    /// By group, the advantage in natural units where it is known.
    advantages: Vec<Option<f64>>,
    /// By player and by group, the place among the parameters here.
    players: Vec<Option<usize>>,
    groups: Vec<Option<usize>>,
    size: usize,
    precision: f64,
}

/// A point of the penalised likelihood.
struct Expansion {
    log_likelihood: f64,
    gradient: Vec<f64>,
    factor: Cholesky,
}

/// Makes the table from the plain fit within components.
pub(crate) fn table(
    fitting: &Fitting<'_>,
    plain: &Solution,
    tally: &Tally,
    components: &Components,
    main: usize,
    settings: &Settings,
) -> Table {
    let layout = &fitting.problem.layout;
    let between = tally.filtered(|i, j| !components.ties(i, j));
    let mut plain_values = plain.values.clone();
    for scale in &fitting.scales {
        let mean = scale.iter().map(|&i| plain_values[i]).sum::<f64>() / scale.len() as f64;
        scale.iter().for_each(|&i| plain_values[i] -= mean);
    }
    let mut size = 0;
    let mut next = || {
        size += 1;
        size - 1
    };
    let means: Vec<Option<usize>> = (0..components.count()).map(|i| (i != main).then(&mut next)).collect();
    let played = between.played(layout.groups.len());
    let is_new = |(place, played): (&Option<usize>, bool)| place.is_none() && played && settings.advantage;
    let groups: Vec<Option<usize>> =
        layout.groups.iter().zip(played).map(|it| is_new(it).then(&mut next)).collect();
    let links = Links {
        tally: &between,
        ratings: layout.players.iter().map(|place| place.map_or(0.0, |i| plain_values[i])).collect(),
        advantages: layout.groups.iter().map(|place| place.map(|i| plain_values[i])).collect(),
        players: components.of.iter().map(|component| means[(*component)?]).collect(),
        groups,
        size,
        precision: (RIDGE_SIGMA * UNITS_PER_ELO).powi(-2),
    };
    let (found, at) = links.solve();

    // Rows of the table: everything that is rated, then everything with an advantage.
    let (mut rows, mut sources) = (0, Vec::new());
    let mut row = |source: Option<usize>| {
        sources.push(source);
        rows += 1;
        rows - 1
    };
    let player_rows: Vec<Option<usize>> =
        components.of.iter().zip(&layout.players).map(|(of, &place)| of.map(|_| row(place))).collect();
    let group_rows: Vec<Option<usize>> = layout
        .groups
        .iter()
        .zip(&links.groups)
        .map(|(&place, &link)| (place.is_some() || link.is_some()).then(|| row(place)))
        .collect();
    let mut values: Vec<f64> = sources.iter().map(|source| source.map_or(0.0, |i| plain_values[i])).collect();
    // How each row moves with the links.
    let mut by_link = vec![None; rows];
    let of_rows = player_rows.iter().zip(&links.players).chain(group_rows.iter().zip(&links.groups));
    for (&row, &link) in of_rows {
        if let (Some(row), Some(link)) = (row, link) {
            values[row] += found[link];
            by_link[row] = Some(link);
        }
    }
    let errors = error_kind(settings.errors, false);
    let (mut inner, clusters) = fitting.problem.covariance(plain, errors, settings.errors);
    for scale in &fitting.scales {
        inner.centre(scale, scale);
    }
    let by_plain = links.response(&found, &at, layout);
    let matrix = covariance(&sources, &by_link, &by_plain, &inner, &at.factor.inverse());
    let rows_of = |members: &Vec<usize>| -> Vec<usize> {
        members.iter().filter_map(|&player| player_rows[player]).collect()
    };
    let source = clusters.map(|clusters| Source {
        clusters,
        places: sources.clone(),
        rated: layout.players.iter().flatten().count(),
        blocks: components.members.iter().map(rows_of).collect(),
        unit: UNITS_PER_ELO.powi(-2),
    });
    let scales = vec![player_rows.iter().flatten().copied().collect()];
    let estimate =
        Estimate { values, matrix, source, scales, origin: Some(rows_of(&components.members[main])) };
    let about = (Method::Linked { sigma: RIDGE_SIGMA }, errors, plain.log_likelihood + at.log_likelihood);
    let mut table = assemble(Some(estimate), (player_rows, group_rows), components, settings, about);
    for rating in &mut table.ratings {
        rating.is_regularized = rating.component.is_some_and(|component| component != main);
    }
    for (advantage, link) in table.advantages.iter_mut().zip(&links.groups) {
        advantage.is_regularized = link.is_some();
    }
    table
}

/// The covariance of the rows: of what was fitted plainly (`inner`) with what follows from it through the links, and of the
/// links themselves given that (`own`).
fn covariance(
    sources: &[Option<usize>],
    by_link: &[Option<usize>],
    by_plain: &[Vec<f64>],
    inner: &Matrix,
    own: &Matrix,
) -> Matrix {
    let rows = sources.len();
    // Each row as a sum of plain parameters.
    let sums: Vec<Vec<f64>> = sources
        .iter()
        .zip(by_link)
        .map(|(source, link)| {
            let mut sum = link.map_or_else(|| vec![0.0; inner.size()], |link| by_plain[link].clone());
            source.iter().for_each(|&place| sum[place] += 1.0);
            sum
        })
        .collect();
    let moved: Vec<Vec<f64>> = sums.iter().map(|sum| inner.times(sum)).collect();
    let mut matrix = Matrix::zero(rows);
    for i in 0..rows {
        for j in 0..rows {
            let links = match (by_link[i], by_link[j]) {
                (Some(a), Some(b)) => own.get(a, b),
                _ => 0.0,
            };
            let plain: f64 = moved[i].iter().zip(&sums[j]).map(|(a, b)| a * b).sum();
            matrix.set(i, j, plain + links);
        }
    }
    matrix
}

impl Links<'_> {
    fn solve(&self) -> (Vec<f64>, Expansion) {
        let mut values = vec![0.0; self.size];
        let mut here = self.expand(&values);
        for _ in 0..MOST_STEPS {
            let step = here.factor.solve(&here.gradient);
            if step.iter().fold(0.0f64, |longest, part| longest.max(part.abs())) <= LAST_STEP {
                break;
            }
            let mut factor = 1.0;
            loop {
                let moved: Vec<f64> =
                    values.iter().zip(&step).map(|(value, part)| value + factor * part).collect();
                let there = self.expand(&moved);
                let least = here.log_likelihood - 1e-13 * (1.0 + here.log_likelihood.abs());
                if there.log_likelihood >= least || factor < 1e-10 {
                    (values, here) = (moved, there);
                    break;
                }
                factor /= 2.0;
            }
        }
        (values, here)
    }

    /// The parameters here of a cell's games, with their signs.
    fn design(&self, first: usize, second: usize, group: usize) -> impl Iterator<Item = (usize, f64)> {
        let of = [(self.players[first], 1.0), (self.players[second], -1.0), (self.groups[group], 1.0)];
        of.into_iter().filter_map(|(place, sign)| Some((place?, sign)))
    }

    fn expand(&self, values: &[f64]) -> Expansion {
        let mut log_likelihood = 0.0;
        let mut gradient = vec![0.0; self.size];
        let mut information = Matrix::zero(self.size);
        for (i, value) in values.iter().enumerate() {
            log_likelihood -= self.precision * value * value / 2.0;
            gradient[i] -= self.precision * value;
            information.add(i, i, self.precision);
        }
        for cell in &self.tally.cells {
            let (first, second, group) = (cell.first, cell.second, cell.group);
            let moments = self.moments(cell, values);
            for (score, &count) in cell.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                log_likelihood += count as f64 * moments.log[score];
                for (i, sign) in self.design(first, second, group) {
                    gradient[i] += sign * count as f64 * moments.gradient[score][0];
                }
            }
            let bend = cell.total() as f64 * moments.information[0][0];
            for (i, a) in self.design(first, second, group) {
                for (j, b) in self.design(first, second, group) {
                    information.add(i, j, a * b * bend);
                }
            }
        }
        let factor =
            information.cholesky(0.0).expect("a prior on every parameter makes it positive definite");
        Expansion { log_likelihood, gradient, factor }
    }

    /// How the parameters here follow those of the plain fit, by the implicit function of their maximum.
    fn response(&self, values: &[f64], at: &Expansion, layout: &Layout) -> Vec<Vec<f64>> {
        let mut mixed = vec![vec![0.0; layout.size]; self.size];
        for cell in &self.tally.cells {
            let (first, second, group) = (cell.first, cell.second, cell.group);
            let plain =
                [(layout.players[first], 1.0), (layout.players[second], -1.0), (layout.groups[group], 1.0)];
            let bend = cell.total() as f64 * self.moments(cell, values).information[0][0];
            for (link, a) in self.design(first, second, group) {
                for (place, b) in plain.into_iter().filter_map(|(place, b)| Some((place?, b))) {
                    mixed[link][place] -= a * b * bend;
                }
            }
        }
        let inverse = at.factor.inverse();
        let follow = |link: usize| {
            let mut sum = vec![0.0; layout.size];
            for (other, row) in mixed.iter().enumerate() {
                let factor = inverse.get(link, other);
                sum.iter_mut().zip(row).for_each(|(sum, cell)| *sum += factor * cell);
            }
            sum
        };
        (0..self.size).map(follow).collect()
    }

    fn moments(&self, cell: &Cell, values: &[f64]) -> Moments {
        let Cell { first, second, group, .. } = *cell;
        let linked: f64 = self.design(first, second, group).map(|(i, sign)| sign * values[i]).sum();
        let known = self.ratings[first] - self.ratings[second] + self.advantages[group].unwrap_or(0.0);
        Model::Logistic.moments(known + linked, 0.0)
    }
}
