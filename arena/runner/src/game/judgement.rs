//! What an answer comes to: its time first, then its plies, and the words for what is wrong with either.

use std::time::Duration;

use protocol::{BestMove, Choice, Pairs, PlyToken, printable};
use record::{InfoRecord, Termination};
use rules::{Rejection, Seat};
use settings::{Illegal, Ponder};

use crate::clock::Charge;
use crate::game::GameLoop;
use crate::game::conclusion::Conclusion;
use crate::game::question::ponder;
use crate::game::reply::Answer;
use crate::player::trouble::TimedTrouble;

impl GameLoop<'_> {
    /// Judges an answer: its time first, then what it says. An error is the rules' own.
    pub(super) fn judge(&mut self, seat: Seat, answer: Answer) -> Result<Option<Conclusion>, Rejection> {
        let limit = self.scoresheet.clock(seat).limit_words();
        if let Charge::Flagged(overrun) = self.scoresheet.charge(answer.spent) {
            return Ok(Some(self.flagged(seat, limit, Some(overrun))));
        }
        Ok(match answer.said {
            Err(fault) => self.refuse(seat, Termination::BadMove, None, &fault.to_string()),
            Ok(BestMove { choice: Choice::Resign, .. }) => Some(Conclusion::resigned(seat)),
            Ok(BestMove { choice: Choice::Plies(plies), ponder: expected, .. }) => {
                let (number, turn) = (self.scoresheet.next_number(), self.scoresheet.own_turn(seat));
                self.announcements.check(seat, &answer.announcement, self.scoresheet.referee(), number, turn);
                let end = self.play(seat, &plies, answer.info, answer.spent)?;
                if let Some(expected) =
                    expected.filter(|_| end.is_none() && self.settings.conditions.ponder == Ponder::Yes)
                {
                    ponder(&mut self.players[seat.index()], &self.scoresheet, seat, expected.as_str());
                }
                end
            }
        })
    }

    /// Plays the plies of an answer as far as the turn goes. An error is the rules' own.
    fn play(
        &mut self,
        seat: Seat,
        plies: &[PlyToken],
        mut info: Option<InfoRecord>,
        spent: Duration,
    ) -> Result<Option<Conclusion>, Rejection> {
        let mut spent = Some(spent);
        for (i, ply) in plies.iter().enumerate() {
            if i > 0 && !self.scoresheet.goes_on_for(seat) {
                let pairs = Pairs::new().with("dropped", plies.len() - i);
                let player = &mut self.players[seat.index()];
                player.tell_error("extra-moves", &pairs, "the turn is over, the other plies are dropped");
                break;
            }
            match self.scoresheet.play(ply.as_str(), info.take()) {
                Ok(()) => {
                    self.tries = 0;
                    self.tell_played(seat, ply.as_str(), spent.take());
                }
                Err(rejection) => {
                    let code = match rejection {
                        Rejection::Illegal(_) => Termination::IllegalMove,
                        Rejection::NotAPly(_) => Termination::BadMove,
                        Rejection::Rules(_) => return Err(rejection),
                    };
                    return Ok(self.refuse(seat, code, Some(ply.as_str()), &rejection.to_string()));
                }
            }
        }
        Ok(None)
    }

    /// Refuses an answer: it is asked for again, or the game is lost.
    fn refuse(
        &mut self,
        seat: Seat,
        code: Termination,
        ply: Option<&str>,
        words: &str,
    ) -> Option<Conclusion> {
        let number = self.scoresheet.next_number();
        let tries = match self.settings.conditions.illegal {
            Illegal::Forfeit => 0,
            Illegal::Retry(tries) => tries.get(),
        };
        let is_lost = self.tries >= tries;
        let mut pairs = Pairs::new();
        if let Some(ply) = ply {
            pairs = pairs.with("move", ply);
        }
        pairs = pairs.with("ply", number);
        if !is_lost {
            self.tries += 1;
            self.retries[seat] += 1;
            pairs = pairs.with("try", format!("{}/{tries}", self.tries));
        }
        self.players[seat.index()].tell_error(code.code(), &pairs, words);
        let what = match (ply, code) {
            (None, _) => format!("bad answer at ply {number}"),
            (Some(ply), Termination::BadMove) => format!("bad ply `{}` at ply {number}", printable(ply)),
            (Some(ply), _) => format!("illegal ply `{}` at ply {number}", printable(ply)),
        };
        is_lost.then(|| Conclusion::loss(seat, code, format!("{what}: {}", printable(words))))
    }

    /// Returns the loss on time of a seat that has overrun this limit.
    pub(super) fn flagged(&self, seat: Seat, limit: &str, overrun: Option<Duration>) -> Conclusion {
        let (clock, number) = (self.scoresheet.clock(seat), self.scoresheet.next_number());
        let by = overrun_words(overrun, clock.margin());
        // Waiting for a processor takes no processor time.
        let waited = self.scoresheet.waited().filter(|_| !clock.control().is_cpu());
        let stops = stop_words(self.players[seat.index()].stops());
        let detail = format!("overran {limit} by {by} at ply {number}{stops}");
        Conclusion::late(seat, &detail, noise(waited, clock.margin()))
    }

    /// Returns the loss of a seat that gave no answer within this limit of real time, where its clock counts processor time.
    pub(super) fn idle(&self, seat: Seat, limit: Duration) -> Conclusion {
        let (clock, number) = (self.scoresheet.clock(seat), self.scoresheet.next_number());
        let limit = limit.as_millis();
        let detail = format!(
            "gave no answer within {limit} ms of real time at ply {number}, the limit where the clock counts processor time"
        );
        Conclusion::late(seat, &detail, noise(self.scoresheet.waited(), clock.margin()))
    }

    /// Returns how the game ends for a seat whose process has failed.
    pub(super) fn failed(&self, seat: Seat, failure: &TimedTrouble) -> Conclusion {
        let is_forgiven = self.is_forgiven[seat] && self.scoresheet.is_untouched();
        let mut end = Conclusion::failed(seat, failure, is_forgiven);
        end.detail = end.detail.map(|detail| format!("{detail} at ply {}", self.scoresheet.next_number()));
        end
    }
}

