//! Random games of one game with its options, and what is asked about them.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use own_games::fault_word;
use rules::{Dice, Seat};
use serde_json::Value;

use crate::game_check::answer::{Answer, GameEnd, Verb, is_line};
use crate::game_check::catalogue::{
    ACCEPTED, DECLARED, ENDS, EQUAL, FINAL, KEYS, LEGAL, LOOK, NEXT, REPETITION, REPETITION_KEY, ROUND_TRIP,
    SPELLING, TURNS,
};
use crate::game_check::declared::{Declared, MAX_PLIES};
use crate::game_check::findings::Flaw;
use crate::game_check::interview::{Instance, Interview, Reply, Step};
use crate::game_check::near_misses;
use crate::game_check::requests::{REFUSALS, expect_error};
use crate::game_check::summary::PlaySummary;

/// The games whose positions are looked into closely: the first ones, and some of the others.
const CLOSE_GAMES: u64 = 8;
const CLOSE_EACH: u64 = 10;

/// How long the first game may take.
const FIRST_GAME: Duration = Duration::from_secs(30);

/// How many near misses of a position, and of its plies, are tried.
const MISSES: usize = 12;

/// How many legal plies of a position are played one by one.
const MOST_PLAYED: usize = 24;

/// One decision of so many at a table is a fault.
const FAULT_EACH: usize = 10;

/// How many keys are remembered.
const MOST_KEYS: usize = 200_000;

/// How many plies of other positions are remembered.
const MOST_OTHERS: usize = 400;

/// How many games must have been played before a seat that never decides is strange.
const SEATS_AFTER: u64 = 10;

/// One game with the values of its options.
#[derive(Clone, Debug)]
pub(super) struct GameCase {
    pub(super) declared: Declared,
    /// The options that are given, all others having their defaults.
    pub(super) given: Vec<(String, String)>,
}

impl GameCase {
    /// Returns the words of a question that name the game and its options.
    pub(super) fn head(&self) -> String {
        let options: String = self.given.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        format!("{}{options}", self.declared.id)
    }
}

/// A position of a game as the rules see it.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) reply: Reply,
    pub(super) answer: Answer,
}

/// What was seen of a key first.
struct KeyedPosition {
    seat: String,
    legal: Vec<String>,
    question: String,
}

/// The random games of a case.
pub(super) struct Examination<'i, 'a> {
    pub(super) interview: &'i mut Interview<'a>,
    case: &'i GameCase,
    pub(super) head: String,
    options: Vec<(&'static str, String)>,
    /// How many seats the table has.
    pub(super) seats: usize,
    pub(super) dice: Dice,
    is_deterministic: bool,
    keys: HashMap<String, KeyedPosition>,
    others: Vec<String>,
    has_count: Option<(bool, Reply)>,
    /// Whether each seat has decided.
    decided: [bool; Seat::MOST],
    pub(super) summary: PlaySummary,
}

/// How a random game ended.
enum GameOver {
    /// By the rules, by repetition, or at the cap on plies.
    Played,
    /// Something is wrong, so that nothing more can be told from it, or the time is over.
    BrokenOff,
}

impl<'i, 'a> Examination<'i, 'a> {
    pub(super) fn new(
        interview: &'i mut Interview<'a>,
        case: &'i GameCase,
        seed: u64,
        is_deterministic: bool,
    ) -> Self {
        let head = case.head();
        Self {
            interview,
            case,
            options: case.declared.values(&case.given),
            seats: case.declared.seats(&case.given),
            dice: Dice::new(seed),
            is_deterministic,
            keys: HashMap::new(),
            others: Vec::new(),
            has_count: None,
            decided: [false; Seat::MOST],
            summary: PlaySummary::new(&head, case.declared.seats(&case.given)),
            head,
        }
    }

