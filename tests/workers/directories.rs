//! What workers keep on the disk: of earlier runs up to a bound, and nothing once they have ended, however that was.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Running, Site, signal, told};

impl Site {
    /// Returns the directories of arenas among the temporary files of this site.
    fn temporary(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.path().join("tmp")).expect("a folder").flatten();
        let mut left: Vec<_> = entries.map(|entry| entry.path()).collect();
        left.sort();
        left
    }

    fn with_temporary(&self, mut command: Command, log: &str) -> Running {
        let log = fs::File::create(self.path().join(format!("{log}.log"))).expect("a log");
        let _ = fs::create_dir(self.path().join("tmp"));
        command.env("TMPDIR", self.path().join("tmp")).stdout(Stdio::null()).stderr(log);
        Running(command.spawn().expect("it starts"))
    }

    /// Starts a worker whose directory is a temporary one.
    fn temporary_worker(&self, name: &str) -> Running {
        let address = self.address("p1");
        let words = ["worker", &address, "--name", name, "--concurrency", "1", "--sandbox", "basic"];
        let worker = self.with_temporary(self.arena(&words), name);
        self.wait_for(name, "waits for runs");
        worker
    }

    fn wait_until(&self, what: &str, holds: impl Fn() -> bool) {
        let since = Instant::now();
        while !holds() {
            assert!(since.elapsed() < Duration::from_secs(60), "{what}: {:?}", self.temporary());
            thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn a_worker_removes_its_directory_and_the_next_one_that_of_a_killed_one() {
    let site = Site::new();
    let _broker = site.broker();
    let mut killed = site.temporary_worker("killed");
    let own = site.temporary();
    assert_eq!(own.len(), 1, "{own:?}");
    let mut run = site.start("out");
    site.wait_for_games("out", 4);
    assert!(fs::read_dir(own[0].join("runs")).expect("a run").count() == 1, "its files lie there");
    killed.kill();
    assert!(own[0].exists());
    let mut next = site.temporary_worker("next");
    assert!(!own[0].exists(), "{:?}", site.temporary());
    assert!(run.0.wait().expect("it ends").success(), "{}", site.log("out"));
    site.assert_whole("out");
    signal(&next, "-INT");
    assert!(next.0.wait().expect("it ends").success(), "{}", site.log("next"));
    // The guards of the killed worker's bots clear up by themselves.
    site.wait_until("nothing is left", || site.temporary().is_empty());
}

#[test]
fn a_run_of_this_machine_leaves_no_directory_and_the_next_worker_removes_those_of_a_killed_one() {
    let site = Site::new();
    let run = |out: &str, cup: &str| {
        site.with_temporary(site.arena(&["run", cup, "--out", out, "--workers", "local:2"]), out)
    };
    fs::write(site.path().join("short.yaml"), crate::CUP.replace("rounds: 10", "rounds: 1")).expect("a file");
    let mut whole = run("whole", "short.yaml");
    assert!(whole.0.wait().expect("it ends").success(), "{}", site.log("whole"));
    assert!(site.temporary().is_empty(), "{:?}", site.temporary());

    let mut killed = run("killed", "cup.yaml");
    site.wait_for_games("killed", 5);
    // The list of processes shows the directory of the private broker.
    let own = site.path().join("tmp").display().to_string();
    let processes = || {
        let list = Command::new("ps").args(["-eo", "args"]).output().expect("ps");
        String::from_utf8_lossy(&list.stdout).lines().filter(|line| line.contains(&own)).count()
    };
    assert!(processes() > 0, "the broker and its workers run");
    killed.kill();
    site.wait_until("all processes have ended", || processes() == 0);
    assert!(!site.temporary().is_empty(), "nobody has cleared up yet");
    let _broker = site.broker();
    let _next = site.temporary_worker("next");
    site.wait_until("only the directory of the worker is left", || site.temporary().len() == 1);
}

#[test]
fn a_worker_keeps_as_much_of_earlier_runs_as_it_may_and_its_directory_is_its_own() {
    let site = Site::new();
    let _broker = site.broker();
    let address = site.address("p1");
    let words = ["worker", &address, "--concurrency", "1", "--sandbox", "basic", "--directory", "kept"];
    let start = |name: &str, cache: &str| {
        let mut worker = site.arena(&words);
        worker.args(["--name", name, "--cache", cache]);
        site.with_temporary(worker, name)
    };
    let mut first = start("first", "100KiB");
    let kept = || -> Vec<u64> {
        let files = fs::read_dir(site.path().join("kept/files")).into_iter().flatten().flatten();
        files.map(|file| file.metadata().expect("a file").len()).collect()
    };
    let bot = crate::SLOW.replace("time.sleep(0.02)", "pass");
    for (out, letter) in [("a", "a"), ("b", "b"), ("c", "c")] {
        fs::write(site.path().join("slow.py"), format!("{bot}# {}\n", letter.repeat(40_000)))
            .expect("a file");
        let cup = crate::CUP.replace("rounds: 10", "rounds: 1");
        fs::write(site.path().join("cup.yaml"), cup).expect("a file");
        let run = site.run_command(out).output().expect("it runs");
        assert!(run.status.success(), "{}\n{}", told(&run), site.log("first"));
        site.assert_has(out, 12);
        site.wait_until("the files of the run go", || {
            fs::read_dir(site.path().join("kept/runs")).expect("a folder").count() == 0
        });
    }
    let sizes = kept();
    // In the order of the folder, which stays.
    assert!(sizes.len() == 2 && sizes.iter().sum::<u64>() <= 100 * 1024, "{sizes:?}");

    // What is kept is not what is played: the next run has copies of its own, made when it begins.
    fs::write(site.path().join("cup.yaml"), crate::CUP).expect("a file");
    let before = std::time::SystemTime::now();
    let mut run = site.start("again");
    site.wait_for_games("again", 1);
    let copies: Vec<_> = fs::read_dir(site.path().join("kept/runs")).expect("a folder").flatten().collect();
    let copy = copies[0].path().join("slow.py").metadata().and_then(|file| file.modified());
    // The clock of a file system is a little behind.
    assert!(copy.expect("a copy") + Duration::from_secs(1) > before);
    assert!(run.0.wait().expect("it ends").success(), "{}", site.log("again"));
    assert_eq!(kept(), sizes);

    let mut second = start("second", "0");
    assert!(!second.0.wait().expect("it ends").success());
    assert!(
        site.log("second").contains("another worker uses the directory `kept`"),
        "{}",
        site.log("second")
    );
    first.kill();
    let _third = start("third", "0");
    site.wait_until("it may keep nothing", || kept().is_empty());
}
