//! What the tests work with: the bot's games, a process that is kept from test to test, fresh ones.

use std::rc::Rc;
use std::time::{Duration, Instant};

use protocol::{GameSetup, Identity, Start};
use rules::{RulesFault, Seat};

use crate::Connector;
use crate::answer::{PATIENCE, Question, light};
use crate::cause::{Asked, Cause};
use crate::fault::{Fault, Step, Stop};
use crate::positions::Spot;
use crate::session::Session;
use crate::subject::{Case, SuiteSettings, declared};

/// The bench on which a bot lies.
pub(crate) struct Bench<'a> {
    pub(crate) connector: &'a dyn Connector,
    pub(crate) settings: &'a SuiteSettings,
    /// What the bot said of itself when it was greeted first.
    pub(crate) identity: Identity,
    /// The games in which it is tested.
    pub(crate) cases: Vec<Rc<Case>>,
    /// A process that has been greeted, kept for the next test.
    kept: Option<Session<'a>>,
    /// What the flush doctor found.
    pub(crate) unflushed: Option<Fault>,
    /// The causes that were found so far.
    causes: Vec<Cause>,
    /// When the running test is to have asked everything, and when it is to go on to the next game.
    test_end: Option<Instant>,
    game_end: Option<Instant>,
    /// Whether the running test left questions out since its time was over.
    pub(crate) is_cut: bool,
}

impl<'a> Bench<'a> {
    pub(crate) fn new(connector: &'a dyn Connector, settings: &'a SuiteSettings) -> Self {
        Self {
            connector,
            settings,
            identity: Identity::default(),
            cases: Vec::new(),
            kept: None,
            unflushed: None,
            causes: Vec::new(),
            test_end: None,
            game_end: None,
            is_cut: false,
        }
    }