    /// Plays random games until there are enough or the time is over; `is_wanted` is asked before each one.
    pub(super) fn play(
        &mut self,
        games: u64,
        deadline: Instant,
        is_wanted: &mut dyn FnMut(u64) -> bool,
    ) -> Step {
        for number in 0..games {
            if (number > 0 && Instant::now() >= deadline) || !is_wanted(number) {
                break;
            }
            let is_close = number < CLOSE_GAMES || number % CLOSE_EACH == 0;
            // A game that never ends is found even where time is short.
            let deadline = if number == 0 { deadline.max(Instant::now() + FIRST_GAME) } else { deadline };
            // Every other of these has faults where there are tables.
            let has_faults = self.seats > 2 && is_close && number / 2 % 2 == 0;
            if matches!(self.play_game(is_close, has_faults, deadline)?, GameOver::BrokenOff)
                && number >= CLOSE_GAMES
            {
                break;
            }
        }
        let is_plain = self.case.given.is_empty() || self.seats > 2;
        if is_plain && self.summary.games >= SEATS_AFTER {
            for (seat, _) in Seat::all(self.seats).zip(self.decided).filter(|(_, has)| !has) {
                let what = format!("`{seat}` never decides in {} games", self.summary.games);
                let advice = "say in `seat` who decides";
                self.interview.findings.note(
                    Some(&self.head),
                    Flaw::new(DECLARED, what).advised(advice),
                    Vec::new,
                );
            }
        }
        Ok(())
    }

    /// Plays one random game from the start.
    fn play_game(&mut self, is_close: bool, has_faults: bool, deadline: Instant) -> Step<GameOver> {
        let most = self.case.declared.max_plies.unwrap_or(MAX_PLIES);
        let Some(mut seen) = self.position("startpos", &[])? else { return Ok(GameOver::BrokenOff) };
        if !seen.answer.is_fresh {
            self.note(Flaw::new(TURNS, "the start of the game is not `fresh`"), &seen.reply);
        }
        let mut line: Vec<String> = Vec::new();
        let mut game: Vec<Seen> = Vec::new();
        let mut occurrences: HashMap<String, u64> = HashMap::new();
        loop {
            self.look_at(&seen);
            let times = seen.answer.key.as_ref().map_or(0, |key| {
                let times = occurrences.entry(key.clone()).or_insert(0);
                *times += 1;
                *times
            });
            let repetition = self.case.declared.repetition;
            let is_repeated = repetition > 0 && times >= repetition;
            if let Some(end) = &seen.answer.end {
                if end.reason == "repetition" && repetition > 0 && !is_repeated {
                    let what = format!("`repetition` at occurrence {times} of a position, not {repetition}");
                    self.note(Flaw::new(REPETITION, what), &seen.reply);
                }
                self.summary.add(line.len(), &end.result, &end.reason);
                break;
            }
            if is_repeated {
                self.summary.add(line.len(), &self.undecided(&seen), "repetition");
                break;
            }
            if line.len() as u64 >= most {
                if self.case.declared.max_plies.is_none() {
                    self.note(
                        Flaw::new(ENDS, format!("a random game goes on after {most} plies")),
                        &seen.reply,
                    );
                }
                self.summary.add(line.len(), &self.undecided(&seen), "max-plies");
                break;
            }
            if line.len() % 64 == 63 && Instant::now() >= deadline {
                return Ok(GameOver::BrokenOff);
            }
            if has_faults && self.dice.below(FAULT_EACH) == 0 {
                let decider = seen.answer.seat.parse().unwrap_or(Seat::P1);
                let Some(after) = self.put_out(&seen, decider)? else { return Ok(GameOver::BrokenOff) };
                line.push(fault_word(decider));
                game.push(std::mem::replace(&mut seen, after));
                continue;
            }
            let chosen = self.dice.below(seen.answer.legal.len());
            let ply = seen.answer.legal[chosen].clone();
            let from = format!("fen {}", seen.answer.next[chosen]);
            let Some(after) = self.position(&from, &[])? else { return Ok(GameOver::BrokenOff) };
            self.compare_with_promise(&seen, chosen, &after);
            self.compare_turns(&seen, &ply, &after);
            self.compare_out(&seen, &ply, &after)?;
            line.push(ply);
            if is_close {
                game.push(seen);
            }
            seen = after;
        }
        if is_close {
            self.look_closely(&game, &seen, &line)?;
        }
        Ok(GameOver::Played)
    }

