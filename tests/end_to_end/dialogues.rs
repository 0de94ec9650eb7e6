//! The dialogues of the specification, held with the bots of this repository that need no building, and with those
//! that come with the arena: with bots in Python and for the shell, or, in CI's second stage, where every interpreter is
//! installed, in every language. `protocol-spec/vectors/README.md` describes the format.

#[path = "../../arena/protocol/tests/script/mod.rs"]
mod script;

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use protocol::{BotMessage, Dialogue, Event, Identity, PlyToken, Profile};

use self::script::{Act, Script};
use crate::workshop::{Workshop, executable, is_second_stage};

/// How long an answer may take where the dialogue does not say.
const PATIENCE: Duration = Duration::from_secs(60);

/// By how much the times of the dialogues are stretched: the machine may run many tests at once.
const LENIENCE: u32 = 10;

/// How long a process may take to end.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The languages whose bots are always tried: the end of a file's name, and the interpreter.
const USUAL: [(&str, &str); 2] = [("py", "python3"), ("sh", "bash")];

/// The other languages whose bots run without building.
const OTHERS: [(&str, &str); 8] = [
    ("mjs", "node"),
    ("js", "node"),
    ("pl", "perl"),
    ("rb", "ruby"),
    ("lua", "lua5.4"),
    ("php", "php"),
    ("tcl", "tclsh"),
    ("R", "Rscript"),
];

/// A bot on trial.
struct Subject {
    name: String,
    program: PathBuf,
    words: Vec<String>,
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Finds the bots: those that come with the arena, and every `bots/LANGUAGE/NAME_bot.EXTENSION`.
fn subjects() -> Vec<Subject> {
    let builtins = kit::BUILTINS.iter().map(|bot| Subject {
        name: bot.name.to_owned(),
        program: executable().into(),
        words: vec!["bot".to_owned(), bot.name.to_owned()],
    });
    let mut subjects: Vec<_> = builtins.collect();
    let is_all = is_second_stage();
    let languages = std::fs::read_dir(repository().join("bots")).expect("the folder of bots").flatten();
    let files = languages.flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten().flatten());
    let mut paths: Vec<PathBuf> = files.map(|file| file.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some((stem, extension)) = name.rsplit_once('.').filter(|(stem, _)| stem.ends_with("_bot")) else {
            continue;
        };
        let mut languages = USUAL.iter().chain(if is_all { &OTHERS[..] } else { &[] });
        let Some((_, interpreter)) = languages.find(|(end, _)| *end == extension) else { continue };
        assert!(is_installed(interpreter), "`{stem}` needs `{interpreter}`");
        let words = vec![path.to_string_lossy().into_owned()];
        subjects.push(Subject { name, program: interpreter.into(), words });
    }
    subjects
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).exists())
}

fn scripts() -> Vec<Script> {
    let folder = repository().join("protocol-spec/vectors/dialogues");
    let entries = std::fs::read_dir(folder).expect("the folder of dialogues").flatten();
    let mut scripts: Vec<_> = entries
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).expect("a dialogue is text");
            Script::of_file(&entry.file_name().to_string_lossy(), &text)
        })
        .filter(|script| !script.has("arena-only"))
        .collect();
    scripts.sort_by(|one, other| one.name.cmp(&other.name));
    scripts
}

#[test]
fn every_bot_holds_every_dialogue_that_is_meant_for_it() {
    let workshop = Workshop::new();
    let scripts = scripts();
    assert!(scripts.len() > 10);
    let subjects = subjects();
    assert!(subjects.len() > 5, "the bots of two languages");
    // As many at once as there are cores: what is tried is the bots, not how they share a machine.
    let next = AtomicUsize::new(0);
    let hold_all = || {
        while let Some(subject) = subjects.get(next.fetch_add(1, Ordering::Relaxed)) {
            let held = scripts.iter().filter(|script| hold(&workshop, subject, script)).count();
            assert!(held > 8, "`{}` held {held} dialogues", subject.name);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, std::num::NonZero::get) {
            scope.spawn(hold_all);
        }
    });
}

