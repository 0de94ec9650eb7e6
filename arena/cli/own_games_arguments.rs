//! `--rules`: the rules of games of one's own that a journal or a game log names.

use diagnostic::Failure;
use rules::Catalogue;
use tournament_file::game_options;

/// Which games of one's own are known.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct OwnGamesArguments {
    /// The rules of a game of one's own: a WebAssembly module or the command of a program, as `dao=./dao.wasm` or
    /// `telo='python3 telo.py'`. Modules in the directory of a run are found without it
    #[arg(long, value_name = "GAME=RULES")]
    rules: Vec<String>,
    /// The `files` of a program of `--rules`, where the tournament file has them, as `telo=arena_rules.py`
    #[arg(long, value_name = "GAME=FILE,…", requires = "rules")]
    rules_files: Vec<String>,
}

impl OwnGamesArguments {
    /// Loads the games.
    ///
    /// # Errors
    /// Says what is wrong with a flag, or with the rules that it names.
    pub(crate) fn catalogue(&self) -> Result<Catalogue, Failure> {
        Ok(game_options::catalogue(&self.rules, &self.rules_files)?)
    }
}
