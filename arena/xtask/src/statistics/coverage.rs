//! How often 95 % intervals hold the truth.

use std::ops::AddAssign;

use rand::{SeedableRng as _, rngs::ChaCha8Rng};
use stats::{Errors, FitSettings, GameScore, RatedGame, Sample, fit};

use super::lots::{ADVANTAGE, Design, Openings};
use super::share::{Band, Share};
use super::{Table, parallel};

/// What came of the tournaments of a design.
#[derive(Clone, Copy, Debug, Default)]
struct Coverage {
    ratings: Share,
    differences: Share,
    advantages: Share,
    /// The sum of half widths of ratings.
    width: f64,
    /// Ratings that are marked or have no error.
    marked: u64,
}

/// The designs that are checked: 2 to 16 bots, draws from none to four fifths, even and uneven, with openings of their own,
/// of a round and of a short book.
fn designs() -> Vec<Design> {
    let mut designs = Vec::new();
    for (bots, rounds) in [(2, 25), (2, 60), (3, 8), (4, 5), (6, 2), (8, 12), (10, 1), (16, 1)] {
        for draws in [0.0, 0.4, 0.8] {
            designs.push(Design::new(bots, rounds, draws));
        }
    }
    let mut more = |base: Design, name: &str, change: fn(&mut Design)| {
        let mut design = Design { name: format!("{}, {name}", base.name), ..base };
        change(&mut design);
        designs.push(design);
    };
    for draws in [0.0, 0.3, 0.8] {
        more(Design::new(5, 5, draws), "30 games of one seat", |design| design.unswapped = 30);
    }
    for draws in [0.0, 0.8] {
        more(Design::new(6, 6, draws), "uneven", |design| design.missing = 0.5);
        more(Design::new(12, 3, draws), "uneven", |design| design.missing = 0.7);
        more(Design::new(2, 25, draws), "seats by opening", |design| design.seat_swing = 150.0);
        more(Design::new(2, 25, draws), "skills by opening", |design| design.skill_swing = 150.0);
        more(Design::new(8, 12, draws), "skills by opening, a round shares", |design| {
            design.skill_swing = 100.0;
            design.seat_swing = 100.0;
            design.openings = Openings::PerRound;
        });
        more(Design::new(8, 12, draws), "skills by opening", |design| {
            design.skill_swing = 100.0;
            design.seat_swing = 100.0;
        });
        more(Design::new(4, 30, draws), "skills by opening, a book of 40", |design| {
            design.skill_swing = 100.0;
            design.openings = Openings::Book(40);
        });
        more(Design::new(3, 20, draws), "a book of 12", |design| {
            design.skill_swing = 100.0;
            design.openings = Openings::Book(12);
        });
    }
    designs
}

/// Up to this number of pairs, counted by bot and round, games without draws are few.
const FEW: u32 = 50;

/// How many games of each pairing and each order of seats stand for very many: ratings are exact to a twentieth of an Elo.
const MANY: u32 = 10_000;

/// What estimates come to with more and more games.
struct Truth {
    ratings: Vec<f64>,
    advantage: f64,
}

impl Truth {
    /// That of a design. Where openings matter it is the fit of the scores to be expected over openings, which are not
    /// those of the mean strength.
    fn of(design: &Design) -> Self {
        if design.seat_swing == 0.0 && design.skill_swing == 0.0 {
            return Self { ratings: design.truth(), advantage: ADVANTAGE };
        }
        let mut sample = Sample::default();
        for first in 0..design.bots {
            for second in (0..design.bots).filter(|second| *second != first) {
                let won = (design.expected_score(first, second) * f64::from(MANY)).round() as u32;
                for game in 0..MANY {
                    let score = if game < won { GameScore::Win } else { GameScore::Loss };
                    sample.add(&RatedGame::new(first, second, score));
                }
            }
        }
        let settings = FitSettings { errors: Errors::Hessian, ..FitSettings::default() };
        let table = sample.fit(design.bots, 1, &settings);
        Self {
            ratings: table.ratings.iter().map(|rating| rating.elo.expect("all have met often")).collect(),
            advantage: table.advantages[0].elo.expect("seats are swapped"),
        }
    }
}

/// Where coverage ought to lie. Small-sample corrections are wider than need be where few games without draws have nearly
/// no spread.
fn band(design: &Design) -> Band {
    let is_conservative = design.draws == 0.0 && design.bots as u32 * design.rounds <= FEW;
    Band { low: 0.93, high: if is_conservative { 0.985 } else { 0.97 } }
}

/// Prints the table.
pub(super) fn measure(table: &mut Table<'_>, tournaments: u64) {
    table.head("95 % intervals that hold the truth", &["rating", "differ", "seat", "width", "marked"]);
    for design in designs() {
        if !table.is_asked(&design.name) {
            continue;
        }
        let truth = Truth::of(&design);
        let coverage: Coverage = parallel::sum(tournaments, |seed| play(&design, &truth, seed));
        let shares =
            [coverage.ratings, coverage.differences, coverage.advantages].map(|share| (share, band(&design)));
        let marked = coverage.marked as f64;
        let figures =
            [coverage.width / coverage.ratings.all(), 100.0 * marked / (marked + coverage.ratings.all())];
        table.row(&design.name, &shares, &figures.map(|figure| format!("{figure:7.1} ")));
    }
}

fn play(design: &Design, truth: &Truth, seed: u64) -> Coverage {
    let games = design.play(&mut ChaCha8Rng::seed_from_u64(seed));
    let table = fit(design.bots, 1, &games, &FitSettings::default());
    let holds = |elo: Option<f64>, error95: Option<f64>, truth: f64| Some((elo? - truth).abs() <= error95?);
    let mut coverage = Coverage::default();
    let ratings = table.ratings.iter().zip(&truth.ratings).filter_map(|(rating, truth)| {
        let held = holds(rating.elo, rating.error95, *truth).filter(|_| !rating.is_regularized);
        match held {
            Some(_) => coverage.width += rating.error95.unwrap_or_default(),
            None => coverage.marked += 1,
        }
        held
    });
    coverage.ratings = Share::of(ratings.collect::<Vec<_>>());
    coverage.differences = Share::of((1..design.bots).filter_map(|i| {
        let difference = table.difference(i - 1, i).filter(|_| !table.is_held_by_prior(i - 1, i))?;
        holds(Some(difference.elo), difference.error95, truth.ratings[i - 1] - truth.ratings[i])
    }));
    let advantage = Some(&table.advantages[0]).filter(|advantage| !advantage.is_regularized);
    coverage.advantages = Share::of(advantage.and_then(|it| holds(it.elo, it.error95, truth.advantage)));
    coverage
}

impl AddAssign for Coverage {
    fn add_assign(&mut self, other: Self) {
        self.ratings += other.ratings;
        self.differences += other.differences;
        self.advantages += other.advantages;
        self.width += other.width;
        self.marked += other.marked;
    }
}
