//! The questions about the rules as a whole: `about`, `games`, wrong questions, several on a line, options.

use own_games::RulesRefusal;
use rules::{PLAYERS_OPTION, Seat};
use serde_json::Value;

use crate::game_check::answer::{is_line, shown};
use crate::game_check::catalogue::{ABOUT, BATCHES, ERRORS, OPTIONS};
use crate::game_check::declared::{Declared, DeclaredOption, OptionValues};
use crate::game_check::findings::Flaw;
use crate::game_check::interview::{Interview, Reply, Step};

/// The format that is asked for.
const FORMAT: u64 = 2;

/// The codes by which a ply is refused.
pub(super) const REFUSALS: [&str; 2] = [RulesRefusal::ILLEGAL_PLY, RulesRefusal::BAD_PLY];

/// How long a hopeless word is.
const LONG: usize = 1_000_000;

/// How many words of one option are tried.
const MOST_WORDS: usize = 16;

/// What `about` says.
#[derive(Clone, Debug, Default)]
pub(super) struct AboutRules {
    /// Whether there was an answer at all.
    pub(super) is_answered: bool,
    pub(super) name: Option<String>,
    pub(super) version: Option<String>,
    /// Whether equal questions always have equal answers.
    pub(super) is_deterministic: bool,
}

impl AboutRules {
    /// Asks for it.
    pub(super) fn ask(interview: &mut Interview<'_>) -> Step<Self> {
        let Some(reply) = interview.ask(None, "about")? else { return Ok(Self::default()) };
        let value = &reply.value;
        let mut wrong = |key: &str, wanted: &str| {
            let found = value.get(key).map_or_else(|| "missing".to_owned(), shown);
            interview.note(
                None,
                Flaw::new(ABOUT, format!("`{key}` is {found}, but must be {wanted}")),
                &reply,
            );
        };
        if value.get("format").and_then(Value::as_u64) != Some(FORMAT) {
            wrong("format", "2");
        }
        let text = |key: &str| {
            let text = value.get(key).and_then(Value::as_str);
            text.filter(|text| !text.is_empty() && is_line(text)).map(str::to_owned)
        };
        let (name, version) = (text("name"), text("version"));
        for (key, text) in [("name", &name), ("version", &version)] {
            if text.is_none() {
                wrong(key, "a line of text");
            }
        }
        let deterministic = value.get("deterministic").map(Value::as_bool);
        if deterministic == Some(None) {
            wrong("deterministic", "`true` or `false`");
        }
        let is_deterministic = deterministic.flatten().unwrap_or(true);
        Ok(Self { is_answered: true, name, version, is_deterministic })
    }
}

/// Asks for the games and notes what is wrong with their descriptions.
pub(super) fn games(interview: &mut Interview<'_>) -> Step<Vec<Declared>> {
    let Some(reply) = interview.ask(None, "games")? else { return Ok(Vec::new()) };
    let (games, flaws) = Declared::read_all(&reply.value);
    for (game, flaw) in flaws {
        interview.note(game.as_deref(), flaw, &reply);
    }
    Ok(games)
}

/// Asks wrong questions: each has its error, and the rules go on.
pub(super) fn errors(interview: &mut Interview<'_>, game: &str) -> Step {
    let long = "x".repeat(LONG);
    let questions: [(String, &[&str]); 14] = [
        ("hello".to_owned(), &["bad-request"]),
        ("position".to_owned(), &["bad-request"]),
        ("legal no-such-game startpos".to_owned(), &["unknown-game"]),
        ("position \u{1b}[31m startpos".to_owned(), &["unknown-game"]),
        (format!("position {game}"), &["bad-request"]),
        (format!("position {game} here"), &["bad-request"]),
        (format!("position {game} startpos a1"), &["bad-request"]),
        (format!("position {game} no-such-option=1 startpos"), &["bad-option"]),
        (format!("position {game} fen"), &["bad-position", "bad-request"]),
        (format!("position {game} fen \u{e9} \"\\ {{}}"), &["bad-position"]),
        (format!("legal {game} fen {long}"), &["bad-position", "bad-request"]),
        (format!("{long} {game}"), &["bad-request"]),
        (format!("position {game} startpos moves no-such-ply"), &REFUSALS),
        (format!("legal {game} startpos moves \u{1b}[31m \u{e9}"), &REFUSALS),
    ];
    for (question, codes) in questions {
        if let Some(reply) = interview.ask(None, &question)? {
            expect_error(interview, None, ERRORS, &reply, codes);
        }
    }
    // The rules live on.
    interview.ask(None, &format!("position {game} startpos")).map(|_| ())
}

/// Notes an answer that is not one of these errors.
pub(super) fn expect_error(
    interview: &mut Interview<'_>,
    game: Option<&str>,
    test: u8,
    reply: &Reply,
    codes: &[&str],
) {
    let wanted = codes.join("` or `");
    let flaw = match reply.error() {
        None => Flaw::new(test, format!("accepted, but must be refused with `{wanted}`")),
        Some(code) if !codes.contains(&code) => {
            Flaw::new(test, format!("the error is {}, but must be `{wanted}`", shown(&reply.value["error"])))
        }
        Some(_) if reply.value.get("message").is_none_or(|message| !message.is_string()) => {
            Flaw::new(test, "the error has no `message` for people")
        }
        Some(_) => return,
    };
    interview.note(game, flaw, reply);
}

