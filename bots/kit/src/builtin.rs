//! The bots that come with the arena.

use std::io::{self, BufRead, Write};

use protocol::OptionDeclaration;

use crate::serve::{OwnGames, serve_games};
use crate::{AlphaBeta, Bot as _, Greedy, Mcts, Random};

/// A bot that comes with the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// The name that `builtin:` and `arena bot` take.
    pub name: &'static str,
    /// What it does, in a phrase.
    pub about: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Random,
    Greedy,
    AlphaBeta,
    Mcts,
}

/// Every bot that comes with the arena.
pub const BUILTINS: [Builtin; 4] = [
    Builtin { name: "random", about: "plays a random legal ply", kind: Kind::Random },
    Builtin {
        name: "greedy",
        about: "plays the ply after which the position looks best",
        kind: Kind::Greedy,
    },
    Builtin { name: "alphabeta", about: "searches as deep as its limits allow", kind: Kind::AlphaBeta },
    Builtin {
        name: "mcts",
        about: "searches by random playouts, knowing nothing but the rules",
        kind: Kind::Mcts,
    },
];

/// Returns the bot with this name, if there is one.
#[must_use]
pub fn builtin(name: &str) -> Option<Builtin> {
    BUILTINS.into_iter().find(|bot| bot.name == name)
}

impl Builtin {
    /// Returns the options that it declares when it is greeted.
    #[must_use]
    pub fn options(self) -> Vec<OptionDeclaration> {
        match self.kind {
            Kind::Random => Random.options(),
            Kind::Greedy => Greedy.options(),
            Kind::AlphaBeta => AlphaBeta::default().options(),
            Kind::Mcts => Mcts.options(),
        }
    }

    /// Plays on a pair of pipes, as [`serve()`](crate::serve()), also these games of one's own. If the rules of one fail, it says so and
    /// ends.
    ///
    /// # Errors
    /// As [`serve()`](crate::serve()), and when rules fail.
    pub fn serve(
        self,
        own_games: OwnGames,
        mut input: impl BufRead + Send,
        mut output: impl Write + Send,
    ) -> io::Result<()> {
        self.serve_on(own_games, &mut input, &mut output)
    }

    /// As `serve`, for any pipes: so that the searches are compiled once, and here.
    fn serve_on(
        self,
        own_games: OwnGames,
        input: &mut (dyn BufRead + Send),
        output: &mut (dyn Write + Send),
    ) -> io::Result<()> {
        match self.kind {
            Kind::Random => serve_games(Random, own_games, input, output),
            Kind::Greedy => serve_games(Greedy, own_games, input, output),
            Kind::AlphaBeta => serve_games(AlphaBeta::default(), own_games, input, output),
            Kind::Mcts => serve_games(Mcts, own_games, input, output),
        }
    }

    /// Returns whether it plays games of one's own without their rules ([`OwnGames::ByLot`]); the others need them
    /// ([`OwnGames::Known`]).
    #[must_use]
    pub fn plays_by_lot(self) -> bool {
        self.kind == Kind::Random
    }
}
