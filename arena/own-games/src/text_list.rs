//! Many short texts in one piece of memory.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};

/// Texts in their order, in one piece of memory: an answer lists dozens of plies, and every ply of a game brings an answer.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct TextList {
    text: String,
    /// Where each of them ends in `text`.
    ends: Vec<usize>,
}

impl TextList {
    /// Returns how many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the text with this number, from 0.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&str> {
        let end = *self.ends.get(number)?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..end])
    }

    /// Returns them one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.text[std::mem::replace(&mut start, end)..end])
    }

    /// Returns where a text stands in a list that is in byte order.
    #[must_use]
    pub fn find(&self, wanted: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.get(middle)?.cmp(wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

impl fmt::Debug for TextList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'de> Deserialize<'de> for TextList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(List)
    }
}

/// Reads a list of texts.
struct List;

impl<'de> Visitor<'de> for List {
    type Value = TextList;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<TextList, A::Error> {
        // Room for the usual number of plies.
        let mut list = TextList { text: String::with_capacity(128), ends: Vec::with_capacity(32) };
        while seq.next_element_seed(One(&mut list))?.is_some() {}
        Ok(list)
    }
}

/// Reads one text and adds it to a list.
struct One<'a>(&'a mut TextList);

impl<'de> DeserializeSeed<'de> for One<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for One<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.text.push_str(text);
        self.0.ends.push(self.0.text.len());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(json: &str) -> Result<TextList, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn texts_come_back_as_they_were_listed() {
        for texts in [&[][..], &[""], &["a1"], &["a1", "", "b\"1", "\u{e9}\\"], &["pass", "a10b9"]] {
            let read = list(&serde_json::to_string(texts).unwrap()).unwrap();
            assert_eq!(read.iter().collect::<Vec<_>>(), texts);
            assert_eq!((read.len(), read.is_empty()), (texts.len(), texts.is_empty()));
            let by_number: Vec<_> = (0..=texts.len()).map(|number| read.get(number)).collect();
            assert_eq!(by_number, texts.iter().map(|text| Some(*text)).chain([None]).collect::<Vec<_>>());
            assert_eq!(format!("{read:?}"), format!("{texts:?}"));
        }
    }

    #[test]
    fn a_text_is_found_where_it_stands() {
        for count in 0..9 {
            let texts: Vec<_> = (1..=count).map(|number| format!("a{}", 2 * number + 10)).collect();
            let read = list(&serde_json::to_string(&texts).unwrap()).unwrap();
            for wanted in ["", "a", "a11", "a12", "a13", "a18", "a20", "a21", "a26", "a28", "b"] {
                let found = texts.iter().position(|text| text == wanted);
                assert_eq!(read.find(wanted), found, "{wanted} in {texts:?}");
            }
        }
    }

    #[test]
    fn what_is_no_list_of_texts_is_refused() {
        for json in ["null", "\"a1\"", "{}", "[1]", "[null]", "[[\"a1\"]]", "[\"a1\",{}]", "[\"a1\""] {
            let by_serde = serde_json::from_str::<Vec<String>>(json).map_err(|error| error.to_string());
            assert_eq!(list(json).map(|_| ()), by_serde.map(|_| ()), "{json}");
        }
    }
}
