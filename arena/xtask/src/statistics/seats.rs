//! How often 95 % intervals hold the truth at tables of more than two seats, and how often the sequential test errs there.
//!
//! Games are drawn from the model of Plackett and Luce: the first place goes to a seat with odds of ten to one for 400 Elo, then the
//! second among those that are left, and so on. Ties leave every expected score between two bots as it is: of neighbours in the order
//! some may share their place, with the least of the chances of all their orders at most.

use std::ops::AddAssign;

use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use stats::sprt::{BlockLaw, Draws, Hypotheses, Model, Players, Simulator, SprtVerdict, Walk};
use stats::{Errors, FitSettings, GameScore, RatedGame, RatingTable, Sample, TableResult};

use super::lots::normal;
use super::share::{Band, Share};
use super::{Table, parallel};

/// A kind of tournament at tables.
#[derive(Clone, Debug)]
struct Design {
    name: String,
    seats: usize,
    bots: usize,
    /// How many blocks are played: every bot of a block sits in each of its seats once.
    blocks: usize,
    /// The share of the possible ties.
    ties: f64,
    /// Whether the first bots meet far more often than the last.
    is_uneven: bool,
    /// The share of games that do not count: their blocks are not whole.
    lost: f64,
    /// How many openings there are; by default each block has its own.
    openings: Option<usize>,
    /// How much an opening favours one bot, or one seat, over another: the standard deviation in Elo.
    swing: f64,
}

/// How far the best bot is above the worst, in Elo.
const RANGE: f64 = 300.0;

/// How far the first seat is above the last, in Elo.
const FIRST_SEAT: f64 = 80.0;

/// Where coverage ought to lie.
const BAND: Band = Band { low: 0.93, high: 0.97 };

/// How far estimates may lie outside the truth in the mean, as a share of half the width of an interval: maximum likelihood with
/// finite numbers of games makes the best a little better and the worst a little worse.
const MOST_BIAS: f64 = 0.1;

/// How many blocks stand for very many, where openings matter.
const MANY: usize = 40_000;

/// What came of the tournaments of a design.
#[derive(Clone, Copy, Debug, Default)]
struct Coverage {
    ratings: Share,
    differences: Share,
    seats: Share,
    /// The sum of half widths of ratings.
    width: f64,
    /// The sum of errors away from the mean, and of their squares over tournaments.
    bias: [f64; 2],
    tournaments: f64,
    /// Figures that are marked or have no error.
    marked: f64,
}

fn designs() -> Vec<Design> {
    let mut designs = Vec::new();
    for (seats, bots, blocks) in
        [(3, 4, 24), (3, 6, 60), (3, 10, 100), (3, 16, 160), (4, 4, 20), (4, 8, 60), (4, 16, 120)]
    {
        for ties in [0.0, 0.6] {
            designs.push(Design::new(seats, bots, blocks, ties));
        }
    }
    let mut more = |base: Design, name: &str, change: fn(&mut Design)| {
        let mut design = Design { name: format!("{}, {name}", base.name), ..base };
        change(&mut design);
        designs.push(design);
    };
    for seats in [3, 4] {
        more(Design::new(seats, 8, 120, 0.3), "uneven", |design| design.is_uneven = true);
        more(Design::new(seats, 12, 160, 0.3), "uneven, a fifth of the games lost", |design| {
            (design.is_uneven, design.lost) = (true, 0.2);
        });
        more(Design::new(seats, 6, 120, 0.3), "skills by opening", |design| design.swing = 120.0);
        more(Design::new(seats, 6, 160, 0.3), "skills by opening, a book of 40", |design| {
            (design.swing, design.openings) = (120.0, Some(40));
        });
    }
    designs
}

impl Design {
    fn new(seats: usize, bots: usize, blocks: usize, ties: f64) -> Self {
        let name = format!("tables of {seats}, {bots} bots, {blocks} blocks, ties {:.0} %", 100.0 * ties);
        Self { name, seats, bots, blocks, ties, is_uneven: false, lost: 0.0, openings: None, swing: 0.0 }
    }

    /// The strength of every bot, in Elo from their mean.
    fn truth(&self) -> Vec<f64> {
        let last = (self.bots - 1) as f64;
        (0..self.bots).map(|bot| RANGE * (0.5 - bot as f64 / last)).collect()
    }

