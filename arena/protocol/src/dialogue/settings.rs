//! The options of a bot: checks the configured values against its declarations.

use thiserror::Error;

use super::identity::Identity;
use crate::lexical::token;
use crate::{OptionDeclaration, OptionKind, SetOption, printable_capped};

/// The most characters of a bot's text that an error keeps.
const SHOWN: usize = 80;

/// Why an option of a bot cannot be set. Quoted text is already escaped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetOptionError {
    /// The bot declared no such option.
    #[error("the bot has no option `{name}`{}", suggestion(.nearest.as_deref()))]
    Unknown {
        /// The name as given.
        name: String,
        /// The nearest declared name, if one is near.
        nearest: Option<String>,
    },
    /// The option does not accept the value.
    #[error("option `{name}` of the bot cannot be `{value}`; allowed: {allowed}{}", suggestion(.nearest.as_deref()))]
    Value {
        /// The name of the option.
        name: String,
        /// The value as given.
        value: String,
        /// The values that the option accepts.
        allowed: String,
        /// The nearest allowed value, if one is near.
        nearest: Option<String>,
    },
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

impl Identity {
    /// Returns the message that sets an option.
    ///
    /// # Errors
    /// If the bot did not declare the option or does not accept the value.
    pub fn setting(&self, name: &str, value: &str) -> Result<SetOption, SetOptionError> {
        let option = self.option(name).ok_or_else(|| self.unknown_option(name))?;
        option.setting(value)
    }

    fn unknown_option(&self, name: &str) -> SetOptionError {
        let nearest = nearest(name, self.options.iter().map(|option| option.name.as_str()));
        SetOptionError::Unknown { name: shown(name), nearest: nearest.map(shown) }
    }
}

impl OptionDeclaration {
    /// Returns the message that sets this option.
    ///
    /// # Errors
    /// If the option does not accept the value. A button accepts nothing or `true`.
    pub fn setting(&self, value: &str) -> Result<SetOption, SetOptionError> {
        let is_allowed = match &self.kind {
            OptionKind::Check { .. } => matches!(value, "true" | "false"),
            OptionKind::Spin { min, max, .. } => {
                token::signed(value).is_some_and(|n| (*min..=*max).contains(&n))
            }
            OptionKind::Combo { values, .. } => values.iter().any(|own| own == value),
            OptionKind::Text { .. } => !value.contains(|c: char| c.is_ascii_control()),
            OptionKind::Button => matches!(value, "" | "true"),
        };
        if !is_allowed {
            return Err(self.refusal(value));
        }
        let value = match self.kind {
            OptionKind::Button => None,
            OptionKind::Check { .. }
            | OptionKind::Spin { .. }
            | OptionKind::Combo { .. }
            | OptionKind::Text { .. } => Some(value.to_owned()),
        };
        Ok(SetOption { name: self.name.clone(), value })
    }

    fn refusal(&self, value: &str) -> SetOptionError {
        let (allowed, nearest) = match &self.kind {
            OptionKind::Check { .. } => ("true, false".to_owned(), nearest(value, ["true", "false"])),
            OptionKind::Spin { min, max, .. } => (format!("{min} to {max}"), None),
            OptionKind::Combo { values, .. } => {
                (values.join(", "), nearest(value, values.iter().map(String::as_str)))
            }
            OptionKind::Text { .. } => ("a text of one line".to_owned(), None),
            OptionKind::Button => ("nothing or true".to_owned(), None),
        };
        SetOptionError::Value {
            name: shown(&self.name),
            value: shown(value),
            allowed: printable_capped(&allowed, 4 * SHOWN),
            nearest: nearest.map(shown),
        }
    }
}

fn shown(text: &str) -> String {
    printable_capped(text, SHOWN)
}

/// Returns the candidate nearest to `name`, ignoring case, if it is close enough to be the intended one.
fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&name, &candidate.to_ascii_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BotMessage;

    fn identity() -> Identity {
        let lines = [
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Style type combo default calm var calm var wild",
            "option name Ponder type check default false",
            "option name Book type string",
            "option name Clear type button",
        ];
        let option = |line: &str| match BotMessage::parse(line) {
            Ok(BotMessage::Option(option)) => option,
            other => panic!("{other:?}"),
        };
        Identity { options: lines.map(option).into(), ..Identity::default() }
    }

    fn check(name: &str, value: &str, expected: &str) {
        let line = match identity().setting(name, value) {
            Ok(setting) => setting.to_string(),
            Err(fault) => fault.to_string(),
        };
        assert_eq!(line, expected);
    }

    #[test]
    fn values_that_fit_are_set() {
        check("Hash", "64", "setoption name Hash value 64");
        check("Style", "wild", "setoption name Style value wild");
        check("Ponder", "true", "setoption name Ponder value true");
        check("Book", "my book.bin", "setoption name Book value my book.bin");
        check("Clear", "", "setoption name Clear");
    }

    #[test]
    fn an_unknown_option_names_the_nearest() {
        check("hash", "64", "the bot has no option `hash` (did you mean `Hash`?)");
        check("Threads", "2", "the bot has no option `Threads`");
    }

    #[test]
    fn values_that_do_not_fit_name_what_is_allowed() {
        check("Hash", "0", "option `Hash` of the bot cannot be `0`; allowed: 1 to 1024");
        check("Hash", "big", "option `Hash` of the bot cannot be `big`; allowed: 1 to 1024");
        check(
            "Style",
            "wilt",
            "option `Style` of the bot cannot be `wilt`; allowed: calm, wild (did you mean `wild`?)",
        );
        check(
            "Ponder",
            "True",
            "option `Ponder` of the bot cannot be `True`; allowed: true, false (did you mean `true`?)",
        );
        check(
            "Book",
            "a\nquit",
            r"option `Book` of the bot cannot be `a\x0aquit`; allowed: a text of one line",
        );
        check("Clear", "no", "option `Clear` of the bot cannot be `no`; allowed: nothing or true");
    }
}
