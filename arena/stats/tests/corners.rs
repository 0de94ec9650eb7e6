//! Tables of little, one-sided or odd data.

use stats::{
    ErrorKind, Errors, FitSettings, GameScore, Method, Parameter, Prior, RatedGame, RatingBound, RatingTable,
    RidgeCause, fit,
};

fn game(first: usize, second: usize, score: GameScore) -> RatedGame {
    RatedGame::new(first, second, score)
}

fn auto(players: usize, games: &[RatedGame]) -> RatingTable {
    fit(players, 1, games, &FitSettings::default())
}

fn without_prior(players: usize, games: &[RatedGame]) -> RatingTable {
    fit(players, 1, games, &FitSettings { prior: Prior::None, ..FitSettings::default() })
}

/// `count` games with swapped seats that `winner` wins all.
fn wins(winner: usize, loser: usize, count: usize) -> Vec<RatedGame> {
    (0..count)
        .map(|n| {
            if n % 2 == 0 {
                game(winner, loser, GameScore::Win)
            } else {
                game(loser, winner, GameScore::Loss)
            }
        })
        .collect()
}

/// Both players score from both seats.
fn even(a: usize, b: usize) -> Vec<RatedGame> {
    vec![
        game(a, b, GameScore::Win),
        game(a, b, GameScore::Loss),
        game(a, b, GameScore::Draw),
        game(b, a, GameScore::Win),
        game(b, a, GameScore::Loss),
    ]
}

fn assert_about(found: f64, expected: f64) {
    assert!((found - expected).abs() < 0.05, "{found} instead of {expected}");
}

#[test]
fn nothing_gives_an_empty_table() {
    let table = fit(0, 0, &[], &FitSettings::default());
    assert!(table.ratings.is_empty() && table.advantages.is_empty());
    assert_eq!((table.components, table.main), (0, None));
    assert!(table.neighbours().is_empty());
}

#[test]
fn a_player_alone_has_no_rating() {
    let table = auto(1, &[]);
    assert_eq!(table.ratings[0].elo, None);
    assert_eq!(table.ratings[0].score(), None);
    assert_eq!(table.advantages[0].elo, None);
    assert_eq!(table.method, Method::Plain);
}

#[test]
fn games_against_oneself_are_left_out() {
    let table = auto(1, &[game(0, 0, GameScore::Win)]);
    assert_eq!((table.ratings[0].elo, table.ratings[0].games), (None, 0));
}

#[test]
fn all_draws_leave_no_variance_to_judge_by() {
    let games: Vec<RatedGame> = [game(0, 1, GameScore::Draw), game(1, 0, GameScore::Draw)].repeat(20);
    let table = auto(2, &games);
    assert_eq!(table.method, Method::Plain);
    assert_eq!(table.ratings[0].elo, Some(0.0));
    assert_eq!(table.ratings[0].error95, None);
    assert_eq!(table.los(0, 1), None);
    assert_eq!(table.neighbours()[0].los_holm, None);
    assert_eq!(table.advantages[0].draw_rate, Some(1.0));
}

#[test]
fn where_every_result_is_needed_the_model_tells_the_error() {
    let table = auto(2, &[game(0, 1, GameScore::Draw), game(1, 0, GameScore::Draw)]);
    // Two games between equals have the information 1/4 each on the difference, half of which is the rating.
    let error = 400.0 / std::f64::consts::LN_10 * 2f64.sqrt() / 2.0;
    assert_about(table.ratings[0].error95.unwrap(), 1.959_964 * error);
    assert_about(table.los(0, 1).unwrap(), 0.5);
    // So it does for a newcomer with a single pair, drawn, beside others whose results vary.
    let mut games = even(0, 1);
    games.extend(
        [game(2, 0, GameScore::Draw), game(0, 2, GameScore::Draw)]
            .map(|game| RatedGame { pair: Some(1), ..game }),
    );
    let table = auto(3, &games);
    assert!(table.difference(0, 2).unwrap().error95.unwrap() > 400.0);
}

#[test]
fn a_single_draw_cannot_tell_strength_from_seat() {
    let games = [game(0, 1, GameScore::Draw)];
    let table = auto(2, &games);
    assert_eq!(table.method, Method::Ridge { sigma: 200.0, cause: RidgeCause::Advantage });
    assert!(table.ratings[0].is_regularized && table.advantages[0].is_regularized);
    assert_eq!(without_prior(2, &games).ratings[0].elo, None);
}

#[test]
fn seats_never_swapped_share_the_credit() {
    let mut games = vec![game(0, 1, GameScore::Win); 8];
    games.extend([game(0, 1, GameScore::Loss); 2]);
    let table = auto(2, &games);
    assert_eq!(table.method, Method::Ridge { sigma: 200.0, cause: RidgeCause::Advantage });
    let (rating, advantage) = (table.ratings[0].elo.unwrap(), table.advantages[0].elo.unwrap());
    assert!(rating > 10.0 && advantage > 10.0, "{rating} {advantage}");
}

