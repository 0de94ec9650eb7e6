//! Checking bots' claims about their search against the rules. False ones are warnings, never a forfeit.
//!
//! Only certain contradictions are reported: an illegal ply, a line that continues after the end of the game, an announced end
//! that the bot's own line or the game contradicts. A score that is only a bound announces nothing.

use protocol::{Info, PlyToken, ScoreValue, printable_capped};
use record::{Warning, WarningKind};
use rules::{Outcome, PerSeat, Referee, Seat, Verdict};

/// The most characters of a bot's text that a warning quotes.
const QUOTED: usize = 80;

/// A bot's last claim before an answer: its principal variation, and the end that it announces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Announcement {
    line: Vec<PlyToken>,
    mate: Option<i64>,
}

impl Announcement {
    /// Reads a line about the first of several best lines. Fields that the line lacks stay unchanged.
    pub(crate) fn hear(&mut self, info: &mut Info) {
        let mate = info.score.filter(|score| score.bound.is_none()).and_then(|score| match score.value {
            ScoreValue::Mate(turns) => Some(turns),
            ScoreValue::Centipawns(_) => None,
        });
        if !info.pv.is_empty() || info.score.is_some() {
            *self = Self { line: std::mem::take(&mut info.pv), mate };
        }
    }

    fn is_empty(&self) -> bool {
        self.line.is_empty() && self.mate.is_none()
    }
}

/// The claims of the bots in a game so far, and the warnings about them.
#[derive(Debug)]
pub(crate) struct Announcements {
    seats: PerSeat<SeatAnnouncements>,
}

/// The claims of one bot.
#[derive(Debug, Default)]
struct SeatAnnouncements {
    warnings: Vec<Warning>,
    /// The announced win that is due first.
    promise: Option<Promise>,
}

/// An announced win.
#[derive(Clone, Copy, Debug)]
struct Promise {
    /// The ply for which the bot was asked at that time.
    ply: usize,
    /// The number of own turns.
    turns: u32,
    /// The number of the own turn in which the game must end at the latest.
    due: u64,
}

impl Announcements {
    /// Begins a game at a table of `seats` seats.
    pub(crate) fn new(seats: usize) -> Self {
        Self { seats: PerSeat::new(seats, |_| SeatAnnouncements::default()) }
    }

    /// Records that a seat is asked in its own turn `turn`. A win that it announced for an earlier turn must have come.
    pub(crate) fn ask(&mut self, seat: Seat, turn: u64) {
        let seat_announcements = &mut self.seats[seat];
        if let Some(promise) = seat_announcements.promise.take_if(|promise| turn > promise.due) {
            let what =
                format!("announced a win in {}, but the game continued", own_turns(promise.turns.into()));
            seat_announcements.warn(WarningKind::MateLength, promise.ply, || what);
        }
    }

    /// Checks the claim of a seat before its answer, at the position for which it was asked: ply `number`, in its own turn
    /// `turn`, or after that turn if it decides in its opponent's.
    pub(crate) fn check(
        &mut self,
        seat: Seat,
        announcement: &Announcement,
        referee: &dyn Referee,
        number: usize,
        turn: u64,
    ) {
        if announcement.is_empty() {
            return;
        }
        let seat_announcements = &mut self.seats[seat.index()];
        let end = seat_announcements.follow(seat, &announcement.line, referee, number);
        let Some(mate) = announcement.mate.filter(|turns| *turns != 0) else { return };
        if let Some((verdict, turns)) = end {
            let is_lost = verdict.outcome.places(referee.seats()).of_seat(seat) != Some(1);
            let is_meant = if mate > 0 { verdict.outcome.winner() == Some(seat) } else { is_lost };
            if !is_meant {
                seat_announcements.warn(WarningKind::MateSign, number, || {
                    format!("`mate {mate}`, but its line ends with {} ({})", verdict.outcome, verdict.reason)
                });
            } else if mate.unsigned_abs() != turns {
                seat_announcements.warn(WarningKind::MateLength, number, || {
                    format!("`mate {mate}`, but its line ends in {}", own_turns(turns))
                });
            }
        }
        // A mate far beyond any game cannot be checked.
        if let Ok(turns @ 1..) = u32::try_from(mate) {
            let is_own = referee.turn().seat == seat;
            let due = turn + u64::from(turns) - u64::from(is_own);
            if seat_announcements.promise.is_none_or(|promise| due < promise.due) {
                seat_announcements.promise = Some(Promise { ply: number, turns, due });
            }
        }
    }

    /// Records the end of the game by its rules. Within the time of an announced win it must be that win.
    pub(crate) fn end(&mut self, outcome: Outcome) {
        for (seat, seat_announcements) in self.seats.by_seat_mut() {
            if let Some(promise) = seat_announcements.promise.take_if(|_| outcome.winner() != Some(seat)) {
                seat_announcements.warn(WarningKind::MateSign, promise.ply, || {
                    format!(
                        "announced a win in {}, but the game ended with {outcome}",
                        own_turns(promise.turns.into())
                    )
                });
            }
        }
    }

    /// Returns the warnings about each bot, by kind.
    pub(crate) fn into_warnings(self) -> PerSeat<Vec<Warning>> {
        self.seats.map(|seat_announcements| {
            let mut warnings = seat_announcements.warnings;
            warnings.sort_by_key(|warning| warning.kind);
            warnings
        })
    }
}

impl SeatAnnouncements {
    /// Plays a line from a position and warns about the first ply that is not possible. Returns how the game ends, if it does,
    /// and after how many own turns of the seat, including the current one.
    fn follow(
        &mut self,
        seat: Seat,
        line: &[PlyToken],
        referee: &dyn Referee,
        number: usize,
    ) -> Option<(Verdict, u64)> {
        if line.is_empty() {
            return None;
        }
        let mut board = referee.fork();
        // A turn that has already begun counts.
        let mut turns = u64::from(!board.turn().is_fresh && board.turn().seat == seat);
        for (i, ply) in line.iter().enumerate() {
            // A line may leave out a forced pass.
            while board.must_pass() && ply.as_str() != "pass" && board.submit("pass").is_ok() {}
            let place = || {
                format!(
                    "ply {} of {} of its line, `{}`",
                    i + 1,
                    line.len(),
                    printable_capped(ply.as_str(), QUOTED)
                )
            };
            if let Some(verdict) = board.outcome() {
                self.warn(WarningKind::PvPastEnd, number, || {
                    format!("{}, comes after the end of the game ({})", place(), verdict.reason)
                });
                return Some((verdict, turns));
            }
            turns += u64::from(board.turn().is_fresh && board.turn().seat == seat);
            if let Err(rejection) = board.submit(ply.as_str()) {
                self.warn(WarningKind::PvIllegal, number, || {
                    format!("{}, is not legal: {}", place(), printable_capped(&rejection.to_string(), QUOTED))
                });
                return None;
            }
        }
        board.outcome().map(|verdict| (verdict, turns))
    }

    fn warn(&mut self, kind: WarningKind, ply: usize, what: impl FnOnce() -> String) {
        if let Some(warning) = self.warnings.iter_mut().find(|warning| warning.kind == kind) {
            warning.count = warning.count.saturating_add(1);
        } else {
            let ply = u32::try_from(ply).unwrap_or(u32::MAX);
            self.warnings.push(Warning { kind, count: 1, ply, what: what() });
        }
    }
}

fn own_turns(turns: u64) -> String {
    if turns == 1 { "1 own turn".to_owned() } else { format!("{turns} own turns") }
}
