//! The tables of `protocol-spec/vectors/perft/`: how many lines there are from positions in which special rules
//! bite. `protocol-spec/vectors/README.md` describes the format; `cargo xtask bless` counts anew.

use std::fmt::Write as _;

use rules::{GAMES, Game};

use crate::golden::compare;
use crate::{read, specification};

/// Counts a line `OPTIONS; POSITION; D1 COUNT; D2 COUNT …` anew; the counts that stand there are not looked at.
fn recount(game: &'static Game, line: &str) -> Result<String, String> {
    let mut fields = line.split(';').map(str::trim);
    let (options, position) = (fields.next().unwrap_or_default(), fields.next().ok_or("no position")?);
    let pairs: Option<Vec<_>> = match options {
        "-" => Some(Vec::new()),
        options => options.split(' ').map(|pair| pair.split_once('=')).collect(),
    };
    let setup =
        game.setup(&pairs.ok_or("options are `-` or `key=value`")?).map_err(|error| error.to_string())?;
    let mut text = format!("{options}; {position}");
    let mut deepest = 0;
    for field in fields {
        let depth = field.split(' ').next().and_then(|depth| depth.strip_prefix('D'));
        let depth: u32 = depth.and_then(|depth| depth.parse().ok()).ok_or("no depth such as `D3`")?;
        if depth != deepest + 1 {
            return Err(format!("D{depth} comes after D{deepest}"));
        }
        deepest = depth;
        let count = setup.perft(Some(position), depth).map_err(|error| error.to_string())?;
        let _ = write!(text, "; D{depth} {count}");
    }
    if deepest == 0 { Err("no counts".to_owned()) } else { Ok(text) }
}

#[test]
fn the_tables_of_every_game_hold() {
    let mut faults = Vec::new();
    for game in GAMES {
        let path = specification(&format!("vectors/perft/{}.txt", game.id));
        let table = read(&path);
        let mut text = String::new();
        let mut has_start = false;
        for (number, line) in (1..).zip(table.lines()) {
            let counted = match line.is_empty() || line.starts_with('#') {
                true => Ok(line.to_owned()),
                false => recount(game, line),
            };
            let start = game.setup(&[]).expect("defaults").referee(None).expect("the start").position();
            has_start |= line.starts_with(&format!("-; {start}; D1"));
            match counted {
                Ok(line) => text = text + &line + "\n",
                Err(fault) => faults.push(format!("{}:{number}: {fault}", path.display())),
            }
        }
        assert!(has_start, "{}: the start is missing", path.display());
        faults.extend(compare(&path, &text).err());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
