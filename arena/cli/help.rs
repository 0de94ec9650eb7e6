//! What `arena --help` shows: the subcommands in groups, the most used first.

use std::fmt::Write as _;

use clap::error::{ContextKind, ErrorKind};
use clap::{Command, CommandFactory as _, FromArgMatches as _};

use crate::Arguments;

/// The subcommands by what they are for. `help` belongs to none.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Play",
        &["run", "init", "import", "plan", "match", "play", "ctl", "merge", "worker", "workers", "intake"],
    ),
    ("Judge", &["sprt", "rate", "compare", "simulate", "replay", "verify"]),
    ("Look", &["report", "serve"]),
    ("Write bots and games", &["new", "check", "check-game", "repro", "wrap", "bot"]),
    ("Positions", &["games", "position", "openings", "perft", "rules"]),
    ("Machine", &["doctor", "bench", "schema", "completions", "man"]),
];

/// Returns the command line of the arena.
pub(crate) fn command() -> Command {
    let command = Arguments::command();
    let groups = groups(&command);
    let header = command.get_styles().get_header();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{groups}\n{header}Options:{header:#}\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

/// Parses the command line again where its parser has something to show: with the subcommands in groups, which take longer to
/// make than to read most command lines.
pub(crate) fn in_groups(error: clap::Error) -> Result<Arguments, clap::Error> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Arguments::from_arg_matches(&command().try_get_matches()?)
        }
        _ => Err(error),
    }
}

/// Returns where to find what somebody looks for under a name or with an argument that there is not.
pub(crate) fn elsewhere(error: &clap::Error) -> Option<&'static str> {
    let named = error.get(ContextKind::InvalidSubcommand).map(ToString::to_string);
    match (error.kind(), named.as_deref()) {
        (ErrorKind::InvalidSubcommand, Some("export")) => Some(
            "`arena report DIR` writes game logs and tables; `arena report DIR --pgn safe --game 17` prints a game for chess \
             programs, `arena replay DIR --game 17 --gif FILE` shows it, and `arena position GAME --svg FILE` draws a board",
        ),
        (ErrorKind::UnknownArgument, _) if std::env::args().nth(1).is_some_and(|word| word == "rules") => {
            Some(
                "`arena rules` answers for the built-in games; your own game is asked by \
             `arena check-game --ask 'legal GAME startpos' FILE`",
            )
        }
        _ => None,
    }
}

/// Returns the subcommands in their groups, each with what it does.
fn groups(command: &Command) -> String {
    let (header, literal) = (command.get_styles().get_header(), command.get_styles().get_literal());
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "\n{header}{title}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {literal}{name:<11}{literal:#}  {about}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subcommand_has_its_group() {
        let command = Arguments::command();
        let mut shown: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        shown.sort_unstable();
        let visible = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
        let mut visible: Vec<_> = visible.map(Command::get_name).collect();
        visible.sort_unstable();
        assert_eq!(shown, visible);
    }

    #[test]
    fn a_group_fits_a_terminal_of_80_columns() {
        let plain = anstyle_stripped(&command().render_help().to_string());
        assert!(plain.contains("\nWrite bots and games:\n  new "), "{plain}");
        assert!(plain.lines().all(|line| line.chars().count() <= 80), "{plain}");
    }

    /// Returns a text without what sets colours.
    fn anstyle_stripped(text: &str) -> String {
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            plain.push_str(before);
            rest = after.split_once('m').map_or("", |(_, rest)| rest);
        }
        plain + rest
    }
}
