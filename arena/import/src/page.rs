//! The tables of the page about moving over.

use std::fmt::Write as _;

use crate::counterpart::{Becomes, Counterpart, ENGINE_KEYS, OPTIONS, Of};

/// Returns what every option becomes, as tables of Markdown: for `arena/docs/moving-over.md`.
#[must_use]
pub fn tables() -> String {
    format!(
        "\n### Options\n\n{}\n### Keys of `-engine` and `-each`\n\n{}",
        table(OPTIONS, |name, example| format!("`-{name} {example}").trim_end().to_owned() + "`"),
        table(ENGINE_KEYS, |name, example| match example {
            "" => format!("`{name}`"),
            _ => format!("`{name}={example}`"),
        })
    )
}

fn table(rows: &[Counterpart], typed: impl Fn(&str, &str) -> String) -> String {
    let mut text = String::from("| theirs | whose | ours |\n|---|---|---|\n");
    for row in rows {
        let whose = match row.of {
            Of::Both => "both",
            Of::Cutechess => "cutechess-cli",
            Of::Fastchess => "fastchess",
        };
        let ours = match row.becomes {
            Becomes::Keys(what) => what.to_owned(),
            Becomes::Usual(what) => format!("always so: {what}"),
            Becomes::Nothing(why) => format!("– {why}"),
        };
        let _ = writeln!(text, "| {} | {whose} | {ours} |", typed(row.name, row.example));
    }
    text
}
