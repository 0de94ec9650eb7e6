//! The one list of tests.

use std::time::Duration;

use crate::bench::Bench;
use crate::fault::Step;
use crate::{
    suite::clocks, suite::decisions, suite::farewell, suite::handshake, suite::memory, suite::optional,
    suite::sitting,
};

/// One test of the suite.
pub struct Test {
    /// Its number: `T07` has 7.
    pub number: u8,
    /// The clause of `protocol-spec/PROTOCOL.md` that it rests on.
    pub clause: &'static str,
    /// What a bot that passes does, a fragment.
    pub title: &'static str,
    /// Whether a bot must pass.
    pub rule: Rule,
    pub(crate) run: for<'b, 'a> fn(&'b mut Bench<'a>) -> Step<Option<String>>,
}

/// Whether a bot must pass a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A bot that fails does not conform.
    Must,
    /// A bot that fails is warned.
    Should,
    /// A bot that declares the option `Seed` must pass, any other should.
    MustWithSeed,
}

const fn must(
    number: u8,
    clause: &'static str,
    title: &'static str,
    run: for<'b, 'a> fn(&'b mut Bench<'a>) -> Step<Option<String>>,
) -> Test {
    Test { number, clause, title, rule: Rule::Must, run }
}

const fn should(
    number: u8,
    clause: &'static str,
    title: &'static str,
    run: for<'b, 'a> fn(&'b mut Bench<'a>) -> Step<Option<String>>,
) -> Test {
    Test { number, clause, title, rule: Rule::Should, run }
}

impl Test {
    /// Returns how long the test may go on asking, for all games together. A bot that answers at once is asked everything in a
    /// fraction of it; a slow one is asked less, at least one question in each game.
    pub(crate) const fn share(&self) -> Duration {
        Duration::from_secs(match self.number {
            18 => 15,
            38 => 12,
            36 => 6,
            19 | 20 => 3,
            _ => 4,
        })
    }
}

/// Every test, in the order in which they are run. The numbers up to 37 are those of the protocol's list.
pub static TESTS: &[Test] = &[
    must(1, "6.2.1", "`ugi` is answered with `ugiok`", handshake::t01_hello),
    should(2, "6.2.1", "nothing but log lines before `ugi`", handshake::t02_silence_before_hello),
    must(3, "6.2.3", "`protocol`, `want` and `can` are written well", handshake::t03_protocol),
    should(4, "6.2.4", "`plays` names games that there are", handshake::t04_plays),
    should(40, "6.2.5", "`want` and `can` name words that there are", handshake::t40_words),
    must(5, "5.1", "a hello with CRLF is understood", handshake::t05_crlf),
    must(6, "5.2", "blanks around and between words are ignored", handshake::t06_blanks),
    must(7, "5.5", "an unknown line is ignored", handshake::t07_unknown_line),
    must(8, "5.4", "empty lines and comments are ignored", handshake::t08_blank_lines),
    must(9, "6.4.12", "`isready` is answered with `readyok`, each time", sitting::t09_ready),
    must(10, "6.2.9", "every option takes its default, least and greatest value", sitting::t10_options),
    must(11, "6.3.1", "every game it plays can be set up", sitting::t11_games),
    // What fails here is not about any clause of the tests below: they come after it.
    must(18, "6.4.8", "random positions get legal plies", decisions::t18_random),
    should(12, "6.3.4", "an unknown game is rejected", sitting::t12_unknown_game),
    must(13, "6.3.3", "two games follow each other in one process", sitting::t13_two_games),
    must(14, "6.4.7", "the same question twice gets two legal answers", decisions::t14_twice),
    must(39, "6.4.7", "nothing is answered before `go`", decisions::t39_before_go),
    must(15, "6.4.2", "positions may jump forward and back", decisions::t15_jumps),
    must(16, "6.4.2", "a game may begin from `position fen`", decisions::t16_fen),
    must(17, "5.6", "unknown pairs on `go` are ignored", decisions::t17_pairs),
    must(19, "6.4.7", "a single legal ply is played", decisions::t19_single),
    must(20, "6.4.8", "`pass`, `swap` and `keep=` are coped with", decisions::t20_special),
    must(21, "6.4.8", "a turn of several plies is answered one by one", decisions::t21_several),
    must(22, "6.5.5", "`movetime 100` is respected", clocks::t22_movetime),
    must(23, "6.5.5", "a clock of 1000 ms + 10 ms lasts 20 turns", clocks::t23_clock),
    should(24, "6.4.6", "`budget` is kept to on average", clocks::t24_budget),
    must(25, "6.4.5", "a clock without increment is understood", clocks::t25_no_increment),
    must(26, "6.4.11", "`stop` brings the answer within 500 ms", optional::t26_stop),
    must(27, "6.4.12", "`isready` is answered during a search", optional::t27_ready_while_thinking),
    must(28, "6.2.6", "`depth 1` and `nodes 1000` come to an end", optional::t28_depth_and_nodes),
    must(29, "6.4.17", "`ponder` waits for `ponderhit` or `stop`", optional::t29_ponder),
    must(30, "6.4.18", "`query legal` and `query perft` agree with the rules", optional::t30_query),
    must(31, "6.4.14", "an `id=` that is echoed is the one that was sent", optional::t31_id),
    must(32, "6.1.4", "`quit` ends the process within a second", farewell::t32_quit),
    should(33, "6.1.4", "the end of input ends the process", farewell::t33_end_of_input),
    must(34, "6.7.2", "after `gameover` a new game can be played", sitting::t34_after_gameover),
    should(35, "6.1.4", "nothing is written after `quit`", farewell::t35_silence_after_quit),
    must(36, "6.3.2", "the same `Seed` plays the same game", memory::t36_seed),
    must(37, "6.1.2", "output is flushed after every line", farewell::t37_flush),
    Test {
        number: 38,
        clause: "6.3.3",
        title: "`uginewgame` makes it forget the games before",
        rule: Rule::MustWithSeed,
        run: memory::t38_forgets,
    },
];
