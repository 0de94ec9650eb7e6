//! What the lines of a bot that failed give away: hints that the fault alone does not tell, such as an answer that was taken
//! for log output.

use std::time::Duration;

use protocol::{BotMessage, Family, Timeouts, printable_capped};
use record::Termination;
use runner::{BotFailure, Direction, Spoken, SpokenLine};
use settings::format_duration;

use super::exchange::exchange;

/// How many characters of a bot's line are shown.
const SHOWN: usize = 60;

/// From how many lines on a question was answered with too many.
const MANY: usize = 100;

/// First words of lines that were meant as answers.
const ANSWERS: [&str; 8] = ["bestmove", "best_move", "best", "move", "mv", "play", "ply", "answer"];

/// Returns what is likely to be wrong, a sentence each, fit to be shown.
pub(super) fn hints(failure: &BotFailure) -> Vec<String> {
    let (_, came) = exchange(failure);
    let is_late = failure.termination == Termination::Timeout;
    let is_wrong = matches!(failure.termination, Termination::IllegalMove | Termination::BadMove);
    let surplus = surplus(failure).filter(|_| is_late || is_wrong);
    // A second answer is that to an earlier position as well, for a reason that is told already.
    let is_outdated = is_wrong && surplus.is_none();
    let hints = [
        late(failure).filter(|_| is_late),
        unheard(failure, &came).filter(|_| is_late),
        chatter(&came).filter(|_| is_late),
        outdated(failure, &came).filter(|_| is_outdated),
        surplus,
    ];
    greeting_hints(&failure.spoken).into_iter().chain(hints.into_iter().flatten()).collect()
}

/// Returns what is likely to be wrong with a greeting.
pub(super) fn greeting_hints(spoken: &Spoken) -> Vec<String> {
    [undeclared(spoken), other_family(spoken), slow_start(spoken)].into_iter().flatten().collect()
}

/// Tells of a bot that wants something and does not say which protocol it speaks.
fn undeclared(spoken: &Spoken) -> Option<String> {
    let lines = &spoken.lines;
    let start = lines.iter().position(|line| !is_from_bot(line) && line.text == "ugi")?;
    let greeting: Vec<_> = lines.iter().skip(start).take_while(|line| first(line) != "ugiok").collect();
    let said = |word: &str| greeting.iter().find(|line| is_from_bot(line) && first(line) == word);
    let wanted = said("want").or_else(|| said("can")).filter(|_| said("protocol").is_none())?;
    Some(format!(
        "The bot says `{}` but no `protocol`, so the arena ignores it: write the line `protocol 1` before `ugiok`.",
        printable_capped(&wanted.text, SHOWN)
    ))
}

/// Tells of a bot that speaks the protocol of another family.
fn other_family(spoken: &Spoken) -> Option<String> {
    let (greeting, _) = greeting(spoken)?;
    let ends = |hello: &str| {
        let ok = format!("{hello}ok");
        spoken.lines.iter().any(|line| is_from_bot(line) && first(line) == ok)
    };
    let hello = Family::KNOWN.into_iter().find(|hello| ends(hello)).filter(|_| !ends(greeting))?;
    Some(format!(
        "The bot wrote `{hello}ok`: it speaks the protocol that begins with `{hello}`. Add `hello: {hello}` to its entry, and the \
         arena greets it so."
    ))
}

/// Tells of a greeting that came after its limit: where slow work belongs.
fn slow_start(spoken: &Spoken) -> Option<String> {
    let (hello, at) = greeting(spoken)?;
    let ok = format!("{hello}ok");
    let answer = spoken.lines.iter().find(|line| is_from_bot(line) && first(line) == ok)?;
    let spent = answer.at.saturating_sub(at);
    (spent > Timeouts::SPEC.hello).then(|| {
        format!(
            "`{ok}` came {:.1} s after `{hello}`. Answer `{hello}` at once, and do what takes long before `readyok`, which may take {}.",
            spent.as_secs_f64(),
            format_duration(Timeouts::SPEC.set_up)
        )
    })
}

/// Returns the word that a bot was greeted with, and when.
fn greeting(spoken: &Spoken) -> Option<(&str, Duration)> {
    let line = spoken.lines.iter().find(|line| !is_from_bot(line))?;
    Family::KNOWN.contains(&line.text.as_str()).then_some((line.text.as_str(), line.at))
}

