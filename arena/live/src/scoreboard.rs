//! What happens in a run, put together into the picture of it.

use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use protocol::{Bound, ScoreValue};
use report::{SequentialTest, Tally};
use rules::Seat;
use runner::{BotFailure, Control, Live, LiveGame, Said};

use crate::state::{
    Evaluation, GameCounts, GameState, LiveBot, LiveFault, LiveStanding, LiveState, RunStage, SearchState,
    TestState, Throughput, VERSION,
};

/// How many faults the picture holds.
const FAULTS: usize = 50;

/// How many plies of a best line it holds.
const LINE: usize = 40;

/// How many characters of a bot's words.
const WORDS: usize = 300;

/// The shortest time between two computations of the standings.
const STANDINGS_EVERY: Duration = Duration::from_millis(500);

/// Standings are computed again only after this many times as long as they took, so that of many games and bots they take at
/// most a hundredth of the time.
const STANDINGS_SHARE: u32 = 100;

/// What is known of a run in progress.
#[derive(Debug)]
pub struct Scoreboard {
    live: Live,
    name: String,
    format: String,
    began: (Timestamp, Instant),
    before: u64,
    total: u64,
    /// The numbers of the games that are being played.
    running: HashSet<u64>,
    done: u64,
    faults: VecDeque<LiveFault>,
    fault_count: u64,
    withdrawn: Vec<String>,
    standings: Vec<LiveStanding>,
    /// When the standings are to be computed again; `None` when they are up to date.
    due: Option<Instant>,
    made: Instant,
}

/// What the picture is made of besides what the scoreboard counts itself.
pub struct View<'a> {
    /// What the run plays.
    pub plan: &'a runner::GamePlan,
    /// Through which orders reach it.
    pub control: &'a Control,
    /// Its games so far.
    pub tally: &'a Tally<'a>,
    /// Its sequential test, in a run that is one.
    pub trial: Option<&'a SequentialTest>,
    /// What a run whose schedule follows results says.
    pub note: Option<String>,
}

impl Scoreboard {
    /// Begins with a tournament of this name and format, of which `before` games are recorded and `total` are to be
    /// played.
    pub fn new(name: &str, format: &str, before: u64, total: u64) -> Self {
        let now = Instant::now();
        Self {
            live: Live::default(),
            name: name.to_owned(),
            format: format.to_owned(),
            began: (Timestamp::now(), now),
            before,
            total,
            running: HashSet::new(),
            done: 0,
            faults: VecDeque::new(),
            fault_count: 0,
            withdrawn: Vec::new(),
            standings: Vec::new(),
            due: Some(now),
            made: now,
        }
    }

    /// Returns where the games in progress are shown.
    pub(crate) fn live(&self) -> Live {
        self.live.clone()
    }

    /// Takes the number of a game that begins.
    pub(crate) fn game_started(&mut self, number: u64) {
        self.running.insert(number);
    }

    /// Takes the number of a recorded game, played or not.
    pub(crate) fn game_finished(&mut self, number: u64) {
        self.running.remove(&number);
        self.done += 1;
        self.due.get_or_insert(self.made);
    }

    /// Takes the number of a game that was void and is begun again: its fault counts nowhere.
    pub(crate) fn game_void(&mut self, number: u64) {
        self.running.remove(&number);
        let before = self.faults.len();
        self.faults.retain(|fault| fault.game != number);
        self.fault_count -= (before - self.faults.len()) as u64;
    }

    /// Takes a fault.
    pub(crate) fn fault(&mut self, failure: &BotFailure) {
        self.fault_count += 1;
        if self.faults.len() == FAULTS {
            self.faults.pop_front();
        }
        self.faults.push_back(LiveFault {
            game: failure.game,
            bot: failure.bot.clone(),
            seat: failure.seat,
            reason: failure.termination.code().to_owned(),
            detail: failure.detail.clone(),
            at: Timestamp::now().as_millisecond(),
        });
    }

    /// Takes the name of a bot that is withdrawn.
    pub(crate) fn withdrawn(&mut self, bot: &str) {
        self.withdrawn.push(bot.to_owned());
    }

    /// Returns how many games are being played.
    pub(crate) fn running(&self, control: &Control) -> u64 {
        if control.is_aborting() { 0 } else { self.running.len() as u64 }
    }

