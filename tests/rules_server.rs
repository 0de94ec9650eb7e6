//! `arena rules` as programs in other languages meet it. What JavaScript makes of it is tested by `cargo xtask ci`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn an_answer_comes_at_once_and_the_server_ends_with_its_input() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let child = command.arg("rules").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("the arena runs");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for (question, words) in [
        ("legal faust size=2 startpos", "\"legal\":[\"a1\",\"a2\",\"b1\",\"b2\"]"),
        ("nonsense", "\"error\":\"bad-request\""),
        ("legal faust size=2 startpos moves a1; about", "\"swap\""),
    ] {
        writeln!(input, "{question}").expect("the arena reads");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("the arena answers");
        assert!(answer.contains(words), "{answer}");
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn the_module_in_python_replays_the_playthroughs() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/rules_test.py");
    let output = Command::new("python3").arg(script).arg(env!("CARGO_BIN_EXE_arena")).output();
    let output = output.expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
