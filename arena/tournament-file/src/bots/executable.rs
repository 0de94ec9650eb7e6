//! What keeps a program from being run although its file is there and may be executed, as far as the file's beginning tells.
//!
//! The system's own words for it are few (`No such file or directory`, of a file that is there), and a shell that takes a file for a
//! script of its own complains of its second line. So it is found out before anything is started. Only what cannot work is
//! an error; whatever else fails is left to the start of the bot.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use diagnostic::Diagnostic;

/// How much of a file is looked at: as much as Linux reads to find out what it is.
const START: u64 = 256;

/// Programs that read scripts, by the usual ending of a script's name.
const INTERPRETERS: [(&str, &str); 10] = [
    ("py", "python3"),
    ("js", "node"),
    ("mjs", "node"),
    ("rb", "ruby"),
    ("pl", "perl"),
    ("php", "php"),
    ("lua", "lua"),
    ("R", "Rscript"),
    ("tcl", "tclsh"),
    ("jar", "java -jar"),
];

/// Shells, which take a carriage return for a part of the last word of a line.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];

/// Returns the program that reads such a script, by the ending of its name.
pub(crate) fn interpreter(name: &str) -> Option<&'static str> {
    let ending = Path::new(name).extension()?.to_str()?;
    INTERPRETERS.iter().find(|(known, _)| *known == ending).map(|(_, program)| *program)
}

/// Returns why the file at `path`, which the user calls `name`, cannot be run.
pub(crate) fn launch_error(path: &Path, name: &str) -> Option<Diagnostic> {
    let start = beginning(path)?;
    let error = |what: String, hint: String| Some(Diagnostic::new(what).hint(hint));
    if start.is_empty() {
        return error(format!("file `{name}` is empty"), "save it, or build it again".to_owned());
    }
    if let Some(line) = start.strip_prefix(b"#!") {
        return script_error(line, name);
    }
    if start.starts_with(b"\xef\xbb\xbf#!") {
        return error(
            format!("file `{name}` begins with a byte order mark, so that its `#!` is not seen"),
            format!("save it as UTF-8 without one: `sed -i '1s/^\\xef\\xbb\\xbf//' {name}`"),
        );
    }
    if let Some(system) = foreign(&start).filter(|_| !runs_foreign()) {
        return error(format!("file `{name}` is {system}"), "build it on this machine, or for it".to_owned());
    }
    let program = interpreter(name).filter(|_| !start.starts_with(b"\x7fELF"))?;
    error(
        format!("file `{name}` has no `#!` line, so that a shell would read it"),
        match program.split_once(' ') {
            Some(_) => format!("name what runs it: `{program} {name}`"),
            None => format!(
                "name what runs it: `{program} {name}`; or let it begin with `#!/usr/bin/env {program}`"
            ),
        },
    )
}

/// Returns why `shell`, if it is one, cannot run the script at `path`.
pub(crate) fn shell_error(shell: &str, path: &Path) -> Option<Diagnostic> {
    let shell = Path::new(shell).file_name()?.to_str()?;
    let is_script = SHELLS.contains(&shell) && ends_as_on_windows(&beginning(path)?);
    is_script.then(|| carriage_return(&path.display().to_string(), "a shell"))
}

/// Returns why the line after `#!` names nothing that can be run.
fn script_error(line: &[u8], name: &str) -> Option<Diagnostic> {
    let has_return = ends_as_on_windows(line);
    let line = line.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_ascii_whitespace();
    let program = words.next()?;
    // A program of its own may overlook the carriage return behind an argument; `env` and the system do not.
    let is_last = words.next().is_none();
    if has_return && (is_last || program.ends_with("/env")) {
        return Some(carriage_return(name, "the system"));
    }
    let is_missing = Path::new(program).is_absolute() && !Path::new(program).exists();
    is_missing.then(|| {
        let found = Path::new(program).file_name().map(|file| file.to_string_lossy().into_owned());
        Diagnostic::new(format!("what `{name}` is to be run with does not exist: `{program}`")).hint(format!(
            "its first line names it; `#!/usr/bin/env {}` finds a program by `PATH`",
            found.unwrap_or_else(|| "python3".to_owned())
        ))
    })
}

fn carriage_return(name: &str, reader: &str) -> Diagnostic {
    Diagnostic::new(format!("the lines of `{name}` end as on Windows, which {reader} does not understand"))
        .hint(format!("take the carriage returns away: `sed -i 's/\\r$//' {name}`"))
}

/// Returns whether the first line ends with a carriage return and a line feed.
fn ends_as_on_windows(start: &[u8]) -> bool {
    start.iter().position(|byte| *byte == b'\n').is_some_and(|end| start[..end].ends_with(b"\r"))
}

/// Returns for what a file was built, if that is not this system.
fn foreign(start: &[u8]) -> Option<String> {
    if start.starts_with(b"MZ") {
        return Some("a program for Windows".to_owned());
    }
    if [&b"\xcf\xfa\xed\xfe"[..], b"\xce\xfa\xed\xfe"].iter().any(|magic| start.starts_with(magic)) {
        return Some("a program for macOS".to_owned());
    }
    let (kind, machine) = elf(start)?;
    if kind == RELOCATABLE {
        return Some("an object file, which is not linked".to_owned());
    }
    let own = std::env::current_exe().ok().and_then(|arena| beginning(&arena))?;
    let (_, ours) = elf(&own)?;
    // A 64-bit system runs both, whichever of them the arena is.
    let is_either = |pair: [u16; 2]| pair.contains(&ours) && pair.contains(&machine);
    let runs = machine == ours || is_either([X86_64, I386]) || is_either([AARCH64, ARM]);
    (!runs).then(|| {
        let known = MACHINES.iter().find(|(number, _)| *number == machine);
        let other = known.map_or_else(|| format!("number {machine}"), |(_, name)| (*name).to_owned());
        format!("a program for another processor ({other})")
    })
}

