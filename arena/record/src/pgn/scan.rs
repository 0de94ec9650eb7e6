//! Reading only tags and results from any program's PGN: games of chess as well as ours.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufRead;

use rules::{PerSeat, Places, Seat};

use crate::logged_game::UNNAMED_GAME;
use crate::pgn::header::{Header, Tag};
use crate::pgn::result::{Spelled, decoded, ending, spelled};
use crate::pgn::{PgnError, PgnStreamError};
use crate::{Contestant, GameResult, LoggedGame, Termination, Unrated};

/// The longest ply that is kept, in bytes.
const LONGEST_PLY: usize = 64;

/// The most bytes of plies kept per game. The scanner does not detect copies of a longer game.
const MOST_PLIES: usize = 1 << 20;

/// How much of a comment is searched for facts about its ply, in bytes.
const LONGEST_COMMENT: usize = 160;

/// The longest value of a tag that matters, in bytes. Other tags may be longer.
const LONGEST_VALUE: usize = 4096;

/// Reads the outcomes of a game log of any program, in memory that does not depend on its size.
///
/// It does not check moves: a game consists of its tags and, if the tag `Result` is missing or unknown, of the result at the
/// end of its moves. It understands the result spellings of other programs; a bye and a game that was scored without play have
/// no result. It accepts a byte order mark, CRLF, lines that begin with `%`, both kinds of comments with any content,
/// variations, escaped and unescaped quotes in values, and values in Latin-1. Two games may be a pair if their `Round` values
/// differ only in a last part `.1` and `.2`.
///
/// ```
/// let text = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 {[Result \"0-1\"]} 1-0\n";
/// record::PgnScanner::new(text.as_bytes())
///     .visit(|game| {
///         assert_eq!((&*game.seats[1].name, &*game.label), ("Bob", "standard"));
///         assert_eq!(game.result, record::GameResult::P1Win);
///     })
///     .unwrap();
/// ```
#[derive(Debug)]
pub struct PgnScanner<R> {
    source: R,
    scan: Scan,
    labels: Labels,
}

/// The scanner's position in the grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    Name,
    /// Between a tag's name and its value.
    Gap,
    Value,
    /// After a backslash in a value.
    Escape,
    /// After a quote that may end the value: only `]` or the end of the line decides.
    Quote,
    /// In a comment in braces.
    Brace,
    /// In text that is skipped up to the end of the line.
    Rest,
}

#[derive(Debug, Default)]
struct Scan {
    state: State,
    line: usize,
    /// Whether only white space has come on this line so far, and whether nothing has.
    is_blank: bool,
    is_start: bool,
    /// The line on which the open comment begins.
    opened: usize,
    depth: u32,
    name: Vec<u8>,
    value: Vec<u8>,
    /// The last quote and the white space after it, which may belong to the value.
    pending: Vec<u8>,
    token: Vec<u8>,
    /// The beginning of the open comment.
    comment: Vec<u8>,
    has_tags: bool,
    game: Header,
}

impl<R: BufRead> PgnScanner<R> {
    /// Starts to read.
    pub fn new(source: R) -> Self {
        let scan = Scan { line: 1, is_blank: true, is_start: true, ..Scan::default() };
        Self { source, scan, labels: Labels::default() }
    }

