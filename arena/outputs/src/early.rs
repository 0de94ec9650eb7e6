//! The game log, the list of games and what bots decided, made while the journal is read for the first time.
//!
//! Log and list are in the order of the numbers of games and depend on the whole journal: on the configuration that was used last,
//! on the largest table, on whether bots of one version differ. All this is nearly always as the first line of the journal and
//! the games so far let one expect. Where it is not, what was made is thrown away, and the journal is read again.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use page::GameDecisions;
use record::{JOURNAL, JournalError, JournalLine, JournalReader, PgnForm, RunRecord, RunSummary};
use report::{GameList, GameLog, RunReport};

use crate::OutputError;
use crate::game_files::{self, GameFiles, GameWriter, Said, Texts};

/// How many bytes of text may wait for games with lower numbers.
const MOST_HELD: usize = 8 << 20;

/// What the first reading of a journal has made of the files of a run. They are drafts, which go away if
/// [`write_all`](crate::write_all) does not take them.
#[derive(Debug)]
pub struct EarlyFiles {
    files: GameFiles,
    decisions: GameDecisions,
    /// How many games they have.
    games: usize,
    /// The configuration that log and list have expected.
    run: RunRecord,
    list: GameList,
}

/// Reads the journal of a run's directory as [`record::summarize`] does, and makes what it can of the files on the way. `None`
/// where that is of no use, and where the files cannot be written, which `write_all` explains.
///
/// # Errors
/// If the journal cannot be read, or a whole line is not valid.
pub fn read(directory: &Path) -> Result<(RunSummary, Option<EarlyFiles>), JournalError> {
    read_and_hold(directory, MOST_HELD)
}

fn read_and_hold(
    directory: &Path,
    most_held: usize,
) -> Result<(RunSummary, Option<EarlyFiles>), JournalError> {
    let Some(run) = first_configuration(directory).filter(has_no_own_rules) else {
        return Ok((record::summarize(directory)?, None));
    };
    let seats = run.config.games.iter().map(|game| usize::from(game.seats)).max().unwrap_or(0);
    let expected = RunSummary { runs: vec![run], ..RunSummary::default() };
    let list = GameList::expected(seats);
    let mut writer = GameWriter::new(GameLog::new(&expected, PgnForm::Native), list);
    let Ok(files) = GameFiles::of(&mut writer, directory) else {
        return Ok((record::summarize(directory)?, None));
    };
    let mut sorter = Some(Sorter { files, next: 1, held: BTreeMap::new(), bytes: 0, most_held, games: 0 });
    let is_useful = AtomicBool::new(true);
    let (contents, writers) = record::summarize_with(
        directory,
        || writer.part(),
        |writer, game| {
            if is_useful.load(Ordering::Relaxed) {
                writer.push(game);
            }
        },
        GameWriter::take,
        |texts| {
            sorter = sorter.take().and_then(|sorter| sorter.push(&texts));
            is_useful.store(sorter.is_some(), Ordering::Relaxed);
        },
    )?;
    let (list, decisions) = (writer.list, game_files::together(writers));
    let early = sorter.and_then(Sorter::finish).zip(expected.runs.into_iter().next());
    let early = early.map(|((files, games), run)| EarlyFiles { files, decisions, games, run, list });
    Ok((contents, early))
}

/// Returns the configuration in the first line of a journal, if it is one.
fn first_configuration(directory: &Path) -> Option<RunRecord> {
    let path = directory.join(JOURNAL);
    let file = record::open_regular(&path).ok()?;
    match JournalReader::new(BufReader::new(file), &path).next()?.ok()? {
        (_, JournalLine::Run(run)) => Some(*run),
        _ => None,
    }
}

/// Returns whether all games are built in. Others are known only when the journal has been read.
fn has_no_own_rules(run: &RunRecord) -> bool {
    run.config.games.iter().all(|game| game.rules.is_none())
}

impl EarlyFiles {
    /// Returns whether the files are those of a run, now that all of its journal is known.
    pub(crate) fn are_of(&self, report: &RunReport<'_>) -> bool {
        let contents = report.contents();
        let is_expected =
            |last: &RunRecord| last.config.name == self.run.config.name && last.arena == self.run.arena;
        self.games == contents.games.len()
            && contents.runs.iter().all(has_no_own_rules)
            && contents.runs.last().is_some_and(is_expected)
            && self.list.is_of(report)
    }

    /// Puts the files in their places, and returns what bots decided.
    pub(crate) fn finish(self) -> Result<GameDecisions, OutputError> {
        self.files.finish()?;
        Ok(self.decisions)
    }
}

/// Writes games in the order of their numbers, which is nearly the order in which they come.
struct Sorter {
    files: GameFiles,
    /// One more than the number of the last game that was written, or 1.
    next: u64,
    /// Log and list of games that wait for others.
    held: BTreeMap<u64, [Box<[u8]>; 2]>,
    /// The bytes of these texts.
    bytes: usize,
    /// How many bytes may wait. If games with lower numbers do not come by then, there are none.
    most_held: usize,
    /// How many games have come.
    games: usize,
}