    /// Returns the result of a game that stops here undecided.
    fn undecided(&self, seen: &Seen) -> String {
        if self.seats == 2 {
            return "draw".to_owned();
        }
        let place = |seat: Seat| seen.answer.out.get(&seat.to_string()).copied().unwrap_or(1).to_string();
        Seat::all(self.seats).map(place).collect::<Vec<_>>().join(",")
    }

    /// Asks about a position, reads the answer and notes its flaws; `None` if nothing can be done with it.
    pub(super) fn position(&mut self, from: &str, plies: &[String]) -> Step<Option<Seen>> {
        let question = self.question("position", from, plies);
        let Some(reply) = self.interview.ask(Some(&self.head), &question)? else { return Ok(None) };
        if reply.error().is_some() {
            let flaw = if !plies.is_empty() {
                Flaw::new(ACCEPTED, "a legal ply is refused")
            } else if from == "startpos" {
                Flaw::new(KEYS, "the start of the game is refused").advised("answer `startpos`")
            } else {
                Flaw::new(ROUND_TRIP, "a position string that the rules wrote is refused")
            };
            self.note(flaw, &reply);
            return Ok(None);
        }
        Ok(self.read(reply))
    }

    /// Reads the answer to `position` and notes its flaws; `None` if nothing can be done with it.
    pub(super) fn read(&mut self, reply: Reply) -> Option<Seen> {
        let (answer, flaws) = Answer::read(&reply.value, Verb::Position, &self.case.declared.id, self.seats);
        for flaw in flaws {
            self.note(flaw, &reply);
        }
        // Nothing can be played where a position that goes on has no plies: that is noted.
        let answer = answer.filter(|answer| answer.end.is_some() || !answer.legal.is_empty());
        answer.map(|answer| Seen { reply, answer })
    }

    pub(super) fn question(&self, verb: &str, from: &str, plies: &[String]) -> String {
        let moves = if plies.is_empty() { String::new() } else { format!(" moves {}", plies.join(" ")) };
        format!("{verb} {} {from}{moves}", self.head)
    }

    pub(super) fn note(&mut self, flaw: Flaw, reply: &Reply) {
        self.interview.note(Some(&self.head), flaw, reply);
    }

    pub(super) fn note_both(&mut self, flaw: Flaw, before: &Reply, reply: &Reply) {
        self.interview.note_both(Some(&self.head), flaw, before, reply);
    }

    /// What is asked of every position.
    fn look_at(&mut self, seen: &Seen) {
        let answer = &seen.answer;
        self.summary.see(&answer.position, answer.legal.len());
        if answer.end.is_none() {
            self.decided[answer.seat.parse().map_or(0, Seat::index)] = true;
        }
        // The sizes of the board are options, of which nothing is known where the arena refuses the game.
        if let Some(look) = self.case.declared.look(self.seats).filter(|_| self.case.declared.is_accepted())
            && let Err(what) = look.check(&self.options, &answer.position, &answer.legal, &seen.reply.value)
        {
            self.interview.note(Some(&self.head), Flaw::new(LOOK, what), &seen.reply);
        }
        if answer.legal == ["pass"] && !self.case.declared.has_pass {
            let what = "a forced `pass`, but `games` says `\"pass\":false`";
            self.interview.note(Some(&self.head), Flaw::new(DECLARED, what), &seen.reply);
        }
        match &self.has_count {
            None => self.has_count = Some((answer.has_count, seen.reply.clone())),
            Some((has, first)) if *has != answer.has_count => {
                let flaw = Flaw::new(DECLARED, "`count` is in some answers and not in others");
                let advice = "give `count` in every answer, or in none";
                self.interview.note_both(Some(&self.head), flaw.advised(advice), first, &seen.reply);
            }
            Some(_) => {}
        }
        if self.others.len() < MOST_OTHERS {
            self.others.extend(answer.legal.iter().take(8).cloned());
        } else if let Some(ply) = answer.legal.first() {
            let at = self.dice.below(MOST_OTHERS);
            self.others[at].clone_from(ply);
        }
        self.compare_keys(seen);
    }

