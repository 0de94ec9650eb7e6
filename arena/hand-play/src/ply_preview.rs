//! What a ply does that is not played: the position after it, and what it takes.

use rules::Setup;

/// Returns the position after a ply; `None` where it is not legal.
pub fn position_after(setup: &Setup, position: &str, ply: &str) -> Option<String> {
    let mut referee = setup.referee(Some(position)).ok()?;
    referee.submit(ply).ok()?;
    Some(referee.position())
}

/// Returns the cells of what a ply takes that moves a piece from the cell `from`: where something else stood before than
/// after, file by file.
pub fn cells_taken(setup: &Setup, position: &str, from: &str, ply: &str) -> Vec<String> {
    let cells_of = |position: &str| setup.placement(position).map(|placement| placement.cells);
    let after = position_after(setup, position, ply);
    let board = setup.look().and_then(|look| look.board(setup.options()));
    let (Some(board), Some(before), Some(after)) =
        (board, cells_of(position), after.and_then(|after| cells_of(&after)))
    else {
        return Vec::new();
    };
    let changed = (0..board.cells()).filter(|cell| before[*cell].is_some() && before[*cell] != after[*cell]);
    let mut cells: Vec<_> = changed.map(|cell| board.cell(cell)).collect();
    cells.sort_unstable_by_key(|cell| (cell.file, cell.rank));
    cells.iter().map(ToString::to_string).filter(|cell| cell != from).collect()
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
