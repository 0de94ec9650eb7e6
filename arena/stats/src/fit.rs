//! The fit of a rating table.
//!
//! The model: the expected score of the first seat is `1 / (1 + 10^(−(R1 − R2 + H) / 400))`, with a rating R for every player
//! and a first-seat advantage H for every group. A draw counts half a point. The fit assumes only this expectation, not how
//! often games are drawn (a quasi-likelihood; Papke and Wooldridge 1996). Without draws it is the Bradley-Terry model (Zermelo
//! 1929) with an order effect (Davidson and Beaver 1977).
//!
//! A game at a table of more than two seats counts as the results of every two of its seats, and the difference of their
//! advantages replaces H. Every seat has an advantage, and those of a group add up to zero.
//!
//! H is estimated together with the ratings. Errors that treat H as known are too small, and ignoring H misplaces players who
//! had the better seat more often.

mod bound;
mod conjugate;
pub(crate) mod davidson;
pub(crate) mod errors;
mod fitting;
mod large;
mod linked;
pub(crate) mod model;
pub(crate) mod settings;
mod solver;
pub(crate) mod table;
#[cfg(test)]
mod truth;

use crate::fit::bound::{Standing, shift};
use crate::fit::fitting::{Fitting, Penalty};
use crate::numeric::inverse::LARGE;
use crate::tally::Tally;
use crate::tally::components::Components;
use crate::tally::seats::seats;
use crate::{
    FitSettings, Method, Points, Prior, RIDGE_SIGMA, RatedGame, Rating, RatingBound, RatingTable, RidgeCause,
    Sample, SeatAdvantage,
};

/// Fits the ratings of `players` players and the advantages of the seats in `groups` groups.
///
/// The order of the games does not matter. Players without games get no rating and do not affect the others; games of a player
/// against itself are left out. The ridge shrinks an advantage to zero only if games within components do not determine it.
///
/// ```
/// use stats::{RatedGame, GameScore, FitSettings, fit};
///
/// let game = RatedGame::new;
/// let games = [
///     game(0, 1, GameScore::Win),
///     game(1, 0, GameScore::Draw),
///     game(0, 1, GameScore::Loss),
///     game(1, 0, GameScore::Loss),
/// ];
/// let table = fit(2, 1, &games, &FitSettings::default());
/// let elo = table.ratings[0].elo.expect("both have scored against each other");
/// assert!(elo > 0.0 && !table.is_regularized());
/// ```
///
/// # Panics
/// When a game names a player or a group that does not exist, or the ridge's sigma is not a positive number.
#[must_use]
pub fn fit(players: usize, groups: usize, games: &[RatedGame], settings: &FitSettings) -> RatingTable {
    table(players, groups, &Tally::new(players, groups, games), settings)
}

impl Sample {
    /// Fits the ratings of `players` players and the advantages of the seats in `groups` groups. The result is that of
    /// [`fit()`] for the same games.
    ///
    /// # Panics
    /// As [`fit()`].
    #[must_use]
    pub fn fit(&self, players: usize, groups: usize, settings: &FitSettings) -> RatingTable {
        table(players, groups, &Tally::of(players, groups, self), settings)
    }
}

/// Fits games that have been counted.
pub(crate) fn table(players: usize, groups: usize, tally: &Tally, settings: &FitSettings) -> RatingTable {
    let components = Components::of(players, tally);
    let main = main_component(tally, &components);
    let within = tally.filtered(|i, j| components.ties(i, j));
    let tied = Fitting::new(&within, &components, settings, groups, None);
    let rated = components.of.iter().flatten().count();
    let (mut table, free) = if rated + groups > LARGE {
        large::table(&tied, tally, &components, main, settings)
    } else {
        dense(&tied, tally, &components, main, settings)
    };
    count_results(&mut table, tally);
    describe_seats(&mut table, tally);
    table.main = main;
    set_bounds(&mut table, tally, &components, &free, settings.advantage);
    table
}

/// Returns the table of a pool of usual size, without results and bounds, and which advantages the games determine.
fn dense(
    tied: &Fitting<'_>,
    tally: &Tally,
    components: &Components,
    main: Option<usize>,
    settings: &FitSettings,
) -> (RatingTable, Vec<bool>) {
    let groups = tied.problem.layout.seats.len();
    let plain = tied.problem.solve();

    // An advantage is determined if the plain fit finds it.
    let found = plain.is_some();
    let free: Vec<bool> =
        tied.problem.layout.seats.iter().map(|places| found && !places.is_empty()).collect();
    let is_connected = components.count() <= 1;
    let table = match (ridge(settings.prior, components, main, found), plain) {
        (Some((sigma, cause)), _) => {
            let penalised = Penalty { sigma, free: &free };
            let fitting = Fitting::new(tally, components, settings, groups, Some(penalised));
            let solution = fitting.problem.solve();
            fitting.table(solution.as_ref(), components, settings, Method::Ridge { sigma, cause })
        }
        (None, Some(plain)) if settings.prior == Prior::Auto && !is_connected => {
            linked::table(tied, &plain, tally, components, main.unwrap_or_default(), settings)
        }
        (None, plain) => {
            let method = if is_connected { Method::Plain } else { Method::Separate };
            tied.table(plain.as_ref(), components, settings, method)
        }
    };
    (table, free)
}

