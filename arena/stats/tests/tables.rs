//! Ratings from tables of more than two seats.

use std::collections::BTreeSet;

use proptest::prelude::*;

use stats::{
    Errors, FitSettings, GameScore, Method, Parameter, Points, Prior, RatedGame, RatingTable, Sample,
    TableResult, fit,
};

const PLAYERS: usize = 5;

fn game(seats: &[(usize, u8)]) -> RatedGame {
    let result = TableResult::new(seats.iter().copied()).expect("a table");
    RatedGame { result, ..RatedGame::new(0, 1, GameScore::Draw) }
}

/// Every order of some seats.
fn orders(seats: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for seat in 0..seats {
        orders = orders
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                (0..=order.len()).map(move |place| {
                    let mut order = order.clone();
                    order.insert(place, seat);
                    order
                })
            })
            .collect();
    }
    orders
}

/// The chance that seats finish in this order, by the model of Plackett and Luce.
fn chance(elo: &[f64], order: &[usize]) -> f64 {
    let weight = |seat: &usize| 10f64.powf(elo[*seat] / 400.0);
    (0..order.len()).map(|i| weight(&order[i]) / order[i..].iter().map(weight).sum::<f64>()).product()
}

/// Games in the proportions of the model have the ratings and advantages that they were drawn with.
#[test]
fn ratings_and_advantages_are_those_of_plackett_and_luce() {
    let ratings = [150.0, 40.0, -60.0, -130.0];
    for advantages in [vec![80.0, -10.0, -70.0], vec![90.0, 20.0, -60.0, -50.0]] {
        let seats = advantages.len();
        let mut games = Vec::new();
        for seating in orders(4) {
            let elo: Vec<f64> = (0..seats).map(|seat| ratings[seating[seat]] + advantages[seat]).collect();
            for order in orders(seats) {
                let place = |seat| 1 + order.iter().position(|other| *other == seat).expect("a seat") as u8;
                let result: Vec<(usize, u8)> = (0..seats).map(|seat| (seating[seat], place(seat))).collect();
                let count = (4000.0 * chance(&elo, &order)).round() as usize;
                games.extend(vec![game(&result); count]);
            }
        }
        let table = fit(4, 1, &games, &FitSettings { errors: Errors::Hessian, ..FitSettings::default() });
        for (rating, truth) in table.ratings.iter().zip(ratings) {
            assert!((rating.elo.expect("rated") - truth).abs() < 0.3, "{rating:?}, not {truth}");
        }
        for (seat, truth) in table.advantages[0].seats.iter().zip(&advantages) {
            assert!((seat.elo.expect("estimated") - truth).abs() < 0.3, "{seat:?}, not {truth}");
        }
        assert_eq!(table.advantages[0].elo, table.advantages[0].seats[0].elo);
        let difference = ratings[0] - ratings[1] + advantages[0] - advantages[1];
        let expected = 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
        assert!((table.expected_score(0, 1, 0).expect("rated") - expected).abs() < 1e-3);
    }
}

#[test]
fn points_and_places_are_counted_by_seat() {
    let games =
        [game(&[(0, 1), (1, 2), (2, 2)]), game(&[(1, 1), (2, 2), (0, 3)]), game(&[(0, 1), (1, 2), (1, 3)])];
    let table = fit(3, 1, &games, &FitSettings::default());
    let rating = &table.ratings[0];
    assert_eq!(
        (rating.games, rating.points, &rating.places[..]),
        (3, Points::from_halves(4), &[2, 0, 1][..])
    );
    assert_eq!((rating.wins, rating.draws, rating.losses), (4, 0, 2));
    // Each of its two seats in the last game is a game; it has one opponent there.
    let rating = &table.ratings[1];
    assert_eq!((rating.games, rating.points.to_f64(), &rating.places[..]), (4, 1.25, &[1, 3][..]));
    let scores: Vec<Option<f64>> = table.advantages[0].seats.iter().map(|seat| seat.score).collect();
    assert_eq!(scores, [1.0, 0.25, 0.25 / 3.0].map(Some));
    assert_eq!((table.advantages[0].games, table.advantages[0].pairs), (3, 0));
}

