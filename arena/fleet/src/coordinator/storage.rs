//! What runs keep on a broker, and when it goes.
//!
//! The key of a run names its manifest, and the manifest names its files: so the table of keys says which run uses which object. When
//! a run ends, its coordinator removes what no other run uses. What a killed coordinator has left goes when another run begins or
//! ends and nobody has claimed it for [`KEPT`]. All ages are by the broker's clock.
//!
//! Another coordinator may count on a file in the very moment in which it is removed. So every removal is noted under a key, and a
//! coordinator that finds the note changed sends again what is missing.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Deserialize;

use crate::broker::{Broker, BrokerError, Entry, ExpectedEntry, KEPT};
use crate::names::{ANY, REMOVALS, claim_key, results, run_key};
use crate::wire::{self, RunNotice, SentFile};

/// Whose files are removed from a broker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cleanup {
    /// Those of other runs: this one begins.
    Begin,
    /// Also those of this run, which has broken off: results stay for the next coordinator.
    BrokenOff,
    /// Also those of this run, which has ended, and its results.
    Ended,
}

/// Removes what no run needs any more. The coordinator of `run` holds its claim.
///
/// # Errors
/// When the broker fails; what is left is removed another time.
pub(crate) fn clean_up(broker: &dyn Broker, run: &str, cleanup: Cleanup) -> Result<(), BrokerError> {
    // Renewed every few seconds: it tells the time of the broker.
    let Some(now) = broker.read(&claim_key(run))?.map(|claim| claim.written) else { return Ok(()) };
    let is_fresh = |entry: &Entry| is_fresh(entry, now);
    if cleanup == Cleanup::Ended {
        broker.drop_queue(&results(run, ANY))?;
    }
    let keys = broker.keys()?;
    let prefixes = [run_key(""), claim_key("")];
    let names: BTreeSet<_> =
        keys.iter().filter_map(|key| prefixes.iter().find_map(|prefix| key.strip_prefix(prefix))).collect();
    let mut used = BTreeSet::new();
    for name in names {
        let claim = broker.read(&claim_key(name))?;
        let is_claimed = claim.as_ref().is_some_and(is_fresh);
        let Some(entry) = broker.read(&run_key(name))? else {
            if !is_claimed {
                broker.erase(&claim_key(name))?;
            }
            continue;
        };
        let notice = wire::read::<RunNotice>(&entry.value);
        let is_stopped = notice.as_ref().is_some_and(|notice| notice.is_stopped);
        if name == run && cleanup != Cleanup::Begin {
            continue;
        }
        if is_claimed || !is_stopped && is_fresh(&entry) {
            match notice.map(|notice| files_of(broker, notice.manifest)).transpose()?.flatten() {
                Some(files) => used.extend(files),
                // That of a newer arena: nobody knows here what it uses.
                None => return Ok(()),
            }
            continue;
        }
        match notice.filter(|notice| !notice.is_stopped) {
            // Workers that wait for its coordinator are free for other runs.
            Some(notice) => {
                let stopped = wire::write(&RunNotice { is_stopped: true, ..notice });
                broker.write(&run_key(name), &stopped, ExpectedEntry::Revision(entry.revision))?;
            }
            None if !is_fresh(&entry) => {
                broker.drop_queue(&results(name, ANY))?;
                broker.erase(&run_key(name))?;
                broker.erase(&claim_key(name))?;
            }
            None => {}
        }
    }
    let unused: Vec<_> = broker.objects()?.into_iter().filter(|object| !used.contains(object)).collect();
    for object in &unused {
        broker.remove(object)?;
    }
    if !unused.is_empty() {
        broker.write(REMOVALS, run.as_bytes(), ExpectedEntry::Any)?;
    }
    Ok(())
}

fn is_fresh(entry: &Entry, now: Timestamp) -> bool {
    now.duration_since(entry.written) < jiff::SignedDuration::try_from(KEPT).expect("a few days")
}

/// What of a manifest says which objects a run uses.
#[derive(Deserialize)]
struct SentFiles {
    files: Vec<SentFile>,
}

/// Returns the objects of a run; `None` where its manifest is that of a newer arena. A run without a manifest is sent again.
fn files_of(broker: &dyn Broker, manifest: String) -> Result<Option<Vec<String>>, BrokerError> {
    let Some(bytes) = broker.get(&manifest)? else { return Ok(Some(Vec::new())) };
    let known = wire::read::<SentFiles>(&bytes);
    Ok(known.map(|known| known.files.into_iter().map(|file| file.digest).chain([manifest]).collect()))
}

