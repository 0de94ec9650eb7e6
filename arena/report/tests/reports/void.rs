//! Games that were played again: told of, and counted nowhere.

use record::{Contents, GameResult, Termination};
use report::{Look, RunReport, attempts, report_text, summary_text, void_summary, void_text};

use crate::sample::{cup, files, hostile, summary};

/// Makes a loss on time of these games, by their place, void.
fn with_void(mut contents: Contents, places: &[usize]) -> Contents {
    for place in places {
        let mut game = contents.games[*place].clone();
        (game.result, game.reason) = (GameResult::P2Win, Termination::Timeout);
        game.detail = Some("overran its clock by 90 ms (margin 50 ms) at ply 9 (noisy: waited)".to_owned());
        contents.void.push(game);
    }
    contents
}

#[test]
fn void_games_are_told_of_and_change_no_table() {
    let (plain, void) = (cup(), with_void(cup(), &[6, 3, 6, 7]));
    for ((name, before), (_, after)) in files(&plain).into_iter().zip(files(&void)) {
        assert_eq!(before == after, name != "report.txt", "{name}");
    }
    for text in [report_text, summary_text] {
        let look = Look::plain(100);
        let section = void_text(&RunReport::of(&summary(&void)), &look).expect("a section");
        let title = "\nPlayed again because the machine was late\n\n";
        assert_eq!(
            text(&RunReport::of(&summary(&void)), &look).replace(&format!("{title}{section}"), ""),
            text(&RunReport::of(&summary(&plain)), &look)
        );
    }
    assert!(void_text(&RunReport::of(&summary(&plain)), &Look::plain(80)).is_none());
}

#[test]
fn the_list_has_games_by_number_with_their_attempts() {
    let void = with_void(cup(), &[6, 3, 6, 7]);
    let numbers: Vec<_> = attempts(&summary(&void)).map(|(attempt, game)| (game.number, attempt)).collect();
    assert_eq!(numbers, [(4, 1), (7, 1), (7, 2), (8, 1)]);
    let text = void_text(&RunReport::of(&summary(&void)), &Look::plain(100)).expect("a section");
    assert!(text.contains("4 games of 2 pairs were void and played again"), "{text}");
    let loser = &void.games[3].seats[0].bot;
    let row = text.lines().find(|line| line.starts_with("   4 ")).expect("a row");
    assert!(row.contains(loser.as_str()) && row.contains("overran its clock by 90 ms"), "{text}");
    let one = with_void(cup(), &[0]);
    let text = void_text(&RunReport::of(&summary(&one)), &Look::plain(200)).expect("a section");
    assert!(text.contains("1 game of 1 pair was void"), "{text}");
}

#[test]
fn a_pause_of_the_arena_is_told_of_and_nobody_has_lost() {
    let mut contents = with_void(cup(), &[0]);
    let mut game = contents.void[0].clone();
    (game.number, game.result, game.reason) = (2, GameResult::None, Termination::ArenaError);
    game.detail = Some("the arena itself did not run for 9000 ms while ply 7 was decided".to_owned());
    contents.void.push(game);
    let text = void_text(&RunReport::of(&summary(&contents)), &Look::plain(300)).expect("a section");
    assert!(text.contains("did not run for 9000 ms"), "{text}");
    let words = void_summary(&summary(&contents)).expect("a sentence");
    let causes =
        "for longer than the margin; or the arena itself did not run while a bot was to decide. Void";
    assert!(words.contains(causes), "{words}");
    contents.void.remove(0);
    let words = void_summary(&summary(&contents)).expect("a sentence");
    assert!(words.contains("opening: the arena itself did not run"), "{words}");
}

#[test]
fn hostile_names_of_void_games_reach_no_terminal() {
    let text = void_text(&RunReport::of(&summary(&with_void(hostile(), &[0, 2, 4]))), &Look::plain(80))
        .expect("a section");
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text:?}");
}
