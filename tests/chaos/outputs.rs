//! What bots wrote must be harmless wherever it comes out: on the terminal, and in every file of a run.

use std::fs;
use std::path::Path;

/// Returns what is wrong with a text for a terminal or a reader of text files.
pub(crate) fn faults_of_text(name: &str, text: &str) -> Vec<String> {
    let bad = text.chars().find(|character| is_dangerous(*character));
    bad.map(|character| format!("{name}: holds {}", character.escape_unicode())).into_iter().collect()
}

/// Returns what is wrong with the files of a run.
pub(crate) fn faults_of_run(directory: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    visit(directory, &mut faults);
    faults
}

fn visit(path: &Path, faults: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(path) else {
        faults.push(format!("{}: cannot be listed", path.display()));
        return;
    };
    for entry in entries.flatten() {
        let (name, path) = (entry.file_name().to_string_lossy().into_owned(), entry.path());
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if !name.bytes().all(is_plain) || name.starts_with(['.', '-']) {
            faults.push(format!("a file is called {name:?}"));
        }
        if path.is_dir() {
            visit(&path, faults);
            continue;
        }
        let bytes = fs::read(&path).unwrap_or_default();
        let Ok(text) = String::from_utf8(bytes) else {
            faults.push(format!("{name}: is not UTF-8"));
            continue;
        };
        faults.extend(faults_of_text(&name, &text));
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => faults.extend(faults_of_csv(&name, &text)),
            Some("html" | "svg") => faults.extend(faults_of_html(&name, &text)),
            Some("pgn") => faults.extend(faults_of_pgn(&name, &text)),
            _ => {}
        }
    }
}

/// Control characters, and those that change the direction of what follows or are not seen.
fn is_dangerous(character: char) -> bool {
    let is_control = character.is_control() && !matches!(character, '\n' | '\t');
    let is_direction =
        matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}');
    is_control || is_direction || character == '\u{feff}'
}

/// A cell that a spreadsheet would compute.
fn faults_of_csv(name: &str, text: &str) -> Vec<String> {
    let is_formula =
        |cell: &str| cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut faults = Vec::new();
    for row in reader.records() {
        match row {
            Ok(row) => faults.extend(
                row.iter()
                    .filter(|cell| is_formula(cell))
                    .map(|cell| format!("{name}: the cell {cell:?} is a formula")),
            ),
            Err(error) => faults.push(format!("{name}: {error}")),
        }
    }
    faults
}

/// The marks of the hostile texts, as they may never stand in a page.
fn faults_of_html(name: &str, text: &str) -> Vec<String> {
    let marks = ["<script>alert", "<img src=x", "onerror=alert(1)>"];
    let found = marks.into_iter().find(|mark| text.contains(mark));
    found.map(|mark| format!("{name}: holds `{mark}`")).into_iter().collect()
}

/// A tag that somebody smuggled in: every line that begins with a bracket is one whole tag of the arena's own.
fn faults_of_pgn(name: &str, text: &str) -> Vec<String> {
    let evil = text
        .lines()
        .find(|line| line.starts_with("[Evil") || line.matches("[Result").count() > 1 && !is_one_tag(line));
    evil.map(|line| format!("{name}: {line}")).into_iter().collect()
}

/// Whether a line is one tag whose quotes are all escaped but the first and the last.
fn is_one_tag(line: &str) -> bool {
    let Some((_, value)) = line.split_once(" \"") else { return false };
    let Some(value) = value.strip_suffix("\"]") else { return false };
    let mut is_escaped = false;
    value.chars().all(|character| {
        let is_fine = character != '"' || is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_fine
    })
}

#[test]
fn dangerous_texts_are_found() {
    for text in ["\x1b[2J", "a\rb", "\u{202e}", "\u{9b}31m", "\0"] {
        assert!(!faults_of_text("x", text).is_empty(), "{text:?}");
    }
    assert!(faults_of_text("x", "plain\ttext \u{fffd} été\n").is_empty());
    assert!(!faults_of_csv("x", "a,\"=1+1\"\n").is_empty());
    assert!(faults_of_csv("x", "a,-1.5,'=1\n").is_empty());
    assert!(!faults_of_pgn("x", "[White \"x\"] [Result \"1-0\"] [Result \"\"]\n").is_empty());
    assert!(!faults_of_html("x", "<p><script>alert(1)").is_empty());
}
