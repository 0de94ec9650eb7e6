//! The full-screen view, in a terminal that is none: what it shows, its keys, and that it gives the terminal back.

use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use vt100::Parser;

use crate::own_games::with_telo;
use crate::workshop::{Workshop, chaos, wait_until};

const CUP: &str = "\
name: cup
games: [farook]
bots:
  - {name: ab, builtin: alphabeta}
  - {name: greedy, builtin: greedy}
rounds: 4000
tc: nodes 300
seed: 5
concurrency: 2
out: out
";

/// A terminal with an arena on it.
struct Seat {
    /// Where keys go in.
    keys: File,
    /// The side of the arena.
    user: OwnedFd,
    screen: Arc<Mutex<Parser>>,
    /// Everything that was written to the terminal.
    written: Arc<Mutex<Vec<u8>>>,
    child: Child,
}

impl Seat {
    /// Starts the executable on a terminal of its own.
    fn new(workshop: &Workshop, words: &[&str], (rows, columns): (u16, u16)) -> Self {
        let (main, user) = terminal((rows, columns));
        let child = start(workshop, words, &user);
        let screen = Arc::new(Mutex::new(Parser::new(rows, columns, 0)));
        let (shown, mut output) = (Arc::clone(&screen), File::from(main.try_clone().expect("a descriptor")));
        let written = Arc::new(Mutex::new(Vec::new()));
        let bytes = Arc::clone(&written);
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut chunk) {
                shown.lock().expect("nobody panicked").process(&chunk[..count]);
                bytes.lock().expect("nobody panicked").extend_from_slice(&chunk[..count]);
            }
        });
        Self { keys: File::from(main), user, screen, written, child }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    fn shown(&self) -> String {
        self.screen.lock().expect("nobody panicked").screen().contents()
    }

    #[track_caller]
    fn shows(&self, text: &str) {
        assert!(wait_until(|| self.shown().contains(text)), "no `{text}` in\n{}", self.shown());
    }

    fn is_cooked(&self) -> bool {
        let modes = tcgetattr(&self.user).expect("a terminal").local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    }

    fn is_full_screen(&self) -> bool {
        self.screen.lock().expect("nobody panicked").screen().alternate_screen()
    }

    /// Waits for the end, with this code, and checks that the terminal is as it was.
    #[track_caller]
    fn ends(&mut self, code: i32) {
        assert_eq!(self.child.wait().expect("it ends").code(), Some(code), "{}", self.shown());
        assert!(self.is_cooked(), "the terminal is not as it was");
        assert!(wait_until(|| !self.is_full_screen()), "the screen was not given back");
    }
}

/// Returns both sides of a new terminal: that of its keys and its picture, and that of the arena.
fn terminal(size: (u16, u16)) -> (OwnedFd, OwnedFd) {
    let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
    grantpt(&main).and_then(|()| unlockpt(&main)).expect("its other side");
    let name = ptsname(&main, Vec::new()).expect("its name");
    let user = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("its other side");
    resize(&user, size);
    (main, user)
}

/// Starts the executable on a terminal.
fn start(workshop: &Workshop, words: &[&str], user: &OwnedFd) -> Child {
    let side = || Stdio::from(user.try_clone().expect("a descriptor"));
    let mut command = workshop.arena(words);
    command.stdin(side()).stdout(side()).stderr(side());
    command.env("TERM", "xterm-256color").env("LC_ALL", "C");
    command.spawn().expect("the executable starts")
}

fn resize(user: &OwnedFd, (rows, columns): (u16, u16)) {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(user, size).expect("a terminal");
}

