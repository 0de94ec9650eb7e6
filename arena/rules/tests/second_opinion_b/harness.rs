//! What a naive game is, and the comparison with the engine.

use std::collections::BTreeMap;
use std::env;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rules::{Referee, Seat, Setup, find};

/// Options as they are given; the others take their defaults.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen(Vec<(&'static str, String)>);

impl Chosen {
    pub(crate) fn give(&mut self, key: &'static str, value: &impl ToString) {
        self.0.push((key, value.to_string()));
    }

    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| *given == key).map(|(_, value)| value.as_str())
    }

    pub(crate) fn number(&self, key: &str, default: u64) -> u64 {
        self.text(key).map_or(default, |value| value.parse().expect("the option is a number"))
    }
}

/// A game written straight from the rules page, with its history. Seats are 0 and 1.
pub(crate) trait Naive: Clone {
    /// The engine's name of the game.
    const GAME: &'static str;
    /// What must happen in a run: events that [`Naive::play`] returns, and results.
    const EVENTS: &'static [&'static str];

    /// Chooses options at random.
    fn options(rng: &mut ChaCha8Rng) -> Chosen;

    /// Returns the start of the game.
    fn start(options: &Chosen) -> Self;

    /// Reads a position string; `None` if it is not canonical or contradicts itself.
    fn read(options: &Chosen, text: &str) -> Option<Self>;

    /// Writes a string that is laid out like a position, and mostly is one.
    fn compose(options: &Chosen, rng: &mut ChaCha8Rng) -> String;

    /// Returns the legal plies in byte order.
    fn legal(&self) -> Vec<String>;

    /// Plays a legal ply and returns what happened.
    fn play(&mut self, ply: &str) -> Vec<&'static str>;

    /// Writes the position string.
    fn position(&self) -> String;

    /// Returns the seat that decides.
    fn seat(&self) -> usize;

    /// Returns the seat whose turn it is and whether no ply of the turn has been played.
    fn turn(&self) -> (usize, bool);

    /// Returns the result, such as `p1win no-fish`.
    fn outcome(&self) -> Option<String>;

    /// Returns whether a legal ply is of a kind that random play should choose more often.
    fn is_rare(&self, ply: &str) -> bool;
}

/// Plays random games in both and fails on the first difference.
pub(crate) fn compare<N: Naive>(usual: u64) {
    let games = number("ARENA_GAMES").unwrap_or(usual);
    let first = number("ARENA_FIRST").unwrap_or(0);
    let mut tally = Tally::default();
    for game in first..first + games {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        rng.set_stream(game);
        let mut pair = Pair::<N>::new(&mut rng, &mut tally);
        if let Err(fault) = pair.run(&mut rng, &mut tally) {
            let Pair { label, opening, plies, .. } = pair;
            panic!("game {game}, {label}\n  from {opening}\n  played {}\n{fault}", plies.join(" "));
        }
    }
    println!("{}: {games} games {:#?}", N::GAME, tally.0);
    let missing: Vec<_> = N::EVENTS.iter().filter(|event| !tally.0.contains_key(**event)).collect();
    assert!(games < usual || missing.is_empty(), "{}: these never happened: {missing:?}", N::GAME);
}

/// Returns one of `items`.
pub(crate) fn pick<'a, T>(rng: &mut ChaCha8Rng, items: &'a [T]) -> &'a T {
    &items[rng.random_range(0..items.len())]
}

/// Chooses whether to give a cap on turns, and which.
pub(crate) fn caps(rng: &mut ChaCha8Rng) -> Chosen {
    let mut options = Chosen::default();
    if rng.random_bool(0.4) {
        options.give("max-turns", &rng.random_range(1..40));
    }
    options
}

