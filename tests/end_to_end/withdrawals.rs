//! Bots that fail again and again are withdrawn, by the numbers of their games and nothing else.

use record::{GameRecord, GameResult, Termination};

use crate::resume::timeless;
use crate::workshop::{Workshop, chaos};

/// A bot that ends whenever it is asked for its second ply.
const CRASHING: &str = "\
import sys
asked = 0
for line in sys.stdin:
    word = line.split()[:1]
    if word == ['ugi']:
        print('protocol 1\\nplays *\\nwant legal\\nugiok', flush=True)
    elif word == ['isready']:
        print('readyok', flush=True)
    elif word == ['legal']:
        legal = line.split()[1:]
    elif word == ['go']:
        asked += 1
        if asked == 2:
            sys.exit('I always end here')
        print('bestmove ' + legal[0], flush=True)
    elif word == ['quit']:
        break
";

/// Three bots, one of which fails in every game.
fn cup(bad: &str, settings: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("crashing.py", CRASHING);
    let text = format!(
        "games: [farook]\nbots:\n  - {{name: bad, cmd: {bad}}}\n  - {{builtin: random}}\n  - {{builtin: greedy}}\n\
         rounds: 3\ntc: movetime 20s\nout: out\n{settings}"
    );
    workshop.write("cup.yaml", &text);
    workshop
}

/// Returns the numbers of the games of a reason.
fn numbers(games: &[GameRecord], reason: Termination) -> Vec<u64> {
    games.iter().filter(|game| game.reason == reason).map(|game| game.number).collect()
}

fn has_bad(game: &GameRecord) -> bool {
    game.seats.iter().any(|seat| seat.bot == "bad")
}

#[test]
fn a_bot_that_always_crashes_is_withdrawn_at_any_concurrency() {
    let workshop = cup("[python3, crashing.py]", "max-faults: 3\n");
    let one = workshop.run(&["run", "cup.yaml", "--concurrency", "1", "--out", "one"]).expect(5);
    workshop.run(&["run", "cup.yaml", "--concurrency", "4", "--out", "four"]).expect(5);
    let games = workshop.games("one");
    assert_eq!(games.len(), 18);
    let bad: Vec<u64> = games.iter().filter(|game| has_bad(game)).map(|game| game.number).collect();
    assert_eq!(numbers(&games, Termination::Crash), bad[..3], "the first three of its games are lost");
    assert_eq!(numbers(&games, Termination::Withdrawn), bad[3..], "the others are not played");
    for game in games.iter().filter(|game| game.reason == Termination::Withdrawn) {
        assert_eq!((game.result, game.plies.len()), (GameResult::None, 0));
        assert_eq!(game.detail.as_deref(), Some("`bad` was withdrawn after 3 faults"));
    }
    assert!(one.stderr.contains("`bad` is withdrawn after 3 faults"), "{}", one.stderr);
    assert!(one.stdout.contains("Faults of each bot"), "{}", one.stdout);
    let row = one.stdout.lines().find(|line| line.starts_with("bad ") && line.ends_with("crash 3"));
    assert!(row.is_some_and(|row| row.contains(" 9 ")), "{}", one.stdout);
    let fates = |directory: &str| {
        let games = workshop.games(directory);
        games.iter().map(|game| (game.number, game.reason == Termination::Withdrawn)).collect::<Vec<_>>()
    };
    assert_eq!(fates("one"), fates("four"));
    // What is written can be checked and written again, and a finished run ends in the same way.
    workshop.run(&["replay", "one", "one/games.pgn"]).expect(0);
    workshop.run(&["run", "cup.yaml", "--out", "one"]).expect(5);
}

#[test]
fn a_run_that_goes_on_withdraws_the_same_games() {
    let workshop = cup("[python3, crashing.py]", "max-faults: 2\nconcurrency: 2\n");
    workshop.run(&["run", "cup.yaml"]).expect(5);
    let whole = workshop.games("out");
    let journal = workshop.read("out/journal.jsonl");
    let lines: Vec<_> = journal.lines().collect();
    for kept in 1..lines.len() {
        workshop.write("out/journal.jsonl", &(lines[..kept].join("\n") + "\n"));
        workshop.run(&["run", "cup.yaml"]).expect(5);
        let games = workshop.games("out");
        assert_eq!(games.len(), whole.len(), "after {kept} lines");
        assert_eq!(
            numbers(&games, Termination::Withdrawn),
            numbers(&whole, Termination::Withdrawn),
            "after {kept} lines"
        );
    }
}