/// Returns what changes whenever somebody has removed files.
///
/// # Errors
/// When the broker fails.
pub(crate) fn removals(broker: &dyn Broker) -> Result<Option<u64>, BrokerError> {
    Ok(broker.read(REMOVALS)?.map(|entry| entry.revision))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::broker::MemoryBroker;

    const DAY: Duration = Duration::from_secs(24 * 3600);

    /// Has a run claim its place, send these files and say that it wants workers.
    fn begin(broker: &MemoryBroker, run: &str, files: &[&str]) {
        claim(broker, run);
        clean_up(broker, run, Cleanup::Begin).unwrap();
        let sent = |file: &&str| {
            broker.put(file, b"file").unwrap();
            json!({ "path": file, "digest": file, "is_executable": false })
        };
        let files: Vec<_> = files.iter().map(sent).collect();
        broker.put(&format!("plan-{run}"), json!({ "files": files }).to_string().as_bytes()).unwrap();
        say(broker, run, false);
    }

    fn claim(broker: &MemoryBroker, run: &str) {
        broker.write(&claim_key(run), b"claimed", ExpectedEntry::Any).unwrap();
    }

    fn say(broker: &MemoryBroker, run: &str, is_stopped: bool) {
        let notice = RunNotice {
            versions: (1, 1),
            run: run.to_owned(),
            name: "cup".to_owned(),
            arena: "1.0.0".to_owned(),
            rules: String::new(),
            manifest: format!("plan-{run}"),
            is_stopped,
        };
        broker.write(&run_key(run), &wire::write(&notice), ExpectedEntry::Any).unwrap();
    }

    fn end(broker: &MemoryBroker, run: &str, cleanup: Cleanup) {
        claim(broker, run);
        say(broker, run, true);
        clean_up(broker, run, cleanup).unwrap();
        broker.erase(&claim_key(run)).unwrap();
    }

    fn is_stopped(broker: &MemoryBroker, run: &str) -> bool {
        let entry = broker.read(&run_key(run)).unwrap().unwrap();
        wire::read::<RunNotice>(&entry.value).unwrap().is_stopped
    }

    #[test]
    fn a_run_that_ends_takes_what_it_alone_has_used() {
        let broker = MemoryBroker::new();
        begin(&broker, "one", &["shared", "first"]);
        begin(&broker, "two", &["shared", "second"]);
        let before = removals(&broker).unwrap();
        end(&broker, "two", Cleanup::Ended);
        assert_eq!(broker.objects().unwrap(), ["first", "plan-one", "shared"]);
        assert_ne!(removals(&broker).unwrap(), before);
        end(&broker, "one", Cleanup::Ended);
        assert!(broker.objects().unwrap().is_empty());
        assert!(is_stopped(&broker, "one") && is_stopped(&broker, "two"));
    }

    #[test]
    fn results_stay_for_a_run_that_has_broken_off() {
        let broker = MemoryBroker::new();
        for (cleanup, left) in [(Cleanup::BrokenOff, 1), (Cleanup::Ended, 0)] {
            begin(&broker, "run", &["bot"]);
            broker.store(&results("run", "w"), b"result").unwrap();
            end(&broker, "run", cleanup);
            assert_eq!(broker.stored(&results("run", ANY)), left);
            assert!(broker.objects().unwrap().is_empty());
        }
    }

    #[test]
    fn what_a_killed_coordinator_has_left_goes_when_it_has_been_away_for_long() {
        let broker = MemoryBroker::new();
        begin(&broker, "killed", &["bot"]);
        broker.store(&results("killed", "w"), b"result").unwrap();
        assert_eq!(broker.stored(&results("killed", ANY)), 1);
        let kept = ["bot", "plan-killed"];
        broker.grow_older(KEPT - DAY);
        begin(&broker, "next", &[]);
        end(&broker, "next", Cleanup::Ended);
        assert_eq!(broker.objects().unwrap(), kept);
        assert!(!is_stopped(&broker, "killed"));
        // Its workers are free for other runs, and whoever has slept learns that it is over.
        broker.grow_older(DAY);
        begin(&broker, "later", &[]);
        assert!(is_stopped(&broker, "killed"));
        end(&broker, "later", Cleanup::Ended);
        assert!(broker.objects().unwrap().is_empty());
        // By and by the word that it has ended goes too, and that of the others.
        broker.grow_older(KEPT);
        begin(&broker, "last", &[]);
        assert_eq!(broker.keys().unwrap(), [&claim_key("last"), REMOVALS, &run_key("last")]);
        assert_eq!(broker.stored(&results("killed", ANY)), 0);
    }

    #[test]
    fn a_run_that_goes_on_for_longer_than_that_keeps_what_it_uses() {
        let broker = MemoryBroker::new();
        begin(&broker, "long", &["bot"]);
        broker.grow_older(2 * KEPT);
        claim(&broker, "long");
        begin(&broker, "short", &[]);
        end(&broker, "short", Cleanup::Ended);
        assert_eq!(broker.objects().unwrap(), ["bot", "plan-long"]);
    }

    #[test]
    fn nothing_goes_while_a_run_of_a_newer_arena_uses_what_nobody_knows() {
        let broker = MemoryBroker::new();
        begin(&broker, "newer", &["bot"]);
        broker.put("plan-newer", b"{}").unwrap();
        begin(&broker, "older", &["other"]);
        end(&broker, "older", Cleanup::Ended);
        assert_eq!(broker.objects().unwrap(), ["bot", "other", "plan-newer", "plan-older"]);
    }
}
