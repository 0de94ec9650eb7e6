//! What the page of one game of a run is told: every ply with what it did to the board and what the bot said, while the game
//! is in progress and after its end.

use std::io::Read as _;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use diagnostic::output::count;
use live::{GameState, LiveState};
use page::{Stage, thinking_time};
use protocol::{printable, printable_capped};
use record::{Exits, GameRecord, GameResult, PlyRecord};
use rules::{Catalogue, Seat};
use serde_json::{Value, json};
use tournament::evidence;

use super::picture::{PictureText, end_words, latest, out_words, score, searches};
use super::run_index::RunIndex;

/// The picture of one game.
#[derive(Debug)]
pub(crate) struct GameWatcher {
    run_index: Arc<RunIndex>,
    run: String,
    number: u64,
    /// The plies that were worked out already.
    replay: Mutex<Replay>,
}

/// What the plies of a game did to its board.
#[derive(Debug, Default)]
struct Replay {
    start: String,
    /// Each ply, the position after it, and what it changed.
    steps: Vec<(String, String, [String; 3])>,
}

/// A game as a run's files have it.
pub(crate) enum FoundGame {
    /// It is in progress.
    InProgress(Box<GameState>),
    /// It is one of the last games of the journal.
    Recorded(Box<GameRecord>),
}

impl FoundGame {
    /// Looks for a game among those in progress and the last ones that have ended.
    pub(crate) fn find(directory: &Path, number: u64) -> Option<Self> {
        let state: Option<LiveState> = live::read(directory).ok().flatten();
        let in_progress = state.and_then(|state| state.games.into_iter().find(|game| game.number == number));
        if let Some(game) = in_progress {
            return Some(Self::InProgress(Box::new(game)));
        }
        let recorded = latest(directory, usize::MAX).into_iter().find(|game| game.number == number);
        recorded.map(|game| Self::Recorded(Box::new(game)))
    }

    /// Returns the label of its game and options.
    pub(crate) fn label(&self) -> &str {
        match self {
            Self::InProgress(game) => &game.label,
            Self::Recorded(game) => &game.label,
        }
    }

    fn start(&self) -> Option<&str> {
        match self {
            Self::InProgress(game) => game.start.as_deref(),
            Self::Recorded(game) => game.start.as_deref(),
        }
    }

    fn plies(&self) -> &[PlyRecord] {
        match self {
            Self::InProgress(game) => &game.plies,
            Self::Recorded(game) => &game.plies,
        }
    }

    /// Returns the seats that went out between the plies.
    fn exits(&self) -> Exits {
        match self {
            Self::InProgress(game) => game.exits(),
            Self::Recorded(game) => Exits::of(game),
        }
    }

    /// Returns the position after this number of plies; `None` where the rules do not take them.
    pub(crate) fn position(&self, plies: usize, catalogue: &Catalogue) -> Option<String> {
        let setup = catalogue.labelled(self.label())?;
        let (mut referee, exits) = (setup.referee(self.start()).ok()?, self.exits());
        for (played, ply) in self.plies().get(..plies)?.iter().enumerate() {
            exits.apply(&mut *referee, played).ok()?;
            referee.submit(&ply.ply).ok()?;
        }
        Some(referee.position())
    }
}

impl GameWatcher {
    pub(crate) fn new(run_index: Arc<RunIndex>, run: String, number: u64) -> Self {
        Self { run_index, run, number, replay: Mutex::default() }
    }

    /// Looks at the game. `None` where nothing has changed since the picture with this mark.
    pub(crate) fn look(&self, before: Option<&str>) -> Option<PictureText> {
        // A game that has ended does not change any more.
        if before.is_some_and(|mark| mark.starts_with("over")) {
            return None;
        }
        let directory = self.run_index.directory(&self.run)?;
        let Some(found) = FoundGame::find(&directory, self.number) else {
            // Between its end and its line in the journal it is in neither: the page keeps what it has.
            return None;
        };
        let stage = Stage::named(found.label(), &self.run_index.catalogue(&self.run, &directory))?;
        let (mark, mut value) = match &found {
            FoundGame::InProgress(game) => {
                let search = searches(game);
                let mark = format!("{} {:?} {:?} {search:?}", game.plies.len(), game.seat, game.since);
                let bots: Vec<_> = game.bots.iter().map(|bot| printable(&bot.name)).collect();
                let value = json!({
                    "bots": bots, "seat": game.seat, "since": game.since, "clocks": game.clocks, "search": search,
                    "opening": game.opening, "over": null, "end": null,
                });
                (mark, value)
            }
            FoundGame::Recorded(game) => {
                let bots: Vec<_> = game.seats.iter().map(|seat| printable(&seat.bot)).collect();
                let clock =
                    |seat: u8| game.plies.iter().rev().find(|ply| ply.seat == seat).and_then(|ply| ply.clock);
                let plies: Vec<_> = game.plies.iter().map(|ply| ply.ply.as_str()).collect();
                let end = stage
                    .view(game.start.as_deref(), &plies, &Exits::of(game))
                    .map(|view| view["end"].clone());
                let detail = game.detail.as_deref().map(|detail| printable_capped(detail, 300));
                let winner = match game.result {
                    GameResult::P1Win => format!("{} (p1) ", bots[0]),
                    GameResult::P2Win => format!("{} (p2) ", bots[1]),
                    GameResult::Draw | GameResult::None => String::new(),
                    GameResult::Places(places) => {
                        let first = places.iter().filter(|(_, place)| *place == 1);
                        let names = first.map(|(seat, _)| format!("{} ({seat})", bots[seat.index()]));
                        format!("{} ", names.collect::<Vec<_>>().join(", "))
                    }
                };
                let clocks: Vec<_> = (1..).take(bots.len()).map(clock).collect();
                let search: Vec<_> = game.seats.iter().map(|seat| seat.out.as_ref().map(out_words)).collect();
                let words =
                    [Some(end_words(game)), detail].into_iter().flatten().collect::<Vec<_>>().join(" · ");
                let value = json!({
                    "bots": bots, "seat": null, "since": null, "clocks": clocks, "search": search,
                    "opening": game.opening, "over": format!("{winner}{words}"), "end": end,
                    "isFault": game.failed.is_some(),
                });
                ("over".to_owned(), value)
            }
        };
        if before == Some(mark.as_str()) {
            return None;
        }
        let mut replay = self.replay.lock().unwrap_or_else(PoisonError::into_inner);
        replay.follow(&stage, &found)?;
        value["from"] = stage.seen(&replay.start).unwrap_or_default();
        value["plies"] = replay.told(found.plies());
        Some(PictureText { mark, text: value.to_string() })
    }
}

