//! `arena play` over a pipe: whole games, bots that fail, what is saved.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use rules::{Dice, GAMES, Setup};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// A bot that does `ANSWER` when it is asked; `$ply` is the first legal ply, `$count` how often it was asked.
const FIRST: &str = r#"
count=0
while read -r word rest; do
  case $word in
    ugi) echo "protocol 1"; echo "want legal"; echo ugiok ;;
    isready) echo readyok ;;
    legal) set -- $rest; ply=$1 ;;
    go) count=$((count + 1)); ANSWER ;;
    quit) exit 0 ;;
  esac
done
"#;

struct Room(TempDir);

impl Room {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a bot that does this when it is asked.
    fn bot(&self, answer: &str) -> String {
        fs::write(self.path("bot.sh"), FIRST.replace("ANSWER", answer)).expect("a file");
        "cmd:sh bot.sh".to_owned()
    }

    fn arena(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(words).current_dir(self.0.path()).env("LC_ALL", "C");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Plays with these lines typed beforehand.
    fn play(&self, words: &[&str], lines: &[&str]) -> (Output, String) {
        let words: Vec<_> = ["play"].iter().chain(words).copied().collect();
        let mut child = self.arena(&words).spawn().expect("the executable starts");
        // It may have ended before it reads them.
        let _ = child.stdin.take().expect("a pipe").write_all((lines.join("\n") + "\n").as_bytes());
        let output = child.wait_with_output().expect("it ends");
        let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
        (output, text)
    }

    /// Checks that every game of a log holds.
    fn replay(&self, log: &str) {
        let output = self.arena(&["replay", log]).output().expect("the executable starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{text}\n{}",
            fs::read_to_string(self.path(log)).expect("a file")
        );
    }
}

/// A person who reads what is written and types one line at a time.
struct Typist {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Typist {
    fn new(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the executable starts");
        let (input, output) =
            (child.stdin.take().expect("a pipe"), child.stdout.take().expect("it is there"));
        Self { child, input, output: BufReader::new(output) }
    }

    fn type_line(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it is there");
    }

    /// Reads up to the first line that is right.
    fn read_until(&mut self, is_right: impl Fn(&str) -> bool) -> String {
        let mut seen = String::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("it is there") > 0, "it ended: {seen}");
            if is_right(line.trim_end()) {
                return line.trim_end().to_owned();
            }
            seen.push_str(&line);
        }
    }
}

fn setup(game: &str, options: &[(&str, &str)]) -> Setup {
    rules::find(game).expect("it is there").setup(options).expect("it is there")
}

/// A person plays plies by chance against a bot that does, to the end, and takes some back.
fn whole_game(game: &str, options: &[(&str, &str)], seat: &str) {
    let room = Room::new();
    let setup = setup(game, options);
    let pairs: Vec<_> = options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let mut words = vec!["play", game, "--seed", "7", "--save", "game.pgn"];
    words.extend(pairs.iter().flat_map(|pair| ["--opt", pair]));
    words.extend(if seat == "p1" { ["--p2", "random"] } else { ["--p1", "random"] });
    words.extend(if seat == "p1" { ["--p1", "human:Ada"] } else { ["--p2", "human:Ada"] });
    let mut typist = Typist::new(room.arena(&words));
    let mut dice = Dice::new(3);
    for decision in 0.. {
        typist.type_line("position");
        let position = typist.read_until(|line| setup.referee(Some(line)).is_ok());
        let referee = setup.referee(Some(&position)).expect("it is there");
        let legal = referee.legal();
        typist.type_line("legal");
        let count = typist.read_until(|line| line.contains("legal pl") || line == "the game is over");
        if count == "the game is over" {
            break;
        }
        assert_eq!(count.split(' ').next(), Some(legal.len().to_string().as_str()), "{position}");
        typist.type_line(&legal[dice.below(legal.len())]);
        if decision % 10 == 4 {
            typist.type_line("undo");
            typist.type_line("redo");
        }
    }
    typist.type_line("quit");
    let output = typist.child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    room.replay("game.pgn");
    let log = fs::read_to_string(room.path("game.pgn")).expect("a file");
    let games: Vec<_> = log.match_indices("[Event ").collect();
    assert!(games.len() == 1 && log.contains("\"Ada\"") && !log.contains("\"aborted\""), "{log}");
}

