//! Questions to bots, and what comes of them.

use diagnostic::Failure;
use hand_play::words;
use hand_play::{PartnerAct, PartnerNews, Purpose};
use rules::Seat;
use runner::{PartnerEvent, PartnerFailure, PartnerReply, Refusal};

use super::TerminalGame;

impl TerminalGame {
    /// Puts a question to the bot that decides, or to the adviser.
    pub(super) fn ask(&mut self, wish: Purpose) -> Result<(), Failure> {
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
        let Some(PartnerNews { name, seat, what }) = self.game.hear(who, event) else { return Ok(()) };
        if !matches!(what, PartnerAct::Thinks(_) | PartnerAct::GoesOn) {
            self.close();
        }
        match what {
            PartnerAct::Thinks(report) if self.shows_info => self.say(&words::report(&name, &report)),
            PartnerAct::Thinks(_) => Ok(()),
            PartnerAct::GoesOn => self.say(&format!("{name} cannot be stopped: it continues to think\n")),
            PartnerAct::Played(plies, reply) => {
                self.changed();
                self.say(&words::played(&name, &plies, &reply.report, reply.spent))?;
                self.board_for_person()
            }
            PartnerAct::Resigned => {
                self.is_unsaved = true;
                self.say(&format!("{name} resigns\n"))
            }
            PartnerAct::Late => {
                self.is_unsaved = true;
                Ok(())
            }
            PartnerAct::Illegal(plies, refusal) => self.reject(&name, seat, &plies, &refusal),
            PartnerAct::Advice(wish, reply) => self.advise(&name, seat, wish, &reply),
            PartnerAct::Failed(wish, failure) => self.fail(&name, wish, &failure),
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
        wish: Purpose,
        reply: &PartnerReply,
    ) -> Result<(), Failure> {
        let seat = seat.map(|seat| format!(" for {seat}")).unwrap_or_default();
        let report = words::report(&format!("{name}{seat}"), &reply.report);
        match wish {
            Purpose::Hint if reply.resigns => self.say(&format!("{name} would resign\n")),
            Purpose::Hint => {
                let ply = protocol::printable_capped(&reply.plies.join(" "), 80);
                self.say(&format!("hint: {ply}\n{report}"))
            }
            Purpose::Eval | Purpose::Play => self.say(&report),
        }
    }

    /// Tells how a bot failed. The game stands as it was, unless it lost on its clock.
    fn fail(&mut self, name: &str, wish: Purpose, failure: &PartnerFailure) -> Result<(), Failure> {
        self.say(&words::failure(name, failure))?;
        if wish != Purpose::Play {
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
