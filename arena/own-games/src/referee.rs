//! A game of one's own being played: one question a ply.

use std::collections::HashMap;
use std::sync::Arc;

use protocol::printable_capped;
use rules::{
    Board, Cell, End, InHand, NotationError, Outcome, PositionView, Proof, ProofShape, Reason, Referee,
    Rejection, RulesFault, Seat, SeatOut, StartError, Successors, Turn, Verdict, refuse_fault,
};

use crate::answers::{self, PositionAnswer, ProofAnswer, RulesRefusal, check_position};
use crate::client::{RulesClient, RulesQuestion};
use crate::exits::{fault_word, places_if_left, seats_after};
use crate::facts::GameFacts;

/// How much of what rules say about a ply is passed on.
const SHOWN: usize = 200;

/// What does not change during a game.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) client: RulesClient,
    pub(crate) facts: &'static GameFacts,
    /// The game with its options, as questions name it.
    pub(crate) label: String,
    /// How many seats it has.
    pub(crate) seats: usize,
}

impl Table {
    pub(crate) fn question<'a>(&'a self, from: Option<&'a str>, plies: &'a [&'a str]) -> RulesQuestion<'a> {
        RulesQuestion { label: &self.label, seats: self.seats, from, plies }
    }

    /// Asks about the start of a game, or a position string that somebody gave.
    pub(crate) fn start(&self, from: Option<&str>) -> Result<PositionAnswer, StartError> {
        let bad = |why: &str| StartError::Position(NotationError::new("string", why));
        if let Some(from) = from {
            check_position(from).map_err(|why| bad(&why))?;
        }
        let question = self.question(from, &[]);
        match self.client.legal(&question)? {
            Ok(answer) => match from {
                // Only the one string of a position is taken, as in the built-in games.
                Some(from) if from != answer.position => {
                    Err(bad(&format!("the game writes this position as `{}`", answer.position)))
                }
                _ => Ok(answer),
            },
            Err(refusal) if from.is_some() && refusal.error == RulesRefusal::BAD_POSITION => {
                Err(bad(&printable_capped(refusal.words(), SHOWN)))
            }
            Err(refusal) => {
                let why = printable_capped(refusal.words(), SHOWN);
                Err(self
                    .client
                    .fault(format!("they refuse the question: {why}"), &question.line("legal"), None)
                    .into())
            }
        }
    }
}

/// Returns what shows why a game is over. What is named otherwise than the arena knows is left out.
fn proofs(answer: &PositionAnswer, outcome: Outcome, seats: usize) -> Vec<Proof> {
    let proof = |told: &ProofAnswer| {
        let shape = match told.shape.as_deref() {
            None | Some("row") => ProofShape::Row,
            Some("square") => ProofShape::Square,
            Some("corners") => ProofShape::Corners,
            Some("stuck") => ProofShape::Stuck,
            Some(_) => return None,
        };
        let seat = told.seat.as_deref().and_then(|seat| answers::seat(seat, seats)).or(outcome.winner())?;
        Some(Proof {
            shape,
            seat,
            cells: told.cells.iter().map(|cell| read_cell(cell)).collect::<Option<_>>()?,
        })
    };
    answer.proofs.iter().filter_map(proof).collect()
}

/// A game of one's own being played, with the history that repetition needs.
#[derive(Clone, Debug)]
pub(crate) struct OwnReferee {
    table: Arc<Table>,
    now: Arc<PositionAnswer>,
    /// How often each position that counts for repetition was reached. A search copies it a ply.
    seen: HashMap<Arc<str>, u32>,
    /// The seats that are out while the others play on, in order.
    out: Vec<SeatOut>,
    /// How many plies were played.
    plies: u32,
    end: Option<End>,
}

impl OwnReferee {
    pub(crate) fn new(table: Arc<Table>, start: PositionAnswer) -> Self {
        let out = start.seats_out(table.seats);
        let mut referee =
            Self { table, now: Arc::new(start), seen: HashMap::new(), out, plies: 0, end: None };
        referee.note();
        referee
    }

    /// Goes on to a position. `is_ply` tells that a ply was played.
    fn reach(&mut self, now: PositionAnswer, out: Vec<SeatOut>, is_ply: bool) {
        self.now = Arc::new(now);
        self.out = out;
        self.plies += u32::from(is_ply);
        self.note();
    }

