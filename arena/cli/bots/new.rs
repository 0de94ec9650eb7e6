//! `arena new bot`: a kit to start a bot from, written out of the executable.

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

/// What `arena new` is told.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    thing: Thing,
}

#[derive(Debug, Subcommand)]
enum Thing {
    /// Write two small bots in a language of your choice, with a tournament that they play in
    Bot(Bot),
}

/// What `arena new bot` is told.
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
        let Thing::Bot(bot) = &self.thing;
        match (&bot.lang, &bot.dir) {
            (Some(lang), Some(dir)) => write_kit(&find(lang)?, dir)?,
            // Clap asks for both, or for the list.
            _ => output::print(&list())?,
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
    for (name, text) in &files {
        let path = dir.join(name);
        write_new(&path, text)
            .map_err(|error| Failure::io(format!("failed to write `{}`", output::path(&path)), &error))?;
    }
    let names: Vec<_> = files.iter().map(|file| file.0).collect();
    say(&format!("written to {}: {}", output::path(dir), names.join(", ")));
    tell_of_missing_tools(kit);
    let next = ["cd ".to_owned() + &quoted(dir)];
    let lines = next.into_iter().chain(kit.build()).chain(["arena run tournament.yaml".to_owned()]);
    output::print(&lines.flat_map(|line| [line, "\n".to_owned()]).collect::<String>())
}

/// Writes a file that is not there yet.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    File::create_new(path)?.write_all(text.as_bytes())
}

/// Says which of the programs that a kit needs are not in `PATH`.
fn tell_of_missing_tools(kit: &Kit) {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |tool: &str| std::env::split_paths(&path).any(|dir| dir.join(tool).is_file());
    let missing: Vec<_> = kit.manifest.tools.iter().filter(|tool| !is_there(tool)).cloned().collect();
    if !missing.is_empty() {
        let packages = kit.manifest.packages.join(" ");
        say(&format!("not in PATH: {}; Debian has it in: {packages}", missing.join(", ")));
    }
}

/// Returns a path as a word of a shell.
fn quoted(path: &Path) -> String {
    let text = output::path(path);
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./".contains(letter);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
