//! Reading only the outcomes of a journal: fast, and in little memory for any number of games.

use std::cell::RefCell;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use crate::game::result::fields;
use crate::journal::JournalError;
use crate::journal::batch::Batch;
use crate::journal::head::{Head, HeadSeat};
use crate::journal::lines::Lines;
use crate::journal::reader::{Order, is_game, is_whole, parse};
use crate::journal::seal::{Seal, has_seal, look};
use crate::journal::sketch::{is_record, trace};
use crate::{Contestant, LoggedGame, in_order};
use rules::{PerSeat, Seat};

/// Reads the outcomes of a journal in the order of the file.
///
/// It reports the same errors as [`crate::JournalReader`]: the checksum shows whether a line is damaged, and a line without one
/// is parsed in full. It leaves out an unfinished last line, and checks lines on all cores.
///
/// ```
/// let path = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/showcase/journal.jsonl"));
/// let journal = std::io::BufReader::new(std::fs::File::open(path).unwrap());
/// let mut games = 0;
/// record::LoggedGameReader::new(journal, path).visit(|game| games += u32::from(game.pair.is_some())).unwrap();
/// assert!(games > 0);
/// ```
#[derive(Debug)]
pub struct LoggedGameReader<R> {
    lines: Lines<R>,
    path: PathBuf,
}

impl<R: BufRead> LoggedGameReader<R> {
    /// Starts to read. `path` appears only in messages.
    pub fn new(source: R, path: &Path) -> Self {
        Self { lines: Lines::new(source, path), path: path.to_owned() }
    }

    /// Returns the length of an unfinished last line that was left out, in bytes; known at the end.
    #[must_use]
    pub const fn torn(&self) -> u64 {
        self.lines.torn
    }

    /// Passes every outcome to `take`, up to the end of the file.
    ///
    /// # Errors
    /// If the source fails, and if a line is not one of a journal; the error has the line's number.
    pub fn visit(&mut self, mut take: impl FnMut(&LoggedGame<'_>)) -> Result<(), JournalError> {
        let Self { lines, path } = self;
        let (mut order, mut number) = (Order::default(), 0);
        let used = RefCell::new(Vec::new());
        in_order(
            || Batch::read(lines, used.borrow_mut().pop()),
            || (),
            |(), batch: Batch| (check(&batch), batch),
            |(checked, batch)| {
                for ((_, line), checked) in batch.lines().zip(checked) {
                    number += 1;
                    let outcome = checked.and_then(|trace| outcome(Head::parse(line)?, trace, &mut order));
                    let outcome = outcome.and_then(|outcome| order.seal(has_seal(line)).map(|()| outcome));
                    let fault = |fault| JournalError::Line { path: path.clone(), line: number, fault };
                    if let Some(outcome) = outcome.map_err(fault)? {
                        take(&outcome);
                    }
                }
                used.borrow_mut().push(batch);
                Ok(())
            },
        )
        .map(drop)
    }
}

/// The hash of a game and that of its opening.
type Trace = (Option<u128>, Option<u64>);

/// Checks lines, up to the first that is not valid, and returns the hashes of each game.
fn check(batch: &Batch) -> Vec<Result<Trace, String>> {
    let mut checked = Vec::new();
    for (_, line) in batch.lines() {
        // An undamaged line of a game needs no further check.
        let is_written = is_game(line) && look(line) == Seal::Whole;
        let is_read = || is_whole(line).is_ok() && is_record(line);
        let one = if is_written || is_read() { Ok(()) } else { parse(line).map(drop) };
        let one = one.map(|()| trace(line).map_or((None, None), |(plies, opening)| (plies, Some(opening))));
        let is_fault = one.is_err();
        checked.push(one);
        if is_fault {
            break;
        }
    }
    checked
}

/// Returns the outcome of a game's line; `None` for a line of the run and for a void game.
fn outcome<'a>(
    head: Head<'a>,
    (fingerprint, opening): Trace,
    order: &mut Order,
) -> Result<Option<LoggedGame<'a>>, String> {
    let kind = there(head.kind, "type")?;
    match &*kind {
        "run" => {
            order.run(there(head.format, "format")?);
            return Ok(None);
        }
        "game" => order.game(there(head.number, "number")?)?,
        "void" => {
            order.void()?;
            return Ok(None);
        }
        kind => return Err(format!("unknown type `{kind}`, expected `run`, `game` or `void`")),
    }
    let result = fields::result(there(head.result, "result")?, head.places.as_deref())?;
    let is_fault = there(head.reason, "reason")?.is_fault();
    let seats = there(head.seats, "seats")?;
    let mut faults: Vec<Seat> = result.loser().filter(|_| is_fault).into_iter().collect();
    let out = Seat::all(seats.len()).zip(&seats);
    faults.extend(
        out.filter(|(_, one)| one.out.as_ref().is_some_and(|out| out.reason.is_fault()))
            .map(|(seat, _)| seat),
    );
    let seat = |sitter: HeadSeat<'a>| Contestant {
        name: sitter.bot,
        version: sitter.version,
        digest: sitter.digest,
    };
    Ok(Some(LoggedGame {
        game: there(head.game, "game")?,
        label: there(head.label, "label")?,
        seats: PerSeat::try_from(seats.into_iter().map(seat).collect::<Vec<_>>())
            .map_err(|seats| format!("{} seats, but a table has 2 to {}", seats.len(), Seat::MOST))?,
        result,
        unrated: None,
        faults,
        started: there(head.started, "started")?,
        pair: Some(there(head.pair, "pair")?),
        fingerprint,
        opening,
    }))
}