#[test]
fn a_player_that_was_always_last_has_a_bound_from_whole_games() {
    let mut games = Vec::new();
    for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
        for winner in 0..2 {
            let place = |player: usize| if player == 2 { 3 } else { 1 + u8::from(player != winner) };
            games.push(game(&order.map(|player| (player, place(player)))));
        }
    }
    let table = fit(3, 1, &games, &FitSettings::default());
    assert!(matches!(table.method, Method::Linked { .. }), "{:?}", table.method);
    let last = &table.ratings[2];
    assert!(last.is_regularized && last.elo.expect("held by the prior") < 0.0);
    // Six games lost to equals: 0.05^(1/6) = 0.607 is the score of the winner that comes so rarely.
    let Some(stats::RatingBound::Below(elo)) = last.bound else { panic!("{last:?}") };
    assert!((elo + 75.5).abs() < 1.0, "{elo}");
}

#[test]
fn seats_that_never_change_leave_strength_and_advantage_to_the_prior() {
    let games: Vec<RatedGame> =
        (0..30).map(|i| game(&[(0, 1 + i % 3), (1, 1 + (i + 1) % 3), (2, 1 + (i * 7 + 2) % 3)])).collect();
    let table = fit(3, 1, &games, &FitSettings::default());
    assert!(table.is_regularized());
    assert!(table.ratings.iter().all(|rating| rating.elo.is_some_and(f64::is_finite)));
    let sum: f64 = table.advantages[0].seats.iter().filter_map(|seat| seat.elo).sum();
    assert!(sum.abs() < 1e-6);
}

/// A game at a table of three in group 0, of four in group 1; with `are_mixed` either in both.
fn table_game(are_mixed: bool) -> impl Strategy<Value = RatedGame> {
    let seats = prop::array::uniform4((0..PLAYERS, 1u8..5));
    let pair = prop_oneof![Just(None), (0u64..4).prop_map(Some)];
    (seats, 0..2usize, any::<bool>(), pair, prop::option::of(0u64..5)).prop_map(
        move |(seats, group, is_large, pair, opening)| {
            let count = if are_mixed { 3 + usize::from(is_large) } else { 3 + group };
            RatedGame { group, pair, opening, ..game(&seats[..count]) }
        },
    )
}

/// Tables of three and four beside games of two in a group of their own.
fn games(are_mixed: bool) -> impl Strategy<Value = Vec<RatedGame>> {
    let two = (0..PLAYERS, 0..PLAYERS, 0..3usize).prop_map(|(one, two, score)| RatedGame {
        group: 2,
        ..RatedGame::new(one, two, GameScore::ALL[score])
    });
    let any = prop_oneof![4 => table_game(are_mixed), 1 => two].boxed();
    prop_oneof![
        prop::collection::vec(any.clone(), 0..10),
        prop::collection::vec(any.clone(), 5..30),
        prop::collection::vec(any, 60..120)
    ]
}

fn prior() -> impl Strategy<Value = Prior> {
    prop_oneof![Just(Prior::None), Just(Prior::Auto), Just(Prior::Ridge { sigma: 100.0 })]
}

fn figures(table: &RatingTable) -> Vec<Option<f64>> {
    let mut all = vec![Some(table.log_likelihood)];
    for (i, rating) in table.ratings.iter().enumerate() {
        all.extend([rating.elo, rating.error95, rating.bound.map(stats::RatingBound::elo), rating.score()]);
        all.extend((0..PLAYERS).map(|j| table.los(i, j)));
    }
    for (group, advantage) in table.advantages.iter().enumerate() {
        all.extend([advantage.elo, advantage.error95, advantage.draw_rate, advantage.pair_variance_ratio]);
        for (number, seat) in advantage.seats.iter().enumerate() {
            all.extend([seat.elo, seat.error95, seat.score]);
            all.push(table.covariance(Parameter::Seat(group, number), Parameter::Rating(0)));
        }
    }
    all
}

/// The players of the main component, and how often they met opponents.
fn main_players(table: &RatingTable) -> (BTreeSet<usize>, u64) {
    let is_main = |&player: &usize| table.ratings[player].component == table.main && table.main.is_some();
    let players: BTreeSet<usize> = (0..PLAYERS).filter(is_main).collect();
    let ratings = players.iter().map(|&player| &table.ratings[player]);
    let met = ratings.map(|rating| rating.wins + rating.draws + rating.losses).sum();
    (players, met)
}

