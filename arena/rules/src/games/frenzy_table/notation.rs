//! The position strings of 2-Frenzy for more than two seats.

use std::fmt;

use super::{FrenzyTable, Phase};
use crate::games::frenzy_table::sea::{CellSet, Sea};
use crate::games::school::ply::{KEEP_FAULT, PLACING_FAULT, unknown_phase};
use crate::{Fields, NotationError, Seat, TwoFrenzyOptions};

/// The letters of fish and sharks, `p1` first.
const LETTERS: [(u8, u8); 4] = [(b'F', b'S'), (b'f', b's'), (b'G', b'T'), (b'g', b't')];

impl<S: Sea, const N: usize, const FILES: u8> fmt::Display for FrenzyTable<S, N, FILES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        S::BOARD.write_rows(f, |cell| {
            let cell = S::Cells::only(cell as u8);
            let mut found = None;
            for ((fish, sharks), letters) in self.fish.iter().zip(&self.sharks).zip(LETTERS) {
                if (*fish & cell).has_any() {
                    found = Some(letters.0);
                } else if (*sharks & cell).has_any() {
                    found = Some(letters.1);
                }
            }
            found
        })?;
        write!(f, " {} ", self.seat)?;
        match self.phase {
            Phase::Sharks { left } => write!(f, "phase=sharks left={left} used=-")?,
            Phase::First => f.write_str("phase=play left=2 used=-")?,
            Phase::Second { used } => write!(f, "phase=play left=1 used={}", S::named(used))?,
            Phase::Keep { school } => write!(f, "phase=keep left=0 used=- school={school}")?,
        }
        f.write_str(" out=")?;
        if self.seats_out().next().is_none() {
            f.write_str("-")?;
        }
        for (index, seat) in self.seats_out().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{seat}:{}", self.places[seat.index()])?;
        }
        write!(f, " n={}", self.turns)
    }
}

impl<S: Sea, const N: usize, const FILES: u8> FrenzyTable<S, N, FILES> {
    /// Reads a position string: see [`crate::Position::read`].
    pub(super) fn from_notation(options: &TwoFrenzyOptions, text: &str) -> Result<Self, NotationError> {
        let mut fields = Fields::of(text);
        let (fish, sharks) = Self::read_animals(fields.rows()?)?;
        let seat = fields.seat_of(N)?;
        let phase = Self::read_phase(&mut fields)?;
        let places = Self::read_out(fields.value("out")?)?;
        let turns = fields.number("n", u32::MAX)?;
        fields.end()?;
        let (are_whole, reasons, max_turns) = ([false; N], [None; N], options.max_turns());
        let position = Self { fish, sharks, are_whole, places, reasons, seat, phase, turns, max_turns };
        position.wrong_out().or_else(|| position.contradiction()).map_or(Ok(position), Err)
    }

    #[expect(clippy::type_complexity, reason = "two fields of the position")]
    fn read_animals(rows: &str) -> Result<([S::Cells; N], [S::Cells; N]), NotationError> {
        let (mut fish, mut sharks) = ([S::Cells::NONE; N], [S::Cells::NONE; N]);
        S::BOARD.read_rows(rows, |cell, letter| {
            let mut is_known = false;
            for (seat, letters) in LETTERS.iter().take(N).enumerate() {
                if letter == letters.0 {
                    fish[seat] |= S::Cells::only(cell as u8);
                } else if letter == letters.1 {
                    sharks[seat] |= S::Cells::only(cell as u8);
                } else {
                    continue;
                }
                is_known = true;
            }
            is_known
        })?;
        Ok((fish, sharks))
    }

