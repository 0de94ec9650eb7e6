//! Holds one dialogue: the arena's lines come out of a `Dialogue`, and every line of the bot goes into it.

use protocol::{
    After, ArenaMessage, Ask, Dialogue, Event, GameSetup, Go, Moves, Pairs, PositionMessage, Profile,
    RequestReader, SeatNumber, State,
};

use crate::script::{Act, Script, Step};

/// Plays a dialogue and compares every line.
pub(crate) fn play(script: &Script) {
    let mut table = Table::new(script);
    let mut steps = script.steps.as_slice();
    while let Some((step, rest)) = steps.split_first() {
        steps = rest;
        match &step.act {
            Act::Tell(_) => {
                let count = 1 + rest.iter().take_while(|step| matches!(step.act, Act::Tell(_))).count();
                let lines = &script.steps[script.steps.len() - rest.len() - 1..][..count];
                table.tell(lines);
                steps = &rest[count - 1..];
            }
            Act::Expect(pattern) => {
                let verdict = match rest.first().map(|step| &step.act) {
                    Some(Act::Direct(word, _)) if EVENTS.contains(&word.as_str()) => Some(word.as_str()),
                    _ => None,
                };
                table.hear(&step.place, pattern, verdict);
            }
            Act::Direct(word, words) => table.direct(&step.place, word, words),
        }
    }
}

/// What a line of a bot can turn out to be.
const EVENTS: [&str; 13] = [
    "declared",
    "hello",
    "ready",
    "rejected",
    "info",
    "answer",
    "bad-answer",
    "response",
    "complaint",
    "stale",
    "unexpected",
    "malformed",
    "log",
];

/// Returns whether a line before this direction is not meant to be a message in its canonical form.
pub(crate) fn is_no_message(word: &str) -> bool {
    matches!(word, "bad-answer" | "malformed" | "log" | "tolerated")
}

fn name(event: &Event) -> &'static str {
    match event {
        Event::Declared => "declared",
        Event::HelloDone => "hello",
        Event::Ready => "ready",
        Event::Rejected(_) => "rejected",
        Event::Info(_) => "info",
        Event::Answer(_) => "answer",
        Event::BadAnswer(_) => "bad-answer",
        Event::Response(_) => "response",
        Event::Complaint(_) => "complaint",
        Event::Stale => "stale",
        Event::Unexpected => "unexpected",
        Event::Malformed(_) => "malformed",
        Event::Log => "log",
    }
}

/// What a dialogue is held with.
struct Table {
    dialogue: Dialogue,
    profile: Profile,
    session: RequestReader,
    legal: Vec<String>,
    /// The bot's seat, where a direction says it.
    you: Option<SeatNumber>,
    /// Whether the next `isready` gives an open question up.
    is_resync: bool,
}

impl Table {
    /// Sits down as the directions at the top of the dialogue say.
    fn new(script: &Script) -> Self {
        let mut profile = Profile::default();
        let mut declarations = vec!["protocol 1".to_owned(), "plays *".to_owned()];
        let (mut is_greeted, mut you) = (false, None);
        for step in &script.steps {
            let Act::Direct(word, words) = &step.act else { continue };
            match word.as_str() {
                "dialect" => words.iter().for_each(|word| set(&mut profile, word)),
                "greeted" => {
                    is_greeted = true;
                    if !words.is_empty() {
                        declarations.push(words.join(" "));
                    }
                }
                "can" => declarations.push(format!("can {}", words.join(" "))),
                "you" => you = words[0].parse::<SeatNumber>().ok(),
                _ => {}
            }
        }
        let mut dialogue = Dialogue::new(profile.clone());
        if is_greeted {
            dialogue.hello();
            for line in &declarations {
                assert_eq!(dialogue.receive(line), Event::Declared, "{}: {line}", script.name);
            }
            assert_eq!(dialogue.receive(&profile.hello.hello_ok()), Event::HelloDone);
        }
        if is_greeted && you.is_some() {
            dialogue.set_up(&GameSetup { you, ..GameSetup::new("any") });
            assert_eq!(dialogue.receive("readyok"), Event::Ready);
        }
        Self { dialogue, profile, session: RequestReader::new(), legal: Vec::new(), you, is_resync: false }
    }

