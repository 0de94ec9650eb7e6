//! Which piece stands where.

use rules::{InHand, Seat};

use crate::Drawing;
use crate::drawing::Hand;

/// A position as far as it is seen: the letter of a piece for every place of a [`Drawing`], `.` where there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    letters: Vec<char>,
    owners: Vec<char>,
}

impl Scene {
    /// Reads a position string of the game that is drawn; where it does not say what stands where, the game's rules are asked.
    /// `None` for a string that does not fit the drawing; whether the position is one by the rules is not looked at.
    #[must_use]
    pub fn of(drawing: &Drawing, position: &str) -> Option<Self> {
        let look = drawing.setup.look()?;
        let placement = drawing.setup.placement(position)?;
        let mut letters = vec!['.'; drawing.places().len()];
        for (place, letter) in letters.iter_mut().zip(&placement.cells) {
            *place = letter.unwrap_or('.');
        }
        for hand in &drawing.hands {
            lay(hand, &placement.hand, letters.get_mut(hand.first..)?)?;
        }
        let owners = placement.emblems(look, drawing.seats);
        let owners = owners.into_iter().map(|letter| letter.unwrap_or('.')).collect();
        Some(Self { letters, owners })
    }

    /// Returns the scene of a board on which nothing stands.
    #[must_use]
    pub fn blank(drawing: &Drawing) -> Self {
        Self { letters: vec!['.'; drawing.places().len()], owners: vec!['.'; drawing.seats] }
    }

    /// Returns the letter of every place.
    #[must_use]
    pub fn letters(&self) -> &[char] {
        &self.letters
    }

    /// Returns the piece that stands for each seat, `p1` first: the colour it plays, or the line it wants; `.` where none does.
    #[must_use]
    pub fn owners(&self) -> &[char] {
        &self.owners
    }

    /// Returns the pieces on the board in words, for those who do not see it: `white: a1, b2; black: c3`.
    #[must_use]
    pub fn words(&self, drawing: &Drawing) -> String {
        let mut words = Vec::new();
        for piece in drawing.pieces() {
            let board = self.letters.iter().zip(drawing.places()).take(drawing.cells());
            let cells: Vec<_> = board
                .filter(|(letter, _)| **letter == piece.letter)
                .map(|(_, place)| place.name.as_str())
                .collect();
            if !cells.is_empty() {
                words.push(format!("{}: {}", piece.name, cells.join(", ")));
            }
        }
        if words.is_empty() { "the board is empty".to_owned() } else { words.join("; ") }
    }
}

/// Lays the letters of a hand on its places, which `places` begin with. Where there are more than places, some of the largest
/// number are left out.
fn lay(hand: &Hand, all: &[InHand], places: &mut [char]) -> Option<()> {
    let is_here = |held: &&InHand| {
        hand.seat.is_none_or(|seat: Seat| held.seat == Some(seat))
            && hand.piece.is_none_or(|piece| held.piece == piece)
    };
    let kinds = || all.iter().filter(is_here).map(|held| (held.piece, (held.count as usize).min(hand.count)));
    if kinds().map(|(_, count)| count).sum::<usize>() <= hand.count {
        return fill(kinds(), places);
    }
    let mut kinds: Vec<_> = kinds().collect();
    while kinds.iter().map(|(_, count)| count).sum::<usize>() > hand.count {
        if let Some((_, count)) = kinds.iter_mut().max_by_key(|(_, count)| *count) {
            *count -= 1;
        }
    }
    fill(kinds.into_iter(), places)
}

/// Puts so many of each letter on places, one after the other. `None` if there are too few places.
fn fill(kinds: impl Iterator<Item = (char, usize)>, mut places: &mut [char]) -> Option<()> {
    for (letter, count) in kinds {
        let (own, others) = places.split_at_mut_checked(count)?;
        own.fill(letter);
        places = others;
    }
    Some(())
}
