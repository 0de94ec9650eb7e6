//! What tells two configurations apart, key by key.

use diagnostic::Exit;
use diagnostic::{Diagnostic, Failure};
use record::RunRecord;
use serde_json::Value;

/// How many differences, or games that do not fit, are shown.
pub(super) const MOST_SHOWN: usize = 20;

/// Checks that two directories, each with its name, play the same.
///
/// # Errors
/// Names every difference.
pub(super) fn check(one: (&str, &RunRecord), other: (&str, &RunRecord)) -> Result<(), Failure> {
    let mut found = Vec::new();
    if one.1.rules != other.1.rules {
        let values = [&one.1.rules, &other.1.rules].map(|rules| Value::String(rules.clone()));
        found.push(("the signature of the rules".to_owned(), values));
    }
    let value = |run: &RunRecord| serde_json::to_value(&run.config).unwrap_or_default();
    compare("", &value(one.1), &value(other.1), &mut found);
    if found.is_empty() {
        return Ok(());
    }
    let rest = found.len().saturating_sub(MOST_SHOWN);
    found.truncate(MOST_SHOWN);
    let tell = |(what, [old, new]): (String, [Value; 2])| {
        Diagnostic::new(format!("{what} is {} in {} and {} in {}", shown(&old), one.0, shown(&new), other.0))
    };
    let mut diagnostics: Vec<_> = found.into_iter().map(tell).collect();
    if rest > 0 {
        diagnostics.push(Diagnostic::new(format!("{rest} more differences are not shown")));
    }
    let hint = "nothing was written; shards of one run have the same tournament file, bots and arena";
    Err(Failure::new(Exit::Usage, diagnostics).hint(hint))
}

/// Adds the differences between two values, each with its path and both values.
fn compare(path: &str, old: &Value, new: &Value, found: &mut Vec<(String, [Value; 2])>) {
    let below = |step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in old {
                compare(&below(key), value, new.get(key).unwrap_or(&Value::Null), found);
            }
            for (key, value) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
                compare(&below(key), &Value::Null, value, found);
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            for index in 0..old.len().max(new.len()) {
                let [old, new] = [old, new].map(|list| list.get(index).unwrap_or(&Value::Null));
                let name = ["name", "label"].iter().find_map(|key| old.get(key)?.as_str());
                let step = name.map_or_else(|| index.to_string(), str::to_owned);
                compare(&below(&step), old, new, found);
            }
        }
        _ if old != new => found.push((format!("`{path}`"), [old.clone(), new.clone()])),
        _ => {}
    }
}

/// Returns a value on one line, cut where it is long.
fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    match value {
        Value::Null => "missing".to_owned(),
        _ => {
            let text = value.to_string();
            if text.chars().count() <= MOST { text } else { text.chars().take(MOST).chain(['…']).collect() }
        }
    }
}