    /// Equal keys mean equal plies: otherwise a game is drawn that did not repeat.
    fn compare_keys(&mut self, seen: &Seen) {
        let answer = &seen.answer;
        let Some(key) = answer.key.as_ref().filter(|_| answer.end.is_none()) else { return };
        match self.keys.get(key) {
            Some(known) if known.seat != answer.seat || known.legal != answer.legal => {
                let what =
                    if known.seat == answer.seat { "other legal plies" } else { "another seat to decide" };
                let what = format!("two positions have the key `{key}`, but {what}");
                let question = known.question.clone();
                self.interview.findings.note(Some(&self.head), Flaw::new(REPETITION_KEY, what), || {
                    [vec![format!("> {question}")], seen.reply.lines()].concat()
                });
            }
            Some(_) => {}
            None if self.keys.len() < MOST_KEYS => {
                let known = KeyedPosition {
                    seat: answer.seat.clone(),
                    legal: answer.legal.clone(),
                    question: seen.reply.question.clone(),
                };
                self.keys.insert(key.clone(), known);
            }
            None => {}
        }
    }

    /// Compares a position with what `next` and `ends` said of it before it was reached.
    fn compare_with_promise(&mut self, before: &Seen, chosen: usize, after: &Seen) {
        let (ply, promised) = (&before.answer.legal[chosen], &before.answer.next[chosen]);
        if after.answer.position != *promised {
            let what =
                format!("asked about `{promised}`, the rules answer about `{}`", after.answer.position);
            self.note(Flaw::new(ROUND_TRIP, what), &after.reply);
        }
        let (promised, found) = (before.answer.ends.get(ply), after.answer.end.as_ref());
        if promised != found {
            let what =
                format!("`ends` says {} of `{ply}`, but after it there is {}", end(promised), end(found));
            self.note_both(Flaw::new(NEXT, what), &before.reply, &after.reply);
        }
    }

    /// A turn that passes to the other seat begins there.
    fn compare_turns(&mut self, before: &Seen, ply: &str, after: &Seen) {
        let (was, is) = (&before.answer, &after.answer);
        if is.end.is_none() && is.turn != was.turn && !is.is_fresh {
            let what = format!("after `{ply}` it is the turn of `{}`, but not `fresh`", is.turn);
            self.note_both(Flaw::new(TURNS, what), &before.reply, &after.reply);
        }
    }

    /// Asks more about a game: the same from its start, and about some of its positions.
    fn look_closely(&mut self, game: &[Seen], last: &Seen, line: &[String]) -> Step {
        if !game.is_empty() {
            let number = self.dice.below(game.len());
            let (seen, plies) = (game[number].clone(), &line[..number]);
            self.compare_with_history(&seen, plies)?;
            self.ask_again(&seen)?;
            self.ask_for_legal(&seen)?;
            self.play_each(&seen)?;
            self.try_near_misses(&seen)?;
            self.try_faults(&seen)?;
        }
        self.compare_with_history(last, line)?;
        self.ask_again(last)?;
        if last.answer.end.is_some() {
            self.play_on(last, line)?;
        }
        Ok(())
    }

