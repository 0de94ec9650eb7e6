//! Made-up journals.

use std::collections::BTreeMap;

use record::{
    BotConfig, Contents, GameConfig, GameRecord, GameResult, LineGame, OpeningConfig, PgnForm, PlyRecord,
    RunConfig, RunRecord, RunSummary, SeatRecord, Summarizer, Termination,
};
use report::{GameList, GameLog, RunReport};
use rules::{PerSeat, Places, Reason};

/// A journal that grows pair by pair.
pub(crate) struct Sample {
    pub contents: Contents,
    seed: u64,
}

impl Sample {
    /// Starts a journal with these bots and these games.
    pub(crate) fn new(bots: &[&str], labels: &[&str]) -> Self {
        let bots = bots.iter().map(|name| bot(name)).collect();
        let games = labels.iter().map(|label| game(label)).collect();
        let settings = settings::Conditions::default();
        let config = RunConfig {
            name: "cup".to_owned(),
            format: settings::Format::RoundRobin.into(),
            sprt: None,
            schedule: None,
            pairing: None,
            rounds: 1,
            seed: 1,
            games,
            bots,
            adjudicate: settings::Adjudication::default(),
            settings,
        };
        let run = RunRecord {
            format: record::FORMAT,
            arena: "0.1.0".to_owned(),
            rules: "0123456789abcdef".to_owned(),
            written: "2026-11-21T09:00:00Z".to_owned(),
            from_pair: None,
            config,
        };
        Self { contents: Contents { runs: vec![run], ..Contents::default() }, seed: 1 }
    }

    /// Draws other results.
    pub(crate) fn seeded(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Adds a pair: what the first bot did as `p1`, then as `p2`.
    pub(crate) fn pair(
        &mut self,
        label: &str,
        first: &str,
        second: &str,
        results: [GameResult; 2],
    ) -> &mut Self {
        let number = self.contents.games.len() as u64 + 1;
        let round = self.contents.games.len() as u32 / 12 + 1;
        for (leg, result) in (1..).zip(results) {
            let seats = if leg == 1 { [first, second] } else { [second, first] };
            let plies = (0..10 + self.random() % 4).map(|turn| self.ply(turn as u32)).collect();
            self.contents.games.push(GameRecord {
                number: number + u64::from(leg) - 1,
                pair: number.div_ceil(2),
                leg,
                round,
                game: label.split(' ').next().unwrap_or_default().to_owned(),
                options: options(label),
                label: label.to_owned(),
                start: None,
                seats: seats.map(seat).into(),
                opening: 2,
                plies,
                result,
                reason: Termination::Rules(Reason::Pattern),
                detail: None,
                failed: None,
                started: "2026-11-21T09:30:05.123Z".to_owned(),
                seconds: 1.5,
                gathered: None,
                worker: None,
            });
        }
        self
    }

    /// Adds a pair with results drawn from a law: the better bot has the earlier name.
    pub(crate) fn likely_pair(&mut self, label: &str, first: &str, second: &str) -> &mut Self {
        let edge = if first < second { 2 } else { 0 };
        let draw = |random: u64| match random % 10 {
            0 => GameResult::Draw,
            share if share < 5 + edge => GameResult::P1Win,
            _ => GameResult::P2Win,
        };
        let first_leg = draw(self.random());
        let second_leg = match draw(self.random() + 1 + edge) {
            GameResult::P1Win if self.random().is_multiple_of(3) => GameResult::P2Win,
            other => other,
        };
        self.pair(label, first, second, [first_leg, second_leg])
    }

    /// Adds a block at a table of as many seats as bots: in each game the bots sit one seat further, and the places are those of
    /// the bots, not of the seats.
    pub(crate) fn block(&mut self, label: &str, bots: &[&str], places: &[&[u8]]) -> &mut Self {
        let (before, pair) =
            (self.contents.games.len() as u64, self.contents.games.last().map_or(1, |game| game.pair + 1));
        for (turn, places) in places.iter().enumerate() {
            let seated: Vec<usize> = (0..bots.len()).map(|seat| (seat + turn) % bots.len()).collect();
            let seats: Vec<SeatRecord> = seated.iter().map(|bot| seat(bots[*bot])).collect();
            let of_seats: Vec<u8> = seated.iter().map(|bot| places[*bot]).collect();
            let plies = (0..10 + self.random() % 4).map(|turn| self.ply(turn as u32)).collect();
            self.contents.games.push(GameRecord {
                number: before + turn as u64 + 1,
                pair,
                leg: turn as u8 + 1,
                round: pair as u32,
                game: label.split(' ').next().unwrap_or_default().to_owned(),
                options: options(label),
                label: label.to_owned(),
                start: None,
                seats: PerSeat::try_from(seats).expect("2 to 8 seats"),
                opening: 2,
                plies,
                result: GameResult::Places(Places::new(&of_seats).expect("places that can be")),
                reason: Termination::Rules(Reason::NoFish),
                detail: None,
                failed: None,
                started: "2026-11-21T09:30:05.123Z".to_owned(),
                seconds: 1.5,
                gathered: None,
                worker: None,
            });
        }
        self
    }

    /// Returns the last game.
    pub(crate) fn last(&mut self) -> &mut GameRecord {
        self.contents.games.last_mut().expect("a game")
    }

    fn ply(&mut self, turn: u32) -> PlyRecord {
        let seat = turn as u8 % 2 + 1;
        let us = (turn > 1).then(|| 900 + 100 * u64::from(seat) + self.random() % 100);
        let cell = self.random() % 16;
        let file = char::from(b'a' + (cell % 4) as u8);
        PlyRecord {
            ply: format!("{file}{}", cell / 4 + 1),
            san: None,
            seat,
            turn: turn + 1,
            of: None,
            us,
            used: None,
            clock: us.map(|us| 60_000 - us / 1000),
            info: None,
            fallback: false,
        }
    }

    /// A small generator: the same numbers everywhere.
    fn random(&mut self) -> u64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.seed >> 40
    }
}

