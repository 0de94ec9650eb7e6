//! Reading a journal without keeping its plies.

use std::cell::RefCell;
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;

use crate::journal::batch::{Batch, CHUNK};
use crate::journal::games::line_game;
use crate::journal::lines::Lines;
use crate::journal::reader::{Order, is_game, is_whole, parse};
use crate::journal::seal::has_seal;
use crate::journal::{JOURNAL, JournalError, JournalLine, LineGame, sketch};
use crate::summary::{Gist, VoidSummary};
use crate::{GameSummary, RunRecord, RunSummary, Summarizer, in_order, open_regular};

/// Reads the journal of a run's directory without an unfinished last line.
///
/// It checks every line as [`crate::read`] does.
///
/// # Errors
/// If the file cannot be read, or a whole line is not valid.
pub fn summarize(directory: &Path) -> Result<RunSummary, JournalError> {
    summarize_start(directory, u64::MAX)
}

/// Reads the first `length` bytes of the journal of a run's directory: the run as it was when the journal had this length.
/// It leaves out a line that goes beyond them.
///
/// # Errors
/// If the file cannot be read, or a whole line is not valid.
pub fn summarize_start(directory: &Path, length: u64) -> Result<RunSummary, JournalError> {
    let path = directory.join(JOURNAL);
    let file = open_regular(&path).map_err(JournalError::io("read", &path))?;
    summarize_file(&file, length, &path)
}

/// Reads a journal as [`summarize`] does, and has `work` look at the games that count, with their plies, on several threads. Each
/// thread has a state of its own, made by `begin`; all of them are returned. After some games, `part` makes of the state what
/// goes to `take`, in the order of the file.
///
/// `work` does not see games in lines that only a parser of whole records reads, of which the arena writes none. It has seen those
/// before a line that is not valid.
///
/// # Errors
/// If the file cannot be read, or a whole line is not valid.
pub fn summarize_with<S: Send, T: Send>(
    directory: &Path,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &LineGame<'_>) + Sync,
    part: impl Fn(&mut S) -> T + Sync,
    take: impl FnMut(T),
) -> Result<(RunSummary, Vec<S>), JournalError> {
    let path = directory.join(JOURNAL);
    let file = open_regular(&path).map_err(JournalError::io("read", &path))?;
    let lines = Lines::new(BufReader::with_capacity(CHUNK, file), &path);
    let sum_up = |line: &[u8], summarizer: &mut Summarizer, place, state: &mut S| {
        let game = line_game(line)?;
        work(state, &game);
        Some(summarizer.summary(&game, &Gist::of(&game), place))
    };
    sum_up_lines(lines, begin, sum_up, part, take)
}

/// Sums up the first `length` bytes of a file.
pub(super) fn summarize_file(file: &File, length: u64, path: &Path) -> Result<RunSummary, JournalError> {
    let lines = Lines::new(BufReader::with_capacity(CHUNK, file.take(length)), path);
    let sum_up = |line: &[u8], summarizer: &mut Summarizer, place, (): &mut ()| {
        sketch::sum_up(line, summarizer, place)
    };
    sum_up_lines(lines, || (), sum_up, |()| (), |()| {}).map(|(run, _)| run)
}

/// Sums up a journal. `sum_up` summarizes a game that counts; `None` if it does not read the line.
fn sum_up_lines<S: Send, T: Send>(
    mut lines: Lines<impl BufRead>,
    begin: impl Fn() -> S + Sync,
    sum_up: impl Fn(&[u8], &mut Summarizer, u64, &mut S) -> Option<GameSummary<'static>> + Sync,
    part: impl Fn(&mut S) -> T + Sync,
    mut take: impl FnMut(T),
) -> Result<(RunSummary, Vec<S>), JournalError> {
    let path = lines.path.clone();
    let (mut summarizer, mut order, mut number) = (Summarizer::default(), Order::default(), 0);
    let used = RefCell::new(Vec::new());
    let states = in_order(
        || Batch::read(&mut lines, used.borrow_mut().pop()),
        || (Summarizer::default(), begin()),
        |(known, state), batch: Batch| {
            let parts = parse_all(&batch, known, |line, known, place| sum_up(line, known, place, state));
            let seals: Vec<bool> = batch.lines().map(|(_, line)| has_seal(line)).collect();
            (parts, seals, part(state), batch)
        },
        |(parts, seals, made, batch)| {
            used.borrow_mut().push(batch);
            for (part, has_seal) in parts.into_iter().zip(seals) {
                number += 1;
                let fault = |fault| JournalError::Line { path: path.clone(), line: number, fault };
                match part.map_err(fault)? {
                    Part::Run(run, place) => {
                        order.run(run.format);
                        summarizer.configure_at(*run, place);
                    }
                    Part::Game(game) => {
                        order.game(game.number).map_err(fault)?;
                        summarizer.adopt(game);
                    }
                    Part::Void(game) => {
                        order.void().map_err(fault)?;
                        summarizer.adopt_void(game);
                    }
                }
                order.seal(has_seal).map_err(fault)?;
            }
            take(made);
            Ok(())
        },
    )?;
    let mut run = summarizer.finish();
    run.torn = lines.torn;
    Ok((run, states.into_iter().map(|(_, state)| state).collect()))
}