    /// Passes every game to `take`, up to the end of the text, including games without names or result.
    ///
    /// # Errors
    /// If the source fails, and if the text is not PGN: text before the first tag, a tag that matters without a value in quotes
    /// or with one of more than 4096 bytes, or a comment without an end. The error has the number of the line.
    pub fn visit(&mut self, mut take: impl FnMut(&LoggedGame<'_>)) -> Result<(), PgnStreamError> {
        let mut mark: &[u8] = b"\xef\xbb\xbf";
        loop {
            let chunk = self.source.fill_buf()?;
            if chunk.is_empty() {
                break;
            }
            for &byte in chunk {
                if let Some((&first, rest)) = mark.split_first() {
                    mark = if byte == first { rest } else { b"" };
                    if byte == first {
                        continue;
                    }
                }
                if let Some(game) = self.scan.step(byte)? {
                    take(&outcome(&game, &mut self.labels));
                }
            }
            let count = chunk.len();
            self.source.consume(count);
        }
        let last = self.scan.end()?;
        if let Some(game) = last {
            take(&outcome(&game, &mut self.labels));
        }
        Ok(())
    }
}

impl Scan {
    /// Consumes a byte and returns the game that it completes, if any: boxed, since nearly every byte completes none.
    fn step(&mut self, byte: u8) -> Result<Option<Box<Header>>, PgnError> {
        let mut whole = None;
        match self.state {
            State::Text => self.text(byte)?,
            State::Brace if byte == b'}' => {
                self.state = State::Text;
                self.remark();
            }
            State::Brace if self.comment.len() < LONGEST_COMMENT => self.comment.push(byte),
            State::Brace | State::Rest => {}
            State::Name => match byte {
                b'"' => self.state = State::Value,
                b' ' | b'\t' if self.name.is_empty() => {}
                b' ' | b'\t' => self.state = State::Gap,
                _ if byte.is_ascii_alphanumeric() || byte == b'_' => {
                    // No tag that matters has a name this long.
                    if self.name.len() < 32 {
                        self.name.push(byte);
                    }
                }
                _ => self.no_value()?,
            },
            State::Gap => match byte {
                b'"' => self.state = State::Value,
                b' ' | b'\t' => {}
                _ => self.no_value()?,
            },
            State::Value => match byte {
                b'"' => {
                    self.pending.push(byte);
                    self.state = State::Quote;
                }
                b'\\' => self.state = State::Escape,
                b'\n' => self.no_value()?,
                _ => self.push(byte)?,
            },
            State::Escape => {
                if !matches!(byte, b'"' | b'\\') {
                    self.push(b'\\')?;
                }
                self.state = State::Value;
                if byte == b'\n' { self.no_value()? } else { self.push(byte)? }
            }
            State::Quote => match byte {
                b']' | b'\n' => whole = self.tag(),
                b' ' | b'\t' | b'\r' if self.pending.len() < LONGEST_VALUE => self.pending.push(byte),
                _ => {
                    for i in 0..self.pending.len() {
                        self.push(self.pending[i])?;
                    }
                    self.pending.clear();
                    self.state = State::Value;
                    return self.step(byte);
                }
            },
        }
        if byte == b'\n' {
            self.line += 1;
            (self.is_blank, self.is_start) = (true, true);
            if self.state == State::Rest {
                self.state = State::Text;
            }
        } else {
            self.is_start = false;
            self.is_blank &= byte.is_ascii_whitespace();
        }
        Ok(whole)
    }

    /// Consumes a byte outside of tags and comments.
    fn text(&mut self, byte: u8) -> Result<(), PgnError> {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => self.word(),
            b'%' if self.is_start => self.state = State::Rest,
            b';' => {
                self.word();
                self.state = State::Rest;
            }
            b'{' => {
                self.word();
                self.opened = self.line;
                self.comment.clear();
                self.state = State::Brace;
            }
            b'[' if self.is_blank || !self.game.has_moves => {
                self.word();
                self.name.clear();
                self.value.clear();
                self.pending.clear();
                self.depth = 0;
                self.state = State::Name;
            }
            b'(' => {
                self.word();
                self.depth += 1;
            }
            b')' => {
                self.word();
                self.depth = self.depth.saturating_sub(1);
            }
            _ if !self.has_tags => {
                let fault = "text before the first tag, which looks like [White \"name\"]";
                return Err(self.fault(fault));
            }
            _ if self.token.len() <= LONGEST_PLY => self.token.push(byte),
            _ => {}
        }
        Ok(())
    }

