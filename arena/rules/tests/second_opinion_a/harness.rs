//! Plays one random game in the engine and in a naive version of it, and compares them at every ply.

use std::collections::BTreeMap;
use std::fmt;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rules::{Referee, Setup, find};

/// A game written from the rules page alone, without care for speed.
pub(crate) trait Naive: Clone + 'static {
    /// What is played under: the values of all options.
    type Options: Clone;

    /// The engine's name of the game.
    const GAME: &'static str;
    /// What must have been seen when enough games are played.
    const WITNESSES: &'static [&'static str];
    /// What a player may be keen on, so that rare things happen.
    const TASTES: &'static [Taste<Self>];

    /// Draws options.
    fn draw_options(rng: &mut ChaCha8Rng) -> Self::Options;

    /// Returns all options: key, value and default.
    fn pairs(options: &Self::Options) -> Vec<(&'static str, String, String)>;

    /// Returns the start of the game.
    fn start(options: &Self::Options) -> Self;

    /// Writes a position composed at random, which may contradict itself.
    fn compose(options: &Self::Options, rng: &mut ChaCha8Rng) -> String;

    /// Reads a position string, if it is canonical and does not contradict itself.
    fn read(options: &Self::Options, text: &str) -> Option<Self>;

    /// Returns the seat that decides: 0 or 1.
    fn seat(&self) -> usize;

    /// Returns the position string.
    fn position(&self) -> String;

    /// Returns the legal plies, sorted; none when the game is over. May stop short beyond [`PLIES_LIMIT`].
    fn legal(&self) -> Vec<String>;

    /// Plays a legal ply.
    fn play(&mut self, ply: &str);

    /// Returns the outcome and the reason: `p1win pattern`.
    fn outcome(&self) -> Option<String>;

    /// Names what is worth counting in a position.
    fn remarks(&self) -> Vec<&'static str>;

    /// Names what is worth counting about a legal ply that is about to be played.
    fn describe(&self, ply: &str) -> Vec<&'static str>;

    /// Returns the position after a ply.
    fn after(&self, ply: &str) -> Self {
        let mut next = self.clone();
        next.play(ply);
        next
    }
}

/// Whether a player would like this legal ply.
pub(crate) type Taste<N> = fn(&N, &str) -> bool;

/// A position with more plies than this is not compared: Fanorona's chains grow without measure.
pub(crate) const PLIES_LIMIT: usize = 1000;

/// No game is played further.
const GAME_LIMIT: usize = 500;

/// A player who is keen on something looks at so many plies for it.
const GLANCES: usize = 8;

/// So many spoilt strings are tried for a composition.
const SPOILT: usize = 3;

/// How often each thing was seen.
#[derive(Default)]
pub(crate) struct Tally {
    counts: BTreeMap<String, u64>,
}

impl Tally {
    /// Demands that each of these was seen.
    pub(crate) fn require(&self, witnesses: &[&str]) {
        let missing: Vec<_> = witnesses.iter().filter(|name| !self.counts.contains_key(**name)).collect();
        assert!(missing.is_empty(), "never seen: {missing:?}; seen:\n{self}");
    }

    fn count(&mut self, name: &str) {
        if let Some(count) = self.counts.get_mut(name) {
            *count += 1;
        } else {
            self.counts.insert(name.to_owned(), 1);
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.counts.iter().try_for_each(|(name, count)| writeln!(f, "{count:>12} {name}"))
    }
}

/// Plays one game: from the start, or from a composed position after a look at a few spoilt strings.
pub(crate) fn play_game<N: Naive>(seed: u64, tally: &mut Tally) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let options = N::draw_options(&mut rng);
    let setup = set_up::<N>(&options, &mut rng);
    let place = format!("seed {seed}, {}", setup.label());
    tally.count("games");
    for (key, value, _) in N::pairs(&options) {
        tally.count(&format!("{key}={value}"));
    }
    if rng.random_bool(0.4) {
        let referee = setup.referee(None).unwrap_or_else(|error| panic!("{place}: {error}"));
        Board { naive: N::start(&options), referee, place }.play(&mut rng, tally);
        return;
    }
    let mut text = N::compose(&options, &mut rng);
    // Mostly one that is not over at once.
    for _ in 0..rng.random_range(0..12) {
        if N::read(&options, &text).is_none_or(|naive| naive.outcome().is_none()) {
            break;
        }
        text = N::compose(&options, &mut rng);
    }
    for _ in 0..SPOILT {
        let spoilt = spoil(&text, &mut rng);
        if let Some(board) = load::<N>(&options, &setup, &spoilt, &place, tally) {
            board.compare(tally);
            tally.count("spoilt string taken");
        } else {
            tally.count("spoilt string refused");
        }
    }
    if let Some(board) = load::<N>(&options, &setup, &text, &place, tally) {
        tally.count("composition taken");
        board.play(&mut rng, tally);
    } else {
        tally.count("composition refused");
    }
}

