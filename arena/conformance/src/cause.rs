//! What is behind a fault: a bot that crashes or writes plies wrongly fails tests of many clauses, and breaks none of them.

use std::fmt;

use protocol::{BotMessage, Identity, Start, printable_capped};
use rules::Seat;

/// How many characters of a line are shown.
const SHOWN: usize = 100;

/// The words that bots may want and declare to be able to do.
pub(crate) const WANTS: [&str; 4] = ["legal", "board", "played", "after"];
pub(crate) const ABILITIES: [&str; 6] = ["stop", "ponder", "depth", "nodes", "infinite", "query"];

/// First words of lines that were meant as answers.
const ANSWERS: [&str; 8] = ["bestmove", "best_move", "best", "move", "mv", "play", "ply", "answer"];

/// What is behind a fault, whatever clause the test is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// What kind of thing went wrong.
    pub kind: CauseKind,
    /// What the bot does, a sentence without its full stop.
    pub what: String,
    /// What to do, one sentence without its full stop.
    pub advice: String,
}

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CauseKind {
    /// The process ended, or closed its output.
    Crash,
    /// The output waits in a buffer.
    Unflushed,
    /// The bot writes its answer in a line that does not begin with `bestmove`.
    WrongWord,
    /// A legal ply is spelled otherwise: in capitals, in brackets.
    Spelling,
    /// The ply was legal in an earlier question.
    StalePly,
    /// The ply is not legal.
    IllegalPly,
    /// The bot resigned where a ply was asked for.
    Resignation,
    /// Nothing came.
    Silence,
    /// The bot speaks the protocol of another family.
    OtherFamily,
    /// The bot writes far too much, or lines that are far too long.
    Flood,
}

impl CauseKind {
    /// Returns its word in documents.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Unflushed => "unflushed",
            Self::WrongWord => "wrong-word",
            Self::Spelling => "spelling",
            Self::StalePly => "stale-ply",
            Self::IllegalPly => "illegal-ply",
            Self::Resignation => "resignation",
            Self::Silence => "silence",
            Self::OtherFamily => "other-family",
            Self::Flood => "flood",
        }
    }
}

impl fmt::Display for CauseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Cause {
    pub(crate) fn new(kind: CauseKind, what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { kind, what: what.into(), advice: advice.into() }
    }

    /// Returns the cause of a process that ended so, with these last lines on its standard error.
    pub(crate) fn crash(exit: Option<&str>, stderr: &[String]) -> Self {
        let words = stderr.iter().rev().find(|line| !line.trim().is_empty()).map(|line| line.trim());
        let how = match exit {
            Some(exit) => format!("the bot crashes ({exit})"),
            None => "the bot ends or closes its output".to_owned(),
        };
        match (words, exit) {
            (Some(words), _) => {
                let words = printable_capped(words, SHOWN);
                Self::new(
                    CauseKind::Crash,
                    format!("{how}: `{words}`"),
                    format!("fix the crash: its standard error says `{words}`"),
                )
            }
            (None, Some("exit 0")) => Self::new(
                CauseKind::Crash,
                "the bot ends by itself (exit 0)",
                "read lines until `quit`, in a loop: the program came to its end",
            ),
            (None, _) => Self::new(
                CauseKind::Crash,
                format!("{how}, without a word on standard error"),
                "keep standard input and output open, and read and write lines, until `quit`",
            ),
        }
    }

    /// Returns whether another fault has the same cause. Crashes are the same where they say the same last words.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.kind == other.kind && (self.kind != CauseKind::Crash || self.what == other.what)
    }

    /// Returns whether one fault of this kind tells it from any clause: such bots do this wherever they are asked.
    pub(crate) const fn is_certain(&self) -> bool {
        matches!(
            self.kind,
            CauseKind::Crash
                | CauseKind::Unflushed
                | CauseKind::WrongWord
                | CauseKind::Silence
                | CauseKind::Flood
        )
    }
}

/// The question that was put last, as far as a fault can depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The game with its options.
    pub(crate) label: String,
    pub(crate) seat: Seat,
    pub(crate) start: Start,
    pub(crate) moves: Vec<String>,
    pub(crate) legal: Vec<String>,
}

/// Returns the cause of an answer that is not legal.
///
/// `earlier` are the plies that were legal in the question before.
pub(crate) fn of_ply(said: &str, legal: &[String], earlier: &[String], identity: &Identity) -> Option<Cause> {
    let shown = printable_capped(said, SHOWN);
    let is_told = identity.wants(protocol::Want::Legal);
    let meant = bare(said);
    if let Some(ply) = legal.iter().find(|ply| ply.as_str() != said && bare(ply) == meant) {
        return Some(Cause::new(
            CauseKind::Spelling,
            format!("the bot writes `{shown}` where the ply is written `{ply}`"),
            format!(
                "write plies letter by letter as the arena does: `bestmove {ply}`, not `bestmove {shown}`"
            ),
        ));
    }
    if let Some((word, near)) = misspelled(&identity.wants, &WANTS) {
        return Some(Cause::new(
            CauseKind::IllegalPly,
            format!("the bot says `want {word}`, which means nothing, and plays `{shown}`, which is illegal"),
            format!("write `want {near}`: without it the arena does not send the bot what it waits for"),
        ));
    }
    if is_told && earlier.iter().any(|ply| ply == said) {
        return Some(Cause::new(
            CauseKind::StalePly,
            format!("the bot plays `{shown}`, which was legal in an earlier question"),
            "choose from the `legal` line that came last before `go`, and forget earlier ones",
        ));
    }
    None
}

