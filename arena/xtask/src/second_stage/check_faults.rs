//! The table of `arena/docs/check-faults.md`: a bot is broken in every way that it names, and `arena check` must find
//! each fault by the test that stands there and give that advice.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::{fs, thread};

use crate::shell::{ChoreError, root};

/// How many bots are tested at once: the tests of time need a processor each.
const AT_ONCE: usize = 2;

/// The bot that can be broken.
const BOT: &str = "tests/bots/broken.py";

/// The test that only tells what others have found: it needs the whole suite.
const FLUSH: &str = "T37";

/// One row of the table.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    fault: String,
    test: String,
    advice: String,
}

/// Breaks the bot in every way and compares what is found with the table.
pub(crate) fn check(arena: &Path) -> Result<(), ChoreError> {
    let rows = rows(&fs::read_to_string(root().join("arena/docs/check-faults.md"))?);
    if rows.is_empty() {
        return Err(ChoreError("arena/docs/check-faults.md: no row of the table can be read".to_owned()));
    }
    println!("$ arena check --quick -- python3 {BOT} FAULT, {} faults", rows.len());
    let (left, wrong) = (Mutex::new(rows.iter()), Mutex::new(Vec::new()));
    let next = || left.lock().ok()?.next();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(row) = next() {
                    if let Err(ChoreError(why)) = judge(arena, row)
                        && let Ok(mut wrong) = wrong.lock()
                    {
                        wrong.push(format!("`{}`: {why}", row.fault));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().map_err(|error| ChoreError(error.to_string()))?;
    if wrong.is_empty() {
        println!("{} faults are found by their tests, with the advice of the table", rows.len());
        return Ok(());
    }
    Err(ChoreError(format!(
        "arena/docs/check-faults.md is not what `arena check` says:\n{}",
        wrong.join("\n")
    )))
}

/// Tests the bot with one fault and compares the first test that fails with the table.
fn judge(arena: &Path, row: &Row) -> Result<(), ChoreError> {
    let mut command = Command::new(arena);
    command.args(["check", "--quick"]);
    if row.test != FLUSH {
        command.args(["--only", &row.test]);
    }
    command.args(["--", "python3", BOT, &row.fault]).env("ABP_ARENA", arena);
    let output = command.current_dir(root()).stdin(Stdio::null()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let found = text.lines().find_map(failing);
    if found.as_ref().is_some_and(|(test, advice)| *test == row.test && *advice == row.advice) {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(ChoreError(format!("expected {} with `{}`, found {found:?}\n{text}{errors}", row.test, row.advice)))
}

/// Returns the number of a failing test and the advice, of a line such as `not ok 7 - TITLE # ADVICE`.
fn failing(line: &str) -> Option<(String, String)> {
    let (test, advice) = line.strip_prefix("not ok ")?.split_once(" # ")?;
    let number: u8 = test.split(' ').next()?.parse().ok()?;
    Some((format!("T{number:02}"), advice.to_owned()))
}

/// Reads the rows of the table: clause, fault, what the bot does, test, advice.
fn rows(page: &str) -> Vec<Row> {
    let row = |line: &str| {
        let cells: Vec<_> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
        let [_clause, fault, _does, test, advice] = cells[..] else { return None };
        let fault = fault.strip_prefix('`')?.strip_suffix('`')?.to_owned();
        Some(Row { fault, test: test.to_owned(), advice: advice.replace("\\|", "|") })
    };
    page.lines().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_with_its_bars() {
        let page = "| Clause | ChoreError | The bot | Test | Advice |\n|---|---|---|---|---|\n\
                    | 6.2.4 | `unknown-game` | plays `chess` | T04 | as in `fanorona:size=9x5\\|5x5` |\n";
        let row = Row {
            fault: "unknown-game".to_owned(),
            test: "T04".to_owned(),
            advice: "as in `fanorona:size=9x5|5x5`".to_owned(),
        };
        assert_eq!(rows(page), [row]);
    }

    #[test]
    fn only_a_failing_test_is_one() {
        assert_eq!(failing("ok 1 - `ugi` is answered (Broken)"), None);
        assert_eq!(failing("# Broken does not conform"), None);
        let found = failing("not ok 2 - nothing before `ugi` (SHOULD) # write nothing");
        assert_eq!(found, Some(("T02".to_owned(), "write nothing".to_owned())));
    }
}
