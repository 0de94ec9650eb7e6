//! The sentence that every report begins with.

use record::{Contents, GameResult, PairingConfig};
use report::{Look, PlayedTime, RunReport, outcome, report_text, summary_text};
use settings::Format;

use crate::sample::{Sample, summary};

const WON: [GameResult; 2] = [GameResult::P1Win, GameResult::P2Win];
const DRAWN: [GameResult; 2] = [GameResult::Draw, GameResult::Draw];
const HALF: [GameResult; 2] = [GameResult::P1Win, GameResult::Draw];

/// Meetings of two bots in a round, with what the first of them did.
type Meetings<'a> = &'a [(u32, &'a str, &'a str, [GameResult; 2])];

fn run(format: Format, rounds: u32, bots: &[&str], meetings: Meetings<'_>) -> Contents {
    let mut sample = Sample::new(bots, &["farook"]);
    for (round, first, second, results) in meetings {
        sample.pair("farook", first, second, *results);
        sample.contents.games.iter_mut().rev().take(2).for_each(|game| game.round = *round);
    }
    let config = &mut sample.contents.runs[0].config;
    (config.format, config.rounds) = (format.into(), rounds);
    sample.contents
}

/// Checks the sentence, and that both texts begin with it.
fn check(contents: &Contents, expected: &str) {
    let summary = summary(contents);
    let run = RunReport::of(&summary);
    assert_eq!(outcome(&run), expected);
    for text in [report_text, summary_text] {
        let text = text(&run, &Look::plain(1000));
        assert_eq!(text.lines().nth(3), Some(expected), "{text}");
    }
}

#[test]
fn a_knockout_names_its_champion_and_not_the_highest_rating() {
    let bots = ["a", "b", "c", "d"];
    let first_round = [(1, "a", "d", WON), (1, "b", "c", WON)];
    let unfinished = run(Format::Knockout, 1, &bots, &first_round);
    check(
        &unfinished,
        "The knockout is not finished: 2 of 4 bots are still in it. Next to be decided: final.",
    );
    let whole = run(Format::Knockout, 1, &bots, &[&first_round[..], &[(2, "b", "a", WON)]].concat());
    check(&whole, "`b` wins the knockout, with 2 : 0 against `a` in the final.");
    let level: Vec<_> = (2..6).map(|round| (round, "a", "b", DRAWN)).collect();
    let by_order = run(Format::Knockout, 1, &bots, &[&first_round[..], &level].concat());
    check(
        &by_order,
        "`a` wins the knockout by its earlier place in the file: the final against `b` stays level, 4 : 4.",
    );
}

#[test]
fn a_double_knockout_is_won_in_its_last_final() {
    let games = [(1, "a", "b", WON), (2, "b", "a", WON), (3, "b", "a", WON)];
    let run = |count: usize| run(Format::DoubleKnockout, 1, &["a", "b"], &games[..count]);
    check(
        &run(1),
        "The double knockout is not finished: 2 of 2 bots are still in it. Next to be decided: final.",
    );
    check(&run(3), "`b` wins the double knockout, with 2 : 0 against `a` in the second final.");
}

#[test]
fn a_swiss_names_its_winner_its_tie_break_or_its_tie() {
    let bots = ["a", "b", "c", "d"];
    let first = [(1, "a", "c", WON), (1, "b", "d", HALF)];
    let of =
        |rounds: u32, more: Meetings<'_>| run(Format::Swiss, rounds, &bots, &[&first[..], more].concat());
    check(&of(1, &[]), "`a` wins the Swiss with 2 points after 1 round, ahead of `b` with 1.5.");
    check(&of(2, &[]), "The Swiss is not finished: after 1 of 2 rounds `a` leads with 2 points.");
    let tied = run(Format::Swiss, 1, &bots, &[(1, "a", "c", DRAWN), (1, "b", "d", DRAWN)]);
    check(
        &tied,
        "`a`, `b`, `c` and `d` share first place in the Swiss, with 1 points after 1 round and equal tie-breaks.",
    );
}

