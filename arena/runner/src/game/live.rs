//! The current games, for viewers: the latest state wins.
//!
//! A slot stores a new picture of its game in its own cell when a decision takes longer than a moment, from time to time
//! otherwise, and whenever a bot reports on its search. It never waits for a reader: one atomic exchange replaces a picture,
//! whatever readers do with the previous one. Without viewers no pictures are made.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use jiff::Timestamp;
use protocol::Info;
use record::{PlyRecord, SeatExit};
use rules::{PerSeat, Seat};
use tokio::time::Instant;

use crate::Task;
use crate::game::scoresheet::Scoresheet;

/// The greatest age of a picture when a bot is asked. Viewers look less often.
const OLDEST: Duration = Duration::from_millis(50);

/// The current games of a run. Clones show the same run.
#[derive(Clone, Debug, Default)]
pub struct Live(Arc<Mutex<Vec<Arc<LiveCell>>>>);

/// A game in progress.
#[derive(Clone, Debug)]
pub struct LiveGame {
    /// The task.
    pub task: Task,
    /// The slot that plays it, from 0.
    pub slot: usize,
    /// When the slot took it.
    pub started: Timestamp,
    /// The position string of its start, if it is not the game's own.
    pub start: Option<Arc<str>>,
    /// How many of the plies are the opening.
    pub opening: u32,
    /// The plies so far.
    pub plies: LivePlies,
    /// The position string; `None` before the bots are ready.
    pub position: Option<String>,
    /// The seat that decides; `None` if none is asked.
    pub seat: Option<Seat>,
    /// When it was asked.
    pub since: Option<Timestamp>,
    /// The clocks at that time, if there are clocks.
    pub clocks: PerSeat<Option<Duration>>,
    /// The last report of each bot on its search.
    pub said: PerSeat<Option<Arc<Said>>>,
    /// How seats went out before the others, at a table of more than two.
    pub out: PerSeat<Option<Arc<SeatExit>>>,
}

/// A bot's report on its search.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// The report. Escape its text before showing it.
    pub info: Info,
    /// The number of plies at that time. The bot with the highest number reported last.
    pub plies: usize,
}

impl Live {
    /// Returns the games in progress, by slot.
    #[must_use]
    pub fn games(&self) -> Vec<LiveGame> {
        let cells = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        cells.iter().filter_map(|cell| cell.game()).collect()
    }

    /// Returns the cell of a slot.
    pub(crate) fn cell(&self, slot: usize) -> Arc<LiveCell> {
        let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while cells.len() <= slot {
            cells.push(Arc::default());
        }
        Arc::clone(&cells[slot])
    }
}

/// The latest picture of a slot's game.
#[derive(Debug, Default)]
pub(crate) struct LiveCell {
    game: ArcSwapOption<LiveGame>,
    /// The last report of each bot, with the number of the game.
    said: [ArcSwapOption<(u64, Arc<Said>)>; Seat::MOST],
}

impl LiveCell {
    fn game(&self) -> Option<LiveGame> {
        let game = self.game.load_full()?;
        let number = game.task.number;
        // A report from another game may still be there for a moment.
        let said = PerSeat::new(game.task.seats.len(), |seat| {
            let said = self.said[seat.index()].load_full().filter(|said| said.0 == number);
            said.map(|said| Arc::clone(&said.1))
        });
        Some(LiveGame { said, ..LiveGame::clone(&game) })
    }
}

/// The pictures of one game, which viewers see until this is dropped.
#[derive(Debug)]
pub(crate) struct LiveFeed {
    cell: Arc<LiveCell>,
    game: LiveGame,
    /// The number of plies of the game.
    plies: usize,
    /// Whether a bot was asked since the picture was made.
    is_stale: bool,
    /// When the picture was made.
    made: Instant,
}

impl LiveFeed {
    /// Shows that the bots of a game are getting ready.
    pub(crate) fn new(cell: Arc<LiveCell>, task: &Task, slot: usize, start: Option<&str>) -> Self {
        let game = LiveGame {
            task: task.clone(),
            slot,
            started: Timestamp::now(),
            start: start.map(Arc::from),
            opening: 0,
            plies: LivePlies::default(),
            position: None,
            seat: None,
            since: None,
            clocks: task.seats.each_ref().map(|_| None),
            said: task.seats.each_ref().map(|_| None),
            out: task.seats.each_ref().map(|_| None),
        };
        let feed = Self { cell, game, plies: 0, is_stale: false, made: Instant::now() };
        feed.publish();
        feed
    }

    /// Shows the game while no bot is asked.
    pub(crate) fn show(&mut self, scoresheet: &Scoresheet) {
        (self.game.seat, self.game.since) = (None, None);
        self.make(scoresheet);
    }

    /// Records that a seat is about to be asked. The picture is made when its decision takes a moment ([`LiveFeed::catch_up`]),
    /// or if there was none for a while, because plies too fast to follow are not worth a picture each.
    pub(crate) fn ask(&mut self, scoresheet: &Scoresheet, seat: Seat) {
        (self.game.seat, self.game.since) = (Some(seat), Some(Timestamp::now()));
        self.plies = scoresheet.plies().len();
        self.is_stale = true;
        if self.made.elapsed() >= OLDEST {
            self.make(scoresheet);
        }
    }

    /// Shows the game as it is now, unless the picture is current.
    pub(crate) fn catch_up(&mut self, scoresheet: &Scoresheet) {
        if self.is_stale {
            self.make(scoresheet);
        }
    }