/// Sets up the engine, now with all options and now only with those that are not the defaults.
fn set_up<N: Naive>(options: &N::Options, rng: &mut ChaCha8Rng) -> Setup {
    let writes_all = rng.random_bool(0.5);
    let pairs = N::pairs(options);
    let given: Vec<_> = pairs
        .iter()
        .filter(|(_, value, default)| writes_all || value != default)
        .map(|(key, value, _)| (*key, value.as_str()))
        .collect();
    find(N::GAME)
        .expect("a game of the list")
        .setup(&given)
        .unwrap_or_else(|error| panic!("{given:?}: {error}"))
}

/// Loads a string in both, which must agree whether it is a position.
fn load<N: Naive>(
    options: &N::Options,
    setup: &Setup,
    text: &str,
    place: &str,
    tally: &mut Tally,
) -> Option<Board<N>> {
    tally.count("strings");
    let place = format!("{place}, from `{text}`");
    match (N::read(options, text), setup.referee(Some(text))) {
        (Some(naive), Ok(referee)) => Some(Board { naive, referee, place }),
        (None, Err(_)) => None,
        (Some(_), Err(error)) => panic!("{place}: only the engine refuses: {error}"),
        (None, Ok(_)) => panic!("{place}: only the engine takes it"),
    }
}

/// Changes, adds or takes a character or two.
fn spoil(text: &str, rng: &mut ChaCha8Rng) -> String {
    let letters: Vec<char> = "abcdABwxp0123456789-=,/ ".chars().collect();
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..=2) {
        let i = rng.random_range(0..chars.len());
        let letter = letters[rng.random_range(0..letters.len())];
        match rng.random_range(0..4) {
            0 => chars.insert(i, letter),
            1 => drop(chars.remove(i)),
            _ => chars[i] = letter,
        }
    }
    chars.into_iter().collect()
}

/// One game in both versions.
struct Board<N> {
    naive: N,
    referee: Box<dyn Referee>,
    /// What has been played so far, for messages.
    place: String,
}

impl<N: Naive> Board<N> {
    fn play(mut self, rng: &mut ChaCha8Rng, tally: &mut Tally) {
        let taste = N::TASTES[rng.random_range(0..N::TASTES.len())];
        for _ in 0..GAME_LIMIT {
            let legal = self.compare(tally);
            if legal.is_empty() {
                return;
            }
            let ply = choose(&self.naive, &legal, taste, rng);
            tally.count("plies");
            for word in self.naive.describe(&ply) {
                tally.count(word);
            }
            self.place += &format!(" {ply}");
            self.naive.play(&ply);
            self.referee.submit(&ply).unwrap_or_else(|rejection| panic!("{}: {rejection}", self.place));
        }
    }

    /// Compares everything that can be seen; returns the legal plies, none if play is not to go on.
    fn compare(&self, tally: &mut Tally) -> Vec<String> {
        let Self { naive, referee, place } = self;
        assert_eq!(naive.position(), referee.position(), "{place}: position (naive, engine)");
        let seat = ["p1", "p2"][naive.seat()];
        assert_eq!(seat, referee.seat().to_string(), "{place}: seat (naive, engine)");
        let outcome = naive.outcome();
        let verdict = referee.outcome().map(|verdict| format!("{} {}", verdict.outcome, verdict.reason));
        assert_eq!(outcome, verdict, "{place}: result (naive, engine)");
        for word in naive.remarks() {
            tally.count(word);
        }
        if let Some(outcome) = outcome {
            tally.count(&format!("result {outcome}"));
        }
        let legal = naive.legal();
        if legal.len() > PLIES_LIMIT {
            tally.count("given up: too many plies");
            return Vec::new();
        }
        assert_eq!(legal, referee.legal(), "{place}: legal plies (naive, engine)");
        assert_eq!(legal == ["pass"], referee.must_pass(), "{place}: forced pass (naive, engine)");
        legal
    }
}

/// Chooses a legal ply: mostly one to the player's taste.
fn choose<N: Naive>(naive: &N, legal: &[String], taste: Taste<N>, rng: &mut ChaCha8Rng) -> String {
    let mut ply = &legal[rng.random_range(0..legal.len())];
    if rng.random_bool(0.9) {
        for _ in 0..GLANCES {
            if taste(naive, ply) {
                break;
            }
            ply = &legal[rng.random_range(0..legal.len())];
        }
    }
    ply.clone()
}
