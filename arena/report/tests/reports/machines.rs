//! Results by machine: told where workers played, and of nobody else.

use record::{Contents, GameResult, Termination, Uncounted, WorkerRecord};
use report::{Look, RunReport, machine_results, report_text};

use crate::sample::{Sample, cup, files, summary};

fn worker(name: &str) -> Option<WorkerRecord> {
    Some(WorkerRecord::named(name))
}

#[test]
fn workers_change_nothing_but_add_their_section() {
    let (alone, mut fleet) = (cup(), cup());
    for game in &mut fleet.games {
        game.worker = worker(if game.pair % 3 == 0 { "b" } else { "a\u{1b}[2J" });
    }
    for ((name, before), (_, after)) in files(&alone).into_iter().zip(files(&fleet)) {
        assert_eq!(before == after, name != "report.txt", "{name}");
    }
    let run = summary(&fleet);
    let text = report_text(&RunReport::of(&run), &Look::plain(100));
    let section = text.split("\nResults by machine\n\n").nth(1).expect("a section");
    assert!(section.contains("a\\x1b[2J") && !text.contains('\u{1b}'), "{section}");
    let results = machine_results(&run);
    let counted = run.games.iter().filter(|game| game.result != GameResult::None).count() as u64;
    assert_eq!(results.iter().map(|result| result.games).sum::<u64>(), counted);
    assert!(results.iter().all(|result| !result.is_marked()), "{results:?}");
    assert!(machine_results(&summary(&alone)).is_empty());
}

#[test]
fn a_worker_whose_results_are_made_up_is_marked() {
    let mut sample = Sample::new(&["ada", "bob"], &["farook"]);
    for _ in 0..200 {
        sample.likely_pair("farook", "ada", "bob");
    }
    let mut contents = sample.contents;
    for game in &mut contents.games {
        let name = ["a", "b", "c", "liar"][(game.pair % 4) as usize];
        game.worker = worker(name);
        if name == "liar" {
            game.result = GameResult::P2Win;
        }
    }
    let marked: Vec<_> = machine_results(&summary(&contents))
        .into_iter()
        .filter(report::MachineResult::is_marked)
        .map(|result| result.worker)
        .collect();
    assert!(marked.contains(&"liar".to_owned()), "{marked:?}");
}

/// Adds a line about an attempt of a worker at a game, which counts nowhere.
fn uncounted(contents: &mut Contents, game: usize, name: &str, cause: Uncounted, detail: &str) {
    let mut game = contents.games[game].clone();
    if cause == Uncounted::Failed {
        (game.result, game.reason, game.plies) = (GameResult::None, Termination::Aborted, Vec::new());
    }
    game.detail = Some(detail.to_owned()).filter(|detail| !detail.is_empty());
    let uncounted = Some(cause.word().to_owned());
    game.worker = Some(WorkerRecord { uncounted, ..WorkerRecord::named(name) });
    contents.void.push(game);
}

#[test]
fn what_counts_nowhere_is_told_by_worker_and_changes_no_table() {
    let mut plain = cup();
    for game in &mut plain.games {
        game.worker = worker("a");
    }
    let mut fleet = plain.clone();
    // Both games of a pair, twice; one pair of a worker without any game that counts.
    for game in [0, 1, 0, 1] {
        uncounted(&mut fleet, game, "a", Uncounted::Duplicate, "");
    }
    for game in [2, 3] {
        uncounted(&mut fleet, game, "a", Uncounted::Late, "");
    }
    for what in ["it stands still", "its disk is full\u{1b}"] {
        uncounted(&mut fleet, 4, "c", Uncounted::Failed, what);
    }
    let last = fleet.void.last_mut().expect("a line").worker.as_mut().expect("a worker");
    last.set_aside = Some("its last pairs have all failed".to_owned());
    for ((name, before), (_, after)) in files(&plain).into_iter().zip(files(&fleet)) {
        assert_eq!(before == after, name != "report.txt", "{name}");
    }
    let run = summary(&fleet);
    assert!(run.void.is_empty(), "nobody is told that they were played again since the machine was late");
    let results = machine_results(&run);
    let tallies: Vec<_> = results
        .iter()
        .map(|result| (&*result.worker, result.games, &result.uncounted))
        .map(|(name, games, tally)| (name, games > 0, tally.late, tally.duplicates, tally.failed))
        .collect();
    assert_eq!(tallies, [("a", true, 1, 2, 0), ("c", false, 0, 0, 2)]);
    let text = report_text(&RunReport::of(&run), &Look::plain(100));
    let section = text.split("\nResults by machine\n\n").nth(1).expect("a section");
    let rows: Vec<Vec<_>> = section.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(rows[0].ends_with(&["late", "duplicate", "failed", "p"]), "{section}");
    let row = rows.iter().find(|row| row.first() == Some(&"c")).expect("a row");
    assert_eq!(row[1..], ["0", "-", "-", "0", "0", "-", "0", "0", "2", "-"], "{section}");
    let words = section.split_whitespace().collect::<Vec<_>>().join(" ");
    let pair = fleet.games[4].pair;
    for told in [
        format!("Worker `c`: 2 failed attempts, the last one at pair {pair}: its disk is full\\x1b."),
        format!("Worker `c`: set aside at pair {pair}: its last pairs have all failed."),
    ] {
        assert!(words.contains(&told), "{words}");
    }
}

#[test]
fn a_cause_of_a_newer_version_is_no_reason_to_refuse_a_journal() {
    let mut contents = cup();
    uncounted(&mut contents, 0, "a", Uncounted::Late, "");
    contents.void[0].worker.as_mut().expect("a worker").uncounted = Some("of a newer version".to_owned());
    let run = summary(&contents);
    assert_eq!((run.uncounted.len(), run.void.len()), (1, 0));
    let results = machine_results(&run);
    assert_eq!(
        results.iter().map(|result| result.uncounted.clone()).collect::<Vec<_>>(),
        [Default::default()]
    );
}