#[test]
fn a_whole_game_is_played_saved_and_holds_in_every_game() {
    for game in GAMES {
        let options: &[(&str, &str)] = match game.id {
            "faust" => &[("size", "4")],
            "sophia" => &[("swap", "on")],
            "frenzy" | "2-frenzy" => &[("max-turns", "60")],
            _ => &[],
        };
        whole_game(game.id, options, "p1");
        whole_game(game.id, options, "p2");
    }
}

#[test]
fn a_bot_that_crashes_is_told_and_the_game_goes_on() {
    let room = Room::new();
    let bot = room
        .bot(r#"if [ $count -gt 1 ]; then printf 'no \033[2Jmore\n' >&2; exit 3; fi; echo "bestmove $ply""#);
    let lines = ["d4", "c4", "c1", "", "b4", "moves", "save g.pgn", "quit"];
    let (output, text) = room.play(&["farook", "--p2", &bot, "--seed", "1"], &lines);
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("bot failed: process ended (exit 3)"), "{text}");
    assert!(text.contains(r"stderr: no \x1b[2Jmore") && !text.contains('\u{1b}'), "{text}");
    // `c1` was played in its place, and it was started anew for its next decision.
    assert!(text.contains("bot plays c1") && text.matches("bot plays a").count() >= 1, "{text}");
    assert!(text.contains("   6  "), "{text}");
    room.replay("g.pgn");
}

#[test]
fn a_bot_that_answers_nonsense_is_told_and_the_game_stands() {
    let room = Room::new();
    for (answer, told) in [
        ("echo 'bestmove a1b1'", "bot answered `a1b1`, which is not legal"),
        ("printf 'bestmove \\033[2J\\n'", "[2J` is not a ply"),
    ] {
        let bot = room.bot(answer);
        let (_, text) = room.play(&["farook", "--p2", &bot], &["d4", "undo", "c3", "moves", "quit"]);
        assert!(text.contains(told) && !text.contains('\u{1b}'), "{text}");
        assert!(text.contains("human plays c3") && text.contains("\n   1  c3\n"), "{text}");
    }
}

#[test]
fn a_bot_that_hangs_is_told_or_loses_on_its_clock() {
    let room = Room::new();
    let bot = room.bot(":");
    let lines = ["d4", "a4", "b1", "undo", "moves", "quit"];
    let (_, text) = room.play(&["farook", "--p2", &bot, "--tc", "movetime 1s"], &lines);
    assert!(text.contains("bot failed: did not answer within 1s") && text.contains("bot plays a4"), "{text}");
    let (_, text) =
        room.play(&["farook", "--p2", &bot, "--tc", "1", "--save", "g.pgn"], &["d4", "legal", "quit"]);
    assert!(text.contains("p1 (human) wins: timeout") && text.contains("the game is over"), "{text}");
    room.replay("g.pgn");
}

#[test]
fn two_bots_are_stepped_by_hand_and_go_on_by_themselves() {
    let room = Room::new();
    let words = ["farook", "--p1", "random", "--p2", "random", "--seed", "5", "--save", "g.pgn"];
    let (_, text) = room.play(&words, &["", "", "back", "moves", "forward", "moves", "play", "quit"]);
    assert_eq!(text.matches("\n   1  ").count(), 2, "{text}");
    assert_eq!(text.matches("\n   2  ").count(), 1, "{text}");
    assert!(text.contains(" plays ") && text.contains("written to g.pgn"), "{text}");
    room.replay("g.pgn");
}