#[test]
fn a_first_seat_that_always_wins_has_no_finite_advantage() {
    let games = [game(0, 1, GameScore::Win), game(1, 0, GameScore::Win)];
    let table = auto(2, &games);
    assert_eq!(table.components, 1);
    assert_eq!(table.method, Method::Ridge { sigma: 200.0, cause: RidgeCause::Advantage });
    assert!(table.advantages[0].elo.unwrap() > 50.0);
    assert_eq!(without_prior(2, &games).advantages[0].elo, None);
}

#[test]
fn an_advantage_can_be_infinite_without_winning_always() {
    // With ratings 1, 0, -1 and an advantage of 1 in any unit, no result goes against expectation: the larger
    // the unit the better they fit.
    let games = [
        game(0, 1, GameScore::Win),
        game(1, 2, GameScore::Win),
        game(1, 0, GameScore::Draw),
        game(2, 1, GameScore::Draw),
        game(2, 0, GameScore::Loss),
    ];
    assert_eq!(auto(3, &games).method, Method::Ridge { sigma: 200.0, cause: RidgeCause::Advantage });
}

#[test]
fn a_perfect_score_is_marked_and_bounded() {
    let mut games = even(0, 1);
    games.extend(wins(2, 0, 10));
    games.extend(wins(2, 1, 10));
    let table = auto(3, &games);
    assert_eq!(table.method, Method::Linked { sigma: 200.0 });
    assert_eq!((table.components, table.main), (2, Some(0)));
    let marked: Vec<bool> = table.ratings.iter().map(|rating| rating.is_regularized).collect();
    assert_eq!(marked, [false, false, true]);
    // The two others are rated as if it had not come.
    let alone = auto(2, &even(0, 1));
    for player in 0..2 {
        assert_about(table.ratings[player].elo.unwrap(), alone.ratings[player].elo.unwrap());
        assert_about(table.ratings[player].error95.unwrap(), alone.ratings[player].error95.unwrap());
    }
    assert_about(table.los(0, 1).unwrap(), alone.los(0, 1).unwrap());
    assert_eq!(table.ratings[0].bound, None);
    let neighbours = table.neighbours();
    assert_eq!(neighbours.iter().map(|pair| pair.is_regularized).collect::<Vec<_>>(), [true, false]);
    let newcomer = &table.ratings[2];
    assert!(newcomer.elo.unwrap() > 200.0 && newcomer.error95.unwrap() > 100.0, "{newcomer:?}");
    let Some(RatingBound::Above(bound)) = table.ratings[2].bound else { panic!("{:?}", table.ratings[2]) };
    // Two equal opponents, no advantage: 20 wins of 20 are believed from p = 0.05^(1/20) on.
    let p = 0.05f64.powf(1.0 / 20.0);
    let opponents = table.ratings[0].elo.unwrap();
    assert_about(bound, opponents + 400.0 * (p / (1.0 - p)).log10());
}

#[test]
fn a_score_of_nothing_is_bounded_from_above() {
    let mut games = even(0, 1);
    games.extend(wins(0, 2, 4));
    let table = without_prior(3, &games);
    assert_eq!(table.method, Method::Separate);
    assert_eq!(table.ratings[2].elo, None);
    assert_about(table.ratings[0].elo.unwrap(), 0.0);
    let p = 0.05f64.powf(1.0 / 4.0);
    let Some(RatingBound::Below(bound)) = table.ratings[2].bound else { panic!("{:?}", table.ratings[2]) };
    assert_about(bound, -400.0 * (p / (1.0 - p)).log10());
}

#[test]
fn a_component_is_bounded_as_one() {
    let mut games = even(0, 1);
    games.extend(even(0, 2));
    games.extend(even(3, 4));
    games.extend(wins(3, 0, 6));
    let table = without_prior(5, &games);
    assert_eq!((table.components, table.main), (2, Some(0)));
    assert_eq!(table.ratings[3].bound, table.ratings[4].bound);
    assert!(table.ratings[3].bound.is_some());
    assert_eq!((table.los(0, 3), table.expected_score(0, 3, 0)), (None, None));
    assert!(table.los(3, 4).is_some() && table.difference(3, 4).is_some());
}

#[test]
fn one_seat_with_an_unknown_advantage_bounds_nothing() {
    let unswapped = vec![game(0, 1, GameScore::Win); 10];
    let bounds = |table: &RatingTable| table.ratings.iter().filter(|rating| rating.bound.is_some()).count();
    assert_eq!(bounds(&auto(2, &unswapped)), 0);
    // Taken as zero it does not stand in the way.
    let settings = FitSettings { advantage: false, ..FitSettings::default() };
    assert_eq!(bounds(&fit(2, 1, &unswapped, &settings)), 1);
}