    /// Makes the arena send these lines.
    fn tell(&mut self, steps: &[Step]) {
        let lines: Vec<&str> = steps
            .iter()
            .map(|step| match &step.act {
                Act::Tell(line) => line.as_str(),
                Act::Expect(_) | Act::Direct(..) => "",
            })
            .collect();
        let mut told = 0;
        while told < lines.len() {
            let place = &steps[told].place;
            let sent = self.send(place, &lines[told..]);
            assert!(!sent.is_empty(), "{place}: nothing is sent");
            for line in sent.lines() {
                assert_eq!(
                    Some(&line),
                    lines.get(told),
                    "{}",
                    steps.get(told).map_or(place, |step| &step.place)
                );
                told += 1;
            }
        }
    }

    /// Makes the arena send what begins with the first of these lines.
    fn send(&mut self, place: &str, lines: &[&str]) -> String {
        if lines[0] == self.profile.hello.hello() {
            return self.dialogue.hello();
        }
        if lines[0] == self.profile.hello.new_game() {
            return self.dialogue.set_up(&GameSetup::new("any"));
        }
        let message = self.read(place, lines[0]);
        let dialogue = &mut self.dialogue;
        match message {
            ArenaMessage::Arena(data) => {
                let options: Vec<_> = lines[1..].iter().map_while(|line| option(line)).collect();
                let value = |key| data.pairs.get(key).unwrap_or_default();
                let sent = dialogue.after_hello(&options, value("name"), value("version"));
                sent.unwrap_or_else(|fault| panic!("{place}: {fault}"))
            }
            ArenaMessage::SetOption(option) => {
                let sent = dialogue.set_option(&option.name, option.value.as_deref().unwrap_or_default());
                sent.unwrap_or_else(|fault| panic!("{place}: {fault}"))
            }
            ArenaMessage::Game(setup) => {
                let sent = dialogue.set_up(&setup);
                for line in sent.lines() {
                    self.read(place, line);
                }
                sent
            }
            ArenaMessage::IsReady if self.is_resync || dialogue.state() != State::Thinking => {
                self.is_resync = false;
                dialogue.ready_check()
            }
            ArenaMessage::IsReady => dialogue.ping(),
            ArenaMessage::Position(position) => self.ask(place, position, &lines[1..]),
            ArenaMessage::Stop => dialogue.stop().unwrap_or_default(),
            ArenaMessage::PonderHit => dialogue.ponder_hit().unwrap_or_default(),
            ArenaMessage::Query(_) => {
                dialogue.query(lines[0].trim_start_matches("query ")).unwrap_or_default()
            }
            ArenaMessage::Played(played) => {
                dialogue.played(played.seat, played.ply.as_str(), &played.pairs).unwrap_or_default()
            }
            ArenaMessage::Error(error) => {
                dialogue.error(&error.code, &error.pairs, error.text.as_deref().unwrap_or_default())
            }
            ArenaMessage::Out(out) => dialogue.out(out.seat, &out.code, Some(out.seat) == self.you),
            ArenaMessage::GameOver(end) => dialogue.game_over(&end.outcome, &end.code, &end.pairs),
            ArenaMessage::Quit => dialogue.quit(),
            other => panic!("{place}: {other:?} does not begin anything"),
        }
    }