#[test]
fn a_ladder_names_its_top() {
    let games = [(1, "a", "b", [GameResult::P2Win, GameResult::P1Win])];
    check(&run(Format::Ladder, 1, &["a", "b"], &games), "`b` stands at the top of the ladder after 1 round.");
    check(
        &run(Format::Ladder, 3, &["a", "b"], &games),
        "The ladder is not finished: in round 1 of 3 `b` stands at the top.",
    );
}

#[test]
fn a_gauntlet_names_what_its_seeds_scored() {
    let of = |seeds: &[&str], games: Meetings<'_>| {
        let mut contents = run(Format::Gauntlet, 1, &["a", "b", "c"], games);
        let seeds = seeds.iter().map(|seed| (*seed).to_owned()).collect();
        contents.runs[0].config.pairing = Some(PairingConfig { seeds, ..PairingConfig::default() });
        contents
    };
    let games = [(1, "a", "b", WON), (1, "a", "c", DRAWN)];
    check(&of(&["a"], &games), "`a` scores 3 of 4 points (75.0%) against the field.");
    check(
        &of(&["a"], &games[..1]),
        "The gauntlet is not finished: so far `a` scores 2 of 2 points (100.0%) against the field.",
    );
    let games = [(1, "a", "c", WON), (1, "b", "c", DRAWN)];
    check(
        &of(&["a", "b"], &games),
        "`a` scores best against the field: 2 of 2 points (100.0%), ahead of `b` with 50.0%.",
    );
}

#[test]
fn a_round_robin_names_its_winner_its_tie_or_its_leader() {
    let bots = ["a", "b", "c"];
    let games = [(1, "b", "a", WON), (1, "b", "c", HALF), (1, "a", "c", DRAWN)];
    check(
        &run(Format::RoundRobin, 2, &bots, &games),
        "The round robin is not finished: 6 of 12 games are played, and `b` leads with 3.5 of 4 points.",
    );
    let whole = run(Format::RoundRobin, 1, &bots, &games);
    let text = outcome(&RunReport::of(&summary(&whole)));
    assert!(text.starts_with("`b` wins the round robin with 3.5 of 4 points, 2 ahead of `c`."), "{text}");
    let tied = [(1, "a", "b", DRAWN), (1, "a", "c", DRAWN), (1, "b", "c", DRAWN)];
    check(
        &run(Format::RoundRobin, 1, &bots, &tied),
        "`a`, `b` and `c` share first place in the round robin, with 50.0% of the points each.",
    );
}

#[test]
fn two_bots_play_a_match() {
    check(&run(Format::RoundRobin, 1, &["a", "b"], &[(1, "b", "a", HALF)]), "`b` beats `a` 1.5 : 0.5.");
    check(
        &run(Format::RoundRobin, 1, &["a", "b"], &[(1, "b", "a", DRAWN)]),
        "`a` and `b` draw their match, 1 : 1.",
    );
    check(&run(Format::RoundRobin, 1, &["a", "b"], &[]), "No game has been played yet.");
}

#[test]
fn without_a_winner_of_its_own_the_highest_rating_is_named() {
    let mut list = run(Format::List, 1, &["a", "b"], &[(1, "b", "a", WON)]);
    list.runs[0].config.pairing = Some(PairingConfig {
        matches: vec![vec!["a".to_owned(), "b".to_owned()]],
        ..PairingConfig::default()
    });
    check(&list, "`b` has the highest rating of 2 bots, and scores 100.0% in 2 games.");
    list.runs.clear();
    let text = outcome(&RunReport::of(&summary(&list)));
    assert!(text.contains("`b` has the highest rating"), "{text}");
}

#[test]
fn the_time_of_play_leaves_pauses_out() {
    let mut contents = run(Format::RoundRobin, 1, &["a", "b"], &[(1, "b", "a", HALF)]);
    contents.games[0].started = "2026-11-21T09:30:05.123Z".to_owned();
    contents.games[1].started = "2026-11-23T10:00:00Z".to_owned();
    (contents.games[0].seconds, contents.games[1].seconds) = (90.0, 30.0);
    let time = PlayedTime::of(&summary(&contents)).expect("times");
    assert_eq!((time.date().as_str(), time.duration().as_str()), ("2026-11-21 09:30 UTC", "2 min 0 s"));
    contents.games.iter_mut().for_each(|game| game.started.clear());
    assert_eq!(PlayedTime::of(&summary(&contents)), None);
}