#[test]
fn earlier_boards_are_looked_at_and_a_begun_chain_says_what_it_has_taken() {
    let room = Room::new();
    let words = ["fanorona", "--p2", "human", "--position", "4b4/1b1b5/2b1w4/9/8b p1 quiet=3"];
    let (_, text) = room.play(
        &words,
        &["e3", "d3", "stop", "stop", "look 0", "look -1", "look 2", "position", "board", "quit"],
    );
    assert!(text.contains("e3 d3 (c3 taken) ... 1 stop (stop here), 2 d2"), "{text}");
    let looks: Vec<_> = text.split("looking back at ").collect();
    assert_eq!(looks.len(), 3, "{text}");
    // The same board both times.
    let board = |text: &str| text.rsplit("\n\n").nth(1).map(str::to_owned);
    assert_eq!(
        (board(looks[0]), looks[1].starts_with("the start, before ply 1 of 1:")),
        (board(looks[1]), true)
    );
    assert!(text.contains("from `look 0` to `look 1`\n") && text.contains("nobody is thinking\n"), "{text}");
    assert!(text.contains("4b4/1b1b5/3w5/9/8b p2 quiet=0"), "{text}");
}

#[test]
fn hints_and_evaluations_come_from_the_adviser_and_leave_the_game_alone() {
    let room = Room::new();
    let words = ["farook", "--p2", "random", "--depth", "3", "--adviser", "alphabeta"];
    let (_, text) = room.play(&words, &["hint", "eval", "moves", "quit"]);
    assert!(text.contains("hint: ") && text.matches("alphabeta for p1: ").count() == 2, "{text}");
    assert!(text.contains("no ply was played"), "{text}");
}

#[test]
fn bots_of_a_tournament_file_are_known_by_their_names() {
    let room = Room::new();
    fs::write(
        room.path("cup.yaml"),
        "games: [farook]\nbots: [{name: nova, builtin: greedy, version: '7'}, {name: other, builtin: random}]\n",
    )
    .expect("it is there");
    let words = ["farook", "--file", "cup.yaml", "--p2", "nova", "--save", "g.pgn"];
    let (output, text) = room.play(&words, &["d4", "quit"]);
    assert!(text.contains("nova plays "), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read_to_string(room.path("g.pgn")).expect("a file").contains("[BlackVersion \"7\"]"));
}

#[test]
fn what_ended_a_game_is_told() {
    let room = Room::new();
    let words = ["farook", "--p2", "human"];
    let (_, text) = room.play(&words, &["a1", "a4", "b1", "b4", "c1", "c4", "d1", "quit"]);
    assert!(text.contains("p1 (human) wins: pattern\np1 has the row a1 b1 c1 d1\n"), "{text}");
    let (_, text) = room.play(&words, &["a1", "resign", "quit"]);
    assert!(text.ends_with("p1 (human) wins: resign\n"), "{text}");
    // Of a position alone nobody sees that it was there twice before.
    let from = ["fanorona", "--p2", "human", "--position", "b8/9/9/9/8w p1 quiet=0"];
    let round = ["i1i2", "a5a4", "i2i1", "a4a5"];
    let (_, text) = room.play(&from, &[&round[..], &round[..], &["quit"]].concat());
    assert!(text.contains("repetition\nthe same position was reached for the third time\n"), "{text}");
}

#[test]
fn a_game_that_is_left_is_saved_where_that_was_asked_for() {
    let room = Room::new();
    let (output, _) = room.play(&["sophia", "--p2", "human", "--save", "g.pgn"], &["La1", "d b2"]);
    assert_eq!(output.status.code(), Some(0));
    let (_, text) = room.play(
        &["sophia", "--p2", "human", "--save", "g.pgn"],
        &["a1light", "resign", "new", "b2", "dark", "quit"],
    );
    assert!(text.contains("p1 (human) wins: resign") && text.contains("human plays Db2"), "{text}");
    let log = fs::read_to_string(room.path("g.pgn")).expect("a file");
    assert_eq!(log.matches("[Event ").count(), 3, "{log}");
    room.replay("g.pgn");
}

