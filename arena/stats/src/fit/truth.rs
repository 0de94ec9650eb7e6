//! Compares the fits with values of independent programs: see `tests/data/README.md`.

use crate::fit::davidson;
use crate::fit::model::UNITS_PER_ELO;
use crate::fit::solver::{Problem, Solution};
use crate::numeric::matrix::Matrix;
use crate::tally::Tally;
use crate::tally::components::Components;
use crate::{
    Anchor, ErrorKind, Errors, FitSettings, GameScore, Parameter, Prior, RatedGame, RatingTable, fit,
};

const RATINGS: &str = include_str!("../../tests/data/mle_ratings.tsv");
const PARAMS: &str = include_str!("../../tests/data/mle_params.tsv");
const PAIRS: &str = include_str!("../../tests/data/mle_pairs_los.tsv");

/// A tournament of the test data.
struct Tournament {
    names: Vec<&'static str>,
    games: Vec<RatedGame>,
}

impl Tournament {
    /// Reads the games, without those of the players `left_out`.
    fn read(file: &str, left_out: &[&str]) -> Self {
        let text = match file {
            "t1_rr6_unbalanced" => include_str!("../../tests/data/t1_rr6_unbalanced.tsv"),
            "t2_perfect" => include_str!("../../tests/data/t2_perfect.tsv"),
            "t3_disconnected" => include_str!("../../tests/data/t3_disconnected.tsv"),
            "t5_drawish_pairs" => include_str!("../../tests/data/t5_drawish_pairs.tsv"),
            unknown => unreachable!("no tournament {unknown}"),
        };
        let rows = || rows(text).filter(|row| !row[1..3].iter().any(|name| left_out.contains(name)));
        let mut names: Vec<&str> = rows().flat_map(|row| [row[1], row[2]]).collect();
        names.sort_unstable();
        names.dedup();
        let seat = |name| names.iter().position(|known| *known == name).unwrap();
        let games = rows()
            .map(|row| RatedGame {
                pair: row[0].split_once('.').map(|(pair, _)| pair.parse().unwrap()),
                ..RatedGame::new(
                    seat(row[1]),
                    seat(row[2]),
                    match row[3] {
                        "0" => GameScore::Loss,
                        "0.5" => GameScore::Draw,
                        _ => GameScore::Win,
                    },
                )
            })
            .collect();
        Self { names, games }
    }

    fn seat(&self, name: &str) -> usize {
        self.names.iter().position(|known| *known == name).unwrap()
    }

    fn table(&self, prior: Prior, advantage: bool, errors: Errors) -> RatingTable {
        let settings = FitSettings { prior, advantage, errors, anchor: None };
        fit(self.names.len(), 1, &self.games, &settings)
    }
}

fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).map(|line| line.split('\t').collect())
}

/// Checks that a figure agrees with the 8 digits of the file.
fn assert_close(what: &[&str], found: Option<f64>, expected: &str) {
    let expected: f64 = expected.parse().unwrap();
    let found = found.unwrap_or(f64::NAN);
    let tolerance = (6e-8 * expected.abs()).max(1e-9);
    assert!((found - expected).abs() <= tolerance, "{what:?}: {found} instead of {expected}");
}

/// Checks ratings and their three errors.
fn check_ratings(file: &str, model: &str, prior: Prior, advantage: bool) {
    let tournament = Tournament::read(file, &[]);
    let [hessian, games, pairs] = [Errors::Hessian, Errors::PerGame, Errors::PerPair]
        .map(|errors| tournament.table(prior, advantage, errors));
    let mut checked = 0;
    for row in rows(RATINGS).filter(|row| row[0] == file && row[1] == model) {
        let player = tournament.seat(row[2]);
        assert_close(&row, hessian.ratings[player].elo, row[3]);
        for (table, expected) in [(&hessian, row[4]), (&games, row[5]), (&pairs, row[6])] {
            if !expected.is_empty() {
                assert_close(&row, table.standard_error(Parameter::Rating(player)), expected);
            }
        }
        checked += 1;
    }
    assert!(checked > 3, "{checked} rows of {file} {model}");
    for row in rows(PARAMS).filter(|row| row[0] == file && row[1] == model) {
        match row[2] {
            "H" => {
                assert_close(&row, hessian.advantages[0].elo, row[3]);
                assert_close(&row, hessian.standard_error(Parameter::Advantage(0)), row[4]);
            }
            "loglik" | "penalised_loglik" => assert_close(&row, Some(hessian.log_likelihood), row[3]),
            _ => {}
        }
    }
}

/// Checks differences, their errors and the likelihoods of superiority.
fn check_pairs(file: &str, prior: Prior) {
    let tournament = Tournament::read(file, &[]);
    let (hessian, games) =
        (tournament.table(prior, true, Errors::Hessian), tournament.table(prior, true, Errors::PerGame));
    let mut checked = 0;
    for row in rows(PAIRS).filter(|row| row[0] == file && row[1] == "LH") {
        let table = if row[2] == "model" { &hessian } else { &games };
        let (i, j) = (tournament.seat(row[3]), tournament.seat(row[4]));
        assert_close(&row, table.difference(i, j).map(|difference| difference.elo), row[5]);
        assert_close(&row, table.difference_error(i, j), row[6]);
        assert_close(&row, table.los(i, j), row[7]);
        checked += 1;
    }
    assert!(checked > 9, "{checked} rows of {file}");
}

#[test]
fn unbalanced_tournament() {
    check_ratings("t1_rr6_unbalanced", "LH", Prior::Auto, true);
    check_ratings("t1_rr6_unbalanced", "LH_noH", Prior::Auto, false);
    check_pairs("t1_rr6_unbalanced", Prior::Auto);
}