#[test]
fn keys_look_pause_and_stop_and_the_terminal_is_given_back() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    let mut seat = Seat::new(&workshop, &["run", "cup.yaml", "--tui"], (24, 80));
    seat.shows("games in progress: 2");
    assert!(seat.is_full_screen() && !seat.is_cooked());
    seat.shows("standings (s)");
    seat.press("+");
    seat.shows("concurrency 3");
    seat.press("p");
    seat.shows("PAUSED");
    seat.shows("0 in progress, concurrency 3");
    let count = workshop.games("out").len();
    seat.press("?");
    seat.shows("page up, page down");
    seat.press("\u{1b}");
    seat.shows("games in progress: 0");
    assert_eq!(workshop.games("out").len(), count);
    seat.press("p");
    seat.shows("concurrency 3");
    assert!(wait_until(|| workshop.games("out").len() > count));
    seat.press("q");
    seat.ends(130);
    // What was told on the screen, and the usual page.
    seat.shows("to continue:");
}

#[test]
fn a_run_ends_when_its_terminal_goes_away() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    let (main, user) = terminal((24, 80));
    let mut child = start(&workshop, &["run", "cup.yaml", "--tui"], &user);
    drop(user);
    let (mut output, mut written, mut chunk) = (File::from(main), Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&written).contains("standings (s)") {
        let count = output.read(&mut chunk).expect("the screen is drawn");
        written.extend_from_slice(&chunk[..count]);
    }
    drop(output);
    // The system sends this to the processes of a terminal that goes away; here the arena has none of its own.
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::HUP).expect("it plays");
    let has_ended = wait_until(|| child.try_wait().expect("it is a child").is_some());
    if !has_ended {
        child.kill().expect("it is a child");
    }
    assert!(has_ended, "the run goes on without its terminal");
}

#[test]
fn a_game_of_ones_own_has_its_board_on_the_screen() {
    let workshop = with_telo();
    // Counting the openings of so many rounds would take rules in Python long.
    let cup = "games: [{rules: [python3, telo.py]}]\nrounds: 400\nopenings: {plies: 0, repeat: true}\nconcurrency: 1\nout: out\n";
    let bots = "bots: [{name: one, builtin: random}, {name: two, builtin: random}]\n";
    workshop.write("cup.yaml", &format!("{cup}{bots}"));
    let mut seat = Seat::new(&workshop, &["run", "cup.yaml", "--tui"], (24, 80));
    seat.shows("    a   b   c");
    seat.press("q");
    seat.ends(130);
}

#[test]
fn a_signal_that_ends_the_arena_at_once_gives_the_terminal_back() {
    let workshop = Workshop::new();
    let bots = format!("  - {{name: hang, cmd: {}}}\n", chaos("hang"));
    let cup = CUP.replace("  - {name: greedy, builtin: greedy}\n", &bots).replace("nodes 300", "600+60");
    workshop.write("cup.yaml", &cup);
    let mut seat = Seat::new(&workshop, &["run", "cup.yaml", "--tui"], (50, 160));
    seat.shows("p2 ");
    // Signals that come at once count as one: they are sent until enough have been heard.
    let (pid, child) = (Pid::from_child(&seat.child), RefCell::new(&mut seat.child));
    let is_over = wait_until(|| {
        // It may have ended.
        let _ = kill_process(pid, Signal::TERM);
        child.borrow_mut().try_wait().expect("it can be asked").is_some()
    });
    assert!(is_over, "the arena goes on");
    seat.ends(130);
}

#[test]
fn it_is_refused_where_there_is_no_terminal() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    let refused = workshop.run(&["run", "cup.yaml", "--tui"]).expect(2).stderr;
    assert!(refused.contains("`--tui` needs a terminal"), "{refused}");
    assert!(!workshop.path("out").exists());
}

/// A bot that fills its standard error with wide, combining and joined characters, then dies.
const WIDE: &str = "\
import sys
count = 0
for line in sys.stdin:
    word, *rest = line.split() or ['']
    if word == 'ugi': print('id name wide', 'protocol 1', 'want legal', 'ugiok', sep=chr(10))
    elif word == 'isready': print('readyok')
    elif word == 'legal': legal = rest
    elif word == 'go':
        count += 1
        if count > 2:
            print(chr(0x65e5) * 70, (chr(0x1f469) + chr(0x200d) + chr(0x1f467)) * 9, ('a' + chr(0x301)) * 50, chr(0xd55c) * 33, file=sys.stderr)
            sys.exit(3)
        print('bestmove', legal[0])
    sys.stdout.flush()
