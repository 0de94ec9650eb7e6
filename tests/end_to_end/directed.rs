//! Meetings chosen by the results, with real bots: what settles the question, and that nothing but results decides.

use std::collections::BTreeMap;

use record::GameRecord;

use crate::resume::{kill_in_the_middle, timeless};
use crate::workshop::{Workshop, unsealed};

const FILE: &str = "\
name: who is best
games: [farook, {game: fanorona, options: {size: 5x5}}]
bots:
  - {name: random, builtin: random}
  - {name: ab-deep, builtin: alphabeta, tc: depth 4}
  - {name: greedy, builtin: greedy}
  - {name: ab, builtin: alphabeta, tc: depth 1}
openings: {plies: 4}
rounds: 12
tc: nodes 100
seed: 3
";

/// How often every two bots have met.
fn meetings(games: &[GameRecord]) -> BTreeMap<[&str; 2], usize> {
    let mut meetings = BTreeMap::new();
    for game in games {
        let mut bots = [game.seats[0].bot.as_str(), game.seats[1].bot.as_str()];
        bots.sort_unstable();
        *meetings.entry(bots).or_default() += 1;
    }
    meetings
}

/// Fails at the first game that differs, times aside, and shows from where on.
#[track_caller]
fn assert_same(one: &[GameRecord], other: &[GameRecord]) {
    for (number, (one, other)) in (1..).zip(timeless(one).iter().zip(&timeless(other))) {
        let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
        let rest = |text: &str| text.get(same.saturating_sub(60)..).unwrap_or(text).to_owned();
        assert!(one == other, "game {number}:\n{}\n{}", rest(one), rest(other));
    }
    assert_eq!(one.len(), other.len());
}

/// What is said to be proved: the lines before the tables.
fn proofs(stdout: &str) -> Vec<&str> {
    stdout.lines().take_while(|line| !line.starts_with('#')).collect()
}

#[test]
fn the_best_bot_is_settled_in_few_games_and_the_report_says_so() {
    let workshop = Workshop::new();
    workshop.write("best.yaml", FILE);
    let best = workshop.run(&["run", "best.yaml", "--schedule", "best", "--out", "best"]).expect(0);
    assert!(best.stdout.contains("The best bot is settled after"), "{}", best.stdout);
    assert!(best.stdout.contains("`ab-deep` is stronger than every other"), "{}", best.stdout);
    assert!(best.stdout.contains("round-robin, schedule best"), "{}", best.stdout);
    let games = workshop.games("best");
    assert!(games.len() < 12 * 6 * 2 * 2 / 2, "{} games", games.len());
    // Whole meetings: a pair in each game, numbered without gaps.
    let numbers: Vec<u64> = games.iter().map(|game| game.number).collect();
    assert_eq!(numbers, (1..=games.len() as u64).collect::<Vec<_>>());
    assert!(meetings(&games).values().all(|games| games % 4 == 0), "{:?}", meetings(&games));
    let again = workshop.run(&["run", "best.yaml", "--schedule", "best", "--out", "best"]).expect(0);
    assert!(again.stderr.contains("nothing is left to play"), "{}", again.stderr);
    let report = workshop.run(&["report", "best"]).expect(0);
    assert!(report.stdout.contains("The best bot is settled after"), "{}", report.stdout);
}

#[test]
fn the_games_depend_on_results_only_not_on_concurrency_nor_on_a_kill() {
    let workshop = Workshop::new();
    workshop.write("rank.yaml", &format!("{FILE}schedule: rank\n"));
    let run = |out: &str, concurrency: &str| {
        workshop.run(&["run", "rank.yaml", "--rounds", "3", "--out", out, "--concurrency", concurrency])
    };
    let whole = run("one", "1").expect(0);
    let one = workshop.games("one");
    run("four", "4").expect(0);
    assert_same(&one, &workshop.games("four"));
    for kill in [5, one.len() / 2] {
        let out = format!("killed-{kill}");
        let words = ["run", "rank.yaml", "--rounds", "3", "--out", &out, "--concurrency", "3"];
        kill_in_the_middle(&workshop, &words, &out, kill, one.len());
        let again = run(&out, "2").expect(0);
        assert!(again.stderr.contains("resuming:"), "{}", again.stderr);
        assert_same(&one, &workshop.games(&out));
        assert_eq!(proofs(&again.stdout), proofs(&whole.stdout));
    }
}

#[test]
fn a_run_grows_by_rounds_and_bots_and_keeps_its_question() {
    let workshop = Workshop::new();
    workshop.write("rank.yaml", &format!("{FILE}schedule: rank\nout: out\n"));
    workshop.run(&["run", "rank.yaml", "--rounds", "1", "--bots", "random,greedy,ab"]).expect(0);
    let before = workshop.games("out");
    assert_eq!(before.len(), 3 * 2 * 2);
    let grown = workshop.run(&["run", "rank.yaml", "--rounds", "2"]).expect(0);
    for line in ["rounds: 2 instead of 1", "new bot: ab-deep", "at most 36 are to be played"] {
        assert!(grown.stderr.contains(line), "{}", grown.stderr);
    }
    let after = workshop.games("out");
    assert_same(&after[..before.len()], &before);
    assert_eq!(after.len(), 2 * 6 * 2 * 2);
    assert!(after.iter().any(|game| game.seats[0].bot == "ab-deep"));
    let refused = workshop.run(&["run", "rank.yaml", "--schedule", "best"]).expect(2);
    assert!(
        refused.stderr.contains("`schedule` was `rank:0.05` and is now `best:0.05`"),
        "{}",
        refused.stderr
    );
    let refused = workshop.run(&["run", "rank.yaml", "--games", "farook"]).expect(2);
    assert!(refused.stderr.contains("the list of games"), "{}", refused.stderr);
}

#[test]
fn a_journal_that_does_not_follow_its_schedule_is_refused() {
    let workshop = Workshop::new();
    workshop.write("rank.yaml", &format!("{FILE}schedule: rank\nout: out\n"));
    workshop.run(&["run", "rank.yaml", "--rounds", "1"]).expect(0);
    let journal = unsealed(&workshop.read("out/journal.jsonl"));
    workshop.write("out/journal.jsonl", &journal.replacen("\"round\":1", "\"round\":3", 1));
    let refused = workshop.run(&["run", "rank.yaml", "--rounds", "1"]).expect(4);
    assert!(refused.stderr.contains("does not follow its schedule: game"), "{}", refused.stderr);
}
