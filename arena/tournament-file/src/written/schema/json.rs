//! The keys of a tournament file as a JSON Schema, for editors.
//!
//! It is made from the list of keys: the shape of a value follows from the key's example, its words and numbers from
//! [`settings::KeyValues`]. It is meant to help while a file is typed: it accepts every file that [`crate::parse`] accepts, and
//! some that it refuses, since it does not know what values mean together.

use serde_json::{Map, Value, json};
use settings::{Key, KeyValues, Shape, TOURNAMENT};

use crate::bots::program::builtins;

/// Returns the schema, of draft 7, which editors of YAML know best.
pub fn json_schema() -> Value {
    let mut schema = map(TOURNAMENT.keys());
    schema["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    schema["title"] = "A tournament file of arena".into();
    schema
}

/// Returns the schema of a map with these keys.
fn map(keys: &[Key]) -> Value {
    let properties: Map<_, _> = keys.iter().map(|key| (key.name.to_owned(), value(key))).collect();
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// Returns the schema of the value of a key.
fn value(key: &Key) -> Value {
    let example = example(key);
    let mut schema = match key.shape {
        Shape::Free => like(&example, &key.values),
        Shape::Words => json!({"type": ["array", "string", "null"], "items": scalar()}),
        Shape::WordOrMap(keys) => json!({"anyOf": [single(&key.values), map(keys)]}),
        Shape::Map(keys) => map(keys),
        Shape::Maps(keys) => {
            let is_name = |item: &Value| !item.is_object();
            let has_names = example.as_array().is_some_and(|items| items.iter().any(is_name));
            let items =
                if has_names { json!({"anyOf": [single(&key.values), map(keys)]}) } else { map(keys) };
            json!({"type": "array", "items": items})
        }
        Shape::MapOrMaps(keys) => {
            json!({"anyOf": [{"type": "array", "items": map(keys)}, map(keys), {"type": "null"}]})
        }
    };
    // A key without a value is as good as none.
    if let Some(kind) = schema.get("type").and_then(Value::as_str) {
        schema["type"] = json!([kind, "null"]);
    }
    schema["description"] = key.about().into();
    schema["examples"] = json!([example]);
    schema
}

/// Returns the schema of what has the shape of this value.
fn like(value: &Value, values: &KeyValues) -> Value {
    match value {
        Value::Array(items) => match items.first() {
            Some(item) => json!({"type": "array", "items": like(item, values)}),
            None => json!({"type": "array"}),
        },
        Value::Object(_) => json!({"type": "object", "additionalProperties": scalar()}),
        _ => single(values),
    }
}

/// Returns the schema of a single value that can be one of these texts.
fn single(values: &KeyValues) -> Value {
    match values {
        KeyValues::Any => scalar(),
        KeyValues::Words(words) => {
            // YAML takes some words for truth values.
            let truths = ["true", "false"].into_iter().filter(|word| words.contains(word));
            let truths = truths.map(|word| Value::from(word == "true"));
            let words = words.iter().map(|word| Value::from(*word));
            json!({"enum": words.chain(truths).chain([Value::Null]).collect::<Vec<_>>()})
        }
        KeyValues::Truth => single(&KeyValues::Words(&["true", "false"])),
        // Options follow a name, and a file of rules is named by its path.
        KeyValues::Game => {
            let names: Vec<_> = rules::GAMES.iter().map(|game| game.id).collect();
            let text = format!("({})(:.*)?|.*[./].*", names.join("|"));
            json!({"type": ["string", "null"], "pattern": whole(&text)})
        }
        KeyValues::Builtin => single_of(builtins()),
        KeyValues::Whole(least, words) => {
            let number = json!({"type": ["integer", "null"], "minimum": least});
            let text = json!({"type": "string", "pattern": whole(&or_words("[0-9]+", words))});
            json!({"anyOf": [number, text]})
        }
        KeyValues::Number => {
            let text = json!({"type": "string", "pattern": whole("[+-]?[0-9.]+([eE][+-]?[0-9]+)?")});
            json!({"anyOf": [{"type": ["number", "null"]}, text]})
        }
        // Durations may be written in more ways than one: `90s`, `1m 30s`, `PT1H`, `00:01:30`.
        KeyValues::Duration(words) => {
            let text = or_words("[^0-9]*[0-9].*[A-Za-zµ:].*", words);
            json!({"type": ["string", "null"], "pattern": whole(&text)})
        }
        KeyValues::Pattern(text) => json!({"type": ["string", "null"], "pattern": whole(text)}),
        KeyValues::NumberOr(text) => {
            let text = json!({"type": "string", "pattern": whole(text)});
            json!({"anyOf": [{"type": ["number", "null"], "minimum": 0}, text]})
        }
    }
}

/// Returns the schema of one of these words.
fn single_of<'a>(words: impl Iterator<Item = &'a str>) -> Value {
    json!({"enum": words.map(Value::from).chain([Value::Null]).collect::<Vec<_>>()})
}

/// Returns a regular expression that matches nothing but all of a text.
fn whole(pattern: &str) -> String {
    format!("^({pattern})$")
}

/// Returns a regular expression that matches these words too.
fn or_words(pattern: &str, words: &[&str]) -> String {
    [pattern].iter().chain(words).copied().collect::<Vec<_>>().join("|")
}

/// Returns the schema of a single value: each is read as the text that was written.
fn scalar() -> Value {
    json!({"type": ["string", "number", "boolean", "null"]})
}

/// Returns the value of a key's example.
fn example(key: &Key) -> Value {
    let mut document: Value =
        serde_yaml::from_str(&key.line()).expect("every example is YAML: the tests read all");
    document[key.name].take()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use boon::{Compiler, SchemaIndex, Schemas};
    use proptest::collection::vec;
    use proptest::prelude::{ProptestConfig, Strategy as _};
    use proptest::prop_assert;
    use proptest::sample::select;
    use proptest::test_runner::TestRunner;
    use settings::{Arrangement, Conditions, Setting, Settings};

    use super::*;
    use crate::written::schema::tests::for_each_key;

    fn compiled() -> (Schemas, SchemaIndex) {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("arena.json", json_schema()).unwrap();
        let index = compiler.compile("arena.json", &mut schemas).unwrap();
        (schemas, index)
    }

    thread_local! {
        // To compile it takes a second where nothing is optimised.
        static SCHEMA: (Schemas, SchemaIndex) = compiled();
    }

    fn is_valid(text: &str) -> bool {
        let value: Value = serde_yaml::from_str(text).unwrap();
        SCHEMA.with(|(schemas, index)| schemas.validate(&value, *index).is_ok())
    }

    #[test]
    fn examples_of_all_keys_are_valid() {
        for_each_key(TOURNAMENT.keys(), &str::to_owned, &|key, wrap| {
            let text = wrap(&key.line());
            assert!(is_valid(&text), "{text}");
            assert!(is_valid(&wrap(&format!("{}: ", key.name))), "{} without a value", key.name);
        });
    }

    #[test]
    fn tournament_files_of_the_project_are_valid() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
        let readme = fs::read_to_string(path).unwrap();
        let written = readme.split(".yaml <<'END'\n").skip(1).filter_map(|text| text.split("\nEND").next());
        let mut files: Vec<_> = written.collect();
        assert!(files.len() > 1, "the README has no tournament files");
        files.extend([
            include_str!("../../../../cli/default.yaml"),
            include_str!("../../../../cli/init.yaml"),
        ]);
        for text in files {
            assert!(is_valid(text), "{text}");
        }
    }

    #[test]
    fn misspelt_keys_and_wrong_shapes_are_not_valid() {
        for text in [
            "nonsense: 1",
            "bots: [{nonsense: 1}]",
            "bots: [random]",
            "bots: random",
            "games: [{game: farook, nonsense: 1}]",
            "games: [[farook]]",
            "openings: {nonsense: 1}",
            "sprt: {nonsense: 1}",
            "rounds: [1]",
            "bots: [{env: [1]}]",
            "bots: [{cmd: {a: b}}]",
        ] {
            assert!(!is_valid(text), "{text}");
        }
        for text in [
            "bots: {from: entries/*/bot.yaml}",
            "bots: [{from: [a, b]}]",
            "games: [farook]",
            "games: ['fanorona:size=5x5,quiet-cap=10']",
            "games: [dao.wasm]",
            "bots: [{cmd: python3 mine.py}]",
            "rounds: '3'",
        ] {
            assert!(is_valid(text), "{text}");
        }
    }

    #[test]
    fn values_that_no_key_can_have_are_not_valid() {
        for text in [
            "games: [farok]",
            "games: [{game: farok}]",
            "bots: [{builtin: greedi}]",
            "tc: 10++1",
            "tc: 10+0,1",
            "tc: nodes 100, 10, 5",
            "tc: 10+0,1,",
            "tc: 10s",
            "tc: nodes",
            "tc: true",
            "bots: [{tc: fast}]",
            "concurrency: fast",
            "concurrency: 0",
            "rounds: ten",
            "rounds: 0",
            "rounds: 1.5",
            "seed: -1",
            "format: roundrobin",
            "schedule: rang",
            "pin: cores",
            "ponder: yes please",
            "reproducible: 1",
            "illegal: retry",
            "restart: often",
            "margin: 50",
            "stagger: nothing",
            "max-faults: many",
            "sandbox: high",
            "sandbox: {level: high}",
            "limits: {memory: 2GB}",
            "limits: {cpu: 60}",
            "openings: {book: large}",
            "openings: {order: random}",
            "openings: {turns: two}",
            "sprt: {preset: win}",
            "sprt: {elo0: low}",
            "adjudicate: {resign: {score: much}}",
            "bots: [{io: udp}]",
            "bots: [{clock: cpu}]",
            "bots: [{at-once: 0}]",
        ] {
            assert!(!is_valid(text), "{text}");
        }
    }

    /// Pieces of what is written as a value, right or wrong.
    const PIECES: &[&str] = &[
        "0",
        "1",
        "10",
        "60",
        "40/",
        "+",
        "-",
        ".",
        ".5",
        ":",
        ", ",
        ",",
        " ",
        "s",
        "ms",
        "m",
        "h",
        "1h 30m",
        "PT1H",
        "00:01:00",
        "2s",
        "500ms",
        "movetime ",
        "nodes ",
        "depth ",
        "delay ",
        "bronstein ",
        "byoyomi ",
        "5x",
        "hourglass ",
        "bank ",
        "cpu",
        "e1",
        "none",
        "auto",
        "true",
        "false",
        "freeze",
        "rank",
        "best:",
        "round-robin",
        "retry:",
        "forfeit",
        "MiB",
        " GiB",
        "lose",
        "skip",
        "game",
    ];

    fn accepts<S: Settings>(setting: &Setting<S>, text: &str) -> bool {
        (setting.read)(&mut S::default(), text).is_ok()
    }

    #[test]
    fn the_schema_accepts_every_value_that_is_read() {
        let (schemas, index) = compiled();
        let texts = vec(select(PIECES), 1..7).prop_map(|pieces| pieces.concat());
        let check = |key: &Key, text: &str| {
            // As a text, and as what YAML takes it for.
            let plain = serde_yaml::from_str(text).unwrap_or(Value::Null);
            let written = plain.to_string();
            let values = [Value::from(text)].into_iter().chain((written == text).then_some(plain));
            for file in values.map(|value| json!({ key.name: value })) {
                prop_assert!(schemas.validate(&file, index).is_ok(), "{file}");
            }
            Ok(())
        };
        let law = |text: String| {
            for setting in Arrangement::ALL.iter().filter(|setting| accepts(setting, &text)) {
                check(&setting.key, &text)?;
            }
            for setting in Conditions::ALL.iter().filter(|setting| accepts(setting, &text)) {
                check(&setting.key, &text)?;
            }
            Ok(())
        };
        TestRunner::new(ProptestConfig::with_cases(4000)).run(&texts, law).unwrap();
    }

    #[test]
    fn words_of_keys_are_those_that_are_read() {
        let is_level = |word: &&str| word.parse::<::sandbox::Level>().is_ok();
        let sandbox = TOURNAMENT.keys().iter().find(|key| key.name == "sandbox").unwrap();
        assert!(
            matches!(sandbox.values, KeyValues::Words(words) if words.iter().all(is_level) && words.len() == 4)
        );
        let is_model = |word: &&str| word.parse::<stats::sprt::Model>().is_ok();
        let test = TOURNAMENT.keys().iter().find(|key| key.name == "sprt").unwrap();
        let model = test.below().iter().find(|key| key.name == "model").unwrap();
        assert!(matches!(model.values, KeyValues::Words(words) if words.iter().all(is_model)));
    }

    #[test]
    fn every_key_is_described() {
        let schema = json_schema();
        for key in TOURNAMENT.keys() {
            let description = schema["properties"][key.name]["description"].as_str();
            assert!(description.is_some_and(|text| text.ends_with('.')), "{}", key.name);
        }
        let per = &schema["properties"]["openings"]["properties"]["per"]["description"];
        assert!(per.as_str().is_some_and(|text| text.contains("`pair`")), "{per}");
    }
}
