//! `arena wrap --exec PROGRAM`: a bot around a program that is started once for every decision.
//!
//! The program needs no loop and knows no protocol: it reads three lines and writes a ply. This is the bot that
//! stands between it and the arena, a process like any other bot.

mod oneshot;

use std::env;
use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;
use protocol::{
    BotMessage, ErrorNotice, IdField, Pairs, Question, Request, RequestReader, SeatNumber, printable_capped,
};

use crate::bots::wrap::oneshot::{Ended, Oneshot};

/// The time that a program is given if nothing limits it.
const BUDGET: Duration = Duration::from_secs(1);

/// How many characters of what is not understood are shown.
const SHOWN: usize = 80;

/// The longest line that is read, in bytes: what the arena may write, and its line feed.
const MOST_READ: usize = protocol::MAX_ARENA_LINE + 1;

/// Is a bot that starts a program for every decision, for programs without a loop.
///
/// The program finds three lines on its standard input: `board POSITION`, `legal PLY…` and `budget MILLISECONDS`.
/// The first word on its standard output is the ply. When its time is over it is killed, and the game is lost on
/// time. Whatever it writes to its standard error is shown where the arena shows a bot's.
#[derive(Debug, Args)]
#[command(after_help = "In a tournament file: `cmd: [arena, wrap, --exec, ./oneshot]`. With arguments: \
    `arena wrap --exec python3 -- oneshot.py`.")]
pub(crate) struct Arguments {
    /// The program, or a command of several words
    #[arg(long, value_name = "PROGRAM")]
    exec: String,
    /// The name that the bot gives itself; left out, that of the program
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Further arguments of the program
    #[arg(value_name = "ARGUMENT", last = true)]
    arguments: Vec<String>,
}

impl Arguments {
    /// Plays until the input ends or `quit` comes.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let mut command = tournament_file::split_words(&self.exec)
            .ok_or_else(|| Failure::usage("`--exec` has a quote that is not closed"))?;
        command.extend(self.arguments.iter().cloned());
        let Some(program) = command.first().filter(|program| !program.is_empty()) else {
            return Err(Failure::usage("`--exec` names no program").hint("for example `--exec ./oneshot`"));
        };
        if !is_there(program) {
            return Err(Failure::usage(format!("there is no program `{program}` to start"))
                .hint("a program that is not in `PATH` is written with its directory, such as `./oneshot`"));
        }
        // The last word that looks like a file names the bot: `python3 one.py` is `one`.
        let file = command.iter().rev().find(|word| word.contains(['.', '/'])).unwrap_or(program);
        let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = self.name.clone().or(stem).unwrap_or_else(|| program.clone());
        let (events, inbox) = channel();
        let lines = events.clone();
        thread::Builder::new()
            .name("input".to_owned())
            .spawn(move || read_lines(&lines))
            .map_err(|error| Failure::io("failed to start a thread", &error))?;
        let mut wrap =
            Wrap { command, name, events, inbox, you: None, question: None, leftover: None, serial: 0 };
        match wrap.serve() {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::io("failed to write to standard output", &error))
            }
            _ => Ok(Exit::Done),
        }
    }
}

/// What happens.
pub(super) enum Event {
    /// A line of the arena.
    Line(String),
    /// The arena has gone away.
    End,
    /// The program with this number has said its first word, or come to its end without one.
    Word(u64, Option<String>),
}

/// The bot.
struct Wrap {
    command: Vec<String>,
    name: String,
    events: Sender<Event>,
    inbox: Receiver<Event>,
    you: Option<SeatNumber>,
    /// The question that is open, with the program at work on it.
    question: Option<Open>,
    /// The program that has answered last and may still run.
    leftover: Option<Oneshot>,
    /// The number of the last program.
    serial: u64,
}

/// An open question.
struct Open {
    question: Question,
    program: Oneshot,
    /// When the program is killed; none where nothing limits it.
    deadline: Option<Instant>,
}

