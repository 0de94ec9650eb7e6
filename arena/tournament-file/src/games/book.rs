//! The books in the executable: balanced openings of every game with its usual options.
//!
//! Each was written by `cargo xtask books`, which runs `arena openings` with the settings in its header.

pub mod spread;

use diagnostic::Diagnostic;
use rules::Setup;
use settings::ArenaBook;

/// The book of each game.
const BOOKS: [(&str, &str); 6] = [
    ("farook", include_str!("book/texts/farook.txt")),
    ("faust", include_str!("book/texts/faust.txt")),
    ("frenzy", include_str!("book/texts/frenzy.txt")),
    ("2-frenzy", include_str!("book/texts/2-frenzy.txt")),
    ("sophia", include_str!("book/texts/sophia.txt")),
    ("fanorona", include_str!("book/texts/fanorona.txt")),
];

/// Returns the book of a game.
///
/// # Errors
/// When it has none: other options make other games.
pub fn standard(setup: &Setup) -> Result<&'static str, Diagnostic> {
    let id = setup.game().id;
    let book = BOOKS.iter().find(|(game, _)| *game == id && setup.changed_options().is_empty());
    book.map(|(_, text)| *text).ok_or_else(|| {
        let game = crate::game_words::typed(setup);
        let hint = format!(
            "write `turns: 2`, or make a book: `arena openings {game} --turns 4 --count 200 --balance alphabeta \
             --nodes 2000 --max-score 50 -o FILE`"
        );
        Diagnostic::new(format!("there is no book `{}` of {}", ArenaBook::Standard, setup.label())).hint(hint)
    })
}

#[cfg(test)]
mod tests {
    use runner::Book;

    use super::*;
    use crate::games::book::spread;

    #[test]
    fn every_game_has_a_book_of_legal_different_undecided_openings() {
        for game in rules::GAMES {
            let setup = game.setup(&[]).unwrap();
            let book = Book::read(&setup, standard(&setup).unwrap()).unwrap();
            assert_eq!(book.doubled, [], "{}", game.id);
            assert!(book.openings.len() >= 200, "{}: {}", game.id, book.openings.len());
            assert!(book.openings.iter().all(|opening| opening.start.is_none()), "{}", game.id);
        }
    }

    #[test]
    fn the_headers_are_true() {
        for game in rules::GAMES {
            let setup = game.setup(&[]).unwrap();
            let text = standard(&setup).unwrap();
            let book = Book::read(&setup, text).unwrap();
            let value = |key: &str| book.value(key).unwrap_or_else(|| panic!("{}: no {key}", game.id));
            assert_eq!(value("game"), setup.label());
            assert_eq!(value("openings"), book.openings.len().to_string());
            assert!(value("balanced-by").ends_with(" alphabeta") && value("limits").starts_with("nodes "));
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            let scores: Vec<i64> =
                lines.map(|line| line.split_once('#').unwrap().1.trim().parse().unwrap()).collect();
            let most: u32 = value("max-score").parse().unwrap();
            let around: i64 = book.value("around").map_or(0, |around| around.parse().unwrap());
            assert!(
                scores.iter().all(|score| (score - around).unsigned_abs() <= u64::from(most)),
                "{}",
                game.id
            );
            let header: Vec<_> = text.lines().take_while(|line| line.starts_with('#')).collect();
            let told = spread::lines(&scores, around, most);
            assert!(header.windows(told.len()).any(|window| window == told), "{}: {told:#?}", game.id);
            assert!(value("looked-at").parse::<usize>().unwrap() >= book.openings.len());
        }
    }

    #[test]
    fn other_options_have_no_book() {
        let setup = rules::find("fanorona").unwrap().setup(&[("size", "5x5")]).unwrap();
        let told = standard(&setup).unwrap_err();
        assert!(format!("{told:?}").contains("no book `standard` of fanorona size=5x5"));
    }
}
