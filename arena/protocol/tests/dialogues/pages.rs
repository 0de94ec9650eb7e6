//! What the pages of the specification hold beside prose: dialogues, numbers of clauses, figures, links.

use std::collections::BTreeSet;

use protocol::{
    MAX_ARENA_LINE, MAX_BOT_LINE, MAX_HANDSHAKE_BYTES, MAX_HANDSHAKE_LINES, MAX_IDENTITY_CHARS,
    MAX_LINES_PER_PLY, MAX_OUTPUT_PER_PLY, MAX_PLY, Timeouts,
};

use crate::script::{Script, direction, steps};
use crate::{files, specification};

/// Returns the dialogues of a page: its blocks `abp`, with directions behind that word.
pub(crate) fn dialogues(name: &str, text: &str) -> Vec<Script> {
    let mut scripts = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(directions) = line.strip_prefix("```abp") else { continue };
        let block: Vec<&str> =
            lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        let place = format!("{name}:{}", number + 1);
        let head = directions.split(';').filter_map(direction);
        let head = head.map(|act| crate::script::Step { place: place.clone(), act });
        let steps = head.chain(steps(name, number + 2, &block.join("\n"))).collect();
        scripts.push(Script { name: place, steps });
    }
    scripts
}

fn page() -> String {
    std::fs::read_to_string(specification().join("PROTOCOL.md")).expect("the page is there")
}

#[test]
fn clauses_are_numbered_in_order_and_cited_only_where_they_exist() {
    let page = page();
    let mut clauses: Vec<Vec<u32>> = Vec::new();
    for line in page.lines().filter_map(|line| line.strip_prefix("**[")) {
        let (number, _) = line.split_once("]** ").expect("a clause is `**[1.2]** text`");
        clauses.push(number.split('.').map(|part| part.parse().expect("a number")).collect());
    }
    assert!(clauses.len() > 90, "{}", clauses.len());
    for pair in clauses.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        let is_next = before.len() == after.len()
            && before[..before.len() - 1] == after[..after.len() - 1]
            && after[after.len() - 1] == before[before.len() - 1] + 1;
        let is_first = after > before && after[after.len() - 1] == 1;
        assert!(is_next || is_first, "{before:?} is followed by {after:?}");
    }
    let known: BTreeSet<String> = clauses
        .iter()
        .map(|clause| clause.iter().map(ToString::to_string).collect::<Vec<_>>().join("."))
        .collect();
    for (name, text) in files(&specification(), ".md") {
        for cited in text.split('[').skip(1).filter_map(|rest| rest.split(']').next()) {
            let is_number = cited.contains('.') && cited.chars().all(|c| c.is_ascii_digit() || c == '.');
            assert!(!is_number || known.contains(cited), "{name} cites [{cited}]");
        }
    }
}

#[test]
fn links_lead_to_files() {
    for (name, text) in files(&specification(), ".md") {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            assert!(specification().join(path).exists(), "{name} links to {link}");
        }
    }
}

/// Returns the cells of the row of the page that begins with this one.
fn row(page: &str, first: &str) -> String {
    let start = format!("| {first} |");
    let row = page.lines().find(|line| line.starts_with(&start));
    row.unwrap_or_else(|| panic!("no row `{first}`"))[start.len()..].trim().to_owned()
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().flat_map(str::from_utf8).collect();
    groups.join(" ")
}

#[test]
fn the_sizes_of_the_page_are_those_of_the_code() {
    let page = page();
    for (what, number) in [
        ("a line from a bot", MAX_BOT_LINE as u64),
        ("a line from the arena; all `after` lines of a question together", MAX_ARENA_LINE as u64),
        ("output of a bot while one ply is decided", MAX_OUTPUT_PER_PLY),
        ("lines of a bot while one ply is decided, else `flood`", MAX_LINES_PER_PLY),
        ("a ply", MAX_PLY as u64),
        ("lines of a handshake", MAX_HANDSHAKE_LINES as u64),
        ("bytes of a handshake", MAX_HANDSHAKE_BYTES as u64),
        ("characters of a name, author, version or language", MAX_IDENTITY_CHARS as u64),
    ] {
        let (found, number) = (row(&page, what), grouped(number));
        assert!(
            found == format!("{number} |") || found.starts_with(&format!("{number} bytes")),
            "{what}: {found}"
        );
    }
}

#[test]
fn the_time_outs_of_the_page_are_those_of_the_code() {
    let (page, spec) = (page(), Timeouts::SPEC);
    for (what, limit) in [
        ("`ugi` → `ugiok`", spec.hello),
        ("`isready` → `readyok` after `uginewgame`", spec.set_up),
        ("`isready` → `readyok` elsewhere", spec.ready),
        ("`stop` → `bestmove`", spec.stop),
        ("a write that blocks because the bot does not read", spec.write),
        ("`quit` → end of the process", spec.quit),
        ("request to terminate → kill", spec.terminate),
        ("a decision without clock and `movetime`", spec.think),
        ("awaited word after the input was closed", spec.flush),
    ] {
        let words = match limit.subsec_millis() {
            0 => format!("{} s |", limit.as_secs()),
            _ => format!("{} ms |", limit.as_millis()),
        };
        assert!(row(&page, what).starts_with(&words), "{what}: {words}");
    }
}
