//! What the tests work with: the bot's games, a process that is kept from test to test, fresh ones.

use std::rc::Rc;
use std::time::{Duration, Instant};

use protocol::{GameSetup, Identity};
use rules::{Seat, Setup};

use crate::Connector;
use crate::fault::{Fault, Step, Stop};
use crate::session::Session;
use crate::subject::{Case, declared};

/// How the suite is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The bot's command as one would type it: it tells the language.
    pub command: String,
    /// The arena's version, which the bot is told.
    pub version: String,
    /// The games to test; empty: those that the bot says it plays.
    pub games: Vec<Setup>,
    /// The numbers of the tests to run; empty: all.
    pub only: Vec<u8>,
    /// The seed of positions and of `seed=`.
    pub seed: u64,
    /// Whether a tenth of the positions and one game for tests of time will do.
    pub is_quick: bool,
    /// How far a limit of time may be overrun.
    pub margin: Duration,
}

impl Settings {
    /// How many random positions of each game are asked about.
    const POSITIONS: usize = 100;

    /// Returns the number of random positions of each game.
    pub(crate) const fn positions(&self) -> usize {
        if self.is_quick { Self::POSITIONS / 10 } else { Self::POSITIONS }
    }
}

/// The bench on which a bot lies.
pub(crate) struct Bench<'a> {
    pub(crate) connector: &'a dyn Connector,
    pub(crate) settings: &'a Settings,
    /// What the bot said of itself when it was greeted first.
    pub(crate) identity: Identity,
    /// The games in which it is tested.
    pub(crate) cases: Vec<Rc<Case>>,
    /// A process that has been greeted, kept for the next test.
    kept: Option<Session<'a>>,
    /// What the flush doctor found.
    pub(crate) unflushed: Option<Fault>,
}

impl<'a> Bench<'a> {
    pub(crate) fn new(connector: &'a dyn Connector, settings: &'a Settings) -> Self {
        Self {
            connector,
            settings,
            identity: Identity::default(),
            cases: Vec::new(),
            kept: None,
            unflushed: None,
        }
    }

