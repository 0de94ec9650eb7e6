//! How values that are one of a few words are declared.

use thiserror::Error;

/// A word that is none of those that are allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is not one of {expected}")]
pub struct WordError {
    /// The word.
    pub text: String,
    /// What is allowed.
    pub expected: &'static str,
}

/// Declares an enum whose values are written as words: what they are, how they are read, written and recorded.
macro_rules! word_enum {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[$value_about:meta])* $value:ident = $word:literal $(, $(#[$other_about:meta])* $other:ident = $other_word:literal)* $(,)?)?
        }
    ) => {
        $(#[$about])*
        pub enum $name {
            $($(#[$value_about])* $value, $($(#[$other_about])* $other,)*)?
        }

        impl $name {
            /// All values, in the order in which messages list them.
            pub const ALL: &[Self] = &[$(Self::$value, $(Self::$other,)*)?];

            /// The words of all values, in the same order.
            pub const WORDS: &[&str] = &[$($word, $($other_word,)*)?];

            /// Returns the word for the value.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$value => $word, $(Self::$other => $other_word,)*)?
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::WordError;

            fn from_str(text: &str) -> Result<Self, $crate::WordError> {
                const EXPECTED: &str = concat!($("`", $word, "`" $(, ", `", $other_word, "`")*)?);
                let value = Self::ALL.iter().copied().find(|value| value.as_str() == text);
                value.ok_or_else(|| $crate::WordError { text: text.to_owned(), expected: EXPECTED })
            }
        }
    };
}

pub(crate) use word_enum;

#[cfg(test)]
mod tests {
    use std::fmt::{Debug, Display};
    use std::str::FromStr;

    use crate::{Carrier, Format, OnFail, OnStartFailure, Pin, Preset, Restart};

    fn check<T: Copy + Debug + Display + PartialEq + FromStr<Err: Debug>>(values: &[T], words: &[&str]) {
        assert_eq!(values.len(), words.len());
        for (value, word) in values.iter().zip(words) {
            assert_eq!(value.to_string(), *word);
            assert_eq!(word.parse::<T>().unwrap(), *value);
            assert!(word.to_uppercase().parse::<T>().is_err());
        }
    }

    #[test]
    fn words_come_back() {
        check(Carrier::ALL, Carrier::WORDS);
        check(Format::ALL, Format::WORDS);
        check(OnFail::ALL, OnFail::WORDS);
        check(OnStartFailure::ALL, OnStartFailure::WORDS);
        check(Pin::ALL, Pin::WORDS);
        check(Preset::ALL, Preset::WORDS);
        check(Restart::ALL, Restart::WORDS);
    }

    #[test]
    fn other_words_are_refused_with_those_that_are_allowed() {
        let error = "often".parse::<Restart>().unwrap_err();
        assert_eq!(error.to_string(), "`often` is not one of `auto`, `always`, `never`");
    }
}
