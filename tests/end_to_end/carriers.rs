//! Bots without a loop (`arena wrap`) and bots that connect to a port (`io: tcp`).

use std::io::Write as _;
use std::process::Stdio;

use record::Termination;

use crate::workshop::{Ended, Workshop};

/// A student's bot: no loop, no protocol.
const FIRST_PLY: &str = "#!/bin/sh\nread -r board\nread -r word ply rest\nread -r budget\necho \"$ply\"\n";

/// A bot that talks over its port and prints what it likes.
const OVER_TCP: &str = "import os, socket, sys\n\
    print('hello from the prints', flush=True)\n\
    stream = socket.create_connection(('127.0.0.1', int(os.environ['ABP_PORT']))).makefile('rw', newline='\\n')\n\
    legal = []\n\
    for line in stream:\n    \
        word, *rest = line.split() or ['']\n    \
        answer = {'ugi': 'protocol 1\\nwant legal\\nugiok', 'isready': 'readyok'}.get(word)\n    \
        if word == 'legal': legal = rest\n    \
        if word == 'go':\n        \
            print('bestmove nonsense', flush=True)\n        \
            answer = 'bestmove ' + legal[0]\n    \
        if word == 'quit': break\n    \
        if answer:\n        \
            stream.write(answer + '\\n')\n        \
            stream.flush()\n";

#[track_caller]
fn holds(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "no `{word}` in:\n{text}");
    }
}

fn executable(workshop: &Workshop, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let path = workshop.write(name, text);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("a mode");
}

/// Plays a program that is wrapped against a bot of the arena.
fn wrap(workshop: &Workshop, program: &str, settings: &str) -> Ended {
    executable(workshop, "oneshot", program);
    let text = format!(
        "games: [farook, 2-frenzy]\nbots:\n  - {{name: honest, builtin: random}}\n  \
         - {{name: student, cmd: ['{}', wrap, --exec, ./oneshot]}}\nconcurrency: 1\nout: out\n{settings}",
        crate::workshop::executable()
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"])
}

#[test]
fn a_program_without_a_loop_plays_whole_games() {
    let workshop = Workshop::new();
    wrap(&workshop, FIRST_PLY, "tc: 60\ntranscripts: true\n").expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| matches!(game.reason, Termination::Rules(_))), "{games:?}");
    holds(&workshop.read("out/transcripts/1.txt"), &["< id name oneshot", "< want board legal", "> board "]);
}

#[test]
fn a_program_that_takes_too_long_is_killed_and_the_next_game_goes_on() {
    let workshop = Workshop::new();
    // It sleeps over its first board, also where that game is void since the machine was late, and played again.
    let script = "#!/bin/sh\nread -r board\n[ -e slept ] || printf %s \"$board\" > slept\n\
                  [ \"$board\" != \"$(cat slept)\" ] || exec sleep 3600\nread -r word ply rest\necho \"$ply\"\n";
    let ended = wrap(&workshop, script, "tc: movetime 5s\nsandbox: {write: [.]}\n").expect(0);
    let games = workshop.games("out");
    assert_eq!(games[0].reason, Termination::Timeout, "{:?}", games[0].detail);
    assert!(games[1..].iter().all(|game| matches!(game.reason, Termination::Rules(_))), "{games:?}");
    holds(&ended.stderr, &["the program was killed: its time was over"]);
}

#[test]
fn what_a_program_does_wrong_is_said() {
    for (script, reason, words) in [
        ("#!/bin/sh\necho oops >&2\nexit 3\n", Termination::BadMove, "ended (exit status: 3) without a word"),
        ("#!/bin/sh\necho '!?'\n", Termination::BadMove, "first word, `!?`, is not a ply"),
        (
            "#!/bin/sh\necho Wa1\n",
            Termination::IllegalMove,
            "first word, `Wa1`, is not one of the legal plies",
        ),
    ] {
        let workshop = Workshop::new();
        wrap(&workshop, script, "tc: 60\n").expect(0);
        let game = &workshop.games("out")[0];
        assert_eq!(game.reason, reason, "{script}: {:?}", game.detail);
        holds(&workshop.read(&format!("out/faults/{}.txt", game.number)), &[words]);
    }
}

