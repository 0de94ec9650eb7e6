//! Laws of the rating table, whatever the games.

use proptest::prelude::*;

use stats::{FitSettings, GameScore, Parameter, Prior, RatedGame, RatingTable, Sample, TableResult, fit};

const PLAYERS: usize = 5;
const GROUPS: usize = 2;

fn score() -> impl Strategy<Value = GameScore> {
    prop_oneof![Just(GameScore::Loss), Just(GameScore::Draw), Just(GameScore::Win)]
}

fn game() -> impl Strategy<Value = RatedGame> {
    let pair = prop_oneof![Just(None), (0u64..4).prop_map(Some)];
    let opening = prop::option::of(0u64..5);
    (0..PLAYERS, 0..PLAYERS, score(), 0..GROUPS, pair, opening).prop_map(
        |(first, second, score, group, pair, opening)| RatedGame {
            group,
            pair,
            opening,
            ..RatedGame::new(first, second, score)
        },
    )
}

/// The result of a game of two seats with other numbers of the players, and with the seats swapped.
fn mapped(game: &RatedGame, number: impl Fn(usize) -> usize, is_swapped: bool) -> TableResult {
    let seats = if is_swapped { [1, 0] } else { [0, 1] };
    let [one, two] = seats.map(|seat| number(game.result.player(seat)));
    TableResult::of_two(one, two, game.result.score(seats[0], seats[1]))
}

/// From none to plenty: few games leave holes, many make a plain fit.
fn games() -> impl Strategy<Value = Vec<RatedGame>> {
    prop_oneof![
        prop::collection::vec(game(), 0..12),
        prop::collection::vec(game(), 5..30),
        prop::collection::vec(game(), 60..160)
    ]
}

fn prior() -> impl Strategy<Value = Prior> {
    prop_oneof![Just(Prior::None), Just(Prior::Auto), Just(Prior::Ridge { sigma: 100.0 })]
}

fn table(games: &[RatedGame], prior: Prior) -> RatingTable {
    fit(PLAYERS, GROUPS, games, &FitSettings { prior, ..FitSettings::default() })
}

/// Every figure of a table, in a fixed order.
fn figures(table: &RatingTable) -> Vec<Option<f64>> {
    let mut all = vec![Some(table.log_likelihood)];
    for rating in &table.ratings {
        all.extend([rating.elo, rating.error95, rating.bound.map(stats::RatingBound::elo), rating.score()]);
    }
    for advantage in &table.advantages {
        all.extend([advantage.elo, advantage.error95, advantage.first_score, advantage.draw_rate]);
        all.push(advantage.pair_variance_ratio);
    }
    for i in 0..table.ratings.len() {
        for j in 0..table.ratings.len() {
            all.extend([table.los(i, j), table.difference_error(i, j), table.expected_score(i, j, 0)]);
            all.push(table.covariance(Parameter::Rating(i), Parameter::Rating(j)));
        }
    }
    for pair in table.neighbours() {
        all.extend([pair.los, pair.los_holm]);
    }
    all
}