/// Asks several questions on a line, whose answers must be those that each question has alone.
pub(super) fn batches(interview: &mut Interview<'_>, game: &str) -> Step {
    let questions = [
        "about".to_owned(),
        format!("position {game} startpos"),
        "hello".to_owned(),
        format!("legal {game} startpos"),
        format!("legal {game} startpos moves no-such-ply"),
    ];
    let mut alone = Vec::new();
    for question in &questions {
        let Some(reply) = interview.ask(None, question)? else { return Ok(()) };
        alone.push(reply);
    }
    for joint in [";", " ; "] {
        let Some(reply) = interview.ask(None, &questions.join(joint))? else { continue };
        let flaw = match reply.value.as_array() {
            None => Flaw::new(BATCHES, "the answer to several questions is no list"),
            Some(list) if list.len() != alone.len() => {
                Flaw::new(BATCHES, format!("{} questions have {} answers", alone.len(), list.len()))
            }
            Some(list) => {
                // What an error says to people may be about the whole line.
                let differs = |(answer, alone): &(&Value, &Reply)| match alone.error() {
                    Some(_) => answer.get("error") != alone.value.get("error"),
                    None => **answer != alone.value,
                };
                let Some((_, alone)) = list.iter().zip(&alone).find(differs) else { continue };
                let what = format!("`{}` has another answer when it is asked alone", alone.question);
                let alone = alone.clone();
                interview.note_both(None, Flaw::new(BATCHES, what), &alone, &reply);
                continue;
            }
        };
        interview.note(None, flaw, &reply);
    }
    Ok(())
}

/// Gives each option the values that it may have, and some that it may not. Returns the values that are accepted, but for the
/// defaults.
pub(super) fn options(interview: &mut Interview<'_>, game: &Declared) -> Step<Vec<(String, String)>> {
    let mut accepted = Vec::new();
    for option in &game.options {
        for value in values_of(option) {
            let question = format!("legal {} {}={value} startpos", game.id, option.name);
            let Some(reply) = interview.ask(Some(&game.id), &question)? else { continue };
            match reply.error() {
                None if value != option.default => accepted.push((option.name.clone(), value)),
                // What it may be depends on other options, as its default does.
                Some(_) if option.is_derived => {}
                None => {}
                Some(_) => {
                    let what = format!("`{}={value}` is refused, but `games` allows it", option.name);
                    interview.note(Some(&game.id), Flaw::new(OPTIONS, what), &reply);
                }
            }
        }
        for value in option.values.beyond() {
            let question = format!("legal {} {}={value} startpos", game.id, option.name);
            if let Some(reply) = interview.ask(Some(&game.id), &question)? {
                expect_error(interview, Some(&game.id), OPTIONS, &reply, &["bad-option"]);
            }
        }
        if let Some(value) = values_of(option).first() {
            let pair = format!("{}={value}", option.name);
            let question = format!("legal {} {pair} {pair} startpos", game.id);
            if let Some(reply) = interview.ask(Some(&game.id), &question)? {
                expect_error(interview, Some(&game.id), OPTIONS, &reply, &["bad-option"]);
            }
        }
    }
    defaults(interview, game)?;
    // Tables come first: who cuts the list keeps them.
    accepted.sort_by_key(|(name, _)| name != PLAYERS_OPTION);
    Ok(accepted)
}

/// Gives all options their defaults, as the referee does: the game is the same as without them.
fn defaults(interview: &mut Interview<'_>, game: &Declared) -> Step {
    let given = game.options.iter().filter(|option| !option.is_derived);
    let given: String = given.map(|option| format!(" {}={}", option.name, option.default)).collect();
    let without = interview.ask(Some(&game.id), &format!("legal {} startpos", game.id))?;
    let with = interview.ask(Some(&game.id), &format!("legal {}{given} startpos", game.id))?;
    if let (Some(without), Some(with)) = (without, with)
        && ["position", "legal", "error"].iter().any(|key| without.value.get(key) != with.value.get(key))
    {
        let flaw = Flaw::new(OPTIONS, "with all options at their defaults, the game begins otherwise");
        let advice = "make `default` in `games` what the option is when it is not given";
        interview.note_both(Some(&game.id), flaw.advised(advice), &without, &with);
    }
    Ok(())
}

fn values_of(option: &DeclaredOption) -> Vec<String> {
    if option.name == PLAYERS_OPTION
        && let OptionValues::Range(least, most) = option.values
    {
        // Every number of seats is another game.
        return (least..=most.min(Seat::MOST as i64)).map(|seats| seats.to_string()).collect();
    }
    let mut values = option.values.ends();
    values.truncate(MOST_WORDS);
    values
}