    /// Compares a position with itself after all plies since the start of the game.
    fn compare_with_history(&mut self, seen: &Seen, plies: &[String]) -> Step {
        let Some(from_start) = self.position("startpos", plies)? else { return Ok(()) };
        let (fen, moves) = (&seen.answer, &from_start.answer);
        if is_by_repetition(moves.end.as_ref()) {
            let is_due = self.case.declared.repetition > 0 && fen.end.is_none() && self.is_repeated(plies)?;
            if fen.end.is_none() && !is_due {
                let what = "a draw by repetition, though no key has occurred often enough";
                self.note(Flaw::new(REPETITION, what), &from_start.reply);
            }
            return Ok(());
        }
        if fen.key != moves.key {
            let what = "the key depends on how the position came about";
            self.note_both(Flaw::new(REPETITION_KEY, what), &seen.reply, &from_start.reply);
        }
        let mut ends = moves.ends.clone();
        ends.retain(|ply, end| end.reason != "repetition" || fen.ends.contains_key(ply));
        let differs = [
            ("position", fen.position == moves.position),
            ("seat", fen.seat == moves.seat),
            ("turn", fen.turn == moves.turn),
            ("fresh", fen.is_fresh == moves.is_fresh),
            ("legal", fen.legal == moves.legal),
            ("next", fen.next == moves.next),
            ("ends", fen.ends == ends),
            ("out", fen.out == moves.out),
            ("result", fen.end == moves.end),
        ];
        if let Some((key, _)) = differs.into_iter().find(|(_, is_equal)| !is_equal) {
            let what = format!("`{key}` differs between `fen` and the plies that lead to the position");
            self.note_both(Flaw::new(ROUND_TRIP, what), &seen.reply, &from_start.reply);
        }
        Ok(())
    }

    /// Returns whether the position after these plies has occurred as often as makes a draw, by the keys.
    fn is_repeated(&mut self, plies: &[String]) -> Step<bool> {
        let mut occurrences: HashMap<String, u64> = HashMap::new();
        let Some(mut seen) = self.position("startpos", &[])? else { return Ok(false) };
        for ply in plies {
            if let Some(key) = &seen.answer.key {
                *occurrences.entry(key.clone()).or_insert(0) += 1;
            }
            // A fault is none of the legal plies.
            let (from, plies) = match seen.answer.legal.iter().position(|legal| legal == ply) {
                Some(chosen) => (format!("fen {}", seen.answer.next[chosen]), &[][..]),
                None => (format!("fen {}", seen.answer.position), std::slice::from_ref(ply)),
            };
            let Some(after) = self.position(&from, plies)? else { return Ok(false) };
            seen = after;
        }
        let before = seen.answer.key.as_ref().and_then(|key| occurrences.get(key)).copied().unwrap_or(0);
        Ok(before + 1 >= self.case.declared.repetition)
    }

    /// Asks the same again, here and of another instance.
    fn ask_again(&mut self, seen: &Seen) -> Step {
        if !self.is_deterministic {
            return Ok(());
        }
        for instance in [Instance::First, Instance::Second] {
            let reply = self.interview.ask_instance(instance, Some(&self.head), &seen.reply.question)?;
            let Some(reply) = reply.filter(|reply| reply.value != seen.reply.value) else { continue };
            let what = match instance {
                Instance::First => "the same question has another answer the second time",
                Instance::Second => "the same question has another answer from another instance of the rules",
            };
            self.note_both(Flaw::new(EQUAL, what), &seen.reply, &reply);
        }
        Ok(())
    }

    /// Compares `legal` with `position`.
    fn ask_for_legal(&mut self, seen: &Seen) -> Step {
        let question = seen.reply.question.replacen("position", "legal", 1);
        let Some(reply) = self.interview.ask(Some(&self.head), &question)? else { return Ok(()) };
        if reply.error().is_some() {
            self.note_both(Flaw::new(LEGAL, "refused, but `position` is answered"), &seen.reply, &reply);
            return Ok(());
        }
        let (answer, flaws) = Answer::read(&reply.value, Verb::Legal, &self.case.declared.id, self.seats);
        for flaw in flaws {
            self.note(flaw, &reply);
        }
        let (legal, position) = (reply.value.as_object(), seen.reply.value.as_object());
        let (Some(_), Some(legal), Some(position)) = (answer, legal, position) else { return Ok(()) };
        let counts = |key: &str| !matches!(key, "next" | "ends");
        let differs = |key: &String| match (legal.get(key), position.get(key)) {
            (Some(one), Some(other)) => one != other,
            // What people are told may be left out.
            _ => !matches!(key.as_str(), "label" | "san" | "words" | "proofs"),
        };
        let mut keys = legal.keys().chain(position.keys()).filter(|key| counts(key));
        if let Some(key) = keys.find(|key| differs(key)) {
            let what = format!("`{key}` is not that of `position`");
            self.note_both(Flaw::new(LEGAL, what), &seen.reply, &reply);
        }
        Ok(())
    }

