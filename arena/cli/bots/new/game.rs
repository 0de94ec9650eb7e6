//! `arena new game`: a game of one's own to start from, written out of the executable.

use std::path::{Path, PathBuf};

use catalogue::{GAME_KITS, GameKit};
use clap::Args;
use diagnostic::output;
use diagnostic::say;
use diagnostic::{Diagnostic, Failure};

use crate::bots::new::{quoted, tell_of_missing_tools, write_all};

/// The arguments of `arena new game`.
#[derive(Debug, Args)]
pub(super) struct NewGame {
    /// The language: `c`, `rust`, `typescript`, `python` or `javascript`
    #[arg(long, value_name = "LANG", required_unless_present = "list")]
    lang: Option<String>,
    /// The name of the game, and of the folder to write to; no file in it is overwritten
    #[arg(value_name = "NAME", required_unless_present = "list")]
    name: Option<PathBuf>,
    /// List the languages, and what each of them needs
    #[arg(long, conflicts_with_all = ["lang", "name"])]
    list: bool,
}

/// The most bytes of the id of a game.
const MOST_ID_BYTES: usize = 32;

impl NewGame {
    /// Writes the game.
    pub(super) fn run(&self) -> Result<(), Failure> {
        match (&self.lang, &self.name) {
            (Some(lang), Some(folder)) => write(find(lang)?, folder),
            // Clap asks for both, or for the list.
            _ => output::print(&list()),
        }
    }
}

/// Returns the languages as a table: what `--lang` takes, the language, the programs that are needed.
fn list() -> String {
    GAME_KITS
        .iter()
        .map(|kit| format!("{:12}{:12}{}\n", kit.name, kit.language, kit.tools.join(", ")))
        .collect()
}

fn find(lang: &str) -> Result<&'static GameKit, Failure> {
    let wanted = lang.to_lowercase();
    let names = |kit: &'static GameKit| [kit.name].into_iter().chain(kit.aliases.iter().copied());
    GAME_KITS.iter().find(|kit| names(kit).any(|name| name == wanted)).ok_or_else(|| {
        let diagnostic = Diagnostic::new(format!("there is no kit of rules for `{lang}`"));
        match rules::nearest(&wanted, GAME_KITS.iter().flat_map(names)) {
            Some(near) => diagnostic.hint(format!("did you mean `{near}`?")),
            None => {
                let known: Vec<_> = GAME_KITS.iter().map(|kit| kit.name).collect();
                diagnostic.hint(format!("the languages are {}", known.join(", ")))
            }
        }
        .hint(
            "rules can be written in any language: `protocol-spec/own-games.md` says what they are asked and answer",
        )
        .into()
    })
}

/// Returns the id that the name of a folder is.
fn id_of(folder: &Path) -> Result<String, Failure> {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_id =
        (1..=MOST_ID_BYTES).contains(&name.len()) && name.bytes().all(is_letter) && !name.starts_with('-');
    if !is_id {
        let message = format!("`{}` cannot be the name of a game", output::path(Path::new(&name)));
        return Err(Failure::usage(message).hint(format!(
            "a name has at most {MOST_ID_BYTES} of the letters a-z, digits and `-`, as `my-game`"
        )));
    }
    if rules::find(&name).is_ok() {
        return Err(Failure::usage(format!("`{name}` is a built-in game")).hint("choose another name"));
    }
    Ok(name)
}

fn write(kit: &GameKit, folder: &Path) -> Result<(), Failure> {
    let id = id_of(folder)?;
    let files = kit.files(&id);
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    write_all(folder, &files)?;
    say("the rules are those of tic-tac-toe: change them");
    tell_of_missing_tools(kit.tools, kit.packages);
    if kit.name == "rust" {
        say("rustc needs its library for WebAssembly, once: `rustup target add wasm32-unknown-unknown`");
    }
    let rules = kit.rules(&id).join(" ");
    let check = match kit.rules {
        [_] => format!("arena check-game {rules}"),
        _ => format!("arena check-game -- {rules}"),
    };
    let next = [format!("cd {}", quoted(folder))].into_iter().chain(kit.build(&id));
    let lines = next.chain([check, "arena run tournament.yaml".to_owned()]);
    output::print(&lines.flat_map(|line| [line, "\n".to_owned()]).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_an_id_that_is_free() {
        assert_eq!(id_of(Path::new("games/my-game")).ok().as_deref(), Some("my-game"));
        for name in ["My game", "farook", "..", "-x", "ä"] {
            assert!(id_of(Path::new(name)).is_err(), "{name}");
        }
    }
}