    /// Works with a new process to which nothing is said yet, and ends it. A fault tells what is left of it.
    pub(crate) fn raw<T>(&mut self, work: impl FnOnce(&mut Self, &mut Session<'a>) -> Step<T>) -> Step<T> {
        let mut session = Session::open(self.connector, self.settings)?;
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
            session.greet_plainly()?;
            session.introduce(&bench.settings.version);
            work(bench, session)
        })
    }

    /// Works with the process that is kept; after a fault or a refusal it is not kept any more.
    pub(crate) fn keep<T>(&mut self, work: impl FnOnce(&mut Self, &mut Session<'a>) -> Step<T>) -> Step<T> {
        let mut session = match self.kept.take() {
            Some(session) => session,
            None => {
                let mut session = Session::open(self.connector, self.settings)?;
                if let Err(stop) = session.greet_plainly() {
                    return Err(self.bury(session, stop));
                }
                session.introduce(&self.settings.version);
                session
            }
        };
        let done = work(self, &mut session);
        match done {
            Ok(_) | Err(Stop::Skip(_)) if session.has_refused() => {
                session.finish();
                done
            }
            Ok(_) | Err(Stop::Skip(_)) => {
                self.kept = Some(session);
                done
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
        let cases = setups
            .into_iter()
            .map(|setup| Case::new(setup, settings.seed, settings.positions()).map(Rc::new));
        self.cases = cases.collect::<Result<_, _>>()?;
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

    /// Begins a test that may ask questions for so long.
    pub(crate) fn begin_test(&mut self, share: Duration) {
        let share = if self.settings.is_quick { share / 3 } else { share };
        (self.test_end, self.game_end, self.is_cut) = (Some(Instant::now() + share), None, false);
    }

    /// Gives each of the games that are left the same part of the time that is left.
    pub(crate) fn begin_game(&mut self, left: usize) {
        let now = Instant::now();
        let rest = self.test_end.map(|end| end.saturating_duration_since(now));
        self.game_end = rest.map(|rest| now + rest / u32::try_from(left.max(1)).unwrap_or(u32::MAX));
    }

    /// Returns whether the time for the running test is over: further games are left out then.
    pub(crate) fn is_test_over(&mut self) -> bool {
        let is_over = self.test_end.is_some_and(|end| Instant::now() >= end);
        self.is_cut |= is_over;
        is_over
    }

    /// Returns whether the time for the running game is over: further questions are left out then.
    pub(crate) fn is_over(&mut self) -> bool {
        let is_over = self.game_end.is_some_and(|end| Instant::now() >= end);
        self.is_cut |= is_over;
        is_over
    }

    /// Finds out whether the clause of a test is broken, or something that other tests find as well: then the advice is about
    /// that. What a bot also does in a new process that is asked nothing else has nothing to do with the clause.
    pub(crate) fn attribute(&mut self, faults: Vec<Fault>) -> Step<Vec<Fault>> {
        let mut attributed = Vec::new();
        for mut fault in faults {
            if let Some(cause) = fault.cause.clone() {
                let is_known = self.causes.iter().any(|known| known.is_same(&cause)) && cause.is_certain();
                let is_general = is_known || !fault.is_advised || self.happens_alone(&fault, &cause)?;
                if is_general {
                    fault.advice.clone_from(&cause.advice);
                    if !self.causes.iter().any(|known| known.is_same(&cause)) {
                        self.causes.push(cause);
                    }
                } else {
                    fault.cause = None;
                }
            }
            attributed.push(fault);
        }
        Ok(attributed)
    }

    /// Puts the last question before a fault alone to a new process, and returns whether the same happens.
    fn happens_alone(&mut self, fault: &Fault, cause: &Cause) -> Step<bool> {
        let Some(asked) = &fault.asked else { return Ok(false) };
        let Some(case) = self.cases.iter().find(|case| case.label == asked.label).cloned() else {
            return Ok(false);
        };
        let Some(spot) = usual_spot(&case, asked)? else { return Ok(false) };
        let alone = self.fresh(|bench, session| {
            bench.sit_down(session, &case, spot.seat())?;
            let question = Question::new(&case, &spot, light(&bench.identity));
            let reply = question.ask(session, PATIENCE)?;
            question.judge(session, &reply.answer)
        });
        match alone {
            Ok(_) | Err(Stop::Skip(_)) => Ok(false),
            Err(Stop::Faults(faults)) => {
                let is_same = |found: &Cause| found.kind == cause.kind;
                Ok(faults.iter().any(|fault| fault.cause.as_ref().is_some_and(is_same)))
            }
            Err(stop) => Err(stop),
        }
    }

    /// Runs a test in every game, with the process that is kept. If the bot does not answer in one game, the others are skipped.
    pub(crate) fn each_game(
        &mut self,
        mut test: impl FnMut(&mut Self, &mut Session<'a>, &Case) -> Step,
    ) -> Step {
        let mut faults = Vec::new();
        let cases = self.cases.clone();
        for (index, case) in cases.iter().enumerate() {
            self.begin_game(cases.len() - index);
            match self.keep(|bench, session| test(bench, session, case)) {
                Ok(()) => {}
                Err(Stop::Faults(found)) => {
                    let is_silence = found.iter().any(Fault::is_waited_for);
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

    /// Runs a test of time in every game until it fails in one, or in the first one where it is to be quick: a bot that is too slow
    /// in one game is too slow.
    pub(crate) fn each_game_timed(
        &mut self,
        mut test: impl FnMut(&mut Self, &mut Session<'a>, &Case) -> Step,
    ) -> Step {
        let all = self.cases.clone();
        if self.settings.is_quick {
            self.cases.truncate(1);
        }
        let mut has_failed = false;
        let done = self.each_game(|bench, session, case| {
            if has_failed {
                return Ok(());
            }
            let done = test(bench, session, case);
            has_failed = matches!(done, Err(Stop::Faults(_)));
            done
        });
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

/// Returns the position of a question as any game may come to it: one that began elsewhere is a position of the same seat.
fn usual_spot(case: &Case, asked: &Asked) -> Result<Option<Spot>, RulesFault> {
    if asked.start != Start::StartPosition {
        return Ok(case.spots.random.iter().find(|spot| spot.seat() == asked.seat).map(Spot::fork));
    }
    let mut spot = case.start();
    asked.moves.iter().try_for_each(|ply| spot.play(ply))?;
    Ok(spot.is_open().then_some(spot))
}
