//! Every option of both programs, and what it becomes.

use crate::error::ImportError;
use crate::program::Program;

/// Which programs have an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    Both,
    Cutechess,
    Fastchess,
}

/// What becomes of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Becomes {
    /// Keys of the tournament file.
    Keys(&'static str),
    /// Nothing, because it always holds, or always does here what it asks for.
    Usual(&'static str),
    /// Nothing: the arena has no counterpart, and why.
    Nothing(&'static str),
}

/// What stands behind an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Nothing.
    Nothing,
    /// One word.
    Word,
    /// Nothing or one word.
    MaybeWord,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Nothing or one of these words.
    MaybeOneOf(&'static [&'static str]),
    /// One or more words.
    Words,
    /// One whole number.
    Number,
    /// Nothing or one whole number.
    MaybeNumber,
    /// Keys with values that are read elsewhere.
    Pairs,
    /// One or more of these keys with values.
    Keys(&'static [(&'static str, Value)]),
    /// Nothing, or these keys with values.
    MaybeKeys(&'static [(&'static str, Value)]),
    /// A file, and then each of these words once at most.
    File(&'static [&'static str]),
}

/// What stands behind a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Any text but an empty one.
    Text,
    /// `true` or `false`.
    Truth,
    /// A whole number.
    Whole,
    /// One of these words.
    OneOf(&'static [&'static str]),
}

impl Value {
    /// Returns what is wrong with a text.
    fn fault(self, text: &str) -> Option<String> {
        match self {
            Self::Text => text.is_empty().then(|| "has no value".to_owned()),
            Self::Truth => {
                (!matches!(text, "true" | "false")).then(|| format!("`{text}` is neither `true` nor `false`"))
            }
            Self::Whole => text.parse::<u64>().is_err().then(|| format!("`{text}` is not a whole number")),
            Self::OneOf(words) => {
                (!words.contains(&text)).then(|| format!("`{text}` is none of `{}`", words.join("`, `")))
            }
        }
    }
}

/// Checks one value with its key.
fn check_pair(option: &str, keys: &[(&str, Value)], text: &str) -> Result<(), ImportError> {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    let Some((_, known)) = keys.iter().find(|(known, _)| *known == key) else {
        let known: Vec<_> = keys.iter().map(|(known, _)| format!("`{known}=`")).collect();
        return Err(ImportError::value(
            option,
            format!("`{text}` belongs to no key that is known: {}", known.join(", ")),
        ));
    };
    known.fault(value).map_or(Ok(()), |fault| Err(ImportError::value(format!("{option} {key}="), fault)))
}

impl Takes {
    /// Checks the values of an option.
    ///
    /// # Errors
    /// When there are too few or too many, or one is none that the option can have.
    pub(crate) fn check(self, option: &str, values: &[String]) -> Result<(), ImportError> {
        let (least, most) = match self {
            Self::Nothing => (0, 0),
            Self::Word | Self::OneOf(_) | Self::Number => (1, 1),
            Self::MaybeWord | Self::MaybeOneOf(_) | Self::MaybeNumber => (0, 1),
            Self::Words | Self::Keys(_) | Self::File(_) => (1, usize::MAX),
            Self::Pairs | Self::MaybeKeys(_) => (0, usize::MAX),
        };
        if values.len() < least {
            return Err(ImportError::value(option, "needs a value"));
        }
        if let Some(further) = values.get(most) {
            let fault = match most {
                0 => format!("takes no value, and `{further}` stands behind it"),
                _ => format!("takes one value, and `{further}` stands behind it"),
            };
            return Err(ImportError::value(option, fault));
        }
        let known = |known: Value, values: &[String]| {
            let fault = values.iter().find_map(|text| known.fault(text));
            fault.map_or(Ok(()), |fault| Err(ImportError::value(option, fault)))
        };
        match self {
            Self::Nothing | Self::Word | Self::MaybeWord | Self::Words | Self::Pairs => Ok(()),
            Self::OneOf(words) | Self::MaybeOneOf(words) => known(Value::OneOf(words), values),
            Self::Number | Self::MaybeNumber => known(Value::Whole, values),
            Self::Keys(keys) | Self::MaybeKeys(keys) => {
                values.iter().try_for_each(|text| check_pair(option, keys, text))
            }
            Self::File(words) => known(Value::OneOf(words), &values[1..]),
        }
    }
}