/// Returns what is added to a loss on time of a bot that was stopped: who did it, the system does not tell.
fn stop_words(stops: u32) -> String {
    match stops {
        0 => String::new(),
        stops => format!(
            " (since it started its process was stopped {stops} times or more, by itself or by another process of its user, and made to continue)"
        ),
    }
}

/// Says by how much a limit was overrun. It is rounded up, so that what costs the game is never told as what is
/// forgiven.
fn overrun_words(overrun: Option<Duration>, margin: Duration) -> String {
    let margin = margin.as_millis();
    match overrun {
        Some(overrun) => format!("{} ms (margin {margin} ms)", overrun.as_micros().div_ceil(1000)),
        None => format!("more than the margin of {margin} ms"),
    }
}

/// Returns for how long the machine kept a bot waiting, where that is longer than the margin forgives.
fn noise(waited: Option<Duration>, margin: Duration) -> Option<Duration> {
    waited.filter(|waited| *waited > margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_noisy_when_the_wait_was_longer_than_the_margin() {
        let (margin, ms) = (Duration::from_millis(50), Duration::from_millis);
        assert_eq!(noise(None, margin), None);
        assert_eq!(noise(Some(ms(50)), margin), None);
        assert_eq!(noise(Some(ms(51)), margin), Some(ms(51)));
    }

    #[test]
    fn a_loss_is_never_told_as_an_overrun_within_the_margin() {
        let words = overrun_words(Some(Duration::from_micros(50_001)), Duration::from_millis(50));
        assert_eq!(words, "51 ms (margin 50 ms)");
    }
}
