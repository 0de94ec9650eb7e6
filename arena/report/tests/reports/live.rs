//! What is shown while a run goes on.

use std::collections::BTreeMap;

use record::{Contents, Termination};
use report::{Look, RunReport, Tally, report_text, summary_text};

use crate::sample::{Sample, cup, summary};

/// The cup with every pairing in rounds of its own, of which so many are asked for.
fn rounds(asked: u32) -> Contents {
    let mut contents = cup();
    let mut met: BTreeMap<(String, Vec<String>), u32> = BTreeMap::new();
    for pair in contents.games.chunks_mut(2) {
        let mut bots: Vec<String> = pair[0].seats.iter().map(|seat| seat.bot.clone()).collect();
        bots.sort();
        let round = met.entry((pair[0].label.clone(), bots)).or_default();
        *round += 1;
        pair.iter_mut().for_each(|game| game.round = *round);
    }
    contents.runs[0].config.rounds = asked;
    contents
}

fn any_time(contents: &Contents) -> Vec<String> {
    let standings = Tally::of(&summary(contents)).standings(None).clone();
    standings.rows.iter().map(|row| format!("{} {:?}", row.label, row.any_time)).collect()
}

#[test]
fn a_run_that_goes_on_shows_only_figures_that_hold_at_any_time() {
    let text = report_text(&RunReport::of(&summary(&rounds(20))), &Look::plain(100));
    assert!(text.contains("144 games played, not finished: figures that hold at any time"), "{text}");
    assert!(text.contains("any time") && text.contains(" to "), "{text}");
    for word in ["\u{b1}", "LOS", "inf", "explain the results"] {
        assert!(!text.contains(word), "{word} in {text}");
    }
}

#[test]
fn a_finished_run_shows_errors_and_likelihoods() {
    let text = summary_text(&RunReport::of(&summary(&rounds(6))), &Look::plain(100));
    assert!(text.contains("\u{b1}") && text.contains("LOS") && !text.contains("any time"), "{text}");
}

#[test]
fn only_whole_rounds_count_at_any_time() {
    let mut contents = rounds(20);
    let whole = any_time(&contents);
    assert!(whole.iter().all(|row| row.contains("Some(Interval")), "{whole:?}");
    let mut more = contents.games[0].clone();
    (more.number, more.pair, more.round) = (1000, 500, 7);
    contents.games.push(more);
    assert_eq!(any_time(&contents), whole);
    // Without its first round nothing is known of a bot, and of those who met it.
    contents.games.retain(|game| game.round > 1);
    assert!(any_time(&contents).iter().all(|row| row.ends_with("None")));
}

#[test]
fn a_clear_difference_is_seen_while_the_run_goes_on() {
    let mut sample = Sample::new(&["strong", "weak"], &["farook"]);
    for _ in 0..40 {
        sample.pair("farook", "strong", "weak", [record::GameResult::P1Win, record::GameResult::P2Win]);
    }
    let mut contents = sample.contents;
    for (round, pair) in (1..).zip(contents.games.chunks_mut(2)) {
        pair.iter_mut().for_each(|game| game.round = round);
    }
    contents.runs[0].config.rounds = 1000;
    let standings = Tally::of(&summary(&contents)).standings(None).clone();
    let strong = standings.rows.iter().find(|row| row.label == "strong").expect("it played");
    assert!(strong.any_time.is_some_and(|scores| scores.low > 0.5 && scores.high <= 1.0), "{strong:?}");
    // A game without a result leaves its round out, not those after it.
    contents.games[10].result = record::GameResult::None;
    contents.games[10].reason = Termination::SpawnFailed;
    let standings = Tally::of(&summary(&contents)).standings(None).clone();
    assert!(standings.rows.iter().any(|row| row.any_time.is_some_and(|scores| scores.low > 0.5)));
}