    /// The advantage of every seat, in Elo from their mean.
    fn advantages(&self) -> Vec<f64> {
        let last = (self.seats - 1) as f64;
        (0..self.seats).map(|seat| FIRST_SEAT * (0.5 - seat as f64 / last)).collect()
    }

    /// Plays a tournament of so many blocks.
    fn play(&self, blocks: usize, random: &mut ChaCha8Rng) -> Sample {
        let (truth, advantages) = (self.truth(), self.advantages());
        let mut openings: Vec<Option<(Vec<f64>, Vec<f64>)>> = vec![None; self.openings.unwrap_or(0)];
        let mut waiting: Vec<usize> = Vec::new();
        let mut sample = Sample::default();
        for block in 0..blocks {
            let bots = self.seated(&mut waiting, random);
            let mut drawn = || {
                let mut draw = |count| (0..count).map(|_| self.swing * normal(random)).collect::<Vec<f64>>();
                (draw(self.bots), draw(self.seats))
            };
            let number = openings.len().checked_sub(1).map(|last| block * 7 % (last + 1));
            let (skills, turns) = match number {
                Some(number) => openings[number].get_or_insert_with(drawn).clone(),
                None => drawn(),
            };
            let mut games = Vec::new();
            for first in 0..self.seats {
                let seating: Vec<usize> =
                    (0..self.seats).map(|seat| bots[(first + seat) % self.seats]).collect();
                let elo: Vec<f64> = (0..self.seats)
                    .map(|seat| truth[seating[seat]] + skills[seating[seat]] + advantages[seat] + turns[seat])
                    .collect();
                let places = places(&elo, self.ties, random);
                let result = TableResult::new(seating.into_iter().zip(places)).expect("3 to 8 seats");
                let opening = Some(number.unwrap_or(block) as u64);
                let game = RatedGame { result, opening, ..RatedGame::new(0, 1, GameScore::Draw) };
                if random.random::<f64>() >= self.lost {
                    games.push(game);
                }
            }
            sample.add_block(&games);
        }
        sample
    }

    /// The bots of the next block: all in turn in an order drawn by lot, or the first far more often than the last.
    fn seated(&self, waiting: &mut Vec<usize>, random: &mut ChaCha8Rng) -> Vec<usize> {
        let mut bots: Vec<usize> = Vec::new();
        while bots.len() < self.seats {
            if waiting.is_empty() {
                waiting.extend(0..self.bots);
                waiting.shuffle(random);
            }
            let bot = if self.is_uneven {
                let lot: f64 = random.random();
                (lot * lot * self.bots as f64) as usize
            } else {
                waiting.pop().expect("bots wait")
            };
            if !bots.contains(&bot) {
                bots.push(bot);
            }
        }
        bots
    }
}

/// Draws the places of seats of these strengths; of neighbours a share of `ties` of those that may are tied.
fn places(elo: &[f64], ties: f64, random: &mut ChaCha8Rng) -> Vec<u8> {
    let weights: Vec<f64> = elo.iter().map(|elo| 10f64.powf(elo / 400.0)).collect();
    let mut order: Vec<usize> = Vec::new();
    let mut left: Vec<usize> = (0..elo.len()).collect();
    while !left.is_empty() {
        let mut lot = random.random::<f64>() * left.iter().map(|&seat| weights[seat]).sum::<f64>();
        let next = left.iter().position(|&seat| {
            lot -= weights[seat];
            lot < 0.0
        });
        order.push(left.remove(next.unwrap_or(left.len() - 1)));
    }
    let mut places = vec![0; elo.len()];
    for (place, &seat) in (1..).zip(&order) {
        places[seat] = place;
    }
    // Two neighbours, or three.
    let count = if elo.len() > 2 && random.random::<f64>() < 0.3 { 3 } else { 2 };
    let from = random.random_range(0..=elo.len() - count);
    let tied = &order[from..from + count];
    let behind: f64 = order[from + count..].iter().map(|&seat| weights[seat]).sum();
    let own = chance(tied, &weights, behind);
    let least = orders(tied).iter().map(|order| chance(order, &weights, behind)).fold(own, f64::min);
    if random.random::<f64>() < ties * least / own {
        tied.iter().for_each(|&seat| places[seat] = from as u8 + 1);
    }
    places
}

