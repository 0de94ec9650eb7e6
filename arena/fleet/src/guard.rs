//! What a worker refuses to start, whatever a run says: bots below the worker's own level of the sandbox, or that ask for more than
//! their own files. It looks at the tournament file of a run before that is read, as reading one may already start programs.

use std::path::{Component, Path, PathBuf};

use protocol::printable;
use record::BotConfig;
use runner::PlannedBot;
use sandbox::{Level, Policy};
use serde_json::{Map, Value, json};

use crate::wire::{UnfitBot, UnfitGame};

/// What a tournament file from a coordinator has: at the top, for a game, and for a bot.
const TOP: [&str; 6] = ["name", "format", "rounds", "openings", "games", "bots"];
const GAME: [&str; 5] = ["game", "options", "tc", "rules", "files"];
const BOT: [&str; 16] = [
    "name",
    "builtin",
    "cmd",
    "files",
    "dir",
    "options",
    "env",
    "tc",
    "at-once",
    "sandbox",
    "limits",
    "hello",
    "clock",
    "position-keyword",
    "quiet",
    "io",
];

/// What a worker lets the bots of others do.
#[derive(Clone, Debug)]
pub struct Guard {
    level: Level,
    /// A file that no bot may read.
    credentials: Option<PathBuf>,
}

impl Guard {
    /// Returns a guard that confines each bot at this level at least; `none` lets bots do what the run's file says. `credentials` is
    /// the file with the worker's own.
    #[must_use]
    pub fn new(level: Level, credentials: Option<PathBuf>) -> Self {
        Self { level, credentials }
    }

    /// Makes the tournament file of a run one that may be read here: weaker levels are raised to the worker's, and bots that ask for
    /// more are taken out and returned.
    ///
    /// # Errors
    /// With why none of the run can be played here.
    pub(crate) fn admit(&self, document: &mut Value) -> Result<Vec<UnfitBot>, String> {
        if self.level == Level::None {
            return Ok(Vec::new());
        }
        if let Some(key) = unknown_key(document, &TOP) {
            return Err(format!("its tournament file has `{}`, which workers do not read", printable(&key)));
        }
        for game in document["games"].as_array().into_iter().flatten() {
            if let Some(key) = unknown_key(game, &GAME) {
                return Err(format!("a game has `{}`, which workers do not read", printable(&key)));
            }
        }
        let Some(bots) = document["bots"].as_array_mut() else {
            return Err("its tournament file has no list of bots".to_owned());
        };
        let mut refused = Vec::new();
        bots.retain_mut(|bot| {
            let outcome = self.admit_bot(bot);
            let name = bot["name"].as_str().unwrap_or_default().to_owned();
            outcome.map_err(|why| refused.push(UnfitBot { bot: name, why })).is_ok()
        });
        if let (true, Some(first)) = (bots.len() < 2, refused.first()) {
            return Err(format!("bot `{}`: {}", printable(&first.bot), first.why));
        }
        Ok(refused)
    }

    /// Takes the games out of a tournament file whose rules may not run here, and returns them, by these labels. Modules of rules run
    /// within the arena, which lets them do nothing else; programs run as their user.
    ///
    /// # Errors
    /// With why none of the run can be played here.
    pub(crate) fn admit_games(
        &self,
        document: &mut Value,
        labels: &[&str],
    ) -> Result<Vec<UnfitGame>, String> {
        take_out_games(document, labels, |game| {
            let rules = game.get("rules").filter(|_| self.level > Level::None)?;
            let module = rules.as_str().and_then(|text| Some(text.rsplit_once('#')?.0));
            let is_module = module.is_some_and(|path| path.ends_with(".wasm") && is_inside(path));
            (!is_module).then(|| {
                format!(
                    "its rules are a program, which no sandbox confines, and this worker starts none outside of `{}`; a module of rules \
                     plays here, and so does a worker with `--sandbox none`",
                    self.level
                )
            })
        })
    }

