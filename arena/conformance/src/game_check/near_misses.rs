//! Strings that are nearly right: what a careless reader takes for a position, or a careless referee for a ply.

use std::collections::BTreeSet;

use rules::Dice;

/// Words that are never legal where they are not listed.
const FOREIGN: [&str; 6] = ["pass", "swap", "0000", "a0", "-", "resign"];

/// How often a change is tried for each string that is wanted.
const ATTEMPTS: usize = 4;

/// Returns up to `count` strings that differ a little from a position string.
pub(super) fn positions(position: &str, dice: &mut Dice, count: usize) -> BTreeSet<String> {
    let mut misses = BTreeSet::new();
    for _ in 0..count * ATTEMPTS {
        if misses.len() == count {
            break;
        }
        let miss = changed(position, dice);
        // What stands behind the word `moves` is no position.
        let has_words = !miss.split(' ').any(|word| word.is_empty() || word == "moves");
        if miss != position && has_words && !miss.contains(';') {
            misses.insert(miss);
        }
    }
    misses
}

/// Returns up to `count` words that are not legal: plies of other positions, and legal ones with a change.
pub(super) fn plies(legal: &[String], others: &[String], dice: &mut Dice, count: usize) -> BTreeSet<String> {
    let mut misses: BTreeSet<String> = BTreeSet::new();
    for _ in 0..count * ATTEMPTS {
        if misses.len() == count {
            break;
        }
        let from = if legal.is_empty() { others } else { legal };
        let miss = match dice.below(4) {
            0 => FOREIGN[dice.below(FOREIGN.len())].to_owned(),
            1 if !others.is_empty() => others[dice.below(others.len())].clone(),
            _ if !from.is_empty() => changed(&from[dice.below(from.len())], dice),
            _ => continue,
        };
        let is_word = !miss.is_empty() && !miss.contains([' ', ';']);
        if is_word && !legal.contains(&miss) {
            misses.insert(miss);
        }
    }
    misses
}

/// Returns a text with one small change.
fn changed(text: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    if letters.is_empty() {
        return String::new();
    }
    let at = dice.below(letters.len());
    let letter = letters[at];
    match dice.below(11) {
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, letter),
        2 if letter.is_ascii_lowercase() => letters[at] = letter.to_ascii_uppercase(),
        2 | 3 => letters[at] = letter.to_ascii_lowercase(),
        4 => letters[at] = neighbour(letter, 1),
        5 => letters[at] = neighbour(letter, -1),
        6 => {
            // A number with a zero or a sign in front.
            let numbers: Vec<_> = (0..letters.len())
                .filter(|i| letters[*i].is_ascii_digit() && (*i == 0 || !letters[i - 1].is_ascii_digit()))
                .collect();
            if !numbers.is_empty() {
                let sign = if dice.below(2) == 0 { '0' } else { '+' };
                letters.insert(numbers[dice.below(numbers.len())], sign);
            }
        }
        7 => {
            // A run of empty cells in two parts.
            let runs: Vec<_> = (0..letters.len()).filter(|i| matches!(letters[*i], '2'..='9')).collect();
            if !runs.is_empty() {
                let run = runs[dice.below(runs.len())];
                letters[run] = neighbour(letters[run], -1);
                letters.insert(run, '1');
            }
        }
        8 => letters.swap(at, (at + 1) % text.chars().count()),
        9 => letters.extend([' ', letter]),
        _ => {
            let mut words: Vec<_> = text.split(' ').collect();
            words.pop();
            return words.join(" ");
        }
    }
    letters.into_iter().collect()
}

/// Returns the letter or digit that follows or precedes.
fn neighbour(letter: char, step: i8) -> char {
    if !letter.is_ascii_alphanumeric() {
        return letter;
    }
    let byte = (letter as u8).wrapping_add_signed(step);
    if byte.is_ascii_alphanumeric() { char::from(byte) } else { letter }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_words_and_none_of_them_is_right() {
        let mut dice = Dice::new(1);
        let position = "b2w/19/3k p1 n=12";
        let misses = positions(position, &mut dice, 200);
        assert!(misses.len() > 50, "{misses:?}");
        assert!(!misses.contains(position));
        for part in ["b11w", "n=012"] {
            assert!(misses.iter().any(|miss| miss.contains(part)), "{part}: {misses:?}");
        }
        let legal = ["a1".to_owned(), "b2".to_owned()];
        let misses = plies(&legal, &["c3".to_owned()], &mut dice, 30);
        assert!(misses.contains("c3") && misses.contains("pass"), "{misses:?}");
        assert!(legal.iter().all(|ply| !misses.contains(ply)));
    }
}