/// The chance that seats follow each other in this order, before others of a weight `behind`, over the product of their weights.
fn chance(order: &[usize], weights: &[f64], behind: f64) -> f64 {
    let left = |from: usize| behind + order[from..].iter().map(|&seat| weights[seat]).sum::<f64>();
    (0..order.len()).map(left).product::<f64>().recip()
}

/// Every order of two or three seats.
fn orders(seats: &[usize]) -> Vec<Vec<usize>> {
    match *seats {
        [a, b] => vec![vec![a, b], vec![b, a]],
        [a, b, c] => {
            [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]].map(Vec::from).to_vec()
        }
        _ => Vec::new(),
    }
}

/// What estimates come to with more and more games.
struct Truth {
    ratings: Vec<f64>,
    seats: Vec<f64>,
}

impl Truth {
    fn of(design: &Design) -> Self {
        if design.swing == 0.0 {
            return Self { ratings: design.truth(), seats: design.advantages() };
        }
        let many = Design { openings: None, lost: 0.0, ..design.clone() };
        let settings = FitSettings { errors: Errors::Hessian, ..FitSettings::default() };
        let table = many.play(MANY, &mut ChaCha8Rng::seed_from_u64(u64::MAX)).fit(design.bots, 1, &settings);
        Self {
            ratings: table.ratings.iter().map(|rating| rating.elo.expect("all have met often")).collect(),
            seats: table.advantages[0].seats.iter().map(|seat| seat.elo.expect("seats change")).collect(),
        }
    }
}

/// Prints the table of coverage.
pub(super) fn measure(table: &mut Table<'_>, tournaments: u64) {
    let columns = ["rating", "differ", "seat", "bias", "width", "marked"];
    table.head("95 % intervals that hold the truth, tables of more than two", &columns);
    for design in designs() {
        if !table.is_asked(&design.name) {
            continue;
        }
        let truth = Truth::of(&design);
        let coverage: Coverage = parallel::sum(tournaments, |seed| {
            let games = design.play(design.blocks, &mut ChaCha8Rng::seed_from_u64(seed));
            Coverage::of(&games.fit(design.bots, 1, &FitSettings::default()), &truth)
        });
        let shares = [coverage.ratings, coverage.differences, coverage.seats].map(|share| (share, BAND));
        let n = coverage.tournaments;
        let width = coverage.width / coverage.ratings.all();
        let bias = coverage.bias[0] / n;
        let error = ((coverage.bias[1] / n - bias * bias).max(0.0) / n).sqrt();
        let is_biased = bias.abs() > MOST_BIAS * width + 3.5 * error;
        let mark = if is_biased { '!' } else { ' ' };
        let all = coverage.marked + coverage.ratings.all();
        let figures = [
            format!("{bias:7.1}{mark}"),
            format!("{width:7.1} "),
            format!("{:7.1} ", 100.0 * coverage.marked / all),
        ];
        table.row(&design.name, &shares, &figures);
        table.note(is_biased, &design.name);
    }
}

impl Coverage {
    fn of(table: &RatingTable, truth: &Truth) -> Self {
        let holds =
            |elo: Option<f64>, error95: Option<f64>, truth: f64| Some((elo? - truth).abs() <= error95?);
        let mut coverage = Self { tournaments: 1.0, ..Self::default() };
        let (mut away, mut rated) = (0.0, 0.0);
        let mut ratings = Vec::new();
        for (rating, truth) in table.ratings.iter().zip(&truth.ratings) {
            match holds(rating.elo, rating.error95, *truth).filter(|_| !rating.is_regularized) {
                Some(held) => {
                    ratings.push(held);
                    coverage.width += rating.error95.unwrap_or_default();
                    away += (rating.elo.unwrap_or_default() - truth) * truth.signum();
                    rated += 1.0;
                }
                None => coverage.marked += 1.0,
            }
        }
        let bias: f64 = away / f64::max(rated, 1.0);
        coverage.bias = [bias, bias * bias];
        coverage.ratings = Share::of(ratings);
        coverage.differences = Share::of((1..table.ratings.len()).filter_map(|i| {
            let difference = table.difference(i - 1, i).filter(|_| !table.is_held_by_prior(i - 1, i))?;
            holds(Some(difference.elo), difference.error95, truth.ratings[i - 1] - truth.ratings[i])
        }));
        let group = Some(&table.advantages[0]).filter(|group| !group.is_regularized);
        let seats = group.into_iter().flat_map(|group| group.seats.iter().zip(&truth.seats));
        coverage.seats = Share::of(seats.filter_map(|(seat, truth)| holds(seat.elo, seat.error95, *truth)));
        coverage
    }
}

