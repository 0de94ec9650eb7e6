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
    /// The flag that comes before it, if it has one.
    pub flag: Option<Flag>,
    /// Whether a run may change it while it goes on.
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

/// Whether a run may change a setting while it goes on.
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