    /// Returns how the run stands, in a line.
    pub(crate) fn status(&self, control: &Control, concurrency: usize) -> String {
        let stage = match stage(control) {
            RunStage::Running => "running",
            RunStage::Paused => "paused",
            RunStage::Finishing => "stopping",
            RunStage::Aborting => "ending",
        };
        let mut text = format!(
            "{stage}: {} of {} games recorded, {} in progress, concurrency {concurrency}",
            self.done,
            self.total,
            self.running(control),
        );
        let pace = self.pace(false);
        if let (Some(rate), Some(left)) = (pace.games_per_second, pace.seconds_left) {
            text += &format!(", {rate:.1} games/s, about {} left", diagnostic::output::span(left));
        }
        if self.fault_count > 0 {
            text += &format!(", {}", diagnostic::output::count(self.fault_count, "fault"));
        }
        text
    }

    /// Returns the picture as it is now.
    pub(crate) fn state(&mut self, view: &View<'_>) -> LiveState {
        self.refresh(view.tally);
        let games = self.live.games();
        let aborted = if view.control.is_aborting() { self.running.len() as u64 } else { 0 };
        let concurrency = view.control.slots().unwrap_or(view.plan.settings.concurrency);
        let mut games: Vec<_> = games.iter().map(|game| self::game(game, view.plan)).collect();
        games.sort_by_key(|game| game.number);
        LiveState {
            version: VERSION,
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            name: self.name.clone(),
            format: self.format.clone(),
            process: std::process::id(),
            began: self.began.0.as_millisecond(),
            written: Timestamp::now().as_millisecond(),
            stage: stage(view.control),
            concurrency: concurrency.get(),
            counts: GameCounts {
                before: self.before,
                total: self.total,
                done: self.done,
                running: self.running(view.control),
                aborted,
                faults: self.fault_count,
            },
            pace: self.pace(view.trial.is_some() || view.note.is_some()),
            games,
            standings: self.standings.clone(),
            faults: self.faults.iter().cloned().collect(),
            withdrawn: self.withdrawn.clone(),
            test: view.trial.map(test),
            note: view.note.clone(),
            workers: Vec::new(),
        }
    }

    fn pace(&self, is_upper_bound: bool) -> Throughput {
        let seconds = self.began.1.elapsed().as_secs_f64();
        if self.done == 0 || seconds <= 0.0 {
            return Throughput { is_upper_bound, ..Throughput::default() };
        }
        let rate = self.done as f64 / seconds;
        let left = self.total.saturating_sub(self.done) as f64 / rate;
        Throughput { games_per_second: Some(rate), seconds_left: Some(left), is_upper_bound }
    }

    /// Computes the standings again where that is due.
    fn refresh(&mut self, tally: &Tally<'_>) {
        let before = Instant::now();
        if self.due.is_none_or(|due| due > before) {
            return;
        }
        self.standings = standings(tally);
        self.made = Instant::now() + STANDINGS_EVERY.max(before.elapsed() * STANDINGS_SHARE);
        self.due = None;
    }
}

fn stage(control: &Control) -> RunStage {
    match () {
        () if control.is_aborting() => RunStage::Aborting,
        () if control.is_finishing() => RunStage::Finishing,
        () if control.is_paused() => RunStage::Paused,
        () => RunStage::Running,
    }
}

fn standings(tally: &Tally<'_>) -> Vec<LiveStanding> {
    tally.live_standings().rows.iter().map(LiveStanding::of).collect()
}

fn test(trial: &SequentialTest) -> TestState {
    let [new, base] = trial.names();
    let (lower, upper) = trial.walk().bounds();
    TestState {
        new,
        base,
        llr: trial.walk().llr(),
        lower,
        upper,
        pairs: trial.walk().counts().counts().to_vec(),
        decision: trial.decision().to_string(),
        line: report::trial_line(trial),
    }
}

