//! The built-in bots in games of one's own, whose rules they ask. Here a built-in game answers as one of one's own does.

use std::fmt::{self, Debug};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kit::{OwnGames, builtin};
use rules::{
    Catalogue, Game, OptionPairs, OwnRules, Referee, Rejection, RulesFault, RulesSource, Seat, Setup,
    StartError, Turn, Verdict,
};

/// A built-in game under another name. Its rules fail after a number of questions.
#[derive(Debug)]
struct Rules {
    setup: Setup,
    source: RulesSource,
    left: Arc<AtomicU64>,
}

struct Table {
    inner: Box<dyn Referee>,
    left: Arc<AtomicU64>,
}

impl Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.inner.position())
    }
}

impl OwnRules for Rules {
    fn referee(&self, _: &OptionPairs, from: Option<&str>) -> Result<Box<dyn Referee>, StartError> {
        let inner = self.setup.referee(from)?;
        Ok(Box::new(Table { inner, left: Arc::clone(&self.left) }))
    }

    fn divide(
        &self,
        _: &OptionPairs,
        from: Option<&str>,
        depth: u32,
    ) -> Result<Vec<(String, u64)>, StartError> {
        self.setup.divide(from, depth)
    }

    fn identity(&self) -> &'static str {
        "farook"
    }

    fn source(&self) -> &RulesSource {
        &self.source
    }

    fn own_id(&self) -> &'static str {
        "mine"
    }

    fn module(&self) -> Option<&[u8]> {
        None
    }

    fn rules(&self) -> &'static str {
        ""
    }

    fn notation(&self) -> &'static str {
        ""
    }
}

impl Referee for Table {
    fn seat(&self) -> Seat {
        self.inner.seat()
    }

    fn turn(&self) -> Turn {
        self.inner.turn()
    }

    fn position(&self) -> String {
        self.inner.position()
    }

    fn legal(&self) -> Vec<String> {
        self.inner.legal()
    }

    fn must_pass(&self) -> bool {
        self.inner.must_pass()
    }

    fn submit(&mut self, ply: &str) -> Result<(), Rejection> {
        let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        match left {
            Ok(_) => self.inner.submit(ply),
            Err(_) => Err(Rejection::Rules(Box::new(RulesFault {
                game: "mine".to_owned(),
                what: "they are tired".to_owned(),
                question: ply.to_owned(),
                answer: None,
                stderr: Vec::new(),
            }))),
        }
    }

    fn outcome(&self) -> Option<Verdict> {
        self.inner.outcome()
    }

    fn fault(&mut self, seat: Seat) -> Result<(), Rejection> {
        self.inner.fault(seat)
    }

    fn count(&self) -> Option<Vec<u32>> {
        self.inner.count()
    }

    fn fork(&self) -> Box<dyn Referee> {
        Box::new(Self { inner: self.inner.fork(), left: Arc::clone(&self.left) })
    }
}

fn farook() -> Setup {
    rules::find("farook").expect("it is built in").setup(&[]).expect("the defaults are valid")
}

/// Stones are counted, and a turn may have several plies.
fn fanorona() -> Setup {
    rules::find("fanorona").expect("it is built in").setup(&[("size", "5x5")]).expect("it is a size")
}

fn catalogue(setup: Setup, questions: u64) -> OwnGames {
    let left = Arc::new(AtomicU64::new(questions));
    let rules = Arc::new(Rules { setup, source: RulesSource::Module(PathBuf::from("mine.wasm")), left });
    let mut catalogue = Catalogue::default();
    catalogue.add(Arc::new(Game::own("mine", "Mine", "a game", &[], rules))).expect("the id is free");
    OwnGames::Known(catalogue)
}

/// Returns what a bot writes, and whether it ended well.
fn converse(bot: &str, own_games: OwnGames, lines: &[&str]) -> (Vec<String>, Result<(), String>) {
    let (mut output, input) = (Vec::new(), lines.join("\n") + "\n");
    let served = builtin(bot).expect("the bot is built in").serve(own_games, input.as_bytes(), &mut output);
    let lines = String::from_utf8(output).expect("bots write UTF-8").lines().map(str::to_owned).collect();
    (lines, served.map_err(|error| error.to_string()))
}

