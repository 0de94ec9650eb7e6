//! Seats that went out of a game without a ply: by a fault or by resigning.

use rules::{Referee, Rejection, Seat};

use crate::{GameRecord, PlyRecord, SeatExit, Termination};

/// The seats that went out of a game by faults or by resigning while others played on, each with the number of the ply that was
/// due next. Replaying a game needs them, because the plies do not show them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exits(Vec<(Seat, usize)>);

impl Exits {
    /// Returns the exits of a recorded game.
    #[must_use]
    pub fn of<T: Ord, P, C>(game: &GameRecord<T, P, C>) -> Self {
        Self::among(game.seats.by_seat().filter_map(|(seat, record)| Some((seat, record.out.as_ref()?))))
    }

    /// Selects those exits from all exits of a game.
    pub fn among<'a, T: 'a>(exits: impl IntoIterator<Item = (Seat, &'a SeatExit<T>)>) -> Self {
        let by_rules = |exit: &SeatExit<T>| matches!(exit.reason, Termination::Rules(_));
        let exits = exits.into_iter().filter(|(_, exit)| !by_rules(exit));
        Self(exits.map(|(seat, exit)| (seat, exit.ply as usize)).collect())
    }

    /// Finds the exits of a game in progress, which no record tells yet: the seat that decided has gone out if another one played the next
    /// ply. `referee` stands at the start of the game. An exit after the last ply is not seen.
    #[must_use]
    pub fn inferred<T: AsRef<str>>(mut referee: Box<dyn Referee>, plies: &[PlyRecord<T>]) -> Self {
        let mut exits = Vec::new();
        if referee.seats() > 2 {
            for (played, ply) in plies.iter().enumerate() {
                let player = usize::from(ply.seat).checked_sub(1);
                while referee.outcome().is_none() && Some(referee.seat().index()) != player {
                    exits.push((referee.seat(), played + 1));
                    if referee.fault(referee.seat()).is_err() {
                        return Self(exits);
                    }
                }
                if referee.submit(ply.ply.as_ref()).is_err() {
                    break;
                }
            }
        }
        Self(exits)
    }

    /// Removes from the game the seats that went out after `plies` plies.
    ///
    /// # Errors
    /// If the rules do not accept it.
    pub fn apply(&self, referee: &mut dyn Referee, plies: usize) -> Result<(), Rejection> {
        let mut due: Vec<Seat> =
            self.0.iter().filter(|(_, ply)| *ply == plies + 1).map(|(seat, _)| *seat).collect();
        while !due.is_empty() && referee.outcome().is_none() {
            // In the order in which they were asked.
            let decider = referee.seat();
            let seat = due.remove(due.iter().position(|seat| *seat == decider).unwrap_or(0));
            referee.fault(seat)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rules::Catalogue;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_game_in_progress_tells_its_exits_by_the_seats_of_its_plies() {
        let setup = Catalogue::default().labelled("2-frenzy players=4").expect("a game");
        let start = || setup.referee(None).expect("a start");
        let (mut referee, mut plies, mut exits) = (start(), Vec::new(), Vec::new());
        while plies.len() < 16 {
            // Two seats fail, in the middle of their turns and one after the other.
            if plies.len() == 11 && exits.len() < 2 {
                exits.push((referee.seat(), plies.len() + 1));
                referee.fault(referee.seat()).expect("it is in");
                continue;
            }
            let ply = referee.legal().remove(0);
            let seat = u8::try_from(referee.seat().index() + 1).expect("a seat");
            referee.submit(&ply).expect("it is legal");
            let ply = json!({"ply": ply, "seat": seat, "turn": 1});
            plies.push(serde_json::from_value::<PlyRecord>(ply).expect("a ply"));
        }
        assert_eq!(referee.outcome(), None);
        let found = Exits::inferred(start(), &plies);
        assert_eq!(found, Exits(exits));
        let mut again = start();
        for (played, ply) in plies.iter().enumerate() {
            found.apply(&mut *again, played).expect("they were in");
            again.submit(&ply.ply).expect("it was legal");
        }
        assert_eq!(again.position(), referee.position());
    }
}
