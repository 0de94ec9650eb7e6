//! What is declared of a key.

/// A key: everything that is said of it, in one place.
///
/// What its value means is declared beside it where it is a single value ([`crate::Setting`]), and by the crate that
/// reads it where it is a list or a map.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// What it says, in plain sentences: for `--help`, editors, `arena init` and the table of keys.
    pub about: &'static str,
    /// What the table of keys says beside that, in Markdown; mostly nothing.
    pub details: &'static str,
    /// A value that is fine.
    pub example: &'static str,
    /// What holds where the key is missing, in words, unless that is the usual value itself.
    pub missing: &'static str,
    /// What its value looks like.
    pub shape: Shape,
    /// Which texts its value can be, where it is a single one; of a list, each item that is one, and of what may be a word
    /// or a map, the word.
    pub values: KeyValues,
    /// What newcomers look for under another name.
    pub synonyms: &'static [Synonyms],
    /// The flag that comes before it, if it has one.
    pub flag: Option<Flag>,
    /// Whether a run that is continued may change it.
    pub change: Change,
}

/// What the value of a key looks like.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// As the example: a single value, a list of them, or a map whose keys the user chooses.
    Free,
    /// A list of words, or one text.
    Words,
    /// A word, or a map with these keys.
    WordOrMap(&'static [Key]),
    /// A map with these keys.
    Map(&'static [Key]),
    /// A list of maps with these keys.
    Maps(&'static [Key]),
    /// A list of maps with these keys, or one map with some of them.
    MapOrMaps(&'static [Key]),
}

/// Which texts a single value can be. Schemas are made of it, so it may be wider than what is read, never narrower.
#[derive(Clone, Copy, Debug)]
pub enum KeyValues {
    /// Any text.
    Any,
    /// One of these words.
    Words(&'static [&'static str]),
    /// `true` or `false`.
    Truth,
    /// A whole number from this one up, or one of these words.
    Whole(u64, &'static [&'static str]),
    /// A number.
    Number,
    /// A duration with a unit, or one of these words.
    Duration(&'static [&'static str]),
    /// A text of which this regular expression matches the whole, and no number.
    Pattern(&'static str),
    /// A number, or a text of which this regular expression matches the whole.
    NumberOr(&'static str),
    /// The name of a game.
    Game,
    /// The name of a bot of the arena.
    Builtin,
}

/// Names by which newcomers look for a key.
#[derive(Clone, Copy, Debug)]
pub struct Synonyms {
    /// What to write instead: the key with a value.
    pub line: &'static str,
    /// The names.
    pub names: &'static [&'static str],
}

/// A flag of the command line that says what a key says.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// Its name, with the hyphens.
    pub name: &'static str,
    /// What its value is called; `None` where it has none and stands for `true`.
    pub value: Option<&'static str>,
    /// What it says, where that differs from what the key says.
    pub about: Option<&'static str>,
    /// Whether its value may begin with a hyphen, so that a negative number is told as one.
    pub is_number: bool,
    /// Whether it may be given several times.
    pub is_repeated: bool,
}

/// Whether a run that is continued may change a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Never: games before and after could not be compared, or the schedule would be another one.
    Never,
    /// Yes, and the run says so: games are played another way from now on.
    Announced,
    /// Yes: it makes no difference to a game.
    Freely,
}

impl Key {
    /// Returns a key with a single value, or a list or map whose keys the user chooses.
    #[must_use]
    pub const fn new(name: &'static str, example: &'static str, about: &'static str) -> Self {
        Self {
            name,
            about,
            details: "",
            example,
            missing: "",
            shape: Shape::Free,
            values: KeyValues::Any,
            synonyms: &[],
            flag: None,
            change: Change::Freely,
        }
    }

    /// Returns the sentences that say what the key says.
    #[must_use]
    pub fn about(&self) -> &'static str {
        self.about.trim_start()
    }

    /// Returns the key with a value that is fine, as it stands in a file.
    #[must_use]
    pub fn line(&self) -> String {
        format!("{}: {}", self.name, self.example)
    }

    /// Returns whether `name` is this key, written as other files write their keys: `think_limit`, `ThinkLimit`.
    #[must_use]
    pub fn is_spelt(&self, name: &str) -> bool {
        is_spelt(self.name, name)
    }

    /// Returns what to write instead of `name`, if it is a synonym of the key.
    #[must_use]
    pub fn instead_of(&self, name: &str) -> Option<&'static str> {
        let found = self.synonyms.iter().find(|it| it.names.iter().any(|synonym| is_spelt(synonym, name)));
        found.map(|synonyms| synonyms.line)
    }

    /// Returns the keys below this one; none where the user chooses them.
    #[must_use]
    pub const fn below(&self) -> &'static [Self] {
        match self.shape {
            Shape::Map(below) | Shape::Maps(below) | Shape::MapOrMaps(below) | Shape::WordOrMap(below) => {
                below
            }
            Shape::Free | Shape::Words => &[],
        }
    }
}

impl Flag {
    /// Returns its name without the hyphens.
    #[must_use]
    pub fn long(&self) -> &'static str {
        self.name.trim_start_matches('-')
    }

    /// Returns the flag of this name, whose value is called so.
    #[must_use]
    pub const fn of(name: &'static str, value: &'static str) -> Self {
        Self { name, value: Some(value), about: None, is_number: false, is_repeated: false }
    }

    /// Returns the flag of this name, whose value is a number.
    #[must_use]
    pub const fn number(name: &'static str) -> Self {
        Self { is_number: true, ..Self::of(name, "N") }
    }

    /// Returns the flag of this name, which stands for `true`.
    #[must_use]
    pub const fn truth(name: &'static str) -> Self {
        Self { value: None, ..Self::of(name, "") }
    }
}

/// Returns whether two names have the same letters, whatever their case and what joins their words.
fn is_spelt(one: &str, other: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = char> {
        name.chars().filter(|letter| !"-_ ".contains(*letter)).map(|letter| letter.to_ascii_lowercase())
    }
    letters(one).eq(letters(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_known_by_other_spellings_and_names() {
        let key = Key {
            synonyms: &[Synonyms { line: "think-limit: 60s", names: &["move-time", "patience"] }],
            ..Key::new("think-limit", "60s", "")
        };
        assert!(
            ["think-limit", "think_limit", "ThinkLimit", "thinklimit"].iter().all(|name| key.is_spelt(name))
        );
        assert!(!key.is_spelt("think"));
        assert_eq!(key.instead_of("moveTime"), Some("think-limit: 60s"));
        assert_eq!(key.instead_of("time"), None);
    }
}