#[test]
fn without_a_limit_every_game_is_played_and_two_bots_have_none() {
    let workshop = cup("[python3, crashing.py]", "max-faults: none\n");
    workshop.run(&["run", "cup.yaml"]).expect(0);
    assert_eq!(numbers(&workshop.games("out"), Termination::Crash).len(), 12);
    let plan = workshop.run(&["plan", "cup.yaml", "--bots", "bad,random"]).expect(0);
    assert!(!plan.stdout.contains("max-faults"), "{}", plan.stdout);
    workshop.write("usual.yaml", &workshop.read("cup.yaml").replace("max-faults: none\n", ""));
    let plan = workshop.run(&["plan", "usual.yaml"]).expect(0);
    assert!(plan.stdout.contains("max-faults 20"), "{}", plan.stdout);
}

#[test]
fn a_bot_that_dodges_by_refusing_games_is_withdrawn() {
    let workshop = cup(&chaos("reject"), "max-faults: 2\nconcurrency: 1\n");
    workshop.run(&["run", "cup.yaml"]).expect(5);
    let games = workshop.games("out");
    // Two refusals are free, two are faults.
    assert_eq!(numbers(&games, Termination::Rejected).len(), 4);
    assert_eq!(numbers(&games, Termination::Withdrawn).len(), 8);
    assert!(games.iter().filter(|game| has_bad(game)).all(|game| game.failed.is_some()));
}

#[test]
fn a_new_version_of_a_bot_starts_without_faults() {
    let workshop = cup("[python3, crashing.py]", "max-faults: 1\n");
    workshop.run(&["run", "cup.yaml", "--rounds", "1"]).expect(5);
    workshop.write("crashing.py", &CRASHING.replace("asked == 2", "asked == 2000"));
    workshop.run(&["run", "cup.yaml", "--rounds", "1"]).expect(5);
    let games = workshop.games("out");
    assert_eq!(games.len(), 6 + 4);
    assert_eq!(numbers(&games, Termination::Withdrawn).len(), 3, "those of the old version");
}

#[test]
fn nothing_counts_where_every_game_is_withdrawn_or_refused() {
    let workshop = Workshop::new();
    let bad = chaos("reject");
    workshop.write(
        "cup.yaml",
        &format!("games: [farook]\nbots: [{{builtin: random}}, {{name: bad, cmd: {bad}}}]\nrounds: 3\nmax-faults: 1\nout: out\n"),
    );
    workshop.run(&["run", "cup.yaml"]).expect(3);
    assert_eq!(workshop.games("out").len(), 6);
}

#[test]
fn a_bot_that_cannot_start_is_left_out_where_that_is_wanted() {
    let workshop = cup("[python3, late.py]", "");
    let start = "import os, sys\nif not os.path.exists('ready'):\n    sys.exit('I do not start')\n";
    workshop.write("late.py", &(start.to_owned() + &CRASHING.replace("asked == 2", "False")));
    let stopped = workshop.run(&["run", "cup.yaml"]).expect(3);
    for word in ["bot `bad` cannot play", "exit 1", "late.py", "I do not start", "--on-start-failure skip"] {
        assert!(stopped.stderr.contains(word), "{word}: {}", stopped.stderr);
    }
    assert!(workshop.games("out").is_empty());
    let skipped = workshop.run(&["run", "cup.yaml", "--on-start-failure", "skip"]).expect(5);
    assert!(skipped.stderr.contains("12 games left, without `bad`"), "{}", skipped.stderr);
    let before = timeless(&workshop.games("out"));
    assert_eq!(before.len(), 6);
    // Once it starts, its games are played.
    workshop.write("ready", "");
    workshop.run(&["run", "cup.yaml", "--on-start-failure", "skip"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 18);
    assert!(before.iter().all(|line| timeless(&games).contains(line)));
}
