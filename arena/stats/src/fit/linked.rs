//! Components that the results do not connect, placed on one scale.
//!
//! Within each component, ratings and first-seat advantages are fitted plainly. Because one side won every game between two
//! components, the results do not determine the distance between them. A normal prior on the distance of each component's mean
//! from the main one does. The prior affects nothing else: all figures that do not depend on it are the same as without the
//! other components.

use crate::RIDGE_SIGMA;
use crate::fit::errors::certainty::Source;
use crate::fit::errors::sandwich::Clusters;
use crate::fit::errors::spread::Spread;
use crate::fit::fitting::{Estimate, Fitting, advantages, assemble, error_kind, seat_precision};
use crate::fit::model::{Model, UNITS_PER_ELO};
use crate::fit::solver::{Layout, Problem, Solution, seat_parameters};
use crate::numeric::matrix::Matrix;
use crate::tally::Tally;
use crate::tally::components::Components;
use crate::{ErrorKind, FitSettings, Method, RatingTable};

/// What only the prior determines (the means of all components except the main one, and the advantages of groups without a game
/// within a component), and its place in the table.
pub(crate) struct Links<'a> {
    fitting: &'a Fitting<'a>,
    components: &'a Components,
    main: usize,
    /// The values of the plain fit by index, with each component around its mean.
    plain: Vec<f64>,
    /// The indices of the parameters that the prior determines.
    layout: Layout,
    /// The row of the table, by player and by group and seat: first all rated players, then all advantages.
    players: Vec<Option<usize>>,
    seats: Vec<Vec<usize>>,
    /// By row, the index in the plain fit and the index among the parameters that the prior determines.
    sources: Vec<(Option<usize>, Option<usize>)>,
}

/// Returns the table from the plain fit within components.
pub(crate) fn table(
    fitting: &Fitting<'_>,
    plain: &Solution,
    tally: &Tally,
    components: &Components,
    main: usize,
    settings: &FitSettings,
) -> RatingTable {
    let between = tally.filtered(|i, j| !components.ties(i, j));
    let links = Links::new(fitting, &plain.values, &between, components, main, settings);
    let problem = links.problem(&between);
    let found = problem.solve().expect("a prior on every parameter makes the likelihood strictly concave");
    let errors = error_kind(settings.errors, false);
    let (mut inner, clusters) = fitting.problem.covariance(plain, errors, settings.errors);
    for scale in &fitting.scales {
        inner.centre(scale, scale);
    }
    let spread = Spread::Exact(links.covariance(&problem, &found, &inner));
    let log_likelihood = plain.log_likelihood + found.log_likelihood;
    links.table(&found.values, spread, clusters, (errors, log_likelihood), settings)
}

impl<'a> Links<'a> {
    /// Returns the links between the components of a fit with these values, from the games between them.
    pub(crate) fn new(
        fitting: &'a Fitting<'a>,
        values: &[f64],
        between: &Tally,
        components: &'a Components,
        main: usize,
        settings: &FitSettings,
    ) -> Self {
        let inner = &fitting.problem.layout;
        let mut plain = values.to_vec();
        for scale in &fitting.scales {
            let mean = scale.iter().map(|&i| plain[i]).sum::<f64>() / scale.len() as f64;
            scale.iter().for_each(|&i| plain[i] -= mean);
        }
        let mut size = 0;
        let mut next = || {
            size += 1;
            size - 1
        };
        let means: Vec<Option<usize>> =
            (0..components.count()).map(|i| (i != main).then(&mut next)).collect();
        let wanted = advantages(between, inner.seats.len(), settings);
        let seats: Vec<Vec<usize>> = inner
            .seats
            .iter()
            .zip(wanted)
            .map(|(places, seats)| if places.is_empty() { seat_parameters(seats) } else { 0 })
            .map(|parameters| (0..parameters).map(|_| next()).collect())
            .collect();
        let players: Vec<Option<usize>> =
            components.of.iter().map(|component| means[(*component)?]).collect();
        let layout = Layout { players, seats, draws: Vec::new(), size };

        let mut sources = Vec::new();
        let mut row = |plain: Option<usize>, link: Option<usize>| {
            sources.push((plain, link));
            sources.len() - 1
        };
        let rated = components.of.iter().zip(&inner.players).zip(&layout.players);
        let players = rated.map(|((of, &plain), &link)| of.map(|_| row(plain, link))).collect();
        let seats = inner.seats.iter().zip(&layout.seats).map(|(plain, link)| {
            let plain = plain.iter().map(|&place| (Some(place), None));
            plain
                .chain(link.iter().map(|&place| (None, Some(place))))
                .map(|(plain, link)| row(plain, link))
                .collect()
        });
        let seats = seats.collect();
        Self { fitting, components, main, plain, layout, players, seats, sources }
    }