    /// Ends a word of the moves.
    fn word(&mut self) {
        if self.token.is_empty() {
            return;
        }
        self.game.has_moves = true;
        if self.depth == 0 && self.game.ending.is_none() {
            self.game.ending = ending(&self.token);
        }
        if self.depth == 0 && self.game.ending.is_none() && self.game.plies.len() < MOST_PLIES {
            let word = decoded(&self.token);
            // A number comes before a ply, possibly without a space.
            let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let ply = if number.starts_with('.') { number.trim_start_matches('.') } else { &word };
            if !ply.is_empty() && !ply.starts_with('$') && !ply.bytes().all(|byte| byte.is_ascii_digit()) {
                self.game.plies.push(ply);
            }
        }
        self.token.clear();
    }

    /// Ends a comment and reads what our own logs say about the ply before it.
    fn remark(&mut self) {
        if self.depth > 0 || self.game.plies.count == 0 || !self.comment.starts_with(b"[%") {
            return;
        }
        let text = decoded(&self.comment);
        for command in text.split('[').filter_map(|part| part.split_once(']')).map(|(command, _)| command) {
            let mut words = command.split_ascii_whitespace();
            match (words.next(), words.next()) {
                (Some("%opening"), _) => self.game.opening = self.game.plies.count,
                (Some("%mv" | "%ply"), Some(ply)) => self.game.plies.replace_last(ply),
                _ => {}
            }
        }
    }

    fn push(&mut self, byte: u8) -> Result<(), PgnError> {
        if self.value.len() < LONGEST_VALUE {
            self.value.push(byte);
            return Ok(());
        }
        match Tag::find(&self.name) {
            None => Ok(()),
            Some(tag) => {
                Err(self.fault(&format!("the value of the tag `{tag}` is longer than {LONGEST_VALUE} bytes")))
            }
        }
    }

    /// Abandons a tag that has no value.
    fn no_value(&mut self) -> Result<(), PgnError> {
        self.state = State::Text;
        match Tag::find(&self.name) {
            None => Ok(()),
            Some(tag) => Err(self.fault(&format!("the tag `{tag}` has no value in quotes"))),
        }
    }

    /// Ends a tag, and also the game before it if the tag cannot belong to that game.
    fn tag(&mut self) -> Option<Box<Header>> {
        self.state = State::Text;
        self.has_tags = true;
        let tag = Tag::find(&self.name);
        let is_next = self.game.has_moves || tag.is_some_and(|tag| self.game.get(tag).is_some());
        let whole = is_next.then(|| Box::new(std::mem::take(&mut self.game)));
        if let Some(tag) = tag {
            self.game.set(tag, &self.value);
        }
        whole
    }

    /// Ends the text.
    fn end(&mut self) -> Result<Option<Header>, PgnError> {
        match self.state {
            State::Brace => {
                return Err(PgnError { line: self.opened, fault: "a comment without its `}`".to_owned() });
            }
            State::Quote => {
                // The last line may lack a line feed.
                if let Some(before) = self.tag() {
                    return Ok(Some(*before));
                }
            }
            State::Name | State::Gap | State::Value | State::Escape => self.no_value()?,
            State::Text | State::Rest => self.word(),
        }
        Ok(self.has_tags.then(|| std::mem::take(&mut self.game)))
    }

    fn fault(&self, fault: &str) -> PgnError {
        PgnError { line: self.line, fault: fault.to_owned() }
    }
}

/// Names games. It remembers the last name, because most logs contain a single game.
#[derive(Debug, Default)]
struct Labels {
    variant: String,
    options: String,
    game: String,
    label: String,
    /// The position string of the game's own start, if this arena knows the game.
    start: Option<String>,
}