#[test]
fn perfect_scores_are_left_out_without_a_prior() {
    check_ratings("t2_perfect", "LH", Prior::None, true);
    check_ratings("t2_perfect", "LH_noH", Prior::None, false);
    check_pairs("t2_perfect", Prior::None);
}

#[test]
fn disconnected_halves_get_the_ridge() {
    check_ratings("t3_disconnected", "LH+N(0,200)", Prior::Ridge { sigma: 200.0 }, true);
}

#[test]
fn drawish_pairs() {
    check_ratings("t5_drawish_pairs", "LH", Prior::Auto, true);
    check_ratings("t5_drawish_pairs", "LH_noH", Prior::Auto, false);
    check_pairs("t5_drawish_pairs", Prior::Auto);
}

#[test]
fn clusters_are_the_rule_and_the_model_where_a_prior_holds_every_figure() {
    let kind = |file, prior| Tournament::read(file, &[]).table(prior, true, Errors::Auto).errors;
    assert_eq!(kind("t1_rr6_unbalanced", Prior::Auto), ErrorKind::Clusters);
    assert_eq!(kind("t2_perfect", Prior::None), ErrorKind::Clusters);
    assert_eq!(kind("t2_perfect", Prior::Auto), ErrorKind::Clusters);
    assert_eq!(kind("t2_perfect", Prior::Ridge { sigma: 200.0 }), ErrorKind::InverseHessian);
}

#[test]
fn an_anchor_moves_the_scale_and_takes_the_error() {
    let tournament = Tournament::read("t5_drawish_pairs", &[]);
    let centred = tournament.table(Prior::Auto, true, Errors::PerGame);
    let anchor = Some(Anchor { player: 1, elo: 2000.0 });
    let settings = FitSettings { anchor, errors: Errors::PerGame, ..FitSettings::default() };
    let anchored = fit(5, 1, &tournament.games, &settings);
    assert_eq!(anchored.ratings[1].elo, Some(2000.0));
    assert_eq!(anchored.ratings[1].error95, None);
    let difference = centred.difference(0, 1).unwrap();
    assert!((anchored.ratings[0].elo.unwrap() - 2000.0 - difference.elo).abs() < 1e-9);
    assert!((anchored.ratings[0].error95.unwrap() - difference.error95.unwrap()).abs() < 1e-9);
    assert!((anchored.los(2, 4).unwrap() - centred.los(2, 4).unwrap()).abs() < 1e-9);
}

/// Davidson's ratings are not public, so they are checked in their own module.
#[test]
fn davidson_fits() {
    for (file, left_out) in
        [("t1_rr6_unbalanced", &[][..]), ("t2_perfect", &["God", "Null"]), ("t5_drawish_pairs", &[])]
    {
        let tournament = Tournament::read(file, left_out);
        let players = tournament.names.len();
        let tally = Tally::new(players, 1, &tournament.games);
        let problem = davidson::problem(&tally, &Components::of(players, &tally), 1);
        check_davidson(file, &tournament, &problem, &problem.solve().unwrap());
    }
}

fn check_davidson(file: &str, tournament: &Tournament, problem: &Problem<'_>, solution: &Solution) {
    let players: Vec<usize> = (0..tournament.names.len()).collect();
    let mean = players.iter().map(|&i| solution.values[i]).sum::<f64>() / players.len() as f64;
    let [hessian, games, pairs] =
        [ErrorKind::InverseHessian, ErrorKind::GameSandwich, ErrorKind::PairSandwich].map(|kind| {
            let mut covariance = problem.covariance(solution, kind, Errors::Auto).0;
            covariance.centre(&players, &players);
            covariance
        });
    let error = |matrix: &Matrix, i: usize| Some(matrix.get(i, i).sqrt() / UNITS_PER_ELO);
    for row in rows(RATINGS).filter(|row| row[0] == file && row[1] == "DV") {
        let player = tournament.seat(row[2]);
        assert_close(&row, Some((solution.values[player] - mean) / UNITS_PER_ELO), row[3]);
        for (matrix, expected) in [(&hessian, row[4]), (&games, row[5]), (&pairs, row[6])] {
            if !expected.is_empty() {
                assert_close(&row, error(matrix, player), expected);
            }
        }
    }
    for row in rows(PAIRS).filter(|row| row[0] == file && row[1] == "DV") {
        let matrix = if row[2] == "model" { &hessian } else { &games };
        let (i, j) = (tournament.seat(row[3]), tournament.seat(row[4]));
        let variance = matrix.get(i, i) + matrix.get(j, j) - 2.0 * matrix.get(i, j);
        let difference = solution.values[i] - solution.values[j];
        assert_close(&row, Some(difference / UNITS_PER_ELO), row[5]);
        assert_close(&row, Some(variance.sqrt() / UNITS_PER_ELO), row[6]);
        assert_close(
            &row,
            Some(crate::numeric::normal::probability_below(difference / variance.sqrt())),
            row[7],
        );
    }
    let (advantage, log_nu) = (players.len(), players.len() + 1);
    let public = crate::Davidson::fit(players.len(), 1, &tournament.games);
    for row in rows(PARAMS).filter(|row| row[0] == file && row[1] == "DV") {
        match row[2] {
            "H" => {
                assert_close(&row, Some(solution.values[advantage] / UNITS_PER_ELO), row[3]);
                assert_close(&row, error(&hessian, advantage), row[4]);
            }
            "ln_nu" => {
                assert_close(&row, Some(solution.values[log_nu]), row[3]);
                assert_close(&row, Some(hessian.get(log_nu, log_nu).sqrt()), row[4]);
            }
            "draw_rate_at_equality" => assert_close(&row, public.draw_rate_at_equality(0), row[3]),
            "loglik" => assert_close(&row, Some(solution.log_likelihood), row[3]),
            _ => {}
        }
    }
}
