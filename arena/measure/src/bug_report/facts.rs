//! What the executable, the system and the programs on it are. Everything is optional: what nobody tells is left out.

use std::env::{self, consts};
use std::fs;
use std::io::{IsTerminal as _, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use sandbox::Support;
use sha2::{Digest as _, Sha256};

use crate::describe_machine;

/// Programs that bots in scripts need, and git, which tests of commits need.
const PROGRAMS: [(&str, &str); 10] = [
    ("git", "--version"),
    ("python3", "--version"),
    ("node", "--version"),
    ("java", "-version"),
    ("ruby", "--version"),
    ("perl", "-v"),
    ("lua", "-v"),
    ("php", "--version"),
    ("julia", "--version"),
    ("cargo", "--version"),
];

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// Limits of a control group, in its two versions: the name of the file in each, and what it limits.
const LIMITS: [(&str, &str, &str); 3] = [
    ("memory.max", "memory/memory.limit_in_bytes", "memory"),
    ("cpu.max", "cpu/cpu.cfs_quota_us", "processor"),
    ("pids.max", "pids/pids.max", "processes"),
];

/// What was found out, each with its name.
#[derive(Debug)]
pub(super) struct Facts(Vec<(&'static str, String)>);

impl Facts {
    /// Asks the system and the programs on it.
    pub(super) fn look(features: &[(&str, bool)]) -> Self {
        let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
        let commit = option_env!("ARENA_COMMIT").unwrap_or("not recorded: built by cargo");
        let (there, lacking): (Vec<_>, Vec<_>) = features.iter().partition(|(_, is_there)| *is_there);
        let names = |list: &[&(&str, bool)]| match list {
            [] => "none".to_owned(),
            list => list.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
        };
        let mut rows = vec![
            (
                "arena",
                format!("{}, {profile} build, {} {}", env!("CARGO_PKG_VERSION"), consts::ARCH, consts::OS),
            ),
            ("commit", commit.to_owned()),
            ("rules", rules::signature()),
            (
                "features",
                format!(
                    "with {}; without {}",
                    names(&there.iter().collect::<Vec<_>>()),
                    names(&lacking.iter().collect::<Vec<_>>())
                ),
            ),
            ("machine", describe_machine()),
            ("guards", if cfg!(target_os = "linux") { "yes" } else { "none: they need Linux" }.to_owned()),
            (
                "sandbox",
                Support::of_system()
                    .lacking()
                    .map_or_else(|| "see below".to_owned(), |why| format!("none: {why}")),
            ),
            ("terminal", terminal()),
        ];
        let mut add = |name, value: Option<String>| rows.extend(value.map(|value| (name, value)));
        add(
            "executable",
            env::current_exe().ok().and_then(|path| digest(&path)).map(|digest| format!("sha256 {digest}")),
        );
        add("system", system());
        add("kernel", said("uname", &["-sr"]));
        add("container", container());
        add("control group", limits());
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for (program, flag) in PROGRAMS {
            match said(program, &[flag]) {
                Some(text) => found.push(format!("{program}/{}", version(&text).unwrap_or("unknown"))),
                None => missing.push(program),
            }
        }
        add("programs", Some(format!("{}; not found: {}", found.join(", "), missing.join(", "))));
        Self(rows)
    }

    /// Returns what was found out, each with its name.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }
}

fn digest(path: &Path) -> Option<String> {
    Some(Sha256::digest(fs::read(path).ok()?).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns what the system calls itself.
fn system() -> Option<String> {
    let text = fs::read_to_string("/etc/os-release").ok()?;
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').to_owned())
}

/// Returns the kind of container that has marked this root.
fn container() -> Option<String> {
    let marks = [("/.dockerenv", "Docker"), ("/run/.containerenv", "Podman")];
    marks.iter().find(|(mark, _)| Path::new(mark).exists()).map(|(_, kind)| (*kind).to_owned())
}

/// Returns the limits of the control group of this process, not its name.
fn limits() -> Option<String> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
    let root = Path::new("/sys/fs/cgroup");
    let read = |path: &Path| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
    let limits = LIMITS.iter().filter_map(|(new, old, what)| {
        let paths = [root.join(own).join(new), root.join(new), root.join(old)];
        let value = paths.iter().find_map(|path| read(path))?;
        // Version 1 has large numbers where version 2 says `max`.
        let is_open = value.starts_with("max") || value.parse::<i64>().is_ok_and(|n| n < 0 || n > 1 << 60);
        let value = if is_open { "without limit" } else { &value };
        Some(format!("{what} {value}"))
    });
    let limits: Vec<_> = limits.collect();
    (!limits.is_empty()).then(|| limits.join(", "))
}

/// Returns what is known of the terminal. Of the environment, only the kind of terminal is told, if it looks like one.
fn terminal() -> String {
    let kind = env::var("TERM").unwrap_or_default();
    let is_kind = !kind.is_empty() && kind.chars().all(|c| c.is_ascii_alphanumeric() || "-+._".contains(c));
    let kind = if is_kind { kind } else { "kind unknown".to_owned() };
    let is = |is: bool| if is { "is a terminal" } else { "is not a terminal" };
    format!(
        "{kind}, {} columns; standard output {}, standard error {}; {}, {}",
        diagnostic::output::width(),
        is(std::io::stdout().is_terminal()),
        is(std::io::stderr().is_terminal()),
        if diagnostic::output::may_colour() { "colours" } else { "no colours" },
        if diagnostic::output::is_unicode() { "UTF-8" } else { "no UTF-8" },
    )
}

/// Returns the first line that a program says; nothing where it is not there, fails or takes too long.
fn said(program: &str, words: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    let (out, err) = (child.stdout.take()?, child.stderr.take()?);
    let (sender, receiver) = mpsc::channel();
    // It ends with the program, which is ended below at the latest.
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = out.take(1 << 16).read_to_end(&mut bytes);
        let _ = err.take(1 << 16).read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    let bytes = receiver.recv_timeout(PATIENCE).unwrap_or_default();
    let _ = child.kill();
    let _ = child.wait();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

/// Returns the first word of a line that looks like a version.
fn version(line: &str) -> Option<&str> {
    let words = line.split_whitespace().map(|word| word.trim_matches(|c: char| "v(),\"".contains(c)));
    words.into_iter().find(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_say() {
        for (line, found) in [
            ("git version 2.47.3", Some("2.47.3")),
            ("v20.20.2", Some("20.20.2")),
            ("openjdk version \"21.0.10.1\" 2026-11-17", Some("21.0.10.1")),
            ("This is perl 5, version 36, subversion 0 (v5.36.0) built for x86_64", Some("5.36.0")),
            ("command not found", None),
        ] {
            assert_eq!(version(line), found);
        }
        assert_eq!(said("no-such-program", &[]), None);
        assert_eq!(said("echo", &["one\ntwo"]).as_deref(), Some("one"));
    }
}
