//! The rules of a board game as a WebAssembly module for `arena`.
//!
//! A game is one file of Rust: it implements [`Rules`] and ends with `arena_rules::export!(Type);`. Everything else is done here:
//! reading requests, writing answers, errors, options, `moves`. No answer depends on the requests before: what is kept of them saves
//! work and nothing else ([`Kept`]).
//!
//! ```text
//! rustc --target wasm32-unknown-unknown --edition 2024 --crate-type cdylib -C opt-level=3 -C panic=abort -C strip=symbols GAME.rs
//! ```
#![allow(dead_code)]

use std::fmt::Write as _;
use std::sync::Mutex;

/// The most bytes of a line of requests.
const MOST_BYTES_OF_A_REQUEST: usize = 16 << 20;
/// The most bytes of an answer.
const MOST_BYTES_OF_AN_ANSWER: usize = 1 << 20;
/// The most bytes of a position string.
const MOST_BYTES_OF_A_POSITION: usize = 4096;
/// The most plies of a game.
const MOST_PLIES_OF_A_GAME: usize = 10_000;

/// What the game is. Only `id`, `version`, `title` and `about` are needed: begin the others with `..Info::EMPTY`.
pub struct Info {
    pub id: &'static str,
    pub version: &'static str,
    pub title: &'static str,
    /// A phrase for lists of games.
    pub about: &'static str,
    /// One line: how a ply is written.
    pub notation: &'static str,
    /// The rules in Markdown.
    pub rules: &'static str,
    /// How positions look, as JSON of any number of lines.
    pub look: &'static str,
    /// At which occurrence a position is a draw; 0: the game does not care.
    pub repetition: u32,
    /// How few and how many seats a table has. Where they differ, an option `players` chooses: its default is the least.
    pub seats: [u32; 2],
    /// After how many plies a game is a draw; 0: the arena's own limit.
    pub max_plies: u32,
    /// Whether a seat without another legal ply passes. `legal` need not say so; `play` gets `pass`.
    pub pass: bool,
    pub options: &'static [Choice],
}

impl Info {
    /// What may be left out.
    pub const EMPTY: Self = Self {
        id: "", version: "", title: "", about: "", notation: "", rules: "", look: "", repetition: 0,
        seats: [2, 2], max_plies: 0, pass: false, options: &[],
    };
}

/// An option.
pub struct Choice {
    pub name: &'static str,
    pub about: &'static str,
    pub default: &'static str,
    pub values: Values,
}

/// What an option may be.
pub enum Values {
    /// One of several words; its value is their index.
    Words(&'static [&'static str]),
    /// A number within a range.
    Range(u32, u32),
}

/// A seat: who decides, for one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Seat { P1, P2, P3, P4, P5, P6, P7, P8 }

impl Seat {
    /// All seats that a table may have.
    pub const ALL: [Self; 8] = [Self::P1, Self::P2, Self::P3, Self::P4, Self::P5, Self::P6, Self::P7, Self::P8];

    /// The other seat of two.
    pub fn other(self) -> Self { if self == Self::P1 { Self::P2 } else { Self::P1 } }
    /// The number of the seat, from 0.
    pub fn index(self) -> usize { self as usize }
    /// The next seat of a table of so many.
    pub fn next(self, seats: usize) -> Self { Self::ALL[(self.index() + 1) % seats] }
    /// `p1`, `p2` and so on.
    pub fn name(self) -> &'static str { ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"][self.index()] }
    /// Reads `p1` or `p2`.
    pub fn read(text: &str) -> Option<Self> { Self::read_of(text, 2) }
    /// Reads a seat of a table of so many.
    pub fn read_of(text: &str, seats: usize) -> Option<Self> { Self::ALL.into_iter().take(seats).find(|seat| seat.name() == text) }
}

/// A seat that is out while the others play on.
pub struct Exit {
    pub seat: Seat,
    /// Its place: 1 is the best.
    pub place: u8,
    /// Why, as a token; empty where the position string does not tell.
    pub reason: &'static str,
}

/// How a game ends.
pub struct End {
    /// Who has won; none in a draw.
    pub winner: Option<Seat>,
    /// A token of `a-z 0-9 -`.
    pub reason: &'static str,
    /// A phrase for people, or empty.
    pub words: &'static str,
}

/// A position of the game: what its author writes.
pub trait Rules: Clone {
    /// What the game is.
    const INFO: Info;

