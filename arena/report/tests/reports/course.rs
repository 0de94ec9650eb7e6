//! How ratings went.

use report::{Tally, course};

use crate::sample::{cup, summary};

#[test]
fn the_last_point_is_the_table() {
    let contents = cup();
    let summary = summary(&contents);
    let tally = Tally::of(&summary);
    let course = course(&tally, None, 3);
    assert_eq!(course.points.len(), 3);
    let table = tally.standings(None);
    let (games, ratings) = course.points.last().expect("a point");
    assert_eq!(*games, table.games);
    for row in &table.rows {
        let place = course.players.iter().position(|player| *player == row.player).expect("a player");
        assert_eq!(ratings[place], row.elo);
    }
}

#[test]
fn a_game_that_was_not_played_has_no_course() {
    assert!(course(&Tally::of(&summary(&cup())), Some("chess"), 9).points.is_empty());
}

#[test]
fn the_meetings_of_two_rows_mirror_each_other() {
    let table = Tally::of(&summary(&cup())).standings(None).clone();
    for (one, two) in table.rows.iter().zip(&table.rows[1..]) {
        let (here, there) = (table.meetings(one, two), table.meetings(two, one));
        assert_eq!((here.wins, here.draws, here.losses), (there.losses, there.draws, there.wins));
    }
}
