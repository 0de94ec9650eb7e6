//! The pieces of a game: the shape, colour and owner of each.

use crate::Seat;

/// A piece of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceLook {
    /// Its letter.
    pub letter: char,
    /// The shape.
    pub shape: PieceShape,
    /// The colour.
    pub colour: PieceColour,
    /// The name.
    pub name: String,
    /// The name next to its seat's name; empty if it is not listed there.
    pub short_name: String,
    /// The owner.
    pub owner: PieceOwner,
    /// Whether it represents its owner in lists of names: the colour that a seat plays, or the line that it wants.
    pub is_emblem: bool,
}

/// The shape of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PieceShape {
    /// A flat disc with the other colour on its underside.
    Disc,
    /// A round stone.
    Stone,
    /// A cut stone.
    Gem,
    /// A round stone with a ring.
    Coin,
    /// A round stone half light, half dark.
    HalfCoin,
    /// A square stone with a border.
    Tile,
    /// A square stone half light, half dark.
    HalfTile,
    /// A fish.
    Fish,
    /// A shark.
    Shark,
    /// A disc with the letter of the piece.
    Letter,
    /// A king, as in chess.
    King,
    /// A queen.
    Queen,
    /// A rook.
    Rook,
    /// A bishop.
    Bishop,
    /// A knight.
    Knight,
    /// A pawn.
    Pawn,
    /// A ring.
    Ring,
    /// Two crossed bars.
    Cross,
}

impl PieceShape {
    /// Every shape with its name.
    pub const ALL: [(Self, &'static str); 18] = [
        (Self::Disc, "disc"),
        (Self::Stone, "stone"),
        (Self::Gem, "gem"),
        (Self::Coin, "coin"),
        (Self::HalfCoin, "half-coin"),
        (Self::Tile, "tile"),
        (Self::HalfTile, "half-tile"),
        (Self::Fish, "fish"),
        (Self::Shark, "shark"),
        (Self::Letter, "letter"),
        (Self::King, "king"),
        (Self::Queen, "queen"),
        (Self::Rook, "rook"),
        (Self::Bishop, "bishop"),
        (Self::Knight, "knight"),
        (Self::Pawn, "pawn"),
        (Self::Ring, "ring"),
        (Self::Cross, "cross"),
    ];

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let known = Self::ALL.iter().find(|(shape, _)| *shape == self);
        known.map(|(_, name)| *name).expect("every shape has a name")
    }
}

/// The colour of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PieceColour {
    /// A colour by its name, one of [`PieceColour::NAMES`].
    Named(&'static str),
    /// A colour by its red, green and blue.
    Rgb([u8; 3]),
}

impl PieceColour {
    /// The names of colours.
    pub const NAMES: [&'static str; 10] =
        ["black", "white", "red", "blue", "green", "yellow", "grey", "brown", "orange", "purple"];

    /// Reads the name of a colour, or `#` and six digits.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        if let Some(name) = Self::NAMES.iter().find(|name| **name == text) {
            return Some(Self::Named(name));
        }
        let digits = text
            .strip_prefix('#')
            .filter(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        let [_, red, green, blue] = number.to_be_bytes();
        Some(Self::Rgb([red, green, blue]))
    }
}

/// The owner of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceOwner {
    /// This seat.
    Seat(Seat),
    /// The seat with this letter in the key `c` of the position string. The first letter there is that of `p1`.
    Colour(char),
    /// No seat.
    Nobody,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_names_or_six_digits() {
        assert_eq!(PieceColour::read("grey"), Some(PieceColour::Named("grey")));
        assert_eq!(PieceColour::read("#0aF1ff"), Some(PieceColour::Rgb([10, 241, 255])));
        for bad in ["", "pink", "Grey", "#fff", "#12345g", "#1234567", "123456", "#+12345", "#é1234"] {
            assert_eq!(PieceColour::read(bad), None, "{bad}");
        }
    }
}
