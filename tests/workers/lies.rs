//! Workers that lie, repeat themselves or report in another order, over a real broker and beside a real worker.

use std::fs;
use std::thread;

use fleet::BrokerAccess;
use fleet::broker::{Broker, BrokerRole};
use tournament_file::{Overrides, Plan};

use crate::worker::{Manner, Worker};
use crate::{Running, Site};

/// Bots that every process has, and that play fast.
const BUILT_IN: &str = "\
name: cup
games: [farook]
bots: [{builtin: random}, {builtin: greedy}]
rounds: 20
tc: nodes 10
";

/// How many games these are.
const GAMES: usize = 40;

pub(crate) fn open(site: &Site, role: &BrokerRole) -> Box<dyn Broker> {
    let access = BrokerAccess { address: site.address("p1"), credentials: None };
    access.open(role).unwrap_or_else(|failure| panic!("{failure}"))
}

fn plan(site: &Site) -> Plan {
    tournament_file::parse(BUILT_IN, "cup.yaml", site.path(), &Overrides::default())
        .expect("a tournament file")
}

/// Has the run play with workers of this test, which come first, and returns what it has said.
fn play(
    site: &Site,
    out: &str,
    workers: &[(&'static str, Manner)],
    real: Option<&str>,
) -> (String, Option<Running>) {
    let plan = plan(site);
    let brokers: Vec<_> =
        workers.iter().map(|(name, _)| open(site, &BrokerRole::Worker((*name).to_owned()))).collect();
    let mut real_worker = None;
    thread::scope(|scope| {
        for ((name, manner), broker) in workers.iter().zip(&brokers) {
            let worker = Worker { name, manner: *manner, broker: &**broker, plan: plan.play() };
            scope.spawn(move || worker.work());
        }
        let mut run = site.start(out);
        if let Some(name) = real {
            // It comes when the others have shown what they are.
            site.wait_for(out, "does not hold");
            real_worker = Some(site.worker(name));
        }
        assert!(run.0.wait().expect("it ends").success(), "{}", site.log(out));
    });
    (site.log(out), real_worker)
}

#[test]
fn a_worker_that_lies_costs_time_and_changes_nothing() {
    for (manner, told) in [
        (Manner::WrongResult, "by the rules"),
        (Manner::InventedPly, "at ply"),
        (Manner::OtherBot, "a bot, its version"),
    ] {
        let site = Site::new();
        fs::write(site.path().join("cup.yaml"), BUILT_IN).expect("a file");
        let _broker = site.broker();
        let (log, _worker) = play(&site, "out", &[("liar", manner)], Some("honest"));
        site.assert_has("out", GAMES);
        let names = site.games("out").into_iter().filter_map(|game| Some(game.worker?.name));
        assert!(names.into_iter().all(|name| name == "honest"), "{log}");
        assert!(log.contains("worker liar: what it reports of pair") && log.contains(told), "{log}");
        assert!(log.contains("worker liar: gets no further pairs"), "{log}");
        let report = fs::read_to_string(site.path().join("out/report.txt")).expect("a report");
        let words = report.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(" failed attempts, the last one at pair "), "{report}");
        assert!(
            words.contains("Worker `liar`: set aside at pair ") && words.contains("does not hold"),
            "{report}"
        );
    }
}

#[test]
fn results_that_come_twice_and_in_another_order_count_once() {
    let site = Site::new();
    fs::write(site.path().join("cup.yaml"), BUILT_IN).expect("a file");
    let _broker = site.broker();
    let workers = [("a", Manner::Reordered), ("b", Manner::Reordered)];
    let (log, _) = play(&site, "out", &workers, None);
    site.assert_has("out", GAMES);
    assert!(!log.contains("does not hold"), "{log}");
}
