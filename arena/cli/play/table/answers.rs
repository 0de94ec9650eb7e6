//! Questions to bots, and what comes of them.

use diagnostic::Failure;
use rules::Seat;
use runner::{PartnerEvent, PartnerFailure, PartnerReply, Refusal};

use super::Table;
use crate::play::game::{News, Told, Wish};
use crate::play::show;

impl Table {
    /// Puts a question to the bot that decides, or to the adviser.
    pub(super) fn ask(&mut self, wish: Wish) -> Result<(), Failure> {
        if let Some((name, _)) = self.game.asked() {
            return self.say(&format!("{name} is thinking: wait for it, or `stop`\n"));
        }
        if !self.game.ask(wish)? {
            return self.say("the game is over\n");
        }
        match self.game.asked() {
            Some((name, _)) if self.is_terminal => self.say(&format!("{name} thinks\n")),
            _ => Ok(()),
        }
    }

    /// Takes what a bot said.
    pub(super) fn hear(&mut self, who: usize, event: PartnerEvent) -> Result<(), Failure> {
        // What was forgotten meanwhile is of no interest.
        let Some(News { name, seat, what }) = self.game.hear(who, event) else { return Ok(()) };
        if !matches!(what, Told::Thinks(_) | Told::GoesOn) {
            self.close();
        }
        match what {
            Told::Thinks(report) if self.shows_info => self.say(&show::report(&name, &report)),
            Told::Thinks(_) => Ok(()),
            Told::GoesOn => self.say(&format!("{name} cannot be stopped: it goes on\n")),
            Told::Played(plies, reply) => {
                self.changed();
                self.say(&show::played(&name, &plies, &reply.report, reply.spent))?;
                self.board_for_person()
            }
            Told::Resigned => {
                self.is_unsaved = true;
                self.say(&format!("{name} resigns\n"))
            }
            Told::Late => {
                self.is_unsaved = true;
                Ok(())
            }
            Told::Illegal(plies, refusal) => self.reject(&name, seat, &plies, &refusal),
            Told::Advice(wish, reply) => self.advise(&name, seat, wish, &reply),
            Told::Failed(wish, failure) => self.fail(&name, wish, &failure),
        }
    }

    fn reject(
        &self,
        name: &str,
        seat: Option<Seat>,
        plies: &[String],
        refusal: &Refusal,
    ) -> Result<(), Failure> {
        let plies = protocol::printable_capped(&plies.join(" "), 80);
        let fault = protocol::printable_capped(&refusal.to_string(), 200);
        let what_now = what_now(seat);
        self.say(&format!("{name} answered `{plies}`, which is not legal: {fault}\n{what_now}\n"))
    }

    /// Says what a bot advises.
    fn advise(
        &self,
        name: &str,
        seat: Option<Seat>,
        wish: Wish,
        reply: &PartnerReply,
    ) -> Result<(), Failure> {
        let seat = seat.map(|seat| format!(" for {seat}")).unwrap_or_default();
        let report = show::report(&format!("{name}{seat}"), &reply.report);
        match wish {
            Wish::Hint if reply.resigns => self.say(&format!("{name} would resign\n")),
            Wish::Hint => {
                let ply = protocol::printable_capped(&reply.plies.join(" "), 80);
                self.say(&format!("hint: {ply}\n{report}"))
            }
            Wish::Eval | Wish::Play => self.say(&report),
        }
    }

    /// Tells how a bot failed. The game stands as it was, unless it lost on its clock.
    fn fail(&mut self, name: &str, wish: Wish, failure: &PartnerFailure) -> Result<(), Failure> {
        self.say(&show::failure(name, failure))?;
        if wish != Wish::Play {
            return Ok(());
        }
        let decider = self.game.session().decider();
        if decider.is_none() {
            self.is_unsaved = true;
            return Ok(());
        }
        self.say(&format!("{}\n", what_now(decider)))
    }
}

/// Says what can be done where a bot has failed.
fn what_now(seat: Option<Seat>) -> String {
    let seat = seat.map(|seat| seat.to_string()).unwrap_or_default();
    format!("the game stands: Enter asks once more, a ply plays for {seat}, `undo` takes plies back")
}
