//! Formats beside the round robin, with real bots: who meets whom, and that nothing but results decides.

use std::collections::BTreeSet;

use record::GameRecord;
use rustix::process::{Pid, Signal, kill_process};

use crate::resume::{kill_in_the_middle, timeless, wait_for_games};
use crate::workshop::{Ended, Workshop};

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
    // The report follows the format through the journal by itself: both agree on who went on.
    assert!(!whole.stdout.contains("not finished"), "{}", whole.stdout);
    let one = workshop.games("one");
    assert_eq!(
        one.iter().map(|game| game.number).collect::<Vec<_>>(),
        (1..=one.len() as u64).collect::<Vec<_>>()
    );
    run("three", "3").expect(0);
    assert_eq!(timeless(&workshop.games("three")), timeless(&one));
    for kill in kills {
        let out = format!("killed-{kill}");
        let words = ["run", "cup.yaml", "--out", &out, "--concurrency", "2"];
        kill_in_the_middle(&workshop, &words, &out, kill, one.len());
        let again = run(&out, "2").expect(0);
        assert!(again.stderr.contains("resuming:"), "{}", again.stderr);
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
    assert!(grown.stderr.contains("resuming: 8 games are recorded, 6 are to be played"), "{}", grown.stderr);
    assert!(grown.stderr.contains("seeds: a, b instead of a\n"), "{}", grown.stderr);
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

#[test]
fn the_bracket_of_a_knockout_depends_on_results_only_not_on_concurrency_nor_on_a_kill() {
    check_feedback(&format!("{FILE}format: knockout\nrounds: 2\n"), [3, 9]);
}

#[test]
fn a_double_knockout_ends_with_one_winner_whatever_happens() {
    check_feedback(&format!("{FILE}format: double-knockout\n"), [5, 9]);
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &format!("{FILE}format: double-knockout\n"));
    let run = workshop.run(&["run", "cup.yaml"]).expect(0);
    for words in ["Bracket", "winners' round 1", "losers' round 2", "final", "Places: 1 `a`"] {
        assert!(run.stdout.contains(words), "{words}:\n{}", run.stdout);
    }
    assert!(!run.stdout.contains("not finished"), "{}", run.stdout);
    for (words, says) in [
        (["--rounds", "2"], "`rounds` was `1` and is now `2`"),
        (["--bots", "a,b,c,d"], "the field of a `double-knockout`"),
    ] {
        let refused = workshop.run(&[&["run", "cup.yaml"], &words[..]].concat()).expect(2);
        assert!(refused.stderr.contains(says), "{}", refused.stderr);
    }
}

#[test]
fn a_match_that_nobody_wins_ends_by_the_order_of_the_file() {
    let workshop = Workshop::new();
    // The same program with the same seed in both seats of each opening: only the order tells them apart.
    let file = "games: [{game: fanorona, options: {size: 3x3}}]\nbots: [{name: x, builtin: alphabeta}, {name: y, \
                builtin: alphabeta}]\ntc: depth 8\nformat: knockout\nout: out\n";
    workshop.write("cup.yaml", file);
    let run = workshop.run(&["run", "cup.yaml"]).expect(0);
    assert_eq!(workshop.games("out").len(), 2 * (1 + 3), "{}", run.stdout);
    assert!(
        run.stdout.contains("x *") && run.stdout.contains("* level after 3 more meetings than asked for"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("Places: 1 `x`, 2 `y`."), "{}", run.stdout);
}

#[test]
fn a_ladder_goes_on_with_newcomers() {
    let file = format!("{FILE}format: ladder\nrounds: 6\n");
    check_feedback(&file, [4, 15]);
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &file);
    workshop.run(&["run", "cup.yaml", "--bots", "a,b,c", "--rounds", "3"]).expect(0);
    let before = workshop.games("out");
    assert_eq!(before.len(), 3 * 2);
    let grown = workshop.run(&["run", "cup.yaml"]).expect(0);
    assert!(grown.stdout.contains("Ladder after round 6"), "{}", grown.stdout);
    let after = workshop.games("out");
    assert_eq!((&after[..6], after.len()), (&before[..], 6 + 3 * 2 * 2));
    let newcomers: BTreeSet<_> = after[6..].iter().map(|game| game.seats[0].bot.as_str()).collect();
    assert!(newcomers.contains("d") && newcomers.contains("e"), "{newcomers:?}");
}

#[test]
fn a_ladder_without_rounds_is_ended_by_an_interrupt_and_goes_on() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &format!("{FILE}format: ladder\n"));
    let child = workshop.start(&["run", "cup.yaml"]);
    wait_for_games(&workshop, "out", 9);
    kill_process(Pid::from_child(&child), Signal::INT).expect("the arena runs");
    let ended = Ended::new(child.wait_with_output().expect("it ends")).expect(130);
    assert!(ended.stdout.contains("Ladder after round"), "{}", ended.stdout);
    let words = ["plan", "cup.yaml", "--pairs"];
    let rest = workshop.run(&words).expect(0);
    assert!(rest.stdout.contains("results decide what follows"), "{}", rest.stdout);
}

#[test]
fn a_schedule_is_shown_with_what_it_takes_and_what_fits() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", FILE);
    let fresh = workshop.run(&["plan", "cup.yaml", "--pairs", "--concurrency", "1"]).expect(0);
    assert!(fresh.stdout.contains("cup: round-robin, 1 round, 0 games recorded, 20 games to be played"));
    assert_eq!(
        fresh.stdout.lines().filter(|line| line.contains("  round 1 ")).count(),
        10,
        "{}",
        fresh.stdout
    );
    assert!(fresh.stdout.contains("no time limits it"), "{}", fresh.stdout);
    let timed = ["plan", "cup.yaml", "--pairs", "--concurrency", "1", "--tc", "1000+10", "--rounds", "400"];
    let limited = workshop.run(&timed).expect(0);
    assert!(limited.stdout.contains("It rests on the time controls"), "{}", limited.stdout);
    let deadline = workshop.run(&[&timed[..], &["--deadline", "18:00"]].concat()).expect(0);
    assert!(deadline.stdout.contains("that is too short"), "{}", deadline.stdout);
    let wrong = workshop.run(&["plan", "cup.yaml", "--pairs", "--deadline", "soon"]).expect(2);
    assert!(wrong.stderr.contains("`--deadline` cannot be `soon`"), "{}", wrong.stderr);
    assert!(!workshop.path("out").exists(), "nothing is written");
    let old = workshop.run(&["schedule", "cup.yaml", "--concurrency", "1"]).expect(0);
    assert_eq!(old.stdout, fresh.stdout);
    assert!(old.stderr.contains("is called `arena plan FILE --pairs` now"), "{}", old.stderr);
    let brief = workshop.run(&["plan", "cup.yaml", "--deadline", "18:00", "--concurrency", "1"]).expect(0);
    assert!(
        brief.stdout.contains("20 games to be played") && !brief.stdout.contains("  round 1 "),
        "{}",
        brief.stdout
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let done = workshop.run(&["plan", "cup.yaml", "--pairs", "--deadline", "18:00"]).expect(0);
    assert!(done.stdout.ends_with("\nnothing is left to play\n"), "{}", done.stdout);
    let more =
        workshop.run(&["plan", "cup.yaml", "--pairs", "--rounds", "2", "--deadline", "18:00"]).expect(0);
    assert!(more.stdout.contains("20 games recorded, 20 games to be played"), "{}", more.stdout);
    assert!(more.stdout.contains("It rests on the length of 20 games that were played."), "{}", more.stdout);
}