/// Chooses a number of completed turns, often near the cap.
pub(crate) fn turns(options: &Chosen, rng: &mut ChaCha8Rng) -> u64 {
    let cap = options.number("max-turns", 300);
    match rng.random_range(0..10) {
        0..=3 => (cap + 3).saturating_sub(rng.random_range(0..12)),
        _ => rng.random_range(0..12),
    }
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok().map(|text| text.parse().expect("the variable is a number"))
}

/// How often what happened.
#[derive(Debug, Default)]
struct Tally(BTreeMap<String, u64>);

impl Tally {
    fn add(&mut self, event: &str) {
        *self.0.entry(event.to_owned()).or_default() += 1;
    }
}

/// How plies are chosen in a game.
#[derive(Clone, Copy)]
enum Mood {
    /// Every ply alike.
    Even,
    /// Rare kinds of plies first.
    Eager,
    /// Moves that take back earlier ones first.
    Undecided,
}

/// One game in both implementations.
struct Pair<N> {
    label: String,
    options: Chosen,
    setup: Setup,
    opening: String,
    plies: Vec<String>,
    naive: N,
    referee: Box<dyn Referee>,
}

impl<N: Naive> Pair<N> {
    /// Sets up a game from the start or from a composition.
    fn new(rng: &mut ChaCha8Rng, tally: &mut Tally) -> Self {
        let options = N::options(rng);
        let given: Vec<_> = options.0.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let setup = find(N::GAME).expect("the game is known").setup(&given).expect("the options are valid");
        let from_start = rng.random_bool(0.25);
        let (opening, naive) = if from_start {
            (None, N::start(&options))
        } else {
            let mut loaded = std::iter::repeat_with(|| {
                let text = N::compose(&options, rng);
                let read = N::read(&options, &text);
                tally.add(if read.is_some() { "compositions taken" } else { "compositions refused" });
                agree_on_acceptance(&setup, &text, read.is_some()).unwrap_or_else(|fault| panic!("{fault}"));
                Some((Some(text), read?))
            });
            loaded.find_map(|game| game).expect("it goes on until one is a position")
        };
        let referee = setup.referee(opening.as_deref()).expect("the string is a position");
        let opening = opening.unwrap_or_else(|| "start".to_owned());
        Self { label: setup.label(), options, setup, opening, plies: Vec::new(), naive, referee }
    }

    fn run(&mut self, rng: &mut ChaCha8Rng, tally: &mut Tally) -> Result<(), String> {
        let mood = *pick(rng, &[Mood::Even, Mood::Eager, Mood::Undecided]);
        let length = *pick(rng, &[10, 40, 200, 1000]);
        for _ in 0..length {
            let legal = agree(&self.naive, &*self.referee)?;
            if rng.random_range(0..8) == 0 {
                self.reload(rng, tally)?;
            }
            if legal.is_empty() {
                break;
            }
            let ply = self.choose(mood, &legal, rng);
            self.referee.submit(&ply).map_err(|rejection| format!("`{ply}` is rejected: {rejection}"))?;
            for event in self.naive.play(&ply) {
                tally.add(event);
            }
            self.plies.push(ply);
            tally.add("plies");
            if let Some(outcome) = self.naive.outcome() {
                tally.add(&outcome);
            }
        }
        agree(&self.naive, &*self.referee).map(|_| ())
    }

    fn choose(&self, mood: Mood, legal: &[String], rng: &mut ChaCha8Rng) -> String {
        let favoured: Vec<_> = match mood {
            Mood::Even => Vec::new(),
            Mood::Eager => legal.iter().filter(|ply| self.naive.is_rare(ply)).collect(),
            Mood::Undecided => {
                let recent = &self.plies[self.plies.len().saturating_sub(4)..];
                let back: Vec<String> = recent.iter().filter_map(|ply| reversed(ply)).collect();
                legal.iter().filter(|ply| back.contains(ply)).collect()
            }
        };
        if !favoured.is_empty() && !rng.random_bool(0.1) {
            return (*pick(rng, &favoured)).clone();
        }
        let mut ply = pick(rng, legal);
        if matches!(mood, Mood::Undecided) {
            for _ in 0..8 {
                if self.is_quiet(ply) {
                    break;
                }
                ply = pick(rng, legal);
            }
        }
        ply.clone()
    }

