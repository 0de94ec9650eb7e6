//! What is asked at tables of more than two seats: who is out, and what a fault does.

use own_games::{PositionAnswer, fault_word, seats_after};
use rules::{Seat, SeatOut};
use serde::Deserialize as _;

use crate::game_check::catalogue::{FAULTS, OUT};
use crate::game_check::examination::{Examination, Seen};
use crate::game_check::findings::Flaw;
use crate::game_check::interview::Step;
use crate::game_check::requests::{REFUSALS, expect_error};

impl Examination<'_, '_> {
    /// Compares who is out after a ply, or at the end, with who was before it.
    pub(super) fn compare_out(&mut self, before: &Seen, ply: &str, after: &Seen) -> Step {
        let is_same = after.answer.end.is_none() && before.answer.out == after.answer.out;
        if self.seats == 2 || is_same {
            return Ok(());
        }
        // Only an answer about the ply says why somebody has gone out.
        let from = format!("fen {}", before.answer.position);
        let Some(played) = self.position(&from, &[ply.to_owned()])? else { return Ok(()) };
        self.hold_together(OUT, before, None, &played);
        if played.answer.out != after.answer.out {
            let what = format!("`out` differs between the ply `{ply}` and the position after it");
            self.note_both(Flaw::new(OUT, what), &played.reply, &after.reply);
        }
        Ok(())
    }

    /// Lets a seat commit a fault. Returns the position after it, which its string leads to if the game goes on; `None` if nothing
    /// can be done with the answers.
    pub(super) fn put_out(&mut self, seen: &Seen, seat: Seat) -> Step<Option<Seen>> {
        let from = format!("fen {}", seen.answer.position);
        let question = self.question("position", &from, &[fault_word(seat)]);
        let Some(reply) = self.interview.ask(Some(&self.head), &question)? else { return Ok(None) };
        if reply.error().is_some() {
            self.note_both(Flaw::new(FAULTS, format!("a fault of {seat} is refused")), &seen.reply, &reply);
            return Ok(None);
        }
        let Some(after) = self.read(reply) else { return Ok(None) };
        if !self.hold_together(FAULTS, seen, Some(seat), &after) {
            return Ok(None);
        }
        if after.answer.end.is_some() {
            return Ok(Some(after));
        }
        let from = format!("fen {}", after.answer.position);
        let Some(again) = self.position(&from, &[])? else { return Ok(None) };
        let (one, other) = (&after.answer, &again.answer);
        if (&one.out, &one.seat, &one.legal) != (&other.out, &other.seat, &other.legal) {
            let what = format!("the position string after a fault of {seat} leads to another position");
            self.note_both(Flaw::new(FAULTS, what), &after.reply, &again.reply);
            return Ok(None);
        }
        Ok(Some(again))
    }

    /// Lets another seat commit a fault than the one that decides, and seats that cannot.
    pub(super) fn try_faults(&mut self, seen: &Seen) -> Step {
        if self.seats == 2 || seen.answer.end.is_some() {
            return Ok(());
        }
        let is_out = |seat: &Seat| seen.answer.out.contains_key(&seat.to_string());
        let (out, left): (Vec<_>, Vec<_>) = Seat::all(self.seats).partition(is_out);
        let others: Vec<_> = left.into_iter().filter(|seat| seat.to_string() != seen.answer.seat).collect();
        if !others.is_empty() {
            let seat = others[self.dice.below(others.len())];
            self.put_out(seen, seat)?;
        }
        let from = format!("fen {}", seen.answer.position);
        for seat in out.into_iter().take(1).chain(Seat::new(self.seats)) {
            let question = self.question("legal", &from, &[fault_word(seat)]);
            if let Some(reply) = self.interview.ask(Some(&self.head), &question)? {
                expect_error(self.interview, Some(&self.head), FAULTS, &reply, &REFUSALS);
            }
        }
        Ok(())
    }

    /// Holds an answer to what was told of the seats before it, as the referee does, and returns whether it can be.
    fn hold_together(&mut self, test: u8, before: &Seen, faulty: Option<Seat>, after: &Seen) -> bool {
        let known = before.answer.out.iter().filter_map(|(seat, place)| {
            Some(SeatOut { seat: seat.parse().ok()?, place: *place as u8, reason: None })
        });
        let known: Vec<_> = known.collect();
        // What cannot be read is noted already.
        let Ok(answer) = PositionAnswer::deserialize(&after.reply.value) else { return false };
        if answer.check(self.seats).is_err() {
            return false;
        }
        match seats_after(&known, &answer, self.seats, faulty) {
            Ok(_) => true,
            Err(what) => {
                self.note_both(Flaw::new(test, what), &before.reply, &after.reply);
                false
            }
        }
    }
}
