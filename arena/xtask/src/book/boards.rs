//! Pictures of boards for the pages of the games.

use std::fs;
use std::path::Path;

use crate::shell::{ChoreError, run};

/// The folder of the pages of the games, one for each game beside their start.
const GAMES: &str = "protocol-spec/games";

/// The folder of the recorded games, one of each game with its usual options among them.
const PLAYTHROUGHS: &str = "protocol-spec/vectors/playthroughs";

/// The most plies before the position in the middle of a game.
const MOST_PLIES: usize = 24;

/// Draws the start of each game and a position within its recorded game, and puts both below the title of its page in the sources.
///
/// # Errors
/// When a page or a recorded game cannot be read, or the executable draws no board.
pub(super) fn draw(arena: &Path, root: &Path, source: &Path) -> Result<(), ChoreError> {
    let folder = source.join(GAMES);
    for entry in fs::read_dir(&folder)? {
        let page = entry?.path();
        let id = page.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if id == "index" || page.extension().is_none_or(|kind| kind != "md") {
            continue;
        }
        let recorded = fs::read_to_string(root.join(PLAYTHROUGHS).join(format!("{id}.txt")))?;
        let plies = plies(&recorded);
        let plies = &plies[..MOST_PLIES.min(plies.len() / 2)];
        let arena = arena.display();
        run(&format!("'{arena}' position {id} --svg {id}-start.svg"), &folder)?;
        run(&format!("'{arena}' position {id} --plies {} --svg {id}-later.svg", plies.join(" ")), &folder)?;
        let text = fs::read_to_string(&page)?;
        let (title, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let count = plies.len();
        let picture = |name: &str, what: &str| {
            format!(
                "<img src=\"{id}-{name}.svg\" alt=\"The board {what}\" title=\"The board {what}\" width=\"320\">"
            )
        };
        let pictures = [
            picture("start", "at the start"),
            picture("later", &format!("after {count} plies of a random game")),
        ];
        fs::write(&page, format!("{title}\n\n<p>{}</p>\n{rest}", pictures.join("\n")))?;
    }
    Ok(())
}

/// Returns the plies of a recorded game: the fifth word of each line that begins with two seats.
fn plies(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| line.starts_with('p') && !line.starts_with("position "));
    lines.filter_map(|line| line.split(' ').nth(4)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_taken_from_a_recorded_game() {
        let text = "game frenzy\noptions max-turns=300\nposition 8/8 p1 n=0\np1 p1 32 24ef86c3394241cb Sc4 8/8 p1 n=0\np2 p2 1 ab b3a2 8/8 p1 n=1\n";
        assert_eq!(plies(text), ["Sc4", "b3a2"]);
    }
}