    /// Returns whether as many stones stand on the board after the ply as before.
    fn is_quiet(&self, ply: &str) -> bool {
        let stones = |naive: &N| {
            let text = naive.position();
            text.chars().take_while(|letter| *letter != ' ').filter(|letter| letter.is_alphabetic()).count()
        };
        let mut next = self.naive.clone();
        next.play(ply);
        stones(&next) == stones(&self.naive)
    }

    /// Loads the current string in both, and one that is almost the same.
    fn reload(&self, rng: &mut ChaCha8Rng, tally: &mut Tally) -> Result<(), String> {
        let text = self.naive.position();
        let naive = N::read(&self.options, &text).ok_or("the naive version does not read its own string")?;
        let referee = self.setup.referee(Some(&text)).map_err(|error| format!("not loaded: {error}"))?;
        agree(&naive, &*referee).map_err(|fault| format!("loaded again: {fault}"))?;
        let damaged = damaged(&text, rng);
        let read = N::read(&self.options, &damaged);
        tally.add(if read.is_some() { "damaged taken" } else { "damaged refused" });
        agree_on_acceptance(&self.setup, &damaged, read.is_some())?;
        if let Some(naive) = read {
            let referee = self.setup.referee(Some(&damaged)).map_err(|error| error.to_string())?;
            agree(&naive, &*referee).map_err(|fault| format!("{damaged}: {fault}"))?;
        }
        Ok(())
    }
}

/// Compares everything and returns the legal plies.
fn agree<N: Naive>(naive: &N, referee: &dyn Referee) -> Result<Vec<String>, String> {
    same("position", &naive.position(), &referee.position())?;
    let outcome = referee.outcome().map(|verdict| format!("{} {}", verdict.outcome, verdict.reason));
    same("outcome", &naive.outcome(), &outcome)?;
    same("seat", &Seat::BOTH[naive.seat()], &referee.seat())?;
    if outcome.is_none() {
        let turn = referee.turn();
        same("turn", &naive.turn(), &(turn.seat.index(), turn.is_fresh))?;
    }
    let legal = naive.legal();
    same("legal", &legal, &referee.legal())?;
    same("pass", &(legal == ["pass"]), &referee.must_pass())?;
    Ok(legal)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, naive: &T, engine: &T) -> Result<(), String> {
    if naive == engine {
        return Ok(());
    }
    Err(format!("{what} differs\n  naive  {naive:?}\n  engine {engine:?}"))
}

fn agree_on_acceptance(setup: &Setup, text: &str, is_taken: bool) -> Result<(), String> {
    match setup.referee(Some(text)) {
        Ok(_) if !is_taken => Err(format!("{}: {text} is taken by the engine only", setup.label())),
        Err(error) if is_taken => Err(format!("{}: {text} is refused by the engine: {error}", setup.label())),
        _ => Ok(()),
    }
}

/// Returns the move that takes back a move such as `a1b2`.
fn reversed(ply: &str) -> Option<String> {
    let (from, to) = crate::board::from_and_to(ply)?;
    Some(format!("{}{}", crate::board::name(to), crate::board::name(from)))
}

/// Changes, adds, takes or exchanges a few characters.
fn damaged(text: &str, rng: &mut ChaCha8Rng) -> String {
    let letters: Vec<char> = "abcwfsFS0123456789-=/ pk".chars().collect();
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..=2) {
        let place = rng.random_range(0..chars.len());
        let letter = *pick(rng, &letters);
        match rng.random_range(0..4) {
            0 => chars.insert(place, letter),
            1 => drop(chars.remove(place)),
            2 if place + 1 < chars.len() => chars.swap(place, place + 1),
            _ => chars[place] = letter,
        }
    }
    chars.into_iter().collect()
}