impl AddAssign for Coverage {
    fn add_assign(&mut self, other: Self) {
        self.ratings += other.ratings;
        self.differences += other.differences;
        self.seats += other.seats;
        self.width += other.width;
        self.bias = [self.bias[0] + other.bias[0], self.bias[1] + other.bias[1]];
        self.tournaments += other.tournaments;
        self.marked += other.marked;
    }
}

/// How many tests passed and failed, and the blocks that they took.
#[derive(Clone, Copy, Debug, Default)]
struct Tests {
    passed: Share,
    failed: Share,
    blocks: f64,
}

impl AddAssign for Tests {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.blocks += other.blocks;
    }
}

/// How often sequential tests may err: a risk of 5 %, which the jump beyond the bounds makes smaller.
const RISK: Band = Band { low: 0.0, high: 0.05 };

/// What a test may do otherwise.
const ANY: Band = Band { low: 0.0, high: 1.0 };

/// Prints how often sequential tests err at tables, under either hypothesis: the new version once in every seat of a block.
pub(super) fn sequential_tests(table: &mut Table<'_>, tests: u64) {
    table.head("sequential tests at tables: wrong verdicts in %, blocks", &["wrong", "right", "blocks"]);
    for seats in [3, 4] {
        for (model, elo0, elo1) in [(Model::Normalized, 0.0, 40.0), (Model::Logistic, 0.0, 60.0)] {
            for (draws, first_seat) in [(0.0, 0.0), (0.5, 80.0)] {
                let hypotheses = Hypotheses::new(elo0, elo1, 0.05, 0.05, model).expect("a test");
                for (elo, wrong) in [(elo0, SprtVerdict::H1), (elo1, SprtVerdict::H0)] {
                    let name = format!(
                        "tables of {seats}, {model} [{elo0}, {elo1}], ties {:.0} %, first seat {first_seat}, at {elo} Elo",
                        100.0 * draws
                    );
                    if !table.is_asked(&name) {
                        continue;
                    }
                    let players = Players { draws: Draws::Rate(draws), first_seat };
                    let law = BlockLaw::at_tables(&players, seats, model, elo).expect("such players");
                    let simulator = Simulator::new(Walk::at_tables(hypotheses, seats), law);
                    let done: Tests = parallel::sum(tests, |seed| {
                        let mut random = ChaCha8Rng::seed_from_u64(seed);
                        let run = simulator.run(|| random.random());
                        let is_wrong = run.decision == wrong;
                        Tests {
                            passed: Share::of([!is_wrong]),
                            failed: Share::of([is_wrong]),
                            blocks: run.pairs as f64,
                        }
                    });
                    let mean = format!("{:7.0} ", done.blocks / tests as f64);
                    table.row(&name, &[(done.failed, RISK), (done.passed, ANY)], &[mean]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of every two seats the stronger one scores what the difference says, with ties and whoever else plays.
    #[test]
    fn ties_leave_expected_scores_as_they_are() {
        let elo = [120.0, 0.0, -80.0, 30.0];
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let (games, mut ties, mut sums) = (40_000, 0, [[0.0; 4]; 4]);
        for _ in 0..games {
            let places = places(&elo, 0.9, &mut random);
            let mut sorted = places.clone();
            sorted.sort_unstable();
            sorted.dedup();
            ties += usize::from(sorted.len() < 4);
            for one in 0..4 {
                for two in 0..4 {
                    sums[one][two] += match places[one].cmp(&places[two]) {
                        std::cmp::Ordering::Less => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Greater => 0.0,
                    };
                }
            }
        }
        assert!(ties > games / 4, "{ties}");
        for one in 0..4 {
            for two in 0..one {
                let expected = 1.0 / (1.0 + 10f64.powf((elo[two] - elo[one]) / 400.0));
                let found = sums[one][two] / f64::from(games as u32);
                assert!((found - expected).abs() < 0.01, "{one} {two}: {found}, not {expected}");
            }
        }
    }
}
