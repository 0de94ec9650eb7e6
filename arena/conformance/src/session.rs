//! One process of the bot and the conversation with it.

use std::time::{Duration, Instant};

use protocol::{
    Ask, BestMove, Dialogue, Event, GameSetup, Identity, LineError, Pairs, Profile, Reject, Timeouts,
    flush_advice,
};

use crate::fault::{Fault, Step, Stop};
use crate::transcript::Transcript;
use crate::{Connection, Connector, Received, Remains};

/// How many faulty lines of a handshake are kept.
const MAX_MALFORMED: usize = 16;

/// One process of the bot.
pub(crate) struct Session<'a> {
    connection: Box<dyn Connection + 'a>,
    dialogue: Dialogue,
    transcript: Transcript,
    command: &'a str,
    /// Why nothing will come any more.
    closed: Option<String>,
    /// Answers that nobody asked for, since they were last taken.
    strays: usize,
    /// Lines of the protocol that are written wrongly, in the handshake.
    malformed: Vec<(String, LineError)>,
}

/// What is heard of the bot.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and nearly always the large one")]
pub(crate) enum Heard {
    /// A line and what it means.
    Said(Event, String, Instant),
    /// Nothing will come any more.
    Closed,
    /// Nothing came until the deadline.
    Silence,
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// What the bot decided.
    pub(crate) answer: BestMove,
    /// How long that took.
    pub(crate) spent: Duration,
}

impl<'a> Session<'a> {
    /// Starts a process, to which nothing is said yet.
    pub(crate) fn open(connector: &'a dyn Connector, command: &'a str) -> Step<Self> {
        let connection = connector.connect().map_err(Stop::Launch)?;
        Ok(Self {
            connection,
            dialogue: Dialogue::new(Profile::default()),
            transcript: Transcript::new(),
            command,
            closed: None,
            strays: 0,
            malformed: Vec::new(),
        })
    }

    /// Begins the conversation without a word: the greeting is sent by [`Session::say`].
    pub(crate) fn begin(&mut self) {
        self.dialogue.hello();
    }

    /// Closes the input once everything that was sent has been written.
    pub(crate) fn close_input(&mut self) {
        self.connection.close_input();
    }

    /// Waits until `deadline` for the end of the process and returns how it ended.
    pub(crate) fn ended(&mut self, deadline: Instant) -> Option<String> {
        self.connection.ended(deadline)
    }

    /// Greets, with the line of greeting written as `hello`, and waits for the end of the declarations.
    pub(crate) fn greet(&mut self, hello: &str) -> Step {
        let limit = Timeouts::SPEC.hello;
        self.dialogue.hello();
        self.say(hello);
        let deadline = Instant::now() + limit;
        loop {
            match self.hear(deadline)? {
                Heard::Said(Event::HelloDone, ..) => return Ok(()),
                Heard::Said(Event::Malformed(error), line, _) if self.malformed.len() < MAX_MALFORMED => {
                    self.malformed.push((line, error));
                }
                Heard::Said(..) => {}
                Heard::Closed => return Err(self.died("before `ugiok`").into()),
                Heard::Silence => return Err(self.silent("ugiok", limit)?.into()),
            }
        }
    }

    /// Introduces the arena.
    pub(crate) fn introduce(&mut self, version: &str) {
        if let Ok(text) = self.dialogue.after_hello(&[], "arena", version) {
            self.say(&text);
        }
    }

    /// Returns what the bot said of itself.
    pub(crate) fn identity(&self) -> &Identity {
        self.dialogue.identity()
    }

    /// Returns the lines of the handshake that are written wrongly and begin with one of these words.
    pub(crate) fn malformed(&self, words: &[&str]) -> Option<&(String, LineError)> {
        self.malformed.iter().find(|(line, _)| words.iter().any(|word| line.split(' ').next() == Some(word)))
    }

    /// Sends lines as they are.
    pub(crate) fn say(&mut self, text: &str) {
        if !text.is_empty() {
            self.transcript.sent(text);
            self.connection.send(text);
        }
    }

    /// Returns what is heard next.
    pub(crate) fn hear(&mut self, deadline: Instant) -> Step<Heard> {
        if self.closed.is_some() {
            return Ok(Heard::Closed);
        }
        match self.connection.receive(deadline) {
            (Received::Line(line), at) => {
                self.transcript.received(&line);
                let event = self.dialogue.receive(&line);
                if event == Event::Stale && line.starts_with("bestmove") {
                    self.strays += 1;
                }
                Ok(Heard::Said(event, line, at))
            }
            (Received::Closed(why), _) => {
                self.closed = Some(why);
                Ok(Heard::Closed)
            }
            (Received::Silence, _) => Ok(Heard::Silence),
            (Received::Interrupted, _) => Err(Stop::Interrupted),
        }
    }

    /// Sends `isready` and waits for `readyok`. Answers that come before it are strays.
    pub(crate) fn ready(&mut self) -> Step {
        let text = self.dialogue.ready_check();
        self.say(&text);
        match self.await_ready(Timeouts::SPEC.ready)? {
            None => Ok(()),
            Some(_) => Err(self
                .fault("it answered `isready` with `reject`", "answer every `isready` with `readyok`")
                .into()),
        }
    }

