//! The plies of a game as `position` lists them.

/// The plies of a game in one text, each after a space: the part of a `position` line after `moves`.
///
/// ```
/// let mut moves = protocol::Moves::new();
/// moves.push("c4");
/// moves.push("Wb2");
/// assert_eq!((moves.as_str(), moves.len()), (" c4 Wb2", 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    text: String,
    count: usize,
}

impl Moves {
    /// Returns an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self { text: String::new(), count: 0 }
    }

    /// Adds a ply, which must not contain a space.
    pub fn push(&mut self, ply: &str) {
        self.text.push(' ');
        self.text.push_str(ply);
        self.count += 1;
    }

    /// Returns how many plies there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether the first plies are those of `earlier`.
    #[must_use]
    pub fn starts_with(&self, earlier: &Self) -> bool {
        let rest = self.text.strip_prefix(&earlier.text);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    }
}

impl<T: AsRef<str>> FromIterator<T> for Moves {
    fn from_iter<I: IntoIterator<Item = T>>(plies: I) -> Self {
        let mut moves = Self::new();
        plies.into_iter().for_each(|ply| moves.push(ply.as_ref()));
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_starts_with_what_was_played_before() {
        let game: Moves = ["a1", "a1b1", "c2"].into_iter().collect();
        let check =
            |plies: &[&str], expected| assert_eq!(game.starts_with(&plies.iter().collect()), expected);
        check(&[], true);
        check(&["a1"], true);
        check(&["a1", "a1"], false);
        check(&["a1", "a1b1", "c2"], true);
        check(&["a1", "a1b1", "c2", "c3"], false);
        check(&["a1b1"], false);
    }
}
