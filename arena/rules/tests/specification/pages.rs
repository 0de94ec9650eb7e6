//! The rules pages, `protocol-spec/games/GAME.md`: their examples are run, their tables of options and drawn boards
//! compared.

use rules::GAMES;

use crate::script::{Script, run};
use crate::{read, specification};

#[test]
fn the_examples_of_the_rules_pages_hold() {
    let mut faults = Vec::new();
    for game in GAMES {
        let path = specification(&format!("games/{}.md", game.id));
        let text = read(&path);
        let examples = examples(&text);
        assert!(!examples.is_empty(), "{} has no examples", path.display());
        // Every example stands for itself: it begins with the defaults and the start of the game.
        for example in examples {
            run(&mut Script::new(game), &path, example, &mut faults);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_rules_pages_name_every_option_with_its_default_and_values() {
    for game in GAMES {
        let path = specification(&format!("games/{}.md", game.id));
        let text = read(&path);
        for option in game.options {
            let row = format!("| `{}` |", option.name);
            let row = text.lines().find(|line| line.starts_with(&row));
            let row = row.unwrap_or_else(|| panic!("{}: no row for `{}`", path.display(), option.name));
            let cells: Vec<_> = row.split('|').map(str::trim).collect();
            assert!(cells[2].contains(option.default), "{row}: the default is {}", option.default);
            let values = option.values.to_string();
            for value in values.split('|').flat_map(|value| value.split("..")) {
                assert!(cells[3].contains(value), "{row}: {value} is missing");
            }
        }
    }
}

#[test]
fn the_rules_pages_say_which_symmetries_there_are() {
    for game in GAMES {
        let path = specification(&format!("games/{}.md", game.id));
        let section = read(&path);
        let section = section.split("\n## Symmetries\n").nth(1).and_then(|rest| rest.split("\n## ").next());
        assert!(
            section.is_some_and(|text| text.contains("in all") || text.contains("is none")),
            "{}",
            game.id
        );
    }
}

#[test]
fn the_boards_that_the_rules_pages_draw_are_those_of_their_examples() {
    for game in GAMES {
        let path = specification(&format!("games/{}.md", game.id));
        let text = read(&path);
        for drawing in drawings(&text) {
            assert!(text.contains(&drawing), "{}: no example has the drawn board {drawing}", path.display());
        }
    }
}

/// Returns the blocks of a page that begin with the line of three backticks and `vectors`, their lines numbered.
fn examples(page: &str) -> Vec<Vec<(usize, &str)>> {
    let mut blocks = Vec::new();
    let mut block = None;
    for (number, line) in (1..).zip(page.lines()) {
        match (&mut block, line) {
            (None, "```vectors") => block = Some(Vec::new()),
            (Some(_), "```") => blocks.extend(block.take()),
            (Some(lines), line) => lines.push((number, line)),
            (None, _) => {}
        }
    }
    assert_eq!(block, None, "a block is not closed");
    blocks
}

/// Returns the rows of a position string for every drawn board: a block `text` whose lines are the number of a
/// rank and its cells, `.` for an empty one, with the letters of the files below.
fn drawings(page: &str) -> Vec<String> {
    let mut drawings = Vec::new();
    for block in page.split("```text\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        let rows = block.lines().filter_map(|line| {
            let mut cells = line.split_whitespace();
            cells.next()?.parse::<u8>().ok()?;
            Some(cells.collect::<String>())
        });
        let rows: Vec<_> = rows.map(|cells| packed(&cells)).collect();
        if !rows.is_empty() {
            drawings.push(rows.join("/"));
        }
    }
    drawings
}

/// Writes the empty cells of a row as numbers.
fn packed(cells: &str) -> String {
    let mut row = String::new();
    let mut empty = 0;
    for cell in cells.chars().chain(['\n']) {
        if cell == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            row.push_str(&empty.to_string());
            empty = 0;
        }
        row.push(cell);
    }
    row.trim_end().to_owned()
}
