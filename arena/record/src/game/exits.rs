//! Seats that went out of a game without a ply: by a fault or by resigning.

use rules::{Referee, Rejection, Seat};

use crate::{GameRecord, SeatExit, Termination};

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

    use super::*;

    #[test]
    fn plies_are_legal_again_once_those_who_went_out_are_removed() {
        let setup = Catalogue::default().labelled("2-frenzy players=4").expect("a game");
        let start = || setup.referee(None).expect("a start");
        let (mut referee, mut plies, mut exits) = (start(), Vec::new(), Exits::default());
        while plies.len() < 16 {
            // Two seats fail, in the middle of their turns and one after the other.
            if plies.len() == 11 && exits.0.len() < 2 {
                exits.0.push((referee.seat(), plies.len() + 1));
                referee.fault(referee.seat()).expect("it is in");
                continue;
            }
            let ply = referee.legal().remove(0);
            referee.submit(&ply).expect("it is legal");
            plies.push(ply);
        }
        assert_eq!(referee.outcome(), None);
        let mut again = start();
        for (played, ply) in plies.iter().enumerate() {
            exits.apply(&mut *again, played).expect("they were in");
            again.submit(ply).expect("it was legal");
        }
        assert_eq!(again.position(), referee.position());
    }
}
