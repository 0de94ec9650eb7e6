//! A map of a tournament file, typed as one argument: `turns=2,deepen`.

use std::ops::Range;
use std::sync::Arc;

use diagnostic::Diagnostic;
use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};
use settings::TOURNAMENT;

use crate::written::argument::Argument;
use crate::written::errors::{InputErrors, Spot};
use crate::written::path::Path;
use crate::written::schema::KeysByPath as _;

/// Reads the value of a flag that stands for the map of this key: pairs `key=value` with commas between them; a key alone is
/// `key=true`. What is wrong is noted, and nothing returned.
pub(crate) fn read<T: DeserializeOwned>(
    key: &'static str,
    flag: &'static str,
    text: &str,
    errors: &mut InputErrors,
) -> Option<(T, Argument)> {
    let known: Vec<_> = TOURNAMENT.keys_at(&Path::of(&[key])).iter().map(|key| key.name).collect();
    let mut keys: Vec<(String, Range<usize>)> = Vec::new();
    let mut map = Mapping::new();
    let mut wrong = Vec::new();
    let mut start = 0;
    for part in text.split(',') {
        let from = start + part.len() - part.trim_start().len();
        start += part.len() + 1;
        let part = part.trim();
        let end = from + part.len();
        let (name, value, place) = match part.split_once('=') {
            Some((name, value)) => (name.trim_end(), value.trim_start(), end - value.trim_start().len()..end),
            None => (part, "true", from..end),
        };
        if !known.contains(&name) {
            let message = match name {
                "" => "a key is missing here".to_owned(),
                _ => format!("unknown key `{}`", name.escape_debug()),
            };
            let hint = match rules::nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the keys are {}; for example `{flag} {}`", known.join(", "), example(key)),
            };
            let bytes = from..(from + name.len()).max((from + 1).min(text.len()));
            wrong.push((bytes, Diagnostic::new(message).hint(hint)));
        } else if keys.iter().any(|(other, _)| other == name) {
            let message = format!("`{name}` is given twice");
            wrong.push((from..end, Diagnostic::new(message).hint("leave one of them out")));
        } else {
            keys.push((name.to_owned(), place));
            map.insert(Value::from(name), Value::from(value));
        }
    }
    let shared: Arc<str> = text.into();
    let argument = |whole, keys| Argument { flag, text: Arc::clone(&shared), whole, keys };
    match serde_yaml::from_value(Value::Mapping(map)) {
        Ok(value) if wrong.is_empty() => return Some((value, argument(0..text.len(), keys))),
        Ok(_) => {}
        Err(error) => wrong.push((0..text.len(), Diagnostic::new(error.to_string()))),
    }
    for (bytes, diagnostic) in wrong {
        errors.add(&Spot::Argument(Arc::new(argument(bytes, Vec::new())), None), diagnostic);
    }
    None
}

/// Returns what an argument can look like: the example of the key, as it is typed.
fn example(key: &str) -> String {
    let key = TOURNAMENT.innermost(&Path::of(&[key]));
    let written = key.map_or("", |key| key.example).trim_matches(['{', '}']);
    written.replace(": ", "=").replace(", ", ",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::written::raw::RawOpenings;

    #[test]
    fn pairs_are_read_with_their_places() {
        let mut errors = InputErrors::default();
        let (raw, argument) = read::<RawOpenings>(
            "openings",
            "--openings",
            "file=my book.txt, order = shuffled,repeat",
            &mut errors,
        )
        .expect("it is sound");
        assert_eq!(raw.file.as_deref(), Some("my book.txt"));
        assert_eq!((raw.order.as_deref(), raw.repeat.as_deref()), (Some("shuffled"), Some("true")));
        let at = |key| &argument.text[argument.place(Some(key))];
        assert_eq!((at("file"), at("order"), at("repeat")), ("my book.txt", "shuffled", "repeat"));
        assert_eq!(argument.place(Some("count")), 0..argument.text.len());
        assert!(errors.is_empty());
    }

    #[test]
    fn what_is_wrong_is_noted() {
        for text in ["", "tuns=2", "turns=2,", "turns=2,turns=3", "=2", "turns=2;plies=3,,"] {
            let mut errors = InputErrors::default();
            let read = read::<RawOpenings>("openings", "--openings", text, &mut errors);
            assert!(read.is_none() && !errors.is_empty(), "{text}");
        }
    }
}