/// Tells of a good answer that came too late: by how much, and what to do.
fn late(failure: &BotFailure) -> Option<String> {
    let lines = &failure.spoken.lines;
    let start = lines.iter().rposition(|line| !is_from_bot(line) && first(line) == "go")?;
    let go = &lines[start];
    let answer = lines.iter().skip(start).find(|line| is_from_bot(line) && is_answer(&line.text))?;
    let spent = answer.at.saturating_sub(go.at);
    let words: Vec<_> = go.text.split_whitespace().collect();
    let number = |name: &str| {
        let after = words.iter().position(|word| *word == name)? + 1;
        words.get(after)?.parse().ok().map(Duration::from_millis)
    };
    let clocks = if failure.seat == 1 { ["p1time", "wtime"] } else { ["p2time", "btime"] };
    let limits = [number("movetime"), clocks.into_iter().find_map(number)];
    let allowed = limits.into_iter().flatten().min();
    let lateness = allowed.and_then(|allowed| Some((allowed, spent.checked_sub(allowed)?)));
    let late = lateness.map_or_else(String::new, |(allowed, late)| {
        format!(", {} ms after its {} ms were over", late.as_millis(), allowed.as_millis())
    });
    let budget = words.iter().find_map(|word| word.strip_prefix("budget="));
    let budget =
        budget.map_or_else(String::new, |budget| format!(" (`budget={}`)", printable_capped(budget, 12)));
    Some(format!(
        "`{}` came {} ms after `go`{late}. Answer within the milliseconds that `budget=` names{budget}. If only the first answer \
         of a game is slow, do that work before `readyok`: no clock runs there.",
        printable_capped(&answer.text, SHOWN),
        spent.as_millis(),
    ))
}

/// Tells of a line that looks like an answer and was none.
fn unheard(failure: &BotFailure, came: &[&SpokenLine]) -> Option<String> {
    let scene = failure.scene.as_ref()?;
    // An answer that is written well was late, not unheard.
    if came.iter().any(|line| is_answer(&line.text)) {
        return None;
    }
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let legal = |word: &str| scene.legal.iter().find(|ply| **ply == word || **ply == bare(word));
    let ply = |line: &SpokenLine| line.text.split_whitespace().find_map(legal).cloned();
    let words = |line: &SpokenLine| line.text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    // `print("thinking ... ", end="")` before the answer makes one line of both.
    let is_glued = |line: &SpokenLine| {
        let words = words(line);
        words.windows(2).skip(1).any(|pair| pair[0].ends_with("bestmove") && legal(&pair[1]).is_some())
            || words.first().is_some_and(|word| word != "bestmove" && word.ends_with("bestmove"))
    };
    let looks_like_one = |line: &SpokenLine| {
        ANSWERS.contains(&&*bare(first(line)).to_lowercase())
            || (words(line).len() == 1 && ply(line).is_some())
    };
    if let Some(line) = came.iter().rfind(|line| is_glued(line)) {
        return Some(format!(
            "`{}` was taken for log output: `bestmove` stands in the middle of a line. Begin a new line for the answer, or write other \
             text to the standard error (Python: `print(…, file=sys.stderr)`).",
            printable_capped(&line.text, SHOWN)
        ));
    }
    let line = came.iter().rfind(|line| looks_like_one(line))?;
    let example = ply(line).or_else(|| scene.legal.first().cloned())?;
    Some(format!(
        "`{}` was taken for log output. An answer is one line that begins with `bestmove`, in small letters and without a colon, \
         such as `bestmove {}`.",
        printable_capped(&line.text, SHOWN),
        printable_capped(&example, SHOWN)
    ))
}

/// Returns whether a line is an answer by the grammar.
fn is_answer(line: &str) -> bool {
    matches!(BotMessage::parse(line), Ok(BotMessage::BestMove(_)))
}

/// Warns of lines so numerous that writing them takes the time.
fn chatter(came: &[&SpokenLine]) -> Option<String> {
    (came.len() >= MANY).then(|| {
        format!(
            "The bot wrote {} lines or more for this question, and writing takes its time: write `info` a few times a second, \
             and everything else to the standard error.",
            came.len()
        )
    })
}

