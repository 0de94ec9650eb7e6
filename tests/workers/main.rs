//! Runs on other machines, with real workers and a real broker (`nats-server`): whatever is killed, every game is there once. A part of
//! the second stage of CI; without the feature `nats` nothing of it is built.

mod commits;
mod differences;
mod directories;
mod disks;
mod lies;
mod standstills;
mod storage;
#[path = "../../arena/fleet/tests/coordinator/worker.rs"]
#[expect(dead_code, reason = "not every manner of a worker is one for a real broker")]
mod worker;

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use record::GameRecord;
use tempfile::TempDir;

/// A bot that takes its time, and the same time for the same game.
const SLOW: &str = "\
import random, sys, time
for line in sys.stdin:
    word, *rest = line.split() or ['']
    if word == 'ugi': print('protocol 1\\nplays *\\nwant legal\\nugiok')
    elif word == 'game': random.seed(line)
    elif word == 'isready': print('readyok')
    elif word == 'legal': legal = rest
    elif word == 'go':
        time.sleep(0.02)
        print('bestmove', random.choice(legal))
    elif word == 'quit': break
    sys.stdout.flush()
";

const CUP: &str = "\
name: cup
games: [farook, {game: fanorona, options: {size: 5x5}}]
bots:
  - {name: slow, cmd: [python3, slow.py]}
  - {name: random, builtin: random}
  - {name: greedy, builtin: greedy}
rounds: 10
tc: 60+1
";

/// How many games these are.
const GAMES: usize = 120;

/// A process that ends with the test.
struct Running(Child);

impl Running {
    fn kill(&mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it has ended");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Site {
    folder: TempDir,
    port: u16,
}

/// Returns the broker: the one that `ARENA_NATS_SERVER` names, else that of the system.
fn server() -> Command {
    let mut server =
        Command::new(std::env::var_os("ARENA_NATS_SERVER").unwrap_or_else(|| "nats-server".into()));
    server.env("PATH", std::env::var("PATH").unwrap_or_default() + ":/usr/sbin");
    server
}

/// Stops a process as it stands, or lets it continue: for the others, the network to it is cut.
fn signal(process: &Running, signal: &str) {
    let id = process.0.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().expect("kill").success());
}