/// What many keys take.
const TRUTH: Value = Value::Truth;
/// What is known of a file of games of fastchess.
const PGN: Takes = Takes::MaybeKeys(&[
    ("file", Value::Text),
    ("append", TRUTH),
    ("min", TRUTH),
    ("nodes", TRUTH),
    ("seldepth", TRUTH),
    ("nps", TRUTH),
    ("hashfull", TRUTH),
    ("tbhits", TRUTH),
    ("pv", TRUTH),
    ("timeleft", TRUTH),
    ("latency", TRUTH),
    ("notation", Value::OneOf(&["san", "lan", "uci"])),
    ("match_line", Value::Text),
]);
/// What is known of a file of messages.
const LOG: Takes = Takes::Keys(&[
    ("file", Value::Text),
    ("level", Value::OneOf(&["trace", "warn", "info", "err", "fatal"])),
    ("append", TRUTH),
    ("compress", TRUTH),
    ("realtime", TRUTH),
    ("engine", TRUTH),
]);
/// What is known of a file of settings.
const CONFIG: Takes =
    Takes::Keys(&[("file", Value::Text), ("outname", Value::Text), ("discard", TRUTH), ("stats", TRUTH)]);

/// An option and its counterpart.
#[derive(Debug)]
pub(crate) struct Counterpart {
    /// Its name, without the hyphen.
    pub name: &'static str,
    /// Whose it is.
    pub of: Of,
    /// What it becomes.
    pub becomes: Becomes,
    /// A value for examples; empty where it has none.
    pub example: &'static str,
    /// What stands behind it.
    pub takes: Takes,
}

impl Counterpart {
    /// Returns whether a program has it.
    pub(crate) fn is_of(&self, program: Program) -> bool {
        match self.of {
            Of::Both => true,
            Of::Cutechess => program == Program::Cutechess,
            Of::Fastchess => program == Program::Fastchess,
        }
    }
}

/// Returns what stands behind an option with this example: one word, or nothing.
const fn usually(example: &str) -> Takes {
    if example.is_empty() { Takes::Nothing } else { Takes::Word }
}

impl Counterpart {
    /// Says what stands behind it.
    const fn taking(mut self, takes: Takes) -> Self {
        self.takes = takes;
        self
    }
}

const fn keys(of: Of, name: &'static str, example: &'static str, becomes: &'static str) -> Counterpart {
    Counterpart { name, of, becomes: Becomes::Keys(becomes), example, takes: usually(example) }
}

const fn usual(of: Of, name: &'static str, example: &'static str, becomes: &'static str) -> Counterpart {
    Counterpart { name, of, becomes: Becomes::Usual(becomes), example, takes: usually(example) }
}

const fn nothing(of: Of, name: &'static str, example: &'static str, why: &'static str) -> Counterpart {
    Counterpart { name, of, becomes: Becomes::Nothing(why), example, takes: usually(example) }
}

/// Why no option about endgame tables has a counterpart.
const NO_TABLES: &str = "the rules of a game decide when it is over, and those of chess read no endgame tables; `adjudicate` ends decided games by the scores of both bots";
/// Why no option about how often something is printed has a counterpart.
const NO_INTERVAL: &str =
    "the standings are always at hand: on the screen with `--tui`, in a browser with `arena serve`";
/// Why no option about a limit on one kind of answer has a counterpart.
const NO_WAIT: &str = "greetings and set-ups have limits of their own, which are fixed";
/// What stands for a file of games.
const GAME_LOG: &str =
    "`games.pgn` is written into the results of every run, with scores, depths, nodes, times and clocks";
/// Why no file of last positions has a counterpart.
const NO_ENDS: &str = "the journal has all plies of a game; `arena position` shows the position after them";

use Of::{Both, Cutechess, Fastchess};

