//! Tables of more seats change nothing for two: every figure of the test data is what it was before they came, to ten digits.
//! `ARENA_EXACT=FILE` writes all digits to a file, to compare two builds on one machine.

use std::fmt::Write as _;

use stats::sprt::{Figures, Hypotheses, Model, log_likelihood_ratio};
use stats::{
    Anchor, Counts, Errors, FitSettings, GameScore, Parameter, Prior, RatedGame, RatingTable, Sample,
};

const TOURNAMENTS: [(&str, &str); 4] = [
    ("t1", include_str!("data/t1_rr6_unbalanced.tsv")),
    ("t2", include_str!("data/t2_perfect.tsv")),
    ("t3", include_str!("data/t3_disconnected.tsv")),
    ("t5", include_str!("data/t5_drawish_pairs.tsv")),
];

const FIGURES: &str = include_str!("data/two_seats.txt");

/// The games of a tournament; with `openings` every five rounds share one, and rounds take turns with two games.
fn games(text: &str, openings: bool) -> (usize, Vec<RatedGame>) {
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let mut names: Vec<&str> = rows.iter().flat_map(|row| [row[1], row[2]]).collect();
    names.sort_unstable();
    names.dedup();
    let number = |name: &str| names.iter().position(|known| *known == name).expect("a player");
    let game = |row: &Vec<&str>| {
        let score = match row[3] {
            "0" => GameScore::Loss,
            "0.5" => GameScore::Draw,
            _ => GameScore::Win,
        };
        let (round, leg) = row[0].split_once('.').unwrap_or((row[0], ""));
        let round: u64 = round.parse().expect("a round");
        let mut game = RatedGame::new(number(row[1]), number(row[2]), score);
        game.pair = (!leg.is_empty()).then_some(round);
        game.opening = openings.then_some(round / 5);
        game.group = if openings { (round % 2) as usize } else { 0 };
        game
    };
    (names.len(), rows.iter().map(game).collect())
}

struct Writer {
    text: String,
    is_exact: bool,
}

impl Writer {
    fn add(&mut self, name: &str, figures: impl IntoIterator<Item = Option<f64>>) {
        self.text.push_str(name);
        for figure in figures {
            let _ = match figure {
                Some(figure) if self.is_exact => write!(self.text, " {figure:?}"),
                Some(figure) if figure.abs() < 1e-7 => write!(self.text, " 0"),
                Some(figure) => write!(self.text, " {figure:.9e}"),
                None => write!(self.text, " -"),
            };
        }
        self.text.push('\n');
    }

    fn table(&mut self, name: &str, table: &RatingTable) {
        let all: Vec<usize> = (0..table.ratings.len()).collect();
        let _ = writeln!(self.text, "{name}: {:?} {:?} {:?}", table.method, table.errors, table.main);
        self.add("log-likelihood", [Some(table.log_likelihood)]);
        for (i, rating) in table.ratings.iter().enumerate() {
            let bound = rating.bound.map(stats::RatingBound::elo);
            let games = [rating.games, rating.wins, rating.draws, rating.losses].map(|n| Some(n as f64));
            self.add("rating", [rating.elo, rating.error95, bound, rating.score()].into_iter().chain(games));
            self.add("LOS", all.iter().map(|&j| table.los(i, j)));
            if !self.is_exact {
                continue;
            }
            self.add("differences", all.iter().map(|&j| table.difference(i, j).map(|it| it.elo)));
            self.add("their errors", all.iter().map(|&j| table.difference_error(i, j)));
            self.add("expected", all.iter().map(|&j| table.expected_score(i, j, 0)));
            let covariance = |&j: &usize| table.covariance(Parameter::Rating(i), Parameter::Rating(j));
            self.add("covariances", all.iter().map(covariance));
        }
        for it in &table.advantages {
            self.add("advantage", [it.elo, it.error95, it.first_score, it.draw_rate, it.pair_variance_ratio]);
            self.add(
                "with the first rating",
                [table.covariance(Parameter::Rating(0), Parameter::Advantage(0))],
            );
        }
        for pair in table.neighbours() {
            self.add("neighbours", [pair.los, pair.los_holm]);
        }
    }
}

