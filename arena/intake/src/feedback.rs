//! The page for the author of an entry, in Markdown and for browsers: what was done with it, what came of it, what to do.
//!
//! Whatever an entry wrote or is called reaches the page only as text: escaped in prose, and in fences that it cannot
//! close. Paths are written as the author knows them, relative to the entry's own directory.

use std::env;
use std::path::{Path, PathBuf};

use conformance::{Fault, SharedCause, SuiteReport, TestReport, TestVerdict};
use diagnostic::output;
use page::AuthorBlock;
use protocol::{printable, printable_capped};
use report::markdown_text;
use rules::Catalogue;
use runner::{BuildEnd, BuildOutput, Built};

use crate::outcome::{EntryOutcome, EntryStage};
use crate::trial::{LostGame, TrialGame};

/// How many characters of a line are shown.
const LINE: usize = 500;

/// How many lines are shown of the start, and of the end, of a log.
const LINES: [usize; 2] = [100, 200];

/// The page in the making.
#[derive(Debug)]
pub(crate) struct FeedbackPage {
    blocks: Vec<AuthorBlock>,
    /// Paths of this machine, and what stands for them; longer ones first.
    paths: Vec<(String, &'static str)>,
}

impl FeedbackPage {
    /// Begins the page of an entry that is built in `dir`; `hidden` are directories that authors need not know.
    pub(crate) fn new(dir: &Path, hidden: &[&Path]) -> Self {
        let mut paths = Vec::new();
        let mut add = |path: &Path, word: &'static str| {
            let full = [path.canonicalize().ok(), std::path::absolute(path).ok()];
            let texts = full.into_iter().flatten().map(|path: PathBuf| path.display().to_string());
            paths.extend(texts.filter(|text| text.len() > 1).map(|text| (text, word)));
        };
        add(dir, ".");
        for path in hidden {
            add(path, "(directory)");
        }
        if let Some(home) = env::var_os("HOME") {
            add(Path::new(&home), "~");
        }
        paths.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        paths.dedup();
        Self { blocks: Vec::new(), paths }
    }

    /// Returns a text without the paths of this machine.
    pub(crate) fn without_paths(&self, text: &str) -> String {
        self.paths.iter().fold(text.to_owned(), |text, (path, word)| text.replace(path.as_str(), word))
    }

    fn prose(&mut self, text: &str) {
        let text = printable(&self.without_paths(text)).into_owned();
        self.blocks.push(AuthorBlock::Text(text));
    }

    fn heading(&mut self, level: u8, text: &str) {
        let text = printable(&self.without_paths(text)).into_owned();
        self.blocks.push(AuthorBlock::Heading(level, text));
    }

