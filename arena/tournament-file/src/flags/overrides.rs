//! What the command line says instead of the tournament file.

use std::collections::BTreeMap;
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use diagnostic::Diagnostic;
use rules::Setup;
use serde::de::DeserializeOwned;
use settings::{Arrangement, Conditions, Flag, Key, Settings as _, TOURNAMENT};

use crate::bots::program::builtins;
use crate::game_words::GameWords;
use crate::games::adjudicate::Flags;
use crate::written::compact;
use crate::written::errors::{InputErrors, Spot};
use crate::written::raw::{Placed, RawBot, RawFile, RawGame, RawSandbox};

/// What help calls the flags.
const HEADING: &str = "Instead of what the tournament file says";

/// Flags with the words of the tournament file; they come before what the file says. There is one for every key that
/// declares a flag.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The values that were given, by their keys.
    values: BTreeMap<&'static str, Vec<String>>,
    /// When games end before their rules end them.
    pub adjudication: Flags,
}

impl clap::Args for Overrides {
    fn augment_args(command: Command) -> Command {
        let flags =
            TOURNAMENT.keys().iter().filter_map(|key| Some(argument(key, key.flag?).help_heading(HEADING)));
        Flags::augment_args(command.args(flags))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Overrides {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut values = BTreeMap::new();
        for key in TOURNAMENT.keys() {
            let given = match key.flag {
                None => continue,
                Some(Flag { value: None, .. }) => {
                    Vec::from_iter(matches.get_flag(key.name).then(|| true.to_string()))
                }
                Some(_) => matches.get_many::<String>(key.name).unwrap_or_default().cloned().collect(),
            };
            if !given.is_empty() {
                values.insert(key.name, given);
            }
        }
        Ok(Self { values, adjudication: Flags::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the argument for the flag of the key of this name, for a command without a file.
///
/// # Panics
/// When no key of a tournament file with this name has a flag.
pub(crate) fn argument_of(name: &str) -> Arg {
    let (key, flag) = declared(name);
    argument(key, flag).help(flag_help(name))
}

/// Returns what the help of a command without a file says of the flag of the key of this name.
///
/// # Panics
/// When no key of a tournament file with this name has a flag.
#[must_use]
pub fn flag_help(name: &str) -> &'static str {
    let (key, flag) = declared(name);
    let about = flag.about.unwrap_or(key.about()).trim_end_matches('.');
    about.trim_end_matches(" This replaces the whole map of the file").trim_end_matches('.')
}

fn declared(name: &str) -> (&'static Key, Flag) {
    let key = TOURNAMENT.keys().iter().find(|key| key.name == name).expect("a key that there is");
    (key, key.flag.expect("a key with a flag"))
}

/// Returns the argument for the flag of a key.
fn argument(key: &Key, flag: Flag) -> Arg {
    let about = flag.about.unwrap_or(key.about()).trim_end_matches('.');
    let argument = Arg::new(key.name).long(flag.long()).help(about);
    match flag.value {
        None => argument.action(ArgAction::SetTrue),
        Some(value) => {
            let action = if flag.is_repeated { ArgAction::Append } else { ArgAction::Set };
            argument.action(action).value_name(value).allow_negative_numbers(flag.is_number)
        }
    }
}

impl Overrides {
    /// Returns the value that was given for a key, the first of them where there are several.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.values.get(key)?.first().map(String::as_str)
    }

    /// Returns these with another value for a key.
    ///
    /// # Panics
    /// When no key of a tournament file has this name.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<String>) -> Self {
        let key = TOURNAMENT.keys().iter().find(|known| known.name == key);
        let name = key.expect("keys are named by constants of the code").name;
        self.values.insert(name, vec![value.into()]);
        self
    }

    /// Replaces what the file says by what the command line says.
    pub fn apply(&self, raw: &mut RawFile, errors: &mut InputErrors) {
        for key in TOURNAMENT.keys() {
            let has_one_value = Arrangement::find(key.name).is_some() || Conditions::find(key.name).is_some();
            if has_one_value && let Some(text) = self.given(key.name, raw) {
                raw.values.insert(key.name, text);
            }
        }
        if let Some(names) = self.given("seeds", raw) {
            raw.seeds = Some(names_of(&names));
        }
        if let Some(level) = self.given("sandbox", raw) {
            raw.sandbox = Some(RawSandbox::level(&level));
        }
        if let Some(matches) = self.values.get("matches") {
            raw.matches = Some(matches.iter().map(|text| names_of(text)).collect());
            raw.flags.insert("matches", flag_of("matches"));
        }
        if let Some(openings) = self.map("openings", raw, errors) {
            raw.openings = Some(openings);
        }
        if let Some(rules) = self.map("rules", raw, errors) {
            raw.rules = Some(rules);
        }
        if let Some(sprt) = self.map("sprt", raw, errors) {
            raw.sprt = Some(sprt);
        }
        if let Some(limits) = self.map("limits", raw, errors) {
            raw.limits = Some(limits);
        }
        self.adjudication.apply(raw);
        if let Some(names) = self.given("games", raw) {
            let written = raw.games.take().unwrap_or_default();
            raw.games =
                Some(GameWords::list(&names).iter().flat_map(|name| choose_games(name, &written)).collect());
        }
        if let Some(names) = self.given("bots", raw) {
            let written = raw.bots.take().unwrap_or_default();
            let chosen = names.split(',').filter_map(|name| choose_bot(name.trim(), &written, errors));
            raw.bots = Some(chosen.collect());
        }
    }

    /// Returns the value that was given for a key, and notes that it comes from its flag.
    fn given(&self, key: &'static str, raw: &mut RawFile) -> Option<String> {
        let text = self.value(key)?.to_owned();
        raw.flags.insert(key, flag_of(key));
        Some(text)
    }

    /// Returns the map that was given for a key, and notes where its values stand.
    fn map<T: DeserializeOwned>(
        &self,
        key: &'static str,
        raw: &mut RawFile,
        errors: &mut InputErrors,
    ) -> Option<T> {
        let (map, argument) = compact::read(key, flag_of(key), self.value(key)?, errors)?;
        raw.arguments.insert(key, Arc::new(argument));
        Some(map)
    }
}

/// Returns the flag of a key.
fn flag_of(key: &str) -> &'static str {
    let key = TOURNAMENT.keys().iter().find(|known| known.name == key);
    key.and_then(|key| key.flag).map_or("", |flag| flag.name)
}

fn names_of(text: &str) -> Vec<String> {
    text.split(',').map(|name| name.trim().to_owned()).collect()
}

/// Returns the games that a name of `--games` stands for: a name alone is every item of the file with this game,
/// a name with options the item that is the same game; else a game of its own.
fn choose_games(name: &str, written: &[Placed<RawGame>]) -> Vec<Placed<RawGame>> {
    let game = RawGame::typed(name);
    let is_meant = |item: &&Placed<RawGame>| {
        item.value.as_ref().is_some_and(|other| {
            other.game == game.game
                && (game.options.is_none() || setup(other).is_some_and(|other| Some(other) == setup(&game)))
        })
    };
    let chosen: Vec<_> = written.iter().filter(is_meant).cloned().collect();
    if chosen.is_empty() { vec![Placed { spot: Spot::Flag("--games"), value: Some(game) }] } else { chosen }
}

fn setup(game: &RawGame) -> Option<Setup> {
    let pairs: Option<Vec<_>> = game
        .options
        .iter()
        .flat_map(|pairs| &pairs.0)
        .map(|(key, value)| Some((key.as_str(), value.as_deref()?)))
        .collect();
    rules::find(game.game.as_deref()?).ok()?.setup(&pairs?).ok()
}

/// Returns the bot that a name of `--bots` stands for: one of the file, else one of the arena itself.
fn choose_bot(name: &str, written: &[Placed<RawBot>], errors: &mut InputErrors) -> Option<Placed<RawBot>> {
    let of_file = |bot: &RawBot| bot.name.clone().or_else(|| bot.builtin.clone());
    let mut known: Vec<_> = written.iter().filter_map(|item| item.value.as_ref().and_then(of_file)).collect();
    if let Some(item) =
        written.iter().find(|item| item.value.as_ref().and_then(of_file).as_deref() == Some(name))
    {
        return Some(item.clone());
    }
    let spot = Spot::Flag("--bots");
    if kit::builtin(name).is_some() {
        let bot = RawBot { builtin: Some(name.to_owned()), ..RawBot::default() };
        return Some(Placed { spot, value: Some(bot) });
    }
    let others = builtins().filter(|name| !known.iter().any(|other| other == name));
    known.extend(others.map(str::to_owned).collect::<Vec<_>>());
    let hint = match rules::nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the bots are {}", known.join(", ")),
    };
    errors.add(&spot, Diagnostic::new(format!("there is no bot `{name}`")).hint(hint));
    // An empty item: it counts, and its error is noted.
    Some(Placed { spot, value: None })
}