#[test]
fn two_players_with_a_perfect_score() {
    let table = auto(2, &wins(0, 1, 10));
    let (winner, loser) = (&table.ratings[0], &table.ratings[1]);
    assert!(winner.elo.unwrap() > 50.0 && winner.error95.is_some());
    // Five wins from each seat: any advantage makes them less likely, so none is the least favourable to the bound.
    let p = 0.05f64.powf(0.1);
    assert_about(loser.bound.unwrap().elo(), winner.elo.unwrap() - 400.0 * (p / (1.0 - p)).log10());
    assert!(table.los(0, 1).unwrap() > 0.9);
}

#[test]
fn groups_that_never_met_are_not_bounded() {
    let mut games = even(0, 1);
    games.extend(even(2, 3));
    let table = auto(4, &games);
    assert_eq!((table.components, table.main), (2, Some(0)));
    assert_eq!(table.method, Method::Linked { sigma: 200.0 });
    assert!(table.ratings.iter().all(|rating| rating.bound.is_none()));
    assert!(!table.is_held_by_prior(2, 3) && table.is_held_by_prior(1, 2));
    assert_about(table.difference_error(0, 1).unwrap(), table.difference_error(2, 3).unwrap());
    // The prior alone ties the halves, and the error says so: 200 Elo of it and more.
    assert!(table.difference_error(0, 2).unwrap() > 200.0);
}

#[test]
fn every_group_has_its_own_advantage() {
    let mut games = even(0, 1);
    games.extend([game(0, 1, GameScore::Win), game(1, 0, GameScore::Win)]);
    let drawn = |it: RatedGame| RatedGame {
        group: 1,
        ..game(it.result.player(0), it.result.player(1), GameScore::Draw)
    };
    let other = even(0, 1).into_iter().map(drawn);
    games.extend(other);
    let table = fit(2, 3, &games, &FitSettings::default());
    assert_eq!(table.method, Method::Plain);
    assert!(table.advantages[0].elo.unwrap() > 50.0);
    assert!(table.advantages[1].elo.unwrap().abs() < 20.0);
    assert_eq!((table.advantages[2].elo, table.advantages[2].games), (None, 0));
    assert_eq!(table.covariance(Parameter::Rating(0), Parameter::Advantage(2)), None);
    assert!(table.covariance(Parameter::Rating(0), Parameter::Advantage(0)).is_some());
}

#[test]
fn long_chains_have_distant_ends() {
    let mut games = Vec::new();
    for i in 0..40 {
        for n in 0..100 {
            let score = if n == 0 { GameScore::Loss } else { GameScore::Win };
            games.push(game(i, i + 1, score));
            games.push(game(i + 1, i, score.opposite()));
        }
    }
    let table = auto(41, &games);
    assert_eq!(table.method, Method::Plain);
    let step = 400.0 * 99f64.log10();
    assert_about(table.difference(0, 40).unwrap().elo, 40.0 * step);
}

#[test]
fn counts_make_a_million_games_cheap() {
    let games: Vec<RatedGame> = (0..1_000_000u32)
        .map(|n| RatedGame {
            pair: Some(u64::from(n / 2)),
            ..game((n % 2) as usize, (1 - n % 2) as usize, GameScore::ALL[(n % 7 % 3) as usize])
        })
        .collect();
    let table = auto(2, &games);
    assert_eq!((table.errors, table.advantages[0].pairs), (ErrorKind::Clusters, 500_000));
    assert!(table.ratings[0].error95.unwrap() < 1.0);
}

#[test]
fn errors_are_those_asked_for() {
    let games = even(0, 1);
    for (errors, kind) in [
        (Errors::PerPair, ErrorKind::PairSandwich),
        (Errors::PerGame, ErrorKind::GameSandwich),
        (Errors::Hessian, ErrorKind::InverseHessian),
        (Errors::Bootstrap { fits: 10, seed: 1 }, ErrorKind::Bootstrap),
    ] {
        assert_eq!(fit(2, 1, &games, &FitSettings { errors, ..FitSettings::default() }).errors, kind);
    }
}

#[test]
fn neighbours_are_those_of_one_component_where_these_are_rated_separately() {
    // Two groups whose ratings interleave.
    let mut games = Vec::new();
    for (one, other, wins) in [(0, 2, 7), (1, 3, 6)] {
        games.extend(even(one, other));
        games.extend((0..wins).map(|_| game(one, other, GameScore::Win)));
        games.extend((0..wins).map(|_| game(other, one, GameScore::Loss)));
    }
    let table = without_prior(4, &games);
    assert_eq!((table.method, table.components), (Method::Separate, 2));
    assert_eq!(table.ranking(), [0, 2, 1, 3]);
    let neighbours: Vec<_> = table.neighbours().iter().map(|pair| (pair.upper, pair.lower)).collect();
    assert_eq!(neighbours, [(0, 2), (1, 3)]);
    assert!(table.neighbours().iter().all(|pair| pair.los.is_some_and(|los| los > 0.9)));
}
