//! Reading a journal for its outcomes alone: fast, and in little memory whatever the number of games.

use std::io::BufRead;
use std::path::Path;

use crate::journal::head::{Head, Sitter};
use crate::journal::lines::Lines;
use crate::journal::numbers::Numbers;
use crate::journal::{FORMAT, JournalError};
use crate::{Contestant, Outcome};

/// Reads the outcomes of a journal in the order of the file.
///
/// Checked is what [`crate::JournalReader`] checks of the lines as such; of a game only what an outcome needs is
/// read, and of plies at the end of a line, where the arena writes them, nothing. An unfinished last line is left out.
///
/// ```
/// let journal = concat!(
///     r#"{"type":"run","format":1}"#, "\n",
///     r#"{"type":"game","number":1,"pair":1,"game":"faust","label":"faust","seats":["#,
///     r#"{"bot":"a","version":"1","digest":""},{"bot":"b","version":"","digest":""}],"#,
///     r#""result":"draw","reason":"repetition","started":"2026-11-21T09:30:05Z"}"#, "\n",
/// );
/// let mut reader = record::OutcomeReader::new(journal.as_bytes(), "journal.jsonl".as_ref());
/// reader.visit(|game| assert_eq!(game.result, record::Result::Draw)).unwrap();
/// ```
#[derive(Debug)]
pub struct OutcomeReader<R> {
    lines: Lines<R>,
    numbers: Numbers,
    has_run: bool,
}

impl<R: BufRead> OutcomeReader<R> {
    /// Starts to read. `path` is for messages only.
    pub fn new(source: R, path: &Path) -> Self {
        Self { lines: Lines::new(source, path), numbers: Numbers::default(), has_run: false }
    }

    /// Returns how many bytes of an unfinished last line were left out; known at the end.
    #[must_use]
    pub const fn torn(&self) -> u64 {
        self.lines.torn
    }

    /// Hands every outcome to `take`, up to the end of the file.
    ///
    /// # Errors
    /// When the source fails, and with the number of the line when it is not one of a journal.
    pub fn visit(&mut self, mut take: impl FnMut(&Outcome<'_>)) -> Result<(), JournalError> {
        while self.lines.advance()? {
            let Self { lines, numbers, has_run } = self;
            let outcome = parse(&lines.bytes).and_then(|head| outcome(head, numbers, has_run));
            if let Some(outcome) = outcome.map_err(|fault| lines.fault(fault))? {
                take(&outcome);
            }
        }
        Ok(())
    }
}

/// Parses a line and tells a journal of a newer format apart from a broken one.
fn parse(bytes: &[u8]) -> Result<Head<'_>, String> {
    let head = Head::parse(bytes)?;
    match head.format {
        Some(format) if format > FORMAT => {
            Err(format!("format {format} is newer than this arena, which reads up to {FORMAT}"))
        }
        _ => Ok(head),
    }
}

/// Returns the outcome of a line of a game, nothing for a line of the run and for a void game, which counts nowhere.
fn outcome<'a>(
    head: Head<'a>,
    numbers: &mut Numbers,
    has_run: &mut bool,
) -> Result<Option<Outcome<'a>>, String> {
    let kind = there(head.kind, "type")?;
    match &*kind {
        "run" => {
            *has_run = true;
            return Ok(None);
        }
        "game" | "void" => {}
        kind => return Err(format!("unknown type `{kind}`, expected `run`, `game` or `void`")),
    }
    if !*has_run {
        return Err("a game stands before the line of the run".to_owned());
    }
    if kind == "void" {
        return Ok(None);
    }
    let number = there(head.number, "number")?;
    if !numbers.insert(number) {
        return Err(format!("game {number} stands there twice"));
    }
    let result = there(head.result, "result")?;
    let is_fault = there(head.reason, "reason")?.is_fault();
    let seat =
        |sitter: Sitter<'a>| Contestant { name: sitter.bot, version: sitter.version, digest: sitter.digest };
    Ok(Some(Outcome {
        game: there(head.game, "game")?,
        label: there(head.label, "label")?,
        seats: there(head.seats, "seats")?.map(seat),
        result,
        unrated: None,
        fault: if is_fault { result.loser() } else { None },
        started: there(head.started, "started")?,
        pair: Some(there(head.pair, "pair")?),
    }))
}

fn there<T>(field: Option<T>, name: &str) -> Result<T, String> {
    field.ok_or_else(|| format!("missing field `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = r#"{"type":"run","format":1,"config":{"name":"x"}}"#;

    fn game(number: u64) -> String {
        format!(
            r#"{{"type":"game","number":{number},"pair":1,"game":"faust","label":"faust","seats":[{{"bot":"a\"b","version":"1","digest":"d","seed":1}},{{"bot":"c","version":"","digest":"e"}}],"plies":[{{"ply":"a1"}}],"result":"p2win","reason":"crash","started":"2026-11-21T09:30:05Z"}}"#
        )
    }

    fn read(lines: &[&str]) -> Result<Vec<String>, String> {
        let mut seen = Vec::new();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let mut reader = OutcomeReader::new(text.as_bytes(), "j".as_ref());
        let end = reader.visit(|outcome| {
            let [one, two] = &outcome.seats;
            seen.push(format!("{} {} {} {:?}", one.name, two.name, outcome.result, outcome.fault));
        });
        end.map(|()| seen).map_err(|error| error.to_string())
    }

    #[test]
    fn an_outcome_is_read_whatever_else_a_line_holds() {
        assert_eq!(read(&[RUN, &game(1), RUN, &game(2)]).unwrap(), ["a\"b c p2win Some(P1)"; 2]);
    }

    #[test]
    fn void_games_count_nowhere() {
        let void = game(1).replace(r#""type":"game""#, r#""type":"void""#);
        assert_eq!(read(&[RUN, &void, &void]).unwrap(), [""; 0]);
        assert_eq!(read(&[RUN, &void, &game(1), &void]).unwrap().len(), 1);
        assert_eq!(read(&[&void]).unwrap_err(), "`j`, line 1: a game stands before the line of the run");
    }

    #[test]
    fn faults_are_told_with_their_line() {
        let fault = |lines: &[&str]| read(lines).unwrap_err();
        assert_eq!(fault(&[&game(1)]), "`j`, line 1: a game stands before the line of the run");
        assert_eq!(fault(&[RUN, &game(1), &game(1)]), "`j`, line 3: game 1 stands there twice");
        let without = game(1).replace(r#""pair":1,"#, "");
        assert_eq!(fault(&[RUN, &without]), "`j`, line 2: missing field `pair`");
        assert!(fault(&[RUN, "{\"type\":\"game\""]).starts_with("`j`, line 2: EOF while parsing"));
        let newer = r#"{"type":"run","format":9}"#;
        assert_eq!(fault(&[newer]), "`j`, line 1: format 9 is newer than this arena, which reads up to 2");
    }

    #[test]
    fn an_unfinished_last_line_is_left_out() {
        let text = format!("{RUN}\n{}", game(1));
        let mut reader = OutcomeReader::new(text.as_bytes(), "j".as_ref());
        reader.visit(|_| unreachable!("the game is not whole")).unwrap();
        assert_eq!(reader.torn(), game(1).len() as u64);
    }
}