    /// Returns the start of a game. The options come in their order: a number, or the index of a word.
    fn start(options: &[u32]) -> Self;

    /// Reads a position string. What `show` would spell in another way is refused without this function's doing.
    fn parse(options: &[u32], text: &str) -> Result<Self, String>;

    /// Writes the position string: words with single blanks between, without `;`, at most 4,096 bytes.
    fn show(&self) -> String;

    /// Returns who decides.
    fn seat(&self) -> Seat;

    /// Returns the legal plies in any order. Not called when the game is over.
    fn legal(&self) -> Vec<String>;

    /// Plays a ply that is legal.
    fn play(&mut self, ply: &str);

    /// Returns whether the game is over, judged as if the last ply had just been played.
    fn end(&self) -> Option<End>;

    /// Returns the places of the seats of a table that is not for two, where the game is over: one plus the number of seats that did
    /// better. `winner` of [`Rules::end`] means nothing there.
    fn places(&self) -> Vec<u8> { Vec::new() }

    /// Returns the seats that are out, in order. Not called at tables of two.
    fn out(&self) -> Vec<Exit> { Vec::new() }

    /// Takes out a seat that is in, whoever decides, because it commits a fault: its place is behind all that are in. Not called at tables
    /// of two.
    fn put_out(&mut self, _seat: Seat) {}

    /// Returns further keys of the answer, each after a comma: `,"count":[2,2]`.
    fn more(&self) -> String { String::new() }
}

/// Writes a number. An interpreter runs this, and what formats numbers takes hundreds of steps.
fn push_number(text: &mut String, number: usize) {
    if number >= 10 { push_number(text, number / 10); }
    text.push(char::from(b'0' + (number % 10) as u8));
}

/// Returns the name of a cell; both numbers count from 0: `cell(2, 0)` is c1.
pub fn cell(file: usize, rank: usize) -> String {
    let mut name = String::with_capacity(4);
    name.push(char::from(b'a' + file as u8));
    push_number(&mut name, rank + 1);
    name
}

/// Reads the cell that a legal ply begins with: its file, its rank, what follows.
pub fn cell_of(ply: &str) -> (usize, usize, &str) {
    let file = usize::from(ply.as_bytes()[0] - b'a');
    let end = ply[1..].find(|c: char| !c.is_ascii_digit()).map_or(ply.len(), |at| at + 1);
    (file, ply[1..end].parse::<usize>().map_or(0, |rank| rank - 1), &ply[end..])
}

/// Writes rows, top rank first. `board[rank * width + file]` is 0 where a cell is empty, else `letters[piece - 1]` stands there.
pub fn rows(board: &[u8], width: usize, letters: &str) -> String {
    let mut text = String::new();
    for row in board.chunks(width).rev() {
        let mut empty = 0;
        for &piece in row {
            if piece == 0 {
                empty += 1;
                continue;
            }
            if empty > 0 { push_number(&mut text, empty); }
            empty = 0;
            text.push(char::from(letters.as_bytes()[usize::from(piece) - 1]));
        }
        if empty > 0 { push_number(&mut text, empty); }
        text.push('/');
    }
    text.pop();
    text
}

/// Reads rows as `rows` writes them.
pub fn read_rows(text: &str, width: usize, height: usize, letters: &str) -> Option<Vec<u8>> {
    let mut ranks = Vec::new();
    for row in text.split('/') {
        let (mut rank, mut run) = (Vec::new(), 0);
        for c in row.bytes() {
            if c.is_ascii_digit() {
                run = run * 10 + usize::from(c - b'0');
            } else {
                rank.resize(rank.len() + run, 0);
                rank.push(letters.bytes().position(|letter| letter == c)? as u8 + 1);
                run = 0;
            }
            if rank.len() + run > width { return None; }
        }
        rank.resize(rank.len() + run, 0);
        if rank.len() != width || ranks.len() == height { return None; }
        ranks.push(rank);
    }
    ranks.reverse();
    (ranks.len() == height).then(|| ranks.concat())
}

/// An error of the format: its code, its message, and for a ply why it is refused.
struct Fault(&'static str, String, Option<&'static str>);

type Answer<T> = Result<T, Fault>;

