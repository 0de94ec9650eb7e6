//! A process that stands still for a minute and then goes on, as behind a network that is cut, or on a machine that sleeps.

use std::thread;
use std::time::Duration;

use crate::{Running, Site, signal};

/// How long it stands still: for longer than a worker may be silent.
const MINUTE: Duration = Duration::from_secs(60);

/// Plays a run with two workers in which one process stands still for a minute; returns what the run has said.
fn with_a_minute_of(stopped: impl Fn(&Running, &[Running; 2], &Running)) -> String {
    let site = Site::new();
    let broker = site.broker();
    let workers = ["a", "b"].map(|name| site.worker(name));
    let mut run = site.start("out");
    site.wait_for_games("out", 20);
    stopped(&run, &workers, &broker);
    assert!(run.0.wait().expect("it ends").success(), "{}", site.log("out"));
    site.assert_whole("out");
    // Who stood still is there for the next run.
    let mut next = site.start("next");
    for name in ["a", "b"] {
        site.wait_for("next", &format!("worker {name}: joins"));
    }
    assert!(next.0.wait().expect("it ends").success(), "{}", site.log("next"));
    site.assert_whole("next");
    site.log("out")
}

fn pause(process: &Running) {
    signal(process, "-STOP");
    thread::sleep(MINUTE);
    signal(process, "-CONT");
}

#[test]
fn a_minute_in_which_a_part_stands_still_costs_a_minute_and_no_game() {
    thread::scope(|scope| {
        // Beside each other: each has its own broker.
        scope.spawn(|| with_a_minute_of(|_, workers, _| pause(&workers[0])));
        scope.spawn(|| with_a_minute_of(|_, _, broker| pause(broker)));
        scope.spawn(|| {
            let log = with_a_minute_of(|run, _, _| pause(run));
            // What the coordinator did not hear while it stood still is nobody's silence.
            assert!(!log.contains("silent"), "{log}");
        });
    });
}