/// Tells of a ply that an earlier list of legal plies had, and the last one has not.
fn outdated(failure: &BotFailure, came: &[&SpokenLine]) -> Option<String> {
    let answer = came.iter().rfind(|line| first(line) == "bestmove")?;
    let lists: Vec<_> = sent(failure).filter(|line| first(line) == "legal").collect();
    // Of a long list only the ends are kept.
    if lists.iter().any(|list| list.left_out > 0) {
        return None;
    }
    let (last, earlier) = lists.split_last()?;
    let has = |list: &SpokenLine, ply: &str| list.text.split(' ').skip(1).any(|legal| legal == ply);
    let ply = answer.text.split_whitespace().skip(1).find(|ply| !has(last, ply))?;
    earlier.iter().any(|list| has(list, ply)).then(|| {
        format!(
            "`{}` was legal in an earlier position: keep the `legal` line that came last before `go`, and forget earlier ones.",
            printable_capped(ply, SHOWN)
        )
    })
}

/// Tells of more answers than questions: the second answer to a question is taken for that to the next one.
fn surplus(failure: &BotFailure) -> Option<String> {
    let lines = &failure.spoken.lines;
    let start = lines.iter().position(|line| !is_from_bot(line) && first(line) == "go")?;
    let count = |word: &str, is_bot: bool| {
        lines.iter().skip(start).filter(|line| is_from_bot(line) == is_bot && first(line) == word).count()
    };
    let (asked, answered) = (count("go", false), count("bestmove", true));
    (answered > asked).then(|| {
        format!("The bot wrote {answered} `bestmove` lines for {asked} `go`: write one for each, and none unasked.")
    })
}

fn sent(failure: &BotFailure) -> impl Iterator<Item = &SpokenLine> {
    failure.spoken.lines.iter().filter(|line| !is_from_bot(line))
}

fn is_from_bot(line: &SpokenLine) -> bool {
    line.direction == Direction::FromBot
}