impl Sorter {
    /// Takes the next games. `None` if one comes too late, or a file cannot be written.
    fn push(mut self, texts: &Texts) -> Option<Self> {
        let is_next = |(place, number)| self.next.checked_add(place as u64) == Some(number);
        if let Some(last) = texts.numbers().last()
            && self.held.is_empty()
            && texts.numbers().enumerate().all(is_next)
        {
            self.games += texts.numbers().len();
            self.write(last, texts.all())?;
            return Some(self);
        }
        for (number, said) in texts.games() {
            self.games += 1;
            if number < self.next {
                return None;
            }
            if number == self.next {
                self.write(number, said)?;
            } else {
                self.bytes += said.log.len() + said.list.len();
                self.held.insert(number, [said.log.into(), said.list.into()]);
            }
            self.release(self.most_held)?;
        }
        Some(self)
    }

    /// Writes held games that follow the last one, and the lowest others as long as there are more than `most` bytes.
    fn release(&mut self, most: usize) -> Option<()> {
        while let Some(lowest) = self.held.first_entry()
            && (*lowest.key() == self.next || self.bytes > most)
        {
            let (number, [log, list]) = lowest.remove_entry();
            self.bytes -= log.len() + list.len();
            self.write(number, Said { log: &log, list: &list })?;
        }
        Some(())
    }

    fn write(&mut self, number: u64, said: Said<'_>) -> Option<()> {
        self.next = number.checked_add(1)?;
        self.files.write(said).ok()
    }

    /// Writes what is still held, and returns the files and how many games they have.
    fn finish(mut self) -> Option<(GameFiles, usize)> {
        self.release(0)?;
        Some((self.files, self.games))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use record::{GameRecord, GameResult, RulesConfig};

    use super::*;

    fn showcase() -> (Vec<RunRecord>, Vec<GameRecord>, Vec<GameRecord>) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results/showcase");
        let record::Contents { runs, games, void, .. } = record::read(&root).unwrap();
        (runs, games, void)
    }

