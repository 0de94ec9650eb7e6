//! Disks that are full: that of the coordinator, of a worker, of the broker. Each is a small file system in memory.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::{CUP, GAMES, Running, SLOW, Site, server, told};

impl Site {
    /// Returns a command that runs a script of the shell with a small file system mounted at `small`, which nobody else sees. `arena` is
    /// the executable under test.
    fn with_small_disk(&self, script: &str) -> Command {
        fs::create_dir_all(self.path().join("small")).expect("a folder");
        let mut command = Command::new("unshare");
        command.args(["--mount"]).args(if is_root() { &[][..] } else { &["--user", "--map-root-user"] });
        let script = format!("mount -t tmpfs -o size=64k tmpfs small && {{ {script}; }}");
        command.args(["sh", "-c", &script]).current_dir(self.path()).stdin(Stdio::null());
        command.env("ARENA", env!("CARGO_BIN_EXE_arena")).env("ADDRESS", self.address("p1"));
        command
    }

    /// Returns a command that runs another with the small file system of a process.
    fn within(&self, process: &Running) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["--mount", "--target", &process.0.id().to_string()]);
        command.args(if is_root() { &[][..] } else { &["--user", "--preserve-credentials"] });
        command.arg(format!("--wd={}", self.path().display()));
        command
    }
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

#[test]
fn a_full_disk_of_the_coordinator_ends_the_run_and_with_more_room_it_goes_on() {
    let site = Site::new();
    let _broker = site.broker();
    let _workers = ["a", "b"].map(|name| site.worker(name));
    let run = "\"$ARENA\" run cup.yaml --out small/out --workers \"$ADDRESS\" --clocks same";
    let script = format!(
        "{run}; echo code $?; mkdir full whole; cp small/out/journal.jsonl full; mount -o remount,size=64m small; {run}; \
         echo code $?; cp small/out/journal.jsonl whole"
    );
    let ended = site.with_small_disk(&script).output().expect("it runs");
    let (said, told) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    let codes: Vec<_> = said.lines().filter(|line| line.starts_with("code ")).collect();
    assert_eq!(codes, ["code 4", "code 0"], "{said}\n{told}");
    let errors: Vec<_> = told.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 1, "{told}");
    assert!(told.contains("No space left on device"), "{told}");
    assert!(told.contains("the same command continues from there"), "{told}");
    let full = site.games("full").len();
    assert!(0 < full && full < GAMES, "{full} games");
    site.assert_whole("whole");
}

#[test]
fn a_worker_without_room_says_so_once_and_plays_when_there_is_some() {
    let site = Site::new();
    let _broker = site.broker();
    let worker = "exec \"$ARENA\" worker \"$ADDRESS\" --name full --concurrency 1 --sandbox basic";
    let script = format!(
        "cat /dev/zero > small/ballast 2> /dev/null; TMPDIR=$PWD/small/tmp; export TMPDIR; {worker} --directory work"
    );
    // Its bots find no room among the temporary files.
    fs::create_dir_all(site.path().join("small")).expect("a folder");
    let script = script.replace("cat /dev/zero", "mkdir small/tmp; cat /dev/zero");
    let mut full = site.with_small_disk(&script);
    let log = fs::File::create(site.path().join("full.log")).expect("a log");
    let full = Running(full.stdout(Stdio::null()).stderr(log).spawn().expect("a worker"));
    let mut run = site.start("out");
    site.wait_for("out", "worker full: cannot play this run: its files do not find room");
    site.wait_for("full", "No space left on device");
    // `unshare` and the shell have become the worker.
    let ballast = format!("/proc/{}/root{}", full.0.id(), site.path().join("small/ballast").display());
    fs::remove_file(ballast).expect("the ballast");
    site.wait_for("out", "worker full: joins");
    assert!(run.0.wait().expect("it ends").success(), "{}\n{}", site.log("out"), site.log("full"));
    site.assert_whole("out");
    assert!(site.games("out").iter().all(|game| game.failed.is_none()), "no bot is to blame");
    assert_eq!(site.log("full").matches("No space left on device").count(), 1, "{}", site.log("full"));
}