#[test]
fn a_program_that_is_not_there_is_told_before_the_first_game() {
    let workshop = Workshop::new();
    let missing = workshop.run(&["wrap", "--exec", "./no-such-program"]).expect(2);
    holds(&missing.stderr, &["there is no program `./no-such-program`", "hint"]);
    workshop.run(&["wrap", "--exec", "'open"]).expect(2);
    workshop.run(&["wrap"]).expect(2);
}

#[test]
fn a_wrapped_program_can_be_talked_to_by_hand() {
    let workshop = Workshop::new();
    workshop.write(
        "one.py",
        "import sys\nlines = sys.stdin.read().split('\\n')\nprint(lines[1].split()[-1], lines[2])\n",
    );
    let mut arena = workshop.arena(&["wrap", "--exec", "python3", "--", "one.py"]);
    let mut child = arena.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let lines = "ugi\ngame x you=p1\nuginewgame\nisready\nposition startpos\nboard 1 p1\nlegal a1 b2\ngo budget=5 id=9\n";
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(lines.as_bytes()).expect("it reads");
    let mut output = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    while !text.contains("bestmove") {
        let count = std::io::BufRead::read_line(&mut output, &mut text).expect("it writes");
        assert!(count > 0, "{text}");
    }
    assert_eq!(text, "id name one\nprotocol 1\nwant board legal\nugiok\nreadyok\nbestmove b2 id=9\n");
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_bot_may_talk_over_a_port_and_print_what_it_likes() {
    let workshop = Workshop::new();
    workshop.write("over_tcp.py", OVER_TCP);
    let text = "games: [farook, sophia]\nbots:\n  - {name: honest, builtin: random}\n  \
                - {name: tcp, cmd: [python3, over_tcp.py], io: tcp}\ntc: 60\nout: out\nrestart: always\n";
    workshop.write("cup.yaml", text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| matches!(game.reason, Termination::Rules(_))), "{games:?}");
    let words = ["match", "random", "python3 over_tcp.py", "--game", "farook", "--io", "tcp"];
    workshop.run(&words).expect(0);
    let refused = workshop.run(&[&words[..6], &["carrier-pigeon"]].concat()).expect(2);
    holds(&refused.stderr, &["carrier-pigeon", "`pipe`, `tcp`"]);
}

#[test]
fn a_bot_that_does_not_connect_is_told_before_the_first_game() {
    let workshop = Workshop::new();
    for (script, words) in [
        (
            "import sys\nprint('no port for me', flush=True)\nsys.exit(2)\n",
            ["process ended (exit 2) before `ugiok`", "no port for me"],
        ),
        (
            "import time\nprint('I sleep', flush=True)\ntime.sleep(3600)\n",
            ["did not connect to the port", "I sleep"],
        ),
    ] {
        workshop.write("bad.py", script);
        let text = "games: [farook]\nbots: [{builtin: random}, {name: bad, cmd: [python3, bad.py], io: tcp}]\nout: out\n";
        workshop.write("cup.yaml", text);
        let ended = workshop.run(&["run", "cup.yaml"]).expect(3);
        holds(&ended.stderr, &words);
    }
}

#[test]
fn strangers_are_not_taken_for_the_bot() {
    let workshop = Workshop::new();
    // The bot tells its port and connects only once a stranger of another group has been turned away.
    let script = "import os, subprocess, sys\n\
        stranger = 'import os, socket, sys\\n\
            s = socket.create_connection((\"127.0.0.1\", int(os.environ[\"ABP_PORT\"])))\\n\
            s.sendall(b\"protocol 1\\\\nugiok\\\\n\")\\n\
            s.settimeout(8)\\n\
            sys.exit(0 if s.recv(1) == b\"\" else 1)\\n'\n\
        code = subprocess.run([sys.executable, '-c', stranger], start_new_session=True).returncode\n\
        print('turned away' if code == 0 else 'taken', flush=True)\n";
    workshop.write("bot.py", &format!("{script}{OVER_TCP}"));
    let text = "games: [farook]\nbots:\n  - {name: honest, builtin: random}\n  \
                - {name: tcp, cmd: [python3, bot.py], io: tcp}\ntc: 60\nout: out\n";
    workshop.write("cup.yaml", text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    assert!(workshop.games("out").iter().all(|game| matches!(game.reason, Termination::Rules(_))));
}