    fn make(&mut self, scoresheet: &Scoresheet) {
        self.plies = scoresheet.plies().len();
        for ply in &scoresheet.plies()[self.game.plies.len()..] {
            self.game.plies.push(ply.clone());
        }
        self.game.opening = scoresheet.opening();
        self.game.position = Some(scoresheet.referee().position());
        self.game.clocks = PerSeat::new(scoresheet.seats().len(), |seat| scoresheet.clock(seat).remaining());
        (self.is_stale, self.made) = (false, Instant::now());
        self.publish();
    }

    /// Shows from the next picture on how a seat went out.
    pub(crate) fn put_out(&mut self, seat: Seat, exit: &SeatExit) {
        self.game.out[seat] = Some(Arc::new(exit.clone()));
        self.is_stale = true;
    }

    /// Shows a bot's report on its search.
    pub(crate) fn hear(&self, seat: Seat, line: &Info) {
        let place = &self.cell.said[seat.index()];
        let before = place.load_full().filter(|said| said.0 == self.game.task.number);
        let info = match before {
            // A line without a score or depth adds to the last one that has them.
            Some(before) if line.depth.is_none() && line.score.is_none() => added(&before.1.info, line),
            _ => line.clone(),
        };
        let said = Said { info, plies: self.plies };
        place.store(Some(Arc::new((self.game.task.number, Arc::new(said)))));
    }

    fn publish(&self) {
        self.cell.game.store(Some(Arc::new(self.game.clone())));
    }
}

impl Drop for LiveFeed {
    fn drop(&mut self) {
        self.cell.game.store(None);
        self.cell.said.iter().for_each(|said| said.store(None));
    }
}

/// Returns a report with the fields of a further line added.
fn added(info: &Info, line: &Info) -> Info {
    let mut info = info.clone();
    info.nodes = line.nodes.or(info.nodes);
    info.nodes_per_second = line.nodes_per_second.or(info.nodes_per_second);
    info.time = line.time.or(info.time);
    if !line.pv.is_empty() {
        info.pv.clone_from(&line.pv);
    }
    if line.text.is_some() {
        info.text.clone_from(&line.text);
    }
    info
}

/// The plies of a current game: a shared list that grows without copying.
#[derive(Clone, Debug, Default)]
pub struct LivePlies {
    last: Option<Arc<Link>>,
    count: usize,
}

#[derive(Debug)]
struct Link {
    ply: PlyRecord,
    before: Option<Arc<Link>>,
}

impl LivePlies {
    /// Returns the number of plies.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the plies in order.
    #[must_use]
    pub fn to_vec(&self) -> Vec<PlyRecord> {
        let mut plies: Vec<_> = self.latest().cloned().collect();
        plies.reverse();
        plies
    }

    /// Returns the plies, the last one first.
    pub fn latest(&self) -> impl Iterator<Item = &PlyRecord> {
        let mut next = self.last.as_deref();
        std::iter::from_fn(move || {
            let link = next?;
            next = link.before.as_deref();
            Some(&link.ply)
        })
    }

    fn push(&mut self, ply: PlyRecord) {
        let before = self.last.take();
        self.last = Some(Arc::new(Link { ply, before }));
        self.count += 1;
    }
}

impl Drop for LivePlies {
    fn drop(&mut self) {
        // One by one, because dropping a long chain recursively would overflow the stack.
        let mut next = self.last.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.before.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        let place = crate::PairPlace { ordinal: 0, pairing: 0 };
        Task { number: 7, pair: 4, leg: 1, round: 2, place, contest: 0, seats: [0, 1].into() }
    }

    fn ply(number: u32) -> PlyRecord {
        let text = format!(r#"{{"ply":"a{number}","seat":1,"turn":{number}}}"#);
        serde_json::from_str(&text).expect("a ply")
    }

    #[test]
    fn plies_are_shared_and_long_games_end_well() {
        let mut plies = LivePlies::default();
        for number in 0..300_000 {
            plies.push(ply(number));
        }
        let copy = plies.clone();
        plies.push(ply(300_000));
        assert_eq!((copy.len(), plies.len()), (300_000, 300_001));
        drop(plies);
        assert_eq!(copy.latest().next(), Some(&ply(299_999)));
        assert_eq!(copy.to_vec()[..2], [ply(0), ply(1)]);
    }

    #[test]
    fn a_game_is_shown_until_its_feed_goes() {
        let live = Live::default();
        let feed = LiveFeed::new(live.cell(2), &task(), 2, None);
        feed.hear(Seat::P2, &Info { depth: Some(5), ..Info::default() });
        feed.hear(Seat::P2, &Info { nodes: Some(9), ..Info::default() });
        let [game] = &live.games()[..] else { panic!("one game") };
        assert_eq!((game.slot, &game.task, game.position.as_deref()), (2, &task(), None));
        assert!(game.said[0].is_none());
        let info = &game.said[1].as_ref().expect("it spoke").info;
        assert_eq!((info.depth, info.nodes), (Some(5), Some(9)));
        drop(feed);
        assert!(live.games().is_empty());
    }

    #[test]
    fn a_new_search_forgets_what_the_last_one_said() {
        let live = Live::default();
        let feed = LiveFeed::new(live.cell(0), &task(), 0, None);
        feed.hear(Seat::P1, &Info { depth: Some(9), nodes: Some(900), ..Info::default() });
        feed.hear(Seat::P1, &Info { depth: Some(1), ..Info::default() });
        let info = live.games()[0].said[0].clone().expect("it spoke").info.clone();
        assert_eq!((info.depth, info.nodes), (Some(1), None));
    }
}
