//! The bots that come with the arena.

use std::io::{self, BufRead, Write};

use protocol::OptionDeclaration;

use crate::serve::serve_games;
use crate::{AlphaBeta, Bot as _, Greedy, Random, serve};

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
}

/// Every bot that comes with the arena.
pub const BUILTINS: [Builtin; 3] = [
    Builtin { name: "random", about: "plays a random legal ply", kind: Kind::Random },
    Builtin {
        name: "greedy",
        about: "plays the ply after which the position looks best",
        kind: Kind::Greedy,
    },
    Builtin { name: "alphabeta", about: "searches as deep as its limits allow", kind: Kind::AlphaBeta },
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
        }
    }

    /// Plays on a pair of pipes, as [`serve()`].
    ///
    /// # Errors
    /// As [`serve()`].
    pub fn serve(self, input: impl BufRead + Send, output: impl Write + Send) -> io::Result<()> {
        match self.kind {
            Kind::Random => serve(Random, input, output),
            Kind::Greedy => serve(Greedy, input, output),
            Kind::AlphaBeta => serve(AlphaBeta::default(), input, output),
        }
    }

    /// Returns whether it also plays games that it has no rules of, if it is started for them: see [`Builtin::serve_any`].
    #[must_use]
    pub fn plays_any(self) -> bool {
        self.kind == Kind::Random
    }

    /// Serves like [`Builtin::serve`]; a bot that [plays any game](Builtin::plays_any) plays those that it has no rules of by lot,
    /// from the lists of legal plies that it asks for.
    ///
    /// # Errors
    /// When reading or writing fails.
    pub fn serve_any(self, input: impl BufRead + Send, output: impl Write + Send) -> io::Result<()> {
        match self.kind {
            Kind::Random => serve_games(Random, true, input, output),
            Kind::Greedy | Kind::AlphaBeta => self.serve(input, output),
        }
    }
}