    /// Returns the likelihood of the games between the components, with the prior.
    pub(crate) fn problem<'t>(&self, between: &'t Tally) -> Problem<'t> {
        let inner = &self.fitting.problem.layout;
        let value = |place: Option<usize>| place.map_or(0.0, |place| self.plain[place]);
        let offset = |cell: &crate::tally::Cell| {
            let [one, two] = cell.seats.map(|seat| value(inner.seat(cell.group, seat)));
            value(inner.players[cell.first]) - value(inner.players[cell.second]) + (one - two)
        };
        let weight = (RIDGE_SIGMA * UNITS_PER_ELO).powi(-2);
        let mut precision = vec![weight; self.layout.size];
        for places in &self.layout.seats {
            places.iter().for_each(|&place| precision[place] = seat_precision(weight, places.len()));
        }
        Problem {
            model: Model::Logistic,
            tally: between,
            counts: between.counts(),
            offsets: between.cells.iter().map(offset).collect(),
            layout: self.layout.clone(),
            precision,
            even_draws: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// Returns, by row of the table, the index in the plain fit and that among the parameters that the prior determines.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (Option<usize>, Option<usize>)> {
        self.sources.iter().copied()
    }

    /// Returns the covariance of the rows: that of the plain fit (`inner`), propagated through the links, plus that of the
    /// links given the plain fit.
    fn covariance(&self, problem: &Problem<'_>, found: &Solution, inner: &Matrix) -> Matrix {
        let by_plain = self.response(problem, found);
        // Each row is a sum of plain parameters.
        let sums: Vec<Vec<f64>> = self
            .rows()
            .map(|(plain, link)| {
                let mut sum = link.map_or_else(|| vec![0.0; inner.size()], |link| by_plain[link].clone());
                plain.into_iter().for_each(|place| sum[place] += 1.0);
                sum
            })
            .collect();
        let moved: Vec<Vec<f64>> = sums.iter().map(|sum| inner.times(sum)).collect();
        let mut matrix = Matrix::zero(sums.len());
        for (i, (_, one)) in self.rows().enumerate() {
            for (j, (_, two)) in self.rows().enumerate() {
                let links = one.zip(two).map_or(0.0, |(one, two)| found.inverse.get(one, two));
                let plain: f64 = moved[i].iter().zip(&sums[j]).map(|(a, b)| a * b).sum();
                matrix.set(i, j, plain + links);
            }
        }
        matrix
    }

    /// Returns the derivative of the links by the parameters of the plain fit (implicit function theorem at their maximum).
    fn response(&self, problem: &Problem<'_>, found: &Solution) -> Vec<Vec<f64>> {
        let inner = &self.fitting.problem.layout;
        let mut mixed = vec![vec![0.0; inner.size]; self.layout.size];
        for (index, cell) in problem.tally.cells.iter().enumerate() {
            let (first, second) = (inner.players[cell.first], inner.players[cell.second]);
            let [one, two] = cell.seats.map(|seat| inner.seat(cell.group, seat));
            let plain = [(first, 1.0), (second, -1.0), (one, 1.0), (two, -1.0)];
            let bend = cell.total() as f64 * problem.moments(index, &found.values).information[0][0];
            for (link, a) in problem.spread(index, [1.0, 0.0]) {
                for (place, b) in plain.into_iter().filter_map(|(place, b)| Some((place?, b))) {
                    mixed[link][place] -= a * b * bend;
                }
            }
        }
        let follow = |link: usize| {
            let mut sum = vec![0.0; inner.size];
            for (other, row) in mixed.iter().enumerate() {
                let factor = found.inverse.get(link, other);
                sum.iter_mut().zip(row).for_each(|(sum, cell)| *sum += factor * cell);
            }
            sum
        };
        (0..self.layout.size).map(follow).collect()
    }

    /// Returns the table.
    pub(crate) fn table(
        self,
        found: &[f64],
        spread: Spread,
        clusters: Option<Clusters>,
        (errors, log_likelihood): (ErrorKind, f64),
        settings: &FitSettings,
    ) -> RatingTable {
        let part = |values: &[f64], place: Option<usize>| place.map_or(0.0, |place| values[place]);
        let values = self.rows().map(|(plain, link)| part(&self.plain, plain) + part(found, link)).collect();
        let rows_of = |members: &Vec<usize>| -> Vec<usize> {
            members.iter().filter_map(|&player| self.players[player]).collect()
        };
        let mut blocks: Vec<Vec<usize>> = self.components.members.iter().map(rows_of).collect();
        let main = blocks[self.main].clone();
        blocks.extend(self.seats.iter().filter(|rows| rows.len() > 1).cloned());
        let source = clusters.map(|clusters| Source {
            clusters,
            places: self.rows().map(|(plain, _)| plain).collect(),
            rated: self.fitting.problem.layout.players.iter().flatten().count(),
            blocks: Source::blocks(self.sources.len(), &blocks),
            unit: UNITS_PER_ELO.powi(-2),
        });
        let scales = vec![self.players.iter().flatten().copied().collect()];
        let origin = Some(main);
        let estimate = Estimate { values, spread, source, scales, origin };
        let about = (Method::Linked { sigma: RIDGE_SIGMA }, errors, log_likelihood);
        let places = (self.players, self.seats);
        let mut table = assemble(Some(estimate), places, self.components, settings, about);
        for rating in &mut table.ratings {
            rating.is_regularized = rating.component.is_some_and(|component| component != self.main);
        }
        for (advantage, links) in table.advantages.iter_mut().zip(&self.layout.seats) {
            advantage.is_regularized = !links.is_empty();
        }
        table
    }
}
