//! What is run for a bot, and which files make it the version that it is.

use std::env;
use std::ffi::OsString;
use std::path::{self, Path, PathBuf};

use diagnostic::Diagnostic;

use crate::written::raw::RawCommand;
use crate::{bots::executable, flags::words};

/// A program with its arguments.
#[derive(Debug)]
pub(crate) struct Program {
    /// The program and its arguments, as written.
    pub command: Vec<String>,
    /// The program, absolute or to be found in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// The files whose contents make the version; none for a bot of the arena or of a commit.
    pub files: Vec<PathBuf>,
    /// What stands for the contents of a bot of the arena or of a commit.
    pub identity: Option<String>,
}

/// The directories from which paths are taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Directories<'a> {
    /// That of the tournament file.
    pub base: &'a Path,
    /// That in which the bot runs.
    pub dir: &'a Path,
    /// Says where paths are taken from.
    pub origin: &'a str,
}

/// Returns the names of the bots that come with the arena.
pub(crate) fn builtins() -> impl Iterator<Item = &'static str> {
    kit::BUILTINS.iter().map(|bot| bot.name)
}

/// Returns the same names as a text.
pub(crate) fn builtin_names() -> String {
    builtins().collect::<Vec<_>>().join(", ")
}

/// Says where paths of a tournament file are taken from.
pub(crate) fn origin(base: &Path) -> String {
    // A tournament file's directory is always written in full.
    if base == Path::new(".") {
        return "paths are taken from the current directory".to_owned();
    }
    format!("paths are taken from the directory of the tournament file, `{}`", base.display())
}

impl Program {
    /// Returns the program of a bot that comes with the arena: the arena's own executable.
    ///
    /// # Errors
    /// When there is no such bot.
    pub(crate) fn builtin(name: &str) -> Result<Self, Diagnostic> {
        if kit::builtin(name).is_none() {
            return Err(Diagnostic::new(format!("the arena has no bot `{name}`")).hint(
                match rules::nearest(name, builtins()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the arena's own bots are {}", builtin_names()),
                },
            ));
        }
        let program = env::current_exe().map_err(|error| {
            Diagnostic::new(format!("failed to find the arena's own executable: {error}"))
        })?;
        Ok(Self {
            command: vec!["arena".to_owned(), "bot".to_owned(), name.to_owned()],
            program,
            args: vec!["bot".into(), name.into()],
            files: Vec::new(),
            // The arena's version and rules, not the bytes of its executable: building it anew changes nothing.
            identity: Some(format!("{} {}", env!("CARGO_PKG_VERSION"), rules::signature())),
        })
    }

    /// Returns the program of a command.
    ///
    /// # Errors
    /// When the command cannot be split into words, or its program cannot be run.
    pub(crate) fn command(command: &RawCommand, at: Directories<'_>) -> Result<Self, Diagnostic> {
        let command = match command {
            RawCommand::Words(words) => words.clone(),
            RawCommand::Line(line) => words::split(line).ok_or_else(|| {
                Diagnostic::new("the command has a quote that is not closed").hint("quotes come in pairs")
            })?,
        };
        let Some(name) = command.first().filter(|name| !name.is_empty()) else {
            let hint = "for example `python3 mine.py`";
            return Err(Diagnostic::new("the command names no program").hint(hint));
        };
        if command.iter().any(|word| word.contains('\0')) {
            return Err(Diagnostic::new("the command has a zero byte").hint("no program can be given one"));
        }
        let (program, file) = at.find(name).ok_or_else(|| at.no_program(&command))?;
        if let Some(fault) = executable::fault(&file, name) {
            return Err(fault);
        }
        let mut files = vec![file];
        let args = command[1..].iter().map(|argument| at.argument(argument, &mut files)).collect();
        if let Some(fault) = files.get(1).and_then(|script| executable::shell_fault(name, script)) {
            return Err(fault);
        }
        Ok(Self { program, args, files, identity: None, command })
    }
}

impl Directories<'_> {
    /// Returns the program to run and the file it is: a name alone is looked for in `PATH`, a path from the
    /// directory of the tournament file, then from the bot's own.
    fn find(self, name: &str) -> Option<(PathBuf, PathBuf)> {
        if name.contains('/') {
            let paths = [self.base, self.dir].map(|dir| dir.join(name));
            let path = paths.into_iter().find(|path| is_executable(path))?;
            let path = path::absolute(path).ok()?;
            return Some((path.clone(), path));
        }
        let path = env::var_os("PATH")?;
        let file = env::split_paths(&path).map(|dir| dir.join(name)).find(|path| is_executable(path))?;
        Some((PathBuf::from(name), file))
    }

    /// Says why a command leads to nothing that can be run.
    fn no_program(self, command: &[String]) -> Diagnostic {
        let name = &*command[0];
        let here = [self.base, self.dir].map(|dir| dir.join(name));
        let is_there = here.iter().any(|path| path.is_file());
        if !name.contains('/') {
            let fault = Diagnostic::new(format!("program `{name}` is not in `PATH`"));
            return fault.hint(match executable::interpreter(name).filter(|_| is_there) {
                _ if is_for_a_shell(command) => format!(
                    "no shell reads the command: `sh -c '{}'` starts one; `dir` says in which directory a bot runs",
                    command.join(" ")
                ),
                _ if name.contains(' ') => {
                    let words = name.split_whitespace().collect::<Vec<_>>().join(", ");
                    format!("each word is an item of its own in a list: `[{words}]`")
                }
                Some(program) => format!("name what runs it: `{program} {name}`"),
                None if is_there => format!("the file `{name}` of the directory is written `./{name}`"),
                None => {
                    format!("a program that is not in `PATH` is written with its directory, such as `./{name}`")
                }
            });
        }
        if is_there {
            let program = executable::interpreter(name).unwrap_or("INTERPRETER");
            let hint =
                format!("make it executable with `chmod +x`, or name its interpreter: `{program} {name}`");
            return Diagnostic::new(format!("file `{name}` is not executable")).hint(hint);
        }
        if here.iter().any(|path| path.is_dir()) {
            let hint = "name the program in it";
            return Diagnostic::new(format!("`{name}` is a directory, not a program")).hint(hint);
        }
        Diagnostic::new(format!("program `{name}` does not exist")).hint(self.origin)
    }

    /// Returns an argument as the program gets it. One that names a file makes the version; if the program could
    /// not find the file from the directory it runs in, the argument becomes absolute.
    fn argument(self, argument: &str, files: &mut Vec<PathBuf>) -> OsString {
        let here = self.dir.join(argument);
        let there = self.base.join(argument);
        if here.is_file() {
            files.push(here);
        } else if there.is_file() {
            files.push(there.clone());
            return path::absolute(&there).unwrap_or(there).into();
        }
        argument.into()
    }
}

/// Returns whether a command was meant for a shell: it has signs that only a shell knows.
fn is_for_a_shell(command: &[String]) -> bool {
    const SIGNS: [&str; 7] = ["&&", "||", "|", ";", ">", "<", "&"];
    command[0] == "cd" || command.iter().any(|word| SIGNS.contains(&&**word))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