";

#[test]
fn the_live_table_leaves_nothing_of_itself_behind_when_bots_write_wide_characters() {
    let workshop = Workshop::new();
    workshop.write("wide.py", WIDE);
    let text = "name: cup\ngames: [farook]\nbots:\n  - {name: 日本語ボット, cmd: [python3, wide.py], env: {PYTHONIOENCODING: utf-8}}\n  \
                - {builtin: random}\nrounds: 10\ntc: 1+0.1\nout: out\n";
    workshop.write("cup.yaml", text);
    let mut seat = Seat::new(&workshop, &["run", "cup.yaml"], (60, 80));
    seat.ends(0);
    seat.shows("written to out");
    let written = seat.written.lock().expect("nobody panicked").clone();
    assert!(String::from_utf8_lossy(&written).contains("any time"), "the live table was never shown");
    // A screen on which nothing scrolls away.
    let mut tall = Parser::new(1000, 80, 0);
    tall.process(&written);
    let all = tall.screen().contents();
    assert!(all.contains("\u{65e5}\u{65e5}\u{65e5}") && all.contains("game 1:"), "{all}");
    // Only the live table says this, and the bar below it.
    for piece in ["any time", "games/s", "=>"] {
        assert!(!all.contains(piece), "`{piece}` is left behind:\n{all}");
    }
}

/// A bot that says in every `info` line what a terminal would obey, in words, plies and numbers.
const SCREAMING: &str = "\
import sys
ESC, BEL, CSI, RTL = chr(27), chr(7), chr(0x9b), chr(0x202e)
EVIL = ESC + ']0;pwned' + BEL + ESC + '[2J' + CSI + '31m' + RTL + chr(8) * 9 + chr(13) + chr(0x1f9a0) * 50 + 'a' + chr(0x301) * 90
for line in sys.stdin:
    word, *rest = line.split() or ['']
    if word == 'ugi': print('id name ' + EVIL + chr(10) + 'id version ' + EVIL + chr(10) + 'protocol 1' + chr(10) + 'want legal' + chr(10) + 'can nodes' + chr(10) + 'ugiok')
    elif word == 'isready': print('readyok')
    elif word == 'legal': legal = rest
    elif word == 'go':
        for n in range(300):
            print('info depth 99999999999999999999 seldepth -1 score cp 9223372036854775807 nodes 18446744073709551615 nps 1 currmove ' + EVIL + ' pv ' + EVIL + ' ' + legal[0])
            print('info depth ' + str(n) + ' score mate -9223372036854775808 string ' + EVIL + 'x' * 5000)
        print(EVIL, file=sys.stderr)
        print('bestmove', legal[0])
    elif word == 'quit': break
    sys.stdout.flush()
";

#[test]
fn what_hostile_bots_say_moves_nothing_on_the_screen() {
    let workshop = Workshop::new();
    workshop.write("screaming.py", SCREAMING);
    let text = "name: cup\ngames: [farook]\nbots:\n  - {name: loud, cmd: [python3, screaming.py]}\n  - {builtin: random}\n\
                rounds: 4000\ntc: nodes 300\nconcurrency: 2\nout: out\n";
    workshop.write("cup.yaml", text);
    for size in [(24, 80), (8, 20), (60, 200)] {
        let mut seat = Seat::new(&workshop, &["run", "cup.yaml", "--tui"], size);
        let count = || record::read(&workshop.path("out")).map_or(0, |contents| contents.games.len());
        let before = count();
        assert!(wait_until(|| count() > before + 2), "no game ends:\n{}", seat.shown());
        for key in ["s", "f", "g", "\r", "?", "\u{1b}", "q"] {
            seat.press(key);
        }
        seat.ends(130);
        let written = seat.written.lock().expect("nobody panicked").clone();
        let written = String::from_utf8_lossy(&written);
        for evil in ["\u{1b}]", "\u{7}", "\u{9b}", "\u{202e}", "\u{8}", "\u{1b}[31m\u{202e}"] {
            assert!(!written.contains(evil), "{evil:?} reached the terminal");
        }
    }
}