/// Returns the cause if nothing more will come because the bot broke a bound; `why` says so in words without a subject.
pub(crate) fn of_broken_bound(why: &str) -> Option<Cause> {
    let what = format!("the bot {why}");
    if why.starts_with("wrote") {
        let advice =
            "write `info` a few times a second and everything else to standard error, in short lines";
        return Some(Cause::new(CauseKind::Flood, what, advice));
    }
    let advice = "read the input line by line until `quit`, also while the bot thinks or writes";
    (why == "did not read its input").then(|| Cause::new(CauseKind::Silence, what, advice))
}

/// Returns a word that is none of these, and the nearest of them that is near enough to be meant.
pub(crate) fn misspelled(words: &[String], known: &[&'static str]) -> Option<(String, &'static str)> {
    words.iter().filter(|word| !known.contains(&word.as_str())).find_map(|word| {
        let near = rules::nearest(&word.to_lowercase(), known.iter().copied())?;
        Some((printable_capped(word, SHOWN), near))
    })
}

/// Returns the cause if a line of log output was meant as an answer.
pub(crate) fn of_log_line(line: &str, legal: &[String]) -> Option<Cause> {
    if BotMessage::parse(line).is_ok_and(|message| matches!(message, BotMessage::BestMove(_))) {
        return None;
    }
    let words: Vec<_> = line.split_whitespace().collect();
    let first = words.first()?;
    let is_legal = |word: &&str| legal.iter().any(|ply| bare(ply) == bare(word));
    let shown = printable_capped(line, SHOWN);
    let what = format!("the bot writes `{shown}`, which the arena takes for log output");
    let is_glued = words.windows(2).skip(1).any(|pair| pair[0].ends_with("bestmove") && is_legal(&pair[1]))
        || (words.windows(2).any(|pair| pair[0].ends_with("bestmove") && is_legal(&pair[1]))
            && *first != "bestmove");
    if is_glued && !first.eq_ignore_ascii_case("bestmove") {
        let advice = "begin a new line for `bestmove`, or write other text to standard error";
        return Some(Cause::new(CauseKind::WrongWord, what, advice));
    }
    let word = first.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let ply = words.iter().find(|word| is_legal(word))?;
    let ply = legal.iter().find(|legal| bare(legal) == bare(ply))?;
    (ANSWERS.contains(&word.as_str()) || words.len() == 1).then(|| {
        let advice = format!(
            "begin the answer with `bestmove`, in small letters and without a colon: `bestmove {ply}`"
        );
        Cause::new(CauseKind::WrongWord, what, advice)
    })
}

/// Returns a word in small letters, without what stands around it.
fn bare(word: &str) -> String {
    let letters: String =
        word.chars().filter(|letter| letter.is_alphanumeric() || "+-=".contains(*letter)).collect();
    letters.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plies(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    fn identity(wants: &str) -> Identity {
        Identity { declared_protocol: Some(1), wants: plies(wants), ..Identity::default() }
    }

    #[test]
    fn a_ply_in_other_letters_is_shown_as_it_is_written() {
        for said in ["A2", "[a2]", "'a2'", "a-2"] {
            let cause = of_ply(said, &plies("a1 a2"), &[], &identity("legal"));
            let is_spelling = cause.as_ref().is_some_and(|cause| cause.kind == CauseKind::Spelling);
            assert_eq!(is_spelling, said != "a-2", "{said}: {cause:?}");
        }
        assert_eq!(of_ply("z9", &plies("a1"), &[], &identity("legal")), None);
    }

    #[test]
    fn a_ply_of_an_earlier_question_and_a_wish_that_means_nothing_are_told() {
        let kind = |wants| of_ply("b2", &plies("a1"), &plies("b2"), &identity(wants)).map(|cause| cause.kind);
        assert_eq!(kind("legal"), Some(CauseKind::StalePly));
        assert_eq!(kind("board"), None);
        let cause = of_ply("b2", &plies("a1"), &[], &identity("leagl")).expect("a cause");
        assert!(cause.what.contains("`want leagl`") && cause.advice.contains("`want legal`"), "{cause:?}");
    }

    #[test]
    fn lines_that_were_meant_as_answers_are_told_from_log_output() {
        let legal = plies("a1 a2");
        for line in
            ["thinking ... bestmove a2", "BestMove a2", "bestmove: a2", "move a2", "a2", "12%bestmove a2"]
        {
            assert!(of_log_line(line, &legal).is_some(), "{line}");
        }
        for line in ["bestmove a2", "I look at a2", "info pv a2", "", "bestmove is hard"] {
            assert!(of_log_line(line, &legal).is_none(), "{line}");
        }
    }

    #[test]
    fn a_bot_that_writes_too_much_has_not_crashed() {
        let kind = |why| of_broken_bound(why).map(|cause| cause.kind);
        assert_eq!(kind("wrote a line of more than 65536 bytes"), Some(CauseKind::Flood));
        assert_eq!(kind("did not read its input"), Some(CauseKind::Silence));
        assert_eq!(kind("ended"), None);
    }

    #[test]
    fn crashes_are_the_same_where_they_say_the_same() {
        let crash = |words: &str| Cause::crash(Some("exit 1"), &[words.to_owned()]);
        assert!(crash("KeyError: 'x'").is_same(&crash("KeyError: 'x'")));
        assert!(!crash("KeyError: 'x'").is_same(&crash("KeyError: 'y'")));
        assert!(crash("KeyError").what.ends_with("(exit 1): `KeyError`"));
        assert!(Cause::crash(Some("exit 0"), &[]).advice.contains("until `quit`"));
    }
}