/// Shows text of a request: at most 80 bytes, those that are not printable ASCII as \xNN.
fn shown(text: &str) -> String {
    let mut shown = String::from("`");
    for byte in text.bytes().take(80) {
        if (b' '..=b'~').contains(&byte) { shown.push(char::from(byte)); } else { let _ = write!(shown, "\\x{byte:02x}"); }
    }
    shown + if text.len() > 80 { "…`" } else { "`" }
}

/// Writes a string of JSON.
fn string(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            '\0'..' ' => drop(write!(json, "\\u{:04x}", u32::from(c))),
            c => json.push(c),
        }
    }
    json + "\""
}

/// Writes a list of strings.
fn list<T: AsRef<str>>(texts: &[T]) -> String {
    let texts: Vec<_> = texts.iter().map(|text| string(text.as_ref())).collect();
    format!("[{}]", texts.join(","))
}

impl Choice {
    fn read(&self, text: &str) -> Option<u32> {
        match self.values {
            Values::Words(words) => words.iter().position(|word| *word == text).map(|i| i as u32),
            Values::Range(min, max) => {
                let number = text.parse::<u32>().ok().filter(|number| number.to_string() == text);
                number.filter(|number| (min..=max).contains(number))
            }
        }
    }
}

/// Reads the options that the words begin with. Returns their values and the other words.
fn read_options<'a>(info: &Info, mut words: &'a [&'a str]) -> Answer<(Vec<u32>, &'a [&'a str])> {
    let mut values: Vec<_> =
        info.options.iter().map(|option| option.read(option.default).unwrap_or(0)).collect();
    let mut given = vec![false; values.len()];
    while let Some((word, rest)) = words.split_first() {
        let Some((name, value)) = word.split_once('=') else { break };
        let Some(i) = info.options.iter().position(|option| option.name == name) else {
            let name = if name.is_empty() { String::new() } else { shown(name) };
            return Err(Fault::new("bad-option", format!("the game has no option {name}")));
        };
        if given[i] { return Err(Fault::new("bad-option", format!("the option {} is given twice", shown(name)))); }
        given[i] = true;
        values[i] = info.options[i].read(value).ok_or_else(|| {
            Fault::new("bad-option", format!("{} is not within the values of this option", shown(word)))
        })?;
        words = rest;
    }
    Ok((values, words))
}

/// Returns the game with the options that differ from the defaults.
fn label(info: &Info, values: &[u32]) -> String {
    let mut label = info.id.to_owned();
    for (option, &value) in info.options.iter().zip(values) {
        let text = match option.values {
            Values::Words(words) => words[value as usize].to_owned(),
            Values::Range(..) => value.to_string(),
        };
        if text != option.default { let _ = write!(label, " {}={text}", option.name); }
    }
    label
}

/// Reads `startpos` or `fen STRING`. Returns the position and the words after it.
fn read_start<'a, R: Rules>(options: &[u32], words: &'a [&'a str]) -> Answer<(R, &'a [&'a str])> {
    match words.split_first() {
        Some((&"startpos", rest)) => Ok((R::start(options), rest)),
        Some((&"fen", rest)) => {
            let (text, rest) =
                rest.split_at(rest.iter().position(|word| *word == "moves").unwrap_or(rest.len()));
            let text = text.join(" ");
            let wrong = |why: &str| Fault::new("bad-position", format!("not a position of this game: {why}"));
            if text.len() > MOST_BYTES_OF_A_POSITION { return Err(wrong("a position has at most 4096 bytes")); }
            let state = R::parse(options, &text).map_err(|why| wrong(&why))?;
            let canonical = state.show();
            if canonical != text {
                return Err(Fault::new(
                    "bad-position",
                    format!("the position is written {}", shown(&canonical)),
                ));
            }
            Ok((state, rest))
        }
        other => {
            let found = other.map_or_else(|| "the end".to_owned(), |(word, _)| shown(word));
            Err(Fault::new("bad-request", format!("`startpos` or `fen` is needed here, not {found}")))
        }
    }
}

/// Returns the legal plies in any order, a forced pass among them.
fn legal<R: Rules>(state: &R, end: Option<&End>) -> Vec<String> {
    let mut plies = if end.is_none() { state.legal() } else { Vec::new() };
    if plies.is_empty() && end.is_none() && R::INFO.pass { plies.push("pass".to_owned()); }
    plies
}

/// A position, and what a request about it says after its first word: the game and options as they were given (`before`), `fen` and
/// the position.
struct Known<R> {
    before: String,
    options: Vec<u32>,
    seats: usize,
    state: R,
    end: Option<End>,
    text: String,
    /// Its legal plies in byte order, a forced pass among them, once they are needed.
    plies: Option<Vec<String>>,
    /// Whether plies led to it at a table of more than two: `state` and `end` may know then what the position string does not tell.
    is_played: bool,
}

impl<R: Rules> Known<R> {
    fn list(&mut self) -> &[String] {
        let Self { plies, state, end, .. } = self;
        plies.get_or_insert_with(|| {
            let mut plies = legal(state, end.as_ref());
            plies.sort_unstable();
            plies
        })
    }

    /// Returns the words after this position in a request, if it is about it.
    fn rest<'a>(&self, request: &'a str) -> Option<&'a str> {
        let rest = request.strip_prefix(&self.before)?.strip_prefix("fen ")?.strip_prefix(&self.text)?;
        (rest.is_empty() || rest == " moves" || rest.starts_with(" moves ")).then_some(rest)
    }

    /// Forgets what the position owes to the plies that led to it: it becomes what its string says. False if that is none.
    fn read_again(&mut self) -> bool {
        if self.is_played {
            let Ok(state) = R::parse(&self.options, &self.text) else { return false };
            (self.end, self.state, self.plies, self.is_played) = (state.end(), state, None, false);
        }
        true
    }

    /// Plays the plies after `moves`; returns nothing if there are none.
    fn play(&mut self, plies: &[&str]) -> Answer<Option<Self>> {
        if plies.is_empty() { return Ok(None); }
        let (before, options) = (self.before.clone(), self.options.clone());
        let mut now = Self { before, options, state: self.state.clone(), end: None, text: String::new(), plies: None, ..*self };
        for (number, ply) in (1..).zip(plies) {
            if number > MOST_PLIES_OF_A_GAME { return Err(Fault::new("bad-request", "a game has at most 10000 plies")); }
            let last = if number == 1 { &*self } else { &now };
            let faulty = ply.strip_prefix("fault.").filter(|_| last.seats > 2 && last.end.is_none());
            let faulty = faulty.and_then(|name| Seat::read_of(name, last.seats));
            let faulty = faulty.filter(|seat| last.state.out().iter().all(|out| out.seat != *seat));
            let is_legal = |plies: &[String]| plies.iter().any(|legal| legal == ply);
            let is_taken = faulty.is_some()
                || if number == 1 { is_legal(self.list()) } else { is_legal(&legal(&now.state, now.end.as_ref())) };
            if !is_taken {
                let last = if number == 1 { &*self } else { &now };
                let why = if last.end.is_none() { "it is not legal here" } else { "the game is over" };
                let seat = last.state.seat().name();
                let message = format!("ply {number}, {}, is refused to {seat}: {why}", shown(ply));
                return Err(Fault("illegal-ply", message, Some(why)));
            }
            match faulty {
                Some(seat) => now.state.put_out(seat),
                None => now.state.play(ply),
            }
            now.end = now.state.end();
        }
        (now.text, now.is_played) = (now.state.show(), now.seats > 2);
        Ok(Some(now))
    }
}