fn first(line: &SpokenLine) -> &str {
    line.text.split_whitespace().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use runner::Situation;

    use super::*;

    /// Returns what is said of a bot that failed so after these lines: `>` is to the bot, `<` from it.
    fn check(termination: Termination, lines: &[&str]) -> String {
        let lines: Vec<_> = lines.iter().map(|line| (0, *line)).collect();
        check_at(termination, &lines)
    }

    /// The same, with the milliseconds at which each line came.
    fn check_at(termination: Termination, lines: &[(u64, &str)]) -> String {
        let lines = lines.iter().map(|(at, line)| {
            let (sign, text) = line.split_at(2);
            let direction = if sign == "> " { Direction::ToBot } else { Direction::FromBot };
            SpokenLine { at: Duration::from_millis(*at), direction, text: text.to_owned(), left_out: 0 }
        });
        let failure = BotFailure {
            bot: "mine".to_owned(),
            game: 1,
            termination,
            detail: String::new(),
            stderr: Vec::new(),
            seat: 1,
            command: String::new(),
            dir: "/".into(),
            is_confined: false,
            exit: None,
            spoken: Spoken { lines: lines.collect(), left_out: 0 },
            flush: None,
            scene: Some(Situation {
                ply: 1,
                position: String::new(),
                legal: vec!["a1".to_owned(), "c3".to_owned()],
            }),
        };
        hints(&failure).join("\n")
    }

    fn late(lines: &[&str]) -> String {
        check(Termination::Timeout, &[&["> legal a1 c3", "> go budget=9"], lines].concat())
    }

    #[test]
    fn an_answer_in_other_words_is_shown_as_it_should_be() {
        for line in ["< BestMove c3", "< bestmove: c3", "< c3", "< move 'c3'", "< [c3]"] {
            let told = late(&[line]);
            assert!(told.starts_with(&format!("`{}` was taken for log output.", &line[2..])), "{told}");
            assert!(told.ends_with("`bestmove c3`."), "{told}");
        }
        assert!(late(&["< bestmove-is z9"]).is_empty());
        assert!(late(&["< Bestmove z9"]).ends_with("`bestmove a1`."));
    }

    #[test]
    fn an_answer_behind_other_text_is_told_to_begin_its_own_line() {
        for line in ["< thinking ... bestmove c3", "< 12%bestmove c3"] {
            let told = late(&[line]);
            assert!(told.contains("stands in the middle of a line. Begin a new line"), "{told}");
        }
        assert_eq!(late(&["< I know no bestmove here"]), "");
    }

    #[test]
    fn a_good_answer_that_is_late_is_told_by_how_much_and_nothing_else() {
        let lines = [(0, "> legal a1 c3"), (0, "> go movetime 100 budget=80"), (300, "< bestmove c3")];
        let told = check_at(Termination::Timeout, &lines);
        assert!(
            told.starts_with("`bestmove c3` came 300 ms after `go`, 200 ms after its 100 ms were over."),
            "{told}"
        );
        assert!(told.contains("(`budget=80`)") && !told.contains("log output"), "{told}");
        let clock = [(5, "> go p1time 1000 p2time 7"), (1205, "< bestmove c3")];
        assert!(
            check_at(Termination::Timeout, &clock).contains("1200 ms after `go`, 200 ms after its 1000 ms")
        );
    }

    #[test]
    fn a_bot_of_another_family_is_told_its_key() {
        let stall = |lines: &[&str]| check(Termination::Stall, lines);
        assert!(stall(&["> ugi", "< id name X", "< uciok"]).contains("Add `hello: uci` to its entry"));
        assert_eq!(stall(&["> ugi", "< uciok", "< ugiok"]), "");
        assert_eq!(stall(&["> uci", "< uciok"]), "");
        assert!(stall(&["> uci", "> ugi", "< ugiok"]).contains("Add `hello: ugi` to its entry"));
    }

    #[test]
    fn a_greeting_that_comes_too_late_is_told_where_slow_work_belongs() {
        let after = |ms| check_at(Termination::SpawnFailed, &[(0, "> ugi"), (ms, "< ugiok")]);
        assert_eq!(
            after(10_400),
            "`ugiok` came 10.4 s after `ugi`. Answer `ugi` at once, and do what takes long before `readyok`, which may take 30s."
        );
        assert_eq!(after(9_900), "");
    }

    #[test]
    fn log_output_is_not_taken_for_an_answer() {
        assert_eq!(late(&["< info pv c3 a1", "< thinking about c3"]), "");
        assert_eq!(late(&[]), "");
    }

    #[test]
    fn escape_codes_of_a_bot_are_not_shown_as_they_are() {
        assert!(!late(&["< move \u{1b}[2J"]).contains('\u{1b}'));
    }

    #[test]
    fn a_ply_of_an_earlier_list_is_told_from_a_wrong_one() {
        let lines = ["> legal a1 b2", "> go", "< bestmove a1", "> legal b2 c3", "> go"];
        let after = |answer| check(Termination::IllegalMove, &[&lines[..], &[answer]].concat());
        assert!(after("< bestmove a1").starts_with("`a1` was legal in an earlier position"));
        assert_eq!(after("< bestmove d4"), "");
    }

    #[test]
    fn two_answers_to_one_question_are_counted() {
        let lines = ["> legal a1", "> go", "< bestmove a1", "< bestmove b2", "> legal c3", "> go"];
        let told = check(Termination::IllegalMove, &[&lines[..], &["< bestmove c3"]].concat());
        assert_eq!(
            told,
            "The bot wrote 3 `bestmove` lines for 2 `go`: write one for each, and none unasked."
        );
    }

    #[test]
    fn a_question_with_too_many_lines_is_told() {
        let lines = vec!["< info depth 1"; MANY];
        assert!(late(&lines).starts_with("The bot wrote 100 lines or more for this question"));
        assert_eq!(late(&lines[1..]), "");
    }

    #[test]
    fn a_greeting_without_the_protocol_is_told() {
        let crash = |greeting: &[&str]| {
            check(Termination::Crash, &[&["> ugi"], greeting, &["< ugiok", "> isready"]].concat())
        };
        assert!(crash(&["< want legal"]).starts_with("The bot says `want legal` but no `protocol`"));
        assert_eq!(crash(&["< protocol 1", "< want legal"]), "");
        assert_eq!(crash(&[]), "");
    }
}
