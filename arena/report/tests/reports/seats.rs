//! Reports of tables of more than two seats.

use std::fs::File;
use std::io::BufReader;

use record::{
    Contents, GameResult, JournalLine, LoggedGameReader, SeatExit, SprtConfig, Termination, Warning,
    WarningKind,
};
use report::{Look, Pool, RateSettings, RunReport, SequentialTest, report_text, standings_json, trial_text};
use rules::Seat;
use stats::sprt::{Model, SprtVerdict};

use crate::sample::{Sample, files, games_csv, summary};

const LABEL: &str = "2-frenzy players=3";

/// Tables of three of four bots: `ada` is mostly first, `dan` mostly last; a bot crashes and another one times out.
fn cup() -> Contents {
    let mut sample = Sample::new(&["ada", "bob", "cleo", "dan"], &[LABEL]);
    sample.contents.runs[0].config.games[0].seats = 3;
    sample.contents.runs[0].config.rounds = 3;
    let lineups =
        [["ada", "bob", "cleo"], ["bob", "cleo", "dan"], ["cleo", "dan", "ada"], ["dan", "ada", "bob"]];
    for round in 0..3 {
        for (number, bots) in lineups.iter().enumerate() {
            let mut order: Vec<&str> = bots.to_vec();
            order.sort_unstable();
            let place = |bot: &str| 1 + order.iter().position(|other| *other == bot).expect("it plays") as u8;
            let usual: Vec<u8> = bots.iter().map(|bot| place(bot)).collect();
            let reversed: Vec<u8> = usual.iter().map(|place| 4 - place).collect();
            let tied: Vec<u8> = usual.iter().map(|place| 1 + place / 3 * 2).collect();
            let upset = if (round + number) % 3 == 0 { &reversed } else { &tied };
            sample.block(LABEL, bots, &[&usual, upset, &usual]);
        }
    }
    let games = &mut sample.contents.games;
    let exit = |reason, ply, detail: &str| Some(SeatExit { reason, ply, detail: Some(detail.to_owned()) });
    games[0].seats[2].out = exit(Termination::Crash, 7, "signal 11");
    games[9].seats[0].out = exit(Termination::Timeout, 5, "62 ms over the clock");
    sample.contents
}

fn text(contents: &Contents) -> String {
    report_text(&RunReport::of(&summary(contents)), &Look::plain(140))
}

#[test]
fn a_report_shows_places_seats_and_who_beat_whom() {
    insta::assert_snapshot!(text(&cup()));
}

/// Whatever tells of faults, of bots that failed and of false claims reads these games alone.
#[test]
fn incidents_are_the_games_with_something_to_tell_by_number() {
    let mut contents = cup();
    let games = &mut contents.games;
    for (place, reason) in [(4, Termination::Stall), (5, Termination::Withdrawn), (6, Termination::Rejected)]
    {
        (games[place].reason, games[place].result) = (reason, GameResult::None);
        games[place].failed = Some(Seat::P2);
    }
    let claim = Warning { kind: WarningKind::PvIllegal, count: 2, ply: 3, what: "a1".to_owned() };
    games[20].seats[1].warnings.push(claim);
    games.truncate(30);
    games.rotate_left(11);
    games.reverse();
    let run = summary(&contents);
    let has_something = |game: &&record::GameSummary<'_>| {
        let of_seats = game.seats().by_seat().map(|(seat, _)| seat);
        game.failed.is_some()
            || of_seats
                .into_iter()
                .any(|seat| game.fault_of(seat).is_some() || !game.warnings(seat).is_empty())
    };
    let by_number: Vec<_> = run.by_number().collect();
    let expected: Vec<u64> = by_number.iter().filter(has_something).map(|game| game.number).collect();
    assert_eq!(expected, [1, 5, 6, 7, 10, 21]);
    let found = RunReport::of(&run);
    assert_eq!(found.incidents().map(|game| game.number).collect::<Vec<_>>(), expected);
    assert_eq!(RunReport::of(&record::RunSummary::default()).incidents().count(), 0);
}

