//! A run that is paused, with real processes: nothing new begins until it is resumed, and nothing is different then.
#![cfg(unix)]

use std::ffi::OsString;
use std::num::NonZeroUsize;

use record::GameRecord;
use runner::{
    Contest, Control, EventError, GamePlan, Host, Launch, Listener, Live, OpeningLength, OpeningSource,
    PairPlace, PlannedBot, PlayCounts, PlaySettings, RunEvent, Task, play,
};
use settings::{Carrier, OpeningScope};

/// Plays the first legal ply, at once.
const FIRST: &str = r#"
while read -r word rest; do
  case $word in
    ugi) echo "protocol 1"; echo "want legal"; echo ugiok ;;
    isready) echo readyok ;;
    legal) set -- $rest; ply=$1 ;;
    go) echo "info depth 1 nodes 7 score cp 3 pv $ply"; echo "bestmove $ply" ;;
    quit) exit 0 ;;
  esac
done
"#;

/// How many ticks a pause lasts: more than half a second.
const PAUSE: u32 = 6;

/// What ends the pause.
#[derive(Clone, Copy, PartialEq)]
enum Then {
    Resume,
    Finish,
    Abort,
}

/// Pauses the run when a game has ended, and for a while looks that no other begins.
struct Pauser {
    control: Control,
    live: Live,
    /// After this many games; 0 is before the first.
    after: usize,
    then: Then,
    /// The ticks that came while the run was paused and no game was being played.
    quiet: u32,
    is_over: bool,
    running: usize,
    started: usize,
    games: Vec<GameRecord>,
}

impl Listener for Pauser {
    fn event(&mut self, event: RunEvent<'_>) -> Result<(), EventError> {
        match event {
            RunEvent::GameStarted { .. } => self.game_started(),
            RunEvent::GameFinished(game) => self.game_finished(*game),
            RunEvent::Tick => self.tick(),
            _ => {}
        }
        Ok(())
    }
}

impl Host for Pauser {
    fn live(&self) -> Option<Live> {
        Some(self.live.clone())
    }
}

impl Pauser {
    fn game_started(&mut self) {
        assert!(!self.control.is_paused(), "a game begins while the run is paused");
        self.running += 1;
        self.started += 1;
    }

    fn game_finished(&mut self, game: GameRecord) {
        self.running -= 1;
        self.games.push(game);
        if self.games.len() == self.after {
            self.control.pause();
        }
    }

    fn tick(&mut self) {
        if !self.control.is_paused() || self.running > 0 || self.is_over {
            return;
        }
        assert!(self.live.games().is_empty());
        self.quiet += 1;
        if self.quiet == PAUSE {
            self.is_over = true;
            match self.then {
                Then::Resume => self.control.resume(),
                Then::Finish => self.control.finish(),
                Then::Abort => self.control.abort(),
            }
        }
    }
}

fn bot(name: &str) -> PlannedBot {
    PlannedBot {
        name: name.to_owned(),
        version: None,
        launch: Launch {
            prefix: Vec::new(),
            quota: settings::Quota::default(),
            is_private: false,
            program: "/bin/sh".into(),
            args: vec![OsString::from("-c"), OsString::from(FIRST)],
            dir: std::env::temp_dir(),
            env: Vec::new(),
            io: Carrier::Pipe,
        },
        dialect: protocol::Profile::default(),
        options: Vec::new(),
        tc: None,
        digest: String::new(),
        at_once: None,
        files: Vec::new(),
    }
}

fn check(count: u64, slots: usize, after: usize, then: Then) -> (PlayCounts, Pauser) {
    let setup = rules::find("frenzy").expect("a game").setup(&[]).expect("its defaults");
    let openings = OpeningSource::Random { length: OpeningLength::Plies(2), deepens: false };
    let contest = Contest {
        label: setup.label(),
        setup,
        tc: "60+1".parse().expect("a control"),
        openings,
        per: OpeningScope::Round,
    };
    let concurrency = NonZeroUsize::new(slots).expect("not 0");
    let settings = PlaySettings { concurrency, ..PlaySettings::new(7) };
    let plan = GamePlan { bots: vec![bot("one"), bot("other")], contests: vec![contest], settings };
    let tasks = (1..=count).map(|number| {
        let pair = number.div_ceil(2);
        Task {
            number,
            pair,
            leg: 2 - (number % 2) as u8,
            round: pair as u32,
            place: PairPlace::default(),
            contest: 0,
            seats: [0, 1].into(),
        }
    });
    let control = Control::new();
    if after == 0 {
        control.pause();
    }
    let mut pauser = Pauser {
        control: control.clone(),
        live: Live::default(),
        after,
        then,
        quiet: 0,
        is_over: false,
        running: 0,
        started: 0,
        games: Vec::new(),
    };
    let summary =
        play(&processes::Direct, &plan, tasks.collect::<Vec<_>>(), &control, &mut pauser).expect("a run");
    assert_eq!(pauser.quiet, PAUSE);
    assert!(pauser.live.games().is_empty());
    (summary, pauser)
}

fn plies(mut games: Vec<GameRecord>) -> Vec<(u64, Vec<String>)> {
    games.sort_by_key(|game| game.number);
    let plies = |game: &GameRecord| game.plies.iter().map(|ply| ply.ply.clone()).collect();
    games.iter().map(|game| (game.number, plies(game))).collect()
}

#[test]
fn a_pause_stops_new_games_and_changes_none() {
    let (summary, early) = check(6, 2, 0, Then::Resume);
    assert_eq!((summary.played, summary.left, early.started), (6, 0, 6));
    let (summary, late) = check(6, 2, 3, Then::Resume);
    assert_eq!((summary.played, summary.left, late.started), (6, 0, 6));
    assert_eq!(plies(early.games), plies(late.games));
}

#[test]
fn a_paused_run_can_be_ended() {
    for then in [Then::Finish, Then::Abort] {
        let (summary, _) = check(4, 1, 1, then);
        assert_eq!((summary.played, summary.abandoned, summary.left), (1, 0, 3));
    }
    let (summary, _) = check(4, 2, 0, Then::Finish);
    assert_eq!((summary.played, summary.left), (0, 4));
}
