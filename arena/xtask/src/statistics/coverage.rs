//! How often 95 % intervals hold the truth.

use std::thread;

use rand::{SeedableRng as _, rngs::ChaCha8Rng};
use stats::{Errors, Game, Sample, Settings, fit};

use super::lots::{ADVANTAGE, Design, Openings};

/// What came of the tournaments of a design.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coverage {
    pub(super) ratings: Share,
    pub(super) advantages: Share,
    pub(super) differences: Share,
    /// The sum of half widths of ratings.
    width: f64,
    /// Ratings that are marked or have no error.
    marked: u64,
}

/// How many of all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Share {
    held: u64,
    all: u64,
}

impl Share {
    fn count(&mut self, is_held: bool) {
        self.held += u64::from(is_held);
        self.all += 1;
    }

    fn add(&mut self, other: Self) {
        self.held += other.held;
        self.all += other.all;
    }

    pub(super) fn value(self) -> f64 {
        self.held as f64 / self.all as f64
    }
}

/// The designs that are checked: 2 to 16 bots, draws from none to four fifths, even and uneven, with openings of their own,
/// of a round and of a short book.
pub(super) fn designs() -> Vec<Design> {
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

/// What estimates come to with more and more games.
struct Truth {
    ratings: Vec<f64>,
    advantage: f64,
}

impl Truth {
    /// That of a design: where openings matter it is found by playing very many of them, since the mean of the expected
    /// scores over openings is not the score of the mean strength.
    fn of(design: &Design) -> Self {
        if design.seat_swing == 0.0 && design.skill_swing == 0.0 {
            return Self { ratings: design.truth(), advantage: ADVANTAGE };
        }
        let many = Design {
            rounds: 400_000 / design.bots as u32,
            openings: Openings::PerRound,
            missing: 0.0,
            ..design.clone()
        };
        let mut sample = Sample::default();
        many.each_pair(&mut ChaCha8Rng::seed_from_u64(u64::MAX), |games| {
            for game in games {
                sample.add(&Game { pair: None, opening: None, ..*game });
            }
        });
        let settings = Settings { errors: Errors::Hessian, ..Settings::default() };
        let table = sample.fit(design.bots, 1, &settings);
        Self {
            ratings: table.ratings.iter().map(|rating| rating.elo.expect("all have met often")).collect(),
            advantage: table.advantages[0].elo.expect("seats are swapped"),
        }
    }
}

/// Plays tournaments on all cores; the same seed gives the same figures whatever their number.
pub(super) fn measure(design: &Design, tournaments: u64) -> Coverage {
    let truth = &Truth::of(design);
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    thread::scope(|scope| {
        let parts: Vec<_> = (0..cores)
            .map(|core| scope.spawn(move || play(design, truth, (core..tournaments).step_by(cores as usize))))
            .collect();
        let mut whole = Coverage::default();
        for part in parts {
            whole.add(&part.join().expect("a simulation does not panic"));
        }
        whole
    })
}

fn play(design: &Design, truth: &Truth, seeds: impl Iterator<Item = u64>) -> Coverage {
    let mut coverage = Coverage::default();
    for seed in seeds {
        let games = design.play(&mut ChaCha8Rng::seed_from_u64(seed));
        let table = fit(design.bots, 1, &games, &Settings::default());
        let holds =
            |elo: Option<f64>, error95: Option<f64>, truth: f64| Some((elo? - truth).abs() <= error95?);
        for (rating, truth) in table.ratings.iter().zip(&truth.ratings) {
            match holds(rating.elo, rating.error95, *truth) {
                Some(is_held) if !rating.is_regularized => {
                    coverage.ratings.count(is_held);
                    coverage.width += rating.error95.unwrap_or_default();
                }
                _ => coverage.marked += 1,
            }
        }
        let advantage = &table.advantages[0];
        if let Some(is_held) = holds(advantage.elo, advantage.error95, truth.advantage)
            && !advantage.is_regularized
        {
            coverage.advantages.count(is_held);
        }
        for i in 1..design.bots {
            let difference = table.difference(i - 1, i).filter(|_| !table.is_held_by_prior(i - 1, i));
            if let Some(difference) = difference
                && let Some(is_held) =
                    holds(Some(difference.elo), difference.error95, truth.ratings[i - 1] - truth.ratings[i])
            {
                coverage.differences.count(is_held);
            }
        }
    }
    coverage
}

impl Coverage {
    fn add(&mut self, other: &Self) {
        self.ratings.add(other.ratings);
        self.advantages.add(other.advantages);
        self.differences.add(other.differences);
        self.width += other.width;
        self.marked += other.marked;
    }

    /// Writes a row of the table.
    pub(super) fn row(&self, design: &Design) -> String {
        let percent = |share: Share| format!("{:6.1}", 100.0 * share.value());
        format!(
            "{:<62} {} {} {} {:8.1} {:6.1}",
            design.name,
            percent(self.ratings),
            percent(self.differences),
            percent(self.advantages),
            self.width / self.ratings.all as f64,
            100.0 * self.marked as f64 / (self.marked + self.ratings.all) as f64,
        )
    }
}
