//! What the subcommands write as JSON: the documents of `arena/docs/json.schema.json`, in the words of `arena/docs/json.md`.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::process::Command;

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value, json};

const SHOWCASE: &str = "results/showcase";

const FILE: &str = "tests/config_errors/plan.in/cup.yaml";
const TEST: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/json_output_sprt");

/// The words of a command line for each document of the schema.
const COMMANDS: [(&str, &[&str]); 28] = [
    ("rate", &["rate", SHOWCASE, "--json"]),
    ("rate --matrix", &["rate", SHOWCASE, "--matrix", "--json"]),
    ("compare", &["compare", SHOWCASE, SHOWCASE, "--json"]),
    ("sprt", &["sprt", "--counts", "1,10,18,11,2", "--elo0", "0", "--elo1", "10", "--json"]),
    ("sprt", &["sprt", "--counts", "0,0,10,0,0", "--elo0", "0", "--elo1", "10", "--json"]),
    ("sprt", &["sprt", "--counts", "5,8,6", "--elo0", "0", "--elo1", "10", "--model", "bayesian", "--json"]),
    (
        "sprt",
        &[
            "sprt",
            "--new",
            "greedy",
            "--base",
            "random",
            "--game",
            "farook",
            "--game",
            "frenzy:max-turns=9",
            "--tc",
            "nodes 50",
            "--preset",
            "smoke",
            "--max-pairs",
            "24",
            "--out",
            TEST,
            "--json",
        ],
    ),
    ("report", &["report", TEST, "--json"]),
    ("report", &["match", "random", "greedy", "--game", "farook", "--rounds", "2", "--json"]),
    ("report", &["report", SHOWCASE, "--json"]),
    ("simulate", &["simulate", "--preset", "smoke", "--runs", "20", "--json"]),
    ("simulate --table", &["simulate", "--table", "--bots", "4", "--gap", "200", "--json"]),
    ("replay", &["replay", SHOWCASE, "--json"]),
    ("verify", &["verify", TEST, "--sample", "2", "--yes", "--json"]),
    ("plan", &["plan", FILE, "--json"]),
    ("plan --pairs", &["plan", FILE, "--pairs", "--json"]),
    ("games", &["games", "--json"]),
    ("position", &["position", "sophia", "--json"]),
    ("perft", &["perft", "farook", "2", "--json"]),
    ("check", &["check", "--quick", "--only", "T01", "--json", "builtin:random"]),
    ("check", &["check", "--quick", "--only", "T01", "--json", "cat"]),
    (
        "check-game",
        &["check-game", "--quick", "--games", "2", "--json", "--", "python3", "arena/games/telo/telo.py"],
    ),
    ("check-game", &["check-game", "--json", "--", "cat"]),
    ("bench", &["bench", "--game", "farook", "--seconds", "0.01", "--json"]),
    ("bench harness", &["bench", "harness", "--game", "farook", "--pairs", "5", "--repeat", "1", "--json"]),
    ("bench fairness", &["bench", "fairness", "--game", "farook", "--pairs", "10", "--json"]),
    ("doctor", &["doctor", "--concurrency", "1", "--json"]),
    ("sprt", &["sprt", "--counts", "0,0,0,0,9", "--elo0", "-5", "--elo1", "0", "--json"]),
];

fn schema() -> Value {
    let text = fs::read_to_string("arena/docs/json.schema.json").expect("the schema is there");
    serde_json::from_str(&text).expect("the schema is JSON")
}

/// Returns the schema of one document, ready to judge.
fn compiled(whole: &Value, document: &str) -> (Schemas, SchemaIndex) {
    let one = json!({
        "$schema": whole["$schema"],
        "$defs": whole["$defs"],
        "allOf": [whole["documents"][document]],
    });
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("document.json", one).expect("the schema can be read");
    let index = compiler.compile("document.json", &mut schemas).expect("the schema holds");
    (schemas, index)
}

#[test]
fn every_document_is_as_its_schema_says() {
    let whole = schema();
    if let Err(error) = fs::remove_dir_all(TEST) {
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    }
    for (document, words) in COMMANDS {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        let output = command.args(words).output().expect("the arena runs");
        let written = String::from_utf8(output.stdout).expect("JSON is UTF-8");
        let written: Value =
            serde_json::from_str(&written).unwrap_or_else(|error| panic!("{words:?}: {error}"));
        let (schemas, index) = compiled(&whole, document);
        if let Err(error) = schemas.validate(&written, index) {
            panic!("{document}: {error:#}\n{written:#}");
        }
    }
}

#[test]
fn every_document_of_the_schema_is_compared() {
    let whole = schema();
    let documents: BTreeSet<_> =
        whole["documents"].as_object().expect("a map").keys().map(String::as_str).collect();
    assert_eq!(documents, COMMANDS.iter().map(|(document, _)| *document).collect());
}

#[test]
fn an_unknown_word_is_not_valid() {
    let whole = schema();
    let (schemas, index) = compiled(&whole, "perft");
    let document = json!({"depth": 2, "nodes": 25, "seconds": 0.5});
    schemas.validate(&document, index).expect("these are its words");
    let document = json!({"depth": 2, "nodes": 25, "seconds": 0.5, "nps": 3});
    schemas.validate(&document, index).expect_err("a word more");
}

#[test]
fn every_word_is_explained() {
    let page = fs::read_to_string("arena/docs/json.md").expect("the page is there");
    for word in schema()["$defs"].as_object().expect("a map").keys() {
        assert!(page.contains(&format!("\n| `{word}` | ")), "{word}");
    }
}
