//! What the levels of the sandbox promise, each promise by a process that tries to break it.
//!
//! Every attempt is first made without a sandbox, where it has to succeed: else nothing would be shown by its refusal.
//! As root all is tried once more as an ordinary user, whom the system protects less from itself.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use sandbox::{Attributes, Level, Policy, ResourceLimits, Support};
use tempfile::TempDir;

const PYTHON: &str = "/usr/bin/python3";

/// An ordinary user, where the tests run as root.
const USER: u32 = 59_999;

/// Attempts that a system may refuse by itself.
const OFTEN_REFUSED: [&str; 4] = [
    "make a user namespace",
    "make a ring of system calls",
    "leave a POSIX queue behind",
    "trace the victim",
];

/// Attempts that come to nothing in namespaces though they succeed there: what they leave behind is the bot's own.
const OWN: [&str; 5] = [
    "leave shared memory behind",
    "leave semaphores behind",
    "leave a queue behind",
    "leave a POSIX queue behind",
    "leave POSIX memory behind",
];

/// A machine with a victim on it.
struct Machine {
    user: Option<u32>,
    folder: TempDir,
    victim: Child,
    tcp: TcpListener,
    unix: UnixListener,
    _hidden: UnixListener,
    name: String,
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

impl Machine {
    /// Starts a victim as this user.
    fn new(user: Option<u32>) -> Self {
        let folder = tempfile::tempdir_in("/tmp").expect("the test can set its stage");
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755))
            .expect("the test can set its stage");
        for (name, is_open) in [("bot", true), ("home", false), ("private", false)] {
            let path = folder.path().join(name);
            fs::create_dir(&path).expect("the test can set its stage");
            fs::write(path.join("file"), "text").expect("the test can set its stage");
            let mode = if is_open { 0o755 } else { 0o700 };
            fs::set_permissions(&path, Permissions::from_mode(mode)).expect("the test can set its stage");
        }
        let attacks = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sandbox/attacks.py");
        fs::copy(attacks, folder.path().join("bot/attacks.py")).expect("the test can set its stage");
        let unix = UnixListener::bind(folder.path().join("home/socket")).expect("the test can set its stage");
        if let Some(user) = user {
            for path in ["", "bot", "bot/file", "home", "home/file", "home/socket", "private"] {
                std::os::unix::fs::chown(folder.path().join(path), Some(user), Some(user))
                    .expect("the test can set its stage");
            }
        }
        let name = folder.path().display().to_string();
        let hidden = UnixListener::bind_addr(
            &SocketAddr::from_abstract_name(&name).expect("the test can set its stage"),
        )
        .expect("the test can set its stage");
        let mut victim = Command::new("/bin/sleep");
        victim.arg("600").stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let victim = as_user(&mut victim, user).spawn().expect("the test can set its stage");
        // As if an arena of this user had made them.
        std::os::unix::fs::fchown(victim.stdin.as_ref().expect("the test can set its stage"), user, user)
            .expect("the test can set its stage");
        std::os::unix::fs::fchown(victim.stdout.as_ref().expect("the test can set its stage"), user, user)
            .expect("the test can set its stage");
        Self {
            user,
            folder,
            victim,
            tcp: TcpListener::bind("127.0.0.1:0").expect("the test can set its stage"),
            unix,
            _hidden: hidden,
            name,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the words that start the attacks.
    fn words(&self) -> Vec<String> {
        let _ = &self.unix;
        vec![
            PYTHON.to_owned(),
            self.path("bot/attacks.py").display().to_string(),
            self.victim.id().to_string(),
            self.path("home/file").display().to_string(),
            self.path("home").display().to_string(),
            self.tcp.local_addr().expect("the test can set its stage").port().to_string(),
            self.path("home/socket").display().to_string(),
            self.path("bot/file").display().to_string(),
            self.name.clone(),
        ]
    }

    fn policy(&self, level: Level, user: Option<u32>) -> Policy {
        Policy {
            level,
            read: vec![self.path("bot")],
            write: Vec::new(),
            network: false,
            keep: vec!["ARENA_TEST_ENTRY".to_owned()],
            limits: ResourceLimits::of(level),
            attributes: Attributes::Refused,
            hidden_memory: true,
            user,
            landlock: Support::of_system().landlock,
        }
    }

    /// Returns whether `strict` can be had. Where the arena refuses it, another program is refused namespaces too, and the
    /// refusal says what would allow them.
    fn gives_namespaces(&self) -> bool {
        let (is_confined, words) = python(self, &self.policy(Level::Strict, None), "pass");
        if is_confined {
            return true;
        }
        assert!(words.contains("what would allow it: "), "{words}");
        let mut other = Command::new("/usr/bin/unshare");
        other.args([
            "--user",
            "--map-root-user",
            "--mount",
            "--ipc",
            "--uts",
            "--net",
            "--pid",
            "--fork",
            "--mount-proc",
        ]);
        let output = as_user(other.arg("true"), self.user).output().expect("util-linux is there");
        assert!(!output.status.success(), "others are not refused what the arena is: {words}");
        false
    }

    /// Attacks, under a policy or free, and returns what came of each attempt, and the facts.
    fn attack(&self, policy: Option<&Policy>) -> (BTreeMap<String, bool>, BTreeMap<String, String>) {
        let words = self.words();
        let mut command = match policy {
            None => Command::new(&words[0]),
            Some(policy) => {
                let prefix =
                    policy.prefix(env!("CARGO_BIN_EXE_arena").into()).expect("the test can set its stage");
                let mut command = Command::new(&prefix[0]);
                command.args(&prefix[1..]).arg(&words[0]);
                command
            }
        };
        command.args(&words[1..]).current_dir(self.path("bot")).process_group(0);
        command
            .env("ARENA_TEST_SECRET", "open")
            .env(sandbox::carried("ARENA_TEST_ENTRY"), "kept")
            .env("TMPDIR", self.path("private"));
        let output = as_user(&mut command, self.user).output().expect("the test can set its stage");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{:?}: {errors}", output.status);
        let (mut outcomes, mut facts) = (BTreeMap::new(), BTreeMap::new());
        for line in String::from_utf8(output.stdout).expect("the test can set its stage").lines() {
            match line.split('\t').collect::<Vec<_>>().as_slice() {
                ["done", name] => _ = outcomes.insert((*name).to_owned(), true),
                ["refused", name, _] => _ = outcomes.insert((*name).to_owned(), false),
                ["fact", name, value] => _ = facts.insert((*name).to_owned(), (*value).to_owned()),
                _ => panic!("{line}"),
            }
        }
        (outcomes, facts)
    }
}

fn as_user(command: &mut Command, user: Option<u32>) -> &mut Command {
    match user {
        Some(user) => command.uid(user).gid(user),
        None => command,
    }
}

/// Whether the arena's executable and the attacks can be run by other users, and the tests run as root.
fn users() -> Vec<Option<u32>> {
    let is_root = Support::of_system().root;
    let is_open = sandbox::closed_to(Path::new(env!("CARGO_BIN_EXE_arena")), USER).is_none();
    if is_root && is_open { vec![None, Some(USER)] } else { vec![None] }
}

fn check(level: Level, change: impl Fn(&mut Policy)) {
    for user in users() {
        let machine = Machine::new(user);
        if level == Level::Strict && !machine.gives_namespaces() {
            println!("judged: user {user:?} is refused namespaces, and told what would allow them");
            continue;
        }
        println!("judged: user {user:?} at {level}");
        let is_root = Support::of_system().root && user.is_none();
        let own = (is_root && level >= Level::Contest).then_some(USER - 1);
        let (free, _) = machine.attack(None);
        fs::remove_file(machine.path("private/x")).expect("the free attack has written it");
        let mut policy = machine.policy(level, own);
        change(&mut policy);
        let (confined, facts) = machine.attack(Some(&policy));
        assert!(free.len() > 40 && free.len() == confined.len(), "{free:?}");
        for (name, is_done) in &free {
            assert!(
                *is_done || OFTEN_REFUSED.contains(&name.as_str()),
                "user {user:?}, none: refused: {name}"
            );
        }
        for (name, is_done) in &confined {
            let is_allowed = level == Level::Strict && OWN.contains(&name.as_str());
            assert!(!is_done || is_allowed, "user {user:?}, {level}: done: {name}");
        }
        assert_eq!(facts["descriptors"], "[0, 1, 2]", "{facts:?}");
        assert_eq!(facts["secret"], "None", "{facts:?}");
        assert_eq!(facts["entry"], "kept", "{facts:?}");
        assert_eq!((facts["home"].as_str(), facts["core"].as_str()), ("True", "0"), "{facts:?}");
        assert_eq!(facts["private"], "4", "{facts:?}");
        assert!(facts["privileges"].contains("'0000000000000000'"), "{facts:?}");
        assert!(facts["privileges"].ends_with("'1']"), "{facts:?}");
        if let Some(own) = own {
            assert_eq!(facts["user"], own.to_string());
        }
        assert!(machine.path("private/x").exists());
        assert_eq!(
            fs::read(machine.path("home/file")).expect("the test can set its stage").len(),
            0,
            "cut off by the free attack alone"
        );
    }
}

#[test]
fn a_bot_at_basic_reaches_nothing_but_its_own() {
    check(Level::Basic, |_| {});
}

#[test]
fn a_bot_at_contest_reaches_nothing_but_its_own() {
    check(Level::Contest, |_| {});
}

#[test]
fn a_bot_at_strict_reaches_nothing_but_its_own() {
    check(Level::Strict, |_| {});
}

#[test]
fn older_kernels_confine_as_well_by_the_filter() {
    // Linux 5.13 has files alone, 6.2 truncation, 6.7 TCP: the filter stands in for the rest.
    for landlock in [1, 3, 4] {
        check(Level::Basic, |policy| policy.landlock = landlock);
    }
}

/// Runs Python under a policy and returns whether it ended well, with what it wrote to its standard error.
fn python(machine: &Machine, policy: &Policy, code: &str) -> (bool, String) {
    let prefix = policy.prefix(env!("CARGO_BIN_EXE_arena").into()).expect("paths are text");
    let mut command = Command::new(&prefix[0]);
    command.args(&prefix[1..]).args([PYTHON, "-c", code]).current_dir(machine.path("bot"));
    command.env("TMPDIR", machine.path("private"));
    let output = as_user(&mut command, machine.user).output().expect("the arena starts");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn limits_hold() {
    for user in users() {
        let machine = Machine::new(user);
        let limited = |limits: ResourceLimits| Policy { limits, ..machine.policy(Level::Basic, None) };
        let free = limited(ResourceLimits::default());
        let cases = [
            ("bytearray(300 << 20)", ResourceLimits { memory: Some(200 << 20), ..ResourceLimits::default() }),
            (
                "import os; open(os.environ['TMPDIR'] + '/big', 'wb').write(bytes(2 << 20))",
                ResourceLimits { file_size: Some(1 << 20), ..ResourceLimits::default() },
            ),
            (
                "a = [open('/dev/null') for _ in range(40)]",
                ResourceLimits { files: Some(32), ..ResourceLimits::default() },
            ),
        ];
        for (code, limits) in cases {
            assert!(python(&machine, &free, code).0, "{code}");
            assert!(!python(&machine, &limited(limits), code).0, "{code} within {limits:?}");
        }
        if user.is_none() && Support::of_system().root {
            let forks =
                "import os\nfor _ in range(40):\n if os.fork() == 0: os.execvp('sleep', ['sleep', '1'])";
            let own = machine.policy(Level::Contest, Some(USER - 2));
            assert!(python(&machine, &own, forks).0);
            // Another user: the first one's processes still sleep.
            let other = machine.policy(Level::Contest, Some(USER - 3));
            let few = ResourceLimits { processes: Some(8), ..other.limits };
            // The private directory is the first one's: it is the arena that makes one for each process.
            std::os::unix::fs::chown(machine.path("private"), Some(0), Some(0)).expect("root may");
            let (is_well, words) = python(&machine, &Policy { limits: few, ..other }, forks);
            assert!(!is_well && words.contains("BlockingIOError"), "{words}");
        }
    }
}

#[test]
fn memory_that_nobody_could_count_is_refused_and_programs_do_without() {
    let ways = [
        "import os; os.memfd_create('x')",
        "import mmap; mmap.mmap(-1, 4096)",
        "import fcntl, os; fcntl.fcntl(os.pipe()[0], 1031, 1 << 17)",
        "import socket; socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)",
        "import os; r, w = os.pipe(); os.sendfile(w, os.open('/etc/passwd', os.O_RDONLY), 0, 10)",
        "import ctypes as c; l = c.CDLL(None, use_errno=True); assert l.vmsplice(1, 0, 0, 0) == 0, c.get_errno()",
    ];
    let ordinary = [
        "import shutil, os; shutil.copyfile('/etc/passwd', os.environ['TMPDIR'] + '/copy')",
        "import asyncio; asyncio.run(asyncio.sleep(0))",
        "import subprocess; assert subprocess.run(['cat', '/etc/passwd'], capture_output=True).stdout",
        "import multiprocessing as m; p = m.get_context('fork').Process(target=print); p.start(); p.join(); assert p.exitcode == 0",
        "import mmap, os; f = open(os.environ['TMPDIR'] + '/map', 'w+b'); f.truncate(4096); mmap.mmap(f.fileno(), 4096)[0] = 1",
    ];
    for user in users() {
        let machine = Machine::new(user);
        for level in [Level::Basic, Level::Contest] {
            let open = machine.policy(level, None);
            let counted = Policy { hidden_memory: false, ..open.clone() };
            for code in ways {
                assert!(python(&machine, &open, code).0, "{code}");
                assert!(!python(&machine, &counted, code).0, "{level}: {code}");
            }
            for code in ordinary {
                let (is_well, words) = python(&machine, &counted, code);
                assert!(is_well, "{level}: {code}: {words}");
            }
            // What can be written and mapped is shared memory, whoever counts.
            assert!(!python(&machine, &open, "open('/dev/zero', 'r+b', 0)").0);
            assert!(python(&machine, &counted, "open('/dev/zero', 'rb', 0).read(9)").0);
        }
        if machine.gives_namespaces() {
            let code = "import ctypes as c; assert c.CDLL(None).shmget(0, 4096, 0o1666) >= 0";
            let open = machine.policy(Level::Strict, None);
            assert!(python(&machine, &open, code).0);
            assert!(!python(&machine, &Policy { hidden_memory: false, ..open }, code).0);
        }
    }
}

#[test]
fn paths_that_are_named_are_opened_and_the_network_too() {
    let machine = Machine::new(None);
    let policy = machine.policy(Level::Basic, None);
    let home = machine.path("home");
    let read = format!("open('{}/file').read()", home.display());
    let write = format!("open('{}/new', 'w').write('x')", home.display());
    let open = Policy { read: vec![home.clone()], ..policy.clone() };
    assert!(!python(&machine, &policy, &read).0);
    assert!(python(&machine, &open, &read).0 && !python(&machine, &open, &write).0);
    let open = Policy { write: vec![home], ..policy.clone() };
    assert!(python(&machine, &open, &read).0 && python(&machine, &open, &write).0);
    let port = machine.tcp.local_addr().expect("it listens").port();
    let connect = format!("import socket; socket.create_connection(('127.0.0.1', {port}))");
    let unix = format!(
        "import socket; socket.socket(socket.AF_UNIX).connect('{}')",
        machine.path("home/socket").display()
    );
    let open = Policy { network: true, ..policy.clone() };
    assert!(!python(&machine, &policy, &connect).0 && python(&machine, &open, &connect).0);
    assert!(!python(&machine, &open, &unix).0);
}

#[test]
fn what_cannot_be_confined_is_not_started() {
    let machine = Machine::new(None);
    let policy = machine.policy(Level::Basic, None);
    let (is_well, words) =
        python(&machine, &Policy { write: vec!["/nowhere".into()], ..policy.clone() }, "pass");
    assert!(!is_well && words.contains("failed to open `/nowhere`"), "{words}");
    // Somebody else made the private directory, and it leads elsewhere.
    fs::remove_dir_all(machine.path("private")).expect("it is there");
    std::os::unix::fs::symlink(machine.path("home"), machine.path("private")).expect("a link");
    let (is_well, words) = python(&machine, &policy, "pass");
    assert!(!is_well && words.contains("somebody else has made it"), "{words}");
    let output = Command::new(env!("CARGO_BIN_EXE_arena")).args(["confine", "{}", "--", "true"]).output();
    let output = output.expect("the arena starts");
    assert_eq!(output.status.code(), Some(125));
    assert!(String::from_utf8_lossy(&output.stderr).contains("for the arena's own use"));
}

/// Runs the arena in a folder and returns its exit code, and both outputs.
fn arena(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let output = command.args(words).current_dir(folder).env("TMPDIR", folder).stdin(Stdio::null()).output();
    let output = output.expect("the arena starts");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn games_are_played_confined_and_the_journal_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = [
        "match", "random", "greedy", "--game", "farook", "--rounds", "1", "--tc", "nodes 50", "--out", "out",
    ];
    let (code, text) = arena(folder.path(), &[&words[..], &["--sandbox", "basic"]].concat());
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("\nsandbox: basic (Landlock ") || text.starts_with("sandbox: basic (Landlock "),
        "{text}"
    );
    assert!(text.contains("No game was lost by a fault."), "{text}");
    let journal = fs::read_to_string(folder.path().join("out/journal.jsonl")).expect("a journal");
    assert_eq!(
        journal.lines().next().expect("a line").matches(r#""sandbox":"basic ("#).count(),
        2,
        "{journal}"
    );
    let left = fs::read_dir(folder.path()).expect("the folder").flatten().map(|entry| entry.file_name());
    assert_eq!(left.collect::<Vec<_>>(), ["out"], "private directories do not stay");
}

/// A library that leaves a file behind where it is loaded by a process that may write there.
const LOADED: &str = r#"#include <stdio.h>
__attribute__((constructor)) static void load(void) { FILE *file = fopen("HERE", "a"); if (file) fclose(file); }
"#;

#[test]
fn what_a_variable_has_loaded_is_confined_with_its_bot() {
    let folder = tempfile::tempdir_in("/tmp").expect("a folder");
    let path = |name: &str| folder.path().join(name);
    // Everybody may write: nothing but the sandbox keeps the bot from it.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).expect("the test can set its stage");
    let here = path("loaded").display().to_string();
    fs::write(path("loaded.c"), LOADED.replace("HERE", &here)).expect("a file");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o", "loaded.so", "loaded.c"]).current_dir(&folder);
    assert!(compiler.status().expect("a C compiler").success());
    let bot = "import os, sys\nassert os.environ['LEVEL'] == '3' and 'loaded.so' in os.environ['LD_PRELOAD']\n\
        assert not any(name.startswith('ARENA_') for name in os.environ)\n";
    let random = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/bots/python/random_bot.py"));
    fs::write(path("bot.py"), bot.to_owned() + &random.expect("the bot is there")).expect("a file");
    let levels = ["none", "basic", "contest", "strict"]
        .into_iter()
        .filter(|level| *level != "strict" || Machine::new(None).gives_namespaces());
    for level in levels {
        let file = format!(
            "games: [farook]\nrounds: 1\nout: {level}\nbots:\n  - {{builtin: random}}\n  - {{name: a, cmd: [{PYTHON}, bot.py], \
             sandbox: {level}, env: {{LEVEL: 3, LD_PRELOAD: {}}}}}\n",
            path("loaded.so").display()
        );
        fs::write(path("cup.yaml"), file).expect("a file");
        let (code, text) = arena(folder.path(), &["run", "cup.yaml"]);
        assert_eq!(code, Some(0), "{level}: {text}");
        assert!(text.contains("No game was lost by a fault."), "{level}: {text}");
        assert_eq!(path("loaded").exists(), level == "none", "{level}: {text}");
        let _ = fs::remove_file(path("loaded"));
    }
}

#[test]
fn who_plays_programs_of_others_without_a_sandbox_is_warned() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = |bots: &str| {
        fs::write(
            folder.path().join("cup.yaml"),
            format!("games: [farook]\nsandbox: none\nbots: [{bots}]\n"),
        )
        .expect("a file");
        let (code, text) = arena(folder.path(), &["plan", "cup.yaml"]);
        assert_eq!(code, Some(0), "{text}");
        text
    };
    let text = plan("{builtin: random}, {name: a, cmd: [sh, x]}, {name: b, cmd: [sh, y]}");
    assert!(
        text.contains("warning: no sandbox for `a`, `b`: a program without one can stop, kill or answer for"),
        "{text}"
    );
    let text = plan("{builtin: random}, {builtin: greedy}");
    assert!(!text.contains("warning"), "{text}");
    let text = plan("{builtin: random}, {name: a, cmd: [sh, x], sandbox: basic}");
    assert!(!text.contains("warning"), "{text}");
}

#[test]
fn what_a_level_cannot_hold_to_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |bot: &str| format!("games: [farook]\nbots: [{{builtin: random}}, {bot}]\n");
    let refused = |bot: &str, reason: &str| {
        fs::write(folder.path().join("cup.yaml"), file(bot)).expect("a file");
        let (code, text) = arena(folder.path(), &["plan", "cup.yaml"]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(reason), "{text}");
    };
    refused(
        "{name: a, cmd: [sh, x], io: tcp, sandbox: basic}",
        "`a` cannot be confined at `basic`: it is reached over TCP",
    );
    refused("{name: a, cmd: [sh], sandbox: high}", "allowed: `none`, `basic`, `contest`, `strict`");
    refused("{name: a, cmd: [sh], sandbox: {level: basic, read: [nowhere]}}", "`nowhere` cannot be opened");
    refused("{name: a, cmd: [sh], sandbox: {level: basic, file-size: 2T}}", "such as `512MiB`");
    refused("{name: a, cmd: [sh], sandbox: {level: basic, memory: 2GiB}}", "`memory`");
    refused("{name: a, cmd: [sh], sandbox: {level: basic, networks: true}}", "did you mean `network`?");
    if Support::of_system().root {
        // Its folder is closed to other users.
        let bot = "{name: a, cmd: [sh], dir: closed, sandbox: contest}";
        fs::create_dir(folder.path().join("closed")).expect("a folder");
        fs::set_permissions(folder.path().join("closed"), Permissions::from_mode(0o700)).expect("it is ours");
        refused(bot, "as a user of its own it cannot open");
    }
}
