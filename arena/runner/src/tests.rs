//! Games over in-memory pipes in paused time: every rule of the match loop, to the millisecond.

mod announcements;
mod answers;
mod clocks;
mod fallback;
mod faults;
#[cfg(target_os = "linux")]
mod gathering;
mod live;
mod order;
mod pauses;
#[cfg(unix)]
mod polling;
mod pondering;
mod scripted;

use std::future::pending;
use std::time::Duration;

use processes::Process;
use protocol::{Dialogue, GameSetup, Profile};
use record::{GameResult, ProcessTimes, Termination};
use rules::{Outcome, Reason, Seat, Verdict};
use settings::Illegal;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use self::scripted::{Act, Peer, Script, Step};
use crate::clock::Clock;
use crate::game::live::LiveFeed;
use crate::game::{self, GameCourse, GameParts};
use crate::player::link::{BotOutput, Transport};
use crate::player::process::BotProcess;
use crate::player::{Player, number};
use crate::{Live, LiveGame, PairPlace, PlaySettings, Task};

/// A game between two scripted bots.
struct Board {
    tc: &'static str,
    steps: Vec<Step>,
    opening: Vec<String>,
    start: Option<&'static str>,
    settings: PlaySettings,
    is_forgiven: bool,
    pipe: usize,
    acts: [Vec<Vec<Act>>; 2],
    hello: [&'static str; 2],
    /// How many processors each bot keeps busy.
    busy: [f64; 2],
    /// The share of the time for which each bot waits for a processor, if it is measured.
    waits: [Option<f64>; 2],
}

/// The course of a game, and the lines sent to each bot.
struct Game {
    course: GameCourse,
    sent: [Vec<String>; 2],
    /// The last picture of it.
    shown: LiveGame,
}

impl Board {
    /// Returns a game of this many alternating plies, which `p1` wins. Bots answer `a1` at once.
    fn new(tc: &'static str, plies: usize) -> Self {
        Self {
            tc,
            steps: (0..plies).map(|i| Step::of(Seat::BOTH[i % 2])).collect(),
            opening: Vec::new(),
            start: None,
            settings: PlaySettings::new(1),
            is_forgiven: false,
            pipe: 64 * 1024,
            acts: [Vec::new(), Vec::new()],
            hello: ["protocol 1\nugiok\n"; 2],
            busy: [0.0; 2],
            waits: [None; 2],
        }
    }

    /// Sets what `p1` does at its questions, in order.
    fn p1(mut self, acts: impl IntoIterator<Item = Vec<Act>>) -> Self {
        self.acts[0] = acts.into_iter().collect();
        self
    }

    /// Sets what `p2` does at its questions, in order.
    fn p2(mut self, acts: impl IntoIterator<Item = Vec<Act>>) -> Self {
        self.acts[1] = acts.into_iter().collect();
        self
    }

    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    async fn play(self) -> Game {
        let mut sent = Vec::new();
        let mut players = Vec::new();
        let processes = self.busy.into_iter().zip(self.waits);
        for ((acts, hello), (busy, waits)) in self.acts.into_iter().zip(self.hello).zip(processes) {
            let process = PausedProcess { since: tokio::time::Instant::now(), busy, waits };
            let (player, lines) = seat(process, acts, hello, self.pipe, &self.settings).await;
            players.push(player);
            sent.push(lines);
        }
        let mut players: [Player; 2] = players.try_into().ok().unwrap();
        let verdict = Verdict { outcome: Outcome::Win(Seat::P1), reason: Reason::Line };
        let control = self.tc.parse().unwrap();
        let live = Live::default();
        let task = Task {
            number: 1,
            pair: 1,
            leg: 1,
            round: 1,
            place: PairPlace::default(),
            contest: 0,
            seats: [0, 1].into(),
        };
        let mut feed = LiveFeed::new(live.cell(0), &task, 0, self.start);
        let course = game::play(
            &mut players,
            GameParts {
                referee: Box::new(Script::new(self.steps, verdict)),
                setups: Seat::BOTH
                    .map(|seat| GameSetup { you: Some(number(seat)), ..GameSetup::new("script") })
                    .into(),
                opening: &self.opening,
                start: self.start,
                clocks: [0, 1].map(|_| Clock::new(&control, &self.settings)).into(),
                settings: &self.settings,
                is_forgiven: [self.is_forgiven; 2].into(),
                absent: Vec::new(),
                feed: Some(&mut feed),
            },
        )
        .await
        .unwrap();
        drop(players);
        // In paused time this does not wait, but lets the bots read the last messages.
        tokio::time::sleep(ms(1)).await;
        let mut lines = [Vec::new(), Vec::new()];
        for (lines, mut sent) in lines.iter_mut().zip(sent) {
            while let Ok(line) = sent.try_recv() {
                lines.push(line);
            }
        }
        let shown = live.games().remove(0);
        Game { course, sent: lines, shown }
    }
}

/// A process that uses processors in paused time.
struct PausedProcess {
    since: tokio::time::Instant,
    /// The number of processors it keeps busy.
    busy: f64,
    /// The share of the time for which it waits for a processor, if it is measured.
    waits: Option<f64>,
}

impl PausedProcess {
    /// Returns a process that rests, and about which the system reports nothing else.
    fn idle() -> Self {
        Self { since: tokio::time::Instant::now(), busy: 0.0, waits: None }
    }
}

impl BotProcess for PausedProcess {
    fn process(&self) -> Option<&Process> {
        None
    }