fn assert_within(share: f64, a: Option<f64>, b: Option<f64>) -> Result<(), TestCaseError> {
    match (a, b) {
        (Some(a), Some(b)) => prop_assert!((a - b).abs() <= share * (1.0 + a.abs()), "{} against {}", a, b),
        (a, b) => prop_assert_eq!(a.is_some(), b.is_some()),
    }
    Ok(())
}

fn assert_close(a: Option<f64>, b: Option<f64>) -> Result<(), TestCaseError> {
    assert_within(1e-4, a, b)
}

/// The degrees of freedom of an error leave out clusters that make up at most a hundredth of its variance: which ones they are depends
/// on the seat to which the others are compared.
fn assert_same_error(a: Option<f64>, b: Option<f64>) -> Result<(), TestCaseError> {
    assert_within(5e-3, a, b)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn figures_are_finite_and_advantages_add_up_to_zero(games in games(true), prior in prior()) {
        for errors in [Errors::Auto, Errors::PerGame, Errors::PerPair] {
            let settings = FitSettings { prior, errors, ..FitSettings::default() };
            let table = fit(PLAYERS, 3, &games, &settings);
            prop_assert!(figures(&table).into_iter().flatten().all(f64::is_finite));
            for advantage in &table.advantages {
                let elo: Vec<f64> = advantage.seats.iter().filter_map(|seat| seat.elo).collect();
                prop_assert!(elo.iter().sum::<f64>().abs() < 1e-6, "{:?}", elo);
            }
            let davidson = Sample::from_games(&games).davidson(PLAYERS, 3).expect("few players");
            for group in 0..3 {
                prop_assert!(davidson.nu(group).is_none_or(f64::is_finite));
            }
        }
    }

    #[test]
    fn order_of_games_does_not_matter(
        (games, shuffled) in games(true).prop_flat_map(|games| (Just(games.clone()), Just(games).prop_shuffle())),
        prior in prior(),
    ) {
        let settings = FitSettings { prior, ..FitSettings::default() };
        let (one, two) = (Sample::from_games(&games), Sample::from_games(&shuffled));
        prop_assert_eq!(&one, &two);
        prop_assert_eq!(figures(&one.fit(PLAYERS, 3, &settings)), figures(&two.fit(PLAYERS, 3, &settings)));
        prop_assert_eq!(one.games(), games.iter().filter(|game| game.result.duels().next().is_some()).count() as u64);
    }

    #[test]
    fn renamed_players_and_seats_keep_their_figures(
        games in games(false),
        names in Just((0..PLAYERS).collect::<Vec<_>>()).prop_shuffle(),
        prior in prior(),
    ) {
        let settings = FitSettings { prior, ..FitSettings::default() };
        let renamed: Vec<RatedGame> = games
            .iter()
            .map(|game| {
                let result = game.result;
                let seats = (0..result.seats()).rev().map(|seat| (names[result.player(seat)], result.place(seat)));
                RatedGame { result: TableResult::new(seats).expect("a table"), ..*game }
            })
            .collect();
        let (one, two) = (fit(PLAYERS, 3, &games, &settings), fit(PLAYERS, 3, &renamed, &settings));
        // Of several sets of players that are equally large and have met as often, that with the first player is the main one.
        let ((players, met), (others, met_others)) = (main_players(&one), main_players(&two));
        let is_kept = players.iter().map(|&player| names[player]).collect::<BTreeSet<_>>() == others;
        prop_assert!(is_kept || (players.len(), met) == (others.len(), met_others));
        prop_assume!(is_kept);
        for (player, rating) in one.ratings.iter().enumerate() {
            let other = &two.ratings[names[player]];
            assert_close(rating.elo, other.elo)?;
            assert_same_error(rating.error95, other.error95)?;
            assert_close(rating.bound.map(stats::RatingBound::elo), other.bound.map(stats::RatingBound::elo))?;
            prop_assert_eq!((rating.games, rating.points, &rating.places), (other.games, other.points, &other.places));
        }
        for (a, b) in one.advantages.iter().zip(&two.advantages) {
            for (a, b) in a.seats.iter().zip(b.seats.iter().rev()) {
                assert_close(a.elo, b.elo)?;
                assert_same_error(a.error95, b.error95)?;
                assert_close(a.score, b.score)?;
            }
        }
    }
}