    /// Adds lines as they are.
    fn fence<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        let lines = lines.map(|line| printable_capped(&self.without_paths(line), LINE));
        self.blocks.push(AuthorBlock::Lines(lines.collect()));
    }

    /// Adds what is wrong with the entry's own file, as it is shown to users.
    pub(crate) fn entry_fault(&mut self, shown: &str) {
        self.heading(2, "The entry");
        self.fence(shown.trim_end().lines());
    }

    /// Adds a build.
    pub(crate) fn build(&mut self, line: &str, built: &Built) {
        self.heading(2, "Build");
        self.fence(line.lines());
        let seconds = built.took.as_secs_f64();
        let end = match &built.end {
            BuildEnd::Ended(status) => format!("It ended with {status} after {seconds:.1} s."),
            BuildEnd::OutOfTime => format!("It was ended after {seconds:.1} s: its time was over."),
            BuildEnd::Flood => "It was ended: it wrote more than 64 MiB.".to_owned(),
            BuildEnd::Interrupted => "It was interrupted.".to_owned(),
        };
        self.prose(&end);
        let BuildOutput { head, left_out, tail } = &built.output;
        if head.is_empty() {
            self.prose("It wrote nothing.");
            return;
        }
        if *left_out == 0 {
            let whole = [head.as_slice(), tail].concat();
            self.log(&String::from_utf8_lossy(&whole));
        } else {
            self.log(&String::from_utf8_lossy(head));
            self.prose(&format!("{left_out} bytes are left out here."));
            self.log(&String::from_utf8_lossy(tail));
        }
    }

    fn log(&mut self, text: &str) {
        let lines: Vec<_> = text.lines().collect();
        let [first, last] = LINES;
        if lines.len() <= first + last {
            self.fence(lines.into_iter());
            return;
        }
        self.fence(lines[..first].iter().copied());
        self.prose(&format!("{} lines are left out here.", lines.len() - first - last));
        self.fence(lines[lines.len() - last..].iter().copied());
    }

    /// Adds what the tests of the protocol found.
    pub(crate) fn check(&mut self, report: &SuiteReport) {
        self.heading(2, "Protocol");
        let count = |word: &str| report.count(|test| test.word() == word);
        self.prose(&format!(
            "{} passed, {} failed, {}, {} skipped. `arena check -- COMMAND` does the same on your machine.",
            count("ok"),
            count("failed"),
            output::count(count("warning") as u64, "warning"),
            count("skipped"),
        ));
        let causes = report.causes();
        for shared in &causes {
            self.cause(shared);
        }
        // What must be fixed comes first. What a cause explains is said there.
        let (failures, others): (Vec<_>, Vec<_>) = report.tests.iter().partition(|test| test.is_failure());
        for test in failures.into_iter().chain(others) {
            if let TestVerdict::Failed(faults) = &test.verdict {
                let own: Vec<_> = faults.iter().filter(|fault| fault.cause.is_none()).collect();
                if !own.is_empty() {
                    self.test(test, &own);
                }
            }
        }
        if let Some(why) = &report.stopped {
            self.prose(&format!("The tests ended there: {why}."));
        }
    }

    /// Adds a cause with the fault that showed it first, and the tests that it fails.
    fn cause(&mut self, shared: &SharedCause) {
        let SharedCause { cause, tests, first } = shared;
        let what =
            cause.what.strip_prefix("the").map_or_else(|| cause.what.clone(), |rest| format!("The{rest}"));
        self.heading(3, &what);
        self.prose(&format!("What to do: {}.", cause.advice));
        self.evidence(first);
        let tests: Vec<_> = tests.iter().map(|number| format!("T{number:02}")).collect();
        self.prose(&format!("Tests that fail for it: {}.", tests.join(", ")));
    }

    fn test(&mut self, test: &TestReport, faults: &[&Fault]) {
        let grade = if test.is_warning() { "should" } else { "must" };
        self.heading(3, &format!("T{:02}: {}", test.number, test.title));
        self.prose(&format!("Clause {} of protocol-spec/PROTOCOL.md: a bot {grade} do this.", test.clause));
        for fault in faults {
            self.prose(&format!("What to do: {}.", fault.advice));
            self.evidence(fault);
        }
    }

    /// Adds what was seen of a fault.
    fn evidence(&mut self, fault: &Fault) {
        let game = fault.game.as_ref().map_or_else(String::new, |game| format!("{game}: "));
        self.prose(&format!("Found: {game}{}.", fault.what));
        if !fault.lines.is_empty() {
            self.fence(fault.lines.iter().map(String::as_str));
        }
        if let Some(exit) = &fault.exit {
            self.prose(&format!("The process ended: {exit}."));
        }
        self.stderr(&fault.stderr);
    }

    fn stderr(&mut self, lines: &[String]) {
        if !lines.is_empty() {
            self.prose("The end of its standard error:");
            self.fence(lines.iter().map(String::as_str));
        }
    }

    /// Adds the games.
    pub(crate) fn games(&mut self, played: &[TrialGame], lost: &[LostGame]) {
        self.heading(2, "Games");
        let row = |game: &TrialGame| {
            let TrialGame { label, seat, result, place, reason, plies, .. } = game;
            let result = place.as_deref().unwrap_or(result);
            [label.as_str(), seat, result, reason, &plies.to_string()].map(str::to_owned).to_vec()
        };
        let head = ["game", "seat", "result", "end", "plies"].map(str::to_owned).to_vec();
        self.blocks.push(AuthorBlock::Table { head, rows: played.iter().map(row).collect() });
        for LostGame { title, detail, advice, position, lines, stderr } in lost {
            self.heading(3, title);
            self.prose(&format!("{detail}."));
            for advice in advice {
                self.prose(advice);
            }
            if let Some((game, position)) = position {
                self.prose("The position that it was asked about:");
                self.blocks.push(AuthorBlock::Position { game: game.clone(), position: position.clone() });
            }
            if !lines.is_empty() {
                self.prose(
                    "The last lines; > is to the bot, < from it, with milliseconds since the game began:",
                );
                self.fence(lines.iter().map(String::as_str));
            }
            self.stderr(stderr);
        }
    }

    /// Returns the whole page, in Markdown and for browsers. Positions of games in the catalogue are drawn.
    pub(crate) fn finish(self, folder: &str, outcome: &EntryOutcome, catalogue: &Catalogue) -> [String; 2] {
        let name = if outcome.name.is_empty() { folder } else { &outcome.name };
        let verdict = match outcome.stage {
            EntryStage::Accepted => "Accepted: the entry plays.".to_owned(),
            EntryStage::Machine => format!("Not tested: {}.", outcome.reason),
            EntryStage::Entry | EntryStage::Build | EntryStage::Check | EntryStage::Games => {
                format!("Not accepted: {}.", outcome.reason)
            }
        };
        let next = match outcome.stage {
            EntryStage::Entry => "Fix what is said below, and hand the entry in again.",
            EntryStage::Machine => {
                "This is not about your entry: the organiser prepares the machine and takes it in again."
            }
            EntryStage::Build => "Build it with the same line in a fresh copy of what you handed in.",
            EntryStage::Check => "Fix the first thing below: later ones often follow from it.",
            EntryStage::Games if outcome.games.is_none() => {
                "It keeps to the protocol, and no game was played. `plays` among its declarations names the games that it plays."
            }
            EntryStage::Games => "The games below failed by faults of the entry, not by its play.",
            EntryStage::Accepted => "Nothing has to be done. What is said below may make it better.",
        };
        let mut top = Self { blocks: Vec::new(), paths: self.paths };
        top.heading(1, name);
        top.prose(&verdict);
        top.prose(next);
        let body = [&top.blocks[2..], &self.blocks].concat();
        let html = page::author_page(name, &top.without_paths(&verdict), &body, catalogue);
        top.blocks.extend(self.blocks);
        [top.blocks.iter().map(markdown).collect(), html]
    }
}

