//! Questions to bots, and what comes of them.

use std::sync::Arc;

use rules::Seat;
use runner::{Direct, Note, Partner, PartnerEvent, PartnerFailure, PartnerReply, Refusal};

use super::{ADVISER, Open, Table, Wish};
use crate::diagnostic::Failure;
use crate::play::input::Happening;
use crate::play::show;

impl Table {
    /// Puts a question to the bot that decides, or to the adviser.
    pub(super) fn ask(&mut self, wish: Wish) -> Result<(), Failure> {
        if let Some(open) = self.open {
            let name = self.name(open.who);
            return self.say(&format!("{name} is thinking: wait for it, or `stop`\n"));
        }
        self.serial += 1;
        let id = self.serial;
        let (who, inquiry) = match wish {
            Wish::Play => {
                let seat = self.session.decider().map_or(0, Seat::index);
                (seat, self.session.inquiry(id))
            }
            Wish::Hint | Wish::Eval => (ADVISER, self.session.advice(id, &self.advice)),
        };
        let Some(inquiry) = inquiry else { return self.say("the game is over\n") };
        let partner = match &mut self.partners[who] {
            Some(partner) => partner,
            empty => {
                let sender = self.happenings.sender();
                // Nobody is left to be told when this fails.
                let tell = Box::new(move |event| drop(sender.send(Happening::Bot(who, event))));
                let partner = Partner::new(Arc::new(Direct), self.bots[who].clone(), &self.settings, tell);
                empty.insert(partner.map_err(|error| Failure::io("failed to start a thread", &error))?)
            }
        };
        partner.ask(inquiry);
        self.open = Some(Open { who, id, what: wish });
        if self.is_terminal {
            let name = self.name(who);
            self.say(&format!("{name} thinks\n"))?;
        }
        Ok(())
    }

    /// Takes what a bot said.
    pub(super) fn hear(&mut self, who: usize, event: PartnerEvent) -> Result<(), Failure> {
        let (PartnerEvent::Report(id, _)
        | PartnerEvent::Answered(id, _)
        | PartnerEvent::Failed(id, _)
        | PartnerEvent::Unstoppable(id)) = event;
        // What was forgotten meanwhile is of no interest.
        let Some(open) = self.open.filter(|open| open.who == who && open.id == id) else { return Ok(()) };
        match event {
            PartnerEvent::Report(_, report) => {
                if self.shows_info {
                    self.say(&show::report(&self.name(who), &report))
                } else {
                    Ok(())
                }
            }
            PartnerEvent::Unstoppable(_) => {
                let name = self.name(who);
                self.say(&format!("{name} cannot be stopped: it goes on\n"))
            }
            PartnerEvent::Answered(_, reply) => {
                self.close();
                if open.what == Wish::Play {
                    self.take_answer(who, &reply)
                } else {
                    self.advise(open.what, &reply)
                }
            }
            PartnerEvent::Failed(_, failure) => {
                self.close();
                self.fail(open, &failure)
            }
        }
    }

    fn take_answer(&mut self, who: usize, reply: &PartnerReply) -> Result<(), Failure> {
        let name = self.name(who);
        if reply.resigns {
            let _ = self.session.resign();
            self.is_unsaved = true;
            return self.say(&format!("{name} resigns\n"));
        }
        let (now, seat, before) = (self.now(), self.session.decider(), self.session.len());
        let info = (reply.report.info != record::InfoRecord::default()).then(|| reply.report.info.clone());
        match self.session.answer(&reply.plies, info.clone(), reply.spent, now) {
            Ok(()) => {
                self.changed();
                let played: Vec<_> = self
                    .session
                    .plies()
                    .skip(before)
                    .take(reply.plies.len())
                    .map(|(ply, _)| ply.to_owned())
                    .collect();
                self.say(&show::played(&name, &played, &reply.report, reply.spent))?;
                self.board_for_person()
            }
            Err(Refusal::Late(_)) => {
                self.is_unsaved = true;
                Ok(())
            }
            Err(refusal) => {
                let plies = protocol::printable_capped(&reply.plies.join(" "), 80);
                self.waits = true;
                let seat = seat.map(|seat| seat.to_string()).unwrap_or_default();
                let fault = protocol::printable_capped(&refusal.to_string(), 200);
                let what_now = what_now(&seat);
                self.say(&format!("{name} answered `{plies}`, which is not legal: {fault}\n{what_now}\n"))
            }
        }
    }

    /// Says what a bot advises.
    fn advise(&mut self, wish: Wish, reply: &PartnerReply) -> Result<(), Failure> {
        let name = self.name(ADVISER);
        if let Some(seat) = self.session.decider() {
            let (info, line) = (reply.report.info.clone(), reply.report.line.clone());
            self.session.note(Note { by: name.clone(), seat, info, line });
        }
        let seat = self.session.decider().map(|seat| format!(" for {seat}")).unwrap_or_default();
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
    fn fail(&mut self, open: Open, failure: &PartnerFailure) -> Result<(), Failure> {
        let name = self.name(open.who);
        self.say(&show::failure(&name, failure))?;
        if open.what != Wish::Play {
            return Ok(());
        }
        if failure.is_late && self.session.lose_on_time() {
            self.is_unsaved = true;
            return Ok(());
        }
        self.waits = true;
        let seat = self.session.decider().map(|seat| seat.to_string()).unwrap_or_default();
        self.say(&format!("{}\n", what_now(&seat)))
    }
}

/// Says what can be done where a bot has failed.
fn what_now(seat: &str) -> String {
    format!("the game stands: Enter asks once more, a ply plays for {seat}, `undo` takes plies back")
}
