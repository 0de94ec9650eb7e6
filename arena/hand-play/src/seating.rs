//! Who plays: persons, built-in bots, bots of a tournament file, commands.

use std::path::Path;

use diagnostic::Failure;
use rules::{Game, Seat};
use runner::{InteractiveGame, PlannedBot, SeatedPlayer};
use settings::TimeControl;
use tournament_file::{Confinement, LoneBot, Plan, Program, program_name};

/// Returns the built-in bot that plays where nobody is named: the strongest one that plays this game.
#[must_use]
pub fn usual_bot(game: &Game) -> &'static str {
    if game.own_rules().is_some() { "random" } else { "alphabeta" }
}

/// Says whether a built-in bot plays this game.
///
/// # Errors
/// Says which bots do, if it does not.
pub fn check_builtin(bot: kit::Builtin, game: &Game) -> Result<(), String> {
    if game.own_rules().is_none() || bot.plays_any() {
        return Ok(());
    }
    let able = usual_bot(game);
    Err(format!(
        "`{}` plays the built-in games alone, not `{}`: choose `{able}`, or a bot of your own that plays any game",
        bot.name, game.id
    ))
}

/// What the command line says about who plays.
#[derive(Debug)]
pub struct SeatWords<'a> {
    /// What is played.
    pub game: &'a Game,
    /// Who sits where: `p1`, then `p2`.
    pub seats: [&'a str; 2],
    /// Who gives hints.
    pub adviser: Option<&'a str>,
    /// The tournament file whose bots are known.
    pub file: Option<&'a Path>,
    /// How bots are confined.
    pub confinement: &'a Confinement,
    /// The time control of both.
    pub tc: Option<&'a str>,
    /// A limit for bots.
    pub nodes: Option<u64>,
    /// A limit for bots.
    pub depth: Option<u32>,
}

/// Who plays.
#[derive(Debug)]
pub struct Seating {
    /// Who sits where.
    pub sitters: [SeatedPlayer; 2],
    /// The bots among them.
    pub bots: [Option<PlannedBot>; 2],
    /// Who gives hints.
    pub adviser: PlannedBot,
    /// What limits it.
    pub advice: TimeControl,
}

impl Seating {
    /// Reads the words.
    ///
    /// # Errors
    /// With what is wrong in them.
    pub fn read(words: &SeatWords<'_>) -> Result<Self, Failure> {
        let plan = words.file.map(|file| words.confinement.load(file)).transpose()?;
        let tc = words.tc.map(|tc| control(tc, "--tc")).transpose()?;
        let limits = words.limits()?;
        let find = |flag: &'static str, text: &str, plan: Option<&Plan>| bot(flag, text, plan, words);
        let mut bots = [None, None];
        let mut sitters = Vec::new();
        for (seat, text) in Seat::BOTH.into_iter().zip(words.seats) {
            if let Some(name) = person(text) {
                let (name, tc) = (name.to_owned(), tc.clone());
                let (version, digest) = (String::new(), String::new());
                sitters.push(SeatedPlayer { name, version, digest, is_person: true, tc });
                continue;
            }
            let flag = if seat == Seat::P1 { "--p1" } else { "--p2" };
            let bot = find(flag, text, plan.as_ref())?;
            sitters.push(SeatedPlayer {
                name: bot.name.clone(),
                version: bot.version.clone().unwrap_or_default(),
                digest: bot.digest.clone(),
                is_person: false,
                tc: limits.clone().or_else(|| bot.tc.clone()),
            });
            bots[seat.index()] = Some(bot);
        }
        let adviser = match (words.adviser, &bots) {
            (Some(text), _) => find("--adviser", text, plan.as_ref())?,
            // Of two bots, the first.
            (None, [Some(bot), _] | [None, Some(bot)]) => bot.clone(),
            (None, [None, None]) => find("--adviser", usual_bot(words.game), None)?,
        };
        let without_clock = |tc: &TimeControl| !tc.has_clock();
        let advice = limits.filter(without_clock).unwrap_or_else(InteractiveGame::usual_control);
        let sitters = sitters.try_into().map_err(|_| Failure::usage("there are two seats"))?;
        Ok(Self { sitters, bots, adviser, advice })
    }
}

impl SeatWords<'_> {
    /// Returns what limits the bots, if anything was said.
    fn limits(&self) -> Result<Option<TimeControl>, Failure> {
        let parts = [
            self.tc.map(str::to_owned),
            self.nodes.map(|nodes| format!("nodes {nodes}")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        if parts.is_empty() {
            return Ok(None);
        }
        control(&parts.join(", "), "--tc").map(Some)
    }
}

fn control(text: &str, flag: &str) -> Result<TimeControl, Failure> {
    text.parse().map_err(|error| Failure::usage(format!("`{flag}`: {error}")))
}

/// Returns the name of a person, if the word says so.
fn person(text: &str) -> Option<&str> {
    match text.split_once(':') {
        Some(("human", name)) if !name.trim().is_empty() => Some(name.trim()),
        None if text == "human" => Some(text),
        _ => None,
    }
}

/// Returns a bot: one of the file, a built-in one, or a command, which `cmd:` before it makes clear.
fn bot(
    flag: &'static str,
    text: &str,
    plan: Option<&Plan>,
    words: &SeatWords<'_>,
) -> Result<PlannedBot, Failure> {
    if let Some(bot) = plan.and_then(|plan| plan.bots.iter().find(|bot| bot.name == text)) {
        return Ok(bot.clone());
    }
    let (name, program) = match (text.strip_prefix("cmd:"), kit::builtin(text)) {
        (Some(line), _) => (program_name(line), Program::Line(line)),
        (None, Some(builtin)) => (builtin.name.to_owned(), Program::Builtin(builtin.name)),
        (None, None) => (program_name(text), Program::Line(text)),
    };
    if let Program::Builtin(builtin) = &program
        && let Some(builtin) = kit::builtin(builtin)
    {
        check_builtin(builtin, words.game).map_err(|why| Failure::usage(format!("`{flag}`: {why}")))?;
    }
    let has_own_games = words.game.own_rules().is_some();
    LoneBot { has_own_games, ..words.confinement.bot(flag, &name, program) }.check(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_may_have_a_name() {
        assert_eq!(person("human"), Some("human"));
        assert_eq!(person("human:Ada L."), Some("Ada L."));
        assert_eq!((person("human:"), person("alphabeta"), person("humane:x")), (None, None, None));
    }
}
