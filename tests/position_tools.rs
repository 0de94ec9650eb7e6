//! `arena games`, `arena position` and `arena perft`, as a user or a script meets them. What is shown to people
//! stands in `position_tools/`.

use std::ffi::OsStr;
use std::io::Read as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn arena<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(arguments).env("LC_ALL", "C");
    command
}

fn run(line: &str) -> Output {
    arena(line.split_whitespace()).output().expect("the arena runs")
}

/// Returns the one line of JSON that a command prints.
fn json(line: &str) -> Value {
    let output = run(line);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    assert_eq!(text.matches('\n').count(), 1, "{text}");
    serde_json::from_str(&text).expect("a line of JSON")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn what_people_see() {
    trycmd::TestCases::new().env("LC_ALL", "C").case("tests/position_tools/*.trycmd");
}

#[test]
fn every_game_is_listed_with_its_options() {
    let text = String::from_utf8(run("games").stdout).expect("text");
    let list = json("games --json");
    assert_eq!(list.as_array().map(Vec::len), Some(rules::GAMES.len()));
    for (game, listed) in rules::GAMES.iter().zip(list.as_array().into_iter().flatten()) {
        assert_eq!(listed["game"], game.id);
        assert!(text.contains(&format!("{} ({})", game.id, game.title)), "{}", game.id);
        let names: Vec<_> = game.options.iter().map(|option| option.name).collect();
        let options = listed["options"].as_array().expect("a list");
        assert_eq!(
            options.iter().map(|option| option["name"].as_str().expect("a name")).collect::<Vec<_>>(),
            names
        );
    }
}

#[test]
fn a_position_has_these_keys_in_json() {
    let position = json("position farook --json");
    assert_eq!(keys(&position), ["game", "legal", "options", "position", "reason", "result", "seat"]);
    assert_eq!(position["options"], serde_json::json!({"max-moves": "50", "wilds": "strict"}));
    assert_eq!(
        (&position["seat"], &position["result"], &position["reason"]),
        (&"p1".into(), &Value::Null, &Value::Null)
    );
    assert_eq!(position["legal"].as_array().map(Vec::len), Some(16));
}

#[test]
fn a_game_that_is_over_has_no_legal_plies() {
    let position = json("position farook --opt max-moves=2 --json --plies a1 b2");
    assert_eq!(position["legal"], serde_json::json!([]));
    assert_eq!((&position["result"], &position["reason"]), (&"draw".into(), &"max-moves".into()));
    assert_eq!(position["seat"], "p1");
}

#[test]
fn every_game_can_be_taken_up_from_its_own_position() {
    for game in rules::GAMES {
        let start = json(&format!("position {} --json", game.id));
        let first = start["legal"][0].as_str().expect("a ply");
        let next = json(&format!("position {} --json --plies {first}", game.id));
        let string = next["position"].as_str().expect("a string");
        let output =
            arena(["position", game.id, "--json", "--from", string]).output().expect("the arena runs");
        assert_eq!(serde_json::from_slice::<Value>(&output.stdout).expect("JSON"), next);
    }
}

#[test]
fn what_ended_a_game_is_framed_and_told() {
    let picture = |line: &str| String::from_utf8(run(line).stdout).expect("SVG is UTF-8");
    let svg = picture("position farook --svg - --plies a1 a4 b1 b4 c1 c4 d1");
    assert_eq!(svg.matches("\"b-proof\"").count(), 1, "{svg}");
    assert!(svg.contains("<desc id=\"description\">p1 has the row a1 b1 c1 d1. white: "), "{svg}");
    assert!(!picture("position farook --svg - --plies a1 a4 b1 b4 c1 c4").contains("\"b-proof\""));
    let both = ["position", "sophia", "--svg", "-", "--from", "bbbb/4/4/AAAA p1 stock=0,0 c=AB n=20"];
    let svg = String::from_utf8(arena(both).output().expect("the arena runs").stdout).expect("UTF-8");
    assert_eq!([svg.matches("\"b-proof\"").count(), svg.matches("\"b-proof b-weak\"").count()], [1, 1]);
}

#[test]
fn every_board_is_drawn_with_its_last_ply() {
    let folder = tempfile::tempdir().expect("a folder");
    for game in rules::GAMES {
        let first = json(&format!("position {} --json", game.id))["legal"][0].clone();
        let path = folder.path().join(format!("{}.svg", game.id));
        let ply = first.as_str().expect("a ply");
        let svg = [OsStr::new("--svg"), path.as_os_str()];
        let words = ["position", game.id, "--plies", ply].map(OsStr::new);
        let output = arena(words.into_iter().chain(svg)).output().expect("the arena runs");
        assert!(output.status.success() && output.stdout.is_empty(), "{}", game.id);
        let picture = std::fs::read_to_string(&path).expect("a picture");
        assert!(picture.contains(&format!("<title id=\"title\">{} after {ply}: ", game.id)), "{picture}");
        // The board, the pieces and the mark of the last ply.
        assert!(picture.contains("b-frame") && picture.contains("<use href=\"#mark-"), "{}", game.id);
        let shown = run(&format!("position {} --svg - --plies {ply}", game.id));
        assert_eq!(String::from_utf8_lossy(&shown.stdout), picture);
        let pixels = run(&format!("position {} --png - --size 120 --plies {ply}", game.id));
        assert!(pixels.stdout.starts_with(b"\x89PNG\r\n"), "{}", game.id);
        // The header of the format: the width and the height are its first eight bytes.
        let side = |at: usize| u32::from_be_bytes(pixels.stdout[at..at + 4].try_into().expect("four bytes"));
        assert_eq!(side(16).max(side(20)), 120, "{}", game.id);
    }
    for (size, words) in
        [("15", "15 is not in 16..=4096"), ("4097", "4097 is not in 16..=4096"), ("x", "invalid digit")]
    {
        let refused = run(&format!("position farook --png - --size {size}"));
        let told = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(2) && told.contains(words), "{told}");
    }
    for words in ["--size 300", "--png a.png --svg b.svg", "--png a.png --json"] {
        assert_eq!(run(&format!("position farook {words}")).status.code(), Some(2), "{words}");
    }
    let missing = folder.path().join("missing/x");
    for flag in ["--svg", "--png"] {
        let words = [OsStr::new("position"), OsStr::new("farook"), OsStr::new(flag), missing.as_os_str()];
        let refused = arena(words).output().expect("the arena runs");
        let told = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(4) && told.contains("failed to write `"), "{told}");
    }
}

