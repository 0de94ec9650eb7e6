//! The fit of a rating table.
//!
//! The model: the expected score of the first seat is `1 / (1 + 10^(−(R1 − R2 + H) / 400))`, with a rating R
//! for every player and a first-seat advantage H for every group; a draw is half a point. Only this
//! expectation is assumed (a quasi-likelihood; Papke and Wooldridge 1996): draws may come as they like.
//! Without draws it is the Bradley-Terry model (Zermelo 1929) with an order effect (Davidson and Beaver 1977).
//!
//! H is estimated with the ratings, since errors that take it as known are too small, and since ignoring it
//! misplaces players who had the better seat more often.

use crate::bound::{Standing, shift};
use crate::components::Components;
use crate::model::{Model, UNITS_PER_ELO};
use crate::normal::Z95;
use crate::seats::seats;
use crate::solver::{Layout, Problem, Solution};
use crate::table::Covariance;
use crate::tally::Tally;
use crate::{Advantage, Bound, Cause, ErrorKind, Game, Method, Parameter, Rating, Table};

/// How a table is fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// What happens when the data hold no finite answer.
    pub prior: Prior,
    /// The player whose rating is given; `None`, or a player without a rating, centres the ratings on the mean
    /// of all rated players.
    pub anchor: Option<Anchor>,
    /// Whether the first-seat advantage is estimated (it should be) or taken as zero.
    pub advantage: bool,
    /// Where the errors come from.
    pub errors: Errors,
}

/// What keeps ratings finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Prior {
    /// Nothing: components are rated separately, each from its own mean, and figures that do not exist are
    /// absent. Games between components give bounds only.
    None,
    /// Every rating is drawn to the mean by a normal prior, and every figure is marked.
    Ridge {
        /// The prior's standard deviation in Elo.
        sigma: f64,
    },
    /// The plain fit where it exists, otherwise the ridge with [`RIDGE_SIGMA`].
    Auto,
}

/// A player whose rating is fixed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The player.
    pub player: usize,
    /// Its rating in Elo.
    pub elo: f64,
}

/// Which errors are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// The sandwich, by pairs when the fit has at least [`PAIRS_FOR_CLUSTERS`] of them, by games otherwise; the
    /// inverse Hessian when the fit is regularised, since the sandwich knows nothing of what the prior hides.
    Auto,
    /// The sandwich by colour-swapped pairs.
    PerPair,
    /// The sandwich by games.
    PerGame,
    /// The inverse Hessian.
    Hessian,
}

/// The standard deviation of the prior that [`Prior::Auto`] falls back on, in Elo.
pub const RIDGE_SIGMA: f64 = 200.0;

/// From this number of colour-swapped pairs on, pairs are the clusters of the errors.
pub const PAIRS_FOR_CLUSTERS: u64 = 30;

impl Default for Settings {
    /// The published table: a plain fit if there is one, with first-seat advantage, about the pool's mean.
    fn default() -> Self {
        Self { prior: Prior::Auto, anchor: None, advantage: true, errors: Errors::Auto }
    }
}

/// Fits the ratings of `players` players and the first-seat advantages of `groups` groups.
///
/// The order of the games does not matter. Players without games have no rating and disturb nobody else's;
/// games of a player against itself are left out. An advantage is drawn to zero by the ridge only where the
/// games do not determine it: where it cannot be estimated from games within components.
///
/// ```
/// use stats::{Game, Score, Settings, fit};
///
/// let game = |first, second, score| Game { first, second, score, group: 0, pair: None };
/// let games = [
///     game(0, 1, Score::Win),
///     game(1, 0, Score::Draw),
///     game(0, 1, Score::Loss),
///     game(1, 0, Score::Loss),
/// ];
/// let table = fit(2, 1, &games, &Settings::default());
/// let elo = table.ratings[0].elo.expect("both have scored against each other");
/// assert!(elo > 0.0 && !table.is_regularized());
/// ```
///
/// # Panics
/// When a game names a player or a group that is not there, or the ridge's sigma is not a positive number.
#[must_use]
pub fn fit(players: usize, groups: usize, games: &[Game], settings: &Settings) -> Table {
    table(players, groups, &Tally::new(players, groups, games), settings)
}

