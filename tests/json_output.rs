//! What the subcommands write as JSON: the documents of `arena/docs/json.schema.json`, in the words of `arena/docs/json.md`.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value, json};

const SHOWCASE: &str = "results/showcase";

/// The words of a command line for each document of the schema.
const COMMANDS: [(&str, &[&str]); 11] = [
    ("rate", &["rate", SHOWCASE, "--json"]),
    ("rate --matrix", &["rate", SHOWCASE, "--matrix", "--json"]),
    ("compare", &["compare", SHOWCASE, SHOWCASE, "--json"]),
    ("sprt", &["sprt", "--counts", "1,10,18,11,2", "--elo0", "0", "--elo1", "10", "--json"]),
    ("sprt", &["sprt", "--counts", "0,0,10,0,0", "--elo0", "0", "--elo1", "10", "--json"]),
    ("simulate", &["simulate", "--preset", "smoke", "--runs", "20", "--json"]),
    ("simulate --table", &["simulate", "--table", "--bots", "4", "--gap", "200", "--json"]),
    ("replay", &["replay", SHOWCASE, "--json"]),
    ("games", &["games", "--json"]),
    ("position", &["position", "sophia", "--json"]),
    ("perft", &["perft", "farook", "2", "--json"]),
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
    for (document, words) in COMMANDS {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        let output = command.args(words).output().expect("the arena runs");
        let written = String::from_utf8(output.stdout).expect("JSON is UTF-8");
        let written: Value = serde_json::from_str(&written).expect(document);
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