impl Labels {
    fn update(&mut self, variant: &str, options: &str) {
        if !self.game.is_empty() && self.variant == variant && self.options == options {
            return;
        }
        variant.clone_into(&mut self.variant);
        options.clone_into(&mut self.options);
        let is_unnamed = matches!(variant, "" | "?") || variant.eq_ignore_ascii_case(UNNAMED_GAME);
        self.game = if is_unnamed { UNNAMED_GAME } else { variant }.to_owned();
        let pairs: Vec<_> = options.split(' ').filter_map(|pair| pair.split_once('=')).collect();
        let setup = rules::find(variant).ok().and_then(|game| game.setup(&pairs).ok());
        let start = setup.as_ref().and_then(|setup| setup.referee(None).ok());
        self.start = start.map(|referee| referee.position());
        self.label = match (setup, options) {
            (Some(setup), _) => setup.label(),
            (None, "" | "-" | "?") => self.game.clone(),
            (None, options) => format!("{} {options}", self.game),
        };
    }
}

/// Returns the outcome that the tags of a game describe.
fn outcome<'a>(game: &'a Header, labels: &'a mut Labels) -> LoggedGame<'a> {
    let text = |tag| game.get(tag).unwrap_or_default();
    labels.update(text(Tag::Variant), text(Tag::GameOptions));
    let is_bye = [Tag::White, Tag::Black].into_iter().any(|tag| is_bye(text(tag)));
    let players: Vec<_> = (0..)
        .zip(Seat::all(Seat::MOST))
        .map_while(|(index, _)| {
            game.get(Tag::Player(index)).map(|_| (Tag::Player(index), Tag::PlayerVersion(index)))
        })
        .collect();
    let players = if players.len() > 2 { players } else { Vec::new() };
    let places = text(Tag::Places).parse::<Places>().ok().filter(|places| places.seats() == players.len());
    let (result, unrated) = match (spelled(text(Tag::Result)), game.ending) {
        // PGN cannot express the result of more than two players.
        _ if places.is_some() => (places.map_or(GameResult::None, GameResult::Places), None),
        _ if is_bye => (GameResult::None, Some(Unrated::Bye)),
        (Spelled::Played(winner), _) => (winner, None),
        (Spelled::Forfeit, _) => (GameResult::None, Some(Unrated::Forfeit)),
        (Spelled::Unfinished, Some(Some(winner))) if text(Tag::Result) != "*" => (winner, None),
        (Spelled::Unfinished, _) => (GameResult::None, None),
        (Spelled::Unknown, Some(Some(winner))) => (winner, None),
        (Spelled::Unknown, _) => (GameResult::None, Some(Unrated::UnknownResult(text(Tag::Result).into()))),
    };
    let contestant = |name, version| {
        let name = text(name);
        // Logs write `?`, `????`, `-` or `N.N.` for an unknown player.
        let is_unnamed = name.chars().all(|c| matches!(c, '?' | '-')) || name.eq_ignore_ascii_case("n.n.");
        let name = if is_unnamed { "" } else { name };
        Contestant { name: name.into(), version: text(version).into(), digest: Cow::Borrowed("") }
    };
    let is_fault = Termination::FAULTS.iter().any(|fault| fault.code() == text(Tag::Reason));
    let loser: Option<Seat> = result.loser();
    let start = game.get(Tag::StartPosition).or(game.get(Tag::Fen)).filter(|start| *start != "?");
    let is_known = start.is_some() || game.opening > 0;
    // A journal omits the game's own start.
    let start = start.filter(|start| Some(*start) != labels.start.as_deref());
    let (fingerprint, opening) = game.plies.fingerprints(start, game.opening);
    let are_all = game.plies.count > 0 && game.plies.len() < MOST_PLIES;
    LoggedGame {
        game: Cow::Borrowed(&labels.game),
        label: Cow::Borrowed(&labels.label),
        seats: PerSeat::try_from(
            players.iter().map(|(name, version)| contestant(*name, *version)).collect::<Vec<_>>(),
        )
        .unwrap_or_else(|_| {
            [contestant(Tag::White, Tag::WhiteVersion), contestant(Tag::Black, Tag::BlackVersion)].into()
        }),
        result,
        unrated,
        faults: loser.filter(|_| is_fault).into_iter().collect(),
        started: Cow::Owned(started(game)),
        pair: pair(text(Tag::Event), text(Tag::Round), players.len().max(2)),
        fingerprint: are_all.then_some(fingerprint),
        opening: is_known.then_some(opening),
    }
}

