//! The keys of a tournament file as a JSON Schema, for editors.
//!
//! It is made from the list of keys: what a value looks like follows from the key's example. It is meant to help while
//! a file is typed and accepts some files that [`crate::parse`] refuses: what a value means is not its business.

use serde_json::{Map, Value, json};
use settings::{Key, Shape, TOURNAMENT};

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
        Shape::Free => like(&example),
        Shape::Words => json!({"type": ["array", "string", "null"], "items": scalar()}),
        Shape::WordOrMap(keys) => json!({"anyOf": [scalar(), map(keys)]}),
        Shape::Map(keys) => map(keys),
        Shape::Maps(keys) => {
            let is_name = |item: &Value| !item.is_object();
            let has_names = example.as_array().is_some_and(|items| items.iter().any(is_name));
            let items = if has_names { json!({"anyOf": [scalar(), map(keys)]}) } else { map(keys) };
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
fn like(value: &Value) -> Value {
    match value {
        Value::Array(items) => match items.first() {
            Some(item) => json!({"type": "array", "items": like(item)}),
            None => json!({"type": "array"}),
        },
        Value::Object(_) => json!({"type": "object", "additionalProperties": scalar()}),
        _ => scalar(),
    }
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

    use super::*;

    fn compiled() -> (Schemas, SchemaIndex) {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("arena.json", json_schema()).unwrap();
        let index = compiler.compile("arena.json", &mut schemas).unwrap();
        (schemas, index)
    }

    fn is_valid(text: &str) -> bool {
        let (schemas, index) = compiled();
        let value: Value = serde_yaml::from_str(text).unwrap();
        schemas.validate(&value, index).is_ok()
    }

    #[test]
    fn examples_of_all_keys_are_valid() {
        fn check(keys: &[Key], wrap: &dyn Fn(&str) -> String) {
            for key in keys {
                let text = wrap(&key.line());
                assert!(is_valid(&text), "{text}");
                assert!(is_valid(&wrap(&format!("{}: ", key.name))), "{} without a value", key.name);
                let name = key.name;
                match key.shape {
                    Shape::Map(keys) | Shape::WordOrMap(keys) => {
                        check(keys, &|text| wrap(&format!("{name}: {{{text}}}")));
                    }
                    Shape::Maps(keys) | Shape::MapOrMaps(keys) => {
                        check(keys, &|text| wrap(&format!("{name}: [{{{text}}}]")));
                    }
                    Shape::Free | Shape::Words => {}
                }
            }
        }
        check(TOURNAMENT.keys(), &str::to_owned);
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
            "bots: [{cmd: python3 mine.py}]",
            "rounds: '3'",
        ] {
            assert!(is_valid(text), "{text}");
        }
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
