//! Which piece stands where.

use crate::Drawing;
use crate::looks::{Keeper, Owners};

/// A position as far as it is seen: the letter of a piece for every place of a [`Drawing`], `.` where there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    letters: Vec<char>,
    owners: [char; 2],
}

impl Scene {
    /// Reads a position string of the game that is drawn. `None` for a string whose rows or stock do not fit it;
    /// whether the position is one by the rules is not looked at.
    #[must_use]
    pub fn of(drawing: &Drawing, position: &str) -> Option<Self> {
        let (rows, keys) = position.split_once(' ')?;
        let mut letters = vec!['.'; drawing.places().len()];
        let pieces = drawing.pieces();
        drawing
            .board()
            .read_rows(rows, |cell, letter| {
                letters[cell] = char::from(letter);
                pieces.iter().any(|piece| piece.letter == char::from(letter))
            })
            .ok()?;
        let key = |name: &str| keys.split(' ').find_map(|key| key.strip_prefix(name));
        let sets = key("c=").unwrap_or_default();
        let mut counts = key("stock=").unwrap_or_default().split(',');
        for hand in &drawing.hands {
            let count: usize = counts.next()?.parse().ok()?;
            let keeper = match hand.stock.of {
                Keeper::Seat(_) | Keeper::Common => 0,
                Keeper::Set(letter) => usize::from(!sets.starts_with(letter)),
            };
            let places = letters.get_mut(hand.first[keeper]..hand.first[keeper] + count.min(hand.count))?;
            places.fill(hand.stock.letter);
        }
        let owners = match drawing.look.owners {
            Owners::Fixed(owners) => owners,
            Owners::ByKey { first, pieces: [one, two] } if sets.starts_with(first) => [one, two],
            Owners::ByKey { pieces: [one, two], .. } => [two, one],
        };
        Some(Self { letters, owners })
    }

    /// Returns the letter of every place.
    #[must_use]
    pub fn letters(&self) -> &[char] {
        &self.letters
    }

    /// Returns the piece that stands for each seat, `p1` first: the colour it plays, or the line it wants.
    #[must_use]
    pub fn owners(&self) -> [char; 2] {
        self.owners
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