/// The options, in the order of the page.
pub(crate) const OPTIONS: &[Counterpart] = &[
    keys(Both, "engine", "cmd=./third tc=5", "an item of `bots`").taking(Takes::Pairs),
    keys(Both, "each", "option.Hash=16", "the same in every item of `bots`; like there, it takes precedence").taking(Takes::Pairs),
    keys(
        Fastchess,
        "quick",
        "cmd=./new cmd=./old book=book.epd",
        "two bots, `tc: 10+0.1`, `rounds: 25000`, `concurrency: auto`, `adjudicate` and `openings` in random order",
    ).taking(Takes::Pairs),
    keys(Both, "variant", "standard", "`rules` and `games`: chess, or with `--rules` any game of one's own; `fischerandom` needs `--rules`, and every bot gets the option `UCI_Chess960`"),
    keys(
        Both,
        "tournament",
        "gauntlet",
        "`format`; `pyramid` becomes `round-robin`, in which the same two bots meet",
    ),
    keys(Both, "seeds", "1", "`seeds` of a gauntlet, by name").taking(Takes::Number),
    keys(Both, "games", "4", "`rounds`, in pairs of games: half of `-games` times `-rounds`, rounded up").taking(Takes::Number),
    keys(Both, "rounds", "10", "`rounds`, see `-games`").taking(Takes::Number),
    usual(Both, "repeat", "", "both games of a pair begin with the same opening").taking(Takes::MaybeNumber),
    keys(Both, "concurrency", "4", "`concurrency`; 1 is the default of both programs; `0` and `-N` of fastchess, all threads but N, become `auto`"),
    nothing(Fastchess, "force-concurrency", "", "`concurrency` has no limit by the number of processors"),
    keys(
        Both,
        "sprt",
        "elo0=0 elo1=5 alpha=0.05 beta=0.05",
        "`format: sprt` and `sprt`, with `model: logistic` for cutechess-cli and `normalized` for fastchess unless it says otherwise; `rounds` stays the most pairs",
    ).taking(Takes::Pairs),
    keys(
        Both,
        "draw",
        "movenumber=34 movecount=8 score=20",
        "`adjudicate: {draw: …}`: `movecount` becomes `turns`, and twice `movenumber` becomes `after`, which counts the turns of both seats",
    ).taking(Takes::Pairs),
    keys(
        Both,
        "resign",
        "movecount=3 score=600",
        "`adjudicate: {resign: …}`: `movecount` becomes `turns`, `twosided` becomes `both`",
    ).taking(Takes::Pairs),
    nothing(
        Both,
        "maxmoves",
        "200",
        "at `adjudicate: {plies: N}` the greater material wins, while they draw the game; the rules of chess end it after fifty moves without progress",
    ).taking(Takes::Number),
    nothing(Both, "tb", "/syzygy", NO_TABLES),
    nothing(Both, "tbpieces", "6", NO_TABLES).taking(Takes::Number),
    nothing(Both, "tbignore50", "", NO_TABLES),
    nothing(Fastchess, "tbadjudicate", "BOTH", NO_TABLES).taking(Takes::OneOf(&["BOTH", "WIN_LOSS", "DRAW"])),
    keys(
        Both,
        "openings",
        "file=book.epd format=epd order=random",
        "`openings` with a file of openings, which is written from the EPD or PGN: `order`, `plies` and `start` are kept, `policy=round` becomes `per: round`",
    ).taking(Takes::Pairs),
    nothing(Cutechess, "bookmode", "ram", "Polyglot books are not read").taking(Takes::OneOf(&["ram", "disk"])),
    keys(Both, "srand", "42", "`seed`, of everything random").taking(Takes::Number),
    nothing(
        Both,
        "noswap",
        "",
        "seats are always swapped within a pair of games: what an opening gives to one bot it gives to the other",
    ),
    nothing(Both, "reverse", "", "both games of a pair are played, whichever comes first"),
    usual(Both, "recover", "", "a bot that fails loses that game, is restarted, and the tournament goes on"),
    nothing(
        Both,
        "wait",
        "100",
        "the next game begins when a slot is free; `stagger` keeps starts of processes apart",
    ).taking(Takes::Number),
    keys(Fastchess, "use-affinity", "", "`pin: game`").taking(Takes::MaybeWord),
    keys(Both, "event", "Cup", "`name`").taking(Takes::Words),
    nothing(Both, "site", "Here", "game logs have no site").taking(Takes::Words),
    usual(Cutechess, "pgnout", "games.pgn min", GAME_LOG).taking(Takes::File(&["min", "fi"])),
    usual(Fastchess, "pgnout", "file=games.pgn nodes=true", GAME_LOG).taking(PGN),
    nothing(Cutechess, "epdout", "ends.epd", NO_ENDS),
    nothing(Fastchess, "epdout", "file=ends.epd", NO_ENDS)
        .taking(Takes::MaybeKeys(&[("file", Value::Text), ("append", TRUTH)])),
    nothing(Both, "ratinginterval", "10", NO_INTERVAL).taking(Takes::Number),
    nothing(Cutechess, "outcomeinterval", "10", NO_INTERVAL).taking(Takes::Number),
    nothing(Fastchess, "scoreinterval", "1", NO_INTERVAL).taking(Takes::Number),
    nothing(
        Cutechess,
        "resultformat",
        "default",
        "tables have fixed columns; `standings.csv` and `arena report --json` have all figures",
    ),
    nothing(
        Fastchess,
        "output",
        "format=cutechess",
        "tables have one form; `--json` writes them for programs",
    ).taking(Takes::Keys(&[("format", Value::OneOf(&["cutechess", "fastchess"]))])),
    usual(Fastchess, "report", "penta=true", "scores of pairs are always reported").taking(Takes::Keys(&[("penta", TRUTH)])),
    keys(Cutechess, "debug", "", "`transcripts: true`: every line, in one file per game").taking(Takes::MaybeOneOf(&["all"])),
    keys(
        Fastchess,
        "log",
        "file=log.txt engine=true",
        "`transcripts: true` with `engine=true`; messages of the arena itself go to standard error",
    ).taking(LOG),
    usual(
        Fastchess,
        "config",
        "outname=config.json",
        "the journal keeps every game, and the same command continues a run; `file=`, from which engines and tournament would be read, is refused without `discard=true`",
    ).taking(CONFIG),
    usual(Fastchess, "autosaveinterval", "20", "every game is written when it ends").taking(Takes::Number),
    nothing(Fastchess, "crc32", "pgn=true", "each line of the journal has a checksum of its own").taking(Takes::Keys(&[("pgn", TRUTH)])),
    nothing(Fastchess, "show-latency", "", "what the arena adds to a clock is measured by `arena doctor`"),
    usual(
        Fastchess,
        "check-mate-pvs",
        "",
        "variations and announced mates are always checked against the rules",
    ),
    nothing(Fastchess, "testEnv", "", "it is for one server's workers; `arena worker` is the arena's"),
    nothing(
        Fastchess,
        "strict",
        "",
        "warnings stand in the report; `arena check` tests a bot against the protocol",
    ),
    nothing(Fastchess, "startup-ms", "10000", NO_WAIT).taking(Takes::Number),
    nothing(Fastchess, "ucinewgame-ms", "60000", NO_WAIT).taking(Takes::Number),
    nothing(Fastchess, "ping-ms", "60000", NO_WAIT).taking(Takes::Number),
    nothing(
        Fastchess,
        "compliance",
        "./engine",
        "`arena check` tests a bot, against the arena's own protocol",
    ).taking(Takes::Words),
    nothing(Cutechess, "engines", "", "there is no list of engines outside of tournament files"),
    nothing(Both, "version", "", "it asks the other program: `arena --version`"),
    nothing(Both, "v", "", "it asks the other program: `arena --version`"),
    nothing(Both, "help", "", "it asks the other program: `arena --help`"),
];