#[test]
fn an_interrupt_ends_politely() {
    let room = Room::new();
    let mut typist = Typist::new(room.arena(&["play", "farook", "--p2", "random", "--save", "g.pgn"]));
    typist.type_line("d4");
    typist.read_until(|line| line.starts_with("random plays "));
    kill_process(Pid::from_child(&typist.child), Signal::INT).expect("it is there");
    let output = typist.child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    room.replay("g.pgn");
}

/// A bot that says what it may do: leave a mark beside itself, and reserve memory.
const CURIOUS: &str = r#"(: > mark) 2>/dev/null; echo "info string data $(ulimit -d) files $(ulimit -n)"; echo "bestmove $ply""#;

#[test]
#[cfg(target_os = "linux")]
fn a_bot_is_confined_as_the_command_line_says() {
    use std::os::unix::fs::PermissionsExt as _;

    // Not where everybody's temporary files are read, and open to a user of its own.
    let room = Room::new();
    fs::set_permissions(room.0.path(), fs::Permissions::from_mode(0o755)).expect("a mode");
    let bot = room.bot(CURIOUS);
    let play = |words: &[&str]| {
        let (output, text) =
            room.play(&[&["farook", "--p2", &bot, "--info"], words].concat(), &["d4", "quit"]);
        (text, String::from_utf8_lossy(&output.stderr).into_owned(), room.path("mark").exists())
    };
    let (text, told, is_marked) = play(&["--sandbox", "contest", "--limits", "memory=64MiB"]);
    // 64 MiB and a GiB more to reserve, for each process; 512 descriptors are the level's.
    assert!(text.contains("data 1114112 files 512") && !is_marked, "{text}{told}");
    assert!(told.contains("sandbox: contest (Landlock") && told.contains("limits: held by guards"), "{told}");
    let (text, _, is_marked) = play(&["--limits", "memory=64MiB"]);
    assert!(text.contains("data 1114112 files 1024") && !is_marked, "{text}");
    // The file of a tournament comes before, the flag is for bots that say nothing.
    let entry = "{name: nova, cmd: [sh, bot.sh], sandbox: contest, limits: {memory: 1GiB}}";
    fs::write(room.path("cup.yaml"), format!("games: [farook]\nbots: [{entry}, {{builtin: random}}]\n"))
        .expect("a file");
    let words = ["farook", "--file", "cup.yaml", "--p2", "nova", "--info"];
    let flags = ["--sandbox", "none", "--limits", "memory=64MiB"];
    let (_, text) = room.play(&[&words[..], &flags].concat(), &["d4", "quit"]);
    assert!(text.contains("data 2097152 files 512") && !room.path("mark").exists(), "{text}");
    let (text, _, is_marked) = play(&["--sandbox", "none"]);
    assert!(!text.contains("data 1114112") && is_marked, "{text}");
}

#[test]
fn wrong_words_are_named() {
    let room = Room::new();
    fs::write(room.path("notes.txt"), "mine\n").expect("a file");
    for (words, named) in [
        (["farrook"].as_slice(), "did you mean `farook`?"),
        (&["farook", "--p2", "no-such-program"], "no-such-program"),
        (&["farook", "--position", "4/4 p1"], "not a position of `farook`"),
        (&["farook", "--tc", "soon"], "`--tc`"),
        (&["farook", "--sandbox", "some"], "`--sandbox` cannot be `some`"),
        (&["farook", "--limits", "memory=7"], "cannot be `7`"),
        (&["farook", "--save", "no/where.pgn"], "there is no directory `no`"),
        (&["farook", "--save", "notes.txt"], "is not a game log"),
    ] {
        let (output, _) = room.play(words, &[]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), text.contains(named)), (Some(2), true), "{words:?}: {text}");
    }
    assert_eq!(fs::read_to_string(room.path("notes.txt")).expect("a file"), "mine\n");
}