    /// Puts the question that these lines are.
    fn ask(&mut self, place: &str, position: PositionMessage, lines: &[&str]) -> String {
        let PositionMessage { start, moves } = position;
        let moves: Moves = moves.iter().collect();
        let (mut board, mut after) = ("1 p1".to_owned(), Vec::<After>::new());
        self.legal.clear();
        for line in lines {
            match self.read(place, line) {
                ArenaMessage::Board(text) => board = text,
                ArenaMessage::Legal(plies) => self.legal = plies.iter().map(ToString::to_string).collect(),
                ArenaMessage::After(line) => after.push(line),
                ArenaMessage::Go(Go { limits, pairs }) => {
                    // What the arena works out by itself is left to it.
                    let own = ["budget", "id", "legal-omitted", "after-omitted"];
                    let pairs = pairs.iter().filter(|pair| !own.contains(&pair.key())).cloned();
                    return self.dialogue.ask(&Ask {
                        start: &start,
                        moves: &moves,
                        board: &board,
                        legal: &self.legal,
                        after: &after,
                        limits: &limits,
                        pairs: &pairs.collect::<Pairs>(),
                        id: None,
                    });
                }
                other => panic!("{place}: {other:?} in a question"),
            }
        }
        panic!("{place}: a question ends in `go`")
    }

    /// Reads a line as a bot does, and as the dialect means it.
    fn read(&mut self, place: &str, line: &str) -> ArenaMessage {
        let mut plain = line.replacen(&self.profile.position_keyword.to_string(), "fen", 1);
        if line == self.profile.hello.new_game() {
            plain = "uginewgame".to_owned();
        }
        if self.profile.clock == protocol::ClockWords::Wb {
            for (word, seat) in
                [("wtime", "p1time"), ("btime", "p2time"), ("winc", "p1inc"), ("binc", "p2inc")]
            {
                plain = plain.replace(word, seat);
            }
        }
        self.session.receive(&plain).unwrap_or_else(|error| panic!("{place}: {error}"));
        ArenaMessage::parse(&plain).unwrap_or_else(|error| panic!("{place}: {error}"))
    }

    /// Takes a line of the bot.
    fn hear(&mut self, place: &str, pattern: &str, verdict: Option<&str>) {
        let words = pattern.split(' ').map(|word| match word {
            "%legal" => self.legal.first().unwrap_or_else(|| panic!("{place}: no `legal` line")).as_str(),
            "%text" => "whatever it is",
            word => word,
        });
        let line = words.collect::<Vec<_>>().join(" ");
        let event = self.dialogue.receive(&line);
        match verdict {
            Some(verdict) => assert_eq!(name(&event), verdict, "{place}: {event:?}"),
            None => {
                let is_wrong = matches!(
                    event,
                    Event::Log | Event::Stale | Event::Unexpected | Event::Malformed(_) | Event::BadAnswer(_)
                );
                assert!(!is_wrong, "{place}: {event:?}");
            }
        }
        if let Event::Answer(answer) = event {
            assert_eq!(answer.to_string(), line, "{place}");
        }
    }

    fn direct(&mut self, place: &str, word: &str, words: &[String]) {
        match word {
            "resync" => self.is_resync = true,
            "withheld" => {
                let line = words.join(" ");
                let sent = self.send(place, &[&line]);
                assert_eq!(sent, "", "{place}");
            }
            "refused" => {
                let (name, value) = (&words[0], words[1..].join(" "));
                assert!(self.dialogue.set_option(name, &value).is_err(), "{place}");
            }
            // Taken already, or for bots only.
            "dialect" | "greeted" | "can" | "you" | "arena-only" | "needs" | "within" | "silence"
            | "ends" | "close" | "tolerated" => {}
            word => assert!(EVENTS.contains(&word), "{place}: unknown direction `{word}`"),
        }
    }
}

fn option(line: &str) -> Option<(String, String)> {
    match ArenaMessage::parse(line) {
        Ok(ArenaMessage::SetOption(option)) => Some((option.name, option.value.unwrap_or_default())),
        _ => None,
    }
}

fn set(profile: &mut Profile, word: &str) {
    let (key, value) = word.split_once('=').expect("a word of a dialect is `key=value`");
    let known = "the word of the dialect is known";
    match key {
        "hello" => profile.hello = value.parse().expect(known),
        "clock" => profile.clock = value.parse().expect(known),
        "position-keyword" => profile.position_keyword = value.parse().expect(known),
        "quiet" => profile.quiet = value.parse().expect(known),
        _ => panic!("no word `{key}` of a dialect"),
    }
}
