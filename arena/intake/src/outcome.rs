//! What came of an entry, and how it is kept from one intake to the next.

use std::fs;
use std::io;
use std::path::Path;

use report::{Spreadsheet, spreadsheet_text};
use serde::{Deserialize, Serialize};

/// The most bytes of what is kept of an entry.
const MOST_BYTES: u64 = 1 << 20;

/// What came of an entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct EntryOutcome {
    /// What tells this state of the entry from another, and the way in which it was tried.
    pub(crate) digest: String,
    /// The name in tables, if the entry says it.
    pub(crate) name: String,
    /// The language, if the entry says it.
    pub(crate) language: String,
    /// How far it came.
    pub(crate) stage: EntryStage,
    /// Why it came no further, a fragment; empty for one that was accepted.
    pub(crate) reason: String,
    /// The clause of the protocol that it breaks first, if any.
    pub(crate) clause: String,
    /// How long the build took, in seconds, if there was one.
    pub(crate) build_seconds: Option<f64>,
    /// The tests of the protocol: passed, failed, warnings.
    pub(crate) tests: Option<[usize; 3]>,
    /// The games that it was tried in, with their options.
    #[serde(default)]
    pub(crate) plays: Vec<String>,
    /// The games: won, drawn, lost.
    pub(crate) games: Option<[u32; 3]>,
}

/// The stage at which an entry stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EntryStage {
    /// Its files have an error.
    #[default]
    Entry,
    /// This machine lacks what it needs: nothing was found out about it.
    Machine,
    /// It cannot be built.
    Build,
    /// It does not keep to the protocol.
    Check,
    /// It loses games by faults.
    Games,
    /// It plays.
    Accepted,
}

impl EntryStage {
    /// Returns its name in tables.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Machine => "machine",
            Self::Build => "build",
            Self::Check => "check",
            Self::Games => "games",
            Self::Accepted => "accepted",
        }
    }
}

impl EntryOutcome {
    /// Returns whether the entry plays.
    pub(crate) fn is_accepted(&self) -> bool {
        self.stage == EntryStage::Accepted
    }

    /// Returns the verdict in a word.
    pub(crate) const fn verdict(&self) -> &'static str {
        match self.stage {
            EntryStage::Accepted => "accepted",
            EntryStage::Machine => "untested",
            EntryStage::Entry | EntryStage::Build | EntryStage::Check | EntryStage::Games => "failed",
        }
    }

    /// Reads what an earlier intake has kept; `None` where there is nothing that can be read.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&record::read_regular(path, MOST_BYTES).ok()?).ok()
    }

    /// Keeps it: written under another name and renamed when it is complete.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let text = serde_json::to_vec(self).map_err(io::Error::other)?;
        let draft = path.with_extension("new");
        fs::write(&draft, text)?;
        fs::rename(&draft, path)
    }
}

/// Returns the table of all entries, each with the name of its folder.
pub(crate) fn csv<'a>(rows: impl Iterator<Item = (&'a str, &'a str, &'a EntryOutcome)>) -> Vec<u8> {
    let mut sheet = Spreadsheet::new(&[
        "entry",
        "name",
        "language",
        "verdict",
        "stage",
        "reason",
        "clause",
        "build_seconds",
        "tests_passed",
        "tests_failed",
        "tests_warned",
        "won",
        "drawn",
        "lost",
        "feedback",
    ]);
    for (folder, feedback, outcome) in rows {
        let tests = outcome.tests.map(|tests| tests.map(|count| count.to_string())).unwrap_or_default();
        let games = outcome.games.map(|games| games.map(|count| count.to_string())).unwrap_or_default();
        let mut row = vec![
            spreadsheet_text(folder),
            spreadsheet_text(&outcome.name),
            spreadsheet_text(&outcome.language),
            outcome.verdict().to_owned(),
            outcome.stage.word().to_owned(),
            spreadsheet_text(&outcome.reason),
            outcome.clause.clone(),
            outcome.build_seconds.map(|seconds| format!("{seconds:.1}")).unwrap_or_default(),
        ];
        row.extend(tests);
        row.extend(games);
        row.push(spreadsheet_text(feedback));
        sheet.row(&row);
    }
    sheet.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_and_what_is_unknown_is_empty() {
        let outcome = EntryOutcome {
            name: "=HYPERLINK(\"x\")".to_owned(),
            reason: "@SUM\u{1b}[2J".to_owned(),
            ..EntryOutcome::default()
        };
        let text = String::from_utf8(csv([("+1", "feedback/a.md", &outcome)].into_iter())).unwrap();
        let row = text.lines().nth(1).unwrap();
        assert_eq!(row, "'+1,\"'=HYPERLINK(\"\"x\"\")\",,failed,entry,'@SUM\\x1b[2J,,,,,,,,,feedback/a.md");
    }

    #[test]
    fn what_was_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let outcome = EntryOutcome {
            stage: EntryStage::Games,
            tests: Some([1, 2, 3]),
            build_seconds: Some(1.5),
            ..EntryOutcome::default()
        };
        assert_eq!(EntryOutcome::read(&path), None);
        outcome.write(&path).unwrap();
        assert_eq!(EntryOutcome::read(&path), Some(outcome));
    }
}