    /// Returns all files of a directory but the journal.
    fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
        let files =
            entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()));
        files.filter(|(name, _)| name != JOURNAL).collect()
    }

    /// Writes the files of a journal from one reading and from two, checks that they are equal, and returns whether one sufficed.
    fn is_enough(lines: Vec<JournalLine>, most_held: usize) -> bool {
        let folder = tempfile::tempdir().unwrap();
        record::write_whole(folder.path(), lines.into_iter().map(Ok)).unwrap();
        is_enough_in(folder.path(), most_held)
    }

    fn is_enough_in(directory: &Path, most_held: usize) -> bool {
        let (run, early) = read_and_hold(directory, most_held).unwrap();
        assert_eq!(run, record::summarize(directory).unwrap());
        let report = RunReport::of(&run);
        let is_enough = early.as_ref().is_some_and(|early| early.are_of(&report));
        crate::write_all(directory, &report, early).unwrap();
        let found = files(directory);
        assert_eq!(found.len(), 6, "{:?}", found.keys());
        for name in found.keys() {
            fs::remove_file(directory.join(name)).unwrap();
        }
        crate::write_all(directory, &report, None).unwrap();
        let expected = files(directory);
        assert!(found.keys().eq(expected.keys()));
        for (name, bytes) in &expected {
            assert!(found[name] == *bytes, "{name}");
        }
        is_enough
    }

    /// How many times the games of the run that is kept with the sources are there: more than fit in one part of a journal that one
    /// thread reads.
    const TIMES: u64 = 3;

    /// Returns the lines of this run, after a change.
    fn changed(
        change: impl FnOnce(&mut Vec<RunRecord>, &mut Vec<GameRecord>, &mut Vec<GameRecord>),
    ) -> Vec<JournalLine> {
        let (mut runs, mut games, mut void) = showcase();
        let first = games.clone();
        for time in 1..TIMES {
            games.extend(first.iter().cloned().map(|mut game| {
                game.number += time * first.len() as u64;
                game.pair += time * (first.len() as u64).div_ceil(2);
                game
            }));
        }
        change(&mut runs, &mut games, &mut void);
        let runs = runs.into_iter().map(|run| JournalLine::Run(Box::new(run)));
        let games = games.into_iter().map(|game| JournalLine::Game(Box::new(game)));
        runs.chain(void.into_iter().map(|game| JournalLine::Void(Box::new(game)))).chain(games).collect()
    }

    #[test]
    fn one_reading_is_enough_where_games_end_nearly_in_order() {
        assert!(is_enough(changed(|_, _, _| {}), 0));
        let two_at_once = changed(|_, games, _| games.chunks_mut(2).for_each(<[_]>::reverse));
        assert!(is_enough(two_at_once, 1 << 16));
        assert!(is_enough(changed(|_, games, _| games.reverse()), MOST_HELD));
        assert!(is_enough(changed(|_, games, _| games.clear()), 0));
        // Numbers that never come are waited for only so long.
        let gaps = changed(|_, games, void| {
            void.push(games.remove(20));
            games.drain(..3);
        });
        assert!(is_enough(gaps.clone(), MOST_HELD));
        assert!(is_enough(gaps, 1 << 12));
    }

    #[test]
    fn games_that_come_too_late_need_a_second_reading() {
        assert!(!is_enough(changed(|_, games, _| games.reverse()), 1 << 12));
        let late = changed(|_, games, _| {
            let first = games.remove(0);
            games.push(first);
        });
        assert!(!is_enough(late, 1 << 12));
        let [lowest, highest] = [0, u64::MAX].map(|number| changed(|_, games, _| games[5].number = number));
        assert!(!is_enough(lowest, MOST_HELD));
        assert!(!is_enough(highest, MOST_HELD));
    }

    #[test]
    fn what_the_first_line_did_not_let_expect_needs_a_second_reading() {
        // A later configuration, and one like it that changes nothing.
        let again = |change: fn(&mut RunRecord)| {
            changed(|runs, _, _| {
                let mut run = runs[0].clone();
                change(&mut run);
                runs.push(run);
            })
        };
        assert!(is_enough(again(|_| {}), 0));
        assert!(is_enough(again(|run| run.config.rounds += 1), 0));
        assert!(!is_enough(again(|run| run.config.name.push('2')), 0));
        assert!(!is_enough(again(|run| run.arena.push('2')), 0));
        assert!(!is_enough(again(|run| run.config.games[0].rules = Some(RulesConfig::default())), 0));
        // Larger tables than were played at, and smaller ones.
        assert!(!is_enough(changed(|runs, _, _| runs[0].config.games[0].seats = 4), 0));
        assert!(is_enough(tables(4), 0));
        assert!(!is_enough(tables(3), 0));
        // A bot that has changed while its version has not.
        let digest = changed(|_, games, _| {
            games.last_mut().unwrap().seats.by_seat_mut().for_each(|(_, seat)| seat.digest.push('2'));
        });
        assert!(!is_enough(digest, 0));
    }

    /// Returns a run with a game of two and one of four, whose configuration tells of tables with so many seats.
    fn tables(seats: u8) -> Vec<JournalLine> {
        changed(|runs, games, _| {
            runs[0].config.games[0].seats = seats;
            games.truncate(2);
            let four: Vec<_> =
                [&games[1].seats; 2].into_iter().flat_map(|seats| seats.iter().cloned()).collect();
            games[1].seats = four.try_into().unwrap();
            games[1].result = GameResult::None;
        })
    }

    #[test]
    fn a_game_that_only_a_parser_of_whole_records_reads_is_missed() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path();
        // Without checksums, so that lines can be written by hand.
        let lines = changed(|runs, _, _| runs[0].format = 2);
        let text = |line: &JournalLine| {
            let text = line.to_text().unwrap();
            text.split_once(",\"crc\"").map_or(text.clone(), |(text, _)| format!("{text}}}\n"))
        };
        let mut text: Vec<String> = lines.iter().map(text).collect();
        fs::write(directory.join(JOURNAL), text.concat()).unwrap();
        assert!(is_enough_in(directory, 0));
        let last = text.last_mut().unwrap();
        *last = last.replacen(r#"{"type":"game","#, r#"{"type":"game","type":"game","#, 1);
        fs::write(directory.join(JOURNAL), text.concat()).unwrap();
        let read = read(directory);
        match read {
            Ok((run, early)) => {
                let report = RunReport::of(&run);
                assert_eq!(run.games.len(), lines.len() - 1);
                assert!(!early.unwrap().are_of(&report));
            }
            Err(error) => panic!("{error}"),
        }
        // What is not whole is left out, also here.
        text.pop();
        let whole = text.concat();
        fs::write(directory.join(JOURNAL), &whole[..whole.len() - 9]).unwrap();
        assert!(is_enough_in(directory, 0));
    }

    #[test]
    fn nothing_is_made_where_it_cannot_be_of_use() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path();
        assert!(read(directory).is_err());
        let own = changed(|runs, _, _| runs[0].config.games[0].rules = Some(RulesConfig::default()));
        record::write_whole(directory, own.into_iter().map(Ok)).unwrap();
        assert!(read(directory).unwrap().1.is_none());
        assert_eq!(files(directory).len(), 0);
        // A journal that is not valid leaves no drafts.
        fs::remove_file(directory.join(JOURNAL)).unwrap();
        record::write_whole(directory, changed(|_, games, _| games[9].number = 1).into_iter().map(Ok))
            .unwrap();
        assert!(read(directory).is_err());
        assert_eq!(files(directory).len(), 0);
    }
}
