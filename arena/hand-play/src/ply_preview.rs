//! What a ply does that is not played: the position after it, and what it takes.

use rules::{Diagram, Setup};

/// Returns the position after a ply; `None` where it is not legal.
pub fn position_after(setup: &Setup, position: &str, ply: &str) -> Option<String> {
    let mut referee = setup.referee(Some(position)).ok()?;
    referee.submit(ply).ok()?;
    Some(referee.position())
}

/// Returns the cells of what a ply takes that moves a piece from the cell `from`: where something else stood before than
/// after, file by file.
pub fn cells_taken(setup: &Setup, position: &str, from: &str, ply: &str) -> Vec<String> {
    let after = position_after(setup, position, ply);
    let (Some(before), Some(after)) =
        (Diagram::parse(position), after.and_then(|after| Diagram::parse(&after)))
    else {
        return Vec::new();
    };
    let mut cells = Vec::new();
    for file in 0..before.files() {
        for (index, rank) in (1..=before.ranks()).rev().enumerate() {
            let (old, new) = (before.rows[index][file], after.rows[index][file]);
            let cell = format!("{}{rank}", char::from(b'a' + file as u8));
            if old != '.' && old != new && cell != from {
                cells.push(cell);
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_chain_takes_is_named_even_where_the_stone_has_come_to_stand_there() {
        let setup = rules::find("fanorona").unwrap().setup(&[]).unwrap();
        let from = "4b4/1b1b5/2b1w4/9/8b p1 quiet=3";
        assert_eq!(cells_taken(&setup, from, "e3", "e3d3+d2-c3+"), ["b4", "c3", "d4"]);
        assert_eq!(cells_taken(&setup, from, "e3", "e3a1"), Vec::<String>::new());
    }
}
