//! Formats beside the round robin, with real bots: who meets whom, and that nothing but results decides.

use std::collections::BTreeSet;

use record::GameRecord;

use crate::resume::{timeless, wait_for_games};
use crate::workshop::Workshop;

const FILE: &str = "\
name: cup
games: [farook]
bots:
  - {name: a, builtin: alphabeta}
  - {name: b, builtin: greedy}
  - {name: c, builtin: random}
  - {name: d, builtin: random}
  - {name: e, builtin: greedy}
tc: nodes 100
seed: 4
out: out
";

/// Who met in which round.
fn meetings(games: &[GameRecord]) -> BTreeSet<(u32, String)> {
    let meeting = |game: &GameRecord| {
        let mut bots = [game.seats[0].bot.as_str(), game.seats[1].bot.as_str()];
        bots.sort_unstable();
        (game.round, bots.concat())
    };
    games.iter().map(meeting).collect()
}

/// Plays a file whole, at another concurrency, and killed at two places: always the same games.
#[track_caller]
fn check_feedback(file: &str, kills: [usize; 2]) {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", file);
    let run = |out: &str, concurrency: &str| {
        workshop.run(&["run", "cup.yaml", "--out", out, "--concurrency", concurrency])
    };
    let whole = run("one", "1").expect(0);
    let one = workshop.games("one");
    assert_eq!(
        one.iter().map(|game| game.number).collect::<Vec<_>>(),
        (1..=one.len() as u64).collect::<Vec<_>>()
    );
    run("three", "3").expect(0);
    assert_eq!(timeless(&workshop.games("three")), timeless(&one));
    for kill in kills {
        let out = format!("killed-{kill}");
        let mut child = workshop.start(&["run", "cup.yaml", "--out", &out, "--concurrency", "2"]);
        wait_for_games(&workshop, &out, kill);
        child.kill().expect("the arena runs");
        child.wait().expect("it is killed");
        assert!(workshop.games(&out).len() < one.len(), "it was killed in the middle");
        let again = run(&out, "2").expect(0);
        assert!(again.stderr.contains("going on:"), "{}", again.stderr);
        assert_eq!(timeless(&workshop.games(&out)), timeless(&one));
        let table = |text: &str| text.split("\nRatings\n").next().map(str::to_owned);
        assert_eq!(table(&again.stdout), table(&whole.stdout));
    }
    let done = run("one", "1").expect(0);
    assert!(done.stderr.contains("nothing is left to play"), "{}", done.stderr);
}

#[test]
fn in_a_gauntlet_the_seeds_meet_the_field_and_a_new_seed_joins() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &format!("{FILE}format: gauntlet\nseeds: [a]\n"));
    let run = workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    let of_seed = ["ab", "ac", "ad", "ae"].map(|bots| (1, bots.to_owned()));
    assert_eq!((games.len(), meetings(&games)), (8, of_seed.into()));
    assert!(run.stdout.contains("Points of the seeds against the field"), "{}", run.stdout);
    assert!(!run.stdout.contains("not finished"), "{}", run.stdout);
    let grown = workshop.run(&["run", "cup.yaml", "--seeds", "a,b"]).expect(0);
    assert!(grown.stderr.contains("going on: 8 games are recorded, 6 are to be played"), "{}", grown.stderr);
    let both = meetings(&workshop.games("out"));
    assert_eq!(
        both.iter().map(|(_, bots)| bots.as_str()).collect::<Vec<_>>(),
        ["ab", "ac", "ad", "ae", "bc", "bd", "be"]
    );
}

#[test]
fn a_list_is_played_as_it_stands() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &format!("{FILE}format: list\nmatches: [[d, c], [a, e]]\nrounds: 2\n"));
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    let seats: Vec<_> =
        games.iter().map(|game| game.seats.each_ref().map(|seat| seat.bot.as_str())).collect();
    let round = [["d", "c"], ["c", "d"], ["a", "e"], ["e", "a"]];
    assert_eq!(seats, [round, round].concat());
}

#[test]
fn the_rounds_of_a_swiss_depend_on_results_only_not_on_concurrency_nor_on_a_kill() {
    check_feedback(&format!("{FILE}format: swiss\nrounds: 4\n"), [2, 9]);
}

#[test]
fn a_swiss_grows_by_rounds_but_not_by_bots() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &format!("{FILE}format: swiss\n"));
    let run = workshop.run(&["run", "cup.yaml", "--rounds", "2"]).expect(0);
    assert!(run.stdout.contains("Swiss table after 2 of 2 rounds"), "{}", run.stdout);
    let before = workshop.games("out");
    assert_eq!(before.len(), 2 * 2 * 2);
    // Three rounds of five bots are what the number of bots asks for.
    let grown = workshop.run(&["run", "cup.yaml"]).expect(0);
    assert!(grown.stdout.contains("Swiss table after 3 of 3 rounds"), "{}", grown.stdout);
    let after = workshop.games("out");
    assert_eq!((after.len(), &after[..before.len()]), (12, &before[..]));
    assert_eq!(meetings(&after).iter().map(|(_, bots)| bots).collect::<BTreeSet<_>>().len(), 6);
    let fewer = workshop.run(&["run", "cup.yaml", "--rounds", "1"]).expect(0);
    assert!(fewer.stderr.contains("nothing is left to play"), "{}", fewer.stderr);
    assert_eq!(workshop.games("out").len(), after.len());
    let refused = workshop.run(&["run", "cup.yaml", "--bots", "a,b,c,d"]).expect(2);
    assert!(refused.stderr.contains("the field of a `swiss`"), "{}", refused.stderr);
}