    fn read_phase(fields: &mut Fields<'_>) -> Result<Phase, NotationError> {
        let phase = fields.value("phase")?;
        let left = fields.number("left", 2)?;
        let used = fields.value("used")?;
        let phase = match (phase, left) {
            ("sharks", 1 | 2) => Phase::Sharks { left: left as u8 },
            ("sharks", _) => return Err(NotationError::new("left", "1 or 2 sharks are left to place")),
            ("play", 2) => Phase::First,
            ("play", 1) => match S::BOARD.read_cell(used) {
                Some(cell) => return Ok(Phase::Second { used: cell as u8 }),
                None => return Err(NotationError::new("used", "not the cell of the animal that has moved")),
            },
            ("play", _) => return Err(NotationError::new("left", "1 or 2 plies are left to play")),
            ("keep", 0) => Phase::Keep { school: fields.seat_value("school", N)? },
            ("keep", _) => return Err(NotationError::new("left", "0 plies are left at the end of a turn")),
            (other, _) => return Err(unknown_phase(other)),
        };
        if used != "-" {
            return Err(NotationError::new("used", "write `-` if no animal has moved this turn"));
        }
        Ok(phase)
    }

    /// Reads the places of the seats that are out.
    fn read_out(text: &str) -> Result<[u8; N], NotationError> {
        let mut places = [0; N];
        if text == "-" {
            return Ok(places);
        }
        let fault = |fault: String| NotationError::new("out", fault);
        let mut last = None;
        for part in text.split(',') {
            let misspelt = || {
                let part = part.escape_default();
                fault(format!("`{part}` is not a seat, a colon and its place, such as p2:{N}"))
            };
            let (seat, place) = part.split_once(':').ok_or_else(misspelt)?;
            let seat: Seat = seat.parse().map_err(|()| misspelt())?;
            let place = match place.as_bytes() {
                [digit @ b'1'..=b'8'] => digit - b'0',
                _ => return Err(misspelt()),
            };
            let Some(known) = places.get_mut(seat.index()) else {
                return Err(fault(format!("there is no {seat} at a table of {N}")));
            };
            if last >= Some(seat) {
                return Err(fault("list the seats in order, each once".to_owned()));
            }
            (*known, last) = (place, Some(seat));
        }
        Ok(places)
    }

    /// Returns the fault in the list of seats that are out.
    fn wrong_out(&self) -> Option<NotationError> {
        let fault = |fault: String| Some(NotationError::new("out", fault));
        let left = self.seats_in().count();
        if left < 2 {
            return fault("fewer than two seats are left, so the game is already over".to_owned());
        }
        for seat in self.seats_out() {
            let place = self.places[seat.index()];
            let better = self.places.iter().filter(|other| (1..place).contains(*other)).count() + left;
            if usize::from(place) != better + 1 {
                return fault(format!(
                    "{seat} cannot have the place {place}: {better} seats did better or are still in"
                ));
            }
            if self.sharks[seat.index()].has_any() {
                return fault(format!("{seat} has sharks on the board, so it is not out"));
            }
        }
        let is_out = !self.is_in(self.seat);
        is_out.then(|| NotationError::new("seat", format!("{} is out and cannot decide", self.seat)))
    }

    /// Returns a contradiction elsewhere in the position.
    fn contradiction(&self) -> Option<NotationError> {
        match self.phase {
            Phase::Sharks { .. } if self.turns > 0 => Some(NotationError::new("n", PLACING_FAULT)),
            Phase::Second { used } if !(self.animals(self.seat) & S::Cells::only(used)).has_any() => {
                let fault = format!("no animal of {} stands on {}", self.seat, S::named(used));
                Some(NotationError::new("used", fault))
            }
            Phase::Keep { school } if !self.is_in(school) => {
                Some(NotationError::new("school", format!("{school} is out and has no school")))
            }
            Phase::Keep { school } if S::largest(self.fish[school.index()]).is_some() => {
                Some(NotationError::new("phase", KEEP_FAULT))
            }
            // The schools become whole one after the other, starting with the mover's.
            Phase::Keep { school } => {
                let earlier = std::iter::successors(Some(self.seat), |seat| Some(seat.next(N)));
                let mut earlier = earlier.take_while(|seat| *seat != school);
                let is_split = |seat: &Seat| {
                    let fish = self.fish[seat.index()];
                    self.is_in(*seat) && S::largest(fish) != Some(fish)
                };
                let split = earlier.find(is_split)?;
                Some(NotationError::new("school", format!("{split} still has several groups")))
            }
            Phase::Sharks { .. } | Phase::First | Phase::Second { .. } => None,
        }
    }
}