/// Returns when a game began, as precisely as its tags say.
fn started(game: &Header) -> String {
    let whole = |tag: Tag, shape: &str| {
        let text = game.get(tag)?;
        let fits = |(c, model): (u8, u8)| if model == b'0' { c.is_ascii_digit() } else { c == model };
        (text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(fits)).then_some(text)
    };
    let date = |tag| whole(tag, "0000.00.00").map(|date| date.replace('.', "-"));
    match (date(Tag::UtcDate).or_else(|| date(Tag::Date)), whole(Tag::UtcTime, "00:00:00")) {
        (Some(date), Some(time)) => format!("{date}T{time}"),
        (Some(date), None) => date,
        (None, _) => String::new(),
    }
}

/// Returns what the games of one block share at tables of `seats` seats: the event, and the round without its leg.
fn pair(event: &str, round: &str, seats: usize) -> Option<u64> {
    let (round, leg) = round.rsplit_once('.')?;
    let is_leg = leg.len() == 1 && leg.parse().is_ok_and(|leg: usize| (1..=seats).contains(&leg));
    let round = Some(round).filter(|_| is_leg)?;
    let mut hasher = DefaultHasher::new();
    (event, round).hash(&mut hasher);
    Some(hasher.finish())
}

/// Returns whether a name says that there was no opponent: `BYE`, `-bye-`, `(Bye)`.
fn is_bye(name: &str) -> bool {
    name.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case("bye")
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    fn games(text: impl Read, room: usize) -> Result<Vec<String>, String> {
        let mut games = Vec::new();
        let mut scanner = PgnScanner::new(BufReader::with_capacity(room, text));
        let end = scanner.visit(|game| {
            let [white, black] = game.seats.as_pair().expect("two players");
            let pair = if game.pair.is_some() { " paired" } else { "" };
            let unrated = game.unrated.as_ref().map_or_else(String::new, |unrated| format!(" {unrated:?}"));
            let line = format!("{}-{} {} {}{pair}{unrated}", white.name, black.name, game.result, game.label);
            games.push(line);
        });
        end.map(|()| games).map_err(|error| error.to_string())
    }

    /// Compares the games read with the expected ones, for several ways of splitting the text.
    fn check(text: &[u8], expected: &[&str]) {
        for room in [1, 7, 1 << 16] {
            assert_eq!(games(text, room).unwrap(), expected, "{}", String::from_utf8_lossy(text));
        }
    }

    fn fault(text: &str) -> String {
        games(text.as_bytes(), 64).unwrap_err()
    }

    #[test]
    fn comments_and_escaped_lines_hide_what_they_hold() {
        let text = "\u{feff}% [White \"no\"]\r\n[White \"a\"]\r\n[Black \"b\"]\r\n[Result \"1-0\"]\r\n\r\n\
                    1. e4 {\r\n[White \"no\"] 0-1 ; } e5 ; [Black \"no\"] { 0-1\r\n% { 0-1\r\n\
                    (1... c5 0-1 (2. d4)) 2. d4 1-0\r\n\r\n[White \"c\"]\r\n[Black \"d\"]\r\n\r\n1/2-1/2";
        check(text.as_bytes(), &["a-b p1win standard", "c-d draw standard"]);
    }

    #[test]
    fn values_hold_quotes_however_they_are_written() {
        check(
            br#"[White "a \"b\" \\ c\d"][Black "x "y" z"] 1-0"#,
            &[r#"a "b" \ c\d-x "y" z p1win standard"#],
        );
        check(b"[White \"Andr\xe9\"]\n[Black \"Andr\xc3\xa9\"]\n*", &["Andr\u{e9}-Andr\u{e9} none standard"]);
    }

    #[test]
    fn games_without_moves_end_where_a_tag_comes_again() {
        let game = "[White \"a\"]\n[Black \"b\"]\n[Result \"0-1\"]\n\n";
        check(game.repeat(2).as_bytes(), &["a-b p2win standard"; 2]);
    }

    #[test]
    fn the_tag_decides_and_the_moves_where_it_is_missing() {
        check(b"[White \"a\"]\n[Result \"1-0\"]\n0-1", &["a- p1win standard"]);
        check(b"[White \"a\"]\n[Result \"?\"]\n1. e4 0-1\n1-0", &["a- p2win standard"]);
        check(b"[White \"a\"]\n[Black \"?\"]\n1. e4", &["a- none standard"]);
        check(b"[White \"a\"]\n[Result \"*\"]\n1. e4 1-0", &["a- none standard"]);
    }

    #[test]
    fn foreign_spellings_are_read_and_what_is_no_game_is_told() {
        let game = |white: &str, result: &str, moves: &str| {
            format!("[White \"{white}\"]\n[Black \"b\"]\n[Result \"{result}\"]\n\n{moves}\n\n")
        };
        let text = [
            game("a", "\u{bd}-\u{bd}", "1. e4 e5"),
            game("a", "0,5-0,5", ""),
            game("BYE", "0-1", ""),
            game("(bye)", "*", ""),
            game("a", "+--", ""),
            game("a", "2-0", "1. e4 0-0"),
            game("a", "?", "1. e4 \u{bd}-\u{bd}"),
            game("????", "1-0", ""),
            game("N.N.", "1-0", ""),
            game("Bye Bye", "1-0", ""),
        ];
        check(
            text.concat().as_bytes(),
            &[
                "a-b draw standard",
                "a-b draw standard",
                "BYE-b none standard Bye",
                "(bye)-b none standard Bye",
                "a-b none standard Forfeit",
                "a-b none standard UnknownResult(\"2-0\")",
                "a-b draw standard",
                "-b p1win standard",
                "-b p1win standard",
                "Bye Bye-b p1win standard",
            ],
        );
        check(b"[White \"a\"]\n[Black \"b\"]\n[Result \"\xbd-\xbd\"]\n", &["a-b draw standard"]);
    }

    #[test]
    fn games_are_named_as_in_the_journal() {
        let text = "[Variant \"fanorona\"]\n[GameOptions \"quiet-cap=100 size=5x5\"]\n[Round \"3.2\"]\n*\n\
                    [Variant \"Crazyhouse\"]\n[Round \"3\"]\n*\n[Variant \"Standard\"]\n*\n";
        check(text.as_bytes(), &["- none fanorona size=5x5 paired", "- none Crazyhouse", "- none standard"]);
    }

    #[test]
    fn what_is_no_pgn_is_told_with_its_line() {
        check(b"", &[]);
        check(b"\n; nothing\n", &[]);
        assert_eq!(fault("\nhello"), "line 2: text before the first tag, which looks like [White \"name\"]");
        assert_eq!(fault("[Event \"x\"]\n[White Ann]\n"), "line 2: the tag `White` has no value in quotes");
        assert_eq!(fault("[White \"Ann]\n[Black \"b\"]\n"), "line 1: the tag `White` has no value in quotes");
        assert_eq!(fault("[White \"a\"]\n{\n\n"), "line 2: a comment without its `}`");
        let long = format!("[Black \"{}\"]\n", "x".repeat(LONGEST_VALUE + 1));
        assert_eq!(fault(&long), "line 1: the value of the tag `Black` is longer than 4096 bytes");
        // Other tags may have any value.
        check(long.replace("Black", "Annotator").as_bytes(), &["- none standard"]);
    }
}