impl Wrap {
    fn serve(&mut self) -> io::Result<()> {
        let mut session = RequestReader::new();
        loop {
            let deadline = self.question.as_ref().and_then(|open| open.deadline);
            let event = match deadline {
                None => self.inbox.recv().unwrap_or(Event::End),
                Some(deadline) => {
                    match self.inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                        Ok(event) => event,
                        Err(RecvTimeoutError::Timeout) => {
                            self.overrun();
                            continue;
                        }
                        Err(RecvTimeoutError::Disconnected) => Event::End,
                    }
                }
            };
            match event {
                Event::End => return Ok(()),
                Event::Word(serial, word) if serial == self.serial => self.answer(word)?,
                Event::Word(..) => {}
                Event::Line(line) => match session.receive(&line) {
                    Ok(Some(Request::Quit)) => return Ok(()),
                    Ok(Some(request)) => self.take(request)?,
                    Ok(None) => {}
                    Err(error) => self.complain("bad-line", &error.to_string())?,
                },
            }
        }
    }

    fn take(&mut self, request: Request) -> io::Result<()> {
        match request {
            Request::Hello => {
                let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
                say(&BotMessage::Id(IdField::Name, self.name.clone()))?;
                say(&BotMessage::Protocol(protocol::PROTOCOL.into()))?;
                say(&BotMessage::Want(words(&["board", "legal"])))?;
                say(&BotMessage::HelloOk)
            }
            Request::NewGame(game) => {
                self.you = game.and_then(|game| game.you);
                self.question = None;
                Ok(())
            }
            Request::IsReady => say(&BotMessage::ReadyOk),
            Request::Go(question) => self.start(question),
            Request::GameOver(_) => {
                self.question = None;
                Ok(())
            }
            // Nothing is asked: what matters of these comes again with the question.
            _ => Ok(()),
        }
    }

    /// Starts the program for a question.
    fn start(&mut self, question: Question) -> io::Result<()> {
        // Programs that still run are killed: nobody waits for them.
        (self.question, self.leftover) = (None, None);
        self.serial += 1;
        let (Some(board), Some(legal)) = (&question.board, &question.legal) else {
            let fault =
                "`go` came without `board` and `legal`: the position has too many legal plies for a line";
            return self.fail(&question, fault);
        };
        let budget = question.budget.unwrap_or(BUDGET).as_millis();
        let legal = legal.iter().map(protocol::PlyToken::as_str).collect::<Vec<_>>().join(" ");
        let input = format!("board {board}\nlegal {legal}\nbudget {budget}\n");
        let own = self.you.and_then(|seat| question.limits.clock(seat)).and_then(|clock| clock.remaining);
        let limit = [own, question.limits.move_time].into_iter().flatten().min();
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        match Oneshot::start(&self.command, input, self.serial, self.events.clone()) {
            Ok(program) => {
                self.question = Some(Open { question, program, deadline });
                Ok(())
            }
            Err(error) => self.fail(&question, &format!("failed to start `{}`: {error}", self.command[0])),
        }
    }

    /// Answers with the first word of the program.
    fn answer(&mut self, word: Option<String>) -> io::Result<()> {
        let Some(open) = self.question.take() else { return Ok(()) };
        let legal = open.question.legal.as_deref().unwrap_or_default();
        let Some(word) = word else {
            let fault = match open.program.end() {
                Ended::With(status) => {
                    format!("the program ended ({status}) without a word on its standard output")
                }
                Ended::Killed => "the program closed its standard output without a word on it".to_owned(),
            };
            return self.fail(&open.question, &fault);
        };
        // It may clean up until it is needed again.
        self.leftover = Some(open.program);
        match word.parse() {
            Ok(ply) => {
                if !legal.contains(&ply) {
                    let fault = format!("the program's first word, `{word}`, is not one of the legal plies");
                    self.complain("not-legal", &fault)?;
                }
                say(&BotMessage::BestMove(open.question.answer(ply)))
            }
            Err(_) => {
                let word = printable_capped(&word, SHOWN);
                self.fail(&open.question, &format!("the program's first word, `{word}`, is not a ply"))
            }
        }
    }

    /// Kills a program whose time is over. No answer is given: the game is lost on time.
    fn overrun(&mut self) {
        if let Some(open) = self.question.take() {
            drop(open.program);
            self.serial += 1;
            self.tell("the program was killed: its time was over before it had said a word");
        }
    }

    /// Gives an answer that is none: the game is lost, and it is said why.
    fn fail(&self, question: &Question, fault: &str) -> io::Result<()> {
        self.complain("oneshot", fault)?;
        let id = question.pairs.get("id").map_or_else(String::new, |id| format!(" id={id}"));
        write_line(&format!("bestmove{id}"))
    }

    fn complain(&self, code: &str, text: &str) -> io::Result<()> {
        self.tell(text);
        let (code, text) = (code.to_owned(), Some(text.to_owned()));
        say(&BotMessage::Error(ErrorNotice { code, pairs: Pairs::new(), text }))
    }

    /// Writes a line to standard error, which the arena keeps.
    fn tell(&self, text: &str) {
        diagnostic::say(&format!("arena wrap: `{}`: {text}", self.command.join(" ")));
    }
}

fn say(message: &BotMessage) -> io::Result<()> {
    write_line(&message.to_string())
}

#[expect(clippy::disallowed_methods, reason = "a bot speaks to the arena")]
fn write_line(line: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}

/// Hands on the lines of standard input until it ends.
fn read_lines(events: &Sender<Event>) {
    use io::Read as _;
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut input).take(MOST_READ as u64).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            Ok(0) | Err(_) => break,
        }
        let text = String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned();
        if events.send(Event::Line(text)).is_err() {
            return;
        }
    }
    // It fails only when nobody waits for it any more.
    let _ = events.send(Event::End);
}

/// Returns whether a program can be found: by its path, or by its name in `PATH`.
fn is_there(program: &str) -> bool {
    if program.contains('/') || cfg!(windows) {
        return Path::new(program).is_file();
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder: PathBuf| folder.join(program)).any(|path| path.is_file())
}
