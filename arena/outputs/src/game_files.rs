//! The game log and the list of games, which have a part for every game.

use std::path::Path;

use page::GameDecisions;
use record::{LineGame, PgnForm};
use report::{GameList, GameLog, RunReport};

use crate::OutputError;
use crate::draft::Draft;

/// The game log.
pub(crate) const LOG: &str = "games.pgn";

/// The list of games.
pub(crate) const LIST: &str = "games.csv";

/// Makes the texts of games for log and list, and counts what bots decided in them.
pub(crate) struct GameWriter<'a> {
    log: GameLog<'a>,
    pub(crate) list: GameList,
    pub(crate) decisions: GameDecisions,
    /// What the log says of games since the last call of [`Self::take`].
    text: Vec<u8>,
    ends: Vec<End>,
}

/// What log and list say of some games.
pub(crate) struct Texts {
    log: Vec<u8>,
    list: Vec<u8>,
    ends: Vec<End>,
}

/// The number of a game, and where what is said of it ends in both.
struct End {
    number: u64,
    log: usize,
    list: usize,
}

/// What both say of a game, or of several that follow each other.
#[derive(Clone, Copy)]
pub(crate) struct Said<'t> {
    pub(crate) log: &'t [u8],
    pub(crate) list: &'t [u8],
}

impl Texts {
    /// Returns what is said of all games.
    pub(crate) fn all(&self) -> Said<'_> {
        Said { log: &self.log, list: &self.list }
    }

    /// Returns the numbers of the games.
    pub(crate) fn numbers(&self) -> impl ExactSizeIterator<Item = u64> {
        self.ends.iter().map(|end| end.number)
    }

    /// Returns what is said of each game, with its number.
    pub(crate) fn games(&self) -> impl Iterator<Item = (u64, Said<'_>)> {
        let (mut log, mut list) = (0, 0);
        self.ends.iter().map(move |end| {
            let log = std::mem::replace(&mut log, end.log)..end.log;
            let list = std::mem::replace(&mut list, end.list)..end.list;
            (end.number, Said { log: &self.log[log], list: &self.list[list] })
        })
    }
}

impl<'a> GameWriter<'a> {
    pub(crate) fn new(log: GameLog<'a>, list: GameList) -> Self {
        Self { log, list, decisions: GameDecisions::default(), text: Vec::new(), ends: Vec::new() }
    }

    /// Returns a writer of a part of the same files.
    pub(crate) fn part(&self) -> Self {
        Self::new(self.log.clone(), self.list.part())
    }

    pub(crate) fn push(&mut self, game: &LineGame<'_>) {
        self.decisions.push(game);
        self.log.push(game, &mut self.text);
        self.list.push(game);
        self.ends.push(End { number: game.number, log: self.text.len(), list: self.list.length() });
    }

    /// Returns what was said since the last call.
    pub(crate) fn take(&mut self) -> Texts {
        // The next text is hardly longer, and one that grows is moved several times.
        let room = Vec::with_capacity(self.text.capacity());
        let log = std::mem::replace(&mut self.text, room);
        Texts { log, list: self.list.take(), ends: std::mem::take(&mut self.ends) }
    }

    pub(crate) fn texts(&mut self, games: &[LineGame<'_>]) -> Texts {
        games.iter().for_each(|game| self.push(game));
        self.take()
    }
}

/// Returns what the bots decided in the games of all writers.
pub(crate) fn together(writers: Vec<GameWriter<'_>>) -> GameDecisions {
    let mut all = GameDecisions::default();
    writers.into_iter().for_each(|writer| all.absorb(writer.decisions));
    all
}

/// The game log and the list while they are written.
#[derive(Debug)]
pub(crate) struct GameFiles {
    log: Draft,
    list: Draft,
}

impl GameFiles {
    /// Begins both files of a run, and returns what makes their texts.
    pub(crate) fn begin<'a>(
        report: &RunReport<'a>,
        to: &Path,
    ) -> Result<(Self, GameWriter<'a>), OutputError> {
        let log = GameLog::new(report.contents(), PgnForm::Native);
        let mut writer = GameWriter::new(log, GameList::new(report));
        Ok((Self::of(&mut writer, to)?, writer))
    }

    /// Begins both files with the first line of a list.
    pub(crate) fn of(writer: &mut GameWriter<'_>, to: &Path) -> Result<Self, OutputError> {
        let mut files = Self { log: Draft::new(to, LOG)?, list: Draft::new(to, LIST)? };
        files.list.write(&writer.list.take())?;
        Ok(files)
    }

    pub(crate) fn write(&mut self, said: Said<'_>) -> Result<(), OutputError> {
        self.log.write(said.log)?;
        self.list.write(said.list)
    }

    pub(crate) fn finish(self) -> Result<(), OutputError> {
        self.log.finish()?;
        self.list.finish()
    }
}