impl Replay {
    /// Works out what the plies did that are not known yet; `None` where the rules of this arena do not take them.
    fn follow(&mut self, stage: &Stage, found: &FoundGame) -> Option<()> {
        let (plies, exits) = (found.plies(), found.exits());
        let is_known = |(step, ply): &(&(String, String, [String; 3]), &PlyRecord)| step.0 == ply.ply;
        let known = self.steps.iter().zip(plies).take_while(is_known).count();
        self.steps.truncate(known);
        let mut referee = stage.setup().referee(found.start()).ok()?;
        self.start = referee.position();
        for (played, ply) in plies[..known].iter().enumerate() {
            exits.apply(&mut *referee, played).ok()?;
            referee.submit(&ply.ply).ok()?;
        }
        for (played, ply) in (known..).zip(&plies[known..]) {
            let before = referee.position();
            exits.apply(&mut *referee, played).ok()?;
            referee.submit(&ply.ply).ok()?;
            let after = referee.position();
            let told = stage.step(&before, &ply.ply, &after).unwrap_or_default();
            self.steps.push((ply.ply.clone(), after, told));
        }
        Some(())
    }

    /// Returns the plies as the script of the page reads them: each its spelling, the seat, the turn, the score, what it
    /// changed on the board, its way, the new owners, what else is known of it, in words, and its figures: microseconds,
    /// centipawns, mate, depth and nodes.
    fn told(&self, plies: &[PlyRecord]) -> Value {
        let told = self.steps.iter().zip(plies).map(|((_, _, [changes, way, owners]), ply)| {
            let info = ply.info.as_ref();
            let score = info.map(|info| score(info.mate, info.cp)).unwrap_or_default();
            let words: Vec<_> = [
                ply.us.map(thinking_time),
                info.and_then(|info| info.depth).map(|depth| format!("depth {depth}")),
                info.and_then(|info| info.nodes).map(|nodes| count(nodes, "node")),
                ply.fallback.then(|| "chosen by the arena".to_owned()),
                info.and_then(|info| info.text.as_deref()).map(|text| format!("“{}”", printable(text))),
            ]
            .into_iter()
            .flatten()
            .collect();
            let figures = json!([
                ply.us,
                info.and_then(|info| info.cp),
                info.and_then(|info| info.mate),
                info.and_then(|info| info.depth),
                info.and_then(|info| info.nodes),
            ]);
            json!([ply.ply, ply.seat, ply.turn, score, changes, way, owners, words.join(" · "), figures])
        });
        told.collect()
    }
}

/// How much of a page about a fault and of a transcript is shown, in bytes.
const MOST_EXPLAINED: u64 = 4 * 1024 * 1024;

/// Returns what explains a game: the page about its fault, and its transcript; `None` where there is neither.
pub(crate) fn explanation(directory: &Path, number: u64) -> Option<String> {
    let read = |path: PathBuf| {
        let file = record::open_regular(&path).ok()?;
        let mut bytes = Vec::new();
        file.take(MOST_EXPLAINED).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let faults = directory.join(evidence::FAULTS);
    // At a table of more than two every seat that failed has a page.
    let pages = Seat::all(Seat::MOST).map(|seat| faults.join(evidence::fault_page(number, Seat::MOST, seat)));
    let transcript = directory.join(evidence::TRANSCRIPTS).join(format!("{number}.txt"));
    let all = iter::once(faults.join(format!("{number}.txt"))).chain(pages).chain([transcript]);
    let parts: Vec<_> = all.filter_map(read).collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}
