//! Texts that are almost right, for the laws of the built-in games and of those that are shipped (`arena/own-games/tests`).

/// The letters, digits and signs of all games, and some of none.
const LETTERS: &str = "abcdefghiABCDEFKLPQSWknpqrsfwxy0123456789-+=:#_/, é\u{0};";

/// Returns a text in which one or two characters were changed, added, taken or exchanged. `below` returns a number that is less than
/// its argument, by lot.
pub(crate) fn tamper(text: &str, mut below: impl FnMut(usize) -> usize) -> String {
    let letters: Vec<char> = LETTERS.chars().collect();
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=below(2) {
        let place = below(chars.len() + 1);
        let letter = letters[below(letters.len())];
        match below(4) {
            0 => chars.insert(place, letter),
            1 if place < chars.len() => drop(chars.remove(place)),
            2 if place + 1 < chars.len() => chars.swap(place, place + 1),
            _ if place < chars.len() => chars[place] = letter,
            _ => {}
        }
    }
    chars.into_iter().collect()
}