    fn admit_bot(&self, bot: &mut Value) -> Result<(), String> {
        if let Some(key) = unknown_key(bot, &BOT) {
            return Err(format!("it has `{}`, which workers do not read", printable(&key)));
        }
        let words = |key: &str| -> Vec<String> {
            match &bot[key] {
                Value::Array(words) => {
                    words.iter().filter_map(|word| Some(word.as_str()?.to_owned())).collect()
                }
                Value::String(word) => vec![word.clone()],
                _ => Vec::new(),
            }
        };
        let paths = words("cmd").into_iter().chain(words("files")).chain(words("dir"));
        if let Some(path) = paths.into_iter().find(|path| !is_inside(path)) {
            return Err(self.beyond(&format!("names `{}`", printable(&path))));
        }
        let mut sandbox = match &bot["sandbox"] {
            Value::Object(sandbox) => sandbox.clone(),
            Value::String(level) => Map::from_iter([("level".to_owned(), json!(level))]),
            _ => Map::new(),
        };
        for key in ["read", "write"] {
            let paths = sandbox.get(key).and_then(Value::as_array).into_iter().flatten();
            let is_beyond = |path: &&Value| !path.as_str().is_some_and(is_inside);
            if let Some(path) = paths.into_iter().find(is_beyond) {
                let path = path.as_str().unwrap_or_default();
                return Err(self.beyond(&format!("has `{key}: {}`", printable(path))));
            }
        }
        if sandbox.get("network").is_some_and(|network| network != "false" && network != &json!(false)) {
            return Err(self.beyond("has `network: true`"));
        }
        let wanted = sandbox.get("level").and_then(|level| level.as_str()?.parse::<Level>().ok());
        let level = wanted.unwrap_or(self.level).max(self.level);
        sandbox.insert("level".to_owned(), json!(level.to_string()));
        if let Value::Object(bot) = bot {
            bot.insert("sandbox".to_owned(), Value::Object(sandbox));
        }
        Ok(())
    }

    /// Returns whether a bot is confined more here than the run asks for.
    pub(crate) fn raises(&self, bot: &BotConfig) -> bool {
        let asked = bot.sandbox.as_deref().and_then(|text| text.split(' ').next()?.parse::<Level>().ok());
        asked.unwrap_or(Level::None) < self.level
    }

    /// Returns the level at which bots are confined at least.
    pub(crate) const fn level(&self) -> Level {
        self.level
    }

    fn beyond(&self, what: &str) -> String {
        format!("it {what}, and this worker confines bots to their own files (`--sandbox {}`)", self.level)
    }

    /// Returns why a bot that was read may not be started: it is not confined, or would reach what it must not.
    pub(crate) fn refusal(&self, bot: &PlannedBot, directory: &Path) -> Option<String> {
        if self.level == Level::None {
            return None;
        }
        // The words before its program: the arena, that it confines, and how.
        let policy = bot.launch.prefix.get(2).and_then(|text| text.to_str());
        let policy = policy.and_then(|text| serde_json::from_str::<Policy>(text).ok());
        let Some(policy) = policy.filter(|policy| policy.level >= self.level) else {
            return Some(format!("it cannot be confined at `{}` here", self.level));
        };
        let inside = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let is_outside = |path: &&PathBuf| !path.canonicalize().is_ok_and(|path| path.starts_with(&inside));
        if policy.network {
            return Some(self.beyond("has `network: true`"));
        }
        if let Some(path) = policy.write.iter().find(is_outside) {
            return Some(self.beyond(&format!("may write `{}`", path.display())));
        }
        let credentials = self.credentials.as_ref().and_then(|file| file.canonicalize().ok())?;
        policy.read.iter().any(|path| credentials.starts_with(path)).then(|| {
            "it could read the worker's credentials: they lie where bots may read; move the file of `--creds`".to_owned()
        })
    }
}

/// Takes the games out of a document for which there is a reason, and returns them. They are told apart by what the run calls them,
/// in the order of the document.
///
/// # Errors
/// With why nothing can be played here, where no game is left.
pub(crate) fn take_out_games(
    document: &mut Value,
    labels: &[&str],
    reason: impl Fn(&Value) -> Option<String>,
) -> Result<Vec<UnfitGame>, String> {
    let Some(games) = document["games"].as_array_mut() else {
        return Err("its tournament file has no list of games".to_owned());
    };
    // What was taken out leaves its place, so that labels and games go together.
    let mut unfit = Vec::new();
    for (index, game) in games.iter_mut().enumerate() {
        if let Some(why) = reason(game) {
            let label = labels.get(index).copied().or(game["game"].as_str()).unwrap_or_default();
            unfit.push(UnfitGame { game: label.to_owned(), why });
            *game = Value::Null;
        }
    }
    match unfit.first().filter(|_| games.iter().all(Value::is_null)) {
        Some(first) => Err(format!("game `{}`: {}", printable(&first.game), first.why)),
        None => Ok(unfit),
    }
}

