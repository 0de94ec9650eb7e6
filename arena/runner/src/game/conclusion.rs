//! The end of a game, also by faults of bots.

use std::time::Duration;

use record::{GameResult, Termination};
use rules::{PerSeat, Seat, Verdict};

use crate::player::trouble::TimedTrouble;

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conclusion {
    /// Who won.
    pub(crate) result: GameResult,
    /// The reason.
    pub(crate) reason: Termination,
    /// What happened, in words without a subject.
    pub(crate) detail: Option<String>,
    /// The seat whose fault it is, if any.
    pub(crate) fault: Option<Seat>,
    /// The seat that has lost by a fault or by resigning. At a table of more than two seats that ends the game of this seat
    /// only, and the rules decide `result`.
    pub(crate) loser: Option<Seat>,
    /// How that bot's process ended, if it did.
    pub(crate) exit: Option<String>,
    /// Whether the machine or the arena itself may be to blame, so that the game may be replayed.
    pub(crate) is_doubtful: bool,
}

impl Conclusion {
    /// Returns the end by the rules.
    pub(crate) fn by_rules(verdict: Verdict) -> Self {
        let (result, reason) = (verdict.outcome.into(), Termination::Rules(verdict.reason));
        Self { result, reason, detail: None, fault: None, loser: None, exit: None, is_doubtful: false }
    }

    /// Returns the end by the resignation of a seat, which is no fault.
    pub(crate) fn resigned(seat: Seat) -> Self {
        let result = GameResult::win(seat.other());
        Self {
            result,
            reason: Termination::Resign,
            detail: None,
            fault: None,
            loser: Some(seat),
            exit: None,
            is_doubtful: false,
        }
    }

    /// Returns the end by the fault of a seat.
    pub(crate) fn loss(seat: Seat, reason: Termination, detail: String) -> Self {
        let result = GameResult::win(seat.other());
        let detail = Some(detail);
        Self { result, reason, detail, fault: Some(seat), loser: Some(seat), exit: None, is_doubtful: false }
    }

    /// Returns the loss on time of a seat. `waited` is how long the machine kept its bot waiting, if that was too long.
    pub(crate) fn late(seat: Seat, detail: &str, waited: Option<Duration>) -> Self {
        let noise = waited.map(|waited| waited.as_millis());
        let noise = noise
            .map_or_else(String::new, |ms| format!(" (noisy: its process waited {ms} ms for a processor)"));
        let end = Self::loss(seat, Termination::Timeout, format!("{detail}{noise}"));
        Self { is_doubtful: waited.is_some(), ..end }
    }

    /// Returns the end of a game in which the arena did not run for `paused` while a bot was to decide. No bot has lost it.
    pub(crate) fn paused(paused: Duration, ply: usize) -> Self {
        let ms = paused.as_millis();
        let detail = format!("the arena itself did not run for {ms} ms while ply {ply} was decided");
        Self {
            result: GameResult::None,
            reason: Termination::ArenaError,
            detail: Some(detail),
            fault: None,
            loser: None,
            exit: None,
            is_doubtful: true,
        }
    }

    /// Returns the end of a game that is not played because the bot of a seat is withdrawn after this many faults.
    pub(crate) fn withdrawn(seat: Seat, faults: u32) -> Self {
        let words = if faults == 1 { "1 fault".to_owned() } else { format!("{faults} faults") };
        let end = Self::loss(seat, Termination::Withdrawn, format!("was withdrawn after {words}"));
        Self { result: GameResult::None, ..end }
    }

    /// Returns the end by the failure of a seat's bot. A stall may be forgiven; the game then does not count.
    pub(crate) fn failed(seat: Seat, failure: &TimedTrouble, is_forgiven: bool) -> Self {
        let trouble = &failure.trouble;
        let mut end = Self::loss(seat, trouble.termination(), trouble.words());
        end.exit = trouble.exit().map(str::to_owned);
        let is_void = match end.reason {
            Termination::SpawnFailed | Termination::Rejected | Termination::ArenaError => true,
            Termination::Stall => is_forgiven,
            _ => false,
        };
        if is_void {
            end.result = GameResult::None;
        }
        end
    }

    /// Returns the end of a game that could not begin, if something failed.
    pub(crate) fn before_start(
        failures: &PerSeat<Option<TimedTrouble>>,
        is_forgiven: &PerSeat<bool>,
    ) -> Option<Self> {
        let ends = failures.by_seat().filter_map(|(seat, failure)| {
            let failure = failure.as_ref()?;
            Some((failure.at, Self::failed(seat, failure, is_forgiven[seat])))
        });
        // A game that cannot be played at all counts for nobody; otherwise the first fault counts.
        ends.min_by_key(|(at, end)| (end.result != GameResult::None, *at)).map(|(_, end)| end)
    }

    /// Returns whether it ends the game of one seat only. At a table of more than two seats the others play on.
    pub(crate) fn is_exit(&self) -> bool {
        self.result != GameResult::None && self.loser.is_some()
    }
}