#[test]
fn a_bot_that_breaks_a_dialogue_is_found_out() {
    let workshop = Workshop::new();
    let greeting = "print('protocol 1\\nplays *\\nwant legal\\nugiok', flush=True)";
    let bot = |answer: &str| {
        format!(
            "import sys, time\nfor line in sys.stdin:\n    word, *rest = line.split() or ['']\n    if word == 'ugi': {greeting}\n    \
             elif word == 'isready': print('readyok', flush=True)\n    elif word == 'legal': legal = rest\n    \
             elif word == 'go': {answer}\n    elif word == 'quit': break\n"
        )
    };
    let scripts = scripts();
    let broken = |name: &str, answer: &str| {
        let path = workshop.write(name, &bot(answer));
        let words = vec![path.to_string_lossy().into_owned()];
        let subject = Subject { name: name.to_owned(), program: "python3".into(), words };
        let mut faults = scripts.iter().filter_map(|script| try_hold(&workshop, &subject, script).err());
        faults.next().unwrap_or_default()
    };
    assert_eq!(broken("sound.py", "print('bestmove', legal[0], flush=True)"), "");
    let fault = broken("illegal.py", "print('bestmove z9', flush=True)");
    assert!(fault.ends_with("`bestmove z9` is no `bestmove %legal`"), "{fault}");
    let fault = broken("twice.py", "print('bestmove', legal[0] + '\\nbestmove', legal[0], flush=True)");
    assert!(fault.contains("`bestmove "), "{fault}");
    let fault = broken("dead.py", "sys.exit(1)");
    assert!(fault.ends_with("no `bestmove %legal`: the output ended"), "{fault}");
}

/// Holds a dialogue and returns whether it was meant for the bot.
fn hold(workshop: &Workshop, subject: &Subject, script: &Script) -> bool {
    try_hold(workshop, subject, script).unwrap_or_else(|fault| panic!("`{}`: {fault}", subject.name))
}

