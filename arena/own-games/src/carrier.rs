//! What carries questions to the rules of a game of one's own, and what can go wrong on the way.

use std::fmt::Debug;
use std::time::Duration;

use protocol::printable_capped;
use thiserror::Error;

/// The most bytes that an answer may have.
pub const MAX_ANSWER: usize = 1024 * 1024;

/// How many characters of an answer are shown in a message.
const SHOWN: usize = 200;

/// Carries questions to the rules of a game of one's own and answers back.
///
/// Many threads may ask at the same time. Questions do not wait for each other: a carrier keeps as many instances of the
/// rules as there are questions at one time.
pub trait RulesCarrier: Send + Sync + Debug {
    /// Asks one line and returns the line answered, both without a line break. It waits for the answer, for no longer than
    /// the carrier's limit.
    ///
    /// # Errors
    /// When the rules give no answer, or none that is one line of 1 to [`MAX_ANSWER`] bytes of UTF-8. The next question is
    /// put to a new instance of the rules.
    fn ask(&self, question: &str) -> Result<String, CarrierFault>;

    /// Returns a reading of the processor time that the rules have used where this thread asks them: what two readings around a
    /// question differ by is what its answer took, however busy the machine was. `None` where the system does not tell, and before
    /// a process has been started.
    fn cpu(&self) -> Option<Duration> {
        None
    }

    /// Ends the questions in progress, where that is possible: they have no answer, [`CarrierFaultKind::Interrupted`].
    fn interrupt(&self) {}
}

/// Why a question has no answer: words whose subject is the rules, such as "did not answer within 10s".
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{words}")]
pub struct CarrierFault {
    kind: CarrierFaultKind,
    words: String,
    stderr: Vec<String>,
}

/// What kind of thing went wrong between a question and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CarrierFaultKind {
    /// The program could not be started, or the module not be instantiated.
    Start,
    /// No answer came within the time or the fuel of a question.
    TooSlow,
    /// The program ended, or the module trapped.
    Died,
    /// The program or module needed more memory or processes than allowed.
    Resources,
    /// What came is no answer: empty, too long, not UTF-8, outside the memory, or not one line per question.
    NotAnAnswer,
    /// Somebody has interrupted the question: nobody waits for the answer.
    Interrupted,
    /// The arena or its system failed.
    Arena,
}

impl CarrierFault {
    /// Returns a fault with words about it for people: they have no full stop, their subject is the rules, and text of the
    /// rules in them is escaped.
    pub fn new(kind: CarrierFaultKind, words: impl Into<String>) -> Self {
        Self { kind, words: words.into(), stderr: Vec::new() }
    }

    /// Returns the fault with the last lines of the rules' standard error, which are fit to be shown.
    #[must_use]
    pub fn with_stderr(self, stderr: Vec<String>) -> Self {
        Self { stderr, ..self }
    }

    /// Returns what kind of thing went wrong.
    #[must_use]
    pub const fn kind(&self) -> CarrierFaultKind {
        self.kind
    }

    /// Returns the last lines of the rules' standard error, fit to be shown. A module has none.
    #[must_use]
    pub fn stderr(&self) -> &[String] {
        &self.stderr
    }
}

/// Refuses a question that is not one line: rules would read two.
pub(crate) fn check_question(question: &str) -> Result<(), CarrierFault> {
    if has_line_break(question) {
        let words = format!("were not asked, because the question has a line break: `{}`", shown(question));
        return Err(CarrierFault::new(CarrierFaultKind::Arena, words));
    }
    Ok(())
}

/// Returns what was answered, if it is one line of text.
pub(crate) fn read_answer(bytes: &[u8]) -> Result<&str, CarrierFault> {
    let fault = |words: String| CarrierFault::new(CarrierFaultKind::NotAnAnswer, words);
    if bytes.is_empty() {
        return Err(fault("answered an empty line".to_owned()));
    }
    if bytes.len() > MAX_ANSWER {
        return Err(too_long());
    }
    let text = str::from_utf8(bytes).map_err(|error| {
        let place = error.valid_up_to();
        fault(format!("answered what is not UTF-8 from byte {place} on: `{}`", shown(&bytes[place..])))
    })?;
    if has_line_break(text) {
        let place = text.find(['\n', '\r']).unwrap_or_default();
        return Err(fault(format!("answered with a line break at byte {place}: `{}`", shown(text))));
    }
    Ok(text)
}

/// Looks at many bytes at a time, as a search that stops at the first one does not.
fn has_line_break(text: &str) -> bool {
    text.bytes().fold(0, |has, byte| has | u8::from(byte == b'\n') | u8::from(byte == b'\r')) != 0
}

/// Returns that an answer is too long.
pub(crate) fn too_long() -> CarrierFault {
    let words = format!("answered with more than {} MiB", MAX_ANSWER >> 20);
    CarrierFault::new(CarrierFaultKind::NotAnAnswer, words)
}

/// Returns text of the rules, or for them, as messages show it.
pub(crate) fn shown<T: AsRef<[u8]> + ?Sized>(text: &T) -> String {
    printable_capped(text, SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_line_of_text() {
        let words = |bytes: &[u8]| read_answer(bytes).map(str::to_owned).map_err(|fault| fault.to_string());
        assert_eq!(words("[\"é\"]".as_bytes()), Ok("[\"é\"]".into()));
        assert_eq!(words(b""), Err("answered an empty line".into()));
        assert_eq!(words(b"{}\n{}"), Err(r"answered with a line break at byte 2: `{}\x0a{}`".into()));
        assert_eq!(words(b"{\xff}"), Err(r"answered what is not UTF-8 from byte 1 on: `\xff}`".into()));
        assert_eq!(words(&[b'1'; MAX_ANSWER]), Ok("1".repeat(MAX_ANSWER)));
        assert_eq!(words(&[b'1'; MAX_ANSWER + 1]), Err("answered with more than 1 MiB".into()));
    }

    #[test]
    fn a_question_is_one_line() {
        assert_eq!(check_question("about"), Ok(()));
        assert_eq!(
            check_question("about\ngames").map_err(|fault| fault.kind()),
            Err(CarrierFaultKind::Arena)
        );
    }
}