fn assert_close(a: Option<f64>, b: Option<f64>) -> Result<(), TestCaseError> {
    match (a, b) {
        (Some(a), Some(b)) => {
            prop_assert!((a - b).abs() <= 1e-4 * (1.0 + a.abs()), "{} against {}", a, b);
        }
        (a, b) => prop_assert_eq!(a.is_some(), b.is_some()),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn figures_are_finite(games in games(), prior in prior()) {
        for figure in figures(&table(&games, prior)).into_iter().flatten() {
            prop_assert!(figure.is_finite());
        }
    }

    #[test]
    fn a_plain_fit_has_no_figure_on_its_way_to_infinity(games in games()) {
        let table = table(&games, Prior::Auto);
        // A link between two players is at most one result against all others: 400 log10(160) = 880 Elo.
        if table.method == stats::Method::Plain {
            for elo in table.ratings.iter().filter_map(|rating| rating.elo) {
                prop_assert!(elo.abs() < 880.0 * PLAYERS as f64);
            }
            for elo in table.advantages.iter().filter_map(|advantage| advantage.elo) {
                prop_assert!(elo.abs() < 880.0 * PLAYERS as f64);
            }
        }
    }

    #[test]
    fn order_of_games_does_not_matter(
        (games, shuffled) in games().prop_flat_map(|games| (Just(games.clone()), Just(games).prop_shuffle())),
        prior in prior(),
    ) {
        prop_assert_eq!(figures(&table(&games, prior)), figures(&table(&shuffled, prior)));
    }

    #[test]
    fn games_counted_one_by_one_give_the_same_table(games in games(), prior in prior()) {
        let settings = FitSettings { prior, ..FitSettings::default() };
        let whole = Sample::from_games(&games);
        prop_assert_eq!(figures(&whole.fit(PLAYERS, GROUPS, &settings)), figures(&table(&games, prior)));
        let mut sample = Sample::default();
        for game in &games {
            sample.add(game);
        }
        let alone: Vec<RatedGame> = games.iter().map(|game| RatedGame { pair: None, ..*game }).collect();
        prop_assert_eq!(figures(&sample.fit(PLAYERS, GROUPS, &settings)), figures(&table(&alone, prior)));
    }

    #[test]
    fn ratings_are_about_the_mean(games in games()) {
        let table = table(&games, Prior::Auto);
        // Where components are linked, zero is the mean of the main one.
        let is_linked = matches!(table.method, stats::Method::Linked { .. });
        let counted = table.ratings.iter().filter(|rating| !is_linked || rating.component == table.main);
        let sum: f64 = counted.filter_map(|rating| rating.elo).sum();
        prop_assert!(sum.abs() < 1e-6);
    }

    #[test]
    fn swapped_seats_turn_the_advantage_round(games in games(), prior in prior()) {
        let swapped: Vec<RatedGame> = games
            .iter()
            .map(|game| RatedGame { result: mapped(game, |player| player, true), ..*game })
            .collect();
        let (one, two) = (table(&games, prior), table(&swapped, prior));
        for (a, b) in one.ratings.iter().zip(&two.ratings) {
            assert_close(a.elo, b.elo)?;
            assert_close(a.error95, b.error95)?;
            assert_close(a.bound.map(stats::RatingBound::elo), b.bound.map(stats::RatingBound::elo))?;
        }
        for (a, b) in one.advantages.iter().zip(&two.advantages) {
            assert_close(a.elo, b.elo.map(|elo| -elo))?;
            assert_close(a.error95, b.error95)?;
        }
    }

    #[test]
    fn renamed_players_keep_their_ratings(
        games in games(),
        names in Just((0..PLAYERS).collect::<Vec<_>>()).prop_shuffle(),
        prior in prior(),
    ) {
        let renamed: Vec<RatedGame> = games
            .iter()
            .map(|game| RatedGame { result: mapped(game, |player| names[player], false), ..*game })
            .collect();
        let (one, two) = (table(&games, prior), table(&renamed, prior));
        for (player, rating) in one.ratings.iter().enumerate() {
            let other = &two.ratings[names[player]];
            assert_close(rating.elo, other.elo)?;
            assert_close(rating.error95, other.error95)?;
            prop_assert_eq!(rating.games, other.games);
        }
        for (a, b) in one.advantages.iter().zip(&two.advantages) {
            assert_close(a.elo, b.elo)?;
        }
    }

    #[test]
    fn an_anchor_shifts_all_ratings_alike(games in games(), elo in -500.0..3000.0f64) {
        let settings = FitSettings { anchor: Some(stats::Anchor { player: 2, elo }), ..FitSettings::default() };
        let (centred, anchored) = (table(&games, Prior::Auto), fit(PLAYERS, GROUPS, &games, &settings));
        for i in 0..PLAYERS {
            for j in 0..PLAYERS {
                let difference = |table: &RatingTable| table.difference(i, j).map(|difference| difference.elo);
                assert_close(difference(&centred), difference(&anchored))?;
                assert_close(centred.difference_error(i, j), anchored.difference_error(i, j))?;
                assert_close(centred.los(i, j), anchored.los(i, j))?;
            }
        }
        if anchored.ratings[2].elo.is_some() {
            prop_assert_eq!(anchored.ratings[2].elo, Some(elo));
        }
    }

    #[test]
    fn a_player_without_games_disturbs_nobody(games in games(), prior in prior()) {
        let more = fit(PLAYERS + 1, GROUPS + 1, &games, &FitSettings { prior, ..FitSettings::default() });
        let table = table(&games, prior);
        prop_assert_eq!(&more.ratings[..PLAYERS], &table.ratings[..]);
        prop_assert_eq!(&more.advantages[..GROUPS], &table.advantages[..]);
        prop_assert_eq!(more.ratings[PLAYERS].elo, None);
        prop_assert_eq!(more.advantages[GROUPS].elo, None);
    }
}