/// The pages of faults are named by game and seat, so that the list of them says the seat at any width; the others of a table are
/// all there, or none of them.
#[test]
fn faults_at_tables_have_their_seats_at_any_width() {
    let long = "a-name-that-is-longer-than-any-table-has-room-for";
    let mut contents = cup();
    for game in &mut contents.games {
        for seat in game.seats.iter_mut().filter(|seat| seat.bot == "bob") {
            seat.bot = long.to_owned();
        }
    }
    let mut with_others = 0;
    for width in 60..=140 {
        let report = report_text(&RunReport::of(&summary(&contents)), &Look::plain(width));
        let list = report.split_once("Games lost by faults\n").expect("there is a list").1;
        let rows: Vec<_> = list.lines().skip(1).take_while(|line| !line.is_empty()).collect();
        assert!(rows.iter().all(|row| row.chars().count() <= width), "{width}: {list}");
        assert!(rows.iter().any(|row| row.contains("cleo") && row.contains("  p3  ")), "{width}: {list}");
        assert!(rows[0].contains("  as  ") && rows[0].contains("  place  "), "{width}: {list}");
        if rows[0].contains("against") {
            assert!(rows.iter().any(|row| row.contains("ada, a-name-that-is-long")), "{width}: {list}");
            with_others += 1;
        }
    }
    assert!((1..81).contains(&with_others), "{with_others}");
}

#[test]
fn files_have_columns_for_every_seat() {
    let files = files(&cup());
    let file = |name: &str| {
        let (_, bytes) = files.iter().find(|(other, _)| *other == name).expect("a file");
        String::from_utf8(bytes.clone()).expect("text")
    };
    insta::assert_snapshot!("standings.csv", file("standings.csv"));
    insta::assert_snapshot!("crosstable.csv", file("crosstable.csv"));
    let games = String::from_utf8(games_csv(&cup())).expect("text");
    let first: Vec<_> = games.lines().take(3).collect();
    insta::assert_snapshot!("games.csv", first.join("\n"));
    let json = standings_json(&RunReport::of(&summary(&cup())));
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let best = &value["standings"][0];
    assert_eq!(best["name"], "ada");
    assert_eq!(best["places"].as_array().map(Vec::len), Some(3));
    let sum = |places: &serde_json::Value| {
        places.as_array().map(|all| all.iter().filter_map(serde_json::Value::as_u64).sum())
    };
    assert_eq!(sum(&best["places"]), best["games"].as_u64());
    assert_eq!(best["seats"][2]["games"], 9);
}

/// The points of all bots are those of all games: half of the opponents each in the mean.
#[test]
fn points_add_up() {
    let run = summary(&cup());
    let standings = report::Asked::of(&run);
    let tally = standings.tally(&run.games);
    let standings = tally.standings(None);
    let points: f64 = standings.rows.iter().map(|row| row.points().to_f64()).sum();
    assert!((points - 1.5 * standings.games as f64).abs() < 1e-9, "{points}");
    let wins: u64 = standings.rows.iter().map(|row| row.wins).sum();
    let losses: u64 = standings.rows.iter().map(|row| row.losses).sum();
    assert_eq!(wins, losses);
    assert_eq!(standings.rows.iter().map(|row| row.faults.iter().sum::<u64>()).sum::<u64>(), 2);
}

