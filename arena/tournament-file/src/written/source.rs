//! A YAML text with the places of its nodes. Only wrong files come here, so parsing them twice is cheap.

use std::ops::Range;

use saphyr::{LoadableYamlNode as _, MarkedYaml, Marker, Scalar, YamlData};
use saphyr_parser::{Event, Parser};
use serde_yaml::Value;

use crate::written::path::{Path, Step};
use crate::written::syntax::{SyntaxError, first_line, without_duplicates};

/// How many lists and maps may stand within each other. What a file says needs six; parsers call themselves for every
/// level, and some thousands of levels overflow the stack.
const MOST_LEVELS: usize = 64;

/// A text with the places of its nodes.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    text: &'a str,
    characters: Characters,
    /// The node at the top; none in a text of comments alone.
    top: Option<MarkedYaml<'a>>,
}

impl<'a> Source<'a> {
    /// Reads a text.
    ///
    /// # Errors
    /// When it is not YAML.
    pub(crate) fn new(text: &'a str) -> Result<Self, SyntaxError> {
        // Control characters would be shown in messages, and must not reach a terminal.
        let is_hidden = |letter: char| letter.is_control() && !"\t\n\r\u{85}".contains(letter);
        if let Some((start, letter)) = text.char_indices().find(|(_, letter)| is_hidden(*letter)) {
            let message = format!("the control character U+{:04X} is not allowed", u32::from(letter));
            return Err(SyntaxError::new(message, start..start + letter.len_utf8()));
        }
        check_depth(text)?;
        let characters = Characters::of(text);
        let documents = MarkedYaml::load_from_str(text).map_err(|error| {
            SyntaxError::explained(error.info(), text, characters.byte(text, error.marker()))
        })?;
        let mut documents = documents.into_iter();
        let source = Self { text, characters, top: documents.next() };
        match documents.next() {
            None => Ok(source),
            Some(second) => {
                let message = "the file is one YAML document, and here begins another".to_owned();
                Err(SyntaxError::new(message, source.bytes(&second)))
            }
        }
    }

    /// Reads a text without the pairs whose keys their map has already, and returns the errors of these. `shortened` holds
    /// what is left of such a text.
    ///
    /// # Errors
    /// When it is not YAML even so.
    pub(crate) fn without_duplicates(
        text: &'a str,
        shortened: &'a mut String,
    ) -> Result<(Self, Vec<SyntaxError>), SyntaxError> {
        match Self::new(text) {
            Err(error) if error.is_duplicate() => {
                let errors;
                (*shortened, errors) = without_duplicates(text, |text| Source::new(text).map(drop));
                Self::new(shortened).map(|source| (source, errors))
            }
            read => read.map(|source| (source, Vec::new())),
        }
    }

    /// Returns the text of the single value at `path`.
    pub(crate) fn text(&self, path: &Path) -> Option<String> {
        self.scalar(self.node(path)?)
    }

