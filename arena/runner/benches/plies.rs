//! `cargo bench -p runner`: what the match loop costs a ply and a game, without journal, guards and sandbox.
//!
//! Games of Fanorona between bots that answer at once, one at a time, all on the processor that the system gives: costs are
//! differences between runs of longer and shorter games. The fastest of several runs counts, since other programs can only
//! slow one down. `-- GAME GAMES PLIES TC` makes one run instead, for who counts instructions:
//!
//! ```sh
//! cargo bench -p runner --bench plies --no-run        # prints the path of the executable
//! valgrind --tool=callgrind PATH fanorona 400 50 600+1         # less those of: PATH fanorona 400 2 600+1
//! ```

use std::error::Error;
use std::io::{self, BufRead as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use processes::Counters;
use runner::{
    Contest, Control, EventError, GamePlan, Host, Launch, Listener, OpeningLength, OpeningSource, PairPlace,
    PlannedBot, PlaySettings, RunEvent, Task, play,
};
use settings::{Carrier, OpeningScope, Quota};

/// The plies of a long game and of a short one, and how many games of each.
const LONG: usize = 50;
const SHORT: usize = 2;
const GAMES: u64 = 400;
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bot", plies] => serve(&plies.split(',').collect::<Vec<_>>())?,
        [game, games, plies, tc] => {
            let cost = run(game, games.parse()?, plies.parse()?, tc)?;
            println!(
                "{games} games of {plies} plies: {:.1} us of own processor time a game",
                cost.own.as_secs_f64() * 1e6
            );
        }
        [] => {
            for tc in ["600+1", "nodes 1"] {
                let (long, short) = (fastest(LONG, tc)?, fastest(SHORT, tc)?);
                let ply = |of: fn(&Cost) -> Duration| {
                    (of(&long).as_secs_f64() - of(&short).as_secs_f64()) * 1e6 / (LONG - SHORT) as f64
                };
                let (real, own) = (ply(|cost| cost.real), ply(|cost| cost.own));
                let game = short.own.as_secs_f64() * 1e6 - own * (SHORT + 1) as f64;
                println!("{tc}: {real:.1} us a ply, own {own:.1} us a ply and {game:.0} us a game");
            }
        }
        _ => return Err("expected nothing, or GAME GAMES PLIES TC".into()),
    }
    Ok(())
}

/// What a game cost on average: real time, and processor time of this process.
#[derive(Clone, Copy)]
struct Cost {
    real: Duration,
    own: Duration,
}

/// Takes the records, and the time from the end of the first game to that of the last: bots have been started by then.
struct Keep {
    games: u64,
    of: u64,
    since: Option<(Instant, Duration)>,
    until: Option<(Instant, Duration)>,
}

impl Host for Keep {}

impl Listener for Keep {
    fn event(&mut self, event: RunEvent<'_>) -> Result<(), EventError> {
        let RunEvent::GameFinished(game) = event else { return Ok(()) };
        std::hint::black_box(game);
        self.games += 1;
        let now = || Some((Instant::now(), Counters::now()?.cpu));
        if self.games == 1 {
            self.since = now();
        }
        if self.games == self.of {
            self.until = now();
        }
        Ok(())
    }
}

fn fastest(plies: usize, tc: &str) -> Result<Cost, Box<dyn Error>> {
    let mut least = run("fanorona", GAMES, plies, tc)?;
    for _ in 1..RUNS {
        let cost = run("fanorona", GAMES, plies, tc)?;
        least = Cost { real: least.real.min(cost.real), own: least.own.min(cost.own) };
    }
    Ok(least)
}

fn run(game: &str, games: u64, plies: usize, tc: &str) -> Result<Cost, Box<dyn Error>> {
    let setup = rules::find(game)?.setup(&[])?;
    let mut line = rules::longest_line(&setup);
    line.truncate(plies);
    let bots = ["one", "two"].map(|name| bot(name, &line)).into_iter().collect::<io::Result<Vec<_>>>()?;
    let openings = OpeningSource::Random { length: OpeningLength::Plies(0), deepens: false };
    let contest =
        Contest { label: setup.label(), setup, tc: tc.parse()?, openings, per: OpeningScope::Round };
    let plan = GamePlan { bots, contests: vec![contest], settings: PlaySettings::new(1) };
    let task = |number: u64| {
        let (pair, leg) = (number.div_ceil(2), 2 - (number % 2) as u8);
        let seats = if leg == 1 { [0, 1] } else { [1, 0] };
        Task {
            number,
            pair,
            leg,
            round: pair as u32,
            place: PairPlace::default(),
            contest: 0,
            seats: seats.into(),
        }
    };
    let mut keep = Keep { games: 0, of: games + 1, since: None, until: None };
    play(
        &processes::Direct,
        &plan,
        (1..=games + 1).map(task).collect::<Vec<_>>(),
        &Control::new(),
        &mut keep,
    )?;
    let (since, until) = keep.since.zip(keep.until).ok_or("no game was played")?;
    let count = u32::try_from(games)?;
    Ok(Cost { real: (until.0 - since.0) / count, own: until.1.saturating_sub(since.1) / count })
}

fn bot(name: &str, line: &[String]) -> io::Result<PlannedBot> {
    Ok(PlannedBot {
        name: name.to_owned(),
        version: None,
        launch: Launch {
            // Under valgrind the executable of this process is another one.
            program: std::env::args_os()
                .next()
                .map(PathBuf::from)
                .ok_or(io::ErrorKind::NotFound)?
                .canonicalize()?,
            args: vec!["bot".into(), line.join(",").into()],
            dir: PathBuf::from("."),
            env: Vec::new(),
            io: Carrier::Pipe,
            prefix: Vec::new(),
            quota: Quota::default(),
            is_private: false,
        },
        dialect: protocol::Profile::default(),
        options: Vec::new(),
        tc: None,
        digest: String::new(),
        at_once: None,
        files: Vec::new(),
    })
}

/// Plays the plies that it was told, and resigns after them.
fn serve(plies: &[&str]) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let (mut line, mut played) = (String::new(), 0);
    while input.read_line(&mut line)? > 0 {
        match line.split_ascii_whitespace().next() {
            Some("ugi") => output.write_all(b"protocol 1\ncan depth nodes\nugiok\n")?,
            Some("isready") => output.write_all(b"readyok\n")?,
            Some("position") => played = line.bytes().filter(|byte| *byte == b' ').count().saturating_sub(2),
            Some("go") => writeln!(output, "bestmove {}", plies.get(played).unwrap_or(&"resign"))?,
            Some("quit") => break,
            _ => {}
        }
        output.flush()?;
        line.clear();
    }
    Ok(())
}
