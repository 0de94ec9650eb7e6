//! Clocks that count the processor time of a bot and everything that it started.
#![cfg(target_os = "linux")]

use record::Termination;

use crate::workshop::Workshop;

/// A bot that plays its first legal ply, once it has slept (`sleep`) or started a child that never rests (`burn`).
const BOT: &str = "\
import subprocess, sys, time
for line in sys.stdin:
    word = line.split()[:1]
    if word == ['ugi']:
        print('protocol 1\\nplays *\\nwant legal\\nugiok', flush=True)
    elif word == ['isready']:
        print('readyok', flush=True)
    elif word == ['uginewgame']:
        asked = 0
    elif word == ['legal']:
        legal = line.split()[1:]
    elif word == ['go']:
        asked += 1
        if asked == 1 and sys.argv[1] == 'sleep':
            time.sleep(4)
        if asked == 1 and sys.argv[1] == 'burn':
            subprocess.run([sys.executable, '-c', 'while True: pass'])
        print('bestmove ' + legal[0], flush=True)
    elif word == ['quit']:
        break
";

fn play(what: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("bot.py", BOT);
    let text = format!(
        "games: [farook]\nbots:\n  - {{name: mine, cmd: [python3, bot.py, {what}]}}\n  - {{builtin: random}}\n\
         tc: 2, cpu\nconcurrency: 1\nout: out\n"
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    workshop
}

#[test]
fn a_bot_that_sleeps_pays_nothing() {
    let workshop = play("sleep");
    for game in workshop.games("out") {
        assert!(matches!(game.reason, Termination::Rules(_)), "{:?} {:?}", game.reason, game.detail);
        let spent: u64 = game.plies.iter().filter_map(|ply| ply.us).sum();
        assert!(spent < 2_000_000, "it slept for four seconds, and {spent} microseconds are charged");
    }
    workshop.run(&["replay", "out"]).expect(0);
}

#[test]
fn a_bot_whose_child_never_rests_loses_on_time() {
    let games = play("burn").games("out");
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!(game.reason, Termination::Timeout);
        let detail = game.detail.unwrap_or_default();
        assert!(detail.starts_with("overran its clock by "), "{detail}");
        assert!(!detail.contains("noisy"), "{detail}");
    }
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let workshop = Workshop::new();
    let text = "games: [farook]\nbots: [{name: far, cmd: [sh], io: tcp}, {builtin: random}]\n";
    workshop.write("cup.yaml", text);
    let told = workshop.run(&["plan", "cup.yaml", "--tc", "2+0.1, cpu"]).expect(2).stderr;
    assert!(told.contains("the clock of `far` counts processor time (`cpu`)"), "{told}");
    workshop.run(&["plan", "cup.yaml", "--tc", "2+0.1"]).expect(0);
    let told = workshop.run(&["plan", "cup.yaml", "--tc", "nodes 5, cpu"]).expect(2).stderr;
    assert!(told.contains("`cpu` says what a clock or a `movetime` counts, and there is neither"), "{told}");
}