/// Returns a key that is not among those known.
fn unknown_key(entry: &Value, known: &[&str]) -> Option<String> {
    entry.as_object()?.keys().find(|key| !known.contains(&key.as_str())).cloned()
}

/// Returns whether a word, read as a path, stays below the directory of the run.
fn is_inside(word: &str) -> bool {
    Path::new(word).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(bot: &Value) -> (Value, Vec<UnfitBot>) {
        let usual = |name: &str| json!({ "name": name, "builtin": "random" });
        let mut document = json!({ "games": [{ "game": "farook" }], "bots": [bot, usual("b"), usual("c")] });
        let refused = Guard::new(Level::Contest, None).admit(&mut document).expect("it can be played");
        (document, refused)
    }

    #[test]
    fn a_level_is_raised_and_never_lowered() {
        for (wanted, given) in
            [("none", "contest"), ("basic", "contest"), ("contest", "contest"), ("strict", "strict")]
        {
            let bot = json!({ "name": "a", "cmd": ["python3", "a.py"], "sandbox": { "level": wanted, "files": "64" } });
            let (document, refused) = admitted(&bot);
            assert_eq!(refused, []);
            assert_eq!(document["bots"][0]["sandbox"], json!({ "level": given, "files": "64" }), "{wanted}");
            assert_eq!(
                document["bots"][1]["sandbox"]["level"],
                given.replace("strict", "contest"),
                "no level is none"
            );
        }
    }

    #[test]
    fn a_bot_that_asks_for_more_than_its_own_files_is_refused() {
        for (more, told) in [
            (json!({ "cmd": ["python3", "/elsewhere/secret"] }), "names `/elsewhere/secret`"),
            (json!({ "cmd": ["./bot", "../secret"] }), "names `../secret`"),
            (json!({ "cmd": ["./bot"], "files": ["/elsewhere/secret"] }), "names `/elsewhere/secret`"),
            (json!({ "cmd": ["./bot"], "dir": "/elsewhere" }), "names `/elsewhere`"),
            (
                json!({ "cmd": ["./bot"], "sandbox": { "level": "contest", "read": ["/elsewhere"] } }),
                "`read: /elsewhere`",
            ),
            (
                json!({ "cmd": ["./bot"], "sandbox": { "level": "contest", "write": ["a/../.."] } }),
                "`write: a/../..`",
            ),
            (
                json!({ "cmd": ["./bot"], "sandbox": { "level": "contest", "network": "true" } }),
                "`network: true`",
            ),
            (json!({ "git": ".", "commit": "main", "build": "make" }), "which workers do not read"),
        ] {
            let mut bot = more.clone();
            bot["name"] = json!("a");
            let (document, refused) = admitted(&bot);
            assert_eq!(refused.len(), 1, "{more}");
            assert!(refused[0].bot == "a" && refused[0].why.contains(told), "{more}: {}", refused[0].why);
            assert_eq!(document["bots"].as_array().map(Vec::len), Some(2), "{more}: it is not even read");
        }
    }

    #[test]
    fn a_run_with_rules_that_are_a_program_is_refused_unless_the_worker_has_no_level() {
        let bot = |name: &str| json!({ "name": name, "builtin": "random" });
        let run = |rules: Value| json!({ "games": [{ "game": "mine", "rules": rules }], "bots": [bot("a"), bot("b")] });
        let admit = |level: Level, rules: Value| {
            Guard::new(level, None).admit_games(&mut run(rules), &["mine (2x2)"])
        };
        for program in
            [json!("./rules.py#mine"), json!(["python3", "rules.py", "#mine"]), json!("/else/mine.wasm#mine")]
        {
            let told = admit(Level::Basic, program.clone()).unwrap_err();
            assert!(told.contains("game `mine (2x2)`: its rules are a program"), "{told}");
            assert_eq!(admit(Level::None, program), Ok(Vec::new()));
        }
        assert_eq!(admit(Level::Strict, json!("./mine.wasm#mine")), Ok(Vec::new()));
    }

    #[test]
    fn where_too_few_bots_are_left_the_reason_is_that_of_a_bot() {
        let bots = json!([{ "name": "a", "cmd": ["./a"], "dir": "/elsewhere" }, { "name": "b", "builtin": "random" }]);
        let told =
            Guard::new(Level::Contest, None).admit(&mut json!({ "games": [], "bots": bots })).unwrap_err();
        assert!(told.starts_with("bot `a`: it names `/elsewhere`"), "{told}");
    }
}
