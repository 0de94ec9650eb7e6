//! What is known of a game of one's own before it is played.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use board::read_look;
use rules::{GameLook, OptionPairs, OptionSpec, PLAYERS_OPTION, Reason, Seat, Values};

use crate::answers::{self, GameAnswer, OptionAnswer};

/// The most plies that a game may have; then it is a draw.
pub const MOST_PLIES: u32 = 10_000;

/// What rules say of a game, checked.
///
/// Set-ups hold names of options as texts that live as long as the process, as those of the built-in games do. So equal facts
/// are kept once, and rules that are loaded again give the same ones.
#[derive(Debug)]
pub struct GameFacts {
    /// The id that its rules give it.
    pub id: &'static str,
    /// Its name for titles.
    pub title: &'static str,
    /// What it is, in a phrase.
    pub about: &'static str,
    /// Its options.
    pub options: &'static [OptionSpec],
    /// How few seats a table has: as many as it has where nothing else is asked for.
    pub least_seats: usize,
    /// At which occurrence a position is a draw; 0: never.
    pub repetition: u32,
    /// Whether a seat may have to pass.
    pub has_passes: bool,
    /// How a ply is written.
    pub notation: &'static str,
    /// The rules for people, in Markdown.
    pub rules: &'static str,
    /// After how many plies a game is a draw.
    pub most_plies: u32,
    /// Reasons that are caps.
    pub caps: Vec<Reason>,
    /// Whether the game is chess as every reader of PGN knows it.
    pub is_chess: bool,
    /// How the board looks.
    look: Option<GameLook>,
    /// How it looks at tables of so many seats, where that is otherwise.
    looks: Vec<(usize, GameLook)>,
}

/// The facts by the text that they were read from, and by the id.
static KNOWN: Mutex<Option<HashMap<String, &'static GameFacts>>> = Mutex::new(None);

impl GameFacts {
    /// Checks what rules say of a game and keeps it.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn of(answer: &GameAnswer) -> Result<&'static Self, String> {
        let text = format!("{answer:?}");
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        if let Some(facts) = known.get(&text) {
            return Ok(facts);
        }
        let facts: &'static Self = Box::leak(Box::new(Self::read(answer)?));
        known.insert(text, facts);
        Ok(facts)
    }

    fn read(answer: &GameAnswer) -> Result<Self, String> {
        check_id(&answer.game)?;
        let most_plies = answer.max_plies.unwrap_or(MOST_PLIES);
        if !(1..=MOST_PLIES).contains(&most_plies) {
            return Err(format!("`max-plies` is {most_plies}; a game may have 1 to {MOST_PLIES} plies"));
        }
        if answer.repetition == 1 {
            return Err(
                "`repetition` is 1, with which every game is a draw at once; 0 means never".to_owned()
            );
        }
        let mut options: Vec<OptionSpec> = Vec::new();
        for option in &answer.options {
            let spec = option_spec(option)?;
            if options.iter().any(|known| known.name == spec.name) {
                return Err(format!("the option `{}` is there twice", spec.name));
            }
            options.push(spec);
        }
        let least_seats = least_seats(answer.seats, &options)?;
        let is_chess = match answer.pgn.as_deref() {
            None => false,
            Some("chess") => true,
            Some(other) => return Err(format!("`pgn` is {other:?}, but may only be `chess`")),
        };
        let look =
            answer.look.as_ref().map(|look| read_look(look).map_err(|error| format!("`look`: {error}")));
        let looks = answer.looks.iter().map(|(key, look)| {
            let [least, most] = answer.seats.map(|seats| seats as usize);
            let seats = (least..=most).find(|seats| seats.to_string() == *key);
            let seats =
                seats.ok_or_else(|| format!("`looks`: {key:?} is no number of seats of this game"))?;
            Ok::<_, String>((
                seats,
                read_look(look).map_err(|error| format!("`looks` for {seats}: {error}"))?,
            ))
        });
        let caps: Result<_, _> = answer.caps.iter().map(|cap| answers::reason(cap)).collect();
        let title = if answer.title.is_empty() { &answer.game } else { &answer.title };
        Ok(Self {
            id: kept(&answer.game),
            title: kept(one_line("title", title)?),
            about: kept(one_line("about", &answer.about)?),
            options: Box::leak(options.into_boxed_slice()),
            least_seats,
            repetition: answer.repetition,
            has_passes: answer.pass,
            notation: kept(one_line("notation", &answer.notation)?),
            rules: kept(&answer.rules),
            most_plies,
            caps: caps?,
            is_chess,
            look: look.transpose()?,
            looks: looks.collect::<Result<_, _>>()?,
        })
    }
}

