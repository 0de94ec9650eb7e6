//! `arena import`: the command.

use std::fs::OpenOptions;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use diagnostic::{Exit, Failure, output, say};

use crate::draft::{Imported, Surroundings, translate};
use crate::error::ImportError;
use crate::openings::{self, Converted};

/// The longest command line that is read.
const MOST_BYTES: u64 = 1 << 20;
/// How many faulty openings are named.
const MOST_SHOWN: usize = 5;

/// The arguments of `arena import`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: `arena import -o test.yaml -- fastchess -engine cmd=./new name=new -engine cmd=./old name=old -each \
                  tc=8+0.08 -rounds 500`. Without words the command line is read from standard input, as a shell would: quotes, backslashes \
                  and continued lines, but no variables. Paths are taken from the current directory. What has no counterpart is \
                  named, with the reason; arena/docs/moving-over.md has all options. No file is ever overwritten."
)]
pub struct ImportArguments {
    /// The tournament file to write; a file of openings is written beside it where one is named
    #[arg(long, short, value_name = "FILE", default_value = "tournament.yaml")]
    output: PathBuf,
    /// The rules of the game: a command or a WebAssembly module. Without it, chess by the program `arena-chess`
    #[arg(long, value_name = "COMMAND")]
    rules: Option<String>,
    /// The command line: `cutechess-cli` or `fastchess`, and its options
    #[arg(value_name = "WORD", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

impl ImportArguments {
    /// Writes the tournament file.
    ///
    /// # Errors
    /// When the command line cannot be translated, or a file cannot be read or written.
    pub fn run(&self) -> Result<Exit, Failure> {
        let words = if self.words.is_empty() { read_words()? } else { self.words.clone() };
        let imported =
            translate(words.iter().cloned(), &self.surroundings()).map_err(|error| failure(&error))?;
        let files = [Some(self.output.clone()), imported.book.as_ref().map(|_| self.openings_file())];
        // Both or neither is written.
        files.iter().flatten().try_for_each(|path| is_free(path))?;
        let mut written = vec![output::path(&self.output)];
        if let Some((text, converted)) = self.openings(&imported)? {
            tell_faulty(&converted);
            let path = self.openings_file();
            write_new(&path, &text)?;
            written.push(output::path(&path));
        }
        write_new(&self.output, &with_head(&words, &imported))?;
        for note in &imported.notes {
            say(&format!("`{}`: {}", note.option, note.why));
        }
        let name = output::quoted(&self.output.to_string_lossy());
        say(&format!("written: {}\nto see what it means: arena plan {name}", written.join(", ")));
        if self.rules.is_none() {
            say(
                "the rules of chess are the program `arena-chess`, which comes with the packages of the arena; \
                 `cargo xtask games chess` builds it, and `--rules` names another place",
            );
        }
        Ok(Exit::Done)
    }

    /// Returns the openings as the text of a file, and what was found; nothing where none are named.
    fn openings(&self, imported: &Imported) -> Result<Option<(String, Converted)>, Failure> {
        let Some(book) = &imported.book else { return Ok(None) };
        let converted = openings::convert(book).map_err(|error| {
            Failure::io(format!("failed to read the openings `{}`", output::path(&book.file)), &error)
        })?;
        if converted.lines.is_empty() {
            let why = converted.faulty.first().map_or("it has no openings", String::as_str);
            return Err(Failure::usage(format!("`{}`: {why}", output::path(&book.file))));
        }
        if converted.found > converted.lines.len() + converted.faulty.len() {
            let kept = output::count(converted.lines.len() as u64, "opening");
            say(&format!("{kept} of the {} in `{}`", converted.found, output::path(&book.file)));
        }
        let text = format!("# Openings of chess.\n{}\n", converted.lines.join("\n"));
        Ok(Some((text, converted)))
    }

    /// Returns what the file says that the command line does not.
    fn surroundings(&self) -> Surroundings {
        let is_here = |parent: &Path| parent.as_os_str().is_empty() || parent == Path::new(".");
        let elsewhere = self.output.parent().filter(|parent| !is_here(parent));
        let name = self.openings_file().file_name().map(|name| name.to_string_lossy().into_owned());
        Surroundings {
            rules: self.rules.clone(),
            openings: name.unwrap_or_default(),
            base: elsewhere.and_then(|_| std::env::current_dir().ok()),
        }
    }

    fn openings_file(&self) -> PathBuf {
        self.output.with_extension("openings.txt")
    }
}

/// Returns the file with its first lines: where it comes from, and what it does not say.
fn with_head(words: &[String], imported: &Imported) -> String {
    let line = words.iter().map(|word| pasted(word)).collect::<Vec<_>>().join(" ");
    let mut head = format!("# Made by `arena import` from:\n#   {line}\n");
    if !imported.notes.is_empty() {
        head.push_str("# What it does not say:\n");
    }
    for note in &imported.notes {
        head.push_str(&format!("#   {}: {}\n", note.option.escape_debug(), note.why));
    }
    head + &imported.text
}

/// Returns a word as it is typed in a shell, on one line.
fn pasted(word: &str) -> String {
    let is_seen = |c: char| matches!(c, '\'' | '"' | '\\') || c.escape_debug().len() == 1;
    if word.chars().all(is_seen) {
        return output::quoted(word);
    }
    let mut text = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => text.extend(['\\', c]),
            c if is_seen(c) => text.push(c),
            c => text.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    text + "'"
}

/// Reads a command line from standard input.
fn read_words() -> Result<Vec<String>, Failure> {
    let mut text = String::new();
    io::stdin()
        .take(MOST_BYTES)
        .read_to_string(&mut text)
        .map_err(|error| Failure::io("failed to read the command line from standard input", &error))?;
    // A shell drops the end of a line behind a backslash.
    let text = text.replace("\\\r\n", "").replace("\\\n", "");
    shlex::split(&text).ok_or_else(|| Failure::usage("the command line has a quote that is not closed"))
}

fn failure(error: &ImportError) -> Failure {
    let failure = Failure::usage(error.to_string());
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

fn tell_faulty(converted: &Converted) {
    for fault in converted.faulty.iter().take(MOST_SHOWN) {
        say(&format!("left out: {fault}"));
    }
    let more = converted.faulty.len().saturating_sub(MOST_SHOWN);
    if more > 0 {
        say(&format!("left out: {}", output::count(more as u64, "further opening")));
    }
}

/// Refuses a path at which there is something.
fn is_free(path: &Path) -> Result<(), Failure> {
    match path.symlink_metadata() {
        Ok(_) => Err(Failure::usage(format!("`{}` is there already", output::path(path)))
            .hint("name another file with `-o`: this one stays as it is")),
        Err(_) => Ok(()),
    }
}

/// Writes a file that is not there yet.
fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let io = |error: io::Error| Failure::io(format!("failed to write `{}`", output::path(path)), &error);
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(io)?;
    file.write_all(text.as_bytes()).map_err(io)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_has_the_command_as_it_is_pasted() {
        for (word, typed) in [
            ("name=it's \"new\"", r#"'name=it'\''s "new"'"#),
            ("a\\b", r"'a\b'"),
            ("name=é", "name=é"),
            ("it's\nrules: x", r"$'it\'s\U0000000arules: x'"),
        ] {
            assert_eq!(pasted(word), typed);
            if !word.contains('\n') {
                assert_eq!(shlex::split(typed).as_deref(), Some(&[word.to_owned()][..]));
            }
        }
    }
}
