//! One fit, from the tally to the figures of a table.

use crate::fit::errors::bootstrap::bootstrap;
use crate::fit::errors::certainty::{Certainty, Scale, Source};
use crate::fit::errors::parameter::LEVEL95;
use crate::fit::errors::sandwich::{self, Clusters};
use crate::fit::errors::spread::Spread;
use crate::fit::model::{Model, UNITS_PER_ELO};
use crate::fit::solver::{Layout, Problem, Solution};
use crate::numeric::matrix::Matrix;
use crate::tally::Tally;
use crate::tally::components::Components;
use crate::{
    Advantage, Anchor, ErrorKind, Errors, FitSettings, Method, Parameter, Points, Rating, RatingTable,
    SeatAdvantage,
};

/// The prior of a regularised fit.
#[derive(Clone, Copy)]
pub(crate) struct Penalty<'a> {
    pub(crate) sigma: f64,
    /// The groups whose advantage needs no prior.
    pub(crate) free: &'a [bool],
}

/// A problem, with the information needed to interpret its solution.
pub(crate) struct Fitting<'a> {
    pub(crate) problem: Problem<'a>,
    /// The players that share an origin, as indices of the layout.
    pub(crate) scales: Vec<Vec<usize>>,
}

impl<'a> Fitting<'a> {
    pub(crate) fn new(
        tally: &'a Tally,
        components: &Components,
        settings: &FitSettings,
        groups: usize,
        penalty: Option<Penalty<'_>>,
    ) -> Self {
        let mut rated = vec![false; components.of.len()];
        for cell in &tally.cells {
            rated[cell.first] = true;
            rated[cell.second] = true;
        }
        let seats = advantages(tally, groups, settings);
        let layout = Layout::new(&rated, &seats, &[]);
        let places = |members: &Vec<usize>| members.iter().filter_map(|&i| layout.players[i]).collect();
        let mut precision = vec![0.0; layout.size];
        let (scales, mut blocks) = match penalty {
            None => {
                let mut scales: Vec<Vec<usize>> = components.members.iter().map(places).collect();
                scales.retain(|scale| !scale.is_empty());
                (scales.clone(), scales)
            }
            Some(Penalty { sigma, free }) => {
                let weight = (sigma * UNITS_PER_ELO).powi(-2);
                for &place in layout.players.iter().flatten() {
                    precision[place] = weight;
                }
                for (places, _) in layout.seats.iter().zip(free).filter(|(_, free)| !**free) {
                    places.iter().for_each(|&place| precision[place] = seat_precision(weight, places.len()));
                }
                (vec![layout.players.iter().flatten().copied().collect()], Vec::new())
            }
        };
        let is_free = |group: usize| penalty.is_none_or(|penalty| penalty.free[group]);
        blocks.extend(
            layout.seat_blocks().filter(|(group, _)| is_free(*group)).map(|(_, places)| places.clone()),
        );
        let problem = Problem {
            model: Model::Logistic,
            tally,
            counts: tally.counts(),
            offsets: Vec::new(),
            layout,
            precision,
            even_draws: Vec::new(),
            blocks,
        };
        Self { problem, scales }
    }

    /// Returns the table of a solution, without results and bounds.
    pub(crate) fn table(
        &self,
        solution: Option<&Solution>,
        components: &Components,
        settings: &FitSettings,
        method: Method,
    ) -> RatingTable {
        let layout = &self.problem.layout;
        let errors = error_kind(settings.errors, matches!(method, Method::Ridge { .. }));
        let estimate = solution.map(|solution| {
            let (matrix, clusters) = self.problem.covariance(solution, errors, settings.errors);
            let source = clusters.map(|clusters| Source {
                clusters,
                places: (0..layout.size).map(Some).collect(),
                rated: layout.players.iter().flatten().count(),
                blocks: Source::blocks(layout.size, &self.problem.blocks),
                unit: UNITS_PER_ELO.powi(-2),
            });
            Estimate {
                values: solution.values.clone(),
                spread: Spread::Exact(matrix),
                source,
                scales: self.scales.clone(),
                origin: None,
            }
        });
        let log_likelihood = solution.map_or(0.0, |solution| solution.log_likelihood);
        let places = (layout.players.clone(), layout.seats.clone());
        assemble(estimate, places, components, settings, (method, errors, log_likelihood))
    }
}

/// Returns, by group, for how many seats advantages are estimated: 0 if they are assumed to be zero.
pub(crate) fn advantages(tally: &Tally, groups: usize, settings: &FitSettings) -> Vec<usize> {
    let played = tally.played(groups);
    let seats = played.iter().zip(&tally.seats);
    seats.map(|(played, seats)| if *played && settings.advantage { *seats } else { 0 }).collect()
}

/// Returns the precision of the prior on each of `places` advantages of a group such that the difference between two seats has
/// the precision `of_difference`. With two seats, only the difference is a parameter.
pub(crate) fn seat_precision(of_difference: f64, places: usize) -> f64 {
    if places > 1 { 2.0 * of_difference } else { of_difference }
}

/// Returns how the errors of a table were estimated.
pub(crate) fn error_kind(errors: Errors, is_regularized: bool) -> ErrorKind {
    match errors {
        Errors::Auto if is_regularized => ErrorKind::InverseHessian,
        Errors::Auto => ErrorKind::Clusters,
        Errors::PerPair => ErrorKind::PairSandwich,
        Errors::PerGame => ErrorKind::GameSandwich,
        Errors::Hessian => ErrorKind::InverseHessian,
        Errors::Bootstrap { .. } => ErrorKind::Bootstrap,
    }
}