    fn node(&self, path: &Path) -> Option<&MarkedYaml<'a>> {
        let mut node = self.top.as_ref()?;
        for step in path.steps() {
            node = match (step, &node.data) {
                (Step::Key(name), YamlData::Mapping(map)) => {
                    map.iter().find(|(key, _)| self.scalar(key).as_deref() == Some(name))?.1
                }
                (Step::Item(index), YamlData::Sequence(items)) => items.get(*index)?,
                _ => return None,
            };
        }
        Some(node)
    }

    /// Returns the bytes of the value at `path` or, on demand, of its key. Of what goes over several lines, only
    /// those of the first; of what has no value, those of the key.
    pub(crate) fn find(&self, path: &Path, is_key: bool) -> Option<Range<usize>> {
        let mut node = self.top.as_ref()?;
        let mut key = None;
        for step in path.steps() {
            (key, node) = match (step, &node.data) {
                (Step::Key(name), YamlData::Mapping(map)) => {
                    let (key, value) =
                        map.iter().find(|(key, _)| self.scalar(key).as_deref() == Some(name))?;
                    (Some(key), value)
                }
                (Step::Item(index), YamlData::Sequence(items)) => (None, items.get(*index)?),
                _ => return None,
            };
        }
        if path.steps().is_empty() {
            return None;
        }
        let value = self.bytes(node);
        Some(match key {
            Some(key) if is_key || value.is_empty() => self.bytes(key),
            _ => value,
        })
    }

    /// Returns the kind of the node at `path`, with its article.
    pub(crate) fn kind(&self, path: &Path) -> Option<&'static str> {
        Some(match &self.node(path)?.data {
            YamlData::Sequence(_) => "a list",
            YamlData::Mapping(_) => "a map",
            YamlData::Value(Scalar::Null) => "empty",
            _ => "a single value",
        })
    }

    /// Returns the whole text as a value whose scalars are the texts that were written.
    pub(crate) fn value(&self) -> Value {
        self.top.as_ref().map_or(Value::Null, |top| self.to_value(top))
    }

    fn to_value(&self, node: &MarkedYaml<'_>) -> Value {
        match &node.data {
            YamlData::Sequence(items) => items.iter().map(|item| self.to_value(item)).collect(),
            YamlData::Mapping(map) => {
                let name = |key| {
                    Value::String(self.scalar(key).unwrap_or_else(|| self.text[self.bytes(key)].to_owned()))
                };
                Value::Mapping(map.iter().map(|(key, value)| (name(key), self.to_value(value))).collect())
            }
            YamlData::Tagged(_, inner) => self.to_value(inner),
            _ => self.scalar(node).map_or(Value::Null, Value::String),
        }
    }

    /// Returns the text of a scalar as it was written; `None` of an empty value and of what is no scalar.
    fn scalar(&self, node: &MarkedYaml<'_>) -> Option<String> {
        match &node.data {
            YamlData::Value(Scalar::String(text)) => Some(text.to_string()),
            YamlData::Value(Scalar::Null) => None,
            // `1.10` must not become 1.1.
            YamlData::Value(_) | YamlData::BadValue => Some(self.text[self.bytes(node)].to_owned()),
            YamlData::Tagged(_, inner) => self.scalar(inner),
            YamlData::Representation(text, ..) => Some(text.to_string()),
            YamlData::Sequence(_) | YamlData::Mapping(_) | YamlData::Alias(_) => None,
        }
    }

    fn bytes(&self, node: &MarkedYaml<'_>) -> Range<usize> {
        let [start, mut end] =
            [&node.span.start, &node.span.end].map(|marker| self.characters.byte(self.text, marker));
        // The parser leaves out the bracket that closes a list or map.
        let is_bracketed =
            |open, close| self.text[start..].starts_with(open) && self.text[end..].starts_with(close);
        if is_bracketed('[', ']') || is_bracketed('{', '}') {
            end += 1;
        }
        first_line(self.text, start..end)
    }
}

/// Where the characters of a text begin: markers count them.
#[derive(Debug)]
struct Characters {
    /// The first byte of each; `None` where each has one byte.
    starts: Option<Vec<usize>>,
}

impl Characters {
    fn of(text: &str) -> Self {
        Self { starts: (!text.is_ascii()).then(|| text.char_indices().map(|(byte, _)| byte).collect()) }
    }

    /// Returns the byte at which a marker stands.
    fn byte(&self, text: &str, marker: &Marker) -> usize {
        let index = marker.index();
        match &self.starts {
            Some(starts) => starts.get(index).copied().unwrap_or(text.len()),
            None => index.min(text.len()),
        }
    }
}

/// Refuses a text that goes too deep, at the place where it does, before a parser sees it that calls itself for every level.
///
/// # Errors
/// When more than [`MOST_LEVELS`] lists and maps stand within each other.
pub(crate) fn check_depth(text: &str) -> Result<(), SyntaxError> {
    let mut depth = 0_usize;
    for event in Parser::new_from_str(text) {
        let marker = match event {
            Ok((Event::SequenceStart(..) | Event::MappingStart(..), span)) => {
                depth += 1;
                span.start
            }
            Ok((Event::SequenceEnd | Event::MappingEnd, span)) => {
                depth = depth.saturating_sub(1);
                span.start
            }
            Ok((_, span)) => span.start,
            // Brackets are counted by the parser too, before it comes to their events.
            Err(error) if error.info().contains("recursion limit") => {
                depth = usize::MAX;
                *error.marker()
            }
            // What is no YAML is told by the parser that reads it.
            Err(_) => return Ok(()),
        };
        if depth > MOST_LEVELS {
            let start = Characters::of(text).byte(text, &marker);
            let message = format!("more than {MOST_LEVELS} lists and maps stand within each other");
            return Err(SyntaxError {
                message,
                bytes: first_line(text, start..text.len()),
                hint: Some("a tournament or an entry needs six at most".to_owned()),
            });
        }
    }
    Ok(())
}
