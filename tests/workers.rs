//! Runs on other machines, with real workers and a real broker (`nats-server`): whatever is killed, every game is there once. A part of
//! the second stage of CI; without the feature `nats` nothing of it is built.

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
        let mut server = Command::new("nats-server");
        let path = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin";
        server.env("PATH", path).args(["-c", "broker.conf", "-l", "broker.log"]).current_dir(self.path());
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

    fn start(&self, out: &str) -> Running {
        let address = self.address("p1");
        let mut run = self.arena(&["run", "cup.yaml", "--out", out, "--workers", &address]);
        Running(run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a run"))
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
            assert!(since.elapsed() < Duration::from_secs(120), "{} lines of {count}", self.lines(out));
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn games(&self, out: &str) -> Vec<GameRecord> {
        record::read(&self.path().join(out)).expect("the journal is whole").games
    }

    /// Fails unless every game is there, once.
    fn assert_whole(&self, out: &str) {
        let mut numbers: Vec<_> = self.games(out).iter().map(|game| game.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=GAMES as u64).collect::<Vec<_>>());
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
    let again = site.run(&["run", "cup.yaml", "--out", "out", "--workers", &site.address("p1")]);
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
    assert!(told(&unfit).contains("no worker can play some of the bots"), "{}", told(&unfit));
    assert!(!unfit.status.success());
}

#[test]
fn a_run_of_this_machine_leaves_no_process_behind_when_it_is_killed() {
    let site = Site::new();
    let mut run = site.arena(&["run", "cup.yaml", "--out", "out", "--workers", "local:2"]);
    run.env("TMPDIR", site.path());
    let mut run = Running(run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a run"));
    site.wait_for_games("out", 5);
    // The list of processes shows the directory of the private broker.
    let own = site.path().join("arena-broker-").display().to_string();
    let left = || {
        let list = Command::new("ps").args(["-eo", "args"]).output().expect("ps");
        let list = String::from_utf8_lossy(&list.stdout).into_owned();
        list.lines().filter(|line| line.contains(&own)).count()
    };
    assert!(left() > 0, "the broker and its workers run");
    run.kill();
    let since = Instant::now();
    while left() > 0 {
        assert!(since.elapsed() < Duration::from_secs(20), "{} processes are left", left());
        thread::sleep(Duration::from_millis(100));
    }
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
    let run = site.run(&["run", "cup.yaml", "--out", "out", "--workers", &site.address("p1")]);
    let log = || fs::read_to_string(site.path().join("w.log")).unwrap_or_default();
    assert!(run.status.success(), "{}\n{}", told(&run), log());
    assert!(!log().contains("does not play here"), "{}", log());
    assert_eq!(site.games("out").len(), 6);
    assert!(site.games("out").iter().all(|game| game.failed.is_none()), "{}", told(&run));

    let grant = format!("{{level: basic, read: [{:?}]}}", secret.display().to_string());
    fs::write(site.path().join("cup.yaml"), cup(&grant)).expect("a file");
    let mut run = site.arena(&["run", "cup.yaml", "--out", "more", "--workers", &site.address("p1")]);
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