    /// Sets up a game; returns the refusal if there is one.
    pub(crate) fn set_up(&mut self, game: &GameSetup) -> Step<Option<Reject>> {
        let text = self.dialogue.set_up(game);
        self.say(&text);
        let refusal = self.await_ready(Timeouts::SPEC.set_up)?;
        self.strays = 0;
        Ok(refusal)
    }

    fn await_ready(&mut self, limit: Duration) -> Step<Option<Reject>> {
        let deadline = Instant::now() + limit;
        loop {
            match self.hear(deadline)? {
                Heard::Said(Event::Ready, ..) => return Ok(None),
                Heard::Said(Event::Rejected(reject), ..) => return Ok(Some(reject)),
                Heard::Said(..) => {}
                Heard::Closed => return Err(self.died("before `readyok`").into()),
                Heard::Silence => return Err(self.silent("readyok", limit)?.into()),
            }
        }
    }

    /// Sets one of the declared options.
    pub(crate) fn set_option(&mut self, name: &str, value: &str) {
        // Values come from the declaration, so that they fit it.
        if let Ok(text) = self.dialogue.set_option(name, value) {
            self.say(&text);
        }
    }

    /// Takes what the bot has written by now, and returns how many answers nobody asked for were among it.
    pub(crate) fn settle(&mut self) -> Step<usize> {
        while let Heard::Said(..) = self.hear(Instant::now())? {}
        Ok(self.take_strays())
    }

    /// Returns how many answers nobody asked for were heard since this was asked last.
    pub(crate) const fn take_strays(&mut self) -> usize {
        std::mem::replace(&mut self.strays, 0)
    }

    /// Puts a question and does not wait. Returns when it was put.
    pub(crate) fn put(&mut self, ask: &Ask<'_>) -> Step<Instant> {
        self.settle()?;
        let text = self.dialogue.ask(ask);
        let at = Instant::now();
        self.say(&text);
        Ok(at)
    }

    /// Puts a question and waits for the answer, `limit` at the most.
    pub(crate) fn ask(&mut self, ask: &Ask<'_>, limit: Duration) -> Step<Reply> {
        let since = self.put(ask)?;
        self.answer(since, limit)
    }

    /// Waits for the answer to the question that was put at `since`, until `limit` after the last line sent.
    pub(crate) fn answer(&mut self, since: Instant, limit: Duration) -> Step<Reply> {
        let deadline = Instant::now() + limit;
        match self.listen(since, deadline)? {
            Some(reply) => Ok(reply),
            None => Err(self.silent("bestmove", limit)?.into()),
        }
    }

    /// Listens until `deadline` for the answer to the question that was put at `since`.
    pub(crate) fn listen(&mut self, since: Instant, deadline: Instant) -> Step<Option<Reply>> {
        loop {
            match self.hear(deadline)? {
                Heard::Said(Event::Answer(answer), _, at) => {
                    return Ok(Some(Reply { answer, spent: at.saturating_duration_since(since) }));
                }
                Heard::Said(Event::BadAnswer(fault), ..) => {
                    let advice = "answer with `bestmove` and a ply in the spelling of the game's page";
                    return Err(self.fault(fault.to_string(), advice).into());
                }
                Heard::Said(..) => {}
                Heard::Closed => return Err(self.died("in place of an answer to `go`").into()),
                Heard::Silence => return Ok(None),
            }
        }
    }

    /// Sends `stop`, if the bot can be stopped and a question is open.
    pub(crate) fn stop(&mut self) {
        if let Some(text) = self.dialogue.stop() {
            self.say(&text);
        }
    }

    /// Sends `isready` and leaves an open question open.
    pub(crate) fn ping(&mut self) {
        let text = self.dialogue.ping();
        self.say(&text);
    }

    /// Sends `ponderhit`.
    pub(crate) fn ponder_hit(&mut self) {
        if let Some(text) = self.dialogue.ponder_hit() {
            self.say(&text);
        }
    }

    /// Asks about the rules and returns the answer.
    pub(crate) fn query(&mut self, question: &str, limit: Duration) -> Step<String> {
        if let Some(text) = self.dialogue.query(question) {
            self.say(&text);
        }
        let deadline = Instant::now() + limit;
        loop {
            match self.hear(deadline)? {
                Heard::Said(Event::Response(text), ..) => return Ok(text),
                Heard::Said(..) => {}
                Heard::Closed => return Err(self.died("in place of a `response`").into()),
                Heard::Silence => return Err(self.silent("response", limit)?.into()),
            }
        }
    }

    /// Tells of a ply, if the bot wants to know.
    pub(crate) fn tell_played(&mut self, seat: protocol::SeatNumber, ply: &str) {
        if let Some(text) = self.dialogue.played(seat, ply, &Pairs::new()) {
            self.say(&text);
        }
    }

    /// Ends the game.
    pub(crate) fn game_over(&mut self, outcome: protocol::Outcome, code: &str, plies: usize) {
        let text = self.dialogue.game_over(outcome, code, &Pairs::new().with("plies", plies));
        self.say(&text);
    }