impl Site {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("slow.py"), SLOW).expect("a file");
        fs::write(folder.path().join("cup.yaml"), CUP).expect("a file");
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        let config = format!(
            "listen: \"127.0.0.1:{port}\"\njetstream: {{ store_dir: \"{}\" }}\n\
             authorization: {{ users: [ {{ user: arena, password: \"p1\" }} ] }}\n",
            folder.path().join("broker").display()
        );
        fs::write(folder.path().join("broker.conf"), config).expect("a file");
        Self { folder, port }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn address(&self, password: &str) -> String {
        format!("nats://arena:{password}@127.0.0.1:{}", self.port)
    }

    fn broker(&self) -> Running {
        self.broker_with("broker.conf")
    }

    fn broker_with(&self, configuration: &str) -> Running {
        let mut server = server();
        server.args(["-c", configuration, "-l", "broker.log"]).current_dir(self.path());
        let server = Running(server.stdin(Stdio::null()).spawn().expect("nats-server is installed"));
        let since = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(since.elapsed() < Duration::from_secs(20), "the broker does not listen");
            thread::sleep(Duration::from_millis(20));
        }
        server
    }

    fn arena(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(words).current_dir(self.path()).stdin(Stdio::null());
        command
    }

    /// Starts a worker at `basic`: for a user of its own, as `contest` has it for root, the python of a home is closed.
    fn worker(&self, name: &str) -> Running {
        let address = self.address("p1");
        let mut worker =
            self.arena(&["worker", &address, "--name", name, "--concurrency", "1", "--sandbox", "basic"]);
        let log = fs::File::create(self.path().join(format!("{name}.log"))).expect("a log");
        Running(worker.stderr(log).stdout(Stdio::null()).spawn().expect("a worker"))
    }

    /// Returns the command that has workers play, all of them by the same clocks: this machine is as fast as itself.
    fn run_command(&self, out: &str) -> Command {
        let address = self.address("p1");
        self.arena(&["run", "cup.yaml", "--out", out, "--workers", &address, "--clocks", "same"])
    }

    fn start(&self, out: &str) -> Running {
        self.start_with(out, &[])
    }

    fn start_with(&self, out: &str, more: &[&str]) -> Running {
        let mut run = self.run_command(out);
        let log = fs::File::create(self.path().join(format!("{out}.log"))).expect("a log");
        Running(run.args(more).stdout(Stdio::null()).stderr(log).spawn().expect("a run"))
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(format!("{name}.log"))).unwrap_or_default()
    }

    fn wait_for(&self, log: &str, text: &str) {
        let since = Instant::now();
        while !self.log(log).contains(text) {
            assert!(since.elapsed() < Duration::from_secs(60), "`{text}` is not in:\n{}", self.log(log));
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn run(&self, words: &[&str]) -> Output {
        self.arena(words).output().expect("it runs")
    }

    /// Returns how many lines the journal of a run has.
    fn lines(&self, out: &str) -> usize {
        fs::read_to_string(self.path().join(out).join("journal.jsonl")).map_or(0, |text| text.lines().count())
    }

    fn wait_for_games(&self, out: &str, count: usize) {
        let since = Instant::now();
        while self.lines(out) < count + 1 {
            assert!(
                since.elapsed() < Duration::from_secs(120),
                "{} lines of {count}\n{}",
                self.lines(out),
                self.log(out)
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn games(&self, out: &str) -> Vec<GameRecord> {
        record::read(&self.path().join(out)).expect("the journal is whole").games
    }

    /// Fails unless every game is there, once.
    fn assert_whole(&self, out: &str) {
        self.assert_has(out, GAMES);
    }

    fn assert_has(&self, out: &str, games: usize) {
        let mut numbers: Vec<_> = self.games(out).iter().map(|game| game.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=games as u64).collect::<Vec<_>>());
    }
}

/// Returns the games of a run by number, without what differs from machine to machine.
fn timeless(games: &[GameRecord]) -> Vec<String> {
    let mut lines: Vec<_> = games
        .iter()
        .map(|game| {
            let mut game = game.clone();
            game.started.clear();
            (game.gathered, game.worker) = (None, None);
            game.seconds = 0.0;
            for seat in &mut game.seats {
                (seat.cpu_ms, seat.peak_kib, seat.exit) = (None, None, None);
            }
            for ply in &mut game.plies {
                (ply.us, ply.used, ply.clock, ply.info) = (None, None, None, None);
            }
            (game.number, serde_json::to_string(&game).expect("JSON"))
        })
        .collect();
    lines.sort();
    lines.into_iter().map(|(_, line)| line).collect()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn every_format_leaves_the_journal_of_one_machine() {
    let site = Site::new();
    let bots = "bots: [{builtin: greedy}, {builtin: random}, {name: ab, builtin: alphabeta, options: {Hash: 4}}, \
                {name: mc, builtin: mcts}]";
    for (name, rest) in [
        ("round-robin", "rounds: 3"),
        ("swiss", "format: swiss\nrounds: 3"),
        ("knockout", "format: knockout\nrounds: 1"),
        ("ladder", "format: ladder\nrounds: 3"),
        ("best", "schedule: best\nrounds: 6"),
    ] {
        let text = format!("name: {name}\ngames: [farook]\n{bots}\n{rest}\ntc: nodes 60\n");
        fs::write(site.path().join("cup.yaml"), text).expect("a file");
        let (alone, fleet) = (format!("{name}-alone"), format!("{name}-fleet"));
        let first = site.run(&["run", "cup.yaml", "--out", &alone, "--concurrency", "2"]);
        assert!(first.status.success(), "{name}: {}", told(&first));
        let second = site.run(&["run", "cup.yaml", "--out", &fleet, "--workers", "local:2"]);
        assert!(second.status.success(), "{name}: {}", told(&second));
        // However short the run is, both have joined before the first pair is handed out.
        for worker in ["local-1", "local-2"] {
            assert!(told(&second).contains(&format!("worker {worker}: joins")), "{name}: {}", told(&second));
        }
        let (alone, fleet) = (site.games(&alone), site.games(&fleet));
        assert!(!alone.is_empty(), "{name}");
        assert_eq!(timeless(&alone), timeless(&fleet), "{name}");
    }
}

#[test]
fn a_test_of_strength_has_the_verdict_of_one_machine() {
    let site = Site::new();
    let sprt = |out: &str, workers: &[&str]| {
        let words = [
            "sprt", "--new", "greedy", "--base", "random", "--game", "farook", "--tc", "nodes 50", "--elo0",
            "0", "--elo1", "100", "--out", out,
        ];
        site.run(&words.iter().chain(workers).copied().collect::<Vec<_>>())
    };
    let (alone, fleet) = (sprt("alone", &[]), sprt("fleet", &["--workers", "local:2"]));
    assert_eq!(alone.status.code(), fleet.status.code(), "{}", told(&fleet));
    let verdict = |output: &Output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().find(|line| line.contains("the test is")).map(str::to_owned)
    };
    assert!(verdict(&alone).is_some());
    assert_eq!(verdict(&alone), verdict(&fleet));
}

#[test]
fn a_killed_coordinator_goes_on_with_what_workers_have_played_meanwhile() {
    let site = Site::new();
    let _broker = site.broker();
    let _workers = ["a", "b", "c"].map(|name| site.worker(name));
    let mut run = site.start("out");
    site.wait_for_games("out", 30);
    run.kill();
    let before = site.lines("out");
    // The workers end what they have.
    thread::sleep(Duration::from_secs(3));
    let again = site.run_command("out").output().expect("it runs");
    assert!(again.status.success(), "{}", told(&again));
    assert!(before < GAMES, "it was killed in the middle");
    site.assert_whole("out");
}

#[test]
fn a_killed_worker_and_a_broker_that_comes_back_empty_lose_no_game() {
    let site = Site::new();
    let mut broker = site.broker();
    let [_first, mut second, _third] = ["a", "b", "c"].map(|name| site.worker(name));
    let mut run = site.start("out");
    site.wait_for_games("out", 20);
    second.kill();
    site.wait_for_games("out", 40);
    broker.kill();
    thread::sleep(Duration::from_secs(2));
    fs::remove_dir_all(site.path().join("broker")).expect("the files of the broker");
    let _broker = site.broker();
    assert!(run.0.wait().expect("it ends").success());
    site.assert_whole("out");
}

#[test]
fn what_does_not_work_is_said_in_the_words_of_the_user() {
    let site = Site::new();
    let unreachable = site.run(&["run", "cup.yaml", "--workers", "nats://127.0.0.1:1"]);
    assert!(
        told(&unreachable).contains("no broker answers at `nats://127.0.0.1:1`"),
        "{}",
        told(&unreachable)
    );
    let _broker = site.broker();
    let refused = site.run(&["worker", &site.address("wrong")]);
    assert!(told(&refused).contains("refuses these credentials"), "{}", told(&refused));
    assert!(!told(&refused).contains("wrong"), "{}", told(&refused));
    let text = CUP.replace("python3, slow.py", "sh, -c, exit 3");
    fs::write(site.path().join("cup.yaml"), text).expect("a file");
    let unfit = site.run(&["run", "cup.yaml", "--workers", "local:1"]);
    assert!(told(&unfit).contains("bot `slow` does not play there"), "{}", told(&unfit));
    assert!(told(&unfit).contains("no worker can play some of the games"), "{}", told(&unfit));
    assert!(!unfit.status.success());
}

#[test]
fn a_worker_confines_bots_whatever_the_run_says_and_refuses_those_that_ask_for_more() {
    let site = Site::new();
    let _broker = site.broker();
    let secret = site.path().join("secret");
    fs::write(&secret, "nobody's business").expect("a file");
    // It resigns at once if it finds the address of the broker, or may read what is not its own.
    let spy = format!(
        "import os, sys\n\
         def reads(path):\n    try: return bool(open(path, 'rb').read())\n    except OSError: return False\n\
         found = 'ARENA_BROKER' in os.environ or reads({:?}) or reads('/proc/%d/environ' % os.getppid())\n\
         if found: sys.exit('found it')\n{SLOW}",
        secret.display().to_string()
    );
    fs::write(site.path().join("spy.py"), spy).expect("a file");
    let cup = |grant: &str| {
        format!(
            "name: cup\ngames: [farook]\nbots:\n  - {{name: spy, cmd: [python3, spy.py], sandbox: {grant}}}\n  \
             - {{builtin: random}}\n  - {{builtin: greedy}}\nrounds: 1\ntc: 60+1\n"
        )
    };
    let mut worker = site.arena(&["worker", "--name", "w", "--concurrency", "1", "--sandbox", "basic"]);
    let log = fs::File::create(site.path().join("w.log")).expect("a log");
    let worker = worker.env("ARENA_BROKER", site.address("p1")).stdout(Stdio::null()).stderr(log);
    let _worker = Running(worker.spawn().expect("a worker"));
    fs::write(site.path().join("cup.yaml"), cup("none")).expect("a file");
    let run = site.run_command("out").output().expect("it runs");
    let log = || fs::read_to_string(site.path().join("w.log")).unwrap_or_default();
    assert!(run.status.success(), "{}\n{}", told(&run), log());
    assert!(!log().contains("does not play here"), "{}", log());
    assert_eq!(site.games("out").len(), 6);
    assert!(site.games("out").iter().all(|game| game.failed.is_none()), "{}", told(&run));
    for game in site.games("out") {
        let level = game.worker.and_then(|worker| worker.sandbox);
        let has_spy = game.seats.iter().any(|seat| seat.bot == "spy");
        assert!(!has_spy || level.as_deref() == Some("basic"), "game {}: {level:?}", game.number);
    }

    let grant = format!("{{level: basic, read: [{:?}]}}", secret.display().to_string());
    fs::write(site.path().join("cup.yaml"), cup(&grant)).expect("a file");
    let mut run = site.run_command("more");
    let errors = fs::File::create(site.path().join("more.log")).expect("a log");
    let _run = Running(run.stdout(Stdio::null()).stderr(errors).spawn().expect("a run"));
    let since = Instant::now();
    loop {
        let told = fs::read_to_string(site.path().join("more.log")).unwrap_or_default();
        if told.contains("bot `spy` does not play there") && told.contains("`read: ") {
            break;
        }
        assert!(since.elapsed() < Duration::from_secs(60), "{told}\n{}", log());
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_network_that_is_cut_costs_time_and_no_game() {
    let site = Site::new();
    // It must last for longer than the silence.
    fs::write(site.path().join("cup.yaml"), CUP.replace("rounds: 10", "rounds: 50")).expect("a file");
    let broker = site.broker();
    let [first, _second, _third] = ["a", "b", "c"].map(|name| site.worker(name));
    let mut run = site.start_with("out", &["--silence", "5s"]);
    site.wait_for_games("out", 20);
    signal(&first, "-STOP");
    site.wait_for("out", "worker a: silent");
    signal(&first, "-CONT");
    // Now everybody is cut off from everybody.
    site.wait_for_games("out", 40);
    signal(&broker, "-STOP");
    thread::sleep(Duration::from_secs(8));
    signal(&broker, "-CONT");
    assert!(run.0.wait().expect("it ends").success(), "{}", site.log("out"));
    site.assert_has("out", 5 * GAMES);
    let names = site.games("out").into_iter().filter_map(|game| Some(game.worker?.name));
    assert_eq!(
        names.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>(),
        ["a", "b", "c"]
    );
    let report = fs::read_to_string(site.path().join("out/report.txt")).expect("a report");
    assert!(report.contains("Results by machine"), "{report}");
}

#[test]
fn what_counted_nowhere_stands_in_the_report_whoever_was_killed() {
    let site = Site::new();
    let _broker = site.broker();
    let [first, _second] = ["a", "b"].map(|name| site.worker(name));
    fs::write(site.path().join("cup.yaml"), CUP.replace("rounds: 10", "rounds: 20")).expect("a file");
    let mut run = site.start_with("out", &["--silence", "5s"]);
    site.wait_for_games("out", 10);
    signal(&first, "-STOP");
    site.wait_for("out", "worker a: silent");
    // Others play what it was playing, and then it reports that.
    site.wait_for_games("out", site.lines("out") + 20);
    signal(&first, "-CONT");
    let journal = || fs::read_to_string(site.path().join("out/journal.jsonl")).expect("a journal");
    let since = Instant::now();
    while !journal().contains(r#""worker":{"name":"a","uncounted":"duplicate"}"#) {
        assert!(since.elapsed() < Duration::from_secs(60), "{}", site.log("out"));
        thread::sleep(Duration::from_millis(50));
    }
    run.kill();
    let again = site.run_command("out").output().expect("it runs");
    assert!(again.status.success(), "{}", told(&again));
    site.assert_has("out", 2 * GAMES);
    let summary = record::summarize(&site.path().join("out")).expect("the journal is whole");
    let results = report::machine_results(&summary);
    let tallies: Vec<_> = results
        .iter()
        .map(|result| (result.worker.as_str(), result.uncounted.duplicates > 0, result.uncounted.failed))
        .collect();
    assert_eq!(tallies, [("a", true, 0), ("b", false, 0)]);
    let report = fs::read_to_string(site.path().join("out/report.txt")).expect("a report");
    let section = report.split("Results by machine").nth(1).expect("a section");
    assert!(section.contains("duplicate") && section.contains("attempt counts"), "{section}");
    let replayed = site.run(&["replay", "out"]);
    assert!(replayed.status.success(), "{}", told(&replayed));
}

#[test]
fn a_second_coordinator_of_a_run_is_refused_whatever_its_directory() {
    let site = Site::new();
    let _broker = site.broker();
    let _run = site.start("out");
    let since = Instant::now();
    while !site.log("out").contains("0/120 games") {
        assert!(since.elapsed() < Duration::from_secs(60), "{}", site.log("out"));
        thread::sleep(Duration::from_millis(50));
    }
    fs::create_dir(site.path().join("copy")).expect("a folder");
    fs::copy(site.path().join("out/workers.run"), site.path().join("copy/workers.run")).expect("a file");
    let second = site.run_command("copy").output().expect("it runs");
    assert!(!second.status.success());
    assert!(told(&second).contains("another coordinator plays this run"), "{}", told(&second));
}

#[test]
fn a_worker_whose_disk_is_full_still_reports_what_it_plays() {
    let site = Site::new();
    let _broker = site.broker();
    // No file of it may be larger than 1 KiB: the bots fit, results do not.
    let line = "trap '' XFSZ; ulimit -f 2; exec \"$0\" \"$@\"";
    let mut worker = Command::new("sh");
    worker.args(["-c", line, env!("CARGO_BIN_EXE_arena"), "worker", &site.address("p1"), "--name", "full"]);
    worker.args(["--concurrency", "1", "--sandbox", "basic"]).current_dir(site.path()).stdin(Stdio::null());
    let _worker = Running(worker.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a worker"));
    let mut run = site.start("out");
    assert!(run.0.wait().expect("it ends").success(), "{}", site.log("out"));
    site.assert_whole("out");
}

#[test]
fn a_broker_without_room_is_told_from_one_that_is_not_there() {
    let site = Site::new();
    let text = fs::read_to_string(site.path().join("broker.conf")).expect("a file");
    let text = text.replace("jetstream: {", "jetstream: { max_file_store: 1MB, ");
    fs::write(site.path().join("broker.conf"), text).expect("a file");
    let _broker = site.broker();
    let refused = site.run(&["run", "cup.yaml", "--workers", &site.address("p1")]);
    assert!(told(&refused).contains("no room"), "{}", told(&refused));
}

#[test]
fn workers_with_keys_may_speak_for_themselves_only() {
    let site = Site::new();
    let listen = format!("127.0.0.1:{}", site.port);
    let made = site.run(&["workers", "keys", "keys", "a", "b", "--listen", &listen]);
    assert!(made.status.success(), "{}", told(&made));
    let file = site.path().join("keys/broker.conf");
    let text = fs::read_to_string(&file).expect("a configuration");
    assert!(text.contains("sync_interval: always"));
    let version = server().arg("--version").output().expect("nats-server is installed");
    if String::from_utf8_lossy(&version.stdout).contains("v2.9.") {
        // Debian's does not know the word.
        fs::write(&file, text.replace("sync_interval: always", "")).expect("a file");
    }
    let _broker = site.broker_with("keys/broker.conf");
    let address = format!("nats://{listen}");
    let nobody = site.run(&["worker", &address]);
    assert!(told(&nobody).contains("refuses these credentials"), "{}", told(&nobody));
    let other = site.run(&["worker", &address, "--creds", "keys/a.key", "--name", "b"]);
    assert!(told(&other).contains("is that of worker `a`, not of `b`"), "{}", told(&other));
    let coordinates = site.run(&[
        "run",
        "cup.yaml",
        "--out",
        "wrong",
        "--workers",
        &address,
        "--creds",
        "keys/a.key",
        "--clocks",
        "same",
    ]);
    assert!(told(&coordinates).contains("the broker does not allow it"), "{}", told(&coordinates));
    let _workers = ["a", "b"].map(|name| {
        let key = format!("keys/{name}.key");
        let mut worker =
            site.arena(&["worker", &address, "--creds", &key, "--concurrency", "1", "--sandbox", "basic"]);
        let log = fs::File::create(site.path().join(format!("{name}.log"))).expect("a log");
        Running(worker.stderr(log).stdout(Stdio::null()).spawn().expect("a worker"))
    });
    let run = site.run(&[
        "run",
        "cup.yaml",
        "--out",
        "out",
        "--workers",
        &address,
        "--creds",
        "keys/run.key",
        "--clocks",
        "same",
    ]);
    assert!(run.status.success(), "{}\n{}", told(&run), site.log("a"));
    site.assert_whole("out");
    for name in ["a", "b"] {
        assert!(!site.log(name).contains("does not allow"), "{}", site.log(name));
    }
    for (key, told) in [("run", "those of a coordinator"), ("a", "those of worker `a`")] {
        let look = site.run(&["doctor", "--nats", &address, "--creds", &format!("keys/{key}.key")]);
        let text = String::from_utf8_lossy(&look.stdout).into_owned();
        assert!(look.status.success() && text.contains(&format!("rights       {told}")), "{text}");
    }
}

#[test]
fn a_worker_is_paused_and_drained_from_outside() {
    let site = Site::new();
    let _broker = site.broker();
    let [mut first, _second] = ["a", "b"].map(|name| site.worker(name));
    let mut run = site.start("out");
    site.wait_for_games("out", 10);
    let list = site.run(&["ctl", "out", "workers"]);
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    assert!(list.contains("a: playing") && list.contains("b: playing"), "{list}");
    assert!(site.run(&["ctl", "out", "worker", "a", "pause"]).status.success());
    site.wait_for("out", "worker a: paused");
    assert!(site.run(&["ctl", "out", "worker", "a", "resume"]).status.success());
    site.wait_for("out", "worker a: resumed");
    let unknown = site.run(&["ctl", "out", "worker", "c", "pause"]);
    assert!(told(&unknown).contains("there is no worker `c`"), "{}", told(&unknown));
    assert!(site.run(&["ctl", "out", "worker", "a", "drain"]).status.success());
    assert!(first.0.wait().expect("it ends").success());
    assert!(run.0.wait().expect("it ends").success(), "{}", site.log("out"));
    site.assert_whole("out");
}
