//! A YAML text with the places of its nodes. Only faulty files come here.

use std::ops::Range;

use saphyr::{LoadableYamlNode as _, MarkedYaml, Marker, Scalar, YamlData};
use serde_yaml::Value;

use super::faults::{Path, Step};

/// A text with the places of its nodes.
#[derive(Debug)]
pub(super) struct Source<'a> {
    text: &'a str,
    /// The node at the top; none in a text of comments alone.
    top: Option<MarkedYaml<'a>>,
}

/// Why a text is not YAML.
#[derive(Debug)]
pub(super) struct SyntaxError {
    /// What is wrong, in the words of the parser.
    pub(super) message: String,
    /// Where.
    pub(super) bytes: Range<usize>,
}

impl<'a> Source<'a> {
    /// Reads a text.
    ///
    /// # Errors
    /// When it is not YAML.
    pub(super) fn new(text: &'a str) -> Result<Self, SyntaxError> {
        match MarkedYaml::load_from_str(text) {
            Ok(documents) => Ok(Self { text, top: documents.into_iter().next() }),
            Err(error) => {
                let start = byte(text, error.marker());
                Err(SyntaxError {
                    message: error.info().to_owned(),
                    bytes: first_line(text, start..text.len()),
                })
            }
        }
    }

    /// Returns the bytes of the value at `path` or, on demand, of its key. Of what goes over several lines, only
    /// those of the first; of what has no value, those of the key.
    pub(super) fn find(&self, path: &Path, is_key: bool) -> Option<Range<usize>> {
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
    pub(super) fn kind(&self, path: &Path) -> Option<&'static str> {
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
        Some(match &node.data {
            YamlData::Sequence(_) => "a list",
            YamlData::Mapping(_) => "a map",
            YamlData::Value(Scalar::Null) => "empty",
            _ => "a single value",
        })
    }

    /// Returns the whole text as a value whose scalars are the texts that were written.
    pub(super) fn value(&self) -> Value {
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
        first_line(self.text, byte(self.text, &node.span.start)..byte(self.text, &node.span.end))
    }
}

/// Returns the byte at which a marker stands: it counts characters.
fn byte(text: &str, marker: &Marker) -> usize {
    text.char_indices().nth(marker.index()).map_or(text.len(), |(byte, _)| byte)
}

/// Returns the part of a range on its first line, without blanks at the end.
fn first_line(text: &str, bytes: Range<usize>) -> Range<usize> {
    let part = text.get(bytes.clone()).unwrap_or_default();
    let line = part.split('\n').next().unwrap_or_default().trim_end();
    bytes.start..bytes.start + line.len()
}
