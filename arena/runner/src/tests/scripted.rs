//! A referee and bots that follow the script of a test.

use std::collections::VecDeque;

use rules::{Referee, Rejection, Seat, Turn, Verdict};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::{advance, sleep};

use super::ms;

/// One ply of a scripted game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    seat: Seat,
    turn: Turn,
    is_pass: bool,
}

impl Step {
    /// Returns a ply that is a whole turn, or the first of one.
    pub(super) const fn of(seat: Seat) -> Self {
        Self { seat, turn: Turn { seat, is_fresh: true }, is_pass: false }
    }

    /// Returns a ply within a turn, which may be another seat's.
    pub(super) const fn within(seat: Seat, turn: Seat) -> Self {
        Self { seat, turn: Turn { seat: turn, is_fresh: false }, is_pass: false }
    }

    /// Returns a forced pass.
    pub(super) const fn pass(seat: Seat) -> Self {
        Self { is_pass: true, ..Self::of(seat) }
    }
}

/// A game whose plies are `a1` and `b1` and which ends after its last step.
#[derive(Clone, Debug)]
pub(super) struct Script {
    steps: Vec<Step>,
    at: usize,
    verdict: Verdict,
}

impl Script {
    pub(super) const fn new(steps: Vec<Step>, verdict: Verdict) -> Self {
        Self { steps, at: 0, verdict }
    }

    fn step(&self) -> Step {
        self.steps.get(self.at).copied().unwrap_or(Step::of(Seat::P1))
    }
}

impl Referee for Script {
    fn seat(&self) -> Seat {
        self.step().seat
    }

    fn turn(&self) -> Turn {
        self.step().turn
    }

    fn position(&self) -> String {
        format!("1 {} n={}", self.seat(), self.at)
    }

    fn legal(&self) -> Vec<String> {
        let plies: &[&str] = match self.outcome() {
            Some(_) => &[],
            None if self.step().is_pass => &["pass"],
            None => &["a1", "b1"],
        };
        plies.iter().map(|&ply| ply.to_owned()).collect()
    }

    fn must_pass(&self) -> bool {
        self.legal() == ["pass"]
    }

    fn submit(&mut self, ply: &str) -> Result<(), Rejection> {
        if self.legal().iter().any(|legal| legal == ply) {
            self.at += 1;
            return Ok(());
        }
        match ply.as_bytes() {
            [b'a'..=b'h', b'1'..=b'8'] => Err(Rejection::Illegal(format!("{ply} is taken"))),
            _ => Err(Rejection::NotAPly("a ply is a cell".to_owned())),
        }
    }

    fn outcome(&self) -> Option<Verdict> {
        (self.at >= self.steps.len()).then_some(self.verdict)
    }

    fn fault(&mut self, seat: Seat) -> Result<(), Rejection> {
        rules::refuse_fault(self, seat)?;
        self.verdict = Verdict::win(seat.other(), rules::Reason::Fault);
        self.at = self.steps.len();
        Ok(())
    }

    fn count(&self) -> Option<Vec<u32>> {
        Some(vec![self.at as u32, 3])
    }

    fn fork(&self) -> Box<dyn Referee> {
        Box::new(self.clone())
    }
}

/// What a scripted bot does when it is asked.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// Thinks for this many milliseconds.
    Wait(u64),
    /// Thinks for this many milliseconds while the arena does not run.
    Pause(u64),
    /// Writes this.
    Say(String),
    /// Writes this line every this many milliseconds for ever.
    Chatter(&'static str, u64),
    /// Reads lines until one begins with this word.
    Await(&'static str),
    /// Closes its output.
    Close,
    /// Closes its input.
    Deafen,
    /// Ends.
    Die,
    /// Neither reads nor writes any more.
    Freeze,
}

/// Returns the acts of a bot that thinks and then writes a line.
pub(super) fn say(after: u64, line: &str) -> Vec<Act> {
    vec![Act::Wait(after), Act::Say(format!("{line}\n"))]
}

/// A scripted bot, from its own side.
pub(super) struct Peer {
    input: Option<Lines<BufReader<DuplexStream>>>,
    output: Option<DuplexStream>,
    acts: VecDeque<Vec<Act>>,
    hello: &'static str,
    lines: UnboundedSender<String>,
}

impl Peer {
    pub(super) fn new(
        input: DuplexStream,
        output: DuplexStream,
        acts: Vec<Vec<Act>>,
        hello: &'static str,
        lines: UnboundedSender<String>,
    ) -> Self {
        let input = Some(BufReader::new(input).lines());
        Self { input, output: Some(output), acts: acts.into(), hello, lines }
    }

    /// Runs until there is nothing more to read.
    pub(super) async fn live(mut self) {
        while let Some(line) = self.read().await {
            let acts = match line.split(' ').next() {
                Some("ugi") => vec![Act::Say(self.hello.to_owned())],
                // The last word of the greeting determines the reaction to a set-up.
                Some("isready") if self.hello.contains("x-mute") => Vec::new(),
                Some("isready") if self.hello.contains("x-reject") => {
                    say(0, "reject size : too big\nreadyok")
                }
                Some("isready") if self.hello.contains("x-die") => vec![Act::Die],
                Some("isready") if self.hello.contains("x-pause") => {
                    [vec![Act::Pause(60_000)], say(1500, "readyok")].concat()
                }
                Some("isready") if self.hello.contains("x-slow") => say(2500, "readyok"),
                Some("isready") => say(0, "readyok"),
                Some("go") => self.acts.pop_front().unwrap_or_else(|| say(0, "bestmove a1")),
                _ => Vec::new(),
            };
            for act in acts {
                if !self.act(act).await {
                    return;
                }
            }
        }
    }

    async fn read(&mut self) -> Option<String> {
        match &mut self.input {
            Some(input) => {
                let line = input.next_line().await.ok().flatten()?;
                // The test may have ended already.
                let _ = self.lines.send(line.clone());
                Some(line)
            }
            None => std::future::pending().await,
        }
    }

    /// Acts and returns whether the bot stays alive.
    async fn act(&mut self, act: Act) -> bool {
        match act {
            Act::Wait(millis) => sleep(ms(millis)).await,
            Act::Pause(millis) => advance(ms(millis)).await,
            Act::Say(text) => return self.say(&text).await,
            Act::Chatter(line, millis) => loop {
                sleep(ms(millis)).await;
                if !self.say(line).await {
                    return false;
                }
            },
            Act::Await(word) => loop {
                match self.read().await {
                    Some(line) if line.starts_with(word) => break,
                    Some(_) => {}
                    None => return false,
                }
            },
            Act::Close => self.output = None,
            Act::Deafen => self.input = None,
            Act::Die => return false,
            Act::Freeze => std::future::pending().await,
        }
        true
    }

    async fn say(&mut self, text: &str) -> bool {
        match &mut self.output {
            Some(output) => output.write_all(text.as_bytes()).await.is_ok(),
            None => true,
        }
    }
}