fn choose(setup: Setup, bot: &str, seed: u64, position: &str, limits: &str) -> String {
    let hello = format!("game mine players=2 you=p1 seed={seed}");
    let go = format!("go {limits}");
    let (lines, served) = converse(bot, catalogue(setup, u64::MAX), &[&hello, "uginewgame", position, &go]);
    assert_eq!(served, Ok(()), "{bot}: {lines:?}");
    let last = lines.last().and_then(|line| line.strip_prefix("bestmove "));
    last.unwrap_or_else(|| panic!("{bot}: {lines:?}")).to_owned()
}

#[test]
fn every_bot_says_that_it_plays_a_game_whose_rules_it_has() {
    for bot in ["greedy", "alphabeta", "mcts"] {
        let (lines, _) = converse(bot, catalogue(farook(), u64::MAX), &["ugi"]);
        assert!(
            lines.iter().any(|line| line.starts_with("plays farook ") && line.ends_with(" mine")),
            "{lines:?}"
        );
        let (lines, _) = converse(bot, OwnGames::None, &["game mine players=2", "uginewgame", "isready"]);
        assert!(lines[0].starts_with("reject unknown-game"), "{lines:?}");
    }
}

#[test]
fn a_win_in_one_is_played() {
    // The diagram of Farook's seed.
    let position = "position fen bb1w/bwxb/wwbw/1bxw p1 stock=0,0,0 last=-,- ko=- n=20";
    for bot in ["greedy", "alphabeta", "mcts"] {
        for seed in 1..5 {
            let ply = choose(farook(), bot, seed, position, "nodes 200");
            let mut game =
                farook().referee(position.strip_prefix("position fen ")).expect("it is a position");
            game.submit(&ply).expect("the ply is legal");
            let winner = game.outcome().and_then(|verdict| verdict.outcome.winner());
            assert_eq!(winner, Some(Seat::P1), "{bot}, seed {seed}: {ply}");
        }
    }
}

#[test]
fn equal_seeds_and_nodes_play_equal_plies() {
    for bot in ["greedy", "alphabeta", "mcts"] {
        for seed in 1..4 {
            let ply = choose(farook(), bot, seed, "position startpos", "nodes 60");
            assert_eq!(choose(farook(), bot, seed, "position startpos", "nodes 60"), ply, "{bot}");
        }
    }
}

/// Plays a game and returns its winner.
fn play(bots: [&str; 2], seed: u64) -> Option<Seat> {
    let mut game = fanorona().referee(None).expect("the start is valid");
    let mut moves = Vec::new();
    while game.outcome().is_none() {
        let bot = bots[game.seat().index()];
        let ply = if bot == "random" {
            let legal = game.legal();
            legal[rules::Dice::new(seed * 1000 + moves.len() as u64).below(legal.len())].clone()
        } else {
            let line = match moves.as_slice() {
                [] => "position startpos".to_owned(),
                moves => format!("position startpos moves {}", moves.join(" ")),
            };
            choose(fanorona(), bot, seed, &line, "nodes 100")
        };
        game.submit(&ply).expect("bots play legal plies");
        moves.push(ply);
    }
    game.outcome().and_then(|verdict| verdict.outcome.winner())
}

#[test]
fn every_bot_that_asks_the_rules_beats_random() {
    for bot in ["greedy", "mcts", "alphabeta"] {
        let mut points = 0;
        for seed in 0..6 {
            points += i32::from(play([bot, "random"], seed) == Some(Seat::P1));
            points += i32::from(play(["random", bot], seed) == Some(Seat::P2));
        }
        assert!(points >= 10, "{bot} has won {points} of 12 games");
    }
}

#[test]
fn a_bot_whose_rules_fail_says_so_and_ends() {
    for bot in ["greedy", "alphabeta", "mcts"] {
        for questions in [0, 1, 30, 70] {
            let lines =
                ["game mine players=2 you=p1 seed=1", "uginewgame", "position startpos", "go nodes 5000"];
            let (lines, served) = converse(bot, catalogue(farook(), questions), &lines);
            if bot == "greedy" && questions == 70 {
                // It needs no more.
                continue;
            }
            let last = lines.last().cloned().unwrap_or_default();
            assert!(
                last.starts_with("error rules-failed : the rules of `mine` failed: they are tired"),
                "{bot} {questions}: {lines:?}"
            );
            assert!(served.is_err_and(|error| error.contains("they are tired")), "{bot} {questions}");
        }
    }
}