    /// Sends `quit`, or only closes the input, and reads the rest of the output. Returns its lines, and how long
    /// the process took to end, or `None` if it did not within `limit`.
    pub(crate) fn farewell(&mut self, quits: bool, limit: Duration) -> Step<(Vec<String>, Option<Duration>)> {
        const MOST: usize = 64;
        self.settle()?;
        let since = Instant::now();
        if quits {
            self.say("quit\n");
        } else {
            self.connection.close_input();
        }
        let deadline = since + limit;
        let mut lines = Vec::new();
        loop {
            match self.hear(deadline)? {
                Heard::Said(_, line, _) if lines.len() < MOST => lines.push(line),
                Heard::Said(..) => {}
                Heard::Closed | Heard::Silence => break,
            }
        }
        let status = self.connection.ended(deadline);
        Ok((lines, status.map(|_| since.elapsed())))
    }

    /// Ends the process.
    pub(crate) fn finish(self) -> Remains {
        self.connection.finish()
    }

    /// Makes a fault with what was said last.
    pub(crate) fn fault(&self, what: impl Into<String>, advice: impl Into<String>) -> Fault {
        Fault {
            what: what.into(),
            advice: advice.into(),
            lines: self.transcript.lines(),
            waited: self.transcript.waited(),
            ..Fault::default()
        }
    }

    /// Makes the fault of a bot of which nothing will come any more.
    pub(crate) fn died(&mut self, when: &str) -> Fault {
        let why = self.closed.clone().unwrap_or_else(|| "ended".to_owned());
        // On a busy machine its guard may tell late that it has ended.
        let exit = self.connection.ended(Instant::now() + Duration::from_secs(1));
        let how = exit.as_ref().map_or_else(String::new, |exit| format!(" ({exit})"));
        let advice = match exit {
            Some(_) => "send the last lines below to the bot by hand and mend what its standard error says",
            None => "keep standard input and output open, and read and write lines, until `quit`",
        };
        let mut fault = self.fault(format!("the bot {why}{how} {when}"), advice);
        fault.exit = exit;
        fault
    }

    /// Makes the fault of a bot that did not say the awaited word, after a look at whether it holds it back: its
    /// input is closed here.
    pub(crate) fn silent(&mut self, awaited: &str, limit: Duration) -> Step<Fault> {
        let limit = seconds(limit);
        let mut fault = self.fault(
            format!("no `{awaited}` within {limit}"),
            match awaited {
                "ugiok" => "answer the line `ugi` with your declarations and the line `ugiok`",
                "readyok" => "answer every `isready` with `readyok`, whatever came before it",
                "bestmove" => {
                    "answer every `go` with one line `bestmove PLY`, in the time that `budget=` names"
                }
                _ => "answer every `query` with one line `response`, or do not declare `can query`",
            },
        );
        fault.is_silence = true;
        if starts_with(&self.connection.unfinished(), awaited) {
            fault.what = format!("`{awaited}` came without the line feed that ends a line");
            "end every line with a line feed (`\\n`)".clone_into(&mut fault.advice);
            return Ok(fault);
        }
        self.connection.close_input();
        let deadline = Instant::now() + Timeouts::SPEC.flush;
        let mut is_found = false;
        while !is_found && self.closed.is_none() {
            match self.connection.receive(deadline) {
                (Received::Line(line), _) => {
                    self.dialogue.receive(&line);
                    is_found = starts_with(line.as_bytes(), awaited);
                }
                (Received::Closed(why), _) => self.closed = Some(why),
                (Received::Silence, _) => break,
                (Received::Interrupted, _) => return Err(Stop::Interrupted),
            }
        }
        if is_found || starts_with(&self.connection.unfinished(), awaited) {
            fault.is_unflushed = true;
            fault.what = format!("the bot wrote `{awaited}` only when its input closed");
            fault.advice =
                format!("flush stdout after every line; {}", flush_advice(self.command, self.identity()));
        }
        Ok(fault)
    }
}

fn starts_with(line: &[u8], word: &str) -> bool {
    let line = line.trim_ascii();
    line.strip_prefix(word.as_bytes()).is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// Writes a time as messages have it: `100 ms`, `2.5 s`.
pub(crate) fn seconds(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{} ms", time.as_millis())
    } else {
        let text = format!("{:.2}", time.as_secs_f64());
        format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_one_would_write_them() {
        let check = |millis, expected: &str| assert_eq!(seconds(Duration::from_millis(millis)), expected);
        check(0, "0 ms");
        check(150, "150 ms");
        check(1000, "1 s");
        check(10_000, "10 s");
        check(2500, "2.5 s");
        check(1234, "1.23 s");
    }

    #[test]
    fn a_word_is_found_at_the_start_of_a_line_only() {
        assert!(starts_with(b" bestmove a1", "bestmove"));
        assert!(starts_with(b"ugiok", "ugiok"));
        assert!(!starts_with(b"bestmoves a1", "bestmove"));
        assert!(!starts_with(b"info ugiok", "ugiok"));
    }
}