/// Journals are rated as their own report rates them.
#[test]
fn ratings_of_a_journal_are_those_of_its_report() {
    let contents = cup();
    let run = summary(&contents);
    let mut pool = Pool::default();
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path().join("cup");
    let games = contents.games.iter().cloned().map(|game| JournalLine::Game(Box::new(game)));
    let mut config = contents.runs[0].clone();
    config.format = record::TABLES_FORMAT;
    let lines = std::iter::once(JournalLine::Run(Box::new(config))).chain(games);
    record::write_whole(&directory, lines.map(Ok)).expect("a journal");
    let path = directory.join(record::JOURNAL);
    let journal = BufReader::new(File::open(&path).expect("a journal"));
    LoggedGameReader::new(journal, &path).visit(|game| pool.add(game)).expect("a journal");
    let ratings = pool.ratings(&RateSettings::default()).expect("no filter");
    let asked = report::Asked::of(&run);
    let tally = asked.tally(&run.games);
    let standings = tally.standings(None);
    assert_eq!((ratings.rated, ratings.games[0].advantage.pairs), (36, 12));
    for (row, player) in standings.rows.iter().zip(&ratings.players) {
        assert_eq!((row.player.name.as_str(), row.elo), (player.name.as_str(), player.rating.elo));
        assert_eq!((row.points(), &row.places), (player.rating.points, &player.rating.places));
    }
    insta::assert_snapshot!("rate", ratings.to_text(&Look::plain(140)));
    insta::assert_snapshot!("rate.md", ratings.to_markdown());
    let csv = String::from_utf8(ratings.to_csv()).expect("text");
    assert!(csv.lines().next().is_some_and(|header| header.ends_with("place1,place2,place3")), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&ratings.to_json()).expect("JSON");
    assert_eq!(json["first_seat_advantage"][LABEL]["seats"].as_array().map(Vec::len), Some(3));
}

/// A test at tables of three: `new` in every seat once, copies of `base` in the others.
fn test(places: &[[u8; 3]], rounds: u32) -> Contents {
    let mut sample = Sample::new(&["new", "base"], &[LABEL]);
    for places in places {
        // The places of `new` in the three games; the copies of the base share the rest.
        let of_block = places.map(|own| match own {
            1 => [1, 2, 3],
            2 => [2, 1, 3],
            _ => [3, 1, 2],
        });
        sample.block(LABEL, &["new", "base", "base"], &of_block.each_ref().map(|places| &places[..]));
    }
    let config = &mut sample.contents.runs[0].config;
    config.format = settings::Format::Sprt.into();
    config.games[0].seats = 3;
    config.rounds = rounds;
    config.sprt = Some(SprtConfig {
        model: Model::Normalized.into(),
        elo0: 0.0,
        elo1: 150.0,
        alpha: 0.05,
        beta: 0.05,
        overshoot: false,
    });
    sample.contents
}

#[test]
fn a_test_at_tables_scores_the_share_of_base_bots_that_are_beaten() {
    let trial = SequentialTest::of(&summary(&test(&[[1, 2, 3], [1, 1, 2], [3, 2, 2]], 50))).expect("a test");
    let counts = trial.walk().counts();
    // 6, 10 and 4 of 12 half points.
    let expected: Vec<u64> = (0..13).map(|score| u64::from([4, 6, 10].contains(&score))).collect();
    assert_eq!((counts.games(), counts.counts()), (3, &expected[..]));
    assert!((counts.mean().expect("blocks") - 20.0 / 36.0).abs() < 1e-12);
    let tallies = trial.tallies();
    assert_eq!((tallies[0].wins, tallies[1].wins), (10, 8));
    insta::assert_snapshot!("trial", trial_text(&trial, &Look::plain(100)));
}

#[test]
fn strong_results_at_tables_pass_and_weak_ones_fail() {
    let passed = SequentialTest::of(&summary(&test(&[[1, 1, 2]; 60], 100))).expect("a test");
    assert_eq!(passed.decision(), SprtVerdict::H1);
    let failed = SequentialTest::of(&summary(&test(&[[3, 3, 2]; 60], 100))).expect("a test");
    assert_eq!(failed.decision(), SprtVerdict::H0);
    let even = SequentialTest::of(&summary(&test(&[[1, 2, 3]; 3], 3))).expect("a test");
    assert_eq!(even.decision(), SprtVerdict::Continue);
    assert!(report::trial_verdict(&even).contains("all blocks are played"));
}

#[test]
fn a_block_with_a_game_that_does_not_count_is_left_out() {
    let mut contents = test(&[[1, 1, 1], [1, 2, 2]], 50);
    contents.games[1].result = record::GameResult::None;
    let trial = SequentialTest::of(&summary(&contents)).expect("a test");
    assert_eq!((trial.skipped(), trial.walk().counts().total()), (1, 1));
}
