//! The dialogues of `protocol-spec/vectors/dialogues/` and of the pages, as steps. `vectors/README.md` describes the
//! format.

/// A dialogue.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// Where it stands, for messages.
    pub(crate) name: String,
    /// What happens, in order.
    pub(crate) steps: Vec<Step>,
}

/// One line of a dialogue.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Where it stands, for messages.
    pub(crate) place: String,
    /// What happens.
    pub(crate) act: Act,
}

/// What happens in a dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// The arena sends this line.
    Tell(String),
    /// The bot answers with a line of this pattern.
    Expect(String),
    /// A direction: its first word and the others.
    Direct(String, Vec<String>),
}

impl Script {
    /// Reads a dialogue from its file.
    pub(crate) fn of_file(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), steps: steps(name, 1, text) }
    }

    /// Returns whether a direction stands in it.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.steps.iter().any(|step| matches!(&step.act, Act::Direct(first, _) if first == word))
    }
}

/// Reads the lines of a dialogue, the first of which has this number in its file.
pub(crate) fn steps(name: &str, first: usize, text: &str) -> Vec<Step> {
    let step = |(number, line): (usize, &str)| {
        let place = format!("{name}:{}", first + number);
        let act = match line.split_at_checked(2) {
            Some(("> ", line)) => Act::Tell(line.to_owned()),
            Some(("< ", line)) => Act::Expect(line.to_owned()),
            Some(("! ", words)) => direction(words).unwrap_or_else(|| panic!("{place}: no direction")),
            _ if line.is_empty() || line.starts_with('#') => return None,
            _ => panic!("{place}: a line begins with `> `, `< `, `! ` or `#`"),
        };
        Some(Step { place, act })
    };
    text.lines().enumerate().filter_map(step).collect()
}

/// Reads a direction.
pub(crate) fn direction(words: &str) -> Option<Act> {
    let mut words = words.split_whitespace().map(str::to_owned);
    Some(Act::Direct(words.next()?, words.collect()))
}