/// The position that was asked about last and the one that was answered. Most requests go on from one of them: then nothing of it is
/// read, checked and listed again.
pub struct Kept<R>([Option<Known<R>>; 2]);

impl<R> Kept<R> {
    pub const NONE: Self = Self([None, None]);
}

fn result<R: Rules>(state: &R, end: Option<&End>, seats: usize) -> String {
    let Some(end) = end else { return "\"result\":null,\"reason\":null".to_owned(); };
    let outcome = match end.winner {
        _ if seats > 2 => state.places().iter().map(u8::to_string).collect::<Vec<_>>().join(","),
        None => "draw".to_owned(),
        Some(seat) => format!("{}win", seat.name()),
    };
    let mut text = format!("\"result\":\"{outcome}\",\"reason\":{}", string(end.reason));
    if !end.words.is_empty() { let _ = write!(text, ",\"words\":{}", string(end.words)); }
    text
}

/// Reads the game, its options and the position that a request starts from. Returns it and the words after it.
fn read_from<'a, R: Rules>(words: &'a [&'a str]) -> Answer<(Known<R>, &'a [&'a str])> {
    let Some((&id, rest)) = words.split_first() else { return Err(Fault::new("bad-request", "the request names no game")); };
    if id != R::INFO.id { return Err(Fault::new("unknown-game", format!("these are not the rules of {}", shown(id)))); }
    let (options, rest) = read_options(&R::INFO, rest)?;
    let players = R::INFO.options.iter().position(|option| option.name == "players" && R::INFO.seats[1] > 2);
    let seats = players.map_or(R::INFO.seats[0], |index| options[index]) as usize;
    // Another spelling of the same is not found again; that costs time and nothing else.
    let before = words[..words.len() - rest.len()].iter().map(|word| format!("{word} ")).collect();
    let (state, rest): (R, _) = read_start(&options, rest)?;
    if let Some(word) = rest.first().filter(|word| **word != "moves") {
        return Err(Fault::new("bad-request", format!("`moves` is needed here, not {}", shown(word))));
    }
    let (end, text) = (state.end(), state.show());
    Ok((Known { before, options, seats, state, end, text, plies: None, is_played: false }, rest))
}

/// Answers `position` or, without what follows, `legal`.
fn answer_position<R: Rules>(kept: &mut Kept<R>, request: &str, with_following: bool) -> Answer<String> {
    let is_about = |known: &Option<Known<R>>| known.as_ref().is_some_and(|known| known.rest(request).is_some());
    let found = kept.0.iter().position(is_about).and_then(|place| kept.0[place].take());
    let found = found.and_then(|mut known| known.read_again().then_some(known));
    let words = found.as_ref().and_then(|known| known.rest(request)).unwrap_or(request);
    let words: Vec<_> = words.split_ascii_whitespace().collect();
    let (start, rest) = match found {
        Some(known) => (known, &words[..]),
        None => read_from(&words)?,
    };
    let [asked, answered] = kept.0.each_mut();
    let asked = asked.insert(start);
    let now = match asked.play(rest.get(1..).unwrap_or_default())? {
        Some(now) => answered.insert(now),
        None => asked,
    };
    Ok(describe(now, with_following))
}

/// Writes what there is to say of a position.
fn describe<R: Rules>(now: &mut Known<R>, with_following: bool) -> String {
    now.list();
    let Known { state, end, seats, options, .. } = &*now;
    let (plies, seats) = (now.plies.as_deref().unwrap_or_default(), *seats);
    let mut answer = format!(
        "{{\"game\":\"{}\",\"position\":{},\"seat\":\"{}\",\"legal\":{}",
        label(&R::INFO, options), string(&now.text), state.seat().name(), list(plies)
    );
    if with_following {
        let (mut next, mut ends) = (Vec::with_capacity(plies.len()), Vec::new());
        for ply in plies {
            let mut after = state.clone();
            after.play(ply);
            next.push(after.show());
            if let Some(end) = after.end() { ends.push(format!("{}:{{{}}}", string(ply), result(&after, Some(&end), seats))); }
        }
        let _ = write!(answer, ",\"next\":{},\"ends\":{{{}}}", list(&next), ends.join(","));
    }
    let _ = write!(answer, ",{}", result(state, end.as_ref(), seats));
    if seats > 2 {
        let out = state.out();
        let places: Vec<_> = out.iter().map(|out| format!("\"{}\":{}", out.seat.name(), out.place)).collect();
        let known = out.iter().filter(|out| !out.reason.is_empty());
        let exits: Vec<_> = known.map(|out| format!("\"{}\":{}", out.seat.name(), string(out.reason))).collect();
        let _ = write!(answer, ",\"out\":{{{}}},\"exits\":{{{}}}", places.join(","), exits.join(","));
    }
    answer + &state.more() + "}"
}

fn answer_games(info: &Info) -> String {
    let mut answer = format!(
        "[{{\"game\":{},\"title\":{},\"about\":{},\"options\":[",
        string(info.id), string(info.title), string(info.about)
    );
    for (i, option) in info.options.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let values = match option.values {
            Values::Words(words) => format!("\"values\":{}", list(words)),
            Values::Range(min, max) => format!("\"min\":{min},\"max\":{max}"),
        };
        let [name, default, about] = [option.name, option.default, option.about].map(string);
        let _ = write!(answer, "{comma}{{\"name\":{name},\"default\":{default},{values},\"about\":{about}}}");
    }
    let ([least, most], repetition, pass) = (info.seats, info.repetition, info.pass);
    let _ = write!(answer, "],\"seats\":[{least},{most}],\"repetition\":{repetition},\"pass\":{pass}");
    if info.max_plies > 0 { let _ = write!(answer, ",\"max-plies\":{}", info.max_plies); }
    for (key, text) in [("notation", info.notation), ("rules", info.rules)] {
        if !text.is_empty() { let _ = write!(answer, ",\"{key}\":{}", string(text)); }
    }
    if !info.look.is_empty() {
        // An answer is one line; the author may write several.
        answer += ",\"look\":";
        answer.extend(info.look.lines().map(str::trim));
    }
    answer + "}]"
}

