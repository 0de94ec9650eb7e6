//! Who plays: persons, built-in bots, bots of a tournament file, commands.

use std::path::Path;

use diagnostic::Failure;
use rules::{Catalogue, PerSeat, Seat, Setup};
use runner::{InteractiveGame, PlannedBot, SeatedPlayer};
use settings::TimeControl;
use tournament_file::{Confinement, Plan, Program, lacks_rules, program_name};

/// What the command line says about who plays.
#[derive(Debug)]
pub struct SeatWords<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// Who sits where: `p1`, then `p2` and so on. Who is not named is as the last one that is.
    pub seats: Vec<&'a str>,
    /// Who gives hints.
    pub adviser: Option<&'a str>,
    /// The tournament file whose bots are known.
    pub file: Option<&'a Path>,
    /// How bots are confined.
    pub confinement: &'a Confinement,
    /// The time control of all.
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
    pub sitters: PerSeat<SeatedPlayer>,
    /// The bots among them.
    pub bots: PerSeat<Option<PlannedBot>>,
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
        let count = words.setup.seats();
        if words.seats.len() > count {
            let message = format!("{} has {count} seats, not {}", words.setup.label(), words.seats.len());
            return Err(Failure::usage(message));
        }
        let mut bots = PerSeat::new(count, |_| None);
        let mut sitters = Vec::new();
        let last = words.seats.last().copied().unwrap_or("human");
        for (seat, text) in Seat::all(count).zip(words.seats.iter().copied().chain(std::iter::repeat(last))) {
            if let Some(name) = person(text) {
                let (name, tc) = (name.to_owned(), tc.clone());
                let (version, digest) = (String::new(), String::new());
                sitters.push(SeatedPlayer { name, version, digest, is_person: true, tc });
                continue;
            }
            const FLAGS: [&str; Seat::MOST] =
                ["--p1", "--p2", "--p3", "--p4", "--p5", "--p6", "--p7", "--p8"];
            let flag = FLAGS[seat.index()];
            let bot = find(flag, text, plan.as_ref())?;
            sitters.push(SeatedPlayer {
                name: bot.name.clone(),
                version: bot.version.clone().unwrap_or_default(),
                digest: bot.digest.clone(),
                is_person: false,
                tc: limits.clone().or_else(|| bot.tc.clone()),
            });
            bots[seat] = Some(bot);
        }
        let adviser = match (words.adviser, bots.iter().flatten().next()) {
            (Some(text), _) => find("--adviser", text, plan.as_ref())?,
            // Of several bots, the first.
            (None, Some(bot)) => bot.clone(),
            (None, None) => find("--adviser", usual_bot(words.setup), None)?,
        };
        let without_clock = |tc: &TimeControl| !tc.has_clock();
        let advice = limits.filter(without_clock).unwrap_or_else(InteractiveGame::usual_control);
        let sitters = PerSeat::try_from(sitters).map_err(|_| Failure::usage("there are 2 to 8 seats"))?;
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

/// Returns the bot of the arena that plays a game, or gives hints, if nobody chooses one.
#[must_use]
pub fn usual_bot(setup: &Setup) -> &'static str {
    if lacks_rules("alphabeta", setup.game()).is_some() { "random" } else { "alphabeta" }
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
    if let (Program::Builtin(name), Some(lacking)) = (program, lacks_rules(text, words.setup.game())) {
        let hint = format!("`{flag} random` instead of `{name}`");
        return Err(lacking.hint(hint).into());
    }
    let own_games = Catalogue::of([words.setup]);
    words.confinement.bot(flag, &name, program, &own_games).check(Path::new("."))
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
