//! The one list of tests of games of one's own.

use crate::Rule;

/// One test of a game of one's own.
#[derive(Clone, Copy, Debug)]
pub struct GameTest {
    /// Its number: `G07` has 7.
    pub number: u8,
    /// The section of `protocol-spec/own-games.md` that it rests on, as a link names it.
    pub section: &'static str,
    /// What rules that pass do.
    pub title: &'static str,
    /// Whether rules must pass.
    pub rule: Rule,
    /// What to do if the test fails and nothing more is known.
    pub(super) advice: &'static str,
}

const fn must(number: u8, section: &'static str, title: &'static str, advice: &'static str) -> GameTest {
    GameTest { number, section, title, rule: Rule::Must, advice }
}

pub(super) const ANSWERED: u8 = 1;
pub(super) const ABOUT: u8 = 2;
pub(super) const GAMES: u8 = 3;
pub(super) const ERRORS: u8 = 4;
pub(super) const BATCHES: u8 = 5;
pub(super) const OPTIONS: u8 = 6;
pub(super) const KEYS: u8 = 7;
pub(super) const PLIES: u8 = 8;
pub(super) const LEGAL: u8 = 9;
pub(super) const ROUND_TRIP: u8 = 10;
pub(super) const SPELLING: u8 = 11;
pub(super) const ACCEPTED: u8 = 12;
pub(super) const NEXT: u8 = 13;
pub(super) const FINAL: u8 = 14;
pub(super) const TURNS: u8 = 15;
pub(super) const EQUAL: u8 = 16;
pub(super) const REPETITION_KEY: u8 = 17;
pub(super) const REPETITION: u8 = 18;
pub(super) const DECLARED: u8 = 19;
pub(super) const ENDS: u8 = 20;
pub(super) const LIMITS: u8 = 21;
pub(super) const LOOK: u8 = 22;
pub(super) const OUT: u8 = 23;
pub(super) const FAULTS: u8 = 24;
pub(super) const SPEED: u8 = 25;

/// Every test of a game of one's own, in the order in which they are told.
pub static GAME_TESTS: &[GameTest] = &[
    must(
        ANSWERED,
        "limits",
        "every question is answered",
        "answer every question with one line; a question that cannot be answered gets an error",
    ),
    must(
        ABOUT,
        "questions",
        "`about` names the format, the rules and their version",
        "answer `about` with `{\"format\":2,\"name\":\"dao\",\"version\":\"1.0\",\"deterministic\":true}`",
    ),
    must(GAMES, "questions", "`games` describes every game", "describe each game with the keys of the page"),
    must(
        ERRORS,
        "errors",
        "a wrong question gets an error with its code",
        "answer `{\"error\":CODE,\"message\":TEXT}` with the code of the table",
    ),
    must(
        BATCHES,
        "questions",
        "several questions on a line get one array",
        "split the line at `;`, and answer with the array of the answers, in order",
    ),
    must(
        OPTIONS,
        "options",
        "options take what `games` allows, and nothing else",
        "compare each option with its `values`, or with its `min` and `max`, and refuse others with `bad-option`",
    ),
    must(
        KEYS,
        "answers",
        "answers have their keys, each with its kind of value",
        "write the keys as the table of the page says",
    ),
    must(
        PLIES,
        "answers",
        "legal plies are tokens, in byte order, each once",
        "sort the list by bytes and remove doubles; a ply begins with a letter and has a digit, or is `pass` or `swap`",
    ),
    must(
        LEGAL,
        "questions",
        "`legal` says what `position` says",
        "answer `legal` like `position`, but without `next` and `ends`",
    ),
    must(
        ROUND_TRIP,
        "positions",
        "a position string leads to the position that it was written for",
        "write everything that the rest of the game depends on into the position string, and read it back",
    ),
    must(
        SPELLING,
        "positions",
        "every other spelling of a position is refused",
        "after reading a position, write it, and refuse it with `bad-position` if the two strings differ",
    ),
    must(
        ACCEPTED,
        "plies",
        "what is legal is accepted, and nothing else",
        "play a ply only if it is in the list of legal plies, and refuse others with `illegal-ply`",
    ),
    must(
        NEXT,
        "answers",
        "`next` and `ends` are what the plies lead to",
        "make `next` and `ends` by playing each legal ply on a copy of the position",
    ),
    must(
        FINAL,
        "the-end-of-a-game",
        "a game that is over stays over",
        "where `result` is not `null`, answer with no legal plies, and refuse every ply with `illegal-ply`",
    ),
    must(
        TURNS,
        "answers",
        "`seat`, `turn` and `fresh` fit together",
        "leave `turn` and `fresh` out if each ply ends a turn; otherwise `fresh` is true exactly before the first ply of a turn",
    ),
    must(
        EQUAL,
        "questions",
        "equal questions get equal answers",
        "remember nothing from one question to the next, and use no clock, no random number and no order of a hash table",
    ),
    must(
        REPETITION_KEY,
        "repetition",
        "`key` is the same for the same position, and only for it",
        "put everything into the key that changes what may be played, and leave out counters and how the position came about",
    ),
    must(
        REPETITION,
        "repetition",
        "a draw by repetition comes when the keys say so",
        "leave repetition to the arena: declare `repetition` in `games`, and never answer with it yourself",
    ),
    must(
        DECLARED,
        "questions",
        "what `games` says of a game holds in play",
        "change what `games` says, or the rules",
    ),
    must(
        ENDS,
        "the-end-of-a-game",
        "every game comes to an end",
        "declare `repetition` or `max-plies` in `games`, or end the game by a rule of its own",
    ),
    must(
        LIMITS,
        "limits",
        "positions, plies and answers stay within the limits",
        "choose a shorter notation, or smaller boards",
    ),
    must(
        LOOK,
        "look",
        "the look draws every position",
        "compare `look` in `games` with the position strings",
    ),
    must(
        OUT,
        "tables",
        "seats that are out stay out, with their places and reasons",
        "answer `out` with the seats that are out and their places, behind all that are left, and `exits` with why they went; keep both in the position string, and skip these seats",
    ),
    must(
        FAULTS,
        "tables",
        "a seat that commits a fault goes out, and the others play on",
        "take `fault.pN` among the plies of tables of more than two: seat pN is out at once, placed behind all that are in",
    ),
    GameTest {
        number: SPEED,
        section: "limits",
        title: "questions are answered fast",
        rule: Rule::Should,
        advice: "answer within a few milliseconds: a referee asks once per ply, a bot thousands of times",
    },
];

/// Returns the test of a number.
pub(super) fn test(number: u8) -> &'static GameTest {
    GAME_TESTS.iter().find(|test| test.number == number).expect("the numbers are those of the list")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_rests_on_a_section_of_the_page() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocol-spec/own-games.md");
        let page = std::fs::read_to_string(page).expect("the page can be read");
        let anchor = |line: &str| line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        let anchors: Vec<_> = page.lines().filter(|line| line.starts_with('#')).map(anchor).collect();
        for test in GAME_TESTS {
            assert!(anchors.iter().any(|anchor| anchor == test.section), "{}", test.section);
        }
    }

    #[test]
    fn the_tests_are_numbered_in_order() {
        assert!(GAME_TESTS.iter().map(|test| test.number).eq(1..=SPEED));
    }
}