    /// Works with a new process to which nothing is said yet, and ends it. A fault tells what is left of it.
    pub(crate) fn raw<T>(&mut self, work: impl FnOnce(&mut Self, &mut Session<'a>) -> Step<T>) -> Step<T> {
        let mut session = Session::open(self.connector, &self.settings.command)?;
        let done = work(self, &mut session);
        match done {
            Err(stop) => Err(self.bury(session, stop)),
            done => {
                session.finish();
                done
            }
        }
    }

    /// Works with a new process that has been greeted, and ends it.
    pub(crate) fn fresh<T>(&mut self, work: impl FnOnce(&mut Self, &mut Session<'a>) -> Step<T>) -> Step<T> {
        self.raw(|bench, session| {
            session.greet("ugi\n")?;
            session.introduce(&bench.settings.version);
            work(bench, session)
        })
    }

    /// Works with the process that is kept; after a fault it is not kept any more.
    pub(crate) fn keep<T>(&mut self, work: impl FnOnce(&mut Self, &mut Session<'a>) -> Step<T>) -> Step<T> {
        let mut session = match self.kept.take() {
            Some(session) => session,
            None => {
                let mut session = Session::open(self.connector, &self.settings.command)?;
                if let Err(stop) = session.greet("ugi\n") {
                    return Err(self.bury(session, stop));
                }
                session.introduce(&self.settings.version);
                session
            }
        };
        match work(self, &mut session) {
            Ok(done) => {
                self.kept = Some(session);
                Ok(done)
            }
            Err(stop @ Stop::Skip(_)) => {
                self.kept = Some(session);
                Err(stop)
            }
            Err(stop) => Err(self.bury(session, stop)),
        }
    }

    /// Ends the process that is kept.
    pub(crate) fn end(&mut self) {
        if let Some(session) = self.kept.take() {
            session.finish();
        }
    }

    fn bury(&mut self, session: Session<'a>, stop: Stop) -> Stop {
        let remains = session.finish();
        let Stop::Faults(faults) = stop else { return stop };
        let faults: Vec<_> = faults.into_iter().map(|fault| fault.with_remains(remains.clone())).collect();
        if self.unflushed.is_none() {
            self.unflushed = faults.iter().find(|fault| fault.is_unflushed).cloned();
        }
        Stop::Faults(faults)
    }

    /// Decides in which games the bot is tested. One that does not say what it plays is tried.
    pub(crate) fn choose_games(&mut self) -> Step {
        let settings = self.settings;
        let is_given = !settings.games.is_empty();
        let setups = if is_given { settings.games.clone() } else { declared(&self.identity) };
        let cases =
            setups.into_iter().map(|setup| Rc::new(Case::new(setup, settings.seed, settings.positions())));
        self.cases = cases.collect();
        if self.identity.plays.is_none() && !is_given {
            for case in self.cases.clone() {
                let game = self.game(&case, Seat::P1);
                let refusal = self.keep(|_, session| session.set_up(&game));
                match refusal {
                    Ok(Some(_)) => self.drop_case(&case),
                    // Whatever else is wrong, the test of games tells.
                    Ok(None) | Err(Stop::Faults(_) | Stop::Skip(_)) => {}
                    Err(stop) => return Err(stop),
                }
            }
        }
        Ok(())
    }

    /// Tests the bot in this game no more.
    pub(crate) fn drop_case(&mut self, case: &Rc<Case>) {
        self.cases.retain(|other| !Rc::ptr_eq(other, case));
    }

    /// Returns the `game` line of a case.
    pub(crate) fn game(&self, case: &Case, seat: Seat) -> GameSetup {
        // From 1 to 2^31 - 1, as in games.
        case.game(seat, self.settings.seed % 0x7fff_ffff + 1)
    }

    /// Sets up a game on a process.
    pub(crate) fn sit_down(&self, session: &mut Session<'_>, case: &Case, seat: Seat) -> Step {
        match session.set_up(&self.game(case, seat))? {
            None => Ok(()),
            Some(reject) => Err(refused(session, &reject).into()),
        }
    }

    /// Runs a test in every game, with the process that is kept. After a wait in vain the other games are spared.
    pub(crate) fn each_game(
        &mut self,
        mut test: impl FnMut(&mut Self, &mut Session<'a>, &Case) -> Step,
    ) -> Step {
        let mut faults = Vec::new();
        for case in self.cases.clone() {
            match self.keep(|bench, session| test(bench, session, &case)) {
                Ok(()) => {}
                Err(Stop::Faults(found)) => {
                    let is_silence = found.iter().any(|fault| fault.is_silence);
                    faults.extend(found.into_iter().map(|fault| Fault {
                        game: fault.game.or_else(|| Some(case.label.clone())),
                        ..fault
                    }));
                    if is_silence {
                        break;
                    }
                }
                Err(stop) => return Err(stop),
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(Stop::Faults(faults)) }
    }

    /// Runs a test of time in every game, or in the first one where it is to be quick.
    pub(crate) fn each_game_timed(
        &mut self,
        test: impl FnMut(&mut Self, &mut Session<'a>, &Case) -> Step,
    ) -> Step {
        let all = self.cases.clone();
        if self.settings.is_quick {
            self.cases.truncate(1);
        }
        let done = self.each_game(test);
        self.cases = all;
        done
    }
}

/// Makes the fault of a bot that refuses a game.
pub(crate) fn refused(session: &Session<'_>, reject: &protocol::Reject) -> Fault {
    let code = protocol::printable_capped(&reject.code, 60);
    let text = reject
        .text
        .as_deref()
        .map_or_else(String::new, |text| format!(" ({})", protocol::printable_capped(text, 120)));
    session.fault(
        format!("the bot rejected the game: {code}{text}"),
        "leave the game out of `plays`, or play it with these options",
    )
}

/// Listens for a while, so that a bot can begin to think.
pub(crate) fn pause(
    session: &mut Session<'_>,
    since: Instant,
    time: Duration,
) -> Step<Option<crate::session::Reply>> {
    session.listen(since, Instant::now() + time)
}