fn answer_request<R: Rules>(kept: &mut Kept<R>, request: &str) -> String {
    let request = request.trim_ascii();
    let (verb, rest) = request.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((request, ""));
    let answer = match verb {
        "position" => answer_position(kept, rest, true),
        "legal" => answer_position(kept, rest, false),
        "games" => Ok(answer_games(&R::INFO)),
        "about" => {
            let (name, version) = (string(R::INFO.id), string(R::INFO.version));
            Ok(format!("{{\"format\":2,\"name\":{name},\"version\":{version},\"deterministic\":true}}"))
        }
        "" => Err(Fault::new("bad-request", "the request is empty")),
        word => Err(Fault::new("bad-request", format!("{} is no request", shown(word)))),
    };
    answer.unwrap_or_else(|fault| fault.to_json())
}

impl Fault {
    fn new(code: &'static str, message: impl Into<String>) -> Self { Self(code, message.into(), None) }
    fn to_json(&self) -> String {
        let why = self.2.map(|why| format!(",\"why\":{}", string(why))).unwrap_or_default();
        format!("{{\"error\":\"{}\",\"message\":{}{why}}}", self.0, string(&self.1))
    }
}

/// Answers a line: one request, or several with `;` between, which are answered by an array.
pub fn answer_line<R: Rules>(kept: &mut Kept<R>, line: &str) -> String {
    let mut answer = String::new();
    for request in line.split(';') {
        answer.push(if answer.is_empty() { '[' } else { ',' });
        answer += &answer_request(kept, request);
        if answer.len() > MOST_BYTES_OF_AN_ANSWER { break; }
    }
    if line.contains(';') { answer.push(']'); } else { answer.remove(0); }
    if answer.len() > MOST_BYTES_OF_AN_ANSWER { return Fault::new("bad-request", "the answer would have more than 1 MiB").to_json(); }
    answer
}

static REQUEST: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<String> = Mutex::new(String::new());

/// Returns where to write a request of `length` bytes; 0 if there is no room.
pub fn alloc(length: u32) -> usize {
    let Ok(mut request) = REQUEST.lock() else { return 0 };
    let longest = request.len().max(length as usize).max(1);
    if longest > MOST_BYTES_OF_A_REQUEST { return 0; }
    request.resize(longest, 0);
    request.as_mut_ptr() as usize
}

/// Answers the request at `at`, which `alloc` has returned.
pub fn ask<R: Rules>(kept: &mut Kept<R>, at: usize, length: u32) -> u64 {
    let (Ok(request), Ok(mut answer)) = (REQUEST.lock(), ANSWER.lock()) else { return 0 };
    *answer = match request.get(..length as usize) {
        Some(line) if at == request.as_ptr() as usize => answer_line(kept, &String::from_utf8_lossy(line)),
        _ => Fault::new("bad-request", "the request is not where `arena_alloc` has said").to_json(),
    };
    (answer.as_ptr() as u64) << 32 | answer.len() as u64
}

/// Makes a game a module: `arena_rules::export!(Position);`.
macro_rules! export {
    ($rules:ty) => {
        #[unsafe(no_mangle)]
        extern "C" fn arena_rules_1() {}

        #[unsafe(no_mangle)]
        extern "C" fn arena_alloc(length: u32) -> usize { $crate::arena_rules::alloc(length) }

        #[unsafe(no_mangle)]
        extern "C" fn arena_ask(request: usize, length: u32) -> u64 {
            use std::cell::RefCell;
            use $crate::arena_rules::{Kept, ask};
            thread_local!(static KEPT: RefCell<Kept<$rules>> = const { RefCell::new(Kept::NONE) });
            KEPT.with_borrow_mut(|kept| ask(kept, request, length))
        }
    };
}
pub(crate) use export;
