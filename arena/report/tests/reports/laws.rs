//! What holds of every journal.

use proptest::prelude::*;
use record::{Contents, GameResult, Termination};
use report::{Look, RunReport, faults_text, report_text, summary_text};

use crate::sample::{Sample, cup, files, hostile, summary};

/// Everything that can be made of a journal for a terminal.
fn texts(contents: &Contents, look: &Look) -> String {
    [summary_text, faults_text, report_text]
        .map(|text| text(&RunReport::of(&summary(contents)), look))
        .concat()
}

fn check_figures(contents: &Contents) {
    let files: Vec<_> = files(contents).into_iter().map(|(_, bytes)| bytes).collect();
    let all = texts(contents, &Look::plain(120)) + &String::from_utf8_lossy(&files.concat());
    for word in all.split(|c: char| !c.is_alphanumeric()) {
        assert!(!["NaN", "inf", "Infinity"].contains(&word), "{all}");
    }
    for line in all.lines() {
        assert!(!line.contains("-0,") && !line.contains("-0.0 "), "{line}");
    }
}

/// A journal of up to 20 pairs between four bots with any results.
fn any_contents() -> impl Strategy<Value = Contents> {
    const BOTS: [&str; 4] = ["a", "b", "c", "d"];
    const RESULTS: [GameResult; 4] =
        [GameResult::P1Win, GameResult::P2Win, GameResult::Draw, GameResult::None];
    let pair = (0..4_usize, 1..4_usize, 0..4_usize, 0..4_usize, 0..3_usize, any::<bool>());
    proptest::collection::vec(pair, 0..20).prop_map(|pairs| {
        let mut sample = Sample::new(&BOTS, &["farook", "sophia"]);
        for (first, step, one, two, fault, is_sophia) in pairs {
            let label = if is_sophia { "sophia" } else { "farook" };
            let second = (first + step) % 4;
            sample.pair(label, BOTS[first], BOTS[second], [RESULTS[one], RESULTS[two]]);
            if fault == 0 {
                sample.last().reason = Termination::FAULTS[step];
            }
            if fault == 1 {
                sample.last().plies.clear();
            }
        }
        sample.contents
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_figure_is_printed_that_is_none(contents in any_contents()) {
        check_figures(&contents);
    }

    #[test]
    fn the_order_of_games_in_a_journal_says_nothing(contents in any_contents(), turn in 0..40_usize) {
        let mut turned = contents.clone();
        turned.games.reverse();
        let middle = turn.min(turned.games.len());
        turned.games.rotate_left(middle);
        prop_assert_eq!(files(&contents), files(&turned));
        prop_assert_eq!(texts(&contents, &Look::plain(80)), texts(&turned, &Look::plain(80)));
    }
}

#[test]
fn numbers_out_of_range_are_left_out() {
    let mut contents = cup();
    contents.games[0].seconds = f64::NAN;
    contents.games[1].seconds = f64::INFINITY;
    contents.games[2].plies[4].us = Some(u64::MAX);
    contents.games[3].plies[4].us = Some(u64::MAX);
    check_figures(&contents);
}

#[test]
fn lines_fit_the_terminal() {
    for contents in [cup(), hostile()] {
        for width in 40..130 {
            let text = texts(&contents, &Look::plain(width));
            for line in text.lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn nothing_that_acts_on_a_terminal_comes_through() {
    let mut contents = hostile();
    contents.runs[0].config.name = "cup\u{1b}]0;title\u{7}".to_owned();
    contents.runs[0].config.format = settings::Recorded::Unknown("round\rrobin".to_owned());
    for game in &mut contents.games {
        game.label = "farook \u{1b}[31m".to_owned();
        game.seats[0].version = "\u{9b}1".to_owned();
        game.seats[0].exit = Some("\u{8}".to_owned());
    }
    let ascii = Look { width: 100, color: false, ascii: true };
    assert!(texts(&contents, &ascii).chars().all(|c| c == '\n' || (' '..='~').contains(&c)));
    for (name, bytes) in files(&contents) {
        let text = String::from_utf8(bytes).expect("the files are UTF-8");
        assert!(!text.contains(|c: char| c != '\n' && c.is_control()), "{name}");
    }
}