/// Returns what tables are made of.
pub(crate) fn summary(contents: &Contents) -> RunSummary {
    let mut summarizer = Summarizer::default();
    contents.runs.iter().for_each(|run| summarizer.configure(run.clone()));
    // The place says which game it is, as that in the journal does.
    for (place, game) in contents.games.iter().enumerate() {
        summarizer.push(game, place as u64);
    }
    contents.void.iter().for_each(|game| summarizer.push_void(game, 0));
    // In their own order: the reports are to sort them.
    RunSummary { torn: contents.torn, ..summarizer.run().clone() }
}

/// Hands the games of a journal out as the arena does: by number.
fn each_game(contents: &Contents, mut take: impl FnMut(&LineGame<'_>)) {
    let run = summary(contents);
    run.by_number().for_each(|game| {
        let record = &contents.games[game.place as usize];
        // JSON cannot express every number.
        let line = serde_json::to_string(&GameRecord { seconds: 0.0, ..record.clone() }).expect("JSON");
        let game: LineGame<'_> = serde_json::from_str(&line).expect("a game");
        take(&LineGame { seconds: record.seconds, ..game });
    });
}

/// Returns `games.csv`.
pub(crate) fn games_csv(contents: &Contents) -> Vec<u8> {
    let mut list = GameList::new(&RunReport::of(&summary(contents)));
    each_game(contents, |game| list.push(game));
    list.take()
}

/// Returns `games.pgn`.
pub(crate) fn games_pgn(contents: &Contents, form: PgnForm) -> String {
    let (run, mut text) = (summary(contents), Vec::new());
    let mut log = GameLog::new(&run, form);
    each_game(contents, |game| {
        log.push(game, &mut text);
    });
    String::from_utf8(text).expect("text")
}

/// Returns every file that is made from a journal.
pub(crate) fn files(contents: &Contents) -> Vec<(&'static str, Vec<u8>)> {
    let log = games_pgn(contents, PgnForm::Native).into_bytes();
    let mut files = vec![("games.pgn", log), ("games.csv", games_csv(contents))];
    files.extend(report::tables(&RunReport::of(&summary(contents))));
    files
}

/// Four bots, two games, some faults: what a run looks like.
pub(crate) fn cup() -> Contents {
    let bots = ["ada", "bob", "cleo", "dan"];
    let labels = ["farook", "fanorona size=3x3"];
    let mut sample = Sample::new(&bots, &labels);
    for round in 0..6 {
        for label in labels {
            for (i, first) in bots.iter().enumerate() {
                for second in &bots[i + 1..] {
                    sample.likely_pair(label, first, second);
                }
            }
        }
        let last = sample.last();
        match round {
            1 => {
                (last.result, last.reason) = (GameResult::P2Win, Termination::Timeout);
                last.detail = Some("62 ms over the clock; the margin is 50 ms".to_owned());
            }
            2 => {
                (last.result, last.reason) = (GameResult::P2Win, Termination::IllegalMove);
                last.detail = Some("`a1\u{1b}[31m` is not a ply of this game".to_owned());
            }
            3 => {
                (last.result, last.reason) = (GameResult::P1Win, Termination::Crash);
                last.seats[1].exit = Some("signal 11".to_owned());
            }
            4 => (last.result, last.reason) = (GameResult::None, Termination::SpawnFailed),
            _ => {}
        }
    }
    sample.contents
}

/// Names that want to break out of every format.
pub(crate) fn hostile() -> Contents {
    let names = ["=cmd|'/C calc'!A0", "x\",\"\n]\"[1-0", "\u{1b}[2J\u{202e}evil"];
    let mut sample = Sample::new(&names, &["farook"]);
    sample.pair("farook", names[0], names[1], [GameResult::P1Win, GameResult::Draw]);
    sample.pair("farook", names[1], names[2], [GameResult::P1Win, GameResult::Draw]);
    sample.pair("farook", names[2], names[0], [GameResult::P1Win, GameResult::P1Win]);
    let last = sample.last();
    (last.result, last.reason) = (GameResult::P1Win, Termination::BadMove);
    last.detail = Some("@SUM(1) } 1-0 {\r\n\u{7}".to_owned());
    sample.contents
}

pub(crate) fn seat(name: &str) -> SeatRecord {
    SeatRecord {
        bot: name.to_owned(),
        version: String::new(),
        digest: digest(name),
        tc: "60+0.5".to_owned().into(),
        seed: 7,
        overruns: 0,
        retries: 0,
        warnings: Vec::new(),
        exit: None,
        cpu_ms: None,
        peak_kib: None,
        out: None,
    }
}

fn bot(name: &str) -> BotConfig {
    BotConfig {
        name: name.to_owned(),
        version: None,
        command: vec![name.to_owned()],
        options: BTreeMap::new(),
        tc: None,
        sandbox: None,
        granted: record::Grants::default(),
        limits: settings::RecordedQuota::default(),
        cgroups: None,
        start: record::StartConfig::default(),
        digest: digest(name),
    }
}

fn game(label: &str) -> GameConfig {
    GameConfig {
        game: label.split(' ').next().unwrap_or_default().to_owned(),
        seats: 2,
        options: options(label),
        label: label.to_owned(),
        tc: settings::Recorded::Known("60+0.5".parse().expect("a time control")),
        openings: OpeningConfig::of_plies(2),
        rules: None,
    }
}

fn options(label: &str) -> BTreeMap<String, String> {
    let pairs = label.split(' ').filter_map(|pair| pair.split_once('='));
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

fn digest(name: &str) -> String {
    format!(
        "{:016x}",
        name.bytes().fold(7_u64, |hash, byte| hash.wrapping_mul(131).wrapping_add(byte.into()))
    )
}