    /// Returns the end of a game that stops undecided: a draw, or the first place for all seats that are left.
    fn undecided(&self, reason: Reason) -> Verdict {
        match self.table.seats {
            2 => Verdict::draw(reason),
            seats => {
                let places =
                    places_if_left(&self.out, seats).expect("the seats that are out have been checked");
                Verdict { outcome: Outcome::Places(places), reason }
            }
        }
    }

    /// Notes that the current position was reached, and what that means.
    fn note(&mut self) {
        let facts = self.table.facts;
        let times = match self.now.repetition_key() {
            Some(key) if facts.repetition > 0 => {
                let times = self.seen.entry(key.into()).or_insert(0);
                *times += 1;
                *times
            }
            _ => 0,
        };
        let is_repeated = facts.repetition > 0 && times >= facts.repetition;
        let verdict = self.now.result.as_deref().zip(self.now.reason.as_deref()).map(|(result, reason)| {
            let outcome = answers::outcome(result, self.table.seats).expect("a checked answer has a result");
            Verdict { outcome, reason: answers::reason(reason).expect("a checked answer has a reason") }
        });
        let is_cap = |verdict: &Verdict| verdict.reason.is_cap() || facts.caps.contains(&verdict.reason);
        // As in the built-in games: a result by the rules comes first, then repetition, then a cap.
        self.end = match verdict {
            Some(verdict) if !is_cap(&verdict) || !is_repeated => Some(End {
                proofs: proofs(&self.now, verdict.outcome, self.table.seats),
                own_words: self.now.words.as_deref().map(|words| printable_capped(words, SHOWN)),
                verdict,
            }),
            _ if is_repeated => Some(End {
                own_words: (facts.repetition != 3)
                    .then(|| format!("the same position was reached {} times", facts.repetition)),
                ..End::plain(self.undecided(Reason::Repetition))
            }),
            _ if self.plies >= facts.most_plies => Some(End::plain(self.undecided(Reason::MaxMoves))),
            _ => None,
        };
    }

    /// Returns the position after a legal ply, or after the fault of a seat, and the seats that are out then, as the rules have
    /// answered.
    fn accepted(
        &self,
        question: &RulesQuestion<'_>,
        faulty: Option<Seat>,
        answer: Result<PositionAnswer, RulesRefusal>,
    ) -> Result<(PositionAnswer, Vec<SeatOut>), RulesFault> {
        let fault = |what: String| self.table.client.fault(what, &question.line("legal"), None);
        let answer = answer.map_err(|refusal| {
            let why = printable_capped(refusal.words(), SHOWN);
            fault(match (faulty, question.plies.last()) {
                (Some(seat), _) => format!("they refuse that {seat} commits a fault: {why}"),
                (None, ply) => format!("they refuse the legal ply `{}`: {why}", ply.unwrap_or(&"")),
            })
        })?;
        let out = seats_after(&self.out, &answer, self.table.seats, faulty).map_err(fault)?;
        Ok((answer, out))
    }

    /// Returns where a ply stands in the list of legal ones.
    fn place(&self, ply: &str) -> Option<usize> {
        self.now.legal.find(ply)
    }

    /// Returns why a ply that is not legal is refused: the rules know best.
    fn refusal(&self, ply: &str) -> Rejection {
        let plies = [ply];
        let question = self.table.question(Some(&self.now.position), &plies);
        let fault = |what: String| {
            Rejection::Rules(Box::new(self.table.client.fault(what, &question.line("legal"), None)))
        };
        match self.table.client.legal(&question) {
            Ok(Err(refusal)) => {
                let words = printable_capped(refusal.words(), SHOWN);
                match refusal.error.as_str() {
                    RulesRefusal::BAD_PLY => Rejection::NotAPly(words),
                    RulesRefusal::ILLEGAL_PLY => Rejection::Illegal(words),
                    _ => fault(format!("they refuse the question: {words}")),
                }
            }
            Ok(Ok(_)) => fault(format!("they take the ply `{ply}`, which is not among the legal ones")),
            Err(error) => Rejection::Rules(Box::new(error)),
        }
    }
}

fn read_cell(name: &str) -> Option<Cell> {
    let board = Board::new(26, 99);
    board.read_cell(name).map(|number| board.cell(number))
}

fn one_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}

impl Referee for OwnReferee {
    fn seats(&self) -> usize {
        self.table.seats
    }

