//! Questions about a position, and whether the answer is a legal ply.

use std::time::Duration;

use protocol::{Ability, Ask, BestMove, Choice, GoLimits, Identity, Pairs, Start, Want, printable_capped};
use rules::{Rejection, RulesFault, Seat};

use crate::cause::{Asked, Cause, CauseKind};
use crate::fault::{Fault, Step, Stop};
use crate::positions::Spot;
use crate::session::{Reply, Session};
use crate::subject::Case;

/// How long an answer may take where only its legality is tested.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// How many characters of a bot's ply, and of the plies that lead to a position, are shown.
const SHOWN: usize = 80;
const HISTORY_SHOWN: usize = 400;

/// Returns limits within which any bot answers soon: few nodes where it counts them, little time where not.
pub(crate) fn light(identity: &Identity) -> GoLimits {
    GoLimits {
        move_time: Some(Duration::from_millis(50)),
        nodes: identity.can(Ability::Nodes).then_some(100),
        ..GoLimits::default()
    }
}

/// A question to be put.
pub(crate) struct Question<'q> {
    /// The game.
    pub(crate) case: &'q Case,
    /// The position.
    pub(crate) spot: &'q Spot,
    /// What limits the answer.
    pub(crate) limits: GoLimits,
    /// Further pairs of `go`.
    pub(crate) pairs: Pairs,
    /// The number that may be echoed.
    pub(crate) id: Option<u64>,
}

impl<'q> Question<'q> {
    pub(crate) fn new(case: &'q Case, spot: &'q Spot, limits: GoLimits) -> Self {
        Self { case, spot, limits, pairs: Pairs::new(), id: None }
    }

    /// Puts the question in some way.
    fn with<T>(&self, session: &mut Session<'_>, put: impl FnOnce(&mut Session<'_>, &Ask<'_>) -> T) -> T {
        let wants_after = session.identity().wants(Want::After);
        let after = if wants_after { self.spot.after() } else { Vec::new() };
        let legal = self.spot.referee.legal();
        session.note(Asked {
            label: self.case.label.clone(),
            seat: self.spot.seat(),
            start: self.spot.start.clone(),
            moves: self.spot.moves.clone(),
            legal: legal.clone(),
        });
        put(
            session,
            &Ask {
                start: &self.spot.start,
                moves: &self.spot.moves.iter().collect(),
                board: &self.spot.referee.position(),
                legal: &legal,
                after: &after,
                limits: &self.limits,
                pairs: &self.pairs,
                id: self.id,
            },
        )
    }

    /// Sends what comes before `go`.
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method itself is not general enough")]
    pub(crate) fn prepare(&self, session: &mut Session<'_>) {
        self.with(session, |session, ask| session.prepare(ask));
    }

    /// Puts the question and returns when that was.
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method itself is not general enough")]
    pub(crate) fn put(&self, session: &mut Session<'_>) -> Step<std::time::Instant> {
        self.with(session, |session, ask| session.put(ask))
    }

    /// Puts the question and waits for the answer, whatever it is.
    pub(crate) fn ask(&self, session: &mut Session<'_>, limit: Duration) -> Step<Reply> {
        self.with(session, |session, ask| session.ask(ask, limit))
    }

    /// Puts the question and waits for a legal answer.
    pub(crate) fn ask_legal(&self, session: &mut Session<'_>) -> Step<Reply> {
        let reply = self.ask(session, PATIENCE)?;
        self.judge(session, &reply.answer)?;
        Ok(reply)
    }

    /// Sees to it that an answer is legal; returns the position after it.
    pub(crate) fn judge(&self, session: &Session<'_>, answer: &BestMove) -> Step<Spot> {
        match self.follow(answer)? {
            Ok(spot) => Ok(spot),
            Err((ply, what)) => Err(Stop::from(self.illegal(session, ply.as_deref(), what))),
        }
    }

    /// Plays an answer: its plies as long as the turn of the seat goes on, the others are dropped.
    ///
    /// # Errors
    /// When the rules of a game of one's own fail. Else, within, with the ply that is not legal, and why the answer will not do.
    fn follow(&self, answer: &BestMove) -> Result<Result<Spot, (Option<String>, String)>, RulesFault> {
        let plies = match &answer.choice {
            Choice::Resign => {
                return Ok(Err((None, "the bot resigned where a ply was asked for".to_owned())));
            }
            Choice::Plies(plies) => plies,
        };
        let (seat, mut spot) = (self.spot.seat(), self.spot.fork());
        for (index, ply) in plies.iter().enumerate() {
            if index > 0 && !goes_on_for(&spot, seat) {
                break;
            }
            let played = spot.referee.submit(ply.as_str());
            let shown = printable_capped(ply.as_str(), SHOWN);
            match played {
                Ok(()) => {}
                Err(Rejection::Rules(fault)) => return Err(*fault),
                Err(why) => {
                    let what = format!("illegal ply `{shown}`: {}", printable_capped(&why.to_string(), 200));
                    return Ok(Err((Some(ply.to_string()), what)));
                }
            }
            spot.moves.push(ply.as_str().to_owned());
        }
        Ok(Ok(spot))
    }

    fn illegal(&self, session: &Session<'_>, ply: Option<&str>, what: String) -> Fault {
        let is_told = session.identity().wants(Want::Legal);
        let advice = if is_told {
            "answer with a ply of the last `legal` line, letter by letter".to_owned()
        } else {
            format!("compare with `{}`, which lists the legal plies", self.command())
        };
        let cause = ply.and_then(|ply| session.cause_of(ply)).unwrap_or_else(|| {
            let kind = if ply.is_none() { CauseKind::Resignation } else { CauseKind::IllegalPly };
            let shown = ply.map(|ply| printable_capped(ply, SHOWN)).unwrap_or_default();
            let does = if ply.is_none() {
                "resigns".to_owned()
            } else {
                format!("plays illegal plies such as `{shown}`")
            };
            Cause::new(kind, format!("the bot {does}"), advice)
        });
        session.fault(what, "").with_cause(cause)
    }

    /// Returns the command that shows the position.
    pub(crate) fn command(&self) -> String {
        let mut command = format!("arena position {}", self.case.words());
        if let Start::Fen(fen) = &self.spot.start {
            command.push_str(&format!(" --from '{fen}'"));
        }
        if !self.spot.moves.is_empty() {
            command.push_str(&format!(" --plies '{}'", self.spot.moves.join(" ")));
        }
        printable_capped(&command, HISTORY_SHOWN)
    }
}

/// Returns whether the turn of a seat goes on.
pub(crate) fn goes_on_for(spot: &Spot, seat: Seat) -> bool {
    spot.is_open() && spot.seat() == seat && !spot.referee.turn().is_fresh
}
