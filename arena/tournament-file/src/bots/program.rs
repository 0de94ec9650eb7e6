//! What is run for a bot, and which files make it the version that it is.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{self, Path, PathBuf};
use std::sync::Arc;

use diagnostic::Diagnostic;
use protocol::printable;
use rules::{Catalogue, Game, RulesSource};

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
    /// Files that it reads, but is no other version for: the rules of games of one's own.
    pub reads: Vec<PathBuf>,
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
    /// Returns the program of a bot that comes with the arena: the arena's own executable. Where games of one's own are played, it
    /// is started for them: with their rules, unless it needs only the lists of legal plies. No part of its version are they: the
    /// run records them by themselves.
    ///
    /// # Errors
    /// When there is no such bot.
    pub(crate) fn builtin(name: &str, own_games: &Catalogue) -> Result<Self, Diagnostic> {
        let Some(bot) = kit::builtin(name) else {
            return Err(Diagnostic::new(format!("the arena has no bot `{name}`")).hint(
                match rules::nearest(name, builtins()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the arena's own bots are {}", builtin_names()),
                },
            ));
        };
        let program = env::current_exe().map_err(|error| {
            Diagnostic::new(format!("failed to find the arena's own executable: {error}"))
        })?;
        let mut args: Vec<OsString> = vec!["bot".into(), name.into()];
        let mut reads = Vec::new();
        let rules = own_games.own().filter_map(|game| Some((game.id, Arc::clone(game.own_rules()?))));
        for (id, rules) in rules {
            if bot.plays_by_lot() {
                args.push("--any-game".into());
                break;
            }
            // Where they are a program, it says that it does not know the game.
            let RulesSource::Module(file) = rules.source() else { continue };
            let file = path::absolute(file).unwrap_or_else(|_| file.clone());
            args.extend(["--rules".into(), format!("{id}={}#{}", file.display(), rules.own_id()).into()]);
            reads.push(file);
        }
        Ok(Self {
            command: ["arena", "bot", name].map(str::to_owned).to_vec(),
            program,
            args,
            reads,
            files: Vec::new(),
            // The arena's version and rules, not the bytes of its executable: building it again changes nothing.
            identity: Some(format!("{} {}", env!("CARGO_PKG_VERSION"), rules::signature())),
        })
    }

    /// Returns the program of a command.
    ///
    /// # Errors
    /// When the command cannot be split into words, or its program cannot be run.
    pub(crate) fn command(line: &RawCommand, at: Directories<'_>) -> Result<Self, Diagnostic> {
        let command = match line {
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
        if let Some(error) = executable::launch_error(&file, name) {
            return Err(error);
        }
        let script = script(&command[1..]).filter(|script| at.lacks(script));
        if let Some(script) = script {
            return Err(at.no_script(script));
        }
        if matches!(line, RawCommand::Line(_)) && is_for_a_shell(&command) {
            let hint = format!("no shell reads the command: `sh -c '{}'` starts one", command.join(" "));
            return Err(Diagnostic::new("the command has words that only a shell understands").hint(hint));
        }
        let mut files = vec![file];
        let args = command[1..].iter().map(|argument| at.argument(argument, &mut files)).collect();
        if let Some(error) = files.get(1).and_then(|script| executable::shell_error(name, script)) {
            return Err(error);
        }
        Ok(Self { program, args, files, identity: None, reads: Vec::new(), command })
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

    /// Returns whether neither directory has this file.
    fn lacks(self, file: &str) -> bool {
        [self.base, self.dir].iter().all(|dir| !dir.join(file).exists())
    }

    /// Says that the script of a command does not exist.
    fn no_script(self, script: &str) -> Diagnostic {
        let folder = Path::new(script).parent().unwrap_or(Path::new(""));
        let entries = [self.base, self.dir].into_iter().filter_map(|dir| fs::read_dir(dir.join(folder)).ok());
        let mut names: Vec<_> =
            entries.flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        let name = Path::new(script).file_name().and_then(OsStr::to_str).unwrap_or(script);
        let near = rules::nearest(name, names.iter().map(String::as_str));
        let error = Diagnostic::new(format!("file `{script}` does not exist"));
        match near {
            Some(near) => {
                error.hint(format!("did you mean `{}`?", printable(&folder.join(near).display().to_string())))
            }
            None => error,
        }
        .hint(self.origin)
    }

    /// Says why a command leads to nothing that can be run.
    fn no_program(self, command: &[String]) -> Diagnostic {
        let name = &*command[0];
        let here = [self.base, self.dir].map(|dir| dir.join(name));
        let is_there = here.iter().any(|path| path.is_file());
        if !name.contains('/') {
            let error = Diagnostic::new(format!("program `{name}` is not in `PATH`"));
            return error.hint(match executable::interpreter(name).filter(|_| is_there) {
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
        let error = Diagnostic::new(format!("program `{name}` does not exist"));
        match name.split_whitespace().collect::<Vec<_>>().as_slice() {
            [] | [_] => error.hint(self.origin),
            words => {
                error.hint(format!("each word is an item of its own in a list: `[{}]`", words.join(", ")))
            }
        }
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

/// Returns why a bot that comes with the arena cannot play a game of one's own: it would have to ask a program, which a bot in a
/// sandbox cannot start. `None` where it can.
pub fn lacks_rules(bot: &str, game: &Game) -> Option<Diagnostic> {
    let bot = kit::builtin(bot).filter(|bot| !bot.plays_by_lot())?;
    let RulesSource::Program { .. } = game.own_rules()?.source() else { return None };
    let message = format!(
        "the bot `{}` cannot play `{}`: it asks the rules itself, and these are a program, which a bot cannot start",
        bot.name, game.id
    );
    Some(Diagnostic::new(message).hint(
        "the arena's bots play by rules in a WebAssembly module; of games whose rules are a program `random` alone is played",
    ))
}

/// Returns the script that an interpreter is given: its first argument, or that of `-jar`, if it has the name of a script.
/// What follows other options may be anything.
fn script(args: &[String]) -> Option<&str> {
    let first = match args {
        [jar, archive, ..] if jar == "-jar" => archive,
        [first, ..] if !first.starts_with('-') => first,
        _ => return None,
    };
    let is_script = executable::interpreter(first).is_some() || first.ends_with(".sh");
    is_script.then_some(first.as_str())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_what_an_interpreter_is_given_first() {
        let script = |line: &str| {
            let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            script(&words[1..]).map(str::to_owned)
        };
        assert_eq!(script("python3 mine.py --level 3").as_deref(), Some("mine.py"));
        assert_eq!(script("java -jar bots/mine.jar").as_deref(), Some("bots/mine.jar"));
        for line in
            ["python3 -m mine.py", "python3 -u mine.py", "./mine --weights x.py", "python3", "sh mine"]
        {
            assert_eq!(script(line), None, "{line}");
        }
    }

    #[test]
    fn a_script_that_does_not_exist_is_named_with_its_neighbour() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bots")).unwrap();
        fs::write(folder.path().join("bots/mine.py"), "print()").unwrap();
        let at = Directories { base: folder.path(), dir: folder.path(), origin: "paths are taken from here" };
        // The arena's own executable stands for an interpreter.
        let interpreter = env::current_exe().unwrap().display().to_string();
        let told = |script: &str| {
            let words = vec![interpreter.clone(), script.to_owned()];
            let program = Program::command(&RawCommand::Words(words), at);
            program.err().map(|error| diagnostic::Failure::from(error).to_string())
        };
        assert_eq!(told("bots/mine.py"), None);
        let missing = told("bots/mien.py").unwrap();
        assert!(missing.contains("file `bots/mien.py` does not exist"), "{missing}");
        assert!(
            missing.contains("hint: did you mean `bots/mine.py`?\nhint: paths are taken from here"),
            "{missing}"
        );
    }
}
