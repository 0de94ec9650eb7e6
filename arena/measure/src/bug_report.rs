//! A text that a user can put into the report of a bug: what the arena, this machine and a run are, without what is private.

mod facts;
mod privacy;
mod run;

use std::fmt::Write as _;
use std::path::Path;

use diagnostic::Failure;
use record::JOURNAL;

use self::facts::Facts;
use self::privacy::Privacy;

/// What the reporter adds.
const QUESTIONS: &str = "\
<!-- Written by `arena doctor --report`. Read it before you send it: home directories, names of users and hosts, addresses and
values of environment variables are left out or replaced, but names of bots and tournaments are yours. -->

### What I did

(the command line; the tournament file and the bot if they matter)

### What I expected, and what happened

(messages as they were shown, and the exit code)

";

/// Facts about the arena and this machine, and about a run if one is asked for.
#[derive(Debug)]
pub struct BugReport {
    facts: Facts,
    run: Option<String>,
    privacy: Privacy,
}

impl BugReport {
    /// Asks the system, and reads the journal of a run. `features` are the optional parts of the executable, and whether they
    /// are there.
    ///
    /// # Errors
    /// When the directory holds no run. A journal that cannot be read is a fact of the report.
    pub fn look(directory: Option<&Path>, features: &[(&str, bool)]) -> Result<Self, Failure> {
        if let Some(directory) = directory
            && !directory.join(JOURNAL).exists()
        {
            return Err(Failure::usage(format!("`{}` holds no {JOURNAL}", directory.display()))
                .hint("name the directory of a run, for example `results/cup`; without one, the report is about this machine"));
        }
        let mut privacy = Privacy::of_this_machine();
        let run = directory.map(|directory| run::describe(directory, &mut privacy));
        Ok(Self { facts: Facts::look(features), run, privacy })
    }

    /// Returns the report in Markdown, with what was measured of the machine, or why that failed.
    pub fn to_markdown(&self, measured: &Result<String, String>) -> String {
        let mut text = QUESTIONS.to_owned();
        text += "### The arena and the machine\n\n| what | value |\n|---|---|\n";
        for (name, value) in self.facts.rows() {
            let _ = writeln!(text, "| {name} | {} |", value.replace('|', "\\|"));
        }
        text += "\n### Measured\n\n";
        text += &match measured {
            Ok(measured) => block("text", measured),
            Err(error) => block("text", &format!("the measurement failed: {error}")),
        };
        if let Some(run) = &self.run {
            text += run;
        }
        self.privacy.clean(&text)
    }
}

/// Returns a text as a block of code, whose fence cannot be closed from within.
fn block(language: &str, text: &str) -> String {
    format!("```{language}\n{}\n```\n", text.trim_end().replace("```", "'''"))
}