    fn out(&self) -> Vec<SeatOut> {
        self.out.clone()
    }

    fn seat(&self) -> Seat {
        self.now.decider()
    }

    fn turn(&self) -> Turn {
        let turn = self.now.turn.as_deref().and_then(|seat| answers::seat(seat, self.table.seats));
        let seat = turn.unwrap_or_else(|| self.seat());
        Turn { seat, is_fresh: self.now.fresh }
    }

    fn position(&self) -> String {
        self.now.position.clone()
    }

    fn legal(&self) -> Vec<String> {
        if self.end.is_some() { Vec::new() } else { self.now.legal.iter().map(str::to_owned).collect() }
    }

    fn must_pass(&self) -> bool {
        self.end.is_none() && self.table.facts.has_passes && self.now.legal.iter().eq(["pass"])
    }

    fn san(&self, ply: &str) -> Option<&str> {
        self.now.san.as_ref()?.get(self.place(ply)?)
    }

    fn submit(&mut self, ply: &str) -> Result<(), Rejection> {
        if let Some(end) = &self.end {
            return Err(Rejection::Illegal(format!("the game is over ({})", end.verdict.reason)));
        }
        if self.place(ply).is_none() {
            return Err(if protocol::is_ply_token(ply) {
                self.refusal(ply)
            } else {
                Rejection::NotAPly(
                    "a ply starts with a letter and holds a digit, or is `pass` or `swap`".to_owned(),
                )
            });
        }
        let plies = [ply];
        let question = self.table.question(Some(&self.now.position), &plies);
        let rules = |fault| Rejection::Rules(Box::new(fault));
        let answer = self.table.client.legal(&question).map_err(rules)?;
        let (now, out) = self.accepted(&question, None, answer).map_err(rules)?;
        self.reach(now, out, true);
        Ok(())
    }

    fn successors(&self) -> Result<Successors, RulesFault> {
        if self.end.is_some() {
            return Ok(Vec::new());
        }
        let plies: Vec<_> = self.now.legal.iter().map(|ply| [ply]).collect();
        let questions: Vec<_> =
            plies.iter().map(|ply| self.table.question(Some(&self.now.position), ply)).collect();
        // All in one line: a program is woken up once.
        let answers = self.table.client.legal_of_each(&questions)?;
        let after = |((ply, question), answer): ((&str, _), _)| {
            let (now, out) = self.accepted(question, None, answer)?;
            let mut next = self.clone();
            next.reach(now, out, true);
            Ok((ply.to_owned(), Box::new(next) as Box<dyn Referee>))
        };
        self.now.legal.iter().zip(&questions).zip(answers).map(after).collect()
    }

    fn outcome(&self) -> Option<Verdict> {
        self.end.as_ref().map(|end| end.verdict)
    }

    fn end(&self) -> Option<End> {
        self.end.clone()
    }

    fn view(&self) -> PositionView {
        // What cannot stand on a board is left out here; `check-game` tells of it.
        let cells = self
            .now
            .cells
            .iter()
            .flatten()
            .filter_map(|(cell, letter)| Some((read_cell(cell)?, one_letter(letter)?)));
        let hand = self.now.hand.iter().filter_map(|(seat, letter, count)| {
            Some(InHand {
                seat: answers::seat(seat, self.table.seats),
                piece: one_letter(letter)?,
                count: *count,
            })
        });
        PositionView { cells: cells.collect(), hand: hand.collect() }
    }

    fn fault(&mut self, seat: Seat) -> Result<(), Rejection> {
        refuse_fault(self, seat)?;
        if self.table.seats == 2 {
            self.end = Some(End::plain(Verdict::win(seat.other(), Reason::Fault)));
            return Ok(());
        }
        let word = fault_word(seat);
        let plies = [word.as_str()];
        let question = self.table.question(Some(&self.now.position), &plies);
        let rules = |fault| Rejection::Rules(Box::new(fault));
        let answer = self.table.client.legal(&question).map_err(rules)?;
        let (now, out) = self.accepted(&question, Some(seat), answer).map_err(rules)?;
        self.reach(now, out, false);
        Ok(())
    }

    fn count(&self) -> Option<Vec<u32>> {
        self.now.count.clone()
    }

    fn fork(&self) -> Box<dyn Referee> {
        Box::new(self.clone())
    }
}
