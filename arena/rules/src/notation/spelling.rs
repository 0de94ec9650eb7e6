//! Guesses the ply that a misspelled token means.

use crate::{Position, Rejection};

/// Tokens longer than this are not compared with plies.
const LONGEST: usize = 64;

/// Rejects a token that is not spelled like a ply of the game. The message names the legal ply that it seems to mean, or else
/// `forms`, which says how plies are spelled.
pub(crate) fn misspelt<P: Position>(position: &P, token: &str, forms: &str) -> Rejection {
    Rejection::NotAPly(match meant(position, token) {
        Some(ply) => format!("not a ply of this game, did you mean {ply}?"),
        None => format!("not a ply of this game: {forms}"),
    })
}

/// Returns the only legal ply whose spelling differs from `token` in case and signs alone, or else in one additional letter at
/// the front.
fn meant<P: Position>(position: &P, token: &str) -> Option<P::Ply> {
    if token.len() > LONGEST {
        return None;
    }
    let bare = bare(token);
    let without_first = bare.get(1..).filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
    only(position, &bare).or_else(|| only(position, without_first?))
}

fn only<P: Position>(position: &P, name: &str) -> Option<P::Ply> {
    let (mut found, mut count) = (None, 0);
    position.legal_plies(&mut |ply| {
        if bare(&ply.to_string()) == name {
            found = Some(ply);
            count += 1;
        }
    });
    found.filter(|_| count == 1)
}

/// Returns the letters and digits in lower case, without the `x` of captures.
fn bare(token: &str) -> String {
    let letters = token.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase());
    letters.filter(|letter| *letter != 'x').collect()
}
