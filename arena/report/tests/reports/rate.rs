//! Counting outcomes: pairs, filters, what is left out, circles.

use std::borrow::Cow;

use record::{Contestant, GameResult, LoggedGame, Unrated};
use report::{By, Filter, Look, Pool, RateError, RateSettings, Ratings};
use rules::Seat;

fn outcome<'a>(first: &'a str, second: &'a str, result: GameResult, pair: Option<u64>) -> LoggedGame<'a> {
    let contestant = |name: &'a str| {
        let (name, version) = name.split_once('@').unwrap_or((name, ""));
        Contestant { name: Cow::Borrowed(name), version: Cow::Borrowed(version), digest: Cow::Borrowed("") }
    };
    LoggedGame {
        game: Cow::Borrowed("fanorona"),
        label: Cow::Borrowed("fanorona size=5x5"),
        seats: [contestant(first), contestant(second)].into(),
        result,
        unrated: None,
        faults: Vec::new(),
        started: Cow::Borrowed("2026-11-21T09:30:05Z"),
        pair,
        fingerprint: None,
        opening: None,
    }
}

fn rated(by: By, filter: Filter, games: &[LoggedGame<'_>]) -> Result<Ratings, RateError> {
    let mut pool = Pool::new(by, filter);
    games.iter().for_each(|game| pool.add(game));
    pool.end_file();
    pool.ratings(&RateSettings::default())
}

fn all(games: &[LoggedGame<'_>]) -> Ratings {
    rated(By::Version, Filter::default(), games).expect("no filter")
}

#[test]
fn what_repeats_an_earlier_game_ply_for_ply_counts_once() {
    let game = |first, second, result, pair, plies: u128| LoggedGame {
        fingerprint: Some(plies),
        ..outcome(first, second, result, pair)
    };
    let pair = |number: u64, plies: u128| {
        [
            game("a", "b", GameResult::P1Win, Some(number), plies),
            game("b", "a", GameResult::Draw, Some(number), plies + 1),
        ]
    };
    // The same pair under another number; one whose second game ended otherwise; one of other plies; single games.
    let mut games = [pair(1, 10), pair(2, 10), pair(3, 10), pair(4, 20)].concat();
    games[5].result = GameResult::P2Win;
    games.extend([game("a", "b", GameResult::P1Win, None, 10), game("a", "b", GameResult::P1Win, None, 10)]);
    let found = all(&games);
    assert_eq!((found.rated, found.left_out.copies, found.games[0].advantage.pairs), (7, 3, 3));
    assert!(found.notes().iter().any(|note| note.contains("3 games left out because of an earlier one")));
    // A file that is given twice.
    let mut pool = Pool::new(By::Version, Filter::default());
    for _ in 0..2 {
        games.iter().for_each(|game| pool.add(game));
        pool.end_file();
    }
    let twice = pool.ratings(&RateSettings::default()).expect("no filter");
    assert_eq!((twice.rated, twice.players[0].rating.error95), (7, found.players[0].rating.error95));
}

#[test]
fn two_games_of_a_number_with_swapped_seats_are_a_pair() {
    let pairs = |games: &[LoggedGame<'_>]| all(games).games[0].advantage.pairs;
    let one = outcome("a", "b", GameResult::P1Win, Some(1));
    assert_eq!(pairs(&[one.clone(), outcome("b", "a", GameResult::Draw, Some(1))]), 1);
    assert_eq!(pairs(&[one.clone(), outcome("b", "a", GameResult::Draw, Some(2))]), 0);
    assert_eq!(pairs(&[one.clone(), outcome("a", "b", GameResult::Draw, Some(1))]), 0);
    assert_eq!(pairs(&[one, outcome("b", "a", GameResult::Draw, None)]), 0);
}

#[test]
fn no_pair_spans_two_files() {
    let mut pool = Pool::new(By::Name, Filter::default());
    pool.add(&outcome("a", "b", GameResult::P1Win, Some(1)));
    pool.end_file();
    pool.add(&outcome("b", "a", GameResult::P1Win, Some(1)));
    let settings = RateSettings::default();
    let ratings = pool.ratings(&settings).expect("no filter");
    assert_eq!((ratings.rated, ratings.games[0].advantage.pairs), (2, 0));
}

#[test]
fn what_is_left_out_is_counted_by_its_reason() {
    let games = [
        outcome("a", "b", GameResult::P1Win, None),
        outcome("a", "b", GameResult::None, None),
        outcome("", "b", GameResult::P1Win, None),
        outcome("a", "a", GameResult::P1Win, None),
        outcome("c", "d", GameResult::P1Win, None),
    ];
    let filter = Filter { bots: vec!["a".to_owned()], ..Filter::default() };
    let ratings = rated(By::Version, filter, &games).expect("a is there");
    let left_out = ratings.left_out;
    assert_eq!((ratings.rated, left_out.no_result, left_out.unnamed), (1, 1, 1));
    assert_eq!((left_out.own, left_out.filtered, left_out.undated), (1, 1, 0));
}

#[test]
fn what_a_foreign_log_has_beside_games_is_told_with_its_reason() {
    let unrated =
        |first, why| LoggedGame { unrated: Some(why), ..outcome(first, "b", GameResult::None, None) };
    let games = [
        outcome("a", "b", GameResult::P1Win, None),
        unrated("BYE", Unrated::Bye),
        unrated("a", Unrated::Forfeit),
        unrated("a", Unrated::UnknownResult("2-0".into())),
        unrated("a", Unrated::UnknownResult("\u{1b}[2J".into())),
    ];
    let ratings = all(&games);
    assert_eq!((ratings.read, ratings.rated, ratings.players.len()), (5, 1, 2));
    let expected = [
        "5 games read, 1 rated.",
        "2 games left out because the result is unknown: `2-0`, `\\x1b[2J`.",
        "1 game left out because of a result without play.",
        "1 game left out because a player had a bye.",
    ];
    let notes = ratings.notes();
    assert!(expected.iter().all(|note| notes.iter().any(|told| told == note)), "{notes:?}");
    assert!(ratings.to_json().contains(r#""unknown":["#), "{}", ratings.to_json());
}

#[test]
fn games_before_a_day_and_games_without_one_are_filtered() {
    let mut undated = outcome("a", "b", GameResult::Draw, None);
    undated.started = Cow::Borrowed("");
    let games = [outcome("a", "b", GameResult::P1Win, None), undated];
    let since = |text: &str| Filter { since: Some(text.to_owned()), ..Filter::default() };
    let rated = |text: &str| rated(By::Version, since(text), &games).expect("no names").rated;
    assert_eq!((rated("2026-11-21"), rated("2026-11-21T09:30:06")), (1, 0));
}

#[test]
fn versions_are_players_unless_names_are() {
    let games = [outcome("a@1", "b", GameResult::P1Win, None), outcome("b", "a@2", GameResult::P1Win, None)];
    let players = |by: By| rated(by, Filter::default(), &games).expect("no filter").players.len();
    assert_eq!((players(By::Name), players(By::Version)), (2, 3));
    let notes = rated(By::Name, Filter::default(), &games).expect("no filter").notes();
    assert!(notes[0].starts_with("`a` is 2 versions rated as one"), "{notes:?}");
}

#[test]
fn unknown_names_come_with_the_nearest() {
    let games = [outcome("nova", "base", GameResult::P1Win, None)];
    let filter = Filter { bots: vec!["novo".to_owned()], ..Filter::default() };
    let error = rated(By::Version, filter, &games).expect_err("a misspelt bot");
    assert_eq!(error, RateError::UnknownBot { name: "novo".to_owned(), nearest: Some("nova".to_owned()) });
    let filter = Filter { games: vec!["fanorana".to_owned()], ..Filter::default() };
    assert!(matches!(rated(By::Version, filter, &games), Err(RateError::UnknownGame { .. })));
}

#[test]
fn a_fault_counts_for_who_lost_by_it() {
    let mut game = outcome("a", "b", GameResult::P2Win, None);
    game.faults = vec![Seat::P1];
    let ratings = all(&[game]);
    let faults = |name: &str| ratings.players.iter().find(|row| row.name == name).map(|row| row.faults);
    assert_eq!((faults("a"), faults("b")), (Some(1), Some(0)));
}

/// Each wins three games of four against the next, all round.
fn circle() -> Vec<LoggedGame<'static>> {
    let mut games = Vec::new();
    for (one, two) in [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")] {
        for pair in 0..40 {
            let won = pair % 4 > 0;
            let [leg, other] = if won {
                [GameResult::P1Win, GameResult::P2Win]
            } else {
                [GameResult::P2Win, GameResult::P1Win]
            };
            games.push(outcome(one, two, leg, Some(pair)));
            games.push(outcome(two, one, other, Some(pair)));
        }
    }
    games
}

#[test]
fn a_circle_is_named_in_every_form() {
    let ratings = all(&circle());
    let circles = ratings.circles.as_ref().expect("enough games");
    assert!(circles.p < 1e-6 && circles.cyclic_share > Some(0.99), "{circles:?}");
    assert_eq!(circles.curls[0].players, ["paper", "rock", "scissors"]);
    let text = ratings.to_text(&Look::plain(100));
    assert!(text.contains("Do ratings explain the results?\n\nNo: results between players differ"), "{text}");
    assert!(text.contains("paper     rock   scissors"), "{text}");
    assert!(ratings.to_markdown().contains("| paper | rock | scissors |"), "{}", ratings.to_markdown());
    assert!(ratings.to_json().contains(r#""players":["paper","rock","scissors"]"#), "{}", ratings.to_json());
    assert!(ratings.explanation().iter().any(|text| text.contains("HodgeRank")));
}

#[test]
fn nothing_is_said_of_circles_where_the_games_do_not_suffice() {
    let games = circle();
    let few: Vec<_> = games.iter().step_by(10).cloned().collect();
    assert_eq!(all(&few).circles, None);
    let two: Vec<_> = games.into_iter().take(80).collect();
    assert_eq!(all(&two).circles, None);
    assert!(all(&two).to_json().contains(r#""transitivity":null"#));
}
