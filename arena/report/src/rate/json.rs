//! Ratings as JSON, with full precision.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use stats::{ErrorKind, Method, RatingBound, RidgeCause};

use crate::Circles;
use crate::rate::{By, LeftOut, Ratings};

#[derive(Serialize)]
struct Document<'a> {
    players: Vec<ContestantJson<'a>>,
    first_seat_advantage: BTreeMap<&'a str, Advantage>,
    model: &'static str,
    method: &'static str,
    prior_sigma: Option<f64>,
    cause: Option<&'static str>,
    errors: &'static str,
    components: usize,
    anchor: Option<Anchor<'a>>,
    by: &'static str,
    games: u64,
    games_read: u64,
    left_out: Missing<'a>,
    log_likelihood: f64,
    davidson_log_likelihood: Option<f64>,
    simultaneous: bool,
    transitivity: Option<&'a Circles>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct ContestantJson<'a> {
    rank: Option<usize>,
    name: &'a str,
    version: &'a str,
    versions: &'a [String],
    digests: &'a [String],
    elo: Option<f64>,
    /// An earlier name of `elo`, kept for old readers.
    rating: Option<f64>,
    error95: Option<f64>,
    regularized: bool,
    bound: Option<OneSided>,
    component: Option<usize>,
    games: u64,
    score: f64,
    score_percent: Option<f64>,
    wins: u64,
    draws: u64,
    losses: u64,
    faults: u64,
    los_next: Option<f64>,
    los_next_holm: Option<f64>,
    los_next_regularized: bool,
    /// How often the player was first, second and so on, if tables have more than two seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<Vec<u64>>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum OneSided {
    Above(f64),
    Below(f64),
}

#[derive(Serialize)]
struct Advantage {
    elo: Option<f64>,
    error95: Option<f64>,
    regularized: bool,
    games: u64,
    first_score: Option<f64>,
    draw_rate: Option<f64>,
    pairs: u64,
    pair_variance_ratio: Option<f64>,
    davidson_nu: Option<f64>,
    davidson_draw_rate: Option<f64>,
    /// Every seat of a table of more than two seats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seats: Vec<SeatJson>,
}

#[derive(Serialize)]
struct SeatJson {
    elo: Option<f64>,
    error95: Option<f64>,
    score: Option<f64>,
}

#[derive(Serialize)]
struct Anchor<'a> {
    label: &'a str,
    elo: f64,
    /// An earlier name of `elo`, kept for old readers.
    rating: f64,
}

#[derive(Serialize)]
struct Missing<'a> {
    no_result: u64,
    unknown_result: u64,
    unknown: &'a BTreeSet<String>,
    forfeits: u64,
    byes: u64,
    unnamed: u64,
    own: u64,
    copies: u64,
    filtered: u64,
    undated: u64,
}

/// Returns one object and a line feed. Characters that could control a terminal are written as JSON escapes.
pub(super) fn write(ratings: &Ratings) -> String {
    let (method, prior_sigma, cause) = match ratings.method {
        Method::Plain => ("plain", None, None),
        Method::Separate => ("separate", None, None),
        Method::Linked { sigma } => ("linked", Some(sigma), Some("disconnected")),
        Method::Ridge { sigma, cause } => {
            let cause = match cause {
                RidgeCause::Asked => "asked",
                RidgeCause::Disconnected => "disconnected",
                RidgeCause::Advantage => "advantage",
            };
            ("ridge", Some(sigma), Some(cause))
        }
    };
    let LeftOut {
        no_result,
        unknown_result,
        ref unknown,
        forfeits,
        byes,
        unnamed,
        own,
        copies,
        filtered,
        undated,
    } = ratings.left_out;
    let document = Document {
        players: ratings.players.iter().map(|row| player(row, ratings.seats())).collect(),
        first_seat_advantage: ratings.games.iter().map(|game| (&*game.label, advantage(game))).collect(),
        model: "logistic with first-seat advantage",
        method,
        prior_sigma,
        cause,
        errors: match ratings.errors {
            ErrorKind::Clusters => "clusters",
            ErrorKind::Bootstrap => "bootstrap",
            ErrorKind::PairSandwich => "pairs",
            ErrorKind::GameSandwich => "games",
            ErrorKind::InverseHessian => "model",
        },
        components: ratings.components,
        anchor: ratings.anchor.as_ref().map(|(label, rating)| Anchor {
            label,
            elo: *rating,
            rating: *rating,
        }),
        by: match ratings.by {
            By::Name => "name",
            By::Version => "version",
            By::Hash => "hash",
        },
        games: ratings.rated,
        games_read: ratings.read,
        left_out: Missing {
            no_result,
            unknown_result,
            unknown,
            forfeits,
            byes,
            unnamed,
            own,
            filtered,
            copies,
            undated,
        },
        log_likelihood: ratings.log_likelihood,
        davidson_log_likelihood: ratings.davidson_log_likelihood,
        simultaneous: ratings.is_simultaneous,
        transitivity: ratings.circles.as_ref(),
        notes: ratings.notes(),
    };
    crate::writing::json::document(&document)
}

fn player(row: &crate::rate::PlayerRow, seats: usize) -> ContestantJson<'_> {
    let rating = &row.rating;
    ContestantJson {
        rank: row.rank,
        name: &row.name,
        version: &row.version,
        versions: &row.versions,
        digests: &row.digests,
        elo: rating.elo,
        rating: rating.elo,
        error95: rating.error95,
        regularized: rating.is_regularized,
        bound: rating.bound.map(|bound| match bound {
            RatingBound::Above(elo) => OneSided::Above(elo),
            RatingBound::Below(elo) => OneSided::Below(elo),
        }),
        component: rating.component.map(|component| component + 1),
        games: rating.games,
        score: rating.points.to_f64(),
        score_percent: rating.score().map(|score| 100.0 * score),
        wins: rating.wins,
        draws: rating.draws,
        losses: rating.losses,
        faults: row.faults,
        los_next: row.los,
        los_next_holm: row.los_holm,
        los_next_regularized: row.is_los_regularized,
        places: (seats > 2)
            .then(|| (0..seats).map(|place| rating.places.get(place).copied().unwrap_or(0)).collect()),
    }
}

fn advantage(game: &crate::rate::GameRow) -> Advantage {
    let advantage = &game.advantage;
    Advantage {
        elo: advantage.elo,
        error95: advantage.error95,
        regularized: advantage.is_regularized,
        games: advantage.games,
        first_score: advantage.first_score,
        draw_rate: advantage.draw_rate,
        pairs: advantage.pairs,
        pair_variance_ratio: advantage.pair_variance_ratio,
        davidson_nu: game.draws.map(|(nu, _)| nu),
        davidson_draw_rate: game.draws.map(|(_, rate)| rate),
        seats: match &advantage.seats[..] {
            seats if seats.len() > 2 => seats
                .iter()
                .map(|seat| SeatJson { elo: seat.elo, error95: seat.error95, score: seat.score })
                .collect(),
            _ => Vec::new(),
        },
    }
}