/// Fits games that are counted.
pub(crate) fn table(players: usize, groups: usize, tally: &Tally, settings: &Settings) -> Table {
    let components = Components::of(players, tally);
    let within = tally.filtered(|i, j| components.ties(i, j));
    let tied = Fitting::new(&within, &components, settings, groups, None);
    let plain = tied.problem.solve();

    // An advantage is determined if the plain fit finds it.
    let found = plain.is_some();
    let free: Vec<bool> = tied.problem.layout.groups.iter().map(|place| found && place.is_some()).collect();
    let ridge = match settings.prior {
        Prior::None => None,
        Prior::Ridge { sigma } => Some((sigma, Cause::Asked)),
        Prior::Auto if components.count() > 1 => Some((RIDGE_SIGMA, Cause::Disconnected)),
        Prior::Auto if !found => Some((RIDGE_SIGMA, Cause::Advantage)),
        Prior::Auto => None,
    };
    let (method, fitting, solution) = match ridge {
        Some((sigma, cause)) => {
            assert!(sigma > 0.0 && sigma.is_finite(), "a ridge of {sigma} Elo");
            let penalised = Penalty { sigma, free: &free };
            let fitting = Fitting::new(tally, &components, settings, groups, Some(penalised));
            let solution = fitting.problem.solve();
            (Method::Ridge { sigma, cause }, fitting, solution)
        }
        None if components.count() > 1 => (Method::Separate, tied, plain),
        None => (Method::Plain, tied, plain),
    };
    let mut table = fitting.table(solution.as_ref(), &components, settings, method);
    count_results(&mut table, tally);
    describe_seats(&mut table, tally);
    table.main = main_component(&table, &components);
    set_bounds(&mut table, tally, &components, &free, settings.advantage);
    table
}

/// The prior of a regularised fit.
#[derive(Clone, Copy)]
struct Penalty<'a> {
    sigma: f64,
    /// The groups whose advantage needs none.
    free: &'a [bool],
}

/// A problem with what is needed to read its solution.
struct Fitting<'a> {
    problem: Problem<'a>,
    /// The players that share a zero, as places of the layout.
    scales: Vec<Vec<usize>>,
}

impl<'a> Fitting<'a> {
    fn new(
        tally: &'a Tally,
        components: &Components,
        settings: &Settings,
        groups: usize,
        penalty: Option<Penalty<'_>>,
    ) -> Self {
        let mut rated = vec![false; components.of.len()];
        for cell in &tally.cells {
            rated[cell.first] = true;
            rated[cell.second] = true;
        }
        let advantages: Vec<bool> =
            tally.played(groups).iter().map(|&played| played && settings.advantage).collect();
        let layout = Layout::new(&rated, &advantages, &[]);
        let places = |members: &Vec<usize>| members.iter().filter_map(|&i| layout.players[i]).collect();
        let mut precision = vec![0.0; layout.size];
        let (scales, blocks) = match penalty {
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
                for (place, _) in layout.groups.iter().zip(free).filter(|(_, free)| !**free) {
                    if let Some(place) = *place {
                        precision[place] = weight;
                    }
                }
                (vec![layout.players.iter().flatten().copied().collect()], Vec::new())
            }
        };
        let problem =
            Problem { model: Model::Logistic, tally, layout, precision, even_draws: Vec::new(), blocks };
        Self { problem, scales }
    }

    /// The table of a solution, results and bounds still missing.
    fn table(
        &self,
        solution: Option<&Solution>,
        components: &Components,
        settings: &Settings,
        method: Method,
    ) -> Table {
        let layout = &self.problem.layout;
        let is_regularized = matches!(method, Method::Ridge { .. });
        let pairs = self.problem.tally.pair_count();
        let errors = match settings.errors {
            Errors::Auto if is_regularized => ErrorKind::InverseHessian,
            Errors::Auto if pairs >= PAIRS_FOR_CLUSTERS => ErrorKind::PairSandwich,
            Errors::Auto | Errors::PerGame => ErrorKind::GameSandwich,
            Errors::PerPair => ErrorKind::PairSandwich,
            Errors::Hessian => ErrorKind::InverseHessian,
        };
        let (values, covariance) = self.figures(solution, settings.anchor, errors);
        let elo = |place: Option<usize>| values.as_ref().zip(place).map(|(values, i)| values[i]);
        let without = |component| Rating {
            elo: None,
            error95: None,
            is_regularized: false,
            bound: None,
            component,
            games: 0,
            wins: 0,
            draws: 0,
            losses: 0,
        };
        let ratings = components
            .of
            .iter()
            .zip(&layout.players)
            .map(|(&component, &place)| Rating { elo: elo(place), ..without(component) })
            .map(|rating| Rating { is_regularized: is_regularized && rating.elo.is_some(), ..rating })
            .collect();
        let advantages = layout
            .groups
            .iter()
            .map(|&place| Advantage {
                elo: if settings.advantage { elo(place) } else { Some(0.0) },
                error95: None,
                is_regularized: is_regularized && elo(place).is_some(),
                games: 0,
                first_score: None,
                draw_rate: None,
                pairs: 0,
                pair_variance_ratio: None,
            })
            .collect();
        let log_likelihood = solution.map_or(0.0, |solution| solution.log_likelihood);
        let components = components.count();
        let mut table =
            Table { ratings, advantages, components, main: None, method, errors, log_likelihood, covariance };
        let error95 = |table: &Table, parameter| table.standard_error(parameter).map(|error| Z95 * error);
        for i in 0..table.ratings.len() {
            table.ratings[i].error95 = error95(&table, Parameter::Rating(i));
        }
        for i in 0..table.advantages.len() {
            table.advantages[i].error95 = error95(&table, Parameter::Advantage(i));
        }
        table
    }

    /// Values and covariance in Elo, centred.
    fn figures(
        &self,
        solution: Option<&Solution>,
        anchor: Option<Anchor>,
        errors: ErrorKind,
    ) -> (Option<Vec<f64>>, Covariance) {
        let layout = &self.problem.layout;
        let Some(solution) = solution else { return (None, Covariance::empty(layout)) };
        let mut values: Vec<f64> = solution.values.iter().map(|value| value / UNITS_PER_ELO).collect();
        let mut matrix = self.problem.covariance(solution, errors);
        matrix.scale(UNITS_PER_ELO.powi(-2));
        let anchor =
            anchor.and_then(|anchor| Some((layout.players.get(anchor.player).copied()??, anchor.elo)));
        for scale in &self.scales {
            // Where zero is: the mean of these places.
            let (origin, elo) = match anchor {
                Some((place, elo)) if scale.contains(&place) => (vec![place], elo),
                Some(_) | None => (scale.clone(), 0.0),
            };
            let mean = origin.iter().map(|&i| values[i]).sum::<f64>() / origin.len() as f64;
            for &i in scale {
                values[i] = values[i] - mean + elo;
            }
            matrix.centre(scale, &origin);
        }
        let covariance =
            Covariance { matrix, players: layout.players.clone(), groups: layout.groups.clone() };
        (Some(values), covariance)
    }
}

