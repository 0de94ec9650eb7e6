//! One tournament with one attack: a folder of a user's own, the executable, the two bots, a watchdog.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::attacks::{Attack, Clock, Program};
use crate::level::Level;
use crate::programs::Programs;
use crate::traces::{Leftovers, Traces, peak_memory};
use crate::user::User;

/// How long a round of two games may take at the most: a machine that compiles something else is slow.
const LIMIT: Duration = Duration::from_secs(240);

/// How often the memory of the arena is looked at.
const SAMPLE: Duration = Duration::from_millis(10);

/// Where programs are found that everybody may run.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The files of the attacker in Python.
const PYTHON: [(&str, &str); 7] = [
    ("attacker.py", include_str!("attacker/attacker.py")),
    ("common.py", include_str!("attacker/common.py")),
    ("crowds.py", include_str!("attacker/crowds.py")),
    ("ends.py", include_str!("attacker/ends.py")),
    ("lines.py", include_str!("attacker/lines.py")),
    ("names.py", include_str!("attacker/names.py")),
    ("others.py", include_str!("attacker/others.py")),
];

/// What the folder and its services are for one attack.
pub(crate) struct Site<'a> {
    programs: &'a Programs,
    folder: TempDir,
    user: User,
    level: Level,
    traces: Traces,
    known: Leftovers,
    services: Services,
    rounds: u32,
}

/// Who listens on this machine for what a bot may try to tell the world.
struct Services {
    tcp: TcpListener,
    udp: UdpSocket,
    unix: UnixListener,
}

/// How a tournament ended.
pub(crate) struct Ended {
    /// The exit code; nothing after a signal, or when the watchdog had to end it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) peak_kib: u64,
}

impl<'a> Site<'a> {
    pub(crate) fn new(programs: &'a Programs, attack: &Attack, level: Level, rounds: u32) -> Self {
        let folder = tempfile::Builder::new().prefix("arena-chaos-").tempdir().expect("a temporary folder");
        let path = folder.path().canonicalize().expect("the folder is there");
        let user = User::new();
        let services = Services::new();
        let bad = path.join("bad");
        fs::create_dir(&bad).expect("a folder for the attacker");
        fs::create_dir(path.join("tmp")).expect("a folder for what is temporary");
        let port = services.tcp.local_addr().expect("it listens").port();
        let words = match attack.program {
            Program::Python => {
                for (name, text) in PYTHON {
                    fs::write(bad.join(name), text).expect("the attacker");
                }
                let script = bad.join("attacker.py").display().to_string();
                format!("[/usr/bin/python3, '{script}', {}, '{}', {port}]", attack.name, path.display())
            }
            Program::C => {
                fs::copy(programs.attacker(), bad.join("attacker")).expect("the attacker");
                let program = bad.join("attacker").display().to_string();
                format!("['{program}', {}, '{}']", attack.name, path.display())
            }
        };
        let clock = match attack.clock {
            Clock::Long => "movetime 60s",
            Clock::Short => "movetime 2s",
        };
        let cup = format!(
            "games: [farook]\nbots:\n  - {{name: honest, builtin: random}}\n  - {{name: attacker, cmd: {words}, dir: bad, tc: {clock}}}\n\
             tc: 600+10\nrounds: {rounds}\nconcurrency: 1\nmax-faults: none\nopenings: {{plies: 0, repeat: true}}\nout: out\n{}",
            attack.settings
        );
        fs::write(path.join("cup.yaml"), cup).expect("the tournament");
        fs::write(path.join("secret"), "nobody's business\n").expect("a secret");
        fs::set_permissions(path.join("secret"), fs::Permissions::from_mode(0o600)).expect("rights");
        user.own(&path).expect("root may give files away");
        let traces = Traces::of(user, &path);
        let known = traces.leftovers();
        Self { programs, folder, user, level, traces, known, services, rounds }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().expect("the folder is there").join(name)
    }