/// Returns a part of the page in Markdown.
fn markdown(block: &AuthorBlock) -> String {
    match block {
        AuthorBlock::Heading(level, text) => {
            format!("{} {}\n\n", "#".repeat(usize::from(*level)), markdown_text(text))
        }
        AuthorBlock::Text(text) => format!("{}\n\n", spans(text)),
        // None of the lines closes the fence.
        AuthorBlock::Lines(lines) => {
            let longest = lines.iter().map(|line| longest_run(line)).max().unwrap_or(0);
            let fence = "`".repeat(3.max(longest + 1));
            let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
            format!("{fence}text\n{lines}{fence}\n\n")
        }
        AuthorBlock::Table { head, rows } => {
            let line = |cells: &Vec<String>| {
                let cells: Vec<_> = cells.iter().map(|cell| markdown_text(&printable(cell))).collect();
                format!("| {} |\n", cells.join(" | "))
            };
            let rows: String = rows.iter().map(line).collect();
            format!("{}|{}\n{rows}\n", line(head), "---|".repeat(head.len()))
        }
        AuthorBlock::Position { position, .. } => {
            format!("{}\n\n", spans(&format!("`{}`", printable(position))))
        }
    }
}

/// Returns a text whose words between backticks are code, and whose others are nothing but text. Where backticks do not come in
/// pairs, or pairs touch, all of it is text.
fn spans(text: &str) -> String {
    let parts: Vec<_> = text.split('`').collect();
    let is_empty = |part: &&str| part.is_empty();
    let is_odd = parts.len().is_multiple_of(2);
    if is_odd || parts.iter().skip(1).rev().skip(1).any(is_empty) {
        return markdown_text(text);
    }
    let part = |(index, part): (usize, &&str)| match index % 2 {
        0 => markdown_text(part),
        // Nothing in it means anything but itself.
        _ => format!("`{part}`"),
    };
    parts.iter().enumerate().map(part).collect()
}

/// Returns the length of the longest run of backticks.
fn longest_run(line: &str) -> usize {
    line.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_backticks_are_code_and_nothing_else_is() {
        assert_eq!(spans("no `bestmove` within <10> s"), "no `bestmove` within &lt;10&gt; s");
        assert_eq!(spans("`<b>` and `c`"), "`<b>` and `c`");
        assert_eq!(spans("one ` <b>"), "one \\` &lt;b&gt;");
        assert_eq!(spans("`a``<b>`"), "\\`a\\`\\`&lt;b&gt;\\`");
        assert_eq!(spans("``<b>``"), "\\`\\`&lt;b&gt;\\`\\`");
    }

    #[test]
    fn no_line_closes_its_fence_and_no_control_character_is_left() {
        let mut page = FeedbackPage::new(Path::new("/nonexistent/entry"), &[]);
        page.fence(["````", "<script>", "\u{1b}[2J# Heading", "/nonexistent/entry/a.c:1"].into_iter());
        page.prose("<b>*x*</b> [a](b)");
        let [text, html] = page.finish("a`b", &EntryOutcome::default(), &Catalogue::default());
        assert!(html.contains("&#60;script&#62;") && !html.contains("<script"), "{html}");
        assert!(text.contains("`````text\n````\n<script>\n\\x1b[2J# Heading\n./a.c:1\n`````\n"), "{text}");
        assert!(text.contains("&lt;b&gt;\\*x\\*&lt;/b&gt; \\[a\\](b)"), "{text}");
        assert!(text.starts_with("# a\\`b\n"), "{text}");
    }
}
