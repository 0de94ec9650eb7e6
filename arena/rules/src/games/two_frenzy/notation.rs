//! The position strings of 2-Frenzy.

use std::fmt;

use super::{Phase, TwoFrenzy};
use crate::games::school::ply::{KEEP_FAULT, PLACING_FAULT, unknown_phase};
use crate::games::school::{BOARD, largest, named, only};
use crate::{Fields, NotationError, TwoFrenzyOptions};

impl fmt::Display for TwoFrenzy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BOARD.write_rows(f, |cell| {
            let letters = [(self.fish[0], b'F'), (self.fish[1], b'f'), (self.sharks[0], b'S')];
            let letters = letters.into_iter().chain([(self.sharks[1], b's')]);
            letters.into_iter().find(|(set, _)| set & only(cell as u8) != 0).map(|(_, letter)| letter)
        })?;
        write!(f, " {} ", self.seat)?;
        match self.phase {
            Phase::Sharks { left } => write!(f, "phase=sharks left={left} used=-")?,
            Phase::First => f.write_str("phase=play left=2 used=-")?,
            Phase::Second { used } => write!(f, "phase=play left=1 used={}", named(used))?,
            Phase::Keep { school } => write!(f, "phase=keep left=0 used=- school={school}")?,
        }
        write!(f, " n={}", self.turns)
    }
}

impl TwoFrenzy {
    /// Reads a position string: see [`crate::Position::read`].
    pub(super) fn from_notation(options: &TwoFrenzyOptions, text: &str) -> Result<Self, NotationError> {
        let mut fields = Fields::of(text);
        let (fish, sharks) = Self::read_animals(fields.rows()?)?;
        let seat = fields.seat()?;
        let phase = Self::read_phase(&mut fields)?;
        let turns = fields.number("n", u32::MAX)?;
        fields.end()?;
        let position =
            Self { fish, sharks, are_whole: [false; 2], seat, phase, turns, max_turns: options.max_turns() };
        position.contradiction().map_or(Ok(position), Err)
    }

    fn read_animals(rows: &str) -> Result<([u64; 2], [u64; 2]), NotationError> {
        let (mut fish, mut sharks) = ([0; 2], [0; 2]);
        BOARD.read_rows(rows, |cell, letter| {
            let set = match letter {
                b'F' => &mut fish[0],
                b'f' => &mut fish[1],
                b'S' => &mut sharks[0],
                b's' => &mut sharks[1],
                _ => return false,
            };
            *set |= only(cell as u8);
            true
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
            ("play", 1) => match BOARD.read_cell(used) {
                Some(cell) => return Ok(Phase::Second { used: cell as u8 }),
                None => return Err(NotationError::new("used", "not the cell of the animal that has moved")),
            },
            ("play", _) => return Err(NotationError::new("left", "1 or 2 plies are left to play")),
            ("keep", 0) => Phase::Keep { school: fields.seat_value("school", 2)? },
            ("keep", _) => return Err(NotationError::new("left", "0 plies are left at the end of a turn")),
            (other, _) => return Err(unknown_phase(other)),
        };
        if used != "-" {
            return Err(NotationError::new("used", "write `-` if no animal has moved this turn"));
        }
        Ok(phase)
    }

    /// Returns a contradiction in the position.
    fn contradiction(&self) -> Option<NotationError> {
        let own = self.seat.index();
        match self.phase {
            Phase::Sharks { .. } if self.turns > 0 => Some(NotationError::new("n", PLACING_FAULT)),
            Phase::Second { used } if self.animals(self.seat) & only(used) == 0 => {
                let fault = format!("no animal of {} stands on {}", self.seat, named(used));
                Some(NotationError::new("used", fault))
            }
            Phase::Keep { school } if largest(self.fish[school.index()]).is_some() => {
                Some(NotationError::new("phase", KEEP_FAULT))
            }
            // The mover's school becomes whole before the other one.
            Phase::Keep { school }
                if school != self.seat && largest(self.fish[own]) != Some(self.fish[own]) =>
            {
                Some(NotationError::new("school", format!("{} still has several groups", self.seat)))
            }
            Phase::Sharks { .. } | Phase::First | Phase::Second { .. } | Phase::Keep { .. } => None,
        }
    }
}