/// Returns the standard deviation of the prior and the reason for it, if every rating needs a prior. `found` says whether a
/// plain fit exists within the components.
pub(crate) fn ridge(
    prior: Prior,
    components: &Components,
    main: Option<usize>,
    found: bool,
) -> Option<(f64, RidgeCause)> {
    let are_some_tied = main.is_some_and(|main| components.members[main].len() > 1);
    match prior {
        Prior::None => None,
        Prior::Ridge { sigma } => {
            assert!(sigma > 0.0 && sigma.is_finite(), "a ridge of {sigma} Elo");
            Some((sigma, RidgeCause::Asked))
        }
        Prior::Auto if components.count() > 1 && !are_some_tied => {
            Some((RIDGE_SIGMA, RidgeCause::Disconnected))
        }
        Prior::Auto if !found => Some((RIDGE_SIGMA, RidgeCause::Advantage)),
        Prior::Auto => None,
    }
}

/// Fills in the games, points and places of every player.
fn count_results(table: &mut RatingTable, tally: &Tally) {
    for cell in &tally.cells {
        let [losses, draws, wins] = cell.counts;
        for (player, wins, losses) in [(cell.first, wins, losses), (cell.second, losses, wins)] {
            let rating = &mut table.ratings[player];
            rating.wins += wins;
            rating.draws += draws;
            rating.losses += losses;
        }
    }
    for (leg, count) in tally.games() {
        for side in tally.sides(leg) {
            let rating = &mut table.ratings[side.player];
            rating.games += count;
            rating.points += Points::share(side.halves * count, 2 * side.opponents);
            if rating.places.len() < side.place {
                rating.places.resize(side.place, 0);
            }
            rating.places[side.place - 1] += count;
        }
    }
}

/// Fills in the seat statistics of every group.
fn describe_seats(table: &mut RatingTable, tally: &Tally) {
    let seats = seats(table.advantages.len(), tally);
    for (advantage, seats) in table.advantages.iter_mut().zip(seats) {
        advantage.games = seats.games;
        advantage.first_score = seats.scores.first().copied().flatten();
        advantage.draw_rate = seats.draw_rate;
        advantage.pairs = seats.blocks;
        advantage.pair_variance_ratio = seats.pair_variance_ratio;
        // Without an estimate, every seat has what the first has: zero, or no value.
        let none = SeatAdvantage { elo: advantage.elo, error95: None, score: None };
        advantage.seats.resize(seats.scores.len(), none);
        for (seat, score) in advantage.seats.iter_mut().zip(seats.scores) {
            seat.score = score;
        }
    }
}

/// Returns the component with the most players, then the most games, then the player of lowest index.
fn main_component(tally: &Tally, components: &Components) -> Option<usize> {
    let mut games = vec![0; components.count()];
    for cell in &tally.cells {
        for component in [cell.first, cell.second].into_iter().filter_map(|player| components.of[player]) {
            games[component] += cell.total();
        }
    }
    (0..components.count()).rev().max_by_key(|&i| (components.members[i].len(), games[i]))
}

/// Fills in the bounds of the players outside the main component.
fn set_bounds(
    table: &mut RatingTable,
    tally: &Tally,
    components: &Components,
    free: &[bool],
    advantage: bool,
) {
    let Some(main) = table.main else { return };
    // A player rated separately has the mean of its own component as its rating.
    let own = |i: usize| components.of[i].is_some_and(|component| components.members[component].len() == 1);
    let separate = table.method == Method::Separate;
    let rated = |(i, rating): (usize, &Rating)| rating.elo.or((separate && own(i)).then_some(0.0));
    let players: Vec<Option<f64>> = table.ratings.iter().enumerate().map(rated).collect();
    let seats: Vec<Option<Vec<f64>>> = table
        .advantages
        .iter()
        .zip(free)
        .map(|(group, free)| match (advantage, &group.seats[..]) {
            (false, seats) => Some(vec![0.0; seats.len()]),
            // At tables of two seats the first seat has the whole difference.
            (true, [_, _]) => group.elo.filter(|_| *free).map(|elo| vec![elo, 0.0]),
            (true, seats) => seats.iter().map(|seat| seat.elo.filter(|_| *free)).collect(),
        })
        .collect();
    let standing = Standing { players: &players, seats: &seats };
    for component in (0..components.count()).filter(|&component| component != main) {
        let Some(shift) = shift(component, main, components, tally, &standing) else { continue };
        for &player in &components.members[component] {
            let place = players[player].unwrap_or(0.0);
            table.ratings[player].bound = Some(match shift {
                RatingBound::Above(elo) => RatingBound::Above(place + elo),
                RatingBound::Below(elo) => RatingBound::Below(place + elo),
            });
        }
    }
}