fn game(game: &LiveGame, plan: &runner::GamePlan) -> GameState {
    let (task, contest) = (&game.task, &plan.contests[game.task.contest]);
    let bots = task.seats.iter().map(|index| {
        let bot = &plan.bots[*index];
        LiveBot { name: bot.name.clone(), tc: bot.tc.as_ref().unwrap_or(&contest.tc).to_string() }
    });
    let millis = |clock: Duration| u64::try_from(clock.as_millis()).unwrap_or(u64::MAX);
    GameState {
        number: task.number,
        pair: task.pair,
        leg: task.leg,
        round: task.round,
        slot: game.slot,
        game: contest.setup.game().id.to_owned(),
        label: contest.label.clone(),
        bots: bots.collect(),
        started: game.started.as_millisecond(),
        start: game.start.as_deref().map(str::to_owned),
        opening: game.opening,
        plies: game.plies.to_vec(),
        position: game.position.clone(),
        seat: game.seat.map(number),
        since: game.since.map(Timestamp::as_millisecond),
        clocks: game.clocks.iter().map(|clock| clock.map(millis)).collect(),
        search: game.said.iter().map(|said| said.as_deref().map(search)).collect(),
        evaluation: evaluation(game),
        out: match game.out.iter().any(Option::is_some) {
            true => game.out.iter().map(|exit| exit.as_deref().cloned()).collect(),
            false => Vec::new(),
        },
    }
}

const fn number(seat: Seat) -> u8 {
    seat.index() as u8 + 1
}

fn search(said: &Said) -> SearchState {
    let info = &said.info;
    let (cp, mate) = match info.score.map(|score| score.value) {
        Some(ScoreValue::Centipawns(cp)) => (Some(cp), None),
        Some(ScoreValue::Mate(turns)) => (None, Some(turns)),
        None => (None, None),
    };
    let bound = info.score.and_then(|score| score.bound).map(|bound| match bound {
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    });
    SearchState {
        depth: info.depth,
        cp,
        mate,
        bound: bound.map(str::to_owned),
        nodes: info.nodes,
        nps: info.nodes_per_second,
        time: info.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        pv: info.pv.iter().take(LINE).map(|ply| ply.as_str().to_owned()).collect(),
        text: info.text.as_ref().map(|text| text.chars().take(WORDS).collect()),
    }
}

/// Returns what a game of two is worth by the bot that spoke last; `None` at larger tables, where each bot speaks of itself alone.
fn evaluation(game: &LiveGame) -> Option<Evaluation> {
    if game.task.seats.len() > 2 {
        return None;
    }
    let said = Seat::BOTH.into_iter().filter_map(|seat| Some((seat, game.said[seat.index()].as_deref()?)));
    let (seat, said) =
        said.filter(|(_, said)| said.info.score.is_some()).max_by_key(|(_, said)| said.plies)?;
    let sign = |value: i64| if seat == Seat::P1 { value } else { value.saturating_neg() };
    let SearchState { cp, mate, .. } = search(said);
    Some(Evaluation { cp: cp.map(sign), mate: mate.map(sign), by: number(seat) })
}

#[cfg(test)]
mod tests {
    use record::Termination;
    use runner::Spoken;

    use super::*;

    fn failure(game: u64) -> BotFailure {
        BotFailure {
            bot: "b".to_owned(),
            game,
            termination: Termination::Timeout,
            detail: String::new(),
            stderr: Vec::new(),
            seat: 1,
            command: "b".to_owned(),
            dir: "/".into(),
            is_confined: false,
            exit: None,
            spoken: Spoken::default(),
            flush: None,
            scene: None,
        }
    }

    #[test]
    fn a_void_game_is_not_played_and_only_its_own_fault_counts_nowhere() {
        let (mut board, control) = (Scoreboard::new("cup", "round-robin", 0, 2), Control::new());
        board.game_started(1);
        board.game_started(2);
        board.fault(&failure(1));
        board.game_finished(1);
        // The arena stood still: nobody failed.
        board.game_void(2);
        assert_eq!((board.running(&control), board.fault_count), (0, 1));
        board.game_started(2);
        board.fault(&failure(2));
        assert_eq!((board.running(&control), board.fault_count), (1, 2));
        board.game_void(2);
        assert_eq!((board.running(&control), board.fault_count, board.faults.len()), (0, 1, 1));
        // A game that is not played, since one of its bots is withdrawn, has not begun.
        board.game_finished(2);
        assert_eq!((board.running(&control), board.done), (0, 2));
    }
}