    /// Plays the legal plies of a position one by one.
    fn play_each(&mut self, seen: &Seen) -> Step {
        let from = format!("fen {}", seen.answer.position);
        let count = seen.answer.legal.len();
        let first = if count > MOST_PLAYED { self.dice.below(count) } else { 0 };
        for offset in 0..count.min(MOST_PLAYED) {
            let chosen = (first + offset) % count;
            let ply = &seen.answer.legal[chosen];
            let Some(after) = self.position(&from, std::slice::from_ref(ply))? else { continue };
            let promised = &seen.answer.next[chosen];
            if after.answer.position != *promised {
                let what = format!("`next` says `{promised}` of `{ply}`, but it leads to another position");
                self.note_both(Flaw::new(NEXT, what), &seen.reply, &after.reply);
            }
            let promised = seen.answer.ends.get(ply);
            if promised != after.answer.end.as_ref() {
                let found = end(after.answer.end.as_ref());
                let what = format!("`ends` says {} of `{ply}`, but it leads to {found}", end(promised));
                self.note_both(Flaw::new(NEXT, what), &seen.reply, &after.reply);
            }
            self.compare_turns(seen, ply, &after);
        }
        Ok(())
    }

    /// Asks for positions and plies that are nearly right.
    fn try_near_misses(&mut self, seen: &Seen) -> Step {
        for miss in near_misses::positions(&seen.answer.position, &mut self.dice, MISSES) {
            let question = self.question("legal", &format!("fen {miss}"), &[]);
            let Some(reply) = self.interview.ask(Some(&self.head), &question)? else { continue };
            if reply.error().is_some() {
                expect_error(self.interview, Some(&self.head), SPELLING, &reply, &["bad-position"]);
                continue;
            }
            // It may be another position; then it is the one that was asked about.
            let written = reply.value.get("position").and_then(Value::as_str).unwrap_or_default();
            if written != miss {
                let what = format!("`{miss}` is accepted, but written `{written}`");
                let what = if is_line(written) { what } else { "another spelling is accepted".to_owned() };
                self.note(Flaw::new(SPELLING, what), &reply);
            }
        }
        let from = format!("fen {}", seen.answer.position);
        self.try_illegal(seen, &from)
    }

    fn try_illegal(&mut self, seen: &Seen, from: &str) -> Step {
        for miss in near_misses::plies(&seen.answer.legal, &self.others, &mut self.dice, MISSES) {
            let question = self.question("legal", from, &[miss]);
            if let Some(reply) = self.interview.ask(Some(&self.head), &question)? {
                expect_error(self.interview, Some(&self.head), ACCEPTED, &reply, &REFUSALS);
            }
        }
        Ok(())
    }

    /// Tries to play on after the end.
    fn play_on(&mut self, last: &Seen, line: &[String]) -> Step {
        let mut plies = near_misses::plies(&[], &self.others, &mut self.dice, 3);
        plies.extend(line.last().cloned());
        // No position string shows that a fault has ended a game.
        let is_shown = !last.reply.question.contains(" moves ");
        for ply in plies {
            let from = format!("fen {}", last.answer.position);
            let one = self.question("legal", &from, std::slice::from_ref(&ply));
            let all = self.question("legal", "startpos", &[line, std::slice::from_ref(&ply)].concat());
            for question in [one].into_iter().filter(|_| is_shown).chain([all]) {
                if let Some(reply) = self.interview.ask(Some(&self.head), &question)? {
                    expect_error(self.interview, Some(&self.head), FINAL, &reply, &REFUSALS);
                }
            }
        }
        Ok(())
    }
}

fn is_by_repetition(end: Option<&GameEnd>) -> bool {
    end.is_some_and(|end| end.reason == "repetition")
}

fn end(end: Option<&GameEnd>) -> String {
    end.map_or_else(|| "nothing".to_owned(), |end| format!("`{end}`"))
}