/// What is kept of a line.
enum Part {
    /// With the offset of the line.
    Run(Box<RunRecord>, u64),
    Game(GameSummary<'static>),
    Void(VoidSummary),
}

/// Parses lines, up to the first that is not valid. Their games share what `summarizer` knows from earlier batches.
fn parse_all(
    batch: &Batch,
    summarizer: &mut Summarizer,
    mut sum_up: impl FnMut(&[u8], &mut Summarizer, u64) -> Option<GameSummary<'static>>,
) -> Vec<Result<Part, String>> {
    let mut parts = Vec::with_capacity(batch.len());
    for (place, line) in batch.lines() {
        let is_whole_game = is_game(line) && is_whole(line).is_ok();
        let part = match is_whole_game.then(|| sum_up(line, summarizer, place)).flatten() {
            Some(game) => Ok(Part::Game(game)),
            None => parse(line).map(|parsed| match parsed {
                JournalLine::Run(run) => Part::Run(run, place),
                JournalLine::Game(game) => Part::Game(
                    sum_up(line, summarizer, place)
                        .unwrap_or_else(|| summarizer.summary(&game, &Gist::of(&game), place)),
                ),
                JournalLine::Void(game) => Part::Void(summarizer.void_summary(&game, place)),
            }),
        };
        let is_fault = part.is_err();
        parts.push(part);
        if is_fault {
            break;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::tests::{game, run};
    use super::super::{Journal, read};
    use super::*;

    /// Enough games for several batches.
    const GAMES: u64 = 3 * CHUNK as u64 / 300;

    fn text() -> String {
        let lines = std::iter::once(run()).chain((1..=GAMES).rev().map(game));
        lines.map(|line| line.to_text().unwrap()).collect()
    }

    #[test]
    fn a_journal_of_many_batches_is_summed_up_as_line_by_line() {
        let directory = tempfile::tempdir().unwrap();
        let text = text();
        let torn = &text[..text.len() - 9];
        std::fs::write(directory.path().join(JOURNAL), torn).unwrap();
        let mut expected = Summarizer::default();
        let whole = read(directory.path()).unwrap();
        whole.runs.into_iter().for_each(|run| expected.configure(run));
        for game in &whole.games {
            let place = torn.find(&format!("\"number\":{},", game.number)).unwrap();
            expected.push(game, torn[..place].rfind('\n').unwrap() as u64 + 1);
        }
        let found = summarize(directory.path()).unwrap();
        assert_eq!((found.games.len() as u64, found.torn), (GAMES - 1, whole.torn));
        assert_eq!((&found.runs, &found.games), (&expected.run().runs, &expected.run().games));
        let sitters = found.games.iter().map(|game| std::sync::Arc::as_ptr(&game.seats()[0]));
        assert_eq!(
            sitters.collect::<std::collections::BTreeSet<_>>().len(),
            1,
            "what games share is kept once"
        );
        assert_eq!(Journal::open(directory.path()).unwrap().1, found);
    }

    #[test]
    fn games_come_by_number_also_while_they_lie_in_the_order_in_which_they_ended() {
        let mut summarizer = Summarizer::default();
        let numbers = |run: &RunSummary| run.by_number().map(|game| game.number).collect::<Vec<_>>();
        for number in [1, 2, 7, 4] {
            let JournalLine::Game(game) = game(number) else { panic!("a game") };
            summarizer.push(&game, 0);
        }
        assert_eq!(numbers(summarizer.run()), [1, 2, 4, 7]);
        assert_eq!(numbers(&summarizer.finish()), [1, 2, 4, 7]);
    }

    #[test]
    fn the_first_of_several_faults_is_told_with_its_line() {
        let directory = tempfile::tempdir().unwrap();
        let lines: Vec<_> = text().lines().map(str::to_owned).collect();
        for (line, wrong, fault) in [
            (lines.len() / 2, lines[1].clone(), format!("game {GAMES} appears twice")),
            (lines.len() - 2, "{}".to_owned(), "missing field `type`".to_owned()),
        ] {
            let mut lines = lines.clone();
            lines[line] = wrong;
            let last = lines.len() - 1;
            lines[last] = "nonsense".to_owned();
            std::fs::write(directory.path().join(JOURNAL), lines.join("\n") + "\n").unwrap();
            let error = summarize(directory.path()).unwrap_err().to_string();
            assert!(error.contains(&format!("line {}: {fault}", line + 1)), "{error}");
        }
    }
}
