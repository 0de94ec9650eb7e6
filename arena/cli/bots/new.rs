//! `arena new`: a kit to start a bot or a game from, written out of the executable.

mod game;
mod texts;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use catalogue::Kit;
use clap::{Args, Subcommand};
use diagnostic::Exit;
use diagnostic::output;
use diagnostic::say;
use diagnostic::{Diagnostic, Failure};

/// The arguments of `arena new`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    thing: Thing,
}

#[derive(Debug, Subcommand)]
enum Thing {
    /// Write two small bots in a language of your choice, with a tournament that they play in
    Bot(Bot),
    /// Write a small game of your own in a language of your choice, with a tournament in it
    Game(game::NewGame),
}

/// The arguments of `arena new bot`.
#[derive(Debug, Args)]
struct Bot {
    /// The language: one of those that `--list` shows
    #[arg(long, value_name = "LANG", required_unless_present = "list")]
    lang: Option<String>,
    /// The folder to write to; it is made, and no file in it is overwritten
    #[arg(required_unless_present = "list")]
    dir: Option<PathBuf>,
    /// List the languages, and what each of them needs
    #[arg(long, conflicts_with_all = ["lang", "dir"])]
    list: bool,
}

impl Arguments {
    /// Writes what is asked for.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        match &self.thing {
            Thing::Bot(Bot { lang: Some(lang), dir: Some(dir), .. }) => write_kit(&find(lang)?, dir)?,
            // Clap asks for both, or for the list.
            Thing::Bot(_) => output::print(&list())?,
            Thing::Game(game) => game.run()?,
        }
        Ok(Exit::Done)
    }
}

/// Returns the languages as a table: what `--lang` takes, the language, the programs that are needed.
fn list() -> String {
    let mut text = String::new();
    for kit in catalogue::kits() {
        let manifest = &kit.manifest;
        let _ = writeln!(text, "{:12}{:12}{}", manifest.name, manifest.language, manifest.tools.join(", "));
    }
    text
}

fn find(lang: &str) -> Result<Kit, Failure> {
    catalogue::find(lang).ok_or_else(|| {
        let kits = catalogue::kits();
        let wanted = lang.to_lowercase();
        let names = kits.iter().flat_map(|kit| kit.names().map(str::to_lowercase));
        let names: Vec<_> = names.collect();
        let known = kits.iter().map(|kit| kit.manifest.name.as_str()).collect::<Vec<_>>().join(", ");
        let diagnostic = Diagnostic::new(format!("there is no kit for `{lang}`"));
        match rules::nearest(&wanted, names.iter().map(String::as_str)) {
            Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
            None => diagnostic.hint(format!("the languages are {known}")),
        }
        .hint(
            "a bot can be written in any language: `protocol-spec/PROTOCOL.md` says what it reads and writes",
        )
        .into()
    })
}

fn write_kit(kit: &Kit, dir: &Path) -> Result<(), Failure> {
    let files = texts::files(kit);
    let written: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    write_all(dir, &written)?;
    tell_of_missing_tools(&kit.manifest.tools, &kit.manifest.packages);
    let next = ["cd ".to_owned() + &quoted(dir)];
    let lines = next.into_iter().chain(kit.build()).chain(["arena run tournament.yaml".to_owned()]);
    output::print(&lines.flat_map(|line| [line, "\n".to_owned()]).collect::<String>())
}

/// Writes files into a folder, which is made; none of them is there yet.
fn write_all(dir: &Path, files: &[(&str, &str)]) -> Result<(), Failure> {
    if dir.exists() && !dir.is_dir() {
        return Err(Failure::usage(format!("`{}` is not a directory", output::path(dir))));
    }
    let present: Vec<_> = files.iter().map(|file| file.0).filter(|name| dir.join(name).exists()).collect();
    if !present.is_empty() {
        let message = format!("`{}` holds already: {}", output::path(dir), present.join(", "));
        return Err(Failure::usage(message).hint("nothing is overwritten: name another directory"));
    }
    fs::create_dir_all(dir)
        .map_err(|error| Failure::io(format!("failed to make `{}`", output::path(dir)), &error))?;
    for (name, text) in files {
        let path = dir.join(name);
        write_new(&path, text)
            .map_err(|error| Failure::io(format!("failed to write `{}`", output::path(&path)), &error))?;
    }
    let names: Vec<_> = files.iter().map(|file| file.0).collect();
    say(&format!("written to {}: {}", output::path(dir), names.join(", ")));
    Ok(())
}

/// Writes a file that is not there yet.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    File::create_new(path)?.write_all(text.as_bytes())
}

/// Says which of the programs that a kit needs are not in `PATH`, and which packages hold them.
fn tell_of_missing_tools<T: AsRef<str>>(tools: &[T], packages: &[T]) {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |tool: &str| std::env::split_paths(&path).any(|dir| dir.join(tool).is_file());
    let missing: Vec<_> = tools.iter().map(AsRef::as_ref).filter(|tool| !is_there(tool)).collect();
    if !missing.is_empty() {
        let packages = packages.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" ");
        say(&format!("not in PATH: {}; Debian has it in: {packages}", missing.join(", ")));
    }
}

/// Returns a path as a word of a shell.
fn quoted(path: &Path) -> String {
    output::quoted(&output::path(path))
}