#[test]
fn plies_may_stand_in_one_word_and_before_other_options() {
    let one = json("position farook --plies a1 b2 --json");
    let output =
        arena(["position", "farook", "--plies", "a1 b2", "--json"]).output().expect("the arena runs");
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).expect("JSON"), one);
    assert_eq!(json("position farook --json --plies"), json("position farook --json"));
    assert_eq!(json("position farook --moves a1 b2 --json"), one, "the flag's old name is accepted");
}

#[test]
fn perft_has_these_keys_in_json() {
    let count = json("perft farook 2 --json");
    assert_eq!(keys(&count), ["depth", "nodes", "seconds"]);
    assert_eq!((&count["depth"], &count["nodes"]), (&2.into(), &240.into()));
    let split = json("perft farook 2 --divide --json");
    assert_eq!(keys(&split), ["depth", "divide", "nodes", "seconds"]);
    assert_eq!(split["divide"]["a1"], 15);
    assert_eq!(json("perft farook 0 --divide --json")["nodes"], 1);
}

#[test]
fn what_is_typed_wrongly_never_panics() {
    let lines = [
        "",
        "nonsense",
        "--nonsense",
        "games x",
        "position",
        "position nonsense",
        "position farook --opt",
        "position farook --opt x",
        "position farook --opt =",
        "position farook --opt wilds=",
        "position farook --from x",
        "position farook --plies \u{1b}[31m",
        "position farook farook",
        "perft farook",
        "perft farook -1",
        "perft farook 1e9",
        "perft farook 101",
        "perft farook 99999999999999999999",
        "perft nonsense 1",
        "perft farook 1 --from x",
        "plan nonsense.yaml",
    ];
    for line in lines {
        let output = run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(output.stdout.is_empty(), "{line}");
        let told = String::from_utf8(output.stderr).expect("text");
        assert!(!told.is_empty() && !told.contains('\u{1b}') && !told.contains("panicked"), "{line}: {told}");
    }
    for line in [["position", ""], ["perft", ""], ["games", ""]] {
        assert_eq!(arena(line).output().expect("the arena runs").status.code(), Some(2), "{line:?}");
    }
}

#[cfg(unix)]
#[test]
fn words_that_are_not_utf8_are_refused() {
    use std::os::unix::ffi::OsStrExt as _;
    let word = OsStr::from_bytes(b"f\xff");
    for before in [&["position"][..], &["position", "farook", "--plies"], &["perft", "farook", "1", "--from"]]
    {
        let output = arena(before).arg(word).output().expect("the arena runs");
        assert_eq!(output.status.code(), Some(2), "{before:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let mut child =
        arena(["games"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the arena runs");
    drop(child.stdout.take());
    let mut told = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut told).expect("text");
    assert_eq!(told, "");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_to_write() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("the device is there");
    let output = arena(["games"]).stdout(full).stderr(Stdio::piped()).output().expect("the arena runs");
    assert_eq!(output.status.code(), Some(4));
    assert!(
        String::from_utf8_lossy(&output.stderr).starts_with("error: failed to write to standard output: ")
    );
}

#[test]
fn colour_is_for_terminals_only() {
    for line in ["position fanorona", "games", "position nonsense"] {
        let output = run(line);
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{line}");
    }
}

#[test]
fn the_version_is_the_packages() {
    let output = run("--version");
    assert_eq!(String::from_utf8_lossy(&output.stdout), concat!("arena ", env!("CARGO_PKG_VERSION"), "\n"));
}