/// What an ELF file is that was compiled and not linked (`ET_REL` of `elf(5)`).
const RELOCATABLE: u16 = 1;
const I386: u16 = 3;
const ARM: u16 = 40;
const X86_64: u16 = 62;
const AARCH64: u16 = 183;

/// Processors by their number in ELF files (`e_machine` of `elf(5)`).
const MACHINES: [(u16, &str); 5] =
    [(I386, "i386"), (ARM, "arm"), (X86_64, "x86-64"), (AARCH64, "aarch64"), (243, "riscv")];

/// Returns what an ELF file is, and for which processor; none for other files.
fn elf(start: &[u8]) -> Option<(u16, u16)> {
    let header: &[u8; 20] = start.first_chunk()?;
    let number: fn([u8; 2]) -> u16 = match header[5] {
        1 => u16::from_le_bytes,
        2 => u16::from_be_bytes,
        _ => return None,
    };
    header
        .starts_with(b"\x7fELF")
        .then(|| (number([header[16], header[17]]), number([header[18], header[19]])))
}

/// Returns whether this system hands programs of other systems to an emulator, as `wine` and `qemu` arrange it.
fn runs_foreign() -> bool {
    let entries = fs::read_dir("/proc/sys/fs/binfmt_misc");
    entries.into_iter().flatten().flatten().any(|entry| {
        let name = entry.file_name();
        name != "register" && name != "status"
    })
}

fn beginning(path: &Path) -> Option<Vec<u8>> {
    let mut start = Vec::new();
    record::open_regular(path).ok()?.take(START).read_to_end(&mut start).ok()?;
    Some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what is said of a file of this name with these contents.
    fn check(name: &str, contents: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, contents).unwrap();
        said(launch_error(&path, name))
    }

    fn said(error: Option<Diagnostic>) -> String {
        error.map(|error| diagnostic::Failure::from(error).to_string()).unwrap_or_default()
    }

    #[test]
    fn what_can_be_run_is_no_error() {
        assert_eq!(check("bot", b"#!/bin/sh\necho\n"), "");
        assert_eq!(check("bot.py", b"#!/usr/bin/env python3\n"), "");
        assert_eq!(check("bot", b"#! /bin/sh -e\n"), "");
        // Without `#!` it is a script of a shell, which the system starts.
        assert_eq!(check("bot", b"echo\n"), "");
        assert_eq!(check("bot.sh", b"echo\n"), "");
        // The carriage return is an argument, which `sh` may bear.
        assert_eq!(check("bot", b"#!/bin/sh -e\r\n"), "");
        let own = std::env::current_exe().unwrap();
        assert_eq!(said(launch_error(&own, "arena")), "");
        assert_eq!(said(launch_error(&own, "arena.py")), "");
    }

    #[test]
    fn line_ends_of_windows_are_told() {
        let words = "the lines of `bot` end as on Windows, which the system does not understand";
        assert!(check("bot", b"#!/bin/sh\r\n").contains(words));
        let told = check("bot", b"#!/usr/bin/env python3\r\nimport sys\r\n");
        assert!(
            told.contains(words)
                && told.contains(r"hint: take the carriage returns away: `sed -i 's/\r$//' bot`")
        );
    }

    #[test]
    fn a_shell_reads_no_line_ends_of_windows_either() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.sh");
        fs::write(&path, b"echo\r\n").unwrap();
        assert!(said(shell_error("/bin/bash", &path)).contains("which a shell does not understand"));
        assert_eq!(said(shell_error("python3", &path)), "");
        fs::write(&path, b"echo\n").unwrap();
        assert_eq!(said(shell_error("bash", &path)), "");
    }

    #[test]
    fn an_interpreter_that_is_not_there_is_told() {
        let told = check("bot", b"#!/usr/bin/no-such-python -u\n");
        assert!(
            told.contains("what `bot` is to be run with does not exist: `/usr/bin/no-such-python`"),
            "{told}"
        );
        assert!(told.contains("`#!/usr/bin/env no-such-python`"), "{told}");
    }

    #[test]
    fn a_script_without_its_first_line_is_told_what_runs_it() {
        let told = check("bot.py", b"import sys\n");
        assert!(told.contains("file `bot.py` has no `#!` line"), "{told}");
        assert!(told.contains("hint: name what runs it: `python3 bot.py`; or let it begin"), "{told}");
        assert!(check("bot.jar", b"PK\x03\x04").contains("hint: name what runs it: `java -jar bot.jar`\n"));
        assert!(check("bot", b"\xef\xbb\xbf#!/bin/sh\n").contains("begins with a byte order mark"));
        assert!(check("bot", b"").contains("file `bot` is empty"));
    }

    #[test]
    fn what_was_built_for_something_else_is_told_unless_an_emulator_runs_it() {
        let elf = |kind: u8, machine: u8| {
            let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
            file.extend([kind, 0, machine, 0]);
            file
        };
        let of = |file: &[u8]| foreign(file).unwrap_or_default();
        assert_eq!(of(b"MZ\x90\0"), "a program for Windows");
        assert_eq!(of(b"\xcf\xfa\xed\xfe\x07"), "a program for macOS");
        assert_eq!(of(&elf(1, 62)), "an object file, which is not linked");
        assert_eq!(of(&elf(2, 22)), "a program for another processor (number 22)");
        assert!(runs_foreign() || check("bot", b"MZ\x90\0").contains("file `bot` is a program for Windows"));
    }
}
