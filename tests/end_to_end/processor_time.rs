//! Clocks that count the processor time of a bot and everything that it started.
#![cfg(target_os = "linux")]

use record::Termination;

use crate::workshop::Workshop;

/// A bot that plays its first legal ply, once it has slept (`sleep`) or started a child that never rests (`burn`); or after
/// some milliseconds of work in every decision (`work`).
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
        end = time.process_time() + 0.002
        while sys.argv[1] == 'work' and time.process_time() < end:
            pass
        print('bestmove ' + legal[0], flush=True)
    elif word == ['quit']:
        break
";

fn play(what: &str) -> Workshop {
    play_with(what, "tc: 2, cpu\n")
}

fn play_with(what: &str, settings: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("bot.py", BOT);
    let text = format!(
        "games: [farook]\nbots:\n  - {{name: mine, cmd: [python3, bot.py, {what}]}}\n  - {{builtin: random}}\n\
         {settings}concurrency: 1\nout: out\n"
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
fn an_answer_that_comes_too_late_costs_all_the_time_there_is_where_the_game_goes_on() {
    // An answer is late already, and there before the first look at the clock, ten milliseconds after the question: some are,
    // however much else the machine has to do.
    let workshop = play_with("work", "tc: 0.01, cpu\nmargin: 0s\non-fail: random\n");
    let mut late = 0;
    for game in workshop.games("out") {
        assert!(matches!(game.reason, Termination::Rules(_)), "{:?} {:?}", game.reason, game.detail);
        let seat = game.seats.iter().position(|seat| seat.bot == "mine").expect("it sits there") + 1;
        let own: Vec<_> = game.plies.iter().filter(|ply| usize::from(ply.seat) == seat).collect();
        for pair in own.windows(2) {
            let (before, ply) = (pair[0].clock.unwrap_or(10), pair[1]);
            assert!(ply.clock.is_none_or(|clock| clock <= before), "nothing is added: {ply:?}");
            late += u32::from(ply.fallback && ply.us.is_some_and(|us| us / 1000 > before));
        }
    }
    assert!(late > 0, "no answer was read after its time");
    let told = workshop.run(&["replay", "out"]).expect(0).stdout;
    assert!(told.trim_end().ends_with("all hold"), "{told}");
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
