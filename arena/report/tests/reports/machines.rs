//! Results by machine: told where workers played, and of nobody else.

use record::{GameResult, WorkerRecord};
use report::{Look, RunReport, machine_results, report_text};

use crate::sample::{Sample, cup, files, summary};

fn worker(name: &str) -> Option<WorkerRecord> {
    Some(WorkerRecord { name: name.to_owned(), sandbox: None, factor: None })
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