fn there<T>(field: Option<T>, name: &str) -> Result<T, String> {
    field.ok_or_else(|| format!("missing field `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    use super::super::JournalLine;
    use super::super::tests::run;

    fn start() -> String {
        run().to_text().expect("a line")
    }

    /// Returns the line of a game without a checksum.
    fn game(number: u64) -> String {
        format!(
            r#"{{"type":"game","number":{number},"pair":1,"leg":1,"round":1,"game":"faust","options":{{}},"label":"faust","seats":[{{"bot":"a\"b","version":"1","digest":"d","tc":"","seed":1}},{{"bot":"c","version":"","digest":"e","tc":"","seed":2}}],"opening":0,"plies":[{{"ply":"a1","seat":1,"turn":1}}],"result":"p2win","reason":"crash","started":"2026-11-21T09:30:05Z","seconds":0.5}}"#
        )
    }

    /// Returns the line of a game as the arena writes it.
    fn sealed(number: u64) -> String {
        let line: JournalLine = serde_json::from_str(&game(number)).expect("a game");
        line.to_text().expect("a line")
    }

    fn read(lines: &[&str]) -> Result<Vec<String>, String> {
        let mut seen = Vec::new();
        let text: String = lines.iter().map(|line| format!("{}\n", line.trim_end())).collect();
        let mut reader = LoggedGameReader::new(text.as_bytes(), "j".as_ref());
        let end = reader.visit(|outcome| {
            let [one, two] = outcome.seats.as_pair().expect("two seats");
            seen.push(format!("{} {} {} {:?}", one.name, two.name, outcome.result, outcome.faults));
        });
        end.map(|()| seen).map_err(|error| error.to_string())
    }

    #[test]
    fn an_outcome_is_read_with_a_checksum_and_without() {
        let old = start().replace("\"format\":3", "\"format\":1");
        let old = &old[..old.rfind(",\"crc\"").expect("a checksum")];
        let old = format!("{old}}}\n");
        let seen = ["a\"b c p2win [P1]"; 2];
        assert_eq!(read(&[&start(), &sealed(1), &start(), &sealed(2)]).unwrap(), seen);
        assert_eq!(read(&[&old, &game(1), &old, &sealed(2)]).unwrap(), seen);
    }

    #[test]
    fn void_games_count_nowhere() {
        let Ok(JournalLine::Game(record)) = serde_json::from_str(&game(1)) else { panic!("a game") };
        let void = JournalLine::Void(record).to_text().expect("a line");
        assert_eq!(read(&[&start(), &void, &void]).unwrap(), [""; 0]);
        assert_eq!(read(&[&start(), &void, &sealed(1), &void]).unwrap().len(), 1);
        assert_eq!(
            read(&[&void]).unwrap_err(),
            "`j`, line 1: a game comes before the first line of type `run`"
        );
    }

    #[test]
    fn faults_are_told_with_their_line() {
        let fault = |lines: &[&str]| read(lines).unwrap_err();
        assert_eq!(fault(&[&sealed(1)]), "`j`, line 1: a game comes before the first line of type `run`");
        assert_eq!(fault(&[&start(), &sealed(1), &sealed(1)]), "`j`, line 3: game 1 appears twice");
        assert_eq!(fault(&[&start(), &game(1)]), "`j`, line 2: the line is damaged: it has no checksum");
        let other = sealed(1).replace("p2win", "p1win");
        assert_eq!(
            fault(&[&start(), &other]),
            "`j`, line 2: the line is damaged: its checksum does not match"
        );
        let without = game(1).replace(r#""pair":1,"#, "");
        assert!(fault(&[&start(), &without]).starts_with("`j`, line 2: missing field `pair`"));
        assert!(fault(&[&start(), "{\"type\":\"game\""]).starts_with("`j`, line 2: EOF while parsing"));
        let newer = r#"{"type":"run","format":9}"#;
        assert_eq!(fault(&[newer]), "`j`, line 1: format 9 is newer than this arena, which reads up to 4");
    }

    #[test]
    fn an_unfinished_last_line_is_left_out() {
        let text = format!("{}{}", start(), game(1));
        let mut reader = LoggedGameReader::new(text.as_bytes(), "j".as_ref());
        reader.visit(|_| unreachable!("the game is not whole")).unwrap();
        assert_eq!(reader.torn(), game(1).len() as u64);
    }
}
