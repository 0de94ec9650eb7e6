//! What the command line says instead of the tournament file.

use std::sync::Arc;

use diagnostic::Diagnostic;
use rules::Setup;

use crate::bots::program::builtins;
use crate::confinement::sandbox::RawSandbox;
use crate::games::adjudicate::Flags;
use crate::written::compact;
use crate::written::faults::{Faults, Spot};
use crate::written::raw::{Pairs, Placed, RawBot, RawFile, RawGame};

/// Flags with the words of the tournament file; they come before what the file says.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Instead of what the tournament file says")]
pub struct Overrides {
    /// The name of the tournament.
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// The directory of the results.
    #[arg(long, value_name = "DIR")]
    pub out: Option<String>,
    /// The games, with commas between them; options follow the name: `farook,fanorona:size=5x5+quiet-cap=10`.
    /// A game that the file has keeps its settings there.
    #[arg(long, value_name = "GAMES")]
    pub games: Option<String>,
    /// The bots, with commas between them: bots of the file or of the arena itself.
    #[arg(long, value_name = "BOTS")]
    pub bots: Option<String>,
    /// Pairs of games per pairing of bots and game.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub rounds: Option<String>,
    /// How opponents meet: `round-robin`, `gauntlet`, `list`, `swiss`, `knockout`, `double-knockout`,
    /// `ladder`, `sprt`.
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<String>,
    /// The bots of a gauntlet that meet all others, with commas between them.
    #[arg(long, value_name = "BOTS")]
    pub seeds: Option<String>,
    /// A match of format `list`: the names of its two bots, with a comma between them. May be given several times; then these
    /// are all matches.
    #[arg(long = "match", value_name = "BOT,BOT")]
    pub matches: Vec<String>,
    /// The test of format `sprt`, in place of the whole map of the file: `elo0=0,elo1=10,alpha=0.05`.
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub sprt: Option<String>,
    /// How games begin, in place of the whole map of the file: `turns=2,deepen`, `book=standard`,
    /// `file=openings.txt,order=shuffled`; a key alone is true.
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub openings: Option<String>,
    /// How meetings are chosen: `round-robin`; by the results, until the order (`rank`) or the best bot (`best`) is
    /// settled; with the chance of a false verdict: `rank:0.01`.
    #[arg(long, value_name = "SCHEDULE")]
    pub schedule: Option<String>,
    /// The time control of games and bots that have none of their own.
    #[arg(long, value_name = "CONTROL")]
    pub tc: Option<String>,
    /// How many games are played at once: a number or `auto`.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub concurrency: Option<String>,
    /// What is kept to cores of its own: each `game`, each `bot`, or nothing (`off`).
    #[arg(long, value_name = "WHAT")]
    pub pin: Option<String>,
    /// The seed of everything random.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<String>,
    /// How far a clock may be overrun without loss.
    #[arg(long, value_name = "DURATION")]
    pub margin: Option<String>,
    /// How long a decision may take where no clock limits it.
    #[arg(long, value_name = "DURATION")]
    pub think_limit: Option<String>,
    /// What an illegal ply costs: `forfeit` or `retry:N`.
    #[arg(long, value_name = "RULE")]
    pub illegal: Option<String>,
    /// When a bot's process is started anew: `auto`, `always` or `never`.
    #[arg(long, value_name = "WHEN")]
    pub restart: Option<String>,
    /// After how many faults a bot is withdrawn: a number or `none`.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_faults: Option<String>,
    /// How often a game is played again that was lost on time while the machine kept the bot waiting: a number or `none`.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub replay_noisy: Option<String>,
    /// What a bot that cannot start before the first game means: `stop`, or `skip` to play without it.
    #[arg(long, value_name = "WHAT")]
    pub on_start_failure: Option<String>,
    /// What becomes of a decision that a bot fails to make: `lose` or `random`.
    #[arg(long, value_name = "WHAT")]
    pub on_fail: Option<String>,
    /// Let the seeds of a gauntlet meet each other too.
    #[arg(long)]
    pub seeds_meet: bool,
    /// Let bots that can think in their opponents' time.
    #[arg(long)]
    pub ponder: bool,
    /// Say that every bot plays the same game from the same seed.
    #[arg(long)]
    pub reproducible: bool,
    /// Keep every line between the arena and the bots, a file a game in `transcripts/` of the results.
    #[arg(long)]
    pub transcripts: bool,
    /// How far bots that say nothing of it are confined: `none`, `basic`, `contest` or `strict`.
    #[arg(long, value_name = "LEVEL")]
    pub sandbox: Option<String>,
    /// What all processes of a bot that says nothing of it may use together, in place of the whole map of the file:
    /// `memory=2GiB,cpu=10m,processes=64`.
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub limits: Option<String>,
    /// When games end before their rules end them.
    #[command(flatten)]
    pub adjudication: Flags,
}