/// Holds a dialogue and returns whether it was meant for the bot, or where it was broken.
fn try_hold(workshop: &Workshop, subject: &Subject, script: &Script) -> Result<bool, String> {
    let words: Vec<&str> = subject.words.iter().map(String::as_str).collect();
    let mut command = workshop.command(&subject.program.to_string_lossy(), &words);
    command.env("PATH", path_with_arena());
    let mut sitting = Sitting::new(command);
    let mut needs = Vec::new();
    for step in &script.steps {
        let place = |fault: String| format!("{}: {fault}", step.place);
        match &step.act {
            Act::Tell(line) => sitting.tell(line).map_err(place)?,
            Act::Expect(pattern) => sitting.expect(pattern).map_err(place)?,
            Act::Direct(word, words) if word == "needs" => needs.push(words.clone()),
            Act::Direct(word, words) => sitting.direct(word, words).map_err(place)?,
        }
        // What the bot can is known when the greeting is over.
        let is_greeted = matches!(&step.act, Act::Expect(line) if line == "ugiok");
        if is_greeted && !needs.iter().all(|need| is_met(sitting.dialogue.identity(), need)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns where programs are looked for, the arena among them: engines may ask it for the rules.
fn path_with_arena() -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let arena = Path::new(executable()).parent().map(Path::to_path_buf);
    std::env::join_paths(arena.into_iter().chain(std::env::split_paths(&path))).expect("a path of paths")
}

fn is_met(identity: &Identity, need: &[String]) -> bool {
    let (what, words) = need.split_first().expect("a need has words");
    match what.as_str() {
        "can" => words.iter().all(|word| identity.abilities.contains(word)),
        "want" => words.iter().all(|word| identity.wants.contains(word)),
        "plays" => {
            let options = words[1..].iter().filter_map(|word| word.split_once('='));
            let options: Vec<_> = options.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
            identity.plays(&words[0], &options, None)
        }
        what => panic!("unknown need `{what}`"),
    }
}

/// One process of a bot and the conversation with it.
struct Sitting {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    dialogue: Dialogue,
    legal: Vec<String>,
    patience: Duration,
}

impl Drop for Sitting {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Sitting {
    fn new(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the bot starts");
        let output = child.stdout.take().expect("the output is a pipe");
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut dialogue = Dialogue::new(Profile::default());
        dialogue.hello();
        let input = child.stdin.take();
        Self { child, input, output: receiver, dialogue, legal: Vec::new(), patience: PATIENCE }
    }

    fn tell(&mut self, line: &str) -> Result<(), String> {
        let word = line.split(' ').next().unwrap_or_default();
        let is_on_demand = ["board", "legal", "after", "played"].contains(&word);
        if word == "legal" {
            self.legal = line.split(' ').skip(1).map(str::to_owned).collect();
        }
        if is_on_demand && !self.dialogue.identity().wants.iter().any(|wanted| wanted == word) {
            return Ok(());
        }
        let input = self.input.as_mut().ok_or("the input is closed")?;
        writeln!(input, "{line}").map_err(|error| format!("`{line}` cannot be written: {error}"))
    }

    /// Waits for the answer that this pattern asks for, if it asks for one.
    fn expect(&mut self, pattern: &str) -> Result<(), String> {
        if !is_answer(pattern) {
            return Ok(());
        }
        let deadline = Instant::now() + std::mem::replace(&mut self.patience, PATIENCE);
        loop {
            let line = self.next(deadline).map_err(|why| format!("no `{pattern}`: {why}"))?;
            if !is_answer(&line) {
                continue;
            }
            return if self.fits(pattern, &line) {
                Ok(())
            } else {
                Err(format!("`{line}` is no `{pattern}`"))
            };
        }
    }

    fn next(&mut self, deadline: Instant) -> Result<String, &'static str> {
        let rest = deadline.saturating_duration_since(Instant::now());
        let line = self.output.recv_timeout(rest).map_err(|error| match error {
            RecvTimeoutError::Timeout => "nothing came in time",
            RecvTimeoutError::Disconnected => "the output ended",
        })?;
        if self.dialogue.receive(&line) == Event::HelloDone {
            assert_eq!(
                self.dialogue.protocol(),
                protocol::PROTOCOL,
                "bots of this repository speak version 1"
            );
        }
        Ok(line)
    }

    fn fits(&self, pattern: &str, line: &str) -> bool {
        if let ("bestmove %legal", Ok(BotMessage::BestMove(answer))) = (pattern, BotMessage::parse(line)) {
            let is_legal = |ply: &PlyToken| self.legal.iter().any(|legal| legal == ply.as_str());
            return answer.plies().first().is_some_and(is_legal);
        }
        let (mut patterns, mut words) = (pattern.split(' '), line.split(' '));
        loop {
            match (patterns.next(), words.next()) {
                (None, None) | (Some("%text"), Some(_)) => return true,
                (Some(pattern), Some(word)) if pattern == word => {}
                _ => return false,
            }
        }
    }

    fn direct(&mut self, word: &str, words: &[String]) -> Result<(), String> {
        match word {
            "within" => self.patience = LENIENCE * time(&words[0]),
            "silence" => {
                let deadline = Instant::now() + time(&words[0]);
                loop {
                    match self.next(deadline) {
                        Ok(line) if is_answer(&line) => return Err(format!("`{line}` was not asked for")),
                        Ok(_) => {}
                        Err("nothing came in time") => return Ok(()),
                        Err(why) => return Err(why.to_owned()),
                    }
                }
            }
            "close" => self.input = None,
            "ends" => {
                let deadline = Instant::now() + LENIENCE * LAST_WORDS;
                loop {
                    match self.next(deadline) {
                        Ok(line) if is_answer(&line) => return Err(format!("`{line}` was not asked for")),
                        Ok(_) => {}
                        Err("the output ended") => return Ok(()),
                        Err(_) => return Err("the process does not end".to_owned()),
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns whether a line answers something.
fn is_answer(line: &str) -> bool {
    let word = line.split(' ').next().unwrap_or_default();
    ["ugiok", "readyok", "bestmove", "reject", "response"].contains(&word)
}

fn time(text: &str) -> Duration {
    settings::parse_duration(text).expect("a time is written `500ms` or `2s`")
}

#[test]
fn the_codes_of_the_page_are_those_of_the_records() {
    let page = include_str!("../../protocol-spec/PROTOCOL.md");
    let table = page.split("**[6.7.3]**").nth(1).and_then(|text| text.split("**[6.7.4]**").next());
    let rows: Vec<&str> = table.unwrap_or_default().lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(rows.len(), 16);
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let termination: record::Termination = cells[1].parse().expect("the code is one of those of records");
        assert_eq!((termination.code(), termination.pgn()), (cells[1], cells[4]), "{row}");
    }
}