/// Fills in the games, wins, draws and losses of every player.
fn count_results(table: &mut Table, tally: &Tally) {
    for cell in &tally.cells {
        let [losses, draws, wins] = cell.counts;
        for (player, wins, losses) in [(cell.first, wins, losses), (cell.second, losses, wins)] {
            let rating = &mut table.ratings[player];
            rating.games += wins + draws + losses;
            rating.wins += wins;
            rating.draws += draws;
            rating.losses += losses;
        }
    }
}

/// Fills in the seat statistics of every group.
fn describe_seats(table: &mut Table, tally: &Tally) {
    let seats = seats(table.advantages.len(), tally);
    for (advantage, seats) in table.advantages.iter_mut().zip(seats) {
        advantage.games = seats.games;
        advantage.first_score = seats.first_score;
        advantage.draw_rate = seats.draw_rate;
        advantage.pairs = seats.pairs;
        advantage.pair_variance_ratio = seats.pair_variance_ratio;
    }
}

/// The component of most players, then of most games, then of the player of lowest index.
fn main_component(table: &Table, components: &Components) -> Option<usize> {
    let games = |members: &[usize]| members.iter().map(|&i| table.ratings[i].games).sum::<u64>();
    let weight = |i: &usize| (components.members[*i].len(), games(&components.members[*i]));
    (0..components.count()).rev().max_by_key(weight)
}

/// Fills in the bounds of the players outside the main component.
fn set_bounds(table: &mut Table, tally: &Tally, components: &Components, free: &[bool], advantage: bool) {
    let Some(main) = table.main else { return };
    // Rated separately, a player on its own stands at its own mean.
    let own = |i: usize| components.of[i].is_some_and(|component| components.members[component].len() == 1);
    let separate = table.method == Method::Separate;
    let rated = |(i, rating): (usize, &Rating)| rating.elo.or((separate && own(i)).then_some(0.0));
    let players: Vec<Option<f64>> = table.ratings.iter().enumerate().map(rated).collect();
    let groups: Vec<Option<f64>> = table
        .advantages
        .iter()
        .zip(free)
        .map(|(group, free)| if advantage { group.elo.filter(|_| *free) } else { Some(0.0) })
        .collect();
    let standing = Standing { players: &players, groups: &groups };
    for component in (0..components.count()).filter(|&component| component != main) {
        let Some(shift) = shift(component, main, components, tally, &standing) else { continue };
        for &player in &components.members[component] {
            let place = players[player].unwrap_or(0.0);
            table.ratings[player].bound = Some(match shift {
                Bound::Above(elo) => Bound::Above(place + elo),
                Bound::Below(elo) => Bound::Below(place + elo),
            });
        }
    }
}