#[test]
fn a_worker_whose_disk_becomes_full_while_it_plays_pauses_and_comes_back_by_itself() {
    let site = Site::new();
    let _broker = site.broker();
    let worker =
        "exec \"$ARENA\" worker \"$ADDRESS\" --name full --concurrency 1 --sandbox none --directory work";
    let script = format!("mkdir small/tmp; TMPDIR=$PWD/small/tmp; export TMPDIR; {worker}");
    let mut full = site.with_small_disk(&script);
    let log = fs::File::create(site.path().join("full.log")).expect("a log");
    let full = Running(full.stdout(Stdio::null()).stderr(log).spawn().expect("a worker"));
    let played = || {
        let games = site.games("out").into_iter();
        games.filter(|game| game.worker.as_ref().is_some_and(|worker| worker.name == "full")).count()
    };
    // Without an end before the disk has been full and empty again; and with a bot that writes there at every turn, some more each time.
    let cup = CUP.replace("rounds: 10", "rounds: 1000\nsandbox: none");
    fs::write(site.path().join("cup.yaml"), cup).expect("a file");
    let file = format!(
        "count = (count + 1) % 4; name = '{}/small/%d' % os.getpid(); file = open(name, 'wb')\n        \
         file.write(b'1' * 4096 * (1 + count)); file.close(); os.unlink(name)\n        time.sleep(0.02)",
        site.path().display()
    );
    let writing =
        SLOW.replace("time.sleep(0.02)", &file).replace("import random", "count = 0\nimport os, random");
    fs::write(site.path().join("slow.py"), writing).expect("a file");
    let mut run = site.start("out");
    let since = Instant::now();
    let wait_for = |count: usize| {
        while site.lines("out") < 3 || played() < count {
            assert!(since.elapsed() < Duration::from_secs(300), "{}\n{}", site.log("out"), site.log("full"));
            thread::sleep(Duration::from_millis(200));
        }
    };
    site.wait_for("full", "plays for the run");
    wait_for(4);
    let ballast = format!("/proc/{}/root{}", full.0.id(), site.path().join("small/ballast").display());
    let mut file = fs::File::create(&ballast).expect("a file");
    std::io::copy(&mut std::io::repeat(0), &mut file).expect_err("it is full");
    drop(file);
    // Nobody else is there, and the run waits.
    site.wait_for("out", "worker full: cannot play this run: ");
    site.wait_for("full", "there is no room for the files of bots: ");
    let list = site.run(&["ctl", "out", "workers"]);
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    assert!(list.contains("full: paused") && list.contains("there is no "), "{list}");
    let before = played();
    let address = site.address("p1");
    let mut other =
        site.arena(&["worker", &address, "--name", "other", "--concurrency", "1", "--sandbox", "none"]);
    let _other = Running(other.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a worker"));
    fs::remove_file(ballast).expect("the ballast");
    wait_for(before + 4);
    assert_eq!(site.log("out").matches("worker full: joins").count(), 2, "{}", site.log("out"));
    let stopped = site.run(&["ctl", "out", "stop"]);
    assert!(stopped.status.success(), "{}", told(&stopped));
    run.0.wait().expect("it ends");
    // It is nobody's fault: neither a bot's nor a pair's nor the worker's.
    let contents = record::read(&site.path().join("out")).expect("the journal is whole");
    for game in &contents.games {
        let fault = (game.failed, game.fault());
        assert_eq!(fault, (None, None), "game {}: {:?}", game.number, game.detail);
    }
    assert!(contents.void.is_empty(), "{:?}", contents.void);
    assert!(!site.log("out").contains("worker full: gets no further pairs"), "{}", site.log("out"));
}

#[test]
fn a_full_disk_of_the_broker_stops_the_run_until_there_is_room() {
    let site = Site::new();
    let text = fs::read_to_string(site.path().join("broker.conf")).expect("a file");
    let store = site.path().join("small/broker").display().to_string();
    let text = text.replace(&site.path().join("broker").display().to_string(), &store);
    let text = text.replace("jetstream: {", "jetstream: { max_file_store: 1GB, ");
    fs::write(site.path().join("broker.conf"), text).expect("a file");
    let server = server().get_program().to_string_lossy().into_owned();
    let script = format!(
        "mount -o remount,size=8m small; PATH=$PATH:/usr/sbin; exec {server} -c broker.conf -l broker.log"
    );
    let mut broker = site.with_small_disk(&script);
    let broker = Running(broker.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a broker"));
    let since = Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", site.port)).is_err() {
        assert!(since.elapsed() < Duration::from_secs(20), "the broker does not listen");
        thread::sleep(Duration::from_millis(20));
    }
    let _workers = ["a", "b"].map(|name| site.worker(name));
    let mut run = site.start("out");
    site.wait_for_games("out", 10);
    let inside = |path: &str| {
        format!("/proc/{}/root{}", broker.0.id(), site.path().join("small").join(path).display())
    };
    let mut ballast = fs::File::create(inside("ballast")).expect("a file");
    std::io::copy(&mut std::io::repeat(0), &mut ballast).expect_err("it is full");
    drop(ballast);
    // Brokers either say so or fall silent, as they happen to write a message or their index.
    let kept = "a result is kept until the broker takes it: ";
    site.wait_for("a", kept);
    let reasons = ["the broker has no room for another message: ", "the broker failed: it does not answer"];
    assert!(
        reasons.iter().any(|reason| site.log("a").contains(&format!("{kept}{reason}"))),
        "{}",
        site.log("a")
    );
    let before = site.lines("out");
    assert!(before < GAMES, "{}", site.log("out"));
    fs::remove_file(inside("ballast")).expect("the ballast");
    let since = Instant::now();
    while site.lines("out") == before && since.elapsed() < Duration::from_secs(15) {
        thread::sleep(Duration::from_millis(50));
    }
    // One that has fallen silent has to be started again, as the page says. What it was in holds its disk.
    let id = broker.0.id();
    let again = format!(
        "kill -9 {id}; while readlink /proc/{id}/exe; do sleep 0.1; done; PATH=$PATH:/usr/sbin; \
         exec {server} -c broker.conf -l broker.log"
    );
    let _again = (site.lines("out") == before).then(|| {
        let mut broker = site.within(&broker);
        broker.args(["sh", "-c", &again]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Running(broker.spawn().expect("a broker"))
    });
    let success = run.0.wait().expect("it ends").success();
    assert!(success, "{}\n{}", site.log("out"), site.log("a"));
    site.assert_whole("out");
}
