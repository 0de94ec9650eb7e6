//! How often a comparison of equals finds something.

use record::{Contents, JournalLine};
use report::{Comparer, Comparison, Which};

use crate::sample::Sample;

fn lines(contents: &Contents) -> Vec<JournalLine> {
    let runs = contents.runs.iter().map(|run| JournalLine::Run(Box::new(run.clone())));
    runs.chain(contents.games.iter().map(|game| JournalLine::Game(Box::new(game.clone())))).collect()
}

fn compare(before: &Contents, after: &Contents) -> Comparison {
    let mut comparer = Comparer::default();
    for (which, contents) in [(Which::Before, before), (Which::After, after)] {
        lines(contents).iter().for_each(|line| comparer.take(which, line));
    }
    comparer.comparison()
}

fn run(seed: u64) -> Contents {
    let (bots, labels) = (["ada", "bob", "cleo"], ["farook", "faust"]);
    let mut sample = Sample::new(&bots, &labels).seeded(seed);
    for _ in 0..16 {
        for label in labels {
            for (one, two) in [("ada", "bob"), ("ada", "cleo"), ("bob", "cleo")] {
                sample.likely_pair(label, one, two);
            }
        }
    }
    sample.contents
}

/// At 5 %, with three standard errors of 200 comparisons.
#[test]
fn equals_are_found_different_in_one_comparison_of_twenty_at_most() {
    let comparisons = 200;
    let false_alarms = (0..comparisons)
        .filter(|seed| !compare(&run(1000 + 2 * seed), &run(1001 + 2 * seed)).findings().is_empty())
        .count();
    let most = 0.05 + 3.0 * (0.05_f64 * 0.95 / comparisons as f64).sqrt();
    println!("false alarms: {false_alarms} of {comparisons}");
    assert!(false_alarms as f64 <= most * comparisons as f64, "{false_alarms} of {comparisons}");
}

#[test]
fn pairs_that_repeat_earlier_ones_are_no_evidence() {
    let before = run(1);
    let mut after = before.clone();
    let count = after.games.len() as u64;
    let copies = after.games.iter().cloned().map(|mut game| {
        (game.number, game.pair) = (game.number + count, game.pair + count / 2);
        game
    });
    let copies: Vec<_> = copies.collect();
    after.games.extend(copies);
    let comparison = compare(&before, &after);
    assert_eq!(comparison.repeated, [0, count / 2]);
    assert_eq!(comparison.games, [count, count]);
    assert!(
        comparison
            .bots
            .iter()
            .all(|bot| bot.games.iter().all(|game| game.elo.is_some_and(|elo| elo.abs() < 1e-6)))
    );
}

#[test]
fn every_field_and_column_is_documented() {
    fn keys(value: &serde_json::Value, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(fields) => fields.iter().for_each(|(key, value)| {
                found.push(key.clone());
                keys(value, found);
            }),
            serde_json::Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
            _ => {}
        }
    }
    let (before, mut after) = (run(1), run(2));
    after.runs[0].config.seed = 2;
    let comparison = compare(&before, &after);
    let mut found = Vec::new();
    keys(&serde_json::from_str(&comparison.to_json()).expect("JSON"), &mut found);
    let csv = String::from_utf8(comparison.to_csv()).expect("text");
    found.extend(csv.lines().next().expect("a header").split(',').map(str::to_owned));
    let page = include_str!("../../../../protocol-spec/results.md");
    let page =
        page.split("## What changed").nth(1).and_then(|page| page.split("## ").next()).expect("a section");
    let missing: Vec<_> = found.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(found.len() > 60 && missing.is_empty(), "{missing:?}");
}