impl Overrides {
    /// Puts what the command line says in the place of what the file says.
    pub fn apply(&self, raw: &mut RawFile, faults: &mut Faults) {
        let RawFile {
            name,
            out,
            format,
            schedule,
            rounds,
            tc,
            concurrency,
            pin,
            seed,
            margin,
            think_limit,
            illegal,
            restart,
            max_faults,
            replay_noisy,
            on_start_failure,
            on_fail,
            seeds_meet,
            ponder,
            transcripts,
            reproducible,
            flags,
            ..
        } = raw;
        for (key, flag, from, to) in [
            ("name", "--name", &self.name, name),
            ("out", "--out", &self.out, out),
            ("format", "--format", &self.format, format),
            ("schedule", "--schedule", &self.schedule, schedule),
            ("rounds", "--rounds", &self.rounds, rounds),
            ("tc", "--tc", &self.tc, tc),
            ("concurrency", "--concurrency", &self.concurrency, concurrency),
            ("pin", "--pin", &self.pin, pin),
            ("seed", "--seed", &self.seed, seed),
            ("margin", "--margin", &self.margin, margin),
            ("think-limit", "--think-limit", &self.think_limit, think_limit),
            ("illegal", "--illegal", &self.illegal, illegal),
            ("restart", "--restart", &self.restart, restart),
            ("max-faults", "--max-faults", &self.max_faults, max_faults),
            ("replay-noisy", "--replay-noisy", &self.replay_noisy, replay_noisy),
            ("on-start-failure", "--on-start-failure", &self.on_start_failure, on_start_failure),
            ("on-fail", "--on-fail", &self.on_fail, on_fail),
        ] {
            if let Some(text) = from {
                *to = Some(text.clone());
                flags.insert(key, flag);
            }
        }
        for (key, flag, is_given, to) in [
            ("seeds-meet", "--seeds-meet", self.seeds_meet, seeds_meet),
            ("ponder", "--ponder", self.ponder, ponder),
            ("transcripts", "--transcripts", self.transcripts, transcripts),
            ("reproducible", "--reproducible", self.reproducible, reproducible),
        ] {
            if is_given {
                *to = Some("true".to_owned());
                flags.insert(key, flag);
            }
        }
        if let Some(names) = &self.seeds {
            raw.seeds = Some(names.split(',').map(|name| name.trim().to_owned()).collect());
            raw.flags.insert("seeds", "--seeds");
        }
        if let Some(level) = &self.sandbox {
            raw.sandbox = Some(RawSandbox::level(level));
            raw.flags.insert("sandbox", "--sandbox");
        }
        if !self.matches.is_empty() {
            let names = |text: &String| text.split(',').map(|name| name.trim().to_owned()).collect();
            raw.matches = Some(self.matches.iter().map(names).collect());
            raw.flags.insert("matches", "--match");
        }
        if let Some(text) = &self.openings
            && let Some((openings, argument)) = compact::read("openings", "--openings", text, faults)
        {
            raw.openings = Some(openings);
            raw.arguments.insert("openings", Arc::new(argument));
        }
        if let Some(text) = &self.sprt
            && let Some((sprt, argument)) = compact::read("sprt", "--sprt", text, faults)
        {
            raw.sprt = Some(sprt);
            raw.arguments.insert("sprt", Arc::new(argument));
        }
        if let Some(text) = &self.limits
            && let Some((limits, argument)) = compact::read("limits", "--limits", text, faults)
        {
            raw.limits = Some(limits);
            raw.arguments.insert("limits", Arc::new(argument));
        }
        self.adjudication.apply(raw);
        if let Some(names) = &self.games {
            let written = raw.games.take().unwrap_or_default();
            raw.games = Some(names.split(',').flat_map(|name| choose_games(name.trim(), &written)).collect());
            raw.flags.insert("games", "--games");
        }
        if let Some(names) = &self.bots {
            let written = raw.bots.take().unwrap_or_default();
            let chosen = names.split(',').filter_map(|name| choose_bot(name.trim(), &written, faults));
            raw.bots = Some(chosen.collect());
            raw.flags.insert("bots", "--bots");
        }
    }
}

/// Returns the games that a name of `--games` stands for: a name alone is every item of the file with this game,
/// a name with options the item that is the same game; else a game of its own.
fn choose_games(name: &str, written: &[Placed<RawGame>]) -> Vec<Placed<RawGame>> {
    let game = read_game(name);
    let is_meant = |item: &&Placed<RawGame>| {
        item.value.as_ref().is_some_and(|other| {
            other.game == game.game
                && (game.options.is_none() || setup(other).is_some_and(|other| Some(other) == setup(&game)))
        })
    };
    let chosen: Vec<_> = written.iter().filter(is_meant).cloned().collect();
    if chosen.is_empty() { vec![Placed { spot: Spot::Flag("--games"), value: Some(game) }] } else { chosen }
}

/// Reads a game as it is typed: its name, with options after a colon: `fanorona:size=5x5+quiet-cap=10`.
pub(crate) fn read_game(text: &str) -> RawGame {
    let (id, options) = text.split_once(':').map_or((text, None), |(id, options)| (id, Some(options)));
    let options = options.map(|options| {
        let pair = |option: &str| match option.split_once('=') {
            Some((key, value)) => (key.to_owned(), Some(value.to_owned())),
            None => (option.to_owned(), None),
        };
        Pairs(options.split('+').map(pair).collect())
    });
    RawGame { options, ..RawGame::named(id) }
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
fn choose_bot(name: &str, written: &[Placed<RawBot>], faults: &mut Faults) -> Option<Placed<RawBot>> {
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
    faults.add(&spot, Diagnostic::new(format!("there is no bot `{name}`")).hint(hint));
    // An empty item: it counts, and its fault is noted.
    Some(Placed { spot, value: None })
}