/// The estimates, in natural units and not centred.
pub(crate) struct Estimate {
    pub(crate) values: Vec<f64>,
    pub(crate) spread: Spread,
    pub(crate) source: Option<Source>,
    /// The players that share an origin, as rows.
    pub(crate) scales: Vec<Vec<usize>>,
    /// The players whose mean is zero, if that is not the mean of all who share the origin.
    pub(crate) origin: Option<Vec<usize>>,
}

impl Estimate {
    /// Returns values and covariance in Elo, centred. `places` has the rows of players and seats.
    fn centred(self, places: Places, anchor: Option<Anchor>) -> (Vec<f64>, Certainty) {
        let Self { values, mut spread, source, scales, origin } = self;
        let mut values: Vec<f64> = values.iter().map(|value| value / UNITS_PER_ELO).collect();
        spread.scale(UNITS_PER_ELO.powi(-2));
        let (players, seats) = places;
        let anchor = anchor.and_then(|anchor| Some((players.get(anchor.player).copied()??, anchor.elo)));
        let mut shown = Vec::with_capacity(scales.len());
        for members in scales {
            // The origin is the mean of these rows.
            let (zero, elo) = match anchor {
                Some((row, elo)) if members.contains(&row) => (vec![row], elo),
                Some(_) | None => (origin.clone().unwrap_or_else(|| members.clone()), 0.0),
            };
            let mean = zero.iter().map(|&i| values[i]).sum::<f64>() / zero.len() as f64;
            for &i in &members {
                values[i] = values[i] - mean + elo;
            }
            spread.centre(&members, &zero);
            shown.push(Scale { members, origin: zero });
        }
        for rows in seats.iter().filter(|rows| rows.len() > 1) {
            let mean = rows.iter().map(|&i| values[i]).sum::<f64>() / rows.len() as f64;
            rows.iter().for_each(|&i| values[i] -= mean);
            spread.centre(rows, rows);
            shown.push(Scale { members: rows.clone(), origin: rows.clone() });
        }
        (values, Certainty { spread, players, seats, source, scales: shown })
    }
}

/// The rows of players, and those of the seats of each group in the order of [`Layout`].
pub(crate) type Places = (Vec<Option<usize>>, Vec<Vec<usize>>);

/// Returns the table of an estimate, without results and bounds.
pub(crate) fn assemble(
    estimate: Option<Estimate>,
    places: Places,
    components: &Components,
    settings: &FitSettings,
    (method, errors, log_likelihood): (Method, ErrorKind, f64),
) -> RatingTable {
    let is_regularized = matches!(method, Method::Ridge { .. });
    let (players, seats) = places.clone();
    let (values, certainty) = match estimate {
        Some(estimate) => {
            let (values, certainty) = estimate.centred(places, settings.anchor);
            (Some(values), certainty)
        }
        None => (None, Certainty::empty(players.len(), seats.len())),
    };
    let elo = |place: Option<usize>| values.as_ref().zip(place).map(|(values, i)| values[i]);
    let rating = |(&component, &place): (&Option<usize>, &Option<usize>)| Rating {
        elo: elo(place),
        error95: None,
        is_regularized: is_regularized && elo(place).is_some(),
        bound: None,
        component,
        games: 0,
        points: Points::default(),
        wins: 0,
        draws: 0,
        losses: 0,
        places: Vec::new(),
    };
    let advantage = |rows: &Vec<usize>| {
        let elo = if settings.advantage { elo(rows.first().copied()) } else { Some(0.0) };
        Advantage {
            elo,
            error95: None,
            is_regularized: is_regularized && elo.is_some() && !rows.is_empty(),
            games: 0,
            first_score: None,
            draw_rate: None,
            pairs: 0,
            pair_variance_ratio: None,
            seats: match (elo, rows.len()) {
                // With two seats only the difference is a parameter: each seat gets half of it.
                (Some(elo), 1) => [elo / 2.0, -elo / 2.0].map(SeatAdvantage::of).to_vec(),
                _ => rows.iter().filter_map(|&row| Some(SeatAdvantage::of(values.as_ref()?[row]))).collect(),
            },
        }
    };
    let mut table = RatingTable {
        ratings: components.of.iter().zip(&players).map(rating).collect(),
        advantages: seats.iter().map(advantage).collect(),
        components: components.count(),
        main: None,
        method,
        errors,
        log_likelihood,
        certainty,
    };
    for i in 0..table.ratings.len() {
        table.ratings[i].error95 = table.half_width(Parameter::Rating(i), LEVEL95);
    }
    for i in 0..table.advantages.len() {
        table.advantages[i].error95 = table.half_width(Parameter::Advantage(i), LEVEL95);
        for seat in 0..table.advantages[i].seats.len() {
            table.advantages[i].seats[seat].error95 = table.half_width(Parameter::Seat(i, seat), LEVEL95);
        }
    }
    table
}

impl Problem<'_> {
    /// Returns the covariance of the solution's parameters, in square natural units, and its clusters if they show how well it
    /// is known. Priors count in the information only.
    pub(crate) fn covariance(
        &self,
        solution: &Solution,
        kind: ErrorKind,
        asked: Errors,
    ) -> (Matrix, Option<Clusters>) {
        match kind {
            ErrorKind::Clusters => {
                let (matrix, clusters) = Clusters::dense(self, solution);
                (matrix, Some(clusters))
            }
            ErrorKind::PairSandwich => (sandwich::plain(self, solution, true), None),
            ErrorKind::GameSandwich => (sandwich::plain(self, solution, false), None),
            ErrorKind::InverseHessian => (solution.inverse.clone(), None),
            ErrorKind::Bootstrap => (bootstrap(self, solution, asked), None),
        }
    }
}