impl GameFacts {
    /// Returns how many seats a table has with these options.
    #[must_use]
    pub fn seats(&self, options: &OptionPairs) -> usize {
        let given = options.iter().find(|(key, _)| *key == PLAYERS_OPTION);
        given.and_then(|(_, value)| value.parse().ok()).unwrap_or(self.least_seats)
    }

    /// Returns how the board looks at a table of so many seats.
    #[must_use]
    pub fn look(&self, seats: usize) -> Option<&GameLook> {
        let own = self.looks.iter().find(|(known, _)| *known == seats).map(|(_, look)| look);
        own.or(self.look.as_ref())
    }
}

/// Returns how few seats a table has. The option `players` says how many where there is a choice.
fn least_seats(seats: [u32; 2], options: &[OptionSpec]) -> Result<usize, String> {
    let [least, most] = seats;
    if !(2..=most).contains(&least) || most as usize > Seat::MOST {
        return Err(format!(
            "`seats` is [{least},{most}]; a table has 2 to {} seats, the fewest first",
            Seat::MOST
        ));
    }
    let players = options.iter().find(|spec| spec.name == PLAYERS_OPTION);
    let fits = |spec: &OptionSpec| {
        spec.default == least.to_string()
            && matches!(spec.values, Values::Range(low, high) if [low, high] == seats)
    };
    match players {
        None if least == most => Ok(least as usize),
        Some(spec) if fits(spec) => Ok(least as usize),
        None => Err(format!(
            "`seats` is [{least},{most}], but no option `{PLAYERS_OPTION}` says how many seats a table has: \
             {{\"name\":\"{PLAYERS_OPTION}\",\"min\":{least},\"max\":{most},\"default\":\"{least}\"}}"
        )),
        Some(_) => Err(format!(
            "the option `{PLAYERS_OPTION}` says how many seats a table has: with `seats` [{least},{most}] it needs \
             `min` {least}, `max` {most} and the default `{least}`"
        )),
    }
}

/// Returns a text that lives as long as the process; equal ones are kept once.
pub(crate) fn kept(text: &str) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text) {
        return known;
    }
    let text = Box::leak(text.to_owned().into_boxed_str());
    texts.insert(text);
    text
}

/// The most bytes of an id or the key of an option.
const MOST_ID_BYTES: usize = 32;

/// Holds that a text can be the id of a game.
///
/// # Errors
/// Says what an id is.
pub(crate) fn check_id(id: &str) -> Result<(), String> {
    is_word(id).then_some(()).ok_or_else(|| {
        let id = id.escape_debug();
        format!("`{id}` is not the id of a game: 1 to {MOST_ID_BYTES} of the characters a-z, 0-9 and -")
    })
}

fn is_word(text: &str) -> bool {
    let is_fine = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=MOST_ID_BYTES).contains(&text.len()) && text.bytes().all(is_fine) && !text.starts_with('-')
}

fn one_line<'a>(key: &str, text: &'a str) -> Result<&'a str, String> {
    if text.chars().any(char::is_control) || text.len() > 1000 {
        return Err(format!("`{key}` is not one line of at most 1000 bytes"));
    }
    Ok(text)
}

fn option_spec(option: &OptionAnswer) -> Result<OptionSpec, String> {
    let name = &option.name;
    if !is_word(name) {
        return Err(format!(
            "`{}` is not the key of an option: lower-case letters, digits and -",
            name.escape_debug()
        ));
    }
    let is_value = |text: &str| {
        !text.is_empty()
            && text.len() <= 64
            && text.bytes().all(|byte| byte.is_ascii_graphic() && !b",;:=".contains(&byte))
    };
    let values = match (&option.values, option.min, option.max) {
        (Some(words), None, None) => {
            if words.is_empty() || !words.iter().all(|word| is_value(word)) {
                return Err(format!(
                    "the values of the option `{name}` are not words without blanks, `,`, `;`, `:` and `=`"
                ));
            }
            let words: Vec<&'static str> = words.iter().map(|word| kept(word)).collect();
            Values::Words(Box::leak(words.into_boxed_slice()))
        }
        (None, Some(min), Some(max)) if min <= max => Values::Range(min, max),
        _ => {
            return Err(format!(
                "the option `{name}` has neither `values` nor `min` and a `max` that is not less"
            ));
        }
    };
    let spec = OptionSpec {
        name: kept(name),
        default: kept(one_line("default", &option.default)?),
        values,
        about: kept(one_line("about", &option.about)?),
    };
    if spec.has_fixed_default() == option.derived {
        let default = option.default.escape_debug();
        return Err(match option.derived {
            false => {
                format!("the default of the option `{name}` is `{default}`, which is none of its values")
            }
            true => format!(
                "the default of the option `{name}` is said to be derived, but is the value `{default}`"
            ),
        });
    }
    Ok(spec)
}