    fn process_mut(&mut self) -> Option<&mut Process> {
        None
    }

    fn into_process(self: Box<Self>) -> Option<Process> {
        None
    }

    fn times(&mut self) -> Option<ProcessTimes> {
        let wait_us = self.since.elapsed().mul_f64(self.waits?).as_micros() as u64;
        Some(ProcessTimes { cpu_us: 0, wait_us })
    }

    fn processor_time(&self) -> Option<Duration> {
        Some(self.since.elapsed().mul_f64(self.busy))
    }
}

/// Returns a player after the greeting, and the lines sent to its bot.
async fn seat(
    process: PausedProcess,
    acts: Vec<Vec<Act>>,
    hello: &'static str,
    pipe: usize,
    settings: &PlaySettings,
) -> (Player, UnboundedReceiver<String>) {
    let (stdin, input) = tokio::io::duplex(pipe);
    let (stdout, output) = tokio::io::duplex(64 * 1024);
    let (lines, sent) = unbounded_channel();
    tokio::spawn(Peer::new(input, output, acts, hello, lines).live());
    let transport = Transport {
        stdin: Box::new(stdin),
        stdout: BotOutput::Stream(Box::new(stdout)),
        ended: Box::pin(pending()),
    };
    let mut player =
        Player::new(Box::new(process), transport, Dialogue::new(Profile::default()), &settings.timeouts);
    player.greet(&[], &settings.timeouts).await.unwrap();
    (player, sent)
}

impl Game {
    /// Checks the result and the reason, and returns the detail.
    #[track_caller]
    fn ends(&self, result: GameResult, reason: Termination) -> &str {
        let end = &self.course.end;
        assert_eq!((end.result, end.reason), (result, reason), "{end:?}");
        end.detail.as_deref().unwrap_or_default()
    }

    /// Checks that the game was played to the end of its script.
    #[track_caller]
    fn ends_by_rules(&self) {
        self.ends(GameResult::P1Win, Termination::Rules(Reason::Line));
    }

    /// Returns the clocks after each ply, in milliseconds.
    fn clocks(&self) -> Vec<Option<u64>> {
        self.course.plies.iter().map(|ply| ply.clock).collect()
    }

    /// Returns the time spent on each ply, in milliseconds.
    fn spent(&self) -> Vec<Option<u64>> {
        self.course.plies.iter().map(|ply| ply.us.map(|us| us / 1000)).collect()
    }

    /// Returns the lines of one kind that were sent to a seat.
    fn sent(&self, seat: usize, word: &str) -> Vec<&str> {
        self.sent[seat].iter().map(String::as_str).filter(|line| line.starts_with(word)).collect()
    }
}

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}
