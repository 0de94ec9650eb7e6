//! A value of the wrong kind: a word where a list or a map is expected, and the like.

use diagnostic::Diagnostic;
use settings::{Form, Key, KeyValues, Shape};

use crate::bots::program::builtins;
use crate::written::path::{Path, Step};
use crate::written::schema::KeysByPath as _;
use crate::written::source::Source;

/// Says that the value at `path` cannot be of its kind, and what was meant.
pub(crate) fn diagnostic(form: &Form, source: &Source<'_>, path: &Path) -> Diagnostic {
    let kind = source.kind(path).unwrap_or("this");
    let Some((_, last)) = path.split() else {
        return Diagnostic::new(format!("{} is a map of keys, not {kind}", form.what))
            .hint(format!("it begins for example with `{}`", form.example));
    };
    let key = form.innermost(path);
    let name = key.map_or("this", |key| key.name);
    let message = match last {
        Step::Key(key) => format!("`{key}` cannot be {kind}"),
        Step::Item(index) => format!("item {} of `{name}` cannot be {kind}", index + 1),
    };
    let diagnostic = Diagnostic::new(message);
    let Some(key) = key else { return diagnostic };
    let text = source.text(path);
    let number = text.clone().filter(|text| text.parse::<u32>().is_ok());
    diagnostic.hint(match text.and_then(|text| intended(key, last, &text)) {
        Some(line) => format!("did you mean `{line}`?"),
        None if name == "games" && number.is_some() => format!(
            "`games` says which games are played; how many is said by `rounds: {}`",
            number.as_deref().unwrap_or_default()
        ),
        None => format!("for example `{}`", key.line()),
    })
}

/// Returns what was meant by a single value where a list or a map is expected.
fn intended(key: &Key, last: &Step, text: &str) -> Option<String> {
    let name = key.name;
    match (last, key.shape) {
        (Step::Item(_), Shape::MapOrMaps(_)) if name == "bots" && builtins().any(|bot| bot == text) => {
            Some(format!("{{name: {text}, builtin: {text}}}"))
        }
        (Step::Key(_), Shape::MapOrMaps(_)) => {
            let names: Vec<_> = text.split([',', ' ']).filter(|word| !word.is_empty()).collect();
            let is_known = |name: &&str| builtins().any(|bot| bot == *name);
            let bot = |name: &&str| format!("{{name: {name}, builtin: {name}}}");
            let bots: Vec<_> = names.iter().map(bot).collect();
            names.iter().all(is_known).then(|| format!("{name}: [{}]", bots.join(", ")))
        }
        (Step::Key(_), Shape::Maps(_)) => {
            let names: Vec<_> = text.split([',', ' ']).filter(|word| !word.is_empty()).collect();
            let is_fine = !names.is_empty() && names.iter().all(|name| rules::find(name).is_ok());
            is_fine.then(|| format!("{name}: [{}]", names.join(", ")))
        }
        (Step::Key(_), Shape::Map(below)) => {
            let takers: Vec<_> = below.iter().filter(|key| takes(key, text)).collect();
            let taker = takers.iter().find(|taker| key.example.contains(taker.name)).or(takers.first())?;
            Some(format!("{name}: {{{}: {text}}}", taker.name))
        }
        // A list of words.
        (Step::Key(_), Shape::Free) if key.example.starts_with('[') && !key.example.starts_with("[[") => {
            Some(format!("{name}: [{text}]"))
        }
        _ => None,
    }
}

/// Returns whether a key may have this text as its value, and says so.
fn takes(key: &Key, text: &str) -> bool {
    match key.values {
        KeyValues::Words(words) => words.contains(&text),
        KeyValues::Whole(least, _) => text.parse::<u64>().is_ok_and(|number| number >= least),
        KeyValues::Number => text.parse::<f64>().is_ok(),
        KeyValues::Any
        | KeyValues::Truth
        | KeyValues::Duration(_)
        | KeyValues::Pattern(_)
        | KeyValues::NumberOr(_)
        | KeyValues::Game
        | KeyValues::Builtin => false,
    }
}
