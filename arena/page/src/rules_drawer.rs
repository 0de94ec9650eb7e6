//! The rules of games in a drawer beside a board, with their diagrams drawn.

use board::{Drawing, Scene};
use rulebook::Rulebook;
use rules::GameRef;

/// Returns the drawer with the rules of these games, hidden until a script shows one; empty where none has rules. The page
/// around it has the symbols of the pieces.
pub(crate) fn drawer(games: impl Iterator<Item = GameRef>) -> String {
    let parts: String = games.filter_map(|game| rules_of(&game)).collect();
    if parts.is_empty() {
        return parts;
    }
    format!(
        "<aside id=\"rules\" class=\"drawer card\" hidden><button type=\"button\" id=\"rules-close\">Close the rules</button>\
         <div class=\"drawer-text\" tabindex=\"0\" role=\"group\" aria-label=\"Text of the rules\">{parts}</div></aside>"
    )
}

fn rules_of(game: &GameRef) -> Option<String> {
    let html = Rulebook::of(game)?.to_html(&|text| diagram(game, text));
    Some(format!("<article data-rules=\"{}\" hidden><h2>{}</h2>{html}</article>", game.id, game.title))
}

/// Draws a board that is written as text: a rank in each line, from the top one, and the files below.
fn diagram(game: &GameRef, text: &str) -> Option<String> {
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let (files, ranks) = lines.split_last()?;
    if ranks.is_empty() || files.split_whitespace().next() != Some("a") {
        return None;
    }
    let cells: Vec<Vec<&str>> = ranks.iter().map(|rank| rank.split_whitespace().skip(1).collect()).collect();
    let width = cells.first()?.len();
    if cells.iter().any(|rank| rank.len() != width) {
        return None;
    }
    let rows: Vec<_> = cells.iter().map(|rank| row(rank)).collect();
    let (square, both) = (width.to_string(), format!("{width}x{}", cells.len()));
    // The size that fits the diagram: the usual one, or an option.
    let sizes: [&[(&str, &str)]; 3] = [&[], &[("size", &square)], &[("size", &both)]];
    sizes.iter().find_map(|options| {
        let setup = game.setup(options).ok()?;
        let start = setup.referee(None).ok()?.position();
        let (_, keys) = start.split_once(' ')?;
        let drawing = Drawing::of(&setup)?;
        let scene = Scene::of(&drawing, &format!("{} {keys}", rows.join("/")))?;
        Some(drawn(&drawing, &scene))
    })
}

/// Writes a rank of a board as position strings do.
fn row(cells: &[&str]) -> String {
    let (mut row, mut empty) = (String::new(), 0);
    for cell in cells.iter().chain([&""]) {
        if *cell == "." {
            empty += 1;
            continue;
        }
        if empty > 0 {
            row += &empty.to_string();
            empty = 0;
        }
        row += cell;
    }
    row
}

fn drawn(drawing: &Drawing, scene: &Scene) -> String {
    let (width, height) = drawing.size();
    let mut pieces = String::new();
    // What lies beside the board is not part of a diagram.
    for (letter, place) in scene.letters().iter().zip(&drawing.places()[..drawing.cells()]) {
        if let Some(piece) = drawing.pieces().iter().find(|piece| piece.letter == *letter) {
            pieces += &format!(
                "<use href=\"#{}\" transform=\"translate({:.0} {:.0})\"/>",
                piece.symbol, place.x, place.y
            );
        }
    }
    // The page around it may have no other board of the game.
    let own: String = drawing.own_symbols().values().map(String::as_str).collect();
    let own = if own.is_empty() { own } else { format!("<defs>{own}</defs>") };
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" class=\"{}\" role=\"img\" aria-label=\"Diagram: {}\">{own}{}{pieces}</svg>",
        drawing.class(),
        scene.words(drawing).replace(['"', '<', '&'], ""),
        drawing.background()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_its_rules_and_boards_are_drawn() {
        let html = drawer(rules::GAMES.iter().map(GameRef::BuiltIn));
        for game in rules::GAMES {
            assert!(
                html.contains(&format!("<article data-rules=\"{}\" hidden><h2>{}</h2>", game.id, game.title))
            );
        }
        // The starts of Frenzy and Fanorona.
        assert_eq!(html.matches("<div class=\"diagram\"><svg ").count(), 2, "{html}");
        assert!(!html.contains("<a ") && !html.contains("<script") && !html.contains(" style="));
    }

    #[test]
    fn what_is_no_board_stays_text() {
        let game = &GameRef::BuiltIn(rules::find("faust").expect("a game"));
        assert_eq!(diagram(game, ".  b  w  .\nb  w  b  w\n.  b  w  ."), None);
        assert_eq!(diagram(game, "words"), None);
        assert!(diagram(game, "2  b .\n1  . w\n   a b").is_some_and(|svg| svg.contains("#disc")));
    }
}