    /// Returns the executable with these words, to be run in the folder by the user.
    pub(crate) fn arena(&self, words: &[&str]) -> Command {
        let mut command = Command::new(self.programs.arena());
        command.args(words).current_dir(self.folder.path()).stdin(Stdio::null()).env_clear();
        command.env("PATH", PATH).env("HOME", self.path("")).env("TMPDIR", self.path("tmp"));
        command.env("CHAOS_SECRET", self.path("secret")).env("COLUMNS", "400");
        self.user.run(&mut command);
        command
    }

    /// Plays the tournament, with somebody outside who ends it when it does not end by itself.
    pub(crate) fn play(&self) -> Ended {
        let file = self.path("cup.yaml").display().to_string();
        let out = fs::File::create(self.path("stdout")).expect("a file");
        let err = fs::File::create(self.path("stderr")).expect("a file");
        let mut command = self.arena(&["run", &file]);
        command.args(self.level.flags()).stdout(out).stderr(err);
        let mut child = command.spawn().expect("the executable starts");
        let (status, peak_kib) = watch(&mut child, LIMIT * self.rounds);
        if status.is_none() {
            let _ = child.kill();
            let _ = child.wait();
        }
        let text =
            |name| String::from_utf8_lossy(&fs::read(self.path(name)).unwrap_or_default()).into_owned();
        Ended {
            code: status.and_then(|status| status.code()),
            stdout: text("stdout"),
            stderr: text("stderr"),
            peak_kib,
        }
    }

    /// Says what is left of the tournament that should not be, and clears it away.
    pub(crate) fn left(&self) -> Vec<String> {
        let mut left = self.traces.left(&self.known);
        self.traces.clear();
        let temporary = fs::read_dir(self.path("tmp")).into_iter().flatten().flatten();
        left.extend(temporary.map(|entry| format!("temporary file {}", entry.path().display())));
        let mut own: Vec<_> = fs::read_dir(self.path("")).into_iter().flatten().flatten().collect();
        own.retain(|entry| {
            let name = entry.file_name();
            !["bad", "cup.yaml", "out", "secret", "stderr", "stdout", "tmp"]
                .iter()
                .any(|known| name == *known)
        });
        left.extend(own.iter().map(|entry| format!("file {}", entry.path().display())));
        left.extend(self.services.heard());
        left
    }
}

impl Drop for Site<'_> {
    fn drop(&mut self) {
        self.traces.clear();
    }
}

impl Services {
    fn new() -> Self {
        let tcp = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = tcp.local_addr().expect("it listens").port();
        let udp = UdpSocket::bind(("127.0.0.1", port)).expect("the same port");
        let name = SocketAddr::from_abstract_name(format!("arena-chaos-{port}")).expect("a name");
        let unix = UnixListener::bind_addr(&name).expect("the name is free");
        tcp.set_nonblocking(true).expect("a socket");
        udp.set_nonblocking(true).expect("a socket");
        unix.set_nonblocking(true).expect("a socket");
        Self { tcp, udp, unix }
    }

    /// Says who called.
    fn heard(&self) -> Vec<String> {
        let calls = [
            ("TCP", self.tcp.accept().is_ok()),
            ("UDP", self.udp.recv_from(&mut [0; 16]).is_ok()),
            ("an abstract socket", self.unix.accept().is_ok()),
        ];
        calls
            .into_iter()
            .filter(|(_, is_called)| *is_called)
            .map(|(name, _)| format!("a call over {name}"))
            .collect()
    }
}

/// Waits for the end of the arena, and returns it with the most memory that it held, in KiB.
fn watch(child: &mut Child, limit: Duration) -> (Option<ExitStatus>, u64) {
    let (deadline, mut peak) = (Instant::now() + limit, 0);
    while Instant::now() < deadline {
        if let Some(now) = peak_memory(child.id()) {
            peak = peak.max(now);
        }
        if let Some(status) = child.try_wait().expect("it is our child") {
            return (Some(status), peak);
        }
        thread::park_timeout(SAMPLE);
    }
    (None, peak)
}