/// What stands behind `-engine` and `-each`.
pub(crate) const ENGINE_KEYS: &[Counterpart] = &[
    keys(Both, "name", "new", "`name`; without one, the name of the program"),
    keys(Both, "cmd", "./new", "`cmd`"),
    keys(Cutechess, "arg", "--uci", "a further word of `cmd`"),
    keys(Fastchess, "args", "--uci", "further words of `cmd`"),
    keys(Both, "dir", "engines", "`dir`"),
    keys(
        Both,
        "proto",
        "uci",
        "`hello: uci`, `clock: wb`, `position-keyword: fen`, `quiet: true`; `xboard` is refused, since the arena does not speak it",
    ),
    keys(Both, "tc", "40/60+0.6", "`tc`, minutes as seconds"),
    keys(Both, "st", "0.5", "`tc: movetime …`"),
    keys(Both, "nodes", "10000", "`tc: nodes …`"),
    keys(Both, "depth", "6", "`tc: depth …`"),
    keys(Fastchess, "plies", "6", "`tc: depth …`"),
    keys(Both, "timemargin", "100", "`margin`, the greatest of all bots; 0 where nothing is said"),
    keys(Both, "option.NAME", "16", "`options`"),
    keys(Both, "restart", "on", "`restart: always` where it is `on`"),
    nothing(Cutechess, "conf", "Engine", "engines of `engines.json` are not read: write `cmd=`"),
    usual(Cutechess, "stderr", "log.txt", "what a bot writes to standard error is kept when it fails"),
    nothing(
        Cutechess,
        "initstr",
        "xyz",
        "a bot is greeted and given its options, nothing else; a script around it can write more",
    ),
    nothing(Cutechess, "trust", "", "the arena is the only referee"),
    nothing(Cutechess, "book", "book.bin", "Polyglot books are not read: convert it to EPD or PGN"),
    nothing(Cutechess, "bookdepth", "8", "Polyglot books are not read"),
    nothing(Cutechess, "whitepov", "", "scores are from the bot's own point of view"),
    nothing(
        Cutechess,
        "ponder",
        "",
        "`ponder: true` is for bots that declare `can ponder stop`, which engines of UCI do not",
    ),
    nothing(Cutechess, "tscale", "2", NO_WAIT),
    nothing(Cutechess, "debug", "", "`transcripts` keeps every line of every bot"),
];