fn figures(is_exact: bool) -> String {
    let mut out = Writer { text: String::new(), is_exact };
    let settings = FitSettings::default();
    let all = [
        ("usual", settings),
        ("separate", FitSettings { prior: Prior::None, ..settings }),
        ("ridge", FitSettings { prior: Prior::Ridge { sigma: 150.0 }, ..settings }),
        ("anchored", FitSettings { anchor: Some(Anchor { player: 1, elo: 2000.0 }), ..settings }),
        ("no advantage", FitSettings { advantage: false, ..settings }),
        ("by pairs", FitSettings { errors: Errors::PerPair, ..settings }),
        ("by games", FitSettings { errors: Errors::PerGame, ..settings }),
        ("of the model", FitSettings { errors: Errors::Hessian, ..settings }),
        ("bootstrap", FitSettings { errors: Errors::Bootstrap { fits: 20, seed: 3 }, ..settings }),
    ];
    for (name, text) in TOURNAMENTS {
        for openings in [false, true] {
            let (players, games) = games(text, openings);
            let sample = Sample::from_games(&games);
            for (how, settings) in &all {
                out.table(&format!("{name} {how} {openings}"), &sample.fit(players, 2, settings));
            }
            let davidson = sample.davidson(players, 2).expect("few players");
            out.add(
                "Davidson",
                [davidson.nu(0), davidson.draw_rate_at_equality(0), davidson.log_likelihood()],
            );
            if let Some(it) = sample.transitivity(players, 2) {
                out.add(
                    "transitivity",
                    [Some(it.chi_squared), Some(it.p_value), Some(it.scale), it.cyclic_share],
                );
                for curl in it.curls {
                    out.add("curl", [Some(curl.elo), Some(curl.z), Some(curl.p_value)]);
                }
            }
        }
        let (players, games) = games(text, false);
        out.add("ladder", stats::elo_ladder(players, games.iter().copied()).into_iter().map(Some));
        let glicko = stats::glicko2_ladder(players, games.chunks(6));
        out.add("Glicko-2", glicko.iter().flat_map(|it| [Some(it.rating), Some(it.deviation)]));
    }
    for counts in [[10, 20, 30, 25, 12], [0, 3, 41, 9, 0], [0, 0, 0, 7, 0], [1, 0, 90, 0, 3]] {
        for model in [Model::Normalized, Model::Logistic] {
            let hypotheses = Hypotheses::new(-2.0, 7.5, 0.05, 0.05, model).expect("a test");
            let counts = Counts::of_pairs(counts);
            let it = Figures::of(&counts, &hypotheses).expect("results");
            out.add("test", [Some(log_likelihood_ratio(&counts, &hypotheses)), Some(it.llr), Some(it.score)]);
            out.add("Elo", [Some(it.elo), Some(it.elo_error), it.nelo, it.nelo_error, Some(it.los)]);
            let unbiased = it.unbiased;
            out.add("unbiased", [unbiased.elo, unbiased.low, unbiased.high].map(Some));
        }
    }
    out.text
}

#[test]
fn every_figure_of_two_seats_is_what_it_was() {
    if let Some(file) = std::env::var_os("ARENA_EXACT") {
        std::fs::write(file, figures(true)).expect("a file");
    }
    let found = figures(false);
    if let Some(file) = std::env::var_os("ARENA_SHORT") {
        std::fs::write(file, &found).expect("a file");
    }
    for (number, (found, expected)) in (1..).zip(found.lines().zip(FIGURES.lines())) {
        assert_eq!(found, expected, "line {number} of data/two_seats.txt");
    }
    assert_eq!(found.len(), FIGURES.len());
}
