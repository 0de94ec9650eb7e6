//! Losses on time that the machine may be to blame for are played again, where the tournament file says so.
#![cfg(target_os = "linux")]

use std::fs;

use record::{Contents, GameRecord, Termination};

use crate::resume::timeless;
use crate::workshop::{Workshop, wait_until};

/// A bot that plays its first legal ply, but in some games does what a busy machine does to it: its threads keep each
/// other waiting for the one processor that they have. `3:1` is once in game 3.
const BOT: &str = "\
import hashlib, os, sys, threading, time
def burn():
    while True:
        hashlib.sha256(bytes(1 << 20))
times = dict(word.split(':') for word in sys.argv[1:])
game = ''
for line in sys.stdin:
    word = line.split()[:1]
    if word == ['ugi']:
        print('protocol 1\\nplays *\\nwant legal\\nugiok', flush=True)
    elif word == ['isready']:
        print('readyok', flush=True)
    elif word == ['game']:
        game = dict(word.split('=') for word in line.split() if '=' in word).get('id', '')
    elif word == ['legal']:
        legal = line.split()[1:]
    elif word == ['go']:
        with open('burnt-' + game, 'a+') as burnt:
            if burnt.tell() < int(times.get(game, 0)):
                burnt.write('x')
                burnt.flush()
                os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
                for _ in range(4):
                    threading.Thread(target=burn, daemon=True).start()
                time.sleep(600)
        print('bestmove ' + legal[0], flush=True)
    elif word == ['quit']:
        break
";

/// A cup of four games, with the games in which the bot is held up. Without a sandbox: the bot writes notes beside itself,
/// and chooses its processor.
fn cup(held_up: &str, settings: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("bot.py", BOT);
    let text = format!(
        "games: [farook]\nbots:\n  - {{name: mine, cmd: [python3, bot.py, {held_up}]}}\n  - {{builtin: random}}\n\
         rounds: 2\ntc: movetime 2s\nconcurrency: 1\nsandbox: none\nout: out\n{settings}"
    );
    workshop.write("cup.yaml", &text);
    workshop
}

fn contents(workshop: &Workshop, directory: &str) -> Contents {
    record::read(&workshop.path(directory)).expect("the journal is whole")
}

fn numbers(games: &[GameRecord]) -> Vec<u64> {
    games.iter().map(|game| game.number).collect()
}

fn is_noisy(game: &GameRecord) -> bool {
    game.reason == Termination::Timeout && game.detail.as_deref().unwrap_or_default().contains("(noisy: ")
}

#[test]
fn what_the_machine_spoilt_is_played_again_and_counts_once() {
    let workshop = cup("'2:9', '3:1'", "replay-noisy: 2\nmax-faults: 2\n");
    let run = workshop.run(&["run", "cup.yaml"]).expect(0);
    let Contents { runs, games, void, .. } = contents(&workshop, "out");
    assert_eq!(
        (runs[0].format, runs[0].config.settings.replay_noisy),
        (record::FORMAT, std::num::NonZeroU32::new(2))
    );
    assert_eq!((numbers(&games), numbers(&void)), (vec![1, 2, 3, 4], vec![2, 2, 3]));
    assert!(void.iter().all(is_noisy), "{void:?}");
    // The last attempt counts, whatever becomes of it; void ones are no faults, or the bot would be withdrawn.
    assert!(is_noisy(&games[1]) && games.iter().filter(|game| is_noisy(game)).count() == 1, "{games:?}");
    assert!(matches!(games[2].reason, Termination::Rules(_)), "{:?}", games[2]);
    assert_eq!(void[2].plies[..2], games[2].plies[..2], "the opening is the same");
    assert_eq!(void[2].seats[0].seed, games[2].seats[0].seed);
    assert!(run.stderr.contains("game 2: void, since the machine kept the bot waiting"), "{}", run.stderr);
    assert!(run.stdout.contains("3 games of 2 pairs were void"), "{}", run.stdout);
    // Everything that is made of the journal counts the same games.
    assert_eq!(workshop.read("out/games.csv").lines().count(), 1 + 4);
    assert_eq!(workshop.read("out/games.pgn").matches("[GameNumber ").count(), 4);
    assert!(workshop.read("out/report.html").contains("Played again because the machine was late"));
    let rated = workshop.run(&["rate", "out/journal.jsonl", "--format", "json"]).expect(0).stdout;
    let rated: serde_json::Value = serde_json::from_str(&rated).expect("JSON");
    assert_eq!(rated["games"], 4);
    workshop.run(&["replay", "out"]).expect(0);
    workshop.run(&["compare", "out", "out"]).expect(0);
    let report = workshop.read("out/report.txt");
    workshop.run(&["report", "out"]).expect(0);
    assert_eq!(workshop.read("out/report.txt"), report);
    workshop.run(&["merge", "out", "-o", "merged"]).expect(0);
    assert_eq!(contents(&workshop, "merged").void, void);
    assert_eq!(workshop.read("merged/report.txt"), report);
    let mut pages: Vec<_> = fs::read_dir(workshop.path("out/faults"))
        .expect("pages")
        .map(|page| page.expect("a page").file_name().into_string().expect("a name"))
        .collect();
    pages.sort();
    assert_eq!(pages, ["2-void-1.txt", "2-void-2.txt", "2.txt", "3-void-1.txt"]);
}

#[test]
fn a_run_that_is_killed_between_two_attempts_goes_on_with_the_next_one() {
    let workshop = cup("'2:9', '3:1'", "replay-noisy: 1\n");
    let mut run = workshop.start(&["run", "cup.yaml"]);
    let has_void = || record::read(&workshop.path("out")).is_ok_and(|contents| !contents.void.is_empty());
    assert!(wait_until(has_void), "no game was void");
    run.kill().expect("it can be killed");
    run.wait().expect("it has ended");
    let before = contents(&workshop, "out");
    assert_eq!((numbers(&before.games), numbers(&before.void)), (vec![1], vec![2]));
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let after = contents(&workshop, "out");
    // The attempt before the kill counts as one: game 2 is noisy for good now.
    assert_eq!((numbers(&after.games), numbers(&after.void)), (vec![1, 2, 3, 4], vec![2, 3]));
    assert!(is_noisy(&after.games[1]));
    // A run that nothing happened to has the same games, but for the one that was given up.
    let quiet = cup("'2:0'", "");
    quiet.run(&["run", "cup.yaml"]).expect(0);
    let quiet = contents(&quiet, "out");
    assert_eq!((quiet.runs[0].format, quiet.void.len()), (record::FORMAT, 0));
    let others = |games: &[GameRecord]| {
        let digestless = games.iter().filter(|game| game.number != 2).cloned().map(|mut game| {
            game.seats.iter_mut().for_each(|seat| seat.digest.clear());
            game
        });
        timeless(&digestless.collect::<Vec<_>>())
    };
    assert_eq!(others(&after.games), others(&quiet.games));
}

#[test]
fn without_the_key_a_noisy_loss_stays_a_loss() {
    let workshop = cup("'1:1'", "");
    workshop.run(&["run", "cup.yaml", "--rounds", "1"]).expect(0);
    let Contents { games, void, .. } = contents(&workshop, "out");
    assert_eq!((numbers(&games), void.len()), (vec![1, 2], 0));
    assert!(is_noisy(&games[0]), "{:?}", games[0]);
}
